/* kernels/resize/cpu.h - shared by the parts of the family on the CPU: tables of indices and
   weights. */
#pragma once

#include "cpu/simd.h"

/* One axis of an image. */
typedef struct nn__resize_axis {
    int x, y; /* extents */
    nn_resize_mode mode;
    bool align_corners, antialias;
    float cubic, step;
    int taps; /* most taps in the table */
} nn__resize_axis;

/* Element i of the output is the sum over k of weight[k][i] times element index[k][i] of the input.
   An index of -1 ends the list. */
typedef struct nn__resize_table {
    int32_t *index, *count; /* count: one per element of x; only needed by spreads */
    float *weight;
    int length, taps, from; /* from: the input's extent */
    /* for vectors along W: where eight elements of the output read; see kernels/resize/cpu.c */
    int32_t *base;
} nn__resize_table;

/* gathers computes the table of y from x. spreads computes that of dx from dy: the same table by
   the other index. */
NN_PRIVATE void nn__resize_gathers(const nn__resize_axis *axis, nn__resize_table *table);
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__resize_spreads(const nn__resize_axis *axis, nn__resize_table *table);
#endif
