/* tests/train/test_checkpoint.c - checkpoints: the same bytes after a resume, nothing half-changed
   by a damaged file, a failing disk or lack of memory; schedules; stale objects after a move.
   tests/train/test_killed_saving.c kills a process while it saves. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"

#include "memory_files.h"
#include "sim_device.h"
#include "lists.h"

#include <stdlib.h>

static nn_site here(int line) { return nn_make_site("src/train.c", line); }
static bool full(void) { return getenv("NN_FULL") != NULL; }

/* ---- a disk that can be full, an allocator that can be empty --------------------------------- */

static memory_disk disk;
static long disk_room = -1; /* bytes that can still be written; -1: any */

static bool full_write(void *user, void *file, const void *data, size_t bytes) {
    if (disk_room >= 0 && (long)bytes > disk_room) return false;
    if (disk_room >= 0) disk_room -= (long)bytes;
    return memory_write(user, file, data, bytes);
}

typedef struct scarce {
    int    calls, fail_at; /* 0: never */
    long   live;
    size_t largest;
} scarce;

static scarce memory;

static void *scarce_allocate(void *user, size_t bytes, size_t alignment) {
    char *block, *aligned;
    (void)user;
    if (++memory.calls >= memory.fail_at && memory.fail_at > 0) return NULL;
    if (bytes > memory.largest) memory.largest = bytes;
    block = (char *)malloc(bytes + alignment + sizeof(void *));
    aligned = (char *)(((uintptr_t)block + sizeof(void *) + alignment - 1) / alignment * alignment);
    memcpy(aligned - sizeof(void *), &block, sizeof block);
    memory.live++;
    return aligned;
}

static void scarce_release(void *user, void *at, size_t bytes, size_t alignment) {
    void *block;
    (void)user, (void)bytes, (void)alignment;
    memcpy(&block, (char *)at - sizeof(void *), sizeof block);
    free(block);
    memory.live--;
}

/* ---- a net, its data, its trainer ------------------------------------------------------------ */

enum { SAMPLES = 20, WIDTH = 6, CLASSES = 4, BATCH = 8, EPOCH = 3 /* batches, the last of 4 */ };

static float images[SAMPLES * WIDTH];
static int32_t labels[SAMPLES];

typedef struct run {
    nn_context *nn;
    nn_model   *net;
    nn_dataset *dataset;
    nn_loader  *loader, *validation;
    nn_trainer *trainer;
} run;

static void fill_data(void) {
    uint32_t words[4];
    for (int i = 0; i < SAMPLES; i++) {
        labels[i] = i % CLASSES;
        for (int j = 0; j < WIDTH; j++) {
            nn_random_words(7, 1, (uint64_t)(i * WIDTH + j), words);
            images[i * WIDTH + j] = nn_word_to_uniform(words[0]) + (j == i % CLASSES ? 1.0f : 0.0f);
        }
    }
}

static nn_context *open_context(void) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    desc.allocator.allocate = scarce_allocate;
    desc.allocator.release = scarce_release;
    desc.files = memory_files(&disk);
    desc.files.write = full_write;
    return nn_open(&desc);
}

static nn_loader *make_loader(run *r, bool shuffle, nn_device device) {
    nn_loader_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dataset = r->dataset;
    desc.batch = BATCH;
    desc.shuffle = shuffle;
    desc.seed = 11;
    desc.device = device;
    return nn_make_loader_at(here(7), r->nn, &desc);
}

/* kind: 0 SGD, 1 SGD with momentum, 2 Adam, 3 AdamW. All have dropout, a limit on gradients, a
   schedule and class weights. */
static nn_trainer *make_trainer(run *r, int kind, nn_node *loss, nn_node *metric) {
    nn_trainer_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.batch = BATCH;
    desc.optimizer = kind < 2 ? NN_SGD : kind == 2 ? NN_ADAM : NN_ADAMW;
    desc.learning_rate = 0.02f;
    desc.momentum = kind == 1 ? 0.9f : 0.0f;
    desc.sgd.nesterov = kind == 1;
    desc.max_norm = 1.0f;
    desc.schedule.kind = kind == 2 ? NN_SCHEDULE_COSINE : NN_SCHEDULE_STEP;
    desc.schedule.steps = kind == 2 ? 20 : 4;
    desc.schedule.gamma = 0.7f;
    desc.schedule.warmup = 2;
    NODE_AT(desc.metrics, 0) = metric;
    return nn_make_trainer(r->net, loss, &desc);
}

static void describe(run *r, uint64_t seed, int kind, const char *frozen) {
    nn_dataset_desc data;
    nn_model_desc model;
    nn_linear_desc layer;
    nn_cross_entropy_desc entropy;
    nn_node *x, *label, *loss;
    float weights[CLASSES] = {1, 2, 1, 0.5f};
    memset(&data, 0, sizeof data);
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&entropy, 0, sizeof entropy);
    model.name = "mlp";
    model.seed = seed;
    r->net = nn_make_model(r->nn, &model);
    x = nn_input(r->net, "image", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    label = nn_input(r->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    layer.out_features = 9;
    x = nn_dropout(r->net, nn_relu(r->net, nn_linear(r->net, "fc1", x, &layer)), 0.2f);
    layer.out_features = CLASSES;
    x = nn_linear(r->net, "fc2", x, &layer);
    entropy.weight = nn_constant(r->net, "class_weight",
                                 nn_wrap(r->nn, "w", NN_F32, NN_SHAPE(CLASSES), weights));
    loss = nn_cross_entropy(r->net, x, label, &entropy);
    if (frozen) nn_freeze(r->net, frozen, true);
    nn_find_tensor(r->net, "fc1.weight"); /* the constant is copied now */
    data.count = SAMPLES;
    FIELD_AT(data.fields, 0).name = "image";
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(WIDTH);
    FIELD_AT(data.fields, 0).data = images;
    FIELD_AT(data.fields, 1).name = "label";
    FIELD_AT(data.fields, 1).dtype = NN_I32;
    FIELD_AT(data.fields, 1).data = labels;
    r->dataset = nn_make_dataset(r->nn, &data);
    r->loader = make_loader(r, true, nn_cpu());
    r->validation = make_loader(r, false, nn_cpu());
    r->trainer = make_trainer(r, kind, loss, nn_accuracy(r->net, x, label));
}

static void begin(run *r, uint64_t seed, int kind) {
    memset(r, 0, sizeof *r);
    r->nn = open_context();
    describe(r, seed, kind, NULL);
}

static bool steps(run *r, int count) {
    for (int i = 0; i < count; i++) {
        if (!nn_next_batch(r->loader) && !nn_next_batch(r->loader)) return false;
        if (nn_train_step(r->trainer, r->loader) != NN_OK) return false;
    }
    return true;
}

static nn_checkpoint_desc with_loader(run *r) {
    nn_checkpoint_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.loader = r->loader;
    return desc;
}

static bool save(run *r, const char *path) {
    nn_checkpoint_desc desc = with_loader(r);
    return nn_save_checkpoint(r->trainer, path, &desc) == NN_OK;
}

static nn_result load(run *r, const char *path) {
    nn_checkpoint_desc desc = with_loader(r);
    return nn_load_checkpoint_at(here(40), r->trainer, path, &desc);
}

static bool same_files(const char *a, const char *b) {
    const memory_file *x = memory_find(&disk, a), *y = memory_find(&disk, b);
    return x && y && x->size == y->size && memcmp(x->bytes, y->bytes, x->size) == 0;
}

/* True if the trainer would save what it saved as `path`: compares its whole state. */
static bool unchanged(run *r, const char *path) {
    bool same = save(r, "now") && same_files("now", path);
    memory_delete(memory_find(&disk, "now"));
    return same;
}

static void end(run *r) {
    nn_close(r->nn);
    memset(r, 0, sizeof *r);
}

static bool clean(void) {
    bool fine = memory.live == 0 && disk.open_files == 0 && !memory_find(&disk, "a.tmp");
    memory_free(&disk);
    memset(&disk, 0, sizeof disk);
    memset(&memory, 0, sizeof memory);
    disk_room = -1;
    return fine;
}

/* ---- resume ---------------------------------------------------------------------------------- */

/* Stops each kind of trainer after every step: the bytes are those of a run that was not
   stopped. */
static void test_resume(void) {
    for (int kind = 0; kind < 4; kind++) {
        run a, b;
        float loss, losses[8];
        begin(&a, 3, kind);
        for (int i = 0; i < 8; i++)
            ENSURE(steps(&a, 1) && nn_read_loss(a.trainer, &losses[i]) == NN_OK);
        ENSURE(save(&a, "whole") && losses[0] != losses[7]);
        end(&a);
        for (int stop = 0; stop < 8; stop++) {
            begin(&a, 3, kind);
            ENSURE(steps(&a, stop) && save(&a, "a") && !nn_error(a.nn));
            end(&a);
            begin(&b, 5, kind); /* even the seed comes from the file */
            ENSURE(load(&b, "a") == NN_OK && nn_trainer_step(b.trainer) == stop &&
                   unchanged(&b, "a"));
            for (int i = stop; i < 8; i++)
                ENSURE(steps(&b, 1) && nn_read_loss(b.trainer, &loss) == NN_OK &&
                       loss == losses[i]);
            ENSURE(save(&b, "b") && same_files("b", "whole"));
            ENSURE(!nn_error(b.nn));
            end(&b);
        }
    }
    ENSURE(clean());
}

/* The sums of an unfinished report, text and progress are saved, too. */
static void test_what_travels(void) {
    run a, b;
    nn_report whole, resumed;
    nn_progress progress, back;
    nn_checkpoint_desc desc;
    nn_text text;
    char buffer[64];
    memset(&progress, 0, sizeof progress);
    memset(&text, 0, sizeof text);
    progress.epoch = 3;
    progress.batch = 2;
    progress.train.loss = 1.0 / 3.0;
    progress.train.metrics[7] = -2e-300;
    progress.validation.samples = 123456789012345;
    progress.best = 0.1;
    begin(&a, 3, 2);
    ENSURE(steps(&a, 5));
    desc = with_loader(&a);
    desc.progress = &progress;
    desc.text = "{\"loss\": 1}\n\xC3\xA9";
    ENSURE(nn_save_checkpoint(a.trainer, "a", &desc) == NN_OK);
    begin(&b, 3, 2);
    desc = with_loader(&b);
    text.buffer = buffer;
    text.size = sizeof buffer;
    desc.progress = &back;
    desc.text_to.function = nn_write_text;
    desc.text_to.user = &text;
    nn_set_schedule(b.trainer, (const nn_schedule *)NULL);
    nn_set_learning_rate(b.trainer, 7);
    ENSURE(nn_load_checkpoint(b.trainer, "a", &desc) == NN_OK);
    ENSURE_TEXT(buffer, "{\"loss\": 1}\n\xC3\xA9");
    ENSURE(memcmp(&progress, &back, sizeof back) == 0);
    ENSURE(steps(&a, 2) && steps(&b, 2));
    ENSURE(nn_read_report(a.trainer, &whole) == NN_OK &&
           nn_read_report(b.trainer, &resumed) == NN_OK);
    ENSURE(memcmp(&whole, &resumed, sizeof whole) == 0 && whole.samples == 2 * SAMPLES + 8);
    ENSURE(nn_learning_rate(a.trainer) == nn_learning_rate(b.trainer) && !nn_error(b.nn));
    end(&a);
    end(&b);
    ENSURE(clean());
}

/* A training run moves to and from a device that the host cannot reach, in pieces. */
static void test_devices(void) {
    for (int from = 0; from < 2; from++) {
        run r[2];
        sim_desc desc;
        sim_device *sim[2];
        nn_device device;
        memset(&desc, 0, sizeof desc);
        desc.asynchronous = true;
        for (int i = 0; i < 2; i++) {
            begin(&r[i], i ? 3 : 4, 3);
            sim[i] = sim_open(r[i].nn, &desc, &device);
            if (i == from) continue;
            ENSURE(nn_move_trainer(r[i].trainer, device) == NN_OK);
            nn_free_loader(r[i].loader);
            r[i].loader = make_loader(&r[i], true, device);
        }
        ENSURE(steps(&r[0], 4));
        nn_reset_ledger(r[0].nn);
        ENSURE(save(&r[0], "a"));
        ENSURE(from == 0 ? nn_ledger_bytes(r[0].nn, NN_CROSS_DOWNLOAD) < 8
                         : nn_ledger_bytes(r[0].nn, NN_CROSS_DOWNLOAD) > 2000);
        nn_reset_ledger(r[1].nn);
        ENSURE(load(&r[1], "a") == NN_OK && unchanged(&r[1], "a"));
        ENSURE_TEXT(nn_ledger_at(r[1].nn, 0).tensor, "fc1.weight");
        ENSURE(nn_ledger_at(r[1].nn, 0).site.line == 40);
        ENSURE(steps(&r[0], 3) && steps(&r[1], 3) && save(&r[0], "a") &&
               unchanged(&r[1], "a")); /* its kernels are the CPU's */
        ENSURE(!nn_error(r[0].nn) && !nn_error(r[1].nn));
        end(&r[0]);
        end(&r[1]);
        ENSURE(sim_free(sim[0]) == 0 && sim_free(sim[1]) == 0);
    }
    ENSURE(clean());
}

/* Loads tensors of several pieces onto a device, through bounded memory of the host, including f64
   from a file of another program. */
static void test_large_tensors(void) {
    enum { INPUTS = 700, OUTPUTS = 500, COUNT = INPUTS * OUTPUTS };
    static float before[COUNT], after[COUNT];
    static double wide[COUNT];
    run r;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    nn_linear_desc layer;
    nn_model_desc model;
    nn_trainer_desc trainer;
    nn_trainer *made;
    nn_tensor *weight, *tensors[2];
    nn_node *y;
    memset(&r, 0, sizeof r);
    memset(&desc, 0, sizeof desc);
    memset(&layer, 0, sizeof layer);
    memset(&model, 0, sizeof model);
    memset(&trainer, 0, sizeof trainer);
    r.nn = open_context();
    sim = sim_open(r.nn, &desc, &device);
    model.device = device;
    r.net = nn_make_model(r.nn, &model);
    layer.out_features = OUTPUTS;
    y = nn_linear(r.net, "fc", nn_input(r.net, "x", NN_F32, NN_SHAPE(NN_BATCH, INPUTS)), &layer);
    trainer.optimizer = NN_ADAM;
    made = nn_make_trainer(r.net, nn_reduce(r.net, NN_MEAN, y, NN_AXES(0, 1), false), &trainer);
    weight = nn_find_tensor(r.net, "fc.weight");
    for (int i = 0; i < COUNT; i++)
        before[i] = (float)i * 0.125f, wide[i] = (double)before[i] + 0.5;
    ENSURE(made && nn_upload_tensor(weight, before, sizeof before) == NN_OK);
    memory.largest = 0;
    ENSURE(nn_save_checkpoint(made, "a", NULL) == NN_OK && memory.largest <= 1 << 20);
    ENSURE(nn_fill_zero(weight) == NN_OK);
    memory.largest = 0;
    ENSURE(nn_load_checkpoint(made, "a", NULL) == NN_OK && memory.largest <= (1 << 20) + 1024);
    ENSURE(nn_download_tensor(weight, after, sizeof after) == NN_OK &&
           memcmp(before, after, sizeof before) == 0);
    memory_find(&disk, "a")->bytes[memory_find(&disk, "a")->size - 2000000] ^= 4;
    ENSURE(nn_load_checkpoint(made, "a", NULL) == NN_ERROR_FORMAT);
    nn_clear_error(r.nn);
    tensors[0] = nn_wrap(r.nn, "fc.weight", NN_F64, NN_SHAPE(OUTPUTS, INPUTS), wide);
    tensors[1] = nn_wrap(r.nn, "fc.bias", NN_F64, NN_SHAPE(OUTPUTS), wide);
    ENSURE(nn_save_safetensors(r.nn, "b", tensors, 2, NULL, 0) == NN_OK &&
           nn_load_weights(r.net, "b", NULL) == NN_OK);
    ENSURE(nn_download_tensor(weight, after, sizeof after) == NN_OK);
    for (int i = 0; i < COUNT; i++) ENSURE(after[i] == (float)wide[i]);
    ENSURE(!nn_error(r.nn));
    end(&r);
    ENSURE(sim_free(sim) == 0 && clean());
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void test_damage(void) {
    run r;
    unsigned char *whole;
    size_t bytes, header;
    begin(&r, 3, 2);
    ENSURE(steps(&r, 2) && save(&r, "a"));
    bytes = memory_find(&disk, "a")->size;
    whole = (unsigned char *)malloc(bytes);
    memcpy(whole, memory_find(&disk, "a")->bytes, bytes);
    header = 8 + whole[0] + 256u * whole[1];
    ENSURE(steps(&r, 1) && save(&r, "b"));
    for (size_t cut = 0; cut < bytes; cut += full() ? 1 : 37) {
        ENSURE(memory_put(&disk, "a", whole, cut));
        ENSURE(load(&r, "a") == NN_ERROR_FORMAT && nn_error(r.nn) && unchanged(&r, "b"));
        nn_clear_error(r.nn);
    }
    for (size_t at = 0; at < bytes; at += full() ? 1 : at < header ? 7 : 41) {
        for (int bit = 0; bit < 8; bit += full() ? 1 : 3) {
            nn_result result;
            ENSURE(memory_put(&disk, "a", whole, bytes));
            memory_find(&disk, "a")->bytes[at] ^= (unsigned char)(1 << bit);
            result = load(&r, "a");
            if (result == NN_OK)
                test_fail(__FILE__, __LINE__, "bit %d of byte %zu of %zu", bit, at, bytes);
            if (result != NN_ERROR_FORMAT)
                test_fail(__FILE__, __LINE__, "byte %zu: %s", at, nn_error(r.nn));
            nn_clear_error(r.nn);
            if (at % 4 == 0) ENSURE(unchanged(&r, "b"));
        }
    }
    ENSURE(unchanged(&r, "b"));
    ENSURE(memory_put(&disk, "a", whole, bytes));
    memory_find(&disk, "a")->bytes[bytes - 1] ^= 1;
    ENSURE(load(&r, "a") == NN_ERROR_FORMAT);
    ENSURE_TEXT(nn_error(r.nn), "nn_load_checkpoint at train.c:40: \"a\" is damaged: its checksum "
                                "does not match its contents; "
                                "nothing was loaded; take an older file");
    nn_clear_error(r.nn);
    ENSURE(memory_put(&disk, "a", whole, bytes) && load(&r, "a") == NN_OK && !nn_error(r.nn));
    ENSURE(unchanged(&r, "a"));
    free(whole);
    end(&r);
    ENSURE(clean());
}

/* Each file operation and each allocation fails in turn, and the disk is full. Each time the old
   file and the trainer stay as they were. */
static void test_failing_saves(void) {
    run r;
    memory_file *old;
    size_t bytes;
    int failures = 0;
    begin(&r, 3, 2);
    ENSURE(steps(&r, 2) && save(&r, "a") && save(&r, "b"));
    bytes = memory_find(&disk, "a")->size;
    ENSURE(steps(&r, 1) && save(&r, "c"));
    for (int what = 0; what < 3; what++) {
        for (int n = 1;; n += what == 2 && !full() ? 67 : 1) {
            bool saved;
            disk.operations = 0;
            if (what == 0) disk.fail_at = n;
            if (what == 1) memory.fail_at = memory.calls + n;
            if (what == 2) disk_room = n - 1;
            saved = save(&r, "a");
            disk.fail_at = memory.fail_at = 0;
            disk_room = -1;
            if (saved) break;
            failures++;
            ENSURE(nn_error_code(r.nn) == (what == 1 ? NN_ERROR_MEMORY : NN_ERROR_FILE) &&
                   disk.open_files == 0);
            nn_clear_error(r.nn);
            ENSURE(same_files("a", "b") && !memory_find(&disk, "a.tmp"));
            ENSURE(n < 20000);
        }
        ENSURE(same_files("a", "c") && unchanged(&r, "c"));
        old = memory_find(&disk, "b");
        ENSURE(memory_put(&disk, "a", old->bytes, old->size));
    }
    ENSURE(failures > 20 && bytes > 1000);
    end(&r);
    ENSURE(clean());
}

static void test_failing_loads(void) {
    run r;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    nn_ledger_limits limits;
    int failures = 0;
    memset(&desc, 0, sizeof desc);
    memset(&limits, 0, sizeof limits);
    begin(&r, 3, 2);
    sim = sim_open(r.nn, &desc, &device);
    ENSURE(steps(&r, 2) && save(&r, "a") && steps(&r, 1) && save(&r, "b"));
    for (int what = 0; what < 4; what++) {
        nn_result result = NN_ERROR_FILE;
        if (what == 3) ENSURE(nn_move_trainer(r.trainer, device) == NN_OK);
        for (int n = 1; result != NN_OK; n++) {
            disk.operations = 0;
            limits.crossings = (uint64_t)n;
            if (what == 0) disk.fail_at = n;
            if (what == 1) memory.fail_at = memory.calls + n;
            if (what == 2) nn_ledger_limit(r.nn, &limits);
            if (what == 3) sim_fail_at(sim, n);
            sim->counters[SIM_COPY] = 0;
            result = load(&r, "a");
            disk.fail_at = memory.fail_at = 0;
            sim_fail_at(sim, 0);
            nn_ledger_limit(r.nn, (const nn_ledger_limits *)NULL);
            if (result == NN_OK) break;
            if (sim->counters[SIM_COPY] > 0)
                break; /* copies inside the device: only a broken one refuses them */
            failures++;
            nn_clear_error(r.nn);
            ENSURE(unchanged(&r, "b") && disk.open_files == 0);
            ENSURE(n < 1000);
        }
        if (what == 3) ENSURE(load(&r, "a") == NN_OK);
        ENSURE(unchanged(&r, "a") && load(&r, "b") == NN_OK);
        nn_clear_error(r.nn);
    }
    ENSURE(failures > 40);
    end(&r);
    ENSURE(sim_free(sim) == 0 && clean());
}

/* ---- what does not fit ----------------------------------------------------------------------- */

static void test_strict(void) {
    run a, b;
    nn_checkpoint_desc desc;
    begin(&a, 3, 1);
    ENSURE(steps(&a, 1) &&
           nn_save_checkpoint(a.trainer, "a", (const nn_checkpoint_desc *)NULL) == NN_OK);
    begin(&b, 3, 3);
    ENSURE(save(&b, "b"));
    ENSURE(load(&b, "a") == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(b.nn),
                "nn_load_checkpoint at train.c:40: \"a\" does not fit the trainer of \"mlp\"; "
                "nothing was loaded\n"
                "  missing:     \"optimizer.state.fc1.weight.exp_avg\" (9, 6) is in the trainer, "
                "not in the file\n"
                "  missing:     \"optimizer.state.fc1.weight.exp_avg_sq\" (9, 6) is in the "
                "trainer, not in the file\n"
                "  missing:     \"optimizer.state.fc1.bias.exp_avg\" (9) is in the trainer, not in "
                "the file\n"
                "  missing:     \"optimizer.state.fc1.bias.exp_avg_sq\" (9) is in the trainer, not "
                "in the file\n"
                "  missing:     \"optimizer.state.fc2.weight.exp_avg\" (4, 9) is in the trainer, "
                "not in the file\n"
                "  missing:     \"optimizer.state.fc2.weight.exp_avg_sq\" (4, 9) is in the "
                "trainer, not in the file\n"
                "  missing:     \"optimizer.state.fc2.bias.exp_avg\" (4) is in the trainer, not in "
                "the file\n"
                "  missing:     \"optimizer.state.fc2.bias.exp_avg_sq\" (4) is in the trainer, not "
                "in the file\n"
                "  unexpected:  \"optimizer.state.fc1.weight.momentum_buffer\" (9, 6) is in the "
                "file, not in the trainer\n"
                "  unexpected:  \"optimizer.state.fc1.bias.momentum_buffer\" (9) is in the file, "
                "not in the trainer\n"
                "  unexpected:  \"optimizer.state.fc2.weight.momentum_buffer\" (4, 9) is in the "
                "file, not in the trainer\n"
                "  unexpected:  \"optimizer.state.fc2.bias.momentum_buffer\" (4) is in the file, "
                "not in the trainer\n"
                "  differs:     the optimizer is sgd in the file, adamw in the trainer\n"
                "  missing:     the loader's place in its data is not in the file; leave .loader "
                "out, and the loader starts at the beginning");
    nn_clear_error(b.nn);
    ENSURE(unchanged(&b, "b"));
    ENSURE(nn_load_checkpoint_at(here(41), b.trainer, "none", (const nn_checkpoint_desc *)NULL) ==
           NN_ERROR_FILE);
    nn_clear_error(b.nn);
    memset(&desc, 0, sizeof desc);
    desc.loader = a.loader;
    ENSURE(nn_save_checkpoint_at(here(42), b.trainer, "a", &desc) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(
        nn_error(b.nn),
        "nn_save_checkpoint at train.c:42: the loader and the trainer belong to "
        "different contexts");
    nn_clear_error(b.nn);
    ENSURE(nn_save_checkpoint(b.trainer, "", NULL) < 0 && nn_save_checkpoint(NULL, "x", NULL) < 0 &&
           !nn_has_checkpoint(b.nn, NULL));
    end(&a);
    end(&b);
    ENSURE(clean());
}

/* Loads a checkpoint's weights into a net with another head, of which only the head learns. */
static void test_transfer(void) {
    run a, b;
    nn_model *net;
    nn_linear_desc layer;
    nn_load_weights_desc desc;
    nn_node *x;
    float before[9], after[9];
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    begin(&a, 3, 2);
    ENSURE(steps(&a, 2) && save(&a, "a"));
    net = nn_make_model(a.nn, NULL);
    x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    layer.out_features = 9;
    x = nn_relu(net, nn_linear(net, "body.fc1", x, &layer));
    layer.out_features = 2;
    nn_linear(net, "head", x, &layer);
    ENSURE(nn_load_weights_at(here(50), net, "a", NULL) == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(a.nn),
                "nn_load_weights at train.c:50: \"a\" does not fit the model \"model\"; nothing "
                "was loaded\n"
                "  missing:     \"body.fc1.weight\" (9, 6) is in the model, not in the file\n"
                "  missing:     \"body.fc1.bias\" (9) is in the model, not in the file\n"
                "  missing:     \"head.weight\" (2, 9) is in the model, not in the file\n"
                "  missing:     \"head.bias\" (2) is in the model, not in the file\n"
                "  unexpected:  \"fc1.weight\" (9, 6) is in the file, not in the model\n"
                "  unexpected:  \"fc1.bias\" (9) is in the file, not in the model\n"
                "  unexpected:  \"fc2.weight\" (4, 9) is in the file, not in the model\n"
                "  unexpected:  \"fc2.bias\" (4) is in the file, not in the model\n"
                "  unexpected:  \"class_weight\" (4) is in the file, not in the model");
    nn_clear_error(a.nn);
    desc.non_strict = true;
    ENSURE(nn_load_weights_at(here(51), net, "a", &desc) == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(a.nn),
                "nn_load_weights at train.c:51: none of the 15 tensors in \"a\" has a name of "
                "the model \"model\"; "
                "nothing was loaded; give .renames, or look at the names on both sides");
    nn_clear_error(a.nn);
    RENAME_AT(desc.renames, 0).from = "fc1.";
    RENAME_AT(desc.renames, 0).to = "body.fc1.";
    RENAME_AT(desc.renames, 1).from = "fc2.";
    RENAME_AT(desc.renames, 1).to = "head.";
    ENSURE(nn_load_weights_at(here(52), net, "a", &desc) == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(a.nn),
                "nn_load_weights at train.c:52: \"a\" does not fit the model \"model\"; "
                "nothing was loaded\n"
                "  wrong shape: \"head.weight\" is (4, 9) in the file, (2, 9) in the model\n"
                "  wrong shape: \"head.bias\" is (4) in the file, (2) in the model");
    nn_clear_error(a.nn);
    RENAME_AT(desc.renames, 1).to = "body.fc1."; /* two of one name */
    ENSURE(nn_load_weights_at(here(53), net, "a", &desc) == NN_ERROR_SHAPE);
    ENSURE_TEXT(nn_error(a.nn), "nn_load_weights at train.c:53: \"a\" does not fit the model "
                                "\"model\"; nothing was loaded\n"
                                "  twice:       \"fc1.weight\" and \"fc2.weight\" of the file are "
                                "both \"body.fc1.weight\" after renaming\n"
                                "  twice:       \"fc1.bias\" and \"fc2.bias\" of the file are both "
                                "\"body.fc1.bias\" after renaming");
    nn_clear_error(a.nn);
    RENAME_AT(desc.renames, 1).to = NULL;
    ENSURE(nn_load_weights(net, "a", &desc) == NN_OK && !nn_error(a.nn));
    nn_download_tensor(nn_find_tensor(a.net, "fc1.bias"), before, sizeof before);
    nn_download_tensor(nn_find_tensor(net, "body.fc1.bias"), after, sizeof after);
    ENSURE(memcmp(before, after, sizeof before) == 0);
    /* the same net with a frozen layer: moments of frozen parameters are skipped, the rest is
       strict */
    memset(&b, 0, sizeof b);
    b.nn = open_context();
    describe(&b, 3, 2, "fc1.");
    ENSURE(load(&b, "a") == NN_OK && steps(&b, 2) && !nn_error(b.nn));
    nn_download_tensor(nn_find_tensor(b.net, "fc1.bias"), after, sizeof after);
    ENSURE(memcmp(before, after, sizeof before) == 0 && save(&b, "b"));
    ENSURE(load(&a, "b") == NN_ERROR_SHAPE); /* and now moments are missing */
    ENSURE(strstr(nn_error(a.nn), "missing:     \"optimizer.state.fc1.weight.exp_avg\""));
    end(&a);
    end(&b);
    ENSURE(clean());
}

/* Loads a file as Python's save_file would write it: no metadata, a step for each parameter.
   Renames reach the moments. */
static void test_foreign(void) {
    run r;
    nn_tensor *tensors[32];
    char name[160];
    float *numbers = (float *)calloc(1024, sizeof(float)), step = 7, read[9];
    nn_checkpoint_desc desc;
    int count = 0, used = 0;
    memset(&desc, 0, sizeof desc);
    begin(&r, 3, 2);
    for (int i = 0; i < 1024; i++) numbers[i] = (float)i / 1024;
    for (int i = 0; i < nn_model_tensor_count(r.net); i++) {
        const char *const moments[] = {"", ".exp_avg", ".exp_avg_sq", ".step"};
        nn_tensor *tensor = nn_model_tensor_at(r.net, i);
        for (int m = 0; m < (i < 4 ? 4 : 1); m++) {
            snprintf(name, sizeof name, "%s%s%s%s", m ? "optimizer.state." : "",
                     i < 4 ? "net." : "", nn_tensor_name(tensor), moments[m]);
            if (m == 3) tensors[count++] = nn_wrap(r.nn, name, NN_F32, NN_SHAPE(1), &step);
            else
                tensors[count++] =
                    nn_wrap(r.nn, name, NN_F32, nn_tensor_shape(tensor), numbers + used);
            used += m < 3 ? (int)(nn_tensor_bytes(tensor) / 4) : 0;
        }
    }
    ENSURE(used < 1024 && nn_save_safetensors(r.nn, "f", tensors, count, NULL, 0) == NN_OK);
    ENSURE(steps(&r, 1) && load(&r, "f") == NN_ERROR_SHAPE);
    nn_clear_error(r.nn);
    RENAME_AT(desc.renames, 0).from = "net.";
    RENAME_AT(desc.renames, 0).to = "";
    ENSURE(nn_load_checkpoint(r.trainer, "f", &desc) == NN_OK && nn_trainer_step(r.trainer) == 7 &&
           !nn_error(r.nn));
    nn_download_tensor(nn_find_tensor(r.net, "fc1.bias"), read, sizeof read);
    ENSURE(read[0] == numbers[3 * 54]);
    ENSURE(save(&r, "a"));
    { /* the moments arrived as well */
        nn_safetensors *file = nn_open_safetensors(r.nn, "a");
        int i = nn_safetensors_find(file, "optimizer.state.fc1.bias.exp_avg_sq");
        ENSURE(i >= 0 && nn_read_safetensors(file, i, NN_F32, read, sizeof read) == NN_OK &&
               read[8] == numbers[3 * 54 + 26]);
        ENSURE_TEXT(nn_safetensors_metadata(file, "step"), "7");
        ENSURE_TEXT(nn_safetensors_metadata(file, "learning_rate"), "0.02 3ca3d70a");
        ENSURE_TEXT(nn_safetensors_metadata(file, "checkpoint"), "1");
        nn_close_safetensors(file);
    }
    ENSURE(steps(&r, 1) && !nn_error(r.nn));
    end(&r);
    free(numbers);
    ENSURE(clean());
}

/* ---- nn_fit ---------------------------------------------------------------------------------- */

typedef struct fit_watch {
    nn_progress seen[64]; /* at [epoch * 8 + batch] */
    int stop_after, calls;
} fit_watch;

static bool watch(void *user, const nn_progress *progress) {
    fit_watch *w = (fit_watch *)user;
    w->seen[progress->epoch * 8 + progress->batch + (progress->epoch_ended ? 1 : 0)] = *progress;
    w->seen[progress->epoch * 8 + progress->batch + (progress->epoch_ended ? 1 : 0)].seconds = 0;
    return ++w->calls != w->stop_after;
}

static nn_result fit(run *r, fit_watch *w, const char *path, int stop_after, bool validate) {
    nn_fit_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.epochs = 4;
    desc.validation = validate ? r->validation : NULL;
    desc.report_every = 1;
    desc.callback = watch;
    desc.user = w;
    desc.checkpoint.path = path;
    desc.checkpoint.every = 2;
    desc.checkpoint.resume = true;
    w->stop_after = stop_after;
    w->calls = 0;
    return nn_fit_at(here(60), r->trainer, r->loader, &desc);
}

/* A run that is cancelled at any report and resumed in a fresh context has the reports and the
   final bytes of the whole run. */
static void test_fit_resumes(void) {
    static fit_watch whole, parts;
    run r;
    begin(&r, 3, 2);
    ENSURE(fit(&r, &whole, "whole", 0, true) == NN_OK && save(&r, "end") &&
           whole.calls == 4 * EPOCH);
    end(&r);
    for (int stop = 1; stop <= 4 * EPOCH; stop++) {
        memset(&parts, 0, sizeof parts);
        memory_delete(memory_find(&disk, "a"));
        begin(&r, 3, 2);
        ENSURE(fit(&r, &parts, "a", stop, true) == NN_CANCELLED && parts.calls == stop);
        end(&r);
        begin(&r, 9, 2);
        ENSURE(fit(&r, &parts, "a", 0, true) == NN_OK && parts.calls == 4 * EPOCH - stop);
        ENSURE(memcmp(parts.seen, whole.seen, sizeof whole.seen) == 0);
        ENSURE(unchanged(&r, "end") && !nn_error(r.nn));
        ENSURE(fit(&r, &parts, "a", 0, true) == NN_OK && parts.calls == 0 &&
               unchanged(&r, "end")); /* it is complete */
        end(&r);
    }
    ENSURE(clean());
}

/* A run that ends without a last save, as if its process had been killed, resumes from a file that
   may be some steps old. */
static void test_fit_resumes_from_an_older_file(void) {
    static fit_watch whole, parts;
    run r;
    begin(&r, 3, 1);
    ENSURE(fit(&r, &whole, "whole", 0, false) == NN_OK && save(&r, "end"));
    end(&r);
    for (int writes = 1; writes < 9;
         writes++) { /* after this number of files the disk fails, and the run ends */
        begin(&r, 3, 1);
        disk.operations = 0;
        memory_delete(memory_find(&disk, "a"));
        disk.fail_at = 17 * writes;
        ENSURE(fit(&r, &parts, "a", 0, false) == NN_ERROR_FILE);
        disk.fail_at = 0;
        end(&r);
        begin(&r, 9, 1);
        if (!nn_has_checkpoint(r.nn,
                               "a")) { /* none was written yet: there is nothing to resume from */
            end(&r);
            begin(&r, 3, 1);
        }
        memset(&parts, 0, sizeof parts);
        ENSURE(fit(&r, &parts, "a", 0, false) == NN_OK && unchanged(&r, "end") && !nn_error(r.nn));
        ENSURE(memcmp(&parts.seen[4 * 8 + EPOCH + 1], &whole.seen[4 * 8 + EPOCH + 1],
                      sizeof(nn_progress)) == 0);
        end(&r);
    }
    ENSURE(clean());
}

static void test_keep_and_best(void) {
    run r;
    nn_fit_desc desc;
    nn_progress last;
    nn_checkpoint_desc load_desc;
    const char *const names[] = {"a", "a.1", "a.2"};
    double best = 1e9;
    memset(&desc, 0, sizeof desc);
    memset(&load_desc, 0, sizeof load_desc);
    load_desc.progress = &last;
    begin(&r, 3, 3);
    desc.epochs = 5;
    desc.validation = r.validation;
    desc.last = &last;
    desc.checkpoint.path = "a";
    desc.checkpoint.keep = 3;
    desc.checkpoint.best = true;
    ENSURE(nn_fit(r.trainer, r.loader, &desc) == NN_OK && nn_trainer_step(r.trainer) == 15 &&
           !nn_error(r.nn));
    ENSURE(!memory_find(&disk, "a.3") && !memory_find(&disk, "a.new") &&
           !memory_find(&disk, "a.tmp"));
    for (int i = 0; i < 3; i++) {
        ENSURE(nn_load_checkpoint(r.trainer, names[i], &load_desc) == NN_OK &&
               nn_trainer_step(r.trainer) == 15 - 3 * i);
        ENSURE(last.epoch == 5 - i && last.epoch_ended && last.validation.samples == SAMPLES);
        if (last.best < best) best = last.best;
    }
    ENSURE(nn_load_checkpoint(r.trainer, "a.best", &load_desc) == NN_OK);
    ENSURE(last.best == best && last.epoch == last.best_epoch && last.validation.loss == best);
    /* killed between two renames: path.1 is the newest */
    memory_delete(memory_find(&disk, "a"));
    ENSURE(nn_has_checkpoint(r.nn, "a") &&
           nn_load_checkpoint(r.trainer, "a", &load_desc) == NN_OK && last.epoch == 4);
    ENSURE(!nn_has_checkpoint(r.nn, "b") && !nn_error(r.nn));
    /* each rename fails: something loadable stays */
    for (int n = 1; n < 40; n++) {
        bool saved;
        load_desc.keep = 3;
        disk.operations = 0;
        disk.fail_at = n;
        saved = nn_save_checkpoint(r.trainer, "a", &load_desc) == NN_OK;
        disk.fail_at = 0;
        nn_clear_error(r.nn);
        ENSURE(nn_has_checkpoint(r.nn, "a") &&
               nn_load_checkpoint(r.trainer, "a", (const nn_checkpoint_desc *)NULL) == NN_OK);
        if (saved) break;
    }
    /* .resume was not asked for: a new run writes over the old one */
    memory_delete(memory_find(&disk, "a.2"));
    desc.epochs = 1;
    ENSURE(nn_fit(r.trainer, r.loader, &desc) == NN_OK && last.epoch == 1);
    desc.checkpoint.every = -1;
    ENSURE(nn_fit_at(here(61), r.trainer, r.loader, &desc) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(nn_error(r.nn), "nn_fit at train.c:61: checkpoint.every is -1, .keep 3; wanted "
                                "steps or 0 for the ends of epochs, "
                                "and at least 1 file");
    end(&r);
    ENSURE(clean());
}

/* After a fault inside a step nothing is saved, and a load takes the trainer out of it. */
static void test_fault(void) {
    run r;
    begin(&r, 3, 2);
    ENSURE(steps(&r, 2) && save(&r, "a"));
    labels[0] = 99;
    const bool went_on = steps(&r, EPOCH);
    labels[0] = 0;
    ENSURE(!went_on && nn_error_code(r.nn) == NN_ERROR_LABEL &&
           strstr(nn_error(r.nn), "nn_train_step"));
    nn_clear_error(r.nn);
    ENSURE(!save(&r, "a") && nn_error_code(r.nn) == NN_ERROR_LABEL &&
           strstr(nn_error(r.nn), "nn_save_checkpoint"));
    nn_clear_error(r.nn);
    ENSURE(load(&r, "a") == NN_OK && unchanged(&r, "a") && steps(&r, 2) && save(&r, "b") &&
           !nn_error(r.nn));
    end(&r);
    ENSURE(clean());
}

/* ---- schedules ------------------------------------------------------------------------------- */

static void rates(nn_schedule_kind kind, int64_t period, float gamma, float minimum, int64_t warmup,
                  float start, const double *wanted, int count) {
    nn_schedule schedule;
    memset(&schedule, 0, sizeof schedule);
    schedule.kind = kind;
    schedule.steps = period;
    schedule.gamma = gamma;
    schedule.minimum = minimum;
    schedule.warmup = warmup;
    schedule.warmup_start = start;
    for (int i = 0; i < count; i++)
        ENSURE_CLOSE(nn_scheduled_rate(&schedule, 0.1f, i), wanted[i], 1e-8);
}

/* The numbers are PyTorch 1.13's, lr 0.1: optimizer.param_groups[0]["lr"] before each step. */
static void test_schedules(void) {
    const double step3[] = {0.1, 0.1, 0.1, 0.01, 0.01, 0.01, 0.001, 0.001},
                 step2[] = {0.1, 0.1, 0.05, 0.05, 0.025, 0.025};
    const double cosine[] = {0.1,          0.0914057647, 0.0689057647, 0.0410942353,
                             0.0185942353, 0.01,         0.0185942353, 0.0410942353};
    const double warm_cosine[] = {0.0333333333, 0.05,         0.0666666667, 0.0833333333,  0.1,
                                  0.0904508497, 0.0654508497, 0.0345491503, 0.00954915028, 0,
                                  0.00954915028};
    const float rate = 0.02f; /* rounded, even where float is computed as double */
    const double warm_step[] = {0.01, 0.04, 0.07, 0.1, 0.1, 0.01, 0.01, 0.001};
    nn_schedule schedule;
    run r;
    rates(NN_SCHEDULE_STEP, 3, 0, 0, 0, 0, step3, 8);
    rates(NN_SCHEDULE_STEP, 2, 0.5f, 0, 0, 0, step2, 6);
    rates(NN_SCHEDULE_COSINE, 5, 0, 0.01f, 0, 0, cosine, 8);
    rates(NN_SCHEDULE_COSINE, 5, 0, 0, 4, 0, warm_cosine, 11);
    rates(NN_SCHEDULE_STEP, 2, 0, 0, 3, 0.1f, warm_step, 8);
    ENSURE(nn_scheduled_rate(NULL, rate, 1000) == rate);
    memset(&schedule, 0, sizeof schedule);
    begin(&r, 3, 0);
    ENSURE_CLOSE(nn_learning_rate(r.trainer), 0.02 / 3, 1e-8);
    ENSURE(steps(&r, 2) && nn_learning_rate(r.trainer) == rate);
    ENSURE(nn_set_schedule(r.trainer, (const nn_schedule *)NULL) == NN_OK && steps(&r, 20) &&
           nn_learning_rate(r.trainer) == rate);
    schedule.kind = NN_SCHEDULE_COSINE;
    ENSURE(nn_set_schedule_at(here(80), r.trainer, &schedule) == NN_ERROR_ARGUMENT &&
           nn_learning_rate(r.trainer) == rate);
    ENSURE_TEXT(nn_error(r.nn), "nn_set_schedule at train.c:80: schedule.steps is 0, .warmup 0; "
                                "wanted at least 1 step of the schedule, "
                                "and no negative warm-up");
    end(&r);
    ENSURE(clean());
}

/* ---- stale after a move ---------------------------------------------------------------------- */

static void test_stale_messages(void) {
    run r;
    sim_desc desc;
    sim_device *sim;
    nn_device device;
    nn_plan_desc plan_desc;
    nn_plan *plan;
    nn_node *x;
    nn_linear_desc layer;
    memset(&desc, 0, sizeof desc);
    memset(&plan_desc, 0, sizeof plan_desc);
    memset(&layer, 0, sizeof layer);
    begin(&r, 3, 2);
    sim = sim_open(r.nn, &desc, &device);
    layer.out_features = 2;
    x = nn_input(r.net, "other", NN_F32, NN_SHAPE(NN_BATCH, 3));
    NODE_AT(plan_desc.outputs, 0) = nn_linear(r.net, "fc3", x, &layer);
    plan = nn_make_plan_at(here(39), r.net, &plan_desc);
    ENSURE(plan && steps(&r, 1) && nn_move_trainer_at(here(70), r.trainer, device) == NN_OK);
    ENSURE(nn_next_batch(r.loader) &&
           nn_train_step_at(here(71), r.trainer, r.loader) == NN_ERROR_STALE);
    ENSURE_TEXT(nn_error(r.nn), "nn_train_step at train.c:71: the loader made at train.c:7 "
                                "delivers to cpu, but \"mlp\" was moved to "
                                "user0:0 by nn_move_trainer at train.c:70: make the loader with "
                                ".device = nn_make_device(NN_USER_0, 0)");
    nn_clear_error(r.nn);
    ENSURE(nn_run_at(here(72), plan) == NN_ERROR_STALE);
    ENSURE_TEXT(nn_error(r.nn), "nn_run at train.c:72: the plan of \"mlp\" at train.c:39 was made "
                                "before nn_move_trainer at train.c:70: "
                                "call nn_replan(plan)");
    nn_clear_error(r.nn);
    ENSURE(nn_replan(plan) == NN_OK);
    nn_free_loader(r.loader);
    r.loader = make_loader(&r, true, device);
    ENSURE(steps(&r, 2) && save(&r, "a") && !nn_error(r.nn));
    end(&r);
    ENSURE(sim_free(sim) == 0 && clean());
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    fill_data();
    RUN(test_resume);
    RUN(test_what_travels);
    RUN(test_devices);
    RUN(test_large_tensors);
    RUN(test_damage);
    RUN(test_failing_saves);
    RUN(test_failing_loads);
    RUN(test_strict);
    RUN(test_transfer);
    RUN(test_foreign);
    RUN(test_fit_resumes);
    RUN(test_fit_resumes_from_an_older_file);
    RUN(test_keep_and_best);
    RUN(test_fault);
    RUN(test_schedules);
    RUN(test_stale_messages);
    return test_report();
}
