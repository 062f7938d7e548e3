/* kernels/conv2d/opencl_few.cl - convolutions with at most four rows on GPUs, such as the last
   layer of an image generator or the gradient of an image. As a matrix product, such a convolution
   would fill only an eighth of a tile, and with one work-item per output, each fetched number would
   serve only one multiplication. Here a work-item has four positions of y and all rows, so a number
   of the source serves four products.

   NN_CONV_FEW: the number of taps in a row of the weight, if they are neighbours and in ascending
   order. 0: any number of taps at any distance. The arguments are those of opencl.cl. */
#if NN_CONV_POOL == 0 && (NN_CONV_ONLY == 0 || NN_CONV_ONLY == 13)
#ifndef NN_CONV_FEW
#define NN_CONV_FEW 0
#endif
#define NN_CONV_FEW_ITEMS  64
#define NN_CONV_FEW_PLACES 4   /* positions per work-item, 64 apart */
#define NN_CONV_FEW_DEEP   512 /* taps of all rows in local memory at a time */

/* Groups: 256 positions of all images, from block `first` on; 1; groups. */
__kernel __attribute__((reqd_work_group_size(NN_CONV_FEW_ITEMS, 1, 1))) void
nn_conv2d_few(NN_CONV_ARGUMENTS) {
    __local float4 weights[NN_CONV_FEW_DEEP];
    const int item = (int)get_local_id(0), group = (int)get_group_id(2);
    const int j0 = (first + (int)get_group_id(0)) * (NN_CONV_FEW_ITEMS * NN_CONV_FEW_PLACES) + item;
    const int positions = outputs_h * outputs_w, last = images * positions - 1,
              pixels = source_h * source_w, taps = taps_h * taps_w;
    const int turn = min(channels, NN_CONV_FEW_DEEP / taps); /* channels per turn */
    const __global float *from[NN_CONV_FEW_PLACES]; /* where the first tap reads, or would */
    float4 sum[NN_CONV_FEW_PLACES];
    /* Row of the first tap; then its column, or a bit for each tap whose column is inside. */
    int low[NN_CONV_FEW_PLACES], in[NN_CONV_FEW_PLACES];
#pragma unroll
    for (int q = 0; q < NN_CONV_FEW_PLACES; q++) {
        const int j = min(j0 + q * NN_CONV_FEW_ITEMS, last);
        const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                  place = j - image * positions;
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        const int left = (place - oh * outputs_w) * stride_w + first_w;
        low[q] = oh * stride_h + first_h;
        from[q] = source + source_offset +
                  (ulong)(image * groups + group) * (ulong)channels * (ulong)pixels +
                  (long)(low[q] * source_w + left);
        sum[q] = (float4)(0.0f);
#if NN_CONV_FEW
        in[q] = 0;
#pragma unroll
        for (int t = 0; t < NN_CONV_FEW; t++)
            if ((uint)(left + t) < (uint)source_w) in[q] |= 1 << t;
#else
        in[q] = left;
#endif
    }
#if NN_CONV_FEW
    (void)step_w; /* 1, unless a row has a single tap */
#endif
    weight += weight_offset + (ulong)group * (ulong)w_group + (ulong)w_start;
    for (int c0 = 0; c0 < channels; c0 += turn) {
        const int end = min(channels - c0, turn);
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads of the last turn are done */
        for (int s = item; s < end * taps; s += NN_CONV_FEW_ITEMS) {
            const int c = (int)nn_conv_divide((uint)s, taps_magic, taps_shift), tap = s - c * taps;
            const int th = (int)nn_conv_divide((uint)tap, across_magic, across_shift);
            const __global float *w = weight + (c0 + c) * w_channel + th * w_down +
                                      (tap - th * taps_w) * w_across;
            weights[s] = (float4)(w[0], rows > 1 ? w[w_row] : 0.0f, rows > 2 ? w[2 * w_row] : 0.0f,
                                  rows > 3 ? w[3 * w_row] : 0.0f);
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
        const __local float4 *w = weights;
        for (int c = 0; c < end; c++) {
            int down = 0, row = 0;
            for (int th = 0; th < taps_h; th++, down += step_h, row += step_h * source_w) {
#if NN_CONV_FEW
                float x[NN_CONV_FEW_PLACES][NN_CONV_FEW];
#pragma unroll
                for (int q = 0; q < NN_CONV_FEW_PLACES; q++) {
                    const int here = (uint)(low[q] + down) < (uint)source_h ? in[q] : 0;
                    const __global float *at = from[q] + row;
#pragma unroll
                    for (int t = 0; t < NN_CONV_FEW; t++) {
                        x[q][t] = 0.0f;
                        if (here & 1 << t) x[q][t] = at[t];
                    }
                }
#pragma unroll
                for (int t = 0; t < NN_CONV_FEW; t++)
#pragma unroll
                    for (int q = 0; q < NN_CONV_FEW_PLACES; q++) sum[q] += w[t] * x[q][t];
                w += NN_CONV_FEW;
#else
                for (int tw = 0; tw < taps_w; tw++, w++)
#pragma unroll
                    for (int q = 0; q < NN_CONV_FEW_PLACES; q++) {
                        float x = 0.0f;
                        if ((uint)(low[q] + down) < (uint)source_h &&
                            (uint)(in[q] + tw * step_w) < (uint)source_w)
                            x = from[q][row + tw * step_w];
                        sum[q] += *w * x;
                    }
#endif
            }
#pragma unroll
            for (int q = 0; q < NN_CONV_FEW_PLACES; q++) from[q] += pixels;
        }
    }
    /* The sums go through local memory, so that one loop applies the activation and stores them. */
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int q = 0; q < NN_CONV_FEW_PLACES; q++) weights[q * NN_CONV_FEW_ITEMS + item] = sum[q];
#pragma unroll 1
    for (int e = 0; e < NN_CONV_FEW_PLACES * rows; e++) { /* each work-item reads its own sums: no
                                                             barrier is needed */
        const int i = e / NN_CONV_FEW_PLACES, q = e % NN_CONV_FEW_PLACES,
                  j = j0 + q * NN_CONV_FEW_ITEMS;
        if (j > last) continue;
        const int image = (int)nn_conv_divide((uint)j, positions_magic, positions_shift),
                  place = j - image * positions;
        const int oh = (int)nn_conv_divide((uint)place, columns_magic, columns_shift);
        __global float *to =
            y + y_offset +
            ((ulong)(image * groups + group) * (ulong)rows + (ulong)i) * (ulong)y_plane +
            (ulong)(y_start + oh * y_down + (place - oh * outputs_w) * y_across);
        float value = ((const __local float *)&weights[q * NN_CONV_FEW_ITEMS + item])[i];
        if (accumulate) value += *to;
        if (bias) value += bias[bias_offset + (ulong)(group * rows + i)];
        *to = nn_activate(activation, value);
    }
}
#undef NN_CONV_FEW_ITEMS
#undef NN_CONV_FEW_PLACES
#undef NN_CONV_FEW_DEEP
#endif
