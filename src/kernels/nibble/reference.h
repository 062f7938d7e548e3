/* kernels/nibble/reference.h - 4-bit weights as plain loops: x is rounded in f32 as args.h defines
   it, the inner sums are integers, and everything else is double. */
#pragma once

static const uint16_t *reference_halves(const nn_view *view) {
    return view->dtype ? (const uint16_t *)(const void *)view_f32(view) : NULL;
}

/* Returns the 4-bit number at place c of a row of bytes. */
static int reference_nibble(const uint8_t *row, int64_t c) {
    const uint8_t byte = row[c / 32 * 16 + c % 16];
    return c % 32 < 16 ? byte & 15 : byte >> 4;
}

/* Rounds the 32 numbers of a group to multiples of b / 127, where b is the largest size, and
   returns b / 127. */
static float reference_nibble_round(const float *x, int *p) {
    float b = 0;
    for (int i = 0; i < 32; i++) {
        if (!(fabsf(x[i]) <= 3.402823466e38f)) b = NAN;
        else if (fabsf(x[i]) > b) b = fabsf(x[i]);
    }
    const float factor = 127.0f / b;
    for (int i = 0; i < 32; i++)
        p[i] = b != b || b < 1e-36f ? 0 : (int)rintf(x[i] * factor);
    return b < 1e-36f ? 0 : b / 127.0f;
}

static TEST_UNUSED void reference_case_nibble_linear(const nn_nibble_linear_args *a,
                                                     const reference_outputs *out) {
    const reference_array y = reference_at(out, &a->y);
    const int64_t N = a->x.shape.extent[0], C = a->x.shape.extent[1],
                  K = a->weight.shape.extent[0], groups = C / 32;
    const uint8_t *weight = (const uint8_t *)view_f32(&a->weight);
    const uint16_t *scale = reference_halves(&a->scale), *minimum = reference_halves(&a->minimum);
    int *p = (int *)malloc(sizeof *p * (size_t)C);
    double *size = (double *)malloc(sizeof *size * (size_t)groups);
    for (int64_t n = 0; n < N; n++) {
        for (int64_t g = 0; g < groups; g++)
            size[g] = (double)reference_nibble_round(view_f32(&a->x) + n * C + 32 * g, p + 32 * g);
        for (int64_t k = 0; k < K; k++) {
            double sum = a->bias.dtype ? (double)view_f32(&a->bias)[k] : 0, terms = fabs(sum);
            for (int64_t g = 0; g < groups; g++) {
                const double d = value_of(NN_F16, scale[k * groups + g]) * size[g],
                             m = minimum ? value_of(NN_F16, minimum[k * groups + g]) * size[g] : 0;
                double products = 0, all = 0, least = 0;
                for (int64_t c = 32 * g; c < 32 * g + 32; c++) {
                    const int q = reference_nibble(weight + k * (C / 2), c) - (minimum ? 0 : 8);
                    products += q * p[c];
                    least += abs(q * p[c]);
                    all += p[c];
                }
                sum += d * products + m * all;
                terms += fabs(d) * least + fabs(m * all);
            }
            reference_set(y, n * K + k, sum, terms);
        }
    }
    free(p);
    free(size);
}

static TEST_UNUSED void reference_case_nibble_floats(const nn_nibble_floats_args *a,
                                                     const reference_outputs *out) {
    const reference_array y = reference_at(out, &a->y);
    const int64_t K = a->y.shape.extent[0], C = a->y.shape.extent[1];
    const uint16_t *scale = reference_halves(&a->scale), *minimum = reference_halves(&a->minimum);
    for (int64_t i = 0; i < K * C; i++) {
        const int64_t g = i / C * (C / 32) + i % C / 32;
        const double d = value_of(NN_F16, scale[g]),
                     m = minimum ? value_of(NN_F16, minimum[g]) : -8 * d;
        const int q = reference_nibble((const uint8_t *)view_f32(&a->weight) + i / C * (C / 2),
                                       i % C);
        reference_set(y, i, d * q + m, fabs(d * q) + fabs(m));
    }
}
