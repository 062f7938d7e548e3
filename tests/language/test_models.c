/* tests/language/test_models.c - language models in other programs' formats (language/models.h):
   tiny ones of every kind, compared with transformers on the same numbers (tests/golden/models.py);
   mistakes in config.json, in index.json and in files of weights.

   With NN_FULL=1 and a Python ($PYTHON) that has torch and transformers: larger models with
   transformers' own weights and files, their logits, texts and training; a real sentence encoder,
   if $NN_SENTENCE_MODEL is its folder. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"

#include <stdlib.h>

#include "memory_files.h"
#include "scarce.h"
#include "test.h"
#include "open.h"

#include "golden/models.h"

enum { CASES = sizeof model_cases / sizeof model_cases[0], VOCAB = 23, N = 2, L = 9 };

/* ---- numbers that both sides make of names --------------------------------------------------- */

static double value(const char *name, uint32_t i) {
    uint32_t h = 2166136261u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
    h += i * 2654435761u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    return ((double)(h % 2001u) - 1000.0) / 1000.0;
}

static void fill_ids(int32_t *ids, int step, int length, int vocab) {
    char name[16];
    snprintf(name, sizeof name, "ids%d", step);
    for (int i = 0; i < N * length; i++)
        ids[i] = (int32_t)((value(name, (uint32_t)i) + 1) * 500 * 7) % vocab;
}

static void fill_parameters(nn_model *net) {
    for (int t = 0; t < nn_model_tensor_count(net); t++) {
        nn_tensor *tensor = nn_model_tensor_at(net, t);
        const char *name = nn_tensor_name(tensor), *end = name + strlen(name);
        const bool norm = strstr(name, "norm") || strstr(name, "Norm") || strstr(name, "ln_");
        const double base = norm && strcmp(end - 4, "bias") != 0 ? 1 : 0, scale = norm ? 0.2 : 0.3;
        const int64_t count = nn_shape_count(nn_tensor_shape(tensor));
        float *numbers = (float *)malloc(sizeof(float) * (size_t)count);
        for (int64_t i = 0; i < count; i++)
            numbers[i] = (float)(base + scale * value(name, (uint32_t)i));
        nn_upload_tensor(tensor, numbers, sizeof(float) * (size_t)count);
        free(numbers);
    }
}

static nn_context *open_context(void) { return nn_open(&(nn_desc){.threads = 1}); }

static nn_result read_text(nn_context *nn, const char *text, nn_config *config) {
    return nn_read_config(nn, &(nn_config_desc){.data = text, .bytes = strlen(text)}, config);
}

/* ---- a net and what it is fed with ----------------------------------------------------------- */

typedef struct run {
    nn_context *nn;
    nn_model *net;
    nn_config config;
    nn_node *ids, *mask, *types, *y, *pooled;
} run;

static bool quantized; /* nets have weights of 8 bits */

static bool describe(run *r, nn_context *nn, const nn_config *config, nn_device device,
                     nn_dtype dtype) {
    r->nn = nn;
    r->config = *config;
    r->net = nn_make_model(nn, &(nn_model_desc){.device = device, .dtype = dtype});
    if (quantized) nn_quantize(r->net, NULL);
    r->ids = nn_input(r->net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    r->pooled = r->mask = r->types = NULL;
    if (config->family == NN_FAMILY_BERT) {
        r->mask = nn_input(r->net, "mask", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
        r->types = nn_input(r->net, "types", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
        r->y = nn_text_encoder(
            r->net, r->ids,
            &(nn_text_encoder_desc){.config = config, .mask = r->mask, .type_ids = r->types});
        r->pooled = nn_text_encoder(r->net, r->ids,
                                    &(nn_text_encoder_desc){.config = config,
                                                            .mask = r->mask,
                                                            .type_ids = r->types,
                                                            .pooling = NN_POOLING_MEAN,
                                                            .normalize = true,
                                                            .shared = true});
    } else
        r->y = nn_causal_lm(r->net, r->ids, &(nn_causal_lm_desc){.config = config});
    if (nn_fault_count(r->net) > 0) nn_write_faults(r->net, (nn_writer){nn_write_stdout, NULL});
    return nn_fault_count(r->net) == 0;
}

/* Computes the outputs: y (N, length, width), and pooled (N, width) if the net has it. y and pooled
   may be NULL. */
static bool forward(run *r, int length, float *y, size_t y_count, float *pooled,
                    size_t pooled_count) {
    int32_t ids[N * 64], mask[N * 64], types[N * 64];
    const size_t bytes = sizeof(int32_t) * (size_t)(N * length);
    nn_plan *plan = nn_make_plan(
        r->net,
        &(nn_plan_desc){.outputs = {(nn_node *[]){r->y, r->pooled}, r->pooled ? 2 : 1}, .batch = N, .time = length + 3});
    if (!plan) return false;
    nn_set_time(plan, length);
    fill_ids(ids, 0, length, r->config.vocab_size);
    for (int i = 0; i < N * length; i++) {
        mask[i] = i < 2 * length - 3;
        types[i] = i % length % 3;
    }
    nn_upload(plan, r->ids, ids, bytes);
    if (r->mask) {
        nn_upload(plan, r->mask, mask, bytes);
        nn_upload(plan, r->types, types, bytes);
    }
    bool fine = nn_run(plan) == NN_OK && nn_download(plan, r->y, y, y_count * 4) == NN_OK;
    if (fine && r->pooled) fine = nn_download(plan, r->pooled, pooled, pooled_count * 4) == NN_OK;
    nn_free_plan(plan);
    return fine;
}

/* ---- tiny ones ------------------------------------------------------------------------------- */

/* The net has every name that transformers has, no other, and its logits. */
static void check_case(const model_case *one, nn_context *nn, nn_device device, double limit) {
    char names[8192];
    float y[N * L * VOCAB], pooled[N * 16];
    nn_config config;
    run r;
    double worst = 0;
    int width, from = 0, count = 0;
    if (read_text(nn, one->config, &config) != NN_OK) {
        test_fail(__FILE__, __LINE__, "%s: %s", one->name, nn_error(nn));
        return;
    }
    ENSURE(describe(&r, nn, &config, device, NN_F32));
    snprintf(names, sizeof names, "%s", one->parameters);
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " "), count++)
        if (!nn_find_tensor(r.net, name))
            test_fail(__FILE__, __LINE__, "%s: there is no %s", one->name, name);
    ENSURE(count == nn_model_tensor_count(r.net)); /* and no other */
    fill_parameters(r.net);
    width = config.family == NN_FAMILY_BERT ? config.hidden_size : VOCAB;
    if (!forward(&r, L, y, (size_t)(N * L * width), pooled, (size_t)(N * width))) {
        test_fail(__FILE__, __LINE__, "%s: %s", one->name, nn_error(nn));
        nn_free_model(r.net);
        return;
    }
    if (r.pooled) from = N * width;
    ENSURE(one->count == N * L * width + from);
    for (int i = 0; i < N * L * width; i++) {
        if (r.pooled && i >= (2 * L - 3) * width) continue; /* after the text */
        worst = fmax(worst, fabs((double)y[i] - one->logits[i]));
    }
    for (int i = 0; i < from; i++)
        worst = fmax(worst, fabs((double)pooled[i] - one->logits[N * L * width + i]));
    if (getenv("NN_SHOW")) printf("%s: %.1e\n", one->name, worst);
    if (!(worst <= limit)) test_fail(__FILE__, __LINE__, "%s: %.3g", one->name, worst);
    nn_free_model(r.net);
}

static void tiny(void) {
    nn_context *nn = open_context();
    for (int i = 0; i < CASES; i++) check_case(&model_cases[i], nn, nn_cpu(), 4e-6);
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

#ifdef NN_TEST_OPENCL

static void tiny_on_opencl(void) {
    nn_context *nn = open_context();
    if (OPEN_OPENCL(nn))
        for (int i = 0; i < CASES; i++) check_case(&model_cases[i], nn, nn_opencl(0), 4e-6);
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}
#endif

/* Copies the numbers that the bytes of one net stand for into its f32 twin. */
static void widen_into(nn_model *from, nn_model *to) {
    for (int t = 0; t < nn_model_tensor_count(to); t++) {
        nn_tensor *tensor = nn_model_tensor_at(to, t);
        const char *name = nn_tensor_name(tensor);
        nn_tensor *small = nn_find_tensor(from, name);
        if (nn_tensor_dtype(small) != NN_I8) {
            nn_copy(tensor, small);
            continue;
        }
        char of[NN_NAME_BYTES];
        snprintf(of, sizeof of, "%s_scale", name);
        const nn_tensor *scales = nn_find_tensor(from, of);
        const nn_shape shape = nn_tensor_shape(tensor), outputs = nn_tensor_shape(scales);
        const int64_t count = nn_shape_count(shape);
        const int8_t *bytes = (const int8_t *)nn_tensor_const_data(small);
        const float *scale = (const float *)nn_tensor_const_data(scales);
        /* tensors of Conv1D layers have their outputs last */
        const bool last = strstr(name, "attn.c_") || strstr(name, "mlp.c_");
        float *numbers = (float *)malloc(sizeof(float) * (size_t)count);
        if (outputs.extent[0] != shape.extent[last]) test_fail(__FILE__, __LINE__, "%s", of);
        for (int64_t i = 0; i < count; i++)
            numbers[i] = (float)bytes[i] *
                         scale[last ? i % shape.extent[1] : i / shape.extent[1]];
        nn_upload_tensor(tensor, numbers, sizeof(float) * (size_t)count);
        free(numbers);
    }
}

/* Weights of 8 bits give the logits of the same numbers in f32. They differ from the logits of the
   unrounded weights by at most 4 % of the largest one. Half a step is 0.4 % of a row's largest
   weight, in each of a few layers. */
static void eight_bits(void) {
    memory_disk disk;
    memset(&disk, 0, sizeof disk);
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .files = memory_files(&disk)});
    for (int i = 0; i < CASES; i++) {
        float y[3][N * L * VOCAB], pooled[N * 16];
        nn_config config;
        run r[3];
        ENSURE(read_text(nn, model_cases[i].config, &config) == NN_OK);
        const int width = config.family == NN_FAMILY_BERT ? config.hidden_size : VOCAB;
        for (int k = 0; k < 3; k++) {
            quantized = k == 1;
            bool described = describe(&r[k], nn, &config, nn_cpu(), NN_F32);
            quantized = false;
            ENSURE(described && forward(&r[k], L, y[k], (size_t)(N * L * width), pooled,
                                        (size_t)(N * width))); /* now tensors exist */
            if (k == 0) fill_parameters(r[k].net);
            if (k == 0) nn_save_weights(r[k].net, "m/model.safetensors");
            if (k == 1) ENSURE(nn_load_pretrained(r[k].net, &config, "m") == NN_OK);
            if (k == 2) widen_into(r[1].net, r[2].net);
            ENSURE(forward(&r[k], L, y[k], (size_t)(N * L * width), pooled, (size_t)(N * width)));
        }
        double rounded = 0, apart = 0, largest = 0;
        for (int e = 0; e < (config.family == NN_FAMILY_BERT ? 2 * L - 3 : N * L) * width; e++) {
            apart = fmax(apart, fabs((double)y[1][e] - (double)y[2][e]));
            rounded = fmax(rounded, fabs((double)y[1][e] - (double)y[0][e]));
            largest = fmax(largest, fabs((double)y[0][e]));
        }
        if (getenv("NN_SHOW"))
            printf("%s: %.1e, %.4f of %.3f\n", model_cases[i].name, apart, rounded, largest);
        ENSURE(apart <= 4e-6 && rounded <= 0.04 * largest && rounded > 1e-5 * largest);
        /* the file that the 8-bit net saves gives the same logits */
        nn_save_weights(r[1].net, "m/model.safetensors");
        quantized = true;
        ENSURE(describe(&r[2], nn, &config, nn_cpu(), NN_F32));
        quantized = false;
        ENSURE(nn_load_pretrained(r[2].net, &config, "m") == NN_OK);
        ENSURE(forward(&r[2], L, y[2], (size_t)(N * L * width), pooled, (size_t)(N * width)));
        ENSURE(memcmp(y[1], y[2], sizeof(float) * (size_t)(N * L * width)) == 0);
        for (int k = 0; k < 3; k++) nn_free_model(r[k].net);
    }
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
    memory_free(&disk);
}

/* Chunks with a cache, then single ids, and one row alone give the logits of the whole. */
static void cached(void) {
    nn_context *nn = open_context();
    for (int i = 0; i < CASES; i++) {
        const nn_dtype dtype = i % 2 ? NN_F16 : NN_F32; /* of the cache */
        static const int chunks[] = {4, 1, 2, 1, 1};
        int32_t ids[N * L], part[N * L], positions[N] = {0, 0}, rows[N];
        float y[N * L * VOCAB];
        nn_config config;
        ENSURE(read_text(nn, model_cases[i].config, &config) == NN_OK);
        if (config.family == NN_FAMILY_BERT) continue;
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *in = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
        nn_node *at = nn_input(net, "positions", NN_I32, NN_SHAPE(NN_BATCH));
        nn_node *last = nn_input(net, "last", NN_I32, NN_SHAPE(NN_BATCH));
        nn_causal_lm_desc desc = {
            .config = &config, .positions = at, .cache = L, .cache_dtype = dtype};
        nn_node *all = nn_causal_lm(net, in, &desc);
        desc.shared = true;
        desc.last = last;
        nn_node *one = nn_causal_lm(net, in, &desc);
        nn_plan *plan = nn_make_plan(
            net, &(nn_plan_desc){.outputs = NN_NODES(all, one), .batch = N, .time = 4});
        if (!plan) test_fail(__FILE__, __LINE__, "%s: %s", model_cases[i].name, nn_error(nn));
        fill_parameters(net);
        fill_ids(ids, 0, L, VOCAB);
        for (int c = 0, from = 0; plan && c < 5; from += chunks[c++]) {
            const int n = chunks[c];
            double worst = 0;
            for (int k = 0; k < N * n; k++) part[k] = ids[k / n * L + from + k % n];
            for (int k = 0; k < N; k++) positions[k] = from, rows[k] = n * k + n - 1;
            nn_set_time(plan, n);
            nn_upload(plan, in, part, sizeof(int32_t) * (size_t)(N * n));
            nn_upload(plan, at, positions, sizeof positions);
            nn_upload(plan, last, rows, sizeof rows);
            ENSURE(nn_run(plan) == NN_OK);
            nn_download(plan, all, y, sizeof(float) * (size_t)(N * n * VOCAB));
            for (int k = 0; k < N * n * VOCAB; k++) {
                const int row = k / VOCAB, sample = row / n, place = from + row % n;
                worst = fmax(worst,
                             fabs((double)y[k] -
                                  model_cases[i].logits[(sample * L + place) * VOCAB + k % VOCAB]));
            }
            nn_download(plan, one, y, sizeof(float) * N * VOCAB);
            for (int k = 0; k < N * VOCAB; k++)
                worst = fmax(
                    worst,
                    fabs(
                        (double)y[k] -
                        model_cases[i].logits[(k / VOCAB * L + from + n - 1) * VOCAB + k % VOCAB]));
            if (!(worst <= (dtype == NN_F16 ? 3e-3 : 4e-6)))
                test_fail(__FILE__, __LINE__, "%s, chunk %d: %.3g", model_cases[i].name, c, worst);
        }
        nn_free_model(net);
    }
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

/* ---- mistakes in config.json ----------------------------------------------------------------- */

#define LLAMA_HEAD                                                                                 \
    "{\n\"model_type\": \"llama\",\n\"vocab_size\": 23,\n\"hidden_size\": 16,\n"                   \
    "\"num_attention_heads\": 4,\n\"num_hidden_layers\": 2,\n\"intermediate_size\": 24"

/* These texts follow LLAMA_HEAD, from line 8 on. */
static const char *const wrong_llamas[][2] = {
    {",\n\"hidden_act\": \"xielu\"}",
     "line 8: \"hidden_act\" is \"xielu\", which is not supported; supported: gelu"},
    {",\n\"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 4}}",
     "line 8: \"rope_type\" is \"yarn\", which is not supported; supported: default linear llama3"},
    {",\n\"rope_scaling\": {\"type\": \"linear\"}}", "line 8: rope_scaling; wanted a \"factor\""},
    {",\n\"rope_scaling\": {\"type\": \"linear\", \"factor\": 2, \"mscale\": 1}}",
     "line 8: the key \"mscale\" is not supported"},
    {",\n\"rope_scaling\": {\"type\": \"llama3\", \"factor\": 2}}",
     "line 8: rope_scaling; wanted low_freq_factor"},
    {",\n\"rope_scaling\": {\"type\": \"linear\", \"factor\": 0.5}}",
     "line 8: \"rope_factor\": wanted"},
    {",\n\"partial_rotary_factor\": 0.5}",
     "line 8: \"partial_rotary_factor\" has a value that is not supported; supported: 1.0"},
    {",\n\"num_experts\": 8}", "line 8: the key \"num_experts\" is not supported for a llama; if"},
    {",\n\"num_key_value_heads\": 3}",
     "line 8: \"num_key_value_heads\": num_attention_heads is not"},
    {",\n\"num_key_value_heads\": 0}", "line 8: num_key_value_heads; wanted a whole number from 1"},
    {",\n\"head_dim\": 5}", "line 8: \"head_dim\": wanted an even number"},
    {",\n\"head_dim\": 4.5}", "line 8: head_dim; wanted a whole number"},
    {",\n\"head_dim\": 268435456}",
     "line 8: \"head_dim\": wanted an even number, since rotary positions rotate pairs, "
     "and at most 2^20 over all heads"},
    {",\n\"vocab_size\": 24}", "vocab_size; wanted it once; it occurs twice"},
    {",\n\"rms_norm_eps\": -1e-6}", "line 8: \"rms_norm_eps\": wanted a positive number"},
    {",\n\"rms_norm_eps\": \"1e-6\"}", "line 8: rms_norm_eps; wanted a number"},
    {",\n\"rms_norm_eps\": 0}", "line 8: rms_norm_eps; wanted a number that is not 0"},
    {",\n\"rope_parameters\": {\"rope_theta\": 0.0}}",
     "line 8: rope_theta; wanted a number that is not 0"},
    {",\n\"rope_theta\": 1e400}", "line 8: rope_theta; wanted a number"},
    {",\n\"attention_bias\": 1}", "line 8: attention_bias; wanted true or false"},
    {",\n\"attention_dropout\": 1.5}", "line 8: \"attention_dropout\": wanted a number from 0"},
    {",\n\"torch_dtype\": \"float8_e4m3fn\"}",
     "line 8: \"torch_dtype\" is \"float8_e4m3fn\", which is not supported"},
    {",\n\"quantization_config\": {\"bits\": 4}}",
     "line 8: \"quantization_config\" has a value that is not supported"},
    {",\n\"eos_token_id\": [1, 2, 3, 4, 5, 6, 7, 8, 9]}", "line 8: eos_token_id; wanted at most 8"},
    {",\n\"bos_token_id\": \"<s>\"}", "line 8: bos_token_id; wanted the id of a token"},
    {",\n\"is_encoder_decoder\": true}",
     "line 8: \"is_encoder_decoder\" has a value that is not supported"},
    {",\n\"n_embd\": 16}", "line 8: the key \"n_embd\" is not supported for a llama"},
    {",\n}", "line 8: an object lacks a key"},
};

static void config_mistakes(void) {
    static const char *const others[][2] = {
        {"", "the file does not begin with an object"},
        {"{}", "there is no \"model_type\"; wanted gpt2 llama"},
        {"{\"model_type\": \"mamba\"}",
         "line 1: \"model_type\" is \"mamba\", which is not supported; supported: gpt2"},
        {"{\"model_type\": \"gpt2\",\n\"n_embd\": 16, \"n_head\": 3, \"n_layer\": 1,\n"
         "\"vocab_size\": 5, \"n_positions\": 4}",
         "line 2: \"n_head\": hidden_size is not a multiple of it"},
        {"{\"model_type\": \"gpt2\", \"n_embd\": 16, \"n_head\": 4, \"n_layer\": 513,\n"
         "\"vocab_size\": 5, \"n_positions\": 4}",
         "\"n_layer\": it is missing, or not a number from 1 to 512"},
        {"{\"model_type\": \"gpt2\", \"n_embd\": 16, \"n_head\": 4, \"n_layer\": 1}",
         "\"vocab_size\": it is missing"},
        {"{\"model_type\": \"bert\", \"position_embedding_type\": \"relative_key\"}",
         "\"position_embedding_type\" is \"relative_key\", which is not supported; supported: "
         "absolute"},
        {"{\"model_type\": \"bert\", \"is_decoder\": true}",
         "\"is_decoder\" has a value that is not supported"},
        {"{\"model_type\": \"qwen2\", \"vocab_size\": 5, \"hidden_size\": 8,\n"
         "\"num_attention_heads\": 2, \"num_hidden_layers\": 2, \"intermediate_size\": 8,\n"
         "\"layer_types\": [\"full_attention\"]}",
         "line 3: layer_types; wanted one for each layer"},
        {"{\"model_type\": \"qwen2\", \"vocab_size\": 5, \"hidden_size\": 8,\n"
         "\"num_attention_heads\": 2, \"num_hidden_layers\": 1, \"intermediate_size\": 8,\n"
         "\"layer_types\": [\"linear_attention\"]}",
         "line 3: \"layer_types\" is \"linear_attention\", which is not supported; supported: "
         "full_attention sliding_attention"}};
    nn_context *nn = open_context();
    nn_config config;
    char text[1024];
    for (size_t i = 0; i < sizeof wrong_llamas / sizeof *wrong_llamas + 10; i++) {
        const size_t from = sizeof wrong_llamas / sizeof *wrong_llamas;
        const char *wanted = i < from ? wrong_llamas[i][1] : others[i - from][1];
        snprintf(text, sizeof text, "%s%s", i < from ? LLAMA_HEAD : "",
                 i < from ? wrong_llamas[i][0] : others[i - from][0]);
        if (read_text(nn, text, &config) == NN_OK || !strstr(nn_error(nn), wanted) ||
            config.family != NN_FAMILY_NONE)
            test_fail(__FILE__, __LINE__, "%s\ngives: %s", text, nn_error(nn));
        nn_clear_error(nn);
    }
    /* In any order of the keys, rope_scaling overrides rope_parameters, and these override
       rope_theta. */
    ENSURE(read_text(nn,
                     LLAMA_HEAD ", \"rope_scaling\": {\"type\": \"linear\", \"factor\": 2,\n"
                                "\"rope_theta\": 9}, \"rope_parameters\": {\"type\": \"linear\",\n"
                                "\"factor\": 4, \"rope_theta\": 7}, \"rope_theta\": 1.0}",
                     &config) == NN_OK);
    ENSURE(config.rope_factor == 2 && config.rope_theta == 9);
    ENSURE(read_text(nn, LLAMA_HEAD ", \"num_experts\": 8, \"eos_token_id\": [7, 8]}", &config) !=
           NN_OK);
    nn_clear_error(nn);
    snprintf(text, sizeof text, LLAMA_HEAD ", \"num_experts\": 8, \"eos_token_id\": [7, 8]}");
    ENSURE(nn_read_config(
               nn,
               &(nn_config_desc){.data = text, .bytes = strlen(text), .ignore = "moe num_experts"},
               &config) == NN_OK);
    ENSURE(config.eos_count == 2 && config.eos_token_ids[1] == 8 && config.bos_token_id == -1 &&
           config.head_dim == 4 && config.num_key_value_heads == 4 && config.dtype == NN_F32);
    ENSURE(nn_read_config(nn, &(nn_config_desc){.path = "nowhere"}, &config) == NN_ERROR_FILE &&
           strstr(nn_error(nn), "cannot open \"nowhere/config.json\""));
    nn_clear_error(nn);
    ENSURE(nn_read_config(nn, &(nn_config_desc){.ignore = ""}, &config) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    nn_close(nn);
}

/* Tests which layers have the window in a net of more than eight. */
static void windows(void) {
    static const char *const texts[3] = {
        "{\"model_type\": \"qwen2\", \"use_sliding_window\": true, \"sliding_window\": 7, "
        "\"max_window_layers\": 10, ",
        "{\"model_type\": \"qwen2\", \"sliding_window\": 7, \"max_window_layers\": 10, ",
        "{\"model_type\": \"mistral\", "};
    static const int first[3] = {10, 12, 0}, window[3] = {7, 0, 4096};
    nn_context *nn = open_context();
    nn_config config;
    char text[500];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text,
                 "%s\"num_hidden_layers\": 12, \"hidden_size\": 8, \"num_attention_heads\": 2, "
                 "\"vocab_size\": 5, \"intermediate_size\": 8}",
                 texts[i]);
        ENSURE(read_text(nn, text, &config) == NN_OK && config.sliding_window == window[i]);
        for (int k = 0; k < 12; k++)
            ENSURE((config.window_layers[k / 8] >> k % 8 & 1) == (k >= first[i]));
    }
    nn_close(nn);
}

/* Configs as they are on Hugging Face's hub, including keys without effect here. */
static void real_configs(void) {
    static const char gpt2[] =
        "{\n  \"activation_function\": \"gelu_new\",\n  \"architectures\": [\n    "
        "\"GPT2LMHeadModel\"\n  ],\n  \"attn_pdrop\": 0.1,\n  \"bos_token_id\": 50256,\n  "
        "\"embd_pdrop\": 0.1,\n  \"eos_token_id\": 50256,\n  \"initializer_range\": 0.02,\n  "
        "\"layer_norm_epsilon\": 1e-05,\n  \"model_type\": \"gpt2\",\n  \"n_ctx\": 1024,\n  "
        "\"n_embd\": 768,\n  \"n_head\": 12,\n  \"n_layer\": 12,\n  \"n_positions\": 1024,\n  "
        "\"resid_pdrop\": 0.1,\n  \"summary_activation\": null,\n  \"summary_type\": "
        "\"cls_index\",\n  \"task_specific_params\": {\n    \"text-generation\": {\n      "
        "\"do_sample\": true,\n      \"max_length\": 50\n    }\n  },\n  \"vocab_size\": 50257\n}\n";
    static const char llama[] =
        "{\"architectures\": [\"LlamaForCausalLM\"], \"attention_bias\": false, "
        "\"attention_dropout\": 0.0, \"bos_token_id\": 128000, \"eos_token_id\": [128001, 128008, "
        "128009], \"head_dim\": 64, \"hidden_act\": \"silu\", \"hidden_size\": 2048, "
        "\"initializer_range\": 0.02, \"intermediate_size\": 8192, \"max_position_embeddings\": "
        "131072, \"mlp_bias\": false, \"model_type\": \"llama\", \"num_attention_heads\": 32, "
        "\"num_hidden_layers\": 16, \"num_key_value_heads\": 8, \"pretraining_tp\": 1, "
        "\"rms_norm_eps\": 1e-05, \"rope_scaling\": {\"factor\": 32.0, \"high_freq_factor\": 4.0, "
        "\"low_freq_factor\": 1.0, \"original_max_position_embeddings\": 8192, \"rope_type\": "
        "\"llama3\"}, \"rope_theta\": 500000.0, \"tie_word_embeddings\": true, \"torch_dtype\": "
        "\"bfloat16\", \"transformers_version\": \"4.45.0.dev0\", \"use_cache\": true, "
        "\"vocab_size\": 128256}";
    static const char qwen[] =
        "{\"architectures\": [\"Qwen2ForCausalLM\"], \"attention_dropout\": 0.0, \"bos_token_id\": "
        "151643, \"eos_token_id\": 151643, \"hidden_act\": \"silu\", \"hidden_size\": 896, "
        "\"initializer_range\": 0.02, \"intermediate_size\": 4864, \"max_position_embeddings\": "
        "32768, \"max_window_layers\": 24, \"model_type\": \"qwen2\", \"num_attention_heads\": 14, "
        "\"num_hidden_layers\": 24, \"num_key_value_heads\": 2, \"rms_norm_eps\": 1e-06, "
        "\"rope_theta\": 1000000.0, \"sliding_window\": 32768, \"tie_word_embeddings\": true, "
        "\"torch_dtype\": \"bfloat16\", \"transformers_version\": \"4.40.1\", \"use_cache\": true, "
        "\"use_mrope\": false, \"use_sliding_window\": false, \"vocab_size\": 151936}";
    static const char *const texts[3] = {gpt2, llama, qwen};
    static const int64_t parameters[3] = {124439808, 1235814400, 494032768};
    nn_context *nn = open_context();
    for (int i = 0; i < 3; i++) {
        nn_config config;
        const nn_result result = read_text(nn, texts[i], &config);
        if (result != NN_OK) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        ENSURE(result == NN_OK);
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.dtype = config.dtype});
        nn_causal_lm(net, nn_input(net, "ids", NN_I32, NN_SHAPE(1, NN_TIME)),
                     &(nn_causal_lm_desc){.config = &config});
        ENSURE(nn_fault_count(net) == 0 && nn_parameter_elements(net) == parameters[i]);
        if (i == 1)
            ENSURE(config.eos_count == 3 && config.dtype == NN_BF16 && config.rope_factor == 32 &&
                   config.rope_theta == 500000 && config.max_position_embeddings == 131072);
        nn_free_model(net);
    }
    nn_close(nn);
}

/* Computes the pooled vectors from the rows themselves. */
static void pooling(void) {
    nn_context *nn = open_context();
    nn_config config;
    float rows[N * L * 16], mean[N * 16], cls[N * 16], all[N * 16];
    int32_t ids[N * L], mask[N * L];
    ENSURE(read_text(nn, model_cases[CASES - 1].config, &config) == NN_OK);
    ENSURE(config.family == NN_FAMILY_BERT && config.hidden_size == 16);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *in = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *real = nn_input(net, "mask", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME)), *y[4];
    nn_text_encoder_desc desc = {.config = &config, .mask = real};
    for (int i = 0; i < 4; i++) {
        desc.pooling = i == 1 || i == 3 ? NN_POOLING_MEAN : i ? NN_POOLING_CLS : NN_POOLING_NONE;
        if (i == 3) desc.mask = NULL; /* the mean of all rows, which see each other */
        y[i] = nn_text_encoder(net, in, &desc);
        desc.shared = true;
    }
    nn_plan *plan = nn_make_plan(
        net, &(nn_plan_desc){.outputs = NN_NODES(y[0], y[1], y[2], y[3]), .batch = N, .time = L});
    ENSURE(plan);
    fill_parameters(net);
    fill_ids(ids, 0, L, VOCAB);
    for (int round = 0; round < 2; round++) { /* the second time nothing is masked */
        for (int i = 0; i < N * L; i++) mask[i] = round == 1 || i % L < 4 + 2 * (i / L);
        nn_set_time(plan, L);
        nn_upload(plan, in, ids, sizeof ids);
        nn_upload(plan, real, mask, sizeof mask);
        ENSURE(nn_run(plan) == NN_OK);
        nn_download(plan, y[0], rows, sizeof rows);
        nn_download(plan, y[1], mean, sizeof mean);
        nn_download(plan, y[2], cls, sizeof cls);
        nn_download(plan, y[3], all, sizeof all);
        for (int n = 0; n < N; n++)
            for (int e = 0; e < 16; e++) {
                const int counted = round ? L : 4 + 2 * n;
                double sum = 0;
                for (int i = 0; i < counted; i++) sum += (double)rows[(n * L + i) * 16 + e];
                ENSURE_CLOSE(mean[n * 16 + e], sum / counted, 1e-6);
                ENSURE(cls[n * 16 + e] == rows[n * L * 16 + e]);
                if (round) ENSURE_CLOSE(all[n * 16 + e], sum / L, 1e-6);
            }
    }
    nn_close(nn);
}

/* Builders refuse wrong configs, ids and masks, and name what is wrong. */
static void builder_mistakes(void) {
    nn_context *nn = open_context();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(2, 3));
    nn_node *floats = nn_input(net, "floats", NN_F32, NN_SHAPE(2, 3));
    nn_config config = {.family = NN_FAMILY_LLAMA,
                        .vocab_size = 5,
                        .hidden_size = 8,
                        .num_hidden_layers = 1,
                        .num_attention_heads = 2,
                        .intermediate_size = 8};
    nn_config odd = config, bert = config;
    static char report[4000];
    nn_text text = {.buffer = report, .size = sizeof report};
    odd.head_dim = 3;
    bert.family = NN_FAMILY_BERT;
    nn_causal_lm(net, ids, &(nn_causal_lm_desc){.config = &config});
    ENSURE(nn_fault_count(net) == 0);
    nn_causal_lm(net, ids, NULL);
    nn_causal_lm(net, ids, &(nn_causal_lm_desc){.config = &odd});
    nn_causal_lm(net, ids, &(nn_causal_lm_desc){.config = &bert});
    nn_causal_lm(net, floats, &(nn_causal_lm_desc){.config = &config});
    nn_causal_lm(net, NULL, &(nn_causal_lm_desc){.config = &config});
    bert.max_position_embeddings = 8;
    nn_text_encoder(net, ids, &(nn_text_encoder_desc){.config = &bert, .mask = floats});
    nn_text_encoder(net, ids, &(nn_text_encoder_desc){.config = &bert, .pooling = (nn_pooling)7});
    nn_causal_lm(net, ids, &(nn_causal_lm_desc){.config = &config, .cache = 4});
    /* A mask or type_ids of one column must not be broadcast to the shape of ids. */
    nn_node *column = nn_input(net, "column", NN_I32, NN_SHAPE(2, 1));
    nn_text_encoder(net, ids, &(nn_text_encoder_desc){.config = &bert, .mask = column});
    nn_text_encoder(net, ids, &(nn_text_encoder_desc){.config = &bert, .type_ids = column});
    bert.family = NN_FAMILY_GPT2;
    nn_causal_lm(net, ids, &(nn_causal_lm_desc){.config = &bert, .positions = floats});
    bert.max_position_embeddings = 2; /* of 3 ids */
    nn_causal_lm(net, ids, &(nn_causal_lm_desc){.config = &bert});
    bert.family = NN_FAMILY_BERT;
    nn_text_encoder(net, ids, &(nn_text_encoder_desc){.config = &bert});
    ENSURE(nn_fault_count(net) == 13);
    nn_write_faults(net, (nn_writer){nn_write_text, &text});
    static const char *const wanted[] = {"causal_lm at test_models.c",
                                         "desc has no .config",
                                         "the config's head_dim: wanted an even",
                                         "the config's max_position_embeddings: it is missing",
                                         "ids is not i32",
                                         "ids is NULL",
                                         "mask is not i32 of the shape of ids",
                                         "type_ids is not i32 of the shape of ids",
                                         "desc.positions is not i32 of (N)",
                                         "desc.pooling is not a value of nn_pooling",
                                         "desc.cache is given, but desc.positions is missing",
                                         "more positions than the model's position table has rows"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(report, wanted[i]))
            test_fail(__FILE__, __LINE__, "no %s in %s", wanted[i], report);
    ENSURE(nn_causal_lm(NULL, ids, NULL) == NULL && nn_text_encoder(NULL, ids, NULL) == NULL);
    nn_close(nn);
}

/* ---- weights in several files ---------------------------------------------------------------- */

static nn_tensor *make(nn_context *nn, const char *name, float from, int count) {
    nn_tensor *tensor =
        nn_make_tensor(nn, &(nn_tensor_desc){.name = name, .shape = NN_SHAPE(count)});
    for (int i = 0; i < count; i++) ((float *)nn_tensor_data(tensor))[i] = from + (float)i;
    return tensor;
}

#define MAP(a, b, c)                                                                               \
    "{\"metadata\": {\"total_size\": 3.2e1, \"x\": \"y\"},\n\"weight_map\": {\"a\": \"" a          \
    "\", \"b\": \"" b "\", \"c\": \"" c "\"}}"

static void put_index(memory_disk *disk, const char *text) {
    memory_put(disk, "m/model.safetensors.index.json", text, strlen(text));
}

static void several_files(void) {
    static const char index[] = "m/model.safetensors.index.json";
    static const char *const wrong[][2] = {
        {MAP("1.st", "2.st", "1.st"), "says that \"c\" is in \"1.st\", which has no such tensor"},
        {MAP("1.st", "2.st", "../m/2.st"), "is not the name of a file beside the index"},
        {MAP("1.st", "2.st", ".."), "is not the name of a file beside the index"},
        {MAP("1.st", "2.st", ""), "is not the name of a file beside the index"},
        {MAP("1.st", "2.st", "3.st"), "\"m/3.st\" cannot be opened"},
        {MAP("1.st", "2.st", "model.safetensors.index.json"), "text, not a safetensors file"},
        {"{\"weight_map\": {\"a\": \"1.st\", \"b\": \"2.st\"}}", "\"c\" of \"2.st\" is not in the"},
        {"{\"weight_map\": {\"a\": \"1.st\", \"b\": \"2.st\", \"b\": \"2.st\"}}", "two tensors"},
        {"{\"weight_map\": {}, \"weight_map\": {}}", "the key \"weight_map\" occurs twice"},
        {"{\"weight_map\": {\"a\": 1}}", "byte 21: 0x31, wanted '\"' before the name of a file"},
        {"{\"weights\": {\"a\": \"1.st\"}}", "the key \"weights\" is unknown: this is neither"},
        {"{\"metadata\": {\"total_size\": 1}}", "there is no \"weight_map\""},
        {"{\"metadata\": {\"total_size\": }}", "wanted a text or a number"},
        {"{\"weight_map\": {\"a\": \"1.st\", \"b\": \"2.st\", \"c\": \"2.st\"}} x",
         "more after the"},
        {"{\"weight_map\": {\"a\": \"1.st\", \"b\": \"2", "the string has no end"}};
    memory_disk disk;
    memset(&disk, 0, sizeof disk);
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .files = memory_files(&disk)});
    nn_tensor *a = make(nn, "a", 1, 3), *b = make(nn, "b", 10, 5), *c = make(nn, "c", 20, 2);
    float numbers[5];
    ENSURE(nn_save_safetensors(nn, "m/1.st", &a, 1, NULL, 0) == NN_OK);
    ENSURE(nn_save_safetensors(nn, "m/2.st", (nn_tensor *[]){b, c}, 2, NULL, 0) == NN_OK);
    put_index(&disk, MAP("1.st", "2.st", "2.st"));
    nn_safetensors *file = nn_open_safetensors(nn, index);
    ENSURE(file && nn_safetensors_count(file) == 3 && nn_safetensors_find(file, "c") >= 0);
    ENSURE(nn_read_safetensors(file, nn_safetensors_find(file, "b"), NN_F32, numbers, 20) ==
               NN_OK &&
           numbers[4] == 14);
    ENSURE(nn_read_safetensors(file, nn_safetensors_find(file, "a"), NN_F32, numbers, 12) ==
               NN_OK &&
           numbers[2] == 3);
    ENSURE(nn_read_safetensors(file, nn_safetensors_find(file, "c"), NN_F32, numbers, 8) == NN_OK &&
           numbers[0] == 20);
    nn_close_safetensors(file);
    ENSURE(disk.open_files == 0 && nn_open_safetensors(nn, index)); /* nn_close closes this one */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int before = disk.open_files;
        put_index(&disk, wrong[i][0]);
        if (nn_open_safetensors(nn, index) || !strstr(nn_error(nn), wrong[i][1]) ||
            disk.open_files != before)
            test_fail(__FILE__, __LINE__, "%s\ngives: %s", wrong[i][0], nn_error(nn));
        nn_clear_error(nn);
    }
    nn_close(nn);
    ENSURE(disk.open_files == 0);
    memory_free(&disk);
}

/* All or nothing is loaded from several files, under names with and without the prefix. Of
   the tensors that the net lacks, only those known from such files are skipped. */
static void pretrained(void) {
    memory_disk disk;
    memset(&disk, 0, sizeof disk);
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .files = memory_files(&disk)});
    nn_config config = {.family = NN_FAMILY_GPT2,
                        .vocab_size = 3,
                        .hidden_size = 2,
                        .num_hidden_layers = 1,
                        .num_attention_heads = 1,
                        .max_position_embeddings = 4,
                        .tie_word_embeddings = true};
    nn_model *net = nn_make_model(nn, NULL);
    nn_tensor *list[20], *head = make(nn, "lm_head.weight", 0, 6);
    int count;
    nn_causal_lm(net, nn_input(net, "ids", NN_I32, NN_SHAPE(1, NN_TIME)),
                 &(nn_causal_lm_desc){.config = &config});
    ENSURE(nn_find_tensor(net, "transformer.wte.weight") != NULL);
    count = nn_model_tensor_count(net);
    ENSURE(count == 16);
    fill_parameters(net);
    for (int i = 0; i < count; i++) { /* as the first GPT-2's file has them */
        nn_tensor *of = nn_model_tensor_at(net, i);
        list[i] = nn_make_tensor(
            nn, &(nn_tensor_desc){.name = nn_tensor_name(of) + 12, .shape = nn_tensor_shape(of)});
        nn_copy(list[i], of);
    }
    list[count] = make(nn, "h.0.attn.bias", 0, 16);
    list[count + 1] = head;
    ENSURE(nn_save_safetensors(nn, "m/1.st", list, count + 2, NULL, 0) == NN_OK);
    put_index(&disk, "{\"weight_map\": {}}");
    ENSURE(nn_load_pretrained(net, &config, "m") == NN_ERROR_SHAPE); /* nothing fits */
    nn_clear_error(nn);
    for (int i = 0; i < count; i++) nn_fill_zero(nn_model_tensor_at(net, i));
    ENSURE(nn_load_pretrained(net, &config, "m/1.st") == NN_ERROR_FILE); /* no folder */
    nn_clear_error(nn);
    nn_save_safetensors(nn, "m/model.safetensors", list, count + 2, NULL, 0);
    ENSURE(nn_load_pretrained(net, &config, "m") == NN_OK);
    for (int i = 0; i < count; i++)
        ENSURE(memcmp(nn_tensor_const_data(nn_model_tensor_at(net, i)),
                      nn_tensor_const_data(list[i]), (size_t)nn_tensor_bytes(list[i])) == 0);
    /* a file with the prefix in its names */
    nn_save_weights(net, "m/model.safetensors");
    for (int i = 0; i < count; i++) nn_fill_zero(nn_model_tensor_at(net, i));
    ENSURE(nn_load_pretrained(net, &config, "m/model.safetensors") == NN_OK);
    for (int i = 0; i < count; i++)
        ENSURE(memcmp(nn_tensor_const_data(nn_model_tensor_at(net, i)),
                      nn_tensor_const_data(list[i]), (size_t)nn_tensor_bytes(list[i])) == 0);
    nn_save_safetensors(nn, "m/model.safetensors", list, count + 2, NULL, 0);
    /* If the head is not tied, the file's "lm_head.weight" belongs to a parameter, which this net
       does not have. */
    config.tie_word_embeddings = false;
    ENSURE(nn_load_pretrained(net, &config, "m") == NN_ERROR_SHAPE &&
           strstr(nn_error(nn), "unexpected:  \"lm_head.weight\" (6)"));
    nn_clear_error(nn);
    config.tie_word_embeddings = true;
    for (int i = 0; i < count; i++) nn_fill_zero(nn_model_tensor_at(net, i));
    list[0] = make(nn, "extra", 0, 1);
    nn_save_safetensors(nn, "m/model.safetensors", list, count + 2, NULL, 0);
    ENSURE(nn_load_pretrained(net, &config, "m/") == NN_ERROR_SHAPE &&
           strstr(nn_error(nn), "unexpected:  \"extra\" (1)") &&
           strstr(nn_error(nn), "missing:     \"transformer.wte.weight\" (3, 2)"));
    nn_clear_error(nn);
    for (int i = 0; i < count; i++)
        ENSURE(((const float *)nn_tensor_const_data(nn_model_tensor_at(net, i)))[0] == 0);
    list[0] = nn_make_tensor(
        nn, &(nn_tensor_desc){.name = "transformer.h.0.attn.masked_bias", .shape = NN_SHAPE(1)});
    nn_save_safetensors(nn, "x.safetensors", list, 1, NULL, 0);
    ENSURE(nn_load_pretrained(net, &config, "x.safetensors") == NN_ERROR_SHAPE);
    nn_clear_error(nn);
    ENSURE(nn_load_pretrained(net, &config, "nowhere") == NN_ERROR_FILE &&
           strstr(nn_error(nn), "has neither a model.safetensors nor"));
    nn_clear_error(nn);
    ENSURE(nn_load_pretrained(net, NULL, "m") == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_load_pretrained(NULL, &config, "m") == NN_ERROR_ARGUMENT);
    nn_close(nn);
    memory_free(&disk);
}

/* Memory or the disk fails at each of its calls in turn: an error, no leak, and intact weights. */
static void it_fails(void) {
    static const char config_text[] =
        "{\"model_type\": \"bert\", \"vocab_size\": 3, \"hidden_size\": 2, "
        "\"num_attention_heads\": 1, \"num_hidden_layers\": 1, \"intermediate_size\": 2,\n"
        "\"max_position_embeddings\": 4}";
    for (int disk_fails = 0; disk_fails < 2; disk_fails++) {
        int failures = 0;
        for (int fail = 1;; fail++) {
            memory_disk disk;
            scarce memory;
            nn_config config;
            char index[4000];
            memset(&disk, 0, sizeof disk);
            memset(&memory, 0, sizeof memory);
            nn_context *nn =
                nn_open(&(nn_desc){.threads = 1,
                                   .files = memory_files(&disk),
                                   .allocator = scarce_memory(&memory)});
            memory_put(&disk, "m/config.json", config_text, strlen(config_text));
            ENSURE(nn_read_config(nn, &(nn_config_desc){.path = "m"}, &config) == NN_OK);
            nn_model *net = nn_make_model(nn, NULL);
            nn_text_encoder(net, nn_input(net, "ids", NN_I32, NN_SHAPE(1, 2)),
                            &(nn_text_encoder_desc){.config = &config});
            ENSURE(nn_find_tensor(net, "embeddings.LayerNorm.bias"));
            const int count = nn_model_tensor_count(net);
            nn_tensor *list[64];
            ENSURE(count == 21);
            fill_parameters(net);
            size_t length = (size_t)snprintf(index, sizeof index, "{\"weight_map\": {");
            for (int i = 0; i < count; i++) {
                list[i] = nn_model_tensor_at(net, i);
                length +=
                    (size_t)snprintf(index + length, sizeof index - length, "%s\"%s\": \"%d.st\"",
                                     i ? ", " : "", nn_tensor_name(list[i]), i < 9 ? 1 : 2);
            }
            snprintf(index + length, sizeof index - length, "}}");
            ENSURE(nn_save_safetensors(nn, "m/1.st", list, 9, NULL, 0) == NN_OK &&
                   nn_save_safetensors(nn, "m/2.st", list + 9, count - 9, NULL, 0) == NN_OK);
            put_index(&disk, index);
            for (int i = 0; i < count; i++) nn_fill_zero(list[i]);
            const int open = disk.open_files;
            memory.calls = disk.operations = 0;
            if (disk_fails)
                disk.fail_at = fail;
            else
                memory.fail_at = fail;
            const bool well =
                nn_read_config(nn, &(nn_config_desc){.path = "m"}, &config) == NN_OK &&
                nn_load_pretrained(net, &config, "m") == NN_OK;
            failures += !well;
            memory.fail_at = disk.fail_at = 0;
            ENSURE(well == (nn_error(nn) == NULL) && disk.open_files == open);
            for (int i = 0; i < count; i++) {
                const float first = ((const float *)nn_tensor_const_data(list[i]))[0];
                ENSURE((first != 0) == well);
            }
            nn_close(nn);
            ENSURE(memory.live == 0);
            memory_free(&disk);
            if (well) break;
        }
        ENSURE(failures > 8 && failures < 150);
    }
}

/* ---- with an installed transformers ---------------------------------------------------------- */

enum { BIG_L = 20, BIG_VOCAB = 301, STEPS = 10, PROMPT = 5, GREEDY = 24 };

static bool full(void) { return getenv("NN_FULL") != NULL; }

static const char *python(void) {
#ifndef _WIN32
    const char *name = getenv("PYTHON") ? getenv("PYTHON") : "/usr/bin/python3";
    char command[512];
    snprintf(command, sizeof command, "%s -c 'import torch, transformers' 2> /dev/null", name);
    if (system(command) == 0) return name;
#endif
    return NULL;
}

static bool run_python(const char *arguments) {
    char command[1024];
    snprintf(command, sizeof command, "HF_HUB_OFFLINE=1 %s tests/golden/models.py %s 2> /dev/null",
             python(), arguments);
    return system(command) == 0;
}

/* Returns the numbers of a file's tensor as f32, or NULL if the file does not have it. */
static float *numbers_of(nn_context *nn, const char *path, const char *name, size_t *count) {
    nn_safetensors *file = nn_open_safetensors(nn, path);
    const int i = nn_safetensors_find(file, name);
    float *numbers = NULL;
    if (i >= 0) {
        *count = (size_t)nn_shape_count(nn_safetensors_at(file, i).shape);
        numbers = (float *)malloc(sizeof(float) * *count);
        nn_read_safetensors(file, i, NN_F32, numbers, sizeof(float) * *count);
    }
    nn_close_safetensors(file);
    return numbers;
}

static double farthest(nn_context *nn, const char *path, const char *name, const float *ours,
                       size_t count) {
    size_t there = 0;
    double worst = 0;
    float *theirs = numbers_of(nn, path, name, &there);
    if (!theirs || there != count) worst = 1e30;
    for (size_t i = 0; i < count && worst < 1e30; i++)
        worst = fmax(worst, fabs((double)ours[i] - (double)theirs[i]));
    free(theirs);
    return worst;
}

static char folder[256] = "build/models";

static bool open_case(run *r, const char *name, nn_device device, nn_dtype dtype) {
    static char path[600];
    nn_config config;
    nn_context *nn = nn_open(&(nn_desc){.threads = 2});
#ifdef NN_TEST_OPENCL
    if (device.kind == NN_OPENCL) nn_opencl_open(nn, NULL);
#endif
    r->nn = nn;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (nn_read_config(nn, &(nn_config_desc){.path = path}, &config) == NN_OK &&
        describe(r, nn, &config, device, dtype) &&
        nn_load_pretrained(r->net, &config, path) == NN_OK)
        return true;
    test_fail(__FILE__, __LINE__, "%s: %s", name, nn_error(nn));
    nn_close(nn);
    return false;
}

static void check_logits(run *r, const char *name, const char *how) {
    static float y[N * BIG_L * BIG_VOCAB], pooled[N * 64];
    const int width = r->pooled ? r->config.hidden_size : BIG_VOCAB;
    char path[600];
    size_t count;
    snprintf(path, sizeof path, "%s/%s/expected.safetensors", folder, name);
    ENSURE(forward(r, BIG_L, y, (size_t)(N * BIG_L * width), pooled, (size_t)(N * width)));
    double far = 0;
    float *theirs = numbers_of(r->nn, path, "logits", &count);
    ENSURE(theirs && count == (size_t)(N * BIG_L * width));
    for (int i = 0; i < N * BIG_L * width; i++)
        if (!r->pooled || i / width < 2 * BIG_L - 3)
            far = fmax(far, fabs((double)y[i] - (double)theirs[i]));
    free(theirs);
    if (r->pooled) far = fmax(far, farthest(r->nn, path, "pooled", pooled, (size_t)(N * width)));
    printf("%s%s: logits differ by at most %.1e\n", name, how, far);
    ENSURE(far <= 1e-4);
}

/* Takes the likeliest token again and again, with a cache, as transformers' generate does. */
static void check_greedy(run *r, const char *name) {
    char path[600];
    static float y[N * BIG_VOCAB];
    int32_t ids[N * BIG_L], rows[N], at[N], wrong = 0;
    size_t count;
    nn_node *positions = nn_input(r->net, "positions", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *last = nn_input(r->net, "last", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *logits = nn_causal_lm(r->net, r->ids,
                                   &(nn_causal_lm_desc){.config = &r->config,
                                                        .positions = positions,
                                                        .cache = PROMPT + GREEDY,
                                                        .last = last,
                                                        .shared = true});
    nn_plan *plan = nn_make_plan(
        r->net, &(nn_plan_desc){.outputs = NN_NODES(logits), .batch = N, .time = PROMPT});
    snprintf(path, sizeof path, "%s/%s/expected.safetensors", folder, name);
    float *theirs = numbers_of(r->nn, path, "greedy", &count);
    ENSURE(plan && theirs && count == N * GREEDY);
    fill_ids(ids, 0, BIG_L, BIG_VOCAB);
    for (int k = 0; k < N * PROMPT; k++) ids[k] = ids[k / PROMPT * BIG_L + k % PROMPT];
    for (int step = 0; step < GREEDY; step++) {
        const int n = step ? 1 : PROMPT;
        for (int k = 0; k < N; k++) {
            at[k] = step ? PROMPT + step - 1 : 0;
            rows[k] = n * k + n - 1;
        }
        nn_set_time(plan, n);
        nn_upload(plan, r->ids, ids, sizeof(int32_t) * (size_t)(N * n));
        nn_upload(plan, positions, at, sizeof at);
        nn_upload(plan, last, rows, sizeof rows);
        ENSURE(nn_run(plan) == NN_OK && nn_download(plan, logits, y, sizeof y) == NN_OK);
        for (int k = 0; k < N; k++) {
            ids[k] = 0;
            for (int v = 1; v < BIG_VOCAB; v++)
                if (y[k * BIG_VOCAB + v] > y[k * BIG_VOCAB + ids[k]]) ids[k] = v;
            wrong += (float)ids[k] != theirs[k * GREEDY + step];
        }
    }
    free(theirs);
    nn_free_plan(plan);
    if (wrong) test_fail(__FILE__, __LINE__, "%s: %d of %d tokens differ", name, wrong, N * GREEDY);
}

static void check_training(run *r, const char *name) {
    char path[600], key[200];
    float losses[STEPS];
    int32_t ids[N * (BIG_L + 1)], from[N * BIG_L], to[N * BIG_L];
    double far = 0;
    nn_node *labels = nn_input(r->net, "labels", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *loss =
        nn_cross_entropy(r->net, nn_reshape(r->net, r->y, NN_SHAPE(NN_BATCH_TIME, BIG_VOCAB)),
                         nn_reshape(r->net, labels, NN_SHAPE(NN_BATCH_TIME)), NULL);
    nn_trainer *trainer = nn_make_trainer(r->net, loss,
                                          &(nn_trainer_desc){.batch = N,
                                                             .time = BIG_L,
                                                             .optimizer = NN_ADAMW,
                                                             .learning_rate = 1e-3f,
                                                             .weight_decay = 0.01f});
    if (!trainer) test_fail(__FILE__, __LINE__, "%s: %s", name, nn_error(r->nn));
    if (!trainer) return;
    for (int step = 0; step < STEPS; step++) {
        fill_ids(ids, step + 1, BIG_L + 1, BIG_VOCAB);
        for (int k = 0; k < N * BIG_L; k++) {
            from[k] = ids[k / BIG_L * (BIG_L + 1) + k % BIG_L];
            to[k] = ids[k / BIG_L * (BIG_L + 1) + k % BIG_L + 1];
        }
        nn_upload(nn_trainer_plan(trainer), r->ids, from, sizeof from);
        nn_upload(nn_trainer_plan(trainer), labels, to, sizeof to);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        nn_read_loss(trainer, &losses[step]);
    }
    snprintf(path, sizeof path, "%s/%s/expected.safetensors", folder, name);
    const double loss_far = farthest(r->nn, path, "losses", losses, STEPS);
    for (int i = 0; i < nn_model_tensor_count(r->net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(r->net, i);
        const size_t count = (size_t)nn_shape_count(nn_tensor_shape(tensor));
        float *ours = (float *)malloc(sizeof(float) * count);
        nn_download_tensor(tensor, ours, sizeof(float) * count);
        snprintf(key, sizeof key, "after.%s", nn_tensor_name(tensor));
        const double one = farthest(r->nn, path, key, ours, count);
        if (one > 1e-3) test_fail(__FILE__, __LINE__, "%s: %s: %.3g", name, key, one);
        far = fmax(far, one);
        free(ours);
    }
    printf("%s: after %d steps parameters differ by at most %.1e, losses by %.1e\n", name, STEPS,
           far, loss_far);
    ENSURE(far <= 1e-3 && loss_far <= 1e-3);
    nn_free_trainer(trainer);
}

static void transformers_cases(void) {
    char path[600];
    for (int i = 0; i < CASES; i++) {
        const char *name = model_cases[i].name;
        run r;
        if (!open_case(&r, name, nn_cpu(), NN_F32)) continue;
        check_logits(&r, name, "");
        snprintf(path, sizeof path, "%s/%s/ours/model.safetensors", folder, name);
        ENSURE(nn_save_weights(r.net, path) == NN_OK);
        if (!r.pooled) check_greedy(&r, name);
        nn_close(r.nn);
        if (strcmp(name, "qwen3") == 0 && open_case(&r, name, nn_cpu(), NN_BF16)) {
            ENSURE(r.config.dtype == NN_BF16 &&
                   nn_tensor_dtype(nn_model_tensor_at(r.net, 0)) == NN_BF16);
            check_logits(&r, name, " in bf16, as the file has it");
            nn_close(r.nn);
        }
        if (r.pooled || !open_case(&r, name, nn_cpu(), NN_F32)) continue;
        check_training(&r, name);
        if (nn_error(r.nn)) test_fail(__FILE__, __LINE__, "%s: %s", name, nn_error(r.nn));
        nn_close(r.nn);
    }
}

static void transformers(void) {
    char arguments[600];
    if (!python()) SKIP("no Python with torch and transformers (PYTHON=...)");
    if (getenv("NN_MODELS_MADE")) snprintf(folder, sizeof folder, "%s", getenv("NN_MODELS_MADE"));
    snprintf(arguments, sizeof arguments, "make %s", folder);
    ENSURE(getenv("NN_MODELS_MADE") || run_python(arguments));
    transformers_cases();
    snprintf(arguments, sizeof arguments, "read %s", folder);
    ENSURE(run_python(arguments)); /* what we saved */
}

/* ---- a real encoder -------------------------------------------------------------------------- */

static char lines[65536];

/* Computes the embeddings of texts, 20 at a time. */
static int embed(run *r, nn_tokenizer *tokenizer, nn_batch_text *texts, int count, float *to) {
    static int32_t ids[20 * 128], mask[20 * 128];
    const int width = r->config.hidden_size;
    int done = 0;
    nn_plan *plan = nn_make_plan(
        r->net, &(nn_plan_desc){.outputs = NN_NODES(r->pooled), .batch = 20, .time = 128});
    for (; plan && done < count; done += 20) {
        int32_t longest = 0;
        for (int k = done; k < done + 20; k++) {
            nn_tokens tokens = {.capacity = 0};
            nn_encode(tokenizer, texts[k].text, texts[k].bytes,
                      &(nn_encode_desc){.max_length = 128}, &tokens);
            if (tokens.count > longest) longest = tokens.count;
        }
        const size_t bytes = sizeof(int32_t) * 20 * (size_t)longest;
        nn_tensor *id = nn_wrap(r->nn, "ids", NN_I32, NN_SHAPE(20, longest), ids);
        nn_tensor *real = nn_wrap(r->nn, "mask", NN_I32, NN_SHAPE(20, longest), mask);
        nn_encode_batch(tokenizer, texts + done, 20, &(nn_encode_desc){.max_length = longest}, id,
                        real, NULL);
        nn_set_time(plan, longest);
        nn_upload(plan, r->ids, ids, bytes);
        nn_upload(plan, r->mask, mask, bytes);
        if (nn_run(plan) != NN_OK || nn_download(plan, r->pooled, to + done * width,
                                                 sizeof(float) * 20 * (size_t)width) != NN_OK)
            break;
        nn_free_tensor(id);
        nn_free_tensor(real);
    }
    nn_free_plan(plan);
    return done;
}

static void sentences_on(nn_device device, const char *model) {
    static float embeddings[200 * 384];
    static nn_batch_text texts[200];
    char path[600];
    nn_config config;
    run r;
    int count = 0;
    r.nn = nn_open(&(nn_desc){.threads = 2});
#ifdef NN_TEST_OPENCL
    if (device.kind == NN_OPENCL) nn_opencl_open(r.nn, NULL);
#endif
    ENSURE(nn_read_config(r.nn, &(nn_config_desc){.path = model}, &config) == NN_OK);
    ENSURE(config.hidden_size == 384);
    r.config = config;
    r.net = nn_make_model(r.nn, &(nn_model_desc){.device = device});
    r.ids = nn_input(r.net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    r.mask = nn_input(r.net, "mask", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    r.pooled = nn_text_encoder(
        r.net, r.ids,
        &(nn_text_encoder_desc){
            .config = &config, .mask = r.mask, .pooling = NN_POOLING_MEAN, .normalize = true});
    ENSURE(nn_load_pretrained(r.net, &config, model) == NN_OK);
    snprintf(path, sizeof path, "%s/tokenizer.json", model);
    nn_tokenizer *tokenizer = nn_open_tokenizer(r.nn, &(nn_tokenizer_desc){.path = path});
    snprintf(path, sizeof path, "%s/sentences.txt", folder);
    FILE *file = fopen(path, "rb");
    ENSURE(tokenizer && file);
    lines[fread(lines, 1, sizeof lines - 1, file)] = 0;
    fclose(file);
    for (char *line = strtok(lines, "\n"); line && count < 200; line = strtok(NULL, "\n"))
        texts[count++] = (nn_batch_text){.text = line, .bytes = strlen(line)};
    ENSURE(count == 200 && embed(&r, tokenizer, texts, count, embeddings) == count);
    snprintf(path, sizeof path, "%s/embeddings.safetensors", folder);
    const double far = farthest(r.nn, path, "embeddings", embeddings, 200 * 384);
    printf("%s: 200 embeddings differ by at most %.1e\n",
           device.kind == NN_CPU ? "cpu" : "opencl:0", far);
    ENSURE(far <= 1e-4 && nn_error(r.nn) == NULL);
    nn_close(r.nn);
}

static void sentences(void) {
    const char *model = getenv("NN_SENTENCE_MODEL");
    char arguments[1024];
    if (!model) SKIP("no sentence encoder (NN_SENTENCE_MODEL=folder)");
    if (!python()) SKIP("no Python with torch and transformers (PYTHON=...)");
    snprintf(folder, sizeof folder, "build/models/sentences");
    snprintf(arguments, sizeof arguments, "sentences %s %s", model, folder);
    ENSURE(run_python(arguments));
    sentences_on(nn_cpu(), model);
#ifdef NN_TEST_OPENCL
    nn_context *nn = nn_open(NULL);
    const bool has = OPEN_OPENCL(nn);
    nn_close(nn);
    if (has) sentences_on(nn_opencl(0), model);
#endif
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(tiny);
    RUN(eight_bits);
    RUN(cached);
    RUN(config_mistakes);
    RUN(windows);
    RUN(real_configs);
    RUN(pooling);
    RUN(builder_mistakes);
    RUN(several_files);
    RUN(pretrained);
    RUN(it_fails);
#ifdef NN_TEST_OPENCL
    if (full()) RUN(tiny_on_opencl);
#endif
    if (full()) RUN(transformers);
    if (full()) RUN(sentences);
    return test_report();
}
