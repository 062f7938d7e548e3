/* cpu/activate.c - the activations as plain functions on an array: for epilogues, for
   kernels/pointwise/cpu.c, and as the kernel of programs that have no other element-wise operation.
   Their gradients are in kernels/pointwise. */
#include "cpu/private.h"

#include <math.h>

NN_PRIVATE void nn__relu(float *x, int n) {
    for (int i = 0; i < n; i++) x[i] = x[i] < 0 ? 0 : x[i]; /* a NaN is not below 0 and stays */
}

NN_PRIVATE void nn__sigmoid(float *x, int n) {
    for (int i = 0; i < n; i++) x[i] = 1.0f / (1.0f + expf(-x[i]));
}

NN_PRIVATE void nn__tanh(float *x, int n) {
    for (int i = 0; i < n; i++) x[i] = tanhf(x[i]);
}

NN_PRIVATE void nn__gelu(float *x, int n) {
    for (int i = 0; i < n; i++) x[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678118654752f));
}

NN_PRIVATE const char *nn__refuses_activation(const nn__cpu *cpu, nn_activation activation) {
    if (activation == NN_ACTIVATION_NONE || cpu->activations[activation]) return NULL;
    return NN__TEXT("this program did not install the activation; call nn_use_all_kernels(nn)");
}

/* ---- an activation by itself ----------------------------------------------------------------- */

#if defined(NN_NO_SIMD) && defined(NN_NO_TRAINING)
/* Small: no broadcasting, no arithmetic, no libm but what the activation needs. */
static nn__activate nn__activate_of(const nn__cpu *cpu, const nn_pointwise_args *args) {
    switch (args->op) {
    case NN_RELU: return cpu->activations[NN_ACTIVATION_RELU];
    case NN_SIGMOID: return cpu->activations[NN_ACTIVATION_SIGMOID];
    case NN_TANH: return cpu->activations[NN_ACTIVATION_TANH];
    case NN_GELU: return cpu->activations[NN_ACTIVATION_GELU];
    default: return NULL;
    }
}

static int nn__activate_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu, (void)args;
    return phase ? 0 : 1;
}

static void nn__activate_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                              void *shared, void *own) {
    const nn_pointwise_args *args = (const nn_pointwise_args *)arguments;
    float *y = nn__f32(&args->y);
    (void)phase, (void)unit, (void)shared, (void)own;
    memmove(y, nn__f32(&args->a), (size_t)nn__bytes(&args->y));
    nn__activate_of(cpu, args)(y, (int)nn__count(&args->y));
}

static const char *nn__activate_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_pointwise_args *args = (const nn_pointwise_args *)arguments;
    const bool fits = args->y.dtype == NN_F32 && args->a.dtype == NN_F32 && !args->accumulate &&
                      nn__count(&args->y) == nn__count(&args->a);
    if (fits && nn__activate_of(cpu, args)) return NULL;
    return NN__TEXT("this program installed activations only; call nn_use_all_kernels(nn)");
}

static const nn__cpu_kernel nn__activate_kernel = {nn__activate_units, nn__activate_unit, NULL,
                                                   NULL, nn__activate_refuses};
#endif

static void nn__activate_install(nn_context *nn, nn_activation activation, nn__activate function) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    if (cpu) cpu->activations[activation] = function;
#if defined(NN_NO_SIMD) && defined(NN_NO_TRAINING)
    NN__CPU_INSTALL(nn, POINTWISE_FORWARD, pointwise_forward, &nn__activate_kernel);
#else
    nn__install_pointwise(nn);
#endif
}

NN_PRIVATE void nn__install_relu(nn_context *nn) {
    nn__activate_install(nn, NN_ACTIVATION_RELU, nn__relu);
}
NN_PRIVATE void nn__install_sigmoid(nn_context *nn) {
    nn__activate_install(nn, NN_ACTIVATION_SIGMOID, nn__sigmoid);
}
NN_PRIVATE void nn__install_tanh(nn_context *nn) {
    nn__activate_install(nn, NN_ACTIVATION_TANH, nn__tanh);
}
NN_PRIVATE void nn__install_gelu(nn_context *nn) {
    nn__activate_install(nn, NN_ACTIVATION_GELU, nn__gelu);
}
