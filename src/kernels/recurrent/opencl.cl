/* kernels/recurrent/opencl.cl - lstm, gru and rnn. A work-group takes four samples through all
   their steps; on a CPU, groups have one work-item and products are eight columns wide. cell: 0
   tanh, 1 relu, 2 gru, 3 lstm, as in nn_recurrent_cell. */

#define NN_RECURRENT_SAMPLES 4

typedef struct nn_recurrent {
    int T, H, P, gates, cell, reverse; /* gates: rows of the weight */
    int first, rows;                   /* samples of the group */
    int lane, lanes;
    const __global int *lengths; /* from the first sample on; NULL: all have T steps */
} nn_recurrent;

nn_recurrent nn_recurrent_make(const __global int *lengths, ulong lengths_offset, int N, int T,
                               int H, int P, int cell, int reverse, int first) {
    nn_recurrent r;
    r.T = T, r.H = H, r.P = P, r.cell = cell, r.reverse = reverse;
    r.gates = H * (cell == 3 ? 4 : cell == 2 ? 3 : 1);
    r.first = (first + (int)get_group_id(0)) * NN_RECURRENT_SAMPLES;
    r.rows = min(NN_RECURRENT_SAMPLES, N - r.first);
    r.lane = (int)get_local_id(0), r.lanes = (int)get_local_size(0);
    r.lengths = lengths ? lengths + lengths_offset + r.first : 0;
    return r;
}

int nn_recurrent_length(const __global int *lengths, int T, int s) {
    if (!lengths) return T;
    return lengths[s] >= 0 && lengths[s] <= T ? lengths[s] : 0;
}

/* y[s] (columns) (+)= x[s] (depth) w (depth, columns) for the samples s of the group. */
void nn_recurrent_product(int rows, __global float *y, ulong y_row, const __global float *x,
                          ulong x_row, const __global float *w, int columns, int depth, bool add) {
    const __global float *x1 = x + (ulong)min(1, rows - 1) * x_row,
                         *x2 = x + (ulong)min(2, rows - 1) * x_row,
                         *x3 = x + (ulong)min(3, rows - 1) * x_row;
    int j = (int)get_local_id(0), lanes = (int)get_local_size(0);
    for (; j < columns; j += lanes) {
        float sum[NN_RECURRENT_SAMPLES] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int k = 0; k < depth; k++) {
            float one = w[(ulong)k * (ulong)columns + (ulong)j];
            sum[0] += one * x[k];
            sum[1] += one * x1[k];
            sum[2] += one * x2[k];
            sum[3] += one * x3[k];
        }
#pragma unroll
        for (int s = 0; s < NN_RECURRENT_SAMPLES; s++) {
            __global float *to = y + (ulong)s * y_row + (ulong)j;
            if (s < rows) *to = add ? *to + sum[s] : sum[s];
        }
    }
}

/* to (columns, rows) = transpose of from (rows, columns). */
__kernel void nn_recurrent_turn(__global float *to, ulong to_offset, const __global float *from,
                                ulong from_offset, int rows, int columns) {
    ulong i = get_global_id(0);
    if (i >= (ulong)rows * (ulong)columns) return;
    to[to_offset + i % (ulong)columns * (ulong)rows + i / (ulong)columns] = from[from_offset + i];
}

/* Computes number k of a step. q and x have G H numbers. kept receives the numbers that backward
   reads; it may be NULL. */
float nn_recurrent_cell(int cell, int H, const __global float *q, const __global float *bias,
                        const __global float *x, float h, __global float *c, __global float *kept,
                        int k) {
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f}, last = 0.0f, b;
    int gates = cell == 3 ? 4 : cell == 2 ? 3 : 1;
#pragma unroll
    for (int g = 0; g < 4; g++) {
        if (g >= gates) continue;
        b = q[g * H + k] + (bias ? bias[g * H + k] : 0.0f);
        if (cell == 2 && g == 2)
            last = b;
        else sum[g] = x[g * H + k] + b;
    }
    if (cell == 0) return nn_tanh(sum[0]);
    if (cell == 1) return sum[0] < 0.0f ? 0.0f : sum[0];
    float i = 1.0f / (1.0f + exp(-sum[0])), f = 1.0f / (1.0f + exp(-sum[1]));
    if (cell == 2) {
        float n = nn_tanh(x[2 * H + k] + i * last);
        if (kept) kept[k] = i, kept[H + k] = f, kept[2 * H + k] = n, kept[3 * H + k] = last;
        return (1.0f - f) * n + f * h;
    }
    float g = nn_tanh(sum[2]), o = 1.0f / (1.0f + exp(-sum[3])), next = f * c[k] + i * g;
    c[k] = next;
    if (kept) {
        kept[k] = i, kept[H + k] = f, kept[2 * H + k] = g, kept[3 * H + k] = o;
        kept[4 * H + k] = next;
    }
    return o * nn_tanh(next);
}

/* h_row, c_row: numbers from one sample of h0 or c0 to the next. weight (P, gates) and projection
   (H, P) are transposed. work: for each sample q, h, c, and h
   before the projection. */
__kernel void nn_recurrent_forward(
    __global float *y, ulong y_offset, __global float *state, ulong state_offset,
    __global float *kept, ulong cached_offset, __global float *raw, ulong raw_offset,
    const __global float *x, ulong x_offset, const __global float *weight, ulong weight_offset,
    const __global float *bias, ulong bias_offset, const __global float *projection,
    ulong projection_offset, const __global int *lengths, ulong lengths_offset,
    const __global float *h0, ulong h0_offset, const __global float *c0, ulong c0_offset,
    __global float *work, ulong work_offset, __global uint *status, ulong status_offset, int N,
    int T, int H, int P, int cell, int reverse, int first, int h_row, int c_row, uint step) {
    /* An absent buffer is NULL with offset 0. */
    y += y_offset, state += state_offset, kept += cached_offset, raw += raw_offset, x += x_offset,
        weight += weight_offset, bias += bias_offset, projection += projection_offset,
        h0 += h0_offset, c0 += c0_offset, work += work_offset;
    nn_recurrent r =
        nn_recurrent_make(lengths, lengths_offset, N, T, H, P, cell, reverse, first);
    int wide = max(r.gates, P);
    ulong row = (ulong)(wide + P + 2 * H);
    __global float *q = work + (ulong)r.first * row, *h = q + wide, *c = h + P,
                   *own = projection ? c + H : h;
    int kinds = cell == 3 ? 5 : cell == 2 ? 4 : 0;
    for (int i = r.lane; i < r.rows * P; i += r.lanes)
        h[(ulong)(i / P) * row + (ulong)(i % P)] =
            h0 ? h0[(ulong)(r.first + i / P) * (ulong)h_row + (ulong)(i % P)] : 0.0f;
    for (int i = r.lane; i < r.rows * H; i += r.lanes)
        c[(ulong)(i / H) * row + (ulong)(i % H)] =
            c0 ? c0[(ulong)(r.first + i / H) * (ulong)c_row + (ulong)(i % H)] : 0.0f;
    NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
    for (int e = 0; e < T; e++) {
        int t = reverse ? T - 1 - e : e;
        nn_recurrent_product(r.rows, q, row, h, row, weight, r.gates, P, false);
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
        for (int i = r.lane; i < r.rows * H; i += r.lanes) {
            int s = i / H, k = i % H;
            ulong at = (ulong)(r.first + s) * (ulong)T + (ulong)t;
            __global float *keep = kept ? kept + at * (ulong)kinds * (ulong)H : kept;
            float now = 0.0f;
            if (t < nn_recurrent_length(r.lengths, T, s)) {
                now =
                    nn_recurrent_cell(cell, H, q + (ulong)s * row, bias, x + at * (ulong)r.gates,
                                      own[(ulong)s * row + (ulong)k], c + (ulong)s * row, keep, k);
                own[(ulong)s * row + (ulong)k] = now;
            } else {
                for (int g = 0; keep && g < kinds; g++) keep[g * H + k] = 0.0f;
            }
            if (raw) raw[at * (ulong)H + (ulong)k] = now;
        }
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
        if (projection) {
            nn_recurrent_product(r.rows, q, row, own, row, projection, P, H, false);
            NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
        }
        for (int i = r.lane; i < r.rows * P; i += r.lanes) {
            int s = i / P, k = i % P;
            bool there = t < nn_recurrent_length(r.lengths, T, s);
            if (projection && there) h[(ulong)s * row + (ulong)k] = q[(ulong)s * row + (ulong)k];
            y[((ulong)(r.first + s) * (ulong)T + (ulong)t) * (ulong)P + (ulong)k] =
                there ? h[(ulong)s * row + (ulong)k] : 0.0f;
        }
        if (projection) NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
    }
    int width = P + (cell == 3 ? H : 0); /* c follows h */
    for (int i = r.lane; state && i < r.rows * width; i += r.lanes)
        state[(ulong)r.first * (ulong)width + (ulong)i] =
            h[(ulong)(i / width) * row + (ulong)(i % width)];
    if (r.lane != 0 || !lengths || !status) return;
    int wrong = 0; /* only the group of the first wrong length sets the status word */
    lengths += lengths_offset;
    while (wrong < r.first + r.rows && lengths[wrong] >= 0 && lengths[wrong] <= T) wrong++;
    if (wrong >= r.first && wrong < r.first + r.rows)
        nn_set_status(status, status_offset, step, NN_FAULT_LABEL);
}

/* work: for each sample the gradients of h, of c, and of h before the projection. */
__kernel void nn_recurrent_backward(
    __global float *dhidden, ulong dhidden_offset, __global float *dx, ulong dx_offset,
    __global float *before, ulong before_offset, __global float *dprojected,
    ulong dprojected_offset, __global float *dstate0, ulong dstate0_offset,
    const __global float *dy, ulong dy_offset, const __global float *dstate, ulong dstate_offset,
    const __global float *kept, ulong cached_offset, const __global float *y, ulong y_offset,
    const __global float *weight, ulong weight_offset, const __global float *projection,
    ulong projection_offset, const __global int *lengths, ulong lengths_offset,
    const __global float *h0, ulong h0_offset, const __global float *c0, ulong c0_offset,
    __global float *work, ulong work_offset, int N, int T, int H, int P, int cell, int reverse,
    int first, int h_row, int c_row) {
    /* An absent buffer is NULL with offset 0. */
    dhidden += dhidden_offset, dx += dx_offset, before += before_offset,
        dprojected += dprojected_offset, dstate0 += dstate0_offset, dy += dy_offset,
        dstate += dstate_offset, kept += cached_offset, y += y_offset, weight += weight_offset,
        projection += projection_offset, h0 += h0_offset, c0 += c0_offset, work += work_offset;
    nn_recurrent r =
        nn_recurrent_make(lengths, lengths_offset, N, T, H, P, cell, reverse, first);
    int width = P + (cell == 3 ? H : 0), kinds = cell == 3 ? 5 : cell == 2 ? 4 : 0;
    ulong row = (ulong)(P + 2 * H);
    __global float *dh = work + (ulong)r.first * row, *dc = dh + P,
                   *draw = projection ? dc + H : dh;
    for (int i = r.lane; i < r.rows * width; i += r.lanes)
        dh[(ulong)(i / width) * row + (ulong)(i % width)] =
            dstate ? dstate[(ulong)r.first * (ulong)width + (ulong)i] : 0.0f;
    NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
    for (int e = T - 1; e >= 0; e--) {
        int t = reverse ? T - 1 - e : e, t0 = reverse ? t + 1 : t - 1; /* t0: the step before */
        for (int i = r.lane; i < r.rows * P; i += r.lanes) {
            int s = i / P, k = i % P, n = r.first + s,
                length = nn_recurrent_length(r.lengths, T, s);
            ulong at = ((ulong)n * (ulong)T + (ulong)t) * (ulong)P + (ulong)k;
            bool there = t < length, begins = reverse ? t0 >= length : t0 < 0;
            float h = 0.0f;
            if (there && !begins)
                h = y[((ulong)n * (ulong)T + (ulong)t0) * (ulong)P + (ulong)k];
            else if (there && h0)
                h = h0[(ulong)n * (ulong)h_row + (ulong)k];
            if (before) before[at] = h;
            if (there && dy) dh[(ulong)s * row + (ulong)k] += dy[at];
            if (dprojected) dprojected[at] = there ? dh[(ulong)s * row + (ulong)k] : 0.0f;
        }
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
        if (projection) {
            nn_recurrent_product(r.rows, draw, row, dh, row, projection, H, P, false);
            NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
        }
        for (int i = r.lane; i < r.rows * H; i += r.lanes) {
            int s = i / H, k = i % H, n = r.first + s,
                length = nn_recurrent_length(r.lengths, T, s);
            ulong at = (ulong)n * (ulong)T + (ulong)t;
            __global float *d = dhidden + at * (ulong)r.gates,
                           *dgiven = dx ? dx + at * (ulong)r.gates : dx;
            const __global float *keep = kept ? kept + at * (ulong)kinds * (ulong)H : kept;
            bool begins = reverse ? t0 >= length : t0 < 0;
            if (t >= length) {
                for (int g = k; g < r.gates; g += H) {
                    d[g] = 0.0f;
                    if (dgiven) dgiven[g] = 0.0f;
                }
                continue;
            }
            float slope = draw[(ulong)s * row + (ulong)k];
            if (cell < 2) {
                float now = y[at * (ulong)P + (ulong)k];
                d[k] = cell == 0 ? slope * (1.0f - now * now) : now > 0.0f ? slope : 0.0f;
                continue;
            }
            float i0 = keep[k], i1 = keep[H + k], i2 = keep[2 * H + k], i3 = keep[3 * H + k];
            if (cell == 2) { /* r z n and W_hn h + b_hn */
                float h = 0.0f, dn = slope * (1.0f - i1) * (1.0f - i2 * i2);
                if (!begins)
                    h = y[((ulong)n * (ulong)T + (ulong)t0) * (ulong)P + (ulong)k];
                else if (h0)
                    h = h0[(ulong)n * (ulong)h_row + (ulong)k];
                d[k] = dn * i3 * i0 * (1.0f - i0);
                d[H + k] = slope * (h - i2) * i1 * (1.0f - i1);
                d[2 * H + k] = dn * i0;
                if (dgiven) dgiven[k] = d[k], dgiven[H + k] = d[H + k], dgiven[2 * H + k] = dn;
                dh[(ulong)s * row + (ulong)k] = slope * i1;
                continue;
            }
            float c = 0.0f, now = nn_tanh(keep[4 * H + k]),
                  dcell = dc[(ulong)s * row + (ulong)k] + slope * i3 * (1.0f - now * now);
            if (!begins)
                c = kept[((ulong)n * (ulong)T + (ulong)t0) * (ulong)(5 * H) + (ulong)(4 * H + k)];
            else if (c0)
                c = c0[(ulong)n * (ulong)c_row + (ulong)k];
            d[k] = dcell * i2 * i0 * (1.0f - i0);
            d[H + k] = dcell * c * i1 * (1.0f - i1);
            d[2 * H + k] = dcell * i0 * (1.0f - i2 * i2);
            d[3 * H + k] = slope * now * i3 * (1.0f - i3);
            dc[(ulong)s * row + (ulong)k] = dcell * i1;
        }
        /* h reaches the next step only through the weight; without a projection, number i is this
           lane's */
        for (int i = r.lane; cell != 2 && i < r.rows * P; i += r.lanes)
            if (t < nn_recurrent_length(r.lengths, T, i / P))
                dh[(ulong)(i / P) * row + (ulong)(i % P)] = 0.0f;
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
        nn_recurrent_product(r.rows, dh, row,
                             dhidden + ((ulong)r.first * (ulong)T + (ulong)t) * (ulong)r.gates,
                             (ulong)T * (ulong)r.gates, weight, P, r.gates, true);
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
    }
    for (int i = r.lane; dstate0 && i < r.rows * width; i += r.lanes)
        dstate0[(ulong)r.first * (ulong)width + (ulong)i] =
            dh[(ulong)(i / width) * row + (ulong)(i % width)];
}
#undef NN_RECURRENT_SAMPLES
