/* kernels/strided_copy/args.h - elements from one place to another, with strides on both sides:
   what permute, slice, concat, split, stack, pad, flip, roll and repeat are, and their
   gradients. */
#pragma once

#include "base/result.h"
#include "device/types.h"

#define NN_COPY_AXES 6

/* For every index (i0, ..., i5) inside `extent`: y[y_first + sum of i * y_stride] = x[x_first + sum
   of i * x_stride]. Strides and first places count elements of the views' storage. A stride of x
   may be 0 or negative; those of y may be negative, and give each index a place of its own. */
typedef struct nn_copy_piece {
    nn_view x; /* dtype: that of y. Only its storage counts, not its shape */
    int32_t extent[NN_COPY_AXES]; /* unused axes: 1 */
    int64_t x_stride[NN_COPY_AXES], y_stride[NN_COPY_AXES];
    int64_t x_first, y_first;
} nn_copy_piece;

/* First y is filled (if asked), then the pieces are copied one after the other: a later one
   overwrites, or is added to, what an earlier one left in the same place. Elements that neither
   reaches stay as they are. dtypes of 1, 2, 4 and 8 bytes are moved as they are; accumulate wants
   f32. Nothing is written while the status word is set. */
typedef struct nn_strided_copy_args {
    nn_view y;
    const nn_copy_piece *pieces;
    int32_t count;
    bool fill;          /* y = value first */
    bool accumulate;    /* y += piece, instead of y = piece */
    uint64_t value;     /* of fill: the bits of one element, in the low bytes */
    nn_view status;     /* may be absent */
} nn_strided_copy_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. What no piece
   reaches stays. */
#define NN_STRIDED_COPY_VIEWS(VIEW, ITEM)                                                          \
    VIEW(CHANGED, y, 1) ITEM(IN, pieces, count, x, 1) VIEW(IN, status, 1)

/* What else it is told: kernels/list.h. */
#define NN_STRIDED_COPY_NUMBERS(INT, REAL, OTHER)                                                  \
    OTHER(pieces) OTHER(count) INT(fill) INT(accumulate) INT(value)
