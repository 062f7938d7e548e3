/* ops/loss_pairs.h - losses of pairs and triplets of vectors, and of several labels each. What
   ops/loss.h says of all losses holds here, too. */
#pragma once

#include "ops/loss.h"

/* torch.nn.MultiLabelSoftMarginLoss: the mean of nn_bce_with_logits over the last axis. logits
   (..., C); without reduction the result is (...). */
typedef struct nn_multilabel_soft_margin_desc {
    nn_node *weight;        /* default: none. (C), one for each class */
    nn_reduction reduction; /* default: NN_MEAN */
} nn_multilabel_soft_margin_desc;
NN_API nn_node *nn_multilabel_soft_margin_loss_at(nn_site site, nn_model *net, nn_node *logits,
                                                  nn_node *target,
                                                  const nn_multilabel_soft_margin_desc *desc);
#define nn_multilabel_soft_margin_loss(...) nn_multilabel_soft_margin_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.CosineEmbeddingLoss, with c the cosine of a and b over the last axis: 1 - c where target
   is 1, max(0, c - margin) where it is -1. a and b (..., D), target (...). */
typedef struct nn_cosine_embedding_desc {
    nn_reduction reduction; /* default: NN_MEAN */
    float margin;           /* default: 0 */
} nn_cosine_embedding_desc;
NN_API nn_node *nn_cosine_embedding_loss_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                            nn_node *target, const nn_cosine_embedding_desc *desc);
#define nn_cosine_embedding_loss(...) nn_cosine_embedding_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.TripletMarginLoss: max(0, margin + d(anchor, positive) - d(anchor, negative)), where d
   is the p-norm of the difference plus epsilon, over the last axis. All (..., D); without reduction
   the result is (...). */
typedef struct nn_triplet_margin_desc {
    nn_reduction reduction; /* default: NN_MEAN */
    float margin;           /* default: 1; positive */
    float p;                /* default: 2; positive, INFINITY: the largest of the differences */
    float epsilon;          /* default: 1e-6; NN_NONE: 0 */
    bool swap; /* default: false. true: uses the distance from the negative to the nearer of anchor
                  and positive */
} nn_triplet_margin_desc;
NN_API nn_node *nn_triplet_margin_loss_at(nn_site site, nn_model *net, nn_node *anchor,
                                          nn_node *positive, nn_node *negative,
                                          const nn_triplet_margin_desc *desc);
#define nn_triplet_margin_loss(...) nn_triplet_margin_loss_at(NN_HERE, __VA_ARGS__)

/* torch.nn.TripletMarginWithDistanceLoss: max(0, margin + d(anchor, positive) - d(anchor,
   negative)), where d is a function of yours. It is called while the loss is described, and
   describes the distance of a and b for each sample with operations of net. */
typedef struct nn_triplet_margin_with_distance_desc {
    nn_reduction reduction; /* default: NN_MEAN */
    /* default: nn_pairwise_distance with its defaults, as PyTorch's. user: below */
    nn_node *(*distance_function)(nn_model *net, nn_node *a, nn_node *b, void *user);
    void *user;   /* default: NULL */
    float margin; /* default: 1; positive */
    bool swap; /* default: false. true: uses the distance from the negative to the nearer of anchor
                  and positive */
} nn_triplet_margin_with_distance_desc;
NN_API nn_node *
nn_triplet_margin_with_distance_loss_at(nn_site site, nn_model *net, nn_node *anchor,
                                        nn_node *positive, nn_node *negative,
                                        const nn_triplet_margin_with_distance_desc *desc);
#define nn_triplet_margin_with_distance_loss(...)                                                  \
    nn_triplet_margin_with_distance_loss_at(NN_HERE, __VA_ARGS__)
