/* onnx/write_layers.c - products, convolutions, norms and tables of embeddings. */
#include "onnx/write_emit.h"

/* Refuses arguments that no call can express, and then returns false. */
static bool nn__c_can_say(nn__c_writer *w, bool accumulate, const nn_view *weight) {
    if (accumulate) return nn__onnx_cannot(&w->e, "it adds to its result");
    if (weight->dtype == NN_I8)
        return nn__onnx_cannot(&w->e,
                               "its weight has 8 bits; write the net before you call nn_quantize");
    return true;
}

/* Returns false, with the reason, if a cast or a rounding computes the weight. */
static bool nn__c_can_read(nn__c_writer *w, const nn_view *weight) {
    const nn_node_description d = nn_describe_node(nn__onnx_node_at(weight));
    if (d.kind != NN_NODE_OPERATION) return true;
    if (strcmp(d.operation, "cast") == 0)
        return nn__onnx_cannot(&w->e, "a cast rounds its weight, as nn_autocast_begin does; "
                                      "describe the net without it, with the same weights");
    if (strcmp(d.operation, "fake_quantize") == 0)
        return nn__onnx_cannot(&w->e, "its weight is rounded as by nn_prepare_qat; call "
                                      "nn_quantize_net and write the integers");
    return true;
}

/* Returns the layer of a weight and its bias; NULL: they do not belong to one layer. */
static const char *nn__c_layer_with(nn__c_writer *w, const nn_view *weight, const nn_view *bias) {
    const char *layer = nn__c_layer_of(w, nn__onnx_node_at(weight), "weight"), *other;
    if (!layer || !bias->dtype) return layer;
    other = nn__c_layer_of(w, nn__onnx_node_at(bias), "bias");
    return other && strcmp(layer, other) == 0 ? layer : NULL;
}

/* ---- products -------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE void nn__c_write_gemm(nn__c_writer *w, const nn_gemm_args *a,
                                       const nn_gemm_args *b) {
    const char *operation = nn_describe_node(w->e.current).operation, *layer;
    const nn_shape shape = nn_node_shape(nn__onnx_node_at(&a->b));
    const bool turned = strcmp(operation, "linear_transposed") == 0;
    (void)b;
    if (!nn__c_can_say(w, a->accumulate, &a->b)) return;
    if (strcmp(operation, "matmul") == 0) {
        nn__c_begin(w, "nn_matmul");
        nn__c_arg(w, "%s", nn__c_in(w, &a->a));
        nn__c_arg(w, "%s", nn__c_in(w, &a->b));
        nn__c_field_true(w, "transpose_a", a->transpose_a);
        nn__c_field_true(w, "transpose_b", a->transpose_b);
        nn__c_end(w, "nn_matmul_desc", &a->y);
        return;
    }
    layer = nn__c_layer_with(w, &a->b, &a->epilogue.bias);
    if (!layer && !nn__c_can_read(w, &a->b)) return;
    if (!turned && strcmp(operation, "linear") != 0) {
        nn__onnx_cannot(&w->e, "nn_write_c does not support this form of product");
        return;
    }
    if (!layer) {
        nn__onnx_cannot(&w->e, "its weight and bias do not belong to one layer (NAME.weight)");
        return;
    }
    nn__c_begin_layer(w, turned ? "nn_linear_transposed" : "nn_linear", layer, nn__c_in(w, &a->a));
    nn__c_field(w, "out_features", shape.extent[turned ? 1 : 0], 0);
    nn__c_field_true(w, "no_bias", !a->epilogue.bias.dtype);
    nn__c_end(w, "nn_linear_desc", &a->y);
}

/* ---- convolutions ---------------------------------------------------------------------------- */

NN__ONNX_PRIVATE int nn__c_end_padding(int x, int y, int x2, int y2, int kernel, int stride,
                                       int padding, int dilation) {
    const int reach = dilation * (kernel - 1) + 1;
    const int least = (y - 1) * stride + reach - x - padding;
    for (int end = padding; end >= 0; end = end == padding ? (least > 0 ? least : 0) : -1) {
        const int room = x + padding + end - reach, room2 = x2 + padding + end - reach;
        if (room >= 0 && room2 >= 0 && room / stride + 1 == y && room2 / stride + 1 == y2)
            return end;
        if (end == padding && padding == (least > 0 ? least : 0)) break;
    }
    return -1;
}

NN__ONNX_PRIVATE void nn__c_windows(nn__c_writer *w, const nn_conv2d_params *p, bool line) {
    const int kernel = line ? p->kernel_w : p->kernel_h, stride = line ? p->stride_w : p->stride_h;
    const int padding = line ? p->padding_w : p->padding_h,
              dilation = line ? p->dilation_w : p->dilation_h;
    nn__c_field(w, "kernel", kernel, 0);
    nn__c_field(w, "stride", stride, 1);
    nn__c_field(w, "padding", padding, 0);
    nn__c_field(w, "dilation", dilation, 1);
    if (!line) {
        nn__c_field(w, "kernel_w", p->kernel_w, kernel);
        nn__c_field(w, "stride_w", p->stride_w, stride);
        nn__c_field_or_none(w, "padding_w", p->padding_w, padding);
        nn__c_field(w, "dilation_w", p->dilation_w, dilation);
    }
    nn__c_field(w, "groups", p->groups, 1);
}

/* Begins a convolution: of a layer, or with nodes as weight and bias. False: refused. */
static bool nn__c_begin_conv(nn__c_writer *w, const char *layered, const char *functional,
                             const nn_view *x, const nn_view *weight, const nn_view *bias) {
    const char *layer = nn__c_layer_with(w, weight, bias);
    if (layer) {
        nn__c_begin_layer(w, layered, layer, nn__c_in(w, x));
        return true;
    }
    if (!functional)
        return nn__onnx_cannot(&w->e,
                               "its weight and bias do not belong to one layer (NAME.weight)");
    nn__c_begin(w, functional);
    nn__c_arg(w, "%s", nn__c_in(w, x));
    nn__c_arg(w, "%s", nn__c_in(w, weight));
    nn__c_arg(w, "%s", bias->dtype ? nn__c_in(w, bias) : "NULL");
    return true;
}

NN__ONNX_PRIVATE void nn__c_write_conv2d(nn__c_writer *w, const nn_conv2d_args *a,
                                         const nn_conv2d_args *b) {
    const nn_conv2d_params *p = &a->params;
    const bool line = nn_node_shape(nn__onnx_node_at(&a->x)).rank == 3;
    const int32_t *x = a->x.shape.extent, *y = a->y.shape.extent, *x2 = b->x.shape.extent,
                  *y2 = b->y.shape.extent;
    const int bottom = nn__c_end_padding(x[2], y[2], x2[2], y2[2], p->kernel_h, p->stride_h,
                                         p->padding_h, p->dilation_h);
    const int right = nn__c_end_padding(x[3], y[3], x2[3], y2[3], p->kernel_w, p->stride_w,
                                        p->padding_w, p->dilation_w);
    if (!nn__c_can_say(w, a->accumulate, &a->weight) ||
        !nn__c_begin_conv(w, line ? "nn_conv1d" : "nn_conv2d", line ? NULL : "nn_functional_conv2d",
                          &a->x, &a->weight, &a->epilogue.bias))
        return;
    if (bottom < 0 || right < 0) nn__onnx_cannot(&w->e, "its padding depends on a free extent");
    nn__c_field(w, "out_channels", a->weight.shape.extent[0], 0);
    nn__c_windows(w, p, line);
    if (!line) nn__c_field_or_none(w, "padding_bottom", bottom, p->padding_h);
    nn__c_field_or_none(w, "padding_right", right, p->padding_w);
    nn__c_field_true(w, "no_bias", !a->epilogue.bias.dtype);
    nn__c_field_true(w, "direct", !line && a->direct);
    nn__c_end(w, line ? "nn_conv1d_desc" : "nn_conv2d_desc", &a->y);
}

/* The input of a transposed convolution is the field y of the arguments. */
NN__ONNX_PRIVATE void nn__c_write_conv_transpose(nn__c_writer *w, const nn_conv2d_args *a,
                                                 const nn_conv2d_args *b) {
    const nn_conv2d_params *p = &a->params;
    const bool line = nn_node_shape(nn__onnx_node_at(&a->y)).rank == 3;
    const int32_t *x = a->y.shape.extent, *y = a->x.shape.extent;
    const int more_h = y[2] - ((x[2] - 1) * p->stride_h - 2 * p->padding_h +
                               p->dilation_h * (p->kernel_h - 1) + 1),
              more_w = y[3] - ((x[3] - 1) * p->stride_w - 2 * p->padding_w +
                               p->dilation_w * (p->kernel_w - 1) + 1);
    (void)b;
    if (!nn__c_can_say(w, a->accumulate, &a->weight) ||
        !nn__c_begin_conv(w, line ? "nn_conv_transpose1d" : "nn_conv_transpose2d",
                          line ? NULL : "nn_functional_conv_transpose2d", &a->y, &a->weight,
                          &a->epilogue.bias))
        return;
    nn__c_field(w, "out_channels", a->weight.shape.extent[1] * p->groups, 0);
    nn__c_windows(w, p, line);
    nn__c_field(w, "output_padding", line ? more_w : more_h, 0);
    if (!line) nn__c_field_or_none(w, "output_padding_w", more_w, more_h);
    nn__c_field_true(w, "no_bias", !a->epilogue.bias.dtype);
    nn__c_end(w, line ? "nn_conv_transpose1d_desc" : "nn_conv_transpose2d_desc", &a->x);
}

/* ---- streams --------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE void nn__c_write_stream(nn__c_writer *w, const nn_stream_args *a,
                                         const nn_stream_args *b) {
    const bool conv = a->way == NN_STREAM_CONV;
    (void)b;
    if (conv) {
        if (!nn__c_can_say(w, false, &a->weight) ||
            !nn__c_begin_conv(w, "nn_conv1d", NULL, &a->x, &a->weight, &a->epilogue.bias))
            return;
        nn__c_field(w, "out_channels", a->weight.shape.extent[0], 0);
        nn__c_field(w, "groups", a->groups, 1);
        nn__c_field_true(w, "no_bias", !a->epilogue.bias.dtype);
    } else {
        nn__c_begin(w, a->way == NN_STREAM_MAX ? "nn_max_pool1d" : "nn_avg_pool1d");
        nn__c_arg(w, "%s", nn__c_in(w, &a->x));
        nn__c_field_true(w, "count_only_inside", a->way == NN_STREAM_AVERAGE_INSIDE);
    }
    nn__c_field(w, "kernel", a->kernel, 0);
    nn__c_field(w, "stride", a->stride, conv ? 1 : a->kernel);
    nn__c_field(w, "dilation", a->dilation, 1);
    nn__c_field_true(w, "streaming", true);
    nn__c_end(w, conv ? "nn_conv1d_desc" : "nn_pool1d_desc", &a->y);
}

/* ---- norms ----------------------------------------------------------------------------------- */

/* Returns the name of a norm: the name of its leaves, or of its node if there are no leaves. NULL:
   refused. */
static const char *nn__c_norm_name(nn__c_writer *w, const nn_norm_args *a) {
    const nn_view *views[4];
    static const char *const parts[4] = {"weight", "bias", "running_mean", "running_var"};
    const char *layer = NULL;
    views[0] = &a->weight;
    views[1] = &a->bias;
    views[2] = &a->running_mean;
    views[3] = &a->running_var;
    for (int i = 0; i < 4; i++) {
        const char *of;
        if (!views[i]->dtype) continue;
        of = nn__c_layer_of(w, nn__onnx_node_at(views[i]), parts[i]);
        if (!of || (layer && strcmp(layer, of) != 0)) {
            nn__onnx_cannot(&w->e,
                            "its weights do not belong to one layer (NAME.weight, NAME.bias)");
            return NULL;
        }
        layer = of;
    }
    return layer ? layer : nn_node_name(w->e.current);
}

static void nn__c_write_last_axes(nn__c_writer *w, const nn_norm_args *a) {
    const nn_shape shape = nn_node_shape(nn__onnx_node_at(&a->x));
    nn_shape inner;
    int axis = shape.rank;
    int64_t count = 1;
    while (axis > 0 && count < (int64_t)a->cut.channels * a->cut.inner)
        count *= shape.extent[--axis];
    if (a->weight.dtype) axis = shape.rank - nn_node_shape(nn__onnx_node_at(&a->weight)).rank;
    memset(&inner, 0, sizeof inner);
    for (int i = axis; i < shape.rank; i++) inner.extent[inner.rank++] = shape.extent[i];
    if (inner.rank > 1) nn__c_field_text(w, "normalized_shape", nn__c_shape(w, &inner));
    nn__c_field_real(w, "epsilon", a->epsilon, a->rms ? 1.1920929e-7f : 1e-5f);
    nn__c_field_true(w, "no_affine", !a->weight.dtype);
    if (!a->rms) nn__c_field_true(w, "no_bias", a->weight.dtype && !a->bias.dtype);
    nn__c_end(w, a->rms ? "nn_rms_norm_desc" : "nn_layer_norm_desc", &a->y);
}

static void nn__c_write_batch_norm(nn__c_writer *w, const nn_norm_args *a) {
    nn__c_field_real(w, "epsilon", a->epsilon, 1e-5f);
    nn__c_field_true(w, "no_affine", !a->weight.dtype);
    nn__c_field_true(w, "no_running_stats", !a->running_mean.dtype);
    nn__c_end(w, "nn_batch_norm_desc", &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_norm(nn__c_writer *w, const nn_norm_args *a,
                                       const nn_norm_args *b) {
    const char *operation = nn_describe_node(w->e.current).operation;
    const char *name = nn__c_norm_name(w, a), *x = nn__c_in(w, &a->x);
    const int rank = nn_node_shape(nn__onnx_node_at(&a->x)).rank;
    (void)b;
    if (!name) return;
    if (strcmp(operation, "layer_norm") == 0 || strcmp(operation, "rms_norm") == 0) {
        nn__c_begin_layer(w, a->rms ? "nn_rms_norm" : "nn_layer_norm", name, x);
        nn__c_write_last_axes(w, a);
    } else if (strcmp(operation, "instance_norm") == 0) {
        nn__c_begin_layer(w, "nn_instance_norm", name, x);
        nn__c_field_real(w, "epsilon", a->epsilon, 1e-5f);
        nn__c_field_true(w, "affine", a->weight.dtype != 0);
        nn__c_field_true(w, "track_running_stats", a->running_mean.dtype != 0);
        nn__c_end(w, "nn_instance_norm_desc", &a->y);
    } else if (strcmp(operation, "group_norm") == 0) {
        nn__c_begin_layer(w, "nn_group_norm", name, x);
        nn__c_field(w, "num_groups", a->cut.groups, 0);
        nn__c_field_real(w, "epsilon", a->epsilon, 1e-5f);
        nn__c_field_true(w, "no_affine", !a->weight.dtype);
        nn__c_end(w, "nn_group_norm_desc", &a->y);
    } else if (a->cut.across) {
        nn__c_begin_layer(w,
                          rank == 4   ? "nn_batch_norm2d"
                          : rank == 5 ? "nn_batch_norm3d"
                                      : "nn_batch_norm1d",
                          name, x);
        nn__c_write_batch_norm(w, a);
    } else {
        nn__onnx_cannot(&w->e, "no layer of nn.h has its form of normalization");
    }
}

/* ---- rows of tables -------------------------------------------------------------------------- */

NN__ONNX_PRIVATE void nn__c_write_gather(nn__c_writer *w, const nn_gather_args *a,
                                         const nn_gather_args *b) {
    const char *operation = nn_describe_node(w->e.current).operation;
    const char *layer = nn__c_layer_of(w, nn__onnx_node_at(&a->x), "weight");
    (void)b;
    if (!nn__c_can_say(w, false, &a->x)) return;
    if (strcmp(operation, "index_select") == 0) {
        nn__c_begin(w, "nn_index_select");
        nn__c_arg(w, "%s", nn__c_in(w, &a->x));
        nn__c_arg(w, "%d", (int64_t)a->axis);
        nn__c_arg(w, "%s", nn__c_in(w, &a->index));
        nn__c_end(w, NULL, &a->y);
        return;
    }
    if (!layer || strcmp(operation, "embedding") != 0) {
        nn__onnx_cannot(&w->e, "its table does not belong to a layer (NAME.weight)");
        return;
    }
    nn__c_begin_layer(w, "nn_embedding", layer, nn__c_in(w, &a->index));
    nn__c_field(w, "num_embeddings", a->x.shape.extent[0], 0);
    nn__c_field(w, "embedding_dim", a->x.shape.extent[1], 0);
    nn__c_end(w, "nn_embedding_desc", &a->y);
}
