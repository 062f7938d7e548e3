/* kernels/conv2d/opencl_gpu.cl - convolutions on GPUs: the work-items of a group together fetch
   tiles into local memory. The macros and the arguments are those of opencl.cl. */
#define NN_CONV_ITEMS (NN_CONV_DOWN * NN_CONV_ACROSS)
#define NN_CONV_TALL  (NN_CONV_DOWN * NN_CONV_HEIGHT)               /* rows of the tile */
#define NN_CONV_WIDE  (NN_CONV_ACROSS * 4)                          /* columns of the tile */
#define NN_CONV_DEEP  16                                            /* steps of depth in a tile */
/* numbers that one work-item fetches */
#define NN_CONV_A     (NN_CONV_TALL * NN_CONV_DEEP / NN_CONV_ITEMS)
#define NN_CONV_B     (NN_CONV_WIDE * NN_CONV_DEEP / NN_CONV_ITEMS)

/* Adds at^T bt of one tile to sum: this work-item's 4 columns and NN_CONV_HEIGHT rows. */
#define NN_CONV_MULTIPLY()                                                                         \
    _Pragma("unroll 4") for (int s = 0; s < NN_CONV_DEEP; s++) {                                   \
        const float4 bv = bt[s][tx];                                                               \
        _Pragma("unroll") for (int i = 0; i < NN_CONV_HEIGHT / 4; i++) {                           \
            const float4 av = at[s][ty * (NN_CONV_HEIGHT / 4) + i];                                \
            sum[4 * i + 0] += av.x * bv;                                                           \
            sum[4 * i + 1] += av.y * bv;                                                           \
            sum[4 * i + 2] += av.z * bv;                                                           \
            sum[4 * i + 3] += av.w * bv;                                                           \
        }                                                                                          \
    }

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 5

/* NN_CONV_CUT: the depth is cut into parts of `chunk` steps, each with its own work-group, because
   there are too few tiles to fill the device.
   1: each part writes its sums, laid out as y, and another launch adds them.
   2: the last work-group of a tile to finish adds the sums of all parts, in order. No work-group
      waits for another. `turns` counts the finished work-groups of each tile, and is zero before
      and after the launch. */
#ifndef NN_CONV_CUT
#define NN_CONV_CUT 0
#endif
#if NN_CONV_CUT
#define NN_CONV_CUT_ARGUMENTS                                                                      \
    , int chunk, __global float *pieces, ulong pieces_offset, volatile __global uint *turns
#else
#define NN_CONV_CUT_ARGUMENTS
#endif
/* Makes earlier writes of this work-group visible to all others (kernels/matmul/opencl_ends.cl). */
#if defined(__NV_CL_C_VERSION) || defined(cl_nv_pragma_unroll)
#define NN_CONV_FENCE __asm__ volatile("membar.gl;" ::: "memory");
#else
#define NN_CONV_FENCE mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif

/* Groups: tiles of positions of all images, tiles of rows, groups (times parts). first: the first
   tile of positions. */
__kernel __attribute__((reqd_work_group_size(NN_CONV_ITEMS, 1, 1))) void
nn_conv2d_tiles(NN_CONV_ARGUMENTS NN_CONV_CUT_ARGUMENTS) {
    __local float4 at[NN_CONV_DEEP][NN_CONV_TALL / 4 + 1], bt[NN_CONV_DEEP][NN_CONV_WIDE / 4 + 1];
#if NN_CONV_CUT == 2
    __local int last[1];
#endif
    const int item = (int)get_local_id(0), ty = item / NN_CONV_ACROSS,
              tx = item - ty * NN_CONV_ACROSS;
    const int j0 = (first + (int)get_group_id(0)) * NN_CONV_WIDE,
              i0 = (int)get_group_id(1) * NN_CONV_TALL;
#if NN_CONV_CUT
    const int part = (int)get_group_id(2) / groups, group = (int)get_group_id(2) - part * groups,
              from = part * chunk, depth = min(channels * taps_h * taps_w, from + chunk);
#else
    const int group = (int)get_group_id(2), from = 0, depth = channels * taps_h * taps_w;
#endif
    const int positions = outputs_h * outputs_w;
    const int a_row = item / NN_CONV_DEEP,
              a_step = item - a_row * NN_CONV_DEEP; /* one step; rows ITEMS / DEEP apart */
    const int b_step = item / NN_CONV_WIDE,
              b_column = item - b_step * NN_CONV_WIDE; /* one column; steps ITEMS / WIDE apart */
    float4 sum[NN_CONV_HEIGHT];
    float a_next[NN_CONV_A], b_next[NN_CONV_B];
    int h0, w0;
    NN_CONV_POOL_IGNORES;
#if NN_CONV_POOL == 2
    const int windows = source_h / 2 * (source_w / 2);
    ulong plane;
    source += source_offset;
    kept += cached_offset;
    where += where_offset;
#else
    const __global float *plane;
#endif
    {
        const int j = min(j0 + b_column, images * positions - 1);
        const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                  place = j - image * positions;
#if NN_CONV_POOL == 1 /* the four positions of a window, then the next window */
        const int ph = (int)nn_conv_divide((uint)place / 4, columns_magic, columns_shift);
        h0 = 2 * ph + (place >> 1 & 1) + first_h;
        w0 = 2 * (place / 4 - ph * (outputs_w / 2)) + (place & 1) + first_w;
#else
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        h0 = oh * stride_h + first_h;
        w0 = (place - oh * outputs_w) * stride_w + first_w;
#endif
#if NN_CONV_POOL == 2
        plane = (ulong)image * (ulong)channels * (ulong)windows;
#else
        plane = source + source_offset +
                (ulong)(image * groups + group) * (ulong)channels * (ulong)(source_h * source_w);
#endif
    }
    weight += weight_offset + (ulong)group * (ulong)w_group + (ulong)w_start;
#pragma unroll
    for (int i = 0; i < NN_CONV_HEIGHT; i++) sum[i] = (float4)(0.0f);
    for (int l = from - NN_CONV_DEEP; l < depth; l += NN_CONV_DEEP) {
        const int next = l + NN_CONV_DEEP;
        {
            const int d = next + a_step, c = (int)nn_conv_divide((uint)d, taps_magic, taps_shift),
                      tap = d - c * taps_h * taps_w;
            const int th = (int)nn_conv_divide((uint)tap, across_magic, across_shift),
                      tw = tap - th * taps_w;
            const int at_tap = c * w_channel + th * w_down + tw * w_across;
#pragma unroll
            for (int q = 0; q < NN_CONV_A; q++) {
                const int i = i0 + a_row + q * (NN_CONV_ITEMS / NN_CONV_DEEP);
                a_next[q] = i < rows && d < depth ? weight[i * w_row + at_tap] : 0.0f;
            }
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_B; q++) {
            const int d = next + b_step + q * (NN_CONV_ITEMS / NN_CONV_WIDE);
            const int c = (int)nn_conv_divide((uint)d, taps_magic, taps_shift),
                      tap = d - c * taps_h * taps_w;
            const int th = (int)nn_conv_divide((uint)tap, across_magic, across_shift);
            const int h = h0 + th * step_h, v = w0 + (tap - th * taps_w) * step_w;
            b_next[q] = 0.0f;
            if (d < depth && h >= 0 && h < source_h && v >= 0 && v < source_w)
#if NN_CONV_POOL == 2
                b_next[q] = nn_conv_spread(source, kept, where, plane + (ulong)(c * windows),
                                           source_w / 2, h, v, relu);
#else
                b_next[q] = plane[(c * source_h + h) * source_w + v];
#endif
        }
        if (next > from) { /* not before the first tiles are loaded */
            NN_CONV_MULTIPLY()
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads are done */
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_A; q++)
            ((__local float *)at[a_step])[a_row + q * (NN_CONV_ITEMS / NN_CONV_DEEP)] = a_next[q];
#pragma unroll
        for (int q = 0; q < NN_CONV_B; q++)
            ((__local float *)bt[b_step + q * (NN_CONV_ITEMS / NN_CONV_WIDE)])[b_column] =
                b_next[q];
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
    }
#if NN_CONV_POOL == 1
    {
        const int j = j0 + tx * 4;
        if (j < images * positions) {
            const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift);
            const ulong at = (ulong)image * (ulong)rows * (ulong)(positions / 4) +
                             (ulong)((j - image * positions) / 4);
#pragma unroll
            for (int i = 0; i < NN_CONV_HEIGHT; i++) {
                const int row = i0 + ty * NN_CONV_HEIGHT + i;
                if (row < rows) {
                    const ulong to = at + (ulong)row * (ulong)(positions / 4);
                    int which;
                    float best = nn_conv_largest(sum[i], &which);
                    if (bias) best += bias[bias_offset + (ulong)row];
                    y[y_offset + to] = activation == NN_ACTIVATION_RELU ? nn_relu(best) : best;
                    if (where) where[where_offset + to] = (uchar)which;
                }
            }
        }
    }
#else
    int end = images * positions; /* one past the last position to be stored */
#if NN_CONV_CUT == 1
    (void)pieces, (void)pieces_offset, (void)turns;
    y_offset += (ulong)part * (ulong)(images * groups) * (ulong)rows * (ulong)y_plane;
#elif NN_CONV_CUT == 2
    {
        const int tile = (group * (int)get_num_groups(1) + (int)get_group_id(1)) *
                             (int)get_num_groups(0) +
                         (int)get_group_id(0),
                  parts = (int)get_num_groups(2) / groups;
        volatile __global float4 *const piece =
            (volatile __global float4 *)(pieces + pieces_offset) +
            (ulong)(tile * parts) * (ulong)(NN_CONV_HEIGHT * NN_CONV_ITEMS) + (ulong)item;
#pragma unroll
        for (int i = 0; i < NN_CONV_HEIGHT; i++)
            piece[(part * NN_CONV_HEIGHT + i) * NN_CONV_ITEMS] = sum[i];
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
        if (item == 0) {
            NN_CONV_FENCE
            last[0] = atomic_inc(turns + tile) == (uint)parts - 1u;
            NN_CONV_FENCE
            if (last[0]) turns[tile] = 0u;
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        end = last[0] ? end : 0;
        if (last[0]) {
#pragma unroll
            for (int i = 0; i < NN_CONV_HEIGHT; i++) sum[i] = (float4)(0.0f);
#pragma unroll 4
            for (int s = 0; s < parts; s++)
#pragma unroll
                for (int i = 0; i < NN_CONV_HEIGHT; i++)
                    sum[i] += piece[(s * NN_CONV_HEIGHT + i) * NN_CONV_ITEMS];
        }
    }
#endif
#pragma unroll
    for (int q = 0; q < 4; q++) {
        const int j = j0 + tx * 4 + q;
        if (j < end) {
            const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                      place = j - image * positions;
            const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift),
                      ow = place - oh * outputs_w;
            __global float *to = y + y_offset +
                                 (ulong)(image * groups + group) * (ulong)rows * (ulong)y_plane +
                                 (ulong)(y_start + oh * y_down + ow * y_across);
#pragma unroll
            for (int i = 0; i < NN_CONV_HEIGHT; i++) {
                const int row = i0 + ty * NN_CONV_HEIGHT + i;
                if (row < rows) {
                    float value = q == 0   ? sum[i].x
                                  : q == 1 ? sum[i].y
                                  : q == 2 ? sum[i].z
                                           : sum[i].w;
                    if (accumulate) value += to[(ulong)row * (ulong)y_plane];
                    if (bias) value += bias[bias_offset + (ulong)(group * rows + row)];
                    to[(ulong)row * (ulong)y_plane] =
                        activation == NN_ACTIVATION_RELU ? nn_relu(value) : value;
                }
            }
        }
    }
    if (activation <= NN_ACTIVATION_RELU) return;
    /* Other activations are long: they are compiled once here, not for each sum above. */
#pragma unroll 1
    for (int i = 0; i < 4 * NN_CONV_HEIGHT; i++) {
        const int j = j0 + tx * 4 + (i & 3), row = i0 + ty * NN_CONV_HEIGHT + (i >> 2);
        if (j < end && row < rows) {
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
#endif
}
#endif

#if NN_CONV_ONLY == 0 || NN_CONV_ONLY == 6

/* Groups: tiles of columns (C R S, and one more for dbias), tiles of rows, groups times splits.
   first: the first split. */
__kernel __attribute__((reqd_work_group_size(NN_CONV_ITEMS, 1, 1))) void
nn_conv2d_weight_tiles(NN_CONV_WEIGHT_ARGUMENTS) {
    __local float4 at[NN_CONV_DEEP][NN_CONV_TALL / 4 + 1], bt[NN_CONV_DEEP][NN_CONV_WIDE / 4 + 1];
    const int item = (int)get_local_id(0), ty = item / NN_CONV_ACROSS,
              tx = item - ty * NN_CONV_ACROSS;
    const int j0 = (int)get_group_id(0) * NN_CONV_WIDE, i0 = (int)get_group_id(1) * NN_CONV_TALL;
    const int part = (int)get_group_id(2) / groups, group = (int)get_group_id(2) - part * groups,
              split = first + part;
    const int positions = outputs_h * outputs_w, columns = channels * taps_h * taps_w,
              end = min(images * positions, (split + 1) * chunk);
    const int line = item / NN_CONV_DEEP,
              step = item - line * NN_CONV_DEEP; /* one step; rows or columns ITEMS / DEEP apart */
    float4 sum[NN_CONV_HEIGHT];
    float a_next[NN_CONV_A], b_next[NN_CONV_B];
    int b_channel[NN_CONV_B], b_h[NN_CONV_B],
        b_w[NN_CONV_B]; /* of this work-item's columns; channel -1: ones, -2: none */
#pragma unroll
    for (int q = 0; q < NN_CONV_B; q++) {
        const int j = j0 + line + q * (NN_CONV_ITEMS / NN_CONV_DEEP), c = j / (taps_h * taps_w),
                  tap = j - c * taps_h * taps_w;
        const int th = tap / taps_w;
        b_channel[q] = j < columns ? c : j == columns ? -1 : -2;
        b_h[q] = first_h + th * step_h;
        b_w[q] = first_w + (tap - th * taps_w) * step_w;
    }
    y += y_offset;
    x += x_offset;
#if NN_CONV_POOL == 2
    kept += cached_offset;
    where += where_offset;
#endif
#pragma unroll
    for (int i = 0; i < NN_CONV_HEIGHT; i++) sum[i] = (float4)(0.0f);
    for (int l = split * chunk - NN_CONV_DEEP; l < end; l += NN_CONV_DEEP) {
        const int d = l + NN_CONV_DEEP + step;
        const int image = (int)nn_conv_divide((uint)d, positions_magic, positions_shift),
                  place = d - image * positions;
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        const int h0 = oh * stride_h, w0 = (place - oh * outputs_w) * stride_w;
#if NN_CONV_POOL == 2
        const ulong windows = (ulong)(positions / 4), dy = (ulong)image * (ulong)rows * windows;
#else
        const __global float *dy =
            y + (ulong)(image * groups + group) * (ulong)rows * (ulong)positions + (ulong)place;
#endif
        const __global float *from =
            x + (ulong)(image * groups + group) * (ulong)channels * (ulong)(source_h * source_w);
#pragma unroll
        for (int q = 0; q < NN_CONV_A; q++) {
            const int i = i0 + line + q * (NN_CONV_ITEMS / NN_CONV_DEEP);
            a_next[q] = 0.0f;
            if (i < rows && d < end)
#if NN_CONV_POOL == 2
                a_next[q] = nn_conv_spread(y, kept, where, dy + (ulong)i * windows, outputs_w / 2,
                                           oh, place - oh * outputs_w, relu);
#else
                a_next[q] = dy[(ulong)i * (ulong)positions];
#endif
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_B; q++) {
            const int h = h0 + b_h[q], v = w0 + b_w[q];
            b_next[q] = b_channel[q] == -1 ? 1.0f : 0.0f;
            if (b_channel[q] >= 0 && d < end && h >= 0 && h < source_h && v >= 0 && v < source_w)
                b_next[q] = from[(b_channel[q] * source_h + h) * source_w + v];
        }
        if (l >= split * chunk) { /* not before the first tiles are loaded */
            NN_CONV_MULTIPLY()
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads are done */
        }
#pragma unroll
        for (int q = 0; q < NN_CONV_A; q++)
            ((__local float *)at[step])[line + q * (NN_CONV_ITEMS / NN_CONV_DEEP)] = a_next[q];
#pragma unroll
        for (int q = 0; q < NN_CONV_B; q++)
            ((__local float *)bt[step])[line + q * (NN_CONV_ITEMS / NN_CONV_DEEP)] = b_next[q];
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
    }
    partial +=
        partial_offset + (ulong)(split * groups + group) * (ulong)rows * (ulong)(columns + 1);
#pragma unroll
    for (int i = 0; i < NN_CONV_HEIGHT; i++) {
        const int row = i0 + ty * NN_CONV_HEIGHT + i;
        const float values[4] = {sum[i].x, sum[i].y, sum[i].z, sum[i].w};
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const int j = j0 + tx * 4 + q;
            if (row < rows && j <= columns)
                partial[(ulong)row * (ulong)(columns + 1) + (ulong)j] = values[q];
        }
    }
}
#endif
