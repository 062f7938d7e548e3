/* kernels/reduce/args.h - sums, means, extremes, products and similar reductions over axes. */
#pragma once

#include "device/types.h"
#include "kernels/reduce/choices.h"

/* y = reduction of x over the axes set in `axes` (bit i: axis i); y has x's rank, with 1 in those
   axes. */
typedef struct nn_reduce_args {
    nn_view y, x; /* y is i32 for NN_ARGMAX and NN_ARGMIN, else f32 */
    uint32_t axes;
    nn_reduction reduction; /* up to NN_MAX: kernel reduce; all others: kernel fold */
    float scale;            /* multiplies the result (after mean's division); normally 1 */
    bool accumulate;
    nn_view scratch;
    int32_t correction; /* NN_VAR, NN_STD: the divisor is max(0, count - correction) */
} nn_reduce_args;

/* dx = the gradient of NN_MAX, NN_MIN, NN_SUM_OF_SQUARES, NN_NORM, NN_LOGSUMEXP, NN_VAR or NN_STD
   over the last axes of x. y and dy have one number per row of x, in order. Equal extremes divide
   the gradient evenly. f32. */
typedef struct nn_reduce_backward_args {
    nn_view dx, dy, x;
    nn_view y; /* absent, or not read, for NN_SUM_OF_SQUARES and NN_VAR */
    nn_reduction reduction;
    bool accumulate;
    nn_view scratch;
    int32_t correction; /* as in nn_reduce_args */
} nn_reduce_backward_args;

/* Views and numbers: see kernels/list.h. */
#define NN_REDUCE_VIEWS(VIEW, ITEM) VIEW(SUM, y, 1) VIEW(IN, x, 1) VIEW(SCRATCH, scratch, 1)
#define NN_FOLD_VIEWS(VIEW, ITEM)   NN_REDUCE_VIEWS(VIEW, ITEM)
#define NN_REDUCE_BACKWARD_VIEWS(VIEW, ITEM)                                                       \
    VIEW(SUM, dx, 1) VIEW(IN, dy, 1) VIEW(IN, x, 1) VIEW(IN, y, 1) VIEW(SCRATCH, scratch, 1)
#define NN_REDUCE_NUMBERS(INT, REAL, OTHER)                                                        \
    INT(axes) INT(reduction) REAL(scale) INT(accumulate) INT(correction)
#define NN_FOLD_NUMBERS(INT, REAL, OTHER) NN_REDUCE_NUMBERS(INT, REAL, OTHER)
#define NN_REDUCE_BACKWARD_NUMBERS(INT, REAL, OTHER) INT(reduction) INT(accumulate) INT(correction)
