/* kernels/recurrent_whole/args.h - an lstm, a gru or an rnn together with the product of its inputs
   and the linear layer after it, sample by sample. For plans that only infer;
   on the CPU in nn_sequence.h. */
#pragma once

#include "device/types.h"
#include "kernels/conv2d/args.h"
#include "kernels/recurrent/args.h"

#define NN_RECURRENT_WHOLE_WIDE  128 /* the most H and C */
#define NN_RECURRENT_WHOLE_HEADS 8   /* the most O */

/* The formulas of torch.nn.LSTM, GRU and RNN, each with one product for the inputs and one for the
   states. G: NN_RECURRENT_GATES. Biases, head and initial states may be absent. All f32. */
typedef struct nn_recurrent_whole_args {
    nn_view y;          /* (N, T, O): head h + head_bias after each step; or h, (N, T, H) */
    nn_view state;      /* (N, H), of an lstm (N, 2 H): h and c after the last step, if wanted */
    nn_view x;          /* (N, T, C) */
    nn_view input;      /* (G H, C) */
    nn_view input_bias; /* (G H) */
    nn_view weight;     /* (G H, H) */
    nn_view bias;       /* (G H) */
    nn_view head;       /* (O, H) */
    nn_view head_bias;  /* (O) */
    /* (N, H); absent: 0. Without a c0, the h0 of an lstm may be like `state`: (N, 2 H) */
    nn_view h0, c0;
    nn_view scratch;
    nn_recurrent_cell cell;
    bool reverse;    /* from the last step to the first */
    nn_keeping keep; /* for all weights and biases */
    float *kept;     /* of the size that the device asks for; NULL before there is memory */
} nn_recurrent_whole_args;

/* Views and numbers: see kernels/list.h. */
#define NN_RECURRENT_WHOLE_VIEWS(VIEW, ITEM)                                                       \
    VIEW(OUT, y, 1) VIEW(OUT, state, 1) VIEW(IN, x, 1) VIEW(IN, input, 1) VIEW(IN, input_bias, 1)  \
    VIEW(IN, weight, 1) VIEW(IN, bias, 1) VIEW(IN, head, 1) VIEW(IN, head_bias, 1)                 \
    VIEW(IN, h0, 1) VIEW(IN, c0, 1) VIEW(SCRATCH, scratch, 1)
#define NN_RECURRENT_WHOLE_NUMBERS(INT, REAL, OTHER)                                               \
    INT(cell) INT(reverse) OTHER(keep) OTHER(kept)
