/* onnx/save_conv.c - convolutions, transposed ones, and pools. */
#include "onnx/emit.h"

/* The windows along one or two axes, in the order of the axes: {height, width} or {length}. */
typedef struct nn__onnx_windows {
    int count; /* axes */
    int32_t kernel[2], stride[2], dilation[2], before[2], after[2];
    bool ceil;
} nn__onnx_windows;

/* Fills the windows of images, of which lines have only the width. False: refused. */
static bool nn__onnx_windows_of(nn__onnx_emitter *e, const nn_view *x, const int32_t *numbers,
                                nn__onnx_windows *w) {
    const int rank = nn_node_shape(nn__onnx_node_at(x)).rank;
    const int first = rank == 3 ? 1 : 0;
    memset(w, 0, sizeof *w);
    if (rank != 3 && rank != 4)
        return nn__onnx_cannot(e, "its input has %d axes; wanted 3 (lines) or 4 (images)",
                               (int64_t)rank);
    for (int i = first; i < 2; i++, w->count++) {
        w->kernel[w->count] = numbers[i];
        w->stride[w->count] = numbers[2 + i];
        w->before[w->count] = numbers[4 + i];
        w->dilation[w->count] = numbers[6 + i] ? numbers[6 + i] : 1;
    }
    return true;
}

/* Returns the number of places at the end of an axis that y windows over x places do not reach. */
static int64_t nn__onnx_missing(const nn__onnx_windows *w, int i, int64_t y, int64_t x) {
    return (y - 1) * w->stride[i] + (int64_t)w->dilation[i] * (w->kernel[i] - 1) + 1 - x -
           w->before[i];
}

/* Works out the padding at the end: as at the beginning if this gives the right number of windows
   (with may_ceil also rounded up), else as much as the last window needs. */
static bool nn__onnx_end_padding(nn__onnx_emitter *e, nn__onnx_windows *w, const nn_view *y,
                                 const nn_view *x, const nn_view *y2, const nn_view *x2,
                                 bool may_ceil) {
    for (int i = 0; i < w->count; i++) {
        const int at = 4 - w->count + i;
        const int64_t missing = nn__onnx_missing(w, i, y->shape.extent[at], x->shape.extent[at]);
        const int64_t again = nn__onnx_missing(w, i, y2->shape.extent[at], x2->shape.extent[at]);
        const int64_t over = missing - w->before[i];
        if (over <= 0 && over > -w->stride[i] && again - w->before[i] <= 0 &&
            again - w->before[i] > -w->stride[i]) {
            w->after[i] = w->before[i];
        } else if (may_ceil && over > 0 && over < w->stride[i]) {
            w->after[i] = w->before[i];
            w->ceil = true;
        } else {
            w->after[i] = (int32_t)(missing > 0 ? missing : 0);
            if ((again > 0 ? again : 0) != w->after[i])
                return nn__onnx_cannot(e, "its padding depends on a free extent");
        }
    }
    return true;
}

static void nn__onnx_window_attributes(nn__onnx_emitter *e, const nn__onnx_windows *w) {
    int32_t pads[4];
    bool padded = false, dilated = false, strided = false;
    for (int i = 0; i < w->count; i++) {
        pads[i] = w->before[i];
        pads[w->count + i] = w->after[i];
        padded = padded || w->before[i] || w->after[i];
        dilated = dilated || w->dilation[i] != 1;
        strided = strided || w->stride[i] != 1;
    }
    nn__onnx_op_ints(e, "kernel_shape", w->kernel, w->count);
    if (strided) nn__onnx_op_ints(e, "strides", w->stride, w->count);
    if (padded) nn__onnx_op_ints(e, "pads", pads, 2 * w->count);
    if (dilated) nn__onnx_op_ints(e, "dilations", w->dilation, w->count);
}

static void nn__onnx_conv_numbers(const nn_conv2d_params *p, int32_t *numbers) {
    const int32_t all[8] = {p->kernel_h,  p->kernel_w,  p->stride_h,   p->stride_w,
                            p->padding_h, p->padding_w, p->dilation_h, p->dilation_w};
    memcpy(numbers, all, sizeof all);
}

NN__ONNX_PRIVATE void nn__onnx_save_conv2d(nn__onnx_emitter *e, const nn_conv2d_args *a,
                                           const nn_conv2d_args *b) {
    int32_t numbers[8];
    nn__onnx_windows w;
    const char *x = nn__onnx_in_x(e, &a->x), *weight = nn__onnx_in_x(e, &a->weight);
    const char *bias = nn__onnx_in_x(e, &a->epilogue.bias);
    nn__onnx_conv_numbers(&a->params, numbers);
    if (a->accumulate) nn__onnx_cannot(e, "it adds to its result");
    if (!nn__onnx_windows_of(e, &a->x, numbers, &w) ||
        !nn__onnx_end_padding(e, &w, &a->y, &a->x, &b->y, &b->x, false))
        return;
    nn__onnx_begin_op(e, "Conv");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, weight);
    nn__onnx_op_in(e, bias);
    nn__onnx_window_attributes(e, &w);
    if (a->params.groups > 1) nn__onnx_op_int(e, "group", a->params.groups);
    nn__onnx_op_end(e, nn__onnx_out(e, &a->y));
}

/* The operator's input is the field y of the arguments. */
NN__ONNX_PRIVATE void nn__onnx_save_conv_transpose(nn__onnx_emitter *e, const nn_conv2d_args *a,
                                                   const nn_conv2d_args *b) {
    int32_t numbers[8], more[2];
    nn__onnx_windows w;
    const char *x = nn__onnx_in_x(e, &a->y), *weight = nn__onnx_in_x(e, &a->weight);
    const char *bias = nn__onnx_in_x(e, &a->epilogue.bias);
    nn__onnx_conv_numbers(&a->params, numbers);
    if (a->accumulate) nn__onnx_cannot(e, "it adds to its result");
    if (!nn__onnx_windows_of(e, &a->y, numbers, &w)) return;
    for (int i = 0; i < w.count; i++) {
        const int at = 4 - w.count + i;
        w.after[i] = w.before[i];
        more[i] = (int32_t)-nn__onnx_missing(&w, i, a->y.shape.extent[at], a->x.shape.extent[at]) +
                  w.before[i];
        if (-nn__onnx_missing(&w, i, b->y.shape.extent[at], b->x.shape.extent[at]) + w.before[i] !=
                more[i] ||
            more[i] < 0)
            nn__onnx_cannot(e, "its padding depends on a free extent");
    }
    nn__onnx_begin_op(e, "ConvTranspose");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, weight);
    nn__onnx_op_in(e, bias);
    nn__onnx_window_attributes(e, &w);
    if (more[0] || (w.count > 1 && more[1])) nn__onnx_op_ints(e, "output_padding", more, w.count);
    if (a->params.groups > 1) nn__onnx_op_int(e, "group", a->params.groups);
    nn__onnx_op_end(e, nn__onnx_out(e, &a->x));
}

/* ---- pools ----------------------------------------------------------------------------------- */

/* Fills in windows that divide the image: one for all of it, or equal ones. False: they differ in
   size. */
static bool nn__onnx_adaptive(nn__onnx_emitter *e, const nn_pool2d_args *a, const nn_pool2d_args *b,
                              nn__onnx_windows *w, bool *global) {
    int32_t numbers[8] = {1, 1, 1, 1, 0, 0, 1, 1};
    bool equal = true;
    *global = true;
    if (!nn__onnx_windows_of(e, &a->x, numbers, w)) return true;
    for (int i = 0; i < w->count; i++) {
        const int at = 4 - w->count + i;
        const int32_t x = a->x.shape.extent[at], y = a->y.shape.extent[at];
        const int32_t x2 = b->x.shape.extent[at], y2 = b->y.shape.extent[at];
        *global = *global && y == 1 && y2 == 1;
        w->kernel[i] = w->stride[i] = y > 0 ? x / y : 1;
        equal = equal && x % y == 0 && x2 == y2 * w->kernel[i];
    }
    return equal || *global;
}

/* Emits the matrix that takes means of the windows of one axis: (y, x), or transposed (x, y). */
static const char *nn__onnx_mean_matrix(nn__onnx_emitter *e, int32_t x, int32_t y, bool turned) {
    float *numbers =
        (float *)nn__onnx_take(e->call, &e->arena, sizeof(float) * (uint64_t)x * (uint64_t)y);
    nn_shape shape;
    if (!numbers) return "";
    for (int32_t i = 0; i < y; i++) {
        const int32_t from = (int32_t)((int64_t)i * x / y),
                      to = (int32_t)(((int64_t)(i + 1) * x + y - 1) / y);
        for (int32_t k = from; k < to; k++)
            numbers[turned ? k * y + i : i * x + k] = 1.0f / (float)(to - from);
    }
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    shape.extent[0] = turned ? x : y;
    shape.extent[1] = turned ? y : x;
    return nn__onnx_emit_numbers(e, "means", NN_F32, shape, numbers);
}

/* Means of windows of different sizes are products with a matrix for each axis. */
static void nn__onnx_uneven_means(nn__onnx_emitter *e, const nn_pool2d_args *a,
                                  const nn_pool2d_args *b, const char *x) {
    const int rank = nn_node_shape(nn__onnx_node_at(&a->x)).rank;
    const char *height = "", *width;
    for (int at = rank == 3 ? 3 : 2; at < 4; at++)
        if (a->x.shape.extent[at] != b->x.shape.extent[at])
            nn__onnx_cannot(e, "its windows differ in size along a free extent");
    if (!nn__onnx_writes_on(e)) return;
    width = nn__onnx_mean_matrix(e, a->x.shape.extent[3], a->y.shape.extent[3], true);
    if (rank == 4)
        height = nn__onnx_mean_matrix(e, a->x.shape.extent[2], a->y.shape.extent[2], false);
    nn__onnx_begin_function(e, rank == 4 ? "AdaptiveAveragePool2d" : "AdaptiveAveragePool1d");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, width);
    nn__onnx_op_in(e, height);
    nn__onnx_op_end(e, nn__onnx_out(e, &a->y));
}

/* Maxima of windows of different sizes: each is cut out and reduced, first along the height. */
static void nn__onnx_uneven_maxima(nn__onnx_emitter *e, const nn_pool2d_args *a,
                                   const nn_pool2d_args *b, const char *x) {
    const int rank = nn_node_shape(nn__onnx_node_at(&a->x)).rank;
    for (int axis = 2; axis < rank; axis++) {
        const int at = 4 - rank + axis;
        const int32_t from = a->x.shape.extent[at], to = a->y.shape.extent[at];
        const char *parts[NN__ONNX_OP_NAMES], *lists[3], *cut;
        if (from != b->x.shape.extent[at] || to > NN__ONNX_OP_NAMES)
            nn__onnx_cannot(e, "its windows differ in size along a free extent, or are too many");
        lists[2] = nn__onnx_whole_out(e, axis);
        for (int32_t i = 0; i < to && nn__onnx_writes_on(e); i++) {
            lists[0] = nn__onnx_whole_out(e, i * from / to);
            lists[1] = nn__onnx_whole_out(e, ((i + 1) * from + to - 1) / to);
            nn__onnx_begin_op(e, "Slice");
            nn__onnx_op_in(e, x);
            for (int k = 0; k < 3; k++) nn__onnx_op_in(e, lists[k]);
            cut = nn__onnx_op_end(e, NULL);
            parts[i] = nn__onnx_axes_out(e, "ReduceMax", cut, &axis, 1, true, NULL);
        }
        nn__onnx_begin_op(e, "Concat");
        for (int32_t i = 0; i < to && nn__onnx_writes_on(e); i++) nn__onnx_op_in(e, parts[i]);
        nn__onnx_op_int(e, "axis", axis);
        x = nn__onnx_op_end(e, axis + 1 == rank ? nn__onnx_out(e, &a->y) : NULL);
    }
}

/* Converts indices. ONNX's count through all images, ours through each plane. */
static void nn__onnx_plane_index(nn__onnx_emitter *e, const nn_pool2d_args *a, const char *index) {
    const nn_shape x = nn_node_shape(nn__onnx_node_at(&a->x));
    nn_shape plane;
    memset(&plane, 0, sizeof plane);
    plane.rank = 1;
    plane.extent[0] = x.extent[2];
    if (x.rank == 4) plane.extent[0] = nn_multiply_extents(x.extent[2], x.extent[3]);
    index = nn__onnx_emit(e, "Mod", index, nn__onnx_shape_out(e, &plane), NULL, NULL);
    nn__onnx_cast_to(e, index, NN_I32, nn__onnx_out(e, &a->index));
}

NN__ONNX_PRIVATE void nn__onnx_save_pool2d(nn__onnx_emitter *e, const nn_pool2d_args *a,
                                           const nn_pool2d_args *b) {
    const bool largest = a->kind == NN_POOL_MAX, indexed = nn__onnx_is_needed(e, &a->index);
    const int32_t dh = a->dilation_h ? a->dilation_h : 1, dw = a->dilation_w ? a->dilation_w : 1;
    int32_t numbers[8] = {(a->kernel_h - 1) / dh + 1,
                          (a->kernel_w - 1) / dw + 1,
                          a->stride_h,
                          a->stride_w,
                          a->padding_h,
                          a->padding_w,
                          dh,
                          dw};
    const char *x = nn__onnx_in_x(e, &a->x), *outs[2];
    nn__onnx_windows w;
    bool global = false;
    if (a->accumulate) nn__onnx_cannot(e, "it adds to its result");
    if (a->adaptive && indexed)
        nn__onnx_cannot(e, "its indices are used, which ONNX does not give for adaptive pools");
    if (a->adaptive && !nn__onnx_adaptive(e, a, b, &w, &global)) {
        if (largest)
            nn__onnx_uneven_maxima(e, a, b, x);
        else
            nn__onnx_uneven_means(e, a, b, x);
        return;
    }
    if (!a->adaptive && (!nn__onnx_windows_of(e, &a->x, numbers, &w) ||
                         !nn__onnx_end_padding(e, &w, &a->y, &a->x, &b->y, &b->x, true)))
        return;
    outs[0] = nn__onnx_out(e, &a->y);
    outs[1] = indexed ? nn__onnx_new_name(e, "index") : "";
    nn__onnx_begin_op(e, global ? (largest ? "GlobalMaxPool" : "GlobalAveragePool")
                                : (largest ? "MaxPool" : "AveragePool"));
    nn__onnx_op_in(e, x);
    if (!global) nn__onnx_window_attributes(e, &w);
    if (w.ceil) nn__onnx_op_int(e, "ceil_mode", 1);
    if (!largest && !global && !a->adaptive && (!a->count_only_inside || a->divisor))
        nn__onnx_op_int(e, "count_include_pad", 1);
    if (!largest && a->divisor && !w.ceil) {
        outs[0] = nn__onnx_op_end(e, NULL);
        nn__onnx_emit(e, "Mul", outs[0],
                      nn__onnx_real_out(e, (double)a->kernel_h * a->kernel_w / a->divisor), NULL,
                      nn__onnx_out(e, &a->y));
        return;
    }
    if (!largest && a->divisor)
        nn__onnx_cannot(e, "it has both .divisor and .ceil, which ONNX cannot combine");
    nn__onnx_op_end_all(e, outs, indexed ? 2 : 1);
    if (indexed) nn__onnx_plane_index(e, a, outs[1]);
}
