/* kernels/ctc/vector.h - computes a row of states from the row before, for every instruction
   set. */
#ifndef NN__SET
#define NN__BODY "kernels/ctc/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/ctc/cpu.h"

/* log(exp(a) + exp(b) + exp(c)) */
NN__OP NN__F32 NN__(ctc_add)(NN__F32 a, NN__F32 b, NN__F32 c) {
    const NN__F32 most = NN__(larger)(c, NN__(larger)(b, a));
    NN__F32 sum = NN__(add)(NN__(exp)(NN__(sub)(a, most)), NN__(exp)(NN__(sub)(b, most)));
    sum = NN__(add)(sum, NN__(exp)(NN__(sub)(c, most)));
    return NN__(pick)(NN__(equal)(most, NN__(all)(-INFINITY)), NN__(add)(NN__(add)(a, b), c),
                      NN__(add)(NN__(log)(sum), most));
}

static void NN__(ctc_step)(const nn__ctc *ctc, const float *from, float *to, const int32_t *jumps,
                           int next) {
    for (int s = 0; s < ctc->states; s += NN__LANES) {
        const NN__B32 stays = NN__(int_equal)(NN__(int_load)(jumps + s), NN__(int_all)(0));
        const NN__F32 skipped =
            NN__(pick)(stays, NN__(all)(-INFINITY), NN__(load)(from + s + 2 * next));
        const NN__F32 sum =
            NN__(ctc_add)(NN__(load)(from + s), NN__(load)(from + s + next), skipped);
        NN__(store)(to + s, NN__(add)(sum, NN__(load)(ctc->emitted + s)));
    }
}

static const nn__ctc_loops NN__(ctc_loops) = {NN__(ctc_step)};
#endif
