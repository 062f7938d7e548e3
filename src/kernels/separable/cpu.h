/* kernels/separable/cpu.h - shared by the parts of a separable convolution on the CPU: how it is
   cut, and the functions of each instruction set. kernels/separable/cpu.c explains it. */
#pragma once

#include "kernels/conv2d/cpu_panel.h"

#ifndef NN_NO_SPEEDUPS /* in builds without reports no plan chooses it */

/* One row of d of a panel. */
typedef struct nn__separable_row {
    const float *const *e;      /* R rows of e (W, lanes); NULL: outside */
    const float *weight, *bias; /* (R, S, lanes); (lanes) */
    float *d;                   /* (OW, lanes) */
    int R, S, W, OW, stride, padding, dilation;
    bool half; /* at most half of the lanes are used */
    nn__clamp clamp;
} nn__separable_row;

typedef struct nn__separable_set {
    int lanes, rows;
    void (*tile)(const nn__tile *tile);
    void (*row)(const nn__separable_row *row);
} nn__separable_set;

#define NN__SEPARABLE_LANES 16 /* lanes of a panel in plain C */
static inline NN__UNUSED void nn__separable_clamp(float *x, int n,
                                                       nn__clamp clamp) {
    for (int l = 0; l < n && clamp; l++) {
        if (x[l] <= 0) x[l] = 0;
#ifndef NN_NO_SIMD
        if (clamp == NN__CLAMP_RELU6 && x[l] > 6) x[l] = 6;
#endif
    }
}
NN_PRIVATE nn__separable_set nn__separable_set_of(const nn__cpu *cpu);

typedef struct nn__separable {
    nn__separable_set set;
    int N, C, H, W, M, K, OH, OW; /* H and W: of e */
    int x_h, x_w;           /* of x */
    int inputs;             /* numbers of x in the sum of one number of e */
    int band_w; /* width of the rows of x with zeros around them; 0: x is used directly */
    int reach;              /* rows of e from the first tap to the last */
    int m_panels, k_panels; /* of e and d; of y */
    bool split, packs;
    int band, bands;   /* rows of y per unit; number of units per image */
    int chunk;         /* rows of d of all panels at once */
    int few;           /* rows of d of one panel at once */
    int ring;          /* rows of e that a panel holds */
    int block, blocks; /* split: positions of y per unit of the second half */
    int places;        /* most positions of y whose sums are computed at once */
    ptrdiff_t depth_at, project_at; /* offsets in the weights, which begin with expand */
    ptrdiff_t expand_floats, depth_floats, project_floats; /* per panel, including bias */
    ptrdiff_t weight_floats, offset_floats, rows_floats, band_plane, band_floats, ring_floats,
        d_floats, sum_floats, turned_floats;
} nn__separable;

NN_PRIVATE nn__separable nn__separable_make(const nn__cpu *cpu, const nn_separable_args *g);

#endif
