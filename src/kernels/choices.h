/* kernels/choices.h - the activations that layers and recurrent steps can have. */
#pragma once

typedef enum nn_activation {
    NN_ACTIVATION_NONE,
    NN_ACTIVATION_RELU,
    NN_ACTIVATION_SIGMOID,
    NN_ACTIVATION_TANH,
    NN_ACTIVATION_GELU, /* the exact one, with erf */
    NN_ACTIVATION_RELU6,
    NN_ACTIVATION_COUNT
} nn_activation;
