/* train/schedule.c - the learning rate of a step. There is no state: the number of the step is all
   that a checkpoint must know. Source of the formulas: the closed forms of torch.optim.lr_scheduler
   1.13. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

#include <math.h>

/* By squaring: the same on every machine, which pow is not. */
static double nn__schedule_power(double base, int64_t exponent) {
    double power = 1.0;
    for (; exponent > 0; exponent /= 2, base *= base) {
        if (exponent % 2 != 0) power *= base;
    }
    return power;
}

NN_API float nn_scheduled_rate(const nn_schedule *schedule, float learning_rate, int64_t step) {
    double rate = (double)learning_rate;
    if (!schedule || step < 0) return learning_rate;
    if (step < schedule->warmup) {
        const float given = schedule->warmup_start;
        const double start = given == 0.0f ? 1.0 / 3.0 : (double)nn__or_default(given, 0.0f);
        return (float)(rate * (start + (1.0 - start) * (double)step / (double)schedule->warmup));
    }
    if (schedule->warmup > 0) step -= schedule->warmup;
    if (schedule->steps <= 0) return learning_rate;
    if (schedule->kind == NN_SCHEDULE_STEP) {
        const double gamma =
            schedule->gamma == 0.0f ? 0.1 : (double)nn__or_default(schedule->gamma, 0.0f);
        return (float)(rate * nn__schedule_power(gamma, step / schedule->steps));
    }
    if (schedule->kind == NN_SCHEDULE_COSINE) {
        double least = (double)schedule->minimum;
        double turn = 3.14159265358979323846 * (double)step / (double)schedule->steps;
        return (float)(least + (rate - least) * (1.0 + cos(turn)) / 2.0);
    }
    return learning_rate;
}

#endif /* NN_NO_TRAINING */

typedef int nn__schedule_part; /* a part must not be empty under NN_NO_TRAINING */
