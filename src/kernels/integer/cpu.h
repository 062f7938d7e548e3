/* kernels/integer/cpu.h - what the integer kernels share, and the loops that an instruction set may
   have. The arithmetic is exact, so every set gives the same bytes. */
#pragma once

#include "cpu/sets.h"

/* Compilers that have the instructions for 8-bit dot products, which a processor may have. */
#if NN__HAS_AVX512 && (defined(__clang__) || !defined(__GNUC__) || __GNUC__ >= 8)
#define NN__HAS_VNNI 1
#else
#define NN__HAS_VNNI 0
#endif
#if NN__HAS_NEON && (defined(__linux__) || defined(__ARM_FEATURE_DOTPROD)) &&                      \
    (defined(__ARM_FEATURE_DOTPROD) || (defined(__clang__) && __clang_major__ >= 16) ||            \
     (!defined(__clang__) && defined(__GNUC__) && __GNUC__ >= 9))
#define NN__HAS_DOT    1
#define NN__DOT_TARGET __attribute__((target("arch=armv8.2-a+dotprod")))
#else
#define NN__HAS_DOT 0
#endif
/* ARM's i8mm extension multiplies 2 x 8 by 8 x 2 numbers in one instruction. */
#if NN__HAS_DOT && (defined(__ARM_FEATURE_MATMUL_INT8) || defined(__linux__)) &&                   \
    (defined(__clang__) || __GNUC__ >= 10)
#define NN__HAS_I8MM    1
#define NN__I8MM_TARGET __attribute__((target("arch=armv8.2-a+dotprod+i8mm")))
#else
#define NN__HAS_I8MM 0
#endif

#define NN__INTEGER_ROWS  24 /* largest height of a tile */
#define NN__INTEGER_LANES 32 /* largest width of a panel */

/* Numbers that follow from the factors of a panel, for vectors of 64-bit products. */
#define NN__INTEGER_FACTORS 128
/* The quantisation of the channels of y. */
typedef struct nn__integer_out {
    const int32_t *multiplier, *shift; /* of each channel */
    int32_t zero, low, high;
    const int64_t *factors; /* NN__INTEGER_FACTORS numbers that `prepare` wrote; NULL: none */
} nn__integer_out;

/* A tile of a product. */
typedef struct nn__integer_tile {
    const char *x; /* rows x_row bytes apart */
    ptrdiff_t x_row;
    const char *w;        /* a panel: (depth / step, lanes, step) */
    const int32_t *start; /* (lanes) */
    int32_t *sums;        /* (rows, lanes) */
    int rows, steps;
} nn__integer_tile;

/* A tile whose rows are windows of x, read in place. It has two halves, and each half has
   NN__INTEGER_HALF adjacent places of one row of y. A window has `lines` lines of adjacent
   numbers. */
#define NN__INTEGER_HALF 7
typedef struct nn__integer_windows_tile {
    const char *x[2];     /* the first window of each half; x[1] NULL: there is one half only */
    ptrdiff_t x_row;      /* bytes from a place to the next one */
    ptrdiff_t x_line;     /* bytes from a line to the next one */
    const char *w;        /* a panel: (lines, steps, lanes, step) */
    const int32_t *start; /* (lanes) */
    int32_t *sums;        /* (2, NN__INTEGER_HALF, lanes) */
    int lines, steps;
} nn__integer_windows_tile;

/* Places of one row of y of a depthwise convolution of 3 x 3, for a block of lanes: channels, or
   the same few channels of several places far from each other (cpu_three.c). */
#define NN__INTEGER_THREE_LANES   64
#define NN__INTEGER_THREE_HALF    768 /* bytes of weights of half of the lanes */
#define NN__INTEGER_THREE_FACTORS 288 /* numbers that `three_prepare` writes */
typedef struct nn__integer_three {
    const uint8_t *x[3];    /* rows of x: (columns, lanes), plus 128 */
    const int32_t *start;   /* (lanes) */
    const int8_t *w;        /* (2, 3, 2, 2, lanes / 4, 4): halves of the lanes, rows, ... */
    const int64_t *factors; /* of three_prepare */
    int8_t *y;              /* places y_row bytes apart */
    ptrdiff_t y_row;
    int places;   /* x has the columns for a multiple of four places */
    bool strided; /* places are two columns apart, not one */
    bool usual;   /* the result of three_prepare */
    int32_t zero, low, high;
} nn__integer_three;
/* Returns lane k of start, of vectors of w, and of what three_prepare reads. */
static inline NN__UNUSED int nn__integer_three_lane(int k) {
    return k % 16 / 4 * 16 + k / 16 * 4 + k % 4;
}

/* Adjacent places of one row of y of a depthwise convolution of nine taps. The taps of a place are
   those of the place before, `place` bytes further on. */
typedef struct nn__integer_nine {
    const int8_t *const *taps; /* (9), of the first place */
    ptrdiff_t place;
    const int8_t *w;      /* (9) rows of n numbers, w_row bytes apart; none of them is -128 */
    ptrdiff_t w_row;
    const int32_t *start; /* (n) */
    const nn__integer_out *out;
    int8_t *y; /* places y_row bytes apart */
    ptrdiff_t y_row;
    int places, n; /* n >= 16 */
} nn__integer_nine;

typedef struct nn__integer_loops {
    int rows, lanes; /* of a tile */
    int step;        /* adjacent numbers of the depth that one lane takes at once: 1 to 16 */
    int unroll;      /* the depth is padded with zeros to a multiple of step * unroll */
    int bytes;       /* bytes of a number of x and w in a product: 1 or 2 */
    int offset;      /* added to the numbers of x: 0, 128 */
    void (*tile)(const nn__integer_tile *tile);
    /* to[i] = x[i] + offset, i in [0, n), as numbers of `bytes` bytes */
    void (*widen)(void *to, const int8_t *x, int n);
    /* y[r y_row + i] = sums[r lanes + i], requantised for channel i; r in [0, rows), i in [0, n) */
    void (*requantize)(int8_t *y, ptrdiff_t y_row, const int32_t *sums, int lanes, int rows,
                       const nn__integer_out *out, int n);
    /* sums[c] = start[c] + sum over t < count of taps[t][c] w[t w_row + c], c in [0, n) */
    void (*depthwise)(int32_t *sums, const int32_t *start, const int8_t *const *taps,
                      const int16_t *w, ptrdiff_t w_row, int count, int n);
    /* y[c] = the largest taps[t][c], count >= 1 */
    void (*largest)(int8_t *y, const int8_t *const *taps, int count, int n);
    void (*add)(int8_t *y, const int8_t *a, const int8_t *b, const int32_t *numbers, int n);
    /* to[i] = x[i] in integers, i in [0, n) */
    void (*quantize)(int8_t *to, const float *x, float scale, float zero, int n);
    void (*windows)(const nn__integer_windows_tile *tile); /* NULL: windows are copied into rows */
    /* The transforms of Winograd's algorithm (cpu_winograd.c) for numbers of two bytes. NULL: there
       are none.
       tile_in: to[t across + c] = number t of the tile of channel c, c in [0, n). x: the 16 places
       of the tile */
    void (*tile_in)(int16_t *to, ptrdiff_t across, const int8_t *const *x, int n);
    /* computes the sums of the four places of a tile from its 16 products m[t across + lane], and
       stores them at sums + 0, lanes, line, line + lanes */
    void (*tile_out)(int32_t *sums, ptrdiff_t line, const int32_t *m, ptrdiff_t across,
                     const int32_t *bias);
    /* writes out->factors for n channels, which many calls of requantize then read. Returns false
       if the factors are unusual. NULL: there is no use for them */
    bool (*prepare)(int64_t *factors, const nn__integer_out *out, int n);
    /* y[3 i + k] = lines[k across + i] for three lines, i in [0, n); n is a multiple of 16. NULL:
       there is no faster way than a loop */
    void (*weave)(int8_t *y, const int8_t *lines, ptrdiff_t across, int n);
    /* Depthwise convolutions of 3 x 3, or NULL. three_copy: writes n numbers, plus 128, of each of
       some columns, which are `across` bytes apart, to the first n lanes of `to` */
    void (*three)(const nn__integer_three *t);
    bool (*three_prepare)(int64_t *factors, const int32_t *multiplier, const int32_t *shift,
                          int32_t zero);
    void (*three_copy)(uint8_t *to, const int8_t *x, ptrdiff_t across, int columns, int n);
    void (*nine)(const nn__integer_nine *t); /* NULL: there is none */
} nn__integer_loops;

/* How a convolution that is not depthwise is divided. */
typedef struct nn__integer_conv {
    const nn_integer_conv2d_args *args;
    const nn__integer_loops *loops;
    int H, W, C, OH, OW, K, depth, panels;
    /* a window is `lines` lines, each padded to `line` numbers; padded: all numbers of a window */
    int line, lines, padded;
    /* across: channels of a place of x; each, group_panels: channels of y and panels of a group */
    int across, each, group_panels;
    int64_t places;
    size_t panel_bytes; /* start of the sums, then weights */
    bool windows;       /* windows are read in place (cpu_windows.c) */
    bool winograd;      /* fewer products (cpu_winograd.c); rows are tiles of 2 x 2 places */
    int64_t blocks;     /* groups of `rows` rows */
    int rows, parts;    /* rows: places (with windows: rows of y); parts: units of a block */
} nn__integer_conv;

/* x / 2^bits, rounded down. C leaves it to the compiler what the shift of a negative number is. */
#if (-1 >> 1) == -1
#define NN__INTEGER_DOWN(x, bits) ((x) >> (bits))
#else
#define NN__INTEGER_DOWN(x, bits) ((x) >= 0 ? (x) >> (bits) : ~(~(x) >> (bits)))
#endif
/* a b / 2^31, rounded, halves up; b >= 0. */
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__integer_high(int32_t a, int32_t b) {
    const int64_t product = (int64_t)a * b + ((int64_t)1 << 30);
    return (int32_t)NN__INTEGER_DOWN(product, 31);
}
/* x / 2^bits, rounded, halves away from zero; bits in [0, 31]. */
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__integer_divide(int32_t x, int bits) {
    const uint32_t mask = ((uint32_t)1 << bits) - 1, rest = (uint32_t)x & mask;
    return NN__INTEGER_DOWN(x, bits) + (rest > (mask >> 1) + (x < 0));
}
/* Requantises a sum as kernels/integer/args.h says. */
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__integer_scale(int32_t sum, int32_t multiplier,
                                                              int32_t shift) {
    const uint32_t up = shift > 0 ? (uint32_t)sum << shift : (uint32_t)sum;
    return nn__integer_divide(nn__integer_high((int32_t)up, multiplier), shift < 0 ? -shift : 0);
}
static inline NN__UNUSED int8_t nn__integer_clamp(int32_t value, int32_t low, int32_t high) {
    return (int8_t)(value < low ? low : value > high ? high : value);
}
static inline NN__UNUSED int8_t nn__integer_one(int32_t sum, const nn__integer_out *out, int i) {
    const int32_t value = nn__integer_scale(sum, out->multiplier[i], out->shift[i]);
    return nn__integer_clamp((int32_t)((uint32_t)value + (uint32_t)out->zero), out->low, out->high);
}
static inline NN__UNUSED int8_t nn__integer_add_one(int8_t a, int8_t b, const int32_t *numbers) {
    const int32_t *zero = numbers + NN_INTEGER_ADD_ZERO,
                  *multiplier = numbers + NN_INTEGER_ADD_MULTIPLIER,
                  *shift = numbers + NN_INTEGER_ADD_SHIFT;
    const int32_t from_a = (a - zero[0]) * (1 << 20), from_b = (b - zero[1]) * (1 << 20);
    const uint32_t sum = (uint32_t)nn__integer_scale(from_a, multiplier[0], shift[0]) +
                         (uint32_t)nn__integer_scale(from_b, multiplier[1], shift[1]);
    const uint32_t value =
        (uint32_t)nn__integer_scale((int32_t)sum, multiplier[2], shift[2]) + (uint32_t)zero[2];
    return nn__integer_clamp((int32_t)value, numbers[NN_INTEGER_ADD_LOW],
                             numbers[NN_INTEGER_ADD_HIGH]);
}

/* True if each channel has a window of its own. */
static inline NN__UNUSED bool nn__integer_is_depthwise(const nn_integer_conv2d_args *args) {
    return args->weight.shape.rank == 3;
}
/* Returns the row or column of x that a tap of a transposed convolution reads; -1: none. at: of y,
   plus the padding, less the tap's distance from the first one. */
static inline NN__UNUSED int nn__integer_source(int at, int stride, int extent) {
    return at >= 0 && at % stride == 0 && at / stride < extent ? at / stride : -1;
}

/* Returns the loops of the set of `cpu`, or the best ones that its processor has. */
NN_PRIVATE const nn__integer_loops *nn__integer_loops_of(const nn__cpu *cpu);
/* True if the loops of the set are the plain ones. */
#ifdef NN_NO_SIMD
static inline NN__UNUSED bool nn__integer_is_plain(const nn__cpu *cpu) { return cpu != NULL; }
#else
NN_PRIVATE bool nn__integer_is_plain(const nn__cpu *cpu);
#endif
/* Returns the loops for products of packed weights, which may use matrix instructions. */
NN_PRIVATE const nn__integer_loops *nn__integer_products_of(const nn__cpu *cpu);

/* cpu.c, cpu_depthwise.c: the functions of the kernels, and the parts of a depthwise one */
NN_PRIVATE const nn__cpu_kernel *nn__integer_conv_functions(void);
NN_PRIVATE const nn__cpu_kernel *nn__integer_pool_functions(void);
NN_PRIVATE const nn__cpu_kernel *nn__integer_resize_functions(void);
NN_PRIVATE const nn__cpu_kernel *nn__integer_softmax_functions(void);
#ifndef NN_NO_SPEEDUPS
/* Returns the bytes of the packed weights of a convolution. */
NN_PRIVATE uint64_t nn__integer_cached(const nn_context *nn, const void *args);
#endif
#ifndef NN_NO_SIMD
/* cpu.c: sets n numbers of a row to x */
NN_PRIVATE void nn__integer_fill(const nn__integer_loops *loops, char *to, int32_t x, int n);
/* cpu_windows.c: convolutions that read windows in place */
NN_PRIVATE bool nn__integer_has_windows(const nn__integer_conv *c);
NN_PRIVATE void nn__integer_cut_windows(nn__integer_conv *c);
NN_PRIVATE size_t nn__integer_windows_own(const nn__integer_conv *c);
NN_PRIVATE void nn__integer_windows_unit(const nn__integer_conv *c, int unit, const char *packed,
                                         char *own);
/* cpu_winograd.c: convolutions of 3 x 3 with fewer products */
NN_PRIVATE bool nn__integer_has_winograd(const nn__integer_conv *c);
NN_PRIVATE void nn__integer_cut_winograd(nn__integer_conv *c);
NN_PRIVATE size_t nn__integer_winograd_own(const nn__integer_conv *c);
NN_PRIVATE void nn__integer_winograd_pack(const nn__integer_conv *c, int panel, char *to);
NN_PRIVATE void nn__integer_winograd_unit(const nn__integer_conv *c, int unit, const char *packed,
                                          char *own);
/* cpu_three.c: depthwise convolutions of 3 x 3, four places at a time */
NN_PRIVATE bool nn__integer_has_three(const nn__cpu *cpu, const nn_integer_conv2d_args *args);
NN_PRIVATE int nn__integer_three_units(const nn_integer_conv2d_args *args, int phase);
NN_PRIVATE size_t nn__integer_three_packed(const nn_integer_conv2d_args *args);
NN_PRIVATE size_t nn__integer_three_own(const nn_integer_conv2d_args *args);
NN_PRIVATE void nn__integer_three_unit(const nn__cpu *cpu, const nn_integer_conv2d_args *args,
                                       int phase, int unit, void *shared, void *own);
NN_PRIVATE int nn__integer_depthwise_units(const nn__cpu *cpu, const nn_integer_conv2d_args *args,
                                           int phase);
NN_PRIVATE size_t nn__integer_depthwise_packed(const nn__cpu *cpu,
                                               const nn_integer_conv2d_args *args);
NN_PRIVATE size_t nn__integer_depthwise_own(const nn__cpu *cpu,
                                            const nn_integer_conv2d_args *args);
NN_PRIVATE void nn__integer_depthwise_unit(const nn__cpu *cpu, const nn_integer_conv2d_args *args,
                                           int phase, int unit, void *shared, void *own);
#endif
/* cpu_plain.c: a convolution without packed weights. */
NN_PRIVATE int nn__integer_plain_units(const nn_integer_conv2d_args *args, int phase);
NN_PRIVATE size_t nn__integer_plain_own(const nn_integer_conv2d_args *args);
NN_PRIVATE void nn__integer_plain_unit(const nn_integer_conv2d_args *args, int unit, void *own);
