/* ops/reshape.h - the same numbers under another shape; costs nothing. torch.flatten,
   torch.reshape, torch.unflatten, torch.squeeze, torch.unsqueeze. */
#pragma once

#include "graph/model.h"
#include "ops/axes.h"

/* (N, C, H, W) to (N, C*H*W): everything behind the first extent. torch.nn.Flatten. */
NN_API nn_node *nn_flatten_at(nn_site site, nn_model *net, nn_node *x);
#define nn_flatten(...) nn_flatten_at(NN_HERE, __VA_ARGS__)
/* At most one extent may be NN_BATCH; the number of elements must not change. */
NN_API nn_node *nn_reshape_at(nn_site site, nn_model *net, nn_node *x, nn_shape shape);
#define nn_reshape(...) nn_reshape_at(NN_HERE, __VA_ARGS__)
/* torch.nn.Unflatten: the axis cut into those of `sizes`, whose product is its extent:
   nn_unflatten(net, x, 1, NN_SHAPE(2, 3)) makes (N, 2, 3) of (N, 6). PyTorch's -1, a size to be
   worked out, is not taken: NN_BATCH is -1 here. */
NN_API nn_node *nn_unflatten_at(nn_site site, nn_model *net, nn_node *x, int axis, nn_shape sizes);
#define nn_unflatten(...) nn_unflatten_at(NN_HERE, __VA_ARGS__)
/* torch.squeeze: those of the axes that have one element are left out, others stay; NN_ALL_AXES:
   every one of them. */
NN_API nn_node *nn_squeeze_at(nn_site site, nn_model *net, nn_node *x, nn_axes axes);
#define nn_squeeze(...) nn_squeeze_at(NN_HERE, __VA_ARGS__)
/* torch.unsqueeze: a new axis of one element before axis `axis` of x; -1 is behind the last one. */
NN_API nn_node *nn_unsqueeze_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_unsqueeze(...) nn_unsqueeze_at(NN_HERE, __VA_ARGS__)
