/* onnx/parts.h - what layers share: operands that are trained, tensors in other shapes. */
#pragma once

#include "onnx/map_tools.h"

/* Returns an operand as a node that is trained: a known one becomes the parameter "layer.part",
   which the other readers of the operand then read, too. */
NN__ONNX_PRIVATE nn_node *nn__onnx_trained(nn__onnx_node *n, int i, const char *layer,
                                           const char *part);
/* Returns x with its axes in the order of `rank` numbers. */
NN__ONNX_PRIVATE nn_node *nn__onnx_ordered(nn__onnx_node *n, nn_node *x, const int *order,
                                           int rank);
/* Describes nn_reshape of a node to 1 to 6 extents. */
NN__ONNX_PRIVATE nn_node *nn__onnx_shaped(nn__onnx_node *n, nn_node *x, int rank,
                                          const int32_t *extents);
/* Returns a vector (C) as (1, C, 1 ...), to compute with x (N, C, ...). */
NN__ONNX_PRIVATE nn_node *nn__onnx_channels(nn__onnx_node *n, nn_node *vector, int rank, int axis);
/* Returns an epsilon for a desc, where 0 means the default. */
static inline float nn__onnx_epsilon(double number) {
    return number == 0 ? (float)NN_NONE : (float)number;
}
