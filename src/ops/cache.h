/* ops/cache.h - keys and values of attention that a plan keeps from run to run. */
#pragma once

#include "graph/model.h"

typedef struct nn_cache_desc {
    int length;        /* must be given: how many positions a sequence may have */
    nn_dtype dtype;    /* default: NN_F32; or NN_F16, NN_BF16: what it is stored as */
    bool heads_inside; /* default: false, x is (N, Hk, L, E). true: (N, L, Hk, E) */
} nn_cache_desc;

/* Keys or values of all positions so far: (N, Hk, length, E), or (N, length, Hk, E), of desc's
   dtype. Row i of sample n of x is written at positions[n] + i of a state that the plan keeps from
   run to run; the result is the whole state, zeros where nothing was written yet. x is f32, f16 or
   bf16, positions (N) i32. Used as
       .positions = positions, .is_causal = true
       y = nn_scaled_dot_product_attention(net, q, nn_cache(net, "k", k, positions, desc),
                                           nn_cache(net, "v", v, positions, desc), ...)
   where the query i of a sample stands at positions[n] + i and reads nothing behind it. So a text
   is read in chunks of any size (NN_TIME) and then goes on token by token, with one plan; a
   position that is given again is written again, and 0 begins a new text: nothing has to be
   cleared. Texts of several lengths stand in one batch padded at the right; the rows of padding lie
   behind each text's end, where nothing reads them, until the next run writes there.

   The state is memory of the plan on the device of the operation (NN_MEMORY_STATE), as large as the
   plan's .batch; a run with a smaller batch has the first samples. nn_plan_view and nn_download
   show it, nn_upload replaces it (of the first samples), and nn_clear_caches fills it with zeros.
   nn_bind lets the plan read and write a tensor of yours in its place, of the run's batch: two
   plans then share it, or it is saved and put back. nn_replan takes the state along. Firmware
   (NN_NO_TRAINING, NN_NO_REPORTS and NN_NO_THREADS together) can neither bind nor fill it.

   A position below 0, or with rows that reach behind `length`, is a fault of the run
   (NN_ERROR_LABEL): no row of any sample is written. There is no gradient; a training that would
   need a cache is a fault: describe what is trained a second time without it, by layers of the same
   names with .shared = true, which have the same parameters. */
NN_API nn_node *nn_cache_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                            nn_node *positions, const nn_cache_desc *desc);
#define nn_cache(...) nn_cache_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_cache_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                            nn_node *positions, const nn_cache_desc &desc) {
    return nn_cache_at(site, net, name, x, positions, &desc);
}
}
#endif
