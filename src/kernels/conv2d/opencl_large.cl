/* kernels/conv2d/opencl_large.cl - large convolutions on GPUs. A work-group of 256 computes a tile
   of 128 rows x 128 positions, or 64 x 256; a work-item has 8 x 8 sums.

   A turn takes eight channels through one tap, so the test whether a position's pixel is inside the
   image runs once per turn and not for each number. All taps of eight channels follow each other,
   because their weights lie together. Local memory holds two turns: while the work-items multiply
   one, they fetch the next. Rows and positions beyond the last are read from the last one: their
   results are not stored. The number of channels per group is a multiple of eight. The macros and
   the arguments are those of opencl.cl. NN_HALF (half arithmetic): see opencl/common.cl; a is the
   weight, b the source. */
#if NN_CONV_POOL == 0 && (NN_CONV_ONLY == 0 || NN_CONV_ONLY == 10)
#ifndef NN_CONV_SIDE /* rows of the tile */
#define NN_CONV_SIDE 128
#endif
#define NN_CONV_LONG   (16384 / NN_CONV_SIDE) /* positions of the tile */
#define NN_CONV_TURN   8                      /* channels per turn */
#define NN_CONV_A_LINE (NN_CONV_SIDE / 4 + 1) /* stride of a channel in local memory, in float4 */
#define NN_CONV_B_LINE (NN_CONV_LONG / 4 + 1)
/* Size of a turn: weights, then pixels. There are two turns. */
#define NN_CONV_STEP   (NN_CONV_TURN * (NN_CONV_A_LINE + NN_CONV_B_LINE))
#define NN_CONV_A_EACH (NN_CONV_SIDE / 32)  /* numbers that a work-item fetches per turn */
#define NN_CONV_B_EACH (NN_CONV_LONG / 32)
#define NN_CONV_A_TX   (NN_CONV_SIDE / 8)   /* work-items along the rows */
#define NN_CONV_B_TX   (NN_CONV_LONG / 8)

/* Groups: tiles of positions of all images, tiles of rows, groups. first: the first tile of
   positions. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
nn_conv2d_large(NN_CONV_ARGUMENTS NN_TILE_MOST) {
    __local nn_tile_four tiles[2 * NN_CONV_STEP];
    const int item = (int)get_local_id(0);
    /* The 32 threads of a warp cover 8 x 4 work-items of the tile; an even one and the next lie
       below each other, as in kernels/matmul/opencl_large.cl. */
    const int tx = (item >> 1 & 7) + (item >> 5) % (NN_CONV_B_TX / 8) * 8,
              ty = (item & 1) + (item >> 4 & 1) * 2 + (item >> 5) / (NN_CONV_B_TX / 8) * 4;
    const int j0 = (first + (int)get_group_id(0)) * NN_CONV_LONG,
              i0 = (int)get_group_id(1) * NN_CONV_SIDE;
    const int group = (int)get_group_id(2), positions = outputs_h * outputs_w,
              pixels = source_h * source_w, taps = taps_h * taps_w;
    /* In a turn, this work-item fetches one channel of rows that are 32 apart, and channels that
       are 256 / NN_CONV_LONG apart at one position. */
    const int a_channel = item & 7, a_row = item >> 3;
    const int b_column = item % NN_CONV_LONG, b_channel = item / NN_CONV_LONG;
    const int a_to = a_channel * (4 * NN_CONV_A_LINE) + a_row, /* where it stores them */
        b_to = 4 * NN_CONV_TURN * NN_CONV_A_LINE + b_channel * (4 * NN_CONV_B_LINE) + b_column;
    const int turns = channels / NN_CONV_TURN * taps;
    const __global float *plane;
    (void)taps_magic;
    (void)taps_shift;
    (void)across_magic;
    (void)across_shift;
    float4 sum[8][2];
    NN_TILE_SCALES
    float a_next[NN_CONV_A_EACH], b_next[NN_CONV_B_EACH];
    int a_at[NN_CONV_A_EACH];
    /* w_from and x_from: offsets of the turn's channels in the weight and in the image. */
    int h0, w0, tw = 0, th = 0, w_from = 0, x_from = 0, here = NN_CONV_STEP;
    {
        const int j = min(j0 + b_column, images * positions - 1);
        const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                  place = j - image * positions;
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        h0 = oh * stride_h + first_h;
        w0 = (place - oh * outputs_w) * stride_w + first_w;
        plane = source + source_offset +
                (ulong)(image * groups + group) * (ulong)channels * (ulong)pixels +
                (ulong)(b_channel * pixels);
    }
    weight += weight_offset + (ulong)group * (ulong)w_group + (ulong)w_start;
#pragma unroll
    for (int q = 0; q < NN_CONV_A_EACH; q++)
        a_at[q] = min(i0 + a_row + 32 * q, rows - 1) * w_row + a_channel * w_channel;
#pragma unroll
    for (int i = 0; i < 8; i++) sum[i][0] = sum[i][1] = (float4)(0.0f);
    for (int turn = -1; turn < turns; turn++) {
        const __local nn_tile_four *ap = tiles + here + ty,
                             *bp = tiles + here + NN_CONV_TURN * NN_CONV_A_LINE + tx;
        if (turn + 1 < turns) {
            const int h = h0 + th * step_h, v = w0 + tw * step_w;
            const int at_tap = w_from + th * w_down + tw * w_across;
            const bool inside = (uint)h < (uint)source_h && (uint)v < (uint)source_w;
            const int from = x_from + h * source_w + v; /* only read if inside */
#pragma unroll
            for (int q = 0; q < NN_CONV_A_EACH; q++) a_next[q] = weight[a_at[q] + at_tap];
#pragma unroll
            for (int q = 0; q < NN_CONV_B_EACH; q++)
                b_next[q] = inside ? plane[from + q * (256 / NN_CONV_LONG) * pixels] : 0.0f;
            if (++tw == taps_w) {
                tw = 0;
                if (++th == taps_h) {
                    th = 0;
                    x_from += NN_CONV_TURN * pixels;
                    w_from += NN_CONV_TURN * w_channel;
                }
            }
        }
        if (turn >= 0) {
            NN_TILE_PARTS(part, 8, 2)
            NN_TILE_UNROLL("unroll 4")
            for (int s = 0; s < NN_CONV_TURN; s++)
                NN_TILE_STEP(NN_TILE_INTO(sum, part), ap + s * NN_CONV_A_LINE, NN_CONV_A_TX,
                             bp + s * NN_CONV_B_LINE, NN_CONV_B_TX)
            NN_TILE_SUM(sum, part, 8, 2, unscale, unscale)
        }
        if (turn + 1 < turns) {
            __local nn_tile_one *to = (__local nn_tile_one *)(tiles + NN_CONV_STEP - here),
                                *as = to + a_to, *bs = to + b_to;
#pragma unroll
            for (int q = 0; q < NN_CONV_A_EACH; q++)
                as[32 * q] = NN_TILE_ROUND_ONE(NN_TILE_SCALED(a_next[q], a_scale));
#pragma unroll
            for (int q = 0; q < NN_CONV_B_EACH; q++)
                bs[q * (256 / NN_CONV_LONG) * (4 * NN_CONV_B_LINE)] =
                    NN_TILE_ROUND_ONE(NN_TILE_SCALED(b_next[q], b_scale));
        }
        here = NN_CONV_STEP - here;
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* the next turn is written, this one is read */
    }
/* GPUs must unroll, because registers cannot be indexed. PoCL takes seconds to unroll. */
#ifndef POCL_DEVICE_ADDRESS_BITS
#pragma unroll
#endif
    for (int q = 0; q < 8; q++) {
        const int j = j0 + (q >> 2) * (NN_CONV_LONG / 2) + tx * 4 + (q & 3);
        if (j < images * positions) {
            const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                      place = j - image * positions;
            const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift),
                      ow = place - oh * outputs_w;
            __global float *to = y + y_offset +
                                 (ulong)(image * groups + group) * (ulong)rows * (ulong)y_plane +
                                 (ulong)(y_start + oh * y_down + ow * y_across);
#pragma unroll
            for (int i = 0; i < 8; i++) {
                const int row = i0 + (i >> 2) * (NN_CONV_SIDE / 2) + ty * 4 + (i & 3);
                if (row < rows) {
                    float value = NN_CONV_COMPONENT(sum[i][q >> 2], q & 3);
                    if (accumulate) value += to[(ulong)row * (ulong)y_plane];
                    if (bias) value += bias[bias_offset + (ulong)(group * rows + row)];
                    to[(ulong)row * (ulong)y_plane] =
                        activation == NN_ACTIVATION_RELU ? nn_relu(value) : value;
                }
            }
        }
    }
    if (activation <= NN_ACTIVATION_RELU) return;
    /* Other activations are long: they are compiled once here, not 64 times above. */
#pragma unroll 1
    for (int i = 0; i < 64; i++) {
        const int j = j0 + (i >> 5) * (NN_CONV_LONG / 2) + tx * 4 + (i & 3),
                  row = i0 + (i >> 4 & 1) * (NN_CONV_SIDE / 2) + ty * 4 + (i >> 2 & 3);
        if (j < images * positions && row < rows) {
            const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                      place = j - image * positions;
            const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift),
                      ow = place - oh * outputs_w;
            __global float *to = y + y_offset +
                                 ((ulong)(image * groups + group) * (ulong)rows + (ulong)row) *
                                     (ulong)y_plane +
                                 (ulong)(y_start + oh * y_down + ow * y_across);
            *to = nn_activate(activation, *to);
        }
    }
}
#endif
