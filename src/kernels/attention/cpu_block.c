/* kernels/attention/cpu_block.c - one block of scores: products, masks, random numbers. */
#include "base/functions.h"
#include "kernels/attention/cpu.h"
#include "kernels/attention/vector.h"

#include <math.h>

/* ---- layout ---------------------------------------------------------------------------------- */

static size_t nn__attention_take(size_t *used, size_t bytes) {
    const size_t at = *used;
    *used += nn__align_up(bytes, NN__ALIGNMENT);
    return at;
}

/* Lays out the worker's scratch. own NULL: only counts the bytes. */
static size_t nn__attention_lay(nn__attention *a, bool backward, char *own) {
    const size_t wide = (size_t)(a->E > a->V ? a->E : a->V), queries = NN__ATTENTION_QUERIES;
    size_t used = 0, at[10];
    at[0] = nn__attention_take(&used, wide * sizeof(int32_t));
    at[1] = nn__attention_take(&used, NN__ATTENTION_KEYS * sizeof(int32_t));
    at[2] = nn__attention_take(&used, NN__ATTENTION_KEYS * sizeof(int32_t));
    at[3] = nn__attention_take(&used, queries * sizeof(int32_t));
    at[4] = nn__attention_take(&used, queries * sizeof(int32_t));
    at[5] = nn__attention_take(&used, 3 * queries * sizeof(float));
    at[6] =
        nn__attention_take(&used, (size_t)(a->E + (backward ? a->V : 0)) * queries * sizeof(float));
    at[7] = nn__attention_take(&used, (backward ? 2u : 1u) * NN__ATTENTION_KEYS *
                                          NN__ATTENTION_ROW * sizeof(float));
    at[8] = nn__attention_take(&used, nn__attention_half(&a->args->k)
                                          ? (size_t)a->E * NN__ATTENTION_KEYS * sizeof(float)
                                          : 0);
    at[9] = nn__attention_take(&used, nn__attention_half(&a->args->v)
                                          ? (size_t)a->V * NN__ATTENTION_KEYS * sizeof(float)
                                          : 0);
    if (!own) return used;
    a->steps = (int32_t *)(void *)(own + at[0]);
    a->rows_e = (int32_t *)(void *)(own + at[1]);
    a->rows_v = (int32_t *)(void *)(own + at[2]);
    a->rows_q = (int32_t *)(void *)(own + at[3]);
    a->rows_y = (int32_t *)(void *)(own + at[4]);
    a->state = (float *)(void *)(own + at[5]);
    a->turned = (float *)(void *)(own + at[6]);
    a->scores = (float *)(void *)(own + at[7]);
    a->wide_k = (float *)(void *)(own + at[8]);
    a->wide_v = (float *)(void *)(own + at[9]);
    for (size_t e = 0; e < wide; e++) a->steps[e] = (int32_t)(e * queries);
    for (int e = 0; e < NN__ATTENTION_KEYS; e++) {
        a->rows_e[e] = (int32_t)(e * (nn__attention_half(&a->args->k) ? a->E : a->k_row));
        a->rows_v[e] = (int32_t)(e * (nn__attention_half(&a->args->v) ? a->V : a->v_row));
    }
    for (int e = 0; e < NN__ATTENTION_QUERIES; e++) {
        a->rows_q[e] = (int32_t)(e * a->q_row);
        a->rows_y[e] = (int32_t)(e * a->y_row);
    }
    return used;
}

/* See nn_attention_args.alibi. */
static float nn__attention_slope(int h, int H) {
    int power = 1;
    while (2 * power <= H) power *= 2;
    return (float)nn__exp(0.6931471805599453 *
                          (h < power ? -8.0 * (h + 1) / power
                                     : -4.0 * (2 * (h - power) + 1) / power));
}

NN_PRIVATE bool nn__attention_fits(const nn_attention_args *args, int n) {
    const nn_view *const views[2] = {&args->lengths, &args->positions};
    for (int i = 0; i < 2; i++) {
        if (!nn__present(views[i])) continue;
        const int32_t number = nn__i32(views[i])[n];
        if (number < 0 || number > args->k.shape.extent[args->heads_inside ? 1 : 2]) return false;
    }
    return true;
}

/* Returns the element where row 0 of a head begins. *row: distance between rows. */
static ptrdiff_t nn__attention_first(const nn_view *view, bool heads_inside, int n, int h,
                                     ptrdiff_t *row) {
    const int32_t *extent = view->shape.extent;
    const ptrdiff_t width = extent[3];
    *row = heads_inside ? extent[2] * width : width;
    return (ptrdiff_t)n * extent[1] * extent[2] * width +
           h * (heads_inside ? width : (ptrdiff_t)extent[2] * width);
}

NN_PRIVATE void nn__attention_place(nn__attention *a) {
    const nn_attention_args *args = a->args;
    const bool inside = args->heads_inside;
    const int group = a->H / a->K, n = a->n, h = a->h;
    const ptrdiff_t q = nn__attention_first(&args->q, inside, n, h, &a->q_row);
    const ptrdiff_t y = nn__attention_first(&args->y, inside, n, h, &a->y_row);
    a->k_first = nn__attention_first(&args->k, inside, n, h / group, &a->k_row);
    a->v_first = nn__attention_first(&args->v, inside, n, h / group, &a->v_row);
    a->set = nn__gemm_set_of(a->cpu);
    a->loops = NN__OF_SET(a->cpu, nn__attention_loops);
    a->q = nn__f32(&args->q) + q;
    a->y = nn__f32(&args->y) + y;
    if (nn__present(&args->dy)) a->dy = nn__f32(&args->dy) + y;
    if (nn__present(&args->dq)) a->dq = nn__f32(&args->dq) + q;
    a->keys = nn__present(&args->lengths) ? nn__i32(&args->lengths)[n] : a->S;
    if (!nn__attention_fits(args, n)) a->keys = 0;
    a->offset = nn__present(&args->positions) ? nn__i32(&args->positions)[n] : args->offset;
    if (nn__present(&args->starts)) a->starts = nn__i32(&args->starts) + (ptrdiff_t)n * a->L;
    if (args->alibi) a->slope = nn__attention_slope(h, a->H);
}

NN_PRIVATE nn__attention nn__attention_of(const nn__cpu *cpu, const nn_attention_args *args, int n,
                                          int h, void *own) {
    const int heads = args->heads_inside ? 2 : 1, time = 3 - heads;
    nn__attention a;
    memset(&a, 0, sizeof a);
    a.cpu = cpu;
    a.args = args;
    a.N = args->q.shape.extent[0];
    a.H = args->q.shape.extent[heads];
    a.L = args->q.shape.extent[time];
    a.K = args->k.shape.extent[heads];
    a.S = args->k.shape.extent[time];
    a.E = args->q.shape.extent[3];
    a.V = args->v.shape.extent[3];
    a.n = n;
    a.h = h;
    if (!own) return a;
    nn__attention_place(&a);
    nn__attention_lay(&a, a.dy != NULL, (char *)own);
    return a;
}

NN_PRIVATE size_t nn__attention_own_bytes(const nn_attention_args *args, bool backward) {
    nn__attention a = nn__attention_of(NULL, args, 0, 0, NULL);
    return nn__attention_lay(&a, backward, NULL);
}

NN_PRIVATE const char *nn__attention_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_attention_args *args = (const nn_attention_args *)arguments;
    const int32_t *q = args->q.shape.extent, *k = args->k.shape.extent, *v = args->v.shape.extent;
    const int64_t most = INT32_MAX / NN__ATTENTION_QUERIES;
    (void)cpu;
    if ((int64_t)q[3] * q[2] > most || (int64_t)k[3] * k[2] > most || (int64_t)v[3] * v[2] > most ||
        (int64_t)v[3] * q[2] > most)
        return NN__TEXT("attention on the CPU needs fewer than 2^25 numbers in all heads of a row");
    if (args->q_row || args->k_row || args->v_row)
        return NN__TEXT("attention on the CPU reads q, k and v from tensors of their own");
    if ((int64_t)q[0] * q[1] * q[2] > INT32_MAX / 16)
        return NN__TEXT("attention on the CPU needs fewer than 2^27 queries in all");
    return NULL;
}

/* ---- parts of a block ------------------------------------------------------------------------ */

NN_PRIVATE int nn__attention_turn(const nn__attention *a, float *to, const float *from,
                                  ptrdiff_t row, int rows, int width, float scale) {
    const int columns = (rows + 7) / 8 * 8;
    a->set->transpose(to, NN__ATTENTION_QUERIES, from, row, rows, width);
    for (int e = 0; e < width; e++) {
        float *line = to + (ptrdiff_t)e * NN__ATTENTION_QUERIES;
        if (scale != 1.0f) nn__row_scale(a->cpu, line, scale, rows);
        for (int i = rows; i < columns; i++) line[i] = 0.0f;
    }
    return columns;
}

NN_PRIVATE const float *nn__attention_rows(const nn__attention *a, const nn_view *view,
                                           ptrdiff_t first, int j, int count, ptrdiff_t *row,
                                           int width, float *wide) {
    const ptrdiff_t at = first + j * *row;
    if (!nn__attention_half(view)) return nn__f32(view) + at;
    for (int e = 0; e < count; e++) {
        const uint16_t *from = nn__halves(view) + at + e * *row;
        float *to = wide + (ptrdiff_t)e * width;
#ifdef NN_NO_SIMD
        a->cpu->programs.widen(view->dtype, from, to, width);
#else
        a->set->widen(to, from, view->dtype == NN_F16, width);
#endif
    }
    *row = width;
    return wide;
}

NN_PRIVATE void nn__attention_range(const nn__attention *a, int i, int rows, int *low, int *high) {
    const int window = a->args->window;
    const int64_t first = (int64_t)a->offset + i, last = first + rows - 1;
    int64_t from = 0, to = a->keys;
    if (window) from = nn__max64(0, first - window + 1);
    if (window && !a->args->causal) to = nn__min64(to, last + window);
    if (a->args->causal) to = nn__min64(to, last + 1);
    if (a->starts) {
        int64_t start = nn__attention_start(a, i);
        for (int c = 1; c < rows; c++) start = nn__min64(start, nn__attention_start(a, i + c));
        from = nn__max64(from, start);
    }
    *high = (int)nn__max64(to, 0);
    *low = (int)nn__min64(from, *high);
}

/* Sets [*first, *end) to the columns of key j that are not masked by position. */
static void nn__attention_columns(const nn__attention *a, int i, int rows, int j, int *first,
                                  int *end) {
    const int64_t start = (int64_t)a->offset + i, window = a->args->window;
    int64_t from = 0, to = rows;
    if (a->args->causal) from = j - start;
    if (window && !a->args->causal) from = j - window + 1 - start;
    if (window) to = nn__min64(to, j + window - start);
    *end = (int)nn__max64(to, 0);
    *first = (int)nn__min64(nn__max64(from, 0), *end);
}

NN_PRIVATE ptrdiff_t nn__attention_mask_at(const nn__attention *a, int i, int j, ptrdiff_t *query,
                                           ptrdiff_t *key) {
    const int32_t *extent = a->args->mask.shape.extent;
    *key = extent[3] > 1;
    *query = extent[2] > 1 ? extent[3] : 0;
    const ptrdiff_t head = extent[1] > 1 ? (ptrdiff_t)extent[2] * extent[3] : 0,
                    sample = extent[0] > 1 ? (ptrdiff_t)extent[1] * extent[2] * extent[3] : 0;
    return a->n * sample + a->h * head + i * *query + j * *key;
}

NN_PRIVATE float nn__attention_mask_number(const nn__attention *a, int i, int j) {
    const nn_view *mask = &a->args->mask;
    ptrdiff_t query, key;
    const ptrdiff_t at = nn__attention_mask_at(a, i, j, &query, &key);
    if (mask->dtype == NN_F32) return nn__f32(mask)[at];
    return ((const uint8_t *)mask->handle)[mask->offset + (size_t)at] ? 0.0f : -INFINITY;
}

NN_PRIVATE void nn__attention_put_log_sum(const nn__attention *a, int i, float most, float sum) {
    const nn_view *to = &a->args->log_sum;
    if (!nn__present(to)) return;
    nn__f32(to)[((ptrdiff_t)a->n * a->H + a->h) * a->L + i] =
        sum == 0.0f ? INFINITY : most + (float)nn__log(sum);
}

static bool nn__attention_mask(const nn__attention *a, int i, int rows, int j, int count) {
    const nn_view *mask = &a->args->mask;
    ptrdiff_t query, key;
    const ptrdiff_t at = nn__attention_mask_at(a, i, j, &query, &key);
    bool some = false;
    for (int e = 0; e < count; e++) {
        float *line = a->scores + (ptrdiff_t)e * NN__ATTENTION_ROW;
        if (mask->dtype == NN_F32) {
            const float *x = nn__f32(mask) + at + e * key;
            for (int c = 0; c < rows; c++) {
                const float more = x[c * query];
                some = some || more == -INFINITY;
                line[c] = more == -INFINITY ? more : line[c] + more;
            }
        } else {
            const uint8_t *x = (const uint8_t *)mask->handle + mask->offset + at + e * key;
            for (int c = 0; c < rows; c++)
                if (!x[c * query]) some = true, line[c] = -INFINITY;
        }
    }
    return some;
}

/* Masks the keys before the start of each query. Returns true if there are any. */
static bool nn__attention_before(const nn__attention *a, int i, int rows, int j, int count) {
    bool some = false;
    for (int c = 0; c < rows; c++) {
        const int end = nn__mini(nn__attention_start(a, i + c) - j, count);
        for (int e = 0; e < end; e++) a->scores[e * NN__ATTENTION_ROW + c] = -INFINITY;
        some = some || end > 0;
    }
    return some;
}

NN_PRIVATE bool nn__attention_scores(const nn__attention *a, const float *k, int i, int rows,
                                     int columns, int j, int count) {
    bool some = false;
    nn__product product;
    memset(&product, 0, sizeof product);
    product.a = k;
    product.a_row = a->rows_e[1];
    product.a_step = 1;
    product.b = a->turned;
    product.b_offset = a->steps;
    product.y = a->scores;
    product.y_row = NN__ATTENTION_ROW;
    product.rows = count;
    product.columns = columns;
    product.depth = a->E;
    nn__multiply_tiles(a->set, &product);
    if (a->args->alibi)
        for (int e = 0; e < count; e++)
            for (int c = 0; c < rows; c++)
                a->scores[e * NN__ATTENTION_ROW + c] -=
                    a->slope * fabsf((float)(a->offset + i + c - j - e));
    if (nn__present(&a->args->mask)) some = nn__attention_mask(a, i, rows, j, count);
    if (a->starts && nn__attention_before(a, i, rows, j, count)) some = true;
    if (!a->args->causal && !a->args->window) return some;
    for (int e = 0; e < count; e++) {
        float *line = a->scores + (ptrdiff_t)e * NN__ATTENTION_ROW;
        int first, end;
        nn__attention_columns(a, i, rows, j + e, &first, &end);
        if (first > 0 || end < rows) some = true;
        for (int c = 0; c < first; c++) line[c] = -INFINITY;
        for (int c = end; c < rows; c++) line[c] = -INFINITY;
    }
    return some;
}

NN_PRIVATE void nn__attention_dropout_factors(const nn__attention *a, int i, int j, float *kept) {
    const nn_attention_args *args = a->args;
    const uint64_t row =
        ((uint64_t)a->n * (uint64_t)a->H + (uint64_t)a->h) * (uint64_t)a->S + (uint64_t)j;
    const uint64_t counter = args->counter + row * ((uint64_t)(a->L + 3) / 4) + (uint64_t)i / 4;
    a->loops->kept(args, counter, kept);
}

/* Multiplies in plain loops that skip masked numbers. */
static void nn__attention_pick(const nn__product *product) {
    for (int i = 0; i < product->rows; i++) {
        float *y = product->y + i * product->y_row;
        const float *from = product->a + i * product->a_row;
        if (!product->add) memset(y, 0, (size_t)product->columns * sizeof *y);
        for (int p = 0; p < product->depth; p++) {
            const float weight = from[p * product->a_step];
            const float *b = product->b + product->b_offset[p];
            if (weight == 0.0f) continue;
            for (int c = 0; c < product->columns; c++) y[c] += weight * b[c];
        }
    }
}

NN_PRIVATE void nn__attention_multiply(const nn__attention *a, const nn__product *product) {
    if (a->careful)
        nn__attention_pick(product);
    else
        nn__multiply_tiles(a->set, product);
}
