/* ops/lp_pool.h - pools by a power, and the largest of a plane: torch.nn.LPPool1d, LPPool2d,
   AdaptiveMaxPool2d(1). */
#pragma once

#include "ops/pool.h"
#include "ops/pool3d.h"

/* The root of the sum of the numbers of each window to the power of norm_type: x (N, C, H, W),
   the windows of desc, of which .kernel, .stride, .ceil and their widths count. PyTorch's
   formula has no absolute value, so that a power of negative numbers may give NaN; where the sum
   is 0 the gradient is 0. norm_type INFINITY: the largest absolute value of the window,
   -INFINITY: the smallest. */
NN_API nn_node *nn_lp_pool2d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool2d_desc *desc);
#define nn_lp_pool2d(...) nn_lp_pool2d_at(NN_HERE, __VA_ARGS__)
/* The same for lines (N, C, L). */
NN_API nn_node *nn_lp_pool1d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool1d_desc *desc);
#define nn_lp_pool1d(...) nn_lp_pool1d_at(NN_HERE, __VA_ARGS__)

/* (N, C, H, W) to (N, C, 1, 1): the largest of each plane, the first of equal ones. nn_output(y, 1)
   is its index, i32. Not with NN_NO_REPORTS. */
NN_API nn_node *nn_global_max_pool2d_at(nn_site site, nn_model *net, nn_node *x);
#define nn_global_max_pool2d(...) nn_global_max_pool2d_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_lp_pool2d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool2d_desc &desc) {
    return nn_lp_pool2d_at(site, net, x, norm_type, &desc);
}
inline nn_node *nn_lp_pool1d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool1d_desc &desc) {
    return nn_lp_pool1d_at(site, net, x, norm_type, &desc);
}
}
#endif
