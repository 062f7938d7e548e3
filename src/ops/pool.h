/* ops/pool.h - 1D pooling, and pooling to a given output size: torch.nn.MaxPool1d, AvgPool1d,
   AdaptiveAvgPool, AdaptiveMaxPool, LPPool. */
#pragma once

#include "ops/conv1d.h"
#include "ops/pool2d.h"

/* torch.nn.MaxPool1d and AvgPool1d. x (N, C, L), y (N, C, OL). For maxima nn_output(y, 1) has their
   indices in the line, i32. L may be NN_TIME or a multiple of it, if OL is exactly L / stride, as
   with kernel 3, stride 1 and padding 1.

   .streaming: causal, with a memory, as nn_conv1d_desc.streaming: output j covers the `kernel`
   inputs up to (j + 1) stride - 1, and the plan keeps the last inputs of the run before. Before the
   beginning there are zeros, which a maximum and .count_only_inside leave out. It is an
   error with padding or ceil, and maxima have no indices then. */
typedef struct nn_pool1d_desc {
    int kernel;             /* must be given */
    int stride;             /* default: kernel */
    int padding;            /* default: 0; at most half the kernel */
    bool ceil;              /* default: false. true: rounds the output extent up (ceil_mode) */
    bool count_only_inside; /* average only; default: false; true: count_include_pad=False */
    int dilation;           /* maximum only; default: 1; as nn_pool2d_desc */
    bool streaming; /* default: false. true: causal, and the next run continues this one's signal */
} nn_pool1d_desc;

NN_API nn_node *nn_max_pool1d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool1d_desc *desc);
#define nn_max_pool1d(...) nn__max_pool1d_here(NN_HERE, __VA_ARGS__)
static NN__HERE_INLINE nn_node *nn__max_pool1d_here(nn_site site, nn_model *net, nn_node *x,
                                                    const nn_pool1d_desc *desc) {
    if (desc && desc->streaming) nn_use_streaming(net);
    return nn_max_pool1d_at(site, net, x, desc);
}
NN_API nn_node *nn_avg_pool1d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool1d_desc *desc);
#define nn_avg_pool1d(...) nn__avg_pool1d_here(NN_HERE, __VA_ARGS__)
static NN__HERE_INLINE nn_node *nn__avg_pool1d_here(nn_site site, nn_model *net, nn_node *x,
                                                    const nn_pool1d_desc *desc) {
    if (desc && desc->streaming) nn_use_streaming(net);
    return nn_avg_pool1d_at(site, net, x, desc);
}

/* torch.nn.AdaptiveAvgPool2d and AdaptiveMaxPool2d: (N, C, H, W) to (N, C, out_h, out_w); NN_NONE
   keeps that extent. Row i of y covers the rows floor(i H / out_h) to ceil((i + 1) H / out_h) - 1
   of x. H and W may depend on NN_TIME. For maxima nn_output(y, 1) has their indices in the plane,
   i32. Not with NN_NO_RARE_OPTIONS. */
NN_API nn_node *nn_adaptive_avg_pool2d_at(nn_site site, nn_model *net, nn_node *x, int out_h,
                                          int out_w);
#define nn_adaptive_avg_pool2d(...) nn_adaptive_avg_pool2d_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_adaptive_max_pool2d_at(nn_site site, nn_model *net, nn_node *x, int out_h,
                                          int out_w);
#define nn_adaptive_max_pool2d(...) nn_adaptive_max_pool2d_at(NN_HERE, __VA_ARGS__)
/* Do the same for lines: (N, C, L) to (N, C, out). */
NN_API nn_node *nn_adaptive_avg_pool1d_at(nn_site site, nn_model *net, nn_node *x, int out);
#define nn_adaptive_avg_pool1d(...) nn_adaptive_avg_pool1d_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_adaptive_max_pool1d_at(nn_site site, nn_model *net, nn_node *x, int out);
#define nn_adaptive_max_pool1d(...) nn_adaptive_max_pool1d_at(NN_HERE, __VA_ARGS__)

/* ---- immediate. index: i32 of y's shape, may be NULL if no backward follows. dx is overwritten.
   The adaptive calls take the output size from y or dy. For an index that forward has not written,
   see nn_max_pool2d_backward. */

NN_API nn_result nn_max_pool1d_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                          const nn_tensor *x, const nn_pool1d_desc *desc);
#define nn_max_pool1d_forward(...) nn_max_pool1d_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_avg_pool1d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                          const nn_pool1d_desc *desc);
#define nn_avg_pool1d_forward(...) nn_avg_pool1d_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_adaptive_avg_pool2d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                                   int out_h, int out_w);
#define nn_adaptive_avg_pool2d_forward(...) nn_adaptive_avg_pool2d_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_adaptive_max_pool2d_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                                   const nn_tensor *x, int out_h, int out_w);
#define nn_adaptive_max_pool2d_forward(...) nn_adaptive_max_pool2d_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_adaptive_avg_pool1d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                                   int out);
#define nn_adaptive_avg_pool1d_forward(...) nn_adaptive_avg_pool1d_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_adaptive_max_pool1d_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                                   const nn_tensor *x, int out);
#define nn_adaptive_max_pool1d_forward(...) nn_adaptive_max_pool1d_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_max_pool1d_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                           const nn_tensor *index, const nn_pool1d_desc *desc);
#define nn_max_pool1d_backward(...) nn_max_pool1d_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_avg_pool1d_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                           const nn_pool1d_desc *desc);
#define nn_avg_pool1d_backward(...) nn_avg_pool1d_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_adaptive_avg_pool2d_backward_at(nn_site site, nn_tensor *dx,
                                                    const nn_tensor *dy);
#define nn_adaptive_avg_pool2d_backward(...)                                                       \
    nn_adaptive_avg_pool2d_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_adaptive_max_pool2d_backward_at(nn_site site, nn_tensor *dx,
                                                    const nn_tensor *dy, const nn_tensor *index);
#define nn_adaptive_max_pool2d_backward(...)                                                       \
    nn_adaptive_max_pool2d_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_adaptive_avg_pool1d_backward_at(nn_site site, nn_tensor *dx,
                                                    const nn_tensor *dy);
#define nn_adaptive_avg_pool1d_backward(...)                                                       \
    nn_adaptive_avg_pool1d_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_adaptive_max_pool1d_backward_at(nn_site site, nn_tensor *dx,
                                                    const nn_tensor *dy, const nn_tensor *index);
#define nn_adaptive_max_pool1d_backward(...)                                                       \
    nn_adaptive_max_pool1d_backward_at(NN_HERE, __VA_ARGS__)
