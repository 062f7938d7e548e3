/* kernels/conv2d/opencl_cpu_winograd.cl - convolutions of 3 x 3 taps and strides of one on CPUs by
   Winograd's way, F(4 x 4, 3 x 3), with the points of kernels/conv2d/cpu_winograd.c: 36 products
   for 16 places of y, where direct sums take 144. The lanes of a vector are tiles that lie side by
   side. A work-item transforms a panel of tiles of one image into local memory, all channels, and
   multiplies it with the transformed weight block by block. */
#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 20
#define NN_CONV_ROOT_A 0.70710678118654752f
#define NN_CONV_ROOT_B 1.41421356237309505f

#define NN_CONV_COUNT (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

/* 16 numbers of a row, as many of them as it has: column `w` is the first. */
float16 nn_conv_careful(const __global float *from, int w, int source_w) {
    float numbers[16];
    for (int i = 0; i < 16; i++) numbers[i] = w + i >= 0 && w + i < source_w ? from[i] : 0.0f;
    return vload16(0, numbers);
}

/* Rows of a plane of the source, from `first_row` on and with zeros around, sorted with their
   columns by the remainder modulo 4: to[row & 3][column & 3][row / 4][column / 4], `height` by
   `width` each. Of the tensor, what stands from `least` up to `most` may be read. */
void nn_conv_winograd_strip(__local float *to, const __global float *source, int source_h,
                            int source_w, int first_row, int low_w, int height, int width,
                            int least, int most) {
    const int part = height * width;
    for (int row = 0; row < 4 * height; row++) {
        const int h = first_row + row;
        __local float *line = to + (row & 3) * 4 * part + (row >> 2) * width;
        for (int column = 0; column < width; column += 4, line += 4) {
            const int w = low_w + 4 * column, at = h * source_w + w;
            float16 v = (float16)(0.0f);
            if (h >= 0 && h < source_h && w < source_w) {
                const int16 lane = w + NN_CONV_COUNT;
                if (at >= least && at + 16 <= most) /* what of it lies outside is cleared */
                    v = vload16(0, source + at);
                else
                    v = nn_conv_careful(source + at, w, source_w);
                if (w < 0 || w + 16 > source_w)
                    v = select((float16)(0.0f), v, lane >= 0 && lane < source_w);
            }
            if (column + 4 <= width) {
                vstore4(v.s048c, 0, line);
                vstore4(v.s159d, 0, line + part);
                vstore4(v.s26ae, 0, line + 2 * part);
                vstore4(v.s37bf, 0, line + 3 * part);
            } else {
                float numbers[16];
                vstore16(v, 0, numbers);
                for (int i = 0; i < 4 * (width - column); i++)
                    line[(i & 3) * part + (i >> 2)] = numbers[i];
            }
        }
    }
}

/* G of three numbers; `to` in steps. */
void nn_conv_winograd_spread(float g0, float g1, float g2, float *to, int step) {
    const float even_a = (g0 + 0.5f * g2) * (-2.0f / 3.0f), even_b = (g0 + 2.0f * g2) / 6.0f;
    const float odd_a = g1 * (NN_CONV_ROOT_A * (-2.0f / 3.0f)),
                odd_b = g1 * (NN_CONV_ROOT_B / 6.0f);
    to[0] = g0;
    to[step] = even_a + odd_a;
    to[2 * step] = even_a - odd_a;
    to[3 * step] = even_b + odd_b;
    to[4 * step] = even_b - odd_b;
    to[5 * step] = g2;
}

/* G g G^T of the weight, to[group][block][point][channel][row of the block]. A work-item: one
   channel of a block; extents channels, blocks, groups. */
__kernel void nn_conv2d_winograd_weight(__global float *to, ulong to_offset,
                                        const __global float *weight, ulong weight_offset, int rows,
                                        int channels, int w_group, int w_row, int w_channel,
                                        int w_start, int w_down, int w_across) {
    const int c = (int)get_global_id(0), block = (int)get_global_id(1),
              group = (int)get_global_id(2);
    if (c >= channels) return;
    to += to_offset + (((ulong)group * get_global_size(1) + (ulong)block) * 36UL *
                           (ulong)channels + (ulong)c) * NN_CONV_ROWS;
    weight += weight_offset + (ulong)group * (ulong)w_group + (ulong)c * (ulong)w_channel +
              (ulong)w_start;
    for (int i = 0; i < NN_CONV_ROWS; i++) {
        const int row = block * NN_CONV_ROWS + i;
        float half_way[18], u[36]; /* (6, 3), (6, 6) */
        const __global float *g = weight + (ulong)min(row, rows - 1) * (ulong)w_row;
        for (int k = 0; k < 3; k++)
            nn_conv_winograd_spread(g[k * w_across], g[w_down + k * w_across],
                                    g[2 * w_down + k * w_across], half_way + k, 3);
        for (int r = 0; r < 6; r++)
            nn_conv_winograd_spread(half_way[3 * r], half_way[3 * r + 1], half_way[3 * r + 2],
                                    u + 6 * r, 1);
        for (int p = 0; p < 36; p++)
            to[(ulong)p * (ulong)channels * NN_CONV_ROWS + (ulong)i] = row < rows ? u[p] : 0.0f;
    }
}

/* B^T of six vectors. */
#define NN_CONV_INPUT(x0, x1, x2, x3, x4, x5, to, step)                                            \
    {                                                                                              \
        const nn_conv_vector even_a = (x4) - 2.0f * (x2), odd_a = (x3) - 2.0f * (x1);              \
        const nn_conv_vector even_b = (x4) - 0.5f * (x2), odd_b = (x3) - 0.5f * (x1);              \
        (to)[0] = (x0) + (x4) - 2.5f * (x2);                                                       \
        (to)[step] = even_a + NN_CONV_ROOT_A * odd_a;                                              \
        (to)[2 * (step)] = even_a - NN_CONV_ROOT_A * odd_a;                                        \
        (to)[3 * (step)] = even_b + NN_CONV_ROOT_B * odd_b;                                        \
        (to)[4 * (step)] = even_b - NN_CONV_ROOT_B * odd_b;                                        \
        (to)[5 * (step)] = (x1) + (x5) - 2.5f * (x3);                                              \
    }

/* A^T of six vectors. */
#define NN_CONV_OUTPUT(m0, m1, m2, m3, m4, m5, to, step)                                           \
    {                                                                                              \
        const nn_conv_vector sum_a = (m1) + (m2), sum_b = (m3) + (m4), odd_a = (m1) - (m2),        \
                             odd_b = (m3) - (m4);                                                  \
        (to)[0] = (m0) + sum_a + sum_b;                                                            \
        (to)[step] = NN_CONV_ROOT_A * odd_a + NN_CONV_ROOT_B * odd_b;                              \
        (to)[2 * (step)] = 0.5f * sum_a + 2.0f * sum_b;                                            \
        (to)[3 * (step)] =                                                                         \
            (0.5f * NN_CONV_ROOT_A) * odd_a + (2.0f * NN_CONV_ROOT_B) * odd_b + (m5);              \
    }

/* A row of places of 4 tiles' columns: to[4 lane + column]. */
void nn_conv_interleave(const nn_conv_vector *v, float *to) {
#if NN_CONV_LANES == 16
    vstore16((float16)(v[0].s0, v[1].s0, v[2].s0, v[3].s0, v[0].s1, v[1].s1, v[2].s1, v[3].s1,
                       v[0].s2, v[1].s2, v[2].s2, v[3].s2, v[0].s3, v[1].s3, v[2].s3, v[3].s3), 0,
             to);
    vstore16((float16)(v[0].s4, v[1].s4, v[2].s4, v[3].s4, v[0].s5, v[1].s5, v[2].s5, v[3].s5,
                       v[0].s6, v[1].s6, v[2].s6, v[3].s6, v[0].s7, v[1].s7, v[2].s7, v[3].s7), 1,
             to);
    vstore16((float16)(v[0].s8, v[1].s8, v[2].s8, v[3].s8, v[0].s9, v[1].s9, v[2].s9, v[3].s9,
                       v[0].sa, v[1].sa, v[2].sa, v[3].sa, v[0].sb, v[1].sb, v[2].sb, v[3].sb), 2,
             to);
    vstore16((float16)(v[0].sc, v[1].sc, v[2].sc, v[3].sc, v[0].sd, v[1].sd, v[2].sd, v[3].sd,
                       v[0].se, v[1].se, v[2].se, v[3].se, v[0].sf, v[1].sf, v[2].sf, v[3].sf), 3,
             to);
#else
    vstore16((float16)(v[0].s0, v[1].s0, v[2].s0, v[3].s0, v[0].s1, v[1].s1, v[2].s1, v[3].s1,
                       v[0].s2, v[1].s2, v[2].s2, v[3].s2, v[0].s3, v[1].s3, v[2].s3, v[3].s3), 0,
             to);
    vstore16((float16)(v[0].s4, v[1].s4, v[2].s4, v[3].s4, v[0].s5, v[1].s5, v[2].s5, v[3].s5,
                       v[0].s6, v[1].s6, v[2].s6, v[3].s6, v[0].s7, v[1].s7, v[2].s7, v[3].s7), 1,
             to);
#endif
}

#define NN_CONV_CHANNEL (36 * NN_CONV_VECTORS + 1) /* vectors, transformed; not a power of two */

/* Groups: panels of tiles, groups, images from `first` on. A row of tiles takes `width` positions,
   the last of them no tile; `height` rows of tiles. low: the source's place of the first output's
   first tap. memory: all channels, 36 NN_CONV_ROWS panels of sums, a strip of the source. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
nn_conv2d_winograd_rows(__global float *y, ulong y_offset, const __global float *source,
                        ulong source_offset, const __global float *weight, ulong weight_offset,
                        const __global float *bias, ulong bias_offset, int rows, int channels,
                        int groups, int images, int source_h, int source_w, int low_h, int low_w,
                        int height, int width, int outputs_h, int outputs_w, int first,
                        int accumulate, int activation, __local nn_conv_vector *memory) {
    const int j0 = (int)get_group_id(0) * NN_CONV_PANEL, group = (int)get_group_id(1),
              image = first + (int)get_group_id(2);
    const int tiles = width - 1, blocks = (rows + NN_CONV_ROWS - 1) / NN_CONV_ROWS,
              plane = source_h * source_w, planes = images * groups * channels;
    const int end = min(j0 + NN_CONV_PANEL, height * width - 1);
    const int top = j0 / width, strip = (end - 1) / width - top + 2, part = strip * width;
    __local nn_conv_vector *products = memory + NN_CONV_CHANNEL * channels;
    __local float *lines = (__local float *)(products + 36 * NN_CONV_ROWS * NN_CONV_VECTORS);
    const int first_plane = (image * groups + group) * channels;
    source += source_offset + (ulong)first_plane * (ulong)plane;
    weight += weight_offset + (ulong)group * (ulong)(blocks * 36 * channels) * NN_CONV_ROWS;
    for (int i = 0; i < NN_CONV_PANEL + 2; i++) lines[16 * part + i] = 0.0f;
    for (int c = 0; c < channels; c++, source += plane) {
        nn_conv_winograd_strip(lines, source, source_h, source_w, low_h + 4 * top, low_w, strip,
                               width, first_plane + c > 0 ? -1 : 0,
                               plane + (first_plane + c + 1 < planes ? min(plane, 16) : 0));
        for (int v = 0; v < NN_CONV_VECTORS; v++) {
            nn_conv_vector t[36];
            __local nn_conv_vector *to = memory + c * NN_CONV_CHANNEL + v;
#pragma unroll
            for (int r = 0; r < 6; r++) {
                const __local float *at =
                    lines + (r & 3) * 4 * part + (r >> 2) * width + j0 - top * width +
                    v * NN_CONV_LANES;
                const nn_conv_vector x0 = NN_CONV_LOAD(at), x1 = NN_CONV_LOAD(at + part),
                                     x2 = NN_CONV_LOAD(at + 2 * part),
                                     x3 = NN_CONV_LOAD(at + 3 * part),
                                     x4 = NN_CONV_LOAD(at + 1), x5 = NN_CONV_LOAD(at + part + 1);
                NN_CONV_INPUT(x0, x1, x2, x3, x4, x5, t + 6 * r, 1)
            }
#pragma unroll
            for (int k = 0; k < 6; k++) {
                nn_conv_vector u[6];
                NN_CONV_INPUT(t[k], t[6 + k], t[12 + k], t[18 + k], t[24 + k], t[30 + k], u, 1)
#pragma unroll
                for (int r = 0; r < 6; r++)
                    to[(6 * r + k) * NN_CONV_VECTORS] = u[r];
            }
        }
    }
    for (int block = 0; block < blocks; block++) {
        const int count = min(NN_CONV_ROWS, rows - block * NN_CONV_ROWS);
        for (int p = 0; p < 36; p++) {
            const __local nn_conv_vector *at = memory + p * NN_CONV_VECTORS;
            nn_conv_vector sum[NN_CONV_ROWS][NN_CONV_VECTORS];
#pragma unroll
            for (int i = 0; i < NN_CONV_ROWS; i++)
#pragma unroll
                for (int v = 0; v < NN_CONV_VECTORS; v++) sum[i][v] = (nn_conv_vector)(0.0f);
#pragma unroll 4
            for (int c = 0; c < channels; c++, weight += NN_CONV_ROWS, at += NN_CONV_CHANNEL) {
                nn_conv_vector s[NN_CONV_VECTORS];
#pragma unroll
                for (int v = 0; v < NN_CONV_VECTORS; v++) s[v] = at[v];
#pragma unroll
                for (int i = 0; i < NN_CONV_ROWS; i++)
#pragma unroll
                    for (int v = 0; v < NN_CONV_VECTORS; v++) sum[i][v] += weight[i] * s[v];
            }
#pragma unroll
            for (int i = 0; i < NN_CONV_ROWS; i++)
#pragma unroll
                for (int v = 0; v < NN_CONV_VECTORS; v++)
                    products[(i * 36 + p) * NN_CONV_VECTORS + v] = sum[i][v];
        }
        for (int i = 0; i < count; i++) {
            const int row = group * rows + block * NN_CONV_ROWS + i;
            const float add = bias ? bias[bias_offset + (ulong)row] : 0.0f;
            __global float *image_y =
                y + y_offset + ((ulong)image * (ulong)(groups * rows) + (ulong)row) *
                                   (ulong)(outputs_h * outputs_w);
            float line[4][4 * NN_CONV_PANEL];
            for (int v = 0; v < NN_CONV_VECTORS; v++) {
                const __local nn_conv_vector *m = products + i * 36 * NN_CONV_VECTORS + v;
                nn_conv_vector t[24], o[4];
#pragma unroll
                for (int k = 0; k < 6; k++) {
                    nn_conv_vector u[6];
#pragma unroll
                    for (int r = 0; r < 6; r++) u[r] = m[(6 * r + k) * NN_CONV_VECTORS];
                    NN_CONV_OUTPUT(u[0], u[1], u[2], u[3], u[4], u[5], t + k, 6)
                }
#pragma unroll
                for (int a = 0; a < 4; a++) {
                    const nn_conv_vector *u = t + 6 * a;
                    NN_CONV_OUTPUT(u[0], u[1], u[2], u[3], u[4], u[5], o, 1)
                    nn_conv_interleave(o, line[a] + 4 * v * NN_CONV_LANES);
                }
            }
            for (int j = j0; j < end;) { /* the tiles of a row */
                const int down = j / width, from = j - down * width;
                const int stop = min(end - j, tiles - from);
                for (int a = 0; a < 4 && stop > 0 && 4 * down + a < outputs_h; a++)
                    nn_conv_put(image_y + (4 * down + a) * outputs_w + 4 * from,
                                line[a] + 4 * (j - j0),
                                min(4 * stop, outputs_w - 4 * from), add, accumulate, activation);
                j += width - from;
            }
        }
    }
}
#endif
