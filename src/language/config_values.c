/* language/config_values.c - reads values of a config.json: numbers, ids, words of a list, and how
   rotary positions are stretched. */
#include "language/models_private.h"

/* ---- values ---------------------------------------------------------------------------------- */

NN__TEXT_PRIVATE bool nn__config_unsupported(const nn__config_reader *reader, size_t at,
                                             const char *key, const char *known) {
    const nn__text_json *json = &reader->json;
    if (nn__json_type(json, at) == '"')
        return nn__text_fail(json->call, NN_ERROR_UNSUPPORTED,
                             "%s, line %d: \"%s\" is %q, which is not supported; supported: %s",
                             json->name, nn__json_line(json, at), key, nn__json_span(json, at),
                             json->text + at + 1, known);
    return nn__text_fail(json->call, NN_ERROR_UNSUPPORTED,
                         "%s, line %d: \"%s\" has a value that is not supported; supported: %s",
                         json->name, nn__json_line(json, at), key, known);
}

/* Reads a number of JSON, to about 16 digits. */
NN__TEXT_PRIVATE double nn__config_number(const nn__text_json *json, size_t at) {
    const bool negative = json->text[at] == '-';
    double value = 0, scale = 1;
    int exponent = 0, sign = 1;
    bool behind = false;
    for (at += negative; at < json->size; at++) {
        char c = json->text[at];
        if (c == '.')
            behind = true;
        else if (c >= '0' && c <= '9') {
            if (value < 1e17)
                value = value * 10 + (c - '0'), exponent -= behind;
            else
                exponent += !behind;
        } else
            break;
    }
    if (at < json->size && (json->text[at] == 'e' || json->text[at] == 'E')) {
        int said = 0;
        at++;
        if (at < json->size && (json->text[at] == '-' || json->text[at] == '+'))
            sign = json->text[at++] == '-' ? -1 : 1;
        for (; at < json->size && json->text[at] >= '0' && json->text[at] <= '9'; at++)
            if (said < 10000) said = said * 10 + (json->text[at] - '0');
        exponent += sign * said;
    }
    if (exponent > 400) exponent = 400;
    if (exponent < -400) exponent = -400;
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--) scale *= 10;
    value = exponent < 0 ? value / scale : value * scale;
    return negative ? -value : value;
}

NN__TEXT_PRIVATE bool nn__config_real_value(const nn__config_reader *reader, size_t at,
                                            const char *key, float *value) {
    double number;
    if (nn__json_type(&reader->json, at) == 'n') return true;
    number = nn__json_type(&reader->json, at) == '0' ? nn__config_number(&reader->json, at) : 1e300;
    if (!(number > -1e30 && number < 1e30))
        return nn__json_fail(&reader->json, at, key, "a number");
    *value = (float)number;
    return true;
}

NN__TEXT_PRIVATE bool nn__config_nonzero(const nn__config_reader *reader, size_t at,
                                         const char *key, float *value) {
    if (!nn__config_real_value(reader, at, key, value)) return false;
    return nn__json_type(&reader->json, at) == 'n' || *value != 0.0f ||
           nn__json_fail(&reader->json, at, key, "a number that is not 0");
}

NN__TEXT_PRIVATE bool nn__config_count(const nn__config_reader *reader, size_t at, const char *key,
                                       int64_t least, int64_t *value) {
    if (!nn__json_integer(&reader->json, at, value) || *value < least || *value > 1 << 28)
        return nn__json_fail(&reader->json, at, key,
                             least ? "a whole number from 1 to 2^28"
                                   : "a whole number from 0 to 2^28");
    return true;
}

NN__TEXT_PRIVATE bool nn__config_flag(const nn__config_reader *reader, size_t at, const char *key,
                                      bool *value) {
    char type = nn__json_type(&reader->json, at);
    if (type != 't' && type != 'f') return nn__json_fail(&reader->json, at, key, "true or false");
    *value = type == 't';
    return true;
}

/* Reads an id; null gives -1. */
NN__TEXT_PRIVATE bool nn__config_token(const nn__config_reader *reader, size_t at, const char *key,
                                       int32_t *value) {
    int64_t id = -1;
    if (nn__json_type(&reader->json, at) != 'n' &&
        (!nn__json_integer(&reader->json, at, &id) || id < -1 || id > INT32_MAX))
        return nn__json_fail(&reader->json, at, key, "the id of a token");
    *value = (int32_t)id;
    return true;
}

NN__TEXT_PRIVATE bool nn__config_eos(const nn__config_reader *reader, size_t at) {
    nn_config *config = reader->config;
    const bool list = nn__json_type(&reader->json, at) == '[';
    if (nn__json_type(&reader->json, at) == 'n') return true;
    for (at = list ? nn__json_first(&reader->json, at) : at; at;
         at = list ? nn__json_next(&reader->json, at) : 0) {
        if (config->eos_count == NN_CONFIG_EOS)
            return nn__json_fail(&reader->json, at, "eos_token_id", "at most 8 ids");
        if (!nn__config_token(reader, at, "eos_token_id",
                              &config->eos_token_ids[config->eos_count]))
            return false;
        config->eos_count += config->eos_token_ids[config->eos_count] >= 0;
    }
    return true;
}

/* Returns which of the words (separated by spaces) the value is; -1: none. */
NN__TEXT_PRIVATE int nn__config_word(const nn__config_reader *reader, size_t at,
                                     const char *words) {
    char word[40];
    for (int i = 0; *words; i++) {
        size_t length = strcspn(words, " ");
        if (length < sizeof word) {
            memcpy(word, words, length);
            word[length] = 0;
            if (nn__json_is(&reader->json, at, word)) return i;
        }
        words += length + (words[length] == ' ');
    }
    return -1;
}

NN__TEXT_PRIVATE bool nn__config_act(const nn__config_reader *reader, size_t at, const char *key) {
    static const char known[] = "gelu gelu_new gelu_pytorch_tanh silu swish relu";
    static const nn_hidden_act acts[6] = {NN_HIDDEN_ACT_GELU,      NN_HIDDEN_ACT_GELU_TANH,
                                          NN_HIDDEN_ACT_GELU_TANH, NN_HIDDEN_ACT_SILU,
                                          NN_HIDDEN_ACT_SILU,      NN_HIDDEN_ACT_RELU};
    int which = nn__config_word(reader, at, known);
    if (which < 0) return nn__config_unsupported(reader, at, key, known);
    reader->config->hidden_act = acts[which];
    return true;
}

NN__TEXT_PRIVATE bool nn__config_dtype(const nn__config_reader *reader, size_t at,
                                       const char *key) {
    static const char known[] = "float32 float16 bfloat16";
    static const nn_dtype dtypes[3] = {NN_F32, NN_F16, NN_BF16};
    int which = nn__config_word(reader, at, known);
    if (nn__json_type(&reader->json, at) == 'n') return true;
    if (which < 0) return nn__config_unsupported(reader, at, key, known);
    reader->config->dtype = dtypes[which];
    return true;
}

/* ---- rotary positions ------------------------------------------------------------------------ */

static bool nn__config_rope_numbers(const nn__config_reader *reader, size_t at) {
    nn_config *config = reader->config;
    const nn__text_json *json = &reader->json;
    const struct {
        const char *key;
        float *to;
    } reals[4] = {{"rope_theta", &config->rope_theta},
                  {"factor", &config->rope_factor},
                  {"low_freq_factor", &config->rope_low_freq_factor},
                  {"high_freq_factor", &config->rope_high_freq_factor}};
    size_t found;
    int64_t count;
    for (int i = 0; i < 4; i++) {
        found = nn__json_find(json, at, reals[i].key);
        if (found && !nn__config_nonzero(reader, found, reals[i].key, reals[i].to)) return false;
    }
    found = nn__json_find(json, at, "original_max_position_embeddings");
    if (!found) return true;
    if (!nn__config_count(reader, found, "original_max_position_embeddings", 1, &count))
        return false;
    config->rope_original_max_position_embeddings = (int32_t)count;
    return true;
}

/* Reads {"rope_type": "llama3", "factor": 8.0, ...}: transformers' rope_scaling or
   rope_parameters. */
NN__TEXT_PRIVATE bool nn__config_rope(const nn__config_reader *reader, size_t at, const char *key) {
    const nn__text_json *json = &reader->json;
    size_t type, partial;
    int kind;
    if (nn__json_type(json, at) != '{') return nn__json_fail(json, at, key, "an object or null");
    type = nn__json_find(json, at, "rope_type");
    if (!type) type = nn__json_find(json, at, "type");
    kind = type ? nn__config_word(reader, type, "default linear llama3") : 0;
    if (kind < 0) return nn__config_unsupported(reader, type, "rope_type", "default linear llama3");
    if (!nn__json_keys(json, at,
                       kind == 0   ? "rope_type type rope_theta partial_rotary_factor"
                       : kind == 1 ? "rope_type type rope_theta partial_rotary_factor factor"
                                   : "rope_type type rope_theta partial_rotary_factor factor "
                                     "low_freq_factor high_freq_factor "
                                     "original_max_position_embeddings"))
        return false;
    partial = nn__json_find(json, at, "partial_rotary_factor");
    if (partial && nn__json_type(json, partial) != 'n' &&
        (nn__json_type(json, partial) != '0' || nn__config_number(json, partial) != 1.0))
        return nn__config_unsupported(reader, partial, "partial_rotary_factor", "1.0");
    if (!nn__config_rope_numbers(reader, at)) return false;
    if (kind > 0 && reader->config->rope_factor == 0.0f)
        return nn__json_fail(json, at, key, "a \"factor\"");
    if (kind == 2 && (reader->config->rope_low_freq_factor == 0.0f ||
                      reader->config->rope_high_freq_factor == 0.0f ||
                      reader->config->rope_original_max_position_embeddings == 0))
        return nn__json_fail(json, at, key,
                             "low_freq_factor, high_freq_factor and "
                             "original_max_position_embeddings");
    return true;
}
