/* kernels/sort/reference.h - sorts lines, as plain loops. */
#pragma once

/* True if p stays before q, which follows it in the line. NaN is the largest number. */
static bool reference_sorted(double p, double q, bool descending) {
    if (descending) return p != p || (q == q && p >= q);
    return q != q || (p == p && p <= q);
}

static TEST_UNUSED void reference_case_sort(const nn_sort_args *a, const reference_outputs *out) {
    const nn_shape *shape = &a->x.shape;
    const reference_array y = reference_at(out, &a->y), index = reference_at(out, &a->index);
    const int64_t n = shape->extent[a->axis], kept = a->y.shape.extent[a->axis];
    int64_t *order = (int64_t *)malloc((size_t)n * sizeof *order), inner = 1;
    for (int i = a->axis + 1; i < shape->rank; i++) inner *= shape->extent[i];
    for (int64_t line = 0; line < reference_count(&a->x) / n; line++) {
        const float *x = view_f32(&a->x) + line / inner * n * inner + line % inner;
        for (int64_t i = 0; i < n; i++) {
            int64_t k = i;
            for (; k > 0 && !reference_sorted((double)x[order[k - 1] * inner],
                                              (double)x[i * inner], a->descending);
                 k--)
                order[k] = order[k - 1];
            order[k] = i;
        }
        for (int64_t k = 0; k < kept; k++) {
            const int64_t at = (line / inner * kept + k) * inner + line % inner;
            y.value[at] = (double)x[order[k] * inner];
            y.scale[at] = 0;
            if (!index.value) continue;
            index.value[at] = (double)order[k];
            index.scale[at] = 0;
        }
    }
    free(order);
}
