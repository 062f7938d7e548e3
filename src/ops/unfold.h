/* ops/unfold.h - windows of images as columns (im2col), and back (col2im). torch.nn.Unfold,
   torch.nn.Fold. */
#pragma once

#include "graph/model.h"

/* torch.nn.Unfold: x (N, C, H, W) to y (N, C kernel_h kernel_w, L), where column l holds the
   elements of window l, channel by channel and row by row. L is OH OW of a convolution with these
   settings. Without padding any dtype is allowed. f32 has a gradient, which is nn_fold of dy. */
typedef struct nn_unfold_desc {
    int kernel;                 /* height and width (see nn_conv2d_desc); must be given, or the
                                   following two */
    int kernel_h, kernel_w;     /* default: kernel */
    int stride;                 /* default: 1 */
    int stride_h, stride_w;     /* default: stride */
    int padding;                /* default: 0; of zeros */
    int padding_h, padding_w;   /* default: padding; NN_NONE for 0 */
    int dilation;               /* default: 1 */
    int dilation_h, dilation_w; /* default: dilation */
} nn_unfold_desc;
NN_API nn_node *nn_unfold_at(nn_site site, nn_model *net, nn_node *x, const nn_unfold_desc *desc);
#define nn_unfold(...) nn_unfold_at(NN_HERE, __VA_ARGS__)

/* torch.nn.Fold: x (N, C kernel_h kernel_w, L) to y (N, C, out_h, out_w). Adds each element, in a
   fixed order, to the place from which nn_unfold would read it. Places outside of all windows are
   0. f32. */
typedef struct nn_fold_desc {
    int out_h, out_w;           /* must be given; PyTorch's output_size */
    int kernel;                 /* height and width (see nn_conv2d_desc); must be given, or the
                                   following two */
    int kernel_h, kernel_w;     /* default: kernel */
    int stride;                 /* default: 1 */
    int stride_h, stride_w;     /* default: stride */
    int padding;                /* default: 0; elements in the padding are dropped */
    int padding_h, padding_w;   /* default: padding; NN_NONE for 0 */
    int dilation;               /* default: 1 */
    int dilation_h, dilation_w; /* default: dilation */
} nn_fold_desc;
NN_API nn_node *nn_fold_at(nn_site site, nn_model *net, nn_node *x, const nn_fold_desc *desc);
#define nn_fold(...) nn_fold_at(NN_HERE, __VA_ARGS__)

/* If windows overlap, nn_fold makes one copy for each place of a window, so a window may have at
   most 4096 places. */
