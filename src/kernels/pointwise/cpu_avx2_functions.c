/* kernels/pointwise/cpu_avx2_functions.c - rows in vectors of eight of the functions of angles, of
   powers and of the remainder. They compute in double where a float would lose what the result
   needs, and leave the few numbers that the formula does not reach to the library of C. */
#include "kernels/pointwise/cpu_avx2.h"

#include <math.h>

#ifdef NN__VECTOR8

/* ---- doubles --------------------------------------------------------------------------------- */

/* Eight numbers in double: the first four and the last four. */
typedef struct nn__pair8 {
    __m256d low, high;
} nn__pair8;

NN__AVX2 static inline nn__pair8 nn__widen8(__m256 x) {
    nn__pair8 y;
    y.low = _mm256_cvtps_pd(_mm256_castps256_ps128(x));
    y.high = _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1));
    return y;
}
NN__AVX2 static inline __m256 nn__narrow8(__m256d low, __m256d high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)),
                                _mm256_cvtpd_ps(high), 1);
}
/* The lower 32 bits of each double. */
NN__AVX2 static inline __m256i nn__words8(__m256d low, __m256d high) {
    const __m256 words =
        _mm256_shuffle_ps(_mm256_castpd_ps(low), _mm256_castpd_ps(high), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(words), 0xd8);
}
/* A double to which a number below 2^51 is added has the nearest whole number in its last bits. */
#define NN__WHOLE8 _mm256_set1_pd(6755399441055744.0)

/* ---- angles ---------------------------------------------------------------------------------- */

/* x = n pi/2 + turn with |turn| <= pi/4; *turns: n + 1.5 * 2^52. Right to all bits of a float up to
   2^40: n times the first part of pi/2 is exact inside the FMA, and no float is closer than 2^-30
   to a multiple of pi/2. */
NN__AVX2 static inline __m256d nn__turn4(__m256d x, __m256d *turns) {
    *turns = _mm256_fmadd_pd(x, _mm256_set1_pd(0.63661977236758134), NN__WHOLE8);
    const __m256d n = _mm256_sub_pd(*turns, NN__WHOLE8);
    const __m256d turn = _mm256_fnmadd_pd(n, _mm256_set1_pd(1.5707963267948966), x);
    return _mm256_fnmadd_pd(n, _mm256_set1_pd(6.123233995736766e-17), turn);
}
#define NN__TURN_LIMIT 1099511627776.0f

/* A bit for each number that is too large for nn__turn4. */
NN__AVX2 static inline int nn__far8(__m256 x) {
    const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
    return _mm256_movemask_ps(_mm256_cmp_ps(size, _mm256_set1_ps(NN__TURN_LIMIT), _CMP_GT_OQ));
}
/* y with f(x) at those bits. */
NN__AVX2 static NN__UNUSED __m256 nn__of_far8(float (*f)(float), __m256 x, __m256 y, int rest) {
    float from[8], to[8];
    _mm256_storeu_ps(from, x);
    _mm256_storeu_ps(to, y);
    for (int i = 0; i < 8; i++)
        if (rest >> i & 1) to[i] = f(from[i]);
    return _mm256_loadu_ps(to);
}

/* sin(x), or with quarter = 1 cos(x) = sin(x + pi/2), with at most 1.6 ulp of error. The
   polynomials of sin and cos on [-pi/4, pi/4] are minimax; -0 stays. */
NN__AVX2 static inline __m256 nn__wave8(__m256 x, int quarter) {
    const nn__pair8 wide = nn__widen8(x);
    const __m256 one = _mm256_set1_ps(1.0f);
    __m256d turns_low, turns_high;
    const __m256d low = nn__turn4(wide.low, &turns_low), high = nn__turn4(wide.high, &turns_high);
    const __m256 t = nn__narrow8(low, high), z = _mm256_mul_ps(t, t);
    const __m256i turns =
        _mm256_add_epi32(nn__words8(turns_low, turns_high), _mm256_set1_epi32(quarter));
    __m256 s = _mm256_set1_ps(-1.95169775e-4f), c = _mm256_set1_ps(2.4432785e-5f);
    s = _mm256_fmadd_ps(s, z, _mm256_set1_ps(8.33217585e-3f));
    c = _mm256_fmadd_ps(c, z, _mm256_set1_ps(-1.38873131e-3f));
    s = _mm256_fmadd_ps(s, z, _mm256_set1_ps(-0.166666549f));
    c = _mm256_fmadd_ps(c, z, _mm256_set1_ps(0.0416666456f));
    s = _mm256_fmadd_ps(_mm256_mul_ps(z, t), s, t);
    c = _mm256_fmadd_ps(c, z, _mm256_set1_ps(-0.5f));
    c = _mm256_fmadd_ps(c, z, one);
    const __m256 odd = _mm256_castsi256_ps(_mm256_slli_epi32(turns, 31));
    const __m256 sign = _mm256_castsi256_ps(
        _mm256_slli_epi32(_mm256_srli_epi32(turns, 1), 31));
    return _mm256_xor_ps(_mm256_blendv_ps(s, c, odd), sign);
}
NN__AVX2 static inline __m256 nn__sin8(__m256 x) {
    const __m256 zero = _mm256_setzero_ps();
    const __m256 y = _mm256_blendv_ps(nn__wave8(x, 0), x, _mm256_cmp_ps(x, zero, _CMP_EQ_OQ));
    const int rest = nn__far8(x);
    return rest ? nn__of_far8(sinf, x, y, rest) : y;
}
NN__AVX2 static inline __m256 nn__cos8(__m256 x) {
    const __m256 y = nn__wave8(x, 1);
    const int rest = nn__far8(x);
    return rest ? nn__of_far8(cosf, x, y, rest) : y;
}

/* tan on [-pi/4, pi/4] as a quotient of polynomials, minimax with an error of 2^-35; behind an odd
   number of quarters -1 / tan. */
NN__AVX2 static inline __m256d nn__tan4(__m256d x) {
    __m256d turns;
    const __m256d t = nn__turn4(x, &turns), z = _mm256_mul_pd(t, t);
    const __m256d one = _mm256_set1_pd(1.0), sign = _mm256_set1_pd(-0.0);
    __m256d top = _mm256_fmadd_pd(_mm256_set1_pd(0.0010747556190426333), z,
                                  _mm256_set1_pd(-0.11135569113962633));
    __m256d bottom = _mm256_fmadd_pd(_mm256_set1_pd(0.015971079219533946), z,
                                     _mm256_set1_pd(-0.44468902327227156));
    top = _mm256_mul_pd(_mm256_fmadd_pd(top, z, one), t);
    bottom = _mm256_fmadd_pd(bottom, z, one);
    const __m256d odd = _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(turns), 63));
    return _mm256_div_pd(_mm256_blendv_pd(top, bottom, odd),
                         _mm256_blendv_pd(bottom, _mm256_xor_pd(top, sign), odd));
}
NN__AVX2 static inline __m256 nn__tan8(__m256 x) {
    const nn__pair8 wide = nn__widen8(x);
    const __m256 y = nn__narrow8(nn__tan4(wide.low), nn__tan4(wide.high));
    const int rest = nn__far8(x);
    return rest ? nn__of_far8(tanf, x, y, rest) : y;
}

/* atan2(y, x): q, the smaller of |x| and |y| divided by the larger, has an angle in [0, pi/4], by a
   minimax polynomial with an error of 2^-28. The quadrant adds a multiple of pi/2, in two parts,
   and may turn the sign. At most 1.7 ulp of error. */
NN__AVX2 static inline __m256 nn__atan28(__m256 y, __m256 x) {
    const __m256 sign = _mm256_set1_ps(-0.0f), one = _mm256_set1_ps(1.0f);
    const __m256 b = _mm256_andnot_ps(sign, x), a = _mm256_andnot_ps(sign, y);
    const __m256 larger = _mm256_max_ps(a, b), smaller = _mm256_min_ps(a, b);
    const __m256 steep = _mm256_cmp_ps(a, b, _CMP_GT_OQ);
    const __m256 same = _mm256_cmp_ps(a, b, _CMP_EQ_OQ); /* two infinities as well */
    __m256 q = _mm256_blendv_ps(_mm256_div_ps(smaller, larger), one, same);
    q = _mm256_and_ps(q, _mm256_cmp_ps(larger, _mm256_setzero_ps(), _CMP_NEQ_UQ));
    const __m256 z = _mm256_mul_ps(q, q);
    __m256 p = NN__SERIES8(_mm256_fmadd_ps, _mm256_set1_ps, z, _mm256_set1_ps(-0.00179362031f),
                           0.0109145996f, -0.0311778345f, 0.0579575823f, -0.0840344968f,
                           0.109521856f, -0.142642416f, 0.199985483f, -0.333332991f);
    p = _mm256_fmadd_ps(_mm256_mul_ps(z, q), p, q);
    /* steep: pi/2 - p, or pi/2 + p on the left; else p, or pi - p on the left */
    p = _mm256_xor_ps(p, _mm256_and_ps(_mm256_xor_ps(x, steep), sign));
    const __m256 pi = _mm256_blendv_ps(_mm256_setzero_ps(), _mm256_set1_ps(3.14159274f), x);
    const __m256 rest = _mm256_blendv_ps(_mm256_setzero_ps(), _mm256_set1_ps(-8.74227766e-8f), x);
    p = _mm256_add_ps(p, _mm256_blendv_ps(rest, _mm256_set1_ps(-4.37113883e-8f), steep));
    p = _mm256_add_ps(p, _mm256_blendv_ps(pi, _mm256_set1_ps(1.57079637f), steep));
    p = _mm256_or_ps(p, _mm256_and_ps(y, sign));
    const __m256 sum = _mm256_add_ps(a, b); /* NaN where one of them is */
    return _mm256_blendv_ps(p, sum, _mm256_cmp_ps(sum, sum, _CMP_UNORD_Q));
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* log2 of a number that is not negative, with a relative error of 2^-37: a = 2^e m with m in
   [sqrt(1/2), sqrt(2)), and log2 m by a minimax polynomial of (m - 1) / (m + 1). */
NN__AVX2 static inline __m256d nn__log2_4(__m256d a) {
    const __m256d one = _mm256_set1_pd(1.0), infinity = _mm256_set1_pd((double)INFINITY);
    const __m256d two52 = _mm256_set1_pd(4503599627370496.0);
    const __m256i bits = _mm256_castpd_si256(a);
    const __m256d half = _mm256_castsi256_pd(_mm256_or_si256(
        _mm256_and_si256(bits, _mm256_set1_epi64x(0x000fffffffffffff)),
        _mm256_set1_epi64x(0x3fe0000000000000))); /* [0.5, 1) */
    const __m256d low = _mm256_cmp_pd(half, _mm256_set1_pd(0.70710678118654752), _CMP_LT_OQ);
    const __m256d m = _mm256_add_pd(half, _mm256_and_pd(low, half));
    __m256d e = _mm256_or_pd(_mm256_castsi256_pd(_mm256_srli_epi64(bits, 52)), two52);
    e = _mm256_sub_pd(_mm256_sub_pd(e, _mm256_set1_pd(4503599627370496.0 + 1022.0)),
                      _mm256_and_pd(low, one));
    const __m256d s = _mm256_div_pd(_mm256_sub_pd(m, one), _mm256_add_pd(m, one));
    const __m256d z = _mm256_mul_pd(s, s);
    __m256d p = NN__SERIES4(_mm256_fmadd_pd, _mm256_set1_pd, z, _mm256_set1_pd(0.34077274173839056),
                            0.41167051956639938, 0.57708361970358191, 0.96179667317105932,
                            2.8853900817902125);
    p = _mm256_fmadd_pd(p, s, e);
    p = _mm256_blendv_pd(p, _mm256_set1_pd(-(double)INFINITY),
                         _mm256_cmp_pd(a, _mm256_setzero_pd(), _CMP_EQ_OQ));
    return _mm256_blendv_pd(p, a, _mm256_cmp_pd(a, infinity, _CMP_NLT_UQ)); /* they stay */
}

/* 2^t, t = k + f with |f| <= 1/2; NaN stays NaN. */
NN__AVX2 static inline __m256 nn__two_to8(__m256d low, __m256d high) {
    const __m256d top = _mm256_set1_pd(160.0), bottom = _mm256_set1_pd(-160.0);
    const __m256d a = _mm256_max_pd(bottom, _mm256_min_pd(top, low));
    const __m256d b = _mm256_max_pd(bottom, _mm256_min_pd(top, high));
    const __m256d turns_a = _mm256_add_pd(a, NN__WHOLE8), turns_b = _mm256_add_pd(b, NN__WHOLE8);
    const __m256 f = nn__narrow8(_mm256_sub_pd(a, _mm256_sub_pd(turns_a, NN__WHOLE8)),
                                 _mm256_sub_pd(b, _mm256_sub_pd(turns_b, NN__WHOLE8)));
    const __m256i k = nn__words8(turns_a, turns_b), half = _mm256_srai_epi32(k, 1);
    const __m256i rest = _mm256_sub_epi32(k, half), bias = _mm256_set1_epi32(127);
    __m256 p = NN__SERIES6(_mm256_fmadd_ps, _mm256_set1_ps, f, _mm256_set1_ps(1.53533618e-4f),
                           1.33988744e-3f, 9.61843736e-3f, 5.55033247e-2f, 0.240226479f,
                           0.693147203f, 1.0f);
    p = _mm256_mul_ps(p, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(half, bias), 23)));
    return _mm256_mul_ps(p,
                         _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(rest, bias), 23)));
}

/* a^b as C's powf, with at most 1.1 ulp of error; log2 of |a| is known. */
NN__AVX2 static inline __m256 nn__power8(__m256 a, nn__pair8 log2, __m256 b) {
    const __m256 sign = _mm256_set1_ps(-0.0f), one = _mm256_set1_ps(1.0f),
                 zero = _mm256_setzero_ps(), infinity = _mm256_set1_ps(INFINITY);
    const nn__pair8 wide = nn__widen8(b);
    __m256 y = nn__two_to8(_mm256_mul_pd(wide.low, log2.low), _mm256_mul_pd(wide.high, log2.high));
    const __m256 size = _mm256_andnot_ps(sign, a), exponent = _mm256_andnot_ps(sign, b);
    if (_mm256_movemask_ps(a)) { /* NaN for a fraction of a negative number */
        const __m256 whole = _mm256_cmp_ps(
            _mm256_round_ps(b, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC), b, _CMP_EQ_OQ);
        const __m256 broken = _mm256_and_ps(_mm256_cmp_ps(a, zero, _CMP_LT_OQ),
                                            _mm256_cmp_ps(size, infinity, _CMP_LT_OQ));
        const __m256 odd = _mm256_and_ps(
            whole, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvttps_epi32(b), 31)));
        y = _mm256_xor_ps(y, _mm256_and_ps(odd, _mm256_and_ps(a, sign)));
        y = _mm256_or_ps(y, _mm256_andnot_ps(whole, broken));
    }
    const __m256 certain = _mm256_and_ps(
        _mm256_cmp_ps(size, one, _CMP_EQ_OQ),
        _mm256_or_ps(_mm256_cmp_ps(a, zero, _CMP_GT_OQ),
                     _mm256_cmp_ps(exponent, infinity, _CMP_EQ_OQ)));
    return _mm256_blendv_ps(y, one, _mm256_or_ps(certain, _mm256_cmp_ps(b, zero, _CMP_EQ_OQ)));
}
NN__AVX2 static inline nn__pair8 nn__log2_8(__m256 a) {
    nn__pair8 y = nn__widen8(_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a));
    y.low = nn__log2_4(y.low);
    y.high = nn__log2_4(y.high);
    return y;
}

/* The logarithm to base 2, times `unit`: whole powers of the base have whole logarithms. */
NN__AVX2 static inline __m256 nn__log_of8(__m256 x, double unit) {
    const nn__pair8 wide = nn__widen8(x);
    const __m256d factor = _mm256_set1_pd(unit);
    const __m256 y = nn__narrow8(_mm256_mul_pd(nn__log2_4(wide.low), factor),
                                 _mm256_mul_pd(nn__log2_4(wide.high), factor));
    /* all bits: a NaN */
    return _mm256_or_ps(y, _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_LT_OQ));
}

/* As C's hypotf: the squares of floats fit into doubles; infinity beside NaN is infinity. */
NN__AVX2 static inline __m256d nn__hypot4(__m256d a, __m256d b) {
    return _mm256_sqrt_pd(_mm256_fmadd_pd(a, a, _mm256_mul_pd(b, b)));
}
NN__AVX2 static inline __m256 nn__hypot8(__m256 a, __m256 b) {
    const nn__pair8 p = nn__widen8(a), q = nn__widen8(b);
    const __m256 sign = _mm256_set1_ps(-0.0f), infinity = _mm256_set1_ps(INFINITY);
    const __m256 y = nn__narrow8(nn__hypot4(p.low, q.low), nn__hypot4(p.high, q.high));
    return _mm256_blendv_ps(
        y, infinity,
        _mm256_or_ps(_mm256_cmp_ps(_mm256_andnot_ps(sign, a), infinity, _CMP_EQ_OQ),
                     _mm256_cmp_ps(_mm256_andnot_ps(sign, b), infinity, _CMP_EQ_OQ)));
}

/* ---- rows ------------------------------------------------------------------------------------ */

NN__ROW8_LONG(log2, 1, nn__log_of8(p, 1.0))
NN__ROW8_LONG(log10, 1, nn__log_of8(p, 0.30102999566398120))
NN__ROW8_LONG(hypot, 2, nn__hypot8(p, q))
NN__ROW8_LONG(sin, 1, nn__sin8(p))
NN__ROW8_LONG(cos, 1, nn__cos8(p))
NN__ROW8_LONG(tan, 1, nn__tan8(p))
NN__ROW8_LONG(atan2, 2, nn__atan28(p, q))
NN__ROW8_LONG(remainder, 2, nn__remainder8(p, q))
NN__ROW8_LONG(power_any, 2, nn__power8(p, nn__log2_8(p), q))

/* 2^x = 2^k 2^r, |r| <= 1/2 exactly; Taylor's series in r, times 2^k in two steps as in
   nn__exp8. */
NN__AVX2 static inline __m256 nn__exp2_8(__m256 x) {
    x = _mm256_min_ps(_mm256_set1_ps(129.0f), x); /* in this order NaN passes */
    x = _mm256_max_ps(_mm256_set1_ps(-151.0f), x);
    const __m256 k = _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m256 r = _mm256_sub_ps(x, k), one = _mm256_set1_ps(1.0f);
    __m256 p = _mm256_set1_ps(1.52527336e-05f);
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.000154035297f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.00133335579f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.00961812865f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.0555041097f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.240226507f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.693147182f));
    p = _mm256_fmadd_ps(p, r, one);
    const __m256i bias = _mm256_set1_epi32(127), whole = _mm256_cvtps_epi32(k);
    const __m256i half = _mm256_srai_epi32(whole, 1), rest = _mm256_sub_epi32(whole, half);
    p = _mm256_mul_ps(p, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(half, bias), 23)));
    return _mm256_mul_ps(p,
                         _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(rest, bias), 23)));
}
NN__ROW8_LONG(power_of_two, 2, nn__exp2_8(q))

/* A base for the whole tensor has one logarithm. */
NN__ROW8_HEAD(power_of_one, 2)
const nn__pair8 log2 = nn__log2_8(_mm256_loadu_ps(a_from));
NN__ROW8_END(2, nn__power8(p, log2, q))
NN__AVX2 static void nn__row8_power(const nn__row *row) {
    if (row->a_mask)
        nn__row8_power_any(row);
    else if (row->a[0] == 2.0f)
        nn__row8_power_of_two(row);
    else
        nn__row8_power_of_one(row);
}

NN_PRIVATE nn__row_function nn__program_function8(nn_instruction_code code) {
    switch (code) {
    case NN_CODE_LOG2: return nn__row8_log2;
    case NN_CODE_LOG10: return nn__row8_log10;
    case NN_CODE_HYPOT: return nn__row8_hypot;
    case NN_CODE_SIN: return nn__row8_sin;
    case NN_CODE_COS: return nn__row8_cos;
    case NN_CODE_TAN: return nn__row8_tan;
    case NN_CODE_ATAN2: return nn__row8_atan2;
    case NN_CODE_POWER: return nn__row8_power;
    case NN_CODE_REMAINDER: return nn__row8_remainder;
    default: return NULL; /* the library of C serves */
    }
}
#undef NN__WHOLE8
#undef NN__TURN_LIMIT
#undef NN__ROW8_LOAD
#undef NN__ROW8_LOAD_TAIL
#undef NN__ROW8_ONE
#undef NN__ROW8_WHOLE
#undef NN__ROW8_KEEP
#undef NN__ROW8_TAIL
#undef NN__ROW8_HEAD
#undef NN__ROW8_END
#undef NN__ROW8
#undef NN__ROW8_LONG
#undef NN__KEEP8
#undef NN__TRUTH8
#undef NN__EXACT8_OF_ONE
#undef NN__EXACT8_OF_TWO
#undef NN__EXACT8_OF_THREE
#undef NN__LONG8
#undef NN__COMPARISONS8

#endif
