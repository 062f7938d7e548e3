/* kernels/ctc/reference.h - connectionist temporal classification as plain loops in double, with
   probabilities instead of their logarithms: every device is tested against it. */
#pragma once

typedef struct reference_ctc {
    int64_t T, N, C, S, n, states, length;
    const int32_t *targets;
    const nn_ctc_args *args;
    bool valid;
} reference_ctc;

static reference_ctc reference_ctc_sample(const nn_ctc_args *a, int64_t n) {
    reference_ctc r;
    int64_t count = view_i32(&a->target_lengths)[n];
    r.args = a, r.n = n;
    r.T = a->log_probabilities.shape.extent[0], r.N = a->log_probabilities.shape.extent[1];
    r.C = a->log_probabilities.shape.extent[2], r.S = a->targets.shape.extent[1];
    r.targets = view_i32(&a->targets) + n * r.S;
    r.length = view_i32(&a->input_lengths)[n];
    r.valid = r.length >= 0 && r.length <= r.T && count >= 0 && count <= r.S;
    for (int64_t i = 0; r.valid && i < count; i++)
        r.valid = r.targets[i] >= 0 && r.targets[i] < r.C && r.targets[i] != a->blank;
    r.states = 2 * count + 1;
    return r;
}

static int64_t reference_ctc_class(const reference_ctc *r, int64_t state) {
    return state % 2 ? r->targets[state / 2] : r->args->blank;
}

static double reference_ctc_at(const reference_ctc *r, int64_t t, int64_t c) {
    return (double)view_f32(&r->args->log_probabilities)[(t * r->N + r->n) * r->C + c];
}

/* True if a path may go from one state to the other. */
static bool reference_ctc_goes(const reference_ctc *r, int64_t from, int64_t to) {
    if (to == from || to == from + 1) return true;
    return to == from + 2 && to % 2 &&
           reference_ctc_class(r, from) != reference_ctc_class(r, to);
}

/* Sums the probabilities of all paths that are in `state` at time t: up to and including t, or
   (backwards) from t on. table: (length, states). */
static void reference_ctc_sum(const reference_ctc *r, double *table, bool backwards) {
    for (int64_t i = 0; i < r->length; i++)
        for (int64_t s = 0; s < r->states; s++) {
            int64_t t = backwards ? r->length - 1 - i : i, other = backwards ? t + 1 : t - 1;
            double sum = 0;
            if (i == 0) sum = backwards ? s >= r->states - 2 : s < 2;
            for (int64_t k = 0; i > 0 && k < r->states; k++)
                if (backwards ? reference_ctc_goes(r, s, k) : reference_ctc_goes(r, k, s))
                    sum += table[other * r->states + k];
            table[t * r->states + s] = sum * exp(reference_ctc_at(r, t, reference_ctc_class(r, s)));
        }
}

static double reference_ctc_total(const reference_ctc *r, const double *alpha) {
    const double *last = alpha + (r->length - 1) * r->states;
    if (r->length == 0) return r->states == 1;
    return last[r->states - 1] + (r->states > 1 ? last[r->states - 2] : 0);
}

static TEST_UNUSED void reference_case_ctc_forward(const nn_ctc_args *a,
                                                   const reference_outputs *out) {
    reference_array loss = reference_at(out, &a->loss), status = reference_at(out, &a->status);
    bool bad = false;
    for (int64_t n = 0; n < a->log_probabilities.shape.extent[1]; n++) {
        reference_ctc r = reference_ctc_sample(a, n);
        double x = NAN;
        bad = bad || !r.valid;
        if (r.valid) {
            double *alpha = (double *)calloc((size_t)(r.length * r.states + 1), sizeof(double));
            reference_ctc_sum(&r, alpha, false);
            x = -log(reference_ctc_total(&r, alpha));
            free(alpha);
        }
        reference_set(loss, n, a->zero_infinity && x == INFINITY ? 0 : x,
                      r.valid ? (double)r.length : 0);
    }
    if (!a->status.dtype) return;
    status.value[0] = reference_status(&a->status, a->step, NN_FAULT_LABEL, bad);
    status.scale[0] = 0;
}

static TEST_UNUSED void reference_case_ctc_backward(const nn_ctc_args *a,
                                                    const reference_outputs *out) {
    reference_array slope = reference_at(out, &a->dlog_probabilities);
    for (int64_t n = 0; n < a->log_probabilities.shape.extent[1]; n++) {
        reference_ctc r = reference_ctc_sample(a, n);
        double dloss = a->dloss.dtype ? (double)view_f32(&a->dloss)[n] : 1, total = 0;
        int64_t length = r.valid ? r.length : 0;
        double *alpha = (double *)calloc((size_t)(length * r.states + 1), sizeof(double));
        double *beta = (double *)calloc((size_t)(length * r.states + 1), sizeof(double));
        if (r.valid) {
            reference_ctc_sum(&r, alpha, false);
            reference_ctc_sum(&r, beta, true);
            total = reference_ctc_total(&r, alpha);
        }
        for (int64_t t = 0; t < r.T; t++)
            for (int64_t c = 0; c < r.C; c++) {
                double own = exp(reference_ctc_at(&r, t, c)), through = 0;
                for (int64_t s = 0; t < length && s < r.states; s++)
                    if (reference_ctc_class(&r, s) == c)
                        through += alpha[t * r.states + s] * beta[t * r.states + s];
                if (t >= length || (total == 0 && a->zero_infinity))
                    reference_set(slope, (t * r.N + n) * r.C + c, 0, 0);
                else
                    reference_set(slope, (t * r.N + n) * r.C + c,
                                  dloss * (own - through / own / total),
                                  fabs(dloss) * (own + 1) * (double)r.length);
            }
        free(alpha);
        free(beta);
    }
}
