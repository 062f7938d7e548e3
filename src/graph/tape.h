/* graph/tape.h - reverse-mode differentiation: adds the gradients of a loss as further nodes. */
#pragma once

#include "graph/build.h"

#ifndef NN_NO_TRAINING
struct nn__tape {
    nn__graph *graph; /* receives the gradient nodes */
    nn_context *nn;
    bool failed; /* out of memory, or an operation has no gradient (see the fault) */
    nn__faults *faults;
    /* Makes the node a + b, for values that are read twice. Set by the maker of the tape, because
       operations are in src/ops, which this room must not include. */
    nn_node *(*add)(nn__tape *tape, nn_node *a, nn_node *b);
    /* Helpers of many gradient rules, also set by the maker of the tape. The rules call them by
       nn__op_program_gradient and nn__tape_sum_to. So a program that does not train links
       neither derivatives nor sums, although it links the rules. */
    void (*program)(nn__tape *tape, nn_node *node, nn_node *dy);
    nn_node *(*sum_to)(nn__tape *tape, nn_node *dy, const nn_node *x);
    /* Differentiates a node that is itself a gradient: model->gradients. NULL: the model has no
       such nodes. */
    void (*again)(nn__tape *tape, nn_node *node, nn_node *dy);
    /* Returns the elements of dy (N, C, H, W) or (N, C, L) at the indices of a max pool:
       model->gradients, as above. */
    nn_node *(*unpool)(nn__tape *tape, nn_node *dy, nn_node *index, const nn_node *like);
    /* Each pointwise node gets gradient nodes of its own, with one output, because the gradients
       may be differentiated again. False: chains become one program. */
    bool singly;
};
/* Adds to tape->graph the gradients of the loss (one number). Afterwards, until the next call,
   parameter->gradient is the gradient's node; NULL: the loss does not depend on the parameter.
   seed: the gradient of the loss; NULL: 1. */
NN_PRIVATE bool nn__backward(nn__tape *tape, nn_node *loss, nn_node *seed);
/* Differentiates y, a node of the tape's own graph, by count nodes before it. seed: the gradient
   of y. Afterwards x[i]->gradient is the gradient's node; NULL: y does not depend on x[i]. Blocks
   of nn_recompute_begin are differentiated like other nodes. */
NN_PRIVATE bool nn__backward_by(nn__tape *tape, nn_node *y, nn_node *const *x, int count,
                                nn_node *seed);
/* Differentiates nodes that a gradient rule has just composed: all nodes of the tape's graph after
   `before`. g[i] is the gradient of results[i]; NULL: none. Gradients of nodes up to `before` are
   given to them. */
NN_PRIVATE void nn__backward_through(nn__tape *tape, nn_node *before, nn_node *const *results,
                                     nn_node *const *g, int count);
/* Is the gradient rule of nodes that are gradients: calls tape->again. */
NN_PRIVATE void nn__gradient_again(nn__tape *tape, nn_node *node, nn_node *dy);
/* Marks the nodes that depend on a trained parameter, as nn__backward does. */
NN_PRIVATE void nn__backward_mark(nn__graph *model);
/* True if the gradient of x is needed. For gradient rules. */
static inline NN__UNUSED bool nn__wants(const nn_node *x) { return x && x->wanted; }
/* Returns the gradient of output k inside a gradient rule. NULL: the loss does not depend on it. */
static inline NN__UNUSED nn_node *nn__gradient_of(nn_node *node, int k) {
    nn_node *output = nn__output(node, k);
    return output ? output->gradient : NULL;
}
/* Adds dx to the gradient of x. */
NN_PRIVATE void nn__give_gradient(nn__tape *tape, nn_node *x, nn_node *dx);
/* Adds a node to the tape, on the device of `like`, named after it with a suffix: "fc.weight" +
   ".grad". */
NN_PRIVATE nn_node *nn__tape_node(nn__tape *tape, const nn__rule *rule, const nn_node *like,
                                  const char *suffix, nn_node *const *inputs, int count,
                                  nn_dtype dtype, nn_shape shape, const void *params,
                                  size_t params_bytes);
#endif
