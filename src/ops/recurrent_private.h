/* ops/recurrent_private.h - what the builders of ops/recurrent.c and the immediate calls of
   ops/recurrent_call.c check, and the node of one layer in one direction (ops/recurrent_step.c), of
   which the builders make the layers. */
#pragma once

#include "ops/private.h"
#include "ops/recurrent.h"

#define NN__OP_RECURRENT_LAYERS 64

/* What the three descs say, with every default filled in. */
typedef struct nn__op_recurrent_layers {
    nn_recurrent_cell cell;
    int input_size, hidden, layers, directions, proj;
    float dropout;
    bool missing, no_bias, shared;
    bool one_step; /* a cell: parameters are called "weight_ih", without a layer's number */
    nn_activation nonlinearity;
    bool given[3]; /* is there a lengths, an h_0, a c_0? */
    nn_node *lengths, *h0, *c0; /* of builders */
} nn__op_recurrent_layers;
NN_PRIVATE nn__op_recurrent_layers nn__op_recurrent_defaults(nn_recurrent_cell cell);
/* The check of both. inputs: x, and behind it what is given. */
NN_PRIVATE bool nn__op_recurrent_infer(nn__inference *inference);

/* One layer in one direction: node `at` of all. x (N, T, C). */
NN_PRIVATE nn_node *nn__op_recurrent_one(nn_site site, nn_model *net, const char *operation,
                                         const char *name, nn_node *x,
                                         const nn__op_recurrent_layers *params, int at);

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
