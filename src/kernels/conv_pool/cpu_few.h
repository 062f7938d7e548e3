/* kernels/conv_pool/cpu_few.h - blocks of 3 x 3 taps and few channels, by Winograd's
   F(2 x 2, 3 x 3): a tile of it has 2 x 2 outputs, and here that is a window.

   Of one axis, with a sign less than usual, which then is the weights':
     B^T  0: x0 - x2    1: x1 + x2    2: x2 - x1    3: x1 - x3
     G    0: g0         1: (g0 + g1 + g2) / 2    2: (g0 - g1 + g2) / 2    3: -g2
     A^T  y0 = m0 + (m1 + m2)    y1 = (m1 - m2) + m3
   Of a vector of windows side by side the 16 points (i, j) of each channel are 32 additions, for
   all output channels; each of these takes 16 products instead of 36. The gradient of the weights
   needs 16 products as well, whichever of the four places was the largest: with d its gradient,
     place (a, b) gives point (i, j)  d e(i, a) e(j, b),  e(0) = 1 0, e(1) = 1 1, e(2) = 1 -1, e(3)
   = 0 1 so that a point is left out or has one of two signs, and no list of maxima is needed. Sums
   of points become taps by G at the very end. */
#pragma once

#include "kernels/conv_pool/cpu.h"

#define NN__CONV_POOL_POINTS 16
#define NN__CONV_POOL_CHANNELS                                                                     \
    16 /* of x, at most: the points of a vector lie in the first cache                             \
        */
#define NN__CONV_POOL_GATHERED                                                                     \
    3 /* or 1: the same for the gradient of the weights, by its registers */

#if !defined(NN_NO_REPORTS) && !defined(NN_NO_SIMD)
/* Whether a block goes this way forward; floats of the points of a vector of windows, and of the
   weights of `rows` output channels. */
NN_PRIVATE bool nn__conv_pool_few_suits(const nn__conv_pool_set *set, const nn_conv_pool_args *g);
NN_PRIVATE size_t nn__conv_pool_few_points(int channels);
NN_PRIVATE size_t nn__conv_pool_few_weight_floats(int channels, int rows);
/* to: of each NN__CONV_POOL_ROWS output channels (point, channel, output channel). weight: (rows,
   channels, 3, 3) */
NN_PRIVATE void nn__conv_pool_few_weights(const float *weight, int rows, int channels, float *to);

#ifndef NN_NO_TRAINING
/* Whether the gradient of the weights does, bytes of a worker that makes it for `rows` output
   channels, and the sums themselves: of output channels [k, k + rows) and of rows [from, to) of the
   windows of all pictures, counted on from one picture to the next.
   taps: of each output channel three rows of taps (tap, channel), `tap_row` apart; bias: of each */
NN_PRIVATE bool nn__conv_pool_few_gathers(const nn__cpu *cpu, const nn_conv_pool_args *g);
NN_PRIVATE size_t nn__conv_pool_few_own(const nn__cpu *cpu, const nn_conv_pool_args *g, int rows);
NN_PRIVATE void nn__conv_pool_few_sum(const nn__cpu *cpu, const nn_conv_pool_args *g, int k,
                                      int rows, int64_t from, int64_t to, float *taps,
                                      ptrdiff_t tap_row, float *bias, float *own);
#endif
#else
#define nn__conv_pool_few_suits(set, g)                       ((void)(set), (void)(g), false)
#define nn__conv_pool_few_points(channels)                    ((void)(channels), (size_t)0)
#define nn__conv_pool_few_weight_floats(channels, rows)       ((size_t)0)
#define nn__conv_pool_few_weights(weight, rows, channels, to) ((void)(to))
#define nn__conv_pool_few_gathers(cpu, g)                     ((void)(cpu), (void)(g), false)
#define nn__conv_pool_few_own(cpu, g, rows)                   ((size_t)0)
#define nn__conv_pool_few_sum(cpu, g, k, rows, from, to, taps, tap_row, bias, own)                 \
    ((void)(cpu), (void)(from), (void)(to), (void)(own))
#endif
