/* kernels/elements/vector.h - element-wise gather across the lines of x, for every instruction
   set. */
#ifndef NN__SET
#define NN__BODY "kernels/elements/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/elements/cpu.h"

static int64_t NN__(gather_across)(int32_t *y, const int32_t *x, const int32_t *index, int64_t n,
                                   int32_t count, int64_t step) {
    const NN__I32 lanes = NN__(int_lanes)(), end = NN__(int_all)(count),
                  steps = NN__(int_all)((int32_t)step);
    int64_t i = 0;
    for (; i < n; i += 16) { /* the row eight further on, which no hardware prefetcher guesses */
        NN__(ahead)(index + 8 * step + i);
        NN__(ahead)(y + 8 * step + i);
    }
    for (i = 0; i + NN__LANES <= n; i += NN__LANES) {
        const NN__I32 from = NN__(int_load)(index + i);
        const NN__B32 below = NN__(int_less)(from, NN__(int_all)(0));
        NN__I32 high;
        if (NN__(any)(NN__(either)(below, NN__(not)(NN__(int_less)(from, end))))) break;
        const NN__I32 at = NN__(int_add)(NN__(int_product)(from, steps, &high), lanes);
#if NN__LANES == 1 /* a float may not keep the bits of other types */
        y[i] = x[i + at];
#else
        const NN__F32 v = NN__(gather)((const float *)(const void *)(x + i), at);
        NN__(int_store)(y + i, NN__(bits)(v));
#endif
    }
    return i;
}

static const nn__elements_loops NN__(elements_loops) = {NN__(gather_across)};
#endif
