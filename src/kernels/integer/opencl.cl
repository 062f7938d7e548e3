/* kernels/integer/opencl.cl - inference in 8-bit integers: plain loops, a work-item for each number
   of y. All sums are integers, so the bytes are those of the CPU. Letters and formulas are those of
   kernels/integer/args.h. */

/* sum * multiplier * 2^(shift - 31), rounded twice. */
int nn_integer_scale(int sum, int multiplier, int shift) {
    const int up = shift > 0 ? (int)((uint)sum << shift) : sum, bits = shift < 0 ? -shift : 0;
    const int high = (int)(((long)up * (long)multiplier + (1L << 30)) >> 31);
    const uint mask = (1u << bits) - 1u, rest = (uint)high & mask;
    return (high >> bits) + (rest > (mask >> 1) + (high < 0 ? 1u : 0u) ? 1 : 0);
}
char nn_integer_clamp(int scaled, int zero, int low, int high) {
    const int value = (int)((uint)scaled + (uint)zero);
    return (char)(value < low ? low : value > high ? high : value);
}
/* The row or column of x that a tap of a transposed convolution reads; -1: none. */
int nn_integer_source(int at, int stride, int extent) {
    return at >= 0 && at % stride == 0 && at / stride < extent ? at / stride : -1;
}

/* kind: 0, 1 for depthwise, 2 for transposed. */
__kernel void nn_integer_conv2d(__global char *y, ulong y_offset, const __global char *x,
                                ulong x_offset, const __global char *weight, ulong weight_offset,
                                const __global int *bias, ulong bias_offset,
                                const __global int *factor, ulong factor_offset,
                                const __global int *zero, ulong zero_offset, int H, int W, int C,
                                int OH, int OW, int K, int R, int S, int stride_h, int stride_w,
                                int padding_h, int padding_w, int dilation_h, int dilation_w,
                                int groups, int kind, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    zero += zero_offset, factor += factor_offset;
    const int k = (int)(at % (ulong)K), ow = (int)(at / (ulong)K % (ulong)OW),
              oh = (int)(at / (ulong)K / (ulong)OW % (ulong)OH);
    const ulong n = at / (ulong)K / (ulong)OW / (ulong)OH;
    const int depth = C / groups, zero_x = zero[0];
    const __global char *image = x + x_offset + n * (ulong)H * (ulong)W * (ulong)C +
                                 (ulong)(k / (K / groups)) * (ulong)depth;
    const __global char *w = weight + weight_offset +
                             (kind == 1 ? (ulong)k : (ulong)k * (ulong)R * (ulong)S * (ulong)depth);
    uint sum = (uint)bias[bias_offset + k];
    for (int r = 0; r < R; r++) {
        const int h = kind == 2
                          ? nn_integer_source(oh + padding_h - r * dilation_h, stride_h, H)
                          : oh * stride_h - padding_h + r * dilation_h;
        if (h < 0 || h >= H) continue;
        for (int s = 0; s < S; s++) {
            const int v = kind == 2
                              ? nn_integer_source(ow + padding_w - s * dilation_w, stride_w, W)
                              : ow * stride_w - padding_w + s * dilation_w;
            if (v < 0 || v >= W) continue;
            const __global char *from = image + ((ulong)h * (ulong)W + (ulong)v) * (ulong)C;
            const ulong tap = (ulong)(r * S + s);
            if (kind == 1) {
                sum += (uint)((from[0] - zero_x) * w[tap * (ulong)K]);
                continue;
            }
            const __global char *by = w + tap * (ulong)depth;
            for (int c = 0; c < depth; c++) sum += (uint)((from[c] - zero_x) * by[c]);
        }
    }
    y[y_offset + at] =
        nn_integer_clamp(nn_integer_scale((int)sum, factor[k], factor[K + k]), zero[1], zero[2],
                         zero[3]);
}

__kernel void nn_integer_pool2d(__global char *y, ulong y_offset, const __global char *x,
                                ulong x_offset, const __global int *zero, ulong zero_offset, int H,
                                int W, int C, int OH, int OW, int R, int S, int stride_h,
                                int stride_w, int padding_h, int padding_w, int average,
                                int only_inside, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    const int ow = (int)(at / (ulong)C % (ulong)OW),
              oh = (int)(at / (ulong)C / (ulong)OW % (ulong)OH);
    const ulong n = at / (ulong)C / (ulong)OW / (ulong)OH;
    const __global char *image =
        x + x_offset + n * (ulong)H * (ulong)W * (ulong)C + at % (ulong)C;
    const int h0 = oh * stride_h - padding_h, w0 = ow * stride_w - padding_w;
    const int zero_x = zero[zero_offset];
    int sum = 0, inside = 0, largest = -128;
    for (int h = max(h0, 0); h < min(h0 + R, H); h++)
        for (int w = max(w0, 0); w < min(w0 + S, W); w++) {
            const int value = image[((ulong)h * (ulong)W + (ulong)w) * (ulong)C];
            sum += value;
            largest = max(largest, value);
            inside++;
        }
    int count = inside;
    if (average && !only_inside) count = R * S, sum += (count - inside) * zero_x;
    if (average && count)
        largest = sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
    y[y_offset + at] = (char)(count ? largest : zero_x);
}

/* numbers: as in nn_integer_add_args */
__kernel void nn_integer_add(__global char *y, ulong y_offset, const __global char *a,
                             ulong a_offset, const __global char *b, ulong b_offset,
                             const __global int *numbers, ulong numbers_offset, ulong first,
                             ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    numbers += numbers_offset;
    const int from_a = (a[a_offset + at] - numbers[0]) * (1 << 20),
              from_b = (b[b_offset + at] - numbers[1]) * (1 << 20);
    const uint sum = (uint)nn_integer_scale(from_a, numbers[3], numbers[6]) +
                     (uint)nn_integer_scale(from_b, numbers[4], numbers[7]);
    y[y_offset + at] = nn_integer_clamp(nn_integer_scale((int)sum, numbers[5], numbers[8]),
                                        numbers[2], numbers[9], numbers[10]);
}

/* b has one number for each channel of an image of `plane` numbers, or plane is 0. */
__kernel void nn_integer_multiply(__global char *y, ulong y_offset, const __global char *a,
                                  ulong a_offset, const __global char *b, ulong b_offset,
                                  const __global int *numbers, ulong numbers_offset, ulong plane,
                                  ulong channels, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    numbers += numbers_offset;
    const ulong of_b = plane ? at / plane * channels + at % channels : at;
    const int product = (a[a_offset + at] - numbers[0]) * (b[b_offset + of_b] - numbers[1]);
    y[y_offset + at] = nn_integer_clamp(nn_integer_scale(product, numbers[3], numbers[4]),
                                        numbers[2], numbers[5], numbers[6]);
}

__kernel void nn_integer_table(__global char *y, ulong y_offset, const __global char *x,
                               ulong x_offset, const __global char *table, ulong table_offset,
                               ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at < end) y[y_offset + at] = table[table_offset + (ulong)(x[x_offset + at] + 128)];
}

__kernel void nn_integer_resize2d(__global char *y, ulong y_offset, const __global char *x,
                                  ulong x_offset, const __global int *rows, ulong rows_offset,
                                  const __global int *columns, ulong columns_offset, int H, int W,
                                  int C, int OH, int OW, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    rows += rows_offset, columns += columns_offset;
    const int c = (int)(at % (ulong)C), ow = (int)(at / (ulong)C % (ulong)OW),
              oh = (int)(at / (ulong)C / (ulong)OW % (ulong)OH);
    const ulong n = at / (ulong)C / (ulong)OW / (ulong)OH;
    const __global char *image = x + x_offset + n * (ulong)H * (ulong)W * (ulong)C + (ulong)c;
    const int down = rows[2 * OH + oh], across = columns[2 * OW + ow];
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        const int h = clamp(rows[(i >> 1) * OH + oh], 0, H - 1),
                  w = clamp(columns[(i & 1) * OW + ow], 0, W - 1);
        sum += image[((ulong)h * (ulong)W + (ulong)w) * (ulong)C] * (i >> 1 ? down : 1024 - down) *
               (i & 1 ? across : 1024 - across);
    }
    y[y_offset + at] = (char)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
}

/* Returns |x / scale| as the nearest float, rounded to an integer, halves up; at most 512. The
   quotient is computed in integers, because a device's division may be off by 2.5 ulp and may lose
   small numbers. */
int nn_integer_quotient(uint x, uint scale) {
    int x_exponent = (int)(x >> 23), s_exponent = (int)(scale >> 23);
    uint a = x & 0x7fffffu, b = scale & 0x7fffffu;
    if (x_exponent) a |= 0x800000u;
    else x_exponent = 1;
    if (s_exponent) b |= 0x800000u;
    else s_exponent = 1;
    if (a == 0u || s_exponent == 255) return 0;
    if (b == 0u || x_exponent == 255) return 512;
    const int of_a = (int)clz(a) - 8, of_b = (int)clz(b) - 8;
    a <<= of_a, x_exponent -= of_a;
    b <<= of_b, s_exponent -= of_b;
    int exponent = x_exponent - s_exponent;
    if (exponent > 10) return 512;
    if (exponent < -2) return 0;
    /* 24 bits of the quotient, rounded to even */
    if (a < b) a <<= 1, exponent--;
    const ulong whole = ((ulong)a << 24) / b, rest = ((ulong)a << 24) % b; /* 25 bits */
    uint q = (uint)(whole >> 1);
    if ((whole & 1ul) && (rest || (q & 1u))) q++;
    /* q * 2^(exponent - 23), plus one half, rounded down */
    const int bits = 23 - exponent;
    return (int)min((q + (1u << (bits - 1))) >> bits, 512u);
}

/* Number i of an image (N, C, plane) in f32 is number nn_integer_last(...) with channels last.
   channels = 1: there is no such order. */
ulong nn_integer_last(ulong i, ulong plane, ulong channels) {
    return (i / plane / channels * plane + i % plane) * channels + i / plane % channels;
}

__kernel void nn_quantize(__global char *y, ulong y_offset, const __global float *x, ulong x_offset,
                          const __global float *scale, ulong scale_offset, ulong plane,
                          ulong channels, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    const uint bits = as_uint(x[x_offset + at]), size = as_uint(scale[scale_offset]),
               magnitude = bits & 0x7fffffffu;
    const float zero = scale[scale_offset + 1];
    float value = zero;
    if (magnitude <= 0x7f800000u) {
        const int q = nn_integer_quotient(magnitude, size & 0x7fffffffu);
        value = (float)(((bits ^ size) >> 31) ? -q : q) + zero;
    }
    y[y_offset + nn_integer_last(at, plane, channels)] = (char)(int)clamp(value, -128.0f, 127.0f);
}

__kernel void nn_dequantize(__global float *y, ulong y_offset, const __global char *x,
                            ulong x_offset, const __global float *scale, ulong scale_offset,
                            ulong plane, ulong channels, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    const float whole = (float)x[x_offset + nn_integer_last(at, plane, channels)];
    y[y_offset + at] = scale[scale_offset] * (whole - scale[scale_offset + 1]);
}
