/* kernels/conv_pool/opencl.cl - the passes over windows of a block on CPUs, where the convolution's
   result stands in scratch: a plane of `planes` each image has 2 PH rows of 2 PW. A work-item takes
   `each` rows of windows, of those [first, end) of all planes. On GPUs the kernels of
   kernels/conv2d do this (NN_CONV_POOL), but before Winograd's way. */

/* y and place from z; bias and place may be NULL. */
__kernel void nn_conv_pool_largest(const __global float *z, ulong z_offset, __global float *y,
                                   ulong y_offset, __global uchar *place, ulong place_offset,
                                   const __global float *bias, ulong bias_offset, int planes,
                                   int PH, int PW, int activation, ulong first, ulong end,
                                   int each) {
    const ulong from = first + get_global_id(0) * (ulong)each, to = min(from + (ulong)each, end);
    const float least = activation == NN_ACTIVATION_RELU ? 0.0f : -INFINITY;
    for (ulong row = from; row < to; row++) {
        const __global float *top = z + z_offset + row * (ulong)(4 * PW), *bottom = top + 2 * PW;
        const float more =
            bias ? bias[bias_offset + row / (ulong)PH % (ulong)planes] : 0.0f;
        __global float *to_y = y + y_offset + row * (ulong)PW;
        __global uchar *to_place = place ? place + place_offset + row * (ulong)PW : 0;
        int j = 0;
        for (; j + 8 <= PW; j += 8) {
            const float16 t = vload16(0, top + 2 * j), b = vload16(0, bottom + 2 * j);
            float8 best = t.even, value = t.odd;
            int8 wins = (value > best) | (value != value);
            int8 where = wins ? (int8)(1) : (int8)(0);
            best = wins ? value : best;
            value = b.even, wins = (value > best) | (value != value);
            best = wins ? value : best, where = wins ? (int8)(2) : where;
            value = b.odd, wins = (value > best) | (value != value);
            best = wins ? value : best, where = wins ? (int8)(3) : where;
            best += more;
            vstore8(best < least ? (float8)(least) : best, 0, to_y + j); /* a NaN stays */
            if (to_place) vstore8(convert_uchar8(where), 0, to_place + j);
        }
        for (; j < PW; j++) {
            float best = top[2 * j], value = top[2 * j + 1];
            int where = 0;
            if (value > best || value != value) best = value, where = 1;
            value = bottom[2 * j];
            if (value > best || value != value) best = value, where = 2;
            value = bottom[2 * j + 1];
            if (value > best || value != value) best = value, where = 3;
            best += more;
            to_y[j] = best < least ? least : best;
            if (to_place) to_place[j] = (uchar)where;
        }
    }
}

/* z, the convolution's gradient, from dy, y and place: 0 but where the maxima were. */
__kernel void nn_conv_pool_spread(__global float *z, ulong z_offset, const __global float *y,
                                  ulong y_offset, const __global uchar *place, ulong place_offset,
                                  const __global float *dy, ulong dy_offset, int planes, int PH,
                                  int PW, int activation, ulong first, ulong end, int each) {
    const ulong from = first + get_global_id(0) * (ulong)each, to = min(from + (ulong)each, end);
    const int relu = activation == NN_ACTIVATION_RELU;
    (void)planes;
    (void)PH;
    for (ulong row = from; row < to; row++) {
        __global float *top = z + z_offset + row * (ulong)(4 * PW), *bottom = top + 2 * PW;
        const __global float *of_y = y + y_offset + row * (ulong)PW,
                             *of_dy = dy + dy_offset + row * (ulong)PW;
        const __global uchar *of_place = place + place_offset + row * (ulong)PW;
        int j = 0;
        for (; j + 8 <= PW; j += 8) {
            float8 value = vload8(0, of_dy + j);
            const int8 where = convert_int8(vload8(0, of_place + j)) & 3;
            float16 t, b;
            if (relu) value = vload8(0, of_y + j) <= 0.0f ? (float8)(0.0f) : value;
            t.even = where == 0 ? value : (float8)(0.0f);
            t.odd = where == 1 ? value : (float8)(0.0f);
            b.even = where == 2 ? value : (float8)(0.0f);
            b.odd = where == 3 ? value : (float8)(0.0f);
            vstore16(t, 0, top + 2 * j);
            vstore16(b, 0, bottom + 2 * j);
        }
        for (; j < PW; j++) {
            const float value = relu && of_y[j] <= 0.0f ? 0.0f : of_dy[j];
            const int where = of_place[j] & 3;
            top[2 * j] = where == 0 ? value : 0.0f;
            top[2 * j + 1] = where == 1 ? value : 0.0f;
            bottom[2 * j] = where == 2 ? value : 0.0f;
            bottom[2 * j + 1] = where == 3 ? value : 0.0f;
        }
    }
}

/* The same on GPUs, where a work-item has one window: i of those from row `first` on. */
__kernel void nn_conv_pool_spread_windows(__global float *z, ulong z_offset,
                                          const __global float *y, ulong y_offset,
                                          const __global uchar *place, ulong place_offset,
                                          const __global float *dy, ulong dy_offset, int planes,
                                          int PH, int PW, int activation, ulong first, ulong end,
                                          int each) {
    const ulong i = get_global_id(0),
                row = first + (i >> 32 ? i / (ulong)PW : (ulong)((uint)i / (uint)PW));
    const ulong at = first * (ulong)PW + i;
    (void)planes, (void)PH, (void)each;
    if (row >= end) return;
    {
        const float d = dy[dy_offset + at];
        const float value =
            activation == NN_ACTIVATION_RELU && y[y_offset + at] <= 0.0f ? 0.0f : d;
        const int where = place[place_offset + at] & 3;
        __global float *top = z + z_offset + 2 * (at + row * (ulong)PW), *bottom = top + 2 * PW;
        top[0] = where == 0 ? value : 0.0f;
        top[1] = where == 1 ? value : 0.0f;
        bottom[0] = where == 2 ? value : 0.0f;
        bottom[1] = where == 3 ? value : 0.0f;
    }
}
