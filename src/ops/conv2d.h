/* ops/conv2d.h - two-dimensional convolution. torch.nn.Conv2d. */
#pragma once

#include "graph/model.h"

/* What stands outside of a picture, as torch.nn.Conv2d(padding_mode) and torch.nn.functional.pad
   have it. For a row 1 2 3 and two places on the left: */
typedef enum nn_padding_mode {
    NN_PADDING_ZEROS,     /* 0 0 1 2 3 (nn_pad: another number if it is given) */
    NN_PADDING_REFLECT,   /* 3 2 1 2 3: less than the extent */
    NN_PADDING_REPLICATE, /* 1 1 1 2 3 */
    NN_PADDING_CIRCULAR   /* 2 3 1 2 3: at most the extent */
} nn_padding_mode;

/* torch.nn.Conv2d: x (N, C, H, W), weight (K, C / groups, R, S), bias (K), y (N, K, OH, OW) with
   OH = (H + 2 padding - dilation (R - 1) - 1) / stride + 1, rounded down. Height and width may
   depend on the batch or the time where the windows keep them (same) or divide them exactly. */
typedef struct nn_conv2d_desc {
    int out_channels; /* must be given */
    int in_channels;  /* default: taken from x; if given, checked */
    int kernel;       /* height and width; must be given */
    int kernel_w;     /* default: kernel */
    int stride;       /* default: 1 */
    int stride_w;     /* default: stride */
    int padding;      /* default: 0 */
    int padding_w;    /* default: padding; NN_NONE for 0 beside a padding that is not */
    int dilation;     /* default: 1 */
    int dilation_w;   /* default: dilation */
    int groups;       /* default: 1; must divide both channel counts */
    /* Rows below and columns to the right, where they are others than above and to the left.
       default: as padding, padding_w; NN_NONE for 0 */
    int padding_bottom, padding_right;
    /* default: false. true: PyTorch's padding='same', for strides of 1 and without any padding
       above: y is as large as x, and what does not divide by two goes to the right and below */
    bool same;
    nn_padding_mode padding_mode; /* default: zeros. Others are a nn_pad before the convolution:
                                     not in immediate calls, nor with NN_NO_REPORTS */
    bool no_bias;     /* default: false, there is a bias */
    bool shared; /* default: false, the name must be new. true: the parameters of the layer of this
                    name described before, if there is one: the layer applied to another input, its
                    gradients added */
} nn_conv2d_desc;

/* Parameters "name.weight" (K, C / groups, R, S) and "name.bias" (K), both uniform in +-1/sqrt(C /
   groups * R S). */
NN_API nn_node *nn_conv2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_conv2d_desc *desc);
#define nn_conv2d(...) nn__conv2d_here(NN_HERE, __VA_ARGS__)
/* What nn_conv2d is made of, so that a program contains only what its convolutions need. rare:
   nn_rare_conv2d(), or NULL for one without .padding_mode (with one it is a fault) and .groups
   (with them plans do not join it to its neighbours). nn_conv2d looks at its desc, which a compiler
   that optimizes can often do as well; nn_conv2d_at gives it. */
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

/* torch.nn.functional.conv2d: the same with a weight (K, C / groups, R, S) and a bias (K), or NULL,
   that are nodes of yours: computed ones (weight standardisation, weight norm) or parameters with
   other names. out_channels and kernel may be left out of the desc, which may be NULL. */
NN_API nn_node *nn_conv2d_with_at(nn_site site, nn_model *net, nn_node *x, nn_node *weight,
                                  nn_node *bias, const nn_conv2d_desc *desc);
#define nn_conv2d_with(...) nn_conv2d_with_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------ */

/* out_channels and kernel are taken from weight when the desc leaves them 0. bias may be NULL. */

NN_API nn_result nn_conv2d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_tensor *weight, const nn_tensor *bias,
                                      const nn_conv2d_desc *desc);
#define nn_conv2d_forward(...) nn_conv2d_forward_at(NN_HERE, __VA_ARGS__)
/* Any of dx, dweight, dbias may be NULL: skipped. They are overwritten; accumulate: added to. */
NN_API nn_result nn_conv2d_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                       nn_tensor *dbias, const nn_tensor *dy, const nn_tensor *x,
                                       const nn_tensor *weight, const nn_conv2d_desc *desc,
                                       bool accumulate);
#define nn_conv2d_backward(...) nn_conv2d_backward_at(NN_HERE, __VA_ARGS__)
/* Bytes of scratch that the three kernels of such a convolution want at most; it must fit
   nn_desc.scratch_bytes. */
NN_API uint64_t nn_conv2d_scratch_bytes(const nn_tensor *y, const nn_tensor *x,
                                        const nn_tensor *weight, const nn_conv2d_desc *desc);

#ifdef __cplusplus
extern "C++" {
static NN__HERE_INLINE nn_node *nn__conv2d_here(nn_site site, nn_model *net, const char *name,
                                                nn_node *x, const nn_conv2d_desc &desc) {
    return nn__conv2d_here(site, net, name, x, &desc);
}
inline nn_node *nn_conv2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_conv2d_desc &desc) {
    return nn_conv2d_at(site, net, name, x, &desc);
}
inline nn_node *nn_conv2d_with_at(nn_site site, nn_model *net, nn_node *x, nn_node *weight,
                                  nn_node *bias, const nn_conv2d_desc &desc) {
    return nn_conv2d_with_at(site, net, x, weight, bias, &desc);
}
}
#endif
