/* kernels/softmax/cpu.c - softmax and log_softmax over the last axis, forward and backward. A unit
   is a fixed number of rows, whose loops are in kernels/softmax/vector.h. */
#include "kernels/softmax/cpu.h"
#include "kernels/softmax/vector.h"

#include <math.h>

/* ---- rows for other families ----------------------------------------------------------------- */

NN_PRIVATE float nn__row_max(const nn__cpu *cpu, const float *x, int n) {
    return NN__OF_SET(cpu, nn__softmax_rows)->largest(x, n);
}

NN_PRIVATE float nn__row_exp(const nn__cpu *cpu, float *y, const float *x, float shift, int n) {
    return NN__OF_SET(cpu, nn__softmax_rows)->exps(y, x, shift, n);
}

NN_PRIVATE void nn__row_scale(const nn__cpu *cpu, float *y, float scale, int n) {
    NN__OF_SET(cpu, nn__softmax_rows)->scale(y, scale, n);
}

/* ---- units ----------------------------------------------------------------------------------- */

static int nn__softmax_length(const nn_softmax_args *args) {
    return args->y.shape.rank ? args->y.shape.extent[args->y.shape.rank - 1] : 1;
}

/* Returns the rows of a unit: 8192 numbers, or up to 65536 if there are many units anyway. */
static int64_t nn__softmax_rows_per_unit(const nn_softmax_args *args) {
    const int64_t n = nn__softmax_length(args);
    return nn__max64(nn__max64(1, 8192 / n), nn__min64(nn__count(&args->y) / n / 64, 65536 / n));
}

static int nn__softmax_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_softmax_args *args = (const nn_softmax_args *)arguments;
    int64_t rows = nn__count(&args->y) / nn__softmax_length(args),
            step = nn__softmax_rows_per_unit(args);
    (void)cpu;
    return phase == 0 ? (int)((rows + step - 1) / step) : 0;
}

static void nn__softmax_forward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                     void *shared, void *own) {
    const nn_softmax_args *args = (const nn_softmax_args *)arguments;
    const nn__softmax_rows *rows = NN__OF_SET(cpu, nn__softmax_rows);
    const int n = nn__softmax_length(args);
    const int64_t count = nn__count(&args->y) / n, step = nn__softmax_rows_per_unit(args);
    const int64_t bytes = 2 * count * n * (int64_t)sizeof(float);
    (void)phase, (void)shared, (void)own;
#ifndef NN_NO_SIMD
    if (n <= NN__SOFTMAX_SHORT && !args->logarithm) {
        rows->short_rows(nn__f32(&args->y) + unit * step * n, nn__f32(&args->x) + unit * step * n,
                         (int)nn__min64(step, count - unit * step), n);
        return;
    }
#endif
    for (int64_t row = unit * step; row < nn__min64((unit + 1) * step, count); row++) {
        const float *x = nn__f32(&args->x) + row * n;
        float *y = nn__f32(&args->y) + row * n;
        if (args->logarithm)
            rows->log_row(y, x, n, y != x && nn__streams_at(cpu, y, bytes));
        else
            rows->row(y, x, n);
    }
    nn__all_streamed();
}

static const nn__cpu_kernel nn__softmax_forward = {nn__softmax_units, nn__softmax_forward_unit,
                                                   NULL, NULL, NULL};

#ifndef NN_NO_TRAINING
static void nn__softmax_backward_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                      int unit, void *shared, void *own) {
    const nn_softmax_args *args = (const nn_softmax_args *)arguments;
    const nn__softmax_rows *rows = NN__OF_SET(cpu, nn__softmax_rows);
    const int n = nn__softmax_length(args);
    const int64_t count = nn__count(&args->y) / n, step = nn__softmax_rows_per_unit(args);
    const int64_t bytes = 3 * count * n * (int64_t)sizeof(float);
    (void)phase, (void)shared, (void)own;
    for (int64_t row = unit * step; row < nn__min64((unit + 1) * step, count); row++) {
        const float *y = nn__f32(&args->y) + row * n, *dy = nn__f32(&args->dy) + row * n;
        float *dx = nn__f32(&args->x) + row * n;
        const bool streams = dx != y && dx != dy && nn__streams_at(cpu, dx, bytes);
        (args->logarithm ? rows->log_slope : rows->slope)(dx, y, dy, n, streams);
    }
    nn__all_streamed();
}

static const nn__cpu_kernel nn__softmax_backward = {nn__softmax_units, nn__softmax_backward_unit,
                                                    NULL, NULL, NULL};
#endif

NN_PRIVATE void nn__install_softmax(nn_context *nn) {
    NN__CPU_INSTALL(nn, SOFTMAX_FORWARD, softmax_forward, &nn__softmax_forward);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, SOFTMAX_BACKWARD, softmax_backward, &nn__softmax_backward);
#endif
}
