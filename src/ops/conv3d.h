/* ops/conv3d.h - convolutions of volumes: torch.nn.Conv3d, ConvTranspose3d.

   Each is computed with 2D convolutions: the planes that a filter covers become channels. For this
   the volume is copied once per plane of the kernel, whose depth is at most 4096. Depth, height and
   width are numbers; none may be the batch or the time. */
#pragma once

#include "ops/conv2d.h"

/* x (N, C, D, H, W), weight (K, C / groups, Q, R, S), bias (K), y (N, K, OD, OH, OW), where each
   extent follows nn_conv2d's formula. A field without a letter holds for depth, height and width
   (see nn_conv2d_desc). */
typedef struct nn_conv3d_desc {
    int out_channels;                       /* must be given */
    int in_channels;                        /* default: taken from x; if given, checked */
    int kernel;                             /* must be given, or the following three */
    int kernel_d, kernel_h, kernel_w;       /* default: kernel */
    int stride;                             /* default: 1 */
    int stride_d, stride_h, stride_w;       /* default: stride */
    int padding;                            /* default: 0 */
    int padding_d, padding_h, padding_w;    /* default: padding; NN_NONE for 0 */
    int dilation;                           /* default: 1 */
    int dilation_d, dilation_h, dilation_w; /* default: dilation */
    int groups;                             /* default: 1; must divide both channel counts */
    bool same;                              /* default: false; as nn_conv2d_desc.same */
    nn_padding_mode padding_mode;           /* default: zeros */
    bool no_bias;                           /* default: false, there is a bias */
    bool shared;                            /* default: false; as nn_conv2d_desc.shared */
} nn_conv3d_desc;

/* Parameters "name.weight" and "name.bias" are both uniform in +-1 / sqrt(C / groups * Q * R *
   S). */
NN_API nn_node *nn_conv3d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_conv3d_desc *desc);
#define nn_conv3d(...) nn_conv3d_at(NN_HERE, __VA_ARGS__)

/* x (N, C, D, H, W), weight (C, K / groups, Q, R, S), bias (K), where each extent follows
   nn_conv_transpose2d's formula. */
typedef struct nn_conv_transpose3d_desc {
    int out_channels;                       /* must be given */
    int in_channels;                        /* default: taken from x; if given, checked */
    int kernel;                             /* must be given, or the following three */
    int kernel_d, kernel_h, kernel_w;       /* default: kernel */
    int stride;                             /* default: 1 */
    int stride_d, stride_h, stride_w;       /* default: stride */
    int padding;                            /* default: 0 */
    int padding_d, padding_h, padding_w;    /* default: padding; NN_NONE for 0 */
    int output_padding;                     /* default: 0; less than stride or than dilation */
    /* default: output_padding; NN_NONE for 0 */
    int output_padding_d, output_padding_h, output_padding_w;
    int dilation;                           /* default: 1 */
    int dilation_d, dilation_h, dilation_w; /* default: dilation */
    int groups;                             /* default: 1; must divide both channel counts */
    bool no_bias;                           /* default: false, there is a bias */
    bool shared;                            /* default: false */
} nn_conv_transpose3d_desc;

/* Parameters "name.weight" and "name.bias" are both uniform in +-1 / sqrt(K / groups * Q * R *
   S). */
NN_API nn_node *nn_conv_transpose3d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       const nn_conv_transpose3d_desc *desc);
#define nn_conv_transpose3d(...) nn_conv_transpose3d_at(NN_HERE, __VA_ARGS__)
