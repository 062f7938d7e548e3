/* kernels/conv_pool/cpu_quads.h - blocks of 3 x 3 taps and few channels, by Winograd's
   F(2 x 2, 3 x 3). A tile has 2 x 2 outputs of the convolution, a quad, which is a window of the
   pool; a vector holds quads side by side, so that few channels fill it, too.

   Of one axis, with a sign less than usual, which then is the weights':
     B^T  0: x0 - x2    1: x1 + x2    2: x2 - x1    3: x1 - x3
     G    0: g0         1: (g0 + g1 + g2) / 2    2: (g0 - g1 + g2) / 2    3: -g2
     A^T  y0 = m0 + (m1 + m2)    y1 = (m1 - m2) + m3
   Of a vector of quads the 16 points (i, j) of each channel are 32 additions, for all output
   channels; each of these takes 16 products instead of 36. */
#pragma once

#include "cpu/simd.h"
#include "kernels/conv2d/cpu.h"

#define NN__QUAD_POINTS   16
#define NN__QUAD_CHANNELS 16 /* of x, at most: the points of a vector lie in the first cache */
#define NN__QUAD_ROWS     4  /* output channels of a tile */
#define NN__QUAD_LANES    16 /* floats that all vectors divide */

/* A band whose even and odd columns of even and odd rows are planes of their own. */
typedef struct nn__quad_band {
    int channels;
    ptrdiff_t channel, plane, row; /* floats from one to the next */
} nn__quad_band;

typedef struct nn__quads_set nn__quads_set;

#ifndef NN_NO_SIMD
struct nn__quads_set {
    int lanes;
    /* even[i] = x[first + 2 i], odd[i] = x[first + 2 i + 1], i in [0, n), of the row x, which has
       zeros outside [0, width) */
    void (*split)(float *even, float *odd, const float *x, int first, int width, int n);
    /* Points of the quads from x on: (channels, 16, lanes), as tiles read them. */
    void (*points)(const nn__quad_band *band, const float *x, float *to);
};

/* NULL: this instruction set has none. */
NN_PRIVATE const nn__quads_set *nn__quads_set_of(const nn__cpu *cpu);

/* Floats of the points of a vector of quads, and of the weights of `rows` output channels. */
NN_PRIVATE size_t nn__quads_points(int channels);
NN_PRIVATE size_t nn__quads_weight_floats(int channels, int rows);
/* to: of each NN__QUAD_ROWS output channels (channel, point, output channel). Numbers of weight lie
   so far apart: rows, channels, taps */
NN_PRIVATE void nn__quads_weights(const float *weight, int rows, int channels, ptrdiff_t row,
                                  ptrdiff_t channel, ptrdiff_t tap, float *to);
/* What rows [t, t + outputs) of the quads of the picture x read; conv: of quads. */
NN_PRIVATE void nn__quads_split(const nn__quads_set *set, const nn__conv *conv,
                                const nn__quad_band *b, const float *x, int t, int outputs,
                                float *band);

/* ---- the tile, for the files that say what becomes of the four outputs ----------------------- */

/* Read once into a register: compilers would read it for each of its products. */
#if defined(__GNUC__) || defined(__clang__)
#define NN__QUAD_KEEP(v) __asm__("" : "+v"(v))
#else
#define NN__QUAD_KEEP(v) (void)0
#endif
/* Output channels are taken as many at a time as there are registers for four places and two
   points of each. First the four points that all places have, then the pairs that two have, last
   the four of one place each. x and w: points and weights of a channel, each `lanes` and
   NN__QUAD_ROWS from the one before. (Two output channels of two vectors of quads would
   read less for as many products, and take 1.15 of the time.) */
#define NN__QUAD_EACH(points, weights)                                                             \
    for (const float *x = points, *end = x + floats, *w = weights; x < end;                        \
         x += NN__QUAD_POINTS * NN__WIDE, w += NN__QUAD_POINTS * NN__QUAD_ROWS)
/* sum##k += a point times its weight */
#define NN__QUAD_A(k) if (k < rows) a##k = NN__FMA(NN__SET(one[k]), point, a##k);
#define NN__QUAD_B(k) if (k < rows) b##k = NN__FMA(NN__SET(one[k]), point, b##k);
#define NN__QUAD_C(k) if (k < rows) c##k = NN__FMA(NN__SET(one[k]), point, c##k);
#define NN__QUAD_D(k) if (k < rows) d##k = NN__FMA(NN__SET(one[k]), point, d##k);
#define NN__QUAD_M(k) if (k < rows) m##k = NN__FMA(NN__SET(one[k]), point, m##k);
#define NN__QUAD_N(k) if (k < rows) n##k = NN__FMA(NN__SET(one[k]), point, n##k);
#define NN__QUAD_TAKE(i, j, ALL, SUM)                                                              \
    {                                                                                              \
        NN__V point = NN__LOAD(x + (4 * i + j) * NN__WIDE);                                        \
        const float *one = w + (4 * i + j) * NN__QUAD_ROWS;                                        \
        if (NN__WIDE == 8) NN__QUAD_KEEP(point); /* wider ones multiply with a number in memory */ \
        ALL(SUM)                                                                                   \
    }
#define NN__QUAD_CORNERS(i0, j0, i1, j1, ALL)                                                      \
    NN__QUAD_EACH(points, weights) {                                                               \
        NN__QUAD_TAKE(i0, j0, ALL, NN__QUAD_A)                                                     \
        NN__QUAD_TAKE(i0, j1, ALL, NN__QUAD_B)                                                     \
        NN__QUAD_TAKE(i1, j0, ALL, NN__QUAD_C)                                                     \
        NN__QUAD_TAKE(i1, j1, ALL, NN__QUAD_D)                                                     \
    }
#define NN__QUAD_PLACES(k)                                                                         \
    if (k < rows) {                                                                                \
        const NN__V up = NN__ADD(a##k, b##k), up_odd = NN__SUB(a##k, b##k),                        \
                    down = NN__ADD(c##k, d##k), down_odd = NN__SUB(c##k, d##k);                    \
        a##k = NN__ADD(up, down);                                                                  \
        b##k = NN__ADD(up_odd, down_odd);                                                          \
        c##k = NN__SUB(up, down);                                                                  \
        d##k = NN__SUB(up_odd, down_odd);                                                          \
    }
#define NN__QUAD_ZERO(k) NN__V m##k = NN__SET(0.0f), n##k = m##k;
/* first += m + n, second += m - n */
#define NN__QUAD_ADD(first, second, m, n)                                                          \
    {                                                                                              \
        first = NN__ADD(first, NN__ADD(m, n));                                                     \
        second = NN__ADD(second, NN__SUB(m, n));                                                   \
    }
#define NN__QUAD_TO_UP(k)                                                                          \
    if (k < rows) NN__QUAD_ADD(a##k, b##k, m##k, n##k)
#define NN__QUAD_TO_DOWN(k)                                                                        \
    if (k < rows) NN__QUAD_ADD(c##k, d##k, m##k, n##k)
#define NN__QUAD_TO_LEFT(k)                                                                        \
    if (k < rows) NN__QUAD_ADD(a##k, c##k, m##k, n##k)
#define NN__QUAD_TO_RIGHT(k)                                                                       \
    if (k < rows) NN__QUAD_ADD(b##k, d##k, m##k, n##k)
#define NN__QUAD_PAIR(i0, j0, i1, j1, ALL, SUM)                                                    \
    {                                                                                              \
        ALL(NN__QUAD_ZERO)                                                                         \
        NN__QUAD_EACH(points, weights) {                                                           \
            NN__QUAD_TAKE(i0, j0, ALL, NN__QUAD_M)                                                 \
            NN__QUAD_TAKE(i1, j1, ALL, NN__QUAD_N)                                                 \
        }                                                                                          \
        ALL(SUM)                                                                                   \
    }
#define NN__QUAD_PUT(k) if (k < rows) NN__PUT(t, from + k, a##k, b##k, c##k, d##k);
#define NN__QUAD_BEGIN(k) NN__V a##k = NN__SET(0.0f), b##k = a##k, c##k = a##k, d##k = a##k;
/* Output channels [from, from + rows) of a tile, which NN__PUT(tile, channel, four outputs) ends;
   x_of: the tile's points, which have C channels. */
#define NN__QUAD_TILE(name, target, tile_of, x_of, ALL)                                            \
    static NN__ALWAYS_INLINE target void name##_rows(const tile_of *t, const int C,                \
                                                     const int from, const int rows) {             \
        const float *points = t->x_of, *weights = t->weight + from;                                \
        const ptrdiff_t floats = (ptrdiff_t)NN__QUAD_POINTS * NN__WIDE * C;                        \
        ALL(NN__QUAD_BEGIN)                                                                        \
        NN__QUAD_CORNERS(1, 1, 2, 2, ALL)                                                          \
        ALL(NN__QUAD_PLACES)                                                                       \
        NN__QUAD_PAIR(0, 1, 0, 2, ALL, NN__QUAD_TO_UP)                                             \
        NN__QUAD_PAIR(3, 1, 3, 2, ALL, NN__QUAD_TO_DOWN)                                           \
        NN__QUAD_PAIR(1, 0, 2, 0, ALL, NN__QUAD_TO_LEFT)                                           \
        NN__QUAD_PAIR(1, 3, 2, 3, ALL, NN__QUAD_TO_RIGHT)                                          \
        NN__QUAD_CORNERS(0, 0, 3, 3, ALL)                                                          \
        ALL(NN__QUAD_PUT)                                                                          \
    }
#define NN__QUAD_TWO(X)  X(0) X(1)
#define NN__QUAD_FOUR(X) NN__QUAD_TWO(X) X(2) X(3)
/* All of them; behind `static`. Of three channels loops take longer than what they repeat, but
   where the multiplications themselves read. */
#define NN__QUAD_TILE8(name, tile_of, channels_of)                                                 \
    NN__AVX2 void name(const tile_of *t) {                                                         \
        for (int k = 0; k < t->rows; k += 2)                                                       \
            if (t->rows - k == 1)                                                                  \
                name##_rows(t, t->channels_of, k, 1);                                              \
            else if (t->channels_of == 3)                                                          \
                name##_rows(t, 3, k, 2);                                                           \
            else                                                                                   \
                name##_rows(t, t->channels_of, k, 2);                                              \
    }
#define NN__QUAD_TILE16(name, tile_of, channels_of)                                                \
    NN__AVX512 void name(const tile_of *t) {                                                       \
        switch (t->rows) {                                                                         \
        case 1: name##_rows(t, t->channels_of, 0, 1); break;                                       \
        case 2: name##_rows(t, t->channels_of, 0, 2); break;                                       \
        case 3: name##_rows(t, t->channels_of, 0, 3); break;                                       \
        default: name##_rows(t, t->channels_of, 0, 4); break;                                      \
        }                                                                                          \
    }
#else
#define nn__quads_set_of(cpu) ((void)(cpu), (const nn__quads_set *)NULL)
#define nn__quads_split(set, conv, b, x, t, outputs, band)               ((void)(b))
#define nn__quads_points(channels)                                       ((size_t)0)
#define nn__quads_weight_floats(channels, rows)                          ((size_t)0)
#define nn__quads_weights(weight, rows, channels, row, channel, tap, to) ((void)0)
#endif
