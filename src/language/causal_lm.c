/* language/causal_lm.c - builds the nets of GPT-2, Llama, Mistral, Qwen 2 and Qwen 3 from nn.h's
   operations, under the names that transformers' files use. */
#include "language/models_private.h"

/* ---- small things ---------------------------------------------------------------------------- */

/* Returns prefix + part, which is valid until the next call. */
static const char *nn__lm_name(nn__lm *lm, const char *part) {
    size_t before = strlen(lm->prefix), behind = strlen(part);
    memcpy(lm->name, lm->prefix, before);
    memcpy(lm->name + before, part, behind + 1);
    return lm->name;
}

NN__TEXT_PRIVATE void nn__lm_layer(nn__lm *lm, const char *of, int layer) {
    char digits[12];
    int count = 0;
    size_t length = strlen(of);
    memcpy(lm->prefix, of, length);
    do digits[count++] = (char)('0' + layer % 10);
    while ((layer /= 10) > 0);
    while (count > 0) lm->prefix[length++] = digits[--count];
    lm->prefix[length++] = '.';
    lm->prefix[length] = 0;
}

NN__TEXT_PRIVATE nn_node *nn__lm_linear(nn__lm *lm, const char *part, nn_node *x, int32_t out,
                                        bool bias) {
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = out;
    desc.no_bias = !bias;
    desc.shared = lm->shared;
    return lm->config->family == NN_FAMILY_GPT2
               ? nn_linear_transposed_at(lm->site, lm->net, nn__lm_name(lm, part), x, &desc)
               : nn_linear_at(lm->site, lm->net, nn__lm_name(lm, part), x, &desc);
}

NN__TEXT_PRIVATE nn_node *nn__lm_norm(nn__lm *lm, const char *part, nn_node *x) {
    if (lm->config->family == NN_FAMILY_LLAMA) {
        nn_rms_norm_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.epsilon = lm->config->norm_eps;
        desc.shared = lm->shared;
        return nn_rms_norm_at(lm->site, lm->net, nn__lm_name(lm, part), x, &desc);
    } else {
        nn_layer_norm_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.epsilon = lm->config->norm_eps;
        desc.shared = lm->shared;
        return nn_layer_norm_at(lm->site, lm->net, nn__lm_name(lm, part), x, &desc);
    }
}

NN__TEXT_PRIVATE nn_node *nn__lm_embedding(nn__lm *lm, const char *part, nn_node *index,
                                           int32_t count) {
    nn_embedding_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.num_embeddings = count;
    desc.embedding_dim = lm->config->hidden_size;
    desc.shared = lm->shared;
    return nn_embedding_at(lm->site, lm->net, nn__lm_name(lm, part), index, &desc);
}

NN__TEXT_PRIVATE nn_node *nn__lm_dropout(const nn__lm *lm, nn_node *x, float probability) {
    return probability > 0 ? nn_dropout_at(lm->site, lm->net, x, probability) : x;
}

NN__TEXT_PRIVATE nn_node *nn__text_act(nn_site site, nn_model *net, nn_hidden_act act, nn_node *x) {
    switch (act) {
    case NN_HIDDEN_ACT_GELU: return nn_gelu_at(site, net, x);
    case NN_HIDDEN_ACT_SILU: return nn_silu_at(site, net, x);
    case NN_HIDDEN_ACT_RELU: return nn_relu_at(site, net, x);
    default: return nn_gelu_tanh_at(site, net, x);
    }
}

NN__TEXT_PRIVATE nn_node *nn__text_heads(nn_site site, nn_model *net, nn_node *x, int32_t heads,
                                         int32_t size) {
    nn_shape sizes;
    memset(&sizes, 0, sizeof sizes);
    sizes.rank = 2;
    sizes.extent[0] = heads;
    sizes.extent[1] = size;
    return nn_unflatten_at(site, net, x, 2, sizes);
}
NN__TEXT_PRIVATE nn_node *nn__text_no_heads(nn_site site, nn_model *net, nn_node *x) {
    nn_shape shape = nn_node_shape(x);
    if (shape.rank != 4) return x; /* the node is poisoned */
    shape.rank = 3;
    shape.extent[2] *= shape.extent[3];
    shape.extent[3] = 0;
    return nn_reshape_at(site, net, x, shape);
}

NN__TEXT_PRIVATE nn_node *nn__text_positions(nn_site site, nn_model *net, nn_node *ids,
                                             nn_node *positions) {
    nn_node *x = nn_cast_at(site, net, ids, NN_F32);
    x = nn_expression_at(site, "x", net, "x: 0 * x + 1", x, (nn_node *)0);
    x = nn_offset_at(site, net, nn_cumsum_at(site, net, x, 1), -1.0f);
    if (positions)
        x = nn_add_at(site, net, x,
                      nn_unsqueeze_at(site, net, nn_cast_at(site, net, positions, NN_F32), 1));
    return nn_cast_at(site, net, x, NN_I32);
}

NN__TEXT_PRIVATE nn_node *nn__text_longer(nn_site site, nn_model *net, const char *operation,
                                          const nn_node *ids, int32_t rows) {
    const nn_shape shape = nn_node_shape(ids);
    if (shape.rank != 2 || shape.extent[1] <= rows) return NULL; /* free extents are negative */
    return nn_record_fault_at(
        site, net, operation, NULL,
        "ids has more positions than the model's position table has rows",
        "give rows of at most max_position_embeddings ids, or .positions and a .cache");
}

/* ---- attention ------------------------------------------------------------------------------- */

/* Returns the scale of a layer's scores; 0 means the usual one, 1 / sqrt(head_dim). */
static float nn__lm_scale(const nn_config *config, int layer) {
    double root = 1.0, size = config->head_dim;
    if (!config->no_attention_scale && !config->scale_by_layer) return 0.0f;
    for (int i = 0; i < 60 && !config->no_attention_scale; i++)
        root = 0.5 * (root + size / root); /* a step of Newton's method */
    return (float)(1.0 / root / (config->scale_by_layer ? layer + 1 : 1));
}

/* Returns the keys or values of all positions so far. */
static nn_node *nn__lm_cache(nn__lm *lm, const char *part, nn_node *x) {
    nn_cache_desc desc;
    if (lm->cache == 0) return x;
    memset(&desc, 0, sizeof desc);
    desc.length = lm->cache;
    desc.dtype = lm->cache_dtype;
    desc.heads_inside = true;
    return nn_cache_at(lm->site, lm->net, nn__lm_name(lm, part), x, lm->positions, &desc);
}

static nn_node *nn__lm_attend(nn__lm *lm, int layer, nn_node *q, nn_node *k, nn_node *v) {
    const nn_config *config = lm->config;
    nn_scaled_dot_product_attention_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.heads_inside = true;
    desc.is_causal = true;
    desc.dropout_p = config->attention_dropout;
    if (nn__config_windowed(config, layer)) desc.window = config->sliding_window;
    desc.scale = nn__lm_scale(config, layer);
    if (lm->cache > 0) desc.positions = lm->positions;
    desc.starts = lm->starts;
    k = nn__lm_cache(lm, "cache.keys", k);
    v = nn__lm_cache(lm, "cache.values", v);
    q = nn_scaled_dot_product_attention_at(lm->site, lm->net, q, k, v, &desc);
    return nn__text_no_heads(lm->site, lm->net, q);
}

static nn_node *nn__lm_rotary(const nn__lm *lm, nn_node *x) {
    const nn_config *config = lm->config;
    nn_rotary_embedding_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.base = config->rope_theta;
    desc.heads_inside = true;
    desc.positions = lm->positions;
    desc.factor = config->rope_factor;
    desc.original_max_position_embeddings = config->rope_original_max_position_embeddings;
    desc.low_freq_factor = config->rope_low_freq_factor;
    desc.high_freq_factor = config->rope_high_freq_factor;
    return nn_rotary_embedding_at(lm->site, lm->net, x, &desc);
}

static nn_node *nn__lm_llama_attention(nn__lm *lm, int layer, nn_node *x) {
    const nn_config *c = lm->config;
    const int32_t size = c->head_dim;
    nn_node *q =
        nn__lm_linear(lm, "self_attn.q_proj", x, c->num_attention_heads * size, c->qkv_bias);
    nn_node *k =
        nn__lm_linear(lm, "self_attn.k_proj", x, c->num_key_value_heads * size, c->qkv_bias);
    nn_node *v =
        nn__lm_linear(lm, "self_attn.v_proj", x, c->num_key_value_heads * size, c->qkv_bias);
    q = nn__text_heads(lm->site, lm->net, q, c->num_attention_heads, size);
    k = nn__text_heads(lm->site, lm->net, k, c->num_key_value_heads, size);
    v = nn__text_heads(lm->site, lm->net, v, c->num_key_value_heads, size);
    if (c->qk_norm) {
        q = nn__lm_norm(lm, "self_attn.q_norm", q);
        k = nn__lm_norm(lm, "self_attn.k_norm", k);
    }
    x = nn__lm_attend(lm, layer, nn__lm_rotary(lm, q), nn__lm_rotary(lm, k), v);
    return nn__lm_linear(lm, "self_attn.o_proj", x, c->hidden_size, c->out_bias);
}

static nn_node *nn__lm_gpt2_attention(nn__lm *lm, int layer, nn_node *x) {
    const nn_config *c = lm->config;
    nn_node *all = nn__lm_linear(lm, "attn.c_attn", x, 3 * c->hidden_size, true), *part[3];
    for (int i = 0; i < 3; i++) {
        nn_slice_desc slice;
        memset(&slice, 0, sizeof slice);
        slice.axis = 2;
        slice.start = i * c->hidden_size;
        slice.stop = (i + 1) * c->hidden_size;
        part[i] = nn__text_heads(lm->site, lm->net, nn_slice_at(lm->site, lm->net, all, &slice),
                                 c->num_attention_heads, c->head_dim);
    }
    x = nn__lm_attend(lm, layer, part[0], part[1], part[2]);
    return nn__lm_linear(lm, "attn.c_proj", x, c->hidden_size, true);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static nn_node *nn__lm_feed_forward(nn__lm *lm, nn_node *x) {
    const nn_config *c = lm->config;
    nn_node *up;
    if (c->family == NN_FAMILY_GPT2) {
        x = nn__lm_linear(lm, "mlp.c_fc", x, c->intermediate_size, true);
        x = nn__text_act(lm->site, lm->net, c->hidden_act, x);
        return nn__lm_linear(lm, "mlp.c_proj", x, c->hidden_size, true);
    }
    up = nn__lm_linear(lm, "mlp.up_proj", x, c->intermediate_size, c->mlp_bias);
    x = nn__lm_linear(lm, "mlp.gate_proj", x, c->intermediate_size, c->mlp_bias);
    x = nn__text_act(lm->site, lm->net, c->hidden_act, x);
    x = nn_multiply_at(lm->site, lm->net, x, up);
    return nn__lm_linear(lm, "mlp.down_proj", x, c->hidden_size, c->mlp_bias);
}

static nn_node *nn__lm_one_layer(nn__lm *lm, int layer, nn_node *x) {
    const bool gpt2 = lm->config->family == NN_FAMILY_GPT2;
    nn_node *h;
    nn__lm_layer(lm, gpt2 ? "transformer.h." : "model.layers.", layer);
    h = nn__lm_norm(lm, gpt2 ? "ln_1" : "input_layernorm", x);
    h = gpt2 ? nn__lm_gpt2_attention(lm, layer, h) : nn__lm_llama_attention(lm, layer, h);
    x = nn_add_at(lm->site, lm->net, x, nn__lm_dropout(lm, h, lm->config->hidden_dropout));
    h = nn__lm_norm(lm, gpt2 ? "ln_2" : "post_attention_layernorm", x);
    h = nn__lm_feed_forward(lm, h);
    return nn_add_at(lm->site, lm->net, x, nn__lm_dropout(lm, h, lm->config->hidden_dropout));
}

/* Builds the head, with a weight of its own or with the table of the embedding as its weight. */
static nn_node *nn__lm_head(nn__lm *lm, nn_node *x) {
    const bool tied = lm->config->tie_word_embeddings, gpt2 = lm->config->family == NN_FAMILY_GPT2;
    nn_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_features = lm->config->vocab_size;
    desc.no_bias = true;
    desc.shared = tied || lm->shared;
    return nn_linear_at(lm->site, lm->net,
                        !tied  ? "lm_head"
                        : gpt2 ? "transformer.wte"
                               : "model.embed_tokens",
                        x, &desc);
}

NN__TEXT_PRIVATE nn_node *nn__text_ids(nn_site site, nn_model *net, const char *operation,
                                       nn_node *ids, const char *role) {
    const char *cause = NULL;
    char text[96];
    if (!ids)
        cause = " is NULL";
    else if (nn_node_shape(ids).rank != 2 && nn_node_shape(ids).rank != 0)
        cause = " is not (N, L)";
    else if (nn_node_shape(ids).rank == 2 && nn_node_dtype(ids) != NN_I32)
        cause = " is not i32";
    if (!cause) return NULL;
    memcpy(text, role, strlen(role));
    memcpy(text + strlen(role), cause, strlen(cause) + 1);
    return nn_record_fault_at(site, net, operation, NULL, text,
                              "wanted i32 of (N, L), as nn_encode_batch fills it");
}

NN__TEXT_PRIVATE nn_node *nn__text_shaped_as_ids(nn_site site, nn_model *net, const char *operation,
                                                 const nn_node *node, const nn_node *ids,
                                                 const char *role, const char *fix) {
    static const char cause[] = " is not i32 of the shape of ids";
    char text[96];
    nn_shape shape, wanted;
    if (!node) return NULL;
    shape = nn_node_shape(node);
    wanted = nn_node_shape(ids);
    if (shape.rank == 0 || wanted.rank == 0) return NULL; /* poisoned */
    if (nn_node_dtype(node) == NN_I32 && nn_same_shape(shape, wanted)) return NULL;
    memcpy(text, role, strlen(role));
    memcpy(text + strlen(role), cause, sizeof cause);
    return nn_record_fault_at(site, net, operation, NULL, text, fix);
}

/* True if positions are i32 of (N), and for poisoned nodes. */
static bool nn__lm_is_column(const nn_node *positions, const nn_node *ids) {
    const nn_shape shape = nn_node_shape(positions), wanted = nn_node_shape(ids);
    if (shape.rank == 0 || wanted.rank == 0) return true;
    return nn_node_dtype(positions) == NN_I32 && shape.rank == 1 &&
           shape.extent[0] == wanted.extent[0];
}

/* Returns NULL if the positions and the cache are as they should be, otherwise the fault's node. */
static nn_node *nn__lm_check_cache(nn_site site, nn_model *net, const nn_config *config,
                                   const nn_node *ids, const nn_causal_lm_desc *desc) {
    const bool table = config->family == NN_FAMILY_GPT2;
    const char *cause = desc->cache < 0 ? "desc.cache is negative"
                        : desc->cache > 0 && !desc->positions
                            ? "desc.cache is given, but desc.positions is missing"
                        : table && desc->cache > config->max_position_embeddings
                            ? "desc.cache is longer than the model's position table"
                        : desc->positions && !nn__lm_is_column(desc->positions, ids)
                            ? "desc.positions is not i32 of (N)"
                            : NULL;
    return cause ? nn_record_fault_at(site, net, "causal_lm", NULL, cause,
                                      "give .positions, an i32 input of shape (NN_BATCH), and a "
                                      ".cache of at most max_position_embeddings")
                 : NULL;
}

/* For packed texts: turns positions in a row into positions in each text. */
static nn_node *nn__lm_restart(const nn__lm *lm, nn_node *positions) {
    nn_node *from = nn_cast_at(lm->site, lm->net, lm->starts, NN_F32);
    positions = nn_cast_at(lm->site, lm->net, positions, NN_F32);
    return nn_cast_at(lm->site, lm->net,
                      nn_subtract_at(lm->site, lm->net, positions, from), NN_I32);
}

/* Returns NULL if starts are as they should be or absent, otherwise the fault's node. */
static nn_node *nn__lm_check_starts(nn_site site, nn_model *net, const nn_node *ids,
                                    const nn_causal_lm_desc *desc) {
    if (desc->starts && (desc->cache || desc->positions))
        return nn_record_fault_at(site, net, "causal_lm", NULL,
                                  "desc.starts is given together with desc.positions or desc.cache",
                                  "packed texts are for training; leave .positions and .cache out");
    return nn__text_shaped_as_ids(site, net, "causal_lm", desc->starts, ids, "starts",
                                  "as nn_fill_answers fills it");
}

NN_API nn_node *nn_causal_lm_at(nn_site site, nn_model *net, nn_node *ids,
                                const nn_causal_lm_desc *desc) {
    nn_config config;
    nn__lm lm;
    nn_node *x, *positions = NULL;
    bool gpt2;
    if (!net) return NULL;
    x = nn__config_copy(site, net, "causal_lm", desc ? desc->config : NULL,
                        1u << NN_FAMILY_GPT2 | 1u << NN_FAMILY_LLAMA, &config);
    if (!x) x = nn__text_ids(site, net, "causal_lm", ids, "ids");
    if (!x && config.family == NN_FAMILY_GPT2 && !desc->starts)
        x = nn__text_longer(site, net, "causal_lm", ids, config.max_position_embeddings);
    if (!x) x = nn__lm_check_cache(site, net, &config, ids, desc);
    if (!x) x = nn__lm_check_starts(site, net, ids, desc);
    if (x) return x;
    memset(&lm, 0, sizeof lm);
    lm.site = site;
    lm.net = net;
    lm.config = &config;
    lm.positions = desc->positions;
    lm.starts = desc->starts;
    lm.cache = desc->cache;
    lm.cache_dtype = desc->cache_dtype;
    lm.shared = desc->shared;
    gpt2 = config.family == NN_FAMILY_GPT2;
    if (gpt2 || desc->starts) positions = nn__text_positions(site, net, ids, desc->positions);
    if (desc->starts) lm.positions = positions = nn__lm_restart(&lm, positions);
    x = nn__lm_embedding(&lm, gpt2 ? "transformer.wte" : "model.embed_tokens", ids,
                         config.vocab_size);
    if (gpt2)
        x = nn_add_at(site, net, x,
                      nn__lm_embedding(&lm, "transformer.wpe", positions,
                                       config.max_position_embeddings));
    x = nn__lm_dropout(&lm, x, config.embedding_dropout);
    for (int i = 0; i < config.num_hidden_layers; i++) x = nn__lm_one_layer(&lm, i, x);
    lm.prefix[0] = 0;
    x = nn__lm_norm(&lm, gpt2 ? "transformer.ln_f" : "model.norm", x);
    if (desc->last) x = nn_pick_rows_at(site, net, x, desc->last);
    return nn__lm_head(&lm, x);
}
