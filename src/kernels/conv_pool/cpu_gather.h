/* kernels/conv_pool/cpu_gather.h - the gradient of the weights of 3 x 3 taps and few channels,
   without lists of maxima: by vectors of 16 windows side by side.

   Along a row this is F(2, 3) of Winograd: of the two columns of a window only that of its maximum
   has a gradient, d, and with the four points that a row of x has there
     0: x0 - x2    1: x1 + x2    2: x2 - x1    3: x1 - x3
   the left column multiplies them by  d d d 0, and the right one by  0 d -d d. Down the columns
   the row of a tap is chosen for each window, by where its maximum is. 12 products therefore do
   what the taps of both columns and both rows would need 36 for. Sums of points become taps at the
   very end:
     tap 0: s0 + (s1 + s2) / 2    1: (s1 - s2) / 2    2: (s1 + s2) / 2 - s3
   Vectors of 8 have no registers for it, and take as long as lists do. */
#pragma once

#include "kernels/conv_pool/cpu.h"

#if defined(NN__VECTOR16) && !defined(NN_NO_REPORTS) && !defined(NN_NO_TRAINING)
#define NN__GATHER_LANES 16
#define NN__GATHER_COUNT 2  /* output channels at a time */
#define NN__GATHER_SUMS  12 /* of an output channel and a channel: 3 rows of taps, 4 points */
/* Floats of two gradients of each vector of windows, and of the masks of where the maxima are. */
#define NN__GATHER_TAKEN (NN__GATHER_COUNT * NN__GATHER_LANES + 4)

/* The maxima of two output channels in some rows of windows, to be put into `taken`. */
typedef struct nn__conv_pool_taking {
    const float *dy, *y; /* (rows, width) of the first output channel */
    const uint8_t *place;
    ptrdiff_t next;  /* numbers to those of the second one */
    ptrdiff_t ahead; /* numbers that will be read soon are so many further on */
    int rows, width;
    bool relu;
    float *taken;
    float *total;         /* (lanes), to which the gradients of the first one are added */
    ptrdiff_t next_total; /* to those of the second one */
} nn__conv_pool_taking;

/* What these give to the sums of one channel of x. */
typedef struct nn__conv_pool_gathering {
    const float *points; /* (2 rows + 2 rows of x, vectors, 4, lanes) */
    const float *taken;
    float *sums;         /* (3 rows of taps, 4, lanes) of the first output channel */
    ptrdiff_t next_sums; /* to those of the second one */
    int rows, vectors;
} nn__conv_pool_gathering;

/* The points of a row of x, from its even and its odd columns: (vectors, 4, lanes) */
NN_PRIVATE void nn__conv_pool_gather_points16(const float *even, const float *odd, int vectors,
                                              float *to);
NN_PRIVATE void nn__conv_pool_take16(const nn__conv_pool_taking *m);
NN_PRIVATE void nn__conv_pool_gather16(const nn__conv_pool_gathering *g);
/* The sum of each of the vectors. */
NN_PRIVATE void nn__conv_pool_add_up16(const float *from, int count, float *to);

/* Whether the gradient of the weights goes this way, bytes of a worker that makes it for `rows`
   output channels, and the sums themselves: of output channels [k, k + rows) and of rows [from, to)
   of the windows of all pictures, counted on from one picture to the next.
   taps: of each output channel three rows of taps (tap, channel), `tap_row` apart; bias: of each */
NN_PRIVATE bool nn__conv_pool_gathers(const nn__cpu *cpu, const nn_conv_pool_args *g);
NN_PRIVATE size_t nn__conv_pool_gather_own(const nn__cpu *cpu, const nn_conv_pool_args *g,
                                           int rows);
NN_PRIVATE void nn__conv_pool_gather_sum(const nn__cpu *cpu, const nn_conv_pool_args *g, int k,
                                         int rows, int64_t from, int64_t to, float *taps,
                                         ptrdiff_t tap_row, float *bias, float *own);
#else
#define nn__conv_pool_gathers(cpu, g)          ((void)(cpu), (void)(g), false)
#define nn__conv_pool_gather_own(cpu, g, rows) ((void)(g), (size_t)0)
#define nn__conv_pool_gather_sum(cpu, g, k, rows, from, to, taps, tap_row, bias, own)              \
    ((void)(cpu), (void)(from), (void)(to), (void)(taps), (void)(own))
#endif
