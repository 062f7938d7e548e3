/* kernels/scan/reference.h - running sums, products and extremes as plain loops in double. */
#pragma once

/* Returns the running value after `old` and x. Adds |x| to *scale. */
static double reference_scan_next(nn_scan kind, double old, double x, double *scale) {
    *scale += fabs(x);
    switch (kind) {
        case NN_SCAN_PRODUCT: return old * x;
        case NN_SCAN_LOGSUMEXP: return log(exp(old) + exp(x));
        case NN_SCAN_MAX: return x != x || x >= old ? x : old;
        case NN_SCAN_MIN: return x != x || x <= old ? x : old;
        default: return old + x;
    }
}

static TEST_UNUSED void reference_scan(const nn_scan_args *args, reference_array y,
                                       reference_array index) {
    const nn_shape *shape = &args->x.shape;
    const float *x = view_f32(&args->x);
    int64_t outer = 1, inner = 1, n = shape->extent[args->axis];
    for (int i = 0; i < args->axis; i++) outer *= shape->extent[i];
    for (int i = args->axis + 1; i < shape->rank; i++) inner *= shape->extent[i];
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < inner; i++) {
            double value = args->kind == NN_SCAN_PRODUCT     ? 1
                           : args->kind == NN_SCAN_LOGSUMEXP ? -INFINITY
                           : args->kind == NN_SCAN_MAX       ? -INFINITY
                           : args->kind == NN_SCAN_MIN       ? INFINITY
                                                             : 0,
                   scale = 0;
            int64_t where = 0;
            for (int64_t k = 0; k < n; k++) {
                const int64_t along = args->reverse ? n - 1 - k : k,
                              at = (o * n + along) * inner + i;
                value = reference_scan_next(args->kind, value, (double)x[at], &scale);
                if (value != value ? x[at] != x[at] : value == (double)x[at]) where = along;
                reference_set(y, at, value, scale);
                if (args->kind >= NN_SCAN_MAX) y.scale[at] = 0;
                if (!index.value) continue;
                index.value[at] = (double)where;
                index.scale[at] = 0;
            }
        }
}

static TEST_UNUSED void reference_case_scan(const nn_scan_args *a, const reference_outputs *out) {
    reference_scan(a, reference_at(out, &a->y), reference_at(out, &a->index));
}

static TEST_UNUSED void reference_case_scan_backward(const nn_scan_backward_args *a,
                                                     const reference_outputs *out) {
    const nn_shape *shape = &a->x.shape;
    const float *x = view_f32(&a->x), *y = view_f32(&a->y), *dy = view_f32(&a->dy);
    const reference_array dx = reference_at(out, &a->dx);
    int64_t inner = 1, n = shape->extent[a->axis];
    for (int i = a->axis + 1; i < shape->rank; i++) inner *= shape->extent[i];
    for (int64_t lane = 0; lane < reference_count(&a->x) / n; lane++) {
        const int64_t first = lane / inner * n * inner + lane % inner;
        for (int64_t k = 0; k < n; k++) {
            const int64_t at = first + k * inner;
            double sum = 0, scale = 0, factor = k ? (double)y[at - inner] : 1;
            if (a->kind != NN_SCAN_PRODUCT) factor = exp((double)x[at] - (double)y[at]);
            for (int64_t i = k; i < n; i++) {
                const int64_t to = first + i * inner;
                if (i > k && a->kind == NN_SCAN_PRODUCT) factor *= (double)x[to];
                const double term =
                    (double)dy[to] * factor *
                    (a->kind == NN_SCAN_PRODUCT ? 1 : exp((double)y[at] - (double)y[to]));
                sum += term;
                scale += fabs(term);
            }
            reference_set(dx, at, sum, scale);
        }
    }
}
