/* ops/lora_private.h - what a model knows of its adapters: for builders, files and merging. */
#pragma once

#include "ops/lora.h"
#include "ops/program.h"

#ifndef NN_NO_TRAINING
#define NN__LORA_TARGETS NN__COUNT(((nn_lora_desc *)0)->targets)

typedef struct nn__lora {
    nn__adapters hooks; /* first: nn_model.adapters is this */
    nn_lora_desc desc;  /* defaults filled in, texts in the model's arena */
    nn_site site;
    uint64_t streams; /* first values and masks so far, apart from those of the model */
    unsigned used;    /* bit i: targets[i] has fitted a layer */
    bool merged;
    nn__owned *kept; /* the weights before they were merged, where they are to come back */
} nn__lora;

static inline NN__UNUSED nn__lora *nn__lora_of(const nn_model *net) {
    return (nn__lora *)(void *)net->adapters;
}
NN_PRIVATE float nn__lora_scale(const nn_lora_desc *desc);
/* Is it the sum of a layer and its adapter? Then input 0 is the layer's y. Merged ones as well. */
NN_PRIVATE bool nn__is_lora(const nn_node *node);
/* The parameter of the layer whose sum this is: "weight", "lora_A.weight", "lora_B.weight". */
NN_PRIVATE nn_node *nn__lora_part(const nn_node *sum, const char *part);
/* Is the weight (in_features, out_features)? */
NN_PRIVATE bool nn__lora_transposed(const nn_node *sum);
/* From now on the sum is y alone, so that plans to come leave the adapter out; or no longer. */
NN_PRIVATE void nn__lora_switch(nn_node *sum, bool merged);
#endif
