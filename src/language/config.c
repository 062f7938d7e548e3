/* language/config.c - checks the description of a net: fills in defaults, and tests that its
   numbers fit each other. language/config_keys.c reads one from a config.json. */
#include "language/models_private.h"

/* ---- defaults and checks --------------------------------------------------------------------- */

static void nn__config_default(int32_t *field, int64_t value) {
    if (*field == 0 && value <= INT32_MAX) *field = (int32_t)value;
}

static void nn__config_defaults(nn_config *c) {
    static const float eps[4] = {0, 1e-5f, 1e-6f, 1e-12f};
    static const nn_hidden_act acts[4] = {NN_HIDDEN_ACT_DEFAULT, NN_HIDDEN_ACT_GELU_TANH,
                                          NN_HIDDEN_ACT_SILU, NN_HIDDEN_ACT_GELU};
    nn__config_default(&c->num_key_value_heads, c->num_attention_heads);
    if (c->num_attention_heads > 0)
        nn__config_default(&c->head_dim, c->hidden_size / c->num_attention_heads);
    if (c->family != NN_FAMILY_LLAMA)
        nn__config_default(&c->intermediate_size, (int64_t)c->hidden_size * 4);
    if (c->family == NN_FAMILY_BERT) nn__config_default(&c->type_vocab_size, 2);
    if (c->hidden_act == NN_HIDDEN_ACT_DEFAULT) c->hidden_act = acts[c->family];
    if (c->norm_eps == 0.0f) c->norm_eps = eps[c->family];
    if (c->rope_theta == 0.0f) c->rope_theta = 10000.0f;
    if (c->rope_factor == 0.0f) c->rope_factor = 1.0f;
    if (c->rope_low_freq_factor == 0.0f) c->rope_low_freq_factor = 1.0f;
    if (c->rope_high_freq_factor == 0.0f) c->rope_high_freq_factor = 4.0f;
}

/* True if the number is between `low` and `high`; false for NaN. */
static bool nn__config_real(float value, double low, double high) {
    return (double)value >= low && (double)value <= high;
}

static const char *nn__config_reals(const nn_config *c, const char **why) {
    *why = "wanted a number from 0 to below 1";
    if (!nn__config_real(c->embedding_dropout, 0, 0.999999)) return "embedding_dropout";
    if (!nn__config_real(c->attention_dropout, 0, 0.999999)) return "attention_dropout";
    if (!nn__config_real(c->hidden_dropout, 0, 0.999999)) return "hidden_dropout";
    *why = "wanted a positive number, at most 1";
    if (!nn__config_real(c->norm_eps, 1e-30, 1)) return "norm_eps";
    if (c->family != NN_FAMILY_LLAMA) return NULL;
    *why = "wanted a number from 1 to 1e12";
    if (!nn__config_real(c->rope_theta, 1, 1e12)) return "rope_theta";
    *why = "wanted a number from 1 to 1e6";
    if (!nn__config_real(c->rope_factor, 1, 1e6)) return "rope_factor";
    if (c->rope_original_max_position_embeddings == 0) return NULL;
    *why = "wanted positive numbers, low_freq_factor below high_freq_factor";
    if (!nn__config_real(c->rope_low_freq_factor, 1e-6, 1e6) ||
        !nn__config_real(c->rope_high_freq_factor, 1e-6, 1e6) ||
        c->rope_low_freq_factor >= c->rope_high_freq_factor)
        return "rope_high_freq_factor";
    return NULL;
}

NN__TEXT_PRIVATE const char *nn__config_complete(nn_config *c, const char **why) {
    const bool llama = c->family == NN_FAMILY_LLAMA;
    *why = "wanted GPT2, LLAMA or BERT";
    if (c->family == NN_FAMILY_NONE || (unsigned)c->family > NN_FAMILY_BERT) return "family";
    nn__config_defaults(c);
    *why = "it is missing, or not a number from 1 to 2^28";
    if (c->vocab_size < 1 || c->vocab_size > 1 << 28) return "vocab_size";
    if (c->max_position_embeddings > 1 << 28 || c->max_position_embeddings < (llama ? 0 : 1))
        return "max_position_embeddings";
    *why = "it is missing, or not a number from 1 to 2^20";
    if (c->hidden_size < 1 || c->hidden_size > 1 << 20) return "hidden_size";
    if (c->num_attention_heads < 1 || c->num_attention_heads > 1 << 20)
        return "num_attention_heads";
    *why = "it is missing, or not a number from 1 to 512";
    if (c->num_hidden_layers < 1 || c->num_hidden_layers > NN_CONFIG_LAYERS)
        return "num_hidden_layers";
    *why = "it is missing, or not a number from 1 to 2^24";
    if (c->intermediate_size < 1 || c->intermediate_size > 1 << 24) return "intermediate_size";
    *why = "num_attention_heads is not a multiple of it";
    if (c->num_key_value_heads < 1 || c->num_attention_heads % c->num_key_value_heads)
        return "num_key_value_heads";
    *why = "hidden_size is not a multiple of it";
    if ((!llama && (c->hidden_size % c->num_attention_heads ||
                    c->head_dim != c->hidden_size / c->num_attention_heads)) ||
        c->head_dim < 1)
        return "num_attention_heads";
    *why = "wanted an even number, since rotary positions rotate pairs, and at most 2^20 over all "
           "heads";
    if (llama && (c->head_dim % 2 || (int64_t)c->head_dim * c->num_attention_heads > 1 << 20))
        return "head_dim";
    *why = "only the family LLAMA may share key heads: wanted num_attention_heads";
    if (!llama && c->num_key_value_heads != c->num_attention_heads) return "num_key_value_heads";
    *why = "wanted a number from 1 to 2^20";
    if (c->family == NN_FAMILY_BERT && (c->type_vocab_size < 1 || c->type_vocab_size > 1 << 20))
        return "type_vocab_size";
    *why = "it is negative";
    if (c->sliding_window < 0) return "sliding_window";
    if (c->rope_original_max_position_embeddings < 0)
        return "rope_original_max_position_embeddings";
    *why = "wanted a value of nn_hidden_act";
    if ((unsigned)c->hidden_act > NN_HIDDEN_ACT_RELU) return "hidden_act";
    return nn__config_reals(c, why);
}

NN__TEXT_PRIVATE nn_node *nn__config_copy(nn_site site, nn_model *net, const char *operation,
                                          const nn_config *from, unsigned families, nn_config *to) {
    const char *field, *why = "";
    char text[200];
    size_t length = 0;
    if (!from)
        return nn_record_fault_at(site, net, operation, NULL, "desc has no .config",
                                  "give .config, which nn_read_config fills");
    *to = *from;
    field = nn__config_complete(to, &why);
    if (!field && !(families >> to->family & 1)) {
        field = "family";
        why = "nn_causal_lm is for GPT2 and LLAMA, nn_text_encoder for BERT";
    }
    if (!field) return NULL;
    for (int i = 0; i < 4; i++) {
        const char *part = i == 0 ? "the config's " : i == 1 ? field : i == 2 ? ": " : why;
        size_t bytes = strlen(part);
        if (bytes > sizeof text - 1 - length) bytes = sizeof text - 1 - length;
        memcpy(text + length, part, bytes);
        length += bytes;
    }
    text[length] = 0;
    return nn_record_fault_at(site, net, operation, NULL, text, NULL);
}
