/* ops/rotary.h - rotary positions for the queries and keys of attention. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

typedef struct nn_rotary_embedding_desc {
    float base;         /* default: 10000 */
    int rotary_dim; /* default: 0, all. How many of each row's first numbers are rotated; even */
    bool interleaved; /* default: false, pairs (e, e + rotary_dim / 2), as in Llama and GPT-NeoX.
                         true: (2 e, 2 e + 1), as in GPT-J */
    bool heads_inside;  /* default: false. true: x is (N, L, H, E) */
    nn_node *positions; /* default: none. (N) i32: the position of each sample's row 0; or (N, L):
                           the position of each row, for several texts in one row */
    int offset;         /* default: 0. The position of row 0 of every sample */
    /* default: 1. Divides the frequencies, for texts longer than those in training */
    float factor;
    /* default: 0. If given, only low frequencies are divided, as in Llama 3.1 */
    int original_max_position_embeddings;
    float low_freq_factor;                /* default: 1; used with the field above */
    float high_freq_factor;               /* default: 4; used with it, too */
} nn_rotary_embedding_desc;

/* Rotates pair e of each row of x (N, H, L, E) f32, E even, by the angle position / base^(2 e /
   rotary_dim). The result has x's shape. Row i of a sample has position i plus offset or positions
   (N), or its position is in positions (N, L). Source: Su et al., "RoFormer", 2021. desc may be
   NULL. */
NN_API nn_node *nn_rotary_embedding_at(nn_site site, nn_model *net, nn_node *x,
                                       const nn_rotary_embedding_desc *desc);
#define nn_rotary_embedding(...) nn_rotary_embedding_at(NN_HERE, __VA_ARGS__)

/* ---- immediate: y may be x; desc->positions must be NULL; the argument positions may be NULL - */

NN_API nn_result nn_rotary_embedding_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                                const nn_tensor *positions,
                                                const nn_rotary_embedding_desc *desc);
#define nn_rotary_embedding_forward(...) nn_rotary_embedding_forward_at(NN_HERE, __VA_ARGS__)
#ifndef NN_NO_TRAINING
/* dx is overwritten; it may be dy itself. */
NN_API nn_result nn_rotary_embedding_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                                 const nn_tensor *positions,
                                                 const nn_rotary_embedding_desc *desc);
#define nn_rotary_embedding_backward(...) nn_rotary_embedding_backward_at(NN_HERE, __VA_ARGS__)
#endif
