/* test_opencl_training.c: compares whole training runs on every open OpenCL device with the CPU:
   losses, the ledger, faults inside a step, moves, repeated runs, slices, dropout, files, and
   closing in the middle. test_backends.c tests single kernels, test_opencl.c the driver's faults.

   Runs itself as a child if the environment must differ, and prints the results:
     ./test_opencl_training --child two      a model over opencl:0 and opencl:1
     ./test_opencl_training --child tiny     every kernel of training on a tiny net, for
                                             tests/opencl/oclgrind.sh */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* popen */
#endif
#if !defined(NN_TEST_OPENCL) && !defined(NN_OPENCL_DYNAMIC)
#define NN_OPENCL_DYNAMIC /* by default the build does not link OpenCL */
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include "memory_files.h"
#include "test.h"

#include "opencl_as_gpu.h"
#include "lists.h"

#include <stdlib.h>

#define AT(line) nn_make_site("train.c", line)

static const char *self;
static nn_context *nn; /* one for all tests, so that each program is built once */
static nn_device there; /* the device under test */
static memory_disk disk;

static nn_context *open_all(void) {
    nn_desc desc;
    nn_opencl_desc opencl;
    nn_context *opened;
    memset(&desc, 0, sizeof desc);
    memset(&opencl, 0, sizeof opencl);
    desc.files = memory_files(&disk);
    opencl.cache_folder = "";
    opened = nn_open(&desc);
    if (opened && nn_opencl_open(opened, &opencl) == NN_OK) return opened;
    nn_close(opened);
    return NULL;
}

/* Every test begins with this macro, which clears the error and the ledger of the test before. */
#define BEGIN                                                                                      \
    do {                                                                                           \
        if (!nn) SKIP("no OpenCL device here");                                                    \
        nn_clear_error(nn);                                                                        \
        nn_ledger_limit(nn, (const nn_ledger_limits *)NULL);                                       \
        nn_reset_ledger(nn);                                                                       \
    } while (0)

/* ---- a net and its data ---------------------------------------------------------------------- */

enum {
    SAMPLES = 1040,
    SIDE = 12,
    PIXELS = SIDE * SIDE,
    CLASSES = 8,
    BATCH = 32,
    CHANNELS = 8,
    WEIGHTS = 4096
};

static float images[SAMPLES * PIXELS];
static int32_t labels[SAMPLES];

/* Draws images of a bright spot whose position is the class. Because of the noise, a net cannot
   learn every sample. */
static void draw_data(void) {
    uint32_t words[4];
    int i, j;
    for (i = 0; i < SAMPLES; i++) {
        nn_random_words(5, 2, (uint64_t)i, words);
        labels[i] = (int32_t)(words[0] % CLASSES);
        for (j = 0; j < PIXELS; j++) {
            int row = j / SIDE, column = j % SIDE;
            int near_spot = row / 3 == labels[i] / 2 && column / 6 == labels[i] % 2;
            nn_random_words(5, 3, (uint64_t)(i * PIXELS + j), words);
            images[i * PIXELS + j] =
                2.0f * nn_word_to_uniform(words[0]) - 1.0f + (near_spot ? 0.5f : 0.0f);
        }
    }
}

typedef struct choice {
    nn_device device;
    nn_optimizer optimizer;
    float rate, momentum, max_norm, dropout;
    int samples; /* default: 1024, 32 whole batches */
    nn_on_unsupported on_unsupported;
    bool weighted; /* the loss has class weights: a constant of the model */
} choice;

typedef struct task {
    nn_model *net;
    nn_node *image, *label, *logits, *loss, *accuracy, *dropped;
    nn_dataset *dataset;
    nn_loader *loader;
    nn_trainer *trainer;
} task;

static choice adam_on(nn_device device) {
    choice c;
    memset(&c, 0, sizeof c);
    c.device = device;
    c.optimizer = NN_ADAM;
    c.rate = 1e-3f;
    return c;
}

static nn_loader *make_loader(nn_context *open, nn_dataset *dataset, nn_device device) {
    nn_loader_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dataset = dataset;
    desc.batch = BATCH;
    desc.shuffle = true;
    desc.seed = 11;
    desc.device = device;
    return nn_make_loader(open, &desc);
}

static nn_dataset *make_dataset(nn_context *open, int samples) {
    nn_dataset_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.count = samples;
    FIELD_AT(desc.fields, 0).name = "image";
    FIELD_AT(desc.fields, 0).shape = NN_SHAPE(1, SIDE, SIDE);
    FIELD_AT(desc.fields, 0).data = images;
    FIELD_AT(desc.fields, 1).name = "label";
    FIELD_AT(desc.fields, 1).dtype = NN_I32;
    FIELD_AT(desc.fields, 1).data = labels;
    return nn_make_dataset(open, &desc);
}

static bool describe_in(nn_context *open, task *t, choice c) {
    nn_model_desc model;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_cross_entropy_desc entropy;
    nn_node *x;
    static float weights[CLASSES] = {1, 2, 1, 0.5f, 1, 1.5f, 1, 1};
    memset(t, 0, sizeof *t);
    memset(&entropy, 0, sizeof entropy);
    memset(&model, 0, sizeof model);
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    model.name = "cnn";
    model.device = c.device;
    model.seed = 3;
    conv.out_channels = CHANNELS;
    conv.kernel = 3;
    conv.padding = 1;
    pool.kernel = 2;
    layer.out_features = CLASSES;
    t->net = nn_make_model(open, &model);
    t->image = nn_input(t->net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, SIDE, SIDE));
    t->label = nn_input(t->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    x = nn_relu(t->net, nn_conv2d(t->net, "conv", t->image, &conv));
    x = nn_flatten(t->net, nn_max_pool2d(t->net, x, &pool));
    if (c.dropout > 0) x = t->dropped = nn_keep(nn_dropout(t->net, x, c.dropout));
    t->logits = nn_linear(t->net, "fc", x, &layer);
    if (c.weighted)
        entropy.weight =
            nn_constant(t->net, "weights", nn_wrap(open, "w", NN_F32, NN_SHAPE(CLASSES), weights));
    t->loss = nn_cross_entropy(t->net, t->logits, t->label, &entropy);
    t->accuracy = nn_accuracy(t->net, t->logits, t->label);
    t->dataset = make_dataset(open, c.samples > 0 ? c.samples : 1024);
    t->loader = make_loader(open, t->dataset, c.device);
    desc.batch = BATCH;
    desc.optimizer = c.optimizer;
    desc.learning_rate = c.rate;
    desc.momentum = c.momentum;
    desc.max_norm = c.max_norm;
    NODE_AT(desc.metrics, 0) = t->accuracy;
    desc.on_unsupported = c.on_unsupported;
    t->trainer = nn_make_trainer(t->net, t->loss, &desc);
    if (t->trainer && t->loader) return true;
    test_fail(__FILE__, __LINE__, "no trainer: %s",
              nn_error(open) ? nn_error(open) : "without words");
    return false;
}

static bool describe(task *t, choice c) { return describe_in(nn, t, c); }

static void free_task(task *t) {
    nn_free_model(t->net);
    nn_free_loader(t->loader);
    nn_free_dataset(t->dataset);
    memset(t, 0, sizeof *t);
}

/* AT(80) and AT(81) are the lines that the ledger is expected to show. */
static bool next_batch(task *t) {
    return nn_next_batch_at(AT(80), t->loader) || nn_next_batch_at(AT(80), t->loader);
}
static bool step(task *t) {
    return next_batch(t) && nn_train_step_at(AT(81), t->trainer, t->loader) == NN_OK;
}

static int weights_of(nn_model *net, float *to) {
    int i, count = 0;
    for (i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        if (nn_download_tensor(tensor, to + count, (size_t)nn_tensor_bytes(tensor)) != NN_OK)
            return 0;
        count += (int)(nn_tensor_bytes(tensor) / sizeof(float));
    }
    return count;
}

static void no_error(int line) {
    if (nn_error(nn)) test_fail(__FILE__, line, "there was an error: %s", nn_error(nn));
}

/* ---- the same learning as on the CPU --------------------------------------------------------- */

/* Makes `steps` steps on both; returns the largest relative difference of a loss. -1: one of them
   stopped. */
static double worst_difference(task *home, task *away, int steps) {
    double worst = 0;
    int i;
    for (i = 0; i < steps; i++) {
        float a = 0, b = 0;
        if (!step(home) || !step(away)) return -1;
        if (nn_read_loss(home->trainer, &a) != NN_OK || nn_read_loss(away->trainer, &b) != NN_OK)
            return -1;
        if (!(fabs((double)a - (double)b) <= worst * fabs((double)a)))
            worst = fabs((double)a - (double)b) / fabs((double)a);
    }
    return worst;
}

static double worst_weight(task *a, task *b) {
    static float x[WEIGHTS], y[WEIGHTS];
    int i, count = weights_of(a->net, x);
    double worst = 0;
    if (count <= 0 || weights_of(b->net, y) != count) return 1e9;
    for (i = 0; i < count; i++)
        if (!(fabs((double)x[i] - (double)y[i]) <= worst))
            worst = fabs((double)x[i] - (double)y[i]);
    return worst;
}

static void test_learns_like_the_cpu(void) {
    enum { STEPS = 40 };
    task home, away;
    nn_report before, a, b;
    float first[WEIGHTS], second[WEIGHTS];
    double worst;
    int count;
    choice c = adam_on(nn_cpu());
    BEGIN;
    c.samples = 512;
    c.rate = 3e-3f;
    ENSURE(describe(&home, c));
    c.device = there;
    ENSURE(describe(&away, c));
    count = weights_of(home.net, first);
    ENSURE(count == 9 * CHANNELS + CHANNELS + CHANNELS * PIXELS / 4 * CLASSES + CLASSES);
    ENSURE(weights_of(away.net, second) == count &&
           memcmp(first, second, sizeof(float) * (size_t)count) == 0);
    ENSURE(nn_same_device(nn_tensor_device(nn_find_tensor(away.net, "fc.weight")), there));
    ENSURE(nn_evaluate(home.trainer, home.loader, &before) == NN_OK);
    ENSURE(nn_start_epoch(home.loader, 0) == NN_OK);
    worst = worst_difference(&home, &away, STEPS);
    no_error(__LINE__);
    if (!(worst >= 0 && worst < 1e-3)) test_fail(__FILE__, __LINE__, "losses differ by %g", worst);
    ENSURE(nn_read_report(home.trainer, &a) == NN_OK && nn_read_report(away.trainer, &b) == NN_OK);
    ENSURE(a.samples == STEPS * BATCH && b.samples == a.samples && a.step == STEPS && b.step == STEPS);
    ENSURE_CLOSE(b.loss, a.loss, 1e-3 * a.loss);
    ENSURE_CLOSE(b.metrics[0], a.metrics[0], 0.007);
    ENSURE(nn_evaluate(home.trainer, home.loader, &a) == NN_OK &&
           nn_evaluate(away.trainer, away.loader, &b) == NN_OK);
    ENSURE(a.samples == 512 && b.samples == 512);
    ENSURE(a.loss < 0.7 * before.loss && a.metrics[0] > 0.7); /* it did learn */
    ENSURE_CLOSE(b.loss, a.loss, 1e-3 * a.loss);
    ENSURE_CLOSE(b.metrics[0], a.metrics[0], 0.007);
    no_error(__LINE__);
    free_task(&home);
    free_task(&away);
}

static void test_momentum_and_clip(void) {
    task home, away;
    choice c = adam_on(nn_cpu());
    double worst;
    BEGIN;
    c.optimizer = NN_SGD;
    c.rate = 0.02f;
    c.momentum = 0.9f;
    c.max_norm = 0.5f; /* gradients of the first steps are larger */
    ENSURE(describe(&home, c));
    c.device = there;
    ENSURE(describe(&away, c));
    worst = worst_difference(&home, &away, 40);
    if (!(worst >= 0 && worst < 1e-3)) test_fail(__FILE__, __LINE__, "losses differ by %g", worst);
    worst = worst_weight(&home, &away);
    if (!(worst < 1e-4)) test_fail(__FILE__, __LINE__, "weights differ by %g", worst);
    free_task(&away);
    c.max_norm = 0;
    ENSURE(describe(&away, c)); /* without the limit the losses differ */
    ENSURE(nn_start_epoch(away.loader, 0) == NN_OK);
    for (int i = 0; i < 40; i++) ENSURE(step(&away));
    ENSURE(worst_weight(&home, &away) > 1e-3);
    no_error(__LINE__);
    free_task(&home);
    free_task(&away);
}

/* A device without some kernels learns the same over the CPU, and the ledger has each crossing. */
static void test_over_the_cpu(void) {
    task home, away;
    choice c = adam_on(nn_cpu());
    nn_backend *backend;
    nn_backend kept;
    double worst;
    BEGIN;
    backend = (nn_backend *)(uintptr_t)nn_device_backend(nn, there, NULL);
    kept = *backend;
    ENSURE(describe(&home, c));
    c.device = there;
    c.on_unsupported = NN_UNSUPPORTED_VIA_CPU;
    backend->kernels[NN_KERNEL_CROSS_ENTROPY_FORWARD] = NULL;
    backend->kernels[NN_KERNEL_CROSS_ENTROPY_HEAD] = NULL; /* a GPU's */
    backend->kernels[NN_KERNEL_UPDATE] = NULL;
    ENSURE(describe(&away, c));
    nn_reset_ledger(nn);
    worst = worst_difference(&home, &away, 10);
    *backend = kept;
    if (!(worst >= 0 && worst < 1e-3)) test_fail(__FILE__, __LINE__, "losses differ by %g", worst);
    ENSURE(worst_weight(&home, &away) < 1e-4);
    int rows = 0, words = 0;
    for (int i = 0; i < nn_ledger_count(nn); i++) {
        nn_ledger_entry entry = nn_ledger_at(nn, i);
        if (!strstr(entry.tensor, " via cpu")) continue;
        rows++;
        words += strcmp(entry.tensor, "status via cpu") == 0;
        if (entry.count != 10 || entry.way != NN_WAY_COPIED ||
            entry.physical_bytes != entry.logical_bytes)
            test_fail(__FILE__, __LINE__, "%s: %d times", entry.tensor, (int)entry.count);
    }
    /* Rows: logits, label, loss and probabilities; for each of 4 parameters, the parameter and two
       moments down and up, and the gradient; the status word at least twice. */
    if (rows < 4 + 4 * 7 + 2 || words < 2)
        test_fail(__FILE__, __LINE__, "%d rows, %d of status words", rows, words);
    no_error(__LINE__);
    free_task(&home);
    free_task(&away);
}

static void test_short_last_batch(void) {
    task home, away;
    choice c = adam_on(nn_cpu());
    nn_report a, b;
    double worst;
    BEGIN;
    c.samples = 2 * BATCH + 5;
    ENSURE(describe(&home, c));
    c.device = there;
    ENSURE(describe(&away, c));
    worst = worst_difference(&home, &away, 9); /* three epochs */
    ENSURE(nn_loader_batch(away.loader) == 5 && nn_plan_batch(nn_trainer_plan(away.trainer)) == 5);
    if (!(worst >= 0 && worst < 1e-3)) test_fail(__FILE__, __LINE__, "losses differ by %g", worst);
    ENSURE(nn_read_report(home.trainer, &a) == NN_OK && nn_read_report(away.trainer, &b) == NN_OK);
    ENSURE(a.samples == 3 * c.samples && b.samples == a.samples);
    ENSURE_CLOSE(b.loss, a.loss, 1e-3 * a.loss);
    ENSURE_CLOSE(b.metrics[0], a.metrics[0], 0.007);
    ENSURE(worst_weight(&home, &away) < 1e-4);
    no_error(__LINE__);
    free_task(&home);
    free_task(&away);
}

/* Both devices drop the same numbers in every step, and scale the others equally. */
static void test_dropout_masks(void) {
    enum { WIDTH = CHANNELS * PIXELS / 4, COUNT = BATCH * WIDTH };
    static float a[COUNT], b[COUNT];
    task home, away;
    choice c = adam_on(nn_cpu());
    int round, i, zeros_before = -1;
    BEGIN;
    c.dropout = 0.25f;
    ENSURE(describe(&home, c));
    c.device = there;
    ENSURE(describe(&away, c));
    for (round = 0; round < 3; round++) {
        int different = 0, far_off = 0, zeros = 0;
        ENSURE(step(&home) && step(&away));
        ENSURE(nn_download(nn_trainer_plan(home.trainer), home.dropped, a, sizeof a) == NN_OK);
        ENSURE(nn_download(nn_trainer_plan(away.trainer), away.dropped, b, sizeof b) == NN_OK);
        for (i = 0; i < COUNT; i++) {
            different += (a[i] == 0) != (b[i] == 0) && fabs((double)a[i] - (double)b[i]) > 1e-5;
            far_off += !(fabs((double)a[i] - (double)b[i]) <= 1e-4);
            zeros += a[i] == 0;
        }
        if (different || far_off)
            test_fail(__FILE__, __LINE__, "step %d: %d masks, %d values differ", round + 1,
                      different, far_off);
        ENSURE(zeros > COUNT / 5 && zeros != zeros_before); /* another mask each time */
        zeros_before = zeros;
    }
    no_error(__LINE__);
    free_task(&home);
    free_task(&away);
}

/* ---- the ledger ------------------------------------------------------------------------------ */

static void test_ledger_of_training(void) {
    const uint64_t image_bytes = sizeof(float) * BATCH * PIXELS,
                   label_bytes = sizeof(int32_t) * BATCH;
    const uint64_t upload_bytes = 100 * (image_bytes + label_bytes);
    uint64_t read_bytes;
    task t;
    nn_report report;
    nn_ledger_limits limits;
    nn_ledger_entry rows[4];
    float loss = -1;
    char text[400];
    int i;
    BEGIN;
    memset(&limits, 0, sizeof limits);
    ENSURE(describe(&t, adam_on(there)));
    nn_reset_ledger(nn); /* weights, "init" */
    limits.upload_bytes = upload_bytes;
    limits.device_bytes = NN_LEDGER_NOTHING;
    limits.download_bytes = NN_LEDGER_NOTHING;
    nn_ledger_limit(nn, &limits);
    for (i = 0; i < 100; i++) ENSURE(step(&t));
    ENSURE(nn_finish(nn) == NN_OK);
    no_error(__LINE__);
    ENSURE(nn_ledger_bytes(nn, NN_CROSS_UPLOAD) == upload_bytes);
    ENSURE(nn_ledger_bytes(nn, NN_CROSS_DOWNLOAD) == 0 &&
           nn_ledger_bytes(nn, NN_CROSS_DEVICE) == 0);
    ENSURE(nn_ledger_count(nn) == 2);
    for (i = 0; i < 2; i++) {
        rows[i] = nn_ledger_at(nn, i);
        ENSURE(rows[i].crossing == NN_CROSS_UPLOAD && rows[i].count == 100 &&
               rows[i].site.line == 80);
        ENSURE(nn_same_device(rows[i].from, nn_cpu()) && nn_same_device(rows[i].to, there));
        ENSURE_TEXT(rows[i].tensor, i ? "label" : "image");
        ENSURE(rows[i].logical_bytes == 100 * (i ? label_bytes : image_bytes));
        ENSURE(rows[i].physical_bytes == rows[i].logical_bytes);
    }
    /* A report reads the status word, and the sums and sample counts of loss and accuracy, with the
       gap between them. */
    limits.upload_bytes = NN_LEDGER_NOTHING;
    limits.download_bytes = 0;
    nn_ledger_limit(nn, &limits);
    ENSURE(nn_read_report_at(AT(82), t.trainer, &report) == NN_OK && report.samples == 100 * BATCH);
    ENSURE(nn_ledger_count(nn) == 4);
    read_bytes = 0;
    for (i = 2; i < 4; i++) {
        rows[i] = nn_ledger_at(nn, i);
        ENSURE(rows[i].crossing == NN_CROSS_DOWNLOAD && rows[i].count == 1 &&
               rows[i].site.line == 82);
        ENSURE(nn_same_device(rows[i].from, there) && nn_same_device(rows[i].to, nn_cpu()));
        read_bytes += rows[i].logical_bytes;
    }
    ENSURE_TEXT(rows[2].tensor, "report");
    ENSURE_TEXT(rows[3].tensor, "status");
    ENSURE(rows[3].logical_bytes == 4 && rows[2].logical_bytes >= 16 &&
           rows[2].logical_bytes <= 128);
    ENSURE(nn_ledger_bytes(nn, NN_CROSS_DOWNLOAD) == read_bytes &&
           nn_ledger_bytes(nn, NN_CROSS_UPLOAD) == upload_bytes);
    ENSURE(nn_ledger_bytes(nn, NN_CROSS_DEVICE) == 0);
    /* A read beyond the limit is refused, and the message names its line. */
    limits.download_bytes = read_bytes;
    nn_ledger_limit(nn, &limits);
    ENSURE(nn_read_report_at(AT(82), t.trainer, &report) == NN_OK);
    no_error(__LINE__);
    ENSURE(nn_read_loss_at(AT(99), t.trainer, &loss) == NN_ERROR_LIMIT);
    ENSURE(loss == -1);
    snprintf(text, sizeof text,
             "\"cross_entropy\", 4 bytes: refused before the copy; download_bytes allows %llu, "
             "%llu are used",
             (unsigned long long)read_bytes, (unsigned long long)read_bytes);
    if (!nn_error(nn) || !strstr(nn_error(nn), text) || !strstr(nn_error(nn), "train.c:99"))
        test_fail(__FILE__, __LINE__, "the report: %s", nn_error(nn) ? nn_error(nn) : "(none)");
    ENSURE(nn_ledger_bytes(nn, NN_CROSS_DOWNLOAD) == 2 * read_bytes && nn_ledger_count(nn) == 4);
    nn_clear_error(nn);
    nn_ledger_limit(nn, (const nn_ledger_limits *)NULL);
    ENSURE(nn_read_loss_at(AT(99), t.trainer, &loss) == NN_OK && loss > 0);
    free_task(&t);
}

/* ---- mistakes inside a step; those of a description are in tests/graph/test_faults.c --------- */

/* Makes a step whose data has a mistake. If the device has finished before the step returns, the
   step itself may report the fault. */
static bool wrong_step(task *t, nn_result fault) {
    const nn_result result = nn_train_step(t->trainer, t->loader);
    if (result == fault) nn_clear_error(nn);
    return result == NN_OK || result == fault;
}

/* A label out of range and a NaN loss stop the updates on the device itself. */
static void test_fault_inside_a_step(void) {
    task t;
    nn_report report;
    float before[WEIGHTS], after[WEIGHTS], loss;
    int32_t bad[BATCH];
    int i, count;
    BEGIN;
    ENSURE(describe(&t, adam_on(there)) && step(&t));
    count = weights_of(t.net, before);
    for (i = 0; i < BATCH; i++) bad[i] = i == 3 ? 17 : 1;
    ENSURE(nn_upload_tensor(nn_batch_tensor(t.loader, "label"), bad, sizeof bad) == NN_OK);
    for (i = 0; i < 3; i++) ENSURE(wrong_step(&t, NN_ERROR_LABEL));
    ENSURE(nn_read_report_at(AT(40), t.trainer, &report) == NN_ERROR_LABEL);
    ENSURE_TEXT(nn_error(nn), "nn_read_report at train.c:40: step 2: a label is out of range: "
                              "labels in \"label\" must be in [0, 8); "
                              "nothing has been updated since; call nn_clear_fault(trainer)");
    nn_clear_error(nn);
    ENSURE(weights_of(t.net, after) == count &&
           memcmp(before, after, sizeof(float) * (size_t)count) == 0);
    ENSURE(nn_clear_fault(t.trainer) == NN_OK && nn_trainer_step(t.trainer) == 1);
    ENSURE(step(&t) && nn_read_loss(t.trainer, &loss) == NN_OK && loss > 0);
    ENSURE(weights_of(t.net, before) == count &&
           memcmp(before, after, sizeof(float) * (size_t)count) != 0);
    { /* every pixel is NaN, and so is every sample's loss */
        static float nans[BATCH * PIXELS];
        for (i = 0; i < BATCH * PIXELS; i++) nans[i] = NAN;
        ENSURE(nn_upload_tensor(nn_batch_tensor(t.loader, "image"), nans, sizeof nans) == NN_OK);
    }
    ENSURE(wrong_step(&t, NN_ERROR_NAN) &&
           nn_read_loss_at(AT(41), t.trainer, &loss) == NN_ERROR_NAN);
    ENSURE_TEXT(nn_error(nn), "nn_read_loss at train.c:41: step 3: the loss is NaN or infinite; "
                              "nothing has been updated since; "
                              "call nn_clear_fault(trainer)");
    nn_clear_error(nn);
    ENSURE(weights_of(t.net, after) == count &&
           memcmp(before, after, sizeof(float) * (size_t)count) == 0);
    free_task(&t);
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void test_move_there_and_back(void) {
    enum { K = 12 };
    task stay, go;
    nn_loader *home, *away;
    nn_report a, b;
    double worst = 0;
    int leg;
    choice c = adam_on(nn_cpu());
    c.weighted = true; /* the state of a training run is more than moments */
    c.dropout = 0.1f;
    c.max_norm = 1;
    BEGIN;
    ENSURE(describe(&stay, c) && describe(&go, c));
    home = go.loader;
    away = make_loader(nn, go.dataset, there);
    for (leg = 0; leg < 3; leg++) {
        int i;
        if (leg > 0) {
            nn_device to = leg == 1 ? there : nn_cpu();
            ENSURE(nn_move_trainer_at(AT(70), go.trainer, to) == NN_OK);
            ENSURE(nn_same_device(nn_tensor_device(nn_find_tensor(go.net, "conv.weight")), to));
            ENSURE(nn_same_device(nn_tensor_device(nn_find_tensor(go.net, "weights")), to));
            ENSURE(nn_trainer_step(go.trainer) == leg * K);
            ENSURE(next_batch(&go) && nn_train_step_at(AT(71), go.trainer, go.loader) ==
                                          NN_ERROR_STALE); /* the old loader */
            ENSURE(strstr(nn_error(nn),
                          "by nn_move_trainer at train.c:70: make the loader with .device = "));
            nn_clear_error(nn);
            go.loader = leg == 1 ? away : home;
            ENSURE(nn_start_epoch(go.loader, 0) == NN_OK);
            for (i = 0; i < leg * K; i++)
                ENSURE(next_batch(&go)); /* to where the other one stands */
        }
        {
            double difference = worst_difference(&stay, &go, K);
            no_error(__LINE__);
            if (difference < 0 || difference > worst) worst = difference;
            if (!(difference >= 0 && difference < 1e-3))
                test_fail(__FILE__, __LINE__, "leg %d: losses differ by %g", leg, difference);
        }
    }
    ENSURE(nn_read_report(stay.trainer, &a) == NN_OK && nn_read_report(go.trainer, &b) == NN_OK);
    ENSURE(a.samples == 3 * K * BATCH && b.samples == a.samples); /* the sums moved, too */
    ENSURE_CLOSE(b.loss, a.loss, 1e-3 * a.loss);
    ENSURE(worst_weight(&stay, &go) < 1e-3);
    no_error(__LINE__);
    go.loader = home;
    nn_free_loader(away);
    free_task(&stay);
    free_task(&go);
}

/* ---- the same bytes -------------------------------------------------------------------------- */

static int train_some(int64_t microseconds, int *pending, float *to) {
    task t;
    choice c = adam_on(there);
    int i, count = 0;
    c.dropout = 0.1f;
    c.max_norm = 1;
    *pending = 0;
    if (!describe(&t, c)) return 0;
    for (i = 0; i < 12; i++) {
        nn_result result = NN_OK;
        if (!next_batch(&t)) break;
        if (microseconds == 0) result = nn_train_step(t.trainer, t.loader);
        else
            while ((result = nn_train_step_for(t.trainer, t.loader, microseconds)) == NN_PENDING)
                (*pending)++;
        if (result != NN_OK) break;
    }
    if (i == 12) count = weights_of(t.net, to);
    no_error(__LINE__);
    free_task(&t);
    return count;
}

static void test_same_bytes(void) {
    static float first[WEIGHTS], again[WEIGHTS];
    static const int64_t slices[] = {1, 200, 5000};
    int i, count, pending;
    BEGIN;
    count = train_some(0, &pending, first);
    ENSURE(count > 0 && pending == 0);
    ENSURE(train_some(0, &pending, again) == count &&
           memcmp(first, again, sizeof(float) * (size_t)count) == 0);
    for (i = 0; i < 3; i++) {
        ENSURE(train_some(slices[i], &pending, again) == count);
        ENSURE(i > 0 || pending > 12); /* a microsecond is no whole step */
        if (memcmp(first, again, sizeof(float) * (size_t)count) != 0)
            test_fail(__FILE__, __LINE__, "slices of %d us give other bytes (%d slices)",
                      (int)slices[i], pending);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static void test_save_there_load_here(void) {
    enum { COUNT = BATCH * CLASSES };
    static float saved[WEIGHTS], loaded[WEIGHTS];
    float a[COUNT], b[COUNT];
    task away, home;
    nn_plan *plan_a, *plan_b;
    nn_plan_desc desc;
    int i, count;
    BEGIN;
    memset(&desc, 0, sizeof desc);
    ENSURE(describe(&away, adam_on(there)));
    for (i = 0; i < 10; i++) ENSURE(step(&away));
    ENSURE(nn_save_weights(away.net, "cnn.safetensors") == NN_OK);
    ENSURE(describe(&home, adam_on(nn_cpu())));
    ENSURE(worst_weight(&away, &home) > 1e-3);
    ENSURE(nn_load_weights(home.net, "cnn.safetensors", NULL) == NN_OK);
    count = weights_of(away.net, saved);
    ENSURE(count > 0 && weights_of(home.net, loaded) == count);
    ENSURE(memcmp(saved, loaded, sizeof(float) * (size_t)count) == 0);
    desc.batch = BATCH;
    NODE_AT(desc.outputs, 0) = away.logits;
    plan_a = nn_make_plan(away.net, &desc);
    NODE_AT(desc.outputs, 0) = home.logits;
    plan_b = nn_make_plan(home.net, &desc);
    ENSURE(plan_a && plan_b);
    ENSURE(nn_upload(plan_a, away.image, images, sizeof(float) * BATCH * PIXELS) == NN_OK &&
           nn_run(plan_a) == NN_OK);
    ENSURE(nn_upload(plan_b, home.image, images, sizeof(float) * BATCH * PIXELS) == NN_OK &&
           nn_run(plan_b) == NN_OK);
    ENSURE(nn_download(plan_a, away.logits, a, sizeof a) == NN_OK &&
           nn_download(plan_b, home.logits, b, sizeof b) == NN_OK);
    for (i = 0; i < COUNT; i++) ENSURE_CLOSE(a[i], b[i], 1e-4);
    /* After further steps on the device, the file restores the saved weights there. */
    for (i = 0; i < 3; i++) ENSURE(step(&away));
    ENSURE(nn_load_weights(away.net, "cnn.safetensors", NULL) == NN_OK);
    ENSURE(weights_of(away.net, loaded) == count &&
           memcmp(saved, loaded, sizeof(float) * (size_t)count) == 0);
    no_error(__LINE__);
    free_task(&away);
    free_task(&home);
    memory_free(&disk);
}

/* A run that stopped on the device after 8 steps resumes there with the same bytes, and on the
   CPU with the same samples and losses. */
static void test_resume(void) {
    static float whole[WEIGHTS], resumed[WEIGHTS];
    task away, again, home;
    nn_checkpoint_desc desc;
    nn_loader_state a, b;
    nn_report c, d;
    choice how = adam_on(there);
    double worst;
    int i, count;
    BEGIN;
    memset(&desc, 0, sizeof desc);
    how.weighted = true;
    how.dropout = 0.1f;
    how.max_norm = 1;
    ENSURE(describe(&away, how) && describe(&again, how));
    how.device = nn_cpu();
    ENSURE(describe(&home, how));
    for (i = 0; i < 8; i++) ENSURE(step(&away));
    desc.loader = away.loader;
    nn_reset_ledger(nn);
    ENSURE(nn_save_checkpoint_at(AT(91), away.trainer, "run", &desc) == NN_OK);
    for (i = 0; i < nn_ledger_count(nn); i++) {
        nn_ledger_entry row = nn_ledger_at(nn, i);
        ENSURE(row.crossing == NN_CROSS_DOWNLOAD && row.site.line == 91);
        ENSURE(strstr(row.tensor, "conv.") || strstr(row.tensor, "fc.") ||
               strstr(row.tensor, "trainer.total.") || strcmp(row.tensor, "weights") == 0 ||
               strcmp(row.tensor, "status") == 0);
    }
    desc.loader = again.loader;
    ENSURE(nn_load_checkpoint(again.trainer, "run", &desc) == NN_OK);
    desc.loader = home.loader;
    ENSURE(nn_load_checkpoint(home.trainer, "run", &desc) == NN_OK);
    for (i = 0; i < 20; i++)
        ENSURE(step(&away) && step(&again)); /* both orders of queueing are fine */
    count = weights_of(away.net, whole);
    ENSURE(count > 0 && weights_of(again.net, resumed) == count);
    ENSURE(memcmp(whole, resumed, sizeof(float) * (size_t)count) == 0);
    ENSURE(nn_read_report(away.trainer, &c) == NN_OK && nn_read_report(again.trainer, &d) == NN_OK);
    ENSURE(memcmp(&c, &d, sizeof c) == 0 && c.samples == 28 * BATCH);
    desc.loader = away.loader;
    ENSURE(nn_load_checkpoint(away.trainer, "run", &desc) == NN_OK); /* back, in the same process */
    worst = worst_difference(&home, &away, 100);
    if (!(worst >= 0 && worst < 1e-3)) test_fail(__FILE__, __LINE__, "losses differ by %g", worst);
    a = nn_loader_position(home.loader);
    b = nn_loader_position(away.loader);
    ENSURE(a.epoch == b.epoch && a.position == b.position && a.seed == b.seed && a.epoch == 3);
    no_error(__LINE__);
    free_task(&away);
    free_task(&again);
    free_task(&home);
    memory_free(&disk);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* The program frees nothing and waits for nothing: nn_close does both, whatever is running. */
static void test_close_in_the_middle(void) {
    int where;
    BEGIN;
    for (where = 0; where < 5; where++) {
        nn_context *other = open_all();
        task t;
        float loss = 0;
        int i;
        ENSURE(other);
        if (where == 0) { /* described, no plan */
            nn_conv2d_desc conv;
            nn_model *net = nn_make_model(other, NULL);
            memset(&conv, 0, sizeof conv);
            conv.out_channels = 2;
            conv.kernel = 3;
            nn_conv2d(net, "conv", nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, 5, 5)), &conv);
            nn_close(other);
            continue;
        }
        ENSURE(describe_in(other, &t, adam_on(there)));
        for (i = 0; i < 5; i++) {
            ENSURE(step(&t)); /* given to the queue, not waited for */
        }
        if (where == 2) ENSURE(next_batch(&t)); /* an upload is under way */
        if (where == 3) { /* a step is half done */
            ENSURE(next_batch(&t) && nn_train_step_for(t.trainer, t.loader, 1) == NN_PENDING);
            ENSURE(nn_read_loss_at(AT(83), t.trainer, &loss) == NN_ERROR_ARGUMENT);
            ENSURE_TEXT(
                nn_error(other),
                "nn_read_loss at train.c:83: a step in slices is under way; call nn_train_step_for "
                "until it is done");
        }
        if (where == 4) { /* after a failure */
            ENSURE(nn_move_trainer(t.trainer, nn_opencl(60)) < 0 && nn_error(other));
            ENSURE(step(&t));
        }
        nn_close(other);
    }
    { /* the first context is not affected */
        task t;
        ENSURE(describe(&t, adam_on(there)) && step(&t));
        no_error(__LINE__);
        free_task(&t);
    }
}

/* ---- two devices in one step ----------------------------------------------------------------- */

/* True if a label out of range, which only one of the devices sees, stops the updates on both. */
static bool no_device_learns(nn_context *open, nn_trainer *trainer, nn_model *net, nn_node *image,
                             nn_node *label) {
    static float before[WEIGHTS], after[WEIGHTS];
    int32_t wrong[BATCH];
    float loss;
    int count = weights_of(net, before);
    memcpy(wrong, labels, sizeof wrong);
    wrong[BATCH - 1] = CLASSES;
    if (nn_upload(nn_trainer_plan(trainer), image, images, sizeof(float) * BATCH * PIXELS) !=
            NN_OK ||
        nn_upload(nn_trainer_plan(trainer), label, wrong, sizeof wrong) != NN_OK)
        return false;
    nn_result result =
        nn_train_on_inputs(trainer); /* fails itself if a status word is back already */
    if (result == NN_OK) result = nn_read_loss(trainer, &loss);
    if (result != NN_ERROR_LABEL) return false;
    nn_clear_error(open);
    return weights_of(net, after) == count && count > 0 &&
           memcmp(before, after, sizeof(float) * (size_t)count) == 0;
}

/* Trains with the convolution on `near_device` and the rest on `far_device`. Stores the losses of
   `steps` steps; false: an error. */
static bool train_over(nn_context *open, nn_device near_device, nn_device far_device, float *losses,
                       int steps, bool bad_label) {
    nn_model_desc model;
    nn_conv2d_desc conv;
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_model *net;
    nn_node *image, *label, *x, *loss;
    nn_trainer *trainer;
    bool good;
    int i;
    memset(&model, 0, sizeof model);
    memset(&conv, 0, sizeof conv);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    model.device = near_device;
    model.seed = 9;
    net = nn_make_model(open, &model);
    conv.out_channels = 4;
    conv.kernel = 3;
    image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, SIDE, SIDE));
    x = nn_flatten(net, nn_relu(net, nn_conv2d(net, "conv", image, &conv)));
    if (!nn_same_device(near_device, far_device)) x = nn_transfer(net, x, far_device);
    nn_device_begin(net, far_device);
    label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    layer.out_features = CLASSES;
    loss = nn_cross_entropy(net, nn_linear(net, "fc", x, &layer), label, NULL);
    nn_device_end(net);
    desc.batch = BATCH;
    desc.optimizer = NN_ADAM;
    desc.learning_rate = 1e-3f;
    trainer = nn_make_trainer(net, loss, &desc);
    good = trainer != NULL;
    for (i = 0; good && i < steps; i++) {
        good = nn_upload(nn_trainer_plan(trainer), image, images + i * BATCH * PIXELS,
                         sizeof(float) * BATCH * PIXELS) == NN_OK &&
               nn_upload(nn_trainer_plan(trainer), label, labels + i * BATCH,
                         sizeof(int32_t) * BATCH) == NN_OK &&
               nn_train_on_inputs(trainer) == NN_OK && nn_read_loss(trainer, &losses[i]) == NN_OK;
    }
    if (good && bad_label) good = no_device_learns(open, trainer, net, image, label);
    nn_free_model(net);
    return good && !nn_error(open);
}

/* Returns the worst relative difference from the CPU's losses, or -1 after an error. */
static double split_difference(nn_context *open, nn_device near_device, nn_device far_device) {
    enum { STEPS = 20 };
    float one[STEPS], two[STEPS];
    double worst = 0;
    int i;
    if (!train_over(open, nn_cpu(), nn_cpu(), one, STEPS, false) ||
        !train_over(open, near_device, far_device, two, STEPS, false))
        return -1;
    for (i = 0; i < STEPS; i++) {
        double difference = fabs((double)one[i] - (double)two[i]) / fabs((double)one[i]);
        if (!(difference <= worst)) worst = difference;
    }
    return worst;
}

static void test_half_on_the_cpu(void) {
    double there_last, there_first;
    BEGIN;
    there_last = split_difference(nn, nn_cpu(), there);
    no_error(__LINE__);
    there_first = split_difference(nn, there, nn_cpu());
    no_error(__LINE__);
    if (test_wrong(!(there_last >= 0 && there_last < 1e-3)))
        test_fail(__FILE__, __LINE__, "losses differ by %g", there_last);
    if (!(there_first >= 0 && there_first < 1e-3))
        test_fail(__FILE__, __LINE__, "losses differ by %g", there_first);
}

static int child_two(void) {
    nn_context *open = open_all();
    double difference;
    uint64_t bytes;
    float losses[1];
    if (!open || nn_device_count(open) < 3) {
        printf("%d devices\n", open ? nn_device_count(open) - 1 : 0);
        nn_close(open);
        return 0;
    }
    draw_data();
    nn_reset_ledger(open);
    difference = split_difference(open, nn_opencl(0), nn_opencl(1));
    bytes = nn_ledger_bytes(open, NN_CROSS_DEVICE);
    if (difference < 0)
        printf("error: %.400s\n", nn_error(open) ? nn_error(open) : "without words");
    else if (!(difference < 1e-3)) printf("losses differ by %g\n", difference);
    else if (bytes != 20 * (2 * BATCH * 4 * (SIDE - 2) * (SIDE - 2) + 1) * sizeof(float))
        /* In each step the value crosses, then its gradient. The loss crosses too, so that both
           devices notice a NaN. */
        printf("%llu bytes crossed from device to device\n", (unsigned long long)bytes);
    else if (!train_over(open, nn_opencl(0), nn_opencl(1), losses, 1, true) ||
             !train_over(open, nn_cpu(), nn_opencl(1), losses, 1, true) ||
             !train_over(open, nn_opencl(1), nn_cpu(), losses, 1, true))
        printf("a label out of range did not stop both devices: %.400s\n",
               nn_error(open) ? nn_error(open) : "no error");
    else printf("well\n");
    nn_close(open);
    return 0;
}

/* Trains a net with every layer that can be trained, on three samples of 7 x 7: small enough for a
   simulator of devices. Returns the loss. */
static double tiny_loss(nn_context *open, nn_device device, nn_optimizer optimizer) {
    nn_model_desc model;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_model *net;
    nn_node *image, *label, *x, *logits;
    nn_trainer *trainer;
    nn_report report;
    bool good;
    int i;
    memset(&model, 0, sizeof model);
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    memset(&report, 0, sizeof report);
    model.device = device;
    model.seed = 2;
    net = nn_make_model(open, &model);
    image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 7, 7));
    label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    conv.out_channels = 2;
    conv.kernel = 3;
    conv.padding = 1;
    pool.kernel = 2;
    x = nn_max_pool2d(net, nn_relu(net, nn_conv2d(net, "conv1", image, &conv)), &pool);
    conv.out_channels = 3;
    conv.kernel = 2;
    x = nn_gelu(net, nn_conv2d(net, "conv2", x, &conv));
    pool.padding = 1;
    x = nn_flatten(net, nn_avg_pool2d(net, x, &pool));
    x = nn_dropout(net, x, 0.25f);
    layer.out_features = 5;
    logits = nn_linear(net, "fc", nn_tanh(net, x), &layer);
    logits = nn_add(net, logits, nn_parameter(net, "shift", NN_SHAPE(5), -1, 1));
    desc.batch = 3;
    desc.optimizer = optimizer;
    desc.learning_rate = 0.01f;
    desc.momentum = optimizer == NN_SGD ? 0.9f : 0.0f;
    desc.max_norm = 0.5f;
    NODE_AT(desc.metrics, 0) = nn_accuracy(net, logits, label);
    trainer = nn_make_trainer(net, nn_cross_entropy(net, logits, label, NULL), &desc);
    good = trainer != NULL;
    for (i = 0; good && i < 2; i++) {
        int32_t three[3] = {4, 0, 2};
        good =
            nn_upload(nn_trainer_plan(trainer), image, images, sizeof(float) * 3 * 49) == NN_OK &&
            nn_upload(nn_trainer_plan(trainer), label, three, sizeof three) == NN_OK &&
            nn_train_on_inputs(trainer) == NN_OK;
    }
    good = good && nn_read_report(trainer, &report) == NN_OK && report.samples == 6;
    nn_free_model(net);
    return good ? report.loss : -1;
}

static int child_tiny(void) {
    static const nn_optimizer optimizers[] = {NN_SGD, NN_ADAM};
    nn_context *open = open_all();
    int i, wrong = 0;
    draw_data();
    for (i = 0; open && i < 2; i++) {
        double a = tiny_loss(open, nn_cpu(), optimizers[i]),
               b = tiny_loss(open, nn_opencl(0), optimizers[i]);
        if (a > 0 && fabs(a - b) < 1e-4 * a) continue;
        wrong++;
        printf("loss %g on the CPU, %g there; %s\n", a, b,
               nn_error(open) ? nn_error(open) : "no error");
    }
    if (!open) printf("0 devices\n");
    else if (!wrong) printf("well\n");
    nn_close(open);
    return wrong > 0;
}

static void test_tiny(void) {
    BEGIN;
    ENSURE_CLOSE(tiny_loss(nn, there, NN_SGD), tiny_loss(nn, nn_cpu(), NN_SGD), 1e-4);
    ENSURE_CLOSE(tiny_loss(nn, there, NN_ADAMW), tiny_loss(nn, nn_cpu(), NN_ADAMW), 1e-4);
    ENSURE(tiny_loss(nn, there, NN_ADAM) > 0);
    no_error(__LINE__);
}

static void test_two_devices(void) {
    char command[1200], text[600];
    FILE *pipe;
    int status;
    BEGIN;
    text[0] = 0;
    snprintf(command, sizeof command, "POCL_DEVICES='pthread pthread' '%s' --child two 2>/dev/null",
             self);
    pipe = popen(command, "r");
    if (!pipe) SKIP("no shell");
    if (!fgets(text, sizeof text, pipe)) text[0] = 0;
    status = pclose(pipe);
    if (strstr(text, " devices\n")) SKIP("one OpenCL device, and no PoCL that makes two of it");
    ENSURE_TEXT(text, "well\n");
    ENSURE(status == 0);
}

/* ---- loaders --------------------------------------------------------------------------------- */

/* workers -1: the dataset is on the device. */
static int32_t train_with_workers(int workers, int prefetch, float *weights) {
    task t;
    nn_loader_desc desc;
    nn_tensor *weight;
    int32_t steps = 0;
    choice c = adam_on(there);
    c.samples = 1000; /* the last batch is short */
    if (!describe(&t, c)) return 0;
    nn_free_loader(t.loader);
    memset(&desc, 0, sizeof desc);
    desc.dataset = t.dataset;
    desc.batch = BATCH;
    desc.shuffle = true;
    desc.seed = 11;
    desc.device = there;
    desc.workers = workers < 0 ? 0 : workers;
    desc.prefetch = prefetch;
    desc.on_device = workers < 0;
    t.loader = nn_make_loader(nn, &desc);
    nn_reset_ledger(nn);
    for (int epoch = 0; epoch < 2; epoch++)
        for (; nn_next_batch(t.loader); steps++)
            if (nn_train_step(t.trainer, t.loader) != NN_OK) return 0;
    if (nn_ledger_bytes(nn, NN_CROSS_UPLOAD) != 2u * 1000 * (workers < 0 ? 1 : PIXELS + 1) * 4)
        steps = -1;
    weight = nn_find_tensor(t.net, "fc.weight");
    if (nn_download_tensor(weight, weights, (size_t)nn_tensor_bytes(weight)) != NN_OK) steps = -2;
    free_task(&t);
    return steps;
}

/* Uploading batches while the device computes does not change the trained bytes. */
static void test_workers(void) {
    static float expected[WEIGHTS], got[WEIGHTS];
    BEGIN;
    ENSURE(train_with_workers(0, 0, expected) == 64);
    for (int workers = -1; workers < 4; workers++) {
        for (int prefetch = 1; prefetch < 4; prefetch += 2) {
            if (!getenv("NN_FULL") && (workers + prefetch / 2) % 2 == 0) continue; /* half of them */
            memset(got, 0, sizeof got);
            ENSURE(train_with_workers(workers, prefetch, got) == 64);
            ENSURE(memcmp(got, expected, sizeof got) == 0);
        }
    }
    ENSURE(!nn_error(nn));
}

/* Copies each batch on the device while the next ones travel, and reads the copies at the end. */
static void test_batches_in_flight(void) {
    static float got[BATCH * PIXELS];
    nn_loader_desc desc;
    nn_loader *loader;
    nn_dataset *dataset;
    nn_tensor *copies[33];
    int32_t order[1024], count = 0;
    BEGIN;
    dataset = make_dataset(nn, 1024);
    memset(&desc, 0, sizeof desc);
    desc.dataset = dataset;
    desc.batch = BATCH;
    desc.shuffle = true;
    desc.device = there;
    desc.workers = 2;
    loader = nn_make_loader(nn, &desc);
    nn_random_permutation(0, 0, order, 1024);
    for (int i = 0; i < 20; i++) /* batches that were sent ahead and are not wanted any more */
        ENSURE(nn_next_batch(loader) && (i % 4 || nn_start_epoch(loader, i % 8 ? 1 : 0) == NN_OK));
    ENSURE(nn_start_epoch(loader, 0) == NN_OK);
    while (nn_next_batch(loader))
        copies[count++] = nn_copy_to(nn_batch_tensor(loader, "image"), there);
    ENSURE(count == 32 && nn_loader_result(loader) == NN_END);
    for (int batch = 0; batch < count; batch++) {
        ENSURE(nn_download_tensor(copies[batch], got, sizeof got) == NN_OK);
        for (int i = 0; i < BATCH; i++)
            ENSURE(memcmp(got + i * PIXELS, images + order[batch * BATCH + i] * PIXELS,
                          PIXELS * 4) == 0);
        nn_free_tensor(copies[batch]);
    }
    nn_free_loader(loader);
    nn_free_dataset(dataset);
    ENSURE(!nn_error(nn));
}

/* ---- an operation of the user's own, in OpenCL C, with its gradient -------------------------- */

static nn_result cube(void *user, const nn_custom_args *args) {
    const float *x =
        (const float *)(const void *)((char *)args->input[0].handle + args->input[0].offset);
    float *y = (float *)(void *)((char *)args->output.handle + args->output.offset);
    (void)user;
    for (int i = 0; i < 37; i++) y[i] = x[i] * x[i] * x[i];
    return NN_OK;
}

static nn_result cube_gradient(void *user, const nn_custom_args *args) { /* dy, y, x */
    const float *dy =
        (const float *)(const void *)((char *)args->input[0].handle + args->input[0].offset);
    const float *x =
        (const float *)(const void *)((char *)args->input[2].handle + args->input[2].offset);
    float *dx = (float *)(void *)((char *)args->output.handle + args->output.offset);
    (void)user;
    for (int i = 0; i < 37; i++) dx[i] = dy[i] * 3 * x[i] * x[i];
    return NN_OK;
}

/* Makes three steps of SGD on sum(w^3), with and without OpenCL C for the gradient. */
static void test_custom_gradient(void) {
    static const char source[] =
        "__kernel void cube(__global float *y, ulong yo, const __global float *x, ulong xo, ulong "
        "count) {\n"
        "    ulong i = get_global_id(0);\n"
        "    if (i < count) y[yo + i] = x[xo + i] * x[xo + i] * x[xo + i];\n}\n"
        "__kernel void cube_gradient(__global float *dx, ulong dxo, const __global float *dy, "
        "ulong dyo,\n"
        "                            const __global float *y, ulong yo, const __global float *x, "
        "ulong xo,\n"
        "                            ulong count) {\n"
        "    ulong i = get_global_id(0);\n"
        "    if (i < count) dx[dxo + i] = dy[dyo + i] * 3.0f * x[xo + i] * x[xo + i];\n}\n";
    float result[2][37], start[37];
    int on, i;
    BEGIN;
    for (i = 0; i < 37; i++) start[i] = (float)(i - 18) / 20;
    for (on = 0; on < 3; on++) { /* the CPU, the device, the device without gradient_entries */
        nn_model_desc model;
        nn_custom_desc custom;
        nn_trainer_desc desc;
        nn_trainer *trainer;
        nn_model *net;
        memset(&model, 0, sizeof model);
        memset(&custom, 0, sizeof custom);
        memset(&desc, 0, sizeof desc);
        model.device = on ? there : nn_cpu();
        net = nn_make_model(nn, &model);
        NODE_AT(custom.inputs, 0) = nn_parameter(net, "w", NN_SHAPE(37), 0, 1);
        custom.shape = NN_SHAPE(37);
        custom.function = cube;
        FUNCTION_AT(custom.gradients, 0) = cube_gradient;
        custom.source = source;
        custom.entry = "cube";
        if (on < 2) TEXT_AT(custom.gradient_entries, 0) = "cube_gradient";
        desc.learning_rate = 0.1f;
        trainer = nn_make_trainer(net, nn_sum(net, nn_custom(net, "cube", &custom)), &desc);
        if (on == 2) {
            ENSURE(!trainer && strstr(nn_error(nn), "custom"));
            nn_clear_error(nn);
        } else {
            nn_tensor *w = nn_find_tensor(net, "w");
            ENSURE(trainer && nn_upload_tensor(w, start, sizeof start) == NN_OK);
            for (i = 0; i < 3; i++) ENSURE(nn_train_on_inputs(trainer) == NN_OK);
            ENSURE(nn_download_tensor(w, result[on], sizeof result[on]) == NN_OK);
        }
        nn_free_model(net);
    }
    for (i = 0; i < 37; i++) ENSURE_CLOSE(result[0][i], result[1][i], 1e-6);
    for (i = 0; i < 37; i++) ENSURE(i == 18 || result[0][i] < start[i]);
}

int main(int argc, char **argv) {
    int i, devices;
    self = argv[0];
    if (argc == 3 && strcmp(argv[1], "--child") == 0)
        return strcmp(argv[2], "two") == 0 ? child_two() : child_tiny();
    test_start(argc, argv);
    draw_data();
    nn = open_all();
    devices = nn ? nn_device_count(nn) - 1 : 1;
    for (i = 0; i < devices; i++) {
        there = nn_opencl(i);
        RUN(test_learns_like_the_cpu);
        RUN(test_momentum_and_clip);
        RUN(test_over_the_cpu);
        RUN(test_short_last_batch);
        RUN(test_dropout_masks);
        RUN(test_ledger_of_training);
        RUN(test_fault_inside_a_step);
        RUN(test_move_there_and_back);
        RUN(test_same_bytes);
        RUN(test_save_there_load_here);
        RUN(test_resume);
        RUN(test_close_in_the_middle);
        RUN(test_half_on_the_cpu);
        RUN(test_workers);
        RUN(test_batches_in_flight);
        RUN(test_custom_gradient);
        RUN(test_tiny);
    }
    RUN(test_two_devices);
    nn_close(nn);
    memory_free(&disk);
    return test_report();
}
