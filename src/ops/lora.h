/* ops/lora.h - low-rank adapters beside layers whose weights stay as they are, with the meaning of
   Hugging Face's PEFT. */
#pragma once

#ifndef NN_NO_TRAINING
#include "graph/model.h"

/* What PEFT calls LoraConfig, with its defaults. Source: Hu et al., "LoRA: Low-Rank Adaptation of
   Large Language Models", 2021, https://arxiv.org/abs/2106.09685 */
typedef struct nn_lora_desc {
    const char *targets[8]; /* names of layers, copied; NULL ends the list. A whole name or its end
                               behind a dot ("q_proj" fits "layers.0.q_proj", as PEFT's
                               target_modules), or stars for any text ("layers.*.q_proj") */
    int r;           /* default: 8. The rank: A is (r, in_features), B is (out_features, r) */
    float alpha;     /* default: 8. PEFT's lora_alpha: the adapter counts alpha / r times */
    float dropout;   /* default: 0. PEFT's lora_dropout, of what A reads, in training alone */
    bool rslora;     /* default: false. true: it counts alpha / sqrt(r) times */
} nn_lora_desc;

/* Call it before the layers are described. Every nn_linear and nn_linear_transposed of a fitting
   name is from then on
       y = x W^T + bias + scale * (dropout(x) A^T) B^T
   with the parameters "name.lora_A.weight" (uniform as nn_linear's own weights, PEFT's
   kaiming_uniform of sqrt(5)) and "name.lora_B.weight" (zeros), which are f32 in a model of any
   dtype. Every other parameter of the model is frozen, those described before this call too, so
   that it costs neither a gradient nor a moment; nn_freeze(net, "head.", false) trains some of
   them along. First values and dropout of the rest of the model are those without adapters.

   A target that fits no layer is a fault of the next plan or trainer, which names the closest one;
   one that fits a layer with the weight of an embedding of its name (a tied head), before it or
   behind it, is a fault, too. An error: a model that has adapters already, or a fitting layer that
   was described before. */
NN_API nn_result nn_lora_at(nn_site site, nn_model *net, const nn_lora_desc *desc);
#define nn_lora(...) nn_lora_at(NN_HERE, __VA_ARGS__)

/* For layers that are neither: y = x W + bias made by nn_matmul, of a parameter "name.weight".
   Returns y with its adapter when `name` fits a target of nn_lora, else y itself. x is (...,
   in_features), y (..., out_features), the weight (out_features, in_features), or with transposed
   (in_features, out_features), as GPT-2's Conv1D has it. */
NN_API nn_node *nn_lora_adapt_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                 nn_node *y, bool transposed);
#define nn_lora_adapt(...) nn_lora_adapt_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_result nn_lora_at(nn_site site, nn_model *net, const nn_lora_desc &desc) {
    return nn_lora_at(site, net, &desc);
}
}
#endif
#endif
