/* kernels/recurrent/reference.h - lstm, gru and rnn as plain loops in double, with the formulas of
   torch.nn.LSTM, GRU and RNN: every device is tested against it. */
#pragma once

typedef struct reference_recurrence {
    int64_t N, T, H, P, G;
    bool lstm, gru, relu, reverse;
    const int32_t *lengths;
} reference_recurrence;

static reference_recurrence reference_recurrence_of(nn_recurrent_cell cell, bool reverse,
                                                    const nn_view *x, const nn_view *weight,
                                                    const nn_view *lengths) {
    reference_recurrence r;
    r.N = x->shape.extent[0];
    r.T = x->shape.extent[1];
    r.G = weight->shape.extent[0];
    r.P = weight->shape.extent[1];
    r.lstm = cell == NN_RECURRENT_LSTM;
    r.gru = cell == NN_RECURRENT_GRU;
    r.relu = cell == NN_RECURRENT_RELU;
    r.H = r.G / (r.lstm ? 4 : r.gru ? 3 : 1);
    r.reverse = reverse;
    r.lengths = view_i32(lengths);
    return r;
}

static int64_t reference_recurrent_steps(const reference_recurrence *r, int64_t n) {
    if (!r->lengths) return r->T;
    return r->lengths[n] >= 0 && r->lengths[n] <= r->T ? r->lengths[n] : 0;
}

/* Writes number i of an output that may be absent. */
static void reference_recurrent_put(reference_array out, int64_t i, double value, double scale) {
    if (out.value) reference_set(out, i, value, scale);
}

static double reference_recurrent_number(const nn_view *view, int64_t i) {
    return view->dtype ? (double)view_f32(view)[i] : 0;
}

/* Returns number k of sample n's first state, or (cells) of its first cells, which may follow
   the states in h0. */
static double reference_recurrent_first(const nn_view *h0, const nn_view *c0, int64_t P, int64_t H,
                                        int64_t n, int64_t k, bool cells) {
    const bool joined = h0->dtype && h0->shape.extent[h0->shape.rank - 1] > P;
    if (!cells) return reference_recurrent_number(h0, n * (joined ? P + H : P) + k);
    return joined ? (double)view_f32(h0)[n * (P + H) + P + k]
                  : reference_recurrent_number(c0, n * H + k);
}

static TEST_UNUSED void reference_case_recurrent_forward(const nn_recurrent_args *a,
                                                         const reference_outputs *out) {
    const reference_recurrence r =
        reference_recurrence_of(a->cell, a->reverse, &a->x, &a->weight, &a->lengths);
    const reference_array y = reference_at(out, &a->y), state = reference_at(out, &a->state),
                          kept = reference_at(out, &a->kept), raw = reference_at(out, &a->raw),
                          status = reference_at(out, &a->status);
    const int64_t H = r.H, P = r.P, K = r.lstm ? 5 : r.gru ? 4 : 0, width = P + (r.lstm ? H : 0);
    double *h = (double *)calloc((size_t)(P + 2 * H + r.G), sizeof(double)), *c = h + P,
           *own = c + H, *q = own + H;
    bool wrong = false;
    for (int64_t n = 0; n < r.N; n++) {
        const int64_t steps = reference_recurrent_steps(&r, n);
        if (r.lengths) wrong = wrong || r.lengths[n] < 0 || r.lengths[n] > r.T;
        for (int64_t k = 0; k < P; k++)
            h[k] = reference_recurrent_first(&a->h0, &a->c0, P, H, n, k, false);
        for (int64_t k = 0; k < H; k++)
            c[k] = reference_recurrent_first(&a->h0, &a->c0, P, H, n, k, true);
        for (int64_t t = 0; t < r.T; t++) { /* rows after the last step */
            for (int64_t k = 0; t >= steps && k < P; k++)
                reference_recurrent_put(y, (n * r.T + t) * P + k, 0, 0);
            for (int64_t k = 0; t >= steps && k < K * H; k++)
                reference_recurrent_put(kept, (n * r.T + t) * K * H + k, 0, 0);
            for (int64_t k = 0; t >= steps && k < H; k++)
                reference_recurrent_put(raw, (n * r.T + t) * H + k, 0, 0);
        }
        for (int64_t e = 0; e < steps; e++) {
            const int64_t t = r.reverse ? steps - 1 - e : e;
            const float *x = view_f32(&a->x) + (n * r.T + t) * r.G;
            for (int64_t j = 0; j < r.G; j++) {
                q[j] = reference_recurrent_number(&a->bias, j);
                for (int64_t k = 0; k < P; k++)
                    q[j] += (double)view_f32(&a->weight)[j * P + k] * h[k];
            }
            for (int64_t k = 0; k < H; k++) {
                double v[5] = {0, 0, 0, 0, 0};
                if (r.lstm) {
                    v[0] = reference_sigmoid((double)x[k] + q[k]);
                    v[1] = reference_sigmoid((double)x[H + k] + q[H + k]);
                    v[2] = tanh((double)x[2 * H + k] + q[2 * H + k]);
                    v[3] = reference_sigmoid((double)x[3 * H + k] + q[3 * H + k]);
                    v[4] = c[k] = v[1] * c[k] + v[0] * v[2];
                    own[k] = v[3] * tanh(c[k]);
                } else if (r.gru) {
                    v[0] = reference_sigmoid((double)x[k] + q[k]);
                    v[1] = reference_sigmoid((double)x[H + k] + q[H + k]);
                    v[2] = tanh((double)x[2 * H + k] + v[0] * q[2 * H + k]);
                    v[3] = q[2 * H + k];
                    own[k] = (1 - v[1]) * v[2] + v[1] * h[k];
                } else {
                    own[k] = (double)x[k] + q[k];
                    own[k] = r.relu ? own[k] > 0 ? own[k] : 0 : tanh(own[k]);
                }
                for (int64_t g = 0; g < K; g++)
                    reference_recurrent_put(kept, ((n * r.T + t) * K + g) * H + k, v[g], 2);
                reference_recurrent_put(raw, (n * r.T + t) * H + k, own[k], 2);
            }
            for (int64_t k = 0; k < P; k++) {
                h[k] = a->projection.dtype ? 0 : own[k];
                for (int64_t i = 0; a->projection.dtype && i < H; i++)
                    h[k] += (double)view_f32(&a->projection)[k * H + i] * own[i];
                reference_recurrent_put(y, (n * r.T + t) * P + k, h[k], 2);
            }
        }
        for (int64_t k = 0; k < width; k++)
            reference_recurrent_put(state, n * width + k, k < P ? h[k] : c[k - P], 2);
    }
    free(h);
    if (!a->status.dtype) return;
    status.value[0] = reference_status(&a->status, a->step, NN_FAULT_LABEL, wrong);
    status.scale[0] = 0;
}

/* Computes the gradients of one step before its activations. d (G): with respect to the products of
   the input. dq: with respect to the products of h. dh (P): with respect to the previous h, without
   the part through the weight. */
static void reference_recurrent_slopes(const nn_recurrent_backward_args *a,
                                       const reference_recurrence *r, int64_t at, int64_t before,
                                       int64_t n, const double *own, double *dc, double *d,
                                       double *dq, double *dh) {
    const int64_t H = r->H;
    for (int64_t k = 0; k < H; k++) {
        const double slope = own[k];
        double v[5] = {0, 0, 0, 0, 0};
        for (int64_t g = 0; g < (r->lstm ? 5 : r->gru ? 4 : 0); g++)
            v[g] = (double)view_f32(&a->kept)[(at * (r->lstm ? 5 : 4) + g) * H + k];
        if (r->lstm) {
            const double t = tanh(v[4]), dcell = dc[k] + slope * v[3] * (1 - t * t),
                         c = before >= 0 ? (double)view_f32(&a->kept)[(before * 5 + 4) * H + k]
                                         : reference_recurrent_first(&a->h0, &a->c0, r->P, H, n,
                                                                     k, true);
            d[k] = dcell * v[2] * v[0] * (1 - v[0]);
            d[H + k] = dcell * c * v[1] * (1 - v[1]);
            d[2 * H + k] = dcell * v[0] * (1 - v[2] * v[2]);
            d[3 * H + k] = slope * t * v[3] * (1 - v[3]);
            dc[k] = dcell * v[1];
        } else if (r->gru) {
            const double h = before >= 0 ? (double)view_f32(&a->y)[before * H + k]
                                         : reference_recurrent_first(&a->h0, &a->c0, r->P, H, n,
                                                                     k, false);
            const double dn = slope * (1 - v[1]) * (1 - v[2] * v[2]);
            d[k] = dn * v[3] * v[0] * (1 - v[0]);
            d[H + k] = slope * (h - v[2]) * v[1] * (1 - v[1]);
            d[2 * H + k] = dn;
            dh[k] = slope * v[1];
        } else {
            const double now = (double)view_f32(&a->y)[at * H + k];
            d[k] = r->relu ? now > 0 ? slope : 0 : slope * (1 - now * now);
        }
        for (int64_t g = 0; g < r->G / H; g++)
            dq[g * H + k] = d[g * H + k] * (r->gru && g == 2 ? v[0] : 1);
    }
}

static TEST_UNUSED void reference_case_recurrent_backward(const nn_recurrent_backward_args *a,
                                                          const reference_outputs *out) {
    const reference_recurrence r =
        reference_recurrence_of(a->cell, a->reverse, &a->dhidden, &a->weight, &a->lengths);
    const reference_array dx = reference_at(out, &a->dx), dhidden = reference_at(out, &a->dhidden),
                          before = reference_at(out, &a->before),
                          projected = reference_at(out, &a->dprojected),
                          dstate0 = reference_at(out, &a->dstate0);
    const int64_t H = r.H, P = r.P, G = r.G, T = r.T, width = P + (r.lstm ? H : 0);
    double *dh = (double *)calloc((size_t)(2 * P + 2 * H + 2 * G), sizeof(double)), *next = dh + P,
           *dc = next + P, *own = dc + H, *d = own + H, *dq = d + G;
    for (int64_t n = 0; n < r.N; n++) {
        const int64_t steps = reference_recurrent_steps(&r, n);
        for (int64_t k = 0; k < width; k++)
            (k < P ? dh : dc - P)[k] = reference_recurrent_number(&a->dstate, n * width + k);
        for (int64_t e = T - 1; e >= 0; e--) {
            /* step e of the sample, or a row after its last one */
            const bool there = e < steps;
            const int64_t t = there && r.reverse ? steps - 1 - e : e, at = n * T + t,
                          from = e == 0 || !there ? -1
                                 : r.reverse      ? at + 1
                                                  : at - 1;
            for (int64_t k = 0; k < P; k++) {
                const double h = from >= 0 ? (double)view_f32(&a->y)[from * P + k]
                                           : reference_recurrent_first(&a->h0, &a->c0, P, H, n, k,
                                                                       false);
                if (there) dh[k] += reference_recurrent_number(&a->dy, at * P + k);
                reference_recurrent_put(before, at * P + k, there ? h : 0, 0);
                reference_recurrent_put(projected, at * P + k, there ? dh[k] : 0, there ? 6 : 0);
                next[k] = 0;
            }
            for (int64_t j = 0; j < G; j++) d[j] = dq[j] = 0;
            for (int64_t k = 0; k < H; k++) {
                own[k] = a->projection.dtype ? 0 : dh[k];
                for (int64_t i = 0; a->projection.dtype && i < P; i++)
                    own[k] += (double)view_f32(&a->projection)[i * H + k] * dh[i];
            }
            if (there) reference_recurrent_slopes(a, &r, at, from, n, own, dc, d, dq, next);
            for (int64_t j = 0; j < G; j++) {
                reference_recurrent_put(dx, at * G + j, d[j], there ? 6 : 0);
                reference_recurrent_put(dhidden, at * G + j, dq[j], there ? 6 : 0);
                for (int64_t k = 0; k < P; k++)
                    next[k] += dq[j] * (double)view_f32(&a->weight)[j * P + k];
            }
            for (int64_t k = 0; there && k < P; k++) dh[k] = next[k];
        }
        for (int64_t k = 0; k < width; k++)
            reference_recurrent_put(dstate0, n * width + k, k < P ? dh[k] : dc[k - P], 6);
    }
    free(dh);
}
