/* kernels/conv_pool/cpu_few_vectors.c - what kernels/conv_pool/cpu_few.h says, for vectors: points
   of windows, and tiles of 4 output channels. */
#include "cpu/gemm.h"
#include "kernels/conv_pool/cpu_few.h"
#include "kernels/conv_pool/cpu_put.h"

#if defined(NN__VECTOR8) && !defined(NN_NO_REPORTS)

/* As in cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/* ---- points ---------------------------------------------------------------------------------- */

/* Of row q of what a window reads, four columns: the even and the odd ones of two windows. */
#define NN__FEW_READ(q)                                                                            \
    const float *row##q = x + 2 * ((q) & 1) * b->plane + ((q) >> 1) * b->row;                      \
    const NN__V x##q##0 = NN__LOAD(row##q), x##q##1 = NN__LOAD(row##q + b->plane),                 \
                x##q##2 = NN__LOAD(row##q + 1), x##q##3 = NN__LOAD(row##q + b->plane + 1);
/* Column j of the points: of each row the columns `left` and `right`. */
#define NN__FEW_COLUMN(j, left, right, OP)                                                         \
    {                                                                                              \
        const NN__V t0 = OP(x0##left, x0##right), t1 = OP(x1##left, x1##right),                    \
                    t2 = OP(x2##left, x2##right), t3 = OP(x3##left, x3##right);                    \
        NN__STORE(to + (j) * NN__WIDE, NN__SUB(t0, t2));                                           \
        NN__STORE(to + (4 + (j)) * NN__WIDE, NN__ADD(t1, t2));                                     \
        NN__STORE(to + (8 + (j)) * NN__WIDE, NN__SUB(t2, t1));                                     \
        NN__STORE(to + (12 + (j)) * NN__WIDE, NN__SUB(t1, t3));                                    \
    }
#define NN__FEW_POINTS(name, target)                                                               \
    NN_PRIVATE target void name(const nn__conv_pool_split_band *b, const float *x, float *to) {    \
        for (int c = 0; c < b->channels; c++, x += b->channel, to += 16 * NN__WIDE) {              \
            NN__FEW_READ(0)                                                                        \
            NN__FEW_READ(1)                                                                        \
            NN__FEW_READ(2)                                                                        \
            NN__FEW_READ(3)                                                                        \
            NN__FEW_COLUMN(0, 0, 2, NN__SUB)                                                       \
            NN__FEW_COLUMN(1, 1, 2, NN__ADD)                                                       \
            NN__FEW_COLUMN(2, 2, 1, NN__SUB)                                                       \
            NN__FEW_COLUMN(3, 1, 3, NN__SUB)                                                       \
        }                                                                                          \
    }

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Output channels are taken as many at a time as there are registers for four places and two
   points of each. First the four points that all places have, then the pairs that two have, last
   the four of one place each. x and w: points and weights of a channel, each `lanes` and
   NN__CONV_POOL_ROWS from the one before. (Two output channels of two vectors of windows would
   read less for as many products, and take 1.15 of the time.) */
#define NN__FEW_EACH(points, weights)                                                              \
    for (const float *x = points, *end = x + floats, *w = weights; x < end;                        \
         x += NN__CONV_POOL_POINTS * NN__WIDE, w += NN__CONV_POOL_POINTS * NN__CONV_POOL_ROWS)
/* sum##k += a point times its weight */
#define NN__FEW_A(k) if (k < rows) a##k = NN__FMA(NN__SET(one[k]), point, a##k);
#define NN__FEW_B(k) if (k < rows) b##k = NN__FMA(NN__SET(one[k]), point, b##k);
#define NN__FEW_C(k) if (k < rows) c##k = NN__FMA(NN__SET(one[k]), point, c##k);
#define NN__FEW_D(k) if (k < rows) d##k = NN__FMA(NN__SET(one[k]), point, d##k);
#define NN__FEW_M(k) if (k < rows) m##k = NN__FMA(NN__SET(one[k]), point, m##k);
#define NN__FEW_N(k) if (k < rows) n##k = NN__FMA(NN__SET(one[k]), point, n##k);
#define NN__FEW_POINT(i, j, ALL, SUM)                                                              \
    {                                                                                              \
        const NN__V point = NN__LOAD(x + (4 * i + j) * NN__WIDE);                                  \
        const float *one = w + (4 * i + j) * NN__CONV_POOL_ROWS;                                   \
        ALL(SUM)                                                                                   \
    }
#define NN__FEW_FOUR(i0, j0, i1, j1, ALL)                                                          \
    NN__FEW_EACH(points, weights) {                                                                \
        NN__FEW_POINT(i0, j0, ALL, NN__FEW_A)                                                      \
        NN__FEW_POINT(i0, j1, ALL, NN__FEW_B)                                                      \
        NN__FEW_POINT(i1, j0, ALL, NN__FEW_C)                                                      \
        NN__FEW_POINT(i1, j1, ALL, NN__FEW_D)                                                      \
    }
#define NN__FEW_PLACES(k)                                                                          \
    if (k < rows) {                                                                                \
        const NN__V up = NN__ADD(a##k, b##k), up_odd = NN__SUB(a##k, b##k),                        \
                    down = NN__ADD(c##k, d##k), down_odd = NN__SUB(c##k, d##k);                    \
        a##k = NN__ADD(up, down);                                                                  \
        b##k = NN__ADD(up_odd, down_odd);                                                          \
        c##k = NN__SUB(up, down);                                                                  \
        d##k = NN__SUB(up_odd, down_odd);                                                          \
    }
#define NN__FEW_ZERO(k) NN__V m##k = NN__SET(0.0f), n##k = m##k;
/* first += m + n, second += m - n */
#define NN__FEW_ADD(first, second, m, n)                                                           \
    {                                                                                              \
        first = NN__ADD(first, NN__ADD(m, n));                                                     \
        second = NN__ADD(second, NN__SUB(m, n));                                                   \
    }
#define NN__FEW_TO_UP(k)                                                                           \
    if (k < rows) NN__FEW_ADD(a##k, b##k, m##k, n##k)
#define NN__FEW_TO_DOWN(k)                                                                         \
    if (k < rows) NN__FEW_ADD(c##k, d##k, m##k, n##k)
#define NN__FEW_TO_LEFT(k)                                                                         \
    if (k < rows) NN__FEW_ADD(a##k, c##k, m##k, n##k)
#define NN__FEW_TO_RIGHT(k)                                                                        \
    if (k < rows) NN__FEW_ADD(b##k, d##k, m##k, n##k)
#define NN__FEW_PAIR(i0, j0, i1, j1, ALL, SUM)                                                     \
    {                                                                                              \
        ALL(NN__FEW_ZERO)                                                                          \
        NN__FEW_EACH(points, weights) {                                                            \
            NN__FEW_POINT(i0, j0, ALL, NN__FEW_M)                                                  \
            NN__FEW_POINT(i1, j1, ALL, NN__FEW_N)                                                  \
        }                                                                                          \
        ALL(SUM)                                                                                   \
    }
#define NN__FEW_PUT(k) if (k < rows) NN__PUT(t, from + k, a##k, b##k, c##k, d##k);
#define NN__FEW_BEGIN(k) NN__V a##k = NN__SET(0.0f), b##k = a##k, c##k = a##k, d##k = a##k;
#define NN__FEW_TILE(name, target, ALL)                                                            \
    static NN__ALWAYS_INLINE target void name##_rows(const nn__conv_pool_tile *t, const int from,  \
                                                     const int rows) {                             \
        const float *points = t->band, *weights = t->weight + from;                                \
        const ptrdiff_t floats = (ptrdiff_t)NN__CONV_POOL_POINTS * NN__WIDE * t->depth;            \
        ALL(NN__FEW_BEGIN)                                                                         \
        NN__FEW_FOUR(1, 1, 2, 2, ALL)                                                              \
        ALL(NN__FEW_PLACES)                                                                        \
        NN__FEW_PAIR(0, 1, 0, 2, ALL, NN__FEW_TO_UP)                                               \
        NN__FEW_PAIR(3, 1, 3, 2, ALL, NN__FEW_TO_DOWN)                                             \
        NN__FEW_PAIR(1, 0, 2, 0, ALL, NN__FEW_TO_LEFT)                                             \
        NN__FEW_PAIR(1, 3, 2, 3, ALL, NN__FEW_TO_RIGHT)                                            \
        NN__FEW_FOUR(0, 0, 3, 3, ALL)                                                              \
        ALL(NN__FEW_PUT)                                                                           \
    }

#define NN__V            __m256
#define NN__WIDE         8
#define NN__SET(x)       _mm256_set1_ps(x)
#define NN__LOAD(p)      _mm256_loadu_ps(p)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__SUB(a, b)    _mm256_sub_ps(a, b)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__STORE(p, v)  _mm256_storeu_ps(p, v)
#define NN__PUT          nn__conv_pool_put_four8
#define NN__ALL(X)       X(0) X(1)
NN__FEW_POINTS(nn__conv_pool_few_points8, NN__AVX2)
NN__FEW_TILE(nn__conv_pool_few8, NN__AVX2, NN__ALL)
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__FMA
#undef NN__STORE
#undef NN__PUT
#undef NN__ALL

NN_PRIVATE NN__AVX2 void nn__conv_pool_few_tile8(const nn__conv_pool_tile *t) {
    for (int k = 0; k < t->rows; k += 2)
        if (t->rows - k == 1)
            nn__conv_pool_few8_rows(t, k, 1);
        else
            nn__conv_pool_few8_rows(t, k, 2);
}

#ifdef NN__VECTOR16
#define NN__V            __m512
#define NN__WIDE         16
#define NN__SET(x)       _mm512_set1_ps(x)
#define NN__LOAD(p)      _mm512_loadu_ps(p)
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__SUB(a, b)    _mm512_sub_ps(a, b)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__STORE(p, v)  _mm512_storeu_ps(p, v)
#define NN__PUT          nn__conv_pool_put16
#define NN__ALL(X)       X(0) X(1) X(2) X(3)
NN__FEW_POINTS(nn__conv_pool_few_points16, NN__AVX512)
NN__FEW_TILE(nn__conv_pool_few16, NN__AVX512, NN__ALL)
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__FMA
#undef NN__STORE
#undef NN__PUT
#undef NN__ALL

NN_PRIVATE NN__AVX512 void nn__conv_pool_few_tile16(const nn__conv_pool_tile *t) {
    switch (t->rows) {
    case 1: nn__conv_pool_few16_rows(t, 0, 1); break;
    case 2: nn__conv_pool_few16_rows(t, 0, 2); break;
    case 3: nn__conv_pool_few16_rows(t, 0, 3); break;
    default: nn__conv_pool_few16_rows(t, 0, 4); break;
    }
}
#endif

#undef NN__FEW_READ
#undef NN__FEW_COLUMN
#undef NN__FEW_POINTS
#undef NN__FEW_EACH
#undef NN__FEW_A
#undef NN__FEW_B
#undef NN__FEW_C
#undef NN__FEW_D
#undef NN__FEW_M
#undef NN__FEW_N
#undef NN__FEW_POINT
#undef NN__FEW_FOUR
#undef NN__FEW_PLACES
#undef NN__FEW_ZERO
#undef NN__FEW_ADD
#undef NN__FEW_TO_UP
#undef NN__FEW_TO_DOWN
#undef NN__FEW_TO_LEFT
#undef NN__FEW_TO_RIGHT
#undef NN__FEW_PAIR
#undef NN__FEW_PUT
#undef NN__FEW_BEGIN
#undef NN__FEW_TILE
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif

typedef int nn__conv_pool_few_vectors_part; /* a part must not be empty on other machines */
