/* kernels/random/args.h - uniform random numbers. */
#pragma once

#include "device/types.h"

/* y = uniform numbers in [low, high): element i from word i % 4 of Philox(seed, stream, counter + i
   / 4). */
typedef struct nn_random_args {
    nn_view y;
    uint64_t seed, stream, counter;
    float low, high;
} nn_random_args;

/* Views and numbers: see kernels/list.h. */
#define NN_RANDOM_VIEWS(VIEW, ITEM) VIEW(OUT, y, 1)
#define NN_RANDOM_NUMBERS(INT, REAL, OTHER) INT(seed) INT(stream) INT(counter) REAL(low) REAL(high)
