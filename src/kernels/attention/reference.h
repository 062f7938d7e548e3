/* kernels/attention/reference.h - attention as plain loops in double, one row of scores at a time:
   every device is tested against it. */
#pragma once

typedef struct reference_attention {
    const nn_attention_args *args;
    int64_t N, H, K, L, S, E, V;
} reference_attention;

static reference_attention reference_attention_of(const nn_attention_args *args) {
    const int time = args->heads_inside ? 1 : 2, heads = args->heads_inside ? 2 : 1;
    reference_attention r;
    r.args = args;
    r.N = args->q.shape.extent[0];
    r.H = args->q.shape.extent[heads], r.K = args->k.shape.extent[heads];
    r.L = args->q.shape.extent[time], r.S = args->k.shape.extent[time];
    r.E = args->q.shape.extent[3], r.V = args->v.shape.extent[3];
    return r;
}

/* Returns the index of element (n, h, i, e) of a tensor with these heads, rows and columns. */
static int64_t reference_attention_at(const reference_attention *r, int64_t n, int64_t h, int64_t i,
                                      int64_t e, int64_t heads, int64_t rows, int64_t width) {
    if (r->args->heads_inside) return ((n * rows + i) * heads + h) * width + e;
    return ((n * heads + h) * rows + i) * width + e;
}
#define REFERENCE_Q(n, h, i, e) reference_attention_at(r, n, h, i, e, r->H, r->L, r->E)
#define REFERENCE_Y(n, h, i, e) reference_attention_at(r, n, h, i, e, r->H, r->L, r->V)
#define REFERENCE_K(n, h, i, e)                                                                    \
    reference_attention_at(r, n, (h) / (r->H / r->K), i, e, r->K, r->S, r->E)
#define REFERENCE_V(n, h, i, e)                                                                    \
    reference_attention_at(r, n, (h) / (r->H / r->K), i, e, r->K, r->S, r->V)

static double reference_attention_number(const nn_view *view, int64_t at) {
    const uint16_t *half = (const uint16_t *)(const void *)((char *)view->handle + view->offset);
    return view->dtype == NN_F32 ? (double)view_f32(view)[at] : value_of(view->dtype, half[at]);
}

static bool reference_attention_wrong(const reference_attention *r, int64_t n) {
    const nn_attention_args *a = r->args;
    const int64_t position = a->positions.dtype ? view_i32(&a->positions)[n] : 0,
                  length = a->lengths.dtype ? view_i32(&a->lengths)[n] : 0;
    return position < 0 || position > r->S || length < 0 || length > r->S;
}

static int64_t reference_attention_mask(const int32_t *extent, int64_t n, int64_t h, int64_t i,
                                        int64_t j) {
    const int64_t index[4] = {n, h, i, j};
    int64_t where = 0;
    for (int d = 0; d < 4; d++) where = where * extent[d] + (extent[d] > 1 ? index[d] : 0);
    return where;
}

/* Returns the score, or -infinity if the key is masked. Adds the sizes of its terms to *size. */
static double reference_attention_score(const reference_attention *r, int64_t n, int64_t h,
                                        int64_t i, int64_t j, double *size) {
    const nn_attention_args *a = r->args;
    const int64_t at = i + (a->positions.dtype ? view_i32(&a->positions)[n] : a->offset);
    double score = 0;
    *size = 0;
    if (reference_attention_wrong(r, n)) return -INFINITY;
    if (a->lengths.dtype && j >= view_i32(&a->lengths)[n]) return -INFINITY;
    if (a->starts.dtype) {
        const int64_t start = view_i32(&a->starts)[n * r->L + i];
        if (start < 0 || j < start) return -INFINITY;
    }
    if (a->causal && j > at) return -INFINITY;
    if (a->window && (j <= at - a->window || j >= at + a->window)) return -INFINITY;
    if (a->mask.dtype) {
        const int32_t *extent = a->mask.shape.extent;
        const double mask =
            reference_number(&a->mask, reference_attention_mask(extent, n, h, i, j));
        if (a->mask.dtype == NN_U8 ? mask == 0 : mask == -INFINITY) return -INFINITY;
        if (a->mask.dtype != NN_U8) score += mask;
    }
    if (a->alibi) {
        int64_t power = 1;
        while (2 * power <= r->H) power *= 2;
        const double steps = h < power ? 8.0 * (double)(h + 1) / (double)power
                                       : 4.0 * (double)(2 * (h - power) + 1) / (double)power;
        score -= pow(2.0, -steps) * fabs((double)(at - j));
    }
    *size = fabs(score);
    for (int64_t e = 0; e < r->E; e++) {
        const double term = (double)a->scale * (double)view_f32(&a->q)[REFERENCE_Q(n, h, i, e)] *
                            reference_attention_number(&a->k, REFERENCE_K(n, h, j, e));
        score += term;
        *size += fabs(term);
    }
    return score;
}

static double reference_attention_kept(const reference_attention *r, int64_t n, int64_t h,
                                       int64_t i, int64_t j) {
    const nn_attention_args *a = r->args;
    uint32_t words[4];
    if (a->dropout == 0) return 1;
    nn_random_words(a->seed, a->stream,
                    a->counter + (uint64_t)(((n * r->H + h) * r->S + j) * ((r->L + 3) / 4) + i / 4),
                    words);
    if (nn_word_to_uniform(words[i % 4]) < a->dropout) return 0;
    return 1 / (1 - (double)a->dropout);
}

/* Computes the weights of a row without dropout, and returns the log of their sum. *size: of the
   largest score. */
static double reference_attention_row(const reference_attention *r, int64_t n, int64_t h, int64_t i,
                                      double *weight, double *size) {
    double most = -INFINITY, sum = 0, own;
    *size = 0;
    for (int64_t j = 0; j < r->S; j++) {
        weight[j] = reference_attention_score(r, n, h, i, j, &own);
        if (weight[j] > most) most = weight[j];
        if (own > *size) *size = own;
    }
    for (int64_t j = 0; j < r->S; j++)
        sum += weight[j] = most == -INFINITY ? 0 : exp(weight[j] - most);
    for (int64_t j = 0; j < r->S; j++) weight[j] = sum > 0 ? weight[j] / sum : 0;
    return sum > 0 ? most + log(sum) : INFINITY;
}

static TEST_UNUSED void reference_case_attention_forward(const nn_attention_args *args,
                                                         const reference_outputs *out) {
    const reference_attention all = reference_attention_of(args), *r = &all;
    reference_array y = reference_at(out, &args->y), log_sum = reference_at(out, &args->log_sum),
                    status = reference_at(out, &args->status);
    double *weight = (double *)malloc((size_t)(r->S + 1) * sizeof(double));
    bool wrong = false;
    for (int64_t n = 0; n < r->N; n++)
        for (int64_t h = 0; h < r->H; h++)
            for (int64_t i = 0; i < r->L; i++) {
                double size, total = reference_attention_row(r, n, h, i, weight, &size);
                const int64_t start =
                    args->starts.dtype ? view_i32(&args->starts)[n * r->L + i] : 0;
                wrong = wrong || reference_attention_wrong(r, n) || start < 0 || start > r->S;
                if (args->log_sum.dtype)
                    reference_set(log_sum, (n * r->H + h) * r->L + i, total,
                                  total == INFINITY ? 0 : 1 + size);
                for (int64_t e = 0; e < r->V; e++) {
                    double sum = 0, sizes = 0;
                    for (int64_t j = 0; j < r->S; j++) {
                        if (weight[j] == 0) continue;
                        const double term =
                            weight[j] * reference_attention_kept(r, n, h, i, j) *
                            reference_attention_number(&args->v, REFERENCE_V(n, h, j, e));
                        sum += term;
                        sizes += fabs(term);
                    }
                    reference_set(y, REFERENCE_Y(n, h, i, e), sum, sizes * (1 + size));
                }
            }
    free(weight);
    if (!args->status.dtype) return;
    status.value[0] = reference_status(&args->status, args->step, NN_FAULT_LABEL, wrong);
    status.scale[0] = 0;
}

/* Adds one row of queries, whose log_sum is given, to the gradients and their scales. */
static void reference_attention_back(const reference_attention *r, int64_t n, int64_t h, int64_t i,
                                     const reference_array *to) {
    const reference_array dq = to[0], dk = to[1], dv = to[2], dmask = to[3];
    const nn_attention_args *a = r->args;
    const float *dy = view_f32(&a->dy);
    const double log_sum = (double)view_f32(&a->log_sum)[(n * r->H + h) * r->L + i];
    double delta = 0, deltas = 0;
    for (int64_t e = 0; e < r->V; e++) {
        const double term =
            (double)dy[REFERENCE_Y(n, h, i, e)] * (double)view_f32(&a->y)[REFERENCE_Y(n, h, i, e)];
        delta += term;
        deltas += fabs(term);
    }
    for (int64_t j = 0; j < r->S; j++) {
        const double kept = reference_attention_kept(r, n, h, i, j);
        double slope = 0, slopes = 0, size,
               p = exp(reference_attention_score(r, n, h, i, j, &size) - log_sum);
        if (p == 0) continue;
        for (int64_t e = 0; e < r->V; e++) {
            const double g = (double)dy[REFERENCE_Y(n, h, i, e)],
                         term =
                             g * kept * reference_attention_number(&a->v, REFERENCE_V(n, h, j, e));
            slope += term;
            slopes += fabs(term);
            if (!dv.value) continue;
            dv.value[REFERENCE_V(n, h, j, e)] += p * kept * g;
            dv.scale[REFERENCE_V(n, h, j, e)] += p * kept * fabs(g) * (1 + size);
        }
        if (dmask.value) {
            const int64_t where = reference_attention_mask(a->mask.shape.extent, n, h, i, j);
            dmask.value[where] += p * (slope - delta);
            dmask.scale[where] += p * (slopes + deltas) * (1 + size);
        }
        slope = p * (slope - delta) * (double)a->scale;
        slopes = p * (slopes + deltas) * fabs((double)a->scale) * (1 + size);
        for (int64_t e = 0; e < r->E; e++) {
            const double k = reference_attention_number(&a->k, REFERENCE_K(n, h, j, e)),
                         q = (double)view_f32(&a->q)[REFERENCE_Q(n, h, i, e)];
            if (dq.value) dq.value[REFERENCE_Q(n, h, i, e)] += slope * k;
            if (dq.value) dq.scale[REFERENCE_Q(n, h, i, e)] += slopes * fabs(k);
            if (dk.value) dk.value[REFERENCE_K(n, h, j, e)] += slope * q;
            if (dk.value) dk.scale[REFERENCE_K(n, h, j, e)] += slopes * fabs(q);
        }
    }
}

static TEST_UNUSED void reference_case_attention_backward(const nn_attention_args *args,
                                                          const reference_outputs *out) {
    const reference_attention all = reference_attention_of(args), *r = &all;
    const nn_view *const views[] = {&args->dq, &args->dk, &args->dv, &args->dmask};
    reference_array arrays[4];
    for (int k = 0; k < 4; k++) {
        arrays[k] = reference_at(out, views[k]);
        for (int64_t i = 0; arrays[k].value && i < reference_count(views[k]); i++)
            arrays[k].value[i] = arrays[k].scale[i] = 0;
    }
    for (int64_t n = 0; n < r->N; n++)
        for (int64_t h = 0; h < r->H; h++)
            for (int64_t i = 0; i < r->L; i++)
                reference_attention_back(r, n, h, i, arrays);
}
#undef REFERENCE_Q
#undef REFERENCE_Y
#undef REFERENCE_K
#undef REFERENCE_V
