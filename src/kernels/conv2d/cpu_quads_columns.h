/* kernels/conv2d/cpu_quads_columns.h - what rows of pictures and of dy become for quads, and come
   from: some numbers of a row, with zeros beyond its ends, and the even or the odd ones of two
   vectors. */
#pragma once

#include "cpu/simd.h"

#ifdef NN__VECTOR8
/* As in cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

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
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
