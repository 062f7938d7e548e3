/* ops/recurrent.h - recurrent layers: lstm, gru and rnn. torch.nn.LSTM, GRU, RNN. */
#pragma once

#include "graph/model.h"
#include "kernels/choices.h"
#include "ops/state.h"

/* All layers take x (N, T, C), as torch.nn with batch_first=True, and return the state after every
   step: (N, T, H), or (N, T, 2 H) if bidirectional, with the forward direction first. N and T may
   be NN_BATCH and NN_TIME. Further outputs, with D = 2 if bidirectional, else 1:
     nn_output(y, 1)  h_n (layers * D, N, H): the state after the last step, of each layer and
                      direction: layer 0 forward, layer 0 reverse, layer 1 forward ...
     nn_output(y, 2)  of nn_lstm: c_n (layers * D, N, H), its cells
   With .proj_size, states are (.., proj_size) and cells (.., H).

   Parameters have PyTorch's names, shapes and order of gates (lstm i f g o; gru r z n, where r
   multiplies b_hn, too): "name.weight_ih_l0" (G H, C or D H), "name.weight_hh_l0" (G H, H),
   "name.bias_ih_l0" and "name.bias_hh_l0" (G H), "name.weight_hr_l0" (proj_size, H). Names of the
   reverse direction end in "_reverse", those of layer 1 have "_l1", and so on. G is 4, 3 or 1. All
   start uniform in [-1 / sqrt(H), 1 / sqrt(H)).

   .lengths replaces torch.nn.utils.rnn.pack_padded_sequence: sample n has the steps [0,
   lengths[n]). Later rows of y are 0; h_n and c_n are those after the sample's own last step, where
   the reverse direction begins. The later rows of x have no effect, even if they are NaN. A length
   of 0, which PyTorch refuses, keeps the initial state. A length outside [0, T] is a fault of the
   step (NN_ERROR_LABEL).

   .stateful: the layer continues where the last run ended. The plan keeps the h (and c) of each
   layer and sample as a state "name.state_l0" (N, H), of nn_lstm (N, H or proj_size, then H), 0 at
   first; see nn_state, nn_clear_states and nn_trainer_desc.carry_states. A sequence that runs in
   pieces of any lengths (NN_TIME) gives the same bytes as in one piece, in plans that only infer.
   It excludes .bidirectional, .h_0 and .c_0. */

typedef struct nn_lstm_desc {
    int input_size;     /* default: the last extent of x; if given, checked */
    int hidden_size;    /* must be given: H */
    int layers;         /* default: 1; at most 64. PyTorch's num_layers */
    bool no_bias;       /* default: false, there are both biases */
    float dropout;      /* default: 0. In training, on the outputs of each layer but the last */
    /* default: false. true: a second state runs from the last step to the first, and y has both */
    bool bidirectional;
    /* default: 0, no projection; else less than hidden_size: the state is weight_hr (o tanh(c)) */
    int proj_size;
    nn_node *lengths;   /* default: NULL, all samples have T steps; else (N) i32 */
    nn_node *h_0;       /* default: NULL, 0; else (layers * D, N, H or proj_size) */
    nn_node *c_0;       /* default: NULL, 0; else (layers * D, N, H) */
    bool shared; /* default: false, the name must be new. true: uses the parameters of the earlier
                    layer of this name, if there is one */
    bool stateful; /* default: false. true: the next run continues from this one's last step */
} nn_lstm_desc;

/* i, f, o = sigmoid, g = tanh of weight_ih x + bias_ih + weight_hh h + bias_hh;
   c = f c + i g; h = o tanh(c). Source: Hochreiter and Schmidhuber, 1997, with forget gates;
   projection: Sak et al., 2014. */
NN_API nn_node *nn_lstm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                           const nn_lstm_desc *desc);
#define nn_lstm(...) nn__lstm_here(NN_HERE, __VA_ARGS__)
/* Is the function that nn_lstm calls, so that only programs with a stateful layer contain
   states. */
static NN__HERE_INLINE nn_node *nn__lstm_here(nn_site site, nn_model *net, const char *name,
                                          nn_node *x, const nn_lstm_desc *desc) {
    if (desc && desc->stateful) nn_use_states(net);
    return nn_lstm_at(site, net, name, x, desc);
}

typedef struct nn_gru_desc {
    int input_size;     /* default: the last extent of x; if given, checked */
    int hidden_size;    /* must be given: H */
    int layers;         /* default: 1; at most 64. PyTorch's num_layers */
    bool no_bias;       /* default: false, there are both biases */
    float dropout;      /* default: 0, as nn_lstm_desc */
    bool bidirectional; /* default: false, as nn_lstm_desc */
    nn_node *lengths;   /* default: NULL, all samples have T steps; else (N) i32 */
    nn_node *h_0;       /* default: NULL, 0; else (layers * D, N, H) */
    bool shared;        /* default: false, as nn_lstm_desc */
    bool stateful; /* default: false. true: the next run continues from this one's last step */
} nn_gru_desc;

/* r, z = sigmoid of weight_ih x + bias_ih + weight_hh h + bias_hh; n = tanh(weight_in x + bias_in +
   r (weight_hn h + bias_hn)); h = (1 - z) n + z h. This is the gru of cuDNN and PyTorch; ONNX calls
   it linear_before_reset=1. Source: Cho et al., 2014. */
NN_API nn_node *nn_gru_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                          const nn_gru_desc *desc);
#define nn_gru(...) nn__gru_here(NN_HERE, __VA_ARGS__)
/* Is the function that nn_gru calls, so that only programs with a stateful layer contain
   states. */
static NN__HERE_INLINE nn_node *nn__gru_here(nn_site site, nn_model *net, const char *name,
                                          nn_node *x, const nn_gru_desc *desc) {
    if (desc && desc->stateful) nn_use_states(net);
    return nn_gru_at(site, net, name, x, desc);
}

typedef struct nn_rnn_desc {
    int input_size;             /* default: the last extent of x; if given, checked */
    int hidden_size;            /* must be given: H */
    int layers;                 /* default: 1; at most 64. PyTorch's num_layers */
    nn_activation nonlinearity; /* default: NN_ACTIVATION_TANH; or NN_ACTIVATION_RELU */
    bool no_bias;               /* default: false, there are both biases */
    float dropout;              /* default: 0, as nn_lstm_desc */
    bool bidirectional;         /* default: false, as nn_lstm_desc */
    nn_node *lengths;           /* default: NULL, all samples have T steps; else (N) i32 */
    nn_node *h_0;               /* default: NULL, 0; else (layers * D, N, H) */
    bool shared;                /* default: false, as nn_lstm_desc */
    bool stateful; /* default: false. true: the next run continues from this one's last step */
} nn_rnn_desc;

/* h = tanh(weight_ih x + bias_ih + weight_hh h + bias_hh), or relu of it. */
NN_API nn_node *nn_rnn_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                          const nn_rnn_desc *desc);
#define nn_rnn(...) nn__rnn_here(NN_HERE, __VA_ARGS__)
/* Is the function that nn_rnn calls, so that only programs with a stateful layer contain
   states. */
static NN__HERE_INLINE nn_node *nn__rnn_here(nn_site site, nn_model *net, const char *name,
                                          nn_node *x, const nn_rnn_desc *desc) {
    if (desc && desc->stateful) nn_use_states(net);
    return nn_rnn_at(site, net, name, x, desc);
}

/* ---- immediate: one layer in one direction, on tensors of the caller ------------------------- */

/* The operands of one layer, with G and the order of gates as above; all f32 except the lengths. P
   is H, or the proj_size of weight_hr. */
typedef struct nn_recurrent_tensors {
    const nn_tensor *weight_ih; /* (G H, C); must be given */
    const nn_tensor *weight_hh; /* (G H, P); must be given */
    const nn_tensor *bias_ih;   /* (G H); default: NULL, 0 */
    const nn_tensor *bias_hh;   /* (G H); default: NULL, 0 */
    const nn_tensor *weight_hr; /* (P, H), of an lstm; default: NULL, no projection */
    const nn_tensor *lengths;   /* (N) i32; default: NULL, all samples have T steps */
    const nn_tensor *h_0;       /* (1, N, P); default: NULL, 0 */
    const nn_tensor *c_0;       /* (1, N, H), of an lstm; default: NULL, 0 */
    nn_activation nonlinearity; /* of an rnn; default: NN_ACTIVATION_TANH, as nn_rnn_desc */
    bool reverse;               /* default: false. true: from the last step to the first */
} nn_recurrent_tensors;

/* The results of a forward call. */
typedef struct nn_recurrent_results {
    nn_tensor *y;   /* (N, T, P): the state after each step; must be given */
    nn_tensor *h_n; /* (1, N, P): the last state; default: NULL, not wanted */
    nn_tensor *c_n; /* (1, N, H), of an lstm: its last cells; default: NULL */
    /* (R, N, T, H): values for backward, in an internal order. R is 5 for an lstm, 6 with
       weight_hr, and 4 for a gru; an rnn needs none. default: NULL, no backward will follow */
    nn_tensor *reserve;
} nn_recurrent_results;

/* Runs x (N, T, C) through one layer in one direction. Call it once per layer, and for two
   directions twice, followed by nn_concat_forward. A length outside [0, T] is an error, and nothing
   is written. Scratch (nn_desc.scratch_bytes) holds the products of the inputs, N * T * G * H
   numbers. */
NN_API nn_result nn_lstm_forward_at(nn_site site, const nn_recurrent_results *to,
                                    const nn_tensor *x, const nn_recurrent_tensors *with);
#define nn_lstm_forward(...) nn_lstm_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_gru_forward_at(nn_site site, const nn_recurrent_results *to, const nn_tensor *x,
                                   const nn_recurrent_tensors *with);
#define nn_gru_forward(...) nn_gru_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_rnn_forward_at(nn_site site, const nn_recurrent_results *to, const nn_tensor *x,
                                   const nn_recurrent_tensors *with);
#define nn_rnn_forward(...) nn_rnn_forward_at(NN_HERE, __VA_ARGS__)

#ifndef NN_NO_TRAINING
/* The gradients, each with the shape of its operand; NULL ones are skipped. */
typedef struct nn_recurrent_gradients {
    nn_tensor *dx, *dweight_ih, *dweight_hh, *dbias_ih, *dbias_hh, *dweight_hr, *dh_0, *dc_0;
    bool accumulate; /* default: false, they are overwritten. true: they are added to */
} nn_recurrent_gradients;

/* The incoming gradients; give at least one. */
typedef struct nn_recurrent_slopes {
    const nn_tensor *dy;   /* (N, T, P); default: NULL, 0 */
    const nn_tensor *dh_n; /* (1, N, P); default: NULL, 0 */
    const nn_tensor *dc_n; /* (1, N, H), of an lstm; default: NULL, 0 */
} nn_recurrent_slopes;

/* `of` has the forward call's y and reserve; x and `with` are its operands. Rows of x after a
   sample's length must be finite, because dweight_ih adds 0 times them. */
NN_API nn_result nn_lstm_backward_at(nn_site site, const nn_recurrent_gradients *to,
                                     const nn_recurrent_slopes *from,
                                     const nn_recurrent_results *of, const nn_tensor *x,
                                     const nn_recurrent_tensors *with);
#define nn_lstm_backward(...) nn_lstm_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_gru_backward_at(nn_site site, const nn_recurrent_gradients *to,
                                    const nn_recurrent_slopes *from, const nn_recurrent_results *of,
                                    const nn_tensor *x, const nn_recurrent_tensors *with);
#define nn_gru_backward(...) nn_gru_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_rnn_backward_at(nn_site site, const nn_recurrent_gradients *to,
                                    const nn_recurrent_slopes *from, const nn_recurrent_results *of,
                                    const nn_tensor *x, const nn_recurrent_tensors *with);
#define nn_rnn_backward(...) nn_rnn_backward_at(NN_HERE, __VA_ARGS__)
#endif
