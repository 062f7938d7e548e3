/* kernels/grid_sample/opencl.cl - samples images at given positions. kernels/grid_sample/args.h and
   cpu_places.c have the formulas and letters. */

#define NN_GRID_BILINEAR   0
#define NN_GRID_NEAREST    1
#define NN_GRID_BICUBIC    2
#define NN_GRID_ZEROS      0
#define NN_GRID_REFLECTION 2
#define NN_GRID_SHAPE      int C, int H, int W, int places, int mode, int padding, int align_corners

/* The taps of an axis: pixel indices (-1: outside), weights, and the derivatives of the weights
   with respect to the position in pixels. slope: the derivative of that position with respect to
   the grid's number. Loops over taps are unrolled, so that the arrays stay in registers; an index
   known only at run time would put them into memory. */
typedef struct nn_grid_axis {
    int count;
    int index[4];
    float weight[4], change[4], slope;
} nn_grid_axis;

float nn_grid_inside(float at, int size, int padding, int align_corners, float *slope) {
#pragma OPENCL FP_CONTRACT OFF
    float most = (float)(size - 1);
    if (padding == NN_GRID_ZEROS) return at;
    if (padding == NN_GRID_REFLECTION) {
        float low = align_corners ? 0.0f : -0.5f;
        float around = 2.0f * (float)(align_corners ? size - 1 : size), from = at - low, extra;
        if (from < 0.0f) from = -from, *slope = -*slope;
        extra = floor(from / around) * around;
        extra = around > 0.0f ? from - extra : 0.0f;
        if (extra > around - extra) extra = around - extra, *slope = -*slope;
        at = extra + low;
    }
    if (!(at > 0.0f)) {
        *slope = 0.0f;
        return 0.0f;
    }
    if (at < most) return at;
    *slope = 0.0f;
    return most;
}

int nn_grid_pixel(float at, int size) {
    return at >= 0.0f && at < (float)size ? (int)at : -1;
}

nn_grid_axis nn_grid_at(float place, int size, int mode, int padding, int align_corners) {
#pragma OPENCL FP_CONTRACT OFF
    nn_grid_axis axis;
    float wide = (float)(align_corners ? size - 1 : size), none = 1.0f, at = place + 1.0f, below;
    axis.slope = 0.5f * wide;
    if (align_corners) {
        at = at / 2.0f * wide;
    } else {
        at = at * wide;
        at = (at - 1.0f) / 2.0f;
    }
    if (mode == NN_GRID_BICUBIC) {
        below = floor(at);
        float a = -0.75f, t = at - below, u = 1.0f - t;
        axis.count = 4;
        axis.weight[0] = a * (((t - 2.0f) * t + 1.0f) * t);
        axis.weight[1] = ((a + 2.0f) * t - (a + 3.0f)) * t * t + 1.0f;
        axis.weight[2] = ((a + 2.0f) * u - (a + 3.0f)) * u * u + 1.0f;
        axis.weight[3] = a * (((u - 2.0f) * u + 1.0f) * u);
        axis.change[0] = a * ((3.0f * t - 4.0f) * t + 1.0f);
        axis.change[1] = (3.0f * (a + 2.0f) * t - 2.0f * (a + 3.0f)) * t;
        axis.change[2] = -(3.0f * (a + 2.0f) * u - 2.0f * (a + 3.0f)) * u;
        axis.change[3] = -a * ((3.0f * u - 4.0f) * u + 1.0f);
        for (int k = 0; k < 4; k++)
            axis.index[k] = nn_grid_pixel(
                nn_grid_inside(below + (float)(k - 1), size, padding, align_corners, &none), size);
        return axis;
    }
    at = nn_grid_inside(at, size, padding, align_corners, &axis.slope);
    axis.count = mode == NN_GRID_NEAREST ? 1 : 2;
    below = mode == NN_GRID_NEAREST ? rint(at) : floor(at);
    axis.index[0] = nn_grid_pixel(below, size);
    axis.index[1] = nn_grid_pixel(below + 1.0f, size);
    axis.weight[1] = at - below;
    axis.weight[0] = mode == NN_GRID_NEAREST ? 1.0f : below + 1.0f - at;
    axis.change[0] = mode == NN_GRID_NEAREST ? 0.0f : -1.0f;
    axis.change[1] = 1.0f;
    return axis;
}

/* A work-item computes one number of y. */
__kernel void nn_grid_sample(__global float *y, ulong y_offset, const __global float *x,
                             ulong x_offset, const __global float *grid, ulong grid_offset,
                             NN_GRID_SHAPE, ulong begin, ulong end) {
    ulong at = begin + get_global_id(0), plane = at / (ulong)places;
    if (at >= end) return;
    grid += grid_offset + 2 * (plane / (ulong)C * (ulong)places + at % (ulong)places);
    nn_grid_axis w = nn_grid_at(grid[0], W, mode, padding, align_corners);
    nn_grid_axis h = nn_grid_at(grid[1], H, mode, padding, align_corners);
    float sum = 0.0f;
    x += x_offset + plane * (ulong)H * (ulong)W;
#pragma unroll
    for (int a = 0; a < 4; a++)
#pragma unroll
        for (int b = 0; b < 4; b++) {
            if (a >= h.count || b >= w.count) continue;
            bool inside = h.index[a] >= 0 && w.index[b] >= 0;
            sum += h.weight[a] * w.weight[b] * (inside ? x[h.index[a] * W + w.index[b]] : 0.0f);
        }
    y[y_offset + at] = sum;
}

/* A work-item computes the gradient of one position of the grid. */
__kernel void nn_grid_sample_places(__global float *dgrid, ulong dgrid_offset,
                                    const __global float *dy, ulong dy_offset,
                                    const __global float *x, ulong x_offset,
                                    const __global float *grid, ulong grid_offset, NN_GRID_SHAPE,
                                    int accumulate, ulong all) {
    ulong own = get_global_id(0), n = own / (ulong)places, p = own % (ulong)places;
    if (own >= all) return;
    float across = 0.0f, down = 0.0f;
    grid += grid_offset + 2 * own, dgrid += dgrid_offset + 2 * own;
    if (mode != NN_GRID_NEAREST) {
        nn_grid_axis w = nn_grid_at(grid[0], W, mode, padding, align_corners);
        nn_grid_axis h = nn_grid_at(grid[1], H, mode, padding, align_corners);
        for (ulong c = n * (ulong)C; c < (n + 1) * (ulong)C; c++) {
            const __global float *from = x + x_offset + c * (ulong)H * (ulong)W;
            float slope = dy[dy_offset + c * (ulong)places + p], u = 0.0f, v = 0.0f;
#pragma unroll
            for (int a = 0; a < 4; a++)
#pragma unroll
                for (int b = 0; b < 4; b++) {
                    if (a >= h.count || b >= w.count) continue;
                    bool inside = h.index[a] >= 0 && w.index[b] >= 0;
                    float value = inside ? from[h.index[a] * W + w.index[b]] : 0.0f;
                    u += h.weight[a] * w.change[b] * value;
                    v += h.change[a] * w.weight[b] * value;
                }
            across += u * w.slope * slope;
            down += v * h.slope * slope;
        }
    }
    dgrid[0] = accumulate ? dgrid[0] + across : across;
    dgrid[1] = accumulate ? dgrid[1] + down : down;
}

/* Stores index and weight (its bits) of the taps of each position, one after the other. A work-item
   has one position. */
__kernel void nn_grid_sample_taps(__global int *index, ulong index_offset, __global int *weight,
                                  ulong weight_offset, const __global float *grid,
                                  ulong grid_offset, NN_GRID_SHAPE, ulong all) {
    ulong own = get_global_id(0);
    (void)C, (void)places;
    if (own >= all) return;
    grid += grid_offset + 2 * own;
    nn_grid_axis w = nn_grid_at(grid[0], W, mode, padding, align_corners);
    nn_grid_axis h = nn_grid_at(grid[1], H, mode, padding, align_corners);
    index += index_offset + own * (ulong)(h.count * w.count);
    weight += weight_offset + own * (ulong)(h.count * w.count);
#pragma unroll
    for (int a = 0; a < 4; a++)
#pragma unroll
        for (int b = 0; b < 4; b++) {
            if (a >= h.count || b >= w.count) continue;
            bool inside = h.index[a] >= 0 && w.index[b] >= 0;
            *index++ = inside ? h.index[a] * W + w.index[b] : -1;
            *weight++ = as_int(h.weight[a] * w.weight[b]);
        }
}

/* Stores for each pixel of a sample the first tap that reads it, or -1, and for each tap the next
   one of the same pixel. A work-item links every `workers`-th pixel, so no two write the same
   place. pixels, taps: of a sample. */
__kernel void nn_grid_sample_chains(__global int *first, ulong first_offset, __global int *next,
                                    ulong next_offset, const __global int *index,
                                    ulong index_offset, int pixels, int taps, uint workers,
                                    ulong all) {
    ulong n = get_global_id(0) / workers;
    int own = (int)(get_global_id(0) % workers);
    if (get_global_id(0) >= all) return;
    first += first_offset + n * (ulong)pixels;
    next += next_offset + n * (ulong)taps;
    index += index_offset + n * (ulong)taps;
    for (int i = own; i < pixels; i += (int)workers) first[i] = -1;
    for (int i = taps - 1; i >= 0; i--) {
        int to = index[i];
        if (to < 0 || to % (int)workers != own) continue;
        next[i] = first[to];
        first[to] = i;
    }
}

/* A work-item computes one number of dx along the chain of its pixel. taps: per position. */
__kernel void nn_grid_sample_pixels(__global float *dx, ulong dx_offset, const __global float *dy,
                                    ulong dy_offset, const __global int *first, ulong first_offset,
                                    const __global int *next, ulong next_offset,
                                    const __global int *weight, ulong weight_offset, int C,
                                    int pixels, int places, int taps, int accumulate, ulong begin,
                                    ulong end) {
    ulong at = begin + get_global_id(0), plane = at / (ulong)pixels, n = plane / (ulong)C;
    if (at >= end) return;
    float sum = accumulate ? dx[dx_offset + at] : 0.0f;
    dy += dy_offset + plane * (ulong)places;
    next += next_offset + n * (ulong)places * (ulong)taps;
    weight += weight_offset + n * (ulong)places * (ulong)taps;
    for (int i = first[first_offset + n * (ulong)pixels + at % (ulong)pixels]; i >= 0; i = next[i])
        sum += as_float(weight[i]) * dy[i / taps];
    dx[dx_offset + at] = sum;
}
#undef NN_GRID_BILINEAR
#undef NN_GRID_NEAREST
#undef NN_GRID_BICUBIC
#undef NN_GRID_ZEROS
#undef NN_GRID_REFLECTION
#undef NN_GRID_SHAPE
