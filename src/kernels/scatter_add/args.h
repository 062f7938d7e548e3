/* kernels/scatter_add/args.h - adds slices of a tensor at given indices along an axis, in a fixed
   order: the gradient of gather. */
#pragma once

#include "device/types.h"

/* y[..., r, ...] = the sum of x[..., i, ...] over all i with index[i] == r, added in the order of
   i, so the bytes do not depend on threads, units or device. An index outside of y, or equal to
   skip_index, adds nothing. f32. */
typedef struct nn_scatter_add_args {
    nn_view y;
    nn_view x;     /* y's shape with the extents of index in place of the axis */
    nn_view index; /* i32, any shape */
    nn_view scratch;
    int32_t axis;    /* of y */
    bool accumulate; /* y += */
    bool skip;       /* skip_index is used */
    int32_t skip_index;
} nn_scatter_add_args;

/* Views and numbers: see kernels/list.h. */
#define NN_SCATTER_ADD_VIEWS(VIEW, ITEM)                                                           \
    VIEW(SUM, y, 1) VIEW(IN, x, 1) VIEW(IN, index, 1) VIEW(SCRATCH, scratch, 1)
#define NN_SCATTER_ADD_NUMBERS(INT, REAL, OTHER) INT(axis) INT(accumulate) INT(skip) INT(skip_index)
