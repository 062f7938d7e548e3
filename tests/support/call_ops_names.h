/* call_ops_names.h: the part of call_ops.h for operations with PyTorch's names that are made of a
   few other calls. Included by call_ops.h before its table. */

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
    /* a net without free extents has none */
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

/* variant 0: unfold, 1: fold of the windows of a 5 x 4 image. p: kernel, kernel_w, stride,
   padding, dilation, out_h, out_w */
static void call_prepare_windows(call_case *c) {
    int *p = c->p, count[2];
    p[0] = 1 + call_draw(c, 3), p[1] = 1 + call_draw(c, 3), p[2] = 1 + call_draw(c, 3);
    p[3] = call_draw(c, 2), p[4] = 1 + call_draw(c, p[0] > 2 || p[1] > 2 ? 1 : 2);
    p[5] = 5, p[6] = 4;
    for (int i = 0; i < 2; i++)
        count[i] = (p[5 + i] + 2 * p[3] - p[4] * (p[i] - 1) - 1) / p[2] + 1;
    c->count = 1;
    c->shape[0] = NN_SHAPE(call_draw(c, 2) ? NN_BATCH : 1 + call_draw(c, 3), 1 + call_draw(c, 2), 5, 4);
    if (c->op->variant == 0) return;
    c->shape[0] = NN_SHAPE(c->shape[0].extent[0], p[0] * p[1] * (1 + call_draw(c, 2)),
                           count[0] * count[1]);
}
static nn_node *call_build_windows(nn_model *net, const call_case *c, nn_node *const *x) {
    const int *p = c->p;
    nn_unfold_desc out;
    nn_fold_desc back;
    memset(&out, 0, sizeof out), memset(&back, 0, sizeof back);
    out.kernel = back.kernel = p[0], out.kernel_w = back.kernel_w = p[1];
    out.stride = back.stride = p[2], out.padding = back.padding = p[3];
    out.dilation = back.dilation = p[4], back.out_h = p[5], back.out_w = p[6];
    return c->op->variant ? nn_fold(net, x[0], &back) : nn_unfold(net, x[0], &out);
}

/* variant 0: lstm_cell, 1: gru_cell, 2: rnn_cell. Operands: x and, in some cases, the previous
   state, which also serves as the lstm's cell state. p: hidden_size, input_size, no_bias, relu */
static void call_prepare_cell(call_case *c) {
    const int n = call_draw(c, 2) ? NN_BATCH : 1 + call_draw(c, 3);
    int *p = c->p;
    c->count = 1 + call_draw(c, 2);
    p[0] = 1 + call_draw(c, 3), p[2] = call_draw(c, 2), p[3] = call_draw(c, 2);
    c->shape[0] = NN_SHAPE(n, 1 + call_draw(c, 3));
    p[1] = call_draw(c, 2) ? c->shape[0].extent[1] : 0;
    c->shape[1] = NN_SHAPE(n, p[0]);
}
static nn_node *call_build_cell(nn_model *net, const call_case *c, nn_node *const *x) {
    const int *p = c->p;
    nn_lstm_cell_desc lstm;
    nn_gru_cell_desc gru;
    nn_rnn_cell_desc rnn;
    memset(&lstm, 0, sizeof lstm), memset(&gru, 0, sizeof gru), memset(&rnn, 0, sizeof rnn);
    lstm.hidden_size = gru.hidden_size = rnn.hidden_size = p[0];
    lstm.input_size = gru.input_size = rnn.input_size = p[1];
    lstm.no_bias = gru.no_bias = rnn.no_bias = p[2] > 0;
    lstm.h_0 = lstm.c_0 = gru.h_0 = rnn.h_0 = c->count > 1 ? x[1] : NULL;
    lstm.stateful = gru.stateful = rnn.stateful = c->count == 1 && p[2] > 0;
    rnn.nonlinearity = p[3] ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE;
    if (c->op->variant == 0) return nn_lstm_cell(net, "cell", x[0], &lstm);
    if (c->op->variant == 1) return nn_gru_cell(net, "cell", x[0], &gru);
    return nn_rnn_cell(net, "cell", x[0], &rnn);
}

/* p: out_features, in1_features, in2_features, no_bias */
static void call_prepare_bilinear(call_case *c) {
    call_one(c, 1);
    int32_t *last = &c->shape[0].extent[c->p[7] - 1];
    if (*last < 0) *last = 2;
    c->count = 2;
    c->shape[1] = c->shape[0];
    c->shape[1].extent[c->p[7] - 1] = 1 + call_draw(c, 4);
    c->p[0] = 1 + call_draw(c, 3), c->p[3] = call_draw(c, 2);
    c->p[1] = call_draw(c, 2) ? *last : 0, c->p[2] = 0;
}
static nn_node *call_build_bilinear(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_bilinear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = c->p[0], desc.in1_features = c->p[1], desc.in2_features = c->p[2];
    desc.no_bias = c->p[3] > 0;
    return nn_bilinear(net, "layer", x[0], x[1], &desc);
}

/* f: p - 1 */
static void call_prepare_pdist(call_case *c) {
    c->count = 1;
    c->shape[0] = NN_SHAPE(2 + call_draw(c, 4), 1 + call_draw(c, 3));
    c->f = (float)call_draw(c, 3);
}
static nn_node *call_build_pdist(nn_model *net, const call_case *c, nn_node *const *x) {
    return nn_pdist(net, x[0], c->f + 1.0f);
}

/* A distance function for triplets: returns the distance between the sums of rows. */
static nn_node *call_sums_apart(nn_model *net, nn_node *a, nn_node *b, void *user) {
    (void)user;
    return nn_abs(net, nn_sum(net, nn_subtract(net, a, b), NN_AXES(-1)));
}
/* p: the reduction, swap, own distance function; f: the margin */
static void call_prepare_triplet(call_case *c) {
    call_one(c, 1);
    c->count = 3;
    c->shape[1] = c->shape[2] = c->shape[0];
    c->p[0] = call_reduction(c), c->p[1] = call_draw(c, 2), c->p[2] = call_draw(c, 2);
    c->f = 0.5f * (float)call_draw(c, 4);
}
static nn_node *call_build_triplet(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_triplet_margin_with_distance_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.reduction = (nn_reduction)c->p[0], desc.swap = c->p[1] > 0, desc.margin = c->f;
    desc.distance_function = c->p[2] > 0 ? call_sums_apart : NULL;
    return nn_triplet_margin_with_distance_loss(net, x[0], x[1], x[2], &desc);
}

/* variant 0: quantize_even, 1: quantized_linear, 2: quantized_lstm, 3: quantized_conv2d. p:
   outputs, no_bias, zero points or reverse, whether the number of inputs is said, whether first
   states are given; of a convolution the kernel, the stride and the padding */
static void call_prepare_quantized(call_case *c) {
    int *p = c->p;
    call_one(c, c->op->variant ? 1 : 0);
    if (c->op->variant) c->dtype[0] = NN_I8;
    if (c->op->variant == 2)
        c->shape[0] = NN_SHAPE(call_draw(c, 2) ? NN_BATCH : 2, call_draw(c, 2) ? NN_TIME : 3,
                               1 + call_draw(c, 4));
    if (c->op->variant == 3)
        c->shape[0] = NN_SHAPE(call_draw(c, 2) ? NN_BATCH : 2, 1 + call_draw(c, 4),
                               3 + call_draw(c, 4), 3 + call_draw(c, 4));
    int32_t *last = &c->shape[0].extent[c->shape[0].rank - 1];
    if (c->op->variant && *last < 0) *last = 2;
    c->count = 2;
    c->shape[1] = NN_SHAPE(2);
    p[0] = 1 + call_draw(c, 3), p[1] = call_draw(c, 2), p[2] = call_draw(c, 2);
    p[3] = call_draw(c, 2) && c->op->variant ? *last : 0;
    p[4] = call_draw(c, 3);
    if (c->op->variant == 3)
        p[3] = 1 + call_draw(c, 3), p[4] = 1 + call_draw(c, 2), p[5] = call_draw(c, p[3]);
    if (c->op->variant != 2) return;
    for (int i = 0; i < p[4]; i++) c->shape[c->count++] = NN_SHAPE(c->shape[0].extent[0], p[0]);
}
static nn_node *call_build_quantized(nn_model *net, const call_case *c, nn_node *const *x) {
    const int *p = c->p;
    nn_quantized_linear_desc linear;
    nn_quantized_lstm_desc lstm;
    nn_quantized_conv2d_desc conv;
    memset(&conv, 0, sizeof conv);
    conv.out_channels = p[0], conv.bias = p[1] > 0;
    conv.kernel = p[3], conv.stride = p[4], conv.padding = p[5];
    memset(&linear, 0, sizeof linear), memset(&lstm, 0, sizeof lstm);
    linear.out_features = lstm.hidden_size = p[0];
    linear.no_bias = lstm.no_bias = p[1] > 0;
    linear.weight_zero_points = lstm.reverse = p[2] > 0;
    linear.in_features = lstm.input_size = p[3];
    if (c->count > 2) lstm.h_0 = x[2];
    if (c->count > 3) lstm.c_0 = x[3];
    switch (c->op->variant) {
    case 0: return nn_quantize_even(net, x[0], x[1]);
    case 1: return nn_quantized_linear(net, "layer", x[0], x[1], &linear);
    case 3: return nn_quantized_conv2d(net, "layer", x[0], x[1], &conv);
    default: return nn_quantized_lstm(net, "layer", x[0], x[1], &lstm);
    }
}

#define CALL_NAMED(name, it, which, layer)                                                         \
    { name, call_prepare_##it, call_build_##it, NULL, which, layer }
#define CALL_NAMES                                                                                 \
    CALL_NAMED("softmax_over", over, 0, false), CALL_NAMED("log_softmax_over", over, 1, false),    \
        CALL_NAMED("softmin_over", over, 2, false), CALL_NAMED("softmin", over, 3, false),         \
        CALL_NAMED("glu", over, 4, false), CALL_NAMED("repeat_interleave", wide, 0, false),        \
        CALL_NAMED("unflatten", wide, 1, false), CALL_NAMED("squeeze", wide, 2, false),            \
        CALL_NAMED("unsqueeze", wide, 3, false), CALL_NAMED("unfold", windows, 0, false),          \
        CALL_NAMED("fold", windows, 1, false), CALL_NAMED("lstm_cell", cell, 0, false),            \
        CALL_NAMED("gru_cell", cell, 1, false), CALL_NAMED("rnn_cell", cell, 2, false),            \
        CALL_NAMED("quantize_even", quantized, 0, false),                                    \
        CALL_NAMED("quantized_linear", quantized, 1, false),                                       \
        CALL_NAMED("quantized_lstm", quantized, 2, false),                                         \
        CALL_NAMED("quantized_conv2d", quantized, 3, false),                                       \
        CALL_NAMED("bilinear", bilinear, 0, false), CALL_NAMED("pdist", pdist, 0, false),          \
        CALL_NAMED("triplet_margin_with_distance_loss", triplet, 0, false)
