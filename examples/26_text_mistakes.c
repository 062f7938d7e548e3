/* 26_text_mistakes.c - the mistakes of programs that read text: ids on the wrong device, of the
   wrong dtype, outside the vocabulary; masks, caches and labels that do not fit. Each is found
   before a kernel runs, or, where only the numbers are wrong, by the run that reads them, which
   then changes nothing.
   Run:    cc -O2 26_text_mistakes.c -o text_mistakes -lm -lpthread && ./text_mistakes
   Prints: nine mistakes, each with its report. A simulated device of the tests stands in for a GPU,
           so that devices can be mixed up on any machine. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#define NN_TEXT_IMPLEMENTATION
#include "../nn_text.h"
#include "../tests/support/sim_device.h"
#include <stdio.h>

enum { WORDS = 128, WIDTH = 8, LONGEST = 16 }; /* the vocabulary of ASCII */

typedef struct reader { /* one layer, which reads texts and says what comes next */
    nn_model *net;
    nn_node *ids, *mask, *label, *positions, *logits, *loss, *keys;
} reader;

/* Describes the net with a cache, or a mask of padding, and with as many words as you say. */
static reader describe(nn_context *nn, nn_device device, int words, bool cached) {
    reader r = {.net = nn_make_model(nn, &(nn_model_desc){.name = "reader", .device = device})};
    nn_shape heads = NN_SHAPE(NN_BATCH, NN_TIME, 1, WIDTH);
    nn_scaled_dot_product_attention_desc attention = {.is_causal = true, .heads_inside = true};
    nn_cache_desc cache = {.length = LONGEST, .heads_inside = true};
    r.ids = nn_input(r.net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    r.label = nn_input(r.net, "label", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *x = nn_embedding(
        r.net, "wte", r.ids, &(nn_embedding_desc){.num_embeddings = words, .embedding_dim = WIDTH});
    nn_node *k = nn_reshape(r.net, x, heads), *v = k;
    if (cached) {
        r.positions = nn_input(r.net, "positions", NN_I32, NN_SHAPE(NN_BATCH));
        attention.positions = r.positions;
        r.keys = k = nn_cache(r.net, "keys", k, r.positions, &cache);
        v = nn_cache(r.net, "values", v, r.positions, &cache);
    } else {
        r.mask = nn_input(r.net, "mask", NN_U8, NN_SHAPE(NN_BATCH, NN_TIME));
        attention.attn_mask = nn_reshape(r.net, r.mask, NN_SHAPE(NN_BATCH, 1, 1, NN_TIME));
    }
    nn_node *y =
        nn_scaled_dot_product_attention(r.net, nn_reshape(r.net, x, heads), k, v, &attention);
    y = nn_add(r.net, x, nn_reshape(r.net, y, NN_SHAPE(NN_BATCH, NN_TIME, WIDTH)));
    r.logits = nn_linear(r.net, "head", nn_reshape(r.net, y, NN_SHAPE(NN_BATCH_TIME, WIDTH)),
                         &(nn_linear_desc){.out_features = words});
    r.loss = nn_cross_entropy(r.net, r.logits, nn_reshape(r.net, r.label, NN_SHAPE(NN_BATCH_TIME)),
                              NULL);
    return r;
}

static nn_plan *plan_of(reader r, int batch) {
    return nn_make_plan(
        r.net, &(nn_plan_desc){.outputs = NN_NODES(r.logits), .batch = batch, .time = LONGEST});
}

/* A tensor is on the CPU unless it is made on another device. */
static void ids_on_the_wrong_device(nn_context *nn, nn_device gpu) {
    reader r = describe(nn, gpu, WORDS, false);
    nn_plan *plan = plan_of(r, 2);
    uint8_t mask[2][10];
    nn_tensor *ids = nn_make_tensor(
        nn, &(nn_tensor_desc){.name = "my ids", .dtype = NN_I32, .shape = NN_SHAPE(2, 10)});
    nn_encode_batch(
        nn_make_byte_tokenizer(nn),
        (nn_batch_text[]){{.text = "to be, not", .bytes = 10}, {.text = "that is it", .bytes = 10}},
        2, NULL, ids, NULL, NULL);
    memset(mask, 1, sizeof mask);
    nn_bind(plan, r.ids, ids);
    nn_upload(plan, r.mask, mask, sizeof mask);
    nn_run(plan);
}

static void ids_that_are_floats(nn_context *nn, nn_device gpu) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "reader", .device = gpu});
    nn_node *ids = nn_input(net, "ids", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *x = nn_embedding(
        net, "wte", ids, &(nn_embedding_desc){.num_embeddings = WORDS, .embedding_dim = WIDTH});
    nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(nn_relu(net, x))});
}

/* The tokenizer put [CLS] and [SEP] around one of them. */
static void mask_of_another_length(nn_context *nn, nn_device gpu) {
    int32_t ids[10] = {0};
    uint8_t mask[12] = {0};
    reader r = describe(nn, gpu, WORDS, false);
    nn_plan *plan = plan_of(r, 1);
    nn_upload(plan, r.ids, ids, sizeof ids);
    nn_upload(plan, r.mask, mask, sizeof mask);
    nn_run(plan);
}

static void text_that_is_too_long(nn_context *nn, nn_device gpu) {
    int32_t ids[LONGEST + 1] = {0};
    reader r = describe(nn, gpu, WORDS, false);
    nn_upload(plan_of(r, 1), r.ids, ids, sizeof ids);
}

static void id_outside_the_vocabulary(nn_context *nn, nn_device gpu) {
    int32_t ids[12];
    uint8_t mask[12];
    float logits[11][WORDS];
    nn_tokens tokens = {.ids = ids, .capacity = 12};
    reader r = describe(nn, gpu, WORDS, false);
    nn_plan *plan = plan_of(r, 1);
    memset(mask, 1, sizeof mask);
    nn_encode(nn_make_byte_tokenizer(nn), "a na\xc3\xafve one", 11, NULL, &tokens);
    nn_upload(plan, r.ids, ids, 11 * sizeof ids[0]);
    nn_upload(plan, r.mask, mask, 11);
    nn_run(plan);
    nn_download(plan, r.logits, logits,
                11 * sizeof logits[0]); /* with them comes the status word */
}

/* The cache holds the keys of one text, the run has two. */
static void cache_of_another_batch(nn_context *nn, nn_device gpu) {
    int32_t ids[2][3] = {{1, 2, 3}, {4, 5, 6}}, positions[2] = {0, 0};
    reader r = describe(nn, gpu, WORDS, true);
    nn_plan *plan = plan_of(r, 2);
    nn_tensor *keys = nn_make_tensor(nn, &(nn_tensor_desc){.name = "my keys",
                                                           .shape = NN_SHAPE(1, LONGEST, 1, WIDTH),
                                                           .device = gpu});
    nn_bind(plan, r.keys, keys);
    nn_set_time(plan, 3);
    nn_upload(plan, r.ids, ids, sizeof ids);
    nn_upload(plan, r.positions, positions, sizeof positions);
    nn_run(plan);
}

static void tokenizer_of_another_model(nn_context *nn, nn_device gpu) {
    reader r = describe(nn, gpu, WORDS, true);
    nn_make_generator(r.net, &(nn_generator_desc){.tokenizer = nn_make_byte_tokenizer(nn),
                                                  .ids = r.ids,
                                                  .positions = r.positions,
                                                  .logits = r.logits,
                                                  .context = LONGEST});
}

static void cache_that_is_full(nn_context *nn, nn_device gpu) {
    int32_t ids[3] = {1, 2, 3}, positions[1] = {LONGEST - 2};
    float logits[3][WORDS];
    reader r = describe(nn, gpu, WORDS, true);
    nn_plan *plan = plan_of(r, 1);
    nn_upload(plan, r.ids, ids, sizeof ids);
    nn_upload(plan, r.positions, positions, sizeof positions);
    nn_run(plan);
    nn_download(plan, r.logits, logits, sizeof logits);
}

/* Padding has the label -100, as in PyTorch, but the loss was not told to ignore it. */
static void labels_of_the_padding(nn_context *nn, nn_device gpu) {
    int32_t ids[2][10] = {{0}}, labels[2][10];
    uint8_t mask[2][10] = {{0}};
    float loss;
    reader r = describe(nn, gpu, WORDS, false);
    nn_trainer *trainer =
        nn_make_trainer(r.net, r.loss, &(nn_trainer_desc){.batch = 2, .time = LONGEST});
    for (int i = 0; i < 20; i++) {
        mask[i / 10][i % 10] = i % 10 < 8;
        labels[i / 10][i % 10] = i % 10 < 8 ? 'a' : -100;
    }
    nn_upload(nn_trainer_plan(trainer), r.ids, ids, sizeof ids);
    nn_set_time(nn_trainer_plan(trainer), 10);
    nn_upload(nn_trainer_plan(trainer), r.mask, mask, sizeof mask);
    nn_upload(nn_trainer_plan(trainer), r.label, labels, sizeof labels);
    nn_train_on_inputs(trainer);
    nn_read_loss(trainer, &loss);
}

#define MISTAKE(function)                                                                          \
    { #function, function }

int main(void) {
    static const struct {
        const char *title;
        void (*provoke)(nn_context *nn, nn_device gpu);
    } mistakes[] = {MISTAKE(ids_on_the_wrong_device),    MISTAKE(ids_that_are_floats),
                    MISTAKE(mask_of_another_length),     MISTAKE(text_that_is_too_long),
                    MISTAKE(id_outside_the_vocabulary),  MISTAKE(cache_of_another_batch),
                    MISTAKE(tokenizer_of_another_model), MISTAKE(cache_that_is_full),
                    MISTAKE(labels_of_the_padding)};
    nn_device gpu;
    sim_desc pretended = {.memory = 1 << 20};
    nn_context *nn = nn_open(NULL); /* no log: this program prints nn_error itself */
    sim_device *sim = sim_open(nn, &pretended, &gpu);
    int silent = 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        mistakes[i].provoke(nn, gpu);
        printf("---- %s\n%s\n", mistakes[i].title, nn_error(nn) ? nn_error(nn) : "(no report)");
        silent += nn_error(nn) == NULL;
        nn_clear_error(nn);
    }
    nn_close(nn);
    /* it counted accesses to memory that is not its own, and leaks */
    return sim_free(sim) + silent > 0;
}
