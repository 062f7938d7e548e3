/* kernels/conv_pool/cpu_few.h - blocks of 3 x 3 taps and few channels, by Winograd's
   F(2 x 2, 3 x 3): a tile of it has 2 x 2 outputs, and here that is a window.

   Of one axis, with a sign less than usual, which then is the weights':
     B^T  0: x0 - x2    1: x1 + x2    2: x2 - x1    3: x1 - x3
     G    0: g0         1: (g0 + g1 + g2) / 2    2: (g0 - g1 + g2) / 2    3: -g2
     A^T  y0 = m0 + (m1 + m2)    y1 = (m1 - m2) + m3
   Of a vector of windows side by side the 16 points (i, j) of each channel are 32 additions, for
   all output channels; each of these takes 16 products instead of 36. */
#pragma once

#include "kernels/conv_pool/cpu.h"

#define NN__CONV_POOL_POINTS 16
#define NN__CONV_POOL_CHANNELS                                                                     \
    16 /* of x, at most: the points of a vector lie in the first cache                             \
        */

#if !defined(NN_NO_REPORTS) && !defined(NN_NO_SIMD)
/* Whether a block goes this way forward; floats of the points of a vector of windows, and of the
   weights of `rows` output channels. */
NN_PRIVATE bool nn__conv_pool_few_suits(const nn__conv_pool_set *set, const nn_conv_pool_args *g);
NN_PRIVATE size_t nn__conv_pool_few_points(int channels);
NN_PRIVATE size_t nn__conv_pool_few_weight_floats(int channels, int rows);
/* to: of each NN__CONV_POOL_ROWS output channels (channel, point, output channel). weight: (rows,
   channels, 3, 3) */
NN_PRIVATE void nn__conv_pool_few_weights(const float *weight, int rows, int channels, float *to);
#else
#define nn__conv_pool_few_suits(set, g)                       ((void)(set), (void)(g), false)
#define nn__conv_pool_few_points(channels)                    ((void)(channels), (size_t)0)
#define nn__conv_pool_few_weight_floats(channels, rows)       ((size_t)0)
#define nn__conv_pool_few_weights(weight, rows, channels, to) ((void)(to))
#endif
