/* language/gguf_config.c - makes an nn_config of the metadata of a GGUF file. A key that would
   change the result and is not known is an error. */
#include "language/gguf.h"

#include <math.h>

#ifndef NN_NO_FILES

typedef struct nn__gguf_reading {
    nn__gguf *g;
    nn_config *config;
    char arch[16];
    char name[96];
} nn__gguf_reading;

/* Returns the key "arch.name"; NULL: there is none. */
static const nn__gguf_key *nn__gguf_of(nn__gguf_reading *r, const char *name) {
    const size_t before = strlen(r->arch);
    memcpy(r->name, r->arch, before);
    r->name[before] = '.';
    memcpy(r->name + before + 1, name, strlen(name) + 1);
    return nn__gguf_find(r->g, r->name);
}

/* Reads a whole number from `least` to 2^28. A missing one leaves the field as it is. */
static bool nn__gguf_count(nn__gguf_reading *r, const char *name, int32_t least, int32_t *field) {
    const nn__gguf_key *key = nn__gguf_of(r, name);
    double number;
    if (!key) return true;
    if (!key->is_array && nn__gguf_number(key, 0, &number) && number >= (double)least &&
        number <= (double)(1 << 28) && number == (double)(int32_t)number) {
        *field = (int32_t)number;
        return true;
    }
    return nn__text_fail(r->g->call, NN_ERROR_FORMAT,
                         "\"%s\": %s is not one whole number from %d to 2^28", r->g->path, r->name,
                         (int64_t)least);
}

static bool nn__gguf_real(nn__gguf_reading *r, const char *name, float *field) {
    const nn__gguf_key *key = nn__gguf_of(r, name);
    double number;
    if (!key) return true;
    if (nn__gguf_number(key, 0, &number) && number > 0 && number < 1e30) {
        *field = (float)number;
        return true;
    }
    return nn__text_fail(r->g->call, NN_ERROR_FORMAT, "\"%s\": %s is no positive number",
                         r->g->path, r->name);
}

static int32_t nn__gguf_token(const nn__gguf *g, const char *name) {
    const nn__gguf_key *key = nn__gguf_find(g, name);
    double number;
    return key && nn__gguf_number(key, 0, &number) && number >= 0 && number < 2147483648.0
               ? (int32_t)number
               : -1;
}

static bool nn__gguf_family(nn__gguf_reading *r) {
    static const char *const llamas[] = {"llama", "qwen2", "qwen3"};
    size_t length = 0;
    const char *text = nn__gguf_text(nn__gguf_find(r->g, "general.architecture"), &length);
    if (text && length == 4 && memcmp(text, "gpt2", 4) == 0) r->config->family = NN_FAMILY_GPT2;
    for (int i = 0; text && i < 3; i++)
        if (length == 5 && memcmp(text, llamas[i], 5) == 0) r->config->family = NN_FAMILY_LLAMA;
    if (r->config->family == NN_FAMILY_NONE)
        return nn__text_fail(r->g->call, NN_ERROR_UNSUPPORTED,
                             "\"%s\": general.architecture is %q; gpt2, llama (Mistral too), "
                             "qwen2 and qwen3 are supported",
                             r->g->path, text ? length : (size_t)9, text ? text : "(missing)");
    memcpy(r->arch, text, length);
    memcpy(r->config->model_type, text, length);
    return true;
}

/* Returns the number that Llama 3.1 divides the frequency of pair i by, as transformers' "llama3"
   does with low_freq_factor 1, high_freq_factor 4 and 8192 original positions, which all models of
   that kind have. */
static double nn__gguf_llama3(double base, int32_t i, int32_t pairs, double factor) {
    const double turns = 8192.0 * pow(base, -(double)i / pairs) / 6.283185307179586;
    if (turns < 1.0) return factor;
    if (turns > 4.0) return 1.0;
    const double smooth = (turns - 1.0) / 3.0;
    return 1.0 / ((1.0 - smooth) / factor + smooth);
}

/* Reads rope_freqs.weight: one divisor for each pair of a head. They must be those of Llama 3.1
   with the last one as the factor. */
static bool nn__gguf_frequencies(nn__gguf_reading *r, const nn__gguf_tensor *t) {
    nn_config *c = r->config;
    const int32_t heads = c->num_attention_heads > 0 ? c->num_attention_heads : 1,
                  pairs = (c->head_dim ? c->head_dim : c->hidden_size / heads) / 2;
    const double base = c->rope_theta > 0.0f ? (double)c->rope_theta : 10000.0;
    float numbers[512];
    bool same = t->type == NN__GGUF_F32 && t->rank == 1 && pairs > 0 && pairs <= 512 &&
                t->columns == pairs;
    if (same && !r->g->files.read(r->g->files.user, r->g->file, t->offset, numbers,
                                  (size_t)pairs * sizeof *numbers))
        return nn__text_fail(r->g->call, NN_ERROR_FILE,
                             "\"%s\": reading the tensor rope_freqs.weight failed", r->g->path);
    for (int32_t i = 0; same && i < pairs; i++) {
        const uint32_t bits = (uint32_t)nn__gguf_word((const char *)(numbers + i), 4);
        memcpy(numbers + i, &bits, sizeof bits);
    }
    for (int32_t i = 0; same && i < pairs; i++) {
        const double wanted = nn__gguf_llama3(base, i, pairs, (double)numbers[pairs - 1]);
        same = fabs((double)numbers[i] - wanted) <= 1e-3 * wanted;
    }
    if (!same || !(numbers[pairs - 1] >= 1.0f && numbers[pairs - 1] <= 1e6f))
        return nn__text_fail(r->g->call, NN_ERROR_UNSUPPORTED,
                             "\"%s\": rope_freqs.weight does not have the frequencies of Llama "
                             "3.1; load the model from its folder of safetensors",
                             r->g->path);
    c->rope_factor = numbers[pairs - 1];
    c->rope_low_freq_factor = 1.0f;
    c->rope_high_freq_factor = 4.0f;
    c->rope_original_max_position_embeddings = 8192;
    return true;
}

/* Reads rotary positions, which may be scaled by one factor. */
static bool nn__gguf_rope(nn__gguf_reading *r) {
    nn_config *c = r->config;
    int32_t rotated = 0;
    size_t length = 0;
    const char *type;
    if (!nn__gguf_real(r, "rope.freq_base", &c->rope_theta) ||
        !nn__gguf_count(r, "rope.dimension_count", 1, &rotated))
        return false;
    if (rotated && c->num_attention_heads > 0 &&
        rotated != (c->head_dim ? c->head_dim : c->hidden_size / c->num_attention_heads))
        return nn__text_fail(r->g->call, NN_ERROR_UNSUPPORTED,
                             "\"%s\": %s.rope.dimension_count is %d; only the rotation of whole "
                             "heads is supported",
                             r->g->path, r->arch, (int64_t)rotated);
    if (nn__gguf_tensor_of(r->g, "rope_freqs.weight"))
        return nn__gguf_frequencies(r, nn__gguf_tensor_of(r->g, "rope_freqs.weight"));
    type = nn__gguf_text(nn__gguf_of(r, "rope.scaling.type"), &length);
    if (!type || (length == 4 && memcmp(type, "none", 4) == 0)) return true;
    if (length == 6 && memcmp(type, "linear", 6) == 0)
        return nn__gguf_real(r, "rope.scaling.factor", &c->rope_factor);
    return nn__text_fail(r->g->call, NN_ERROR_UNSUPPORTED,
                         "\"%s\": %s.rope.scaling.type is %q; none and linear are supported",
                         r->g->path, r->arch, length, type);
}

/* Sets the fields that follow from the tensors. */
static void nn__gguf_parts(nn__gguf_reading *r) {
    nn_config *c = r->config;
    const nn__gguf_tensor *words = nn__gguf_tensor_of(r->g, "token_embd.weight");
    if (words) c->vocab_size = (int32_t)words->rows;
    c->tie_word_embeddings = !nn__gguf_tensor_of(r->g, "output.weight");
    if (c->family != NN_FAMILY_LLAMA) return;
    c->qkv_bias = nn__gguf_tensor_of(r->g, "blk.0.attn_q.bias") != NULL;
    c->out_bias = nn__gguf_tensor_of(r->g, "blk.0.attn_output.bias") != NULL;
    c->mlp_bias = nn__gguf_tensor_of(r->g, "blk.0.ffn_up.bias") != NULL;
    c->qk_norm = nn__gguf_tensor_of(r->g, "blk.0.attn_q_norm.weight") != NULL;
}

NN__TEXT_PRIVATE bool nn__gguf_config(nn__gguf *g, nn_config *config) {
    nn__gguf_reading r;
    nn_config *c = config;
    int32_t window = 0, experts = 0;
    memset(&r, 0, sizeof r);
    r.g = g;
    r.config = config;
    if (!nn__gguf_family(&r)) return false;
    const bool llama = c->family == NN_FAMILY_LLAMA;
    if (!nn__gguf_count(&r, "embedding_length", 1, &c->hidden_size) ||
        !nn__gguf_count(&r, "block_count", 1, &c->num_hidden_layers) ||
        !nn__gguf_count(&r, "attention.head_count", 1, &c->num_attention_heads) ||
        !nn__gguf_count(&r, "feed_forward_length", 1, &c->intermediate_size) ||
        !nn__gguf_count(&r, "context_length", 1, &c->max_position_embeddings) ||
        !nn__gguf_count(&r, "attention.sliding_window", 0, &window) ||
        !nn__gguf_count(&r, "expert_count", 0, &experts) ||
        !nn__gguf_real(&r, llama ? "attention.layer_norm_rms_epsilon"
                                 : "attention.layer_norm_epsilon",
                       &c->norm_eps))
        return false;
    if (llama && (!nn__gguf_count(&r, "attention.head_count_kv", 1, &c->num_key_value_heads) ||
                  !nn__gguf_count(&r, "attention.key_length", 1, &c->head_dim) ||
                  !nn__gguf_rope(&r)))
        return false;
    if (experts)
        return nn__text_fail(g->call, NN_ERROR_UNSUPPORTED,
                             "\"%s\" has %d experts, which are not supported", g->path,
                             (int64_t)experts);
    nn__gguf_parts(&r);
    for (int i = 0; window && i < c->num_hidden_layers && i < NN_CONFIG_LAYERS; i++)
        c->window_layers[i / 8] |= (uint8_t)(1 << i % 8);
    c->sliding_window = window;
    c->dtype = NN_F32;
    c->bos_token_id = nn__gguf_token(g, "tokenizer.ggml.bos_token_id");
    c->pad_token_id = nn__gguf_token(g, "tokenizer.ggml.padding_token_id");
    c->eos_token_ids[0] = nn__gguf_token(g, "tokenizer.ggml.eos_token_id");
    c->eos_count = c->eos_token_ids[0] >= 0;
    return true;
}
#endif

typedef int nn__gguf_part_3; /* a part must not be empty under NN_NO_FILES */
