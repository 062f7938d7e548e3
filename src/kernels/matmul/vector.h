/* kernels/matmul/vector.h - the loops of products, for every instruction set: tiles of a matrix
   here; sums along k, sums of rows and copies in kernels/matmul/vector_sums.h.

   A tile has NN__TILE_HIGH rows and NN__TILE_WIDE vectors of columns: as many sums as there are
   registers, less those for a row of b and a number of a. */
#ifndef NN__SET
#define NN__BODY "kernels/matmul/vector.h"
#include "cpu/for_each_set.h"
#else
#include "cpu/vector.h"
#include "kernels/matmul/cpu.h"

/* ---- tiles ----------------------------------------------------------------------------------- */

#if NN__LANES == 1
#define NN__TILE_HIGH 8
#define NN__TILE_WIDE 32

/* Computes two rows and four columns at once: as many sums as a small processor has registers
   for. */
static void NN__(tile24)(const nn__tile *t, int i, int j) {
    const float *a0 = t->a[i], *a1 = t->a[i + 1 < t->rows ? i + 1 : i], *b = t->b + j;
    float s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
    float *y = t->y + i * t->y_row + j;
    for (int p = 0; p < t->depth; p++) {
        const float *row = b + t->offset[p];
        const float u = *a0, v = *a1;
        s00 += u * row[0], s01 += u * row[1], s02 += u * row[2], s03 += u * row[3];
        s10 += v * row[0], s11 += v * row[1], s12 += v * row[2], s13 += v * row[3];
        a0 += t->a_step;
        a1 += t->a_step;
    }
    for (int e = 0; e < 2 && i + e < t->rows; e++, y += t->y_row) {
        if (!t->add) y[0] = y[1] = y[2] = y[3] = 0;
        y[0] += e ? s10 : s00, y[1] += e ? s11 : s01, y[2] += e ? s12 : s02, y[3] += e ? s13 : s03;
    }
}

static void NN__(tile)(const nn__tile *t) {
    int j = 0;
    for (; j + 4 <= t->columns; j += 4)
        for (int i = 0; i < t->rows; i += 2) NN__(tile24)(t, i, j);
    for (; j < t->columns; j++)
        for (int i = 0; i < t->rows; i++) {
            float *y = t->y + i * t->y_row + j;
            float sum = 0;
            for (int p = 0; p < t->depth; p++)
                sum += t->a[i][p * t->a_step] * t->b[t->offset[p] + j];
            *y = t->add ? *y + sum : sum;
        }
}

#else
/* All portable sets have tiles of one size, because cuts follow from it. */
#ifdef NN__SET_PORTABLE_AVX512
#define NN__TILE_WIDE 1
#else
#define NN__TILE_WIDE NN__PANEL_WIDE
#endif
#if NN__REGISTERS <= 16 || defined(NN__SET_PORTABLE_AVX512)
#define NN__TILE_HIGH 6
#elif NN__LANES == 4
#define NN__TILE_HIGH 4
#else
#define NN__TILE_HIGH 8
#define NN__PANEL_HIGH 14 /* a panel may be too large for the first cache */
#endif
#ifndef NN__PANEL_HIGH
#define NN__PANEL_HIGH NN__TILE_HIGH
#endif
#define NN__TILE_ROWS_OF(X)                                                                        \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)

/* One step of the depth: b0 to b3 from `row`, which a copying tile leaves in its strip, then row i
   takes a number of a. */
#define NN__TILE_B(row)                                                                            \
    const NN__F32 b0 = vectors == 1 && partial ? NN__(load_some)(row, last, 0.0f)               \
                                               : NN__(load)(row),                                  \
                  b1 = vectors == 1 ? b0                                                           \
                       : vectors == 2 && partial                                                   \
                           ? NN__(load_some)((row) + NN__LANES, last, 0.0f)                     \
                           : NN__(load)((row) + NN__LANES),                                        \
                  b2 = vectors > 2 ? NN__(load)((row) + 2 * NN__LANES) : b0,                       \
                  b3 = vectors > 2 ? NN__(load)((row) + 3 * NN__LANES) : b0;                       \
    if (copies) {                                                                                  \
        NN__(ahead)((row) + NN__TILE_AHEAD * b_row);                                               \
        NN__(ahead)((row) + NN__TILE_AHEAD * b_row + vectors * NN__LANES - 1);                     \
        NN__(store)(strip, b0);                                                                    \
        if (vectors > 1) NN__(store)(strip + NN__LANES, b1);                                       \
        if (vectors > 2) NN__(store)(strip + 2 * NN__LANES, b2);                                   \
        if (vectors > 2) NN__(store)(strip + 3 * NN__LANES, b3);                                   \
        strip += vectors * NN__LANES;                                                              \
    }
#define NN__TILE_SUM(i, fma, u)                                                                    \
    {                                                                                              \
        s##i##0 = NN__(fma)(u, b0, s##i##0);                                                       \
        if (vectors > 1) s##i##1 = NN__(fma)(u, b1, s##i##1);                                      \
        if (vectors > 2) s##i##2 = NN__(fma)(u, b2, s##i##2), s##i##3 = NN__(fma)(u, b3, s##i##3); \
    }
#define NN__TILE_START(i)                                                                          \
    const float *a##i = t->a[i < have ? i : 0];                                                 \
    NN__F32 s##i##0 = z0, s##i##1 = z1, s##i##2 = z2, s##i##3 = z3;
#define NN__TILE_STEP(i)                                                                           \
    if (i < rows) {                                                                                \
        const NN__F32 u = NN__(all)(a##i[at]);                                                     \
        NN__TILE_SUM(i, fma, u)                                                                    \
    }
#define NN__TILE_ADD(i)                                                                            \
    if (i < rows && i < have) {                                                                 \
        const float *from = y + i * y_row;                                                      \
        s##i##0 = NN__(add)(s##i##0, vectors == 1 && partial                                       \
                                         ? NN__(load_some)(from, last, 0.0f)                    \
                                         : NN__(load)(from));                                      \
        if (vectors > 1)                                                                           \
            s##i##1 = NN__(add)(s##i##1, vectors == 2 && partial                                   \
                                             ? NN__(load_some)(from + NN__LANES, last, 0.0f)    \
                                             : NN__(load)(from + NN__LANES));                      \
        if (vectors > 2) {                                                                         \
            s##i##2 = NN__(add)(s##i##2, NN__(load)(from + 2 * NN__LANES));                        \
            s##i##3 = NN__(add)(s##i##3, NN__(load)(from + 3 * NN__LANES));                        \
        }                                                                                          \
    }
#define NN__TILE_CLAMP(i)                                                                          \
    if (i < rows) {                                                                                \
        s##i##0 = NN__(clamped)(s##i##0, clamp);                                                \
        if (vectors > 1) s##i##1 = NN__(clamped)(s##i##1, clamp);                               \
        if (vectors > 2)                                                                           \
            s##i##2 = NN__(clamped)(s##i##2, clamp), s##i##3 = NN__(clamped)(s##i##3, clamp);\
    }
#define NN__TILE_STORE(i)                                                                          \
    if (i < rows && i < have) {                                                                 \
        float *to = y + i * y_row;                                                              \
        if (vectors == 1 && partial) NN__(store_some)(to, last, s##i##0);                       \
        else NN__(store)(to, s##i##0);                                                             \
        if (vectors == 2 && partial) NN__(store_some)(to + NN__LANES, last, s##i##1);           \
        else if (vectors > 1) NN__(store)(to + NN__LANES, s##i##1);                                \
        if (vectors > 2) {                                                                         \
            NN__(store)(to + 2 * NN__LANES, s##i##2);                                              \
            NN__(store)(to + 3 * NN__LANES, s##i##3);                                              \
        }                                                                                          \
    }

#ifdef NN__BY_LANE
/* Four steps, whose numbers lie side by side in each row of a. The address of b is made once, so
   that compilers load two vectors at a time from it. */
#if defined(__GNUC__) || defined(__clang__)
#define NN__TILE_KEEP(pointer) __asm__ volatile("" : "+r"(pointer) : : "memory")
#else
#define NN__TILE_KEEP(pointer) (void)(pointer)
#endif
#if defined(__clang__)
#define NN__TILE_UNROLLED _Pragma("clang loop unroll_count(4)")
#elif defined(__GNUC__) && __GNUC__ >= 8
#define NN__TILE_UNROLLED _Pragma("GCC unroll 4")
#else
#define NN__TILE_UNROLLED
#endif
#define NN__TILE_FOUR(i) const NN__FOUR f##i = NN__(load_four)(a##i + (i < rows ? at : 0));
#define NN__TILE_LANE(l)                                                                           \
    {                                                                                              \
        const float *row = panel || copies ? b + l * b_row : b + at##l;                            \
        if (!panel) NN__TILE_KEEP(row);                                                            \
        NN__TILE_B(row)                                                                            \
        NN__TILE_SUM(0, fma_lane##l, f0)                                                           \
        if (rows > 1) NN__TILE_SUM(1, fma_lane##l, f1)                                             \
        if (rows > 2) NN__TILE_SUM(2, fma_lane##l, f2)                                             \
        if (rows > 3) NN__TILE_SUM(3, fma_lane##l, f3)                                             \
    }
#endif

/* rows: at least those of the tile, whose missing rows are its first. panel: b lies in a panel, and
   offset says where a is. copies: b lies in rows that are b_row apart, and its strip receives
   them. */
NN__INLINE void NN__(tile_body)(const nn__tile *t, int j, int last, const int rows,
                                const int vectors, const bool partial, const bool panel,
                                const bool copies) {
    const int32_t *offset = t->offset, *const end = offset + t->depth;
    const float *b = t->b + j, *start = panel && t->start ? t->start + j : NULL;
    const ptrdiff_t a_step = t->a_step, y_row = panel ? NN__TILE_WIDE * NN__LANES : t->y_row,
                    b_row = panel ? NN__TILE_WIDE * NN__LANES : t->b_row;
    float *y = t->y + j, *strip = t->strip;
    /* local copies: for all that a compiler knows, a store to y may change the fields */
    const int have = t->rows;
    const bool add = t->add;
    const nn__clamp clamp = panel ? t->clamp : NN__CLAMP_NOT;
    ptrdiff_t at = 0;
    const NN__F32 zero = NN__(all)(0.0f);
    const NN__F32 z0 = start ? NN__(load)(start) : zero,
                  z1 = start && vectors > 1 ? NN__(load)(start + NN__LANES) : zero,
                  z2 = start && vectors > 2 ? NN__(load)(start + 2 * NN__LANES) : zero,
                  z3 = start && vectors > 2 ? NN__(load)(start + 3 * NN__LANES) : zero;
#ifndef NN__BY_LANE
    /* y arrives while the sums are computed */
    for (int i = 0; !panel && t->depth >= NN__DEEP && i < have; i++) {
        NN__(ahead)(y + i * y_row);
        NN__(ahead)(y + i * y_row + vectors * NN__LANES - 1);
    }
#endif
    NN__TILE_ROWS_OF(NN__TILE_START)
#ifdef NN__BY_LANE
    if (rows == 4 && a1 - a0 == 1 && a2 - a0 == 2 && a3 - a0 == 3) {
        NN__TILE_UNROLLED
        for (; offset < end; offset++) {
            const NN__FOUR f = NN__(load_four)(a0 + (panel ? *offset : at));
            const float *row = panel || copies ? b : b + *offset;
            if (!panel) NN__TILE_KEEP(row);
            NN__TILE_B(row)
            NN__TILE_SUM(0, fma_lane0, f)
            NN__TILE_SUM(1, fma_lane1, f)
            NN__TILE_SUM(2, fma_lane2, f)
            NN__TILE_SUM(3, fma_lane3, f)
            at += a_step;
            if (panel || copies) b += b_row;
        }
    } else if (panel ? t->runs : a_step == 1) {
        for (ptrdiff_t fours = (end - offset) / 4; fours > 0; fours--) {
            const ptrdiff_t at0 = offset[0], at1 = offset[1], at2 = offset[2], at3 = offset[3];
            if (panel) at = at0;
            NN__TILE_FOUR(0) NN__TILE_FOUR(1) NN__TILE_FOUR(2) NN__TILE_FOUR(3)
            NN__TILE_LANE(0)
            NN__TILE_LANE(1)
            NN__TILE_LANE(2)
            NN__TILE_LANE(3)
            if (panel || copies) b += 4 * b_row;
            at += 4;
            offset += 4;
        }
    }
#endif
    for (; offset < end; offset++) {
        if (panel) at = *offset;
        const float *row = panel || copies ? b : b + *offset;
        NN__TILE_B(row)
#ifndef NN__BY_LANE
        if (panel) nn__gemm_ahead(b + NN__PANEL_AHEAD, vectors * NN__LANES);
#endif
        NN__TILE_ROWS_OF(NN__TILE_STEP)
        if (panel || copies) b += b_row;
        at += a_step;
    }
    if (add) {
        NN__TILE_ROWS_OF(NN__TILE_ADD)
    }
    if (panel && clamp) {
        NN__TILE_ROWS_OF(NN__TILE_CLAMP)
    }
    NN__TILE_ROWS_OF(NN__TILE_STORE)
}

/* The heights for which there is code. Other heights use the next larger one. The edges of a matrix
   have fewer heights. */
NN__INLINE void NN__(tile_height)(const nn__tile *t, int j, int last, const int vectors,
                                  const bool partial, const bool panel) {
    const bool edge = vectors < (NN__REGISTERS == 8 ? 1 : NN__TILE_WIDE) || partial,
               few = !edge && !panel;
    if (t->rows <= 1) NN__(tile_body)(t, j, last, 1, vectors, partial, panel, false);
    else if (few && t->rows <= 2) NN__(tile_body)(t, j, last, 2, vectors, partial, panel, false);
#if NN__TILE_HIGH == 6
    else if (panel && !edge && t->rows == 3) /* images of 28 x 28 have rows of 7 tiles */
        NN__(tile_body)(t, j, last, 3, vectors, partial, panel, false);
#endif
    else if (t->rows <= 4) NN__(tile_body)(t, j, last, 4, vectors, partial, panel, false);
#if NN__TILE_HIGH > 4
    else if ((few || NN__TILE_HIGH == 6) && t->rows <= 6)
        NN__(tile_body)(t, j, last, 6, vectors, partial, panel, false);
#endif
#if NN__TILE_HIGH > 6
    else if (panel && !edge && t->rows == 7)
        NN__(tile_body)(t, j, last, 7, vectors, partial, panel, false);
    else if (t->rows <= 8 || !panel)
        NN__(tile_body)(t, j, last, 8, vectors, partial, panel, false);
    else if (panel && !edge && t->rows <= 10) /* short rows in tiles of Winograd's algorithm */
        NN__(tile_body)(t, j, last, 10, vectors, partial, panel, false);
    else if (!edge && t->rows <= 12)
        NN__(tile_body)(t, j, last, 12, vectors, partial, panel, false);
    else NN__(tile_body)(t, j, last, NN__PANEL_HIGH, vectors, partial, panel, false);
#endif
}

static void NN__(tile)(const nn__tile *t) {
    int j = 0, left = t->columns;
#if NN__REGISTERS == 8
    for (; left >= NN__LANES; left -= NN__LANES, j += NN__LANES)
        NN__(tile_height)(t, j, NN__LANES, 1, false, false);
#else
    if (left == NN__TILE_WIDE * NN__LANES) {
        NN__(tile_height)(t, 0, NN__LANES, NN__TILE_WIDE, false, false);
        return;
    }
    for (; left >= (NN__TILE_WIDE == 2 ? NN__LANES + 1 : 2 * NN__LANES); j += 2 * NN__LANES) {
        NN__(tile_height)(t, j, left - NN__LANES, 2, NN__TILE_WIDE == 2, false);
        left -= 2 * NN__LANES;
    }
#endif
    for (; left > 0; left -= NN__LANES, j += NN__LANES)
        NN__(tile_height)(t, j, left < NN__LANES ? left : NN__LANES, 1, true, false);
}

/* With few registers the strip is copied first. */
static void NN__(tile_copy)(const nn__tile *tile) {
#if NN__REGISTERS == 8
    const int wide = NN__TILE_WIDE * NN__LANES;
    nn__tile copied = *tile;
    for (int p = 0; p < tile->depth; p++)
        memcpy(tile->strip + p * wide, tile->b + p * tile->b_row, (size_t)wide * sizeof(float));
    copied.b = tile->strip;
    NN__(tile)(&copied);
#else
    NN__(tile_body)(tile, 0, NN__LANES, NN__TILE_HIGH, NN__TILE_WIDE, false, false, true);
#endif
}

static void NN__(panel)(const nn__tile *t) {
#if NN__REGISTERS == 8
    NN__(tile_height)(t, 0, NN__LANES, 1, false, true);
    if (t->columns > NN__LANES) NN__(tile_height)(t, NN__LANES, NN__LANES, 1, false, true);
#else
    if (NN__TILE_WIDE == 1 || t->columns * 2 > NN__TILE_WIDE * NN__LANES)
        NN__(tile_height)(t, 0, NN__LANES, NN__TILE_WIDE, false, true);
    else NN__(tile_height)(t, 0, NN__LANES, NN__TILE_WIDE / 2, false, true);
#endif
}

#undef NN__TILE_ROWS_OF
#undef NN__TILE_B
#undef NN__TILE_SUM
#undef NN__TILE_START
#undef NN__TILE_STEP
#undef NN__TILE_ADD
#undef NN__TILE_CLAMP
#undef NN__TILE_STORE
#undef NN__TILE_UNROLLED
#undef NN__TILE_FOUR
#undef NN__TILE_LANE
#undef NN__TILE_KEEP
#endif

/* ---- biases and activations ------------------------------------------------------------------ */

static void NN__(finish)(float *y, ptrdiff_t y_row, int rows, int columns, const float *row_bias,
                         const float *column_bias, nn__clamp clamp) {
    const NN__F32 none = NN__(all)(-0.0f);
    int j = 0;
    for (; j + NN__LANES <= columns; j += NN__LANES) {
        const NN__F32 bias = column_bias ? NN__(load)(column_bias + j) : none;
        float *at = y + j;
        if (clamp > NN__CLAMP_RELU)
            for (int i = 0; i < rows; i++, at += y_row) {
                const NN__F32 row = row_bias ? NN__(all)(row_bias[i]) : none;
                const NN__F32 v = NN__(add)(NN__(add)(NN__(load)(at), bias), row);
                NN__(store)(at, NN__(clamped)(v, clamp));
            }
        else {
            const NN__F32 least = NN__(all)(clamp ? 0.0f : -INFINITY);
            for (int i = 0; i < rows; i++, at += y_row) {
                const NN__F32 row = row_bias ? NN__(all)(row_bias[i]) : none;
                const NN__F32 v = NN__(add)(NN__(add)(NN__(load)(at), bias), row);
                NN__(store)(at, NN__(larger)(least, v));
            }
        }
    }
    for (int i = 0; j < columns && i < rows; i++) {
        float *at = y + i * y_row + j;
        NN__F32 v = NN__(load_some)(at, columns - j, 0.0f);
        if (column_bias) v = NN__(add)(v, NN__(load_some)(column_bias + j, columns - j, 0.0f));
        if (row_bias) v = NN__(add)(v, NN__(all)(row_bias[i]));
        NN__(store_some)(at, columns - j, NN__(clamped)(v, clamp));
    }
}

#if !defined(NN_NO_SPEEDUPS) && !defined(NN__SET_PORTABLE_AVX512)
NN__INLINE NN__F32 NN__(bent)(NN__F32 v, NN__F32 slope) {
    return NN__(pick)(NN__(less)(NN__(all)(0.0f), v), v, NN__(mul)(slope, v));
}

static void NN__(bend_rows)(float *y, ptrdiff_t y_row, int rows, int columns, const float *bias,
                            const float *slope) {
    for (int i = 0; i < rows; i++, y += y_row) {
        const NN__F32 more = NN__(all)(bias ? bias[i] : -0.0f), bend = NN__(all)(slope[i]);
        int j = 0;
        for (; j + NN__LANES <= columns; j += NN__LANES)
            NN__(store)(y + j, NN__(bent)(NN__(add)(NN__(load)(y + j), more), bend));
        if (j == columns) continue;
        const NN__F32 v = NN__(add)(NN__(load_some)(y + j, columns - j, 0.0f), more);
        NN__(store_some)(y + j, columns - j, NN__(bent)(v, bend));
    }
}

static void NN__(bend_columns)(float *y, ptrdiff_t y_row, int rows, int columns,
                               const float *slope) {
    int j = 0;
    for (; j + NN__LANES <= columns; j += NN__LANES) {
        const NN__F32 bend = NN__(load)(slope + j);
        float *at = y + j;
        for (int i = 0; i < rows; i++, at += y_row)
            NN__(store)(at, NN__(bent)(NN__(load)(at), bend));
    }
    if (j == columns) return;
    const int n = columns - j;
    const NN__F32 bend = NN__(load_some)(slope + j, n, 0.0f);
    y += j;
    for (int i = 0; i < rows; i++, y += y_row)
        NN__(store_some)(y, n, NN__(bent)(NN__(load_some)(y, n, 0.0f), bend));
}
#endif

#ifndef NN__SET_PORTABLE_AVX512
#include "kernels/matmul/vector_sums.h"
#endif

#ifdef NN__SET_PORTABLE_AVX512
static const nn__gemm_set NN__(products) = {NN__TILE_HIGH,
                                            NN__LANES,
                                            NN__LANES / 2,
                                            NN__(tile),
                                            NN__(finish),
                                            nn__dot_portable_avx2,
                                            nn__transpose_portable_avx2,
                                            nn__pick_every_portable_avx2,
                                            NN__(tile_copy),
                                            nn__halve_portable_avx2,
                                            nn__widen_portable_avx2,
                                            nn__dot_halves_portable_avx2,
                                            nn__dot_row_portable_avx2,
                                            nn__add_halves_portable_avx2,
                                            nn__add_rows_portable_avx2,
                                            nn__scale_row_portable_avx2,
#ifndef NN_NO_SPEEDUPS
                                            nn__bend_rows_portable_avx2,
                                            nn__bend_columns_portable_avx2
#endif
};
#else
static const nn__gemm_set NN__(products) = {
    NN__TILE_HIGH,
#if NN__LANES == 1
    NN__TILE_WIDE, 16,
#else
    NN__TILE_WIDE * NN__LANES, NN__LANES >= 8 ? NN__LANES : 8,
#endif
    NN__(tile), NN__(finish), NN__(dot), NN__(transpose), NN__(pick_every),
#ifndef NN_NO_SIMD
#if NN__LANES == 1
    NULL,
#else
    NN__(tile_copy),
#endif
    NN__(halve), NN__(widen),
#ifdef NN__SET_AVX512
    nn__dot_halves_avx2, NN__(dot_row), nn__add_halves_avx2,
#else
    NN__(dot_halves), NN__(dot_row), NN__(add_halves),
#endif
    NN__(add_rows), NN__(scale_row),
#endif
#ifndef NN_NO_SPEEDUPS
    NN__(bend_rows), NN__(bend_columns)
#endif
};
#endif
#if !defined(NN_NO_SIMD) && !defined(NN__SET_WIDE)
static const nn__gemm_bytes NN__(products_of_bytes) = {NN__(widen_bytes), NN__(dot_bytes),
                                                       NN__(add_bytes)};
#endif

#if NN__LANES > 1
static const nn__panel_set NN__(panels) = {NN__TILE_WIDE * NN__LANES, NN__PANEL_HIGH,
#ifdef NN__BY_LANE
                                           true,
#else
                                           false,
#endif
                                           NN__(panel)};
#elif !defined(NN_NO_SIMD)
static const nn__panel_set NN__(panels) = {0, 0, false, NULL}; /* there are bands */
#endif

#undef NN__TILE_HIGH
#undef NN__TILE_WIDE
#undef NN__PANEL_HIGH
#endif
