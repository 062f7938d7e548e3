/* tests/train/test_exchange.c - training runs move between PyTorch and this library: the digits net
   with Adam's state, in both directions. Files from PyTorch are stored with the script that made
   them (tests/golden/exchange_pytorch.py). If PyTorch is installed, it also makes them anew at full
   size, and continues from our checkpoint. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include <stdlib.h>

#include "test.h"

#define BATCH 16
#define STEPS 20
#define LARGEST 28

typedef struct run {
    nn_context *nn;
    nn_model *net;
    nn_node *image, *label, *logits;
    nn_trainer *trainer;
    int size;
    float images[BATCH * LARGEST * LARGEST];
    int32_t labels[BATCH];
    float scores[BATCH * 10], losses[STEPS];
} run;

/* Returns a number by the script's formula. */
static uint32_t value(uint32_t seed, uint32_t i) {
    uint32_t h = i * 2654435761u + seed * 40503u + 12345u;
    h ^= h >> 15;
    h *= 2246822519u;
    return h ^ h >> 13;
}

static void make_batch(run *r, int step) {
    const int pixels = r->size * r->size;
    for (int i = 0; i < BATCH * pixels; i++)
        r->images[i] = (float)(value((uint32_t)step, (uint32_t)i) % 256) / 256;
    for (int i = 0; i < BATCH; i++) {
        r->labels[i] = (int32_t)(value((uint32_t)step + 1000, (uint32_t)i) % 10);
        for (int j = 0; j < r->size; j++)
            r->images[i * pixels + r->labels[i] % r->size * r->size + j] += 1;
    }
}

static bool open_run(run *r, int size, int channels) {
    memset(r, 0, sizeof *r);
    r->size = size;
    r->nn = nn_open(NULL);
    r->net = nn_make_model(r->nn, NULL);
    r->image = nn_input(r->net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, size, size));
    r->label = nn_input(r->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_conv2d(r->net, "conv1", r->image,
                           &(nn_conv2d_desc){.out_channels = channels, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(r->net, nn_relu(r->net, x), &(nn_pool2d_desc){.kernel = 2});
    r->logits =
        nn_linear(r->net, "fc", nn_flatten(r->net, x), &(nn_linear_desc){.out_features = 10});
    nn_keep(r->logits);
    nn_node *loss = nn_cross_entropy(r->net, r->logits, r->label, NULL);
    r->trainer = nn_make_trainer(
        r->net, loss,
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 1e-3f});
    return r->trainer != NULL;
}

/* Stores the logits of the next batch before its step, then makes STEPS steps. */
static bool go_on(run *r) {
    nn_plan *plan = nn_trainer_plan(r->trainer);
    const int first = (int)nn_trainer_step(r->trainer);
    const size_t bytes = sizeof(float) * (size_t)(BATCH * r->size * r->size);
    for (int i = 0; i < STEPS; i++) {
        make_batch(r, first + i);
        nn_upload(plan, r->image, r->images, bytes);
        nn_upload(plan, r->label, r->labels, sizeof r->labels);
        nn_train_on_inputs(r->trainer);
        if (i == 0) nn_download(plan, r->logits, r->scores, sizeof r->scores);
        nn_read_loss(r->trainer, &r->losses[i]);
    }
    if (nn_error(r->nn)) printf("%s\n", nn_error(r->nn));
    return nn_error(r->nn) == NULL;
}

static double largest_difference(const float *a, const float *b, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++) {
        double difference = fabs((double)a[i] - (double)b[i]);
        if (difference != difference) return HUGE_VAL;
        if (difference > largest) largest = difference;
    }
    return largest;
}

/* Ensures logits within 1e-5 and losses within 1e-4 of those in a file from PyTorch. */
static void compare(run *r, const char *path) {
    float scores[BATCH * 10], losses[STEPS];
    nn_safetensors *file = nn_open_safetensors(r->nn, path);
    double logits_error, loss_error;
    ENSURE(file);
    ENSURE(nn_read_safetensors(file, nn_safetensors_find(file, "logits"), NN_F32, scores,
                               sizeof scores) == NN_OK);
    ENSURE(nn_read_safetensors(file, nn_safetensors_find(file, "losses"), NN_F32, losses,
                               sizeof losses) == NN_OK);
    logits_error = largest_difference(scores, r->scores, BATCH * 10);
    loss_error = largest_difference(losses, r->losses, STEPS);
    printf("%s: logits differ by at most %.1e, %d losses by %.1e\n", path, logits_error, STEPS,
           loss_error);
    ENSURE(losses[STEPS - 1] < losses[0]);
    ENSURE(logits_error <= 1e-5 && loss_error <= 1e-4);
}

/* ---- from PyTorch ---------------------------------------------------------------------------- */

static void from_pytorch(const char *folder, int size, int channels) {
    char path[256];
    run r;
    ENSURE(open_run(&r, size, channels));
    snprintf(path, sizeof path, "%s/exchange_checkpoint.safetensors", folder);
    if (nn_load_checkpoint(r.trainer, path, NULL) != NN_OK) printf("%s\n", nn_error(r.nn));
    ENSURE(nn_error(r.nn) == NULL && nn_trainer_step(r.trainer) == STEPS);
    ENSURE(go_on(&r));
    snprintf(path, sizeof path, "%s/exchange_expected.safetensors", folder);
    compare(&r, path);
    nn_close(r.nn);
}
static void kept_files(void) { from_pytorch("tests/golden", 8, 4); }

/* Without Adam's state the losses differ, and the comparison notices. */
static void state_matters(void) {
    run r, bare;
    ENSURE(open_run(&r, 8, 4) && open_run(&bare, 8, 4));
    ENSURE(nn_load_checkpoint(r.trainer, "tests/golden/exchange_checkpoint.safetensors", NULL) ==
           NN_OK);
    ENSURE(nn_load_weights(bare.net, "tests/golden/exchange_checkpoint.safetensors", NULL) ==
           NN_OK);
    ENSURE(go_on(&r) && go_on(&bare));
    ENSURE(largest_difference(r.losses, bare.losses, STEPS) > 1e-3);
    nn_close(r.nn);
    nn_close(bare.nn);
}

/* ---- both ways, with an installed PyTorch ---------------------------------------------------- */

static const char *python(void) {
#ifndef _WIN32
    const char *name = getenv("PYTHON") ? getenv("PYTHON") : "/usr/bin/python3";
    char command[512];
    snprintf(command, sizeof command, "%s -c 'import torch' 2> /dev/null", name);
    if (system(command) == 0) return name;
#endif
    return NULL;
}

static bool run_python(const char *name, const char *mode) {
    char command[512];
    snprintf(command, sizeof command, "%s tests/golden/exchange_pytorch.py %s . 28 16", name, mode);
    return system(command) == 0;
}

static void there_and_back(void) {
    static const char *const files[] = {"exchange_checkpoint.safetensors",
                                        "exchange_expected.safetensors",
                                        "exchange_ours.safetensors", "exchange_theirs.safetensors"};
    const char *name = python();
    run r;
    if (!name) SKIP("no PyTorch here (python3-torch)");
    ENSURE(run_python(name, "make"));
    from_pytorch(".", 28, 16);
    ENSURE(open_run(&r, 28, 16));
    ENSURE(go_on(&r) && nn_save_checkpoint(r.trainer, "exchange_ours.safetensors", NULL) == NN_OK);
    ENSURE(run_python(name, "go_on"));
    ENSURE(go_on(&r));
    compare(&r, "exchange_theirs.safetensors");
    nn_close(r.nn);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) remove(files[i]);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(kept_files);
    RUN(state_matters);
    RUN(there_and_back);
    return test_report();
}
