/* kernels/conv2d/opencl_weight.cl - the gradients of weight and bias of a large convolution on
   GPUs. A work-group of 256 computes a tile of 128 rows x 128 columns, or 64 x 256; a work-item has
   8 x 8 sums.

   A turn takes eight positions; the positions of all images form one sequence. A work-item takes
   every eighth position and updates its addresses in dy and x by addition. Columns are sorted by
   (block of four channels, tap, channel of the block), so one test whether a tap is inside the
   image serves four numbers. So the number of channels per group is a multiple of four. A last
   column of ones yields the bias. Local memory holds two turns: while the work-items multiply one,
   they fetch the next. Rows beyond the last are read from the last one: their results are not
   stored. Positions beyond the end of the split are zeros in both matrices, because 0 times
   infinity is not 0. The macros and the arguments are those of opencl.cl. opencl_choice.c has the
   limits of the sizes. NN_HALF (half arithmetic): see opencl/common.cl; a is dy, b is x. */
#if NN_CONV_POOL == 0 && (NN_CONV_ONLY == 0 || NN_CONV_ONLY == 11)
#ifndef NN_CONV_SIDE /* rows of the tile */
#define NN_CONV_SIDE 128
#endif
#define NN_CONV_W_LONG   (16384 / NN_CONV_SIDE)     /* columns of the tile */
#define NN_CONV_W_TURN   8                          /* positions per turn */
#define NN_CONV_W_A_LINE (NN_CONV_SIDE / 4 + 1)     /* stride of a position in local memory, in
                                                       float4 */
#define NN_CONV_W_B_LINE (NN_CONV_W_LONG / 4 + 1)
/* size of a turn */
#define NN_CONV_W_STEP   (NN_CONV_W_TURN * (NN_CONV_W_A_LINE + NN_CONV_W_B_LINE))
#define NN_CONV_W_A_EACH (NN_CONV_SIDE / 32)        /* numbers that a work-item fetches per turn */
#define NN_CONV_W_B_EACH (NN_CONV_W_LONG / 32)
/* A position in x, or the offset of a tap, is one number: row in the upper half, column in the
   lower half. The host checks that both fit. NOWHERE is never inside. */
#define NN_CONV_W_NOWHERE (-(1 << 30))

/* Groups: tiles of columns (C R S, and one more for dbias), tiles of rows, groups times splits.
   first: the first split. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
nn_conv2d_weight_large(NN_CONV_WEIGHT_ARGUMENTS NN_TILE_MOST) {
    __local nn_tile_four tiles[2 * NN_CONV_W_STEP];
    const int item = (int)get_local_id(0);
    /* The 32 threads of a warp cover 8 x 4 work-items of the tile; an even one and the next lie
       below each other, as in kernels/matmul/opencl_large.cl. */
    const int tx = (item >> 1 & 7) + (item >> 5) % (NN_CONV_W_LONG / 64) * 8,
              ty = (item & 1) + (item >> 4 & 1) * 2 + (item >> 5) / (NN_CONV_W_LONG / 64) * 4;
    const int j0 = (int)get_group_id(0) * NN_CONV_W_LONG,
              i0 = (int)get_group_id(1) * NN_CONV_SIDE;
    const int part = (int)get_group_id(2) / groups, group = (int)get_group_id(2) - part * groups,
              split = first + part;
    const int positions = outputs_h * outputs_w, taps = taps_h * taps_w, columns = channels * taps,
              pixels = source_h * source_w, begin = split * chunk,
              end = min(images * positions, begin + chunk);
    /* Fetches one position: of neighbouring rows, and of groups of four columns. */
    const int step = item & 7, line = item >> 3;
    const int a_to = step * (4 * NN_CONV_W_A_LINE) + line * NN_CONV_W_A_EACH,
              b_to = NN_CONV_W_TURN * NN_CONV_W_A_LINE + step * NN_CONV_W_B_LINE + line;
    /* Eight positions, as images, rows and columns. */
    const int next_image = NN_CONV_W_TURN / positions,
              next_h = NN_CONV_W_TURN % positions / outputs_w, next_w = NN_CONV_W_TURN % outputs_w;
    const int y_image = groups * rows * positions, x_image = groups * channels * pixels,
              x_row = stride_h * source_w, end_h = (outputs_h * stride_h) << 16,
              last = ((source_h - 1) << 16) + source_w - 1;
    float4 sum[8][2];
    NN_TILE_SCALES
    /* The column of ones is 32 in f16, because x's factor may be large. first0 and first1: the
       factors of the first columns of both groups of four, of which one may be this column. */
#if NN_HALF
    const float one = 32.0f / b_scale, ones = 1.0f / a_scale / 32.0f,
                first0 = j0 + tx * 4 == columns ? ones : unscale,
                first1 = j0 + NN_CONV_W_LONG / 2 + tx * 4 == columns ? ones : unscale;
#else
    const float one = 1.0f;
#endif
    float a_next[NN_CONV_W_A_EACH];
    float4 b_next[NN_CONV_W_B_EACH / 4];
    int a_at[NN_CONV_W_A_EACH], b_place[NN_CONV_W_B_EACH / 4], b_at[NN_CONV_W_B_EACH / 4];
    float b_else[NN_CONV_W_B_EACH / 4];
    int here = NN_CONV_W_STEP, ow, place, y_at, x_at; /* of the position that is fetched next */
    {
        const int image =
            (int)nn_conv_divide((uint)(begin + step), positions_magic, positions_shift);
        const int at = begin + step - image * positions,
                  oh = (int)nn_conv_divide((uint)at, columns_magic, columns_shift);
        ow = at - oh * outputs_w;
        place = ((oh * stride_h) << 16) + ow * stride_w;
        y_at = image * y_image + at;
        x_at = image * x_image + oh * x_row + ow * stride_w;
    }
#pragma unroll
    for (int q = 0; q < NN_CONV_W_A_EACH; q++)
        a_at[q] = min(i0 + line * NN_CONV_W_A_EACH + q, rows - 1) * positions;
#pragma unroll
    for (int q = 0; q < NN_CONV_W_B_EACH / 4; q++) {
        const int j = j0 + 128 * q + 4 * line, c = j / (4 * taps) * 4, tap = j / 4 % taps;
        const int h = first_h + tap / taps_w * step_h, v = first_w + tap % taps_w * step_w;
        b_place[q] = j < columns ? (h << 16) + v : NN_CONV_W_NOWHERE;
        b_at[q] = j < columns ? c * pixels + h * source_w + v : 0;
        b_else[q] = j == columns ? one : 0.0f;
    }
    y += y_offset + (ulong)group * (ulong)rows * (ulong)positions;
    x += x_offset + (ulong)group * (ulong)channels * (ulong)pixels;
#pragma unroll
    for (int i = 0; i < 8; i++) sum[i][0] = sum[i][1] = (float4)(0.0f);
    for (int l = begin - NN_CONV_W_TURN; l < end; l += NN_CONV_W_TURN) {
        {
            const bool live = l + NN_CONV_W_TURN + step < end;
            const int at = live ? place : NN_CONV_W_NOWHERE, left = last - at;
            const __global float *dy = y + y_at;
#pragma unroll
            for (int q = 0; q < NN_CONV_W_A_EACH; q++) a_next[q] = live ? dy[a_at[q]] : 0.0f;
#pragma unroll
            for (int q = 0; q < NN_CONV_W_B_EACH / 4; q++) {
                const uint from = (uint)(x_at + b_at[q]), plane = (uint)pixels;
                b_next[q] = (float4)(b_else[q], 0.0f, 0.0f, 0.0f);
                /* True if neither half of either number is negative. */
                if ((((at + b_place[q]) | (left - b_place[q])) & 0x80008000) == 0)
                    b_next[q] = (float4)(x[from], x[from + plane], x[from + 2 * plane],
                                         x[from + 3 * plane]);
            }
            ow += next_w;
            place += ((next_h * stride_h) << 16) + next_w * stride_w;
            x_at += next_image * x_image + next_h * x_row + next_w * stride_w;
            y_at += next_image * y_image + NN_CONV_W_TURN - next_image * positions;
            if (ow >= outputs_w) {
                ow -= outputs_w;
                place += (stride_h << 16) - outputs_w * stride_w;
                x_at += x_row - outputs_w * stride_w;
            }
            if (place >= end_h) {
                place -= end_h;
                x_at += x_image - outputs_h * x_row;
                y_at += y_image - positions;
            }
        }
        if (l >= begin) {
            const __local nn_tile_four *ap = tiles + here + ty,
                                 *bp = tiles + here + NN_CONV_W_TURN * NN_CONV_W_A_LINE + tx;
            NN_TILE_PARTS(part, 8, 2)
            NN_TILE_UNROLL("unroll")
            for (int s = 0; s < NN_CONV_W_TURN; s++)
                NN_TILE_STEP(NN_TILE_INTO(sum, part), ap + s * NN_CONV_W_A_LINE, NN_CONV_SIDE / 8,
                             bp + s * NN_CONV_W_B_LINE, NN_CONV_W_LONG / 8)
            NN_TILE_SUM(sum, part, 8, 2, q ? first1 : first0, unscale)
        }
        {
            __local nn_tile_four *to = tiles + NN_CONV_W_STEP - here;
#pragma unroll
            for (int q = 0; q < NN_CONV_W_A_EACH; q++)
                a_next[q] = NN_TILE_SCALED(a_next[q], a_scale);
#if NN_CONV_SIDE == 128
            *(__local nn_tile_four *)((__local nn_tile_one *)to + a_to) =
                NN_TILE_ROUND((float4)(a_next[0], a_next[1], a_next[2], a_next[3]));
#else
            *(__local nn_tile_two *)((__local nn_tile_one *)to + a_to) =
                (nn_tile_two)(NN_TILE_ROUND_ONE(a_next[0]), NN_TILE_ROUND_ONE(a_next[1]));
#endif
#pragma unroll
            for (int q = 0; q < NN_CONV_W_B_EACH / 4; q++) {
                const float4 scaled = NN_TILE_SCALED(b_next[q], b_scale);
                to[b_to + 32 * q] = NN_TILE_ROUND(scaled);
            }
        }
        here = NN_CONV_W_STEP - here;
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* the next turn is written, this one is read */
    }
    partial +=
        partial_offset + (ulong)(split * groups + group) * (ulong)rows * (ulong)(columns + 1);
/* GPUs must unroll, because registers cannot be indexed. PoCL takes seconds to unroll. */
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
            /* first of its four columns */
            const int j = j0 + (q >> 2) * (NN_CONV_W_LONG / 2) + tx * 4,
                      column = (j / (4 * taps) * 4 + (q & 3)) * taps + j / 4 % taps;
            if (j < columns || (j == columns && (q & 3) == 0))
                partial[(ulong)row * (ulong)(columns + 1) +
                        (ulong)(j < columns ? column : columns)] = values[q];
        }
    }
}
#endif
