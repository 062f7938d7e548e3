/* kernels/softmax/args.h - softmax and log_softmax along an axis, and their gradients. */
#pragma once

#include "device/types.h"

/* Over the last axis. forward: y = softmax(x) or log_softmax(x). backward: reads y (forward's
   result) and dy, writes dx to x. */
typedef struct nn_softmax_args {
    nn_view y, x, dy;
    bool logarithm;
} nn_softmax_args;

/* Views and numbers: see kernels/list.h. */
#define NN_SOFTMAX_FORWARD_VIEWS(VIEW, ITEM) VIEW(OUT, y, 1) VIEW(IN, x, 1)
#define NN_SOFTMAX_BACKWARD_VIEWS(VIEW, ITEM) VIEW(IN, y, 1) VIEW(OUT, x, 1) VIEW(IN, dy, 1)
#define NN_SOFTMAX_FORWARD_NUMBERS(INT, REAL, OTHER) INT(logarithm) OTHER(dy)
#define NN_SOFTMAX_BACKWARD_NUMBERS(INT, REAL, OTHER) NN_SOFTMAX_FORWARD_NUMBERS(INT, REAL, OTHER)
