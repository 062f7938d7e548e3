/* kernels/conv2d/opencl_weight.cl - the gradient of a large convolution's weight and bias on GPUs:
   a tile of 128 rows by 128 columns, or 64 by 256, a work-group of 256, 8 by 8 a work-item.

   A turn takes eight positions, of all images one behind the other. Where the one that a work-item
   fetches lies is computed once for all its rows of dy and all its columns, which are taps of
   channels of x and, behind them, ones for the bias. Two turns lie in local memory: while the
   work-items multiply one, they fetch the next. Rows beyond the last are fetched from the last one:
   nobody writes their results. Positions beyond the split's are zeros in both, as zero times
   infinity is none. The macros and the arguments are those of opencl.cl. */
#if NN_CONV_POOL == 0 && (NN_CONV_ONLY == 0 || NN_CONV_ONLY == 11)
#ifndef NN_CONV_SIDE /* rows of the tile */
#define NN_CONV_SIDE 128
#endif
#define NN_CONV_W_LONG   (16384 / NN_CONV_SIDE)     /* columns of the tile */
#define NN_CONV_W_TURN   8                          /* positions */
#define NN_CONV_W_A_LINE (NN_CONV_SIDE / 4 + 1)     /* a position of local memory, in float4 */
#define NN_CONV_W_B_LINE (NN_CONV_W_LONG / 4 + 1)
#define NN_CONV_W_STEP   (NN_CONV_W_TURN * (NN_CONV_W_A_LINE + NN_CONV_W_B_LINE)) /* a turn */
#define NN_CONV_W_A_EACH (NN_CONV_SIDE / 32)        /* numbers that a work-item fetches in a turn */
#define NN_CONV_W_B_EACH (NN_CONV_W_LONG / 32)
#define NN_CONV_W_NOWHERE (-(1 << 29))              /* a row of x that is never inside */

/* Groups: tiles of columns (one more than C R S: dbias), tiles of rows, groups times splits. first:
   the first split. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
nn_conv2d_weight_large(NN_CONV_WEIGHT_ARGUMENTS) {
    __local float4 tiles[2 * NN_CONV_W_STEP];
    const int item = (int)get_local_id(0);
    /* 8 by 4 items of a vector of 32 threads lie together in the tile. */
    const int tx = (item & 7) + (item >> 5) % (NN_CONV_W_LONG / 64) * 8,
              ty = ((item >> 3) & 3) + (item >> 5) / (NN_CONV_W_LONG / 64) * 4;
    const int j0 = (int)get_group_id(0) * NN_CONV_W_LONG,
              i0 = (int)get_group_id(1) * NN_CONV_SIDE;
    const int part = (int)get_group_id(2) / groups, group = (int)get_group_id(2) - part * groups,
              split = first + part;
    const int positions = outputs_h * outputs_w, columns = channels * taps_h * taps_w,
              pixels = source_h * source_w, begin = split * chunk,
              end = min(images * positions, begin + chunk);
    /* One position of rows, and of columns, that are 32 apart. */
    const int step = item & 7, line = item >> 3;
    float4 sum[8][2];
    float a_next[NN_CONV_W_A_EACH], b_next[NN_CONV_W_B_EACH];
    int a_at[NN_CONV_W_A_EACH];
    int b_h[NN_CONV_W_B_EACH], b_w[NN_CONV_W_B_EACH], b_at[NN_CONV_W_B_EACH];
    int here = NN_CONV_W_STEP;
#pragma unroll
    for (int q = 0; q < NN_CONV_W_A_EACH; q++)
        a_at[q] = min(i0 + line + 32 * q, rows - 1) * positions;
#pragma unroll
    for (int q = 0; q < NN_CONV_W_B_EACH; q++) {
        const int j = j0 + line + 32 * q, c = j / (taps_h * taps_w), tap = j - c * taps_h * taps_w;
        const int th = tap / taps_w;
        b_h[q] = j < columns ? first_h + th * step_h : NN_CONV_W_NOWHERE;
        b_w[q] = first_w + (tap - th * taps_w) * step_w;
        b_at[q] = j < columns ? c * pixels + b_h[q] * source_w + b_w[q] : 0;
    }
    y += y_offset + (ulong)group * (ulong)rows * (ulong)positions;
    x += x_offset + (ulong)group * (ulong)channels * (ulong)pixels;
#pragma unroll
    for (int i = 0; i < 8; i++) sum[i][0] = sum[i][1] = (float4)(0.0f);
    for (int l = begin - NN_CONV_W_TURN; l < end; l += NN_CONV_W_TURN) {
        const bool more = l + NN_CONV_W_TURN < end;
        if (more) {
            const int d = min(l + NN_CONV_W_TURN + step, end - 1);
            const int image = (int)nn_conv_divide((uint)d, positions_magic, positions_shift),
                      place = d - image * positions;
            const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
            const bool live = l + NN_CONV_W_TURN + step < end;
            const int w0 = (place - oh * outputs_w) * stride_w,
                      from = oh * stride_h * source_w + w0,
                      h0 = live ? oh * stride_h : NN_CONV_W_NOWHERE;
            const __global float *dy =
                y + (ulong)image * (ulong)(groups * rows) * (ulong)positions + (ulong)place;
            const __global float *xs =
                x + (ulong)image * (ulong)(groups * channels) * (ulong)pixels;
#pragma unroll
            for (int q = 0; q < NN_CONV_W_A_EACH; q++) a_next[q] = live ? dy[a_at[q]] : 0.0f;
#pragma unroll
            for (int q = 0; q < NN_CONV_W_B_EACH; q++) {
                b_next[q] = j0 + line + 32 * q == columns ? 1.0f : 0.0f;
                if ((uint)(h0 + b_h[q]) < (uint)source_h && (uint)(w0 + b_w[q]) < (uint)source_w)
                    b_next[q] = xs[from + b_at[q]];
            }
        }
        if (l >= begin) {
            const __local float4 *ap = tiles + here + ty,
                                 *bp = tiles + here + NN_CONV_W_TURN * NN_CONV_W_A_LINE + tx;
#pragma unroll 4
            for (int s = 0; s < NN_CONV_W_TURN; s++)
                NN_TILE_STEP(sum, ap + s * NN_CONV_W_A_LINE, NN_CONV_SIDE / 8,
                             bp + s * NN_CONV_W_B_LINE, NN_CONV_W_LONG / 8)
        }
        if (more) {
            __local float *as = (__local float *)(tiles + NN_CONV_W_STEP - here +
                                                  step * NN_CONV_W_A_LINE) +
                                line,
                          *bs = (__local float *)(tiles + NN_CONV_W_STEP - here +
                                                  NN_CONV_W_TURN * NN_CONV_W_A_LINE +
                                                  step * NN_CONV_W_B_LINE) +
                                line;
#pragma unroll
            for (int q = 0; q < NN_CONV_W_A_EACH; q++) as[32 * q] = a_next[q];
#pragma unroll
            for (int q = 0; q < NN_CONV_W_B_EACH; q++) bs[32 * q] = b_next[q];
        }
        here = NN_CONV_W_STEP - here;
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all have written the next turn, and read this one */
    }
    partial +=
        partial_offset + (ulong)(split * groups + group) * (ulong)rows * (ulong)(columns + 1);
/* GPUs need it, for registers have no index; PoCL's compiler takes seconds for it. */
#ifndef POCL_DEVICE_ADDRESS_BITS
#pragma unroll
#endif
    for (int i = 0; i < 8; i++) {
        const int row = i0 + (i >> 2) * (NN_CONV_SIDE / 2) + ty * 4 + (i & 3);
        const float values[8] = {sum[i][0].x, sum[i][0].y, sum[i][0].z, sum[i][0].w,
                                 sum[i][1].x, sum[i][1].y, sum[i][1].z, sum[i][1].w};
        if (row >= rows) continue;
#pragma unroll
        for (int q = 0; q < 8; q++) {
            const int j = j0 + (q >> 2) * (NN_CONV_W_LONG / 2) + tx * 4 + (q & 3);
            if (j <= columns) partial[(ulong)row * (ulong)(columns + 1) + (ulong)j] = values[q];
        }
    }
}
#endif
