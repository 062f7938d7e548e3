/* kernels/attention/cpu_backward.c - the gradients of attention on the CPU. Queries and keys are
   cut into the same number of pieces. Unit (n, key head, c) of phase p takes piece c of the keys
   and piece c + p of the queries, modulo the number of pieces. So no two units of a phase write the
   same rows, every row is summed in the order of the phases, and weights are recomputed only once.
   The gradient of a mask is a further phase, which recomputes the weights once more: a unit has a
   block of the mask and loops over all scores to which the block was added. */
#include "kernels/attention/cpu.h"

#ifndef NN_NO_TRAINING

#include <math.h>

#define NN__ATTENTION_PIECES 16 /* most pieces; each phase waits for the one before */

typedef struct nn__attention_cut {
    int pieces, queries, keys; /* queries and keys: rows of a piece */
} nn__attention_cut;

/* Pieces have two blocks, or more if samples and heads already give enough units. */
static nn__attention_cut nn__attention_cut_of(const nn__attention *a) {
    nn__attention_cut cut;
    const int longer = nn__maxi(a->L, a->S), size = a->N * (int64_t)a->K >= 32 ? 256 : 128;
    cut.pieces = nn__mini(nn__maxi(nn__ceil_div(longer, size), 1), NN__ATTENTION_PIECES);
    /* a multiple of the four numbers of a Philox call */
    cut.queries = nn__ceil_div(nn__ceil_div(a->L, cut.pieces), 4) * 4;
    cut.keys = nn__ceil_div(a->S, cut.pieces);
    return cut;
}

/* Return the number of blocks along the rows and the columns of the mask's gradient. A mask with a
   single row or column broadcasts it. */
static int nn__attention_mask_rows(const nn_attention_args *args) {
    return nn__ceil_div(args->mask.shape.extent[2], NN__ATTENTION_QUERIES);
}
static int nn__attention_mask_columns(const nn_attention_args *args) {
    return nn__ceil_div(args->mask.shape.extent[3], NN__ATTENTION_KEYS);
}

static int nn__attention_backward_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_attention_args *args = (const nn_attention_args *)arguments;
    const nn__attention a = nn__attention_of(cpu, args, 0, 0, NULL);
    const nn__attention_cut cut = nn__attention_cut_of(&a);
    if (phase < cut.pieces) return a.N * a.K * cut.pieces;
    if (phase > cut.pieces || !nn__present(&args->dmask)) return 0;
    return args->mask.shape.extent[0] * args->mask.shape.extent[1] *
           nn__attention_mask_rows(args) * nn__attention_mask_columns(args);
}

static size_t nn__attention_backward_own_bytes(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return nn__attention_own_bytes((const nn_attention_args *)args, true);
}

/* Return the block for the gradients of the weights, and the transposed dy. */
static float *nn__attention_slopes(const nn__attention *a) {
    return a->scores + NN__ATTENTION_KEYS * NN__ATTENTION_ROW;
}
static float *nn__attention_turned_dy(const nn__attention *a) {
    return a->turned + (ptrdiff_t)a->E * NN__ATTENTION_QUERIES;
}

/* Returns row 0 of dk or dv, which have the layout of k and v. */
static float *nn__attention_gradient(const nn_view *view, ptrdiff_t first) {
    return nn__present(view) ? nn__f32(view) + first : NULL;
}

/* ---- weights and their gradients ------------------------------------------------------------- */

/* Turns the block's scores into weights, and slopes() into the gradients of the scores. */
static void nn__attention_derive(const nn__attention *a, int i, int rows, int columns, int j,
                                 int count, float scale) {
    const float *log_sum = a->state, *delta = a->state + NN__ATTENTION_QUERIES;
    float *slopes = nn__attention_slopes(a), kept[NN__ATTENTION_QUERIES];
    for (int e = 0; e < count; e++) {
        float *p = a->scores + e * NN__ATTENTION_ROW, *dp = slopes + e * NN__ATTENTION_ROW;
        if (a->args->dropout > 0.0f) {
            nn__attention_dropout_factors(a, i, j + e, kept);
            for (int c = 0; c < rows; c++) dp[c] *= kept[c];
        }
        a->loops->slope(p, dp, log_sum, delta, scale, columns);
        if (a->args->dropout > 0.0f)
            for (int c = 0; c < rows; c++) p[c] *= kept[c];
    }
}

/* ---- a unit ---------------------------------------------------------------------------------- */

/* Transposes queries [i, i + rows) and their dy, and sets log_sum and delta = dy . y. */
static int nn__attention_begin(nn__attention *a, int i, int rows) {
    const float *log_sum = nn__f32(&a->args->log_sum) + ((ptrdiff_t)a->n * a->H + a->h) * a->L + i;
    float *delta = a->state + NN__ATTENTION_QUERIES;
    const int columns =
        nn__attention_turn(a, a->turned, a->q + i * a->q_row, a->q_row, rows, a->E, a->args->scale);
    nn__attention_turn(a, nn__attention_turned_dy(a), a->dy + i * a->y_row, a->y_row, rows, a->V,
                       1.0f);
    for (int c = 0; c < columns; c++) {
        nn__dots dots;
        a->state[c] = c < rows ? log_sum[c] : INFINITY;
        delta[c] = 0.0f;
        if (c >= rows) continue;
        memset(&dots, 0, sizeof dots);
        dots.a = a->dy + (i + c) * a->y_row;
        dots.b = a->y + (i + c) * a->y_row;
        dots.y = delta + c;
        dots.rows = dots.columns = 1;
        dots.depth = a->V;
        a->set->dot(&dots);
    }
    return columns;
}

/* Computes slopes (keys, queries) = v dy^T. */
static void nn__attention_pull(const nn__attention *a, const float *v, int columns, int count) {
    nn__product product;
    memset(&product, 0, sizeof product);
    product.a = v;
    product.a_row = a->rows_v[1];
    product.a_step = 1;
    product.b = nn__attention_turned_dy(a);
    product.b_offset = a->steps;
    product.y = nn__attention_slopes(a);
    product.y_row = NN__ATTENTION_ROW;
    product.rows = count;
    product.columns = columns;
    product.depth = a->V;
    nn__multiply_tiles(a->set, &product);
}

/* to (count or rows, width) += block times b. The block's rows are keys; with `turn`, the product
   sums over the keys. */
static void nn__attention_give(const nn__attention *a, float *to, ptrdiff_t to_row,
                               const float *block, bool turn, const float *b,
                               const int32_t *b_offset, int rows, int depth, int width) {
    nn__product product;
    if (!to) return;
    memset(&product, 0, sizeof product);
    product.a = block;
    product.a_row = turn ? 1 : NN__ATTENTION_ROW;
    product.a_step = turn ? NN__ATTENTION_ROW : 1;
    product.b = b;
    product.b_offset = b_offset;
    product.y = to;
    product.y_row = to_row;
    product.rows = rows;
    product.columns = width;
    product.depth = depth;
    product.add = true;
    nn__attention_multiply(a, &product);
}

/* Processes keys [j, j + count) with the queries of nn__attention_begin. */
static void nn__attention_block(nn__attention *a, int i, int rows, int columns, int j, int count) {
    const nn_attention_args *args = a->args;
    ptrdiff_t k_row = a->k_row, v_row = a->v_row;
    const float *k = nn__attention_rows(a, &args->k, a->k_first, j, count, &k_row, a->E, a->wide_k);
    const float *v = nn__attention_rows(a, &args->v, a->v_first, j, count, &v_row, a->V, a->wide_v);
    const float *q = a->q + i * a->q_row, *dy = a->dy + i * a->y_row;
    float *dk = nn__attention_gradient(&args->dk, a->k_first + j * a->k_row);
    float *dv = nn__attention_gradient(&args->dv, a->v_first + j * a->v_row);
    float *slopes = nn__attention_slopes(a);
    const bool some = nn__attention_scores(a, k, i, rows, columns, j, count);
    nn__attention_pull(a, v, columns, count);
    nn__attention_derive(a, i, rows, columns, j, count, args->scale);
    a->careful = some && !(a->loops->finite(k, k_row, count, a->E) &&
                           a->loops->finite(q, a->q_row, rows, a->E) &&
                           a->loops->finite(dy, a->y_row, rows, a->V));
    nn__attention_give(a, dv, a->v_row, a->scores, false, dy, a->rows_y, count, rows, a->V);
    nn__attention_give(a, dk, a->k_row, slopes, false, q, a->rows_q, count, rows, a->E);
    nn__attention_give(a, a->dq ? a->dq + i * a->q_row : NULL, a->q_row, slopes, true, k, a->rows_e,
                       rows, count, a->E);
}

static void nn__attention_clear(float *rows, ptrdiff_t row, int from, int end, int width) {
    for (int i = from; i < end && rows; i++)
        memset(rows + i * row, 0, (size_t)width * sizeof *rows);
}

/* ---- the gradient of a mask ------------------------------------------------------------------ */

/* Adds the gradients of the block's scores to dmask. */
static void nn__attention_give_mask(nn__attention *a, int i, int rows, int columns, int j,
                                    int count) {
    const nn_attention_args *args = a->args;
    ptrdiff_t k_row = a->k_row, v_row = a->v_row, query, key;
    const float *k = nn__attention_rows(a, &args->k, a->k_first, j, count, &k_row, a->E, a->wide_k);
    const float *v = nn__attention_rows(a, &args->v, a->v_first, j, count, &v_row, a->V, a->wide_v);
    const float *slopes = nn__attention_slopes(a);
    float *to = nn__f32(&args->dmask) + nn__attention_mask_at(a, i, j, &query, &key);
    nn__attention_scores(a, k, i, rows, columns, j, count);
    nn__attention_pull(a, v, columns, count);
    nn__attention_derive(a, i, rows, columns, j, count, 1.0f);
    for (int e = 0; e < count; e++)
        for (int c = 0; c < rows; c++)
            to[c * query + e * key] += slopes[e * NN__ATTENTION_ROW + c];
}

/* Processes queries [i, i_end) and keys [j, j_end) of a head. */
static void nn__attention_mask_head(nn__attention *a, int i, int i_end, int j, int j_end) {
    for (; i < i_end; i += NN__ATTENTION_QUERIES) {
        const int rows = nn__mini(NN__ATTENTION_QUERIES, i_end - i);
        int low, high;
        nn__attention_range(a, i, rows, &low, &high);
        low = nn__maxi(low, j);
        high = nn__mini(high, j_end);
        if (low >= high) continue;
        const int columns = nn__attention_begin(a, i, rows);
        for (; low < high; low += NN__ATTENTION_KEYS)
            nn__attention_give_mask(a, i, rows, columns, low,
                                    nn__mini(NN__ATTENTION_KEYS, high - low));
    }
}

static void nn__attention_mask_unit(const nn__cpu *cpu, const nn_attention_args *args, int unit,
                                    void *own) {
    const nn__attention all = nn__attention_of(cpu, args, 0, 0, NULL);
    const int32_t *extent = args->mask.shape.extent;
    const int columns = nn__attention_mask_columns(args), rows = nn__attention_mask_rows(args);
    const int h = unit / columns / rows % extent[1], n = unit / columns / rows / extent[1];
    const int i = unit / columns % rows * NN__ATTENTION_QUERIES,
              j = unit % columns * NN__ATTENTION_KEYS;
    const int i_end = nn__mini(i + NN__ATTENTION_QUERIES, extent[2]),
              j_end = nn__mini(j + NN__ATTENTION_KEYS, extent[3]);
    float *to = nn__f32(&args->dmask) + ((ptrdiff_t)n * extent[1] + h) * extent[2] * extent[3];
    for (int c = i; c < i_end; c++)
        memset(to + (ptrdiff_t)c * extent[3] + j, 0, (size_t)(j_end - j) * sizeof *to);
    for (int s = n; s < (extent[0] > 1 ? n + 1 : all.N); s++)
        for (int g = h; g < (extent[1] > 1 ? h + 1 : all.H); g++) {
            nn__attention a = nn__attention_of(cpu, args, s, g, own);
            nn__attention_mask_head(&a, i, extent[2] > 1 ? i_end : all.L, j,
                                    extent[3] > 1 ? j_end : all.S);
        }
}

static void nn__attention_backward_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                        int unit, void *shared, void *own) {
    const nn_attention_args *args = (const nn_attention_args *)arguments;
    const nn__attention all = nn__attention_of(cpu, args, 0, 0, NULL);
    const nn__attention_cut cut = nn__attention_cut_of(&all);
    const int piece = unit % cut.pieces, head = unit / cut.pieces % all.K,
              n = unit / cut.pieces / all.K, group = all.H / all.K;
    if (phase == cut.pieces) {
        nn__attention_mask_unit(cpu, args, unit, own);
        return;
    }
    const int j_end = nn__mini((piece + 1) * cut.keys, all.S);
    const int other = (piece + phase) % cut.pieces;
    const int i_end = nn__mini((other + 1) * cut.queries, all.L);
    (void)shared;
    for (int h = head * group; h < (head + 1) * group; h++) {
        nn__attention a = nn__attention_of(cpu, args, n, h, own);
        if (phase == 0) {
            nn__attention_clear(a.dq, a.q_row, other * cut.queries, i_end, a.E);
            if (h == head * group) {
                nn__attention_clear(nn__attention_gradient(&args->dk, a.k_first), a.k_row,
                                    piece * cut.keys, j_end, a.E);
                nn__attention_clear(nn__attention_gradient(&args->dv, a.v_first), a.v_row,
                                    piece * cut.keys, j_end, a.V);
            }
        }
        for (int i = other * cut.queries; i < i_end; i += NN__ATTENTION_QUERIES) {
            const int rows = nn__mini(NN__ATTENTION_QUERIES, i_end - i);
            int low, high;
            nn__attention_range(&a, i, rows, &low, &high);
            low = nn__maxi(low, piece * cut.keys);
            high = nn__mini(high, j_end);
            if (low >= high) continue;
            const int columns = nn__attention_begin(&a, i, rows);
            for (int j = low; j < high; j += NN__ATTENTION_KEYS)
                nn__attention_block(&a, i, rows, columns, j,
                                    nn__mini(NN__ATTENTION_KEYS, high - j));
        }
    }
}

static const nn__cpu_kernel nn__attention_backward = {
    nn__attention_backward_units, nn__attention_backward_unit, NULL,
    nn__attention_backward_own_bytes, nn__attention_refuses};

NN_PRIVATE const nn__cpu_kernel *nn__attention_backward_kernel(void) {
    return &nn__attention_backward;
}

#undef NN__ATTENTION_PIECES

#endif
