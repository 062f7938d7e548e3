/* kernels/scan/cpu.c - running sums and the like on the CPU: lanes are walked together, block by
   block. Lanes are adjacent, or, along the last axis, a whole length apart. */
#include "base/functions.h"
#include "kernels/scan/cpu.h"
#include "kernels/scan/vector.h"

#include <math.h>

#define NN__SCAN_LANES 64    /* lanes per block */
#define NN__SCAN_ROWS  8 /* lanes per block along the last axis, to hide the latency of additions */
#define NN__SCAN_UNIT  16384 /* elements per unit, approximately */

typedef struct nn__scan_walk {
    int64_t length, step;        /* of a lane; between its elements */
    int64_t lanes, apart;        /* lanes of a row of lanes; distance between two */
    int64_t most, cuts;          /* most lanes per block; blocks per row of lanes */
    int64_t outer, blocks, each; /* rows of lanes; blocks in all; blocks per unit */
} nn__scan_walk;

static nn__scan_walk nn__scan_plan(const nn_shape *shape, int axis) {
    nn__scan_walk walk;
    walk.outer = walk.lanes = walk.apart = 1;
    walk.length = shape->extent[axis];
    walk.most = NN__SCAN_LANES;
    for (int i = 0; i < axis; i++) walk.outer *= shape->extent[i];
    for (int i = axis + 1; i < shape->rank; i++) walk.lanes *= shape->extent[i];
    walk.step = walk.lanes;
    if (walk.lanes == 1) { /* every row is a lane */
        walk.lanes = walk.outer;
        walk.apart = walk.length;
        walk.outer = 1;
        walk.most = NN__SCAN_ROWS;
    }
    walk.cuts = (walk.lanes + walk.most - 1) / walk.most;
    walk.blocks = walk.outer * walk.cuts;
    walk.each = nn__max64(1, NN__SCAN_UNIT / (walk.length * nn__min64(walk.lanes, walk.most)));
    return walk;
}

/* Returns the number of lanes of a block, and where the first one begins. */
static int nn__scan_lanes(const nn__scan_walk *walk, int64_t block, int64_t *first) {
    const int64_t lane = block % walk->cuts * walk->most;
    *first = block / walk->cuts * walk->length * walk->lanes + lane * walk->apart;
    return (int)nn__min64(walk->most, walk->lanes - lane);
}

static int nn__scan_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_scan_args *args = (const nn_scan_args *)arguments;
    const nn__scan_walk walk = nn__scan_plan(&args->x.shape, args->axis);
    (void)cpu;
    return phase == 0 ? (int)((walk.blocks + walk.each - 1) / walk.each) : 0;
}

/* Scans `count` lanes that are `apart` from each other. step: between elements of a lane, negative
   in reverse. Sums are double, as in PyTorch. */
static void nn__scan_block(float *y, const float *x, int count, int64_t apart, int64_t length,
                           int64_t step) {
    double sum[NN__SCAN_LANES];
    for (int i = 0; i < count; i++) sum[i] = 0.0;
    for (int64_t k = 0; k < length; k++, x += step, y += step)
        for (int i = 0; i < count; i++) y[i * apart] = (float)(sum[i] += (double)x[i * apart]);
}

/* Scans NN__SCAN_ROWS lanes, whose sums stay in registers. */
static void nn__scan_rows(float *y, const float *x, int64_t apart, int64_t length, int64_t step) {
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0, e = 0.0, f = 0.0, g = 0.0, h = 0.0;
    for (int64_t k = 0; k < length; k++, x += step, y += step) {
        y[0] = (float)(a += (double)x[0]);
        y[apart] = (float)(b += (double)x[apart]);
        y[2 * apart] = (float)(c += (double)x[2 * apart]);
        y[3 * apart] = (float)(d += (double)x[3 * apart]);
        y[4 * apart] = (float)(e += (double)x[4 * apart]);
        y[5 * apart] = (float)(f += (double)x[5 * apart]);
        y[6 * apart] = (float)(g += (double)x[6 * apart]);
        y[7 * apart] = (float)(h += (double)x[7 * apart]);
    }
}

/* Scans NN__SCAN_ROWS lanes, whose products stay in registers. */
static void nn__scan_product_rows(float *y, const float *x, int64_t apart, int64_t length,
                                  int64_t step) {
    float a = 1.0f, b = 1.0f, c = 1.0f, d = 1.0f, e = 1.0f, f = 1.0f, g = 1.0f, h = 1.0f;
    for (int64_t k = 0; k < length; k++, x += step, y += step) {
        y[0] = a *= x[0];
        y[apart] = b *= x[apart];
        y[2 * apart] = c *= x[2 * apart];
        y[3 * apart] = d *= x[3 * apart];
        y[4 * apart] = e *= x[4 * apart];
        y[5 * apart] = f *= x[5 * apart];
        y[6 * apart] = g *= x[6 * apart];
        y[7 * apart] = h *= x[7 * apart];
    }
}

static void nn__scan_products(float *y, const float *x, int count, int64_t apart, int64_t length,
                              int64_t step) {
    float product[NN__SCAN_LANES];
    for (int i = 0; i < count; i++) product[i] = 1.0f;
    for (int64_t k = 0; k < length; k++, x += step, y += step)
        for (int i = 0; i < count; i++) y[i * apart] = product[i] *= x[i * apart];
}

static void nn__scan_logs(float *y, const float *x, int count, int64_t apart, int64_t length,
                          int64_t step) {
    float sum[NN__SCAN_LANES];
    for (int i = 0; i < count; i++) sum[i] = -INFINITY;
    for (int64_t k = 0; k < length; k++, x += step, y += step)
        for (int i = 0; i < count; i++) {
            const float a = sum[i], b = x[i * apart], high = a > b || a != a ? a : b,
                        low = a > b || a != a ? b : a;
            /* equal infinities have no difference, and adding to infinity changes nothing */
            sum[i] = high - high != 0.0f && low == low
                         ? high
                         : high + (float)nn__log(1.0 + nn__exp(low - high));
            y[i * apart] = sum[i];
        }
}

static void nn__scan_extremes(const nn_scan_args *args, int64_t first, int count,
                              const nn__scan_walk *walk) {
    const bool largest = args->kind == NN_SCAN_MAX;
    const int64_t step = args->reverse ? -walk->step : walk->step;
    const float *x = nn__f32(&args->x) + first;
    float *y = nn__f32(&args->y) + first, best[NN__SCAN_LANES];
    int32_t *index = nn__present(&args->index) ? nn__i32(&args->index) + first : NULL;
    int32_t at[NN__SCAN_LANES];
    for (int64_t k = 0; k < walk->length; k++, x += step, y += step)
        for (int i = 0; i < count; i++) {
            const float value = x[i * walk->apart];
            const bool wins =
                k == 0 || value != value || (largest ? value >= best[i] : value <= best[i]);
            best[i] = wins ? value : best[i];
            at[i] = wins ? (int32_t)(args->reverse ? walk->length - 1 - k : k) : at[i];
            y[i * walk->apart] = best[i];
            if (index) index[k * step + i * walk->apart] = at[i];
        }
}

/* Scans a lane of adjacent numbers from the end. */
static void nn__scan_extreme_reverse(const float *x, float *y, int32_t *index, int64_t length,
                                     bool largest) {
    int64_t at = length - 1;
    float best = x[at];
    for (int64_t k = at; k >= 0; k--) {
        const float value = x[k];
        if (value != value || (largest ? value >= best : value <= best)) best = value, at = k;
        y[k] = best;
        if (index) index[k] = (int32_t)at;
    }
}

/* Scans `count` lanes of adjacent numbers. */
static void nn__scan_extreme_rows(const nn__cpu *cpu, const nn_scan_args *args, int64_t first,
                                  int count, int64_t length) {
    const bool largest = args->kind == NN_SCAN_MAX;
    for (int i = 0; i < count; i++, first += length) {
        const float *x = nn__f32(&args->x) + first;
        float *y = nn__f32(&args->y) + first;
        int32_t *index = nn__present(&args->index) ? nn__i32(&args->index) + first : NULL;
        if (args->reverse)
            nn__scan_extreme_reverse(x, y, index, length, largest);
        else
            NN__OF_NARROW(cpu, nn__scan_loops)->extreme(x, y, index, length, largest);
    }
}

static void nn__scan_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                          void *shared, void *own) {
    const nn_scan_args *args = (const nn_scan_args *)arguments;
    const nn__scan_walk walk = nn__scan_plan(&args->x.shape, args->axis);
    const int64_t end = nn__min64((unit + 1) * walk.each, walk.blocks),
                  step = args->reverse ? -walk.step : walk.step;
    (void)phase, (void)shared, (void)own;
    for (int64_t block = unit * walk.each; block < end; block++) {
        int64_t first;
        const int count = nn__scan_lanes(&walk, block, &first);
        if (walk.step == 1 && args->kind >= NN_SCAN_MAX) {
            nn__scan_extreme_rows(cpu, args, first, count, walk.length);
            continue;
        }
        if (args->reverse) first += (walk.length - 1) * walk.step;
        float *y = nn__f32(&args->y) + first;
        const float *x = nn__f32(&args->x) + first;
        if (args->kind == NN_SCAN_SUM && count == NN__SCAN_ROWS)
            nn__scan_rows(y, x, walk.apart, walk.length, step);
        else if (args->kind == NN_SCAN_SUM)
            nn__scan_block(y, x, count, walk.apart, walk.length, step);
        else if (args->kind == NN_SCAN_PRODUCT && count == NN__SCAN_ROWS)
            nn__scan_product_rows(y, x, walk.apart, walk.length, step);
        else if (args->kind == NN_SCAN_PRODUCT)
            nn__scan_products(y, x, count, walk.apart, walk.length, step);
        else if (args->kind == NN_SCAN_LOGSUMEXP)
            nn__scan_logs(y, x, count, walk.apart, walk.length, step);
        else
            nn__scan_extremes(args, first, count, &walk);
    }
}

/* ---- gradient -------------------------------------------------------------------------------- */

static int nn__scan_backward_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_scan_backward_args *args = (const nn_scan_backward_args *)arguments;
    const nn__scan_walk walk = nn__scan_plan(&args->x.shape, args->axis);
    (void)cpu;
    return phase == 0 ? (int)((walk.blocks + walk.each - 1) / walk.each) : 0;
}

/* Returns exp(a - b) for b >= a. Equal infinities count as equal. */
static float nn__scan_exp_difference(float a, float b) {
    return a == b ? 1.0f : (float)nn__exp(a - b);
}

static void nn__scan_backward_block(const nn_scan_backward_args *args, int64_t first, int count,
                                    const nn__scan_walk *walk) {
    const int64_t step = walk->step;
    float sum[NN__SCAN_LANES];
    for (int i = 0; i < count; i++) sum[i] = 0.0f;
    for (int64_t k = walk->length - 1; k >= 0; k--) {
        const int64_t at = first + k * step;
        const float *x = nn__f32(&args->x) + at, *y = nn__f32(&args->y) + at,
                    *dy = nn__f32(&args->dy) + at;
        float *dx = nn__f32(&args->dx) + at;
        const bool last = k == walk->length - 1;
        for (int lane = 0; lane < count; lane++) {
            const int64_t i = lane * walk->apart;
            if (args->kind == NN_SCAN_PRODUCT) {
                sum[lane] = last ? dy[i] : dy[i] + sum[lane] * x[i + step];
                dx[i] = k ? sum[lane] * y[i - step] : sum[lane];
            } else {
                sum[lane] =
                    last ? dy[i] : dy[i] + sum[lane] * nn__scan_exp_difference(y[i], y[i + step]);
                dx[i] = sum[lane] * nn__scan_exp_difference(x[i], y[i]);
            }
        }
    }
}

static void nn__scan_backward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                   void *shared, void *own) {
    const nn_scan_backward_args *args = (const nn_scan_backward_args *)arguments;
    const nn__scan_walk walk = nn__scan_plan(&args->x.shape, args->axis);
    const int64_t end = nn__min64((unit + 1) * walk.each, walk.blocks);
    (void)cpu, (void)phase, (void)shared, (void)own;
    for (int64_t block = unit * walk.each; block < end; block++) {
        int64_t first;
        const int count = nn__scan_lanes(&walk, block, &first);
        nn__scan_backward_block(args, first, count, &walk);
    }
}
#undef NN__SCAN_ROWS
#undef NN__SCAN_LANES
#undef NN__SCAN_UNIT

static const nn__cpu_kernel nn__scan_kernel = {nn__scan_units, nn__scan_unit, NULL, NULL, NULL};
static const nn__cpu_kernel nn__scan_backward_kernel = {
    nn__scan_backward_units, nn__scan_backward_unit, NULL, NULL, NULL};

NN_PRIVATE void nn__install_scan(nn_context *nn) {
    NN__CPU_INSTALL(nn, SCAN, scan, &nn__scan_kernel);
    NN__CPU_INSTALL(nn, SCAN_BACKWARD, scan_backward, &nn__scan_backward_kernel);
}
