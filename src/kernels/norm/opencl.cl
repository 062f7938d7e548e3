/* kernels/norm/opencl.cl - norms: the moments of pieces of sets, the statistics of whole sets, the
   results; the same for gradients; running statistics.

   A set is lines of `run` numbers that begin `step` apart; its first line begins at set * run. It
   is cut into `pieces` of `piece` numbers, of which a work-item takes one, in vectors where lines
   are long. */

ulong nn_norm_place(uint run, ulong step, uint i) {
    return step ? i / run * step + i % run : (ulong)i;
}

/* A sum of squares that floats cannot hold, as of numbers around 1e20, is taken again of numbers
   times NN_NORM_SMALL, a power of two, and kept with its sign turned. */
#define NN_NORM_SMALL 8.2718061e-25f
float nn_norm_rstd(float biased, float epsilon) {
    return biased < 0.0f ? 1.0f / sqrt(-biased) * NN_NORM_SMALL : 1.0f / sqrt(biased + epsilon);
}
float nn_norm_unbiased(float squares, uint size) {
    return squares < 0.0f ? INFINITY : squares / (float)(size - 1u);
}
/* The part of a whole: the squares of a piece, and of `count` distances d; plain and small. */
void nn_norm_add_squares(float *plain, float *small, float squares, float d, float count) {
    *plain += squares < 0.0f ? INFINITY : squares + d * d * count;
    *small += squares < 0.0f ? -squares : squares * NN_NORM_SMALL * NN_NORM_SMALL;
    d *= NN_NORM_SMALL;
    *small += d * d * count;
}

/* The sums of (x - mean) scale and of its square over n numbers in a row, added to sums. */
void nn_norm_line(const __global float *x, uint n, float mean, float scale, float *sums) {
    float16 a = (float16)(0.0f), b = (float16)(0.0f);
    uint i = 0;
    for (; i + 16 <= n; i += 16) {
        float16 d = (vload16(0, x + i) - mean) * scale;
        a += d;
        b += d * d;
    }
    if (i) {
        sums[0] += nn_sum16(&a);
        sums[1] += nn_sum16(&b);
    }
    for (; i < n; i++) {
        float d = (x[i] - mean) * scale;
        sums[0] += d;
        sums[1] += d * d;
    }
}
void nn_norm_lines(const __global float *x, uint run, ulong step, uint begin, uint end, float mean,
                   float scale, float *sums) {
    sums[0] = sums[1] = 0.0f;
    for (uint i = begin, n; i < end; i += n) {
        n = min(run - i % run, end - i);
        nn_norm_line(x + nn_norm_place(run, step, i), n, mean, scale, sums);
    }
}

/* parts: mean and sum of squared distances from it of each piece; rms: 0 and the sum of squares. */
__kernel void nn_norm_moments_item(__global float *parts, ulong parts_offset,
                                   const __global float *x, ulong x_offset, uint run, ulong step,
                                   uint size, uint pieces, uint piece, int rms, ulong count) {
    ulong part = get_global_id(0);
    if (part >= count) return;
    uint begin = (uint)(part % pieces) * piece, end = min(begin + piece, size);
    float sums[2], mean = 0.0f;
    x += x_offset + part / pieces * run;
    if (!rms) {
        nn_norm_lines(x, run, step, begin, end, 0.0f, 1.0f, sums);
        mean = sums[0] / (float)(end - begin);
    }
    nn_norm_lines(x, run, step, begin, end, mean, 1.0f, sums);
    const bool large = !(sums[1] <= FLT_MAX);
    if (large) nn_norm_lines(x, run, step, begin, end, mean, NN_NORM_SMALL, sums);
    float back = rms ? 0.0f : sums[0] / (float)(end - begin);
    float squares = sums[1] - (rms ? 0.0f : back * sums[0]);
    parts[parts_offset + 2 * part] = mean + (large ? back / NN_NORM_SMALL : back);
    parts[parts_offset + 2 * part + 1] = large ? -squares : squares;
}

/* Of each set: stats gets mean and rstd, the outputs what they want (NULL: nothing). Without
   running statistics the pieces are joined. Source: Chan, Golub and LeVeque, 1983. */
__kernel void nn_norm_finish(__global float *stats, ulong stats_offset,
                             const __global float *parts, ulong parts_offset,
                             const __global float *running_mean, ulong running_mean_offset,
                             const __global float *running_var, ulong running_var_offset,
                             __global float *mean, ulong mean_offset, __global float *rstd,
                             ulong rstd_offset, __global float *variance, ulong variance_offset,
                             uint size, uint pieces, uint piece, float epsilon, int rms,
                             ulong sets) {
    ulong set = get_global_id(0);
    if (set >= sets) return;
    float m = 0.0f, squares = 0.0f, before = 0.0f, small = 0.0f, r;
    if (running_mean) {
        m = running_mean[running_mean_offset + set];
        r = 1.0f / sqrt(running_var[running_var_offset + set] + epsilon);
    } else {
        parts += parts_offset + 2 * set * pieces;
        for (uint p = 0; p < pieces; p++) {
            float count = (float)(min(piece, size - p * piece)), all = before + count;
            float d = rms ? 0.0f : parts[2 * p] - m;
            nn_norm_add_squares(&squares, &small, parts[2 * p + 1], d, before / all * count);
            m += d * (count / all);
            before = all;
        }
        squares = squares <= FLT_MAX ? squares : -small;
        r = nn_norm_rstd(squares / (float)size, epsilon);
    }
    stats[stats_offset + 2 * set] = m;
    stats[stats_offset + 2 * set + 1] = r;
    if (mean) mean[mean_offset + set] = m;
    if (rstd) rstd[rstd_offset + set] = r;
    if (variance) variance[variance_offset + set] = nn_norm_unbiased(squares, size);
}

/* Which set and which channel a number belongs to. inner > 1: item (l, n * all + c); otherwise
   (c, n), of `all` channels. */
typedef struct nn_norm_spot {
    ulong at, set;
    uint channel;
} nn_norm_spot;
nn_norm_spot nn_norm_spot_of(uint inner, uint all, uint channels, int across) {
    nn_norm_spot s;
    ulong column = get_global_id(0), row = get_global_id(1), outer;
    s.channel = inner > 1 ? (uint)(row % all) : (uint)column;
    outer = inner > 1 ? row / all : row;
    s.at = row * (inner > 1 ? inner : all) + column;
    s.set = across ? s.channel : outer * (all / channels) + s.channel / channels;
    return s;
}

__kernel void nn_norm_apply(__global float *y, ulong y_offset, const __global float *x,
                            ulong x_offset, const __global float *weight, ulong weight_offset,
                            const __global float *bias, ulong bias_offset,
                            const __global float *stats, ulong stats_offset, uint inner, uint all,
                            uint channels, int across, int activation) {
    if (get_global_id(0) >= (inner > 1 ? inner : all)) return;
    nn_norm_spot s = nn_norm_spot_of(inner, all, channels, across);
    float w = weight ? weight[weight_offset + s.channel] : 1.0f;
    float b = bias ? bias[bias_offset + s.channel] : 0.0f;
    float value = (x[x_offset + s.at] - stats[stats_offset + 2 * s.set]) *
                      (stats[stats_offset + 2 * s.set + 1] * w) + b;
    y[y_offset + s.at] = activation ? nn_activate(activation, value) : value;
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* n numbers in a row whose weights are one (each 0) or stand in a row as well (each 1). */
void nn_norm_line_sums(const __global float *dy, const __global float *x, uint n, float mean,
                       const __global float *weight, int each, float *sums) {
    float16 a = (float16)(0.0f), b = (float16)(0.0f);
    float w = weight && !each ? *weight : 1.0f, s = 0.0f, t = 0.0f;
    uint i = 0;
    for (; i + 16 <= n; i += 16) {
        float16 g = vload16(0, dy + i);
        if (each) g *= vload16(0, weight + i);
        a += g;
        b += g * (vload16(0, x + i) - mean);
    }
    if (i) {
        s = nn_sum16(&a);
        t = nn_sum16(&b);
    }
    for (; i < n; i++) {
        float g = each ? dy[i] * weight[i] : dy[i];
        s += g;
        t += g * (x[i] - mean);
    }
    sums[0] += w * s;
    sums[1] += w * t;
}

/* parts: the sums of g and of g (x - mean) of each piece, g = dy, times the weight of its channel
   unless that is NULL. mean NULL: 0. */
__kernel void nn_norm_sums_item(__global float *parts, ulong parts_offset,
                                const __global float *dy, ulong dy_offset,
                                const __global float *x, ulong x_offset,
                                const __global float *weight, ulong weight_offset,
                                const __global float *mean, ulong mean_offset, uint run,
                                ulong step, uint size, uint pieces, uint piece, uint inner,
                                uint channels, uint groups, ulong count) {
    ulong part = get_global_id(0), set = part / pieces;
    if (part >= count) return;
    uint begin = (uint)(part % pieces) * piece, end = min(begin + piece, size);
    float sums[2] = {0.0f, 0.0f}, m = mean ? mean[mean_offset + set] : 0.0f;
    int each = weight && inner == 1;
    uint line = weight && !each ? inner : run;
    for (uint i = begin, n; i < end; i += n) {
        ulong at = set * run + nn_norm_place(run, step, i);
        n = min(line - i % line, end - i);
        nn_norm_line_sums(dy + dy_offset + at, x + x_offset + at, n, m,
                          weight ? weight + weight_offset + set % groups * channels + i / inner
                                 : weight,
                          each, sums);
    }
    parts[parts_offset + 2 * part] = sums[0];
    parts[parts_offset + 2 * part + 1] = sums[1];
}

void nn_norm_give(__global float *to, ulong at, float value, int accumulate) {
    if (to) to[at] = accumulate ? to[at] + value : value;
}

/* Of each set: factors gets q and r of dx = p dy + q + r (x - mean). Across, weight is that of the
   set, and its sums are the gradients of weight and bias. fixed: q and r are 0. */
__kernel void nn_norm_finish_backward(
    __global float *factors, ulong factors_offset, const __global float *parts, ulong parts_offset,
    const __global float *weight, ulong weight_offset, const __global float *mean,
    ulong mean_offset, const __global float *rstd, ulong rstd_offset, __global float *dweight,
    ulong dweight_offset, __global float *dbias, ulong dbias_offset, uint size, uint pieces,
    int fixed, int accumulate, ulong sets) {
    ulong set = get_global_id(0);
    if (set >= sets) return;
    float a = 0.0f, b = 0.0f, r = rstd[rstd_offset + set];
    float p = r * (weight ? weight[weight_offset + set] : 1.0f);
    parts += parts_offset + 2 * set * pieces;
    for (uint i = 0; i < pieces; i++) {
        a += parts[2 * i];
        b += parts[2 * i + 1];
    }
    factors[factors_offset + 2 * set] = fixed || !mean ? 0.0f : -p * (a / (float)size);
    factors[factors_offset + 2 * set + 1] = fixed ? 0.0f : -p * r * r * (b / (float)size);
    nn_norm_give(dweight, dweight_offset + set, b * r, accumulate);
    nn_norm_give(dbias, dbias_offset + set, a, accumulate);
    (void)mean_offset;
}

/* The gradients of weight and bias from contiguous sets: each of `blocks` adds `places` outer
   places. An item takes (channel, block); blocks: (blocks, 2, all). */
__kernel void nn_norm_blocks(__global float *blocks, ulong blocks_offset,
                             const __global float *dy, ulong dy_offset, const __global float *x,
                             ulong x_offset, const __global float *mean, ulong mean_offset,
                             const __global float *rstd, ulong rstd_offset, uint inner, uint all,
                             uint channels, ulong outer, ulong places) {
    uint channel = (uint)get_global_id(0);
    ulong block = get_global_id(1), end = min((block + 1) * places, outer);
    float a = 0.0f, b = 0.0f;
    if (channel >= all) return;
    dy += dy_offset;
    x += x_offset;
    for (ulong n = block * places; n < end; n++) {
        ulong set = n * (all / channels) + channel / channels, at = (n * all + channel) * inner;
        float m = mean ? mean[mean_offset + set] : 0.0f, r = rstd[rstd_offset + set];
        float s = 0.0f, t = 0.0f;
        for (uint i = 0; i < inner; i++) {
            s += dy[at + i];
            t += dy[at + i] * (x[at + i] - m);
        }
        a += s;
        b += t * r;
    }
    blocks[blocks_offset + 2 * block * all + channel] = b;
    blocks[blocks_offset + (2 * block + 1) * all + channel] = a;
}

__kernel void nn_norm_join_blocks(__global float *dweight, ulong dweight_offset,
                                  __global float *dbias, ulong dbias_offset,
                                  const __global float *blocks, ulong blocks_offset, uint all,
                                  uint count, int accumulate) {
    uint channel = (uint)get_global_id(0);
    float a = 0.0f, b = 0.0f;
    if (channel >= all) return;
    blocks += blocks_offset + channel;
    for (uint i = 0; i < count; i++) {
        b += blocks[2 * (ulong)i * all];
        a += blocks[(2 * (ulong)i + 1) * all];
    }
    nn_norm_give(dweight, dweight_offset + channel, b, accumulate);
    nn_norm_give(dbias, dbias_offset + channel, a, accumulate);
}

__kernel void nn_norm_dx(__global float *dx, ulong dx_offset, const __global float *dy,
                         ulong dy_offset, const __global float *x, ulong x_offset,
                         const __global float *weight, ulong weight_offset,
                         const __global float *mean, ulong mean_offset,
                         const __global float *rstd, ulong rstd_offset,
                         const __global float *factors, ulong factors_offset, uint inner, uint all,
                         uint channels, int across, int fixed, int accumulate) {
    if (get_global_id(0) >= (inner > 1 ? inner : all)) return;
    nn_norm_spot s = nn_norm_spot_of(inner, all, channels, across);
    float m = mean ? mean[mean_offset + s.set] : 0.0f, r = rstd[rstd_offset + s.set];
    float value = dy[dy_offset + s.at] * (r * (weight ? weight[weight_offset + s.channel] : 1.0f));
    if (!fixed)
        value += factors[factors_offset + 2 * s.set] +
                 factors[factors_offset + 2 * s.set + 1] * (x[x_offset + s.at] - m);
    nn_norm_give(dx, dx_offset + s.at, value, accumulate);
}

/* ---- running statistics ---------------------------------------------------------------------- */

/* A work-group has an item: of each the table says where it begins in the buffers that all of them
   share, how many channels it has and of how many statistics the mean is taken. tracked: numbers
   of 64 bits. */
__kernel void nn_norm_track(__global float *running_mean, ulong running_mean_offset,
                            __global float *running_var, ulong running_var_offset,
                            __global long *tracked, ulong tracked_offset,
                            const __global float *mean, ulong mean_offset,
                            const __global float *variance, ulong variance_offset,
                            const __global uint *status, ulong status_offset,
                            const __global ulong *table, float momentum, int cumulative) {
    const __global ulong *item = table + 7u * get_group_id(0);
    ulong channels = item[5], n = item[6];
    int moves = !nn_faulty(status, status_offset);
    float share = momentum;
    running_mean += running_mean_offset + item[0];
    running_var += running_var_offset + item[1];
    tracked = tracked ? tracked + tracked_offset + item[2] : 0;
    mean += mean_offset + item[3];
    variance += variance_offset + item[4];
    if (cumulative && tracked) share = 1.0f / ((float)*tracked + 1.0f);
    for (ulong c = get_local_id(0); moves && c < channels; c += get_local_size(0)) {
        float a = 0.0f, b = 0.0f;
        for (ulong i = 0; i < n; i++) {
            a += mean[i * channels + c];
            b += variance[i * channels + c];
        }
        running_mean[c] = (1.0f - share) * running_mean[c] + share * (a / (float)n);
        running_var[c] = (1.0f - share) * running_var[c] + share * (b / (float)n);
    }
    NN_BARRIER(CLK_GLOBAL_MEM_FENCE); /* all have read the count */
    if (moves && get_local_id(0) == 0 && tracked && *tracked < LONG_MAX) ++*tracked;
}

/* ---- fold ------------------------------------------------------------------------------------ */

/* Items (number of a row, channel). */
__kernel void nn_norm_fold(__global float *weight, ulong weight_offset, __global float *bias,
                           ulong bias_offset, const __global float *from, ulong from_offset,
                           const __global float *from_bias, ulong from_bias_offset,
                           const __global float *norm_weight, ulong norm_weight_offset,
                           const __global float *norm_bias, ulong norm_bias_offset,
                           const __global float *running_mean, ulong running_mean_offset,
                           const __global float *running_var, ulong running_var_offset,
                           float epsilon, uint row) {
    uint i = (uint)get_global_id(0);
    ulong c = get_global_id(1);
    if (i >= row) return;
    float scale = (norm_weight ? norm_weight[norm_weight_offset + c] : 1.0f) /
                  sqrt(running_var[running_var_offset + c] + epsilon);
    weight[weight_offset + c * row + i] = from[from_offset + c * row + i] * scale;
    if (i) return;
    float b = (from_bias ? from_bias[from_bias_offset + c] : 0.0f) -
              running_mean[running_mean_offset + c];
    bias[bias_offset + c] = b * scale + (norm_bias ? norm_bias[norm_bias_offset + c] : 0.0f);
}
