/* call_ops_names.h: the part of call_ops.h about operations that are a few calls of others, under
   PyTorch's names. Included by it, before its table. */

/* variant 0: softmax, 1: log_softmax, 2: softmin over the axis p[0]; 3: softmin over the last; 4:
   glu */
static void call_prepare_over(call_case *c) {
    call_one(c, 1);
    if (c->op->variant == 4) c->shape[0].extent[call_axis(c)] = 2 * (1 + call_draw(c, 2));
}
static nn_node *call_build_over(nn_model *net, const call_case *c, nn_node *const *x) {
    switch (c->op->variant) {
    case 0: return nn_softmax(net, x[0], c->p[0]);
    case 1: return nn_log_softmax(net, x[0], c->p[0]);
    case 2: return nn_softmin(net, x[0], c->p[0]);
    case 3: return nn_softmin(net, x[0]);
    default: return nn_glu(net, x[0], c->p[0]);
    }
}

/* variant 0: repeat_interleave, 1: unflatten into p[1] and p[2], 2: squeeze, 3: unsqueeze */
static void call_prepare_wide(call_case *c) {
    call_one(c, 1);
    call_any_dtype(c);
    const int at = call_axis(c);
    c->p[1] = 1 + call_draw(c, 3);
    c->p[2] = c->shape[0].extent[at] < 0 ? c->shape[0].extent[at] : 1 + call_draw(c, 2);
    if (c->op->variant == 1)
        c->shape[0].extent[at] = nn_multiply_extents(c->p[2], c->p[1]);
    if (c->op->variant == 2 && call_draw(c, 2)) c->shape[0].extent[at] = 1;
}
static nn_node *call_build_wide(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_shape sizes = NN_SHAPE(c->p[1], c->p[2]);
    /* the net with numbers alone has none that are free */
    for (int i = 0; i < 2 && nn__free_extents(nn_node_shape(x[0]), NN__OF_BATCH | NN__OF_TIME) == 0;
         i++)
        sizes.extent[i] = nn__resolve_extent(sizes.extent[i], CALL_BATCH, CALL_TIME);
    switch (c->op->variant) {
    case 0: return nn_repeat_interleave(net, x[0], c->p[1], c->p[0]);
    case 1: return nn_unflatten(net, x[0], c->p[0], sizes);
    case 2: return nn_squeeze(net, x[0], NN_AXES(c->p[0]));
    default: return nn_unsqueeze(net, x[0], c->p[0]);
    }
}

#define CALL_NAMED(name, it, which, layer)                                                         \
    { name, call_prepare_##it, call_build_##it, NULL, which, layer }
#define CALL_NAMES                                                                                 \
    CALL_NAMED("softmax_over", over, 0, false), CALL_NAMED("log_softmax_over", over, 1, false),    \
        CALL_NAMED("softmin_over", over, 2, false), CALL_NAMED("softmin", over, 3, false),         \
        CALL_NAMED("glu", over, 4, false), CALL_NAMED("repeat_interleave", wide, 0, false),        \
        CALL_NAMED("unflatten", wide, 1, false), CALL_NAMED("squeeze", wide, 2, false),            \
        CALL_NAMED("unsqueeze", wide, 3, false)
