/* kernels/conv2d/opencl_patches.cl - convolutions on GPUs whose taps are neighbours. A work-item
   has 8 rows of a patch of y, 4 positions high and 2 wide. A pixel in a register then serves all
   taps and rows: with 3 x 3 taps, 24 pixels serve 576 products.

   For some channels, local memory holds the weights and the pixels that the patches read. While the
   work-items multiply one turn of channels, they fetch the numbers of the next. Rows and patches
   beyond the last are read from the last one: their results are not stored. Channels beyond the
   last are zeros, and so are their weights. The macros and the arguments are those of opencl.cl,
   except that positions_magic and columns_magic divide by the numbers of patches.

   NN_CONV_SPLIT: 1: the channels are split into parts of taps_h channels; each part makes its own
   y, one after the other, without bias and activation. 2: the kernel that adds the parts.
   NN_CONV_PATCHES: patches per work-group. NN_CONV_PARTS: its rows divided by eight.
   NN_CONV_PATCH_DEEP: channels per turn. NN_CONV_PATCH_TAPS_H, NN_CONV_PATCH_TAPS_W,
   NN_CONV_PATCH_STRIDE: of the convolution. */
#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 15
#ifndef NN_CONV_PATCHES
#define NN_CONV_PATCHES 32
#define NN_CONV_PARTS   8
#endif
#ifndef NN_CONV_PATCH_DEEP
#define NN_CONV_PATCH_DEEP 4
#endif
#ifndef NN_CONV_PATCH_TAPS_H
#define NN_CONV_PATCH_TAPS_H 3
#define NN_CONV_PATCH_TAPS_W 3
#endif
#ifndef NN_CONV_PATCH_STRIDE
#define NN_CONV_PATCH_STRIDE 1
#endif
#ifndef NN_CONV_SPLIT
#define NN_CONV_SPLIT 0
#endif
#define NN_CONV_PATCH_ITEMS (NN_CONV_PATCHES * NN_CONV_PARTS)
#define NN_CONV_PATCH_TAPS  (NN_CONV_PATCH_TAPS_H * NN_CONV_PATCH_TAPS_W)
/* HIGH and WIDE: rows and columns of the source that a patch reads; in local memory, the columns
   fill whole float4. If an axis has only one tap, the pixels between the strides are left out: STEP
   is the distance between the pixels that are read, and JUMP is the stride counted in these
   pixels. */
#define NN_CONV_PATCH_STEP_H (NN_CONV_PATCH_TAPS_H == 1 ? NN_CONV_PATCH_STRIDE : 1)
#define NN_CONV_PATCH_STEP_W (NN_CONV_PATCH_TAPS_W == 1 ? NN_CONV_PATCH_STRIDE : 1)
#define NN_CONV_PATCH_JUMP_H (NN_CONV_PATCH_STRIDE / NN_CONV_PATCH_STEP_H)
#define NN_CONV_PATCH_JUMP_W (NN_CONV_PATCH_STRIDE / NN_CONV_PATCH_STEP_W)
#define NN_CONV_PATCH_HIGH   (3 * NN_CONV_PATCH_JUMP_H + NN_CONV_PATCH_TAPS_H)
#define NN_CONV_PATCH_WIDE   (NN_CONV_PATCH_JUMP_W + NN_CONV_PATCH_TAPS_W)
#define NN_CONV_PATCH_QUADS ((NN_CONV_PATCH_WIDE + 3) / 4)
/* Fetches rows of the source or, in a pooling block, rows of windows. ODD says that the taps begin
   at an odd position, so the patch reads only half of the first window. */
#if NN_CONV_POOL == 2
#ifndef NN_CONV_PATCH_ODD_H
#define NN_CONV_PATCH_ODD_H 1
#define NN_CONV_PATCH_ODD_W 1
#endif
#define NN_CONV_PATCH_DOWN ((NN_CONV_PATCH_HIGH + NN_CONV_PATCH_ODD_H + 1) / 2)
#define NN_CONV_PATCH_OVER ((NN_CONV_PATCH_WIDE + NN_CONV_PATCH_ODD_W + 1) / 2)
#else
#define NN_CONV_PATCH_DOWN NN_CONV_PATCH_HIGH
#endif
/* Rows per turn, and how many of them a work-item fetches. */
#define NN_CONV_PATCH_LINES (NN_CONV_PATCH_DEEP * NN_CONV_PATCH_DOWN)
#define NN_CONV_PATCH_EACH  ((NN_CONV_PATCH_LINES + NN_CONV_PARTS - 1) / NN_CONV_PARTS)
/* 1: the positions of a pooling block's maxima are tested only after the products, so the products
   need not wait for them. That needs all of them in registers. */
#if NN_CONV_POOL == 2 && !defined(__AMDGCN__)
#define NN_CONV_PATCH_LATE (NN_CONV_PATCH_EACH * NN_CONV_PATCH_OVER <= 12)
#else
#define NN_CONV_PATCH_LATE 0
#endif
/* The weights of a turn lie as (channel, tap, row) in local memory. ALONG: work-items that fetch
   the weights of one row, which lie side by side in the weight or nearly so. LEVELS: rows fetched
   at once. TALL: rows per work-item. ROWS: the stride of a tap, with which 8 by 4 work-items write
   to different banks. */
#define NN_CONV_PATCH_EVERY  (NN_CONV_PATCH_DEEP * NN_CONV_PATCH_TAPS)
#define NN_CONV_PATCH_ALONG  (NN_CONV_PATCH_EVERY <= 4 ? 4 : 8)
#define NN_CONV_PATCH_LEVELS (NN_CONV_PATCH_ITEMS / NN_CONV_PATCH_ALONG)
#define NN_CONV_PATCH_TALL   ((8 * NN_CONV_PARTS + NN_CONV_PATCH_LEVELS - 1) / NN_CONV_PATCH_LEVELS)
#define NN_CONV_PATCH_ROWS   (8 * NN_CONV_PARTS + 4)
/* Warps of 32 threads along the patches. */
#define NN_CONV_PATCH_TEAM   (NN_CONV_PATCHES / 8)
#if NN_CONV_PATCH_TAPS < 3
#define NN_CONV_PATCH_UNROLL _Pragma("unroll 4")
#else
#define NN_CONV_PATCH_UNROLL _Pragma("unroll 1")
#endif

#if NN_CONV_SPLIT != 2
/* Groups: patches of all images, tiles of rows, groups (times parts). first: the first tile of
   patches. */
__kernel __attribute__((reqd_work_group_size(NN_CONV_PATCH_ITEMS, 1, 1))) void
nn_conv2d_patches(NN_CONV_ARGUMENTS) {
    __local float4 around[NN_CONV_PATCH_DEEP * NN_CONV_PATCH_HIGH * NN_CONV_PATCH_QUADS *
                          NN_CONV_PATCHES];
    __local float4 weights[NN_CONV_PATCH_DEEP * NN_CONV_PATCH_TAPS * NN_CONV_PATCH_ROWS / 4];
    const int item = (int)get_local_id(0);
    /* A warp of 32 threads covers up to four parts of the rows. */
#if NN_CONV_PARTS >= 4
    const int tx = (item & 7) + (item >> 5) % NN_CONV_PATCH_TEAM * 8,
              ty = ((item >> 3) & 3) + (item >> 5) / NN_CONV_PATCH_TEAM * 4;
#else
    const int tx = item / NN_CONV_PARTS, ty = item % NN_CONV_PARTS;
#endif
#if NN_CONV_SPLIT
    const int part = (int)get_group_id(2) / groups, group = (int)get_group_id(2) - part * groups,
              begin = part * taps_h, end = min(channels, begin + taps_h);
#else
    const int group = (int)get_group_id(2), begin = 0, end = channels;
#endif
    const int i0 = (int)get_group_id(1) * (8 * NN_CONV_PARTS),
              p0 = (first + (int)get_group_id(0)) * NN_CONV_PATCHES;
    const int across = (outputs_w + 1) / 2, patches = (outputs_h + 3) / 4 * across;
    /* This work-item fetches rows of one patch and weights of some rows, at fixed distances. */
    const int to_patch = item % NN_CONV_PATCHES, line = item / NN_CONV_PATCHES;
    const int along = item % NN_CONV_PATCH_ALONG, to_row = item / NN_CONV_PATCH_ALONG;
    float4 sum[8][2]; /* the two 2 x 2 windows of a patch, one below the other */
#if NN_CONV_POOL == 2
    float next[NN_CONV_PATCH_EACH][NN_CONV_PATCH_OVER];
#else
    float4 next[NN_CONV_PATCH_EACH][NN_CONV_PATCH_QUADS];
#endif
    int h0, v0; /* top left corner of what the fetched patch reads, in pixels or in windows */
#if NN_CONV_POOL == 2
    const int high = source_h / 2, wide = source_w / 2;
#if NN_CONV_PATCH_LATE
    float made[NN_CONV_PATCH_EACH][NN_CONV_PATCH_OVER];
    int there; /* bit set: inside the image */
#endif
    int place[NN_CONV_PATCH_EACH][NN_CONV_PATCH_OVER];
    const __global float *seen;
#else
    const int high = source_h, wide = source_w;
#endif
    NN_CONV_POOL_IGNORES;
    (void)taps_h, (void)taps_w, (void)step_h, (void)step_w, (void)stride_h, (void)stride_w;
    (void)taps_magic, (void)taps_shift, (void)across_magic, (void)across_shift;
    {
        const int p = min(p0 + to_patch, images * patches - 1);
        const int image = (int)nn_conv_divide((uint)p, positions_magic, positions_shift),
                  place = p - image * patches;
        const int down = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        h0 = 4 * NN_CONV_PATCH_STRIDE * down + first_h;
        v0 = 2 * NN_CONV_PATCH_STRIDE * (place - down * across) + first_w;
#if NN_CONV_POOL == 2
        h0 >>= 1;
        v0 >>= 1;
        kept += cached_offset + (ulong)image * (ulong)channels * (ulong)(high * wide);
        where += where_offset + (ulong)image * (ulong)channels * (ulong)(high * wide);
#endif
        source += source_offset +
                  (ulong)(image * groups + group) * (ulong)channels * (ulong)(high * wide);
#if NN_CONV_POOL == 2
        seen = relu ? kept : source;
#endif
    }
    weight += weight_offset + (ulong)group * (ulong)w_group + (ulong)w_start;
#pragma unroll
    for (int i = 0; i < 8; i++) sum[i][0] = sum[i][1] = (float4)(0.0f);
    for (int c0 = begin - NN_CONV_PATCH_DEEP; c0 < end; c0 += NN_CONV_PATCH_DEEP) {
        const int after = c0 + NN_CONV_PATCH_DEEP;
#if NN_CONV_POOL == 2 && NN_CONV_PATCH_LATE
        there = 0;
#endif
#pragma unroll
        for (int q = 0; q < NN_CONV_PATCH_EACH && after < end; q++) {
            const int l = line + q * NN_CONV_PARTS, c = l / NN_CONV_PATCH_DOWN;
            const int h = h0 + (l - c * NN_CONV_PATCH_DOWN) * NN_CONV_PATCH_STEP_H;
            const bool live = l < NN_CONV_PATCH_LINES && after + c < end &&
                              (uint)h < (uint)high;
            const int row = (after + c) * (high * wide) + h * wide + v0;
#if NN_CONV_POOL == 2
            /* All windows are read, a missing one from the first address: a condition would make
               each load wait for the one before. */
#pragma unroll
            for (int t = 0; t < NN_CONV_PATCH_OVER; t++) {
                const bool inside = live && (uint)(v0 + t) < (uint)wide;
                const int one = inside ? row + t : 0;
                next[q][t] = source[one];
                place[q][t] = where[one];
#if NN_CONV_PATCH_LATE
                made[q][t] = seen[one];
                if (inside) there |= 1 << (q * NN_CONV_PATCH_OVER + t);
#else
                {
                    const float made = seen[one];
                    if (!inside || (relu && made <= 0.0f)) next[q][t] = 0.0f;
                }
#endif
            }
#else
            const __global float *from = source + row;
            /* Loads whole vectors: AMD's compiler leaves some single numbers in memory. */
#pragma unroll
            for (int t = 0; t < NN_CONV_PATCH_QUADS; t++) {
                const uint v = (uint)(v0 + 4 * t * NN_CONV_PATCH_STEP_W),
                           stop = live ? (uint)wide : 0;
                const __global float *at = from + 4 * t * NN_CONV_PATCH_STEP_W;
                float4 four = (float4)(0.0f);
                if (v < stop) four.x = at[0];
                if (4 * t + 1 < NN_CONV_PATCH_WIDE && v + NN_CONV_PATCH_STEP_W < stop)
                    four.y = at[NN_CONV_PATCH_STEP_W];
                if (4 * t + 2 < NN_CONV_PATCH_WIDE && v + 2 * NN_CONV_PATCH_STEP_W < stop)
                    four.z = at[2 * NN_CONV_PATCH_STEP_W];
                if (4 * t + 3 < NN_CONV_PATCH_WIDE && v + 3 * NN_CONV_PATCH_STEP_W < stop)
                    four.w = at[3 * NN_CONV_PATCH_STEP_W];
                next[q][t] = four;
            }
#endif
        }
        if (c0 >= begin) { /* not before the first turn is loaded */
NN_CONV_PATCH_UNROLL
            for (int c = 0; c < NN_CONV_PATCH_DEEP; c++) {
                const __local float4 *from =
                    around + c * (NN_CONV_PATCH_HIGH * NN_CONV_PATCH_QUADS * NN_CONV_PATCHES) + tx;
                const __local float4 *w =
                    weights + c * (NN_CONV_PATCH_TAPS * NN_CONV_PATCH_ROWS / 4) + ty;
                float x[NN_CONV_PATCH_HIGH][4 * NN_CONV_PATCH_QUADS];
#pragma unroll
                for (int h = 0; h < NN_CONV_PATCH_HIGH; h++)
#pragma unroll
                    for (int q = 0; q < NN_CONV_PATCH_QUADS; q++) {
                        const float4 four = from[(h * NN_CONV_PATCH_QUADS + q) * NN_CONV_PATCHES];
                        x[h][4 * q] = four.x;
                        x[h][4 * q + 1] = four.y;
                        x[h][4 * q + 2] = four.z;
                        x[h][4 * q + 3] = four.w;
                    }
#pragma unroll
                for (int t = 0; t < NN_CONV_PATCH_TAPS; t++) {
                    const int th = t / NN_CONV_PATCH_TAPS_W, tw = t % NN_CONV_PATCH_TAPS_W;
#pragma unroll
                    for (int i = 0; i < 2; i++) {
                        const float4 av = w[t * (NN_CONV_PATCH_ROWS / 4) + i * NN_CONV_PARTS];
#pragma unroll
                        for (int b = 0; b < 2; b++) {
                            const int h = 2 * b * NN_CONV_PATCH_JUMP_H + th;
                            const float4 bv = (float4)(
                                x[h][tw], x[h][tw + NN_CONV_PATCH_JUMP_W],
                                x[h + NN_CONV_PATCH_JUMP_H][tw],
                                x[h + NN_CONV_PATCH_JUMP_H][tw + NN_CONV_PATCH_JUMP_W]);
                            sum[4 * i + 0][b] += av.x * bv;
                            sum[4 * i + 1][b] += av.y * bv;
                            sum[4 * i + 2][b] += av.z * bv;
                            sum[4 * i + 3][b] += av.w * bv;
                        }
                    }
                }
            }
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads are done */
        }
        if (after < end) {
#pragma unroll
            for (int q = 0; q < NN_CONV_PATCH_EACH; q++) {
                const int l = line + q * NN_CONV_PARTS;
                if (NN_CONV_PATCH_LINES % NN_CONV_PARTS != 0 && l >= NN_CONV_PATCH_LINES) continue;
#if NN_CONV_POOL == 2
                const int c = l / NN_CONV_PATCH_DOWN, down = l - c * NN_CONV_PATCH_DOWN;
#pragma unroll
                for (int t = 0; t < NN_CONV_PATCH_OVER; t++) {
                    place[q][t] &= 3;
#if NN_CONV_PATCH_LATE
                    if ((there >> (q * NN_CONV_PATCH_OVER + t) & 1) == 0 ||
                        (relu && made[q][t] <= 0.0f))
                        next[q][t] = 0.0f;
#endif
                }
#pragma unroll
                for (int r = 0; r < 2; r++) {
                    const int h = 2 * down + r - NN_CONV_PATCH_ODD_H;
                    float all[4 * NN_CONV_PATCH_QUADS];
                    if (h < 0 || h >= NN_CONV_PATCH_HIGH) continue;
#pragma unroll
                    for (int t = 0; t < 4 * NN_CONV_PATCH_QUADS; t++) {
                        const int v = min((t + NN_CONV_PATCH_ODD_W) / 2, NN_CONV_PATCH_OVER - 1);
                        all[t] = place[q][v] == 2 * r + (t + NN_CONV_PATCH_ODD_W) % 2 ? next[q][v]
                                                                                      : 0.0f;
                    }
#pragma unroll
                    for (int t = 0; t < NN_CONV_PATCH_QUADS; t++)
                        around[((c * NN_CONV_PATCH_HIGH + h) * NN_CONV_PATCH_QUADS + t) *
                                   NN_CONV_PATCHES + to_patch] =
                            (float4)(all[4 * t], all[4 * t + 1], all[4 * t + 2], all[4 * t + 3]);
                }
#else
#pragma unroll
                for (int t = 0; t < NN_CONV_PATCH_QUADS; t++)
                    around[(l * NN_CONV_PATCH_QUADS + t) * NN_CONV_PATCHES + to_patch] =
                        next[q][t];
#endif
            }
#pragma unroll
            for (int q = 0; q < NN_CONV_PATCH_TALL; q++) {
                const int i = to_row + q * NN_CONV_PATCH_LEVELS;
                const int at = min(i0 + i, rows - 1) * w_row;
                if (NN_CONV_PATCH_LEVELS > 8 * NN_CONV_PARTS && i >= 8 * NN_CONV_PARTS) continue;
                /* A missing weight is read from another address: a condition would have to be
                   waited for. */
#pragma unroll
                for (int k = 0; k < NN_CONV_PATCH_EVERY; k += NN_CONV_PATCH_ALONG) {
                    const int e = min(along + k, NN_CONV_PATCH_EVERY - 1),
                              c = e / NN_CONV_PATCH_TAPS, t = e - c * NN_CONV_PATCH_TAPS;
                    const float one = weight[at + min(after + c, end - 1) * w_channel +
                                             t / NN_CONV_PATCH_TAPS_W * w_down +
                                             t % NN_CONV_PATCH_TAPS_W * w_across];
                    if (along + k < NN_CONV_PATCH_EVERY)
                        ((__local float *)weights)[e * NN_CONV_PATCH_ROWS + i] =
                            after + c < end ? one : 0.0f;
                }
            }
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
    }
    {
        const int p = p0 + tx;
        const int image = (int)nn_conv_divide((uint)p, positions_magic, positions_shift),
                  place = p - image * patches;
        const int down = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        const int oh = 4 * down, ow = 2 * (place - down * across);
        if (p >= images * patches) return;
#if NN_CONV_POOL == 1
#pragma unroll
        for (int b = 0; b < 2; b++) {
            const ulong at = ((ulong)image * (ulong)rows * (ulong)(outputs_h / 2) +
                              (ulong)(oh / 2 + b)) * (ulong)(outputs_w / 2) + (ulong)(ow / 2);
            if (oh + 2 * b >= outputs_h) continue;
#pragma unroll
            for (int i = 0; i < 8; i++) {
                const int row = i0 + (i >> 2) * (4 * NN_CONV_PARTS) + ty * 4 + (i & 3);
                const ulong to = at + (ulong)row * (ulong)(outputs_h / 2 * (outputs_w / 2));
                int which;
                float best = nn_conv_largest(sum[i][b], &which);
                if (row >= rows) continue;
                if (bias) best += bias[bias_offset + (ulong)row];
                y[y_offset + to] = activation == NN_ACTIVATION_RELU ? nn_relu(best) : best;
                if (where) where[where_offset + to] = (uchar)which;
            }
        }
#else
#if NN_CONV_SPLIT
        y += (ulong)part * (ulong)(images * groups) * (ulong)rows * (ulong)y_plane;
#endif
        __global float *to = y + y_offset +
                             (ulong)(image * groups + group) * (ulong)rows * (ulong)y_plane +
                             (ulong)(y_start + oh * y_down + ow * y_across);
/* GPUs must unroll, because registers cannot be indexed. PoCL takes seconds to unroll. */
#ifndef POCL_DEVICE_ADDRESS_BITS
#pragma unroll
#endif
        for (int q = 0; q < 8; q++) {
            const int h = q >> 1, v = q & 1;
            if (oh + h >= outputs_h || ow + v >= outputs_w) continue;
#pragma unroll
            for (int i = 0; i < 8; i++) {
                const int row = i0 + (i >> 2) * (4 * NN_CONV_PARTS) + ty * 4 + (i & 3);
                __global float *one = to + (ulong)row * (ulong)y_plane + h * y_down + v * y_across;
                float value = NN_CONV_COMPONENT(sum[i][q >> 2], q & 3);
                if (row >= rows) continue;
                if (accumulate) value += *one;
                if (bias) value += bias[bias_offset + (ulong)(group * rows + row)];
                *one = activation == NN_ACTIVATION_RELU ? nn_relu(value) : value;
            }
        }
        if (activation <= NN_ACTIVATION_RELU) return;
        /* Other activations are long: they are compiled once here, not 64 times above. */
#pragma unroll 1
        for (int e = 0; e < 64; e++) {
            const int h = e >> 1 & 3, v = e & 1,
                      row = i0 + (e >> 5) * (4 * NN_CONV_PARTS) + ty * 4 + (e >> 3 & 3);
            __global float *one = to + (ulong)row * (ulong)y_plane + h * y_down + v * y_across;
            if (row < rows && oh + h < outputs_h && ow + v < outputs_w)
                *one = nn_activate(activation, *one);
        }
#endif
    }
}
#else
/* Adds the parts of y, of `count` numbers each. rows: of all groups. */
__kernel void nn_conv2d_patches_finish(__global float *y, ulong y_offset,
                                       const __global float *partial, ulong partial_offset,
                                       const __global float *bias, ulong bias_offset, uint count,
                                       uint plane, uint rows, int parts, int accumulate,
                                       int activation) {
    const uint i = (uint)get_global_id(0);
    float sum = 0.0f;
    if (i >= count) return;
    y += y_offset;
    partial += partial_offset;
    for (int part = 0; part < parts; part++) sum += partial[(ulong)part * count + i];
    if (accumulate) sum += y[i];
    if (bias) sum += bias[bias_offset + i / plane % rows];
    y[i] = nn_activate(activation, sum);
}
#endif
#endif
