/* ops/similarity.h - the cosine similarity of vectors. */
#pragma once

#include "graph/model.h"

/* torch.nn.functional.cosine_similarity with its default eps: the cosine of the angle between the
   vectors of a and b along the axis, which is removed. The other axes broadcast; this one must be
   equal. Lengths are at least 1e-8, so the cosine with a vector of zeros is 0. */
NN_API nn_node *nn_cosine_similarity_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                        int axis);
#define nn_cosine_similarity(...) nn_cosine_similarity_at(NN_HERE, __VA_ARGS__)
