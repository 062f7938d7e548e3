/* kernels/conv2d/cpu_panel.h - convolutions with the output channels in the vector.

   The bands of kernels/conv2d/cpu.c put neighbouring positions of y into a vector. That wastes
   lanes if rows are short, and reads the image at unaligned addresses. Here a vector has channels
   of y, and the rows of a tile are positions of y, anywhere in a band of several images:
     y (positions, K)  =  band (positions, C R S)  x  weight (C R S, K)
   The weights are packed once per call into panels (K / lanes, C R S, lanes). The gradient of the
   weights is the same product with positions and taps exchanged. This needs vectors; plain C uses
   bands. */
#pragma once

#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SIMD

/* Multiplies rows [0, rows) with one panel, in tiles of nearly equal height. Row i of a starts at a
   + start[i]. The caller sets offset, b, y, depth, columns and add of *t. */
NN_PRIVATE void nn__panel_multiply(const nn__panel_set *tiles, nn__tile *t, const float *a,
                                   const int32_t *start, int rows);

/* How images are cut into blocks: some whole images, or some rows of one. */
typedef struct nn__panel_blocks {
    const nn__gemm_set *set;
    const nn__panel_set *tiles;
    int images, outputs;             /* images per block, rows of y in each */
    int bands, blocks;               /* bands per image; blocks in all */
    int places;                      /* most positions of y in a block */
    int step;                        /* channels at a time */
    bool in_place;                   /* no band: the images themselves are read */
    ptrdiff_t plane, image, channel; /* strides in a band: of a phase, of an image, of a channel */
    size_t band_floats;
} nn__panel_blocks;

typedef struct nn__panel_cut {
    nn__panel_blocks b;
    int panels, size, parts; /* panels of a group and of a unit; units per block and group */
    int steps;               /* bands per block and group, one after the other */
    bool shares;             /* the units of a block share bands that are filled once */
    size_t offset_floats, place_floats, sum_floats, turned_floats;
} nn__panel_cut;
NN_PRIVATE nn__panel_cut nn__panel_make_cut(const nn__cpu *cpu, const nn__conv *conv);

/* most: floats per band, approximately. depth: steps of a tile, approximately, that channels and
   taps make. */
NN_PRIVATE void nn__panel_make_blocks(nn__panel_blocks *b, const nn__cpu *cpu,
                                      const nn__conv *conv, int places, int depth,
                                      ptrdiff_t most);
/* Stores where the positions of a block of `images` images and `outputs` rows lie in the band.
   Returns their number. */
NN_PRIVATE int nn__panel_fill_places(const nn__panel_blocks *b, const nn__conv *conv, int images,
                                     int outputs, int32_t *place);
/* x: the first image and channel. Returns where the offsets of positions and taps begin. fresh:
   nothing was filled in before; later calls keep the columns of zeros. */
NN_PRIVATE const float *nn__panel_fill_band(const nn__panel_blocks *b, const nn__conv *conv,
                                            const float *x, int images, int channels, int t,
                                            int outputs, float *band, bool fresh);

/* Forward, and backward_input for one pair of classes of taps. */
NN_PRIVATE int nn__panel_count(const nn__cpu *cpu, const nn__conv *conv); /* of all groups */
/* Packs panel `panel` of all groups' weights: pack for forward (K, C R S), pack_back for one
   pair. */
NN_PRIVATE void nn__panel_pack(const nn__cpu *cpu, const nn_conv2d_args *g, const nn__conv *conv,
                               int panel, float *to);
NN_PRIVATE void nn__panel_pack_back(const nn__cpu *cpu, const nn_conv2d_args *g,
                                    const nn__conv *conv, int panel, float *to);
NN_PRIVATE size_t nn__panel_weight_floats(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE int nn__panel_units(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE size_t nn__panel_own(const nn__cpu *cpu, const nn__conv *conv);
/* job: the whole arrays, with packed weights. */
NN_PRIVATE void nn__panel_run(const nn__cpu *cpu, const nn__conv *conv, const nn__conv_job *job,
                              int unit, void *own);

/* The output of a unit: images, rows of y, and a panel. */
typedef struct nn__panel_target {
    float *y; /* at the block's first image and the panel's first channel */
    int images, t, outputs, columns;
#ifndef NN_NO_SPEEDUPS
    const float *slope; /* of the panel's channels, or NULL */
#endif
} nn__panel_target;
#ifndef NN_NO_SPEEDUPS
#define NN__TARGET_SLOPE(to, job, k) ((to)->slope = (job)->slope ? (job)->slope + (k) : NULL)
#else
#define NN__TARGET_SLOPE(to, job, k) (void)0
#endif
/* Applies bias and activation to a panel's sums (position, lane), and transposes them into y.
   `turned`, if not NULL, has lanes times nn__spread(positions of one image) floats. */
NN_PRIVATE void nn__panel_finish(const nn__cpu *cpu, const nn__conv *conv, const nn__conv_job *job,
                                 const nn__panel_target *to, const float *bias, float *sum,
                                 float *turned);
/* True if the rows of positions of the sums are rows of y. */
NN_PRIVATE bool nn__panel_is_straight(const nn__conv *conv);

/* Do the two phases of a forward. The first packs the weights into shared, and fills the bands
   there that several units read. */
NN_PRIVATE int nn__panel_phase_units(const nn__cpu *cpu, const nn__conv *conv, int phase);
NN_PRIVATE size_t nn__panel_forward_shared(const nn__cpu *cpu, const nn__conv *conv);
NN_PRIVATE void nn__panel_forward_unit(const nn__cpu *cpu, const nn_conv2d_args *g,
                                       const nn__conv *conv, int phase, int unit, float *shared,
                                       void *own);
/* Do the phases of backward_input: packing, then the units of every pair. */
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
