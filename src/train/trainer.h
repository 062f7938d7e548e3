/* train/trainer.h - one training step as one plan: forward, loss, backward, update. */
#pragma once

#include "kernels/update/choices.h"
#include "plan/plan.h"
#include "train/loader.h"
#include "train/schedule.h"

typedef struct nn_trainer nn_trainer;

/* The inputs of a confusion matrix (train/metrics.h). */
typedef struct nn_confusion_desc {
    nn_node *logits; /* (N, C) or (N, C, d...) f32 */
    nn_node *label;  /* (N) or (N, d...) i32 */
} nn_confusion_desc;

/* ---- what belongs to one optimizer, with the names and defaults of torch.optim --------------- */

typedef struct nn_sgd_desc {
    float dampening; /* default: 0 */
    bool nesterov;   /* default: false. Needs momentum, and no dampening */
} nn_sgd_desc;

/* For NN_ADAM and NN_ADAMW. */
typedef struct nn_adam_desc {
    bool amsgrad; /* default: false */
} nn_adam_desc;

typedef struct nn_rmsprop_desc {
    float alpha;   /* default: 0.99; NN_NONE: 0 */
    bool centered; /* default: false */
} nn_rmsprop_desc;

typedef struct nn_adagrad_desc {
    float learning_rate_decay;       /* default: 0. lr_decay */
    float initial_accumulator_value; /* default: 0 */
} nn_adagrad_desc;

typedef struct nn_adadelta_desc {
    float rho; /* default: 0.9; NN_NONE: 0 */
} nn_adadelta_desc;

typedef struct nn_nadam_desc {
    float momentum_decay;        /* default: 4e-3; NN_NONE: 0 */
    bool decoupled_weight_decay; /* default: false. true: decays as NN_ADAMW does */
} nn_nadam_desc;

typedef struct nn_radam_desc {
    bool decoupled_weight_decay; /* default: false. true: decays as NN_ADAMW does */
} nn_radam_desc;

typedef struct nn_asgd_desc {
    float lambd; /* default: 1e-4; NN_NONE: 0. Decay of parameters and rate */
    float alpha; /* default: 0.75; NN_NONE: 0 */
    float t0;    /* default: 1e6; NN_NONE: 0. The step after which averaging begins */
} nn_asgd_desc;

/* The first step size is learning_rate. */
typedef struct nn_rprop_desc {
    float etaminus;      /* default: 0.5; between 0 and 1. Step factor when the sign changes */
    float etaplus;       /* default: 1.2; more than 1. Step factor when the sign stays */
    float step_size_min; /* default: 1e-6; NN_NONE: 0 */
    float step_size_max; /* default: 50 */
} nn_rprop_desc;

/* Factor on the learning rate of NN_MUON for a weight of shape (A, B), as adjust_lr_fn of
   torch.optim.Muon. */
typedef enum nn_muon_rate {
    NN_MUON_ORIGINAL,          /* sqrt(max(1, A / B)) */
    NN_MUON_MATCH_RMS_ADAMW,   /* 0.2 sqrt(max(A, B)) */
    NN_MUON_SPECTRAL_UNCLAMPED /* sqrt(A / B) */
} nn_muon_rate;

typedef struct nn_muon_desc {
    nn_muon_rate rate;       /* default: NN_MUON_ORIGINAL */
    int newton_schulz_steps; /* default: 5; less than 100. ns_steps */
    bool no_nesterov; /* default: false. NN_MUON uses Nesterov momentum by default */
} nn_muon_desc;

/* Settings for some of the parameters. If `optimizer` is the trainer's, a field that is 0 takes the
   trainer's value; otherwise it takes the default of the group's optimizer. NN_NONE means 0. In the
   desc of an optimizer a field that is 0 or false always takes the trainer's value, so a flag is
   true if the trainer or the group says so. Settings of other optimizers are errors. */
typedef struct nn_parameter_group {
    /* Which parameters: a name ("fc.weight"), the beginning of names up to a dot ("fc."), or a
       pattern whose stars stand for any text ("*.bias"). A parameter belongs to the first group
       that fits it. A pattern that fits only parameters of earlier groups, or none, is an error */
    const char *pattern;
    int max_rank; /* default: 0, any rank. 1: only parameters of rank 1 (biases, weights of norms):
                     { "*", .max_rank = 1, .weight_decay = NN_NONE } */
    nn_optimizer optimizer; /* default: the trainer's */
    float rate_factor;      /* default: 1; NN_NONE: 0. Multiplies the learning rate of each step */
    float weight_decay, momentum, beta1, beta2, epsilon;
    nn_sgd_desc sgd;
    nn_adam_desc adam;
    nn_rmsprop_desc rmsprop;
    nn_adagrad_desc adagrad;
    nn_adadelta_desc adadelta;
    nn_nadam_desc nadam;
    nn_radam_desc radam;
    nn_asgd_desc asgd;
    nn_rprop_desc rprop;
    nn_muon_desc muon;
    bool frozen; /* default: false. true: this trainer leaves them unchanged and computes no
                    gradient for them */
} nn_parameter_group;

/* NN_GROUPS({ "*.bias", .weight_decay = NN_NONE }, { "head.", .rate_factor = 10 }) */
typedef struct nn_parameter_groups {
    const nn_parameter_group *group;
    int count;
    NN__LIST_CALLS(nn_parameter_groups, nn_parameter_group, group)
} nn_parameter_groups;
#define NN_GROUPS(...) NN__LIST(nn_parameter_groups, nn_parameter_group, __VA_ARGS__)

typedef enum nn_average_kind {
    NN_AVERAGE_NONE,
    NN_AVERAGE_EMA, /* decay * average + (1 - decay) * parameter: get_ema_avg_fn */
    NN_AVERAGE_SWA  /* the mean of all values averaged so far */
} nn_average_kind;

/* Which samples a batch norm takes its statistics over, if the batch is cut into shards. */
typedef enum nn_batch_norm_over {
    NN_PER_SHARD, /* each shard, as torch.nn.BatchNorm2d in DistributedDataParallel */
    NN_OVER_ALL   /* the whole batch, as torch.nn.SyncBatchNorm */
} nn_batch_norm_over;

/* An average of the trained parameters, as torch.optim.swa_utils.AveragedModel. It needs as much
   memory as they do, on their devices. The first averaging copies the parameters. Buffers (running
   statistics) are not averaged. Of f16 and bf16 parameters the f32 masters are averaged. */
typedef struct nn_average_desc {
    nn_average_kind kind; /* default: NN_AVERAGE_NONE */
    float decay;          /* default: 0.999; NN_NONE: 0; at most 1. For NN_AVERAGE_EMA */
    int64_t start;        /* default: 0. Number of updates before averaging begins */
    int32_t every;        /* default: 1. Number of updates from one averaging to the next */
} nn_average_desc;

typedef struct nn_trainer_desc {
    int batch;              /* default: 1. The largest batch; smaller ones run too */
    int time; /* default: 1. The largest NN_TIME; shorter ones run too: nn_set_time */
    /* default: false: each step begins with states of zeros (nn_state, .stateful, .streaming).
       true: a step continues from the states of the step before, without a gradient through them:
       truncated backpropagation through time. Sample n of a batch then continues sample n of the
       batch before, so all batches have .batch samples. Begin other sequences with
       nn_clear_states(nn_trainer_plan(trainer), NN_ALL_SAMPLES). The states move with the trainer
       and are in its checkpoints. Evaluations begin with zeros. Not with .group, .devices or
       .shards */
    bool carry_states;
    nn_optimizer optimizer; /* default: NN_SGD */
    /* default: 1e-3; NN_RMSPROP, NN_ADAGRAD, NN_ASGD and NN_RPROP 1e-2; NN_NADAM and NN_ADAMAX
       2e-3; NN_ADADELTA 1; NN_LION 1e-4. NN_NONE: 0. Rprop takes it as the first step size, and
       with 0 changes no parameter */
    float learning_rate;
    nn_schedule schedule; /* default: constant. How the learning rate changes with the steps */
    /* default: 0; NN_ADAMW 1e-2; NN_MUON 0.1. NN_NONE: 0. These two and NN_LION multiply the
       parameter by 1 - rate * decay; the others add decay * parameter to the gradient, unless
       .decoupled_weight_decay is true */
    float weight_decay;
    float momentum; /* default: 0; NN_MUON 0.95. NN_NONE: 0. NN_SGD, NN_RMSPROP, NN_MUON */
    float beta1;    /* default: 0.9; NN_NONE: 0. Adam and its variants, NN_LION */
    float beta2;    /* default: 0.999; NN_LION 0.99. NN_NONE: 0 */
    /* default: 1e-8; NN_ADAGRAD 1e-10, NN_ADADELTA 1e-6, NN_MUON 1e-7. NN_NONE: 0 */
    float epsilon;
    /* default: as in their structs above. Settings of one optimizer: .rprop = { .etaplus = 1.1f }.
       They are an error if neither the trainer nor a group uses that optimizer */
    nn_sgd_desc sgd;
    nn_adam_desc adam; /* NN_ADAM and NN_ADAMW */
    nn_rmsprop_desc rmsprop;
    nn_adagrad_desc adagrad;
    nn_adadelta_desc adadelta;
    nn_nadam_desc nadam;
    nn_radam_desc radam;
    nn_asgd_desc asgd;
    nn_rprop_desc rprop;
    nn_muon_desc muon;
    nn_parameter_groups groups; /* default: none, the same settings for all */
    /* default: all. The parameters that this trainer trains, as patterns like those of groups. This
       is for several trainers of one model, such as a GAN's. The trainer computes no gradients for
       other parameters and does not change them. It also leaves alone the buffers of layers of
       which it trains nothing, unless a pattern fits the buffer's name. Two trainers may share a
       parameter, as two torch.optim do; each has its own moments. */
    nn_texts parameters;
    float max_norm; /* default: 0, no limit. All gradients together are scaled down to this norm:
                       torch.nn.utils.clip_grad_norm_ */
    /* default: 0, no limit. Each element of a gradient is clamped to [-max_value, max_value]:
       clip_grad_value_. If both are given, the norm is limited first */
    float max_value;
    /* default: none. A number such as nn_accuracy is averaged over the samples of a report; for
       metrics made of sums over all samples see ops/metric.h */
    nn_nodes metrics;
    nn_confusion_desc confusion; /* default: none. nn_evaluate counts it on the device,
                                    nn_read_confusion reads it */
    /* default: 1. Number of batches for one update: nn_train_on_inputs and nn_train_step add up
       gradients, and every k-th call updates. The gradient is that of one large batch: each batch
       is weighted by what it counts for in the loss (its samples, the labels that are not ignored,
       or the weights of their classes). Gradients of a loss that is a sum are added.
       nn_trainer_step and the schedule count updates. Implies .gradients */
    int accumulate;
    /* default: none. The ranks that share this training (nn_group.h). The group must outlive the
       trainer. Every rank makes the same trainer and the same loaders (nn_loader_desc.group), and
       calls the same functions in the same order:
       - nn_make_trainer compares what the ranks train and lists all differences on every rank. Then
         it copies the parameters, buffers, moments and counters of rank 0 to all.
       - nn_train_step, nn_train_on_inputs and nn_backward add the gradients of all ranks.
       - nn_evaluate and nn_fit share their work. Rank 0 writes in nn_save_checkpoint and reads in
         nn_load_checkpoint.

       An error of one rank is returned on all, at the same step. .batch is the batch of all ranks
       together. If the ranks' devices are of different kinds, losses and updates differ in the last
       bits, and the weights slowly drift apart; with .shard_state one rank updates each parameter,
       and all have its bytes */
    nn_group *group;
    /* default: 4 MiB. Gradients travel to the other ranks in buckets of about this size, in the
       order in which the backward pass completes them. If the group has a thread of its own, they
       travel while the pass continues. The size does not change the bytes of the sum. A device with
       its own memory needs host memory for all gradients (pinned if it offers that) */
    int64_t bucket_bytes;
    /* default: NN_F32. NN_BF16: gradients are exchanged in half the bytes (torch's
       bf16_compress_hook). Every sum in the tree of shards is rounded to bf16 with error feedback:
       the rounding error is kept in f32 and added to the same sum in the next step. The result has
       the same bytes on every rank and for any number of ranks, including one. Losses, counts,
       buffers and what crosses between .devices stay f32. If the batch is not cut into shards,
       nothing is rounded.
       - Memory: 4 bytes for each parameter and each sum. Sums on this rank (2 n - 1 for n shards)
         need them on the device, sums over ranks in host memory.
       - Time: on one CPU thread, steps of linear layers in 8 shards take 1.5 times as long (batches
         of 1,024, few parameters) to 5 times (of 64, 100,000 parameters). So this pays off only if
         the exchange takes longer than that.
       - Checkpoints do not contain the rounding errors, and saving one drops them on all ranks. So
         a run that continues has the same bytes as one that resumes, but not as one that saved at
         other steps */
    nn_dtype wire;
    /* default: false. true: the ranks of .group divide the optimizer's state (stage 1 of ZeRO,
       torch's ZeroRedundancyOptimizer). Each parameter, or each part of one, belongs to one rank.
       That rank alone keeps its moments, its f32 master and its average, updates it and sends it to
       all others. Weights, moments and checkpoints have the same bytes as without .shard_state, for
       any number of ranks, and checkpoints of both kinds load into both. nn_write_plan tells which
       of two ways is taken:
       - Parameters are cut, and each rank owns about the same part of all. This needs NN_SGD,
         NN_ADAM or NN_ADAMW on f32 parameters and a power of two of ranks, without .gradients,
         .accumulate, .max_norm, .max_value, .average and .wire. Each rank receives the sums of
         gradients of its part only, and then sends new parameters instead of sums. No more bytes
         cross than without .shard_state, and ranks no longer repeat each other's updates. If the
         weight of a linear layer is large compared with the layer's input and output gradient,
         ranks of CPUs exchange these two instead of sums, and each computes its part of the
         weight's gradient for all samples: fewer bytes cross, and none are added. Gradients cannot
         be read then.
       - Otherwise each parameter goes to one rank as a whole, so that all ranks have about the same
         bytes. A very large parameter makes the load uneven. Every optimizer works, and each update
         sends all parameters once more, through .bucket_bytes of host memory.

       While a checkpoint is written or read, rank 0 needs host memory for the whole state, and all
       ranks use .bucket_bytes of it. nn_update and nn_swap_average must be called by all ranks. If
       a rank is lost in the middle of an update, the parameters of the others mix two steps:
       continue from a checkpoint. Without .group, or with one rank, that rank has everything;
       .devices alone do not divide it */
    bool shard_state;
    /* default: 1, the batch is not cut; with .group 8, or more if its ranks and devices are more
       (nn_group.h). A power of two, at least the size of .group. The batch of a step is cut by
       position into shards of equal size (.batch / .shards rounded up; the last ones of a short
       batch are short or empty). Each gives a gradient, weighted as with .accumulate, and these are
       added in one binary tree over the shards' numbers. So training gives the same bytes on any
       number of ranks up to .shards.
       - Ranks: a power of two of ranks has equally many shards each. Otherwise the first ones have
         half as many as the others (of 8 shards, 3 ranks have 2, 2 and 4), so 3 ranks are about as
         fast as 2. Each rank then keeps and sends one sum; with 3, 3 and 2 shards two ranks would
         have two, which is twice the memory and the bytes.
       - Batch norms: see .batch_norm. A buffer that a step writes (running statistics) becomes the
         mean over the shards, weighted by samples.
       - Memory: log2(.shards) times that of the gradients in addition. For gradients of nn_linear
         that are large compared with the samples, the CPU instead keeps the factors of each shard,
         which are at most a quarter of the gradient, and one product over all shards makes the sum.
         nn_write_plan tells how many there are. If nn_desc.scratch_bytes is too small for the
         product there are none, and the bytes stay the same.

       Implies .gradients; not with nn_train_step_for. Values of nn_trainer_plan are those of the
       last shard */
    int shards;
    /* default: NN_PER_SHARD. NN_OVER_ALL: forward and backward are those of one batch, over the
       shards of all devices and ranks, and have the same bytes on any number of them. Uneven and
       empty shards count for the samples they have. The shards of a device then run side by side
       from each batch norm to the next. Each has its own activations, together as many as the batch
       without shards, and all ranks wait for each other at each batch norm, forward and backward.
       The loss must be a mean or a sum over the batch (or over its labels that count), without
       .counted. Other norms and frozen batch norms are not affected */
    nn_batch_norm_over batch_norm;
    /* default: the model's device alone. Otherwise 2, 4 or 8 open devices of this context, of any
       kinds, the model's first (nn_group.h). They share the shards of each batch equally, as
       torch.nn.DataParallel, but with the bytes of one device; .shards is then 8 unless given. Each
       further device has a copy of the model and the activations of its shards, and takes its part
       of evaluations. The update and its state, the loader's batches and all that is saved are on
       the first one. Before a step, the copies receive all changes of the model, whoever made them;
       the program sees one model. With .group each rank has its own .devices. nn_write_plan lists
       what crosses, and the ledger has it under "exchange" and the names of inputs */
    nn_devices devices;
    /* default: found in the loss, if that is a mean, a sum, or several of one kind added. Otherwise
       one number that is the weight of a batch, such as nn_sum of a mask */
    nn_node *counted;
    nn_average_desc average; /* default: none. See nn_swap_average */
    bool gradients; /* default: false. true: gradients keep memory of their own, as much as the
                       parameters, for nn_backward, nn_update and nn_read_gradient */
    bool poison;                 /* default: false. See nn_plan_desc */
    bool direct_convolutions;    /* default: false. See nn_plan_desc */
    nn_precision precision;      /* default: the context's. Of all products; see device/types.h */
    bool require_precision;      /* default: false. See nn_plan_desc. Not for the updates */
    bool separate_steps;         /* default: false. See nn_plan_desc. Always true with .shards */
    /* default: false. true: only checks and counts, as in nn_plan_desc. nn_trainer_plan answers
       questions. No rank of .group is asked; to train, read, save or move is an error */
    bool dry_run;
    /* default: NN_UNSUPPORTED_IS_ERROR. See nn_plan_desc. An update that runs on the CPU moves its
       parameters and moments there and back in each step */
    nn_on_unsupported on_unsupported;
} nn_trainer_desc;

/* Returns NULL on failure; nn_error then has the report of all faults. loss: one number. */
NN_API nn_trainer *nn_make_trainer_at(nn_site site, nn_model *net, nn_node *loss,
                                      const nn_trainer_desc *desc);
#define nn_make_trainer(...) nn__make_trainer_here(NN_HERE, __VA_ARGS__)
/* Does what nn_make_trainer does, but the program chooses the part with the optimizers, so that it
   contains only what its trainers need. optimizers: nn_optimizers(), or NULL for trainers whose
   updates are NN_SGD, NN_ADAM and NN_ADAMW, without .adam.amsgrad, .max_value and .groups. A
   trainer that needs more is an error. nn_make_trainer chooses by its desc, which an optimizing
   compiler can often do at compile time; nn_make_trainer_at always gives nn_optimizers(). */
typedef struct nn_optimizer_calls nn_optimizer_calls;
NN_API nn_trainer *nn_make_trainer_using_at(nn_site site, nn_model *net, nn_node *loss,
                                            const nn_trainer_desc *desc,
                                            const nn_optimizer_calls *optimizers);
#define nn_make_trainer_using(...) nn_make_trainer_using_at(NN_HERE, __VA_ARGS__)
NN_API const nn_optimizer_calls *nn_optimizers(void);
static NN__HERE_INLINE nn_trainer *nn__make_trainer_here(nn_site site, nn_model *net,
                                                         nn_node *loss,
                                                         const nn_trainer_desc *desc) {
    const bool others = desc && (desc->optimizer > NN_ADAMW || desc->adam.amsgrad ||
                                 desc->max_value != 0.0f || desc->groups.count > 0);
    return nn_make_trainer_using_at(site, net, loss, desc,
                                   others ? nn_optimizers() : NULL);
}
NN_API void nn_free_trainer_at(nn_site site, nn_trainer *trainer);
#define nn_free_trainer(...) nn_free_trainer_at(NN_HERE, __VA_ARGS__)

/* Does one step on the loader's current batch, whose fields are bound to the inputs of the same
   names. Reads back only the status word: 4 bytes in the ledger, or nothing where device memory is
   host memory. After a label out of range or a NaN loss nothing is updated, and the step returns
   NN_ERROR_LABEL or NN_ERROR_NAN if the fault is known at once, as on the CPU. The call does not
   wait for a device with a queue: there one of the next steps returns the error. From then on every
   step is refused until nn_clear_fault. While nn_ledger_limit limits downloads or crossings, only
   reports read the word. */
NN_API nn_result nn_train_step_at(nn_site site, nn_trainer *trainer, nn_loader *loader);
#define nn_train_step(...) nn_train_step_at(NN_HERE, __VA_ARGS__)
/* Does nn_next_batch and nn_train_step `count` times, with the same results within rounding. *done
   (may be NULL) is the number of steps made, even after an error. Returns NN_END if the loader's
   epoch ended before; the next call begins the next epoch. All ranks of a group give the same
   count. No step in slices may be under way.

   On some devices a whole step is one launch (on a GPU, nets of layers up to 128 wide, with some
   hundred samples). If the loader has also gathered batches ahead (.on_device and .prefetch), the
   steps on these become one launch of at most 64 steps, whose status word is read once. If the
   launch fails, none of its steps is made, and the loader has passed their batches. The first such
   call builds a kernel and takes 48 KiB for the steps' numbers, a third of it on the device. Any
   other step runs as it does alone. An epoch:
       while (nn_train_steps(trainer, loader, 32, NULL) == NN_OK) continue; */
NN_API nn_result nn_train_steps_at(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                   int32_t count, int32_t *done);
#define nn_train_steps(...) nn_train_steps_at(NN_HERE, __VA_ARGS__)
/* Does one step on the values that the inputs of nn_trainer_plan hold: fill them by nn_upload or
   nn_bind first. This is for training without a loader. */
NN_API nn_result nn_train_on_inputs_at(nn_site site, nn_trainer *trainer);
#define nn_train_on_inputs(...) nn_train_on_inputs_at(NN_HERE, __VA_ARGS__)
/* Does a slice of a step, see nn_run_for; returns NN_PENDING until the step is done. loader: NULL
   if inputs were filled by hand. Random numbers (nn_dropout and others) depend only on the model's
   seed, the number of the step and the place in the net. So any slices draw the same numbers as the
   whole step, whatever else runs between them. */
NN_API nn_result nn_train_step_for_at(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                      int64_t microseconds);
#define nn_train_step_for(...) nn_train_step_for_at(NN_HERE, __VA_ARGS__)

/* The two halves of a step, for a trainer with .gradients: for a large batch in parts, several
   losses, or a look at gradients before they are used.

   nn_backward runs forward and backward on the inputs of nn_trainer_plan and adds the gradients to
   those of earlier calls, as loss.backward() does. Nothing divides by the number of calls, unless
   .accumulate is more than 1: then the gradients are those of one large batch. Dropout differs from
   call to call.

   nn_update does one step of the optimizer with that sum, max_norm included; the next nn_backward
   begins a new sum. nn_update reads the status word (ledger: 4 bytes for each device that is not
   the host): if nn_backward had a fault, nn_update returns it as an error and updates nothing.
   nn_train_on_inputs is one call of each, with the same bytes. */
NN_API nn_result nn_backward_at(nn_site site, nn_trainer *trainer);
#define nn_backward(...) nn_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_update_at(nn_site site, nn_trainer *trainer);
#define nn_update(...) nn_update_at(NN_HERE, __VA_ARGS__)
/* Drops the gradients that nn_backward has added up. */
NN_API nn_result nn_zero_gradients_at(nn_site site, nn_trainer *trainer);
#define nn_zero_gradients(...) nn_zero_gradients_at(NN_HERE, __VA_ARGS__)
/* Copies the gradient of the parameter `name` ("fc.weight") to `to`. The gradient is the last sum,
   even after the update that used it. `bytes` must be the parameter's. */
NN_API nn_result nn_read_gradient_at(nn_site site, nn_trainer *trainer, const char *name, void *to,
                                     size_t bytes);
#define nn_read_gradient(...) nn_read_gradient_at(NN_HERE, __VA_ARGS__)

/* Replaces the gradient by f32 numbers, as many as the parameter has; nn_update uses them. After an
   update, or before any nn_backward, this begins a new sum: gradients that are not written are 0,
   and the next nn_backward adds to all. */
NN_API nn_result nn_write_gradient_at(nn_site site, nn_trainer *trainer, const char *name,
                                      const void *from, size_t bytes);
#define nn_write_gradient(...) nn_write_gradient_at(NN_HERE, __VA_ARGS__)
/* Scales all gradients together down to the norm max_norm: torch.nn.utils.clip_grad_norm_. norm
   (may be NULL) receives the norm before that; with INFINITY as max_norm nothing is scaled. Reads 4
   bytes back from each device (ledger: "norm"). nn_trainer_desc.max_norm needs no such wait. */
NN_API nn_result nn_clip_gradients_at(nn_site site, nn_trainer *trainer, float max_norm,
                                      float *norm);
#define nn_clip_gradients(...) nn_clip_gradients_at(NN_HERE, __VA_ARGS__)
/* Clamps each element to [-max_value, max_value]: torch.nn.utils.clip_grad_value_. */
NN_API nn_result nn_clip_gradient_values_at(nn_site site, nn_trainer *trainer, float max_value);
#define nn_clip_gradient_values(...) nn_clip_gradient_values_at(NN_HERE, __VA_ARGS__)

/* Means over the samples since the last report. With nn_trainer_desc.accumulate the loss is
   weighted by what its batches count for, as their gradient is. Reading a report copies a few
   numbers (ledger: "report") and the status word from the device. A fault inside a step (label out
   of range, NaN loss) is an error here that names the first step with the fault. */
#define NN_REPORT_METRICS 8
typedef struct nn_report {
    double loss;
    double metrics[NN_REPORT_METRICS]; /* the first of the metrics; nn_read_metrics has all */
    /* number of samples; in a model with NN_TIME each step of a sample counts */
    int64_t samples;
    int64_t step;    /* of the trainer, from 1 */
    /* The weight of the loss: the number of samples. With nn_trainer_desc.accumulate: what they
       count for (labels that are not ignored, the weights of their classes, .counted). 0: nothing
       counted */
    double counted;
} nn_report;
NN_API nn_result nn_read_report_at(nn_site site, nn_trainer *trainer, nn_report *report);
#define nn_read_report(...) nn_read_report_at(NN_HERE, __VA_ARGS__)
/* Copies all metrics of the last nn_read_report or nn_evaluate, in the order of
   nn_trainer_desc.metrics; count must be their number. Reports, histories and checkpoints have the
   first NN_REPORT_METRICS of them. Moves nothing. */
NN_API nn_result nn_read_metrics_at(nn_site site, const nn_trainer *trainer, double *metrics,
                                    int count);
#define nn_read_metrics(...) nn_read_metrics_at(NN_HERE, __VA_ARGS__)
/* Reads the loss of the last step alone: 4 bytes and the status word. */
NN_API nn_result nn_read_loss_at(nn_site site, nn_trainer *trainer, float *loss);
#define nn_read_loss(...) nn_read_loss_at(NN_HERE, __VA_ARGS__)
/* Clears a fault. Until then updates do nothing and steps are refused; afterwards nn_trainer_step
   is the last step before the fault. Gradients gathered for the next update are dropped. With
   .shards, the step that fails drops them on all ranks, and only the rank with the fault must call
   this. */
NN_API nn_result nn_clear_fault_at(nn_site site, nn_trainer *trainer);
#define nn_clear_fault(...) nn_clear_fault_at(NN_HERE, __VA_ARGS__)

/* Computes loss and metrics over one epoch of the loader, without dropout or learning. If the
   loader was in the middle of an epoch, it continues there afterwards. */
NN_API nn_result nn_evaluate_at(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                nn_report *report);
#define nn_evaluate(...) nn_evaluate_at(NN_HERE, __VA_ARGS__)

/* Exchanges the parameters with their average (nn_trainer_desc.average): then nn_evaluate, plans of
   the model and nn_save_weights use the average. A second call puts them back.
   - In between, these are errors: steps and checkpoints, including those of other trainers with
     these parameters; loading and blending weights.
   - Freeing the trainer leaves the average in place. nn_move_trainer moves both.
   - f16 and bf16 parameters become the rounded average, and come back as they were.
   - During the call it needs as much memory again as the parameters. If the device fails,
     everything is put back. It is an error if nothing was averaged so far. */
NN_API nn_result nn_swap_average_at(nn_site site, nn_trainer *trainer);
#define nn_swap_average(...) nn_swap_average_at(NN_HERE, __VA_ARGS__)

/* The state of a fit at each report of nn_fit; checkpoints contain it. */
typedef struct nn_progress {
    int32_t epoch, epochs;  /* epoch from 1 */
    int32_t batch, batches; /* in this epoch; batch from 1 */
    nn_report train;
    bool epoch_ended;
    nn_report validation; /* samples 0: there was none */
    double seconds; /* since nn_fit was called. Not in checkpoints, so that equal runs have equal
                       files */
    double best; /* lowest loss at the end of an epoch so far, of validation if there is one */
    int32_t best_epoch; /* the epoch of `best`; 0: none has ended */
    /* For nn_fit_desc.plateau and .stop: the lowest loss that counted for each, and the number of
       epochs since then. The plateau's cooldown epochs are not counted */
    double plateau_best, stop_best;
    int32_t plateau_epochs, plateau_cooldown, stop_epochs;
    bool stopped; /* nn_fit_desc.stop ended the training */
} nn_progress;

/* Sets the rate that the schedule starts from; without a schedule, that of all steps to come. */
NN_API void nn_set_learning_rate(nn_trainer *trainer, float learning_rate);
NN_API float nn_learning_rate(const nn_trainer *trainer); /* of the next step, with the schedule */
/* Sets another schedule. Its steps count from the trainer's first one. NULL: constant. */
NN_API nn_result nn_set_schedule_at(nn_site site, nn_trainer *trainer, const nn_schedule *schedule);
#define nn_set_schedule(...) nn_set_schedule_at(NN_HERE, __VA_ARGS__)
NN_API int64_t nn_trainer_step(const nn_trainer *trainer); /* steps done */
NN_API nn_plan *nn_trainer_plan(nn_trainer *trainer);      /* for reports, inputs and downloads */

/* Moves the model and all of its training to another device: parameters, constants, moments,
   totals. It moves everything or, on failure, nothing. The trainer's plans are made anew. Its
   loaders stay where they are: make new ones on the new device. */
NN_API nn_result nn_move_trainer_at(nn_site site, nn_trainer *trainer, nn_device device);
#define nn_move_trainer(...) nn_move_trainer_at(NN_HERE, __VA_ARGS__)
