/* base/random.h - the counter-based generator Philox4x32-10, which gives the same words on every
   device and in any order. Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as
   1, 2, 3", SC 2011. */
#pragma once

#include "base/config.h"

/* Writes four random words for (seed, stream, counter). Equal arguments always give equal words. */
NN_API void nn_random_words(uint64_t seed, uint64_t stream, uint64_t counter, uint32_t words[4]);

/* Converts a word to a number in [0, 1). It uses the upper 24 bits, so every value is exact in
   float. */
static inline float nn_word_to_uniform(uint32_t word) {
    return (float)(word >> 8) * (1.0f / 16777216.0f);
}

/* Writes a random permutation of 0 .. count - 1 (Fisher-Yates), which depends only on seed and
   stream. */
NN_API void nn_random_permutation(uint64_t seed, uint64_t stream, int32_t *order, int32_t count);
