/* onnx/windows.h - what convolutions and pools share: their windows, and convolutions whose weights
   are nodes. */
#pragma once

#include "onnx/map_tools.h"

enum { NN__ONNX_WIDEST = 1 << 28 }; /* sums of a few such numbers fit into 32 bits */

/* Windows over 1 to 3 axes, of one axis after the other. */
typedef struct nn__onnx_window {
    int count;  /* of axes */
    bool exact; /* sums of whole numbers: direct sums */
    int32_t kernel[3], stride[3], dilation[3], before[3], after[3];
} nn__onnx_window;

/* Reads the attributes kernel_shape, strides, dilations, pads and auto_pad. weight: the operand
   whose last extents are the kernel; -1: there is none. False: refused. */
NN__ONNX_PRIVATE bool nn__onnx_window_of(nn__onnx_node *n, nn__onnx_window *w, int weight);
/* Reads an attribute with one number for each axis of the windows. False: refused. */
NN__ONNX_PRIVATE bool nn__onnx_each(nn__onnx_node *n, const char *name, int32_t absent, int32_t *to,
                                    int count);
/* True if the padding is the same before and after each axis. */
NN__ONNX_PRIVATE bool nn__onnx_even(const nn__onnx_window *w);
/* Pads the axes of the windows with a value, and takes the padding out of w. */
NN__ONNX_PRIVATE nn_node *nn__onnx_pad_window(nn__onnx_node *n, nn_node *x, nn__onnx_window *w,
                                              double value);
/* Returns a number for a field of a desc in which 0 means "as another field". */
static inline int nn__onnx_or_none(int32_t number) { return number == 0 ? NN_NONE : (int)number; }
/* Returns a convolution of nodes: weight (K, C / groups, ...), no bias. */
NN__ONNX_PRIVATE nn_node *nn__onnx_convolve(nn__onnx_node *n, nn_node *x, nn_node *weight,
                                            const nn__onnx_window *window, int groups);
/* Adds one number for each channel: y (N, K, ...), bias (K). */
NN__ONNX_PRIVATE nn_node *nn__onnx_add_bias(nn__onnx_node *n, nn_node *y, nn_node *bias);
