/* kernels/norm/vector_columns.h - the loops of norms over rows in which short channels lie side by
   side. `means` holds one number for each column, the mean of its channel. The loops process four
   rows at a time, so the numbers of a column are read and written once for all four. Part of
   kernels/norm/vector.h. */
#ifdef NN__SET

/* Prefetches the same columns of later rows. These lie pages away, where the hardware prefetcher
   does not look. */
NN__OP void NN__(norm_ahead)(const float *x, ptrdiff_t row) {
    NN__(ahead)(x + NN__NORM_ROWS * row);
}

/* The body of a loop over two vectors of columns, or over the `left` last columns, at most one
   vector. Two AVX2 vectors are a cache line: rows that lie pages apart evict each other, so half a
   line at a time would be read twice (1.3 times slower). `all`: NN__NORM_ROWS rows, else one row.
   `whole`: two vectors. */
#define NN__NORM_EACH_ROW                                                                          \
    NN__X(0)                                                                                       \
    if (all) {                                                                                     \
        NN__X(1) NN__X(2) NN__X(3)                                                                 \
    }
#define NN__GET(x)      NN__(load_up_to)(x, left, 0.0f)
#define NN__PUT(y, v)   NN__(store_up_to)(y, left, v)
#define NN__MORE(x, v)  (whole ? NN__(load)((x) + NN__LANES) : (v))
#define NN__PUSH(y, v) \
    if (whole) NN__(store)((y) + NN__LANES, v)

NN__INLINE void NN__(norm_add_some)(float *acc, const float *x, ptrdiff_t row, const bool all,
                                    const bool whole, const int left) {
    NN__F32 sum = NN__GET(acc), more = NN__MORE(acc, sum), v;
#define NN__X(r)                                                                                   \
    NN__(norm_ahead)(x + r * row, row);                                                            \
    v = NN__GET(x + r * row);                                                                      \
    sum = NN__(add)(sum, v);                                                                       \
    more = NN__(add)(more, NN__MORE(x + r * row, v));
    NN__NORM_EACH_ROW
#undef NN__X
    NN__PUT(acc, sum);
    NN__PUSH(acc, more);
}
NN__INLINE void NN__(norm_squares_some)(float *acc, const float *x, ptrdiff_t row,
                                        const float *means, const bool all, const bool whole,
                                        const int left) {
    const NN__F32 m = NN__GET(means), l = NN__MORE(means, m);
    NN__F32 sum = NN__GET(acc), more = NN__MORE(acc, sum), v, d, e;
#define NN__X(r)                                                                                   \
    v = NN__GET(x + r * row);                                                                      \
    d = NN__(sub)(v, m), e = NN__(sub)(NN__MORE(x + r * row, v), l);                               \
    sum = NN__(fma)(d, d, sum), more = NN__(fma)(e, e, more);
    NN__NORM_EACH_ROW
#undef NN__X
    NN__PUT(acc, sum);
    NN__PUSH(acc, more);
}
NN__INLINE void NN__(norm_results_some)(float *y, const float *x, ptrdiff_t row,
                                        const float *means, int n, const nn__clamp clamp,
                                        const bool all, const bool whole, const int left) {
    const float *scales = means + n, *shifts = scales + n;
    const NN__F32 m = NN__GET(means), s = NN__GET(scales), t = NN__GET(shifts),
                  l = NN__MORE(means, m), o = NN__MORE(scales, s), p = NN__MORE(shifts, t);
    NN__F32 v, d, e;
#define NN__X(r)                                                                                   \
    v = NN__GET(x + r * row);                                                                      \
    d = NN__(fma)(NN__(sub)(v, m), s, t);                                                          \
    e = NN__(fma)(NN__(sub)(NN__MORE(x + r * row, v), l), o, p);                                   \
    NN__PUT(y + r * row, NN__(norm_clamp)(d, clamp));                                              \
    NN__PUSH(y + r * row, NN__(norm_clamp)(e, clamp));
    NN__NORM_EACH_ROW
#undef NN__X
}
#ifndef NN_NO_TRAINING
NN__INLINE void NN__(norm_pairs_some)(float *a, float *b, const float *dy, const float *x,
                                      ptrdiff_t row, const float *means, const bool all,
                                      const bool whole, const int left) {
    const NN__F32 m = NN__GET(means), l = NN__MORE(means, m);
    NN__F32 a0 = NN__GET(a), a1 = NN__MORE(a, a0), b0 = NN__GET(b), b1 = NN__MORE(b, b0), g, h, v;
#define NN__X(r)                                                                                   \
    NN__(norm_ahead)(dy + r * row, row);                                                           \
    NN__(norm_ahead)(x + r * row, row);                                                            \
    g = NN__GET(dy + r * row), h = NN__MORE(dy + r * row, g);                                      \
    v = NN__GET(x + r * row);                                                                      \
    a0 = NN__(add)(a0, g), a1 = NN__(add)(a1, h);                                                  \
    b0 = NN__(fma)(g, NN__(sub)(v, m), b0);                                                        \
    b1 = NN__(fma)(h, NN__(sub)(NN__MORE(x + r * row, v), l), b1);
    NN__NORM_EACH_ROW
#undef NN__X
    NN__PUT(a, a0);
    NN__PUT(b, b0);
    NN__PUSH(a, a1);
    NN__PUSH(b, b1);
}
NN__INLINE void NN__(norm_dx_some)(float *dx, const float *dy, const float *x, ptrdiff_t row,
                                   const float *means, int n, const bool accumulate,
                                   const bool all, const bool whole, const int left) {
    const float *p = means + n, *q = p + n, *k = q + n;
    const NN__F32 m0 = NN__GET(means), p0 = NN__GET(p), q0 = NN__GET(q), k0 = NN__GET(k),
                  m1 = NN__MORE(means, m0), p1 = NN__MORE(p, p0), q1 = NN__MORE(q, q0),
                  k1 = NN__MORE(k, k0);
    NN__F32 g, h, v;
#define NN__X(r)                                                                                   \
    v = NN__GET(x + r * row);                                                                      \
    g = NN__(fma)(NN__(sub)(v, m0), k0, q0);                                                       \
    h = NN__(fma)(NN__(sub)(NN__MORE(x + r * row, v), m1), k1, q1);                                \
    v = NN__GET(dy + r * row);                                                                     \
    g = NN__(fma)(v, p0, g), h = NN__(fma)(NN__MORE(dy + r * row, v), p1, h);                      \
    if (accumulate) {                                                                              \
        v = NN__GET(dx + r * row);                                                                 \
        g = NN__(add)(g, v), h = NN__(add)(h, NN__MORE(dx + r * row, v));                          \
    }                                                                                              \
    NN__PUT(dx + r * row, g);                                                                      \
    NN__PUSH(dx + r * row, h);
    NN__NORM_EACH_ROW
#undef NN__X
}
#endif
#undef NN__GET
#undef NN__PUT
#undef NN__MORE
#undef NN__PUSH
#undef NN__NORM_EACH_ROW

/* Goes through all columns of all rows. NN__X(at, i, all, whole, left) is such a body; `at` is
   where the row begins. */
#define NN__NORM_COLUMNS(all)                                                                      \
    for (; i + 2 * NN__LANES <= n; i += 2 * NN__LANES) NN__X(at + i, i, all, true, NN__LANES);     \
    for (; i < n; i += NN__LANES) NN__X(at + i, i, all, false, n - i);
#define NN__NORM_EACH                                                                              \
    for (int r = 0; r < rows;) {                                                                   \
        const ptrdiff_t at = r * row;                                                              \
        int i = 0;                                                                                 \
        if (r + NN__NORM_ROWS <= rows) {                                                           \
            NN__NORM_COLUMNS(true)                                                                 \
            r += NN__NORM_ROWS;                                                                    \
        } else {                                                                                   \
            NN__NORM_COLUMNS(false)                                                                \
            r++;                                                                                   \
        }                                                                                          \
    }

static void NN__(norm_column_add)(float *acc, const float *x, ptrdiff_t row, int rows,
                                  const float *means, int n) {
    if (means) {
#define NN__X(at, i, all, whole, left)                                                             \
    NN__(norm_squares_some)(acc + (i), x + (at), row, means + (i), all, whole, left)
        NN__NORM_EACH
#undef NN__X
    } else {
#define NN__X(at, i, all, whole, left)                                                             \
    NN__(norm_add_some)(acc + (i), x + (at), row, all, whole, left)
        NN__NORM_EACH
#undef NN__X
    }
}

NN__INLINE void NN__(norm_column_apply_known)(float *y, const float *x, ptrdiff_t row, int rows,
                                              const float *factors, int n,
                                              const nn__clamp clamp) {
#define NN__X(at, i, all, whole, left)                                                             \
    NN__(norm_results_some)(y + (at), x + (at), row, factors + (i), n, clamp, all, whole, left)
    NN__NORM_EACH
#undef NN__X
}
static void NN__(norm_column_apply)(float *y, const float *x, ptrdiff_t row, int rows,
                                    const float *factors, int n, nn__clamp clamp) {
    if (clamp == NN__CLAMP_NOT)
        NN__(norm_column_apply_known)(y, x, row, rows, factors, n, NN__CLAMP_NOT);
    else
        NN__(norm_column_apply_known)(y, x, row, rows, factors, n, clamp);
}

#ifndef NN_NO_TRAINING
static void NN__(norm_column_sums)(float *a, float *b, const float *dy, const float *x,
                                   ptrdiff_t row, int rows, const float *means, int n) {
#define NN__X(at, i, all, whole, left)                                                             \
    NN__(norm_pairs_some)(a + (i), b + (i), dy + (at), x + (at), row, means + (i), all, whole, left)
    NN__NORM_EACH
#undef NN__X
}

static void NN__(norm_column_dx)(float *dx, const float *dy, const float *x, ptrdiff_t row,
                                 int rows, const float *factors, int n, bool accumulate) {
#define NN__X(at, i, all, whole, left)                                                             \
    NN__(norm_dx_some)(dx + (at), dy + (at), x + (at), row, factors + (i), n, accumulate, all,     \
                       whole, left)
    NN__NORM_EACH
#undef NN__X
}
#endif
#undef NN__NORM_COLUMNS
#undef NN__NORM_EACH

static void NN__(norm_totals)(double *to, const float *x, int inner, int count) {
    for (int c = 0; c < count; c++, x += inner) {
        NN__F32 sum = NN__(load_up_to)(x, inner, 0.0f);
        for (int i = NN__LANES; i < inner; i += NN__LANES)
            sum = NN__(add)(sum, NN__(load_up_to)(x + i, inner - i, 0.0f));
        to[c] = (double)NN__(sum)(sum);
    }
}

/* Numbers written beyond a channel's end are overwritten by the next channel. */
static void NN__(norm_spread)(float *to, const float *values, int step, int inner, int count) {
    for (int c = 0; c < count; c++, to += inner) {
        const NN__F32 v = NN__(all)(values[(ptrdiff_t)c * step]);
        for (int i = 0; i < inner; i += NN__LANES)
            NN__(store_up_to)(to + i, (count - c) * (int64_t)inner - i, v);
    }
}
#endif
