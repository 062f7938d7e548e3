/* kernels/shard_sum/vector.h - sums of shards, for every instruction set. */
#ifndef NN__SET
#define NN__BODY "kernels/shard_sum/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/shard_sum/cpu.h"

#ifndef NN_NO_TRAINING
/* Returns the nearest bf16, halves to even; a NaN gets a bit that keeps it one. */
NN__OP NN__F32 NN__(shard_closest)(NN__F32 x) {
    const NN__I32 bits = NN__(bits)(x),
                  odd = NN__(int_and)(NN__(int_right)(bits, 16), NN__(int_all)(1)),
                  nearest = NN__(int_add)(bits, NN__(int_add)(odd, NN__(int_all)(0x7fff))),
                  quiet = NN__(int_or)(bits, NN__(int_all)(0x400000));
    return NN__(of_bits)(NN__(int_and)(NN__(int_pick)(NN__(unordered)(x, x), quiet, nearest),
                                       NN__(int_all)(-0x10000)));
}

NN__OP NN__F32 NN__(shard_round)(NN__F32 x, float *rest, int n) {
    const NN__F32 whole = NN__(add)(x, NN__(load_up_to)(rest, n, 0.0f)),
                  closest = NN__(shard_closest)(whole), left = NN__(sub)(whole, closest),
                  none = NN__(sub)(left, left);
    NN__(store_up_to)(rest, n, NN__(drop)(NN__(unordered)(none, none), left));
    return closest;
}

static void NN__(shard_sum)(const nn__shard_sum *join, int i, int n, bool rounds) {
    const nn__shard_sum j = *join; /* a copy, so that no store may alias it */
    for (; i < n; i += NN__LANES) {
        const int some = n - i;
        NN__F32 x = NN__(load_up_to)(j.x + i, some, 0.0f);
        if (rounds && j.rests[0]) x = NN__(shard_round)(x, j.rests[0] + i, some);
        for (int k = 0; k < j.count; k++) {
            x = NN__(add)(NN__(load_up_to)(j.sums[k] + i, some, 0.0f), x);
            if (rounds && j.rests[k + 1]) x = NN__(shard_round)(x, j.rests[k + 1] + i, some);
        }
        NN__(store_up_to)(j.to + i, some, x);
        if (rounds && j.narrow && some >= NN__LANES) {
            NN__(store_bf16)(j.narrow + i, x);
        } else if (rounds && j.narrow) {
            uint16_t narrow[NN__LANES];
            NN__(store_bf16)(narrow, x);
            memcpy(j.narrow + i, narrow, (size_t)some * sizeof *narrow);
        }
    }
}

static void NN__(shard_add)(float *to, const float *a, const float *b, int n) {
    for (int i = 0; i < n; i += NN__LANES)
        NN__(store_up_to)(to + i, n - i, NN__(add)(NN__(load_up_to)(a + i, n - i, 0.0f),
                                                   NN__(load_up_to)(b + i, n - i, 0.0f)));
}

static const nn__shard_loops NN__(shard_loops) = {NN__(shard_sum), NN__(row_scale),
                                                  NN__(shard_add)};
#endif
#endif
