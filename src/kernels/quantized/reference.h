/* kernels/quantized/reference.h - quantised kernels as plain loops: sums in 64-bit integers,
   everything else in f32 as args.h defines it, and the gates of an LSTM in double. */
#pragma once

static float reference_even_numbers(float x, float scale, float zero) {
    const float ratio = x / scale, whole = ratio != ratio ? 0.0f : rintf(ratio);
    return whole + zero < -128.0f ? -128.0f : whole + zero > 127.0f ? 127.0f : whole + zero;
}
static TEST_UNUSED void reference_case_quantize_even(const nn_quantize_even_args *a,
                                                     const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const float *range = view_f32(&a->range);
    for (int64_t i = 0; i < reference_count(&a->y); i++)
        reference_set(y, i, (double)reference_even_numbers(view_f32(&a->x)[i], range[0], range[1]),
                      0);
}

static TEST_UNUSED void reference_case_quantized_linear(const nn_quantized_linear_args *a,
                                                        const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const float *range = view_f32(&a->range), *scale = view_f32(&a->scale);
    const int8_t *x = reference_i8(&a->x), *weight = reference_i8(&a->weight);
    const int64_t K = a->weight.shape.extent[0], C = a->weight.shape.extent[1];
    for (int64_t i = 0; i < reference_count(&a->y); i++) {
        const int64_t n = i / K, k = i % K,
                      from = a->weight_zero.dtype ? view_i32(&a->weight_zero)[k] : 0;
        int64_t sum = 0;
        for (int64_t c = 0; c < C; c++)
            sum += (x[n * C + c] - (int64_t)range[1]) * (weight[k * C + c] - from);
        sum = (int32_t)(uint32_t)(uint64_t)sum;
        reference_set(y, i, (double)((float)sum * (range[0] * scale[k])), 0);
    }
}

static TEST_UNUSED void reference_case_quantized_conv2d(const nn_quantized_conv2d_args *a,
                                                        const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const int32_t *e = a->x.shape.extent, *o = a->y.shape.extent;
    const float *range = view_f32(&a->range), *scale = view_f32(&a->scale);
    const int8_t *x = reference_i8(&a->x), *weight = reference_i8(&a->weight);
    const nn_conv2d_params p = a->params;
    for (int64_t i = 0; i < reference_count(&a->y); i++) {
        const int64_t ow = i % o[3], oh = i / o[3] % o[2], k = i / o[3] / o[2] % o[1],
                      n = i / o[3] / o[2] / o[1];
        int64_t sum = a->bias.dtype ? view_i32(&a->bias)[k] : 0;
        for (int64_t c = 0; c < e[1]; c++)
            for (int64_t r = 0; r < p.kernel_h; r++)
                for (int64_t s = 0; s < p.kernel_w; s++) {
                    const int64_t h = oh * p.stride_h - p.padding_h + r * p.dilation_h,
                                  w = ow * p.stride_w - p.padding_w + s * p.dilation_w;
                    if (h < 0 || w < 0 || h >= e[2] || w >= e[3]) continue;
                    sum += (x[((n * e[1] + c) * e[2] + h) * e[3] + w] - (int64_t)range[1]) *
                           weight[((k * e[1] + c) * p.kernel_h + r) * p.kernel_w + s];
                }
        sum = (int32_t)(uint32_t)(uint64_t)sum;
        reference_set(y, i, (double)((float)sum * (range[0] * scale[k])), 0);
    }
}

/* Quantises h (H) as bytes from 0 to 255; returns the scale. */
static float reference_quantized_state(const double *h, int64_t H, double *q, double *zero) {
    float low = 0, high = 0, scale, z;
    for (int64_t k = 0; k < H; k++) {
        const float v = (float)h[k];
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    scale = (high - low) / 255.0f;
    if (scale == 0.0f) scale = 1.0f;
    z = rintf(-low / scale);
    for (int64_t k = 0; k < H; k++)
        q[k] = (double)reference_even_numbers((float)h[k], scale, z - 128.0f) + 128.0;
    *zero = (double)z;
    return scale;
}

/* A kernel may round h to the other neighbour, which changes later steps. */
static TEST_UNUSED void reference_case_quantized_lstm(const nn_quantized_lstm_args *a,
                                                      const reference_outputs *out) {
    const reference_array y = reference_at(out, &a->y), state = reference_at(out, &a->state);
    const int64_t N = a->x.shape.extent[0], T = a->x.shape.extent[1], G = a->x.shape.extent[2],
                  H = G / 4;
    const int8_t *weight = reference_i8(&a->weight);
    const double error = T > 1 ? 2000 : 2;
    double *h = (double *)calloc((size_t)(3 * H + G), sizeof(double)), *c = h + H, *q = c + H,
           *gate = q + H;
    for (int64_t n = 0; n < N; n++) {
        for (int64_t k = 0; k < H; k++) {
            h[k] = a->h0.dtype ? (double)view_f32(&a->h0)[n * H + k] : 0;
            c[k] = a->c0.dtype ? (double)view_f32(&a->c0)[n * H + k] : 0;
        }
        for (int64_t e = 0; e < T; e++) {
            const int64_t t = a->reverse ? T - 1 - e : e;
            double zero;
            const float scale = reference_quantized_state(h, H, q, &zero);
            for (int64_t g = 0; g < G; g++) {
                double sum = 0;
                for (int64_t k = 0; k < H; k++) sum += (q[k] - zero) * weight[g * H + k];
                gate[g] = sum * (double)scale * (double)view_f32(&a->scale)[g] +
                          (double)view_f32(&a->x)[(n * T + t) * G + g];
            }
            for (int64_t k = 0; k < H; k++) {
                c[k] = reference_sigmoid(gate[H + k]) * c[k] +
                       reference_sigmoid(gate[k]) * tanh(gate[2 * H + k]);
                h[k] = reference_sigmoid(gate[3 * H + k]) * tanh(c[k]);
                reference_set(y, (n * T + t) * H + k, h[k], error);
            }
        }
        for (int64_t k = 0; k < H && a->state.dtype; k++) {
            reference_set(state, n * 2 * H + k, h[k], error);
            reference_set(state, n * 2 * H + H + k, c[k], error);
        }
    }
    free(h);
}
