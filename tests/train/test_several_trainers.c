/* tests/train/test_several_trainers.c - several trainers of one model, averages of weights, and
   mistakes with both: no trainer changes what belongs to another one, a failing call changes
   nothing, and every mistake is an error. */
#ifndef NN_TEST_OPENCL
#define NN_IMPLEMENTATION
#endif
#include "nn.h"

#include "test.h"

#include "memory_files.h"
#include "sim_device.h"
#include "lists.h"

#include <stdlib.h>

static float some(int i) { return (float)((i * 7919 + 13) % 1000) / 500.0f - 1.0f; }

/* ---- a GAN ----------------------------------------------------------------------------------- */

enum { BATCH = 4, NOISE = 3, POINT = 2 };

typedef struct gan {
    nn_model *net;
    nn_node *z, *real;
    nn_trainer *trainers[2]; /* of the discriminator, of the generator */
} gan;
static const char *const parts[2] = {"discriminator.", "generator."};

/* Both halves have batch norms, so there are running statistics. The discriminator is described
   twice, for points of both kinds. */
static nn_node *judge(nn_model *m, nn_node *x) {
    x = nn_linear(m, "discriminator.1", x,
                  &(nn_linear_desc){.out_features = 5, .no_bias = true, .shared = true});
    x = nn_batch_norm1d(m, "discriminator.bn", x, &(nn_batch_norm_desc){.shared = true});
    return nn_linear(m, "discriminator.2", nn_tanh(m, x),
                     &(nn_linear_desc){.out_features = 1, .shared = true});
}

static gan make_gan(nn_context *nn, nn_optimizer optimizer, int accumulate) {
    gan g;
    nn_model *m = g.net = nn_make_model(nn, &(nn_model_desc){.name = "gan", .seed = 3});
    g.z = nn_input(m, "z", NN_F32, NN_SHAPE(NN_BATCH, NOISE));
    g.real = nn_input(m, "real", NN_F32, NN_SHAPE(NN_BATCH, POINT));
    nn_node *x =
        nn_linear(m, "generator.1", g.z, &(nn_linear_desc){.out_features = 6, .no_bias = true});
    x = nn_relu(m, nn_batch_norm1d(m, "generator.bn", x, NULL));
    x = nn_dropout(m, x, 0.2f);
    nn_node *fake =
        nn_linear(m, "generator.2", x, &(nn_linear_desc){.out_features = POINT, .no_bias = true});
    nn_node *right = judge(m, g.real), *wrong = judge(m, fake);
    nn_node *losses[2];
    losses[0] = nn_mean(m, nn_expression(m, "softplus(-right) + softplus(wrong)", right, wrong));
    losses[1] = nn_mean(m, nn_expression(m, "softplus(-wrong)", wrong));
    for (int i = 0; i < 2; i++)
        g.trainers[i] =
            nn_make_trainer(m, losses[i],
                            &(nn_trainer_desc){.batch = BATCH,
                                               .optimizer = optimizer,
                                               .parameters = NN_TEXTS(parts[i]),
                                               .max_norm = 1.0f,
                                               .accumulate = accumulate,
                                               .average = {.kind = NN_AVERAGE_EMA, .decay = 0.9f}});
    return g;
}

static nn_result step_gan(const gan *g, int which, int k) {
    float z[BATCH * NOISE], real[BATCH * POINT];
    nn_trainer *trainer = g->trainers[which];
    for (int i = 0; i < BATCH * NOISE; i++) z[i] = some(i + 100 * k);
    for (int i = 0; i < BATCH * POINT; i++) real[i] = some(i + 100 * k + 50);
    nn_upload(nn_trainer_plan(trainer), g->z, z, sizeof z);
    if (which == 0) nn_upload(nn_trainer_plan(trainer), g->real, real, sizeof real);
    return nn_train_on_inputs(trainer);
}

/* True if the tensor of a checkpoint belongs to the trainer: a parameter or buffer of its part, or
   a state of its own. */
static bool belongs(const char *name, int which) {
    return strncmp(name, "optimizer.", 10) == 0 || strncmp(name, "trainer.", 8) == 0 ||
           strncmp(name, parts[which], strlen(parts[which])) == 0;
}

/* Returns how many tensors differ between the two checkpoints, among those that belong to the
   trainer or among all others; -1: the files have different tensors. seen: the number of such
   tensors. */
static int count_changes(nn_context *nn, const char *before, const char *after, int which, bool own,
                         int *seen) {
    nn_safetensors *a = nn_open_safetensors(nn, before), *b = nn_open_safetensors(nn, after);
    int changes = nn_safetensors_count(a) == nn_safetensors_count(b) ? 0 : -1;
    *seen = 0;
    for (int i = 0; changes >= 0 && i < nn_safetensors_count(a); i++) {
        const nn_safetensors_entry entry = nn_safetensors_at(a, i);
        const int64_t numbers = nn_shape_count(entry.shape);
        const int other = nn_safetensors_find(b, entry.name);
        double x[64], y[64];
        if (other < 0 || numbers > 64) return -1;
        if (belongs(entry.name, which) != own) continue;
        const size_t bytes = sizeof(double) * (size_t)numbers;
        if (nn_read_safetensors(a, i, NN_F64, x, bytes) != NN_OK ||
            nn_read_safetensors(b, other, NN_F64, y, bytes) != NN_OK)
            return -1;
        ++*seen;
        changes += memcmp(x, y, bytes) != 0;
    }
    nn_close_safetensors(a);
    nn_close_safetensors(b);
    return changes;
}

/* A step of one trainer changes all of its own tensors and no byte of any other: parameters,
   running statistics, and the other trainer's moments, averages and totals. */
static void check_gan(nn_optimizer optimizer, int accumulate) {
    static memory_disk disk;
    memset(&disk, 0, sizeof disk);
    nn_context *nn = nn_open(&(nn_desc){.files = memory_files(&disk)});
    gan g = make_gan(nn, optimizer, accumulate);
    int seen;
    ENSURE(g.trainers[0] && g.trainers[1]);
    for (int k = 0; k < 2 * accumulate; k++) ENSURE(step_gan(&g, k % 2, k) == NN_OK);
    for (int k = 0; k < 4; k++) {
        const int at = k % 2, other = 1 - at;
        ENSURE(nn_save_checkpoint(g.trainers[at], "own", NULL) == NN_OK);
        ENSURE(nn_save_checkpoint(g.trainers[other], "other", NULL) == NN_OK);
        for (int i = 0; i < accumulate; i++) ENSURE(step_gan(&g, at, k + i) == NN_OK);
        ENSURE(nn_save_checkpoint(g.trainers[at], "own.after", NULL) == NN_OK);
        ENSURE(nn_save_checkpoint(g.trainers[other], "other.after", NULL) == NN_OK);
        ENSURE(count_changes(nn, "other", "other.after", other, true, &seen) == 0 && seen > 15);
        ENSURE(count_changes(nn, "own", "own.after", at, false, &seen) == 0 && seen > 6);
        ENSURE(count_changes(nn, "own", "own.after", at, true, &seen) == seen && seen > 15);
    }
    ENSURE(!nn_error(nn));
    nn_close(nn);
    for (int i = 0; i < MEMORY_FILES; i++) memory_delete(&disk.files[i]);
}

static void test_gan(void) {
    check_gan(NN_ADAM, 1);
    check_gan(NN_RADAM, 1);
    check_gan(NN_ADAM, 2);
}

/* ---- averages -------------------------------------------------------------------------------- */

typedef struct line {
    nn_model *net;
    nn_node *x, *loss;
    nn_trainer *trainer;
} line;

static line make_line(nn_context *nn, nn_device device, nn_dtype dtype, nn_average_desc average) {
    line l;
    nn_model *m = l.net = nn_make_model(
        nn, &(nn_model_desc){.name = "line", .device = device, .dtype = dtype, .seed = 2});
    l.x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    nn_node *y = nn_linear(m, "fc1", l.x, &(nn_linear_desc){.out_features = 4});
    y = nn_linear(m, "fc2", nn_tanh(m, y), &(nn_linear_desc){.out_features = 2});
    l.loss = nn_mean(m, nn_square(m, y));
    l.trainer = nn_make_trainer(
        m, l.loss,
        &(nn_trainer_desc){
            .batch = 2, .optimizer = NN_ADAM, .learning_rate = 0.05f, .average = average});
    return l;
}

static nn_result step_line(const line *l, int k) {
    float x[6];
    for (int i = 0; i < 6; i++) x[i] = some(i + 6 * k);
    nn_upload(nn_trainer_plan(l->trainer), l->x, x, sizeof x);
    return nn_train_on_inputs(l->trainer);
}

enum { NUMBERS = 3 * 4 + 4 + 4 * 2 + 2 };

/* Reads all parameters, as f32. */
static void read_line(const line *l, float *to) {
    int count = 0;
    for (int i = 0; i < nn_model_tensor_count(l->net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(l->net, i);
        uint16_t bits[16];
        const int numbers = (int)nn_shape_count(nn_tensor_shape(tensor));
        if (nn_tensor_dtype(tensor) == NN_F32) {
            nn_download_tensor(tensor, to + count, sizeof(float) * (size_t)numbers);
        } else { /* bf16: the upper half of an f32 */
            nn_download_tensor(tensor, bits, 2 * (size_t)numbers);
            for (int k = 0; k < numbers; k++) {
                const uint32_t word = (uint32_t)bits[k] << 16;
                memcpy(to + count + k, &word, sizeof word);
            }
        }
        count += numbers;
    }
}

/* Each call of the device fails once: parameters and average do not change, and the next swap has
   the intended effect. */
static void check_exchange(nn_dtype dtype, bool asynchronous) {
    sim_desc desc;
    nn_device device;
    memset(&desc, 0, sizeof desc);
    desc.asynchronous = asynchronous;
    nn_context *nn = nn_open(NULL);
    sim_device *sim = sim_open(nn, &desc, &device);
    line l = make_line(nn, device, dtype, (nn_average_desc){.kind = NN_AVERAGE_EMA, .decay = 0.5f});
    float before[NUMBERS], average[NUMBERS], now[NUMBERS];
    int failures = 0;
    ENSURE(l.trainer);
    for (int k = 0; k < 3; k++) ENSURE(step_line(&l, k) == NN_OK);
    read_line(&l, before);
    ENSURE(nn_swap_average(l.trainer) == NN_OK);
    read_line(&l, average);
    ENSURE(memcmp(before, average, sizeof before) != 0);
    ENSURE(nn_swap_average(l.trainer) == NN_OK);
    for (int swapped = 0; swapped < 2; swapped++) {
        const float *here = swapped ? average : before, *there = swapped ? before : average;
        read_line(&l, now);
        ENSURE(memcmp(now, here, sizeof now) == 0);
        for (int nth = 1;; nth++) {
            sim_fail_at(sim, nth);
            const nn_result result = nn_swap_average(l.trainer);
            sim_fail_at(sim, 0);
            read_line(&l, now);
            if (result == NN_OK) break;
            ENSURE(memcmp(now, here, sizeof now) == 0 && nth < 500);
            nn_clear_error(nn);
            failures++;
            ENSURE(nn_swap_average(l.trainer) == NN_OK);
            read_line(&l, now);
            ENSURE(memcmp(now, there, sizeof now) == 0);
            ENSURE(nn_swap_average(l.trainer) == NN_OK);
        }
        ENSURE(memcmp(now, there, sizeof now) == 0);
    }
    ENSURE(failures > 20 && step_line(&l, 3) == NN_OK);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_exchange_that_fails(void) {
    check_exchange(NN_F32, false);
    check_exchange(NN_F32, true);
    check_exchange(NN_BF16, false);
}

/* For f16 and bf16 parameters the f32 masters are averaged: the average moves by steps below the
   rounding of the parameters, and swapping back restores their bytes. */
static void check_half(nn_dtype dtype, nn_average_kind kind) {
    static memory_disk disk;
    memset(&disk, 0, sizeof disk);
    nn_context *nn = nn_open(&(nn_desc){.files = memory_files(&disk)});
    const nn_average_desc average = {.kind = kind, .decay = 0.75f};
    line half = make_line(nn, nn_cpu(), dtype, average);
    const int64_t numbers = 12;
    double mean[12], master[12], kept[12];
    const size_t bytes = sizeof mean;
    uint16_t before[12], after[12];
    nn_tensor *weight = nn_find_tensor(half.net, "fc1.weight");
    ENSURE(half.trainer && nn_tensor_dtype(weight) == dtype);
    for (int k = 0; k < 5; k++) {
        ENSURE(step_line(&half, k) == NN_OK);
        ENSURE(nn_save_checkpoint(half.trainer, "a", NULL) == NN_OK);
        nn_safetensors *file = nn_open_safetensors(nn, "a");
        const int at = nn_safetensors_find(file, "optimizer.state.fc1.weight.master");
        const int of = nn_safetensors_find(file, "trainer.average.fc1.weight");
        ENSURE(at >= 0 && of >= 0 && nn_safetensors_at(file, of).dtype == NN_F32);
        ENSURE(nn_read_safetensors(file, at, NN_F64, master, bytes) == NN_OK);
        ENSURE(nn_read_safetensors(file, of, NN_F64, kept, bytes) == NN_OK);
        nn_close_safetensors(file);
        for (int i = 0; i < numbers; i++) {
            const double part = kind == NN_AVERAGE_EMA ? 0.25 : 1.0 / (k + 1);
            mean[i] = k == 0 ? master[i] : mean[i] + part * (master[i] - mean[i]);
            ENSURE_CLOSE(kept[i], mean[i], 1e-7);
        }
        nn_download_tensor(weight, before, sizeof before);
        ENSURE(nn_swap_average(half.trainer) == NN_OK);
        nn_download_tensor(weight, after, sizeof after);
        ENSURE(k == 0 || memcmp(before, after, sizeof before) != 0);
        for (int i = 0; i < numbers && dtype == NN_BF16; i++) {
            const uint32_t word = (uint32_t)after[i] << 16;
            float value;
            memcpy(&value, &word, sizeof value);
            ENSURE_CLOSE(value, mean[i], 1.0 / 256 * fabs(mean[i]) + 1e-6);
        }
        ENSURE(nn_swap_average(half.trainer) == NN_OK);
        nn_download_tensor(weight, after, sizeof after);
        ENSURE(memcmp(before, after, sizeof before) == 0);
    }
    /* a weight that the program writes counts, and also comes back */
    memset(before, 0, sizeof before);
    nn_upload_tensor(weight, before, sizeof before);
    ENSURE(nn_swap_average(half.trainer) == NN_OK && nn_swap_average(half.trainer) == NN_OK);
    nn_download_tensor(weight, after, sizeof after);
    ENSURE(memcmp(before, after, sizeof before) == 0);
    ENSURE(!nn_error(nn));
    nn_close(nn);
    for (int i = 0; i < MEMORY_FILES; i++) memory_delete(&disk.files[i]);
}

static void test_averages_of_halves(void) {
    check_half(NN_F16, NN_AVERAGE_EMA);
    check_half(NN_BF16, NN_AVERAGE_EMA);
    check_half(NN_BF16, NN_AVERAGE_SWA);
}

/* A device with a queue reports a fault some steps later. Meanwhile nothing is updated or averaged,
   because unchanged weights would count again and again. */
static void test_averages_stop_at_faults(void) {
    for (int kind = NN_AVERAGE_EMA; kind <= NN_AVERAGE_SWA; kind++) {
        sim_desc desc;
        nn_device device;
        memset(&desc, 0, sizeof desc);
        desc.asynchronous = true;
        nn_context *nn = nn_open(NULL);
        sim_device *sim = sim_open(nn, &desc, &device);
        const nn_average_desc average = {
            .kind = (nn_average_kind)kind, .decay = 0.5f, .start = 1, .every = 2};
        line l = make_line(nn, device, NN_F32, average),
             whole = make_line(nn, device, NN_F32, average);
        float bad[6] = {NAN, 0, 0, 0, 0, 0}, a[NUMBERS], b[NUMBERS];
        nn_report report;
        int k = 0;
        for (; k < 5; k++) ENSURE(step_line(&l, k) == NN_OK && step_line(&whole, k) == NN_OK);
        nn_upload(nn_trainer_plan(l.trainer), l.x, bad, sizeof bad);
        nn_train_on_inputs(l.trainer);
        for (int late = 0; late < 6; late++) step_line(&l, k + late);
        ENSURE(nn_trainer_step(l.trainer) > k); /* no error yet */
        ENSURE(nn_read_report(l.trainer, &report) == NN_ERROR_NAN);
        ENSURE(nn_clear_fault(l.trainer) == NN_OK);
        nn_clear_error(nn);
        ENSURE(nn_trainer_step(l.trainer) == k);
        for (; k < 8; k++) ENSURE(step_line(&l, k) == NN_OK && step_line(&whole, k) == NN_OK);
        ENSURE(nn_swap_average(l.trainer) == NN_OK && nn_swap_average(whole.trainer) == NN_OK);
        read_line(&l, a);
        read_line(&whole, b);
        ENSURE(memcmp(a, b, sizeof a) == 0);
        nn_close(nn);
        ENSURE(sim_free(sim) == 0);
    }
}

/* ---- the best epoch -------------------------------------------------------------------------- */

static bool rate_grows(void *user, const nn_progress *progress) {
    nn_set_learning_rate(*(nn_trainer **)user, progress->epoch < 3 ? 0.02f : 3.0f);
    return true;
}

/* Restoring copies in memory gives the same trainer as restoring a file: parameters, running
   statistics, moments, averages, step and rate. */
static void test_best_in_memory(void) {
    static memory_disk disk;
    static float z[8 * NOISE], real[8 * POINT];
    memset(&disk, 0, sizeof disk);
    for (int i = 0; i < 8 * NOISE; i++) z[i] = some(i);
    for (int i = 0; i < 8 * POINT; i++) real[i] = some(i + 400);
    for (int memory = 0; memory < 2; memory++) {
        nn_context *nn = nn_open(&(nn_desc){.files = memory_files(&disk)});
        gan g = make_gan(nn, NN_ADAM, 1);
        nn_dataset *data = nn_make_dataset(
            nn, &(nn_dataset_desc){
                    .fields = NN_FIELDS({.name = "z", .shape = NN_SHAPE(NOISE), .data = z},
                                        {.name = "real", .shape = NN_SHAPE(POINT), .data = real}),
                    .count = 8});
        nn_loader *train = nn_make_loader(nn, &(nn_loader_desc){.dataset = data, .batch = BATCH});
        nn_loader *tested = nn_make_loader(nn, &(nn_loader_desc){.dataset = data, .batch = BATCH});
        nn_progress last;
        nn_fit_desc desc = {.epochs = 6,
                            .validation = tested,
                            .last = &last,
                            .callback = rate_grows,
                            .user = &g.trainers[0],
                            .stop = {.restore_best = true}};
        if (!memory) desc.checkpoint.path = "run", desc.checkpoint.best = true;
        ENSURE(nn_fit(g.trainers[0], train, &desc) == NN_OK && !nn_error(nn));
        ENSURE(last.best_epoch > 1 && last.best_epoch < 6 && last.epoch == 6);
        ENSURE(nn_trainer_step(g.trainers[0]) == 2 * last.best_epoch);
        ENSURE(nn_save_checkpoint(g.trainers[0], memory ? "b" : "a", NULL) == NN_OK);
        nn_close(nn);
    }
    const memory_file *a = memory_find(&disk, "a"), *b = memory_find(&disk, "b");
    ENSURE(a && b && a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0);
    for (int i = 0; i < MEMORY_FILES; i++) memory_delete(&disk.files[i]);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

#define REFUSED(nn, call, words)                                                                   \
    do {                                                                                           \
        const nn_result refused = (call);                                                          \
        if ((int)refused >= 0 || !nn_error(nn) || !strstr(nn_error(nn), words))                    \
            test_fail(__FILE__, __LINE__, "%s gave %d, \"%s\"", #call, (int)refused,               \
                      nn_error(nn) ? nn_error(nn) : "no error");                                   \
        nn_clear_error(nn);                                                                        \
    } while (0)

/* While averages replace the parameters, any call that would write to them is an error: the change
   would end up in the average, and be lost when the parameters come back. */
static void test_writes_while_swapped(void) {
    static memory_disk disk;
    memset(&disk, 0, sizeof disk);
    nn_context *nn = nn_open(&(nn_desc){.files = memory_files(&disk)});
    const nn_average_desc average = {.kind = NN_AVERAGE_EMA, .decay = 0.5f};
    line l = make_line(nn, nn_cpu(), NN_F32, average),
         other = make_line(nn, nn_cpu(), NN_F32, average);
    nn_trainer_desc desc = {.batch = 2, .parameters = NN_TEXTS("fc1."), .average = average};
    line second = l, apart = l;
    float before[NUMBERS], after[NUMBERS];
    second.trainer = nn_make_trainer(l.net, l.loss, &desc);
    TEXT_AT(desc.parameters, 0) = "fc2.";
    apart.trainer = nn_make_trainer(l.net, l.loss, &desc);
    for (int k = 0; k < 3; k++)
        ENSURE(step_line(&second, k) == NN_OK && step_line(&apart, k) == NN_OK);
    ENSURE(nn_save_weights(l.net, "w") == NN_OK &&
           nn_save_checkpoint(apart.trainer, "c", NULL) == NN_OK);
    read_line(&l, before);
    ENSURE(nn_swap_average(second.trainer) == NN_OK);
    REFUSED(nn, step_line(&l, 0), "\"fc1.weight\" holds the average of another trainer");
    REFUSED(nn, nn_save_checkpoint(apart.trainer, "c", NULL), "\"fc1.weight\" of \"line\" holds");
    REFUSED(nn, nn_load_checkpoint(apart.trainer, "c", NULL), "holds its average");
    REFUSED(nn, nn_load_weights(l.net, "w", NULL), "nn_load_weights");
    REFUSED(nn, nn_blend_weights(l.net, other.net, 0.5f), "nn_blend_weights");
    REFUSED(nn, nn_initialise(l.net, "*", NULL), "nn_initialise");
    /* an average in the place of another part does not matter */
    ENSURE(step_line(&apart, 0) == NN_OK && nn_swap_average(apart.trainer) == NN_OK);
    ENSURE(nn_swap_average(apart.trainer) == NN_OK && nn_swap_average(second.trainer) == NN_OK);
    read_line(&l, after);
    ENSURE(memcmp(before, after, sizeof(float) * 16) == 0); /* fc1 */
    ENSURE(step_line(&l, 0) == NN_OK && nn_load_weights(l.net, "w", NULL) == NN_OK);
    /* a trainer that is freed in between leaves the average in place, and blocks nothing */
    ENSURE(nn_swap_average(second.trainer) == NN_OK);
    nn_free_trainer(second.trainer);
    ENSURE(step_line(&l, 0) == NN_OK && nn_load_weights(l.net, "w", NULL) == NN_OK &&
           !nn_error(nn));
    nn_close(nn);
    for (int i = 0; i < MEMORY_FILES; i++) memory_delete(&disk.files[i]);
}

/* A fault in the middle of a sum: after nn_clear_fault a new sum begins, on a device that reports
   the fault at once and on one that does not. */
static void test_fault_inside_a_sum(void) {
    float after[2][NUMBERS];
    for (int queued = 0; queued < 2; queued++) {
        sim_desc desc;
        nn_device device;
        memset(&desc, 0, sizeof desc);
        desc.asynchronous = queued;
        nn_context *nn = nn_open(NULL);
        sim_device *sim = sim_open(nn, &desc, &device);
        line l = make_line(nn, device, NN_F32, (nn_average_desc){.kind = NN_AVERAGE_NONE});
        float bad[6] = {NAN, 0, 0, 0, 0, 0};
        nn_report report;
        l.trainer = nn_make_trainer(l.net, l.loss, &(nn_trainer_desc){.batch = 2, .accumulate = 3});
        ENSURE(step_line(&l, 0) == NN_OK);
        nn_upload(nn_trainer_plan(l.trainer), l.x, bad, sizeof bad);
        nn_train_on_inputs(l.trainer);
        ENSURE(nn_read_report(l.trainer, &report) == NN_ERROR_NAN);
        ENSURE(nn_clear_fault(l.trainer) == NN_OK && nn_trainer_step(l.trainer) == 0);
        nn_clear_error(nn);
        for (int k = 1; k < 4; k++)
            ENSURE(nn_trainer_step(l.trainer) == 0 && step_line(&l, k) == NN_OK);
        ENSURE(nn_trainer_step(l.trainer) == 1 && !nn_error(nn));
        read_line(&l, after[queued]);
        nn_close(nn);
        ENSURE(sim_free(sim) == 0);
    }
    ENSURE(memcmp(after[0], after[1], sizeof *after) == 0);
}

typedef struct rug {
    nn_context *nn;
    nn_trainer *trainer;
    nn_loader *train, *validation;
    int what, calls, refused;
} rug;

static bool pull(void *user, const nn_progress *progress) {
    rug *r = (rug *)user;
    nn_report report;
    (void)progress;
    r->calls++;
    if (r->what == 0) nn_free_trainer(r->trainer);
    if (r->what == 1) nn_free_loader(r->train);
    if (r->what == 2) nn_free_loader(r->validation);
    if (r->what == 3) nn_fit(r->trainer, r->train, NULL);
    if (r->what == 4) nn_close(r->nn);
    if (r->what == 5) nn_evaluate(r->trainer, r->train, &report);
    r->refused += nn_error(r->nn) != NULL;
    nn_clear_error(r->nn);
    return true;
}

/* A callback must not free objects that nn_fit still needs. A callback that evaluates on the
   training's loader does not end its epoch. */
static void test_callbacks(void) {
    static float x[12 * 3];
    for (int i = 0; i < 36; i++) x[i] = some(i);
    for (int what = 0; what < 6; what++) {
        nn_context *nn = nn_open(NULL);
        line l = make_line(nn, nn_cpu(), NN_F32, (nn_average_desc){.kind = NN_AVERAGE_NONE});
        nn_dataset *data = nn_make_dataset(
            nn,
            &(nn_dataset_desc){
                .count = 12, .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(3), .data = x})});
        rug r = {.nn = nn, .trainer = l.trainer, .what = what};
        r.train = nn_make_loader(
            nn, &(nn_loader_desc){.dataset = data, .batch = 2, .shuffle = true, .seed = 4});
        r.validation = nn_make_loader(nn, &(nn_loader_desc){.dataset = data, .batch = 2});
        ENSURE(nn_fit(l.trainer, r.train,
                      &(nn_fit_desc){.epochs = 2,
                                     .report_every = 2,
                                     .validation = r.validation,
                                     .callback = pull,
                                     .user = &r}) == NN_OK);
        ENSURE(r.calls == 6 && r.refused == (what < 5 ? 6 : 0) && nn_trainer_step(l.trainer) == 12);
        nn_free_trainer(l.trainer);
        nn_free_loader(r.train);
        ENSURE(!nn_error(nn));
        nn_close(nn);
    }
}

/* nn_evaluate does not move the loader: the next batches are the same as without it. */
static void test_evaluation_keeps_the_place(void) {
    static float x[12 * 3];
    float after[2][NUMBERS];
    for (int i = 0; i < 36; i++) x[i] = some(i);
    for (int look = 0; look < 2; look++) {
        nn_context *nn = nn_open(NULL);
        line l = make_line(nn, nn_cpu(), NN_F32, (nn_average_desc){.kind = NN_AVERAGE_NONE});
        nn_dataset *data = nn_make_dataset(
            nn,
            &(nn_dataset_desc){
                .count = 12, .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(3), .data = x})});
        nn_loader *loader = nn_make_loader(
            nn, &(nn_loader_desc){.dataset = data, .batch = 2, .shuffle = true, .seed = 4});
        nn_report report;
        for (int epoch = 0; epoch < 2; epoch++)
            while (nn_next_batch(loader)) {
                ENSURE(nn_train_step(l.trainer, loader) == NN_OK);
                if (look)
                    ENSURE(nn_evaluate(l.trainer, loader, &report) == NN_OK &&
                           report.samples == 12);
            }
        ENSURE(nn_trainer_step(l.trainer) == 12 && !nn_error(nn));
        read_line(&l, after[look]);
        nn_close(nn);
    }
    ENSURE(memcmp(after[0], after[1], sizeof *after) == 0);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_gan);
    RUN(test_exchange_that_fails);
    RUN(test_averages_of_halves);
    RUN(test_averages_stop_at_faults);
    RUN(test_best_in_memory);
    RUN(test_writes_while_swapped);
    RUN(test_fault_inside_a_sum);
    RUN(test_callbacks);
    RUN(test_evaluation_keeps_the_place);
    return test_report();
}
