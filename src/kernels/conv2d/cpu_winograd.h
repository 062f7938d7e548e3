/* kernels/conv2d/cpu_winograd.h - convolutions of 3 x 3 taps and strides of one by Winograd's way,
   F(4 x 4, 3 x 3) (Lavin and Gray 2015, https://arxiv.org/abs/1509.09308): a tile of 4 x 4 places
   of y, for which 6 x 6 places of x are read, takes 36 multiplications where direct sums take 144.
     y = A^T ((G w G^T) o (B^T x B)) A
   where the sum over the channels is taken in the middle: 36 products of matrices,
     m (tiles, K)  =  v (tiles, C)  x  u (C, K),      v = B^T x B, u = G w G^T.
   The points are 0, +-sqrt(1/2), +-sqrt(2) and infinity, whose errors are about a third of those of
   0, +-1, +-2: tests/kernels/test_winograd.c has the bound. Only with vectors, which hold channels
   of x in B^T x B and channels of y else: plain C keeps to direct sums. */
#pragma once

#include "kernels/conv2d/cpu_panel.h"

#ifndef NN_NO_SIMD

/* NULL: this instruction set has none. */
NN_PRIVATE const nn__winograd_set *nn__winograd_set_of(const nn__cpu *cpu);

/* How pictures are cut into tiles. */
typedef struct nn__winograd_tiles {
    const nn__gemm_set *set;
    const nn__winograd_set *transforms;
    int lanes, tall, wide;   /* of a panel; tiles of a picture */
    int band_rows;           /* rows of tiles that are transformed at once */
    ptrdiff_t v_row, v_step; /* floats of a tile's channels, and of each of the 36 */
    size_t band_floats;
} nn__winograd_tiles;

/* All but v_step. rows: of tiles, at most. */
NN_PRIVATE void nn__winograd_cut_tiles(nn__winograd_tiles *t, const nn__cpu *cpu,
                                       const nn__conv *conv);
NN_PRIVATE void nn__winograd_cut_band(nn__winograd_tiles *t, int rows);
/* B^T x B of rows [row, row + rows) of tiles of one picture, channels [c, c + channels), which are
   at most a vector: x is the first channel's plane, v the first tile's. */
NN_PRIVATE void nn__winograd_inputs(const nn__winograd_tiles *t, const nn__conv *conv,
                                    const float *x, int channels, int row, int rows, float *band,
                                    float *v);
/* nn__winograd_takes, and channels enough. */
NN_PRIVATE bool nn__winograd_fits(const nn__cpu *cpu, const nn_conv2d_args *g,
                                  const nn__conv *conv);

/* Whose geometry is conv: a forward, or a backward_input of a stride of one. */
NN_PRIVATE int nn__winograd_units(const nn__cpu *cpu, const nn__conv *conv, int phase);
NN_PRIVATE size_t nn__winograd_shared(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE size_t nn__winograd_own(const nn__cpu *cpu, const nn__conv *conv);
/* Bytes: nn_keeping. */
NN_PRIVATE size_t nn__winograd_cached(const nn__cpu *cpu, const nn__conv *conv);
/* job: of the whole arrays, as they are. */
NN_PRIVATE void nn__winograd_unit(const nn__cpu *cpu, const nn__conv *conv,
                                  const nn__conv_job *job, int phase, int unit, float *shared,
                                  void *own);

#ifndef NN_NO_TRAINING
/* kernels/conv2d/cpu_winograd_weight.c */
NN_PRIVATE void nn__install_shard_conv2d(nn_context *nn);
NN_PRIVATE int nn__winograd_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
NN_PRIVATE size_t nn__winograd_weight_shared(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE size_t nn__winograd_weight_own(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE void nn__winograd_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int phase,
                                         int unit, float *shared, void *own);
#endif

#endif
