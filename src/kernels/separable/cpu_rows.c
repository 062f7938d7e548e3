/* kernels/separable/cpu_rows.c - depthwise rows with channels in the lanes, one body for each
   instruction set, and in plain C. The products are the tiles of kernels/conv2d/cpu_panel.c. */
#include "cpu/simd.h"
#include "kernels/separable/cpu.h"

#ifndef NN_NO_SPEEDUPS

#define NN__SEPARABLE_LANES 16 /* lanes of a panel in plain C */

/* ---- in plain C ------------------------------------------------------------------------------ */

static void nn__separable_clamp(float *x, int n, nn__clamp clamp) {
    for (int l = 0; l < n && clamp; l++) {
        if (x[l] <= 0) x[l] = 0;
#ifndef NN_NO_SIMD
        if (clamp == NN__CLAMP_RELU6 && x[l] > 6) x[l] = 6;
#endif
    }
}

static void nn__separable_tile(const nn__tile *t) {
    const int lanes = nn__mini(t->columns, NN__SEPARABLE_LANES);
    for (int r = 0; r < t->rows; r++) {
        float sum[NN__SEPARABLE_LANES];
        memset(sum, 0, sizeof sum);
        if (t->start) memcpy(sum, t->start, sizeof sum);
        for (int p = 0; p < t->depth; p++) {
            const float a = t->a[r][t->offset[p]], *b = t->b + (ptrdiff_t)p * NN__SEPARABLE_LANES;
            for (int l = 0; l < lanes; l++) sum[l] += a * b[l];
        }
        nn__separable_clamp(sum, lanes, t->clamp);
        memcpy(t->y + (ptrdiff_t)r * NN__SEPARABLE_LANES, sum, (size_t)lanes * sizeof(float));
    }
}

static void nn__separable_row_plain(const nn__separable_row *t) {
    const int lanes = t->half ? NN__SEPARABLE_LANES / 2 : NN__SEPARABLE_LANES;
    for (int u = 0; u < t->OW; u++) {
        float sum[NN__SEPARABLE_LANES];
        memcpy(sum, t->bias, sizeof sum);
        for (int r = 0; r < t->R; r++)
            for (int s = 0; s < t->S && t->e[r]; s++) {
                const int v = u * t->stride - t->padding + s * t->dilation;
                const float *x = t->e[r] + (ptrdiff_t)v * NN__SEPARABLE_LANES,
                            *w = t->weight + (r * t->S + s) * NN__SEPARABLE_LANES;
                if (v < 0 || v >= t->W) continue;
                for (int l = 0; l < lanes; l++) sum[l] += x[l] * w[l];
            }
        nn__separable_clamp(sum, lanes, t->clamp);
        memcpy(t->d + (ptrdiff_t)u * NN__SEPARABLE_LANES, sum, (size_t)lanes * sizeof(float));
    }
}

/* ---- with vectors ---------------------------------------------------------------------------- */

/* Computes `places` (1 or 4) positions from u on, with the taps [first, last) of each row. A
   position has two vectors, or one. */
#define NN__SEPARABLE_START(i) NN__V low##i = low, high##i = high;
#define NN__SEPARABLE_TAP(i)                                                                       \
    if (i < places) {                                                                              \
        low##i = NN__FMA(NN__LOAD(x + i * step), w0, low##i);                                      \
        if (whole) high##i = NN__FMA(NN__LOAD(x + i * step + NN__WIDE), w1, high##i);              \
    }
#define NN__SEPARABLE_CLAMP(i) low##i = NN__LIMIT(low##i), high##i = NN__LIMIT(high##i);
#define NN__SEPARABLE_STORE(i)                                                                     \
    if (i < places) {                                                                              \
        NN__STORE(d + i * 2 * NN__WIDE, low##i);                                                   \
        if (whole) NN__STORE(d + (i * 2 + 1) * NN__WIDE, high##i);                                 \
    }
#define NN__SEPARABLE_EACH(X) X(0) X(1) X(2) X(3)
/* Adds column j of a row to those of the four positions whose taps it meets, for three neighbouring
   taps and a stride of one or two. Each number is read once, and the taps' weights stay in
   registers. */
#define NN__SEPARABLE_MEET(i)                                                                      \
    if (column - i * stride == 0)                                                                  \
        low##i = NN__FMA(x0, w00, low##i), high##i = whole ? NN__FMA(x1, w01, high##i) : x1;       \
    if (column - i * stride == 1)                                                                  \
        low##i = NN__FMA(x0, w10, low##i), high##i = whole ? NN__FMA(x1, w11, high##i) : x1;       \
    if (column - i * stride == 2)                                                                  \
        low##i = NN__FMA(x0, w20, low##i), high##i = whole ? NN__FMA(x1, w21, high##i) : x1;
#define NN__SEPARABLE_COLUMN(j)                                                                    \
    if (j < 3 * stride + 3) {                                                                      \
        const int column = j;                                                                      \
        const NN__V x0 = NN__LOAD(x + j * 2 * NN__WIDE),                                           \
                    x1 = whole ? NN__LOAD(x + (j * 2 + 1) * NN__WIDE) : x0;                        \
        NN__SEPARABLE_EACH(NN__SEPARABLE_MEET)                                                     \
    }
#define NN__SEPARABLE_COLUMNS                                                                      \
    NN__SEPARABLE_COLUMN(0) NN__SEPARABLE_COLUMN(1) NN__SEPARABLE_COLUMN(2)                        \
    NN__SEPARABLE_COLUMN(3) NN__SEPARABLE_COLUMN(4) NN__SEPARABLE_COLUMN(5)                        \
    NN__SEPARABLE_COLUMN(6) NN__SEPARABLE_COLUMN(7) NN__SEPARABLE_COLUMN(8)
#define NN__SEPARABLE_THREE(name, target)                                                          \
    static NN__ALWAYS_INLINE target void name##_three_body(const nn__separable_row *t, int u,      \
                                                           const int stride,                       \
                                                           const bool whole) {                     \
        const NN__V low = NN__LOAD(t->bias), high = whole ? NN__LOAD(t->bias + NN__WIDE) : low;    \
        float *d = t->d + (ptrdiff_t)u * 2 * NN__WIDE;                                             \
        const float *w = t->weight;                                                                \
        const int places = 4;                                                                      \
        NN__SEPARABLE_EACH(NN__SEPARABLE_START)                                                    \
        for (int r = 0; r < t->R; r++, w += 6 * NN__WIDE) {                                        \
            const float *x = t->e[r];                                                              \
            if (!x) continue;                                                                      \
            x += (u * (ptrdiff_t)stride - t->padding) * 2 * NN__WIDE;                              \
            const NN__V w00 = NN__LOAD(w), w10 = NN__LOAD(w + 2 * NN__WIDE),                       \
                        w20 = NN__LOAD(w + 4 * NN__WIDE),                                          \
                        w01 = whole ? NN__LOAD(w + NN__WIDE) : w00,                                \
                        w11 = whole ? NN__LOAD(w + 3 * NN__WIDE) : w00,                            \
                        w21 = whole ? NN__LOAD(w + 5 * NN__WIDE) : w00;                            \
            NN__SEPARABLE_COLUMNS                                                                  \
        }                                                                                          \
        if (t->clamp) {                                                                            \
            NN__CONV_LIMITS(t->clamp)                                                              \
            NN__SEPARABLE_EACH(NN__SEPARABLE_CLAMP)                                                \
        }                                                                                          \
        NN__SEPARABLE_EACH(NN__SEPARABLE_STORE)                                                    \
    }                                                                                              \
    static target void name##_three(const nn__separable_row *t, int u) {                           \
        if (t->half)                                                                               \
            name##_three_body(t, u, 1, false);                                                     \
        else                                                                                       \
            name##_three_body(t, u, 1, true);                                                      \
    }                                                                                              \
    static target void name##_skip(const nn__separable_row *t, int u) {                            \
        if (t->half)                                                                               \
            name##_three_body(t, u, 2, false);                                                     \
        else                                                                                       \
            name##_three_body(t, u, 2, true);                                                      \
    }
#define NN__SEPARABLE_BODY(name, target)                                                           \
    static NN__ALWAYS_INLINE target void name##_body(const nn__separable_row *t, int u, int first, \
                                                     int last, const int places,                   \
                                                     const bool whole) {                           \
        const ptrdiff_t step = (ptrdiff_t)t->stride * 2 * NN__WIDE,                                \
                        next = (ptrdiff_t)t->dilation * 2 * NN__WIDE,                              \
                        from = u * step + (first * (ptrdiff_t)t->dilation - t->padding) * 2 *      \
                                              NN__WIDE;                                            \
        const NN__V low = NN__LOAD(t->bias), high = whole ? NN__LOAD(t->bias + NN__WIDE) : low;    \
        float *d = t->d + (ptrdiff_t)u * 2 * NN__WIDE;                                             \
        NN__SEPARABLE_EACH(NN__SEPARABLE_START)                                                    \
        for (int r = 0; r < t->R; r++) {                                                           \
            const float *w = t->weight + (ptrdiff_t)(r * t->S + first) * 2 * NN__WIDE;             \
            const float *x = t->e[r];                                                              \
            if (!x) continue;                                                                      \
            x += from;                                                                             \
            for (int s = first; s < last; s++, x += next, w += 2 * NN__WIDE) {                     \
                const NN__V w0 = NN__LOAD(w), w1 = whole ? NN__LOAD(w + NN__WIDE) : w0;            \
                NN__SEPARABLE_EACH(NN__SEPARABLE_TAP)                                              \
            }                                                                                      \
        }                                                                                          \
        if (t->clamp) {                                                                            \
            NN__CONV_LIMITS(t->clamp)                                                              \
            NN__SEPARABLE_EACH(NN__SEPARABLE_CLAMP)                                                \
        }                                                                                          \
        NN__SEPARABLE_EACH(NN__SEPARABLE_STORE)                                                    \
    }                                                                                              \
    static target void name##_one(const nn__separable_row *t, int u, int first, int last) {        \
        if (t->half)                                                                               \
            name##_body(t, u, first, last, 1, false);                                              \
        else                                                                                       \
            name##_body(t, u, first, last, 1, true);                                               \
    }                                                                                              \
    static target void name##_four(const nn__separable_row *t, int u) {                            \
        if (t->half)                                                                               \
            name##_body(t, u, 0, t->S, 4, false);                                                  \
        else                                                                                       \
            name##_body(t, u, 0, t->S, 4, true);                                                   \
    }                                                                                              \
    NN__SEPARABLE_THREE(name, target)                                                              \
    static void name(const nn__separable_row *t) {                                                 \
        if (t->S != 3 || t->dilation != 1 || t->stride > 2)                                        \
            nn__separable_places(t, name##_one, name##_four);                                      \
        else                                                                                       \
            nn__separable_places(t, name##_one, t->stride == 1 ? name##_three : name##_skip);      \
    }

#if defined(NN__HAVE_X86) || defined(NN__HAVE_NEON)
/* Positions whose taps are all inside are computed four at a time. The last group may repeat some
   of them. */
static void nn__separable_places(const nn__separable_row *t,
                                 void (*one)(const nn__separable_row *t, int u, int first,
                                             int last),
                                 void (*four)(const nn__separable_row *t, int u)) {
    const int reach = (t->S - 1) * t->dilation;
    const int begin = nn__mini(t->OW, nn__ceil_div(nn__maxi(0, t->padding), t->stride)),
              room = t->W - 1 - reach + t->padding,
              end = nn__maxi(begin, nn__mini(t->OW, room < 0 ? 0 : room / t->stride + 1));
    for (int u = 0; u < t->OW; u++) {
        const int at = t->padding - u * t->stride; /* how far outside the first tap is */
        if (u >= begin && end - begin >= 4 && u < end) {
            for (; u + 4 <= end; u += 4) four(t, u);
            if (u < end) four(t, end - 4);
            u = end - 1;
            continue;
        }
        const int first = at > 0 ? nn__mini(t->S, nn__ceil_div(at, t->dilation)) : 0,
                  left = t->W - 1 + at; /* the taps' offsets may be at most this */
        const int last = left < 0 ? 0 : nn__mini(t->S, left / t->dilation + 1);
        one(t, u, first, nn__maxi(first, last));
    }
}
#endif

#ifdef NN__HAVE_X86
#define NN__V            __m256
#define NN__WIDE         8
#define NN__SET(s)       _mm256_set1_ps(s)
#define NN__LOAD(p)      _mm256_loadu_ps(p)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__STORE(p, v)  _mm256_storeu_ps(p, v)
#define NN__LIMIT(v)     _mm256_add_ps(_mm256_min_ps(most, _mm256_max_ps(least, v)), zero)
NN__SEPARABLE_BODY(nn__separable_avx2, NN__TARGET("avx2,fma"))
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__FMA
#undef NN__STORE
#undef NN__LIMIT

#define NN__V            __m512
#define NN__WIDE         16
#define NN__SET(s)       _mm512_set1_ps(s)
#define NN__LOAD(p)      _mm512_loadu_ps(p)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__STORE(p, v)  _mm512_storeu_ps(p, v)
#define NN__LIMIT(v)                                                                               \
    _mm512_add_ps(                                                                                 \
        _mm512_maskz_min_ps(NN__ALL16, most, _mm512_maskz_max_ps(NN__ALL16, least, v)), zero)
NN__SEPARABLE_BODY(nn__separable_avx512, NN__TARGET("avx512f"))
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__FMA
#undef NN__STORE
#undef NN__LIMIT
#endif

#ifdef NN__HAVE_NEON
#define NN__V            float32x4x2_t
#define NN__WIDE         8
#define NN__SET(s)       nn__separable_pair(vdupq_n_f32(s), vdupq_n_f32(s))
#define NN__LOAD(p)      nn__separable_pair(vld1q_f32(p), vld1q_f32((p) + 4))
#define NN__FMA(a, b, c)                                                                           \
    nn__separable_pair(vfmaq_f32((c).val[0], (a).val[0], (b).val[0]),                              \
                       vfmaq_f32((c).val[1], (a).val[1], (b).val[1]))
#define NN__STORE(p, v)  (vst1q_f32(p, (v).val[0]), vst1q_f32((p) + 4, (v).val[1]))
#define NN__LIMIT(v)                                                                               \
    nn__separable_pair(                                                                            \
        vaddq_f32(vminq_f32(most.val[0], vmaxq_f32(least.val[0], (v).val[0])), zero.val[0]),       \
        vaddq_f32(vminq_f32(most.val[1], vmaxq_f32(least.val[1], (v).val[1])), zero.val[1]))
static NN__ALWAYS_INLINE float32x4x2_t nn__separable_pair(float32x4_t a, float32x4_t b) {
    float32x4x2_t pair;
    pair.val[0] = a;
    pair.val[1] = b;
    return pair;
}
NN__SEPARABLE_BODY(nn__separable_neon, )
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__FMA
#undef NN__STORE
#undef NN__LIMIT
#endif

NN_PRIVATE nn__separable_set nn__separable_set_of(const nn__cpu *cpu) {
    nn__separable_set set = {NN__SEPARABLE_LANES, 4, nn__separable_tile, nn__separable_row_plain};
#ifndef NN_NO_SIMD
    const nn__panel_set *tiles = nn__panel_set_of(cpu);
    if (!tiles || tiles->lanes < NN__SEPARABLE_LANES) return set;
    set.lanes = tiles->lanes;
    set.rows = tiles->rows;
    set.tile = tiles->tile;
#ifdef NN__HAVE_X86
    set.row = tiles->lanes == 32 ? nn__separable_avx512 : nn__separable_avx2;
#endif
#ifdef NN__HAVE_NEON
    set.row = nn__separable_neon;
#endif
#endif
    (void)cpu;
    return set;
}

#undef NN__SEPARABLE_LANES
#undef NN__SEPARABLE_START
#undef NN__SEPARABLE_TAP
#undef NN__SEPARABLE_CLAMP
#undef NN__SEPARABLE_STORE
#undef NN__SEPARABLE_EACH
#undef NN__SEPARABLE_MEET
#undef NN__SEPARABLE_COLUMN
#undef NN__SEPARABLE_COLUMNS
#undef NN__SEPARABLE_THREE
#undef NN__SEPARABLE_BODY
#endif

typedef int nn__separable_rows_part; /* a file must not be empty under NN_NO_SPEEDUPS */
