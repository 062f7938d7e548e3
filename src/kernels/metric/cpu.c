/* kernels/metric/cpu.c - the accuracy of a batch. cpu_confusion.c has the confusion matrix, and
   cpu_accumulate.c the totals. Other metrics are built from pointwise and reduce. Compiled for
   size. */
#include "kernels/metric/cpu.h"

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

NN_PRIVATE void nn__install_accuracy(nn_context *nn) {
    NN__CPU_INSTALL(nn, ACCURACY, accuracy, &nn__metric_accuracy);
}

NN_PRIVATE void nn__install_metric(nn_context *nn) {
    nn__install_accuracy(nn);
    nn__install_confusion(nn);
    nn__install_accumulate(nn);
}
