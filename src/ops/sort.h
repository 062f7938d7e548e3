/* ops/sort.h - sorts the elements of each line. torch.sort, torch.argsort, torch.topk,
   torch.kthvalue, torch.median.

   Lines run along the axis; a negative one counts from the end (PyTorch's default is -1, the last).
   The order is stable; 0 and -0 are equal. NaN is larger than every other number, as in PyTorch.
   Indices are i32, counted along the axis. f32. The gradient goes to the elements of x that were
   selected. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

typedef struct nn_sort_desc {
    bool descending; /* default: false, the smallest first */
} nn_sort_desc;

/* torch.sort with stable=True: y has x's shape; nn_output(y, 1): the indices of its elements in x.
   */
NN_API nn_node *nn_sort_at(nn_site site, nn_model *net, nn_node *x, int axis,
                           const nn_sort_desc *desc);
#define nn_sort(...) nn_sort_at(NN_HERE, __VA_ARGS__)
/* torch.argsort: only the indices of nn_sort, i32. */
NN_API nn_node *nn_argsort_at(nn_site site, nn_model *net, nn_node *x, int axis,
                              const nn_sort_desc *desc);
#define nn_argsort(...) nn_argsort_at(NN_HERE, __VA_ARGS__)

typedef struct nn_top_k_desc {
    bool smallest; /* default: false, the largest */
} nn_top_k_desc;

/* torch.topk with sorted=True: the k largest elements of each line, the largest first; equal ones
   keep their order (PyTorch does not define it). The axis' extent must be a number and becomes k;
   nn_output(y, 1): their indices. */
NN_API nn_node *nn_top_k_at(nn_site site, nn_model *net, nn_node *x, int k, int axis,
                            const nn_top_k_desc *desc);
#define nn_top_k(...) nn_top_k_at(NN_HERE, __VA_ARGS__)

/* torch.kthvalue: the k-th smallest element of each line; the axis is removed. nn_top_k also gives
   indices. */
NN_API nn_node *nn_kthvalue_at(nn_site site, nn_model *net, nn_node *x, int k, int axis);
#define nn_kthvalue(...) nn_kthvalue_at(NN_HERE, __VA_ARGS__)
/* torch.median along an axis: the lower of the two middle elements; the axis is removed. A line
   with a NaN gives NaN, and its first NaN has the gradient. */
NN_API nn_node *nn_median_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_median(...) nn_median_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------ */

/* index may be NULL. The gradient is nn_gather_backward(dx, dy, axis, index, accumulate). Scratch
   comes from the context (nn_desc.scratch_bytes). */
NN_API nn_result nn_sort_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                    const nn_tensor *x, int axis, const nn_sort_desc *desc);
#define nn_sort_forward(...) nn_sort_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_top_k_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                     const nn_tensor *x, int k, int axis,
                                     const nn_top_k_desc *desc);
#define nn_top_k_forward(...) nn_top_k_forward_at(NN_HERE, __VA_ARGS__)
