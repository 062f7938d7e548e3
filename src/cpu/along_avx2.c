/* cpu/along_avx2.c - products of a few rows with b as it lies in memory, of f32, f16 or bf16, for
   AVX2 with FMA and F16C: nothing is copied into tiles (cpu/gemm_avx2.c), since each number of b is
   read once or twice. */
#include "cpu/gemm.h"

#ifdef NN__HAVE_X86

#define NN__HALF_AVX2 NN__TARGET("avx2,fma,f16c")

static NN__ALWAYS_INLINE NN__HALF_AVX2 __m256 nn__avx2_half8(const uint16_t *from,
                                                             const bool f16) {
    const __m128i bits = _mm_loadu_si128((const __m128i *)(const void *)from);
    return f16 ? _mm256_cvtph_ps(bits)
               : _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}

NN_PRIVATE NN__HALF_AVX2 void nn__avx2_widen(float *to, const uint16_t *from, bool f16, int n) {
    int i = 0;
    if (f16)
        for (; i + 8 <= n; i += 8) _mm256_storeu_ps(to + i, nn__avx2_half8(from + i, true));
    else
        for (; i + 8 <= n; i += 8) _mm256_storeu_ps(to + i, nn__avx2_half8(from + i, false));
    nn__plain_widen(to + i, from + i, f16, n - i);
}

/* Eight numbers of f32, f16 or bf16. */
enum { NN__AVX2_F32, NN__AVX2_F16, NN__AVX2_BF16 };
static NN__ALWAYS_INLINE NN__HALF_AVX2 __m256 nn__avx2_eight(const void *from, ptrdiff_t at,
                                                             const int type) {
    if (type == NN__AVX2_F32) return _mm256_loadu_ps((const float *)from + at);
    return nn__avx2_half8((const uint16_t *)from + at, type == NN__AVX2_F16);
}

/* One row of b after the other: what comes from memory is read in its order, so that the processor
   sees one stream and fetches it ahead. Halves take more work, and are asked for earlier still. */
static NN__ALWAYS_INLINE NN__HALF_AVX2 void nn__avx2_along(const nn__dots *d, const void *b,
                                                           const int type) {
    const int fours = d->depth / 32 * 32, whole = d->depth / 8 * 8, rest = d->depth - whole;
    const size_t size = type == NN__AVX2_F32 ? 4 : 2;
    const ptrdiff_t ahead = d->b_row * (2048 / d->depth + 1);
    float a_end[8] = {0}, end[8] = {0};
    memcpy(a_end, d->a + whole, (size_t)rest * sizeof(float));
    for (int j = 0; j < d->columns; j++) {
        const char *row = (const char *)b + j * d->b_row * (ptrdiff_t)size;
        const float *a = d->a;
        __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
        int p = 0;
        for (; p < fours; p += 32) {
            if (type != NN__AVX2_F32)
                _mm_prefetch(row + (p + ahead) * (ptrdiff_t)size, _MM_HINT_T0);
            s0 = _mm256_fmadd_ps(_mm256_loadu_ps(a + p), nn__avx2_eight(row, p, type), s0);
            s1 = _mm256_fmadd_ps(_mm256_loadu_ps(a + p + 8), nn__avx2_eight(row, p + 8, type), s1);
            s2 = _mm256_fmadd_ps(_mm256_loadu_ps(a + p + 16), nn__avx2_eight(row, p + 16, type),
                                 s2);
            s3 = _mm256_fmadd_ps(_mm256_loadu_ps(a + p + 24), nn__avx2_eight(row, p + 24, type),
                                 s3);
        }
        for (; p < whole; p += 8)
            s0 = _mm256_fmadd_ps(_mm256_loadu_ps(a + p), nn__avx2_eight(row, p, type), s0);
        if (rest > 0) {
            memcpy(end, row + whole * (ptrdiff_t)size, (size_t)rest * size);
            s1 = _mm256_fmadd_ps(_mm256_loadu_ps(a_end), nn__avx2_eight(end, 0, type), s1);
        }
        const __m128 s = nn__avx2_sum4(s0, s1, s2, s3), t = _mm_add_ps(s, _mm_movehl_ps(s, s));
        const float sum = _mm_cvtss_f32(_mm_add_ss(t, _mm_shuffle_ps(t, t, 1)));
        float *at = d->y + j * d->y_step;
        *at = d->add ? *at + sum : sum;
    }
}

/* The same for up to four rows of a, of which each number of b is read once. */
static NN__ALWAYS_INLINE NN__HALF_AVX2 void nn__avx2_along_few(const nn__dots *d, const void *b,
                                                               const int type, const int rows) {
    const int twos = d->depth / 16 * 16, whole = d->depth / 8 * 8, rest = d->depth - whole;
    const ptrdiff_t size = type == NN__AVX2_F32 ? 4 : 2, ahead = d->b_row * (2048 / d->depth + 1);
    float a_end[4][8] = {{0}}, end[8] = {0};
    for (int i = 0; i < rows; i++)
        memcpy(a_end[i], d->a + i * d->a_row + whole, (size_t)rest * sizeof(float));
    for (int j = 0; j < d->columns; j++) {
        const char *row = (const char *)b + j * d->b_row * size;
        const float *a = d->a;
        int p = 0;
#define NN__ROWS(X) X(0) X(1) X(2) X(3)
#define NN__X(i)    __m256 s##i = _mm256_setzero_ps(), t##i = s##i;
        NN__ROWS(NN__X)
#undef NN__X
        for (; p < twos; p += 16) {
            const __m256 u = nn__avx2_eight(row, p, type), v = nn__avx2_eight(row, p + 8, type);
            if (type == NN__AVX2_F32 || p % 32 == 0)
                _mm_prefetch(row + (p + ahead) * size, _MM_HINT_T0);
#define NN__X(i)                                                                                   \
    if (i < rows) {                                                                                \
        s##i = _mm256_fmadd_ps(_mm256_loadu_ps(a + i * d->a_row + p), u, s##i);                    \
        t##i = _mm256_fmadd_ps(_mm256_loadu_ps(a + i * d->a_row + p + 8), v, t##i);                \
    }
            NN__ROWS(NN__X)
#undef NN__X
        }
        if (p < whole) {
            const __m256 u = nn__avx2_eight(row, p, type);
#define NN__X(i)                                                                                   \
    if (i < rows) s##i = _mm256_fmadd_ps(_mm256_loadu_ps(a + i * d->a_row + p), u, s##i);
            NN__ROWS(NN__X)
#undef NN__X
        }
        memcpy(end, row + whole * size, (size_t)(rest * size));
        const __m256 u = nn__avx2_eight(end, 0, type);
#define NN__X(i)                                                                                   \
    if (i < rows && rest > 0) t##i = _mm256_fmadd_ps(_mm256_loadu_ps(a_end[i]), u, t##i);
        NN__ROWS(NN__X)
#undef NN__X
        float sum[4];
        _mm_storeu_ps(sum, nn__avx2_sum4(_mm256_add_ps(s0, t0), _mm256_add_ps(s1, t1),
                                         _mm256_add_ps(s2, t2), _mm256_add_ps(s3, t3)));
        for (int i = 0; i < rows; i++) {
            float *at = d->y + i * d->y_row + j * d->y_step;
            *at = d->add ? *at + sum[i] : sum[i];
        }
#undef NN__ROWS
    }
}

static NN__ALWAYS_INLINE NN__HALF_AVX2 void nn__avx2_along_rows(const nn__dots *d, const void *b,
                                                                const int type) {
    if (d->rows == 1) nn__avx2_along(d, b, type);
    else if (d->rows == 2) nn__avx2_along_few(d, b, type, 2);
    else if (d->rows == 3) nn__avx2_along_few(d, b, type, 3);
    else nn__avx2_along_few(d, b, type, 4);
}

NN_PRIVATE NN__HALF_AVX2 void nn__avx2_dot_row(const nn__dots *d) {
    nn__avx2_along_rows(d, d->b, NN__AVX2_F32);
}

/* The lines of four rows, 32 rows ahead. */
static NN__ALWAYS_INLINE void nn__avx2_fetch4(const uint16_t *row, ptrdiff_t distance) {
    const char *first = (const char *)(row + 32 * distance);
    for (int e = 0; e < 4; e++) _mm_prefetch(first + 2 * e * distance, _MM_HINT_T0);
}

/* Four short rows of b at a time; the end of a row that does not fill a vector is filled up with
   zeros. Rows may be far apart: those of a head among others. */
static NN__ALWAYS_INLINE NN__HALF_AVX2 void nn__avx2_halves(const nn__dots *d, const uint16_t *b,
                                                            const bool f16) {
    const int whole = d->depth / 8 * 8, rest = d->depth - whole;
    float a_end[8] = {0}, sum[4];
    uint16_t end[4][8] = {{0}};
    memcpy(a_end, d->a + whole, (size_t)rest * sizeof(float));
    for (int j = 0; j < d->columns; j += 4) {
        const uint16_t *b0 = b + j * d->b_row, *b1 = j + 1 < d->columns ? b0 + d->b_row : b0,
                       *b2 = j + 2 < d->columns ? b1 + d->b_row : b0,
                       *b3 = j + 3 < d->columns ? b2 + d->b_row : b0;
        __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
        for (int p = 0; p < whole; p += 8) {
            const __m256 u = _mm256_loadu_ps(d->a + p);
            if (p % 32 == 0) nn__avx2_fetch4(b0 + p, d->b_row);
            s0 = _mm256_fmadd_ps(u, nn__avx2_half8(b0 + p, f16), s0);
            s1 = _mm256_fmadd_ps(u, nn__avx2_half8(b1 + p, f16), s1);
            s2 = _mm256_fmadd_ps(u, nn__avx2_half8(b2 + p, f16), s2);
            s3 = _mm256_fmadd_ps(u, nn__avx2_half8(b3 + p, f16), s3);
        }
        if (rest > 0) {
            const __m256 u = _mm256_loadu_ps(a_end);
            memcpy(end[0], b0 + whole, (size_t)rest * 2);
            memcpy(end[1], b1 + whole, (size_t)rest * 2);
            memcpy(end[2], b2 + whole, (size_t)rest * 2);
            memcpy(end[3], b3 + whole, (size_t)rest * 2);
            s0 = _mm256_fmadd_ps(u, nn__avx2_half8(end[0], f16), s0);
            s1 = _mm256_fmadd_ps(u, nn__avx2_half8(end[1], f16), s1);
            s2 = _mm256_fmadd_ps(u, nn__avx2_half8(end[2], f16), s2);
            s3 = _mm256_fmadd_ps(u, nn__avx2_half8(end[3], f16), s3);
        }
        _mm_storeu_ps(sum, nn__avx2_sum4(s0, s1, s2, s3));
        for (int e = 0; e < 4 && j + e < d->columns; e++) {
            float *at = d->y + (j + e) * d->y_step;
            *at = d->add ? *at + sum[e] : sum[e];
        }
    }
}

NN_PRIVATE NN__HALF_AVX2 void nn__avx2_dot_halves(const nn__dots *d, const uint16_t *b, bool f16) {
    const bool is_long = d->depth >= NN__DEEP; /* a question to the shape alone */
    if (is_long && f16) nn__avx2_along_rows(d, b, NN__AVX2_F16);
    else if (is_long) nn__avx2_along_rows(d, b, NN__AVX2_BF16);
    else if (f16) nn__avx2_halves(d, b, true);
    else nn__avx2_halves(d, b, false);
}

/* 64 or 32 columns of y += a[e] b[e]. */
static NN__ALWAYS_INLINE NN__HALF_AVX2 void nn__avx2_add_columns(float *y, const float *a,
                                                                 const uint16_t *b, const bool f16,
                                                                 ptrdiff_t b_row, int rows,
                                                                 const bool all) {
    __m256 s0 = _mm256_loadu_ps(y), s1 = _mm256_loadu_ps(y + 8), s2 = _mm256_loadu_ps(y + 16),
           s3 = _mm256_loadu_ps(y + 24), s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    if (all) {
        s4 = _mm256_loadu_ps(y + 32), s5 = _mm256_loadu_ps(y + 40);
        s6 = _mm256_loadu_ps(y + 48), s7 = _mm256_loadu_ps(y + 56);
    }
    for (int e = 0; e < rows; e++, b += b_row) {
        const __m256 u = _mm256_broadcast_ss(a + e);
        _mm_prefetch((const char *)(b + 32 * b_row), _MM_HINT_T0);
        s0 = _mm256_fmadd_ps(u, nn__avx2_half8(b, f16), s0);
        s1 = _mm256_fmadd_ps(u, nn__avx2_half8(b + 8, f16), s1);
        s2 = _mm256_fmadd_ps(u, nn__avx2_half8(b + 16, f16), s2);
        s3 = _mm256_fmadd_ps(u, nn__avx2_half8(b + 24, f16), s3);
        if (!all) continue;
        _mm_prefetch((const char *)(b + 32 * b_row + 32), _MM_HINT_T0);
        s4 = _mm256_fmadd_ps(u, nn__avx2_half8(b + 32, f16), s4);
        s5 = _mm256_fmadd_ps(u, nn__avx2_half8(b + 40, f16), s5);
        s6 = _mm256_fmadd_ps(u, nn__avx2_half8(b + 48, f16), s6);
        s7 = _mm256_fmadd_ps(u, nn__avx2_half8(b + 56, f16), s7);
    }
    _mm256_storeu_ps(y, s0), _mm256_storeu_ps(y + 8, s1);
    _mm256_storeu_ps(y + 16, s2), _mm256_storeu_ps(y + 24, s3);
    if (!all) return;
    _mm256_storeu_ps(y + 32, s4), _mm256_storeu_ps(y + 40, s5);
    _mm256_storeu_ps(y + 48, s6), _mm256_storeu_ps(y + 56, s7);
}

NN_PRIVATE NN__HALF_AVX2 void nn__avx2_add_halves(float *y, const float *a, const uint16_t *b,
                                                  bool f16, ptrdiff_t b_row, int rows, int n) {
    float wide[32];
    int j = 0;
    for (; j + 64 <= n; j += 64)
        if (f16) nn__avx2_add_columns(y + j, a, b + j, true, b_row, rows, true);
        else nn__avx2_add_columns(y + j, a, b + j, false, b_row, rows, true);
    for (; j + 32 <= n; j += 32)
        if (f16) nn__avx2_add_columns(y + j, a, b + j, true, b_row, rows, false);
        else nn__avx2_add_columns(y + j, a, b + j, false, b_row, rows, false);
    for (int e = 0; j < n && e < rows; e++) {
        nn__avx2_widen(wide, b + e * b_row + j, f16, n - j);
        for (int l = 0; l < n - j; l++) y[j + l] += a[e] * wide[l];
    }
}

#undef NN__HALF_AVX2
#else
typedef int nn__along_avx2_empty; /* ISO C wants something in a file */
#endif
