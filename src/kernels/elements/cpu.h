/* kernels/elements/cpu.h - the loop of the family that each instruction set has. */
#pragma once

#include "cpu/sets.h"

typedef struct nn__elements_loops {
    /* y[i] = x[index[i] step + i], for numbers of four bytes of any type. Stops after the whole
       vectors of the n neighbours, or at the first index out of range. Returns the number of
       elements done. */
    int64_t (*across)(int32_t *y, const int32_t *x, const int32_t *index, int64_t n, int32_t count,
                      int64_t step);
} nn__elements_loops;
