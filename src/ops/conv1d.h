/* ops/conv1d.h - one-dimensional convolution. torch.nn.Conv1d. */
#pragma once

#include "ops/conv2d.h"
#include "tensor/tensor.h"

/* torch.nn.Conv1d: x (N, C, L), weight (K, C / groups, R), bias (K), y (N, K, OL) with OL = (L + 2
   padding - dilation (R - 1) - 1) / stride + 1, rounded down. L may depend on NN_TIME if OL is
   exactly L / stride, as with same.

   .streaming makes it causal, with a memory: output j reads the inputs up to (j + 1) stride - 1.
   Those before the block come from the run before, or are 0 at the beginning. This is the padding
   of dilation (R - 1) - (stride - 1) on the left alone. stride must divide L: nn_multiply_extents(
   NN_TIME, 2) is a block that 2 divides. The plan keeps the last inputs of each sample as a state
   "name.state" (see nn_state and nn_clear_states), and blocks of any lengths give the same bytes as
   the whole signal. A kernel of 1 needs no state, but .streaming makes its bytes independent
   of the block, too. .streaming is an error with padding, same or padding_mode, and under
   NN_NO_RARE_OPTIONS. */
typedef struct nn_conv1d_desc {
    int out_channels;  /* must be given */
    int in_channels;   /* default: taken from x; if given, checked */
    int kernel;        /* must be given */
    int stride;        /* default: 1 */
    int padding;       /* default: 0 */
    int padding_right; /* default: padding; NN_NONE for 0 (padding = dilation (R - 1) on the left
                          alone makes a causal convolution) */
    int dilation;      /* default: 1 */
    int groups;        /* default: 1; must divide both channel counts */
    bool same; /* default: false. true: PyTorch's padding='same', for a stride of 1; an odd element
                  of padding is on the right */
    nn_padding_mode padding_mode; /* default: zeros; see nn_conv2d_desc */
    bool no_bias;                 /* default: false, there is a bias */
    bool shared; /* default: false, the name must be new. true: as nn_conv2d_desc.shared */
    bool streaming; /* default: false. true: causal, and the next run continues this one's signal */
} nn_conv1d_desc;

/* Parameters "name.weight" (K, C / groups, R) and "name.bias" (K) are both uniform in +-1 / sqrt(C
   / groups * R). */
NN_API nn_node *nn_conv1d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_conv1d_desc *desc);
#define nn_conv1d(...) nn__conv1d_here(NN_HERE, __VA_ARGS__)
/* Lets the convolutions and pools of this context stream. The macros nn_conv1d, nn_max_pool1d and
   nn_avg_pool1d call it if their desc says .streaming, so other programs do not contain the
   kernels. Call it before nn_conv1d_at and the like. */
NN_API void nn_use_streaming(nn_model *net);
static NN__HERE_INLINE nn_node *nn__conv1d_here(nn_site site, nn_model *net, const char *name,
                                                nn_node *x, const nn_conv1d_desc *desc) {
    if (desc && desc->streaming) nn_use_streaming(net);
    return nn_conv1d_at(site, net, name, x, desc);
}

/* ---- immediate: out_channels and kernel are the weight's. bias may be NULL. ------------------ */

NN_API nn_result nn_conv1d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_tensor *weight, const nn_tensor *bias,
                                      const nn_conv1d_desc *desc);
#define nn_conv1d_forward(...) nn_conv1d_forward_at(NN_HERE, __VA_ARGS__)
/* See nn_conv2d_scratch_bytes. */
NN_API uint64_t nn_conv1d_scratch_bytes(const nn_tensor *y, const nn_tensor *x,
                                        const nn_tensor *weight, const nn_conv1d_desc *desc);
/* Computes dx, dweight and dbias, of which any may be NULL and is then skipped. The results are
   overwritten, or added to with accumulate. */
NN_API nn_result nn_conv1d_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                       nn_tensor *dbias, const nn_tensor *dy, const nn_tensor *x,
                                       const nn_tensor *weight, const nn_conv1d_desc *desc,
                                       bool accumulate);
#define nn_conv1d_backward(...) nn_conv1d_backward_at(NN_HERE, __VA_ARGS__)
