/* ops/reduce.h - sums, means and maxima over axes. torch.sum, mean, amax. */
#pragma once

#include "graph/model.h"
#include "kernels/reduce/args.h"

/* axes: bit i stands for axis i; 0: all axes. The axes stay as extents of 1 if keep_axes, else they vanish.
   NN_MAX shares its gradient evenly among equal maxima, as torch.amax does. */
NN_API nn_node *nn_reduce_at(nn_site site, nn_model *net, nn_reduction reduction, nn_node *x, uint32_t axes,
                             bool keep_axes);
#define nn_reduce(...)   nn_reduce_at(NN_HERE, __VA_ARGS__)
#define nn_sum(net, ...) nn_reduce_at(NN_HERE, net, NN_SUM, __VA_ARGS__, 0, false) /* (net, x): one number   \
                                                                                    */
#define nn_mean(net, ...)                                                                                    \
    nn_reduce_at(NN_HERE, net, NN_MEAN, __VA_ARGS__, 0, false) /* (net, x): one number */

/* ---- immediate. y has x's shape with 1 in the axes. ------------------------------------------ */
NN_API nn_result nn_reduce_forward_at(nn_site site, nn_tensor *y, nn_reduction reduction, const nn_tensor *x,
                                      uint32_t axes);
#define nn_reduce_forward(...) nn_reduce_forward_at(NN_HERE, __VA_ARGS__)
