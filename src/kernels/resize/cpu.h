/* kernels/resize/cpu.h - shared by the parts of the family on the CPU: tables of indices and
   weights. */
#pragma once

#include "cpu/sets.h"

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
    /* for the axis W, for each tap and each vector of the output: the first number of the input
       that it reads, times 4, plus the way of reading */
    int32_t *base;
} nn__resize_table;
enum {
    NN__RESIZE_EACH, /* each number is gathered by itself */
    NN__RESIZE_ONE,  /* from the vector that begins at the first number */
    NN__RESIZE_TWO   /* from the two vectors that begin there */
};

/* What each instruction set has (kernels/resize/vector.h). */
typedef struct nn__resize_loops {
    int lanes;
    /* y (n) (+)= a x + b z; z may be NULL */
    void (*sum)(float *y, bool add, float a, const float *x, float b, const float *z, int n);
    /* y (+)= the row x by the table of columns */
    void (*columns)(const nn__resize_table *table, float *y, const float *x, bool add);
} nn__resize_loops;

/* gathers computes the table of y from x. spreads computes the table of dx from dy, which has the
   same weights listed by the other index. */
NN_PRIVATE void nn__resize_gathers(const nn__resize_axis *axis, nn__resize_table *table);
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__resize_spreads(const nn__resize_axis *axis, nn__resize_table *table);
#endif
