/* ops/pool3d.h - pooling of volumes: torch.nn.MaxPool3d, AvgPool3d, AdaptiveMaxPool3d,
   AdaptiveAvgPool3d, LPPool3d, MaxUnpool3d.

   Each pools the planes first and then along the depth, so the cost of an output is kernel_h *
   kernel_w + kernel_d, not their product. Depth, height and width are numbers; none may be the
   batch or the time. */
#pragma once

#include "ops/pool.h"

/* x (N, C, D, H, W), y (N, C, OD, OH, OW). A field without a letter holds for depth, height and
   width (see nn_conv2d_desc). */
typedef struct nn_pool3d_desc {
    int kernel;                             /* must be given, or the following three */
    int kernel_d, kernel_h, kernel_w;       /* default: kernel */
    int stride;                             /* default: the kernel along the same axis */
    int stride_d, stride_h, stride_w;       /* default: stride */
    int padding;                            /* default: 0; at most half the kernel */
    int padding_d, padding_h, padding_w;    /* default: padding; NN_NONE for 0 */
    bool ceil;              /* default: false. true: rounds the output extents up (ceil_mode) */
    bool count_only_inside; /* average only; default: false; true: count_include_pad=False */
    int divisor;            /* average only; default: the size of the window, with padding */
    int dilation;                           /* maximum only; default: 1 */
    int dilation_d, dilation_h, dilation_w; /* default: dilation */
} nn_pool3d_desc;

/* nn_output(y, 1): the index of each maximum in its volume, i32; then a volume has at most 2^24
   elements. */
NN_API nn_node *nn_max_pool3d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool3d_desc *desc);
#define nn_max_pool3d(...) nn_max_pool3d_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_avg_pool3d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool3d_desc *desc);
#define nn_avg_pool3d(...) nn_avg_pool3d_at(NN_HERE, __VA_ARGS__)
/* See nn_lp_pool2d. Only kernels, strides and .ceil may be set. */
NN_API nn_node *nn_lp_pool3d_at(nn_site site, nn_model *net, nn_node *x, float norm_type,
                                const nn_pool3d_desc *desc);
#define nn_lp_pool3d(...) nn_lp_pool3d_at(NN_HERE, __VA_ARGS__)

/* (N, C, D, H, W) to (N, C, out_d, out_h, out_w); NN_NONE keeps that extent. They
   work like nn_adaptive_avg_pool2d and nn_adaptive_max_pool2d. nn_output(y, 1) of a maximum is the
   same as for nn_max_pool3d. */
NN_API nn_node *nn_adaptive_avg_pool3d_at(nn_site site, nn_model *net, nn_node *x, int out_d,
                                          int out_h, int out_w);
#define nn_adaptive_avg_pool3d(...) nn_adaptive_avg_pool3d_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_adaptive_max_pool3d_at(nn_site site, nn_model *net, nn_node *x, int out_d,
                                          int out_h, int out_w);
#define nn_adaptive_max_pool3d(...) nn_adaptive_max_pool3d_at(NN_HERE, __VA_ARGS__)

/* See nn_max_unpool2d. OD = (D - 1) stride - 2 padding + kernel. */
typedef struct nn_max_unpool3d_desc {
    int kernel;                          /* of the pool; must be given, or the following three */
    int kernel_d, kernel_h, kernel_w;    /* default: kernel */
    int stride;                          /* default: the kernel along the same axis */
    int stride_d, stride_h, stride_w;    /* default: stride */
    int padding;                         /* default: 0 */
    int padding_d, padding_h, padding_w; /* default: padding; NN_NONE for 0 */
    /* default: from the formula; may differ from it by less than a stride */
    int out_d, out_h, out_w;
} nn_max_unpool3d_desc;
NN_API nn_node *nn_max_unpool3d_at(nn_site site, nn_model *net, nn_node *x, nn_node *index,
                                   const nn_max_unpool3d_desc *desc);
#define nn_max_unpool3d(...) nn_max_unpool3d_at(NN_HERE, __VA_ARGS__)
