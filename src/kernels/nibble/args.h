/* kernels/nibble/args.h - products with weights of 4 bits, whose scales belong to groups of 32;
   on the CPU in nn_quantize.h. */
#pragma once

#include "device/types.h"

#define NN_NIBBLE_GROUP 32 /* weights of a group */

/* A row of C weights, a multiple of 32, is C / 32 groups. Group g of row k has 16 bytes of
   `weight`: byte j holds weight j in its low four bits and weight j + 16 in its high ones, as
   numbers q from 0 to 15. With d = scale[k, g] and m = minimum[k, g], or -8 d without minimums, the
   weight is d q + m. This is the order and the meaning of GGUF's Q4_0 (without minimums) and Q4_1.

   Products round x to 8 bits, by groups of 32 of each row: with b the largest |x| of a group,
   x is replaced by (b / 127) p, p = round(x * (127 / b)), halves to even, each operation rounded to
   f32. A group with b < 1e-36 counts as zeros, and one with a number that is not finite gives NaN.
   Then
       y[n, k] = bias[k] + sum over g of d (b / 127) (sum of (q - 8) p)                 or
       y[n, k] = bias[k] + sum over g of d (b / 127) (sum of q p) + m (b / 127) (sum of p)
   The inner sums are exact integers, and the outer ones f32. */
typedef struct nn_nibble_linear_args {
    nn_view y;       /* (N, K) f32 */
    nn_view x;       /* (N, C) f32 */
    nn_view weight;  /* (K, C / 2) u8 */
    nn_view scale;   /* (K, C / 32) f16 */
    nn_view minimum; /* (K, C / 32) f16; absent: -8 scale */
    nn_view bias;    /* (K) f32; absent: 0 */
    nn_view scratch;
} nn_nibble_linear_args;

/* y = the weights in f32, each computed as above and rounded once after the product and once after
   the sum. */
typedef struct nn_nibble_floats_args {
    nn_view y;       /* (K, C) f32 */
    nn_view weight;  /* (K, C / 2) u8 */
    nn_view scale;   /* (K, C / 32) f16 */
    nn_view minimum; /* (K, C / 32) f16; absent: -8 scale */
} nn_nibble_floats_args;

/* Views and numbers: see kernels/list.h. */
#define NN_NIBBLE_LINEAR_VIEWS(VIEW, ITEM)                                                         \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, scale, 1) VIEW(IN, minimum, 1)     \
    VIEW(IN, bias, 1) VIEW(SCRATCH, scratch, 1)
#define NN_NIBBLE_LINEAR_NUMBERS(INT, REAL, OTHER)
#define NN_NIBBLE_FLOATS_VIEWS(VIEW, ITEM)                                                         \
    VIEW(OUT, y, 1) VIEW(IN, weight, 1) VIEW(IN, scale, 1) VIEW(IN, minimum, 1)
#define NN_NIBBLE_FLOATS_NUMBERS(INT, REAL, OTHER)
