/* kernels/conv2d/cpu_quads_vectors.c - what kernels/conv2d/cpu_quads.h says, for vectors: points of
   quads, tiles that store all four outputs, and the sums of the gradient of the weights. */
#include "cpu/gemm.h"
#include "kernels/conv2d/cpu_quads.h"
#include "kernels/conv2d/cpu_quads_columns.h"

#ifdef NN__VECTOR8

/* As in cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/* ---- even and odd columns, apart and together ------------------------------------------------ */

static NN__AVX2 void nn__quad_split8(float *even, float *odd, const float *x, int first, int width,
                                     int n) {
    for (int i = 0; i < n; i += 8) {
        const __m256 a = nn__quad_some8(x, first + 2 * i, width),
                     b = nn__quad_some8(x, first + 2 * i + 8, width);
        nn__quad_store8(even + i, n - i, nn__quad_part8(a, b, false));
        nn__quad_store8(odd + i, n - i, nn__quad_part8(a, b, true));
    }
}

/* Rows that are written next, each of another channel: no machine foresees them. */
static inline NN__UNUSED void nn__quad_ahead(const float *y, int n) {
    for (int i = 0; i < n; i += 16) _mm_prefetch((const char *)(y + i), _MM_HINT_T0);
}

/* dy, parted into the places of quads, and its sum. What the compiler knows to be its own it need
   not read again behind each vector that is stored. */
#define NN__QUAD_SPREAD_VECTOR(j, first, second)                                                   \
    {                                                                                              \
        const NN__V a = first, b = second, even = NN__PART(a, b, false),                           \
                    odd = NN__PART(a, b, true);                                                    \
        total = NN__ADD(total, NN__ADD(even, odd));                                                \
        NN__STORE(to + (j), even);                                                                 \
        NN__STORE(to + plane + (j), odd);                                                          \
    }
#define NN__QUAD_SPREAD(name, target)                                                              \
    static target void name(const nn__quad_dy *d) {                                                \
        const int rows = d->rows, width = d->width, lanes = d->lanes,                              \
                  whole = width / (2 * NN__WIDE) * NN__WIDE, rest = width - 2 * whole;             \
        const NN__FIRST first = NN__MAKE_FIRST(rest), second = NN__MAKE_FIRST(rest - NN__WIDE);    \
        const ptrdiff_t plane = d->plane;                                                          \
        const float *dy = d->dy;                                                                   \
        NN__V total = NN__LOAD(d->total);                                                          \
        for (int i = 0; i < rows; i++, dy += width) {                                              \
            float *to = d->to + (i & 1) * 2 * plane + (i >> 1) * lanes;                            \
            for (int j = 0; j < whole; j += NN__WIDE)                                              \
                NN__QUAD_SPREAD_VECTOR(j, NN__LOAD(dy + 2 * j), NN__LOAD(dy + 2 * j + NN__WIDE))   \
            if (rest > 0)                                                                          \
                NN__QUAD_SPREAD_VECTOR(whole, NN__LOAD_FIRST(first, dy + 2 * whole),               \
                                       NN__LOAD_FIRST(second, dy + 2 * whole + NN__WIDE))          \
        }                                                                                          \
        NN__STORE(d->total, total);                                                                \
    }

/* One row of the outputs of 8 quads: n columns. */
static NN__ALWAYS_INLINE NN__AVX2 void nn__quad_row8(float *to, int n, __m256 even, __m256 odd) {
    const __m256 low = _mm256_unpacklo_ps(even, odd), high = _mm256_unpackhi_ps(even, odd);
    nn__quad_store8(to, n, _mm256_permute2f128_ps(low, high, 0x20));
    nn__quad_store8(to + 8, n - 8, _mm256_permute2f128_ps(low, high, 0x31));
}

/* The outputs of a vector of quads of channel r. */
#define NN__QUAD_STORE(name, target, row)                                                          \
    static NN__ALWAYS_INLINE target void name(const nn__quad_tile *t, int r, NN__V a, NN__V b,     \
                                              NN__V c, NN__V d) {                                  \
        float *y = t->y + r * t->y_plane;                                                          \
        if (t->bias) {                                                                             \
            const NN__V bias = NN__SET(t->bias[r]);                                                \
            a = NN__ADD(a, bias), b = NN__ADD(b, bias);                                            \
            c = NN__ADD(c, bias), d = NN__ADD(d, bias);                                            \
        }                                                                                          \
        if (t->relu) { /* in this order a NaN stays */                                             \
            const NN__V zero = NN__SET(0.0f);                                                      \
            a = NN__MAX(zero, a), b = NN__MAX(zero, b);                                            \
            c = NN__MAX(zero, c), d = NN__MAX(zero, d);                                            \
        }                                                                                          \
        row(y, t->columns, a, b);                                                                  \
        if (t->tall == 2) row(y + t->y_row, t->columns, c, d);                                     \
        nn__quad_ahead(y + 2 * t->y_row, t->columns);                                              \
        nn__quad_ahead(y + 3 * t->y_row, t->columns);                                              \
    }

/* ---- points ---------------------------------------------------------------------------------- */

/* Of row q of what a quad reads, four columns: the even and the odd ones of two quads. */
#define NN__QUAD_READ(q)                                                                           \
    const float *row##q = x + 2 * ((q) & 1) * b->plane + ((q) >> 1) * b->row;                      \
    const NN__V x##q##0 = NN__LOAD(row##q), x##q##1 = NN__LOAD(row##q + b->plane),                 \
                x##q##2 = NN__LOAD(row##q + 1), x##q##3 = NN__LOAD(row##q + b->plane + 1);
/* Column j of the points: of each row the columns `left` and `right`. */
#define NN__QUAD_COLUMN(j, left, right, OP)                                                        \
    {                                                                                              \
        const NN__V t0 = OP(x0##left, x0##right), t1 = OP(x1##left, x1##right),                    \
                    t2 = OP(x2##left, x2##right), t3 = OP(x3##left, x3##right);                    \
        NN__STORE(to + (j) * column, NN__SUB(t0, t2));                                             \
        NN__STORE(to + down + (j) * column, NN__ADD(t1, t2));                                      \
        NN__STORE(to + 2 * down + (j) * column, NN__SUB(t2, t1));                                  \
        NN__STORE(to + 3 * down + (j) * column, NN__SUB(t1, t3));                                  \
    }
#define NN__QUAD_MAKE_POINTS(name, target)                                                         \
    static target void name(const nn__quad_band *b, const float *x, float *to, ptrdiff_t row) {    \
        const ptrdiff_t column = row ? (ptrdiff_t)b->channels * NN__WIDE : NN__WIDE,               \
                        down = row ? row : 4 * NN__WIDE, next = row ? NN__WIDE : 16 * NN__WIDE;    \
        for (int c = 0; c < b->channels; c++, x += b->channel, to += next) {                       \
            NN__QUAD_READ(0)                                                                       \
            NN__QUAD_READ(1)                                                                       \
            NN__QUAD_READ(2)                                                                       \
            NN__QUAD_READ(3)                                                                       \
            NN__QUAD_COLUMN(0, 0, 2, NN__SUB)                                                      \
            NN__QUAD_COLUMN(1, 1, 2, NN__ADD)                                                      \
            NN__QUAD_COLUMN(2, 2, 1, NN__SUB)                                                      \
            NN__QUAD_COLUMN(3, 1, 3, NN__SUB)                                                      \
        }                                                                                          \
    }

/* ---- sums of points -------------------------------------------------------------------------- */

/* Up to three channels at a time, whose sums of two output channels stay in registers, or of one.
   X(output channel, column, channel) */
#define NN__QUAD_COLUMNS(X, k, c) X(k, 0, c) X(k, 1, c) X(k, 2, c) X(k, 3, c)
#define NN__QUAD_SUMS(X)                                                                           \
    NN__QUAD_COLUMNS(X, 0, 0) NN__QUAD_COLUMNS(X, 0, 1) NN__QUAD_COLUMNS(X, 0, 2)                  \
    NN__QUAD_COLUMNS(X, 1, 0) NN__QUAD_COLUMNS(X, 1, 1) NN__QUAD_COLUMNS(X, 1, 2)
#define NN__QUAD_HAS(k, c) (k < outputs && c < C)
#define NN__QUAD_READ_SUM(k, j, c)                                                                 \
    NN__V s##k##j##c = NN__SET(0.0f);                                                              \
    if (NN__QUAD_HAS(k, c)) s##k##j##c = NN__LOAD((k ? next : sums) + j * column + c * NN__WIDE);
#define NN__QUAD_WRITE_SUM(k, j, c)                                                                \
    if (NN__QUAD_HAS(k, c)) NN__STORE((k ? next : sums) + j * column + c * NN__WIDE, s##k##j##c);
/* Column j of all channels, of which dy has d0 and d1. */
#define NN__QUAD_SUM_POINT(j, c)                                                                   \
    if (c < C) {                                                                                   \
        NN__V point = NN__LOAD(x + j * column + c * NN__WIDE);                               \
        NN__QUAD_KEEP(point);                                                                      \
        s0##j##c = NN__FMA(point, d0, s0##j##c);                                                   \
        if (outputs > 1) s1##j##c = NN__FMA(point, d1, s1##j##c);                                  \
    }
#define NN__QUAD_SUM_COLUMN(j, of0, of1)                                                           \
    {                                                                                              \
        const NN__V d0 = of0, d1 = of1;                                                            \
        NN__QUAD_SUM_POINT(j, 0) NN__QUAD_SUM_POINT(j, 1) NN__QUAD_SUM_POINT(j, 2)                 \
    }
/* What row `row` of the points of dy has of a column of quads. */
#define NN__QUAD_DOWNWARDS(d)                                                                      \
    (row == 0   ? NN__LOAD(d)                                                                      \
     : row == 1 ? NN__ADD(NN__LOAD(d), NN__LOAD((d) + 2 * plane))                                  \
     : row == 2 ? NN__SUB(NN__LOAD(d), NN__LOAD((d) + 2 * plane))                                  \
                : NN__LOAD((d) + 2 * plane))
#define NN__QUAD_GATHER(name, target)                                                              \
    static NN__ALWAYS_INLINE target void name##_body(const nn__quad_sums *m, const int outputs,    \
                                                     const int C, const int row) {                 \
        const ptrdiff_t column = (ptrdiff_t)m->channels * NN__WIDE, plane = m->plane;              \
        const float *x = m->points, *dy0 = m->dy, *dy1 = dy0 + (outputs > 1 ? m->next_dy : 0);     \
        float *const sums = m->sums, *const next = sums + (outputs > 1 ? m->next_sums : 0);        \
        NN__QUAD_SUMS(NN__QUAD_READ_SUM)                                                           \
        for (int v = 0; v < m->vectors; v++, x += 4 * column) {                                    \
            NN__V l0 = NN__QUAD_DOWNWARDS(dy0), r0 = NN__QUAD_DOWNWARDS(dy0 + plane),              \
                  l1 = outputs > 1 ? NN__QUAD_DOWNWARDS(dy1) : l0,                                 \
                  r1 = outputs > 1 ? NN__QUAD_DOWNWARDS(dy1 + plane) : r0;                         \
            if (C < 3) { /* of more there are no registers left */                                 \
                NN__QUAD_KEEP(l0);                                                                 \
                NN__QUAD_KEEP(r0);                                                                 \
                NN__QUAD_KEEP(l1);                                                                 \
                NN__QUAD_KEEP(r1);                                                                 \
            }                                                                                      \
            NN__QUAD_SUM_COLUMN(0, l0, l1)                                                         \
            NN__QUAD_SUM_COLUMN(3, r0, r1)                                                         \
            NN__QUAD_SUM_COLUMN(1, NN__ADD(l0, r0), NN__ADD(l1, r1))                               \
            NN__QUAD_SUM_COLUMN(2, NN__SUB(l0, r0), NN__SUB(l1, r1))                               \
            dy0 += NN__WIDE;                                                                       \
            dy1 += NN__WIDE;                                                                       \
        }                                                                                          \
        NN__QUAD_SUMS(NN__QUAD_WRITE_SUM)                                                          \
    }                                                                                              \
    static NN__ALWAYS_INLINE target void name##_rows(const nn__quad_sums *m, const int outputs,    \
                                                     const int C) {                                \
        switch (m->row) {                                                                          \
        case 0: name##_body(m, outputs, C, 0); break;                                              \
        case 1: name##_body(m, outputs, C, 1); break;                                              \
        case 2: name##_body(m, outputs, C, 2); break;                                              \
        default: name##_body(m, outputs, C, 3); break;                                             \
        }                                                                                          \
    }                                                                                              \
    static target void name##_one(const nn__quad_sums *m) { name##_rows(m, NN__OUTPUTS, 1); }      \
    static target void name##_2(const nn__quad_sums *m) { name##_rows(m, NN__OUTPUTS, 2); }        \
    static target void name##_3(const nn__quad_sums *m) { name##_rows(m, NN__OUTPUTS, 3); }        \
    static target void name(const nn__quad_sums *all) {                                            \
        const int step = nn__ceil_div(all->channels, nn__ceil_div(all->channels, 3));              \
        if (all->channels == 1) {                                                                  \
            name##_1(all);                                                                         \
            return;                                                                                \
        }                                                                                          \
        for (int c = 0; c < all->channels; c += step) {                                            \
            const int some = nn__mini(step, all->channels - c);                                    \
            nn__quad_sums m = *all;                                                                \
            m.points += c * NN__WIDE;                                                              \
            m.sums += c * NN__WIDE;                                                                \
            for (int k = 0; k < 2; k += NN__OUTPUTS) {                                             \
                (some == 1 ? name##_one : some == 2 ? name##_2 : name##_3)(&m);                    \
                m.dy += m.next_dy;                                                                 \
                m.sums += m.next_sums;                                                             \
            }                                                                                      \
        }                                                                                          \
    }

/* Of one channel two rows of points, 0 and 3 or 1 and 2. X(output channel, row, column) */
#define NN__QUAD_ONE_ROW(X, k, i) X(k, i, 0) X(k, i, 1) X(k, i, 2) X(k, i, 3)
#define NN__QUAD_ONES(X)                                                                           \
    NN__QUAD_ONE_ROW(X, 0, 0) NN__QUAD_ONE_ROW(X, 0, 1)                                            \
    NN__QUAD_ONE_ROW(X, 1, 0) NN__QUAD_ONE_ROW(X, 1, 1)
#define NN__QUAD_READ_ONE(k, i, j)                                                                 \
    NN__V s##k##i##j = NN__SET(0.0f);                                                              \
    if (k < outputs)                                                                               \
        s##k##i##j = NN__LOAD((k ? next : sums) + (4 * (i ? last : first) + j) * NN__WIDE);
#define NN__QUAD_WRITE_ONE(k, i, j)                                                                \
    if (k < outputs)                                                                               \
        NN__STORE((k ? next : sums) + (4 * (i ? last : first) + j) * NN__WIDE, s##k##i##j);
#define NN__QUAD_ADD_ONE(i, j, x, of0, of1)                                                        \
    {                                                                                              \
        NN__V point = NN__LOAD((x) + j * NN__WIDE);                                                \
        NN__QUAD_KEEP(point);                                                                      \
        s0##i##j = NN__FMA(point, of0, s0##i##j);                                                  \
        if (outputs > 1) s1##i##j = NN__FMA(point, of1, s1##i##j);                                 \
    }
#define NN__QUAD_ADD_ROW(i, x, OP)                                                                 \
    {                                                                                              \
        const NN__V l0 = OP(a0, c0), r0 = OP(b0, d0), l1 = OP(a1, c1), r1 = OP(b1, d1);            \
        NN__QUAD_ADD_ONE(i, 0, x, l0, l1)                                                          \
        NN__QUAD_ADD_ONE(i, 3, x, r0, r1)                                                          \
        NN__QUAD_ADD_ONE(i, 1, x, NN__ADD(l0, r0), NN__ADD(l1, r1))                                \
        NN__QUAD_ADD_ONE(i, 2, x, NN__SUB(l0, r0), NN__SUB(l1, r1))                                \
    }
#define NN__QUAD_UPPER(a, b) a
#define NN__QUAD_LOWER(a, b) b
#define NN__QUAD_READ_DY(d, at)                                                                    \
    NN__V d##0 = NN__LOAD(dy0 + (at)), d##1 = d##0;                                                \
    NN__QUAD_KEEP(d##0);                                                                           \
    if (outputs > 1) {                                                                             \
        d##1 = NN__LOAD(dy1 + (at));                                                               \
        NN__QUAD_KEEP(d##1);                                                                       \
    }
#define NN__QUAD_GATHER_ONE(name, target)                                                          \
    static NN__ALWAYS_INLINE target void name##_1_rows(const nn__quad_sums *m, const int outputs,  \
                                                       const int first, const int last) {          \
        const ptrdiff_t plane = m->plane;                                                          \
        const float *x0 = m->points + first * m->points_row,                                       \
                    *x1 = m->points + last * m->points_row, *dy0 = m->dy,                          \
                    *dy1 = dy0 + (outputs > 1 ? m->next_dy : 0);                                   \
        float *const sums = m->sums, *const next = sums + (outputs > 1 ? m->next_sums : 0);        \
        NN__QUAD_ONES(NN__QUAD_READ_ONE)                                                           \
        for (int v = 0; v < m->vectors; v++, x0 += 4 * NN__WIDE, x1 += 4 * NN__WIDE) {             \
            NN__QUAD_READ_DY(a, 0)                                                                 \
            NN__QUAD_READ_DY(b, plane)                                                             \
            NN__QUAD_READ_DY(c, 2 * plane)                                                         \
            NN__QUAD_READ_DY(d, 3 * plane)                                                         \
            if (first == 0) {                                                                      \
                NN__QUAD_ADD_ROW(0, x0, NN__QUAD_UPPER)                                            \
                NN__QUAD_ADD_ROW(1, x1, NN__QUAD_LOWER)                                            \
            } else {                                                                               \
                NN__QUAD_ADD_ROW(0, x0, NN__ADD)                                                   \
                NN__QUAD_ADD_ROW(1, x1, NN__SUB)                                                   \
            }                                                                                      \
            dy0 += NN__WIDE;                                                                       \
            dy1 += NN__WIDE;                                                                       \
        }                                                                                          \
        NN__QUAD_ONES(NN__QUAD_WRITE_ONE)                                                          \
    }                                                                                              \
    static target void name##_1(const nn__quad_sums *all) {                                        \
        nn__quad_sums m = *all;                                                                    \
        for (int k = 0; k < 2; k += NN__OUTPUTS) {                                                 \
            name##_1_rows(&m, NN__OUTPUTS, 0, 3);                                                  \
            name##_1_rows(&m, NN__OUTPUTS, 1, 2);                                                  \
            m.dy += m.next_dy;                                                                     \
            m.sums += m.next_sums;                                                                 \
        }                                                                                          \
    }

/* The sum of each of the vectors. */
#define NN__QUAD_ADD_UP(name, target)                                                              \
    static target void name(const float *from, int count, float *to) {                             \
        for (int i = 0; i < count; i++) to[i] = NN__SUM(NN__LOAD(from + NN__WIDE * i));            \
    }

#define NN__V            __m256
#define NN__WIDE         8
#define NN__SET(x)       _mm256_set1_ps(x)
#define NN__LOAD(p)      _mm256_loadu_ps(p)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__SUB(a, b)    _mm256_sub_ps(a, b)
#define NN__MAX(a, b)    _mm256_max_ps(a, b)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__STORE(p, v)  _mm256_storeu_ps(p, v)
#define NN__SUM(v)       nn__sum8(v)
#define NN__PUT          nn__quad_put8
#define NN__FIRST        __m256i
#define NN__MAKE_FIRST   nn__first8
#define NN__LOAD_FIRST(m, p) _mm256_maskload_ps(p, m)
#define NN__PART         nn__quad_part8
#define NN__OUTPUTS      1 /* at a time, of two channels or more */
NN__QUAD_MAKE_POINTS(nn__quad_points8, NN__AVX2)
NN__QUAD_STORE(nn__quad_put8, NN__AVX2, nn__quad_row8)
NN__QUAD_TILE(nn__quad_tile8, NN__AVX2, nn__quad_tile, points, NN__QUAD_TWO)
static NN__QUAD_TILE8(nn__quad_tile8, nn__quad_tile, channels)
#ifndef NN_NO_TRAINING
NN__QUAD_SPREAD(nn__quad_spread8, NN__AVX2)
NN__QUAD_GATHER_ONE(nn__quad_gather8, NN__AVX2)
NN__QUAD_GATHER(nn__quad_gather8, NN__AVX2)
NN__QUAD_ADD_UP(nn__quad_add_up8, NN__AVX2)
#endif
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__MAX
#undef NN__FMA
#undef NN__STORE
#undef NN__SUM
#undef NN__PUT
#undef NN__FIRST
#undef NN__MAKE_FIRST
#undef NN__LOAD_FIRST
#undef NN__PART
#undef NN__OUTPUTS

#ifdef NN__VECTOR16
static NN__AVX512 void nn__quad_split16(float *even, float *odd, const float *x, int first,
                                        int width, int n) {
    int i = 0;
#define NN__READ                                                                                   \
    const __m512 a = nn__quad_some16(x, first + 2 * i, width),                                     \
                 b = nn__quad_some16(x, first + 2 * i + 16, width);
    for (; i + 16 <= n; i += 16) {
        NN__READ
        _mm512_storeu_ps(even + i, nn__quad_part16(a, b, false));
        _mm512_storeu_ps(odd + i, nn__quad_part16(a, b, true));
    }
    if (n - i > 2) {
        NN__READ
        _mm512_mask_storeu_ps(even + i, nn__lanes16(0, n - i), nn__quad_part16(a, b, false));
        _mm512_mask_storeu_ps(odd + i, nn__lanes16(0, n - i), nn__quad_part16(a, b, true));
        return;
    }
#undef NN__READ
    for (; i < n; i++) { /* what the taps of the last quads see beside them */
        const int at = first + 2 * i;
        even[i] = at >= 0 && at < width ? x[at] : 0.0f;
        odd[i] = at >= -1 && at + 1 < width ? x[at + 1] : 0.0f;
    }
}

static NN__ALWAYS_INLINE NN__AVX512 void nn__quad_row16(float *to, int n, __m512 even,
                                                        __m512 odd) {
    const __m512i low =
                      _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                  high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    const __m512 first = _mm512_permutex2var_ps(even, low, odd),
                 second = _mm512_permutex2var_ps(even, high, odd);
    if (n == 32) {
        _mm512_storeu_ps(to, first);
        _mm512_storeu_ps(to + 16, second);
        return;
    }
    _mm512_mask_storeu_ps(to, nn__lanes16(0, n), first);
    if (n > 16) _mm512_mask_storeu_ps(to + 16, nn__lanes16(0, n - 16), second);
}

#define NN__V            __m512
#define NN__WIDE         16
#define NN__SET(x)       _mm512_set1_ps(x)
#define NN__LOAD(p)      _mm512_loadu_ps(p)
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__SUB(a, b)    _mm512_sub_ps(a, b)
#define NN__MAX(a, b)    _mm512_maskz_max_ps(NN__ALL16, a, b)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__STORE(p, v)  _mm512_storeu_ps(p, v)
#define NN__SUM(v)       nn__sum8(_mm256_add_ps(nn__low16(v), nn__high16(v)))
#define NN__PUT          nn__quad_put16
#define NN__FIRST        __mmask16
#define NN__MAKE_FIRST(n) nn__lanes16(0, n)
#define NN__LOAD_FIRST(m, p) _mm512_maskz_loadu_ps(m, p)
#define NN__PART         nn__quad_part16
#define NN__OUTPUTS      2
NN__QUAD_MAKE_POINTS(nn__quad_points16, NN__AVX512)
NN__QUAD_STORE(nn__quad_put16, NN__AVX512, nn__quad_row16)
NN__QUAD_TILE(nn__quad_tile16, NN__AVX512, nn__quad_tile, points, NN__QUAD_FOUR)
static NN__QUAD_TILE16(nn__quad_tile16, nn__quad_tile, channels)
#ifndef NN_NO_TRAINING
NN__QUAD_SPREAD(nn__quad_spread16, NN__AVX512)
NN__QUAD_GATHER_ONE(nn__quad_gather16, NN__AVX512)
NN__QUAD_GATHER(nn__quad_gather16, NN__AVX512)
NN__QUAD_ADD_UP(nn__quad_add_up16, NN__AVX512)
#endif
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__MAX
#undef NN__FMA
#undef NN__STORE
#undef NN__SUM
#undef NN__PUT
#undef NN__FIRST
#undef NN__MAKE_FIRST
#undef NN__LOAD_FIRST
#undef NN__PART
#undef NN__OUTPUTS
#endif

#undef NN__QUAD_SPREAD_VECTOR
#undef NN__QUAD_SPREAD
#undef NN__QUAD_STORE
#undef NN__QUAD_READ
#undef NN__QUAD_COLUMN
#undef NN__QUAD_MAKE_POINTS
#undef NN__QUAD_COLUMNS
#undef NN__QUAD_SUMS
#undef NN__QUAD_HAS
#undef NN__QUAD_READ_SUM
#undef NN__QUAD_WRITE_SUM
#undef NN__QUAD_SUM_POINT
#undef NN__QUAD_SUM_COLUMN
#undef NN__QUAD_DOWNWARDS
#undef NN__QUAD_GATHER
#undef NN__QUAD_ONE_ROW
#undef NN__QUAD_ONES
#undef NN__QUAD_READ_ONE
#undef NN__QUAD_WRITE_ONE
#undef NN__QUAD_ADD_ONE
#undef NN__QUAD_ADD_ROW
#undef NN__QUAD_UPPER
#undef NN__QUAD_LOWER
#undef NN__QUAD_READ_DY
#undef NN__QUAD_GATHER_ONE
#undef NN__QUAD_ADD_UP
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#ifndef NN_NO_TRAINING
#define NN__QUADS_SET(wide)                                                                        \
    {wide, nn__quad_split##wide, nn__quad_points##wide, nn__quad_tile##wide,                       \
     nn__quad_spread##wide, nn__quad_gather##wide, nn__quad_add_up##wide}
#else
#define NN__QUADS_SET(wide)                                                                        \
    {wide, nn__quad_split##wide, nn__quad_points##wide, nn__quad_tile##wide, NULL, NULL, NULL}
#endif
#endif

#ifndef NN_NO_SIMD
NN_PRIVATE const nn__quads_set *nn__quads_set_of(const nn__cpu *cpu) {
#ifdef NN__VECTOR16
    static const nn__quads_set avx512 = NN__QUADS_SET(16);
    if (nn__vectors16(cpu)) return &avx512;
#endif
#ifdef NN__VECTOR8
    static const nn__quads_set avx2 = NN__QUADS_SET(8);
    if (nn__vectors(cpu)) return &avx2;
#endif
    (void)cpu;
    return NULL;
}
#endif
#undef NN__QUADS_SET

typedef int nn__conv2d_quads_vectors_part; /* a part must not be empty on other machines */
