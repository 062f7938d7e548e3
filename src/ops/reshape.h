/* ops/reshape.h - the same numbers under another shape; costs nothing. torch.flatten,
   torch.reshape. */
#pragma once

#include "graph/model.h"

/* (N, C, H, W) to (N, C*H*W): everything behind the first extent. torch.nn.Flatten. */
NN_API nn_node *nn_flatten_at(nn_site site, nn_model *net, nn_node *x);
#define nn_flatten(...) nn_flatten_at(NN_HERE, __VA_ARGS__)
/* At most one extent may be NN_BATCH; the number of elements must not change. */
NN_API nn_node *nn_reshape_at(nn_site site, nn_model *net, nn_node *x, nn_shape shape);
#define nn_reshape(...) nn_reshape_at(NN_HERE, __VA_ARGS__)
