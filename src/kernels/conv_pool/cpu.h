/* kernels/conv_pool/cpu.h - what forward and gradients of a block share: tiles of windows, and
   lists of maxima. kernels/conv_pool/cpu.c explains the one, kernels/conv_pool/cpu_lists.c the
   other. */
#pragma once

#include "cpu/simd.h"
#include "kernels/conv2d/cpu.h"
#include "kernels/conv_pool/cpu_quads.h"

#define NN__CONV_POOL_ROWS  4  /* output channels of a tile, as of one of quads */
#define NN__CONV_POOL_LANES 16 /* floats that all vectors divide: rows of sums are filled up */

/* Some windows side by side, of some output channels. */
typedef struct nn__conv_pool_tile {
    const float *band; /* of the first window */
    /* of each place of a window, `depth` distances from there to what the taps read */
    const int32_t *offset;
    const float *weight; /* (rows, depth) */
    const float *bias;   /* (rows), or NULL */
    float *y;            /* (rows, columns), y_row apart */
    uint8_t *place;      /* the same, or NULL */
    ptrdiff_t y_row;
    int rows, columns, depth;
    bool relu;
} nn__conv_pool_tile;

/* Some maxima, of which those without a gradient are left out: where in a band the first tap of
   each reads, and its gradient. */
typedef struct nn__conv_pool_list {
    int32_t *at;
    float *value;
    int count;
    float sum;   /* of the gradients */
    float *taps; /* (rows, tap_row), to which they are added */
} nn__conv_pool_list;

/* The same before anything is left out. */
typedef struct nn__conv_pool_maxima {
    const float *dy, *y;
    const uint8_t *place;
    const int32_t *window; /* where in the band each window begins */
    int32_t move[4];       /* from there to each of its places */
    int count;
    bool relu;
} nn__conv_pool_maxima;

/* Rows of taps, each of `floats` numbers (column, channel), and a band that has such rows
   `band_row` apart. Where a place of the band is what receives, the taps of all channels are the
   band. Vectors read on behind the floats of a row. */
typedef struct nn__conv_pool_taps {
    const float *band;
    ptrdiff_t tap_row, band_row;
    int rows, floats;
} nn__conv_pool_taps;

typedef struct nn__conv_pool_set {
    int lanes; /* of a tile */
    void (*tile)(const nn__conv_pool_tile *tile);
    /* The largest of each two numbers of two rows: t->columns of them, t->rows times, of one
       channel; the rows of numbers lie t->depth apart from t->band on, those of y have no gap. */
    void (*pairs)(const nn__conv_pool_tile *t);
    void (*list)(nn__conv_pool_list *list, const nn__conv_pool_maxima *maxima);
    /* of each of `count` lists: taps += value * band at each maximum; what stands behind the floats
       of a row stays */
    void (*sum)(const nn__conv_pool_taps *taps, const nn__conv_pool_list *lists, int count);
    /* to[j * channels + c] = from[c * plane + j], j in [0, n) */
    void (*mix)(float *to, const float *from, ptrdiff_t plane, int channels, int n);
    /* The same as tile, of points of quads, which are windows: tile->band: (tile->depth channels,
       16, lanes). NULL: no blocks go that way. */
    void (*few)(const nn__conv_pool_tile *tile);
} nn__conv_pool_set;

/* How a block is cut forward: kernels/conv_pool/cpu.c. */
typedef struct nn__conv_pool_cut {
    nn__conv conv; /* of whole windows */
    const nn__conv_pool_set *set;
    const nn__quads_set *quads; /* beside a set */
    int R, S, depth;
    int outputs, bands; /* rows of windows */
    int size, parts;    /* output channels */
    int group;          /* flat: so many channels are in `sums` at a time */
    bool few;           /* kernels/conv_pool/cpu_few.h */
    bool flat;          /* tiles go on from one row of windows to the next */
    ptrdiff_t plane, channel, row; /* of the band; of what one channel's windows are put into */
    size_t offset_floats, table_floats, band_floats, sum_floats, few_floats;
} nn__conv_pool_cut;

#ifndef NN_NO_REPORTS /* without, no plan chooses blocks */
/* NULL: the machine has no such vectors; then plain C and the tiles of products do it. */
#ifdef NN__VECTOR16
NN_PRIVATE const nn__conv_pool_set *nn__conv_pool_avx512(void);
NN_PRIVATE void nn__conv_pool_few16(const nn__conv_pool_tile *t);
#endif
#ifdef NN__VECTOR8
NN_PRIVATE const nn__conv_pool_set *nn__conv_pool_avx2(void);
NN_PRIVATE void nn__conv_pool_few8(const nn__conv_pool_tile *t);
#endif
NN_PRIVATE const nn__conv_pool_set *nn__conv_pool_set_of(const nn__cpu *cpu);
NN_PRIVATE nn__conv_pool_cut nn__conv_pool_make_cut(const nn__cpu *cpu,
                                                    const nn_conv_pool_args *g);
/* The band of nn__conv_fill_band for rows [t, t + outputs) of the windows of the picture x, two
   rows of columns at a time: kernels/conv_pool/cpu_quads.h. */
NN_PRIVATE nn__quad_band nn__conv_pool_quads(const nn__conv_pool_cut *cut);
NN_PRIVATE void nn__conv_pool_split(const nn__conv_pool_cut *cut, const float *x, int t,
                                    int outputs, float *band);

/* Blocks of many channels go by Winograd: kernels/conv_pool/cpu_large.c. */
#ifndef NN_NO_SIMD
NN_PRIVATE void nn__conv_pool_pairs(const nn__conv_pool_tile *t); /* in plain C */
/* -1: this one does not. */
NN_PRIVATE int nn__conv_pool_large_units(const nn__cpu *cpu, const nn_conv_pool_args *g,
                                         int phase);
/* 0: this one does not. */
NN_PRIVATE size_t nn__conv_pool_large_shared(const nn__cpu *cpu, const nn_conv_pool_args *g);
NN_PRIVATE size_t nn__conv_pool_large_own(const nn__cpu *cpu, const nn_conv_pool_args *g);
/* False: this one does not, and nothing was done. */
NN_PRIVATE bool nn__conv_pool_large_unit(const nn__cpu *cpu, const nn_conv_pool_args *g, int phase,
                                         int unit, float *shared, void *own);
#else
#define nn__conv_pool_large_units(cpu, g, phase) ((void)(cpu), (void)(g), -1)
#define nn__conv_pool_large_shared(cpu, g)       ((void)(cpu), (void)(g), (size_t)0)
#define nn__conv_pool_large_own(cpu, g)          ((void)(cpu), (void)(g), (size_t)0)
#define nn__conv_pool_large_unit(cpu, g, phase, unit, shared, own)                                 \
    ((void)(cpu), (void)(g), (void)(shared), false)
#endif

#ifndef NN_NO_TRAINING
/* The same or, where there is none, one that has no more than lists, in plain C. */
NN_PRIVATE const nn__conv_pool_set *nn__conv_pool_lists_of(const nn__cpu *cpu);
NN_PRIVATE void nn__install_conv_pool_backward(nn_context *nn);
#endif
#endif
