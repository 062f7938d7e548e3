/* kernels/norm/cpu_columns.c - the loops of norms on the CPU over rows of numbers that have a mean
   each, column by column: short channels side by side. Four rows at a time, so that what belongs to
   a column is read and written once for all of them. */
#include "kernels/norm/cpu_vectors.h"

#ifdef NN__VECTOR8
NN__AVX2 static NN__ALWAYS_INLINE __m256 nn__norm_get8(const float *x, const bool whole, int left) {
    return whole ? _mm256_loadu_ps(x) : nn__load_tail8(x, left, 0.0f);
}
NN__AVX2 static NN__ALWAYS_INLINE void nn__norm_put8(float *y, __m256 v, const bool whole,
                                                     int left) {
    if (whole)
        _mm256_storeu_ps(y, v);
    else
        nn__store_tail8(y, left, v);
}

/* Asks for the same columns of later rows, which begin pages away, where a machine's own reading
   ahead does not look. */
NN__AVX2 static NN__ALWAYS_INLINE void nn__norm_ahead(const float *x, ptrdiff_t row) {
    _mm_prefetch((const char *)(const void *)(x + NN__NORM_ROWS * row), _MM_HINT_T1);
}

/* What a loop does with a vector or two of columns: two are a line of a cache, in which rows that
   lie pages apart push each other out. `all`: with NN__NORM_ROWS rows, or else with one; `whole`:
   with 16 columns, or else with the `left` last ones, at most 8. */
#define NN__GET(x)    nn__norm_get8(x, whole, left)
#define NN__PUT(y, v) nn__norm_put8(y, v, whole, left)
#define NN__NORM_EACH_ROW                                                                          \
    NN__X(0)                                                                                       \
    if (all) {                                                                                     \
        NN__X(1) NN__X(2) NN__X(3)                                                                 \
    }

NN__AVX2 static NN__ALWAYS_INLINE void nn__norm_add16(float *acc, const float *x, ptrdiff_t row,
                                                      const bool all, const bool whole, int left) {
    __m256 sum = NN__GET(acc), more = whole ? NN__GET(acc + 8) : sum;
#define NN__X(r)                                                                                   \
    nn__norm_ahead(x + r * row, row);                                                              \
    sum = _mm256_add_ps(sum, NN__GET(x + r * row));                                                \
    if (whole) more = _mm256_add_ps(more, NN__GET(x + r * row + 8));
    NN__NORM_EACH_ROW
#undef NN__X
    NN__PUT(acc, sum);
    if (whole) NN__PUT(acc + 8, more);
}

NN__AVX2 static NN__ALWAYS_INLINE void nn__norm_squares16(float *acc, const float *x, ptrdiff_t row,
                                                          const float *means, const bool all,
                                                          const bool whole, int left) {
    const __m256 m = NN__GET(means), l = whole ? NN__GET(means + 8) : m;
    __m256 sum = NN__GET(acc), more = whole ? NN__GET(acc + 8) : sum, d;
#define NN__X(r)                                                                                   \
    d = _mm256_sub_ps(NN__GET(x + r * row), m);                                                    \
    sum = _mm256_fmadd_ps(d, d, sum);                                                              \
    if (whole) {                                                                                   \
        d = _mm256_sub_ps(NN__GET(x + r * row + 8), l);                                            \
        more = _mm256_fmadd_ps(d, d, more);                                                        \
    }
    NN__NORM_EACH_ROW
#undef NN__X
    NN__PUT(acc, sum);
    if (whole) NN__PUT(acc + 8, more);
}

NN__AVX2 static NN__ALWAYS_INLINE void nn__norm_pairs16(float *a, float *b, const float *dy,
                                                        const float *x, ptrdiff_t row,
                                                        const float *means, const bool all,
                                                        const bool whole, int left) {
    const __m256 m = NN__GET(means), l = whole ? NN__GET(means + 8) : m;
    __m256 a0 = NN__GET(a), a1 = whole ? NN__GET(a + 8) : a0, b0 = NN__GET(b),
           b1 = whole ? NN__GET(b + 8) : b0, g;
#define NN__X(r)                                                                                   \
    nn__norm_ahead(dy + r * row, row);                                                             \
    nn__norm_ahead(x + r * row, row);                                                              \
    g = NN__GET(dy + r * row);                                                                     \
    a0 = _mm256_add_ps(a0, g);                                                                     \
    b0 = _mm256_fmadd_ps(g, _mm256_sub_ps(NN__GET(x + r * row), m), b0);                           \
    if (whole) {                                                                                   \
        g = NN__GET(dy + r * row + 8);                                                             \
        a1 = _mm256_add_ps(a1, g);                                                                 \
        b1 = _mm256_fmadd_ps(g, _mm256_sub_ps(NN__GET(x + r * row + 8), l), b1);                   \
    }
    NN__NORM_EACH_ROW
#undef NN__X
    NN__PUT(a, a0);
    NN__PUT(b, b0);
    if (whole) NN__PUT(a + 8, a1);
    if (whole) NN__PUT(b + 8, b1);
}

NN__AVX2 static NN__ALWAYS_INLINE void nn__norm_results16(float *y, const float *x, ptrdiff_t row,
                                                          const float *means, int n,
                                                          const nn__clamp clamp, const bool all,
                                                          const bool whole, int left) {
    const float *scales = means + n, *shifts = scales + n;
    const __m256 m0 = NN__GET(means), m1 = whole ? NN__GET(means + 8) : m0, s0 = NN__GET(scales),
                 s1 = whole ? NN__GET(scales + 8) : s0, t0 = NN__GET(shifts),
                 t1 = whole ? NN__GET(shifts + 8) : t0;
    __m256 d, e;
#define NN__X(r)                                                                                   \
    d = _mm256_sub_ps(NN__GET(x + r * row), m0);                                                   \
    e = whole ? _mm256_sub_ps(NN__GET(x + r * row + 8), m1) : d;                                   \
    NN__PUT(y + r * row, nn__norm_clamp8(_mm256_fmadd_ps(d, s0, t0), clamp));                      \
    if (whole) NN__PUT(y + r * row + 8, nn__norm_clamp8(_mm256_fmadd_ps(e, s1, t1), clamp));
    NN__NORM_EACH_ROW
#undef NN__X
}

NN__AVX2 static NN__ALWAYS_INLINE void nn__norm_dx16(float *dx, const float *dy, const float *x,
                                                     ptrdiff_t row, const float *means, int n,
                                                     const bool accumulate, const bool all,
                                                     const bool whole, int left) {
    const float *p = means + n, *q = p + n, *k = q + n;
    const __m256 m0 = NN__GET(means), m1 = whole ? NN__GET(means + 8) : m0, p0 = NN__GET(p),
                 p1 = whole ? NN__GET(p + 8) : p0, q0 = NN__GET(q),
                 q1 = whole ? NN__GET(q + 8) : q0, k0 = NN__GET(k),
                 k1 = whole ? NN__GET(k + 8) : k0;
    __m256 g, h;
#define NN__DX(at, m, p, q, k)                                                                     \
    _mm256_fmadd_ps(NN__GET(dy + (at)), p,                                                         \
                    _mm256_fmadd_ps(_mm256_sub_ps(NN__GET(x + (at)), m), k, q))
#define NN__X(r)                                                                                   \
    g = NN__DX(r * row, m0, p0, q0, k0);                                                           \
    h = whole ? NN__DX(r * row + 8, m1, p1, q1, k1) : g;                                           \
    if (accumulate) g = _mm256_add_ps(g, NN__GET(dx + r * row));                                   \
    if (accumulate && whole) h = _mm256_add_ps(h, NN__GET(dx + r * row + 8));                      \
    NN__PUT(dx + r * row, g);                                                                      \
    if (whole) NN__PUT(dx + r * row + 8, h);
    NN__NORM_EACH_ROW
#undef NN__X
#undef NN__DX
}
#undef NN__GET
#undef NN__PUT
#undef NN__NORM_EACH_ROW

/* All columns of all rows; NN__X(at, i, all, whole, left) is one of the above, `at` where the row
   begins. */
#define NN__NORM_COLUMNS(all)                                                                      \
    for (; i + 16 <= n; i += 16) NN__X(at + i, i, all, true, 8);                                   \
    for (; i < n; i += 8) NN__X(at + i, i, all, false, n - i);
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

NN__AVX2 static void nn__norm_column_add8(float *acc, const float *x, ptrdiff_t row, int rows,
                                          const float *means, int n) {
    if (means) {
#define NN__X(at, i, ...) nn__norm_squares16(acc + (i), x + (at), row, means + (i), __VA_ARGS__)
        NN__NORM_EACH
#undef NN__X
    } else {
#define NN__X(at, i, ...) nn__norm_add16(acc + (i), x + (at), row, __VA_ARGS__)
        NN__NORM_EACH
#undef NN__X
    }
}

NN__AVX2 static void nn__norm_column_sums8(float *a, float *b, const float *dy, const float *x,
                                           ptrdiff_t row, int rows, const float *means, int n) {
#define NN__X(at, i, ...)                                                                          \
    nn__norm_pairs16(a + (i), b + (i), dy + (at), x + (at), row, means + (i), __VA_ARGS__)
    NN__NORM_EACH
#undef NN__X
}

NN__AVX2 static void nn__norm_column_apply8(float *y, const float *x, ptrdiff_t row, int rows,
                                            const float *factors, int n, nn__clamp clamp) {
#define NN__X(at, i, ...)                                                                          \
    nn__norm_results16(y + (at), x + (at), row, factors + (i), n, known, __VA_ARGS__)
    if (clamp == NN__CLAMP_RELU) {
        const nn__clamp known = NN__CLAMP_RELU;
        NN__NORM_EACH
    } else if (clamp == NN__CLAMP_RELU6) {
        const nn__clamp known = NN__CLAMP_RELU6;
        NN__NORM_EACH
    } else {
        const nn__clamp known = NN__CLAMP_NOT;
        NN__NORM_EACH
    }
#undef NN__X
}

NN__AVX2 static void nn__norm_column_dx8(float *dx, const float *dy, const float *x, ptrdiff_t row,
                                         int rows, const float *factors, int n, bool accumulate) {
#define NN__X(at, i, ...)                                                                          \
    nn__norm_dx16(dx + (at), dy + (at), x + (at), row, factors + (i), n, known, __VA_ARGS__)
    if (accumulate) {
        const bool known = true;
        NN__NORM_EACH
    } else {
        const bool known = false;
        NN__NORM_EACH
    }
#undef NN__X
}
#undef NN__NORM_COLUMNS
#undef NN__NORM_EACH

NN__AVX2 static void nn__norm_totals8(double *to, const float *x, int inner, int count) {
    for (int c = 0; c < count; c++, x += inner) {
        __m256 sum = nn__norm_get8(x, inner >= 8, inner);
        for (int i = 8; i < inner; i += 8)
            sum = _mm256_add_ps(sum, nn__norm_load8(x, i, inner, 0.0f));
        to[c] = (double)nn__sum8(sum);
    }
}

/* What is written beyond a channel's end is written again by the next one. */
NN__AVX2 static void nn__norm_spread8(float *to, const float *values, int step, int inner,
                                      int count) {
    for (int c = 0; c < count; c++, to += inner) {
        const __m256 v = _mm256_set1_ps(values[(ptrdiff_t)c * step]);
        for (int i = 0; i < inner; i += 8) nn__norm_store8(to, i, (count - c) * inner, v);
    }
}
#endif

NN_PRIVATE void nn__norm_totals(const nn__cpu *cpu, double *to, const float *x, int inner,
                                int count) {
    NN__NORM_VECTORS(cpu, nn__norm_totals8(to, x, inner, count))
    for (int c = 0; c < count; c++) {
        to[c] = 0.0;
        for (int i = 0; i < inner; i++) to[c] += (double)*x++;
    }
}

NN_PRIVATE void nn__norm_spread(const nn__cpu *cpu, float *to, const float *values, int step,
                                int inner, int count) {
    NN__NORM_VECTORS(cpu, nn__norm_spread8(to, values, step, inner, count))
    for (int c = 0; c < count; c++)
        for (int i = 0; i < inner; i++) *to++ = values[(ptrdiff_t)c * step];
}

NN_PRIVATE void nn__norm_column_add(const nn__cpu *cpu, float *acc, const float *x, ptrdiff_t row,
                                    int rows, const float *means, int n) {
    NN__NORM_VECTORS(cpu, nn__norm_column_add8(acc, x, row, rows, means, n))
    for (int r = 0; r < rows; r++, x += row)
        if (means)
            for (int i = 0; i < n; i++) acc[i] += (x[i] - means[i]) * (x[i] - means[i]);
        else
            for (int i = 0; i < n; i++) acc[i] += x[i];
}

NN_PRIVATE void nn__norm_column_sums(const nn__cpu *cpu, float *a, float *b, const float *dy,
                                     const float *x, ptrdiff_t row, int rows, const float *means,
                                     int n) {
    NN__NORM_VECTORS(cpu, nn__norm_column_sums8(a, b, dy, x, row, rows, means, n))
    for (int r = 0; r < rows; r++, dy += row, x += row)
        for (int i = 0; i < n; i++) {
            a[i] += dy[i];
            b[i] += dy[i] * (x[i] - means[i]);
        }
}

NN_PRIVATE void nn__norm_column_apply(const nn__cpu *cpu, float *y, const float *x, ptrdiff_t row,
                                      int rows, const float *factors, int n, nn__clamp clamp) {
    NN__NORM_VECTORS(cpu, nn__norm_column_apply8(y, x, row, rows, factors, n, clamp))
    const float *means = factors, *scales = means + n, *shifts = scales + n;
    (void)clamp;
    for (int r = 0; r < rows; r++, y += row, x += row)
        for (int i = 0; i < n; i++) y[i] = (x[i] - means[i]) * scales[i] + shifts[i];
}

NN_PRIVATE void nn__norm_column_dx(const nn__cpu *cpu, float *dx, const float *dy, const float *x,
                                   ptrdiff_t row, int rows, const float *factors, int n,
                                   bool accumulate) {
    NN__NORM_VECTORS(cpu, nn__norm_column_dx8(dx, dy, x, row, rows, factors, n, accumulate))
    const float *means = factors, *p = means + n, *q = p + n, *k = q + n;
    for (int r = 0; r < rows; r++, dx += row, dy += row, x += row)
        for (int i = 0; i < n; i++) {
            const float g = p[i] * dy[i] + (q[i] + k[i] * (x[i] - means[i]));
            dx[i] = accumulate ? dx[i] + g : g;
        }
}
