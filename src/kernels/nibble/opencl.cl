/* kernels/nibble/opencl.cl - products with 4-bit weights. _round: a work-item rounds a group of x
   to 8 bits, and stores b / 127 after the numbers of the group, 36 bytes in all. _linear: a
   work-item computes one number of y. _floats: a work-item writes a group of weights. */

/* A number that is not finite makes `odd` NaN. */
__kernel void nn_nibble_round(__global char *p, ulong p_offset, const __global float *x,
                              ulong x_offset, ulong first, ulong end) {
    const ulong g = first + get_global_id(0);
    float most = 0.0f, odd = 0.0f;
    if (g >= end) return;
    x += x_offset + g * 32;
    p += p_offset + g * 36;
    for (int i = 0; i < 32; i++) {
        most = fmax(most, fabs(x[i]));
        if (!(fabs(x[i]) <= FLT_MAX)) odd = NAN;
    }
    const bool none = most < 1e-36f || odd != odd;
    const float factor = none ? 0.0f : 127.0f / most;
    for (int i = 0; i < 32; i++) p[i] = none ? 0 : convert_char_sat_rte(x[i] * factor);
    *(__global float *)(p + 32) = odd != odd ? odd : none ? 0.0f : most / 127.0f;
}

/* shape: N, C, K, flags (1 minimums, 2 a bias) */
__kernel void nn_nibble_linear(__global float *y, ulong y_offset, const __global char *p,
                               ulong p_offset, const __global uchar *weight, ulong weight_offset,
                               const __global ushort *scale, ulong scale_offset,
                               const __global ushort *minimum, ulong minimum_offset,
                               const __global float *bias, ulong bias_offset, int4 shape,
                               ulong first, ulong end) {
    const ulong item = first + get_global_id(0);
    if (item >= end) return;
    const int groups = shape.y / 32, K = shape.z, least = (shape.w & 1) ? 0 : 8;
    const ulong n = item / (ulong)K, k = item % (ulong)K;
    float sum = 0.0f;
    p += p_offset + n * (ulong)groups * 36;
    weight += weight_offset + k * (ulong)groups * 16;
    scale += scale_offset + k * (ulong)groups;
    if (shape.w & 1) minimum += minimum_offset + k * (ulong)groups;
    for (int g = 0; g < groups; g++, p += 36, weight += 16) {
        int products = 0, all = 0;
        for (int i = 0; i < 16; i++) {
            products += ((weight[i] & 15) - least) * p[i] + ((weight[i] >> 4) - least) * p[i + 16];
            all += p[i] + p[i + 16];
        }
        const float size = *(const __global float *)(p + 32);
        sum += vload_half(g, (const __global half *)scale) * size * (float)products;
        if (shape.w & 1) sum += vload_half(g, (const __global half *)minimum) * (size * (float)all);
    }
    y[y_offset + item] = (shape.w & 2) ? sum + bias[bias_offset + k] : sum;
}

__kernel void nn_nibble_floats(__global float *y, ulong y_offset, const __global uchar *weight,
                               ulong weight_offset, const __global ushort *scale,
                               ulong scale_offset, const __global ushort *minimum,
                               ulong minimum_offset, int with_minimum, ulong first, ulong end) {
    const ulong g = first + get_global_id(0);
    if (g >= end) return;
    const float d = vload_half(scale_offset + g, (const __global half *)scale);
    const float m = with_minimum ? vload_half(minimum_offset + g, (const __global half *)minimum)
                                 : -8.0f * d;
    y += y_offset + g * 32;
    weight += weight_offset + g * 16;
    for (int i = 0; i < 16; i++) {
        y[i] = (float)(weight[i] & 15) * d + m;
        y[i + 16] = (float)(weight[i] >> 4) * d + m;
    }
}
