/* kernels/reduce/args.h - what a reduction over axes is told. */
#pragma once

#include "device/types.h"

typedef enum nn_reduction {
    NN_REDUCTION_DEFAULT, /* mean, as in PyTorch */
    NN_MEAN,
    NN_SUM,
    NN_MAX, /* this and what follows: nn_reduce and nn_reduce_forward only. torch.amax */
    NN_MIN, /* torch.amin */
    NN_PROD,
    NN_ANY,    /* 1 if a number is not 0 (a NaN is not), else 0. No gradient */
    NN_ALL,    /* 1 if no number is 0, else 0. No gradient */
    NN_ARGMAX, /* i32: which number is the largest, counted along the axes (row-major where there are several); the
                  first of equals, and NaN before all others. No gradient */
    NN_ARGMIN, /* the same of the smallest */
    NN_SUM_OF_SQUARES,
    NN_NORM,      /* the square root of that: torch.linalg.vector_norm with its default of 2 */
    NN_LOGSUMEXP, /* log of the sum of exp(x), without overflow */
    NN_VAR,       /* divided by the count less one (nn_var takes another correction): torch.var */
    NN_STD        /* its square root: torch.std */
} nn_reduction;

/* y = reduction of x over the axes set in `axes` (bit i: axis i); y has x's rank, with 1 in those axes. */
typedef struct nn_reduce_args {
    nn_view y, x; /* y is i32 for NN_ARGMAX and NN_ARGMIN, else f32 */
    uint32_t axes;
    nn_reduction reduction; /* up to NN_MAX: kernel reduce; beyond: kernel fold */
    float scale;            /* multiplies the result (after mean's division); normally 1 */
    bool accumulate;
    nn_view scratch;
    int32_t correction; /* NN_VAR, NN_STD: the divisor is the count less this, at least 0 */
} nn_reduce_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_REDUCE_VIEWS(VIEW, ITEM) VIEW(SUM, y, 1) VIEW(IN, x, 1) VIEW(SCRATCH, scratch, 1)
#define NN_FOLD_VIEWS(VIEW, ITEM)   NN_REDUCE_VIEWS(VIEW, ITEM)
