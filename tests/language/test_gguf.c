/* tests/language/test_gguf.c - GGUF files (language/gguf.h): every type of blocks compared with a
   second, slow reader; names, transposed and permuted rows; weights of 4 bits; files that are cut
   off or damaged; mistakes. With NN_FULL=1 and a Python ($PYTHON) that has the package gguf, files
   that this package writes as well. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"

#include <stdlib.h>

#include "error.h"
#include "halves.h"
#include "memory_files.h"
#include "scarce.h"
#include "test.h"

#include "gguf_file.h"

enum { E = 256, LAYERS = 2, HEADS = 4, KEYS = 2, DEEP = 512, WORDS = 40, POSITIONS = 16, L = 5 };
enum { KINDS = sizeof gguf_kinds / sizeof gguf_kinds[0] };

/* ---- files ----------------------------------------------------------------------------------- */

static const gguf_kind *kind_of(const char *name) {
    for (int i = 0; i < KINDS; i++)
        if (strcmp(gguf_kinds[i].name, name) == 0) return &gguf_kinds[i];
    return NULL;
}

static void key(gguf_file *f, const char *arch, const char *name, uint32_t number) {
    char text[80];
    snprintf(text, sizeof text, "%s.%s", arch, name);
    gguf_count(f, text, number);
}
static size_t block(gguf_file *f, int layer, const char *name, const gguf_kind *kind, int rows,
                    int columns) {
    char text[80];
    snprintf(text, sizeof text, "blk.%d.%s", layer, name);
    return gguf_tensor(f, text, kind, rows, columns);
}

/* Places of some tensors in the data. */
static size_t at_q, at_k_bias, at_down, at_words;

static const float *frequencies; /* of E / HEADS / 2 pairs; NULL: the file has none */

static gguf_file llama(const char *arch, const gguf_kind *kind, bool biases) {
    const gguf_kind *floats = kind_of("F32");
    gguf_file f;
    gguf_begin(&f);
    gguf_text(&f, "general.architecture", arch);
    key(&f, arch, "context_length", 128), key(&f, arch, "embedding_length", E);
    key(&f, arch, "block_count", LAYERS), key(&f, arch, "feed_forward_length", DEEP);
    key(&f, arch, "attention.head_count", HEADS), key(&f, arch, "attention.head_count_kv", KEYS);
    char text[64];
    snprintf(text, sizeof text, "%s.attention.layer_norm_rms_epsilon", arch);
    gguf_real(&f, text, 1e-5f);
    gguf_count(&f, "tokenizer.ggml.eos_token_id", 7);
    at_words = gguf_tensor(&f, "token_embd.weight", kind, WORDS, E);
    for (int i = 0; i < LAYERS; i++) {
        block(&f, i, "attn_norm.weight", floats, 0, E);
        const size_t q = block(&f, i, "attn_q.weight", kind, E, E);
        if (i == 1) at_q = q;
        block(&f, i, "attn_k.weight", kind, E / HEADS * KEYS, E);
        block(&f, i, "attn_v.weight", kind, E / HEADS * KEYS, E);
        if (biases) {
            block(&f, i, "attn_q.bias", floats, 0, E);
            at_k_bias = block(&f, i, "attn_k.bias", floats, 0, E / HEADS * KEYS);
            block(&f, i, "attn_v.bias", floats, 0, E / HEADS * KEYS);
        }
        block(&f, i, "attn_output.weight", kind, E, E);
        block(&f, i, "ffn_norm.weight", floats, 0, E);
        block(&f, i, "ffn_gate.weight", kind, DEEP, E);
        block(&f, i, "ffn_up.weight", kind, DEEP, E);
        at_down = block(&f, i, "ffn_down.weight", kind, E, DEEP);
    }
    gguf_tensor(&f, "output_norm.weight", floats, 0, E);
    if (frequencies) {
        const size_t at = gguf_tensor(&f, "rope_freqs.weight", floats, 0, E / HEADS / 2);
        memcpy(f.data + at, frequencies, E / HEADS / 2 * sizeof *frequencies);
    }
    gguf_end(&f);
    return f;
}

static gguf_file gpt2(const gguf_kind *kind) {
    const gguf_kind *floats = kind_of("F32");
    gguf_file f;
    gguf_begin(&f);
    gguf_text(&f, "general.architecture", "gpt2");
    key(&f, "gpt2", "context_length", POSITIONS), key(&f, "gpt2", "embedding_length", E);
    key(&f, "gpt2", "block_count", LAYERS), key(&f, "gpt2", "feed_forward_length", 4 * E);
    key(&f, "gpt2", "attention.head_count", HEADS);
    gguf_real(&f, "gpt2.attention.layer_norm_epsilon", 1e-5f);
    at_words = gguf_tensor(&f, "token_embd.weight", kind, WORDS, E);
    gguf_tensor(&f, "position_embd.weight", floats, POSITIONS, E);
    for (int i = 0; i < LAYERS; i++) {
        static const struct {
            const char *name;
            int rows, columns;
        } parts[] = {{"attn_qkv", 3 * E, E}, {"attn_output", E, E}, {"ffn_up", 4 * E, E},
                     {"ffn_down", E, 4 * E}, {"attn_norm", 0, E},   {"ffn_norm", 0, E}};
        for (int k = 0; k < 6; k++) {
            char name[40];
            snprintf(name, sizeof name, "%s.weight", parts[k].name);
            const size_t at = block(&f, i, name, parts[k].rows ? kind : floats, parts[k].rows,
                                    parts[k].columns);
            if (k == 3) at_down = at;
            snprintf(name, sizeof name, "%s.bias", parts[k].name);
            block(&f, i, name, floats, 0, parts[k].rows ? parts[k].rows : E);
        }
    }
    gguf_tensor(&f, "output_norm.weight", floats, 0, E);
    gguf_tensor(&f, "output_norm.bias", floats, 0, E);
    gguf_end(&f);
    return f;
}

/* ---- nets ------------------------------------------------------------------------------------ */

typedef struct net {
    memory_disk disk;
    nn_context *nn;
    nn_model *model;
    nn_config config;
    nn_node *ids, *logits;
} net;

/* Puts the file on a disk, reads its config, and describes and loads the net. */
static bool make(net *n, const unsigned char *bytes, size_t size, int bits, bool minimums) {
    memset(n, 0, sizeof *n);
    memory_put(&n->disk, "m.gguf", bytes, size);
    n->nn = nn_open(&(nn_desc){.threads = 1, .files = memory_files(&n->disk)});
    if (nn_read_config(n->nn, &(nn_config_desc){.path = "m.gguf"}, &n->config) != NN_OK)
        return false;
    n->model = nn_make_model(n->nn, NULL);
    if (bits) nn_quantize(n->model, &(nn_quantize_desc){.bits = bits, .minimums = minimums});
    n->ids = nn_input(n->model, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    n->logits = nn_causal_lm(n->model, n->ids, &(nn_causal_lm_desc){.config = &n->config});
    return nn_load_pretrained(n->model, &n->config, "m.gguf") == NN_OK;
}
static void end(net *n) {
    nn_close(n->nn);
    memory_free(&n->disk);
}

static bool logits(net *n, float *to) {
    static const int32_t ids[L] = {3, 39, 0, 17, 3};
    nn_plan *plan = nn_make_plan(
        n->model, &(nn_plan_desc){.outputs = NN_NODES(n->logits), .batch = 1, .time = L});
    return nn_upload(plan, n->ids, ids, sizeof ids) == NN_OK && nn_run(plan) == NN_OK &&
           nn_download(plan, n->logits, to, sizeof(float) * L * WORDS) == NN_OK;
}

static float numbers[4 * E * E];
static const float *get(net *n, const char *name) {
    nn_tensor *t = nn_find_tensor(n->model, name);
    ENSURE_OR(numbers, t != NULL);
    const int64_t count = nn_shape_count(nn_tensor_shape(t));
    nn_download_tensor(t, numbers, sizeof(float) * (size_t)count);
    return numbers;
}

/* The row of the file for a row of queries or keys with heads of E / HEADS. */
static int turned_row(int row) {
    const int width = E / HEADS, at = row % width;
    return row / width * width + at % (width / 2) * 2 + at / (width / 2);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_types(void) {
    for (int k = 0; k < KINDS; k++) {
        const gguf_kind *kind = &gguf_kinds[k];
        gguf_file f = llama("llama", kind, false);
        net n;
        ENSURE(make(&n, f.bytes, f.size, 0, false));
        ENSURE(fine(n.nn) && n.config.vocab_size == WORDS && n.config.tie_word_embeddings &&
               n.config.num_key_value_heads == KEYS && n.config.eos_token_ids[0] == 7);
        const float *words = get(&n, "model.embed_tokens.weight");
        for (int i = 0; i < WORDS * E; i++)
            ENSURE(words[i] == (float)gguf_value(kind, f.data + at_words, i));
        const float *down = get(&n, "model.layers.1.mlp.down_proj.weight");
        for (int i = 0; i < E * DEEP; i++)
            ENSURE(down[i] == (float)gguf_value(kind, f.data + at_down, i));
        const float *q = get(&n, "model.layers.1.self_attn.q_proj.weight");
        for (int i = 0; i < E * E; i++)
            ENSURE(q[i] == (float)gguf_value(kind, f.data + at_q, turned_row(i / E) * E + i % E));
        end(&n);
        gguf_free(&f);
    }
}

/* Qwen's rows are not permuted, and its biases are read. Llama's biases are permuted. */
static void test_biases(void) {
    for (int k = 0; k < 2; k++) {
        gguf_file f = llama(k ? "qwen2" : "llama", kind_of("Q8_0"), true);
        net n;
        ENSURE(make(&n, f.bytes, f.size, 0, false) && fine(n.nn));
        const float *bias = get(&n, "model.layers.1.self_attn.k_proj.bias");
        for (int i = 0; i < E / HEADS * KEYS; i++)
            ENSURE(bias[i] ==
                   (float)gguf_value(kind_of("F32"), f.data + at_k_bias, k ? i : turned_row(i)));
        const float *q = get(&n, "model.layers.1.self_attn.q_proj.weight");
        for (int i = 0; i < E * E; i++)
            ENSURE(q[i] == (float)gguf_value(kind_of("Q8_0"), f.data + at_q,
                                             (k ? i / E : turned_row(i / E)) * E + i % E));
        end(&n);
        gguf_free(&f);
    }
}

static void test_gpt2(void) {
    static const char *const kinds[] = {"F16", "Q4_0", "Q6_K"};
    for (int k = 0; k < 3; k++) {
        const gguf_kind *kind = kind_of(kinds[k]);
        gguf_file f = gpt2(kind);
        net n;
        ENSURE(make(&n, f.bytes, f.size, 0, false) && fine(n.nn));
        const float *down = get(&n, "transformer.h.1.mlp.c_proj.weight"); /* (in, out) */
        for (int i = 0; i < 4 * E * E; i++)
            ENSURE(down[i] == (float)gguf_value(kind, f.data + at_down, i % E * 4 * E + i / E));
        end(&n);
        gguf_free(&f);
    }
}

/* Weights of 4 bits are taken unchanged, and their logits are those of the same numbers in f32 but
   for the rounding of activations. */
static void test_four_bits(void) {
    static const struct {
        const char *kind;
        bool minimums, gpt2;
    } cases[] = {{"Q4_0", false, false}, {"Q4_0", true, false}, {"Q4_1", true, false},
                 {"Q4_K", true, false},  {"Q4_0", false, true}, {"Q4_K", true, true}};
    static uint8_t bytes[4 * E * E / 2];
    static uint16_t scale[4 * E * E / 32], least[4 * E * E / 32];
    static float wanted[L * WORDS], given[L * WORDS];
    for (int c = 0; c < 6; c++) {
        const gguf_kind *kind = kind_of(cases[c].kind);
        gguf_file f = cases[c].gpt2 ? gpt2(kind) : llama("llama", kind, false);
        const char *name =
            cases[c].gpt2 ? "transformer.h.1.mlp.c_proj" : "model.layers.1.mlp.down_proj";
        const int count = cases[c].gpt2 ? 4 * E * E : E * DEEP;
        char text[80];
        net n, plain;
        ENSURE(make(&n, f.bytes, f.size, 4, cases[c].minimums));
        ENSURE(make(&plain, f.bytes, f.size, 0, false));
        snprintf(text, sizeof text, "%s.weight", name);
        nn_download_tensor(nn_find_tensor(n.model, text), bytes, (size_t)count / 2);
        snprintf(text, sizeof text, "%s.weight_scale", name);
        nn_download_tensor(nn_find_tensor(n.model, text), scale, (size_t)count / 16);
        snprintf(text, sizeof text, "%s.weight_min", name);
        if (cases[c].minimums)
            nn_download_tensor(nn_find_tensor(n.model, text), least, (size_t)count / 16);
        ENSURE(fine(n.nn));
        for (int i = 0; i < count; i++) {
            const int byte = bytes[i / 32 * 16 + i % 16], q = i % 32 < 16 ? byte & 15 : byte >> 4;
            const double d = value_of(NN_F16, scale[i / 32]),
                         m = cases[c].minimums ? value_of(NN_F16, least[i / 32]) : -8 * d,
                         value = gguf_value(kind, f.data + at_down, i);
            /* only Q4_K's products of two scales are rounded; subnormal ones by up to 2^-25 */
            const double bound = (fabs(d * q) + fabs(m)) / 2048 + 16.0 / 33554432;
            ENSURE(fabs(d * q + m - value) <= (strcmp(kind->name, "Q4_K") == 0 ? bound : 0));
        }
        double error = 0, size = 0;
        ENSURE(logits(&n, given) && logits(&plain, wanted));
        for (int i = 0; i < L * WORDS; i++) {
            const double e = (double)given[i] - (double)wanted[i];
            error += e * e, size += (double)wanted[i] * (double)wanted[i];
        }
        ENSURE(size > 0 && error < 0.03 * 0.03 * size);
        end(&n), end(&plain);
        gguf_free(&f);
    }
}

/* The rounded weights of a layer are within half a step of the file's numbers. With 8 bits each row
   has a scale; with 4 bits each group of 32 numbers has a scale and a minimum. */
static void check_rounded(net *n, const gguf_file *f, const gguf_kind *kind, int bits) {
    static uint8_t bytes[E * DEEP];
    static uint16_t scale[E * DEEP / 32], least[E * DEEP / 32];
    static float rows[E];
    const char *name = "model.layers.1.mlp.down_proj";
    char text[80];
    nn_tensor *weight = nn_find_tensor(n->model, "model.layers.1.mlp.down_proj.weight");
    ENSURE(weight && nn_tensor_dtype(weight) == (bits == 8 ? NN_I8 : NN_U8));
    nn_download_tensor(weight, bytes, E * DEEP * (size_t)bits / 8);
    snprintf(text, sizeof text, "%s.weight_scale", name);
    nn_download_tensor(nn_find_tensor(n->model, text), bits == 8 ? (void *)rows : scale,
                       bits == 8 ? sizeof rows : sizeof scale);
    snprintf(text, sizeof text, "%s.weight_min", name);
    if (bits == 4) nn_download_tensor(nn_find_tensor(n->model, text), least, sizeof least);
    ENSURE(fine(n->nn));
    for (int i = 0; i < E * DEEP; i++) {
        const double value = gguf_value(kind, f->data + at_down, i);
        double step = (double)rows[i / DEEP], w = step * (int8_t)bytes[i];
        if (bits == 4) {
            const int byte = bytes[i / 32 * 16 + i % 16], q = i % 32 < 16 ? byte & 15 : byte >> 4;
            step = value_of(NN_F16, scale[i / 32]);
            w = step * q + value_of(NN_F16, least[i / 32]);
            /* the scale and the minimum are rounded to f16 */
            ENSURE(fabs(w - value) <= step * (0.5 + 15.0 / 1024) + fabs(w) / 1024);
        } else
            ENSURE(fabs(w - value) <= step * 0.5 * (1 + 1.0 / 1048576));
    }
}

/* Other types are rounded to 8 or 4 bits, as floats of a safetensors file are. */
static void test_rounded(void) {
    static const int bits[] = {8, 4};
    for (int k = 0; k < 2; k++) {
        static float wanted[L * WORDS], given[L * WORDS];
        gguf_file f = llama("llama", kind_of("Q6_K"), false);
        net n, plain;
        ENSURE(make(&n, f.bytes, f.size, bits[k], k) && make(&plain, f.bytes, f.size, 0, false));
        ENSURE(logits(&n, given) && logits(&plain, wanted) && fine(n.nn));
        double error = 0, size = 0;
        check_rounded(&n, &f, kind_of("Q6_K"), bits[k]);
        for (int i = 0; i < L * WORDS; i++) {
            const double e = (double)given[i] - (double)wanted[i];
            error += e * e, size += (double)wanted[i] * (double)wanted[i];
        }
        ENSURE(size > 0 && error < (k ? 0.2 * 0.2 : 0.02 * 0.02) * size);
        end(&n), end(&plain);
        gguf_free(&f);
    }
}

/* ---- damaged files --------------------------------------------------------------------------- */

/* A file that is cut off at any of many lengths gives an error with a text. This holds for blocks
   that are taken unchanged, rounded or turned into floats, and also if only the last byte is
   missing. The whole file loads. */
static void test_cut_off(void) {
    static const int bits[] = {4, 8, 0};
    gguf_file f = llama("llama", kind_of("Q4_0"), false);
    const size_t header = f.size - f.data_size;
    for (int k = 0; k < 3; k++) {
        size_t size = k ? header - 1 : 0;
        for (;;) {
            net n;
            ENSURE(make(&n, f.bytes, size, bits[k], false) == (size == f.size));
            ENSURE(size == f.size ? fine(n.nn) : nn_error(n.nn) && strlen(nn_error(n.nn)) > 20);
            end(&n);
            if (size == f.size) break;
            size += size < header ? 1 + size / 97 : k ? 40009 : 4099;
            if (size > f.size) size = f.size;
        }
        net n;
        ENSURE(!make(&n, f.bytes, f.size - 1, bits[k], false));
        ENSURE(nn_error(n.nn) && strlen(nn_error(n.nn)) > 20);
        end(&n);
    }
    gguf_free(&f);
}

/* Changed bytes of the header give an error, or a file that loads. */
static void test_damaged(void) {
    gguf_file f = llama("llama", kind_of("Q4_K"), false);
    const size_t header = f.size - f.data_size;
    unsigned char *bytes = (unsigned char *)malloc(f.size);
    const int count = getenv("NN_FULL") ? 20000 : 400;
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        net n;
        memcpy(bytes, f.bytes, f.size);
        for (int k = gguf_draw(&f) % 3; k >= 0; k--) {
            const size_t at = gguf_draw(&f) % header;
            bytes[at] = (unsigned char)(k ? bytes[at] ^ 1u << gguf_draw(&f) % 8 : gguf_draw(&f));
        }
        /* a net of a changed size may take too long to make: only its header is read then */
        memset(&n, 0, sizeof n);
        memory_put(&n.disk, "m.gguf", bytes, f.size);
        n.nn = nn_open(&(nn_desc){.threads = 1, .files = memory_files(&n.disk)});
        const bool well =
            nn_read_config(n.nn, &(nn_config_desc){.path = "m.gguf"}, &n.config) == NN_OK;
        ENSURE(well == (nn_error(n.nn) == NULL));
        const bool same = well && n.config.hidden_size == E && n.config.num_hidden_layers <= 4 &&
                          n.config.intermediate_size <= 4 * E && n.config.vocab_size <= 4096 &&
                          n.config.head_dim == E / HEADS && n.config.num_attention_heads == HEADS;
        end(&n);
        wrong += !well;
        if (!same) continue;
        wrong += !make(&n, bytes, f.size, 0, false);
        end(&n);
    }
    ENSURE(wrong > count / 4);
    free(bytes);
    gguf_free(&f);
}

/* The disk fails at every 61st of its calls in turn, the memory at every 7th: all or nothing. */
static void test_it_fails(void) {
    gguf_file f = gpt2(kind_of("Q4_0"));
    for (int disk_fails = 0; disk_fails < 2; disk_fails++) {
        bool well = false;
        int failures = 0;
        for (int fail = 1; !well; fail += disk_fails ? 61 : 7) {
            scarce memory;
            net n;
            memset(&memory, 0, sizeof memory);
            memset(&n, 0, sizeof n);
            memory_put(&n.disk, "m.gguf", f.bytes, f.size);
            n.nn = nn_open(&(nn_desc){.threads = 1,
                                      .files = memory_files(&n.disk),
                                      .allocator = scarce_memory(&memory)});
            memory.calls = n.disk.operations = 0;
            if (disk_fails) n.disk.fail_at = fail;
            else memory.fail_at = fail;
            well = nn_read_config(n.nn, &(nn_config_desc){.path = "m.gguf"}, &n.config) == NN_OK;
            n.model = nn_make_model(n.nn, NULL);
            n.ids = nn_input(n.model, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
            if (well)
                nn_causal_lm(n.model, n.ids, &(nn_causal_lm_desc){.config = &n.config});
            well = well && nn_load_pretrained(n.model, &n.config, "m.gguf") == NN_OK;
            failures += !well;
            memory.fail_at = n.disk.fail_at = 0;
            ENSURE(well == (nn_error(n.nn) == NULL) && n.disk.open_files == 0);
            end(&n);
            ENSURE(memory.live == 0);
        }
        ENSURE(failures > 1);
    }
    gguf_free(&f);
}

#include "gguf_tokenizer.h"

/* ---- mistakes -------------------------------------------------------------------------------- */

static bool refused(gguf_file *f, const char *text) {
    net n;
    const bool well = !make(&n, f->bytes, f->size, 0, false) && says(n.nn, text);
    end(&n);
    gguf_free(f);
    return well;
}

/* Llama 3.2 1B divides its frequencies by up to 32; one that is 1 % larger is none of Llama's. */
static void test_frequencies(void) {
    float divisors[E / HEADS / 2];
    const int pairs = E / HEADS / 2;
    for (int wrong = 0; wrong < 2; wrong++) {
        for (int i = 0; i < pairs; i++) {
            const double wave = 6.283185307179586 * pow(10000.0, (double)i / pairs);
            const double share = (8192.0 / wave - 1.0) / 3.0;
            divisors[i] = (float)(wave > 8192.0       ? 32.0
                                  : wave < 8192.0 / 4 ? 1.0
                                                      : 1.0 / ((1.0 - share) / 32.0 + share));
        }
        if (wrong) divisors[pairs / 2] *= 1.01f;
        frequencies = divisors;
        gguf_file f = llama("llama", kind_of("F16"), false);
        frequencies = NULL;
        if (wrong) {
            ENSURE(refused(&f, "does not have the frequencies of Llama 3.1"));
            continue;
        }
        net n;
        ENSURE(make(&n, f.bytes, f.size, 0, false) && fine(n.nn));
        ENSURE(n.config.rope_factor == 32 && n.config.rope_low_freq_factor == 1 &&
               n.config.rope_high_freq_factor == 4 &&
               n.config.rope_original_max_position_embeddings == 8192);
        end(&n);
        gguf_free(&f);
    }
}

static void test_mistakes(void) {
    static const gguf_kind q2 = {"Q2_K", 10, 256, 84, {-1}, 0},
                           new_kind = {"?", 39, 32, 17, {-1}, 0};
    gguf_file f = llama("mamba", kind_of("F16"), false);
    ENSURE(refused(&f, "general.architecture is \"mamba\"; gpt2, llama (Mistral too), qwen2"));
    f = llama("llama", &q2, false);
    ENSURE(refused(&f, "\"token_embd.weight\" is of type Q2_K, which is not read; convert"));
    f = llama("llama", &new_kind, false);
    ENSURE(refused(&f, "\"token_embd.weight\" has the type 39, which is not known here"));
    for (int k = 0; k < 3; k++) {
        gguf_begin(&f);
        if (k < 2) gguf_text(&f, "general.architecture", "llama");
        key(&f, "llama", "embedding_length", E), key(&f, "llama", "block_count", 1);
        key(&f, "llama", "attention.head_count", HEADS);
        key(&f, "llama", k ? "feed_forward_length" : "expert_count", 8);
        gguf_tensor(&f, k == 1 ? "rope_freqs.weight" : "x", kind_of("F32"), 0, 8);
        gguf_end(&f);
        ENSURE(refused(&f, k == 0   ? "has 8 experts"
                           : k == 1 ? "does not have the frequencies of Llama 3.1"
                                    : "general.architecture is \"(missing)\""));
    }
    /* a config of another file, and a tensor that the net does not have */
    f = llama("llama", kind_of("F16"), false);
    gguf_file g = gpt2(kind_of("F16")), h = llama("qwen2", kind_of("F16"), true);
    net n;
    ENSURE(make(&n, f.bytes, f.size, 0, false));
    memory_put(&n.disk, "g.gguf", g.bytes, g.size);
    memory_put(&n.disk, "h.gguf", h.bytes, h.size);
    ENSURE(nn_load_pretrained(n.model, &n.config, "g.gguf") != NN_OK &&
           says(n.nn, "is of the architecture gpt2, which is not config.family"));
    ENSURE(nn_load_pretrained(n.model, &n.config, "h.gguf") != NN_OK &&
           says(n.nn, "unexpected:  \"model.layers.0.self_attn.q_proj.bias\""));
    ENSURE(nn_load_pretrained(n.model, &n.config, "none.gguf") != NN_OK &&
           says(n.nn, "\"none.gguf\" cannot be opened"));
    ENSURE(nn_load_weights(n.model, "m.gguf", &(nn_load_weights_desc){.files = &(nn_files){0}}) !=
               NN_OK &&
           says(n.nn, ".files lacks open, read, size or close"));
    end(&n);
    gguf_free(&f), gguf_free(&g), gguf_free(&h);
    gguf_begin(&f);
    gguf_end(&f);
    f.bytes[4] = 9;
    ENSURE(refused(&f, "has version 9 of GGUF; wanted 2 or 3"));
    gguf_begin(&f);
    gguf_end(&f);
    f.bytes[0] = 'X';
    ENSURE(refused(&f, "is no GGUF file"));
}

/* ---- the package gguf ------------------------------------------------------------------------ */

/* A file that the package writes loads as the numbers that the package's own readers find in it. */
static void test_package(void) {
    static const char *const kinds[] = {"F16",  "BF16", "Q4_0", "Q4_1", "Q5_0",
                                        "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K"};
    static float other[4 * E * E];
    const char *python = getenv("PYTHON");
    if (!getenv("NN_FULL") || !python) {
        SKIP("NN_FULL and PYTHON are not set");
        return;
    }
    for (int k = 0; k < 10; k++) {
        char command[400];
        snprintf(command, sizeof command,
                 "%s tests/language/gguf_peer.py %s build/peer.gguf build/peer.safetensors", python,
                 kinds[k]);
        ENSURE(system(command) == 0);
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        nn_config config;
        nn_model *net[2];
        ENSURE(nn_read_config(nn, &(nn_config_desc){.path = "build/peer.gguf"}, &config) == NN_OK);
        for (int i = 0; i < 2; i++) {
            net[i] = nn_make_model(nn, NULL);
            nn_causal_lm(net[i], nn_input(net[i], "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME)),
                         &(nn_causal_lm_desc){.config = &config});
            ENSURE(nn_load_pretrained(net[i], &config,
                                      i ? "build/peer.safetensors" : "build/peer.gguf") == NN_OK);
        }
        ENSURE(fine(nn) && nn_model_tensor_count(net[0]) == 20);
        for (int t = 0; t < nn_model_tensor_count(net[0]); t++) {
            nn_tensor *a = nn_model_tensor_at(net[0], t), *b = nn_model_tensor_at(net[1], t);
            const size_t bytes = sizeof(float) * (size_t)nn_shape_count(nn_tensor_shape(a));
            nn_download_tensor(a, numbers, bytes);
            nn_download_tensor(b, other, bytes);
            ENSURE(bytes <= sizeof numbers);
            for (size_t i = 0; i < bytes / sizeof(float); i++) /* zeros may differ in their signs */
                ENSURE(numbers[i] == other[i]);
        }
        nn_close(nn);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_types);
    RUN(test_biases);
    RUN(test_frequencies);
    RUN(test_gpt2);
    RUN(test_four_bits);
    RUN(test_rounded);
    RUN(test_cut_off);
    RUN(test_damaged);
    RUN(test_it_fails);
    RUN(test_mistakes);
    RUN(test_tokenizers);
    RUN(test_tokenizer_mistakes);
    RUN(test_package);
    return test_report();
}
