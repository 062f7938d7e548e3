/* kernels/pointwise/cpu_avx2.h - how a row of a pointwise program is made from an expression of
   vectors of eight: p, q, r and s are eight numbers of the operands a, b, c and d. */
#pragma once

#include "cpu/simd.h"
#include "kernels/pointwise/cpu.h"

#ifdef NN__VECTOR8

/* A vector of an operand at i + j: the whole of it, or the first `left` numbers and ones behind. */
#define NN__ROW8_LOAD(x, j)      _mm256_loadu_ps(x##_from + (i & x##_mask) + (j))
#define NN__ROW8_LOAD_TAIL(x, j) nn__load_tail8(x##_from + (i & x##_mask), left, 1.0f)
#define NN__ROW8_ONE(load, j, operands, expression, store)                                         \
    {                                                                                              \
        const __m256 p = load(a, j);                                                               \
        const __m256 q = operands > 1 ? load(b, j) : zero;                                         \
        const __m256 r = operands > 2 ? load(c, j) : zero;                                         \
        const __m256 s = operands > 3 ? load(d, j) : zero;                                         \
        const __m256 result = expression;                                                          \
        store;                                                                                     \
        (void)p, (void)q, (void)r, (void)s;                                                        \
    }
#define NN__ROW8_WHOLE(j, operands, expression)                                                    \
    NN__ROW8_ONE(NN__ROW8_LOAD, j, operands, expression, _mm256_storeu_ps(y + i + (j), result))
#define NN__ROW8_STREAM(j, operands, expression)                                                   \
    NN__ROW8_ONE(NN__ROW8_LOAD, j, operands, expression, _mm256_stream_ps(y + i + (j), result))
#define NN__ROW8_TAIL(operands, expression)                                                        \
    NN__ROW8_ONE(NN__ROW8_LOAD_TAIL, 0, operands, expression, nn__store_tail8(y + i, left, result))
/* The row's fields are copied first: a store of a vector could be taken for one into them. */
#define NN__ROW8_HEAD(name, operands)                                                              \
    NN__AVX2 static void nn__row8_##name(const nn__row *row) {                                     \
        const __m256 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1.0f),                       \
                     sign = _mm256_set1_ps(-0.0f);                                                 \
        const float *a_from = row->a, *b_from = row->b, *c_from = row->c, *d_from = row->d;        \
        const ptrdiff_t a_mask = row->a_mask, b_mask = row->b_mask, c_mask = row->c_mask,          \
                        d_mask = row->d_mask, n = row->n;                                          \
        float *y = row->y;                                                                         \
        ptrdiff_t i = 0;                                                                           \
        (void)one, (void)sign, (void)b_from, (void)c_from, (void)d_from;                           \
        (void)b_mask, (void)c_mask, (void)d_mask;
#define NN__ROW8_END(operands, expression)                                                         \
    for (; i + 8 <= n; i += 8) NN__ROW8_WHOLE(0, operands, expression)                             \
    const int left = (int)(n - i);                                                                 \
    if (left > 0) NN__ROW8_TAIL(operands, expression)                                              \
    }
#define NN__ROW8_KEEP(j, operands, expression, k)                                                  \
    NN__ROW8_ONE(NN__ROW8_LOAD, j, operands, expression, result##k = result)
/* NN__ROW8: short expressions, four vectors in a row, of which all are read before one is written:
   a write that waits for its line holds up no read then. NN__ROW8_LONG: one vector after the
   other. */
#define NN__ROW8(name, operands, expression)                                                       \
    NN__ROW8_HEAD(name, operands)                                                                  \
    for (; row->streams && i + 16 <= n; i += 16) {                                                 \
        NN__ROW8_STREAM(0, operands, expression)                                                   \
        NN__ROW8_STREAM(8, operands, expression)                                                   \
    }                                                                                              \
    for (; i + 32 <= n; i += 32) {                                                                 \
        __m256 result0, result1, result2, result3;                                                 \
        NN__ROW8_KEEP(0, operands, expression, 0)                                                  \
        NN__ROW8_KEEP(8, operands, expression, 1)                                                  \
        NN__ROW8_KEEP(16, operands, expression, 2)                                                 \
        NN__ROW8_KEEP(24, operands, expression, 3)                                                 \
        _mm256_storeu_ps(y + i, result0), _mm256_storeu_ps(y + i + 8, result1);                    \
        _mm256_storeu_ps(y + i + 16, result2), _mm256_storeu_ps(y + i + 24, result3);              \
    }                                                                                              \
    NN__ROW8_END(operands, expression)
#define NN__ROW8_LONG(name, operands, expression)                                                  \
    NN__ROW8_HEAD(name, operands)                                                                  \
    NN__ROW8_END(operands, expression)

/* Of softplus, see kernels/pointwise/cpu_avx2.c. */
#define NN__SOFTPLUS_SERIES(fma, set, t)                                                           \
    NN__SERIES4(fma, set, t, set(0.232243284f), 0.21706576f, 0.28592358f, 0.399997063f,            \
                0.666666673f)

/* No compiler may contract a product with the sum that takes it: bytes are those of single rows. */
#if defined(__GNUC__) || defined(__clang__)
#define NN__KEEP8(v) __asm__("" : "+x"(v))
#else
#define NN__KEEP8(v) (void)(v)
#endif
NN__AVX2 static inline NN__UNUSED __m256 nn__times8(__m256 a, __m256 b) {
    __m256 product = _mm256_mul_ps(a, b);
    NN__KEEP8(product);
    return product;
}
NN__AVX2 static inline NN__UNUSED __m256 nn__larger8(__m256 p, __m256 q) {
    return _mm256_blendv_ps(_mm256_max_ps(p, q), p, _mm256_cmp_ps(p, p, _CMP_UNORD_Q));
}
NN__AVX2 static inline NN__UNUSED __m256 nn__smaller8(__m256 p, __m256 q) {
    return _mm256_blendv_ps(_mm256_min_ps(p, q), p, _mm256_cmp_ps(p, p, _CMP_UNORD_Q));
}

/* torch.remainder, exact. The quotient of |a| and |b|, rounded and cut, is the whole number that is
   wanted or 1 more, which shows in the sign of what remains; both remainders are floats. This holds
   for quotients below 2^24; the library of C has larger ones, NaN and infinities. */
NN__AVX2 static NN__UNUSED __m256 nn__remainder_far8(__m256 a, __m256 b, __m256 y, int rest) {
    float from[8], by[8], to[8];
    _mm256_storeu_ps(from, a);
    _mm256_storeu_ps(by, b);
    _mm256_storeu_ps(to, y);
    for (int i = 0; i < 8; i++)
        if (rest >> i & 1) to[i] = nn_remainder_of(from[i], by[i]);
    return _mm256_loadu_ps(to);
}
NN__AVX2 static inline NN__UNUSED __m256 nn__remainder8(__m256 a, __m256 b) {
    const __m256 sign = _mm256_set1_ps(-0.0f), zero = _mm256_setzero_ps();
    const __m256 x = _mm256_andnot_ps(sign, a), d = _mm256_andnot_ps(sign, b);
    const __m256 quotient = _mm256_div_ps(x, d);
    const __m256 q = _mm256_round_ps(quotient, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    __m256 r = _mm256_fnmadd_ps(q, d, x);
    r = _mm256_add_ps(r, _mm256_and_ps(d, _mm256_cmp_ps(r, zero, _CMP_LT_OQ)));
    r = _mm256_blendv_ps(r, x, _mm256_cmp_ps(x, d, _CMP_LT_OQ)); /* an infinite b */
    r = _mm256_or_ps(r, _mm256_and_ps(a, sign));
    const __m256 turns = _mm256_and_ps(_mm256_cmp_ps(r, zero, _CMP_NEQ_OQ),
                                       _mm256_xor_ps(_mm256_cmp_ps(r, zero, _CMP_LT_OQ),
                                                     _mm256_cmp_ps(b, zero, _CMP_LT_OQ)));
    r = _mm256_blendv_ps(r, _mm256_add_ps(r, b), turns);
    const int rest =
        _mm256_movemask_ps(_mm256_cmp_ps(quotient, _mm256_set1_ps(16777216.0f), _CMP_NLT_UQ));
    return rest ? nn__remainder_far8(a, b, r, rest) : r;
}
/* With the sign of a, as the table's words say it. */
NN__AVX2 static inline NN__UNUSED __m256 nn__fmod8(__m256 a, __m256 b) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    const __m256 below =
        _mm256_and_ps(sign, _mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_LT_OQ));
    return _mm256_xor_ps(
        below, nn__remainder8(_mm256_xor_ps(below, a), _mm256_andnot_ps(sign, b)));
}

/* Instructions with their code, their name and what they compute of p, q and r. */
#define NN__TRUTH8(p, how, q) _mm256_and_ps(one, _mm256_cmp_ps(p, q, how))
#define NN__EXACT8_OF_ONE(X)                                                                       \
    X(NEGATE, negate, _mm256_xor_ps(sign, p))                                                      \
    X(ABS, abs, _mm256_andnot_ps(sign, p))                                                         \
    X(SIGN, sign,                                                                                  \
      _mm256_sub_ps(NN__TRUTH8(p, _CMP_GT_OQ, zero), NN__TRUTH8(p, _CMP_LT_OQ, zero)))             \
    X(FLOOR, floor, _mm256_floor_ps(p))                                                            \
    X(CEIL, ceil, _mm256_ceil_ps(p))                                                               \
    X(ROUND, round, _mm256_round_ps(p, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))             \
    X(TRUNC, trunc, _mm256_round_ps(p, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))                    \
    X(RECIPROCAL, reciprocal, _mm256_div_ps(one, p))                                               \
    X(SQRT, sqrt, _mm256_sqrt_ps(p))                                                               \
    X(RSQRT, rsqrt, _mm256_div_ps(one, _mm256_sqrt_ps(p)))                                         \
    X(NOT, logical_not, NN__TRUTH8(p, _CMP_EQ_OQ, zero))                                           \
    X(ISNAN, isnan, NN__TRUTH8(p, _CMP_UNORD_Q, p))
#define NN__EXACT8_OF_TWO(X)                                                                       \
    X(ADD, add, _mm256_add_ps(p, q))                                                               \
    X(SUBTRACT, subtract, _mm256_sub_ps(p, q))                                                     \
    X(MULTIPLY, multiply, nn__times8(p, q))                                                        \
    X(DIVIDE, divide, _mm256_div_ps(p, q))                                                         \
    X(MAXIMUM, maximum, nn__larger8(p, q))                                                         \
    X(MINIMUM, minimum, nn__smaller8(p, q))                                                        \
    X(AND, logical_and,                                                                            \
      _mm256_and_ps(NN__TRUTH8(p, _CMP_NEQ_UQ, zero), NN__TRUTH8(q, _CMP_NEQ_UQ, zero)))           \
    X(OR, logical_or,                                                                              \
      _mm256_or_ps(NN__TRUTH8(p, _CMP_NEQ_UQ, zero), NN__TRUTH8(q, _CMP_NEQ_UQ, zero)))
#define NN__EXACT8_OF_THREE(X)                                                                     \
    X(FMA, fma, _mm256_fmadd_ps(p, q, r))                                                          \
    X(SELECT, select, _mm256_blendv_ps(r, q, _mm256_cmp_ps(p, zero, _CMP_NEQ_UQ)))                 \
    X(CLAMP, clamp, nn__smaller8(nn__larger8(p, q), r))
#define NN__LONG8(X)                                                                               \
    X(EXP, exp, nn__exp8(p))                                                                       \
    X(EXPM1, expm1, nn__expm18(p))                                                                 \
    X(LOG, log, nn__log8(p))                                                                       \
    X(LOG1P, log1p, nn__log1p8(p))                                                                 \
    X(TANH, tanh, nn__tanh8(p))                                                                    \
    X(SIGMOID, sigmoid, nn__sigmoid8(p))                                                           \
    X(SOFTPLUS, softplus, nn__softplus8(p))                                                        \
    X(ERF, erf, nn__erf8(p))
/* Comparisons with the machine's word for each. */
#define NN__COMPARISONS8(X)                                                                        \
    X(LESS, less, _CMP_LT_OQ)                                                                      \
    X(LESS_EQUAL, less_equal, _CMP_LE_OQ)                                                          \
    X(GREATER, greater, _CMP_GT_OQ)                                                                \
    X(GREATER_EQUAL, greater_equal, _CMP_GE_OQ)                                                    \
    X(EQUAL, equal, _CMP_EQ_OQ)                                                                    \
    X(NOT_EQUAL, not_equal, _CMP_NEQ_UQ)

/* Each exact instruction as a function, and comparisons as masks as well. */
#define NN__X(upper, lower, expression)                                                            \
    NN__AVX2 static inline NN__UNUSED __m256 nn__value8_##upper(__m256 p, __m256 q, __m256 r) {    \
        const __m256 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1.0f);                       \
        const __m256 sign = _mm256_set1_ps(-0.0f);                                                 \
        (void)p, (void)q, (void)r, (void)zero, (void)one, (void)sign;                              \
        return expression;                                                                         \
    }
NN__EXACT8_OF_ONE(NN__X)
NN__EXACT8_OF_TWO(NN__X)
NN__EXACT8_OF_THREE(NN__X)
#undef NN__X
#define NN__X(upper, lower, how)                                                                   \
    NN__AVX2 static inline NN__UNUSED __m256 nn__mask8_##upper(__m256 p, __m256 q) {               \
        return _mm256_cmp_ps(p, q, how);                                                           \
    }                                                                                              \
    NN__AVX2 static inline NN__UNUSED __m256 nn__value8_##upper(__m256 p, __m256 q, __m256 r) {    \
        (void)r;                                                                                   \
        return _mm256_and_ps(_mm256_set1_ps(1.0f), nn__mask8_##upper(p, q));                       \
    }
NN__COMPARISONS8(NN__X)
#undef NN__X

/* The rows of kernels/pointwise/cpu_avx2_functions.c. */
NN_PRIVATE nn__row_function nn__program_function8(nn_instruction_code code);

#endif
