/* ops/matmul_private.h - what ops/matmul.c shares with ops/matmul_backward.c, the immediate
   calls for its gradients. */
#pragma once

#include "ops/matmul.h"
#include "ops/private.h"

/* The products that gradients consist of have these params, too. */
typedef struct nn__op_matmul_params {
    nn_matmul_desc desc; /* first: immediate calls pass a desc alone */
    bool fold; /* all extents but the last are rows: one product for the whole batch */
} nn__op_matmul_params;

/* desc may be NULL */
NN_PRIVATE nn__op_matmul_params nn__op_matmul_params_of(const nn_matmul_desc *desc);
/* Fills in the kernel's args; `fold` as in the params. */
NN_PRIVATE void nn__op_matmul_args(nn_gemm_args *g, const nn_view *y, const nn_view *a,
                                   const nn_view *b, const nn_matmul_desc *desc, bool fold);
/* Fills in *matrix: the view with all extents but the last folded into rows (ops/linear.c). */
NN_PRIVATE void nn__op_matrix(nn_view *matrix, const nn_view *view);
#ifndef NN_NO_TRAINING
/* Returns the shape of x as a matrix: a vector gets an extent of 1 at axis `at`. */
NN_PRIVATE nn_shape nn__op_matmul_with_one(nn_shape x, int at);
/* Returns `y` with the last two extents of x: the shape that x has after broadcasting. */
NN_PRIVATE nn_shape nn__op_matmul_wide(nn_shape y, nn_shape x);
/* Returns the rule of nn_matmul, for the shape checks of immediate calls. */
NN_PRIVATE const nn__rule *nn__op_matmul_rule(void);
#endif
