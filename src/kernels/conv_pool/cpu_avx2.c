/* kernels/conv_pool/cpu_avx2.c - tiles of 4 channels and 8 windows, and lists of maxima, for AVX2
   and FMA. kernels/conv_pool/cpu_avx512.c does the same with wider vectors. */
#include "cpu/gemm.h"
#include "kernels/conv_pool/cpu_put.h"

#if defined(NN__VECTOR8) && !defined(NN_NO_REPORTS)

#include <math.h>

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Sums of two places of each window, for as many channels as there are registers: what is read is
   rarely aligned, and so serves four channels. Then those of the other two. */
#define NN__CONV_POOL_TILE(X) X(0) X(1) X(2) X(3)

static NN__ALWAYS_INLINE NN__AVX2 void nn__conv_pool_body8(const nn__conv_pool_tile *t,
                                                           const int rows) {
    const float *band = t->band;
    const int depth = t->depth;
#define NN__X(k)                                                                                   \
    const float *w##k = t->weight + (ptrdiff_t)(k < rows ? k : 0) * depth;                         \
    __m256 best##k = _mm256_setzero_ps();                                                          \
    __m256i place##k = _mm256_setzero_si256();
    NN__CONV_POOL_TILE(NN__X)
#undef NN__X
    for (int two = 0; two < 4; two += 2) {
        const int32_t *o0 = t->offset + two * depth, *o1 = o0 + depth;
#define NN__X(k) __m256 a##k = _mm256_setzero_ps(), b##k = a##k;
        NN__CONV_POOL_TILE(NN__X)
#undef NN__X
        for (int p = 0; p < depth; p++) {
            const __m256 x0 = _mm256_loadu_ps(band + o0[p]), x1 = _mm256_loadu_ps(band + o1[p]);
#define NN__X(k)                                                                                   \
            if (k < rows) {                                                                        \
                const __m256 w = _mm256_set1_ps(w##k[p]);                                          \
                a##k = _mm256_fmadd_ps(w, x0, a##k);                                               \
                b##k = _mm256_fmadd_ps(w, x1, b##k);                                               \
            }
            NN__CONV_POOL_TILE(NN__X)
#undef NN__X
        }
#define NN__X(k)                                                                                   \
        if (k < rows) {                                                                            \
            if (two)                                                                               \
                nn__conv_pool_larger8(&best##k, &place##k, a##k, 2);                               \
            else                                                                                   \
                best##k = a##k;                                                                    \
            nn__conv_pool_larger8(&best##k, &place##k, b##k, two + 1);                             \
        }
        NN__CONV_POOL_TILE(NN__X)
#undef NN__X
    }
#define NN__X(k)                                                                                   \
    if (k < rows) nn__conv_pool_put8(t, k, best##k, place##k);
    NN__CONV_POOL_TILE(NN__X)
#undef NN__X
}

static NN__AVX2 void nn__conv_pool_tile8(const nn__conv_pool_tile *t) {
    switch (t->rows) {
    case 1: nn__conv_pool_body8(t, 1); break;
    case 2: nn__conv_pool_body8(t, 2); break;
    case 3: nn__conv_pool_body8(t, 3); break;
    default: nn__conv_pool_body8(t, 4); break;
    }
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Those of four windows that are live, side by side; what is written behind them is undefined.
   Returns how many. */
static NN__ALWAYS_INLINE NN__AVX2 int nn__conv_pool_keep4(nn__conv_pool_list *list, int count,
                                                          unsigned live, __m128i at, __m128 dy) {
    static const int32_t order[16][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0},
                                         {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
                                         {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
                                         {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    const __m128i lanes = _mm_loadu_si128((const __m128i *)(const void *)order[live]);
    _mm_storeu_ps((float *)(void *)(list->at + count),
                  _mm_permutevar_ps(_mm_castsi128_ps(at), lanes));
    _mm_storeu_ps(list->value + count, _mm_permutevar_ps(dy, lanes));
    return (int)(0x4332322132212110u >> (4 * live) & 7u); /* bits of 0 to 15, a nibble each */
}

static NN__AVX2 void nn__conv_pool_list8(nn__conv_pool_list *list, const nn__conv_pool_maxima *m) {
    const __m256 move = _mm256_castsi256_ps(_mm256_broadcastsi128_si256(
                     _mm_loadu_si128((const __m128i *)(const void *)m->move))),
                 zero = _mm256_setzero_ps();
    __m256 sum = zero;
    int count = 0;
    for (int i = 0; i < m->count; i += 8) {
        const int n = nn__mini(8, m->count - i);
        const __m256i first = nn__first8(n);
        uint8_t last[8];
        const uint8_t *place = m->place + i;
        if (n < 8) {
            memset(last, 0, sizeof last);
            memcpy(last, place, (size_t)n);
            place = last;
        }
        const __m256 dy = _mm256_maskload_ps(m->dy + i, first); /* those behind the last are 0 */
        __m256 live = _mm256_cmp_ps(dy, zero, _CMP_NEQ_UQ);
        if (m->relu)
            live = _mm256_and_ps(live, _mm256_cmp_ps(_mm256_maskload_ps(m->y + i, first), zero,
                                                     _CMP_NLE_UQ));
        const __m256i lanes =
            _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)place));
        const __m256i at = _mm256_add_epi32(_mm256_maskload_epi32(m->window + i, first),
                                            _mm256_castps_si256(_mm256_permutevar_ps(move, lanes)));
        const unsigned mask = (unsigned)_mm256_movemask_ps(live);
        sum = _mm256_add_ps(sum, _mm256_and_ps(live, dy));
        count += nn__conv_pool_keep4(list, count, mask & 15u, _mm256_castsi256_si128(at),
                                     _mm256_castps256_ps128(dy));
        count += nn__conv_pool_keep4(list, count, mask >> 4, _mm256_extracti128_si256(at, 1),
                                     _mm256_extractf128_ps(dy, 1));
    }
    list->count = count;
    list->sum = nn__sum8(sum);
}

/* Row r and vector v of a piece of taps, for every one that the largest piece has. */
#define NN__CONV_POOL_TAPS(X)                                                                      \
    X(0, 0) X(0, 1) X(0, 2) X(0, 3) X(1, 0) X(1, 1) X(1, 2) X(1, 3) X(2, 0) X(2, 1) X(2, 2) X(2, 3)
#define NN__CONV_POOL_PIECES(X)                                                                    \
    X(1, 1) X(1, 2) X(1, 3) X(1, 4) X(2, 1) X(2, 2) X(2, 3) X(2, 4) X(3, 1) X(3, 2) X(3, 3) X(3, 4)

static NN__ALWAYS_INLINE NN__AVX2 void
nn__conv_pool_sum_body8(const nn__conv_pool_taps *t, const nn__conv_pool_list *list, int lists,
                        ptrdiff_t from, const int rows, const int vectors) {
    const ptrdiff_t tap_row = t->tap_row, band_row = t->band_row;
    const float *band = t->band;
    const int rest = t->floats - 8 * (vectors - 1);
    for (; lists > 0; lists--, list++) {
        const float *value = list->value;
        const int32_t *at = list->at;
        const int count = list->count;
        float *taps = list->taps + from;
        if (!count) continue;
#define NN__X(r, v)                                                                                \
        __m256 s##r##v = _mm256_setzero_ps();                                                      \
        if (r < rows && v < vectors) s##r##v = _mm256_loadu_ps(taps + r * tap_row + v * 8);
        NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
        for (int i = 0; i < count; i++) {
            const float *x = band + at[i];
            const __m256 d = _mm256_set1_ps(value[i]);
#define NN__X(r, v)                                                                                \
            if (r < rows && v < vectors)                                                           \
                s##r##v =                                                                          \
                    _mm256_fmadd_ps(d, _mm256_loadu_ps(x + r * band_row + v * 8), s##r##v);
            NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
        }
#define NN__X(r, v)                                                                                \
        if (r < rows && v < vectors)                                                               \
            nn__conv_pool_store8(taps + r * tap_row + v * 8, v < vectors - 1 ? 8 : rest, s##r##v);
        NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
    }
}

#define NN__X(rows, vectors)                                                                       \
    static NN__AVX2 void nn__conv_pool_sum8_##rows##vectors(                                       \
        const nn__conv_pool_taps *t, const nn__conv_pool_list *list, int lists, ptrdiff_t from) {  \
        nn__conv_pool_sum_body8(t, list, lists, from, rows, vectors);                              \
    }
NN__CONV_POOL_PIECES(NN__X)
#undef NN__X

/* All taps, in pieces of as many rows and vectors as there are registers for. */
static void nn__conv_pool_sum8(const nn__conv_pool_taps *t, const nn__conv_pool_list *list,
                               int lists) {
    for (int r = 0; r < t->rows; r += 3)
        for (int f = 0; f < t->floats; f += 32) {
            const ptrdiff_t from = r * t->tap_row + f;
            nn__conv_pool_taps piece = *t;
            piece.rows = nn__mini(3, t->rows - r);
            piece.floats = nn__mini(32, t->floats - f);
            piece.band += r * t->band_row + f;
            switch (piece.rows * 8 + nn__ceil_div(piece.floats, 8)) {
#define NN__X(rows, vectors)                                                                       \
    case rows * 8 + vectors: nn__conv_pool_sum8_##rows##vectors(&piece, list, lists, from); break;
                NN__CONV_POOL_PIECES(NN__X)
#undef NN__X
            default: break;
            }
        }
}

static void nn__conv_pool_mix8(float *to, const float *from, ptrdiff_t plane, int channels, int n) {
    nn__gemm_set_avx2()->transpose(to, channels, from, plane, channels, n);
}

/* Numbers 2 i + odd of 16, of which there are n. */
static NN__ALWAYS_INLINE NN__AVX2 __m256 nn__conv_pool_every8(const float *x, int n, bool odd) {
    const __m256 a = nn__load_tail8(x, n, 0.0f), b = nn__load_tail8(x + 8, n - 8, 0.0f);
    const __m256 mixed = odd ? _mm256_shuffle_ps(a, b, 0xdd) : _mm256_shuffle_ps(a, b, 0x88);
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}

static NN__AVX2 void nn__conv_pool_pairs8(const nn__conv_pool_tile *tile) {
    nn__conv_pool_tile t = *tile;
    const int width = t.columns;
    for (int i = 0; i < t.rows; i++, t.band += 2 * (t.depth - width))
        for (int j = 0; j < width; j += t.columns) {
            const float *bottom = t.band + t.depth;
            const int n = 2 * (width - j);
            t.columns = nn__mini(8, width - j);
            nn__conv_pool_put_four8(&t, 0, nn__conv_pool_every8(t.band, n, false),
                                    nn__conv_pool_every8(t.band, n, true),
                                    nn__conv_pool_every8(bottom, n, false),
                                    nn__conv_pool_every8(bottom, n, true));
            t.band += 2 * t.columns;
            t.y += t.columns;
            if (t.place) t.place += t.columns;
        }
}

NN_PRIVATE const nn__conv_pool_set *nn__conv_pool_avx2(void) {
    static const nn__conv_pool_set set = {8,
                                          nn__conv_pool_tile8,
                                          nn__conv_pool_pairs8,
                                          nn__conv_pool_list8,
                                          nn__conv_pool_sum8,
                                          nn__conv_pool_mix8,
                                          nn__conv_pool_few8};
    return &set;
}

#undef NN__CONV_POOL_TILE
#undef NN__CONV_POOL_TAPS
#undef NN__CONV_POOL_PIECES
#endif

typedef int nn__conv_pool_avx2_part; /* a part must not be empty on other machines */
