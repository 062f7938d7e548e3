/* kernels/conv_pool/cpu_put.h - what the tiles of blocks end with, by vectors of 16 and of 8
   windows: the largest of four sums of each, bias, relu, and where it was. */
#pragma once

#include "kernels/conv_pool/cpu.h"

#ifdef NN__VECTOR16
/* As in cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
static inline NN__UNUSED __mmask16 nn__conv_pool_first16(int n) {
    return (__mmask16)(n >= 16 ? 0xffffu : (1u << n) - 1u);
}

/* The largest of the four sums of 16 windows, of channel r. */
static NN__ALWAYS_INLINE NN__AVX512 void nn__conv_pool_put16(const nn__conv_pool_tile *t, int r,
                                                             __m512 z0, __m512 z1, __m512 z2,
                                                             __m512 z3) {
    const __mmask16 mask = nn__conv_pool_first16(t->columns);
    __m512i place = _mm512_setzero_si512();
    __mmask16 wins;
#define NN__LARGER(z, where)                                                                       \
    wins = (__mmask16)(_mm512_cmp_ps_mask(z, z0, _CMP_GT_OQ) |                                     \
                       _mm512_cmp_ps_mask(z, z, _CMP_UNORD_Q));                                    \
    z0 = _mm512_mask_mov_ps(z0, wins, z);                                                          \
    place = _mm512_mask_mov_epi32(place, wins, _mm512_set1_epi32(where));
    NN__LARGER(z1, 1)
    NN__LARGER(z2, 2)
    NN__LARGER(z3, 3)
#undef NN__LARGER
    if (t->bias) z0 = _mm512_add_ps(z0, _mm512_set1_ps(t->bias[r]));
    if (t->relu) z0 = _mm512_max_ps(_mm512_setzero_ps(), z0); /* in this order a NaN stays */
    _mm512_mask_storeu_ps(t->y + r * t->y_row, mask, z0);
    if (t->place) _mm512_mask_cvtepi32_storeu_epi8(t->place + r * t->y_row, mask, place);
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif

#ifdef NN__VECTOR8
/* The larger of the best sum so far and that of another place of each window, and which it is. */
static NN__ALWAYS_INLINE NN__AVX2 void nn__conv_pool_larger8(__m256 *best, __m256i *place, __m256 z,
                                                             int where) {
    const __m256 wins =
        _mm256_or_ps(_mm256_cmp_ps(z, *best, _CMP_GT_OQ), _mm256_cmp_ps(z, z, _CMP_UNORD_Q));
    *best = _mm256_blendv_ps(*best, z, wins);
    *place = _mm256_blendv_epi8(*place, _mm256_set1_epi32(where), _mm256_castps_si256(wins));
}

/* The first n of them. Processors of AMD take long for a mask, which whole vectors do without. */
static NN__ALWAYS_INLINE NN__AVX2 void nn__conv_pool_store8(float *to, int n, __m256 v) {
    if (n >= 8)
        _mm256_storeu_ps(to, v);
    else
        nn__store_tail8(to, n, v);
}

/* The largest sums of 8 windows of channel r, and their places. */
static NN__ALWAYS_INLINE NN__AVX2 void nn__conv_pool_put8(const nn__conv_pool_tile *t, int r,
                                                          __m256 best, __m256i place) {
    if (t->bias) best = _mm256_add_ps(best, _mm256_set1_ps(t->bias[r]));
    if (t->relu) best = _mm256_max_ps(_mm256_setzero_ps(), best); /* in this order a NaN stays */
    nn__conv_pool_store8(t->y + r * t->y_row, t->columns, best);
    if (!t->place) return;
    const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(place),
                                           _mm256_extracti128_si256(place, 1)),
                  bytes = _mm_packus_epi16(words, words);
    uint8_t *to = t->place + r * t->y_row;
    if (t->columns == 8) {
        _mm_storel_epi64((__m128i *)(void *)to, bytes);
    } else {
        uint8_t some[16];
        _mm_storeu_si128((__m128i *)(void *)some, bytes);
        memcpy(to, some, (size_t)t->columns);
    }
}

static NN__ALWAYS_INLINE NN__AVX2 void nn__conv_pool_put_four8(const nn__conv_pool_tile *t, int r,
                                                               __m256 z0, __m256 z1, __m256 z2,
                                                               __m256 z3) {
    __m256i place = _mm256_setzero_si256();
    nn__conv_pool_larger8(&z0, &place, z1, 1);
    nn__conv_pool_larger8(&z0, &place, z2, 2);
    nn__conv_pool_larger8(&z0, &place, z3, 3);
    nn__conv_pool_put8(t, r, z0, place);
}
#endif
