/* ops/shuffle.h - moves elements between channels and space: reshapes around one permutation. The
   elements are copied once, and their gradients once. Any dtype. */
#pragma once

#include "graph/model.h"

/* torch.nn.PixelShuffle: x (..., C factor factor, H, W) to y (..., C, H factor, W factor); the
   channel c factor factor + i factor + j becomes row i and column j of each block of y. */
NN_API nn_node *nn_pixel_shuffle_at(nn_site site, nn_model *net, nn_node *x, int factor);
#define nn_pixel_shuffle(...) nn_pixel_shuffle_at(NN_HERE, __VA_ARGS__)
/* torch.nn.PixelUnshuffle, which undoes it: x (..., C, H, W) to y (..., C factor factor,
   H / factor, W / factor); factor divides H and W. */
NN_API nn_node *nn_pixel_unshuffle_at(nn_site site, nn_model *net, nn_node *x, int factor);
#define nn_pixel_unshuffle(...) nn_pixel_unshuffle_at(NN_HERE, __VA_ARGS__)
/* torch.nn.ChannelShuffle: transposes the channels of x (N, C, ...), seen as (groups, C / groups);
   groups divides C. */
NN_API nn_node *nn_channel_shuffle_at(nn_site site, nn_model *net, nn_node *x, int groups);
#define nn_channel_shuffle(...) nn_channel_shuffle_at(NN_HERE, __VA_ARGS__)
