/* kernels/resize/reference.h - resizes images as plain loops in double. Indices are computed in
   float, as kernels/resize/args.h says. */
#pragma once

static double reference_resize_keys(double x, double a) {
    if (x < 0) x = -x;
    if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* weight[j]: the weight of element j of x in element i of y, summed over its taps. touched[j]: true
   if it has a tap. */
static void reference_resize_weights(const nn_resize_args *a, int which, int i, double *weight,
                                     bool *touched) {
    const int x = a->x.shape.extent[2 + which], y = a->y.shape.extent[2 + which];
    const float step = which ? a->step_w : a->step_h;
    const bool cubic = a->mode == NN_RESIZE_CUBIC;
    const bool nearest = a->mode == NN_RESIZE_NEAREST || a->mode == NN_RESIZE_NEAREST_EXACT;
    float s, middle = ((float)i + 0.5f) * step;
    for (int j = 0; j < x; j++) weight[j] = 0, touched[j] = false;
    if (a->antialias) {
        const double wide = step > 1 ? (double)step : 1, support = cubic ? 2 * wide : wide;
        const int first = (int)((double)middle - support + 0.5),
                  end = (int)((double)middle + support + 0.5);
        double total = 0;
        for (int j = first < 0 ? 0 : first; j < end && j < x; j++) {
            const double d = fabs(j + 0.5 - (double)middle) / wide;
            weight[j] = cubic ? reference_resize_keys(d, (double)a->cubic) : d < 1 ? 1 - d : 0;
            touched[j] = true;
            total += weight[j];
        }
        for (int j = 0; j < x; j++) weight[j] /= total;
        return;
    }
    s = middle - 0.5f;
    if (a->mode == NN_RESIZE_NEAREST) s = (float)i * step;
    if (a->mode == NN_RESIZE_NEAREST_EXACT) s = middle;
    if (!nearest && a->align_corners) s = (float)i * step;
    if (a->mode == NN_RESIZE_LINEAR && s < 0) s = 0;
    if (a->mode == NN_RESIZE_LINEAR && x == y) s = (float)i;
    const int below = (int)fminf(floorf(s), (float)(x - 1));
    const double t = fmin((double)s - below, 1);
    for (int k = cubic ? -1 : 0; k <= (cubic ? 2 : nearest ? 0 : 1); k++) {
        int j = below + k;
        if (a->mode == NN_RESIZE_LINEAR && x == y) j = below;
        j = j < 0 ? 0 : j >= x ? x - 1 : j;
        touched[j] = true;
        weight[j] += nearest ? 1 : cubic ? reference_resize_keys(t - k, (double)a->cubic)
                                         : k ? t : 1 - t;
    }
}

/* Sums y from x, or with `back` x from y. */
static void reference_resize(const nn_resize_args *a, reference_array to, bool back) {
    const int *xe = a->x.shape.extent, *ye = a->y.shape.extent;
    const int64_t planes = (int64_t)xe[0] * xe[1];
    double *weight[2];
    bool *touched[2];
    for (int k = 0; k < 2; k++) {
        const size_t cells = (size_t)xe[2 + k] * (size_t)ye[2 + k];
        weight[k] = (double *)calloc(cells, sizeof(double));
        touched[k] = (bool *)calloc(cells, sizeof(bool));
        for (int i = 0; i < ye[2 + k]; i++)
            reference_resize_weights(a, k, i, weight[k] + (size_t)i * (size_t)xe[2 + k],
                                     touched[k] + (size_t)i * (size_t)xe[2 + k]);
    }
    for (int64_t i = 0; i < planes * (back ? xe[2] * xe[3] : ye[2] * ye[3]); i++)
        reference_set(to, i, 0, 0);
    for (int64_t p = 0; p < planes; p++)
        for (int i = 0; i < ye[2] * ye[3]; i++)
            for (int j = 0; j < xe[2] * xe[3]; j++) {
                const int h = i / ye[3] * xe[2] + j / xe[3], w = i % ye[3] * xe[3] + j % xe[3];
                const int64_t y = p * ye[2] * ye[3] + i, x = p * xe[2] * xe[3] + j,
                              out = back ? x : y;
                if (!touched[0][h] || !touched[1][w]) continue;
                const double from = (double)(back ? view_f32(&a->y)[y] : view_f32(&a->x)[x]),
                             part = weight[0][h] * weight[1][w] * from;
                to.value[out] += part;
                /* a weight is 1 - t, so its error is that of a number near 1 */
                to.scale[out] += fabs(part) + (a->mode == NN_RESIZE_CUBIC    ? 1
                                               : a->mode == NN_RESIZE_LINEAR ? fabs(from)
                                                                             : 0);
            }
    for (int64_t i = 0; back && i < planes * xe[2] * xe[3]; i++)
        reference_add_old(to, i, &a->x, a->accumulate);
    for (int k = 0; k < 2; k++) {
        free(weight[k]);
        free(touched[k]);
    }
}

static TEST_UNUSED void reference_case_resize_forward(const nn_resize_args *a,
                                                      const reference_outputs *out) {
    reference_resize(a, reference_at(out, &a->y), false);
}
static TEST_UNUSED void reference_case_resize_backward(const nn_resize_args *a,
                                                       const reference_outputs *out) {
    reference_resize(a, reference_at(out, &a->x), true);
}
