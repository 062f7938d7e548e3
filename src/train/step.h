/* train/step.h - the inside of a trainer: its plans, totals and steps. */
#pragma once

#include "ops/counted.h"
#include "train/data.h"
#include "train/optimizer.h"
#include "train/sharing.h"
#include "train/trainer.h"

typedef struct nn__totals {
    /* In the tape's arena: (2) f32 states, sum and number of samples; for nn_metric (2 K). First
       that of the loss, then those of the metrics */
    nn_node **node;
    nn_node *confusion; /* (C, C) i32 state of the evaluation, or NULL */
    /* With desc.accumulate, if batches are not weighted by their samples: states of one number, the
       mean of the loss and its weight. Else NULL */
    nn_node *mean, *counted;
} nn__totals;

/* A moment of the optimizer: "exp_avg" of a parameter. */
typedef struct nn__moment {
    nn_node *parameter, *state; /* state NULL: it is on the owner's rank */
    const char *name;
    int32_t owner; /* a rank, with nn_trainer_desc.shard_state */
} nn__moment;

/* The gradient of a parameter in a state of its own. */
typedef struct nn__gradient {
    nn_node *parameter, *state;
} nn__gradient;

/* A state of the net, and the trainer's leaf that holds it from step to step. */
typedef struct nn__carried_state {
    nn_node *of, *state;
} nn__carried_state;

/* Most milestones of a schedule: the text of a checkpoint has room for them. */
#define NN__MILESTONES 64

struct nn_trainer {
    nn__owned owned; /* in the model's dependents */
    nn_context *nn;
    nn_model *net;
    nn_site site; /* where it was made; of a shell: where its model was freed */
#ifndef NN_NO_REPORTS
    bool gone; /* freed with its model; a shell is left, and calls with it are errors */
#endif
    nn_trainer_desc desc; /* defaults filled in */
    int64_t milestones[NN__MILESTONES]; /* of desc.schedule */
    nn__graph tape;
    nn__faults faults;
    nn_node *loss;
    /* The value before the update: the loss, or a copy if a parameter is the loss */
    nn_node *shown;
    int metric_count;
    /* For nn_metric: the K sums of the last report, then the K sums since nn_fit's epoch began. The
       list is in the tape's arena */
    double **sums;
    double *reported; /* all metrics of the last report, in the tape's arena */
    nn_plan *plan, *evaluation;
    nn__totals totals, evaluation_totals;
    nn_node **targets, **evaluation_targets; /* in the tape's arena */
    int target_count, evaluation_target_count;
    /* In the tape's arena: first the trainer's own settings, then desc.groups */
    nn__group *groups;
    nn__trained *trained;             /* in the tape's arena */
    int trained_count;
    nn__moment *moments; /* in the tape's arena */
    int moment_count;
    struct nn__carried_state *carried; /* states that steps carry (carry.c) */
    int carried_count;
    int64_t step; /* number of steps done */
    int fits;     /* number of running calls of nn_fit, whose callbacks may call anything */
    /* desc.average: one for each of trainer->trained, in the tape's arena; NULL: on the owner's
       rank */
    nn_node **averages;
    int64_t averaged;   /* number of updates averaged so far */
    bool swapped;       /* the parameters now hold the averages */
    /* desc.gradients: a step is two plans, and states hold what one passes to the other */
    nn_plan *update;
    nn_node **update_targets;
    int update_target_count;
    nn__gradient *gradients; /* in the tape's arena */
    /* desc.accumulate: the weight of a batch. counted has, at the first gradient of each place, a
       state with the weight so far; the others are NULL */
    nn__counting count;
    nn_node **counted;
    nn_node *checked; /* the loss; 0 if nothing in a batch counts */
    nn_node **norms; /* at the first gradient of each place, a state of two numbers; the others are
                        NULL */
    int gradient_count;
    int32_t backwards; /* number of nn_backward calls in the current sum */
    bool gathered;     /* the states hold gradients */
    /* With shards: a device failed after the sum of the gradients, here or on another rank. Totals,
       parameters and moments may mix two steps. */
    bool torn;
    bool updates;      /* for steps in slices: the gradients are there, the update is not done */
    /* NULL for a plain trainer, which has one batch, one device and one rank. Then the next three
       are NULL, too */
    const nn__sharing *sharing;
    struct nn__shards *shards; /* private to group/, as the next two */
    struct nn__owners *owners;
    struct nn__replicas *replicas;
    bool deals; /* each moment belongs to one rank: nn_trainer_desc.shard_state */
    /* True if the last exchange found a rank whose device has its own memory. Such a device may
       fail on that rank alone, so all ranks agree once more after the exchange. */
    bool confirms;
    int updates_from; /* order of the first update node; from there on ranks differ */
};

/* True for NULL, for a trainer that was freed with its model, and for a dry run; the last two are
   errors in the name of `who`. nn__trainer_freed is false for a dry run. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__trainer_gone(const nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE bool nn__trainer_freed(const nn_trainer *trainer, nn_site site, const char *who);
#define nn__trainer_is_dry(desc) ((desc)->dry_run)
#else
#define nn__trainer_is_dry(desc) ((void)(desc), false)
#define nn__trainer_freed(trainer, site, who) ((void)(site), (void)(who), !(trainer))
#define nn__trainer_gone(trainer, site, who) ((void)(site), (void)(who), !(trainer))
#endif

/* False and an error if the nodes of desc cannot be counted. An empty desc is fine. */
NN_PRIVATE bool nn__check_confusion(nn_model *net, const nn_confusion_desc *desc, nn_site site);

/* Describes a step and an evaluation: fills tape, totals and targets. False and an error, or the
   faults of a report. */
NN_PRIVATE bool nn__trainer_describe(nn_trainer *trainer);
/* Returns a node with the weight of a batch, on the device of `first`; NULL: the weight follows
   from the extents. (train/describe_update.c) */
NN_PRIVATE nn_node *nn__describe_counted(nn_trainer *trainer, const nn_node *first);
NN_PRIVATE nn_result nn__trainer_zero(nn_trainer *trainer, const nn__totals *totals);
/* Computes metrics made of sums over the epoch so far. first: it is the epoch's first report. */
NN_PRIVATE void nn__trainer_merge_sums(nn_trainer *trainer, nn_report *mean, bool first);
/* Copies the first metrics of the last report to the report. */
NN_PRIVATE void nn__trainer_show_metrics(const nn_trainer *trainer, nn_report *report);
/* Returns how many metrics of the trainer a report has. */
NN_PRIVATE int nn__report_metrics(const nn_trainer *trainer);
/* Adds a state of zeros that is on the device of `like` and moves with it.
   (train/describe_update.c, and the next ones) */
NN_PRIVATE nn_node *nn__describe_state(nn_trainer *trainer, const nn_node *like,
                                       const char *suffix, nn_shape shape);
NN_PRIVATE bool nn__describe_no_memory(nn_trainer *trainer);
NN_PRIVATE bool nn__describe_together(const nn_node *a, const nn_node *b);
/* Checks the loss on the device of `first`. */
NN_PRIVATE void nn__describe_check_there(nn_trainer *trainer, nn__tape *tape, const nn_node *first);
/* Describes the second half of the step, after the gradients of trainer->trained. */
NN_PRIVATE bool nn__describe_updates(nn_trainer *trainer, nn__tape *tape);
/* none: the error of a trainer that keeps no gradients. check: NN_OK if it keeps them and is
   idle. */
NN_PRIVATE nn_result nn__gradient_none(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__gradient_check(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__gradient_clear(nn_trainer *trainer); /* sets all gradients to 0 */
/* Prepares the trainer's plan for a backward pass that adds to a sum of gradients
   (train/gradient.c). If the pass must be refused, it is refused here, and the sum stays. whole: an
   update follows in the same call. */
NN_PRIVATE nn_result nn__gradient_begin(nn_trainer *trainer, bool whole, nn_site site,
                                        const char *who);
/* check: an error if the trainer is torn, so that nothing is built on it. tear: marks a trainer
   with shards, and its model, as torn. */
NN_PRIVATE nn_result nn__check_torn(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE void nn__tear(nn_trainer *trainer);
/* After the pass: does one step of the optimizer, or a slice of it. microseconds < 0: all the
   rest. */
NN_PRIVATE nn_result nn__gradient_update(nn_trainer *trainer, int64_t microseconds, nn_site site,
                                         const char *who);
/* Does the work of nn_train_step in the name of `who`. */
NN_PRIVATE nn_result nn__trainer_step(nn_trainer *trainer, nn_loader *loader, nn_site site,
                                      const char *who);
/* Does at most `left` steps: on the loader's current batch and on those gathered after it. Adds
   their number to *made. (train/steps.c) */
NN_PRIVATE nn_result nn__train_some(nn_trainer *trainer, nn_loader *loader, int32_t left,
                                    int32_t *made, nn_site site, const char *who);
/* Begins a step of either kind of trainer. */
NN_PRIVATE nn_result nn__trainer_begin(nn_trainer *trainer, nn_loader *loader, bool whole,
                                       nn_site site, const char *who);
/* Returns NN_OK if the trainer's plans fit its model and no step in slices is under way. */
NN_PRIVATE nn_result nn__trainer_idle(nn_trainer *trainer, nn_site site, const char *who);
/* Copies a schedule and its list, into `milestones` with room for NN__MILESTONES. */
NN_PRIVATE void nn__copy_schedule(nn_schedule *to, int64_t *milestones, const nn_schedule *from);
/* Checks a schedule. False: an error was reported in the name of `who`. (train/schedule.c) */
NN_PRIVATE bool nn__check_schedule(nn_context *nn, const nn_schedule *schedule, nn_site site,
                                   const char *who);
/* desc.average: describes its states; averages after an update; an error while it is in the
   parameters' place. (train/average.c) */
NN_PRIVATE bool nn__describe_average(nn_trainer *trainer);
NN_PRIVATE nn_result nn__average_step(nn_trainer *trainer, nn_site site);
/* Takes the steps after `step`, which did not update, out of the number of averaged updates. */
NN_PRIVATE void nn__average_back(nn_trainer *trainer, int64_t step);
/* Records that the averages are now, or are no longer, in the parameters' place. */
NN_PRIVATE void nn__average_mark(nn_trainer *trainer, bool swapped);
NN_PRIVATE nn_result nn__average_check_in_place(const nn_trainer *trainer, nn_site site,
                                                const char *who);
/* Returns an error if the schedule's function returns no valid rate for the next step. */
NN_PRIVATE nn_result nn__check_rate(const nn_trainer *trainer, nn_site site, const char *who);

/* ---- what a trainer shares (train/sharing.h) ------------------------------------------------- */

/* carry: adds a leaf for each state of the net, if the trainer carries them. False: no memory, and
   an error. */
NN_PRIVATE bool nn__describe_carried(nn_trainer *trainer);
/* carry: binds the states of a plan for steps to these leaves. */
NN_PRIVATE void nn__carry_bind(const nn_trainer *trainer, nn_plan *plan, nn_site site);
/* Return moment i, and the average of trained[i]; NULL: it is on another rank. */
static inline NN__UNUSED nn_tensor *nn__moment_tensor(const nn_trainer *trainer, int i) {
    if (trainer->deals) return trainer->sharing->owners_moment(trainer, i);
    return trainer->moments[i].state->tensor;
}
static inline NN__UNUSED nn_tensor *nn__average_tensor(const nn_trainer *trainer, int i) {
    if (trainer->deals) return trainer->sharing->owners_average(trainer, i);
    return trainer->averages[i]->tensor;
}
/* True if the states of trained[i] are on this rank. */
static inline NN__UNUSED bool nn__owned_here(const nn_trainer *trainer, int i) {
    return !trainer->deals || trainer->sharing->owners_has(trainer, i);
}
/* Returns the result of nn__owners_share if there are owners, else `mine`. */
static inline NN__UNUSED nn_result nn__updated_here(nn_trainer *trainer, nn_result mine,
                                                    nn_site site, const char *who) {
    if (!trainer->deals) return mine;
    return trainer->sharing->owners_share(trainer, mine, site, who);
}
static inline NN__UNUSED void nn__forget_rests(nn_trainer *trainer) {
    if (trainer->sharing) trainer->sharing->wire_forget(trainer);
}
/* Returns the result that all ranks of the trainer's group agree on; without a group, `mine`. */
static inline NN__UNUSED nn_result nn__trainer_agree(nn_trainer *trainer, nn_result mine,
                                                     nn_site site, const char *who) {
    nn_group *group = trainer->desc.group;
    return nn__ranks(group) > 1 ? nn__group_agree(group, mine, NULL, site, who) : mine;
}
/* Makes one more plan of the step. (train/trainer.c) */
NN_PRIVATE nn_plan *nn__trainer_make_lane(nn_trainer *trainer, nn_site site);
/* Returns the number of nn_trainer_desc.devices; 1: only the model's device. */
NN_PRIVATE int nn__device_count(const nn_trainer_desc *desc);
/* Makes a trainer without an owner. part: NULL, or the part of another trainer's steps that it
   does; it then has no update. (train/trainer.c) */
NN_PRIVATE nn_trainer *nn__build_trainer(nn_site site, nn_model *net, nn_node *loss,
                                         const nn_trainer_desc *desc, const nn__part *part);
NN_PRIVATE void nn__drop_trainer(nn_trainer *trainer); /* frees one; NULL is allowed */
/* True if nn_group.h is part of the program; otherwise false and an error that names the field.
   (train/trainer_desc.c) */
NN_PRIVATE bool nn__has_group_part(nn_context *nn, const char *field, nn_site site,
                                   const char *who);

/* ---- a trainer in parts ---------------------------------------------------------------------- */

/* Fills the defaults into desc and checks it; then checks what it trains. False and an error.
   (train/trainer_desc.c) */
NN_PRIVATE bool nn__trainer_defaults(nn_context *nn, nn_trainer_desc *desc, nn_site site);
NN_PRIVATE bool nn__trainer_check(nn_model *net, nn_node *loss, const nn_trainer_desc *desc,
                                  nn_site site);
/* Returns NN_OK if the trainer's plans fit its model. (train/step.c) */
NN_PRIVATE nn_result nn__trainer_ready(nn_trainer *trainer, nn_site site, const char *who);
/* Binds the loader's fields to the inputs of the same names; costs nothing if they are bound
   already. */
NN_PRIVATE nn_result nn__trainer_bind(nn_trainer *trainer, nn_plan *plan, nn_loader *loader,
                                      nn_site site, const char *who);
