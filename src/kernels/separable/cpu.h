/* kernels/separable/cpu.h - what the parts of a separable convolution on the CPU share: how it is
   cut, and what each instruction set does. kernels/separable/cpu.c explains it. */
#pragma once

#include "kernels/conv2d/cpu_panel.h"

#ifndef NN_NO_REPORTS /* without, no plan chooses it */

/* One row of d of one panel. */
typedef struct nn__separable_row {
    const float *const *e;      /* R rows of e (W, lanes); NULL: outside */
    const float *weight, *bias; /* (R, S, lanes); (lanes) */
    float *d;                   /* (OW, lanes) */
    int R, S, W, OW, stride, padding, dilation;
    bool half; /* no more than half of the lanes are wanted */
    nn__clamp clamp;
} nn__separable_row;

typedef struct nn__separable_set {
    int lanes, rows;
    void (*tile)(const nn__tile *tile);
    void (*row)(const nn__separable_row *row);
} nn__separable_set;

NN_PRIVATE nn__separable_set nn__separable_set_of(const nn__cpu *cpu);

typedef struct nn__separable {
    nn__separable_set set;
    int N, C, H, W, M, K, OH, OW; /* H and W: of e */
    int x_h, x_w;           /* of x */
    int inputs;             /* numbers of x that one of e is a sum of */
    int band_w;             /* of rows of x with the zeros around them; 0: x serves as it is */
    int reach;              /* rows of e from the first tap to the last */
    int m_panels, k_panels; /* of e and d; of y */
    bool split, packs;
    int band, bands;   /* rows of y in a unit */
    int chunk;         /* and of d of all panels at once */
    int few;           /* and of one panel */
    int ring;          /* rows of e that a panel has room for */
    int block, blocks; /* split: places of y in a unit of the second half */
    int places;        /* of y that a tile's worth of sums has at once, at most */
    ptrdiff_t depth_at, project_at; /* of the weights, which begin with those of expand */
    ptrdiff_t expand_floats, depth_floats, project_floats; /* of a panel, bias included */
    ptrdiff_t weight_floats, offset_floats, rows_floats, band_plane, band_floats, ring_floats,
        d_floats, sum_floats, turned_floats;
} nn__separable;

NN_PRIVATE nn__separable nn__separable_make(const nn__cpu *cpu, const nn_separable_args *g);

/* Bytes of the weights that it keeps. */
NN_PRIVATE uint64_t nn__separable_kept(const nn__cpu *cpu, const nn_separable_args *g);

#endif
