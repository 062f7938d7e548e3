/* ops/gradient.h - gradients as nodes: of any value with respect to any value that it depends on.
   They are for adversarial examples, saliency maps, gradient penalties, physics-informed nets and
   Hessian-vector products. A trainer needs none of this: it finds the gradients of its loss
   itself. */
#pragma once

#include "ops/arrange.h"

#ifndef NN_NO_TRAINING
typedef struct nn_gradient_desc {
    /* default: 1, for a y of one number. f32, in the shape of y: the factor of each element of y,
       as torch.autograd.grad has it. It is differentiated like any other node */
    nn_node *grad_outputs;
    /* default: an x on which y does not depend is a fault. true: its gradient is zeros */
    bool allow_unused;
} nn_gradient_desc;

/* torch.autograd.grad(y, x, grad_outputs): describes the gradient of y with respect to x. x is an
   input, a parameter (even a frozen one) or the result of any operation, in f32, f16 or bf16. The
   gradient has the shape of x and is f32. If y has several elements, it is the sum of their
   gradients, each times its element of grad_outputs. desc may be NULL.

   The gradient is a node like any other, on x's device. Plans compute it, operations and losses
   read it, a trainer trains through it, and nn_gradient may differentiate it again, as with
   create_graph = true. It reads the values between x and y as they were computed: dropout has the
   same mask, and in a plan that does not train it passes the gradient on; a batch norm uses running
   statistics where the forward pass does. nn_detach stops the gradient.

   Faults: y depends on x only through operations without a gradient, or not at all; a NULL node or
   one of another model; y or x is no floating-point node; grad_outputs is missing or has a shape
   other than y's; a second gradient of an operation that has none (docs/gradients.md lists them),
   which names the operation. */
NN_API nn_node *nn_gradient_at(nn_site site, nn_model *net, nn_node *y, nn_node *x,
                               const nn_gradient_desc *desc);
#define nn_gradient(...) nn_gradient_at(NN_HERE, __VA_ARGS__)
/* Does the same for several nodes at once, and walks back through the net only once:
   nn_gradients(net, loss, NN_NODES(weight, bias), dx, NULL) sets dx[0] and dx[1]. dx has room for
   as many nodes as x; after a fault all are poisoned. Returns dx[0]. */
NN_API nn_node *nn_gradients_at(nn_site site, nn_model *net, nn_node *y, nn_nodes x, nn_node **dx,
                                const nn_gradient_desc *desc);
#define nn_gradients(...) nn_gradients_at(NN_HERE, __VA_ARGS__)
#endif
