/* cpu/gemm.h - what the parts of the matrix product share: one tile kernel per instruction set, and
   the loop over tiles.

   Everything is a sum of products of small tiles, y (rows, columns) += a (rows, depth) b (depth,
   columns). The rows of a start anywhere, the steps within a row are equally far apart, and the
   rows of b start anywhere. A tile can therefore read matrices, their transposes and images where
   they are, and no image is ever unrolled into a matrix of columns. */
#pragma once

#include "cpu/private.h"

#define NN__TILE_ROWS 14  /* most rows of a tile, over all instruction sets */
/* Usual rows of a tile that asks for nothing, of AVX-512: a machine sees the whole of two such
   tiles, so that one multiplies while the other one writes its sums. */
#define NN__TILE_LOW 7
#define NN__TILE_AHEAD 24 /* rows of b that come from memory are asked for so far ahead */
#define NN__DEEP 128 /* sums so long are worth a stream of their own */
#define NN__DEPTH                                                                                  \
    256 /* steps between two visits of y; so deep a strip of b stays in the first cache */

typedef struct nn__tile {
    const float *a[NN__TILE_ROWS]; /* where each row of a starts */
    ptrdiff_t a_step;
    const float *b;
    const int32_t *b_offset; /* row p of b is b + b_offset[p] */
    float *y;
    ptrdiff_t y_row;
    int rows, columns, depth; /* depth may be 0 */
    bool add;                 /* y += */
#ifndef NN_NO_SIMD
    ptrdiff_t a_row;  /* not 0: all rows of a are so far apart, which takes fewer registers */
    ptrdiff_t wanted; /* not 0: what lies so far behind each row of b is read next */
#endif
} nn__tile;

#ifndef NN_NO_SIMD
/* Memory that is read soon: `bytes` bytes of each of `rows` rows, `row` bytes apart. A tile asks
   for it while it computes. */
typedef struct nn__ahead {
    const char *at;
    ptrdiff_t row;
    int rows, bytes;
} nn__ahead;
#endif

/* y[i * y_row + j * y_step] (+)= sum over p of a[i * a_row + p] b[j * b_row + p], for at most 4
   rows */
typedef struct nn__dots {
    const float *a, *b;
    ptrdiff_t a_row, b_row;
    float *y;
    ptrdiff_t y_row, y_step;
    int rows, columns, depth;
    bool add;
} nn__dots;

/* Activations that are done together with biases: those that take no more than a moment. Small code
   knows relu alone. */
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

typedef struct nn__gemm_set {
    int rows, columns; /* of the largest tile */
    int narrow;        /* tiles of so few columns take less time */
    void (*tile)(const nn__tile *tile);
    /* y += bias, then clamped. Biases may be NULL: one number per row, one per column. */
    void (*finish)(float *y, ptrdiff_t y_row, int rows, int columns, const float *row_bias,
                   const float *column_bias, nn__clamp clamp);
    void (*dot)(const nn__dots *dots);
    /* to[j * to_row + i] = from[i * from_row + j] */
    void (*transpose)(float *to, ptrdiff_t to_row, const float *from, ptrdiff_t from_row, int rows,
                      int columns);
    /* to[i] = from[i * stride], i in [0, n) */
    void (*pick)(float *to, const float *from, ptrdiff_t stride, int n);
#ifndef NN_NO_SIMD
    /* even[i] = x[at + 2 i], odd[i] = x[at + 2 i + 1], i in [0, n); 0 where x, of so many columns,
       has none. NULL: pick */
    void (*halve)(float *even, float *odd, const float *x, int at, int columns, int n);
    /* to[i] = from[i], of f16 (or else bf16), i in [0, n); exact */
    void (*widen)(float *to, const uint16_t *from, bool f16, int n);
    /* dot of one row, or with a depth of at least NN__DEEP of up to four, with rows of f16 (or else
       bf16) at b, read where they are; dots->b is not used. NULL: they are widened first */
    void (*dot_halves)(const nn__dots *dots, const uint16_t *b, bool f16);
    /* dot with rows of b that come from memory, which reads them fastest one after the other.
       NULL: dot */
    void (*dot_row)(const nn__dots *dots);
    /* y[j] += the sum over e < rows of a[e] b[e b_row + j], j in [0, n), of f16 (or else bf16).
       NULL: they are widened first */
    void (*add_halves)(float *y, const float *a, const uint16_t *b, bool f16, ptrdiff_t b_row,
                       int rows, int n);
    /* tile of all its rows with b as it lies in a matrix, whose rows are from_row apart; the strip
       of b that the other tiles read is left in `strip`. NULL: b is copied first */
    void (*tile_copy)(const nn__tile *tile, const nn__ahead *ahead, float *strip,
                      const float *from, ptrdiff_t from_row);
    /* tile that brings what two others read into the second cache. NULL: tile */
    void (*tile_ahead)(const nn__tile *tile, const nn__ahead *ahead);
    int32_t cold; /* numbers of a product, beyond which asking ahead pays */
#endif
} nn__gemm_set;

#ifndef NN_NO_SIMD
/* The same with rows of 8-bit numbers, read where they are: cpu/bytes.c. */
typedef struct nn__bytes_set {
    void (*widen)(float *to, const int8_t *from, int n); /* exact */
    /* dot of up to four rows with those at b; dots->b is not used */
    void (*dot)(const nn__dots *dots, const int8_t *b);
    /* y[j] (+)= the sum over e < rows of a[e] b[e b_row + j], j in [0, n), with the rows in
       order */
    void (*add)(float *y, const float *a, const int8_t *b, ptrdiff_t b_row, int rows, int n,
                bool add);
} nn__bytes_set;
NN_PRIVATE const nn__bytes_set *nn__bytes_set_of(const nn__cpu *cpu);
#endif

/* A product of any extent, in tiles. */
typedef struct nn__product {
    const float *a;
    ptrdiff_t a_row, a_step;
    const int32_t *a_offset; /* not NULL: row i of a is a + a_offset[i] instead of a + i * a_row */
    const float *b;
    const int32_t *b_offset;
#ifndef NN_NO_SIMD
    /* not 0: columns as wide as a tile form a strip of b, which is so far from the next one */
    ptrdiff_t b_strip;
    /* not NULL: the strips of b are not there yet. The first tile of each takes its columns from
       here, rows b_from_row apart, and leaves them at b; b_turn: they are columns there, and are
       turned before */
    const float *b_from;
    ptrdiff_t b_from_row;
    bool b_turn;
    const float *b_after; /* what b_from is next; NULL: nothing */
    nn__ahead a_after;    /* the piece of a that is copied next; no rows: nothing */
    bool asks;            /* tiles ask for what is read next, which may be far */
    bool a_cold;          /* so may be a */
    bool b_far; /* b is read once, from memory: a strip is asked for while the one before is used */
#endif
    float *y;
    ptrdiff_t y_row;
    int rows, columns, depth;
    bool add;
    bool last; /* nothing is added to y after this: bias and activation apply */
    const float *row_bias, *column_bias;
    nn__activate activate; /* NULL: none */
} nn__product;

#ifndef NN_NO_SIMD
/* A small product whose operands are near, in one go: y (+)= a b, the sums in the order of a tile,
   then bias and relu. gated (or NULL) receives y where gate is not at or below 0, and 0 elsewhere:
   the gradient of the relu whose result gate is; it may be y or gate. Rows of y, gate and gated are
   columns apart. */
typedef struct nn__near_product {
    const float *a, *b;
    ptrdiff_t a_row, a_step, b_row;
    float *y, *gated;
    const float *bias, *gate;
    int rows, columns, depth;
    bool add, relu;
} nn__near_product;
#endif

NN_PRIVATE const nn__gemm_set *nn__gemm_set_of(const nn__cpu *cpu);
NN_PRIVATE void nn__multiply_tiles(const nn__gemm_set *set, const nn__product *product);

/* The plain C versions, which other sets use for what they do not do better. */
NN_PRIVATE void nn__plain_finish(float *y, ptrdiff_t y_row, int rows, int columns,
                                 const float *row_bias, const float *column_bias,
                                 nn__clamp clamp);
NN_PRIVATE void nn__plain_dot(const nn__dots *dots);
NN_PRIVATE void nn__plain_transpose(float *to, ptrdiff_t to_row, const float *from,
                                    ptrdiff_t from_row, int rows, int columns);
NN_PRIVATE void nn__plain_pick(float *to, const float *from, ptrdiff_t stride, int n);
#ifndef NN_NO_SIMD
NN_PRIVATE void nn__plain_widen(float *to, const uint16_t *from, bool f16, int n);
/* y[j] (+)= the sum over e < rows of a[e] b[e b_row + j], j in [0, n), with the rows in order:
   kernels/matmul/cpu_row.c */
NN_PRIVATE void nn__row_add(const nn__cpu *cpu, float *y, const float *a, const float *b,
                            ptrdiff_t b_row, int rows, int n, bool add);
#define NN__GEMM_WIDEN(function) , function
#else
#define NN__GEMM_WIDEN(function)
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
    return nn__multiplies(&g->a) && nn__multiplies(&g->b) && g->y.dtype == NN_F32
               ? NULL
               : NN__TEXT("a product reads f32, f16, bf16 and i8, and writes f32");
}

/* How many products there are, and the numbers of the matrices that one of them multiplies. */
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
/* One product of a batch, as a product by itself. */
static inline NN__UNUSED void nn__gemm_select(nn_gemm_args *one, const nn_gemm_args *g,
                                              int32_t product) {
    size_t a, b;
    nn__gemm_matrices(g, product, &a, &b);
    one->y.offset = g->y.offset + (size_t)product * (size_t)g->m * (size_t)g->n * sizeof(float);
    one->a.offset = g->a.offset + a * (size_t)g->m * (size_t)g->k * nn_dtype_size(g->a.dtype);
    one->b.offset = g->b.offset + b * (size_t)g->k * (size_t)g->n * nn_dtype_size(g->b.dtype);
}

/* What a copy will read soon, n numbers from x on, into a cache: a machine's own reading ahead
   stops where a piece of a row does. */
static inline NN__UNUSED void nn__gemm_ahead(const float *x, int n) {
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
    for (int i = 0; i < n; i += 16) __builtin_prefetch(x + i);
#else
    (void)x, (void)n;
#endif
}

/* A distance between rows that spreads them over the sets of a cache: an odd number of cache
   lines. */
static inline NN__UNUSED ptrdiff_t nn__spread(ptrdiff_t n) { return ((n + 15) / 16 | 1) * 16; }

/* Which instruction sets this compiler can be asked for inside one file. */
#if !defined(NN_NO_SIMD) && !defined(__TINYC__)
#if defined(__x86_64__) || (defined(_M_X64) && !defined(_M_ARM64EC))
#if defined(__GNUC__) || defined(__clang__) || (defined(_MSC_VER) && _MSC_VER >= 1920)
#define NN__HAVE_X86 1
/* Kernels that read and write at least so many bytes write past the caches. */
NN_PRIVATE int64_t nn__cpu_stream_bytes(int workers);
#endif
#elif (defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))) || defined(_M_ARM64)
#define NN__HAVE_NEON 1
#endif
#endif

#ifdef NN__HAVE_X86
#include "cpu/intrinsics.h"
NN_PRIVATE const nn__gemm_set *nn__gemm_set_avx512(void);
NN_PRIVATE void nn__avx512_tile(const nn__tile *tile);
NN_PRIVATE void nn__avx512_tile_ahead(const nn__tile *tile, const nn__ahead *ahead);
NN_PRIVATE void nn__avx512_tile_copy(const nn__tile *tile, const nn__ahead *ahead, float *strip,
                                     const float *from, ptrdiff_t from_row);
NN_PRIVATE void nn__avx512_block(const nn__near_product *block);
NN_PRIVATE const nn__gemm_set *nn__gemm_set_avx2(void);
/* For AVX-512 too: such sums wait for memory. */
NN_PRIVATE void nn__avx2_widen(float *to, const uint16_t *from, bool f16, int n);
NN_PRIVATE void nn__avx2_dot_halves(const nn__dots *d, const uint16_t *b, bool f16);
NN_PRIVATE void nn__avx2_dot_row(const nn__dots *d);
NN_PRIVATE void nn__avx2_add_halves(float *y, const float *a, const uint16_t *b, bool f16,
                                    ptrdiff_t b_row, int rows, int n);
NN_PRIVATE void nn__avx2_pick(float *to, const float *from, ptrdiff_t stride, int n);
#endif
#ifdef NN__HAVE_NEON
#include <arm_neon.h>
NN_PRIVATE const nn__gemm_set *nn__gemm_set_neon(void);
#endif

/* Functions for one instruction set. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#define NN__TARGET(set) __attribute__((target(set)))
#else
#define NN__TARGET(set)
#endif

#ifdef NN__HAVE_X86
/* Keeps a compiler from making a pointer to each row that is reached from this one. */
#if defined(__GNUC__) || defined(__clang__)
#define NN__KEEP_REGISTER(pointer) __asm__("" : "+r"(pointer))
#else
#define NN__KEEP_REGISTER(pointer) (void)(pointer)
#endif

/* Columns of a tile: at most 16; up to 32; 32, whose vectors need no mask. A load with a mask takes
   one of the machine's places for sums, which costs a long tile 3 %. */
typedef enum nn__avx512_width {
    NN__AVX512_NARROW,
    NN__AVX512_EDGE,
    NN__AVX512_WHOLE
} nn__avx512_width;

/* Rows of a equally far apart: row i is i % 5 rows behind one of three. x86 adds a register 1, 2, 4
   or 8 times to another one, so that five reach all rows; pointers to all would be more than there
   are registers, and the inner loop would read some of them back each time. */
static NN__ALWAYS_INLINE NN__UNUSED NN__TARGET("avx512f") __m512
nn__avx512_value(const char *base, ptrdiff_t once, ptrdiff_t thrice, const int row) {
    base += row == 3 ? thrice : row * once;
    return _mm512_set1_ps(*(const float *)(const void *)base);
}

/* Four vectors to their four sums. */
static NN__ALWAYS_INLINE NN__UNUSED NN__TARGET("avx2") __m128
nn__avx2_sum4(__m256 s0, __m256 s1, __m256 s2, __m256 s3) {
    const __m256 s = _mm256_hadd_ps(_mm256_hadd_ps(s0, s1), _mm256_hadd_ps(s2, s3));
    return _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
}
#endif
