/* kernels/softmax/reference.h - softmax and its gradient, as plain loops in double. */
#pragma once

static TEST_UNUSED void reference_softmax_forward(const nn_softmax_args *s, reference_array y) {
    const float *x = view_f32(&s->x);
    int64_t length = s->x.shape.extent[s->x.shape.rank - 1], rows = reference_count(&s->x) / length,
            row, i;
    for (row = 0; row < rows; row++) {
        double total = reference_log_sum(x + row * length, length, 1);
        for (i = 0; i < length; i++) {
            double v = (double)x[row * length + i], logarithm = v - total;
            if (s->logarithm)
                reference_set(y, row * length + i, logarithm, fabs(v) + fabs(total) + 1);
            else
                reference_set(y, row * length + i, exp(logarithm),
                              exp(logarithm) * (1 + fabs(logarithm)));
        }
    }
}

static TEST_UNUSED void reference_softmax_backward(const nn_softmax_args *s, reference_array dx) {
    const float *y = view_f32(&s->y), *dy = view_f32(&s->dy);
    int64_t length = s->y.shape.extent[s->y.shape.rank - 1], rows = reference_count(&s->y) / length,
            row, i;
    for (row = 0; row < rows; row++) {
        double sum = 0, scale = 0;
        for (i = 0; i < length; i++) {
            double term =
                (double)dy[row * length + i] * (s->logarithm ? 1 : (double)y[row * length + i]);
            sum += term;
            scale += fabs(term);
        }
        for (i = 0; i < length; i++) {
            double v = (double)y[row * length + i], d = (double)dy[row * length + i];
            if (s->logarithm)
                reference_set(dx, row * length + i, d - exp(v) * sum,
                              fabs(d) + exp(v) * scale * (1 + fabs(v)));
            else reference_set(dx, row * length + i, v * (d - sum), fabs(v) * (fabs(d) + scale));
        }
    }
}

static TEST_UNUSED void reference_case_softmax_forward(const nn_softmax_args *a,
                                                       const reference_outputs *out) {
    reference_softmax_forward(a, reference_at(out, &a->y));
}

static TEST_UNUSED void reference_case_softmax_backward(const nn_softmax_args *a,
                                                        const reference_outputs *out) {
    reference_softmax_backward(a, reference_at(out, &a->x));
}
