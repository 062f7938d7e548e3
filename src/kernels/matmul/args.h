/* kernels/matmul/args.h - the product of two matrices, with bias and activation. */
#pragma once

#include "device/types.h"
#include "kernels/epilogue.h"

#define NN_GEMM_BATCH 4 /* axes of a batch */

/* What a product does with its residual. */
typedef enum nn_residual_use {
    NN_RESIDUAL_ADDED,
    NN_RESIDUAL_GELU_SLOPE,
    NN_RESIDUAL_GELU_TANH_SLOPE
} nn_residual_use;

/* y (m, n) = a (m, k) b (k, n), row-major; transpose_a: a is stored (k, m); transpose_b: b is
   stored (n, k). a and b may each be f32, f16, bf16 or i8; sums and y are f32.

   With a batch there are batch[0] * ... * batch[3] such products (an extent of 0 counts as 1),
   whose results follow each other in y. Product (i0, i1, i2, i3) multiplies matrix i0 a_batch[0] +
   ... + i3 a_batch[3] of a by matrix i0 b_batch[0] + ... of b; a step of 0 uses one matrix for all
   products along that axis. There are at most INT32_MAX products. bias and activation apply to
   every product.

   residual has as many numbers as y and is other memory. It is added after bias and before
   activation; with rounds_sum, what it is added to is first rounded to bf16. residual_use says what
   else is done with it: then y, which has no activation, is multiplied by the derivative of nn_gelu
   or nn_gelu_tanh at the residual. Only OpenCL devices take a residual. */
typedef struct nn_gemm_args {
    nn_view y, a, b;
    int32_t m, n, k;
    bool transpose_a, transpose_b;
    bool accumulate; /* y += instead of y = */
    bool steady;     /* the bytes of a row of y do not depend on m: for plans that stream */
    nn_precision precision; /* DEFAULT: HIGHEST */
    nn_epilogue epilogue;
    nn_view scratch;
    int32_t batch[NN_GEMM_BATCH]; /* extents */
    int32_t a_batch[NN_GEMM_BATCH], b_batch[NN_GEMM_BATCH]; /* steps, in whole matrices */
#ifndef NN_NO_SPEEDUPS /* a training step in 64 KB has no room for them */
    nn_view residual; /* f32, or for a slope also f16 or bf16; not with accumulate; default: none */
    bool rounds_sum;
    nn_residual_use residual_use; /* default: NN_RESIDUAL_ADDED */
#endif
} nn_gemm_args;

/* Views and numbers: see kernels/list.h. */
#ifndef NN_NO_SPEEDUPS
#define NN__GEMM_RESIDUAL_VIEW(VIEW)    VIEW(IN, residual, 1)
#define NN__GEMM_RESIDUAL_NUMBER(OTHER) OTHER(rounds_sum) OTHER(residual_use)
#else
#define NN__GEMM_RESIDUAL_VIEW(VIEW)
#define NN__GEMM_RESIDUAL_NUMBER(OTHER)
#endif
#define NN_GEMM_VIEWS(VIEW, ITEM)                                                                  \
    VIEW(SUM, y, 1) VIEW(IN, a, 1) VIEW(IN, b, 1) VIEW(IN, epilogue.bias, 1)                       \
    VIEW(SCRATCH, scratch, 1) NN__GEMM_RESIDUAL_VIEW(VIEW)
#define NN_GEMM_NUMBERS(INT, REAL, OTHER)                                                          \
    OTHER(m) OTHER(n) OTHER(k) INT(transpose_a) INT(transpose_b) INT(accumulate)                   \
    INT(epilogue.activation) OTHER(steady) OTHER(precision) OTHER(batch) OTHER(a_batch)            \
    OTHER(b_batch) NN__GEMM_RESIDUAL_NUMBER(OTHER)
