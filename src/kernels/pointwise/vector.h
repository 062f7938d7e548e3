/* kernels/pointwise/vector.h - the rows of pointwise programs, for every instruction set: the
   vector value of each instruction, and the loop over the numbers. Plain C uses the words of the
   table (kernels/pointwise/program.h). Correctly rounded instructions give the same bytes on every
   set. */
#ifndef NN__SET
#define NN__BODY "kernels/pointwise/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "base/functions.h"
#include "kernels/pointwise/cpu.h"

/* ---- values ---------------------------------------------------------------------------------- */

#define NN__VALUE(upper, expression)                                                               \
    NN__OP NN__F32 NN__(value_##upper)(NN__F32 a, NN__F32 b, NN__F32 c) {                          \
        (void)a, (void)b, (void)c;                                                                 \
        return expression;                                                                         \
    }

#ifdef NN__SET_PLAIN
/* This includes INPUT, SCALAR, CONSTANT and RANDOM, which nothing calls. */
#define NN__X(upper, lower, text, operands, weight, value) NN__VALUE(upper, value)
NN_INSTRUCTIONS(NN__X)
#undef NN__X
#else

/* NaN wins; of equal numbers the second. NEON takes 0 for more than -0. */
NN__OP NN__F32 NN__(larger_of)(NN__F32 a, NN__F32 b) {
#ifdef NN__SET_NEON
    return NN__(pick)(NN__(less)(b, a), a, NN__(pick)(NN__(equal)(a, a), b, a));
#else
    return NN__(pick)(NN__(unordered)(a, a), a, NN__(larger)(a, b));
#endif
}
NN__OP NN__F32 NN__(smaller_of)(NN__F32 a, NN__F32 b) {
#ifdef NN__SET_NEON
    return NN__(pick)(NN__(less)(a, b), a, NN__(pick)(NN__(equal)(a, a), b, a));
#else
    return NN__(pick)(NN__(unordered)(a, a), a, NN__(smaller)(a, b));
#endif
}
/* truth: 1 where the condition is true, else 0. falsity: 0 where it is true, else 1. */
NN__OP NN__F32 NN__(truth)(NN__B32 where) { return NN__(keep)(where, NN__(all)(1.0f)); }
NN__OP NN__F32 NN__(falsity)(NN__B32 where) { return NN__(drop)(where, NN__(all)(1.0f)); }
NN__OP NN__F32 NN__(minus)(NN__F32 a) {
    return NN__(of_bits)(NN__(int_xor)(NN__(bits)(a), NN__(bits)(NN__(all)(-0.0f))));
}
NN__OP NN__B32 NN__(is_zero)(NN__F32 a) { return NN__(equal)(a, NN__(all)(0.0f)); }
NN__OP NN__F32 NN__(below_zero)(NN__F32 a) {
    return NN__(truth)(NN__(less)(a, NN__(all)(0.0f)));
}

#include "kernels/pointwise/vector_functions.h"

NN__VALUE(INPUT, a)
NN__VALUE(SCALAR, a)
NN__VALUE(CONSTANT, a)
NN__VALUE(RANDOM, a)
NN__VALUE(NEGATE, NN__(minus)(a))
NN__VALUE(ABS, NN__(abs)(a))
NN__VALUE(SIGN, NN__(sub)(NN__(truth)(NN__(less)(NN__(all)(0.0f), a)), NN__(below_zero)(a)))
NN__VALUE(FLOOR, NN__(floor)(a))
NN__VALUE(CEIL, NN__(minus)(NN__(floor)(NN__(minus)(a))))
NN__VALUE(ROUND, NN__(round)(a))
NN__VALUE(TRUNC, NN__(with_sign)(NN__(floor)(NN__(abs)(a)), a))
NN__VALUE(RECIPROCAL, NN__(div)(NN__(all)(1.0f), a))
NN__VALUE(SQRT, NN__(sqrt)(a))
NN__VALUE(RSQRT, NN__(div)(NN__(all)(1.0f), NN__(sqrt)(a)))
NN__VALUE(EXP, NN__(exp)(a))
NN__VALUE(EXPM1, NN__(expm1)(a))
NN__VALUE(LOG, NN__(log)(a))
NN__VALUE(LOG1P, NN__(log1p)(a))
NN__VALUE(SIN, NN__(sin)(a))
NN__VALUE(COS, NN__(cos)(a))
NN__VALUE(TAN, NN__(tan)(a))
NN__VALUE(TANH, NN__(tanh)(a))
NN__VALUE(SIGMOID, NN__(sigmoid)(a))
NN__VALUE(ERF, NN__(erf)(a))
NN__VALUE(SOFTPLUS, NN__(softplus)(a))
NN__VALUE(NOT, NN__(truth)(NN__(is_zero)(a)))
NN__VALUE(ISNAN, NN__(truth)(NN__(unordered)(a, a)))
NN__VALUE(ADD, NN__(add)(a, b))
NN__VALUE(SUBTRACT, NN__(sub)(a, b))
NN__VALUE(MULTIPLY, NN__(mul)(a, b))
NN__VALUE(DIVIDE, NN__(div)(a, b))
NN__VALUE(MAXIMUM, NN__(larger_of)(a, b))
NN__VALUE(MINIMUM, NN__(smaller_of)(a, b))
NN__VALUE(POWER, NN__(power_of)(a, b))
NN__VALUE(ATAN2, NN__(atan2)(a, b))
NN__VALUE(REMAINDER, NN__(remainder)(a, b))
NN__VALUE(LESS, NN__(truth)(NN__(less)(a, b)))
NN__VALUE(LESS_EQUAL, NN__(truth)(NN__(less_equal)(a, b)))
NN__VALUE(GREATER, NN__(truth)(NN__(less)(b, a)))
NN__VALUE(GREATER_EQUAL, NN__(truth)(NN__(less_equal)(b, a)))
NN__VALUE(EQUAL, NN__(truth)(NN__(equal)(a, b)))
NN__VALUE(NOT_EQUAL, NN__(falsity)(NN__(equal)(a, b)))
NN__VALUE(AND, NN__(falsity)(NN__(either)(NN__(is_zero)(a), NN__(is_zero)(b))))
NN__VALUE(OR, NN__(falsity)(NN__(both)(NN__(is_zero)(a), NN__(is_zero)(b))))
NN__VALUE(FMA, NN__(fma)(a, b, c))
NN__VALUE(SELECT, NN__(pick)(NN__(is_zero)(a), c, b))
NN__VALUE(CLAMP, NN__(smaller_of)(NN__(larger_of)(a, b), c))
NN__VALUE(LOG2, NN__(log2)(a))
NN__VALUE(LOG10, NN__(log10)(a))
NN__VALUE(HYPOT, NN__(hypot)(a, b))
#endif
#undef NN__VALUE

/* ---- epilogues, in place --------------------------------------------------------------------- */

#define NN__EPILOGUE(name, value)                                                                  \
    static NN__UNUSED void NN__(epilogue_##name)(float *x, int n) {                                \
        for (int i = 0; i < n; i += NN__LANES) {                                                   \
            const NN__F32 a = NN__(load_up_to)(x + i, n - i, 0.0f);                                \
            NN__(store_up_to)(x + i, n - i, value);                                                \
        }                                                                                          \
    }
NN__OP NN__F32 NN__(gelu)(NN__F32 x) {
    const NN__F32 t = NN__(mul)(x, NN__(all)(0.707106769f));
    return NN__(mul)(NN__(mul)(NN__(all)(0.5f), x),
                     NN__(add)(NN__(all)(1.0f), NN__(value_ERF)(t, t, t)));
}
NN__EPILOGUE(sigmoid, NN__(value_SIGMOID)(a, a, a))
NN__EPILOGUE(tanh, NN__(value_TANH)(a, a, a))
NN__EPILOGUE(gelu, NN__(gelu)(a))
#undef NN__EPILOGUE

#ifndef NN_NO_SIMD
/* ---- rows ------------------------------------------------------------------------------------ */

/* Computes a vector of results from a vector of each operand. */
typedef NN__F32 (*NN__(row_value))(NN__F32 a, NN__F32 b, NN__F32 c, NN__F32 d);

/* Loads a vector of an operand, or its first n numbers. */
#define NN__VECTORS(load)                                                                          \
    value(load(a), operands > 1 ? load(b) : one, operands > 2 ? load(c) : one,                     \
          operands > 3 ? load(d) : one)
#define NN__WHOLE(x)  NN__(load)(x)
#define NN__SECOND(x) NN__(load)(x + NN__LANES)
#define NN__UP_TO(x)  NN__(load_up_to)(x, left, 1.0f)
#define NN__SOME(x)   NN__(load_some)(x, n, 1.0f)
#define NN__ADVANCE(step)                                                                          \
    a += (step) & row->a_mask;                                                                     \
    if (operands > 1) b += (step) & row->b_mask;                                                   \
    if (operands > 2) c += (step) & row->c_mask;                                                   \
    if (operands > 3) d += (step) & row->d_mask;                                                   \
    y += step, left -= step;

/* Runs the loop of a row. twice: two vectors per iteration, both read before one is written, so a
   store that waits for its cache line delays no load. An operand that does not advance has enough
   copies for both. Without `twice`, long values are expanded only once. */
NN__INLINE void NN__(row)(const nn__row *fields, const int operands, const bool twice,
                          NN__(row_value) value) {
    const nn__row copy = *fields, *row = &copy; /* else the compiler assumes that stores may change
                                                   the fields */
    const float *a = row->a, *b = row->b, *c = row->c, *d = row->d;
    const NN__F32 one = NN__(all)(1.0f);
    ptrdiff_t left = row->n;
    float *y = row->y;
    if (!twice) {
        while (left > 0) {
            NN__(store_up_to)(y, left, NN__VECTORS(NN__UP_TO));
            NN__ADVANCE(NN__LANES)
        }
        return;
    }
    while (left >= 2 * NN__LANES) {
        const NN__F32 v = NN__VECTORS(NN__WHOLE), w = NN__VECTORS(NN__SECOND);
        NN__(put)(y, v, row->streams);
        NN__(put)(y + NN__LANES, w, row->streams);
        NN__ADVANCE(2 * NN__LANES)
    }
    while (left > 0) {
        const int n = left < NN__LANES ? (int)left : NN__LANES;
        NN__(store_some)(y, n, NN__VECTORS(NN__SOME));
        NN__ADVANCE(NN__LANES)
    }
}
#undef NN__VECTORS
#undef NN__WHOLE
#undef NN__SECOND
#undef NN__UP_TO
#undef NN__SOME
#undef NN__ADVANCE

/* If the base is one number, its logarithm is computed once and passed as two further operands.
   False: nothing was done. */
#if !defined(NN__FUSED) || defined(NN__SET_AVX512)
#define NN__POWERS_OF_ONE(row) false
#else
#define NN__POWERS_OF_ONE(row) NN__(code_power_of_one)(row)
static NN__UNUSED bool NN__(code_power_of_one)(const nn__row *row) {
    float l[NN__LANES], l1[NN__LANES];
    nn__row more = *row;
    NN__F32 rest;
    if (row->a_mask) return false;
    NN__(store)(l, NN__(log2_parts)(NN__(load)(row->a), &rest));
    NN__(store)(l1, rest);
    more.c = l, more.d = l1;
    more.c_mask = more.d_mask = 0;
    if (row->a[0] > 0.0f && row->a[0] < INFINITY && row->a[0] != 1.0f)
        NN__(row)(&more, 4, false, NN__(power_by_positive));
    else
        NN__(row)(&more, 4, false, NN__(power_by));
    return true;
}
#endif

/* Rows of cheap instructions take two vectors per iteration. */
#ifdef NN__SET_AVX512
#define NN__ROWS(X) NN__WIDE_ROWS(X)
#else
#define NN__ROWS(X) NN_INSTRUCTIONS(X)
#endif
#define NN__X(upper, lower, text, operands, weight, value)                                         \
    NN__INLINE NN__F32 NN__(each_##lower)(NN__F32 a, NN__F32 b, NN__F32 c, NN__F32 d) {            \
        (void)d;                                                                                   \
        return NN__(value_##upper)(a, b, c);                                                       \
    }                                                                                              \
    static NN__UNUSED void NN__(code_##lower)(const nn__row *row) {                                \
        if (NN_CODE_##upper == NN_CODE_POWER && NN__POWERS_OF_ONE(row)) return;                    \
        NN__(row)(row, operands, weight < 8 && NN__LANES > 1, NN__(each_##lower));                 \
    }
NN__ROWS(NN__X)
#undef NN__X
#undef NN__ROWS
#undef NN__POWERS_OF_ONE

#ifndef NN__SET_AVX512
/* A comparison joined with the only SELECT that reads it, without ones and zeros in between. */
#define NN__SELECT(lower, value)                                                                   \
    NN__INLINE NN__F32 NN__(each_select_##lower)(NN__F32 a, NN__F32 b, NN__F32 c, NN__F32 d) {     \
        return value;                                                                              \
    }                                                                                              \
    static NN__UNUSED void NN__(code_select_##lower)(const nn__row *row) {                         \
        NN__(row)(row, 4, NN__LANES > 1, NN__(each_select_##lower));                               \
    }
NN__SELECT(less, NN__(pick)(NN__(less)(a, b), c, d))
NN__SELECT(less_equal, NN__(pick)(NN__(less_equal)(a, b), c, d))
NN__SELECT(greater, NN__(pick)(NN__(less)(b, a), c, d))
NN__SELECT(greater_equal, NN__(pick)(NN__(less_equal)(b, a), c, d))
NN__SELECT(equal, NN__(pick)(NN__(equal)(a, b), c, d))
NN__SELECT(not_equal, NN__(pick)(NN__(equal)(a, b), d, c))
#undef NN__SELECT
#endif

/* ---- several instructions in one pass (cpu_fused.c) ------------------------------------------ */

#ifndef NN__SET_PLAIN
#define NN__X(k, code, a, b, c) const NN__F32 v##k = NN__(value_##code)(v##a, v##b, v##c);
#define NN__N(k, n)             const NN__F32 v##k = input##n;
#define NN__C(k, number)        const NN__F32 v##k = NN__(all)(number);
#define NN__M(k, code, a, b)    const NN__B32 v##k = NN__(mask_##code)(v##a, v##b);
#define NN__S(k, m, a, b)       const NN__F32 v##k = NN__(pick)(v##m, v##a, v##b);
NN__OP NN__B32 NN__(mask_LESS)(NN__F32 a, NN__F32 b) { return NN__(less)(a, b); }
NN__OP NN__B32 NN__(mask_GREATER)(NN__F32 a, NN__F32 b) { return NN__(less)(b, a); }
#define NN__PART(name, inputs, last, code, twice)                                                  \
    NN__INLINE NN__F32 NN__(part_##name)(NN__F32 input0, NN__F32 input1, NN__F32 input2,           \
                                         NN__F32 input3) {                                         \
        (void)input1, (void)input2, (void)input3;                                                  \
        NN__PART_##name(NN__X, NN__N, NN__C, NN__M, NN__S) return v##last;                         \
    }                                                                                              \
    static NN__UNUSED void NN__(code_part_##name)(const nn__row *row) {                            \
        NN__(row)(row, inputs, twice, NN__(part_##name));                                          \
    }
NN__PARTS(NN__PART)
#undef NN__PART
#undef NN__X
#undef NN__N
#undef NN__C
#undef NN__M
#undef NN__S
#if !defined(NN_NO_TRAINING) && !defined(NN__SET_AVX512)
#include "kernels/pointwise/vector_recipes.h"
#endif
#endif

/* ---- random numbers -------------------------------------------------------------------------- */

#ifndef NN__SET_AVX512
/* Draws elements `at` to at + n - 1 of one stream; `at` is a multiple of 4. */
static NN__UNUSED void NN__(draw)(const nn_program_args *args, uint64_t stream, float *y,
                                  int64_t at, int n) {
    uint64_t counter = args->counter + (uint64_t)at / 4;
    float last[4 * NN__LANES];
    int i = 0;
    for (; i + 4 * NN__LANES <= n; i += 4 * NN__LANES, counter += NN__LANES)
        NN__(uniform)(args->seed, stream, counter, y + i);
    if (i == n) return;
    NN__(uniform)(args->seed, stream, counter, last);
    memcpy(y + i, last, (size_t)(n - i) * sizeof(float));
}

/* y = random >= b ? c : d, a few vectors at a time, so the random numbers stay in registers or
   L1. */
static NN__UNUSED void NN__(draw_mask)(const nn_program_args *args, uint64_t stream,
                                       const nn__row *row, int64_t at) {
    uint64_t counter = args->counter + (uint64_t)at / 4;
    float drawn[4 * NN__LANES];
    for (int i = 0; i < row->n; i += 4 * NN__LANES, counter += NN__LANES) {
        nn__row part = *row;
        NN__(uniform)(args->seed, stream, counter, drawn);
        part.y += i;
        part.a = drawn, part.a_mask = -1;
        part.b += i & row->b_mask, part.c += i & row->c_mask, part.d += i & row->d_mask;
        part.n = row->n - i < 4 * NN__LANES ? row->n - i : 4 * NN__LANES;
        part.streams = false;
        NN__(row)(&part, 4, false, NN__(each_select_greater_equal));
    }
}
#endif
#endif
#endif
