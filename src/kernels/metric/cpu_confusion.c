/* kernels/metric/cpu_confusion.c - the confusion matrix of a batch. Phase 0 finds the class of each
   position; one unit of phase 1 counts. Compiled for size. */
#include "kernels/metric/cpu.h"

#ifndef NN_NO_TRAINING
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
#endif

NN_PRIVATE void nn__install_confusion(nn_context *nn) {
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, CONFUSION, confusion, &nn__metric_confusion);
#else
    (void)nn;
#endif
}
