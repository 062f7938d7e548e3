/* ops/fractional_pool.h - the largest of windows that lie at random: torch.nn.FractionalMaxPool2d,
   FractionalMaxPool3d (B. Graham, Fractional Max-Pooling, arXiv 1412.6071). */
#pragma once

#include "ops/pool3d.h"

/* x (N, C, H, W), or (N, C, D, H, W) in three dimensions; H, W and D are numbers. y has the extents
   that are given, each at most that of x less the kernel, plus 1. Windows of the kernel's size
   begin where one random number for each channel and axis says. nn_output(y, 1): the index in the
   plane or volume, which has at most 2^24 places, i32. */
typedef struct nn_fractional_pool_desc {
    int kernel;              /* must be given */
    int kernel_h, kernel_w;  /* default: kernel, kernel_h; kernel is the depth's in 3d, else h's */
    int out_d, out_h, out_w; /* must be given (out_d in 3d), or the ratio */
    float ratio; /* default: none. PyTorch's output_ratio: the part of each extent of x that is
                    left, between 0 and 1, where no number is given */
    /* default: random numbers in [0, 1), others in each step of a training. A node (N, C, 2), for
       the width and the height, or (N, C, 3), for depth, height and width, as PyTorch's
       _random_samples */
    nn_node *samples;
} nn_fractional_pool_desc;
NN_API nn_node *nn_fractional_max_pool2d_at(nn_site site, nn_model *net, nn_node *x,
                                            const nn_fractional_pool_desc *desc);
#define nn_fractional_max_pool2d(...) nn_fractional_max_pool2d_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_fractional_max_pool3d_at(nn_site site, nn_model *net, nn_node *x,
                                            const nn_fractional_pool_desc *desc);
#define nn_fractional_max_pool3d(...) nn_fractional_max_pool3d_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_fractional_max_pool2d_at(nn_site site, nn_model *net, nn_node *x,
                                            const nn_fractional_pool_desc &desc) {
    return nn_fractional_max_pool2d_at(site, net, x, &desc);
}
inline nn_node *nn_fractional_max_pool3d_at(nn_site site, nn_model *net, nn_node *x,
                                            const nn_fractional_pool_desc &desc) {
    return nn_fractional_max_pool3d_at(site, net, x, &desc);
}
}
#endif
