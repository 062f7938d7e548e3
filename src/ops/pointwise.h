/* ops/pointwise.h - element by element: activations, arithmetic with broadcasting, dropout. */
#pragma once

#include "graph/model.h"
#include "kernels/pointwise/choices.h"

/* y = op(x); scalar: see nn_pointwise_op, ignored by most. The short names below are what one
   normally writes. */
NN_API nn_node *nn_unary_at(nn_site site, nn_model *net, nn_pointwise_op op, nn_node *x,
                            float scalar);
#define nn_unary(...) nn_unary_at(NN_HERE, __VA_ARGS__)
/* y = op(a, b) with NumPy's broadcasting: shapes are aligned at their last extents, an extent of 1
   stretches. */
NN_API nn_node *nn_binary_at(nn_site site, nn_model *net, nn_pointwise_op op, nn_node *a,
                             nn_node *b);
#define nn_binary(...)          nn_binary_at(NN_HERE, __VA_ARGS__)

/* Functions of their own, each linking only what it computes with: for firmware. */
NN_API nn_node *nn_relu_at(nn_site site, nn_model *net, nn_node *x);
NN_API nn_node *nn_sigmoid_at(nn_site site, nn_model *net, nn_node *x);
NN_API nn_node *nn_tanh_at(nn_site site, nn_model *net, nn_node *x);
NN_API nn_node *nn_gelu_at(nn_site site, nn_model *net, nn_node *x);
#define nn_relu(...)            nn_relu_at(NN_HERE, __VA_ARGS__)
#define nn_sigmoid(...)         nn_sigmoid_at(NN_HERE, __VA_ARGS__)
#define nn_tanh(...)            nn_tanh_at(NN_HERE, __VA_ARGS__)
#define nn_gelu(...)            nn_gelu_at(NN_HERE, __VA_ARGS__)

#define nn_exp(net, ...)        nn_unary_at(NN_HERE, net, NN_EXP, __VA_ARGS__, 0.0f)
#define nn_log(net, ...)        nn_unary_at(NN_HERE, net, NN_LOG, __VA_ARGS__, 0.0f)
#define nn_sqrt(net, ...)       nn_unary_at(NN_HERE, net, NN_SQRT, __VA_ARGS__, 0.0f)
#define nn_square(net, ...)     nn_unary_at(NN_HERE, net, NN_SQUARE, __VA_ARGS__, 0.0f)
#define nn_abs(net, ...)        nn_unary_at(NN_HERE, net, NN_ABS, __VA_ARGS__, 0.0f)
#define nn_negate(net, ...)     nn_unary_at(NN_HERE, net, NN_NEGATE, __VA_ARGS__, 0.0f)
#define nn_softplus(net, ...)   nn_unary_at(NN_HERE, net, NN_SOFTPLUS, __VA_ARGS__, 0.0f)
#define nn_leaky_relu(net, ...)                                                                    \
    nn_unary_at(NN_HERE, net, NN_LEAKY_RELU, __VA_ARGS__)                   /* (net, x, slope) */
#define nn_scale(net, ...) nn_unary_at(NN_HERE, net, NN_SCALE, __VA_ARGS__) /* (net, x, factor) */
#define nn_offset(net, ...)                                                                        \
    nn_unary_at(NN_HERE, net, NN_OFFSET, __VA_ARGS__) /* (net, x, summand) */
/* (net, x, probability): zero with that probability, else x / (1 - probability); only in steps of a
   trainer. torch.nn.Dropout. */
#define nn_dropout(net, ...)  nn_unary_at(NN_HERE, net, NN_DROPOUT, __VA_ARGS__)
#define nn_add(net, ...)      nn_binary_at(NN_HERE, net, NN_ADD, __VA_ARGS__)
#define nn_subtract(net, ...) nn_binary_at(NN_HERE, net, NN_SUBTRACT, __VA_ARGS__)
#define nn_multiply(net, ...) nn_binary_at(NN_HERE, net, NN_MULTIPLY, __VA_ARGS__)
#define nn_divide(net, ...)   nn_binary_at(NN_HERE, net, NN_DIVIDE, __VA_ARGS__)
#define nn_maximum(net, ...)  nn_binary_at(NN_HERE, net, NN_MAXIMUM, __VA_ARGS__)
#define nn_minimum(net, ...)  nn_binary_at(NN_HERE, net, NN_MINIMUM, __VA_ARGS__)

/* ---- immediate. The result may be exactly the memory of an operand of its shape (in place), and
   must not overlap one in any other way. Not for NN_DROPOUT.
   --------------------------------------------------- */

NN_API nn_result nn_unary_forward_at(nn_site site, nn_tensor *y, nn_pointwise_op op,
                                     const nn_tensor *x, float scalar);
#define nn_unary_forward(...) nn_unary_forward_at(NN_HERE, __VA_ARGS__)
/* saved: y for RELU SIGMOID TANH EXP SQRT, else x. All of one shape. */
NN_API nn_result nn_unary_backward_at(nn_site site, nn_tensor *dx, nn_pointwise_op op,
                                      const nn_tensor *dy, const nn_tensor *saved, float scalar,
                                      bool accumulate);
#define nn_unary_backward(...) nn_unary_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_binary_forward_at(nn_site site, nn_tensor *y, nn_pointwise_op op,
                                      const nn_tensor *a, const nn_tensor *b);
#define nn_binary_forward(...) nn_binary_forward_at(NN_HERE, __VA_ARGS__)
