/* ops/fractional_pool.h - max pooling with random windows: torch.nn.FractionalMaxPool2d,
   FractionalMaxPool3d (B. Graham, Fractional Max-Pooling, arXiv 1412.6071). */
#pragma once

#include "ops/pool3d.h"

/* x (N, C, H, W), or (N, C, D, H, W) in three dimensions; H, W and D are numbers. y has the given
   extents, each at most x's extent - kernel + 1. One random number per channel and axis determines
   where the windows begin. nn_output(y, 1): the index of each maximum in its plane or volume of at
   most 2^24 elements, i32. */
typedef struct nn_fractional_pool_desc {
    int kernel; /* every axis (see nn_conv2d_desc); must be given, or the following */
    int kernel_d, kernel_h, kernel_w; /* default: kernel; kernel_d in 3D only */
    int out_d, out_h, out_w;          /* either these (out_d in 3D) or ratio must be given */
    float ratio; /* default: none. PyTorch's output_ratio: output extent / input extent, between 0
                    and 1, for extents that are not given */
    /* default: random numbers in [0, 1), new in each training step. Or a node (N, C, 2) for width
       and height, or (N, C, 3) for depth, height and width: PyTorch's _random_samples */
    nn_node *samples;
} nn_fractional_pool_desc;
NN_API nn_node *nn_fractional_max_pool2d_at(nn_site site, nn_model *net, nn_node *x,
                                            const nn_fractional_pool_desc *desc);
#define nn_fractional_max_pool2d(...) nn_fractional_max_pool2d_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_fractional_max_pool3d_at(nn_site site, nn_model *net, nn_node *x,
                                            const nn_fractional_pool_desc *desc);
#define nn_fractional_max_pool3d(...) nn_fractional_max_pool3d_at(NN_HERE, __VA_ARGS__)
