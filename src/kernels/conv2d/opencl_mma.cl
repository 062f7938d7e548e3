/* kernels/conv2d/opencl_mma.cl - convolutions and their gradients on matrix units, by the layer of
   opencl/mma.cl, in tiles of NN_MMA_SIDE x NN_MMA_SIDE.

   A turn takes NN_MMA_DEPTH steps. In forward and backward_input a step is a channel, and all steps
   of a turn have one tap, so that a work-item tests once per turn whether its pixel is inside the
   image. An earlier launch rounds the weights and sorts them by (row, block of channels, tap,
   channel), so that a turn's weights are copied as they are. In backward_weight a step is a
   position of dy, and all columns of a tile have one tap. The macros and the arguments are those of
   opencl.cl.

   With NN_MMA_A_FORM both operands were packed by earlier launches (opencl_mma_copied.cl), and the
   loop is that of opencl/mma_loop.cl. Then the lines of b are pixels of an image with its padding.

   NN_CONV_WHOLE: 1 if the turns (backward_weight: the tiles) end with the last channel and row.
   Lines beyond the last row, position or channel are read from the last one: their results are not
   stored. Steps beyond the last are zeros in both operands, because 0 times NaN is not 0. */
#if defined(NN_MMA) && NN_CONV_POOL == 0
#ifndef NN_CONV_WHOLE
#define NN_CONV_WHOLE 0
#endif
/* Storage of source (backward_weight: x), weight and y (backward_weight: dy): 0 f32, 1 f16, 2 bf16.
   The arguments are declared as pointers to float. NN_CONV_XS, NN_CONV_WS and NN_CONV_YS are the
   types that they really point to. */
#ifndef NN_CONV_X
#define NN_CONV_X 0
#endif
#ifndef NN_CONV_W
#define NN_CONV_W 0
#endif
#ifndef NN_CONV_Y
#define NN_CONV_Y 0
#endif
#define NN_CONV_XS const __global NN_STORED(NN_CONV_X)
#define NN_CONV_WS const __global NN_STORED(NN_CONV_W)
#define NN_CONV_YS __global NN_STORED(NN_CONV_Y)

#if NN_MMA_A_FORM
#define NN_CONV_MMA_ROOM (NN_MMA_STAGES * NN_MMA_STAGE / 4)
#else
#define NN_CONV_MMA_ROOM NN_MMA_TURN
#endif

/* Stores one number as step `step` of a line. */
void nn_conv_mma_put(__local uint *line, int step, float v) {
#if NN_MMA_BF16
    ((__local ushort *)line)[step] = (ushort)nn_mma_bf16(v, 0.0f);
#else
    line[step] = nn_mma_tf32(v);
#endif
}

/* Distances in an image that lies packed, in units of 16 bytes. */
#if NN_MMA_A_FORM
#define NN_CONV_PACKED                                                                             \
    , const __global uint *packed, ulong packed_offset, const __global uint *table,                \
        ulong table_offset, uint image_far, uint row_far, uint pixel_far, int from_h, int from_w
#else
#define NN_CONV_PACKED
#endif

#if NN_CONV_ONLY == 18
#if !NN_MMA_A_FORM
/* Rounds and sorts the weights of a product. sorted: for each row, and in it for each block of
   NN_MMA_DEPTH channels and each tap, 16 words. One work-item per word. */
__kernel void nn_conv2d_mma_sort(__global uint *sorted, ulong sorted_offset,
                                 const __global float *weight, ulong weight_offset, uint words,
                                 int rows, int channels, int taps_h, int taps_w, int w_group,
                                 int w_row, int w_channel, int w_start, int w_down, int w_across) {
    const uint at = (uint)get_global_id(0);
    const int taps = taps_h * taps_w,
              blocks = (channels + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH;
    if (at >= words) return;
    const int word = (int)(at % 16u), tap = (int)(at / 16u) % taps,
              block = (int)(at / 16u) / taps % blocks, line = (int)(at / 16u) / taps / blocks;
    const int c = block * NN_MMA_DEPTH + word * (NN_MMA_DEPTH / 16);
    NN_CONV_WS *from = (NN_CONV_WS *)weight + weight_offset +
                       (ulong)(line / rows) * (ulong)w_group +
                       (ulong)(line % rows) * (ulong)w_row +
                       (ulong)(w_start + tap / taps_w * w_down + tap % taps_w * w_across);
    const float low =
        c < channels ? NN_STORED_AT(NN_CONV_W)(from, (ulong)c * (ulong)w_channel) : 0.0f;
#if NN_MMA_BF16
    sorted[sorted_offset + at] = nn_mma_bf16(
        low, c + 1 < channels ? NN_STORED_AT(NN_CONV_W)(from, (ulong)(c + 1) * (ulong)w_channel)
                              : 0.0f);
#else
    sorted[sorted_offset + at] = nn_mma_tf32(low);
#endif
}

#define NN_CONV_MMA_HALF (NN_MMA_DEPTH / 2) /* channels that are fetched at once */

/* Fetches half of the channels of the turn that begins at channel c0, from the work-item's pixel
   on. */
#define NN_CONV_MMA_FETCH(half)                                                                    \
    NN_MMA_UNROLL for (int q = 0; q < NN_CONV_MMA_HALF; q++, pixel += pixels)                      \
        next[q] = inside && (NN_CONV_WHOLE || c0 + (half)*NN_CONV_MMA_HALF + q < channels)         \
                      ? NN_STORED_AT(NN_CONV_X)(pixel, 0)                                          \
                      : 0.0f;
#define NN_CONV_MMA_PUT(to, half)                                                                  \
    NN_MMA_UNROLL for (int q = 0; q < NN_CONV_MMA_HALF / 4; q++)                                   \
        nn_mma_put((to) + item * NN_MMA_LINE, (half) * (NN_CONV_MMA_HALF / 4) + q,                 \
                   (float4)(next[4 * q], next[4 * q + 1], next[4 * q + 2], next[4 * q + 3]));
/* Copies the weights of a turn. */
#define NN_CONV_MMA_WEIGHTS(to, turn)                                                              \
    NN_MMA_UNROLL for (int q = 0; q < NN_MMA_SIDE * 4 / NN_MMA_ITEMS; q++) {                       \
        const int line = NN_MMA_LINE_OF(item / 4 + q * (NN_MMA_ITEMS / 4));                        \
        NN_MMA_COPY((to) + line * NN_MMA_LINE + item % 4 * 4,                                      \
                    sorted + ((ulong)(uint)min(i0 + line, rows - 1) * (ulong)(uint)turns +         \
                              (ulong)(uint)(turn)) * 16ul + (ulong)(item % 4 * 4))                 \
    }

#endif

/* Groups: tiles of positions of all images, tiles of rows, groups. first: the first tile of
   positions. weight is not read; sorted has the weights. */
__kernel NN_MMA_SUB_GROUP __attribute__((reqd_work_group_size(NN_MMA_ITEMS, 1, 1))) void
nn_conv2d_mma(NN_CONV_ARGUMENTS, const __global uint *sorted, ulong sorted_offset NN_CONV_PACKED) {
    __local uint4 room[NN_CONV_MMA_ROOM];
    NN_MMA_LOCAL(NN_MMA_ITEMS, NN_MMA_DOWN, NN_MMA_ACROSS)
    __local uint *const tiles = (__local uint *)room;
    const int item = (int)get_local_id(0), lane = item % NN_MMA_LANES, warp = item / NN_MMA_LANES;
    const int warp_i = warp / NN_MMA_WARPS_X * (NN_MMA_DOWN * NN_MMA_HIGH),
              warp_j = warp % NN_MMA_WARPS_X * (NN_MMA_ACROSS * NN_MMA_WIDE);
    const int j0 = (first + (int)get_group_id(0)) * NN_MMA_SIDE,
              i0 = (int)get_group_id(1) * NN_MMA_TALL;
    const int group = (int)get_group_id(2), positions = outputs_h * outputs_w,
              pixels = source_h * source_w, taps = taps_h * taps_w,
              turns = (channels + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH * taps;
    float sum[NN_MMA_DOWN][NN_MMA_ACROSS][NN_MMA_SUMS];
    (void)weight, (void)weight_offset, (void)w_group, (void)w_row, (void)w_channel, (void)w_start;
    (void)w_down, (void)w_across, (void)taps_magic, (void)taps_shift;
    (void)across_magic, (void)across_shift;
#if NN_MMA_A_FORM
    const int begin = 0, k = turns * NN_MMA_DEPTH, steps = k, m = rows, n = images * positions;
    const uint a_row = 0, a_step = 0, b_column = 0, b_step = 0;
    const __global uint *a = sorted + sorted_offset +
                             (ulong)(uint)(group * (int)get_num_groups(1)) * (ulong)(uint)turns *
                                 (ulong)(NN_MMA_TALL * 16),
                        *b = a;
    NN_COPIED_PRIVATE
    (void)source, (void)source_offset, (void)pixels;
    NN_MMA_UNROLL
    for (int q = 0; q < 4; q++) {
        const int j = min(j0 + item / 4 + q * 32, n - 1);
        const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                  place = j - image * positions;
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift),
                  ow = place - oh * outputs_w;
        b_from[q] = (const __global uchar *)(packed + packed_offset) +
                    16ul * ((ulong)(uint)(group * images + image) * (ulong)image_far +
                            (ulong)((uint)(oh * stride_h + from_h) * row_far +
                                    (uint)(ow * stride_w + from_w) * pixel_far +
                                    (uint)(item % 4)));
    }
    b_table = table + table_offset;
    NN_COPIED_LOOP
#else
    NN_CONV_XS *plane;
    float next[NN_CONV_MMA_HALF];
    int h0, w0, th = 0, tw = 0, c0 = 0; /* of the turn that is fetched next */
    sorted += sorted_offset + (ulong)group * (ulong)rows * (ulong)turns * 16ul;
    {
        const int j = min(j0 + item, images * positions - 1);
        const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                  place = j - image * positions;
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        h0 = oh * stride_h + first_h;
        w0 = (place - oh * outputs_w) * stride_w + first_w;
        plane = (NN_CONV_XS *)source + source_offset +
                (ulong)(image * groups + group) * (ulong)channels * (ulong)pixels;
    }
    NN_MMA_UNROLL
    for (int i = 0; i < NN_MMA_DOWN; i++)
        NN_MMA_UNROLL
        for (int j = 0; j < NN_MMA_ACROSS; j++)
            NN_MMA_UNROLL
            for (int e = 0; e < NN_MMA_SUMS; e++) sum[i][j][e] = 0.0f;
#pragma unroll 1
    for (int turn = -1; turn < turns; turn++) {
        const int odd = turn & 1;
        const bool more = turn + 1 < turns;
        const __local uint *at = tiles + odd * NN_MMA_TURN + warp_i * NN_MMA_LINE,
                           *bt = tiles + (2 + odd) * NN_MMA_TURN + warp_j * NN_MMA_LINE;
        __local uint *a_to = tiles + (1 - odd) * NN_MMA_TURN,
                     *b_to = tiles + (3 - odd) * NN_MMA_TURN;
        const int h = h0 + th * step_h, v = w0 + tw * step_w;
        const bool inside = (uint)h < (uint)source_h && (uint)v < (uint)source_w;
        NN_CONV_XS *pixel =
            plane + ((ulong)(uint)c0 * (ulong)(uint)pixels +
                     (inside ? (ulong)(uint)(h * source_w + v) : 0ul));
        if (more) {
            NN_CONV_MMA_WEIGHTS(a_to, turn + 1)
            NN_CONV_MMA_FETCH(0)
        }
        if (turn >= 0) {
            NN_MMA_STEP(sum, at, bt, 0, NN_MMA_DOWN, NN_MMA_ACROSS, lane)
        }
        if (more) {
            NN_CONV_MMA_PUT(b_to, 0)
            NN_CONV_MMA_FETCH(1)
        }
        if (turn >= 0) {
            NN_MMA_STEP(sum, at, bt, 1, NN_MMA_DOWN, NN_MMA_ACROSS, lane)
        }
        if (more) {
            NN_CONV_MMA_PUT(b_to, 1)
        }
        if (++tw == taps_w) {
            tw = 0;
            if (++th == taps_h) {
                th = 0;
                c0 += NN_MMA_DEPTH;
            }
        }
        NN_MMA_COPIED
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* the next turn is written, and this one is read */
    }
#endif
    NN_MMA_UNROLL
    for (int j = 0; j < NN_MMA_ACROSS; j++)
        NN_MMA_UNROLL
        for (int e = 0; e < NN_MMA_SUMS; e++) {
            const int column = j0 + warp_j + j * NN_MMA_WIDE + NN_MMA_COLUMN(lane, e);
            const int image = (int)nn_conv_divide((uint)column, positions_magic, positions_shift),
                      place = column - image * positions;
            const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift),
                      ow = place - oh * outputs_w;
            NN_CONV_YS *to = (NN_CONV_YS *)y + y_offset +
                             (ulong)(image * groups + group) * (ulong)rows * (ulong)y_plane +
                             (ulong)(y_start + oh * y_down + ow * y_across);
            if (column < images * positions)
                NN_MMA_UNROLL
                for (int i = 0; i < NN_MMA_DOWN; i++) {
                    const int row = i0 + warp_i + i * NN_MMA_HIGH + NN_MMA_ROW(lane, e);
                    float value = sum[i][j][e];
                    if (row < rows) {
                        const ulong place_of = (ulong)row * (ulong)y_plane;
                        if (accumulate) value += NN_STORED_AT(NN_CONV_Y)(to, place_of);
                        if (bias) value += bias[bias_offset + (ulong)(group * rows + row)];
                        NN_STORED_PUT(NN_CONV_Y)
                        (to, place_of, activation == NN_ACTIVATION_RELU ? nn_relu(value) : value);
                    }
                }
        }
    if (activation <= NN_ACTIVATION_RELU) return;
    /* Other activations are long: they are compiled once here, not for each sum above. */
#pragma unroll 1
    for (int q = 0; q < NN_MMA_DOWN * NN_MMA_ACROSS * NN_MMA_SUMS; q++) {
        const int i = q / (NN_MMA_ACROSS * NN_MMA_SUMS), jj = q / NN_MMA_SUMS % NN_MMA_ACROSS,
                  e = q % NN_MMA_SUMS;
        const int row = i0 + warp_i + i * NN_MMA_HIGH + NN_MMA_ROW(lane, e),
                  column = j0 + warp_j + jj * NN_MMA_WIDE + NN_MMA_COLUMN(lane, e);
        if (row < rows && column < images * positions) {
            const int image = (int)nn_conv_divide((uint)column, positions_magic, positions_shift),
                      place = column - image * positions;
            const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift),
                      ow = place - oh * outputs_w;
            NN_CONV_YS *to = (NN_CONV_YS *)y + y_offset +
                             ((ulong)(image * groups + group) * (ulong)rows + (ulong)row) *
                                 (ulong)y_plane +
                             (ulong)(y_start + oh * y_down + ow * y_across);
            NN_STORED_PUT(NN_CONV_Y)
            (to, 0, nn_activate(activation, NN_STORED_AT(NN_CONV_Y)(to, 0)));
        }
    }
}
#endif

#if NN_CONV_ONLY == 19
#if !NN_MMA_A_FORM
/* A work-item fetches one position of a turn, for lines that are NN_CONV_MMA_APART apart. */
#define NN_CONV_MMA_APART (NN_MMA_ITEMS / NN_MMA_DEPTH)
/* Fetches the work-item's lines of a tile that begins at line `first` of `lines`, `far` numbers
   apart, from one position on. */
#define NN_CONV_MMA_LINES(type, from, first, lines, far, inside, otherwise)                        \
    {                                                                                              \
        const int own = NN_CONV_WHOLE ? line : nn_mma_item() / NN_MMA_DEPTH;                       \
        const __global NN_STORED(type) *at_line =                                                  \
            from + (ulong)(uint)min((first) + own, (lines)-1) * (ulong)(uint)(far);                \
        const int step_far = NN_CONV_MMA_APART * (far);                                            \
        NN_MMA_UNROLL for (int q = 0; q < NN_MMA_SIDE / NN_CONV_MMA_APART; q++) {                  \
            next[q] = (inside) ? NN_STORED_AT(type)(at_line, 0) : (otherwise);                     \
            if (NN_CONV_WHOLE || (first) + own + (q + 1) * NN_CONV_MMA_APART < (lines))            \
                at_line += step_far;                                                               \
        }                                                                                          \
    }

#endif

/* Groups: tiles of columns, tiles of rows, groups times splits. A tile of columns has up to
   NN_MMA_SIDE channels of one tap: first all blocks of channels of a tap, then the next tap. The
   tile after the last tap has the gradient of the bias, as a column of ones. first: the first
   split. */
__kernel NN_MMA_SUB_GROUP __attribute__((reqd_work_group_size(NN_MMA_ITEMS, 1, 1))) void
nn_conv2d_weight_mma(NN_CONV_WEIGHT_ARGUMENTS NN_CONV_PACKED) {
    __local uint4 room[NN_CONV_MMA_ROOM];
    NN_MMA_LOCAL(NN_MMA_ITEMS, NN_MMA_DOWN, NN_MMA_ACROSS)
    __local uint *const tiles = (__local uint *)room;
    const int item = (int)get_local_id(0), lane = item % NN_MMA_LANES, warp = item / NN_MMA_LANES;
    const int warp_i = warp / NN_MMA_WARPS_X * (NN_MMA_DOWN * NN_MMA_HIGH),
              warp_j = warp % NN_MMA_WARPS_X * (NN_MMA_ACROSS * NN_MMA_WIDE);
    const int blocks = (channels + NN_MMA_SIDE - 1) / NN_MMA_SIDE,
              tap = (int)get_group_id(0) / blocks,
              c0 = ((int)get_group_id(0) - tap * blocks) * NN_MMA_SIDE,
              i0 = (int)get_group_id(1) * NN_MMA_SIDE;
    const int part = (int)get_group_id(2) / groups, group = (int)get_group_id(2) - part * groups,
              split = first + part;
    const int positions = outputs_h * outputs_w, taps = taps_h * taps_w, columns = channels * taps,
              pixels = source_h * source_w, begin = split * chunk,
              end = min(images * positions, begin + chunk);
    float sum[NN_MMA_DOWN][NN_MMA_ACROSS][NN_MMA_SUMS];
#if NN_MMA_A_FORM
    /* Here packed is x, and y is a packed dy. The column of ones lies before the table. */
    const int k = images * positions, steps = end - begin,
              turns = (steps + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH,
              m = (rows + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH * NN_MMA_DEPTH,
              n = tap == taps ? 128 : (int)pixel_far * (NN_MMA_DEPTH / 4), j0 = c0;
    const uint a_row = 0, a_step = (uint)m, b_column = 0, b_step = 0;
    const __global uint *a = (const __global uint *)y + y_offset +
                             (ulong)(uint)group *
                                 (NN_COPIED_PAIRS
                                      ? (ulong)(uint)((rows + 127) / 128 * 2048) *
                                            (ulong)(uint)((k + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH)
                                      : (ulong)(uint)k * (ulong)(uint)(m / (NN_MMA_DEPTH / 16))),
                        *b = a;
    NN_COPIED_PRIVATE
    (void)x, (void)x_offset, (void)pixels, (void)first_h, (void)first_w, (void)stride_h;
    (void)stride_w, (void)positions_magic, (void)positions_shift, (void)columns_magic;
    (void)columns_shift;
    b_table = table + table_offset;
    b_mask = tap == taps ? 0u : ~0u;
    b_from[0] = tap == taps
                    ? (const __global uchar *)(b_table - 128)
                    : (const __global uchar *)(packed + packed_offset) +
                          16ul * ((ulong)(uint)(group * images) * (ulong)image_far +
                                  (ulong)((uint)(from_h + tap / taps_w * step_h) * row_far +
                                          (uint)(from_w + tap % taps_w * step_w) * pixel_far +
                                          (uint)(c0 / (16 / NN_COPIED_BYTES))));
    b_from[0] += item % NN_COPIED_BESIDE * NN_COPIED_GROUP;
    b_table += begin + NN_COPIED_STEP;
    NN_COPIED_LOOP
#else
    const int step = item % NN_MMA_DEPTH, line = item / NN_MMA_DEPTH;
    const int h_tap = first_h + tap / taps_w * step_h, w_tap = first_w + tap % taps_w * step_w;
    float next[NN_MMA_DEPTH];
    const NN_CONV_YS *dys =
        (const NN_CONV_YS *)y + y_offset + (ulong)group * (ulong)rows * (ulong)positions;
    NN_CONV_XS *xs = (NN_CONV_XS *)x + x_offset + (ulong)group * (ulong)channels * (ulong)pixels;
    NN_MMA_UNROLL
    for (int i = 0; i < NN_MMA_DOWN; i++)
        NN_MMA_UNROLL
        for (int j = 0; j < NN_MMA_ACROSS; j++)
            NN_MMA_UNROLL
            for (int e = 0; e < NN_MMA_SUMS; e++) sum[i][j][e] = 0.0f;
#pragma unroll 1
    for (int l = begin - NN_MMA_DEPTH, odd = 1; l < end; l += NN_MMA_DEPTH, odd = 1 - odd) {
        const bool more = l + NN_MMA_DEPTH < end;
        const __local uint *at = tiles + odd * NN_MMA_TURN + warp_i * NN_MMA_LINE,
                           *bt = tiles + (2 + odd) * NN_MMA_TURN + warp_j * NN_MMA_LINE;
        __local uint *a_to = tiles + (1 - odd) * NN_MMA_TURN + line * NN_MMA_LINE,
                     *b_to = tiles + (3 - odd) * NN_MMA_TURN + line * NN_MMA_LINE;
        const int position = min(l + NN_MMA_DEPTH + step, images * positions - 1);
        const bool live = l + NN_MMA_DEPTH + step < end;
        const int image = (int)nn_conv_divide((uint)position, positions_magic, positions_shift),
                  place = position - image * positions;
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        const int h = oh * stride_h + h_tap, v = (place - oh * outputs_w) * stride_w + w_tap;
        const bool inside = live && tap < taps && (uint)h < (uint)source_h &&
                            (uint)v < (uint)source_w;
        const NN_CONV_YS *dy = dys + ((ulong)image * (ulong)(groups * rows) * (ulong)positions +
                                      (ulong)place);
        NN_CONV_XS *from = xs + ((ulong)image * (ulong)(groups * channels) * (ulong)pixels +
                                 (inside ? (ulong)(uint)(h * source_w + v) : 0ul));
        if (more) {
            NN_CONV_MMA_LINES(NN_CONV_Y, dy, i0, rows, positions, live, 0.0f)
        }
        if (l >= begin) {
            NN_MMA_STEP(sum, at, bt, 0, NN_MMA_DOWN, NN_MMA_ACROSS, lane)
        }
        if (more) {
            NN_MMA_UNROLL
            for (int q = 0; q < NN_MMA_SIDE / NN_CONV_MMA_APART; q++)
                nn_conv_mma_put(a_to + q * (NN_CONV_MMA_APART * NN_MMA_LINE), step, next[q]);
            NN_CONV_MMA_LINES(NN_CONV_X, from, c0, channels, pixels, inside,
                              live && tap == taps ? 1.0f : 0.0f)
        }
        if (l >= begin) {
            NN_MMA_STEP(sum, at, bt, 1, NN_MMA_DOWN, NN_MMA_ACROSS, lane)
        }
        if (more) {
            NN_MMA_UNROLL
            for (int q = 0; q < NN_MMA_SIDE / NN_CONV_MMA_APART; q++)
                nn_conv_mma_put(b_to + q * (NN_CONV_MMA_APART * NN_MMA_LINE), step, next[q]);
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* the next turn is written, and this one is read */
    }
#endif
    partial +=
        partial_offset + (ulong)(split * groups + group) * (ulong)rows * (ulong)(columns + 1);
    NN_MMA_UNROLL
    for (int i = 0; i < NN_MMA_DOWN; i++)
        NN_MMA_UNROLL
        for (int j = 0; j < NN_MMA_ACROSS; j++)
            NN_MMA_UNROLL
            for (int e = 0; e < NN_MMA_SUMS; e++) {
                const int row = i0 + warp_i + NN_COPIED_ROW(i, lane, e),
                          c = c0 + warp_j + NN_COPIED_COLUMN(j, lane, e);
                if (row < rows && (tap < taps ? c < channels : c == 0))
                    partial[(ulong)row * (ulong)(columns + 1) +
                            (ulong)(tap < taps ? c * taps + tap : columns)] = sum[i][j][e];
            }
}
#endif
#endif
