/* kernels/pointwise/cpu_avx2.c - rows of pointwise programs in vectors of eight, for
   AVX2 and AVX-512 machines.

   An instruction that is correctly rounded gives the bytes of plain C: each stands in a function of
   its own, so that no compiler contracts two of them. */
#include "kernels/pointwise/cpu_avx2.h"

#ifdef NN__VECTOR8

NN__AVX2 static inline __m256 nn__larger8(__m256 p, __m256 q) {
    return _mm256_blendv_ps(_mm256_max_ps(p, q), p, _mm256_cmp_ps(p, p, _CMP_UNORD_Q));
}
NN__AVX2 static inline __m256 nn__smaller8(__m256 p, __m256 q) {
    return _mm256_blendv_ps(_mm256_min_ps(p, q), p, _mm256_cmp_ps(p, p, _CMP_UNORD_Q));
}

#define NN__ROW8_TRUTH(p, how, q) _mm256_and_ps(one, _mm256_cmp_ps(p, q, how))
NN__ROW8(negate, 1, _mm256_xor_ps(sign, p))
NN__ROW8(abs, 1, _mm256_andnot_ps(sign, p))
NN__ROW8(sign, 1,
         _mm256_sub_ps(NN__ROW8_TRUTH(p, _CMP_GT_OQ, zero), NN__ROW8_TRUTH(p, _CMP_LT_OQ, zero)))
NN__ROW8(floor, 1, _mm256_floor_ps(p))
NN__ROW8(ceil, 1, _mm256_ceil_ps(p))
NN__ROW8(round, 1, _mm256_round_ps(p, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))
NN__ROW8(trunc, 1, _mm256_round_ps(p, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))
NN__ROW8(reciprocal, 1, _mm256_div_ps(one, p))
NN__ROW8(sqrt, 1, _mm256_sqrt_ps(p))
NN__ROW8(rsqrt, 1, _mm256_div_ps(one, _mm256_sqrt_ps(p)))
NN__ROW8(logical_not, 1, NN__ROW8_TRUTH(p, _CMP_EQ_OQ, zero))
NN__ROW8(isnan, 1, NN__ROW8_TRUTH(p, _CMP_UNORD_Q, p))
NN__ROW8(add, 2, _mm256_add_ps(p, q))
NN__ROW8(subtract, 2, _mm256_sub_ps(p, q))
NN__ROW8(multiply, 2, _mm256_mul_ps(p, q))
NN__ROW8(divide, 2, _mm256_div_ps(p, q))
NN__ROW8(maximum, 2, nn__larger8(p, q))
NN__ROW8(minimum, 2, nn__smaller8(p, q))
NN__ROW8(less, 2, NN__ROW8_TRUTH(p, _CMP_LT_OQ, q))
NN__ROW8(less_equal, 2, NN__ROW8_TRUTH(p, _CMP_LE_OQ, q))
NN__ROW8(greater, 2, NN__ROW8_TRUTH(p, _CMP_GT_OQ, q))
NN__ROW8(greater_equal, 2, NN__ROW8_TRUTH(p, _CMP_GE_OQ, q))
NN__ROW8(equal, 2, NN__ROW8_TRUTH(p, _CMP_EQ_OQ, q))
NN__ROW8(not_equal, 2, NN__ROW8_TRUTH(p, _CMP_NEQ_UQ, q))
NN__ROW8(logical_and, 2,
         _mm256_and_ps(NN__ROW8_TRUTH(p, _CMP_NEQ_UQ, zero), NN__ROW8_TRUTH(q, _CMP_NEQ_UQ, zero)))
NN__ROW8(logical_or, 2,
         _mm256_or_ps(NN__ROW8_TRUTH(p, _CMP_NEQ_UQ, zero), NN__ROW8_TRUTH(q, _CMP_NEQ_UQ, zero)))
NN__ROW8(fma, 3, _mm256_fmadd_ps(p, q, r))
NN__ROW8(select, 3, _mm256_blendv_ps(r, q, _mm256_cmp_ps(p, zero, _CMP_NEQ_UQ)))
NN__ROW8(clamp, 3, nn__smaller8(nn__larger8(p, q), r))
#undef NN__ROW8_TRUTH

/* A comparison and the SELECT that alone reads it. */
NN__ROW8(select_less, 4, _mm256_blendv_ps(s, r, _mm256_cmp_ps(p, q, _CMP_LT_OQ)))
NN__ROW8(select_less_equal, 4, _mm256_blendv_ps(s, r, _mm256_cmp_ps(p, q, _CMP_LE_OQ)))
NN__ROW8(select_greater, 4, _mm256_blendv_ps(s, r, _mm256_cmp_ps(p, q, _CMP_GT_OQ)))
NN__ROW8(select_greater_equal, 4, _mm256_blendv_ps(s, r, _mm256_cmp_ps(p, q, _CMP_GE_OQ)))
NN__ROW8(select_equal, 4, _mm256_blendv_ps(s, r, _mm256_cmp_ps(p, q, _CMP_EQ_OQ)))
NN__ROW8(select_not_equal, 4, _mm256_blendv_ps(s, r, _mm256_cmp_ps(p, q, _CMP_NEQ_UQ)))

NN_PRIVATE const nn__row_function *nn__program_selects8(void) {
    static const nn__row_function selects[] = {
        nn__row8_select_less,          nn__row8_select_less_equal, nn__row8_select_greater,
        nn__row8_select_greater_equal, nn__row8_select_equal,      nn__row8_select_not_equal,
        nn__row8_maximum};
    return selects;
}

/* ---- transcendental -------------------------------------------------------------------------- */

/* log(u) with u = 1 + x, and what the rounding of u lost, divided by u. */
NN__AVX2 static inline __m256 nn__log1p8(__m256 x) {
    const __m256 one = _mm256_set1_ps(1.0f), zero = _mm256_setzero_ps();
    __m256 u = _mm256_add_ps(x, one);
    __m256 lost = _mm256_div_ps(_mm256_sub_ps(x, _mm256_sub_ps(u, one)), u);
    __m256 inside = _mm256_and_ps(_mm256_cmp_ps(u, zero, _CMP_GT_OQ),
                                  _mm256_cmp_ps(u, _mm256_set1_ps(1e9f), _CMP_LT_OQ));
    __m256 y = _mm256_add_ps(nn__log8(u), _mm256_and_ps(lost, inside));
    /* x is below half an ulp; -0 stays */
    return _mm256_blendv_ps(y, x, _mm256_cmp_ps(u, one, _CMP_EQ_OQ));
}

NN__AVX2 static inline __m256 nn__softplus8(__m256 x) {
    const __m256 sign = _mm256_set1_ps(-0.0f), zero = _mm256_setzero_ps();
    return _mm256_add_ps(_mm256_and_ps(x, _mm256_cmp_ps(x, zero, _CMP_GT_OQ)),
                         nn__log1p8(nn__exp8(_mm256_or_ps(x, sign))));
}

/* erf with less than 0.9 ulp of error, without a division or exp: eight pieces of [0, 4), 0.5 wide
   each, of which one instruction chooses a number for each lane. In the first piece
     erf(t) = t + t q(t)
   and in the others, around a centre whose erf is almost exactly a float,
     erf(t) = erf(centre) + d q(d),  d = t - centre
   where q interpolates at Chebyshev's places. From 3.99 on the result is 1; NaN stays NaN. */
NN__AVX2 static inline __m256 nn__erf8(__m256 x) {
    static const float pieces[9][8] = {
        /* centres, their erf, and q from the lowest power on */
        {0.0f, 0.75003767f, 1.25000131f, 1.75001609f, 2.25000262f, 2.7500155f, 3.25037766f, 3.75f},
        {0.0f, 0.711179852f, 0.922900438f, 0.986672521f, 0.998537302f, 0.999899387f, 0.999995708f,
         0.999999881f},
        {0.128379181f, 0.642894745f, 0.23652035f, 0.0527720228f, 0.00714223459f, 0.000586227281f,
         2.91174565e-05f, 8.81432186e-07f},
        {-1.4724759e-06f, -0.482195199f, -0.295650899f, -0.0923518687f, -0.0160700195f,
         -0.00161213637f, -9.46449145e-05f, -3.30567559e-06f},
        {-0.376079857f, 0.0268113948f, 0.167535782f, 0.0901542157f, 0.0217243433f, 0.0027601847f,
         0.000195378263f, 7.96978111e-06f},
        {-0.000544045004f, 0.150669008f, -0.00614051335f, -0.0481040217f, -0.0190866552f,
         -0.00325761503f, -0.000285697723f, -1.38022979e-05f},
        {0.115798838f, -0.0532354042f, -0.0471837632f, 0.00662217895f, 0.0106588751f,
         0.00275590247f, 0.000313096156f, 1.83498269e-05f},
        {-0.00786591507f, -0.026614476f, 0.0206848737f, 0.00903848f, -0.00279516168f,
         -0.00166652456f, -0.000272020756f, -2.05121669e-05f},
        {-0.0180696715f, 0.0180065818f, 0.00371923111f, -0.00596099626f, -0.000710298598f,
         0.00063811586f, 0.000172770029f, 1.69500527e-05f}};
    const __m256 sign = _mm256_set1_ps(-0.0f);
    /* in this order NaN passes */
    const __m256 t = _mm256_min_ps(_mm256_set1_ps(3.99f), _mm256_andnot_ps(sign, x));
    const __m256i piece = _mm256_cvttps_epi32(_mm256_add_ps(t, t));
#define NN__ERF8(i) _mm256_permutevar8x32_ps(_mm256_loadu_ps(pieces[i]), piece)
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

/* expm1: x = k ln 2 + r as in nn__exp8, 2^k (exp(r) - 1) + (2^k - 1); -0 stays. */
NN__AVX2 static inline __m256 nn__expm18(__m256 x) {
    const __m256 half = _mm256_set1_ps(0.5f), sign = _mm256_set1_ps(-0.0f);
    __m256 t = _mm256_min_ps(_mm256_set1_ps(89.0f), x); /* in this order NaN passes */
    t = _mm256_max_ps(_mm256_set1_ps(-30.0f), t);
    const __m256 k = _mm256_round_ps(_mm256_mul_ps(t, _mm256_set1_ps(1.44269504f)),
                                     _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 r = _mm256_fnmadd_ps(k, _mm256_set1_ps(0.693359375f), t);
    r = _mm256_fnmadd_ps(k, _mm256_set1_ps(-2.12194440e-4f), r);
    __m256 p = _mm256_set1_ps(1.0f / 5040.0f);
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 720.0f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 120.0f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 24.0f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 6.0f));
    p = _mm256_fmadd_ps(p, r, half);
    p = _mm256_fmadd_ps(_mm256_mul_ps(r, r), p, r);
    /* half of 2^k, which is finite where 2^k is not */
    const __m256 s = _mm256_castsi256_ps(_mm256_slli_epi32(
        _mm256_add_epi32(_mm256_cvtps_epi32(k), _mm256_set1_epi32(126)), 23));
    const __m256 y = _mm256_fmadd_ps(s, p, _mm256_sub_ps(s, half));
    return _mm256_or_ps(_mm256_add_ps(y, y), _mm256_and_ps(x, sign));
}

NN__ROW8_LONG(exp, 1, nn__exp8(p))
NN__ROW8_LONG(expm1, 1, nn__expm18(p))
NN__ROW8_LONG(log, 1, nn__log8(p))
NN__ROW8_LONG(log1p, 1, nn__log1p8(p))
NN__ROW8_LONG(tanh, 1, nn__tanh8(p))
NN__ROW8_LONG(sigmoid, 1, nn__sigmoid8(p))
NN__ROW8_LONG(softplus, 1, nn__softplus8(p))
NN__ROW8_LONG(erf, 1, nn__erf8(p))

/* ---- several instructions in one pass (cpu_fused.c) ------------------------------------------ */

/* No compiler may contract a product with the sum that takes it: bytes are those of single rows. */
#ifdef __GNUC__
#define NN__KEEP8(v) __asm__("" : "+x"(v))
#else
#define NN__KEEP8(v) (void)(v)
#endif
NN__AVX2 static inline __m256 nn__times8(__m256 a, __m256 b) {
    __m256 product = _mm256_mul_ps(a, b);
    NN__KEEP8(product);
    return product;
}

NN__AVX2 static inline __m256 nn__gelu8(__m256 x) {
    const __m256 e = nn__erf8(nn__times8(x, _mm256_set1_ps(0.707106769f)));
    return nn__times8(nn__times8(_mm256_set1_ps(0.5f), x), _mm256_add_ps(_mm256_set1_ps(1.0f), e));
}
NN__AVX2 static inline __m256 nn__gelu_backward8(__m256 x, __m256 dy) {
    const __m256 half = _mm256_set1_ps(0.5f), root = _mm256_set1_ps(0.707106769f);
    const __m256 t = nn__times8(x, root);
    const __m256 e =
        nn__exp8(_mm256_xor_ps(nn__times8(t, t), _mm256_set1_ps(-0.0f)));
    const __m256 phi = _mm256_add_ps(_mm256_set1_ps(1.0f), nn__erf8(t));
    __m256 d = nn__times8(nn__times8(dy, nn__times8(half, x)), _mm256_set1_ps(1.12837923f));
    d = nn__times8(nn__times8(d, e), root);
    return _mm256_add_ps(d, nn__times8(nn__times8(dy, phi), half));
}
NN__AVX2 static inline __m256 nn__gelu_tanh_backward8(__m256 x, __m256 dy) {
    const __m256 twice = _mm256_set1_ps(1.59576917f), cube = _mm256_set1_ps(0.0447149985f);
    const __m256 square = nn__times8(x, x);
    const __m256 s = nn__sigmoid8(
        nn__times8(twice, _mm256_add_ps(x, nn__times8(cube, nn__times8(square, x)))));
    __m256 d = nn__times8(nn__times8(dy, x), _mm256_sub_ps(_mm256_set1_ps(1.0f), s));
    d = nn__times8(nn__times8(d, s), twice);
    const __m256 inner = nn__times8(d, cube);
    const __m256 part = nn__times8(nn__times8(inner, x), x);
    d = _mm256_add_ps(nn__times8(dy, s), d);
    d = _mm256_add_ps(d, nn__times8(inner, square));
    return _mm256_add_ps(_mm256_add_ps(d, part), part);
}
NN__AVX2 static inline __m256 nn__silu_backward8(__m256 x, __m256 dy) {
    const __m256 s = nn__sigmoid8(x);
    const __m256 d = nn__times8(nn__times8(dy, x), _mm256_sub_ps(_mm256_set1_ps(1.0f), s));
    return _mm256_add_ps(nn__times8(dy, s), nn__times8(d, s));
}
NN__AVX2 static inline __m256 nn__sigmoid_backward8(__m256 x, __m256 dy) {
    const __m256 s = nn__sigmoid8(x);
    return nn__times8(nn__times8(dy, _mm256_sub_ps(_mm256_set1_ps(1.0f), s)), s);
}
NN__AVX2 static inline __m256 nn__tanh_backward8(__m256 x, __m256 dy) {
    const __m256 t = nn__tanh8(x);
    return nn__times8(dy, _mm256_sub_ps(_mm256_set1_ps(1.0f), nn__times8(t, t)));
}
NN__AVX2 static inline __m256 nn__hardswish8(__m256 x) {
    const __m256 six = _mm256_set1_ps(6.0f);
    const __m256 t = _mm256_add_ps(x, _mm256_set1_ps(3.0f));
    return _mm256_div_ps(
        nn__times8(x, nn__smaller8(nn__larger8(t, _mm256_setzero_ps()), six)), six);
}
NN__AVX2 static inline __m256 nn__hardswish_backward8(__m256 x, __m256 dy) {
    const __m256 six = _mm256_set1_ps(6.0f), zero = _mm256_setzero_ps();
    const __m256 t = _mm256_add_ps(x, _mm256_set1_ps(3.0f)), d = _mm256_div_ps(dy, six);
    const __m256 inside =
        _mm256_and_ps(_mm256_cmp_ps(t, zero, _CMP_GT_OQ), _mm256_cmp_ps(t, six, _CMP_LT_OQ));
    return _mm256_add_ps(nn__times8(d, nn__smaller8(nn__larger8(t, zero), six)),
                         _mm256_and_ps(nn__times8(d, x), inside));
}
NN__AVX2 static inline __m256 nn__hardsigmoid8(__m256 x) {
    const __m256 three = _mm256_set1_ps(3.0f), less = _mm256_set1_ps(-3.0f);
    const __m256 above = _mm256_cmp_ps(x, less, _CMP_GT_OQ);
    const __m256 y = _mm256_blendv_ps(
        _mm256_set1_ps(1.0f),
        _mm256_add_ps(_mm256_div_ps(x, _mm256_set1_ps(6.0f)), _mm256_set1_ps(0.5f)),
        _mm256_cmp_ps(x, three, _CMP_LT_OQ));
    const __m256 below = _mm256_and_ps(
        _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC),
        _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    return _mm256_blendv_ps(below, y, above);
}
NN__AVX2 static inline __m256 nn__hardsigmoid_backward8(__m256 x, __m256 dy) {
    const __m256 inside = _mm256_and_ps(_mm256_cmp_ps(x, _mm256_set1_ps(-3.0f), _CMP_GT_OQ),
                                        _mm256_cmp_ps(x, _mm256_set1_ps(3.0f), _CMP_LT_OQ));
    return _mm256_and_ps(_mm256_div_ps(dy, _mm256_set1_ps(6.0f)), inside);
}

NN__AVX2 static inline __m256 nn__above8(__m256 p, __m256 q) {
    return _mm256_cmp_ps(p, q, _CMP_GT_OQ);
}
NN__AVX2 static inline __m256 nn__elu_backward8(__m256 x, __m256 dy, float slope) {
    const __m256 e = _mm256_add_ps(nn__expm18(x), _mm256_set1_ps(1.0f));
    const __m256 d = slope == 1.0f ? dy : nn__times8(dy, _mm256_set1_ps(slope));
    return _mm256_blendv_ps(nn__times8(d, e), dy, nn__above8(x, _mm256_setzero_ps()));
}
NN__AVX2 static inline __m256 nn__hypot_backward8(__m256 a, __m256 b, __m256 dy) {
    const __m256 y = _mm256_sqrt_ps(_mm256_add_ps(nn__times8(a, a), nn__times8(b, b)));
    const __m256 d = nn__times8(_mm256_div_ps(dy, nn__times8(_mm256_set1_ps(2.0f), y)), a);
    return _mm256_add_ps(d, d);
}
NN__AVX2 static inline __m256 nn__logit_backward8(__m256 x, __m256 dy) {
    const __m256 rest = _mm256_sub_ps(_mm256_set1_ps(1.0f), x), odds = _mm256_div_ps(x, rest);
    const __m256 d = _mm256_div_ps(dy, odds);
    return _mm256_add_ps(_mm256_div_ps(d, rest), _mm256_div_ps(nn__times8(d, odds), rest));
}
/* half d d where |d| is inside, else factor (|d| - shift) */
NN__AVX2 static inline __m256 nn__huber8(__m256 d, __m256 inside, __m256 factor, __m256 shift) {
    const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), d);
    return _mm256_blendv_ps(nn__times8(factor, _mm256_sub_ps(size, shift)),
                            nn__times8(_mm256_set1_ps(0.5f), nn__times8(d, d)), inside);
}
/* d dy where |d| is inside, else its sign times dy */
NN__AVX2 static inline __m256 nn__huber_backward8(__m256 d, __m256 dy, __m256 inside,
                                                  __m256 slope) {
    const __m256 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1.0f);
    const __m256 g = nn__times8(nn__times8(dy, _mm256_set1_ps(0.5f)), d);
    const __m256 sign = _mm256_sub_ps(_mm256_and_ps(one, nn__above8(d, zero)),
                                      _mm256_and_ps(one, nn__above8(zero, d)));
    return _mm256_blendv_ps(nn__times8(slope, sign), _mm256_add_ps(g, g), inside);
}

NN__ROW8_LONG(gelu, 1, nn__gelu8(p))
NN__ROW8_LONG(gelu_backward, 2, nn__gelu_backward8(p, q))
NN__ROW8_LONG(gelu_tanh_backward, 2, nn__gelu_tanh_backward8(p, q))
NN__ROW8_LONG(silu_backward, 2, nn__silu_backward8(p, q))
NN__ROW8_LONG(sigmoid_backward, 2, nn__sigmoid_backward8(p, q))
NN__ROW8_LONG(tanh_backward, 2, nn__tanh_backward8(p, q))
NN__ROW8(hardswish, 1, nn__hardswish8(p))
NN__ROW8(hardswish_backward, 2, nn__hardswish_backward8(p, q))
NN__ROW8(hardsigmoid, 1, nn__hardsigmoid8(p))
NN__ROW8(hardsigmoid_backward, 2, nn__hardsigmoid_backward8(p, q))
NN__ROW8_LONG(exp_backward, 2, nn__times8(q, nn__exp8(p)))
NN__ROW8_LONG(logsigmoid_backward, 2, nn__times8(q, nn__sigmoid8(_mm256_xor_ps(sign, p))))
NN__ROW8_LONG(elu_backward, 2, nn__elu_backward8(p, q, 1.0f))
NN__ROW8_LONG(selu_backward, 2,
              nn__elu_backward8(p, nn__times8(q, _mm256_set1_ps(1.05070102f)), 1.67326319f))
NN__ROW8_LONG(hypot_backward, 3, nn__hypot_backward8(p, q, r))
NN__ROW8_LONG(logit_backward, 2, nn__logit_backward8(p, q))
NN__ROW8(lerp, 3, _mm256_add_ps(p, nn__times8(r, _mm256_sub_ps(q, p))))
NN__ROW8(addcmul, 4, _mm256_add_ps(p, nn__times8(nn__times8(s, q), r)))
NN__ROW8(addcdiv, 4, _mm256_add_ps(p, _mm256_div_ps(nn__times8(s, q), r)))
/* An unordered comparison chooses what a NaN takes of the separate rows. */
#define NN__SIZE8(p, q) _mm256_andnot_ps(sign, _mm256_sub_ps(p, q))
NN__ROW8(huber, 4,
         nn__huber8(_mm256_sub_ps(p, q), _mm256_cmp_ps(NN__SIZE8(p, q), r, _CMP_NGT_UQ), r, s))
NN__ROW8(huber_backward, 4,
         nn__huber_backward8(_mm256_sub_ps(p, q), s,
                             _mm256_cmp_ps(NN__SIZE8(p, q), r, _CMP_NGT_UQ), nn__times8(s, r)))
NN__ROW8(smooth_l1, 2,
         nn__huber8(_mm256_sub_ps(p, q), _mm256_cmp_ps(NN__SIZE8(p, q), one, _CMP_NGE_UQ), one,
                    _mm256_set1_ps(0.5f)))
NN__ROW8(smooth_l1_backward, 3,
         nn__huber_backward8(_mm256_sub_ps(p, q), r,
                             _mm256_cmp_ps(NN__SIZE8(p, q), one, _CMP_NGE_UQ), r))
#undef NN__SIZE8
NN__ROW8(squared_difference, 2, nn__times8(_mm256_sub_ps(p, q), _mm256_sub_ps(p, q)))

NN_PRIVATE const nn__row_function *nn__program_fused8(void) {
#define NN__FUSED(name) nn__row8_##name,
    static const nn__row_function rows[] = {NN__FUSED_ROWS(NN__FUSED)};
#undef NN__FUSED
    return rows;
}

NN_PRIVATE nn__row_function nn__program_row8(nn_instruction_code code) {
    switch (code) {
    case NN_CODE_NEGATE: return nn__row8_negate;
    case NN_CODE_ABS: return nn__row8_abs;
    case NN_CODE_SIGN: return nn__row8_sign;
    case NN_CODE_FLOOR: return nn__row8_floor;
    case NN_CODE_CEIL: return nn__row8_ceil;
    case NN_CODE_ROUND: return nn__row8_round;
    case NN_CODE_TRUNC: return nn__row8_trunc;
    case NN_CODE_RECIPROCAL: return nn__row8_reciprocal;
    case NN_CODE_SQRT: return nn__row8_sqrt;
    case NN_CODE_RSQRT: return nn__row8_rsqrt;
    case NN_CODE_EXP: return nn__row8_exp;
    case NN_CODE_EXPM1: return nn__row8_expm1;
    case NN_CODE_LOG: return nn__row8_log;
    case NN_CODE_LOG1P: return nn__row8_log1p;
    case NN_CODE_TANH: return nn__row8_tanh;
    case NN_CODE_SIGMOID: return nn__row8_sigmoid;
    case NN_CODE_ERF: return nn__row8_erf;
    case NN_CODE_SOFTPLUS: return nn__row8_softplus;
    case NN_CODE_NOT: return nn__row8_logical_not;
    case NN_CODE_ISNAN: return nn__row8_isnan;
    case NN_CODE_ADD: return nn__row8_add;
    case NN_CODE_SUBTRACT: return nn__row8_subtract;
    case NN_CODE_MULTIPLY: return nn__row8_multiply;
    case NN_CODE_DIVIDE: return nn__row8_divide;
    case NN_CODE_MAXIMUM: return nn__row8_maximum;
    case NN_CODE_MINIMUM: return nn__row8_minimum;
    case NN_CODE_LESS: return nn__row8_less;
    case NN_CODE_LESS_EQUAL: return nn__row8_less_equal;
    case NN_CODE_GREATER: return nn__row8_greater;
    case NN_CODE_GREATER_EQUAL: return nn__row8_greater_equal;
    case NN_CODE_EQUAL: return nn__row8_equal;
    case NN_CODE_NOT_EQUAL: return nn__row8_not_equal;
    case NN_CODE_AND: return nn__row8_logical_and;
    case NN_CODE_OR: return nn__row8_logical_or;
    case NN_CODE_FMA: return nn__row8_fma;
    case NN_CODE_SELECT: return nn__row8_select;
    case NN_CODE_CLAMP: return nn__row8_clamp;
    default: return nn__program_function8(code);
    }
}

NN__AVX2 NN_PRIVATE void nn__program_random8(const nn_program_args *args, int item, float *y,
                                             int64_t at, int n) {
    int i = 0; /* blocks begin at multiples of 4 */
    while (i + 32 <= n) {
        const int some = i + 64 <= n ? 64 : 32;
        nn__uniform64(args->seed, args->stream + (uint64_t)item,
                      args->counter + (uint64_t)(at + i) / 4, y + i, some == 32);
        i += some;
    }
    nn__program_random_plain(args, item, y + i, at + i, n - i);
}

/* 64 numbers at a time: while some are chosen, the next ones are drawn. */
NN__AVX2 NN_PRIVATE void nn__program_mask8(const nn_program_args *args, int item,
                                           const nn__row *row, int64_t at) {
    const uint64_t seed = args->seed, stream = args->stream + (uint64_t)item;
    const uint64_t counter = args->counter + (uint64_t)at / 4;
    const ptrdiff_t b_mask = row->b_mask, c_mask = row->c_mask, d_mask = row->d_mask;
    const float *b = row->b, *c = row->c, *d = row->d;
    float drawn[64], *y = row->y;
    const int n = row->n, whole = n - n % 64;
    int i = 0;
    for (; i < whole; i += 64) {
        nn__uniform64(seed, stream, counter + (uint64_t)i / 4, drawn, false);
        for (int j = 0; j < 64; j += 8) {
            const __m256 kept = _mm256_cmp_ps(_mm256_loadu_ps(drawn + j),
                                              _mm256_loadu_ps(b + ((i + j) & b_mask)), _CMP_GE_OQ);
            _mm256_storeu_ps(y + i + j, _mm256_blendv_ps(_mm256_loadu_ps(d + ((i + j) & d_mask)),
                                                         _mm256_loadu_ps(c + ((i + j) & c_mask)),
                                                         kept));
        }
    }
    if (i == n) return;
    nn__row rest = *row;
    nn__program_random8(args, item, drawn, at + i, n - i);
    rest.y += i;
    rest.a = drawn;
    rest.a_mask = -1;
    rest.b += i & row->b_mask;
    rest.c += i & row->c_mask;
    rest.d += i & row->d_mask;
    rest.n = n - i;
    nn__row8_select_greater_equal(&rest);
}

#endif
