/* onnx/recurrent.h - what the mappings of recurrent layers share. */
#pragma once

#include "onnx/parts.h"

typedef enum nn__onnx_cell { NN__ONNX_LSTM, NN__ONNX_GRU, NN__ONNX_RNN } nn__onnx_cell;

typedef struct nn__onnx_recurrent {
    nn__onnx_cell cell;
    int gates; /* 4, 3 or 1 */
    int directions, hidden;
    bool reverse, batch_first; /* direction is "reverse"; layout is 1 */
    bool relu;                 /* an RNN whose function is Relu */
    int32_t steps, batch;
    nn_node *x;                       /* (N, T, C) */
    nn_node *lengths, *h, *c;         /* (N), (D, N, H), (D, N, H); NULL: none */
    const nn__onnx_tensor *w, *r, *b; /* known (D, G H, C), (D, G H, H), (D, 2 G H) or NULL */
    nn_node *y, *h_n, *c_n;           /* results: (N, T, D H), (D, N, H), (D, N, H) */
} nn__onnx_recurrent;

/* Describes a layer of nn.h. */
NN__ONNX_PRIVATE void nn__onnx_recurrent_layer(nn__onnx_node *n, nn__onnx_recurrent *r);
/* Writes the steps out, one after the other, for layers with peepholes, other functions or a reset
   gate before the product. */
NN__ONNX_PRIVATE void nn__onnx_unroll(nn__onnx_node *n, nn__onnx_recurrent *r);
/* Reads what all recurrent operators have: direction, layout, states. False: refused. */
NN__ONNX_PRIVATE bool nn__onnx_read_recurrent(nn__onnx_node *n, nn__onnx_recurrent *r);
/* Gives the results in ONNX's order of axes. */
NN__ONNX_PRIVATE void nn__onnx_give_recurrent(nn__onnx_node *n, const nn__onnx_recurrent *r);
