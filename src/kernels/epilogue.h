/* kernels/epilogue.h - the epilogue of products and convolutions. */
#pragma once

#include "device/types.h"

typedef enum nn_activation {
    NN_ACTIVATION_NONE,
    NN_ACTIVATION_RELU,
    NN_ACTIVATION_SIGMOID,
    NN_ACTIVATION_TANH,
    NN_ACTIVATION_GELU, /* the exact one, with erf */
    NN_ACTIVATION_RELU6,
    NN_ACTIVATION_COUNT
} nn_activation;

/* Added and applied to the result before it is stored: first bias, then activation. */
typedef struct nn_epilogue {
    nn_view bias; /* f32; gemm: (n), conv2d: (K) */
    nn_activation activation;
} nn_epilogue;
