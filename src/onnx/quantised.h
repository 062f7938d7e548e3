/* onnx/quantised.h - what the mappings of quantised operators share. Whole numbers are computed in
   f32, exactly: where a sum could exceed 2^24 it is split. */
#pragma once

#include "onnx/windows.h"

/* Writes the range of the numbers that a dtype can hold; false: it is no integer of at most 16
   bits. */
NN__ONNX_PRIVATE bool nn__onnx_limits_of(nn__onnx_type type, double *least, double *most);
/* Returns operand i, a scale or a zero point, so that it broadcasts with x: one number, one for
   each place of an axis, or one for each block along it. Zero points that are left out are 0. */
NN__ONNX_PRIVATE nn_node *nn__onnx_aligned(nn__onnx_node *n, int i, nn_shape x, int axis,
                                           int block);
/* Return (x - zero) * scale, and clamp(round(x / scale) + zero). */
NN__ONNX_PRIVATE nn_node *nn__onnx_dequantised(nn__onnx_node *n, nn_node *x, nn_node *scale,
                                               nn_node *zero);
NN__ONNX_PRIVATE nn_node *nn__onnx_quantised(nn__onnx_node *n, nn_node *x, nn_node *scale,
                                             nn_node *zero, nn__onnx_type type);
/* Returns operand i less its zero point, operand z, which has one number or one for each index of
   `axis`.
 */
NN__ONNX_PRIVATE nn_node *nn__onnx_less_zero(nn__onnx_node *n, int i, int z, int axis);
/* True if sums of products of activations and weight operand i (less zero point z), over all its
   axes but `axis`, can exceed 2^24. If the weight is computed, a sum has `terms` products. */
NN__ONNX_PRIVATE bool nn__onnx_is_wide(nn__onnx_node *n, int i, int z, int axis, int64_t terms);
/* Writes whole numbers x as 16 * high + low. */
NN__ONNX_PRIVATE void nn__onnx_split(nn__onnx_node *n, nn_node *x, nn_node **high, nn_node **low);
NN__ONNX_PRIVATE nn_node *nn__onnx_unsplit(nn__onnx_node *n, nn_node *high, nn_node *low);
/* Computes the scale and zero point of u8 numbers that the least and largest number of x make. */
NN__ONNX_PRIVATE void nn__onnx_range_now(nn__onnx_node *n, nn_node *x, nn_node **scale,
                                         nn_node **zero);
/* Returns x as u8 numbers, with the scale and zero point that its least and largest number make. */
NN__ONNX_PRIVATE nn_node *nn__onnx_quantise_now(nn__onnx_node *n, nn_node *x, nn_node **scale,
                                                nn_node **zero);
