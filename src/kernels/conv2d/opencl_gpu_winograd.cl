/* kernels/conv2d/opencl_gpu_winograd.cl - 3 x 3 convolutions with stride 1 on GPUs by Winograd's
   algorithm F(2 x 2, 3 x 3) (Lavin and Gray 2015, https://arxiv.org/abs/1509.09308). A tile of 2 x
   2 outputs reads 4 x 4 pixels and takes 16 multiplications instead of 36.
     y = A^T ((G w G^T) o (B^T x B)) A
   The sum over the channels is taken before A, which makes 16 matrix products, one for each point
   of the 4 x 4 transform. All factors of the transforms are 1 or 1/2, so the result is hardly less
   accurate than direct sums.

   One launch computes u = G w G^T, a second one the rest. A work-group of 256 has 32 rows by 32
   tiles at all 16 points, with 16 work-items per point and 8 x 8 sums per work-item. A turn takes
   four channels: half of the work-items fetch and transform one channel of one tile each, the other
   half copies u. Local memory holds two turns: while the work-items multiply one, they fetch the
   next. The number of channels per group is a multiple of four. At odd points, the two halves of
   the rows and of the tiles are exchanged: half of a warp reads an odd point, and so reads from
   other banks than the rest. */
#if NN_CONV_POOL == 0 && (NN_CONV_ONLY == 0 || NN_CONV_ONLY == 12)
#define NN_WINOGRAD_TURN 4  /* channels per turn */
#define NN_WINOGRAD_SIDE 32 /* rows, and tiles, per work-group */
#define NN_WINOGRAD_POINT (NN_WINOGRAD_TURN * NN_WINOGRAD_SIDE) /* floats of a point in a turn */
#define NN_WINOGRAD_PART  (4 * NN_WINOGRAD_POINT) /* float4 of all points of u, or of x, in a
                                                     turn */

/* u has (point, channel, row) for each block of 32 rows and each turn of 4 channels of a group;
   rows beyond the last are zeros. Work-items: rows, channels, groups. turned: the taps are in
   reverse order. */
__kernel void nn_conv2d_gpu_winograd_weight(__global float *u, ulong u_offset,
                                        const __global float *weight, ulong weight_offset, int rows,
                                        int channels, int w_group, int w_row, int w_channel,
                                        int w_start, int w_down, int w_across, int turned) {
    const int i = (int)get_global_id(0), c = (int)get_global_id(1), group = (int)get_global_id(2);
    const int blocks = (rows + NN_WINOGRAD_SIDE - 1) / NN_WINOGRAD_SIDE;
    float w[9], side[12]; /* G w */
    if (i >= blocks * NN_WINOGRAD_SIDE) return;
    weight += weight_offset + (ulong)group * (ulong)w_group +
              (ulong)min(i, rows - 1) * (ulong)w_row + (ulong)c * (ulong)w_channel + (ulong)w_start;
#pragma unroll
    for (int t = 0; t < 9; t++) {
        const int th = turned ? 2 - t / 3 : t / 3, tw = turned ? 2 - t % 3 : t % 3;
        w[t] = i < rows ? weight[th * w_down + tw * w_across] : 0.0f;
    }
#pragma unroll
    for (int s = 0; s < 3; s++) {
        side[s] = w[s];
        side[3 + s] = 0.5f * (w[s] + w[6 + s] + w[3 + s]);
        side[6 + s] = 0.5f * (w[s] + w[6 + s] - w[3 + s]);
        side[9 + s] = w[6 + s];
    }
    u += u_offset +
         (((ulong)group * (ulong)blocks + (ulong)(i / NN_WINOGRAD_SIDE)) *
              (ulong)(channels / NN_WINOGRAD_TURN) +
          (ulong)(c / NN_WINOGRAD_TURN)) *
             (16 * NN_WINOGRAD_POINT) +
         (ulong)(c % NN_WINOGRAD_TURN * NN_WINOGRAD_SIDE);
#pragma unroll
    for (int a = 0; a < 4; a++) {
        const float first = side[3 * a], mid = side[3 * a + 1], end = side[3 * a + 2];
        __global float *even = u + 4 * a * NN_WINOGRAD_POINT + i % NN_WINOGRAD_SIDE,
                       *odd = u + 4 * a * NN_WINOGRAD_POINT +
                              (i + NN_WINOGRAD_SIDE / 2) % NN_WINOGRAD_SIDE;
        even[0] = first;
        odd[NN_WINOGRAD_POINT] = 0.5f * (first + end + mid);
        even[2 * NN_WINOGRAD_POINT] = 0.5f * (first + end - mid);
        odd[3 * NN_WINOGRAD_POINT] = end;
    }
}

/* Groups: 32 tiles of all images; blocks of rows; groups. An image has images_tiles tiles, `across`
   in a row. first: the first block of 32 tiles. low_h, low_w: where the first tile reads. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
nn_conv2d_gpu_winograd(__global float *y, ulong y_offset, const __global float *source,
                   ulong source_offset, const __global float4 *u, ulong u_offset,
                   const __global float *bias, ulong bias_offset, int rows, int channels,
                   int images, int groups, int source_h, int source_w, int outputs_h,
                   int outputs_w, int low_h, int low_w, int images_tiles, int across,
                   uint tiles_magic, uint tiles_shift, uint across_magic, uint across_shift,
                   int first, int accumulate, int activation) {
    __local float4 tiles[4 * NN_WINOGRAD_PART]; /* u and x of two turns */
    const int item = (int)get_local_id(0), block = (int)get_group_id(1),
              group = (int)get_group_id(2);
    /* The layout of a warp is that of kernels/matmul/opencl_large.cl. */
    const int point = item >> 4, tx = item >> 1 & 3, ty = (item & 1) + (item >> 2 & 2);
    const int a_at = point * (NN_WINOGRAD_POINT / 4) + ty + 4 * (point & 1),
              b_at = NN_WINOGRAD_PART + point * (NN_WINOGRAD_POINT / 4) + tx + 4 * (point & 1),
              other = 4 - 8 * (point & 1); /* distance of the second half of the rows, or tiles */
    const int channel = item >> 5, pixels = source_h * source_w,
              j0 = (first + (int)get_group_id(0)) * NN_WINOGRAD_SIDE,
              turns = channels / NN_WINOGRAD_TURN, last = images * images_tiles - 1;
    const bool fetches = channel < NN_WINOGRAD_TURN; /* else this work-item copies u */
    float4 sum[8][2], next[4];
    int here = 2 * NN_WINOGRAD_PART, seen = 0; /* seen: bit 4 r + s is set if the pixel is inside;
                                                  the bits above count turns */
    /* Distance between the numbers of two turns, in the source or in u. */
    const int next_at = fetches ? NN_WINOGRAD_TURN * pixels : NN_WINOGRAD_PART;
    int at = item & 127;
    source += source_offset;
    u += u_offset / 4 + ((ulong)group * get_num_groups(1) + (ulong)block) * (ulong)turns *
                            NN_WINOGRAD_PART;
    {
        const int j = min(j0 + (item & 31), last);
        const int image = (int)nn_conv_divide((uint)j, tiles_magic, tiles_shift),
                  place = j - image * images_tiles;
        const int down = (int)nn_conv_divide((uint)place, across_magic, across_shift);
        const int h = 2 * down + low_h, v = 2 * (place - down * across) + low_w;
        if (fetches)
            at = ((image * groups + group) * channels + channel) * pixels + h * source_w + v;
#pragma unroll
        for (int r = 0; r < 16; r++)
            if ((uint)(h + r / 4) < (uint)source_h && (uint)(v + r % 4) < (uint)source_w)
                seen |= 1 << r;
    }
#pragma unroll
    for (int i = 0; i < 8; i++) sum[i][0] = sum[i][1] = (float4)(0.0f);
    for (int turn = -1; turn < turns; turn++) {
        if (turn + 1 < turns) {
            if (fetches) {
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    const __global float *row = source + (at + r * source_w);
                    const int in = seen >> 4 * r;
                    next[r] = (float4)(0.0f);
                    if (in & 1) next[r].x = row[0];
                    if (in & 2) next[r].y = row[1];
                    if (in & 4) next[r].z = row[2];
                    if (in & 8) next[r].w = row[3];
                }
            } else {
#pragma unroll
                for (int q = 0; q < 4; q++) next[q] = u[at + 128 * q];
            }
            at += next_at;
#ifndef __AMDGCN__ /* AMD keeps conditions in scalar registers; other compilers must not fill vector
                      registers with them */
            seen += 1 << 16;
#endif
        }
        if (turn >= 0) {
            const __local float4 *ap = tiles + here + a_at, *bp = tiles + here + b_at;
/* With four channels, NVIDIA's compiler starts loads so early that only one work-group fits the
   registers of a multiprocessor; with two at a time, two fit. */
#ifdef __AMDGCN__
#pragma unroll
#else
#pragma unroll 1
#endif
            for (int s = 0; s < NN_WINOGRAD_TURN; s += 2, ap += 16, bp += 16) {
                NN_TILE_STEP(sum, ap, other, bp, other)
                NN_TILE_STEP(sum, ap + 8, other, bp + 8, other)
            }
        }
        if (turn + 1 < turns) {
            __local float4 *to = tiles + 2 * NN_WINOGRAD_PART - here;
            if (fetches) {
                /* `channel` and `tile` come from the work-item's number, which is below 128 here.
                   Written this way, they cost no register with NVIDIA's compiler. */
                __local float *x = (__local float *)(to + NN_WINOGRAD_PART);
                const float4 rows_of[4] = {next[0] - next[2], next[1] + next[2],
                                           next[2] - next[1], next[1] - next[3]}; /* B^T x */
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    __local float *even = x + 4 * r * NN_WINOGRAD_POINT + (item & 127),
                                  *odd = x + 4 * r * NN_WINOGRAD_POINT +
                                         ((item & 127) ^ NN_WINOGRAD_SIDE / 2);
                    even[0] = rows_of[r].x - rows_of[r].z;
                    odd[NN_WINOGRAD_POINT] = rows_of[r].y + rows_of[r].z;
                    even[2 * NN_WINOGRAD_POINT] = rows_of[r].z - rows_of[r].y;
                    odd[3 * NN_WINOGRAD_POINT] = rows_of[r].y - rows_of[r].w;
                }
            } else {
#pragma unroll
                for (int q = 0; q < 4; q++) to[(item & 127) + 128 * q] = next[q];
            }
        }
        here = 2 * NN_WINOGRAD_PART - here;
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* the next turn is written, this one is read */
    }
    /* This tile is not the one that it fetched, so compilers do not keep the old position
       in a register. */
    const int tile = ~item & 31, j = j0 + tile;
    const int image = (int)nn_conv_divide((uint)min(j, last), tiles_magic, tiles_shift),
              place = min(j, last) - image * images_tiles;
    const int down = (int)nn_conv_divide((uint)place, across_magic, across_shift),
              oh = 2 * down, ow = 2 * (place - down * across);
    y += y_offset +
         (ulong)(image * groups + group) * (ulong)rows * (ulong)(outputs_h * outputs_w) +
         (ulong)(oh * outputs_w + ow);
    /* The points are exchanged through local memory, half of the rows at a time: (point, 16 rows,
       tiles). */
#ifndef POCL_DEVICE_ADDRESS_BITS
#pragma unroll
#endif
    for (int part = 0; part < 2; part++) {
        __local float4 *to = tiles + point * 128 + ty * 32 + tx;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            to[8 * i] = sum[4 * part + i][0];
            to[8 * i + 4] = sum[4 * part + i][1];
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
#pragma unroll 1
        for (int q = 0; q < 2; q++) {
            const int row = block * NN_WINOGRAD_SIDE + part * 16 + q * 8 + channel;
            const __local float *from =
                (const __local float *)tiles + (q * 8 + channel) * NN_WINOGRAD_SIDE + tile;
            float m[16], sums[8], out[4];
#pragma unroll
            for (int p = 0; p < 16; p++) m[p] = from[p * 512];
#pragma unroll
            for (int s = 0; s < 4; s++) { /* A^T m */
                sums[s] = m[s] + m[4 + s] + m[8 + s];
                sums[4 + s] = m[4 + s] - m[8 + s] - m[12 + s];
            }
#pragma unroll
            for (int r = 0; r < 2; r++) {
                out[2 * r] = sums[4 * r] + sums[4 * r + 1] + sums[4 * r + 2];
                out[2 * r + 1] = sums[4 * r + 1] - sums[4 * r + 2] - sums[4 * r + 3];
            }
            if (j > last || row >= rows) continue;
#pragma unroll
            for (int e = 0; e < 4; e++)
                if (oh + e / 2 < outputs_h && ow + e % 2 < outputs_w) {
                    __global float *here = y + (ulong)row * (ulong)(outputs_h * outputs_w) +
                                           (ulong)(e / 2 * outputs_w + e % 2);
                    float value = out[e];
                    if (accumulate) value += *here;
                    if (bias) value += bias[bias_offset + (ulong)(group * rows + row)];
                    *here = activation == NN_ACTIVATION_RELU ? nn_relu(value) : value;
                }
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads are done */
    }
    if (activation <= NN_ACTIVATION_RELU || j > last) return;
    /* Other activations are long: they are compiled once here, not eight times above. */
#pragma unroll 1
    for (int i = 0; i < 16; i++) {
        const int row = block * NN_WINOGRAD_SIDE + (i >> 2) * 8 + channel;
        if (row < rows && oh + (i >> 1 & 1) < outputs_h && ow + (i & 1) < outputs_w) {
            __global float *here = y + (ulong)row * (ulong)(outputs_h * outputs_w) +
                                   (ulong)((i >> 1 & 1) * outputs_w + (i & 1));
            *here = nn_activate(activation, *here);
        }
    }
}
#endif
