/* kernels/conv_pool/cpu_quads.c - what kernels/conv_pool/cpu_quads.h says, but for its vectors: the
   points of the weights, and a picture parted into even and odd columns and rows. */
#include "kernels/conv_pool/cpu_quads.h"

#ifndef NN_NO_SIMD

#define NN__QUADS_AHEAD 512         /* numbers of x */

NN_PRIVATE size_t nn__quads_points(int channels) {
    return (size_t)(NN__QUAD_POINTS * NN__QUAD_LANES) * (size_t)channels;
}

NN_PRIVATE size_t nn__quads_weight_floats(int channels, int rows) {
    return (size_t)(NN__QUAD_POINTS * NN__QUAD_ROWS * nn__ceil_div(rows, NN__QUAD_ROWS)) *
           (size_t)channels;
}

/* Three numbers of one axis, to four. */
static void nn__quads_four(const float *from, ptrdiff_t step, float to[4]) {
    const float half = 0.5f * (from[0] + from[2 * step]);
    to[0] = from[0];
    to[1] = half + 0.5f * from[step];
    to[2] = half - 0.5f * from[step];
    to[3] = -from[2 * step];
}

NN_PRIVATE void nn__quads_weights(const float *weight, int rows, int channels, ptrdiff_t row,
                                  ptrdiff_t channel, ptrdiff_t tap, float *to) {
    for (int k = 0; k < rows; k++)
        for (int c = 0; c < channels; c++) {
            const float *from = weight + k * row + c * channel;
            float *tile = to + k % NN__QUAD_ROWS +
                          (ptrdiff_t)(k / NN__QUAD_ROWS) * NN__QUAD_POINTS * NN__QUAD_ROWS *
                              channels;
            float part[12], point[4]; /* part: (column of taps, row of points) */
            for (int s = 0; s < 3; s++) nn__quads_four(from + s * tap, 3 * tap, part + 4 * s);
            for (int i = 0; i < 4; i++) {
                nn__quads_four(part + i, 4, point);
                for (int j = 0; j < 4; j++)
                    tile[(NN__QUAD_POINTS * c + 4 * i + j) * NN__QUAD_ROWS] = point[j];
            }
        }
}

NN_PRIVATE void nn__quads_split(const nn__quads_set *set, const nn__conv *conv,
                                const nn__quad_band *b, const float *x, int t, int outputs,
                                float *band) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    const int rows = outputs + h->reach / 2, n = (int)b->row;
    for (int c = 0; c < b->channels; c++, x += (ptrdiff_t)h->source * w->source)
        for (int q = 0; q < 2 * rows; q++) {
            const int64_t at = 2 * (int64_t)t + q + h->low;
            float *even = band + c * b->channel + 2 * (q & 1) * b->plane + (q >> 1) * b->row,
                  *odd = even + b->plane;
            if (at < 0 || at >= h->source) {
                memset(even, 0, (size_t)n * sizeof(float));
                memset(odd, 0, (size_t)n * sizeof(float));
                continue;
            }
            /* the machine's own reading ahead ends at each page */
            nn__gemm_ahead(x + at * w->source + NN__QUADS_AHEAD, w->source);
            set->split(even, odd, x + at * w->source, w->low, w->source, n);
        }
}

#undef NN__QUADS_AHEAD
#endif

typedef int nn__conv_pool_quads_part; /* a part must not be empty under NN_NO_SIMD */
