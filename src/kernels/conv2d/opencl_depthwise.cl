/* kernels/conv2d/opencl_depthwise.cl - on GPUs: convolutions whose groups have one channel of x
   each. They are limited by memory, so each number is fetched as rarely as possible: a work-item
   computes NN_CONV_RUN outputs of a column, keeps the filter in registers, and fetches each row of
   its window once. Neighbouring work-items have neighbouring columns, so their loads coalesce.

   NN_CONV_TAPS: height and width of the filter. NN_CONV_STRIDE: of both axes. NN_CONV_STEPS is
   defined if the convolution is dilated: taps are step_h and step_w apart, as are the rows of a
   work-item, and strides are 1. filters: filters per channel of x, K / G. */
#if NN_CONV_ONLY != 14
#ifndef NN_CONV_TAPS
#define NN_CONV_TAPS   3
#define NN_CONV_STRIDE 1
#define NN_CONV_RUN    8
#endif
/* Largest number of taps of an axis that belong to one remainder modulo the stride. */
#define NN_CONV_MANY ((NN_CONV_TAPS - 1) / NN_CONV_STRIDE + 1)
#ifdef NN_CONV_STEPS
#define NN_CONV_BETWEEN(step) (step)
#define NN_CONV_ROW(block) ((block) / step_h * (step_h * NN_CONV_RUN) + (block) % step_h)
#else
#define NN_CONV_BETWEEN(step) 1
#define NN_CONV_ROW(block) ((block) * NN_CONV_RUN)
#endif
#endif

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 7

/* Work-items: the first extent counts channels of y, blocks of NN_CONV_RUN rows, and columns; the
   second counts images from `first` on. */
__kernel void nn_conv2d_depthwise(__global float *y, ulong y_offset, const __global float *x,
                                  ulong x_offset, const __global float *weight, ulong weight_offset,
                                  const __global float *bias, ulong bias_offset, int channels,
                                  int filters, int source_h, int source_w, int outputs_h,
                                  int outputs_w, int padding_h, int padding_w, int step_h,
                                  int step_w, int blocks, uint columns_magic, uint columns_shift,
                                  uint blocks_magic, uint blocks_shift, uint filters_magic,
                                  uint filters_shift, int first, int accumulate, int activation) {
    const int item = (int)get_global_id(0), image = first + (int)get_global_id(1);
    const int line = (int)nn_conv_divide((uint)item, columns_magic, columns_shift),
              ow = item - line * outputs_w;
    const int k = (int)nn_conv_divide((uint)line, blocks_magic, blocks_shift),
              oh = NN_CONV_ROW(line - k * blocks);
    const int c = (int)nn_conv_divide((uint)k, filters_magic, filters_shift);
    const int h0 = oh * NN_CONV_STRIDE - padding_h, w0 = ow * NN_CONV_STRIDE - padding_w;
    float w[NN_CONV_TAPS * NN_CONV_TAPS], sum[NN_CONV_RUN], add = 0.0f;
    (void)step_h, (void)step_w; /* unused without dilation */
    if (k >= channels) return;
    weight += weight_offset + (ulong)k * (NN_CONV_TAPS * NN_CONV_TAPS);
#pragma unroll
    for (int i = 0; i < NN_CONV_TAPS * NN_CONV_TAPS; i++) w[i] = weight[i];
#pragma unroll
    for (int q = 0; q < NN_CONV_RUN; q++) sum[q] = 0.0f;
    x += x_offset + ((ulong)image * (ulong)(channels / filters) + (ulong)c) *
                        (ulong)(source_h * source_w);
#pragma unroll
    for (int i = 0; i < (NN_CONV_RUN - 1) * NN_CONV_STRIDE + NN_CONV_TAPS; i++)
        if (h0 + i * NN_CONV_BETWEEN(step_h) >= 0 && h0 + i * NN_CONV_BETWEEN(step_h) < source_h) {
            const __global float *row = x + (h0 + i * NN_CONV_BETWEEN(step_h)) * source_w;
            float in[NN_CONV_TAPS];
#pragma unroll
            for (int t = 0; t < NN_CONV_TAPS; t++) {
                const int v = w0 + t * NN_CONV_BETWEEN(step_w);
                in[t] = v >= 0 && v < source_w ? row[v] : 0.0f;
            }
#pragma unroll
            for (int q = 0; q < NN_CONV_RUN; q++) {
                const int r = i - q * NN_CONV_STRIDE;
                if (r >= 0 && r < NN_CONV_TAPS)
#pragma unroll
                    for (int t = 0; t < NN_CONV_TAPS; t++)
                        sum[q] += w[r * NN_CONV_TAPS + t] * in[t];
            }
        }
    if (bias) add = bias[bias_offset + (ulong)k];
    y += y_offset + ((ulong)image * (ulong)channels + (ulong)k) * (ulong)(outputs_h * outputs_w) +
         (ulong)(oh * outputs_w + ow);
#pragma unroll
    for (int q = 0; q < NN_CONV_RUN; q++)
        if (oh + q * NN_CONV_BETWEEN(step_h) < outputs_h) {
            const float value = nn_activate(activation, sum[q] + add);
            __global float *to = y + q * NN_CONV_BETWEEN(step_h) * outputs_w;
            *to = accumulate ? *to + value : value;
        }
}
#endif

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 8

/* Computes dx in squares of NN_CONV_STRIDE x NN_CONV_STRIDE pixels, counted from the start of the
   padding. All pixels of a square read the same numbers of dy, each through the taps of its own
   remainder. A work-item has NN_CONV_RUN squares of a column. Work-items: channels of x, blocks of
   squares, columns of squares; images from `first` on. first_h, first_w: the square of pixel 0.
   filter: which filter of the channel. Each launch has one filter, because the addresses of a loop
   over filters would stay in registers. */
__kernel void nn_conv2d_depthwise_input(
    __global float *dx, ulong dx_offset, const __global float *dy, ulong dy_offset,
    const __global float *weight, ulong weight_offset, const __global float *bias,
    ulong bias_offset, int channels, int filters, int source_h, int source_w, int outputs_h,
    int outputs_w, int padding_h, int padding_w, int step_h, int step_w, int blocks, int columns,
    uint columns_magic,
    uint columns_shift, uint blocks_magic, uint blocks_shift, int first_h, int first_w, int filter,
    int first, int accumulate, int activation) {
    const int item = (int)get_global_id(0), image = first + (int)get_global_id(1);
    const int line = (int)nn_conv_divide((uint)item, columns_magic, columns_shift),
              v = first_w + item - line * columns;
    const int c = (int)nn_conv_divide((uint)line, blocks_magic, blocks_shift),
              u = first_h + NN_CONV_ROW(line - c * blocks);
    const int k = c * filters + filter;
    float w[NN_CONV_TAPS * NN_CONV_TAPS], sum[NN_CONV_RUN][NN_CONV_STRIDE][NN_CONV_STRIDE];
    float add = 0.0f;
    (void)step_h, (void)step_w;
    if (c >= channels) return;
    weight += weight_offset + (ulong)k * (NN_CONV_TAPS * NN_CONV_TAPS);
    dy += dy_offset + ((ulong)image * (ulong)(channels * filters) + (ulong)k) *
                          (ulong)(outputs_h * outputs_w);
#pragma unroll
    for (int q = 0; q < NN_CONV_RUN; q++)
#pragma unroll
        for (int a = 0; a < NN_CONV_STRIDE; a++)
#pragma unroll
            for (int b = 0; b < NN_CONV_STRIDE; b++) sum[q][a][b] = 0.0f;
#pragma unroll
    for (int i = 0; i < NN_CONV_TAPS * NN_CONV_TAPS; i++) w[i] = weight[i];
#pragma unroll
    for (int i = 1 - NN_CONV_MANY; i < NN_CONV_RUN; i++)
        if (u + i * NN_CONV_BETWEEN(step_h) >= 0 && u + i * NN_CONV_BETWEEN(step_h) < outputs_h) {
            const __global float *row = dy + (u + i * NN_CONV_BETWEEN(step_h)) * outputs_w;
            float in[NN_CONV_MANY];
#pragma unroll
            for (int m = 0; m < NN_CONV_MANY; m++) {
                const int from = v - m * NN_CONV_BETWEEN(step_w);
                in[m] = from >= 0 && from < outputs_w ? row[from] : 0.0f;
            }
#pragma unroll
            for (int q = 0; q < NN_CONV_RUN; q++)
#pragma unroll
                for (int a = 0; a < NN_CONV_STRIDE; a++) {
                    const int r = (q - i) * NN_CONV_STRIDE + a;
                    if (q >= i && r < NN_CONV_TAPS)
#pragma unroll
                        for (int t = 0; t < NN_CONV_TAPS; t++)
                            sum[q][a][t % NN_CONV_STRIDE] +=
                                w[r * NN_CONV_TAPS + t] * in[t / NN_CONV_STRIDE];
                }
        }
    if (bias) add = bias[bias_offset + (ulong)c];
    dx += dx_offset +
          ((ulong)image * (ulong)channels + (ulong)c) * (ulong)(source_h * source_w);
#pragma unroll
    for (int q = 0; q < NN_CONV_RUN; q++)
#pragma unroll
        for (int a = 0; a < NN_CONV_STRIDE; a++)
#pragma unroll
            for (int b = 0; b < NN_CONV_STRIDE; b++) {
                const int h = (u + q * NN_CONV_BETWEEN(step_h)) * NN_CONV_STRIDE + a - padding_h,
                          x = v * NN_CONV_STRIDE + b - padding_w;
                if (h >= 0 && h < source_h && x >= 0 && x < source_w) {
                    __global float *to = dx + (h * source_w + x);
                    float value = sum[q][a][b] + add;
                    if (accumulate) value += *to;
                    *to = nn_activate(activation, value);
                }
            }
}
#endif

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 9
#define NN_CONV_TEAM 64 /* work-items per group; opencl_depthwise.c has the same number */
#define NN_CONV_SUMS (NN_CONV_TAPS * NN_CONV_TAPS + 1)

/* Sums dweight and, as the last number, dbias of one filter and one split into
   partial[split][filter][]. A strip is one column of `tall` rows of dy in one image. Strips are
   counted by column, then down the image, then by image. Groups: filters; splits from `first` on,
   of `chunk` strips each. */
__kernel __attribute__((reqd_work_group_size(NN_CONV_TEAM, 1, 1))) void
nn_conv2d_depthwise_weight(__global float *partial, ulong partial_offset, const __global float *dy,
                           ulong dy_offset, const __global float *x, ulong x_offset, int channels,
                           int filters, int source_h, int source_w, int outputs_h, int outputs_w,
                           int padding_h, int padding_w, int strips, int tall, int blocks,
                           int chunk, uint columns_magic, uint columns_shift, uint blocks_magic,
                           uint blocks_shift, int first) {
    __local float sums[NN_CONV_SUMS][NN_CONV_TEAM + 1];
    const int item = (int)get_local_id(0), k = (int)get_group_id(0), c = k / filters,
              split = first + (int)get_group_id(1), end = min(strips, (split + 1) * chunk);
    float sum[NN_CONV_SUMS];
    dy += dy_offset;
    x += x_offset;
#pragma unroll
    for (int i = 0; i < NN_CONV_SUMS; i++) sum[i] = 0.0f;
    for (int strip = split * chunk + item; strip < end; strip += NN_CONV_TEAM) {
        const int line = (int)nn_conv_divide((uint)strip, columns_magic, columns_shift),
                  ow = strip - line * outputs_w;
        const int image = (int)nn_conv_divide((uint)line, blocks_magic, blocks_shift),
                  oh = (line - image * blocks) * tall, last = min(outputs_h, oh + tall);
        const int w0 = ow * NN_CONV_STRIDE - padding_w;
        const __global float *from = dy +
                                     ((ulong)image * (ulong)channels + (ulong)k) *
                                         (ulong)(outputs_h * outputs_w) +
                                     (ulong)ow;
        const __global float *plane =
            x + ((ulong)image * (ulong)(channels / filters) + (ulong)c) *
                    (ulong)(source_h * source_w);
        float ring[NN_CONV_MANY]; /* dy of the last rows, newest first */
#pragma unroll
        for (int m = 0; m < NN_CONV_MANY; m++) ring[m] = 0.0f;
        for (int u = oh; u < last + NN_CONV_MANY - 1; u++) {
#pragma unroll
            for (int m = NN_CONV_MANY - 1; m > 0; m--) ring[m] = ring[m - 1];
            ring[0] = u < last ? from[u * outputs_w] : 0.0f;
            sum[NN_CONV_SUMS - 1] += ring[0];
#pragma unroll
            for (int a = 0; a < NN_CONV_STRIDE; a++) {
                const int h = u * NN_CONV_STRIDE + a - padding_h;
                if (h >= 0 && h < source_h) {
                    const __global float *row = plane + h * source_w;
                    float in[NN_CONV_TAPS];
#pragma unroll
                    for (int t = 0; t < NN_CONV_TAPS; t++)
                        in[t] = w0 + t >= 0 && w0 + t < source_w ? row[w0 + t] : 0.0f;
#pragma unroll
                    for (int r = a; r < NN_CONV_TAPS; r += NN_CONV_STRIDE)
#pragma unroll
                        for (int t = 0; t < NN_CONV_TAPS; t++)
                            sum[r * NN_CONV_TAPS + t] += ring[r / NN_CONV_STRIDE] * in[t];
                }
            }
        }
    }
#pragma unroll
    for (int i = 0; i < NN_CONV_SUMS; i++) sums[i][item] = sum[i];
    NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
    partial += partial_offset + ((ulong)split * (ulong)channels + (ulong)k) * NN_CONV_SUMS;
    for (int i = item; i < NN_CONV_SUMS; i += NN_CONV_TEAM) {
        float all = 0.0f;
        for (int l = 0; l < NN_CONV_TEAM; l++) all += sums[i][l];
        partial[i] = all;
    }
}
#endif
