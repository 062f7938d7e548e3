/* ops/lora_private.h - what a model knows about its adapters, for builders, files and merging. */
#pragma once

#include "ops/lora.h"
#include "ops/program.h"

#ifndef NN_NO_TRAINING

typedef struct nn__lora {
    nn__adapters hooks; /* first: nn_model.adapters is this */
    nn_lora_desc desc;  /* defaults filled in, texts in the model's arena */
    nn_site site;
    /* random streams used so far for first values and masks; the model's own are not counted */
    uint64_t streams;
    bool *used; /* of each target: it matched a layer. In the model's arena */
    bool merged;
    nn__owned *kept; /* the weights as they were before the merge, if they are to be restored */
} nn__lora;

static inline NN__UNUSED nn__lora *nn__lora_of(const nn_model *net) {
    return (nn__lora *)(void *)net->adapters;
}
NN_PRIVATE float nn__lora_scale(const nn_lora_desc *desc);
/* True if the node is the sum of a layer and its adapter, merged or not. Input 0 is the layer's
   y. */
NN_PRIVATE bool nn__is_lora(const nn_node *node);
/* Returns a parameter of the layer of this sum: "weight", "lora_A.weight" or "lora_B.weight". */
NN_PRIVATE nn_node *nn__lora_part(const nn_node *sum, const char *part);
/* True if the weight is stored as (in_features, out_features). */
NN_PRIVATE bool nn__lora_transposed(const nn_node *sum);
/* merged: from now on the sum is y alone, so later plans leave the adapter out. False undoes
   that. */
NN_PRIVATE void nn__lora_switch(nn_node *sum, bool merged);
#endif
