/* kernels/elements/reference.h - element-wise gather and scatter, as plain loops in double. */
#pragma once

/* Returns where element i of the part lies in the whole, at index `along` of the axis. */
static int64_t reference_element(const nn_view *whole, const nn_view *index, int axis, int64_t i,
                                 int64_t along) {
    int64_t at = 0, step = 1;
    for (int a = whole->shape.rank - 1; a >= 0; a--) {
        const int64_t own = i % index->shape.extent[a];
        at += (a == axis ? along : own) * step;
        i /= index->shape.extent[a];
        step *= whole->shape.extent[a];
    }
    return at;
}

static void reference_elements_status(const nn_view *index, int32_t count, const nn_view *status,
                                      uint32_t step, const reference_outputs *out) {
    reference_array word = reference_at(out, status);
    bool missing = false;
    if (!status->dtype) return;
    for (int64_t i = 0; i < reference_count(index); i++)
        if (view_i32(index)[i] < 0 || view_i32(index)[i] >= count) missing = true;
    word.value[0] = reference_status(status, step, NN_FAULT_INDEX, missing);
    word.scale[0] = 0;
}

static TEST_UNUSED void reference_case_gather_elements(const nn_gather_elements_args *a,
                                                       const reference_outputs *out) {
    const int32_t count = a->x.shape.extent[a->axis];
    reference_array y = reference_at(out, &a->y);
    for (int64_t i = 0; i < reference_count(&a->y); i++) {
        const int32_t from = view_i32(&a->index)[i];
        y.scale[i] = 0;
        y.value[i] = from >= 0 && from < count
                         ? reference_number(&a->x, reference_element(&a->x, &a->index, a->axis, i,
                                                                     from))
                     : a->status.dtype ? reference_missing(a->x.dtype)
                                       : 0;
    }
    reference_elements_status(&a->index, count, &a->status, a->step, out);
}

static TEST_UNUSED void reference_case_scatter_elements(const nn_scatter_elements_args *a,
                                                        const reference_outputs *out) {
    const int32_t count = a->y.shape.extent[a->axis];
    reference_array y = reference_at(out, &a->y);
    for (int64_t i = 0; i < reference_count(&a->y); i++)
        reference_set(y, i, a->base.dtype ? (double)view_f32(&a->base)[i] : 0, 0);
    for (int64_t i = 0; i < reference_count(&a->index); i++) {
        const int32_t to = view_i32(&a->index)[i];
        const double value = a->x.dtype ? (double)view_f32(&a->x)[i] : (double)a->value;
        if (to < 0 || to >= count) continue;
        const int64_t at = reference_element(&a->y, &a->index, a->axis, i, to);
        y.value[at] = a->combine == NN_COMBINE_REPLACE    ? value
                      : a->combine == NN_COMBINE_MULTIPLY ? y.value[at] * value
                      : a->combine == NN_COMBINE_MAX      ? fmax(y.value[at], value)
                      : a->combine == NN_COMBINE_MIN      ? fmin(y.value[at], value)
                                                          : y.value[at] + value;
        y.scale[at] += fabs(value);
    }
    reference_elements_status(&a->index, count, &a->status, a->step, out);
}
