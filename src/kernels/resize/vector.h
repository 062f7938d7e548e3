/* kernels/resize/vector.h - the loops that resize rows of images, for every instruction set. */
#ifndef NN__SET
#define NN__BODY "kernels/resize/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/resize/cpu.h"

static void NN__(resize_sum)(float *y, bool add, float a, const float *x, float b, const float *z,
                             int n) {
    const NN__F32 as = NN__(all)(a), bs = NN__(all)(b);
    for (int i = 0; i < n; i += NN__LANES) {
        NN__F32 sum = NN__(mul)(as, NN__(load_up_to)(x + i, n - i, 0.0f));
        if (add) sum = NN__(add)(NN__(load_up_to)(y + i, n - i, 0.0f), sum);
        if (z) sum = NN__(add)(sum, NN__(mul)(bs, NN__(load_up_to)(z + i, n - i, 0.0f)));
        NN__(store_up_to)(y + i, n - i, sum);
    }
}

/* Gathers numbers of x; an index of -1 gives 0. */
NN__OP NN__F32 NN__(resize_some)(const float *x, NN__I32 index, int32_t base) {
    const NN__B32 none = NN__(int_less)(index, NN__(int_all)(0));
    const NN__I32 first = NN__(int_all)(base / 4);
    /* Indices below `first` are -1, or fill the lanes beyond a tail. */
    NN__I32 at = NN__(int_pick)(NN__(int_less)(index, first), first, index);
    NN__F32 v;
    if (base % 4 == NN__RESIZE_EACH) {
        v = NN__(gather)(x, at);
    } else {
        const float *from = x + base / 4;
        at = NN__(int_sub)(at, first);
        v = NN__(permute)(NN__(load)(from), at);
        if (base % 4 == NN__RESIZE_TWO) { /* one of the two is 0 */
            at = NN__(int_xor)(at, NN__(int_all)(NN__LANES));
            const NN__F32 more = NN__(permute)(NN__(load)(from + NN__LANES), at);
            v = NN__(of_bits)(NN__(int_or)(NN__(bits)(v), NN__(bits)(more)));
        }
    }
    return NN__(drop)(none, v);
}

static void NN__(resize_columns)(const nn__resize_table *table, float *y, const float *x,
                                 bool add) {
    const int n = table->length, blocks = nn__ceil_div(n, NN__LANES);
    for (int i = 0; i < n; i += NN__LANES) {
        const int left = n - i, b = i / NN__LANES;
        const bool whole = left >= NN__LANES;
        NN__F32 sum = NN__(all)(0.0f);
        for (int k = 0; k < table->taps; k++) {
            const int32_t *at = table->index + (int64_t)k * n + i;
            const NN__I32 index = whole ? NN__(int_load)(at) : NN__(int_load_some)(at, left);
            const int32_t base = NN__LANES > 1 ? table->base[(int64_t)k * blocks + b] : 0;
            const NN__F32 v = NN__(resize_some)(x, index, base);
            const NN__F32 product =
                NN__(mul)(NN__(load_up_to)(table->weight + (int64_t)k * n + i, left, 0.0f), v);
            sum = k ? NN__(add)(sum, product) : product;
        }
        if (add) sum = NN__(add)(NN__(load_up_to)(y + i, left, 0.0f), sum);
        NN__(store_up_to)(y + i, left, sum);
    }
}

static const nn__resize_loops NN__(resize_loops) = {NN__LANES, NN__(resize_sum),
                                                    NN__(resize_columns)};
#endif
