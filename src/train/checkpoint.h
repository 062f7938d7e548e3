/* train/checkpoint.h - saves a training run to one file: stop at any step, continue in another
   process or on another device.

   The file is a safetensors file; Python reads every tensor of it (safetensors.torch.load_file):

     name in the file                            what it is
     fc.weight                                   parameters, buffers and constants
     optimizer.state.fc.weight.exp_avg           a moment of a parameter, named as in PyTorch's
                                                 optimizer.state[...]: exp_avg, exp_avg_sq,
                                                 max_exp_avg_sq, momentum_buffer, square_avg,
                                                 grad_avg, sum, acc_delta, exp_inf, ax, prev,
                                                 step_size
     optimizer.state.fc.weight.master            the f32 copy of an f16 or bf16 parameter (mixed
                                                 precision)
     trainer.average.fc.weight                   the average of nn_trainer_desc.average
     trainer.state.lstm.state_l0                 a state, with nn_trainer_desc.carry_states
     trainer.total.0, .1 ...                     loss, metrics: sum and samples since the last
                                                 report
     trainer.total.mean, .counted                the loss's mean and weight, with .accumulate and a
                                                 loss that is not weighted by samples

     metadata        what it is
     format          "pt"
     checkpoint      version of this table: "1"
     checksum        of all tensors and metadata, in any order
     optimizer       sgd, adam, adamw, rmsprop ...; with those of groups "muon adamw"
     step            number of steps done: optimizer.state[...]["step"], the same for all
     learning_rate   "0.001 3a83126f", the number and its bits: optimizer.param_groups[0]
                     ["initial_lr"], or "lr" without schedule
     schedule        kind, steps, warmup, bits of gamma, minimum and warmup_start; for kinds after
                     NN_SCHEDULE_COSINE also the other fields of nn_schedule, except the function,
                     which stays the trainer's
     seed            of the model: start values and dropout, whose counter is the step
     shards          nn_trainer_desc.shards, if there are several. A trainer with another number is
                     refused, unless .non_strict; the number of ranks may differ
     average         number of averaged updates; without it the average begins anew
     loader          seed epoch position
     progress, text  of nn_fit; of the caller
     counted         bits of the weights of the two reports in progress; default: their samples
     patience        state of nn_fit_desc.plateau and .stop

   A file without `checkpoint` may come from elsewhere (Python's save_file). Then step is read from
   its metadata or from scalars optimizer.state.fc.weight.step, trainer.total.* may be missing, and
   metadata that are missing leave the trainer's values unchanged. NAdam's mu_product follows from
   the step.

   The file does not contain the net and the settings in nn_trainer_desc (betas, weight decay ...):
   the program has these. */
#pragma once

#include "model/weights.h"
#include "train/trainer.h"

#ifndef NN_NO_FILES
typedef struct nn_checkpoint_desc {
    nn_loader *loader; /* default: none. Also saves or loads its seed, epoch and position, so that
                          the next batch is the same */
    nn_progress *progress; /* default: none. Saving: is saved too. Loading: receives it; zeros if
                              the file has none */
    /* saving */
    const char *text; /* default: none. Your own text to be saved too, UTF-8 */
    /* default: 1. Number of files to keep: path, and the ones before it as path.1, path.2 ... */
    int32_t keep;
    /* loading */
    nn_writer text_to;    /* default: none. Receives the saved text */
    bool non_strict;      /* default: false. See nn_load_weights_desc */
    nn_renames renames; /* default: none. See nn_load_weights_desc; moments follow their
                              parameter's name */
} nn_checkpoint_desc;

/* Saves everything that the trainer's next steps depend on. A new file replaces `path` only when it
   is complete and on the disk: whatever happens, one of the two exists (with keep: as path or
   path.1). Device memory is read in pieces of 1 MB, twice (the first time for the checksum). desc
   may be NULL. Errors: NN_ERROR_FILE; NN_ERROR_NAN and NN_ERROR_LABEL after a fault inside a step
   (see nn_clear_fault), when nothing is saved. */
NN_API nn_result nn_save_checkpoint_at(nn_site site, nn_trainer *trainer, const char *path,
                                       const nn_checkpoint_desc *desc);
#define nn_save_checkpoint(...) nn_save_checkpoint_at(NN_HERE, __VA_ARGS__)

/* Loads a checkpoint: the trainer continues as the saved one would have, on any device, and bit for
   bit on the same kind of device. (Several steps as one launch, see nn_train_steps, may round
   differently from the same steps alone.) Loads parameters, constants, moments, step, learning rate
   and schedule, seed, sums of the current report; with desc->loader its place in the data. It is
   strict: everything that is missing, unexpected or of another shape, and another optimizer, is
   reported at once. Moments of parameters that are frozen here are skipped. On failure
   (NN_ERROR_FILE; NN_ERROR_FORMAT: damaged; NN_ERROR_SHAPE: does not fit) nothing changes, so until
   the end the device holds new values beside the old ones. If there is no `path` but path.1 (the
   program was killed while saving), that is loaded. desc may be NULL. */
NN_API nn_result nn_load_checkpoint_at(nn_site site, nn_trainer *trainer, const char *path,
                                       const nn_checkpoint_desc *desc);
#define nn_load_checkpoint(...) nn_load_checkpoint_at(NN_HERE, __VA_ARGS__)

/* True if there is a file that nn_load_checkpoint would open. */
NN_API bool nn_has_checkpoint(nn_context *nn, const char *path);
#endif
