/* ops/conv_transpose.h - transposed convolutions: the gradient of a convolution, used as a layer.
   torch.nn.ConvTranspose1d, ConvTranspose2d. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

/* torch.nn.ConvTranspose2d: x (N, C, H, W), weight (C, K / groups, R, S), bias (K), y (N, K, OH,
   OW) with OH = (H - 1) stride - 2 padding + dilation (R - 1) + output_padding + 1. y[oh] is the
   sum of x[h] weight[r] over all h and r with oh = h stride - padding + r dilation. output_padding
   makes y larger below and to the right; these elements are not zeros if the kernel reaches them.
   Height and width may depend on the batch or the time if y's extents are x's times the stride. */
typedef struct nn_conv_transpose2d_desc {
    int out_channels;                       /* must be given */
    int in_channels;                        /* default: taken from x; if given, checked */
    int kernel;                             /* height and width; must be given, or the next two */
    int kernel_h, kernel_w;                 /* default: kernel */
    int stride;                             /* default: 1 */
    int stride_h, stride_w;                 /* default: stride */
    int padding;                            /* default: 0. Cut off on both sides of y */
    int padding_h, padding_w;               /* default: padding; NN_NONE for 0 */
    int output_padding;                     /* default: 0; less than stride or than dilation */
    int output_padding_h, output_padding_w; /* default: output_padding; NN_NONE for 0 */
    int dilation;                           /* default: 1 */
    int dilation_h, dilation_w;             /* default: dilation */
    int groups;                             /* default: 1; must divide both channel counts */
    bool no_bias;                           /* default: false, there is a bias */
    bool shared; /* default: false, the name must be new. true: as nn_conv2d_desc.shared */
} nn_conv_transpose2d_desc;

/* Parameters "name.weight" (C, K / groups, R, S) and "name.bias" (K) are both uniform in +-1 /
   sqrt(K / groups * R * S), as in PyTorch. */
NN_API nn_node *nn_conv_transpose2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       const nn_conv_transpose2d_desc *desc);
#define nn_conv_transpose2d(...) nn_conv_transpose2d_at(NN_HERE, __VA_ARGS__)

/* torch.nn.functional.conv_transpose2d: as nn_functional_conv2d. weight (C, K / groups, R, S). */
NN_API nn_node *nn_functional_conv_transpose2d_at(nn_site site, nn_model *net, nn_node *x,
                                                  nn_node *weight, nn_node *bias,
                                                  const nn_conv_transpose2d_desc *desc);
#define nn_functional_conv_transpose2d(...) nn_functional_conv_transpose2d_at(NN_HERE, __VA_ARGS__)

/* torch.nn.ConvTranspose1d: x (N, C, L), weight (C, K / groups, R), y (N, K, OL); the fields are as
   for two dimensions. */
typedef struct nn_conv_transpose1d_desc {
    int out_channels;   /* must be given */
    int in_channels;    /* default: taken from x; if given, checked */
    int kernel;         /* must be given */
    int stride;         /* default: 1 */
    int padding;        /* default: 0 */
    int output_padding; /* default: 0 */
    int dilation;       /* default: 1 */
    int groups;         /* default: 1 */
    bool no_bias;       /* default: false, there is a bias */
    bool shared;        /* default: false */
} nn_conv_transpose1d_desc;

NN_API nn_node *nn_conv_transpose1d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       const nn_conv_transpose1d_desc *desc);
#define nn_conv_transpose1d(...) nn_conv_transpose1d_at(NN_HERE, __VA_ARGS__)

/* ---- immediate: out_channels and kernel are the weight's. bias may be NULL. ------------------ */

NN_API nn_result nn_conv_transpose2d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                                const nn_tensor *weight, const nn_tensor *bias,
                                                const nn_conv_transpose2d_desc *desc);
#define nn_conv_transpose2d_forward(...) nn_conv_transpose2d_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_conv_transpose1d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                                const nn_tensor *weight, const nn_tensor *bias,
                                                const nn_conv_transpose1d_desc *desc);
#define nn_conv_transpose1d_forward(...) nn_conv_transpose1d_forward_at(NN_HERE, __VA_ARGS__)
/* See nn_conv2d_scratch_bytes. */
NN_API uint64_t nn_conv_transpose2d_scratch_bytes(const nn_tensor *y, const nn_tensor *x,
                                                  const nn_tensor *weight,
                                                  const nn_conv_transpose2d_desc *desc);
NN_API uint64_t nn_conv_transpose1d_scratch_bytes(const nn_tensor *y, const nn_tensor *x,
                                                  const nn_tensor *weight,
                                                  const nn_conv_transpose1d_desc *desc);
/* Computes dx, dweight and dbias, of which any may be NULL and is then skipped. The results are
   overwritten, or added to with accumulate. */
NN_API nn_result nn_conv_transpose2d_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                                 nn_tensor *dbias, const nn_tensor *dy,
                                                 const nn_tensor *x, const nn_tensor *weight,
                                                 const nn_conv_transpose2d_desc *desc,
                                                 bool accumulate);
#define nn_conv_transpose2d_backward(...) nn_conv_transpose2d_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_conv_transpose1d_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                                 nn_tensor *dbias, const nn_tensor *dy,
                                                 const nn_tensor *x, const nn_tensor *weight,
                                                 const nn_conv_transpose1d_desc *desc,
                                                 bool accumulate);
#define nn_conv_transpose1d_backward(...) nn_conv_transpose1d_backward_at(NN_HERE, __VA_ARGS__)
