/* kernels/conv_pool/cpu_gather.c - the gradient of the weights of 3 x 3 filters with few channels,
   without lists of maxima: it takes 16 neighbouring windows in a vector.

   Along a row this is Winograd's F(2, 3). Only the column with the maximum has a gradient, d. Of
   the four points that a row of x has in a window
     0: x0 - x2    1: x1 + x2    2: x2 - x1    3: x1 - x3
   a maximum on the left multiplies them by d, d, d, 0, and one on the right by 0, d, -d, d. Along
   the columns a mask for each window chooses the row of x by the row of the maximum. So 12 products
   do the work of 36. The sums of points become taps at the end:
     tap 0: s0 + (s1 + s2) / 2    1: (s1 - s2) / 2    2: (s1 + s2) / 2 - s3
   With vectors of fewer lanes, lists are as fast. The algorithm makes the training of W1 5 %
   shorter. */
#include "kernels/conv_pool/cpu.h"
#include "cpu/gemm.h"

#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_TRAINING) && NN__HAS_AVX512

#define NN__GATHER_CHANNELS 3  /* most channels of x: with more of them lists are faster */
#define NN__GATHER_VECTORS  64 /* most vectors of windows: their points stay in the L2 cache */
#define NN__GATHER_AHEAD    4  /* distance of prefetching, in output channels */

/* True if, among other things, the windows of a row fill three quarters of their vectors or
   more. */
NN_PRIVATE bool nn__conv_pool_gathers(const nn__cpu *cpu, const nn_conv_pool_args *g) {
    const int32_t *weight = g->weight.shape.extent;
    const nn__conv_pool_loops *loops = nn__conv_pool_loops_of(cpu);
    const int width = g->y.shape.extent[3];
    return loops->gather && !g->direct && weight[1] <= NN__GATHER_CHANNELS && weight[2] == 3 &&
           weight[3] == 3 && g->padding_w <= 1 &&
           width * 4 >= nn__ceil_div(width, loops->lanes) * loops->lanes * 3;
}

/* The memory of a worker, for `rows` output channels. */
typedef struct nn__conv_pool_gather_room {
    nn__conv_pool_gather at; /* as many rows of windows as have points that fit into the cache */
    float *points, *sums;
    size_t channel, row_sums, floats; /* floats: a channel's points, a row's sums, everything */
} nn__conv_pool_gather_room;

static nn__conv_pool_gather_room nn__conv_pool_gather_make(const nn__cpu *cpu,
                                                           const nn_conv_pool_args *g, int rows,
                                                           float *own) {
    nn__conv_pool_gather_room s;
    const nn__conv_pool_loops *loops = nn__conv_pool_loops_of(cpu);
    const int lanes = loops->lanes, height = g->y.shape.extent[2];
    const size_t C = (size_t)g->x.shape.extent[1];
    float *to = own;
    s.at.width = g->y.shape.extent[3];
    s.at.vectors = nn__ceil_div(s.at.width, lanes);
    s.at.rows = nn__maxi(1, nn__mini(NN__GATHER_VECTORS / s.at.vectors, height));
    const size_t vectors = (size_t)(s.at.rows * s.at.vectors * 2),
                 masks = vectors * 4 * (size_t)loops->mask_bytes / sizeof(float);
    s.channel = (size_t)((2 * s.at.rows + 2) * 4 * s.at.vectors * lanes);
    s.row_sums = (12 * C + 1) * (size_t)lanes;
    s.floats = s.channel * C + vectors * (size_t)lanes + masks +
               (size_t)nn__ceil_div(rows, 2) * 2 * s.row_sums;
    if (!own) return s;
    s.points = to, to += s.channel * C;
    s.at.taken = to, to += vectors * (size_t)lanes;
    s.at.masks = to, to += masks;
    s.sums = to;
    s.at.next_sums = (ptrdiff_t)s.row_sums;
    return s;
}

NN_PRIVATE size_t nn__conv_pool_gather_own(const nn__cpu *cpu, const nn_conv_pool_args *g,
                                           int rows) {
    return nn__conv_pool_gather_make(cpu, g, rows, NULL).floats * sizeof(float);
}

/* Computes the points of all rows of x that rows [t, t + rows) of windows of image n read. */
static void nn__conv_pool_gather_points(const nn__cpu *cpu, const nn__conv_pool_gather_room *s,
                                        const nn_conv_pool_args *g, int n, int t) {
    const nn__conv_pool_loops *loops = nn__conv_pool_loops_of(cpu);
    const int C = g->x.shape.extent[1], H = g->x.shape.extent[2], W = g->x.shape.extent[3],
              line = s->at.vectors * loops->lanes;
    for (int c = 0; c < C; c++)
        for (int q = 0; q < 2 * s->at.rows + 2; q++) {
            const int64_t h = 2 * (int64_t)t - g->padding_h + q;
            const float *x = nn__f32(&g->x) + (((int64_t)n * C + c) * H + h) * W;
            float *to = s->points + (size_t)c * s->channel + (ptrdiff_t)q * 4 * line;
            if (h < 0 || h >= H) {
                memset(to, 0, (size_t)(4 * line) * sizeof(float));
                continue;
            }
            nn__gemm_ahead(x + 512, W); /* the processor's prefetcher stops at each page */
            loops->line_points(x, g->padding_w, W, s->at.vectors, to);
        }
}

/* Adds the lanes of the sums and transforms them into taps. */
static void nn__conv_pool_gather_end(const nn__cpu *cpu, const nn__conv_pool_gather_room *s, int C,
                                     int rows, float *taps, ptrdiff_t tap_row, float *bias) {
    float sum[12 * NN__GATHER_CHANNELS + 1];
    for (int k = 0; k < rows; k++, taps += 3 * tap_row) {
        nn__conv_pool_loops_of(cpu)->add_up(s->sums + (size_t)k * s->row_sums, 12 * C + 1, sum);
        bias[k] = sum[0];
        for (int c = 0; c < C; c++)
            for (int r = 0; r < 3; r++) {
                const float *at = sum + 1 + c * 12 + 4 * r, half = 0.5f * (at[1] + at[2]);
                float *to = taps + r * tap_row + c;
                to[0] = at[0] + half;
                to[C] = 0.5f * (at[1] - at[2]);
                to[2 * C] = half - at[3];
            }
    }
}

/* Takes two output channels at a time. If their number is odd, the last one is computed twice. */
NN_PRIVATE void nn__conv_pool_gather_sum(const nn__cpu *cpu, const nn_conv_pool_args *g, int k,
                                         int rows, int64_t from, int64_t to, float *taps,
                                         ptrdiff_t tap_row, float *bias, float *own) {
    const nn__conv_pool_loops *loops = nn__conv_pool_loops_of(cpu);
    const int C = g->x.shape.extent[1], height = g->y.shape.extent[2];
    nn__conv_pool_gather_room s = nn__conv_pool_gather_make(cpu, g, rows, own);
    const int most = s.at.rows;
    memset(s.sums, 0, (size_t)nn__ceil_div(rows, 2) * 2 * s.row_sums * sizeof(float));
    for (; from < to; from += s.at.rows) {
        const int n = (int)(from / height), t = (int)(from % height);
        s.at.rows = nn__mini(most, (int)nn__min64(height - t, to - from));
        nn__conv_pool_gather_points(cpu, &s, g, n, t);
        for (int i = 0; i < rows; i += 2) {
            float *total = s.sums + (size_t)i * s.row_sums;
            for (int e = 0; e < 2; e++) {
                const nn__conv_pool_maxima m = nn__conv_pool_maxima_of(
                    g, n, k + nn__mini(i + e, rows - 1), t * s.at.width, s.at.rows * s.at.width,
                    NN__GATHER_AHEAD);
                loops->take(&s.at, &m, e, total + (size_t)e * s.row_sums);
            }
            for (int c = 0; c < C; c++) {
                s.at.points = s.points + (size_t)c * s.channel;
                s.at.sums = total + (size_t)(1 + c * 12) * (size_t)loops->lanes;
                loops->gather(&s.at);
            }
        }
    }
    nn__conv_pool_gather_end(cpu, &s, C, rows, taps, tap_row, bias);
}

#undef NN__GATHER_CHANNELS
#undef NN__GATHER_VECTORS
#undef NN__GATHER_AHEAD
#endif

typedef int nn__conv_pool_gather_part; /* a part must not be empty on other machines */
