/* train/trainer.h - one training step as one plan: forward, loss, backward, update. */
#pragma once

#include "kernels/update/choices.h"
#include "plan/plan.h"
#include "train/loader.h"
#include "train/schedule.h"

typedef struct nn_trainer nn_trainer;

/* What is counted against what: see train/metrics.h. */
typedef struct nn_confusion_desc {
    nn_node *logits; /* (N, C) or (N, C, d...) f32 */
    nn_node *label;  /* (N) or (N, d...) i32 */
} nn_confusion_desc;

/* How the rate of NN_MUON follows the shape (A, B) of a weight: adjust_lr_fn of
   torch.optim.Muon. */
typedef enum nn_muon_rate {
    NN_MUON_ORIGINAL,          /* times sqrt(max(1, A / B)) */
    NN_MUON_MATCH_RMS_ADAMW,   /* times 0.2 sqrt(max(A, B)) */
    NN_MUON_SPECTRAL_UNCLAMPED /* times sqrt(A / B) */
} nn_muon_rate;

/* Parameters that are trained otherwise than the others. Where `optimizer` is the trainer's, a
   field left 0 is the trainer's; where it is another one, that optimizer's default. NN_NONE: 0.
   What has no field here (nesterov, amsgrad, centered ...) is as in the trainer's desc. */
typedef struct nn_parameter_group {
    /* Of names: one name ("fc.weight"), a beginning that ends with a dot ("fc."), or with stars,
       each for any text ("*.bias"). NULL ends the list. A parameter belongs to the first group that
       fits; a pattern that fits none, or only what groups before it have, is an error */
    const char *pattern;
    int max_rank; /* default: 0, any. 1: of those only the ones of one extent, which are biases and
                     the weights of norms: { "*", .max_rank = 1, .weight_decay = NN_NONE } */
    nn_optimizer optimizer; /* default: the trainer's */
    float rate_factor;      /* default: 1; NN_NONE: 0. Times the learning rate of each step */
    float weight_decay, momentum, beta1, beta2, epsilon;
    float dampening, alpha, rho, learning_rate_decay, initial_accumulator_value, momentum_decay;
    float lambd, t0, etaminus, etaplus, step_size_min, step_size_max;
    bool frozen; /* default: false. true: this trainer computes no gradient of them, changes none */
} nn_parameter_group;

typedef enum nn_average_kind {
    NN_AVERAGE_NONE,
    NN_AVERAGE_EMA, /* decay * average + (1 - decay) * parameter: get_ema_avg_fn */
    NN_AVERAGE_SWA  /* the mean of what came since `start` */
} nn_average_kind;

/* Whose statistics the batch norms of a step take, where the batch is cut into shards. */
typedef enum nn_batch_norm_over {
    NN_PER_SHARD, /* those of each shard, as torch.nn.BatchNorm2d in DistributedDataParallel */
    NN_OVER_ALL   /* those of the whole batch, as torch.nn.SyncBatchNorm */
} nn_batch_norm_over;

/* torch.optim.swa_utils.AveragedModel: a second copy of what the trainer trains, on its devices, as
   large as the parameters, which follows them after updates. The first time it becomes a copy.
   Buffers (running statistics) are not averaged. Of f16 and bf16 parameters their f32 masters are
   averaged, in f32. */
typedef struct nn_average_desc {
    nn_average_kind kind; /* default: NN_AVERAGE_NONE */
    float decay;          /* default: 0.999; NN_NONE: 0; at most 1. NN_AVERAGE_EMA */
    int64_t start;        /* default: 0. Updates before it counts */
    int32_t every;        /* default: 1. Then each so many updates */
} nn_average_desc;

typedef struct nn_trainer_desc {
    int batch;              /* default: 1. The largest batch; shorter ones run as well */
    int time; /* default: 1. The largest time (NN_TIME); shorter ones run as well. See
    nn_set_time */
    nn_optimizer optimizer; /* default: NN_SGD */
    /* default: 1e-3; NN_RMSPROP and NN_ADAGRAD 1e-2; NN_ASGD and NN_RPROP 1e-2;
       NN_NADAM and NN_ADAMAX 2e-3; NN_ADADELTA 1; NN_LION 1e-4. NN_NONE: 0. To NN_RPROP it is the
       first step size, and 0 means that there is no step */
    float learning_rate;
    nn_schedule schedule; /* default: constant. Of the learning rate, by steps */
    /* default: 0; NN_ADAMW 1e-2; NN_MUON 0.1. NN_NONE: 0. Those two and NN_LION multiply the
       parameter by 1 - rate * decay, the others add decay * parameter to the gradient */
    float weight_decay;
    bool decoupled_weight_decay; /* default: false. NN_NADAM, NN_RADAM: decay as with NN_ADAMW */
    float momentum;  /* default: 0; NN_MUON 0.95. NN_NONE: 0. NN_SGD, NN_RMSPROP, NN_MUON */
    float dampening; /* default: 0. NN_SGD */
    bool nesterov;   /* default: false. NN_SGD */
    bool no_nesterov; /* default: false. NN_MUON, which is Nesterov's without being asked */
    bool amsgrad;    /* default: false. NN_ADAM, NN_ADAMW */
    float beta1;     /* default: 0.9; NN_NONE: 0. The Adams and NN_LION */
    float beta2;     /* default: 0.999; NN_LION 0.99. NN_NONE: 0 */
    /* default: 1e-8; NN_ADAGRAD 1e-10, NN_ADADELTA 1e-6, NN_MUON 1e-7. NN_NONE: 0 */
    float epsilon;
    float alpha;     /* default: 0.99; NN_ASGD 0.75. NN_NONE: 0. NN_RMSPROP, NN_ASGD */
    bool centered;   /* default: false. NN_RMSPROP */
    float rho;       /* default: 0.9; NN_NONE: 0. NN_ADADELTA */
    float learning_rate_decay;       /* default: 0. NN_ADAGRAD: lr_decay */
    float initial_accumulator_value; /* default: 0. NN_ADAGRAD */
    float momentum_decay;            /* default: 4e-3; NN_NONE: 0. NN_NADAM */
    float lambd;         /* default: 1e-4; NN_NONE: 0. NN_ASGD: of the decay, and of the rate's */
    float t0;            /* default: 1e6; NN_NONE: 0. NN_ASGD: the step after which it averages */
    float etaminus;      /* default: 0.5; between 0 and 1. NN_RPROP: where the sign turns */
    float etaplus;       /* default: 1.2; more than 1. NN_RPROP: where the sign stays */
    float step_size_min; /* default: 1e-6; NN_NONE: 0. NN_RPROP, whose first is the learning rate */
    float step_size_max; /* default: 50. NN_RPROP */
    nn_muon_rate muon_rate;          /* default: NN_MUON_ORIGINAL */
    int newton_schulz_steps;         /* default: 5; less than 100. NN_MUON: ns_steps */
    nn_parameter_group groups[32];   /* default: none, all parameters alike */
    /* default: all. Patterns as in groups: the parameters that this trainer trains. For several
       trainers of one model, such as those of a GAN: it computes no gradient of others, and writes
       nothing of theirs, nor buffers of layers of which it trains nothing (unless a pattern fits
       the buffer's name). Two trainers may share a parameter, as two torch.optim do; each has
       moments of its own. */
    const char *parameters[8];
    float max_norm; /* default: 0, no limit. Gradients are scaled down to this norm, all together:
                       torch.nn.utils.clip_grad_norm_ */
    /* default: 0, no limit. Each number of a gradient is clamped to [-max_value, max_value]:
       clip_grad_value_. With both, first by norm, then by value */
    float max_value;
    nn_node *metrics[8]; /* default: none. Numbers like nn_accuracy, averaged over the samples of a
                            report; or made of sums over all of them: ops/metric.h */
    nn_confusion_desc confusion; /* default: none. Counted by nn_evaluate on the device, read by
                                    nn_read_confusion */
    /* default: 1. Batches whose gradients make one update: nn_step and nn_train_step gather them,
       and every k-th call updates. The gradient is that of one batch of them all: each batch has
       the weight of what it counts for in the loss, be it its samples, its labels that are not
       ignored or the weights of their classes; gradients of a sum are added. nn_trainer_step counts
       updates, and so does the schedule. Implies .gradients */
    int accumulate;
    /* default: none (nn_group.h). Those who share this training. Every rank makes the same trainer
       and the same loaders (nn_loader_desc.group), and calls the same functions in the same order:
       nn_make_trainer, which compares what the ranks train, lists every difference on all of them,
       and takes the parameters, buffers, moments and numbers of rank 0 to all; nn_train_step,
       nn_step, nn_backward, which add the gradients of all; nn_evaluate, nn_fit, nn_save_checkpoint
       (rank 0 writes) and nn_load_checkpoint (rank 0 reads). An error of one rank is the same error
       of all, at the same step. .batch is that of all ranks together. Ranks whose devices are of
       different kinds have losses and updates that differ in their last bits, and weights that
       drift apart as slowly; with .shard_state each parameter is updated by one rank, and all have
       its bytes. Must outlive the trainer */
    nn_group *group;
    /* default: 4 MiB. Gradients travel to the other ranks in buckets of about so many bytes, in the
       order in which the backward pass completes them, while it goes on where the group has a
       thread of its own. The bytes of the sum do not depend on it. A device with memory of its own
       needs as much memory of the host as the gradients have (pinned, where it offers that) */
    int64_t bucket_bytes;
    /* default: NN_F32. NN_BF16: gradients are exchanged in half the bytes (torch's
       bf16_compress_hook). Every sum of the tree of shards is rounded to bf16, with error feedback:
       what a rounding leaves over is kept in f32 and added to the same sum of the next step, so
       that nothing is lost for good. Like everything else that has the same bytes on any number of
       ranks, also one, and on all of them. Losses, counts and buffers stay f32, and so does what
       crosses between .devices. It costs 4 bytes for each parameter, on the device for each sum on
       this rank (2 n - 1 for n shards) and in memory of the host for those over ranks; and time for
       each number of each sum: on one CPU thread, steps of linear layers in 8 shards take 1.5 times
       as long (batches of 1,024, few parameters) to 5 times (of 64, 100,000 parameters), so that it
       pays where the exchange takes longer than that. Checkpoints do not have what is left over,
       and saving one drops it on all ranks: a run that goes on and one that resumes then have the
       same bytes, but one that saved at another step has not. Where a batch is not cut into shards
       nothing is rounded */
    nn_dtype wire;
    /* default: false. true: the optimizer's state is shared by the ranks of .group: each parameter,
       or each part of it, belongs to one rank, which alone keeps its moments, its f32 master and
       its average, updates it and gives it to all others (ZeRO's first stage; torch's
       ZeroRedundancyOptimizer). Weights, moments and checkpoints have the same bytes as without it,
       for any number of ranks, and a checkpoint of either kind is read by both. nn_write_plan tells
       which of two ways it takes:
       - NN_SGD, NN_ADAM or NN_ADAMW on f32 parameters and a power of two of ranks, without
         .gradients, .accumulate, .max_norm, .max_value, .average and .wire: each rank has about
         the same part of all. The sums of gradients come to it for its part only, and new
         parameters travel in the place of the others: no more bytes cross than without it, and a
         step is shorter by the work that ranks no longer do twice. Of a linear layer whose weight
         is large beside the batch's input and gradient of the layer, ranks of CPUs give each other
         these two instead of sums, and each makes its part of the weight's gradient for all
         samples: fewer bytes, and none of them added. Gradients cannot be read then.
       - else parameters are dealt as wholes, so that each rank has about the same bytes; every
         optimizer goes with it, a parameter larger than its share makes a larger share, and the
         parameters travel once more in each update, through .bucket_bytes of memory of the host.
       While a checkpoint is written or read, rank 0 needs memory of the host for the whole state,
       and all use .bucket_bytes of it. nn_update and nn_swap_average are then calls that all ranks
       make. Where a rank is lost in the middle of an update, the parameters of the others are
       those of two steps: go on from a checkpoint. Without .group, or with one rank, that rank has
       all; .devices alone do not share it */
    bool shard_state;
    /* default: 1; with .group 8, or more where it has more ranks (nn_group.h). A power of two, and
       no less than the size of .group. The batch of a step is cut by position into so many parts of
       equal size (.batch / .shards rounded up; in a short batch the last ones are short or empty).
       Each gives a gradient of its own, they are added in one binary tree over their numbers, and
       each has the weight of what it counts for, as with .accumulate: so the same training goes on
       with the same bytes on any number of ranks up to .shards. Ranks have equally many shards
       where their number is a power of two; else the first ones have half as many as the others
       (of 3 ranks 2, 2 and 4 of 8), so that 3 ranks are about as fast as 2. Each then has one sum
       to keep and to hand on; with 3, 3 and 2 the tree would leave two of them with two sums each,
       which need twice the memory and the bytes. Batch norms take the
       statistics of each shard, or those of all (.batch_norm); what a step writes into buffers
       (running statistics) is the mean over the shards by their samples. Memory: log2(.shards)
       times that of the gradients more, and on the CPU, for each shard here, at most a quarter of
       the gradients of nn_linear that are large beside its samples: what they are made of is kept,
       and one product over all shards makes their sum (nn_write_plan tells how many; none, and the
       same bytes, where nn_desc.scratch_bytes is less than the product needs). Implies
       .gradients; not with nn_train_step_for. Values of nn_trainer_plan are those of the last
       shard. 1: none of this */
    int shards;
    /* default: NN_PER_SHARD. NN_OVER_ALL: forward and backward as in one batch, over the shards of
       all devices and ranks, and with the same bytes on any number of them; uneven and empty shards
       count for what they have. The shards of a device then run side by side from each batch norm
       to the one behind it: each has activations of its own, as many in sum as the batch without
       shards, and all ranks wait for each other at each batch norm, forward and backward. The loss
       is a mean or a sum over the batch (or over its labels that count), without .counted. Other
       norms, and frozen ones, have nothing to do with it */
    nn_batch_norm_over batch_norm;
    /* default: none, the model's alone (nn_group.h). 2, 4 or 8 open devices of this context, the
       model's first, of any kinds: they share the shards of each batch equally (.shards is then 8
       unless given; as with torch.nn.DataParallel, but with the bytes of one device). Each further
       device has a copy of the model and the activations of its shards; evaluations are shared as
       well. The update, and all that it keeps, is on the first one; so are the loader's batches and
       what is saved. Before a step the copies take over what changed in the model, whoever changed
       it; the program sees one model. With .group each rank has such devices of its own. What
       crosses is in nn_write_plan, and in the ledger under "exchange" and the names of inputs */
    nn_device devices[8];
    /* default: found in the loss, if it is a mean, a sum, or several of one kind added. One number:
       the weight of a batch, such as nn_sum of a mask */
    nn_node *counted;
    nn_average_desc average; /* default: none. See nn_swap_average */
    bool gradients; /* default: false. true: gradients have memory of their own, as much as the
                       parameters: for nn_backward, nn_update and nn_read_gradient */
    bool poison;                 /* default: false. As in nn_plan_desc */
    bool direct_convolutions;    /* default: false. As in nn_plan_desc */
    bool separate_steps;         /* default: false. As in nn_plan_desc. With .shards always true */
    bool dry_run; /* default: false. Only checks and counts, as in nn_plan_desc: nn_trainer_plan
                     answers nn_plan_bytes, nn_plan_allocated and nn_write_plan; the model's
                     parameters, gradients and moments get no memory, no rank of .group is asked,
                     and what trains, reads, saves or moves the trainer is an error */
    /* default: NN_UNSUPPORTED_IS_ERROR. As in nn_plan_desc; an update that goes over the CPU takes
       its parameters and moments along, at each step */
    nn_on_unsupported on_unsupported;
} nn_trainer_desc;

/* NULL on failure: nn_error has the report of all faults. loss: one number. */
NN_API nn_trainer *nn_make_trainer_at(nn_site site, nn_model *net, nn_node *loss,
                                      const nn_trainer_desc *desc);
#define nn_make_trainer(...) nn__make_trainer_here(NN_HERE, __VA_ARGS__)
/* What nn_make_trainer is made of, so that a program contains only what its trainers need.
   optimizers: nn_optimizers(), or NULL for trainers whose updates are NN_SGD, NN_ADAM and NN_ADAMW,
   without .amsgrad, .max_value and .groups. A trainer that needs what is not there is an error.
   nn_make_trainer looks at its desc, which a compiler that optimizes can often do as well;
   nn_make_trainer_at gives them. */
typedef struct nn_optimizer_calls nn_optimizer_calls;
NN_API nn_trainer *nn_make_trainer_with_at(nn_site site, nn_model *net, nn_node *loss,
                                           const nn_trainer_desc *desc,
                                           const nn_optimizer_calls *optimizers);
#define nn_make_trainer_with(...) nn_make_trainer_with_at(NN_HERE, __VA_ARGS__)
NN_API const nn_optimizer_calls *nn_optimizers(void);
static NN__HERE_INLINE nn_trainer *nn__make_trainer_here(nn_site site, nn_model *net,
                                                         nn_node *loss,
                                                         const nn_trainer_desc *desc) {
    const bool others = desc && (desc->optimizer > NN_ADAMW || desc->amsgrad ||
                                 desc->max_value != 0.0f || desc->groups[0].pattern);
    return nn_make_trainer_with_at(site, net, loss, desc,
                                   others ? nn_optimizers() : NULL);
}
NN_API void nn_free_trainer_at(nn_site site, nn_trainer *trainer);
#define nn_free_trainer(...) nn_free_trainer_at(NN_HERE, __VA_ARGS__)

/* One step on the loader's current batch: fields are bound to the inputs of their names. Reads
   nothing back but the status word (4 bytes in the ledger, and nothing where memory is the host's):
   after a label out of range or a loss that is NaN nothing is updated, and the step returns
   NN_ERROR_LABEL or NN_ERROR_NAN where it is known at once, as on the CPU. A device with a queue is
   not waited for: there one of the next steps returns it, when the device has got that far. From
   then on every step is refused until nn_clear_fault. While nn_ledger_limit limits downloads or
   crossings, only reports read the word. */
NN_API nn_result nn_train_step_at(nn_site site, nn_trainer *trainer, nn_loader *loader);
#define nn_train_step(...) nn_train_step_at(NN_HERE, __VA_ARGS__)
/* nn_next_batch and nn_train_step, `count` times: with the numbers that these give, within
   rounding. NN_END: the loader's epoch ended before, and the next call begins the next one. *done
   (NULL is allowed): steps that were made, also before an error; a launch that fails makes none of
   its steps, and the loader has passed their batches. All ranks of a group give the same count.
   Where a whole step is one launch
   of its device (on a GPU nets of layers up to 128 wide, of some hundred samples) and the loader
   has gathered batches ahead (.on_device and .prefetch), the steps on these become one launch, of
   64 at most; any other step runs as it does alone. The first call that finds it so builds a
   kernel, and takes 48 KiB for the numbers of the steps, a third on the device. Of all of them
   the status word is read once. No step in slices may be under way. An epoch:
       while (nn_train_steps(trainer, loader, 32, NULL) == NN_OK) continue; */
NN_API nn_result nn_train_steps_at(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                   int32_t count, int32_t *done);
#define nn_train_steps(...) nn_train_steps_at(NN_HERE, __VA_ARGS__)
/* The same without a loader: fill the inputs of nn_trainer_plan by nn_upload or nn_bind first. */
NN_API nn_result nn_step_at(nn_site site, nn_trainer *trainer);
#define nn_step(...) nn_step_at(NN_HERE, __VA_ARGS__)
/* A step in slices, see nn_run_for: NN_PENDING until it is done. loader: NULL if inputs were filled
   by hand. Where the plan draws random numbers (nn_dropout and its like), they follow from the
   model's seed, the number of the step and the place alone: any slices draw what the whole step
   would have drawn, whatever else runs between them. */
NN_API nn_result nn_train_step_for_at(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                      int64_t microseconds);
#define nn_train_step_for(...) nn_train_step_for_at(NN_HERE, __VA_ARGS__)

/* The two halves of a step, for a trainer with .gradients: a large batch in parts, several losses,
   gradients that are looked at before they are used. nn_backward runs forward and backward on the
   inputs of nn_trainer_plan and adds the gradients to those of the calls before, as loss.backward()
   does; nothing divides by the number of calls, unless .accumulate is more than 1: then the
   gradients are those of one batch of all. nn_update is one step of the optimizer (max_norm
   included) with that sum; the next nn_backward begins a new sum. nn_step is one call of each, with
   the same bytes. Dropout differs from call to call. nn_update reads the status word (ledger: 4
   bytes for each device that is not the host): a fault of nn_backward is its error, and nothing is
   updated. */
NN_API nn_result nn_backward_at(nn_site site, nn_trainer *trainer);
#define nn_backward(...) nn_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_update_at(nn_site site, nn_trainer *trainer);
#define nn_update(...) nn_update_at(NN_HERE, __VA_ARGS__)
/* Drops what nn_backward has gathered. */
NN_API nn_result nn_zero_gradients_at(nn_site site, nn_trainer *trainer);
#define nn_zero_gradients(...) nn_zero_gradients_at(NN_HERE, __VA_ARGS__)
/* The gradient of a parameter by its name ("fc.weight"), of the last sum, also after the update
   that used it. `bytes` must be the parameter's. */
NN_API nn_result nn_read_gradient_at(nn_site site, nn_trainer *trainer, const char *name, void *to,
                                     size_t bytes);
#define nn_read_gradient(...) nn_read_gradient_at(NN_HERE, __VA_ARGS__)

/* The gradient becomes these numbers, f32 as many as the parameter has; nn_update uses them. After
   an update, or before any nn_backward, a new sum begins: the gradients that nobody writes are 0,
   and the next nn_backward adds to all. */
NN_API nn_result nn_write_gradient_at(nn_site site, nn_trainer *trainer, const char *name,
                                      const void *from, size_t bytes);
#define nn_write_gradient(...) nn_write_gradient_at(NN_HERE, __VA_ARGS__)
/* torch.nn.utils.clip_grad_norm_: all gradients together are scaled down to the norm max_norm. norm
   receives the norm before that (NULL: nobody wants it); INFINITY as max_norm only asks. Reads 4
   bytes back from each device (ledger: "norm"). nn_trainer_desc.max_norm costs no such wait. */
NN_API nn_result nn_clip_gradients_at(nn_site site, nn_trainer *trainer, float max_norm,
                                      float *norm);
#define nn_clip_gradients(...) nn_clip_gradients_at(NN_HERE, __VA_ARGS__)
/* torch.nn.utils.clip_grad_value_: each number is clamped to [-max_value, max_value]. */
NN_API nn_result nn_clip_gradient_values_at(nn_site site, nn_trainer *trainer, float max_value);
#define nn_clip_gradient_values(...) nn_clip_gradient_values_at(NN_HERE, __VA_ARGS__)

/* Means over the samples since the last report; with nn_trainer_desc.accumulate the loss is the
   mean over what its batches count for, as their gradient is. Reading it copies a few numbers from
   the device (ledger: "report") and the status word; a fault inside a step (label out of range, NaN
   loss) is the error here, with the first step that had it. */
typedef struct nn_report {
    double loss;
    double metrics[8];
    /* they were taken over; in a model with NN_TIME each step of a sample counts */
    int64_t samples;
    int64_t step;    /* of the trainer, from 1 */
    /* What the loss was taken over: the samples; with nn_trainer_desc.accumulate what they count
       for: labels that are not ignored, the weights of their classes, .counted. 0: nothing did */
    double counted;
} nn_report;
NN_API nn_result nn_read_report_at(nn_site site, nn_trainer *trainer, nn_report *report);
#define nn_read_report(...) nn_read_report_at(NN_HERE, __VA_ARGS__)
/* The loss of the last step alone; 4 bytes and the status word. */
NN_API nn_result nn_read_loss_at(nn_site site, nn_trainer *trainer, float *loss);
#define nn_read_loss(...) nn_read_loss_at(NN_HERE, __VA_ARGS__)
/* After a fault: updates do nothing, and steps are refused, until this is called. nn_trainer_step
   then tells the last step before the fault. Gradients that were gathered for the next update are
   dropped; with .shards by the step that fails, on all ranks, of which only the one that has the
   fault must call this. */
NN_API nn_result nn_clear_fault_at(nn_site site, nn_trainer *trainer);
#define nn_clear_fault(...) nn_clear_fault_at(NN_HERE, __VA_ARGS__)

/* Loss and metrics over one epoch of the loader, without dropout and without learning. A loader in
   the middle of an epoch goes on there with its next batch. */
NN_API nn_result nn_evaluate_at(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                nn_report *report);
#define nn_evaluate(...) nn_evaluate_at(NN_HERE, __VA_ARGS__)

/* Parameters and their average (nn_trainer_desc.average) change places: then nn_evaluate, plans of
   the model and nn_save_weights use the average. Called again they are back. In between steps and
   checkpoints are errors, also of other trainers with these parameters, and so are loading and
   blending weights; a trainer that is freed leaves the average in place. nn_move_trainer takes both
   along. f16 and bf16 parameters become the
   rounded average, and come back as they were. Until it returns it needs as much memory as the
   parameters. When the device fails in between, everything is put back. An error, if nothing was
   averaged so far. */
NN_API nn_result nn_swap_average_at(nn_site site, nn_trainer *trainer);
#define nn_swap_average(...) nn_swap_average_at(NN_HERE, __VA_ARGS__)

/* What is known after each report of nn_fit; checkpoints carry it along. */
typedef struct nn_progress {
    int32_t epoch, epochs;  /* epoch from 1 */
    int32_t batch, batches; /* of this epoch; batch from 1 */
    nn_report train;
    bool epoch_ended;
    nn_report validation; /* samples 0: there was none */
    double seconds; /* since nn_fit was called. Not in checkpoints: equal runs have equal files */
    double best; /* lowest loss at the end of an epoch so far: of validation if there is one */
    int32_t best_epoch; /* which that was; 0: none ended yet */
    /* Of nn_fit_desc.plateau and .stop: the lowest loss that counted for each, and the epochs
       since, without those in which the plateau cools down */
    double plateau_best, stop_best;
    int32_t plateau_epochs, plateau_cooldown, stop_epochs;
    bool stopped; /* by nn_fit_desc.stop */
} nn_progress;

/* The rate that the schedule starts from; without one, that of all steps to come. */
NN_API void nn_set_learning_rate(nn_trainer *trainer, float learning_rate);
NN_API float nn_learning_rate(const nn_trainer *trainer); /* of the next step, schedule included */
/* Another schedule; its steps count from the trainer's first one. NULL: constant. */
NN_API nn_result nn_set_schedule_at(nn_site site, nn_trainer *trainer, const nn_schedule *schedule);
#define nn_set_schedule(...) nn_set_schedule_at(NN_HERE, __VA_ARGS__)
NN_API int64_t nn_trainer_step(const nn_trainer *trainer); /* steps done */
NN_API nn_plan *nn_trainer_plan(nn_trainer *trainer);      /* for reports, inputs and downloads */

/* Moves the model and everything that belongs to training it: parameters, constants, moments,
   accumulators. All of it or nothing. The trainer's plans are remade; its loaders stay where they
   are: make new ones on the new device. */
NN_API nn_result nn_move_trainer_at(nn_site site, nn_trainer *trainer, nn_device device);
#define nn_move_trainer(...) nn_move_trainer_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
static NN__HERE_INLINE nn_trainer *nn__make_trainer_here(nn_site site, nn_model *net, nn_node *loss,
                                                const nn_trainer_desc &desc) {
    return nn__make_trainer_here(site, net, loss, &desc);
}
inline nn_trainer *nn_make_trainer_at(nn_site site, nn_model *net, nn_node *loss,
                                      const nn_trainer_desc &desc) {
    return nn_make_trainer_at(site, net, loss, &desc);
}
inline nn_result nn_set_schedule_at(nn_site site, nn_trainer *trainer,
                                    const nn_schedule &schedule) {
    return nn_set_schedule_at(site, trainer, &schedule);
}
}
#endif
