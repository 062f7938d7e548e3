/* kernels/separable/vector.h - depthwise rows with channels in the lanes, for every instruction
   set. */
#ifndef NN__SET
#define NN__BODY "kernels/separable/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "kernels/separable/cpu.h"

#ifndef NN_NO_SPEEDUPS
#if NN__LANES == 1
static void NN__(separable_row)(const nn__separable_row *t) {
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
#else
#define NN__SEPARABLE_WIDE (NN__PANEL_WIDE * NN__LANES)

NN__INLINE NN__F32 NN__(separable_tap)(NN__F32 sum, NN__F32 x, const int tap, NN__F32 w0,
                                       NN__F32 w1, NN__F32 w2) {
    return tap == 0   ? NN__(fma)(x, w0, sum)
           : tap == 1 ? NN__(fma)(x, w1, sum)
           : tap == 2 ? NN__(fma)(x, w2, sum)
                      : sum;
}
/* Three neighbouring taps of four positions: each column of x is loaded once. */
NN__INLINE void NN__(separable_three)(const float *x, const float *w, const int stride,
                                      NN__F32 *a0, NN__F32 *a1, NN__F32 *a2, NN__F32 *a3) {
    const NN__F32 w0 = NN__(load)(w), w1 = NN__(load)(w + NN__SEPARABLE_WIDE),
                  w2 = NN__(load)(w + 2 * NN__SEPARABLE_WIDE);
#define NN__SEPARABLE_COLUMN(i)                                                                    \
    if (i < 3 * stride + 3) {                                                                      \
        const NN__F32 v = NN__(load_once)(x + (i) * NN__SEPARABLE_WIDE);                           \
        *a0 = NN__(separable_tap)(*a0, v, i, w0, w1, w2);                                          \
        *a1 = NN__(separable_tap)(*a1, v, i - stride, w0, w1, w2);                                 \
        *a2 = NN__(separable_tap)(*a2, v, i - 2 * stride, w0, w1, w2);                             \
        *a3 = NN__(separable_tap)(*a3, v, i - 3 * stride, w0, w1, w2);                             \
    }
    /* clang-format off */
    NN__SEPARABLE_COLUMN(0) NN__SEPARABLE_COLUMN(1) NN__SEPARABLE_COLUMN(2)
    NN__SEPARABLE_COLUMN(3) NN__SEPARABLE_COLUMN(4) NN__SEPARABLE_COLUMN(5)
    NN__SEPARABLE_COLUMN(6) NN__SEPARABLE_COLUMN(7) NN__SEPARABLE_COLUMN(8)
    /* clang-format on */
#undef NN__SEPARABLE_COLUMN
}

/* Computes `places` (1 or 4) positions from u on, with the taps [first, last) of each row. A
   position has two vectors of the panel from lane `at` on, or one. stride: 0, or that of rows of
   three neighbouring taps. */
NN__INLINE void NN__(separable_places)(const nn__separable_row *t, int at, int u, int first,
                                       int last, const int places, const bool two,
                                       const int stride) {
    const ptrdiff_t lanes = NN__SEPARABLE_WIDE, step = (stride ? stride : t->stride) * lanes,
                    next = t->dilation * lanes,
                    from = u * step + (first * (ptrdiff_t)t->dilation - t->padding) * lanes + at;
    const float *bias = t->bias + at;
    NN__F32 a0 = NN__(load)(bias), a1 = a0, a2 = a0, a3 = a0,
            b0 = two ? NN__(load)(bias + NN__LANES) : a0, b1 = b0, b2 = b0, b3 = b0;
    float *d = t->d + u * lanes + at;
    const nn__clamp clamp = t->clamp;
    for (int r = 0; r < t->R; r++) {
        const float *w = t->weight + (ptrdiff_t)(r * t->S + first) * lanes + at, *x = t->e[r];
        if (!x) continue;
        x += from;
        if (stride) {
            NN__(separable_three)(x, w, stride, &a0, &a1, &a2, &a3);
            if (two)
                NN__(separable_three)(x + NN__LANES, w + NN__LANES, stride, &b0, &b1, &b2, &b3);
            continue;
        }
        for (int s = first; s < last; s++, x += next, w += lanes) {
            const NN__F32 w0 = NN__(load)(w), w1 = two ? NN__(load)(w + NN__LANES) : w0;
            const float *x1 = x + step, *x2 = x1 + step, *x3 = x2 + step;
            a0 = NN__(fma)(NN__(load)(x), w0, a0);
            if (two) b0 = NN__(fma)(NN__(load)(x + NN__LANES), w1, b0);
            if (places == 1) continue;
            a1 = NN__(fma)(NN__(load)(x1), w0, a1);
            a2 = NN__(fma)(NN__(load)(x2), w0, a2);
            a3 = NN__(fma)(NN__(load)(x3), w0, a3);
            if (!two) continue;
            b1 = NN__(fma)(NN__(load)(x1 + NN__LANES), w1, b1);
            b2 = NN__(fma)(NN__(load)(x2 + NN__LANES), w1, b2);
            b3 = NN__(fma)(NN__(load)(x3 + NN__LANES), w1, b3);
        }
    }
    for (int i = 0; i < places; i++, d += lanes) {
        NN__(store)(d, NN__(clamped)(a0, clamp));
        if (two) NN__(store)(d + NN__LANES, NN__(clamped)(b0, clamp));
        a0 = a1, a1 = a2, a2 = a3, b0 = b1, b1 = b2, b2 = b3;
    }
}

/* Positions whose taps are all inside are computed four at a time. The last group may repeat some
   of them. */
NN__INLINE void NN__(separable_line)(const nn__separable_row *t, int vector, const bool two) {
    const int reach = (t->S - 1) * t->dilation;
    const int begin = nn__mini(t->OW, nn__ceil_div(nn__maxi(0, t->padding), t->stride)),
              room = t->W - 1 - reach + t->padding,
              end = nn__maxi(begin, nn__mini(t->OW, room < 0 ? 0 : room / t->stride + 1));
    for (int u = 0; u < t->OW; u++) {
        const int at = t->padding - u * t->stride; /* how far outside the first tap is */
        if (u >= begin && end - begin >= 4 && u < end) {
            for (; u < end; u += 4) {
                const int from = nn__mini(u, end - 4);
                if (t->S != 3 || t->dilation != 1 || t->stride > 2)
                    NN__(separable_places)(t, vector, from, 0, t->S, 4, two, 0);
                else if (t->stride == 1)
                    NN__(separable_places)(t, vector, from, 0, 3, 4, two, 1);
                else
                    NN__(separable_places)(t, vector, from, 0, 3, 4, two, 2);
            }
            u = end - 1;
            continue;
        }
        const int first = at > 0 ? nn__mini(t->S, nn__ceil_div(at, t->dilation)) : 0,
                  left = t->W - 1 + at; /* the taps' offsets may be at most this */
        const int last = left < 0 ? 0 : nn__mini(t->S, left / t->dilation + 1);
        NN__(separable_places)(t, vector, u, first, nn__maxi(first, last), 1, two,
                               0);
    }
}
static void NN__(separable_row)(const nn__separable_row *t) {
#if NN__PANEL_WIDE == 4
    for (int at = 0; at < (t->half ? 2 : 4) * NN__LANES; at += 2 * NN__LANES)
        NN__(separable_line)(t, at, true);
#else
    if (t->half)
        NN__(separable_line)(t, 0, false);
    else
        NN__(separable_line)(t, 0, true);
#endif
}
#undef NN__SEPARABLE_WIDE
#endif
#endif
#endif
