/* onnx/map_pool.c - MaxPool, AveragePool, LpPool, their global forms, MaxUnpool. */
#include "onnx/integers.h"

static nn_node *nn__onnx_pool1d(nn__onnx_node *n, nn_node *x, const nn__onnx_window *w,
                                bool largest, bool ceil, bool inside) {
    nn_pool1d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = w->kernel[0];
    desc.stride = w->stride[0];
    desc.padding = w->before[0];
    desc.dilation = w->dilation[0] > 1 ? w->dilation[0] : 0;
    desc.ceil = ceil;
    desc.count_only_inside = inside;
    return largest ? nn_max_pool1d_at(n->site, n->net, x, &desc)
                   : nn_avg_pool1d_at(n->site, n->net, x, &desc);
}

static nn_pool2d_desc nn__onnx_pool2d_desc(const nn__onnx_window *w, bool ceil, bool inside) {
    const bool dilated = w->dilation[0] > 1 || w->dilation[1] > 1;
    nn_pool2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = w->kernel[0];
    desc.kernel_w = w->kernel[1];
    desc.stride = w->stride[0];
    desc.stride_w = w->stride[1];
    desc.padding = w->before[0];
    desc.padding_w = nn__onnx_or_none(w->before[1]);
    desc.dilation = dilated ? w->dilation[0] : 0;
    desc.dilation_w = dilated ? w->dilation[1] : 0;
    desc.ceil = ceil;
    desc.count_only_inside = inside;
    return desc;
}

static nn_node *nn__onnx_pool2d(nn__onnx_node *n, nn_node *x, const nn__onnx_window *w,
                                bool largest, bool ceil, bool inside) {
    const nn_pool2d_desc desc = nn__onnx_pool2d_desc(w, ceil, inside);
    return largest ? nn_max_pool2d_at(n->site, n->net, x, &desc)
                   : nn_avg_pool2d_at(n->site, n->net, x, &desc);
}

static nn_node *nn__onnx_pool3d(nn__onnx_node *n, nn_node *x, const nn__onnx_window *w,
                                bool largest, bool ceil, bool inside) {
    const bool dilated = w->dilation[0] > 1 || w->dilation[1] > 1 || w->dilation[2] > 1;
    nn_pool3d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.kernel = w->kernel[0];
    desc.kernel_h = w->kernel[1];
    desc.kernel_w = w->kernel[2];
    desc.stride = w->stride[0];
    desc.stride_h = w->stride[1];
    desc.stride_w = w->stride[2];
    desc.padding = w->before[0];
    desc.padding_h = nn__onnx_or_none(w->before[1]);
    desc.padding_w = nn__onnx_or_none(w->before[2]);
    desc.dilation = dilated ? w->dilation[0] : 0;
    desc.dilation_h = dilated ? w->dilation[1] : 0;
    desc.dilation_w = dilated ? w->dilation[2] : 0;
    desc.ceil = ceil;
    desc.count_only_inside = inside;
    return largest ? nn_max_pool3d_at(n->site, n->net, x, &desc)
                   : nn_avg_pool3d_at(n->site, n->net, x, &desc);
}

static nn_node *nn__onnx_pool(nn__onnx_node *n, nn_node *x, const nn__onnx_window *w, bool largest,
                              bool ceil, bool inside) {
    return w->count == 1   ? nn__onnx_pool1d(n, x, w, largest, ceil, inside)
           : w->count == 2 ? nn__onnx_pool2d(n, x, w, largest, ceil, inside)
                           : nn__onnx_pool3d(n, x, w, largest, ceil, inside);
}

/* True if nn.h's pools have this padding themselves. */
static bool nn__onnx_own_padding(const nn__onnx_window *w, bool largest) {
    for (int i = 0; i < w->count; i++)
        if (w->before[i] > w->kernel[i] / 2 || (!largest && w->dilation[i] > 1)) return false;
    return nn__onnx_even(w);
}

/* Computes the extents of y. A window that begins after x is left out. Changes w->after so that the
   windows fill the padded x. False: refused, an extent is free. */
static bool nn__onnx_fill(nn__onnx_node *n, nn__onnx_window *w, bool ceil, int32_t *outs) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    for (int i = 0; i < w->count; i++) {
        const int32_t extent = shape.extent[i + 2], stride = w->stride[i];
        const int32_t span = w->dilation[i] * (w->kernel[i] - 1) + 1;
        const int32_t room = extent + w->before[i] + w->after[i] - span;
        if (extent < 0)
            return nn__onnx_refuse(n, "give that extent a number in .extents",
                                   "its padding or dilation needs a number for a free extent");
        if (room < 0) return nn__onnx_refuse(n, NULL, "its windows are larger than its input");
        outs[i] = (ceil ? room + stride - 1 : room) / stride + 1;
        if (ceil && (outs[i] - 1) * stride >= extent + w->before[i]) outs[i]--;
        w->after[i] = (outs[i] - 1) * stride + span - extent - w->before[i];
    }
    return true;
}

/* Returns sums over windows that fill x, divided by the size of a window. Dilated windows are
   convolutions with ones. */
static nn_node *nn__onnx_means(nn__onnx_node *n, nn_node *x, const nn__onnx_window *w) {
    const nn_shape shape = nn_node_shape(x);
    int64_t extents[NN__ONNX_RANK], size = 1;
    bool dilated = false;
    unsigned char *data;
    nn__onnx_tensor *same;
    for (int i = 0; i < w->count; i++) dilated = dilated || w->dilation[i] > 1;
    if (!dilated) return nn__onnx_pool(n, x, w, false, false, false);
    if (shape.extent[1] < 1) {
        nn__onnx_refuse(n, "give that extent a number in .extents", "its channels are free");
        return NULL;
    }
    extents[0] = shape.extent[1];
    extents[1] = 1;
    for (int i = 0; i < w->count; i++) size *= extents[i + 2] = w->kernel[i];
    same = nn__onnx_new(n, NN__ONNX_FLOAT, w->count + 2, extents, &data);
    for (uint64_t i = 0; same && i < same->count; i++)
        nn__onnx_put_real(data, NN__ONNX_FLOAT, i, 1 / (double)size);
    return nn__onnx_convolve(n, x, nn__onnx_constant_of(n, same, NN_F32), w, shape.extent[1]);
}

/* Returns the size of a window, divided by how many of its places are inside x, or in the padding
   that was asked for. */
static nn_node *nn__onnx_shares(nn__onnx_node *n, const nn__onnx_window *asked, const int32_t *outs,
                                bool padding) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    int64_t extents[NN__ONNX_RANK];
    unsigned char *data;
    nn__onnx_tensor *made;
    extents[0] = extents[1] = 1;
    for (int i = 0; i < asked->count; i++) extents[i + 2] = outs[i];
    made = nn__onnx_new(n, NN__ONNX_FLOAT, asked->count + 2, extents, &data);
    for (uint64_t k = 0; made && k < made->count; k++) {
        uint64_t rest = k;
        double share = 1;
        for (int i = asked->count - 1; i >= 0; i--) {
            const int32_t begin = (int32_t)(rest % (uint64_t)outs[i]) * asked->stride[i];
            const int32_t first = padding ? 0 : asked->before[i];
            const int32_t end =
                shape.extent[i + 2] + asked->before[i] + (padding ? asked->after[i] : 0);
            int inside = 0;
            for (int r = 0; r < asked->kernel[i]; r++) {
                const int32_t place = begin + r * asked->dilation[i];
                inside += place >= first && place < end;
            }
            rest /= (uint64_t)outs[i];
            share *= (double)asked->kernel[i] / (inside > 0 ? inside : 1);
        }
        nn__onnx_put_real(data, NN__ONNX_FLOAT, k, share);
    }
    return nn__onnx_constant_of(n, made, NN_F32);
}

static void nn__onnx_map_average_pool(nn__onnx_node *n) {
    const bool ceil = nn__onnx_int(n, "ceil_mode", 0) != 0;
    const bool padding = nn__onnx_int(n, "count_include_pad", 0) != 0;
    nn__onnx_window w, asked;
    int32_t outs[3];
    nn_node *x, *y;
    if (!nn__onnx_window_of(n, &w, -1)) return;
    x = nn__onnx_x(n, 0);
    if (nn__onnx_own_padding(&w, false)) {
        y = nn__onnx_pool(n, x, &w, false, ceil, !padding);
    } else {
        asked = w;
        if (!nn__onnx_fill(n, &w, ceil, outs)) return;
        y = nn__onnx_means(n, nn__onnx_pad_window(n, x, &w, 0), &w);
        y = nn_multiply_at(n->site, n->net, y, nn__onnx_shares(n, &asked, outs, padding));
    }
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* ---- maxima and their places ----------------------------------------------------------------- */

/* Returns the numbers of the samples, (N, 1, ...), times a factor. */
static nn_node *nn__onnx_samples(nn__onnx_node *n, nn_shape shape, double factor) {
    nn_node *ones = nn__onnx_number_node(n, 1);
    for (int i = 1; i < shape.rank; i++) shape.extent[i] = 1;
    ones = nn_cumsum_at(n->site, n->net, nn_expand_at(n->site, n->net, ones, shape), 0);
    return nn__onnx_express(n, "x: x * p - p", ones, NULL, NULL, factor, 0);
}

/* Converts indices. Ours count within the padded plane, ONNX's within the whole tensor, by columns
   if storage_order is 1. */
static void nn__onnx_give_places(nn__onnx_node *n, nn_node *y, const int32_t *before,
                                 const int32_t *padded, int count) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const bool columns = nn__onnx_int(n, "storage_order", 0) != 0 && count > 1;
    nn_node *left = nn_cast_at(n->site, n->net, nn_output_at(n->site, y, 1), NN_F32);
    nn_node *place = NULL, *first;
    nn_shape channels;
    double size = 1, steps[3];
    for (int i = count - 1; i >= 0; i--) {
        steps[i] = size;
        size *= shape.extent[i + 2];
    }
    if (columns) { /* the last two axes change places */
        steps[count - 2] = 1;
        steps[count - 1] = shape.extent[count];
    }
    for (int i = count - 1; i >= 0; i--) {
        nn_node *at = nn__onnx_express(n, "x: remainder(x, p) - q", left, NULL, NULL,
                                       (double)padded[i], (double)before[i]);
        place = place ? nn__onnx_express(n, "x, y: x + y * p", place, at, NULL, steps[i], 0)
                      : nn__onnx_express(n, "x: x * p", at, NULL, NULL, steps[i], 0);
        left = nn__onnx_express(n, "x: floor(x / p)", left, NULL, NULL, (double)padded[i], 0);
    }
    channels = shape;
    for (int i = 0; i < shape.rank; i++)
        if (i != 1) channels.extent[i] = 1;
    first = nn__onnx_express(n, "x: x * p", nn__onnx_numbered(n, shape.extent[1], channels), NULL,
                             NULL, size, 0);
    first = nn_add_at(n->site, n->net, first, nn__onnx_samples(n, shape, size * shape.extent[1]));
    nn__onnx_give(n, 1, nn_add_at(n->site, n->net, place, first), NN__ONNX_INT64);
}

static void nn__onnx_map_max_pool(nn__onnx_node *n) {
    const bool ceil = nn__onnx_int(n, "ceil_mode", 0) != 0;
    const nn_shape shape = nn__onnx_shape(n, 0);
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    nn__onnx_window w;
    int32_t outs[3], before[3], padded[3];
    nn_node *x, *y;
    if (!nn__onnx_window_of(n, &w, -1)) return;
    if (integers && w.count == 2 && w.dilation[0] == 1 && w.dilation[1] == 1 &&
        nn__onnx_own_padding(&w, true)) {
        const nn_pool2d_desc desc = nn__onnx_pool2d_desc(&w, ceil, false);
        if (integers->max_pool(n, &desc)) return;
    }
    x = nn__onnx_x(n, 0);
    memset(before, 0, sizeof before);
    for (int i = 0; i < w.count; i++) padded[i] = shape.extent[i + 2];
    if (nn__onnx_own_padding(&w, true)) {
        y = nn__onnx_pool(n, x, &w, true, ceil, false);
    } else {
        if (!nn__onnx_fill(n, &w, ceil, outs)) return;
        for (int i = 0; i < w.count; i++) {
            before[i] = w.before[i];
            padded[i] += w.before[i] + w.after[i];
        }
        y = nn__onnx_pool(n, nn__onnx_pad_window(n, x, &w, -INFINITY), &w, true, false, false);
    }
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
    if (!nn__onnx_wants(n, 1)) return;
    for (int i = 1; i < shape.rank; i++)
        if (shape.extent[i] < 0) {
            nn__onnx_refuse(n, "give that extent a number in .extents",
                            "its second result depends on a free extent");
            return;
        }
    nn__onnx_give_places(n, y, before, padded, w.count);
}

/* The indices count within the tensor that the windows alone make. A larger output_shape adds zeros
   after it. */
static void nn__onnx_map_max_unpool(nn__onnx_node *n) {
    nn_shape shape = nn__onnx_shape(n, 0), plane = shape, wide;
    int32_t wanted[NN_MAX_RANK], before[NN_MAX_RANK], after[NN_MAX_RANK];
    nn__onnx_window w;
    int64_t size = 1;
    nn_node *x, *index, *y;
    nn_max_unpool1d_desc desc;
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
    if (!nn__onnx_window_of(n, &w, -1)) return;
    for (int i = 2; i < shape.rank; i++) {
        const int k = i - 2;
        if (shape.extent[i] < 0) {
            nn__onnx_refuse(n, "give that extent a number in .extents",
                            "its output positions depend on a free extent");
            return;
        }
        plane.extent[i] =
            (shape.extent[i] - 1) * w.stride[k] + w.kernel[k] - w.before[k] - w.after[k];
        size *= plane.extent[i];
    }
    if (nn__onnx_has(n, 2)) {
        if (nn__onnx_extents(n, 2, "output_shape", wanted, NULL, NN_MAX_RANK) != shape.rank) {
            nn__onnx_refuse(n, NULL, "its output_shape does not have one number for each axis");
            return;
        }
        for (int i = 2; i < shape.rank; i++) after[i] = wanted[i] - plane.extent[i];
    }
    /* planes and their pooled values as lines */
    wide = shape;
    wide.rank = 3;
    wide.extent[2] = nn__onnx_joined(n, &shape, 2, shape.rank);
    x = nn__onnx_reshaped(n, nn__onnx_x(n, 0), wide);
    index =
        nn__onnx_express(n, "x: remainder(x, p)", nn__onnx_x(n, 1), NULL, NULL, (double)size, 0);
    index = nn_cast_at(n->site, n->net, nn__onnx_reshaped(n, index, wide), NN_I32);
    memset(&desc, 0, sizeof desc);
    desc.stride = wide.extent[2] > 0 ? (int)(size / wide.extent[2]) : 1;
    desc.kernel = (int)(size - (int64_t)(wide.extent[2] - 1) * desc.stride);
    y = nn_max_unpool1d_at(n->site, n->net, x, index, &desc);
    y = nn__onnx_padded(n, nn__onnx_reshaped(n, y, plane), before, after, 0, NN_PADDING_ZEROS);
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* ---- powers, and whole planes ---------------------------------------------------------------- */

static nn_axes nn__onnx_inner_axes(int rank) {
    nn_axes axes;
    memset(&axes, 0, sizeof axes);
    for (int i = 2; i < rank && i < NN_MAX_RANK; i++) axes.axis[axes.count++] = i;
    return axes;
}

static void nn__onnx_map_global_pool(nn__onnx_node *n) {
    const bool largest = strcmp(n->op->type, "GlobalMaxPool") == 0;
    const int rank = nn__onnx_rank(n, 0);
    nn_node *x = nn__onnx_x(n, 0), *y;
    if (rank < 3)
        y = x;
    else if (rank == 4)
        y = largest ? nn_global_max_pool2d_at(n->site, n->net, x)
                    : nn_global_avg_pool2d_at(n->site, n->net, x);
    else
        y = nn_reduce_at(n->site, n->net, largest ? NN_MAX : NN_MEAN, x, nn__onnx_inner_axes(rank),
                         true);
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

static nn_node *nn__onnx_to_power(nn__onnx_node *n, nn_node *x, double power) {
    if (power == 1) return nn_abs_at(n->site, n->net, x);
    if (power == 2) return nn_square_at(n->site, n->net, x);
    return nn__onnx_express(n, "x: pow(abs(x), p)", x, NULL, NULL, power, 0);
}

static nn_node *nn__onnx_root(nn__onnx_node *n, nn_node *x, double power, double factor) {
    if (power == 2) return nn__onnx_express(n, "x: sqrt(x * p)", x, NULL, NULL, factor, 0);
    return nn__onnx_express(n, "x: pow(x * p, q)", x, NULL, NULL, factor, 1 / power);
}

/* Opset 1 has p as a float. */
static double nn__onnx_p(const nn__onnx_node *n) {
    const nn__onnx_attribute *p = nn__onnx_attribute_of(n, "p");
    return !p ? 2 : p->type == 1 ? p->real : (double)p->whole;
}

static void nn__onnx_map_lp_pool(nn__onnx_node *n) {
    const double p = nn__onnx_p(n);
    double size = 1;
    nn__onnx_window w;
    int32_t outs[3];
    nn_node *y;
    if (!nn__onnx_window_of(n, &w, -1)) return;
    if (!nn__onnx_own_padding(&w, false) || nn__onnx_int(n, "ceil_mode", 0) != 0) {
        if (!nn__onnx_fill(n, &w, nn__onnx_int(n, "ceil_mode", 0) != 0, outs)) return;
    }
    for (int i = 0; i < w.count; i++) size *= w.kernel[i];
    y = nn__onnx_to_power(n, nn__onnx_x(n, 0), p);
    y = nn__onnx_means(n, nn__onnx_pad_window(n, y, &w, 0), &w);
    nn__onnx_give(n, 0, nn__onnx_root(n, y, p, size), nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_global_lp_pool(nn__onnx_node *n) {
    const double p = nn__onnx_p(n);
    nn_node *y = nn__onnx_to_power(n, nn__onnx_x(n, 0), p);
    y = nn_reduce_at(n->site, n->net, NN_SUM, y, nn__onnx_inner_axes(nn__onnx_rank(n, 0)), true);
    nn__onnx_give(n, 0, nn__onnx_root(n, y, p, 1), nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_pool(void) {
    static const nn__onnx_operator lines[] = {
        {"", "MaxPool", 1, 0, nn__onnx_map_max_pool, NULL},
        {"", "AveragePool", 1, 0, nn__onnx_map_average_pool, NULL},
        {"", "LpPool", 1, 0, nn__onnx_map_lp_pool, NULL},
        {"", "MaxUnpool", 9, 0, nn__onnx_map_max_unpool, NULL},
        {"", "GlobalAveragePool", 1, 0, nn__onnx_map_global_pool, NULL},
        {"", "GlobalMaxPool", 1, 0, nn__onnx_map_global_pool, NULL},
        {"", "GlobalLpPool", 1, 0, nn__onnx_map_global_lp_pool, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
