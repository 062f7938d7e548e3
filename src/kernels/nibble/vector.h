/* kernels/nibble/vector.h - the loops of products with 4-bit weights, for every instruction set.
   A word of 32 bits holds eight weights, so a vector holds 8 NN__LANES of them, and a group is four
   words. The sums of a group are exact integers: AVX2, AVX-512 with VNNI and NEON multiply bytes,
   and the other sets multiply the same integers in f32, which holds them exactly. */
#ifndef NN__SET
#define NN__BODY "kernels/nibble/vector.h"
#include "cpu/for_each_set.h"
#else
#include "cpu/vector.h"
#include "kernels/nibble/cpu.h"

/* ---- a vector of weights times its numbers of x ---------------------------------------------- */

/* nibble_dot returns, for each word, start plus the sum of its eight products. */
#if defined(NN__SET_AVX2)
#define NN__NIBBLE_BYTES 1
#define NN__NIBBLE_TARGET
NN__OP NN__F32 NN__(nibble_dot)(NN__I32 word, const char *x, const char *start) {
    const __m256i low = _mm256_set1_epi8(15), one = _mm256_set1_epi16(1);
    const __m256i a = _mm256_and_si256(word, low),
                  b = _mm256_and_si256(_mm256_srli_epi16(word, 4), low);
    const __m256i u = _mm256_maddubs_epi16(
                      a, _mm256_loadu_si256((const __m256i *)(const void *)x)),
                  v = _mm256_maddubs_epi16(
                      b, _mm256_loadu_si256((const __m256i *)(const void *)(x + 32)));
    /* at most 7,620 in 16 bits */
    const __m256i sum = _mm256_madd_epi16(_mm256_add_epi16(u, v), one);
    return _mm256_cvtepi32_ps(
        _mm256_add_epi32(sum, _mm256_loadu_si256((const __m256i *)(const void *)start)));
}
#elif defined(NN__SET_AVX512) && NN__HAS_VNNI
#define NN__NIBBLE_BYTES 1
#if defined(__GNUC__) || defined(__clang__)
#define NN__NIBBLE_TARGET __attribute__((target("avx512f,avx512vl,avx2,fma,f16c,avx512vnni")))
#else
#define NN__NIBBLE_TARGET
#endif
NN__OP NN__NIBBLE_TARGET NN__F32 NN__(nibble_dot)(NN__I32 word, const char *x, const char *start) {
    const __m512i low = _mm512_set1_epi32(0x0f0f0f0f);
    const __m512i a = _mm512_and_si512(word, low),
                  b = _mm512_and_si512(_mm512_srli_epi32(word, 4), low);
    __m512i sum = _mm512_loadu_si512((const void *)start);
    sum = _mm512_dpbusd_epi32(sum, a, _mm512_loadu_si512((const void *)x));
    sum = _mm512_dpbusd_epi32(sum, b, _mm512_loadu_si512((const void *)(x + 64)));
    return _mm512_cvtepi32_ps(sum);
}
#elif defined(NN__SET_NEON)
#define NN__NIBBLE_BYTES 1
#define NN__NIBBLE_TARGET
NN__OP NN__F32 NN__(nibble_dot)(NN__I32 word, const char *x, const char *start) {
    const uint8x16_t bytes = vreinterpretq_u8_s32(word);
    const int8x16_t a = vreinterpretq_s8_u8(vandq_u8(bytes, vdupq_n_u8(15))),
                    b = vreinterpretq_s8_u8(vshrq_n_u8(bytes, 4)), u = vld1q_s8((const int8_t *)x),
                    v = vld1q_s8((const int8_t *)x + 16);
    /* all four lanes belong to one group, so any order of the products serves */
    int16x8_t sum = vmull_s8(vget_low_s8(a), vget_low_s8(u));
    sum = vmlal_s8(sum, vget_high_s8(a), vget_high_s8(u));
    sum = vmlal_s8(sum, vget_low_s8(b), vget_low_s8(v));
    sum = vmlal_s8(sum, vget_high_s8(b), vget_high_s8(v)); /* at most 7,620 */
    return vcvtq_f32_s32(vpadalq_s16(vld1q_s32((const int32_t *)(const void *)start), sum));
}
#else
#define NN__NIBBLE_BYTES 4
#define NN__NIBBLE_TARGET
/* Returns nibble k of each word. */
NN__OP NN__F32 NN__(nibble)(NN__I32 word, int k) {
    return NN__(from_int)(
        NN__(int_and)(NN__(int_right)(word, NN__NIBBLE_SHIFT(k)), NN__(int_all)(15)));
}
NN__OP NN__F32 NN__(nibble_dot)(NN__I32 word, const char *x, const char *start) {
    const float *at = (const float *)(const void *)x;
    NN__F32 sum = NN__(load)((const float *)(const void *)start);
    for (int k = 0; k < 8; k++)
        sum = NN__(add)(sum, NN__(mul)(NN__(nibble)(word, k), NN__(load)(at + k * NN__LANES)));
    return sum;
}
#endif

/* ---- rows of x in 8 bits --------------------------------------------------------------------- */

/* Stores the 32 numbers p of group g, whose size is b / 127. */
static void NN__(nibble_place)(const nn__nibble_row *row, int g, const int32_t *p, float size,
                               bool minimum) {
    int sum = 0;
    for (int word = 0; word < 4; word++) {
        const int at = 4 * g + word, lane = at % NN__LANES; /* of the words of the row */
        char *x = row->x + (ptrdiff_t)(at - lane) * 8 * NN__NIBBLE_BYTES;
        int eight = 0;
        for (int k = 0; k < 8; k++) {
            const int number = p[4 * word + (k >> 1) + 16 * (k & 1)];
            eight += number;
#if NN__NIBBLE_BYTES == 1
            ((int8_t *)x)[4 * lane + (k >> 1) + 4 * NN__LANES * (k & 1)] = (int8_t)number;
#else
            ((float *)(void *)x)[k * NN__LANES + lane] = (float)number;
#endif
        }
#if NN__NIBBLE_BYTES == 1
        ((int32_t *)(void *)row->start)[at] = minimum ? 0 : -8 * eight;
#else
        ((float *)(void *)row->start)[at] = minimum ? 0.0f : (float)(-8 * eight);
#endif
        row->size[at] = size;
        sum += eight;
    }
    row->sums[g] = size * (float)sum;
}

static void NN__(nibble_round)(const nn__nibble_row *row, const float *x, int C, bool minimum) {
    const NN__F32 zero = NN__(all)(0.0f);
    const int groups = C / 32, words = (4 * groups + NN__LANES - 1) / NN__LANES * NN__LANES;
    int32_t p[32];
    for (int g = 0; g < groups; g++, x += 32) {
        NN__F32 most = zero, odd = zero;
        for (int i = 0; i < 32; i += NN__LANES) {
            const NN__F32 v = NN__(load)(x + i);
            most = NN__(larger)(NN__(abs)(v), most);
            odd = NN__(add)(odd, NN__(sub)(v, v)); /* NaN if a number is not finite */
        }
        const float b = NN__(largest)(most), bad = NN__(sum)(odd);
        const bool none = b < 1e-36f;
        const NN__F32 factor = NN__(all)(none || bad != bad ? 0.0f : 127.0f / b);
        for (int i = 0; i < 32; i += NN__LANES) {
            const NN__F32 v = NN__(mul)(NN__(load)(x + i), factor);
            NN__(int_store)(p + i, NN__(to_int)(NN__(round)(NN__(drop)(NN__(unordered)(v, v), v))));
        }
        NN__(nibble_place)(row, g, p, bad != bad ? bad : none ? 0.0f : b / 127.0f, minimum);
    }
    memset(p, 0, sizeof p);
    for (int g = groups; 4 * g < words; g++) /* completes the last vector */
        NN__(nibble_place)(row, g, p, 0.0f, minimum);
    for (int g = (words + 3) / 4; g % NN__LANES; g++) row->sums[g] = 0.0f;
}

/* ---- products -------------------------------------------------------------------------------- */

/* Returns the first n <= NN__LANES numbers of f16 from x on, then zeros. `after`: the numbers that
   may be read. */
NN__OP NN__F32 NN__(nibble_halves)(const uint16_t *x, int n, ptrdiff_t after) {
    uint16_t part[NN__LANES];
    if (n >= NN__LANES) return NN__(load_f16)(x);
    if (after >= NN__LANES) {
        const NN__F32 lanes = NN__(from_int)(NN__(int_lanes)());
        return NN__(keep)(NN__(less)(lanes, NN__(all)((float)n)), NN__(load_f16)(x));
    }
    memset(part, 0, sizeof part);
    memcpy(part, x, (size_t)n * sizeof *part);
    return NN__(load_f16)(part);
}

/* Multiplies vector `v` of a row of weights, whose scales are lanes of `scales`. */
#define NN__NIBBLE_ROW(r, s)                                                                       \
    s = NN__(fma)(NN__(nibble_dot)(word, p->row[r].x + at * (8 * NN__NIBBLE_BYTES),                \
                                   p->row[r].start + at * 4),                                      \
                  NN__(mul)(d, NN__(load)(p->row[r].size + at)), s)
#define NN__NIBBLE_VECTOR(j, s)                                                                    \
    {                                                                                              \
        const ptrdiff_t at = (ptrdiff_t)(v + (j)) * NN__LANES;                                     \
        const NN__F32 d = NN__(permute)(scales, places##j);                                        \
        const NN__I32 word = left >= ((j) + 1) * NN__LANES                                         \
                                 ? NN__(int_load)(w + at)                                          \
                                 : NN__(int_load_some)(w + at, left - (j) * NN__LANES);            \
        NN__NIBBLE_ROW(0, s);                                                                      \
        if (rows > 1) {                                                                            \
            NN__NIBBLE_ROW(1, s1);                                                                 \
            NN__NIBBLE_ROW(2, s2);                                                                 \
            NN__NIBBLE_ROW(3, s3);                                                                 \
        }                                                                                          \
    }

/* rows: 1, or 4, of which the first p->rows are stored. The scales of four vectors are one vector
   of NN__LANES of them. */
NN__INLINE NN__NIBBLE_TARGET void NN__(nibble_rows)(const nn__nibble_product *p, const int rows) {
    const int groups = p->C / 32, words = p->C / 8;
    const NN__F32 zero = NN__(all)(0.0f);
    const NN__I32 lanes = NN__(int_lanes)();
#define NN__NIBBLE_PLACES(j)                                                                       \
    NN__(int_right)(NN__(int_add)(lanes, NN__(int_all)(NN__LANES == 1 ? 0 : (j) * NN__LANES)), 2)
    const NN__I32 places0 = NN__NIBBLE_PLACES(0), places1 = NN__NIBBLE_PLACES(1),
                  places2 = NN__NIBBLE_PLACES(2), places3 = NN__NIBBLE_PLACES(3);
#undef NN__NIBBLE_PLACES
    for (int k = 0; k < p->columns; k++) {
        const int32_t *w =
            (const int32_t *)(const void *)(p->weight + (ptrdiff_t)k * (p->C / 2));
        const ptrdiff_t row = (ptrdiff_t)k * groups;
        NN__F32 s0 = zero, s1 = zero, s2 = zero, s3 = zero, t0 = zero;
        for (int v = 0, g = 0; g < groups; v += 4, g += NN__LANES) {
            const int left = words - v * NN__LANES;
            const NN__F32 scales =
                NN__(nibble_halves)(p->scale + row + g, groups - g, p->after - row - g);
            if (p->minimum) {
                const NN__F32 m =
                    NN__(nibble_halves)(p->minimum + row + g, groups - g, p->after - row - g);
                s0 = NN__(fma)(m, NN__(load)(p->row[0].sums + g), s0);
                if (rows > 1) {
                    s1 = NN__(fma)(m, NN__(load)(p->row[1].sums + g), s1);
                    s2 = NN__(fma)(m, NN__(load)(p->row[2].sums + g), s2);
                    s3 = NN__(fma)(m, NN__(load)(p->row[3].sums + g), s3);
                }
            }
#if NN__LANES >= 8
            NN__(ahead)((const char *)(w + (ptrdiff_t)v * NN__LANES) + 4096);
            NN__(ahead)((const char *)(w + (ptrdiff_t)v * NN__LANES) + 4160);
            if (NN__LANES > 8) {
                NN__(ahead)((const char *)(w + (ptrdiff_t)v * NN__LANES) + 4224);
                NN__(ahead)((const char *)(w + (ptrdiff_t)v * NN__LANES) + 4288);
            }
#endif
            NN__NIBBLE_VECTOR(0, s0)
            if (left <= NN__LANES) break;
            if (rows > 1) NN__NIBBLE_VECTOR(1, s0) else NN__NIBBLE_VECTOR(1, t0)
            if (left <= 2 * NN__LANES) break;
            NN__NIBBLE_VECTOR(2, s0)
            if (left <= 3 * NN__LANES) break;
            if (rows > 1) NN__NIBBLE_VECTOR(3, s0) else NN__NIBBLE_VECTOR(3, t0)
        }
        const float bias = p->bias ? p->bias[k] : 0.0f;
        float *y = p->y + k;
        y[0] = NN__(sum)(NN__(add)(s0, t0)) + bias;
        if (rows == 1) continue;
        if (p->rows > 1) y[p->y_row] = NN__(sum)(s1) + bias;
        if (p->rows > 2) y[2 * p->y_row] = NN__(sum)(s2) + bias;
        if (p->rows > 3) y[3 * p->y_row] = NN__(sum)(s3) + bias;
    }
}
#undef NN__NIBBLE_ROW
#undef NN__NIBBLE_VECTOR

static NN__NIBBLE_TARGET void NN__(nibble_one)(const nn__nibble_product *p) {
    NN__(nibble_rows)(p, 1);
}
static NN__NIBBLE_TARGET void NN__(nibble_four)(const nn__nibble_product *p) {
    NN__(nibble_rows)(p, 4);
}
static void NN__(nibble_multiply)(const nn__nibble_product *p) {
    if (p->rows == 1) NN__(nibble_one)(p);
    else NN__(nibble_four)(p);
}

/* ---- weights as floats ----------------------------------------------------------------------- */

/* Returns one number of f16 in each lane. */
NN__OP NN__F32 NN__(nibble_half)(const uint16_t *x) {
    return NN__(permute)(NN__(nibble_halves)(x, 1, 0), NN__(int_all)(0));
}

static void NN__(nibble_floats)(float *y, const uint8_t *weight, const uint16_t *scale,
                                const uint16_t *minimum, int n) {
    const NN__I32 low = NN__(int_all)(15);
    for (int g = 0; 32 * g < n; g++, weight += 16, y += 32) {
        const NN__F32 d = NN__(nibble_half)(scale + g),
                      m = minimum ? NN__(nibble_half)(minimum + g)
                                  : NN__(mul)(NN__(all)(-8.0f), d);
        for (int i = 0; i < 16; i += NN__LANES) {
            const NN__I32 bytes = NN__(int_load_u8)(weight + i);
            const NN__F32 a = NN__(from_int)(NN__(int_and)(bytes, low)),
                          b = NN__(from_int)(NN__(int_right)(bytes, 4));
            NN__(store)(y + i, NN__(add)(NN__(mul)(a, d), m));
            NN__(store)(y + i + 16, NN__(add)(NN__(mul)(b, d), m));
        }
    }
}

static const nn__nibble_loops NN__(nibble_loops) = {NN__LANES, NN__NIBBLE_BYTES,
                                                    NN__(nibble_round), NN__(nibble_multiply),
                                                    NN__(nibble_floats)};
#undef NN__NIBBLE_BYTES
#undef NN__NIBBLE_TARGET
#endif
