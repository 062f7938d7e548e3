/* onnx/write_integers.c - operations of 8-bit integers (ops/integer.h), which nn_quantize_net
   describes. */
#include "onnx/write_emit.h"

/* Begins a call whose buffers are `count` leaves "NAME.part": NAME and x. False: refused. */
static bool nn__c_begin_integers(nn__c_writer *w, const char *call, const nn_view *const *leaves,
                                 const char *const *parts, int count, const nn_view *x) {
    const char *layer = NULL;
    for (int i = 0; i < count; i++) {
        const char *of = nn__c_layer_of(w, nn__onnx_node_at(leaves[i]), parts[i]);
        if (!of || (layer && strcmp(of, layer) != 0))
            return nn__onnx_cannot(&w->e, "its buffers do not belong to one layer (NAME.%s)",
                                   parts[i]);
        layer = of;
    }
    nn__c_begin(w, call);
    nn__c_arg(w, "%s", nn__c_quoted(w, layer));
    nn__c_arg(w, "%s", nn__c_in(w, x));
    nn__onnx_set(w->e.call, &w->layers, layer, (void *)w);
    return true;
}

NN__ONNX_PRIVATE void nn__c_write_integer_conv2d(nn__c_writer *w, const nn_integer_conv2d_args *a,
                                                 const nn_integer_conv2d_args *b) {
    static const char *const parts[] = {"weight", "bias", "factor", "zero"};
    const bool linear = strcmp(nn_describe_node(w->e.current).operation, "integer_linear") == 0,
               turned = a->transposed;
    const nn_view *const leaves[] = {&a->weight, &a->bias, &a->factor, &a->zero};
    const nn_conv2d_params *p = &a->params;
    const int32_t *x = a->x.shape.extent, *y = a->y.shape.extent, *x2 = b->x.shape.extent,
                  *y2 = b->y.shape.extent;
    if (!nn__c_begin_integers(w, linear   ? "nn_integer_linear"
                              : turned ? "nn_integer_conv_transpose2d"
                                       : "nn_integer_conv2d",
                              leaves, parts, 4, &a->x))
        return;
    nn__c_field(w, linear ? "out_features" : "out_channels", y[3], 0);
    if (turned) {
        const int more_h = y[1] - ((x[1] - 1) * p->stride_h - 2 * p->padding_h +
                                   p->dilation_h * (p->kernel_h - 1) + 1),
                  more_w = y[2] - ((x[2] - 1) * p->stride_w - 2 * p->padding_w +
                                   p->dilation_w * (p->kernel_w - 1) + 1);
        nn__c_windows(w, p, false);
        nn__c_field(w, "output_padding", more_h, 0);
        nn__c_field_or_none(w, "output_padding_w", more_w, more_h);
    } else if (!linear) {
        const int bottom = nn__c_end_padding(x[1], y[1], x2[1], y2[1], p->kernel_h, p->stride_h,
                                             p->padding_h, p->dilation_h);
        const int right = nn__c_end_padding(x[2], y[2], x2[2], y2[2], p->kernel_w, p->stride_w,
                                            p->padding_w, p->dilation_w);
        if (bottom < 0 || right < 0) nn__onnx_cannot(&w->e, "its padding depends on a free extent");
        nn__c_windows(w, p, false);
        nn__c_field_or_none(w, "padding_bottom", bottom, p->padding_h);
        nn__c_field_or_none(w, "padding_right", right, p->padding_w);
    }
    nn__c_end(w,
              linear   ? "nn_linear_desc"
              : turned ? "nn_conv_transpose2d_desc"
                       : "nn_conv2d_desc",
              &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_integer_pool2d(nn__c_writer *w, const nn_integer_pool2d_args *a,
                                                 const nn_integer_pool2d_args *b) {
    static const char *const parts[] = {"zero"};
    const nn_view *const leaves[] = {&a->zero};
    const int32_t *x = a->x.shape.extent, *y = a->y.shape.extent;
    const bool largest = a->kind == NN_POOL_MAX;
    bool ceil = false;
    (void)b;
    for (int i = 0; i < 2; i++) {
        const int k = i ? a->kernel_w : a->kernel_h, s = i ? a->stride_w : a->stride_h,
                  p = i ? a->padding_w : a->padding_h;
        if (nn__c_pooled(x[1 + i], k, s, p, false) == y[1 + i]) continue;
        ceil = true;
        if (nn__c_pooled(x[1 + i], k, s, p, true) != y[1 + i])
            nn__onnx_cannot(&w->e, "its windows do not fit its output");
    }
    if (!nn__c_begin_integers(w, largest ? "nn_integer_max_pool2d" : "nn_integer_avg_pool2d",
                              leaves, parts, 1, &a->x))
        return;
    nn__c_field(w, "kernel", a->kernel_h, 0);
    nn__c_field(w, "kernel_w", a->kernel_w, a->kernel_h);
    nn__c_field(w, "stride_h", a->stride_h, a->kernel_h);
    nn__c_field(w, "stride_w", a->stride_w, a->kernel_w);
    nn__c_field(w, "padding", a->padding_h, 0);
    nn__c_field_or_none(w, "padding_w", a->padding_w, a->padding_h);
    nn__c_field_true(w, "ceil", ceil);
    nn__c_field_true(w, "count_only_inside", a->count_only_inside && !largest);
    nn__c_end(w, "nn_pool2d_desc", &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_integer_add(nn__c_writer *w, const nn_integer_add_args *a,
                                              const nn_integer_add_args *b) {
    static const char *const parts[] = {"numbers"};
    const nn_view *const leaves[] = {&a->numbers};
    (void)b;
    if (!nn__c_begin_integers(w, "nn_integer_add", leaves, parts, 1, &a->a)) return;
    nn__c_arg(w, "%s", nn__c_in(w, &a->b));
    nn__c_end(w, NULL, &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_integer_multiply(nn__c_writer *w,
                                                   const nn_integer_multiply_args *a,
                                                   const nn_integer_multiply_args *b) {
    static const char *const parts[] = {"numbers"};
    const nn_view *const leaves[] = {&a->numbers};
    (void)b;
    if (!nn__c_begin_integers(w, "nn_integer_multiply", leaves, parts, 1, &a->a)) return;
    nn__c_arg(w, "%s", nn__c_in(w, &a->b));
    nn__c_end(w, NULL, &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_integer_table(nn__c_writer *w, const nn_integer_table_args *a,
                                                const nn_integer_table_args *b) {
    static const char *const parts[] = {"table"};
    const nn_view *const leaves[] = {&a->table};
    (void)b;
    if (!nn__c_begin_integers(w, "nn_integer_table", leaves, parts, 1, &a->x)) return;
    nn__c_end(w, NULL, &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_integer_resize2d(nn__c_writer *w,
                                                   const nn_integer_resize2d_args *a,
                                                   const nn_integer_resize2d_args *b) {
    static const char *const parts[] = {"rows", "columns"};
    const nn_view *const leaves[] = {&a->rows, &a->columns};
    (void)b;
    if (!nn__c_begin_integers(w, "nn_integer_resize2d", leaves, parts, 2, &a->x)) return;
    nn__c_arg(w, "%d", (int)a->y.shape.extent[1]);
    nn__c_arg(w, "%d", (int)a->y.shape.extent[2]);
    nn__c_end(w, NULL, &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_integer_softmax(nn__c_writer *w,
                                                  const nn_integer_softmax_args *a,
                                                  const nn_integer_softmax_args *b) {
    static const char *const parts[] = {"table", "numbers"};
    const nn_view *const leaves[] = {&a->table, &a->numbers};
    (void)b;
    if (!nn__c_begin_integers(w, "nn_integer_softmax", leaves, parts, 2, &a->x)) return;
    nn__c_arg(w, "%d", (int)a->axis);
    nn__c_end(w, NULL, &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_integer_recurrent(nn__c_writer *w,
                                                    const nn_integer_recurrent_args *a,
                                                    const nn_integer_recurrent_args *b) {
    static const char *const parts[] = {"weight_ih", "weight_hh", "bias", "factor", "numbers"};
    const nn_view *const leaves[] = {&a->weight_ih, &a->weight_hh, &a->bias, &a->factor,
                                     &a->numbers};
    (void)b;
    if (!nn__c_begin_integers(w,
                              a->cell == NN_RECURRENT_LSTM ? "nn_integer_lstm" : "nn_integer_gru",
                              leaves, parts, 5, &a->x))
        return;
    nn__c_field(w, "hidden_size", a->y.shape.extent[2], 0);
    nn__c_field_true(w, "reverse", a->reverse);
    nn__c_end(w, "nn_integer_recurrent_desc", &a->y);
}

static void nn__c_write_conversion(nn__c_writer *w, const char *call, const nn_quantize_args *a) {
    static const char *const parts[] = {"scale"};
    const nn_view *const leaves[] = {&a->scale};
    if (!nn__c_begin_integers(w, call, leaves, parts, 1, &a->x)) return;
    nn__c_field_true(w, "channels_last", a->channels_last);
    nn__c_end(w, "nn_quantize_per_tensor_desc", &a->y);
}
NN__ONNX_PRIVATE void nn__c_write_quantize(nn__c_writer *w, const nn_quantize_args *a,
                                           const nn_quantize_args *b) {
    (void)b;
    nn__c_write_conversion(w, "nn_quantize_per_tensor", a);
}
NN__ONNX_PRIVATE void nn__c_write_dequantize(nn__c_writer *w, const nn_quantize_args *a,
                                             const nn_quantize_args *b) {
    (void)b;
    nn__c_write_conversion(w, "nn_dequantize", a);
}
