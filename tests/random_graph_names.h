/* random_graph_names.h: the part of random_graph.h about operations that are a few calls of others,
   under PyTorch's names. Included by it, before its table. */

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

/* variant 0: unflatten into a factor of 1 or 2 and what is left, 1: squeeze of all axes, 2:
   unsqueeze. p[0]: the axis, p[1]: the factor */
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

#define GRAPH_NAMES                                                                                \
    GRAPH_VOLUME("softmax_over", over, 0), GRAPH_VOLUME("log_softmax_over", over, 1),              \
        GRAPH_VOLUME("softmin_over", over, 2), GRAPH_VOLUME("softmin", over, 3),                   \
        GRAPH_VOLUME("glu", over, 4), GRAPH_VOLUME("repeat_interleave", interleave, 0),            \
        {"unflatten", graph_choose_wide, graph_build_wide, graph_eval_copy, 0},                    \
        {"squeeze", graph_choose_wide, graph_build_wide, graph_eval_copy, 1},                      \
        {"unsqueeze", graph_choose_wide, graph_build_wide, graph_eval_copy, 2}
