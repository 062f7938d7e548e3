/* train/schedule.h - how the learning rate changes with the steps: pure functions, in PyTorch's
   definitions. */
#pragma once

#include "base/config.h"

typedef enum nn_schedule_kind {
    NN_SCHEDULE_CONSTANT,
    NN_SCHEDULE_STEP,   /* torch.optim.lr_scheduler.StepLR: times gamma after every `steps` */
    NN_SCHEDULE_COSINE, /* CosineAnnealingLR: half a cosine from the learning rate to `minimum` in
                           `steps` */
    NN_SCHEDULE_MULTI_STEP,  /* MultiStepLR: times gamma at each of the milestones */
    NN_SCHEDULE_EXPONENTIAL, /* ExponentialLR: times gamma after every step */
    NN_SCHEDULE_LINEAR,      /* LinearLR: a line from start_factor to end_factor in `steps` */
    NN_SCHEDULE_POLYNOMIAL,  /* PolynomialLR: times (1 - step / steps)^power, then 0 */
    /* CosineAnnealingWarmRestarts: half a cosine to `minimum` in `steps`, then again from the
       learning rate, each time in steps_factor as many steps as the time before */
    NN_SCHEDULE_COSINE_RESTARTS,
    /* OneCycleLR: up to the learning rate (max_lr), which takes pct_start of the `steps`, and down
       again. The momentum stays as it is (cycle_momentum = False). After `steps` the last rate
       stays */
    NN_SCHEDULE_ONE_CYCLE,
    NN_SCHEDULE_FUNCTION /* the rate is what `function` returns; LambdaLR: base times a factor */
} nn_schedule_kind;

/* One step of the schedule is one training step (in PyTorch: scheduler.step() after each batch).
   For a schedule in epochs multiply by nn_batches_per_epoch. */
typedef struct nn_schedule {
    nn_schedule_kind kind; /* default: NN_SCHEDULE_CONSTANT */
    /* default: 5 for NN_SCHEDULE_LINEAR, NN_SCHEDULE_POLYNOMIAL. step_size, T_max, T_0,
       total_iters, total_steps; the others of these kinds must have it, the rest has none */
    int64_t steps;
    float gamma;   /* default: 0.1; NN_NONE: 0. NN_SCHEDULE_STEP, NN_SCHEDULE_MULTI_STEP; must be
                      given for NN_SCHEDULE_EXPONENTIAL */
    float minimum; /* default: 0. NN_SCHEDULE_COSINE, NN_SCHEDULE_COSINE_RESTARTS: eta_min. After
                      `steps` the rate of the former rises again, as PyTorch's does */
    /* default: 0. Steps in which the rate rises in a line before the schedule begins, as with
       LinearLR(start_factor, 1, total_iters = warmup) in a SequentialLR */
    int64_t warmup;
    float warmup_start; /* default: 1/3; NN_NONE: 0. The first step's part of the learning rate:
                           start_factor */
    int64_t milestones[8]; /* default: none; 0 ends the list. NN_SCHEDULE_MULTI_STEP: steps done */
    int32_t steps_factor;  /* default: 1. NN_SCHEDULE_COSINE_RESTARTS: T_mult */
    float start_factor;    /* default: 0.33333334 (1/3); NN_NONE: 0. NN_SCHEDULE_LINEAR */
    float end_factor;      /* default: 1; NN_NONE: 0. NN_SCHEDULE_LINEAR */
    float power;           /* default: 1; NN_NONE: 0. NN_SCHEDULE_POLYNOMIAL */
    float pct_start;       /* default: 0.3; NN_NONE: 0; at most 1. NN_SCHEDULE_ONE_CYCLE */
    float div_factor; /* default: 25. NN_SCHEDULE_ONE_CYCLE: begins at the rate divided by it */
    /* default: 1e4. NN_SCHEDULE_ONE_CYCLE: ends at the first rate divided by it */
    float final_div_factor;
    /* default: false, in cosines (cos). NN_SCHEDULE_ONE_CYCLE: anneal_strategy = "linear" */
    bool linear;
    /* default: false. NN_SCHEDULE_ONE_CYCLE: down to the first rate as long as up, then on */
    bool three_phase;
    /* NN_SCHEDULE_FUNCTION: the rate of the step after `step` steps (of those behind the warm-up);
       base: the learning rate. A step whose rate is negative or not finite is an error. Alike calls
       must return alike rates. A checkpoint does not hold it: it loads into a trainer that has it
     */
    float (*function)(void *user, float base, int64_t step);
    void *user;
} nn_schedule;

/* The rate of the step after `step` steps: 0 for the first one. schedule may be NULL: the learning
   rate. */
NN_API float nn_scheduled_rate(const nn_schedule *schedule, float learning_rate, int64_t step);
