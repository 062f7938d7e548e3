/* kernels/metric/cpu.c - accuracy and confusion matrix of a batch, and the running totals of losses
   and metrics until they are read. Other metrics are built from pointwise and reduce. */
#include "cpu/private.h"

#include <math.h>

/* ---- accuracy -------------------------------------------------------------------------------- */

#define NN__METRIC_UNIT 16384 /* logits per unit, approximately */

static int64_t nn__metric_positions(const nn_view *logits) {
    return nn__count(logits) / logits->shape.extent[1];
}

static int64_t nn__metric_rows(const nn_view *logits) {
    return nn__max64(1, NN__METRIC_UNIT / logits->shape.extent[1]);
}
#undef NN__METRIC_UNIT

static int nn__metric_row_units(const nn_view *logits) {
    int64_t rows = nn__metric_rows(logits);
    return (int)((nn__metric_positions(logits) + rows - 1) / rows);
}

/* Returns the first logit of a position; its others follow at distances of *inner. */
static const float *nn__metric_row(const nn_view *logits, int64_t at, int64_t *inner) {
    *inner = nn__metric_positions(logits) / logits->shape.extent[0];
    return nn__f32(logits) + at / *inner * logits->shape.extent[1] * *inner + at % *inner;
}

/* Returns how many classes come before `label` when sorted by descending logit. Equal ones keep
   their order, and NaN comes first, as in torch.argmax. */
static int nn__metric_rank(const float *z, int64_t inner, int classes, int label) {
    float value = z[label * inner];
    int before = 0;
    if (value != value) {
        for (int c = 0; c < label; c++) before += z[c * inner] != z[c * inner];
        return before;
    }
    for (int c = 0; c < label; c++) before += !(z[c * inner] < value);
    for (int c = label + 1; c < classes; c++) before += !(z[c * inner] <= value);
    return before;
}

static int nn__metric_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu;
    return phase == 0   ? nn__metric_row_units(&((const nn_accuracy_args *)args)->logits)
           : phase == 1 ? 1
                        : 0;
}

static size_t nn__metric_shared_bytes(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return (size_t)nn__metric_row_units(&((const nn_accuracy_args *)args)->logits) *
           sizeof(int64_t);
}

static void nn__metric_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                            void *shared, void *own) {
    const nn_accuracy_args *args = (const nn_accuracy_args *)arguments;
    int64_t *hits = (int64_t *)shared, positions = nn__metric_positions(&args->logits),
            rows = nn__metric_rows(&args->logits), sum = 0, inner;
    (void)cpu, (void)own;
    if (phase == 1) {
        for (int i = 0; i < nn__metric_row_units(&args->logits); i++) sum += hits[i];
        *nn__f32(&args->y) = (float)((double)sum / (double)positions);
        return;
    }
    int classes = args->logits.shape.extent[1], top = nn__maxi(args->top, 1);
    int64_t end = nn__min64((unit + 1) * rows, positions);
    for (int64_t at = unit * rows; at < end; at++) {
        const float *z = nn__metric_row(&args->logits, at, &inner);
        int label = nn__i32(&args->label)[at];
        sum += label >= 0 && label < classes && nn__metric_rank(z, inner, classes, label) < top;
    }
    hits[unit] = sum;
}

static const nn__cpu_kernel nn__metric_accuracy = {nn__metric_units, nn__metric_unit,
                                                   nn__metric_shared_bytes, NULL, NULL};

#ifndef NN_NO_TRAINING
/* ---- confusion: phase 0 finds each position's class, one unit of phase 1 counts -------------- */

static int nn__metric_confusion_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu;
    return phase == 0   ? nn__metric_row_units(&((const nn_confusion_args *)args)->logits)
           : phase == 1 ? 1
                        : 0;
}

static size_t nn__metric_confusion_bytes(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return (size_t)nn__metric_positions(&((const nn_confusion_args *)args)->logits) *
           sizeof(int32_t);
}

static void nn__metric_confusion_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                      int unit, void *shared, void *own) {
    const nn_confusion_args *args = (const nn_confusion_args *)arguments;
    const uint32_t *status = nn__present(&args->status) ? nn__status(&args->status) : NULL;
    int classes = args->logits.shape.extent[1], *taken = (int *)shared;
    int64_t positions = nn__metric_positions(&args->logits), rows = nn__metric_rows(&args->logits),
            inner;
    (void)cpu, (void)own;
    if (phase == 1) {
        for (int64_t at = 0; at < positions && !(status && *status); at++) {
            int label = nn__i32(&args->label)[at];
            if (label >= 0 && label < classes)
                nn__status(&args->counts)[(int64_t)label * classes + taken[at]]++;
        }
        return;
    }
    for (int64_t at = unit * rows; at < nn__min64((unit + 1) * rows, positions); at++) {
        const float *z = nn__metric_row(&args->logits, at, &inner);
        float best = z[0];
        taken[at] = 0;
        for (int c = 1; c < classes && best == best; c++)
            if (!(z[c * inner] <= best)) best = z[c * inner], taken[at] = c;
    }
}

static const nn__cpu_kernel nn__metric_confusion = {
    nn__metric_confusion_units, nn__metric_confusion_unit, nn__metric_confusion_bytes, NULL, NULL};

/* ---- totals ---------------------------------------------------------------------------------- */

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

NN_PRIVATE void nn__install_confusion(nn_context *nn) {
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, CONFUSION, confusion, &nn__metric_confusion);
#else
    (void)nn;
#endif
}

NN_PRIVATE void nn__install_metric(nn_context *nn) {
    NN__CPU_INSTALL(nn, ACCURACY, accuracy, &nn__metric_accuracy);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, ACCUMULATE, accumulate, &nn__metric_accumulate);
#endif
}
