/* kernels/strided_copy/args.h - copies elements with strides on both sides, for permute, slice,
   concat, split, stack, pad, flip, roll and repeat, and their gradients. */
#pragma once

#include "base/result.h"
#include "device/types.h"

#define NN_COPY_AXES 6

/* For every index (i0, ..., i5) inside `extent`: y[y_first + sum of i * y_stride] = x[x_first + sum
   of i * x_stride]. Strides and first places count elements of the views' storage. Strides of x may
   be 0 or negative. Strides of y may be negative, and each index must have a different place. */
typedef struct nn_copy_piece {
    nn_view x; /* y's dtype. Its shape is ignored */
    int32_t extent[NN_COPY_AXES]; /* unused axes: 1 */
    int64_t x_stride[NN_COPY_AXES], y_stride[NN_COPY_AXES];
    int64_t x_first, y_first;
} nn_copy_piece;

/* Fills y if `fill`, then copies the pieces in order: a later piece overwrites an earlier one, or
   is added to it. All other elements of y are unchanged. dtypes of 1, 2, 4 and 8 bytes are copied
   unchanged; accumulate needs f32. Nothing is written while the status word is set. */
typedef struct nn_strided_copy_args {
    nn_view y;
    const nn_copy_piece *pieces;
    int32_t count;
    bool fill;          /* y = value first */
    bool accumulate;    /* y += piece, instead of y = piece */
    uint64_t value;     /* for fill: the bits of one element, in the low bytes */
    nn_view status;     /* may be absent */
} nn_strided_copy_args;

/* Views and numbers: see kernels/list.h. */
#define NN_STRIDED_COPY_VIEWS(VIEW, ITEM)                                                          \
    VIEW(CHANGED, y, 1) ITEM(IN, pieces, count, x, 1) VIEW(IN, status, 1)
#define NN_STRIDED_COPY_NUMBERS(INT, REAL, OTHER)                                                  \
    OTHER(pieces) OTHER(count) INT(fill) INT(accumulate) INT(value)
