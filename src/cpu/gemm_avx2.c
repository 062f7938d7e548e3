/* cpu/gemm_avx2.c - tiles of 6 rows and 16 columns for AVX2 with FMA. kernels/matmul/cpu.c cuts
   matrices into such tiles; cpu/gemm_plain.c does the same in plain C and is easier to read. */
#include "cpu/gemm.h"

#include <math.h>

#ifdef NN__HAVE_X86

#define NN__GEMM_AVX2    NN__TARGET("avx2,fma")
#define NN__GEMM_ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5)

/* The first n of eight lanes. */
static NN__ALWAYS_INLINE NN__GEMM_AVX2 __m256i nn__avx2_mask(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* y[j] (+)= from[j], j in [0, n), with no store beyond. */
static NN__ALWAYS_INLINE NN__GEMM_AVX2 void nn__avx2_put(float *y, const float *from, int n,
                                                         bool add) {
    int j = 0;
    for (; j + 8 <= n; j += 8) {
        const __m256 value = _mm256_loadu_ps(from + j);
        _mm256_storeu_ps(y + j, add ? _mm256_add_ps(_mm256_loadu_ps(y + j), value) : value);
    }
    if (j + 4 <= n) {
        const __m128 value = _mm_loadu_ps(from + j);
        _mm_storeu_ps(y + j, add ? _mm_add_ps(_mm_loadu_ps(y + j), value) : value);
        j += 4;
    }
    for (; j < n; j++) y[j] = add ? y[j] + from[j] : from[j];
}

/* Asks for `rows` rows of what is read soon, each line once; returns where the next ones are. */
static NN__ALWAYS_INLINE NN__GEMM_AVX2 const char *nn__avx2_ask(const nn__ahead *ahead,
                                                                const char *at, int rows) {
    for (int e = 0; e < rows; e++, at += ahead->row)
        for (const char *line = at - ((uintptr_t)at & 63); line < at + ahead->bytes; line += 64)
            _mm_prefetch(line, _MM_HINT_T1);
    return at;
}

/* whole: 16 columns. Otherwise loads are masked, and the result goes through a small array: masked
   stores are slow. from: if not NULL, b comes from rows of a matrix that are from_row apart, and is
   left in its strip. */
static NN__ALWAYS_INLINE NN__GEMM_AVX2 void nn__avx2_body(const nn__tile *t,
                                                          const nn__ahead *ahead, const int rows,
                                                          const bool whole, const bool asks,
                                                          float *strip, const float *from,
                                                          ptrdiff_t from_row) {
    const __m256i mask0 = nn__avx2_mask(t->columns), mask1 = nn__avx2_mask(t->columns - 8);
    const int32_t *offset = t->b_offset;
    const float *b = t->b;
    const ptrdiff_t a_step = t->a_step, y_row = whole ? t->y_row : 16;
    const int depth = t->depth;
    float part[6 * 16] = {0}, *y = whole ? t->y : part;
    ptrdiff_t q = 0;
    const int parts = asks ? (depth + 15) / 16 : 1, visits = asks ? (rows + parts - 1) / parts : 0;
    const char *at[2] = {NULL, NULL};
    int visit = 0, each[2] = {0, 0};
    for (int w = 0; asks && w < 2; w++) {
        at[w] = ahead[w].at;
        each[w] = (ahead[w].rows + parts - 1) / parts;
    }
    if (!asks && depth >= NN__DEEP) /* when the sums are done, y is near */
        for (int i = 0; i < rows; i++) {
            _mm_prefetch((const char *)(t->y + i * t->y_row), _MM_HINT_T0);
            _mm_prefetch((const char *)(t->y + i * t->y_row + t->columns - 1), _MM_HINT_T0);
        }
#define NN__X(i)                                                                                   \
    const float *a##i = t->a[i < rows ? i : 0];                                                    \
    __m256 low##i = _mm256_setzero_ps(), high##i = low##i;
    NN__GEMM_ROWS(NN__X)
#undef NN__X
    for (int p = 0; p < depth;) {
        const int stop = asks ? nn__mini(depth, p + 16) : depth;
        for (int e = 0; e < visits && visit < rows; e++, visit++) {
            _mm_prefetch((const char *)(t->y + visit * t->y_row), _MM_HINT_T0);
            _mm_prefetch((const char *)(t->y + visit * t->y_row + t->columns - 1), _MM_HINT_T0);
        }
        for (int w = 0; asks && w < 2; w++) at[w] = nn__avx2_ask(ahead + w, at[w], each[w]);
        for (; p < stop; p++, q += a_step) {
            const float *row = from ? from : b + offset[p];
            const __m256 b0 = whole ? _mm256_loadu_ps(row) : _mm256_maskload_ps(row, mask0);
            const __m256 b1 = whole ? _mm256_loadu_ps(row + 8) : _mm256_maskload_ps(row + 8, mask1);
            if (from) {
                _mm_prefetch((const char *)(from + NN__TILE_AHEAD * from_row), _MM_HINT_T0);
                _mm_prefetch((const char *)(from + NN__TILE_AHEAD * from_row + 15), _MM_HINT_T0);
                _mm256_storeu_ps(strip, b0);
                _mm256_storeu_ps(strip + 8, b1);
                strip += 16;
                from += from_row;
            }
#define NN__X(i)                                                                                   \
        if (i < rows) {                                                                            \
            const __m256 value = _mm256_set1_ps(a##i[q]);                                          \
            low##i = _mm256_fmadd_ps(value, b0, low##i);                                           \
            high##i = _mm256_fmadd_ps(value, b1, high##i);                                         \
        }
            NN__GEMM_ROWS(NN__X)
#undef NN__X
        }
    }
    if (whole && t->add) {
#define NN__X(i)                                                                                   \
    if (i < rows) {                                                                                \
        low##i = _mm256_add_ps(low##i, _mm256_loadu_ps(y + i * y_row));                            \
        high##i = _mm256_add_ps(high##i, _mm256_loadu_ps(y + i * y_row + 8));                      \
    }
        NN__GEMM_ROWS(NN__X)
#undef NN__X
    }
#define NN__X(i)                                                                                   \
    if (i < rows) {                                                                                \
        _mm256_storeu_ps(y + i * y_row, low##i);                                                   \
        _mm256_storeu_ps(y + i * y_row + 8, high##i);                                              \
    }
    NN__GEMM_ROWS(NN__X)
#undef NN__X
    if (whole) return;
    for (int i = 0; i < rows; i++)
        nn__avx2_put(t->y + i * t->y_row, part + i * 16, t->columns, t->add);
}

#define NN__X(i)                                                                                   \
    static NN__GEMM_AVX2 void nn__avx2_part##i(const nn__tile *t) {                                \
        nn__avx2_body(t, NULL, i + 1, false, false, NULL, NULL, 0);                                \
    }                                                                                              \
    static NN__GEMM_AVX2 void nn__avx2_whole##i(const nn__tile *t) {                               \
        nn__avx2_body(t, NULL, i + 1, true, false, NULL, NULL, 0);                                 \
    }
NN__GEMM_ROWS(NN__X)
#undef NN__X

static NN__GEMM_AVX2 void nn__avx2_copy_part(const nn__tile *t, const nn__ahead *ahead,
                                             float *strip, const float *from, ptrdiff_t from_row) {
    nn__avx2_body(t, ahead, 6, false, true, strip, from, from_row);
}
static NN__GEMM_AVX2 void nn__avx2_copy_whole(const nn__tile *t, const nn__ahead *ahead,
                                              float *strip, const float *from, ptrdiff_t from_row) {
    nn__avx2_body(t, ahead, 6, true, true, strip, from, from_row);
}
static void nn__avx2_tile_copy(const nn__tile *t, const nn__ahead *ahead, float *strip,
                               const float *from, ptrdiff_t from_row) {
    if (t->columns == 16) nn__avx2_copy_whole(t, ahead, strip, from, from_row);
    else nn__avx2_copy_part(t, ahead, strip, from, from_row);
}

static void nn__avx2_tile(const nn__tile *t) {
    switch (t->rows * 2 + (t->columns == 16)) {
#define NN__X(i)                                                                                   \
    case 2 * i + 2: nn__avx2_part##i(t); break;                                                    \
    case 2 * i + 3: nn__avx2_whole##i(t); break;
        NN__GEMM_ROWS(NN__X)
#undef NN__X
    default: break;
    }
}

/* The heights that the tiles of large products have. */
static NN__GEMM_AVX2 void nn__avx2_tall5(const nn__tile *t, const nn__ahead *ahead) {
    nn__avx2_body(t, ahead, 5, true, true, NULL, NULL, 0);
}
static NN__GEMM_AVX2 void nn__avx2_tall6(const nn__tile *t, const nn__ahead *ahead) {
    nn__avx2_body(t, ahead, 6, true, true, NULL, NULL, 0);
}
static void nn__avx2_tile_ahead(const nn__tile *t, const nn__ahead *ahead) {
    const bool tall = t->depth >= NN__DEEP && t->columns == 16;
    if (tall && t->rows == 6) nn__avx2_tall6(t, ahead);
    else if (tall && t->rows == 5) nn__avx2_tall5(t, ahead);
    else nn__avx2_tile(t);
}

/* One body for each pair of biases, so that no loop asks whether they are there. */
static NN__ALWAYS_INLINE NN__GEMM_AVX2 void
nn__avx2_finish_body(float *y, ptrdiff_t y_row, int rows, int columns, const float *row_bias,
                     const float *column_bias, nn__clamp clamp, const bool by_row,
                     const bool by_column) {
    /* The larger, and the smaller, of this and a NaN is the NaN, in this order. relu6 makes 0 of
       -0: to that 0 is added, to all others -0, which changes nothing. */
    const __m256 least = _mm256_set1_ps(clamp ? 0.0f : -INFINITY),
                 most = _mm256_set1_ps(clamp == NN__CLAMP_RELU6 ? 6.0f : INFINITY),
                 zero = _mm256_set1_ps(clamp == NN__CLAMP_RELU6 ? 0.0f : -0.0f);
    int j = 0;
    for (; j + 8 <= columns; j += 8) {
        const __m256 bias = by_column ? _mm256_loadu_ps(column_bias + j) : least;
        float *at = y + j;
        for (int i = 0; i < rows; i++, at += y_row) {
            __m256 value = _mm256_loadu_ps(at);
            if (by_column) value = _mm256_add_ps(value, bias);
            if (by_row) value = _mm256_add_ps(value, _mm256_set1_ps(row_bias[i]));
            value = _mm256_min_ps(most, _mm256_max_ps(least, value));
            _mm256_storeu_ps(at, _mm256_add_ps(value, zero));
        }
    }
    if (j + 4 <= columns) {
        const __m128 few = _mm256_castps256_ps128(least), many = _mm256_castps256_ps128(most),
                     bias = by_column ? _mm_loadu_ps(column_bias + j) : few;
        float *at = y + j;
        for (int i = 0; i < rows; i++, at += y_row) {
            __m128 value = _mm_loadu_ps(at);
            if (by_column) value = _mm_add_ps(value, bias);
            if (by_row) value = _mm_add_ps(value, _mm_set1_ps(row_bias[i]));
            value = _mm_min_ps(many, _mm_max_ps(few, value));
            _mm_storeu_ps(at, _mm_add_ps(value, _mm256_castps256_ps128(zero)));
        }
        j += 4;
    }
    if (j < columns)
        nn__plain_finish(y + j, y_row, rows, columns - j, row_bias,
                         column_bias ? column_bias + j : NULL, clamp);
}

static NN__GEMM_AVX2 void nn__avx2_finish(float *y, ptrdiff_t y_row, int rows, int columns,
                                          const float *row_bias, const float *column_bias,
                                          nn__clamp clamp) {
    if (row_bias && column_bias)
        nn__avx2_finish_body(y, y_row, rows, columns, row_bias, column_bias, clamp, true, true);
    else if (row_bias)
        nn__avx2_finish_body(y, y_row, rows, columns, row_bias, NULL, clamp, true, false);
    else
        nn__avx2_finish_body(y, y_row, rows, columns, NULL, column_bias, clamp, false,
                             column_bias != NULL);
}

/* One or two rows of a against four of b. */
static NN__ALWAYS_INLINE NN__GEMM_AVX2 void nn__avx2_dots(const nn__dots *d, const int rows, int i,
                                                          int j) {
    const float *a0 = d->a + i * d->a_row, *a1 = rows > 1 ? a0 + d->a_row : a0;
    const float *b0 = d->b + j * d->b_row, *b1 = j + 1 < d->columns ? b0 + d->b_row : b0;
    const float *b2 = j + 2 < d->columns ? b1 + d->b_row : b0,
                *b3 = j + 3 < d->columns ? b2 + d->b_row : b0;
    __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0, t0 = s0, t1 = s0, t2 = s0, t3 = s0;
    const int depth = d->depth, whole = depth / 8 * 8;
    float sum[8];
    for (int p = 0; p < depth; p += 8) {
        const __m256i mask = nn__avx2_mask(depth - p);
        const bool all = p < whole;
        const __m256 v0 = all ? _mm256_loadu_ps(b0 + p) : _mm256_maskload_ps(b0 + p, mask);
        const __m256 v1 = all ? _mm256_loadu_ps(b1 + p) : _mm256_maskload_ps(b1 + p, mask);
        const __m256 v2 = all ? _mm256_loadu_ps(b2 + p) : _mm256_maskload_ps(b2 + p, mask);
        const __m256 v3 = all ? _mm256_loadu_ps(b3 + p) : _mm256_maskload_ps(b3 + p, mask);
        const __m256 u0 = all ? _mm256_loadu_ps(a0 + p) : _mm256_maskload_ps(a0 + p, mask);
        s0 = _mm256_fmadd_ps(u0, v0, s0), s1 = _mm256_fmadd_ps(u0, v1, s1);
        s2 = _mm256_fmadd_ps(u0, v2, s2), s3 = _mm256_fmadd_ps(u0, v3, s3);
        if (rows > 1) {
            const __m256 u1 = all ? _mm256_loadu_ps(a1 + p) : _mm256_maskload_ps(a1 + p, mask);
            t0 = _mm256_fmadd_ps(u1, v0, t0), t1 = _mm256_fmadd_ps(u1, v1, t1);
            t2 = _mm256_fmadd_ps(u1, v2, t2), t3 = _mm256_fmadd_ps(u1, v3, t3);
        }
    }
    const __m128 s = nn__avx2_sum4(s0, s1, s2, s3);
    if (rows == 1 && d->y_step == 1 && j + 4 <= d->columns) { /* side by side */
        float *at = d->y + i * d->y_row + j;
        _mm_storeu_ps(at, d->add ? _mm_add_ps(_mm_loadu_ps(at), s) : s);
        return;
    }
    _mm_storeu_ps(sum, s);
    if (rows > 1) _mm_storeu_ps(sum + 4, nn__avx2_sum4(t0, t1, t2, t3));
    for (int r = 0; r < rows; r++)
        for (int e = 0; e < 4 && j + e < d->columns; e++) {
            float *at = d->y + (i + r) * d->y_row + (j + e) * d->y_step;
            *at = d->add ? *at + sum[4 * r + e] : sum[4 * r + e];
        }
}

#define NN__COLUMNS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

/* One row of a against eight of b: so many chains of sums hide how long each takes. */
static NN__ALWAYS_INLINE NN__GEMM_AVX2 __m256 nn__avx2_dots_eight(const float *a, const float *b,
                                                                  ptrdiff_t b_row, int depth) {
    const __m256i mask = nn__avx2_mask(depth & 7);
    int p = 0;
#define NN__X(i)                                                                                   \
    const float *b##i = b + i * b_row;                                                             \
    __m256 s##i = _mm256_setzero_ps();
    NN__COLUMNS(NN__X)
#undef NN__X
    for (; p + 8 <= depth; p += 8) {
        const __m256 u = _mm256_loadu_ps(a + p);
#define NN__X(i) s##i = _mm256_fmadd_ps(u, _mm256_loadu_ps(b##i + p), s##i);
        NN__COLUMNS(NN__X)
#undef NN__X
    }
    if (p < depth) {
        const __m256 u = _mm256_maskload_ps(a + p, mask);
#define NN__X(i) s##i = _mm256_fmadd_ps(u, _mm256_maskload_ps(b##i + p, mask), s##i);
        NN__COLUMNS(NN__X)
#undef NN__X
    }
    return _mm256_insertf128_ps(_mm256_castps128_ps256(nn__avx2_sum4(s0, s1, s2, s3)),
                                nn__avx2_sum4(s4, s5, s6, s7), 1);
}
#undef NN__COLUMNS

/* The same of eight rows of four numbers that lie side by side, two in each vector. To sums of
   wider rows another half is added, which is 0 here. a: twice. */
static NN__ALWAYS_INLINE NN__GEMM_AVX2 __m256 nn__avx2_dots_short(__m256 a, const float *b) {
    const __m256 zero = _mm256_setzero_ps();
#define NN__TWO(i) _mm256_fmadd_ps(a, _mm256_loadu_ps(b + i * 8), zero)
    const __m256 sums = _mm256_hadd_ps(_mm256_hadd_ps(NN__TWO(0), NN__TWO(1)),
                                       _mm256_hadd_ps(NN__TWO(2), NN__TWO(3)));
#undef NN__TWO
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    return _mm256_add_ps(_mm256_permutevar8x32_ps(sums, order), zero);
}

/* One row of a, whose sums lie side by side. Returns the columns done. */
static NN__GEMM_AVX2 int nn__avx2_dot_one(const nn__dots *d) {
    const bool few = d->depth == 4 && d->b_row == 4;
    const __m256 a = few ? _mm256_broadcast_ps((const __m128 *)(const void *)d->a)
                         : _mm256_setzero_ps();
    int j = 0;
    for (; j + 8 <= d->columns; j += 8) {
        const float *b = d->b + j * d->b_row;
        __m256 sums = few ? nn__avx2_dots_short(a, b)
                          : nn__avx2_dots_eight(d->a, b, d->b_row, d->depth);
        if (d->add) sums = _mm256_add_ps(_mm256_loadu_ps(d->y + j), sums);
        _mm256_storeu_ps(d->y + j, sums);
    }
    return j;
}

static NN__GEMM_AVX2 void nn__avx2_dot(const nn__dots *d) {
    for (int j = d->rows == 1 && d->y_step == 1 ? nn__avx2_dot_one(d) : 0; j < d->columns; j += 4)
        for (int i = 0; i < d->rows; i += 2) {
            if (i + 1 < d->rows)
                nn__avx2_dots(d, 2, i, j);
            else
                nn__avx2_dots(d, 1, i, j);
        }
}

/* Four columns of eight rows: 4 x 4 blocks in both halves of the vectors. */
static NN__ALWAYS_INLINE NN__GEMM_AVX2 void nn__avx2_transpose4(float *to, ptrdiff_t to_row,
                                                                const float *from,
                                                                ptrdiff_t from_row) {
#define NN__ROWS(i)                                                                                \
    _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from + (i) * from_row)),              \
                         _mm_loadu_ps(from + ((i) + 4) * from_row), 1)
    const __m256 a = NN__ROWS(0), b = NN__ROWS(1), c = NN__ROWS(2), d = NN__ROWS(3);
#undef NN__ROWS
    const __m256 p = _mm256_unpacklo_ps(a, b), q = _mm256_unpackhi_ps(a, b),
                 r = _mm256_unpacklo_ps(c, d), s = _mm256_unpackhi_ps(c, d);
    _mm256_storeu_ps(to, _mm256_shuffle_ps(p, r, 0x44));
    _mm256_storeu_ps(to + to_row, _mm256_shuffle_ps(p, r, 0xee));
    _mm256_storeu_ps(to + 2 * to_row, _mm256_shuffle_ps(q, s, 0x44));
    _mm256_storeu_ps(to + 3 * to_row, _mm256_shuffle_ps(q, s, 0xee));
}

/* Blocks of 8 x 8; the rest in plain C. */
static NN__GEMM_AVX2 void nn__avx2_transpose8(float *to, ptrdiff_t to_row, const float *from,
                                              ptrdiff_t from_row) {
    nn__avx2_transpose4(to, to_row, from, from_row);
    nn__avx2_transpose4(to + 4 * to_row, to_row, from + 4, from_row);
}

static void nn__avx2_transpose(float *to, ptrdiff_t to_row, const float *from, ptrdiff_t from_row,
                               int rows, int columns) {
    const int whole_rows = rows / 8 * 8, whole_columns = columns / 8 * 8;
    for (int i = 0; i < whole_rows; i += 8)
        for (int j = 0; j < whole_columns; j += 8)
            nn__avx2_transpose8(to + j * to_row + i, to_row, from + i * from_row + j, from_row);
    if (whole_columns < columns)
        nn__plain_transpose(to + whole_columns * to_row, to_row, from + whole_columns, from_row,
                            whole_rows, columns - whole_columns);
    if (whole_rows < rows)
        nn__plain_transpose(to + whole_rows, to_row, from + whole_rows * from_row, from_row,
                            rows - whole_rows, columns);
}

/* Lanes 0, 2, 4, 6 (or 1, 3, 5, 7) of low, then those of high. */
#define NN__EVERY_SECOND(low, high, odd)                                                           \
    _mm256_castpd_ps(_mm256_permute4x64_pd(                                                        \
        _mm256_castps_pd(_mm256_shuffle_ps(                                                        \
            low, high, odd ? _MM_SHUFFLE(3, 1, 3, 1) : _MM_SHUFFLE(2, 0, 2, 0))),                  \
        _MM_SHUFFLE(3, 1, 2, 0)))

/* Every second number is what a convolution with a stride of 2 reads. Nothing behind the last one
   is touched: the last vector begins one place earlier and takes the others. */
NN_PRIVATE NN__GEMM_AVX2 void nn__avx2_pick(float *to, const float *from, ptrdiff_t stride,
                                            int n) {
    if (stride != 2 || n < 9) {
        nn__plain_pick(to, from, stride, n);
        return;
    }
    for (int i = 0; i + 9 <= n; i += 8) {
        const __m256 low = _mm256_loadu_ps(from + 2 * i),
                     high = _mm256_loadu_ps(from + 2 * i + 8);
        _mm256_storeu_ps(to + i, NN__EVERY_SECOND(low, high, 0));
    }
    const float *last = from + 2 * (n - 8) - 1;
    const __m256 low = _mm256_loadu_ps(last), high = _mm256_loadu_ps(last + 8);
    _mm256_storeu_ps(to + n - 8, NN__EVERY_SECOND(low, high, 1));
}
#undef NN__EVERY_SECOND

NN_PRIVATE const nn__gemm_set *nn__gemm_set_avx2(void) {
    static const nn__gemm_set set = {6,
                                     16,
                                     0,
                                     nn__avx2_tile,
                                     nn__avx2_finish,
                                     nn__avx2_dot,
                                     nn__avx2_transpose,
                                     nn__avx2_pick,
                                     NULL,
                                     nn__avx2_widen,
                                     nn__avx2_dot_halves,
                                     nn__avx2_dot_row,
                                     nn__avx2_add_halves,
                                     nn__avx2_tile_copy,
                                     nn__avx2_tile_ahead,
                                     1 << 24};
    return &set;
}

#undef NN__GEMM_AVX2
#undef NN__GEMM_ROWS
#else
typedef int nn__avx2_empty; /* ISO C wants something in a file */
#endif
