/* cpu/metric.c - accuracy of a batch, and the totals in which losses and metrics gather until they are read.

   Not the place for other metrics: those are made of pointwise and reduce. Read cpu/update.c next. */
#include "cpu/private.h"

#include <math.h>

#define NN__METRIC_UNIT 16384 /* logits of a unit, about */

static int64_t nn__metric_positions(const nn_accuracy_args *args) {
    return nn__count(&args->logits) / args->logits.shape.extent[1];
}

static int64_t nn__metric_rows(const nn_accuracy_args *args) {
    return nn__max64(1, NN__METRIC_UNIT / args->logits.shape.extent[1]);
}
#undef NN__METRIC_UNIT

static int nn__metric_row_units(const nn_accuracy_args *args) {
    int64_t rows = nn__metric_rows(args);
    return (int)((nn__metric_positions(args) + rows - 1) / rows);
}

static int nn__metric_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu;
    return phase == 0 ? nn__metric_row_units((const nn_accuracy_args *)args) : phase == 1 ? 1 : 0;
}

static size_t nn__metric_shared_bytes(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return (size_t)nn__metric_row_units((const nn_accuracy_args *)args) * sizeof(int64_t);
}

static void nn__metric_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit, void *shared,
                            void *own) {
    const nn_accuracy_args *args = (const nn_accuracy_args *)arguments;
    int64_t *hits = (int64_t *)shared, positions = nn__metric_positions(args), rows = nn__metric_rows(args),
            sum = 0;
    (void)cpu, (void)own;
    if (phase == 1) {
        for (int i = 0; i < nn__metric_row_units(args); i++) sum += hits[i];
        *nn__f32(&args->y) = (float)((double)sum / (double)positions);
        return;
    }
    int classes = args->logits.shape.extent[1];
    int64_t inner = positions / args->logits.shape.extent[0], end = nn__min64((unit + 1) * rows, positions);
    for (int64_t at = unit * rows; at < end; at++) {
        const float *z = nn__f32(&args->logits) + at / inner * classes * inner + at % inner;
        float best = z[0];
        int where = 0;
        for (int c = 1; c < classes && best == best; c++) /* a NaN is the largest, as in torch.argmax */
            if (!(z[c * inner] <= best)) best = z[c * inner], where = c;
        sum += where == nn__i32(&args->label)[at];
    }
    hits[unit] = sum;
}

static const nn__cpu_kernel nn__metric_accuracy = {nn__metric_units, nn__metric_unit, nn__metric_shared_bytes,
                                                   NULL, NULL};

#ifndef NN_NO_TRAINING
static int nn__metric_one_unit(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu, (void)args;
    return phase == 0 ? 1 : 0;
}

static void nn__metric_accumulate_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                       void *shared, void *own) {
    const nn_accumulate_args *args = (const nn_accumulate_args *)arguments;
    float value = *nn__f32(&args->value);
    uint32_t *status = nn__present(&args->status) && args->status.handle ? nn__status(&args->status) : NULL;
    (void)cpu, (void)phase, (void)unit, (void)shared, (void)own;
    if (args->check && status && *status == 0 && !(fabsf(value) < INFINITY))
        *status = (args->step << 3) | (uint32_t)NN_FAULT_LOSS;
    if ((status && *status != 0) || !nn__present(&args->total)) return;
    float *total = nn__f32(&args->total);
    total[0] += value * args->weight;
    total[1] += args->weight;
}

static const nn__cpu_kernel nn__metric_accumulate = {nn__metric_one_unit, nn__metric_accumulate_unit, NULL,
                                                     NULL, NULL};
#endif

NN_PRIVATE void nn__install_metric(nn_context *nn) {
    NN__CPU_INSTALL(nn, ACCURACY, accuracy, &nn__metric_accuracy);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, ACCUMULATE, accumulate, &nn__metric_accumulate);
#endif
}
