/* kernels/nibble/cpu.h - the loops of products with 4-bit weights. */
#pragma once

#include "kernels/integer/cpu.h"

/* Where a row of x that is rounded to 8 bits lies in the scratch memory. A vector of weights is
   NN__LANES words of 32 bits, which are 8 NN__LANES weights; a row has V vectors. */
typedef struct nn__nibble_row {
    char *x;     /* V times the 8 NN__LANES numbers that meet a vector, in the set's order */
    char *start; /* V vectors: -8 times the sum of the x that meet a word; zeros with minimums */
    float *size; /* V vectors: b / 127 of the group of each word */
    float *sums; /* b / 127 times the sum of each group, then zeros up to a whole vector */
} nn__nibble_row;

typedef struct nn__nibble_product {
    nn__nibble_row row[4];
    const uint8_t *weight; /* rows of C / 2 bytes */
    const uint16_t *scale, *minimum; /* rows of C / 32; minimum may be NULL */
    const float *bias;     /* NULL: 0 */
    float *y;
    ptrdiff_t y_row;       /* from one row of y to the next */
    int rows, columns, C;  /* rows: 1 to 4 */
    ptrdiff_t after;       /* number of scales after the first one up to the end of the tensor */
} nn__nibble_product;

typedef struct nn__nibble_loops {
    int lanes, bytes; /* bytes: of a number of x, 1 or 4 */
    void (*to_bytes)(const nn__nibble_row *row, const float *x, int C, bool minimum);
    void (*multiply)(const nn__nibble_product *p);
    /* y[i], i in [0, n), with n a multiple of 32; minimum may be NULL */
    void (*floats)(float *y, const uint8_t *weight, const uint16_t *scale, const uint16_t *minimum,
                   int n);
} nn__nibble_loops;

/* Returns a nibble's place in a word: nibble k has weight k / 2 of the word's four bytes, from its
   low half if k is even. */
#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) &&                                    \
    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NN__NIBBLE_SHIFT(k) (24 - 8 * ((k) >> 1) + 4 * ((k) & 1))
#else
#define NN__NIBBLE_SHIFT(k) (4 * (k))
#endif
