/* kernels/pool2d/cpu_slide.c - averages of windows that lie one or two columns apart, and the
   gradient of those that lie one apart.

   Rows of narrow windows one apart are read where they lie, and neighbours come from registers:
   vectors that overlap what was just written would wait for it. Other rows are copied between
   zeros, so that no window is cut at a side. Then many windows are added at once, each in the order
   of plain loops.

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
    slider->beside = p->stride_w == 1 && p->kernel_w <= 8;
    /* Rows begin where lines do: vectors that were just written are then read again whole. */
    slider->edge = p->kernel_w + 15;
    slider->edge -= (int)(((uintptr_t)(slider->ring + slider->edge) & 63) / sizeof(float));
    slider->step = (slider->edge + reach + p->kernel_w + 63) & ~15;
    if (slider->step * p->kernel_h > NN__POOL2D_RING) return false;
    slider->zeros = NULL;
    if (p->kernel_h == 3 && p->kernel_w == 3 && p->stride_h == 1 && p->stride_w == 1 &&
        p->oh == p->h && p->ow == p->w && p->padding_h == 1 && p->padding_w == 1)
        slider->zeros = slider->ring + slider->edge;
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

#if defined(__GNUC__) || defined(__clang__)
#define NN__POOL2D_INLINE static inline __attribute__((always_inline))
#else
#define NN__POOL2D_INLINE static inline
#endif

/* ---- vectors --------------------------------------------------------------------------------- */

/* sums: of rows [h0, h1), windows of which the first begins `shift` numbers behind the rows' begin;
   n of them: divided by columns times rows, or, of the gradient, as they are or added to what is
   there. beside: the same of narrow windows of `count` rows of m numbers; where rows is 0, nothing
   is divided. plane and plane_back: all rows where a window is the 3 x 3 around a number. threes:
   one of them; of the gradient the third row is of dy, and its shares are written. pairs: row i of
   windows of 2 x 2 side by side. shares: dy of a row, divided likewise, with zeros behind it. */
#define NN__POOL2D_SLIDES(name, target)                                                            \
    static target void name##_sums(nn__pool2d_slider *slider, int h0, int h1, int shift, int n,    \
                                   float rows, float *to, bool back, bool accumulate) {            \
        const nn__pool2d_plane *p = slider->plane;                                                 \
        const int stride = p->stride_w, kernel = p->kernel_w;                                      \
        for (int j = 0; j < n; j += NN__WIDE) {                                                    \
            NN__V sum = accumulate ? NN__SOME(to + j, n - j) : NN__ALL(0.0f);                      \
            for (int k = 0; k < kernel; k++) {                                                     \
                NN__V column = NN__ALL(0.0f);                                                      \
                for (int h = h0; h < h1; h++) {                                                    \
                    const float *from = nn__pool2d_slot(slider, h) + shift + j * stride + k;       \
                    const NN__V v = NN__LOAD(from);                                                \
                    column = NN__ADD(column, stride == 1                                           \
                                                 ? v                                               \
                                                 : NN__EVEN(v, NN__LOAD(from + NN__WIDE)));        \
                }                                                                                  \
                sum = NN__ADD(sum, column);                                                        \
            }                                                                                      \
            if (!back)                                                                             \
                sum = NN__DIVIDE(sum, NN__TIMES(NN__ALL(rows), NN__LOAD(slider->columns + j)));    \
            NN__PUT(to + j, n - j, sum);                                                           \
        }                                                                                          \
    }                                                                                              \
    NN__POOL2D_INLINE target NN__V name##_neighbours(NN__V sum, NN__V before, NN__V here,          \
                                                     NN__V after, int shift, int kernel) {         \
        if (kernel == 3 && shift == -1) {                                                          \
            sum = NN__ADD(NN__ADD(sum, NN__FROM(before, here, NN__WIDE - 1)), here);               \
            return NN__ADD(sum, NN__FROM(here, after, 1));                                         \
        }                                                                                          \
        for (int k = shift; k < 0; k++) sum = NN__ADD(sum, NN__FROM(before, here, k + NN__WIDE));  \
        sum = NN__ADD(sum, here);                                                                  \
        for (int k = 1; k < shift + kernel; k++) sum = NN__ADD(sum, NN__FROM(here, after, k));     \
        return sum;                                                                                \
    }                                                                                              \
    NN__POOL2D_INLINE target NN__V name##_column(const float *const *row, int count, int j,        \
                                                 int m) {                                          \
        NN__V sum = NN__SOME(row[0] + j, m - j);                                                   \
        for (int r = 1; r < count; r++) sum = NN__ADD(sum, NN__SOME(row[r] + j, m - j));           \
        return sum;                                                                                \
    }                                                                                              \
    static target void name##_beside(const nn__pool2d_slider *slider, const float *const *row,     \
                                     int count, int shift, float rows, int m, float *to, int n,    \
                                     bool accumulate) {                                            \
        const int kernel = slider->plane->kernel_w;                                                \
        NN__V before = NN__ALL(0.0f), here = name##_column(row, count, 0, m), after;               \
        for (int j = 0; j < n; j += NN__WIDE, before = here, here = after) {                       \
            NN__V sum = accumulate ? NN__SOME(to + j, n - j) : NN__ALL(0.0f);                      \
            after = j + NN__WIDE < m ? name##_column(row, count, j + NN__WIDE, m) : NN__ALL(0.0f); \
            sum = name##_neighbours(sum, before, here, after, shift, kernel);                      \
            if (rows != 0.0f)                                                                      \
                sum = NN__DIVIDE(sum, NN__TIMES(NN__ALL(rows), NN__LOAD(slider->columns + j)));    \
            if (slider->streams)                                                                   \
                NN__STREAM(to + j, sum);                                                           \
            else                                                                                   \
                NN__PUT(to + j, n - j, sum);                                                       \
        }                                                                                          \
    }                                                                                              \
    NN__POOL2D_INLINE target NN__V name##_share(const nn__pool2d_slider *slider, NN__V rows,       \
                                                const float *dy, int j, int left) {                \
        return NN__DIVIDE(NN__SOME(dy + j, left), NN__TIMES(rows, NN__LOAD(slider->columns + j))); \
    }                                                                                              \
    NN__POOL2D_INLINE target NN__V name##_three(const nn__pool2d_slider *slider,                   \
                                                const float *const *row, float *shares,            \
                                                NN__V rows, int j, const bool whole) {             \
        const int left = whole ? NN__WIDE : slider->plane->w - j;                                  \
        NN__V sum = NN__ADD(NN__SOME(row[0] + j, left), NN__SOME(row[1] + j, left)), last;         \
        if (!shares) return NN__ADD(sum, NN__SOME(row[2] + j, left));                              \
        last = name##_share(slider, rows, row[2], j, left);                                        \
        NN__STORE(shares + j, last);                                                               \
        return NN__ADD(sum, last);                                                                 \
    }                                                                                              \
    NN__POOL2D_INLINE target void name##_threes(const nn__pool2d_slider *slider,                   \
                                                const float *const *row, float *shares,            \
                                                NN__V rows, float *to, bool accumulate,            \
                                                const bool divides, const bool whole) {            \
        const int n = slider->plane->w;                                                            \
        const bool streams = slider->streams;                                                      \
        const NN__V zero = NN__ALL(0.0f);                                                          \
        NN__V before = zero, here = name##_three(slider, row, shares, rows, 0, whole), after;      \
        for (int j = 0; j < n; j += NN__WIDE, before = here, here = after) {                       \
            const int next = j + NN__WIDE;                                                         \
            NN__V sum = accumulate ? NN__SOME(to + j, n - j) : zero;                               \
            after = next < n ? name##_three(slider, row, shares, rows, next, whole) : zero;        \
            sum = name##_neighbours(sum, before, here, after, -1, 3);                              \
            if (divides)                                                                           \
                sum = NN__DIVIDE(sum, NN__TIMES(rows, NN__LOAD(slider->columns + j)));             \
            if (streams)                                                                           \
                NN__STREAM(to + j, sum);                                                           \
            else if (whole)                                                                        \
                NN__STORE(to + j, sum);                                                            \
            else                                                                                   \
                NN__PUT(to + j, n - j, sum);                                                       \
        }                                                                                          \
    }                                                                                              \
    NN__POOL2D_INLINE target void name##_average(const nn__pool2d_slider *slider, float *y,        \
                                                 const float *x, const bool whole) {               \
        const nn__pool2d_plane *p = slider->plane;                                                 \
        for (int i = 0; i < p->h; i++, x += p->w, y += p->w) {                                     \
            const NN__V rows = NN__ALL(nn__pool2d_row_places(p, i));                               \
            const float *const row[3] = {i > 0 ? x - p->w : slider->zeros, x,                      \
                                         i + 1 < p->h ? x + p->w : slider->zeros};                 \
            name##_threes(slider, row, NULL, rows, y, false, true, whole);                         \
        }                                                                                          \
    }                                                                                              \
    static target void name##_plane(const nn__pool2d_slider *slider, float *y, const float *x) {   \
        if (slider->plane->w % NN__WIDE == 0)                                                      \
            name##_average(slider, y, x, true);                                                    \
        else                                                                                       \
            name##_average(slider, y, x, false);                                                   \
    }                                                                                              \
    static target void name##_pairs(const nn__pool2d_plane *p, int i, float *y, const float *x,    \
                                    bool streams) {                                                \
        const float *top = x + (ptrdiff_t)2 * i * p->w, *bottom = top + p->w;                      \
        const NN__V count = NN__ALL(p->divisor ? (float)p->divisor : 4.0f);                        \
        for (int j = 0; j < p->ow; j += NN__WIDE) {                                                \
            const int c = 2 * j, next = c + NN__WIDE, left = nn__maxi(p->w - next, 0);             \
            const NN__V a = NN__SOME(top + c, p->w - c), b = NN__SOME(top + next, left);           \
            const NN__V d = NN__SOME(bottom + c, p->w - c), e = NN__SOME(bottom + next, left);     \
            const NN__V low = NN__ADD(a, d), high = NN__ADD(b, e), zero = NN__ALL(0.0f);           \
            const NN__V sum = NN__ADD(NN__ADD(zero, NN__EVEN(low, high)), NN__ODD(low, high));     \
            if (streams)                                                                           \
                NN__STREAM(y + j, NN__DIVIDE(sum, count));                                         \
            else                                                                                   \
                NN__PUT(y + j, p->ow - j, NN__DIVIDE(sum, count));                                 \
        }                                                                                          \
    }                                                                                              \
    static target NN__UNUSED void name##_shares(const nn__pool2d_slider *slider, int i,            \
                                                const float *dy, float *to) {                      \
        const NN__V rows = NN__ALL(nn__pool2d_row_places(slider->plane, i));                       \
        const int n = slider->plane->ow;                                                           \
        for (int j = 0; j < n; j += NN__WIDE)                                                      \
            NN__STORE(to + j, name##_share(slider, rows, dy, j, n - j));                           \
    }                                                                                              \
    NN__POOL2D_INLINE target void name##_gradient(const nn__pool2d_slider *slider, float *dx,      \
                                                  const float *dy, bool accumulate,                \
                                                  const bool whole) {                              \
        const nn__pool2d_plane *p = slider->plane;                                                 \
        float *const slot = slider->zeros + slider->step;                                          \
        const float *row[3] = {NULL, slider->zeros, NULL};                                         \
        name##_shares(slider, 0, dy, slot);                                                        \
        for (int h = 1; h <= p->h; h++, dx += p->w) {                                              \
            const NN__V rows = NN__ALL(nn__pool2d_row_places(p, h));                               \
            float *const shares = slot + h % 2 * slider->step; /* over those of two rows above */  \
            row[0] = row[1], row[1] = slot + (h - 1) % 2 * slider->step;                           \
            row[2] = h < p->h ? dy + (ptrdiff_t)h * p->w : slider->zeros;                          \
            name##_threes(slider, row, shares, rows, dx, accumulate, false, whole);                \
        }                                                                                          \
    }                                                                                              \
    static target NN__UNUSED void name##_plane_back(const nn__pool2d_slider *slider, float *dx,    \
                                                    const float *dy, bool accumulate) {            \
        if (slider->plane->w % NN__WIDE == 0)                                                      \
            name##_gradient(slider, dx, dy, accumulate, true);                                     \
        else                                                                                       \
            name##_gradient(slider, dx, dy, accumulate, false);                                    \
    }

NN__AVX2 static inline __m256 nn__pool2d_even8(__m256 a, __m256 b) {
    const __m256 mixed = _mm256_shuffle_ps(a, b, 0x88);
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}
NN__AVX2 static inline __m256 nn__pool2d_odd8(__m256 a, __m256 b) {
    const __m256 mixed = _mm256_shuffle_ps(a, b, 0xdd);
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}
/* Eight numbers from number k of a on; those of b follow. */
NN__AVX2 static inline __m256 nn__pool2d_from8(__m256 a, __m256 b, int k) {
    if (k == 1 || k == 7) {
        const __m256i low = _mm256_castps_si256(a), high = _mm256_castps_si256(b);
        const __m256i middle = _mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm256_extracti128_si256(low, 1)), _mm256_castsi256_si128(high),
            1);
        return _mm256_castsi256_ps(k == 1 ? _mm256_alignr_epi8(middle, low, 4)
                                          : _mm256_alignr_epi8(high, middle, 12));
    }
    const __m256i at = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                        _mm256_set1_epi32(k));
    const __m256i later = _mm256_cmpgt_epi32(at, _mm256_set1_epi32(7));
    return _mm256_blendv_ps(_mm256_permutevar8x32_ps(a, at), _mm256_permutevar8x32_ps(b, at),
                            _mm256_castsi256_ps(later));
}
#define NN__V             __m256
#define NN__WIDE          8
#define NN__ALL(x)        _mm256_set1_ps(x)
#define NN__LOAD(p)       _mm256_loadu_ps(p)
#define NN__SOME(p, n)    ((n) >= 8 ? _mm256_loadu_ps(p) : _mm256_maskload_ps(p, nn__first8(n)))
#define NN__PUT(p, n, v)                                                                           \
    ((n) >= 8 ? _mm256_storeu_ps(p, v) : _mm256_maskstore_ps(p, nn__first8(n), v))
#define NN__STORE(p, v)   _mm256_storeu_ps(p, v)
#define NN__STREAM(p, v)  _mm256_stream_ps(p, v)
#define NN__FROM(a, b, k) nn__pool2d_from8(a, b, k)
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
#undef NN__STORE
#undef NN__STREAM
#undef NN__FROM
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
NN__AVX512 static inline __m512 nn__pool2d_from16(__m512 a, __m512 b, int k) {
    const __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_permutex2var_ps(a, _mm512_add_epi32(places, _mm512_set1_epi32(k)), b);
}
#define NN__V             __m512
#define NN__WIDE          16
#define NN__ALL(x)        _mm512_set1_ps(x)
#define NN__LOAD(p)       _mm512_loadu_ps(p)
#define NN__SOME(p, n)                                                                             \
    ((n) >= 16 ? _mm512_loadu_ps(p) : _mm512_maskz_loadu_ps(nn__pool2d_some_of16(n), p))
#define NN__PUT(p, n, v)                                                                           \
    ((n) >= 16 ? _mm512_storeu_ps(p, v) : _mm512_mask_storeu_ps(p, nn__pool2d_some_of16(n), v))
#define NN__STORE(p, v)   _mm512_storeu_ps(p, v)
#define NN__STREAM(p, v)  _mm512_stream_ps(p, v)
#define NN__FROM(a, b, k) nn__pool2d_from16(a, b, k)
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
#undef NN__STORE
#undef NN__STREAM
#undef NN__FROM
#undef NN__EVEN
#undef NN__ODD
#undef NN__ADD
#undef NN__TIMES
#undef NN__DIVIDE
#endif
#undef NN__POOL2D_SLIDES
#undef NN__POOL2D_INLINE

static void nn__pool2d_slide_pairs(const nn__cpu *cpu, const nn__pool2d_plane *p, int i, float *y,
                                   const float *x, bool streams) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__pool2d_slide16_pairs(p, i, y, x, streams);
        return;
    }
#endif
    (void)cpu;
    nn__pool2d_slide8_pairs(p, i, y, x, streams);
}

/* Rows [h0, h1) of the ring. */
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

/* Averages of rows [h0, h1) of x. */
static void nn__pool2d_slide_row(const nn__cpu *cpu, nn__pool2d_slider *slider, int h0, int h1,
                                 float rows, float *y, const float *x) {
    const nn__pool2d_plane *p = slider->plane;
    const float *row[32];
    if (!slider->beside) {
        nn__pool2d_slide_sums(cpu, slider, h0, h1, -p->padding_w, p->ow, rows, y, false, false);
        return;
    }
    for (int h = h0; h < h1; h++) row[h - h0] = x + (ptrdiff_t)h * p->w;
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__pool2d_slide16_beside(slider, row, h1 - h0, -p->padding_w, rows, p->w, y, p->ow, false);
        return;
    }
#endif
    nn__pool2d_slide8_beside(slider, row, h1 - h0, -p->padding_w, rows, p->w, y, p->ow, false);
}

static void nn__pool2d_slide_plane(const nn__cpu *cpu, const nn__pool2d_slider *slider, float *y,
                                   const float *x) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__pool2d_slide16_plane(slider, y, x);
        return;
    }
#endif
    (void)cpu;
    nn__pool2d_slide8_plane(slider, y, x);
}

NN_PRIVATE bool nn__pool2d_slide(const nn__cpu *cpu, nn__pool2d_slider *slider, float *y,
                                 const float *x) {
    const nn__pool2d_plane *p = slider->plane;
    int done = -1; /* the last row of x that is in the ring */
    if (slider->zeros) {
        nn__pool2d_slide_plane(cpu, slider, y, x);
        return true;
    }
    for (int i = 0; p->pairs && i < p->oh; i++)
        nn__pool2d_slide_pairs(cpu, p, i, y + (ptrdiff_t)i * p->ow, x, slider->streams);
    for (int i = 0; !p->pairs && i < p->oh; i++) {
        const int first = i * p->stride_h - p->padding_h;
        const int h0 = nn__maxi(first, 0), h1 = nn__mini(first + p->kernel_h, p->h);
        if (h0 >= h1) return false;
        for (int h = nn__maxi(h0, done + 1); h < h1 && !slider->beside; h++)
            memcpy(nn__pool2d_slot(slider, h), x + (ptrdiff_t)h * p->w,
                   sizeof(float) * (size_t)p->w);
        done = nn__maxi(done, h1 - 1);
        nn__pool2d_slide_row(cpu, slider, h0, h1, nn__pool2d_row_places(p, i),
                             y + (ptrdiff_t)i * p->ow, x);
    }
    return true;
}

#ifndef NN_NO_TRAINING
/* Row h of dx, from rows [i0, i1) of shares. */
static void nn__pool2d_slide_back_row(const nn__cpu *cpu, nn__pool2d_slider *slider, int i0, int i1,
                                      float *dx, bool accumulate) {
    const nn__pool2d_plane *p = slider->plane;
    const int shift = p->padding_w - p->kernel_w + 1;
    const float *row[32];
    if (!slider->beside || i0 >= i1) {
        nn__pool2d_slide_sums(cpu, slider, i0, i1, shift, p->w, 1.0f, dx, true, accumulate);
        return;
    }
    for (int i = i0; i < i1; i++) row[i - i0] = nn__pool2d_slot(slider, i);
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__pool2d_slide16_beside(slider, row, i1 - i0, shift, 0.0f, p->ow, dx, p->w, accumulate);
        return;
    }
#endif
    nn__pool2d_slide8_beside(slider, row, i1 - i0, shift, 0.0f, p->ow, dx, p->w, accumulate);
}

static void nn__pool2d_slide_shares(const nn__cpu *cpu, const nn__pool2d_slider *slider, int i,
                                    const float *dy, float *to) {
    const float *from = dy + (ptrdiff_t)i * slider->plane->ow;
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__pool2d_slide16_shares(slider, i, from, to);
        return;
    }
#endif
    (void)cpu;
    nn__pool2d_slide8_shares(slider, i, from, to);
}

static void nn__pool2d_slide_plane_back(const nn__cpu *cpu, const nn__pool2d_slider *slider,
                                        float *dx, const float *dy, bool accumulate) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__pool2d_slide16_plane_back(slider, dx, dy, accumulate);
        return;
    }
#endif
    (void)cpu;
    nn__pool2d_slide8_plane_back(slider, dx, dy, accumulate);
}

NN_PRIVATE void nn__pool2d_slide_back(const nn__cpu *cpu, nn__pool2d_slider *slider, float *dx,
                                      const float *dy, bool accumulate) {
    const nn__pool2d_plane *p = slider->plane;
    int done = -1; /* the last row of dy whose shares are in the ring */
    if (slider->zeros) {
        nn__pool2d_slide_plane_back(cpu, slider, dx, dy, accumulate);
        return;
    }
    for (int h = 0; h < p->h; h++) {
        const int i0 = nn__maxi(h + p->padding_h - p->kernel_h + 1, 0);
        const int i1 = nn__mini(h + p->padding_h + 1, p->oh);
        for (int i = nn__maxi(i0, done + 1); i < i1; i++)
            nn__pool2d_slide_shares(cpu, slider, i, dy, nn__pool2d_slot(slider, i));
        done = nn__maxi(done, i1 - 1);
        nn__pool2d_slide_back_row(cpu, slider, i0, i1, dx + (ptrdiff_t)h * p->w, accumulate);
    }
}
#endif

#endif

typedef int nn__pool2d_slide_part; /* a part must not be empty under NN_NO_SIMD */
