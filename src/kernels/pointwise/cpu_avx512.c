/* kernels/pointwise/cpu_avx512.c - rows of pointwise programs in vectors of sixteen: those that
   wait for exp, log, tanh and erf and not for memory. Lane for lane the operations of cpu_avx2.c in
   their order, so that the bytes are those of vectors of eight. */
#include "kernels/pointwise/cpu_avx2.h"
#include "kernels/pointwise/cpu_avx512.h"

#ifdef NN__VECTOR16

/* As in cpu/simd.h. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/* ---- functions, as nn__log8 and so on -------------------------------------------------------- */

NN__AVX512 static inline __m512 nn__log16(__m512 x) {
    const __m512 one = NN__SET16(1.0f), zero = _mm512_setzero_ps();
    const __m512 infinity = NN__FLOAT16(_mm512_set1_epi32(0x7f800000));
    const __mmask16 tiny = _mm512_cmp_ps_mask(x, NN__SET16(1.17549435e-38f), _CMP_LT_OQ);
    const __m512i bits = NN__BITS16(_mm512_mask_mul_ps(x, tiny, x, NN__SET16(8388608.0f)));
    const __m512i k = _mm512_sub_epi32(_mm512_maskz_srli_epi32(NN__ALL16, bits, 23),
                                       _mm512_set1_epi32(126));
    __m512 m = NN__FLOAT16(
        _mm512_or_epi32(_mm512_and_epi32(bits, _mm512_set1_epi32(0x007fffff)),
                        _mm512_set1_epi32(0x3f000000))); /* [0.5, 1) */
    const __mmask16 low = _mm512_cmp_ps_mask(m, NN__SET16(0.707106781f), _CMP_LT_OQ);
    __m512 e = _mm512_maskz_cvtepi32_ps(NN__ALL16, k);
    e = _mm512_mask_sub_ps(e, low, e, one);
    e = _mm512_mask_sub_ps(e, tiny, e, NN__SET16(23.0f));
    m = _mm512_sub_ps(_mm512_mask_add_ps(m, low, m, m), one);
    const __m512 z = _mm512_mul_ps(m, m);
    __m512 p = NN__LOG_SERIES(_mm512_fmadd_ps, NN__SET16, m);
    p = _mm512_mul_ps(_mm512_mul_ps(p, m), z);
    p = NN__FMA16(e, NN__SET16(-2.12194440e-4f), p);
    p = _mm512_fnmadd_ps(NN__SET16(0.5f), z, p);
    __m512 y = NN__FMA16(e, NN__SET16(0.693359375f), _mm512_add_ps(m, p));
    y = _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(x, infinity, _CMP_NLT_UQ), x);
    y = _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(x, zero, _CMP_EQ_OQ), nn__minus16(infinity));
    return _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(x, zero, _CMP_LT_OQ),
                              NN__FLOAT16(_mm512_set1_epi32(-1)));
}

NN__AVX512 static inline __m512 nn__log1p16(__m512 x) {
    const __m512 one = NN__SET16(1.0f), u = _mm512_add_ps(x, one);
    const __m512 lost = _mm512_div_ps(_mm512_sub_ps(x, _mm512_sub_ps(u, one)), u);
    const __mmask16 inside =
        (__mmask16)(_mm512_cmp_ps_mask(u, _mm512_setzero_ps(), _CMP_GT_OQ) &
                    _mm512_cmp_ps_mask(u, NN__SET16(1e9f), _CMP_LT_OQ));
    const __m512 y = _mm512_add_ps(nn__log16(u), _mm512_maskz_mov_ps(inside, lost));
    return _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(u, one, _CMP_EQ_OQ), x);
}

NN__AVX512 static inline __m512 nn__sigmoid16(__m512 x) {
    const __m512 one = NN__SET16(1.0f);
    return _mm512_div_ps(
        one, _mm512_add_ps(one, nn__exp16(_mm512_sub_ps(_mm512_setzero_ps(), x))));
}

NN__AVX512 static inline __m512 nn__softplus16(__m512 x) {
    const __m512 e = nn__exp16(nn__minus16(nn__abs16(x)));
    const __m512 s = _mm512_div_ps(e, _mm512_add_ps(NN__SET16(2.0f), e)), t = _mm512_mul_ps(s, s);
    const __m512 p = NN__SOFTPLUS_SERIES(_mm512_fmadd_ps, NN__SET16, t);
    const __m512 log = NN__FMA16(_mm512_mul_ps(s, t), p, _mm512_add_ps(s, s));
    const __mmask16 above = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GT_OQ);
    return _mm512_add_ps(_mm512_maskz_mov_ps(above, x), log);
}

NN__AVX512 static inline __m512 nn__exp_rest16(__m512 x, __m512 k) {
    __m512 r = _mm512_fnmadd_ps(k, NN__SET16(0.693147182f), x);
    r = _mm512_fnmadd_ps(k, NN__SET16(NN__EXP_LN2_LOW), r);
    const __m512 p = NN__EXP_REST_SERIES(_mm512_fmadd_ps, NN__SET16, r);
    return NN__FMA16(_mm512_mul_ps(r, r), p, r);
}

NN__AVX512 static inline __m512 nn__expm116(__m512 x) {
    const __m512 half = NN__SET16(0.5f), whole = NN__SET16(NN__EXP_WHOLE(126.0f));
    __m512 t = _mm512_maskz_min_ps(NN__ALL16, NN__SET16(89.0f), x); /* in this order NaN passes */
    t = _mm512_maskz_max_ps(NN__ALL16, NN__SET16(-30.0f), t);
    const __m512 bits = NN__FMA16(t, NN__SET16(1.44269504f), whole);
    const __m512 p = nn__exp_rest16(t, _mm512_sub_ps(bits, whole));
    const __m512 s = NN__SHIFT16(NN__BITS16(bits));
    const __m512 y = NN__FMA16(s, p, _mm512_sub_ps(s, half));
    return nn__signed16(_mm512_add_ps(y, y), x);
}

/* 2^x, as nn__exp2_8. */
NN__AVX512 static inline __m512 nn__exp2_16(__m512 x) {
    x = _mm512_maskz_min_ps(NN__ALL16, NN__SET16(129.0f), x); /* in this order NaN passes */
    x = _mm512_maskz_max_ps(NN__ALL16, NN__SET16(-151.0f), x);
    const __m512 k = _mm512_maskz_roundscale_ps(NN__ALL16, x,
                                                _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m512 r = _mm512_sub_ps(x, k);
    const __m512 p =
        NN__SERIES6(_mm512_fmadd_ps, NN__SET16, r,
                    NN__FMA16(NN__SET16(1.52527336e-05f), r, NN__SET16(0.000154035297f)),
                    0.00133335579f, 0.00961812865f, 0.0555041097f, 0.240226507f, 0.693147182f,
                    1.0f);
    return _mm512_maskz_scalef_ps(NN__ALL16, p, k);
}

NN__AVX512 static inline __m512 nn__tanh16(__m512 x) {
    const __m512 one = NN__SET16(1.0f), whole = NN__SET16(NN__EXP_WHOLE(127.0f));
    const __m512 size = nn__abs16(x);
    const __m512 t = _mm512_maskz_min_ps(NN__ALL16, NN__SET16(20.0f), _mm512_add_ps(size, size));
    const __m512 bits = NN__FMA16(t, NN__SET16(1.44269504f), whole);
    const __m512 p = nn__exp_rest16(t, _mm512_sub_ps(bits, whole));
    const __m512 s = NN__SHIFT16(NN__BITS16(bits));
    const __m512 e = NN__FMA16(s, p, _mm512_sub_ps(s, one));
    return nn__signed16(_mm512_div_ps(e, _mm512_add_ps(e, NN__SET16(2.0f))), x);
}

/* Eight numbers in both halves. */
NN__AVX512 static inline __m512 nn__twice16(__m256 v) {
    return _mm512_castpd_ps(_mm512_maskz_broadcast_f64x4((__mmask8)0xff, _mm256_castps_pd(v)));
}
NN__AVX512 static inline __m512 nn__erf16(__m512 x) {
    const __m512 t = _mm512_maskz_min_ps(NN__ALL16, NN__SET16(3.99f), nn__abs16(x));
    const __m512i piece = _mm512_maskz_cvttps_epi32(NN__ALL16, _mm512_add_ps(t, t));
#define NN__ERF16(i)                                                                               \
    _mm512_maskz_permutexvar_ps(NN__ALL16, piece, nn__twice16(_mm256_loadu_ps(nn__erf_pieces[i])))
    const __m512 d = _mm512_sub_ps(t, NN__ERF16(0));
    const __mmask16 first = _mm512_cmp_ps_mask(t, NN__SET16(0.5f), _CMP_LT_OQ);
    const __m512 base = _mm512_mask_mov_ps(NN__ERF16(1), first, t);
    __m512 q = NN__ERF16(8);
    q = NN__FMA16(q, d, NN__ERF16(7));
    q = NN__FMA16(q, d, NN__ERF16(6));
    q = NN__FMA16(q, d, NN__ERF16(5));
    q = NN__FMA16(q, d, NN__ERF16(4));
    q = NN__FMA16(q, d, NN__ERF16(3));
    q = NN__FMA16(q, d, NN__ERF16(2));
#undef NN__ERF16
    return nn__signed16(NN__FMA16(d, q, base), x);
}

/* ---- rows ------------------------------------------------------------------------------------ */

#define NN__ROW16_LOAD(x) _mm512_loadu_ps(x##_from + (i & x##_mask))
#define NN__ROW16_TAIL(x) _mm512_mask_loadu_ps(one, left, x##_from + (i & x##_mask))
#define NN__ROW16_ONE(load, operands, expression, store)                                           \
    {                                                                                              \
        const __m512 p = load(a);                                                                  \
        const __m512 q = operands > 1 ? load(b) : one;                                             \
        const __m512 r = operands > 2 ? load(c) : one;                                             \
        const __m512 result = expression;                                                          \
        store;                                                                                     \
        (void)p, (void)q, (void)r;                                                                 \
    }
#define NN__ROW16(name, operands, expression)                                                      \
    NN__AVX512 static void nn__row16_##name(const nn__row *row) {                                  \
        const __m512 one = _mm512_set1_ps(1.0f);                                                   \
        const float *a_from = row->a, *b_from = row->b, *c_from = row->c;                          \
        const ptrdiff_t a_mask = row->a_mask, b_mask = row->b_mask, c_mask = row->c_mask,          \
                        n = row->n;                                                                \
        float *y = row->y;                                                                         \
        ptrdiff_t i = 0;                                                                           \
        (void)b_from, (void)c_from, (void)b_mask, (void)c_mask;                                    \
        for (; i + 16 <= n; i += 16)                                                               \
            NN__ROW16_ONE(NN__ROW16_LOAD, operands, expression, _mm512_storeu_ps(y + i, result))   \
        if (i == n) return;                                                                        \
        const __mmask16 left = (__mmask16)((1u << (n - i)) - 1u);                                  \
        NN__ROW16_ONE(NN__ROW16_TAIL, operands, expression,                                        \
                      _mm512_mask_storeu_ps(y + i, left, result))                                  \
    }

NN__ROW16(exp, 1, nn__exp16(p))
NN__ROW16(expm1, 1, nn__expm116(p))
NN__ROW16(log, 1, nn__log16(p))
NN__ROW16(log1p, 1, nn__log1p16(p))
NN__ROW16(tanh, 1, nn__tanh16(p))
NN__ROW16(sigmoid, 1, nn__sigmoid16(p))
NN__ROW16(softplus, 1, nn__softplus16(p))
NN__ROW16(erf, 1, nn__erf16(p))
NN__ROW16(power_of_two, 2, nn__exp2_16(q))
static void nn__row16_power(const nn__row *row) {
    if (row->a_mask || row->a[0] != 2.0f)
        nn__program_function8(NN_CODE_POWER)(row);
    else
        nn__row16_power_of_two(row);
}

NN_PRIVATE nn__row_function nn__program_row16(nn_instruction_code code) {
    switch (code) {
    case NN_CODE_EXP: return nn__row16_exp;
    case NN_CODE_EXPM1: return nn__row16_expm1;
    case NN_CODE_LOG: return nn__row16_log;
    case NN_CODE_LOG1P: return nn__row16_log1p;
    case NN_CODE_TANH: return nn__row16_tanh;
    case NN_CODE_SIGMOID: return nn__row16_sigmoid;
    case NN_CODE_SOFTPLUS: return nn__row16_softplus;
    case NN_CODE_ERF: return nn__row16_erf;
    case NN_CODE_POWER: return nn__row16_power;
    default: return NULL; /* vectors of eight are as fast */
    }
}

/* ---- several instructions in one pass (cpu_fused.c) ------------------------------------------ */

#define NN__VALUE16_EXP(a, b, c)    nn__exp16(a)
#define NN__VALUE16_EXPM1(a, b, c)  nn__expm116(a)
#define NN__VALUE16_SIGMOID(a, b, c) nn__sigmoid16(a)
#define NN__VALUE16_SOFTPLUS(a, b, c) nn__softplus16(a)
#define NN__VALUE16_TANH(a, b, c)   nn__tanh16(a)
#define NN__VALUE16_ERF(a, b, c)    nn__erf16(a)

#define NN__X(k, code, a, b, c) const __m512 v##k = NN__VALUE16_##code(v##a, v##b, v##c);
#define NN__N(k, n)             const __m512 v##k = input##n;
#define NN__C(k, value)         const __m512 v##k = _mm512_set1_ps(value);
#define NN__M(k, code, a, b)                                                                       \
    const __mmask16 v##k = _mm512_cmp_ps_mask(v##a, v##b, NN__MASK16_##code);
#define NN__S(k, m, a, b) const __m512 v##k = _mm512_mask_mov_ps(v##b, v##m, v##a);
/* Only the long parts: NN__SOME16_(what NN__PARTS says of the row). */
#define NN__SOME16_ROW8_HARDSIGMOID(name, inputs, last)
#define NN__SOME16_ROW8_FMOD(name, inputs, last)
#define NN__SOME16_ROW8(name, inputs, last)
#define NN__SOME16_ROW8_LONG(name, inputs, last)                                                   \
    NN__AVX512 static inline NN__UNUSED __m512 nn__part16_##name(__m512 input0, __m512 input1,     \
                                                                 __m512 input2) {                  \
        (void)input1, (void)input2;                                                                \
        NN__PART_##name(NN__X, NN__N, NN__C, NN__M, NN__S) return v##last;                         \
    }                                                                                              \
    NN__ROW16(part_##name, inputs, nn__part16_##name(p, q, r))
#define NN__PART(name, inputs, last, code, row) NN__SOME16_##row(name, inputs, last)
NN__PARTS(NN__PART)
#undef NN__PART
#undef NN__SOME16_ROW8_HARDSIGMOID
#undef NN__SOME16_ROW8_FMOD
#undef NN__SOME16_ROW8
#undef NN__SOME16_ROW8_LONG

NN_PRIVATE const nn__row_function *nn__program_fused16(void) {
#define NN__SOME16_ROW8_HARDSIGMOID(name) NULL
#define NN__SOME16_ROW8_FMOD(name)        NULL
#define NN__SOME16_ROW8(name)             NULL
#define NN__SOME16_ROW8_LONG(name)        nn__row16_part_##name
#define NN__PART(name, inputs, last, code, row) NN__SOME16_##row(name),
    static const nn__row_function rows[] = {NN__PARTS(NN__PART)};
#undef NN__PART
    return rows;
}
#undef NN__SOME16_ROW8_HARDSIGMOID
#undef NN__SOME16_ROW8_FMOD
#undef NN__SOME16_ROW8
#undef NN__SOME16_ROW8_LONG
#undef NN__X
#undef NN__N
#undef NN__C
#undef NN__M
#undef NN__S
#undef NN__VALUE16_EXP
#undef NN__VALUE16_EXPM1
#undef NN__VALUE16_SIGMOID
#undef NN__VALUE16_SOFTPLUS
#undef NN__VALUE16_TANH
#undef NN__VALUE16_ERF
#undef NN__ROW16_LOAD
#undef NN__ROW16_TAIL
#undef NN__ROW16_ONE
#undef NN__ROW16
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
