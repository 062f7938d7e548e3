/* kernels/pool2d/opencl.cl - max and average pooling. A work-item takes rows or planes (wide: CPUs)
   or one number (GPUs). Letters as in kernels/pool2d/args.h; planes are N times C. The backward
   kernels gather for each number of dx on GPUs, in the order in which the CPU's scatter, so that
   there is nothing to share. */

typedef struct nn_pool_window {
    int h0, h1, w0, w1; /* the part inside */
    float count;        /* what an average divides by */
} nn_pool_window;

#define NN_POOL_SHAPE                                                                              \
    int H, int W, int OH, int OW, int kernel_h, int kernel_w, int stride_h, int stride_w,          \
        int padding_h, int padding_w, int count_only_inside, int divisor, int adaptive,            \
        int dilation_h, int dilation_w
#define NN_POOL_SHAPE_GIVEN                                                                        \
    H, W, OH, OW, kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w,                    \
        count_only_inside, divisor, adaptive, dilation_h, dilation_w

nn_pool_window nn_pool_at(int i, int j, NN_POOL_SHAPE) {
    nn_pool_window v;
    if (adaptive) {
        v.h0 = (int)((long)i * H / OH), v.h1 = (int)(((long)(i + 1) * H + OH - 1) / OH);
        v.w0 = (int)((long)j * W / OW), v.w1 = (int)(((long)(j + 1) * W + OW - 1) / OW);
        v.count = (float)(v.h1 - v.h0) * (float)(v.w1 - v.w0);
        return v;
    }
    int h0 = i * stride_h - padding_h, w0 = j * stride_w - padding_w;
    int h1 = min(h0 + kernel_h, H + padding_h), w1 = min(w0 + kernel_w, W + padding_w);
    float whole = (float)(h1 - h0) * (float)(w1 - w0); /* as int it would wrap at 2^31 */
    v.h0 = max(h0, 0), v.h1 = min(h1, H), v.w0 = max(w0, 0), v.w1 = min(w1, W);
    v.count = count_only_inside ? (float)(v.h1 - v.h0) * (float)(v.w1 - v.w0) : whole;
    if (divisor) v.count = (float)divisor;
    if (h0 < 0) v.h0 = (dilation_h + h0 % dilation_h) % dilation_h;
    if (w0 < 0) v.w0 = (dilation_w + w0 % dilation_w) % dilation_w;
    return v;
}

/* ---- forward ---- */

/* One result; x, y, index: of its plane. index may be NULL. */
void nn_pool_one(__global float *y, const __global float *x, __global int *index, int average,
                 int i, int j, NN_POOL_SHAPE) {
    nn_pool_window v = nn_pool_at(i, j, NN_POOL_SHAPE_GIVEN);
    float best = average ? 0.0f : -INFINITY;
    int where = v.h0 * W + v.w0;
    for (int h = v.h0; h < v.h1; h += dilation_h)
        for (int w = v.w0; w < v.w1; w += dilation_w) {
            float value = x[h * W + w];
            if (average)
                best += value;
            else if (value > best || value != value)
                best = value, where = h * W + w;
        }
    y[i * OW + j] = average ? best / v.count : best;
    if (index) index[i * OW + j] = where;
}

__kernel void nn_pool2d_flat(__global float *y, ulong y_offset, const __global float *x,
                             ulong x_offset, __global int *index, ulong index_offset, int average,
                             NN_POOL_SHAPE, uint plane, uint planes) {
    uint at = (uint)get_global_id(0), size = (uint)(OH * OW);
    plane += at / size, at %= size;
    if (plane >= planes) return;
    nn_pool_one(y + y_offset + (ulong)plane * size, x + x_offset + (ulong)plane * (ulong)(H * W),
                index ? index + index_offset + (ulong)plane * size : 0, average, (int)at / OW,
                (int)at % OW, NN_POOL_SHAPE_GIVEN);
}

/* Sixteen 2x2 windows side by side; top: their upper row. */
void nn_pool_pairs16(__global float *y, const __global float *top, __global int *index, int at,
                     int W) {
    float16 t0 = vload16(0, top), t1 = vload16(0, top + 16), b0 = vload16(0, top + W),
            b1 = vload16(0, top + W + 16);
    float16 best = (float16)(t0.even, t1.even), value = (float16)(t0.odd, t1.odd);
    int16 wins = (value > best) | (value != value), where;
    best = wins ? value : best, where = wins ? (int16)(1) : (int16)(0);
    value = (float16)(b0.even, b1.even), wins = (value > best) | (value != value);
    best = wins ? value : best, where = wins ? (int16)(W) : where;
    value = (float16)(b0.odd, b1.odd), wins = (value > best) | (value != value);
    best = wins ? value : best, where = wins ? (int16)(W + 1) : where;
    vstore16(best, 0, y);
    if (index)
        vstore16(where + at + (int16)(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), 0,
                 index);
}

void nn_pool_pairs8(__global float *y, const __global float *top, __global int *index, int at,
                    int W) {
    float16 t = vload16(0, top), b = vload16(0, top + W);
    float8 best = t.even, value = t.odd;
    int8 wins = (value > best) | (value != value), where;
    best = wins ? value : best, where = wins ? (int8)(1) : (int8)(0);
    value = b.even, wins = (value > best) | (value != value);
    best = wins ? value : best, where = wins ? (int8)(W) : where;
    value = b.odd, wins = (value > best) | (value != value);
    best = wins ? value : best, where = wins ? (int8)(W + 1) : where;
    vstore8(best, 0, y);
    if (index) vstore8(where + at + (int8)(0, 2, 4, 6, 8, 10, 12, 14), 0, index);
}

/* A row of 2x2 windows, at least eight; the last vector overlaps and gives the same numbers
   again. */
void nn_pool_pairs_row(__global float *y, const __global float *top, __global int *index, int at,
                       int W, int OW) {
    for (int group = 0; OW >= 16 && group < OW; group += 16) {
        int j = min(group, OW - 16);
        nn_pool_pairs16(y + j, top + 2 * j, index ? index + j : 0, at + 2 * j, W);
    }
    for (int group = 0; OW < 16 && group < OW; group += 8) {
        int j = min(group, OW - 8);
        nn_pool_pairs8(y + j, top + 2 * j, index ? index + j : 0, at + 2 * j, W);
    }
}

/* Eight windows, none of them cut at a side, stride_w 1 or 2: reads columns w0 to w0 + kernel_w +
   15 at most. */
void nn_pool_whole8(__global float *y, const __global float *x, __global int *index, int average,
                    int i, int j, NN_POOL_SHAPE) {
    nn_pool_window v = nn_pool_at(i, j, NN_POOL_SHAPE_GIVEN);
    float8 best = (float8)(average ? 0.0f : -INFINITY);
    int w0 = j * stride_w - padding_w;
    int8 where = (int8)(v.h0 * W + w0);
    for (int h = v.h0; h < v.h1; h++)
        for (int k = 0; k < kernel_w; k++) {
            const __global float *from = x + h * W + w0 + k;
            float8 value = stride_w == 1 ? vload8(0, from) : vload16(0, from).even;
            if (average) {
                best += value;
                continue;
            }
            int8 wins = (value > best) | (value != value);
            best = wins ? value : best, where = wins ? (int8)(h * W + w0 + k) : where;
        }
    vstore8(average ? best / v.count : best, 0, y + i * OW + j);
    if (index) vstore8(where + (int8)(0, 1, 2, 3, 4, 5, 6, 7) * stride_w, 0, index + i * OW + j);
}

/* A work-item takes `each` rows of y from `first` on. */
__kernel void nn_pool2d_wide(__global float *y, ulong y_offset, const __global float *x,
                             ulong x_offset, __global int *index, ulong index_offset, int average,
                             NN_POOL_SHAPE, ulong first, ulong end, uint each) {
    ulong row = first + get_global_id(0) * each, stop = min(row + each, end);
    int pairs = !average && !adaptive && dilation_h * dilation_w == 1 &&
                kernel_h == 2 && kernel_w == 2 && stride_h == 2 &&
                stride_w == 2 &&
                padding_h == 0 && padding_w == 0 && OH <= H / 2 && OW <= W / 2;
    y += y_offset, x += x_offset;
    if (index) index += index_offset;
    for (; row < stop; row++) {
        ulong plane = row / (ulong)OH;
        int i = (int)(row % (ulong)OH), j = 0;
        __global float *py = y + plane * (ulong)(OH * OW);
        __global int *pi = index ? index + plane * (ulong)(OH * OW) : 0;
        const __global float *px = x + plane * (ulong)(H * W);
        if (pairs && OW >= 8) {
            nn_pool_pairs_row(py + i * OW, px + 2 * i * W, pi ? pi + i * OW : 0, 2 * i * W, W, OW);
            continue;
        }
        while (j < OW) {
            int w0 = j * stride_w - padding_w;
            if (!adaptive && dilation_h * dilation_w == 1 && stride_w <= 2 &&
                w0 >= 0 && j + 8 <= OW &&
                w0 + 7 * stride_w + stride_w + kernel_w - 1 <= W) {
                nn_pool_whole8(py, px, pi, average, i, j, NN_POOL_SHAPE_GIVEN);
                j += 8;
                continue;
            }
            nn_pool_one(py, px, pi, average, i, j, NN_POOL_SHAPE_GIVEN);
            j++;
        }
    }
}

/* ---- backward ---- */

/* One number of dx: the windows that cover it, in the order of y. */
__kernel void nn_pool2d_backward_flat(__global float *dx, ulong dx_offset, const __global float *dy,
                                      ulong dy_offset, const __global int *index,
                                      ulong index_offset, int average, int accumulate,
                                      NN_POOL_SHAPE, uint plane, uint planes) {
    uint at = (uint)get_global_id(0), size = (uint)(H * W);
    plane += at / size, at %= size;
    if (plane >= planes) return;
    int h = (int)at / W, w = (int)at % W;
    int below = h + padding_h - (kernel_h - 1) * dilation_h - 1;
    int left = w + padding_w - (kernel_w - 1) * dilation_w - 1;
    int i0 = below < 0 ? 0 : below / stride_h + 1, i1 = min((h + padding_h) / stride_h, OH - 1);
    int j0 = left < 0 ? 0 : left / stride_w + 1, j1 = min((w + padding_w) / stride_w, OW - 1);
    if (adaptive) { /* the windows that begin at or before the place and end behind it */
        i0 = (int)((long)h * OH / H), i1 = (int)(((long)(h + 1) * OH - 1) / H);
        j0 = (int)((long)w * OW / W), j1 = (int)(((long)(w + 1) * OW - 1) / W);
    }
    dx += dx_offset + (ulong)plane * size + at;
    dy += dy_offset + (ulong)plane * (ulong)(OH * OW);
    if (!average) index += index_offset + (ulong)plane * (ulong)(OH * OW);
    float sum = accumulate ? *dx : 0.0f;
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++) {
            if (average)
                sum += dy[i * OW + j] / nn_pool_at(i, j, NN_POOL_SHAPE_GIVEN).count;
            else if (index[i * OW + j] == (int)at)
                sum += dy[i * OW + j];
        }
    *dx = sum;
}

/* Two rows of dx from a row of 2x2 windows, without zeroing before; the last vector overlaps.
   Returns the windows done. */
int nn_pool_spread_pairs(__global float *dx, const __global float *dy, const __global int *index,
                         int i, int W, int OW) {
    int done = OW >= 8 ? OW : 0;
    for (int group = 0; group < done; group += 8) {
        int j = min(group, OW - 8);
        float8 slope = vload8(0, dy + j), none = (float8)(0.0f);
        int8 where = vload8(0, index + j) - (2 * i * W + 2 * j) - (int8)(0, 2, 4, 6, 8, 10, 12, 14);
        __global float *to = dx + 2 * i * W + 2 * j;
        float16 top, bottom;
        top.even = where == 0 ? slope : none, top.odd = where == 1 ? slope : none;
        bottom.even = where == W ? slope : none, bottom.odd = where == W + 1 ? slope : none;
        vstore16(top, 0, to);
        vstore16(bottom, 0, to + W);
    }
    for (int w = 2 * done; w < W; w++) dx[2 * i * W + w] = dx[(2 * i + 1) * W + w] = 0.0f;
    return done;
}

/* A work-item takes `each` planes from `first` on. */
__kernel void nn_pool2d_backward_wide(__global float *dx, ulong dx_offset, const __global float *dy,
                                      ulong dy_offset, const __global int *index,
                                      ulong index_offset, int average, int accumulate,
                                      NN_POOL_SHAPE, uint first, uint end, uint each) {
    uint plane = first + (uint)get_global_id(0) * each, stop = min(plane + each, end);
    int pairs = !average && !adaptive && !accumulate && dilation_h * dilation_w == 1 &&
                kernel_h == 2 && kernel_w == 2 &&
                stride_h == 2 &&
                stride_w == 2 && padding_h == 0 && padding_w == 0 && OH <= H / 2 && OW <= W / 2;
    for (; plane < stop; plane++) {
        __global float *px = dx + dx_offset + (ulong)plane * (ulong)(H * W);
        const __global float *py = dy + dy_offset + (ulong)plane * (ulong)(OH * OW);
        const __global int *pi =
            average ? 0 : index + index_offset + (ulong)plane * (ulong)(OH * OW);
        if (pairs) {
            for (int at = 2 * OH * W; at < H * W; at++) px[at] = 0.0f;
            for (int i = 0; i < OH; i++)
                for (int j = nn_pool_spread_pairs(px, py + i * OW, pi + i * OW, i, W, OW); j < OW;
                     j++) {
                    int corner = 2 * i * W + 2 * j, at = pi[i * OW + j];
                    if (at == corner || at == corner + 1 || at == corner + W ||
                        at == corner + W + 1)
                        px[at] += py[i * OW + j];
                }
            continue;
        }
        if (!accumulate)
            for (int at = 0; at < H * W; at++) px[at] = 0.0f;
        for (int i = 0; i < OH; i++)
            for (int j = 0; j < OW; j++) {
                if (!average) { /* an index outside of the plane is left out */
                    int at = pi[i * OW + j];
                    if (at >= 0 && at < H * W) px[at] += py[i * OW + j];
                    continue;
                }
                nn_pool_window v = nn_pool_at(i, j, NN_POOL_SHAPE_GIVEN);
                float share = py[i * OW + j] / v.count;
                for (int h = v.h0; h < v.h1; h++)
                    for (int w = v.w0; w < v.w1; w++) px[h * W + w] += share;
            }
    }
}
#undef NN_POOL_SHAPE
#undef NN_POOL_SHAPE_GIVEN
