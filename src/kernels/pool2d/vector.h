/* kernels/pool2d/vector.h - pools, one row of results at a time, for every instruction set. */
#ifndef NN__SET
#define NN__BODY "kernels/pool2d/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "kernels/pool2d/cpu.h"

/* Memory limits these loops, so AVX-512 uses the form of AVX2, except for the sums of whole rows.
   Their bytes depend on the lanes. */
#ifndef NN__SET_AVX512
/* ---- windows of 2 x 2 side by side ----------------------------------------------------------- */

/* Computes n results from 2 n numbers of each of two rows. place: the index of top[0]. Returns the
   lanes with a NaN. whole: n is at least NN__LANES. */
NN__INLINE NN__B32 NN__(pool2d_max_four)(float *y, int32_t *index, const float *top, int w,
                                         int place, int n, const bool places, const bool whole,
                                         const bool streams) {
    const float *bottom = top + w;
    const int low = whole ? NN__LANES : nn__mini(2 * n, NN__LANES), high = 2 * n - low;
    const NN__F32 a = NN__(load_up_to)(top, low, -INFINITY);
    const NN__F32 b = whole ? NN__(load)(top + NN__LANES)
                            : NN__(load_some)(top + low, high, -INFINITY);
    const NN__F32 c = NN__(load_up_to)(bottom, low, -INFINITY);
    const NN__F32 d = whole ? NN__(load)(bottom + NN__LANES)
                            : NN__(load_some)(bottom + low, high, -INFINITY);
    const NN__F32 first = NN__(evens)(a, b), second = NN__(odds)(a, b);
    const NN__F32 third = NN__(evens)(c, d), fourth = NN__(odds)(c, d);
    const NN__F32 two = NN__(larger)(second, first), three = NN__(larger)(third, two);
    const NN__F32 best = NN__(larger)(fourth, three);
    if (whole)
        NN__(put)(y, best, streams);
    else
        NN__(store_some)(y, n, best);
    if (places) { /* the first of equal numbers */
        NN__I32 to = NN__(int_pick)(NN__(less)(first, second), NN__(int_all)(1), NN__(int_all)(0));
        to = NN__(int_pick)(NN__(less)(two, third), NN__(int_all)(w), to);
        to = NN__(int_pick)(NN__(less)(three, fourth), NN__(int_all)(w + 1), to);
        to = NN__(int_add)(to, NN__(int_left)(NN__(int_lanes)(), 1));
        to = NN__(int_add)(to, NN__(int_all)(place));
        if (whole)
            NN__(int_store)(index, to);
        else
            NN__(int_store_some)(index, n, to);
    }
    return NN__(either)(NN__(unordered)(first, second), NN__(unordered)(third, fourth));
}

/* Returns where vector j of a row of n begins. With long vectors, the last one repeats some
   windows, which is faster than a partial vector. */
NN__INLINE int NN__(pool2d_begin)(int j, int n) {
    return NN__LANES > 4 && j > n - NN__LANES ? nn__maxi(n - NN__LANES, 0) : j;
}

NN__INLINE bool NN__(pool2d_max_pairs)(const nn__pool2d_plane *p, float *y, int32_t *index,
                                       const float *x, const bool places, const bool streams) {
    const int w = p->w, n = p->ow;
    NN__B32 bad = NN__(none)(), more;
    for (int i = 0, at = 0; i < p->oh; i++, x += 2 * w, y += n, at += 2 * w) {
        for (int j = 0; j < n; j += NN__LANES) {
            const int k = NN__(pool2d_begin)(j, n);
            if (NN__LANES == 1 || n - k >= NN__LANES)
                more = NN__(pool2d_max_four)(y + k, places ? index + k : NULL, x + 2 * k, w,
                                             at + 2 * k, NN__LANES, places, true, streams);
            else
                more = NN__(pool2d_max_four)(y + k, places ? index + k : NULL, x + 2 * k, w,
                                             at + 2 * k, n - k, places, false, false);
            bad = NN__(either)(bad, more);
        }
        if (places) index += n;
    }
    return !NN__(any)(bad);
}

/* ---- any windows that are one or two columns apart ------------------------------------------- */

#if NN__LANES > 1
/* Loads one number of each window of a vector, the first at x; `left` numbers of the row follow.
   whole: there are enough for whole vectors. */
NN__INLINE NN__F32 NN__(pool2d_take)(const float *x, int left, const int stride,
                                     const bool whole) {
    const int more = left - NN__LANES;
    const NN__F32 a = whole ? NN__(load)(x) : NN__(load_up_to)(x, left, -INFINITY);
    if (stride == 1) return a;
    return NN__(evens)(a, whole ? NN__(load)(x + NN__LANES)
                                : NN__(load_up_to)(x + NN__LANES, nn__maxi(more, 0), -INFINITY));
}

typedef struct NN__(pool2d_most) { /* so far */
    NN__F32 best;
    NN__I32 where; /* offset from the windows' first columns */
    NN__B32 bad;   /* the lanes with a NaN */
} NN__(pool2d_most);

NN__INLINE void NN__(pool2d_compare)(NN__(pool2d_most) *m, NN__F32 a, int place) {
    m->bad = NN__(either)(m->bad, NN__(unordered)(a, a));
    m->where = NN__(int_pick)(NN__(less)(m->best, a), NN__(int_all)(place), m->where);
    m->best = NN__(larger)(a, m->best);
}

/* Computes n windows, the first at position `at` of row v[0]. Returns the lanes with a NaN. The
   first three columns are not in a loop, whose end processors would often mispredict. */
NN__INLINE NN__B32 NN__(pool2d_max_some)(const nn__pool2d_plane *p, const int *v,
                                         int at, int n, float *y, int32_t *index, const float *x,
                                         const int stride, const bool whole) {
    const int w = p->w, end = p->kernel_w, one = p->dilation_w, two = 2 * one;
    const int step = p->dilation_h * w, left = w - at;
    const float *from = x + v[0] * w + at;
    NN__(pool2d_most) m;
    m.best = NN__(all)(-INFINITY), m.where = NN__(int_all)(v[0] * w), m.bad = NN__(none)();
    for (int row = v[0] * w; row < v[1] * w; row += step, from += step) {
        NN__(pool2d_compare)(&m, NN__(pool2d_take)(from, left, stride, whole), row);
        if (end > one)
            NN__(pool2d_compare)(&m, NN__(pool2d_take)(from + one, left - one, stride, whole),
                                 row + one);
        if (end > two)
            NN__(pool2d_compare)(&m, NN__(pool2d_take)(from + two, left - two, stride, whole),
                                 row + two);
        for (int k = two + one; k < end; k += one)
            NN__(pool2d_compare)(&m, NN__(pool2d_take)(from + k, left - k, stride, whole), row + k);
    }
    if (n < NN__LANES)
        NN__(store_some)(y, n, m.best);
    else
        NN__(put)(y, m.best, p->streams);
    m.where = NN__(int_add)(m.where, NN__(int_left)(NN__(int_lanes)(), stride - 1));
    m.where = NN__(int_add)(m.where, NN__(int_all)(at));
    NN__(int_store_some)(index, nn__mini(n, NN__LANES), m.where);
    return m.bad;
}

NN__INLINE bool NN__(pool2d_max_any)(const nn__pool2d_plane *p, float *y, int32_t *index,
                                     const float *x, const int stride) {
    NN__B32 bad = NN__(none)(), more;
    for (int i = 0; i < p->oh; i++, y += p->ow) {
        int v[2]; /* rows */
        nn__pool2d_rows_at(p, i, &v[0], &v[1]);
        for (int j = p->first; j < p->end; j += NN__LANES) {
            const int at = j * stride - p->padding_w, n = p->end - j;
            if (at + p->kernel_w - 1 + stride * NN__LANES <= p->w)
                more = NN__(pool2d_max_some)(p, v, at, n, y + j, index + j, x, stride, true);
            else
                more = NN__(pool2d_max_some)(p, v, at, n, y + j, index + j, x, stride, false);
            bad = NN__(either)(bad, more);
        }
        index += p->ow;
    }
    return !NN__(any)(bad);
}

/* ---- the same without index: reduces each column of a window, then the columns --------------- */

/* Reduces the rows of columns [at, at + n) of a window. Columns outside of x are -infinity; only
   max has such columns. Returns the lanes with a NaN. */
NN__INLINE NN__B32 NN__(pool2d_columns)(const nn__pool2d_plane *p, int h0, int h1, const float *x,
                                        int at, int n, float *to, const bool most) {
    const ptrdiff_t step = (ptrdiff_t)p->dilation_h * p->w;
    const NN__F32 none = NN__(all)(most ? -INFINITY : 0.0f);
    const int end = nn__mini(at + n, p->w);
    NN__B32 bad = NN__(none)();
    int c;
    for (; at < 0; at++, n--) *to++ = -INFINITY;
    for (c = at; c + 2 * NN__LANES <= end; c += 2 * NN__LANES) {
        const float *from = x + (ptrdiff_t)h0 * p->w + c;
        NN__F32 low = none, high = none;
        for (int h = h0; h < h1; h += p->dilation_h, from += step) {
            const NN__F32 a = NN__(load)(from), b = NN__(load)(from + NN__LANES);
            if (most) bad = NN__(either)(bad, NN__(unordered)(a, b));
            low = most ? NN__(larger)(a, low) : NN__(add)(low, a);
            high = most ? NN__(larger)(b, high) : NN__(add)(high, b);
        }
        NN__(store)(to + (c - at), low);
        NN__(store)(to + (c - at) + NN__LANES, high);
    }
    for (; c < end; c += NN__LANES) {
        const float *from = x + (ptrdiff_t)h0 * p->w + c;
        NN__F32 all = none;
        for (int h = h0; h < h1; h += p->dilation_h, from += step) {
            const NN__F32 a = NN__(load_up_to)(from, end - c, 0.0f);
            if (most) bad = NN__(either)(bad, NN__(unordered)(a, a));
            all = most ? NN__(larger)(a, all) : NN__(add)(all, a);
        }
        NN__(store)(to + (c - at), all);
    }
    for (c = nn__maxi(end, at); most && c < at + n; c++) to[c - at] = -INFINITY;
    return bad;
}

NN__INLINE NN__B32 NN__(pool2d_row)(const nn__pool2d_plane *p, int i, float count, float *y,
                                    const float *x, const int stride, const bool most) {
    float row[NN__POOL2D_ROW + 4 * NN__LANES], other[NN__POOL2D_ROW / 2 + 4 * NN__LANES];
    const int room = (NN__POOL2D_ROW - p->kernel_w) / stride + 1;
    NN__B32 bad = NN__(none)();
    int h0, h1;
    nn__pool2d_rows_at(p, i, &h0, &h1);
    for (int j0 = p->first; j0 < p->end; j0 += room) {
        const int n = nn__mini(room, p->end - j0), span = (n - 1) * stride + p->kernel_w;
        bad = NN__(either)(
            bad, NN__(pool2d_columns)(p, h0, h1, x, j0 * stride - p->padding_w, span, row, most));
        /* separates the odd columns */
        for (int j = 0; stride == 2 && 2 * j < span; j += NN__LANES) {
            const NN__F32 a = NN__(load)(row + 2 * j), b = NN__(load)(row + 2 * j + NN__LANES);
            NN__(store)(row + j, NN__(evens)(a, b));
            NN__(store)(other + j, NN__(odds)(a, b));
        }
        for (int j = 0; j < n; j += NN__LANES) {
            NN__F32 all = NN__(all)(most ? -INFINITY : 0.0f);
            for (int k = 0; k < p->kernel_w; k += p->dilation_w) {
                const NN__F32 a = stride == 1 ? NN__(load)(row + j + k)
                                              : NN__(load)((k & 1 ? other : row) + j + k / 2);
                all = most ? NN__(larger)(a, all) : NN__(add)(all, a);
            }
            if (!most) all = NN__(div)(all, NN__(all)(count));
            if (n - j < NN__LANES)
                NN__(store_some)(y + j0 + j, n - j, all);
            else
                NN__(put)(y + j0 + j, all, p->streams);
        }
    }
    return bad;
}

static void NN__(pool2d_average)(const nn__pool2d_plane *p, int i, float count, float *y,
                                 const float *x) {
    y += i * p->ow;
    if (p->stride_w == 1)
        NN__(pool2d_row)(p, i, count, y, x, 1, false);
    else
        NN__(pool2d_row)(p, i, count, y, x, 2, false);
}

static bool NN__(pool2d_largest)(const nn__pool2d_plane *p, float *y, const float *x) {
    NN__B32 bad = NN__(none)();
    for (int i = 0; i < p->oh; i++, y += p->ow) {
        const NN__B32 more = p->stride_w == 1 ? NN__(pool2d_row)(p, i, 1.0f, y, x, 1, true)
                                              : NN__(pool2d_row)(p, i, 1.0f, y, x, 2, true);
        bad = NN__(either)(bad, more);
    }
    return !NN__(any)(bad);
}
#endif

static bool NN__(pool2d_max)(const nn__pool2d_plane *p, float *y, int32_t *index, const float *x) {
#if NN__LANES > 1
    if (!p->pairs && !index) return NN__(pool2d_largest)(p, y, x);
    if (!p->pairs)
        return p->stride_w == 1 ? NN__(pool2d_max_any)(p, y, index, x, 1)
                                : NN__(pool2d_max_any)(p, y, index, x, 2);
#endif
    if (index) return NN__(pool2d_max_pairs)(p, y, index, x, true, false);
    return p->streams ? NN__(pool2d_max_pairs)(p, y, NULL, x, false, true)
                      : NN__(pool2d_max_pairs)(p, y, NULL, x, false, false);
}

/* ---- gradients ------------------------------------------------------------------------------- */

#if NN__LANES > 1 && !defined(NN_NO_TRAINING)
/* Writes `n` numbers, or adds them to y. */
NN__INLINE void NN__(pool2d_give)(float *y, NN__F32 v, int n, const bool accumulate,
                                  const bool whole, const bool streams) {
    if (accumulate) v = NN__(add)(whole ? NN__(load)(y) : NN__(load_some)(y, n, 0.0f), v);
    if (whole)
        NN__(put)(y, v, streams);
    else
        NN__(store_some)(y, n, v);
}

/* Spreads n numbers of dy to 2 n numbers of each of two rows. place: the index of dx[0]. */
NN__INLINE void NN__(pool2d_spread_four)(float *dx, const float *dy, const int32_t *index,
                                         float share, int w, int place, int n, const bool places,
                                         const bool accumulate, const bool whole,
                                         const bool streams) {
    const NN__F32 d = whole ? NN__(load)(dy) : NN__(load_some)(dy, n, 0.0f);
    const int low = whole ? NN__LANES : nn__mini(2 * n, NN__LANES), high = 2 * n - low;
    NN__F32 even = d, odd = d;
    NN__I32 at = NN__(int_all)(0);
    if (places) {
        at = whole ? NN__(int_load)(index) : NN__(int_load_some)(index, n);
        at = NN__(int_sub)(at, NN__(int_left)(NN__(int_lanes)(), 1));
        at = NN__(int_sub)(at, NN__(int_all)(place));
    } else {
        even = odd = NN__(div)(d, NN__(all)(share));
    }
    for (int row = 0; row < 2; row++, dx += w) {
        if (places) {
            even = NN__(keep)(NN__(int_equal)(at, NN__(int_all)(row * w)), d);
            odd = NN__(keep)(NN__(int_equal)(at, NN__(int_all)(row * w + 1)), d);
        }
        NN__(pool2d_give)(dx, NN__(zip_low)(even, odd), low, accumulate, whole, streams);
        NN__(pool2d_give)(dx + NN__LANES, NN__(zip_high)(even, odd), high, accumulate, whole,
                          streams);
    }
}

/* The last vector of a row may repeat some windows, but not with accumulate. */
NN__INLINE void NN__(pool2d_spread_pairs)(const nn__pool2d_plane *p, float *dx, const float *dy,
                                          const int32_t *index, const bool places,
                                          const bool accumulate, const bool streams) {
    const float share = p->divisor ? (float)p->divisor : 4.0f;
    const int w = p->w, n = p->ow;
    for (int i = 0, at = 0; i < p->oh; i++, dx += 2 * w, dy += n, at += 2 * w) {
        for (int j = 0; j < n; j += NN__LANES) {
            const int k = accumulate ? j : NN__(pool2d_begin)(j, n);
            if (n - k >= NN__LANES)
                NN__(pool2d_spread_four)(dx + 2 * k, dy + k, places ? index + k : NULL, share, w,
                                         at + 2 * k, NN__LANES, places, accumulate, true, streams);
            else
                NN__(pool2d_spread_four)(dx + 2 * k, dy + k, places ? index + k : NULL, share, w,
                                         at + 2 * k, n - k, places, accumulate, false, false);
        }
        if (places) index += n;
    }
}

static void NN__(pool2d_spread)(const nn__pool2d_plane *p, float *dx, const float *dy,
                                const int32_t *index, bool accumulate) {
    if (!index && accumulate)
        NN__(pool2d_spread_pairs)(p, dx, dy, NULL, false, true, false);
    else if (!index)
        NN__(pool2d_spread_pairs)(p, dx, dy, NULL, false, false, false);
    else if (accumulate)
        NN__(pool2d_spread_pairs)(p, dx, dy, index, true, true, false);
    else if (p->streams)
        NN__(pool2d_spread_pairs)(p, dx, dy, index, true, false, true);
    else
        NN__(pool2d_spread_pairs)(p, dx, dy, index, true, false, false);
}

static void NN__(pool2d_add)(float *y, const float *x, int n) {
    for (int i = 0; i < n; i += NN__LANES) {
        const NN__F32 sum = NN__(add)(NN__(load_up_to)(y + i, n - i, 0.0f),
                                      NN__(load_up_to)(x + i, n - i, 0.0f));
        NN__(store_up_to)(y + i, n - i, sum);
    }
}
#endif
#endif

static const nn__pool2d_rows NN__(pool2d_rows) = {
#ifdef NN__SET_AVX512
    nn__pool2d_max_avx2, nn__pool2d_average_avx2, NN__(row_sum), NN__(row_max),
#ifndef NN_NO_TRAINING
    nn__pool2d_spread_avx2, nn__pool2d_add_avx2
#endif
#elif NN__LANES > 1
    NN__(pool2d_max), NN__(pool2d_average), NN__(row_sum), NN__(row_max),
#ifndef NN_NO_TRAINING
    NN__(pool2d_spread), NN__(pool2d_add)
#endif
#else
    NN__(pool2d_max), NULL, NULL, NULL,
#ifndef NN_NO_TRAINING
    NULL, NULL
#endif
#endif
};
#endif
