/* avx512.h: the AVX-512 intrinsics that src/ uses, built from two halves with AVX2, so that the
   library's code for AVX-512 runs on machines without it: the target avx512 of tools/test_full.sh.
   It says nothing about speed. Masked loads and stores work number by number and access no other
   numbers. */
#ifndef NN_TEST_AVX512_H
#define NN_TEST_AVX512_H
#include <immintrin.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct nn_two_halves { __m256 half[2]; } nn_two_halves;
typedef struct nn_two_words { __m256i half[2]; } nn_two_words;

#define NN_HALVES static inline __attribute__((target("avx2,fma,f16c"), unused))
#define NN_BOTH(name, function)                                                                    \
    NN_HALVES nn_two_halves name(nn_two_halves a, nn_two_halves b) {                               \
        a.half[0] = function(a.half[0], b.half[0]);                                                \
        a.half[1] = function(a.half[1], b.half[1]);                                                \
        return a;                                                                                  \
    }
NN_BOTH(nn_halves_add, _mm256_add_ps)
NN_BOTH(nn_halves_sub, _mm256_sub_ps)
NN_BOTH(nn_halves_mul, _mm256_mul_ps)
NN_BOTH(nn_halves_min, _mm256_min_ps)
NN_BOTH(nn_halves_max, _mm256_max_ps)
NN_BOTH(nn_halves_unpacklo, _mm256_unpacklo_ps)
NN_BOTH(nn_halves_unpackhi, _mm256_unpackhi_ps)

NN_HALVES nn_two_halves nn_halves_set1(float x) {
    nn_two_halves a = {{_mm256_set1_ps(x), _mm256_set1_ps(x)}};
    return a;
}
NN_HALVES nn_two_halves nn_halves_twice(__m256d x) {
    nn_two_halves a = {{_mm256_castpd_ps(x), _mm256_castpd_ps(x)}};
    return a;
}
NN_HALVES nn_two_halves nn_halves_fmadd(nn_two_halves a, nn_two_halves b, nn_two_halves c) {
    for (int i = 0; i < 2; i++) c.half[i] = _mm256_fmadd_ps(a.half[i], b.half[i], c.half[i]);
    return c;
}
NN_HALVES nn_two_halves nn_halves_fnmadd(nn_two_halves a, nn_two_halves b, nn_two_halves c) {
    for (int i = 0; i < 2; i++) c.half[i] = _mm256_fnmadd_ps(a.half[i], b.half[i], c.half[i]);
    return c;
}
/* Rounds to even whatever `mode` says. src/ has a floor for AVX-512, but does not call it. */
NN_HALVES nn_two_halves nn_halves_round(nn_two_halves a, int mode) {
    (void)mode;
    for (int i = 0; i < 2; i++)
        a.half[i] = _mm256_round_ps(a.half[i], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return a;
}
NN_HALVES nn_two_halves nn_halves_load(const void *from) {
    nn_two_halves a;
    memcpy(&a, from, sizeof a);
    return a;
}
NN_HALVES void nn_halves_store(void *to, nn_two_halves a) { memcpy(to, &a, sizeof a); }
NN_HALVES nn_two_halves nn_halves_load_masked(unsigned mask, const float *from) {
    float lane[16] = {0};
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) lane[i] = from[i];
    return nn_halves_load(lane);
}
NN_HALVES __m128 nn_four_load_masked(unsigned mask, const float *from) {
    float lane[4] = {0};
    for (int i = 0; i < 4; i++)
        if (mask >> i & 1) lane[i] = from[i];
    return _mm_loadu_ps(lane);
}
NN_HALVES nn_two_halves nn_halves_insert(nn_two_halves a, __m128 four, int group) {
    float lane[16];
    memcpy(lane, &a, sizeof a);
    _mm_storeu_ps(lane + 4 * group, four);
    return nn_halves_load(lane);
}
NN_HALVES void nn_halves_store_masked(float *to, unsigned mask, nn_two_halves a) {
    float lane[16];
    nn_halves_store(lane, a);
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) to[i] = lane[i];
}

NN_HALVES nn_two_halves nn_halves_sub_masked(nn_two_halves other, unsigned mask, nn_two_halves a,
                                             nn_two_halves b) {
    float lane[16];
    nn_halves_store(lane, other);
    nn_halves_store_masked(lane, mask, nn_halves_sub(a, b));
    return nn_halves_load(lane);
}
/* a 2^floor(by), rounded once. */
NN_HALVES nn_two_halves nn_halves_scale(nn_two_halves a, nn_two_halves by) {
    float x[16], power[16];
    nn_halves_store(x, a);
    nn_halves_store(power, by);
    for (int i = 0; i < 16; i++)
        x[i] = isnan(power[i]) ? power[i] : ldexpf(x[i], (int)floorf(power[i]));
    return nn_halves_load(x);
}

/* The next functions shuffle lanes one by one: within groups of four, whole groups, and any lanes
   of two vectors. */
NN_HALVES nn_two_halves nn_halves_shuffle(nn_two_halves a, nn_two_halves b, int order) {
    float x[16], y[16], z[16];
    nn_halves_store(x, a);
    nn_halves_store(y, b);
    for (int i = 0; i < 16; i++)
        z[i] = (i % 4 < 2 ? x : y)[i / 4 * 4 + (order >> i % 4 * 2 & 3)];
    return nn_halves_load(z);
}
NN_HALVES nn_two_halves nn_halves_shuffle_groups(nn_two_halves a, nn_two_halves b, int order) {
    float x[16], y[16], z[16];
    nn_halves_store(x, a);
    nn_halves_store(y, b);
    for (int i = 0; i < 16; i++) z[i] = (i < 8 ? x : y)[(order >> i / 4 * 2 & 3) * 4 + i % 4];
    return nn_halves_load(z);
}
NN_HALVES __m128 nn_halves_group(nn_two_halves a, int group) {
    float x[16];
    nn_halves_store(x, a);
    return _mm_loadu_ps(x + 4 * group);
}
NN_HALVES nn_two_halves nn_halves_permute2(nn_two_halves a, nn_two_words at, nn_two_halves b) {
    float x[32], z[16];
    int32_t place[16];
    nn_halves_store(x, a);
    nn_halves_store(x + 16, b);
    memcpy(place, &at, sizeof place);
    for (int i = 0; i < 16; i++) z[i] = x[place[i] & 31];
    return nn_halves_load(z);
}
NN_HALVES nn_two_words nn_words_set(int a, int b, int c, int d, int e, int f, int g, int h, int i,
                                    int j, int k, int l, int m, int n, int o, int p) {
    nn_two_words w = {{_mm256_setr_epi32(a, b, c, d, e, f, g, h),
                       _mm256_setr_epi32(i, j, k, l, m, n, o, p)}};
    return w;
}
NN_HALVES nn_two_halves nn_halves_of_f16(__m256i from) {
    nn_two_halves a = {{_mm256_cvtph_ps(_mm256_castsi256_si128(from)),
                        _mm256_cvtph_ps(_mm256_extracti128_si256(from, 1))}};
    return a;
}
NN_HALVES nn_two_words nn_words_of_u16(__m256i from) {
    nn_two_words w = {{_mm256_cvtepu16_epi32(_mm256_castsi256_si128(from)),
                       _mm256_cvtepu16_epi32(_mm256_extracti128_si256(from, 1))}};
    return w;
}
NN_HALVES nn_two_words nn_words_of_i8(__m128i from) {
    nn_two_words w = {{_mm256_cvtepi8_epi32(from), _mm256_cvtepi8_epi32(_mm_srli_si128(from, 8))}};
    return w;
}
NN_HALVES nn_two_halves nn_halves_of_i32(nn_two_words a) {
    nn_two_halves f = {{_mm256_cvtepi32_ps(a.half[0]), _mm256_cvtepi32_ps(a.half[1])}};
    return f;
}
NN_HALVES nn_two_words nn_words_shift(nn_two_words a, int by) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_slli_epi32(a.half[i], by);
    return a;
}
NN_HALVES nn_two_halves nn_halves_of_words(nn_two_words a) { return nn_halves_load(&a); }

/* The next functions work on words, one in each lane. Masks have one bit for each lane. */
NN_HALVES nn_two_words nn_words_load(const void *from) {
    nn_two_words w;
    memcpy(&w, from, sizeof w);
    return w;
}
NN_HALVES void nn_words_store(void *to, nn_two_words a) { memcpy(to, &a, sizeof a); }
NN_HALVES nn_two_words nn_words_set1(int x) {
    nn_two_words w = {{_mm256_set1_epi32(x), _mm256_set1_epi32(x)}};
    return w;
}
NN_HALVES nn_two_words nn_words_add(nn_two_words a, nn_two_words b) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_add_epi32(a.half[i], b.half[i]);
    return a;
}
NN_HALVES nn_two_words nn_words_and(nn_two_words a, nn_two_words b) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_and_si256(a.half[i], b.half[i]);
    return a;
}
NN_HALVES nn_two_words nn_words_choose(nn_two_words other, unsigned mask, nn_two_words a) {
    int32_t x[16], y[16];
    memcpy(x, &other, sizeof x);
    memcpy(y, &a, sizeof y);
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) x[i] = y[i];
    return nn_words_load(x);
}
NN_HALVES nn_two_words nn_words_load_masked(unsigned mask, const int32_t *from) {
    int32_t x[16] = {0};
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) x[i] = from[i];
    return nn_words_load(x);
}
NN_HALVES nn_two_words nn_words_permute(nn_two_words at, nn_two_words a) {
    int32_t x[16], y[16], z[16];
    memcpy(x, &a, sizeof x);
    memcpy(y, &at, sizeof y);
    for (int i = 0; i < 16; i++) z[i] = x[y[i] & 15];
    return nn_words_load(z);
}
NN_HALVES nn_two_words nn_words_compress(unsigned mask, nn_two_words a) {
    int32_t x[16], z[16] = {0};
    int count = 0;
    memcpy(x, &a, sizeof x);
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) z[count++] = x[i];
    return nn_words_load(z);
}
NN_HALVES nn_two_words nn_words_of_u8(__m128i from) {
    nn_two_words w = {{_mm256_cvtepu8_epi32(from), _mm256_cvtepu8_epi32(_mm_srli_si128(from, 8))}};
    return w;
}
NN_HALVES void nn_words_store_u8(void *to, unsigned mask, nn_two_words a) {
    int32_t x[16];
    memcpy(x, &a, sizeof x);
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) ((uint8_t *)to)[i] = (uint8_t)x[i];
}
NN_HALVES nn_two_words nn_words_of_halves(nn_two_halves a) { return nn_words_load(&a); }
NN_HALVES nn_two_halves nn_halves_choose(nn_two_halves other, unsigned mask, nn_two_halves a) {
    return nn_halves_of_words(
        nn_words_choose(nn_words_of_halves(other), mask, nn_words_of_halves(a)));
}
NN_HALVES unsigned short nn_halves_compare(nn_two_halves a, nn_two_halves b, int how) {
    float x[16], y[16];
    unsigned mask = 0;
    nn_halves_store(x, a);
    nn_halves_store(y, b);
    for (int i = 0; i < 16; i++) {
        const bool larger = x[i] > y[i], nan = x[i] != x[i] || y[i] != y[i], same = x[i] == y[i];
        const bool is = how == _CMP_GT_OQ      ? larger
                        : how == _CMP_GE_OQ    ? larger || same
                        : how == _CMP_LT_OQ    ? !(larger || nan || same)
                        : how == _CMP_LE_OQ    ? !(larger || nan)
                        : how == _CMP_EQ_OQ    ? same
                        : how == _CMP_ORD_Q    ? !nan
                        : how == _CMP_NLT_UQ   ? larger || nan || same
                        : how == _CMP_UNORD_Q  ? nan
                        : how == _CMP_NEQ_UQ   ? !same
                        : how == _CMP_NLE_UQ   ? larger || nan
                                               : (abort(), false);
        mask |= is ? 1u << i : 0u;
    }
    return (unsigned short)mask;
}

NN_BOTH(nn_halves_div, _mm256_div_ps)
NN_HALVES nn_two_halves nn_halves_sqrt(nn_two_halves a) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_sqrt_ps(a.half[i]);
    return a;
}
NN_HALVES nn_two_words nn_halves_to_i32(nn_two_halves a) {
    nn_two_words w = {{_mm256_cvtps_epi32(a.half[0]), _mm256_cvtps_epi32(a.half[1])}};
    return w;
}
NN_HALVES nn_two_words nn_halves_cut_to_i32(nn_two_halves a) {
    nn_two_words w = {{_mm256_cvttps_epi32(a.half[0]), _mm256_cvttps_epi32(a.half[1])}};
    return w;
}
NN_HALVES nn_two_halves nn_halves_of_low(__m256 low) {
    nn_two_halves a = {{low, _mm256_setzero_ps()}};
    return a;
}
NN_HALVES nn_two_halves nn_halves_of_group(__m128 group) {
    const __m256 twice = _mm256_broadcast_ps(&group);
    nn_two_halves a = {{twice, twice}};
    return a;
}
/* Loads adjacent numbers into the lanes of the mask, in order. */
NN_HALVES nn_two_halves nn_halves_load_expanded(unsigned mask, const float *from) {
    float lane[16] = {0};
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) lane[i] = *from++;
    return nn_halves_load(lane);
}
NN_HALVES nn_two_words nn_words_shift_down(nn_two_words a, int by) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_srli_epi32(a.half[i], by);
    return a;
}
NN_HALVES nn_two_words nn_words_shift_sign(nn_two_words a, int by) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_srai_epi32(a.half[i], by);
    return a;
}
#define NN_BOTH_WORDS(name, function)                                                              \
    NN_HALVES nn_two_words name(nn_two_words a, nn_two_words b) {                                  \
        for (int i = 0; i < 2; i++) a.half[i] = function(a.half[i], b.half[i]);                    \
        return a;                                                                                  \
    }
NN_BOTH_WORDS(nn_words_sub, _mm256_sub_epi32)
NN_HALVES nn_two_words nn_words_dpbusd(nn_two_words sum, nn_two_words a, nn_two_words b) {
    uint32_t x[16];
    uint8_t y[64];
    int8_t z[64];
    memcpy(x, &sum, sizeof x);
    memcpy(y, &a, sizeof y);
    memcpy(z, &b, sizeof z);
    for (int i = 0; i < 64; i++) x[i / 4] += (uint32_t)(y[i] * z[i]);
    return nn_words_load(x);
}
NN_BOTH_WORDS(nn_words_or, _mm256_or_si256)
NN_BOTH_WORDS(nn_words_xor, _mm256_xor_si256)
NN_BOTH_WORDS(nn_words_mul, _mm256_mullo_epi32)
NN_BOTH_WORDS(nn_words_max, _mm256_max_epi32)
NN_HALVES void nn_words_store_masked(void *to, unsigned mask, nn_two_words a) {
    int32_t x[16];
    memcpy(x, &a, sizeof x);
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) memcpy((char *)to + 4 * i, x + i, 4);
}
NN_HALVES unsigned short nn_words_test(nn_two_words a, nn_two_words b) {
    uint32_t x[16];
    unsigned mask = 0;
    nn_words_store(x, nn_words_and(a, b));
    for (int i = 0; i < 16; i++) mask |= x[i] ? 1u << i : 0u;
    return (unsigned short)mask;
}
NN_HALVES unsigned short nn_words_larger_unsigned(nn_two_words a, nn_two_words b) {
    uint32_t x[16], y[16];
    unsigned mask = 0;
    memcpy(x, &a, sizeof x);
    memcpy(y, &b, sizeof y);
    for (int i = 0; i < 16; i++) mask |= x[i] > y[i] ? 1u << i : 0u;
    return (unsigned short)mask;
}
NN_HALVES nn_two_words nn_words_gather(nn_two_words other, unsigned mask, nn_two_words at,
                                       const void *from, int step) {
    int32_t x[16], y[16];
    memcpy(x, &other, sizeof x);
    memcpy(y, &at, sizeof y);
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) memcpy(x + i, (const char *)from + (ptrdiff_t)y[i] * step, 4);
    return nn_words_load(x);
}
/* Lane i is lane i + by of b followed by a. */
NN_HALVES nn_two_words nn_words_align(nn_two_words a, nn_two_words b, int by) {
    int32_t x[32];
    memcpy(x, &b, sizeof b);
    memcpy(x + 16, &a, sizeof a);
    return nn_words_load(x + by % 16);
}

/* Shifts each lane of a by the number of bits in the same lane of n. */
NN_HALVES nn_two_words nn_words_shift_each(nn_two_words a, nn_two_words n) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_sllv_epi32(a.half[i], n.half[i]);
    return a;
}
/* Returns the 64-bit product of the lower words of each pair. The two functions after it shift
   whole pairs. */
NN_HALVES nn_two_words nn_pairs_product(nn_two_words a, nn_two_words b) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_mul_epu32(a.half[i], b.half[i]);
    return a;
}
NN_HALVES nn_two_words nn_pairs_signed(nn_two_words a, nn_two_words b) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_mul_epi32(a.half[i], b.half[i]);
    return a;
}
NN_HALVES nn_two_words nn_pairs_set1(int64_t x) {
    nn_two_words a = {{_mm256_set1_epi64x(x), _mm256_set1_epi64x(x)}};
    return a;
}
NN_BOTH_WORDS(nn_pairs_add, _mm256_add_epi64)
NN_BOTH_WORDS(nn_words_min, _mm256_min_epi32)
NN_BOTH_WORDS(nn_words_shift_sign_each, _mm256_srav_epi32)
/* Shifts by the number in the lowest 64 bits of n. */
NN_HALVES nn_two_words nn_words_shift_sign_all(nn_two_words a, __m128i n) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_sra_epi32(a.half[i], n);
    return a;
}
NN_HALVES nn_two_words nn_pairs_shift_all(nn_two_words a, __m128i n) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_sll_epi64(a.half[i], n);
    return a;
}
NN_HALVES nn_two_words nn_pairs_shift_down_all(nn_two_words a, __m128i n) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_srl_epi64(a.half[i], n);
    return a;
}
/* Returns the lowest byte of each word. */
NN_HALVES __m128i nn_words_to_i8(nn_two_words a) {
    uint32_t lane[16];
    uint8_t low[16];
    memcpy(lane, &a, sizeof lane);
    for (int i = 0; i < 16; i++) low[i] = (uint8_t)lane[i];
    return _mm_loadu_si128((const __m128i *)(const void *)low);
}
NN_HALVES nn_two_words nn_pairs_shift(nn_two_words a, int by) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_slli_epi64(a.half[i], by);
    return a;
}
NN_HALVES nn_two_words nn_pairs_shift_down(nn_two_words a, int by) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_srli_epi64(a.half[i], by);
    return a;
}
NN_HALVES nn_two_words nn_words_shift_down_each(nn_two_words a, nn_two_words n) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_srlv_epi32(a.half[i], n.half[i]);
    return a;
}
NN_HALVES nn_two_halves nn_halves_gather(nn_two_words at, const float *x) {
    nn_two_halves a;
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_i32gather_ps(x, at.half[i], 4);
    return a;
}
NN_HALVES __m256i nn_words_to_u16(nn_two_words a) {
    int lane[16];
    unsigned short low[16];
    __m256i all;
    memcpy(lane, &a, sizeof lane);
    for (int i = 0; i < 16; i++) low[i] = (unsigned short)lane[i];
    memcpy(&all, low, sizeof all);
    return all;
}
NN_HALVES unsigned short nn_words_order(nn_two_words a, nn_two_words b, bool equal) {
    int x[16], y[16];
    unsigned mask = 0;
    memcpy(x, &a, sizeof x), memcpy(y, &b, sizeof y);
    for (int i = 0; i < 16; i++) mask |= (unsigned)(equal ? x[i] == y[i] : x[i] < y[i]) << i;
    return (unsigned short)mask;
}

NN_BOTH_WORDS(nn_pairs_sub, _mm256_sub_epi64)
NN_BOTH_WORDS(nn_bytes_max, _mm256_max_epi8)
NN_BOTH_WORDS(nn_bytes_min, _mm256_min_epi8)
NN_BOTH_WORDS(nn_bytes_pack, _mm256_packs_epi16)
NN_BOTH_WORDS(nn_words_pack, _mm256_packs_epi32)
NN_BOTH_WORDS(nn_bytes_shuffle, _mm256_shuffle_epi8)
NN_BOTH_WORDS(nn_bytes_unpacklo, _mm256_unpacklo_epi8)
NN_BOTH_WORDS(nn_bytes_unpackhi, _mm256_unpackhi_epi8)
NN_BOTH_WORDS(nn_shorts_unpacklo, _mm256_unpacklo_epi16)
NN_BOTH_WORDS(nn_shorts_unpackhi, _mm256_unpackhi_epi16)
NN_HALVES nn_two_words nn_bytes_set1(char x) {
    nn_two_words a = {{_mm256_set1_epi8(x), _mm256_set1_epi8(x)}};
    return a;
}
NN_HALVES nn_two_words nn_words_shift_down_all(nn_two_words a, __m128i n) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_srl_epi32(a.half[i], n);
    return a;
}
NN_HALVES nn_two_words nn_pairs_shift_sign_each(nn_two_words a, nn_two_words n) {
    int64_t x[8], by[8];
    memcpy(x, &a, sizeof x), memcpy(by, &n, sizeof by);
    for (int i = 0; i < 8; i++) x[i] = by[i] > 63 ? -(x[i] < 0) : x[i] >> by[i];
    memcpy(&a, x, sizeof x);
    return a;
}
NN_HALVES nn_two_words nn_pairs_shift_each(nn_two_words a, nn_two_words n) {
    for (int i = 0; i < 2; i++) a.half[i] = _mm256_sllv_epi64(a.half[i], n.half[i]);
    return a;
}
NN_HALVES nn_two_words nn_bytes_load_some(unsigned long long mask, const void *from) {
    char x[64];
    for (int i = 0; i < 64; i++) x[i] = (char)(mask >> i & 1 ? ((const char *)from)[i] : 0);
    nn_two_words a;
    memcpy(&a, x, sizeof a);
    return a;
}
NN_HALVES void nn_bytes_store_some(void *to, unsigned long long mask, nn_two_words a) {
    char x[64];
    memcpy(x, &a, sizeof x);
    for (int i = 0; i < 64; i++)
        if (mask >> i & 1) ((char *)to)[i] = x[i];
}
NN_HALVES nn_two_words nn_bytes_choose(unsigned long long mask, nn_two_words a, nn_two_words b) {
    char x[64], y[64];
    memcpy(x, &a, sizeof x), memcpy(y, &b, sizeof y);
    for (int i = 0; i < 64; i++)
        if (mask >> i & 1) x[i] = y[i];
    memcpy(&a, x, sizeof x);
    return a;
}
NN_HALVES unsigned long long nn_bytes_signs(nn_two_words a) {
    return (unsigned)_mm256_movemask_epi8(a.half[0]) |
           (unsigned long long)(unsigned)_mm256_movemask_epi8(a.half[1]) << 32;
}
/* Picks bytes of 128 by the lowest seven bits of `at`. */
NN_HALVES nn_two_words nn_bytes_pick(nn_two_words a, nn_two_words at, nn_two_words b) {
    unsigned char x[128], y[64];
    memcpy(x, &a, sizeof a), memcpy(x + 64, &b, sizeof b), memcpy(y, &at, sizeof y);
    for (int i = 0; i < 64; i++) y[i] = x[y[i] & 127];
    memcpy(&a, y, sizeof y);
    return a;
}
NN_HALVES nn_two_words nn_words_shuffle(nn_two_words other, unsigned mask, nn_two_words a, int n) {
    int x[16], y[16];
    memcpy(x, &other, sizeof x), memcpy(y, &a, sizeof y);
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) x[i] = y[i / 4 * 4 + (n >> i % 4 * 2 & 3)];
    memcpy(&other, x, sizeof x);
    return other;
}

/* Without optimisation, gcc defines macros for some of these. */
#undef _mm512_setzero_ps
#undef _mm512_set1_ps
#undef _mm512_add_ps
#undef _mm512_max_ps
#undef _mm512_fmadd_ps
#undef _mm512_unpacklo_ps
#undef _mm512_unpackhi_ps
#undef _mm512_loadu_ps
#undef _mm512_storeu_ps
#undef _mm512_stream_ps
#undef _mm512_maskz_loadu_ps
#undef _mm512_mask_storeu_ps
#undef _mm512_insertf32x4
#undef _mm512_castps128_ps512
#undef _mm_maskz_loadu_ps
#undef _mm512_shuffle_ps
#undef _mm512_shuffle_f32x4
#undef _mm512_castps512_ps128
#undef _mm512_extractf32x4_ps
#undef _mm512_permutex2var_ps
#undef _mm512_setr_epi32
#undef _mm512_cvtph_ps
#undef _mm512_cvtepu16_epi32
#undef _mm512_cvtepi8_epi32
#undef _mm512_cvtepi32_ps
#undef _mm512_slli_epi32
#undef _mm512_srai_epi32
#undef _mm512_castsi512_ps
#undef _mm512_sub_ps
#undef _mm512_mul_ps
#undef _mm512_fnmadd_ps
#undef _mm512_mask_sub_ps
#undef _mm512_maskz_min_ps
#undef _mm512_maskz_max_ps
#undef _mm512_maskz_roundscale_ps
#undef _mm512_maskz_scalef_ps
#undef _mm512_castps_pd
#undef _mm512_castpd_ps
#undef _mm512_maskz_broadcast_f64x4
#undef _mm512_maskz_extractf64x4_pd
#undef _mm512_setzero_si512
#undef _mm512_set1_epi32
#undef _mm512_add_epi32
#undef _mm512_and_si512
#undef _mm512_mask_mov_epi32
#undef _mm512_maskz_loadu_epi32
#undef _mm512_permutexvar_epi32
#undef _mm512_maskz_compress_epi32
#undef _mm512_cvtepu8_epi32
#undef _mm512_mask_cvtepi32_storeu_epi8
#undef _mm512_loadu_si512
#undef _mm512_storeu_si512
#undef _mm512_stream_si512
#undef _mm512_mask_mov_ps
#undef _mm512_test_epi32_mask
#undef _mm512_cmp_ps_mask
#undef _mm512_mask_cmp_ps_mask
#undef _mm512_maskz_compress_ps
#undef _mm512_mask_permutexvar_ps
#undef _mm512_mask_add_ps
#undef _mm512_mask_blend_ps
#undef _mm512_mask3_fmadd_ps
#undef _mm512_mask3_fnmadd_ps
#undef _mm512_div_ps
#undef _mm512_maskz_mov_ps
#undef _mm512_castps_si512
#undef _mm512_maskz_shuffle_ps
#undef _mm512_mask_loadu_ps
#undef _mm512_and_epi32
#undef _mm512_maskz_permutexvar_ps
#undef _mm512_permutexvar_ps
#undef _mm512_or_epi32
#undef _mm512_min_ps
#undef _mm512_alignr_epi32
#undef _mm512_maskz_alignr_epi32
#undef _mm512_mask_mul_ps
#undef _mm512_xor_epi32
#undef _mm512_sub_epi32
#undef _mm512_mullo_epi32
#undef _mm512_maskz_srli_epi32
#undef _mm512_maskz_sqrt_ps
#undef _mm512_maskz_slli_epi32
#undef _mm512_maskz_mul_ps
#undef _mm512_maskz_max_epi32
#undef _mm512_maskz_expandloadu_ps
#undef _mm512_maskz_cvttps_epi32
#undef _mm512_maskz_cvtps_epi32
#undef _mm512_maskz_cvtepi32_ps
#undef _mm512_mask_storeu_epi32
#undef _mm512_mask_set1_epi32
#undef _mm512_mask_i32gather_epi32
#undef _mm512_mask_blend_epi32
#undef _mm512_cmpgt_epu32_mask
#undef _mm512_castps512_ps256
#undef _mm512_castps256_ps512
#undef _mm512_broadcast_f32x4
#undef _mm512_cmpeq_epi32_mask
#undef _mm512_cmplt_epi32_mask
#undef _mm512_cvtepi32_epi16
#undef _mm512_cvttps_epi32
#undef _mm512_extractf64x4_pd
#undef _mm512_i32gather_ps
#undef _mm512_mask_or_epi32
#undef _mm512_or_si512
#undef _mm512_sllv_epi32
#undef _mm512_sqrt_ps
#undef _mm512_mul_epu32
#undef _mm512_slli_epi64
#undef _mm512_srli_epi64
#undef _mm512_srli_epi32
#undef _mm512_add_epi64
#undef _mm512_cvtepi32_epi8
#undef _mm512_mul_epi32
#undef _mm512_set1_epi64
#undef _mm512_max_epi32
#undef _mm512_min_epi32
#undef _mm512_sll_epi64
#undef _mm512_srl_epi64
#undef _mm512_sra_epi32
#undef _mm512_srav_epi32
#undef _mm512_cmpgt_epi32_mask
#undef _mm512_mask_add_epi32
#undef _mm512_maskz_srai_epi32
#undef _mm512_srlv_epi32
#undef _mm512_xor_si512
#undef _mm512_dpbusd_epi32
#undef _mm512_castsi512_si256
#undef _mm512_extracti64x4_epi64
#undef _mm512_mask_blend_epi8
#undef _mm512_mask_shuffle_epi32
#undef _mm512_max_epi8
#undef _mm512_min_epi8
#undef _mm512_movepi8_mask
#undef _mm512_packs_epi16
#undef _mm512_packs_epi32
#undef _mm512_permutex2var_epi8
#undef _mm512_set1_epi8
#undef _mm512_mask_storeu_epi8
#undef _mm512_maskz_loadu_epi8
#undef _mm512_shuffle_epi8
#undef _mm512_sllv_epi64
#undef _mm512_srav_epi64
#undef _mm512_srl_epi32
#undef _mm512_sub_epi64
#undef _mm512_unpackhi_epi16
#undef _mm512_unpackhi_epi8
#undef _mm512_unpacklo_epi16
#undef _mm512_unpacklo_epi8
#define __m512                    nn_two_halves
#define __m512i                   nn_two_words
#define _mm512_setzero_ps()       nn_halves_set1(0.0f)
#define _mm512_set1_ps(x)         nn_halves_set1(x)
#define _mm512_add_ps             nn_halves_add
#define _mm512_max_ps             nn_halves_max
#define _mm512_fmadd_ps           nn_halves_fmadd
#define _mm512_unpacklo_ps        nn_halves_unpacklo
#define _mm512_unpackhi_ps        nn_halves_unpackhi
#define _mm512_loadu_ps           nn_halves_load
#define _mm512_storeu_ps          nn_halves_store
#define _mm512_stream_ps         nn_halves_store
#define _mm512_maskz_loadu_ps     nn_halves_load_masked
#define _mm512_mask_storeu_ps     nn_halves_store_masked
#define _mm512_insertf32x4        nn_halves_insert
#define _mm512_castps128_ps512(a) nn_halves_insert(nn_halves_set1(0.0f), a, 0)
#define _mm_maskz_loadu_ps        nn_four_load_masked
#define _mm512_shuffle_ps         nn_halves_shuffle
#define _mm512_shuffle_f32x4      nn_halves_shuffle_groups
#define _mm512_castps512_ps128(a) nn_halves_group(a, 0)
#define _mm512_extractf32x4_ps    nn_halves_group
#define _mm512_permutex2var_ps    nn_halves_permute2
#define _mm512_setr_epi32         nn_words_set
#define _mm512_cvtph_ps           nn_halves_of_f16
#define _mm512_cvtepu16_epi32     nn_words_of_u16
#define _mm512_cvtepi8_epi32      nn_words_of_i8
#define _mm512_cvtepi32_ps        nn_halves_of_i32
#define _mm512_slli_epi32         nn_words_shift
#define _mm512_srai_epi32         nn_words_shift_sign
#define _mm512_sub_ps             nn_halves_sub
#define _mm512_mul_ps             nn_halves_mul
#define _mm512_fnmadd_ps          nn_halves_fnmadd
#define _mm512_mask_sub_ps        nn_halves_sub_masked
#define _mm512_setzero_si512()            nn_words_set1(0)
#define _mm512_set1_epi32                 nn_words_set1
#define _mm512_add_epi32                  nn_words_add
#define _mm512_and_si512                  nn_words_and
#define _mm512_mask_mov_epi32             nn_words_choose
#define _mm512_maskz_loadu_epi32          nn_words_load_masked
#define _mm512_permutexvar_epi32          nn_words_permute
#define _mm512_maskz_compress_epi32       nn_words_compress
#define _mm512_cvtepu8_epi32              nn_words_of_u8
#define _mm512_mask_cvtepi32_storeu_epi8  nn_words_store_u8
#define _mm512_loadu_si512                nn_words_load
#define _mm512_storeu_si512               nn_words_store
#define _mm512_stream_si512               nn_words_store
#define _mm512_mask_mov_ps                nn_halves_choose
#define _mm512_test_epi32_mask            nn_words_test
#define _mm512_cmp_ps_mask                nn_halves_compare
#define _mm512_mask_cmp_ps_mask(mask, a, b, how)                                                   \
    ((unsigned short)((mask)&nn_halves_compare(a, b, how)))
#define _mm512_maskz_compress_ps(mask, a)                                                          \
    nn_halves_of_words(nn_words_compress(mask, nn_words_of_halves(a)))
#define _mm512_mask_permutexvar_ps(other, mask, at, a)                                             \
    nn_halves_choose(other, mask, nn_halves_of_words(nn_words_permute(at, nn_words_of_halves(a))))
#define _mm512_mask_blend_ps(mask, a, b)      nn_halves_choose(a, mask, b)
#define _mm512_mask3_fmadd_ps(a, b, c, mask)  nn_halves_choose(c, mask, nn_halves_fmadd(a, b, c))
#define _mm512_mask3_fnmadd_ps(a, b, c, mask) nn_halves_choose(c, mask, nn_halves_fnmadd(a, b, c))
#define _mm512_mask_add_ps(other, mask, a, b) nn_halves_choose(other, mask, nn_halves_add(a, b))
#define _mm512_div_ps             nn_halves_div
#define _mm512_min_ps             nn_halves_min
#define _mm512_castps_si512       nn_words_of_halves
#define _mm512_castps512_ps256(a) ((a).half[0])
#define _mm512_castps256_ps512    nn_halves_of_low
#define _mm512_broadcast_f32x4    nn_halves_of_group
#define _mm512_and_epi32          nn_words_and
#define _mm512_or_epi32           nn_words_or
#define _mm512_xor_epi32          nn_words_xor
#define _mm512_sub_epi32          nn_words_sub
#define _mm512_mullo_epi32        nn_words_mul
#define _mm512_cmpgt_epu32_mask   nn_words_larger_unsigned
#define _mm512_mask_storeu_epi32  nn_words_store_masked
#define _mm512_mask_i32gather_epi32       nn_words_gather
#define _mm512_mask_blend_epi32(mask, a, b)   nn_words_choose(a, mask, b)
#define _mm512_mask_set1_epi32(other, mask, x) nn_words_choose(other, mask, nn_words_set1(x))
#define _mm512_maskz_expandloadu_ps       nn_halves_load_expanded
#define _mm512_mask_loadu_ps(other, mask, from)                                                    \
    nn_halves_choose(other, mask, nn_halves_load_masked(mask, from))
#define _mm512_maskz_mov_ps(mask, a) nn_halves_choose(nn_halves_set1(0.0f), mask, a)
#define _mm512_mask_mul_ps(other, mask, a, b) nn_halves_choose(other, mask, nn_halves_mul(a, b))
#define _mm512_alignr_epi32(a, b, n) nn_words_align(a, b, n)
#define _mm512_maskz_alignr_epi32(mask, a, b, n)                                                   \
    nn_words_choose(nn_words_set1(0), mask, nn_words_align(a, b, n))
#define _mm512_permutexvar_ps(at, a)                                                               \
    nn_halves_of_words(nn_words_permute(at, nn_words_of_halves(a)))
#define _mm512_maskz_scalef_ps(mask, a, by)                                                        \
    nn_halves_choose(nn_halves_set1(0.0f), mask, nn_halves_scale(a, by))
/* src/ uses these with every lane of the mask */
#define _mm512_maskz_min_ps(mask, a, b)           ((void)(mask), nn_halves_min(a, b))
#define _mm512_maskz_max_ps(mask, a, b)           ((void)(mask), nn_halves_max(a, b))
#define _mm512_maskz_roundscale_ps(mask, a, mode) ((void)(mask), nn_halves_round(a, mode))
#define _mm512_maskz_mul_ps(mask, a, b)           ((void)(mask), nn_halves_mul(a, b))
#define _mm512_maskz_sqrt_ps(mask, a)             ((void)(mask), nn_halves_sqrt(a))
#define _mm512_maskz_shuffle_ps(mask, a, b, n)    ((void)(mask), nn_halves_shuffle(a, b, n))
#define _mm512_maskz_permutexvar_ps(mask, at, a)  ((void)(mask), _mm512_permutexvar_ps(at, a))
#define _mm512_maskz_max_epi32(mask, a, b)        ((void)(mask), nn_words_max(a, b))
#define _mm512_maskz_slli_epi32(mask, a, n)       ((void)(mask), nn_words_shift(a, n))
#define _mm512_maskz_srli_epi32(mask, a, n)       ((void)(mask), nn_words_shift_down(a, n))
#define _mm512_maskz_cvtps_epi32(mask, a)         ((void)(mask), nn_halves_to_i32(a))
#define _mm512_maskz_cvttps_epi32(mask, a)        ((void)(mask), nn_halves_cut_to_i32(a))
#define _mm512_maskz_cvtepi32_ps(mask, a)         ((void)(mask), nn_halves_of_i32(a))
#define _mm512_castps_pd(a)                       (a)
#define _mm512_castpd_ps(a)                       (a)
#define _mm512_maskz_broadcast_f64x4(mask, a)     ((void)(mask), nn_halves_twice(a))
#define _mm512_maskz_extractf64x4_pd(mask, a, n)  ((void)(mask), _mm256_castps_pd((a).half[n]))
#define _mm512_castsi512_ps       nn_halves_of_words
#define _mm512_cmpeq_epi32_mask(a, b)             nn_words_order(a, b, true)
#define _mm512_cmplt_epi32_mask(a, b)             nn_words_order(a, b, false)
#define _mm512_cvtepi32_epi16                     nn_words_to_u16
#define _mm512_cvttps_epi32                       nn_halves_cut_to_i32
#define _mm512_extractf64x4_pd(a, n)              _mm256_castps_pd((a).half[n])
#define _mm512_i32gather_ps(at, x, size)          nn_halves_gather(at, x)
#define _mm512_mask_or_epi32(other, mask, a, b)   nn_words_choose(other, mask, nn_words_or(a, b))
#define _mm512_or_si512                           nn_words_or
#define _mm512_dpbusd_epi32                       nn_words_dpbusd
#define _mm512_xor_si512                          nn_words_xor
#define _mm512_sllv_epi32                         nn_words_shift_each
#define _mm512_srlv_epi32                         nn_words_shift_down_each
#define _mm512_mul_epu32                          nn_pairs_product
#define _mm512_slli_epi64                         nn_pairs_shift
#define _mm512_srli_epi64                         nn_pairs_shift_down
#define _mm512_sqrt_ps                            nn_halves_sqrt
#define _mm512_srli_epi32                         nn_words_shift_down
#define _mm512_add_epi64                          nn_pairs_add
#define _mm512_cvtepi32_epi8                      nn_words_to_i8
#define _mm512_mul_epi32                          nn_pairs_signed
#define _mm512_set1_epi64                         nn_pairs_set1
#define _mm512_max_epi32                          nn_words_max
#define _mm512_min_epi32                          nn_words_min
#define _mm512_sll_epi64                          nn_pairs_shift_all
#define _mm512_srl_epi64                          nn_pairs_shift_down_all
#define _mm512_sra_epi32                          nn_words_shift_sign_all
#define _mm512_srav_epi32                         nn_words_shift_sign_each
#define _mm512_cmpgt_epi32_mask(a, b)             nn_words_order(b, a, false)
#define _mm512_mask_add_epi32(other, mask, a, b)  nn_words_choose(other, mask, nn_words_add(a, b))
#define _mm512_castsi512_si256(a)                 ((a).half[0])
#define _mm512_extracti64x4_epi64(a, n)           ((a).half[n])
#define _mm512_mask_blend_epi8                    nn_bytes_choose
#define _mm512_mask_shuffle_epi32                 nn_words_shuffle
#define _mm512_max_epi8                           nn_bytes_max
#define _mm512_min_epi8                           nn_bytes_min
#define _mm512_movepi8_mask                       nn_bytes_signs
#define _mm512_packs_epi16                        nn_bytes_pack
#define _mm512_packs_epi32                        nn_words_pack
#define _mm512_permutex2var_epi8                  nn_bytes_pick
#define _mm512_set1_epi8                          nn_bytes_set1
#define _mm512_mask_storeu_epi8                   nn_bytes_store_some
#define _mm512_maskz_loadu_epi8                   nn_bytes_load_some
#define _mm512_shuffle_epi8                       nn_bytes_shuffle
#define _mm512_sllv_epi64                         nn_pairs_shift_each
#define _mm512_srav_epi64                         nn_pairs_shift_sign_each
#define _mm512_srl_epi32                          nn_words_shift_down_all
#define _mm512_sub_epi64                          nn_pairs_sub
#define _mm512_unpackhi_epi16                     nn_shorts_unpackhi
#define _mm512_unpackhi_epi8                      nn_bytes_unpackhi
#define _mm512_unpacklo_epi16                     nn_shorts_unpacklo
#define _mm512_unpacklo_epi8                      nn_bytes_unpacklo
#define _mm512_maskz_srai_epi32(mask, a, by) \
    nn_words_choose(nn_words_set1(0), mask, nn_words_shift_sign(a, by))
#endif
