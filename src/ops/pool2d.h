/* ops/pool2d.h - maximum and average pooling, as torch.nn.MaxPool2d, AvgPool2d and
   AdaptiveAvgPool2d(1). */
#pragma once

#include "graph/model.h"

/* torch.nn.MaxPool2d and AvgPool2d. x (N, C, H, W), y (N, C, OH, OW), OH as for a convolution,
   rounded down. Padding is at most half the kernel; it counts as -infinity in the maximum and as
   zeros in the average. */
typedef struct nn_pool2d_desc {
    int kernel;               /* height and width (see nn_conv2d_desc); must be given, or the
                                 following two */
    int kernel_h, kernel_w;   /* default: kernel */
    int stride;               /* default: the kernel along the same axis, as in PyTorch */
    int stride_h, stride_w;   /* default: stride */
    int padding;              /* default: 0 */
    int padding_h, padding_w; /* default: padding; NN_NONE for 0 */
    bool ceil; /* default: false. true: rounds the output extents up (PyTorch's ceil_mode) */
    bool count_only_inside; /* average only; default: false. true: divides by the number of elements
                               inside x (count_include_pad=False) */
    int divisor; /* average only; default: the size of the window, with padding. PyTorch's
                    divisor_override. Not with NN_NO_RARE_OPTIONS */
    int dilation; /* maximum only; default: 1. The distance between the elements of a window; the
                     window is then dilation * (kernel - 1) + 1 high. Not with NN_NO_RARE_OPTIONS */
    int dilation_h, dilation_w; /* default: dilation */
} nn_pool2d_desc;

NN_API nn_node *nn_max_pool2d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool2d_desc *desc);
#define nn_max_pool2d(...) nn_max_pool2d_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_avg_pool2d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool2d_desc *desc);
#define nn_avg_pool2d(...) nn_avg_pool2d_at(NN_HERE, __VA_ARGS__)
/* (N, C, H, W) to (N, C, 1, 1): the mean of each plane. */
NN_API nn_node *nn_global_avg_pool2d_at(nn_site site, nn_model *net, nn_node *x);
#define nn_global_avg_pool2d(...) nn_global_avg_pool2d_at(NN_HERE, __VA_ARGS__)

/* ---- immediate. index: i32 of y's shape, may be NULL if no backward follows. ---------------

   Backward needs the index that forward has written, and does not check it, as in PyTorch. It
   ignores an index outside of [0, H * W); nothing is written out of bounds. For an index inside the
   plane but outside of its window, the gradient is added there or ignored. */

NN_API nn_result nn_max_pool2d_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                          const nn_tensor *x, const nn_pool2d_desc *desc);
#define nn_max_pool2d_forward(...) nn_max_pool2d_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_max_pool2d_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                           const nn_tensor *index, const nn_pool2d_desc *desc);
#define nn_max_pool2d_backward(...) nn_max_pool2d_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_avg_pool2d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                          const nn_pool2d_desc *desc);
#define nn_avg_pool2d_forward(...) nn_avg_pool2d_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_avg_pool2d_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                           const nn_pool2d_desc *desc);
#define nn_avg_pool2d_backward(...) nn_avg_pool2d_backward_at(NN_HERE, __VA_ARGS__)
