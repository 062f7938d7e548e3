/* tests/train/test_train.c - weights, moves, datasets, loaders, trainers, nn_fit. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"

#include "memory_files.h"
#include "sim_device.h"
#include "lists.h"

static nn_site here(int line) { return nn_make_site("src/train.c", line); }

/* ---- small nets and data --------------------------------------------------------------------- */

enum { SAMPLES = 20, WIDTH = 6, CLASSES = 4 };

typedef struct task {
    nn_context *nn;
    nn_model   *net;
    nn_node    *image, *label, *logits, *loss, *accuracy;
    nn_dataset *dataset;
    nn_loader  *loader;
    nn_trainer *trainer;
    float       images[SAMPLES * WIDTH];
    int32_t     labels[SAMPLES];
} task;

static void task_data(task *t) {
    uint32_t words[4];
    for (int i = 0; i < SAMPLES; i++) {
        t->labels[i] = i % CLASSES;
        for (int j = 0; j < WIDTH; j++) {
            nn_random_words(7, 1, (uint64_t)(i * WIDTH + j), words);
            t->images[i * WIDTH + j] =
                nn_word_to_uniform(words[0]) + (j == i % CLASSES ? 1.0f : 0.0f);
        }
    }
}

static nn_dataset *task_dataset(task *t) {
    nn_dataset_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.count = SAMPLES;
    FIELD_AT(desc.fields, 0).name = "image";
    FIELD_AT(desc.fields, 0).shape = NN_SHAPE(WIDTH);
    FIELD_AT(desc.fields, 0).data = t->images;
    FIELD_AT(desc.fields, 1).name = "label";
    FIELD_AT(desc.fields, 1).dtype = NN_I32;
    FIELD_AT(desc.fields, 1).data = t->labels;
    return nn_make_dataset(t->nn, &desc);
}

static nn_loader *task_loader(task *t, int batch, bool shuffle, nn_device device) {
    nn_loader_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dataset = t->dataset;
    desc.batch = batch;
    desc.shuffle = shuffle;
    desc.seed = 11;
    desc.device = device;
    return nn_make_loader(t->nn, &desc);
}

/* Describes an MLP with dropout on 20 samples of 4 classes, batches of 8 (the last has 4). */
static void task_describe(task *t, nn_context *nn, nn_optimizer optimizer) {
    nn_model_desc model;
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_node *x;
    memset(t, 0, sizeof *t);
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    t->nn = nn;
    task_data(t);
    model.name = "mlp";
    model.seed = 3;
    t->net = nn_make_model(nn, &model);
    t->image = nn_input(t->net, "image", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    t->label = nn_input(t->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    layer.out_features = 16;
    x = nn_relu(t->net, nn_linear(t->net, "fc1", t->image, &layer));
    x = nn_dropout(t->net, x, 0.1f);
    layer.out_features = CLASSES;
    t->logits = nn_linear(t->net, "fc2", x, &layer);
    t->loss = nn_cross_entropy(t->net, t->logits, t->label, NULL);
    t->accuracy = nn_accuracy(t->net, t->logits, t->label);
    t->dataset = task_dataset(t);
    t->loader = task_loader(t, 8, true, nn_cpu());
    desc.batch = 8;
    desc.optimizer = optimizer;
    desc.learning_rate = 0.02f;
    desc.momentum = optimizer == NN_SGD ? 0.9f : 0.0f;
    desc.max_norm = 1.0f;
    NODE_AT(desc.metrics, 0) = t->accuracy;
    t->trainer = nn_make_trainer(t->net, t->loss, &desc);
}

static nn_context *open_threads(int threads) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = threads;
    return nn_open(&desc);
}

/* Concatenates all parameters and constants. Returns the number of floats. */
static int task_weights(nn_model *net, float *to) {
    int count = 0;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        nn_download_tensor(tensor, to + count, (size_t)nn_tensor_bytes(tensor));
        count += (int)(nn_tensor_bytes(tensor) / sizeof(float));
    }
    return count;
}

static bool task_step(task *t) {
    if (!nn_next_batch(t->loader) && !nn_next_batch(t->loader)) return false;
    return nn_train_step(t->trainer, t->loader) == NN_OK;
}

/* ---- learning -------------------------------------------------------------------------------- */

static void test_regression(void) {
    nn_context *nn = open_threads(1);
    nn_model *net = nn_make_model(nn, NULL);
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_trainer *trainer;
    float x[16], y[16], weight = 0, bias = 0;
    nn_node *input, *target, *loss;
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    layer.out_features = 1;
    input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1));
    target = nn_input(net, "y", NN_F32, NN_SHAPE(NN_BATCH, 1));
    loss = nn_mse_loss(net, nn_linear(net, "line", input, &layer), target,
                       &(nn_mse_desc){.reduction = (nn_reduction)0});
    desc.batch = 16;
    desc.learning_rate = 0.1f;
    trainer = nn_make_trainer(net, loss, &desc);
    ENSURE(trainer);
    for (int i = 0; i < 16; i++) {
        x[i] = (float)i / 8.0f - 1.0f;
        y[i] = 3.0f * x[i] - 2.0f;
    }
    for (int i = 0; i < 300; i++) {
        ENSURE(nn_upload(nn_trainer_plan(trainer), input, x, sizeof x) == NN_OK);
        ENSURE(nn_upload(nn_trainer_plan(trainer), target, y, sizeof y) == NN_OK);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    }
    nn_download_tensor(nn_find_tensor(net, "line.weight"), &weight, sizeof weight);
    nn_download_tensor(nn_find_tensor(net, "line.bias"), &bias, sizeof bias);
    ENSURE_CLOSE(weight, 3, 1e-4);
    ENSURE_CLOSE(bias, -2, 1e-4);
    ENSURE(nn_trainer_step(trainer) == 300);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

static float learn_xor(nn_optimizer optimizer, float rate) {
    static const float x[8] = {0, 0, 0, 1, 1, 0, 1, 1}, y[4] = {0, 1, 1, 0};
    nn_context *nn = open_threads(1);
    nn_model_desc model;
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_dataset_desc data;
    nn_loader_desc loading;
    nn_fit_desc fit;
    nn_model *net;
    nn_node *input, *target, *out;
    nn_trainer *trainer;
    nn_progress last;
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    memset(&loading, 0, sizeof loading);
    memset(&fit, 0, sizeof fit);
    memset(&last, 0, sizeof last);
    model.seed = 5;
    net = nn_make_model(nn, &model);
    input = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    target = nn_input(net, "y", NN_F32, NN_SHAPE(NN_BATCH, 1));
    layer.out_features = 8;
    out = nn_tanh(net, nn_linear(net, "a", input, &layer));
    layer.out_features = 1;
    out = nn_linear(net, "b", out, &layer);
    desc.batch = 4;
    desc.optimizer = optimizer;
    desc.learning_rate = rate;
    desc.momentum = optimizer == NN_SGD ? 0.9f : 0.0f;
    trainer = nn_make_trainer(net, nn_bce_with_logits(net, out, target, NULL), &desc);
    data.count = 4;
    FIELD_AT(data.fields, 0).name = "x";
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(2);
    FIELD_AT(data.fields, 0).data = x;
    FIELD_AT(data.fields, 1).name = "y";
    FIELD_AT(data.fields, 1).shape = NN_SHAPE(1);
    FIELD_AT(data.fields, 1).data = y;
    loading.dataset = nn_make_dataset(nn, &data);
    loading.batch = 4;
    loading.shuffle = true;
    fit.epochs = 400;
    fit.last = &last;
    if (nn_fit(trainer, nn_make_loader(nn, &loading), &fit) != NN_OK) last.train.loss = 99;
    if (nn_error(nn)) printf("%s\n", nn_error(nn));
    nn_close(nn);
    return (float)last.train.loss;
}

static void test_xor(void) {
    ENSURE(learn_xor(NN_SGD, 0.1f) < 0.02f);
    ENSURE(learn_xor(NN_ADAM, 0.05f) < 0.02f);
    ENSURE(learn_xor(NN_ADAMW, 0.05f) < 0.05f);
}

static void test_report_and_evaluate(void) {
    task t;
    nn_report report, evaluation;
    nn_loader *whole;
    nn_context *nn = open_threads(2);
    float loss = 0, before[512], after[512];
    int count;
    task_describe(&t, nn, NN_ADAM);
    ENSURE(t.trainer);
    ENSURE(nn_read_loss(t.trainer, &loss) == NN_ERROR_ARGUMENT); /* no step yet */
    nn_clear_error(nn);
    for (int i = 0; i < 3; i++) ENSURE(task_step(&t));
    ENSURE(nn_loader_batch(t.loader) == 4); /* the short one */
    nn_reset_ledger(nn);
    ENSURE(nn_read_report(t.trainer, &report) == NN_OK);
    ENSURE(nn_ledger_count(nn) == 2); /* "status", "report": one download each */
    ENSURE(nn_ledger_at(nn, 0).count == 1 && nn_ledger_at(nn, 1).count == 1);
    ENSURE(report.samples == SAMPLES && report.step == 3);
    ENSURE(report.loss > 0.5 && report.loss < 3 && report.metrics[0] >= 0 &&
           report.metrics[0] <= 1);
    ENSURE(nn_read_report(t.trainer, &report) == NN_OK && report.samples == 0 && report.loss == 0);
    ENSURE(nn_read_loss(t.trainer, &loss) == NN_OK && loss > 0);
    for (int i = 0; i < 300; i++) ENSURE(task_step(&t));
    count = task_weights(t.net, before);
    ENSURE(nn_evaluate(t.trainer, t.loader, &evaluation) == NN_OK);
    ENSURE(evaluation.samples == SAMPLES);
    ENSURE(evaluation.loss < 0.2 && evaluation.metrics[0] > 0.9);
    whole = task_loader(&t, 5, false, nn_cpu()); /* other batches, the same mean */
    ENSURE(nn_evaluate(t.trainer, whole, &report) == NN_OK);
    ENSURE_CLOSE(report.loss, evaluation.loss, 1e-6);
    ENSURE_CLOSE(report.metrics[0], evaluation.metrics[0], 1e-6);
    task_weights(t.net, after);
    ENSURE(memcmp(before, after, sizeof(float) * (size_t)count) == 0);
    nn_set_learning_rate(t.trainer, 0);
    ENSURE(nn_learning_rate(t.trainer) == 0);
    ENSURE(task_step(&t));
    task_weights(t.net, after);
    ENSURE(memcmp(before, after, sizeof(float) * (size_t)count) ==
           0); /* Adam without decay at rate 0 */
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* Reads the parameters after 50 steps on this number of threads, whole or in slices. */
static int run_fifty(int threads, int64_t slice, float *to) {
    task t;
    nn_context *nn = open_threads(threads);
    int count = 0;
    task_describe(&t, nn, NN_ADAM);
    for (int i = 0; t.trainer && i < 50; i++) {
        nn_result result = NN_PENDING;
        if (!nn_next_batch(t.loader) && !nn_next_batch(t.loader)) break;
        if (slice <= 0) result = nn_train_step(t.trainer, t.loader);
        else
            while ((result = nn_train_step_for(t.trainer, t.loader, slice)) == NN_PENDING) {
            }
        if (result != NN_OK) break;
    }
    if (t.trainer && nn_trainer_step(t.trainer) == 50 && !nn_error(nn))
        count = task_weights(t.net, to);
    nn_close(nn);
    return count;
}

static void test_same_bytes(void) {
    static const int threads[] = {2, 3, 8};
    static const int64_t slices[] = {50, 200, 2000};
    float first[512], other[512];
    int count = run_fifty(1, 0, first);
    ENSURE(count == WIDTH * 16 + 16 + 16 * CLASSES + CLASSES);
    for (int i = 0; i < 3; i++) {
        ENSURE(run_fifty(threads[i], 0, other) == count &&
               memcmp(first, other, sizeof(float) * (size_t)count) == 0);
        ENSURE(run_fifty(2, slices[i], other) == count &&
               memcmp(first, other, sizeof(float) * (size_t)count) == 0);
    }
}

static void test_no_allocation(void) {
    task t;
    nn_report report;
    nn_context *nn = open_threads(2);
    uint64_t calls;
    task_describe(&t, nn, NN_ADAM);
    ENSURE(t.trainer && nn_next_batch(t.loader) && nn_train_step(t.trainer, t.loader) == NN_OK);
    ENSURE(nn_read_report(t.trainer, &report) == NN_OK); /* the ledger has its rows now */
    while (nn_next_batch(t.loader)) ENSURE(nn_train_step(t.trainer, t.loader) == NN_OK);
    calls = nn_context_memory(nn).calls;
    for (int i = 0; i < 1000;) {
        while (nn_next_batch(t.loader)) {
            ENSURE(nn_train_step_at(here(1), t.trainer, t.loader) == NN_OK);
            i++;
        }
        ENSURE(nn_loader_result(t.loader) == NN_END);
    }
    ENSURE(nn_context_memory(nn).calls - calls <=
           2); /* a row of the ledger for each field, since this call is on another line */
    calls = nn_context_memory(nn).calls;
    while (nn_next_batch_at(here(2), t.loader))
        ENSURE(nn_train_step_at(here(1), t.trainer, t.loader) == NN_OK);
    calls = nn_context_memory(nn).calls;
    while (nn_next_batch_at(here(2), t.loader))
        ENSURE(nn_train_step_at(here(1), t.trainer, t.loader) == NN_OK);
    ENSURE(nn_context_memory(nn).calls == calls);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

static void test_two_trainers_and_freeze(void) {
    task t;
    nn_trainer_desc desc;
    nn_trainer *second;
    nn_context *nn = open_threads(1);
    float before[512], after[512];
    memset(&desc, 0, sizeof desc);
    task_describe(&t, nn, NN_ADAM);
    ENSURE(nn_freeze(t.net, "fc1.", true) == NN_OK);
    desc.batch = 8;
    desc.learning_rate = 0.5f;
    second = nn_make_trainer(t.net, t.loss, &desc);
    ENSURE(second);
    task_weights(t.net, before);
    ENSURE(nn_next_batch(t.loader) && nn_train_step(second, t.loader) == NN_OK);
    task_weights(t.net, after);
    ENSURE(memcmp(before, after, sizeof(float) * (WIDTH * 16 + 16)) ==
           0); /* fc1 is frozen in the second */
    ENSURE(memcmp(before + WIDTH * 16 + 16, after + WIDTH * 16 + 16,
                  sizeof(float) * 16 * CLASSES) != 0);
    ENSURE(nn_train_step(t.trainer, t.loader) == NN_OK); /* the first one learns it */
    task_weights(t.net, before);
    ENSURE(memcmp(before, after, sizeof(float) * WIDTH * 16) != 0);
    nn_free_trainer(t.trainer);
    ENSURE(nn_train_step(second, t.loader) == NN_OK);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

/* ---- faults inside a step -------------------------------------------------------------------- */

static void test_bad_label(void) {
    task t;
    nn_report report;
    nn_context *nn = open_threads(1);
    float before[512], after[512];
    int count;
    task_describe(&t, nn, NN_ADAM);
    ENSURE(nn_next_batch(t.loader) && nn_train_step(t.trainer, t.loader) == NN_OK);
    count = task_weights(t.net, before);
    ((int32_t *)nn_tensor_data(nn_batch_tensor(t.loader, "label")))[3] = 17;
    for (int i = 0; i < 3; i++) { /* step 2 says so, and the others are refused */
        ENSURE(nn_train_step_at(here(39), t.trainer, t.loader) == NN_ERROR_LABEL &&
               nn_trainer_step(t.trainer) == 1);
        ENSURE_TEXT(nn_error(nn), "nn_train_step at train.c:39: step 2: a label is out of range: "
                                  "labels in \"label\" must be in [0, 4); "
                                  "nothing has been updated since; call nn_clear_fault(trainer)");
        nn_clear_error(nn);
    }
    ENSURE(nn_read_report_at(here(40), t.trainer, &report) == NN_ERROR_LABEL);
    ENSURE_TEXT(nn_error(nn), "nn_read_report at train.c:40: step 2: a label is out of range: "
                              "labels in \"label\" must be in [0, 4); nothing has "
                              "been updated since; call nn_clear_fault(trainer)");
    task_weights(t.net, after);
    ENSURE(memcmp(before, after, sizeof(float) * (size_t)count) == 0);
    nn_clear_error(nn);
    ENSURE(nn_clear_fault(t.trainer) == NN_OK);
    ENSURE(nn_trainer_step(t.trainer) == 1);
    ((int32_t *)nn_tensor_data(nn_batch_tensor(t.loader, "label")))[3] = 1;
    ENSURE(nn_train_step(t.trainer, t.loader) == NN_OK &&
           nn_read_report(t.trainer, &report) == NN_OK);
    ENSURE(report.step == 2 && report.samples == 16);
    task_weights(t.net, after);
    ENSURE(memcmp(before, after, sizeof(float) * (size_t)count) != 0);
    t.labels[0] = -1; /* in an evaluation; the trainer is not stopped by it */
    ENSURE(nn_evaluate(t.trainer, t.loader, &report) == NN_ERROR_LABEL);
    nn_clear_error(nn);
    t.labels[0] = 0;
    ENSURE(nn_evaluate(t.trainer, t.loader, &report) == NN_OK && nn_next_batch(t.loader));
    ENSURE(nn_train_step(t.trainer, t.loader) == NN_OK &&
           nn_read_report(t.trainer, &report) == NN_OK);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

static void test_nan_loss(void) {
    task t;
    nn_report report;
    float loss, before[512], after[512];
    int count;
    nn_context *nn = open_threads(1);
    task_describe(&t, nn, NN_SGD);
    ENSURE(nn_next_batch(t.loader) && nn_train_step(t.trainer, t.loader) == NN_OK);
    count = task_weights(t.net, before);
    ((float *)nn_tensor_data(nn_batch_tensor(t.loader, "image")))[0] = NAN;
    ENSURE(nn_train_step(t.trainer, t.loader) == NN_ERROR_NAN);
    nn_clear_error(nn);
    ENSURE(nn_read_loss_at(here(41), t.trainer, &loss) == NN_ERROR_NAN);
    ENSURE_TEXT(nn_error(nn), "nn_read_loss at train.c:41: step 2: the loss is NaN or infinite; "
                              "nothing has been updated since; "
                              "call nn_clear_fault(trainer)");
    task_weights(t.net, after);
    ENSURE(memcmp(before, after, sizeof(float) * (size_t)count) == 0);
    nn_clear_error(nn);
    ENSURE(nn_clear_fault(t.trainer) == NN_OK && nn_next_batch(t.loader));
    ENSURE(nn_train_step(t.trainer, t.loader) == NN_OK &&
           nn_read_report(t.trainer, &report) == NN_OK);
    ENSURE(report.samples == 16);
    nn_close(nn);
}

/* ---- datasets and loaders -------------------------------------------------------------------- */

static nn_result get_sample(void *user, int32_t sample, void *const *to) {
    int32_t *bad = (int32_t *)user;
    if (bad && *bad == sample) return NN_ERROR_FILE;
    for (int i = 0; i < 3; i++) ((uint8_t *)to[0])[i] = (uint8_t)(10 * sample + i);
    *(int64_t *)to[1] = 100 + sample;
    return NN_OK;
}

static nn_dataset *function_dataset(nn_context *nn, int32_t count, int32_t *bad) {
    nn_dataset_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.count = count;
    desc.get = get_sample;
    desc.user = bad;
    FIELD_AT(desc.fields, 0).name = "pixels";
    FIELD_AT(desc.fields, 0).shape = NN_SHAPE(3);
    FIELD_AT(desc.fields, 0).data_dtype = NN_U8;
    FIELD_AT(desc.fields, 0).scale = 1.0f / 256;
    FIELD_AT(desc.fields, 0).offset = -0.5f;
    FIELD_AT(desc.fields, 1).name = "label";
    FIELD_AT(desc.fields, 1).dtype = NN_I32;
    FIELD_AT(desc.fields, 1).data_dtype = NN_I64;
    return nn_make_dataset(nn, &desc);
}

static nn_loader *plain_loader(nn_context *nn, nn_dataset *dataset, int batch, bool shuffle,
                               bool drop_last, uint64_t seed) {
    nn_loader_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dataset = dataset;
    desc.batch = batch;
    desc.shuffle = shuffle;
    desc.drop_last = drop_last;
    desc.seed = seed;
    return nn_make_loader_at(here(9), nn, &desc);
}

/* Reads one epoch's samples, in order, and returns their number; -1: a batch is not as it should
   be. */
static int read_epoch(nn_loader *loader, int32_t *samples) {
    int count = 0;
    while (nn_next_batch(loader)) {
        nn_tensor *pixels = nn_batch_tensor(loader, "pixels"),
                  *label = nn_batch_tensor(loader, "label");
        int32_t batch = nn_loader_batch(loader);
        if (nn_tensor_shape(pixels).extent[0] != batch ||
            nn_tensor_bytes(label) != 4u * (uint64_t)batch)
            return -1;
        for (int32_t i = 0; i < batch; i++) {
            int32_t sample = ((int32_t *)nn_tensor_data(label))[i] - 100;
            for (int j = 0; j < 3; j++) {
                if (((float *)nn_tensor_data(pixels))[3 * i + j] !=
                    (float)(uint8_t)(10 * sample + j) / 256.0f - 0.5f)
                    return -1;
            }
            samples[count++] = sample;
        }
    }
    return nn_loader_result(loader) == NN_END ? count : -1;
}

static void test_loader_order(void) {
    nn_context *nn = open_threads(1);
    nn_dataset *dataset = function_dataset(nn, 10, NULL);
    nn_loader *plain = plain_loader(nn, dataset, 4, false, false, 0),
              *dropping = plain_loader(nn, dataset, 4, false, true, 0);
    nn_loader *a = plain_loader(nn, dataset, 4, true, false, 6),
              *b = plain_loader(nn, dataset, 3, true, false, 6);
    nn_loader *other = plain_loader(nn, dataset, 4, true, false, 7);
    int32_t first[16], second[16], third[16], expected[16];
    uint64_t calls;
    ENSURE(dataset && plain && dropping && a && b && other);
    ENSURE(nn_dataset_count(dataset) == 10 && nn_batches_per_epoch(plain) == 3 &&
           nn_batches_per_epoch(dropping) == 2);
    ENSURE(read_epoch(plain, first) == 10);
    for (int i = 0; i < 10; i++) ENSURE(first[i] == i);
    ENSURE(nn_loader_epoch(plain) == 0 && nn_loader_batch(plain) == 0);
    ENSURE(nn_next_batch(plain) && nn_loader_epoch(plain) == 1 && nn_loader_result(plain) == NN_OK);
    ENSURE(read_epoch(dropping, first) == 8);
    calls = nn_context_memory(nn).calls;
    ENSURE(read_epoch(a, first) == 10 && read_epoch(a, second) == 10 && read_epoch(b, third) == 10);
    ENSURE(memcmp(first, third, 40) == 0); /* seed and epoch decide the order, the batch does not */
    ENSURE(memcmp(first, second, 40) != 0);
    nn_random_permutation(6, 1, expected, 10);
    ENSURE(memcmp(second, expected, 40) == 0);
    ENSURE(read_epoch(other, third) == 10 && memcmp(first, third, 40) != 0);
    ENSURE(nn_start_epoch(a, 1) == NN_OK && nn_next_batch(a) && nn_start_epoch(a, 0) == NN_OK);
    ENSURE(read_epoch(a, third) == 10 && memcmp(first, third, 40) == 0);
    ENSURE(nn_context_memory(nn).calls == calls);
    ENSURE(!nn_batch_tensor(a, "nothing") && !nn_next_batch(NULL) &&
           nn_loader_result(NULL) == NN_ERROR_ARGUMENT);
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

static void test_loader_errors(void) {
    nn_context *nn = open_threads(1);
    int32_t bad = 5, samples[16];
    nn_dataset *dataset = function_dataset(nn, 8, &bad);
    nn_loader *loader = plain_loader(nn, dataset, 4, false, false, 0);
    nn_loader *kept = plain_loader(nn, dataset, 4, false, false, 0);
    nn_dataset_desc desc;
    ENSURE(nn_next_batch(loader) && !nn_next_batch_at(here(12), loader));
    ENSURE(nn_loader_result(loader) == NN_ERROR_FILE);
    ENSURE_TEXT(nn_error(nn), "nn_next_batch at train.c:12: sample 5: the function of the dataset "
                              "returned -9: a file could not be read or "
                              "written; epoch 0 ends here");
    nn_clear_error(nn);
    bad = -1;
    ENSURE(read_epoch(loader, samples) == 8 && nn_loader_epoch(loader) == 1);
    nn_free_loader(loader);
    nn_free_dataset(dataset);
    ENSURE(!nn_next_batch_at(here(13), kept) && nn_loader_result(kept) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(nn_error(nn), "nn_next_batch at train.c:13: the dataset of this loader was freed; "
                              "free it after its loaders");
    nn_clear_error(nn);
    nn_free_loader(kept);
    ENSURE(!plain_loader(nn, NULL, 4, false, false, 0));
    ENSURE_TEXT(nn_error(nn), "nn_make_loader at train.c:9: desc.dataset is NULL");
    nn_clear_error(nn);
    memset(&desc, 0, sizeof desc);
    desc.count = 3;
    FIELD_AT(desc.fields, 0).name = "x";
    ENSURE(!nn_make_dataset_at(here(3), nn, &desc));
    ENSURE_TEXT(nn_error(nn), "nn_make_dataset at train.c:3: field \"x\" has no data and the "
                              "dataset no function; give .data or .get");
    nn_clear_error(nn);
    dataset = function_dataset(nn, 3, &bad);
    ENSURE(dataset && !plain_loader(nn, dataset, 4, false, true, 0));
    nn_clear_error(nn);
    ENSURE(!function_dataset(nn, 0, &bad));
    nn_clear_error(nn);
    nn_close(nn);
}

static void test_field_names(void) {
    task t;
    nn_loader *loader;
    nn_dataset *dataset;
    nn_context *nn = open_threads(1);
    task_describe(&t, nn, NN_SGD);
    ENSURE(nn_train_step_at(here(8), t.trainer, t.loader) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(nn_error(nn), "nn_train_step at train.c:8: the loader holds no batch; call "
                              "nn_next_batch first, and check its result");
    nn_clear_error(nn);
    dataset = function_dataset(nn, 8, NULL);
    loader = plain_loader(nn, dataset, 4, false, false, 0);
    ENSURE(nn_next_batch(loader));
    ENSURE(nn_train_step_at(here(9), t.trainer, loader) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(nn_error(nn), "nn_train_step at train.c:9: the loader has the fields \"pixels\", "
                              "\"label\", the step has the inputs \"image\", "
                              "\"label\"; give each input a field of its name");
    nn_clear_error(nn);
    nn_free_loader(loader);
    loader = task_loader(&t, 16, false, nn_cpu());
    ENSURE(nn_next_batch(loader) &&
           nn_train_step_at(here(10), t.trainer, loader) == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(nn), "nn_train_step at train.c:10: the loader's batch has 16 samples, the "
                              "trainer was made for at most 8; give "
                              "nn_trainer_desc.batch = 16");
    nn_clear_error(nn);
    /* loaders come and go at one address */
    for (int i = 0; i < 4; i++) {
        nn_free_loader(loader);
        loader = task_loader(&t, 8, false, nn_cpu());
        ENSURE(nn_next_batch(loader) && nn_train_step(t.trainer, loader) == NN_OK);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
}

static void test_trainer_errors(void) {
    task t;
    nn_trainer_desc desc;
    nn_context *nn = open_threads(1);
    task_describe(&t, nn, NN_SGD);
    memset(&desc, 0, sizeof desc);
    ENSURE(!nn_make_trainer_at(here(1), t.net, NULL, &desc));
    nn_clear_error(nn);
    ENSURE(!nn_make_trainer_at(here(1), t.net, t.logits, &desc));
    ENSURE_TEXT(nn_error(nn), "nn_make_trainer at train.c:1: the loss \"fc2\" is (batch, 4) f32; "
                              "wanted one f32 number, as losses and nn_mean give");
    nn_clear_error(nn);
    desc.learning_rate = NAN;
    ENSURE(!nn_make_trainer_at(here(1), t.net, t.loss, &desc));
    ENSURE_TEXT(
        nn_error(nn),
        "nn_make_trainer at train.c:1: learning_rate is nan; wanted a finite number of at least 0");
    nn_clear_error(nn);
    desc.learning_rate = -1;
    ENSURE(!nn_make_trainer_at(here(1), t.net, t.loss, &desc));
    nn_clear_error(nn);
    desc.learning_rate = 0;
    desc.batch = -4;
    ENSURE(!nn_make_trainer_at(here(1), t.net, t.loss, &desc));
    ENSURE_TEXT(nn_error(nn),
                "nn_make_trainer at train.c:1: batch is -4; wanted at least 1, or 0 for 1");
    nn_clear_error(nn);
    desc.batch = 0;
    desc.learning_rate = 0;
    NODE_AT(desc.metrics, 0) = t.logits;
    ENSURE(!nn_make_trainer_at(here(1), t.net, t.loss, &desc));
    nn_clear_error(nn);
    desc.metrics.count = 0;
    desc.sgd.nesterov = true;
    ENSURE(!nn_make_trainer_at(here(1), t.net, t.loss, &desc));
    nn_clear_error(nn);
    desc.sgd.nesterov = false;
    ENSURE(nn_freeze(t.net, "fc1.", true) == NN_OK && nn_freeze(t.net, "fc2.", true) == NN_OK);
    ENSURE(!nn_make_trainer_at(here(1), t.net, t.loss, &desc)); /* nothing to train */
    nn_clear_error(nn);
    ENSURE(!nn_make_trainer(NULL, t.loss, &desc));
    int32_t done = 7;
    ENSURE(nn_train_steps(t.trainer, NULL, 3, &done) == NN_ERROR_ARGUMENT && done == 0);
    ENSURE(strstr(nn_error(t.nn), "loader is NULL"));
    nn_clear_error(t.nn);
    ENSURE(nn_train_steps(t.trainer, t.loader, 0, &done) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(t.nn), "count is 0; wanted at least 1 step"));
    nn_clear_error(t.nn);
    ENSURE(nn_train_step(NULL, t.loader) == NN_ERROR_ARGUMENT &&
           nn_train_on_inputs(NULL) == NN_ERROR_ARGUMENT);
    ENSURE(nn_fit(NULL, t.loader, (const nn_fit_desc *)NULL) == NN_ERROR_ARGUMENT &&
           nn_trainer_step(NULL) == 0);
    ENSURE(nn_train_step(t.trainer, NULL) == NN_ERROR_ARGUMENT);
    nn_free_trainer(NULL);
    nn_close(nn);
}

/* ---- what a program's trainers do not need is left out --------------------------------------- */

/* True if the desc is refused with `words` and the task's trainer still trains. */
static bool left_out(task *t, const nn_trainer_desc *desc, const char *words) {
    const bool refused = nn_make_trainer_using(t->net, t->loss, desc, NULL) == NULL;
    const bool told = nn_error(t->nn) && strstr(nn_error(t->nn), words);
    if (!told) printf("%s: %s\n", words, nn_error(t->nn) ? nn_error(t->nn) : "no error");
    nn_clear_error(t->nn);
    return refused && told && nn_train_on_inputs(t->trainer) == NN_OK;
}

static void test_left_out(void) {
    nn_trainer_desc desc, plain;
    nn_fit_desc fit;
    nn_trainer *trainer;
    task t;
    task_describe(&t, nn_open(NULL), NN_ADAM);
    memset(&plain, 0, sizeof plain);
    plain.batch = 8;
    ENSURE(nn_next_batch(t.loader) && nn_train_step(t.trainer, t.loader) == NN_OK);
    desc = plain;
    desc.optimizer = NN_LION;
    ENSURE(left_out(&t, &desc, "\"lion\" has no kernel") && left_out(&t, &desc, "nn_optimizers()"));
    desc.optimizer = NN_MUON;
    ENSURE(left_out(&t, &desc, "\"muon\" has no kernel"));
    desc.optimizer = NN_ADAM;
    desc.adam.amsgrad = true;
    ENSURE(left_out(&t, &desc, "\"adam\" with amsgrad"));
    desc.adam.amsgrad = false;
    desc.max_value = 1.0f;
    ENSURE(left_out(&t, &desc, "\"adam\" with max_value"));
    desc = plain;
    GROUP_AT(desc.groups, 0).pattern = "fc1.";
    GROUP_AT(desc.groups, 0).optimizer = NN_RADAM;
    ENSURE(left_out(&t, &desc, "\"radam\" has no kernel"));
    /* Groups whose optimizers have kernels need no nn_optimizers(), which stays with the
       context. */
    GROUP_AT(desc.groups, 0).optimizer = NN_ADAMW;
    trainer = nn_make_trainer_using(t.net, t.loss, &desc, NULL);
    ENSURE(trainer && nn_train_step(trainer, t.loader) == NN_OK);
    nn_free_trainer(trainer);
    desc.shards = 2;
    GROUP_AT(desc.groups, 0).optimizer = NN_RADAM;
    trainer = nn_make_trainer_using(t.net, t.loss, &desc, nn_optimizers());
    ENSURE(trainer && nn_train_step(trainer, t.loader) == NN_OK);
    nn_free_trainer(trainer);
    trainer = nn_make_trainer_using(t.net, t.loss, &desc, NULL);
    ENSURE(trainer && nn_train_step(trainer, t.loader) == NN_OK && nn_error(t.nn) == NULL);
    /* nn_fit without checkpoints does not need nn_checkpoints(). */
    memset(&fit, 0, sizeof fit);
    ENSURE(nn_fit_using(t.trainer, t.loader, &fit, NULL) == NN_OK);
    fit.checkpoint.path = "left_out.checkpoint";
    ENSURE(nn_fit_using(t.trainer, t.loader, &fit, NULL) == NN_ERROR_UNSUPPORTED);
    ENSURE(strstr(nn_error(t.nn), ".checkpoint is given; give it nn_checkpoints()"));
    nn_clear_error(t.nn);
    fit.checkpoint.path = NULL;
    fit.stop.restore_best = true;
    ENSURE(nn_fit_using(t.trainer, t.loader, &fit, NULL) == NN_ERROR_UNSUPPORTED);
    ENSURE(strstr(nn_error(t.nn), ".stop.restore_best is given"));
    nn_clear_error(t.nn);
    ENSURE(nn_fit_using(t.trainer, t.loader, &fit, nn_checkpoints()) == NN_OK);
    nn_close(t.nn);
}

/* ---- zero means default, NN_NONE means zero -------------------------------------------------- */

/* Computes three steps of Adam or AdamW on the sum of squares, as PyTorch defines them. */
static void plain_adam(const nn_trainer_desc *d, bool decoupled, double *w, int count) {
    for (int i = 0; i < count; i++) {
        double m = 0, v = 0;
        for (int step = 1; step <= 3; step++) {
            double g = 2 * w[i];
            if (decoupled) w[i] *= 1 - (double)d->learning_rate * (double)d->weight_decay;
            else g += (double)d->weight_decay * w[i];
            m = (double)d->beta1 * m + (1 - (double)d->beta1) * g;
            v = (double)d->beta2 * v + (1 - (double)d->beta2) * g * g;
            w[i] -= (double)d->learning_rate * (m / (1 - pow((double)d->beta1, step))) /
                    (sqrt(v / (1 - pow((double)d->beta2, step))) + (double)d->epsilon);
        }
    }
}

/* Tests in turn Adam's fields whose 0 means something else: NN_NONE makes it 0, a field that is
   left out has its default, and both agree with the plain loops. */
static void test_none_is_zero(void) {
    static const size_t fields[] = {
        offsetof(nn_trainer_desc, learning_rate), offsetof(nn_trainer_desc, weight_decay),
        offsetof(nn_trainer_desc, beta1), offsetof(nn_trainer_desc, beta2),
        offsetof(nn_trainer_desc, epsilon)};
    nn_schedule schedule;
    for (int f = -1; f < 5; f++)
        for (int decoupled = 0; decoupled < 2; decoupled++) {
            nn_context *nn = open_threads(1);
            nn_model *net = nn_make_model(nn, NULL);
            nn_node *node = nn_parameter(net, "w", NN_SHAPE(3), 0.5f, 1.5f);
            nn_tensor *tensor = nn_find_tensor(net, "w");
            float w[3] = {0.5f, -1.25f, 2.0f};
            double expected[3] = {0.5, -1.25, 2.0};
            nn_trainer_desc desc, full;
            nn_trainer *trainer;
            memset(&desc, 0, sizeof desc);
            desc.optimizer = decoupled ? NN_ADAMW : NN_ADAM;
            full = desc;
            full.learning_rate = 1e-3f;
            full.weight_decay = decoupled ? 1e-2f : 0;
            full.beta1 = 0.9f;
            full.beta2 = 0.999f;
            full.epsilon = 1e-8f;
            if (f >= 0) {
                *(float *)(void *)((char *)&desc + fields[f]) = NN_NONE;
                *(float *)(void *)((char *)&full + fields[f]) = 0;
            }
            ENSURE(nn_upload_tensor(tensor, w, sizeof w) == NN_OK);
            trainer = nn_make_trainer(net, nn_sum(net, nn_square(net, node)), &desc);
            ENSURE(trainer);
            for (int i = 0; i < 3; i++) ENSURE(nn_train_on_inputs(trainer) == NN_OK);
            ENSURE(nn_learning_rate(trainer) == full.learning_rate);
            nn_download_tensor(tensor, w, sizeof w);
            plain_adam(&full, decoupled, expected, 3);
            for (int i = 0; i < 3; i++) ENSURE_CLOSE(w[i], expected[i], 1e-6);
            ENSURE(!nn_error(nn));
            nn_close(nn);
        }
    memset(&schedule, 0, sizeof schedule);
    schedule.warmup = 10;
    ENSURE_CLOSE(nn_scheduled_rate(&schedule, 3, 0), 1, 1e-6);
    schedule.warmup_start = NN_NONE;
    ENSURE(nn_scheduled_rate(&schedule, 3, 0) == 0);
    schedule.warmup = INT64_MIN;
    schedule.kind = NN_SCHEDULE_STEP;
    schedule.steps = 5;
    ENSURE_CLOSE(nn_scheduled_rate(&schedule, 3, 9), 0.3, 1e-6);
    schedule.gamma = NN_NONE;
    ENSURE(nn_scheduled_rate(&schedule, 3, 9) == 0 && nn_scheduled_rate(&schedule, 3, 4) == 3);
}

/* ---- weights --------------------------------------------------------------------------------- */

static nn_context *open_disk(memory_disk *disk) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(disk, 0, sizeof *disk);
    desc.threads = 1;
    desc.files = memory_files(disk);
    return nn_open(&desc);
}

static void test_save_and_load(void) {
    task t;
    memory_disk disk;
    nn_ledger_limits limits;
    nn_context *nn = open_disk(&disk);
    float saved[512], other[512];
    int count;
    nn_reset_ledger(nn);
    task_describe(&t, nn, NN_ADAM);
    count = task_weights(t.net, saved);
    ENSURE(nn_save_weights(t.net, "mlp.safetensors") == NN_OK);
    for (int i = 0; i < 3; i++) ENSURE(task_step(&t));
    task_weights(t.net, other);
    ENSURE(memcmp(saved, other, sizeof(float) * (size_t)count) != 0);
    disk.fail_at =
        disk.operations + 2; /* the disk fails while the new file is written: the old one stays */
    ENSURE(nn_save_weights(t.net, "mlp.safetensors") < 0);
    nn_clear_error(nn);
    disk.fail_at = 0;
    nn_reset_ledger(nn);
    ENSURE(nn_load_weights_at(here(77), t.net, "mlp.safetensors", NULL) == NN_OK);
    ENSURE(nn_ledger_count(nn) == 4 && strcmp(nn_ledger_at(nn, 0).tensor, "fc1.weight") == 0 &&
           nn_ledger_at(nn, 0).site.line == 77);
    task_weights(t.net, other);
    ENSURE(memcmp(saved, other, sizeof(float) * (size_t)count) == 0);
    memset(&limits, 0, sizeof limits);
    limits.crossings = 2; /* of four: refused before the first one */
    nn_fill_zero(nn_find_tensor(t.net, "fc1.weight"));
    nn_ledger_limit(nn, &limits);
    ENSURE(nn_load_weights(t.net, "mlp.safetensors", NULL) == NN_ERROR_LIMIT);
    nn_ledger_limit(nn, (const nn_ledger_limits *)NULL);
    nn_clear_error(nn);
    ENSURE(((float *)nn_tensor_data(nn_find_tensor(t.net, "fc1.weight")))[0] == 0);
    ENSURE(nn_load_weights(t.net, "mlp.safetensors", NULL) == NN_OK);
    ENSURE(nn_load_weights(t.net, "nothing.safetensors", NULL) < 0);
    nn_clear_error(nn);
    ENSURE(nn_save_weights(NULL, "x") == NN_ERROR_ARGUMENT &&
           nn_load_weights(t.net, NULL, NULL) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    for (int i = 1; i < 12; i++) { /* a disk that fails somewhere while loading changes nothing */
        nn_result result;
        ENSURE(task_step(&t));
        task_weights(t.net, saved);
        disk.operations = 0;
        disk.fail_at = i;
        result = nn_load_weights(t.net, "mlp.safetensors", NULL);
        disk.fail_at = 0;
        task_weights(t.net, other);
        if (result < 0) ENSURE(memcmp(saved, other, sizeof(float) * (size_t)count) == 0);
        nn_clear_error(nn);
    }
    nn_close(nn);
    for (int i = 0; i < MEMORY_FILES; i++) memory_delete(&disk.files[i]);
}

static void test_strict_loading(void) {
    memory_disk disk;
    nn_context *nn = open_disk(&disk);
    nn_model *net = nn_make_model(nn, NULL);
    float ones[6] = {1, 2, 3, 4, 5, 6};
    uint16_t halves[2] = {0x3c00, 0xc000}; /* 1, -2 */
    nn_tensor *tensors[3];
    nn_parameter(net, "a.weight", NN_SHAPE(2, 3), 0.5f, 0.5f);
    nn_parameter(net, "a.bias", NN_SHAPE(3), 0, 0);
    nn_parameter(net, "b", NN_SHAPE(2), 0, 0);
    tensors[0] = nn_wrap(nn, "a.weight", NN_F32, NN_SHAPE(3, 2), ones);
    tensors[1] = nn_wrap(nn, "c.weight", NN_F32, NN_SHAPE(4), ones);
    tensors[2] = nn_wrap(nn, "b", NN_F16, NN_SHAPE(2), halves);
    ENSURE(nn_save_safetensors(nn, "x", tensors, 3, NULL, 0) == NN_OK);
    ENSURE(nn_load_weights_at(here(5), net, "x", NULL) == NN_ERROR_SHAPE);
    ENSURE_TEXT(
        nn_error(nn),
        "nn_load_weights at train.c:5: \"x\" does not fit the model \"model\"; nothing was loaded\n"
        "  missing:     \"a.bias\" (3) is in the model, not in the file\n"
        "  unexpected:  \"c.weight\" (4) is in the file, not in the model\n"
        "  wrong shape: \"a.weight\" is (3, 2) in the file, (2, 3) in the model");
    nn_clear_error(nn);
    nn_download_tensor(nn_find_tensor(net, "b"), ones, 8);
    ENSURE(ones[0] == 0 && ones[1] == 0);
    ones[0] = 1;
    nn_free_model(net);
    net = nn_make_model(nn, NULL); /* f16 in the file, f32 in the model */
    nn_parameter(net, "b", NN_SHAPE(2), 0, 0);
    ENSURE(nn_save_safetensors(nn, "x", tensors + 2, 1, NULL, 0) == NN_OK &&
           nn_load_weights(net, "x", NULL) == NN_OK);
    nn_download_tensor(nn_find_tensor(net, "b"), ones, 8);
    ENSURE(ones[0] == 1 && ones[1] == -2);
    ENSURE(!nn_error(nn));
    nn_close(nn);
    for (int i = 0; i < MEMORY_FILES; i++) memory_delete(&disk.files[i]);
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void test_move_and_back(void) {
    task stay, go;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    nn_loader *there, *home;
    nn_report a, b;
    nn_context *nn = open_threads(1), *other = open_threads(1);
    float first[512], second[512];
    int count;
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = true;
    sim = sim_open(nn, &desc, &device);
    task_describe(&stay, other, NN_ADAM);
    task_describe(&go, nn, NN_ADAM);
    there = task_loader(&go, 8, true, device);
    home = go.loader;
    for (int i = 0; i < 12; i++) {
        ENSURE(task_step(&stay));
        if (i == 3) {
            ENSURE(nn_move_trainer(go.trainer, device) == NN_OK);
            ENSURE(nn_same_device(nn_tensor_device(nn_find_tensor(go.net, "fc1.weight")), device));
            nn_start_epoch(there, 1);
            go.loader = there;
        }
        if (i == 9) {
            ENSURE(nn_move_trainer(go.trainer, nn_cpu()) == NN_OK);
            nn_start_epoch(home, 3);
            go.loader = home;
        }
        ENSURE(task_step(&go));
    }
    count = task_weights(stay.net, first);
    ENSURE(task_weights(go.net, second) == count &&
           memcmp(first, second, sizeof(float) * (size_t)count) == 0);
    ENSURE(nn_read_report(stay.trainer, &a) == NN_OK && nn_read_report(go.trainer, &b) == NN_OK);
    ENSURE(a.samples == b.samples && a.loss == b.loss &&
           a.metrics[0] == b.metrics[0]); /* accumulators went along */
    ENSURE(!nn_error(nn));
    nn_close(nn);
    nn_close(other);
    ENSURE(sim_free(sim) == 0);
}

/* A device that puts everything off is never given more than one piece of a step in slices, or a
   frame would wait for all. */
static void test_slices_of_a_queue(void) {
    task t;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    nn_result result;
    nn_context *nn = open_threads(1);
    int64_t fallible;
    int pieces = 0;
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = true;
    sim = sim_open(nn, &desc, &device);
    task_describe(&t, nn, NN_ADAM);
    ENSURE(nn_move_trainer(t.trainer, device) == NN_OK);
    t.loader = task_loader(&t, 8, true, device);
    ENSURE(nn_next_batch(t.loader));
    while ((result = nn_train_step_for(t.trainer, t.loader, 0)) == NN_PENDING) {
        ENSURE(sim->queue_count == 0);
        pieces++;
    }
    ENSURE(result == NN_OK && pieces > 5 && !nn_error(nn));
    ENSURE(nn_next_batch(t.loader) && nn_train_step_for(t.trainer, t.loader, 0) == NN_PENDING);
    fallible = sim->fallible;
    sim->fail_at = fallible + 2; /* the next piece, then waiting for it */
    sim->fail_count = 1;
    ENSURE(nn_train_step_for(t.trainer, t.loader, 0) < 0 && nn_error(nn));
    ENSURE(strstr(nn_error(nn), "nn_run_for: waiting for simulated") != NULL);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_move_of_the_model_alone(void) {
    task t;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    nn_context *nn = open_threads(1);
    float before[512], after[512];
    int count;
    memset(&desc, 0, sizeof desc);
    sim = sim_open(nn, &desc, &device);
    task_describe(&t, nn, NN_ADAM);
    ENSURE(task_step(&t));
    count = task_weights(t.net, before);
    ENSURE(nn_move_model_at(here(20), t.net, device) == NN_OK);
    ENSURE(nn_train_step_at(here(21), t.trainer, t.loader) == NN_ERROR_STALE);
    ENSURE_TEXT(nn_error(nn), "nn_train_step at train.c:21: the model \"mlp\" was moved to user0:0 "
                              "by nn_move_model at train.c:20, without its trainer; "
                              "call nn_move_trainer(trainer, device), which takes both");
    nn_clear_error(nn);
    ENSURE(nn_move_trainer(t.trainer, nn_cpu()) == NN_OK); /* brings it home */
    task_weights(t.net, after);
    ENSURE(memcmp(before, after, sizeof(float) * (size_t)count) == 0);
    ENSURE(task_step(&t));
    ENSURE(nn_move_model(t.net, nn_opencl(3)) == NN_ERROR_DEVICE);
    nn_clear_error(nn);
    ENSURE(nn_move_model(t.net, nn_cpu()) == NN_OK && nn_train_step(t.trainer, t.loader) == NN_OK);
    ENSURE(!nn_error(nn));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* Every call on the device that can fail fails once: the trainer stays on its device and
   continues. */
static void test_move_that_fails(void) {
    task t;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    nn_context *nn = open_threads(1);
    float before[512], after[512];
    int count, failures = 0;
    nn_result result = NN_ERROR_BACKEND;
    memset(&desc, 0, sizeof desc);
    sim = sim_open(nn, &desc, &device);
    task_describe(&t, nn, NN_ADAM);
    ENSURE(task_step(&t));
    for (int n = 1; n < 400 && result != NN_OK; n++) {
        count = task_weights(t.net, before);
        sim_fail_at(sim, n);
        result = nn_move_trainer(t.trainer, device);
        sim_fail_at(sim, 0);
        nn_clear_error(nn);
        if (result == NN_OK) break;
        failures++;
        ENSURE(sim->live_allocations == 0 && sim->live_bytes == 0);
        ENSURE(nn_same_device(nn_tensor_device(nn_find_tensor(t.net, "fc2.bias")), nn_cpu()));
        task_weights(t.net, after);
        ENSURE(memcmp(before, after, sizeof(float) * (size_t)count) == 0);
        ENSURE(task_step(&t));
    }
    ENSURE(result == NN_OK && failures > 10);
    ENSURE(nn_same_device(nn_tensor_device(nn_find_tensor(t.net, "fc2.bias")), device));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_move_refused(void) {
    task t;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    nn_ledger_limits limits;
    nn_context *nn = open_threads(1);
    memset(&desc, 0, sizeof desc);
    memset(&limits, 0, sizeof limits);
    desc.refuse[NN_KERNEL_UPDATE] = "this device does not learn";
    sim = sim_open(nn, &desc, &device);
    task_describe(&t, nn, NN_ADAM);
    ENSURE(task_step(&t));
    ENSURE(nn_move_trainer(t.trainer, device) <
           0); /* the plan finds it out, after everything was copied */
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "this device does not learn"));
    nn_clear_error(nn);
    ENSURE(sim->live_allocations == 0 && task_step(&t));
    limits.crossings = NN_LEDGER_NOTHING;
    nn_ledger_limit(nn, &limits);
    ENSURE(nn_move_trainer(t.trainer, device) == NN_ERROR_LIMIT);
    nn_ledger_limit(nn, (const nn_ledger_limits *)NULL);
    nn_clear_error(nn);
    ENSURE(sim->live_allocations == 0 && task_step(&t));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* Of two layers on one device, only the one that was not pinned there moves. */
static void test_move_leaves_pinned(void) {
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    nn_context *nn = open_threads(1);
    nn_model *net = nn_make_model(nn, NULL);
    float value[2] = {0, 0};
    memset(&desc, 0, sizeof desc);
    sim = sim_open(nn, &desc, &device);
    nn_parameter(net, "a", NN_SHAPE(2), 1, 1);
    nn_device_begin(net, nn_cpu());
    nn_parameter(net, "b", NN_SHAPE(2), 2, 2);
    nn_device_end(net);
    nn_parameter(net, "c", NN_SHAPE(2), 3, 3);
    ENSURE(nn_find_tensor(net, "a"));
    for (int round = 0; round < 3; round++) {
        ENSURE(nn_move_model(net, device) == NN_OK);
        ENSURE(nn_same_device(nn_tensor_device(nn_find_tensor(net, "a")), device));
        ENSURE(nn_same_device(nn_tensor_device(nn_find_tensor(net, "b")), nn_cpu()));
        nn_download_tensor(nn_find_tensor(net, "c"), value, sizeof value);
        ENSURE(value[0] == 3 && value[1] == 3);
        ENSURE(nn_move_model(net, nn_cpu()) == NN_OK);
        ENSURE(sim->live_allocations == 0);
        nn_download_tensor(nn_find_tensor(net, "a"), value, sizeof value);
        ENSURE(value[0] == 1 && value[1] == 1);
        nn_download_tensor(nn_find_tensor(net, "b"), value, sizeof value);
        ENSURE(value[0] == 2);
    }
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* ---- no memory ------------------------------------------------------------------------------- */

typedef struct scarce {
    int  calls, fail_at; /* 0: never */
    bool once;           /* false: that call and all after it fail */
    long live;
} scarce;

static void *scarce_allocate(void *user, size_t bytes, size_t alignment) {
    scarce *s = (scarce *)user;
    char *block, *aligned;
    s->calls++;
    if (s->fail_at > 0 && (s->once ? s->calls == s->fail_at : s->calls >= s->fail_at)) return NULL;
    block = (char *)malloc(bytes + alignment + sizeof(void *));
    aligned = (char *)(((uintptr_t)block + sizeof(void *) + alignment - 1) / alignment * alignment);
    memcpy(aligned - sizeof(void *), &block, sizeof block);
    s->live++;
    return aligned;
}

static void scarce_release(void *user, void *memory, size_t bytes, size_t alignment) {
    void *block;
    (void)bytes;
    (void)alignment;
    memcpy(&block, (char *)memory - sizeof(void *), sizeof block);
    free(block);
    ((scarce *)user)->live--;
}

static nn_context *open_scarce(scarce *s, memory_disk *disk) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(s, 0, sizeof *s);
    memset(disk, 0, sizeof *disk);
    desc.threads = 1;
    desc.allocator.allocate = scarce_allocate;
    desc.allocator.release = scarce_release;
    desc.allocator.user = s;
    desc.files = memory_files(disk);
    return nn_open(&desc);
}

/* While a net is described, and a trainer, a dataset and a loader are made, each allocation fails,
   alone or with all after it. */
static void making_without_memory(bool once) {
    int failures = 0;
    for (int n = 2; n < 400; n++) {
        scarce memory;
        memory_disk disk;
        task t;
        nn_context *nn = open_scarce(&memory, &disk);
        bool made;
        ENSURE(nn);
        memory.once = once;
        memory.fail_at = memory.calls + n;
        task_describe(&t, nn, NN_ADAM);
        made = memory.calls < memory.fail_at;
        ENSURE(!made || (t.trainer && t.loader && !nn_error(nn)));
        ENSURE((t.trainer && t.loader) || nn_error_code(nn) == NN_ERROR_MEMORY ||
               nn_error_code(nn) == NN_ERROR_FAULTS || !t.net);
        failures += !t.trainer;
        nn_close(nn);
        ENSURE(memory.live == 0);
        if (made) break;
    }
    ENSURE(failures > 15 && failures < 390);
}

static void test_making_without_memory(void) {
    making_without_memory(false);
    making_without_memory(true);
}

static void test_moving_without_memory(void) {
    scarce memory;
    memory_disk disk;
    task t;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    float before[512], after[512];
    int count, failures = 0;
    nn_result result = NN_ERROR_MEMORY;
    nn_context *nn = open_scarce(&memory, &disk);
    memset(&desc, 0, sizeof desc);
    sim = sim_open(nn, &desc, &device);
    task_describe(&t, nn, NN_ADAM);
    ENSURE(t.trainer && task_step(&t));
    for (int round = 0; round < 2; round++) { /* there and back */
        nn_device to = round ? nn_cpu() : device, from = round ? device : nn_cpu();
        result = NN_ERROR_MEMORY;
        for (int n = 1; n < 300 && result != NN_OK; n++) {
            count = task_weights(t.net, before);
            memory.fail_at = memory.calls + n;
            result = nn_move_trainer(t.trainer, to);
            memory.fail_at = 0;
            nn_clear_error(nn);
            if (result == NN_OK) break;
            failures++;
            ENSURE(nn_same_device(nn_tensor_device(nn_find_tensor(t.net, "fc1.bias")), from));
            task_weights(t.net, after);
            ENSURE(memcmp(before, after, sizeof(float) * (size_t)count) == 0);
            if (round == 0) ENSURE(sim->live_allocations == 0 && task_step(&t));
        }
        ENSURE(result == NN_OK);
    }
    ENSURE(failures > 5 && task_step(&t));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0 && memory.live == 0);
}

/* Loading onto a device: every call there, every allocation of the host and every crossing fails
   once. */
static void test_loading_that_fails(void) {
    scarce memory;
    memory_disk disk;
    task t;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    float saved[512], before[512], after[512];
    int count, failures = 0;
    nn_ledger_limits limits;
    nn_context *nn = open_scarce(&memory, &disk);
    memset(&desc, 0, sizeof desc);
    memset(&limits, 0, sizeof limits);
    desc.asynchronous = true;
    sim = sim_open(nn, &desc, &device);
    task_describe(&t, nn, NN_ADAM);
    count = task_weights(t.net, saved);
    ENSURE(nn_save_weights(t.net, "w") == NN_OK && task_step(&t) &&
           nn_move_trainer(t.trainer, device) == NN_OK);
    for (int kind = 0; kind < 3; kind++) {
        nn_result result = NN_ERROR_BACKEND;
        nn_fill_zero(nn_find_tensor(t.net, "fc1.weight"));
        for (int n = 1; n < 100 && result != NN_OK; n++) {
            int64_t live = sim->live_allocations;
            task_weights(t.net, before);
            limits.crossings = (uint64_t)n;
            if (kind == 0) sim_fail_at(sim, n);
            else if (kind == 1) memory.fail_at = memory.calls + n;
            else nn_ledger_limit(nn, &limits);
            result = nn_load_weights(t.net, "w", NULL);
            sim_fail_at(sim, 0);
            memory.fail_at = 0;
            nn_ledger_limit(nn, (const nn_ledger_limits *)NULL);
            nn_clear_error(nn);
            ENSURE(sim->live_allocations == live);
            task_weights(t.net, after);
            if (result != NN_OK) {
                failures++;
                /* Once copies inside the device have begun, some weights may be new: such a copy
                   fails only if the device is broken. */
                if (sim->counters[SIM_COPY] == 0)
                    ENSURE(memcmp(before, after, sizeof(float) * (size_t)count) == 0);
            }
            sim->counters[SIM_COPY] = 0;
        }
        ENSURE(result == NN_OK && memcmp(saved, after, sizeof(float) * (size_t)count) == 0);
    }
    ENSURE(failures > 10);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0 && memory.live == 0);
    for (int i = 0; i < MEMORY_FILES; i++) memory_delete(&disk.files[i]);
}

/* ---- two devices in one step ----------------------------------------------------------------- */

/* Trains two layers, the second on `device`: the value crosses there, the gradient back. */
static int train_split(nn_context *nn, nn_device device, bool cross, float *to) {
    nn_model_desc model;
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_model *net;
    nn_node *x, *y, *h, *target;
    nn_trainer *trainer;
    float input[8 * 3], goal[8 * 2], loss, after[64];
    int count;
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < 24; i++) input[i] = (float)(i % 7) * 0.25f - 0.5f;
    for (int i = 0; i < 16; i++) goal[i] = (float)(i % 5) * 0.5f - 1.0f;
    net = nn_make_model(nn, &model);
    x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    layer.out_features = 5;
    h = nn_tanh(net, nn_linear(net, "near_layer", x, &layer));
    if (cross) h = nn_transfer(net, h, device);
    nn_device_begin(net, device);
    target = nn_input(net, "y", NN_F32, NN_SHAPE(NN_BATCH, 2));
    layer.out_features = 2;
    y = nn_mse_loss(net, nn_linear(net, "far_layer", h, &layer), target,
                    &(nn_mse_desc){.reduction = (nn_reduction)0});
    nn_device_end(net);
    desc.batch = 8;
    desc.optimizer = NN_ADAM;
    desc.learning_rate = 0.05f;
    trainer = nn_make_trainer(net, y, &desc);
    for (int i = 0; trainer && i < 20; i++) {
        nn_upload(nn_trainer_plan(trainer), x, input, sizeof input);
        nn_upload(nn_trainer_plan(trainer), target, goal, sizeof goal);
        if (nn_train_on_inputs(trainer) != NN_OK) return 0;
    }
    if (nn_error(nn)) printf("%s\n", nn_error(nn));
    if (!trainer || nn_error(nn)) return 0;
    count = task_weights(net, to);
    goal[3] = NAN; /* no device learns from it */
    nn_upload(nn_trainer_plan(trainer), x, input, sizeof input);
    nn_upload(nn_trainer_plan(trainer), target, goal, sizeof goal);
    if ((int)nn_train_on_inputs(trainer) > 0 || nn_read_loss(trainer, &loss) != NN_ERROR_NAN)
        return 0; /* reported now or later */
    nn_clear_error(nn);
    task_weights(net, after);
    return memcmp(to, after, sizeof(float) * (size_t)count) == 0 ? count : 0;
}

static void test_two_devices(void) {
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    float one[64], two[64];
    int count;
    nn_context *nn = open_threads(1);
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = true;
    sim = sim_open(nn, &desc, &device);
    count = train_split(nn, nn_cpu(), false, one);
    ENSURE(count == 3 * 5 + 5 + 5 * 2 + 2);
    ENSURE(train_split(nn, device, true, two) == count &&
           memcmp(one, two, sizeof(float) * (size_t)count) == 0);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* Trains two layers on two devices, with the labels on the second one. A label is out of range in
   the second of three steps, and then a loss is NaN. Neither device learns from there on, and the
   cause is reported. */
static void bad_label_over(nn_context *nn, nn_device near_device, nn_device far_device) {
    nn_model_desc model;
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_model *net;
    nn_node *x, *h, *label;
    nn_trainer *trainer;
    float input[8 * 3], before[64], after[64], loss;
    int32_t labels[8];
    int count = 0;
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < 24; i++) input[i] = (float)(i % 7) * 0.25f - 0.5f;
    model.device = near_device;
    net = nn_make_model(nn, &model);
    x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    layer.out_features = 5;
    h = nn_transfer(net, nn_tanh(net, nn_linear(net, "near_layer", x, &layer)), far_device);
    nn_device_begin(net, far_device);
    label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    layer.out_features = 2;
    h = nn_cross_entropy(net, nn_linear(net, "far_layer", h, &layer), label, NULL);
    nn_device_end(net);
    desc.batch = 8;
    desc.optimizer = NN_ADAM;
    desc.learning_rate = 0.05f;
    trainer = nn_make_trainer(net, h, &desc);
    ENSURE(trainer);
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 8; i++) labels[i] = i % 2;
        labels[3] = s == 1 ? 2 : 0;
        if (s == 2) input[5] = NAN;
        ENSURE(nn_upload(nn_trainer_plan(trainer), x, input, sizeof input) == NN_OK);
        ENSURE(nn_upload(nn_trainer_plan(trainer), label, labels, sizeof labels) == NN_OK);
        /* a device without a queue reports it at once, others when they reach it */
        nn_result result = nn_train_on_inputs(trainer);
        ENSURE(result == NN_OK || (s > 0 && result == NN_ERROR_LABEL));
        nn_clear_error(nn);
        if (s == 0) count = task_weights(net, before);
    }
    ENSURE(count == 3 * 5 + 5 + 5 * 2 + 2);
    ENSURE(nn_read_loss_at(here(60), trainer, &loss) == NN_ERROR_LABEL);
    ENSURE(strstr(nn_error(nn),
                  "step 2: a label is out of range: labels in \"label\" must be in [0, 2)") !=
           NULL);
    nn_clear_error(nn);
    ENSURE(task_weights(net, after) == count &&
           memcmp(before, after, sizeof(float) * (size_t)count) == 0);
    ENSURE(nn_clear_fault(trainer) == NN_OK && nn_trainer_step(trainer) == 1);
    input[5] = 0;
    ENSURE(nn_upload(nn_trainer_plan(trainer), x, input, sizeof input) == NN_OK &&
           nn_train_on_inputs(trainer) == NN_OK);
    ENSURE(nn_read_loss(trainer, &loss) == NN_OK && loss > 0);
    task_weights(net, after);
    for (int i = 0; i < 3; i++)
        ENSURE(memcmp(before + i * 10, after + i * 10, 10 * sizeof(float)) != 0); /* both learn */
    nn_free_model(net);
}

static void test_bad_label_stops_two_devices(void) {
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    nn_context *nn = open_threads(1);
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = true;
    sim = sim_open(nn, &desc, &device);
    bad_label_over(nn, nn_cpu(), device);
    bad_label_over(nn, device, nn_cpu());
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* ---- nn_fit ---------------------------------------------------------------------------------- */

static uint64_t tick(void *user) {
    uint64_t *now = (uint64_t *)user;
    return *now;
}

typedef struct watcher {
    int       calls, stop_at;
    uint64_t *now;
    double    loss;
} watcher;

static bool watch(void *user, const nn_progress *progress) {
    watcher *w = (watcher *)user;
    w->calls++;
    *w->now += 1500000000u;
    w->loss = progress->train.loss;
    return w->calls != w->stop_at;
}

static nn_result fit_text(char *text, size_t size, bool terminal, int stop_at, watcher *w,
                          nn_progress *last) {
    task t;
    nn_desc desc;
    nn_fit_desc fit;
    nn_text out;
    nn_context *nn;
    nn_result result;
    uint64_t now = 0;
    memset(&desc, 0, sizeof desc);
    memset(&fit, 0, sizeof fit);
    memset(&out, 0, sizeof out);
    memset(w, 0, sizeof *w);
    out.buffer = text;
    out.size = size;
    text[0] = 0;
    desc.threads = 1;
    desc.clock.now = tick;
    desc.clock.user = &now;
    nn = nn_open(&desc);
    task_describe(&t, nn, NN_ADAM);
    nn_set_learning_rate(
        t.trainer, 0); /* numbers that do not depend on rounding: losses of an untrained net */
    w->now = &now;
    w->stop_at = stop_at;
    fit.epochs = 2;
    fit.validation = task_loader(&t, 8, false, nn_cpu());
    fit.progress = true;
    fit.terminal = terminal;
    fit.report_every = 2;
    fit.writer.function = nn_write_text;
    fit.writer.user = &out;
    fit.callback = watch;
    fit.user = w;
    fit.last = last;
    result = nn_fit(t.trainer, t.loader, &fit);
    if (nn_error(nn)) printf("%s\n", nn_error(nn));
    nn_close(nn);
    return result;
}

/* The digit before a decimal point and all digits after it become '#': dropout and the initial
   weights are not what is tested here. */
static void mask(char *text) {
    for (char *c = text; *c; c++) {
        if (*c != '.' || c == text) continue;
        if (c[-1] >= '0' && c[-1] <= '9') c[-1] = '#';
        while (c[1] >= '0' && c[1] <= '9') *++c = '#';
    }
}

static void test_fit(void) {
    char text[2048];
    watcher w;
    nn_progress last;
    memset(&last, 0, sizeof last);
    ENSURE(fit_text(text, sizeof text, false, 0, &w, &last) == NN_OK);
    ENSURE(w.calls == 4); /* after batch 2 and at the end of each epoch */
    ENSURE(last.epoch == 2 && last.epoch_ended && last.batch == 3 &&
           last.train.samples == SAMPLES && last.validation.samples == SAMPLES);
    ENSURE(last.seconds == 4.5);
    ENSURE(strstr(text, "  1.5 s\n") && strstr(text, "  4.5 s\n"));
    mask(text);
    ENSURE_TEXT(
        text,
        "epoch 1/2  loss #.####  accuracy #.####  validation loss #.####  accuracy #.####  #.# s\n"
        "epoch 2/2  loss #.####  accuracy #.####  validation loss #.####  accuracy #.####  #.# "
        "s\n");
    ENSURE(fit_text(text, sizeof text, true, 0, &w, &last) == NN_OK);
    mask(text);
    ENSURE_TEXT(text, "\repoch 1/2  batch 2/3  loss #.####  accuracy #.####  #.# s"
                      "\repoch 1/2  loss #.####  accuracy #.####  validation loss #.####  accuracy "
                      "#.####  #.# s\n"
                      "\repoch 2/2  batch 2/3  loss #.####  accuracy #.####  #.# s"
                      "\repoch 2/2  loss #.####  accuracy #.####  validation loss #.####  accuracy "
                      "#.####  #.# s\n");
    ENSURE(fit_text(text, sizeof text, true, 3, &w, &last) == NN_CANCELLED);
    ENSURE(w.calls == 3 && last.epoch == 2 && !last.epoch_ended && last.batch == 2 &&
           text[strlen(text) - 1] == '\n');
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_regression);
    RUN(test_xor);
    RUN(test_report_and_evaluate);
    RUN(test_same_bytes);
    RUN(test_no_allocation);
    RUN(test_two_trainers_and_freeze);
    RUN(test_bad_label);
    RUN(test_nan_loss);
    RUN(test_loader_order);
    RUN(test_loader_errors);
    RUN(test_field_names);
    RUN(test_trainer_errors);
    RUN(test_left_out);
    RUN(test_none_is_zero);
    RUN(test_save_and_load);
    RUN(test_strict_loading);
    RUN(test_move_and_back);
    RUN(test_slices_of_a_queue);
    RUN(test_move_of_the_model_alone);
    RUN(test_move_that_fails);
    RUN(test_move_refused);
    RUN(test_move_leaves_pinned);
    RUN(test_making_without_memory);
    RUN(test_moving_without_memory);
    RUN(test_loading_that_fails);
    RUN(test_two_devices);
    RUN(test_bad_label_stops_two_devices);
    RUN(test_fit);
    return test_report();
}
