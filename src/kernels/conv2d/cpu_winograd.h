/* kernels/conv2d/cpu_winograd.h - 3 x 3 convolutions with a stride of one by Winograd's algorithm
   F(4 x 4, 3 x 3) (Lavin and Gray 2015, https://arxiv.org/abs/1509.09308). A tile of 4 x 4 outputs
   reads 6 x 6 inputs and takes 36 multiplications, where direct sums take 144:
     y = A^T ((G w G^T) o (B^T x B)) A
   The sum over the channels is taken between the transforms, as 36 matrix products
     m (tiles, K)  =  v (tiles, C)  x  u (C, K),      v = B^T x B, u = G w G^T.
   The points are 0, +-sqrt(1/2), +-sqrt(2) and infinity. Their errors are about a third of those of
   0, +-1, +-2; tests/kernels/test_winograd.c has the bound. A vector holds channels of x in B^T x
   B, and channels of y everywhere else. Plain C has direct sums only. At the end is the choice
   between all algorithms of a forward. */
#pragma once

#include "kernels/conv2d/cpu_panel.h"

#ifndef NN_NO_SIMD

/* NULL: this instruction set does not have the algorithm. */
NN_PRIVATE const nn__winograd_set *nn__winograd_set_of(const nn__cpu *cpu);

/* How images are cut into tiles. */
typedef struct nn__winograd_tiles {
    const nn__gemm_set *set;
    const nn__winograd_set *transforms;
    int lanes, tall, wide;   /* lanes of a panel; rows and columns of tiles of an image */
    int band_rows;           /* rows of tiles that are transformed at once */
    ptrdiff_t v_row, v_step; /* floats of a tile's channels, and of one of the 36 matrices */
    size_t band_floats;
} nn__winograd_tiles;

typedef struct nn__winograd_cut {
    nn__winograd_tiles t;
    const nn__panel_set *tiles;
    int panels;                  /* panels of channels of y */
    int images, rows;            /* images of a block, and rows of tiles of each */
    int bands, blocks;           /* blocks of an image; of all images */
    bool by_panel;               /* few tiles: a unit takes a panel */
    ptrdiff_t u_step, m_step;    /* floats of one of 36: a panel's weights, a block's products */
    size_t place_floats, u_floats, weight_floats, start_floats;
} nn__winograd_cut;
NN_PRIVATE nn__winograd_cut nn__winograd_make_cut(const nn__cpu *cpu, const nn__conv *conv);

/* Fill in all fields but v_step. rows: most rows of tiles of a band. */
NN_PRIVATE void nn__winograd_cut_tiles(nn__winograd_tiles *t, const nn__cpu *cpu,
                                       const nn__conv *conv);
NN_PRIVATE void nn__winograd_cut_band(nn__winograd_tiles *t, int rows);
/* Computes B^T x B for rows [row, row + rows) of tiles of one image and at most a vector of
   channels. x: the plane of the first channel; v: the result of the first tile. */
NN_PRIVATE void nn__winograd_inputs(const nn__winograd_tiles *t, const nn__conv *conv,
                                    const float *x, int channels, int row, int rows, float *band,
                                    float *v);
/* True if nn__winograd_takes is true and there are enough channels. */
NN_PRIVATE bool nn__winograd_fits(const nn__cpu *cpu, const nn_conv2d_args *g,
                                  const nn__conv *conv);

/* conv: the geometry of a forward, or of a backward_input with a stride of one. */
NN_PRIVATE int nn__winograd_units(const nn__cpu *cpu, const nn__conv *conv, int phase);
NN_PRIVATE size_t nn__winograd_shared(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE size_t nn__winograd_own(const nn__cpu *cpu, const nn__conv *conv);
/* Returns the bytes of the weights that a plan caches (nn_keeping). */
NN_PRIVATE size_t nn__winograd_cached(const nn__cpu *cpu, const nn__conv *conv);
/* job: points to the beginning of all arrays. */
NN_PRIVATE void nn__winograd_unit(const nn__cpu *cpu, const nn__conv *conv,
                                  const nn__conv_job *job, int phase, int unit, float *shared,
                                  void *own);

/* Do the same for kernels/conv2d/cpu_winograd_line.c. */
NN_PRIVATE int nn__conv_line_units(const nn__cpu *cpu, const nn__conv *conv, int phase);
NN_PRIVATE size_t nn__conv_line_shared(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE size_t nn__conv_line_own(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE size_t nn__conv_line_cached(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE void nn__conv_line_unit(const nn__cpu *cpu, const nn__conv *conv,
                                   const nn__conv_job *job, int phase, int unit, float *shared,
                                   void *own);

#ifndef NN_NO_TRAINING
/* kernels/conv2d/cpu_winograd_weight.c */
NN_PRIVATE int nn__winograd_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
NN_PRIVATE size_t nn__winograd_weight_shared(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE size_t nn__winograd_weight_own(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE void nn__winograd_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int phase,
                                         int unit, float *shared, void *own);
#endif

#endif

typedef enum nn__conv_kind {
    NN__CONV_BY_BANDS,
    NN__CONV_BY_PANELS,
    NN__CONV_BY_WINOGRAD,
    NN__CONV_BY_LINE,    /* Winograd's algorithm along rows */
    NN__CONV_BY_CHANNEL, /* depthwise */
    NN__CONV_BY_PLANE    /* depthwise, 3 x 3 */
} nn__conv_kind;

/* What a forward finds out about its arguments. A small convolution takes less time than finding it
   again for each unit, so nn__cpu.conv points to it while the convolution runs. */
typedef struct nn__conv_found {
    const nn_conv2d_args *args;
    nn__conv conv;
    nn__conv_kind kind;
    nn__conv_cut cut; /* only for bands */
#ifndef NN_NO_SIMD
    nn__panel_cut panel;       /* only for panels */
    nn__winograd_cut winograd; /* only for Winograd's algorithm */
#endif
} nn__conv_found;
