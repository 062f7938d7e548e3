/* kernels/metric/cpu_accumulate.c - the running totals of losses and metrics until they are read,
   and the check of a loss. */
#include "cpu/private.h"

#include <math.h>

#ifndef NN_NO_TRAINING
static int nn__metric_one_unit(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu, (void)args;
    return phase == 0 ? 1 : 0;
}

/* Adds value to *sum, and the rounding error of this addition to *rest. Source: Knuth, "The Art of
   Computer Programming", volume 2, 4.2.2, theorem B. */
static void nn__metric_add(float *sum, float *rest, float value) {
    /* volatile: no compiler option may simplify the arithmetic */
    const volatile float whole = *sum + value, part = whole - *sum;
    *rest += (*sum - (whole - part)) + (value - part);
    *sum = whole;
}

static void nn__metric_accumulate_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                       int unit, void *shared, void *own) {
    const nn_accumulate_args *args = (const nn_accumulate_args *)arguments;
    const float *values = nn__f32(&args->value);
    const float value = values[0];
    uint32_t *status =
        nn__present(&args->status) && args->status.handle ? nn__status(&args->status) : NULL;
    (void)cpu, (void)phase, (void)unit, (void)shared, (void)own;
    if (args->check && status && *status == 0 && !(fabsf(value) < INFINITY))
        *status = (args->step << 3) | (uint32_t)NN_FAULT_LOSS;
    if ((status && *status != 0) || !nn__present(&args->total)) return;
    float *total = nn__f32(&args->total);
    for (int i = 0; i < args->sums; i++)
        nn__metric_add(&total[i], &total[args->sums + i], values[i]);
    if (args->sums > 0) return;
    total[0] += value * args->weight;
    total[1] += args->weight;
}

static const nn__cpu_kernel nn__metric_accumulate = {nn__metric_one_unit,
                                                     nn__metric_accumulate_unit, NULL, NULL, NULL};
#endif

NN_PRIVATE void nn__install_accumulate(nn_context *nn) {
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, ACCUMULATE, accumulate, &nn__metric_accumulate);
#else
    (void)nn;
#endif
}
