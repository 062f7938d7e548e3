/* kernels/matmul/vector_sums.h - the loops of products that are sums along k or sums of rows, which
   read b of any dtype in place, and the copies that tiles need. A part of
   kernels/matmul/vector.h. */
#ifdef NN__SET

/* ---- sums along k ---------------------------------------------------------------------------- */

#ifndef NN_NO_SIMD
/* Returns n < NN__LANES numbers of f16, bf16 or i8, followed by zeros. */
static NN__APART NN__F32 NN__(some_of_type)(const char *from, int n, nn_dtype type) {
    char part[2 * NN__LANES] = {0};
    memcpy(part, from, (size_t)n * (type == NN_I8 ? 1 : 2));
    if (type == NN_I8) return NN__(load_i8)((const int8_t *)part);
    if (type == NN_F16) return NN__(load_f16)((const uint16_t *)(const void *)part);
    return NN__(load_bf16)((const uint16_t *)(const void *)part);
}
/* Loads NN__LANES numbers of a matrix from element `at` on, of which only the first n may be
   read. */
NN__INLINE NN__F32 NN__(of_type)(const void *x, ptrdiff_t at, int n, const nn_dtype type) {
    const char *from = (const char *)x + at * (type == NN_F32 ? 4 : type == NN_I8 ? 1 : 2);
    if (type == NN_F32) return NN__(load_up_to)((const float *)(const void *)from, n, 0.0f);
    if (n < NN__LANES) return NN__(some_of_type)(from, n, type);
    if (type == NN_I8) return NN__(load_i8)((const int8_t *)from);
    if (type == NN_F16) return NN__(load_f16)((const uint16_t *)(const void *)from);
    return NN__(load_bf16)((const uint16_t *)(const void *)from);
}
#else
#define nn__of_type_plain(x, at, n, type)                                                          \
    ((void)(n), (void)(type), ((const float *)(x))[at])
#endif

/* Stores the sums of four vectors, each added as a tree of neighbours, as in the functions
   below. */
NN__OP void NN__(sum4)(float *y, NN__F32 a, NN__F32 b, NN__F32 c, NN__F32 d) {
#if NN__LANES == 1
    y[0] = a, y[1] = b, y[2] = c, y[3] = d;
#else
    NN__F32 v = NN__(pairs)(NN__(pairs)(a, b), NN__(pairs)(c, d));
    if (NN__LANES > 4) v = NN__(pairs)(v, v);
    if (NN__LANES > 8) v = NN__(pairs)(v, v);
    NN__(store_some)(y, 4, v);
#endif
}

/* Processes one row of b after the other: memory is read in order, so the processor prefetches it.
   rows: 1, or 4 rows of a for each number of b that is read; missing rows are replaced by the
   first. */
NN__INLINE void NN__(along)(const nn__dots *d, const void *b, const nn_dtype type,
                            const int rows) {
    const int depth = d->depth, step = (rows == 1 ? 4 : 2) * NN__LANES;
    const float *a0 = d->a, *a1 = d->rows > 1 ? a0 + d->a_row : a0,
                *a2 = d->rows > 2 ? a1 + d->a_row : a0, *a3 = d->rows > 3 ? a2 + d->a_row : a0;
    const NN__F32 zero = NN__(all)(0.0f);
    for (int j = 0; j < d->columns; j++) {
        const ptrdiff_t at = j * d->b_row;
        NN__F32 s0 = zero, s1 = zero, s2 = zero, s3 = zero, t0 = zero, t1 = zero, t2 = zero,
                t3 = zero;
        int p = 0;
        for (; p + step <= depth; p += step) {
            const NN__F32 u = NN__(of_type)(b, at + p, NN__LANES, type),
                          v = NN__(of_type)(b, at + p + NN__LANES, NN__LANES, type);
#if NN__LANES >= 8
            if (type != NN_F32 || rows > 1) /* converting takes longer than reading */
                NN__(ahead)((const char *)b +
                            (at + p) * (type == NN_F32 ? 4 : type == NN_I8 ? 1 : 2) + 8192);
#endif
            s0 = NN__(fma)(NN__(load)(a0 + p), u, s0);
            if (rows == 1) {
                s1 = NN__(fma)(NN__(load)(a0 + p + NN__LANES), v, s1);
                s2 = NN__(fma)(NN__(load)(a0 + p + 2 * NN__LANES),
                               NN__(of_type)(b, at + p + 2 * NN__LANES, NN__LANES, type), s2);
                s3 = NN__(fma)(NN__(load)(a0 + p + 3 * NN__LANES),
                               NN__(of_type)(b, at + p + 3 * NN__LANES, NN__LANES, type), s3);
                continue;
            }
            t0 = NN__(fma)(NN__(load)(a0 + p + NN__LANES), v, t0);
            s1 = NN__(fma)(NN__(load)(a1 + p), u, s1);
            t1 = NN__(fma)(NN__(load)(a1 + p + NN__LANES), v, t1);
            s2 = NN__(fma)(NN__(load)(a2 + p), u, s2);
            t2 = NN__(fma)(NN__(load)(a2 + p + NN__LANES), v, t2);
            s3 = NN__(fma)(NN__(load)(a3 + p), u, s3);
            t3 = NN__(fma)(NN__(load)(a3 + p + NN__LANES), v, t3);
        }
        for (; p < depth; p += NN__LANES) {
            const int n = depth - p;
            const NN__F32 u = NN__(of_type)(b, at + p, n, type);
            s0 = NN__(fma)(NN__(load_up_to)(a0 + p, n, 0.0f), u, s0);
            if (rows == 1) continue;
            s1 = NN__(fma)(NN__(load_up_to)(a1 + p, n, 0.0f), u, s1);
            s2 = NN__(fma)(NN__(load_up_to)(a2 + p, n, 0.0f), u, s2);
            s3 = NN__(fma)(NN__(load_up_to)(a3 + p, n, 0.0f), u, s3);
        }
        float *y = d->y + j * d->y_step, sum[4];
        if (rows == 1)
            sum[0] = NN__(sum)(NN__(add)(NN__(add)(s0, s1), NN__(add)(s2, s3)));
        else
            NN__(sum4)(sum, NN__(add)(s0, t0), NN__(add)(s1, t1), NN__(add)(s2, t2),
                       NN__(add)(s3, t3));
        for (int i = 0; i < (rows == 1 ? 1 : d->rows); i++, y += d->y_row)
            *y = d->add ? *y + sum[i] : sum[i];
    }
}

/* Prefetches n numbers from element `at` on. Short rows that are far apart, such as the keys and
   values of a head, stop the hardware's prefetcher. GPT-2 with 1,000 cached positions takes 1.5
   times as long without this, and 1.3 times with a distance of 8 rows. */
#define NN__ROWS_AHEAD 48
NN__INLINE void NN__(ahead_of)(const void *b, ptrdiff_t at, int n, const nn_dtype type) {
    const ptrdiff_t size = type == NN_I8 ? 1 : type == NN_F32 ? 4 : 2;
    for (ptrdiff_t i = 0; i < n * size; i += 64) NN__(ahead)((const char *)b + at * size + i);
}

#if NN__LANES == 1
static void NN__(dot)(const nn__dots *d) {
    nn__dots one = *d;
    for (int i = 0; i < d->rows; i++, one.a += d->a_row, one.y += d->y_row)
        NN__(along)(&one, d->b, NN_F32, 1);
}

#else
/* Multiplies rows of a by four rows of b, or two. All sums are added in the same order. */
NN__INLINE void NN__(dot_block)(const nn__dots *d, const void *b, const nn_dtype type, int i, int j,
                                const int rows, const int columns) {
    const int depth = d->depth, count = d->columns - j;
    const float *a0 = d->a + i * d->a_row, *a1 = rows > 1 ? a0 + d->a_row : a0,
                *a2 = rows > 2 && i + 2 < d->rows ? a1 + d->a_row : a0,
                *a3 = rows > 2 && i + 3 < d->rows ? a2 + d->a_row : a0;
    const ptrdiff_t j0 = j * d->b_row, j1 = count > 1 ? j0 + d->b_row : j0,
                    j2 = count > 2 ? j1 + d->b_row : j0, j3 = count > 3 ? j2 + d->b_row : j0;
    const NN__F32 zero = NN__(all)(0.0f);
    NN__F32 s00 = zero, s01 = zero, s02 = zero, s03 = zero, s10 = zero, s11 = zero, s12 = zero,
            s13 = zero, s20 = zero, s21 = zero, s22 = zero, s23 = zero, s30 = zero, s31 = zero,
            s32 = zero, s33 = zero;
#define NN__DOT(i, n)                                                                              \
    if (i < rows) {                                                                                \
        const NN__F32 u = NN__(load_up_to)(a##i + p, n, 0.0f);                                     \
        s##i##0 = NN__(fma)(u, v0, s##i##0), s##i##1 = NN__(fma)(u, v1, s##i##1);                  \
        if (columns > 2) s##i##2 = NN__(fma)(u, v2, s##i##2), s##i##3 = NN__(fma)(u, v3, s##i##3); \
    }
#define NN__DOTS(n)                                                                                \
    {                                                                                              \
        const NN__F32 v0 = NN__(of_type)(b, j0 + p, n, type),                                      \
                      v1 = NN__(of_type)(b, j1 + p, n, type),                                      \
                      v2 = NN__(of_type)(b, j2 + p, n, type),                                      \
                      v3 = NN__(of_type)(b, j3 + p, n, type);                                      \
        NN__DOT(0, n) NN__DOT(1, n) NN__DOT(2, n) NN__DOT(3, n)                                    \
    }
    int p = 0;
    for (; p + NN__LANES <= depth; p += NN__LANES) NN__DOTS(NN__LANES)
    if (p < depth) NN__DOTS(depth - p)
#undef NN__DOT
#undef NN__DOTS
    float *y = d->y + i * d->y_row + j * d->y_step, sum[16];
    NN__(sum4)(sum, s00, s01, columns > 2 ? s02 : s10, columns > 2 ? s03 : s11);
    if (columns == 2) NN__(sum4)(sum + 4, s20, s21, s30, s31);
    if (columns > 2 && rows > 1) NN__(sum4)(sum + 4, s10, s11, s12, s13);
    if (columns > 2 && rows > 2) NN__(sum4)(sum + 8, s20, s21, s22, s23);
    if (columns > 2 && rows > 2) NN__(sum4)(sum + 12, s30, s31, s32, s33);
    for (int r = 0; r < rows && i + r < d->rows; r++, y += d->y_row)
        for (int e = 0; e < columns && e < count; e++) {
            float *at = y + e * d->y_step;
            *at = d->add ? *at + sum[columns * r + e] : sum[columns * r + e];
        }
}

/* Multiplies one row of a by 16 or 8 rows of b at once and stores adjacent sums. So many
   independent sums hide the latency of each, and a later vector load of the sums waits for a single
   store. Returns the number of columns done. */
#if NN__LANES > 8
#define NN__DOT_WIDE 16
#define NN__DOT_EACH(X)                                                                            \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#else
#define NN__DOT_WIDE    8
#define NN__DOT_EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#endif
#define NN__PAIRS4(a, b, c, d) NN__(pairs)(NN__(pairs)(a, b), NN__(pairs)(c, d))
static int NN__(dot_one)(const nn__dots *d) {
    const int depth = d->depth;
    const ptrdiff_t b_row = d->b_row;
    const NN__F32 zero = NN__(all)(0.0f);
    int j = 0;
    for (; j + NN__DOT_WIDE <= d->columns; j += NN__DOT_WIDE) {
        const float *a = d->a;
        float *y = d->y + j;
        int p = 0;
#define NN__X(i)                                                                                   \
    const float *b##i = d->b + (j + i) * b_row;                                                    \
    NN__F32 s##i = zero;
        NN__DOT_EACH(NN__X)
#undef NN__X
#define NN__X(i) s##i = NN__(fma)(u, NN__(load)(b##i + p), s##i);
        for (; p + NN__LANES <= depth; p += NN__LANES) {
            const NN__F32 u = NN__(load)(a + p);
            NN__DOT_EACH(NN__X)
        }
#undef NN__X
#define NN__X(i) s##i = NN__(fma)(u, NN__(load_some)(b##i + p, depth - p, 0.0f), s##i);
        if (p < depth) {
            const NN__F32 u = NN__(load_some)(a + p, depth - p, 0.0f);
            NN__DOT_EACH(NN__X)
        }
#undef NN__X
        NN__F32 v = NN__PAIRS4(s0, s1, s2, s3), w = NN__PAIRS4(s4, s5, s6, s7);
        if (NN__LANES > 4) v = NN__(pairs)(v, w);
#if NN__LANES > 8
        w = NN__(pairs)(NN__PAIRS4(s8, s9, s10, s11), NN__PAIRS4(s12, s13, s14, s15));
        v = NN__(pairs)(v, w);
#endif
        NN__(store)(y, d->add ? NN__(add)(NN__(load)(y), v) : v);
        if (NN__LANES == 4)
            NN__(store)(y + NN__LANES, d->add ? NN__(add)(NN__(load)(y + NN__LANES), w) : w);
    }
    return j;
}
#undef NN__DOT_WIDE
#undef NN__DOT_EACH

/* Does the same for rows of four numbers that lie side by side, several of them in a vector. */
static int NN__(dot_short)(const nn__dots *d) {
    float four[NN__LANES];
    int j = 0;
    for (int i = 0; i < NN__LANES; i++) four[i] = d->a[i % 4];
    const NN__F32 a = NN__(load)(four);
    for (; j + NN__LANES <= d->columns; j += NN__LANES) {
        const float *b = d->b + 4 * j;
        float *y = d->y + j;
        const NN__F32 s = NN__(mul)(a, NN__(load)(b)), t = NN__(mul)(a, NN__(load)(b + NN__LANES)),
                      u = NN__(mul)(a, NN__(load)(b + 2 * NN__LANES)),
                      v = NN__(mul)(a, NN__(load)(b + 3 * NN__LANES));
        const NN__F32 sums = NN__PAIRS4(s, t, u, v);
        NN__(store)(y, d->add ? NN__(add)(NN__(load)(y), sums) : sums);
    }
    return j;
}
#undef NN__PAIRS4

static void NN__(dot)(const nn__dots *d) {
    const bool one = d->rows == 1 && d->y_step == 1;
    int j = !one ? 0 : d->depth == 4 && d->b_row == 4 ? NN__(dot_short)(d) : NN__(dot_one)(d);
    for (; j < d->columns; j += 4)
#if NN__REGISTERS == 8
        for (int i = 0; i < d->rows; i++) NN__(dot_block)(d, d->b, NN_F32, i, j, 1, 4);
#elif NN__REGISTERS == 16
        for (int i = 0; i < d->rows; i += 2) {
            if (i + 1 < d->rows) NN__(dot_block)(d, d->b, NN_F32, i, j, 2, 4);
            else NN__(dot_block)(d, d->b, NN_F32, i, j, 1, 4);
        }
#else
        if (d->rows == 1) NN__(dot_block)(d, d->b, NN_F32, 0, j, 1, 4);
        else if (d->rows == 2) NN__(dot_block)(d, d->b, NN_F32, 0, j, 2, 4);
        else if (d->columns - j <= 2) NN__(dot_block)(d, d->b, NN_F32, 0, j, 4, 2);
        else NN__(dot_block)(d, d->b, NN_F32, 0, j, 4, 4);
#endif
}
#endif

#ifndef NN_NO_SIMD
NN__INLINE void NN__(dot_type)(const nn__dots *d, const void *b, const nn_dtype type) {
    if (d->rows > 1) NN__(along)(d, b, type, 4);
#if NN__LANES > 1
    else if (type != NN_F32 && d->depth < NN__DEEP)
        for (int j = 0; j < d->columns; j += 4) {
            for (int e = j + NN__ROWS_AHEAD; e < j + NN__ROWS_AHEAD + 4; e++)
                NN__(ahead_of)(b, e * d->b_row, d->depth, type);
            NN__(dot_block)(d, b, type, 0, j, 1, 4);
        }
#endif
    else NN__(along)(d, b, type, 1);
}
static void NN__(dot_row)(const nn__dots *d) {
    if (NN__LANES == 4 && d->rows == 1) NN__(dot)(d); /* fewer instructions */
    else NN__(dot_type)(d, d->b, NN_F32);
}
/* Memory limits products of stored f16, bf16 and i8, so AVX-512 uses those of AVX2. */
#ifndef NN__SET_AVX512
static void NN__(dot_f16)(const nn__dots *d, const void *b) { NN__(dot_type)(d, b, NN_F16); }
static void NN__(dot_bf16)(const nn__dots *d, const void *b) { NN__(dot_type)(d, b, NN_BF16); }
static void NN__(dot_bytes)(const nn__dots *d, const int8_t *b) { NN__(dot_type)(d, b, NN_I8); }
static void NN__(dot_halves)(const nn__dots *d, const uint16_t *b, bool f16) {
    (f16 ? NN__(dot_f16) : NN__(dot_bf16))(d, b);
}
#endif

/* ---- sums of rows ---------------------------------------------------------------------------- */

/* y[j] (+)= the sum over e < rows of a[e] b[e b_row + j], with the rows in order. */
NN__INLINE void NN__(add_type)(float *y, const float *a, const void *b, ptrdiff_t b_row, int rows,
                               int n, bool add, const nn_dtype type) {
    const NN__F32 zero = NN__(all)(0.0f);
    int j = 0;
    for (; j + 4 * NN__LANES <= n; j += 4 * NN__LANES) {
        float *to = y + j;
        ptrdiff_t at = j;
        NN__F32 s0 = zero, s1 = zero, s2 = zero, s3 = zero;
        if (add) {
            s0 = NN__(load)(to), s1 = NN__(load)(to + NN__LANES);
            s2 = NN__(load)(to + 2 * NN__LANES), s3 = NN__(load)(to + 3 * NN__LANES);
        }
        for (int e = 0; e < rows; e++, at += b_row) {
            const NN__F32 u = NN__(all)(a[e]);
            if (type != NN_F32)
                NN__(ahead_of)(b, at + NN__ROWS_AHEAD * b_row, 4 * NN__LANES, type);
            s0 = NN__(fma)(u, NN__(of_type)(b, at, NN__LANES, type), s0);
            s1 = NN__(fma)(u, NN__(of_type)(b, at + NN__LANES, NN__LANES, type), s1);
            s2 = NN__(fma)(u, NN__(of_type)(b, at + 2 * NN__LANES, NN__LANES, type), s2);
            s3 = NN__(fma)(u, NN__(of_type)(b, at + 3 * NN__LANES, NN__LANES, type), s3);
        }
        NN__(store)(to, s0), NN__(store)(to + NN__LANES, s1);
        NN__(store)(to + 2 * NN__LANES, s2), NN__(store)(to + 3 * NN__LANES, s3);
    }
    for (; j < n; j += NN__LANES) {
        NN__F32 s = add ? NN__(load_up_to)(y + j, n - j, 0.0f) : zero;
        for (int e = 0; e < rows; e++)
            s = NN__(fma)(NN__(all)(a[e]), NN__(of_type)(b, e * b_row + j, n - j, type), s);
        NN__(store_up_to)(y + j, n - j, s);
    }
}
static void NN__(add_rows)(float *y, const float *a, const float *b, ptrdiff_t b_row, int rows,
                           int n, bool add) {
    NN__(add_type)(y, a, b, b_row, rows, n, add, NN_F32);
}
#ifndef NN__SET_AVX512
static void NN__(add_halves)(float *y, const float *a, const uint16_t *b, bool f16, ptrdiff_t b_row,
                             int rows, int n) {
    if (f16) NN__(add_type)(y, a, b, b_row, rows, n, true, NN_F16);
    else NN__(add_type)(y, a, b, b_row, rows, n, true, NN_BF16);
}
static void NN__(add_bytes)(float *y, const float *a, const int8_t *b, ptrdiff_t b_row, int rows,
                            int n, bool add) {
    NN__(add_type)(y, a, b, b_row, rows, n, add, NN_I8);
}
#endif

/* y[j] = a b[j] */
static void NN__(scale_row)(float *y, float a, const float *b, int n, bool streams) {
    const NN__F32 u = NN__(all)(a);
    for (int j = 0; j < n; j += NN__LANES) {
        const NN__F32 v = NN__(mul)(u, NN__(load_up_to)(b + j, n - j, 0.0f));
        if (n - j >= NN__LANES) NN__(put)(y + j, v, streams);
        else NN__(store_some)(y + j, n - j, v);
    }
}
#endif

/* ---- copies ---------------------------------------------------------------------------------- */

#ifndef NN_NO_SIMD
NN__INLINE void NN__(widen_type)(float *to, const void *from, int n, const nn_dtype type) {
    for (int i = 0; i < n; i += NN__LANES)
        NN__(store_up_to)(to + i, n - i, NN__(of_type)(from, i, n - i, type));
}
static void NN__(widen)(float *to, const uint16_t *from, bool f16, int n) {
    if (f16) NN__(widen_type)(to, from, n, NN_F16);
    else NN__(widen_type)(to, from, n, NN_BF16);
}
#ifndef NN__SET_AVX512
static void NN__(widen_bytes)(float *to, const int8_t *from, int n) {
    NN__(widen_type)(to, from, n, NN_I8);
}
#endif

/* Separates the even and the odd numbers of a row. */
static void NN__(halve)(float *even, float *odd, const float *x, int at, int columns, int n) {
    int i = 0;
    for (; i < n && at < 0; i++, at += 2) {
        even[i] = 0;
        odd[i] = at == -1 && columns > 0 ? x[0] : 0;
    }
    for (; i < n; i += NN__LANES, at += 2 * NN__LANES) {
        const int left = nn__maxi(0, columns - at), more = nn__maxi(0, left - NN__LANES);
        const NN__F32 u = NN__(load_up_to)(x + at, left, 0.0f);
#if NN__LANES > 1
        const NN__F32 v = NN__(load_up_to)(x + at + (more ? NN__LANES : 0), more, 0.0f);
        NN__(store_up_to)(even + i, n - i, NN__(evens)(u, v));
        NN__(store_up_to)(odd + i, n - i, NN__(odds)(u, v));
#else
        even[i] = u;
        odd[i] = more ? x[at + 1] : 0;
#endif
    }
}
#endif

#if NN__LANES > 1
/* Transposes a block at an edge. The loop over whole blocks is faster without it. */
static NN__APART void NN__(transpose_edge)(float *to, ptrdiff_t to_row, const float *from,
                                           ptrdiff_t from_row, int rows, int columns) {
    NN__(transpose_part)(to, to_row, from, from_row, rows, columns);
}
#endif
static void NN__(transpose)(float *to, ptrdiff_t to_row, const float *from, ptrdiff_t from_row,
                            int rows, int columns) {
#if NN__LANES == 1
    for (int i0 = 0; i0 < rows; i0 += 16) { /* 16 columns of `to` make one cache line */
        const int i1 = nn__mini(rows, i0 + 16);
        for (int j = 0; j < columns; j++)
            for (int i = i0; i < i1; i++) to[j * to_row + i] = from[i * from_row + j];
    }
#else
    for (int i = 0; i < rows; i += NN__LANES, from += NN__LANES * from_row)
        for (int j = 0; j < columns; j += NN__LANES) {
            const int high = nn__mini(NN__LANES, rows - i), wide = nn__mini(NN__LANES, columns - j);
            float *at = to + j * to_row + i;
            if (high == NN__LANES && wide == NN__LANES)
                NN__(transpose_square)(at, to_row, from + j, from_row);
            else if (high * wide > 8)
                NN__(transpose_edge)(at, to_row, from + j, from_row, high, wide);
            else
                for (int e = 0; e < high; e++)
                    for (int l = 0; l < wide; l++) at[l * to_row + e] = from[e * from_row + j + l];
        }
#endif
}

static void NN__(pick_every)(float *to, const float *from, ptrdiff_t stride, int n) {
    int i = 0;
    if (stride == 1) {
        for (; i < n; i += NN__LANES)
            NN__(store_up_to)(to + i, n - i, NN__(load_up_to)(from + i, n - i, 0.0f));
        return;
    }
#if NN__LANES > 1
    for (; stride == 2 && i + NN__LANES < n; i += NN__LANES) /* nothing after the last is read */
        NN__(store)(to + i, NN__(evens)(NN__(load)(from + 2 * i),
                                        NN__(load)(from + 2 * i + NN__LANES)));
#endif
    for (; i < n; i++) to[i] = from[i * stride];
}

#undef NN__ROWS_AHEAD
#ifdef NN_NO_SIMD
#undef nn__of_type_plain
#endif
#endif
