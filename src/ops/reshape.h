/* ops/reshape.h - the same elements with another shape, at no cost. torch.flatten, torch.reshape,
   torch.unflatten, torch.squeeze, torch.unsqueeze. */
#pragma once

#include "graph/model.h"
#include "ops/axes.h"

/* torch.nn.Flatten: (N, C, H, W) to (N, C*H*W); all extents after the first become one. */
NN_API nn_node *nn_flatten_at(nn_site site, nn_model *net, nn_node *x);
#define nn_flatten(...) nn_flatten_at(NN_HERE, __VA_ARGS__)
/* At most one extent may be NN_BATCH; the number of elements must not change. */
NN_API nn_node *nn_reshape_at(nn_site site, nn_model *net, nn_node *x, nn_shape shape);
#define nn_reshape(...) nn_reshape_at(NN_HERE, __VA_ARGS__)
/* torch.nn.Unflatten: splits the axis into axes of `sizes`, whose product is its extent:
   nn_unflatten(net, x, 1, NN_SHAPE(2, 3)) turns (N, 6) into (N, 2, 3). -1 does not mean an inferred
   size as in PyTorch, because NN_BATCH is -1. */
NN_API nn_node *nn_unflatten_at(nn_site site, nn_model *net, nn_node *x, int axis, nn_shape sizes);
#define nn_unflatten(...) nn_unflatten_at(NN_HERE, __VA_ARGS__)
/* torch.squeeze: removes the given axes if they have extent 1; NN_ALL_AXES: all axes of extent 1.
   */
NN_API nn_node *nn_squeeze_at(nn_site site, nn_model *net, nn_node *x, nn_axes axes);
#define nn_squeeze(...) nn_squeeze_at(NN_HERE, __VA_ARGS__)
/* torch.unsqueeze: adds an axis of extent 1 before axis `axis` of x; -1: after the last one. */
NN_API nn_node *nn_unsqueeze_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_unsqueeze(...) nn_unsqueeze_at(NN_HERE, __VA_ARGS__)
