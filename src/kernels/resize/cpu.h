/* kernels/resize/cpu.h - what the parts of the family share on the CPU: tables of places. */
#pragma once

#include "cpu/simd.h"

/* One axis of a picture. */
typedef struct nn__resize_axis {
    int x, y; /* extents */
    nn_resize_mode mode;
    bool align_corners, antialias;
    float cubic, step;
    int taps; /* room for so many in the table */
} nn__resize_axis;

/* Number i of the output is the sum over k of weight[k][i] times number index[k][i] of the input;
   an index of -1 is none, and so are those behind it. */
typedef struct nn__resize_table {
    int32_t *index, *count; /* count: room for one of each place of x, only needed to spread */
    float *weight;
    int length, taps, from; /* from: the input's extent */
    /* of W, for vectors: where eight numbers of the output read, see kernels/resize/cpu.c */
    int32_t *base;
} nn__resize_table;

/* The table of y from x; and of dx from dy, which is the same table by the other index. */
NN_PRIVATE void nn__resize_gathers(const nn__resize_axis *axis, nn__resize_table *table);
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__resize_spreads(const nn__resize_axis *axis, nn__resize_table *table);
#endif
