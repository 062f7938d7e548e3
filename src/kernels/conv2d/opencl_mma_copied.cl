/* kernels/conv2d/opencl_mma_copied.cl - prepares convolutions on matrix units whose operands are
   copied as they are: packs images and weights in scratch, rounded to TF32 or bf16.

   An image lies with its channels last: pixel by pixel, with the zeros of its padding around it. A
   pixel has whole turns of NN_MMA_DEPTH channels, the last ones zeros. All images of a group follow
   each other. Source of the layout: "implicit GEMM" of Chetlur et al., "cuDNN: Efficient primitives
   for deep learning". */
#if defined(NN_MMA) && NN_MMA_A_FORM && NN_CONV_POOL == 0
/* Packs one image. Groups: runs of 32 pixels, runs of 32 channels, images of all groups. The pixels
   of a run go through local memory, because images have their channels first. Two forms: of the
   source, and of dy, which has another storage. */
#define NN_CONV_MMA_PACK(name, type)                                                               \
    __kernel __attribute__((reqd_work_group_size(128, 1, 1))) void name(                           \
        __global uint *to, ulong to_offset, const __global float *from, ulong from_offset,         \
        int channels, int images, int groups, int high, int wide, int above, int before,           \
        int padded_h, int padded_w, uint width_magic, uint width_shift) {                          \
        __local float tile[32 * 33];                                                               \
        const int item = (int)get_local_id(0), p0 = (int)get_group_id(0) * 32,                     \
                  c0 = (int)get_group_id(1) * 32, plane = (int)get_group_id(2),                    \
                  group = plane / images, image = plane - group * images;                          \
        const int p = p0 + item % 32, all = padded_h * padded_w,                                   \
                  row = (int)nn_conv_divide((uint)p, width_magic, width_shift), h = row - above,   \
                  v = p - row * padded_w - before,                                                 \
                  words = (channels + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH * 16;                       \
        const bool inside = p < all && (uint)h < (uint)high && (uint)v < (uint)wide;               \
        const __global NN_STORED(type) *x =                                                        \
            (const __global NN_STORED(type) *)from + from_offset +                                 \
            (ulong)(uint)(image * groups + group) * (ulong)(uint)channels *                        \
                (ulong)(uint)(high * wide);                                                        \
        for (int q = item / 32; q < 32; q += 4)                                                    \
            tile[q * 33 + item % 32] =                                                             \
                inside && c0 + q < channels                                                        \
                    ? NN_STORED_AT(type)(x, (ulong)(uint)(c0 + q) * (ulong)(uint)(high * wide) +   \
                                                (ulong)(uint)(h * wide + v))                       \
                    : 0.0f;                                                                        \
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                           \
        for (int q = item / NN_CONV_MMA_WORDS; q < 32; q += 128 / NN_CONV_MMA_WORDS) {             \
            const int w = item % NN_CONV_MMA_WORDS, word = c0 / (32 / NN_CONV_MMA_WORDS) + w;      \
            if (p0 + q < all && word < words)                                                      \
                to[to_offset + ((ulong)(uint)plane * (ulong)(uint)all + (ulong)(uint)(p0 + q)) *   \
                                   (ulong)(uint)words + (ulong)(uint)word] =                       \
                    NN_CONV_MMA_WORD(w, q);                                                        \
        }                                                                                          \
    }
#if NN_MMA_BF16
#define NN_CONV_MMA_WORDS      16 /* of 32 channels */
#define NN_CONV_MMA_WORD(w, q) nn_mma_bf16(tile[2 * (w)*33 + (q)], tile[(2 * (w) + 1) * 33 + (q)])
#else
#define NN_CONV_MMA_WORDS      32
#define NN_CONV_MMA_WORD(w, q) nn_mma_tf32(tile[(w)*33 + (q)])
#endif
NN_CONV_MMA_PACK(nn_conv2d_mma_pack, NN_CONV_X)

#if NN_CONV_ONLY == 19
#if NN_COPIED_PAIRS
/* Packs dy in stages: for each tile of 128 rows, for each turn of positions of all images. Rows and
   positions beyond the last are zeros. One work-item per group of four words. */
__kernel void nn_conv2d_mma_pack_dy(__global uint *to, ulong to_offset, const __global float *from,
                                    ulong from_offset, uint count, int rows, int groups,
                                    int positions, int all, uint positions_magic,
                                    uint positions_shift) {
    const uint at = (uint)get_global_id(0), stage = at / 512u;
    const int line = (int)(at % 512u / 4u), part = (int)(at % 4u),
              turns = (all + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH, tiles = (rows + 127) / 128,
              turn = (int)(stage % (uint)turns), tile = (int)(stage / (uint)turns) % tiles,
              group = (int)(stage / (uint)turns) / tiles, row = tile * 128 + line;
    const __global NN_STORED(NN_CONV_Y) *dy =
        (const __global NN_STORED(NN_CONV_Y) *)from + from_offset;
    uint word[4];
    if (at >= count) return;
    for (int w = 0; w < 4; w++) {
        const int position = turn * NN_MMA_DEPTH + part * 4 + w,
                  image = (int)nn_conv_divide((uint)position, positions_magic, positions_shift),
                  place = position - image * positions;
        word[w] = nn_mma_tf32(
            row < rows && position < all
                ? NN_STORED_AT(NN_CONV_Y)(dy, (ulong)(uint)((image * groups + group) * rows + row) *
                                                      (ulong)(uint)positions +
                                                  (ulong)(uint)place)
                : 0.0f);
    }
    *(__global uint4 *)(to + (to_offset + (ulong)stage * 2048ul +
                              (ulong)NN_MMA_GROUP(line, part))) =
        (uint4)(word[0], word[1], word[2], word[3]);
}
#else
NN_CONV_MMA_PACK(nn_conv2d_mma_pack_dy, NN_CONV_Y)
#endif

/* Writes where the first tap of each position lies in the packed images. There are `entries`
   numbers, and before them 128 words: a one, rounded as the operands are, and zeros. One work-item
   per number. */
__kernel void nn_conv2d_mma_places(__global uint *table, ulong table_offset, uint entries,
                                   int positions, int outputs_w, int all, int stride_h,
                                   int stride_w, uint image_far, uint row_far, uint pixel_far,
                                   uint positions_magic, uint positions_shift, uint columns_magic,
                                   uint columns_shift) {
    const uint at = (uint)get_global_id(0);
    const int position = max(min((int)at - 128, all - 1), 0);
    const int image = (int)nn_conv_divide((uint)position, positions_magic, positions_shift),
              place = position - image * positions;
    const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
    if (at >= entries + 128u) return;
    table[table_offset + at] =
        at < 128u ? (at > 0u ? 0u : NN_MMA_BF16 ? 0x3f80u : as_uint(1.0f))
                 : (uint)image * image_far + (uint)(oh * stride_h) * row_far +
                       (uint)((place - oh * outputs_w) * stride_w) * pixel_far;
}
#endif

#if NN_CONV_ONLY == 18
/* Packs the weights of a product in stages, and writes the distance of each turn's pixels from
   those of the first one (`entries` numbers). A turn has one tap and a block of channels; the taps
   of a block follow each other. One work-item per group of four words. */
__kernel void nn_conv2d_mma_stages(__global uint *sorted, ulong sorted_offset,
                                   const __global float *weight, ulong weight_offset, uint count,
                                   int rows, int channels, int taps_h, int taps_w, int w_group,
                                   int w_row, int w_channel, int w_start, int w_down, int w_across,
                                   __global uint *table, ulong table_offset, uint entries,
                                   uint down_far, uint across_far) {
    const uint at = (uint)get_global_id(0), in_stage = at % (NN_MMA_TALL * 4u),
               stage = at / (NN_MMA_TALL * 4u);
    const int taps = taps_h * taps_w,
              turns = (channels + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH * taps,
              tiles = (rows + NN_MMA_TALL - 1) / NN_MMA_TALL;
    const int turn = (int)(stage % (uint)turns), tile = (int)(stage / (uint)turns) % tiles,
              group = (int)(stage / (uint)turns) / tiles, line = (int)(in_stage / 4u),
              part = (int)(in_stage % 4u), row = tile * NN_MMA_TALL + line, block = turn / taps,
              tap = turn - block * taps, c0 = block * NN_MMA_DEPTH + part * (NN_MMA_DEPTH / 4);
    NN_CONV_WS *from = (NN_CONV_WS *)weight + weight_offset + (ulong)group * (ulong)w_group +
                       (ulong)row * (ulong)w_row +
                       (ulong)(w_start + tap / taps_w * w_down + tap % taps_w * w_across);
    uint word[4];
    if (at < entries)
        table[table_offset + at] = at / (uint)taps * 4u +
                                   at % (uint)taps / (uint)taps_w * down_far +
                                   at % (uint)taps % (uint)taps_w * across_far;
    if (at >= count) return;
    for (int w = 0; w < 4; w++) {
        const int c = c0 + w * (NN_MMA_DEPTH / 16);
        const float low = row < rows && c < channels
                              ? NN_STORED_AT(NN_CONV_W)(from, (ulong)c * (ulong)w_channel)
                              : 0.0f;
#if NN_MMA_BF16
        word[w] = nn_mma_bf16(
            low, row < rows && c + 1 < channels
                     ? NN_STORED_AT(NN_CONV_W)(from, (ulong)(c + 1) * (ulong)w_channel)
                     : 0.0f);
#else
        word[w] = nn_mma_tf32(low);
#endif
    }
    *(__global uint4 *)(sorted + (sorted_offset + (ulong)stage * (ulong)(NN_MMA_TALL * 16) +
                                  (ulong)NN_MMA_GROUP(line, part))) =
        (uint4)(word[0], word[1], word[2], word[3]);
}
#endif
#endif
