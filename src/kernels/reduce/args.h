/* kernels/reduce/args.h - what a reduction over axes is told. */
#pragma once

#include "device/types.h"

typedef enum nn_reduction {
    NN_REDUCTION_DEFAULT, /* mean, as in PyTorch */
    NN_MEAN,
    NN_SUM,
    NN_MAX /* nn_reduce only: torch.amax */
} nn_reduction;

/* y = reduction of x over the axes set in `axes` (bit i: axis i); y has x's rank, with 1 in those axes. */
typedef struct nn_reduce_args {
    nn_view y, x;
    uint32_t axes;
    nn_reduction reduction;
    float scale; /* multiplies the result (after mean's division); normally 1 */
    bool accumulate;
    nn_view scratch;
} nn_reduce_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_REDUCE_VIEWS(VIEW, ITEM) VIEW(SUM, y, 1) VIEW(IN, x, 1) VIEW(SCRATCH, scratch, 1)
