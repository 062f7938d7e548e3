/* ops/glu.h - a gated linear unit, as torch.nn.GLU. */
#pragma once

#include "graph/model.h"

/* y = a * sigmoid(b), where a and b are the first and the second half of x along the axis, whose
   extent is an even number. PyTorch's default axis is -1. f32. Source: Dauphin et al., 2016. */
NN_API nn_node *nn_glu_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_glu(...) nn_glu_at(NN_HERE, __VA_ARGS__)
