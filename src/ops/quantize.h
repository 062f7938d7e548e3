/* ops/quantize.h - layers whose weights are stored in 8 or 4 bits. */
#pragma once

#ifndef NN_NO_MIXED_PRECISION
#include "graph/model.h"

/* Stores weights in 8 bits with one scale per output: a quarter of the memory, the file size and
   the reading time of f32. Reading weights takes most of the time when a language model writes a
   single sequence. Products are computed in f32 from f32 activations; only the weights are rounded.
   It is for plans that do not train, and for training as nn_quantize describes it.

   With .bits = 4, weights are stored in groups of 32 with a scale each, 4.5 bits a weight, or 5
   with .minimums. Products of these round the activations to 8 bits as well (below). */
typedef struct nn_quantize_desc {
    /* default: every layer that can be quantized. Names of layers, copied: NN_TEXTS("fc"). A
       whole name, its end after a dot ("q_proj" matches "layers.0.q_proj"), or a pattern with stars
       ("layers.*.q_proj"), as in nn_lora_desc.targets */
    nn_texts targets;
    /* default: none. Layers to leave out although a target matches: NN_TEXTS("lm_head") */
    nn_texts skip;
    nn_dtype dtype;      /* default: NN_I8, the only one for 8 bits. With .bits = 4: leave it 0 */
    int bits;            /* default: 8. Or 4 */
    bool minimums;       /* default: false. true: groups of 4 bits have a minimum as well */
} nn_quantize_desc;

/* Quantizes layers; call it before they are described. From then on every nn_linear,
   nn_linear_transposed, nn_embedding and nn_embedding_bag with a matching name has, in a model of
   any dtype,
       "name.weight" i8, of the same shape, from -127 to 127
       "name.weight_scale" f32, one number for each output: (out_features), (num_embeddings)
   It uses the weight w = weight * weight_scale, with one scale per row (per column for
   nn_linear_transposed): y = (x weight^T) * weight_scale + bias, with the product summed in f32.
   Biases are not changed. An embedding that a head shares is stored once.

   A load (nn_load_weights, nn_load_weights_from, nn_load_pretrained, nn_load_checkpoint) of f32,
   f16, bf16 or f64 rounds while it reads, so memory never holds the unrounded weights:
       weight_scale = max|row| / 127,   weight = row / weight_scale to the nearest, halves to even
   A row of zeros has the scale 0, and a number that is not finite is an error. The errors are
       |w - row| <= max|row| / 254 (1 + 2^-20)  for each number (of rows below 1e-36: 6e-39),
       |y - y of the row itself| <= that times the sum of |x|, besides the rounding of f32.
   nn_save_weights writes both tensors, and loading such a file gives the same bytes. Initial values
   are those of the layer, rounded to 254 steps of their range (the normal ones of an embedding are
   cut off at 4).

   WITH .bits = 4 a layer has the following tensors instead, in the same layout for nn_linear and
   nn_linear_transposed:
       "name.weight"       u8  (outputs, inputs / 2): 16 bytes for each group, byte j with
                           weight j in its low four bits and weight j + 16 in the high ones
       "name.weight_scale" f16 (outputs, inputs / 32)
       "name.weight_min"   f16 (outputs, inputs / 32), only with .minimums
   Outputs are the out_features, or the num_embeddings; inputs are the in_features, or the
   embedding_dim, which must be a multiple of 32. A number q from 0 to 15 of a group with the
   scale d stands for w = d (q - 8), or d q + min. These are GGUF's Q4_0 and Q4_1. A load rounds a
   group to
       d = (the number with the largest magnitude) / -8          or  d = (max - min) / 15
   in f16, and q = w / d + 8 or (w - min) / d to the nearest number from 0 to 15. An embedding
   begins with uniform values of variance 1, also in its padding row.
   Before a product with such weights, the activations of each row are rounded to 8 bits in groups
   of 32, by b / 127 with the largest magnitude b of the group; sums in a group are exact integers,
   and those sums are scaled and added in f32. The error of the activations is about a twentieth of
   the error of the weights. A group with a number that is not finite makes its row of the result
   NaN. Gradients pass through such a product as through f32 weights and unrounded activations.
   kernels/nibble/args.h has the formulas; source: ggml, ggml-quants.c,
   https://github.com/ggml-org/ggml.

   A trainer cannot change such a weight: a fault names each one. Freeze them with nn_freeze(net,
   "fc.weight", true) and train the rest, or train adapters with nn_lora, which freezes the base
   (Dettmers et al., "QLoRA", 2023). Gradients pass through them as through f32 weights.
   nn_merge_lora, nn_initialise and nn_blend_weights refuse such a model.

   A target or a name to skip that matches no layer is a fault of the next plan or trainer. A second
   call is an error, and so is a matching layer that is already described. Source: Dettmers et al.,
   "LLM.int8()", 2022, https://arxiv.org/abs/2208.07339; this is its row-wise part, without rounding
   of activations. Not under NN_NO_MIXED_PRECISION. */
NN_API nn_result nn_quantize_at(nn_site site, nn_model *net, const nn_quantize_desc *desc);
#define nn_quantize(...) nn_quantize_at(NN_HERE, __VA_ARGS__)
#endif
