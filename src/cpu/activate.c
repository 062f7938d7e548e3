/* cpu/activate.c - the activations as plain functions on an array, for epilogues. By itself an
   activation is a pointwise program, and so is its gradient. */
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

static void nn__activate_install(nn_context *nn, nn_activation activation, nn__activate function) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    if (cpu) cpu->activations[activation] = function;
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
