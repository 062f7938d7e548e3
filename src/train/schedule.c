/* train/schedule.c - the learning rate of a step. There is no state: a checkpoint needs only the
   number of the step. Source of the formulas: the closed forms of torch.optim.lr_scheduler 1.13 and
   2.15. */
#include "base/functions.h"
#include "train/private.h"

#ifndef NN__NO_TRAINER

#include <math.h>

/* Computes a power by repeated squaring, which gives the same result on every machine. pow does
   not. */
static double nn__schedule_power(double base, int64_t exponent) {
    double power = 1.0;
    for (; exponent > 0; exponent /= 2, base *= base) {
        if (exponent % 2 != 0) power *= base;
    }
    return power;
}

/* Returns a field of the schedule: 0 is the default, NN_NONE is 0. */
static double nn__schedule_given(float given, double otherwise) {
    return given == 0.0f ? otherwise : (double)nn__or_default(given, 0.0f);
}

/* Returns half a cosine from `from` to `to` while part goes from 0 to 1. */
static double nn__schedule_cosine(double from, double to, double part) {
    return to + (from - to) * (1.0 + nn__cos(3.14159265358979323846 * part)) / 2.0;
}

static double nn__schedule_restarts(const nn_schedule *schedule, double rate, int64_t step) {
    const int64_t factor = schedule->steps_factor > 1 ? schedule->steps_factor : 1;
    int64_t length = schedule->steps;
    if (factor == 1) step %= length;
    while (step >= length) {
        step -= length;
        length = length > INT64_MAX / factor ? INT64_MAX : length * factor;
    }
    return nn__schedule_cosine(rate, (double)schedule->minimum, (double)step / (double)length);
}

static double nn__schedule_one_cycle(const nn_schedule *schedule, double rate, int64_t step) {
    const double first = rate / nn__schedule_given(schedule->div_factor, 25.0);
    const double last = first / nn__schedule_given(schedule->final_div_factor, 1e4);
    const double up = nn__schedule_given(schedule->pct_start, 0.3) * (double)schedule->steps;
    const double ends[3] = {up - 1.0, 2.0 * up - 2.0, (double)schedule->steps - 1.0};
    const double rates[4] = {first, rate, schedule->three_phase ? first : rate, last};
    const double at = (double)(step < schedule->steps ? step : schedule->steps - 1);
    double begin = 0.0, part;
    int phase = 0;
    while (phase < 2 && at > ends[phase]) {
        begin = ends[phase];
        phase += phase == 0 && !schedule->three_phase ? 2 : 1;
    }
    /* A phase without length is at its end. PyTorch divides by zero there. */
    part = ends[phase] > begin ? (at - begin) / (ends[phase] - begin) : 1.0;
    return schedule->linear ? rates[phase] + (rates[phase + 1] - rates[phase]) * part
                            : nn__schedule_cosine(rates[phase], rates[phase + 1], part);
}

/* Returns the rate after the warmup. */
static double nn__schedule_rate(const nn_schedule *schedule, double rate, int64_t step) {
    const double gamma = nn__schedule_given(schedule->gamma, 0.1);
    const double whole = (double)schedule->steps;
    double part, start;
    int64_t passed = 0;
    switch (schedule->kind) {
    case NN_SCHEDULE_STEP: return rate * nn__schedule_power(gamma, step / schedule->steps);
    case NN_SCHEDULE_COSINE:
        return nn__schedule_cosine(rate, (double)schedule->minimum, (double)step / whole);
    case NN_SCHEDULE_MULTI_STEP:
        for (int i = 0; i < schedule->milestones.count; i++)
            passed += schedule->milestones.number[i] <= step;
        return rate * nn__schedule_power(gamma, passed);
    case NN_SCHEDULE_EXPONENTIAL: return rate * nn__schedule_power(gamma, step);
    case NN_SCHEDULE_LINEAR:
        part = step < schedule->steps ? (double)step / whole : 1.0;
        start = nn__schedule_given(schedule->start_factor, 1.0 / 3.0);
        return rate * (start + (nn__schedule_given(schedule->end_factor, 1.0) - start) * part);
    case NN_SCHEDULE_POLYNOMIAL:
        part = step < schedule->steps ? 1.0 - (double)step / whole : 0.0;
        return rate * nn__pow(part, nn__schedule_given(schedule->power, 1.0));
    case NN_SCHEDULE_COSINE_RESTARTS: return nn__schedule_restarts(schedule, rate, step);
    case NN_SCHEDULE_ONE_CYCLE: return nn__schedule_one_cycle(schedule, rate, step);
    case NN_SCHEDULE_CONSTANT:
    case NN_SCHEDULE_FUNCTION:
    default: return rate;
    }
}

/* True if schedules of this kind depend on `steps`. */
static bool nn__schedule_has_steps(nn_schedule_kind kind) {
    return kind != NN_SCHEDULE_CONSTANT && kind != NN_SCHEDULE_MULTI_STEP &&
           kind != NN_SCHEDULE_EXPONENTIAL && kind != NN_SCHEDULE_FUNCTION;
}

/* Fills in the default of `steps`. */
static nn_schedule nn__schedule_filled(const nn_schedule *schedule) {
    nn_schedule filled = *schedule;
    if (filled.steps == 0 &&
        (filled.kind == NN_SCHEDULE_LINEAR || filled.kind == NN_SCHEDULE_POLYNOMIAL))
        filled.steps = 5;
    return filled;
}

NN_API float nn_scheduled_rate(const nn_schedule *schedule, float learning_rate, int64_t step) {
    nn_schedule filled;
    double rate = (double)learning_rate;
    if (!schedule || step < 0) return learning_rate;
    if (step < schedule->warmup) {
        const double start = nn__schedule_given(schedule->warmup_start, 1.0 / 3.0);
        return (float)(rate * (start + (1.0 - start) * (double)step / (double)schedule->warmup));
    }
    if (schedule->warmup > 0) step -= schedule->warmup;
    if (schedule->kind == NN_SCHEDULE_CONSTANT) return learning_rate;
    if (schedule->kind == NN_SCHEDULE_FUNCTION)
        return schedule->function ? schedule->function(schedule->user, learning_rate, step)
                                  : learning_rate;
    filled = nn__schedule_filled(schedule);
    if (filled.steps <= 0 && nn__schedule_has_steps(filled.kind)) return learning_rate;
    return (float)nn__schedule_rate(&filled, rate, step);
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* True for a number of at least 0, and for NN_NONE. */
static bool nn__schedule_number(float given) {
    return nn__or_default(given, 0.0f) >= 0.0f && given < 3.0e38f;
}

static bool nn__check_schedule_steps(nn_context *nn, const nn_schedule *schedule, nn_site site,
                                     const char *who) {
    const nn_schedule filled = nn__schedule_filled(schedule);
    const nn_integers milestones = schedule->milestones;
    if (filled.steps < 0 || (filled.steps == 0 && nn__schedule_has_steps(filled.kind)) ||
        schedule->warmup < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.steps is %lld, .warmup %lld; wanted at least 1 step of the "
                    "schedule, and no negative warm-up",
                    who, (long long)schedule->steps, (long long)schedule->warmup);
        return false;
    }
    if (!nn__check_list(nn, site, who, "schedule.milestones", milestones.number, milestones.count,
                        false))
        return false;
    if (milestones.count > NN__MILESTONES ||
        (milestones.count == 0 && schedule->kind == NN_SCHEDULE_MULTI_STEP)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.milestones has %d numbers; NN_SCHEDULE_MULTI_STEP takes 1 to %d: "
                    ".milestones = NN_INTEGERS(3000, 8000)",
                    who, milestones.count, NN__MILESTONES);
        return false;
    }
    for (int i = 0; i < milestones.count; i++)
        if (milestones.number[i] < 1) {
            nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                        "%s: schedule.milestones[%d] is %lld; wanted numbers of steps, each at "
                        "least 1",
                        who, i, (long long)milestones.number[i]);
            return false;
        }
    if (schedule->steps_factor < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.steps_factor is %d; wanted at least 1, or 0 for 1", who,
                    (int)schedule->steps_factor);
        return false;
    }
    if (schedule->kind == NN_SCHEDULE_EXPONENTIAL && schedule->gamma == 0.0f) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.gamma is 0; NN_SCHEDULE_EXPONENTIAL multiplies the rate by it "
                    "after every step: give one, such as 0.99f (NN_NONE: 0)",
                    who);
        return false;
    }
    if (schedule->kind == NN_SCHEDULE_FUNCTION && !schedule->function) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.function is NULL; NN_SCHEDULE_FUNCTION asks it for the rate",
                    who);
        return false;
    }
    return true;
}

NN_PRIVATE bool nn__check_schedule(nn_context *nn, const nn_schedule *schedule, nn_site site,
                                   const char *who) {
    if ((int)schedule->kind < 0 || (int)schedule->kind > (int)NN_SCHEDULE_FUNCTION) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.kind is %d; wanted a value of nn_schedule_kind, from "
                    "NN_SCHEDULE_CONSTANT to NN_SCHEDULE_FUNCTION",
                    who, (int)schedule->kind);
        return false;
    }
    if (!nn__check_schedule_steps(nn, schedule, site, who)) return false;
    if (!(nn__schedule_number(schedule->gamma) && schedule->minimum >= 0.0f &&
          schedule->minimum < 3.0e38f && nn__schedule_number(schedule->warmup_start) &&
          schedule->warmup_start <= 1.0f)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.gamma is %g, .minimum %g, .warmup_start %g; wanted finite "
                    "numbers of at least 0, "
                    "warmup_start at most 1 (NN_NONE: 0)",
                    who, (double)schedule->gamma, (double)schedule->minimum,
                    (double)schedule->warmup_start);
        return false;
    }
    if (!(nn__schedule_number(schedule->start_factor) &&
          nn__schedule_number(schedule->end_factor) && nn__schedule_number(schedule->power) &&
          nn__schedule_number(schedule->pct_start) && schedule->pct_start <= 1.0f &&
          schedule->div_factor >= 0.0f && schedule->div_factor < 3.0e38f &&
          schedule->final_div_factor >= 0.0f && schedule->final_div_factor < 3.0e38f)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.start_factor is %g, .end_factor %g, .power %g, .pct_start %g, "
                    ".div_factor %g, .final_div_factor %g; wanted finite numbers of at least 0, "
                    "pct_start at most 1 (NN_NONE: 0, but not of what divides)",
                    who, (double)schedule->start_factor, (double)schedule->end_factor,
                    (double)schedule->power, (double)schedule->pct_start,
                    (double)schedule->div_factor, (double)schedule->final_div_factor);
        return false;
    }
    return true;
}

NN_PRIVATE void nn__copy_schedule(nn_schedule *to, int64_t *milestones, const nn_schedule *from) {
    const size_t bytes = sizeof *milestones * (size_t)from->milestones.count;
    if (bytes > 0) memmove(milestones, from->milestones.number, bytes); /* may be the same */
    *to = *from;
    to->milestones.number = milestones;
}

NN_PRIVATE nn_result nn__check_rate(const nn_trainer *trainer, nn_site site, const char *who) {
    const nn_schedule *schedule = &trainer->desc.schedule;
    float rate;
    if (schedule->kind != NN_SCHEDULE_FUNCTION) return NN_OK;
    rate = nn_scheduled_rate(schedule, trainer->desc.learning_rate, trainer->step);
    if (rate >= 0.0f && rate < 3.0e38f) return NN_OK;
    return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                       "%s: schedule.function returned %g for step %lld of the trainer; wanted a "
                       "finite rate of at least 0",
                       who, (double)rate, (long long)trainer->step);
}

#endif /* NN__NO_TRAINER */

typedef int nn__schedule_part; /* a part must not be empty under NN__NO_TRAINER */
