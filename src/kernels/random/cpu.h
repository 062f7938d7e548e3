/* kernels/random/cpu.h - the loop of each instruction set that fills tensors with random
   numbers. */
#pragma once

#include "cpu/sets.h"

typedef struct nn__random_loops {
    /* numbers [i, end) of y; i is a multiple of 4 */
    void (*fill)(const nn_random_args *args, float *y, int64_t i, int64_t end);
} nn__random_loops;
