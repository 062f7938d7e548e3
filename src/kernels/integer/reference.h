/* kernels/integer/reference.h - the integer kernels as plain loops in 64-bit integers. The
   requantisation is written with divisions, as in its definition in args.h. */
#pragma once

static TEST_UNUSED const int8_t *reference_i8(const nn_view *view) {
    return (const int8_t *)view->handle + view->offset;
}
/* Return x / size: rounded down; to the nearest, with halves away from zero. */
static int64_t reference_floor(int64_t x, int64_t size) {
    return x / size - (x % size != 0 && x < 0);
}
static int64_t reference_away(int64_t x, int64_t size) {
    return x < 0 ? -((2 * -x + size) / (2 * size)) : (2 * x + size) / (2 * size);
}
static int64_t reference_scale(int64_t sum, int64_t multiplier, int shift) {
    int64_t up = (int32_t)(uint32_t)((uint64_t)sum << (shift > 0 ? shift : 0)), high;
    high = reference_floor(up * multiplier + 1073741824, (int64_t)2147483648u);
    return reference_away(high, (int64_t)1 << (shift < 0 ? -shift : 0));
}
static double reference_clamped(int64_t value, int32_t low, int32_t high) {
    value = (int32_t)(uint32_t)(uint64_t)value;
    return (double)(value < low ? low : value > high ? high : value);
}

static TEST_UNUSED void reference_case_integer_conv2d(const nn_integer_conv2d_args *a,
                                                      const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const int32_t *e = a->x.shape.extent, *o = a->y.shape.extent;
    const int32_t *zero = view_i32(&a->zero), *factor = view_i32(&a->factor);
    const int8_t *x = reference_i8(&a->x), *weight = reference_i8(&a->weight);
    const nn_conv2d_params p = a->params;
    const bool deep = a->weight.shape.rank == 3;
    const int64_t all = e[3], C = all / p.groups, K = o[3];
    for (int64_t i = 0; i < reference_count(&a->y); i++) {
        const int64_t k = i % K, ow = i / K % o[2], oh = i / K / o[2] % o[1],
                      n = i / K / o[2] / o[1];
        int64_t sum = view_i32(&a->bias)[k];
        for (int64_t r = 0; r < p.kernel_h; r++)
            for (int64_t s = 0; s < p.kernel_w; s++)
                for (int64_t c = 0; c < C; c++) {
                    int64_t h = oh * p.stride_h - p.padding_h + r * p.dilation_h,
                            w = ow * p.stride_w - p.padding_w + s * p.dilation_w;
                    if (a->transposed) { /* the h and w with oh = h stride - padding + r dilation */
                        for (h = e[1] - 1; h >= 0; h--)
                            if (h * p.stride_h - p.padding_h + r * p.dilation_h == oh) break;
                        for (w = e[2] - 1; w >= 0; w--)
                            if (w * p.stride_w - p.padding_w + s * p.dilation_w == ow) break;
                    }
                    const int64_t at =
                        ((n * e[1] + h) * e[2] + w) * all + k / (K / p.groups) * C + c;
                    if (h < 0 || w < 0 || h >= e[1] || w >= e[2]) continue;
                    sum += (x[at] - zero[0]) *
                           (deep ? weight[(r * p.kernel_w + s) * K + k]
                                 : weight[((k * p.kernel_h + r) * p.kernel_w + s) * C + c]);
                }
        sum = (int32_t)(uint32_t)(uint64_t)sum;
        sum = reference_scale(sum, factor[k], factor[K + k]) + zero[1];
        reference_set(y, i, reference_clamped(sum, zero[2], zero[3]), 0);
    }
}

static TEST_UNUSED void reference_case_integer_pool2d(const nn_integer_pool2d_args *a,
                                                      const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const int32_t *e = a->x.shape.extent, *o = a->y.shape.extent, *zero = view_i32(&a->zero);
    const int8_t *x = reference_i8(&a->x);
    const int64_t C = e[3];
    for (int64_t i = 0; i < reference_count(&a->y); i++) {
        const int64_t c = i % C, ow = i / C % o[2], oh = i / C / o[2] % o[1],
                      n = i / C / o[2] / o[1];
        int64_t sum = 0, largest = -128, inside = 0;
        for (int64_t r = 0; r < a->kernel_h; r++)
            for (int64_t s = 0; s < a->kernel_w; s++) {
                const int64_t h = oh * a->stride_h - a->padding_h + r,
                              w = ow * a->stride_w - a->padding_w + s;
                const bool in = h >= 0 && w >= 0 && h < e[1] && w < e[2];
                const int64_t value = in ? x[((n * e[1] + h) * e[2] + w) * C + c] : zero[0];
                if (in && value > largest) largest = value;
                if (in || !a->count_only_inside) sum += value;
                inside += in;
            }
        if (!a->count_only_inside) inside = (int64_t)a->kernel_h * a->kernel_w;
        reference_set(
            y, i, a->kind == NN_POOL_MAX ? (double)largest : (double)reference_away(sum, inside),
            0);
    }
}

static TEST_UNUSED void reference_case_integer_add(const nn_integer_add_args *a,
                                                   const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const int32_t *n = view_i32(&a->numbers);
    for (int64_t i = 0; i < reference_count(&a->y); i++) {
        const int64_t one = (int64_t)(reference_i8(&a->a)[i] - n[0]) * 1048576,
                      two = (int64_t)(reference_i8(&a->b)[i] - n[1]) * 1048576;
        int64_t sum = reference_scale(one, n[3], n[6]) + reference_scale(two, n[4], n[7]);
        sum = reference_scale((int32_t)(uint32_t)(uint64_t)sum, n[5], n[8]) + n[2];
        reference_set(y, i, reference_clamped(sum, n[9], n[10]), 0);
    }
}

static TEST_UNUSED void reference_case_integer_table(const nn_integer_table_args *a,
                                                     const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    for (int64_t i = 0; i < reference_count(&a->y); i++)
        reference_set(y, i, reference_i8(&a->table)[reference_i8(&a->x)[i] + 128], 0);
}
static TEST_UNUSED void reference_case_integer_multiply(const nn_integer_multiply_args *a,
                                                        const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const int32_t *n = view_i32(&a->numbers), *e = a->y.shape.extent;
    const bool wide = reference_count(&a->b) != reference_count(&a->y);
    for (int64_t i = 0; i < reference_count(&a->y); i++) {
        const int64_t at = wide ? i / e[3] / e[2] / e[1] * e[3] + i % e[3] : i;
        const int64_t product =
            (int64_t)(reference_i8(&a->a)[i] - n[0]) * (reference_i8(&a->b)[at] - n[1]);
        reference_set(
            y, i, reference_clamped(reference_scale(product, n[3], n[4]) + n[2], n[5], n[6]), 0);
    }
}

static TEST_UNUSED void reference_case_integer_softmax(const nn_integer_softmax_args *a,
                                                       const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const int32_t *n = view_i32(&a->numbers), *table = view_i32(&a->table);
    const int8_t *x = reference_i8(&a->x);
    const int64_t length = a->x.shape.extent[a->axis], all = reference_count(&a->y);
    int64_t inner = 1;
    for (int i = a->axis + 1; i < a->x.shape.rank; i++) inner *= a->x.shape.extent[i];
    for (int64_t first = 0; first < all; first++) {
        int64_t top = -128, sum = 0;
        if (first / inner % length) continue; /* no first number of a row */
        for (int64_t k = 0; k < length; k++)
            if (x[first + k * inner] > top) top = x[first + k * inner];
        for (int64_t k = 0; k < length; k++) sum += table[top - x[first + k * inner]];
        if (sum < 1073741824) sum = 1073741824;
        const int64_t two_61 = (int64_t)1073741824 * 2147483648, r = (2 * two_61 + sum) / (2 * sum);
        for (int64_t k = 0; k < length; k++) {
            const int64_t e = table[top - x[first + k * inner]],
                          p = (e * r + 1073741824) / 2147483648;
            reference_set(y, first + k * inner,
                          reference_clamped(reference_scale(p, n[1], n[2]) + n[0], -128, 127), 0);
        }
    }
}

static TEST_UNUSED void reference_case_integer_resize2d(const nn_integer_resize2d_args *a,
                                                        const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const int32_t *e = a->x.shape.extent, *o = a->y.shape.extent, *rows = view_i32(&a->rows),
                  *columns = view_i32(&a->columns);
    for (int64_t i = 0; i < reference_count(&a->y); i++) {
        const int64_t c = i % e[3], ow = i / e[3] % o[2], oh = i / e[3] / o[2] % o[1],
                      n = i / e[3] / o[2] / o[1];
        int64_t sum = 0;
        for (int k = 0; k < 4; k++) {
            int64_t h = rows[k / 2 * o[1] + oh], w = columns[k % 2 * o[2] + ow];
            const int64_t down = rows[2 * o[1] + oh], across = columns[2 * o[2] + ow];
            h = h < 0 ? 0 : h >= e[1] ? e[1] - 1 : h;
            w = w < 0 ? 0 : w >= e[2] ? e[2] - 1 : w;
            sum += reference_i8(&a->x)[((n * e[1] + h) * e[2] + w) * e[3] + c] *
                   (k / 2 ? down : 1024 - down) * (k % 2 ? across : 1024 - across);
        }
        reference_set(y, i, (double)(int8_t)reference_away(sum, 1 << 20), 0);
    }
}

/* Returns 2^15 / (1 + e^-v) between the elements of the table, v in units of 2^-15. */
static int64_t reference_sigmoid15(int64_t v) {
    static const int64_t table[] = {NN_INTEGER_SIGMOID, 32768};
    const int64_t size = v < 0 ? -v : v, at = size / 2048;
    int64_t y = 32768;
    if (at < NN_INTEGER_SIGMOIDS - 1)
        y = reference_floor(table[at] * (2048 - size % 2048) + table[at + 1] * (size % 2048) + 1024,
                            2048);
    return v < 0 ? 32768 - y : y;
}
static int64_t reference_tanh15(int64_t v) { return 2 * reference_sigmoid15(2 * v) - 32768; }
static int64_t reference_limit16(int64_t v) {
    return v < -32768 ? -32768 : v > 32767 ? 32767 : v;
}
static int64_t reference_up(int64_t v, int bits) {
    return reference_floor(v + ((int64_t)1 << (bits - 1)), (int64_t)1 << bits);
}
/* Returns the requantised sum of a row of a weight. side: 0 of x, 1 of h */
static int64_t reference_gate(const nn_integer_recurrent_args *a, int side, int64_t row,
                              const int64_t *x) {
    const nn_view *weight = side ? &a->weight_hh : &a->weight_ih;
    const int64_t G = weight->shape.extent[0], depth = weight->shape.extent[1];
    const int32_t *factor = view_i32(&a->factor) + 2 * side * G;
    int64_t sum = view_i32(&a->bias)[side * G + row];
    for (int64_t p = 0; p < depth; p++)
        sum += (x[p] - view_i32(&a->numbers)[side]) * reference_i8(weight)[row * depth + p];
    sum = (int32_t)(uint32_t)(uint64_t)sum;
    return reference_limit16(reference_scale(sum, factor[row], factor[G + row]));
}
/* Computes the next h of one sample from x and h, and changes c (or s). */
static void reference_integer_step(const nn_integer_recurrent_args *a, const int64_t *x,
                                   const int64_t *h, int64_t *next, int64_t *c, int64_t H) {
    const int32_t *n = view_i32(&a->numbers);
    const int64_t m = n[4] < 0 ? 0 : n[4] > 10 ? 10 : n[4];
    for (int64_t k = 0; k < H; k++) {
        int64_t of_x[4], of_h[4], g[4], p;
        for (int64_t i = 0; i < (a->cell == NN_RECURRENT_LSTM ? 4 : 3); i++) {
            of_x[i] = reference_gate(a, 0, i * H + k, x);
            of_h[i] = reference_gate(a, 1, i * H + k, h);
            g[i] = reference_sigmoid15(reference_limit16(of_x[i] + of_h[i]) * 16);
        }
        if (a->cell == NN_RECURRENT_LSTM) {
            g[2] = reference_tanh15(reference_limit16(of_x[2] + of_h[2]) * 16);
            c[k] = reference_limit16(reference_up(g[1] * c[k], 15) +
                                     reference_up(g[0] * g[2], (int)(15 + m)));
            p = g[3] * reference_tanh15(c[k] * ((int64_t)1 << m));
        } else {
            g[2] = reference_tanh15(
                reference_limit16(of_x[2] + reference_up(g[0] * of_h[2], 15)) * 16);
            c[k] = reference_up(g[1] * c[k] + (32768 - g[1]) * g[2], 15);
            p = c[k] * 32768;
        }
        next[k] = (int64_t)reference_clamped(reference_scale(p, n[2], n[3]) + n[1], -128, 127);
    }
}
static TEST_UNUSED void reference_case_integer_recurrent(const nn_integer_recurrent_args *a,
                                                         const reference_outputs *out) {
    const reference_array y = reference_at(out, &a->y), state = reference_at(out, &a->state);
    const int64_t N = a->x.shape.extent[0], T = a->x.shape.extent[1], C = a->x.shape.extent[2],
                  H = a->y.shape.extent[2], all = a->cell == NN_RECURRENT_LSTM ? 2 * H : H;
    int64_t *x = (int64_t *)calloc((size_t)(C + 3 * H), sizeof *x), *h = x + C, *next = h + H,
            *c = next + H;
    for (int64_t n = 0; n < N; n++) {
        for (int64_t k = 0; k < H; k++) h[k] = view_i32(&a->numbers)[1], c[k] = 0;
        for (int64_t e = 0; e < T; e++) {
            const int64_t t = n * T + (a->reverse ? T - 1 - e : e);
            for (int64_t k = 0; k < C; k++) x[k] = reference_i8(&a->x)[t * C + k];
            reference_integer_step(a, x, h, next, c, H);
            memcpy(h, next, (size_t)H * sizeof *h);
            for (int64_t k = 0; k < H; k++) reference_set(y, t * H + k, (double)h[k], 0);
        }
        for (int64_t k = 0; k < H && a->state.dtype; k++) {
            if (all > H) reference_set(state, n * all + k, (double)h[k], 0);
            reference_set(state, n * all + all - H + k, (double)c[k], 0);
        }
    }
    free(x);
}

/* Returns the place of element i of the f32 tensor in the other tensor. */
static int64_t reference_last(const nn_view *real, bool channels_last, int64_t i) {
    const int32_t *e = real->shape.extent;
    const int64_t plane = channels_last ? (int64_t)e[2] * e[3] : 1;
    return channels_last ? (i / plane / e[1] * plane + i % plane) * e[1] + i / plane % e[1] : i;
}
static TEST_UNUSED void reference_case_quantize(const nn_quantize_args *a,
                                                const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    for (int64_t i = 0; i < reference_count(&a->y); i++) {
        const float v = view_f32(&a->x)[i] / view_f32(&a->scale)[0];
        double q = floor(fabs((double)v) + 0.5) * (v < 0 ? -1 : 1) + (double)view_f32(&a->scale)[1];
        if (v != v) q = (double)view_f32(&a->scale)[1];
        reference_set(y, reference_last(&a->x, a->channels_last, i),
                      q < -128  ? -128
                      : q > 127 ? 127
                                : q,
                      0);
    }
}
static TEST_UNUSED void reference_case_dequantize(const nn_quantize_args *a,
                                                  const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    for (int64_t i = 0; i < reference_count(&a->y); i++) {
        const int64_t at = reference_last(&a->y, a->channels_last, i);
        const float q = (float)reference_i8(&a->x)[at] - view_f32(&a->scale)[1];
        reference_set(y, i, (double)(view_f32(&a->scale)[0] * q), 0);
    }
}
