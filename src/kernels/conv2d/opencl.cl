/* kernels/conv2d/opencl.cl - convolutions as matrix products whose second matrix is read directly
   from the image.

   Forward and backward_input are the same product: y (rows, positions) = weight (rows, depth) x
   source (depth, positions), where depth counts (channel, tap row, tap column). Through tap (th,
   tw), output (oh, ow) reads the source at row oh stride_h + first_h + th step_h and column ow
   stride_w + first_w + tw step_w, or 0 outside. It is stored at y_start + oh y_down + ow y_across
   of its plane. In the weight, tap (th, tw) of row i and channel c is at i w_row + c w_channel +
   w_start + th w_down + tw w_across. backward_input has one such product for each remainder of dx's
   position modulo the stride, so no product multiplies by zeros between strides. backward_weight
   sums over the output positions, which are cut into splits. The last extent of all three is the
   group. kernels/conv2d/opencl.c computes these numbers.

   This file has the shared macros and the plain kernels. The other files: opencl_gpu.cl,
   opencl_large.cl and opencl_weight.cl use tiles; opencl_patches.cl and opencl_weight_patches.cl
   use patches; opencl_few.cl and opencl_weight_few.cl are for few rows; opencl_depthwise.cl is for
   groups of one channel; opencl_gpu_winograd.cl has Winograd's algorithm.

   NN_CONV_ONLY selects the kernels of a program:
     0 all; 1 plain; 2 fill; 5 tiles; 6 weight tiles; 10 large tiles; 11 large weight tiles;
     7, 8, 9 depthwise forward, backward_input, backward_weight; 12 Winograd;
     13, 14 few rows and their backward_weight; 15, 16 patches and their backward_weight;
     17 the sum of backward_weight's splits in lanes
   NN_CONV_POOL: the convolution is followed by a 2 x 2 max pooling (kernels/conv_pool). 1: forward,
   which keeps the maximum of each window. 2: the gradients, which read dy, y and the positions of
   the maxima instead of the convolution's gradient. */
#ifndef NN_CONV_POOL
#define NN_CONV_POOL 0
#endif
#ifndef NN_CONV_ONLY
#define NN_CONV_ONLY 0
#endif
/* Work-items of a GPU's work-group down and across its tile. Each has NN_CONV_HEIGHT rows and 4
   columns. */
#ifndef NN_CONV_DOWN
#define NN_CONV_DOWN   16
#define NN_CONV_ACROSS 16
#define NN_CONV_HEIGHT 4
#endif

/* Returns x / d for x < 2^31. Source: Granlund, Montgomery, "Division by invariant integers using
   multiplication". */
uint nn_conv_divide(uint x, uint magic, uint shift) { return (mul_hi(x, magic) + x) >> shift; }

#define NN_CONV_COMPONENT(v, i)                                                                    \
    ((i) == 0 ? (v).x : (i) == 1 ? (v).y : (i) == 2 ? (v).z : (v).w)

/* Further arguments with NN_CONV_POOL. Forward: the positions of the maxima. Gradients: these, y,
   and whether y went through relu. */
#if NN_CONV_POOL == 1
#define NN_CONV_POOL_ARGUMENTS , __global uchar *where, ulong where_offset
#define NN_CONV_POOL_IGNORES                                                                       \
    (void)groups, (void)step_h, (void)step_w, (void)stride_h, (void)stride_w, (void)w_group,       \
        (void)w_start, (void)y_start, (void)y_down, (void)y_across, (void)y_plane,                 \
        (void)positions_magic, (void)positions_shift, (void)columns_magic, (void)columns_shift,    \
        (void)taps_magic, (void)taps_shift, (void)across_magic, (void)across_shift,                \
        (void)accumulate
#elif NN_CONV_POOL == 2
#define NN_CONV_POOL_ARGUMENTS                                                                     \
    , const __global uchar *where, ulong where_offset, const __global float *kept,                 \
        ulong cached_offset, int relu
#define NN_CONV_POOL_IGNORES (void)relu
#else
#define NN_CONV_POOL_ARGUMENTS
#define NN_CONV_POOL_IGNORES (void)groups
#endif

#define NN_CONV_ARGUMENTS                                                                          \
    __global float *y, ulong y_offset, const __global float *source, ulong source_offset,          \
        const __global float *weight, ulong weight_offset, const __global float *bias,             \
        ulong bias_offset, int rows, int channels, int images, int groups, int source_h,           \
        int source_w, int outputs_h, int outputs_w, int taps_h, int taps_w, int first_h,           \
        int first_w, int step_h, int step_w, int stride_h, int stride_w, int w_group, int w_row,   \
        int w_channel, int w_start, int w_down, int w_across, int y_start, int y_down,             \
        int y_across, int y_plane, uint positions_magic, uint positions_shift, uint columns_magic, \
        uint columns_shift, uint taps_magic, uint taps_shift, uint across_magic,                   \
        uint across_shift, int first, int accumulate, int activation NN_CONV_POOL_ARGUMENTS

/* y is dy. The partial sums of split s are partial[(s K + k) (C R S + 1) + column]. The last column
   is dbias. */
#define NN_CONV_WEIGHT_ARGUMENTS                                                                   \
    __global float *partial, ulong partial_offset, const __global float *y, ulong y_offset,        \
        const __global float *x, ulong x_offset, int rows, int channels, int images, int groups,   \
        int source_h, int source_w, int outputs_h, int outputs_w, int taps_h, int taps_w,          \
        int first_h, int first_w, int step_h, int step_w, int stride_h, int stride_w, int chunk,   \
        uint positions_magic, uint positions_shift, uint columns_magic, uint columns_shift,        \
        int first NN_CONV_POOL_ARGUMENTS

#if NN_CONV_POOL == 1
/* Returns the largest sum of a window: the first of equal ones, or a NaN. *place is its index. */
float nn_conv_largest(float4 sum, int *place) {
    float best = sum.x;
    *place = 0;
    if (sum.y > best || sum.y != sum.y) best = sum.y, *place = 1;
    if (sum.z > best || sum.z != sum.z) best = sum.z, *place = 2;
    if (sum.w > best || sum.w != sum.w) best = sum.w, *place = 3;
    return best;
}
#elif NN_CONV_POOL == 2
/* Returns the gradient of the convolution's output at (h, w). The windows of its plane begin at
   `plane`; `across` is their number per row. */
float nn_conv_spread(const __global float *dy, const __global float *kept,
                     const __global uchar *where, ulong plane, int across, int h, int w, int relu) {
    const ulong at = plane + (ulong)((h >> 1) * across + (w >> 1));
    if ((where[at] & 3) != (h & 1) * 2 + (w & 1) || (relu && kept[at] <= 0.0f)) return 0.0f;
    return dy[at];
}
#endif

/* ---- plain: tiny products -------------------------------------------------------------------- */
#if NN_CONV_POOL == 0 && (NN_CONV_ONLY == 0 || NN_CONV_ONLY == 2)

/* Sets y[n][c] = activation(bias[c]) everywhere; bias may be NULL. One work-item per plane. */
__kernel void nn_conv2d_fill(__global float *y, ulong y_offset, const __global float *bias,
                             ulong bias_offset, int channels, int plane, int activation,
                             uint planes) {
    const uint index = (uint)get_global_id(0);
    if (index >= planes) return;
    const float value = nn_activate(
        activation, bias ? bias[bias_offset + (ulong)((int)index % channels)] : 0.0f);
    y += y_offset + (ulong)index * (ulong)plane;
    for (int i = 0; i < plane; i++) y[i] = value;
}
#endif

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 1

#if NN_CONV_POOL == 2
#define NN_CONV_READ(h, v)                                                                         \
    nn_conv_spread(source, kept + cached_offset, where + where_offset, plane, source_w / 2, h, v,  \
                   relu)
#define NN_CONV_NEXT       plane += (ulong)(source_h / 2 * (source_w / 2))
#else
#define NN_CONV_READ(h, v) source[(h) * source_w + (v)]
#define NN_CONV_NEXT       source += source_h * source_w
#endif

#if NN_CONV_POOL != 1
/* One work-item per output: positions of all images, from `first` on; rows; groups. */
__kernel void nn_conv2d_plain(NN_CONV_ARGUMENTS) {
    const int positions = outputs_h * outputs_w, j = first + (int)get_global_id(0),
              i = (int)get_global_id(1);
    const int group = (int)get_global_id(2), row = group * rows + i;
    (void)taps_magic;
    (void)taps_shift;
    (void)across_magic;
    (void)across_shift;
    if (j < images * positions && i < rows) {
        const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                  place = j - image * positions;
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift),
                  ow = place - oh * outputs_w;
        const int h0 = oh * stride_h + first_h, w0 = ow * stride_w + first_w;
#if NN_CONV_POOL == 2
        ulong plane = ((ulong)image * (ulong)groups + (ulong)group) * (ulong)channels *
                      (ulong)(source_h / 2 * (source_w / 2));
#endif
        float sum = 0.0f;
        weight += weight_offset + (ulong)group * (ulong)w_group + (ulong)i * (ulong)w_row +
                  (ulong)w_start;
        source += source_offset;
#if NN_CONV_POOL != 2
        source += ((ulong)image * (ulong)groups + (ulong)group) * (ulong)channels *
                  (ulong)(source_h * source_w);
#endif
        for (int c = 0; c < channels; c++) {
            for (int th = 0; th < taps_h; th++) {
                const int h = h0 + th * step_h;
                if (h < 0 || h >= source_h) continue;
                for (int tw = 0; tw < taps_w; tw++) {
                    const int v = w0 + tw * step_w;
                    if (v >= 0 && v < source_w)
                        sum += weight[th * w_down + tw * w_across] * NN_CONV_READ(h, v);
                }
            }
            weight += w_channel;
            NN_CONV_NEXT;
        }
        y += y_offset + ((ulong)image * (ulong)(groups * rows) + (ulong)row) * (ulong)y_plane +
             (ulong)(y_start + oh * y_down + ow * y_across);
        if (accumulate) sum += *y;
        if (bias) sum += bias[bias_offset + (ulong)row];
        *y = nn_activate(activation, sum);
    }
}
#endif
#undef NN_CONV_READ
#undef NN_CONV_NEXT

#if NN_CONV_POOL == 1
/* One work-item per pooling window: windows of all images; rows; groups. */
__kernel void nn_conv2d_plain(NN_CONV_ARGUMENTS) {
    const int windows = outputs_h / 2 * (outputs_w / 2), j = first / 4 + (int)get_global_id(0),
              i = (int)get_global_id(1);
    const int image = j / windows, place = j - image * windows, across = outputs_w / 2;
    const int ph = place / across, pw = place - ph * across;
    float sums[4];
    int which;
    NN_CONV_POOL_IGNORES;
    if (j >= images * windows || i >= rows) return;
    weight += weight_offset + (ulong)i * (ulong)w_row;
    source += source_offset + (ulong)image * (ulong)channels * (ulong)(source_h * source_w);
    for (int e = 0; e < 4; e++) {
        const int h0 = 2 * ph + (e >> 1) + first_h, w0 = 2 * pw + (e & 1) + first_w;
        float sum = 0.0f;
        for (int c = 0; c < channels; c++)
            for (int th = 0; th < taps_h; th++)
                for (int tw = 0; tw < taps_w; tw++) {
                    const int h = h0 + th, v = w0 + tw;
                    if (h >= 0 && h < source_h && v >= 0 && v < source_w)
                        sum += weight[c * w_channel + th * w_down + tw * w_across] *
                               source[(ulong)(c * source_h + h) * (ulong)source_w + (ulong)v];
                }
        sums[e] = sum;
    }
    {
        const ulong at = ((ulong)image * (ulong)rows + (ulong)i) * (ulong)windows + (ulong)place;
        float best = nn_conv_largest((float4)(sums[0], sums[1], sums[2], sums[3]), &which);
        if (bias) best += bias[bias_offset + (ulong)i];
        y[y_offset + at] = nn_activate(activation, best);
        if (where) where[where_offset + at] = (uchar)which;
    }
}
#endif

#if NN_CONV_POOL != 1
/* One work-item per element of dweight or dbias and split: columns; rows; groups times splits.
   first: the first split. If x is absent, only dbias is computed. */
__kernel void nn_conv2d_weight_plain(NN_CONV_WEIGHT_ARGUMENTS) {
    /* A condition on x next to get_global_id makes Intel's CPU runtime (2026.22) lose the work-item
       of dbias. */
    const int columns = channels * taps_h * taps_w, i = (int)get_global_id(1),
              j = x ? (int)(get_group_id(0) * get_local_size(0) + get_local_id(0)) : columns;
    const int part = (int)get_global_id(2) / groups, group = (int)get_global_id(2) - part * groups,
              split = first + part, positions = outputs_h * outputs_w;
    const int end = min(images * positions, (split + 1) * chunk), row = group * rows + i;
    (void)positions_magic;
    (void)positions_shift;
    (void)columns_magic;
    (void)columns_shift;
    if (j <= columns && i < rows) {
        const int c = j / (taps_h * taps_w), tap = j - c * taps_h * taps_w, th = tap / taps_w;
        const int h0 = first_h + th * step_h, w0 = first_w + (tap - th * taps_w) * step_w;
        int image = split * chunk / positions, place = split * chunk - image * positions,
            oh = place / outputs_w;
        int ow = place - oh * outputs_w;
        float sum = 0.0f;
        y += y_offset;
        x += x_offset;
        for (int l = split * chunk; l < end; l++) {
            const int h = oh * stride_h + h0, v = ow * stride_w + w0;
#if NN_CONV_POOL == 2
            const float dy = nn_conv_spread(
                y, kept + cached_offset, where + where_offset,
                ((ulong)image * (ulong)rows + (ulong)row) * (ulong)(positions / 4), outputs_w / 2,
                oh, ow, relu);
#else
            const float dy =
                y[((ulong)image * (ulong)(groups * rows) + (ulong)row) * (ulong)positions +
                  (ulong)place];
#endif
            if (j == columns)
                sum += dy;
            else if (h >= 0 && h < source_h && v >= 0 && v < source_w)
                sum += dy * x[((ulong)(image * groups + group) * (ulong)channels + (ulong)c) *
                                  (ulong)(source_h * source_w) +
                              (ulong)(h * source_w + v)];
            place++;
            if (++ow == outputs_w) {
                ow = 0;
                if (++oh == outputs_h) {
                    oh = place = 0;
                    image++;
                }
            }
        }
        partial[partial_offset +
                ((ulong)split * (ulong)(groups * rows) + (ulong)row) * (ulong)(columns + 1) +
                (ulong)j] = sum;
    }
}
#endif

#if NN_CONV_POOL == 0
/* Adds the splits in order, to dweight (K, width) and dbias (K). count: K (width + 1). */
__kernel void nn_conv2d_finish(__global float *dweight, ulong dweight_offset, __global float *dbias,
                               ulong dbias_offset, const __global float *partial,
                               ulong partial_offset, uint count, uint width, int splits,
                               int accumulate) {
    const uint i = (uint)get_global_id(0), row = i / (width + 1), column = i - row * (width + 1);
    __global float *to = column < width ? dweight : dbias;
    float sum = 0.0f;
    if (i >= count || !to) return;
    to += column < width ? dweight_offset + (ulong)row * width + column : dbias_offset + row;
    for (int split = 0; split < splits; split++)
        sum += partial[partial_offset + (ulong)split * count + i];
    *to = accumulate ? *to + sum : sum;
}
#endif
#endif

#if NN_CONV_POOL == 0 && (NN_CONV_ONLY == 0 || NN_CONV_ONLY == 17)
/* nn_conv2d_finish for GPUs. With many splits and few numbers, one work-item per number would wait
   for one load after the other. Here a work-group has 32 numbers, and eight work-items per number
   add every eighth split each. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
nn_conv2d_finish_lanes(__global float *dweight, ulong dweight_offset, __global float *dbias,
                       ulong dbias_offset, const __global float *partial, ulong partial_offset,
                       uint count, uint width, int splits, int accumulate) {
    __local float sums[256];
    const uint item = (uint)get_local_id(0), i = (uint)get_group_id(0) * 32 + item % 32,
               row = i / (width + 1), column = i - row * (width + 1);
    const __global float *from = partial + partial_offset + min(i, count - 1);
    __global float *to = column < width ? dweight : dbias;
    float sum = 0.0f;
#pragma unroll 4
    for (int split = (int)(item / 32); split < splits; split += 8)
        sum += from[(ulong)split * count];
    sums[item] = sum;
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    if (item >= 32 || i >= count || !to) return;
    to += column < width ? dweight_offset + (ulong)row * width + column : dbias_offset + row;
    for (int lane = 1; lane < 8; lane++) sum += sums[item + (uint)(32 * lane)];
    *to = accumulate ? *to + sum : sum;
}
#endif
