/* ops/recurrent_private.h - the checks that the builders (ops/recurrent.c) and immediate calls
   (ops/recurrent_call.c) share, and the node of one layer in one direction
   (ops/recurrent_step.c). */
#pragma once

#include "ops/private.h"
#include "ops/recurrent.h"

#define NN__OP_RECURRENT_LAYERS 64

/* The contents of any of the three descs, with every default filled in. */
typedef struct nn__op_recurrent_layers {
    nn_recurrent_cell cell;
    int input_size, hidden, layers, directions, proj;
    float dropout;
    bool missing, no_bias, shared;
    bool stateful; /* keeps its state from run to run */
    /* a cell: its parameters are called "weight_ih", without the number of a layer */
    bool one_step;
    nn_activation nonlinearity;
    bool given[3]; /* whether lengths, h_0 and c_0 are given */
    nn_node *lengths, *h0, *c0; /* builders only */
} nn__op_recurrent_layers;
NN_PRIVATE nn__op_recurrent_layers nn__op_recurrent_defaults(nn_recurrent_cell cell);
/* Infers shapes, for builders and calls. inputs: x, then those that are given. */
NN_PRIVATE bool nn__op_recurrent_infer(nn__inference *inference);

/* Adds layer and direction number `at`, counted over all layers. x is (N, T, C). */
NN_PRIVATE nn_node *nn__op_recurrent_one(nn_site site, nn_model *net, const char *operation,
                                         const char *name, nn_node *x,
                                         const nn__op_recurrent_layers *params, int at);

/* Inputs: the projected inputs x W^T, the recurrent weight, then bias, projection, lengths, h0
   and c0, each if present. Without a c0, the h0 of an lstm may have the cells after the states.
   Outputs: y; the last state, for an lstm followed by its cell state; for lstm and gru what
   backward reads; with a projection, the states before it. */
typedef struct nn__op_recurrent {
    nn_recurrent_cell cell;
    bool reverse, bias, projection, lengths, h0, c0;
} nn__op_recurrent;

/* inputs: x, weight, bias, projection, lengths, h0, c0; NULL where absent. */
NN_PRIVATE nn_node *nn__add_recurrent(nn_model *net, nn_site site, const char *operation,
                                      const char *name, nn_recurrent_cell cell, bool reverse,
                                      nn_node *const inputs[7]);
#ifndef NN_NO_SPEEDUPS
NN_PRIVATE const nn__fusion *nn__op_whole_fusion(void);
NN_PRIVATE const nn__whole_layers *nn__op_whole_layers(void);
#endif
