/* 23_char_gpt.c - a small GPT learns a text character by character, and now and then writes what it
   has learnt: first letters, then words, then sentences. Training reads whole pieces of the text;
   writing proceeds character by character, with keys and values in a cache. One function describes
   both.
   Run:    cc -O2 23_char_gpt.c -o gpt -lm -lpthread && ./gpt [text file [steps]]
           (without a file it learns sentences of a small grammar)
   Prints: the loss and a piece of its writing, and at the end how many of its words exist. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#define NN_TEXT_IMPLEMENTATION
#include "../nn_text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS = 2, HEADS = 4, WIDE = 64, CONTEXT = 64, BATCH = 16, TEXT = 1 << 22 };

static const char *const words[5][6] = {
    {"the", "a", "this", "one", "that", "every"},
    {"old", "small", "quiet", "red", "happy", "clever"},
    {"fox", "sailor", "river", "teacher", "cat", "engine"},
    {"sees", "follows", "finds", "likes", "meets", "draws"},
    {"slowly", "again", "at night", "by the sea", "with care", "in winter"}};

/* determiner adjective noun, verb, determiner noun, adverb: 279,936 sentences. */
static size_t write_sentences(char *text, size_t bytes) {
    static const int order[7] = {0, 1, 2, 3, 0, 2, 4};
    size_t length = 0;
    for (uint64_t i = 0; length + 80 < bytes; i++)
        for (int k = 0; k < 7; k++) {
            uint32_t draw[4];
            nn_random_words(1, i, (uint64_t)k, draw);
            length += (size_t)snprintf(text + length, bytes - length, "%s%s",
                                       words[order[k]][draw[0] % 6], k < 6 ? " " : ".\n");
        }
    return length;
}

/* Describes the logits (N T, letters) of ids and places (N, T). positions: where each text
   continues, with a cache; NULL: from the beginning, for training. Parameters are
   shared by name, so both descriptions use the same ones. */
static nn_node *gpt(nn_model *net, int letters, nn_node *ids, nn_node *places, nn_node *positions) {
    nn_shape heads = NN_SHAPE(NN_BATCH, NN_TIME, HEADS, WIDE / HEADS);
    nn_cache_desc cache = {.length = CONTEXT, .heads_inside = true};
    nn_scaled_dot_product_attention_desc causal = {
        .is_causal = true, .heads_inside = true, .positions = positions};
    nn_embedding_desc letter = {.num_embeddings = letters, .embedding_dim = WIDE, .shared = true};
    nn_embedding_desc place = {.num_embeddings = CONTEXT, .embedding_dim = WIDE, .shared = true};
    nn_node *x = nn_embedding(net, "wte", ids, &letter);
    x = nn_add(net, x, nn_embedding(net, "wpe", places, &place));
    for (int i = 0; i < LAYERS; i++) {
        static const char *const parts[] = {"q", "k", "v", "out", "up", "down", "norm1", "norm2",
                                            "keys", "values"};
        char names[10][20];
        nn_linear_desc wide = {.out_features = WIDE, .shared = true};
        nn_linear_desc up = {.out_features = 4 * WIDE, .shared = true};
        for (int k = 0; k < 10; k++) snprintf(names[k], sizeof names[k], "%d.%s", i, parts[k]);
        nn_node *y = nn_layer_norm(net, names[6], x, &(nn_layer_norm_desc){.shared = true});
        nn_node *q = nn_reshape(net, nn_linear(net, names[0], y, &wide), heads);
        nn_node *k = nn_reshape(net, nn_linear(net, names[1], y, &wide), heads);
        nn_node *v = nn_reshape(net, nn_linear(net, names[2], y, &wide), heads);
        if (positions) k = nn_cache(net, names[8], k, positions, &cache);
        if (positions) v = nn_cache(net, names[9], v, positions, &cache);
        y = nn_scaled_dot_product_attention(net, q, k, v, &causal);
        y = nn_reshape(net, y, NN_SHAPE(NN_BATCH, NN_TIME, WIDE));
        x = nn_add(net, x, nn_linear(net, names[3], y, &wide));
        y = nn_layer_norm(net, names[7], x, &(nn_layer_norm_desc){.shared = true});
        y = nn_gelu(net, nn_linear(net, names[4], y, &up));
        x = nn_add(net, x, nn_linear(net, names[5], y, &wide));
    }
    x = nn_layer_norm(net, "norm", x, &(nn_layer_norm_desc){.shared = true});
    x = nn_reshape(net, x, NN_SHAPE(NN_BATCH_TIME, WIDE));
    return nn_linear(net, "head", x, &(nn_linear_desc){.out_features = letters, .shared = true});
}

/* Returns how many words of a text are words of the grammar. */
static int count_words(char *text, int *all) {
    char padded[40], known[600] = " ";
    int count = 0;
    for (int i = 0; i < 30; i++) strcat(strcat(known, words[i / 6][i % 6]), " ");
    for (char *word = strtok(text, " .\n"); word; word = strtok(NULL, " .\n")) {
        snprintf(padded, sizeof padded, " %.30s ", word);
        count += strstr(known, padded) != NULL;
        *all += 1;
    }
    return count;
}

int main(int argc, char **argv) {
    static char text[TEXT], said[4096];
    static int32_t ids[TEXT];
    int32_t x[BATCH * CONTEXT], y[BATCH * CONTEXT], places[BATCH * CONTEXT];
    int steps = argc > 2 ? atoi(argv[2]) : getenv("NN_SHORT") ? 200 : 1000;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    size_t bytes = file ? fread(text, 1, sizeof text, file) : write_sentences(text, 1 << 18);
    if (file) fclose(file);

    nn_context *nn = nn_open(NULL);
    nn_tokenizer *letters = nn_make_char_tokenizer(nn, text, bytes);
    nn_tokens tokens = {.ids = ids, .capacity = TEXT};
    nn_encode(letters, text, bytes, NULL, &tokens);
    if (tokens.count < 4 * CONTEXT) return printf("give a longer text\n"), 1;

    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "gpt", .seed = 1});
    nn_node *in = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *at = nn_input(net, "places", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *next = nn_input(net, "next", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *from = nn_input(net, "positions", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *loss = nn_cross_entropy(net, gpt(net, nn_vocab_size(letters), in, at, NULL),
                                     nn_reshape(net, next, NN_SHAPE(NN_BATCH_TIME)), NULL);
    nn_node *logits = gpt(net, nn_vocab_size(letters), in, at, from);
    nn_initialise(net, "w*.weight", &(nn_init_desc){.init = NN_INIT_NORMAL, .std = 0.1f});
    nn_trainer *trainer = nn_make_trainer(net, loss,
        &(nn_trainer_desc){.batch = BATCH, .time = CONTEXT, .optimizer = NN_ADAMW, .learning_rate = 3e-3f, .max_norm = 1,
                           .schedule = {.kind = NN_SCHEDULE_COSINE, .steps = steps, .minimum = 3e-4f}});
    nn_generator *writer = nn_make_generator(
        net, &(nn_generator_desc){.tokenizer = letters, .ids = in, .places = at, .positions = from,
                                  .logits = logits, .context = CONTEXT, .batch = 8,
                                  .sampling = {.sample = true, .temperature = 0.8f, .seed = 7}});

    for (int i = 0; i < BATCH * CONTEXT; i++) places[i] = i % CONTEXT;
    nn_upload(nn_trainer_plan(trainer), at, places, sizeof places);
    for (int step = 0; step <= steps && !nn_error(nn); step++) {
        if (step % (steps / 4) == 0) { /* eight texts at once; the first one is printed */
            nn_report report = {0};
            nn_text all = {said, sizeof said, 0};
            if (step > 0) nn_read_report(trainer, &report);
            nn_forget(writer, -1);
            for (int i = 0; i < 8; i++) nn_prompt_ids(writer, i, ids, 1);
            nn_generate(writer);
            nn_write_answer(writer, 0, (nn_writer){nn_write_text, &all});
            printf("---- step %d  loss %.3f\n%.1s%s\n", step, report.loss, text, said);
        }
        for (int row = 0; row < BATCH; row++) {
            uint32_t draw[4];
            nn_random_words(2, (uint64_t)step, (uint64_t)row, draw);
            const int32_t *piece = ids + draw[0] % (uint32_t)(tokens.count - CONTEXT - 1);
            memcpy(x + row * CONTEXT, piece, CONTEXT * sizeof *x);
            memcpy(y + row * CONTEXT, piece + 1, CONTEXT * sizeof *y);
        }
        nn_upload(nn_trainer_plan(trainer), in, x, sizeof x);
        nn_upload(nn_trainer_plan(trainer), next, y, sizeof y);
        if (step < steps) nn_train_on_inputs(trainer);
    }

    nn_text all = {said, sizeof said, 0};
    int count = 0, known;
    for (int i = 0; i < 8; i++) nn_write_answer(writer, i, (nn_writer){nn_write_text, &all});
    known = count_words(said, &count);
    if (!file) printf("---- %d of %d words exist\n", known, count);
    bool failed = nn_error(nn) != NULL;
    if (failed) printf("%s\n", nn_error(nn));
    nn_close(nn);
    return failed;
}
