/* ops/attention_private.h - what the description of attention and its immediate calls share. */
#pragma once

#include "ops/attention.h"
#include "ops/cache.h"
#include "ops/private.h"

enum {
    NN__ATTENTION_MASK,
    NN__ATTENTION_LENGTHS,
    NN__ATTENTION_POSITIONS,
    NN__ATTENTION_STARTS,
    NN__ATTENTION_MASKS
};

/* Where the heads of q, k or v lie in the rows of another tensor, which is the input in their
   place (ops/attention_fusion.c). row: numbers of a row; 0: they have a tensor of their own. */
typedef struct nn__attention_part {
    int32_t first, row;
    nn_shape shape; /* of q, k or v */
} nn__attention_part;

/* Returns the view of the part, from that of the whole tensor. */
static inline NN__UNUSED nn_view nn__part_view(const nn__attention_part *part, nn_view whole,
                                               const nn__run_values *values) {
    if (!part->row) return whole;
    whole.offset += (uint64_t)part->first * nn_dtype_size(whole.dtype);
    nn__resolve_shape(&whole.shape, &part->shape, values->batch, values->time);
    return whole;
}

/* The params of a cache. Inputs: x, positions. A pair of caches also has the x of the second one,
   which is output 1. The desc comes first. */
typedef struct nn__op_cache {
    nn_cache_desc desc;
    nn__attention_part parts[2]; /* of each x */
    bool pair;
} nn__op_cache;

/* Inputs: q, k, v, then those of attn_mask, lengths, positions and starts that `has` names. The
   gradient node has dy, y and log_sum before them. */
typedef struct nn__op_attention {
    nn_scaled_dot_product_attention_desc desc; /* its nodes are NULL */
    bool has[NN__ATTENTION_MASKS];
    bool gives[4]; /* which gradients: of q, k, v, attn_mask */
    uint64_t stream;
    nn__attention_part parts[3];
    /* the gradient's output 0 is that of the tensor that holds q, k and v */
    bool joined;
} nn__op_attention;

enum { NN__ATTENTION_INPUTS = 3 + 3 + NN__ATTENTION_MASKS }; /* most inputs of a node */

NN_PRIVATE nn__op_attention
nn__op_attention_params(const nn_scaled_dot_product_attention_desc *desc);
/* Fills in the args of both kernels, from views of the inputs. */
NN_PRIVATE void nn__op_attention_args(nn_attention_args *args, const nn__op_attention *params,
                                      const nn_view *inputs);
NN_PRIVATE bool nn__op_attention_infer(nn__inference *inference);
#ifndef NN_NO_SPEEDUPS
NN_PRIVATE const nn__fusion *nn__op_attention_fusion(void);
#endif
