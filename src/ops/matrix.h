/* ops/matrix.h - split, diff, outer, tril and triu, made of other operations. */
#pragma once

#include "graph/model.h"

/* torch.split with a list of lengths: writes to parts[0 .. count) the pieces of the axis with
   lengths sizes[0 .. count). If these do not add up to the extent, all parts are poisoned. Returns
   parts[0]. nn_chunk makes equal parts. */
NN_API nn_node *nn_split_at(nn_site site, nn_model *net, nn_node *x, nn_node **parts,
                            const int *sizes, int count, int axis);
#define nn_split(...) nn_split_at(NN_HERE, __VA_ARGS__)

/* torch.diff: y[i] = x[i + 1] - x[i] along the axis, which has at least two elements. f32. */
NN_API nn_node *nn_diff_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_diff(...) nn_diff_at(NN_HERE, __VA_ARGS__)

/* torch.outer: y[i][j] = a[i] * b[j] for a (N), b (M) and y (N, M). f32. */
NN_API nn_node *nn_outer_at(nn_site site, nn_model *net, nn_node *a, nn_node *b);
#define nn_outer(...) nn_outer_at(NN_HERE, __VA_ARGS__)

/* torch.tril: keeps the elements on and below the diagonal of each matrix x (..., R, C); all others
   become 0. A positive `diagonal` is that many places to the right of the main one, a negative one
   to the left. f32. */
NN_API nn_node *nn_tril_at(nn_site site, nn_model *net, nn_node *x, int diagonal);
#define nn_tril(...) nn_tril_at(NN_HERE, __VA_ARGS__)
/* torch.triu: keeps the elements on and above the diagonal. */
NN_API nn_node *nn_triu_at(nn_site site, nn_model *net, nn_node *x, int diagonal);
#define nn_triu(...) nn_triu_at(NN_HERE, __VA_ARGS__)
