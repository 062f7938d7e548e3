/* kernels/pointwise/cpu_avx2.c - rows of pointwise programs in vectors of eight, for
   AVX2 and AVX-512 machines.

   An instruction that is correctly rounded gives the bytes of plain C: each stands in a function of
   its own, so that no compiler contracts two of them. */
#include "kernels/pointwise/cpu_avx2.h"

#ifdef NN__VECTOR8

#define NN__X(upper, lower, expression) NN__ROW8(lower, 1, expression)
NN__EXACT8_OF_ONE(NN__X)
#undef NN__X
#define NN__X(upper, lower, expression) NN__ROW8(lower, 2, expression)
NN__EXACT8_OF_TWO(NN__X)
#undef NN__X
#define NN__X(upper, lower, expression) NN__ROW8(lower, 3, expression)
NN__EXACT8_OF_THREE(NN__X)
#undef NN__X
/* Alone, and with the SELECT that alone reads it. */
#define NN__X(upper, lower, how)                                                                   \
    NN__ROW8(lower, 2, NN__TRUTH8(p, how, q))                                                      \
    NN__ROW8(select_##lower, 4, _mm256_blendv_ps(s, r, _mm256_cmp_ps(p, q, how)))
NN__COMPARISONS8(NN__X)
#undef NN__X

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

/* max(x, 0) + log(1 + e), e = exp(-|x|) at most 1: the logarithm is 2 atanh(s), s = e / (2 + e) at
   most 1/3, by a polynomial in s s that interpolates at Chebyshev's places. */
NN__AVX2 static inline __m256 nn__softplus8(__m256 x) {
    const __m256 sign = _mm256_set1_ps(-0.0f), zero = _mm256_setzero_ps();
    const __m256 e = nn__exp8(_mm256_or_ps(x, sign));
    const __m256 s = _mm256_div_ps(e, _mm256_add_ps(_mm256_set1_ps(2.0f), e));
    const __m256 t = _mm256_mul_ps(s, s);
    const __m256 p = NN__SOFTPLUS_SERIES(_mm256_fmadd_ps, _mm256_set1_ps, t);
    const __m256 log = _mm256_fmadd_ps(_mm256_mul_ps(s, t), p, _mm256_add_ps(s, s));
    return _mm256_add_ps(_mm256_and_ps(x, _mm256_cmp_ps(x, zero, _CMP_GT_OQ)), log);
}

/* expm1: x = k ln 2 + r as in nn__exp8, 2^k (exp(r) - 1) + (2^k - 1); -0 stays. */
NN__AVX2 static inline __m256 nn__expm18(__m256 x) {
    const __m256 half = _mm256_set1_ps(0.5f), sign = _mm256_set1_ps(-0.0f);
    const __m256 whole = _mm256_set1_ps(NN__EXP_WHOLE(126.0f));
    __m256 t = _mm256_min_ps(_mm256_set1_ps(89.0f), x); /* in this order NaN passes */
    t = _mm256_max_ps(_mm256_set1_ps(-30.0f), t);
    const __m256 bits = _mm256_fmadd_ps(t, _mm256_set1_ps(1.44269504f), whole);
    const __m256 p = nn__exp_rest8(t, _mm256_sub_ps(bits, whole));
    /* half of 2^k, which is finite where 2^k is not */
    const __m256 s = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(bits), 23));
    const __m256 y = _mm256_fmadd_ps(s, p, _mm256_sub_ps(s, half));
    return _mm256_or_ps(_mm256_add_ps(y, y), _mm256_and_ps(x, sign));
}

#define NN__X(upper, lower, expression) NN__ROW8_LONG(lower, 1, expression)
NN__LONG8(NN__X)
#undef NN__X

/* ---- several instructions in one pass (cpu_fused.c) ------------------------------------------ */

/* The long instructions as functions, as cpu_avx2.h has the others; then of each part one of its
   instructions, and its row. */
#define NN__X(upper, lower, expression)                                                            \
    NN__AVX2 static inline NN__UNUSED __m256 nn__value8_##upper(__m256 p, __m256 q, __m256 r) {    \
        (void)q, (void)r;                                                                          \
        return expression;                                                                         \
    }
NN__LONG8(NN__X)
#undef NN__X
NN__AVX2 static inline __m256 nn__mask8_ISNAN(__m256 p, __m256 q) {
    (void)q;
    return _mm256_cmp_ps(p, p, _CMP_UNORD_Q);
}

NN__AVX2 static inline NN__UNUSED __m256 nn__value8_REMAINDER(__m256 p, __m256 q, __m256 r) {
    (void)r;
    return nn__remainder8(p, q);
}

#define NN__X(k, code, a, b, c) const __m256 v##k = nn__value8_##code(v##a, v##b, v##c);
#define NN__N(k, n)             const __m256 v##k = input##n;
#define NN__C(k, value)         const __m256 v##k = _mm256_set1_ps(value);
#define NN__M(k, code, a, b)    const __m256 v##k = nn__mask8_##code(v##a, v##b);
#define NN__S(k, m, a, b)       const __m256 v##k = _mm256_blendv_ps(v##b, v##a, v##m);
/* hardsigmoid needs no comparison: x / 6 + 0.5 is at most 0 up to -3 and at least 1 from 3 on. */
#define NN__ROW8_HARDSIGMOID(name, inputs, expression)                                             \
    NN__ROW8(name, inputs, _mm256_min_ps(one, _mm256_max_ps(zero, nn__sixth8(p))))
/* fmod needs one of its two remainders. */
#define NN__ROW8_FMOD(name, inputs, expression) NN__ROW8_LONG(name, inputs, nn__fmod8(p, q))
NN__AVX2 static inline __m256 nn__sixth8(__m256 x) {
    return _mm256_add_ps(_mm256_div_ps(x, _mm256_set1_ps(6.0f)), _mm256_set1_ps(0.5f));
}
#define NN__PART(name, inputs, last, code, row)                                                    \
    NN__AVX2 static inline NN__UNUSED __m256 nn__part8_##name(__m256 input0, __m256 input1,        \
                                                              __m256 input2, __m256 input3) {      \
        (void)input1, (void)input2, (void)input3;                                                  \
        NN__PART_##name(NN__X, NN__N, NN__C, NN__M, NN__S) return v##last;                         \
    }                                                                                              \
    NN__##row(part_##name, inputs, nn__part8_##name(p, q, r, s))
NN__PARTS(NN__PART)
#undef NN__PART
#undef NN__ROW8_HARDSIGMOID
#undef NN__ROW8_FMOD
#undef NN__X
#undef NN__N
#undef NN__C
#undef NN__M
#undef NN__S

NN_PRIVATE const nn__row_function *nn__program_fused8(void) {
#define NN__PART(name, inputs, last, code, row) nn__row8_part_##name,
    static const nn__row_function rows[] = {NN__PARTS(NN__PART)};
#undef NN__PART
    return rows;
}

NN_PRIVATE nn__row_function nn__program_row8(nn_instruction_code code) {
    switch (code) {
#define NN__X(upper, lower, expression) \
    case NN_CODE_##upper: return nn__row8_##lower;
        NN__EXACT8_OF_ONE(NN__X)
        NN__EXACT8_OF_TWO(NN__X)
        NN__EXACT8_OF_THREE(NN__X)
        NN__COMPARISONS8(NN__X)
        NN__LONG8(NN__X)
#undef NN__X
    default: return nn__program_function8(code);
    }
}

NN__AVX2 NN_PRIVATE void nn__program_random8(const nn_program_args *args, uint64_t stream, float *y,
                                             int64_t at, int n) {
    int i = 0; /* blocks begin at multiples of 4 */
    while (i + 32 <= n) {
        const int some = i + 64 <= n ? 64 : 32;
        nn__uniform64(args->seed, stream, args->counter + (uint64_t)(at + i) / 4, y + i,
                      some == 32);
        i += some;
    }
    nn__program_random_plain(args, stream, y + i, at + i, n - i);
}

/* 64 numbers at a time: while some are chosen, the next ones are drawn. */
NN__AVX2 NN_PRIVATE void nn__program_mask8(const nn_program_args *args, uint64_t stream,
                                           const nn__row *row, int64_t at) {
    const uint64_t seed = args->seed, counter = args->counter + (uint64_t)at / 4;
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
    nn__program_random8(args, stream, drawn, at + i, n - i);
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
