/* kernels/pointwise/choices.h - the element-wise functions that have a number. */
#pragma once

/* Element-wise functions. Unary: a. Binary: a, b with NumPy's broadcasting over equal rank after
   left-padding with 1s. */
typedef enum nn_pointwise_op {
    NN_COPY, /* a; with broadcasting this is torch.expand */
    NN_RELU, /* max(a, 0), NaN stays */
    NN_SIGMOID,
    NN_TANH,
    NN_GELU,
    NN_LEAKY_RELU, /* a > 0 ? a : scalar * a */
    NN_EXP,
    NN_LOG,
    NN_SQRT,
    NN_SQUARE,
    NN_ABS,
    NN_NEGATE,
    NN_SOFTPLUS, /* log(1 + exp(a)) without overflow */
    NN_SCALE,    /* a * scalar */
    NN_OFFSET,   /* a + scalar */
    /* 0 with probability `scalar`, else a / (1 - scalar); words from seed, stream, counter */
    NN_DROPOUT,
    NN_BINARY_FIRST_, /* from here on: two operands */
    NN_ADD = NN_BINARY_FIRST_,
    NN_SUBTRACT,
    NN_MULTIPLY,
    NN_DIVIDE,
    NN_MAXIMUM,
    NN_MINIMUM,
    NN_EQUAL, /* 1 or 0 */
    NN_POINTWISE_COUNT
} nn_pointwise_op;
