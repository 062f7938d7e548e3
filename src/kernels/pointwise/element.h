/* kernels/pointwise/element.h - what one element-wise function is told: the kernels that programs
   replace. */
#pragma once

#include "device/types.h"
#include "kernels/pointwise/choices.h"

/* forward: y = op(a, b). backward (unary only): a holds dy, b holds what the derivative needs (the
   op's y for RELU SIGMOID TANH EXP SQRT, else its x), y receives dx; all of one shape. y may be the
   same storage as a (in place). */
typedef struct nn_pointwise_args {
    nn_view y, a, b;
    nn_pointwise_op op;
    float scalar;
    bool accumulate;                /* y += */
    uint64_t seed, stream,
        counter; /* NN_DROPOUT: element i uses word i % 4 of Philox(seed, stream, counter +
                    i / 4) and is kept when nn_word_to_uniform(word) >= scalar */
} nn_pointwise_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_POINTWISE_FORWARD_VIEWS(VIEW, ITEM) VIEW(SUM, y, 1) VIEW(IN, a, 1) VIEW(IN, b, 1)
#define NN_POINTWISE_BACKWARD_VIEWS(VIEW, ITEM) VIEW(SUM, y, 1) VIEW(IN, a, 1) VIEW(IN, b, 1)
