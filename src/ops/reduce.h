/* ops/reduce.h - sums, means and maxima over axes. torch.sum, mean, amax. */
#pragma once

#include "graph/model.h"
#include "kernels/reduce/choices.h"
#include "ops/axes.h"

/* torch.sum(x, (1, 2)) is nn_reduce(net, NN_SUM, x, NN_AXES(1, 2), false). The axes stay as extents of 1 if
   keep_axes, else they vanish. NN_MAX shares its gradient evenly among equal maxima, as torch.amax does.
   An axis that is the batch adds up samples: the result is one for all of them, and a sum grows with their
   number. That is what a loss wants, and hardly anything else. */
NN_API nn_node *nn_reduce_at(nn_site site, nn_model *net, nn_reduction reduction, nn_node *x, nn_axes axes,
                             bool keep_axes);
#define nn_reduce(...) nn_reduce_at(NN_HERE, __VA_ARGS__)
/* (net, x): one number */
#define nn_sum(net, ...)  nn_reduce_at(NN_HERE, net, NN_SUM, __VA_ARGS__, NN_ALL_AXES, false)
#define nn_mean(net, ...) nn_reduce_at(NN_HERE, net, NN_MEAN, __VA_ARGS__, NN_ALL_AXES, false)

/* ---- immediate. y has x's shape with 1 in the axes. ------------------------------------------ */
NN_API nn_result nn_reduce_forward_at(nn_site site, nn_tensor *y, nn_reduction reduction, const nn_tensor *x,
                                      nn_axes axes);
#define nn_reduce_forward(...) nn_reduce_forward_at(NN_HERE, __VA_ARGS__)
