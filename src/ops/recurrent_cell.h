/* ops/recurrent_cell.h - one step of a recurrent layer: torch.nn.LSTMCell, GRUCell, RNNCell. */
#pragma once

#include "graph/model.h"
#include "kernels/choices.h"
#include "ops/state.h"

/* A cell computes the next state, y (N, H), from x (N, C) and the previous state. Use cells in a
   loop of your own over the steps; nn_lstm, nn_gru and nn_rnn are faster where they can be used,
   with one kernel for all steps. Describe every further step under the same name with .shared =
   true. The formulas are those of nn_lstm, nn_gru and nn_rnn.

   Parameters have PyTorch's names and order of gates: "name.weight_ih" (G H, C), "name.weight_hh"
   (G H, H), "name.bias_ih" and "name.bias_hh" (G H), with G = 4, 3 and 1; all start uniform in
   [-1 / sqrt(H), 1 / sqrt(H)].

   .stateful: each run is one step, and the next run continues from it: the plan keeps the states
   (nn_lstm in ops/recurrent.h says more) as "name.state". Not with .h_0 or .c_0. */

typedef struct nn_lstm_cell_desc {
    int input_size;  /* default: the last extent of x; if given, checked */
    int hidden_size; /* must be given: H */
    bool no_bias;    /* default: false, there are both biases */
    nn_node *h_0;    /* default: NULL, 0; else (N, H): y of the step before */
    nn_node *c_0;    /* default: NULL, 0; else (N, H): nn_output(y, 1) of the previous step */
    bool shared; /* default: false, the name must be new. true: uses the parameters of the earlier
                    cell of this name, if there is one */
    bool stateful; /* default: false. true: each run is the step after the last run's */
} nn_lstm_cell_desc;
/* nn_output(y, 1): c (N, H), the cells after the step. */
NN_API nn_node *nn_lstm_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                const nn_lstm_cell_desc *desc);
#define nn_lstm_cell(...) nn__lstm_cell_here(NN_HERE, __VA_ARGS__)
static NN__HERE_INLINE nn_node *nn__lstm_cell_here(nn_site site, nn_model *net, const char *name,
                                          nn_node *x, const nn_lstm_cell_desc *desc) {
    if (desc && desc->stateful) nn_use_states(net);
    return nn_lstm_cell_at(site, net, name, x, desc);
}

typedef struct nn_gru_cell_desc {
    int input_size;  /* default: the last extent of x; if given, checked */
    int hidden_size; /* must be given: H */
    bool no_bias;    /* default: false, there are both biases */
    nn_node *h_0;    /* default: NULL, 0; else (N, H): y of the step before */
    bool shared;     /* default: false, as nn_lstm_cell_desc */
    bool stateful; /* default: false. true: each run is the step after the last run's */
} nn_gru_cell_desc;
NN_API nn_node *nn_gru_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                               const nn_gru_cell_desc *desc);
#define nn_gru_cell(...) nn__gru_cell_here(NN_HERE, __VA_ARGS__)
static NN__HERE_INLINE nn_node *nn__gru_cell_here(nn_site site, nn_model *net, const char *name,
                                          nn_node *x, const nn_gru_cell_desc *desc) {
    if (desc && desc->stateful) nn_use_states(net);
    return nn_gru_cell_at(site, net, name, x, desc);
}

typedef struct nn_rnn_cell_desc {
    int input_size;             /* default: the last extent of x; if given, checked */
    int hidden_size;            /* must be given: H */
    nn_activation nonlinearity; /* default: NN_ACTIVATION_TANH; or NN_ACTIVATION_RELU */
    bool no_bias;               /* default: false, there are both biases */
    nn_node *h_0;               /* default: NULL, 0; else (N, H): y of the step before */
    bool shared;                /* default: false, as nn_lstm_cell_desc */
    bool stateful; /* default: false. true: each run is the step after the last run's */
} nn_rnn_cell_desc;
NN_API nn_node *nn_rnn_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                               const nn_rnn_cell_desc *desc);
#define nn_rnn_cell(...) nn__rnn_cell_here(NN_HERE, __VA_ARGS__)
static NN__HERE_INLINE nn_node *nn__rnn_cell_here(nn_site site, nn_model *net, const char *name,
                                          nn_node *x, const nn_rnn_cell_desc *desc) {
    if (desc && desc->stateful) nn_use_states(net);
    return nn_rnn_cell_at(site, net, name, x, desc);
}
