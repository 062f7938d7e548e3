/* kernels/sort/args.h - sorts the elements of each line, or finds the first of them;
   on the CPU in nn_more.h. */
#pragma once

#include "device/types.h"

/* y = the smallest elements of each line of x (descending: the largest), in order, as many as y has
   along the axis; index = their indices. The order is stable, 0 and -0 are equal, and NaN is larger
   than every number, as in PyTorch. Elements are copied unchanged. */
typedef struct nn_sort_args {
    nn_view y;     /* x's shape with at most its extent along the axis, f32 */
    nn_view index; /* y's shape, i32; or absent */
    nn_view x;
    nn_view scratch;
    int32_t axis;
    bool descending;
} nn_sort_args;

/* Views and numbers: see kernels/list.h. */
#define NN_SORT_VIEWS(VIEW, ITEM)                                                                  \
    VIEW(OUT, y, 1) VIEW(OUT, index, 1) VIEW(IN, x, 1) VIEW(SCRATCH, scratch, 1)
#define NN_SORT_NUMBERS(INT, REAL, OTHER) INT(axis) INT(descending)
