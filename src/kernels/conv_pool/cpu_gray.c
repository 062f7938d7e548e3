/* kernels/conv_pool/cpu_gray.c - the gradient of the weights of a block of 3 x 3 taps whose picture
   has one channel, by the points of kernels/conv_pool/cpu_quads.h. The sums of all 16 points of an
   output channel fit the registers, so that what was the largest is looked at once; and windows
   follow each other without a gap where a row of them ends, as they do in memory. Only with
   AVX-512, which has so many registers. */
#include "kernels/conv_pool/cpu_gray.h"
#include "kernels/conv_pool/cpu_few.h"
#include "kernels/conv_pool/cpu_gather.h"

#if defined(NN__VECTOR16) && !defined(NN_NO_REPORTS) && !defined(NN_NO_TRAINING)

#define NN__GRAY_WINDOWS 400 /* of a block, at most: their points stay in the first cache */
/* Floats from one point's windows to the next's: as many, and two vectors; lines odd in number. */
#define NN__GRAY_STEP    432
#define NN__GRAY_LANES   16
#define NN__GRAY_SUMS    (NN__QUAD_POINTS + 1) /* vectors of an output channel: bias, points */

/* As in cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/* Some windows of one output channel. */
typedef struct nn__gray_windows {
    const float *points; /* (point, NN__GRAY_STEP) */
    const float *dy, *y;
    const uint8_t *place;
    float *sums; /* (NN__GRAY_SUMS, lanes), to which they are added */
    int count;
    bool relu;
} nn__gray_windows;

#define NN__GRAY_ROW(X, i) X(i, 0) X(i, 1) X(i, 2) X(i, 3)
#define NN__GRAY_POINTS(X)                                                                         \
    NN__GRAY_ROW(X, 0) NN__GRAY_ROW(X, 1) NN__GRAY_ROW(X, 2) NN__GRAY_ROW(X, 3)

/* Gradients d of the four columns of points: of those whose maximum was not on the right, of all,
   of all with a sign, of those where it was. */
#define NN__GRAY_FOUR(i, d)                                                                        \
    {                                                                                              \
        const float *p = x + 4 * i * NN__GRAY_STEP;                                                \
        const __m512 d3 = _mm512_maskz_mov_ps(right, d), d0 = _mm512_sub_ps(d, d3),                \
                     d2 = _mm512_sub_ps(d0, d3);                                                   \
        s##i##0 = _mm512_mask3_fmadd_ps(_mm512_loadu_ps(p), d0, s##i##0, live);                    \
        s##i##1 = _mm512_mask3_fmadd_ps(_mm512_loadu_ps(p + NN__GRAY_STEP), d, s##i##1, live);     \
        s##i##2 =                                                                                  \
            _mm512_mask3_fmadd_ps(_mm512_loadu_ps(p + 2 * NN__GRAY_STEP), d2, s##i##2, live);      \
        s##i##3 =                                                                                  \
            _mm512_mask3_fmadd_ps(_mm512_loadu_ps(p + 3 * NN__GRAY_STEP), d3, s##i##3, live);      \
    }

static NN__AVX512 void nn__gray_gather(const nn__gray_windows *w) {
    const __m512i one = _mm512_set1_epi32(1), two = _mm512_set1_epi32(2);
    __m512 total = _mm512_loadu_ps(w->sums);
#define NN__X(i, j) __m512 s##i##j = _mm512_loadu_ps(w->sums + (1 + 4 * i + j) * NN__GRAY_LANES);
    NN__GRAY_POINTS(NN__X)
#undef NN__X
    for (int t = 0; t < w->count; t += NN__GRAY_LANES) {
        /* the last vector begins before, with lanes that are done */
        const int at = nn__mini(t, w->count - NN__GRAY_LANES);
        const float *x = w->points + at;
        const __m512i place =
            _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(w->place + at)));
        const __mmask16 right = _mm512_test_epi32_mask(place, one),
                        below = _mm512_test_epi32_mask(place, two);
        __mmask16 live = (__mmask16)(0xffffu << (t - at));
        if (w->relu)
            live = _mm512_mask_cmp_ps_mask(live, _mm512_loadu_ps(w->y + at), _mm512_setzero_ps(),
                                           _CMP_NLE_UQ);
        const __m512 d = _mm512_loadu_ps(w->dy + at), lower = _mm512_maskz_mov_ps(below, d),
                     upper = _mm512_sub_ps(d, lower), both = _mm512_sub_ps(upper, lower);
        live = _mm512_mask_cmp_ps_mask(live, d, _mm512_setzero_ps(), _CMP_NEQ_UQ);
        total = _mm512_mask_add_ps(total, live, total, d);
        NN__GRAY_FOUR(0, upper)
        NN__GRAY_FOUR(1, d)
        NN__GRAY_FOUR(2, both)
        NN__GRAY_FOUR(3, lower)
    }
    _mm512_storeu_ps(w->sums, total);
#define NN__X(i, j) _mm512_storeu_ps(w->sums + (1 + 4 * i + j) * NN__GRAY_LANES, s##i##j);
    NN__GRAY_POINTS(NN__X)
#undef NN__X
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/* What a worker has: a band, the points of a block with a vector before them, and sums. */
typedef struct nn__gray {
    nn__conv_pool_cut cut;
    int rows, columns; /* windows of a block */
    float *band, *points, *sums;
    size_t sum_floats;
} nn__gray;

static nn__gray nn__gray_make(const nn__cpu *cpu, const nn_conv_pool_args *g, int channels,
                              float *own) {
    nn__gray gray;
    nn__conv_pool_cut *cut = &gray.cut;
    *cut = nn__conv_pool_make_cut(cpu, g);
    gray.columns = nn__mini(cut->conv.w.outputs, NN__GRAY_WINDOWS);
    gray.rows = nn__mini(NN__GRAY_WINDOWS / gray.columns, cut->conv.h.outputs);
    cut->plane = nn__conv_plane(&cut->conv, gray.rows);
    cut->channel = nn__conv_channel(&cut->conv, gray.rows);
    cut->band_floats = nn__align_up((size_t)cut->channel + 2 * NN__CONV_POOL_LANES, 16);
    gray.sum_floats = (size_t)channels * NN__GRAY_SUMS * NN__GRAY_LANES;
    gray.sums = gray.band = gray.points = NULL;
    if (!own) return gray; /* only how large it is was asked */
    gray.sums = own;
    gray.band = own + gray.sum_floats;
    gray.points = gray.band + cut->band_floats + NN__GRAY_LANES;
    return gray;
}

/* The points of windows [j, j + columns) of some rows of the band, one behind the other. A vector
   has lanes too many at the end of a row, where the next row's come. */
static void nn__gray_fill(const nn__gray *gray, int rows, int j, int columns) {
    const nn__conv_pool_cut *cut = &gray->cut;
    const nn__quad_band band = nn__conv_pool_quads(cut);
    float some[NN__QUAD_POINTS * NN__GRAY_LANES];
    for (int i = 0; i < rows; i++)
        for (int q = 0; q < columns; q += NN__GRAY_LANES) {
            const float *from = gray->band + (ptrdiff_t)i * cut->conv.row + j + q;
            float *to = gray->points + (ptrdiff_t)i * columns + q;
            cut->quads->points(&band, from, some);
            for (int p = 0; p < NN__QUAD_POINTS; p++)
                memcpy(to + p * NN__GRAY_STEP, some + p * NN__GRAY_LANES,
                       NN__GRAY_LANES * sizeof(float));
        }
}

/* The windows of a block, from the `at`th of the first output channel on. */
static void nn__gray_block(const nn__gray *gray, const nn_conv_pool_args *g, ptrdiff_t at,
                           int channels, int count) {
    const ptrdiff_t plane = (ptrdiff_t)gray->cut.conv.h.outputs * gray->cut.conv.w.outputs;
    nn__gray_windows w;
    w.points = gray->points;
    w.sums = gray->sums;
    w.count = count;
    w.relu = g->epilogue.activation == NN_ACTIVATION_RELU;
    for (int k = 0; k < channels; k++, at += plane) {
        w.dy = nn__f32(&g->dy) + at;
        w.y = nn__f32(&g->y) + at;
        w.place = (const uint8_t *)g->place.handle + g->place.offset + at;
        nn__gray_gather(&w);
        w.sums += NN__GRAY_SUMS * NN__GRAY_LANES;
    }
}

/* Four numbers of one axis, to three. */
static void nn__gray_three(const float *from, int step, float *to, int to_step) {
    const float half = 0.5f * (from[step] + from[2 * step]);
    to[0] = from[0] + half;
    to[to_step] = 0.5f * (from[step] - from[2 * step]);
    to[2 * to_step] = half - from[3 * step];
}

NN_PRIVATE bool nn__gray_suits(const nn__cpu *cpu, const nn_conv_pool_args *g) {
    /* A block of less than a vector begins with windows that are done: there must be as many. */
    return g->weight.shape.extent[1] == 1 && nn__vectors16(cpu) &&
           nn__conv_pool_few_suits(nn__conv_pool_set_of(cpu), g) &&
           g->y.shape.extent[2] * g->y.shape.extent[3] >= NN__GRAY_LANES;
}

NN_PRIVATE size_t nn__gray_own(const nn__cpu *cpu, const nn_conv_pool_args *g, int channels) {
    const nn__gray gray = nn__gray_make(cpu, g, channels, NULL);
    return (gray.sum_floats + gray.cut.band_floats + NN__GRAY_LANES +
            NN__QUAD_POINTS * NN__GRAY_STEP) *
           sizeof(float);
}

NN_PRIVATE void nn__gray_sum(const nn__cpu *cpu, const nn_conv_pool_args *g, int k, int channels,
                             int64_t from, int64_t to, float *taps, ptrdiff_t tap_row, float *bias,
                             float *own) {
    const nn__gray gray = nn__gray_make(cpu, g, channels, own);
    const nn__conv *conv = &gray.cut.conv;
    const int height = conv->h.outputs, width = conv->w.outputs;
    memset(own, 0, nn__gray_own(cpu, g, channels)); /* vectors read more than was written */
    while (from < to) {
        const int n = (int)(from / height), t = (int)(from % height),
                  rows = nn__mini(gray.rows, (int)nn__min64(height - t, to - from));
        nn__conv_pool_split(&gray.cut,
                            nn__f32(&g->x) + (ptrdiff_t)n * conv->h.source * conv->w.source, t,
                            rows, gray.band);
        for (int j = 0; j < width; j += gray.columns) {
            const int columns = nn__mini(gray.columns, width - j);
            nn__gray_fill(&gray, rows, j, columns);
            nn__gray_block(&gray, g, (((ptrdiff_t)n * conv->rows + k) * height + t) * width + j,
                           channels, rows * columns);
        }
        from += rows;
    }
    for (int e = 0; e < channels; e++, taps += 3 * tap_row) {
        float point[NN__GRAY_SUMS], part[12];
        nn__conv_pool_add_up16(gray.sums + (ptrdiff_t)e * NN__GRAY_SUMS * NN__GRAY_LANES,
                               NN__GRAY_SUMS, point);
        bias[e] = point[0];
        for (int j = 0; j < 4; j++) nn__gray_three(point + 1 + j, 4, part + j, 4);
        for (int r = 0; r < 3; r++) nn__gray_three(part + 4 * r, 1, taps + r * tap_row, 1);
    }
}

#undef NN__GRAY_WINDOWS
#undef NN__GRAY_STEP
#undef NN__GRAY_LANES
#undef NN__GRAY_SUMS
#undef NN__GRAY_ROW
#undef NN__GRAY_POINTS
#undef NN__GRAY_FOUR
#endif

typedef int nn__conv_pool_gray_part; /* a part must not be empty on other machines */
