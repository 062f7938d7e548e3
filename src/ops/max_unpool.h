/* ops/max_unpool.h - the largest of windows put back where they were: torch.nn.MaxUnpool1d and
   MaxUnpool2d. */
#pragma once

#include "graph/model.h"

/* x (N, C, H, W) and the indices of nn_max_pool2d, nn_output(pooled, 1), i32 of the same shape; y
   (N, C, OH, OW) has x at these places of its planes and 0 elsewhere. OH = (H - 1) stride - 2
   padding + kernel. Of several numbers with one place the last one stays, and each has the place's
   gradient, as in PyTorch. An index outside of the plane ends the step with NN_ERROR_INDEX. */
typedef struct nn_max_unpool2d_desc {
    int kernel;       /* of the pool; must be given */
    int kernel_w;     /* default: kernel */
    int stride;       /* default: kernel */
    int stride_w;     /* default: stride if given, else kernel_w */
    int padding;      /* default: 0 */
    int padding_w;    /* default: padding; NN_NONE for 0 */
    /* OH and OW, which the formula above leaves open: less than a stride away from it (PyTorch's
       output_size). default: the formula's */
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

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_max_unpool2d_at(nn_site site, nn_model *net, nn_node *x, nn_node *index,
                                   const nn_max_unpool2d_desc &desc) {
    return nn_max_unpool2d_at(site, net, x, index, &desc);
}
inline nn_node *nn_max_unpool1d_at(nn_site site, nn_model *net, nn_node *x, nn_node *index,
                                   const nn_max_unpool1d_desc &desc) {
    return nn_max_unpool1d_at(site, net, x, index, &desc);
}
}
#endif
