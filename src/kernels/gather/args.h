/* kernels/gather/args.h - rows of a tensor by their numbers. */
#pragma once

#include "device/types.h"

/* y[i] = x[index[i]]: whole rows of bytes, whatever the dtype. An index outside of x gives
   zeros. */
typedef struct nn_gather_args {
    nn_view y;     /* (N, ...) */
    nn_view x;     /* (count, ...), dtype of y */
    nn_view index; /* (N) i32 */
} nn_gather_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_GATHER_VIEWS(VIEW, ITEM) VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, index, 1)
