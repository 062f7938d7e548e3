/* train/sharing.h - the functions that trainers and loaders call only if training is divided into
   shards, or over devices of one context or the ranks of a group. nn_group.h provides them as a
   table; a program that does not include it does not have them. They are documented in group/,
   where their names begin with nn__. */
#pragma once

#include "graph/rule.h"
#include "ops/private.h"
#include "tensor/private.h"
#include "train/trainer.h"

#define NN__SHARDS_MOST 1024
#define NN__DEVICES     8 /* most of nn_trainer_desc.devices */

struct nn_fit_desc;

/* For a trainer that does a part of another trainer's steps: its shards. */
typedef struct nn__part {
    int32_t first, own;
} nn__part;

/* No member is NULL. All but share_trainer expect a trainer that has the table
   (nn_trainer.sharing). */
typedef struct nn__sharing {
    /* Making a trainer. begin comes before the trainer is described. asked: the program itself
       wants gradients. part: may be NULL */
    bool (*replicas_check)(nn_model *net, const nn_trainer_desc *desc, nn_site site);
    bool (*begin)(nn_trainer *trainer, bool asked, const nn__part *part);
    bool (*shard_describe_begin)(nn_trainer *trainer);
    void (*shard_describe_totals)(nn_trainer *trainer, nn__tape *tape, bool weighs);
    bool (*shard_describe_leaf)(nn_trainer *trainer, nn__tape *tape, nn_node **parameters,
                                nn_node **to, nn_node **from, int count);
    bool (*shard_describe_room)(nn_trainer *trainer);
    int32_t (*owners_mine)(const nn_trainer *trainer, int i);
    bool (*owners_has)(const nn_trainer *trainer, int i);
    bool (*owners_parts)(nn_trainer *trainer, nn_node *const *parameters,
                         nn__update_params *params);
    bool (*owners_deal)(nn_trainer *trainer);
    bool (*owners_weigh)(nn_trainer *trainer);
    bool (*exchange_share)(nn_trainer *trainer);
    void (*planned)(nn_trainer *trainer, nn_plan *plan); /* after a plan of its steps was made */
    bool (*prepare)(nn_trainer *trainer, bool part, nn_site site);
    bool (*replicas_make)(nn_trainer *trainer);
    nn_result (*share_trainer)(nn_group *group, nn_trainer *trainer, nn_result mine, nn_site site);
    void (*replicas_join)(nn_trainer *trainer);
    /* Freeing it: drop comes before its plans are freed, end after that */
    void (*drop)(nn_trainer *trainer);
    void (*end)(nn_trainer *trainer);
    /* Moving it. move: `plan` will replace the plan of its steps; after false and an error nothing
       has changed. moved: the trainer has moved */
    nn_result (*may_move)(nn_trainer *trainer, nn_site site);
    nn_result (*exchange_unshare)(nn_trainer *trainer, const char *who);
    bool (*move)(nn_trainer *trainer, const nn_plan *plan, nn_site site);
    void (*moved)(nn_trainer *trainer);
    /* its steps */
    nn_result (*keeps_gradients)(nn_trainer *trainer, nn_site site, const char *who);
    nn_result (*shard_backward)(nn_trainer *trainer, nn_result mine, int32_t samples, nn_site site,
                                const char *who);
    nn_result (*exchange_separate)(nn_trainer *trainer, const char *who);
    void (*replicas_enter)(nn_trainer *trainer);
    void (*replicas_leave)(nn_trainer *trainer);
    nn_result (*owners_share)(nn_trainer *trainer, nn_result mine, nn_site site, const char *who);
    void (*wire_forget)(nn_trainer *trainer);
    const nn_view *(*shard_loss)(const nn_trainer *trainer); /* of the last step */
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
    nn_tensor *(*owners_moment)(const nn_trainer *trainer, int i);
    nn_tensor *(*owners_average)(const nn_trainer *trainer, int i);
    nn_result (*owners_invite)(nn_trainer *trainer, const char *who);
    nn_result (*owners_gather)(nn_trainer *trainer, void *room, nn_site site, const char *who);
    nn_result (*owners_spread)(nn_trainer *trainer, void *room, nn_site site, const char *who);
    void (*owners_dismiss)(nn_trainer *trainer);
    nn_result (*share_state)(nn_trainer *trainer, void *room, nn_site site, const char *who);
    nn_result (*share_room)(nn_trainer *trainer, nn_result mine, void **room, nn_site site,
                            const char *who);
    void (*share_leave)(nn_trainer *trainer, void *room);
    nn_result (*fit_compare)(nn_trainer *trainer, const struct nn_fit_desc *desc, nn_result mine,
                             nn_site site);
    /* the ranks of a group */
    nn_result (*group_news)(nn_group *group, nn_result mine, const char *text, double *news,
                            int count, nn_site site, const char *who);
    nn_result (*group_broadcast)(nn_group *group, void *bytes, size_t count, int32_t from,
                                 nn_site site, const char *who);
    int32_t (*group_part)(const nn_group *group, int32_t all, int32_t *first);
    nn_result (*loader_compare)(nn_group *group, const nn_loader *loader, nn_site site);
} nn__sharing;

/* Returns the table, or NULL if nn_group.h is not part of the program. A part of src/ that is
   compiled alone belongs to a program that has all parts. */
#if defined(NN_GROUP_H) || !defined(NN_H)
NN_PRIVATE const nn__sharing *nn__group_table(void); /* group/sharing.c */
#define nn__sharing_table() nn__group_table()
#else
#define nn__sharing_table() ((const nn__sharing *)NULL)
#define NN__GROUPS_LEFT_OUT /* nn_group.h, included after this, stops with an #error */
#endif

/* ---- groups, as trainers and loaders see them ------------------------------------------------ */

/* The first member of struct nn_group. */
typedef struct nn__group_head {
    nn__owned owned;
    nn_context *nn;
    const nn__sharing *calls;
    char name[32];
    int32_t rank, size;
    /* Trainers and loaders that use it; while there are any, nn_free_group is an error. */
    int uses;
    const char *used_by;
    nn_site used_at;
} nn__group_head;

static inline NN__UNUSED nn__group_head *nn__head(const nn_group *group) {
    return (nn__group_head *)(uintptr_t)group;
}
static inline NN__UNUSED int32_t nn__ranks(const nn_group *group) {
    return group ? nn__head(group)->size : 0;
}
static inline NN__UNUSED int32_t nn__rank(const nn_group *group) {
    return group ? nn__head(group)->rank : -1;
}
/* Returns the least power of two that gives each rank at least one part. */
static inline NN__UNUSED int32_t nn__group_least(const nn_group *group) {
    int32_t parts = 1;
    while (parts < nn__ranks(group)) parts *= 2;
    return parts;
}
/* See nn_group_agree; text as in nn__group_news. */
static inline NN__UNUSED nn_result nn__group_agree(nn_group *group, nn_result mine,
                                                   const char *text, nn_site site,
                                                   const char *who) {
    return nn__head(group)->calls->group_news(group, mine, text, NULL, 0, site, who);
}
/* Returns the code that a rank reports to the others when it could not make something. It is the
   code of its first error, which most often is the cause and whose text is kept. */
static inline NN__UNUSED nn_result nn__group_fault(const nn_context *nn) {
    return nn->error_code != NN_OK  ? nn->error_code
           : nn->last_code != NN_OK ? nn->last_code
                                    : NN_ERROR_ARGUMENT;
}
/* Mark the group as used by one more, or one fewer, trainer or loader. NULL is allowed. */
static inline NN__UNUSED void nn__use_group(nn_group *group, const char *who, nn_site site) {
    nn__group_head *head = nn__head(group);
    if (!group) return;
    head->uses++;
    head->used_by = who;
    head->used_at = site;
}
static inline NN__UNUSED void nn__unuse_group(nn_group *group) {
    if (group && !nn__is_closing(nn__head(group)->nn)) nn__head(group)->uses--;
}
