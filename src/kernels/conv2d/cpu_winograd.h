/* kernels/conv2d/cpu_winograd.h - convolutions of 3 x 3 taps and strides of one by Winograd's way,
   F(4 x 4, 3 x 3) (Lavin and Gray 2015, https://arxiv.org/abs/1509.09308): a tile of 4 x 4 places
   of y, for which 6 x 6 places of x are read, takes 36 multiplications where direct sums take 144.
     y = A^T ((G w G^T) o (B^T x B)) A
   where the sum over the channels is taken in the middle: 36 products of matrices,
     m (tiles, K)  =  v (tiles, C)  x  u (C, K),      v = B^T x B, u = G w G^T.
   The points are 0, +-sqrt(1/2), +-sqrt(2) and infinity, whose errors are about a third of those of
   0, +-1, +-2: tests/test_winograd.c has the bound. Only with vectors, which hold channels of x in
   B^T x B and channels of y else: plain C keeps to direct sums. */
#pragma once

#include "kernels/conv2d/cpu_panel.h"

#ifndef NN_NO_SIMD

#define NN__WINOGRAD_POINTS 36

/* With vectors of `lanes` / 2 numbers; a distance between the 36 is called step. */
typedef struct nn__winograd_set {
    /* to = B^T from B, of a vector of channels: from (6, 6) vectors, whose rows lie `row` apart */
    void (*input)(const float *from, ptrdiff_t row, float *to, ptrdiff_t step);
    /* to = G from G^T, of `lanes` filters: the taps of from lie `tap` apart */
    void (*weight)(const float *from, ptrdiff_t tap, float *to, ptrdiff_t step);
    /* to = A^T from A, of `lanes` channels, or of the first half of them: rows x columns places */
    void (*output)(const float *from, ptrdiff_t step, float *to, ptrdiff_t row, int rows,
                   int columns, bool half);
} nn__winograd_set;

/* NULL: this instruction set has none. */
NN_PRIVATE const nn__winograd_set *nn__winograd_set_of(const nn__cpu *cpu);

/* Whose geometry is conv: a forward, or a backward_input of a stride of one. */
NN_PRIVATE int nn__winograd_units(const nn__cpu *cpu, const nn__conv *conv, int phase);
NN_PRIVATE size_t nn__winograd_shared(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE size_t nn__winograd_own(const nn__cpu *cpu, const nn__conv *conv);
/* job: of the whole arrays, as they are. */
NN_PRIVATE void nn__winograd_unit(const nn__cpu *cpu, const nn__conv *conv,
                                  const nn__conv_job *job, int phase, int unit, float *shared,
                                  void *own);

#endif
