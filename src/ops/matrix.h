/* ops/matrix.h - parts and products of vectors and matrices that other operations make: split,
   diff, outer, tril, triu. */
#pragma once

#include "graph/model.h"

/* torch.split with a list of lengths: parts[0 .. count) receive the axis cut into pieces of
   sizes[0 .. count), which together are the axis; all are poisoned when they are not. Returns
   parts[0]. nn_chunk cuts into equal parts. */
NN_API nn_node *nn_split_at(nn_site site, nn_model *net, nn_node *x, nn_node **parts,
                            const int *sizes, int count, int axis);
#define nn_split(...) nn_split_at(NN_HERE, __VA_ARGS__)

/* torch.diff: y[i] = x[i + 1] - x[i] along the axis, which has at least two elements. f32. */
NN_API nn_node *nn_diff_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_diff(...) nn_diff_at(NN_HERE, __VA_ARGS__)

/* torch.outer: y (N, M) = a (N) times b (M), each with each. f32. */
NN_API nn_node *nn_outer_at(nn_site site, nn_model *net, nn_node *a, nn_node *b);
#define nn_outer(...) nn_outer_at(NN_HERE, __VA_ARGS__)

/* torch.tril: of each matrix x (..., R, C) what is on the diagonal and below it, 0 elsewhere. A
   positive diagonal is so many places to the right of the main one, a negative one to the left.
   f32. */
NN_API nn_node *nn_tril_at(nn_site site, nn_model *net, nn_node *x, int diagonal);
#define nn_tril(...) nn_tril_at(NN_HERE, __VA_ARGS__)
/* torch.triu: what is on the diagonal and above it. */
NN_API nn_node *nn_triu_at(nn_site site, nn_model *net, nn_node *x, int diagonal);
#define nn_triu(...) nn_triu_at(NN_HERE, __VA_ARGS__)
