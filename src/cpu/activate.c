/* cpu/activate.c - the activations as plain functions on an array, for epilogues and for pointwise.c. No
   gradients here. */
#include "cpu/private.h"

#include <math.h>

NN_PRIVATE void nn__activate(nn_activation activation, float *x, int n) {
    switch (activation) {
    case NN_ACTIVATION_RELU:
        for (int i = 0; i < n; i++) x[i] = x[i] < 0 ? 0 : x[i]; /* a NaN is not below 0 and stays */
        break;
    case NN_ACTIVATION_SIGMOID:
        for (int i = 0; i < n; i++) x[i] = 1.0f / (1.0f + expf(-x[i]));
        break;
    case NN_ACTIVATION_TANH:
        for (int i = 0; i < n; i++) x[i] = tanhf(x[i]);
        break;
    case NN_ACTIVATION_GELU:
        for (int i = 0; i < n; i++) x[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678118654752f));
        break;
    default: break;
    }
}
