/* kernels/pool2d/cpu.c - max and average pooling, forward and backward, plane by plane.

   A unit is a fixed number of planes, so units share no data. The output's extents are given, with
   any rounding already decided. Letters are those of kernels/pool2d/args.h. */
#include "cpu/sets.h"
#include "kernels/pool2d/cpu.h"
#include "kernels/pool2d/vector.h"

#include <math.h>

#ifdef NN_NO_RARE_OPTIONS /* builders refuse dilation in these builds */
#define NN__POOL2D_STEP(dilation) 1
#else
#define NN__POOL2D_STEP(dilation) (dilation)
#endif

/* Adaptive windows of equal size are ordinary windows. */
static void nn__pool2d_even(nn__pool2d_plane *p) {
#ifndef NN_NO_RARE_OPTIONS
    if (!p->adaptive) return;
    p->dilation_h = p->dilation_w = 1;
    p->divisor = 0;
    if (p->h % p->oh || p->w % p->ow) return;
    p->adaptive = false;
    p->kernel_h = p->stride_h = p->h / p->oh, p->kernel_w = p->stride_w = p->w / p->ow;
    p->padding_h = p->padding_w = 0;
#else
    (void)p;
#endif
}

static nn__pool2d_plane nn__pool2d_plan(const nn__pool2d_rows *rows, const nn_pool2d_args *args) {
    nn__pool2d_plane p;
    p.h = args->x.shape.extent[2], p.w = args->x.shape.extent[3];
    p.oh = args->y.shape.extent[2], p.ow = args->y.shape.extent[3];
    p.kernel_h = args->kernel_h, p.kernel_w = args->kernel_w;
    p.stride_h = args->stride_h, p.stride_w = args->stride_w;
    p.padding_h = args->padding_h, p.padding_w = args->padding_w;
    p.inside = args->count_only_inside;
    p.adaptive = args->adaptive;
    p.divisor = args->divisor;
    p.dilation_h = nn__maxi(args->dilation_h, 1), p.dilation_w = nn__maxi(args->dilation_w, 1);
    nn__pool2d_even(&p);
    p.pairs = !p.adaptive && p.dilation_h == 1 && p.dilation_w == 1 && p.kernel_h == 2 &&
              p.kernel_w == 2 && p.stride_h == 2 && p.stride_w == 2 && p.padding_h == 0 &&
              p.padding_w == 0 && p.oh <= p.h / 2 && p.ow <= p.w / 2;
    p.first = p.end = 0, p.streams = false;
    if (p.pairs) p.end = p.ow;
    if (p.pairs || p.adaptive || p.stride_w > 2 || !rows->averages) return p;
    if (p.kernel_w > NN__POOL2D_ROW / 2) return p;
    const int64_t room = (int64_t)p.w + p.padding_w - p.kernel_w; /* where the last window begins */
    if (room < 0) return p;
    p.first = (p.padding_w + p.stride_w - 1) / p.stride_w;
    p.end = (int)nn__min64(room / p.stride_w + 1, p.ow);
    if (p.end < p.first) p.first = p.end = 0;
    /* max without index: columns outside of x count as -infinity there */
    if (args->kind == NN_POOL_MAX && !nn__present(&args->index)) p.first = 0, p.end = p.ow;
    return p;
}

static int64_t nn__pool2d_planes(const nn_pool2d_args *args) {
    return (int64_t)args->x.shape.extent[0] * args->x.shape.extent[1];
}

static int64_t nn__pool2d_planes_per_unit(const nn_pool2d_args *args) {
    const int64_t size = (int64_t)args->x.shape.extent[2] * args->x.shape.extent[3],
                  step = nn__max64(1, 16384 / nn__max64(1, size));
#ifdef NN_NO_THREADS
    return step;
#else /* larger units if there are many planes: long sequential reads are fastest */
    return nn__max64(step, nn__min64(nn__pool2d_planes(args) / 64, 8 * step));
#endif
}

static int nn__pool2d_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    int64_t step = nn__pool2d_planes_per_unit(args);
    (void)cpu;
    return phase == 0 ? (int)((nn__pool2d_planes(args) + step - 1) / step) : 0;
}

NN_PRIVATE nn__pool2d_window nn__pool2d_at(const nn__pool2d_plane *p, int i, int j) {
    nn__pool2d_window window;
#ifndef NN_NO_RARE_OPTIONS /* builders refuse both in these builds */
    if (p->adaptive) {
        window.h0 = (int)((int64_t)i * p->h / p->oh);
        window.w0 = (int)((int64_t)j * p->w / p->ow);
        window.h1 = (int)(((int64_t)(i + 1) * p->h + p->oh - 1) / p->oh);
        window.w1 = (int)(((int64_t)(j + 1) * p->w + p->ow - 1) / p->ow);
        window.count = (float)(window.h1 - window.h0) * (float)(window.w1 - window.w0);
        return window;
    }
#endif
    int h0 = i * p->stride_h - p->padding_h, w0 = j * p->stride_w - p->padding_w;
    int h1 = nn__mini(h0 + p->kernel_h, p->h + p->padding_h),
        w1 = nn__mini(w0 + p->kernel_w, p->w + p->padding_w);
    const float whole = (float)(h1 - h0) * (float)(w1 - w0); /* an int would overflow at 2^31 */
    window.h0 = nn__maxi(h0, 0), window.h1 = nn__mini(h1, p->h);
    window.w0 = nn__maxi(w0, 0), window.w1 = nn__mini(w1, p->w);
    window.count = p->inside ? (float)(window.h1 - window.h0) * (float)(window.w1 - window.w0)
                             : whole;
#ifndef NN_NO_RARE_OPTIONS
    if (p->divisor) window.count = (float)p->divisor;
    if (h0 < 0) window.h0 = (p->dilation_h + h0 % p->dilation_h) % p->dilation_h;
    if (w0 < 0) window.w0 = (p->dilation_w + w0 % p->dilation_w) % p->dilation_w;
#endif
    return window;
}

/* True if rows of `width` results, from `to` on, bypass the caches. */
static bool nn__pool2d_streams(const nn__cpu *cpu, const nn_pool2d_args *args, const float *to,
                               int width) {
    const int64_t numbers = nn__count(&args->x) + nn__count(&args->y);
    return width % 16 == 0 && nn__streams_at(cpu, to, numbers * (int64_t)sizeof(float));
}

/* ---- forward --------------------------------------------------------------------------------- */

/* A window of whole rows of x is one long row. Returns false if it is not such a window or contains
   a NaN. */
static bool nn__pool2d_long(const nn__pool2d_rows *rows, const nn__pool2d_window *v, bool average,
                            int w, const float *x, float *y, int *where) {
    const int first = v->h0 * w, n = (v->h1 - v->h0) * w;
    if (!rows->sum || v->w0 > 0 || v->w1 < w || n < 32) return false;
    *y = average ? (float)(rows->sum(x + first, n) / (double)v->count)
                 : rows->largest(x + first, n);
    if (average) return true;
    for (*where = first; *where < first + n; ++*where)
        if (x[*where] == *y) return true;
    return false;
}

/* Computes columns j to end - 1 of row i, for any windows. */
static void nn__pool2d_some(const nn__pool2d_rows *rows, const nn__pool2d_plane *p, bool average,
                            int i, int j, int end, float *y, int32_t *index, const float *x) {
    for (; j < end; j++) {
        const nn__pool2d_window v = nn__pool2d_at(p, i, j);
        float result = average ? 0.0f : -INFINITY;
        int where = v.h0 * p->w + v.w0;
        if (p->dilation_h == 1 && p->dilation_w == 1 &&
            nn__pool2d_long(rows, &v, average, p->w, x, &result, &where)) {
            /* done */
        } else if (average) { /* adds each column, then the columns, in the order of vectors */
            result = 0.0f;
            for (int w = v.w0; w < v.w1; w++) {
                float column = 0.0f;
                for (int h = v.h0; h < v.h1; h++) column += x[h * p->w + w];
                result += column;
            }
            result /= v.count;
        } else {
            result = -INFINITY, where = v.h0 * p->w + v.w0;
            for (int h = v.h0; h < v.h1; h += NN__POOL2D_STEP(p->dilation_h))
                for (int w = v.w0; w < v.w1; w += NN__POOL2D_STEP(p->dilation_w)) {
                    float value = x[h * p->w + w];
                    if (value > result || value != value) result = value, where = h * p->w + w;
                }
        }
        if (index) index[i * p->ow + j] = where;
        y[i * p->ow + j] = result;
    }
}

static void nn__pool2d_of_plane(const nn__pool2d_rows *rows, const nn__pool2d_plane *p,
                                bool average, float *y, int32_t *index, const float *x) {
    int done = p->first; /* vectors computed columns [first, done) */
    if (p->end > p->first && (average ? rows->averages != NULL : rows->maxima(p, y, index, x)))
        done = p->end;
    for (int i = 0; i < p->oh; i++) {
        if (average && done > p->first)
            rows->averages(p, i, nn__pool2d_at(p, i, p->first).count, y, x);
        if (p->first > 0) nn__pool2d_some(rows, p, average, i, 0, p->first, y, index, x);
        if (p->ow > done) nn__pool2d_some(rows, p, average, i, done, p->ow, y, index, x);
    }
}

static void nn__pool2d_forward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                    void *shared, void *own) {
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    const nn__pool2d_rows *rows = NN__OF_SET(cpu, nn__pool2d_rows);
    nn__pool2d_plane p = nn__pool2d_plan(rows, args);
    int64_t x_plane = (int64_t)p.h * p.w, y_plane = (int64_t)p.oh * p.ow,
            step = nn__pool2d_planes_per_unit(args);
    int64_t first = unit * step, end = nn__min64(first + step, nn__pool2d_planes(args));
    (void)phase, (void)shared, (void)own;
    p.streams = p.end - p.first == p.ow && nn__pool2d_streams(cpu, args, nn__f32(&args->y), p.ow);
    for (int64_t plane = first; plane < end; plane++) {
        const float *x = nn__f32(&args->x) + plane * x_plane;
        float *y = nn__f32(&args->y) + plane * y_plane;
        int32_t *index = nn__present(&args->index) ? nn__i32(&args->index) + plane * y_plane : NULL;
        nn__pool2d_of_plane(rows, &p, args->kind == NN_POOL_AVERAGE, y, index, x);
    }
    if (p.streams) nn__all_streamed();
}

static const nn__cpu_kernel nn__pool2d_forward = {nn__pool2d_units, nn__pool2d_forward_unit, NULL,
                                                  NULL, NULL};

/* ---- backward -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING

static void nn__pool2d_spread_average(const nn__pool2d_plane *p, float *dx, const float *dy) {
    for (int i = 0; i < p->oh; i++)
        for (int j = 0; j < p->ow; j++) {
            nn__pool2d_window v = nn__pool2d_at(p, i, j);
            float share = dy[i * p->ow + j] / v.count;
            for (int h = v.h0; h < v.h1; h++)
                for (int w = v.w0; w < v.w1; w++) dx[h * p->w + w] += share;
        }
}

/* Spreads windows in pairs: each number of dx is written once. */
static void nn__pool2d_spread_pairs(const nn__pool2d_rows *rows, const nn__pool2d_plane *p,
                                    float *dx, const float *dy, const int32_t *index,
                                    bool accumulate) {
    const int rest = p->w - 2 * p->ow, done = 2 * p->oh;
    rows->spread(p, dx, dy, index, accumulate);
    if (accumulate) return;
    for (int h = 0; rest && h < done; h++)
        memset(dx + h * p->w + 2 * p->ow, 0, (size_t)rest * sizeof(float));
    memset(dx + done * p->w, 0, (size_t)((p->h - done) * p->w) * sizeof(float));
}

/* Spreads windows that are one column apart: each row of shares is added to the rows of its
   windows, shifted by each of their columns. */
#define NN__POOL2D_SHARES 256
static void nn__pool2d_spread_shares(const nn__pool2d_rows *rows, const nn__pool2d_plane *p, int i,
                                     int j0, int n, float *dx, const float *dy) {
    float shares[NN__POOL2D_SHARES];
    const nn__pool2d_window v = nn__pool2d_at(p, i, j0);
    for (int j = 0; j < n; j++)
        shares[j] = dy[i * p->ow + j0 + j] / nn__pool2d_at(p, i, j0 + j).count;
    for (int h = v.h0; h < v.h1; h++)
        for (int k = p->kernel_w - 1; k >= 0; k--) {
            const int shift = j0 - p->padding_w + k; /* of shares[0] */
            const int first = nn__maxi(0, -shift), end = nn__mini(n, p->w - shift);
            if (first < end)
                rows->add(dx + (ptrdiff_t)h * p->w + shift + first, shares + first, end - first);
        }
}

/* The index is the caller's data in an immediate call, so an index outside of the plane is
   ignored. */
static void nn__pool2d_spread_max(float *dx, int64_t x_plane, const float *dy, const int32_t *index,
                                  int64_t y_plane) {
    for (int64_t i = 0; i < y_plane; i++)
        if (index[i] >= 0 && index[i] < x_plane) dx[index[i]] += dy[i];
}

static void nn__pool2d_backward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                     void *shared, void *own) {
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    const nn__pool2d_rows *rows = NN__OF_SET(cpu, nn__pool2d_rows);
    nn__pool2d_plane p = nn__pool2d_plan(rows, args);
    int64_t x_plane = (int64_t)p.h * p.w, y_plane = (int64_t)p.oh * p.ow,
            step = nn__pool2d_planes_per_unit(args);
    int64_t first = unit * step, end = nn__min64(first + step, nn__pool2d_planes(args));
    (void)phase, (void)shared, (void)own;
    p.streams = p.pairs && args->kind == NN_POOL_MAX && !args->accumulate && rows->spread &&
                nn__pool2d_streams(cpu, args, nn__f32(&args->x), p.w);
    for (int64_t plane = first; plane < end; plane++) {
        float *dx = nn__f32(&args->x) + plane * x_plane;
        const float *dy = nn__f32(&args->y) + plane * y_plane;
        const int32_t *index =
            args->kind == NN_POOL_MAX ? nn__i32(&args->index) + plane * y_plane : NULL;
        if (p.pairs && rows->spread) {
            nn__pool2d_spread_pairs(rows, &p, dx, dy, index, args->accumulate);
            continue;
        }
        if (!args->accumulate) memset(dx, 0, (size_t)x_plane * sizeof(float));
        if (index)
            nn__pool2d_spread_max(dx, x_plane, dy, index, y_plane);
        else if (rows->add && p.stride_w == 1 && !p.adaptive)
            for (int i = 0; i < p.oh; i++)
                for (int j = 0; j < p.ow; j += NN__POOL2D_SHARES)
                    nn__pool2d_spread_shares(rows, &p, i, j,
                                             nn__mini(NN__POOL2D_SHARES, p.ow - j), dx, dy);
        else
            nn__pool2d_spread_average(&p, dx, dy);
    }
    if (p.streams) nn__all_streamed();
}

static const char *nn__pool2d_backward_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    (void)cpu;
    if (args->kind == NN_POOL_MAX && !nn__present(&args->index))
        return NN__TEXT("max pooling backward needs the forward's index");
    return NULL;
}

static const nn__cpu_kernel nn__pool2d_backward = {nn__pool2d_units, nn__pool2d_backward_unit, NULL,
                                                   NULL, nn__pool2d_backward_refuses};
#endif

NN_PRIVATE void nn__install_pool2d(nn_context *nn) {
    NN__CPU_INSTALL(nn, POOL2D_FORWARD, pool2d_forward, &nn__pool2d_forward);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, POOL2D_BACKWARD, pool2d_backward, &nn__pool2d_backward);
#endif
}
