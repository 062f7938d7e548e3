/* kernels/stream/args.h - convolutions and pools of a signal that comes in blocks: causal, with the
   last inputs of the block before in a state. */
#pragma once

#include "device/types.h"
#include "kernels/epilogue.h"

typedef enum nn_stream_way {
    NN_STREAM_CONV,
    NN_STREAM_MAX,
    NN_STREAM_AVERAGE,       /* divides by the kernel; inputs before the beginning count as 0 */
    NN_STREAM_AVERAGE_INSIDE /* divides by the number of inputs since the beginning */
} nn_stream_way;

/* Output j of a block reads the inputs at the times
   t = j stride + stride - 1 - (R - 1 - r) dilation for r = 0 ... R - 1: the last of them is the
   newest input of the stride. Times below 0 are in the state of
   M = (R - 1) dilation - (stride - 1) >= 0 inputs, see NN_STREAM_STATE. stride divides L, and
   Y = L / stride. Each output is one sum in the order of channels and r, so its bytes do not depend
   on the length of the block. A maximum of NaN is NaN, and inputs before the beginning do not
   count.

     conv:  y[n, k, j] = bias[k] + sum over c of its group, r: weight[k, c, r] x[n, c, t]

   In a state, sample n has NN_STREAM_STATE(C, M) numbers: the place in the ring where the next
   input goes, the number of inputs since the beginning (at most M), and for each channel a ring of
   M inputs. Zeros are a valid state: no input yet. All f32. */
#define NN_STREAM_STATE(channels, memory) (2 + (channels) * (memory))

typedef struct nn_stream_args {
    nn_view y;      /* (N, K, Y); of a pool, K is C */
    nn_view x;      /* (N, C, L) */
    nn_view weight; /* (K, C / groups, R); absent: a pool */
    nn_view state;  /* (N, NN_STREAM_STATE(C, M)); absent: M is 0 */
    nn_epilogue epilogue;
    nn_view scratch;
    int32_t kernel, stride, dilation, groups; /* kernel: R */
    nn_stream_way way;
} nn_stream_args;

/* Adds the block x to the state. Nothing is written while the status word is set. */
typedef struct nn_stream_push_args {
    nn_view state;  /* (N, NN_STREAM_STATE(C, M)) */
    nn_view x;      /* (N, C, L) */
    nn_view status; /* may be absent */
} nn_stream_push_args;

/* Gradients. dweight: the part of a convolution's weight gradient that reads the state; the part
   that reads x is an ordinary convolution's. dx: of a pool; the first of equal maxima gets dy. */
typedef struct nn_stream_backward_args {
    nn_view dx;      /* (N, C, L); absent: dweight is wanted */
    nn_view dweight; /* (K, C / groups, R) */
    nn_view dy;      /* (N, K, Y) */
    nn_view x;       /* (N, C, L) */
    nn_view state;   /* as in nn_stream_args; may be absent for a pool */
    int32_t kernel, stride, dilation, groups;
    nn_stream_way way;
} nn_stream_backward_args;

/* Views and numbers: see kernels/list.h. */
#define NN_STREAM_FORWARD_VIEWS(VIEW, ITEM)                                                        \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, state, 1)                          \
    VIEW(IN, epilogue.bias, 1) VIEW(SCRATCH, scratch, 1)
#define NN_STREAM_PUSH_VIEWS(VIEW, ITEM)                                                           \
    VIEW(CHANGED, state, 1) VIEW(IN, x, 1) VIEW(IN, status, 1)
#define NN_STREAM_BACKWARD_VIEWS(VIEW, ITEM)                                                       \
    VIEW(OUT, dx, 1) VIEW(OUT, dweight, 1) VIEW(IN, dy, 1) VIEW(IN, x, 1) VIEW(IN, state, 1)
#define NN_STREAM_FORWARD_NUMBERS(INT, REAL, OTHER)                                                \
    INT(epilogue.activation) INT(kernel) INT(stride) INT(dilation) INT(groups) INT(way)
#define NN_STREAM_PUSH_NUMBERS(INT, REAL, OTHER)
#define NN_STREAM_BACKWARD_NUMBERS(INT, REAL, OTHER)                                               \
    INT(kernel) INT(stride) INT(dilation) INT(groups) INT(way)
