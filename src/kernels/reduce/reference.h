/* kernels/reduce/reference.h - reductions over axes, as plain loops in double. */
#pragma once

/* Returns the element of `view` that belongs to element i of y. Extents of 1 (or missing ones on
   the left) are repeated. */
static int64_t reference_broadcast(const nn_view *view, const nn_shape *y, int64_t i) {
    int64_t stride = 1, at = 0;
    int axis, own;
    for (axis = y->rank - 1; axis >= 0; axis--) {
        int64_t position = i % y->extent[axis];
        i /= y->extent[axis];
        own = axis - (y->rank - view->shape.rank);
        if (own < 0) continue;
        if (view->shape.extent[own] != 1) at += position * stride;
        stride *= view->shape.extent[own];
    }
    return at;
}

static TEST_UNUSED void reference_reduce(const nn_reduce_args *r, reference_array y) {
    const float *x = view_f32(&r->x);
    int64_t i, count = reference_count(&r->x), outputs = reference_count(&r->y),
               each = count / outputs;
    for (i = 0; i < outputs; i++) {
        y.value[i] = r->reduction == NN_MAX ? -INFINITY : 0;
        y.scale[i] = 0;
    }
    for (i = 0; i < count; i++) {
        int64_t to = reference_broadcast(&r->y, &r->x.shape, i);
        double v = (double)x[i];
        if (r->reduction == NN_MAX) {
            if (v > y.value[to] || v != v) y.value[to] = v;
        } else {
            y.value[to] += v;
            y.scale[to] += fabs(v);
        }
    }
    for (i = 0; i < outputs; i++) {
        double factor = (double)r->scale;
        if (r->reduction == NN_MEAN || r->reduction == NN_REDUCTION_DEFAULT) factor /= (double)each;
        y.value[i] *= factor;
        y.scale[i] = y.scale[i] * fabs(factor) + fabs(y.value[i]);
        reference_add_old(y, i, &r->y, r->accumulate);
    }
}

/* True if x comes before `best` in argmax or argmin. NaN comes first, and nothing comes before
   it. */
static bool reference_beats(double x, double best, bool smallest) {
    if (x != x) return best == best;
    return smallest ? x < best : x > best;
}

/* Computes one result from x[0 .. n), in order. */
static void reference_fold_one(const nn_reduce_args *r, const double *x, int64_t n, double *value,
                               double *scale) {
    const nn_reduction op = r->reduction;
    double v = op == NN_MIN                    ? INFINITY
               : op == NN_PROD || op == NN_ALL ? 1
                                               : 0,
           s = 0, largest = -INFINITY, mean = 0;
    int64_t i, best = 0;
    for (i = 0; i < n; i++) {
        mean += x[i] / (double)n;
        if (x[i] > largest) largest = x[i];
        if (reference_beats(x[i], x[best], op == NN_ARGMIN)) best = i;
        if (op == NN_MIN && (x[i] < v || x[i] != x[i])) v = x[i];
        if (op == NN_PROD) v *= x[i];
        if (op == NN_ANY && x[i] != 0) v = 1;
        if (op == NN_ALL && x[i] == 0) v = 0;
        if (op == NN_SUM_OF_SQUARES || op == NN_NORM) v += x[i] * x[i];
    }
    if (fabs(largest) == INFINITY) largest = 0;
    for (i = 0; i < n; i++) {
        if (op == NN_LOGSUMEXP) v += exp(x[i] - largest);
        if (op == NN_VAR || op == NN_STD) v += (x[i] - mean) * (x[i] - mean);
        if (op == NN_VAR || op == NN_STD)
            s += fabs(x[i] - mean) * (fabs(x[i] - mean) + fabs(x[i]) + fabs(mean));
    }
    if (op == NN_VAR || op == NN_STD) {
        double divisor = n > r->correction ? (double)(n - r->correction) : 0;
        v /= divisor, s /= divisor;
    }
    if (op == NN_LOGSUMEXP) v = log(v) + largest, s = fabs(largest) + 1;
    if (op == NN_STD && v > 0) s /= 2 * sqrt(v);
    if (op == NN_STD || op == NN_NORM) v = sqrt(v);
    if (op == NN_ARGMAX || op == NN_ARGMIN) v = (double)best;
    *value = v;
    *scale = s + fabs(v) * (op == NN_PROD ? (double)n : 1);
}

static TEST_UNUSED void reference_fold(const nn_reduce_args *r, reference_array y) {
    const float *x = view_f32(&r->x);
    int64_t i, count = reference_count(&r->x), outputs = reference_count(&r->y),
               each = count / outputs;
    double *own = (double *)malloc(sizeof(double) * (size_t)count);
    int64_t *used = (int64_t *)calloc((size_t)outputs, sizeof(int64_t));
    for (i = 0; i < count; i++) {
        int64_t to = reference_broadcast(&r->y, &r->x.shape, i);
        own[to * each + used[to]++] = (double)x[i];
    }
    for (i = 0; i < outputs; i++) {
        reference_fold_one(r, own + i * each, each, &y.value[i], &y.scale[i]);
        if (r->reduction == NN_ARGMAX || r->reduction == NN_ARGMIN) continue;
        y.value[i] *= (double)r->scale;
        y.scale[i] *= fabs((double)r->scale);
        reference_add_old(y, i, &r->y, r->accumulate);
    }
    free(own);
    free(used);
}

static TEST_UNUSED void reference_case_reduce(const nn_reduce_args *a,
                                              const reference_outputs *out) {
    reference_reduce(a, reference_at(out, &a->y));
}

static TEST_UNUSED void reference_case_fold(const nn_reduce_args *a, const reference_outputs *out) {
    reference_fold(a, reference_at(out, &a->y));
}

/* Returns the gradient of one x of a row of n. common: the number of equal extremes, or the
   mean. */
static double reference_slope(const nn_reduce_backward_args *r, double x, double y, double dy,
                              double n, double common) {
    const double over = n > r->correction ? 1 / (n - r->correction) : INFINITY;
    switch (r->reduction) {
    case NN_SUM_OF_SQUARES: return 2 * x * dy;
    case NN_NORM: return y == 0 ? x * dy : x / y * dy;
    case NN_LOGSUMEXP: return exp(x - y) * dy;
    case NN_VAR: return 2 * (x - common) * dy * over;
    case NN_STD: return (y == 0 ? x - common : (x - common) / y) * dy * over;
    default: return (x == y ? 1 : 0) * (dy / common);
    }
}

static TEST_UNUSED void reference_case_reduce_backward(const nn_reduce_backward_args *a,
                                                       const reference_outputs *out) {
    const bool spread = a->reduction == NN_VAR || a->reduction == NN_STD,
               reads = a->reduction != NN_VAR && a->reduction != NN_SUM_OF_SQUARES;
    const float *x = view_f32(&a->x), *dy = view_f32(&a->dy);
    reference_array dx = reference_at(out, &a->dx);
    int64_t rows = reference_count(&a->dy), n = reference_count(&a->x) / rows, row, i;
    for (row = 0; row < rows; row++, x += n) {
        const double y = reads ? (double)view_f32(&a->y)[row] : 0, d = (double)dy[row];
        double common = 0, size = 0; /* size: the mean of |x|, on which the error of the mean
                                        depends */
        for (i = 0; i < n; i++)
            common += spread ? (double)x[i] / (double)n : (double)x[i] == y ? 1 : 0;
        for (i = 0; i < n; i++) size += fabs((double)x[i]) / (double)n;
        for (i = 0; i < n; i++) {
            const double v = reference_slope(a, (double)x[i], y, d, (double)n, common);
            double scale = fabs(v);
            if (a->reduction == NN_LOGSUMEXP) scale *= 1 + fabs((double)x[i]) + fabs(y);
            if (spread) /* the mean may be far from 0, and the numbers far from it */
                scale += fabs(reference_slope(a, fabs((double)x[i]) + fabs(common) + size, y, d,
                                              (double)n, common));
            reference_set(dx, row * n + i, v, scale);
            reference_add_old(dx, row * n + i, &a->dx, a->accumulate);
        }
    }
}
