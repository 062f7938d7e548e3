/* kernels/scatter_add/cpu.h - the loop of the family that each instruction set has. */
#pragma once

#include "cpu/sets.h"

typedef struct nn__scatter_loops {
    /* y (piece) = the sum of the pieces of x along the chain that begins with number `first`, -1:
       there is none; accumulate: added to y */
    void (*piece)(float *y, const float *x, int32_t first, const int32_t *next, int64_t piece,
                  bool accumulate, bool streams);
} nn__scatter_loops;
