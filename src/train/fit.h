/* train/fit.h - epochs of training with a validation after each. nn_fit is made of nn_next_batch,
   nn_train_step (several at once, as in nn_train_steps), nn_read_report and nn_evaluate: for a loop
   of your own, call these. */
#pragma once

#include "train/checkpoint.h"
#include "train/history.h"

#ifndef NN_NO_FILES
/* A run that can be stopped and resumed: nn_save_checkpoint at the end of each epoch, and when the
   callback returns false. */
typedef struct nn_fit_checkpoint {
    const char *path; /* default: none, no checkpoints */
    int32_t every;    /* default: 0. Number of steps after which one is also saved */
    int32_t keep;     /* default: 1. As in nn_checkpoint_desc */
    bool best;   /* default: false. true: also saves the epoch with the lowest validation loss
                    (without validation: training loss), as path with ".best" at its end */
    bool resume; /* default: false, begin anew and overwrite what is there. true: continue from path
                    if there is such a file, even in the middle of an epoch; a complete run returns
                    at once */
} nn_fit_checkpoint;
#endif

/* torch.optim.lr_scheduler.ReduceLROnPlateau: lowers the learning rate when the loss of epochs (of
   validation, if there is one) stops falling. It changes the rate that nn_set_learning_rate sets,
   from which a schedule starts. */
typedef struct nn_plateau {
    bool on;           /* default: false */
    float factor;      /* default: 0.1; NN_NONE: 0; less than 1 */
    int32_t patience;  /* default: 10; NN_NONE: 0. Number of epochs without a better loss that are
                          allowed */
    float threshold; /* default: 1e-4; NN_NONE: 0. Better means less than best * (1 - threshold) */
    bool absolute;     /* default: false. true: less than best - threshold (threshold_mode = abs) */
    int32_t cooldown;  /* default: 0. Number of epochs after a change that are not counted */
    float min_rate;    /* default: 0. min_lr */
    float epsilon;     /* default: 1e-8; NN_NONE: 0. A change of at most this size is not made */
} nn_plateau;

/* Ends the training (NN_OK, nn_progress.stopped) after `patience` epochs without improvement. An
   epoch improves if its loss (of validation, if there is one) is less than the best one -
   min_delta. A NaN loss does not. */
typedef struct nn_early_stopping {
    int32_t patience; /* default: 0, never */
    float min_delta;  /* default: 0 */
    /* default: false, the trainer stays as the last epoch left it. true: at the end, the whole
       trainer (parameters, buffers, moments, averages, step, rate) goes back to the epoch with the
       lowest loss. With checkpoint.path that epoch is loaded from the file of checkpoint.best,
       which must be set. Without it, copies on the trainer's devices need as much memory again
       until nn_fit returns. If an error or the callback ends the training, the trainer stays as it
       is */
    bool restore_best;
} nn_early_stopping;

typedef struct nn_fit_desc {
    int32_t epochs;        /* default: 1 */
    nn_loader *validation; /* default: none. Evaluated after every epoch */
    bool progress;         /* default: false. true: writes lines to `writer` */
    bool terminal;    /* default: false, one line for each epoch, for a log. true: the epoch's line
                         is rewritten in place */
    nn_writer writer; /* default: the context's log */
    /* default: 0, at the end of an epoch only (with terminal: about 20 times an epoch). Number of
       batches between reports; each costs a small download */
    int32_t report_every;
    /* Called at every report. If it returns false, nn_fit ends after the current step with
       NN_CANCELLED (with nn_trainer_desc.accumulate: after the current update). */
    bool (*callback)(void *user, const nn_progress *progress);
    void *user;
    nn_history *history; /* default: none. Receives a record at every report */
    nn_progress *last; /* default: none. Receives the last report */
    nn_plateau plateau;     /* default: none */
    nn_early_stopping stop; /* default: none */
#ifndef NN_NO_FILES
    nn_fit_checkpoint checkpoint; /* default: none */
#endif
} nn_fit_desc;

/* Trains for desc->epochs epochs; desc may be NULL. With nn_trainer_desc.accumulate the remaining
   batches of an epoch make an update of their own, and checkpoints are saved only between updates.
   If an epoch of 10 ms or more waited for data for more than a tenth of its time, and longer than
   for the device, one line in the context's log says so. */
NN_API nn_result nn_fit_at(nn_site site, nn_trainer *trainer, nn_loader *train,
                           const nn_fit_desc *desc);
#define nn_fit(...) nn__fit_here(NN_HERE, __VA_ARGS__)
/* Does what nn_fit does, but the program chooses whether it contains checkpoints. checkpoints:
   nn_checkpoints(), or NULL for a fit without .checkpoint and .stop.restore_best. */
typedef struct nn_checkpoint_calls nn_checkpoint_calls;
NN_API nn_result nn_fit_using_at(nn_site site, nn_trainer *trainer, nn_loader *train,
                                 const nn_fit_desc *desc, const nn_checkpoint_calls *checkpoints);
#define nn_fit_using(...) nn_fit_using_at(NN_HERE, __VA_ARGS__)
NN_API const nn_checkpoint_calls *nn_checkpoints(void);
static NN__HERE_INLINE nn_result nn__fit_here(nn_site site, nn_trainer *trainer, nn_loader *train,
                                              const nn_fit_desc *desc) {
    bool keeps = desc && desc->stop.restore_best;
#ifndef NN_NO_FILES
    keeps = keeps || (desc && desc->checkpoint.path);
#endif
    return nn_fit_using_at(site, trainer, train, desc, keeps ? nn_checkpoints() : NULL);
}
