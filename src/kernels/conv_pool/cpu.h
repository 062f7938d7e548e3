/* kernels/conv_pool/cpu.h - what forward and gradients of a block share: how the picture is cut,
   and the loops that each instruction set has. */
#pragma once

#include "cpu/sets.h"
#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SPEEDUPS /* without, no plan chooses blocks */

#define NN__CONV_POOL_ROWS  4  /* output channels of a tile */
#define NN__CONV_POOL_LANES 16 /* floats that all vectors divide: rows of sums are filled up */

/* Where maxima go, and what is done with them before. */
typedef struct nn__conv_pool_end {
    float *y;
    uint8_t *place;    /* the same, or NULL */
    const float *bias; /* or NULL */
    bool relu;
} nn__conv_pool_end;

/* A band whose even and odd columns of even and odd rows are planes of their own. */
typedef struct nn__conv_pool_band {
    int channels;
    ptrdiff_t channel, plane, row; /* floats from one to the next */
} nn__conv_pool_band;

/* Some windows side by side, of some output channels, by Winograd's way. */
typedef struct nn__conv_pool_tile {
    const float *points; /* (channels, 16, lanes) */
    const float *weight; /* (channels, 16, NN__CONV_POOL_ROWS) */
    nn__conv_pool_end end; /* y and place: (rows, columns), y_row apart; bias: (rows) */
    ptrdiff_t y_row;
    int rows, columns, channels;
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
   band. Vectors read on after the floats of a row. */
typedef struct nn__conv_pool_taps {
    const float *band;
    ptrdiff_t tap_row, band_row;
    int rows, floats;
} nn__conv_pool_taps;

/* Some rows of windows of two output channels, whose maxima are `taken` and give to the sums of one
   channel of x: kernels/conv_pool/cpu_gather.c. */
typedef struct nn__conv_pool_gather {
    const float *points; /* (2 rows + 2 rows of x, vectors, 4, lanes) */
    float *taken;        /* gradients: (rows, vectors, 2, lanes) */
    void *masks;         /* (rows, vectors, 2, 4) */
    float *sums;         /* (3 rows of taps, 4, lanes) of the first output channel */
    ptrdiff_t next_sums; /* to those of the second one */
    int rows, width, vectors;
} nn__conv_pool_gather;

typedef struct nn__conv_pool_loops {
    int lanes, mask_bytes;
    /* The maxima of n windows of one channel, whose four places lie `step` floats apart. */
    void (*four)(const nn__conv_pool_end *end, const float *z, ptrdiff_t step, int n);
#ifndef NN_NO_SIMD
    /* even[i] = x[2 i - padding], odd[i] = x[2 i + 1 - padding], i in [0, n), of the row x, which
       has zeros outside [0, width) */
    void (*split)(float *even, float *odd, const float *x, int padding, int width, int n);
    /* The maxima of a plane, (2 height, 2 width). */
    void (*plane)(const nn__conv_pool_end *end, const float *z, int height, int width);
    /* Points of the windows from x on: (channels, 16, lanes). NULL in plain C, as tile is. */
    void (*points)(const nn__conv_pool_band *band, const float *x, float *to);
    void (*tile)(const nn__conv_pool_tile *tile);
#endif
#ifndef NN_NO_TRAINING
    void (*list)(nn__conv_pool_list *list, const nn__conv_pool_maxima *maxima);
    /* of each of `count` lists: taps += value * band at each maximum; what stands after the floats
       of a row stays */
    void (*sum)(const nn__conv_pool_taps *taps, const nn__conv_pool_list *lists, int count);
    /* These are NULL for vectors of less than 16. The points of a row of x, with a padding of 0 or
       1: (vectors, 4, lanes) */
    void (*line_points)(const float *x, int padding, int width, int vectors, float *to);
    /* Takes the maxima of output channel 0 or 1; total: (lanes), to which their gradients are
       added. */
    void (*take)(const nn__conv_pool_gather *g, const nn__conv_pool_maxima *m, int which,
                 float *total);
    void (*gather)(const nn__conv_pool_gather *g);
    /* The sum of each of the vectors. */
    void (*add_up)(const float *from, int count, float *to);
#endif
} nn__conv_pool_loops;

/* How a block is cut forward: kernels/conv_pool/cpu.c. */
typedef struct nn__conv_pool_cut {
    nn__conv conv; /* of whole windows */
    const nn__conv_pool_loops *loops;
    const nn__gemm_set *gemm;
    int R, S, depth;
    int outputs, bands;  /* rows of windows */
    int size, parts;     /* output channels */
    bool by_points;      /* Winograd's way */
    bool flat;           /* tiles go on from one row of windows to the next */
    ptrdiff_t row;       /* of what one channel's windows are put into */
    nn__conv_pool_band band;
    size_t offset_floats, table_floats, band_floats, sum_floats, point_floats;
} nn__conv_pool_cut;

NN_PRIVATE const nn__conv_pool_loops *nn__conv_pool_loops_of(const nn__cpu *cpu);
NN_PRIVATE nn__conv_pool_cut nn__conv_pool_make_cut(const nn__cpu *cpu,
                                                    const nn_conv_pool_args *g);
/* The band of rows [t, t + outputs) of the windows of the picture x. */
NN_PRIVATE void nn__conv_pool_fill_band(const nn__conv_pool_cut *cut, const float *x, int t,
                                        int outputs, float *band);

/* Blocks of many channels go by Winograd's larger tiles: kernels/conv_pool/cpu_large.c. */
#ifndef NN_NO_SIMD
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
    ((void)(cpu), (void)(g), (void)(phase), (void)(shared), false)
#endif

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_conv_pool_backward(nn_context *nn);
/* `count` maxima of output channel k of picture n from window `first` on; those of the channel
   `ahead` further on, which lie elsewhere, are asked for. */
NN_PRIVATE nn__conv_pool_maxima nn__conv_pool_maxima_of(const nn_conv_pool_args *g, int n, int k,
                                                        int first, int count, int ahead);

/* Whether the gradient of the weights goes by cpu_gather.c, bytes of a worker that makes it for
   `rows` output channels, and the sums themselves: of output channels [k, k + rows) and of rows
   [from, to) of the windows of all pictures, counted on from one picture to the next.
   taps: of each output channel three rows of taps (tap, channel), `tap_row` apart; bias: of each */
#if NN__HAS_AVX512
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
#endif
#endif
