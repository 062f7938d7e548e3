/* kernels/pointwise/element.h - what one element-wise function is told: the kernels that programs replace. */
#pragma once

#include "device/types.h"

/* Element-wise functions. Unary: a. Binary: a, b with NumPy's broadcasting over equal rank after left-padding
   with 1s. */
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
    NN_DROPOUT,  /* 0 with probability `scalar`, else a / (1 - scalar); words from seed, stream, counter */
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

/* forward: y = op(a, b). backward (unary only): a holds dy, b holds what the derivative needs (the op's y for
   RELU SIGMOID TANH EXP SQRT, else its x), y receives dx; all of one shape. y may be the same storage as a
   (in place). */
typedef struct nn_pointwise_args {
    nn_view y, a, b;
    nn_pointwise_op op;
    float scalar;
    bool accumulate;                /* y += */
    uint64_t seed, stream, counter; /* NN_DROPOUT: element i uses word i % 4 of Philox(seed, stream, counter +
                                       i / 4) and is kept when nn_word_to_uniform(word) >= scalar */
} nn_pointwise_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_POINTWISE_FORWARD_VIEWS(VIEW, ITEM) VIEW(SUM, y, 1) VIEW(IN, a, 1) VIEW(IN, b, 1)
#define NN_POINTWISE_BACKWARD_VIEWS(VIEW, ITEM) VIEW(SUM, y, 1) VIEW(IN, a, 1) VIEW(IN, b, 1)
