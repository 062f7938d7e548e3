/* ops/quantize.h - layers whose weights are stored in 8 bits. */
#pragma once

#ifndef NN_NO_MIXED_PRECISION
#include "graph/model.h"

/* Stores weights in 8 bits with one scale per output: a quarter of the memory, the file size and
   the reading time of f32. Reading weights takes most of the time when a language model writes a
   single sequence. Products are computed in f32 from f32 activations; only the weights are rounded.
   For plans that do not train, and for those that nn_quantize describes. */
typedef struct nn_quantize_desc {
    /* default: every layer that can be quantized. Names of layers, copied: NN_TEXTS("fc"). A
       whole name, its end after a dot ("q_proj" matches "layers.0.q_proj"), or a pattern with stars
       ("layers.*.q_proj"), as in nn_lora_desc.targets */
    nn_texts targets;
    /* default: none. Layers to leave out although a target matches: NN_TEXTS("lm_head") */
    nn_texts skip;
    nn_dtype dtype;      /* default: NN_I8, the only one */
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
