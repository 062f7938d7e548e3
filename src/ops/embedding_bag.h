/* ops/embedding_bag.h - reduces the embeddings of each bag of indices to one row. */
#pragma once

#include "kernels/reduce/choices.h"
#include "graph/model.h"

/* torch.nn.EmbeddingBag. */
typedef struct nn_embedding_bag_desc {
    int num_embeddings; /* must be given: rows of the table; with padding at most 2^24 */
    int embedding_dim;  /* must be given: elements of a row */
    nn_reduction mode; /* default: NN_MEAN. Or NN_SUM, or NN_MAX: the largest of each column, the
                          first of equal ones; NaN counts as largest */
    nn_node *per_sample_weights; /* default: none. (N, L), only with NN_SUM: factors of the rows */
    bool padding; /* default: false. true: row padding_idx starts as zeros, gets no gradient, and is
                     left out of sums and means */
    int padding_idx; /* with padding; negative ones count from the end */
    bool shared; /* default: false, the name must be new. true: uses the table of the earlier layer
                    of this name, if there is one; gradients are added */
} nn_embedding_bag_desc;

/* y (N, embedding_dim): the mean, sum or maximum of the rows index[n][...] of the parameter
   "name.weight" (num_embeddings, embedding_dim), which starts as that of nn_embedding. index is (N,
   L) i32; fill shorter bags up with padding_idx. A bag that holds only padding gives zeros. */
NN_API nn_node *nn_embedding_bag_at(nn_site site, nn_model *net, const char *name, nn_node *index,
                                    const nn_embedding_bag_desc *desc);
#define nn_embedding_bag(...) nn_embedding_bag_at(NN_HERE, __VA_ARGS__)
