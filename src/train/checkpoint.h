/* train/checkpoint.h - a training run in one file: stop at any step, go on in another process or on
   another device.

   The file is a safetensors file, of which Python reads every tensor (safetensors.torch.load_file):

     name in the file                            what it is
     fc.weight                                   parameters, buffers and constants
     optimizer.state.fc.weight.exp_avg           a moment of a parameter, under the name that it has
                                                 in PyTorch's optimizer.state[...]: exp_avg,
                                                 exp_avg_sq, max_exp_avg_sq, momentum_buffer,
                                                 square_avg, grad_avg, sum, acc_delta, exp_inf,
                                                 ax, prev, step_size
     optimizer.state.fc.weight.master            f32 of f16, bf16 parameters: the copy that mixed
                                                 precision keeps
     trainer.average.fc.weight                   of nn_trainer_desc.average
     trainer.total.0, .1 ...                     loss, metrics: sum and samples since the last
                                                 report
     trainer.total.mean, .counted                with .accumulate and a loss that does not count by
                                                 samples: its mean, and over what

     metadata        what it is
     format          "pt"
     checkpoint      version of this table: "1"
     checksum        of all tensors and metadata, in any order
     optimizer       sgd, adam, adamw, rmsprop ...; with those of groups "muon adamw"
     step            steps done: optimizer.state[...]["step"], alike for all
     learning_rate   "0.001 3a83126f", the number and its bits: optimizer.param_groups[0]
                     ["initial_lr"], or "lr" without schedule
     schedule        kind, steps, warmup, bits of gamma, minimum and warmup_start; of the kinds
                     after NN_SCHEDULE_COSINE also the other fields of nn_schedule, without the
                     function, which stays the trainer's
     seed            of the model: start values and dropout, whose counter is the step
     shards          of a step's batch, if there are several: nn_trainer_desc.shards. A trainer
                     with other shards is refused, unless .non_strict; its ranks may be any
     average         how often was averaged; without it the average begins anew
     loader          seed epoch position
     progress, text  of nn_fit; of the caller
     counted         of the two reports in progress: bits; without it their samples
     patience        of nn_fit_desc.plateau and .stop

   A file without `checkpoint` may come from elsewhere (Python's save_file): then step is read from
   its metadata or from scalars optimizer.state.fc.weight.step, trainer.total.* are not asked for,
   and what else the metadata lack stays as it is. NAdam's mu_product follows from the step.

   Not in the file: the net and the choices in nn_trainer_desc (betas, weight decay ...), which the
   program has. */
#pragma once

#include "model/weights.h"
#include "train/trainer.h"

#ifndef NN_NO_FILES
typedef struct nn_checkpoint_desc {
    nn_loader *loader; /* default: none. Its seed, epoch and position too: the next batch will be
                          the same one */
    nn_progress *progress; /* default: none. Saving: travels along. Loading: is filled; zeros if the
                              file has none */
    /* saving */
    const char *text; /* default: none. Text of yours that travels along, UTF-8 */
    /* default: 1. Newest files that are kept: path, and before it path.1, path.2 ... */
    int32_t keep;
    /* loading */
    nn_writer text_to;    /* default: nowhere. Receives that text */
    bool non_strict;      /* default: false. As in nn_load_weights_desc */
    nn_rename renames[16]; /* default: none. As in nn_load_weights_desc; of moments by their
                             parameter's name */
} nn_checkpoint_desc;

/* Everything that a trainer's next steps depend on, to a new file that replaces `path` when it is
   whole and on the disk: whatever happens, one of the two is there (with keep: as path or path.1).
   Device memory is read in pieces of 1 MB, twice (the first time for the checksum). desc may be
   NULL. Errors: NN_ERROR_FILE, NN_ERROR_NAN and NN_ERROR_LABEL (a fault inside a step, see
   nn_clear_fault: nothing is saved). */
NN_API nn_result nn_save_checkpoint_at(nn_site site, nn_trainer *trainer, const char *path,
                                       const nn_checkpoint_desc *desc);
#define nn_save_checkpoint(...) nn_save_checkpoint_at(NN_HERE, __VA_ARGS__)

/* The trainer goes on as the saved one would have, bit for bit on the same kind of device (several
   steps as one launch, see nn_train_steps, may differ from the same steps alone in a rounding):
   parameters, constants, moments, step, learning rate and schedule, seed, sums of the report under
   way; with desc->loader its place in the data. On any device. Strict: what is missing, unexpected
   or of another shape, and another optimizer, is reported at once. Moments of parameters that are
   frozen here are passed over. On any failure (NN_ERROR_FILE, NN_ERROR_FORMAT: damaged,
   NN_ERROR_SHAPE: does not fit) nothing is changed. Until the end the new values lie beside the old
   ones on their device. If there is no `path` but path.1 (the program was killed just then), that
   is loaded. desc may be NULL. */
NN_API nn_result nn_load_checkpoint_at(nn_site site, nn_trainer *trainer, const char *path,
                                       const nn_checkpoint_desc *desc);
#define nn_load_checkpoint(...) nn_load_checkpoint_at(NN_HERE, __VA_ARGS__)

/* Is there a file that nn_load_checkpoint would open? */
NN_API bool nn_has_checkpoint(nn_context *nn, const char *path);

#ifdef __cplusplus
extern "C++" {
inline nn_result nn_save_checkpoint_at(nn_site site, nn_trainer *trainer, const char *path,
                                       const nn_checkpoint_desc &desc) {
    return nn_save_checkpoint_at(site, trainer, path, &desc);
}
inline nn_result nn_load_checkpoint_at(nn_site site, nn_trainer *trainer, const char *path,
                                       const nn_checkpoint_desc &desc) {
    return nn_load_checkpoint_at(site, trainer, path, &desc);
}
}
#endif
#endif
