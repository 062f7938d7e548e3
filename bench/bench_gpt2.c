/* bench/bench_gpt2.c - training steps of GPT-2 124M (12 layers, 12 heads, 768 wide, 50,257 words,
   the head's weight is the embedding's) on 4 rows of 64 words with AdamW: the work of
   bench/pytorch_gpt2.py.

     bench_gpt2 [threads [seconds [layers [profile]]]]
   Default: 1 thread, 10 s, at least three steps, 12 layers. profile: also prints the time of each
   step of the plan.

   Prints name, minimum and median in microseconds, peak resident memory in kB, and the loss after
   the last step, which falls because all steps see the same words. With `-` for the seconds it
   takes one step for each line of stdin and prints its microseconds, so that another program can
   take turns with it. Source: Radford et al., "Language models are unsupervised multitask
   learners", 2019. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 4,
    TIME = 64,
    WIDE = 768,
    HEADS = 12,
    CONTEXT = 1024,
    WORDS = 50257,
    MOST_SAMPLES = 256
};

static nn_node *product(nn_model *net, int layer, const char *part, nn_node *x, int out) {
    char name[40];
    snprintf(name, sizeof name, "h.%d.%s", layer, part);
    return nn_linear(net, name, x, &(nn_linear_desc){.out_features = out});
}

static nn_node *norm(nn_model *net, int layer, const char *part, nn_node *x) {
    char name[40];
    snprintf(name, sizeof name, "h.%d.%s", layer, part);
    return nn_layer_norm(net, name, x, NULL);
}

static nn_node *block(nn_model *net, int layer, nn_node *x) {
    const nn_shape heads = NN_SHAPE(NN_BATCH, NN_TIME, HEADS, WIDE / HEADS);
    nn_node *parts[3], *y = norm(net, layer, "ln_1", x);
    nn_chunk(net, product(net, layer, "attn.c_attn", y, 3 * WIDE), parts, 3, 2);
    for (int i = 0; i < 3; i++) parts[i] = nn_reshape(net, parts[i], heads);
    y = nn_scaled_dot_product_attention(
        net, parts[0], parts[1], parts[2],
        &(nn_scaled_dot_product_attention_desc){.is_causal = true, .heads_inside = true});
    y = nn_reshape(net, y, NN_SHAPE(NN_BATCH, NN_TIME, WIDE));
    x = nn_add(net, x, product(net, layer, "attn.c_proj", y, WIDE));
    y = product(net, layer, "mlp.c_fc", norm(net, layer, "ln_2", x), 4 * WIDE);
    return nn_add(net, x, product(net, layer, "mlp.c_proj", nn_gelu_tanh(net, y), WIDE));
}

/* ids, places, labels: (N, T), (T), (N, T) i32. */
static nn_node *gpt2(nn_model *net, int layers, nn_node *inputs[3]) {
    const nn_embedding_desc words = {.num_embeddings = WORDS, .embedding_dim = WIDE},
                            places = {.num_embeddings = CONTEXT, .embedding_dim = WIDE};
    nn_node *x;
    inputs[0] = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    inputs[1] = nn_input(net, "places", NN_I32, NN_SHAPE(NN_TIME));
    inputs[2] = nn_input(net, "labels", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    x = nn_embedding(net, "wte", inputs[0], &words);
    x = nn_add(net, x, nn_embedding(net, "wpe", inputs[1], &places));
    for (int layer = 0; layer < layers; layer++) x = block(net, layer, x);
    x = nn_reshape(net, nn_layer_norm(net, "ln_f", x, NULL), NN_SHAPE(NN_BATCH_TIME, WIDE));
    x = nn_linear(net, "wte", x,
                  &(nn_linear_desc){.out_features = WORDS, .no_bias = true, .shared = true});
    nn_initialise(net, "*.weight", &(nn_init_desc){.init = NN_INIT_NORMAL, .std = 0.02f});
    nn_initialise(net, "*ln_*.weight", &(nn_init_desc){.init = NN_INIT_CONSTANT, .value = 1.0f});
    return nn_cross_entropy(net, x, nn_reshape(net, inputs[2], NN_SHAPE(NN_BATCH_TIME)), NULL);
}

static nn_tensor *whole_numbers(nn_context *nn, nn_shape shape, uint64_t stream) {
    nn_tensor *t = nn_make_tensor(nn, &(nn_tensor_desc){.shape = shape, .dtype = NN_I32});
    uint32_t words[4];
    for (int64_t i = 0; t && i < nn_shape_count(shape); i++) {
        nn_random_words(1, stream, (uint64_t)i, words);
        ((int32_t *)nn_tensor_data(t))[i] = stream ? (int32_t)(words[0] % WORDS) : (int32_t)i;
    }
    return t;
}

static long peak_kb(void) { /* VmHWM of Linux; 0 elsewhere */
    char line[128];
    long kb = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0) kb = atol(line + 6);
    if (file) fclose(file);
    return kb;
}

static int compare_samples(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double now(nn_context *nn) { /* seconds */
    const nn_clock *clock = &nn_context_desc(nn)->clock;
    return (double)clock->now(clock->user) * 1e-9;
}

static double time_step(nn_context *nn, nn_trainer *trainer) {
    const double before = now(nn);
    nn_train_on_inputs(trainer);
    return (now(nn) - before) * 1e6;
}

static void measure(nn_context *nn, nn_trainer *trainer, double seconds) {
    static double samples[MOST_SAMPLES];
    int count = 0;
    float loss = 0;
    const double end = now(nn) + seconds;
    while (count < MOST_SAMPLES && !nn_error(nn) && (count < 3 || now(nn) < end))
        samples[count++] = time_step(nn, trainer);
    qsort(samples, (size_t)count, sizeof samples[0], compare_samples);
    nn_read_loss(trainer, &loss);
    printf("%-24s %10.0f %10.0f %8ld  loss %.4f\n", "gpt2_train", samples[0], samples[count / 2],
           peak_kb(), (double)loss);
}

int main(int argc, char **argv) {
    const bool turns = argc > 2 && strcmp(argv[2], "-") == 0;
    const int layers = argc > 3 ? atoi(argv[3]) : 12;
    char line[16];
    nn_node *inputs[3];
    nn_context *nn = nn_open(
        &(nn_desc){.log = {nn_write_stderr, NULL}, .threads = argc > 1 ? atoi(argv[1]) : 1});
    if (!nn) return 1;
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "gpt2", .seed = 1});
    nn_node *loss = gpt2(net, layers, inputs);
    nn_trainer *trainer = nn_make_trainer(net, loss,
                                          &(nn_trainer_desc){.batch = BATCH,
                                                             .time = TIME,
                                                             .optimizer = NN_ADAMW,
                                                             .learning_rate = 1e-4f,
                                                             .weight_decay = 0.01f});
    nn_plan *plan = nn_trainer_plan(trainer);
    nn_bind(plan, inputs[0], whole_numbers(nn, NN_SHAPE(BATCH, TIME), 1));
    nn_bind(plan, inputs[1], whole_numbers(nn, NN_SHAPE(TIME), 0));
    nn_bind(plan, inputs[2], whole_numbers(nn, NN_SHAPE(BATCH, TIME), 2));
    printf("# nn.h %s, %s, %d thread(s), %.1f M parameters\n", NN_VERSION,
           nn_instruction_set_name(nn), nn_thread_count(nn),
           (double)nn_parameter_elements(net) * 1e-6);
    fflush(stdout);
    nn_train_on_inputs(trainer);
    if (argc > 4) nn_start_profile(plan);
    while (turns && fgets(line, sizeof line, stdin)) {
        printf("%.0f\n", time_step(nn, trainer));
        fflush(stdout);
    }
    if (!turns) measure(nn, trainer, argc > 2 ? atof(argv[2]) : 10);
    if (argc > 4) nn_write_profile(plan, (nn_writer){nn_write_stdout, NULL});
    const bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
