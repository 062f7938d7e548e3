/* kernels/conv2d/opencl_weight_few.cl - the gradients of weight and bias on GPUs, if a group has
   few rows or one channel: such products would fill only an eighth of a tile. A work-item goes down
   a column of dy. For NN_CONV_LINES rows at a time, it fetches each number of dy and of x once. Its
   registers are the sums of NN_CONV_FILTERS rows x NN_CONV_TAPS_H x NN_CONV_TAPS_W taps of one
   channel. Neighbouring work-items have neighbouring columns, so their loads coalesce. At the end,
   a group adds its work-items' sums in a fixed order.

   NN_CONV_TAPS_H, NN_CONV_TAPS_W: rows and columns of the taps of a work-group, which may be a part
   of the filter. NN_CONV_STRIDE: taps in x from one row of dy to the next.
   NN_CONV_DILATED: 0: taps are neighbours, and so are the rows of dy. */
#if NN_CONV_POOL == 0 && (NN_CONV_ONLY == 0 || NN_CONV_ONLY == 14)
#ifndef NN_CONV_FILTERS
#define NN_CONV_FILTERS 4
#define NN_CONV_TAPS_H  3
#define NN_CONV_TAPS_W  3
#define NN_CONV_DILATED 1
#endif
#ifndef NN_CONV_STRIDE
#define NN_CONV_STRIDE 1
#endif
#define NN_CONV_FEW_TEAM 64 /* work-items per group; opencl_weight_few.c has the same number */
/* Rows of dy that are processed together, if they share rows of x and if the registers hold their
   addresses and conditions (scalar registers on AMD). */
#if NN_CONV_STRIDE == 1 && !NN_CONV_DILATED && !defined(__AMDGCN__)
#define NN_CONV_LINES 4
#elif NN_CONV_STRIDE + NN_CONV_DILATED < 3
#define NN_CONV_LINES 2
#else
#define NN_CONV_LINES 1
#endif
#define NN_CONV_FEW_TAPS (NN_CONV_TAPS_H * NN_CONV_TAPS_W)
#if NN_CONV_DILATED
#define NN_CONV_APART(steps) (steps)
#else
#define NN_CONV_APART(steps) 1
#endif

/* Loads from less than 2^32 bytes after an address that all work-items share. On AMD this takes one
   instruction less per load than a 64-bit address per work-item. */
#define NN_CONV_AT(base, bytes)                                                                    \
    (*(const __global float *)((const __global char *)(base) + (uint)(bytes)))

/* Loads one number of each filter's row of dy. Beyond the last filter, the last one is read: those
   sums are not stored. */
#if NN_CONV_FILTERS == 1
typedef float nn_conv_filters;
#define NN_CONV_ROWS_OF(at) NN_CONV_AT(dy, at)
#elif NN_CONV_FILTERS == 2
typedef float2 nn_conv_filters;
#define NN_CONV_ROWS_OF(at)                                                                        \
    (float2)(NN_CONV_AT(dy, at), NN_CONV_AT(dy, (at) + min(1, last_row) * plane_bytes))
#elif NN_CONV_FILTERS == 3
typedef float3 nn_conv_filters;
#define NN_CONV_ROWS_OF(at)                                                                        \
    (float3)(NN_CONV_AT(dy, at), NN_CONV_AT(dy, (at) + min(1, last_row) * plane_bytes),            \
             NN_CONV_AT(dy, (at) + min(2, last_row) * plane_bytes))
#else
typedef float4 nn_conv_filters;
#define NN_CONV_ROWS_OF(at)                                                                        \
    (float4)(NN_CONV_AT(dy, at), NN_CONV_AT(dy, (at) + min(1, last_row) * plane_bytes),            \
             NN_CONV_AT(dy, (at) + min(2, last_row) * plane_bytes),                                \
             NN_CONV_AT(dy, (at) + min(3, last_row) * plane_bytes))
#endif

/* Adds `many` rows of dy, from `from` on. Tap 0 of the first reads row h of x. */
#define NN_CONV_FEW_ADD(many)                                                                      \
    {                                                                                              \
        nn_conv_filters g[many];                                                                   \
        _Pragma("unroll") for (int q = 0; q < many; q++) g[q] = NN_CONV_ROWS_OF(from + q * down);  \
        if (ones)                                                                                  \
            _Pragma("unroll") for (int q = 0; q < many; q++) bias += g[q];                         \
        _Pragma("unroll") for (int i = 0; i < (many - 1) * NN_CONV_STRIDE + NN_CONV_TAPS_H; i++) { \
            const int here =                                                                       \
                (uint)(h + i * NN_CONV_APART(step_h)) < (uint)source_h ? inside : 0;               \
            const __global float *row = at + i * across;                                           \
            float in[NN_CONV_TAPS_W];                                                              \
            _Pragma("unroll") for (int t = 0; t < NN_CONV_TAPS_W; t++) {                           \
                in[t] = 0.0f;                                                                      \
                if (here & 1 << t) in[t] = row[t * NN_CONV_APART(step_w)];                         \
            }                                                                                      \
            _Pragma("unroll") for (int q = 0; q < many; q++) {                                     \
                const int r = i - q * NN_CONV_STRIDE;                                              \
                if (r >= 0 && r < NN_CONV_TAPS_H)                                                  \
                    _Pragma("unroll") for (int t = 0; t < NN_CONV_TAPS_W; t++)                     \
                        sum[r * NN_CONV_TAPS_W + t] += g[q] * in[t];                               \
            }                                                                                      \
        }                                                                                          \
    }

/* Partial sums as in NN_CONV_WEIGHT_ARGUMENTS. A strip is one column of at most `tall` rows of dy
   in one image; the rows are `apart` from each other. Strips are counted by column, then within a
   column, then by image. taps_h, taps_w: of the whole weight. Groups: the first extent counts
   blocks of tap columns, of tap rows, of filters, then channels and groups of the convolution; the
   second counts splits from `first` on, of `chunk` strips each. */
__kernel __attribute__((reqd_work_group_size(NN_CONV_FEW_TEAM, 1, 1))) void
nn_conv2d_weight_few(__global float *partial, ulong partial_offset, const __global float *dy,
                     ulong dy_offset, const __global float *x, ulong x_offset, int rows,
                     int channels, int groups, int source_h, int source_w, int outputs_h,
                     int outputs_w, int taps_h, int taps_w, int first_h, int first_w, int step_h,
                     int step_w, int stride_h, int stride_w, int apart, int strips, int tall,
                     int blocks, int chunk, uint columns_magic, uint columns_shift,
                     uint blocks_magic, uint blocks_shift, int first) {
    __local nn_conv_filters sums[NN_CONV_FEW_TAPS + 1][NN_CONV_FEW_TEAM + 1];
    const int item = (int)get_local_id(0), split = first + (int)get_group_id(1),
              end = min(strips, (split + 1) * chunk);
    const int parts_h = (taps_h + NN_CONV_TAPS_H - 1) / NN_CONV_TAPS_H,
              parts_w = (taps_w + NN_CONV_TAPS_W - 1) / NN_CONV_TAPS_W,
              parts_k = (rows + NN_CONV_FILTERS - 1) / NN_CONV_FILTERS;
    int place = (int)get_group_id(0); /* index of the group's part, tap columns first */
    const int tap_w = place % parts_w * NN_CONV_TAPS_W;
    place /= parts_w;
    const int tap_h = place % parts_h * NN_CONV_TAPS_H;
    place /= parts_h;
    const int row0 = place % parts_k * NN_CONV_FILTERS, plane = place / parts_k; /* plane: of x */
    const int group = plane / channels, c = plane - group * channels;
    const int positions = outputs_h * outputs_w, pixels = source_h * source_w,
              across = NN_CONV_APART(step_h) * source_w,
              down = 4 * NN_CONV_APART(apart) * outputs_w; /* in bytes */
    const bool ones = tap_h == 0 && tap_w == 0 && c == 0; /* this work-group also computes the
                                                             bias */
    const int last_row = rows - 1 - row0, plane_bytes = 4 * positions;
    (void)plane_bytes; /* unused with one filter */
    (void)step_h, (void)step_w, (void)apart; /* unused if taps are neighbours */
    nn_conv_filters sum[NN_CONV_FEW_TAPS], bias = (nn_conv_filters)(0.0f);
#pragma unroll
    for (int i = 0; i < NN_CONV_FEW_TAPS; i++) sum[i] = (nn_conv_filters)(0.0f);
    dy += dy_offset + ((ulong)group * (ulong)rows + (ulong)row0) * (ulong)positions;
    x += x_offset + (ulong)plane * (ulong)pixels;
    for (int strip = split * chunk + item; strip < end; strip += NN_CONV_FEW_TEAM) {
        const int line = (int)nn_conv_divide((uint)strip, columns_magic, columns_shift),
                  ow = strip - line * outputs_w;
        const int image = (int)nn_conv_divide((uint)line, blocks_magic, blocks_shift),
                  block = line - image * blocks;
#if NN_CONV_DILATED
        const int oh = block / apart * tall * apart + block % apart;
#else
        const int oh = block * tall;
#endif
        const int w = ow * stride_w + first_w + tap_w * NN_CONV_APART(step_w),
                  last = min(outputs_h, oh + tall * NN_CONV_APART(apart));
        int h = oh * stride_h + first_h + tap_h * NN_CONV_APART(step_h), inside = 0, u = oh;
        int from = 4 * (image * groups * rows * positions + oh * outputs_w + ow);
        const __global float *at = /* pixels outside the image are never loaded */
            x + (image * groups * channels * pixels + h * source_w + w);
#pragma unroll
        for (int t = 0; t < NN_CONV_TAPS_W; t++)
            if (tap_w + t < taps_w && (uint)(w + t * NN_CONV_APART(step_w)) < (uint)source_w)
                inside |= 1 << t;
#if NN_CONV_LINES > 1
        for (; u + (NN_CONV_LINES - 1) * NN_CONV_APART(apart) < last;
             u += NN_CONV_LINES * NN_CONV_APART(apart)) {
            NN_CONV_FEW_ADD(NN_CONV_LINES)
            from += NN_CONV_LINES * down;
            at += NN_CONV_LINES * NN_CONV_STRIDE * across;
            h += NN_CONV_LINES * NN_CONV_STRIDE * NN_CONV_APART(step_h);
        }
#endif
#pragma unroll 1
        for (; u < last; u += NN_CONV_APART(apart)) { /* the remaining rows, one by one: no row is
                                                         fetched in vain */
            NN_CONV_FEW_ADD(1)
            from += down;
            at += NN_CONV_STRIDE * across;
            h += NN_CONV_STRIDE * NN_CONV_APART(step_h);
        }
    }
#pragma unroll
    for (int i = 0; i < NN_CONV_FEW_TAPS; i++) sums[i][item] = sum[i];
    sums[NN_CONV_FEW_TAPS][item] = bias;
    NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
    const int columns = channels * taps_h * taps_w;
    partial += partial_offset + ((ulong)(split * groups + group) * (ulong)rows + (ulong)row0) *
                                    (ulong)(columns + 1);
    for (int i = item; i < NN_CONV_FILTERS * (NN_CONV_FEW_TAPS + 1); i += NN_CONV_FEW_TEAM) {
        const int f = i / (NN_CONV_FEW_TAPS + 1), tap = i - f * (NN_CONV_FEW_TAPS + 1);
        const int th = tap_h + tap / NN_CONV_TAPS_W, tw = tap_w + tap % NN_CONV_TAPS_W;
        const bool is_bias = tap == NN_CONV_FEW_TAPS;
        float all = 0.0f;
        if (f > last_row || (is_bias ? !ones : th >= taps_h || tw >= taps_w)) continue;
        for (int l = 0; l < NN_CONV_FEW_TEAM; l++) all += ((const __local float *)&sums[tap][l])[f];
        partial[f * (columns + 1) + (is_bias ? columns : (c * taps_h + th) * taps_w + tw)] = all;
    }
}
#undef NN_CONV_FEW_ADD
#undef NN_CONV_FEW_TEAM
#undef NN_CONV_LINES
#undef NN_CONV_APART
#undef NN_CONV_AT
#undef NN_CONV_ROWS_OF
#endif
