/* kernels/random/cpu.h - what each instruction set has for tensors of random numbers. */
#pragma once

#include "cpu/sets.h"

typedef struct nn__random_loops {
    /* numbers [i, end) of y; i is a multiple of 4 */
    void (*fill)(const nn_random_args *args, float *y, int64_t i, int64_t end);
} nn__random_loops;
