/* kernels/conv_pool/cpu_avx2.c - tiles of 2 channels and 8 windows, and lists of maxima, for AVX2
   and FMA. kernels/conv_pool/cpu_avx512.c does the same with wider vectors. */
#include "cpu/gemm.h"
#include "kernels/conv_pool/cpu.h"

#if defined(NN__VECTOR8) && !defined(NN_NO_REPORTS)

#include <math.h>

/* ---- tiles ----------------------------------------------------------------------------------- */

/* The largest of the four sums of 8 windows, of channel r. */
static NN__ALWAYS_INLINE NN__AVX2 void nn__conv_pool_put8(const nn__conv_pool_tile *t, int r,
                                                          __m256 z0, __m256 z1, __m256 z2,
                                                          __m256 z3) {
    __m256i place = _mm256_setzero_si256();
    __m256 wins;
#define NN__LARGER(z, where)                                                                       \
    wins = _mm256_or_ps(_mm256_cmp_ps(z, z0, _CMP_GT_OQ), _mm256_cmp_ps(z, z, _CMP_UNORD_Q));      \
    z0 = _mm256_blendv_ps(z0, z, wins);                                                            \
    place = _mm256_blendv_epi8(place, _mm256_set1_epi32(where), _mm256_castps_si256(wins));
    NN__LARGER(z1, 1)
    NN__LARGER(z2, 2)
    NN__LARGER(z3, 3)
#undef NN__LARGER
    if (t->bias) z0 = _mm256_add_ps(z0, _mm256_set1_ps(t->bias[r]));
    if (t->relu) z0 = _mm256_max_ps(_mm256_setzero_ps(), z0); /* in this order a NaN stays */
    nn__store_tail8(t->y + r * t->y_row, t->columns, z0);
    if (!t->place) return;
    const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(place),
                                           _mm256_extracti128_si256(place, 1));
    uint8_t bytes[16];
    _mm_storeu_si128((__m128i *)(void *)bytes, _mm_packus_epi16(words, words));
    memcpy(t->place + r * t->y_row, bytes, (size_t)t->columns);
}

static NN__ALWAYS_INLINE NN__AVX2 void nn__conv_pool_body8(const nn__conv_pool_tile *t, int r,
                                                           const bool two) {
    const float *band = t->band, *w0 = t->weight + (ptrdiff_t)r * t->depth,
                *w1 = two ? w0 + t->depth : w0;
    const int depth = t->depth;
    const int32_t *o0 = t->offset, *o1 = o0 + depth, *o2 = o1 + depth, *o3 = o2 + depth;
    __m256 a0 = _mm256_setzero_ps(), b0 = a0, c0 = a0, d0 = a0, a1 = a0, b1 = a0, c1 = a0, d1 = a0;
    for (int p = 0; p < depth; p++) {
        const __m256 x0 = _mm256_loadu_ps(band + o0[p]), x1 = _mm256_loadu_ps(band + o1[p]),
                     x2 = _mm256_loadu_ps(band + o2[p]), x3 = _mm256_loadu_ps(band + o3[p]);
        __m256 w = _mm256_set1_ps(w0[p]);
        a0 = _mm256_fmadd_ps(w, x0, a0);
        b0 = _mm256_fmadd_ps(w, x1, b0);
        c0 = _mm256_fmadd_ps(w, x2, c0);
        d0 = _mm256_fmadd_ps(w, x3, d0);
        if (!two) continue;
        w = _mm256_set1_ps(w1[p]);
        a1 = _mm256_fmadd_ps(w, x0, a1);
        b1 = _mm256_fmadd_ps(w, x1, b1);
        c1 = _mm256_fmadd_ps(w, x2, c1);
        d1 = _mm256_fmadd_ps(w, x3, d1);
    }
    nn__conv_pool_put8(t, r, a0, b0, c0, d0);
    if (two) nn__conv_pool_put8(t, r + 1, a1, b1, c1, d1);
}

static NN__AVX2 void nn__conv_pool_tile8(const nn__conv_pool_tile *t) {
    int r = 0;
    for (; r + 2 <= t->rows; r += 2) nn__conv_pool_body8(t, r, true);
    if (r < t->rows) nn__conv_pool_body8(t, r, false);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Without a branch for each window, as nobody can foresee which maxima have a gradient. */
static void nn__conv_pool_list8(nn__conv_pool_list *list, const nn__conv_pool_maxima *m) {
    const float least = m->relu ? 0.0f : -INFINITY;
    float sum[4] = {0, 0, 0, 0};
    int count = 0;
    for (int i = 0; i < m->count; i++) {
        const float dy = m->dy[i], y = m->relu ? m->y[i] : 1.0f;
        const int live = (dy != 0.0f) & !(y <= least);
        list->at[count] = m->window[i] + m->move[m->place[i] & 3];
        list->value[count] = dy;
        sum[i & 3] += live ? dy : 0.0f;
        count += live;
    }
    list->count = count;
    list->sum = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Row r and vector v of a piece of taps, for every one that the largest piece has. */
#define NN__CONV_POOL_TAPS(X)                                                                      \
    X(0, 0) X(0, 1) X(0, 2) X(0, 3) X(1, 0) X(1, 1) X(1, 2) X(1, 3) X(2, 0) X(2, 1) X(2, 2) X(2, 3)
#define NN__CONV_POOL_PIECES(X)                                                                    \
    X(1, 1) X(1, 2) X(1, 3) X(1, 4) X(2, 1) X(2, 2) X(2, 3) X(2, 4) X(3, 1) X(3, 2) X(3, 3) X(3, 4)

static NN__ALWAYS_INLINE NN__AVX2 void
nn__conv_pool_sum_body8(const nn__conv_pool_taps *t, const nn__conv_pool_list *list,
                        const int rows, const int vectors) {
    const ptrdiff_t tap_row = t->tap_row, band_row = t->band_row;
    const float *band = t->band, *value = list->value;
    const int32_t *at = list->at;
    const int count = list->count;
    float *taps = t->taps;
#define NN__X(r, v)                                                                                \
    __m256 s##r##v = _mm256_setzero_ps();                                                          \
    if (r < rows && v < vectors) s##r##v = _mm256_loadu_ps(taps + r * tap_row + v * 8);
    NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
    for (int i = 0; i < count; i++) {
        const float *x = band + at[i];
        const __m256 d = _mm256_set1_ps(value[i]);
#define NN__X(r, v)                                                                                \
    if (r < rows && v < vectors)                                                                   \
        s##r##v = _mm256_fmadd_ps(d, _mm256_loadu_ps(x + r * band_row + v * 8), s##r##v);
        NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
    }
#define NN__X(r, v)                                                                                \
    if (r < rows && v < vectors) _mm256_storeu_ps(taps + r * tap_row + v * 8, s##r##v);
    NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
}

static NN__ALWAYS_INLINE NN__AVX2 void
nn__conv_pool_scatter_body8(const nn__conv_pool_taps *t, const nn__conv_pool_list *list,
                            const int rows, const int vectors) {
    const ptrdiff_t tap_row = t->tap_row, band_row = t->band_row;
    const int rest = t->floats - 8 * (vectors - 1);
    const __m256i last = nn__first8(rest);
    const float *value = list->value, *taps = t->taps;
    const int32_t *at = list->at;
    const int count = list->count;
    float *band = t->band;
#define NN__X(r, v)                                                                                \
    __m256 w##r##v = _mm256_setzero_ps();                                                          \
    if (r < rows && v < vectors) w##r##v = _mm256_loadu_ps(taps + r * tap_row + v * 8);
    NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
    for (int i = 0; i < count; i++) {
        float *to = band + at[i];
        const __m256 d = _mm256_set1_ps(value[i]);
#define NN__X(r, v)                                                                                \
    if (r < rows && v < vectors) {                                                                 \
        float *here = to + r * band_row + v * 8;                                                   \
        const __m256 new_one = _mm256_fmadd_ps(d, w##r##v, _mm256_loadu_ps(here));                 \
        if (v == vectors - 1 && rest < 8)                                                          \
            _mm256_maskstore_ps(here, last, new_one);                                              \
        else                                                                                       \
            _mm256_storeu_ps(here, new_one);                                                       \
    }
        NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
    }
}

#define NN__X(rows, vectors)                                                                       \
    static NN__AVX2 void nn__conv_pool_sum8_##rows##vectors(const nn__conv_pool_taps *t,           \
                                                            const nn__conv_pool_list *list) {      \
        nn__conv_pool_sum_body8(t, list, rows, vectors);                                           \
    }                                                                                              \
    static NN__AVX2 void nn__conv_pool_scatter8_##rows##vectors(const nn__conv_pool_taps *t,       \
                                                                const nn__conv_pool_list *list) {  \
        nn__conv_pool_scatter_body8(t, list, rows, vectors);                                       \
    }
NN__CONV_POOL_PIECES(NN__X)
#undef NN__X

/* All taps, in pieces of as many rows and vectors as there are registers for. */
static void nn__conv_pool_pieces8(const nn__conv_pool_taps *t, const nn__conv_pool_list *list,
                                  bool scatter) {
    for (int r = 0; r < t->rows; r += 3)
        for (int f = 0; f < t->floats; f += 32) {
            nn__conv_pool_taps piece = *t;
            piece.rows = nn__mini(3, t->rows - r);
            piece.floats = nn__mini(32, t->floats - f);
            piece.taps += r * t->tap_row + f;
            piece.band += r * t->band_row + f;
            switch (piece.rows * 8 + nn__ceil_div(piece.floats, 8) + (scatter ? 100 : 0)) {
#define NN__X(rows, vectors)                                                                       \
    case rows * 8 + vectors: nn__conv_pool_sum8_##rows##vectors(&piece, list); break;              \
    case rows * 8 + vectors + 100: nn__conv_pool_scatter8_##rows##vectors(&piece, list); break;
                NN__CONV_POOL_PIECES(NN__X)
#undef NN__X
            default: break;
            }
        }
}

static void nn__conv_pool_sum8(const nn__conv_pool_taps *t, const nn__conv_pool_list *list) {
    nn__conv_pool_pieces8(t, list, false);
}

static void nn__conv_pool_scatter8(const nn__conv_pool_taps *t, const nn__conv_pool_list *list) {
    nn__conv_pool_pieces8(t, list, true);
}

static void nn__conv_pool_mix8(float *to, const float *from, ptrdiff_t plane, int channels, int n) {
    nn__gemm_set_avx2()->transpose(to, channels, from, plane, channels, n);
}

static NN__AVX2 void nn__conv_pool_split8(float *even, float *odd, const float *line, int n) {
    for (int i = 0; i < n; i += 8) {
        const __m256 a = _mm256_loadu_ps(line + 2 * i), b = _mm256_loadu_ps(line + 2 * i + 8);
        const __m256d evens = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0x88)),
                      odds = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0xdd));
        nn__store_tail8(even + i, n - i, _mm256_castpd_ps(_mm256_permute4x64_pd(evens, 0xd8)));
        nn__store_tail8(odd + i, n - i, _mm256_castpd_ps(_mm256_permute4x64_pd(odds, 0xd8)));
    }
}

/* Numbers 2 i + odd of 16, of which there are n. */
static NN__ALWAYS_INLINE NN__AVX2 __m256 nn__conv_pool_every8(const float *x, int n, bool odd) {
    const __m256 a = nn__load_tail8(x, n, 0.0f), b = nn__load_tail8(x + 8, n - 8, 0.0f);
    const __m256 mixed = odd ? _mm256_shuffle_ps(a, b, 0xdd) : _mm256_shuffle_ps(a, b, 0x88);
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}

static NN__AVX2 void nn__conv_pool_pairs8(const nn__conv_pool_tile *tile) {
    nn__conv_pool_tile t = *tile;
    const int all = t.columns;
    for (int j = 0; j < all; j += 8, t.band += 16, t.y += 8) {
        const float *bottom = t.band + t.depth;
        const int n = 2 * (all - j);
        t.columns = nn__mini(8, all - j);
        nn__conv_pool_put8(&t, 0, nn__conv_pool_every8(t.band, n, false),
                           nn__conv_pool_every8(t.band, n, true),
                           nn__conv_pool_every8(bottom, n, false),
                           nn__conv_pool_every8(bottom, n, true));
        if (t.place) t.place += 8;
    }
}

NN_PRIVATE const nn__conv_pool_set *nn__conv_pool_avx2(void) {
    static const nn__conv_pool_set set = {8,
                                          nn__conv_pool_tile8,
                                          nn__conv_pool_split8,
                                          nn__conv_pool_pairs8,
                                          nn__conv_pool_list8,
                                          nn__conv_pool_sum8,
                                          nn__conv_pool_scatter8,
                                          nn__conv_pool_mix8};
    return &set;
}

#undef NN__CONV_POOL_TAPS
#undef NN__CONV_POOL_PIECES
#endif

typedef int nn__conv_pool_avx2_part; /* a part must not be empty on other machines */
