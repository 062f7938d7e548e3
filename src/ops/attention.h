/* ops/attention.h - scaled dot product attention, as in torch.nn.functional. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

/* If several masks are given, all of them apply. */
typedef struct nn_scaled_dot_product_attention_desc {
    /* default: none. Broadcasts to (N, H, L, S); leading extents may be missing. f32: added to the
       scores, where -infinity masks; it has a gradient, for learned biases such as T5's. u8 and
       bool: 0 masks, as false does in PyTorch. Reshape a padding mask (N, S) to (N, 1, 1, S) */
    nn_node *attn_mask;
    nn_node *lengths; /* default: none. (N) i32: the number of valid keys of each sample, 0 to S */
    nn_node *positions; /* default: none. (N) i32: the position of each sample's query 0 among the
                           keys, at least 0, for a cache that holds earlier keys */
    /* default: none. (N, L) i32, with is_causal: the first key that each query sees, 0 to S. For
       several texts packed into one row, as with flash attention's cu_seqlens: where the text of
       each query begins in the row (nn_fill_answers). Keys that no query of a block sees are
       skipped */
    nn_node *starts;
    float dropout_p;    /* default: 0. On the attention weights, only in training */
    float scale;        /* default: 1 / sqrt(E) */
    bool is_causal; /* default: false. true: query i sees no key after its position, which is i, as
                       in PyTorch: the upper left triangle if L is not S */
    /* default: false. true: query i has position i + S - L, so the last query is at the last key:
       torch.nn.attention.bias.causal_lower_right with is_causal */
    bool lower_right;
    int window; /* default: 0, no limit. Keys at a distance of `window` or more from the query are
                   masked; with is_causal a query sees `window` keys, including its own */
    bool alibi; /* default: false. true: subtracts slope * distance from each score, with the slopes
                   of Press et al., "Train short, test long", 2022 */
    /* default: false. true: q is (N, L, H, E), k (N, S, Hk, E), v (N, S, Hk, Ev) and the result (N,
       L, H, Ev): the output of nn_linear after nn_reshape, without a transposition */
    bool heads_inside;
} nn_scaled_dot_product_attention_desc;

/* Computes softmax(q k^T scale + bias) v (N, H, L, Ev) from q (N, H, L, E), k (N, Hk, S, E) and v
   (N, Hk, S, Ev), f32; k and v may also be f16 or bf16. H is a multiple of Hk: H / Hk query heads
   share each key head, as with PyTorch's enable_gqa. E and Ev are any numbers; N, L and S may be
   symbolic. Source: Vaswani et al., "Attention is all you need", 2017.

   Scores are never stored, so memory grows with L and S, not with their product; the gradient
   computes them again. If all keys of a query are masked, its row is zeros and has no gradient
   (PyTorch's CPU gives NaN). A masked key has no effect on any result, even if it is NaN. A length,
   position or start out of range is a fault of the step (NN_ERROR_LABEL); with a start after its
   position a query sees no key. desc may be NULL. */
NN_API nn_node *
nn_scaled_dot_product_attention_at(nn_site site, nn_model *net, nn_node *q, nn_node *k, nn_node *v,
                                   const nn_scaled_dot_product_attention_desc *desc);
#define nn_scaled_dot_product_attention(...)                                                       \
    nn_scaled_dot_product_attention_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------- */

/* The masks of an immediate call, instead of desc's nodes; each may be NULL. */
typedef struct nn_attention_masks {
    const nn_tensor *attn_mask, *lengths, *positions, *starts;
    nn_tensor *dattn_mask; /* f32 of attn_mask's shape, which must be f32: the backward call
                              overwrites it with the gradient. NULL: not wanted */
} nn_attention_masks;

/* Computes y as the node does. log_sum (N, H, L) f32, the logarithm of the sum of each row's
   exp(score), is for the backward call and may be NULL. masks and desc may be NULL; desc's nodes
   must be NULL. dropout_p must be 0. A length, position or start out of range is an error, and
   nothing is written. */
NN_API nn_result nn_scaled_dot_product_attention_forward_at(
    nn_site site, nn_tensor *y, nn_tensor *log_sum, const nn_tensor *q, const nn_tensor *k,
    const nn_tensor *v, const nn_attention_masks *masks,
    const nn_scaled_dot_product_attention_desc *desc);
#define nn_scaled_dot_product_attention_forward(...)                                               \
    nn_scaled_dot_product_attention_forward_at(NN_HERE, __VA_ARGS__)
#ifndef NN_NO_TRAINING
/* dq, dk and dv, f32 with the shapes of q, k and v, are overwritten; each may be NULL, and so may
   masks->dattn_mask. y and log_sum are those of the forward call. */
NN_API nn_result nn_scaled_dot_product_attention_backward_at(
    nn_site site, nn_tensor *dq, nn_tensor *dk, nn_tensor *dv, const nn_tensor *dy,
    const nn_tensor *y, const nn_tensor *log_sum, const nn_tensor *q, const nn_tensor *k,
    const nn_tensor *v, const nn_attention_masks *masks,
    const nn_scaled_dot_product_attention_desc *desc);
#define nn_scaled_dot_product_attention_backward(...)                                              \
    nn_scaled_dot_product_attention_backward_at(NN_HERE, __VA_ARGS__)
#endif
