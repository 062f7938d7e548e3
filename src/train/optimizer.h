/* train/optimizer.h - the settings of a trainer and of its parameter groups, with defaults filled
   in. */
#pragma once

#include "ops/recipe.h"
#include "train/trainer.h"

#define NN__MOST 3.0e38f /* a bound above every sensible setting */

/* The settings of the trainer itself or of a group. */
typedef struct nn__group {
    nn_optimizer optimizer;
    bool frozen;
    float rate_factor;
    nn__update_params plain;    /* for the update kernel, if recipe.recipe is NULL */
    nn__recipe_settings recipe; /* for other optimizers; recipe.recipe NULL: the update kernel does
                                   it */
    nn__muon_settings muon;     /* NN_MUON; factor is set for each weight */
    nn_muon_rate muon_rate;
} nn__group;

/* A parameter that the trainer changes. */
typedef struct nn__trained {
    nn_node *parameter;
    int group; /* index into groups; 0: the trainer's own settings */
    bool described; /* during nn__trainer_describe: its update has been described */
    int32_t owner;  /* the rank that updates it, with nn_trainer_desc.shard_state */
} nn__trained;

NN_PRIVATE const char *nn__optimizer_word(nn_optimizer optimizer); /* "adam" */
/* True if weight decay multiplies the parameter instead of being added to its gradient. */
NN_PRIVATE bool nn__optimizer_decouples(nn_optimizer optimizer);
/* Fills in the defaults of the optimizers and checks all settings. False and an error. */
NN_PRIVATE bool nn__optimizer_defaults(nn_context *nn, nn_trainer_desc *desc, nn_site site);
/* Puts the settings of a group into a desc that has those of its trainer, defaults filled in.
   False and an error, which names the group: "groups[1].". */
NN_PRIVATE bool nn__group_defaults(nn_context *nn, const nn_parameter_group *given,
                                   nn_trainer_desc *desc, const char *name, nn_site site);
/* False and an error unless low <= value < high. */
NN_PRIVATE bool nn__setting_range(nn_context *nn, nn_site site, const char *group,
                                  const char *field, float value, float low, float high);
/* Returns the name of setting i, "rprop.etaminus", and its value; NULL after the last one. */
NN_PRIVATE const char *nn__setting(const nn_trainer_desc *desc, int i, float *value);
/* Fills 1 + desc.groups.count groups, which were zeros: the trainer's own settings, then
   desc.groups. False and an error. */
NN_PRIVATE bool nn__groups_make(nn_model *net, const nn_trainer_desc *desc, nn__group *groups,
                                nn_site site);
/* Copies the desc's groups and patterns into the arena. False: no memory. */
NN_PRIVATE bool nn__groups_copy(nn__arena *arena, nn_trainer_desc *desc);
/* Returns the group of a parameter; -1: this trainer does not train it. */
NN_PRIVATE int nn__group_of(const nn_trainer_desc *desc, const nn__group *groups,
                            const nn_node *parameter);
/* True if the trainer may write the buffer: with desc.parameters, one of its own layers. */
NN_PRIVATE bool nn__owns_buffer(const nn_model *net, const nn_trainer_desc *desc,
                                const nn__group *groups, const nn_node *buffer);
/* Return the number of f32 states of a parameter of the group, and the suffix of state k:
   ".exp_avg". */
NN_PRIVATE int nn__group_states(const nn__group *group);
NN_PRIVATE const char *nn__group_state(const nn__group *group, int k);
