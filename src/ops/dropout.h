/* ops/dropout.h - dropout of whole channels, and dropout that keeps mean and variance behind a
   selu: torch.nn.Dropout1d, Dropout2d, Dropout3d, AlphaDropout, FeatureAlphaDropout. nn_dropout
   stands in ops/pointwise.h. */
#pragma once

#include "graph/model.h"

/* All of them change x in steps of a trainer only; elsewhere the result is x itself and costs
   nothing. Each step has a mask of its own, and `probability` is that of a number, or of a channel,
   to be dropped: in [0, 1], PyTorch's default is 0.5. What is dropped has a gradient of 0. */

/* Each channel of x (N, C, L) is zero with that probability, else x / (1 - probability). x may also
   be (C, L), a sample without a batch. */
NN_API nn_node *nn_dropout1d_at(nn_site site, nn_model *net, nn_node *x, float probability);
#define nn_dropout1d(...) nn_dropout1d_at(NN_HERE, __VA_ARGS__)
/* The same for x (N, C, H, W). As in PyTorch three extents are (N, C, L) here too. */
NN_API nn_node *nn_dropout2d_at(nn_site site, nn_model *net, nn_node *x, float probability);
#define nn_dropout2d(...) nn_dropout2d_at(NN_HERE, __VA_ARGS__)
/* The same for x (N, C, D, H, W) or (C, D, H, W). */
NN_API nn_node *nn_dropout3d_at(nn_site site, nn_model *net, nn_node *x, float probability);
#define nn_dropout3d(...) nn_dropout3d_at(NN_HERE, __VA_ARGS__)

/* What is dropped becomes -1.7580993, the least that nn_selu gives, and all is scaled and moved so
   that mean and variance stay: Klambauer et al., 2017. A probability of 1 gives 0, as PyTorch. */
NN_API nn_node *nn_alpha_dropout_at(nn_site site, nn_model *net, nn_node *x, float probability);
#define nn_alpha_dropout(...) nn_alpha_dropout_at(NN_HERE, __VA_ARGS__)
/* The same for whole channels of x (N, C, ...). */
NN_API nn_node *nn_feature_alpha_dropout_at(nn_site site, nn_model *net, nn_node *x,
                                            float probability);
#define nn_feature_alpha_dropout(...) nn_feature_alpha_dropout_at(NN_HERE, __VA_ARGS__)
