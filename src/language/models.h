/* language/models.h - other people's language models: their config.json as a struct, the net
   that it describes, and their weights, under the names of Hugging Face's transformers.

       nn_config config;
       nn_read_config(nn, &(nn_config_desc){ .path = "model" }, &config);      a folder, or the file
       nn_model *net = nn_make_model(nn, &(nn_model_desc){ .dtype = config.dtype });
       nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
       nn_node *logits = nn_causal_lm(net, ids, &(nn_causal_lm_desc){ .config = &config });
       nn_load_pretrained(net, &config, "model");        model.safetensors, or several with an index

   It writes: nn_make_generator, with .positions and .cache in both descs, takes these logits.

   A net is as any other: it trains, moves, saves (nn_save_weights: transformers reads that file),
   and may be a part of a larger one. With nn_model_desc.dtype NN_F16 or NN_BF16 weights stay in
   memory as such files have them and are widened where they are read; with NN_F32 they are
   converted by the load. nn_quantize(net, NULL) behind nn_make_model stores them in 8 bits, of
   which the load makes them as it reads; .skip = { "wpe", "lm_head" } leaves parts as they are.

   WHICH MODELS, by config.json's "model_type"
   - gpt2
   - llama, mistral, qwen2, qwen3: rms_norm, rotary positions (with Llama 3.1's frequencies, or all
     divided by a factor), gated feed-forward parts, shared key heads, sliding windows
   - bert: encoders, MiniLM and others for sentences among them
   What config.json says and is not known here is an error with file, line and key. What has no part
   in the result (architectures, use_cache, what text to generate ...) is known, and passed over.

   IT DOES NOT
     - know rotary positions "dynamic", "yarn" and "longrope", experts, quantised files, decoders
       with cross attention, relative positions of BERT, heads for classes (add nn_linear)
     - read PyTorch's .bin files: safetensors alone */
#pragma once

#include "language/generate.h"

/* ---- config.json ----------------------------------------------------------------------------- */

typedef enum nn_config_family {
    NN_FAMILY_NONE,
    NN_FAMILY_GPT2,
    NN_FAMILY_LLAMA, /* and mistral, qwen2, qwen3 */
    NN_FAMILY_BERT
} nn_config_family;

typedef enum nn_hidden_act {
    NN_HIDDEN_ACT_DEFAULT,   /* that of the family: GELU_TANH, SILU, GELU */
    NN_HIDDEN_ACT_GELU,      /* "gelu" */
    NN_HIDDEN_ACT_GELU_TANH, /* "gelu_new", "gelu_pytorch_tanh" */
    NN_HIDDEN_ACT_SILU,      /* "silu", "swish" */
    NN_HIDDEN_ACT_RELU       /* "relu" */
} nn_hidden_act;

#define NN_CONFIG_LAYERS 512 /* the most layers */
#define NN_CONFIG_EOS    8   /* the most ids of config.json that end a text */

/* What a net is made of. Filled by nn_read_config, or by you for one of your own: then 0 is the
   default of each field that has one. Change what you like in between, as dropout. */
typedef struct nn_config {
    char model_type[16];         /* "gpt2". For reports */
    nn_config_family family;     /* must be given */
    int32_t vocab_size;          /* must be given */
    int32_t hidden_size;         /* must be given: width of the residual stream */
    int32_t num_hidden_layers;   /* must be given */
    int32_t num_attention_heads; /* must be given */
    int32_t num_key_value_heads; /* default: num_attention_heads. LLAMA */
    int32_t head_dim;            /* default: hidden_size / num_attention_heads. LLAMA */
    int32_t intermediate_size;   /* default: 4 hidden_size; of LLAMA must be given */
    /* must be given: rows of the table of positions. LLAMA: default none; nothing is limited by
       it */
    int32_t max_position_embeddings;
    int32_t type_vocab_size;  /* default: 2. BERT */
    nn_hidden_act hidden_act; /* default: the family's */
    float norm_eps;           /* default: 1e-5, LLAMA 1e-6, BERT 1e-12 */
    bool tie_word_embeddings; /* the head has the weights of the embedding */
    bool qkv_bias, out_bias;  /* LLAMA: of the projections of attention */
    bool mlp_bias;            /* LLAMA */
    bool qk_norm;             /* LLAMA: rms_norm of each head's queries and keys, as Qwen 3 */
    bool no_attention_scale;  /* GPT2: scores are not divided by sqrt(head_dim) */
    bool scale_by_layer;      /* GPT2: scores of layer i are divided by i + 1 too */
    int32_t sliding_window;   /* default: 0, none. Keys a query sees, in the layers of: */
    uint8_t window_layers[NN_CONFIG_LAYERS / 8]; /* a bit for each layer, the lowest first */
    float rope_theta;                            /* default: 10000 */
    float rope_factor; /* default: 1. See nn_rotary_embedding_desc for these four */
    float rope_low_freq_factor, rope_high_freq_factor;
    int32_t rope_original_max_position_embeddings;
    /* default: 0, none. Dropout while a trainer runs: behind the embeddings, of the weights of
       attention, behind each part of a layer */
    float embedding_dropout, attention_dropout, hidden_dropout;
    float initializer_range; /* of the file; for nn_initialise, which nothing here calls */
    nn_dtype dtype;          /* in which the file says that its weights are; NN_F32 if nothing */
    int32_t bos_token_id, pad_token_id; /* of the file; -1: none */
    int32_t eos_token_ids[NN_CONFIG_EOS];
    int32_t eos_count;
} nn_config;

typedef struct nn_config_desc {
    const char *path; /* a config.json, or the folder that has one */
    /* default: none. Instead of .path: the text of a config.json, read during the call only */
    const void *data;
    size_t bytes;
    /* default: none. Keys, with blanks between, that are not to count: you know that they change
       nothing */
    const char *ignore;
} nn_config_desc;

/* Fills config. An error (a file that is missing or no JSON, a key or a value that is not
   understood, numbers that do not fit each other) names file, line and key, and config is zero. */
NN_API nn_result nn_read_config_at(nn_site site, nn_context *nn, const nn_config_desc *desc,
                                   nn_config *config);
#define nn_read_config(...) nn_read_config_at(NN_HERE, __VA_ARGS__)

/* ---- nets ------------------------------------------------------------------------------------ */

typedef struct nn_causal_lm_desc {
    const nn_config
        *config; /* must be given: of the families GPT2 and LLAMA; read during the call */
    /* default: none. (N) i32: the position of each sample's first id, which with a cache is how
       many ids it has already */
    nn_node *positions;
    int32_t cache; /* default: 0, none. How many positions the keys and values that the plan keeps
                      are for (nn_cache). With .positions; such a net has no gradient */
    nn_dtype cache_dtype; /* default: NN_F32; or NN_F16, NN_BF16 */
    /* default: none, a row is one text. (N, L) i32 of nn_fill_answers: where in its row the text of
       each id begins. No text sees another one, and positions begin anew with each. Costs N L
       positions, one row of them for all layers. Without .positions and .cache */
    nn_node *starts;
    /* default: none. (N) i32 for nn_pick_rows: of each sample one row, whose logits alone are
       wanted; the result is (N, vocab_size) then. As nn_generator_desc.last */
    nn_node *last;
    bool shared; /* default: false, the names must be new. true: the parameters of the net described
                    before, for another length or another batch: one to train, one with a cache */
} nn_causal_lm_desc;

/* logits (N, L, vocab_size) f32 of ids (N, L) i32: row i tells what follows id i, and sees no id
   behind i. So texts of a batch may be padded behind their ends, with any id. Parameters:
   "transformer.wte.weight", "model.layers.0.self_attn.q_proj.weight" ..., as transformers' files
   have them; GPT-2's of its Conv1D layers (in, out), by nn_linear_transposed. They start as those
   of nn_linear and nn_embedding do, which is not what one would train a new model from:
   nn_initialise. */
NN_API nn_node *nn_causal_lm_at(nn_site site, nn_model *net, nn_node *ids,
                                const nn_causal_lm_desc *desc);
#define nn_causal_lm(...) nn_causal_lm_at(NN_HERE, __VA_ARGS__)

typedef enum nn_pooling {
    NN_POOLING_NONE, /* the default: every row */
    NN_POOLING_MEAN, /* of the rows that the mask has */
    NN_POOLING_CLS   /* the first row */
} nn_pooling;

typedef struct nn_text_encoder_desc {
    const nn_config *config; /* must be given: of the family BERT; read during the call */
    nn_node *mask; /* default: none, all ids count. (N, L) i32: 0 for padding, as nn_encode_batch
                      gives it */
    nn_node *type_ids; /* default: none, all are 0. (N, L) i32 */
    nn_pooling pooling;
    bool normalize; /* default: false. true: divided by the Euclidean length, so that a product of
                       two is the cosine between them */
    bool shared;    /* default: false; as nn_causal_lm_desc */
} nn_text_encoder_desc;

/* (N, L, hidden_size) f32 of ids (N, L) i32, or with pooling (N, hidden_size). Parameters:
   "embeddings.word_embeddings.weight", "encoder.layer.0.attention.self.query.weight" ... A sample
   without any id that counts has the mean 0. */
NN_API nn_node *nn_text_encoder_at(nn_site site, nn_model *net, nn_node *ids,
                                   const nn_text_encoder_desc *desc);
#define nn_text_encoder(...) nn_text_encoder_at(NN_HERE, __VA_ARGS__)

/* ---- weights --------------------------------------------------------------------------------- */

/* nn_load_weights from a folder (its model.safetensors, or the files of its
   model.safetensors.index.json) or from a file, for a net of nn_causal_lm or nn_text_encoder:
   strict, all or nothing, each tensor that is missing, not expected or of another shape named.
   Names may have or lack the prefix of the whole model ("transformer.", "model.", "bert."). Passed
   over are the buffers of old files (masks of GPT-2's attention, position_ids, inv_freq), of a head
   that is tied the copy, and of BERT its pooler and the heads of its training ("pooler.", "cls.");
   its old names gamma and beta are weight and bias. A net with more parameters than these is
   nn_load_weights_with's. */
NN_API nn_result nn_load_pretrained_at(nn_site site, nn_model *net, const nn_config *config,
                                       const char *path);
#define nn_load_pretrained(...) nn_load_pretrained_at(NN_HERE, __VA_ARGS__)

/* ---- C++: descs by reference ----------------------------------------------------------------- */

#ifdef __cplusplus
extern "C++" {
inline nn_result nn_read_config_at(nn_site site, nn_context *nn, const nn_config_desc &desc,
                                   nn_config *config) {
    return nn_read_config_at(site, nn, &desc, config);
}
inline nn_node *nn_causal_lm_at(nn_site site, nn_model *net, nn_node *ids,
                                const nn_causal_lm_desc &desc) {
    return nn_causal_lm_at(site, net, ids, &desc);
}
inline nn_node *nn_text_encoder_at(nn_site site, nn_model *net, nn_node *ids,
                                   const nn_text_encoder_desc &desc) {
    return nn_text_encoder_at(site, net, ids, &desc);
}
}
#endif
