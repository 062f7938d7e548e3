/* kernels/conv2d/opencl_weight_patches.cl - the gradients of the weight and bias of a convolution
   with at most 3 x 3 neighbouring taps, on GPUs. A work-item keeps the sums of all taps of one
   channel for 8 rows in registers, and goes through patches of dy, 4 positions high and 2 wide.
   With 3 x 3 taps, 24 numbers of x and 64 of dy serve 576 products.

   Local memory holds the numbers of some patches: dy in 2 x 2 windows, and the pixels of x that
   each patch reads. While the work-items multiply one turn of patches, they fetch the next.
   Work-items with the same rows and channel share the patches out, and add their sums at the end in
   a fixed order. The bias is summed where dy is fetched. Rows and channels beyond the last are read
   from the last one: their sums are not stored. Patches beyond the end of the split are zeros in
   both, because 0 times infinity is not 0. The macros and the arguments are those of opencl.cl,
   except that positions_magic and columns_magic divide by the numbers of patches.

   NN_CONV_PARTS: rows per work-group divided by eight. NN_CONV_CHANNELS: its channels.
   NN_CONV_LANES_EACH: work-items that share rows and channel. NN_CONV_PATCHES: patches per turn.
   The others are those of opencl_patches.cl. */
#if NN_CONV_POOL != 1 && (NN_CONV_ONLY == 0 || NN_CONV_ONLY == 16)
#if NN_CONV_ONLY == 0 /* opencl_patches.cl has its own values */
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
/* SUMS: work-items that multiply. TEAM: work-items that fetch. With three channels, a quarter of
   the work-items only fetch, because rows are shared out in fours. */
#define NN_CONV_P_SUMS  (NN_CONV_PARTS * NN_CONV_CHANNELS * NN_CONV_LANES_EACH)
#define NN_CONV_P_TEAM  (NN_CONV_CHANNELS == 3 ? 128 : NN_CONV_P_SUMS)
#define NN_CONV_P_TAPS  (NN_CONV_PATCH_TAPS_H * NN_CONV_PATCH_TAPS_W)
#define NN_CONV_P_ROWS  (8 * NN_CONV_PARTS)
#define NN_CONV_P_HIGH  (3 * NN_CONV_PATCH_STRIDE + NN_CONV_PATCH_TAPS_H)
#define NN_CONV_P_WIDE  (NN_CONV_PATCH_STRIDE + NN_CONV_PATCH_TAPS_W)
#define NN_CONV_P_QUADS ((NN_CONV_P_WIDE + 3) / 4)
/* Work-items per patch that fetch: pieces of four rows (or two) of dy, and lines of x. */
#define NN_CONV_P_SHARE (NN_CONV_P_TEAM / NN_CONV_PATCHES)
#if NN_CONV_P_SHARE > 2 * NN_CONV_PARTS
#define NN_CONV_P_BY      2
#define NN_CONV_P_VECTOR  float2
#define NN_CONV_P_JOIN(a) (float2)((a)[0], (a)[1])
#else
#define NN_CONV_P_BY      4
#define NN_CONV_P_VECTOR  float4
#define NN_CONV_P_JOIN(a) (float4)((a)[0], (a)[1], (a)[2], (a)[3])
#endif
#define NN_CONV_P_PIECES (NN_CONV_P_ROWS / NN_CONV_P_BY)
/* Row i of a piece. Neighbouring work-items fetch different patches of the same piece; the next
   ones fetch the next piece, which begins one row later. So a load of a warp touches fewer cache
   lines if a row of dy is short. Measured on an H200: 512 x 512 channels of 4 x 4 took 186 us, and
   242 us with the rows of a piece side by side; 256 x 256 channels of 8 x 8 took 146 and 158 us. */
#define NN_CONV_P_ROW(piece, i) ((piece) + (i) * NN_CONV_P_PIECES)
#define NN_CONV_P_A      ((NN_CONV_P_PIECES + NN_CONV_P_SHARE - 1) / NN_CONV_P_SHARE)
#define NN_CONV_P_LINES  (NN_CONV_CHANNELS * NN_CONV_P_HIGH)
#define NN_CONV_P_B      ((NN_CONV_P_LINES + NN_CONV_P_SHARE - 1) / NN_CONV_P_SHARE)
/* Strides in float4 of a patch of dy and of a channel of x. They are odd to avoid bank
   conflicts. */
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
    int place[NN_CONV_P_A][2][NN_CONV_P_BY];
    int there; /* bit set: this row of windows exists */
    float a_next[NN_CONV_P_A][2][NN_CONV_P_BY], made[NN_CONV_P_A][2][NN_CONV_P_BY];
    const __global float *seen;
#else
    const int high = outputs_h, wide = outputs_w;
    float a_next[NN_CONV_P_A][8][NN_CONV_P_BY];
#endif
    float b_next[NN_CONV_P_B][4 * NN_CONV_P_QUADS];
    float4 sum[NN_CONV_P_TAPS][2]; /* neighbouring rows, and those half a tile further on */
    float bias[NN_CONV_P_A][NN_CONV_P_BY];
    int a_at[NN_CONV_P_A][NN_CONV_P_BY];
    /* Fetches one patch per turn, from this piece of dy and this line of x on. */
    const int patch = item % NN_CONV_PATCHES, from = item / NN_CONV_PATCHES;
    (void)taps_h, (void)taps_w, (void)step_h, (void)step_w, (void)stride_h, (void)stride_w;
#pragma unroll
    for (int t = 0; t < NN_CONV_P_TAPS; t++) sum[t][0] = sum[t][1] = (float4)(0.0f);
#pragma unroll
    for (int q = 0; q < NN_CONV_P_A; q++)
#pragma unroll
        for (int i = 0; i < NN_CONV_P_BY; i++) {
            const int row = i0 + NN_CONV_P_ROW(from + q * NN_CONV_P_SHARE, i);
            bias[q][i] = 0.0f;
            a_at[q][i] = min(row, rows - 1) * (high * wide);
        }
    y += y_offset;
    x += x_offset;
#if NN_CONV_POOL == 2
    where += where_offset;
    seen = relu ? kept + cached_offset : y;
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
            /* With unsigned numbers, each is one instruction. */
            const uint source = (uint)(image * groups + group);
            const ulong y_image = (ulong)source * (uint)(rows * high * wide);
            const __global float *x_image =
                x + (ulong)source * (uint)(channels * source_h * source_w);
#if NN_CONV_POOL == 2
            /* A missing patch is read from the first image: a load that depends on a condition
               would be waited for here, and not after the products. */
            const ulong from_dy = live ? y_image : 0;
            const __global float *dy = y + from_dy, *made_at = seen + from_dy;
            const __global uchar *where_at = where + from_dy;
            there = !live ? 0 : 2 * down + 1 < high ? 3 : 1;
#pragma unroll
            for (int b = 0; b < 2; b++) {
                const int at_dy = there >> b & 1 ? (2 * down + b) * wide + right : 0;
#pragma unroll
                for (int q = 0; q < NN_CONV_P_A; q++)
#pragma unroll
                    for (int i = 0; i < NN_CONV_P_BY; i++) {
                        const int one = at_dy + a_at[q][i];
                        a_next[q][b][i] = dy[one];
                        made[q][b][i] = made_at[one];
                        place[q][b][i] = where_at[one];
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
                for (int q = 0; q < NN_CONV_P_A; q++)
#pragma unroll
                    for (int i = 0; i < NN_CONV_P_BY; i++) {
                        const __global float *one = dy + a_at[q][i];
                        a_next[q][2 * h][i] = there ? one[0] : 0.0f;
                        a_next[q][2 * h + 1][i] = second ? one[1] : 0.0f;
                    }
            }
#endif
            /* The lines' addresses are computed again each turn. With the addresses in registers,
               NVIDIA's compiler had too few left for the products and put each load of local memory
               directly before its use: 64 x 64 channels of 32 x 32 then took an H200 175 us instead
               of 147. Both forms give the same line, but not the same code: on sm_75, only the
               first one fits the registers with 12 lines (16 rows x 8 channels), and with 3 lines
               the products wait less with the second. */
#pragma unroll
            for (int q = 0; q < NN_CONV_P_B; q++) {
                const int line = from + q * NN_CONV_P_SHARE, c = line / NN_CONV_P_HIGH,
                          h = h0 + (NN_CONV_P_B > 8 ? line % NN_CONV_P_HIGH
                                                    : line - c * NN_CONV_P_HIGH);
                const bool there = live && (uint)h < (uint)source_h;
                const __global float *row =
                    x_image + ((min(c0 + c, channels - 1) * source_h + h) * source_w + v0);
#pragma unroll
                for (int t = 0; t < 4 * NN_CONV_P_QUADS; t++) {
                    b_next[q][t] = 0.0f;
                    if (t < NN_CONV_P_WIDE && there && (uint)(v0 + t) < (uint)source_w)
                        b_next[q][t] = row[t];
                }
            }
        }
        if (l >= begin) { /* not before the first turn is loaded */
#pragma unroll 1
            for (int n = item < NN_CONV_P_SUMS ? lane : NN_CONV_PATCHES; n < NN_CONV_PATCHES;
                 n += NN_CONV_LANES_EACH) {
                const __local float4 *xs = around + tx * NN_CONV_P_PLANE + n;
                const __local float4 *dys = windows + n * NN_CONV_P_STEP + ty;
                float in[NN_CONV_P_HIGH][4 * NN_CONV_P_QUADS];
#pragma unroll
                for (int h = 0; h < NN_CONV_P_HIGH; h++)
#pragma unroll
                    for (int q = 0; q < NN_CONV_P_QUADS; q++) {
                        const __local float4 *at = xs + (h * NN_CONV_P_QUADS + q) * NN_CONV_PATCHES;
                        float4 four = (float4)(0.0f);
                        if (4 * q + 1 == NN_CONV_P_WIDE) four.x = *(const __local float *)at;
                        else four = *at;
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
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads are done */
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_P_A; q++) {
            const int piece = from + q * NN_CONV_P_SHARE;
            __local NN_CONV_P_VECTOR *to =
                (__local NN_CONV_P_VECTOR *)(windows + patch * NN_CONV_P_STEP) + piece;
            if (NN_CONV_P_PIECES % NN_CONV_P_SHARE != 0 && piece >= NN_CONV_P_PIECES) continue;
#if NN_CONV_POOL == 2
            /* Writes zeros, then each number at its place of the four. The same work-item writes
               both. */
#pragma unroll
            for (int e = 0; e < 8; e++) to[e * NN_CONV_P_PIECES] = (NN_CONV_P_VECTOR)(0.0f);
#pragma unroll
            for (int b = 0; b < 2; b++)
#pragma unroll
                for (int i = 0; i < NN_CONV_P_BY; i++) {
                    float one = a_next[q][b][i];
                    if ((there >> b & 1) == 0 || (relu && made[q][b][i] <= 0.0f)) one = 0.0f;
                    ((__local float *)to)[(4 * b + (place[q][b][i] & 3)) * NN_CONV_P_ROWS + i] =
                        one;
                    bias[q][i] += one;
                }
#else
#pragma unroll
            for (int e = 0; e < 8; e++) {
                to[e * NN_CONV_P_PIECES] = NN_CONV_P_JOIN(a_next[q][e]);
#pragma unroll
                for (int i = 0; i < NN_CONV_P_BY; i++) bias[q][i] += a_next[q][e][i];
            }
#endif
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_P_B; q++) {
            const int line = from + q * NN_CONV_P_SHARE;
            if ((q + 1) * NN_CONV_P_SHARE > NN_CONV_P_LINES && line >= NN_CONV_P_LINES) continue;
#pragma unroll
            for (int t = 0; t < NN_CONV_P_QUADS; t++)
                around[(line * NN_CONV_P_QUADS + t) * NN_CONV_PATCHES + line / NN_CONV_P_HIGH +
                       patch] = (float4)(b_next[q][4 * t], b_next[q][4 * t + 1],
                                         b_next[q][4 * t + 2], b_next[q][4 * t + 3]);
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
    }
    partial +=
        partial_offset + (ulong)(split * groups + group) * (ulong)rows * (ulong)(columns + 1);
    {
        __local float *all = (__local float *)windows; /* the lanes' sums, one row at a time */
        const int width = NN_CONV_CHANNELS * NN_CONV_P_TAPS;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads of the old contents are done */
#pragma unroll
            for (int t = 0; t < NN_CONV_P_TAPS; t++) {
                const int e = (ty * NN_CONV_CHANNELS + tx) * NN_CONV_P_TAPS + t;
                if (item < NN_CONV_P_SUMS)
                    all[e * NN_CONV_LANES_EACH + lane] = NN_CONV_COMPONENT(sum[t][i >> 2], i & 3);
            }
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
            for (int e = item; e < NN_CONV_PARTS * width; e += NN_CONV_P_TEAM) {
                const int at = (i >> 2) * (4 * NN_CONV_PARTS) + e / width * 4 + (i & 3),
                          row = i0 + NN_CONV_P_ROW(at / NN_CONV_P_BY, at % NN_CONV_P_BY),
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
            const int piece = from + q * NN_CONV_P_SHARE;
#pragma unroll
            for (int i = 0; i < NN_CONV_P_BY; i++)
                if (piece < NN_CONV_P_PIECES)
                    all[NN_CONV_P_ROW(piece, i) * NN_CONV_PATCHES + patch] = bias[q][i];
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
