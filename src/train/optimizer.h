/* train/optimizer.h - what a trainer does with which parameters: its own settings and those of its
   groups, with every default filled in. */
#pragma once

#include "ops/recipe.h"
#include "train/trainer.h"

#define NN__GROUPS 32 /* as in nn_trainer_desc */

/* The trainer's own choices, or a group's. */
typedef struct nn__group {
    nn_optimizer optimizer;
    bool frozen;
    float rate_factor;
    nn__update_params plain;    /* of the kernel, where recipe is NULL */
    nn__recipe_settings recipe; /* recipe.recipe NULL: the kernel does it */
    nn__muon_settings muon;     /* NN_MUON; factor is set for each weight */
    nn_muon_rate muon_rate;
} nn__group;

/* A parameter that the trainer changes. */
typedef struct nn__trained {
    nn_node *parameter;
    int group; /* 0: the trainer's own settings */
    bool described; /* inside nn__trainer_describe: its update is there */
    int32_t owner;  /* the rank that updates it; of nn_trainer_desc.shard_state */
} nn__trained;

NN_PRIVATE const char *nn__optimizer_word(nn_optimizer optimizer); /* "adam" */
/* Fills in what depends on the optimizer, and checks the numbers. False and an error. */
NN_PRIVATE bool nn__optimizer_defaults(nn_context *nn, nn_trainer_desc *desc, nn_site site);
/* groups: NN__GROUPS + 1 of them. False and an error: a pattern that fits nothing, a number. */
NN_PRIVATE bool nn__groups_make(nn_model *net, const nn_trainer_desc *desc, nn__group *groups,
                                nn_site site);
/* Takes copies of the desc's patterns into the arena. False: no memory. */
NN_PRIVATE bool nn__groups_copy(nn__arena *arena, nn_trainer_desc *desc);
/* The group of a parameter; -1: this trainer does not train it. */
NN_PRIVATE int nn__group_of(const nn_trainer_desc *desc, const nn__group *groups,
                            const nn_node *parameter);
/* May the trainer write the buffer? With desc.parameters, only those of its own layers. */
NN_PRIVATE bool nn__owns_buffer(const nn_model *net, const nn_trainer_desc *desc,
                                const nn__group *groups, const nn_node *buffer);
/* How many f32 tensors of state a parameter of the group has, and the suffix of number k:
   ".exp_avg". */
NN_PRIVATE int nn__group_states(const nn__group *group);
NN_PRIVATE const char *nn__group_state(const nn__group *group, int k);
