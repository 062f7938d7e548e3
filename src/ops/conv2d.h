/* ops/conv2d.h - two-dimensional convolution. torch.nn.Conv2d. */
#pragma once

#include "graph/model.h"

/* The values outside of an image, as in torch.nn.Conv2d(padding_mode) and torch.nn.functional.pad.
   The comments show the row 1 2 3 with a left padding of 2. */
typedef enum nn_padding_mode {
    NN_PADDING_ZEROS,     /* 0 0 1 2 3 (nn_pad may use another number) */
    NN_PADDING_REFLECT,   /* 3 2 1 2 3: padding less than the extent */
    NN_PADDING_REPLICATE, /* 1 1 1 2 3 */
    NN_PADDING_CIRCULAR   /* 2 3 1 2 3: padding at most the extent */
} nn_padding_mode;

/* torch.nn.Conv2d: x (N, C, H, W), weight (K, C / groups, R, S), bias (K), y (N, K, OH, OW) with OH
   = (H + 2 padding - dilation (R - 1) - 1) / stride + 1, rounded down. Height and width may depend
   on the batch or the time if y's extent is exactly x's divided by the stride, as with same.

   In this desc and those of all convolutions, pools and windows, a field without a letter holds for
   every axis, as PyTorch's int does: .kernel = 3. A field with a letter is for one axis, and
   replaces the other there unless it is 0: .kernel = 3, .kernel_w = 5 is 3 high and 5 wide. A
   number without a letter that every axis replaces is an error. */
typedef struct nn_conv2d_desc {
    int out_channels;           /* must be given */
    int in_channels;            /* default: taken from x; if given, checked */
    int kernel;                 /* height and width; must be given, or the following two */
    int kernel_h, kernel_w;     /* default: kernel */
    int stride;                 /* default: 1 */
    int stride_h, stride_w;     /* default: stride */
    int padding;                /* default: 0 */
    int padding_h, padding_w;   /* above, on the left; default: padding; NN_NONE for 0 */
    int dilation;               /* default: 1 */
    int dilation_h, dilation_w; /* default: dilation */
    int groups;                 /* default: 1; must divide both channel counts */
    /* Padding below and to the right, if it differs from that above and to the left. default:
       as there; NN_NONE for 0 */
    int padding_bottom, padding_right;
    /* default: false. true: PyTorch's padding='same', for strides of 1 and without a padding above:
       y is as large as x, and an odd row or column of padding is below or to the right */
    bool same;
    nn_padding_mode padding_mode; /* default: zeros. Other modes add an nn_pad before the
                                     convolution; not in immediate calls, nor with
                                     NN_NO_RARE_OPTIONS */
    bool no_bias;     /* default: false, there is a bias */
    bool shared; /* default: false, the name must be new. true: uses the parameters of the earlier
                    layer of this name, if there is one; gradients are added */
    /* default: false. true: this layer's results are direct sums, as nn_plan_desc's
       .direct_convolutions makes those of all layers. Sums of whole numbers are then exact, while
       they stay below 2^24. Gradients are not affected */
    bool direct;
} nn_conv2d_desc;

/* Parameters "name.weight" (K, C / groups, R, S) and "name.bias" (K) are both uniform in +-1 /
   sqrt(C / groups * R * S). */
NN_API nn_node *nn_conv2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_conv2d_desc *desc);
#define nn_conv2d(...) nn__conv2d_here(NN_HERE, __VA_ARGS__)
/* The function that nn_conv2d calls, split so that a program contains only the code that its
   convolutions need. `rare` is nn_rare_conv2d(), or NULL for convolutions without .padding_mode
   (else a fault) and .groups (else plans do not fuse it with its neighbours). The macro nn_conv2d
   decides from its desc, which an optimizing compiler can often see; nn_conv2d_at always passes
   it. */
typedef struct nn_conv2d_calls nn_conv2d_calls;
NN_API nn_node *nn_conv2d_using_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                   const nn_conv2d_desc *desc, const nn_conv2d_calls *rare);
#define nn_conv2d_using(...) nn_conv2d_using_at(NN_HERE, __VA_ARGS__)
NN_API const nn_conv2d_calls *nn_rare_conv2d(void);
static NN__HERE_INLINE nn_node *nn__conv2d_here(nn_site site, nn_model *net, const char *name,
                                                nn_node *x, const nn_conv2d_desc *desc) {
    const bool rare = desc && (desc->groups > 1 || desc->padding_mode != NN_PADDING_ZEROS);
    return nn_conv2d_using_at(site, net, name, x, desc, rare ? nn_rare_conv2d() : NULL);
}

/* torch.nn.functional.conv2d: weight (K, C / groups, R, S) and bias (K) or NULL are nodes of yours:
   computed ones (weight standardisation, weight norm) or parameters with other names. desc may be
   NULL, or leave out out_channels and kernel. */
NN_API nn_node *nn_functional_conv2d_at(nn_site site, nn_model *net, nn_node *x, nn_node *weight,
                                        nn_node *bias, const nn_conv2d_desc *desc);
#define nn_functional_conv2d(...) nn_functional_conv2d_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------ */

/* out_channels and kernel are taken from weight when the desc leaves them 0. bias may be NULL. */

NN_API nn_result nn_conv2d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_tensor *weight, const nn_tensor *bias,
                                      const nn_conv2d_desc *desc);
#define nn_conv2d_forward(...) nn_conv2d_forward_at(NN_HERE, __VA_ARGS__)
/* Computes dx, dweight and dbias, of which any may be NULL and is then skipped. The results are
   overwritten, or added to with accumulate. */
NN_API nn_result nn_conv2d_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                       nn_tensor *dbias, const nn_tensor *dy, const nn_tensor *x,
                                       const nn_tensor *weight, const nn_conv2d_desc *desc,
                                       bool accumulate);
#define nn_conv2d_backward(...) nn_conv2d_backward_at(NN_HERE, __VA_ARGS__)
/* Returns the largest scratch memory in bytes that forward or backward of this convolution needs.
   It must not exceed nn_desc.scratch_bytes. */
NN_API uint64_t nn_conv2d_scratch_bytes(const nn_tensor *y, const nn_tensor *x,
                                        const nn_tensor *weight, const nn_conv2d_desc *desc);
