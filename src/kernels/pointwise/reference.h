/* kernels/pointwise/reference.h - element-wise functions and their derivatives, as plain loops in
   double: what every device is compared with. */
#pragma once

static bool reference_keeps(const nn_pointwise_args *p, int64_t i) {
    return reference_uniform(p->seed, p->stream, p->counter, i) >= (double)p->scalar;
}

static double reference_pointwise_value(const nn_pointwise_args *p, double a, double b, int64_t i,
                                        double *scale) {
    double s = (double)p->scalar;
    *scale = 0;
    switch (p->op) {
        case NN_COPY: return a;
        case NN_RELU: return a > 0 || a != a ? a : 0;
        case NN_SIGMOID: return reference_sigmoid(a);
        case NN_TANH: return tanh(a);
        case NN_GELU: *scale = fabs(a); return reference_gelu(a);
        case NN_LEAKY_RELU: return a > 0 ? a : s * a;
        case NN_EXP: *scale = fabs(a) * exp(a); return exp(a);
        case NN_LOG: *scale = 1; return log(a);
        case NN_SQRT: return sqrt(a);
        case NN_SQUARE: return a * a;
        case NN_ABS: return fabs(a);
        case NN_NEGATE: return -a;
        case NN_SOFTPLUS: return (a > 0 ? a : 0) + log1p(exp(-fabs(a)));
        case NN_SCALE: return a * s;
        case NN_OFFSET: *scale = fabs(a) + fabs(s); return a + s;
        case NN_DROPOUT: return reference_keeps(p, i) ? a / (1 - s) : 0;
        case NN_ADD: *scale = fabs(a) + fabs(b); return a + b;
        case NN_SUBTRACT: *scale = fabs(a) + fabs(b); return a - b;
        case NN_MULTIPLY: return a * b;
        case NN_DIVIDE: return a / b;
        case NN_MAXIMUM: return a != a || b != b ? NAN : a > b ? a : b;
        case NN_MINIMUM: return a != a || b != b ? NAN : a < b ? a : b;
        case NN_EQUAL: return a == b ? 1 : 0;
        case NN_POINTWISE_COUNT: break;
    }
    return NAN;
}

/* Element of `view` that meets element i of y: extents of 1 (or absent ones, on the left) are
   repeated. */
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

static TEST_UNUSED void reference_pointwise_forward(const nn_pointwise_args *p, reference_array y) {
    const float *a = view_f32(&p->a), *b = view_f32(&p->b);
    int64_t i, count = reference_count(&p->y);
    for (i = 0; i < count; i++) {
        double scale, left = (double)a[reference_broadcast(&p->a, &p->y.shape, i)];
        double right = b && p->op >= NN_BINARY_FIRST_
                           ? (double)b[reference_broadcast(&p->b, &p->y.shape, i)]
                           : 0;
        double value = reference_pointwise_value(p, left, right, i, &scale);
        reference_set(y, i, value, scale);
        reference_add_old(y, i, &p->y, p->accumulate);
    }
}

static TEST_UNUSED void reference_pointwise_backward(const nn_pointwise_args *p,
                                                     reference_array dx) {
    const float *a = view_f32(&p->a), *b = view_f32(&p->b);
    double s = (double)p->scalar;
    int64_t i, count = reference_count(&p->y);
    for (i = 0; i < count; i++) {
        double dy = (double)a[i], v = b ? (double)b[i] : 0, d = 0,
               scale = 0; /* v: y or x, see args.h */
        switch (p->op) {
            case NN_COPY: d = dy; break;
            case NN_RELU: d = v <= 0 ? 0 : dy; break;
            case NN_SIGMOID: d = dy * v * (1 - v); scale = fabs(dy * v); break;
            case NN_TANH: d = dy * (1 - v * v); scale = fabs(dy); break;
            case NN_GELU: d = dy * reference_gelu_slope(v); scale = fabs(dy); break;
            case NN_LEAKY_RELU: d = v > 0 ? dy : s * dy; break;
            case NN_EXP: d = dy * v; break;
            case NN_LOG: d = dy / v; break;
            case NN_SQRT: d = dy / (2 * v); break;
            case NN_SQUARE: d = 2 * v * dy; break;
            case NN_ABS: d = v > 0 ? dy : v < 0 ? -dy : 0; break;
            case NN_NEGATE: d = -dy; break;
            case NN_SOFTPLUS: d = dy * reference_sigmoid(v); break;
            case NN_SCALE: d = dy * s; break;
            case NN_OFFSET: d = dy; break;
            case NN_DROPOUT: d = reference_keeps(p, i) ? dy / (1 - s) : 0; break;
            default: d = NAN; break;
        }
        reference_set(dx, i, d, scale);
        reference_add_old(dx, i, &p->y, p->accumulate);
    }
}

static TEST_UNUSED void reference_case_pointwise_forward(const nn_pointwise_args *a,
                                                         const reference_outputs *out) {
    reference_pointwise_forward(a, reference_at(out, &a->y));
}

static TEST_UNUSED void reference_case_pointwise_backward(const nn_pointwise_args *a,
                                                          const reference_outputs *out) {
    reference_pointwise_backward(a, reference_at(out, &a->y));
}

static TEST_UNUSED void reference_case_pointwise(const nn_program_args *a,
                                                 const reference_outputs *out) {
    (void)a, (void)out; /* tests/program_reference.h evaluates programs, for test_pointwise.c */
}
