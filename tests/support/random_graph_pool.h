/* random_graph_pool.h: the part of random_graph.h for LP pools, maxima over planes, and max_unpool.
   Included by random_graph.h before its table. */

/* The windows of a plane; a line is a plane of one row. */
typedef struct graph_windows {
    int planes, h, w, oh, ow, kh, kw, sh, sw;
} graph_windows;
/* p: kernel, stride */
static graph_windows graph_windows_of(const graph *g, nn_shape x, nn_shape y, const int *p) {
    graph_windows of;
    const bool line = x.rank == 3;
    of.planes = graph_extent(g, x.extent[0]) * x.extent[1];
    of.h = line ? 1 : x.extent[2];
    of.oh = line ? 1 : y.extent[2];
    of.w = graph_extent(g, x.extent[line ? 2 : 3]);
    of.ow = graph_extent(g, y.extent[line ? 2 : 3]);
    of.kw = p[0], of.sw = p[1];
    of.kh = line ? 1 : p[0], of.sh = line ? 1 : p[1];
    return of;
}
/* Fills in to[] with the places of x in window `at` of y; returns their number. */
static int graph_window(const graph_windows *of, int at, int *to) {
    const int plane = at / (of->oh * of->ow), top = at / of->ow % of->oh * of->sh,
              left = at % of->ow * of->sw;
    int count = 0;
    for (int h = top; h < top + of->kh && h < of->h; h++)
        for (int w = left; w < left + of->kw && w < of->w; w++)
            to[count++] = (plane * of->h + h) * of->w + w;
    return count;
}
enum { GRAPH_WINDOW = 9 };

/* p[0]: the kernel, at most 3, p[1]: the stride, p[2]: the last window may extend past the end.
   Computes the extents of y; false: no window fits, or a free extent would not stay a multiple. */
static bool graph_pooled(graph_item *y, nn_shape x) {
    y->shape = x;
    for (int i = 2; i < x.rank; i++) {
        const int32_t extent = x.extent[i], kernel = y->p[0], stride = y->p[1];
        if (extent < 0) {
            if (kernel != stride || nn__extent_factor(extent) % stride ||
                !nn__extent_make(nn__extent_factor(extent) / stride, nn__extent_kind(extent),
                                 &y->shape.extent[i]))
                return false;
            continue;
        }
        y->shape.extent[i] = graph_pool_extent(extent, kernel, stride, 0, y->p[2] != 0);
        if (!y->shape.extent[i]) return false;
    }
    return true;
}

/* variant 0: lines, 1: planes. f: the power. A power of negative numbers may be NaN, and float
   cannot represent the slope of a root close to 0. */
static double graph_lp_sum(const graph *g, graph_item *y, const graph_windows *of, int at) {
    int places[GRAPH_WINDOW];
    const int count = graph_window(of, at, places);
    double sum = 0, most = -INFINITY, least = INFINITY;
    for (int i = 0; i < count; i++) {
        const double x = V(0)[places[i]];
        sum = KEEP(sum + KEEP(pow(x, y->f)));
        most = fmax(most, fabs(x));
        least = fmin(least, fabs(x));
    }
    return isfinite(y->f) ? KEEP(KEEP(sum / count) * of->kh * of->kw) : y->f > 0 ? most : least;
}
static bool graph_choose_lp(graph *g, graph_item *y) {
    const double powers[] = {1, 2, 2, 3, INFINITY, -INFINITY};
    if ((y->in[0] = graph_pick(g, y->op->variant ? graph_image : graph_line)) < 0) return false;
    const nn_shape x = IN(0)->shape;
    y->ins = 1;
    y->p[0] = 1 + graph_draw(g, 3), y->p[1] = 1 + graph_draw(g, 3), y->p[2] = graph_draw(g, 2);
    if (x.extent[2] < 0) y->p[1] = y->p[0];
    y->f = powers[graph_draw(g, 6)];
    if (!graph_pooled(y, x) || graph_sample(y->shape) > GRAPH_ELEMENTS) return false;
    const graph_windows of = graph_windows_of(g, x, y->shape, y->p);
    for (int i = 0; i < of.planes * of.oh * of.ow && y->f > 1 && isfinite(y->f); i++)
        if (graph_lp_sum(g, y, &of, i) < 0.1) return false;
    return true;
}
static nn_node *graph_build_lp(graph *g, nn_model *net, graph_item *y) {
    nn_pool1d_desc line;
    nn_pool2d_desc plane;
    (void)g;
    memset(&line, 0, sizeof line);
    memset(&plane, 0, sizeof plane);
    line.kernel = plane.kernel = y->p[0], line.stride = plane.stride = y->p[1];
    line.ceil = plane.ceil = y->p[2] != 0;
    return y->op->variant ? nn_lp_pool2d(net, IN(0)->node, (float)y->f, &plane)
                          : nn_lp_pool1d(net, IN(0)->node, (float)y->f, &line);
}
static void graph_eval_lp(graph *g, graph_item *y) {
    const graph_windows of = graph_windows_of(g, IN(0)->shape, y->shape, y->p);
    for (int i = 0; i < of.planes * of.oh * of.ow; i++) {
        const double sum = graph_lp_sum(g, y, &of, i);
        y->v[i] = isfinite(y->f) ? KEEP(pow(sum, 1 / y->f)) : sum;
    }
}

static bool graph_choose_global_max(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_image)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    y->shape.extent[2] = y->shape.extent[3] = 1;
    return true;
}
static nn_node *graph_build_global_max(graph *g, nn_model *net, graph_item *y) {
    return nn_global_max_pool2d(net, IN(0)->node);
}
static void graph_eval_global_max(graph *g, graph_item *y) {
    const int plane = graph_span(g, IN(0)->shape, 2, 4);
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        y->v[i] = V(0)[i * plane];
        for (int k = 1; k < plane; k++) y->v[i] = fmax(y->v[i], V(0)[i * plane + k]);
    }
}

/* Variants 0 (lines) and 1 (planes) put the maxima of windows, which do not overlap, back in their
   places. Variants 2 (lines) and 3 (planes) put numbers in the places that in[1] gives. p[0]: the
   kernel, p[1]: the stride. */
static bool graph_choose_unpool(graph *g, graph_item *y) {
    const bool given = y->op->variant >= 2;
    int places[GRAPH_WINDOW], out = 1, in = 1;
    if ((y->in[0] = graph_pick(g, y->op->variant & 1 ? graph_image : graph_line)) < 0) return false;
    const nn_shape x = y->shape = IN(0)->shape;
    y->ins = 1 + given;
    y->p[0] = 1 + graph_draw(g, 3), y->p[1] = y->p[0] + graph_draw(g, 2);
    if (x.extent[2] < 0) y->p[1] = y->p[0];
    if (!given) {
        graph_item pooled = *y;
        if (!graph_pooled(&pooled, x)) return false;
        const graph_windows of = graph_windows_of(g, x, pooled.shape, y->p);
        for (int i = 0; i < of.planes * of.oh * of.ow; i++) {
            const int count = graph_window(&of, i, places);
            double most = -INFINITY, second = -INFINITY;
            for (int k = 0; k < count; k++) {
                const double v = V(0)[places[k]];
                second = v > most ? most : fmax(second, v);
                most = fmax(most, v);
            }
            if (most - second < 1e-2) return false; /* a finite difference could exchange
                                                       them */
        }
        return true;
    }
    for (int i = 2; i < x.rank; i++) {
        if (x.extent[i] < 0) return false;
        y->shape.extent[i] = (x.extent[i] - 1) * y->p[1] + y->p[0];
        in *= x.extent[i], out *= y->shape.extent[i];
    }
    if (graph_sample(y->shape) > GRAPH_ELEMENTS) return false;
    if ((y->in[1] = graph_numbers(g, x, out)) < 0) return false;
    const int back = graph_draw(g, 2), first = graph_draw(g, out);
    for (int i = 0; i < GRAPH_BATCH * GRAPH_ELEMENTS; i++) /* each place of a plane once */
        IN(1)->v[i] = (first + (back ? out - i % in : i % in)) % out;
    return true;
}
static nn_node *graph_build_unpool(graph *g, nn_model *net, graph_item *y) {
    const bool given = y->op->variant >= 2, line = !(y->op->variant & 1);
    nn_max_unpool1d_desc line_back;
    nn_max_unpool2d_desc back;
    nn_pool1d_desc line_pool;
    nn_pool2d_desc pool;
    nn_node *x = IN(0)->node, *index;
    (void)g;
    memset(&line_back, 0, sizeof line_back), memset(&back, 0, sizeof back);
    memset(&line_pool, 0, sizeof line_pool), memset(&pool, 0, sizeof pool);
    line_back.kernel = back.kernel = line_pool.kernel = pool.kernel = y->p[0];
    line_back.stride = back.stride = line_pool.stride = pool.stride = y->p[1];
    if (given) {
        index = IN(1)->node;
    } else {
        x = line ? nn_max_pool1d(net, x, &line_pool) : nn_max_pool2d(net, x, &pool);
        index = nn_output(x, 1);
        back.out_h = y->shape.extent[2], back.out_w = y->shape.extent[3];
        line_back.out = y->shape.extent[2] < 0 ? 0 : y->shape.extent[2];
    }
    return line ? nn_max_unpool1d(net, x, index, &line_back)
                : nn_max_unpool2d(net, x, index, &back);
}
static void graph_eval_unpool(graph *g, graph_item *y) {
    const nn_shape x = IN(0)->shape;
    int places[GRAPH_WINDOW];
    memset(y->v, 0, sizeof(double) * (size_t)graph_elements(g, y->shape));
    if (y->op->variant >= 2) {
        const int in = graph_span(g, x, 2, x.rank), out = graph_span(g, y->shape, 2, x.rank);
        for (int i = 0, all = graph_elements(g, x); i < all; i++)
            y->v[i / in * out + (int)V(1)[i]] = V(0)[i];
        return;
    }
    graph_item pooled = *y;
    (void)graph_pooled(&pooled, x);
    const graph_windows of = graph_windows_of(g, x, pooled.shape, y->p);
    for (int i = 0; i < of.planes * of.oh * of.ow; i++) {
        const int count = graph_window(&of, i, places);
        int best = places[0];
        for (int k = 1; k < count; k++)
            if (V(0)[places[k]] > V(0)[best]) best = places[k];
        y->v[best] = V(0)[best];
    }
}

/* ---- dropouts that keep everything: their masks select every number -------------------------- */

enum { GRAPH_DROPOUT, GRAPH_DROPOUT_1D, GRAPH_DROPOUT_2D, GRAPH_DROPOUT_3D, GRAPH_ALPHA_DROPOUT,
       GRAPH_FEATURE_ALPHA_DROPOUT };
static bool graph_choose_dropout(graph *g, graph_item *y) {
    static const int least[] = {1, 3, 3, 5, 1, 2}, most[] = {6, 3, 4, 5, 6, 6};
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    return y->shape.rank >= least[y->op->variant] && y->shape.rank <= most[y->op->variant];
}
static nn_node *graph_build_dropout(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = IN(0)->node;
    (void)g;
    switch (y->op->variant) {
    case GRAPH_DROPOUT: return nn_dropout(net, x, 0);
    case GRAPH_DROPOUT_1D: return nn_dropout1d(net, x, 0);
    case GRAPH_DROPOUT_2D: return nn_dropout2d(net, x, 0);
    case GRAPH_DROPOUT_3D: return nn_dropout3d(net, x, 0);
    case GRAPH_ALPHA_DROPOUT: return nn_alpha_dropout(net, x, 0);
    default: return nn_feature_alpha_dropout(net, x, 0);
    }
}
