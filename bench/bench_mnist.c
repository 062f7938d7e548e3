/* bench/bench_mnist.c - how long it takes to learn digits: the work of bench/pytorch_mnist.py.

     bench_mnist FOLDER [threads [seeds [epochs [rate]]]]
   Default: 1 thread, 8 seeds, 5 epochs, rate 0.006. FOLDER has the four files of MNIST, unpacked;
   without it nothing is measured, and a message says so.

   conv32 relu pool conv64 relu pool linear128 relu linear10, both convolutions 3x3; Adam, batch 64,
   one cycle over the epochs; pictures shifted by at most 2 pixels. After each epoch the test digits
   are classified. A line for each seed: seconds from the first step to the end of the evaluation
   that is the first to reach 98.5 % (-: none did), of all epochs, and the last accuracy; then the
   mean of the seconds over the seeds, with the time of all epochs for those that did not reach it. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 64 };
static const double wanted = 0.985;

/* Returns the time of the library's own clock, so that this program needs no POSIX. */
static double now_seconds(void) {
    static nn_clock clock;
    if (!clock.now) nn__clock_init(&clock);
    return (double)nn__now(&clock) / 1e9;
}

static nn_dataset *digits(nn_context *nn, const char *folder, const char *part) {
    char path[2][512];
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof path[i], "%s/%s-%s-ubyte", folder, part,
                 i ? "labels-idx1" : "images-idx3");
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(path[i], "rb");
        if (!file) return NULL;
        fclose(file);
    }
    return nn_make_idx_dataset(nn, path[0], path[1]);
}

static nn_node *layer(nn_model *net, const char *name, nn_node *x, int channels) {
    const nn_conv2d_desc desc = {.out_channels = channels, .kernel = 3, .padding = 1};
    x = nn_relu(net, nn_conv2d(net, name, x, &desc));
    return nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 2});
}

static nn_trainer *make_trainer(nn_model *net, int64_t steps, float rate) {
    nn_node *x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    x = nn_flatten(net, layer(net, "conv2", layer(net, "conv1", x, 32), 64));
    x = nn_relu(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = 128}));
    x = nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = 10});
    return nn_make_trainer(
        net, nn_cross_entropy(net, x, label, NULL),
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .learning_rate = rate,
                           .schedule = {.kind = NN_SCHEDULE_ONE_CYCLE, .steps = steps},
                           .metrics = NN_NODES(nn_accuracy(net, x, label))});
}

/* Returns the seconds to the wanted accuracy, or of all epochs; below 0: an error. */
static double learn(nn_context *nn, nn_dataset *train, nn_dataset *test, uint64_t seed, int epochs,
                    float rate) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = seed});
    nn_loader *pictures = nn_make_loader(
        nn, &(nn_loader_desc){.dataset = train, .batch = BATCH, .shuffle = true, .seed = seed,
                              .augment = &(nn_augment_desc){.padding = 2, .crop = 28}});
    nn_loader *questions = nn_make_loader(nn, &(nn_loader_desc){.dataset = test, .batch = BATCH});
    nn_trainer *trainer = make_trainer(net, epochs * nn_batches_per_epoch(pictures), rate);
    nn_report report = {0};
    double reached = -1, start = now_seconds();
    for (int epoch = 0; epoch < epochs; epoch++) {
        while (nn_next_batch(pictures)) nn_train_step(trainer, pictures);
        nn_evaluate(trainer, questions, &report);
        if (reached < 0 && report.metrics[0] >= wanted) reached = now_seconds() - start;
    }
    const double all = now_seconds() - start;
    char text[32] = "-";
    if (reached >= 0) snprintf(text, sizeof text, "%.3f", reached);
    printf("seed %llu: %s s to 98.5 %%, %.3f s in all, %.1f %%\n", (unsigned long long)seed, text,
           all, 100 * report.metrics[0]);
    fflush(stdout);
    nn_free_model(net);
    nn_free_loader(pictures);
    nn_free_loader(questions);
    return nn_error(nn) ? -1 : reached >= 0 ? reached : all;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        printf("skipped: bench_mnist FOLDER [threads [seeds [epochs [rate]]]]\n");
        return 0;
    }
    const int seeds = argc > 3 ? atoi(argv[3]) : 8, epochs = argc > 4 ? atoi(argv[4]) : 5;
    const float rate = argc > 5 ? (float)atof(argv[5]) : 0.006f;
    nn_context *nn = nn_open(
        &(nn_desc){.log = {nn_write_stderr, NULL}, .threads = argc > 2 ? atoi(argv[2]) : 1});
    nn_dataset *train = digits(nn, argv[1], "train"), *test = digits(nn, argv[1], "t10k");
    double sum = 0;
    bool good = true;
    if (!train || !test) {
        printf("skipped: %s lacks the files of MNIST\n", argv[1]);
        nn_close(nn);
        return 0;
    }
    for (int seed = 1; seed <= seeds && good; seed++) {
        const double took = learn(nn, train, test, (uint64_t)seed, epochs, rate);
        good = took >= 0;
        sum += took;
    }
    if (good) printf("mean %.3f s\n", sum / seeds);
    nn_close(nn);
    return good ? 0 : 1;
}
