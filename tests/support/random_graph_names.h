/* random_graph_names.h: the part of random_graph.h for operations with PyTorch's names that are
   made of a few other calls. Included by random_graph.h before its table. */

/* ---- over an axis ---------------------------------------------------------------------------- */

/* variant 0: softmax, 1: log_softmax, 2: softmin over the axis p[0]; 3: softmin over the last; 4:
   glu */
static bool graph_choose_over(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    const nn_shape x = y->shape = IN(0)->shape;
    y->ins = 1;
    y->p[0] = y->op->variant == 3 ? x.rank - 1 : graph_draw(g, x.rank);
    if (y->op->variant < 4) return true;
    if (x.extent[y->p[0]] < 1 || x.extent[y->p[0]] % 2) return false;
    y->shape.extent[y->p[0]] /= 2;
    return true;
}
static nn_node *graph_build_over(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = IN(0)->node;
    const int axis = y->p[0] - (y->p[0] % 2 ? y->shape.rank : 0);
    switch (y->op->variant) {
    case 0: return nn_softmax(net, x, axis);
    case 1: return nn_log_softmax(net, x, axis);
    case 2: return nn_softmin(net, x, axis);
    case 3: return nn_softmin(net, x);
    default: return nn_glu(net, x, axis);
    }
}
static void graph_eval_over(graph *g, graph_item *y) {
    const graph_lines to = graph_lines_of(g, y->shape, y->p[0]),
                      from = graph_lines_of(g, IN(0)->shape, y->p[0]);
    double row[GRAPH_BATCH * GRAPH_ELEMENTS], result[GRAPH_BATCH * GRAPH_ELEMENTS];
    for (int line = 0; line < to.outer * to.inner; line++) {
        for (int k = 0; k < from.length; k++) {
            const double x = V(0)[graph_place(&from, line, k)];
            row[k] = y->op->variant == 2 || y->op->variant == 3 ? -x : x;
        }
        if (y->op->variant < 4) graph_log_softmax(g, result, row, to.length);
        for (int k = 0; k < to.length; k++)
            y->v[graph_place(&to, line, k)] =
                y->op->variant == 1   ? result[k]
                : y->op->variant == 4 ? KEEP(row[k] / (1 + exp(-row[k + to.length])))
                                      : KEEP(exp(result[k]));
    }
}

/* ---- other shapes ---------------------------------------------------------------------------- */

/* p[0]: the axis, p[1]: repeats */
static bool graph_choose_interleave(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    const nn_shape x = y->shape = IN(0)->shape;
    y->ins = 1;
    y->p[0] = graph_draw(g, x.rank), y->p[1] = 1 + graph_draw(g, 3);
    y->shape.extent[y->p[0]] = nn_multiply_extents(x.extent[y->p[0]], y->p[1]);
    return x.rank < NN_MAX_RANK && graph_sample(y->shape) <= GRAPH_ELEMENTS;
}
static nn_node *graph_build_interleave(graph *g, nn_model *net, graph_item *y) {
    return nn_repeat_interleave(net, IN(0)->node, y->p[1], y->p[0]);
}
static void graph_eval_interleave(graph *g, graph_item *y) {
    const graph_lines to = graph_lines_of(g, y->shape, y->p[0]),
                      from = graph_lines_of(g, IN(0)->shape, y->p[0]);
    for (int line = 0; line < to.outer * to.inner; line++)
        for (int k = 0; k < to.length; k++)
            y->v[graph_place(&to, line, k)] = V(0)[graph_place(&from, line, k / y->p[1])];
}

/* variant 0: unflatten into a factor of 1 or 2 and the rest, 1: squeeze of all axes, 2: unsqueeze.
   p[0]: the axis, p[1]: the factor */
static bool graph_choose_wide(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    const nn_shape x = y->shape = IN(0)->shape;
    nn_shape *s = &y->shape;
    const int at = y->p[0] = graph_draw(g, x.rank + (y->op->variant == 2));
    y->ins = 1;
    if (y->op->variant == 1) {
        s->rank = 0;
        for (int i = 0; i < x.rank; i++)
            if (x.extent[i] != 1) s->extent[s->rank++] = x.extent[i];
        for (int i = s->rank; i < NN_MAX_RANK; i++) s->extent[i] = 0;
        return s->rank > 0;
    }
    if (x.rank == NN_MAX_RANK) return false;
    for (int i = s->rank++; i > at; i--) s->extent[i] = x.extent[i - 1];
    s->extent[at] = 1;
    if (y->op->variant == 2) return true;
    y->p[1] = x.extent[at] > 0 && x.extent[at] % 2 == 0 ? 2 : 1;
    s->extent[at] = y->p[1];
    s->extent[at + 1] = x.extent[at] > 0 ? x.extent[at] / y->p[1] : x.extent[at];
    return true;
}
static nn_node *graph_build_wide(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = IN(0)->node;
    const int at = y->p[0];
    if (y->op->variant == 1) return nn_squeeze(net, x, NN_ALL_AXES);
    if (y->op->variant == 2)
        return nn_unsqueeze(net, x, at % 2 ? at - nn_node_shape(x).rank - 1 : at);
    return nn_unflatten(net, x, at, NN_SHAPE(y->p[1], y->shape.extent[at + 1]));
}

/* ---- windows as columns ---------------------------------------------------------------------- */

/* variant 0: unfold, 1: fold of the columns that unfold makes of x. p: kernel, kernel_w, stride,
   padding, dilation */
static int graph_windows_count(const graph_item *y, int extent, int axis) {
    const int *p = y->p;
    return (extent + 2 * p[3] - p[4] * (p[axis] - 1) - 1) / p[2] + 1;
}
static bool graph_choose_windows(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_image)) < 0) return false;
    const nn_shape x = y->shape = IN(0)->shape;
    int *p = y->p;
    y->ins = 1;
    p[0] = 1 + graph_draw(g, 3), p[1] = 1 + graph_draw(g, 2), p[2] = 1 + graph_draw(g, 3);
    p[3] = graph_draw(g, 2), p[4] = 1 + graph_draw(g, 2);
    for (int i = 0; i < 2; i++)
        if (x.extent[2 + i] + 2 * p[3] < p[4] * (p[i] - 1) + 1) return false;
    const nn_shape columns =
        NN_SHAPE(x.extent[0], x.extent[1] * p[0] * p[1],
                 graph_windows_count(y, x.extent[2], 0) * graph_windows_count(y, x.extent[3], 1));
    if (y->op->variant == 0) y->shape = columns;
    return graph_sample(columns) <= GRAPH_ELEMENTS;
}
static nn_node *graph_build_windows(graph *g, nn_model *net, graph_item *y) {
    const int *p = y->p;
    nn_unfold_desc out;
    nn_fold_desc back;
    memset(&out, 0, sizeof out), memset(&back, 0, sizeof back);
    out.kernel = back.kernel = p[0], out.kernel_w = back.kernel_w = p[1];
    out.stride = back.stride = p[2], out.padding = back.padding = p[3];
    out.dilation = back.dilation = p[4];
    if (!y->op->variant) return nn_unfold(net, IN(0)->node, &out);
    back.out_h = y->shape.extent[2], back.out_w = y->shape.extent[3];
    return nn_fold(net, nn_unfold(net, graph_wide(net, IN(0)->node), &out), &back);
}
static void graph_eval_windows(graph *g, graph_item *y) {
    const int *p = y->p, H = IN(0)->shape.extent[2], W = IN(0)->shape.extent[3],
              count_w = graph_windows_count(y, W, 1),
              L = graph_windows_count(y, H, 0) * count_w, places = p[0] * p[1],
              planes = graph_span(g, IN(0)->shape, 0, 2);
    for (int i = 0; i < planes * H * W && y->op->variant; i++) y->v[i] = 0;
    for (int i = 0; i < planes * places * L; i++) {
        const int l = i % L, place = i / L % places, plane = i / L / places,
                  row = l / count_w * p[2] - p[3] + place / p[1] * p[4],
                  column = l % count_w * p[2] - p[3] + place % p[1] * p[4];
        const bool inside = row >= 0 && row < H && column >= 0 && column < W;
        const int at = (plane * H + row) * W + column;
        if (y->op->variant == 0) y->v[i] = inside ? V(0)[at] : 0;
        else if (inside) y->v[at] = KEEP(y->v[at] + V(0)[at]);
    }
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool graph_matrix(const graph_item *item) {
    return item->shape.rank == 2 && item->shape.extent[1] > 0;
}
/* variant 0: lstm, 1: gru, 2: rnn. p[0]: the output, p[1]: H, p[2]: in[1] is the previous state,
   for an lstm also its cell state; otherwise in[1] is x again. in[2] ...: parameters */
static bool graph_choose_cell(graph *g, graph_item *y) {
    static const char *const parts[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};
    const int gates = y->op->variant == 0 ? 4 : y->op->variant == 1 ? 3 : 1;
    if ((y->in[0] = graph_pick(g, graph_matrix)) < 0 || g->count > GRAPH_ITEMS - 10) return false;
    const nn_shape x = IN(0)->shape;
    y->in[1] = graph_pick(g, graph_matrix);
    y->p[0] = y->op->variant == 0 ? graph_draw(g, 2) : 0;
    y->p[2] = y->in[1] >= 0 && IN(1)->shape.extent[0] == x.extent[0] && IN(1)->shape.extent[1] < 5;
    if (!y->p[2]) y->in[1] = y->in[0];
    const int wide = y->p[1] = y->p[2] ? IN(1)->shape.extent[1] : 1 + graph_draw(g, 3);
    y->shape = NN_SHAPE(x.extent[0], wide);
    for (int i = 0; i < 4; i++) {
        nn_shape shape = NN_SHAPE(gates * wide, i ? wide : x.extent[1]);
        if (i > 1) shape.rank = 1, shape.extent[1] = 0;
        if ((y->in[2 + i] = graph_own(g, y, parts[i], shape)) < 0) return false;
    }
    y->ins = 6;
    return true;
}
static nn_node *graph_build_cell(graph *g, nn_model *net, graph_item *y) {
    nn_lstm_cell_desc lstm;
    nn_gru_cell_desc gru;
    nn_rnn_cell_desc rnn;
    memset(&lstm, 0, sizeof lstm), memset(&gru, 0, sizeof gru), memset(&rnn, 0, sizeof rnn);
    lstm.hidden_size = gru.hidden_size = rnn.hidden_size = y->p[1];
    lstm.h_0 = lstm.c_0 = gru.h_0 = rnn.h_0 = y->p[2] ? IN(1)->node : NULL;
    nn_node *x = IN(0)->node;
    if (y->op->variant == 1) return nn_gru_cell(net, y->name, x, &gru);
    if (y->op->variant == 2) return nn_rnn_cell(net, y->name, x, &rnn);
    return nn_output(nn_lstm_cell(net, y->name, x, &lstm), y->p[0]);
}
static void graph_eval_cell(graph *g, graph_item *y) {
    const int N = graph_extent(g, y->shape.extent[0]), C = IN(0)->shape.extent[1], H = y->p[1],
              gates = IN(2)->shape.extent[0] / H;
    for (int n = 0; n < N; n++) {
        double before[4] = {0}, in[4], own[4];
        for (int k = 0; k < H && y->p[2]; k++) before[k] = V(1)[n * H + k];
        for (int k = 0; k < H; k++) {
            for (int i = 0; i < gates; i++) {
                in[i] = graph_gate(g, IN(2), V(0) + n * C, i * H + k, IN(4));
                own[i] = graph_gate(g, IN(3), before, i * H + k, IN(5));
            }
            double *to = &y->v[n * H + k];
            if (y->op->variant == 2) {
                *to = KEEP(tanh(in[0] + own[0]));
            } else if (y->op->variant == 1) {
                const double r = graph_logistic(in[0] + own[0]), z = graph_logistic(in[1] + own[1]);
                *to = KEEP((1 - z) * tanh(in[2] + r * own[2]) + z * before[k]);
            } else {
                const double c =
                    KEEP(graph_logistic(in[1] + own[1]) * before[k] +
                         graph_logistic(in[0] + own[0]) * tanh(in[2] + own[2]));
                *to = y->p[0] ? c : KEEP(graph_logistic(in[3] + own[3]) * tanh(c));
            }
        }
    }
}

/* ---- two inputs ------------------------------------------------------------------------------ */

/* in[1]: an item with the same extents as x except the last, or x again. Parameters: weight,
   bias */
static bool graph_choose_bilinear(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_last_known)) < 0) return false;
    const nn_shape x = y->shape = IN(0)->shape;
    y->in[1] = graph_pick(g, graph_last_known);
    nn_shape other = y->in[1] < 0 ? x : IN(1)->shape;
    const int in1 = x.extent[x.rank - 1];
    int in2 = other.rank ? other.extent[other.rank - 1] : 0;
    if (other.rank) other.extent[other.rank - 1] = in1;
    if (y->in[1] < 0 || !nn_same_shape(other, x)) y->in[1] = y->in[0], in2 = in1;
    nn_shape products = x;
    products.extent[x.rank - 1] = in1 * in2;
    y->shape.extent[x.rank - 1] = 1 + graph_draw(g, 3);
    if (x.rank == NN_MAX_RANK || graph_sample(products) > GRAPH_ELEMENTS) return false;
    const int out = y->shape.extent[x.rank - 1];
    y->in[2] = graph_own(g, y, "weight", NN_SHAPE(out, in1, in2));
    y->in[3] = y->in[2] < 0 ? -1 : graph_own(g, y, "bias", NN_SHAPE(out));
    y->ins = 4;
    return y->in[2] >= 0 && y->in[3] >= 0;
}
static nn_node *graph_build_bilinear(graph *g, nn_model *net, graph_item *y) {
    nn_bilinear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = y->shape.extent[y->shape.rank - 1];
    return nn_bilinear(net, y->name, IN(0)->node, IN(1)->node, &desc);
}
static void graph_eval_bilinear(graph *g, graph_item *y) {
    const int *e = IN(2)->shape.extent, rows = graph_span(g, y->shape, 0, y->shape.rank - 1);
    for (int i = 0; i < rows * e[0]; i++) {
        const int row = i / e[0], o = i % e[0];
        double sum = 0;
        for (int k = 0; k < e[1] * e[2]; k++)
            sum = KEEP(sum + V(0)[row * e[1] + k / e[2]] * V(1)[row * e[2] + k % e[2]] *
                                 V(2)[o * e[1] * e[2] + k]);
        y->v[i] = KEEP(sum + V(3)[o]);
    }
}

/* ---- distances ------------------------------------------------------------------------------- */

/* Distances between the rows of a parameter, which are not close to each other. */
static bool graph_choose_pdist(graph *g, graph_item *y) {
    if (g->count >= GRAPH_ITEMS - 4) return false;
    const int n = 2 + graph_draw(g, 3), m = 2 + graph_draw(g, 2);
    graph_add(g, GRAPH_PARAMETER, NN_SHAPE(n, m));
    y->in[0] = g->count - 1;
    y->ins = 1;
    y->shape = NN_SHAPE(n * (n - 1) / 2);
    for (int i = 0; i < n * n; i++) {
        double sum = 0;
        for (int k = 0; k < m; k++) sum += pow(V(0)[i / n * m + k] - V(0)[i % n * m + k], 2);
        if (i / n != i % n && sum < 0.04) return false;
    }
    return true;
}
static nn_node *graph_build_pdist(graph *g, nn_model *net, graph_item *y) {
    return nn_pdist(net, graph_wide(net, IN(0)->node), 2.0f);
}
static void graph_eval_pdist(graph *g, graph_item *y) {
    const int n = IN(0)->shape.extent[0], m = IN(0)->shape.extent[1];
    for (int a = 0, to = 0; a < n; a++)
        for (int b = a + 1; b < n; b++, to++) {
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum = KEEP(sum + pow(V(0)[a * m + k] - V(0)[b * m + k], 2));
            y->v[to] = KEEP(sqrt(sum));
        }
}

static nn_node *graph_squares_apart(nn_model *net, nn_node *a, nn_node *b, void *user) {
    (void)user;
    return nn_sum(net, nn_squared_difference(net, a, b), NN_AXES(-1));
}
/* Rows of x, each compared with two parameters. */
static bool graph_choose_triplet(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_matrix)) < 0 || g->count >= GRAPH_ITEMS - 5) return false;
    const nn_shape x = IN(0)->shape;
    for (int i = 1; i < 3; i++) {
        graph_add(g, GRAPH_PARAMETER, NN_SHAPE(x.extent[1]));
        y->in[i] = g->count - 1;
    }
    y->ins = 3;
    y->shape = NN_SHAPE(x.extent[0]);
    for (int n = 0; n < graph_extent(g, x.extent[0]); n++) {
        double more = 1.0;
        for (int k = 0; k < x.extent[1]; k++)
            more += pow(V(0)[n * x.extent[1] + k] - V(1)[k], 2) -
                    pow(V(0)[n * x.extent[1] + k] - V(2)[k], 2);
        if (fabs(more) < 0.05) return false;
    }
    return true;
}
static nn_node *graph_build_triplet(graph *g, nn_model *net, graph_item *y) {
    nn_triplet_margin_with_distance_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.reduction = NN_REDUCTION_NONE, desc.distance_function = graph_squares_apart;
    return nn_triplet_margin_with_distance_loss(net, graph_wide(net, IN(0)->node), IN(1)->node,
                                                IN(2)->node, &desc);
}
static void graph_eval_triplet(graph *g, graph_item *y) {
    const int n = graph_extent(g, y->shape.extent[0]), m = IN(1)->shape.extent[0];
    for (int i = 0; i < n; i++) {
        double nearer = 0, farther = 0;
        for (int k = 0; k < m; k++) {
            nearer = KEEP(nearer + pow(V(0)[i * m + k] - V(1)[k], 2));
            farther = KEEP(farther + pow(V(0)[i * m + k] - V(2)[k], 2));
        }
        y->v[i] = KEEP(fmax(0, 1 + nearer - farther));
    }
}

#define GRAPH_NAMES                                                                                \
    GRAPH_VOLUME("softmax_over", over, 0), GRAPH_VOLUME("log_softmax_over", over, 1),              \
        GRAPH_VOLUME("softmin_over", over, 2), GRAPH_VOLUME("softmin", over, 3),                   \
        GRAPH_VOLUME("glu", over, 4), GRAPH_VOLUME("repeat_interleave", interleave, 0),            \
        {"unflatten", graph_choose_wide, graph_build_wide, graph_eval_copy, 0},                    \
        {"squeeze", graph_choose_wide, graph_build_wide, graph_eval_copy, 1},                      \
        {"unsqueeze", graph_choose_wide, graph_build_wide, graph_eval_copy, 2},                    \
        GRAPH_VOLUME("unfold", windows, 0), GRAPH_VOLUME("fold", windows, 1),                      \
        GRAPH_VOLUME("lstm_cell", cell, 0), GRAPH_VOLUME("gru_cell", cell, 1),                     \
        GRAPH_VOLUME("rnn_cell", cell, 2), GRAPH_VOLUME("bilinear", bilinear, 0),                  \
        GRAPH_VOLUME("pdist", pdist, 0),                                                           \
        GRAPH_VOLUME("triplet_margin_with_distance_loss", triplet, 0)
