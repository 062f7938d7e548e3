/* kernels/conv2d/cpu_panel.h - convolutions whose output channels lie in the vector.

   The bands of kernels/conv2d/cpu.c put places of y side by side into a vector. That wastes lanes
   where rows are short, and reads the picture at any address. Here a vector has channels of y, and
   the rows of a tile are places of y, wherever in a band of several pictures they lie:
     y (places, K)  =  band (places, C R S)  x  weight (C R S, K)
   The weights are packed once for a call, into panels (K / lanes, C R S, lanes). The gradient of
   the weights is the same product with places and taps in each other's part. Only with vectors:
   plain C keeps to the bands. */
#pragma once

#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SIMD

/* Rows [0, rows) of a product with one panel, in tiles of nearly equal height; row i of a starts at
   a + start[i]. `t` has offset, b, y, depth, columns and add. */
NN_PRIVATE void nn__panel_multiply(const nn__panel_set *tiles, nn__tile *t, const float *a,
                                   const int32_t *start, int rows);

/* How pictures are cut into blocks: some pictures whole, or some rows of one. */
typedef struct nn__panel_blocks {
    const nn__gemm_set *set;
    const nn__panel_set *tiles;
    int images, outputs;             /* pictures of a block, rows of y of each */
    int bands, blocks;               /* of a picture; of all */
    int places;                      /* of y in a block, at most */
    int step;                        /* channels at once */
    bool in_place;                   /* no band: the pictures themselves serve */
    ptrdiff_t plane, image, channel; /* of a band: of one phase, of one picture, of one channel */
    size_t band_floats;
} nn__panel_blocks;

/* most: floats of a band, about. depth: steps of a tile, about, that channels and taps make. */
NN_PRIVATE void nn__panel_make_blocks(nn__panel_blocks *b, const nn__cpu *cpu,
                                      const nn__conv *conv, int places, int depth,
                                      ptrdiff_t most);
/* Where the places of a block with so many pictures and rows lie in the band. */
NN_PRIVATE int nn__panel_fill_places(const nn__panel_blocks *b, const nn__conv *conv, int images,
                                     int outputs, int32_t *place);
/* x: of the first picture and channel. Returns where the places' and taps' offsets begin. fresh:
   nothing was filled in before; later calls leave the columns of zeros as they are. */
NN_PRIVATE const float *nn__panel_fill_band(const nn__panel_blocks *b, const nn__conv *conv,
                                            const float *x, int images, int channels, int t,
                                            int outputs, float *band, bool fresh);

/* Forward, and backward_input of one pair of classes of taps. */
NN_PRIVATE int nn__panel_count(const nn__cpu *cpu, const nn__conv *conv); /* of all groups */
/* Packs panel `panel` of all groups' weights: of forward (K, C R S), and of one pair. */
NN_PRIVATE void nn__panel_pack(const nn__cpu *cpu, const nn_conv2d_args *g, const nn__conv *conv,
                               int panel, float *to);
NN_PRIVATE void nn__panel_pack_back(const nn__cpu *cpu, const nn_conv2d_args *g,
                                    const nn__conv *conv, int panel, float *to);
NN_PRIVATE size_t nn__panel_weight_floats(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE int nn__panel_units(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE size_t nn__panel_own(const nn__cpu *cpu, const nn__conv *conv);
/* job: of the whole arrays; weight is the packed one. */
NN_PRIVATE void nn__panel_run(const nn__cpu *cpu, const nn__conv *conv, const nn__conv_job *job,
                              int unit, void *own);

/* What a unit writes: pictures, rows of y and a panel. */
typedef struct nn__panel_target {
    float *y; /* of the block's first picture and of the panel's first channel */
    int images, t, outputs, columns;
} nn__panel_target;
/* Bias and activation on a panel's sums (place, lane), which are then turned over into y, with or
   without `turned`, of lanes times nn__spread(the places of one picture) floats. */
NN_PRIVATE void nn__panel_finish(const nn__cpu *cpu, const nn__conv *conv, const nn__conv_job *job,
                                 const nn__panel_target *to, const float *bias, float *sum,
                                 float *turned);
/* The sums' rows of places are rows of y. */
NN_PRIVATE bool nn__panel_is_straight(const nn__conv *conv);

/* The two phases of a forward: the first one packs the weights into shared, and fills bands there
   that several units read. */
NN_PRIVATE int nn__panel_phase_units(const nn__cpu *cpu, const nn__conv *conv, int phase);
NN_PRIVATE size_t nn__panel_forward_shared(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE void nn__panel_forward_unit(const nn__cpu *cpu, const nn_conv2d_args *g,
                                       const nn__conv *conv, int phase, int unit, float *shared,
                                       void *own);
/* backward_input's phases: packing, then the units of every pair. */
NN_PRIVATE size_t nn__panel_back_shared(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE size_t nn__panel_back_own(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE int nn__panel_back_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
NN_PRIVATE void nn__panel_back_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int phase,
                                    int unit, float *shared, void *own);
#ifndef NN_NO_TRAINING
NN_PRIVATE size_t nn__panel_weight_shared(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE size_t nn__panel_weight_own(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE int nn__panel_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
NN_PRIVATE void nn__panel_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int phase,
                                      int unit, float *shared, void *own);
#endif

#endif
