/* ops/attention.h - scaled dot product attention. torch.nn.functional. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

/* All masks that are given hold together. */
typedef struct nn_scaled_dot_product_attention_desc {
    /* default: none. Extents as (N, H, L, S), each equal or 1, those in front may be missing. f32:
       added to the scores, -infinity masks; a bias that learns, such as T5's, has a gradient. u8
       and bool: 0 masks, as false does in PyTorch. Of padding, (N, S): nn_reshape it to (N, 1, 1,
       S) */
    nn_node *attn_mask;
    nn_node *lengths;   /* default: none. (N) i32: so many keys of each sample count, 0 to S */
    nn_node *positions; /* default: none. (N) i32: the position of each sample's query 0 among the
                           keys, at least 0, when a cache holds those before it */
    /* default: none. (N, L) i32, with is_causal: the first key that each query sees, 0 to S. Of
       several texts packed into one row, as with flash attention's cu_seqlens: where in the row the
       text of each query begins (nn_fill_answers). Keys that no query of a block sees are not
       visited */
    nn_node *starts;
    float dropout_p;    /* default: 0. Of the weights, and in training alone */
    float scale;        /* default: 1 / sqrt(E) */
    bool is_causal;     /* default: false. true: query i sees no key behind its position, which is
                           i, as in PyTorch: the upper left triangle where L is not S */
    bool lower_right; /* default: false. true: query i stands at position i + S - L, the last one at
                         the last key: torch.nn.attention.bias.causal_lower_right with is_causal */
    int window;       /* default: 0, no end. Keys `window` or more away from the query are masked:
                         with is_causal it sees so many keys, its own among them */
    bool alibi;       /* default: false. true: - slope times the distance is added to each score,
                         with the slopes of Press et al., "Train short, test long", 2022 */
    bool heads_inside; /* default: false. true: q is (N, L, H, E), k (N, S, Hk, E), v (N, S, Hk, Ev)
                          and the result (N, L, H, Ev): what nn_linear gives, seen as heads by
                          nn_reshape, and no transposition */
} nn_scaled_dot_product_attention_desc;

/* softmax(q k^T scale + bias) v (N, H, L, Ev) of q (N, H, L, E), k (N, Hk, S, E) and v (N, Hk, S,
   Ev), f32; k and v may be f16 and bf16 and are read as they are stored. H is a multiple of Hk:
   H / Hk query heads share each key head, as with PyTorch's enable_gqa. E and Ev are any numbers,
   N, L and S may be free. Source: Vaswani et al., "Attention is all you need", 2017.

   Scores are never stored: memory grows with L and S and not with their product, and the gradient
   computes them again. A query all of whose keys are masked has a row of zeros, and gives and gets
   no gradient; nothing of a masked key reaches a result, not even a NaN. PyTorch's CPU has NaN
   there. A length, a position or a start that does not fit is a fault of the step (NN_ERROR_LABEL);
   a start behind its query leaves it no key. desc may be NULL. */
NN_API nn_node *
nn_scaled_dot_product_attention_at(nn_site site, nn_model *net, nn_node *q, nn_node *k, nn_node *v,
                                   const nn_scaled_dot_product_attention_desc *desc);
#define nn_scaled_dot_product_attention(...)                                                       \
    nn_scaled_dot_product_attention_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------- */

/* The masks of a call on tensors, in the place of desc's; each may be NULL. */
typedef struct nn_attention_masks {
    const nn_tensor *attn_mask, *lengths, *positions, *starts;
    nn_tensor *dattn_mask; /* f32 and shaped as attn_mask, which must be f32: the backward call
                              overwrites it with the gradient. NULL: not wanted */
} nn_attention_masks;

/* y as above. log_sum (N, H, L) f32, the logarithm of the sum of each row's exp(score), is for the
   backward call; it may be NULL. masks and desc may be NULL; desc's nodes must be. There is no
   dropout here: dropout_p must be 0. A length, position or start that does not fit is an error, and
   nothing was written. */
NN_API nn_result nn_scaled_dot_product_attention_forward_at(
    nn_site site, nn_tensor *y, nn_tensor *log_sum, const nn_tensor *q, const nn_tensor *k,
    const nn_tensor *v, const nn_attention_masks *masks,
    const nn_scaled_dot_product_attention_desc *desc);
#define nn_scaled_dot_product_attention_forward(...)                                               \
    nn_scaled_dot_product_attention_forward_at(NN_HERE, __VA_ARGS__)
#ifndef NN_NO_TRAINING
/* dq, dk and dv, f32 and shaped as q, k and v, are overwritten; each may be NULL, and so may
   masks->dattn_mask. y and log_sum are
   what the forward call gave. */
NN_API nn_result nn_scaled_dot_product_attention_backward_at(
    nn_site site, nn_tensor *dq, nn_tensor *dk, nn_tensor *dv, const nn_tensor *dy,
    const nn_tensor *y, const nn_tensor *log_sum, const nn_tensor *q, const nn_tensor *k,
    const nn_tensor *v, const nn_attention_masks *masks,
    const nn_scaled_dot_product_attention_desc *desc);
#define nn_scaled_dot_product_attention_backward(...)                                              \
    nn_scaled_dot_product_attention_backward_at(NN_HERE, __VA_ARGS__)
#endif

#ifdef __cplusplus
extern "C++" {
inline nn_node *
nn_scaled_dot_product_attention_at(nn_site site, nn_model *net, nn_node *q, nn_node *k, nn_node *v,
                                   const nn_scaled_dot_product_attention_desc &desc) {
    return nn_scaled_dot_product_attention_at(site, net, q, k, v, &desc);
}
inline nn_result
nn_scaled_dot_product_attention_forward_at(nn_site site, nn_tensor *y, nn_tensor *log_sum,
                                           const nn_tensor *q, const nn_tensor *k,
                                           const nn_tensor *v, const nn_attention_masks *masks,
                                           const nn_scaled_dot_product_attention_desc &desc) {
    return nn_scaled_dot_product_attention_forward_at(site, y, log_sum, q, k, v, masks, &desc);
}
#ifndef NN_NO_TRAINING
inline nn_result nn_scaled_dot_product_attention_backward_at(
    nn_site site, nn_tensor *dq, nn_tensor *dk, nn_tensor *dv, const nn_tensor *dy,
    const nn_tensor *y, const nn_tensor *log_sum, const nn_tensor *q, const nn_tensor *k,
    const nn_tensor *v, const nn_attention_masks *masks,
    const nn_scaled_dot_product_attention_desc &desc) {
    return nn_scaled_dot_product_attention_backward_at(site, dq, dk, dv, dy, y, log_sum, q, k, v,
                                                       masks, &desc);
}
#endif
}
#endif
