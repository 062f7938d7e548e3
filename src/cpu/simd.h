/* cpu/simd.h - x86 vectors of eight floats for kernels that are bound by memory or by exp, chosen
   at run time. Machines with AVX-512 use them too: most such kernels are bound by memory, and wider
   registers would gain nothing. */
#pragma once

#include "cpu/sets.h"

#ifdef NN__HAS_AVX2
#define NN__VECTOR8 1
#if defined(__GNUC__) || defined(__clang__)
#define NN__AVX2 __attribute__((target("avx2,fma")))
/* for bytes equal to those of plain C: with -march=haswell, gcc would fuse here as well */
#if defined(__FMA__) && !defined(__clang__)
#define NN__AVX2_UNFUSED __attribute__((target("avx2"), optimize("fp-contract=off")))
#else
#define NN__AVX2_UNFUSED __attribute__((target("avx2")))
#endif
#define NN__AVX512 __attribute__((target("avx512f,avx2,fma")))
#else
#define NN__AVX2
#define NN__AVX2_UNFUSED
#define NN__AVX512
#endif
#ifdef NN__HAS_AVX512
#define NN__VECTOR16 1 /* for the few rows that are not bound by memory */
#endif
#endif

static inline NN__UNUSED bool nn__vectors(const nn__cpu *cpu) {
    return cpu->instructions == NN_INSTRUCTIONS_AVX2 || cpu->instructions == NN_INSTRUCTIONS_AVX512;
}

static inline NN__UNUSED bool nn__vectors16(const nn__cpu *cpu) {
    return cpu->instructions == NN_INSTRUCTIONS_AVX512;
}

#ifdef NN__VECTOR8

/* Prefetches the two cache lines `NN__AHEAD` numbers from here, for loops that only read. If rows
   are read and then worked on, a Zen 4 prefetches by itself and is slower, by up to a half, with
   this. Beyond the end of a tensor it does nothing. */
#define NN__AHEAD 2048
static inline NN__UNUSED void nn__ahead8_line(const void *x) { /* 16 numbers: one line */
    _mm_prefetch((const char *)x + NN__AHEAD * sizeof(float), _MM_HINT_T0);
}
static inline NN__UNUSED void nn__ahead8(const float *x) {
    nn__ahead8_line(x);
    nn__ahead8_line(x + 16);
}

/* True if a result is too large for any cache to keep it until it is read. It is then written past
   the caches, which saves reading the memory that is overwritten. `bytes`: all that the kernel
   reads and writes; y: its output, which must not be an input. Call nn__streamed before the unit
   ends, so that other threads see the result. */
static inline NN__UNUSED bool nn__streams(const nn__cpu *cpu, const float *y, int64_t bytes) {
    return bytes >= cpu->stream_bytes && (uintptr_t)y % 32 == 0;
}
static inline NN__UNUSED void nn__streamed(void) { _mm_sfence(); }
NN__AVX2 static inline NN__UNUSED void nn__store8(float *y, __m256 v, bool streams) {
    if (streams)
        _mm256_stream_ps(y, v);
    else
        _mm256_storeu_ps(y, v);
}

/* Masks and accesses for the first n < 8 lanes, the tail of a row; a load fills the other lanes. No
   memory beyond the tail is accessed. */
NN__AVX2 static inline NN__UNUSED __m256i nn__first8(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
/* Lanes [low, high). */
NN__AVX2 static inline NN__UNUSED __m256i nn__lanes8(int low, int high) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_and_si256(_mm256_cmpgt_epi32(lane, _mm256_set1_epi32(low - 1)),
                            _mm256_cmpgt_epi32(_mm256_set1_epi32(high), lane));
}
NN__AVX2 static inline NN__UNUSED __m256 nn__load_tail8(const float *x, int n, float filler) {
    __m256i mask = nn__first8(n);
    return _mm256_blendv_ps(_mm256_set1_ps(filler), _mm256_maskload_ps(x, mask),
                            _mm256_castsi256_ps(mask));
}
NN__AVX2 static inline NN__UNUSED void nn__store_tail8(float *y, int n, __m256 v) {
    _mm256_maskstore_ps(y, nn__first8(n), v);
}

/* Polynomials by Horner's rule, in vectors of any length: p x^4 + a x^3 + ... + d, and longer. */
#define NN__SERIES4(fma, set, x, p, a, b, c, d) \
    fma(fma(fma(fma(p, x, set(a)), x, set(b)), x, set(c)), x, set(d))
#define NN__SERIES5(fma, set, x, p, a, b, c, d, e) \
    fma(NN__SERIES4(fma, set, x, p, a, b, c, d), x, set(e))
#define NN__SERIES6(fma, set, x, p, a, b, c, d, e, f) \
    fma(NN__SERIES5(fma, set, x, p, a, b, c, d, e), x, set(f))
#define NN__SERIES8(fma, set, x, p, a, b, c, d, e, f, g, h) \
    NN__SERIES4(fma, set, x, NN__SERIES4(fma, set, x, p, a, b, c, d), e, f, g, h)

/* exp with at most 1 ulp of error (0.9 if results are normal): x = k ln 2 + r with |r| <= ln 2 / 2.
   exp(r) is the best polynomial of degree six that begins with 1 + r. Adding `whole` rounds to k
   and leaves it in the last bits. From these comes 2^k in two steps, so that results below 2^-126
   are right as well. NaN stays NaN. */
#define NN__EXP_WHOLE(more) (12582912.0f + (more)) /* 1.5 2^23 */
#define NN__EXP_LN2_LOW     -1.90465430e-9f        /* ln 2 less the nearest float */
#define NN__EXP_SERIES(fma, set, r)                                                                \
    NN__SERIES6(fma, set, r, set(0.00138145674f), 0.00836873148f, 0.0416683890f, 0.166665211f,     \
                0.499999940f, 1.0f, 1.0f)
NN__AVX2 static inline NN__UNUSED __m256 nn__exp8(__m256 x) {
    const __m256 whole = _mm256_set1_ps(NN__EXP_WHOLE(254.0f));
    x = _mm256_min_ps(_mm256_set1_ps(89.0f), x); /* in this order NaN passes */
    x = _mm256_max_ps(_mm256_set1_ps(-104.0f), x);
    const __m256 t = _mm256_fmadd_ps(x, _mm256_set1_ps(1.44269504f), whole);
    const __m256 k = _mm256_sub_ps(t, whole);
    __m256 r = _mm256_fnmadd_ps(k, _mm256_set1_ps(0.693147182f), x);
    r = _mm256_fnmadd_ps(k, _mm256_set1_ps(NN__EXP_LN2_LOW), r);
    __m256 p = NN__EXP_SERIES(_mm256_fmadd_ps, _mm256_set1_ps, r);
    const __m256i bits = _mm256_castps_si256(t); /* the bits of k + 254, below higher ones */
    const __m256i half = _mm256_srli_epi32(bits, 1), rest = _mm256_sub_epi32(bits, half);
    p = _mm256_mul_ps(p, _mm256_castsi256_ps(_mm256_slli_epi32(half, 23)));
    return _mm256_mul_ps(p, _mm256_castsi256_ps(_mm256_slli_epi32(rest, 23)));
}

#ifdef NN__VECTOR16
/* Masked forms with every lane. In gcc 12's own header the unmasked forms begin with undefined
   vectors, and g++ warns about them. */
#define NN__ALL16 ((__mmask16)0xffff)
/* Lanes [low, high). */
static inline NN__UNUSED __mmask16 nn__lanes16(int low, int high) {
    const unsigned from = low > 0 ? (low < 16 ? 0xffffu << low : 0u) : 0xffffu,
                   below = high < 16 ? (high > 0 ? (1u << high) - 1u : 0u) : 0xffffu;
    return (__mmask16)(from & below);
}
/* Return the lower and the upper eight lanes. */
NN__AVX512 static inline NN__UNUSED __m256 nn__low16(__m512 v) {
    return _mm256_castpd_ps(_mm512_maskz_extractf64x4_pd((__mmask8)0xff, _mm512_castps_pd(v), 0));
}
NN__AVX512 static inline NN__UNUSED __m256 nn__high16(__m512 v) {
    return _mm256_castpd_ps(_mm512_maskz_extractf64x4_pd((__mmask8)0xff, _mm512_castps_pd(v), 1));
}
#endif

/* log: x = 2^k m with m in [sqrt(1/2), sqrt(2)); log m is the polynomial of Cephes' logf for m - 1.
   Right for subnormal numbers, 0 (-infinity), numbers below 0 (NaN), infinity and NaN. */
#define NN__LOG_SERIES(fma, set, m)                                                                \
    NN__SERIES8(fma, set, m, set(7.0376836292e-2f), -1.1514610310e-1f, 1.1676998740e-1f,           \
                -1.2420140846e-1f, 1.4249322787e-1f, -1.6668057665e-1f, 2.0000714765e-1f,          \
                -2.4999993993e-1f, 3.3333331174e-1f)
NN__AVX2 static inline NN__UNUSED __m256 nn__log8(__m256 x) {
    const __m256 one = _mm256_set1_ps(1.0f), half = _mm256_set1_ps(0.5f),
                 zero = _mm256_setzero_ps();
    __m256 tiny = _mm256_cmp_ps(x, _mm256_set1_ps(1.17549435e-38f), _CMP_LT_OQ);
    __m256 scaled = _mm256_blendv_ps(x, _mm256_mul_ps(x, _mm256_set1_ps(8388608.0f)), tiny);
    __m256i bits = _mm256_castps_si256(scaled);
    __m256i k = _mm256_sub_epi32(_mm256_srli_epi32(bits, 23), _mm256_set1_epi32(126));
    __m256 m =
        _mm256_castsi256_ps(_mm256_or_si256(_mm256_and_si256(bits, _mm256_set1_epi32(0x007fffff)),
                                            _mm256_set1_epi32(0x3f000000))); /* [0.5, 1) */
    __m256 low = _mm256_cmp_ps(m, _mm256_set1_ps(0.707106781f), _CMP_LT_OQ);
    __m256 e = _mm256_sub_ps(_mm256_cvtepi32_ps(k), _mm256_and_ps(low, one));
    e = _mm256_sub_ps(e, _mm256_and_ps(tiny, _mm256_set1_ps(23.0f)));
    m = _mm256_sub_ps(_mm256_add_ps(m, _mm256_and_ps(low, m)), one);
    __m256 z = _mm256_mul_ps(m, m), p = NN__LOG_SERIES(_mm256_fmadd_ps, _mm256_set1_ps, m);
    p = _mm256_mul_ps(_mm256_mul_ps(p, m), z);
    p = _mm256_fmadd_ps(e, _mm256_set1_ps(-2.12194440e-4f), p);
    p = _mm256_fnmadd_ps(half, z, p);
    __m256 y = _mm256_fmadd_ps(e, _mm256_set1_ps(0.693359375f), _mm256_add_ps(m, p));
    const __m256 infinity = _mm256_castsi256_ps(_mm256_set1_epi32(0x7f800000));
    y = _mm256_blendv_ps(y, x, _mm256_cmp_ps(x, infinity, _CMP_NLT_UQ)); /* infinity and NaN stay */
    y = _mm256_blendv_ps(y, _mm256_xor_ps(infinity, _mm256_set1_ps(-0.0f)),
                         _mm256_cmp_ps(x, zero, _CMP_EQ_OQ));
    return _mm256_or_ps(y, _mm256_cmp_ps(x, zero, _CMP_LT_OQ)); /* all bits: a NaN */
}

NN__AVX2 static inline NN__UNUSED __m256 nn__sigmoid8(__m256 x) {
    const __m256 one = _mm256_set1_ps(1.0f);
    /* 0 - x instead of a flipped sign: a NaN keeps its sign, so that NaNs that meet later are
       equal */
    __m256 e = nn__exp8(_mm256_sub_ps(_mm256_setzero_ps(), x));
    return _mm256_div_ps(one, _mm256_add_ps(one, e));
}

/* exp(r) - 1 by Taylor's series, r = x - k ln 2. */
#define NN__EXP_REST_SERIES(fma, set, r)                                                           \
    NN__SERIES5(fma, set, r, set(1.0f / 5040.0f), 1.0f / 720.0f, 1.0f / 120.0f, 1.0f / 24.0f,      \
                1.0f / 6.0f, 0.5f)
NN__AVX2 static inline NN__UNUSED __m256 nn__exp_rest8(__m256 x, __m256 k) {
    __m256 r = _mm256_fnmadd_ps(k, _mm256_set1_ps(0.693147182f), x);
    r = _mm256_fnmadd_ps(k, _mm256_set1_ps(NN__EXP_LN2_LOW), r);
    const __m256 p = NN__EXP_REST_SERIES(_mm256_fmadd_ps, _mm256_set1_ps, r);
    return _mm256_fmadd_ps(_mm256_mul_ps(r, r), p, r);
}
/* e / (e + 2) with e = exp(2 |x|) - 1 = 2^k (exp(r) - 1) + (2^k - 1), r as in nn__exp8. There is no
   cancellation, and -0 and subnormal numbers stay. At most 2.42 ulp of error. */
NN__AVX2 static inline NN__UNUSED __m256 nn__tanh8(__m256 x) {
    const __m256 sign = _mm256_set1_ps(-0.0f), one = _mm256_set1_ps(1.0f);
    const __m256 whole = _mm256_set1_ps(NN__EXP_WHOLE(127.0f));
    __m256 t = _mm256_andnot_ps(sign, x);
    /* in this order NaN passes; from 9.1 on the result is 1 */
    t = _mm256_min_ps(_mm256_set1_ps(20.0f), _mm256_add_ps(t, t));
    const __m256 bits = _mm256_fmadd_ps(t, _mm256_set1_ps(1.44269504f), whole);
    const __m256 p = nn__exp_rest8(t, _mm256_sub_ps(bits, whole));
    const __m256 s = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(bits), 23));
    const __m256 e = _mm256_fmadd_ps(s, p, _mm256_sub_ps(s, one));
    const __m256 y = _mm256_div_ps(e, _mm256_add_ps(e, _mm256_set1_ps(2.0f)));
    return _mm256_or_ps(y, _mm256_and_ps(x, sign));
}

/* erf with less than 0.9 ulp of error by nn__erf_pieces; one instruction looks up a coefficient for
   each lane. From 3.99 on the result is 1; NaN stays NaN. */
NN__AVX2 static inline NN__UNUSED __m256 nn__erf8(__m256 x) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    /* in this order NaN passes */
    const __m256 t = _mm256_min_ps(_mm256_set1_ps(3.99f), _mm256_andnot_ps(sign, x));
    const __m256i piece = _mm256_cvttps_epi32(_mm256_add_ps(t, t));
#define NN__ERF8(i) _mm256_permutevar8x32_ps(_mm256_loadu_ps(nn__erf_pieces[i]), piece)
    const __m256 d = _mm256_sub_ps(t, NN__ERF8(0));
    const __m256 first = _mm256_cmp_ps(t, _mm256_set1_ps(0.5f), _CMP_LT_OQ);
    const __m256 base = _mm256_blendv_ps(NN__ERF8(1), t, first);
    __m256 q = NN__ERF8(8);
    q = _mm256_fmadd_ps(q, d, NN__ERF8(7));
    q = _mm256_fmadd_ps(q, d, NN__ERF8(6));
    q = _mm256_fmadd_ps(q, d, NN__ERF8(5));
    q = _mm256_fmadd_ps(q, d, NN__ERF8(4));
    q = _mm256_fmadd_ps(q, d, NN__ERF8(3));
    q = _mm256_fmadd_ps(q, d, NN__ERF8(2));
#undef NN__ERF8
    return _mm256_or_ps(_mm256_fmadd_ps(d, q, base), _mm256_and_ps(x, sign));
}

/* Adds the eight lanes in a fixed order. */
NN__AVX2 static inline NN__UNUSED float nn__sum8(__m256 v) {
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}
NN__AVX2 static inline NN__UNUSED float nn__max8(__m256 v) { /* of numbers without NaN */
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

#endif
