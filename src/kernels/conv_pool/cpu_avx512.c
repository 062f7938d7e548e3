/* kernels/conv_pool/cpu_avx512.c - tiles of 4 channels and 16 windows, and lists of maxima, for
   AVX-512F. kernels/conv_pool/cpu_lists_plain.c does the same with lists in plain C. */
#include "cpu/gemm.h"
#include "kernels/conv_pool/cpu_put.h"

#if defined(NN__VECTOR16) && !defined(NN_NO_REPORTS)

#include <math.h>

/* As in cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/* Bits of a mask that are set. */
static inline int nn__conv_pool_bits16(unsigned mask) {
    mask = mask - (mask >> 1 & 0x5555u);
    mask = (mask & 0x3333u) + (mask >> 2 & 0x3333u);
    mask = (mask + (mask >> 4)) & 0x0f0fu;
    return (int)((mask + (mask >> 8)) & 0x1fu);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

#define NN__CONV_POOL_TILE(X) X(0) X(1) X(2) X(3)

static NN__ALWAYS_INLINE NN__AVX512 void nn__conv_pool_body16(const nn__conv_pool_tile *t,
                                                              const int rows) {
    const float *band = t->band;
    const int depth = t->depth;
    const int32_t *o0 = t->offset, *o1 = o0 + depth, *o2 = o1 + depth, *o3 = o2 + depth;
#define NN__X(k)                                                                                   \
    const float *w##k = t->weight + (ptrdiff_t)(k < rows ? k : 0) * depth;                         \
    __m512 a##k = _mm512_setzero_ps(), b##k = a##k, c##k = a##k, d##k = a##k;
    NN__CONV_POOL_TILE(NN__X)
#undef NN__X
    for (int p = 0; p < depth; p++) {
        const __m512 x0 = _mm512_loadu_ps(band + o0[p]), x1 = _mm512_loadu_ps(band + o1[p]),
                     x2 = _mm512_loadu_ps(band + o2[p]), x3 = _mm512_loadu_ps(band + o3[p]);
#define NN__X(k)                                                                                   \
    if (k < rows) {                                                                                \
        const __m512 w = _mm512_set1_ps(w##k[p]);                                                  \
        a##k = _mm512_fmadd_ps(w, x0, a##k);                                                       \
        b##k = _mm512_fmadd_ps(w, x1, b##k);                                                       \
        c##k = _mm512_fmadd_ps(w, x2, c##k);                                                       \
        d##k = _mm512_fmadd_ps(w, x3, d##k);                                                       \
    }
        NN__CONV_POOL_TILE(NN__X)
#undef NN__X
    }
#define NN__X(k)                                                                                   \
    if (k < rows) nn__conv_pool_put16(t, k, a##k, b##k, c##k, d##k);
    NN__CONV_POOL_TILE(NN__X)
#undef NN__X
}

static NN__AVX512 void nn__conv_pool_tile16(const nn__conv_pool_tile *t) {
    switch (t->rows) {
    case 1: nn__conv_pool_body16(t, 1); break;
    case 2: nn__conv_pool_body16(t, 2); break;
    case 3: nn__conv_pool_body16(t, 3); break;
    default: nn__conv_pool_body16(t, 4); break;
    }
}

/* ---- lists ----------------------------------------------------------------------------------- */

static NN__AVX512 void nn__conv_pool_list16(nn__conv_pool_list *list,
                                            const nn__conv_pool_maxima *m) {
    const __m512i move = _mm512_maskz_loadu_epi32((__mmask16)0xf, m->move);
    const __m512 zero = _mm512_setzero_ps();
    __m512 sum = zero;
    int count = 0;
    for (int i = 0; i < m->count; i += 16) {
        /* The last vector begins before, with lanes that are done, if there are as many. */
        const int first = nn__maxi(0, nn__mini(i, m->count - 16));
        const __mmask16 mask =
            nn__conv_pool_first16(m->count) & (__mmask16)(0xffffu << (i - first));
        uint8_t few[16];
        const uint8_t *place = m->place + first;
        if (m->count < 16) {
            memset(few, 0, sizeof few);
            memcpy(few, place, (size_t)m->count);
            place = few;
        }
        const __m512 dy = _mm512_maskz_loadu_ps(mask, m->dy + first);
        __mmask16 live = _mm512_mask_cmp_ps_mask(mask, dy, zero, _CMP_NEQ_UQ);
        if (m->relu)
            live = _mm512_mask_cmp_ps_mask(live, _mm512_maskz_loadu_ps(mask, m->y + first), zero,
                                           _CMP_NLE_UQ);
        const __m512i lanes =
            _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)place));
        const __m512i at = _mm512_add_epi32(
            _mm512_maskz_loadu_epi32(mask, m->window + first),
            _mm512_permutexvar_epi32(_mm512_and_si512(lanes, _mm512_set1_epi32(3)), move));
        sum = _mm512_mask_add_ps(sum, live, sum, dy);
        _mm512_storeu_si512(list->at + count, _mm512_maskz_compress_epi32(live, at));
        _mm512_storeu_ps(list->value + count, _mm512_maskz_compress_ps(live, dy));
        count += nn__conv_pool_bits16(live);
    }
    list->count = count;
    list->sum = nn__sum8(_mm256_add_ps(nn__low16(sum), nn__high16(sum)));
}

/* Row r and vector v of a piece of taps, for every one that the largest piece has. */
#define NN__CONV_POOL_TAPS(X)                                                                      \
    X(0, 0) X(0, 1) X(0, 2) X(0, 3) X(0, 4) X(0, 5) X(1, 0) X(1, 1) X(1, 2) X(1, 3) X(1, 4)        \
    X(1, 5) X(2, 0) X(2, 1) X(2, 2) X(2, 3) X(2, 4) X(2, 5)
#define NN__CONV_POOL_PIECES(X)                                                                    \
    X(1, 1) X(1, 2) X(1, 3) X(1, 4) X(1, 5) X(1, 6) X(2, 1) X(2, 2) X(2, 3) X(2, 4) X(2, 5)        \
    X(2, 6) X(3, 1) X(3, 2) X(3, 3) X(3, 4) X(3, 5) X(3, 6)

/* Few taps are summed in two streams, since each sum waits for the one before it. */
static NN__ALWAYS_INLINE NN__AVX512 void
nn__conv_pool_sum_body16(const nn__conv_pool_taps *t, const nn__conv_pool_list *list, int lists,
                         ptrdiff_t from, const int rows, const int vectors) {
    const bool twice = rows * vectors <= 4;
    const ptrdiff_t tap_row = t->tap_row, band_row = t->band_row;
    const float *band = t->band;
    const int rest = t->floats - 16 * (vectors - 1);
    const __mmask16 last = nn__conv_pool_first16(rest);
    for (; lists > 0; lists--, list++) {
        const float *value = list->value;
        const int32_t *at = list->at;
        const int count = list->count;
        float *taps = list->taps + from;
        int i = 0;
        if (!count) continue;
#define NN__X(r, v)                                                                                \
        __m512 s##r##v = _mm512_setzero_ps(), u##r##v = s##r##v;                                   \
        if (r < rows && v < vectors) s##r##v = _mm512_loadu_ps(taps + r * tap_row + v * 16);
        NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
        for (; twice && i + 2 <= count; i += 2) {
            const float *x0 = band + at[i], *x1 = band + at[i + 1];
            const __m512 d0 = _mm512_set1_ps(value[i]), d1 = _mm512_set1_ps(value[i + 1]);
#define NN__X(r, v)                                                                                \
            if (twice && r < rows && v < vectors) {                                                \
                s##r##v =                                                                          \
                    _mm512_fmadd_ps(d0, _mm512_loadu_ps(x0 + r * band_row + v * 16), s##r##v);     \
                u##r##v =                                                                          \
                    _mm512_fmadd_ps(d1, _mm512_loadu_ps(x1 + r * band_row + v * 16), u##r##v);     \
            }
            NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
        }
        for (; i < count; i++) {
            const float *x0 = band + at[i];
            const __m512 d0 = _mm512_set1_ps(value[i]);
#define NN__X(r, v)                                                                                \
            if (r < rows && v < vectors)                                                           \
                s##r##v =                                                                          \
                    _mm512_fmadd_ps(d0, _mm512_loadu_ps(x0 + r * band_row + v * 16), s##r##v);
            NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
        }
#define NN__X(r, v)                                                                                \
        if (r < rows && v < vectors) {                                                             \
            if (twice) s##r##v = _mm512_add_ps(s##r##v, u##r##v);                                  \
            if (v < vectors - 1 || rest == 16)                                                     \
                _mm512_storeu_ps(taps + r * tap_row + v * 16, s##r##v);                            \
            else                                                                                   \
                _mm512_mask_storeu_ps(taps + r * tap_row + v * 16, last, s##r##v);                 \
        }
        NN__CONV_POOL_TAPS(NN__X)
#undef NN__X
    }
}

#define NN__X(rows, vectors)                                                                       \
    static NN__AVX512 void nn__conv_pool_sum16_##rows##vectors(                                    \
        const nn__conv_pool_taps *t, const nn__conv_pool_list *list, int lists, ptrdiff_t from) {  \
        nn__conv_pool_sum_body16(t, list, lists, from, rows, vectors);                             \
    }
NN__CONV_POOL_PIECES(NN__X)
#undef NN__X

/* All taps, in pieces of as many rows and vectors as there are registers for. */
static void nn__conv_pool_sum16(const nn__conv_pool_taps *t, const nn__conv_pool_list *list,
                               int lists) {
    for (int r = 0; r < t->rows; r += 3)
        for (int f = 0; f < t->floats; f += 96) {
            const ptrdiff_t from = r * t->tap_row + f;
            nn__conv_pool_taps piece = *t;
            piece.rows = nn__mini(3, t->rows - r);
            piece.floats = nn__mini(96, t->floats - f);
            piece.band += r * t->band_row + f;
            switch (piece.rows * 8 + nn__ceil_div(piece.floats, 16)) {
#define NN__X(rows, vectors)                                                                       \
    case rows * 8 + vectors: nn__conv_pool_sum16_##rows##vectors(&piece, list, lists, from); break;
                NN__CONV_POOL_PIECES(NN__X)
#undef NN__X
            default: break;
            }
        }
}

/* ---- channels side by side ------------------------------------------------------------------- */

/* Lane l of vector v of 16 points is number l + 16 v: of point (l + 16 v) / 3, and of channel
   (l + 16 v) % 3, which are here those of the first two channels, the second one's
   16 further on. */
static NN__AVX512 void nn__conv_pool_mix3(float *to, const float *from, ptrdiff_t plane, int n) {
    static const int32_t points[3][16] = {
        {0, 16, 0, 1, 17, 1, 2, 18, 2, 3, 19, 3, 4, 20, 4, 5},
        {21, 5, 6, 22, 6, 7, 23, 7, 8, 24, 8, 9, 25, 9, 10, 26},
        {10, 11, 27, 11, 12, 28, 12, 13, 29, 13, 14, 30, 14, 15, 31, 15}};
    static const uint16_t thirds[3] = {0x4924, 0x2492, 0x9249}; /* lanes of the third channel */
    for (int j = 0; j < n; j += 16) {
        const int many = nn__mini(16, n - j);
        const __mmask16 mask = nn__conv_pool_first16(many);
        const __m512 a = _mm512_maskz_loadu_ps(mask, from + j),
                     b = _mm512_maskz_loadu_ps(mask, from + plane + j),
                     c = _mm512_maskz_loadu_ps(mask, from + 2 * plane + j);
        for (int v = 0; v < 3 && v * 16 < 3 * many; v++) {
            const __m512i at = _mm512_loadu_si512(points[v]);
            _mm512_mask_storeu_ps(to + 3 * j + 16 * v, nn__conv_pool_first16(3 * many - 16 * v),
                                  _mm512_mask_permutexvar_ps(_mm512_permutex2var_ps(a, at, b),
                                                             thirds[v], at, c));
        }
    }
}

static void nn__conv_pool_mix16(float *to, const float *from, ptrdiff_t plane, int channels,
                                int n) {
    if (channels == 3)
        nn__conv_pool_mix3(to, from, plane, n);
    else
        nn__gemm_set_avx512()->transpose(to, channels, from, plane, channels, n);
}

/* Some windows side by side. Their left places are lanes `left` of two vectors, of which the second
   begins `next` behind the first; each has `first` and `second` lanes. */
static NN__ALWAYS_INLINE NN__AVX512 void nn__conv_pool_some_pairs16(const nn__conv_pool_tile *t,
                                                                    ptrdiff_t next, int first,
                                                                    int second, __m512i left) {
    const __m512i right = _mm512_add_epi32(left, _mm512_set1_epi32(1));
    const __mmask16 in = nn__conv_pool_first16(first), in_next = nn__conv_pool_first16(second);
    const float *bottom = t->band + t->depth;
    const __m512 a = _mm512_maskz_loadu_ps(in, t->band),
                 b = _mm512_maskz_loadu_ps(in_next, t->band + next),
                 c = _mm512_maskz_loadu_ps(in, bottom),
                 d = _mm512_maskz_loadu_ps(in_next, bottom + next);
    nn__conv_pool_put16(t, 0, _mm512_permutex2var_ps(a, left, b),
                        _mm512_permutex2var_ps(a, right, b), _mm512_permutex2var_ps(c, left, d),
                        _mm512_permutex2var_ps(c, right, d));
}

static NN__AVX512 void nn__conv_pool_pairs16(const nn__conv_pool_tile *tile) {
    const __m512i evens =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const int width = tile->columns, row = 2 * tile->depth;
    nn__conv_pool_tile t = *tile;
    int i = 0;
    if (width <= 8) { /* two rows of windows are a vector */
        const __m512i both = _mm512_mask_mov_epi32(
            evens, (__mmask16)(0xffffu << width),
            _mm512_add_epi32(evens, _mm512_set1_epi32(16 - 2 * width)));
        t.columns = 2 * width;
        for (; i + 2 <= t.rows; i += 2, t.band += 2 * row, t.y += t.columns) {
            nn__conv_pool_some_pairs16(&t, row, t.columns, t.columns, both);
            if (t.place) t.place += t.columns;
        }
    }
    for (; i < t.rows; i++, t.band += row - 2 * width)
        for (int j = 0; j < width; j += t.columns) {
            t.columns = nn__mini(width - j, 16);
            nn__conv_pool_some_pairs16(&t, 16, 2 * t.columns, nn__maxi(2 * t.columns - 16, 0),
                                       evens);
            t.band += 2 * t.columns;
            t.y += t.columns;
            if (t.place) t.place += t.columns;
        }
}

NN_PRIVATE const nn__conv_pool_set *nn__conv_pool_avx512(void) {
    static const nn__conv_pool_set set = {16,
                                          nn__conv_pool_tile16,
                                          nn__conv_pool_pairs16,
                                          nn__conv_pool_list16,
                                          nn__conv_pool_sum16,
                                          nn__conv_pool_mix16,
                                          nn__conv_pool_few16};
    return &set;
}

#undef NN__CONV_POOL_TILE
#undef NN__CONV_POOL_TAPS
#undef NN__CONV_POOL_PIECES
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif

typedef int nn__conv_pool_avx512_part; /* a part must not be empty on other machines */
