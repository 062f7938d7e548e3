/* ops/attention_private.h - what the description of attention and its immediate calls share. */
#pragma once

#include "ops/attention.h"
#include "ops/private.h"

enum {
    NN__ATTENTION_MASK,
    NN__ATTENTION_LENGTHS,
    NN__ATTENTION_POSITIONS,
    NN__ATTENTION_STARTS,
    NN__ATTENTION_MASKS
};

/* Inputs: q, k, v, then those of attn_mask, lengths, positions and starts that `has` names. The
   gradient node has dy, y and log_sum before them. */
typedef struct nn__op_attention {
    nn_scaled_dot_product_attention_desc desc; /* its nodes are NULL */
    bool has[NN__ATTENTION_MASKS];
    bool gives[4]; /* which gradients: of q, k, v, attn_mask */
    uint64_t stream;
} nn__op_attention;

NN_PRIVATE nn__op_attention
nn__op_attention_params(const nn_scaled_dot_product_attention_desc *desc);
/* Fills in the args of both kernels, from views of the inputs. */
NN_PRIVATE void nn__op_attention_args(nn_attention_args *args, const nn__op_attention *params,
                                      const nn_view *inputs);
NN_PRIVATE bool nn__op_attention_infer(nn__inference *inference);
