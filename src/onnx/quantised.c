/* onnx/quantised.c - numbers with scales and zero points. */
#include "onnx/quantised.h"

NN__ONNX_PRIVATE bool nn__onnx_limits_of(nn__onnx_type type, double *least, double *most) {
    *least = type == NN__ONNX_INT8    ? -128
             : type == NN__ONNX_INT16 ? -32768
             : type == NN__ONNX_INT4  ? -8
                                      : 0;
    *most = type == NN__ONNX_UINT8    ? 255
            : type == NN__ONNX_INT8   ? 127
            : type == NN__ONNX_UINT16 ? 65535
            : type == NN__ONNX_INT16  ? 32767
            : type == NN__ONNX_UINT4  ? 15
            : type == NN__ONNX_INT4   ? 7
                                      : -1;
    return *most > 0;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_aligned(nn__onnx_node *n, int i, nn_shape x, int axis,
                                           int block) {
    const nn_shape shape = nn__onnx_shape(n, i);
    nn_node *node;
    if (!nn__onnx_has(n, i)) return nn__onnx_number_node(n, 0);
    node = nn__onnx_x(n, i);
    if (nn_shape_count(shape) == 1 && block == 0) {
        nn_shape none;
        memset(&none, 0, sizeof none);
        return nn__onnx_reshaped(n, node, none);
    }
    if (block == 0) {
        if (shape.rank == 1) {
            nn_shape wide = x;
            for (int k = 0; k < x.rank; k++) wide.extent[k] = k == axis ? shape.extent[0] : 1;
            return nn__onnx_reshaped(n, node, wide);
        }
        return node;
    }
    node = nn_repeat_interleave_at(n->site, n->net, node, block, axis);
    return nn_node_shape(node).extent[axis] > x.extent[axis]
               ? nn__onnx_cut(n, node, axis, 0, x.extent[axis], 1)
               : node;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_dequantised(nn__onnx_node *n, nn_node *x, nn_node *scale,
                                               nn_node *zero) {
    if (!zero) return nn_multiply_at(n->site, n->net, x, scale);
    return nn__onnx_express(n, "x, s, z: (x - z) * s", x, scale, zero, 0, 0);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_quantised(nn__onnx_node *n, nn_node *x, nn_node *scale,
                                             nn_node *zero, nn__onnx_type type) {
    double least, most;
    if (!nn__onnx_limits_of(type, &least, &most)) {
        nn__onnx_refuse(n, NULL,
                        "its output has dtype %s; integers of 4, 8 and 16 bits are supported",
                        nn__onnx_type_name(type));
        return NULL;
    }
    if (!zero) zero = nn__onnx_number_node(n, 0);
    /* with these limits in the text, nn.h computes it in one pass */
    if (type == NN__ONNX_UINT8)
        return nn__onnx_express(n, "x, s, z: clamp(round(x / s) + z, 0, 255)", x, scale, zero, 0,
                                0);
    if (type == NN__ONNX_INT8)
        return nn__onnx_express(n, "x, s, z: clamp(round(x / s) + z, -128, 127)", x, scale, zero,
                                0, 0);
    return nn__onnx_express(n, "x, s, z: clamp(round(x / s) + z, p, q)", x, scale, zero, least,
                            most);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_less_zero(nn__onnx_node *n, int i, int z, int axis) {
    double number;
    nn_node *x = nn__onnx_x(n, i);
    if (!nn__onnx_has(n, z) || (nn__onnx_scalar(n, z, &number) && number == 0)) return x;
    return nn_subtract_at(n->site, n->net, x,
                          nn__onnx_aligned(n, z, nn__onnx_shape(n, i), axis, 0));
}

/* ---- exact sums ------------------------------------------------------------------------------ */

NN__ONNX_PRIVATE bool nn__onnx_is_wide(nn__onnx_node *n, int i, int z, int axis, int64_t terms) {
    const nn__onnx_tensor *w = nn__onnx_known(n, i), *zero = nn__onnx_known(n, z);
    uint64_t inner = 1, places;
    double *sums, most = 0;
    if (!w || !w->data || (nn__onnx_has(n, z) && (!zero || !zero->data)) || axis >= w->rank)
        return terms > (1 << 24) / (255 * 255);
    for (int k = axis + 1; k < w->rank; k++) inner *= (uint64_t)w->extent[k];
    places = (uint64_t)w->extent[axis];
    sums = (double *)nn__onnx_scratch(n, places * sizeof *sums);
    for (uint64_t k = 0; sums && k < w->count; k++) {
        const uint64_t place = k / inner % places;
        const double from = !zero || zero->count == 0
                                ? 0
                                : nn__onnx_real(zero, zero->count > 1 ? place % zero->count : 0);
        sums[place] += fabs(nn__onnx_real(w, k) - from);
        if (sums[place] > most) most = sums[place];
    }
    return most * 255 >= 16777216;
}

NN__ONNX_PRIVATE void nn__onnx_split(nn__onnx_node *n, nn_node *x, nn_node **high, nn_node **low) {
    *high = nn__onnx_express(n, "x: floor(x / 16)", x, NULL, NULL, 0, 0);
    *low = nn__onnx_express(n, "x, y: x - 16 * y", x, *high, NULL, 0, 0);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_unsplit(nn__onnx_node *n, nn_node *high, nn_node *low) {
    return nn__onnx_express(n, "x, y: 16 * x + y", high, low, NULL, 0, 0);
}

NN__ONNX_PRIVATE void nn__onnx_range_now(nn__onnx_node *n, nn_node *x, nn_node **scale,
                                         nn_node **zero) {
    nn_axes all;
    nn_node *most, *least;
    memset(&all, 0, sizeof all);
    most = nn_reduce_at(n->site, n->net, NN_MAX, x, all, false);
    least = nn_reduce_at(n->site, n->net, NN_MIN, x, all, false);
    *scale = nn__onnx_express(n, "a, b: max(a, 0) == min(b, 0) ? 1 : (max(a, 0) - min(b, 0)) / 255",
                              most, least, NULL, 0, 0);
    *zero = nn__onnx_express(n, "b, s: clamp(round(0 - min(b, 0) / s), 0, 255)", least, *scale,
                             NULL, 0, 0);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_quantise_now(nn__onnx_node *n, nn_node *x, nn_node **scale,
                                                nn_node **zero) {
    nn__onnx_range_now(n, x, scale, zero);
    return nn__onnx_quantised(n, x, *scale, *zero, NN__ONNX_UINT8);
}
