/* kernels/stream/opencl.cl - convolutions and pools of a stream: a work-item computes one output.
   shape: C, K, L, Y, R, stride, dilation, groups. M: numbers of a ring. */

/* A place or count of a state; anything else than a number in [0, end] counts as 0. */
int nn_stream_count(float number, int end) {
    return number >= 0.0f && number <= (float)end ? (int)number : 0;
}

int nn_stream_time(int8 shape, int j, int r) {
    return j * shape.s5 + shape.s5 - 1 - (shape.s4 - 1 - r) * shape.s6;
}

/* Returns the input of channel c at this time. state: of the sample, or NULL; x: of the channel. */
float nn_stream_at(const __global float *state, const __global float *x, int M, int position, int c,
                   int time) {
    int slot = position + time;
    if (time >= 0) return x[time];
    if (!state) return 0.0f;
    if (slot < 0) slot += M;
    return state[2 + (ulong)c * (ulong)M + (ulong)slot];
}

__kernel void nn_stream_conv(__global float *y, ulong y_offset, const __global float *x,
                             ulong x_offset, const __global float *weight, ulong weight_offset,
                             const __global float *state, ulong state_offset,
                             const __global float *bias, ulong bias_offset, int8 shape, int M,
                             int way, int activation, ulong first, ulong end) {
    (void)way;
    const ulong item = first + get_global_id(0);
    const int C = shape.s0, K = shape.s1, L = shape.s2, Y = shape.s3, R = shape.s4;
    const int channels = C / shape.s7, outputs = K / shape.s7;
    const int j = (int)(item % (ulong)Y), k = (int)(item / (ulong)Y % (ulong)K),
              n = (int)(item / (ulong)Y / (ulong)K), group = k / outputs;
    if (item >= end) return;
    if (state) state += state_offset + (ulong)n * (2 + (ulong)C * (ulong)M);
    const int position = state ? nn_stream_count(state[0], M - 1) : 0;
    float sum = bias ? bias[bias_offset + (ulong)k] : 0.0f;
    weight += weight_offset + (ulong)k * (ulong)channels * (ulong)R;
    x += x_offset + ((ulong)n * (ulong)C + (ulong)group * (ulong)channels) * (ulong)L;
    for (int c = 0; c < channels; c++, x += L)
        for (int r = 0; r < R; r++)
            sum += weight[c * R + r] * nn_stream_at(state, x, M, position, group * channels + c,
                                                    nn_stream_time(shape, j, r));
    y[y_offset + item] = nn_activate(activation, sum);
}

__kernel void nn_stream_pool(__global float *y, ulong y_offset, const __global float *x,
                             ulong x_offset, const __global float *weight, ulong weight_offset,
                             const __global float *state, ulong state_offset,
                             const __global float *bias, ulong bias_offset, int8 shape, int M,
                             int way, int activation, ulong first, ulong end) {
    (void)weight, (void)weight_offset, (void)bias, (void)bias_offset, (void)activation;
    const ulong item = first + get_global_id(0);
    const int C = shape.s0, L = shape.s2, Y = shape.s3, R = shape.s4;
    const int j = (int)(item % (ulong)Y), c = (int)(item / (ulong)Y % (ulong)C),
              n = (int)(item / (ulong)Y / (ulong)C);
    if (item >= end) return;
    if (state) state += state_offset + (ulong)n * (2 + (ulong)C * (ulong)M);
    const int position = state ? nn_stream_count(state[0], M - 1) : 0,
              seen = state ? nn_stream_count(state[1], M) : 0;
    float best = -INFINITY, sum = 0.0f;
    int inside = 0;
    x += x_offset + ((ulong)n * (ulong)C + (ulong)c) * (ulong)L;
    for (int r = 0; r < R; r++) {
        const int time = nn_stream_time(shape, j, r);
        if (time < -seen) continue;
        const float value = nn_stream_at(state, x, M, position, c, time);
        if (value > best || value != value) best = value;
        sum += value;
        inside++;
    }
    y[y_offset + item] = way == 1 ? best : sum / (float)(way == 2 ? R : inside);
}

/* A work-item writes the ring of one channel of one sample. */
__kernel void nn_stream_push(__global float *state, ulong state_offset,
                             const __global uint *status, ulong status_offset,
                             const __global float *x, ulong x_offset, int N, int C, int L, int M) {
    const int item = (int)get_global_id(0), n = item / C, c = item % C, taken = min(L, M);
    if (n >= N || nn_faulty(status, status_offset)) return;
    state += state_offset + (ulong)n * (2 + (ulong)C * (ulong)M);
    x += x_offset + ((ulong)n * (ulong)C + (ulong)c) * (ulong)L + (ulong)(L - taken);
    int slot = nn_stream_count(state[0], M - 1);
    state += 2 + (ulong)c * (ulong)M;
    for (int i = 0; i < taken; i++) {
        state[slot] = x[i];
        slot = slot + 1 == M ? 0 : slot + 1;
    }
}

__kernel void nn_stream_turn(__global float *state, ulong state_offset,
                             const __global uint *status, ulong status_offset, int N, int C, int L,
                             int M) {
    const int n = (int)get_global_id(0), taken = min(L, M);
    if (n >= N || nn_faulty(status, status_offset)) return;
    state += state_offset + (ulong)n * (2 + (ulong)C * (ulong)M);
    state[0] = (float)((nn_stream_count(state[0], M - 1) + taken) % M);
    state[1] = (float)min(M, nn_stream_count(state[1], M) + taken);
}

/* dx of a pool: a work-item for each channel of each sample. */
__kernel void nn_stream_pool_back(__global float *dx, ulong dx_offset, const __global float *dy,
                                  ulong dy_offset, const __global float *x, ulong x_offset,
                                  const __global float *state, ulong state_offset, int8 shape,
                                  int M, int way, int N, ulong items) {
    (void)N;
    const ulong item = get_global_id(0);
    const int C = shape.s0, L = shape.s2, Y = shape.s3, R = shape.s4, c = (int)(item % (ulong)C);
    if (item >= items) return;
    if (state) state += state_offset + item / (ulong)C * (2 + (ulong)C * (ulong)M);
    const int position = state ? nn_stream_count(state[0], M - 1) : 0,
              seen = state ? nn_stream_count(state[1], M) : 0;
    dx += dx_offset + item * (ulong)L;
    x += x_offset + item * (ulong)L;
    dy += dy_offset + item * (ulong)Y;
    for (int i = 0; i < L; i++) dx[i] = 0.0f;
    for (int j = 0; j < Y; j++) {
        float best = -INFINITY;
        int place = -1, inside = 0;
        for (int r = 0; r < R; r++) {
            const int time = nn_stream_time(shape, j, r);
            if (time < -seen) continue;
            const float value = nn_stream_at(state, x, M, position, c, time);
            inside++;
            if (place >= 0 && !(value > best) && value == value) continue;
            best = value;
            place = r;
        }
        for (int r = 0; r < R; r++) {
            const int time = nn_stream_time(shape, j, r);
            if (time < 0) continue;
            if (way != 1)
                dx[time] += dy[j] / (float)(way == 2 ? R : inside);
            else if (r == place)
                dx[time] += dy[j];
        }
    }
}

/* The part of dweight that reads the state: a work-item for each weight. */
__kernel void nn_stream_weight_back(__global float *dweight, ulong dweight_offset,
                                    const __global float *dy, ulong dy_offset,
                                    const __global float *x, ulong x_offset,
                                    const __global float *state, ulong state_offset, int8 shape,
                                    int M, int way, int N, ulong items) {
    (void)way, (void)x_offset;
    const ulong item = get_global_id(0);
    const int C = shape.s0, K = shape.s1, Y = shape.s3, R = shape.s4;
    const int channels = C / shape.s7, r = (int)(item % (ulong)R),
              k = (int)(item / (ulong)R / (ulong)channels),
              c = k / (K / shape.s7) * channels + (int)(item / (ulong)R % (ulong)channels);
    float total = 0.0f;
    if (item >= items) return;
    for (int n = 0; n < N && state; n++) {
        const __global float *one = state + state_offset + (ulong)n * (2 + (ulong)C * (ulong)M),
                             *slope = dy + dy_offset + ((ulong)n * (ulong)K + (ulong)k) * (ulong)Y;
        const int position = nn_stream_count(one[0], M - 1);
        float sum = 0.0f;
        for (int j = 0; j < Y && nn_stream_time(shape, j, r) < 0; j++)
            sum += slope[j] * nn_stream_at(one, x, M, position, c, nn_stream_time(shape, j, r));
        total += sum;
    }
    dweight[dweight_offset + item] = total;
}
