/* kernels/conv2d/opencl_cpu.cl - convolutions on CPUs: one work-item a group, which reads a packed
   source and keeps its tile in vectors. The macros and the arguments are those of opencl.cl. */
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
            if (stride_w == 1) {
                for (; i + 16 <= end; i += 16)
                    vstore16(vload16(0, source + h * source_w + w0 + i), 0, to + i);
                for (; i + 4 <= end; i += 4)
                    vstore4(vload4(0, source + h * source_w + w0 + i), 0, to + i);
            }
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

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 3 || NN_CONV_ONLY == 20

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

#endif

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 3
/* One row of the tile, lanes [from, to): lane `from` is column ow of the row of outputs at y; of
   `width` positions those from `columns` on are padding. */
void nn_conv_put_row(__global float *y, const float *line, float bias, int ow, int from, int to,
                     int width, int columns, int down, int across, int accumulate, int activation) {
    int lane = from;
    while (lane < to) {
        const int count = min(columns - ow, to - lane);
        __global float *first = y + ow * across;
        if (across == 1)
            nn_conv_put(first, line + lane, count, bias, accumulate, activation);
        else
            for (int i = 0; i < count; i++)
                nn_conv_put(first + i * across, line + lane + i, 1, bias, accumulate, activation);
        lane += width - ow;
        ow = 0;
        y += down;
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
    const int panel_row = row_panels ? panel / row_panels : 0,
              j0 = panel_row * (width - row_panels * NN_CONV_PANEL) + panel * NN_CONV_PANEL;
    const int image = first + (int)get_group_id(2),
              start = in_place ? min(j0, positions - NN_CONV_PANEL) : j0;
    const int end = row_panels ? panel_row * width + columns : positions;
    const int oh = row_panels ? panel_row : j0 / width, ow = j0 - oh * width;
    const int count = min(NN_CONV_ROWS, rows - block * NN_CONV_ROWS);
    const __global float *w =
        weight + weight_offset +
        ((ulong)group * (ulong)blocks + (ulong)block) * (ulong)depth * NN_CONV_ROWS;
    const __global float *from = source + source_offset + (ulong)image * source_image +
                                 (ulong)group * source_group + (ulong)start;
    nn_conv_vector sum[NN_CONV_ROWS][NN_CONV_VECTORS];
    offsets += offsets_offset;
#pragma unroll
    for (int i = 0; i < NN_CONV_ROWS; i++)
#pragma unroll
        for (int v = 0; v < NN_CONV_VECTORS; v++) sum[i][v] = (nn_conv_vector)(0.0f);
    /* Four steps at once, as in nn_gemm_rows. */
#pragma unroll 4
    for (int d = 0; d < depth; d++, w += NN_CONV_ROWS) {
        const __global float *at = from + offsets[d];
        nn_conv_vector s[NN_CONV_VECTORS];
#pragma unroll
        for (int v = 0; v < NN_CONV_VECTORS; v++) s[v] = NN_CONV_LOAD(at + v * NN_CONV_LANES);
#pragma unroll
        for (int i = 0; i < NN_CONV_ROWS; i++)
#pragma unroll
            for (int v = 0; v < NN_CONV_VECTORS; v++) sum[i][v] += w[i] * s[v];
    }
    y += y_offset +
         ((ulong)(image * groups + group) * (ulong)rows + (ulong)(block * NN_CONV_ROWS)) *
             (ulong)y_plane +
         (ulong)(y_start + oh * y_down);
    if (bias) bias += bias_offset + (ulong)(group * rows + block * NN_CONV_ROWS);
    if (y_across == 1 && start == j0 && end - j0 >= NN_CONV_PANEL &&
        ow + NN_CONV_PANEL <= columns && activation <= NN_ACTIVATION_RELU) {
        /* All lanes are outputs that lie side by side: they need not pass through memory. */
        const float least = activation == NN_ACTIVATION_RELU ? 0.0f : -INFINITY;
        y += ow;
#pragma unroll
        for (int i = 0; i < NN_CONV_ROWS; i++) {
            if (i == count) break;
#pragma unroll
            for (int v = 0; v < NN_CONV_VECTORS; v++, y += NN_CONV_LANES) {
                nn_conv_vector value = sum[i][v] + (bias ? bias[i] : 0.0f);
                value = value < least ? (nn_conv_vector)(least) : value; /* a NaN stays */
                if (accumulate) value += NN_CONV_LOAD(y);
                NN_CONV_STORE(value, y);
            }
            y += y_plane - NN_CONV_PANEL;
        }
    } else {
        float tile[NN_CONV_ROWS * NN_CONV_PANEL];
#pragma unroll
        for (int i = 0; i < NN_CONV_ROWS; i++)
#pragma unroll
            for (int v = 0; v < NN_CONV_VECTORS; v++)
                NN_CONV_STORE(sum[i][v], tile + i * NN_CONV_PANEL + v * NN_CONV_LANES);
        for (int i = 0; i < count; i++, y += y_plane)
            nn_conv_put_row(y, tile + i * NN_CONV_PANEL, bias ? bias[i] : 0.0f, ow, j0 - start,
                            min(end - start, NN_CONV_PANEL), width, columns, y_down, y_across,
                            accumulate, activation);
    }
}
#endif

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 4
#if NN_CONV_LANES == 16
#define NN_CONV_WIDTH 6 /* columns of a tile; 4 rows */
#else
#define NN_CONV_WIDTH 3
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
            nn_conv_vector b[NN_CONV_WIDTH];
#pragma unroll
            for (int d = 0; d < NN_CONV_WIDTH; d++) b[d] = NN_CONV_LOAD(bp[d] + j);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const nn_conv_vector a = NN_CONV_LOAD(ap[i] + j);
#pragma unroll
                for (int d = 0; d < NN_CONV_WIDTH; d++) sum[i][d] += a * b[d];
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
