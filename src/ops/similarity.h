/* ops/similarity.h - how alike vectors are: their cosine. */
#pragma once

#include "graph/model.h"

/* torch.nn.functional.cosine_similarity with its default eps: the cosine of the angle between the
   vectors of a and b along the axis, which vanishes. a and b broadcast to each other on the other
   axes; along this one they are equally long. The length of a vector counts as at least 1e-8, so
   that with a vector of zeros the cosine is 0. */
NN_API nn_node *nn_cosine_similarity_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                        int axis);
#define nn_cosine_similarity(...) nn_cosine_similarity_at(NN_HERE, __VA_ARGS__)
