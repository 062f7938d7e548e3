/* ops/sinusoidal.h - positional encodings by sines and cosines, to be added to embeddings. */
#pragma once

#include "graph/model.h"

typedef struct nn_sinusoidal_desc {
    float base;         /* default: 10000 */
    nn_node *positions; /* default: none. (N) i32: the position of each sample's row 0 */
    int offset;         /* default: 0. The position of row 0 of every sample */
    bool halves; /* default: false, sine and cosine of a frequency are adjacent, as in the paper.
                    true: all sines, then all cosines, as in tensor2tensor */
} nn_sinusoidal_desc;

/* Returns encodings for x (N, L, E), E even: (1, L, E), or with positions (N, L, E), f32. Number 2
   e of a row at position p is sin(p / base^(2 e / E)), number 2 e + 1 the cosine. They are computed
   in each run, for any length; only x's shape is used. The paper adds them: nn_add(net, x,
   nn_sinusoidal_positions(net, x, NULL)). Source: Vaswani et al., "Attention is all you need",
   2017. desc may be NULL. */
NN_API nn_node *nn_sinusoidal_positions_at(nn_site site, nn_model *net, nn_node *x,
                                           const nn_sinusoidal_desc *desc);
#define nn_sinusoidal_positions(...) nn_sinusoidal_positions_at(NN_HERE, __VA_ARGS__)
