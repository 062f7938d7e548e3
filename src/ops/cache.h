/* ops/cache.h - a cache for the keys and values of attention, which a plan keeps from run to
   run. */
#pragma once

#include "graph/model.h"

typedef struct nn_cache_desc {
    int length;        /* must be given: the largest number of positions of a sequence */
    nn_dtype dtype;    /* default: NN_F32; or NN_F16, NN_BF16: the dtype in storage */
    bool heads_inside; /* default: false, x is (N, Hk, L, E). true: (N, L, Hk, E) */
} nn_cache_desc;

/* Returns the keys or values of all positions so far: (N, Hk, length, E), or (N, length, Hk, E), of
   desc's dtype. Row i of x's sample n is written at positions[n] + i of a state that the plan keeps
   from run to run. The result is the whole state, which is zero where nothing was written yet. x is
   f32, f16 or bf16, positions (N) i32. Use:
       .positions = positions, .is_causal = true
       y = nn_scaled_dot_product_attention(net, q, nn_cache(net, "k", k, positions, desc),
                                           nn_cache(net, "v", v, positions, desc), ...)
   Query i of a sample has position positions[n] + i and reads no later key. So one plan can read a
   text in chunks of any size (NN_TIME) and then continue token by token. Writing a position again
   replaces it, and position 0 begins a new text; nothing has to be cleared. Pad texts of different
   lengths on the right: no query reads the padding, and the next run overwrites it.

   The state is memory of the plan on the device of the operation (NN_MEMORY_STATE), as large as the
   plan's .batch; a run with a smaller batch uses the first samples. nn_plan_view and nn_download
   read it, nn_upload replaces it (for the first samples), and nn_clear_caches fills it with zeros.
   With nn_bind the plan uses a tensor of yours instead, of the run's batch, so that two plans can
   share it or you can save and restore it. nn_replan keeps the state. Firmware (NN_NO_TRAINING,
   NN_NO_REPORTS and NN_NO_THREADS together) can neither bind nor fill it.

   A position below 0, or rows beyond `length`, are a fault of the run (NN_ERROR_LABEL): no row of
   any sample is written. A cache has no gradient, and a trainer that would need one reports a
   fault. For training, describe the net a second time without the cache; layers of the same names
   with .shared = true use the same parameters. */
NN_API nn_node *nn_cache_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                            nn_node *positions, const nn_cache_desc *desc);
#define nn_cache(...) nn_cache_at(NN_HERE, __VA_ARGS__)
