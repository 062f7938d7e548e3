/* ops/dropout.h - dropout of whole channels, and dropout for use with selu, which keeps mean and
   variance: torch.nn.Dropout1d, Dropout2d, Dropout3d, AlphaDropout, FeatureAlphaDropout. nn_dropout
   is in ops/pointwise.h. */
#pragma once

#include "graph/model.h"

/* These operations change x only in a trainer's steps; in other plans the result is x itself and
   costs nothing. Each step has a new mask. `probability` is that of dropping an element or a
   channel, in [0, 1]; PyTorch's default is 0.5. Dropped elements have a gradient of 0. */

/* Each channel of x (N, C, L) is 0 with this probability, else x / (1 - probability). x may also be
   (C, L), one sample without a batch. */
NN_API nn_node *nn_dropout1d_at(nn_site site, nn_model *net, nn_node *x, float probability);
#define nn_dropout1d(...) nn_dropout1d_at(NN_HERE, __VA_ARGS__)
/* Does the same for x (N, C, H, W). As in PyTorch, a shape of three extents is (N, C, L). */
NN_API nn_node *nn_dropout2d_at(nn_site site, nn_model *net, nn_node *x, float probability);
#define nn_dropout2d(...) nn_dropout2d_at(NN_HERE, __VA_ARGS__)
/* Does the same for x (N, C, D, H, W) or (C, D, H, W). */
NN_API nn_node *nn_dropout3d_at(nn_site site, nn_model *net, nn_node *x, float probability);
#define nn_dropout3d(...) nn_dropout3d_at(NN_HERE, __VA_ARGS__)

/* Dropped elements become -1.7580993, the least value of nn_selu; then all are scaled and shifted
   so that mean and variance stay. Source: Klambauer et al., 2017. A probability of 1 gives 0, as in
   PyTorch. */
NN_API nn_node *nn_alpha_dropout_at(nn_site site, nn_model *net, nn_node *x, float probability);
#define nn_alpha_dropout(...) nn_alpha_dropout_at(NN_HERE, __VA_ARGS__)
/* Does the same for whole channels of x (N, C, ...). */
NN_API nn_node *nn_feature_alpha_dropout_at(nn_site site, nn_model *net, nn_node *x,
                                            float probability);
#define nn_feature_alpha_dropout(...) nn_feature_alpha_dropout_at(NN_HERE, __VA_ARGS__)
