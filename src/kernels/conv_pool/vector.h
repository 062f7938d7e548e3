/* kernels/conv_pool/vector.h - the loops of blocks, for every instruction set: the maximum of the
   four places of a window, and Winograd's algorithm for few channels. The loops of the gradients
   are in kernels/conv_pool/vector_gradients.h. */
#ifndef NN__SET
#define NN__BODY "kernels/conv_pool/vector.h"
#include "cpu/for_each_set.h"
#else
#include "cpu/vector.h"
#include "kernels/conv_pool/cpu.h"

#ifndef NN_NO_SPEEDUPS

/* ---- the largest of four places -------------------------------------------------------------- */

/* A number replaces the best one so far if it is larger or a NaN. */
NN__INLINE void NN__(conv_pool_compare)(NN__F32 *best, NN__I32 *place, NN__F32 z, int at) {
    const NN__B32 wins = NN__(either)(NN__(less)(*best, z), NN__(unordered)(z, z));
    *best = NN__(pick)(wins, z, *best);
    *place = NN__(int_pick)(wins, NN__(int_all)(at), *place);
}

/* Stores the maxima of the first n windows of a vector, from the sums of their four places. */
NN__INLINE void NN__(conv_pool_put)(const nn__conv_pool_end *end, float *y, uint8_t *place, int n,
                                    NN__F32 bias, NN__F32 z0, NN__F32 z1, NN__F32 z2, NN__F32 z3) {
    NN__I32 where = NN__(int_all)(0);
    NN__(conv_pool_compare)(&z0, &where, z1, 1);
    NN__(conv_pool_compare)(&z0, &where, z2, 2);
    NN__(conv_pool_compare)(&z0, &where, z3, 3);
    z0 = NN__(add)(z0, bias);
    if (end->relu) z0 = NN__(larger)(NN__(all)(0.0f), z0); /* this order keeps a NaN */
    NN__(store_up_to)(y, n, z0);
    if (place) NN__(int_store_u8_up_to)(place, n, where);
}

static void NN__(conv_pool_four)(const nn__conv_pool_end *end, const float *z, ptrdiff_t step,
                                 int n) {
    const NN__F32 bias = NN__(all)(end->bias ? *end->bias : 0.0f);
    for (int i = 0; i < n; i += NN__LANES) {
        const float *at = z + i;
        const int rest = n - i;
        NN__(conv_pool_put)(end, end->y + i, end->place ? end->place + i : NULL, rest, bias,
                            NN__(load_up_to)(at, rest, 0.0f),
                            NN__(load_up_to)(at + step, rest, 0.0f),
                            NN__(load_up_to)(at + 2 * step, rest, 0.0f),
                            NN__(load_up_to)(at + 3 * step, rest, 0.0f));
    }
}

#ifndef NN_NO_SIMD
/* Loads every other number of the first n numbers at x, then zeros. */
NN__INLINE void NN__(conv_pool_part)(const float *x, int n, NN__F32 *even, NN__F32 *odd) {
#if NN__LANES == 1
    *even = n > 0 ? x[0] : 0.0f, *odd = n > 1 ? x[1] : 0.0f;
#else
    const NN__F32 a = NN__(load_up_to)(x, nn__maxi(n, 0), 0.0f);
    const NN__F32 b =
        n > NN__LANES ? NN__(load_up_to)(x + NN__LANES, n - NN__LANES, 0.0f) : NN__(all)(0.0f);
    *even = NN__(evens)(a, b), *odd = NN__(odds)(a, b);
#endif
}

static void NN__(conv_pool_split)(float *even, float *odd, const float *x, int padding, int width,
                                  int n) {
    /* where x[0] and x[1] go, so that vectors begin with x[0] for any padding */
    const int shift = padding % 2, low = nn__mini(padding / 2, n), high = nn__mini(low + shift, n);
    float *first = shift ? odd : even, *second = shift ? even : odd;
    NN__F32 a, b;
    for (int i = 0; i < low; i++) first[i] = 0;
    for (int i = 0; i < high; i++) second[i] = 0;
    first += low, second += high;
    for (int i = 0; i < n - low; i += NN__LANES) {
        NN__(conv_pool_part)(x + nn__mini(2 * i, width), width - 2 * i, &a, &b);
        NN__(store_up_to)(first + i, n - low - i, a);
        if (i < n - high) NN__(store_up_to)(second + i, n - high - i, b);
    }
}

static void NN__(conv_pool_plane)(const nn__conv_pool_end *end, const float *z, int height,
                                  int width) {
    const NN__F32 bias = NN__(all)(end->bias ? *end->bias : 0.0f);
    NN__F32 z0, z1, z2, z3;
    float *y = end->y;
    uint8_t *place = end->place;
    for (int i = 0; i < height; i++, z += 4 * width, y += width) {
        for (int j = 0; j < width; j += NN__LANES) {
            NN__(conv_pool_part)(z + 2 * j, 2 * (width - j), &z0, &z1);
            NN__(conv_pool_part)(z + 2 * width + 2 * j, 2 * (width - j), &z2, &z3);
            NN__(conv_pool_put)(end, y + j, place ? place + j : NULL, width - j, bias, z0, z1, z2,
                                z3);
        }
        if (place) place += width;
    }
}
#endif

/* ---- few channels: kernels/conv_pool/cpu.c -------------------------------------------- */

#if NN__LANES > 1
/* Computes column j of the points, from two columns of the four rows that a window reads. */
NN__INLINE void NN__(conv_pool_column)(float *to, NN__F32 t0, NN__F32 t1, NN__F32 t2, NN__F32 t3) {
    NN__(store)(to, NN__(sub)(t0, t2));
    NN__(store)(to + 4 * NN__LANES, NN__(add)(t1, t2));
    NN__(store)(to + 8 * NN__LANES, NN__(sub)(t2, t1));
    NN__(store)(to + 12 * NN__LANES, NN__(sub)(t1, t3));
}

static void NN__(conv_pool_points)(const nn__conv_pool_band *b, const float *x, float *to) {
    for (int c = 0; c < b->channels; c++, x += b->channel, to += 16 * NN__LANES) {
        /* Row q: the even and the odd columns of two windows. */
#define NN__READ(q)                                                                                \
        const float *row##q = x + 2 * ((q) & 1) * b->plane + ((q) >> 1) * b->row;                  \
        const NN__F32 x##q##0 = NN__(load)(row##q), x##q##1 = NN__(load)(row##q + b->plane),       \
                      x##q##2 = NN__(load)(row##q + 1), x##q##3 = NN__(load)(row##q + b->plane + 1);
#define NN__COLUMN(j, op, left, right)                                                             \
        NN__(conv_pool_column)(to + j * NN__LANES, op(x0##left, x0##right),                        \
                               op(x1##left, x1##right), op(x2##left, x2##right),                   \
                               op(x3##left, x3##right));
        NN__READ(0) NN__READ(1) NN__READ(2) NN__READ(3)
        NN__COLUMN(0, NN__(sub), 0, 2)
        NN__COLUMN(1, NN__(add), 1, 2)
        NN__COLUMN(2, NN__(sub), 2, 1)
        NN__COLUMN(3, NN__(sub), 1, 3)
#undef NN__READ
#undef NN__COLUMN
    }
}

/* The number of output channels at a time follows from the number of registers: each channel needs
   one vector of sums for each of four places, and two for points. */
typedef struct NN__(conv_pool_sums) {
    NN__F32 k0;
#if NN__REGISTERS >= 16
    NN__F32 k1;
#endif
#if NN__REGISTERS == 32
    NN__F32 k2, k3;
#endif
} NN__(conv_pool_sums);

NN__INLINE NN__(conv_pool_sums) NN__(conv_pool_zero)(void) {
    NN__(conv_pool_sums) s;
    s.k0 = NN__(all)(0.0f);
#if NN__REGISTERS >= 16
    s.k1 = s.k0;
#endif
#if NN__REGISTERS == 32
    s.k2 = s.k3 = s.k0;
#endif
    return s;
}

/* s += a point times its weights */
NN__INLINE void NN__(conv_pool_multiply)(NN__(conv_pool_sums) *s, const float *x, const float *w,
                                         const int point) {
    const NN__FOUR weights = NN__(load_four)(w + point * NN__CONV_POOL_ROWS);
    const NN__F32 p = NN__REGISTERS == 16 ? NN__(load_once)(x + point * NN__LANES)
                                          : NN__(load)(x + point * NN__LANES);
    s->k0 = NN__(fma_lane0)(weights, p, s->k0);
#if NN__REGISTERS >= 16
    s->k1 = NN__(fma_lane1)(weights, p, s->k1);
#endif
#if NN__REGISTERS == 32
    s->k2 = NN__(fma_lane2)(weights, p, s->k2);
    s->k3 = NN__(fma_lane3)(weights, p, s->k3);
#endif
}

/* a + b and a - b */
NN__INLINE void NN__(conv_pool_both)(NN__(conv_pool_sums) *a, NN__(conv_pool_sums) *b) {
    const NN__(conv_pool_sums) m = *a, n = *b;
    a->k0 = NN__(add)(m.k0, n.k0), b->k0 = NN__(sub)(m.k0, n.k0);
#if NN__REGISTERS >= 16
    a->k1 = NN__(add)(m.k1, n.k1), b->k1 = NN__(sub)(m.k1, n.k1);
#endif
#if NN__REGISTERS == 32
    a->k2 = NN__(add)(m.k2, n.k2), b->k2 = NN__(sub)(m.k2, n.k2);
    a->k3 = NN__(add)(m.k3, n.k3), b->k3 = NN__(sub)(m.k3, n.k3);
#endif
}
NN__INLINE void NN__(conv_pool_add)(NN__(conv_pool_sums) *a, const NN__(conv_pool_sums) *b) {
    a->k0 = NN__(add)(a->k0, b->k0);
#if NN__REGISTERS >= 16
    a->k1 = NN__(add)(a->k1, b->k1);
#endif
#if NN__REGISTERS == 32
    a->k2 = NN__(add)(a->k2, b->k2);
    a->k3 = NN__(add)(a->k3, b->k3);
#endif
}

#define NN__EACH_CHANNEL                                                                           \
    for (const float *x = t->points, *end = x + floats, *w = weights; x < end;                     \
         x += 16 * NN__LANES, w += 16 * NN__CONV_POOL_ROWS)

/* a += m + n and b += m - n, where m and n are the sums of two points. */
NN__INLINE void NN__(conv_pool_two)(const nn__conv_pool_tile *t, const float *weights,
                                    ptrdiff_t floats, NN__(conv_pool_sums) *a,
                                    NN__(conv_pool_sums) *b, const int first, const int second) {
    NN__(conv_pool_sums) m = NN__(conv_pool_zero)(), n = m;
    NN__EACH_CHANNEL {
        NN__(conv_pool_multiply)(&m, x, w, first);
        NN__(conv_pool_multiply)(&n, x, w, second);
    }
    NN__(conv_pool_both)(&m, &n);
    NN__(conv_pool_add)(a, &m);
    NN__(conv_pool_add)(b, &n);
}

/* Adds first the four points that all places use, then the pairs that two places use, and finally
   the four points of one place each. */
NN__INLINE void NN__(conv_pool_some)(const nn__conv_pool_tile *t, int channels, const int from) {
    const float *weights = t->weight + from;
    const ptrdiff_t floats = (ptrdiff_t)16 * NN__LANES * channels;
    NN__(conv_pool_sums) a = NN__(conv_pool_zero)(), b = a, c = a, d = a;
    NN__EACH_CHANNEL {
        NN__(conv_pool_multiply)(&a, x, w, 5);
        NN__(conv_pool_multiply)(&b, x, w, 6);
        NN__(conv_pool_multiply)(&c, x, w, 9);
        NN__(conv_pool_multiply)(&d, x, w, 10);
    }
    NN__(conv_pool_both)(&a, &b);
    NN__(conv_pool_both)(&c, &d);
    NN__(conv_pool_both)(&a, &c);
    NN__(conv_pool_both)(&b, &d);
    NN__(conv_pool_two)(t, weights, floats, &a, &b, 1, 2);
    NN__(conv_pool_two)(t, weights, floats, &c, &d, 13, 14);
    NN__(conv_pool_two)(t, weights, floats, &a, &c, 4, 8);
    NN__(conv_pool_two)(t, weights, floats, &b, &d, 7, 11);
    NN__EACH_CHANNEL {
        NN__(conv_pool_multiply)(&a, x, w, 0);
        NN__(conv_pool_multiply)(&b, x, w, 3);
        NN__(conv_pool_multiply)(&c, x, w, 12);
        NN__(conv_pool_multiply)(&d, x, w, 15);
    }
#define NN__PUT(i)                                                                                 \
    if (from + i < t->rows)                                                                        \
        NN__(conv_pool_put)(&t->end, t->end.y + (from + i) * t->y_row,                             \
                            t->end.place ? t->end.place + (from + i) * t->y_row : NULL,            \
                            t->columns, NN__(all)(t->end.bias ? t->end.bias[from + i] : 0.0f),     \
                            a.k##i, b.k##i, c.k##i, d.k##i);
    NN__PUT(0)
#if NN__REGISTERS >= 16
    NN__PUT(1)
#endif
#if NN__REGISTERS == 32
    NN__PUT(2)
    NN__PUT(3)
#endif
#undef NN__PUT
}
#undef NN__EACH_CHANNEL

static void NN__(conv_pool_tile)(const nn__conv_pool_tile *t) {
    const int step = nn__maxi(1, NN__REGISTERS / 8);
    for (int from = 0; from < t->rows; from += step) NN__(conv_pool_some)(t, t->channels, from);
}
#endif

#ifndef NN_NO_TRAINING
#include "kernels/conv_pool/vector_gradients.h"
#endif

static const nn__conv_pool_loops NN__(conv_pool_loops) = {
    NN__LANES, (int)sizeof(NN__B32), NN__(conv_pool_four),
#ifndef NN_NO_SIMD
    NN__(conv_pool_split), NN__(conv_pool_plane),
#if NN__LANES > 1
    NN__(conv_pool_points), NN__(conv_pool_tile),
#else
    NULL, NULL,
#endif
#endif
#ifndef NN_NO_TRAINING
#ifdef NN__SET_PORTABLE_AVX512
    nn__conv_pool_list_portable_avx2, NN__(conv_pool_sum),
#else
    NN__(conv_pool_list), NN__(conv_pool_sum),
#endif
#if NN__LANES == 16 && !defined(NN__SET_PORTABLE_AVX512)
    NN__(conv_pool_line_points), NN__(conv_pool_take), NN__(conv_pool_gather),
    NN__(conv_pool_add_up)
#else
    NULL, NULL, NULL, NULL
#endif
#endif
};
#endif
#endif
