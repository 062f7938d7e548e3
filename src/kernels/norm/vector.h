/* kernels/norm/vector.h - the loops of norms, for every instruction set. A line is a sequence of
   numbers that share a mean; sums are taken in float over a piece of a line, and in double over the
   pieces. Columns (kernels/norm/vector_columns.h) have a mean each. */
#ifndef NN__SET
#define NN__BODY "kernels/norm/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/norm/cpu.h"

NN__OP double NN__(norm_total)(NN__F32 a, NN__F32 b, NN__F32 c, NN__F32 d) {
    return (double)NN__(sum)(NN__(add)(NN__(add)(a, b), NN__(add)(c, d)));
}

/* Does the same as nn__relu and nn__relu6. */
NN__OP NN__F32 NN__(norm_clamp)(NN__F32 v, nn__clamp clamp) {
    const NN__F32 zero = NN__(all)(0.0f);
    if (clamp) v = NN__(larger)(zero, v);
#ifndef NN_NO_SIMD
    if (clamp == NN__CLAMP_RELU6) v = NN__(add)(NN__(smaller)(NN__(all)(6.0f), v), zero);
#endif
    return v;
}

#include "kernels/norm/vector_columns.h"

/* Sums x - mean and its square over a piece. */
static void NN__(norm_squares)(const float *x, int n, float mean, double *sums) {
    const NN__F32 m = NN__(all)(mean);
    NN__F32 a0 = NN__(all)(0.0f), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    int i = 0;
    for (; i + 4 * NN__LANES <= n; i += 4 * NN__LANES) {
        const NN__F32 d0 = NN__(sub)(NN__(load)(x + i), m);
        const NN__F32 d1 = NN__(sub)(NN__(load)(x + i + NN__LANES), m);
        const NN__F32 d2 = NN__(sub)(NN__(load)(x + i + 2 * NN__LANES), m);
        const NN__F32 d3 = NN__(sub)(NN__(load)(x + i + 3 * NN__LANES), m);
        a0 = NN__(add)(a0, d0), b0 = NN__(fma)(d0, d0, b0);
        a1 = NN__(add)(a1, d1), b1 = NN__(fma)(d1, d1, b1);
        a2 = NN__(add)(a2, d2), b2 = NN__(fma)(d2, d2, b2);
        a3 = NN__(add)(a3, d3), b3 = NN__(fma)(d3, d3, b3);
    }
    for (; i < n; i += NN__LANES) {
        const NN__F32 d = NN__(sub)(NN__(load_up_to)(x + i, n - i, mean), m);
        a0 = NN__(add)(a0, d);
        b0 = NN__(fma)(d, d, b0);
    }
    sums[0] = NN__(norm_total)(a0, a1, a2, a3);
    sums[1] = NN__(norm_total)(b0, b1, b2, b3);
}

NN__INLINE void NN__(norm_apply_known)(float *y, const float *x, int64_t n, float mean,
                                       float scale, float shift, const nn__clamp clamp,
                                       const bool streams) {
    const NN__F32 m = NN__(all)(mean), s = NN__(all)(scale), t = NN__(all)(shift);
    int64_t i = 0;
    for (; i + 2 * NN__LANES <= n; i += 2 * NN__LANES) {
        const NN__F32 a = NN__(sub)(NN__(load)(x + i), m);
        const NN__F32 b = NN__(sub)(NN__(load)(x + i + NN__LANES), m);
        NN__(put)(y + i, NN__(norm_clamp)(NN__(fma)(a, s, t), clamp), streams);
        NN__(put)(y + i + NN__LANES, NN__(norm_clamp)(NN__(fma)(b, s, t), clamp), streams);
    }
    for (; i < n; i += NN__LANES) {
        const NN__F32 a = NN__(sub)(NN__(load_up_to)(x + i, n - i, 0.0f), m);
        NN__(store_up_to)(y + i, n - i, NN__(norm_clamp)(NN__(fma)(a, s, t), clamp));
    }
}
static void NN__(norm_apply)(float *y, const float *x, int64_t n, float mean, float scale,
                             float shift, nn__clamp clamp, bool streams) {
    if (clamp == NN__CLAMP_RELU)
        NN__(norm_apply_known)(y, x, n, mean, scale, shift, NN__CLAMP_RELU, streams);
    else if (clamp == NN__CLAMP_NOT)
        NN__(norm_apply_known)(y, x, n, mean, scale, shift, NN__CLAMP_NOT, streams);
    else
        NN__(norm_apply_known)(y, x, n, mean, scale, shift, clamp, streams);
}

static void NN__(norm_apply_each)(float *y, const float *x, int64_t n, float mean, float rstd,
                                  const float *weight, const float *bias, bool streams) {
    const NN__F32 m = NN__(all)(mean), s = NN__(all)(rstd), zero = NN__(all)(0.0f);
    int64_t i = 0;
    for (; weight && bias && i + 2 * NN__LANES <= n; i += 2 * NN__LANES) {
        const int64_t j = i + NN__LANES;
        const NN__F32 d = NN__(mul)(NN__(sub)(NN__(load)(x + i), m), s);
        const NN__F32 e = NN__(mul)(NN__(sub)(NN__(load)(x + j), m), s);
        const NN__F32 f = NN__(fma)(d, NN__(load)(weight + i), NN__(load)(bias + i));
        const NN__F32 g = NN__(fma)(e, NN__(load)(weight + j), NN__(load)(bias + j));
        NN__(put)(y + i, f, streams);
        NN__(put)(y + j, g, streams);
    }
    for (; i < n; i += NN__LANES) {
        const int64_t left = n - i;
        const NN__F32 d = NN__(mul)(NN__(sub)(NN__(load_up_to)(x + i, left, 0.0f), m), s);
        const NN__F32 b = bias ? NN__(load_up_to)(bias + i, left, 0.0f) : zero;
        NN__(store_up_to)(y + i, left,
                          weight ? NN__(fma)(d, NN__(load_up_to)(weight + i, left, 0.0f), b)
                                 : NN__(add)(d, b));
    }
}

#ifndef NN_NO_TRAINING
/* Adds the sums of dy and of dy (x - mean) over a piece. */
static void NN__(norm_sums)(const float *dy, const float *x, int n, float mean, double *sums) {
    const NN__F32 m = NN__(all)(mean);
    NN__F32 a0 = NN__(all)(0.0f), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    int i = 0;
    for (; i + 4 * NN__LANES <= n; i += 4 * NN__LANES) {
        const int j = i + NN__LANES, k = j + NN__LANES, l = k + NN__LANES;
        const NN__F32 g0 = NN__(load)(dy + i), g1 = NN__(load)(dy + j);
        const NN__F32 g2 = NN__(load)(dy + k), g3 = NN__(load)(dy + l);
        a0 = NN__(add)(a0, g0), b0 = NN__(fma)(g0, NN__(sub)(NN__(load)(x + i), m), b0);
        a1 = NN__(add)(a1, g1), b1 = NN__(fma)(g1, NN__(sub)(NN__(load)(x + j), m), b1);
        a2 = NN__(add)(a2, g2), b2 = NN__(fma)(g2, NN__(sub)(NN__(load)(x + k), m), b2);
        a3 = NN__(add)(a3, g3), b3 = NN__(fma)(g3, NN__(sub)(NN__(load)(x + l), m), b3);
    }
    for (; i < n; i += NN__LANES) {
        const NN__F32 g = NN__(load_up_to)(dy + i, n - i, 0.0f);
        a0 = NN__(add)(a0, g);
        b0 = NN__(fma)(g, NN__(sub)(NN__(load_up_to)(x + i, n - i, mean), m), b0);
    }
    sums[0] += NN__(norm_total)(a0, a1, a2, a3);
    sums[1] += NN__(norm_total)(b0, b1, b2, b3);
}

/* Does the same for dy * weight, with dweight and dbias, over a piece. Each of the three may be
   NULL. */
NN__INLINE void NN__(norm_sums_known)(const float *dy, const float *x, int n, float mean,
                                      float rstd, const float *weight, float *dweight,
                                      float *dbias, double *sums, const bool weighs,
                                      const bool scales, const bool shifts) {
    const NN__F32 m = NN__(all)(mean), s = NN__(all)(rstd), zero = NN__(all)(0.0f);
    NN__F32 a = zero, b = zero, c = zero, e = zero;
    int i = 0;
    for (; i + 2 * NN__LANES <= n; i += 2 * NN__LANES) {
        const int j = i + NN__LANES;
        const NN__F32 d = NN__(sub)(NN__(load)(x + i), m), f = NN__(sub)(NN__(load)(x + j), m);
        NN__F32 g = NN__(load)(dy + i), h = NN__(load)(dy + j);
        if (scales) {
            NN__(store)(dweight + i, NN__(fma)(g, NN__(mul)(d, s), NN__(load)(dweight + i)));
            NN__(store)(dweight + j, NN__(fma)(h, NN__(mul)(f, s), NN__(load)(dweight + j)));
        }
        if (shifts) {
            NN__(store)(dbias + i, NN__(add)(g, NN__(load)(dbias + i)));
            NN__(store)(dbias + j, NN__(add)(h, NN__(load)(dbias + j)));
        }
        if (weighs) {
            g = NN__(mul)(g, NN__(load)(weight + i));
            h = NN__(mul)(h, NN__(load)(weight + j));
        }
        a = NN__(add)(a, g), b = NN__(fma)(g, d, b);
        c = NN__(add)(c, h), e = NN__(fma)(h, f, e);
    }
    for (; i < n; i += NN__LANES) {
        const int left = n - i;
        const NN__F32 d = NN__(sub)(NN__(load_up_to)(x + i, left, mean), m);
        NN__F32 g = NN__(load_up_to)(dy + i, left, 0.0f);
        if (scales) {
            const NN__F32 to = NN__(load_up_to)(dweight + i, left, 0.0f);
            NN__(store_up_to)(dweight + i, left, NN__(fma)(g, NN__(mul)(d, s), to));
        }
        if (shifts) {
            const NN__F32 to = NN__(load_up_to)(dbias + i, left, 0.0f);
            NN__(store_up_to)(dbias + i, left, NN__(add)(g, to));
        }
        if (weighs) g = NN__(mul)(g, NN__(load_up_to)(weight + i, left, 0.0f));
        a = NN__(add)(a, g), b = NN__(fma)(g, d, b);
    }
    sums[0] += NN__(norm_total)(a, c, zero, zero);
    sums[1] += NN__(norm_total)(b, e, zero, zero);
}
static void NN__(norm_sums_each)(const float *dy, const float *x, int n, float mean, float rstd,
                                 const float *weight, float *dweight, float *dbias,
                                 double *sums) {
    if (weight && dweight && dbias)
        NN__(norm_sums_known)(dy, x, n, mean, rstd, weight, dweight, dbias, sums, true, true, true);
    else
        NN__(norm_sums_known)(dy, x, n, mean, rstd, weight, dweight, dbias, sums, weight != NULL,
                              dweight != NULL, dbias != NULL);
}

static void NN__(norm_dx)(float *dx, const float *dy, const float *x, int64_t n, float mean,
                          const float *weight, const float *pqr, bool accumulate, bool streams) {
    const NN__F32 m = NN__(all)(mean), p = NN__(all)(pqr[0]), q = NN__(all)(pqr[1]),
                  r = NN__(all)(pqr[2]);
    int64_t i = 0;
    for (; !accumulate && i + 2 * NN__LANES <= n; i += 2 * NN__LANES) {
        const int64_t j = i + NN__LANES;
        const NN__F32 d = NN__(sub)(NN__(load)(x + i), m), e = NN__(sub)(NN__(load)(x + j), m);
        NN__F32 g = NN__(mul)(NN__(load)(dy + i), p), h = NN__(mul)(NN__(load)(dy + j), p);
        if (weight) {
            g = NN__(mul)(g, NN__(load)(weight + i));
            h = NN__(mul)(h, NN__(load)(weight + j));
        }
        NN__(put)(dx + i, NN__(add)(g, NN__(fma)(d, r, q)), streams);
        NN__(put)(dx + j, NN__(add)(h, NN__(fma)(e, r, q)), streams);
    }
    for (; i < n; i += NN__LANES) {
        const int64_t left = n - i;
        const NN__F32 d = NN__(sub)(NN__(load_up_to)(x + i, left, 0.0f), m);
        NN__F32 g = NN__(mul)(NN__(load_up_to)(dy + i, left, 0.0f), p);
        if (weight) g = NN__(mul)(g, NN__(load_up_to)(weight + i, left, 0.0f));
        g = NN__(add)(g, NN__(fma)(d, r, q));
        if (accumulate) g = NN__(add)(g, NN__(load_up_to)(dx + i, left, 0.0f));
        NN__(store_up_to)(dx + i, left, g);
    }
}
#endif

static const nn__norm_loops NN__(norm_loops) = {
    512 * NN__LANES,       NN__(row_sum),          NN__(norm_squares),
    NN__(norm_apply),      NN__(norm_apply_each),  NN__(norm_column_add),
    NN__(norm_column_apply), NN__(norm_totals),    NN__(norm_spread),
#ifndef NN_NO_TRAINING
    NN__(norm_sums),       NN__(norm_sums_each),   NN__(norm_dx),
    NN__(norm_column_sums), NN__(norm_column_dx)
#endif
};
#endif
