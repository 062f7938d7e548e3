/* kernels/pool2d/cpu_slide.c - averages of windows that lie one or two columns apart, and the
   gradient of those that lie one apart. Rows are first copied between zeros, so that no window is
   cut at a side; then many windows are added at once, each in the order of plain loops.

   The gradient of a number is the sum of what the windows that it is in give back, and these are
   side by side: a window over rows of such shares. */
#include "kernels/pool2d/cpu.h"

#ifdef NN__VECTOR8

/* ---- counts ---------------------------------------------------------------------------------- */

/* How many places a window has along one axis: nn__pool2d_at's count is a product of two. */
static float nn__pool2d_places(int at, int stride, int padding, int kernel, int extent,
                               bool inside) {
    const int first = at * stride - padding;
    const int end = nn__mini(first + kernel, extent + padding);
    return (float)(inside ? nn__mini(end, extent) - nn__maxi(first, 0) : end - first);
}

static float nn__pool2d_row_places(const nn__pool2d_plane *p, int i) {
    if (p->divisor) return (float)p->divisor;
    return nn__pool2d_places(i, p->stride_h, p->padding_h, p->kernel_h, p->h, p->inside);
}

NN_PRIVATE bool nn__pool2d_open_slider(nn__pool2d_slider *slider, const nn__pool2d_plane *p,
                                       bool back) {
    if (p->adaptive || p->stride_w > (back ? 1 : 2) || (back && p->stride_h != 1) ||
        p->ow > NN__POOL2D_WIDTH || p->w > 2 * NN__POOL2D_WIDTH || p->kernel_h > 32 ||
        p->kernel_w > 32 || p->padding_w >= p->kernel_w)
        return false;
    /* of vectors that begin at the last column, and of the second of a pair of them */
    const int reach = back ? nn__maxi(p->ow, p->w + p->padding_w)
                           : nn__maxi(p->w, p->ow * p->stride_w);
    slider->plane = p;
    slider->edge = p->kernel_w;
    slider->step = slider->edge + reach + p->kernel_w + 48;
    if (slider->step * p->kernel_h > NN__POOL2D_RING) return false;
    memset(slider->ring, 0, sizeof(float) * (size_t)(slider->step * p->kernel_h));
    for (int j = 0; j < p->ow; j++)
        slider->columns[j] = p->divisor ? 1.0f
                                        : nn__pool2d_places(j, p->stride_w, p->padding_w,
                                                            p->kernel_w, p->w, p->inside);
    for (int j = p->ow; j < p->ow + 16; j++) slider->columns[j] = 1.0f;
    return true;
}

/* Where number 0 of a row stands. */
static float *nn__pool2d_slot(nn__pool2d_slider *slider, int row) {
    return slider->ring + row % slider->plane->kernel_h * slider->step + slider->edge;
}

/* ---- vectors --------------------------------------------------------------------------------- */

/* sums: of rows [h0, h1), windows of which the first begins `shift` numbers behind the rows' begin;
   n of them: divided by columns times rows, or, of the gradient, as they are or added to what is
   there. pairs: row i of windows of 2 x 2 side by side. shares: dy of a row, divided likewise. */
#define NN__POOL2D_SLIDES(name, target)                                                            \
    static target void name##_sums(nn__pool2d_slider *slider, int h0, int h1, int shift, int n,    \
                                   float rows, float *to, bool back, bool accumulate) {            \
        const nn__pool2d_plane *p = slider->plane;                                                 \
        const int stride = p->stride_w, kernel = p->kernel_w;                                      \
        for (int j = 0; j < n; j += NN__WIDE) {                                                    \
            NN__V sum = accumulate ? NN__SOME(to + j, n - j) : NN__ALL(0.0f);                      \
            for (int h = h0; h < h1; h++) {                                                        \
                const float *from = nn__pool2d_slot(slider, h) + shift + j * stride;               \
                if (stride == 1)                                                                   \
                    for (int k = 0; k < kernel; k++) sum = NN__ADD(sum, NN__LOAD(from + k));       \
                else                                                                               \
                    for (int k = 0; k < kernel; k++)                                               \
                        sum = NN__ADD(sum, NN__EVEN(NN__LOAD(from + k),                            \
                                                    NN__LOAD(from + k + NN__WIDE)));               \
            }                                                                                      \
            if (!back)                                                                             \
                sum = NN__DIVIDE(sum, NN__TIMES(NN__ALL(rows), NN__LOAD(slider->columns + j)));    \
            NN__PUT(to + j, n - j, sum);                                                           \
        }                                                                                          \
    }                                                                                              \
    static target void name##_pairs(const nn__pool2d_plane *p, int i, float *y, const float *x) {  \
        const float *top = x + (ptrdiff_t)2 * i * p->w, *bottom = top + p->w;                      \
        const NN__V count = NN__ALL(p->divisor ? (float)p->divisor : 4.0f);                        \
        for (int j = 0; j < p->ow; j += NN__WIDE) {                                                \
            const int c = 2 * j, next = c + NN__WIDE, left = nn__maxi(p->w - next, 0);             \
            const NN__V a = NN__SOME(top + c, p->w - c), b = NN__SOME(top + next, left);           \
            const NN__V d = NN__SOME(bottom + c, p->w - c), e = NN__SOME(bottom + next, left);     \
            const NN__V two = NN__ADD(NN__ADD(NN__ALL(0.0f), NN__EVEN(a, b)), NN__ODD(a, b));      \
            const NN__V sum = NN__ADD(NN__ADD(two, NN__EVEN(d, e)), NN__ODD(d, e));                \
            NN__PUT(y + j, p->ow - j, NN__DIVIDE(sum, count));                                     \
        }                                                                                          \
    }                                                                                              \
    static target NN__UNUSED void name##_shares(nn__pool2d_slider *slider, int i,                  \
                                                const float *dy) {                                 \
        const nn__pool2d_plane *p = slider->plane;                                                 \
        const NN__V rows = NN__ALL(nn__pool2d_row_places(p, i));                                   \
        float *to = nn__pool2d_slot(slider, i);                                                    \
        for (int j = 0; j < p->ow; j += NN__WIDE) {                                                \
            const NN__V count = NN__TIMES(rows, NN__LOAD(slider->columns + j));                    \
            NN__PUT(to + j, p->ow - j, NN__DIVIDE(NN__SOME(dy + j, p->ow - j), count));            \
        }                                                                                          \
    }

NN__AVX2 static inline __m256 nn__pool2d_even8(__m256 a, __m256 b) {
    const __m256 mixed = _mm256_shuffle_ps(a, b, 0x88);
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}
NN__AVX2 static inline __m256 nn__pool2d_odd8(__m256 a, __m256 b) {
    const __m256 mixed = _mm256_shuffle_ps(a, b, 0xdd);
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}
#define NN__V             __m256
#define NN__WIDE          8
#define NN__ALL(x)        _mm256_set1_ps(x)
#define NN__LOAD(p)       _mm256_loadu_ps(p)
#define NN__SOME(p, n)    ((n) >= 8 ? _mm256_loadu_ps(p) : _mm256_maskload_ps(p, nn__first8(n)))
#define NN__PUT(p, n, v)                                                                           \
    ((n) >= 8 ? _mm256_storeu_ps(p, v) : _mm256_maskstore_ps(p, nn__first8(n), v))
#define NN__EVEN(a, b)    nn__pool2d_even8(a, b)
#define NN__ODD(a, b)     nn__pool2d_odd8(a, b)
#define NN__ADD(a, b)     _mm256_add_ps(a, b)
#define NN__TIMES(a, b)   _mm256_mul_ps(a, b)
#define NN__DIVIDE(a, b)  _mm256_div_ps(a, b)
NN__POOL2D_SLIDES(nn__pool2d_slide8, NN__AVX2)
#undef NN__V
#undef NN__WIDE
#undef NN__ALL
#undef NN__LOAD
#undef NN__SOME
#undef NN__PUT
#undef NN__EVEN
#undef NN__ODD
#undef NN__ADD
#undef NN__TIMES
#undef NN__DIVIDE

#ifdef NN__VECTOR16
static inline __mmask16 nn__pool2d_some_of16(int n) {
    return (__mmask16)(n >= 16 ? 0xffffu : (1u << n) - 1u);
}
NN__AVX512 static inline __m512 nn__pool2d_half16(__m512 a, __m512 b, int first) {
    const __m512i places =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_ps(a, _mm512_add_epi32(places, _mm512_set1_epi32(first)), b);
}
#define NN__V             __m512
#define NN__WIDE          16
#define NN__ALL(x)        _mm512_set1_ps(x)
#define NN__LOAD(p)       _mm512_loadu_ps(p)
#define NN__SOME(p, n)    _mm512_maskz_loadu_ps(nn__pool2d_some_of16(n), p)
#define NN__PUT(p, n, v)  _mm512_mask_storeu_ps(p, nn__pool2d_some_of16(n), v)
#define NN__EVEN(a, b)    nn__pool2d_half16(a, b, 0)
#define NN__ODD(a, b)     nn__pool2d_half16(a, b, 1)
#define NN__ADD(a, b)     _mm512_add_ps(a, b)
#define NN__TIMES(a, b)   _mm512_mul_ps(a, b)
#define NN__DIVIDE(a, b)  _mm512_div_ps(a, b)
NN__POOL2D_SLIDES(nn__pool2d_slide16, NN__AVX512)
#undef NN__V
#undef NN__WIDE
#undef NN__ALL
#undef NN__LOAD
#undef NN__SOME
#undef NN__PUT
#undef NN__EVEN
#undef NN__ODD
#undef NN__ADD
#undef NN__TIMES
#undef NN__DIVIDE
#endif
#undef NN__POOL2D_SLIDES

static void nn__pool2d_slide_pairs(const nn__cpu *cpu, const nn__pool2d_plane *p, int i, float *y,
                                   const float *x) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__pool2d_slide16_pairs(p, i, y, x);
        return;
    }
#endif
    (void)cpu;
    nn__pool2d_slide8_pairs(p, i, y, x);
}

static void nn__pool2d_slide_sums(const nn__cpu *cpu, nn__pool2d_slider *slider, int h0, int h1,
                                  int shift, int n, float rows, float *to, bool back,
                                  bool accumulate) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__pool2d_slide16_sums(slider, h0, h1, shift, n, rows, to, back, accumulate);
        return;
    }
#endif
    (void)cpu;
    nn__pool2d_slide8_sums(slider, h0, h1, shift, n, rows, to, back, accumulate);
}

/* ---- planes ---------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__pool2d_slide(const nn__cpu *cpu, nn__pool2d_slider *slider, float *y,
                                 const float *x) {
    const nn__pool2d_plane *p = slider->plane;
    int done = -1; /* the last row of x that is in the ring */
    for (int i = 0; p->pairs && i < p->oh; i++)
        nn__pool2d_slide_pairs(cpu, p, i, y + (ptrdiff_t)i * p->ow, x);
    for (int i = 0; !p->pairs && i < p->oh; i++) {
        const int first = i * p->stride_h - p->padding_h;
        const int h0 = nn__maxi(first, 0), h1 = nn__mini(first + p->kernel_h, p->h);
        if (h0 >= h1) return false;
        for (int h = nn__maxi(h0, done + 1); h < h1; h++)
            memcpy(nn__pool2d_slot(slider, h), x + (ptrdiff_t)h * p->w,
                   sizeof(float) * (size_t)p->w);
        done = nn__maxi(done, h1 - 1);
        nn__pool2d_slide_sums(cpu, slider, h0, h1, -p->padding_w, p->ow,
                              nn__pool2d_row_places(p, i), y + (ptrdiff_t)i * p->ow, false, false);
    }
    return true;
}

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__pool2d_slide_back(const nn__cpu *cpu, nn__pool2d_slider *slider, float *dx,
                                      const float *dy, bool accumulate) {
    const nn__pool2d_plane *p = slider->plane;
    int done = -1; /* the last row of dy whose shares are in the ring */
    for (int h = 0; h < p->h; h++) {
        const int i0 = nn__maxi(h + p->padding_h - p->kernel_h + 1, 0);
        const int i1 = nn__mini(h + p->padding_h + 1, p->oh);
        for (int i = nn__maxi(i0, done + 1); i < i1; i++) {
#ifdef NN__VECTOR16
            if (nn__vectors16(cpu)) {
                nn__pool2d_slide16_shares(slider, i, dy + (ptrdiff_t)i * p->ow);
                continue;
            }
#endif
            nn__pool2d_slide8_shares(slider, i, dy + (ptrdiff_t)i * p->ow);
        }
        done = nn__maxi(done, i1 - 1);
        nn__pool2d_slide_sums(cpu, slider, i0, i1, p->padding_w - p->kernel_w + 1, p->w, 1.0f,
                              dx + (ptrdiff_t)h * p->w, true, accumulate);
    }
}
#endif

#endif

typedef int nn__pool2d_slide_part; /* a part must not be empty under NN_NO_SIMD */
