/* kernels/reduce/vector.h - the loops of reductions and their gradients, for every instruction set.
   The numbers of a column are added in the order of their rows on every set. */
#ifndef NN__SET
#define NN__BODY "kernels/reduce/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/reduce/cpu.h"

/* Does the same as NN__(row_sum), but for long rows: it prefetches, because a loop that only reads
   is limited by latency. */
static double NN__(reduce_sum)(const float *x, int n) {
    double total = 0.0;
    int i = 0;
    do {
        const int end = n - i < 128 * NN__LANES ? n : i + 128 * NN__LANES;
        NN__F32 a = NN__(all)(0.0f), b = a, c = a, d = a;
        for (; i + 4 * NN__LANES <= end; i += 4 * NN__LANES) {
            const float *from = x + i;
            for (int line = 0; line < 4 * NN__LANES; line += 16) NN__(ahead)(from + 2048 + line);
            a = NN__(add)(a, NN__(load)(from));
            b = NN__(add)(b, NN__(load)(from + NN__LANES));
            c = NN__(add)(c, NN__(load)(from + 2 * NN__LANES));
            d = NN__(add)(d, NN__(load)(from + 3 * NN__LANES));
        }
        for (; i < end; i += NN__LANES)
            a = NN__(add)(a, NN__(load_up_to)(x + i, end - i, 0.0f));
        total += (double)NN__(sum)(NN__(add)(NN__(add)(a, b), NN__(add)(c, d)));
    } while (i < n);
    return total;
}

/* Returns the sum, or the larger one; NaN wins. */
NN__OP NN__F32 NN__(reduce_two)(NN__F32 a, NN__F32 b, const bool largest) {
    if (!largest) return NN__(add)(a, b);
    return NN__(pick)(NN__(either)(NN__(less)(a, b), NN__(unordered)(b, b)), b, a);
}

NN__INLINE void NN__(reduce_rows)(float *acc, const float *x, int64_t step, const int rows, int n,
                                  const bool largest) {
    int i = 0;
    for (; i + 2 * NN__LANES <= n; i += 2 * NN__LANES) {
        NN__F32 a = NN__(load)(acc + i), b = NN__(load)(acc + i + NN__LANES);
        const float *from = x + i;
        a = NN__(reduce_two)(a, NN__(load)(from), largest);
        b = NN__(reduce_two)(b, NN__(load)(from + NN__LANES), largest);
        if (rows == 4) { /* unrolled: a loop over the rows is slower */
            from += step;
            a = NN__(reduce_two)(a, NN__(load)(from), largest);
            b = NN__(reduce_two)(b, NN__(load)(from + NN__LANES), largest);
            from += step;
            a = NN__(reduce_two)(a, NN__(load)(from), largest);
            b = NN__(reduce_two)(b, NN__(load)(from + NN__LANES), largest);
            from += step;
            a = NN__(reduce_two)(a, NN__(load)(from), largest);
            b = NN__(reduce_two)(b, NN__(load)(from + NN__LANES), largest);
        }
        NN__(store)(acc + i, a);
        NN__(store)(acc + i + NN__LANES, b);
    }
    for (; i < n; i += NN__LANES) {
        NN__F32 a = NN__(load_up_to)(acc + i, n - i, 0.0f);
        for (int k = 0; k < rows; k++)
            a = NN__(reduce_two)(a, NN__(load_up_to)(x + k * step + i, n - i, 0.0f), largest);
        NN__(store_up_to)(acc + i, n - i, a);
    }
}
static void NN__(reduce_join)(float *acc, const float *x, int n, bool largest) {
    if (largest)
        NN__(reduce_rows)(acc, x, 0, 1, n, true);
    else
        NN__(reduce_rows)(acc, x, 0, 1, n, false);
}
static void NN__(reduce_join_four)(float *acc, const float *x, int64_t step, int n, bool largest) {
    if (largest)
        NN__(reduce_rows)(acc, x, step, 4, n, true);
    else
        NN__(reduce_rows)(acc, x, step, 4, n, false);
}

#ifndef NN_NO_SIMD
/* Product and sum are rounded separately. */
NN__OP void NN__(reduce_put)(float *y, int n, NN__F32 sum, float scale, bool accumulate) {
    NN__F32 v = NN__(mul)(sum, NN__(all)(scale));
    if (accumulate) v = NN__(add)(NN__(load_up_to)(y, n, 0.0f), v);
    NN__(store_up_to)(y, n, v);
}
static void NN__(reduce_columns)(float *y, const float *x, int rows, int n, float scale,
                                 bool accumulate) {
    int j = 0;
    for (; j + 4 * NN__LANES <= n; j += 4 * NN__LANES) {
        const float *from = x + j;
        NN__F32 a = NN__(all)(0.0f), b = a, c = a, d = a;
        for (int i = 0; i < rows; i++, from += n) {
            a = NN__(add)(a, NN__(load)(from));
            b = NN__(add)(b, NN__(load)(from + NN__LANES));
            c = NN__(add)(c, NN__(load)(from + 2 * NN__LANES));
            d = NN__(add)(d, NN__(load)(from + 3 * NN__LANES));
        }
        NN__(reduce_put)(y + j, NN__LANES, a, scale, accumulate);
        NN__(reduce_put)(y + j + NN__LANES, NN__LANES, b, scale, accumulate);
        NN__(reduce_put)(y + j + 2 * NN__LANES, NN__LANES, c, scale, accumulate);
        NN__(reduce_put)(y + j + 3 * NN__LANES, NN__LANES, d, scale, accumulate);
    }
    for (; j < n; j += NN__LANES) {
        const float *from = x + j;
        NN__F32 a = NN__(all)(0.0f);
        for (int i = 0; i < rows; i++, from += n)
            a = NN__(add)(a, NN__(load_up_to)(from, n - j, 0.0f));
        NN__(reduce_put)(y + j, n - j, a, scale, accumulate);
    }
}

/* Adds eight vectors in the order in which NN__(row_sum) adds the numbers of a short row, so both
   give the same sum. The last 0 turns -0 into 0, as there. */
NN__OP NN__F32 NN__(reduce_pair)(const float *turned, int i) {
    return NN__(add)(NN__(load)(turned + i * NN__LANES), NN__(load)(turned + (i + 4) * NN__LANES));
}
NN__OP NN__F32 NN__(reduce_eight)(const float *turned) {
    const NN__F32 even = NN__(add)(NN__(reduce_pair)(turned, 0), NN__(reduce_pair)(turned, 2));
    const NN__F32 odd = NN__(add)(NN__(reduce_pair)(turned, 1), NN__(reduce_pair)(turned, 3));
    return NN__(add)(NN__(add)(even, odd), NN__(all)(0.0f));
}

/* A vector holds one number of each of NN__LANES rows. */
NN__INLINE void NN__(reduce_short)(float *y, const float *x, int rows, int n, const bool largest,
                                   float divisor, float scale, bool accumulate) {
    float turned[NN__REDUCE_SHORT * NN__LANES] = {0};
    for (; rows > 0; rows -= NN__LANES, y += NN__LANES, x += n * NN__LANES) {
        const int count = rows < NN__LANES ? rows : NN__LANES;
        for (int j = 0; j < n; j += NN__LANES)
            NN__(transpose_part)(turned + j * NN__LANES, NN__LANES, x + j, n, count,
                                 n - j < NN__LANES ? n - j : NN__LANES);
        NN__F32 total = largest ? NN__(load)(turned)
                        : NN__LANES > 1 ? NN__(reduce_eight)(turned)
                                        : NN__(all)((float)NN__(row_sum)(turned, n));
        for (int i = 1; i < n && largest; i++)
            total = NN__(reduce_two)(total, NN__(load)(turned + i * NN__LANES), true);
        if (divisor != 1.0f) total = NN__(div)(total, NN__(all)(divisor));
        NN__(reduce_put)(y, count, total, scale, accumulate);
    }
}
static void NN__(reduce_short_rows)(float *y, const float *x, int rows, int n, bool largest,
                                    float divisor, float scale, bool accumulate) {
    if (largest)
        NN__(reduce_short)(y, x, rows, n, true, divisor, scale, accumulate);
    else
        NN__(reduce_short)(y, x, rows, n, false, divisor, scale, accumulate);
}
#endif

static NN__UNUSED const nn__reduce_loops NN__(reduce_loops) = {
    NN__(reduce_sum), NN__(reduce_join), NN__(reduce_join_four),
#ifndef NN_NO_SIMD
    NN__(reduce_columns), NN__(reduce_short_rows)
#endif
};

/* ---- folds: the states of consecutive numbers ------------------------------------------------ */

#if NN__LANES > 1
#define NN__FOLD_BLOCK (128 * NN__LANES)

/* True if the size of each lane of the four vectors is that of a normal float. A NaN may pass. */
NN__OP bool NN__(fold_normal)(NN__F32 a, NN__F32 b, NN__F32 c, NN__F32 d) {
    a = NN__(abs)(a), b = NN__(abs)(b), c = NN__(abs)(c), d = NN__(abs)(d);
    const NN__F32 low = NN__(smaller)(NN__(smaller)(a, b), NN__(smaller)(c, d)),
                  high = NN__(larger)(NN__(larger)(a, b), NN__(larger)(c, d));
    return !NN__(any)(NN__(either)(NN__(less)(low, NN__(all)(1.17549435e-38f)),
                                   NN__(less)(NN__(all)(3.40282347e+38f), high)));
}
/* True if a sum of at most NN__FOLD_BLOCK squares has neither overflowed nor lost much to squares
   below the smallest float. */
NN__OP bool NN__(fold_precise)(float squares) {
    return squares >= 8.0779357e-28f && squares <= 3.40282347e+38f;
}

static double NN__(fold_product_exact)(const float *x, int n) {
    const int whole = n / 8 * 8;
    double total = NN__(product8)(x, whole);
    for (int i = whole; i < n; i++) total *= (double)x[i];
    return total;
}

/* Returns the product of a block, or the sum of its squares, in lanes of float. If a float is not
   precise enough, everything is computed in double. */
NN__INLINE double NN__(fold_block)(const float *x, int n, const bool squares) {
    const float filler = squares ? 0.0f : 1.0f;
    NN__F32 a = NN__(all)(filler), b = a, c = a, d = a;
    float lanes[4 * NN__LANES];
    int i = 0;
    for (; i + 4 * NN__LANES <= n; i += 4 * NN__LANES) {
        const float *from = x + i;
        for (int line = 0; line < 4 * NN__LANES; line += 16) NN__(ahead)(from + 2048 + line);
        const NN__F32 p = NN__(load)(from), q = NN__(load)(from + NN__LANES),
                      r = NN__(load)(from + 2 * NN__LANES), s = NN__(load)(from + 3 * NN__LANES);
        a = squares ? NN__(fma)(p, p, a) : NN__(mul)(a, p);
        b = squares ? NN__(fma)(q, q, b) : NN__(mul)(b, q);
        c = squares ? NN__(fma)(r, r, c) : NN__(mul)(c, r);
        d = squares ? NN__(fma)(s, s, d) : NN__(mul)(d, s);
    }
    for (; i < n; i += NN__LANES) {
        const NN__F32 p = NN__(load_up_to)(x + i, n - i, filler);
        a = squares ? NN__(fma)(p, p, a) : NN__(mul)(a, p);
    }
    if (squares) {
        const float total = NN__(sum)(NN__(add)(NN__(add)(a, b), NN__(add)(c, d)));
        return NN__(fold_precise)(total) ? (double)total : NN__(row_squares)(x, n);
    }
    if (n < 4 * NN__LANES || !NN__(fold_normal)(a, b, c, d)) return NN__(fold_product_exact)(x, n);
    NN__(store)(lanes, a), NN__(store)(lanes + NN__LANES, b);
    NN__(store)(lanes + 2 * NN__LANES, c), NN__(store)(lanes + 3 * NN__LANES, d);
    return NN__(product8)(lanes, 4 * NN__LANES);
}

static double NN__(fold_product)(const float *x, int n) {
    double total = 1.0;
    for (int i = 0; i < n; i += NN__FOLD_BLOCK)
        total *= NN__(fold_block)(x + i, nn__mini(NN__FOLD_BLOCK, n - i), false);
    return total;
}
static double NN__(fold_squares)(const float *x, int n, bool exact) {
    double total = 0.0;
    if (exact) return NN__(row_squares)(x, n);
    for (int i = 0; i < n; i += NN__FOLD_BLOCK)
        total += NN__(fold_block)(x + i, nn__mini(NN__FOLD_BLOCK, n - i), true);
    return total;
}

/* Adds the differences of a block from `center`, and their squares. */
static bool NN__(fold_differences)(const float *x, int n, float center, double *sum,
                                   double *squares) {
    const NN__F32 middle = NN__(all)(center);
    NN__F32 a = NN__(all)(0.0f), b = a, p = a, q = a, v, w;
    int i = 0;
    for (; i + 2 * NN__LANES <= n; i += 2 * NN__LANES) {
        v = NN__(sub)(NN__(load)(x + i), middle);
        w = NN__(sub)(NN__(load)(x + i + NN__LANES), middle);
        a = NN__(add)(a, v), p = NN__(fma)(v, v, p);
        b = NN__(add)(b, w), q = NN__(fma)(w, w, q);
    }
    for (; i < n; i += NN__LANES) {
        v = NN__(sub)(NN__(load_up_to)(x + i, n - i, center), middle);
        a = NN__(add)(a, v), p = NN__(fma)(v, v, p);
    }
    const float total = NN__(sum)(NN__(add)(p, q));
    *sum += (double)NN__(sum)(NN__(add)(a, b));
    *squares += (double)total;
    return NN__(fold_precise)(total);
}

/* Differences d are taken from a number near the mean, which is corrected:
   squares = sum d^2 - (sum d)^2 / n. */
static bool NN__(fold_variance)(nn__fold_state *state, const float *x, int n) {
    double differences = 0.0, squares = 0.0;
    const float center = (float)(NN__(row_sum)(x, n) / n);
    bool well = center - center == 0.0f; /* neither infinite nor NaN */
    for (int i = 0; i < n && well; i += NN__FOLD_BLOCK)
        well = NN__(fold_differences)(x + i, nn__mini(NN__FOLD_BLOCK, n - i), center, &differences,
                                      &squares);
    squares -= differences * differences / n;
    state->a = (double)center + differences / n;
    state->b = squares > 0.0 ? squares : 0.0;
    return well;
}

static int NN__(fold_place)(const float *x, int n, bool smallest) {
    const NN__I32 turn = NN__(int_left)(NN__(int_all)(smallest), 31);
    NN__F32 best = NN__(all)(-INFINITY);
    NN__B32 bad = NN__(none)();
    int i = 0;
    for (; i < n; i += NN__LANES) {
        const NN__F32 v = NN__(load_up_to)(x + i, n - i, x[i]);
        bad = NN__(either)(bad, NN__(unordered)(v, v));
        best = NN__(larger)(best, NN__(of_bits)(NN__(int_xor)(NN__(bits)(v), turn)));
    }
    const bool nan = NN__(any)(bad);
    const float most = smallest ? -NN__(largest)(best) : NN__(largest)(best);
    const NN__F32 wanted = NN__(all)(most);
    for (i = 0; i + NN__LANES <= n; i += NN__LANES) {
        const NN__F32 v = NN__(load)(x + i);
        if (NN__(any)(nan ? NN__(unordered)(v, v) : NN__(equal)(v, wanted))) break;
    }
    while (i < n - 1 && (nan ? x[i] == x[i] : x[i] != most)) i++;
    return i;
}
#undef NN__FOLD_BLOCK

static NN__UNUSED const nn__fold_loops NN__(fold_loops) = {NN__(fold_product), NN__(fold_squares),
                                                NN__(fold_variance), NN__(fold_place)};
#else
static NN__UNUSED const nn__fold_loops NN__(fold_loops) = {NULL, NULL, NULL, NULL};
#endif

#ifndef NN_NO_TRAINING
/* ---- gradients ------------------------------------------------------------------------------- */

/* Product and sum are rounded separately. */
NN__INLINE void NN__(slope_row)(const nn__slope *s, const nn__slope_kind kind) {
    const nn__slope row = *s; /* else the compiler assumes that stores may change it */
    const NN__F32 a = NN__(all)(row.a), b = NN__(all)(row.b), c = NN__(all)(row.c);
    for (int i = 0; i < row.n; i += NN__LANES) {
        const int n = row.n - i;
        const NN__F32 x = NN__(load_up_to)(row.x + i, n, 0.0f);
        const NN__F32 before =
            row.accumulate ? NN__(load_up_to)(row.dx + i, n, 0.0f) : NN__(all)(0.0f);
        NN__F32 v = NN__(sub)(x, a);
        if (kind == NN__SLOPE_EQUAL)
            v = NN__(pick)(NN__(equal)(x, a), b, c);
        else if (kind == NN__SLOPE_SCALED)
            v = NN__(mul)(v, b);
        else if (kind == NN__SLOPE_QUOTIENT)
            v = NN__(mul)(NN__(div)(v, b), c);
        else
            v = NN__(mul)(NN__(exp)(v), b);
        if (row.accumulate) v = NN__(add)(before, v);
        if (n >= NN__LANES)
            NN__(put)(row.dx + i, v, row.streams);
        else
            NN__(store_some)(row.dx + i, n, v);
    }
}
static void NN__(slope)(const nn__slope *s, nn__slope_kind kind) {
    switch (kind) {
    case NN__SLOPE_EQUAL: NN__(slope_row)(s, NN__SLOPE_EQUAL); break;
    case NN__SLOPE_SCALED: NN__(slope_row)(s, NN__SLOPE_SCALED); break;
    case NN__SLOPE_QUOTIENT: NN__(slope_row)(s, NN__SLOPE_QUOTIENT); break;
    default: NN__(slope_row)(s, NN__SLOPE_EXP); break;
    }
}

/* Returns how many numbers equal y; fewer than 2^24 per lane. */
static int NN__(slope_count)(const float *x, float y, int n) {
    const NN__F32 a = NN__(all)(y), one = NN__(all)(1.0f);
    NN__F32 even = NN__(all)(0.0f), odd = even;
    int i = 0;
    for (; i + 2 * NN__LANES <= n; i += 2 * NN__LANES) {
        even = NN__(add)(even, NN__(keep)(NN__(equal)(NN__(load)(x + i), a), one));
        odd = NN__(add)(odd, NN__(keep)(NN__(equal)(NN__(load)(x + i + NN__LANES), a), one));
    }
    for (; i < n; i += NN__LANES) {
        const NN__F32 v = NN__(load_up_to)(x + i, n - i, NAN);
        even = NN__(add)(even, NN__(keep)(NN__(equal)(v, a), one));
    }
    return (int)NN__(sum)(NN__(add)(even, odd));
}

static NN__UNUSED const nn__slope_loops NN__(slope_loops) = {NN__(slope), NN__(slope_count)};
#endif
#endif
