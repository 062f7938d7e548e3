/* kernels/conv_pool/cpu_quads_vectors.c - what kernels/conv_pool/cpu_quads.h says, for vectors:
   even and odd columns of a row, and the points of quads. */
#include "cpu/gemm.h"
#include "kernels/conv_pool/cpu_quads.h"

#ifdef NN__VECTOR8

/* As in cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/* ---- even and odd columns -------------------------------------------------------------------- */

/* The first n of them. Processors of AMD take long for a mask, which whole vectors do without. */
static NN__ALWAYS_INLINE NN__AVX2 void nn__quad_store8(float *to, int n, __m256 v) {
    if (n >= 8)
        _mm256_storeu_ps(to, v);
    else if (n > 0)
        nn__store_tail8(to, n, v);
}

/* Numbers [at, at + 8) of the row x, which are 0 outside [0, width). */
static NN__ALWAYS_INLINE NN__AVX2 __m256 nn__quad_some8(const float *x, int at, int width) {
    if (at >= 0 && at + 8 <= width) return _mm256_loadu_ps(x + at);
    return _mm256_maskload_ps(x + at, nn__lanes8(-at, width - at));
}

/* The even or the odd ones of 16 numbers. */
static NN__ALWAYS_INLINE NN__AVX2 __m256 nn__quad_part8(__m256 a, __m256 b, const bool odd) {
    const __m256 mixed = odd ? _mm256_shuffle_ps(a, b, 0xdd) : _mm256_shuffle_ps(a, b, 0x88);
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}

#ifdef NN__VECTOR16
/* The same of 16, and of 32. */
static NN__ALWAYS_INLINE NN__AVX512 __m512 nn__quad_some16(const float *x, int at, int width) {
    if (at >= 0 && at + 16 <= width) return _mm512_loadu_ps(x + at);
    return _mm512_maskz_loadu_ps(nn__lanes16(-at, width - at), x + at);
}

static NN__ALWAYS_INLINE NN__AVX512 __m512 nn__quad_part16(__m512 a, __m512 b, const bool odd) {
    const __m512i evens =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_ps(
        a, odd ? _mm512_add_epi32(evens, _mm512_set1_epi32(1)) : evens, b);
}
#endif

static NN__AVX2 void nn__quad_split8(float *even, float *odd, const float *x, int first, int width,
                                     int n) {
    for (int i = 0; i < n; i += 8) {
        const __m256 a = nn__quad_some8(x, first + 2 * i, width),
                     b = nn__quad_some8(x, first + 2 * i + 8, width);
        nn__quad_store8(even + i, n - i, nn__quad_part8(a, b, false));
        nn__quad_store8(odd + i, n - i, nn__quad_part8(a, b, true));
    }
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Of row q of what a quad reads, four columns: the even and the odd ones of two quads. */
#define NN__QUAD_READ(q)                                                                           \
    const float *row##q = x + 2 * ((q) & 1) * b->plane + ((q) >> 1) * b->row;                      \
    const NN__V x##q##0 = NN__LOAD(row##q), x##q##1 = NN__LOAD(row##q + b->plane),                 \
                x##q##2 = NN__LOAD(row##q + 1), x##q##3 = NN__LOAD(row##q + b->plane + 1);
/* Column j of the points: of each row the columns `left` and `right`. */
#define NN__QUAD_COLUMN(j, left, right, OP)                                                        \
    {                                                                                              \
        const NN__V t0 = OP(x0##left, x0##right), t1 = OP(x1##left, x1##right),                    \
                    t2 = OP(x2##left, x2##right), t3 = OP(x3##left, x3##right);                    \
        NN__STORE(to + (j) * NN__WIDE, NN__SUB(t0, t2));                                           \
        NN__STORE(to + (4 + (j)) * NN__WIDE, NN__ADD(t1, t2));                                     \
        NN__STORE(to + (8 + (j)) * NN__WIDE, NN__SUB(t2, t1));                                     \
        NN__STORE(to + (12 + (j)) * NN__WIDE, NN__SUB(t1, t3));                                    \
    }
#define NN__QUAD_MAKE_POINTS(name, target)                                                         \
    static target void name(const nn__quad_band *b, const float *x, float *to) {                   \
        for (int c = 0; c < b->channels; c++, x += b->channel, to += 16 * NN__WIDE) {              \
            NN__QUAD_READ(0)                                                                       \
            NN__QUAD_READ(1)                                                                       \
            NN__QUAD_READ(2)                                                                       \
            NN__QUAD_READ(3)                                                                       \
            NN__QUAD_COLUMN(0, 0, 2, NN__SUB)                                                      \
            NN__QUAD_COLUMN(1, 1, 2, NN__ADD)                                                      \
            NN__QUAD_COLUMN(2, 2, 1, NN__SUB)                                                      \
            NN__QUAD_COLUMN(3, 1, 3, NN__SUB)                                                      \
        }                                                                                          \
    }

#define NN__V            __m256
#define NN__WIDE         8
#define NN__LOAD(p)      _mm256_loadu_ps(p)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__SUB(a, b)    _mm256_sub_ps(a, b)
#define NN__STORE(p, v)  _mm256_storeu_ps(p, v)
NN__QUAD_MAKE_POINTS(nn__quad_points8, NN__AVX2)
#undef NN__V
#undef NN__WIDE
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__STORE

#ifdef NN__VECTOR16
static NN__AVX512 void nn__quad_split16(float *even, float *odd, const float *x, int first,
                                        int width, int n) {
    int i = 0;
#define NN__READ                                                                                   \
    const __m512 a = nn__quad_some16(x, first + 2 * i, width),                                     \
                 b = nn__quad_some16(x, first + 2 * i + 16, width);
    for (; i + 16 <= n; i += 16) {
        NN__READ
        _mm512_storeu_ps(even + i, nn__quad_part16(a, b, false));
        _mm512_storeu_ps(odd + i, nn__quad_part16(a, b, true));
    }
    if (n - i > 2) {
        NN__READ
        _mm512_mask_storeu_ps(even + i, nn__lanes16(0, n - i), nn__quad_part16(a, b, false));
        _mm512_mask_storeu_ps(odd + i, nn__lanes16(0, n - i), nn__quad_part16(a, b, true));
        return;
    }
#undef NN__READ
    for (; i < n; i++) { /* what the taps of the last quads see beside them */
        const int at = first + 2 * i;
        even[i] = at >= 0 && at < width ? x[at] : 0.0f;
        odd[i] = at >= -1 && at + 1 < width ? x[at + 1] : 0.0f;
    }
}

#define NN__V            __m512
#define NN__WIDE         16
#define NN__LOAD(p)      _mm512_loadu_ps(p)
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__SUB(a, b)    _mm512_sub_ps(a, b)
#define NN__STORE(p, v)  _mm512_storeu_ps(p, v)
NN__QUAD_MAKE_POINTS(nn__quad_points16, NN__AVX512)
#undef NN__V
#undef NN__WIDE
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__STORE
#endif

#undef NN__QUAD_READ
#undef NN__QUAD_COLUMN
#undef NN__QUAD_MAKE_POINTS
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#define NN__QUADS_SET(wide) {wide, nn__quad_split##wide, nn__quad_points##wide}
#endif

#ifndef NN_NO_SIMD
NN_PRIVATE const nn__quads_set *nn__quads_set_of(const nn__cpu *cpu) {
#ifdef NN__VECTOR16
    static const nn__quads_set avx512 = NN__QUADS_SET(16);
    if (nn__vectors16(cpu)) return &avx512;
#endif
#ifdef NN__VECTOR8
    static const nn__quads_set avx2 = NN__QUADS_SET(8);
    if (nn__vectors(cpu)) return &avx2;
#endif
    (void)cpu;
    return NULL;
}
#endif
#undef NN__QUADS_SET

typedef int nn__conv_pool_quads_vectors_part; /* a part must not be empty on other machines */
