/* kernels/recurrent_whole/cpu.h - shared by the parts of a whole recurrent layer on the CPU. */
#pragma once

#include "cpu/private.h"

/* One sample on its way through time. The packed weights are panels of as many numbers of the state
   as a vector has lanes, with zeros after the last. A panel has biases, then a row for each input
   and a row for each number of the state; a row is a vector for each gate of the panel. First come
   the panels of the gates that are computed first: i, f, g of an lstm; r and n of a gru, with three
   biases: of r, and those of n for the inputs and for the state. Then follow the panels of the last
   gate alone, o or z, and at the end the rows of the head and its biases. */
typedef struct nn__whole_walk {
    const float *x, *packed, *head;  /* head NULL: y is the state */
    const float *h0, *c0;            /* NULL: zeros */
    float *h_last, *c_last;          /* NULL: not wanted. They may be h0 and c0 */
    float *h, *next, *c;             /* scratch in whole vectors */
    float *y;
    ptrdiff_t x_step, y_step;
    int T, C, H, O;
} nn__whole_walk;

/* The functions of each instruction set, by nn_recurrent_cell. */
typedef struct nn__whole_set {
    int lanes;
    void (*walk[4])(nn__whole_walk *walk);
} nn__whole_set;
