/* kernels/attention/cpu_rowwise.c - attention of a few queries, as in text generation. Most of the
   time is spent reading keys and values, so scores are dot products with the keys in place. */
#include "base/functions.h"
#include "kernels/attention/cpu.h"

#ifndef NN_NO_SIMD

#include <math.h>

#define NN__ATTENTION_BATCH 256 /* keys at a time */

typedef struct nn__attention_rowwise {
    float *scores, *wide; /* (FEW, BATCH) floats of the worker; widened rows */
    float most[NN__ATTENTION_ROWWISE], sum[NN__ATTENTION_ROWWISE];
} nn__attention_rowwise;

static ptrdiff_t nn__attention_wide(const nn__attention *a) { return a->E > a->V ? a->E : a->V; }

NN_PRIVATE size_t nn__attention_rowwise_bytes(const nn_attention_args *args) {
    const nn__attention a = nn__attention_of(NULL, args, 0, 0, NULL);
    const size_t rows = NN__ATTENTION_ROWWISE + (size_t)nn__attention_wide(&a);
    return rows * NN__ATTENTION_BATCH * sizeof(float);
}

/* Computes the scores of keys [j, j + count) and all queries. */
static void nn__attention_rowwise_scores(const nn__attention *a, const nn__attention_rowwise *state,
                                         int j, int count) {
    const nn_view *k = &a->args->k;
    nn__dots dots;
    memset(&dots, 0, sizeof dots);
    dots.a = a->q;
    dots.a_row = a->q_row;
    dots.b_row = a->k_row;
    dots.y = state->scores;
    dots.y_row = NN__ATTENTION_BATCH;
    dots.y_step = 1;
    dots.rows = a->L;
    dots.columns = count;
    dots.depth = a->E;
    if (nn__attention_half(k) && a->L == 1 && a->set->dot_halves) {
        a->set->dot_halves(&dots, nn__halves(k) + a->k_first + j * a->k_row, k->dtype == NN_F16);
        return;
    }
    dots.b = nn__attention_rows(a, k, a->k_first, j, count, &dots.b_row, a->E, state->wide);
    a->set->dot(&dots);
}

/* Scales the scores of query i, and adds ALiBi and the mask. All keys outside [*first, *end) are
   masked. Returns true if some inside are masked too. */
static bool nn__attention_rowwise_mask(const nn__attention *a, float *score, int i, int j,
                                       int count, int *first, int *end) {
    const nn_view *mask = &a->args->mask;
    bool some = false;
    int low, high;
    nn__attention_range(a, i, 1, &low, &high);
    *first = nn__mini(nn__maxi(low - j, 0), count);
    *end = nn__maxi(nn__mini(high - j, count), *first);
    for (int e = *first; e < *end; e++) score[e] *= a->args->scale;
    if (a->args->alibi)
        for (int e = *first; e < *end; e++)
            score[e] -= a->slope * fabsf((float)(a->offset + i - j - e));
    if (!nn__present(mask)) return false;
    for (int e = *first; e < *end; e++) {
        const float more = nn__attention_mask_number(a, i, j + e);
        some = some || more == -INFINITY;
        score[e] = more == -INFINITY ? more : score[e] + more;
    }
    return some;
}

/* Adds keys [j, j + count) to y of query i. v: their values, row by row; NULL: halves, which are
   read in place. */
static void nn__attention_rowwise_add(nn__attention *a, nn__attention_rowwise *state, int i, int j,
                                      int count, const float *v, ptrdiff_t v_row) {
    float *score = state->scores + i * NN__ATTENTION_BATCH, *y = a->y + i * a->y_row;
    int first, end;
    const bool some = nn__attention_rowwise_mask(a, score, i, j, count, &first, &end);
    float most = first < end ? nn__row_max(a->cpu, score + first, end - first) : -INFINITY;
    if (first >= end) return;
    if (state->most[i] > most) most = state->most[i];
    const float shift = most == -INFINITY ? 0.0f : most,
                factor = (float)nn__exp(state->most[i] - shift);
    const bool begun = state->sum[i] != 0.0f;
    state->most[i] = most;
    state->sum[i] = state->sum[i] * factor +
                    nn__row_exp(a->cpu, score + first, score + first, shift, end - first);
    if (begun && factor != 1.0f) nn__row_scale(a->cpu, y, factor, a->V);
    if (!begun) memset(y, 0, (size_t)a->V * sizeof *y);
    if (!v) {
        const ptrdiff_t at = a->v_first + (ptrdiff_t)(j + first) * a->v_row;
        a->set->add_halves(y, score + first, nn__halves(&a->args->v) + at,
                           a->args->v.dtype == NN_F16, a->v_row, end - first, a->V);
        return;
    }
    if (!some || a->loops->finite(v + first * v_row, v_row, end - first, a->V)) {
        nn__row_add(a->cpu, y, score + first, v + first * v_row, v_row, end - first, a->V, true);
        return;
    }
    for (int e = first; e < end; e++)
        if (score[e] != 0.0f)
            nn__row_add(a->cpu, y, score + e, v + e * v_row, v_row, 1, a->V, true);
}

NN_PRIVATE void nn__attention_rowwise_unit(const nn__cpu *cpu, const nn_attention_args *args,
                                           int unit, void *own) {
    const nn__attention all = nn__attention_of(cpu, args, 0, 0, NULL);
    nn__attention a = nn__attention_of(cpu, args, unit / all.H, unit % all.H, NULL);
    nn__attention_rowwise state;
    int low, high;
    nn__attention_place(&a);
    /* with a mask, a masked value may be NaN, so values are checked first */
    const bool direct =
        nn__attention_half(&args->v) && a.L == 1 && a.set->add_halves && !nn__present(&args->mask);
    state.scores = (float *)own;
    state.wide = state.scores + NN__ATTENTION_ROWWISE * NN__ATTENTION_BATCH;
    for (int i = 0; i < a.L; i++) state.most[i] = -INFINITY, state.sum[i] = 0.0f;
    nn__attention_range(&a, 0, a.L, &low, &high);
    for (int j = low; j < high; j += NN__ATTENTION_BATCH) {
        const int count = nn__mini(NN__ATTENTION_BATCH, high - j);
        ptrdiff_t v_row = a.v_row;
        nn__attention_rowwise_scores(&a, &state, j, count);
        const float *v =
            direct ? NULL
                   : nn__attention_rows(&a, &args->v, a.v_first, j, count, &v_row, a.V, state.wide);
        for (int i = 0; i < a.L; i++) nn__attention_rowwise_add(&a, &state, i, j, count, v, v_row);
    }
    for (int i = 0; i < a.L; i++) {
        float *y = a.y + i * a.y_row;
        if (state.sum[i] == 0.0f)
            memset(y, 0, (size_t)a.V * sizeof *y);
        else
            nn__row_scale(cpu, y, 1.0f / state.sum[i], a.V);
        nn__attention_put_log_sum(&a, i, state.most[i], state.sum[i]);
    }
}

#undef NN__ATTENTION_BATCH

#endif
