/* ops/matmul.h - the matrix product of two nodes, with torch.matmul's meaning. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

/* Default: a (..., M, K) and b (..., K, N). Transposing a vector is a fault. */
typedef struct nn_matmul_desc {
    bool transpose_a; /* default: false. true: a is (..., K, M) */
    bool transpose_b; /* default: false. true: b is (..., N, K) */
} nn_matmul_desc;

/* torch.matmul: y (..., M, N) = a (..., M, K) b (..., K, N), for 1 to NN_MAX_RANK extents each. The
   extents before the last two are batch extents and broadcast as in NumPy: (B, T, D) by (D, E) is
   one product, (B, T, D) by (B, D, T) is B products. If a is a vector, it is a row; if b is a
   vector, it is a column; y lacks that extent, so two vectors give one number. Any extent may be
   NN_BATCH or NN_TIME, but at most one extent of y may depend on the batch. desc may be NULL.

   a and b may each be f32, f16 or bf16; f16 and bf16 are read directly. Sums and y are f32. */
NN_API nn_node *nn_matmul_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                             const nn_matmul_desc *desc);
#define nn_matmul(...) nn_matmul_at(NN_HERE, __VA_ARGS__)

/* ---- immediate: y f32 has the shape that the node would have --------------------------------- */

NN_API nn_result nn_matmul_forward_at(nn_site site, nn_tensor *y, const nn_tensor *a,
                                      const nn_tensor *b, const nn_matmul_desc *desc);
#define nn_matmul_forward(...) nn_matmul_forward_at(NN_HERE, __VA_ARGS__)
#ifndef NN_NO_TRAINING
/* Computes da (a's shape) and db (b's shape), f32, from dy (y's shape); either may be NULL and is
   then skipped. They are overwritten, or added to with accumulate. The gradient of a broadcast
   operand is summed over its copies: with one product for each, in order, or with one product for
   all where a batch shares b. */
NN_API nn_result nn_matmul_backward_at(nn_site site, nn_tensor *da, nn_tensor *db,
                                       const nn_tensor *dy, const nn_tensor *a, const nn_tensor *b,
                                       const nn_matmul_desc *desc, bool accumulate);
#define nn_matmul_backward(...) nn_matmul_backward_at(NN_HERE, __VA_ARGS__)
#endif
