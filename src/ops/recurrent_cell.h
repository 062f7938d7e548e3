/* ops/recurrent_cell.h - one step of a recurrent layer: torch.nn.LSTMCell, GRUCell, RNNCell. */
#pragma once

#include "graph/model.h"
#include "kernels/epilogue.h"

/* From x (N, C) and the previous state they compute the next state, y (N, H). Use them in a loop of
   your own over the steps; nn_lstm, nn_gru and nn_rnn are faster where they can be used, with one
   kernel for all steps. Describe every further step under the same name with .shared = true. The
   formulas are those of nn_lstm, nn_gru and nn_rnn.

   Parameters have PyTorch's names and order of gates: "name.weight_ih" (G H, C), "name.weight_hh"
   (G H, H), "name.bias_ih" and "name.bias_hh" (G H), with G = 4, 3 and 1; all start uniform in
   [-1 / sqrt(H), 1 / sqrt(H)]. */

typedef struct nn_lstm_cell_desc {
    int input_size;  /* default: the last extent of x; if given, checked */
    int hidden_size; /* must be given: H */
    bool no_bias;    /* default: false, there are both biases */
    nn_node *h_0;    /* default: NULL, 0; else (N, H): y of the step before */
    nn_node *c_0;    /* default: NULL, 0; else (N, H): nn_output(y, 1) of the previous step */
    bool shared; /* default: false, the name must be new. true: uses the parameters of the earlier
                    cell of this name, if there is one */
} nn_lstm_cell_desc;
/* nn_output(y, 1): c (N, H), the cells after the step. */
NN_API nn_node *nn_lstm_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                const nn_lstm_cell_desc *desc);
#define nn_lstm_cell(...) nn_lstm_cell_at(NN_HERE, __VA_ARGS__)

typedef struct nn_gru_cell_desc {
    int input_size;  /* default: the last extent of x; if given, checked */
    int hidden_size; /* must be given: H */
    bool no_bias;    /* default: false, there are both biases */
    nn_node *h_0;    /* default: NULL, 0; else (N, H): y of the step before */
    bool shared;     /* default: false, as nn_lstm_cell_desc */
} nn_gru_cell_desc;
NN_API nn_node *nn_gru_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                               const nn_gru_cell_desc *desc);
#define nn_gru_cell(...) nn_gru_cell_at(NN_HERE, __VA_ARGS__)

typedef struct nn_rnn_cell_desc {
    int input_size;             /* default: the last extent of x; if given, checked */
    int hidden_size;            /* must be given: H */
    nn_activation nonlinearity; /* default: NN_ACTIVATION_TANH; or NN_ACTIVATION_RELU */
    bool no_bias;               /* default: false, there are both biases */
    nn_node *h_0;               /* default: NULL, 0; else (N, H): y of the step before */
    bool shared;                /* default: false, as nn_lstm_cell_desc */
} nn_rnn_cell_desc;
NN_API nn_node *nn_rnn_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                               const nn_rnn_cell_desc *desc);
#define nn_rnn_cell(...) nn_rnn_cell_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_lstm_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                const nn_lstm_cell_desc &desc) {
    return nn_lstm_cell_at(site, net, name, x, &desc);
}
inline nn_node *nn_gru_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                               const nn_gru_cell_desc &desc) {
    return nn_gru_cell_at(site, net, name, x, &desc);
}
inline nn_node *nn_rnn_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                               const nn_rnn_cell_desc &desc) {
    return nn_rnn_cell_at(site, net, name, x, &desc);
}
}
#endif
