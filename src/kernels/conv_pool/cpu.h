/* kernels/conv_pool/cpu.h - shared by forward and gradients of a block: how the image is cut into
   units, and the loops that each instruction set has. */
#pragma once

#include "cpu/sets.h"
#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SPEEDUPS /* without speedups no plan chooses blocks */

#define NN__CONV_POOL_ROWS  4  /* output channels of a tile */
#define NN__CONV_POOL_LANES 16 /* a multiple of all vector lengths; sums are padded to it */

/* Where maxima are stored, after bias and relu were applied. */
typedef struct nn__conv_pool_end {
    float *y;
    uint8_t *place;    /* of each maximum, or NULL */
    const float *bias; /* or NULL */
    bool relu;
} nn__conv_pool_end;

/* A band of an image. It is stored as four planes: the even and the odd columns of the even and of
   the odd rows. */
typedef struct nn__conv_pool_band {
    int channels;
    ptrdiff_t channel, plane, row; /* distance from one to the next, in floats */
} nn__conv_pool_band;

/* Neighbouring windows of some output channels, computed with Winograd's algorithm. */
typedef struct nn__conv_pool_tile {
    const float *points; /* (channels, 16, lanes) */
    const float *weight; /* (channels, 16, NN__CONV_POOL_ROWS) */
    nn__conv_pool_end end; /* y and place: (rows, columns), with rows y_row apart; bias: (rows) */
    ptrdiff_t y_row;
    int rows, columns, channels;
} nn__conv_pool_tile;

/* A list of maxima whose gradient is not 0. For each one: the offset in the band that its first tap
   reads, and its gradient. */
typedef struct nn__conv_pool_list {
    int32_t *at;
    float *value;
    int count;
    float sum;   /* sum of the gradients */
    float *taps; /* (rows, tap_row): the sums to which the products are added */
} nn__conv_pool_list;

/* The maxima from which such a list is made. */
typedef struct nn__conv_pool_maxima {
    const float *dy, *y;
    const uint8_t *place;
    const int32_t *window; /* offset of each window in the band */
    int32_t move[4];       /* from there to each of its four places */
    int count;
    bool relu;
} nn__conv_pool_maxima;

/* The operands of `sum`: rows of taps with `floats` numbers each (column, channel), and a band
   whose rows are `band_row` apart. The gradient of x uses `sum` the other way round: the taps of
   all channels are the band, and the sums are places of dx. Vectors read beyond the floats of a
   row. */
typedef struct nn__conv_pool_taps {
    const float *band;
    ptrdiff_t tap_row, band_row;
    int rows, floats;
} nn__conv_pool_taps;

/* Rows of windows of two output channels. `gather` adds the products of their gradients with the
   points of one channel of x to the sums (kernels/conv_pool/cpu_gather.c). */
typedef struct nn__conv_pool_gather {
    const float *points; /* (2 rows + 2 rows of x, vectors, 4, lanes) */
    float *taken;        /* gradients: (rows, vectors, 2, lanes) */
    void *masks;         /* (rows, vectors, 2, 4) */
    float *sums;         /* (3 rows of taps, 4, lanes) of the first output channel */
    ptrdiff_t next_sums; /* distance to the sums of the second output channel */
    int rows, width, vectors;
} nn__conv_pool_gather;

typedef struct nn__conv_pool_loops {
    int lanes, mask_bytes;
    /* Stores the maxima of n windows of one channel, whose four places are `step` floats apart. */
    void (*four)(const nn__conv_pool_end *end, const float *z, ptrdiff_t step, int n);
#ifndef NN_NO_SIMD
    /* Splits the row x into even[i] = x[2 i - padding] and odd[i] = x[2 i + 1 - padding], for i in
       [0, n). Outside of [0, width) x is 0. */
    void (*split)(float *even, float *odd, const float *x, int padding, int width, int n);
    /* Stores the maxima of a plane (2 height, 2 width). */
    void (*plane)(const nn__conv_pool_end *end, const float *z, int height, int width);
    /* Computes the points of the windows from x on: (channels, 16, lanes). points and tile are NULL
       in plain C. */
    void (*points)(const nn__conv_pool_band *band, const float *x, float *to);
    void (*tile)(const nn__conv_pool_tile *tile);
#endif
#ifndef NN_NO_TRAINING
    void (*list)(nn__conv_pool_list *list, const nn__conv_pool_maxima *maxima);
    /* For each of `count` lists: taps += value * band, at each maximum. Does not change what
       follows the floats of a row. */
    void (*sum)(const nn__conv_pool_taps *taps, const nn__conv_pool_list *lists, int count);
    /* The remaining functions are NULL for vectors of fewer than 16 lanes. This one computes the
       points of a row of x, with a padding of 0 or 1: (vectors, 4, lanes). */
    void (*line_points)(const float *x, int padding, int width, int vectors, float *to);
    /* Loads the gradients and places of output channel `which`, 0 or 1, into g, and adds the
       gradients to total (lanes). */
    void (*take)(const nn__conv_pool_gather *g, const nn__conv_pool_maxima *m, int which,
                 float *total);
    void (*gather)(const nn__conv_pool_gather *g);
    /* to[i] = the sum of the lanes of vector i. */
    void (*add_up)(const float *from, int count, float *to);
#endif
} nn__conv_pool_loops;

/* How the forward pass of a block is cut into units (kernels/conv_pool/cpu.c). */
typedef struct nn__conv_pool_cut {
    nn__conv conv; /* the convolution whose filter covers a whole window */
    const nn__conv_pool_loops *loops;
    const nn__gemm_set *gemm;
    int R, S, depth;
    int outputs, bands;  /* rows of windows in a band, and the number of bands */
    int size, parts;     /* output channels of a part, and the number of parts */
    bool by_points;      /* with Winograd's algorithm */
    bool flat;           /* a tile may cover windows of two rows */
    ptrdiff_t row;       /* floats for the windows of one channel */
    nn__conv_pool_band band;
    size_t offset_floats, table_floats, band_floats, sum_floats, point_floats;
} nn__conv_pool_cut;

NN_PRIVATE const nn__conv_pool_loops *nn__conv_pool_loops_of(const nn__cpu *cpu);
NN_PRIVATE nn__conv_pool_cut nn__conv_pool_make_cut(const nn__cpu *cpu,
                                                    const nn_conv_pool_args *g);
/* Fills the band for rows [t, t + outputs) of windows of the image x. */
NN_PRIVATE void nn__conv_pool_fill_band(const nn__conv_pool_cut *cut, const float *x, int t,
                                        int outputs, float *band);

/* Blocks with many channels use larger tiles of Winograd (kernels/conv_pool/cpu_large.c). */
#ifndef NN_NO_SIMD
/* -1: this block is not one of them. */
NN_PRIVATE int nn__conv_pool_large_units(const nn__cpu *cpu, const nn_conv_pool_args *g,
                                         int phase);
/* 0: this block is not one of them. */
NN_PRIVATE size_t nn__conv_pool_large_shared(const nn__cpu *cpu, const nn_conv_pool_args *g);
NN_PRIVATE size_t nn__conv_pool_large_own(const nn__cpu *cpu, const nn_conv_pool_args *g);
/* False: this block is not one of them, and nothing was done. */
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
/* Returns `count` maxima of output channel k of image n, from window `first` on. Prefetches those
   of channel k + ahead. */
NN_PRIVATE nn__conv_pool_maxima nn__conv_pool_maxima_of(const nn_conv_pool_args *g, int n, int k,
                                                        int first, int count, int ahead);

/* cpu_gather.c tells whether it computes the gradient of the weights and how many bytes a worker
   needs for `rows` output channels, and computes the sums. These are for output channels [k, k +
   rows) and for rows [from, to) of windows, which are numbered through all images. taps: three rows
   (tap, channel) for each output channel, `tap_row` apart. bias: one number for each output
   channel. */
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
