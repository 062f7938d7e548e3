/* kernels/cross_entropy/cpu.h - the loops of cross entropy over rows of two classes, for each
   instruction set: a single row would leave most of a vector empty. */
#pragma once

#include "cpu/sets.h"

/* Both process whole vectors of rows and return how many of `count` rows are done. */
typedef struct nn__cross_entropy_pairs {
    /* e = exp(z - largest of its row); also the largest number and the sum of each row */
    int (*exps)(float *e, float *largest, float *sum, const float *z, int count);
#ifndef NN_NO_TRAINING
    /* dz holds e on entry and becomes e * share / sum, minus `own` at the label. Rows whose label
       is `ignored` or out of range become 0. */
    int (*gradient)(float *dz, const float *sum, const int32_t *label, int count, int32_t ignored,
                    float share, float own);
#endif
} nn__cross_entropy_pairs;
