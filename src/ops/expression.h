/* ops/expression.h - element-wise operations of your own, written as text: activations, losses and
   the like. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

/* Computes the expression for every element, with NumPy's broadcasting and with its gradient, on
   every device.

     nn_expression(net, "max(-a * r, -a * clamp(r, 0.8, 1.2))", r, a)
         the names are those of the C variables r and a
     nn_expression(net, "x, t: (x - t)^2", nn_relu(net, h), target)
         or those of a list before a colon, in its order

   In order of precedence: ^ (power), unary - + !, * /, + -, < <= > >=, == !=, &&, ||, c ? a : b.
   Comparisons give 1 or 0; min and max take two values or more. Functions: every operation of
   ops/table.h, with its numbers after its inputs (elu(x, 1)), exp, log, sqrt, tanh, sigmoid,
   softplus, abs, fma and so on. Constants: pi, inf, nan. random() is uniform in [0, 1); each
   occurrence gives a new number for each element and step. An expression has at most 8 inputs (7
   with a gradient) and 96 instructions. In c ? a : b the side that is not chosen has no effect,
   even if its value or gradient is NaN. A mistake is a fault that points to the column. */
NN_API nn_node *nn_expression_at(nn_site site, const char *spelled, nn_model *net, const char *text,
                                 ...);
#define nn_expression(...) nn_expression_at(NN_HERE, #__VA_ARGS__, __VA_ARGS__, (nn_node *)0)

/* The same with lists of inputs, and with named numbers, such as a threshold that the program
   computes. Expressions that differ only in their numbers share one kernel. */
typedef struct nn_expression_desc {
    const char *name;      /* default: "expression" */
    const char *text;      /* must be given; has a list of names, or input_names is given */
    nn_nodes inputs;       /* one for each name of the text: NN_NODES(y, t) */
    nn_texts input_names;  /* default: the names before the colon */
    nn_texts number_names; /* default: none. At most 16 */
    nn_numbers numbers;    /* their values, in the same order: NN_NUMBERS(0.2f) */
} nn_expression_desc;
NN_API nn_node *nn_make_expression_at(nn_site site, nn_model *net, const nn_expression_desc *desc);
#define nn_make_expression(...) nn_make_expression_at(NN_HERE, __VA_ARGS__)

/* Immediate: y = the expression of tensors; arguments (y, text, x ...), with names as in
   nn_expression. */
NN_API nn_result nn_expression_forward_at(nn_site site, const char *spelled, nn_tensor *y,
                                          const char *text, ...);
#define nn_expression_forward(...)                                                                 \
    nn_expression_forward_at(NN_HERE, #__VA_ARGS__, __VA_ARGS__, (nn_tensor *)0)
#ifndef NN_NO_TRAINING
/* dx (dy's shape) = the derivative with respect to the input named `by`, times dy; arguments (dx,
   "x", dy, text, x ...). */
NN_API nn_result nn_expression_backward_at(nn_site site, const char *spelled, nn_tensor *dx,
                                           const char *by, const nn_tensor *dy, const char *text,
                                           ...);
#define nn_expression_backward(...)                                                                \
    nn_expression_backward_at(NN_HERE, #__VA_ARGS__, __VA_ARGS__, (nn_tensor *)0)
#endif
