/* ops/pointwise.h - element-wise functions selected by a number, and dropout. Each function also
   has its own builder and calls in ops/table.h; use those in firmware, because they link only the
   code that they need. */
#pragma once

#include "graph/model.h"

/* Functions of one operand, a, then functions of two, a and b. ops/table.h has their formulas. */
typedef enum nn_pointwise_op {
    NN_COPY, /* a, of any dtype: torch.clone */
    NN_RELU,
    NN_SIGMOID,
    NN_TANH,
    NN_GELU,
    NN_LEAKY_RELU, /* scalar: the slope below 0 */
    NN_EXP,
    NN_LOG,
    NN_SQRT,
    NN_SQUARE,
    NN_ABS,
    NN_NEGATE,
    NN_SOFTPLUS,
    NN_SCALE,         /* a * scalar */
    NN_OFFSET,        /* a + scalar */
    NN_DROPOUT,       /* nn_dropout; scalar: the probability */
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

/* y = op(x); for scalar see nn_pointwise_op; most operations ignore it. */
NN_API nn_node *nn_unary_at(nn_site site, nn_model *net, nn_pointwise_op op, nn_node *x,
                            float scalar);
#define nn_unary(...) nn_unary_at(NN_HERE, __VA_ARGS__)
/* y = op(a, b) with NumPy's broadcasting: shapes are aligned at their last extents, and an extent
   of 1 is repeated. */
NN_API nn_node *nn_binary_at(nn_site site, nn_model *net, nn_pointwise_op op, nn_node *a,
                             nn_node *b);
#define nn_binary(...)  nn_binary_at(NN_HERE, __VA_ARGS__)

/* torch.nn.Dropout: in a trainer's steps each element is 0 with this probability, else x / (1 -
   probability). In other plans the result is x itself and costs nothing. */
NN_API nn_node *nn_dropout_at(nn_site site, nn_model *net, nn_node *x, float probability);
#define nn_dropout(...) nn_dropout_at(NN_HERE, __VA_ARGS__)

/* ---- immediate -------------------------------------------------------------------------------
   The result may be exactly the memory of an operand of its shape (in place), and must not overlap
   one in any other way. Not for NN_DROPOUT. */

NN_API nn_result nn_unary_forward_at(nn_site site, nn_tensor *y, nn_pointwise_op op,
                                     const nn_tensor *x, float scalar);
#define nn_unary_forward(...) nn_unary_forward_at(NN_HERE, __VA_ARGS__)
/* saved: y for RELU, SIGMOID, TANH, EXP and SQRT, else x. All tensors have one shape. */
NN_API nn_result nn_unary_backward_at(nn_site site, nn_tensor *dx, nn_pointwise_op op,
                                      const nn_tensor *dy, const nn_tensor *saved, float scalar,
                                      bool accumulate);
#define nn_unary_backward(...) nn_unary_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_binary_forward_at(nn_site site, nn_tensor *y, nn_pointwise_op op,
                                      const nn_tensor *a, const nn_tensor *b);
#define nn_binary_forward(...) nn_binary_forward_at(NN_HERE, __VA_ARGS__)
