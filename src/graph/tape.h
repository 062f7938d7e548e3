/* graph/tape.h - reverse mode over the list of nodes: the gradients of a loss as further nodes. */
#pragma once

#include "graph/build.h"

#ifndef NN_NO_TRAINING
struct nn__tape {
    nn__graph *graph; /* where gradient nodes go */
    nn_context *nn;
    bool failed; /* no memory, or an operation without a gradient (a fault says which) */
    nn__faults *faults;
    /* Makes the node a + b, for a value that is used twice. The caller that makes the tape sets it,
       because operations are defined in rooms below this one. */
    nn_node *(*add)(nn__tape *tape, nn_node *a, nn_node *b);
    /* What the rules of many operations use, set by that caller too: the rules call
       nn__op_program_gradient and nn__tape_sum_to, which come here. So a program that trains
       nothing, and names the rules all the same, does not contain derivatives and sums. */
    void (*program)(nn__tape *tape, nn_node *node, nn_node *dy);
    nn_node *(*sum_to)(nn__tape *tape, nn_node *dy, const nn_node *x);
};
/* Adds to tape->graph the gradients of loss (one number) with respect to everything wanted behind
   it. Afterwards parameter->gradient is the node of its gradient (NULL: the loss does not depend on
   it), until the next call. */
NN_PRIVATE bool nn__backward(nn__tape *tape, nn_node *loss, nn_node *seed);
/* Marks what nn__backward would find behind a parameter. */
NN_PRIVATE void nn__backward_mark(nn__graph *model);
/* For gradient rules: does anybody want the gradient of x? */
static inline NN__UNUSED bool nn__wants(const nn_node *x) { return x && x->wanted; }
/* The gradient of output k inside a gradient rule; NULL: nobody wants it. */
static inline NN__UNUSED nn_node *nn__gradient_of(nn_node *node, int k) {
    nn_node *output = nn__output(node, k);
    return output ? output->gradient : NULL;
}
/* Adds dx to the gradient of x (an add node when there is one already). */
NN_PRIVATE void nn__give_gradient(nn__tape *tape, nn_node *x, nn_node *dx);
/* A node of the tape, on the device of `like`, named like it with a suffix ("fc.weight" +
   ".grad"). */
NN_PRIVATE nn_node *nn__tape_node(nn__tape *tape, const nn__rule *rule, const nn_node *like,
                                  const char *suffix, nn_node *const *inputs, int count,
                                  nn_dtype dtype, nn_shape shape, const void *params,
                                  size_t params_bytes);
#endif
