/* tests/group/test_batch_norm_over_all.c - nn_trainer_desc.batch_norm = NN_OVER_ALL: batch norms
   use the statistics of the whole batch, however it is cut. The results are compared with PyTorch's
   for whole batches, and with those of a trainer without shards. Known mistakes of peers: apex#311
   (uneven batches), pytorch#20492 (an empty share hangs or divides by 0), pytorch#36530 (E(x^2) -
   E(x)^2 is a negative variance if the mean is large), pytorch#22192 (running statistics of the
   last rank). */
#ifndef NN_TEST_OPENCL
#define NN_IMPLEMENTATION
#endif
#include "nn_group.h"

#ifdef NN_TEST_OPENCL
#include "nn_opencl.h"
#endif

#include "golden/over_all.h"
#include "inside.h"
#include "open.h"
#include "test.h"

#include <stdlib.h>

enum { BATCH = 12, C = 3, SIDE = 5, WIDE = 6, K = 4, PIXELS = C * SIDE * SIDE };

static float some(int i, int salt) {
    return (float)((i * 7919 + salt * 101 + 13) % 1000) / 500.0f - 1.0f;
}

typedef struct net {
    nn_model *model;
    nn_node *x, *label, *logits;
} net;

/* The net of tests/golden/over_all.py. frozen: its norms are frozen. */
static net describe(nn_context *nn, nn_device device, bool frozen) {
    net n;
    nn_model *m = n.model = nn_make_model(nn, &(nn_model_desc){.name = "net", .device = device});
    const nn_conv2d_desc conv = {.out_channels = WIDE, .kernel = 3, .padding = 1};
    const nn_batch_norm_desc norm = {.frozen = frozen};
    n.x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, C, SIDE, SIDE));
    n.label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_batch_norm2d(m, "b1", nn_conv2d(m, "c1", n.x, &conv), &norm);
    nn_node *first = nn_relu(m, x);
    x = nn_batch_norm2d(m, "b2", nn_conv2d(m, "c2", first, &conv), &norm);
    x = nn_relu(m, nn_add(m, x, first));
    x = nn_linear(m, "f", nn_flatten(m, x), &(nn_linear_desc){.out_features = 8});
    x = nn_batch_norm1d(m, "b3", x, &norm);
    n.logits = nn_linear(m, "g", x, &(nn_linear_desc){.out_features = K});
    return n;
}

static void fill(net n) {
    static const char *const names[] = {"c1.weight", "c1.bias", "b1.weight", "b1.bias",
                                        "c2.weight", "c2.bias", "b2.weight", "b2.bias",
                                        "f.weight",  "f.bias",  "b3.weight", "b3.bias",
                                        "g.weight",  "g.bias"};
    static float numbers[WIDE * SIDE * SIDE * 8];
    for (int salt = 0; salt < 14; salt++) {
        nn_tensor *tensor = nn_find_tensor(n.model, names[salt]);
        const size_t bytes = (size_t)nn_tensor_bytes(tensor);
        const bool flat = strstr(names[salt], "bias") || names[salt][0] == 'b';
        const float scale = flat ? 0.5f : 0.2f;
        const float shift = names[salt][0] == 'b' && strstr(names[salt], "weight") ? 1.0f : 0.0f;
        for (size_t i = 0; i < bytes / sizeof(float); i++)
            numbers[i] = some((int)i, salt) * scale + shift;
        nn_upload_tensor(tensor, numbers, bytes);
    }
}

/* Gives the plan batch `step`, of this number of samples. mean is added to all pixels. */
static void feed(nn_context *nn, nn_trainer *trainer, net n, int step, int samples, float mean,
                 nn_tensor **tensors) {
    static float pixels[BATCH * PIXELS];
    static int32_t labels[BATCH];
    nn_plan *plan = nn_trainer_plan(trainer);
    for (int i = 0; i < samples * PIXELS; i++)
        pixels[i] = some(i, 50 + step) + (float)(i / PIXELS) * 0.1f + mean;
    for (int i = 0; i < samples; i++) labels[i] = i >= 2 && i < 5 ? -1 : (i + step) % K;
    const nn_device device = nn_node_device(n.x);
    nn_tensor *x = nn_make_tensor(
        nn, &(nn_tensor_desc){.device = device, .shape = NN_SHAPE(samples, C, SIDE, SIDE)});
    nn_tensor *y = nn_make_tensor(
        nn,
        &(nn_tensor_desc){.device = device, .dtype = NN_I32, .shape = NN_SHAPE(samples)});
    nn_upload_tensor(x, pixels, sizeof(float) * (size_t)(samples * PIXELS));
    nn_upload_tensor(y, labels, sizeof(int32_t) * (size_t)samples);
    nn_bind(plan, n.x, x);
    if (n.label) nn_bind(plan, n.label, y);
    for (int i = 0; i < 2; i++) nn_free_tensor(tensors[i]);
    tensors[0] = x;
    tensors[1] = y;
}

typedef enum loss_kind { IGNORED, PLAIN, SUMMED, WEIGHTED, LOSSES } loss_kind;

static nn_node *loss_of(nn_context *nn, net n, loss_kind kind) {
    static const float weights[K] = {0.5f, 0, 2, 1};
    nn_cross_entropy_desc desc = {.ignore = true, .ignore_index = -1};
    if (kind == SUMMED) desc.reduction = NN_SUM;
    if (kind == WEIGHTED) { /* class 1 has no weight, and neither has a shard with this class
                               alone */
        nn_tensor *w = nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(K)});
        nn_upload_tensor(w, weights, sizeof weights);
        desc.weight = nn_constant(n.model, "w", w);
    }
    if (kind == PLAIN) return nn_mean(n.model, nn_square(n.model, n.logits));
    return nn_cross_entropy(n.model, n.logits, n.label, &desc);
}

typedef struct learnt {
    float losses[3], numbers[4096];
    int count;
} learnt;

static const int sizes[3] = {12, 7, 11};

/* Makes three steps of 12, 7 and 11 samples, and reads everything that the model has afterwards. */
static bool learn(nn_context *nn, nn_device device, loss_kind kind, int shards, float mean,
                  learnt *to) {
    net n = describe(nn, device, false);
    nn_tensor *tensors[2] = {NULL, NULL};
    nn_trainer *trainer =
        nn_make_trainer(n.model, loss_of(nn, n, kind),
                        &(nn_trainer_desc){.batch = BATCH,
                                           .optimizer = NN_SGD,
                                           .learning_rate = kind == SUMMED ? 0.01f : 0.1f,
                                           .momentum = 0.9f,
                                           .shards = shards,
                                           .batch_norm = NN_OVER_ALL});
    fill(n);
    if (kind == PLAIN) n.label = NULL; /* which nothing reads */
    to->count = 0;
    for (int step = 0; step < 3; step++) {
        feed(nn, trainer, n, step, sizes[step], mean, tensors);
        nn_train_on_inputs(trainer);
        nn_read_loss(trainer, &to->losses[step]);
    }
    for (int i = 0; i < nn_model_tensor_count(n.model); i++) {
        nn_tensor *tensor = nn_model_tensor_at(n.model, i);
        const size_t bytes = (size_t)nn_tensor_bytes(tensor);
        if (bytes + (size_t)to->count * sizeof(float) > sizeof to->numbers) return false;
        if (nn_tensor_dtype(tensor) == NN_F32) {
            nn_download_tensor(tensor, to->numbers + to->count, bytes);
            to->count += (int)(bytes / sizeof(float));
        } else {
            int64_t steps = 0;
            nn_download_tensor(tensor, &steps, sizeof steps);
            to->numbers[to->count++] = (float)steps;
        }
    }
    const bool fine = !nn_error(nn);
    if (!fine) test_fail(__FILE__, __LINE__, "loss %d: %s", (int)kind, nn_error(nn));
    nn_clear_error(nn);
    nn_free_model(n.model);
    for (int i = 0; i < 2; i++) nn_free_tensor(tensors[i]);
    return fine;
}

/* ---- PyTorch --------------------------------------------------------------------------------- */

static void check_golden(nn_context *nn, nn_device device, int shards) {
#define ROW(field, golden) {field, golden, sizeof golden / sizeof *golden}
    static const struct {
        const char *name;
        const double *golden;
        size_t count;
    } rows[] = {ROW("b1.weight", golden_b1_weight), ROW("b1.bias", golden_b1_bias),
                ROW("c1.weight", golden_c1_weight), ROW("c1.bias", golden_c1_bias),
                ROW("g.weight", golden_g_weight), ROW("b1.running_mean", golden_b1_running_mean),
                ROW("b1.running_var", golden_b1_running_var),
                ROW("b2.running_var", golden_b2_running_var),
                ROW("b3.running_mean", golden_b3_running_mean),
                ROW("b3.running_var", golden_b3_running_var)};
#undef ROW
    net n = describe(nn, device, false);
    nn_tensor *tensors[2] = {NULL, NULL};
    nn_trainer *trainer =
        nn_make_trainer(n.model, loss_of(nn, n, IGNORED),
                        &(nn_trainer_desc){.batch = BATCH,
                                           .learning_rate = 0.1f,
                                           .momentum = 0.9f,
                                           .shards = shards,
                                           .batch_norm = NN_OVER_ALL});
    float have[WIDE * SIDE * SIDE * 8];
    fill(n);
    for (int step = 0; step < 3; step++) {
        float loss = 0;
        feed(nn, trainer, n, step, sizes[step], 0, tensors);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK && nn_read_loss(trainer, &loss) == NN_OK);
        ENSURE_CLOSE(loss, golden_losses[step], 1e-5);
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        nn_download_tensor(nn_find_tensor(n.model, rows[k].name), have,
                           rows[k].count * sizeof(float));
        for (size_t i = 0; i < rows[k].count; i++)
            ENSURE_CLOSE(have[i], rows[k].golden[i], 2e-5 * (1 + fabs(rows[k].golden[i])));
    }
    ENSURE(!nn_error(nn));
    nn_free_model(n.model);
    for (int i = 0; i < 2; i++) nn_free_tensor(tensors[i]);
}

static void test_golden(void) {
    nn_context *nn = nn_open(NULL);
    for (int shards = 2; shards <= 8; shards *= 2) check_golden(nn, nn_cpu(), shards);
    nn_close(nn);
}

/* ---- a trainer without shards ---------------------------------------------------------------- */

static void close_to(const learnt *a, const learnt *b, double most, const char *what) {
    ENSURE(a->count == b->count && a->count > 1000);
    for (int i = 0; i < 3; i++)
        if (fabs(a->losses[i] - b->losses[i]) > most * (1 + fabs(a->losses[i])))
            test_fail(__FILE__, __LINE__, "%s: loss %d: %.9g, %.9g", what, i, a->losses[i],
                      b->losses[i]);
    for (int i = 0; i < a->count; i++)
        if (!(fabs(a->numbers[i] - b->numbers[i]) <= most * (1 + fabs(a->numbers[i]))))
            test_fail(__FILE__, __LINE__, "%s: number %d: %.9g, %.9g", what, i, a->numbers[i],
                      b->numbers[i]);
}

/* 16 shards of 12 samples: some are empty, the others have one sample each, of which b3 has one
   number for each channel. */
static void test_as_one_batch(void) {
    static const char *const names[LOSSES] = {"ignored", "plain", "summed", "weighted"};
    static learnt whole, cut;
    nn_context *nn = nn_open(NULL);
    for (int kind = 0; kind < LOSSES; kind++) {
        ENSURE(learn(nn, nn_cpu(), (loss_kind)kind, 1, 0, &whole));
        for (int shards = 4; shards <= 16; shards *= 4) {
            ENSURE(learn(nn, nn_cpu(), (loss_kind)kind, shards, 0, &cut));
            close_to(&whole, &cut, 1e-5, names[kind]);
        }
    }
    /* a mean far from 0: the normalised values are as before; the gradients of the convolution,
       where sums near 0 meet inputs of 1000, are only rounding errors */
    ENSURE(learn(nn, nn_cpu(), IGNORED, 1, 1000, &whole));
    ENSURE(learn(nn, nn_cpu(), IGNORED, 8, 1000, &cut));
    ENSURE_CLOSE(whole.losses[0], cut.losses[0], 1e-3);
    nn_close(nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void refused(nn_context *nn, nn_model *model, nn_node *loss, const nn_trainer_desc *desc,
                    const char *text) {
    nn_trainer *trainer = nn_make_trainer(model, loss, desc);
    if (trainer || !nn_error(nn) || !strstr(nn_error(nn), text))
        test_fail(__FILE__, __LINE__, "wanted \"%s\": %s", text,
                  trainer ? "made" : nn_error(nn) ? nn_error(nn) : "no error");
    nn_clear_error(nn);
}

static void test_mistakes(void) {
    nn_context *nn = nn_open(NULL);
    nn_trainer_desc desc = {.batch = BATCH, .shards = 4, .batch_norm = (nn_batch_norm_over)7};
    net n = describe(nn, nn_cpu(), false);
    refused(nn, n.model, loss_of(nn, n, IGNORED), &desc,
            "batch_norm is 7; wanted NN_PER_SHARD or NN_OVER_ALL");
    desc.batch_norm = NN_OVER_ALL;
    desc.counted = nn_sum(n.model, nn_square(n.model, n.logits));
    refused(nn, n.model, loss_of(nn, n, IGNORED), &desc, "which may be 0 in a shard");
    desc.counted = NULL;
    net frozen = describe(nn, nn_cpu(), true);
    refused(nn, frozen.model, loss_of(nn, frozen, IGNORED), &desc,
            "but \"net\" has no batch norm that takes the statistics of a batch");
    /* without shards there is nothing to do */
    desc.shards = 1;
    ENSURE(nn_make_trainer(frozen.model, loss_of(nn, frozen, IGNORED), &desc));
    nn_free_model(frozen.model);
    /* a dry run reports its memory; a single sample has no variance, so nothing changes */
    nn_tensor *tensors[2] = {NULL, NULL};
    nn_node *loss = loss_of(nn, n, IGNORED);
    float before[8], after[8];
    desc.shards = 4;
    desc.dry_run = true;
    nn_trainer *dry = nn_make_trainer(n.model, loss, &desc);
    ENSURE(dry && nn_plan_allocated(nn_trainer_plan(dry), nn_cpu()) > 0);
    nn_free_trainer(dry);
    desc.dry_run = false;
    nn_trainer *trainer = nn_make_trainer(n.model, loss, &desc);
    fill(n);
    feed(nn, trainer, n, 0, 1, 0, tensors);
    nn_download_tensor(nn_find_tensor(n.model, "b3.running_var"), before, sizeof before);
    ENSURE(nn_train_on_inputs(trainer) == NN_ERROR_SHAPE && nn_trainer_step(trainer) == 0);
    ENSURE(strstr(nn_error(nn), "\"b3\" has one number for each channel in the whole batch"));
    nn_clear_error(nn);
    nn_download_tensor(nn_find_tensor(n.model, "b3.running_var"), after, sizeof after);
    ENSURE(memcmp(before, after, sizeof before) == 0);
    /* an infinite input is reported before it gets into the statistics of all shards, until the
       fault is cleared */
    feed(nn, trainer, n, 0, BATCH, (float)INFINITY, tensors);
    ENSURE(nn_train_on_inputs(trainer) == NN_ERROR_NAN);
    ENSURE(strstr(nn_error(nn), "step 1: the input of batch_norm \"b1\" is NaN or infinite"));
    nn_clear_error(nn);
    feed(nn, trainer, n, 0, BATCH, 0, tensors);
    ENSURE(nn_train_on_inputs(trainer) == NN_ERROR_NAN);
    nn_clear_error(nn);
    ENSURE(nn_clear_fault(trainer) == NN_OK && nn_train_on_inputs(trainer) == NN_OK);
    float loss_of_it = 0;
    ENSURE(nn_read_loss(trainer, &loss_of_it) == NN_OK);
    ENSURE_CLOSE(loss_of_it, golden_losses[0], 1e-5);
    ENSURE(!nn_error(nn));
    nn_free_model(n.model);
    for (int i = 0; i < 2; i++) nn_free_tensor(tensors[i]);
    nn_close(nn);
}

static void test_opencl(void) {
#ifdef NN_TEST_OPENCL
    if (!getenv("NN_FULL")) SKIP("NN_FULL=1 runs it");
    nn_context *nn = nn_open(NULL);
    if (OPEN_OPENCL(nn)) check_golden(nn, nn_opencl(0), 4);
    nn_close(nn);
#else
    SKIP("built without OpenCL");
#endif
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_golden);
    RUN(test_as_one_batch);
    RUN(test_mistakes);
    RUN(test_opencl);
    return test_report();
}
