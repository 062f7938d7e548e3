/* ops/transformer.h - multi-head attention with its projections, and the transformer encoder layer,
   as in torch.nn. */
#pragma once

#include "graph/model.h"
#include "kernels/choices.h"

/* torch.nn.MultiheadAttention with batch_first=True. */
typedef struct nn_multihead_attention_desc {
    int num_heads; /* must be given; divides embed_dim, the features of the query */
    float dropout; /* default: 0. On the attention weights, only in training */
    bool no_bias;  /* default: false, the projections have biases */
    /* default: none. (N, S) u8, bool or f32: a nonzero value masks the key, as True does in
       PyTorch */
    nn_node *key_padding_mask;
    nn_node *lengths; /* default: none. (N) i32: the number of valid keys of each sample. The same
                         as a mask of the padding after them, and faster */
    /* default: none. (L, S), (N, 1, L, S) or another shape that broadcasts. f32 is added to the
       scores. In u8 and bool a nonzero value masks, as True does in PyTorch's layer, and unlike
       nn_scaled_dot_product_attention_desc.attn_mask */
    nn_node *attn_mask;
    /* default: false. true: a query sees no later key; attn_mask is not needed for that */
    bool is_causal;
    bool shared; /* default: false, the name must be new. true: uses the parameters of the earlier
                    layer of this name, if there is one */
} nn_multihead_attention_desc;

/* Returns (N, L, embed_dim) from query (N, L, embed_dim), key (N, S, kdim) and value (N, S, vdim),
   f32; N, L and S may be symbolic. If key is NULL, it is the query; if value is NULL, it is the
   key. Parameters as in torch.nn: "name.in_proj_weight" (3 embed_dim, embed_dim), or where kdim or
   vdim differ "name.q_proj_weight", "name.k_proj_weight" and "name.v_proj_weight";
   "name.in_proj_bias" (3 embed_dim), "name.out_proj.weight" and "name.out_proj.bias", with
   PyTorch's initial values. The attention weights are not returned (need_weights=False). A query
   whose keys are all masked attends to nothing; PyTorch gives NaN. */
NN_API nn_node *nn_multihead_attention_at(nn_site site, nn_model *net, const char *name,
                                          nn_node *query, nn_node *key, nn_node *value,
                                          const nn_multihead_attention_desc *desc);
#define nn_multihead_attention(...) nn_multihead_attention_at(NN_HERE, __VA_ARGS__)

/* torch.nn.TransformerEncoderLayer with batch_first=True. */
typedef struct nn_transformer_encoder_layer_desc {
    int nhead;                /* must be given; divides x's features */
    int dim_feedforward;      /* default: 2048 */
    float dropout;            /* default: 0.1; NN_NONE: 0 */
    nn_activation activation; /* default: NN_ACTIVATION_RELU; or NN_ACTIVATION_GELU */
    float layer_norm_eps;     /* default: 1e-5 */
    /* default: false. true: norms come before attention and feed-forward, not after */
    bool norm_first;
    bool no_bias;             /* default: false, linear layers and norms have biases */
    nn_node *src_key_padding_mask, *lengths, *src_mask; /* as nn_multihead_attention's */
    bool is_causal; /* as nn_multihead_attention's */
    bool shared; /* default: false, the name must be new. true: uses the parameters of the earlier
                    layer of this name, if there is one */
} nn_transformer_encoder_layer_desc;

/* x and the result are (N, L, d_model). Parameters as in torch.nn: "name.self_attn.in_proj_weight"
   and the others of nn_multihead_attention, "name.linear1.weight", "name.linear2.weight",
   "name.norm1.weight", "name.norm2.weight", and their biases. */
NN_API nn_node *nn_transformer_encoder_layer_at(nn_site site, nn_model *net, const char *name,
                                                nn_node *x,
                                                const nn_transformer_encoder_layer_desc *desc);
#define nn_transformer_encoder_layer(...) nn_transformer_encoder_layer_at(NN_HERE, __VA_ARGS__)
