/* kernels/gather/args.h - rows of a tensor by index. */
#pragma once

#include "device/types.h"

/* y[..., i, ...] = x[..., index[i], ...] along an axis of x: copies bytes of any dtype. An index
   outside of x gives zeros. With a status word it sets the word (NN_FAULT_INDEX) and gives elements
   with all bits set, which are NaN in every floating-point dtype. */
typedef struct nn_gather_args {
    nn_view y; /* x's dtype; x's shape with the extents of index in place of the axis. On the CPU a
                  view without a handle only checks the indices */
    nn_view x;
    nn_view index;  /* i32, any shape */
    nn_view status; /* or absent */
    int32_t axis;
    uint32_t step;  /* for the status word */
} nn_gather_args;

/* Views and numbers: see kernels/list.h. */
#define NN_GATHER_VIEWS(VIEW, ITEM)                                                                \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, index, 1) VIEW(CHANGED, status, 1)
#define NN_GATHER_NUMBERS(INT, REAL, OTHER) INT(axis) OTHER(step)
