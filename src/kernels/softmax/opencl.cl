/* kernels/softmax/opencl.cl - softmax and log_softmax over the last axis of n. _each: a work-item
   takes a row, number by number (short rows). _group: a work-group of 64 takes a row. */

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
