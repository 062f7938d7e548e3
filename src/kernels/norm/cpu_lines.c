/* kernels/norm/cpu_lines.c - the loops of norms on the CPU: moments, sums and results of lines of
   numbers that share a mean. Sums are taken in float over a piece that stays in the first cache,
   and in double over the pieces. */
#include "kernels/norm/cpu_vectors.h"

#include <math.h>

#define NN__NORM_PIECE 4096

/* ---- vectors of eight ------------------------------------------------------------------------ */

#ifdef NN__VECTOR8
NN__AVX2 static inline double nn__norm_total8(__m256 a, __m256 b, __m256 c, __m256 d) {
    return (double)nn__sum8(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d)));
}

/* Sums have names and no arrays: what a loop indexes gcc -O2 keeps in memory, and each addition
   then waits for the store before it. */
NN__AVX2 static double nn__norm_sum8(const float *x, int n) {
    __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a;
    int i = 0;
    for (; i + 32 <= n; i += 32) {
        a = _mm256_add_ps(a, _mm256_loadu_ps(x + i));
        b = _mm256_add_ps(b, _mm256_loadu_ps(x + i + 8));
        c = _mm256_add_ps(c, _mm256_loadu_ps(x + i + 16));
        d = _mm256_add_ps(d, _mm256_loadu_ps(x + i + 24));
    }
    for (; i < n; i += 8) a = _mm256_add_ps(a, nn__norm_load8(x, i, n, 0.0f));
    return nn__norm_total8(a, b, c, d);
}

/* The sums of x - mean and of its square. */
NN__AVX2 static void nn__norm_squares8(const float *x, int n, float mean, double *sums) {
    const __m256 m = _mm256_set1_ps(mean);
    __m256 a0 = _mm256_setzero_ps(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    int i = 0;
    for (; i + 32 <= n; i += 32) {
        const __m256 d0 = _mm256_sub_ps(_mm256_loadu_ps(x + i), m);
        const __m256 d1 = _mm256_sub_ps(_mm256_loadu_ps(x + i + 8), m);
        const __m256 d2 = _mm256_sub_ps(_mm256_loadu_ps(x + i + 16), m);
        const __m256 d3 = _mm256_sub_ps(_mm256_loadu_ps(x + i + 24), m);
        a0 = _mm256_add_ps(a0, d0), b0 = _mm256_fmadd_ps(d0, d0, b0);
        a1 = _mm256_add_ps(a1, d1), b1 = _mm256_fmadd_ps(d1, d1, b1);
        a2 = _mm256_add_ps(a2, d2), b2 = _mm256_fmadd_ps(d2, d2, b2);
        a3 = _mm256_add_ps(a3, d3), b3 = _mm256_fmadd_ps(d3, d3, b3);
    }
    for (; i < n; i += 8) {
        const __m256 d = _mm256_sub_ps(nn__norm_load8(x, i, n, mean), m);
        a0 = _mm256_add_ps(a0, d);
        b0 = _mm256_fmadd_ps(d, d, b0);
    }
    sums[0] = nn__norm_total8(a0, a1, a2, a3);
    sums[1] = nn__norm_total8(b0, b1, b2, b3);
}

NN__AVX2 static NN__ALWAYS_INLINE void nn__norm_apply8_body(float *y, const float *x, int64_t n,
                                                            float mean, float scale, float shift,
                                                            const nn__clamp clamp,
                                                            const bool streams) {
    const __m256 m = _mm256_set1_ps(mean), s = _mm256_set1_ps(scale), t = _mm256_set1_ps(shift);
    int64_t i = 0;
#define NN__NORM_APPLY8(v) nn__norm_clamp8(_mm256_fmadd_ps(_mm256_sub_ps(v, m), s, t), clamp)
    for (; i + 16 <= n; i += 16) {
        nn__store8(y + i, NN__NORM_APPLY8(_mm256_loadu_ps(x + i)), streams);
        nn__store8(y + i + 8, NN__NORM_APPLY8(_mm256_loadu_ps(x + i + 8)), streams);
    }
    for (; i + 8 <= n; i += 8)
        nn__store8(y + i, NN__NORM_APPLY8(_mm256_loadu_ps(x + i)), streams);
    if (i < n) nn__norm_store8(y, i, n, NN__NORM_APPLY8(nn__norm_load8(x, i, n, 0.0f)));
#undef NN__NORM_APPLY8
}
NN__AVX2 static void nn__norm_apply8(float *y, const float *x, int64_t n, float mean, float scale,
                                     float shift, nn__clamp clamp, bool streams) {
    switch (clamp) {
    case NN__CLAMP_RELU:
        nn__norm_apply8_body(y, x, n, mean, scale, shift, NN__CLAMP_RELU, streams);
        break;
    case NN__CLAMP_RELU6:
        nn__norm_apply8_body(y, x, n, mean, scale, shift, NN__CLAMP_RELU6, streams);
        break;
    default: nn__norm_apply8_body(y, x, n, mean, scale, shift, NN__CLAMP_NOT, streams); break;
    }
}

NN__AVX2 static void nn__norm_apply_each8(float *y, const float *x, int64_t n, float mean,
                                          float rstd, const float *weight, const float *bias,
                                          bool streams) {
    const __m256 m = _mm256_set1_ps(mean), s = _mm256_set1_ps(rstd), zero = _mm256_setzero_ps();
    int64_t i = 0;
    for (; weight && bias && i + 16 <= n; i += 16) {
        const __m256 d = _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(x + i), m), s);
        const __m256 e = _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(x + i + 8), m), s);
        nn__store8(y + i,
                   _mm256_fmadd_ps(d, _mm256_loadu_ps(weight + i), _mm256_loadu_ps(bias + i)),
                   streams);
        nn__store8(y + i + 8, _mm256_fmadd_ps(e, _mm256_loadu_ps(weight + i + 8),
                                              _mm256_loadu_ps(bias + i + 8)),
                   streams);
    }
    for (; i < n; i += 8) {
        const __m256 d = _mm256_mul_ps(_mm256_sub_ps(nn__norm_load8(x, i, n, 0.0f), m), s);
        const __m256 b = bias ? nn__norm_load8(bias, i, n, 0.0f) : zero;
        nn__norm_store8(y, i, n,
                        weight ? _mm256_fmadd_ps(d, nn__norm_load8(weight, i, n, 0.0f), b)
                               : _mm256_add_ps(d, b));
    }
}

/* a += dy, b += dy (x - m) of eight numbers. */
#define NN__NORM_PAIR8(at, a, b)                                                                   \
    {                                                                                              \
        const __m256 g = _mm256_loadu_ps(dy + (at));                                               \
        a = _mm256_add_ps(a, g);                                                                   \
        b = _mm256_fmadd_ps(g, _mm256_sub_ps(_mm256_loadu_ps(x + (at)), m), b);                    \
    }
NN__AVX2 static void nn__norm_sums8(const float *dy, const float *x, int n, float mean,
                                    double *sums) {
    const __m256 m = _mm256_set1_ps(mean);
    __m256 a0 = _mm256_setzero_ps(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    int i = 0;
    for (; i + 32 <= n; i += 32) {
        NN__NORM_PAIR8(i, a0, b0)
        NN__NORM_PAIR8(i + 8, a1, b1)
        NN__NORM_PAIR8(i + 16, a2, b2)
        NN__NORM_PAIR8(i + 24, a3, b3)
    }
    for (; i < n; i += 8) {
        const __m256 g = nn__norm_load8(dy, i, n, 0.0f);
        a0 = _mm256_add_ps(a0, g);
        b0 = _mm256_fmadd_ps(g, _mm256_sub_ps(nn__norm_load8(x, i, n, mean), m), b0);
    }
    sums[0] += nn__norm_total8(a0, a1, a2, a3);
    sums[1] += nn__norm_total8(b0, b1, b2, b3);
}
#undef NN__NORM_PAIR8

/* The whole pairs of vectors of a line; biased: dbias is wanted as well. some: sums of g and of
   g (x - m). */
NN__AVX2 static NN__ALWAYS_INLINE int nn__norm_sums_pairs8(const float *dy, const float *x, int n,
                                                           __m256 m, __m256 s, const float *weight,
                                                           float *dweight, float *dbias,
                                                           const bool biased, __m256 *some) {
    __m256 a = some[0], b = some[1], c = a, e = b;
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m256 d = _mm256_sub_ps(_mm256_loadu_ps(x + i), m);
        const __m256 f = _mm256_sub_ps(_mm256_loadu_ps(x + i + 8), m);
        __m256 g = _mm256_loadu_ps(dy + i), h = _mm256_loadu_ps(dy + i + 8);
        _mm256_storeu_ps(dweight + i, _mm256_fmadd_ps(g, _mm256_mul_ps(d, s),
                                                      _mm256_loadu_ps(dweight + i)));
        _mm256_storeu_ps(dweight + i + 8, _mm256_fmadd_ps(h, _mm256_mul_ps(f, s),
                                                          _mm256_loadu_ps(dweight + i + 8)));
        if (biased) {
            _mm256_storeu_ps(dbias + i, _mm256_add_ps(g, _mm256_loadu_ps(dbias + i)));
            _mm256_storeu_ps(dbias + i + 8, _mm256_add_ps(h, _mm256_loadu_ps(dbias + i + 8)));
        }
        g = _mm256_mul_ps(g, _mm256_loadu_ps(weight + i));
        h = _mm256_mul_ps(h, _mm256_loadu_ps(weight + i + 8));
        a = _mm256_add_ps(a, g), b = _mm256_fmadd_ps(g, d, b);
        c = _mm256_add_ps(c, h), e = _mm256_fmadd_ps(h, f, e);
    }
    some[0] = a, some[1] = b, some[2] = c, some[3] = e;
    return i;
}
NN__AVX2 static void nn__norm_sums_each8(const float *dy, const float *x, int n, float mean,
                                         float rstd, const float *weight, float *dweight,
                                         float *dbias, double *sums) {
    const __m256 m = _mm256_set1_ps(mean), s = _mm256_set1_ps(rstd), zero = _mm256_setzero_ps();
    __m256 some[4] = {zero, zero, zero, zero};
    int i = 0;
    if (weight && dweight && dbias)
        i = nn__norm_sums_pairs8(dy, x, n, m, s, weight, dweight, dbias, true, some);
    else if (weight && dweight)
        i = nn__norm_sums_pairs8(dy, x, n, m, s, weight, dweight, NULL, false, some);
    for (; i < n; i += 8) {
        __m256 g = nn__norm_load8(dy, i, n, 0.0f);
        const __m256 d = _mm256_sub_ps(nn__norm_load8(x, i, n, mean), m);
        if (dweight)
            nn__norm_store8(
                dweight, i, n,
                _mm256_fmadd_ps(g, _mm256_mul_ps(d, s), nn__norm_load8(dweight, i, n, 0.0f)));
        if (dbias)
            nn__norm_store8(dbias, i, n, _mm256_add_ps(g, nn__norm_load8(dbias, i, n, 0.0f)));
        if (weight) g = _mm256_mul_ps(g, nn__norm_load8(weight, i, n, 0.0f));
        some[0] = _mm256_add_ps(some[0], g);
        some[1] = _mm256_fmadd_ps(g, d, some[1]);
    }
    sums[0] += nn__norm_total8(some[0], some[2], zero, zero);
    sums[1] += nn__norm_total8(some[1], some[3], zero, zero);
}

NN__AVX2 static void nn__norm_dx8(float *dx, const float *dy, const float *x, int64_t n, float mean,
                                  const float *weight, const float *pqr, bool accumulate,
                                  bool streams) {
    const __m256 m = _mm256_set1_ps(mean), p = _mm256_set1_ps(pqr[0]), q = _mm256_set1_ps(pqr[1]),
                 r = _mm256_set1_ps(pqr[2]);
    int64_t i = 0;
    for (; !accumulate && i + 16 <= n; i += 16) {
        const __m256 d = _mm256_sub_ps(_mm256_loadu_ps(x + i), m);
        const __m256 e = _mm256_sub_ps(_mm256_loadu_ps(x + i + 8), m);
        __m256 g = _mm256_mul_ps(_mm256_loadu_ps(dy + i), p);
        __m256 h = _mm256_mul_ps(_mm256_loadu_ps(dy + i + 8), p);
        if (weight) {
            g = _mm256_mul_ps(g, _mm256_loadu_ps(weight + i));
            h = _mm256_mul_ps(h, _mm256_loadu_ps(weight + i + 8));
        }
        nn__store8(dx + i, _mm256_add_ps(g, _mm256_fmadd_ps(d, r, q)), streams);
        nn__store8(dx + i + 8, _mm256_add_ps(h, _mm256_fmadd_ps(e, r, q)), streams);
    }
    for (; i < n; i += 8) {
        __m256 g = _mm256_mul_ps(nn__norm_load8(dy, i, n, 0.0f), p);
        if (weight) g = _mm256_mul_ps(g, nn__norm_load8(weight, i, n, 0.0f));
        g = _mm256_add_ps(g,
                          _mm256_fmadd_ps(_mm256_sub_ps(nn__norm_load8(x, i, n, 0.0f), m), r, q));
        if (accumulate) g = _mm256_add_ps(g, nn__norm_load8(dx, i, n, 0.0f));
        if (streams && n - i >= 8)
            _mm256_stream_ps(dx + i, g);
        else
            nn__norm_store8(dx, i, n, g);
    }
}
#endif

/* ---- lines ----------------------------------------------------------------------------------- */

/* Vectors add in float. What that cannot hold, such as squares of numbers around 1e20, is added
   again in double. */
static double nn__norm_total(const nn__cpu *cpu, const float *x, int n) {
    double total = 0.0;
    (void)cpu;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) total = nn__norm_sum8(x, n);
    if (nn__vectors(cpu) && fabs(total) <= (double)FLT_MAX) return total;
    total = 0.0;
#endif
    for (int i = 0; i < n; i++) total += (double)x[i];
    return total;
}

static void nn__norm_squares(const nn__cpu *cpu, const float *x, int n, float mean, double *sums) {
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) nn__norm_squares8(x, n, mean, sums);
    if (nn__vectors(cpu) && sums[1] <= (double)FLT_MAX) return;
#endif
    (void)cpu;
    sums[0] = sums[1] = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = (double)x[i] - (double)mean;
        sums[0] += d;
        sums[1] += d * d;
    }
}

/* Pieces of two passes each, joined as Chan, Golub and LeVeque do in "Algorithms for computing the
   sample variance", 1983: the mean of a piece is rounded, which its second pass corrects. */
NN_PRIVATE void nn__norm_moments(const nn__cpu *cpu, const float *x, int64_t n, bool rms,
                                 double *mean, double *squares) {
    double all_mean = 0.0, all_squares = 0.0, count = 0.0;
    for (int64_t i = 0; i < n; i += NN__NORM_PIECE) {
        const int m = (int)nn__min64(NN__NORM_PIECE, n - i);
        double sums[2];
        const float rounded = rms ? 0.0f : (float)(nn__norm_total(cpu, x + i, m) / m);
        nn__norm_squares(cpu, x + i, m, rounded, sums);
        if (rms) {
            all_squares += sums[1];
            continue;
        }
        const double rest = sums[0] / m, own = (double)rounded + rest - all_mean;
        count += m;
        all_squares += sums[1] - rest * sums[0] + own * own * (count - m) * m / count;
        all_mean += own * m / count;
    }
    *mean = all_mean;
    *squares = all_squares;
}

NN_PRIVATE void nn__norm_apply(const nn__cpu *cpu, float *y, const float *x, int64_t n, float mean,
                               float scale, float shift, nn__clamp clamp, int64_t bytes) {
    (void)clamp, (void)bytes;
    NN__NORM_VECTORS(cpu, nn__norm_apply8(y, x, n, mean, scale, shift, clamp,
                                          y != x && nn__streams(cpu, y, bytes)))
    for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * scale + shift;
}

NN_PRIVATE void nn__norm_apply_each(const nn__cpu *cpu, float *y, const float *x, int64_t n,
                                    float mean, float rstd, const float *weight,
                                    const float *bias, int64_t bytes) {
    (void)bytes;
    NN__NORM_VECTORS(cpu, nn__norm_apply_each8(y, x, n, mean, rstd, weight, bias,
                                               y != x && nn__streams(cpu, y, bytes)))
    if (weight && bias)
        for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * rstd * weight[i] + bias[i];
    else if (weight)
        for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * rstd * weight[i];
    else
        for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * rstd + (bias ? bias[i] : 0.0f);
}

static void nn__norm_sums_piece(const nn__cpu *cpu, const float *dy, const float *x, int n,
                                float mean, double *sums) {
    NN__NORM_VECTORS(cpu, nn__norm_sums8(dy, x, n, mean, sums))
    for (int i = 0; i < n; i++) {
        sums[0] += (double)dy[i];
        sums[1] += (double)dy[i] * (double)(x[i] - mean);
    }
}

NN_PRIVATE void nn__norm_sums(const nn__cpu *cpu, const float *dy, const float *x, int64_t n,
                              float mean, double *sums) {
    for (int64_t i = 0; i < n; i += NN__NORM_PIECE)
        nn__norm_sums_piece(cpu, dy + i, x + i, (int)nn__min64(NN__NORM_PIECE, n - i), mean, sums);
}

static void nn__norm_sums_each_piece(const nn__cpu *cpu, const float *dy, const float *x, int n,
                                     float mean, float rstd, const float *weight, float *dweight,
                                     float *dbias, double *sums) {
    NN__NORM_VECTORS(cpu, nn__norm_sums_each8(dy, x, n, mean, rstd, weight, dweight, dbias, sums))
    for (int i = 0; i < n; i++) {
        const float g = weight ? dy[i] * weight[i] : dy[i];
        sums[0] += (double)g;
        sums[1] += (double)g * (double)(x[i] - mean);
    }
    for (int i = 0; dweight && i < n; i++) dweight[i] += dy[i] * ((x[i] - mean) * rstd);
    for (int i = 0; dbias && i < n; i++) dbias[i] += dy[i];
}

NN_PRIVATE void nn__norm_sums_each(const nn__cpu *cpu, const float *dy, const float *x, int64_t n,
                                   float mean, float rstd, const float *weight, float *dweight,
                                   float *dbias, double *sums) {
    for (int64_t i = 0; i < n; i += NN__NORM_PIECE)
        nn__norm_sums_each_piece(cpu, dy + i, x + i, (int)nn__min64(NN__NORM_PIECE, n - i), mean,
                                 rstd, weight ? weight + i : NULL, dweight ? dweight + i : NULL,
                                 dbias ? dbias + i : NULL, sums);
}
#undef NN__NORM_PIECE

NN_PRIVATE void nn__norm_dx(const nn__cpu *cpu, float *dx, const float *dy, const float *x,
                            int64_t n, float mean, const float *weight, const float *pqr,
                            bool accumulate, int64_t bytes) {
    (void)bytes;
    NN__NORM_VECTORS(cpu, nn__norm_dx8(dx, dy, x, n, mean, weight, pqr, accumulate,
                                       !accumulate && dx != dy && dx != x &&
                                           nn__streams(cpu, dx, bytes)))
    const float p = pqr[0], q = pqr[1], r = pqr[2];
    for (int64_t i = 0; i < n; i++) {
        const float g = p * dy[i] * (weight ? weight[i] : 1.0f) + (q + r * (x[i] - mean));
        dx[i] = accumulate ? dx[i] + g : g;
    }
}
#undef NN__NORM_VECTORS
