/* onnx/write_families.c - pools, reductions, sorting, resizing, losses: families with one call. */
#include "onnx/write_emit.h"

/* ---- pools ----------------------------------------------------------------------------------- */

static void nn__c_adaptive_pool(nn__c_writer *w, const nn_pool2d_args *a, bool line) {
    const char *kind = a->kind == NN_POOL_MAX ? "max" : "avg";
    nn__c_begin(w, nn__c_text(w, line ? "nn_adaptive_%s_pool1d" : "nn_adaptive_%s_pool2d", kind));
    nn__c_arg(w, "%s", nn__c_in(w, &a->x));
    for (int at = line ? 3 : 2; at < 4; at++)
        if (nn_node_shape(nn__onnx_node_at(&a->y)).extent[line ? 2 : at] < 0)
            nn__c_arg(w, "NN_NONE");
        else
            nn__c_arg(w, "%d", (int64_t)a->y.shape.extent[at]);
    nn__c_end(w, NULL, &a->y);
}

/* Returns the number of windows, rounded down or up as in PyTorch: no window begins in the padding
   at the end.
 */
NN__ONNX_PRIVATE int nn__c_pooled(int x, int kernel, int stride, int padding, bool ceil) {
    const int room = x + 2 * padding - kernel;
    const int part = ceil ? room + stride - 1 : room;
    int y = part < 0 ? 0 : part / stride + 1;
    if (ceil && (y - 1) * stride >= x + padding) y--;
    return y;
}

NN__ONNX_PRIVATE void nn__c_write_pool2d(nn__c_writer *w, const nn_pool2d_args *a,
                                         const nn_pool2d_args *b) {
    const bool line = nn_node_shape(nn__onnx_node_at(&a->x)).rank == 3,
               largest = a->kind == NN_POOL_MAX;
    const int dh = a->dilation_h ? a->dilation_h : 1, dw = a->dilation_w ? a->dilation_w : 1;
    const int kernel_h = (a->kernel_h - 1) / dh + 1, kernel_w = (a->kernel_w - 1) / dw + 1;
    const int kernel = line ? kernel_w : kernel_h, stride = line ? a->stride_w : a->stride_h;
    const int padding = line ? a->padding_w : a->padding_h, dilation = line ? dw : dh;
    const int32_t *x = a->x.shape.extent, *y = a->y.shape.extent;
    bool ceil = false;
    (void)b;
    if (a->adaptive) {
        nn__c_adaptive_pool(w, a, line);
        return;
    }
    for (int at = line ? 3 : 2; at < 4; at++) {
        const int k = at == 2 ? a->kernel_h : a->kernel_w, s = at == 2 ? a->stride_h : a->stride_w;
        const int p = at == 2 ? a->padding_h : a->padding_w;
        if (nn__c_pooled(x[at], k, s, p, false) == y[at]) continue;
        ceil = true;
        if (nn__c_pooled(x[at], k, s, p, true) != y[at])
            nn__onnx_cannot(&w->e, "its windows do not fit its output");
    }
    nn__c_begin(w, nn__c_text(w, line ? "nn_%s_pool1d" : "nn_%s_pool2d", largest ? "max" : "avg"));
    nn__c_arg(w, "%s", nn__c_in(w, &a->x));
    nn__c_field(w, "kernel", kernel, 0);
    nn__c_field(w, "stride", stride, kernel);
    nn__c_field(w, "padding", padding, 0);
    nn__c_field(w, "dilation", dilation, 1);
    if (!line) {
        nn__c_field(w, "kernel_w", kernel_w, kernel);
        nn__c_field(w, "stride_w", a->stride_w, stride == kernel ? kernel_w : stride);
        nn__c_field_or_none(w, "padding_w", a->padding_w, padding);
        nn__c_field(w, "dilation_w", dw, dilation);
        if (!largest) nn__c_field(w, "divisor", a->divisor, 0);
    }
    nn__c_field_true(w, "ceil", ceil);
    if (!largest) nn__c_field_true(w, "count_only_inside", a->count_only_inside);
    nn__c_end(w, line ? "nn_pool1d_desc" : "nn_pool2d_desc", &a->y);
}

/* ---- along axes ------------------------------------------------------------------------------ */

/* Returns the shape that a reduction gives: with 1 in the axes, or without them. */
static nn_shape nn__c_reduced(const nn_shape *x, uint32_t axes, bool keep) {
    nn_shape y;
    memset(&y, 0, sizeof y);
    for (int i = 0; i < x->rank; i++) {
        const bool reduced = axes >> i & 1;
        if (!reduced || keep) y.extent[y.rank++] = reduced ? 1 : x->extent[i];
    }
    return y;
}

NN__ONNX_PRIVATE void nn__c_write_reduce(nn__c_writer *w, const nn_reduce_args *a,
                                         const nn_reduce_args *b) {
    static const char *const words[] = {"",
                                        "NN_MEAN",
                                        "NN_SUM",
                                        "NN_MAX",
                                        "NN_MIN",
                                        "NN_PROD",
                                        "NN_ANY",
                                        "NN_ALL",
                                        "NN_ARGMAX",
                                        "NN_ARGMIN",
                                        "NN_SUM_OF_SQUARES",
                                        "NN_NORM",
                                        "NN_LOGSUMEXP"};
    const nn_shape x = nn__onnx_shape_seen(&w->e, &a->x, &b->x),
                   want = nn_node_shape(nn__onnx_node_at(&a->y)),
                   kept = nn__c_reduced(&x, a->axes, true),
                   flat = nn__c_reduced(&x, a->axes, false);
    const bool keep = nn_same_shape(kept, want), spread = a->reduction >= NN_VAR;
    const char *axes = "", *value;
    if (a->accumulate) nn__onnx_cannot(&w->e, "it adds to its result");
    if (a->scale != 1.0f) nn__onnx_cannot(&w->e, "it scales its result");
    for (int i = 0; i < x.rank; i++)
        if (a->axes >> i & 1) axes = nn__c_text(w, *axes ? "%s, %d" : "%s%d", axes, (int64_t)i);
    value = nn__c_seen(w, &a->x, &b->x);
    nn__c_begin(w, a->reduction == NN_VAR ? "nn_var" : spread ? "nn_std" : "nn_reduce");
    if (!spread) nn__c_arg(w, "%s", words[a->reduction]);
    nn__c_arg(w, "%s", value);
    nn__c_arg(w, "NN_AXES(%s)", axes);
    nn__c_arg(w, keep ? "true" : "false");
    if (spread) nn__c_arg(w, "%d", (int64_t)a->correction);
    if (keep || nn_same_shape(flat, want)) {
        nn__c_end(w, NULL, &a->y);
        return;
    }
    value = nn__c_end_as(w, NULL, nn__c_new_name(w, &w->variables, nn_node_name(w->e.current)));
    nn__c_begin(w, "nn_reshape");
    nn__c_arg(w, "%s", value);
    nn__c_arg(w, "%s", nn__c_shape(w, &want));
    nn__c_end(w, NULL, &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_softmax(nn__c_writer *w, const nn_softmax_args *a,
                                          const nn_softmax_args *b) {
    (void)b;
    nn__c_begin(w, a->logarithm ? "nn_log_softmax" : "nn_softmax");
    nn__c_arg(w, "%s", nn__c_in(w, &a->x));
    nn__c_end(w, NULL, &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_scan(nn__c_writer *w, const nn_scan_args *a,
                                       const nn_scan_args *b) {
    static const char *const calls[] = {"nn_cumsum", "nn_cumprod", "nn_logcumsumexp", "nn_cummax",
                                        "nn_cummin"};
    const char *x = nn__c_seen(w, &a->x, &b->x);
    if (a->reverse || !nn__c_is_whole(&a->x))
        nn__onnx_cannot(&w->e, "it runs along several axes, or backwards");
    nn__c_begin(w, calls[a->kind]);
    nn__c_arg(w, "%s", x);
    nn__c_arg(w, "%d", (int64_t)a->axis);
    nn__c_end(w, NULL, &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_sort(nn__c_writer *w, const nn_sort_args *a,
                                       const nn_sort_args *b) {
    const int32_t count = a->y.shape.extent[a->axis];
    const bool all = count == a->x.shape.extent[a->axis] &&
                     b->y.shape.extent[a->axis] == b->x.shape.extent[a->axis];
    nn__c_begin(w, all ? "nn_sort" : "nn_top_k");
    nn__c_arg(w, "%s", nn__c_in(w, &a->x));
    if (!all) nn__c_arg(w, "%d", (int64_t)count);
    nn__c_arg(w, "%d", (int64_t)a->axis);
    nn__c_field_true(w, all ? "descending" : "smallest", all == a->descending);
    nn__c_end(w, all ? "nn_sort_desc" : "nn_top_k_desc", &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_gather_elements(nn__c_writer *w, const nn_gather_elements_args *a,
                                                  const nn_gather_elements_args *b) {
    (void)b;
    if (!nn__c_is_whole(&a->x) || !nn__c_is_whole(&a->index) || !nn__c_is_whole(&a->y))
        nn__onnx_cannot(&w->e, "it reads its input in another shape, as after nn_reshape");
    nn__c_begin(w, "nn_gather");
    nn__c_arg(w, "%s", nn__c_in(w, &a->x));
    nn__c_arg(w, "%d", (int64_t)a->axis);
    nn__c_arg(w, "%s", nn__c_in(w, &a->index));
    nn__c_end(w, NULL, &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_scatter_elements(nn__c_writer *w,
                                                   const nn_scatter_elements_args *a,
                                                   const nn_scatter_elements_args *b) {
    static const char *const reductions[] = {"", "", "NN_PROD", "NN_MAX", "NN_MIN"};
    const char *operation = nn_describe_node(w->e.current).operation;
    const nn_shape y = nn_node_shape(nn__onnx_node_at(&a->y));
    (void)b;
    if (strcmp(operation, "one_hot") == 0) {
        nn__c_begin(w, "nn_one_hot");
        nn__c_arg(w, "%s", nn__c_in(w, &a->index));
        nn__c_arg(w, "%d", (int64_t)y.extent[y.rank - 1]);
        nn__c_end(w, NULL, &a->y);
        return;
    }
    if (!a->base.dtype || !nn__c_is_whole(&a->base) || !nn__c_is_whole(&a->index) ||
        !nn__c_is_whole(&a->y) || (a->combine != NN_COMBINE_REPLACE && !a->x.dtype))
        nn__onnx_cannot(&w->e, "no call of nn.h scatters in this pattern");
    nn__c_begin(w, a->combine == NN_COMBINE_ADD       ? "nn_scatter_add"
                   : a->combine != NN_COMBINE_REPLACE ? "nn_scatter_reduce"
                   : a->x.dtype                       ? "nn_scatter"
                                                      : "nn_scatter_value");
    nn__c_arg(w, "%s", nn__c_in(w, &a->base));
    nn__c_arg(w, "%d", (int64_t)a->axis);
    nn__c_arg(w, "%s", nn__c_in(w, &a->index));
    nn__c_arg(w, "%s", a->x.dtype ? nn__c_in(w, &a->x) : nn__c_real(w, a->value, false));
    if (a->combine > NN_COMBINE_REPLACE) nn__c_arg(w, "%s", reductions[a->combine]);
    nn__c_end(w, NULL, &a->y);
}

/* ---- images ---------------------------------------------------------------------------------- */

/* True if a scale gives this step and makes y places of x. */
static bool nn__c_scales(double scale, float step, int32_t x, int32_t y) {
    return (float)(1.0 / scale) == step && floor((double)x * scale) == (double)y;
}

/* Returns the scale of an axis in words: a quotient of small numbers, or one of the step. */
static const char *nn__c_scale(nn__c_writer *w, float step, int32_t x, int32_t y) {
    for (int64_t q = 1; q <= 64; q++) {
        const int64_t p = (int64_t)((double)q / (double)step + 0.5);
        if (p > 0 && nn__c_scales((double)p / (double)q, step, x, y))
            return nn__c_text(w, q == 1 ? "%d.0" : "%d.0 / %d.0", p, q);
    }
    if (!nn__c_scales(1.0 / (double)step, step, x, y))
        nn__onnx_cannot(&w->e, "no value of .scale_factor gives its step");
    return nn__c_text(w, "1.0 / (double)%s", nn__c_real(w, step, false));
}

NN__ONNX_PRIVATE void nn__c_write_resize(nn__c_writer *w, const nn_resize_args *a,
                                         const nn_resize_args *b) {
    static const char *const modes[] = {"NN_RESIZE_NEAREST", "NN_RESIZE_NEAREST_EXACT",
                                        "NN_RESIZE_LINEAR", "NN_RESIZE_CUBIC"};
    const nn_shape from = nn_node_shape(nn__onnx_node_at(&a->x)),
                   to = nn_node_shape(nn__onnx_node_at(&a->y));
    const bool line = from.rank == 3;
    const int32_t *x = a->x.shape.extent, *y = a->y.shape.extent;
    const float plain_h = (float)x[2] / (float)y[2], plain_w = (float)x[3] / (float)y[3];
    bool free = false;
    (void)b;
    for (int i = 2; i < from.rank; i++) free = free || to.extent[i] < 0;
    nn__c_begin(w, "nn_resize");
    nn__c_arg(w, "%s", nn__c_in(w, &a->x));
    if (from.rank > 4 || !nn__c_is_whole(&a->y))
        nn__onnx_cannot(&w->e, "it reads its input in another shape, as after nn_reshape");
    if (!free && (a->align_corners || ((line || a->step_h == plain_h) && a->step_w == plain_w))) {
        nn__c_field(w, "size", line ? y[3] : y[2], 0);
        if (!line) nn__c_field(w, "size_w", y[3], y[2]);
    } else {
        nn__c_field_text(w, "scale_factor",
                         line ? nn__c_scale(w, a->step_w, x[3], y[3])
                              : nn__c_scale(w, a->step_h, x[2], y[2]));
        if (!line) nn__c_field_text(w, "scale_factor_w", nn__c_scale(w, a->step_w, x[3], y[3]));
    }
    if (a->mode != NN_RESIZE_NEAREST) nn__c_field_text(w, "mode", modes[a->mode]);
    nn__c_field_true(w, "align_corners", a->align_corners);
    nn__c_field_true(w, "antialias", a->antialias);
    if (a->mode == NN_RESIZE_CUBIC)
        nn__c_field_real(w, "cubic", a->cubic, a->antialias ? -0.5f : -0.75f);
    nn__c_end(w, "nn_resize_desc", &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_grid_sample(nn__c_writer *w, const nn_grid_sample_args *a,
                                              const nn_grid_sample_args *b) {
    static const char *const modes[] = {NULL, "NN_GRID_NEAREST", "NN_GRID_BICUBIC"};
    static const char *const paddings[] = {NULL, "NN_GRID_BORDER", "NN_GRID_REFLECTION"};
    (void)b;
    nn__c_begin(w, "nn_grid_sample");
    nn__c_arg(w, "%s", nn__c_in(w, &a->x));
    nn__c_arg(w, "%s", nn__c_in(w, &a->grid));
    if (modes[a->mode]) nn__c_field_text(w, "mode", modes[a->mode]);
    if (paddings[a->padding]) nn__c_field_text(w, "padding_mode", paddings[a->padding]);
    nn__c_field_true(w, "align_corners", a->align_corners);
    nn__c_end(w, "nn_grid_sample_desc", &a->y);
}

/* ---- losses ---------------------------------------------------------------------------------- */

static void nn__c_reduction(nn__c_writer *w, nn_reduction reduction) {
    if (reduction == NN_SUM) nn__c_field_text(w, "reduction", "NN_SUM");
    if (reduction == NN_REDUCTION_NONE) nn__c_field_text(w, "reduction", "NN_REDUCTION_NONE");
}

NN__ONNX_PRIVATE void nn__c_write_cross_entropy(nn__c_writer *w, const nn_cross_entropy_args *a,
                                                const nn_cross_entropy_args *b) {
    const bool nll = a->log_probabilities;
    (void)b;
    nn__c_begin(w, nll ? "nn_nll_loss" : "nn_cross_entropy");
    nn__c_arg(w, "%s", nn__c_in(w, &a->logits));
    nn__c_arg(w, "%s", nn__c_in(w, &a->label));
    nn__c_field_node(w, "weight", &a->weight);
    nn__c_reduction(w, a->reduction);
    if (!nll) nn__c_field_real(w, "label_smoothing", a->label_smoothing, 0.0f);
    nn__c_field_true(w, "ignore", a->ignore);
    if (a->ignore) nn__c_field(w, "ignore_index", a->ignore_index, 0);
    nn__c_end(w, nll ? "nn_nll_desc" : "nn_cross_entropy_desc", &a->loss);
}

NN__ONNX_PRIVATE void nn__c_write_accuracy(nn__c_writer *w, const nn_accuracy_args *a,
                                           const nn_accuracy_args *b) {
    (void)b;
    nn__c_begin(w, a->top > 1 ? "nn_top_k_accuracy" : "nn_accuracy");
    nn__c_arg(w, "%s", nn__c_in(w, &a->logits));
    nn__c_arg(w, "%s", nn__c_in(w, &a->label));
    if (a->top > 1) nn__c_arg(w, "%d", (int64_t)a->top);
    nn__c_end(w, NULL, &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_ctc(nn__c_writer *w, const nn_ctc_args *a, const nn_ctc_args *b) {
    (void)b;
    nn__c_begin(w, "nn_ctc_loss");
    nn__c_arg(w, "%s", nn__c_in(w, &a->log_probabilities));
    nn__c_arg(w, "%s", nn__c_in(w, &a->targets));
    nn__c_arg(w, "%s", nn__c_in(w, &a->input_lengths));
    nn__c_arg(w, "%s", nn__c_in(w, &a->target_lengths));
    nn__c_field_text(w, "reduction", "NN_REDUCTION_NONE");
    nn__c_field(w, "blank", a->blank, 0);
    nn__c_field_true(w, "zero_infinity", a->zero_infinity);
    nn__c_end(w, "nn_ctc_loss_desc", &a->loss);
}

/* ---- attention ------------------------------------------------------------------------------- */

/* Prints attention. The leading extents of a mask may be missing in its node. */
NN__ONNX_PRIVATE void nn__c_write_attention(nn__c_writer *w, const nn_attention_args *a,
                                            const nn_attention_args *b) {
    const float usual = (float)(1.0 / sqrt((double)a->q.shape.extent[3]));
    const int axis = a->heads_inside ? 1 : 2;
    const int lower = a->k.shape.extent[axis] - a->q.shape.extent[axis],
              lower2 = b->k.shape.extent[axis] - b->q.shape.extent[axis];
    const bool right = (a->offset || b->offset) && a->offset == lower && b->offset == lower2;
    if ((a->offset || b->offset) && !right)
        nn__onnx_cannot(&w->e, "its causal mask begins at another position");
    nn__c_begin(w, "nn_scaled_dot_product_attention");
    nn__c_arg(w, "%s", nn__c_in(w, &a->q));
    nn__c_arg(w, "%s", nn__c_in(w, &a->k));
    nn__c_arg(w, "%s", nn__c_in(w, &a->v));
    nn__c_field_node(w, "attn_mask", &a->mask);
    nn__c_field_node(w, "lengths", &a->lengths);
    nn__c_field_node(w, "positions", &a->positions);
    nn__c_field_node(w, "starts", &a->starts);
    if (a->scale != usual || a->scale != 1.0f / sqrtf((float)a->q.shape.extent[3]))
        nn__c_field_text(w, "scale", nn__c_real(w, a->scale, false));
    nn__c_field_true(w, "is_causal", a->causal);
    nn__c_field_true(w, "lower_right", right);
    nn__c_field(w, "window", a->window, 0);
    nn__c_field_true(w, "alibi", a->alibi);
    nn__c_field_true(w, "heads_inside", a->heads_inside);
    nn__c_end(w, "nn_scaled_dot_product_attention_desc", &a->y);
}

/* Prints nn_sinusoidal_positions. Only the shape of its input matters. */
static void nn__c_sinusoidal(nn__c_writer *w, const nn_rotary_args *a) {
    nn__c_begin(w, "nn_sinusoidal_positions");
    nn__c_arg(w, "%s", nn__onnx_value_of(&w->e, nn_describe_node(w->e.current).inputs[0]));
    nn__c_field_node(w, "positions", &a->positions);
    nn__c_field_real(w, "base", a->base, 10000.0f);
    nn__c_field(w, "offset", a->offset, 0);
    nn__c_field_true(w, "halves", !a->interleaved);
    nn__c_end(w, "nn_sinusoidal_desc", &a->y);
}

NN__ONNX_PRIVATE void nn__c_write_rotary(nn__c_writer *w, const nn_rotary_args *a,
                                         const nn_rotary_args *b) {
    (void)b;
    if (!a->x.dtype) {
        nn__c_sinusoidal(w, a);
        return;
    }
    if (a->inverse) nn__onnx_cannot(&w->e, "it is the gradient of a rotary embedding");
    nn__c_begin(w, "nn_rotary_embedding");
    nn__c_arg(w, "%s", nn__c_in(w, &a->x));
    nn__c_field_real(w, "base", a->base, 10000.0f);
    nn__c_field(w, "rotary_dim", a->width, a->x.shape.extent[3]);
    nn__c_field_true(w, "interleaved", a->interleaved);
    nn__c_field_true(w, "heads_inside", a->heads_inside);
    nn__c_field_node(w, "positions", &a->positions);
    nn__c_field(w, "offset", a->offset, 0);
    nn__c_field_real(w, "factor", a->factor, 1.0f);
    nn__c_field(w, "original_max_position_embeddings", a->original, 0);
    if (a->original) {
        nn__c_field_real(w, "low_freq_factor", a->low, 1.0f);
        nn__c_field_real(w, "high_freq_factor", a->high, 4.0f);
    }
    nn__c_end(w, "nn_rotary_embedding_desc", &a->y);
}
