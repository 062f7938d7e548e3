/* cpu/activate.c - relu and relu6 as functions on an array, for epilogues. Other epilogues are in
   kernels/pointwise/cpu_activate.c. An activation that is not an epilogue, and every gradient, is a
   pointwise program. */
#include "cpu/private.h"

/* A NaN is not below 0 and stays, and so does -0. Most kernels apply relu and relu6 in their own
   loops (nn__clamp_of) and do not call these functions. */
NN_PRIVATE void nn__relu(float *x, int n) {
    for (int i = 0; i < n; i++) x[i] = 0.0f > x[i] ? 0.0f : x[i];
}

/* clamp(x, 0, 6) as in pointwise programs: a NaN stays, -0 becomes 0. */
NN_PRIVATE void nn__relu6(float *x, int n) {
    for (int i = 0; i < n; i++) x[i] = x[i] <= 0 ? 0 : x[i] > 6 ? 6 : x[i];
}

NN_PRIVATE const char *nn__refuses_activation(const nn__cpu *cpu, nn_activation activation) {
    if (activation == NN_ACTIVATION_NONE || cpu->activations[activation]) return NULL;
    return NN__TEXT("this program did not install the activation; call nn_use_all_kernels(nn)");
}

NN_PRIVATE void nn__install_relu(nn_context *nn) {
    if (nn->cpu) ((nn__cpu *)nn->cpu)->activations[NN_ACTIVATION_RELU] = nn__relu;
}
NN_PRIVATE void nn__install_relu6(nn_context *nn) {
    if (nn->cpu) ((nn__cpu *)nn->cpu)->activations[NN_ACTIVATION_RELU6] = nn__relu6;
}
