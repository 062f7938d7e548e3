/* kernels/recurrent/args.h - the steps in time of an lstm, a gru or an rnn, and their gradients;
   on the CPU in nn_sequence.h. */
#pragma once

#include "device/types.h"

typedef enum nn_recurrent_cell {
    NN_RECURRENT_TANH,
    NN_RECURRENT_RELU,
    NN_RECURRENT_GRU,
    NN_RECURRENT_LSTM
} nn_recurrent_cell;

/* Rows of a weight per element of the state: gates i f g o of an lstm, r z n of a gru. */
#define NN_RECURRENT_GATES(cell)                                                                   \
    ((cell) == NN_RECURRENT_LSTM ? 4 : (cell) == NN_RECURRENT_GRU ? 3 : 1)
/* Numbers kept for backward, per element of the state: i f g o and the cell; or r z n and W_hn h +
   b_hn. An rnn keeps none: backward reads y. */
#define NN_RECURRENT_KEPT(cell)                                                                    \
    ((cell) == NN_RECURRENT_LSTM ? 5 : (cell) == NN_RECURRENT_GRU ? 4 : 0)

/* One layer in one direction. The products of the inputs are given in x; each step adds weight h +
   bias, with the formulas of torch.nn.LSTM, GRU and RNN. With lengths, sample n has the steps [0,
   lengths[n]); later rows of y, kept and raw are 0. A length outside [0, T] counts as 0 and sets
   the status word. G, K: NN_RECURRENT_GATES, NN_RECURRENT_KEPT. All f32. */
typedef struct nn_recurrent_args {
    nn_view y;          /* (N, T, P): h after each step */
    nn_view state;      /* (N, P), of an lstm (N, P + H): h and c after the last step */
    nn_view kept;       /* (N, T, K H); absent: no backward will follow */
    nn_view raw;        /* (N, T, H): h before the projection; absent: not wanted */
    nn_view x;          /* (N, T, G H): weight_ih x + bias_ih */
    nn_view weight;     /* (G H, P) */
    nn_view bias;       /* (G H); absent: 0 */
    nn_view projection; /* (P, H), lstm only; absent: P is H */
    nn_view lengths;    /* (N) i32; absent: all have T steps */
    /* (N, P), (N, H); absent: 0. Without a c0, the h0 of an lstm may be like `state`: (N, P + H) */
    nn_view h0, c0;
    nn_view scratch, status;
    nn_recurrent_cell cell;
    bool reverse;  /* from the last step of each sample to its first */
    uint32_t step; /* for the status word */
} nn_recurrent_args;

/* The gradients. Those of weight and projection are products over all rows: dhidden with before,
   and dprojected with raw. Rows after a sample's length are 0 in all. */
typedef struct nn_recurrent_backward_args {
    nn_view dhidden;    /* (N, T, G H): gradient of weight h + bias; for lstm and rnn also of x */
    nn_view dx;         /* gru only: (N, T, G H); may be absent */
    nn_view before;     /* (N, T, P): h before each step; may be absent */
    /* (N, T, P): gradient of each h, including later steps; only with a projection */
    nn_view dprojected;
    nn_view dstate0;    /* shaped like state: gradients of h0 and c0; may be absent */
    nn_view dy, dstate; /* one of them may be absent */
    nn_view kept, y, weight, projection, lengths, h0, c0; /* as in nn_recurrent_args; kept absent:
                                                             rnn */
    nn_view scratch;
    nn_recurrent_cell cell;
    bool reverse;
} nn_recurrent_backward_args;

/* Views and numbers: see kernels/list.h. */
#define NN_RECURRENT_FORWARD_VIEWS(VIEW, ITEM)                                                     \
    VIEW(OUT, y, 1)                                                                                \
    VIEW(OUT, state, 1)                                                                            \
    VIEW(OUT, kept, 1) VIEW(OUT, raw, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, bias, 1)      \
        VIEW(IN, projection, 1) VIEW(IN, lengths, 1) VIEW(IN, h0, 1) VIEW(IN, c0, 1)               \
            VIEW(SCRATCH, scratch, 1) VIEW(CHANGED, status, 1)
#define NN_RECURRENT_BACKWARD_VIEWS(VIEW, ITEM)                                                    \
    VIEW(OUT, dhidden, 1)                                                                          \
    VIEW(OUT, dx, 1)                                                                               \
    VIEW(OUT, before, 1) VIEW(OUT, dprojected, 1) VIEW(OUT, dstate0, 1) VIEW(IN, dy, 1)            \
        VIEW(IN, dstate, 1) VIEW(IN, kept, 1) VIEW(IN, y, 1) VIEW(IN, weight, 1)                   \
            VIEW(IN, projection, 1) VIEW(IN, lengths, 1) VIEW(IN, h0, 1) VIEW(IN, c0, 1)           \
                VIEW(SCRATCH, scratch, 1)
#define NN_RECURRENT_FORWARD_NUMBERS(INT, REAL, OTHER) INT(cell) INT(reverse) OTHER(step)
#define NN_RECURRENT_BACKWARD_NUMBERS(INT, REAL, OTHER) INT(cell) INT(reverse)
