/* kernels/resize/opencl.cl - resizes images by tables of source indices and weights.
   kernels/resize/args.h has the formulas and letters. */

#define NN_RESIZE_NEAREST       0
#define NN_RESIZE_NEAREST_EXACT 1
#define NN_RESIZE_LINEAR        2
#define NN_RESIZE_CUBIC         3

/* One axis, and what index i of y takes from x: see kernels/resize/cpu_taps.c. */
typedef struct nn_resize_axis {
    int x, y, mode, align_corners, antialias;
    float cubic, step;
    int first, count;
    float t, start, scale, total;
} nn_resize_axis;

float nn_resize_keys(float x, float a) {
    if (x < 1.0f) return ((a + 2.0f) * x - (a + 3.0f)) * x * x + 1.0f;
    if (x < 2.0f) return ((a * x - 5.0f * a) * x + 8.0f * a) * x - 4.0f * a;
    return 0.0f;
}

float nn_resize_filter(const nn_resize_axis *axis, int k) {
    float x = fabs(((float)k + axis->start) * axis->scale);
    if (axis->mode == NN_RESIZE_CUBIC) return nn_resize_keys(x, axis->cubic);
    return x < 1.0f ? 1.0f - x : 0.0f;
}

/* taps: the most taps. Contraction is off, so that all devices choose the same indices. */
void nn_resize_at(nn_resize_axis *axis, int i, int taps) {
#pragma OPENCL FP_CONTRACT OFF
    float half_step = ((float)i + 0.5f) * axis->step, s = half_step - 0.5f;
    axis->count = 1;
    axis->first = 0;
    if (axis->antialias) {
        float wide = fmax(axis->step, 1.0f);
        float support = (axis->mode == NN_RESIZE_CUBIC ? 2.0f : 1.0f) * wide;
        float low = half_step - support, high = half_step + support;
        axis->first = max((int)(low + 0.5f), 0);
        axis->count = min((int)(high + 0.5f), axis->x) - axis->first;
        axis->count = max(min(axis->count, taps), 1);
        axis->start = (float)axis->first - half_step + 0.5f;
        axis->scale = 1.0f / wide;
        axis->total = 0.0f;
        for (int k = 0; k < axis->count; k++) axis->total += nn_resize_filter(axis, k);
        return;
    }
    if (axis->mode == NN_RESIZE_NEAREST || axis->mode == NN_RESIZE_NEAREST_EXACT) {
        if (axis->mode == NN_RESIZE_NEAREST) half_step = (float)i * axis->step;
        axis->first = half_step < (float)axis->x ? min((int)half_step, axis->x - 1) : axis->x - 1;
        return;
    }
    if (axis->x == 1 && axis->y == 1) return;
    if (axis->align_corners) s = (float)i * axis->step;
    if (axis->mode == NN_RESIZE_LINEAR && s < 0.0f) s = 0.0f;
    axis->first = s < (float)axis->x ? min((int)floor(s), axis->x - 1) : axis->x - 1;
    axis->t = fmin(s - (float)axis->first, 1.0f);
    axis->count = 2;
    if (axis->mode == NN_RESIZE_LINEAR) {
        if (axis->x == axis->y) axis->first = i, axis->t = 0.0f;
        return;
    }
    axis->first--;
    axis->count = 4;
}

float nn_resize_weight(const nn_resize_axis *axis, int k) {
    float t = axis->t;
    if (axis->antialias) {
        float weight = nn_resize_filter(axis, k);
        return axis->total != 0.0f ? weight / axis->total : weight;
    }
    if (axis->count == 1) return 1.0f;
    if (axis->mode == NN_RESIZE_LINEAR) return k ? t : 1.0f - t;
    return nn_resize_keys(k == 0 ? t + 1.0f : k == 1 ? t : k == 2 ? 1.0f - t : 2.0f - t,
                          axis->cubic);
}

int nn_resize_source(const nn_resize_axis *axis, int k) {
    if (axis->mode == NN_RESIZE_LINEAR && axis->x == axis->y && !axis->antialias) k = 0;
    return min(max(axis->first + k, 0), axis->x - 1);
}

/* table: for each tap the source index of every output, or -1; then the weights as bits. A
   work-item computes one output. back: it is an index of x, and the work-item checks all i of y
   that may read it. */
__kernel void nn_resize_places(__global int *table, ulong table_offset, int x, int y, int mode,
                               int align_corners, int antialias, float cubic, float step, int taps,
                               int back) {
    int own = (int)get_global_id(0), n = back ? x : y, used = 0, low = 0, high = y;
    __global int *index = table + table_offset + own, *weight = index + (ulong)taps * (ulong)n;
    nn_resize_axis axis;
    if (own >= n) return;
    axis.x = x, axis.y = y, axis.mode = mode, axis.align_corners = align_corners;
    axis.antialias = antialias, axis.cubic = cubic, axis.step = step;
    if (!back) {
        nn_resize_at(&axis, own, taps);
        for (; used < axis.count && used < taps; used++) {
            index[(ulong)used * (ulong)n] = nn_resize_source(&axis, used);
            weight[(ulong)used * (ulong)n] = as_int(nn_resize_weight(&axis, used));
        }
    } else {
        float reach =
            (mode == NN_RESIZE_CUBIC ? 2.0f : 1.0f) * (antialias ? fmax(step, 1.0f) : 1.0f);
        if (step > 0.0f && own > 0)
            low = (int)clamp(((float)own - reach - 1.5f) / step - 2.0f, 0.0f, (float)y);
        if (step > 0.0f && own < x - 1)
            high = min((int)clamp(((float)own + reach + 1.5f) / step + 3.0f, 0.0f, (float)y), y);
        for (int i = low; i < high; i++) {
            float sum = 0.0f;
            int found = 0;
            nn_resize_at(&axis, i, 0x7fffffff);
            for (int k = max(own > 0 && own < x - 1 ? own - axis.first : 0, 0); k < axis.count;
                 k++) {
                int source = nn_resize_source(&axis, k);
                if (source == own) sum += nn_resize_weight(&axis, k), found = 1;
                if (source > own) break;
            }
            if (!found || used == taps) continue;
            index[(ulong)used * (ulong)n] = i;
            weight[(ulong)used * (ulong)n] = as_int(sum);
            used++;
        }
    }
    for (; used < taps; used++) index[(ulong)used * (ulong)n] = -1;
}

/* A work-item computes one number of y from the tables, forward and backward. */
__kernel void nn_resize(__global float *y, ulong y_offset, const __global float *x, ulong x_offset,
                        const __global int *rows, ulong rows_offset, const __global int *columns,
                        ulong columns_offset, int H, int W, int OH, int OW, int taps_h, int taps_w,
                        int accumulate, ulong begin, ulong end) {
    ulong at = begin + get_global_id(0), row = at / (ulong)OW;
    if (at >= end) return;
    int i = (int)(row % (ulong)OH), j = (int)(at % (ulong)OW);
    float sum = accumulate ? y[y_offset + at] : 0.0f;
    x += x_offset + row / (ulong)OH * (ulong)H * (ulong)W;
    rows += rows_offset + i, columns += columns_offset + j;
    for (int a = 0; a < taps_h; a++) {
        int h = rows[(ulong)a * (ulong)OH];
        float part = 0.0f;
        if (h < 0) break;
        const __global float *line = x + (ulong)h * (ulong)W;
        for (int b = 0; b < taps_w; b++) {
            int w = columns[(ulong)b * (ulong)OW];
            if (w < 0) break;
            part += as_float(columns[((ulong)taps_w + (ulong)b) * (ulong)OW]) * line[w];
        }
        sum += as_float(rows[((ulong)taps_h + (ulong)a) * (ulong)OH]) * part;
    }
    y[y_offset + at] = sum;
}
#undef NN_RESIZE_NEAREST
#undef NN_RESIZE_NEAREST_EXACT
#undef NN_RESIZE_LINEAR
#undef NN_RESIZE_CUBIC
