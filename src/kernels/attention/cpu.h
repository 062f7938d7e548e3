/* kernels/attention/cpu.h - what the parts of attention on the CPU share.

   A block of scores is turned round: a row for each key, a column for each query. So it is a
   product of the keys as they lie and of queries that are turned round once for a block; what
   softmax does goes along columns, a vector of queries at a time; and the block is the left side of
   the product with the values as it stands. Nothing of k and v is copied, unless it is widened. */
#pragma once

#include "cpu/gemm.h"
#include "cpu/sets.h"

#define NN__ATTENTION_QUERIES 64 /* columns of a block: a multiple of four random words */
#define NN__ATTENTION_KEYS    64 /* rows of a block */
#define NN__ATTENTION_ROW     80 /* distance between rows of a block, not a power of two */

#define NN__ATTENTION_FEW     4 /* queries that are taken in rows */

/* What each instruction set has (kernels/attention/vector.h), of blocks whose rows are
   NN__ATTENTION_ROW apart: `columns` of them, `count` rows. */
typedef struct nn__attention_loops {
    /* most becomes the largest of itself and the column, NaN aside. factor: what sums and results
       so far are to be multiplied by; shift: what exp's argument is less by. */
    void (*most)(const float *scores, float *most, float *shift, float *factor, int columns,
                 int count);
    /* Scores become weights before they are divided by their sum. */
    void (*exps)(float *scores, const float *shift, float *sum, int columns, int count);
    bool (*finite)(const float *x, ptrdiff_t row, int rows, int width);
    /* NN__ATTENTION_QUERIES factors of dropout, from a counter on. */
    void (*kept)(const nn_attention_args *args, uint64_t counter, float *kept);
#ifndef NN_NO_TRAINING
    /* Of one key: p = exp(score - log_sum), and ds = p (dp - delta) scale, which stays 0 where p
       is. */
    void (*slope)(float *p, float *dp, const float *log_sum, const float *delta, float scale,
                  int columns);
#endif
} nn__attention_loops;

/* What a unit works on: one head of one sample. Pointers are to row 0 of it, the distances between
   rows are in elements. */
typedef struct nn__attention {
    const nn__cpu *cpu;
    const nn__gemm_set *set;
    const nn__attention_loops *loops;
    const nn_attention_args *args;
    int N, H, K, L, S, E, V;
    int n, h, keys, offset; /* keys: that count; offset: the position of query 0 */
    float slope;
    const float *q, *dy;
    float *y, *dq;
    ptrdiff_t q_row, k_row, v_row, y_row;
    ptrdiff_t k_first, v_first; /* row 0 of its keys and values, in elements of the tensor */
    const int32_t *starts;      /* of the sample's queries; NULL: all see key 0 */
    /* of the worker */
    int32_t *steps; /* b_offset of turned queries: 0, NN__ATTENTION_QUERIES ... */
    int32_t *rows_e, *rows_v, *rows_q, *rows_y; /* of rows of k, v, q, y as they are read */
    float *turned, *scores, *wide_k, *wide_v;
    float *state; /* three rows of NN__ATTENTION_QUERIES numbers */
    bool careful; /* a number that is not finite must not leave the key where it is */
} nn__attention;

static inline NN__UNUSED bool nn__attention_half(const nn_view *view) {
    return view->dtype != NN_F32;
}

/* Bytes of a worker's own; backward has blocks of dy and of its product as well. */
NN_PRIVATE size_t nn__attention_own_bytes(const nn_attention_args *args, bool backward);
/* Sample n, head h; own: NULL: only extents. */
NN_PRIVATE nn__attention nn__attention_of(const nn__cpu *cpu, const nn_attention_args *args, int n,
                                          int h, void *own);
/* Sets the pointers of one whose extents are known. */
NN_PRIVATE void nn__attention_place(nn__attention *a);
NN_PRIVATE const char *nn__attention_refuses(const nn__cpu *cpu, const void *args);
/* Does the sample's length and position make sense? */
NN_PRIVATE bool nn__attention_fits(const nn_attention_args *args, int n);

/* to (columns, NN__ATTENTION_QUERIES) = rows of `from` turned round, times scale; columns are
   filled up with 0 to a multiple of eight. Returns how many there are then. */
NN_PRIVATE int nn__attention_turn(const nn__attention *a, float *to, const float *from,
                                  ptrdiff_t row, int rows, int width, float scale);
/* Rows [j, j + count) of k or v in f32, `row` apart: where they are, or widened into `wide`. */
NN_PRIVATE const float *nn__attention_rows(const nn__attention *a, const nn_view *view,
                                           ptrdiff_t first, int j, int count, ptrdiff_t *row,
                                           int width, float *wide);
/* The first key that query i may see; one that is no number of a key is behind all of them. */
static inline NN__UNUSED int nn__attention_start(const nn__attention *a, int i) {
    return a->starts[i] < 0 ? a->S : a->starts[i];
}
/* Keys [*low, *high) are those that some of the queries [i, i + rows) attend to, as far as masks of
   the caller's are not asked. */
NN_PRIVATE void nn__attention_range(const nn__attention *a, int i, int rows, int *low, int *high);
/* The scores of keys [j, j + count) and queries [i, i + rows), from turned queries; bias and masks
   included. Says whether some of them are masked. */
NN_PRIVATE bool nn__attention_scores(const nn__attention *a, const float *k, int i, int rows,
                                     int columns, int j, int count);
/* What dropout multiplies the block's weights by, for key j: NN__ATTENTION_QUERIES numbers. */
NN_PRIVATE void nn__attention_kept(const nn__attention *a, int i, int j, float *kept);
/* y (rows, columns) += a b. When the block is careful, numbers of a that are 0 take no part. */
NN_PRIVATE void nn__attention_multiply(const nn__attention *a, const nn__product *product);
/* Element (i, j) of this head's mask and what it is multiplied with to get to the next. */
NN_PRIVATE ptrdiff_t nn__attention_mask_at(const nn__attention *a, int i, int j, ptrdiff_t *query,
                                           ptrdiff_t *key);
/* The number that the mask adds for query i and key j: 0 or -infinity of u8. */
NN_PRIVATE float nn__attention_mask_number(const nn__attention *a, int i, int j);
/* log_sum of query i, if it is wanted. */
NN_PRIVATE void nn__attention_put_log_sum(const nn__attention *a, int i, float most, float sum);
#ifndef NN_NO_SIMD
/* Few queries: a unit is a head. */
static inline NN__UNUSED bool nn__attention_is_few(const nn__attention *a) {
    return a->L <= NN__ATTENTION_FEW && a->args->dropout == 0.0f;
}
NN_PRIVATE size_t nn__attention_few_bytes(const nn_attention_args *args);
NN_PRIVATE void nn__attention_few_unit(const nn__cpu *cpu, const nn_attention_args *args, int unit,
                                       void *own);
#endif
#ifndef NN_NO_TRAINING
NN_PRIVATE const nn__cpu_kernel *nn__attention_backward_kernel(void);
#endif
