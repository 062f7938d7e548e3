/* kernels/softmax/cpu.c - softmax and log_softmax over the last axis, forward and backward. A unit
   is a fixed number of rows. Its row functions (the largest, the sum of exp and their like) also
   serve kernels/cross_entropy/cpu.c. */
#include "cpu/simd.h"

#include <math.h>

/* ---- rows: largest number (NaN wins), y = exp(x - shift) with its sum, sums of products ------ */

static float nn__softmax_larger(float m, float x) { return x > m || x != x ? x : m; }

static float nn__softmax_max_plain(const float *x, int n) {
    float m = -INFINITY;
    for (int i = 0; i < n; i++) m = nn__softmax_larger(m, x[i]);
    return m;
}

static float nn__softmax_exp_plain(float *y, const float *x, float shift, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        float e = expf(x[i] - shift);
        if (y) y[i] = e;
        sum += (double)e;
    }
    return (float)sum;
}

static void nn__softmax_share_plain(float *y, float share, int n) {
    for (int i = 0; i < n; i++) y[i] *= share;
}

#ifndef NN_NO_TRAINING
/* The sum of a[i] b[i]. */
static double nn__softmax_dot_plain(const float *a, const float *b, int n) {
    double part[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; l++) part[l] += (double)a[i + l] * (double)b[i + l];
    for (; i < n; i++) part[0] += (double)a[i] * (double)b[i];
    return (part[0] + part[1]) + (part[2] + part[3]);
}
static double nn__softmax_sum_plain(const float *a, int n) {
    double part[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; l++) part[l] += (double)a[i + l];
    for (; i < n; i++) part[0] += (double)a[i];
    return (part[0] + part[1]) + (part[2] + part[3]);
}
/* dx = y (dy - sum) */
static void nn__softmax_slope_plain(float *dx, const float *y, const float *dy, float sum, int n) {
    for (int i = 0; i < n; i++) dx[i] = y[i] * (dy[i] - sum);
}
#endif

#ifdef NN__VECTOR8
NN__AVX2 static void nn__softmax_share8(float *y, float share, int n) {
    const __m256 s = _mm256_set1_ps(share);
    int i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_mul_ps(_mm256_loadu_ps(y + i), s));
    nn__softmax_share_plain(y + i, share, n - i);
}
#ifndef NN_NO_TRAINING
/* Blocks of 1024 numbers in four float accumulators, blocks in double. */
NN__AVX2 static double nn__softmax_dot8(const float *a, const float *b, int n) {
    double total = 0.0;
    int i = 0;
    while (n - i >= 32) {
        const int end = i + nn__mini(1024, (n - i) / 32 * 32);
        __m256 p = _mm256_setzero_ps(), q = p, r = p, s = p;
        for (; i < end; i += 32) {
            p = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), p);
            q = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8), _mm256_loadu_ps(b + i + 8), q);
            r = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 16), _mm256_loadu_ps(b + i + 16), r);
            s = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 24), _mm256_loadu_ps(b + i + 24), s);
        }
        total += (double)nn__sum8(_mm256_add_ps(_mm256_add_ps(p, q), _mm256_add_ps(r, s)));
    }
    return total + nn__softmax_dot_plain(a + i, b + i, n - i);
}
/* The sum of a[i], blocks as in nn__softmax_dot8. */
NN__AVX2 static double nn__softmax_sum8(const float *a, int n) {
    double total = 0.0;
    int i = 0;
    while (n - i >= 32) {
        const int end = i + nn__mini(1024, (n - i) / 32 * 32);
        __m256 p = _mm256_setzero_ps(), q = p, r = p, s = p;
        for (; i < end; i += 32) {
            p = _mm256_add_ps(_mm256_loadu_ps(a + i), p);
            q = _mm256_add_ps(_mm256_loadu_ps(a + i + 8), q);
            r = _mm256_add_ps(_mm256_loadu_ps(a + i + 16), r);
            s = _mm256_add_ps(_mm256_loadu_ps(a + i + 24), s);
        }
        total += (double)nn__sum8(_mm256_add_ps(_mm256_add_ps(p, q), _mm256_add_ps(r, s)));
    }
    return total + nn__softmax_sum_plain(a + i, n - i);
}
/* dx = dy - exp(y) sum; returns n: the numbers done. */
NN__AVX2 static int nn__softmax_log_slope8(float *dx, const float *y, const float *dy, float sum,
                                           int n, bool streams) {
    const __m256 s = _mm256_set1_ps(sum);
    int i = 0;
    for (; i + 8 <= n; i += 8)
        nn__store8(dx + i, _mm256_fnmadd_ps(nn__exp8(_mm256_loadu_ps(y + i)), s,
                                            _mm256_loadu_ps(dy + i)), streams);
    if (i < n)
        nn__store_tail8(dx + i, n - i,
                        _mm256_fnmadd_ps(nn__exp8(nn__load_tail8(y + i, n - i, 0.0f)), s,
                                         nn__load_tail8(dy + i, n - i, 0.0f)));
    return n;
}
#ifdef NN__VECTOR16
/* The same bytes; returns the numbers done, which leave less than a vector of sixteen. */
NN__AVX512 static int nn__softmax_log_slope16(float *dx, const float *y, const float *dy, float sum,
                                              int n, bool streams) {
    const __m512 s = _mm512_set1_ps(sum);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m512 d = _mm512_fnmadd_ps(nn__exp16(_mm512_loadu_ps(y + i)), s,
                                          _mm512_loadu_ps(dy + i));
        nn__store8(dx + i, nn__low16(d), streams);
        nn__store8(dx + i + 8, nn__high16(d), streams);
    }
    return i;
}
#endif
NN__AVX2 static void nn__softmax_slope8(float *dx, const float *y, const float *dy, float sum,
                                        int n, bool streams) {
    const __m256 s = _mm256_set1_ps(sum);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        nn__store8(dx + i, _mm256_mul_ps(_mm256_loadu_ps(y + i),
                                         _mm256_sub_ps(_mm256_loadu_ps(dy + i), s)), streams);
        nn__store8(dx + i + 8, _mm256_mul_ps(_mm256_loadu_ps(y + i + 8),
                                             _mm256_sub_ps(_mm256_loadu_ps(dy + i + 8), s)),
                   streams);
    }
    if (i + 8 <= n) { /* so that no line is written in two ways */
        nn__store8(dx + i, _mm256_mul_ps(_mm256_loadu_ps(y + i),
                                         _mm256_sub_ps(_mm256_loadu_ps(dy + i), s)), streams);
        i += 8;
    }
    nn__softmax_slope_plain(dx + i, y + i, dy + i, sum, n - i);
}
#endif
/* y = x - shift - more; returns how many numbers are done. */
NN__AVX2 static int nn__softmax_less8(float *y, const float *x, float shift, float more, int n,
                                      bool streams) {
    const __m256 s = _mm256_set1_ps(shift), m = _mm256_set1_ps(more);
    int i = 0;
    for (; i + 8 <= n; i += 8)
        nn__store8(y + i, _mm256_sub_ps(_mm256_sub_ps(_mm256_loadu_ps(x + i), s), m), streams);
    return i;
}
NN__AVX2 static float nn__softmax_max8(const float *x, int n) {
    int i = 0;
    __m256 best = _mm256_set1_ps(-INFINITY), more = best, bad = _mm256_setzero_ps();
    for (; i + 32 <= n; i += 32) { /* one of a pair is a NaN: they have no order */
        const __m256 a = _mm256_loadu_ps(x + i), b = _mm256_loadu_ps(x + i + 8);
        const __m256 c = _mm256_loadu_ps(x + i + 16), d = _mm256_loadu_ps(x + i + 24);
        bad = _mm256_or_ps(bad, _mm256_or_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q),
                                             _mm256_cmp_ps(c, d, _CMP_UNORD_Q)));
        best = _mm256_max_ps(best, _mm256_max_ps(a, b));
        more = _mm256_max_ps(more, _mm256_max_ps(c, d));
    }
    best = _mm256_max_ps(best, more);
    for (; i < n; i += 8) {
        __m256 v = n - i >= 8 ? _mm256_loadu_ps(x + i) : nn__load_tail8(x + i, n - i, -INFINITY);
        best = _mm256_max_ps(best, v);
        bad = _mm256_or_ps(bad, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
    }
    return _mm256_movemask_ps(bad) ? NAN : nn__max8(best);
}

#ifdef NN__VECTOR16
/* Lane for lane the operations of nn__softmax_exp8, and its sixteen sums. */
NN__AVX512 static float nn__softmax_exp16(float *y, const float *x, float shift, int n) {
    const __m512 s = _mm512_set1_ps(shift);
    __m512 sum = _mm512_setzero_ps();
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m512 e = nn__exp16(_mm512_sub_ps(_mm512_loadu_ps(x + i), s));
        if (y) _mm512_storeu_ps(y + i, e);
        sum = _mm512_add_ps(sum, e);
    }
    if (i < n) { /* exp(-infinity) = 0 fills the tail */
        const __mmask16 mask = (__mmask16)((1 << (n - i)) - 1);
        const __m512 e = nn__exp16(_mm512_mask_sub_ps(_mm512_set1_ps(-INFINITY), mask,
                                                      _mm512_maskz_loadu_ps(mask, x + i), s));
        if (y) _mm512_mask_storeu_ps(y + i, mask, e);
        sum = _mm512_add_ps(sum, e);
    }
    return nn__sum8(_mm256_add_ps(nn__low16(sum), nn__high16(sum)));
}
#endif
NN__AVX2 static float nn__softmax_exp8(float *y, const float *x, float shift, int n) {
    const __m256 s = _mm256_set1_ps(shift);
    __m256 sum = _mm256_setzero_ps(), more = sum;
    for (int i = 0; i < n; i += 8) {
        const int left = n - i; /* exp(-infinity) = 0 fills the tail */
        const __m256 v = left >= 8 ? _mm256_loadu_ps(x + i)
                                   : nn__load_tail8(x + i, left, -INFINITY);
        const __m256 e = nn__exp8(_mm256_sub_ps(v, s));
        if (y && left >= 8)
            _mm256_storeu_ps(y + i, e);
        else if (y)
            nn__store_tail8(y + i, left, e);
        if (i & 8)
            more = _mm256_add_ps(more, e);
        else
            sum = _mm256_add_ps(sum, e);
    }
    return nn__sum8(_mm256_add_ps(sum, more));
}
#endif

NN_PRIVATE float nn__row_max(const nn__cpu *cpu, const float *x, int n) {
    (void)cpu;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) return nn__softmax_max8(x, n);
#endif
    return nn__softmax_max_plain(x, n);
}

NN_PRIVATE float nn__row_exp(const nn__cpu *cpu, float *y, const float *x, float shift, int n) {
    (void)cpu;
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) return nn__softmax_exp16(y, x, shift, n);
#endif
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) return nn__softmax_exp8(y, x, shift, n);
#endif
    return nn__softmax_exp_plain(y, x, shift, n);
}

NN_PRIVATE void nn__row_scale(const nn__cpu *cpu, float *y, float scale, int n) {
    (void)cpu;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) {
        nn__softmax_share8(y, scale, n);
        return;
    }
#endif
    nn__softmax_share_plain(y, scale, n);
}

/* y = x - shift - more; bytes: of all rows of the two. */
static void nn__softmax_less(const nn__cpu *cpu, float *y, const float *x, float shift, float more,
                             int n, int64_t bytes) {
    int i = 0;
    (void)cpu, (void)bytes;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu))
        i = nn__softmax_less8(y, x, shift, more, n, y != x && nn__streams(cpu, y, bytes));
#endif
    for (; i < n; i++) y[i] = x[i] - shift - more;
}

#ifndef NN_NO_TRAINING
/* dx from y and dy of one row. bytes: of all rows of the three. */
static void nn__softmax_slope(const nn__cpu *cpu, float *dx, const float *y, const float *dy, int n,
                              int64_t bytes) {
    (void)cpu, (void)bytes;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) {
        const bool streams = dx != y && dx != dy && nn__streams(cpu, dx, bytes);
        nn__softmax_slope8(dx, y, dy, (float)nn__softmax_dot8(dy, y, n), n, streams);
        return;
    }
#endif
    nn__softmax_slope_plain(dx, y, dy, (float)nn__softmax_dot_plain(dy, y, n), n);
}
#endif

#ifndef NN_NO_TRAINING
/* dx = dy - exp(y) times the sum of dy, of one row; dx may be dy. */
static void nn__softmax_log_slope(const nn__cpu *cpu, float *dx, const float *y, const float *dy,
                                  int n, int64_t bytes) {
    int i = 0;
    float sum;
    (void)cpu, (void)bytes;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) {
        const bool streams = dx != y && dx != dy && nn__streams(cpu, dx, bytes);
        sum = (float)nn__softmax_sum8(dy, n);
#ifdef NN__VECTOR16
        if (nn__vectors16(cpu)) i = nn__softmax_log_slope16(dx, y, dy, sum, n, streams);
#endif
        i += nn__softmax_log_slope8(dx + i, y + i, dy + i, sum, n - i, streams);
    } else
#endif
        sum = (float)nn__softmax_sum_plain(dy, n);
    for (; i < n; i++) dx[i] = dy[i] - expf(y[i]) * sum;
}
#endif

/* ---- units ----------------------------------------------------------------------------------- */

static int nn__softmax_length(const nn_softmax_args *args) {
    return args->y.shape.rank ? args->y.shape.extent[args->y.shape.rank - 1] : 1;
}

/* 8192 numbers, and up to 65536 where there are many units all the same. */
static int64_t nn__softmax_rows_per_unit(const nn_softmax_args *args) {
    const int64_t n = nn__softmax_length(args);
    return nn__max64(nn__max64(1, 8192 / n), nn__min64(nn__count(&args->y) / n / 64, 65536 / n));
}

static int nn__softmax_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_softmax_args *args = (const nn_softmax_args *)arguments;
    int64_t rows = nn__count(&args->y) / nn__softmax_length(args),
            step = nn__softmax_rows_per_unit(args);
    (void)cpu;
    return phase == 0 ? (int)((rows + step - 1) / step) : 0;
}

static void nn__softmax_forward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                     void *shared, void *own) {
    const nn_softmax_args *args = (const nn_softmax_args *)arguments;
    int n = nn__softmax_length(args);
    int64_t rows = nn__count(&args->y) / n, step = nn__softmax_rows_per_unit(args);
    const int64_t bytes = 2 * rows * n * (int64_t)sizeof(float);
    (void)phase, (void)shared, (void)own;
    for (int64_t row = unit * step; row < nn__min64((unit + 1) * step, rows); row++) {
        const float *x = nn__f32(&args->x) + row * n;
        float *y = nn__f32(&args->y) + row * n;
        float largest = nn__row_max(cpu, x, n);
        if (args->logarithm) {
            float log_sum = logf(nn__row_exp(cpu, NULL, x, largest, n));
            nn__softmax_less(cpu, y, x, largest, log_sum, n, bytes);
        } else {
            nn__row_scale(cpu, y, 1.0f / nn__row_exp(cpu, y, x, largest, n), n);
        }
    }
#ifdef NN__VECTOR8
    nn__streamed();
#endif
}

static const nn__cpu_kernel nn__softmax_forward = {nn__softmax_units, nn__softmax_forward_unit,
                                                   NULL, NULL, NULL};

#ifndef NN_NO_TRAINING
static void nn__softmax_backward_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                      int unit, void *shared, void *own) {
    const nn_softmax_args *args = (const nn_softmax_args *)arguments;
    int n = nn__softmax_length(args);
    int64_t rows = nn__count(&args->y) / n, step = nn__softmax_rows_per_unit(args);
    const int64_t bytes = 3 * rows * n * (int64_t)sizeof(float);
    (void)phase, (void)shared, (void)own;
    for (int64_t row = unit * step; row < nn__min64((unit + 1) * step, rows); row++) {
        const float *y = nn__f32(&args->y) + row * n, *dy = nn__f32(&args->dy) + row * n;
        float *dx = nn__f32(&args->x) + row * n;
        if (args->logarithm)
            nn__softmax_log_slope(cpu, dx, y, dy, n, bytes);
        else
            nn__softmax_slope(cpu, dx, y, dy, n, bytes);
    }
#ifdef NN__VECTOR8
    nn__streamed();
#endif
}

static const nn__cpu_kernel nn__softmax_backward = {nn__softmax_units, nn__softmax_backward_unit,
                                                    NULL, NULL, NULL};
#endif

NN_PRIVATE void nn__install_softmax(nn_context *nn) {
    NN__CPU_INSTALL(nn, SOFTMAX_FORWARD, softmax_forward, &nn__softmax_forward);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, SOFTMAX_BACKWARD, softmax_backward, &nn__softmax_backward);
#endif
}
