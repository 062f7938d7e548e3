/* kernels/reduce/cpu_fold_vectors.c - computes the state of consecutive numbers, for the reductions
   of cpu_fold.c that have vector functions. */
#include "cpu/simd.h"
#include "kernels/reduce/cpu.h"

#include <math.h>

#ifdef NN__VECTOR8
NN__AVX2 static inline __m256d nn__fold_load8(const float *x) {
    return _mm256_cvtps_pd(_mm_loadu_ps(x));
}
NN__AVX2 static inline __m256d nn__fold_low8(__m256 v) {
    return _mm256_cvtps_pd(_mm256_castps256_ps128(v));
}
NN__AVX2 static inline __m256d nn__fold_high8(__m256 v) {
    return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
}
/* Joins the four lanes in a fixed order: their sum, or their product. */
NN__AVX2 static inline double nn__fold_join8(__m256d v, bool sum) {
    double lanes[4];
    _mm256_storeu_pd(lanes, v);
    if (sum) return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    const double p = lanes[0] * lanes[1], q = lanes[2] * lanes[3];
    /* the product would underflow to 0, which is slow on processors */
    if (fabs(p) < 1e-170 && fabs(q) < 1e-170) return copysign(0.0, p) * copysign(1.0, q);
    return p * q;
}

/* The product or the sum of squares of n numbers, in 16 lanes of double. */
NN__AVX2 static double nn__fold_doubles8(const float *x, int n, bool squares) {
    const __m256d start = _mm256_set1_pd(squares ? 0.0 : 1.0);
    __m256d a = start, b = start, c = start, d = start;
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m256d p = nn__fold_load8(x + i), q = nn__fold_load8(x + i + 4);
        const __m256d r = nn__fold_load8(x + i + 8), s = nn__fold_load8(x + i + 12);
        a = squares ? _mm256_fmadd_pd(p, p, a) : _mm256_mul_pd(a, p);
        b = squares ? _mm256_fmadd_pd(q, q, b) : _mm256_mul_pd(b, q);
        c = squares ? _mm256_fmadd_pd(r, r, c) : _mm256_mul_pd(c, r);
        d = squares ? _mm256_fmadd_pd(s, s, d) : _mm256_mul_pd(d, s);
    }
    double total = nn__fold_join8(
        squares ? _mm256_add_pd(_mm256_add_pd(a, b), _mm256_add_pd(c, d))
                : _mm256_mul_pd(_mm256_mul_pd(a, b), _mm256_mul_pd(c, d)), squares);
    for (; i < n; i++)
        total = squares ? total + (double)x[i] * (double)x[i] : total * (double)x[i];
    return total;
}

/* True if the size of each lane of the four vectors is between the two bounds. A NaN may pass. */
NN__AVX2 static inline bool nn__fold_between8(__m256 a, __m256 b, __m256 c, __m256 d, float least,
                                              float most) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    a = _mm256_andnot_ps(sign, a);
    b = _mm256_andnot_ps(sign, b);
    c = _mm256_andnot_ps(sign, c);
    d = _mm256_andnot_ps(sign, d);
    const __m256 low = _mm256_min_ps(_mm256_min_ps(a, b), _mm256_min_ps(c, d));
    const __m256 high = _mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(c, d));
    const __m256 out = _mm256_or_ps(_mm256_cmp_ps(low, _mm256_set1_ps(least), _CMP_LT_OQ),
                                    _mm256_cmp_ps(high, _mm256_set1_ps(most), _CMP_GT_OQ));
    return _mm256_movemask_ps(out) == 0;
}

/* The same for at most 1024 numbers in 32 lanes of float, which are then joined in double. If a
   lane has left the range in which floats are fully precise, everything is computed in double. Both
   give NaN if a number is NaN. */
NN__AVX2 static double nn__fold_floats8(const float *x, int n, bool squares) {
    const float filler = squares ? 0.0f : 1.0f, least = squares ? 8.0779357e-28f : 1.17549435e-38f;
    __m256 a = _mm256_set1_ps(filler), b = a, c = a, d = a;
    int i = 0;
    if (n < 32) return nn__fold_doubles8(x, n, squares); /* from here on, every lane has a number */
    for (; i + 32 <= n; i += 32) {
        nn__ahead8(x + i);
        const __m256 p = _mm256_loadu_ps(x + i), q = _mm256_loadu_ps(x + i + 8);
        const __m256 r = _mm256_loadu_ps(x + i + 16), s = _mm256_loadu_ps(x + i + 24);
        a = squares ? _mm256_fmadd_ps(p, p, a) : _mm256_mul_ps(a, p);
        b = squares ? _mm256_fmadd_ps(q, q, b) : _mm256_mul_ps(b, q);
        c = squares ? _mm256_fmadd_ps(r, r, c) : _mm256_mul_ps(c, r);
        d = squares ? _mm256_fmadd_ps(s, s, d) : _mm256_mul_ps(d, s);
    }
    for (; i < n; i += 8) {
        const __m256 p =
            n - i >= 8 ? _mm256_loadu_ps(x + i) : nn__load_tail8(x + i, n - i, filler);
        a = squares ? _mm256_fmadd_ps(p, p, a) : _mm256_mul_ps(a, p);
    }
    if (!nn__fold_between8(a, b, c, d, least, 3.40282347e+38f))
        return nn__fold_doubles8(x, n, squares);
    const __m256d e = nn__fold_low8(a), f = nn__fold_high8(a), g = nn__fold_low8(b),
                  h = nn__fold_high8(b), j = nn__fold_low8(c), k = nn__fold_high8(c),
                  l = nn__fold_low8(d), m = nn__fold_high8(d);
    if (squares)
        return nn__fold_join8(
            _mm256_add_pd(_mm256_add_pd(_mm256_add_pd(e, g), _mm256_add_pd(j, l)),
                          _mm256_add_pd(_mm256_add_pd(f, h), _mm256_add_pd(k, m))), true);
    return nn__fold_join8(
        _mm256_mul_pd(_mm256_mul_pd(_mm256_mul_pd(e, g), _mm256_mul_pd(j, l)),
                      _mm256_mul_pd(_mm256_mul_pd(f, h), _mm256_mul_pd(k, m))), false);
}

/* The product of numbers, in blocks of 1024. */
NN__AVX2 static double nn__fold_product8(const float *x, int n) {
    double total = 1.0;
    for (int i = 0; i < n; i += 1024)
        total *= nn__fold_floats8(x + i, nn__mini(1024, n - i), false);
    return total;
}

/* The sum of squares, in blocks of 1024. exact: in double, where each square is exact. */
NN__AVX2 static double nn__fold_squares8(const float *x, int n, bool exact) {
    double total = 0.0;
    for (int i = 0; i < n; i += 1024) {
        const int block = nn__mini(1024, n - i);
        total += exact ? nn__fold_doubles8(x + i, block, true)
                       : nn__fold_floats8(x + i, block, true);
    }
    return total;
}

/* Mean and sum of squares in double, one number after the other. */
static void nn__fold_variance_exact(nn__fold_state *state, const float *x, int n) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; i++) sum += (double)x[i];
    state->a = sum / n;
    for (int i = 0; i < n; i++) {
        const double difference = (double)x[i] - state->a;
        squares += difference * difference;
    }
    state->b = squares;
}

/* Loads eight numbers from x + i on, with `filler` beyond n. */
NN__AVX2 static inline __m256 nn__fold_some8(const float *x, int i, int n, float filler) {
    return n - i >= 8 ? _mm256_loadu_ps(x + i) : nn__load_tail8(x + i, n - i, filler);
}

/* Sums the differences of at most 1024 numbers from `center`, and their squares, in 32 lanes of
   float. Returns false if a lane has left the range in which floats are fully precise. */
NN__AVX2 static bool nn__fold_differences8(const float *x, int n, float center, double *sum,
                                           double *squares) {
    const __m256 middle = _mm256_set1_ps(center);
    __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a, p = a, q = a, r = a, s = a, v;
    int i = 0;
#define NN__ADD(sum, square, numbers)                                                              \
    {                                                                                              \
        v = _mm256_sub_ps(numbers, middle);                                                        \
        sum = _mm256_add_ps(sum, v);                                                               \
        square = _mm256_fmadd_ps(v, v, square);                                                    \
    }
    for (; i + 32 <= n; i += 32) {
        NN__ADD(a, p, _mm256_loadu_ps(x + i))
        NN__ADD(b, q, _mm256_loadu_ps(x + i + 8))
        NN__ADD(c, r, _mm256_loadu_ps(x + i + 16))
        NN__ADD(d, s, _mm256_loadu_ps(x + i + 24))
    }
    if (i < n) NN__ADD(a, p, nn__fold_some8(x, i, n, center))
    if (i + 8 < n) NN__ADD(b, q, nn__fold_some8(x, i + 8, n, center))
    if (i + 16 < n) NN__ADD(c, r, nn__fold_some8(x, i + 16, n, center))
    if (i + 24 < n) NN__ADD(d, s, nn__fold_some8(x, i + 24, n, center))
#undef NN__ADD
    *sum = (double)nn__sum8(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d)));
    *squares = (double)nn__sum8(_mm256_add_ps(_mm256_add_ps(p, q), _mm256_add_ps(r, s)));
    return nn__fold_between8(p, q, r, s, 8.0779357e-28f, 3.40282347e+38f);
}

/* Mean and sum of squares, in blocks of 1024. Differences d are taken from a number near the mean,
   which is corrected: squares = sum d^2 - (sum d)^2 / n. */
NN__AVX2 static void nn__fold_variance8(nn__fold_state *state, const float *x, int n) {
    double sum = 0.0, differences = 0.0, squares = 0.0;
    for (int i = 0; i < n; i += 1024) {
        const float *from = x + i;
        const int block = nn__mini(1024, n - i);
        __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a;
        int j = 0;
        for (; j + 32 <= block; j += 32) {
            a = _mm256_add_ps(a, _mm256_loadu_ps(from + j));
            b = _mm256_add_ps(b, _mm256_loadu_ps(from + j + 8));
            c = _mm256_add_ps(c, _mm256_loadu_ps(from + j + 16));
            d = _mm256_add_ps(d, _mm256_loadu_ps(from + j + 24));
        }
        for (; j < block; j += 8) a = _mm256_add_ps(a, nn__fold_some8(from, j, block, 0.0f));
        sum += (double)nn__sum8(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d)));
    }
    const float center = (float)(sum / n);
    bool well = n >= 32 && center - center == 0.0f; /* each lane has a number, and none is infinite
                                                       or NaN */
    for (int i = 0; i < n && well; i += 1024) {
        double more, more_squares;
        well = nn__fold_differences8(x + i, nn__mini(1024, n - i), center, &more, &more_squares);
        differences += more;
        squares += more_squares;
    }
    if (!well) {
        nn__fold_variance_exact(state, x, n);
        return;
    }
    state->a = (double)center + differences / n;
    squares -= differences * differences / n;
    state->b = squares > 0.0 ? squares : 0.0;
}

/* Returns the index of the largest or smallest number: the first of equal ones; NaN comes before
   all others. */
NN__AVX2 static int nn__fold_place8(const float *x, int n, bool smallest) {
    const __m256 turn = _mm256_set1_ps(smallest ? -0.0f : 0.0f);
    __m256 best = _mm256_set1_ps(-INFINITY), bad = _mm256_setzero_ps();
    int i = 0;
    for (; i < n; i += 8) {
        __m256 v = n - i >= 8 ? _mm256_loadu_ps(x + i) : nn__load_tail8(x + i, n - i, x[i]);
        bad = _mm256_or_ps(bad, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
        best = _mm256_max_ps(best, _mm256_xor_ps(v, turn));
    }
    const bool nan = _mm256_movemask_ps(bad) != 0;
    const float most = smallest ? -nn__max8(best) : nn__max8(best);
    const __m256 wanted = _mm256_set1_ps(most);
    for (i = 0; i + 8 <= n; i += 8) {
        const __m256 v = _mm256_loadu_ps(x + i);
        const __m256 hit =
            nan ? _mm256_cmp_ps(v, v, _CMP_UNORD_Q) : _mm256_cmp_ps(v, wanted, _CMP_EQ_OQ);
        if (_mm256_movemask_ps(hit)) break;
    }
    while (i < n - 1 && (nan ? x[i] == x[i] : x[i] != most)) i++;
    return i;
}

NN_PRIVATE bool nn__fold_vectors(const nn__cpu *cpu, nn_reduction reduction, nn__fold_state *state,
                                 const float *x, int n, double index) {
    if (!nn__vectors(cpu)) return false;
    switch (reduction) {
    case NN_PROD: state->a = nn__fold_product8(x, n); return true;
    case NN_SUM_OF_SQUARES:
    case NN_NORM: state->a = nn__fold_squares8(x, n, reduction != NN_NORM); return true;
    case NN_ARGMAX:
    case NN_ARGMIN: {
        const int place = nn__fold_place8(x, n, reduction == NN_ARGMIN);
        state->a = (double)x[place];
        state->b = index + place;
        return true;
    }
    case NN_VAR:
    case NN_STD: nn__fold_variance8(state, x, n); return true;
    case NN_LOGSUMEXP: {
        const float largest = nn__row_max(cpu, x, n);
        state->a = largest == largest ? (double)largest : 0.0; /* the sum shows a NaN */
        state->b = (double)nn__row_exp(cpu, NULL, x, (float)nn__fold_shift(state->a), n);
        return true;
    }
    default: return false;
    }
}
#else
NN_PRIVATE bool nn__fold_vectors(const nn__cpu *cpu, nn_reduction reduction, nn__fold_state *state,
                                 const float *x, int n, double index) {
    (void)cpu, (void)reduction, (void)state, (void)x, (void)n, (void)index;
    return false;
}
#endif
