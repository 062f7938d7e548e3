/* base/random.c - Philox4x32-10. It has no state: the caller adds one to the counter for the
   next words. */
#include "base/private.h"

NN_API void nn_random_words(uint64_t seed, uint64_t stream, uint64_t counter, uint32_t words[4]) {
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
    uint32_t x0 = (uint32_t)counter, x1 = (uint32_t)(counter >> 32);
    uint32_t x2 = (uint32_t)stream, x3 = (uint32_t)(stream >> 32);
    if (!words) return;
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53u * x0;
        uint64_t b = (uint64_t)0xCD9E8D57u * x2;
        x0 = (uint32_t)(b >> 32) ^ x1 ^ key0;
        x1 = (uint32_t)b;
        x2 = (uint32_t)(a >> 32) ^ x3 ^ key1;
        x3 = (uint32_t)a;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    words[0] = x0;
    words[1] = x1;
    words[2] = x2;
    words[3] = x3;
}

#ifndef NN_NO_SPEEDUPS
/* Computes the words of four consecutive counters. Each round depends on the one before; four
   independent chains together take little longer than one. */
NN_PRIVATE void nn__random_sixteen(uint64_t seed, uint64_t stream, uint64_t counter,
                                   uint32_t words[16]) {
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
#define NN__CHAINS(X) X(0) X(1) X(2) X(3)
#define NN__X(i)                                                                                   \
    uint32_t x##i = (uint32_t)(counter + i), y##i = (uint32_t)((counter + i) >> 32),               \
             z##i = (uint32_t)stream, w##i = (uint32_t)(stream >> 32);
    NN__CHAINS(NN__X)
#undef NN__X
    for (int round = 0; round < 10; round++) {
#define NN__X(i)                                                                                   \
    const uint64_t a##i = (uint64_t)0xD2511F53u * x##i, b##i = (uint64_t)0xCD9E8D57u * z##i;       \
    x##i = (uint32_t)(b##i >> 32) ^ y##i ^ key0, y##i = (uint32_t)b##i;                            \
    z##i = (uint32_t)(a##i >> 32) ^ w##i ^ key1, w##i = (uint32_t)a##i;
        NN__CHAINS(NN__X)
#undef NN__X
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
#define NN__X(i)                                                                                   \
    words[4 * i] = x##i, words[4 * i + 1] = y##i, words[4 * i + 2] = z##i, words[4 * i + 3] = w##i;
    NN__CHAINS(NN__X)
#undef NN__X
#undef NN__CHAINS
}
#endif

/* A stream of words, four for each counter. */
typedef struct nn__random_source {
    uint64_t seed, stream, counter;
    uint32_t words[4];
    int      used;
} nn__random_source;

static uint32_t nn__random_next(nn__random_source *source) {
    if (source->used == 4) {
        nn_random_words(source->seed, source->stream, source->counter++, source->words);
        source->used = 0;
    }
    return source->words[source->used++];
}

/* Returns a uniform number in [0, below): the upper half of a product, after rejecting the few
   words that would favour some results. Source: Lemire, "Fast random integer generation in an
   interval", 2019. */
static uint32_t nn__random_below(nn__random_source *source, uint32_t below) {
    uint64_t product = (uint64_t)nn__random_next(source) * below;
    if ((uint32_t)product < below) {
        uint32_t unfair = (0u - below) % below;
        while ((uint32_t)product < unfair) product = (uint64_t)nn__random_next(source) * below;
    }
    return (uint32_t)(product >> 32);
}

NN_API void nn_random_permutation(uint64_t seed, uint64_t stream, int32_t *order, int32_t count) {
    nn__random_source source = {seed, stream, 0, {0, 0, 0, 0}, 4};
    if (!order) return;
    for (int32_t i = 0; i < count; i++) order[i] = i;
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t j = (int32_t)nn__random_below(&source, (uint32_t)i + 1);
        int32_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}
