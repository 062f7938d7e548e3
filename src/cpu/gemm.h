/* cpu/gemm.h - shared declarations of the matrix product: one tile kernel for each instruction set,
   and the loop over tiles.

   A product is a sum of products of small tiles, y (rows, columns) += a (rows, depth) b (depth,
   columns). The rows of a begin anywhere, and the steps within a row have equal distances; the rows
   of b begin anywhere. So a tile can read matrices, transposed matrices and images in place, and
   there is no im2col. */
#pragma once

#include "cpu/private.h"

#define NN__TILE_ROWS  14 /* largest height of a tile, over all instruction sets */
#define NN__TILE_AHEAD 24 /* prefetch distance in rows of b that come from memory */
#define NN__DEEP 128 /* from this depth on, tiles prefetch y, and rows are read as streams */
#define NN__DEPTH                                                                                  \
    256 /* depth between two accesses of y; a strip of b of this depth stays in the L1 cache */

/* Activations that are applied together with biases because they cost little. Small code has only
   relu. */
typedef enum nn__clamp {
    NN__CLAMP_NOT,
    NN__CLAMP_RELU
#ifndef NN_NO_SIMD
    ,
    NN__CLAMP_RELU6
#endif
} nn__clamp;

static inline NN__UNUSED nn__clamp nn__clamp_of(nn__activate activate) {
#ifndef NN_NO_SIMD
    if (activate == nn__relu6) return NN__CLAMP_RELU6;
#endif
    return activate == nn__relu ? NN__CLAMP_RELU : NN__CLAMP_NOT;
}

/* A tile of a matrix: y[i][j] (+)= the sum over p of a[i][p a_step] b[offset[p] + j]. */
typedef struct nn__tile {
    const float *a[NN__TILE_ROWS]; /* the start of each row of a */
    ptrdiff_t a_step;
    const float *b;
    const int32_t *offset;
    float *y;
    ptrdiff_t y_row;
    int rows, columns, depth; /* depth may be 0 */
    bool add;                 /* y += */
    /* Only for tile_copy: the rows of b are b_row apart and are copied to `strip`. */
    ptrdiff_t b_row;
    float *strip;
    /* Only for the tiles of a panel, in which b has no gaps: y (rows, lanes) (+)= sum over p of
       a[row][offset[p]] b[p lanes + lane]. columns: used lanes, or more than a panel has; the other
       lanes of y are undefined. */
    const float *start; /* (lanes), initial values of the sums; or NULL */
    nn__clamp clamp;    /* applied to the result */
    bool runs;          /* in every four steps, counted from 0, the offsets are adjacent */
} nn__tile;

/* Dot products: y[i * y_row + j * y_step] (+)= sum over p of a[i * a_row + p] b[j * b_row + p], for
   at most 4 rows */
typedef struct nn__dots {
    const float *a, *b;
    ptrdiff_t a_row, b_row;
    float *y;
    ptrdiff_t y_row, y_step;
    int rows, columns, depth;
    bool add;
} nn__dots;

#define NN__PANEL_LANES 32   /* largest width of a panel */
#define NN__PANEL_AHEAD 1024 /* prefetch distance in b: the hardware's prefetch ends with each
                                page */
typedef struct nn__panel_set {
    int lanes, rows;
    bool asks_runs; /* its tiles read `runs` */
    void (*tile)(const nn__tile *tile);
} nn__panel_set;

/* The loops of one instruction set: kernels/matmul/vector.h. */
typedef struct nn__gemm_set {
    int rows, columns; /* of the largest tile */
    int narrow;        /* tiles with at most this number of columns are faster */
    void (*tile)(const nn__tile *tile);
    /* y += bias, then clamped. Biases may be NULL: one number for each row, one for each column. */
    void (*finish)(float *y, ptrdiff_t y_row, int rows, int columns, const float *row_bias,
                   const float *column_bias, nn__clamp clamp);
    void (*dot)(const nn__dots *dots);
    /* to[j * to_row + i] = from[i * from_row + j] */
    void (*transpose)(float *to, ptrdiff_t to_row, const float *from, ptrdiff_t from_row, int rows,
                      int columns);
    /* to[i] = from[i * stride], i in [0, n) */
    void (*pick)(float *to, const float *from, ptrdiff_t stride, int n);
#ifndef NN_NO_SIMD
    /* tile for all columns that copies its rows of b. NULL: b must be copied first */
    void (*tile_copy)(const nn__tile *tile);
    /* even[i] = x[at + 2 i], odd[i] = x[at + 2 i + 1], i in [0, n); 0 outside the `columns` of x */
    void (*halve)(float *even, float *odd, const float *x, int at, int columns, int n);
    /* to[i] = from[i], from f16 (or else bf16), i in [0, n); exact */
    void (*widen)(float *to, const uint16_t *from, bool f16, int n);
    /* dot of up to four rows with rows of f16 (or else bf16) at b, read in place; dots->b is not
       used */
    void (*dot_halves)(const nn__dots *dots, const uint16_t *b, bool f16);
    /* dot for rows of b that come from memory, which is fastest if they are read one after the
       other */
    void (*dot_row)(const nn__dots *dots);
    /* y[j] += sum over e < rows of a[e] b[e b_row + j], j in [0, n), with the rows in order: b is
       f16 (or else bf16); add_rows: b is f32, and `add` tells if y is added */
    void (*add_halves)(float *y, const float *a, const uint16_t *b, bool f16, ptrdiff_t b_row,
                       int rows, int n);
    void (*add_rows)(float *y, const float *a, const float *b, ptrdiff_t b_row, int rows, int n,
                     bool add);
    /* y[j] = a b[j], past the caches if `streams` */
    void (*scale_row)(float *y, float a, const float *b, int n, bool streams);
#endif
#ifndef NN_NO_SPEEDUPS
    /* v > 0 ? v : slope v, of each v = y + bias, which may be NULL; a bias and a slope for each
       row */
    void (*bend_rows)(float *y, ptrdiff_t y_row, int rows, int columns, const float *bias,
                      const float *slope);
    /* the same without a bias, and with a slope for each column */
    void (*bend_columns)(float *y, ptrdiff_t y_row, int rows, int columns, const float *slope);
#endif
} nn__gemm_set;

#ifndef NN_NO_SIMD
/* widen, dot_halves and add_rows for 8-bit numbers: a table of its own, which only programs with
   quantized weights install. */
typedef struct nn__gemm_bytes {
    void (*widen)(float *to, const int8_t *from, int n);
    void (*dot)(const nn__dots *dots, const int8_t *b);
    void (*add)(float *y, const float *a, const int8_t *b, ptrdiff_t b_row, int rows, int n,
                bool add);
} nn__gemm_bytes;
#endif

/* A product of any size, done in tiles. */
typedef struct nn__product {
    const float *a;
    ptrdiff_t a_row, a_step;
    const int32_t *a_offset; /* not NULL: row i of a is a + a_offset[i] instead of a + i * a_row */
    const float *b;
    const int32_t *b_offset;
#ifndef NN_NO_SIMD
    /* not 0: columns as wide as a tile form a strip of b; the distance between strips */
    ptrdiff_t b_strip;
    /* not NULL: the strips of b are not there yet. The first tile of each strip reads its columns
       here, in rows b_from_row apart, and copies them to b */
    const float *b_from;
    ptrdiff_t b_from_row;
#endif
    float *y;
    ptrdiff_t y_row;
    int rows, columns, depth;
    bool add;
    bool last; /* nothing is added to y after this, so bias and activation are applied */
    const float *row_bias, *column_bias;
    nn__activate activate; /* NULL: none */
} nn__product;

NN_PRIVATE const nn__gemm_set *nn__gemm_set_of(const nn__cpu *cpu);
#ifndef NN_NO_SIMD
NN_PRIVATE const nn__gemm_bytes *nn__gemm_bytes_of(const nn__cpu *cpu);
#endif
NN_PRIVATE void nn__multiply_tiles(const nn__gemm_set *set, const nn__product *product);
/* Adds the biases from row i and column j on to a part of y, and applies the activation. */
NN_PRIVATE void nn__gemm_finish(const nn__gemm_set *set, const nn__product *x, float *y, int i,
                                int rows, int j, int columns);
#ifndef NN_NO_SIMD
/* Returns the convolution tiles of the set of `cpu`; NULL: it has none. */
NN_PRIVATE const nn__panel_set *nn__panel_set_of(const nn__cpu *cpu);
#endif

#ifndef NN_NO_SIMD
/* y[j] (+)= sum over e < rows of a[e] b[e b_row + j], j in [0, n), with the rows in order:
   kernels/matmul/cpu_row.c */
NN_PRIVATE void nn__row_add(const nn__cpu *cpu, float *y, const float *a, const float *b,
                            ptrdiff_t b_row, int rows, int n, bool add);
#endif

static inline NN__UNUSED const uint16_t *nn__halves(const nn_view *view) {
    return (const uint16_t *)(const void *)((const char *)view->handle + view->offset);
}
static inline NN__UNUSED const int8_t *nn__i8(const nn_view *view) {
    return (const int8_t *)((const char *)view->handle + view->offset);
}
static inline NN__UNUSED bool nn__multiplies(const nn_view *view) {
    return view->dtype == NN_F32 || view->dtype == NN_F16 || view->dtype == NN_BF16 ||
           view->dtype == NN_I8;
}
static inline NN__UNUSED const char *nn__refuses_dtypes(const nn_gemm_args *g) {
#ifndef NN_NO_SPEEDUPS
    if (g->residual.dtype) return NN__TEXT("a product takes no residual");
#endif
    return nn__multiplies(&g->a) && nn__multiplies(&g->b) && g->y.dtype == NN_F32
               ? NULL
               : NN__TEXT("a product must read f32, f16, bf16 or i8, and write f32");
}

/* Return the number of products, and which matrices of a and b a product multiplies. */
static inline NN__UNUSED int64_t nn__gemm_products(const nn_gemm_args *g) {
    int64_t products = 1;
    if ((g->batch[0] | g->batch[1] | g->batch[2] | g->batch[3]) <= 1) return 1;
    for (int i = 0; i < NN_GEMM_BATCH; i++) products *= nn__maxi(1, g->batch[i]);
    return products;
}
static inline NN__UNUSED void nn__gemm_matrices(const nn_gemm_args *g, int32_t product, size_t *a,
                                                size_t *b) {
    *a = *b = 0;
    for (int i = NN_GEMM_BATCH - 1; i >= 0 && product > 0; i--) {
        const int32_t extent = nn__maxi(1, g->batch[i]), at = product % extent;
        *a += (size_t)at * (size_t)g->a_batch[i];
        *b += (size_t)at * (size_t)g->b_batch[i];
        product /= extent;
    }
}
/* Sets the offsets of one product of a batch. */
static inline NN__UNUSED void nn__gemm_select(nn_gemm_args *one, const nn_gemm_args *g,
                                              int32_t product) {
    size_t a, b;
    nn__gemm_matrices(g, product, &a, &b);
    one->y.offset = g->y.offset + (size_t)product * (size_t)g->m * (size_t)g->n * sizeof(float);
    one->a.offset = g->a.offset + a * (size_t)g->m * (size_t)g->k * nn_dtype_size(g->a.dtype);
    one->b.offset = g->b.offset + b * (size_t)g->k * (size_t)g->n * nn_dtype_size(g->b.dtype);
}

/* Prefetches n numbers from x on, which a copy will read soon: the hardware's prefetch stops at the
   end of a piece of a row. */
static inline NN__UNUSED void nn__gemm_ahead(const float *x, int n) {
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
    for (int i = 0; i < n; i += 16) __builtin_prefetch(x + i);
#else
    (void)x, (void)n;
#endif
}

/* Returns a distance between rows that spreads them over the sets of a cache: an odd number of
   cache lines. */
static inline NN__UNUSED ptrdiff_t nn__spread(ptrdiff_t n) { return ((n + 15) / 16 | 1) * 16; }
