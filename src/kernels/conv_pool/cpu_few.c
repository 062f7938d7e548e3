/* kernels/conv_pool/cpu_few.c - what kernels/conv_pool/cpu_few.h says, but for its vectors: which
   blocks go that way, and their weights. */
#include "kernels/conv_pool/cpu_few.h"

#if !defined(NN_NO_REPORTS) && !defined(NN_NO_SIMD)

#define NN__CONV_POOL_FEW_LEAST                                                                    \
    4 /* output channels: for fewer, points are not worth their sums                               \
       */

NN_PRIVATE bool nn__conv_pool_few_suits(const nn__conv_pool_set *set, const nn_conv_pool_args *g) {
    const int32_t *weight = g->weight.shape.extent;
    return set && set->few && !g->direct && weight[2] == 3 && weight[3] == 3 &&
           weight[1] <= NN__CONV_POOL_CHANNELS && weight[0] >= NN__CONV_POOL_FEW_LEAST;
}

NN_PRIVATE size_t nn__conv_pool_few_points(int channels) {
    return (size_t)(NN__CONV_POOL_POINTS * NN__CONV_POOL_LANES) * (size_t)channels;
}

NN_PRIVATE size_t nn__conv_pool_few_weight_floats(int channels, int rows) {
    const int tiles = nn__ceil_div(rows, NN__CONV_POOL_ROWS);
    return (size_t)(NN__CONV_POOL_POINTS * NN__CONV_POOL_ROWS * tiles) * (size_t)channels;
}

/* Three numbers of one axis, to four. */
static void nn__conv_pool_few_four(const float *from, int step, float to[4]) {
    const float half = 0.5f * (from[0] + from[2 * step]);
    to[0] = from[0];
    to[1] = half + 0.5f * from[step];
    to[2] = half - 0.5f * from[step];
    to[3] = -from[2 * step];
}

NN_PRIVATE void nn__conv_pool_few_weights(const float *weight, int rows, int channels, float *to) {
    for (int k = 0; k < rows; k++) {
        float *tile = to +
                      (ptrdiff_t)(k / NN__CONV_POOL_ROWS) * NN__CONV_POOL_POINTS *
                          NN__CONV_POOL_ROWS * channels +
                      k % NN__CONV_POOL_ROWS;
        for (int c = 0; c < channels; c++, weight += 9) {
            float part[12], point[4]; /* part: (column of taps, row of points) */
            for (int s = 0; s < 3; s++) nn__conv_pool_few_four(weight + s, 3, part + 4 * s);
            for (int i = 0; i < 4; i++) {
                nn__conv_pool_few_four(part + i, 4, point);
                for (int j = 0; j < 4; j++)
                    tile[(NN__CONV_POOL_POINTS * c + 4 * i + j) * NN__CONV_POOL_ROWS] = point[j];
            }
        }
    }
}

#undef NN__CONV_POOL_FEW_LEAST
#endif

typedef int nn__conv_pool_few_part; /* a part must not be empty under NN_NO_SIMD */
