/* kernels/reduce/choices.h - the reductions that a user chooses from. */
#pragma once

typedef enum nn_reduction {
    NN_REDUCTION_DEFAULT, /* mean, as in PyTorch */
    NN_MEAN,
    NN_SUM,
    NN_MAX, /* this and what follows: nn_reduce and nn_reduce_forward only. torch.amax */
    NN_MIN, /* torch.amin */
    NN_PROD,
    NN_ANY,    /* 1 if a number is not 0 (a NaN is not), else 0. No gradient */
    NN_ALL,    /* 1 if no number is 0, else 0. No gradient */
    NN_ARGMAX, /* i32: which number is the largest, counted along the axes (row-major where there
                  are several); the first of equals, and NaN before all others. No gradient */
    NN_ARGMIN, /* the same of the smallest */
    NN_SUM_OF_SQUARES,
    NN_NORM,      /* the square root of that: torch.linalg.vector_norm with its default of 2 */
    NN_LOGSUMEXP, /* log of the sum of exp(x), without overflow */
    NN_VAR,       /* divided by the count less one (nn_var takes another correction): torch.var */
    NN_STD,       /* its square root: torch.std */
    NN_REDUCTION_NONE, /* losses only: the loss of each element or sample */
    NN_BATCH_MEAN      /* nn_kl_div only: the sum divided by the first extent */
} nn_reduction;
