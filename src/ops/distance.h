/* ops/distance.h - distances of vectors. torch.nn.PairwiseDistance, torch.cdist,
   torch.nn.functional.pdist.

   All compute a p-norm of a difference: p = 1 is the sum of the absolute differences, 2 the
   Euclidean length, INFINITY the largest absolute difference. Where the norm is 0, so is the
   gradient. If several differences are the largest, nn_pairwise_distance divides the gradient among
   them, while nn_cdist and nn_pdist give all of it to each, as PyTorch does. f32. */
#pragma once

#include "graph/model.h"

/* torch.nn.PairwiseDistance. */
typedef struct nn_pairwise_distance_desc {
    float p;        /* default: 2; positive, or INFINITY */
    float epsilon;  /* default: 1e-6; NN_NONE: 0. Added to each difference */
    bool keep_axes; /* default: false. true: keeps the last axis with extent 1 */
} nn_pairwise_distance_desc;
/* y (...): the p-norm of a - b + epsilon over the last axis; a and b (..., D) are broadcast. */
NN_API nn_node *nn_pairwise_distance_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                        const nn_pairwise_distance_desc *desc);
#define nn_pairwise_distance(...) nn_pairwise_distance_at(NN_HERE, __VA_ARGS__)

/* torch.cdist: y (..., P, R), the p-norm of each row of a (..., P, M) minus each row of b (..., R,
   M); leading axes broadcast. PyTorch's default p is 2. As in PyTorch for up to 25 rows, the
   differences are computed directly, so close rows keep their digits; they take P R M numbers of a
   plan's memory. */
NN_API nn_node *nn_cdist_at(nn_site site, nn_model *net, nn_node *a, nn_node *b, float p);
#define nn_cdist(...) nn_cdist_at(NN_HERE, __VA_ARGS__)

/* torch.nn.functional.pdist: y (N (N - 1) / 2), the p-norm of each row of x (N, M) minus each later
   row: (0, 1), (0, 2) ... (1, 2) ... A plan's memory holds all N N M differences. N is a number
   from 2 to 4096. */
NN_API nn_node *nn_pdist_at(nn_site site, nn_model *net, nn_node *x, float p);
#define nn_pdist(...) nn_pdist_at(NN_HERE, __VA_ARGS__)
