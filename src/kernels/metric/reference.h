/* kernels/metric/reference.h - accuracy, confusion matrix and totals, as plain loops in double. */
#pragma once

/* Returns how many classes come before k in a row sorted in descending order. NaN comes first, and
   equal ones keep their order. */
static int64_t reference_rank(const float *row, reference_classes e, int64_t k) {
    int64_t j, before = 0;
    for (j = 0; j < e.C; j++) {
        float a = row[j * e.D], b = row[k * e.D];
        bool larger = a > b || (isnan(a) && !isnan(b)), equal = a == b || (isnan(a) && isnan(b));
        before += larger || (equal && j < k);
    }
    return before;
}

static TEST_UNUSED void reference_accuracy(const nn_accuracy_args *a, reference_array y) {
    reference_classes e = reference_class_extents(&a->logits);
    int64_t n, d, right = 0;
    for (n = 0; n < e.N; n++)
        for (d = 0; d < e.D; d++) {
            int64_t label = view_i32(&a->label)[n * e.D + d];
            if (label < 0 || label >= e.C) continue;
            right += reference_rank(view_f32(&a->logits) + n * e.C * e.D + d, e, label) <
                     (a->top > 1 ? a->top : 1);
        }
    reference_set(y, 0, (double)right / (double)(e.N * e.D), 0);
}

static TEST_UNUSED void reference_confusion(const nn_confusion_args *a, reference_array counts) {
    reference_classes e = reference_class_extents(&a->logits);
    int64_t n, d, k;
    for (k = 0; k < e.C * e.C; k++) reference_set(counts, k, (double)view_i32(&a->counts)[k], 0);
    if (a->status.dtype && view_i32(&a->status)[0]) return;
    for (n = 0; n < e.N; n++)
        for (d = 0; d < e.D; d++) {
            int64_t label = view_i32(&a->label)[n * e.D + d];
            for (k = 0; k < e.C; k++)
                if (label >= 0 && label < e.C &&
                    reference_rank(view_f32(&a->logits) + n * e.C * e.D + d, e, k) == 0)
                    counts.value[label * e.C + k]++;
        }
}

static TEST_UNUSED void reference_accumulate(const nn_accumulate_args *a, reference_array total,
                                             reference_array status) {
    double value = (double)view_f32(&a->value)[0], weight = (double)a->weight, word = 0;
    if (a->status.dtype) {
        word = reference_status(&a->status, a->step, NN_FAULT_LOSS,
                                a->check && !(fabs(value) < INFINITY));
        status.value[0] = word;
        status.scale[0] = 0;
    }
    if (!a->total.dtype) return;
    for (int i = 0; i < 2 * a->sums; i++) {
        double before = (double)view_f32(&a->total)[i];
        double more = i < a->sums && word == 0 ? (double)view_f32(&a->value)[i] : 0;
        total.value[i] = before + more; /* the second half: the tolerance of the rounding error */
        total.scale[i] = i < a->sums ? fabs(before) + fabs(more) : 1;
    }
    if (a->sums > 0) return;
    total.value[0] = (double)view_f32(&a->total)[0];
    total.value[1] = (double)view_f32(&a->total)[1];
    total.scale[0] = total.scale[1] = 0;
    if (word != 0) return;
    total.scale[0] = fabs(total.value[0]) + fabs(value * weight);
    total.scale[1] = fabs(total.value[1]) + fabs(weight);
    total.value[0] += value * weight;
    total.value[1] += weight;
}

static TEST_UNUSED void reference_case_accuracy(const nn_accuracy_args *a,
                                                const reference_outputs *out) {
    reference_accuracy(a, reference_at(out, &a->y));
}

static TEST_UNUSED void reference_case_confusion(const nn_confusion_args *a,
                                                 const reference_outputs *out) {
    reference_confusion(a, reference_at(out, &a->counts));
}

static TEST_UNUSED void reference_case_accumulate(const nn_accumulate_args *a,
                                                  const reference_outputs *out) {
    reference_accumulate(a, reference_at(out, &a->total), reference_at(out, &a->status));
}
