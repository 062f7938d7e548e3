/* kernels/cross_entropy/reference.h - the cross entropy and its gradient, as plain loops in
   double. */
#pragma once

/* Returns the label of position i, or -1 if it is ignored. A label out of range sets *bad unless it
   is ignore_index. */
static int64_t reference_label(const nn_cross_entropy_args *c, int64_t i, int64_t C, bool *bad) {
    int64_t label = view_i32(&c->label)[i];
    if (c->ignore && label == c->ignore_index) return -1;
    if (label >= 0 && label < C) return label;
    *bad = true;
    return -1;
}

/* Returns the divisor of the mean: the summed weights of the labels that are not ignored (as in
   PyTorch 1.13, and for the smoothing term too). */
static double reference_divisor(const nn_cross_entropy_args *c, reference_classes e, bool *bad) {
    const float *weight = view_f32(&c->weight);
    double divisor = 0;
    int64_t i;
    for (i = 0; i < e.N * e.D; i++) {
        int64_t label = reference_label(c, i, e.C, bad);
        if (label >= 0) divisor += weight ? (double)weight[label] : 1;
    }
    return c->reduction == NN_SUM || c->reduction == NN_REDUCTION_NONE ? 1 : divisor;
}

static TEST_UNUSED void reference_cross_entropy_forward(const nn_cross_entropy_args *c,
                                                        reference_array loss,
                                                        reference_array status) {
    const float *x = view_f32(&c->logits), *weight = view_f32(&c->weight);
    reference_classes e = reference_class_extents(&c->logits);
    bool bad = false;
    double divisor = reference_divisor(c, e, &bad), sum = 0, scale = 0,
           smoothing = (double)c->label_smoothing;
    int64_t n, d, k;
    for (n = 0; n < e.N; n++)
        for (d = 0; d < e.D; d++) {
            const float *row = x + n * e.C * e.D + d;
            int64_t label = reference_label(c, n * e.D + d, e.C, &bad);
            double total = 0, before = sum, scale_before = scale;
            bool wrong = false;
            (void)reference_label(c, n * e.D + d, e.C, &wrong);
            if (label < 0 && c->reduction == NN_REDUCTION_NONE)
                reference_set(loss, n * e.D + d, wrong ? (double)NAN : 0, 0);
            if (label < 0) continue;
            if (!c->log_probabilities) total = reference_log_sum(row, e.C, e.D);
            for (k = 0; k < e.C; k++) {
                double part = smoothing / (double)e.C + (k == label ? 1 - smoothing : 0);
                double term =
                    (weight ? (double)weight[k] : 1) * part * (total - (double)row[k * e.D]);
                if (part == 0) continue;
                sum += term;
                scale += (weight ? fabs((double)weight[k]) : 1) * part *
                         (fabs(total) + fabs((double)row[k * e.D]) + 1);
            }
            if (c->reduction == NN_REDUCTION_NONE)
                reference_set(loss, n * e.D + d, sum - before, scale - scale_before);
        }
    /* PyTorch stops the program instead; here other devices of the step see only the loss */
    if (c->reduction != NN_REDUCTION_NONE)
        reference_set(loss, 0, bad ? (double)NAN : sum / divisor,
                      divisor != 0 ? scale / fabs(divisor) : 0);
    if (c->status.dtype) {
        status.value[0] = reference_status(&c->status, c->step, NN_FAULT_LABEL, bad);
        status.scale[0] = 0;
    }
}

/* The gradient of an ignored position is 0, even if all are ignored and the loss is NaN (as in
   PyTorch). */
static TEST_UNUSED void reference_cross_entropy_backward(const nn_cross_entropy_args *c,
                                                         reference_array dlogits,
                                                         reference_array status) {
    const float *x = view_f32(&c->logits), *weight = view_f32(&c->weight);
    reference_classes e = reference_class_extents(&c->logits);
    bool bad = false;
    double divisor = reference_divisor(c, e, &bad), smoothing = (double)c->label_smoothing;
    double dloss = (double)view_f32(&c->dloss)[0];
    const bool each = c->reduction == NN_REDUCTION_NONE;
    int64_t n, d, k;
    for (n = 0; n < e.N; n++)
        for (d = 0; d < e.D; d++) {
            int64_t start = n * e.C * e.D + d, label = reference_label(c, n * e.D + d, e.C, &bad);
            double total = label < 0 ? 0 : reference_log_sum(x + start, e.C, e.D), all = 0;
            if (each) dloss = (double)view_f32(&c->dloss)[n * e.D + d];
            for (k = 0; label >= 0 && !c->log_probabilities && k < e.C;
                 k++) /* the sum of the factors of all classes' logarithms */
                all += (weight ? (double)weight[k] : 1) *
                       (smoothing / (double)e.C + (k == label ? 1 - smoothing : 0));
            for (k = 0; k < e.C; k++) {
                double part, probability;
                if (label < 0) { reference_set(dlogits, start + k * e.D, 0, 0); continue; }
                part = (weight ? (double)weight[k] : 1) *
                       (smoothing / (double)e.C + (k == label ? 1 - smoothing : 0));
                probability = exp((double)x[start + k * e.D] - total);
                reference_set(dlogits, start + k * e.D,
                              dloss / divisor * (probability * all - part),
                              fabs(dloss / divisor) *
                                  (probability * fabs(all) * (1 + fabs(total)) + fabs(part)));
            }
        }
    if (c->status.dtype) {
        status.value[0] = reference_status(&c->status, c->step, NN_FAULT_LABEL, bad);
        status.scale[0] = 0;
    }
}

static TEST_UNUSED void reference_case_cross_entropy_forward(const nn_cross_entropy_args *a,
                                                             const reference_outputs *out) {
    reference_cross_entropy_forward(a, reference_at(out, &a->loss), reference_at(out, &a->status));
}

static TEST_UNUSED void reference_case_cross_entropy_backward(const nn_cross_entropy_args *a,
                                                              const reference_outputs *out) {
    reference_cross_entropy_backward(a, reference_at(out, &a->dlogits),
                                     reference_at(out, &a->status));
}

/* total is that of kernels/metric/reference.h, with a status word that the label or the loss may
   set. */
static TEST_UNUSED void reference_case_cross_entropy_head(const nn_cross_entropy_head_args *a,
                                                          const reference_outputs *out) {
    reference_array loss = reference_at(out, &a->entropy.loss),
                    total = reference_at(out, &a->total),
                    status = reference_at(out, &a->entropy.status);
    reference_cross_entropy_backward(&a->entropy, reference_at(out, &a->entropy.dlogits), status);
    reference_cross_entropy_forward(&a->entropy, loss, status);
    if (a->entropy.status.dtype && status.value[0] == 0)
        status.value[0] = reference_status(&a->entropy.status, a->entropy.step, NN_FAULT_LOSS,
                                           a->check && !(fabs(loss.value[0]) < INFINITY));
    if (!a->total.dtype) return;
    for (int i = 0; i < 2; i++) {
        const double before = (double)view_f32(&a->total)[i], weight = (double)a->weight;
        const double more = status.value && status.value[0] != 0 ? 0
                            : i == 0                             ? loss.value[0] * weight
                                                                 : weight;
        reference_set(total, i, before + more,
                      fabs(before) + (i == 0 && more != 0 ? loss.scale[0] * weight : fabs(more)));
    }
}
