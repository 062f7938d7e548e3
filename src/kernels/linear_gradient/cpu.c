/* kernels/linear_gradient/cpu.c - the gradients of a linear layer in plain C. nn_self_test compares
   devices with it; plans for the CPU use separate products (kernels/matmul), which are faster. A
   unit is a row of dweight with its number of dbias, or, after these, a row of dx. */
#include "cpu/private.h"

#ifndef NN_NO_TRAINING

static int nn__linear_gradient_units(const nn__cpu *cpu, const void *args, int phase) {
    const int32_t *dy = ((const nn_linear_gradient_args *)args)->dy.shape.extent;
    (void)cpu;
    return phase ? 0 : dy[0] + dy[1];
}

/* Computes dweight[n] and dbias[n]. */
static void nn__linear_gradient_weight(const nn_linear_gradient_args *a, int n) {
    const int M = a->dy.shape.extent[0], N = a->dy.shape.extent[1], K = a->x.shape.extent[1];
    const float *dy = nn__f32(&a->dy) + n, *x = nn__f32(&a->x);
    float *to = nn__present(&a->dweight) ? nn__f32(&a->dweight) + (ptrdiff_t)n * K : NULL, sum = 0;
    for (int k = 0; to && k < K; k++) to[k] = 0;
    for (int m = 0; m < M; m++) {
        const float slope = dy[(ptrdiff_t)m * N];
        sum += slope;
        for (int k = 0; to && k < K; k++) to[k] += slope * x[(ptrdiff_t)m * K + k];
    }
    if (nn__present(&a->dbias)) nn__f32(&a->dbias)[n] = sum;
}

static void nn__linear_gradient_input(const nn_linear_gradient_args *a, int m) {
    const int N = a->dy.shape.extent[1], K = a->x.shape.extent[1];
    const float *dy = nn__f32(&a->dy) + (ptrdiff_t)m * N, *x = nn__f32(&a->x) + (ptrdiff_t)m * K,
                *weight = nn__f32(&a->weight);
    float *dx = nn__f32(&a->dx) + (ptrdiff_t)m * K;
    for (int k = 0; k < K; k++) dx[k] = 0;
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++) dx[k] += dy[n] * weight[(ptrdiff_t)n * K + k];
    for (int k = 0; a->activation == NN_ACTIVATION_RELU && k < K; k++)
        if (x[k] <= 0) dx[k] = 0;
}

static void nn__linear_gradient_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                     void *shared, void *own) {
    const nn_linear_gradient_args *a = (const nn_linear_gradient_args *)args;
    const int N = a->dy.shape.extent[1];
    (void)cpu, (void)phase, (void)shared, (void)own;
    if (unit < N)
        nn__linear_gradient_weight(a, unit);
    else if (nn__present(&a->dx))
        nn__linear_gradient_input(a, unit - N);
}

static const nn__cpu_kernel nn__linear_gradient_kernel = {
    nn__linear_gradient_units, nn__linear_gradient_unit, NULL, NULL, NULL};
#endif

NN_PRIVATE void nn__install_linear_gradient(nn_context *nn) {
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, LINEAR_GRADIENT, linear_gradient, &nn__linear_gradient_kernel);
#else
    (void)nn;
#endif
}
