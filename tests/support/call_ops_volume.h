/* call_ops_volume.h: the part of call_ops.h for operations without an immediate call: volumes,
   filters that are nodes, pools at random places, losses over several classes, metrics. Included by
   call_ops.h before its table. */

/* ---- volumes --------------------------------------------------------------------------------- */

/* variant 0: conv3d, 1: conv_transpose3d. p: kernel, kernel_h, stride, padding, output_padding or
   padding_mode, dilation, groups, out_channels */
static void call_prepare_conv3d(call_case *c) {
    int *p = c->p;
    p[0] = 1 + call_draw(c, 3), p[1] = call_draw(c, 3), p[2] = call_draw(c, 3);
    p[3] = call_draw(c, 2), p[4] = call_draw(c, 3), p[5] = call_draw(c, 3);
    p[6] = 1 + call_draw(c, 2), p[7] = p[6] * (1 + call_draw(c, 2));
    c->count = 1;
    c->shape[0] = NN_SHAPE(NN_BATCH, p[6] * (1 + call_draw(c, 2)), 2 + call_draw(c, 4),
                           2 + call_draw(c, 4), 2 + call_draw(c, 4));
}
static nn_node *call_build_conv3d(nn_model *net, const call_case *c, nn_node *const *x) {
    const int *p = c->p;
    nn_conv_transpose3d_desc back;
    nn_conv3d_desc desc;
    memset(&desc, 0, sizeof desc), memset(&back, 0, sizeof back);
    desc.kernel = back.kernel = p[0], desc.kernel_h = back.kernel_h = p[1];
    desc.stride = back.stride = p[2], desc.padding = back.padding = p[3];
    desc.padding_mode = (nn_padding_mode)p[4], back.output_padding = p[4];
    desc.dilation = back.dilation = p[5], desc.groups = back.groups = p[6];
    desc.out_channels = back.out_channels = p[7];
    desc.same = p[4] < 0, desc.no_bias = back.no_bias = p[7] > 1;
    return c->op->variant ? nn_conv_transpose3d(net, "layer", x[0], &back)
                          : nn_conv3d(net, "layer", x[0], &desc);
}

/* variant 0: adaptive_max_pool3d, 1: adaptive_avg_pool3d, 2: lp_pool3d with the power f */
static void call_prepare_pools3d(call_case *c) {
    c->count = 1;
    c->shape[0] = NN_SHAPE(NN_BATCH, 1 + call_draw(c, 3), 1 + call_draw(c, 5), 1 + call_draw(c, 5),
                           1 + call_draw(c, 5));
    for (int i = 0; i < 3; i++) c->p[i] = call_draw(c, 4) ? 1 + call_draw(c, 3) : NN_NONE;
    c->f = 1.0f + (float)call_draw(c, 3);
    if (c->op->variant < 2) return;
    c->p[0] = 1 + call_draw(c, 2), c->p[1] = call_draw(c, 2), c->p[2] = call_draw(c, 2);
    for (int i = 2; i < 5; i++) c->shape[0].extent[i]++;
}
static nn_node *call_build_pools3d(nn_model *net, const call_case *c, nn_node *const *x) {
    const int *p = c->p;
    nn_pool3d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = p[0], desc.kernel_w = p[1], desc.stride_h = p[2], desc.padding = p[3];
    desc.ceil = p[4] > 0, desc.divisor = p[5], desc.dilation = p[6];
    switch (c->op->variant) {
    case 0: return nn_adaptive_max_pool3d(net, x[0], p[0], p[1], p[2]);
    case 1: return nn_adaptive_avg_pool3d(net, x[0], p[0], p[1], p[2]);
    default: return nn_lp_pool3d(net, x[0], c->f, &desc);
    }
}

/* p: kernel, stride, padding, out_d minus the formula's value. The indices are all 0. */
static void call_prepare_unpool3d(call_case *c) {
    int *p = c->p;
    p[0] = 1 + call_draw(c, 3), p[1] = call_draw(c, 3), p[2] = call_draw(c, 2) * (p[0] / 2);
    p[3] = call_draw(c, 2) && p[1] != 1 ? 1 : 0;
    c->count = 2;
    c->shape[0] = NN_SHAPE(NN_BATCH, 1 + call_draw(c, 2), 2 + call_draw(c, 2), 2 + call_draw(c, 2),
                           2 + call_draw(c, 2));
    c->shape[1] = c->shape[0];
    c->dtype[1] = NN_I32;
}
static nn_node *call_build_unpool3d(nn_model *net, const call_case *c, nn_node *const *x) {
    const int *p = c->p, stride = p[1] ? p[1] : p[0];
    nn_max_unpool3d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = p[0], desc.stride = p[1], desc.padding = p[2];
    if (p[3])
        desc.out_d = (int)(((int64_t)c->shape[0].extent[2] - 1) * stride - 2 * (int64_t)p[2] +
                           p[0] + p[3]);
    return nn_max_unpool3d(net, x[0], x[1], &desc);
}

/* variant: number of spatial dimensions, 2 or 3. p: kernel, kernel_h, out_d, out_h, out_w; in some
   cases the random numbers are an operand. f: the ratio, if no extents are given. */
static void call_prepare_fractional(call_case *c) {
    const int dims = c->op->variant;
    nn_shape *x = &c->shape[0];
    *x = NN_SHAPE(NN_BATCH, 1 + call_draw(c, 3), 4 + call_draw(c, 3), 4 + call_draw(c, 3));
    if (dims == 3) x->extent[x->rank++] = 4 + call_draw(c, 3);
    c->p[0] = 1 + call_draw(c, 2), c->p[1] = call_draw(c, 3);
    if (call_draw(c, 3)) for (int i = 5 - dims; i < 5; i++) c->p[i] = 1 + call_draw(c, 3);
    else c->f = 0.5f;
    c->count = 1 + call_draw(c, 2);
    c->shape[1] = NN_SHAPE(NN_BATCH, x->extent[1], dims);
}
static nn_node *call_build_fractional(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_fractional_pool_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = c->p[0], desc.kernel_h = c->p[1], desc.out_d = c->p[2], desc.out_h = c->p[3];
    desc.out_w = c->p[4], desc.ratio = c->f, desc.samples = c->count > 1 ? x[1] : NULL;
    return c->op->variant == 2 ? nn_fractional_max_pool2d(net, x[0], &desc)
                               : nn_fractional_max_pool3d(net, x[0], &desc);
}

/* ---- filters that are nodes ------------------------------------------------------------------ */

/* variant 0: functional_conv2d, 1: functional_conv_transpose2d. p: stride, padding, dilation,
   groups, kernel, out_channels (0: the weight's), padding_mode */
static void call_prepare_filters(call_case *c) {
    int groups = 1 + call_draw(c, 2), *p = c->p;
    int in = groups * (1 + call_draw(c, 2)), out = groups * (1 + call_draw(c, 2));
    const int kernel = 1 + call_draw(c, 3), wide = 1 + call_draw(c, 3);
    p[0] = call_draw(c, 3), p[1] = call_draw(c, 2), p[2] = call_draw(c, 3), p[3] = groups;
    p[4] = call_draw(c, 2) * kernel, p[5] = call_draw(c, 2) * out;
    p[6] = c->op->variant ? 0 : call_draw(c, 4);
    c->count = 2 + call_draw(c, 2);
    c->shape[0] = NN_SHAPE(NN_BATCH, in, 4 + call_draw(c, 3), 4 + call_draw(c, 3));
    c->shape[1] = c->op->variant ? NN_SHAPE(in, out / groups, kernel, wide)
                                 : NN_SHAPE(out, in / groups, kernel, wide);
    c->shape[2] = NN_SHAPE(out);
}
static nn_node *call_build_filters(nn_model *net, const call_case *c, nn_node *const *x) {
    const int *p = c->p;
    nn_node *bias = c->count > 2 ? x[2] : NULL;
    nn_conv_transpose2d_desc back;
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc), memset(&back, 0, sizeof back);
    desc.stride = back.stride = p[0], desc.padding = back.padding = p[1];
    desc.dilation = back.dilation = p[2], desc.groups = back.groups = p[3];
    desc.kernel = back.kernel = p[4], desc.out_channels = back.out_channels = p[5];
    desc.padding_mode = (nn_padding_mode)p[6];
    desc.kernel_w = back.kernel_w = p[4] ? c->shape[1].extent[3] : 0;
    return c->op->variant ? nn_functional_conv_transpose2d(net, x[0], x[1], bias, &back)
                          : nn_functional_conv2d(net, x[0], x[1], bias, &desc);
}

/* ---- norms, and rearranging ------------------------------------------------------------------ */

/* variant 0: instance_norm, 1: local_response_norm of p[0] channels */
static void call_prepare_neighbours(call_case *c) {
    call_one(c, 3);
    if (c->shape[0].extent[1] < 0) c->shape[0].extent[1] = 3;
    for (int i = 2; i < c->p[7] && c->op->variant; i++)
        if (c->shape[0].extent[i] < 0) c->shape[0].extent[i] = 2;
    c->p[0] = 1 + call_draw(c, 4), c->p[1] = call_draw(c, 2), c->p[2] = call_draw(c, 2);
    c->f = 0.5f * (float)call_draw(c, 3);
}
static nn_node *call_build_neighbours(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_local_response_norm_desc response;
    nn_instance_norm_desc instance;
    memset(&response, 0, sizeof response), memset(&instance, 0, sizeof instance);
    response.size = c->p[0], response.beta = c->f;
    instance.affine = c->p[1] > 0, instance.track_running_stats = c->p[2] > 0;
    return c->op->variant ? nn_local_response_norm(net, x[0], &response)
                          : nn_instance_norm(net, "layer", x[0], &instance);
}

/* variant 0: stack, 1: repeat, 2: chunk, 3: transpose, 4: expand. p[0]: the axis. p[1] to p[4]: the
   counts of repeat, the extents of expand; p[1]: the chunks, or the second axis of transpose */
static void call_prepare_pieces(call_case *c) {
    call_one(c, 1);
    const int at = call_axis(c);
    c->count = c->op->variant == 0 ? 1 + call_draw(c, 3) : 1;
    if (c->op->variant == 1) call_any_dtype(c);
    for (int k = 1; k < c->count; k++) c->shape[k] = c->shape[0];
    for (int i = 1; i < 5; i++) c->p[i] = 1 + call_draw(c, 3);
    if (c->op->variant == 3) c->p[1] = call_draw(c, 2 * c->p[7]) - c->p[7];
    if (c->op->variant == 2) c->shape[0].extent[at] = c->p[1] * (1 + call_draw(c, 2));
    for (int i = 0; i < c->shape[0].rank && i < 4 && c->op->variant == 4; i++)
        if (call_draw(c, 2)) c->shape[0].extent[i] = 1;
        else c->p[i + 1] = 0; /* expand keeps the extent */
}
static nn_node *call_build_pieces(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_node *parts[5];
    nn_nodes nodes;
    nn_shape times;
    memset(&times, 0, sizeof times);
    nodes.node = x, nodes.count = c->count;
    times.rank = c->p[7];
    for (int i = 0; i < times.rank && i < 4; i++) times.extent[i] = c->p[i + 1];
    switch (c->op->variant) {
    case 0: return nn_stack(net, nodes, c->p[0]);
    case 1: return nn_repeat(net, x[0], times);
    case 2: return nn_chunk(net, x[0], parts, c->p[1] > 5 ? 5 : c->p[1], c->p[0]);
    case 4: /* a negative extent is a free one; the net without free extents must not have it */
        for (int i = 0; i < 4; i++) times.extent[i] = times.extent[i] < 0 ? 9 : times.extent[i];
        return nn_expand(net, x[0], times);
    default: return nn_transpose(net, x[0], c->p[0], c->p[1]);
    }
}

/* ---- losses and metrics of classes ----------------------------------------------------------- */

/* variant 0: bce_with_logits, 1: multilabel_soft_margin_loss, 2: l1_loss, 3: huber_loss, 4:
   soft_margin_loss, 5: hinge_embedding_loss, 6: multilabel_margin_loss, 7: multi_margin_loss. p[0]:
   the reduction; f: the loss's own number; in some cases a third operand is the weight. */
static void call_prepare_more_losses(call_case *c) {
    const int variant = c->op->variant;
    call_one(c, variant == 0 || (variant > 1 && variant < 6) ? 0 : 1);
    if (variant > 5) c->shape[0].rank = variant == 6 ? 1 + call_draw(c, 2) : 2;
    const int rank = c->shape[0].rank;
    if ((variant == 1 || variant > 5) && c->shape[0].extent[rank - 1] < 1)
        c->shape[0].extent[rank - 1] = 3;
    c->count = variant < 2 || variant == 7 ? 2 + call_draw(c, 2) : 2;
    c->shape[1] = c->shape[0];
    if (variant > 5) c->dtype[1] = NN_I32;
    if (variant == 7) c->shape[1].rank = 1;
    c->shape[2] = variant ? NN_SHAPE(rank ? c->shape[0].extent[rank - 1] : 1) : c->shape[0];
    c->p[0] = call_reduction(c), c->p[1] = call_draw(c, 3);
    c->f = 0.25f * (float)call_draw(c, 4);
}
static nn_node *call_build_more_losses(nn_model *net, const call_case *c, nn_node *const *x) {
    const nn_reduction reduction = (nn_reduction)c->p[0];
    nn_node *weight = c->count > 2 ? x[2] : NULL;
    nn_multilabel_soft_margin_desc soft = {weight, reduction};
    nn_huber_desc huber = {reduction, c->f};
    nn_hinge_embedding_desc hinge = {reduction, c->f};
    nn_multilabel_margin_desc labels = {reduction};
    nn_multi_margin_desc margin = {weight, reduction, c->p[1], c->f};
    nn_bce_desc bce;
    memset(&bce, 0, sizeof bce);
    bce.reduction = reduction, bce.weight = weight;
    switch (c->op->variant) {
    case 0: return nn_bce_with_logits(net, x[0], x[1], &bce);
    case 1: return nn_multilabel_soft_margin_loss(net, x[0], x[1], &soft);
    case 2: return nn_l1_loss(net, x[0], x[1], &(nn_l1_desc){.reduction = reduction});
    case 3: return nn_huber_loss(net, x[0], x[1], &huber);
    case 4:
        return nn_soft_margin_loss(net, x[0], x[1], &(nn_soft_margin_desc){.reduction = reduction});
    case 5: return nn_hinge_embedding_loss(net, x[0], x[1], &hinge);
    case 6: return nn_multilabel_margin_loss(net, x[0], x[1], &labels);
    default: return nn_multi_margin_loss(net, x[0], x[1], &margin);
    }
}

/* variant 0: accuracy, 1: top_k_accuracy, 2: perplexity, all of logits and labels; 3: r2_score, 4:
   auroc, 5: iou, of numbers and targets. p[0]: k, or thresholds */
static void call_prepare_metric(call_case *c) {
    const int variant = c->op->variant;
    call_one(c, variant == 2 ? 2 : variant == 3 ? 1 : 0);
    nn_shape *x = &c->shape[0];
    if (variant < 2) x->rank = 2;
    if (variant == 3) x->rank = 1 + call_draw(c, 2);
    if (variant < 4 && x->extent[1] < 1) x->extent[1] = 3;
    if (variant < 2) x->extent[0] = NN_BATCH;
    c->count = 2;
    c->shape[1] = *x;
    c->p[0] = 1 + call_draw(c, 3);
    if (variant == 4) c->p[0] = call_draw(c, 2) ? 0 : 2 + call_draw(c, 4);
    if (variant > 2) return;
    c->dtype[1] = NN_I32;
    for (int i = 2; i < x->rank; i++) c->shape[1].extent[i - 1] = x->extent[i];
    c->shape[1].rank--;
}
static nn_node *call_build_metric(nn_model *net, const call_case *c, nn_node *const *x) {
    switch (c->op->variant) {
    case 0: return nn_accuracy(net, x[0], x[1]);
    case 1: return nn_top_k_accuracy(net, x[0], x[1], c->p[0]);
    case 2: return nn_perplexity(net, x[0], x[1], NULL);
    case 3: return nn_r2_score(net, x[0], x[1]);
    case 4: return nn_auroc(net, x[0], x[1], c->p[0]);
    default: return nn_iou(net, x[0], x[1]);
    }
}

/* p: num_classes, two cutoffs, head_bias; f: div_value */
static void call_prepare_adaptive_softmax(call_case *c) {
    call_one(c, 1);
    c->shape[0].extent[c->p[7] - 1] = 4 + call_draw(c, 3);
    c->p[0] = 6 + call_draw(c, 4), c->p[1] = 1 + call_draw(c, 3);
    c->p[2] = call_draw(c, 2) ? 0 : c->p[1] + 1 + call_draw(c, 2), c->p[3] = call_draw(c, 2);
    c->f = 0.5f * (float)call_draw(c, 5);
}
static nn_node *call_build_adaptive_softmax(nn_model *net, const call_case *c, nn_node *const *x) {
    nn_adaptive_log_softmax_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.num_classes = c->p[0], INTEGER_AT(desc.cutoffs, 0) = c->p[1];
    if (c->p[2]) INTEGER_AT(desc.cutoffs, 1) = c->p[2];
    desc.head_bias = c->p[3] > 0, desc.div_value = c->f;
    return nn_adaptive_log_softmax(net, "layer", x[0], &desc);
}

#define CALL_VOLUME(name, it, which, layer)                                                        \
    { name, call_prepare_##it, call_build_##it, NULL, which, layer }
#define CALL_VOLUMES                                                                               \
    CALL_VOLUME("conv3d", conv3d, 0, true), CALL_VOLUME("conv_transpose3d", conv3d, 1, true),      \
        CALL_VOLUME("adaptive_max_pool3d", pools3d, 0, false),                                     \
        CALL_VOLUME("adaptive_avg_pool3d", pools3d, 1, false),                                     \
        CALL_VOLUME("lp_pool3d", pools3d, 2, false),                                               \
        CALL_VOLUME("max_unpool3d", unpool3d, 0, false),                                           \
        CALL_VOLUME("fractional_max_pool2d", fractional, 2, false),                                \
        CALL_VOLUME("fractional_max_pool3d", fractional, 3, false),                                \
        CALL_VOLUME("functional_conv2d", filters, 0, false),                                       \
        CALL_VOLUME("functional_conv_transpose2d", filters, 1, false),                             \
        CALL_VOLUME("instance_norm", neighbours, 0, true),                                         \
        CALL_VOLUME("local_response_norm", neighbours, 1, false),                                  \
        CALL_VOLUME("stack", pieces, 0, false), CALL_VOLUME("repeat", pieces, 1, false),           \
        CALL_VOLUME("expand", pieces, 4, false), CALL_VOLUME("chunk", pieces, 2, false),           \
        CALL_VOLUME("transpose", pieces, 3, false),                                                \
        CALL_VOLUME("bce_with_logits", more_losses, 0, false),                                     \
        CALL_VOLUME("multilabel_soft_margin_loss", more_losses, 1, false),                         \
        CALL_VOLUME("l1_loss", more_losses, 2, false),                                             \
        CALL_VOLUME("huber_loss", more_losses, 3, false),                                          \
        CALL_VOLUME("soft_margin_loss", more_losses, 4, false),                                    \
        CALL_VOLUME("hinge_embedding_loss", more_losses, 5, false),                                \
        CALL_VOLUME("multilabel_margin_loss", more_losses, 6, false),                              \
        CALL_VOLUME("multi_margin_loss", more_losses, 7, false),                                   \
        CALL_VOLUME("accuracy", metric, 0, false),                                                 \
        CALL_VOLUME("top_k_accuracy", metric, 1, false),                                           \
        CALL_VOLUME("perplexity", metric, 2, false), CALL_VOLUME("r2_score", metric, 3, false),    \
        CALL_VOLUME("auroc", metric, 4, false), CALL_VOLUME("iou", metric, 5, false),              \
        CALL_VOLUME("adaptive_log_softmax", adaptive_softmax, 0, true)
