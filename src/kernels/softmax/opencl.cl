/* kernels/softmax/opencl.cl - softmax and log_softmax over the last axis of n. _rows: a work-item
   takes `each` rows in vectors (CPUs); _each: a work-item takes a row, number by number (short rows
   on GPUs); _group: a work-group of 64 takes one. */

/* One row of at most 16 in one vector; `room`: numbers of x from here on, the next rows' among
   them. */
void nn_softmax_short(__global float *y, const __global float *x, int logarithm, int n,
                      ulong room) {
    float16 z = room >= 16 ? vload16(0, x) : nn_load_tail16(x, n, -INFINITY);
    z = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) < n ? z
                                                                          : (float16)(-INFINITY);
    z -= nn_max16(&z);
    float16 e = exp(z);
    float sum = nn_sum16(&e);
    z = logarithm ? z - log(sum) : e * (1.0f / sum);
    const float *from = (const float *)&z;
    if (n & 16) vstore16(z, 0, y);
    if (n & 8) vstore8(vload8(0, from), 0, y), y += 8, from += 8;
    if (n & 4) vstore4(vload4(0, from), 0, y), y += 4, from += 4;
    for (int i = 0; i < (n & 3); i++) y[i] = from[i];
}

__kernel void nn_softmax_rows(__global float *y, ulong y_offset, const __global float *x,
                              ulong x_offset, int logarithm, int n, ulong rows, ulong first,
                              ulong end, uint each) {
    ulong row = first + get_global_id(0) * each, stop = min(row + each, end);
    for (; row < stop; row++) {
        const __global float *from = x + x_offset + row * (ulong)n;
        __global float *to = y + y_offset + row * (ulong)n;
        if (n <= 16) {
            nn_softmax_short(to, from, logarithm, n, (rows - row) * (ulong)n);
            continue;
        }
        float largest = nn_row_max(from, n);
        int i = 0;
        if (logarithm) {
            float log_sum = log(nn_row_exp(0, from, largest, n));
            for (; i + 16 <= n; i += 16)
                vstore16(vload16(0, from + i) - largest - log_sum, 0, to + i);
            for (; i < n; i++) to[i] = from[i] - largest - log_sum;
            continue;
        }
        float share = 1.0f / nn_row_exp(to, from, largest, n);
        for (; i + 16 <= n; i += 16) vstore16(vload16(0, to + i) * share, 0, to + i);
        for (; i < n; i++) to[i] *= share;
    }
}

__kernel void nn_softmax_each(__global float *y, ulong y_offset, const __global float *x,
                              ulong x_offset, int logarithm, int n, ulong rows, ulong first,
                              ulong end, uint each) {
    ulong row = first + get_global_id(0);
    float largest = -INFINITY, sum = 0.0f;
    if (row >= end) return;
    x += x_offset + row * (ulong)n;
    y += y_offset + row * (ulong)n;
    for (int i = 0; i < n; i++) largest = nn_larger(largest, x[i]);
    for (int i = 0; i < n; i++) sum += exp(x[i] - largest);
    float log_sum = log(sum), share = 1.0f / sum;
    for (int i = 0; i < n; i++)
        y[i] = logarithm ? x[i] - largest - log_sum : exp(x[i] - largest) * share;
    (void)rows, (void)each;
}

__kernel void nn_softmax_group(__global float *y, ulong y_offset, const __global float *x,
                               ulong x_offset, int logarithm, int n, ulong first) {
    __local float lanes[NN_LANES];
    ulong row = first + get_group_id(0);
    int lane = (int)get_local_id(0);
    float largest = -INFINITY, sum = 0.0f;
    x += x_offset + row * (ulong)n;
    y += y_offset + row * (ulong)n;
    for (int i = lane; i < n; i += NN_LANES) largest = nn_larger(largest, x[i]);
    largest = nn_group_max(largest, lanes);
    for (int i = lane; i < n; i += NN_LANES) sum += exp(x[i] - largest);
    sum = nn_group_sum(sum, lanes);
    float log_sum = log(sum), share = 1.0f / sum;
    for (int i = lane; i < n; i += NN_LANES)
        y[i] = logarithm ? x[i] - largest - log_sum : exp(x[i] - largest) * share;
}

/* y: the forward's result. dx may be dy. */
__kernel void nn_softmax_backward_rows(__global float *dx, ulong dx_offset, const __global float *y,
                                       ulong y_offset, const __global float *dy, ulong dy_offset,
                                       int logarithm, int n, ulong first, ulong end, uint each) {
    ulong row = first + get_global_id(0) * each, stop = min(row + each, end);
    for (; row < stop; row++) {
        const __global float *py = y + y_offset + row * (ulong)n,
                             *pd = dy + dy_offset + row * (ulong)n;
        __global float *to = dx + dx_offset + row * (ulong)n;
        float16 total = (float16)(0.0f);
        int i = 0;
        for (; i + 16 <= n; i += 16)
            total += logarithm ? vload16(0, pd + i) : vload16(0, pd + i) * vload16(0, py + i);
        float sum = nn_sum16(&total);
        for (; i < n; i++) sum += logarithm ? pd[i] : pd[i] * py[i];
        for (i = 0; i + 16 <= n; i += 16) {
            float16 d = vload16(0, pd + i), p = vload16(0, py + i);
            vstore16(logarithm ? d - exp(p) * sum : p * (d - sum), 0, to + i);
        }
        if (i < n) {
            float16 d = nn_load_tail16(pd + i, n - i, 0.0f),
                    p = nn_load_tail16(py + i, n - i, 0.0f);
            d = logarithm ? d - exp(p) * sum : p * (d - sum);
            nn_store_tail16(&d, to + i, n - i);
        }
    }
}

__kernel void nn_softmax_backward_each(__global float *dx, ulong dx_offset, const __global float *y,
                                       ulong y_offset, const __global float *dy, ulong dy_offset,
                                       int logarithm, int n, ulong first, ulong end, uint each) {
    ulong row = first + get_global_id(0);
    float sum = 0.0f;
    if (row >= end) return;
    dx += dx_offset + row * (ulong)n;
    y += y_offset + row * (ulong)n;
    dy += dy_offset + row * (ulong)n;
    for (int i = 0; i < n; i++) sum += logarithm ? dy[i] : dy[i] * y[i];
    for (int i = 0; i < n; i++) dx[i] = logarithm ? dy[i] - exp(y[i]) * sum : y[i] * (dy[i] - sum);
    (void)each;
}

__kernel void nn_softmax_backward_group(__global float *dx, ulong dx_offset,
                                        const __global float *y, ulong y_offset,
                                        const __global float *dy, ulong dy_offset, int logarithm,
                                        int n, ulong first) {
    __local float lanes[NN_LANES];
    ulong row = first + get_group_id(0);
    float sum = 0.0f;
    dx += dx_offset + row * (ulong)n;
    y += y_offset + row * (ulong)n;
    dy += dy_offset + row * (ulong)n;
    for (int i = (int)get_local_id(0); i < n; i += NN_LANES)
        sum += logarithm ? dy[i] : dy[i] * y[i];
    sum = nn_group_sum(sum, lanes);
    for (int i = (int)get_local_id(0); i < n; i += NN_LANES)
        dx[i] = logarithm ? dy[i] - exp(y[i]) * sum : y[i] * (dy[i] - sum);
}
