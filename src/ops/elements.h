/* ops/elements.h - selects single elements by index along an axis. torch.gather, torch.scatter,
   torch.scatter_add, torch.nn.functional.one_hot.

   Indices are i32 and have as many axes as x. Along all axes except the given one, index may be
   shorter than x; the rest of x is then not used. A negative axis counts from the end. Indices are
   checked on the device while the step runs: one that is out of range ends the step with
   NN_ERROR_INDEX, and nothing is updated. Sums are added in the order of the index, so the bytes do
   not depend on threads. */
#pragma once

#include "graph/model.h"
#include "kernels/reduce/choices.h"
#include "tensor/tensor.h"

/* torch.gather: y[i][j] = x[index[i][j]][j] along axis 0, y[i][j] = x[i][index[i][j]] along axis 1,
   and so on. y has the shape of the index and the dtype of x, which may be any. */
NN_API nn_node *nn_gather_at(nn_site site, nn_model *net, nn_node *x, int axis, nn_node *index);
#define nn_gather(...) nn_gather_at(NN_HERE, __VA_ARGS__)

/* torch.scatter_add: y = x, then y[index[i][j]][j] += src[i][j] along axis 0, and so on. src may be
   longer than index if both extents are numbers; the rest is not read. f32. */
NN_API nn_node *nn_scatter_add_at(nn_site site, nn_model *net, nn_node *x, int axis, nn_node *index,
                                  nn_node *src);
#define nn_scatter_add(...) nn_scatter_add_at(NN_HERE, __VA_ARGS__)
/* torch.scatter: the same with = instead of +=. If several elements go to one place, the last one
   in the order of the index is kept (in PyTorch any of them). The gradient of each is that of the
   place, as in PyTorch. */
NN_API nn_node *nn_scatter_at(nn_site site, nn_model *net, nn_node *x, int axis, nn_node *index,
                              nn_node *src);
#define nn_scatter(...) nn_scatter_at(NN_HERE, __VA_ARGS__)
/* torch.scatter with a number instead of src. */
NN_API nn_node *nn_scatter_value_at(nn_site site, nn_model *net, nn_node *x, int axis,
                                    nn_node *index, float value);
#define nn_scatter_value(...) nn_scatter_value_at(NN_HERE, __VA_ARGS__)

/* torch.scatter_reduce with include_self = True: the same with a product, a maximum or a minimum
   instead of the sum. reduction: NN_SUM (which is nn_scatter_add), NN_PROD, NN_MAX or NN_MIN. A
   maximum or minimum with NaN among its numbers is NaN. As in PyTorch, the gradient of a maximum or
   minimum is divided evenly among equal values, and that of a factor is the product of all others,
   also if one of them is 0. */
NN_API nn_node *nn_scatter_reduce_at(nn_site site, nn_model *net, nn_node *x, int axis,
                                     nn_node *index, nn_node *src, nn_reduction reduction);
#define nn_scatter_reduce(...) nn_scatter_reduce_at(NN_HERE, __VA_ARGS__)

/* torch.nn.functional.one_hot: y (..., num_classes) has 1 at label (...) i32, and 0 elsewhere. y is
   f32, for use in operations (PyTorch's is int64; nn_cast makes it i32). num_classes must be given,
   because shapes must be known before labels. A label outside [0, num_classes) is an index out of
   range. */
NN_API nn_node *nn_one_hot_at(nn_site site, nn_model *net, nn_node *label, int num_classes);
#define nn_one_hot(...) nn_one_hot_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------ */

/* Computes on tensors of yours immediately. Indices are checked first; if one is out of range,
   nothing is written. Scratch comes from the context (nn_desc.scratch_bytes). */

NN_API nn_result nn_gather_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis,
                                      const nn_tensor *index);
#define nn_gather_forward(...) nn_gather_forward_at(NN_HERE, __VA_ARGS__)
/* dx (x's shape) is overwritten, with 0 for elements that were not gathered, or added to with
   accumulate. */
NN_API nn_result nn_gather_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy, int axis,
                                       const nn_tensor *index, bool accumulate);
#define nn_gather_backward(...) nn_gather_backward_at(NN_HERE, __VA_ARGS__)
/* y has x's shape and may be x; src has the shape of the index. The gradient of src is
   nn_gather_forward of dy. The gradient of x is dy for nn_scatter_add, and nn_scatter_value_forward
   of dy with the value 0 for nn_scatter and nn_scatter_value. */
NN_API nn_result nn_scatter_add_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis,
                                           const nn_tensor *index, const nn_tensor *src);
#define nn_scatter_add_forward(...) nn_scatter_add_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_scatter_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis,
                                       const nn_tensor *index, const nn_tensor *src);
#define nn_scatter_forward(...) nn_scatter_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_scatter_reduce_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                              int axis, const nn_tensor *index,
                                              const nn_tensor *src, nn_reduction reduction);
#define nn_scatter_reduce_forward(...) nn_scatter_reduce_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_scatter_value_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                             int axis, const nn_tensor *index, float value);
#define nn_scatter_value_forward(...) nn_scatter_value_forward_at(NN_HERE, __VA_ARGS__)
/* y (..., num_classes) */
NN_API nn_result nn_one_hot_forward_at(nn_site site, nn_tensor *y, const nn_tensor *label,
                                       int num_classes);
#define nn_one_hot_forward(...) nn_one_hot_forward_at(NN_HERE, __VA_ARGS__)
