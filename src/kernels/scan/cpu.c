/* kernels/scan/cpu.c - running sums and the like on the CPU: lanes that lie side by side are walked
   together, block by block. */
#include "cpu/private.h"

#include <math.h>

#define NN__SCAN_LANES 64    /* lanes of a block */
#define NN__SCAN_UNIT  16384 /* elements of a unit, about */

typedef struct nn__scan_walk {
    int64_t length, inner, blocks; /* blocks: of up to NN__SCAN_LANES lanes, in all */
    int64_t cuts, each;            /* blocks of one row of lanes; blocks of a unit */
} nn__scan_walk;

static nn__scan_walk nn__scan_plan(const nn_shape *shape, int axis) {
    nn__scan_walk walk;
    int64_t outer = 1;
    walk.inner = 1;
    walk.length = shape->extent[axis];
    for (int i = 0; i < axis; i++) outer *= shape->extent[i];
    for (int i = axis + 1; i < shape->rank; i++) walk.inner *= shape->extent[i];
    walk.cuts = (walk.inner + NN__SCAN_LANES - 1) / NN__SCAN_LANES;
    walk.blocks = outer * walk.cuts;
    walk.each = nn__max64(1, NN__SCAN_UNIT / (walk.length * nn__min64(walk.inner, NN__SCAN_LANES)));
    return walk;
}

static int nn__scan_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_scan_args *args = (const nn_scan_args *)arguments;
    const nn__scan_walk walk = nn__scan_plan(&args->x.shape, args->axis);
    (void)cpu;
    return phase == 0 ? (int)((walk.blocks + walk.each - 1) / walk.each) : 0;
}

/* `count` lanes side by side; `step` from one element of a lane to the next, negative in reverse.
   Source: Kahan, "Further remarks on reducing truncation errors", 1965. */
static void nn__scan_block(float *y, const float *x, int count, int64_t length, int64_t step) {
    float sum[NN__SCAN_LANES], lost[NN__SCAN_LANES];
    for (int i = 0; i < count; i++) sum[i] = lost[i] = 0.0f;
    for (int64_t k = 0; k < length; k++) {
        for (int i = 0; i < count; i++) {
            volatile float next, taken; /* no compiler may cancel the difference below */
            float value = x[i] - lost[i];
            next = sum[i] + value;
            taken = next - sum[i];
            lost[i] = next - next == 0.0f ? taken - value : 0.0f; /* infinity stays infinity */
            y[i] = sum[i] = next;
        }
        x += step;
        y += step;
    }
}

static void nn__scan_products(float *y, const float *x, int count, int64_t length, int64_t step) {
    float product[NN__SCAN_LANES];
    for (int i = 0; i < count; i++) product[i] = 1.0f;
    for (int64_t k = 0; k < length; k++, x += step, y += step)
        for (int i = 0; i < count; i++) y[i] = product[i] *= x[i];
}

static void nn__scan_logs(float *y, const float *x, int count, int64_t length, int64_t step) {
    float sum[NN__SCAN_LANES];
    for (int i = 0; i < count; i++) sum[i] = -INFINITY;
    for (int64_t k = 0; k < length; k++, x += step, y += step)
        for (int i = 0; i < count; i++) {
            const float a = sum[i], b = x[i], high = a > b || a != a ? a : b,
                        low = a > b || a != a ? b : a;
            /* equal infinities have no difference, and nothing is added to infinity */
            sum[i] = high - high != 0.0f && low == low ? high : high + log1pf(expf(low - high));
            y[i] = sum[i];
        }
}

static void nn__scan_extremes(const nn_scan_args *args, int64_t first, int count, int64_t length,
                              int64_t step) {
    const float *x = nn__f32(&args->x) + first;
    float *y = nn__f32(&args->y) + first, best[NN__SCAN_LANES];
    int32_t *index = nn__present(&args->index) ? nn__i32(&args->index) + first : NULL;
    int32_t at[NN__SCAN_LANES];
    for (int64_t k = 0; k < length; k++, x += step, y += step)
        for (int i = 0; i < count; i++) {
            const float value = x[i];
            if (k == 0 || value != value ||
                (args->kind == NN_SCAN_MAX ? value >= best[i] : value <= best[i])) {
                best[i] = value;
                at[i] = (int32_t)(args->reverse ? length - 1 - k : k);
            }
            y[i] = best[i];
            if (index) index[k * step + i] = at[i];
        }
}

static void nn__scan_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                          void *shared, void *own) {
    const nn_scan_args *args = (const nn_scan_args *)arguments;
    const nn__scan_walk walk = nn__scan_plan(&args->x.shape, args->axis);
    const int64_t end = nn__min64((unit + 1) * walk.each, walk.blocks),
                  step = args->reverse ? -walk.inner : walk.inner;
    (void)cpu, (void)phase, (void)shared, (void)own;
    for (int64_t block = unit * walk.each; block < end; block++) {
        const int64_t lane = block % walk.cuts * NN__SCAN_LANES;
        const int count = (int)nn__min64(NN__SCAN_LANES, walk.inner - lane);
        int64_t first = block / walk.cuts * walk.length * walk.inner + lane;
        if (args->reverse) first += (walk.length - 1) * walk.inner;
        float *y = nn__f32(&args->y) + first;
        const float *x = nn__f32(&args->x) + first;
        switch (args->kind) {
        case NN_SCAN_SUM: nn__scan_block(y, x, count, walk.length, step); break;
        case NN_SCAN_PRODUCT: nn__scan_products(y, x, count, walk.length, step); break;
        case NN_SCAN_LOGSUMEXP: nn__scan_logs(y, x, count, walk.length, step); break;
        default: nn__scan_extremes(args, first, count, walk.length, step); break;
        }
    }
}

/* ---- gradient -------------------------------------------------------------------------------- */

static int nn__scan_backward_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_scan_backward_args *args = (const nn_scan_backward_args *)arguments;
    const nn__scan_walk walk = nn__scan_plan(&args->x.shape, args->axis);
    (void)cpu;
    return phase == 0 ? (int)((walk.blocks + walk.each - 1) / walk.each) : 0;
}

/* exp(a - b), of which b is at least a; equal infinities are as far from each other as equal
   numbers. */
static float nn__scan_share(float a, float b) { return a == b ? 1.0f : expf(a - b); }

static void nn__scan_backward_block(const nn_scan_backward_args *args, int64_t first, int count,
                                    const nn__scan_walk *walk) {
    const int64_t step = walk->inner;
    float sum[NN__SCAN_LANES];
    for (int i = 0; i < count; i++) sum[i] = 0.0f;
    for (int64_t k = walk->length - 1; k >= 0; k--) {
        const int64_t at = first + k * step;
        const float *x = nn__f32(&args->x) + at, *y = nn__f32(&args->y) + at,
                    *dy = nn__f32(&args->dy) + at;
        float *dx = nn__f32(&args->dx) + at;
        const bool last = k == walk->length - 1;
        for (int i = 0; i < count; i++) {
            if (args->kind == NN_SCAN_PRODUCT) {
                sum[i] = last ? dy[i] : dy[i] + sum[i] * x[i + step];
                dx[i] = k ? sum[i] * y[i - step] : sum[i];
            } else {
                sum[i] = last ? dy[i] : dy[i] + sum[i] * nn__scan_share(y[i], y[i + step]);
                dx[i] = sum[i] * nn__scan_share(x[i], y[i]);
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
        const int64_t lane = block % walk.cuts * NN__SCAN_LANES;
        nn__scan_backward_block(args, block / walk.cuts * walk.length * walk.inner + lane,
                                (int)nn__min64(NN__SCAN_LANES, walk.inner - lane), &walk);
    }
}
#undef NN__SCAN_LANES
#undef NN__SCAN_UNIT

static const nn__cpu_kernel nn__scan_kernel = {nn__scan_units, nn__scan_unit, NULL, NULL, NULL};
static const nn__cpu_kernel nn__scan_backward_kernel = {
    nn__scan_backward_units, nn__scan_backward_unit, NULL, NULL, NULL};

NN_PRIVATE void nn__install_scan(nn_context *nn) {
    NN__CPU_INSTALL(nn, SCAN, scan, &nn__scan_kernel);
    NN__CPU_INSTALL(nn, SCAN_BACKWARD, scan_backward, &nn__scan_backward_kernel);
}
