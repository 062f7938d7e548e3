/* test_failures.c: one program that does nearly everything the library can (train, validate, save, load, classify,
   move), run while something fails: the Nth allocation, a block that is too small, the Nth call of a device, the Nth
   operation of a disk. Always an error in words, never a crash, a leak or half a change; and what is asked again with
   the trouble gone, works. Then bad arguments, freeing in every order, two contexts on two threads, a job system.

   NN_FULL=1: every N and every size, instead of a sample. NN_TEST_INSTRUCTIONS=plain, avx2: for valgrind. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include <pthread.h>
#include <stdlib.h>

#include "test.h"

#include "memory_files.h"
#include "sim_device.h"

#define SAMPLES 12
#define SIDE    6
#define CLASSES 3
#define PATH    "net.safetensors"

static nn_site here(int line) { return nn_make_site("failures.c", line); }
static bool full(void) { return getenv("NN_FULL") != NULL; }

/* ---- an allocator that counts, checks and fails --------------------------------------------------------------- */

typedef struct hook {
    int64_t calls, fail_at, fail_count; /* fail_count 0: one */
    int64_t failed, live, live_bytes, wrong, foreign;
    size_t failed_bytes; /* of the last one */
    pthread_t thread; /* the user's */
} hook;

typedef struct hook_head {
    void *whole;
    size_t bytes, alignment, magic;
} hook_head;

#define HOOK_MAGIC ((size_t)0x5EEDBEEF)

static void *hook_allocate(void *user, size_t bytes, size_t alignment) {
    hook *h = (hook *)user;
    hook_head head;
    char *at;
    h->calls++;
    if (!pthread_equal(h->thread, pthread_self())) h->foreign++;
    if (h->fail_at > 0 && h->calls >= h->fail_at &&
        h->calls < h->fail_at + (h->fail_count > 0 ? h->fail_count : 1)) {
        h->failed++;
        h->failed_bytes = bytes;
        return NULL;
    }
    head.whole = malloc(bytes + alignment + sizeof head + 8);
    if (!head.whole) return NULL;
    head.bytes = bytes;
    head.alignment = alignment;
    head.magic = HOOK_MAGIC;
    at = (char *)head.whole + sizeof head;
    at += (alignment - (uintptr_t)at % alignment) % alignment;
    memcpy(at - sizeof head, &head, sizeof head);
    memset(at, 0xCC, bytes + 8);
    h->live++;
    h->live_bytes += (int64_t)bytes;
    return at;
}

static void hook_release(void *user, void *memory, size_t bytes, size_t alignment) {
    hook *h = (hook *)user;
    hook_head head;
    const unsigned char *tail = (const unsigned char *)memory + bytes;
    memcpy(&head, (char *)memory - sizeof head, sizeof head);
    if (!pthread_equal(h->thread, pthread_self())) h->foreign++;
    if (head.magic != HOOK_MAGIC || head.bytes != bytes || head.alignment != alignment) {
        if (h->wrong++ == 0) printf("released %zu bytes, asked for were %zu\n", bytes, head.bytes);
        return;
    }
    for (int i = 0; i < 8; i++) {
        if (tail[i] != 0xCC) h->wrong++;
    }
    memset((char *)memory - sizeof head, 0xDD, sizeof head + bytes); /* a use after this is seen */
    h->live--;
    h->live_bytes -= (int64_t)bytes;
    free(head.whole);
}

static nn_allocator hook_allocator(hook *h) {
    nn_allocator allocator;
    h->thread = pthread_self();
    allocator.allocate = hook_allocate;
    allocator.release = hook_release;
    allocator.user = h;
    return allocator;
}

/* ---- a disk whose Nth operation fails, once, or that is full -------------------------------------------------- */

typedef struct disk {
    memory_disk memory;
    int operations, fail_at; /* from 1; 0: never */
    const char *failed;      /* which one it was */
    bool full;               /* after `room` bytes */
    size_t room;
} disk;

static bool disk_fails(disk *d, const char *what) {
    if (++d->operations != d->fail_at) return false;
    d->failed = what;
    return true;
}
static void *disk_open(void *user, const char *path, bool write) {
    disk *d = (disk *)user;
    return disk_fails(d, "open") ? NULL : memory_open(&d->memory, path, write);
}
static bool disk_read(void *user, void *file, uint64_t offset, void *data, size_t bytes) {
    disk *d = (disk *)user;
    if (disk_fails(d, "read")) {
        memset(data, 0xEE, bytes / 2); /* half of it came */
        return false;
    }
    return memory_read(&d->memory, file, offset, data, bytes);
}
static bool disk_write(void *user, void *file, const void *data, size_t bytes) {
    disk *d = (disk *)user;
    if (disk_fails(d, "write")) return false;
    if (d->full && bytes > d->room) {
        memory_write(&d->memory, file, data, d->room);
        d->room = 0;
        d->failed = "write";
        return false;
    }
    d->room -= d->full ? bytes : 0;
    return memory_write(&d->memory, file, data, bytes);
}
static bool disk_size(void *user, void *file, uint64_t *bytes) {
    disk *d = (disk *)user;
    return disk_fails(d, "size") ? false : memory_size(&d->memory, file, bytes);
}
static bool disk_flush(void *user, void *file) {
    disk *d = (disk *)user;
    return disk_fails(d, "flush") ? false : memory_flush(&d->memory, file);
}
static bool disk_close(void *user, void *file) {
    disk *d = (disk *)user;
    bool closed = memory_close(&d->memory, file); /* as fclose: closed even when it fails */
    return disk_fails(d, "close") ? false : closed;
}
static bool disk_rename(void *user, const char *from, const char *to) {
    disk *d = (disk *)user;
    return disk_fails(d, "rename") ? false : memory_rename(&d->memory, from, to);
}
static bool disk_remove(void *user, const char *path) { return memory_remove(&((disk *)user)->memory, path); }

static nn_files disk_files(disk *d) {
    nn_files files;
    files.open = disk_open;
    files.read = disk_read;
    files.write = disk_write;
    files.size = disk_size;
    files.flush = disk_flush;
    files.close = disk_close;
    files.rename = disk_rename;
    files.remove = disk_remove;
    files.user = d;
    return files;
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

typedef struct net {
    nn_model *model;
    nn_node *image, *label, *logits, *loss, *accuracy;
} net;

typedef struct program {
    nn_context *nn;
    nn_desc desc;
    bool with_sim; /* moves to a simulated device and back */
    sim_desc sim_desc;
    sim_device *sim;
    nn_device device;
    disk disk;
    size_t logged;
    char log[4096];
    nn_tensor *weight;
    nn_dataset *dataset;
    nn_loader *train, *validation, *other;
    net learner, reader;
    nn_trainer *trainer;
    nn_plan *plan;
    nn_tensor *tensors[4];
    float scores[CLASSES], moved[CLASSES];
    nn_report report;
    uint8_t images[SAMPLES * SIDE * SIDE];
    uint8_t labels[SAMPLES];
    /* what happened */
    uint64_t hash;
    int errors, silent, left, unnamed, retry_failed;
    const char *last; /* the step that failed */
    char error[512];
} program;

static nn_result double_it(void *user, const nn_custom_args *args) {
    const nn_view *y = &args->output, *x = &args->input[0];
    float *to = (float *)(void *)((char *)y->handle + y->offset);
    const float *from = (const float *)(const void *)((const char *)x->handle + x->offset);
    (void)user;
    for (int64_t i = 0; i < nn_shape_count(y->shape); i++) to[i] = 2.0f * from[i];
    return NN_OK;
}

static void program_log(void *user, const char *text, size_t length) {
    program *p = (program *)user;
    for (size_t i = 0; i < length && p->logged + 1 < sizeof p->log; i++) p->log[p->logged++] = text[i];
    p->log[p->logged] = 0;
}

static void add_hash(program *p, const void *data, size_t bytes) {
    const unsigned char *byte = (const unsigned char *)data;
    for (size_t i = 0; i < bytes; i++) p->hash = (p->hash ^ byte[i]) * 1099511628211u;
}

static nn_instruction_set instructions(void) {
    const char *name = getenv("NN_TEST_INSTRUCTIONS");
    if (name && strcmp(name, "plain") == 0) return NN_PLAIN_C;
    if (name && strcmp(name, "avx2") == 0) return NN_AVX2;
    return NN_INSTRUCTIONS_DEFAULT;
}

static void program_init(program *p) {
    uint32_t words[4];
    memset(p, 0, sizeof *p);
    p->hash = 14695981039346656037u;
    p->desc.log.function = program_log;
    p->desc.log.user = p;
    p->desc.threads = 1;
    p->desc.instructions = instructions();
    for (int i = 0; i < SAMPLES; i++) {
        p->labels[i] = (uint8_t)(i % CLASSES);
        for (int j = 0; j < SIDE * SIDE; j++) {
            nn_random_words(3, 1, (uint64_t)(i * SIDE * SIDE + j), words);
            p->images[i * SIDE * SIDE + j] = (uint8_t)(words[0] % 200 + (j / 9 == i % CLASSES ? 55 : 0));
        }
    }
}

static bool step_open(program *p) {
    p->desc.files = disk_files(&p->disk);
    p->nn = nn_open(&p->desc);
    return p->nn != NULL;
}

static bool step_sim(program *p) {
    p->device = nn_cpu();
    if (p->with_sim) p->sim = sim_open(p->nn, &p->sim_desc, &p->device);
    return !p->with_sim || p->sim;
}

static bool step_dataset(program *p) {
    nn_dataset_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.count = SAMPLES;
    desc.fields[0].name = "image";
    desc.fields[0].shape = NN_SHAPE(1, SIDE, SIDE);
    desc.fields[0].data = p->images;
    desc.fields[0].data_dtype = NN_U8;
    desc.fields[0].scale = 1.0f / 255;
    desc.fields[1].name = "label";
    desc.fields[1].dtype = NN_I32;
    desc.fields[1].data = p->labels;
    desc.fields[1].data_dtype = NN_U8;
    p->dataset = nn_make_dataset(p->nn, &desc);
    return p->dataset != NULL;
}

static nn_loader *make_loader(program *p, int batch, bool shuffle, nn_device device) {
    nn_loader_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dataset = p->dataset;
    desc.batch = batch;
    desc.shuffle = shuffle;
    desc.seed = 9;
    desc.device = device;
    return nn_make_loader(p->nn, &desc);
}

static bool step_loader(program *p) { return (p->train = make_loader(p, 5, true, nn_cpu())) != NULL; }
static bool step_validation(program *p) { return (p->validation = make_loader(p, 4, false, nn_cpu())) != NULL; }

static bool step_weight(program *p) {
    nn_tensor_desc desc;
    const float values[CLASSES] = {1.0f, 0.5f, 2.0f};
    if (!p->weight) {
        memset(&desc, 0, sizeof desc);
        desc.name = "class_weight";
        desc.shape = NN_SHAPE(CLASSES);
        p->weight = nn_make_tensor(p->nn, &desc);
    }
    return p->weight && nn_upload_tensor(p->weight, values, sizeof values) == NN_OK;
}

/* A failed allocation while describing is a fault of the description: what it lacks cannot be added later. */
static bool describe(program *p, net *n, const char *name) {
    nn_model_desc model;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    nn_linear_desc linear;
    nn_custom_desc custom;
    nn_cross_entropy_desc loss;
    nn_node *h;
    memset(&model, 0, sizeof model);
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    memset(&linear, 0, sizeof linear);
    memset(&custom, 0, sizeof custom);
    memset(&loss, 0, sizeof loss);
    model.name = name;
    model.seed = 5;
    conv.out_channels = 3;
    conv.kernel = 3;
    conv.padding = 1;
    pool.kernel = 2;
    linear.out_features = CLASSES;
    n->model = nn_make_model(p->nn, &model);
    n->image = nn_input(n->model, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, SIDE, SIDE));
    n->label = nn_input(n->model, "label", NN_I32, NN_SHAPE(NN_BATCH));
    h = nn_max_pool2d(n->model, nn_relu(n->model, nn_conv2d(n->model, "conv", n->image, &conv)), &pool);
    custom.input[0] = h;
    custom.shape = NN_SHAPE(NN_BATCH, 3, SIDE / 2, SIDE / 2);
    custom.function = double_it;
    custom.gradient[0] = double_it; /* dy is its input 0 */
    h = nn_custom(n->model, "double", &custom);
    h = nn_dropout(n->model, nn_flatten(n->model, h), 0.25f);
    n->logits = nn_linear(n->model, "fc", h, &linear);
    loss.weight = nn_constant(n->model, "class_weight", p->weight);
    n->loss = nn_cross_entropy(n->model, n->logits, n->label, &loss);
    n->accuracy = nn_accuracy(n->model, n->logits, n->label);
    if (n->model && nn_fault_count(n->model) == 0 && !nn_error(p->nn)) return true;
    nn_make_trainer(n->model, n->loss, (const nn_trainer_desc *)NULL); /* refuses, in words */
    nn_free_model(n->model);
    n->model = NULL;
    return false;
}

static bool step_describe(program *p) { return describe(p, &p->learner, "learner"); }

static bool step_trainer(program *p) {
    nn_trainer_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.batch = 5;
    desc.optimizer = NN_ADAM;
    desc.learning_rate = 0.01f;
    desc.max_norm = 1.0f;
    desc.metrics[0] = p->learner.accuracy;
    p->trainer = nn_make_trainer(p->learner.model, p->learner.loss, &desc);
    return p->trainer != NULL;
}

static bool step_train(program *p) {
    if (!nn_next_batch(p->train)) return nn_loader_result(p->train) == NN_END;
    return nn_train_step(p->trainer, p->train) == NN_OK;
}

static bool step_report(program *p) { return nn_read_report(p->trainer, &p->report) == NN_OK; }
static bool step_evaluate(program *p) { return nn_evaluate(p->trainer, p->validation, &p->report) == NN_OK; }

static bool step_fit(program *p) {
    nn_fit_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.epochs = 2;
    desc.validation = p->validation;
    desc.progress = true;
    return nn_fit(p->trainer, p->train, &desc) == NN_OK;
}

static bool step_save(program *p) { return nn_save_weights(p->learner.model, PATH) == NN_OK; }
static bool step_reader(program *p) { return describe(p, &p->reader, "reader"); }
static bool step_load(program *p) { return nn_load_weights(p->reader.model, PATH) == NN_OK; }

static bool step_plan(program *p) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.outputs[0] = p->reader.logits;
    p->plan = nn_make_plan(p->reader.model, &desc);
    return p->plan != NULL;
}

static bool classify(program *p, float *scores) {
    float image[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) image[i] = (float)p->images[i] / 255;
    return nn_upload(p->plan, p->reader.image, image, sizeof image) == NN_OK && nn_run(p->plan) == NN_OK &&
           nn_download(p->plan, p->reader.logits, scores, sizeof(float) * CLASSES) == NN_OK;
}

static bool step_classify(program *p) { return classify(p, p->scores); }

/* nn_move_model: all of it or nothing. */
static bool move_reader(program *p, nn_device device) {
    nn_device before = nn_tensor_device(nn_model_tensor_at(p->reader.model, 0));
    float scores[CLASSES];
    if (nn_move_model(p->reader.model, device) == NN_OK) return true;
    for (int i = 0; i < nn_model_tensor_count(p->reader.model); i++) {
        if (!nn_same_device(nn_tensor_device(nn_model_tensor_at(p->reader.model, i)), before)) p->left++;
    }
    if (p->sim && p->sim->fail_count > 1) return false; /* everything fails from here on */
    if (!classify(p, scores) || memcmp(scores, p->scores, sizeof scores) != 0) p->left++;
    return false;
}

static bool step_move(program *p) { return move_reader(p, p->device); }
static bool step_replan(program *p) { return nn_replan(p->plan) == NN_OK; }
static bool step_classify_there(program *p) {
    if (!classify(p, p->moved)) return false;
    return nn_fill_zero(p->tensors[0]) == NN_OK;
}
static bool step_move_back(program *p) { return move_reader(p, nn_cpu()); }
static bool step_classify_again(program *p) { return classify(p, p->moved); }

static bool step_move_trainer(program *p) { return nn_move_trainer(p->trainer, p->device) == NN_OK; }
static bool step_other(program *p) { return (p->other = make_loader(p, 4, true, p->device)) != NULL; }
static bool step_train_there(program *p) {
    if (!nn_next_batch(p->other)) return nn_loader_result(p->other) == NN_END;
    return nn_train_step(p->trainer, p->other) == NN_OK && nn_read_report(p->trainer, &p->report) == NN_OK;
}
static bool step_free_other(program *p) {
    nn_free_loader(p->other);
    p->other = NULL;
    return true;
}
static bool step_trainer_back(program *p) { return nn_move_trainer(p->trainer, nn_cpu()) == NN_OK; }

/* An immediate convolution: the context's scratch. */
static bool step_tensors(program *p) {
    const nn_shape shapes[4] = {NN_SHAPE(2, 4, 9, 9), NN_SHAPE(5, 4, 3, 3), NN_SHAPE(2, 5, 7, 7),
                                NN_SHAPE(2, 4, 9, 9)};
    for (int i = 0; i < 4; i++) {
        nn_tensor_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.shape = shapes[i];
        if (!p->tensors[i]) p->tensors[i] = nn_make_tensor(p->nn, &desc);
        if (!p->tensors[i]) return false;
    }
    return true;
}
static bool step_immediate(program *p) {
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc);
    return nn_conv2d_forward(p->tensors[2], p->tensors[0], p->tensors[1], NULL, &desc) == NN_OK &&
           nn_conv2d_backward(p->tensors[3], NULL, NULL, p->tensors[2], p->tensors[0], p->tensors[1], &desc, false) ==
               NN_OK;
}
static bool step_copy(program *p) {
    nn_tensor *copy = nn_copy_to(p->tensors[0], p->device), *view, *reshaped;
    view = nn_make_view(copy, 1, 1);
    reshaped = nn_make_reshaped(copy, NN_SHAPE(8, 81));
    nn_free_tensor(view);
    nn_free_tensor(reshaped);
    nn_free_tensor(copy);
    return copy && view && reshaped;
}
static bool step_hash(program *p) {
    float values[64];
    if (nn_error(p->nn)) return false;
    for (int i = 0; i < nn_model_tensor_count(p->learner.model); i++) {
        nn_tensor *tensor = nn_model_tensor_at(p->learner.model, i);
        size_t bytes = (size_t)nn_tensor_bytes(tensor);
        float *room = bytes <= sizeof values ? values : (float *)malloc(bytes);
        bool read = nn_download_tensor(tensor, room, bytes) == NN_OK;
        if (read) add_hash(p, room, bytes);
        if (room != values) free(room);
        if (!read) return false;
    }
    add_hash(p, p->scores, sizeof p->scores);
    add_hash(p, p->moved, sizeof p->moved);
    add_hash(p, &p->report, sizeof p->report);
    return true;
}

typedef struct step {
    const char *name;
    bool (*run)(program *p);
} step;
#define STEP(name) {#name, step_##name}
static const step steps[] = {
    STEP(open),      STEP(sim),       STEP(dataset),      STEP(loader),        STEP(validation), STEP(weight),
    STEP(describe),  STEP(trainer),   STEP(train),        STEP(train),         STEP(report),     STEP(evaluate),
    STEP(fit),       STEP(save),      STEP(reader),       STEP(load),          STEP(plan),       STEP(classify),
    STEP(tensors),   STEP(immediate), STEP(copy),         STEP(move),          STEP(replan),     STEP(classify_there),
    STEP(move_back), STEP(replan),    STEP(classify_again), STEP(move_trainer), STEP(other),     STEP(train_there),
    STEP(train_there), STEP(free_other), STEP(trainer_back), STEP(train),      STEP(report),     STEP(evaluate),
    STEP(hash)};

static void program_note(program *p, const char *name) {
    const char *words = p->nn ? nn_error(p->nn) : p->log;
    p->errors++;
    p->last = name;
    snprintf(p->error, sizeof p->error, "%.500s", words ? words : "");
    if (!words || !*words) p->silent++; /* a failure without words */
    if (p->sim && p->sim->fail_at > 0 && words && !strstr(words, "simulated failure of")) p->unnamed++;
}

/* again: a step that fails is asked once more, and must work then. False: it ended early. */
static bool program_run(program *p, bool again) {
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        bool good = steps[i].run(p);
        if (good && p->nn && nn_error(p->nn)) {
            printf("after %s, which succeeded: %s\n", steps[i].name, nn_error(p->nn));
            p->left++;
        }
        if (good) continue;
        program_note(p, steps[i].name);
        if (!again) return false;
        nn_clear_error(p->nn);
        if (steps[i].run(p)) continue;
        p->retry_failed++;
        snprintf(p->error, sizeof p->error, "the second time: %.400s", p->nn && nn_error(p->nn) ? nn_error(p->nn) : "");
        return false;
    }
    return true;
}

/* Returns the violations of the simulated device. */
static int program_end(program *p) {
    nn_close(p->nn);
    memory_free(&p->disk.memory);
    return sim_free(p->sim);
}

/* What must hold whatever failed. */
static bool program_check(program *p, const hook *h, int violations, int64_t n, const char *what) {
    bool good = p->silent == 0 && p->left == 0 && p->unnamed == 0 && p->retry_failed == 0 && violations == 0;
    if (h && (h->live || h->live_bytes || h->wrong || h->foreign)) good = false;
    if (p->disk.memory.open_files) good = false;
    if (!good) {
        test_fail(__FILE__, __LINE__,
                  "%s %lld (%s): silent %d, half changed %d, without the call's name %d, second time %d, violations %d, "
                  "live %lld, wrong %lld, foreign %lld, open files %d: %s",
                  what, (long long)n, p->last ? p->last : "none", p->silent, p->left, p->unnamed, p->retry_failed,
                  violations, h ? (long long)h->live : 0, h ? (long long)h->wrong : 0,
                  h ? (long long)h->foreign : 0, p->disk.memory.open_files, p->error);
    }
    return good;
}

/* ---- 1: the Nth allocation fails ------------------------------------------------------------------------------ */

static uint64_t undisturbed(bool with_sim, int threads, int64_t *calls) {
    program p;
    hook h;
    program_init(&p);
    memset(&h, 0, sizeof h);
    p.desc.allocator = hook_allocator(&h);
    p.desc.threads = threads;
    p.with_sim = with_sim;
    program_run(&p, false);
    if (p.errors) test_fail(__FILE__, __LINE__, "the undisturbed program fails: %s: %s", p.last, p.error);
    program_check(&p, &h, program_end(&p), 0, "undisturbed");
    if (calls) *calls = h.calls;
    return p.hash;
}

/* count 1: once, then the program asks again and its results must be those of the undisturbed one. */
static void fail_allocations(bool with_sim, int threads, int64_t count, int64_t every) {
    int64_t calls = 0, errors = 0, soft = 0;
    uint64_t hash = undisturbed(with_sim, threads, &calls);
    ENSURE(calls > 50 && undisturbed(with_sim, threads, NULL) == hash);
    for (int64_t n = 1;; n += every) {
        program p;
        hook h;
        bool whole;
        program_init(&p);
        memset(&h, 0, sizeof h);
        h.fail_at = n;
        h.fail_count = count;
        p.desc.allocator = hook_allocator(&h);
        p.desc.threads = threads;
        p.with_sim = with_sim;
        whole = program_run(&p, count == 1);
        if (!program_check(&p, &h, program_end(&p), n, "allocation")) return;
        if (count == 1 && (!whole || p.hash != hash)) {
            test_fail(__FILE__, __LINE__, "allocation %lld (%s): asked again, the results differ: %s", (long long)n,
                      p.last ? p.last : "none", p.error);
            return;
        }
        errors += p.errors > 0;
        soft += h.failed && !p.errors;
        /* only rows of the ledger may pass in silence: their bytes then count in the row of the others */
        if (h.failed && !p.errors && h.failed_bytes % sizeof(nn_ledger_entry) != 0) {
            test_fail(__FILE__, __LINE__, "allocation %lld of %zu bytes was no error", (long long)n, h.failed_bytes);
            return;
        }
        if (h.failed == 0) break;
    }
    ENSURE(errors > calls / every / 2);
    if (full()) printf("%lld allocations, %lld errors, %lld soft\n", (long long)calls, (long long)errors, (long long)soft);
}

static void test_each_allocation_fails_once(void) { fail_allocations(true, 1, 1, 1); }
static void test_all_allocations_fail_from_one_on(void) { fail_allocations(true, 1, INT32_MAX, full() ? 1 : 3); }
static void test_each_allocation_fails_with_threads(void) { fail_allocations(false, 2, 1, full() ? 1 : 5); }

/* ---- 2: one block, too small ---------------------------------------------------------------------------------- */

#define GUARD 128

static bool run_in_block(size_t bytes, size_t shift, nn_memory_use *use, bool *whole) {
    char *memory = (char *)malloc(bytes + 2 * GUARD + 128), *block;
    program p;
    bool good;
    int violations;
    if (!memory) return false;
    memset(memory, 0xA5, bytes + 2 * GUARD + 128);
    block = memory + GUARD + (64 - (uintptr_t)(memory + GUARD) % 64) % 64 + shift;
    program_init(&p);
    p.desc.threads = 0;
    p.desc.block = block;
    p.desc.block_bytes = bytes;
    p.with_sim = true;
    *whole = program_run(&p, false);
    if (use && p.nn) *use = nn_get_memory_use(p.nn);
    violations = program_end(&p);
    good = program_check(&p, NULL, violations, (int64_t)bytes, "block");
    if (!*whole && good && p.nn && !strstr(p.error, "memory")) {
        test_fail(__FILE__, __LINE__, "a block of %zu bytes: %s: %s", bytes, p.last, p.error);
        good = false;
    }
    for (char *at = memory; at < memory + bytes + 2 * GUARD + 128; at++) {
        if ((at < block || at >= block + bytes) && *at != (char)0xA5) good = false;
    }
    if (!good) test_fail(__FILE__, __LINE__, "a block of %zu bytes: written outside, or the above", bytes);
    free(memory);
    return good;
}

static void test_blocks_of_every_size(void) {
    nn_memory_use use;
    bool whole = false;
    size_t step_bytes, bytes, enough;
    memset(&use, 0, sizeof use);
    ENSURE(run_in_block((size_t)8 << 20, 16, &use, &whole) && whole);
    ENSURE(use.peak_bytes > 10000 && use.peak_bytes < (8 << 20));
    for (bytes = 0; bytes < 600; bytes += 7) ENSURE(run_in_block(bytes, bytes % 4 * 16, NULL, &whole) && !whole);
    step_bytes = full() ? 64 : (size_t)use.peak_bytes / 120;
    enough = (size_t)use.peak_bytes * 2;
    for (whole = false, bytes = 600; !whole && bytes < enough; bytes += step_bytes)
        ENSURE(run_in_block(bytes, 48, NULL, &whole));
    ENSURE(whole); /* and a block not far above the peak is enough */
}

/* ---- 3: the Nth call of the device fails ---------------------------------------------------------------------- */

static void fail_device(bool asynchronous, bool can_map, int64_t count, int64_t every) {
    int64_t failed = 0;
    for (int64_t n = 1;; n += every) {
        program p;
        hook h;
        bool fired;
        int violations;
        program_init(&p);
        memset(&h, 0, sizeof h);
        p.desc.allocator = hook_allocator(&h);
        p.with_sim = true;
        p.sim_desc.fail_at = n;
        p.sim_desc.fail_count = count;
        p.sim_desc.asynchronous = asynchronous;
        p.sim_desc.can_map = can_map;
        p.sim_desc.poison_on_release = true;
        program_run(&p, count == 1);
        fired = p.sim && p.sim->fallible >= n;
        violations = program_end(&p);
        if (!program_check(&p, &h, violations, n, "device call")) return;
        if (!fired) break;
        if (p.errors == 0) {
            test_fail(__FILE__, __LINE__, "call %lld of the device failed, and nobody said so", (long long)n);
            return;
        }
        failed++;
    }
    ENSURE(failed > 100 / every);
    if (full()) printf("%lld failing calls\n", (long long)failed);
}

static void test_each_device_call_fails_once(void) { fail_device(false, false, 1, 1); }
static void test_each_queued_device_call_fails_once(void) { fail_device(true, true, 1, full() ? 1 : 2); }
static void test_a_device_dies(void) { fail_device(true, false, INT32_MAX, full() ? 1 : 3); }

