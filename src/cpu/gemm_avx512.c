/* cpu/gemm_avx512.c - what a product does beside its tiles, for AVX-512F: biases, sums along k,
   copies that turn or widen. The tiles are in cpu/tile_avx512.c; cpu/gemm_plain.c does the same in
   plain C and is easier to read. */
#include "cpu/gemm.h"

#include <math.h>

#ifdef NN__HAVE_X86

#define NN__GEMM_AVX512 NN__TARGET("avx512f")

/* gcc 12's own header starts "undefined" vectors from themselves, and g++ warns where they are
   inlined. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

static NN__GEMM_AVX512 __mmask16 nn__avx512_mask(int n) {
    return (__mmask16)(n >= 16 ? 0xffffu : (1u << n) - 1u);
}

/* The same for narrow rows that lie side by side, `count` numbers in all, as if they were one:
   a vector of a row would reach into what was just written for the row before, and wait for it. */
static NN__GEMM_AVX512 void nn__avx512_finish_beside(float *y, int count, int columns,
                                                     const float *column_bias, __m512 least,
                                                     __m512 most, __m512 zero) {
    const int step = 16 % columns;
    float biases[32]; /* of the columns again and again */
    for (int i = 0; column_bias && i < 32; i++)
        biases[i] = i < columns ? column_bias[i] : biases[i - columns];
    for (int at = 0, column = 0; at < count; at += 16) {
        const __mmask16 mask = nn__avx512_mask(count - at);
        __m512 value = _mm512_maskz_loadu_ps(mask, y + at);
        if (column_bias) value = _mm512_add_ps(value, _mm512_loadu_ps(biases + column));
        value = _mm512_add_ps(_mm512_min_ps(most, _mm512_max_ps(least, value)), zero);
        _mm512_mask_storeu_ps(y + at, mask, value);
        column += step;
        if (column >= columns) column -= columns;
    }
}

static NN__GEMM_AVX512 void nn__avx512_finish(float *y, ptrdiff_t y_row, int rows, int columns,
                                              const float *row_bias, const float *column_bias,
                                              nn__clamp clamp) {
    /* The larger, and the smaller, of this and a NaN is the NaN, in this order. relu6 makes 0 of
       -0: to that 0 is added, to all others -0, which changes nothing. */
    const __m512 least = _mm512_set1_ps(clamp ? 0.0f : -INFINITY),
                 most = _mm512_set1_ps(clamp == NN__CLAMP_RELU6 ? 6.0f : INFINITY),
                 zero = _mm512_set1_ps(clamp == NN__CLAMP_RELU6 ? 0.0f : -0.0f);
    if (columns < 16 && y_row == columns && rows > 1 && !row_bias) {
        nn__avx512_finish_beside(y, rows * columns, columns, column_bias, least, most, zero);
        return;
    }
    for (int j = 0; j < columns; j += 16) {
        const __mmask16 mask = nn__avx512_mask(columns - j);
        const bool whole = columns - j >= 16;
        const __m512 bias =
            column_bias ? _mm512_maskz_loadu_ps(mask, column_bias + j) : _mm512_setzero_ps();
        for (int i = 0; i < rows; i++) {
            float *at = y + i * y_row + j;
            __m512 value = whole ? _mm512_loadu_ps(at) : _mm512_maskz_loadu_ps(mask, at);
            if (column_bias) value = _mm512_add_ps(value, bias);
            if (row_bias) value = _mm512_add_ps(value, _mm512_set1_ps(row_bias[i]));
            value = _mm512_add_ps(_mm512_min_ps(most, _mm512_max_ps(least, value)), zero);
            if (whole)
                _mm512_storeu_ps(at, value);
            else
                _mm512_mask_storeu_ps(at, mask, value);
        }
    }
}

/* Four vectors to their four sums, of each group of four numbers apart. */
static NN__ALWAYS_INLINE NN__GEMM_AVX512 __m512 nn__avx512_groups4(__m512 s0, __m512 s1, __m512 s2,
                                                                   __m512 s3) {
    const __m512 s01 = _mm512_add_ps(_mm512_unpacklo_ps(s0, s1), _mm512_unpackhi_ps(s0, s1));
    const __m512 s23 = _mm512_add_ps(_mm512_unpacklo_ps(s2, s3), _mm512_unpackhi_ps(s2, s3));
    return _mm512_add_ps(_mm512_shuffle_ps(s01, s23, 0x44), _mm512_shuffle_ps(s01, s23, 0xee));
}

static NN__ALWAYS_INLINE NN__GEMM_AVX512 __m128 nn__avx512_sum4(__m512 s0, __m512 s1, __m512 s2,
                                                                __m512 s3) {
    const __m512 s = nn__avx512_groups4(s0, s1, s2, s3);
    return _mm_add_ps(_mm_add_ps(_mm512_castps512_ps128(s), _mm512_extractf32x4_ps(s, 1)),
                      _mm_add_ps(_mm512_extractf32x4_ps(s, 2), _mm512_extractf32x4_ps(s, 3)));
}

/* What nn__avx512_sum4 does with the groups of four times four vectors, in the same order. */
static NN__ALWAYS_INLINE NN__GEMM_AVX512 __m512 nn__avx512_sum16(__m512 a, __m512 b, __m512 c,
                                                                 __m512 d) {
    const __m512 ab = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88),
                                    _mm512_shuffle_f32x4(a, b, 0xdd));
    const __m512 cd = _mm512_add_ps(_mm512_shuffle_f32x4(c, d, 0x88),
                                    _mm512_shuffle_f32x4(c, d, 0xdd));
    return _mm512_add_ps(_mm512_shuffle_f32x4(ab, cd, 0x88), _mm512_shuffle_f32x4(ab, cd, 0xdd));
}

static NN__ALWAYS_INLINE NN__GEMM_AVX512 void nn__avx512_put4(float *y, ptrdiff_t step, int count,
                                                              bool add, __m128 value) {
    float sum[4];
    if (step == 1 && count == 4) {
        _mm_storeu_ps(y, add ? _mm_add_ps(_mm_loadu_ps(y), value) : value);
        return;
    }
    _mm_storeu_ps(sum, value);
    for (int e = 0; e < count; e++) y[e * step] = add ? y[e * step] + sum[e] : sum[e];
}

/* Up to four rows of a against four of b: 16 vectors of sums. */
static NN__ALWAYS_INLINE NN__GEMM_AVX512 void nn__avx512_dots(const nn__dots *d, const int rows,
                                                              int j) {
    const float *a0 = d->a, *a1 = rows > 1 ? a0 + d->a_row : a0,
                *a2 = rows > 2 ? a1 + d->a_row : a0;
    const float *a3 = rows > 3 ? a2 + d->a_row : a0;
    const float *b0 = d->b + j * d->b_row, *b1 = j + 1 < d->columns ? b0 + d->b_row : b0;
    const float *b2 = j + 2 < d->columns ? b1 + d->b_row : b0,
                *b3 = j + 3 < d->columns ? b2 + d->b_row : b0;
    const __m512 zero = _mm512_setzero_ps();
    const int depth = d->depth, count = nn__mini(4, d->columns - j);
    float *y = d->y + j * d->y_step;
#define NN__ROWS(X) X(0) X(1) X(2) X(3)
#define NN__X(i)    __m512 s##i##0 = zero, s##i##1 = zero, s##i##2 = zero, s##i##3 = zero;
    NN__ROWS(NN__X)
#undef NN__X
    for (int p = 0; p < depth; p += 16) {
        const __mmask16 mask = nn__avx512_mask(depth - p);
        const __m512 v0 = _mm512_maskz_loadu_ps(mask, b0 + p),
                     v1 = _mm512_maskz_loadu_ps(mask, b1 + p);
        const __m512 v2 = _mm512_maskz_loadu_ps(mask, b2 + p),
                     v3 = _mm512_maskz_loadu_ps(mask, b3 + p);
#define NN__X(i)                                                                                   \
    if (i < rows) {                                                                                \
        const __m512 u = _mm512_maskz_loadu_ps(mask, a##i + p);                                    \
        s##i##0 = _mm512_fmadd_ps(u, v0, s##i##0), s##i##1 = _mm512_fmadd_ps(u, v1, s##i##1);      \
        s##i##2 = _mm512_fmadd_ps(u, v2, s##i##2), s##i##3 = _mm512_fmadd_ps(u, v3, s##i##3);      \
    }
        NN__ROWS(NN__X)
#undef NN__X
    }
#define NN__X(i)                                                                                   \
    if (i < rows)                                                                                  \
        nn__avx512_put4(y + i * d->y_row, d->y_step, count, d->add,                                \
                        nn__avx512_sum4(s##i##0, s##i##1, s##i##2, s##i##3));
    NN__ROWS(NN__X)
#undef NN__X
#undef NN__ROWS
}

/* Four rows of a against the last one or two of b: half as many sums. */
static NN__GEMM_AVX512 void nn__avx512_dots_two(const nn__dots *d, int j) {
    const float *a0 = d->a, *a1 = a0 + d->a_row, *a2 = a1 + d->a_row, *a3 = a2 + d->a_row;
    const int count = d->columns - j, depth = d->depth;
    const float *b0 = d->b + j * d->b_row, *b1 = count > 1 ? b0 + d->b_row : b0;
    const __m512 zero = _mm512_setzero_ps();
    float *y = d->y + j * d->y_step, sum[8];
#define NN__ROWS(X) X(0) X(1) X(2) X(3)
#define NN__X(i)    __m512 s##i##0 = zero, s##i##1 = zero;
    NN__ROWS(NN__X)
#undef NN__X
#define NN__X(i)                                                                                   \
    {                                                                                              \
        const __m512 u = _mm512_maskz_loadu_ps(mask, a##i + p);                                    \
        s##i##0 = _mm512_fmadd_ps(u, v0, s##i##0), s##i##1 = _mm512_fmadd_ps(u, v1, s##i##1);      \
    }
    for (int p = 0; p < depth; p += 16) {
        const __mmask16 mask = nn__avx512_mask(depth - p);
        const __m512 v0 = _mm512_maskz_loadu_ps(mask, b0 + p),
                     v1 = _mm512_maskz_loadu_ps(mask, b1 + p);
        NN__ROWS(NN__X)
    }
#undef NN__X
#undef NN__ROWS
    const __m128 low = nn__avx512_sum4(s00, s01, s10, s11),
                 high = nn__avx512_sum4(s20, s21, s30, s31);
    if (count == 2 && d->y_step == 1 && d->y_row == 2) {
        _mm_storeu_ps(y, d->add ? _mm_add_ps(_mm_loadu_ps(y), low) : low);
        _mm_storeu_ps(y + 4, d->add ? _mm_add_ps(_mm_loadu_ps(y + 4), high) : high);
        return;
    }
    _mm_storeu_ps(sum, low), _mm_storeu_ps(sum + 4, high);
    for (int i = 0; i < 4; i++)
        for (int e = 0; e < count; e++) {
            float *at = y + i * d->y_row + e * d->y_step;
            *at = d->add ? *at + sum[i * 2 + e] : sum[i * 2 + e];
        }
}

/* One row of a against eight of b, the groups of each four as nn__avx512_dots makes them. */
static NN__ALWAYS_INLINE NN__GEMM_AVX512 void nn__avx512_eight(const float *a, const float *b,
                                                               ptrdiff_t b_row, int depth,
                                                               __m512 *low, __m512 *high) {
    const __mmask16 mask = nn__avx512_mask(depth & 15);
    int p = 0;
#define NN__COLUMNS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define NN__X(i)                                                                                   \
    const float *b##i = b + i * b_row;                                                             \
    __m512 s##i = _mm512_setzero_ps();
    NN__COLUMNS(NN__X)
#undef NN__X
    for (; p + 16 <= depth; p += 16) {
        const __m512 u = _mm512_loadu_ps(a + p);
#define NN__X(i) s##i = _mm512_fmadd_ps(u, _mm512_loadu_ps(b##i + p), s##i);
        NN__COLUMNS(NN__X)
#undef NN__X
    }
    if (p < depth) {
        const __m512 u = _mm512_maskz_loadu_ps(mask, a + p);
#define NN__X(i) s##i = _mm512_fmadd_ps(u, _mm512_maskz_loadu_ps(mask, b##i + p), s##i);
        NN__COLUMNS(NN__X)
#undef NN__X
    }
#undef NN__COLUMNS
    *low = nn__avx512_groups4(s0, s1, s2, s3);
    *high = nn__avx512_groups4(s4, s5, s6, s7);
}

/* The same against sixteen rows of b that lie side by side and have at most four numbers: each is a
   group, and to the sums of the other groups, which are 0, nothing is added. a: four times. */
static NN__ALWAYS_INLINE NN__GEMM_AVX512 __m512 nn__avx512_short(__m512 a, const float *b,
                                                                 int depth) {
    const __mmask16 mask = (__mmask16)(0x1111u * ((1u << depth) - 1u));
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512 zero = _mm512_setzero_ps();
    const bool whole = depth == 4;
#define NN__FOUR(i)                                                                                \
    _mm512_fmadd_ps(a, whole ? _mm512_loadu_ps(b + i * 16)                                         \
                             : _mm512_maskz_expandloadu_ps(mask, b + i * 4 * depth), zero)
    const __m512 sums = nn__avx512_groups4(NN__FOUR(0), NN__FOUR(1), NN__FOUR(2), NN__FOUR(3));
#undef NN__FOUR
    return _mm512_permutexvar_ps(order, sums);
}

/* One row of a, whose sums lie side by side: sixteen of them are written at once, since what reads
   them as a vector would else wait for four writes. Returns the columns done. */
static NN__GEMM_AVX512 int nn__avx512_dot_one(const nn__dots *d) {
    const bool few = d->depth > 0 && d->depth <= 4 && d->b_row == d->depth;
    const __m512 a = _mm512_broadcast_f32x4(_mm512_castps512_ps128(
        _mm512_maskz_loadu_ps(nn__avx512_mask(few ? d->depth : 0), d->a)));
    int j = 0;
    for (; j + 16 <= d->columns; j += 16) {
        const float *b = d->b + j * d->b_row;
        __m512 g0, g1, g2, g3, sums;
        if (few) {
            sums = nn__avx512_short(a, b, d->depth);
        } else {
            nn__avx512_eight(d->a, b, d->b_row, d->depth, &g0, &g1);
            nn__avx512_eight(d->a, b + 8 * d->b_row, d->b_row, d->depth, &g2, &g3);
            sums = nn__avx512_sum16(g0, g1, g2, g3);
        }
        if (d->add) sums = _mm512_add_ps(_mm512_loadu_ps(d->y + j), sums);
        _mm512_storeu_ps(d->y + j, sums);
    }
    return j;
}

static NN__GEMM_AVX512 void nn__avx512_dot(const nn__dots *d) {
    int j = d->rows == 1 && d->y_step == 1 ? nn__avx512_dot_one(d) : 0;
    for (; j < d->columns; j += 4) {
        if (d->rows == 1)
            nn__avx512_dots(d, 1, j);
        else if (d->rows == 2)
            nn__avx512_dots(d, 2, j);
        else if (d->rows == 3)
            nn__avx512_dots(d, 3, j);
        else if (d->columns - j <= 2)
            nn__avx512_dots_two(d, j);
        else
            nn__avx512_dots(d, 4, j);
    }
}

/* A 16 x 16 block in four rounds: pairs, quads, eights, halves. Vectors have names here, too. */
static NN__GEMM_AVX512 void nn__avx512_transpose16(float *to, ptrdiff_t to_row, const float *from,
                                                   ptrdiff_t from_row, int rows, int columns) {
    const __mmask16 in = nn__avx512_mask(columns), out = nn__avx512_mask(rows);
#define NN__LOAD(i)                                                                                \
    const __m512 r##i =                                                                            \
        _mm512_maskz_loadu_ps(i < rows ? in : (__mmask16)0, from + (i < rows ? i : 0) * from_row);
#define NN__PAIR(i, j)                                                                             \
    const __m512 p##i = _mm512_unpacklo_ps(r##i, r##j), p##j = _mm512_unpackhi_ps(r##i, r##j);
#define NN__QUAD(i, j, k,                                                                          \
                 l) /* q(i + e) has, in lane group g, column 4 g + e of rows i .. i + 3 */         \
    const __m512 q##i = _mm512_shuffle_ps(p##i, p##k, 0x44),                                       \
                 q##j = _mm512_shuffle_ps(p##i, p##k, 0xee);                                       \
    const __m512 q##k = _mm512_shuffle_ps(p##j, p##l, 0x44),                                       \
                 q##l = _mm512_shuffle_ps(p##j, p##l, 0xee);
#define NN__STORE(column, vector)                                                                  \
    if (column < columns) _mm512_mask_storeu_ps(to + column * to_row, out, vector);
#define NN__FINISH(i, j, k, l) /* rows i, j, k, l are 4 apart; they become columns i, j, k, l */   \
    {                                                                                              \
        const __m512 e0 = _mm512_shuffle_f32x4(q##i, q##j, 0x88),                                  \
                     e1 = _mm512_shuffle_f32x4(q##i, q##j, 0xdd);                                  \
        const __m512 e2 = _mm512_shuffle_f32x4(q##k, q##l, 0x88),                                  \
                     e3 = _mm512_shuffle_f32x4(q##k, q##l, 0xdd);                                  \
        NN__STORE(i, _mm512_shuffle_f32x4(e0, e2, 0x88))                                           \
        NN__STORE(j, _mm512_shuffle_f32x4(e1, e3, 0x88))                                           \
        NN__STORE(k, _mm512_shuffle_f32x4(e0, e2, 0xdd))                                           \
        NN__STORE(l, _mm512_shuffle_f32x4(e1, e3, 0xdd))                                           \
    }
    /* clang-format off */
    NN__LOAD(0) NN__LOAD(1) NN__LOAD(2) NN__LOAD(3) NN__LOAD(4) NN__LOAD(5) NN__LOAD(6) NN__LOAD(7)
    NN__LOAD(8) NN__LOAD(9) NN__LOAD(10) NN__LOAD(11)
    NN__LOAD(12) NN__LOAD(13) NN__LOAD(14) NN__LOAD(15)
    NN__PAIR(0, 1) NN__PAIR(2, 3) NN__PAIR(4, 5) NN__PAIR(6, 7)
    NN__PAIR(8, 9) NN__PAIR(10, 11) NN__PAIR(12, 13) NN__PAIR(14, 15)
    NN__QUAD(0, 1, 2, 3) NN__QUAD(4, 5, 6, 7) NN__QUAD(8, 9, 10, 11) NN__QUAD(12, 13, 14, 15)
    NN__FINISH(0, 4, 8, 12) NN__FINISH(1, 5, 9, 13)
    NN__FINISH(2, 6, 10, 14) NN__FINISH(3, 7, 11, 15)
    /* clang-format on */
#undef NN__LOAD
#undef NN__PAIR
#undef NN__QUAD
#undef NN__STORE
#undef NN__FINISH
}

static void nn__avx512_transpose(float *to, ptrdiff_t to_row, const float *from, ptrdiff_t from_row,
                                 int rows, int columns) {
    for (int i = 0; i < rows; i += 16)
        for (int j = 0; j < columns; j += 16)
            nn__avx512_transpose16(to + j * to_row + i, to_row, from + i * from_row + j, from_row,
                                   nn__mini(16, rows - i), nn__mini(16, columns - j));
}

static NN__GEMM_AVX512 void nn__avx512_pick(float *to, const float *from, ptrdiff_t stride, int n) {
    if (stride == 1) {
        for (int i = 0; i < n; i += 16) {
            const __mmask16 mask = nn__avx512_mask(n - i);
            _mm512_mask_storeu_ps(to + i, mask, _mm512_maskz_loadu_ps(mask, from + i));
        }
        return;
    }
    if (stride != 2) {
        nn__avx2_pick(to, from, stride, n);
        return;
    }
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    for (int i = 0; i < n; i += 16) {
        const int left = 2 * (n - i) - 1; /* floats that may be read */
        const __m512 first = _mm512_maskz_loadu_ps(nn__avx512_mask(left), from + 2 * i);
        const __m512 second =
            left > 16 ? _mm512_maskz_loadu_ps(nn__avx512_mask(left - 16), from + 2 * i + 16)
                      : first;
        _mm512_mask_storeu_ps(to + i, nn__avx512_mask(n - i),
                              _mm512_permutex2var_ps(first, even, second));
    }
}

/* Both halves of a row at once: a call for each would take longer than what it copies. */
static NN__GEMM_AVX512 void nn__avx512_halve(float *even, float *odd, const float *x, int at,
                                             int columns, int n) {
    const __m512i evens =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odds = _mm512_add_epi32(evens, _mm512_set1_epi32(1));
    for (int i = 0; i < n; i += 16, at += 32) {
        const __mmask16 first = (__mmask16)(nn__avx512_mask(nn__maxi(0, columns - at)) &
                                            ~nn__avx512_mask(nn__maxi(0, -at)));
        const __mmask16 second = (__mmask16)(nn__avx512_mask(nn__maxi(0, columns - at - 16)) &
                                             ~nn__avx512_mask(nn__maxi(0, -at - 16)));
        const __m512 a = _mm512_maskz_loadu_ps(first, x + at),
                     b = _mm512_maskz_loadu_ps(second, x + at + 16),
                     u = _mm512_permutex2var_ps(a, evens, b),
                     v = _mm512_permutex2var_ps(a, odds, b);
        if (n - i >= 16) {
            _mm512_storeu_ps(even + i, u);
            _mm512_storeu_ps(odd + i, v);
        } else {
            _mm512_mask_storeu_ps(even + i, nn__avx512_mask(n - i), u);
            _mm512_mask_storeu_ps(odd + i, nn__avx512_mask(n - i), v);
        }
    }
}

static NN__GEMM_AVX512 void nn__avx512_widen(float *to, const uint16_t *from, bool f16, int n) {
    int i = 0;
    if (f16)
        for (; i + 16 <= n; i += 16)
            _mm512_storeu_ps(to + i, _mm512_cvtph_ps(_mm256_loadu_si256(
                                         (const __m256i *)(const void *)(from + i))));
    else
        for (; i + 16 <= n; i += 16)
            _mm512_storeu_ps(to + i, _mm512_castsi512_ps(_mm512_slli_epi32(
                                         _mm512_cvtepu16_epi32(_mm256_loadu_si256(
                                             (const __m256i *)(const void *)(from + i))),
                                         16)));
    nn__plain_widen(to + i, from + i, f16, n - i);
}

NN_PRIVATE const nn__gemm_set *nn__gemm_set_avx512(void) {
    static const nn__gemm_set set = {14,
                                     32,
                                     16,
                                     nn__avx512_tile,
                                     nn__avx512_finish,
                                     nn__avx512_dot,
                                     nn__avx512_transpose,
                                     nn__avx512_pick,
                                     nn__avx512_halve,
                                     nn__avx512_widen,
                                     nn__avx2_dot_halves,
                                     nn__avx2_dot_row,
                                     nn__avx2_add_halves,
                                     nn__avx512_tile_copy,
                                     nn__avx512_tile_ahead,
                                     3 << 20};
    return &set;
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#undef NN__GEMM_AVX512
#else
typedef int nn__avx512_empty; /* ISO C wants something in a file */
#endif
