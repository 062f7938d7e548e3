/* ops/fake_quantize.h - rounding as in integers, in f32 and with a gradient: for quantisation-aware
   training. nn_prepare_qat (quantize/quantize_net.h) puts it into a trained net. */
#pragma once

#include "graph/model.h"

typedef struct nn_fake_quantize_desc {
    int axis;        /* default: 0. The axis of x that scales of several elements belong to */
    float quant_min; /* default: -128; NN_NONE: 0. A whole number, the smallest integer */
    float quant_max; /* default: 127; NN_NONE: 0. The largest integer */
} nn_fake_quantize_desc;

/* y = (clamp(round(x / scale) + zero_point, quant_min, quant_max) - zero_point) * scale; halves are
   rounded to even. torch.fake_quantize_per_tensor_affine, and with several scales
   torch.fake_quantize_per_channel_affine. x (any shape), scale and zero_point f32; the latter two
   have one element, or one for each index of x's axis. zero_point may be NULL: 0. desc may be NULL.

   Gradients are those of torch._fake_quantize_learnable_per_tensor_affine with a grad_factor of 1.
   For x: dy where the integer was not clamped, else 0. For scale: dy * (round(x / scale) - x /
   scale) where it was not clamped, else dy * (integer - zero_point). For zero_point: -scale * dy
   where it was clamped. The last two are summed over the elements that share a scale. So a scale
   can be a parameter that is learned. Source: Esser et al., "Learned Step Size Quantization",
   2020, https://arxiv.org/abs/1902.08153.

   Faults: a wrong dtype; a scale or zero_point with a wrong number of elements; an axis that x
   lacks; quant_min that is not below quant_max, or bounds that are not whole numbers. A scale of 0,
   or below, is not noticed: the result is NaN or wrong. */
NN_API nn_node *nn_fake_quantize_at(nn_site site, nn_model *net, nn_node *x, nn_node *scale,
                                    nn_node *zero_point, const nn_fake_quantize_desc *desc);
#define nn_fake_quantize(...) nn_fake_quantize_at(NN_HERE, __VA_ARGS__)
