/* kernels/cache/args.h - writes rows of keys or values at each sample's position;
   on the CPU in nn_sequence.h. */
#pragma once

#include "device/types.h"

/* y[n, h, positions[n] + i, :] = x[n, h, i, :], rounded to y's dtype; all other rows of y are
   unchanged. A position below 0, or rows beyond the end of y, set the status word (NN_FAULT_LABEL).
   If the word is set, nothing is written for any sample.

   other_y and other_x may be a second pair, of the shapes and dtypes of y and x. With heads_inside,
   x_row and other_row may be the numbers from one position of x or other_x to the next, if these
   are parts of longer rows. 0: the rows follow each other. Not every device has pairs and parts. */
typedef struct nn_cache_args {
    nn_view y;         /* (N, H, S, E); heads_inside: (N, S, H, E). f32, f16 or bf16 */
    nn_view x;         /* (N, H, L, E); heads_inside: (N, L, H, E). f32, or y's dtype */
    nn_view positions; /* (N) i32 */
    nn_view status;    /* or absent */
    nn_view other_y, other_x; /* or absent */
    int32_t x_row, other_row;
    bool heads_inside;
    uint32_t step; /* for the status word */
} nn_cache_args;

/* Views and numbers: see kernels/list.h. */
#define NN_CACHE_VIEWS(VIEW, ITEM)                                                                 \
    VIEW(CHANGED, y, 1) VIEW(IN, x, 1) VIEW(IN, positions, 1) VIEW(CHANGED, status, 1)     \
        VIEW(CHANGED, other_y, 1) VIEW(IN, other_x, 1)
#define NN_CACHE_NUMBERS(INT, REAL, OTHER) INT(heads_inside) INT(x_row) INT(other_row) OTHER(step)
