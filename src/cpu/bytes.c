/* cpu/bytes.c - products with rows of 8-bit numbers, which are widened in registers: sums along a
   row, sums of rows, and widening alone. Each number is exact in f32, so that these are the sums
   of f32 in another order.

   Such products wait for memory, and a byte takes more work to become a number than to be read:
   the kernels for AVX-512 and AVX2 read one row after the other, as cpu/along_avx2.c does. */
#include "cpu/gemm.h"

#ifndef NN_NO_SIMD

/* ---- plain C --------------------------------------------------------------------------------- */

static void nn__bytes_widen(float *to, const int8_t *from, int n) {
    for (int i = 0; i < n; i++) to[i] = (float)from[i];
}

static void nn__bytes_dot(const nn__dots *d, const int8_t *b) {
    for (int i = 0; i < d->rows; i++)
        for (int j = 0; j < d->columns; j++) {
            const float *a = d->a + i * d->a_row;
            const int8_t *row = b + j * d->b_row;
            float *y = d->y + i * d->y_row + j * d->y_step;
            float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
            int p = 0;
            for (; p + 4 <= d->depth; p += 4) {
                s0 += a[p] * (float)row[p], s1 += a[p + 1] * (float)row[p + 1];
                s2 += a[p + 2] * (float)row[p + 2], s3 += a[p + 3] * (float)row[p + 3];
            }
            for (; p < d->depth; p++) s0 += a[p] * (float)row[p];
            s0 = (s0 + s1) + (s2 + s3);
            *y = d->add ? *y + s0 : s0;
        }
}

static void nn__bytes_add(float *y, const float *a, const int8_t *b, ptrdiff_t b_row, int rows,
                          int n, bool add) {
    for (int j = 0; j < n; j += 16) {
        const int columns = nn__mini(16, n - j);
        float sum[16] = {0};
        if (add) memcpy(sum, y + j, (size_t)columns * sizeof(float));
        for (int e = 0; e < rows; e++)
            for (int l = 0; l < columns; l++) sum[l] += a[e] * (float)b[e * b_row + j + l];
        memcpy(y + j, sum, (size_t)columns * sizeof(float));
    }
}

static const nn__bytes_set nn__bytes_set_plain = {nn__bytes_widen, nn__bytes_dot, nn__bytes_add};

/* ---- x86 ------------------------------------------------------------------------------------- */

#ifdef NN__HAVE_X86

/* gcc 12's own header starts "undefined" vectors from themselves, and g++ warns where they are
   inlined. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* The kernels of both sets, of vectors of `lanes` numbers. Rows of a: up to four, of which each
   number of b is widened once; a is read again for each row of b, from the first cache. The end of
   a row that fills no vector is filled up with zeros. */
#define NN__ROWS(X) X(0) X(1) X(2) X(3)
#define NN__BYTES_KERNELS(set, TARGET, vector, lanes, zero, load, store, wide, fmadd, add_, set1,  \
                          total)                                                                   \
    static NN__ALWAYS_INLINE TARGET float nn__##set##_bytes_one(                                   \
        const float *a, const int8_t *row, const int8_t *ahead, int depth, vector s3) {            \
        vector s0 = zero(), s1 = s0, s2 = s0;                                                      \
        int p = 0;                                                                                 \
        for (; p + 4 * lanes <= depth; p += 4 * lanes) {                                           \
            _mm_prefetch((const char *)ahead + p, _MM_HINT_T0);                                    \
            s0 = fmadd(load(a + p), wide(row + p), s0);                                            \
            s1 = fmadd(load(a + p + lanes), wide(row + p + lanes), s1);                            \
            s2 = fmadd(load(a + p + 2 * lanes), wide(row + p + 2 * lanes), s2);                    \
            s3 = fmadd(load(a + p + 3 * lanes), wide(row + p + 3 * lanes), s3);                    \
        }                                                                                          \
        for (; p + lanes <= depth; p += lanes) s0 = fmadd(load(a + p), wide(row + p), s0);         \
        return total(add_(add_(s0, s1), add_(s2, s3)));                                            \
    }                                                                                              \
    static NN__ALWAYS_INLINE TARGET void nn__##set##_bytes_row(const nn__dots *d,                  \
                                                               const int8_t *b) {                  \
        const int rest = d->depth % lanes, whole = d->depth - rest;                                \
        const ptrdiff_t ahead = d->b_row * (NN__BYTES_AHEAD / d->depth + 1);                       \
        float a_end[lanes] = {0};                                                                  \
        int8_t end[lanes] = {0};                                                                   \
        memcpy(a_end, d->a + whole, (size_t)rest * sizeof(float));                                 \
        for (int j = 0; j < d->columns; j++) {                                                     \
            const int8_t *row = b + j * d->b_row;                                                  \
            vector last = zero();                                                                  \
            memcpy(end, row + whole, (size_t)rest);                                                \
            if (rest > 0) last = fmadd(load(a_end), wide(end), last);                              \
            const float sum = nn__##set##_bytes_one(d->a, row, row + ahead, d->depth, last);       \
            float *at = d->y + j * d->y_step;                                                      \
            *at = d->add ? *at + sum : sum;                                                        \
        }                                                                                          \
    }                                                                                              \
    static NN__ALWAYS_INLINE TARGET void nn__##set##_bytes_few(const nn__dots *d, const int8_t *b, \
                                                               const int rows) {                   \
        const int rest = d->depth % lanes, whole = d->depth - rest;                                \
        const ptrdiff_t ahead = d->b_row * (NN__BYTES_AHEAD / d->depth + 1);                       \
        float a_end[4][lanes] = {{0}};                                                             \
        int8_t end[lanes] = {0};                                                                   \
        for (int i = 0; i < rows; i++)                                                             \
            memcpy(a_end[i], d->a + i * d->a_row + whole, (size_t)rest * sizeof(float));           \
        for (int j = 0; j < d->columns; j++) {                                                     \
            const int8_t *row = b + j * d->b_row;                                                  \
            const float *a = d->a;                                                                 \
            vector s0 = zero(), s1 = s0, s2 = s0, s3 = s0, t0 = s0, t1 = s0, t2 = s0, t3 = s0;     \
            int p = 0;                                                                             \
            for (; p + 2 * lanes <= whole; p += 2 * lanes) {                                       \
                const vector u = wide(row + p), v = wide(row + p + lanes);                         \
                _mm_prefetch((const char *)row + ahead + p, _MM_HINT_T0);                          \
                NN__ROWS(NN__BYTES_TWO_##set)                                                      \
            }                                                                                      \
            if (p < whole) {                                                                       \
                const vector u = wide(row + p);                                                    \
                NN__ROWS(NN__BYTES_ONE_##set)                                                      \
            }                                                                                      \
            if (rest > 0) {                                                                        \
                memcpy(end, row + whole, (size_t)rest);                                            \
                const vector u = wide(end);                                                        \
                NN__ROWS(NN__BYTES_END_##set)                                                      \
            }                                                                                      \
            const float sum[4] = {total(add_(s0, t0)), rows > 1 ? total(add_(s1, t1)) : 0.0f,      \
                                  rows > 2 ? total(add_(s2, t2)) : 0.0f,                           \
                                  rows > 3 ? total(add_(s3, t3)) : 0.0f};                          \
            for (int i = 0; i < rows; i++) {                                                       \
                float *at = d->y + i * d->y_row + j * d->y_step;                                   \
                *at = d->add ? *at + sum[i] : sum[i];                                              \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static TARGET void nn__##set##_bytes_dot(const nn__dots *d, const int8_t *b) {                 \
        if (d->rows == 1) nn__##set##_bytes_row(d, b);                                             \
        else if (d->rows == 2) nn__##set##_bytes_few(d, b, 2);                                     \
        else if (d->rows == 3) nn__##set##_bytes_few(d, b, 3);                                     \
        else nn__##set##_bytes_few(d, b, 4);                                                       \
    }                                                                                              \
    static TARGET void nn__##set##_bytes_widen(float *to, const int8_t *from, int n) {             \
        int i = 0;                                                                                 \
        for (; i + lanes <= n; i += lanes) store(to + i, wide(from + i));                          \
        nn__bytes_widen(to + i, from + i, n - i);                                                  \
    }                                                                                              \
    static TARGET void nn__##set##_bytes_add(float *y, const float *a, const int8_t *b,            \
                                             ptrdiff_t b_row, int rows, int n, bool add) {         \
        int j = 0;                                                                                 \
        for (; j + 4 * lanes <= n; j += 4 * lanes) {                                               \
            const int8_t *from = b + j;                                                            \
            vector s0 = zero(), s1 = s0, s2 = s0, s3 = s0;                                         \
            if (add) {                                                                             \
                s0 = load(y + j), s1 = load(y + j + lanes);                                        \
                s2 = load(y + j + 2 * lanes), s3 = load(y + j + 3 * lanes);                        \
            }                                                                                      \
            for (int e = 0; e < rows; e++, from += b_row) {                                        \
                const vector u = set1(a[e]);                                                       \
                _mm_prefetch((const char *)from + rows * b_row, _MM_HINT_T0);                      \
                s0 = fmadd(u, wide(from), s0);                                                     \
                s1 = fmadd(u, wide(from + lanes), s1);                                             \
                s2 = fmadd(u, wide(from + 2 * lanes), s2);                                         \
                s3 = fmadd(u, wide(from + 3 * lanes), s3);                                         \
            }                                                                                      \
            store(y + j, s0);                                                                      \
            store(y + j + lanes, s1);                                                              \
            store(y + j + 2 * lanes, s2);                                                          \
            store(y + j + 3 * lanes, s3);                                                          \
        }                                                                                          \
        if (j < n) nn__bytes_add(y + j, a, b + j, b_row, rows, n - j, add);                        \
    }

#define NN__BYTES_AHEAD 4096 /* bytes that are asked for before they are read */

#define NN__BYTES_AVX2 NN__TARGET("avx2,fma")
static NN__ALWAYS_INLINE NN__BYTES_AVX2 __m256 nn__avx2_wide(const int8_t *from) {
    return _mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from)));
}
static NN__ALWAYS_INLINE NN__BYTES_AVX2 float nn__avx2_total(__m256 s) {
    const __m128 t = _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1)),
                 u = _mm_add_ps(t, _mm_movehl_ps(t, t));
    return _mm_cvtss_f32(_mm_add_ss(u, _mm_shuffle_ps(u, u, 1)));
}
#define NN__BYTES_TWO_avx2(i)                                                                      \
    if (i < rows) {                                                                                \
        s##i = _mm256_fmadd_ps(_mm256_loadu_ps(a + i * d->a_row + p), u, s##i);                    \
        t##i = _mm256_fmadd_ps(_mm256_loadu_ps(a + i * d->a_row + p + 8), v, t##i);                \
    }
#define NN__BYTES_ONE_avx2(i)                                                                      \
    if (i < rows) s##i = _mm256_fmadd_ps(_mm256_loadu_ps(a + i * d->a_row + p), u, s##i);
#define NN__BYTES_END_avx2(i)                                                                      \
    if (i < rows) t##i = _mm256_fmadd_ps(_mm256_loadu_ps(a_end[i]), u, t##i);
NN__BYTES_KERNELS(avx2, NN__BYTES_AVX2, __m256, 8, _mm256_setzero_ps, _mm256_loadu_ps,
                  _mm256_storeu_ps, nn__avx2_wide, _mm256_fmadd_ps, _mm256_add_ps, _mm256_set1_ps,
                  nn__avx2_total)
static const nn__bytes_set nn__bytes_set_avx2 = {nn__avx2_bytes_widen, nn__avx2_bytes_dot,
                                                 nn__avx2_bytes_add};

#define NN__BYTES_AVX512 NN__TARGET("avx512f")
static NN__ALWAYS_INLINE NN__BYTES_AVX512 __m512 nn__avx512_wide(const int8_t *from) {
    return _mm512_cvtepi32_ps(
        _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)));
}
static NN__ALWAYS_INLINE NN__BYTES_AVX512 float nn__avx512_total(__m512 s) {
    const __m128 t = _mm_add_ps(
                     _mm_add_ps(_mm512_castps512_ps128(s), _mm512_extractf32x4_ps(s, 1)),
                     _mm_add_ps(_mm512_extractf32x4_ps(s, 2), _mm512_extractf32x4_ps(s, 3))),
                 u = _mm_add_ps(t, _mm_movehl_ps(t, t));
    return _mm_cvtss_f32(_mm_add_ss(u, _mm_shuffle_ps(u, u, 1)));
}
#define NN__BYTES_TWO_avx512(i)                                                                    \
    if (i < rows) {                                                                                \
        s##i = _mm512_fmadd_ps(_mm512_loadu_ps(a + i * d->a_row + p), u, s##i);                    \
        t##i = _mm512_fmadd_ps(_mm512_loadu_ps(a + i * d->a_row + p + 16), v, t##i);               \
    }
#define NN__BYTES_ONE_avx512(i)                                                                    \
    if (i < rows) s##i = _mm512_fmadd_ps(_mm512_loadu_ps(a + i * d->a_row + p), u, s##i);
#define NN__BYTES_END_avx512(i)                                                                    \
    if (i < rows) t##i = _mm512_fmadd_ps(_mm512_loadu_ps(a_end[i]), u, t##i);
NN__BYTES_KERNELS(avx512, NN__BYTES_AVX512, __m512, 16, _mm512_setzero_ps, _mm512_loadu_ps,
                  _mm512_storeu_ps, nn__avx512_wide, _mm512_fmadd_ps, _mm512_add_ps,
                  _mm512_set1_ps, nn__avx512_total)
static const nn__bytes_set nn__bytes_set_avx512 = {nn__avx512_bytes_widen, nn__avx512_bytes_dot,
                                                   nn__avx512_bytes_add};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#undef NN__ROWS
#undef NN__BYTES_KERNELS
#undef NN__BYTES_AHEAD
#undef NN__BYTES_AVX2
#undef NN__BYTES_AVX512
#undef NN__BYTES_TWO_avx2
#undef NN__BYTES_ONE_avx2
#undef NN__BYTES_END_avx2
#undef NN__BYTES_TWO_avx512
#undef NN__BYTES_ONE_avx512
#undef NN__BYTES_END_avx512
#endif

/* ---- 64-bit ARM ------------------------------------------------------------------------------ */

#ifdef NN__HAVE_NEON

static NN__ALWAYS_INLINE float32x4_t nn__neon_low(int16x8_t x) {
    return vcvtq_f32_s32(vmovl_s16(vget_low_s16(x)));
}
static NN__ALWAYS_INLINE float32x4_t nn__neon_high(int16x8_t x) {
    return vcvtq_f32_s32(vmovl_s16(vget_high_s16(x)));
}

static void nn__neon_bytes_widen(float *to, const int8_t *from, int n) {
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const int16x8_t x = vmovl_s8(vld1_s8(from + i));
        vst1q_f32(to + i, nn__neon_low(x));
        vst1q_f32(to + i + 4, nn__neon_high(x));
    }
    nn__bytes_widen(to + i, from + i, n - i);
}

static void nn__neon_bytes_dot(const nn__dots *d, const int8_t *b) {
    const int whole = d->depth / 16 * 16;
    for (int j = 0; j < d->columns; j++)
        for (int i = 0; i < d->rows; i++) {
            const float *a = d->a + i * d->a_row;
            const int8_t *row = b + j * d->b_row;
            float *y = d->y + i * d->y_row + j * d->y_step;
            float32x4_t s0 = vdupq_n_f32(0), s1 = s0, s2 = s0, s3 = s0;
            for (int p = 0; p < whole; p += 16) {
                const int8x16_t x = vld1q_s8(row + p);
                const int16x8_t u = vmovl_s8(vget_low_s8(x)), v = vmovl_s8(vget_high_s8(x));
                s0 = vfmaq_f32(s0, vld1q_f32(a + p), nn__neon_low(u));
                s1 = vfmaq_f32(s1, vld1q_f32(a + p + 4), nn__neon_high(u));
                s2 = vfmaq_f32(s2, vld1q_f32(a + p + 8), nn__neon_low(v));
                s3 = vfmaq_f32(s3, vld1q_f32(a + p + 12), nn__neon_high(v));
            }
            float sum = vaddvq_f32(vaddq_f32(vaddq_f32(s0, s1), vaddq_f32(s2, s3)));
            for (int p = whole; p < d->depth; p++) sum += a[p] * (float)row[p];
            *y = d->add ? *y + sum : sum;
        }
}

static void nn__neon_bytes_add(float *y, const float *a, const int8_t *b, ptrdiff_t b_row, int rows,
                               int n, bool add) {
    int j = 0;
    for (; j + 16 <= n; j += 16) {
        const int8_t *from = b + j;
        float32x4_t s0 = vdupq_n_f32(0), s1 = s0, s2 = s0, s3 = s0;
        if (add) {
            s0 = vld1q_f32(y + j), s1 = vld1q_f32(y + j + 4);
            s2 = vld1q_f32(y + j + 8), s3 = vld1q_f32(y + j + 12);
        }
        for (int e = 0; e < rows; e++, from += b_row) {
            const int8x16_t x = vld1q_s8(from);
            const int16x8_t u = vmovl_s8(vget_low_s8(x)), v = vmovl_s8(vget_high_s8(x));
            s0 = vfmaq_n_f32(s0, nn__neon_low(u), a[e]);
            s1 = vfmaq_n_f32(s1, nn__neon_high(u), a[e]);
            s2 = vfmaq_n_f32(s2, nn__neon_low(v), a[e]);
            s3 = vfmaq_n_f32(s3, nn__neon_high(v), a[e]);
        }
        vst1q_f32(y + j, s0), vst1q_f32(y + j + 4, s1);
        vst1q_f32(y + j + 8, s2), vst1q_f32(y + j + 12, s3);
    }
    if (j < n) nn__bytes_add(y + j, a, b + j, b_row, rows, n - j, add);
}

static const nn__bytes_set nn__bytes_set_neon = {nn__neon_bytes_widen, nn__neon_bytes_dot,
                                                 nn__neon_bytes_add};
#endif

NN_PRIVATE const nn__bytes_set *nn__bytes_set_of(const nn__cpu *cpu) {
#ifdef NN__HAVE_X86
    if (cpu->instructions == NN_INSTRUCTIONS_AVX512) return &nn__bytes_set_avx512;
    if (cpu->instructions == NN_INSTRUCTIONS_AVX2) return &nn__bytes_set_avx2;
#endif
#ifdef NN__HAVE_NEON
    if (cpu->instructions == NN_INSTRUCTIONS_NEON) return &nn__bytes_set_neon;
#endif
    (void)cpu;
    return &nn__bytes_set_plain;
}

#endif

typedef int nn__bytes_part; /* a part must not be empty under NN_NO_SIMD */
