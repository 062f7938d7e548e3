/* ops/lora.h - low-rank adapters beside layers whose weights stay as they are, with the meaning of
   Hugging Face's PEFT. */
#pragma once

#ifndef NN_NO_TRAINING
#include "graph/model.h"

/* What PEFT calls LoraConfig, with its defaults. Source: Hu et al., "LoRA: Low-Rank Adaptation of
   Large Language Models", 2021, https://arxiv.org/abs/2106.09685 */
typedef struct nn_lora_desc {
    /* NN_TEXTS("q_proj", "v_proj"): names of layers, copied. A whole name, its end after a dot
       ("q_proj" matches "layers.0.q_proj", as PEFT's target_modules), or a pattern with stars
       ("layers.*.q_proj") */
    nn_texts targets;
    int r;           /* default: 8. The rank: A is (r, in_features), B is (out_features, r) */
    float alpha;     /* default: 8. PEFT's lora_alpha: the scale is alpha / r */
    float dropout;   /* default: 0. PEFT's lora_dropout: of A's input, only in training */
    bool rslora;     /* default: false. true: the scale is alpha / sqrt(r) */
} nn_lora_desc;

/* Adds adapters; call it before the layers are described. From then on every nn_linear and
   nn_linear_transposed with a matching name computes
       y = x W^T + bias + scale * (dropout(x) A^T) B^T
   The parameters "name.lora_A.weight" (uniform as nn_linear's weights, PEFT's kaiming_uniform of
   sqrt(5)) and "name.lora_B.weight" (zeros) are f32 in a model of any dtype. All other parameters
   of the model are frozen, including those described before this call, and need neither gradients
   nor moments; nn_freeze(net, "head.", false) trains some of them, too. Initial values and dropout
   of the rest of the model are the same as without adapters.

   A target that matches no layer is a fault of the next plan or trainer, which names the closest
   layer. A target must not match a tied head either, which is a layer that uses the weight of an
   embedding of the same name; the embedding may be described before or after the layer. It is an
   error if the model has adapters already, or if a matching layer is already described. */
NN_API nn_result nn_lora_at(nn_site site, nn_model *net, const nn_lora_desc *desc);
#define nn_lora(...) nn_lora_at(NN_HERE, __VA_ARGS__)

/* Adds an adapter to a layer that is neither an nn_linear nor an nn_linear_transposed: y = x W +
   bias made by nn_matmul with a parameter "name.weight". Returns y plus its adapter if `name`
   matches a target of nn_lora, else y itself. x is (..., in_features), y (..., out_features), the
   weight (out_features, in_features), or with transposed (in_features, out_features), as in GPT-2's
   Conv1D. */
NN_API nn_node *nn_lora_adapt_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                 nn_node *y, bool transposed);
#define nn_lora_adapt(...) nn_lora_adapt_at(NN_HERE, __VA_ARGS__)
#endif
