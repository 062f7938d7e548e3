/* kernels/random/vector.h - uniform numbers between two bounds, for every instruction set. */
#ifndef NN__SET
#define NN__BODY "kernels/random/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/random/cpu.h"

/* The sum may round up to high, which is excluded; then the result is low. */
static void NN__(random_fill)(const nn_random_args *args, float *y, int64_t i, int64_t end) {
    const NN__F32 low = NN__(all)(args->low), high = NN__(all)(args->high);
    const NN__F32 width = NN__(all)(args->high - args->low);
    for (; i < end; i += 4 * NN__LANES) {
        float drawn[4 * NN__LANES], *to = end - i < 4 * NN__LANES ? drawn : y + i;
        NN__(uniform)(args->seed, args->stream, args->counter + (uint64_t)i / 4, to);
        for (int j = 0; j < 4 * NN__LANES; j += NN__LANES) {
            const NN__F32 v = NN__(add)(low, NN__(mul)(NN__(load)(to + j), width));
            NN__(store)(to + j, NN__(pick)(NN__(less)(v, high), v, low));
        }
        if (to == drawn) memcpy(y + i, drawn, (size_t)(end - i) * sizeof(float));
    }
}

static const nn__random_loops NN__(random_loops) = {NN__(random_fill)};
#endif
