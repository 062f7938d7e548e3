/* train/step.h - the inside of a trainer: its plans, its totals, its steps. */
#pragma once

#include "ops/counted.h"
#include "train/data.h"
#include "train/optimizer.h"
#include "train/sharing.h"
#include "train/trainer.h"

#define NN__METRICS 8 /* as in nn_trainer_desc */

typedef struct nn__totals {
    nn_node *node[1 + NN__METRICS]; /* (2) f32 states: sum and samples; of nn_metric (2 K). First
                                       the loss, then the metrics */
    nn_node *confusion;             /* (C, C) i32 state of the evaluation, or NULL */
    /* With desc.accumulate, where batches count for other than their samples: states of one number,
       the mean of the loss and what it was taken over. Else NULL */
    nn_node *mean, *counted;
} nn__totals;

/* A moment of the optimizer: "exp_avg" of a parameter. */
typedef struct nn__moment {
    nn_node *parameter, *state; /* state NULL: its owner has it */
    const char *name;
    int32_t owner; /* a rank; of nn_trainer_desc.shard_state */
} nn__moment;

/* The gradient of a parameter, in memory of its own. */
typedef struct nn__gradient {
    nn_node *parameter, *state;
} nn__gradient;

struct nn_trainer {
    nn__owned owned; /* in the model's dependents */
    nn_context *nn;
    nn_model *net;
    nn_site site; /* where it was made; of a shell: where its model was freed */
#ifndef NN_NO_REPORTS
    bool gone; /* freed with its model: a shell, which answers every call with an error */
#endif
    nn_trainer_desc desc; /* defaults filled in */
    nn__graph tape;
    nn__faults faults;
    nn_node *loss;
    /* its value before the update: the loss, or a copy of a parameter that is one */
    nn_node *shown;
    int metric_count;
    /* of nn_metric: the K sums of the last report, then those since nn_fit's epoch began */
    double *sums[NN__METRICS];
    nn_plan *plan, *evaluation;
    nn__totals totals, evaluation_totals;
    nn_node **targets, **evaluation_targets; /* in the tape's arena */
    int target_count, evaluation_target_count;
    nn__group groups[NN__GROUPS + 1]; /* first the trainer's own settings, then desc.groups */
    nn__trained *trained;             /* in the tape's arena */
    int trained_count;
    nn__moment *moments; /* in the tape's arena */
    int moment_count;
    int64_t step; /* done */
    int fits;     /* calls of nn_fit under way, of whose callbacks one may call anything */
    /* desc.average: beside trainer->trained, in the tape's arena; NULL: its owner has it */
    nn_node **averages;
    int64_t averaged;   /* times */
    bool swapped;       /* the parameters hold the averages */
    /* desc.gradients: the step is two plans, and what passes from one to the other lies in
       states */
    nn_plan *update;
    nn_node **update_targets;
    int update_target_count;
    nn__gradient *gradients; /* in the tape's arena */
    /* desc.accumulate: what a batch counts for; beside the first gradient of each place what they
       counted for so far, and NULL beside the others */
    nn__counting count;
    nn_node **counted;
    nn_node *checked; /* the loss; where nothing of a batch counts, 0 */
    nn_node **norms; /* beside the first gradient of each place two numbers; NULL: beside others */
    int gradient_count;
    int32_t backwards; /* calls of nn_backward in the sum under way */
    bool gathered;     /* the states hold gradients */
    /* With shards: a device failed behind the sum of the gradients, here or on another rank.
       Totals, parameters and moments may be those of two steps. */
    bool torn;
    bool updates;      /* of a step in slices: its gradients are there, its update is not done */
    /* NULL for a plain trainer: each step has one batch, on one device, of one rank. Then the next
       three are NULL, too */
    const nn__sharing *sharing;
    struct nn__shards *shards; /* private to group/, as the next two */
    struct nn__owners *owners;
    struct nn__replicas *replicas;
    bool deals; /* each moment belongs to one rank: nn_trainer_desc.shard_state */
    /* A rank has a device with memory of its own, which may fail on that rank alone. So all ranks
       agree on the result once more after the exchange. The last exchange found this out. */
    bool confirms;
    int updates_from; /* order of the first update node; ranks differ from there on */
};

/* True for NULL, for a trainer that was freed with its model, and for a dry run, with an error in
   the name of `who`. nn__trainer_freed: of a dry run false. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__trainer_gone(const nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE bool nn__trainer_freed(const nn_trainer *trainer, nn_site site, const char *who);
#define nn__trainer_is_dry(desc) ((desc)->dry_run)
#else
#define nn__trainer_is_dry(desc) ((void)(desc), false)
#define nn__trainer_freed(trainer, site, who) ((void)(site), (void)(who), !(trainer))
#define nn__trainer_gone(trainer, site, who) ((void)(site), (void)(who), !(trainer))
#endif

/* False and an error unless there is nothing to count, or it can be counted. */
NN_PRIVATE bool nn__check_confusion(nn_model *net, const nn_confusion_desc *desc, nn_site site);

/* Fills tape, totals and targets: a step, and an evaluation. False and an error, or the faults of a
   report. */
NN_PRIVATE bool nn__trainer_describe(nn_trainer *trainer);
/* What a batch counts for, where `first` is; NULL: by its extents. (train/describe_update.c) */
NN_PRIVATE nn_node *nn__describe_counted(nn_trainer *trainer, const nn_node *first);
NN_PRIVATE nn_result nn__trainer_zero(nn_trainer *trainer, const nn__totals *totals);
/* Of metrics that are made of sums: those since the epoch began, `first` for its first report. */
NN_PRIVATE void nn__trainer_merge_sums(nn_trainer *trainer, nn_report *mean, bool first);
/* A state of zeros beside `like`: on its device, and moving as it does. (train/describe_update.c,
   and the next ones) */
NN_PRIVATE nn_node *nn__describe_state(nn_trainer *trainer, const nn_node *like,
                                       const char *suffix, nn_shape shape);
NN_PRIVATE bool nn__describe_no_memory(nn_trainer *trainer);
NN_PRIVATE bool nn__describe_together(const nn_node *a, const nn_node *b);
/* The loss, checked where `first` is. */
NN_PRIVATE void nn__describe_check_there(nn_trainer *trainer, nn__tape *tape, const nn_node *first);
/* The half of the step behind the gradients of trainer->trained. */
NN_PRIVATE bool nn__describe_updates(nn_trainer *trainer, nn__tape *tape);
/* The error of a trainer that keeps no gradients; check: does it keep them, and is it idle? */
NN_PRIVATE nn_result nn__gradient_none(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__gradient_check(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__gradient_clear(nn_trainer *trainer); /* all become 0 */
/* Makes the trainer's plan ready for a backward pass whose gradients are added to a sum
   (train/gradient.c). A pass that would be refused is refused here, and the sum stays. whole: an
   update follows in the same call. */
NN_PRIVATE nn_result nn__gradient_begin(nn_trainer *trainer, bool whole, nn_site site,
                                        const char *who);
/* An error where the trainer is torn, so that nothing is built on it. tear: a trainer of shards is,
   and its model with it. */
NN_PRIVATE nn_result nn__check_torn(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE void nn__tear(nn_trainer *trainer);
/* After the pass: one step of the optimizer, or a slice of it. microseconds: less than 0: all the
   rest. */
NN_PRIVATE nn_result nn__gradient_update(nn_trainer *trainer, int64_t microseconds, nn_site site,
                                         const char *who);
/* nn_train_step, in the name of `who`. */
NN_PRIVATE nn_result nn__trainer_step(nn_trainer *trainer, nn_loader *loader, nn_site site,
                                      const char *who);
/* Steps on the batch that the loader holds and on those that stand behind it, `left` at most; those
   that were made are added to *made. (train/steps.c) */
NN_PRIVATE nn_result nn__train_some(nn_trainer *trainer, nn_loader *loader, int32_t left,
                                    int32_t *made, nn_site site, const char *who);
/* The pass that a step begins with, for both kinds of trainers. */
NN_PRIVATE nn_result nn__trainer_begin(nn_trainer *trainer, nn_loader *loader, bool whole,
                                       nn_site site, const char *who);
/* Not stale, and no step in slices under way? */
NN_PRIVATE nn_result nn__trainer_idle(nn_trainer *trainer, nn_site site, const char *who);
/* False and an error that names `who`. (train/schedule.c) */
NN_PRIVATE bool nn__check_schedule(nn_context *nn, const nn_schedule *schedule, nn_site site,
                                   const char *who);
/* desc.average: its states; what follows an update; an error while it stands in the parameters'
   place. (train/average.c) */
NN_PRIVATE bool nn__describe_average(nn_trainer *trainer);
NN_PRIVATE nn_result nn__average_step(nn_trainer *trainer, nn_site site);
/* The steps after `step` were none: what they averaged does not count. */
NN_PRIVATE void nn__average_back(nn_trainer *trainer, int64_t step);
/* The averages stand in the place of the parameters, or do not any more. */
NN_PRIVATE void nn__average_mark(nn_trainer *trainer, bool swapped);
NN_PRIVATE nn_result nn__average_apart(const nn_trainer *trainer, nn_site site, const char *who);
/* An error where the function of the schedule returns no rate for the next step. */
NN_PRIVATE nn_result nn__check_rate(const nn_trainer *trainer, nn_site site, const char *who);

/* ---- what a trainer shares (train/sharing.h) ------------------------------------------------- */

/* Moment i, and the average of trained[i]; NULL: it is on another rank. */
static inline NN__UNUSED nn_tensor *nn__moment_tensor(const nn_trainer *trainer, int i) {
    if (trainer->deals) return trainer->sharing->owners_moment(trainer, i);
    return trainer->moments[i].state->tensor;
}
static inline NN__UNUSED nn_tensor *nn__average_tensor(const nn_trainer *trainer, int i) {
    if (trainer->deals) return trainer->sharing->owners_average(trainer, i);
    return trainer->averages[i]->tensor;
}
/* Is what belongs to trained[i] on this rank? */
static inline NN__UNUSED bool nn__owned_here(const nn_trainer *trainer, int i) {
    return !trainer->deals || trainer->sharing->owners_has(trainer, i);
}
/* nn__owners_share where there are owners; else `mine`. */
static inline NN__UNUSED nn_result nn__updated_here(nn_trainer *trainer, nn_result mine,
                                                    nn_site site, const char *who) {
    if (!trainer->deals) return mine;
    return trainer->sharing->owners_share(trainer, mine, site, who);
}
static inline NN__UNUSED void nn__forget_rests(nn_trainer *trainer) {
    if (trainer->sharing) trainer->sharing->wire_forget(trainer);
}
/* The answer of all ranks of the trainer's group; without one, `mine`. */
static inline NN__UNUSED nn_result nn__trainer_agree(nn_trainer *trainer, nn_result mine,
                                                     nn_site site, const char *who) {
    nn_group *group = trainer->desc.group;
    return nn__ranks(group) > 1 ? nn__group_agree(group, mine, NULL, site, who) : mine;
}
/* One more plan of the step. (train/trainer.c) */
NN_PRIVATE nn_plan *nn__trainer_make_lane(nn_trainer *trainer, nn_site site);
/* Of nn_trainer_desc.devices; 1: the model's alone. */
NN_PRIVATE int nn__device_count(const nn_trainer_desc *desc);
/* A trainer that nobody owns; part: NULL, or it makes that part of another one's steps and has
   neither evaluation nor update. (train/trainer.c) */
NN_PRIVATE nn_trainer *nn__build_trainer(nn_site site, nn_model *net, nn_node *loss,
                                         const nn_trainer_desc *desc, const nn__part *part);
NN_PRIVATE void nn__drop_trainer(nn_trainer *trainer); /* frees one; NULL is allowed */
/* True if nn_group.h is part of the program; else false and an error that names the field.
   (train/trainer_desc.c) */
NN_PRIVATE bool nn__can_share(nn_context *nn, const char *field, nn_site site, const char *who);

/* ---- a trainer in parts ---------------------------------------------------------------------- */

/* Fills the defaults into desc; checks it, then what it trains. False and an error.
   (train/trainer_desc.c) */
NN_PRIVATE bool nn__trainer_defaults(nn_context *nn, nn_trainer_desc *desc, nn_site site);
NN_PRIVATE bool nn__trainer_check(nn_model *net, nn_node *loss, const nn_trainer_desc *desc,
                                  nn_site site);
/* The trainer's plans fit its model as it stands? (train/step.c) */
NN_PRIVATE nn_result nn__trainer_ready(nn_trainer *trainer, nn_site site, const char *who);
/* Binds the fields to the inputs of their names. Costs nothing when they are bound already. */
NN_PRIVATE nn_result nn__trainer_bind(nn_trainer *trainer, nn_plan *plan, nn_loader *loader,
                                      nn_site site, const char *who);
