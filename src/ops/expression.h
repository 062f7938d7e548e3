/* ops/expression.h - operations of your own as text: activations, losses, anything element by
   element. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

/* y = the expression for every element, broadcast as in NumPy; with its gradient, on every device.

     nn_expression(net, "max(-a * r, -a * clamp(r, 0.8, 1.2))", r, a)
         the C variables r and a give the names
     nn_expression(net, "x, t: (x - t)^2", nn_relu(net, h), target)
         or a header before a colon does, in its order

   In order of precedence: ^ (power), unary - + !, * /, + -, < <= > >=, == !=, &&, ||, c ? a : b.
   Comparisons give 1 or 0; min and max take two values or more. Functions: every operation of
   ops/table.h with its numbers behind its inputs (elu(x, 1)), exp, log, sqrt, tanh, sigmoid,
   softplus, abs, fma and the like; constants: pi, inf, nan; random() is uniform in [0, 1): each
   that is written gives another number for each element and step. At most 8 inputs (7 with a
   gradient) and 96 instructions. The side of c ? a : b that is not chosen does not matter, not even
   when it or its slope is NaN. A mistake is a fault that points at the column. */
NN_API nn_node *nn_expression_at(nn_site site, const char *spelled, nn_model *net, const char *text,
                                 ...);
#define nn_expression(...) nn_expression_at(NN_HERE, #__VA_ARGS__, __VA_ARGS__, (nn_node *)0)

/* The same for callers who have lists, and numbers with names, such as a threshold that the program
   computes: two expressions that differ in their numbers alone share one kernel. */
typedef struct nn_expression_desc {
    const char *name;             /* default: "expression" */
    const char *text;             /* must be given; with a header, or with input_names */
    nn_node *inputs[8];           /* as many as the text has names */
    const char *input_names[8];   /* default: those of the header */
    const char *number_names[16]; /* default: none */
    float numbers[16];            /* of these names, in their order */
} nn_expression_desc;
NN_API nn_node *nn_make_expression_at(nn_site site, nn_model *net, const nn_expression_desc *desc);
#define nn_make_expression(...) nn_make_expression_at(NN_HERE, __VA_ARGS__)

/* Immediate: y = text of tensors; (y, text, x ...), named like the inputs of nn_expression. */
NN_API nn_result nn_expression_forward_at(nn_site site, const char *spelled, nn_tensor *y,
                                          const char *text, ...);
#define nn_expression_forward(...)                                                                 \
    nn_expression_forward_at(NN_HERE, #__VA_ARGS__, __VA_ARGS__, (nn_tensor *)0)
#ifndef NN_NO_TRAINING
/* dx (dy's shape) = the derivative by the input called `by`, times dy: (dx, "x", dy, text, x
   ...). */
NN_API nn_result nn_expression_backward_at(nn_site site, const char *spelled, nn_tensor *dx,
                                           const char *by, const nn_tensor *dy, const char *text,
                                           ...);
#define nn_expression_backward(...)                                                                \
    nn_expression_backward_at(NN_HERE, #__VA_ARGS__, __VA_ARGS__, (nn_tensor *)0)
#endif

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_make_expression_at(nn_site site, nn_model *net, const nn_expression_desc &desc) {
    return nn_make_expression_at(site, net, &desc);
}
}
#endif
