/* ops/normalize.h - vectors of length one, made of other operations.
   torch.nn.functional.normalize. */
#pragma once

#include "graph/model.h"

/* x divided by its Euclidean length along the axis (negative: from the end), or by 1e-12 where that
   is smaller: the way to compare embeddings by their angle. f32, any shape. */
NN_API nn_node *nn_normalize_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_normalize(...) nn_normalize_at(NN_HERE, __VA_ARGS__)
