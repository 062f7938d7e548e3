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
        (void)q, (void)r, (void)s;                                                                 \
    }
#define NN__ROW8_WHOLE(j, operands, expression)                                                    \
    NN__ROW8_ONE(NN__ROW8_LOAD, j, operands, expression, _mm256_storeu_ps(y + i + (j), result))
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
/* NN__ROW8: short expressions, four vectors in a row; NN__ROW8_LONG: one vector after the other. */
#define NN__ROW8(name, operands, expression)                                                       \
    NN__ROW8_HEAD(name, operands)                                                                  \
    for (; i + 32 <= n; i += 32) {                                                                 \
        NN__ROW8_WHOLE(0, operands, expression)                                                    \
        NN__ROW8_WHOLE(8, operands, expression)                                                    \
        NN__ROW8_WHOLE(16, operands, expression)                                                   \
        NN__ROW8_WHOLE(24, operands, expression)                                                   \
    }                                                                                              \
    NN__ROW8_END(operands, expression)
#define NN__ROW8_LONG(name, operands, expression)                                                  \
    NN__ROW8_HEAD(name, operands)                                                                  \
    NN__ROW8_END(operands, expression)

/* The rows of kernels/pointwise/cpu_avx2_functions.c. */
NN_PRIVATE nn__row_function nn__program_function8(nn_instruction_code code);

#endif
