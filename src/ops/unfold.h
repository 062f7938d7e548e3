/* ops/unfold.h - the windows of pictures as columns, and columns put back. torch.nn.Unfold,
   torch.nn.Fold (im2col, col2im). */
#pragma once

#include "graph/model.h"

/* torch.nn.Unfold: x (N, C, H, W) to y (N, C kernel kernel_w, L), where column l has what window l
   sees of each channel, row by row, and L is the number of windows: those of a convolution with
   these numbers, OH OW. Any dtype without padding, else f32 has a gradient: nn_fold of dy. */
typedef struct nn_unfold_desc {
    int kernel;     /* height and width; must be given */
    int kernel_w;   /* default: kernel */
    int stride;     /* default: 1 */
    int stride_w;   /* default: stride */
    int padding;    /* default: 0; of zeros */
    int padding_w;  /* default: padding; NN_NONE for 0 if padding is not 0 */
    int dilation;   /* default: 1 */
    int dilation_w; /* default: dilation */
} nn_unfold_desc;
NN_API nn_node *nn_unfold_at(nn_site site, nn_model *net, nn_node *x, const nn_unfold_desc *desc);
#define nn_unfold(...) nn_unfold_at(NN_HERE, __VA_ARGS__)

/* torch.nn.Fold: x (N, C kernel kernel_w, L) to y (N, C, out_h, out_w), each number added to the
   place from which nn_unfold would have taken it, in a fixed order; places that no window sees are
   0. f32. */
typedef struct nn_fold_desc {
    int out_h;      /* must be given; PyTorch's output_size */
    int out_w;      /* must be given */
    int kernel;     /* height and width; must be given */
    int kernel_w;   /* default: kernel */
    int stride;     /* default: 1 */
    int stride_w;   /* default: stride */
    int padding;    /* default: 0; what falls there is left out */
    int padding_w;  /* default: padding; NN_NONE for 0 if padding is not 0 */
    int dilation;   /* default: 1 */
    int dilation_w; /* default: dilation */
} nn_fold_desc;
NN_API nn_node *nn_fold_at(nn_site site, nn_model *net, nn_node *x, const nn_fold_desc *desc);
#define nn_fold(...) nn_fold_at(NN_HERE, __VA_ARGS__)

/* Where windows overlap, one copy for each of their places adds the numbers: they may have 4096
   places. */

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_unfold_at(nn_site site, nn_model *net, nn_node *x, const nn_unfold_desc &desc) {
    return nn_unfold_at(site, net, x, &desc);
}
inline nn_node *nn_fold_at(nn_site site, nn_model *net, nn_node *x, const nn_fold_desc &desc) {
    return nn_fold_at(site, net, x, &desc);
}
}
#endif
