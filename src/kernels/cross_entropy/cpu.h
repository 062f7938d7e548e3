/* kernels/cross_entropy/cpu.h - the loops of cross entropy over rows of two classes, which each
   instruction set has: a row alone would leave most of a vector empty. */
#pragma once

#include "cpu/sets.h"

/* Both take whole vectors of rows and return how many of `count` rows are done. */
typedef struct nn__cross_entropy_pairs {
    /* e = exp(z - largest of its row), with the largest number and the sum of each row */
    int (*exps)(float *e, float *largest, float *sum, const float *z, int count);
#ifndef NN_NO_TRAINING
    /* dz, which is e, becomes e * share / sum, less `own` at the label; 0 in rows whose label is
       `ignored` or no class */
    int (*gradient)(float *dz, const float *sum, const int32_t *label, int count, int32_t ignored,
                    float share, float own);
#endif
} nn__cross_entropy_pairs;
