/* kernels/shard_sum/args.h - what the shards of a batch leave, added in a binary tree: a sum joins
   those that wait for it, one after the other, each of which makes it twice as large. */
#pragma once

#include "device/types.h"

#define NN_SHARD_SUM_MOST 4

/* to = (sums[count - 1] + ... + (sums[1] + (sums[0] + x))), each addition rounded to f32. Where
   rests[0] is there, x is rounded to bf16 before, and with rests[k + 1] what the addition of
   sums[k] gives: of s = number + rest the nearest bf16 is taken, halves to even, and the rest is
   s minus that, for the next time; 0 where s is not finite. Only the first `rounded` numbers are
   rounded; of these `narrow` has the patterns of the last rounding. `to` may be x. */
typedef struct nn_shard_sum_args {
    nn_view to, x;                        /* (n) f32 */
    nn_view sums[NN_SHARD_SUM_MOST];      /* (n) f32: `count` of them */
    nn_view rests[NN_SHARD_SUM_MOST + 1]; /* (rounded) f32, or absent */
    nn_view narrow;                       /* (rounded) bf16, or absent */
    nn_view scratch;
    int32_t count, rounded;
} nn_shard_sum_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_SHARD_SUM_VIEWS(VIEW, ITEM)                                                             \
    VIEW(OUT, to, 1) VIEW(IN, x, 1) VIEW(IN, sums[0], NN_SHARD_SUM_MOST)                           \
    VIEW(CHANGED, rests[0], NN_SHARD_SUM_MOST + 1) VIEW(OUT, narrow, 1) VIEW(SCRATCH, scratch, 1)

/* What else it is told: kernels/list.h. */
#define NN_SHARD_SUM_NUMBERS(INT, REAL, OTHER) INT(count) INT(rounded)

/* y (m, n) = the sum over the shards s of weights[s * weight_step] a_s^T b_s, each product, weighed
   and rounded, added in the same tree: the gradient of a weight of which each shard has some rows.
   A weight of 0 makes zeros of whatever the product is; without weights all are 1. a_s (rows, m)
   begins at number s * a_step of a, b_s (rows, n) at s * b_step of b; the rows of a_s are a_row
   numbers apart. There are `shards` of them, a power of two up to 1024, and `total` rows: each
   shard has `rows`, but the last ones what is left, which may be none. With counts, shard s has
   counts[s * weight_step] * count_rows rows instead, from 0 to `rows`. */
typedef struct nn_shard_product_args {
    nn_view y;    /* (m, n) f32 */
    nn_view a, b; /* f32 */
    nn_view weights, counts; /* f32, or absent */
    nn_view scratch;
    int32_t m, n, shards, rows, total, a_step, b_step, a_row, weight_step, count_rows;
} nn_shard_product_args;

#define NN_SHARD_PRODUCT_VIEWS(VIEW, ITEM)                                                         \
    VIEW(OUT, y, 1) VIEW(IN, a, 1) VIEW(IN, b, 1) VIEW(IN, weights, 1) VIEW(IN, counts, 1)         \
    VIEW(SCRATCH, scratch, 1)
#define NN_SHARD_PRODUCT_NUMBERS(INT, REAL, OTHER)                                                 \
    OTHER(m) OTHER(n) OTHER(shards) OTHER(rows) OTHER(total) OTHER(a_step) OTHER(b_step)           \
    OTHER(a_row) OTHER(weight_step) OTHER(count_rows)
