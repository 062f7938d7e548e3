/* ops/lp_pool.h - power-average pooling, and the maximum of a plane: torch.nn.LPPool1d, LPPool2d,
   AdaptiveMaxPool2d(1). */
#pragma once

#include "ops/pool.h"
#include "ops/pool3d.h"

/* Returns for each window the norm_type-th root of the sum of its elements to the power of
   norm_type. x is (N, C, H, W). Of desc only .kernel, .stride, their _h and _w fields and .ceil may
   be set. As in PyTorch's formula there is no absolute value, so a power of negative numbers may
   give NaN. Where the sum is 0, the gradient is 0. norm_type INFINITY gives the largest absolute
   value of the window, -INFINITY the smallest. */
NN_API nn_node *nn_lp_pool2d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool2d_desc *desc);
#define nn_lp_pool2d(...) nn_lp_pool2d_at(NN_HERE, __VA_ARGS__)
/* Does the same for lines (N, C, L). */
NN_API nn_node *nn_lp_pool1d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool1d_desc *desc);
#define nn_lp_pool1d(...) nn_lp_pool1d_at(NN_HERE, __VA_ARGS__)

/* (N, C, H, W) to (N, C, 1, 1): the maximum of each plane. nn_output(y, 1) is its index, i32, the
   first of equal ones. Not with NN_NO_RARE_OPTIONS. */
NN_API nn_node *nn_global_max_pool2d_at(nn_site site, nn_model *net, nn_node *x);
#define nn_global_max_pool2d(...) nn_global_max_pool2d_at(NN_HERE, __VA_ARGS__)
