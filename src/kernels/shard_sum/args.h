/* kernels/shard_sum/args.h - adds the results of a batch's shards in a binary tree: a new sum is
   added to each pending sum of the same number of shards, which doubles that number. */
#pragma once

#include "device/types.h"

#define NN_SHARD_SUM_MOST 4

/* to = (sums[count - 1] + ... + (sums[1] + (sums[0] + x))), each addition rounded to f32. If
   rests[0] is present, x is first rounded to bf16; if rests[k + 1] is present, so is the result of
   adding sums[k]. Rounding takes s = number + rest to the nearest bf16, halves to even, and stores
   the difference as the new rest, or 0 if s is not finite. Only the first `rounded` numbers are
   rounded; `narrow` receives the bf16 values of the last rounding. `to` may be x. */
typedef struct nn_shard_sum_args {
    nn_view to, x;                        /* (n) f32 */
    nn_view sums[NN_SHARD_SUM_MOST];      /* (n) f32: `count` of them */
    nn_view rests[NN_SHARD_SUM_MOST + 1]; /* (rounded) f32, or absent */
    nn_view narrow;                       /* (rounded) bf16, or absent */
    nn_view scratch;
    int32_t count, rounded;
} nn_shard_sum_args;

/* Views and numbers: see kernels/list.h. */
#define NN_SHARD_SUM_VIEWS(VIEW, ITEM)                                                             \
    VIEW(OUT, to, 1) VIEW(IN, x, 1) VIEW(IN, sums[0], NN_SHARD_SUM_MOST)                           \
    VIEW(CHANGED, rests[0], NN_SHARD_SUM_MOST + 1) VIEW(OUT, narrow, 1) VIEW(SCRATCH, scratch, 1)
#define NN_SHARD_SUM_NUMBERS(INT, REAL, OTHER) INT(count) INT(rounded)

/* y (m, n) = the sum over all shards s of weights[s * weight_step] a_s^T b_s: the gradient of a
   weight from rows that are divided among the shards. Each weighted product is rounded, then they
   are added in the same tree. A weight of 0 gives zeros whatever the product is; without weights
   all are 1. a_s (rows, m) begins at element s * a_step of a, b_s (rows, n) at s * b_step of b; the
   rows of a_s are a_row elements apart. There are `shards` shards, a power of two up to 1024, with
   `total` rows: each has `rows` of them, except that the last ones have what is left, which may
   be none. With counts, shard s has counts[s * weight_step] * count_rows rows instead, from 0 to
   `rows`. */
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
