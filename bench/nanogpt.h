/* bench/nanogpt.h - the net of nanoGPT and its CPU recipe: 4 layers, 4 heads, 128 wide, 64
   characters of context, no biases. Source: Andrej Karpathy, nanoGPT, model.py, train.py and
   config/train_shakespeare_char.py with the arguments of its README for a CPU. */
#ifndef NANOGPT_H
#define NANOGPT_H

#include "nn_sequence.h"

enum { GPT_LAYERS = 4, GPT_HEADS = 4, GPT_WIDE = 128, GPT_CONTEXT = 64, GPT_BATCH = 12 };

typedef struct gpt {
    nn_model *net;
    nn_node *ids, *places, *labels; /* (N, T), (T), (N, T) i32 */
    nn_node *logits, *loss;         /* (N T, vocabulary); one number */
} gpt;

/* For a net that is only run: its weights are stored in 8 or 4 bits (nn_quantize). 0: in f32. */
static int gpt_bits;
static bool gpt_minimums;
/* The operations of the net are in a region of nn_autocast_begin with this dtype. 0: in none. */
static nn_dtype gpt_autocast;

static nn_node *gpt_product(nn_model *net, int layer, const char *part, nn_node *x, int out) {
    char name[40];
    snprintf(name, sizeof name, "h.%d.%s", layer, part);
    return nn_linear(net, name, x, &(nn_linear_desc){.out_features = out, .no_bias = true});
}

static nn_node *gpt_norm(nn_model *net, int layer, const char *part, nn_node *x) {
    char name[40];
    snprintf(name, sizeof name, "h.%d.%s", layer, part);
    return nn_layer_norm(net, name, x, &(nn_layer_norm_desc){.no_bias = true});
}

static nn_node *gpt_layer(nn_model *net, int layer, nn_node *x) {
    nn_shape heads = NN_SHAPE(NN_BATCH, NN_TIME, GPT_HEADS, GPT_WIDE / GPT_HEADS);
    nn_node *parts[3], *y = gpt_norm(net, layer, "ln_1", x);
    nn_chunk(net, gpt_product(net, layer, "attn.c_attn", y, 3 * GPT_WIDE), parts, 3, 2);
    for (int i = 0; i < 3; i++) parts[i] = nn_reshape(net, parts[i], heads);
    y = nn_scaled_dot_product_attention(
        net, parts[0], parts[1], parts[2],
        &(nn_scaled_dot_product_attention_desc){.is_causal = true, .heads_inside = true});
    y = nn_reshape(net, y, NN_SHAPE(NN_BATCH, NN_TIME, GPT_WIDE));
    x = nn_add(net, x, gpt_product(net, layer, "attn.c_proj", y, GPT_WIDE));
    y = gpt_product(net, layer, "mlp.c_fc", gpt_norm(net, layer, "ln_2", x), 4 * GPT_WIDE);
    return nn_add(net, x, gpt_product(net, layer, "mlp.c_proj", nn_gelu(net, y), GPT_WIDE));
}

static gpt gpt_describe(nn_context *nn, int vocabulary, uint64_t seed) {
    gpt g = {.net = nn_make_model(nn, &(nn_model_desc){.name = "nanogpt", .seed = seed})};
    nn_embedding_desc table = {.num_embeddings = vocabulary, .embedding_dim = GPT_WIDE};
    nn_embedding_desc places = {.num_embeddings = GPT_CONTEXT, .embedding_dim = GPT_WIDE};
    nn_node *x, *y;
    if (gpt_bits)
        nn_quantize(g.net, &(nn_quantize_desc){.bits = gpt_bits, .minimums = gpt_minimums});
    g.ids = nn_input(g.net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    g.places = nn_input(g.net, "places", NN_I32, NN_SHAPE(NN_TIME));
    g.labels = nn_input(g.net, "labels", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    if (gpt_autocast) nn_autocast_begin(g.net, gpt_autocast);
    x = nn_embedding(g.net, "wte", g.ids, &table);
    x = nn_add(g.net, x, nn_embedding(g.net, "wpe", g.places, &places));
    for (int layer = 0; layer < GPT_LAYERS; layer++) x = gpt_layer(g.net, layer, x);
    x = nn_layer_norm(g.net, "ln_f", x, &(nn_layer_norm_desc){.no_bias = true});
    x = nn_reshape(g.net, x, NN_SHAPE(NN_BATCH_TIME, GPT_WIDE));
    g.logits = nn_linear(
        g.net, "wte", x,
        &(nn_linear_desc){.out_features = vocabulary, .no_bias = true, .shared = true});
    y = nn_reshape(g.net, g.labels, NN_SHAPE(NN_BATCH_TIME));
    g.loss = nn_cross_entropy(g.net, g.logits, y, NULL);
    if (gpt_autocast) nn_autocast_end(g.net);
    if (gpt_bits) return g;
    nn_initialise(g.net, "w*.weight", &(nn_init_desc){.init = NN_INIT_NORMAL, .std = 0.02f});
    nn_initialise(g.net, "h.*.c_*.weight", &(nn_init_desc){.init = NN_INIT_NORMAL, .std = 0.02f});
    nn_initialise(g.net, "h.*.c_proj.weight",
                  &(nn_init_desc){.init = NN_INIT_NORMAL, .std = 0.02f / sqrtf(2.0f * GPT_LAYERS)});
    return g;
}

static nn_trainer *gpt_train(gpt *g, int steps) {
    return nn_make_trainer(g->net, g->loss,
                           &(nn_trainer_desc){.batch = GPT_BATCH,
                                              .time = GPT_CONTEXT,
                                              .optimizer = NN_ADAMW,
                                              .learning_rate = 1e-3f,
                                              .beta2 = 0.99f,
                                              .weight_decay = 0.1f,
                                              .max_norm = 1,
                                              .groups = NN_GROUPS({.pattern = "*",
                                                          .max_rank = 1,
                                                          .weight_decay = NN_NONE}),
                                              .schedule = {.kind = NN_SCHEDULE_COSINE,
                                                           .steps = steps > 100 ? steps - 100 : 1,
                                                           .minimum = 1e-4f,
                                                           .warmup = 100,
                                                           .warmup_start = 1.0f / 101}});
}

/* Numbers the characters in the order of their codes. Returns the number of different ones. */
static int gpt_encode(const unsigned char *text, size_t bytes, int32_t *ids) {
    int32_t number[256] = {0}, count = 0;
    for (size_t i = 0; i < bytes; i++) number[text[i]] = 1;
    for (int i = 0; i < 256; i++)
        if (number[i]) number[i] = count++;
    for (size_t i = 0; i < bytes; i++) ids[i] = number[text[i]];
    return count;
}

/* Draws pieces of the text at random places, and the character after each of their characters. */
static void gpt_batch(const int32_t *ids, size_t count, uint64_t seed, uint64_t step, int32_t *x,
                      int32_t *y) {
    for (size_t row = 0; row < GPT_BATCH; row++) {
        uint32_t words[4];
        size_t from;
        nn_random_words(seed, step, row, words);
        from = (size_t)(((uint64_t)words[0] << 32 | words[1]) % (count - GPT_CONTEXT));
        memcpy(x + row * GPT_CONTEXT, ids + from, GPT_CONTEXT * sizeof *x);
        memcpy(y + row * GPT_CONTEXT, ids + from + 1, GPT_CONTEXT * sizeof *y);
    }
}
#endif
