/* kernels/rotary/opencl.cl - rotary position embedding: a work-item rotates a pair, or copies a
   number after the rotated ones. */

float nn_rotary_frequency(int e, int width, float base, float factor, int original, float low,
                          float high) {
    float f = e == 0 ? 1.0f : pow(base, -2.0f * (float)e / (float)width), slow = f / factor;
    if (!original) return slow;
    float turns = (float)original * f * 0.15915494309189535f;
    if (turns < low) return slow;
    if (turns > high) return f;
    float part = (turns - low) / (high - low);
    return (1.0f - part) * slow + part * f;
}

/* shape: N, H, L, E, width, offset, original, flags (1 interleaved, 2 heads inside, 4 inverse, 8 a
   position per row). numbers: base, factor, low, high. Work-items: rows (n, h, i), then their pairs
   and remaining numbers. */
__kernel void nn_rotary(__global float *y, ulong y_offset, const __global float *x, ulong x_offset,
                        const __global int *positions, ulong positions_offset, int8 shape,
                        float4 numbers, ulong first, ulong end) {
    const int H = shape.s1, L = shape.s2, E = shape.s3, width = shape.s4, half_width = width / 2;
    const int each = half_width + E - width;
    const ulong item = first + get_global_id(0);
    if (item >= end) return;
    const int e = (int)(item % (ulong)each);
    const ulong row = item / (ulong)each;
    const ulong n = row / ((ulong)H * (ulong)L);
    const ulong second = row / ((shape.s7 & 2) ? (ulong)H : (ulong)L);
    const int i = (int)((shape.s7 & 2) ? second % (ulong)L : row % (ulong)L);
    if (x) x += x_offset + row * (ulong)E;
    y += y_offset + row * (ulong)E;
    if (e >= half_width) {
        y[e + half_width] = x[e + half_width];
        return;
    }
    const int a = (shape.s7 & 1) ? 2 * e : e, b = (shape.s7 & 1) ? 2 * e + 1 : e + half_width;
    const int at = (shape.s7 & 8) ? positions[positions_offset + n * (ulong)L + (ulong)i]
                                  : i + (positions ? positions[positions_offset + n] : shape.s5);
    const float angle = (float)at * nn_rotary_frequency(e, width, numbers.x, numbers.y, shape.s6,
                                                        numbers.z, numbers.w);
    const float c = cos(angle), s = (shape.s7 & 4) ? -sin(angle) : sin(angle);
    const float p = x ? x[a] : 0.0f, q = x ? x[b] : 1.0f;
    y[a] = p * c - q * s;
    y[b] = q * c + p * s;
}
