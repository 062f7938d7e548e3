/* bench/bench_loader.c - measures whether a loader delivers data fast enough for the step. Three
   tables:

   1. The time of an epoch whose samples come from a function that sleeps as long as the step
      takes, for some numbers of workers, divided by the time of the data alone or of the steps
      alone, whichever is larger: 1.0 is perfect, 2.0 is one after the other.
   2. Gathering and converting pictures of bytes from an array: GB/s of numbers written.
   3. What a tiny step costs when its batches are at changing addresses, and when they are bound
      anew.

     bench_loader [batches] */
#define NN_IMPLEMENTATION
#include "nn.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
#include <windows.h>
static void sleep_ns(uint64_t ns) { Sleep((DWORD)(ns / 1000000u)); }
#else
#include <poll.h>
static void sleep_ns(uint64_t ns) { poll(NULL, 0, (int)(ns / 1000000u)); }
#endif

enum { WIDTH = 784, CLASSES = 10, BATCH = 16 };

/* Returns the time of the library's own clock, so that this program needs no POSIX. */
static uint64_t now_ns(void) {
    static nn_clock clock;
    if (!clock.now) nn__clock_init(&clock);
    return nn__now(&clock);
}

typedef struct slow {
    uint64_t ns; /* a sample */
} slow;

static nn_result get_slowly(void *user, int32_t sample, void *const *to) {
    sleep_ns(((slow *)user)->ns);
    memset(to[0], sample, WIDTH);
    *(int32_t *)to[1] = sample % CLASSES;
    return NN_OK;
}

typedef struct job {
    nn_model *net;
    nn_trainer *trainer;
} job;

static job describe(nn_context *nn, int hidden, int layers) {
    job j = {.net = nn_make_model(nn, &(nn_model_desc){.seed = 1})};
    nn_node *x = nn_input(j.net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    nn_node *label = nn_input(j.net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    char name[16];
    for (int i = 0; i < layers; i++) {
        snprintf(name, sizeof name, "fc%d", i);
        x = nn_relu(j.net, nn_linear(j.net, name, x, &(nn_linear_desc){.out_features = hidden}));
    }
    x = nn_linear(j.net, "last", x, &(nn_linear_desc){.out_features = CLASSES});
    j.trainer = nn_make_trainer(j.net, nn_cross_entropy(j.net, x, label, NULL),
                                &(nn_trainer_desc){.batch = BATCH});
    return j;
}

static nn_loader *load(nn_context *nn, nn_dataset *dataset, int workers, int prefetch) {
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset,
                                                .batch = BATCH,
                                                .shuffle = true,
                                                .workers = workers,
                                                .prefetch = prefetch});
}

static double epoch_seconds(nn_loader *loader, nn_trainer *trainer) {
    uint64_t start = now_ns();
    while (nn_next_batch(loader))
        if (trainer) nn_train_step(trainer, loader);
    return (double)(now_ns() - start) * 1e-9;
}

static nn_dataset *bytes_dataset(nn_context *nn, int32_t count, void *data, int32_t *labels,
                                 slow *function) {
    return nn_make_dataset(
        nn, &(nn_dataset_desc){.count = count,
                               .get = function ? get_slowly : NULL,
                               .user = function,
                               .fields = NN_FIELDS({.name = "x",
                                           .shape = NN_SHAPE(WIDTH),
                                           .data = data,
                                           .data_dtype = NN_U8,
                                           .scale = 1.0f / 255},
                                          {.name = "label", .dtype = NN_I32, .data = labels})});
}

static void table_of_epochs(nn_context *nn, int batches, uint8_t *data, int32_t *labels) {
    static const int workers[] = {0, 1, 2, 4, 8};
    job j = describe(nn, 2048, 3);
    nn_loader *plain = load(nn, bytes_dataset(nn, batches * BATCH, data, labels, NULL), 0, 0);
    slow function;
    double step;
    epoch_seconds(plain, j.trainer);
    step = epoch_seconds(plain, j.trainer) / batches;
    function.ns = (uint64_t)(step * 1e9 / BATCH) / 1000000u * 1000000u;
    if (function.ns == 0) function.ns = 1000000u;
    printf(
        "epoch of %d batches of %d; a step takes %.2f ms, the function sleeps %.0f ms a sample\n",
        batches, BATCH, step * 1e3, (double)function.ns * 1e-6);
    printf("%8s %10s %10s %10s %8s %10s\n", "workers", "data s", "steps s", "epoch s", "ratio",
           "waited s");
    for (int i = 0; i < 5; i++) {
        nn_loader *loader =
            load(nn, bytes_dataset(nn, batches * BATCH, NULL, NULL, &function), workers[i], 0);
        double alone = epoch_seconds(loader, NULL), both, steps, larger;
        nn_loader_use before = nn_loader_counters(loader), after;
        both = epoch_seconds(loader, j.trainer);
        after = nn_loader_counters(loader);
        steps = epoch_seconds(plain, j.trainer);
        larger = alone > steps ? alone : steps;
        printf("%8d %10.3f %10.3f %10.3f %8.2f %10.3f\n", workers[i], alone, steps, both,
               both / larger, (double)(after.wait_ns - before.wait_ns) * 1e-9);
        nn_free_loader(loader);
    }
}

static void table_of_gathering(nn_context *nn, int32_t count, uint8_t *data, int32_t *labels) {
    nn_dataset *dataset = bytes_dataset(nn, count, data, labels, NULL);
    printf("\ngathering %d pictures of %d bytes into f32\n%8s %10s\n", (int)count, WIDTH, "workers",
           "GB/s");
    for (int workers = 0; workers <= 4; workers = workers ? workers * 2 : 1) {
        nn_loader *loader = load(nn, dataset, workers, 0);
        double best = 1e9;
        for (int i = 0; i < 5; i++) {
            double seconds = epoch_seconds(loader, NULL);
            if (seconds < best) best = seconds;
        }
        printf("%8d %10.2f\n", workers, (double)count * (WIDTH * 4 + 4) / best * 1e-9);
        nn_free_loader(loader);
    }
}

static double tiny_step(nn_context *nn, nn_dataset *dataset, int layers, int prefetch, bool anew) {
    job j = describe(nn, 16, layers);
    nn_loader *loader = load(nn, dataset, 0, prefetch);
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        uint64_t start = now_ns(), steps = 0;
        for (; nn_next_batch(loader); steps++) {
            /* a changed batch size lowers and prepares everything again */
            if (anew) {
                nn_plan *plan = nn_trainer_plan(j.trainer);
                plan->lowered = false;
            }
            nn_train_step(j.trainer, loader);
        }
        double step = (double)(now_ns() - start) * 1e-3 / (double)steps;
        if (step < best) best = step;
    }
    nn_free_model(j.net);
    nn_free_loader(loader);
    return best;
}

static void table_of_places(nn_context *nn, int32_t count, uint8_t *data, int32_t *labels) {
    nn_dataset *dataset = bytes_dataset(nn, count, data, labels, NULL);
    printf("\nmicroseconds of a tiny step\n%8s %12s %12s %12s\n", "layers", "one place", "three",
           "bound anew");
    for (int layers = 2; layers <= 32; layers *= 4)
        printf("%8d %12.1f %12.1f %12.1f\n", layers, tiny_step(nn, dataset, layers, 0, false),
               tiny_step(nn, dataset, layers, 2, false), tiny_step(nn, dataset, layers, 2, true));
}

int main(int argc, char **argv) {
    int batches = argc > 1 ? atoi(argv[1]) : 40;
    int32_t count = 4096;
    uint8_t *data = malloc((size_t)count * WIDTH);
    int32_t *labels = malloc((size_t)count * sizeof *labels);
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .log = {nn_write_stderr}});
    if (!data || !labels || !nn || batches < 1 || batches * BATCH > count) return 1;
    for (int32_t i = 0; i < count; i++) labels[i] = i % CLASSES;
    for (int32_t i = 0; i < count * WIDTH; i++) data[i] = (uint8_t)(i * 31 % 251);
    table_of_epochs(nn, batches, data, labels);
    table_of_gathering(nn, count, data, labels);
    table_of_places(nn, count, data, labels);
    nn_close(nn);
    free(data);
    free(labels);
    return 0;
}
