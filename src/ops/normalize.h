/* ops/normalize.h - normalises vectors to length one. torch.nn.functional.normalize. */
#pragma once

#include "graph/model.h"

/* x divided by max(Euclidean length along the axis, 1e-12); a negative axis counts from the end.
   Use it to compare embeddings by their angle. f32, any shape. */
NN_API nn_node *nn_normalize_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_normalize(...) nn_normalize_at(NN_HERE, __VA_ARGS__)
