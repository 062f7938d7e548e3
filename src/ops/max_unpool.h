/* ops/max_unpool.h - puts the maxima of a max pooling back to their places: torch.nn.MaxUnpool1d
   and MaxUnpool2d. */
#pragma once

#include "graph/model.h"

/* Takes x (N, C, H, W) and the indices of nn_max_pool2d, nn_output(pooled, 1), i32 of the same
   shape. y (N, C, OH, OW) has the values of x at these indices of its planes and 0 elsewhere, with
   OH = (H - 1) stride - 2 padding + kernel. If several values have the same index, the last one is
   kept, and each has the gradient of that element, as in PyTorch. An index outside of the plane
   ends the step with NN_ERROR_INDEX. */
typedef struct nn_max_unpool2d_desc {
    int kernel;               /* of the pool (see nn_conv2d_desc); must be given, or the following
                                 two */
    int kernel_h, kernel_w;   /* default: kernel */
    int stride;               /* default: the kernel along the same axis */
    int stride_h, stride_w;   /* default: stride */
    int padding;              /* default: 0 */
    int padding_h, padding_w; /* default: padding; NN_NONE for 0 */
    /* OH and OW, if they differ from the formula, by less than a stride (PyTorch's output_size).
       default: from the formula */
    int out_h, out_w;
} nn_max_unpool2d_desc;
NN_API nn_node *nn_max_unpool2d_at(nn_site site, nn_model *net, nn_node *x, nn_node *index,
                                   const nn_max_unpool2d_desc *desc);
#define nn_max_unpool2d(...) nn_max_unpool2d_at(NN_HERE, __VA_ARGS__)

/* The same for lines (N, C, L). */
typedef struct nn_max_unpool1d_desc {
    int kernel;  /* of the pool; must be given */
    int stride;  /* default: kernel */
    int padding; /* default: 0 */
    int out;     /* default: (L - 1) stride - 2 padding + kernel */
} nn_max_unpool1d_desc;
NN_API nn_node *nn_max_unpool1d_at(nn_site site, nn_model *net, nn_node *x, nn_node *index,
                                   const nn_max_unpool1d_desc *desc);
#define nn_max_unpool1d(...) nn_max_unpool1d_at(NN_HERE, __VA_ARGS__)
