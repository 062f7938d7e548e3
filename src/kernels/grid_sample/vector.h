/* kernels/grid_sample/vector.h - the taps of places, for every instruction set. */
#ifndef NN__SET
#define NN__BODY "kernels/grid_sample/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/grid_sample/cpu.h"

/* Computes tap k of the places from i on. */
NN__OP NN__F32 NN__(grid_tap)(const nn__grid_run *run, int k, int i, int n, const float *x) {
    const bool all = n >= NN__LANES;
    const int32_t *at = run->index[k] + i, *keep = run->keep[k] + i;
    const NN__F32 v = NN__(gather)(x, all ? NN__(int_load)(at) : NN__(int_load_some)(at, n));
    const NN__I32 kept = all ? NN__(int_load)(keep) : NN__(int_load_some)(keep, n);
    return NN__(drop)(NN__(int_equal)(kept, NN__(int_all)(0)), v);
}

static void NN__(grid_read)(const nn__grid_run *run, int taps, int count, float *y,
                            const float *x) {
    for (int i = 0; i < count; i += NN__LANES) {
        const int n = count - i;
        NN__F32 sum = NN__(all)(0.0f);
        for (int k = 0; k < taps; k++)
            sum = NN__(add)(sum, NN__(mul)(NN__(load_up_to)(run->weight[k] + i, n, 0.0f),
                                           NN__(grid_tap)(run, k, i, n, x)));
        NN__(store_up_to)(y + i, n, sum);
    }
}

#ifndef NN_NO_TRAINING
static void NN__(grid_slopes)(const nn__grid_run *run, int taps, int count, float *sums,
                              const float *dy, const float *x) {
    for (int i = 0; i < count; i += NN__LANES) {
        const int n = count - i;
        const NN__F32 slope = NN__(load_up_to)(dy + i, n, 0.0f);
        NN__F32 across = NN__(all)(0.0f), down = across;
        float *to = sums + i;
        for (int k = 0; k < taps; k++) {
            const NN__F32 v = NN__(grid_tap)(run, k, i, n, x);
            across = NN__(add)(
                across, NN__(mul)(NN__(load_up_to)(run->slope[0][k] + i, n, 0.0f), v));
            down =
                NN__(add)(down, NN__(mul)(NN__(load_up_to)(run->slope[1][k] + i, n, 0.0f), v));
        }
        across = NN__(add)(NN__(load_up_to)(to, n, 0.0f), NN__(mul)(across, slope));
        NN__(store_up_to)(to, n, across);
        to += NN__GRID_RUN;
        down = NN__(add)(NN__(load_up_to)(to, n, 0.0f), NN__(mul)(down, slope));
        NN__(store_up_to)(to, n, down);
    }
}

static void NN__(grid_parts)(const nn__grid_run *run, int taps, int count,
                             float part[16][NN__GRID_RUN], const float *dy) {
    for (int k = 0; k < taps; k++)
        for (int i = 0; i < count; i += NN__LANES) {
            const NN__I32 keep = NN__(int_load)(run->keep[k] + i); /* runs have whole vectors */
            const NN__F32 v = NN__(mul)(NN__(load)(run->weight[k] + i),
                                        NN__(load_up_to)(dy + i, count - i, 0.0f));
            NN__(store_up_to)(part[k] + i, count - i,
                              NN__(drop)(NN__(int_equal)(keep, NN__(int_all)(0)), v));
        }
}
#endif

static const nn__grid_loops NN__(grid_loops) = {NN__(grid_read),
#ifndef NN_NO_TRAINING
                                                NN__(grid_slopes), NN__(grid_parts)
#endif
};
#endif
