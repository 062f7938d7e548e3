/* language/config_keys.c - reads a config.json, key by key, with one table. A key that the
   table does not have is an error, and so is a value that asks for maths that this library does
   not do. */
#include "language/gguf.h"

#include <stddef.h>

/* ---- the table ------------------------------------------------------------------------------- */

typedef enum nn__config_kind {
    NN__KEY_PASSED,   /* it changes nothing here */
    NN__KEY_COUNT,    /* a whole number from 1 to 2^28, or null: the default */
    NN__KEY_REAL,     /* a number, or null: the default */
    NN__KEY_NONZERO,  /* a REAL that is not 0, because 0 means the default in an nn_config */
    NN__KEY_FLAG,     /* true or false */
    NN__KEY_NOT_FLAG, /* true or false, stored inverted */
    NN__KEY_TOKEN,    /* an id, or null: -1 */
    /* kinds that allow one value only, because nothing else is supported */
    NN__KEY_FALSE,
    NN__KEY_ONE,   /* 1 or null */
    NN__KEY_EMPTY, /* null, {} or [] */
    NN__KEY_ABSOLUTE,
    /* kinds with a function of their own */
    NN__KEY_MODEL_TYPE,
    NN__KEY_ACT,
    NN__KEY_DTYPE,
    NN__KEY_EOS,
    NN__KEY_ROPE, /* rope_scaling and rope_parameters */
    NN__KEY_USE_WINDOW,
    NN__KEY_WINDOW,
    NN__KEY_WINDOW_FROM,
    NN__KEY_LAYER_TYPES
} nn__config_kind;

typedef struct nn__config_key {
    const char *key;
    uint8_t models;
    uint8_t kind;
    uint16_t field; /* its offset in an nn_config */
} nn__config_key;

#define NN__FIELD(name) (uint16_t) offsetof(nn_config, name)

static const nn__config_key nn__config_keys[] = {
    {"model_type", NN__ALL, NN__KEY_MODEL_TYPE, 0},
    {"vocab_size", NN__ALL, NN__KEY_COUNT, NN__FIELD(vocab_size)},
    {"hidden_size", NN__LLAMAS | NN__BERT, NN__KEY_COUNT, NN__FIELD(hidden_size)},
    {"n_embd", NN__GPT2, NN__KEY_COUNT, NN__FIELD(hidden_size)},
    {"num_hidden_layers", NN__LLAMAS | NN__BERT, NN__KEY_COUNT, NN__FIELD(num_hidden_layers)},
    {"n_layer", NN__GPT2, NN__KEY_COUNT, NN__FIELD(num_hidden_layers)},
    {"num_attention_heads", NN__LLAMAS | NN__BERT, NN__KEY_COUNT, NN__FIELD(num_attention_heads)},
    {"n_head", NN__GPT2, NN__KEY_COUNT, NN__FIELD(num_attention_heads)},
    {"num_key_value_heads", NN__LLAMAS, NN__KEY_COUNT, NN__FIELD(num_key_value_heads)},
    {"head_dim", NN__LLAMAS, NN__KEY_COUNT, NN__FIELD(head_dim)},
    {"intermediate_size", NN__LLAMAS | NN__BERT, NN__KEY_COUNT, NN__FIELD(intermediate_size)},
    {"n_inner", NN__GPT2, NN__KEY_COUNT, NN__FIELD(intermediate_size)},
    {"max_position_embeddings", NN__LLAMAS | NN__BERT, NN__KEY_COUNT,
     NN__FIELD(max_position_embeddings)},
    {"n_positions", NN__GPT2, NN__KEY_COUNT, NN__FIELD(max_position_embeddings)},
    {"type_vocab_size", NN__BERT, NN__KEY_COUNT, NN__FIELD(type_vocab_size)},
    {"hidden_act", NN__LLAMAS | NN__BERT, NN__KEY_ACT, 0},
    {"activation_function", NN__GPT2, NN__KEY_ACT, 0},
    {"rms_norm_eps", NN__LLAMAS, NN__KEY_NONZERO, NN__FIELD(norm_eps)},
    {"layer_norm_epsilon", NN__GPT2, NN__KEY_NONZERO, NN__FIELD(norm_eps)},
    {"layer_norm_eps", NN__BERT, NN__KEY_NONZERO, NN__FIELD(norm_eps)},
    {"tie_word_embeddings", NN__GPT2 | NN__LLAMAS, NN__KEY_FLAG, NN__FIELD(tie_word_embeddings)},
    {"tie_word_embeddings", NN__BERT, NN__KEY_PASSED, 0},
    {"attention_bias", NN__LLAMA | NN__QWEN3, NN__KEY_FLAG, NN__FIELD(out_bias)},
    {"mlp_bias", NN__LLAMA, NN__KEY_FLAG, NN__FIELD(mlp_bias)},
    {"scale_attn_weights", NN__GPT2, NN__KEY_NOT_FLAG, NN__FIELD(no_attention_scale)},
    {"scale_attn_by_inverse_layer_idx", NN__GPT2, NN__KEY_FLAG, NN__FIELD(scale_by_layer)},
    {"use_sliding_window", NN__QWEN2 | NN__QWEN3, NN__KEY_USE_WINDOW, 0},
    {"sliding_window", NN__MISTRAL | NN__QWEN2 | NN__QWEN3, NN__KEY_WINDOW, 0},
    {"max_window_layers", NN__QWEN2 | NN__QWEN3, NN__KEY_WINDOW_FROM, 0},
    {"layer_types", NN__QWEN2 | NN__QWEN3, NN__KEY_LAYER_TYPES, 0},
    {"rope_theta", NN__LLAMAS, NN__KEY_NONZERO, NN__FIELD(rope_theta)},
    {"rope_scaling", NN__LLAMAS, NN__KEY_ROPE, 0},
    {"rope_parameters", NN__LLAMAS, NN__KEY_ROPE, 0},
    {"partial_rotary_factor", NN__LLAMAS, NN__KEY_ONE, 0},
    {"rope_interleaved", NN__LLAMAS, NN__KEY_FALSE, 0},
    {"use_mrope", NN__QWEN2 | NN__QWEN3, NN__KEY_FALSE, 0},
    {"embd_pdrop", NN__GPT2, NN__KEY_REAL, NN__FIELD(embedding_dropout)},
    {"attn_pdrop", NN__GPT2, NN__KEY_REAL, NN__FIELD(attention_dropout)},
    {"resid_pdrop", NN__GPT2, NN__KEY_REAL, NN__FIELD(hidden_dropout)},
    {"attention_dropout", NN__LLAMAS, NN__KEY_REAL, NN__FIELD(attention_dropout)},
    {"attention_probs_dropout_prob", NN__BERT, NN__KEY_REAL, NN__FIELD(attention_dropout)},
    {"hidden_dropout_prob", NN__BERT, NN__KEY_REAL, NN__FIELD(hidden_dropout)},
    {"initializer_range", NN__ALL, NN__KEY_REAL, NN__FIELD(initializer_range)},
    {"torch_dtype", NN__ALL, NN__KEY_DTYPE, 0},
    {"dtype", NN__ALL, NN__KEY_DTYPE, 0},
    {"bos_token_id", NN__ALL, NN__KEY_TOKEN, NN__FIELD(bos_token_id)},
    {"pad_token_id", NN__ALL, NN__KEY_TOKEN, NN__FIELD(pad_token_id)},
    {"eos_token_id", NN__ALL, NN__KEY_EOS, 0},
    {"position_embedding_type", NN__BERT, NN__KEY_ABSOLUTE, 0},
    {"add_cross_attention", NN__ALL, NN__KEY_FALSE, 0},
    {"is_decoder", NN__BERT, NN__KEY_FALSE, 0},
    {"is_encoder_decoder", NN__ALL, NN__KEY_FALSE, 0},
    {"pruned_heads", NN__ALL, NN__KEY_EMPTY, 0},
    {"quantization_config", NN__ALL, NN__KEY_EMPTY, 0},
    {"auto_map", NN__ALL, NN__KEY_EMPTY, 0},
};

/* Keys that change nothing in the net: where the file is from, how text is generated, heads for
   other tasks, how PyTorch computes. */
static const char nn__config_passed[] =
    " _name_or_path architectures transformers_version use_cache output_attentions "
    "output_hidden_states output_scores return_dict return_dict_in_generate problem_type id2label "
    "label2id num_labels finetuning_task task_specific_params gradient_checkpointing "
    "chunk_size_feed_forward classifier_dropout cross_attention_hidden_size torchscript "
    "use_bfloat16 tf_legacy_loss tie_encoder_decoder initializer_factor n_ctx "
    "reorder_and_upcast_attn summary_activation summary_first_dropout summary_proj_to_labels "
    "summary_type summary_use_proj pretraining_tp attn_implementation _attn_implementation "
    "_attn_implementation_autoset use_mps_device _num_labels output_past xla_device "
    "model_max_length is_llama_config transformers.js_config unsloth_fixed unsloth_version "
    "directionality pooler_fc_size pooler_num_attention_heads pooler_num_fc_layers "
    "pooler_size_per_head pooler_type predict_special_tokens n_special "
    "do_sample temperature top_k top_p typical_p min_length max_length num_beams num_beam_groups "
    "diversity_penalty repetition_penalty length_penalty no_repeat_ngram_size "
    "encoder_no_repeat_ngram_size bad_words_ids num_return_sequences early_stopping "
    "exponential_decay_length_penalty forced_bos_token_id forced_eos_token_id "
    "decoder_start_token_id sep_token_id cls_token_id mask_token_id unk_token_id prefix "
    "remove_invalid_values suppress_tokens begin_suppress_tokens ";

/* ---- sliding windows ------------------------------------------------------------------------- */

static bool nn__config_window_key(nn__config_reader *reader, const nn__config_key *key, size_t at) {
    if (key->kind == NN__KEY_USE_WINDOW)
        return nn__config_flag(reader, at, key->key, &reader->use_window);
    if (key->kind == NN__KEY_LAYER_TYPES) {
        if (nn__json_type(&reader->json, at) == '[') reader->layer_types = at;
        return reader->layer_types || nn__json_type(&reader->json, at) == 'n' ||
               nn__json_fail(&reader->json, at, key->key, "a list or null");
    }
    if (key->kind == NN__KEY_WINDOW_FROM)
        return nn__config_count(reader, at, key->key, 0, &reader->window_from);
    reader->window_said = true;
    return nn__json_type(&reader->json, at) == 'n' ||
           nn__config_count(reader, at, key->key, 1, &reader->window);
}

/* Sets which layers have the window: all of a mistral, and those of a qwen that the file names.
   What the file leaves out has the default of transformers' classes. */
static bool nn__config_windows(nn__config_reader *reader) {
    nn_config *config = reader->config;
    size_t at = reader->layer_types ? nn__json_first(&reader->json, reader->layer_types) : 0;
    if (!reader->window_said) reader->window = 4096;
    if (reader->model & (NN__GPT2 | NN__LLAMA | NN__BERT)) return true;
    for (int i = 0; i < config->num_hidden_layers && i < NN_CONFIG_LAYERS; i++) {
        int sliding = reader->model == NN__MISTRAL || i >= reader->window_from;
        if (reader->layer_types) {
            if (!at)
                return nn__json_fail(&reader->json, reader->layer_types, "layer_types",
                                     "one for each layer");
            sliding = nn__config_word(reader, at, "full_attention sliding_attention");
            if (sliding < 0)
                return nn__config_unsupported(reader, at, "layer_types",
                                              "full_attention sliding_attention");
            at = nn__json_next(&reader->json, at);
        }
        if (sliding) config->window_layers[i / 8] |= (uint8_t)(1u << i % 8);
    }
    if (at)
        return nn__json_fail(&reader->json, reader->layer_types, "layer_types",
                             "one for each layer");
    if (reader->use_window || reader->model == NN__MISTRAL)
        config->sliding_window = (int32_t)reader->window;
    if (config->sliding_window == 0) memset(config->window_layers, 0, sizeof config->window_layers);
    return true;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Notes where the rope's object is, to be read after all other keys. As in transformers, and in any
   order of the keys, rope_scaling replaces rope_parameters, and its values replace rope_theta. */
static bool nn__config_rope_key(nn__config_reader *reader, const nn__config_key *key, size_t at) {
    const char type = nn__json_type(&reader->json, at);
    const bool empty = type == 'n' || (type == '{' && !nn__json_first(&reader->json, at));
    if (empty || (reader->rope && strcmp(key->key, "rope_scaling") != 0)) return true;
    reader->rope = at;
    reader->rope_key = key->key;
    return true;
}

static bool nn__config_must(const nn__config_reader *reader, const nn__config_key *key, size_t at) {
    const nn__text_json *json = &reader->json;
    const char type = nn__json_type(json, at);
    if (key->kind == NN__KEY_FALSE)
        return type == 'f' || type == 'n' || nn__config_unsupported(reader, at, key->key, "false");
    if (key->kind == NN__KEY_ONE)
        return type == 'n' || (type == '0' && nn__config_number(json, at) == 1.0) ||
               nn__config_unsupported(reader, at, key->key, "1.0");
    if (key->kind == NN__KEY_ABSOLUTE)
        return nn__json_is(json, at, "absolute") ||
               nn__config_unsupported(reader, at, key->key, "absolute");
    return type == 'n' || ((type == '{' || type == '[') && !nn__json_first(json, at)) ||
           nn__config_unsupported(reader, at, key->key, "null");
}

static bool nn__config_value(nn__config_reader *reader, const nn__config_key *key, size_t at) {
    void *field = (char *)reader->config + key->field;
    int64_t count = 0;
    bool flag = false;
    switch (key->kind) {
    case NN__KEY_COUNT:
        if (nn__json_type(&reader->json, at) == 'n') return true;
        if (!nn__config_count(reader, at, key->key, 1, &count)) return false;
        *(int32_t *)field = (int32_t)count;
        return true;
    case NN__KEY_REAL: return nn__config_real_value(reader, at, key->key, (float *)field);
    case NN__KEY_NONZERO: return nn__config_nonzero(reader, at, key->key, (float *)field);
    case NN__KEY_FLAG:
    case NN__KEY_NOT_FLAG:
        if (!nn__config_flag(reader, at, key->key, &flag)) return false;
        *(bool *)field = flag == (key->kind == NN__KEY_FLAG);
        return true;
    case NN__KEY_TOKEN: return nn__config_token(reader, at, key->key, (int32_t *)field);
    case NN__KEY_ACT: return nn__config_act(reader, at, key->key);
    case NN__KEY_DTYPE: return nn__config_dtype(reader, at, key->key);
    case NN__KEY_EOS: return nn__config_eos(reader, at);
    case NN__KEY_ROPE: return nn__config_rope_key(reader, key, at);
    case NN__KEY_USE_WINDOW:
    case NN__KEY_WINDOW:
    case NN__KEY_WINDOW_FROM:
    case NN__KEY_LAYER_TYPES: return nn__config_window_key(reader, key, at);
    case NN__KEY_PASSED:
    case NN__KEY_MODEL_TYPE: return true;
    default: return nn__config_must(reader, key, at);
    }
}

/* True if the key at `at` is one of the words. */
static bool nn__config_listed(const nn__text_json *json, size_t at, const char *words) {
    const size_t span = nn__json_span(json, at);
    while (words && *words) {
        size_t length;
        words += strspn(words, " ");
        length = strcspn(words, " ");
        if (length == span && memcmp(json->text + at + 1, words, span) == 0) return span > 0;
        words += length;
    }
    return false;
}

static bool nn__config_key_at(nn__config_reader *reader, size_t at) {
    const nn__text_json *json = &reader->json;
    const size_t value = nn__json_value(json, at);
    if (nn__config_listed(json, at, reader->ignore)) return true;
    for (size_t i = 0; i < sizeof nn__config_keys / sizeof nn__config_keys[0]; i++) {
        const nn__config_key *key = &nn__config_keys[i];
        if (!(key->models & reader->model) || !nn__json_is(json, at, key->key)) continue;
        if (nn__json_find(json, reader->top, key->key) != value)
            return nn__json_fail(json, at, key->key, "it once; it occurs twice");
        return nn__config_value(reader, key, value);
    }
    if (nn__config_listed(json, at, nn__config_passed)) return true;
    return nn__text_fail(json->call, NN_ERROR_UNSUPPORTED,
                         "%s, line %d: the key %q is not supported for a %s; if it does not change "
                         "the model, name it in .ignore",
                         json->name, nn__json_line(json, at), nn__json_span(json, at),
                         json->text + at + 1, reader->config->model_type);
}

static bool nn__config_model(nn__config_reader *reader) {
    static const char known[] = "gpt2 llama mistral qwen2 qwen3 bert";
    size_t at = nn__json_find(&reader->json, reader->top, "model_type");
    int which = at ? nn__config_word(reader, at, known) : -1;
    nn_config *config = reader->config;
    if (!at) return nn__json_fail(&reader->json, reader->top, "there is no \"model_type\"", known);
    if (which < 0) return nn__config_unsupported(reader, at, "model_type", known);
    nn__json_string(&reader->json, at, config->model_type);
    reader->model = 1u << which;
    config->family = which == 0 ? NN_FAMILY_GPT2 : which == 5 ? NN_FAMILY_BERT : NN_FAMILY_LLAMA;
    config->qkv_bias = reader->model == NN__QWEN2;
    config->qk_norm = reader->model == NN__QWEN3;
    config->tie_word_embeddings = reader->model == NN__GPT2;
    config->dtype = NN_F32;
    config->bos_token_id = config->pad_token_id = -1;
    reader->window_from = 28;
    return true;
}

/* Reports a field that does not fit, with the line of the key that it came from. */
static bool nn__config_misfit(const nn__config_reader *reader, const char *field, const char *why) {
    /* the keys that GPT-2, Llama and BERT use for a field, where they differ from its name */
    static const char *const names[][4] = {
        {"hidden_size", "n_embd", NULL, NULL},
        {"num_hidden_layers", "n_layer", NULL, NULL},
        {"num_attention_heads", "n_head", NULL, NULL},
        {"intermediate_size", "n_inner", NULL, NULL},
        {"max_position_embeddings", "n_positions", NULL, NULL},
        {"norm_eps", "layer_norm_epsilon", "rms_norm_eps", "layer_norm_eps"},
        {"embedding_dropout", "embd_pdrop", NULL, NULL},
        {"attention_dropout", "attn_pdrop", NULL, "attention_probs_dropout_prob"},
        {"hidden_dropout", "resid_pdrop", NULL, "hidden_dropout_prob"}};
    const size_t count = sizeof names / sizeof names[0];
    size_t at;
    for (size_t i = 0; i < count; i++) {
        const char *name = names[i][reader->config->family];
        if (strcmp(field, names[i][0]) != 0) continue;
        if (name) field = name;
        break;
    }
    at = nn__json_find(&reader->json, reader->top, field);
    if (!at && strncmp(field, "rope_", 5) == 0) {
        at = nn__json_find(&reader->json, reader->top, "rope_scaling");
        if (!at) at = nn__json_find(&reader->json, reader->top, "rope_parameters");
    }
    return nn__text_fail(reader->json.call, NN_ERROR_FORMAT, "%s, line %d: \"%s\": %s",
                         reader->json.name, nn__json_line(&reader->json, at ? at : reader->top),
                         field, why);
}

static bool nn__config_parse(nn__config_reader *reader) {
    nn__text_json *json = &reader->json;
    const char *field, *why;
    if (!nn__json_check(json)) return false;
    while (json->text[reader->top] != '{') reader->top++;
    if (!nn__config_model(reader)) return false;
    for (size_t key = nn__json_first(json, reader->top); key; key = nn__json_after(json, key))
        if (!nn__config_key_at(reader, key)) return false;
    if (reader->rope && !nn__config_rope(reader, reader->rope, reader->rope_key)) return false;
    if (reader->config->out_bias) reader->config->qkv_bias = true; /* attention_bias is for both */
    field = nn__config_complete(reader->config, &why);
    if (field) return nn__config_misfit(reader, field, why);
    return nn__config_windows(reader);
}

/* ---- opening --------------------------------------------------------------------------------- */

NN__TEXT_PRIVATE bool nn__text_path(nn__text_call *call, const char *path, const char *ending,
                                    const char *name, char *to, size_t size) {
    size_t length = strlen(path), more = strlen(name), end = strlen(ending);
    const bool whole = length >= end && strcmp(path + length - end, ending) == 0;
    const bool slash = length > 0 && !whole && path[length - 1] != '/' && path[length - 1] != '\\';
    if (whole) more = 0;
    if (length + slash + more >= size)
        return nn__text_fail(call, NN_ERROR_ARGUMENT, "the path has %d bytes; wanted at most %d",
                             (int64_t)(length + more), (int64_t)size - 2);
    memcpy(to, path, length);
    if (slash) to[length++] = '/';
    memcpy(to + length, name, more);
    to[length + more] = 0;
    return true;
}

#ifndef NN_NO_FILES
static void nn__config_gguf(nn__text_call *call, const char *path, nn_config *config) {
    nn__gguf g;
    const char *why = "", *field = NULL;
    if (nn__gguf_open(call, path, &g) && nn__gguf_config(&g, config) &&
        (field = nn__config_complete(config, &why)) != NULL)
        nn__text_fail(call, NN_ERROR_FORMAT, "\"%s\": the %s of its metadata: %s", path, field,
                      why);
    nn__gguf_close(&g);
}
#endif

NN_API nn_result nn_read_config_at(nn_site site, nn_context *nn, const nn_config_desc *desc,
                                   nn_config *config) {
    nn__text_call call;
    nn__config_reader reader;
    nn__text_buffer file = {NULL, 0};
    char path[1024] = "config.json";
    if (config) memset(config, 0, sizeof *config);
    if (!nn) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(nn, site, "nn_read_config");
    if (!config || !desc || (!desc->path && !desc->data) || (desc->path && desc->data)) {
        nn__text_fail(&call, NN_ERROR_ARGUMENT,
                      config ? "give either .path (a folder, or its config.json) or .data"
                             : "config is NULL");
        return call.code;
    }
#ifndef NN_NO_FILES
    if (nn__gguf_is(desc->path)) {
        nn__config_gguf(&call, desc->path, config);
        if (call.code != NN_OK) memset(config, 0, sizeof *config);
        return call.code;
    }
#endif
    memset(&reader, 0, sizeof reader);
    reader.json.call = &call;
    reader.json.name = path;
    reader.json.text = (const char *)desc->data;
    reader.json.size = desc->bytes;
    reader.config = config;
    reader.ignore = desc->ignore;
    if (desc->path && nn__text_path(&call, desc->path, ".json", "config.json", path, sizeof path) &&
        nn__text_read(&call, path, &file, &reader.json.size))
        reader.json.text = (const char *)file.data;
    if (call.code == NN_OK) nn__config_parse(&reader);
    nn__text_drop(nn, &file);
    if (call.code != NN_OK) memset(config, 0, sizeof *config);
    return call.code;
}

#undef NN__FIELD
