/* kernels/matmul/args.h - the product of two matrices, with bias and activation. */
#pragma once

#include "device/types.h"
#include "kernels/epilogue.h"

/* y (m, n) = a (m, k) b (k, n), row-major; transpose_a: a is stored (k, m); transpose_b: b is
   stored (n, k). */
typedef struct nn_gemm_args {
    nn_view y, a, b;
    int32_t m, n, k;
    bool transpose_a, transpose_b;
    bool accumulate; /* y += instead of y = */
    nn_epilogue epilogue;
    nn_view scratch;
} nn_gemm_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_GEMM_VIEWS(VIEW, ITEM)                                                                  \
    VIEW(SUM, y, 1) VIEW(IN, a, 1) VIEW(IN, b, 1) VIEW(IN, epilogue.bias, 1)                       \
    VIEW(SCRATCH, scratch, 1)
