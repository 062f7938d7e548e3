/* train/sharing.h - what trainers and loaders call only where a training is shared: by shards, by
   devices of one context, by the ranks of a group. The functions stand in a table that the context
   has once a program makes a group or a trainer with .shards or .devices (nn_shards).
   Programs that never do so contain none of them. Their comments are in train/step.h,
   train/share.h and train/ranks.h, under the names here behind nn__. */
#pragma once

#include "tensor/private.h"
#include "train/trainer.h"

struct nn__exchange;
struct nn__owned_piece;
struct nn_fit_desc;
struct nn__staging;
struct nn__window;

/* None of them is NULL. */
typedef struct nn_shard_calls {
    /* a trainer that is made */
    bool (*replicas_check)(nn_model *net, const nn_trainer_desc *desc, nn_site site);
    void (*shard_count)(nn_trainer *trainer, bool asked);
    void (*owners_count)(nn_trainer *trainer);
    bool (*shard_describe_begin)(nn_trainer *trainer);
    void (*shard_describe_totals)(nn_trainer *trainer, nn__tape *tape, bool weighs);
    bool (*shard_describe_leaf)(nn_trainer *trainer, nn__tape *tape, nn_node **parameters,
                                nn_node **to, nn_node **from, int count);
    bool (*shard_describe_room)(nn_trainer *trainer);
    int32_t (*owners_numbers)(const nn_trainer *trainer, int i, int32_t rank);
    bool (*owners_has)(const nn_trainer *trainer, int i);
    bool (*owners_next)(const nn_trainer *trainer, struct nn__owned_piece *piece);
    bool (*owners_deal)(nn_trainer *trainer);
    bool (*owners_weigh)(nn_trainer *trainer);
    bool (*exchange_share)(nn_trainer *trainer);
    bool (*prepare)(nn_trainer *trainer, bool part, nn_site site); /* train/sharing.c */
    bool (*replicas_make)(nn_trainer *trainer);
    nn_result (*share_trainer)(nn_group *group, nn_trainer *trainer, nn_result mine, nn_site site);
    /* one that is freed, or moved */
    void (*drop)(nn_trainer *trainer); /* train/sharing.c */
    void (*window_drop)(nn_group *group, struct nn__window *window);
    nn_result (*exchange_unshare)(nn_trainer *trainer, const char *who);
    bool (*exchange_stage)(nn_trainer *trainer, struct nn__staging *staging, const char *who);
    void (*exchange_drop)(nn_trainer *trainer, struct nn__staging *staging);
    void (*exchange_follow)(nn_trainer *trainer);
    bool (*together_move)(nn_trainer *trainer, const nn_plan *plan, nn_site site);
    /* its steps */
    nn_result (*shard_backward)(nn_trainer *trainer, nn_result mine, int32_t samples, nn_site site,
                                const char *who);
    nn_result (*exchange_separate)(nn_trainer *trainer, const char *who);
    void (*replicas_enter)(nn_trainer *trainer);
    void (*replicas_leave)(nn_trainer *trainer);
    nn_result (*owners_share)(nn_trainer *trainer, nn_result mine, nn_site site, const char *who);
    void (*wire_forget)(nn_trainer *trainer);
    /* faults, evaluations */
    nn_result (*together_clear_fault)(nn_trainer *trainer);
    nn_result (*replicas_clear_fault)(nn_trainer *trainer);
    nn_result (*shard_evaluate_begin)(nn_trainer *trainer, nn_site site);
    nn_result (*shard_evaluate)(nn_trainer *trainer, int32_t samples, nn_site site,
                                const char *who);
    nn_result (*replicas_evaluated)(nn_trainer *trainer, nn_site site, const char *who);
    nn_result (*shard_evaluated)(nn_trainer *trainer, nn_result mine, nn_report *report,
                                 nn_site site);
    /* checkpoints */
    nn_result (*owners_invite)(nn_trainer *trainer, const char *who);
    nn_result (*owners_gather)(nn_trainer *trainer, void *room, nn_site site, const char *who);
    nn_result (*owners_spread)(nn_trainer *trainer, void *room, nn_site site, const char *who);
    void (*owners_dismiss)(nn_trainer *trainer);
    nn_result (*share_state)(nn_trainer *trainer, void *room, nn_site site, const char *who);
    nn_result (*share_room)(nn_trainer *trainer, nn_result mine, void **room, nn_site site,
                            const char *who);
    void (*share_leave)(nn_trainer *trainer, void *room);
    /* the ranks of a group */
    nn_result (*group_news)(nn_group *group, nn_result mine, const char *text, double *news,
                            int count, nn_site site, const char *who);
    nn_result (*group_broadcast)(nn_group *group, void *bytes, size_t count, int32_t from,
                                 nn_site site, const char *who);
    int32_t (*group_part)(const nn_group *group, int32_t all, int32_t *first);
    nn_result (*loader_compare)(nn_group *group, const nn_loader *loader, nn_site site);
    nn_result (*fit_compare)(nn_trainer *trainer, const struct nn_fit_desc *desc, nn_result mine,
                             nn_site site);
#ifndef NN_NO_REPORTS
    const char *(*shard_note)(nn_trainer *trainer);
    void (*replicas_report)(const void *of, const nn_writer *writer);
#endif
} nn__sharing;
