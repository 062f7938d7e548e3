/* random_graph_volume.h: the part of random_graph.h for volumes, windows at random places, filters
   that are nodes, and layers and losses made of other operations. Included by random_graph.h before
   its table. */

/* ---- volumes --------------------------------------------------------------------------------- */

/* (N, C, D, H, W); the channels of an image (N, C D, H, W) are split into C times D. */
static bool graph_volume(const graph_item *item) {
    const nn_shape *s = &item->shape;
    if (s->rank != 4 && s->rank != 5) return false;
    for (int i = 1; i < s->rank; i++)
        if (s->extent[i] < 1) return false;
    return true;
}
/* Returns the shape of an image, (N, C D, H, W), as that of a volume with `channels` = C. */
static nn_shape graph_deep(nn_shape x, int channels) {
    nn_shape deep = x;
    if (x.rank == 5) return x;
    deep.rank = 5;
    deep.extent[1] = channels, deep.extent[2] = x.extent[1] / channels;
    deep.extent[3] = x.extent[2], deep.extent[4] = x.extent[3];
    return deep;
}
static nn_node *graph_deep_node(nn_model *net, nn_node *x, nn_shape deep) {
    return nn_node_shape(x).rank == 5 ? x : nn_reshape(net, x, deep);
}
/* Packs three small numbers into one. */
static int graph_triple(int d, int h, int w) { return d | h << 4 | w << 8; }
static int graph_of(int triple, int axis) { return triple >> 4 * axis & 15; }
static int graph_draw_triple(graph *g, int least, int below) {
    const int d = least + graph_draw(g, below), h = least + graph_draw(g, below);
    return graph_triple(d, h, least + graph_draw(g, below));
}
/* Picks an operand; p[0]: its channels. *x: its shape as a volume. */
static bool graph_pick_volume(graph *g, graph_item *y, nn_shape *x) {
    if ((y->in[0] = graph_pick(g, graph_volume)) < 0) return false;
    const nn_shape s = IN(0)->shape;
    y->p[0] = s.rank == 5 || graph_draw(g, 2) ? s.extent[1] : 1;
    if (s.rank == 4 && s.extent[1] % 2 == 0 && graph_draw(g, 3) == 0) y->p[0] = 2;
    *x = y->shape = graph_deep(s, y->p[0]);
    y->ins = 1;
    return true;
}

/* variant 0: conv3d, 1: conv_transpose3d. p[1]: kernel, p[2]: stride, p[3]: padding, p[4]:
   dilation, p[5]: groups, p[6]: 1: bias, 2: same; p[7]: output_padding, or padding_mode */
static void graph_around(const graph_item *y, int axis, int *before, int *after) {
    const int reach = graph_of(y->p[4], axis) * (graph_of(y->p[1], axis) - 1);
    *before = y->p[6] & 2 ? reach / 2 : graph_of(y->p[3], axis);
    *after = y->p[6] & 2 ? reach - reach / 2 : graph_of(y->p[3], axis);
}
static bool graph_conv3d_extent(graph_item *y, int axis, int extent) {
    const int kernel = graph_of(y->p[1], axis), stride = graph_of(y->p[2], axis),
              dilation = graph_of(y->p[4], axis), reach = dilation * (kernel - 1);
    int before, after;
    graph_around(y, axis, &before, &after);
    if (y->op->variant) {
        y->shape.extent[2 + axis] =
            (extent - 1) * stride - before - after + reach + graph_of(y->p[7], axis) + 1;
        return y->shape.extent[2 + axis] > 0;
    }
    const int most = y->p[7] == NN_PADDING_REFLECT ? extent - 1 : extent;
    if (y->p[7] && (before > most || after > most)) return false;
    y->shape.extent[2 + axis] = (extent + before + after - reach - 1) / stride + 1;
    return extent + before + after > reach;
}
static bool graph_choose_conv3d(graph *g, graph_item *y) {
    nn_shape x;
    int *p = y->p;
    if (!graph_pick_volume(g, y, &x)) return false;
    const int C = x.extent[1];
    p[5] = C > 1 && graph_draw(g, 3) == 0 ? C : 1;
    const int K = p[5] * (1 + graph_draw(g, 2));
    p[1] = graph_draw_triple(g, 1, 3), p[2] = graph_draw_triple(g, 1, 2);
    p[3] = graph_draw_triple(g, 0, 2), p[4] = graph_draw_triple(g, 1, 2);
    p[6] = graph_draw(g, 2);
    if (!y->op->variant && graph_draw(g, 4) == 0) p[6] |= 2, p[2] = graph_triple(1, 1, 1);
    if (y->op->variant) p[7] = p[2] & graph_draw_triple(g, 0, 2) & 0x111; /* less than the stride */
    else p[7] = graph_draw(g, 2) ? graph_draw(g, 4) : 0;
    for (int i = 0; i < 3 && y->op->variant; i++)
        if (graph_of(p[7], i) >= graph_of(p[2], i)) p[7] &= ~(15 << 4 * i);
    y->shape.extent[1] = K;
    for (int i = 0; i < 3; i++)
        if (!graph_conv3d_extent(y, i, x.extent[2 + i])) return false;
    if (graph_sample(y->shape) > GRAPH_ELEMENTS) return false;
    nn_shape w = x;
    w.extent[0] = y->op->variant ? C : K, w.extent[1] = (y->op->variant ? K : C) / p[5];
    for (int i = 0; i < 3; i++) w.extent[2 + i] = graph_of(p[1], i);
    y->in[1] = graph_own(g, y, "weight", w);
    if (p[6] & 1) y->in[2] = graph_own(g, y, "bias", NN_SHAPE(K));
    y->ins = 2 + (p[6] & 1);
    return y->in[1] >= 0;
}
static int graph_or_none(int triple, int axis) {
    return graph_of(triple, axis) ? graph_of(triple, axis) : NN_NONE;
}
#define GRAPH_THREE(to, field, triple)                                                             \
    (to.field = graph_of(triple, 0), to.field##_h = graph_of(triple, 1),                           \
     to.field##_w = graph_of(triple, 2))
#define GRAPH_THREE_OR_NONE(to, field, triple)                                                     \
    (to.field = graph_of(triple, 0), to.field##_h = graph_or_none(triple, 1),                      \
     to.field##_w = graph_or_none(triple, 2))
static nn_node *graph_build_conv3d(graph *g, nn_model *net, graph_item *y) {
    const int *p = y->p;
    nn_node *x = graph_deep_node(net, IN(0)->node, graph_deep(IN(0)->shape, p[0]));
    nn_conv_transpose3d_desc back;
    nn_conv3d_desc desc;
    memset(&desc, 0, sizeof desc), memset(&back, 0, sizeof back);
    desc.out_channels = back.out_channels = y->shape.extent[1];
    desc.groups = back.groups = p[5], desc.no_bias = back.no_bias = !(p[6] & 1);
    GRAPH_THREE(desc, kernel, p[1]), GRAPH_THREE(back, kernel, p[1]);
    GRAPH_THREE(desc, stride, p[2]), GRAPH_THREE(back, stride, p[2]);
    GRAPH_THREE(desc, dilation, p[4]), GRAPH_THREE(back, dilation, p[4]);
    GRAPH_THREE_OR_NONE(back, padding, p[3]), GRAPH_THREE_OR_NONE(back, output_padding, p[7]);
    desc.same = p[6] & 2, desc.padding_mode = (nn_padding_mode)p[7];
    if (!desc.same) GRAPH_THREE_OR_NONE(desc, padding, p[3]);
    return y->op->variant ? nn_conv_transpose3d(net, y->name, x, &back)
                          : nn_conv3d(net, y->name, x, &desc);
}
/* Returns the place of x that output o reads with place k of the filter, along an axis; -1:
   none. */
static int graph_conv3d_from(const graph_item *y, int axis, int extent, int o, int k) {
    const int stride = graph_of(y->p[2], axis);
    int before, after, at;
    graph_around(y, axis, &before, &after);
    if (y->op->variant) {
        at = o + before - k * graph_of(y->p[4], axis);
        return at < 0 || at % stride || at / stride >= extent ? -1 : at / stride;
    }
    at = o * stride + k * graph_of(y->p[4], axis);
    if (y->p[7]) return graph_padded(y->p[7], at, extent, before, after);
    return at < before || at - before >= extent ? -1 : at - before;
}
static void graph_eval_conv3d(graph *g, graph_item *y) {
    const nn_shape x = graph_deep(IN(0)->shape, y->p[0]), w = IN(1)->shape;
    const int *e = y->shape.extent, C = x.extent[1], K = e[1], each = C / y->p[5],
              to = K / y->p[5], taps = w.extent[2] * w.extent[3] * w.extent[4];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        const int o[3] = {i / (e[3] * e[4]) % e[2], i / e[4] % e[3], i % e[4]};
        const int k = i / (e[2] * e[3] * e[4]) % K, n = i / (e[2] * e[3] * e[4]) / K;
        double sum = y->p[6] & 1 ? V(2)[k] : 0;
        for (int c = k / to * each; c < (k / to + 1) * each; c++)
            for (int t = 0; t < taps; t++) {
                const int tap[3] = {t / (w.extent[3] * w.extent[4]),
                                    t / w.extent[4] % w.extent[3], t % w.extent[4]};
                int at = n * C + c;
                for (int a = 0; a < 3 && at >= 0; a++) {
                    const int from = graph_conv3d_from(y, a, x.extent[2 + a], o[a], tap[a]);
                    at = from < 0 ? -1 : at * x.extent[2 + a] + from;
                }
                const int filter = y->op->variant ? c * to + k % to : k * each + c % each;
                if (at >= 0) sum = KEEP(sum + V(0)[at] * V(1)[filter * taps + t]);
            }
        y->v[i] = sum;
    }
}

/* ---- windows of volumes, and windows at random places ---------------------------------------- */

enum { GRAPH_MAX_3D, GRAPH_AVG_3D, GRAPH_LP_3D, GRAPH_ADAPTIVE_MAX_3D, GRAPH_ADAPTIVE_AVG_3D,
       GRAPH_UNPOOL_3D, GRAPH_FRACTIONAL_3D, GRAPH_FRACTIONAL_2D };
/* p[1]: kernel, p[2]: stride, p[3]: padding, p[4]: dilation, p[5]: 1: ceil, 2: count_only_inside,
   4: values are read through the index, the second result; p[6]: divisor; p[7]: extents of the
   result of adaptive and fractional pools. f: the power. in[1]: random numbers. */
typedef struct graph_window3 {
    int first, step, count; /* in x, including its padding */
    int counted;            /* places that an average divides by */
} graph_window3;
/* Returns window o along an axis. channel: N C, for a window at a random place. */
static graph_window3 graph_window_of(const graph *g, const graph_item *y, nn_shape x, int axis,
                                     int o, int channel) {
    const int extent = x.extent[2 + axis], out = y->shape.extent[y->shape.rank - 3 + axis],
              kernel = graph_of(y->p[1], axis), padding = graph_of(y->p[3], axis);
    const int variant = y->op->variant;
    graph_window3 w = {o * graph_of(y->p[2], axis) - padding, graph_of(y->p[4], axis), kernel, 0};
    (void)g;
    if (variant == GRAPH_ADAPTIVE_MAX_3D || variant == GRAPH_ADAPTIVE_AVG_3D) {
        w.first = o * extent / out;
        w.count = ((o + 1) * extent + out - 1) / out - w.first;
    } else if (variant >= GRAPH_FRACTIONAL_3D) {
        const int dims = variant == GRAPH_FRACTIONAL_2D ? 2 : 3;
        const double u = IN(1)->v[channel * dims + (dims == 2 ? 2 - axis : axis)],
                     step = out > 1 ? (double)(extent - kernel) / (out - 1) : 0;
        w.first = o == out - 1 ? extent - kernel : (int)((o + u) * step) - (int)(u * step);
    }
    const int end = w.first + w.count < extent + padding ? w.first + w.count : extent + padding;
    w.counted = end - w.first;
    if (y->p[5] & 2) w.counted = (end < extent ? end : extent) - (w.first > 0 ? w.first : 0);
    return w;
}
/* Returns the value of window i of y. *at: the place of the maximum; *gap: its distance to the next
   one. */
static double graph_window_value(const graph *g, const graph_item *y, int i, int *at,
                                 double *gap) {
    const nn_shape x = y->op->variant == GRAPH_FRACTIONAL_2D ? graph_deep(IN(0)->shape,
                                                                          IN(0)->shape.extent[1])
                                                             : graph_deep(IN(0)->shape, y->p[0]);
    const int rank = y->shape.rank, *e = y->shape.extent + rank - 3,
              depth = y->op->variant == GRAPH_FRACTIONAL_2D ? 1 : e[0];
    const int o[3] = {i / (e[1] * e[2]) % depth, i / e[2] % e[1], i % e[2]},
              channel = i / (depth * e[1] * e[2]);
    graph_window3 w[3];
    double sum = 0, most = -INFINITY, second = -INFINITY, least = INFINITY, counted = 1;
    for (int a = 0; a < 3; a++) {
        w[a] = graph_window_of(g, y, x, a, o[a], channel);
        if (depth == 1 && a == 0 && y->op->variant == GRAPH_FRACTIONAL_2D)
            w[a].first = 0, w[a].count = w[a].step = w[a].counted = 1;
        counted *= w[a].counted;
    }
    *at = 0;
    for (int k = 0; k < w[0].count * w[1].count * w[2].count; k++) {
        const int tap[3] = {k / (w[1].count * w[2].count), k / w[2].count % w[1].count,
                            k % w[2].count};
        int place = channel;
        for (int a = 0; a < 3 && place >= 0; a++) {
            const int from = w[a].first + tap[a] * w[a].step;
            place = from < 0 || from >= x.extent[2 + a] ? -1 : place * x.extent[2 + a] + from;
        }
        if (place < 0) continue;
        const double value = V(0)[place];
        sum = KEEP(sum + (y->op->variant == GRAPH_LP_3D && isfinite(y->f) ? KEEP(pow(value, y->f))
                                                                         : value));
        least = fmin(least, fabs(value));
        const double size = y->op->variant == GRAPH_LP_3D ? fabs(value) : value;
        if (size > most) second = most, most = size, *at = place;
        else if (size > second) second = size;
    }
    *gap = most - second;
    switch (y->op->variant) {
    case GRAPH_AVG_3D:
    case GRAPH_ADAPTIVE_AVG_3D: return KEEP(sum / (y->p[6] ? y->p[6] : counted));
    case GRAPH_LP_3D: /* as in PyTorch: a mean, times the number of places in a whole window */
        if (!isfinite(y->f)) return y->f > 0 ? most : least;
        *gap = sum / counted * (w[0].count * w[1].count * w[2].count);
        return KEEP(pow(*gap, 1 / y->f));
    default: return most;
    }
}
/* Sets the extents of the result for windows that run over x. */
static bool graph_windows_fit(graph_item *y, nn_shape x) {
    for (int a = 0; a < 3; a++) {
        const int kernel = graph_of(y->p[1], a), stride = graph_of(y->p[2], a),
                  reach = graph_of(y->p[4], a) * (kernel - 1) + 1;
        y->shape.extent[2 + a] = graph_pool_extent(x.extent[2 + a], reach, stride,
                                                   graph_of(y->p[3], a), y->p[5] & 1);
        if (!y->shape.extent[2 + a]) return false;
    }
    return graph_sample(y->shape) <= GRAPH_ELEMENTS;
}
/* Chooses windows at random places. in[1] receives the random numbers, which keep a distance from
   those at which a window would move. */
static bool graph_choose_random(graph *g, graph_item *y, nn_shape x) {
    const int dims = y->op->variant == GRAPH_FRACTIONAL_2D ? 2 : 3;
    nn_shape shape = x;
    y->p[1] = graph_draw_triple(g, 1, 2), y->p[7] = graph_draw_triple(g, 1, 3);
    for (int a = 3 - dims; a < 3; a++) {
        if (graph_of(y->p[7], a) + graph_of(y->p[1], a) > x.extent[2 + a] + 1) return false;
        y->shape.extent[y->shape.rank - 3 + a] = graph_of(y->p[7], a);
    }
    shape.rank = 3;
    shape.extent[2] = dims;
    y->in[1] = graph_numbers(g, shape, 32);
    if (y->in[1] < 0) return false;
    IN(1)->kind = GRAPH_INPUT;
    for (int i = 0; i < GRAPH_BATCH * GRAPH_ELEMENTS; i++)
        IN(1)->v[i] = (IN(1)->v[i] + 0.53125) / 32.5;
    bool near_middle;
    for (int i = 0; i < GRAPH_BATCH * GRAPH_ELEMENTS && g->storage != NN_F32; i++)
        IN(1)->v[i] = graph_round(g->storage, IN(1)->v[i], &near_middle);
    for (int i = 0; i < graph_elements(g, shape); i++)
        for (int a = 3 - dims; a < 3; a++) {
            const int out = graph_of(y->p[7], a);
            const double step =
                out > 1 ? (double)(x.extent[2 + a] - graph_of(y->p[1], a)) / (out - 1) : 0;
            for (int o = 0; o < out && step > 0; o++) {
                const double at = (o + IN(1)->v[i]) * step;
                if (fabs(at - floor(at + 0.5)) < 1e-3) return false;
            }
        }
    y->ins = 2;
    return true;
}
static bool graph_choose_pool3d(graph *g, graph_item *y) {
    const double powers[] = {1, 2, 3, INFINITY, -INFINITY};
    const int variant = y->op->variant, ones = graph_triple(1, 1, 1);
    int *p = y->p, at;
    double gap;
    nn_shape x;
    if (variant == GRAPH_FRACTIONAL_2D) {
        if ((y->in[0] = graph_pick(g, graph_image)) < 0) return false;
        y->shape = IN(0)->shape;
        x = graph_deep(y->shape, y->shape.extent[1]);
    } else if (!graph_pick_volume(g, y, &x)) return false;
    p[4] = ones, p[5] = graph_draw(g, 2) * 4;
    if (variant >= GRAPH_FRACTIONAL_3D) return graph_choose_random(g, y, x);
    if (variant == GRAPH_ADAPTIVE_MAX_3D || variant == GRAPH_ADAPTIVE_AVG_3D) {
        p[7] = graph_draw_triple(g, 1, 3);
        for (int a = 0; a < 3; a++) y->shape.extent[2 + a] = graph_of(p[7], a);
        return graph_sample(y->shape) <= GRAPH_ELEMENTS;
    }
    p[1] = graph_draw_triple(g, 1, 3), p[2] = graph_draw_triple(g, 1, 3);
    if (variant == GRAPH_UNPOOL_3D) p[2] = p[1]; /* no place is the maximum of two windows */
    else p[5] |= graph_draw(g, 2);
    for (int a = 0; a < 3 && variant < GRAPH_LP_3D; a++)
        if (graph_of(p[1], a) > 1) p[3] |= graph_draw(g, 2) << 4 * a;
    if (variant == GRAPH_MAX_3D) p[4] = graph_draw_triple(g, 1, 2);
    if (variant == GRAPH_AVG_3D) {
        p[5] |= graph_draw(g, 2) * 2;
        p[6] = graph_draw(g, 3) ? 0 : 1 + graph_draw(g, 5);
    }
    if (variant == GRAPH_LP_3D) y->f = powers[graph_draw(g, 5)];
    if (!graph_windows_fit(y, x)) return false;
    for (int i = 0, all = graph_elements(g, y->shape); i < all && variant == GRAPH_LP_3D; i++) {
        graph_window_value(g, y, i, &at, &gap);
        if (y->f > 1 && isfinite(y->f) && gap < 0.1) return false; /* the root has no slope there */
    }
    if (variant != GRAPH_UNPOOL_3D) return true;
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        graph_window_value(g, y, i, &at, &gap);
        if (gap < 1e-2) return false; /* a finite difference could exchange them */
    }
    y->shape = x;
    return true;
}
/* Reads x through the second result of y, an index. */
static nn_node *graph_through_index(nn_model *net, nn_node *x, nn_node *y) {
    const nn_shape from = nn_node_shape(x), to = nn_node_shape(y);
    nn_shape flat = from, short_of = to;
    flat.rank = short_of.rank = 3;
    flat.extent[2] = short_of.extent[2] = 1;
    for (int i = 2; i < from.rank; i++)
        flat.extent[2] *= from.extent[i], short_of.extent[2] *= to.extent[i];
    nn_node *index = nn_reshape(net, nn_output(y, 1), short_of);
    return nn_reshape(net, nn_gather(net, nn_reshape(net, x, flat), 2, index), to);
}
static nn_node *graph_build_pool3d(graph *g, nn_model *net, graph_item *y) {
    const int *p = y->p, variant = y->op->variant;
    nn_node *x = IN(0)->node, *to;
    nn_fractional_pool_desc random;
    nn_max_unpool3d_desc back;
    nn_pool3d_desc desc;
    (void)g;
    memset(&desc, 0, sizeof desc), memset(&back, 0, sizeof back);
    memset(&random, 0, sizeof random);
    if (variant != GRAPH_FRACTIONAL_2D)
        x = graph_deep_node(net, x, graph_deep(IN(0)->shape, p[0]));
    GRAPH_THREE(desc, kernel, p[1]), GRAPH_THREE(desc, stride, p[2]);
    GRAPH_THREE_OR_NONE(desc, padding, p[3]);
    desc.ceil = p[5] & 1, desc.count_only_inside = p[5] & 2, desc.divisor = p[6];
    if (variant == GRAPH_MAX_3D) GRAPH_THREE(desc, dilation, p[4]);
    if (variant == GRAPH_LP_3D) desc.padding = desc.padding_h = desc.padding_w = 0;
    GRAPH_THREE(back, kernel, p[1]);
    back.out_d = y->shape.extent[2], back.out_h = y->shape.extent[3],
    back.out_w = y->shape.extent[4];
    GRAPH_THREE(random, kernel, p[1]);
    if (variant == GRAPH_FRACTIONAL_2D) random.kernel = 0; /* which both axes replace */
    random.out_d = variant == GRAPH_FRACTIONAL_2D ? 0 : graph_of(p[7], 0);
    random.out_h = graph_of(p[7], 1), random.out_w = graph_of(p[7], 2);
    if (variant >= GRAPH_FRACTIONAL_3D) random.samples = IN(1)->node;
    switch (variant) {
    case GRAPH_AVG_3D: return nn_avg_pool3d(net, x, &desc);
    case GRAPH_LP_3D: return nn_lp_pool3d(net, x, (float)y->f, &desc);
    case GRAPH_ADAPTIVE_AVG_3D:
        return nn_adaptive_avg_pool3d(net, x, random.out_d, random.out_h, random.out_w);
    case GRAPH_UNPOOL_3D:
        to = nn_max_pool3d(net, x, &desc);
        return nn_max_unpool3d(net, to, nn_output(to, 1), &back);
    case GRAPH_ADAPTIVE_MAX_3D:
        to = nn_adaptive_max_pool3d(net, x, random.out_d, random.out_h, random.out_w);
        break;
    case GRAPH_FRACTIONAL_3D: to = nn_fractional_max_pool3d(net, x, &random); break;
    case GRAPH_FRACTIONAL_2D: to = nn_fractional_max_pool2d(net, x, &random); break;
    default: to = nn_max_pool3d(net, x, &desc); break;
    }
    return p[5] & 4 ? graph_through_index(net, x, to) : to;
}
static void graph_eval_pool3d(graph *g, graph_item *y) {
    int all = graph_elements(g, y->shape), at;
    double gap;
    if (y->op->variant == GRAPH_UNPOOL_3D) {
        graph_item pooled = *y;
        memset(y->v, 0, sizeof(double) * (size_t)all);
        (void)graph_windows_fit(&pooled, y->shape);
        all = graph_elements(g, pooled.shape);
        for (int i = 0; i < all; i++) {
            const double most = graph_window_value(g, &pooled, i, &at, &gap);
            y->v[at] = most;
        }
        return;
    }
    for (int i = 0; i < all; i++) y->v[i] = graph_window_value(g, y, i, &at, &gap);
}
#undef GRAPH_THREE
#undef GRAPH_THREE_OR_NONE

/* ---- filters that are nodes ------------------------------------------------------------------ */

/* variant 0: functional_conv2d, 1: functional_conv_transpose2d: like those layers, with the net's
   own parameters as filters, sometimes with a computed one. */
static bool graph_filters(const graph_item *item) {
    return graph_image(item) && item->shape.extent[0] > 0;
}
static bool graph_choose_with(graph *g, graph_item *y) {
    const bool fits = y->op->variant ? graph_choose_transposed(g, y) : graph_choose_conv2d(g, y);
    if (!fits) return false;
    for (int k = 1; k < y->ins; k++) {
        IN(k)->owned = false;
        snprintf(IN(k)->name, sizeof IN(k)->name, "p%d", y->in[k]);
    }
    for (int tries = 0; tries < 4; tries++) {
        const int other = graph_pick(g, graph_filters);
        if (other >= 0 && nn_same_shape(g->items[other].shape, IN(1)->shape)) y->in[1] = other;
    }
    return true;
}
static nn_node *graph_build_with(graph *g, nn_model *net, graph_item *y) {
    const int *p = y->p;
    nn_node *x = IN(0)->node, *bias = y->ins > 2 ? IN(2)->node : NULL;
    nn_conv_transpose2d_desc back;
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc), memset(&back, 0, sizeof back);
    if (!y->op->variant) {
        desc.stride = p[2], desc.padding = p[3], desc.dilation = p[4], desc.groups = p[5];
        return nn_functional_conv2d(net, x, IN(1)->node, bias, &desc);
    }
    back.stride = p[2], back.padding = p[3], back.output_padding = p[4], back.dilation = p[5];
    back.groups = p[6];
    return nn_functional_conv_transpose2d(net, x, IN(1)->node, bias, &back);
}
static void graph_eval_with(graph *g, graph_item *y) {
    if (y->op->variant) graph_eval_transposed(g, y);
    else graph_eval_conv2d(g, y);
}

/* ---- norms of channels ----------------------------------------------------------------------- */

/* instance_norm, without parameters. */
static double graph_instance_moments(const graph *g, const double *x, int inner, double *mean) {
    double sum = 0, squares = 0;
    for (int i = 0; i < inner; i++) sum = KEEP(sum + x[i]);
    *mean = sum / inner;
    for (int i = 0; i < inner; i++) squares = KEEP(squares + pow(x[i] - *mean, 2));
    return squares / inner;
}
static bool graph_choose_instance(graph *g, graph_item *y) {
    double mean;
    if ((y->in[0] = graph_pick(g, graph_channels)) < 0) return false;
    const nn_shape x = y->shape = IN(0)->shape;
    y->ins = 1;
    if (x.rank < 3 || x.rank > 5) return false;
    for (int i = 2; i < x.rank; i++) /* a shorter one would have no variance */
        if (x.extent[i] < 0) return false;
    const int inner = graph_span(g, x, 2, x.rank), all = graph_elements(g, x);
    for (int i = 0; i < all; i += inner)
        if (graph_instance_moments(g, V(0) + i, inner, &mean) < 0.04) return false;
    return true;
}
static nn_node *graph_build_instance(graph *g, nn_model *net, graph_item *y) {
    return nn_instance_norm(net, y->name, IN(0)->node, NULL);
}
static void graph_eval_instance(graph *g, graph_item *y) {
    const int inner = graph_span(g, y->shape, 2, y->shape.rank), all = graph_elements(g, y->shape);
    double mean, variance = 0;
    for (int i = 0; i < all; i++) {
        if (i % inner == 0) variance = graph_instance_moments(g, V(0) + i, inner, &mean);
        y->v[i] = KEEP((V(0)[i] - mean) / sqrt(variance + 1e-5));
    }
}

/* p[0]: the size. alpha is 0.5, so that the neighbours count. */
static bool graph_choose_response(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_image)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    y->p[0] = 1 + graph_draw(g, 4);
    return true;
}
static nn_node *graph_build_response(graph *g, nn_model *net, graph_item *y) {
    nn_local_response_norm_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.size = y->p[0], desc.alpha = 0.5f, desc.k = 2;
    return nn_local_response_norm(net, IN(0)->node, &desc);
}
static void graph_eval_response(graph *g, graph_item *y) {
    const int plane = graph_span(g, y->shape, 2, 4), C = y->shape.extent[1], size = y->p[0];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        double sum = 0;
        for (int c = i / plane % C - size / 2, k = 0; k < size; k++, c++)
            if (c >= 0 && c < C) sum = KEEP(sum + pow(V(0)[i + (c - i / plane % C) * plane], 2));
        y->v[i] = KEEP(V(0)[i] / KEEP(pow(2 + 0.5 * sum / size, 0.75)));
    }
}

/* ---- joining and splitting ------------------------------------------------------------------- */

/* variant 0: stack with another item of the same shape, or itself, 1: repeat, 2: chunk, 3:
   transpose, 4: expand. p[0]: the axis, p[1] ...: numbers */
static bool graph_choose_pieces(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    const nn_shape x = y->shape = IN(0)->shape;
    int *p = y->p;
    y->ins = 1;
    p[0] = graph_draw(g, x.rank), p[1] = graph_draw(g, x.rank);
    switch (y->op->variant) {
    case 0:
        if (x.rank == NN_MAX_RANK) return false;
        y->ins = 2, y->in[1] = y->in[0];
        for (int i = 0; i < g->count; i++)
            if (g->items[i].kind != GRAPH_LABEL && !g->items[i].owned &&
                nn_same_shape(g->items[i].shape, x) && graph_draw(g, 2))
                y->in[1] = i;
        for (int i = y->shape.rank++; i > p[0]; i--) y->shape.extent[i] = x.extent[i - 1];
        y->shape.extent[p[0]] = 2;
        return true;
    case 1:
        for (int i = 0; i < x.rank; i++) {
            p[i] = 1 + graph_draw(g, 2);
            y->shape.extent[i] = nn_multiply_extents(x.extent[i], p[i]);
        }
        return graph_sample(y->shape) <= GRAPH_ELEMENTS;
    case 2:
        if (x.extent[p[0]] < 2 || x.extent[p[0]] % 2) return false;
        y->shape.extent[p[0]] /= 2;
        p[1] = graph_draw(g, 2);
        return true;
    case 4: /* adds an axis before the others, which are kept or expanded */
        if (x.rank == NN_MAX_RANK) return false;
        y->shape.rank++;
        y->shape.extent[0] = 1 + graph_draw(g, 2);
        for (int i = 0; i < x.rank; i++)
            y->shape.extent[i + 1] = x.extent[i] == 1 ? 1 + graph_draw(g, 3) : x.extent[i];
        return graph_sample(y->shape) <= GRAPH_ELEMENTS;
    default:
        y->shape.extent[p[0]] = x.extent[p[1]], y->shape.extent[p[1]] = x.extent[p[0]];
        return true;
    }
}
static nn_node *graph_build_pieces(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = graph_wide(net, IN(0)->node), *two[2];
    nn_shape times = y->shape;
    nn_nodes both;
    for (int i = 0; i < times.rank; i++) times.extent[i] = y->p[i];
    switch (y->op->variant) {
    case 0:
        two[0] = x, two[1] = graph_wide(net, IN(1)->node);
        both.node = two, both.count = 2;
        return nn_stack(net, both, y->p[0] - y->shape.rank);
    case 1: return nn_repeat(net, IN(0)->node, times);
    case 2:
        nn_chunk(net, IN(0)->node, two, 2, y->p[0]);
        return two[y->p[1]];
    case 4: return nn_expand(net, IN(0)->node, y->shape);
    default: return nn_transpose(net, IN(0)->node, y->p[0], y->p[1]);
    }
}
static void graph_eval_pieces(graph *g, graph_item *y) {
    const nn_shape x = IN(0)->shape, s = y->shape;
    const int *p = y->p;
    for (int i = 0, all = graph_elements(g, s); i < all; i++) {
        int at[NN_MAX_RANK], from[NN_MAX_RANK], rest = i, index = 0, k = 0;
        for (int a = s.rank - 1; a >= 0; rest /= graph_extent(g, s.extent[a]), a--)
            at[a] = from[a] = rest % graph_extent(g, s.extent[a]);
        switch (y->op->variant) {
        case 0:
            k = at[p[0]];
            for (int a = p[0]; a < x.rank; a++) from[a] = at[a + 1];
            break;
        case 1:
            for (int a = 0; a < x.rank; a++) from[a] = at[a] % graph_extent(g, x.extent[a]);
            break;
        case 2: from[p[0]] += p[1] * s.extent[p[0]]; break;
        case 4:
            for (int a = 0; a < x.rank; a++) from[a] = x.extent[a] == 1 ? 0 : at[a + 1];
            break;
        default: from[p[0]] = at[p[1]], from[p[1]] = at[p[0]]; break;
        }
        for (int a = 0; a < x.rank; a++) index = index * graph_extent(g, x.extent[a]) + from[a];
        y->v[i] = V(k)[index];
    }
}

/* ---- volumes with other extents -------------------------------------------------------------- */

/* variant: nn_resize_mode, nearest or linear. p[1]: extents of the result, or by scale_factor f;
   p[2]: align_corners */
static bool graph_choose_deep_resize(graph *g, graph_item *y) {
    nn_shape x;
    if (!graph_pick_volume(g, y, &x)) return false;
    y->f = graph_draw(g, 2) ? 0.0 : 0.75 + 0.75 * graph_draw(g, 2);
    y->p[1] = graph_draw_triple(g, 1, 4);
    y->p[2] = y->op->variant == NN_RESIZE_LINEAR && graph_draw(g, 2);
    for (int i = 0; i < 3; i++) {
        int *e = &y->shape.extent[2 + i];
        *e = y->f > 0 ? (int)(*e * y->f) : graph_of(y->p[1], i);
        if (*e < 1) return false;
    }
    return graph_sample(y->shape) <= GRAPH_ELEMENTS;
}
static nn_node *graph_build_deep_resize(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = graph_deep_node(net, IN(0)->node, graph_deep(IN(0)->shape, y->p[0]));
    nn_resize_desc desc;
    (void)g;
    memset(&desc, 0, sizeof desc);
    desc.mode = (nn_resize_mode)y->op->variant, desc.align_corners = y->p[2] > 0;
    desc.scale_factor = y->f;
    if (!(y->f > 0)) {
        desc.size = graph_of(y->p[1], 0), desc.size_h = graph_of(y->p[1], 1);
        desc.size_w = graph_of(y->p[1], 2);
    }
    return nn_resize(net, x, &desc);
}
static void graph_eval_deep_resize(graph *g, graph_item *y) {
    const nn_shape x = graph_deep(IN(0)->shape, y->p[0]);
    const int *to = y->shape.extent + 2, *from = x.extent + 2;
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        const int o[3] = {i / (to[1] * to[2]) % to[0], i / to[2] % to[1], i % to[2]},
                  plane = i / (to[0] * to[1] * to[2]);
        int at[3][4];
        double w[3][4], sum = 0;
        for (int a = 0; a < 3; a++) graph_resize_axis(g, y, o[a], from[a], to[a], at[a], w[a]);
        for (int k = 0; k < 64; k++) {
            const int d = k / 16, h = k / 4 % 4, c = k % 4;
            const double part = w[0][d] * w[1][h] * w[2][c];
            if (part != 0)
                sum = KEEP(sum + part * V(0)[((plane * from[0] + at[0][d]) * from[1] + at[1][h]) *
                                                 from[2] +
                                             at[2][c]]);
        }
        y->v[i] = sum;
    }
}

/* ---- losses without reduction ---------------------------------------------------------------- */

/* Losses of rows with classes in the last axis. variant 0: multi_margin_loss, 1:
   multilabel_margin_loss, 2: nll_loss, all with labels in[1]; 3: multilabel_soft_margin_loss; 4:
   triplet_margin_loss and 5: cosine_embedding_loss (sides of 1 and -1 in in[2]), with rows that are
   another item or x reversed. p[0]: p; p[1]: the other operand is reversed. */
static bool graph_rows(const graph_item *item) {
    const nn_shape *s = &item->shape;
    return s->rank == 2 && s->extent[1] > 1 && s->extent[1] < 12;
}
static bool graph_choose_rows(graph *g, graph_item *y) {
    const int variant = y->op->variant;
    if ((y->in[0] = graph_pick(g, graph_rows)) < 0) return false;
    const nn_shape x = y->shape = IN(0)->shape;
    const int classes = x.extent[1];
    nn_shape row = x;
    row.rank = y->shape.rank = 1;
    y->p[0] = 1 + graph_draw(g, 2);
    y->ins = 2;
    if (variant < 3) {
        y->in[1] = graph_numbers(g, variant == 1 ? x : row, classes);
        for (int i = 0; y->in[1] >= 0 && i < GRAPH_BATCH * GRAPH_ELEMENTS && variant == 1; i++)
            if (graph_draw(g, 4) == 0) IN(1)->v[i] = -1;
        return y->in[1] >= 0;
    }
    if (variant == 5 && (y->in[2] = graph_numbers(g, row, 2)) < 0) return false;
    y->in[1] = y->in[0];
    for (int i = 0; i < g->count; i++)
        if (g->items[i].kind != GRAPH_LABEL && !g->items[i].owned &&
            nn_same_shape(g->items[i].shape, x) && graph_draw(g, 2))
            y->in[1] = i;
    y->ins = variant == 5 ? 3 : 2;
    /* rows that have a direction */
    for (int r = 0; r < graph_elements(g, row) && variant > 3; r++) {
        double a = 0, b = 0, same = 0, across = 0;
        for (int i = 0; i < classes; i++) {
            const double u = V(0)[r * classes + i], v = V(1)[r * classes + classes - 1 - i];
            a += u * u, b += v * v, same += pow(u - v, 2);
            across += pow(u - V(0)[r * classes + classes - 1 - i], 2);
        }
        if (a < 0.04 || b < 0.04 || same < 0.04 || across < 0.04) return false;
    }
    return true;
}
static nn_node *graph_reversed(nn_model *net, nn_node *x) {
    return nn_flip(net, graph_wide(net, x), NN_AXES(1));
}
static nn_node *graph_build_rows(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = graph_wide(net, IN(0)->node), *other = IN(1)->node, *side;
    nn_multi_margin_desc margin;
    nn_multilabel_margin_desc labels;
    nn_nll_desc nll;
    nn_multilabel_soft_margin_desc soft;
    nn_triplet_margin_desc triplet;
    nn_cosine_embedding_desc cosine;
    memset(&margin, 0, sizeof margin), memset(&labels, 0, sizeof labels);
    memset(&nll, 0, sizeof nll), memset(&soft, 0, sizeof soft);
    memset(&triplet, 0, sizeof triplet), memset(&cosine, 0, sizeof cosine);
    margin.reduction = labels.reduction = nll.reduction = soft.reduction = triplet.reduction =
        cosine.reduction = NN_REDUCTION_NONE;
    margin.p = y->p[0];
    cosine.margin = 0.25f;
    (void)g;
    switch (y->op->variant) {
    case 0: return nn_multi_margin_loss(net, x, other, &margin);
    case 1: return nn_multilabel_margin_loss(net, x, other, &labels);
    case 2: return nn_nll_loss(net, x, other, &nll);
    case 3: return nn_multilabel_soft_margin_loss(net, x, graph_reversed(net, other), &soft);
    case 4:
        return nn_triplet_margin_loss(net, x, graph_reversed(net, other), graph_reversed(net, x),
                                      &triplet);
    default:
        side = nn_offset(net, nn_scale(net, nn_cast(net, IN(2)->node, NN_F32), 2.0f), -1.0f);
        return nn_cosine_embedding_loss(net, x, graph_reversed(net, other), side, &cosine);
    }
}
/* Returns the loss of a row of n numbers x. other: the labels, or the other row; side: 1 or -1. */
static double graph_row_lost(const graph *g, const graph_item *y, const double *x,
                             const double *other, int side, int n) {
    double sum = 0, a = 0, b = 0, near = 0, far = 0;
    int counted = 0;
    switch (y->op->variant) {
    case 0:
        for (int i = 0; i < n; i++)
            if (i != (int)other[0])
                sum = KEEP(sum + pow(fmax(0, 1 + x[i] - x[(int)other[0]]), y->p[0]));
        return KEEP(sum / n);
    case 1:
        while (counted < n && other[counted] >= 0) counted++;
        for (int k = 0; k < counted; k++)
            for (int i = 0; i < n; i++) {
                bool label = false;
                for (int l = 0; l < counted; l++) label = label || i == (int)other[l];
                if (!label) sum = KEEP(sum + fmax(0, 1 - x[(int)other[k]] + x[i]));
            }
        return KEEP(sum / n);
    case 2: return -x[(int)other[0]];
    case 3:
        for (int i = 0; i < n; i++)
            sum = KEEP(sum + graph_unary_of(GRAPH_SOFTPLUS, x[i], 0) - x[i] * other[n - 1 - i]);
        return KEEP(sum / n);
    case 4:
        for (int i = 0; i < n; i++) {
            near = KEEP(near + pow(x[i] - other[n - 1 - i] + 1e-6, 2));
            far = KEEP(far + pow(x[i] - x[n - 1 - i] + 1e-6, 2));
        }
        return KEEP(fmax(0, 1 + sqrt(near) - sqrt(far)));
    default:
        for (int i = 0; i < n; i++) {
            sum = KEEP(sum + x[i] * other[n - 1 - i]);
            a = KEEP(a + x[i] * x[i]), b = KEEP(b + pow(other[n - 1 - i], 2));
        }
        sum = KEEP(sum / sqrt(KEEP((a + 1e-12) * (b + 1e-12))));
        return side > 0 ? KEEP(1 - sum) : fmax(0, KEEP(sum - 0.25));
    }
}
static void graph_eval_rows(graph *g, graph_item *y) {
    const int n = IN(0)->shape.extent[1], each = y->op->variant == 0 || y->op->variant == 2 ? 1 : n;
    for (int r = 0, rows = graph_elements(g, y->shape); r < rows; r++)
        y->v[r] = graph_row_lost(g, y, V(0) + r * n, V(1) + r * each,
                                 y->op->variant == 5 && V(2)[r] > 0 ? 1 : -1, n);
}

/* Losses of elements, of x and another item of its shape, or x reversed along its last axis.
   variant 0: mse_loss, 1: poisson_nll_loss, 2: kl_div of logarithms, 3: margin_ranking_loss with x
   again as target, 4: bce_loss of sigmoid(x) and sigmoid(other) */
static bool graph_choose_elements(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    y->shape = IN(0)->shape;
    y->ins = 2;
    y->in[1] = y->in[0];
    for (int i = 0; i < g->count; i++)
        if (g->items[i].kind != GRAPH_LABEL && !g->items[i].owned &&
            nn_same_shape(g->items[i].shape, y->shape) && graph_draw(g, 2))
            y->in[1] = i;
    return true;
}
static nn_node *graph_build_elements(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = graph_wide(net, IN(0)->node), *other = graph_wide(net, IN(1)->node);
    nn_poisson_nll_desc poisson;
    nn_kl_div_desc divergence;
    nn_margin_ranking_desc ranking;
    nn_bce_desc bce;
    memset(&poisson, 0, sizeof poisson), memset(&divergence, 0, sizeof divergence);
    memset(&ranking, 0, sizeof ranking), memset(&bce, 0, sizeof bce);
    poisson.reduction = divergence.reduction = ranking.reduction = bce.reduction =
        NN_REDUCTION_NONE;
    divergence.log_target = true;
    ranking.margin = 0.25f;
    (void)g;
    other = nn_flip(net, other, NN_AXES(-1));
    switch (y->op->variant) {
    case 0: return nn_mse_loss(net, x, other, &(nn_mse_desc){.reduction = NN_REDUCTION_NONE});
    case 1: return nn_poisson_nll_loss(net, x, other, &poisson);
    case 2: return nn_kl_div(net, x, other, &divergence);
    case 3: return nn_margin_ranking_loss(net, x, other, x, &ranking);
    default: return nn_bce_loss(net, nn_sigmoid(net, x), nn_sigmoid(net, other), &bce);
    }
}
static void graph_eval_elements(graph *g, graph_item *y) {
    const int last = graph_extent(g, y->shape.extent[y->shape.rank - 1]);
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        const double x = V(0)[i], other = V(1)[i / last * last + last - 1 - i % last];
        const double p = KEEP(1 / (1 + exp(-x))), q = 1 / (1 + exp(-other));
        switch (y->op->variant) {
        case 0: y->v[i] = KEEP((x - other) * (x - other)); break;
        case 1: y->v[i] = KEEP(exp(x) - other * x); break;
        case 2: y->v[i] = KEEP(exp(other) * (other - x)); break;
        case 3: y->v[i] = KEEP(fmax(0, 0.25 - x * (x - other))); break;
        default:
            /* 1 - p has few digits where p is close to 1, so f32 may differ much there */
            if (x > 6.9 && x < 20) g->doubtful = true;
            y->v[i] = KEEP(-q * fmax(log(p), -100) - (1 - q) * fmax(log(1 - p), -100));
            break;
        }
    }
}

/* ---- adaptive softmax ------------------------------------------------------------------------ */

/* p[0]: classes, p[1], p[2]: cutoffs (0: only one), p[3]: div_value, p[4]: head_bias. Parameters:
   the head's, then two for each cluster. */
static bool graph_choose_clusters(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_last_known)) < 0) return false;
    nn_shape x = y->shape = IN(0)->shape;
    const int in = x.extent[x.rank - 1];
    int *p = y->p, clusters;
    char part[32];
    p[0] = 4 + graph_draw(g, 3), p[1] = 1 + graph_draw(g, 2);
    p[2] = graph_draw(g, 2) ? p[1] + 1 : 0, p[3] = 1 + graph_draw(g, 2);
    p[4] = !p[2] && graph_draw(g, 2);
    clusters = p[2] ? 2 : 1;
    y->shape.extent[x.rank - 1] = p[0];
    if (in / (clusters == 2 ? p[3] * p[3] : p[3]) < 1) return false;
    if (graph_sample(y->shape) > GRAPH_ELEMENTS || g->count >= GRAPH_ITEMS - 8) return false;
    y->in[1] = graph_own(g, y, "head.weight", NN_SHAPE(p[1] + clusters, in));
    y->ins = 2;
    if (p[4]) y->in[y->ins++] = graph_own(g, y, "head.bias", NN_SHAPE(p[1] + clusters));
    for (int i = 0; i < clusters; i++) {
        const int features = i ? in / (p[3] * p[3]) : in / p[3],
                  end = i + 1 < clusters ? p[2] : p[0];
        snprintf(part, sizeof part, "tail.%d.0.weight", i);
        y->in[y->ins++] = graph_own(g, y, part, NN_SHAPE(features, in));
        snprintf(part, sizeof part, "tail.%d.1.weight", i);
        y->in[y->ins++] = graph_own(g, y, part, NN_SHAPE(end - p[1 + i], features));
    }
    for (int k = 1; k < y->ins; k++)
        if (y->in[k] < 0) return false;
    return true;
}
static nn_node *graph_build_clusters(graph *g, nn_model *net, graph_item *y) {
    nn_adaptive_log_softmax_desc desc;
    memset(&desc, 0, sizeof desc);
    (void)g;
    desc.num_classes = y->p[0], INTEGER_AT(desc.cutoffs, 0) = y->p[1];
    if (y->p[2]) INTEGER_AT(desc.cutoffs, 1) = y->p[2];
    desc.div_value = (float)y->p[3], desc.head_bias = y->p[4];
    return nn_adaptive_log_softmax(net, y->name, IN(0)->node, &desc);
}
/* Computes to[] = matrix x, for a matrix with `rows` rows. */
static void graph_times(const graph *g, double *to, const double *matrix, const double *x, int rows,
                        int in) {
    for (int r = 0; r < rows; r++) {
        to[r] = 0;
        for (int i = 0; i < in; i++) to[r] = KEEP(to[r] + matrix[r * in + i] * x[i]);
    }
}
static void graph_eval_clusters(graph *g, graph_item *y) {
    enum { MOST = 16 };
    const int in = IN(0)->shape.extent[y->shape.rank - 1], clusters = y->p[2] ? 2 : 1,
              first = y->p[1], classes = y->p[0],
              rows = graph_span(g, y->shape, 0, y->shape.rank - 1);
    double head[MOST], low[GRAPH_ELEMENTS], tail[MOST];
    for (int r = 0; r < rows; r++) {
        const double *x = V(0) + r * in;
        double *to = y->v + r * classes;
        graph_times(g, tail, V(1), x, first + clusters, in);
        for (int i = 0; i < first + clusters && y->p[4]; i++) tail[i] += V(2)[i];
        graph_log_softmax(g, head, tail, first + clusters);
        for (int i = 0; i < first; i++) to[i] = head[i];
        for (int c = 0; c < clusters; c++) {
            const int at = 2 + y->p[4] + 2 * c, features = IN(at)->shape.extent[0],
                      count = IN(at + 1)->shape.extent[0];
            double probabilities[MOST];
            graph_times(g, low, V(at), x, features, in);
            graph_times(g, tail, V(at + 1), low, count, features);
            graph_log_softmax(g, probabilities, tail, count);
            for (int i = 0; i < count; i++)
                to[y->p[1 + c] + i] = KEEP(probabilities[i] + head[first + c]);
        }
    }
}

/* ---- others ---------------------------------------------------------------------------------- */

/* p: kernel, stride, padding, output_padding, dilation, groups, bias */
static bool graph_choose_transposed1d(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_line)) < 0) return false;
    const nn_shape x = y->shape = IN(0)->shape;
    int *p = y->p, C = x.extent[1];
    if (x.extent[2] < 1) return false;
    p[0] = 1 + graph_draw(g, 3), p[1] = 1 + graph_draw(g, 3), p[2] = graph_draw(g, 2);
    p[3] = graph_draw(g, p[1]), p[4] = 1 + graph_draw(g, 2);
    p[5] = graph_draw(g, 3) ? 1 : C, p[6] = graph_draw(g, 2);
    const int K = p[5] * (1 + graph_draw(g, 2));
    y->shape.extent[1] = K;
    y->shape.extent[2] = (x.extent[2] - 1) * p[1] - 2 * p[2] + p[4] * (p[0] - 1) + p[3] + 1;
    if (y->shape.extent[2] < 1 || graph_sample(y->shape) > GRAPH_ELEMENTS) return false;
    y->in[1] = graph_own(g, y, "weight", NN_SHAPE(C, K / p[5], p[0]));
    if (p[6]) y->in[2] = graph_own(g, y, "bias", NN_SHAPE(K));
    y->ins = 2 + p[6];
    return y->in[1] >= 0;
}
static nn_node *graph_build_transposed1d(graph *g, nn_model *net, graph_item *y) {
    nn_conv_transpose1d_desc desc;
    memset(&desc, 0, sizeof desc);
    (void)g;
    desc.out_channels = y->shape.extent[1], desc.kernel = y->p[0], desc.stride = y->p[1];
    desc.padding = y->p[2], desc.output_padding = y->p[3], desc.dilation = y->p[4];
    desc.groups = y->p[5], desc.no_bias = !y->p[6];
    return nn_conv_transpose1d(net, y->name, IN(0)->node, &desc);
}
static void graph_eval_transposed1d(graph *g, graph_item *y) {
    const int *p = y->p, C = IN(0)->shape.extent[1], L = IN(0)->shape.extent[2],
              K = y->shape.extent[1], out = y->shape.extent[2], each = C / p[5], to = K / p[5];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        const int o = i % out, k = i / out % K, n = i / out / K;
        double sum = p[6] ? V(2)[k] : 0;
        for (int c = k / to * each; c < (k / to + 1) * each; c++)
            for (int r = 0; r < p[0]; r++) {
                const int l = o + p[2] - r * p[4];
                if (l < 0 || l % p[1] || l / p[1] >= L) continue;
                sum = KEEP(sum +
                           V(0)[(n * C + c) * L + l / p[1]] * V(1)[(c * to + k % to) * p[0] + r]);
            }
        y->v[i] = sum;
    }
}

/* p[0]: align_corners. The affine maps are a parameter. */
static bool graph_choose_affine(graph *g, graph_item *y) {
    if (g->count >= GRAPH_ITEMS - 4) return false;
    y->shape = NN_SHAPE(1 + graph_draw(g, 2), 1 + graph_draw(g, 4), 1 + graph_draw(g, 4), 2);
    y->p[0] = graph_draw(g, 2);
    graph_add(g, GRAPH_PARAMETER, NN_SHAPE(y->shape.extent[0], 2, 3));
    y->in[0] = g->count - 1;
    y->ins = 1;
    return true;
}
static nn_node *graph_build_affine(graph *g, nn_model *net, graph_item *y) {
    return nn_affine_grid(net, IN(0)->node, y->shape.extent[1], y->shape.extent[2], y->p[0]);
}
static void graph_eval_affine(graph *g, graph_item *y) {
    const int H = y->shape.extent[1], W = y->shape.extent[2];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        const int w = i / 2 % W, h = i / 2 / W % H;
        const double *map = V(0) + i / 2 / W / H * 6 + i % 2 * 3;
        const double x = y->p[0] ? W > 1 ? 2.0 * w / (W - 1) - 1 : 0 : (2.0 * w + 1) / W - 1,
                     z = y->p[0] ? H > 1 ? 2.0 * h / (H - 1) - 1 : 0 : (2.0 * h + 1) / H - 1;
        y->v[i] = KEEP(KEEP(map[0] * x) + KEEP(map[1] * z) + map[2]);
    }
}

static bool graph_choose_flatten(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    const nn_shape x = IN(0)->shape;
    int32_t rest = 1;
    y->ins = 1;
    if (x.rank < 2) return false;
    for (int i = 1; i < x.rank; i++) rest = nn_multiply_extents(rest, x.extent[i]);
    y->shape = NN_SHAPE(x.extent[0], rest);
    return rest != 0 && graph_batches(y->shape) < 2;
}
static nn_node *graph_build_flatten(graph *g, nn_model *net, graph_item *y) {
    return nn_flatten(net, IN(0)->node);
}
static nn_node *graph_build_global_mean(graph *g, nn_model *net, graph_item *y) {
    return nn_global_avg_pool2d(net, IN(0)->node);
}

#define GRAPH_VOLUME(name, it, which)                                                              \
    { name, graph_choose_##it, graph_build_##it, graph_eval_##it, which }
#define GRAPH_VOLUMES                                                                              \
    GRAPH_VOLUME("conv3d", conv3d, 0), GRAPH_VOLUME("conv3d", conv3d, 0),                          \
        GRAPH_VOLUME("conv_transpose3d", conv3d, 1),                                               \
        GRAPH_VOLUME("max_pool3d", pool3d, GRAPH_MAX_3D),                                          \
        GRAPH_VOLUME("avg_pool3d", pool3d, GRAPH_AVG_3D),                                          \
        GRAPH_VOLUME("lp_pool3d", pool3d, GRAPH_LP_3D),                                            \
        GRAPH_VOLUME("adaptive_max_pool3d", pool3d, GRAPH_ADAPTIVE_MAX_3D),                        \
        GRAPH_VOLUME("adaptive_avg_pool3d", pool3d, GRAPH_ADAPTIVE_AVG_3D),                        \
        GRAPH_VOLUME("max_unpool3d", pool3d, GRAPH_UNPOOL_3D),                                     \
        GRAPH_VOLUME("fractional_max_pool3d", pool3d, GRAPH_FRACTIONAL_3D),                        \
        GRAPH_VOLUME("fractional_max_pool2d", pool3d, GRAPH_FRACTIONAL_2D),                        \
        GRAPH_VOLUME("functional_conv2d", with, 0),                                                \
        GRAPH_VOLUME("functional_conv_transpose2d", with, 1),                                      \
        GRAPH_VOLUME("resize", deep_resize, NN_RESIZE_NEAREST),                                    \
        GRAPH_VOLUME("resize", deep_resize, NN_RESIZE_LINEAR),                                     \
        GRAPH_VOLUME("instance_norm", instance, 0),                                                \
        GRAPH_VOLUME("local_response_norm", response, 0), GRAPH_VOLUME("stack", pieces, 0),        \
        GRAPH_VOLUME("repeat", pieces, 1), GRAPH_VOLUME("chunk", pieces, 2),                       \
        GRAPH_VOLUME("transpose", pieces, 3), GRAPH_VOLUME("expand", pieces, 4),                   \
        GRAPH_VOLUME("multi_margin_loss", rows, 0),                                                \
        GRAPH_VOLUME("multilabel_margin_loss", rows, 1), GRAPH_VOLUME("nll_loss", rows, 2),        \
        GRAPH_VOLUME("multilabel_soft_margin_loss", rows, 3),                                      \
        GRAPH_VOLUME("triplet_margin_loss", rows, 4),                                              \
        GRAPH_VOLUME("cosine_embedding_loss", rows, 5), GRAPH_VOLUME("mse_loss", elements, 0),     \
        GRAPH_VOLUME("poisson_nll_loss", elements, 1), GRAPH_VOLUME("kl_div", elements, 2),        \
        GRAPH_VOLUME("margin_ranking_loss", elements, 3), GRAPH_VOLUME("bce_loss", elements, 4),   \
        GRAPH_VOLUME("adaptive_log_softmax", clusters, 0),                                         \
        GRAPH_VOLUME("conv_transpose1d", transposed1d, 0), GRAPH_VOLUME("affine_grid", affine, 0), \
        {"flatten", graph_choose_flatten, graph_build_flatten, graph_eval_copy, 0}, {              \
        "global_avg_pool2d", graph_choose_global_max, graph_build_global_mean,                     \
            graph_eval_adaptive, 1                                                                 \
    }
