/* kernels/reduce/choices.h - the reductions that a user chooses from. */
#pragma once

typedef enum nn_reduction {
    NN_REDUCTION_DEFAULT, /* mean, as in PyTorch */
    NN_MEAN,
    NN_SUM,
    NN_MAX, /* this and the following ones: nn_reduce and nn_reduce_forward only. torch.amax */
    NN_MIN, /* torch.amin */
    NN_PROD,
    NN_ANY,    /* 1 if any number is not 0 (NaN counts as such), else 0. No gradient */
    NN_ALL,    /* 1 if no number is 0, else 0. No gradient */
    NN_ARGMAX, /* i32: the index of the largest number, counted along the axes (row-major if there
                  are several); the first of equal ones; NaN comes first. No gradient */
    NN_ARGMIN, /* the same for the smallest number */
    NN_SUM_OF_SQUARES,
    NN_NORM,      /* the square root of that: torch.linalg.vector_norm with its default of 2 */
    NN_LOGSUMEXP, /* log of the sum of exp(x), without overflow */
    NN_VAR,       /* divided by count - 1 (nn_var takes another correction): torch.var */
    NN_STD,       /* its square root: torch.std */
    NN_REDUCTION_NONE, /* losses only: the loss of each element or sample */
    NN_BATCH_MEAN      /* nn_kl_div only: the sum divided by the first extent */
} nn_reduction;
