/* kernels/pool2d/cpu.c - max and average pooling, forward and backward, plane by plane.

   A unit is a fixed number of planes, so nothing is shared between units. The output's extents are
   given: rounding up or down was decided above. Letters as in kernels/pool2d/args.h. */
#include "cpu/simd.h"
#include "kernels/pool2d/cpu.h"

#include <math.h>

#ifdef NN_NO_REPORTS /* builders refuse dilation where it is left out */
#define NN__POOL2D_STEP(dilation) 1
#else
#define NN__POOL2D_STEP(dilation) (dilation)
#endif

static nn__pool2d_plane nn__pool2d_plan(const nn_pool2d_args *args) {
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
    p.pairs = !p.adaptive && p.dilation_h == 1 && p.dilation_w == 1 && p.kernel_h == 2 &&
              p.kernel_w == 2 && p.stride_h == 2 && p.stride_w == 2 && p.padding_h == 0 &&
              p.padding_w == 0 && p.oh <= p.h / 2 && p.ow <= p.w / 2;
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
#else /* of many planes more, since threads read memory fastest that each go a long way */
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
#ifndef NN_NO_REPORTS /* builders refuse both where these are left out */
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
    const float whole = (float)(h1 - h0) * (float)(w1 - w0); /* as int it would wrap at 2^31 */
    window.h0 = nn__maxi(h0, 0), window.h1 = nn__mini(h1, p->h);
    window.w0 = nn__maxi(w0, 0), window.w1 = nn__mini(w1, p->w);
    window.count = p->inside ? (float)(window.h1 - window.h0) * (float)(window.w1 - window.w0)
                             : whole;
#ifndef NN_NO_REPORTS
    if (p->divisor) window.count = (float)p->divisor;
    if (h0 < 0) window.h0 = (p->dilation_h + h0 % p->dilation_h) % p->dilation_h;
    if (w0 < 0) window.w0 = (p->dilation_w + w0 % p->dilation_w) % p->dilation_w;
#endif
    return window;
}

#ifdef NN__VECTOR8
/* Whether rows of `width` results, of which `to` is the first, can be written past the caches, and
   should be. */
static bool nn__pool2d_streams(const nn__cpu *cpu, const nn_pool2d_args *args, const float *to,
                               int width) {
    const int64_t numbers = nn__count(&args->x) + nn__count(&args->y);
    return width % 16 == 0 && (uintptr_t)to % 64 == 0 &&
           nn__streams(cpu, to, numbers * (int64_t)sizeof(float));
}
#endif

/* ---- forward --------------------------------------------------------------------------------- */

/* Columns j to end - 1 of row i. Of an average each column of a window is summed up, then the
   columns: vectors of neighbours share columns. */
static void nn__pool2d_some(const nn__pool2d_plane *p, bool average, int i, int j, int end,
                            float *y, int32_t *index, const float *x) {
    for (; j < end; j++) {
        nn__pool2d_window v = nn__pool2d_at(p, i, j);
        float result = average ? 0.0f : -INFINITY;
        int where = v.h0 * p->w + v.w0;
        if (average) {
            for (int w = v.w0; w < v.w1; w++) {
                float column = 0.0f;
                for (int h = v.h0; h < v.h1; h++) column += x[h * p->w + w];
                result += column;
            }
            result /= v.count;
        } else {
            for (int h = v.h0; h < v.h1; h += NN__POOL2D_STEP(p->dilation_h))
                for (int w = v.w0; w < v.w1; w += NN__POOL2D_STEP(p->dilation_w)) {
                    float value = x[h * p->w + w];
                    if (value > result || value != value) result = value, where = h * p->w + w;
                }
            if (index) index[i * p->ow + j] = where;
        }
        y[i * p->ow + j] = result;
    }
}

/* One row of 2x2 windows. */
static void nn__pool2d_max_pairs(const nn__pool2d_plane *p, int i, float *y, int32_t *index,
                                 const float *x) {
    const float *top = x + (int64_t)2 * i * p->w, *bottom = top + p->w;
    for (int j = 0; j < p->ow; j++) {
        int where = 2 * i * p->w + 2 * j;
        float best = top[2 * j];
        int at = where;
        if (top[2 * j + 1] > best || top[2 * j + 1] != top[2 * j + 1])
            best = top[2 * j + 1], at = where + 1;
        if (bottom[2 * j] > best || bottom[2 * j] != bottom[2 * j])
            best = bottom[2 * j], at = where + p->w;
        if (bottom[2 * j + 1] > best || bottom[2 * j + 1] != bottom[2 * j + 1])
            best = bottom[2 * j + 1], at = where + p->w + 1;
        y[i * p->ow + j] = best;
        if (index) index[i * p->ow + j] = at;
    }
}

#ifdef NN__VECTOR8
/* Eight numbers, 1 or 2 apart. */
NN__AVX2 static inline __m256 nn__pool2d_load8(const float *x, int stride) {
    if (stride == 1) return _mm256_loadu_ps(x);
    __m256 mixed = _mm256_shuffle_ps(_mm256_loadu_ps(x), _mm256_loadu_ps(x + 7),
                                     0xd8); /* reads no further than x[14] */
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}

/* Columns j to j + 7 of row i, for strides 1 and 2; false when one of these windows is cut at a
   side. */
NN__AVX2 static bool nn__pool2d_window8(const nn__pool2d_plane *p, bool average, int i, int j,
                                        float *y, int32_t *index, const float *x) {
    int w0 = j * p->stride_w - p->padding_w;
    if (p->adaptive || p->dilation_h > 1 || p->dilation_w > 1) return false;
    if (p->stride_w > 2 || w0 < 0 || w0 + 7 * p->stride_w + p->kernel_w > p->w)
        return false;
    nn__pool2d_window v = nn__pool2d_at(p, i, j);
    if (average) {
        __m256 sum = _mm256_setzero_ps();
        for (int k = 0; k < p->kernel_w; k++) {
            __m256 column = _mm256_setzero_ps();
            for (int h = v.h0; h < v.h1; h++)
                column = _mm256_add_ps(column,
                                       nn__pool2d_load8(x + h * p->w + w0 + k, p->stride_w));
            sum = _mm256_add_ps(sum, column);
        }
        _mm256_storeu_ps(y + i * p->ow + j, _mm256_div_ps(sum, _mm256_set1_ps(v.count)));
        return true;
    }
    __m256 best = _mm256_set1_ps(-INFINITY);
    __m256i where = _mm256_set1_epi32(v.h0 * p->w + w0);
    for (int h = v.h0; h < v.h1; h++)
        for (int k = 0; k < p->kernel_w; k++) {
            __m256 value = nn__pool2d_load8(x + h * p->w + w0 + k, p->stride_w);
            __m256 wins = _mm256_or_ps(_mm256_cmp_ps(value, best, _CMP_GT_OQ),
                                       _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
            best = _mm256_blendv_ps(best, value, wins);
            where = _mm256_blendv_epi8(where, _mm256_set1_epi32(h * p->w + w0 + k),
                                       _mm256_castps_si256(wins));
        }
    _mm256_storeu_ps(y + i * p->ow + j, best);
    if (!index) return true;
    __m256i steps = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                       _mm256_set1_epi32(p->stride_w));
    _mm256_storeu_si256((__m256i *)(void *)(index + i * p->ow + j), _mm256_add_epi32(where, steps));
    return true;
}
#endif

static void nn__pool2d_row(const nn__cpu *cpu, const nn__pool2d_plane *p, bool average, int i,
                           float *y, int32_t *index, const float *x) {
    int j = 0;
    (void)cpu;
    if (p->pairs && !average) {
        nn__pool2d_max_pairs(p, i, y, index, x);
        return;
    }
#ifdef NN__VECTOR8
    if (p->adaptive && average && nn__vectors(cpu) && nn__pool2d_adaptive8(p, i, y, x)) return;
    if (p->adaptive && !average && nn__vectors(cpu)) {
        nn__pool2d_adaptive_max8(p, i, y, index, x, nn__pool2d_some);
        return;
    }
#endif
    while (j < p->ow) {
        int end = p->ow;
#ifdef NN__VECTOR8
        if (nn__vectors(cpu)) {
            end = nn__mini(j + 8, p->ow);
            if (p->ow >= 8 &&
                nn__pool2d_window8(p, average, i, nn__mini(j, p->ow - 8), y, index, x)) {
                j = end;
                continue;
            }
            end = j + 1; /* a cut window; the next may start eight whole ones */
        }
#endif
        nn__pool2d_some(p, average, i, j, end, y, index, x);
        j = end;
    }
}

static void nn__pool2d_forward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                    void *shared, void *own) {
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    nn__pool2d_plane p = nn__pool2d_plan(args);
    int64_t x_plane = (int64_t)p.h * p.w, y_plane = (int64_t)p.oh * p.ow,
            step = nn__pool2d_planes_per_unit(args);
    int64_t first = unit * step, end = nn__min64(first + step, nn__pool2d_planes(args));
    (void)phase, (void)shared, (void)own;
#ifdef NN__VECTOR8
    nn__pool2d_slider slide;
    const bool slides = args->kind == NN_POOL_AVERAGE && nn__vectors(cpu) &&
                        nn__pool2d_open_slider(&slide, &p, false);
    const bool places = nn__present(&args->index),
               streams = nn__pool2d_streams(cpu, args, nn__f32(&args->y), p.ow) &&
                         (!places || (uintptr_t)nn__i32(&args->index) % 64 == 0);
    slide.streams = streams;
#endif
    for (int64_t plane = first; plane < end; plane++) {
        const float *x = nn__f32(&args->x) + plane * x_plane;
        float *y = nn__f32(&args->y) + plane * y_plane;
        int32_t *index = nn__present(&args->index) ? nn__i32(&args->index) + plane * y_plane : NULL;
#ifdef NN__VECTOR8
        if (args->kind == NN_POOL_MAX && nn__vectors(cpu) &&
            nn__pool2d_halve(cpu, &p, y, index, x, streams))
            continue;
        if (slides && nn__pool2d_slide(cpu, &slide, y, x)) continue;
#endif
        for (int i = 0; i < p.oh; i++)
            nn__pool2d_row(cpu, &p, args->kind == NN_POOL_AVERAGE, i, y, index, x);
    }
#ifdef NN__VECTOR8
    if (streams) nn__streamed();
#endif
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

#ifdef NN__VECTOR8
/* 2x2 windows side by side: every number of dx written once, no zeroing before. Returns the columns
   of y done. */
NN__AVX2 static int nn__pool2d_spread_pairs8(const nn__pool2d_plane *p, int i, float *dx,
                                             const float *dy, const int32_t *index, bool streams) {
    const __m256i steps = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
    const int w = p->w, ow = p->ow;
    if (ow < 8) return 0;
    for (int group = 0; group < ow; group += 8) {
        const int j = nn__mini(group, ow - 8); /* the last eight overlap: the same numbers again */
        const float *from = dy + (ptrdiff_t)i * ow + j;
        const int32_t *at = index + (ptrdiff_t)i * ow + j;
        const __m256 grad = _mm256_loadu_ps(from);
        __m256i where = _mm256_loadu_si256((const __m256i *)(const void *)at);
        where = _mm256_sub_epi32(where,
                                 _mm256_add_epi32(steps, _mm256_set1_epi32(2 * (i * w + j))));
        for (int row = 0; row < 2; row++) {
            const __m256i left = _mm256_set1_epi32(row * w), right = _mm256_set1_epi32(row * w + 1);
            const __m256 even =
                _mm256_and_ps(grad, _mm256_castsi256_ps(_mm256_cmpeq_epi32(where, left)));
            const __m256 odd =
                _mm256_and_ps(grad, _mm256_castsi256_ps(_mm256_cmpeq_epi32(where, right)));
            const __m256 low = _mm256_unpacklo_ps(even, odd), high = _mm256_unpackhi_ps(even, odd);
            float *to = dx + (ptrdiff_t)(2 * i + row) * w + 2 * j;
            nn__store8(to, _mm256_permute2f128_ps(low, high, 0x20), streams);
            nn__store8(to + 8, _mm256_permute2f128_ps(low, high, 0x31), streams);
        }
    }
    return ow;
}

static void nn__pool2d_spread_pairs(const nn__pool2d_plane *p, float *dx, const float *dy,
                                    const int32_t *index, bool streams) {
    for (int i = 0; i < p->oh; i++) {
        const int done = nn__pool2d_spread_pairs8(p, i, dx, dy, index, streams);
        for (int row = 2 * i; row < 2 * i + 2 && 2 * done < p->w; row++)
            memset(dx + row * p->w + 2 * done, 0, (size_t)(p->w - 2 * done) * sizeof(float));
        for (int j = done; j < p->ow; j++) {
            const int corner = 2 * i * p->w + 2 * j, at = index[i * p->ow + j];
            if (at == corner || at == corner + 1 || at == corner + p->w || at == corner + p->w + 1)
                dx[at] += dy[i * p->ow + j];
        }
    }
    memset(dx + 2 * p->oh * p->w, 0, (size_t)((p->h - 2 * p->oh) * p->w) * sizeof(float));
}
#endif

/* The index is the caller's data in an immediate call: what lies outside of the plane is left
   out. */
static void nn__pool2d_spread_max(float *dx, int64_t x_plane, const float *dy, const int32_t *index,
                                  int64_t y_plane) {
    for (int64_t i = 0; i < y_plane; i++)
        if (index[i] >= 0 && index[i] < x_plane) dx[index[i]] += dy[i];
}

static void nn__pool2d_backward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                     void *shared, void *own) {
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    nn__pool2d_plane p = nn__pool2d_plan(args);
    int64_t x_plane = (int64_t)p.h * p.w, y_plane = (int64_t)p.oh * p.ow,
            step = nn__pool2d_planes_per_unit(args);
    int64_t first = unit * step, end = nn__min64(first + step, nn__pool2d_planes(args));
    (void)phase, (void)shared, (void)own, (void)cpu;
#ifdef NN__VECTOR8
    nn__pool2d_slider slide;
    const bool slides = args->kind == NN_POOL_AVERAGE && nn__vectors(cpu) && !p.pairs &&
                        nn__pool2d_open_slider(&slide, &p, true);
    const bool pairs =
        args->kind == NN_POOL_MAX && p.pairs && !args->accumulate && nn__vectors(cpu);
    const bool streams = !args->accumulate && (slides || pairs) &&
                         nn__pool2d_streams(cpu, args, nn__f32(&args->x), p.w);
    slide.streams = streams;
#endif
    for (int64_t plane = first; plane < end; plane++) {
        float *dx = nn__f32(&args->x) + plane * x_plane;
        const float *dy = nn__f32(&args->y) + plane * y_plane;
        const int32_t *index =
            args->kind == NN_POOL_MAX ? nn__i32(&args->index) + plane * y_plane : NULL;
#ifdef NN__VECTOR8
        if (pairs) {
            nn__pool2d_spread_pairs(&p, dx, dy, index, streams);
            continue;
        }
        if (slides) {
            nn__pool2d_slide_back(cpu, &slide, dx, dy, args->accumulate);
            continue;
        }
        if (!index && nn__vectors(cpu) && nn__pool2d_spread_average8(&p, dx, dy, args->accumulate))
            continue;
#endif
        if (!args->accumulate) memset(dx, 0, (size_t)x_plane * sizeof(float));
        if (index)
            nn__pool2d_spread_max(dx, x_plane, dy, index, y_plane);
        else
            nn__pool2d_spread_average(&p, dx, dy);
    }
#ifdef NN__VECTOR8
    if (streams) nn__streamed();
#endif
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
