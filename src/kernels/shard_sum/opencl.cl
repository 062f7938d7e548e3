/* kernels/shard_sum/opencl.cl - sums of shards: a work-item computes `span` neighbouring
   numbers. */

/* Returns the bf16 nearest to x + rest, halves to even. The difference becomes the next rest, or 0
   if it is not finite. That is tested by bits, because a compiler may assume that left - left is
   0. */
float nn_shard_sum_round(float x, __global float *rest) {
    const float whole = x + *rest;
    const uint bits = as_uint(whole), size = bits & 0x7fffffffu;
    const uint pattern = size > 0x7f800000u ? bits | 0x400000u : bits + 0x7fffu + (bits >> 16 & 1u);
    const float closest = as_float(pattern & 0xffff0000u);
    const float left = whole - closest;
    *rest = (as_uint(left) & 0x7f800000u) == 0x7f800000u ? 0.0f : left;
    return closest;
}

/* The first `count` sums are used. A rest of NULL: no rounding there. */
__kernel void nn_shard_sum(__global float *to, ulong to_offset, const __global float *x, ulong
                           x_offset, const __global float *sum0, ulong sum0_offset, const
                           __global float *sum1, ulong sum1_offset, const __global float *sum2,
                           ulong sum2_offset, const __global float *sum3, ulong sum3_offset,
                           __global float *rest0, ulong rest0_offset, __global float *rest1,
                           ulong rest1_offset, __global float *rest2, ulong rest2_offset,
                           __global float *rest3, ulong rest3_offset, __global float *rest4,
                           ulong rest4_offset, __global ushort *narrow, ulong narrow_offset, int
                           count, int rounded, ulong first, ulong end, ulong span) {
    const ulong from = first + get_global_id(0) * span;
    const ulong stop = from + span < end ? from + span : end;
    to += to_offset, x += x_offset;
    sum0 += sum0_offset, sum1 += sum1_offset, sum2 += sum2_offset, sum3 += sum3_offset;
    for (ulong i = from; i < stop; i++) {
        const bool rounds = i < (ulong)rounded;
        float s = x[i];
        if (rounds && rest0) s = nn_shard_sum_round(s, rest0 + rest0_offset + i);
        if (count > 0) s = sum0[i] + s;
        if (count > 0 && rounds && rest1) s = nn_shard_sum_round(s, rest1 + rest1_offset + i);
        if (count > 1) s = sum1[i] + s;
        if (count > 1 && rounds && rest2) s = nn_shard_sum_round(s, rest2 + rest2_offset + i);
        if (count > 2) s = sum2[i] + s;
        if (count > 2 && rounds && rest3) s = nn_shard_sum_round(s, rest3 + rest3_offset + i);
        if (count > 3) s = sum3[i] + s;
        if (count > 3 && rounds && rest4) s = nn_shard_sum_round(s, rest4 + rest4_offset + i);
        to[i] = s;
        if (rounds && narrow) narrow[narrow_offset + i] = (ushort)(as_uint(s) >> 16);
    }
}

/* A work-item computes one number of y: it adds the product of each shard to the pending sums.
   weights NULL: all are 1. counts NULL: all shards except the last ones have `rows` rows. */
__kernel void nn_shard_product(__global float *y, ulong y_offset, const __global float *a, ulong
                               a_offset, const __global float *b, ulong b_offset, const
                               __global float *weights, ulong weights_offset, const
                               __global float *counts, ulong counts_offset, int n, int shards, int
                               rows, int total, int a_step, int b_step, int a_row, int weight_step,
                               int count_rows, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    float waiting[11] = {0.0f}, sum = 0.0f;
    if (at >= end) return;
    a += a_offset + at / (ulong)n;
    b += b_offset + at % (ulong)n;
    for (int s = 0; s < shards; s++) {
        const int left = counts ? (int)counts[counts_offset + (ulong)s * weight_step] * count_rows
                                : total - s * rows;
        const int here = left < rows ? left : rows;
        bool carries = true;
        sum = 0.0f;
        for (int p = 0; p < here; p++)
            sum += a[(ulong)s * a_step + (ulong)p * a_row] * b[(ulong)s * b_step + (ulong)p * n];
        {
/* A weighted sum is rounded here, because the other shard may be another rank's, which gets it
   rounded. */
#pragma OPENCL FP_CONTRACT OFF
            if (weights && here > 0) {
                const float weight = weights[weights_offset + (ulong)s * weight_step];
                sum = weight == 0.0f ? 0.0f : sum * weight;
            }
/* Each level is a compile-time constant, because registers cannot be indexed. */
#pragma unroll
            for (int level = 0; level < 11; level++) {
                const bool joins = s >> level & 1;
                if (carries && joins) sum = waiting[level] + sum;
                if (carries && !joins) waiting[level] = sum;
                carries = carries && joins;
            }
        }
    }
    y[y_offset + at] = sum;
}
