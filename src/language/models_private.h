/* language/models_private.h - shared by the files that turn a config.json into a net. */
#pragma once

#include "language/models.h"
#include "text/private.h"

/* ---- models ---------------------------------------------------------------------------------- */

/* Fills in defaults, and returns the name of a field that is wrong, with the reason in *why; NULL:
   none is. */
NN__TEXT_PRIVATE const char *nn__config_complete(nn_config *config, const char **why);
/* Copies and completes a config for a builder. Returns NULL, or the poisoned node of a fault of
   `operation`. families: a bit for each nn_family that is allowed. */
NN__TEXT_PRIVATE nn_node *nn__config_copy(nn_site site, nn_model *net, const char *operation,
                                          const nn_config *from, unsigned families, nn_config *to);
static inline bool nn__config_windowed(const nn_config *config, int layer) {
    return (config->window_layers[layer / 8] >> layer % 8 & 1) != 0;
}
/* Writes "folder/name", or the path itself if it ends with `ending`. False: an error, it is too
   long. */
NN__TEXT_PRIVATE bool nn__text_path(nn__text_call *call, const char *path, const char *ending,
                                    const char *name, char *to, size_t size);

/* ---- config_values.c, for config_keys.c ------------------------------------------------------ */

/* Bits for the model types, for the table of keys. */
enum {
    NN__GPT2 = 1,
    NN__LLAMA = 2,
    NN__MISTRAL = 4,
    NN__QWEN2 = 8,
    NN__QWEN3 = 16,
    NN__BERT = 32,
    NN__LLAMAS = NN__LLAMA | NN__MISTRAL | NN__QWEN2 | NN__QWEN3,
    NN__ALL = 63
};

typedef struct nn__config_reader {
    nn__text_json json;
    nn_config *config;
    const char *ignore; /* the desc's */
    size_t top;         /* where the outermost object begins */
    unsigned model;     /* one of the bits above */
    bool use_window, window_said;
    int64_t window, window_from;
    size_t layer_types;
    size_t rope; /* where the one that counts begins, rope_scaling or rope_parameters; 0: neither */
    const char *rope_key;
} nn__config_reader;

/* Reports that the value of the key is none of those known. Returns false. */
NN__TEXT_PRIVATE bool nn__config_unsupported(const nn__config_reader *reader, size_t at,
                                             const char *key, const char *known);
/* Read the value at `at`; messages name the key. False: an error. */
NN__TEXT_PRIVATE double nn__config_number(const nn__text_json *json, size_t at);
NN__TEXT_PRIVATE bool nn__config_real_value(const nn__config_reader *reader, size_t at,
                                            const char *key, float *value);
NN__TEXT_PRIVATE bool nn__config_nonzero(const nn__config_reader *reader, size_t at,
                                         const char *key, float *value);
NN__TEXT_PRIVATE bool nn__config_count(const nn__config_reader *reader, size_t at, const char *key,
                                       int64_t least, int64_t *value);
NN__TEXT_PRIVATE bool nn__config_flag(const nn__config_reader *reader, size_t at, const char *key,
                                      bool *value);
NN__TEXT_PRIVATE bool nn__config_token(const nn__config_reader *reader, size_t at, const char *key,
                                       int32_t *value);
NN__TEXT_PRIVATE bool nn__config_eos(const nn__config_reader *reader, size_t at);
NN__TEXT_PRIVATE int nn__config_word(const nn__config_reader *reader, size_t at, const char *words);
NN__TEXT_PRIVATE bool nn__config_act(const nn__config_reader *reader, size_t at, const char *key);
NN__TEXT_PRIVATE bool nn__config_dtype(const nn__config_reader *reader, size_t at, const char *key);
NN__TEXT_PRIVATE bool nn__config_rope(const nn__config_reader *reader, size_t at, const char *key);

/* ---- causal_lm.c, for text_encoder.c too ----------------------------------------------------- */

/* A net that is being built. In shapes: N samples, L ids of each, E hidden_size. */
typedef struct nn__lm {
    nn_site site;
    nn_model *net;
    const nn_config *config;
    nn_node *positions; /* (N) i32 or NULL */
    nn_node *starts;    /* (N, L), of packed texts, or NULL */
    int32_t cache;      /* its length; 0: no cache */
    nn_dtype cache_dtype;
    bool shared;
    char prefix[48];
    char name[NN_NAME_BYTES];
} nn__lm;

/* Sets the prefix to `of`, the number and a dot. */
NN__TEXT_PRIVATE void nn__lm_layer(nn__lm *lm, const char *of, int layer);
/* Add layers named prefix + part. */
NN__TEXT_PRIVATE nn_node *nn__lm_linear(nn__lm *lm, const char *part, nn_node *x, int32_t out,
                                        bool bias);
NN__TEXT_PRIVATE nn_node *nn__lm_norm(nn__lm *lm, const char *part, nn_node *x);
NN__TEXT_PRIVATE nn_node *nn__lm_embedding(nn__lm *lm, const char *part, nn_node *index,
                                           int32_t count);
NN__TEXT_PRIVATE nn_node *nn__lm_dropout(const nn__lm *lm, nn_node *x, float probability);

/* Returns NULL if these are ids, i32 of (N, L), otherwise the poisoned node of a fault. */
NN__TEXT_PRIVATE nn_node *nn__text_ids(nn_site site, nn_model *net, const char *operation,
                                       nn_node *ids, const char *role);
/* Does the same for a node that goes with ids: it is i32 of their shape, or NULL. */
NN__TEXT_PRIVATE nn_node *nn__text_shaped_as_ids(nn_site site, nn_model *net, const char *operation,
                                                 const nn_node *node, const nn_node *ids,
                                                 const char *role, const char *fix);
NN__TEXT_PRIVATE nn_node *nn__text_act(nn_site site, nn_model *net, nn_hidden_act act, nn_node *x);
/* Reshape (N, L, heads size) to (N, L, heads, size) and back, at no cost. */
NN__TEXT_PRIVATE nn_node *nn__text_heads(nn_site site, nn_model *net, nn_node *x, int32_t heads,
                                         int32_t size);
NN__TEXT_PRIVATE nn_node *nn__text_no_heads(nn_site site, nn_model *net, nn_node *x);
/* Counts 0, 1, 2 ... as i32 (N, L), in each sample from its position (N) on; positions may be
   NULL. */
NN__TEXT_PRIVATE nn_node *nn__text_positions(nn_site site, nn_model *net, nn_node *ids,
                                             nn_node *positions);
/* Returns NULL if a table of positions with this number of rows is enough for ids, as far as is
   known before a plan sets the time; otherwise the poisoned node of a fault. */
NN__TEXT_PRIVATE nn_node *nn__text_longer(nn_site site, nn_model *net, const char *operation,
                                          const nn_node *ids, int32_t rows);
