/* ops/distance.h - how far vectors are from each other. torch.nn.PairwiseDistance, torch.cdist,
   torch.nn.functional.pdist.

   The p-norm of a difference: p = 1 is the sum of the absolute differences, 2 the length, INFINITY
   the largest one. Its gradient is 0 where it is 0. Of several largest ones nn_pairwise_distance
   gives each its share of the gradient, nn_cdist and nn_pdist each all of it, as PyTorch. f32. */
#pragma once

#include "graph/model.h"

/* torch.nn.PairwiseDistance. */
typedef struct nn_pairwise_distance_desc {
    float p;        /* default: 2; positive, or INFINITY */
    float epsilon;  /* default: 1e-6; NN_NONE: 0. Added to each difference */
    bool keep_axes; /* default: false. true: the result keeps the last axis, of 1 */
} nn_pairwise_distance_desc;
/* y (...): the p-norm of a - b + epsilon over the last axis; a and b (..., D) are broadcast. */
NN_API nn_node *nn_pairwise_distance_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                        const nn_pairwise_distance_desc *desc);
#define nn_pairwise_distance(...) nn_pairwise_distance_at(NN_HERE, __VA_ARGS__)

/* torch.cdist: y (..., P, R), the p-norm of each row of a (..., P, M) less each row of b
   (..., R, M); what is before them is broadcast. PyTorch's default p is 2. The differences
   themselves are computed, as PyTorch does for up to 25 rows, so that close rows keep their digits;
   they take P R M numbers of a plan's memory. */
NN_API nn_node *nn_cdist_at(nn_site site, nn_model *net, nn_node *a, nn_node *b, float p);
#define nn_cdist(...) nn_cdist_at(NN_HERE, __VA_ARGS__)

/* torch.nn.functional.pdist: y (N (N - 1) / 2), the p-norm of each row of x (N, M) less each later
   row: (0, 1), (0, 2) ... (1, 2) ... All N N M differences take a plan's memory. N is a
   number from 2 to 4096. */
NN_API nn_node *nn_pdist_at(nn_site site, nn_model *net, nn_node *x, float p);
#define nn_pdist(...) nn_pdist_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_pairwise_distance_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                        const nn_pairwise_distance_desc &desc) {
    return nn_pairwise_distance_at(site, net, a, b, &desc);
}
}
#endif
