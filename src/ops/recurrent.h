/* ops/recurrent.h - recurrent layers: lstm, gru and rnn. torch.nn.LSTM, GRU, RNN. */
#pragma once

#include "graph/model.h"
#include "kernels/epilogue.h"

/* All of them take x (N, T, C), the batch first and the time second, as torch.nn with
   batch_first=True, and return the state behind every step, (N, T, H), or (N, T, 2 H) where
   bidirectional: forward first. N and T may be free (NN_BATCH, NN_TIME). Further outputs, with D =
   2 where bidirectional, else 1:
     nn_output(y, 1)  h_n (layers * D, N, H): the state behind the last step, of each layer and
                      direction: layer 0 forward, layer 0 reverse, layer 1 forward ...
     nn_output(y, 2)  of nn_lstm: c_n (layers * D, N, H), its cells
   With .proj_size, states are (.., proj_size) and cells (.., H).

   Parameters have PyTorch's names, shapes and order of gates (lstm i f g o; gru r z n, with the
   bias b_hn inside of the product with r): "name.weight_ih_l0" (G H, C or D H), "name.weight_hh_l0"
   (G H, H), "name.bias_ih_l0" and "name.bias_hh_l0" (G H), "name.weight_hr_l0" (proj_size, H); of
   the reverse direction with "_reverse" behind; of layer 1 "_l1" ... G is 4, 3 or 1. All start
   uniform in [-1 / sqrt(H), 1 / sqrt(H)).

   .lengths is what torch.nn.utils.rnn.pack_padded_sequence does: sample n has the steps [0,
   lengths[n]). Rows of y behind them are 0, h_n and c_n are those behind the sample's own last
   step, the reverse direction begins there, and what x holds behind them, even NaN, matters to
   nothing. A length of 0, which PyTorch refuses, leaves the first state; a length outside [0, T] is
   a fault of the step (NN_ERROR_LABEL). */

typedef struct nn_lstm_desc {
    int input_size;     /* default: the last extent of x; if given, checked */
    int hidden_size;    /* must be given: H */
    int layers;         /* default: 1; at most 64. PyTorch's num_layers */
    bool no_bias;       /* default: false, there are both biases */
    float dropout;      /* default: 0. In training, of the outputs of each layer but the last */
    bool bidirectional; /* default: false. true: a second state goes from the last step to the
                           first, and y has both */
    int proj_size;      /* default: 0, none; else less than hidden_size: the state is
                           weight_hr o tanh(c) */
    nn_node *lengths;   /* default: NULL, all samples have T steps; else (N) i32 */
    nn_node *h_0;       /* default: NULL, 0; else (layers * D, N, H or proj_size) */
    nn_node *c_0;       /* default: NULL, 0; else (layers * D, N, H) */
    bool shared;        /* default: false, the name must be new. true: the parameters of the layer
                           of this name described before, if there is one */
} nn_lstm_desc;

/* i, f, o = sigmoid, g = tanh of weight_ih x + bias_ih + weight_hh h + bias_hh;
   c = f c + i g; h = o tanh(c). Source: Hochreiter and Schmidhuber, 1997, with forget gates;
   projection: Sak et al., 2014. */
NN_API nn_node *nn_lstm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                           const nn_lstm_desc *desc);
#define nn_lstm(...) nn_lstm_at(NN_HERE, __VA_ARGS__)

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
} nn_gru_desc;

/* r, z = sigmoid of weight_ih x + bias_ih + weight_hh h + bias_hh;
   n = tanh(weight_in x + bias_in + r (weight_hn h + bias_hn)); h = (1 - z) n + z h. That is cuDNN's
   and PyTorch's gru; ONNX calls it linear_before_reset=1. Source: Cho et al., 2014. */
NN_API nn_node *nn_gru_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                          const nn_gru_desc *desc);
#define nn_gru(...) nn_gru_at(NN_HERE, __VA_ARGS__)

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
} nn_rnn_desc;

/* h = tanh(weight_ih x + bias_ih + weight_hh h + bias_hh), or relu of it. */
NN_API nn_node *nn_rnn_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                          const nn_rnn_desc *desc);
#define nn_rnn(...) nn_rnn_at(NN_HERE, __VA_ARGS__)

/* ---- immediate: one layer in one direction, on tensors of the caller ------------------------- */

/* What a layer is made of, G and the order of gates as above, all f32 but the lengths. P is H, or
   the proj_size of weight_hr. */
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

/* What a call writes. */
typedef struct nn_recurrent_results {
    nn_tensor *y;   /* (N, T, P): the state behind each step; must be given */
    nn_tensor *h_n; /* (1, N, P): the last state; default: NULL, nobody wants it */
    nn_tensor *c_n; /* (1, N, H), of an lstm: its last cells; default: NULL */
    /* (R, N, T, H): what backward reads again, in an order of its own. R is 5 for an lstm, 6 with
       weight_hr, 4 for a gru; an rnn has none. default: NULL, no backward will follow */
    nn_tensor *reserve;
} nn_recurrent_results;

/* x (N, T, C) through one layer in one direction. Several layers are calls behind each other; two
   directions are two calls, and nn_concat_forward. A length outside [0, T] is an error, and nothing
   was written. The products of the inputs, N T G H numbers, are in nn_desc.scratch_bytes. */
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
/* The gradients, each of the shape of what it belongs to; NULL ones are skipped. */
typedef struct nn_recurrent_gradients {
    nn_tensor *dx, *dweight_ih, *dweight_hh, *dbias_ih, *dbias_hh, *dweight_hr, *dh_0, *dc_0;
    bool accumulate; /* default: false, they are overwritten. true: added to */
} nn_recurrent_gradients;

/* What comes in: one of the three at least. */
typedef struct nn_recurrent_slopes {
    const nn_tensor *dy;   /* (N, T, P); default: NULL, 0 */
    const nn_tensor *dh_n; /* (1, N, P); default: NULL, 0 */
    const nn_tensor *dc_n; /* (1, N, H), of an lstm; default: NULL, 0 */
} nn_recurrent_slopes;

/* of: y and reserve as the forward call left them; x and `with` as it had them. What x holds behind
   a sample's length has to be finite for dweight_ih: 0 times it is added. */
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

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_lstm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                           const nn_lstm_desc &desc) {
    return nn_lstm_at(site, net, name, x, &desc);
}
inline nn_node *nn_gru_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                          const nn_gru_desc &desc) {
    return nn_gru_at(site, net, name, x, &desc);
}
inline nn_node *nn_rnn_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                          const nn_rnn_desc &desc) {
    return nn_rnn_at(site, net, name, x, &desc);
}
inline nn_result nn_lstm_forward_at(nn_site site, const nn_recurrent_results &to,
                                    const nn_tensor *x, const nn_recurrent_tensors &with) {
    return nn_lstm_forward_at(site, &to, x, &with);
}
inline nn_result nn_gru_forward_at(nn_site site, const nn_recurrent_results &to,
                                   const nn_tensor *x, const nn_recurrent_tensors &with) {
    return nn_gru_forward_at(site, &to, x, &with);
}
inline nn_result nn_rnn_forward_at(nn_site site, const nn_recurrent_results &to,
                                   const nn_tensor *x, const nn_recurrent_tensors &with) {
    return nn_rnn_forward_at(site, &to, x, &with);
}
#ifndef NN_NO_TRAINING
inline nn_result nn_lstm_backward_at(nn_site site, const nn_recurrent_gradients &to,
                                     const nn_recurrent_slopes &from,
                                     const nn_recurrent_results &of, const nn_tensor *x,
                                     const nn_recurrent_tensors &with) {
    return nn_lstm_backward_at(site, &to, &from, &of, x, &with);
}
inline nn_result nn_gru_backward_at(nn_site site, const nn_recurrent_gradients &to,
                                    const nn_recurrent_slopes &from,
                                    const nn_recurrent_results &of, const nn_tensor *x,
                                    const nn_recurrent_tensors &with) {
    return nn_gru_backward_at(site, &to, &from, &of, x, &with);
}
inline nn_result nn_rnn_backward_at(nn_site site, const nn_recurrent_gradients &to,
                                    const nn_recurrent_slopes &from,
                                    const nn_recurrent_results &of, const nn_tensor *x,
                                    const nn_recurrent_tensors &with) {
    return nn_rnn_backward_at(site, &to, &from, &of, x, &with);
}
#endif
}
#endif
