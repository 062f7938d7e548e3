/* bench/bench_nets.c - training steps of whole nets, those of the examples: the work of
   bench/pytorch_nets.py.

     bench_nets [threads [seconds [net [profile]]]]
   Default: 1 thread, 0.5 s for each net, at least three steps, all nets. profile: also prints
   where the time goes, step by step. BENCH_SET: the instruction set, as a number of
   nn_instruction_set.

   resnet18   3x32x32, batch 64, with the first layers for small pictures; SGD with momentum
   mobilenet  3x64x64, batch 32, SGD with momentum
   unet       1x64x64, batch 16, width 16, 3 levels, Adam
   lstm       64 steps of 128 numbers, 128 wide, batch 64; the mean of its outputs is classified;
              Adam
   Prints one line for each: name, minimum and median in microseconds, peak resident memory so far
   in kB. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_sequence.h"

#include <stdio.h>
#include <stdlib.h>

#define main resnet_main
#include "../examples/15_resnet.c"
#undef main
#define main mobilenet_main
#include "../examples/16_mobilenet.c"
#undef main
#define main unet_main
#include "../examples/17_unet.c"
#undef main

enum { MOST_SAMPLES = 256 };

typedef struct bench_net {
    const char *name;
    nn_shape input; /* the batch first */
    int classes;
    nn_optimizer optimizer;
    nn_node *(*build)(nn_model *net, nn_node *x);
} bench_net;

static nn_node *build_resnet(nn_model *net, nn_node *x) {
    return resnet18(net, x, &(resnet_desc){.classes = 10, .width = 64, .cifar = true});
}
static nn_node *build_mobilenet(nn_model *net, nn_node *x) {
    return mobilenet_v2(net, x, 10, 0.2f);
}
static nn_node *build_unet(nn_model *net, nn_node *x) { return unet(net, x, 2, 16, 3); }

static nn_node *build_lstm(nn_model *net, nn_node *x) {
    nn_node *y = nn_lstm(net, "lstm", x, &(nn_lstm_desc){.hidden_size = 128});
    return nn_linear(net, "fc", nn_mean(net, y, NN_AXES(1)), &(nn_linear_desc){.out_features = 10});
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

static uint64_t now_ns(void) { /* the library's own clock, so that this program needs no POSIX */
    static nn_clock clock;
    if (!clock.now) nn__clock_init(&clock);
    return nn__now(&clock);
}

static int compare_samples(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static nn_trainer *make_trainer(nn_context *nn, const bench_net *b, nn_model *net) {
    nn_shape shape = b->input, labels = NN_SHAPE(NN_BATCH);
    const int batch = shape.extent[0];
    nn_tensor *x = nn_make_tensor(nn, &(nn_tensor_desc){.name = "x", .shape = shape}), *y;
    uint32_t words[4];
    for (int64_t i = 0; x && i < nn_shape_count(shape); i++) {
        nn_random_words(1, 0, (uint64_t)i, words);
        ((float *)nn_tensor_data(x))[i] = nn_word_to_uniform(words[0]) - 0.5f;
    }
    shape.extent[0] = NN_BATCH;
    nn_node *input = nn_input(net, "x", NN_F32, shape), *logits = b->build(net, input);
    for (int i = 2; i < nn_node_shape(logits).rank; i++)
        labels.extent[labels.rank++] = nn_node_shape(logits).extent[i];
    nn_node *label = nn_input(net, "label", NN_I32, labels);
    labels.extent[0] = batch;
    y = nn_make_tensor(nn, &(nn_tensor_desc){.name = "label", .shape = labels, .dtype = NN_I32});
    for (int64_t i = 0; y && i < nn_shape_count(labels); i++)
        ((int32_t *)nn_tensor_data(y))[i] = (int32_t)(i % b->classes);
    nn_trainer *trainer =
        nn_make_trainer(net, nn_cross_entropy(net, logits, label, NULL),
                        &(nn_trainer_desc){.batch = batch,
                                           .optimizer = b->optimizer,
                                           .learning_rate = 1e-4f,
                                           .momentum = b->optimizer == NN_SGD ? 0.9f : 0.0f});
    nn_bind(nn_trainer_plan(trainer), input, x);
    nn_bind(nn_trainer_plan(trainer), label, y);
    return trainer;
}

static void measure(nn_context *nn, const bench_net *b, double seconds, bool profile) {
    static double samples[MOST_SAMPLES];
    int count = 0;
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = b->name, .seed = 1});
    nn_trainer *trainer = make_trainer(nn, b, net);
    nn_train_on_inputs(trainer);
    if (profile) nn_start_profile(nn_trainer_plan(trainer));
    uint64_t end = now_ns() + (uint64_t)(seconds * 1e9);
    while (count < MOST_SAMPLES && !nn_error(nn) && (count < 3 || now_ns() < end)) {
        uint64_t before = now_ns();
        nn_train_on_inputs(trainer);
        samples[count++] = (double)(now_ns() - before) / 1000;
    }
    qsort(samples, (size_t)count, sizeof samples[0], compare_samples);
    if (count)
        printf("%-24s %10.2f %10.2f %8ld\n", b->name, samples[0], samples[count / 2], peak_kb());
    if (profile) nn_write_profile(nn_trainer_plan(trainer), (nn_writer){nn_write_stdout, NULL});
    fflush(stdout);
    nn_free_model(net);
}

int main(int argc, char **argv) {
    static const bench_net nets[] = {
        {"resnet18_train", {{64, 3, 32, 32}, 4}, 10, NN_SGD, build_resnet},
        {"mobilenet_train", {{32, 3, 64, 64}, 4}, 10, NN_SGD, build_mobilenet},
        {"unet_train", {{16, 1, 64, 64}, 4}, 2, NN_ADAM, build_unet},
        {"lstm_train", {{64, 64, 128}, 3}, 10, NN_ADAM, build_lstm}};
    double seconds = argc > 2 ? atof(argv[2]) : 0.5;
    const char *only = argc > 3 ? argv[3] : "";
    const char *set = getenv("BENCH_SET");
    nn_context *nn =
        nn_open(&(nn_desc){.log = {nn_write_stderr, NULL},
                           .threads = argc > 1 ? atoi(argv[1]) : 1,
                           .instructions = (nn_instruction_set)(set ? atoi(set) : 0)});
    if (!nn) return 1;
    printf("# nn.h %s, %s, %d thread(s): name, minimum us, median us, peak kB\n", NN_VERSION,
           nn_instruction_set_name(nn), nn_thread_count(nn));
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++)
        if (strncmp(nets[i].name, only, strlen(only)) == 0)
            measure(nn, &nets[i], seconds, argc > 4);
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
