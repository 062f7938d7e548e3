/* kernels/pool2d/cpu_avx2.c - adaptive averages, and the gradient of average pooling, in
   vectors of eight. */
#include "kernels/pool2d/cpu.h"

#include <math.h>

#ifdef NN__VECTOR8

/* The sum of n numbers that follow each other. */
NN__AVX2 static float nn__pool2d_sum8(const float *x, int n) {
    __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a;
    int i = 0;
    for (; i + 32 <= n; i += 32) {
        nn__ahead8(x + i);
        a = _mm256_add_ps(a, _mm256_loadu_ps(x + i));
        b = _mm256_add_ps(b, _mm256_loadu_ps(x + i + 8));
        c = _mm256_add_ps(c, _mm256_loadu_ps(x + i + 16));
        d = _mm256_add_ps(d, _mm256_loadu_ps(x + i + 24));
    }
    for (; i < n; i += 8)
        a = _mm256_add_ps(a, n - i >= 8 ? _mm256_loadu_ps(x + i)
                                        : nn__load_tail8(x + i, n - i, 0.0f));
    return nn__sum8(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d)));
}

#define NN__POOL2D_COLUMNS 256
NN__AVX2 NN_PRIVATE bool nn__pool2d_adaptive8(const nn__pool2d_plane *p, int i, float *y,
                                          const float *x) {
    float columns[NN__POOL2D_COLUMNS];
    if (p->oh == 1 && p->ow == 1) {
        y[0] = nn__pool2d_sum8(x, p->h * p->w) / ((float)p->h * (float)p->w);
        return true;
    }
    if (p->w > NN__POOL2D_COLUMNS || p->ow > INT32_MAX / (2 * NN__POOL2D_COLUMNS)) return false;
    const nn__pool2d_window rows = nn__pool2d_at(p, i, 0);
    if (rows.w1 - rows.w0 == p->w) { /* one window: the whole rows */
        const float sum = nn__pool2d_sum8(x + rows.h0 * p->w, (rows.h1 - rows.h0) * p->w);
        for (int j = 0; j < p->ow; j++) y[i * p->ow + j] = sum / rows.count;
        return true;
    }
    for (int w = 0; w < p->w; w += 8) {
        const int n = nn__mini(8, p->w - w);
        __m256 sum = _mm256_setzero_ps();
        for (int h = rows.h0; h < rows.h1; h++) {
            const float *from = x + h * p->w + w;
            sum = _mm256_add_ps(sum,
                                n == 8 ? _mm256_loadu_ps(from) : nn__load_tail8(from, n, 0.0f));
        }
        _mm256_storeu_ps(columns + w, sum); /* there is room for whole eights */
    }
    for (int j = 0; j < p->ow; j++) {
        const int first = j * p->w / p->ow, end = ((j + 1) * p->w + p->ow - 1) / p->ow;
        float sum = columns[first];
        for (int w = first + 1; w < end; w++) sum += columns[w];
        y[i * p->ow + j] = sum / (float)((rows.h1 - rows.h0) * (end - first));
    }
    return true;
}
#undef NN__POOL2D_COLUMNS

/* The largest number of a window and its place: each lane has the first one of its columns, and the
   first of equal lanes is taken. False: there is a NaN, and nothing was written. */
NN__AVX2 static bool nn__pool2d_largest8(const nn__pool2d_plane *p, const nn__pool2d_window *v,
                                         const float *x, float *y, int32_t *index) {
    const __m256i steps = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256 best = _mm256_set1_ps(-INFINITY), bad = _mm256_setzero_ps();
    __m256i where = _mm256_set1_epi32(v->h0 * p->w + v->w0);
    for (int w = v->w0; w < v->w1; w += 8) {
        const int n = nn__mini(8, v->w1 - w);
        const __m256i mask = nn__first8(n);
        for (int h = v->h0; h < v->h1; h++) {
            const int at = h * p->w + w;
            const __m256 value = _mm256_blendv_ps(_mm256_set1_ps(-INFINITY),
                                                  _mm256_maskload_ps(x + at, mask),
                                                  _mm256_castsi256_ps(mask));
            const __m256 wins = _mm256_cmp_ps(value, best, _CMP_GT_OQ);
            const __m256i here = _mm256_add_epi32(_mm256_set1_epi32(at), steps);
            bad = _mm256_or_ps(bad, _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
            best = _mm256_blendv_ps(best, value, wins);
            where = _mm256_blendv_epi8(where, here, _mm256_castps_si256(wins));
        }
    }
    if (_mm256_movemask_ps(bad)) return false;
    const float largest = nn__max8(best);
    *y = largest;
    if (!index) return true;
    const __m256i equal =
        _mm256_castps_si256(_mm256_cmp_ps(best, _mm256_set1_ps(largest), _CMP_EQ_OQ));
    int32_t places[8];
    _mm256_storeu_si256((__m256i *)(void *)places,
                        _mm256_blendv_epi8(_mm256_set1_epi32(INT32_MAX), where, equal));
    *index = places[0];
    for (int i = 1; i < 8; i++) *index = nn__mini(*index, places[i]);
    return true;
}

NN_PRIVATE void nn__pool2d_adaptive_max8(const nn__pool2d_plane *p, int i, float *y, int32_t *index,
                                         const float *x,
                                         void (*plain)(const nn__pool2d_plane *p, bool average,
                                                       int i, int j, int end, float *y,
                                                       int32_t *index, const float *x)) {
    for (int j = 0; j < p->ow; j++) {
        const nn__pool2d_window v = nn__pool2d_at(p, i, j);
        const int at = i * p->ow + j;
        if (!nn__pool2d_largest8(p, &v, x, y + at, index ? index + at : NULL))
            plain(p, false, i, j, j + 1, y, index, x);
    }
}

#ifndef NN_NO_TRAINING
/* 2x2 windows side by side. */
NN__AVX2 static void nn__pool2d_spread_quarters8(const nn__pool2d_plane *p, float *dx,
                                                 const float *dy, bool accumulate) {
    const float count = p->divisor ? (float)p->divisor : 4.0f;
    const __m256 four = _mm256_set1_ps(count);
    for (int i = 0; i < p->oh; i++) {
        float *top = dx + (int64_t)2 * i * p->w, *bottom = top + p->w;
        int j = 0;
        for (; j + 8 <= p->ow; j += 8) {
            const __m256 share = _mm256_div_ps(_mm256_loadu_ps(dy + i * p->ow + j), four);
            const __m256 low = _mm256_unpacklo_ps(share, share),
                         high = _mm256_unpackhi_ps(share, share);
            __m256 a = _mm256_permute2f128_ps(low, high, 0x20),
                   b = _mm256_permute2f128_ps(low, high, 0x31), c = a, d = b;
            if (accumulate) {
                a = _mm256_add_ps(_mm256_loadu_ps(top + 2 * j), a);
                b = _mm256_add_ps(_mm256_loadu_ps(top + 2 * j + 8), b);
                c = _mm256_add_ps(_mm256_loadu_ps(bottom + 2 * j), c);
                d = _mm256_add_ps(_mm256_loadu_ps(bottom + 2 * j + 8), d);
            }
            _mm256_storeu_ps(top + 2 * j, a);
            _mm256_storeu_ps(top + 2 * j + 8, b);
            _mm256_storeu_ps(bottom + 2 * j, c);
            _mm256_storeu_ps(bottom + 2 * j + 8, d);
        }
        for (; j < p->ow; j++) {
            const float share = dy[i * p->ow + j] / count;
            for (int k = 0; k < 2; k++) {
                top[2 * j + k] = accumulate ? top[2 * j + k] + share : share;
                bottom[2 * j + k] = accumulate ? bottom[2 * j + k] + share : share;
            }
        }
        for (int w = 2 * p->ow; !accumulate && w < p->w; w++) top[w] = bottom[w] = 0.0f;
    }
    if (!accumulate)
        memset(dx + 2 * p->oh * p->w, 0, (size_t)((p->h - 2 * p->oh) * p->w) * sizeof(float));
}

/* One window, the whole plane. */
NN__AVX2 static void nn__pool2d_spread_one8(float *dx, float share, int n, bool accumulate) {
    const __m256 s = _mm256_set1_ps(share);
    int i = 0;
    if (accumulate)
        for (; i + 8 <= n; i += 8)
            _mm256_storeu_ps(dx + i, _mm256_add_ps(_mm256_loadu_ps(dx + i), s));
    else
        for (; i + 8 <= n; i += 8) _mm256_storeu_ps(dx + i, s);
    for (; i < n; i++) dx[i] = accumulate ? dx[i] + share : share;
}

/* Windows a column apart: each row of shares goes to the rows of its windows, shifted by each of
   their columns; a number of dx takes its shares in the order of the plain loops. */
#define NN__POOL2D_SHARES 256
NN__AVX2 static void nn__pool2d_spread_rows8(const nn__pool2d_plane *p, int i, int j0, int n,
                                             float *dx, const float *dy) {
    float shares[NN__POOL2D_SHARES];
    const nn__pool2d_window rows = nn__pool2d_at(p, i, j0);
    for (int j = 0; j < n; j++)
        shares[j] = dy[i * p->ow + j0 + j] / nn__pool2d_at(p, i, j0 + j).count;
    for (int h = rows.h0; h < rows.h1; h++)
        for (int k = p->kernel_w - 1; k >= 0; k--) {
            const int shift = j0 - p->padding_w + k; /* of shares[0] */
            const int first = nn__maxi(0, -shift), end = nn__mini(n, p->w - shift);
            float *to = dx + (int64_t)h * p->w + shift;
            int j = first;
            for (; j + 8 <= end; j += 8)
                _mm256_storeu_ps(to + j, _mm256_add_ps(_mm256_loadu_ps(to + j),
                                                       _mm256_loadu_ps(shares + j)));
            for (; j < end; j++) to[j] += shares[j];
        }
}

NN_PRIVATE bool nn__pool2d_spread_average8(const nn__pool2d_plane *p, float *dx, const float *dy,
                                       bool accumulate) {
    if (p->pairs) {
        nn__pool2d_spread_quarters8(p, dx, dy, accumulate);
        return true;
    }
    if (p->adaptive && p->oh == 1 && p->ow == 1) {
        nn__pool2d_spread_one8(dx, dy[0] / nn__pool2d_at(p, 0, 0).count, p->h * p->w, accumulate);
        return true;
    }
    if (p->adaptive || p->stride_w != 1 || p->dilation_h > 1 || p->dilation_w > 1) return false;
    if (!accumulate) memset(dx, 0, (size_t)p->h * (size_t)p->w * sizeof(float));
    for (int i = 0; i < p->oh; i++)
        for (int j = 0; j < p->ow; j += NN__POOL2D_SHARES)
            nn__pool2d_spread_rows8(p, i, j, nn__mini(NN__POOL2D_SHARES, p->ow - j), dx, dy);
    return true;
}
#undef NN__POOL2D_SHARES

#endif
#endif
