/* language/models.h - pretrained language models: reads config.json, describes the net and loads
   the weights, with the names of Hugging Face's transformers.

       nn_config config;
       nn_read_config(nn, &(nn_config_desc){ .path = "model" }, &config);      a folder, or the file
       nn_model *net = nn_make_model(nn, &(nn_model_desc){ .dtype = config.dtype });
       nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
       nn_node *logits = nn_causal_lm(net, ids, &(nn_causal_lm_desc){ .config = &config });
       nn_load_pretrained(net, &config, "model");        model.safetensors, or several with an index

   To generate text, pass these logits to nn_make_generator, with .positions and .cache in
   nn_causal_lm_desc.

   The net is like any other: you can train, move and save it (transformers reads the file of
   nn_save_weights) or use it as a part of a larger one. With nn_model_desc.dtype NN_F16 or NN_BF16
   weights keep that dtype in memory and are widened when read; with NN_F32 they are converted while
   loading. nn_quantize(net, NULL) after nn_make_model stores them in 8 bits, rounded while loading,
   and .bits = 4 in 4 bits; .skip = NN_TEXTS("wpe", "lm_head") leaves layers out.

   GGUF FILES (versions 2 and 3; gpt2, llama, qwen2, qwen3) have settings and weights: give the path
   "model.gguf" to nn_read_config and nn_load_pretrained. Tensors of F32, F16, BF16, Q4_0, Q4_1,
   Q5_0, Q5_1, Q8_0, Q4_K, Q5_K and Q6_K are unpacked to the net's dtype, exactly in f32. Weights of
   nn_quantize with .bits = 4 take Q4_0 unchanged; with .minimums also Q4_1, and Q4_K with its
   scales and minimums rounded to f16. All other tensors are rounded to such weights. A tensor of
   another type is an error that names the type. The tokenizer of the file is not read.

   WHICH MODELS, by config.json's "model_type"
   - gpt2
   - llama, mistral, qwen2, qwen3: rms_norm, rotary positions (with Llama 3.1's frequencies, or all
     divided by a factor), gated feed-forward parts, shared key heads, sliding windows
   - bert: encoders, including MiniLM and other sentence encoders
   A key or value of config.json that is not understood is an error with file, line and key. Keys
   that do not affect the result (architectures, use_cache, settings for generation ...) are
   ignored.

   IT DOES NOT
     - support rotary positions "dynamic", "yarn" and "longrope", experts, quantised safetensors,
       decoders with cross attention, relative positions of BERT, heads for classes (add nn_linear)
     - read PyTorch's .bin files; it reads safetensors and GGUF only */
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

/* The settings of a net. nn_read_config fills them in, or you do for a net of your own; then 0
   means the default of each field that has one. You may change them afterwards, for example
   dropout. */
typedef struct nn_config {
    char model_type[16];         /* "gpt2". For reports */
    nn_config_family family;     /* must be given */
    int32_t vocab_size;          /* must be given */
    int32_t hidden_size;         /* must be given: width of the residual stream */
    int32_t num_hidden_layers;   /* must be given */
    int32_t num_attention_heads; /* must be given */
    int32_t num_key_value_heads; /* default: num_attention_heads. LLAMA */
    int32_t head_dim;            /* default: hidden_size / num_attention_heads. LLAMA */
    int32_t intermediate_size;   /* default: 4 hidden_size; LLAMA: must be given */
    /* must be given: rows of the table of positions. LLAMA: default none; nothing is limited by
       it */
    int32_t max_position_embeddings;
    int32_t type_vocab_size;  /* default: 2. BERT */
    nn_hidden_act hidden_act; /* default: the family's */
    float norm_eps;           /* default: 1e-5, LLAMA 1e-6, BERT 1e-12 */
    bool tie_word_embeddings; /* the head has the weights of the embedding */
    bool qkv_bias, out_bias;  /* LLAMA: biases of the projections of attention */
    bool mlp_bias;            /* LLAMA */
    bool qk_norm;             /* LLAMA: rms_norm of each head's queries and keys, as in Qwen 3 */
    bool no_attention_scale;  /* GPT2: scores are not divided by sqrt(head_dim) */
    bool scale_by_layer;      /* GPT2: scores of layer i are also divided by i + 1 */
    /* default: 0, none. Number of keys that a query sees, in the layers whose bit of window_layers
       is set */
    int32_t sliding_window;
    uint8_t window_layers[NN_CONFIG_LAYERS / 8]; /* a bit for each layer, the lowest first */
    float rope_theta;                            /* default: 10000 */
    float rope_factor; /* default: 1. See nn_rotary_embedding_desc for these four */
    float rope_low_freq_factor, rope_high_freq_factor;
    int32_t rope_original_max_position_embeddings;
    /* default: 0, none. Dropout in training: after the embeddings, of the attention weights, after
       each part of a layer */
    float embedding_dropout, attention_dropout, hidden_dropout;
    float initializer_range; /* from the file; you may pass it to nn_initialise */
    nn_dtype dtype;          /* the file's dtype of weights; NN_F32 if it names none */
    int32_t bos_token_id, pad_token_id; /* of the file; -1: none */
    int32_t eos_token_ids[NN_CONFIG_EOS];
    int32_t eos_count;
} nn_config;

typedef struct nn_config_desc {
    const char *path; /* a config.json, the folder that has one, or a GGUF file */
    /* default: none. Instead of .path: the text of a config.json, read during the call only */
    const void *data;
    size_t bytes;
    /* default: none. Keys to ignore, separated by blanks, if you know that they change nothing */
    const char *ignore;
} nn_config_desc;

/* Fills config. An error (a file that is missing or not JSON, a key or value that is not
   understood, contradicting numbers) names file, line and key, and config is zeroed. */
NN_API nn_result nn_read_config_at(nn_site site, nn_context *nn, const nn_config_desc *desc,
                                   nn_config *config);
#define nn_read_config(...) nn_read_config_at(NN_HERE, __VA_ARGS__)

/* ---- nets ------------------------------------------------------------------------------------ */

typedef struct nn_causal_lm_desc {
    const nn_config
        *config; /* must be given: of the families GPT2 and LLAMA; read during the call */
    /* default: none. (N) i32: the position of each sample's first id; with a cache, the number of
       ids that are already in it */
    nn_node *positions;
    int32_t cache; /* default: 0, none. Number of positions of the cache for keys and values
                      (nn_cache). Needs .positions; such a net has no gradient */
    nn_dtype cache_dtype; /* default: NN_F32; or NN_F16, NN_BF16 */
    /* default: none, a row is one text. (N, L) i32 from nn_fill_answers: where the text of each id
       begins in its row. No text sees another one, and positions begin at 0 in each. Costs one (N,
       L) tensor of positions for all layers. Not with .positions or .cache */
    nn_node *starts;
    /* default: none. (N) i32 for nn_pick_rows: the one row of each sample whose logits are wanted;
       the result is then (N, vocab_size). See nn_generator_desc.last */
    nn_node *last;
    /* default: false, the names must be new. true: uses the parameters of the net described before,
       for another length or batch: one net to train, one with a cache */
    bool shared;
} nn_causal_lm_desc;

/* Returns logits (N, L, vocab_size) f32 for ids (N, L) i32. Row i predicts the id after id i and
   sees no later id, so you may pad texts at their ends with any id. Parameters:
   "transformer.wte.weight", "model.layers.0.self_attn.q_proj.weight" ..., as in transformers'
   files; those of GPT-2's Conv1D layers are (in, out), see nn_linear_transposed. They start as
   those of nn_linear and nn_embedding. To train a new model from scratch, set better values with
   nn_initialise. */
NN_API nn_node *nn_causal_lm_at(nn_site site, nn_model *net, nn_node *ids,
                                const nn_causal_lm_desc *desc);
#define nn_causal_lm(...) nn_causal_lm_at(NN_HERE, __VA_ARGS__)

typedef enum nn_pooling {
    NN_POOLING_NONE, /* the default: every row */
    NN_POOLING_MEAN, /* mean of the rows that the mask includes */
    NN_POOLING_CLS   /* the first row */
} nn_pooling;

typedef struct nn_text_encoder_desc {
    const nn_config *config; /* must be given: of the family BERT; read during the call */
    /* default: none, all ids are used. (N, L) i32: 0 for padding, as nn_encode_batch writes it */
    nn_node *mask;
    nn_node *type_ids; /* default: none, all are 0. (N, L) i32 */
    nn_pooling pooling;
    bool normalize; /* default: false. true: divides by the Euclidean length, so that the product of
                       two results is their cosine */
    bool shared;    /* default: false; as nn_causal_lm_desc */
} nn_text_encoder_desc;

/* Returns (N, L, hidden_size) f32 for ids (N, L) i32, or with pooling (N, hidden_size). Parameters:
   "embeddings.word_embeddings.weight", "encoder.layer.0.attention.self.query.weight" ... A sample
   that the mask excludes completely has the mean 0. */
NN_API nn_node *nn_text_encoder_at(nn_site site, nn_model *net, nn_node *ids,
                                   const nn_text_encoder_desc *desc);
#define nn_text_encoder(...) nn_text_encoder_at(NN_HERE, __VA_ARGS__)

/* ---- weights --------------------------------------------------------------------------------- */

/* Loads the weights of a net of nn_causal_lm or nn_text_encoder from a folder (its
   model.safetensors, or the files of its model.safetensors.index.json) or a file, which for
   nn_causal_lm may also be a GGUF file. It is strict:
   each missing, unexpected or wrongly shaped tensor is named, and then nothing is loaded. Names may
   have or lack the prefix of the whole model ("transformer.", "model.", "bert."). Ignored are
   buffers of old files (masks of GPT-2's attention, position_ids, inv_freq), the copy of a tied
   head, and BERT's pooler and training heads ("pooler.", "cls."). BERT's old names gamma and beta
   mean weight and bias. If the net has further parameters, use nn_load_weights. */
NN_API nn_result nn_load_pretrained_at(nn_site site, nn_model *net, const nn_config *config,
                                       const char *path);
#define nn_load_pretrained(...) nn_load_pretrained_at(NN_HERE, __VA_ARGS__)
