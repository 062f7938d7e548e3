/* kernels/scan/vector.h - the loop of scans, for every instruction set. */
#ifndef NN__SET
#define NN__BODY "kernels/scan/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/scan/cpu.h"

/* Most vectors have no number beyond the extreme so far. */
static void NN__(scan_extreme)(const float *x, float *y, int32_t *index, int64_t length,
                               bool largest) {
    float best = x[0];
    int32_t at = 0;
    int64_t k = 0;
    while (k < length) {
        const int64_t end = nn__min64(k + NN__LANES, length);
        if (k + NN__LANES <= length) {
            const NN__F32 v = NN__(load)(x + k), b = NN__(all)(best);
            const NN__B32 loses = largest ? NN__(less)(v, b) : NN__(less)(b, v);
            if (!NN__(any)(NN__(not)(loses))) {
                NN__(store)(y + k, b);
                if (index) NN__(int_store)(index + k, NN__(int_all)(at));
                k = end;
                continue;
            }
        }
        for (; k < end; k++) {
            const float value = x[k];
            if (value != value || (largest ? value >= best : value <= best))
                best = value, at = (int32_t)k;
            y[k] = best;
            if (index) index[k] = at;
        }
    }
}

static const nn__scan_loops NN__(scan_loops) = {NN__(scan_extreme)};
#endif
