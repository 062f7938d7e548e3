/* kernels/attention/cpu.c - attention on the CPU. A unit is a block of queries of one head. It
   loops over blocks of keys with a running maximum (FlashAttention: see args.h). */
#include "kernels/install_sequence.h"
#include "kernels/attention/cpu.h"

#include <math.h>

/* One number per query (column): the largest score so far, the number subtracted before exp, and
   the sum of the weights. */
typedef struct nn__attention_columns_state {
    float *most, *shift, *sum;
} nn__attention_state;

/* Turns a block of scores into weights. If a maximum grew, earlier sums and results are scaled
   down. */
static void nn__attention_weigh(const nn__attention *a, const nn__attention_state *s, int rows,
                                int columns, int count, bool first) {
    float factor[NN__ATTENTION_QUERIES], sum[NN__ATTENTION_QUERIES];
    a->loops->most(a->scores, s->most, s->shift, factor, columns, count);
    a->loops->exps(a->scores, s->shift, sum, columns, count);
    for (int c = 0; c < columns; c++) s->sum[c] = s->sum[c] * factor[c] + sum[c];
    for (int c = 0; c < rows && !first; c++)
        if (factor[c] != 1.0f) nn__row_scale(a->cpu, a->y + c * a->y_row, factor[c], a->V);
}

/* ---- a unit ---------------------------------------------------------------------------------- */

static int nn__attention_blocks(const nn__attention *a) {
    return nn__ceil_div(a->L, NN__ATTENTION_QUERIES);
}

static int nn__attention_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn__attention a = nn__attention_of(cpu, (const nn_attention_args *)args, 0, 0, NULL);
    return phase == 0 ? a.N * a.H * nn__attention_blocks(&a) : 0;
}

static size_t nn__attention_forward_own_bytes(const nn__cpu *cpu, const void *args) {
    (void)cpu;
#ifndef NN_NO_SIMD
    const nn__attention a = nn__attention_of(cpu, (const nn_attention_args *)args, 0, 0, NULL);
    if (nn__attention_is_rowwise(&a)) return nn__attention_rowwise_bytes(a.args);
#endif
    return nn__attention_own_bytes((const nn_attention_args *)args, false);
}

/* Only unit 0 checks all samples, so no two units write the status word. */
static void nn__attention_report(const nn_attention_args *args) {
    if (!nn__present(&args->status) || !args->status.handle) return;
    const int64_t starts = nn__present(&args->starts) ? nn__count(&args->starts) : 0;
    const int32_t S = args->k.shape.extent[args->heads_inside ? 1 : 2];
    bool inside = true;
    for (int64_t c = 0; c < starts; c++)
        inside = inside && nn__i32(&args->starts)[c] >= 0 && nn__i32(&args->starts)[c] <= S;
    for (int n = 0; n < args->q.shape.extent[0]; n++) {
        uint32_t *status = nn__status(&args->status);
        if (inside && nn__attention_fits(args, n)) continue;
        if (*status == 0) *status = (args->step << 3) | (uint32_t)NN_FAULT_LABEL;
        return;
    }
}

/* Adds the transposed weights times v to y of the block. */
static void nn__attention_add(nn__attention *a, int i, int rows, int j, int count, bool some,
                              bool first) {
    ptrdiff_t row = a->v_row;
    const float *v =
        nn__attention_rows(a, &a->args->v, a->v_first, j, count, &row, a->V, a->wide_v);
    nn__product product;
    if (a->args->dropout > 0.0f)
        for (int e = 0; e < count; e++) {
            float kept[NN__ATTENTION_QUERIES], *line = a->scores + e * NN__ATTENTION_ROW;
            nn__attention_dropout_factors(a, i, j + e, kept);
            for (int c = 0; c < rows; c++) line[c] *= kept[c];
        }
    a->careful = some && !a->loops->finite(v, row, count, a->V);
    memset(&product, 0, sizeof product);
    product.a = a->scores;
    product.a_row = 1;
    product.a_step = NN__ATTENTION_ROW;
    product.b = v;
    product.b_offset = a->rows_v;
    product.y = a->y;
    product.y_row = a->y_row;
    product.rows = rows;
    product.columns = a->V;
    product.depth = count;
    product.add = !first;
    nn__attention_multiply(a, &product);
}

static void nn__attention_end(const nn__attention *a, const nn__attention_state *s, int i,
                              int rows) {
    for (int c = 0; c < rows; c++) {
        const float sum = s->sum[c];
        if (sum == 0.0f)
            memset(a->y + c * a->y_row, 0, (size_t)a->V * sizeof(float));
        else
            nn__row_scale(a->cpu, a->y + c * a->y_row, 1.0f / sum, a->V);
        nn__attention_put_log_sum(a, i + c, s->most[c], sum);
    }
}

static void nn__attention_forward_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                       int unit, void *shared, void *own) {
    const nn_attention_args *args = (const nn_attention_args *)arguments;
    const nn__attention all = nn__attention_of(cpu, args, 0, 0, NULL);
    const int blocks = nn__attention_blocks(&all), i = unit % blocks * NN__ATTENTION_QUERIES;
    if (unit == 0) nn__attention_report(args);
#ifndef NN_NO_SIMD
    if (nn__attention_is_rowwise(&all)) {
        nn__attention_rowwise_unit(cpu, args, unit, own);
        return;
    }
#endif
    nn__attention a =
        nn__attention_of(cpu, args, unit / blocks / all.H, unit / blocks % all.H, own);
    const int rows = nn__mini(NN__ATTENTION_QUERIES, a.L - i);
    nn__attention_state s;
    int low, high;
    (void)phase, (void)shared;
    s.most = a.state;
    s.shift = s.most + NN__ATTENTION_QUERIES;
    s.sum = s.shift + NN__ATTENTION_QUERIES;
    for (int c = 0; c < NN__ATTENTION_QUERIES; c++) s.most[c] = -INFINITY, s.sum[c] = 0.0f;
    const int columns =
        nn__attention_turn(&a, a.turned, a.q + i * a.q_row, a.q_row, rows, a.E, args->scale);
    a.y += i * a.y_row;
    nn__attention_range(&a, i, rows, &low, &high);
    for (int j = low; j < high; j += NN__ATTENTION_KEYS) {
        const int count = nn__mini(NN__ATTENTION_KEYS, high - j);
        ptrdiff_t row = a.k_row;
        const float *k = nn__attention_rows(&a, &args->k, a.k_first, j, count, &row, a.E, a.wide_k);
        const bool some = nn__attention_scores(&a, k, i, rows, columns, j, count);
        nn__attention_weigh(&a, &s, rows, columns, count, j == low);
        nn__attention_add(&a, i, rows, j, count, some, j == low);
    }
    nn__attention_end(&a, &s, i, rows);
}

static const nn__cpu_kernel nn__attention_forward = {
    nn__attention_units, nn__attention_forward_unit, NULL, nn__attention_forward_own_bytes,
    nn__attention_refuses};

NN_PRIVATE void nn__install_attention(nn_context *nn) {
#ifdef NN_NO_SIMD
    nn__install_program_dtypes(nn); /* provides the widening */
#endif
    NN__CPU_INSTALL(nn, ATTENTION_FORWARD, attention_forward, &nn__attention_forward);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, ATTENTION_BACKWARD, attention_backward, nn__attention_backward_kernel());
#endif
}
