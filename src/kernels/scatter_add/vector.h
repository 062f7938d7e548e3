/* kernels/scatter_add/vector.h - sums of pieces along a chain, for every instruction set. The sums
   stay in registers. */
#ifndef NN__SET
#define NN__BODY "kernels/scatter_add/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/scatter_add/cpu.h"

static void NN__(scatter_piece)(float *y, const float *x, int32_t first, const int32_t *next,
                                int64_t piece, bool accumulate, bool streams) {
    int64_t k = 0;
    for (; k + 4 * NN__LANES <= piece; k += 4 * NN__LANES) {
        float *to = y + k;
        NN__F32 a = NN__(all)(0.0f), b = a, c = a, d = a;
        if (accumulate) {
            a = NN__(load)(to), b = NN__(load)(to + NN__LANES);
            c = NN__(load)(to + 2 * NN__LANES), d = NN__(load)(to + 3 * NN__LANES);
        }
        for (int32_t at = first; at >= 0; at = next[at]) {
            const float *from = x + at * piece + k;
            a = NN__(add)(a, NN__(load)(from));
            b = NN__(add)(b, NN__(load)(from + NN__LANES));
            c = NN__(add)(c, NN__(load)(from + 2 * NN__LANES));
            d = NN__(add)(d, NN__(load)(from + 3 * NN__LANES));
        }
        NN__(put)(to, a, streams);
        NN__(put)(to + NN__LANES, b, streams);
        NN__(put)(to + 2 * NN__LANES, c, streams);
        NN__(put)(to + 3 * NN__LANES, d, streams);
    }
    for (; k < piece; k += NN__LANES) {
        NN__F32 a = NN__(all)(0.0f);
        if (accumulate) a = NN__(load_up_to)(y + k, piece - k, 0.0f);
        for (int32_t at = first; at >= 0; at = next[at])
            a = NN__(add)(a, NN__(load_up_to)(x + at * piece + k, piece - k, 0.0f));
        NN__(store_up_to)(y + k, piece - k, a);
    }
}

static const nn__scatter_loops NN__(scatter_loops) = {NN__(scatter_piece)};
#endif
