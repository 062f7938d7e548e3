/* train/schedule.h - how the learning rate changes with the steps: pure functions with PyTorch's
   definitions. */
#pragma once

#include "base/config.h"
#include "base/list.h"

typedef enum nn_schedule_kind {
    NN_SCHEDULE_CONSTANT,
    NN_SCHEDULE_STEP,   /* torch.optim.lr_scheduler.StepLR: times gamma after every `steps` */
    NN_SCHEDULE_COSINE, /* CosineAnnealingLR: half a cosine from the learning rate to `minimum` in
                           `steps` */
    NN_SCHEDULE_MULTI_STEP,  /* MultiStepLR: times gamma at each of the milestones */
    NN_SCHEDULE_EXPONENTIAL, /* ExponentialLR: times gamma after every step */
    NN_SCHEDULE_LINEAR, /* LinearLR: the factor goes from start_factor to end_factor in `steps` */
    NN_SCHEDULE_POLYNOMIAL,  /* PolynomialLR: times (1 - step / steps)^power, then 0 */
    /* CosineAnnealingWarmRestarts: half a cosine to `minimum` in `steps`, then again from the
       learning rate; each period is steps_factor times as long as the one before */
    NN_SCHEDULE_COSINE_RESTARTS,
    /* OneCycleLR: up to the learning rate (max_lr) in the part pct_start of the `steps`, and down
       again in the rest. The momentum does not change (cycle_momentum = False). After `steps` the
       last rate stays */
    NN_SCHEDULE_ONE_CYCLE,
    NN_SCHEDULE_FUNCTION /* `function` returns the rate; LambdaLR returns only a factor */
} nn_schedule_kind;

/* One step of the schedule is one training step, as if PyTorch's scheduler.step() came after each
   batch. For a schedule in epochs, multiply by nn_batches_per_epoch. */
typedef struct nn_schedule {
    nn_schedule_kind kind; /* default: NN_SCHEDULE_CONSTANT */
    /* default: 5 for NN_SCHEDULE_LINEAR and NN_SCHEDULE_POLYNOMIAL. PyTorch's step_size, T_max,
       T_0, total_iters or total_steps. Must be given for STEP, COSINE, COSINE_RESTARTS and
       ONE_CYCLE; other kinds do not use it */
    int64_t steps;
    float gamma;   /* default: 0.1; NN_NONE: 0. NN_SCHEDULE_STEP, NN_SCHEDULE_MULTI_STEP; must be
                      given for NN_SCHEDULE_EXPONENTIAL */
    float minimum; /* default: 0. NN_SCHEDULE_COSINE, NN_SCHEDULE_COSINE_RESTARTS: eta_min. After
                      `steps` the rate of NN_SCHEDULE_COSINE rises again, as PyTorch's does */
    /* default: 0. Number of steps in which the rate rises linearly before the schedule begins:
       LinearLR(start_factor, 1, total_iters = warmup) in a SequentialLR */
    int64_t warmup;
    float warmup_start; /* default: 1/3; NN_NONE: 0. start_factor: the factor on the learning rate
                           in the first step */
    /* default: none. NN_SCHEDULE_MULTI_STEP, which needs one or more: numbers of steps done,
       NN_INTEGERS(3000, 8000). At most 64, which is what checkpoints hold */
    nn_integers milestones;
    int32_t steps_factor;  /* default: 1. NN_SCHEDULE_COSINE_RESTARTS: T_mult */
    float start_factor;    /* default: 0.33333334 (1/3); NN_NONE: 0. NN_SCHEDULE_LINEAR */
    float end_factor;      /* default: 1; NN_NONE: 0. NN_SCHEDULE_LINEAR */
    float power;           /* default: 1; NN_NONE: 0. NN_SCHEDULE_POLYNOMIAL */
    float pct_start;       /* default: 0.3; NN_NONE: 0; at most 1. NN_SCHEDULE_ONE_CYCLE */
    float div_factor; /* default: 25. NN_SCHEDULE_ONE_CYCLE: the first rate is the learning rate
                         divided by it */
    /* default: 1e4. NN_SCHEDULE_ONE_CYCLE: the last rate is the first one divided by it */
    float final_div_factor;
    /* default: false, along a cosine (cos). true: in straight lines (linear).
       NN_SCHEDULE_ONE_CYCLE: anneal_strategy */
    bool linear;
    /* default: false. NN_SCHEDULE_ONE_CYCLE: the way down to the first rate takes as long as the
       way up; then the rate falls further */
    bool three_phase;
    /* NN_SCHEDULE_FUNCTION: returns the rate of the next step after `step` steps, not counting the
       warmup. base: the learning rate. Equal arguments must give equal rates. A step whose rate is
       negative or not finite is an error. A checkpoint does not contain the function: the trainer
       that loads one must have it */
    float (*function)(void *user, float base, int64_t step);
    void *user;
} nn_schedule;

/* Returns the rate of the next step after `step` steps: 0 for the first one. schedule NULL: the
   learning rate. */
NN_API float nn_scheduled_rate(const nn_schedule *schedule, float learning_rate, int64_t step);
