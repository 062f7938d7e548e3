/* language/text_encoder.c - builds BERT and its relatives, in which every id sees every other one,
   and the pooling that makes one vector of a text. */
#include "language/models_private.h"

/* Turns the mask into (N, 1, 1, L) u8, where 0 masks the key. */
static nn_node *nn__encoder_mask(const nn__lm *lm, nn_node *mask) {
    nn_shape shape = nn_node_shape(mask);
    shape.rank = 4;
    shape.extent[3] = shape.extent[1];
    shape.extent[1] = shape.extent[2] = 1;
    mask = nn_expression_at(lm->site, "mask", lm->net, "mask: mask != 0",
                            nn_cast_at(lm->site, lm->net, mask, NN_F32), (nn_node *)0);
    return nn_reshape_at(lm->site, lm->net, nn_cast_at(lm->site, lm->net, mask, NN_U8), shape);
}

static nn_node *nn__encoder_attention(nn__lm *lm, nn_node *x, nn_node *mask) {
    static const char *const names[3] = {"attention.self.query", "attention.self.key",
                                         "attention.self.value"};
    const nn_config *c = lm->config;
    nn_scaled_dot_product_attention_desc desc;
    nn_node *part[3];
    for (int i = 0; i < 3; i++)
        part[i] =
            nn__text_heads(lm->site, lm->net, nn__lm_linear(lm, names[i], x, c->hidden_size, true),
                           c->num_attention_heads, c->head_dim);
    memset(&desc, 0, sizeof desc);
    desc.heads_inside = true;
    desc.attn_mask = mask;
    desc.dropout_p = c->attention_dropout;
    x = nn_scaled_dot_product_attention_at(lm->site, lm->net, part[0], part[1], part[2], &desc);
    x = nn__text_no_heads(lm->site, lm->net, x);
    return nn__lm_linear(lm, "attention.output.dense", x, c->hidden_size, true);
}

/* Builds a layer; its norms come after the sums. */
static nn_node *nn__encoder_layer(nn__lm *lm, int layer, nn_node *x, nn_node *mask) {
    const nn_config *c = lm->config;
    nn_node *h;
    nn__lm_layer(lm, "encoder.layer.", layer);
    h = nn__lm_dropout(lm, nn__encoder_attention(lm, x, mask), c->hidden_dropout);
    x = nn__lm_norm(lm, "attention.output.LayerNorm", nn_add_at(lm->site, lm->net, h, x));
    h = nn__lm_linear(lm, "intermediate.dense", x, c->intermediate_size, true);
    h = nn__text_act(lm->site, lm->net, c->hidden_act, h);
    h = nn__lm_linear(lm, "output.dense", h, c->hidden_size, true);
    h = nn__lm_dropout(lm, h, c->hidden_dropout);
    return nn__lm_norm(lm, "output.LayerNorm", nn_add_at(lm->site, lm->net, h, x));
}

static nn_node *nn__encoder_embeddings(nn__lm *lm, nn_node *ids, nn_node *type_ids) {
    const nn_config *c = lm->config;
    nn_node *x, *zeros;
    memcpy(lm->prefix, "embeddings.", sizeof "embeddings.");
    if (!type_ids) {
        zeros = nn_cast_at(lm->site, lm->net, ids, NN_F32);
        zeros = nn_scale_at(lm->site, lm->net, zeros, 0.0f);
        type_ids = nn_cast_at(lm->site, lm->net, zeros, NN_I32);
    }
    x = nn__lm_embedding(lm, "word_embeddings", ids, c->vocab_size);
    x = nn_add_at(lm->site, lm->net, x,
                  nn__lm_embedding(lm, "token_type_embeddings", type_ids, c->type_vocab_size));
    x = nn_add_at(lm->site, lm->net, x,
                  nn__lm_embedding(lm, "position_embeddings",
                                   nn__text_positions(lm->site, lm->net, ids, NULL),
                                   c->max_position_embeddings));
    return nn__lm_dropout(lm, nn__lm_norm(lm, "LayerNorm", x), c->hidden_dropout);
}

/* ---- pooling --------------------------------------------------------------------------------- */

/* Pools x (N, L, E) to (N, E): the mean of the rows for which the mask (N, L) is not 0. */
static nn_node *nn__encoder_mean(const nn__lm *lm, nn_node *x, nn_node *mask) {
    nn_axes rows;
    nn_node *weight, *count;
    memset(&rows, 0, sizeof rows);
    rows.count = 1;
    rows.axis[0] = 1;
    if (!mask) return nn_reduce_at(lm->site, lm->net, NN_MEAN, x, rows, false);
    weight = nn_expression_at(lm->site, "mask", lm->net, "mask: mask != 0",
                              nn_cast_at(lm->site, lm->net, mask, NN_F32), (nn_node *)0);
    weight = nn_unsqueeze_at(lm->site, lm->net, weight, 2);
    count = nn_reduce_at(lm->site, lm->net, NN_SUM, weight, rows, false);
    x = nn_multiply_at(lm->site, lm->net, x, weight);
    x = nn_reduce_at(lm->site, lm->net, NN_SUM, x, rows, false);
    return nn_divide_at(lm->site, lm->net, x, nn_clamp_min_at(lm->site, lm->net, count, 1.0f));
}

/* Picks the first row by an index, because a free extent cannot be sliced. */
static nn_node *nn__encoder_cls(const nn__lm *lm, nn_node *x, nn_node *ids) {
    nn_shape shape = nn_node_shape(x), one;
    nn_axes all;
    nn_node *zero = nn_scale_at(lm->site, lm->net, nn_cast_at(lm->site, lm->net, ids, NN_F32), 0);
    memset(&all, 0, sizeof all);
    memset(&one, 0, sizeof one);
    one.rank = one.extent[0] = 1;
    zero = nn_reduce_at(lm->site, lm->net, NN_MAX, zero, all, false);
    zero = nn_cast_at(lm->site, lm->net, nn_reshape_at(lm->site, lm->net, zero, one), NN_I32);
    shape.rank = 2;
    shape.extent[1] = shape.extent[2];
    shape.extent[2] = 0;
    return nn_reshape_at(lm->site, lm->net, nn_index_select_at(lm->site, lm->net, x, 1, zero),
                         shape);
}

NN_API nn_node *nn_text_encoder_at(nn_site site, nn_model *net, nn_node *ids,
                                   const nn_text_encoder_desc *desc) {
    static const char operation[] = "text_encoder", fix[] = "as nn_encode_batch fills it";
    nn_config config;
    nn__lm lm;
    nn_node *x, *mask = NULL;
    if (!net) return NULL;
    x = nn__config_copy(site, net, operation, desc ? desc->config : NULL, 1u << NN_FAMILY_BERT,
                        &config);
    if (!x) x = nn__text_ids(site, net, operation, ids, "ids");
    if (!x) x = nn__text_longer(site, net, operation, ids, config.max_position_embeddings);
    if (!x) x = nn__text_shaped_as_ids(site, net, operation, desc->mask, ids, "mask", fix);
    if (!x) x = nn__text_shaped_as_ids(site, net, operation, desc->type_ids, ids, "type_ids", fix);
    if (!x && (unsigned)desc->pooling > NN_POOLING_CLS)
        x = nn_record_fault_at(site, net, operation, NULL,
                               "desc.pooling is not a value of nn_pooling",
                               "NN_POOLING_NONE, NN_POOLING_MEAN or NN_POOLING_CLS");
    if (x) return x;
    memset(&lm, 0, sizeof lm);
    lm.site = site;
    lm.net = net;
    lm.config = &config;
    lm.shared = desc->shared;
    if (desc->mask) mask = nn__encoder_mask(&lm, desc->mask);
    x = nn__encoder_embeddings(&lm, ids, desc->type_ids);
    for (int i = 0; i < config.num_hidden_layers; i++) x = nn__encoder_layer(&lm, i, x, mask);
    if (desc->pooling == NN_POOLING_MEAN) x = nn__encoder_mean(&lm, x, desc->mask);
    if (desc->pooling == NN_POOLING_CLS) x = nn__encoder_cls(&lm, x, ids);
    return desc->normalize ? nn_normalize_at(site, net, x, -1) : x;
}
