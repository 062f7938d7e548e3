/* ops/index.h - selects slices of a tensor by index. torch.index_select,
   torch.nn.functional.embedding.

   Indices are i32 tensors. They are checked on the device while the step runs: one that is out of
   range ends the step with NN_ERROR_INDEX, and nothing is updated. Gradients are added in the order
   of the indices, so the bytes do not depend on threads. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

/* torch.index_select: y[..., i, ...] = x[..., index[i], ...] along the axis; a negative axis counts
   from the end. index (n) i32, each in [0, extent of the axis); y has the extent n there and x's
   dtype. */
NN_API nn_node *nn_index_select_at(nn_site site, nn_model *net, nn_node *x, int axis,
                                   nn_node *index);
#define nn_index_select(...) nn_index_select_at(NN_HERE, __VA_ARGS__)

/* torch.nn.Embedding. */
typedef struct nn_embedding_desc {
    int num_embeddings; /* must be given: rows of the table */
    int embedding_dim;  /* must be given: elements of a row */
    bool padding; /* default: false. true: row padding_idx starts as zeros and gets no gradient */
    int padding_idx;    /* with padding; negative ones count from the end */
    bool shared; /* default: false, the name must be new. true: uses the table of the earlier layer
                    of this name, if there is one; gradients are added */
} nn_embedding_desc;

/* y (..., embedding_dim): the row index[...] of the parameter "name.weight" (num_embeddings,
   embedding_dim), which starts normal with mean 0 and variance 1, as in PyTorch. */
NN_API nn_node *nn_embedding_at(nn_site site, nn_model *net, const char *name, nn_node *index,
                                const nn_embedding_desc *desc);
#define nn_embedding(...) nn_embedding_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------ */

/* Computes on tensors of yours immediately. Indices are checked first; if one is out of range,
   nothing is written. Scratch comes from the context (nn_desc.scratch_bytes). */

/* y has x's dtype and x's shape with n in place of the axis, where index is (n). */
NN_API nn_result nn_index_select_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                            int axis, const nn_tensor *index);
#define nn_index_select_forward(...) nn_index_select_forward_at(NN_HERE, __VA_ARGS__)
/* dx is overwritten, with 0 for elements that were not selected, or added to with accumulate.
   f32. */
NN_API nn_result nn_index_select_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                             int axis, const nn_tensor *index, bool accumulate);
#define nn_index_select_backward(...) nn_index_select_backward_at(NN_HERE, __VA_ARGS__)

/* y (..., embedding_dim) from index (...) and weight (num_embeddings, embedding_dim). */
NN_API nn_result nn_embedding_forward_at(nn_site site, nn_tensor *y, const nn_tensor *index,
                                         const nn_tensor *weight);
#define nn_embedding_forward(...) nn_embedding_forward_at(NN_HERE, __VA_ARGS__)
/* Uses only padding and padding_idx of desc; NULL: no padding. */
NN_API nn_result nn_embedding_backward_at(nn_site site, nn_tensor *dweight, const nn_tensor *dy,
                                          const nn_tensor *index, const nn_embedding_desc *desc,
                                          bool accumulate);
#define nn_embedding_backward(...) nn_embedding_backward_at(NN_HERE, __VA_ARGS__)
