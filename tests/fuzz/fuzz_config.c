/* tests/fuzz/fuzz_config.c - reads any bytes as a config.json. There must be no crash and no leak,
   and either an error in words or a config from which a net can be described and, if it is small,
   planned and run.

   clang -fsanitize=fuzzer,address,undefined -I. -Itests/support tests/fuzz/fuzz_config.c     the fuzzer
   cc -DFUZZ_MAIN -I. -Itests/support tests/fuzz/fuzz_config.c                                its small corpus, for
   `make test` */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"

#define FUZZ_NAME "fuzz_config"
#include "fuzz.h"

static bool fuzz_small(const nn_config *config) {
    return config->vocab_size <= 100 && config->hidden_size <= 64 &&
           config->num_attention_heads <= 8 && config->head_dim <= 64 &&
           config->num_hidden_layers <= 2 && config->intermediate_size <= 64 &&
           config->max_position_embeddings <= 100 && config->type_vocab_size <= 100;
}

static void fuzz_net(nn_context *nn, const nn_config *config) {
    static const int32_t ids[4] = {0, 0, 0, 0};
    nn_model *net = nn_make_model(nn, NULL);
    const int32_t length = config->max_position_embeddings == 1 ? 1 : 2; /* more is a fault */
    nn_node *in = nn_input(net, "ids", NN_I32, NN_SHAPE(2, length)), *y;
    nn_causal_lm_desc lm;
    nn_text_encoder_desc encoder;
    memset(&lm, 0, sizeof lm);
    memset(&encoder, 0, sizeof encoder);
    lm.config = encoder.config = config;
    encoder.pooling = NN_POOLING_MEAN;
    y = config->family == NN_FAMILY_BERT ? nn_text_encoder(net, in, &encoder)
                                         : nn_causal_lm(net, in, &lm);
    fuzz_ensure(nn_fault_count(net) == 0);
    if (fuzz_small(config)) {
        nn_plan_desc desc;
        nn_plan *plan;
        memset(&desc, 0, sizeof desc);
        desc.outputs = NN_NODES(y);
        plan = nn_make_plan(net, &desc);
        fuzz_ensure(plan != NULL);
        nn_upload(plan, in, ids, (size_t)(2 * length) * sizeof ids[0]);
        fuzz_ensure(nn_run(plan) == NN_OK);
    }
    nn_free_model(net);
}

static bool fuzz_one(nn_context *nn) {
    const nn_files *files = &nn_context_desc(nn)->files;
    void *file = files->open(files->user, "f", false);
    nn_config_desc desc;
    nn_config config;
    uint64_t bytes = 0;
    char *text;
    nn_result result;
    files->size(files->user, file, &bytes);
    text = (char *)malloc((size_t)bytes + 1);
    files->read(files->user, file, 0, text, (size_t)bytes);
    files->close(files->user, file);
    memset(&desc, 0, sizeof desc);
    desc.data = text;
    desc.bytes = (size_t)bytes;
    result = nn_read_config(nn, &desc, &config);
    free(text);
    fuzz_ensure((result == NN_OK) == (config.family != NN_FAMILY_NONE));
    if (result != NN_OK) return false;
    fuzz_touch(&config, sizeof config);
    fuzz_net(nn, &config);
    return true;
}

/* Writes small files of every model. */
static size_t fuzz_seed(int number, unsigned char *bytes) {
    static const char *const models[4] = {"llama", "mistral", "qwen2", "qwen3"};
    static const char *const more[4] = {
        ",\"attention_bias\":true,\"mlp_bias\":false,\"head_dim\":6,\"rope_scaling\":{\"rope_"
        "type\":"
        "\"llama3\",\"factor\":8.0,\"low_freq_factor\":1.0,\"high_freq_factor\":4.0,"
        "\"original_max_position_embeddings\":16},\"eos_token_id\":[1,2]",
        ",\"sliding_window\":3,\"torch_dtype\":\"bfloat16\",\"rope_theta\":1e6",
        ",\"use_sliding_window\":true,\"sliding_window\":2,\"layer_types\":[\"full_attention\","
        "\"sliding_attention\"],\"rope_parameters\":{\"rope_theta\":10000.0,\"rope_type\":"
        "\"linear\","
        "\"factor\":2}",
        ",\"use_sliding_window\":false,\"max_window_layers\":1,\"rms_norm_eps\":1e-06"};
    if (number % 6 == 4)
        return (size_t)sprintf(
            (char *)bytes,
            "{\"model_type\":\"gpt2\",\"vocab_size\":7,\"n_embd\":8,\"n_head\":2,\"n_layer\":2,"
            "\"n_positions\":9,\"n_inner\":null,\"activation_function\":\"gelu_new\","
            "\"attn_pdrop\":0.1,\"scale_attn_weights\":%s,\"use_cache\":true}",
            number % 4 ? "true" : "false");
    if (number % 6 == 5)
        return (size_t)sprintf(
            (char *)bytes,
            "{\"model_type\":\"bert\",\"vocab_size\":7,\"hidden_size\":8,\"num_attention_heads\":2,"
            "\"num_hidden_layers\":1,\"intermediate_size\":12,\"max_position_embeddings\":9,"
            "\"hidden_act\":\"gelu\",\"layer_norm_eps\":1e-12,\"pad_token_id\":0,"
            "\"position_embedding_type\":\"absolute\",\"type_vocab_size\":%d}",
            1 + number % 3);
    return (size_t)sprintf(
        (char *)bytes,
        "{\"model_type\":\"%s\",\"vocab_size\":7,\"hidden_size\":8,\"num_attention_heads\":2,"
        "\"num_key_value_heads\":%d,\"num_hidden_layers\":2,\"intermediate_size\":12,"
        "\"tie_word_embeddings\":%s,\"hidden_act\":\"silu\"%s}",
        models[number % 6], 1 + number % 2, number % 3 ? "true" : "false", more[number % 6]);
}
#define FUZZ_WORDS                                                                                 \
    "\"rope_scaling\":{\"rope_type\":\"",                                                          \
        "\"rope_parameters\":{\"rope_theta\":1e4,\"rope_type\":\"", "\"layer_types\":[",           \
        "\"sliding_window\":", "\"model_type\":\"gpt2\"", "\"model_type\":\"bert\"", "null",       \
        "1e-05", "\"head_dim\":", "\"eos_token_id\":[1,2]", "true", "false",                       \
        ",\"use_cache\":false", "-1", "268435456", ",\"rope_theta\":1e6",                          \
        "\"partial_rotary_factor\":1.0,", "\"rope_interleaved\":false,", "\"use_mrope\":false,",   \
        "\"max_window_layers\":1,", "\"use_sliding_window\":true,", "\"embd_pdrop\":0.5,",         \
        "\"attn_pdrop\":", "\"resid_pdrop\":", "\"attention_dropout\":0.25,",                      \
        "\"attention_probs_dropout_prob\":", "\"hidden_dropout_prob\":0.1,",                       \
        "\"initializer_range\":0.02,", "\"torch_dtype\":\"float16\",", "\"dtype\":\"float32\",",   \
        "\"bos_token_id\":", "\"pad_token_id\":null,",                                             \
        "\"position_embedding_type\":\"absolute\",", "\"add_cross_attention\":false,",             \
        "\"is_decoder\":", "\"is_encoder_decoder\":false,", "\"pruned_heads\":{},",                \
        "\"quantization_config\":null,", "\"auto_map\":{},", "\"scale_attn_weights\":false,",      \
        "\"scale_attn_by_inverse_layer_idx\":true,", "\"num_key_value_heads\":null,",              \
        "\"mlp_bias\":true,", "\"attention_bias\":", "\"tie_word_embeddings\":",                   \
        "\"original_max_position_embeddings\":", "\"yarn\"", "\"dynamic\"", "\"linear\"",          \
        "\"llama3\"", "\"factor\":8,", "\"low_freq_factor\":"
#include "fuzz_main.h"
