/* ops/matmul_private.h - what the product of ops/matmul.c and its gradients as an immediate call,
   ops/matmul_backward.c, share. */
#pragma once

#include "ops/matmul.h"
#include "ops/private.h"

/* Of products that the gradient adds, too. */
typedef struct nn__op_matmul_params {
    nn_matmul_desc desc; /* first: an immediate call gives this alone */
    bool fold; /* every extent but the last makes the rows: one product for all of a batch */
} nn__op_matmul_params;

NN_PRIVATE nn__op_matmul_params nn__op_matmul_params_of(const nn_matmul_desc *desc); /* or NULL */
/* The arguments of the kernel; `fold` as in the params. */
NN_PRIVATE void nn__op_matmul_args(nn_gemm_args *g, const nn_view *y, const nn_view *a,
                                   const nn_view *b, const nn_matmul_desc *desc, bool fold);
/* The view with all extents but the last folded into rows (ops/linear.c). */
NN_PRIVATE void nn__op_matrix(nn_view *matrix, const nn_view *view);
#ifndef NN_NO_TRAINING
/* x as a matrix: a vector with an extent of 1 at this place. */
NN_PRIVATE nn_shape nn__op_matmul_with_one(nn_shape x, int at);
/* `y` with the last two extents of x: what x would be without broadcasting. */
NN_PRIVATE nn_shape nn__op_matmul_wide(nn_shape y, nn_shape x);
/* The rule of nn_matmul, by which immediate calls check their shapes. */
NN_PRIVATE const nn__rule *nn__op_matmul_rule(void);
#endif
