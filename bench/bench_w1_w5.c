/* bench/bench_w1_w5.c - how long the library's steps take: the work of bench/pytorch_w1_w5.py.

     bench_w1_w5 [threads [seconds [work [instructions [steps]]]]]
   Default: 1 thread, 0.5 s for each work, all works, 0: the best instruction set. steps: also how
   long every step of the plan takes, with its GFLOP/s.

   W1  training step, conv16 relu pool linear10, 64 x (3, 64, 64), Adam
   W2  training step, conv32 relu conv64 relu pool linear128 relu linear10, 64 x (1, 28, 28), Adam
   W3  training step, MLP 784-256-128-10, batch 64, Adam; with SGD
   W4  MLP 4-64-64-2: batch-1 inference; training step, batch 32
   W5  batch-1 inference of the nets of W1 and W2
   One line for each: name, minimum and median in microseconds, peak resident memory so far in
   kB. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include <stdio.h>
#include <stdlib.h>

#include "steps.h"

enum { MOST_SAMPLES = 4096 };

typedef enum net_kind { NET_W1, NET_W2, NET_W3, NET_W4 } net_kind;

typedef struct bench {
    nn_context *nn;
    nn_model *net;
    nn_node *image, *label, *logits, *loss;
    int batch;
    net_kind kind;
} bench;

/* Returns the time of the library's own clock, so that this program needs no POSIX. */
static uint64_t now_ns(void) {
    static nn_clock clock;
    if (!clock.now) nn__clock_init(&clock);
    return nn__now(&clock);
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

static nn_node *mlp(nn_model *net, nn_node *x, int a, int b, int c) {
    x = nn_relu(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = a}));
    x = nn_relu(net, nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = b}));
    return nn_linear(net, "fc3", x, &(nn_linear_desc){.out_features = c});
}

static bench describe(nn_context *nn, net_kind kind, int batch) {
    bench b = {.nn = nn,
               .batch = batch,
               .kind = kind,
               .net = nn_make_model(nn, &(nn_model_desc){.seed = 1})};
    nn_node *x;
    nn_shape shapes[] = {NN_SHAPE(NN_BATCH, 3, 64, 64), NN_SHAPE(NN_BATCH, 1, 28, 28),
                         NN_SHAPE(NN_BATCH, 784), NN_SHAPE(NN_BATCH, 4)};
    b.image = nn_input(b.net, "image", NN_F32, shapes[kind]);
    b.label = nn_input(b.net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    x = b.image;
    if (kind == NET_W1) {
        x = nn_relu(b.net,
                    nn_conv2d(b.net, "conv1", x,
                              &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1}));
        x = nn_max_pool2d(b.net, x, &(nn_pool2d_desc){.kernel = 2});
        b.logits =
            nn_linear(b.net, "fc", nn_flatten(b.net, x), &(nn_linear_desc){.out_features = 10});
    } else if (kind == NET_W2) {
        x = nn_relu(b.net,
                    nn_conv2d(b.net, "conv1", x,
                              &(nn_conv2d_desc){.out_channels = 32, .kernel = 3, .padding = 1}));
        x = nn_relu(b.net,
                    nn_conv2d(b.net, "conv2", x,
                              &(nn_conv2d_desc){.out_channels = 64, .kernel = 3, .padding = 1}));
        x = nn_max_pool2d(b.net, x, &(nn_pool2d_desc){.kernel = 2});
        x = nn_relu(b.net, nn_linear(b.net, "fc1", nn_flatten(b.net, x),
                                     &(nn_linear_desc){.out_features = 128}));
        b.logits = nn_linear(b.net, "fc2", x, &(nn_linear_desc){.out_features = 10});
    } else if (kind == NET_W3)
        b.logits = mlp(b.net, x, 256, 128, 10);
    else
        b.logits = mlp(b.net, x, 64, 64, 2);
    b.loss = nn_cross_entropy(b.net, b.logits, b.label, NULL);
    return b;
}

/* Inputs are bound tensors: nothing is copied in the timed part, as in PyTorch's. */
static void bind_inputs(bench *b, nn_plan *plan, bool with_label) {
    nn_shape shape = nn_node_shape(b->image);
    nn_tensor *image, *label;
    int classes = nn_node_shape(b->logits).extent[1];
    uint32_t words[4];
    shape.extent[0] = b->batch;
    image = nn_make_tensor(b->nn, &(nn_tensor_desc){.name = "image", .shape = shape});
    for (int64_t i = 0; i < nn_shape_count(shape); i++) {
        nn_random_words(1, 0, (uint64_t)i, words);
        ((float *)nn_tensor_data(image))[i] = nn_word_to_uniform(words[0]) - 0.5f;
    }
    nn_bind(plan, b->image, image);
    if (!with_label) return;
    label = nn_make_tensor(
        b->nn, &(nn_tensor_desc){.name = "label", .shape = NN_SHAPE(b->batch), .dtype = NN_I32});
    for (int i = 0; i < b->batch; i++) ((int32_t *)nn_tensor_data(label))[i] = i % classes;
    nn_bind(plan, b->label, label);
}

static int compare_samples(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

typedef void (*work_function)(void *state);

/* Takes samples of `inner` calls each until the time is up. */
static void measure(const char *name, work_function work, void *state, int inner, double seconds) {
    static double samples[MOST_SAMPLES];
    int count = 0;
    uint64_t start = now_ns(), end = start + (uint64_t)(seconds * 1e9);
    while (now_ns() < start + (uint64_t)(seconds * 0.2e9)) work(state);
    while (count < MOST_SAMPLES && (count < 5 || now_ns() < end)) {
        uint64_t before = now_ns();
        for (int i = 0; i < inner; i++) work(state);
        samples[count++] = (double)(now_ns() - before) / 1000 / inner;
    }
    qsort(samples, (size_t)count, sizeof samples[0], compare_samples);
    printf("%-24s %10.2f %10.2f %8ld\n", name, samples[0], samples[count / 2], peak_kb());
    fflush(stdout);
}

static bool show_steps;

static void train_once(void *trainer) { nn_train_on_inputs((nn_trainer *)trainer); }
static void run_once(void *plan) { nn_run((nn_plan *)plan); }

static void measure_training(nn_context *nn, const char *name, net_kind kind, int batch,
                             nn_optimizer optimizer, int inner, double seconds) {
    bench b = describe(nn, kind, batch);
    nn_trainer *trainer =
        nn_make_trainer(b.net, b.loss,
                        &(nn_trainer_desc){.batch = batch,
                                           .optimizer = optimizer,
                                           .learning_rate = 1e-4f,
                                           .momentum = optimizer == NN_SGD ? 0.9f : 0.0f});
    bind_inputs(&b, nn_trainer_plan(trainer), true);
    measure(name, train_once, trainer, inner, seconds);
    if (show_steps) measure_steps(nn_trainer_plan(trainer), seconds);
    nn_free_model(b.net);
}

typedef struct round_trip {
    bench b;
    nn_plan *plan;
    float in[4], out[2];
} round_trip;

static void run_round_trip(void *state) {
    round_trip *r = (round_trip *)state;
    nn_upload(r->plan, r->b.image, r->in, sizeof r->in);
    nn_run(r->plan);
    nn_download(r->plan, r->b.logits, r->out, sizeof r->out);
}

static void measure_inference(nn_context *nn, const char *name, net_kind kind, int inner,
                              double seconds) {
    bench b = describe(nn, kind, 1);
    nn_plan *plan = nn_make_plan(b.net, &(nn_plan_desc){.outputs = NN_NODES(b.logits), .batch = 1});
    bind_inputs(&b, plan, false);
    measure(name, run_once, plan, inner, seconds);
    if (show_steps) measure_steps(plan, seconds);
    nn_free_model(b.net);
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    double seconds = argc > 2 ? atof(argv[2]) : 0.5;
    const char *only = argc > 3 ? argv[3] : "";
    nn_instruction_set set = argc > 4 ? (nn_instruction_set)atoi(argv[4]) : NN_INSTRUCTIONS_DEFAULT;
    nn_context *nn = nn_open(
        &(nn_desc){.log = {nn_write_stderr, NULL}, .threads = threads, .instructions = set});
    if (!nn) return 1;
    show_steps = argc > 5;
    printf("# nn.h %s, %s, %d thread%s: name, minimum us, median us, peak kB\n", NN_VERSION,
           nn_instruction_set_name(nn), nn_thread_count(nn), nn_thread_count(nn) == 1 ? "" : "s");
#define WANTED(name) (strncmp(name, only, strlen(only)) == 0)
    if (WANTED("W1_train")) measure_training(nn, "W1_train", NET_W1, 64, NN_ADAM, 1, seconds);
    if (WANTED("W2_train")) measure_training(nn, "W2_train", NET_W2, 64, NN_ADAM, 1, seconds);
    if (WANTED("W3_train_adam"))
        measure_training(nn, "W3_train_adam", NET_W3, 64, NN_ADAM, 1, seconds);
    if (WANTED("W3_train_sgd"))
        measure_training(nn, "W3_train_sgd", NET_W3, 64, NN_SGD, 1, seconds);
    if (WANTED("W4_infer")) measure_inference(nn, "W4_infer", NET_W4, 50, seconds);
    if (WANTED("W4_train_adam"))
        measure_training(nn, "W4_train_adam", NET_W4, 32, NN_ADAM, 10, seconds);
    if (WANTED("W4_train_sgd"))
        measure_training(nn, "W4_train_sgd", NET_W4, 32, NN_SGD, 10, seconds);
    if (WANTED("W5_infer_w1")) measure_inference(nn, "W5_infer_w1", NET_W1, 5, seconds);
    if (WANTED("W5_infer_w2")) measure_inference(nn, "W5_infer_w2", NET_W2, 2, seconds);
    /* the same with upload and download, which the bound input above avoids */
    if (WANTED("W4_round_trip")) {
        round_trip r = {.b = describe(nn, NET_W4, 1)};
        r.plan =
            nn_make_plan(r.b.net, &(nn_plan_desc){.outputs = NN_NODES(r.b.logits), .batch = 1});
        measure("W4_round_trip", run_round_trip, &r, 50, seconds);
        nn_free_model(r.b.net);
    }
    nn_close(nn);
    return 0;
}
