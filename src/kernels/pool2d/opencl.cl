/* kernels/pool2d/opencl.cl - max and average pooling. A work-item computes one number. Letters are
   those of kernels/pool2d/args.h; a plane is one of N times C. The backward kernel gathers for each
   number of dx, in the order in which the CPU's kernels scatter, so no two work-items write the
   same number. */

typedef struct nn_pool_window {
    int h0, h1, w0, w1; /* the part inside */
    float count;        /* divisor of an average */
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
    float whole = (float)(h1 - h0) * (float)(w1 - w0); /* an int would overflow at 2^31 */
    v.h0 = max(h0, 0), v.h1 = min(h1, H), v.w0 = max(w0, 0), v.w1 = min(w1, W);
    v.count = count_only_inside ? (float)(v.h1 - v.h0) * (float)(v.w1 - v.w0) : whole;
    if (divisor) v.count = (float)divisor;
    if (h0 < 0) v.h0 = (dilation_h + h0 % dilation_h) % dilation_h;
    if (w0 < 0) v.w0 = (dilation_w + w0 % dilation_w) % dilation_w;
    return v;
}

/* ---- forward ---- */

/* Computes one result. x, y and index are those of its plane. index may be NULL. */
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

/* ---- backward ---- */

/* Computes one number of dx: adds from the windows that cover it, in the order of y. */
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
    if (adaptive) { /* the windows that begin at or before this position and end after it */
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

/* Writes two rows of dx from a row of 2 x 2 windows without zeroing them first; the last vector
   overlaps. Returns the number of windows done. */
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

#undef NN_POOL_SHAPE
#undef NN_POOL_SHAPE_GIVEN
