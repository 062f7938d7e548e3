/* kernels/conv_pool/cpu_few.c - what kernels/conv_pool/cpu_few.h says, but for its vectors: which
   blocks go that way, their weights, and the gradient of these. */
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
                    tile[((4 * i + j) * channels + c) * NN__CONV_POOL_ROWS] = point[j];
            }
        }
    }
}

/* ---- backward_weight ------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING

#define NN__CONV_POOL_FEW_VECTORS 64 /* of windows, whose points stay in the second cache */
#define NN__CONV_POOL_FEW_AHEAD   4  /* output channels */

/* The sums of a unit. */
typedef struct nn__conv_pool_few {
    const nn__conv_pool_set *set;
    const nn_conv_pool_args *g;
    nn__conv_pool_cut cut; /* of a block: as many rows of windows as their points fit a cache */
    int k, rows;           /* output channels [k, k + rows) */
    float *band, *points, *sums;
} nn__conv_pool_few;

/* Gray and coloured pictures whose windows fill three quarters of their vectors or more. */
NN_PRIVATE bool nn__conv_pool_few_gathers(const nn__cpu *cpu, const nn_conv_pool_args *g) {
    const nn__conv_pool_set *set = nn__conv_pool_set_of(cpu);
    const int width = g->y.shape.extent[3], C = g->weight.shape.extent[1];
    return nn__conv_pool_few_suits(set, g) && set->gather &&
           (C == 1 || C == NN__CONV_POOL_GATHERED) &&
           width * 4 >= nn__ceil_div(width, set->lanes) * set->lanes * 3;
}

static int nn__conv_pool_few_vectors(const nn__conv_pool_cut *cut) {
    return nn__ceil_div(cut->conv.w.outputs, cut->set->lanes);
}

static nn__conv_pool_cut nn__conv_pool_few_cut(const nn__cpu *cpu, const nn_conv_pool_args *g) {
    nn__conv_pool_cut cut = nn__conv_pool_make_cut(cpu, g);
    cut.outputs = nn__maxi(1, nn__mini(NN__CONV_POOL_FEW_VECTORS / nn__conv_pool_few_vectors(&cut),
                                       cut.conv.h.outputs));
    cut.plane = nn__conv_plane(&cut.conv, cut.outputs);
    cut.channel = nn__conv_channel(&cut.conv, cut.outputs);
    cut.band_floats =
        nn__align_up((size_t)cut.channel * (size_t)cut.conv.channels + 2 * NN__CONV_POOL_LANES, 16);
    return cut;
}

/* Of one output channel: of each point and channel a vector, and one for the bias. */
static size_t nn__conv_pool_few_sums(const nn__conv_pool_cut *cut) {
    return (size_t)(NN__CONV_POOL_POINTS * cut->conv.channels + 1) * NN__CONV_POOL_LANES;
}

/* Of one row of the points of all windows of a block. */
static size_t nn__conv_pool_few_row(const nn__conv_pool_cut *cut) {
    return nn__conv_pool_few_points(cut->conv.channels) / 4 *
           (size_t)(cut->outputs * nn__conv_pool_few_vectors(cut));
}

/* Sums are made of two output channels at a time: the last one may have nobody beside it. */
static size_t nn__conv_pool_few_all_sums(const nn__conv_pool_cut *cut, int rows) {
    return (size_t)(rows + 1) * nn__conv_pool_few_sums(cut);
}

NN_PRIVATE size_t nn__conv_pool_few_own(const nn__cpu *cpu, const nn_conv_pool_args *g, int rows) {
    const nn__conv_pool_cut cut = nn__conv_pool_few_cut(cpu, g);
    return (cut.band_floats + 4 * nn__conv_pool_few_row(&cut) +
            nn__conv_pool_few_all_sums(&cut, rows)) *
           sizeof(float);
}

static void nn__conv_pool_few_begin(nn__conv_pool_few *few, const nn__cpu *cpu,
                                    const nn_conv_pool_args *g, int k, int rows, float *own) {
    few->cut = nn__conv_pool_few_cut(cpu, g);
    few->set = few->cut.set;
    few->g = g;
    few->k = k;
    few->rows = rows;
    few->points = own;
    few->sums = few->points + 4 * nn__conv_pool_few_row(&few->cut);
    few->band = few->sums + nn__conv_pool_few_all_sums(&few->cut, rows);
    memset(few->sums, 0, nn__conv_pool_few_all_sums(&few->cut, rows) * sizeof(float));
    /* vectors read on behind the last windows: a NaN there would not vanish beside a 0 */
    memset(few->band, 0, few->cut.band_floats * sizeof(float));
}

/* All points of a block; then one row of them after the other, for all output channels. */
static void nn__conv_pool_few_block(nn__conv_pool_few *few, int n, int t, int rows) {
    const nn__conv_pool_cut *cut = &few->cut;
    const nn_conv_pool_args *g = few->g;
    const int C = cut->conv.channels, width = cut->conv.w.outputs, lanes = cut->set->lanes;
    const nn__conv_pool_split_band band = {C, cut->channel, cut->plane, cut->conv.row};
    const ptrdiff_t y_plane = (ptrdiff_t)cut->conv.h.outputs * width,
                    row = (ptrdiff_t)nn__conv_pool_few_row(cut);
    const size_t sums = nn__conv_pool_few_sums(cut);
    nn__conv_pool_gathered m;
    float *points = few->points;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < width; j += lanes, points += NN__CONV_POOL_POINTS / 4 * lanes * C)
            few->set->points(&band, few->band + (ptrdiff_t)i * cut->conv.row + j, points, row);
    m.next_sums = (ptrdiff_t)sums;
    m.ahead = NN__CONV_POOL_FEW_AHEAD * y_plane;
    m.channels = C;
    m.rows = rows;
    m.width = width;
    m.relu = g->epilogue.activation == NN_ACTIVATION_RELU;
    for (m.row = 0; m.row < 4; m.row++)
        for (int k = 0; k < few->rows; k += 2) {
            const ptrdiff_t from =
                ((ptrdiff_t)n * cut->conv.rows + few->k + k) * y_plane + (ptrdiff_t)t * width;
            m.points = few->points + m.row * row;
            m.dy = nn__f32(&g->dy) + from;
            m.y = nn__f32(&g->y) + from;
            m.place = (const uint8_t *)g->place.handle + g->place.offset + from;
            m.next = k + 1 < few->rows ? y_plane : 0; /* twice the last one: one is not read */
            m.total = few->sums + (size_t)k * sums;
            m.sums = m.total + NN__CONV_POOL_LANES * (1 + m.row * NN__CONV_POOL_POINTS / 4 * C);
            few->set->gather(&m);
        }
}

/* Four numbers of one axis, to three. */
static void nn__conv_pool_few_collect(const float *from, int step, float *to, int to_step) {
    const float half = 0.5f * (from[step] + from[2 * step]);
    to[0] = from[0] + half;
    to[to_step] = 0.5f * (from[step] - from[2 * step]);
    to[2 * to_step] = half - from[3 * step];
}

/* The sums of vectors and points, to taps. */
static void nn__conv_pool_few_end(const nn__conv_pool_few *few, float *taps, ptrdiff_t tap_row,
                                  float *bias) {
    const int C = few->cut.conv.channels;
    const size_t sums = nn__conv_pool_few_sums(&few->cut);
    float point[NN__CONV_POOL_POINTS * NN__CONV_POOL_GATHERED + 1], part[12], tap[9];
    for (int k = 0; k < few->rows; k++, taps += 3 * tap_row) {
        few->set->add_up(few->sums + (size_t)k * sums, NN__CONV_POOL_POINTS * C + 1, point);
        bias[k] = point[0];
        for (int c = 0; c < C; c++) {
            const float *at = point + 1 + c; /* (point, channel) */
            for (int j = 0; j < 4; j++) nn__conv_pool_few_collect(at + j * C, 4 * C, part + j, 4);
            for (int r = 0; r < 3; r++) {
                nn__conv_pool_few_collect(part + 4 * r, 1, tap + 3 * r, 1);
                for (int s = 0; s < 3; s++) taps[r * tap_row + s * C + c] = tap[3 * r + s];
            }
        }
    }
}

NN_PRIVATE void nn__conv_pool_few_sum(const nn__cpu *cpu, const nn_conv_pool_args *g, int k,
                                      int rows, int64_t from, int64_t to, float *taps,
                                      ptrdiff_t tap_row, float *bias, float *own) {
    nn__conv_pool_few few;
    nn__conv_pool_few_begin(&few, cpu, g, k, rows, own);
    const nn__conv_axis *h = &few.cut.conv.h;
    const ptrdiff_t picture = (ptrdiff_t)few.cut.conv.channels * h->source * few.cut.conv.w.source;
    while (from < to) {
        const int n = (int)(from / h->outputs), t = (int)(from % h->outputs),
                  rest = (int)nn__min64(h->outputs - t, to - from),
                  some = nn__mini(few.cut.outputs, rest);
        nn__conv_pool_split(&few.cut, nn__f32(&g->x) + n * picture, t, some, few.band);
        nn__conv_pool_few_block(&few, n, t, some);
        from += some;
    }
    nn__conv_pool_few_end(&few, taps, tap_row, bias);
}

#undef NN__CONV_POOL_FEW_VECTORS
#undef NN__CONV_POOL_FEW_AHEAD
#endif
#undef NN__CONV_POOL_FEW_LEAST
#endif

typedef int nn__conv_pool_few_part; /* a part must not be empty under NN_NO_SIMD */
