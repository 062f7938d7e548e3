/* ops/recurrent_private.h - the node of one layer in one direction (ops/recurrent_step.c), of which
   ops/recurrent.c builds the layers. */
#pragma once

#include "ops/private.h"
#include "ops/recurrent.h"

/* Inputs: the products of the inputs, the weight, then what there is, in this order. Outputs: y,
   the last state (of an lstm with its cells behind it), then, but for an rnn, what backward reads,
   then with a projection the states before it. */
typedef struct nn__op_recurrent {
    nn_recurrent_cell cell;
    bool reverse, bias, projection, lengths, h0, c0;
} nn__op_recurrent;

/* inputs: x, weight, bias, projection, lengths, h0, c0; those that are not there NULL. */
NN_PRIVATE nn_node *nn__add_recurrent(nn_model *net, nn_site site, const char *operation,
                                      const char *name, nn_recurrent_cell cell, bool reverse,
                                      nn_node *const inputs[7]);
