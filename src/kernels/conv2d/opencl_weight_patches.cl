/* kernels/conv2d/opencl_weight_patches.cl - the gradient of the weight and the bias on GPUs of a
   convolution with at most 3 by 3 taps side by side: a work-item has all taps of one channel for 8
   rows, which are its registers, and goes through patches of dy, 4 places high and 2 wide: of 3 by
   3 taps, 24 numbers of x and 64 of dy serve 576 products.

   The numbers of some patches lie in local memory, those of dy in windows of 2 by 2, and those of x
   around each patch as far as its taps reach. While the work-items multiply one turn of patches,
   they fetch the next. Work-items that share rows and channel take turns at the patches, and add
   their sums at the end in a fixed order. The bias is added up where dy is fetched. Rows and
   channels beyond the last are fetched from the last ones: nobody writes their sums. Patches beyond
   the split's are zeros in both, as zero times infinity is none. The macros and the arguments are
   those of opencl.cl, but that positions are patches and columns those of patches.

   NN_CONV_PARTS: eights of rows of a work-group. NN_CONV_CHANNELS: its channels.
   NN_CONV_LANES_EACH: work-items that share rows and channel. NN_CONV_PATCHES: patches of a turn.
   The others are those of opencl_patches.cl. */
#if NN_CONV_POOL != 1 && (NN_CONV_ONLY == 0 || NN_CONV_ONLY == 16)
#if NN_CONV_ONLY == 0 /* opencl_patches.cl has its own */
#undef NN_CONV_PATCHES
#undef NN_CONV_PARTS
#endif
#ifndef NN_CONV_PARTS
#define NN_CONV_PARTS      8
#define NN_CONV_CHANNELS   8
#define NN_CONV_LANES_EACH 2
#define NN_CONV_PATCHES    8
#endif
#ifndef NN_CONV_PATCH_TAPS_H
#define NN_CONV_PATCH_TAPS_H 3
#define NN_CONV_PATCH_TAPS_W 3
#endif
#ifndef NN_CONV_PATCH_STRIDE
#define NN_CONV_PATCH_STRIDE 1
#endif
/* Work-items. */
#define NN_CONV_P_TEAM  (NN_CONV_PARTS * NN_CONV_CHANNELS * NN_CONV_LANES_EACH)
#define NN_CONV_P_TAPS  (NN_CONV_PATCH_TAPS_H * NN_CONV_PATCH_TAPS_W)
#define NN_CONV_P_ROWS  (8 * NN_CONV_PARTS)
#define NN_CONV_P_HIGH  (3 * NN_CONV_PATCH_STRIDE + NN_CONV_PATCH_TAPS_H)
#define NN_CONV_P_WIDE  (NN_CONV_PATCH_STRIDE + NN_CONV_PATCH_TAPS_W)
#define NN_CONV_P_QUADS ((NN_CONV_P_WIDE + 3) / 4)
/* Work-items that fetch of one patch: of dy as many rows each, of x as many lines. */
#define NN_CONV_P_SHARE (NN_CONV_P_TEAM / NN_CONV_PATCHES)
#define NN_CONV_P_A     ((NN_CONV_P_ROWS + NN_CONV_P_SHARE - 1) / NN_CONV_P_SHARE)
#define NN_CONV_P_LINES (NN_CONV_CHANNELS * NN_CONV_P_HIGH)
#define NN_CONV_P_B     ((NN_CONV_P_LINES + NN_CONV_P_SHARE - 1) / NN_CONV_P_SHARE)
/* float4 of dy's patch and of a channel of x, so that banks differ. */
#define NN_CONV_P_STEP  (2 * NN_CONV_P_ROWS + 1)
#define NN_CONV_P_PLANE (NN_CONV_P_HIGH * NN_CONV_P_QUADS * NN_CONV_PATCHES + 1)

/* Groups: channels, rows, groups times splits. first: the first split, of `chunk` patches. */
__kernel __attribute__((reqd_work_group_size(NN_CONV_P_TEAM, 1, 1))) void
nn_conv2d_weight_patches(NN_CONV_WEIGHT_ARGUMENTS) {
    __local float4 windows[NN_CONV_PATCHES * NN_CONV_P_STEP];
    __local float4 around[NN_CONV_CHANNELS * NN_CONV_P_PLANE];
    const int item = (int)get_local_id(0), ty = item % NN_CONV_PARTS,
              tx = item / NN_CONV_PARTS % NN_CONV_CHANNELS,
              lane = item / (NN_CONV_PARTS * NN_CONV_CHANNELS);
    const int c0 = (int)get_group_id(0) * NN_CONV_CHANNELS,
              i0 = (int)get_group_id(1) * NN_CONV_P_ROWS;
    const int part = (int)get_group_id(2) / groups, group = (int)get_group_id(2) - part * groups,
              split = first + part;
    const int across = (outputs_w + 1) / 2, patches = (outputs_h + 3) / 4 * across;
    const int begin = split * chunk, end = min(images * patches, begin + chunk),
              columns = channels * NN_CONV_P_TAPS;
#if NN_CONV_POOL == 2
    const int high = outputs_h / 2, wide = outputs_w / 2;
    int place[NN_CONV_P_A][2], there; /* there: bits of the rows of windows that are */
    float a_next[NN_CONV_P_A][2], made[NN_CONV_P_A][2];
    const __global float *seen;
#else
    const int high = outputs_h, wide = outputs_w;
    float a_next[NN_CONV_P_A][8];
#endif
    float b_next[NN_CONV_P_B][4 * NN_CONV_P_QUADS];
    float4 sum[NN_CONV_P_TAPS][2]; /* of rows side by side, and of those half a tile further on */
    float bias[NN_CONV_P_A];
    int a_at[NN_CONV_P_A];
    /* What it fetches: of one patch of a turn, from a row of dy and a line of x on. */
    const int patch = item % NN_CONV_PATCHES, from = item / NN_CONV_PATCHES;
    (void)taps_h, (void)taps_w, (void)step_h, (void)step_w, (void)stride_h, (void)stride_w;
#pragma unroll
    for (int t = 0; t < NN_CONV_P_TAPS; t++) sum[t][0] = sum[t][1] = (float4)(0.0f);
#pragma unroll
    for (int q = 0; q < NN_CONV_P_A; q++) {
        bias[q] = 0.0f;
        a_at[q] = min(i0 + from + q * NN_CONV_P_SHARE, rows - 1) * (high * wide);
    }
    y += y_offset;
    x += x_offset;
#if NN_CONV_POOL == 2
    where += where_offset;
    seen = relu ? kept + kept_offset : y;
    there = 0;
#endif
    for (int l = begin - NN_CONV_PATCHES; l < end; l += NN_CONV_PATCHES) {
        {
            const int p = l + NN_CONV_PATCHES + patch;
            const bool live = p < end;
            const int image = (int)nn_conv_divide((uint)p, positions_magic, positions_shift),
                      at = p - image * patches;
            const int down = (int)nn_conv_divide((uint)at, columns_magic, columns_shift),
                      right = at - down * across;
            const int h0 = 4 * NN_CONV_PATCH_STRIDE * down + first_h,
                      v0 = 2 * NN_CONV_PATCH_STRIDE * right + first_w;
            const ulong y_image = (ulong)(image * groups + group) * (ulong)(rows * high * wide);
            const __global float *x_image = x + (ulong)(image * groups + group) *
                                                    (ulong)(channels * source_h * source_w);
#if NN_CONV_POOL == 2
            /* All is read, of the first image if of none: what depended on a number would wait for
               it here, and not behind the products. */
            there = !live ? 0 : 2 * down + 1 < high ? 3 : 1;
#pragma unroll
            for (int b = 0; b < 2; b++) {
                const ulong from_dy =
                    there >> b & 1 ? y_image + (ulong)((2 * down + b) * wide + right) : 0;
#pragma unroll
                for (int q = 0; q < NN_CONV_P_A; q++) {
                    a_next[q][b] = y[from_dy + (ulong)a_at[q]];
                    made[q][b] = seen[from_dy + (ulong)a_at[q]];
                    place[q][b] = where[from_dy + (ulong)a_at[q]];
                }
            }
#else
#pragma unroll
            for (int h = 0; h < 4; h++) {
                const __global float *dy =
                    y + y_image + (ulong)((4 * down + h) * wide + 2 * right);
                const bool there = live && 4 * down + h < high,
                           second = there && 2 * right + 1 < wide;
#pragma unroll
                for (int q = 0; q < NN_CONV_P_A; q++) {
                    a_next[q][2 * h] = there ? dy[a_at[q]] : 0.0f;
                    a_next[q][2 * h + 1] = second ? dy[a_at[q] + 1] : 0.0f;
                }
            }
#endif
#pragma unroll
            for (int q = 0; q < NN_CONV_P_B; q++) {
                const int line = from + q * NN_CONV_P_SHARE, c = line / NN_CONV_P_HIGH,
                          h = h0 + line - c * NN_CONV_P_HIGH;
                const bool there = live && (uint)h < (uint)source_h;
                const __global float *row =
                    x_image +
                    ((min(c0 + c, channels - 1) * source_h + h) * source_w + v0);
#pragma unroll
                for (int t = 0; t < 4 * NN_CONV_P_QUADS; t++) {
                    b_next[q][t] = 0.0f;
                    if (t < NN_CONV_P_WIDE && there && (uint)(v0 + t) < (uint)source_w)
                        b_next[q][t] = row[t];
                }
            }
        }
        if (l >= begin) { /* not before the first turn is there */
#pragma unroll 1
            for (int n = lane; n < NN_CONV_PATCHES; n += NN_CONV_LANES_EACH) {
                const __local float4 *xs = around + tx * NN_CONV_P_PLANE + n;
                const __local float4 *dys = windows + n * NN_CONV_P_STEP + ty;
                float in[NN_CONV_P_HIGH][4 * NN_CONV_P_QUADS];
#pragma unroll
                for (int h = 0; h < NN_CONV_P_HIGH; h++)
#pragma unroll
                    for (int q = 0; q < NN_CONV_P_QUADS; q++) {
                        const float4 four = xs[(h * NN_CONV_P_QUADS + q) * NN_CONV_PATCHES];
                        in[h][4 * q] = four.x;
                        in[h][4 * q + 1] = four.y;
                        in[h][4 * q + 2] = four.z;
                        in[h][4 * q + 3] = four.w;
                    }
#pragma unroll
                for (int e = 0; e < 8; e++) {
                    const float4 g0 = dys[e * (NN_CONV_P_ROWS / 4)],
                                 g1 = dys[e * (NN_CONV_P_ROWS / 4) + NN_CONV_PARTS];
#pragma unroll
                    for (int t = 0; t < NN_CONV_P_TAPS; t++) {
                        const int h = e / 2 * NN_CONV_PATCH_STRIDE + t / NN_CONV_PATCH_TAPS_W,
                                  v = e % 2 * NN_CONV_PATCH_STRIDE + t % NN_CONV_PATCH_TAPS_W;
                        const float one = in[h][v];
                        sum[t][0] += one * g0;
                        sum[t][1] += one * g1;
                    }
                }
            }
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all have read */
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_P_A; q++) {
            const int row = from + q * NN_CONV_P_SHARE;
            __local float *to =
                (__local float *)(windows + patch * NN_CONV_P_STEP) + row;
            if (NN_CONV_P_ROWS % NN_CONV_P_SHARE != 0 && row >= NN_CONV_P_ROWS) continue;
#if NN_CONV_POOL == 2
#pragma unroll
            for (int b = 0; b < 2; b++) {
                if ((there >> b & 1) == 0 || (relu && made[q][b] <= 0.0f)) a_next[q][b] = 0.0f;
#pragma unroll
                for (int e = 0; e < 4; e++)
                    to[(4 * b + e) * NN_CONV_P_ROWS] =
                        (place[q][b] & 3) == e ? a_next[q][b] : 0.0f;
                bias[q] += a_next[q][b];
            }
#else
#pragma unroll
            for (int e = 0; e < 8; e++) {
                to[e * NN_CONV_P_ROWS] = a_next[q][e];
                bias[q] += a_next[q][e];
            }
#endif
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_P_B; q++) {
            const int line = from + q * NN_CONV_P_SHARE;
            if (NN_CONV_P_LINES % NN_CONV_P_SHARE != 0 && line >= NN_CONV_P_LINES) continue;
#pragma unroll
            for (int t = 0; t < NN_CONV_P_QUADS; t++)
                around[(line * NN_CONV_P_QUADS + t) * NN_CONV_PATCHES + line / NN_CONV_P_HIGH +
                       patch] = (float4)(b_next[q][4 * t], b_next[q][4 * t + 1],
                                         b_next[q][4 * t + 2], b_next[q][4 * t + 3]);
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all have written */
    }
    partial +=
        partial_offset + (ulong)(split * groups + group) * (ulong)rows * (ulong)(columns + 1);
    {
        __local float *all = (__local float *)windows; /* the lanes' sums, a row at a time */
        const int width = NN_CONV_CHANNELS * NN_CONV_P_TAPS;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all have read what was there */
#pragma unroll
            for (int t = 0; t < NN_CONV_P_TAPS; t++) {
                const int e = (ty * NN_CONV_CHANNELS + tx) * NN_CONV_P_TAPS + t;
                all[e * NN_CONV_LANES_EACH + lane] = NN_CONV_COMPONENT(sum[t][i >> 2], i & 3);
            }
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all have written */
            for (int e = item; e < NN_CONV_PARTS * width; e += NN_CONV_P_TEAM) {
                const int row = i0 + (i >> 2) * (4 * NN_CONV_PARTS) + e / width * 4 + (i & 3),
                          column = c0 * NN_CONV_P_TAPS + e % width;
                float total = 0.0f;
                for (int s = 0; s < NN_CONV_LANES_EACH; s++)
                    total += all[e * NN_CONV_LANES_EACH + s];
                if (row < rows && column < columns)
                    partial[(ulong)row * (ulong)(columns + 1) + (ulong)column] = total;
            }
        }
        if (c0 != 0) return;
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int q = 0; q < NN_CONV_P_A; q++) {
            const int row = from + q * NN_CONV_P_SHARE;
            if (row < NN_CONV_P_ROWS) all[row * NN_CONV_PATCHES + patch] = bias[q];
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        for (int e = item; e < NN_CONV_P_ROWS && i0 + e < rows; e += NN_CONV_P_TEAM) {
            float total = 0.0f;
            for (int s = 0; s < NN_CONV_PATCHES; s++) total += all[e * NN_CONV_PATCHES + s];
            partial[(ulong)(i0 + e) * (ulong)(columns + 1) + (ulong)columns] = total;
        }
    }
}
#endif
