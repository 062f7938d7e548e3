/* train/small.h - the trainer of firmware: what NN_NO_TRAINING_OPTIONS leaves of train/trainer.h.
   A step is forward, backward and update of one batch on one device. Each parameter is updated as
   soon as its gradient is complete, so the gradients of a step are never in memory together.
   Freeze layers with nn_freeze to train only the others. */
#pragma once

#include "kernels/update/choices.h"
#include "plan/plan.h"

#if defined(NN_NO_TRAINING_OPTIONS) && !defined(NN_NO_TRAINING)
typedef struct nn_trainer nn_trainer;

typedef struct nn_trainer_desc {
    int batch;              /* default: 1. The largest batch; smaller ones run too */
    int time;               /* default: 1. The largest NN_TIME; shorter ones run too: nn_set_time */
    int accumulate;         /* default: 1. Number of calls of nn_train_on_inputs for one update,
                               which uses the mean of their gradients: a large batch in little
                               memory. The sums take as much memory as the parameters */
    nn_optimizer optimizer; /* default: NN_SGD; or NN_ADAM, NN_ADAMW */
    float learning_rate;    /* default: 1e-3; NN_NONE: 0 */
    float weight_decay;     /* default: 0; NN_ADAMW 1e-2. NN_NONE: 0 */
    float momentum;         /* default: 0. NN_SGD */
    float beta1;            /* default: 0.9; NN_NONE: 0. NN_ADAM, NN_ADAMW */
    float beta2;            /* default: 0.999; NN_NONE: 0 */
    float epsilon;          /* default: 1e-8; NN_NONE: 0 */
} nn_trainer_desc;

/* Returns NULL on failure; nn_error_code then has the reason. loss: one f32 number, described in
   net. The trainer belongs to the model and is freed with it. Formulas: torch.optim. */
NN_API nn_trainer *nn_make_trainer_at(nn_site site, nn_model *net, nn_node *loss,
                                      const nn_trainer_desc *desc);
#define nn_make_trainer(...) nn_make_trainer_at(NN_HERE, __VA_ARGS__)
NN_API void nn_free_trainer_at(nn_site site, nn_trainer *trainer);
#define nn_free_trainer(...) nn_free_trainer_at(NN_HERE, __VA_ARGS__)

/* Does one step on the values that the inputs of nn_trainer_plan hold: fill them by nn_upload or
   nn_bind first. After a label out of range or a NaN loss nothing is updated, and the step returns
   NN_ERROR_LABEL or NN_ERROR_NAN. From then on every step is refused until nn_clear_fault. */
NN_API nn_result nn_train_on_inputs_at(nn_site site, nn_trainer *trainer);
#define nn_train_on_inputs(...) nn_train_on_inputs_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_clear_fault_at(nn_site site, nn_trainer *trainer);
#define nn_clear_fault(...) nn_clear_fault_at(NN_HERE, __VA_ARGS__)
/* Copies the loss of the last step, which it had before its update, to *loss. */
NN_API nn_result nn_read_loss_at(nn_site site, nn_trainer *trainer, float *loss);
#define nn_read_loss(...) nn_read_loss_at(NN_HERE, __VA_ARGS__)

/* Sets the rate of the next steps. A rate that is negative or not a number is an error. */
NN_API void nn_set_learning_rate(nn_trainer *trainer, float learning_rate);
NN_API float nn_learning_rate(const nn_trainer *trainer);  /* NULL: 0 */
NN_API int64_t nn_trainer_step(const nn_trainer *trainer); /* number of steps done; NULL: 0 */
NN_API nn_plan *nn_trainer_plan(nn_trainer *trainer);      /* NULL: NULL */
#endif
