/* kernels/resize/cpu.h - what the parts of the family share on the CPU: tables of places. */
#pragma once

#include "cpu/sets.h"

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
    /* of W, for each tap and each vector of the output: the first number of the input that it
       reads, times 4, and how */
    int32_t *base;
} nn__resize_table;
enum {
    NN__RESIZE_EACH, /* each number by itself */
    NN__RESIZE_ONE,  /* out of the vector from the first number on */
    NN__RESIZE_TWO   /* out of the two vectors from there on */
};

/* What each instruction set has (kernels/resize/vector.h). */
typedef struct nn__resize_loops {
    int lanes;
    /* y (n) (+)= a x + b z; z may be NULL */
    void (*sum)(float *y, bool add, float a, const float *x, float b, const float *z, int n);
    /* y (+)= the row x by the table of columns */
    void (*columns)(const nn__resize_table *table, float *y, const float *x, bool add);
} nn__resize_loops;

/* The table of y from x; and of dx from dy, which is the same table by the other index. */
NN_PRIVATE void nn__resize_gathers(const nn__resize_axis *axis, nn__resize_table *table);
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__resize_spreads(const nn__resize_axis *axis, nn__resize_table *table);
#endif
