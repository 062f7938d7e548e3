/* train/schedule.h - how the learning rate changes with the steps: pure functions, in PyTorch's
   definitions. */
#pragma once

#include "base/config.h"

typedef enum nn_schedule_kind {
    NN_SCHEDULE_CONSTANT,
    NN_SCHEDULE_STEP,  /* torch.optim.lr_scheduler.StepLR: times gamma after every `steps` */
    NN_SCHEDULE_COSINE /* CosineAnnealingLR: half a cosine from the learning rate to `minimum` in
                          `steps` */
} nn_schedule_kind;

/* One step of the schedule is one training step (in PyTorch: scheduler.step() after each batch). */
typedef struct nn_schedule {
    nn_schedule_kind kind; /* default: NN_SCHEDULE_CONSTANT */
    int64_t steps;         /* step_size, T_max; must be given, except for NN_SCHEDULE_CONSTANT */
    float gamma;           /* default: 0.1; NN_NONE: 0. NN_SCHEDULE_STEP */
    float minimum; /* default: 0. NN_SCHEDULE_COSINE: eta_min. After `steps` the rate rises again,
                      as PyTorch's does */
    /* default: 0. Steps in which the rate rises in a line before the schedule begins, as with
       LinearLR(start_factor, 1, total_iters = warmup) in a SequentialLR */
    int64_t warmup;
    float warmup_start; /* default: 1/3; NN_NONE: 0. The first step's part of the learning rate:
                           start_factor */
} nn_schedule;

/* The rate of the step after `step` steps: 0 for the first one. schedule may be NULL: the learning
   rate. */
NN_API float nn_scheduled_rate(const nn_schedule *schedule, float learning_rate, int64_t step);
