/* ops/transformer.h - attention with its projections, and the layer of an encoder around it.
   torch.nn. */
#pragma once

#include "graph/model.h"
#include "kernels/epilogue.h"

/* torch.nn.MultiheadAttention with batch_first=True: the batch is always first here. */
typedef struct nn_multihead_attention_desc {
    int num_heads; /* must be given; embed_dim, the features of the query, is a multiple of it */
    float dropout; /* default: 0. Of the weights, and in training alone */
    bool no_bias;  /* default: false, the projections have biases */
    /* default: none. (N, S) u8, bool or f32: not 0 masks the key, as True does in PyTorch */
    nn_node *key_padding_mask;
    nn_node *lengths; /* default: none. (N) i32: so many keys of each sample count. The same as a
                         mask of padding behind them, and faster */
    /* default: none. (L, S) or (N, 1, L, S) and the like: f32 is added to the scores; of u8 and
       bool what is not 0 masks, as True does in PyTorch's layer, and unlike
       nn_scaled_dot_product_attention_desc.attn_mask */
    nn_node *attn_mask;
    bool is_causal; /* default: false. true: a query sees no key behind it, and attn_mask is not
                       needed for that */
    bool shared;    /* default: false, the name must be new. true: the parameters of the layer of
                       this name described before, if there is one */
} nn_multihead_attention_desc;

/* (N, L, embed_dim) of query (N, L, embed_dim), key (N, S, kdim) and value (N, S, vdim), f32; N, L
   and S may be free. key NULL: the query; value NULL: the key. Parameters as in torch.nn:
   "name.in_proj_weight" (3 embed_dim, embed_dim), or where kdim or vdim differ
   "name.q_proj_weight", "name.k_proj_weight" and "name.v_proj_weight"; "name.in_proj_bias" (3
   embed_dim), "name.out_proj.weight" and "name.out_proj.bias", with PyTorch's first values. The
   weights are not returned: need_weights=False. A query all of whose keys are masked attends to
   nothing, where PyTorch has NaN. */
NN_API nn_node *nn_multihead_attention_at(nn_site site, nn_model *net, const char *name,
                                          nn_node *query, nn_node *key, nn_node *value,
                                          const nn_multihead_attention_desc *desc);
#define nn_multihead_attention(...) nn_multihead_attention_at(NN_HERE, __VA_ARGS__)

/* torch.nn.TransformerEncoderLayer with batch_first=True. */
typedef struct nn_transformer_encoder_layer_desc {
    int nhead;                /* must be given; x's features are a multiple of it */
    int dim_feedforward;      /* default: 2048 */
    float dropout;            /* default: 0.1; NN_NONE: 0 */
    nn_activation activation; /* default: NN_ACTIVATION_RELU; or NN_ACTIVATION_GELU */
    float layer_norm_eps;     /* default: 1e-5 */
    bool norm_first;          /* default: false. true: norms stand before attention and before the
                                 feed-forward part, not behind */
    bool no_bias;             /* default: false, products and norms have biases */
    nn_node *src_key_padding_mask, *lengths, *src_mask; /* as nn_multihead_attention's */
    bool is_causal;                                     /* likewise */
    bool shared; /* default: false, the name must be new. true: the parameters of the layer of this
                    name described before, if there is one */
} nn_transformer_encoder_layer_desc;

/* Of x (N, L, d_model), with its shape. Parameters as in torch.nn: "name.self_attn.in_proj_weight"
   and those beside it, "name.linear1.weight", "name.linear2.weight", "name.norm1.weight",
   "name.norm2.weight", and their biases. */
NN_API nn_node *nn_transformer_encoder_layer_at(nn_site site, nn_model *net, const char *name,
                                                nn_node *x,
                                                const nn_transformer_encoder_layer_desc *desc);
#define nn_transformer_encoder_layer(...) nn_transformer_encoder_layer_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_multihead_attention_at(nn_site site, nn_model *net, const char *name,
                                          nn_node *query, nn_node *key, nn_node *value,
                                          const nn_multihead_attention_desc &desc) {
    return nn_multihead_attention_at(site, net, name, query, key, value, &desc);
}
inline nn_node *nn_transformer_encoder_layer_at(nn_site site, nn_model *net, const char *name,
                                                nn_node *x,
                                                const nn_transformer_encoder_layer_desc &desc) {
    return nn_transformer_encoder_layer_at(site, net, name, x, &desc);
}
}
#endif
