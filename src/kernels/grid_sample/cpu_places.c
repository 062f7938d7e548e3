/* kernels/grid_sample/cpu_places.c - computes pixels and weights from positions of a grid. */
#include "kernels/grid_sample/cpu.h"

#include <math.h>

/* An axis: a position in pixels, and its derivative with respect to the grid's number. */
typedef struct nn__grid_axis {
    const nn_grid_sample_args *args;
    int size;
    float at, slope;
    int count;         /* of taps */
    int32_t index[4];  /* -1: outside */
    float weight[4], change[4]; /* change: the weight's derivative with respect to `at` */
} nn__grid_axis;

/* Moves a position into the image, unless the padding is zeros, and multiplies *slope by the
   derivative. A NaN becomes 0. */
static float nn__grid_inside(const nn_grid_sample_args *args, int size, float at, float *slope) {
    const float most = (float)(size - 1);
    if (args->padding == NN_GRID_ZEROS) return at;
    if (args->padding == NN_GRID_REFLECTION) {
        const float low = args->align_corners ? 0.0f : -0.5f,
                    around = 2.0f * (float)(args->align_corners ? size - 1 : size);
        float from = at - low, extra;
        if (from < 0.0f) from = -from, *slope = -*slope;
        extra = around > 0.0f ? from - floorf(from / around) * around : 0.0f;
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

/* Returns the pixel at this integer, or -1 if it is outside. */
static int32_t nn__grid_pixel(float at, int size) {
    return at >= 0.0f && at < (float)size ? (int32_t)at : -1;
}

static void nn__grid_cubic(nn__grid_axis *axis, float t) {
    const float a = -0.75f, u = 1.0f - t;
    axis->weight[0] = a * (((t - 2.0f) * t + 1.0f) * t);
    axis->weight[1] = ((a + 2.0f) * t - (a + 3.0f)) * t * t + 1.0f;
    axis->weight[2] = ((a + 2.0f) * u - (a + 3.0f)) * u * u + 1.0f;
    axis->weight[3] = a * (((u - 2.0f) * u + 1.0f) * u);
    axis->change[0] = a * ((3.0f * t - 4.0f) * t + 1.0f);
    axis->change[1] = (3.0f * (a + 2.0f) * t - 2.0f * (a + 3.0f)) * t;
    axis->change[2] = -(3.0f * (a + 2.0f) * u - 2.0f * (a + 3.0f)) * u;
    axis->change[3] = -a * ((3.0f * u - 4.0f) * u + 1.0f);
}

static void nn__grid_axis_at(nn__grid_axis *axis, float place) {
    const nn_grid_sample_args *args = axis->args;
    const int size = axis->size;
    const float wide = (float)(args->align_corners ? size - 1 : size);
    float none = 1.0f, below;
    axis->slope = 0.5f * wide;
    axis->at = args->align_corners ? (place + 1.0f) / 2.0f * wide
                                   : ((place + 1.0f) * wide - 1.0f) / 2.0f;
    axis->count = 4;
    if (args->mode == NN_GRID_BICUBIC) {
        below = floorf(axis->at);
        nn__grid_cubic(axis, axis->at - below);
        for (int k = 0; k < 4; k++)
            axis->index[k] = nn__grid_pixel(
                nn__grid_inside(args, size, below + (float)(k - 1), &none), size);
        return;
    }
    axis->at = nn__grid_inside(args, size, axis->at, &axis->slope);
    axis->count = 1;
    if (args->mode == NN_GRID_NEAREST) {
        axis->index[0] = nn__grid_pixel(rintf(axis->at), size);
        axis->weight[0] = 1.0f;
        axis->change[0] = 0.0f;
        return;
    }
    below = floorf(axis->at);
    axis->count = 2;
    axis->index[0] = nn__grid_pixel(below, size);
    axis->index[1] = nn__grid_pixel(below + 1.0f, size);
    axis->weight[1] = axis->at - below;
    axis->weight[0] = below + 1.0f - axis->at;
    axis->change[0] = -1.0f;
    axis->change[1] = 1.0f;
}

NN_PRIVATE void nn__grid_places(const nn_grid_sample_args *args, int n, int64_t at, int count,
                                bool slopes, nn__grid_run *run) {
    const float *grid = nn__f32(&args->grid) + 2 * (n * nn__grid_count(args) + at);
    const nn_shape *picture = nn__present(&args->x) ? &args->x.shape : &args->dx.shape;
    nn__grid_axis h, w;
    memset(&h, 0, sizeof h);
    memset(&w, 0, sizeof w);
    h.args = w.args = args;
    h.size = picture->extent[2];
    w.size = picture->extent[3];
    for (int i = 0; i < count; i++) {
        nn__grid_axis_at(&w, grid[2 * i]);
        nn__grid_axis_at(&h, grid[2 * i + 1]);
        for (int a = 0; a < h.count; a++)
            for (int b = 0; b < w.count; b++) {
                const int k = a * w.count + b;
                const bool inside = h.index[a] >= 0 && w.index[b] >= 0;
                run->index[k][i] = inside ? h.index[a] * w.size + w.index[b] : 0;
                run->keep[k][i] = inside ? -1 : 0;
                run->weight[k][i] = h.weight[a] * w.weight[b];
                if (!slopes) continue;
                run->slope[0][k][i] = h.weight[a] * w.change[b] * w.slope;
                run->slope[1][k][i] = h.change[a] * w.weight[b] * h.slope;
            }
    }
}
