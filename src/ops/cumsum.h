/* ops/cumsum.h - running sums along an axis: torch.cumsum. A negative axis counts from the end.
   f32. nn_more.h has running products and extremes. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

/* y[i] = x[0] + ... + x[i] along the axis. */
NN_API nn_node *nn_cumsum_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_cumsum(...) nn_cumsum_at(NN_HERE, __VA_ARGS__)

/* Immediate. y has x's shape and may be x. reverse: sums from the end, which computes the
   gradient. */
NN_API nn_result nn_cumsum_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis,
                                      bool reverse);
#define nn_cumsum_forward(...) nn_cumsum_forward_at(NN_HERE, __VA_ARGS__)
