/* ops/quantize.h - layers whose weights are stored in 8 bits. */
#pragma once

#ifndef NN_NO_REPORTS
#include "graph/model.h"

/* Weights of 8 bits, with one scale for each output: a quarter of f32's memory and of f32's file,
   and of the time that reading them takes, which is what one sequence waits for that a language
   model writes. Products are computed in f32 from f32 activations, so that the weights alone are
   rounded. Plans that do not train; others as nn_quantize says. */
typedef struct nn_quantize_desc {
    /* default: every layer that can. Names of layers, copied; NULL ends the list. A whole name or
       its end behind a dot ("q_proj" fits "layers.0.q_proj"), or stars for any text
       ("layers.*.q_proj"), as nn_lora_desc.targets */
    const char *targets[8];
    const char *skip[8]; /* default: none. Layers that stay as they are, although a target fits:
                            { "lm_head" } */
    nn_dtype dtype;      /* default: NN_I8, the only one */
} nn_quantize_desc;

/* Call it before the layers are described. Every nn_linear, nn_linear_transposed and nn_embedding
   (nn_embedding_bag, too) of a fitting name has from then on, in a model of any dtype,
       "name.weight" i8, of the same shape, from -127 to 127
       "name.weight_scale" f32, one number for each output: (out_features), (num_embeddings)
   and reads the weight w = weight * weight_scale, row by row (of nn_linear_transposed, column by
   column), y = (x weight^T) * weight_scale + bias, with the product summed in f32. Biases stay as
   they are. A table that a head shares is stored once.

   A load (nn_load_weights and its like, nn_load_pretrained, nn_load_checkpoint) of f32, f16, bf16
   or f64 rounds while it reads, so that memory never holds the weights as they are in the file:
       weight_scale = max|row| / 127,   weight = row / weight_scale to the nearest, halves to even
   A row of zeros has the scale 0, and a number that is not finite is an error. Then
       |w - row| <= max|row| / 254 (1 + 2^-20)  for each number (of rows below 1e-36: 6e-39),
       |y - y of the row itself| <= that times the sum of |x|, besides the rounding of f32.
   nn_save_weights writes both tensors, which a load takes as they are: such a file gives the same
   bytes. First values are those of the layer, rounded to 254 steps of their range (an embedding's
   normal ones end at 4).

   A trainer cannot change such a weight, and says so in a fault that names each: train what is
   around them after nn_freeze(net, "fc.weight", true), or adapters after nn_lora, which freezes
   the base (Dettmers et al., "QLoRA", 2023); gradients pass through as through f32 weights.
   nn_merge_lora, nn_initialise and nn_blend_weights refuse such a model.

   A target or a name to skip that fits no layer is a fault of the next plan or trainer. An error: a
   second call, a fitting layer that was described before. Source: Dettmers et al., "LLM.int8()",
   2022, https://arxiv.org/abs/2208.07339, of which this is the row-wise part, without rounding of
   activations. Not under NN_NO_REPORTS. */
NN_API nn_result nn_quantize_at(nn_site site, nn_model *net, const nn_quantize_desc *desc);
#define nn_quantize(...) nn_quantize_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_result nn_quantize_at(nn_site site, nn_model *net, const nn_quantize_desc &desc) {
    return nn_quantize_at(site, net, &desc);
}
}
#endif
#endif
