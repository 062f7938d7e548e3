/* kernels/conv2d/opencl.cl - convolutions as matrix products whose second matrix is read from the
   image itself.

   Forward and backward_input are one product, y (rows, positions) = weight (rows, depth) x source
   (depth, positions), where depth counts (channel, tap row, tap column). Output (oh, ow) reads
   through tap (th, tw) the source at row oh stride_h + first_h + th step_h and column ow stride_w +
   first_w + tw step_w, or 0 outside, and stands at y_start + oh y_down + ow y_across of its plane.
   Tap (th, tw) of the weight of row i and channel c stands at i w_row + c w_channel + w_start + th
   w_down + tw w_across. backward_input has one such product for each remainder of dx's place modulo
   the stride (so that no tap is fetched in vain). backward_weight sums over the outputs, cut into
   splits. All three lie per group (the last extent). kernels/conv2d/opencl.c fills the numbers.

   NN_CONV_ONLY: 0 all kernels, 1 the plain ones, 2 packing, 3 rows, 4 dots, 5 tiles, 6 weight
   tiles. */
#ifndef NN_CONV_ONLY
#define NN_CONV_ONLY 0
#endif
#ifndef NN_CONV_LANES /* floats of a CPU's vector */
#define NN_CONV_LANES 16
#endif
#ifndef NN_CONV_ROWS /* rows of a CPU's tile */
#define NN_CONV_ROWS 8
#endif
/* A GPU's work-group, down and across its tile; a work-item has NN_CONV_HEIGHT rows and 4
   columns. */
#ifndef NN_CONV_DOWN
#define NN_CONV_DOWN   16
#define NN_CONV_ACROSS 16
#define NN_CONV_HEIGHT 4
#endif
#define NN_CONV_PANEL (2 * NN_CONV_LANES)

#if NN_CONV_LANES == 16
typedef float16 nn_conv_vector;
#define NN_CONV_LOAD(p)     vload16(0, p)
#define NN_CONV_STORE(v, p) vstore16(v, 0, p)
#else
typedef float8 nn_conv_vector;
#define NN_CONV_LOAD(p)     vload8(0, p)
#define NN_CONV_STORE(v, p) vstore8(v, 0, p)
#endif

/* x / d for x < 2^31. Source: Granlund, Montgomery, "Division by invariant integers using
   multiplication". */
uint nn_conv_divide(uint x, uint magic, uint shift) { return (mul_hi(x, magic) + x) >> shift; }

#define NN_CONV_ARGUMENTS                                                                          \
    __global float *y, ulong y_offset, const __global float *source, ulong source_offset,          \
        const __global float *weight, ulong weight_offset, const __global float *bias,             \
        ulong bias_offset, int rows, int channels, int images, int groups, int source_h,           \
        int source_w, int outputs_h, int outputs_w, int taps_h, int taps_w, int first_h,           \
        int first_w, int step_h, int step_w, int stride_h, int stride_w, int w_group, int w_row,   \
        int w_channel, int w_start, int w_down, int w_across, int y_start, int y_down,             \
        int y_across, int y_plane, uint positions_magic, uint positions_shift, uint columns_magic, \
        uint columns_shift, uint taps_magic, uint taps_shift, uint across_magic,                   \
        uint across_shift, int first, int accumulate, int activation

/* y: dy. Partial sums of split s stand at partial[(s K + k) (C R S + 1) + column]; the last column
   is dbias. */
#define NN_CONV_WEIGHT_ARGUMENTS                                                                   \
    __global float *partial, ulong partial_offset, const __global float *y, ulong y_offset,        \
        const __global float *x, ulong x_offset, int rows, int channels, int images, int groups,   \
        int source_h, int source_w, int outputs_h, int outputs_w, int taps_h, int taps_w,          \
        int first_h, int first_w, int step_h, int step_w, int stride_h, int stride_w, int chunk,   \
        uint positions_magic, uint positions_shift, uint columns_magic, uint columns_shift,        \
        int first

/* ---- plain: also what depthwise layers want on GPUs ----------------------------------------- */
#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 1

/* One work-item an output: extents positions of all images from `first` on, rows, groups. */
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
        float sum = 0.0f;
        weight += weight_offset + (ulong)group * (ulong)w_group + (ulong)i * (ulong)w_row +
                  (ulong)w_start;
        source += source_offset + ((ulong)image * (ulong)groups + (ulong)group) * (ulong)channels *
                                      (ulong)(source_h * source_w);
        for (int c = 0; c < channels; c++) {
            for (int th = 0; th < taps_h; th++) {
                const int h = h0 + th * step_h;
                if (h < 0 || h >= source_h) continue;
                for (int tw = 0; tw < taps_w; tw++) {
                    const int v = w0 + tw * step_w;
                    if (v >= 0 && v < source_w)
                        sum += weight[th * w_down + tw * w_across] * source[h * source_w + v];
                }
            }
            weight += w_channel;
            source += source_h * source_w;
        }
        y += y_offset + ((ulong)image * (ulong)(groups * rows) + (ulong)row) * (ulong)y_plane +
             (ulong)(y_start + oh * y_down + ow * y_across);
        if (accumulate) sum += *y;
        if (bias) sum += bias[bias_offset + (ulong)row];
        *y = nn_activate(activation, sum);
    }
}

/* One work-item a number of dweight or dbias, of one split: extents columns, rows, groups times
   splits. first: the first split. x may be absent: then only dbias is asked for. */
__kernel void nn_conv2d_weight_plain(NN_CONV_WEIGHT_ARGUMENTS) {
    const int columns = channels * taps_h * taps_w, j = (x ? 0 : columns) + (int)get_global_id(0),
              i = (int)get_global_id(1);
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
            const float dy =
                y[((ulong)image * (ulong)(groups * rows) + (ulong)row) * (ulong)positions +
                  (ulong)place];
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

/* dweight (K, width) and dbias (K) from the splits, in their order. count: K (width + 1). */
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

/* ---- CPUs: one work-item a group ------------------------------------------------------------ */
#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 2

void nn_conv_zero(__global float *to, int count) {
    for (int i = 0; i < count; i++) to[i] = 0.0f;
}

/* Planes of an image with zeros around, rows and columns sorted by their remainder modulo the
   stride: to[plane][phase_h][phase_w] [row][column] holds source row low_h + row stride_h +
   phase_h, and so for columns. What is left of `plane` floats is zeroed, and `slack` floats after
   the last plane. A work-item: one plane. */
__kernel void nn_conv2d_pack(__global float *to, ulong to_offset, const __global float *source,
                             ulong source_offset, int planes, int plane, int slack, int source_h,
                             int source_w, int low_h, int low_w, int stride_h, int stride_w,
                             int phases_h, int phases_w, int height, int width) {
    const int index = (int)get_global_id(0);
    if (index >= planes) return;
    to += to_offset + (ulong)index * (ulong)plane;
    source += source_offset + (ulong)index * (ulong)(source_h * source_w);
    for (int phase = 0; phase < phases_h * phases_w; phase++) {
        const int phase_h = phase / phases_w,
                  w0 = low_w + phase - phase_h * phases_w; /* the source's column of column 0 */
        const int begin = clamp(w0 < 0 ? (stride_w - 1 - w0) / stride_w : 0, 0, width);
        const int end =
            clamp(source_w > w0 ? (source_w - w0 + stride_w - 1) / stride_w : 0, begin, width);
        for (int row = 0; row < height; row++, to += width) {
            const int h = low_h + row * stride_h + phase_h;
            int i = begin;
            if (h < 0 || h >= source_h) {
                nn_conv_zero(to, width);
                continue;
            }
            nn_conv_zero(to, begin);
            if (stride_w == 1)
                for (; i + 16 <= end; i += 16)
                    vstore16(vload16(0, source + h * source_w + w0 + i), 0, to + i);
            for (; i < end; i++) to[i] = source[h * source_w + w0 + i * stride_w];
            nn_conv_zero(to + end, width - end);
        }
    }
    nn_conv_zero(to,
                 plane - phases_h * phases_w * height * width + (index == planes - 1 ? slack : 0));
}

/* y[n][c] = activation(bias[c]) everywhere; bias may be NULL. A work-item: one plane. */
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

/* The weight in blocks of `tall` rows, to[group][block][depth][row], and what each depth adds to a
   position of the packed source. A work-item: one depth of one block; extents depth, blocks,
   groups. */
__kernel void nn_conv2d_pack_weight(__global float *to, ulong to_offset, __global int *offsets,
                                    ulong offsets_offset, const __global float *weight,
                                    ulong weight_offset, int rows, int depth, int tall, int taps_h,
                                    int taps_w, int w_group, int w_row, int w_channel, int w_start,
                                    int w_down, int w_across, int first_h, int first_w, int step_h,
                                    int step_w, int stride_h, int stride_w, int low_h, int low_w,
                                    int phases_w, int plane, int height, int width) {
    const int d = (int)get_global_id(0), block = (int)get_global_id(1),
              group = (int)get_global_id(2);
    const int c = d / (taps_h * taps_w), tap = d - c * taps_h * taps_w, th = tap / taps_w,
              tw = tap - th * taps_w;
    if (d >= depth) return;
    if (block == 0 && group == 0) {
        const int h = first_h + th * step_h - low_h, v = first_w + tw * step_w - low_w;
        const int row = h / stride_h, column = v / stride_w;
        offsets[offsets_offset + (ulong)d] =
            c * plane +
            (((h - row * stride_h) * phases_w + v - column * stride_w) * height + row) * width +
            column;
    }
    if (!weight) return; /* only the offsets */
    to +=
        to_offset + (((ulong)group * get_global_size(1) + (ulong)block) * (ulong)depth + (ulong)d) *
                        (ulong)tall;
    weight += weight_offset + (ulong)group * (ulong)w_group + (ulong)c * (ulong)w_channel +
              (ulong)(w_start + th * w_down + tw * w_across);
    for (int i = 0; i < tall; i++) {
        const int row = block * tall + i;
        to[i] = row < rows ? weight[(ulong)row * (ulong)w_row] : 0.0f;
    }
}
#endif

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 3

/* Some outputs that lie side by side. accumulate and activation never come together. */
void nn_conv_put(__global float *y, const float *line, int count, float bias, int accumulate,
                 int activation) {
    int i = 0;
    if (activation <= NN_ACTIVATION_RELU) {
        const float least = activation == NN_ACTIVATION_RELU ? 0.0f : -INFINITY;
        for (; i + 4 <= count; i += 4) {
            float4 value = vload4(0, line + i) + bias;
            value = value < least ? (float4)(least) : value; /* a NaN stays */
            if (accumulate) value += vload4(0, y + i);
            vstore4(value, 0, y + i);
        }
    }
    for (; i < count; i++) {
        const float value = nn_activate(activation, line[i] + bias);
        y[i] = accumulate ? y[i] + value : value;
    }
}

/* One row of the tile, lanes [from, to): position `at` is lane 0's; of `width` positions those from
   `columns` on are padding. */
void nn_conv_put_row(__global float *y, const float *line, float bias, int at, int from, int to,
                     int width, int columns, int down, int across, int accumulate, int activation) {
    int lane = from, oh = (at + from) / width, ow = at + from - oh * width;
    while (lane < to) {
        const int count = min(columns - ow, to - lane);
        __global float *first = y + (oh * down + ow * across);
        if (across == 1)
            nn_conv_put(first, line + lane, count, bias, accumulate, activation);
        else
            for (int i = 0; i < count; i++)
                nn_conv_put(first + i * across, line + lane + i, 1, bias, accumulate, activation);
        lane += width - ow;
        ow = 0;
        oh++;
    }
}

/* Groups: panels of positions, blocks of rows times groups, images from `first` on. row_panels:
   panels of one row of outputs, or 0: panels run on over rows and padding. in_place: the source is
   no packed one and ends with its last position, so the last panel begins earlier. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
nn_conv2d_rows(__global float *y, ulong y_offset, const __global float *source, ulong source_offset,
               const __global float *weight, ulong weight_offset, const __global int *offsets,
               ulong offsets_offset, const __global float *bias, ulong bias_offset, int rows,
               int depth, int groups, int blocks, int positions, int width, int columns,
               int row_panels, ulong source_image, ulong source_group, int y_start, int y_down,
               int y_across, int y_plane, int in_place, int first, int accumulate, int activation) {
    const int panel = (int)get_group_id(0), group = (int)get_group_id(1) / blocks,
              block = (int)get_group_id(1) - group * blocks;
    const int oh = row_panels ? panel / row_panels : 0,
              j0 = oh * (width - row_panels * NN_CONV_PANEL) + panel * NN_CONV_PANEL;
    const int image = first + (int)get_group_id(2),
              start = in_place ? min(j0, positions - NN_CONV_PANEL) : j0;
    const int end = row_panels ? oh * width + columns : positions;
    const __global float *w =
        weight + weight_offset +
        ((ulong)group * (ulong)blocks + (ulong)block) * (ulong)depth * NN_CONV_ROWS;
    const __global float *from = source + source_offset + (ulong)image * source_image +
                                 (ulong)group * source_group + (ulong)start;
    nn_conv_vector left[NN_CONV_ROWS], right[NN_CONV_ROWS];
    float tile[NN_CONV_ROWS * NN_CONV_PANEL];
    offsets += offsets_offset;
#pragma unroll
    for (int i = 0; i < NN_CONV_ROWS; i++) left[i] = right[i] = (nn_conv_vector)(0.0f);
    for (int d = 0; d < depth; d++, w += NN_CONV_ROWS) {
        const __global float *at = from + offsets[d];
        const nn_conv_vector s0 = NN_CONV_LOAD(at), s1 = NN_CONV_LOAD(at + NN_CONV_LANES);
#pragma unroll
        for (int i = 0; i < NN_CONV_ROWS; i++) {
            left[i] += w[i] * s0;
            right[i] += w[i] * s1;
        }
    }
#pragma unroll
    for (int i = 0; i < NN_CONV_ROWS; i++) {
        NN_CONV_STORE(left[i], tile + i * NN_CONV_PANEL);
        NN_CONV_STORE(right[i], tile + i * NN_CONV_PANEL + NN_CONV_LANES);
    }
    y += y_offset +
         ((ulong)(image * groups + group) * (ulong)rows + (ulong)(block * NN_CONV_ROWS)) *
             (ulong)y_plane +
         (ulong)y_start;
    for (int i = 0; i < min(NN_CONV_ROWS, rows - block * NN_CONV_ROWS); i++, y += y_plane) {
        const float b =
            bias ? bias[bias_offset + (ulong)(group * rows + block * NN_CONV_ROWS + i)] : 0.0f;
        nn_conv_put_row(y, tile + i * NN_CONV_PANEL, b, start, j0 - start,
                        min(end - start, NN_CONV_PANEL), width, columns, y_down, y_across,
                        accumulate, activation);
    }
}
#endif

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 4
#if NN_CONV_LANES == 16
#define NN_CONV_WIDTH 6 /* columns of a tile; 4 rows */
#else
#define NN_CONV_WIDTH 2
#endif

/* In order: Oclgrind 21.10 crashes on the shuffles that a tree becomes. */
float nn_conv_sum(nn_conv_vector v) {
    float line[NN_CONV_LANES], sum = 0.0f;
    NN_CONV_STORE(v, line);
#pragma unroll
    for (int i = 0; i < NN_CONV_LANES; i++) sum += line[i];
    return sum;
}

/* dweight: products of planes of dy (spread over the packed source's rows, zeros in the gaps) and
   of the packed source. plane: floats of a plane of dy, whole vectors. Groups: tiles of columns,
   blocks of rows times groups, splits from `first` on, each of `chunk` images. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
nn_conv2d_dots(__global float *partial, ulong partial_offset, const __global float *y,
               ulong y_offset, const __global float *source, ulong source_offset,
               const __global int *offsets, ulong offsets_offset, int rows, int depth, int images,
               int groups, int blocks, int plane, ulong source_image, ulong source_group, int chunk,
               int first) {
    const int d0 = (int)get_group_id(0) * NN_CONV_WIDTH, group = (int)get_group_id(1) / blocks;
    const int i0 = ((int)get_group_id(1) - group * blocks) * 4;
    const int split = first + (int)get_group_id(2), end = min(images, (split + 1) * chunk);
    nn_conv_vector sum[4][NN_CONV_WIDTH];
    offsets += offsets_offset;
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int d = 0; d < NN_CONV_WIDTH; d++) sum[i][d] = (nn_conv_vector)(0.0f);
    for (int image = split * chunk; image < end; image++) {
        const __global float *from =
            source + source_offset + (ulong)image * source_image + (ulong)group * source_group;
        const __global float *dy =
            y + y_offset + (ulong)(image * groups + group) * (ulong)rows * (ulong)plane;
        const __global float *ap[4], *bp[NN_CONV_WIDTH];
#pragma unroll
        for (int i = 0; i < 4; i++) ap[i] = dy + (ulong)min(i0 + i, rows - 1) * (ulong)plane;
#pragma unroll
        for (int d = 0; d < NN_CONV_WIDTH; d++) bp[d] = from + offsets[min(d0 + d, depth - 1)];
        for (int j = 0; j < plane; j += NN_CONV_LANES) {
            const nn_conv_vector a0 = NN_CONV_LOAD(ap[0] + j), a1 = NN_CONV_LOAD(ap[1] + j),
                                 a2 = NN_CONV_LOAD(ap[2] + j), a3 = NN_CONV_LOAD(ap[3] + j);
#pragma unroll
            for (int d = 0; d < NN_CONV_WIDTH; d++) {
                const nn_conv_vector b = NN_CONV_LOAD(bp[d] + j);
                sum[0][d] += a0 * b;
                sum[1][d] += a1 * b;
                sum[2][d] += a2 * b;
                sum[3][d] += a3 * b;
            }
        }
    }
    partial +=
        partial_offset + ((ulong)(split * groups + group) * (ulong)rows) * (ulong)(depth + 1);
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int d = 0; d < NN_CONV_WIDTH; d++)
            if (i0 + i < rows && d0 + d < depth)
                partial[(ulong)(i0 + i) * (ulong)(depth + 1) + (ulong)(d0 + d)] =
                    nn_conv_sum(sum[i][d]);
}

/* dbias of one row and split, into its column. y: dy as it is. Groups: rows (all groups'),
   splits. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
nn_conv2d_bias(__global float *partial, ulong partial_offset, const __global float *y,
               ulong y_offset, int rows, int images, int plane, int width, int chunk, int first) {
    const int row = (int)get_group_id(0), split = first + (int)get_group_id(1),
              end = min(images, (split + 1) * chunk);
    nn_conv_vector sum0 = (nn_conv_vector)(0.0f), sum1 = sum0;
    float rest = 0.0f;
    for (int image = split * chunk; image < end; image++) {
        const __global float *dy =
            y + y_offset + ((ulong)image * (ulong)rows + (ulong)row) * (ulong)plane;
        int j = 0;
        for (; j + 2 * NN_CONV_LANES <= plane; j += 2 * NN_CONV_LANES) {
            sum0 += NN_CONV_LOAD(dy + j);
            sum1 += NN_CONV_LOAD(dy + j + NN_CONV_LANES);
        }
        for (; j < plane; j++) rest += dy[j];
    }
    partial[partial_offset + ((ulong)split * (ulong)rows + (ulong)row) * (ulong)(width + 1) +
            (ulong)width] = nn_conv_sum(sum0 + sum1) + rest;
}
#endif

/* ---- GPUs: tiles in local memory ------------------------------------------------------------ */
#define NN_CONV_ITEMS (NN_CONV_DOWN * NN_CONV_ACROSS)
#define NN_CONV_TALL  (NN_CONV_DOWN * NN_CONV_HEIGHT)               /* the tile: rows */
#define NN_CONV_WIDE  (NN_CONV_ACROSS * 4)                          /* and columns */
#define NN_CONV_DEEP  16                                            /* steps of depth at a time */
#define NN_CONV_A     (NN_CONV_TALL * NN_CONV_DEEP / NN_CONV_ITEMS) /* what one work-item fetches */
#define NN_CONV_B     (NN_CONV_WIDE * NN_CONV_DEEP / NN_CONV_ITEMS)

/* sum += at^T bt over one tile: this work-item's 4 columns and NN_CONV_HEIGHT rows. */
#define NN_CONV_MULTIPLY()                                                                         \
    _Pragma("unroll 4") for (int s = 0; s < NN_CONV_DEEP; s++) {                                   \
        const float4 bv = bt[s][tx];                                                               \
        _Pragma("unroll") for (int i = 0; i < NN_CONV_HEIGHT / 4; i++) {                           \
            const float4 av = at[s][ty * (NN_CONV_HEIGHT / 4) + i];                                \
            sum[4 * i + 0] += av.x * bv;                                                           \
            sum[4 * i + 1] += av.y * bv;                                                           \
            sum[4 * i + 2] += av.z * bv;                                                           \
            sum[4 * i + 3] += av.w * bv;                                                           \
        }                                                                                          \
    }

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 5

/* Groups: tiles of positions of all images, tiles of rows, groups. first: the first tile of
   positions. */
__kernel __attribute__((reqd_work_group_size(NN_CONV_ITEMS, 1, 1))) void
nn_conv2d_tiles(NN_CONV_ARGUMENTS) {
    __local float4 at[NN_CONV_DEEP][NN_CONV_TALL / 4 + 1], bt[NN_CONV_DEEP][NN_CONV_WIDE / 4 + 1];
    const int item = (int)get_local_id(0), ty = item / NN_CONV_ACROSS,
              tx = item - ty * NN_CONV_ACROSS;
    const int j0 = (first + (int)get_group_id(0)) * NN_CONV_WIDE,
              i0 = (int)get_group_id(1) * NN_CONV_TALL;
    const int group = (int)get_group_id(2), positions = outputs_h * outputs_w,
              depth = channels * taps_h * taps_w;
    const int a_row = item / NN_CONV_DEEP,
              a_step = item - a_row * NN_CONV_DEEP; /* rows ITEMS / DEEP apart, one step */
    const int b_step = item / NN_CONV_WIDE,
              b_column = item - b_step * NN_CONV_WIDE; /* one column, steps ITEMS / WIDE apart */
    float4 sum[NN_CONV_HEIGHT];
    float a_next[NN_CONV_A], b_next[NN_CONV_B];
    int h0, w0;
    const __global float *plane;
    {
        const int j = min(j0 + b_column, images * positions - 1);
        const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                  place = j - image * positions;
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        h0 = oh * stride_h + first_h;
        w0 = (place - oh * outputs_w) * stride_w + first_w;
        plane = source + source_offset +
                (ulong)(image * groups + group) * (ulong)channels * (ulong)(source_h * source_w);
    }
    weight += weight_offset + (ulong)group * (ulong)w_group + (ulong)w_start;
#pragma unroll
    for (int i = 0; i < NN_CONV_HEIGHT; i++) sum[i] = (float4)(0.0f);
    for (int l = -NN_CONV_DEEP; l < depth; l += NN_CONV_DEEP) {
        const int next = l + NN_CONV_DEEP;
        {
            const int d = next + a_step, c = (int)nn_conv_divide((uint)d, taps_magic, taps_shift),
                      tap = d - c * taps_h * taps_w;
            const int th = (int)nn_conv_divide((uint)tap, across_magic, across_shift),
                      tw = tap - th * taps_w;
            const int at_tap = c * w_channel + th * w_down + tw * w_across;
#pragma unroll
            for (int q = 0; q < NN_CONV_A; q++) {
                const int i = i0 + a_row + q * (NN_CONV_ITEMS / NN_CONV_DEEP);
                a_next[q] = i < rows && d < depth ? weight[i * w_row + at_tap] : 0.0f;
            }
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_B; q++) {
            const int d = next + b_step + q * (NN_CONV_ITEMS / NN_CONV_WIDE);
            const int c = (int)nn_conv_divide((uint)d, taps_magic, taps_shift),
                      tap = d - c * taps_h * taps_w;
            const int th = (int)nn_conv_divide((uint)tap, across_magic, across_shift);
            const int h = h0 + th * step_h, v = w0 + (tap - th * taps_w) * step_w;
            b_next[q] = d < depth && h >= 0 && h < source_h && v >= 0 && v < source_w
                            ? plane[(c * source_h + h) * source_w + v]
                            : 0.0f;
        }
        if (next > 0) { /* not before the first tiles are there */
            NN_CONV_MULTIPLY()
            barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_A; q++)
            ((__local float *)at[a_step])[a_row + q * (NN_CONV_ITEMS / NN_CONV_DEEP)] = a_next[q];
#pragma unroll
        for (int q = 0; q < NN_CONV_B; q++)
            ((__local float *)bt[b_step + q * (NN_CONV_ITEMS / NN_CONV_WIDE)])[b_column] =
                b_next[q];
        barrier(CLK_LOCAL_MEM_FENCE); /* all have written */
    }
#pragma unroll
    for (int q = 0; q < 4; q++) {
        const int j = j0 + tx * 4 + q;
        if (j < images * positions) {
            const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                      place = j - image * positions;
            const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift),
                      ow = place - oh * outputs_w;
            __global float *to = y + y_offset +
                                 (ulong)(image * groups + group) * (ulong)rows * (ulong)y_plane +
                                 (ulong)(y_start + oh * y_down + ow * y_across);
#pragma unroll
            for (int i = 0; i < NN_CONV_HEIGHT; i++) {
                const int row = i0 + ty * NN_CONV_HEIGHT + i;
                if (row < rows) {
                    float value = q == 0   ? sum[i].x
                                  : q == 1 ? sum[i].y
                                  : q == 2 ? sum[i].z
                                           : sum[i].w;
                    if (accumulate) value += to[(ulong)row * (ulong)y_plane];
                    if (bias) value += bias[bias_offset + (ulong)(group * rows + row)];
                    to[(ulong)row * (ulong)y_plane] = nn_activate(activation, value);
                }
            }
        }
    }
}
#endif

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 6

/* Groups: tiles of columns (one more than C R S: dbias), tiles of rows, groups times splits. first:
   the first split. */
__kernel __attribute__((reqd_work_group_size(NN_CONV_ITEMS, 1, 1))) void
nn_conv2d_weight_tiles(NN_CONV_WEIGHT_ARGUMENTS) {
    __local float4 at[NN_CONV_DEEP][NN_CONV_TALL / 4 + 1], bt[NN_CONV_DEEP][NN_CONV_WIDE / 4 + 1];
    const int item = (int)get_local_id(0), ty = item / NN_CONV_ACROSS,
              tx = item - ty * NN_CONV_ACROSS;
    const int j0 = (int)get_group_id(0) * NN_CONV_WIDE, i0 = (int)get_group_id(1) * NN_CONV_TALL;
    const int part = (int)get_group_id(2) / groups, group = (int)get_group_id(2) - part * groups,
              split = first + part;
    const int positions = outputs_h * outputs_w, columns = channels * taps_h * taps_w,
              end = min(images * positions, (split + 1) * chunk);
    const int line = item / NN_CONV_DEEP,
              step = item - line * NN_CONV_DEEP; /* rows or columns ITEMS / DEEP apart, one step */
    float4 sum[NN_CONV_HEIGHT];
    float a_next[NN_CONV_A], b_next[NN_CONV_B];
    int b_channel[NN_CONV_B], b_h[NN_CONV_B],
        b_w[NN_CONV_B]; /* of this work-item's columns; channel -1: ones, -2: none */
#pragma unroll
    for (int q = 0; q < NN_CONV_B; q++) {
        const int j = j0 + line + q * (NN_CONV_ITEMS / NN_CONV_DEEP), c = j / (taps_h * taps_w),
                  tap = j - c * taps_h * taps_w;
        const int th = tap / taps_w;
        b_channel[q] = j < columns ? c : j == columns ? -1 : -2;
        b_h[q] = first_h + th * step_h;
        b_w[q] = first_w + (tap - th * taps_w) * step_w;
    }
    y += y_offset;
    x += x_offset;
#pragma unroll
    for (int i = 0; i < NN_CONV_HEIGHT; i++) sum[i] = (float4)(0.0f);
    for (int l = split * chunk - NN_CONV_DEEP; l < end; l += NN_CONV_DEEP) {
        const int d = l + NN_CONV_DEEP + step;
        const int image = (int)nn_conv_divide((uint)d, positions_magic, positions_shift),
                  place = d - image * positions;
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        const int h0 = oh * stride_h, w0 = (place - oh * outputs_w) * stride_w;
        const __global float *dy =
            y + (ulong)(image * groups + group) * (ulong)rows * (ulong)positions + (ulong)place;
        const __global float *from =
            x + (ulong)(image * groups + group) * (ulong)channels * (ulong)(source_h * source_w);
#pragma unroll
        for (int q = 0; q < NN_CONV_A; q++) {
            const int i = i0 + line + q * (NN_CONV_ITEMS / NN_CONV_DEEP);
            a_next[q] = i < rows && d < end ? dy[(ulong)i * (ulong)positions] : 0.0f;
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_B; q++) {
            const int h = h0 + b_h[q], v = w0 + b_w[q];
            b_next[q] = b_channel[q] == -1 ? 1.0f : 0.0f;
            if (b_channel[q] >= 0 && d < end && h >= 0 && h < source_h && v >= 0 && v < source_w)
                b_next[q] = from[(b_channel[q] * source_h + h) * source_w + v];
        }
        if (l >= split * chunk) { /* not before the first tiles are there */
            NN_CONV_MULTIPLY()
            barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_A; q++)
            ((__local float *)at[step])[line + q * (NN_CONV_ITEMS / NN_CONV_DEEP)] = a_next[q];
#pragma unroll
        for (int q = 0; q < NN_CONV_B; q++)
            ((__local float *)bt[step])[line + q * (NN_CONV_ITEMS / NN_CONV_DEEP)] = b_next[q];
        barrier(CLK_LOCAL_MEM_FENCE); /* all have written */
    }
    partial +=
        partial_offset + (ulong)(split * groups + group) * (ulong)rows * (ulong)(columns + 1);
#pragma unroll
    for (int i = 0; i < NN_CONV_HEIGHT; i++) {
        const int row = i0 + ty * NN_CONV_HEIGHT + i;
        const float values[4] = {sum[i].x, sum[i].y, sum[i].z, sum[i].w};
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const int j = j0 + tx * 4 + q;
            if (row < rows && j <= columns)
                partial[(ulong)row * (ulong)(columns + 1) + (ulong)j] = values[q];
        }
    }
}
#endif
