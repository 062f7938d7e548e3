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
    void (*tile)(const nn__panel_tile *tile);
    void (*row)(const nn__separable_row *row);
} nn__separable_set;

NN_PRIVATE nn__separable_set nn__separable_set_of(const nn__cpu *cpu);

/* Bytes of the weights that it keeps. */
NN_PRIVATE uint64_t nn__separable_kept(const nn__cpu *cpu, const nn_separable_args *g);

#endif
