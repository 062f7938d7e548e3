/* kernels/attention/cpu.h - shared by the parts of attention on the CPU.

   A block of scores is stored transposed: one row per key, one column per query. So scores are the
   product of the keys as they lie and of queries that are transposed once per block. Softmax goes
   along columns, a vector of queries at a time. The block is then the left operand of the product
   with the values. k and v are not copied, unless they are widened. */
#pragma once

#include "cpu/gemm.h"
#include "cpu/sets.h"

#define NN__ATTENTION_QUERIES 64 /* columns of a block: a multiple of the four numbers of a Philox
                                    call */
#define NN__ATTENTION_KEYS    64 /* rows of a block */
#define NN__ATTENTION_ROW     80 /* distance between rows of a block; not a power of two */

#define NN__ATTENTION_ROWWISE 4 /* most queries that are processed row by row */

/* The loops of each instruction set (kernels/attention/vector.h) over blocks of `columns` columns
   and `count` rows. The rows are NN__ATTENTION_ROW apart. */
typedef struct nn__attention_loops {
    /* most = max(most, column), ignoring NaN. factor: scales the sums and results so far. shift: is
       subtracted before exp. */
    void (*most)(const float *scores, float *most, float *shift, float *factor, int columns,
                 int count);
    /* Turns scores into weights (not yet divided by their sum), and sums them. */
    void (*exps)(float *scores, const float *shift, float *sum, int columns, int count);
    bool (*finite)(const float *x, ptrdiff_t row, int rows, int width);
    /* Computes NN__ATTENTION_QUERIES dropout factors, from a counter on. */
    void (*kept)(const nn_attention_args *args, uint64_t counter, float *kept);
#ifndef NN_NO_TRAINING
    /* For one key: p = exp(score - log_sum) and dp = p (dp - delta) scale, which stays 0 if p is
       0. */
    void (*slope)(float *p, float *dp, const float *log_sum, const float *delta, float scale,
                  int columns);
#endif
} nn__attention_loops;

/* The work of a unit: one head of one sample. Pointers point to its row 0, and distances between
   rows count elements. */
typedef struct nn__attention {
    const nn__cpu *cpu;
    const nn__gemm_set *set;
    const nn__attention_loops *loops;
    const nn_attention_args *args;
    int N, H, K, L, S, E, V;
    int n, h, keys, offset; /* keys: number of valid keys; offset: the position of query 0 */
    float slope;
    const float *q, *dy;
    float *y, *dq;
    ptrdiff_t q_row, k_row, v_row, y_row;
    ptrdiff_t k_first, v_first; /* row 0 of its keys and values, in elements of the tensor */
    const int32_t *starts;      /* of the sample's queries; NULL: all see key 0 */
    /* the worker's scratch */
    int32_t *steps; /* b_offset of transposed queries: 0, NN__ATTENTION_QUERIES ... */
    int32_t *rows_e, *rows_v, *rows_q, *rows_y; /* offsets of the rows of k, v, q, y as they are
                                                   read */
    float *turned, *scores, *wide_k, *wide_v;
    float *state; /* three rows of NN__ATTENTION_QUERIES numbers */
    bool careful; /* a masked NaN or infinity must not spread: weights of 0 are skipped */
} nn__attention;

static inline NN__UNUSED bool nn__attention_half(const nn_view *view) {
    return view->dtype != NN_F32;
}

/* Returns the bytes of a worker's scratch. Backward also has blocks of dy and of its product. */
NN_PRIVATE size_t nn__attention_own_bytes(const nn_attention_args *args, bool backward);
/* Describes head h of sample n. own NULL: only the extents are set. */
NN_PRIVATE nn__attention nn__attention_of(const nn__cpu *cpu, const nn_attention_args *args, int n,
                                          int h, void *own);
/* Sets the pointers when the extents are known. */
NN_PRIVATE void nn__attention_place(nn__attention *a);
NN_PRIVATE const char *nn__attention_refuses(const nn__cpu *cpu, const void *args);
/* True if the sample's length and position are in range. */
NN_PRIVATE bool nn__attention_fits(const nn_attention_args *args, int n);

/* to (columns, NN__ATTENTION_QUERIES) = transposed rows of `from`, times scale. Rows are padded
   with 0 to a multiple of eight; returns the padded number. */
NN_PRIVATE int nn__attention_turn(const nn__attention *a, float *to, const float *from,
                                  ptrdiff_t row, int rows, int width, float scale);
/* Returns rows [j, j + count) of k or v in f32, `row` apart: in place, or widened into `wide`. */
NN_PRIVATE const float *nn__attention_rows(const nn__attention *a, const nn_view *view,
                                           ptrdiff_t first, int j, int count, ptrdiff_t *row,
                                           int width, float *wide);
/* Returns the first key that query i may see. A negative start lies after all keys. */
static inline NN__UNUSED int nn__attention_start(const nn__attention *a, int i) {
    return a->starts[i] < 0 ? a->S : a->starts[i];
}
/* Sets [*low, *high) to the keys that some of the queries [i, i + rows) attend to, without looking
   at the mask tensor. */
NN_PRIVATE void nn__attention_range(const nn__attention *a, int i, int rows, int *low, int *high);
/* Computes the scores of keys [j, j + count) and queries [i, i + rows) from transposed queries,
   including bias and masks. Returns true if some of them are masked. */
NN_PRIVATE bool nn__attention_scores(const nn__attention *a, const float *k, int i, int rows,
                                     int columns, int j, int count);
/* Computes the dropout factors of the block's weights for key j: NN__ATTENTION_QUERIES numbers. */
NN_PRIVATE void nn__attention_dropout_factors(const nn__attention *a, int i, int j, float *kept);
/* y (rows, columns) += a b. If the block is careful, zeros of a are skipped. */
NN_PRIVATE void nn__attention_multiply(const nn__attention *a, const nn__product *product);
/* Returns the index of element (i, j) of this head's mask, and its strides along queries and
   keys. */
NN_PRIVATE ptrdiff_t nn__attention_mask_at(const nn__attention *a, int i, int j, ptrdiff_t *query,
                                           ptrdiff_t *key);
/* Returns the number that the mask adds for query i and key j; for u8 it is 0 or -infinity. */
NN_PRIVATE float nn__attention_mask_number(const nn__attention *a, int i, int j);
/* Stores log_sum of query i, if log_sum is present. */
NN_PRIVATE void nn__attention_put_log_sum(const nn__attention *a, int i, float most, float sum);
#ifndef NN_NO_SIMD
/* With few queries, a unit is a head. */
static inline NN__UNUSED bool nn__attention_is_rowwise(const nn__attention *a) {
    return a->L <= NN__ATTENTION_ROWWISE && a->args->dropout == 0.0f;
}
NN_PRIVATE size_t nn__attention_rowwise_bytes(const nn_attention_args *args);
NN_PRIVATE void nn__attention_rowwise_unit(const nn__cpu *cpu, const nn_attention_args *args,
                                           int unit, void *own);
#endif
#ifndef NN_NO_TRAINING
NN_PRIVATE const nn__cpu_kernel *nn__attention_backward_kernel(void);
#endif
