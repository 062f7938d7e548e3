/* test_failures.c: one program that uses nearly everything in the library (train, validate, save,
   load, classify, move), run while something fails: the Nth allocation, a block that is too small,
   the Nth call of a device, the Nth operation of a disk. The result is always an error with a text,
   never a crash, a leak or half a change. Without the failure, the same call then works. Then come
   bad arguments, freeing in every order, two contexts on two threads, and a job system.

   NN_FULL=1: every N and every size, instead of a sample. NN_TEST_INSTRUCTIONS=plain, avx2: for
   valgrind. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"

#include <pthread.h>
#include <stdlib.h>

#include "test.h"

#include "memory_files.h"
#include "sim_device.h"
#include "lists.h"

#define SAMPLES 12
#define SIDE    6
#define CLASSES 3
#define PATH    "net.safetensors"

static nn_site here(int line) { return nn_make_site("failures.c", line); }
static bool full(void) { return getenv("NN_FULL") != NULL; }

/* ---- an allocator that counts, checks and fails ---------------------------------------------- */

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
    if (bytes > (size_t)1 << 30) return NULL; /* sanitizers stop at what malloc would refuse */
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

/* ---- a disk whose Nth operation fails, once, or that is full --------------------------------- */

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
static bool disk_remove(void *user, const char *path) {
    return memory_remove(&((disk *)user)->memory, path);
}

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

/* ---- the program ----------------------------------------------------------------------------- */

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
    for (size_t i = 0; i < length && p->logged + 1 < sizeof p->log; i++)
        p->log[p->logged++] = text[i];
    p->log[p->logged] = 0;
}

static void add_hash(program *p, const void *data, size_t bytes) {
    const unsigned char *byte = (const unsigned char *)data;
    for (size_t i = 0; i < bytes; i++) p->hash = (p->hash ^ byte[i]) * 1099511628211u;
}

static nn_instruction_set instructions(void) {
    const char *name = getenv("NN_TEST_INSTRUCTIONS");
    if (name && strcmp(name, "plain") == 0) return NN_INSTRUCTIONS_PLAIN;
    if (name && strcmp(name, "avx2") == 0) return NN_INSTRUCTIONS_AVX2;
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
            p->images[i * SIDE * SIDE + j] =
                (uint8_t)(words[0] % 200 + (j / 9 == i % CLASSES ? 55 : 0));
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
    FIELD_AT(desc.fields, 0).name = "image";
    FIELD_AT(desc.fields, 0).shape = NN_SHAPE(1, SIDE, SIDE);
    FIELD_AT(desc.fields, 0).data = p->images;
    FIELD_AT(desc.fields, 0).data_dtype = NN_U8;
    FIELD_AT(desc.fields, 0).scale = 1.0f / 255;
    FIELD_AT(desc.fields, 1).name = "label";
    FIELD_AT(desc.fields, 1).dtype = NN_I32;
    FIELD_AT(desc.fields, 1).data = p->labels;
    FIELD_AT(desc.fields, 1).data_dtype = NN_U8;
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

static bool step_loader(program *p) {
    return (p->train = make_loader(p, 5, true, nn_cpu())) != NULL;
}
static bool step_validation(program *p) {
    return (p->validation = make_loader(p, 4, false, nn_cpu())) != NULL;
}

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

/* A failed allocation while describing is a fault of the description: what it lacks cannot be added
   later. */
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
    h = nn_max_pool2d(n->model, nn_relu(n->model, nn_conv2d(n->model, "conv", n->image, &conv)),
                      &pool);
    NODE_AT(custom.inputs, 0) = h;
    custom.shape = NN_SHAPE(NN_BATCH, 3, SIDE / 2, SIDE / 2);
    custom.function = double_it;
    FUNCTION_AT(custom.gradients, 0) = double_it; /* dy is its input 0 */
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
    NODE_AT(desc.metrics, 0) = p->learner.accuracy;
    p->trainer = nn_make_trainer(p->learner.model, p->learner.loss, &desc);
    return p->trainer != NULL;
}

static bool step_train(program *p) {
    if (!nn_next_batch(p->train)) return nn_loader_result(p->train) == NN_END;
    return nn_train_step(p->trainer, p->train) == NN_OK;
}

static bool step_report(program *p) { return nn_read_report(p->trainer, &p->report) == NN_OK; }
static bool step_evaluate(program *p) {
    return nn_evaluate(p->trainer, p->validation, &p->report) == NN_OK;
}

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
static bool step_load(program *p) { return nn_load_weights(p->reader.model, PATH, NULL) == NN_OK; }

static bool step_plan(program *p) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = p->reader.logits;
    p->plan = nn_make_plan(p->reader.model, &desc);
    return p->plan != NULL;
}

static bool classify(program *p, float *scores) {
    float image[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) image[i] = (float)p->images[i] / 255;
    return nn_upload(p->plan, p->reader.image, image, sizeof image) == NN_OK &&
           nn_run(p->plan) == NN_OK &&
           nn_download(p->plan, p->reader.logits, scores, sizeof(float) * CLASSES) == NN_OK;
}

static bool step_classify(program *p) { return classify(p, p->scores); }

/* nn_move_model moves all of the model or nothing. */
static bool move_reader(program *p, nn_device device) {
    nn_device before = nn_tensor_device(nn_model_tensor_at(p->reader.model, 0));
    const float *expected =
        nn_same_device(before, nn_cpu()) ? p->scores : p->moved; /* what it said there */
    float scores[CLASSES];
    if (nn_move_model(p->reader.model, device) == NN_OK) return true;
    for (int i = 0; i < nn_model_tensor_count(p->reader.model); i++) {
        if (!nn_same_device(nn_tensor_device(nn_model_tensor_at(p->reader.model, i)), before))
            p->left++;
    }
    if (p->sim && p->sim->fail_count > 1) return false; /* everything fails from here on */
    if (!classify(p, scores) || memcmp(scores, expected, sizeof scores) != 0) p->left++;
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

static bool step_move_trainer(program *p) {
    return nn_move_trainer(p->trainer, p->device) == NN_OK;
}
static bool step_other(program *p) {
    return (p->other = make_loader(p, 4, true, p->device)) != NULL;
}
static bool step_train_there(program *p) {
    if (!nn_next_batch(p->other)) return nn_loader_result(p->other) == NN_END;
    return nn_train_step(p->trainer, p->other) == NN_OK &&
           nn_read_report(p->trainer, &p->report) == NN_OK;
}
static bool step_free_other(program *p) {
    nn_free_loader(p->other);
    p->other = NULL;
    return true;
}
static bool step_trainer_back(program *p) { return nn_move_trainer(p->trainer, nn_cpu()) == NN_OK; }

/* An immediate convolution needs the context's scratch. */
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
           nn_conv2d_backward(p->tensors[3], NULL, NULL, p->tensors[2], p->tensors[0],
                              p->tensors[1], &desc, false) == NN_OK;
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
    STEP(open),         STEP(sim),         STEP(dataset),        STEP(loader),
    STEP(validation),   STEP(weight),      STEP(describe),       STEP(trainer),
    STEP(train),        STEP(train),       STEP(report),         STEP(evaluate),
    STEP(fit),          STEP(save),        STEP(reader),         STEP(load),
    STEP(plan),         STEP(classify),    STEP(tensors),        STEP(immediate),
    STEP(copy),         STEP(move),        STEP(replan),         STEP(classify_there),
    STEP(move_back),    STEP(replan),      STEP(classify_again), STEP(move_trainer),
    STEP(other),        STEP(train_there), STEP(train_there),    STEP(free_other),
    STEP(trainer_back), STEP(train),       STEP(report),         STEP(evaluate),
    STEP(hash)};

static void program_note(program *p, const char *name) {
    const char *words = p->nn ? nn_error(p->nn) : p->log;
    p->errors++;
    p->last = name;
    snprintf(p->error, sizeof p->error, "%.500s", words ? words : "");
    if (!words || !*words) p->silent++; /* a failure without words */
    if (p->sim && p->sim->fail_at > 0 && words && !strstr(words, "simulated failure of"))
        p->unnamed++;
}

/* again: a step that fails is called once more, and must work then. False: it ended early. */
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
        snprintf(p->error, sizeof p->error, "the second time: %.400s",
                 p->nn && nn_error(p->nn) ? nn_error(p->nn) : "");
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

/* Checks what must hold whatever failed. */
static bool program_check(program *p, const hook *h, int violations, int64_t n, const char *what) {
    bool good = p->silent == 0 && p->left == 0 && p->unnamed == 0 && p->retry_failed == 0 &&
                violations == 0;
    if (h && (h->live || h->live_bytes || h->wrong || h->foreign)) good = false;
    if (p->disk.memory.open_files) good = false;
    if (!good) {
        test_fail(__FILE__, __LINE__,
                  "%s %lld (%s): silent %d, half changed %d, without the call's name %d, second "
                  "time %d, violations %d, "
                  "live %lld, wrong %lld, foreign %lld, open files %d: %s",
                  what, (long long)n, p->last ? p->last : "none", p->silent, p->left, p->unnamed,
                  p->retry_failed, violations, h ? (long long)h->live : 0,
                  h ? (long long)h->wrong : 0, h ? (long long)h->foreign : 0,
                  p->disk.memory.open_files, p->error);
    }
    return good;
}

/* ---- 1: the Nth allocation fails ------------------------------------------------------------- */

static uint64_t undisturbed(bool with_sim, int threads, int64_t *calls) {
    program p;
    hook h;
    program_init(&p);
    memset(&h, 0, sizeof h);
    p.desc.allocator = hook_allocator(&h);
    p.desc.threads = threads;
    p.with_sim = with_sim;
    program_run(&p, false);
    if (p.errors)
        test_fail(__FILE__, __LINE__, "the undisturbed program fails: %s: %s", p.last, p.error);
    program_check(&p, &h, program_end(&p), 0, "undisturbed");
    if (calls) *calls = h.calls;
    return p.hash;
}

/* count 1: it fails once; then the program calls again, and its results must be those of an
   undisturbed run. */
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
            test_fail(__FILE__, __LINE__,
                      "allocation %lld (%s): asked again, the results differ: %s", (long long)n,
                      p.last ? p.last : "none", p.error);
            return;
        }
        errors += p.errors > 0;
        soft += h.failed && !p.errors;
        /* only rows of the ledger may pass in silence: their bytes then count in the row of the
           others */
        if (h.failed && !p.errors && h.failed_bytes % sizeof(nn_ledger_entry) != 0) {
            test_fail(__FILE__, __LINE__, "allocation %lld of %zu bytes was no error", (long long)n,
                      h.failed_bytes);
            return;
        }
        if (h.failed == 0) break;
    }
    ENSURE(errors > calls / every / 2);
    if (full())
        printf("%lld allocations, %lld errors, %lld soft\n", (long long)calls, (long long)errors,
               (long long)soft);
}

/* A loader with threads, with images that are augmented on the device, or with the whole dataset on
   the device: each of its allocations fails, then each call of its device. Nothing leaks, and the
   same call works afterwards. */
static void fail_loader(bool on_device, bool device_fails) {
    static uint8_t pictures[SAMPLES * SIDE * SIDE];
    static int32_t labels[SAMPLES];
    hook h;
    nn_desc open;
    sim_desc simulated;
    sim_device *sim;
    nn_context *nn;
    nn_dataset_desc data;
    nn_loader_desc desc;
    nn_augment_desc augment;
    nn_loader *loader = NULL;
    int64_t failures = 0, live;
    memset(&h, 0, sizeof h);
    memset(&open, 0, sizeof open);
    memset(&simulated, 0, sizeof simulated);
    memset(&data, 0, sizeof data);
    memset(&desc, 0, sizeof desc);
    memset(&augment, 0, sizeof augment);
    open.threads = 1;
    open.allocator = hook_allocator(&h);
    nn = nn_open(&open);
    simulated.asynchronous = true;
    sim = sim_open(nn, &simulated, &desc.device);
    data.count = SAMPLES;
    FIELD_AT(data.fields, 0).name = "x";
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(1, SIDE, SIDE);
    FIELD_AT(data.fields, 0).data_dtype = NN_U8;
    FIELD_AT(data.fields, 0).scale = 1.0f / 255;
    FIELD_AT(data.fields, 0).data = pictures;
    FIELD_AT(data.fields, 1).name = "label";
    FIELD_AT(data.fields, 1).dtype = NN_I32;
    FIELD_AT(data.fields, 1).data = labels;
    augment.padding = 1;
    augment.flip = 0.5f;
    desc.dataset = nn_make_dataset(nn, &data);
    desc.batch = 5;
    desc.shuffle = true;
    desc.workers = 2;
    desc.augment = &augment;
    desc.on_device = on_device;
    if (on_device) desc.prefetch = 3;
    live = h.live;
    for (int64_t n = 1; n < 100; n++) {
        int64_t failed = h.failed;
        sim->fail_at = device_fails ? sim->fallible + n : 0;
        h.fail_at = device_fails ? 0 : h.calls + n;
        loader = nn_make_loader_at(here(3), nn, &desc);
        if (h.failed == failed && (!device_fails || sim->fallible < sim->fail_at))
            break; /* nothing was left to fail */
        h.fail_at = sim->fail_at = 0;
        ENSURE((loader == NULL) ==
               (nn_error(nn) != NULL)); /* without memory there are no threads */
        failures += !loader;
        nn_free_loader(loader);
        nn_clear_error(nn);
        ENSURE(h.live <= live + 1); /* the ledger's rows */
    }
    h.fail_at = sim->fail_at = 0;
    ENSURE(loader && failures >= 4);
    for (int batch = 0; batch < 3; batch++) ENSURE(nn_next_batch(loader));
    ENSURE(!nn_next_batch(loader) && nn_loader_result(loader) == NN_END);
    nn_close(nn);
    ENSURE(h.live == 0 && h.wrong == 0 && h.foreign == 0 && sim_free(sim) == 0);
}

static void test_making_a_loader_fails(void) {
    for (int how = 0; how < 4; how++) fail_loader(how % 2 != 0, how / 2 != 0);
}

/* A description that is incomplete for lack of memory gives no plan, not even one that does not
   need the missing part. */
static void test_a_description_without_memory(void) {
    int64_t failures = 0;
    bool all = false;
    for (int64_t n = 1; n < 2000 && !all; n++) {
        hook h;
        nn_desc open;
        nn_plan_desc desc;
        memset(&h, 0, sizeof h);
        memset(&open, 0, sizeof open);
        memset(&desc, 0, sizeof desc);
        open.threads = 1;
        open.allocator = hook_allocator(&h);
        nn_context *nn = nn_open(&open);
        nn_model *model = nn_make_model(nn, NULL);
        nn_node *x = nn_input(model, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, 6, 6, 6));
        nn_conv3d_desc conv;
        memset(&conv, 0, sizeof conv);
        conv.out_channels = 2;
        conv.kernel = 3;
        NODE_AT(desc.outputs, 0) = nn_relu(model, x);
        desc.batch = 2;
        h.fail_at = h.calls + n;
        nn_expression(model, "a: a * 2 + 1", x);
        nn_repeat(model, x, NN_SHAPE(1, 40, 1, 1, 1));
        nn_stack(model, NN_NODES(x, x), 0);
        nn_conv3d(model, "conv", x, &conv);
        nn_auroc(model, x, x, 5);
        h.fail_at = 0;
        all = h.failed == 0;
        failures += h.failed;
        const bool missing = nn_error(nn) != NULL;
        nn_plan *plan = nn_make_plan(model, &desc);
        ENSURE((plan == NULL) == missing && missing == !all);
        nn_close(nn);
        ENSURE(h.live == 0 && h.wrong == 0);
    }
    ENSURE(all && failures > 4);
}

static void test_each_allocation_fails_once(void) { fail_allocations(true, 1, 1, 1); }
static void test_all_allocations_fail_from_one_on(void) {
    fail_allocations(true, 1, INT32_MAX, full() ? 1 : 3);
}
static void test_each_allocation_fails_with_threads(void) {
    fail_allocations(false, 2, 1, full() ? 1 : 5);
}

/* ---- 2: one block, too small ----------------------------------------------------------------- */

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
    if (use && p.nn) *use = nn_context_memory(p.nn);
    violations = program_end(&p);
    good = program_check(&p, NULL, violations, (int64_t)bytes, "block");
    if (!*whole && good && p.nn && !strstr(p.error, "memory")) {
        test_fail(__FILE__, __LINE__, "a block of %zu bytes: %s: %s", bytes, p.last, p.error);
        good = false;
    }
    for (char *at = memory; at < memory + bytes + 2 * GUARD + 128; at++) {
        if ((at < block || at >= block + bytes) && *at != (char)0xA5) good = false;
    }
    if (!good)
        test_fail(__FILE__, __LINE__, "a block of %zu bytes: written outside, or the above", bytes);
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
    for (bytes = 0; bytes < 600; bytes += 7)
        ENSURE(run_in_block(bytes, bytes % 4 * 16, NULL, &whole) && !whole);
    step_bytes = full() ? 64 : (size_t)use.peak_bytes / 120;
    enough = (size_t)use.peak_bytes * 2;
    for (whole = false, bytes = 600; !whole && bytes < enough; bytes += step_bytes)
        ENSURE(run_in_block(bytes, 48, NULL, &whole));
    ENSURE(whole); /* and a block not far above the peak is enough */
    /* and the context says of how many bytes */
    ENSURE(use.block_bytes >= ((size_t)8 << 20) - 128);
    bytes = (size_t)use.block_needed_bytes;
    ENSURE(bytes > use.peak_bytes && bytes < enough);
    ENSURE(run_in_block(bytes, 16, &use, &whole) && whole);
    ENSURE(use.block_needed_bytes == bytes);
}

/* ---- 3: the Nth call of the device fails ----------------------------------------------------- */

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
            test_fail(__FILE__, __LINE__, "call %lld of the device failed, and nobody said so",
                      (long long)n);
            return;
        }
        failed++;
    }
    ENSURE(failed > 100 / every);
    if (full()) printf("%lld failing calls\n", (long long)failed);
}

static void test_each_device_call_fails_once(void) { fail_device(false, false, 1, 1); }
static void test_each_queued_device_call_fails_once(void) {
    fail_device(true, true, 1, full() ? 1 : 2);
}
static void test_a_device_dies(void) { fail_device(true, false, INT32_MAX, full() ? 1 : 3); }

/* ---- 4: disks -------------------------------------------------------------------------------- */

/* A model whose parameters are `value`, on a disk that works. */
static bool fill_model(program *p, float value) {
    float values[256];
    for (int i = 0; i < 256; i++) values[i] = value + (float)i;
    for (int i = 0; i < nn_model_tensor_count(p->learner.model); i++) {
        nn_tensor *tensor = nn_model_tensor_at(p->learner.model, i);
        if (nn_upload_tensor(tensor, values, (size_t)nn_tensor_bytes(tensor)) != NN_OK)
            return false;
    }
    return true;
}

static bool model_is(program *p, float value) {
    float values[256];
    for (int i = 0; i < nn_model_tensor_count(p->learner.model); i++) {
        nn_tensor *tensor = nn_model_tensor_at(p->learner.model, i);
        size_t bytes = (size_t)nn_tensor_bytes(tensor);
        if (nn_download_tensor(tensor, values, bytes) != NN_OK) return false;
        for (size_t k = 0; k < bytes / sizeof(float); k++) {
            if (values[k] != value + (float)k) return false;
        }
    }
    return true;
}

static bool disk_program(program *p, hook *h) {
    program_init(p);
    memset(h, 0, sizeof *h);
    p->desc.allocator = hook_allocator(h);
    return step_open(p) && step_sim(p) && step_weight(p) && step_describe(p) &&
           nn_find_tensor(p->learner.model, "conv.weight") && fill_model(p, 1) && step_save(p);
}

static void disk_program_end(program *p, const hook *h, const char *what) {
    p->last = what;
    snprintf(p->error, sizeof p->error, "%.400s", p->nn && nn_error(p->nn) ? nn_error(p->nn) : "");
    program_check(p, h, program_end(p), 0, "at the end of");
}

static bool other_files(const program *p) { /* than the saved one */
    for (int i = 0; i < MEMORY_FILES; i++) {
        const char *name = p->disk.memory.files[i].name;
        if (name[0] && strcmp(name, PATH) != 0) return true;
    }
    return false;
}

static bool named(const program *p, const char *path) {
    return nn_error(p->nn) && strstr(nn_error(p->nn), path);
}

/* True if the old file is there, byte for byte, with nothing beside it, and the error names the
   path. */
static bool old_survives(program *p, const void *old, size_t bytes) {
    const memory_file *file = memory_find(&p->disk.memory, PATH);
    return file && file->size == bytes && memcmp(file->bytes, old, bytes) == 0 && !other_files(p) &&
           p->disk.memory.open_files == 0 && named(p, PATH) &&
           nn_error_code(p->nn) == NN_ERROR_FILE;
}

static void test_saving_on_a_failing_disk(void) {
    program p;
    hook h;
    static unsigned char old[8192];
    size_t bytes;
    bool flushed = false, renamed = false, closed = false;
    ENSURE(disk_program(&p, &h));
    bytes = memory_find(&p.disk.memory, PATH)->size;
    ENSURE(bytes > 500 && bytes <= sizeof old);
    memcpy(old, memory_find(&p.disk.memory, PATH)->bytes, bytes);
    ENSURE(fill_model(&p, 2));
    for (int n = 1;; n++) {
        p.disk.operations = 0;
        p.disk.fail_at = n;
        p.disk.failed = NULL;
        if (nn_save_weights(p.learner.model, PATH) == NN_OK) break;
        ENSURE(p.disk.failed && old_survives(&p, old, bytes));
        flushed |= strcmp(p.disk.failed, "flush") == 0;
        renamed |= strcmp(p.disk.failed, "rename") == 0;
        closed |= strcmp(p.disk.failed, "close") == 0;
        nn_clear_error(p.nn);
        ENSURE(n < 1000);
    }
    ENSURE(!p.disk.failed && flushed && renamed && closed &&
           !nn_error(p.nn)); /* it ended because none failed */
    ENSURE(memcmp(memory_find(&p.disk.memory, PATH)->bytes, old, bytes) != 0 && !other_files(&p));
    memcpy(old, memory_find(&p.disk.memory, PATH)->bytes, bytes);
    p.disk.fail_at = 0;
    for (size_t room = 0; room < bytes;
         room += full() ? 1 : 61) { /* a disk with room for this number of bytes */
        p.disk.full = true;
        p.disk.room = room;
        ENSURE(nn_save_weights(p.learner.model, PATH) == NN_ERROR_FILE &&
               old_survives(&p, old, bytes));
        nn_clear_error(p.nn);
    }
    p.disk.room = bytes; /* just enough */
    ENSURE(nn_save_weights(p.learner.model, PATH) == NN_OK && !nn_error(p.nn));
    disk_program_end(&p, &h, "saving");
}

static void test_loading_from_a_failing_disk(void) {
    program p;
    hook h;
    bool read = false;
    ENSURE(disk_program(&p, &h) && fill_model(&p, 2));
    for (int n = 1;; n++) {
        nn_result result;
        p.disk.operations = 0;
        p.disk.fail_at = n;
        p.disk.failed = NULL;
        result = nn_load_weights(p.learner.model, PATH, NULL);
        ENSURE(p.disk.memory.open_files == 0);
        if (!p.disk.failed) break;
        if (result == NN_OK) { /* closing a file that was read whole may fail unheard */
            ENSURE(strcmp(p.disk.failed, "close") == 0 && model_is(&p, 1) && fill_model(&p, 2));
            continue;
        }
        read |= strcmp(p.disk.failed, "read") == 0;
        ENSURE(result == NN_ERROR_FILE && model_is(&p, 2) && named(&p, PATH));
        nn_clear_error(p.nn);
    }
    ENSURE(read && model_is(&p, 1) && !nn_error(p.nn));
    disk_program_end(&p, &h, "loading");
}

static void test_damaged_weights(void) {
    program p;
    hook h;
    static unsigned char whole[8192];
    const unsigned char gzip[12] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2};
    const unsigned char idx[8] = {0, 0, 8, 1, 0, 0, 0, 0};
    size_t bytes;
    ENSURE(disk_program(&p, &h) && fill_model(&p, 2));
    bytes = memory_find(&p.disk.memory, PATH)->size;
    ENSURE(bytes <= sizeof whole);
    memcpy(whole, memory_find(&p.disk.memory, PATH)->bytes, bytes);
    for (size_t cut = 0; cut < bytes; cut += full() || cut > bytes - 3 ? 1 : 97) {
        ENSURE(memory_put(&p.disk.memory, PATH, whole, cut));
        ENSURE(nn_load_weights(p.learner.model, PATH, NULL) == NN_ERROR_FORMAT);
        ENSURE(model_is(&p, 2) && named(&p, PATH));
        nn_clear_error(p.nn);
    }
    ENSURE(memory_put(&p.disk.memory, PATH, gzip, sizeof gzip));
    ENSURE(nn_load_weights(p.learner.model, PATH, NULL) == NN_ERROR_FORMAT && named(&p, "gzip") &&
           model_is(&p, 2));
    nn_clear_error(p.nn);
    ENSURE(memory_put(&p.disk.memory, PATH, idx, sizeof idx));
    ENSURE(nn_load_weights(p.learner.model, PATH, NULL) == NN_ERROR_FORMAT && model_is(&p, 2));
    nn_clear_error(p.nn);
    ENSURE(memory_put(&p.disk.memory, "a.idx", gzip, sizeof gzip));
    ENSURE(!nn_load_idx(p.nn, "a.idx") && nn_error_code(p.nn) == NN_ERROR_FORMAT &&
           named(&p, "gzip"));
    nn_clear_error(p.nn);
    ENSURE(nn_load_weights(p.learner.model, "none.safetensors", NULL) == NN_ERROR_FILE &&
           named(&p, "none.safetensors"));
    nn_clear_error(p.nn);
    ENSURE(memory_put(&p.disk.memory, PATH, whole, bytes) && step_load(&p) == false);
    nn_clear_error(p.nn);
    ENSURE(nn_load_weights(p.learner.model, PATH, NULL) == NN_OK && model_is(&p, 1));
    disk_program_end(&p, &h, "damage");
}

static void test_unwritable_folder(void) {
    const char *file = "test_failures.tmp";
    program p;
    nn_desc desc;
    FILE *made = fopen(file, "wb");
    ENSURE(made && fclose(made) == 0);
    program_init(&p);
    desc = p.desc;
    p.nn = nn_open(&desc); /* stdio */
    ENSURE(p.nn && step_weight(&p) && step_describe(&p));
    ENSURE(nn_save_weights(p.learner.model, "test_failures.tmp/net.safetensors") == NN_ERROR_FILE);
    ENSURE(named(&p, "test_failures.tmp/net.safetensors"));
    nn_clear_error(p.nn);
    ENSURE(nn_save_weights(p.learner.model, ".") == NN_ERROR_FILE && nn_error(p.nn)); /* a folder */
    nn_clear_error(p.nn);
    remove("..tmp");
    ENSURE(nn_load_weights(p.learner.model, file, NULL) == NN_ERROR_FORMAT && nn_error(p.nn));
    ENSURE(remove(file) == 0);
    nn_close(p.nn);
}

/* ---- 5: bad arguments ------------------------------------------------------------------------ */

static nn_context *bad; /* the context of the test */

/* The call was refused with words, and the next good call works as ever. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        nn_result refused_ = (nn_result)(call);                                                    \
        if (!((int)refused_ < 0))                                                                  \
            test_fail(__FILE__, __LINE__, "not refused: %s", #call);                               \
        else if (!nn_error(bad))                                                                   \
            test_fail(__FILE__, __LINE__, "refused without words: %s", #call);                     \
        nn_clear_error(bad);                                                                       \
    } while (0)
#define REFUSED_NULL(call)                                                                         \
    do {                                                                                           \
        if ((call) != NULL)                                                                        \
            test_fail(__FILE__, __LINE__, "not refused: %s", #call);                               \
        else if (!nn_error(bad))                                                                   \
            test_fail(__FILE__, __LINE__, "refused without words: %s", #call);                     \
        nn_clear_error(bad);                                                                       \
    } while (0)
/* The builder's node is poisoned, which is one more fault; nodes that read it add no faults. */
#define POISONED(net, call)                                                                        \
    do {                                                                                           \
        int faults_ = nn_fault_count(net);                                                         \
        nn_node *node_ = (call);                                                                   \
        if (!node_) test_fail(__FILE__, __LINE__, "NULL: %s", #call);                              \
        nn_relu(net, node_);                                                                       \
        nn_add(net, node_, node_);                                                                 \
        if (nn_fault_count(net) != faults_ + 1)                                                    \
            test_fail(__FILE__, __LINE__, "%d faults instead of 1: %s",                            \
                      nn_fault_count(net) - faults_, #call);                                       \
    } while (0)

static nn_tensor *new_tensor(nn_context *nn, nn_dtype dtype, nn_shape shape) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dtype = dtype;
    desc.shape = shape;
    return nn_make_tensor_at(here(1), nn, &desc);
}

static void test_bad_tensors(void) {
    program p;
    nn_tensor *t, *other, *numbers;
    nn_context *second = nn_open((const nn_desc *)NULL);
    float f[24] = {0};
    nn_shape deep = NN_SHAPE(2, 3);
    hook h;
    memset(&h, 0, sizeof h);
    program_init(&p);
    p.desc.allocator = hook_allocator(&h);
    ENSURE(step_open(&p) && second);
    bad = p.nn;
    t = new_tensor(bad, NN_F32, NN_SHAPE(4, 6));
    numbers = new_tensor(bad, NN_I32, NN_SHAPE(4, 6));
    other = new_tensor(second, NN_F32, NN_SHAPE(4, 6));
    ENSURE(t && numbers && other);
    REFUSED_NULL(new_tensor(bad, NN_F32, NN_SHAPE(0)));
    REFUSED_NULL(new_tensor(bad, NN_F32, NN_SHAPE(4, -1)));
    REFUSED_NULL(new_tensor(bad, NN_F32, NN_SHAPE(INT32_MIN)));
    REFUSED_NULL(new_tensor(bad, NN_F32, NN_SHAPE(INT32_MAX, INT32_MAX, INT32_MAX)));
    REFUSED_NULL(new_tensor(bad, NN_F64, NN_SHAPE(INT32_MAX, INT32_MAX))); /* 2^65 bytes */
    REFUSED_NULL(
        new_tensor(bad, NN_U8, NN_SHAPE(INT32_MAX, INT32_MAX))); /* 2^62: nobody has them */
    REFUSED_NULL(new_tensor(bad, (nn_dtype)99, NN_SHAPE(4)));
    REFUSED_NULL(new_tensor(bad, (nn_dtype)-1, NN_SHAPE(4)));
    deep.rank = 7;
    REFUSED_NULL(new_tensor(bad, NN_F32, deep));
    deep.rank = -1;
    REFUSED_NULL(new_tensor(bad, NN_F32, deep));
    REFUSED_NULL(nn_wrap(bad, "x", NN_F32, NN_SHAPE(2), NULL));
    REFUSED_NULL(nn_wrap(bad, "x", NN_F32, NN_SHAPE(-2), f));
    REFUSED_NULL(nn_make_view(t, -1, 1));
    REFUSED_NULL(nn_make_view(t, 0, 0));
    REFUSED_NULL(nn_make_view(t, 4, 1));
    REFUSED_NULL(nn_make_view(t, 1, INT32_MAX));
    REFUSED_NULL(nn_make_view(t, INT32_MAX, INT32_MAX));
    REFUSED_NULL(nn_make_view(t, INT32_MIN, 1));
    REFUSED_NULL(nn_make_reshaped(t, NN_SHAPE(5, 5)));
    REFUSED_NULL(nn_make_reshaped(t, NN_SHAPE(-4, -6)));
    REFUSED_NULL(nn_make_reshaped(t, NN_SHAPE(INT32_MAX, INT32_MAX, INT32_MAX)));
    REFUSED(nn_upload_tensor(t, f, 0));
    REFUSED(nn_upload_tensor(t, f, sizeof f - 1));
    REFUSED(nn_upload_tensor(t, NULL, sizeof f));
    REFUSED(nn_download_tensor(t, NULL, sizeof f));
    REFUSED(nn_download_tensor(t, f, sizeof f + 4));
    REFUSED(nn_copy(t, numbers));
    REFUSED(nn_copy(t, NULL));
    REFUSED(nn_copy(t, other));
    REFUSED_NULL(nn_copy_to(t, nn_opencl(0)));
    REFUSED_NULL(nn_copy_to(t, nn_make_device((nn_device_kind)55, 0)));
    REFUSED_NULL(nn_copy_to(t, nn_make_device(NN_CPU, 1)));
    REFUSED_NULL(nn_load_idx(bad, NULL));
    REFUSED_NULL(nn_load_idx(bad, ""));
    REFUSED_NULL(nn_open_safetensors(bad, NULL));
    REFUSED(nn_save_safetensors(bad, NULL, &t, 1, NULL, 0));
    REFUSED(nn_save_safetensors(bad, "a", NULL, 1, NULL, 0));
    REFUSED(nn_save_safetensors(bad, "a", &t, -1, NULL, 0));
    REFUSED(nn_save_safetensors(bad, "a", &other, 1, NULL, 0));
    REFUSED(nn_save_safetensors(bad, "a", &t, 1, NULL, 2));
    ENSURE(nn_upload_tensor(t, f, sizeof f) == NN_OK &&
           nn_download_tensor(t, f, sizeof f) == NN_OK);
    ENSURE(nn_shape_count(NN_SHAPE(INT32_MAX, INT32_MAX, INT32_MAX)) == -1 &&
           nn_shape_count(NN_SHAPE(0)) == -1);
    ENSURE(nn_shape_count(deep) == -1 && nn_make_shape(NULL, 2).rank <= 2 &&
           nn_dtype_size((nn_dtype)-5) == 0);
    ENSURE(nn_dtype_name((nn_dtype)77) && nn_result_text((nn_result)-77) &&
           nn_result_text((nn_result)77));
    ENSURE(nn_ledger_at(bad, -1).count == 0 && nn_ledger_at(bad, 1 << 20).count == 0);
    nn_device_at(bad, -1);
    nn_device_at(bad, 99);
    nn_random_permutation(1, 1, NULL, 0);
    ENSURE(!nn_error(bad) && nn_ledger_bytes(bad, (nn_crossing)9) == 0);
    ENSURE(nn_format_device(nn_make_device((nn_device_kind)99, -7), NULL, 0));
    nn_close(second);
    nn_close(p.nn);
    ENSURE(h.live == 0 && h.wrong == 0);
}

static void test_bad_immediates(void) {
    program p;
    nn_tensor *x, *w, *y, *b, *i, *small, *logits, *label, *loss;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    program_init(&p);
    ENSURE(step_open(&p));
    bad = p.nn;
    x = new_tensor(bad, NN_F32, NN_SHAPE(2, 4, 9, 9));
    w = new_tensor(bad, NN_F32, NN_SHAPE(5, 4, 3, 3));
    y = new_tensor(bad, NN_F32, NN_SHAPE(2, 5, 7, 7));
    b = new_tensor(bad, NN_F32, NN_SHAPE(5));
    i = new_tensor(bad, NN_I32, NN_SHAPE(2, 4, 9, 9));
    small = new_tensor(bad, NN_F32, NN_SHAPE(2, 4));
    logits = new_tensor(bad, NN_F32, NN_SHAPE(2, 3));
    label = new_tensor(bad, NN_I32, NN_SHAPE(2));
    loss = new_tensor(bad, NN_F32, NN_SHAPE(1));
    ENSURE(x && w && y && b && i && small && logits && label && loss);
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    ENSURE(nn_conv2d_forward(y, x, w, b, &conv) == NN_OK &&
           nn_conv2d_forward(y, x, w, b, NULL) == NN_OK);
    REFUSED(nn_conv2d_forward(y, x, w, small, &conv));
    REFUSED(nn_conv2d_forward(y, i, w, b, &conv));
    REFUSED(nn_conv2d_forward(y, x, small, b, &conv));
    REFUSED(nn_conv2d_forward(x, x, w, b, &conv));
    REFUSED(nn_conv2d_forward(y, x, NULL, b, &conv));
    REFUSED(nn_conv2d_forward(y, NULL, w, b, &conv));
    ENSURE((int)nn_conv2d_forward(NULL, x, w, b, &conv) < 0);
    nn_clear_error(bad);
#define CONV(field, value)                                                                         \
    do {                                                                                           \
        memset(&conv, 0, sizeof conv);                                                             \
        conv.field = (value);                                                                      \
        REFUSED(nn_conv2d_forward(y, x, w, b, &conv));                                             \
        REFUSED(nn_conv2d_backward(x, w, b, y, x, w, &conv, false));                               \
        (void)nn_conv2d_scratch_bytes(y, x, w, &conv);                                             \
        nn_clear_error(bad);                                                                       \
    } while (0)
    CONV(stride, -1);
    CONV(stride, INT32_MAX);
    CONV(stride_w, INT32_MIN);
    CONV(padding, -2);
    CONV(padding, INT32_MAX);
    CONV(padding_w, INT32_MIN);
    CONV(dilation, INT32_MAX);
    CONV(dilation, -1);
    CONV(dilation_w, INT32_MIN);
    CONV(groups, 3);
    CONV(groups, -1);
    CONV(groups, INT32_MAX);
    CONV(out_channels, 7);
    CONV(in_channels, -3);
    CONV(kernel, 5);
    CONV(kernel, -1);
    CONV(kernel_w, INT32_MAX);
    nn_conv2d_scratch_bytes(NULL, x, w, NULL);
    nn_clear_error(bad);
#define POOL(field, value)                                                                         \
    do {                                                                                           \
        memset(&pool, 0, sizeof pool);                                                             \
        pool.kernel = 3;                                                                           \
        pool.field = (value);                                                                      \
        REFUSED(nn_max_pool2d_forward(y, NULL, x, &pool));                                         \
        REFUSED(nn_avg_pool2d_forward(y, x, &pool));                                               \
        REFUSED(nn_max_pool2d_backward(x, y, i, &pool));                                           \
        REFUSED(nn_avg_pool2d_backward(x, y, &pool));                                              \
    } while (0)
    POOL(kernel, 0);
    POOL(kernel, -1);
    POOL(kernel, INT32_MAX);
    POOL(kernel_w, INT32_MIN);
    POOL(stride, -2);
    POOL(stride, INT32_MAX);
    POOL(padding, 2); /* more than half */
    POOL(padding, INT32_MAX);
    POOL(padding_w, INT32_MIN);
    REFUSED(nn_max_pool2d_forward(y, NULL, x, NULL));
    REFUSED(nn_linear_forward(logits, small, w, NULL));
    REFUSED(nn_linear_forward(logits, i, small, NULL));
    REFUSED(nn_linear_backward(NULL, small, small, NULL, small, small, false));
    REFUSED(nn_relu_forward(x, y));
    REFUSED(nn_relu_forward(x, i));
    REFUSED(nn_relu_backward(x, y, x, false));
    REFUSED(nn_add_forward(x, x, y));
    REFUSED(nn_reduce_forward(loss, NN_SUM, x, NN_AXES(9)));
    REFUSED(nn_reduce_forward(loss, (nn_reduction)42, x, NN_ALL_AXES));
    REFUSED(nn_reduce_forward(y, NN_SUM, x, NN_AXES(1)));
    REFUSED(nn_softmax_forward(y, x, false));
    REFUSED(nn_softmax_forward(i, i, true));
    REFUSED(nn_softmax_backward(x, y, x, false));
    REFUSED(nn_cross_entropy_forward(loss, logits, logits, NULL, NULL));
    REFUSED(nn_cross_entropy_forward(logits, logits, label, NULL, NULL));
    REFUSED(nn_cross_entropy_forward(loss, logits, label, small, NULL));
    REFUSED(nn_cross_entropy_backward(small, logits, label, NULL, NULL));
    {
        nn_cross_entropy_options options;
        const int32_t wrong[2] = {3, -1}, right[2] = {2, 0};
        float before = -7, after = 0;
        memset(&options, 0, sizeof options);
        options.label_smoothing = 1.5f;
        REFUSED(nn_cross_entropy_forward(loss, logits, label, NULL, &options));
        options.label_smoothing = 0;
        options.reduction = NN_MAX;
        REFUSED(nn_cross_entropy_forward(loss, logits, label, NULL, &options));
        ENSURE(nn_upload_tensor(label, wrong, sizeof wrong) == NN_OK);
        ENSURE(nn_upload_tensor(loss, &before, sizeof before) == NN_OK);
        REFUSED(nn_cross_entropy_forward(loss, logits, label, NULL, NULL));
        ENSURE(nn_download_tensor(loss, &after, sizeof after) == NN_OK && after == before);
        REFUSED(nn_cross_entropy_backward(logits, logits, label, NULL, NULL));
        ENSURE(nn_upload_tensor(label, right, sizeof right) == NN_OK);
        ENSURE(nn_cross_entropy_forward(loss, logits, label, NULL, NULL) == NN_OK);
    }
    nn_close(bad);
}
#undef CONV
#undef POOL

static void test_bad_descriptions(void) {
    program p;
    net n;
    nn_model *m;
    nn_node *x, *flat, *label, *scalar;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    nn_linear_desc linear;
    nn_custom_desc custom;
    nn_plan_desc plan;
    program_init(&p);
    ENSURE(step_open(&p) && step_weight(&p));
    bad = p.nn;
    m = nn_make_model(bad, (const nn_model_desc *)NULL);
    ENSURE(m);
    x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 9, 9));
    label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    flat = nn_flatten(m, x);
    scalar = nn_mean(m, x);
    ENSURE(nn_fault_count(m) == 0);
    POISONED(m, nn_input(m, "x", NN_F32, NN_SHAPE(3)));
    POISONED(m, nn_input(m, NULL, NN_F32, NN_SHAPE(3)));
    POISONED(m, nn_input(m, "", NN_F32, NN_SHAPE(3)));
    POISONED(m, nn_input(m, "z", (nn_dtype)-4, NN_SHAPE(3)));
    POISONED(m, nn_input(m, "z", NN_F32, NN_SHAPE(0)));
    POISONED(m, nn_input(m, "z", NN_F32, NN_SHAPE(INT32_MIN)));
    POISONED(m, nn_input(m, "z", NN_F32, NN_SHAPE(NN_BATCH, INT32_MAX, INT32_MAX, INT32_MAX)));
    POISONED(m, nn_parameter(m, "z", NN_SHAPE(NN_BATCH, 3), 0, 1));
    POISONED(m, nn_parameter(m, "z", NN_SHAPE(INT32_MAX, INT32_MAX, INT32_MAX), 0, 1));
    POISONED(m, nn_constant(m, "z", NULL));
    POISONED(m, nn_borrow(m, NULL));
    POISONED(m, nn_relu(m, NULL));
    POISONED(m, nn_relu(m, label));
    POISONED(m, nn_dropout(m, x, 1.5f));
    POISONED(m, nn_dropout(m, x, -0.5f));
    POISONED(m, nn_dropout(m, x, (float)NAN));
    POISONED(m, nn_add(m, x, flat));
    POISONED(m, nn_reshape(m, x, NN_SHAPE(NN_BATCH, 5)));
    POISONED(m, nn_reshape(m, x, NN_SHAPE(NN_BATCH, NN_BATCH)));
    POISONED(m, nn_reshape(m, x, NN_SHAPE(NN_BATCH, 0)));
    POISONED(m, nn_reduce(m, NN_SUM, x, NN_AXES(8), false));
    POISONED(m, nn_reduce(m, (nn_reduction)77, x, NN_AXES(1), false));
    POISONED(m, nn_softmax(m, scalar));
    POISONED(m, nn_softmax(m, label));
    POISONED(m, nn_matmul(m, x, flat, NULL));
    POISONED(m, nn_cross_entropy(m, flat, x, NULL));
    POISONED(m, nn_cross_entropy(m, label, label, NULL));
    POISONED(m, nn_bce_with_logits(m, flat, label, NULL));
    POISONED(m, nn_mse_loss(m, x, flat, NULL));
    POISONED(m, nn_mse_loss(m, x, x, &(nn_mse_desc){.reduction = (nn_reduction)9}));
    POISONED(m, nn_accuracy(m, flat, flat));
    nn_transfer(
        m, x, nn_make_device((nn_device_kind)44, 0)); /* it could still be opened: the plan tells */
    POISONED(m, nn_transfer(m, NULL, nn_cpu()));
    POISONED(m, nn_global_avg_pool2d(m, flat));
    POISONED(m, nn_linear(m, "a", x, NULL));
    memset(&linear, 0, sizeof linear);
    POISONED(m, nn_linear(m, "a", flat, &linear));
    linear.out_features = -1;
    POISONED(m, nn_linear(m, "a", flat, &linear));
    linear.out_features = INT32_MAX; /* 324 x 2^31 numbers: a size that can be counted, not had */
    nn_linear(m, "huge", flat, &linear);
    linear.out_features = 2;
    linear.in_features = INT32_MIN;
    POISONED(m, nn_linear(m, "a", flat, &linear));
#define CONV(field, value)                                                                         \
    do {                                                                                           \
        memset(&conv, 0, sizeof conv);                                                             \
        conv.out_channels = 6;                                                                     \
        conv.kernel = 3;                                                                           \
        conv.field = (value);                                                                      \
        POISONED(m, nn_conv2d(m, "c", x, &conv));                                                  \
    } while (0)
    CONV(out_channels, 0);
    CONV(out_channels, INT32_MIN);
    CONV(in_channels, 5);
    CONV(kernel, 0);
    CONV(kernel, INT32_MAX);
    CONV(kernel, -1);
    CONV(kernel_w, INT32_MIN);
    CONV(stride, -1);
    CONV(stride_w, INT32_MIN);
    CONV(padding, -1);
    CONV(padding, INT32_MAX);
    CONV(padding_w, INT32_MIN);
    CONV(dilation, INT32_MAX);
    CONV(dilation, -1);
    CONV(groups, 3);
    CONV(groups, -4);
    CONV(groups, INT32_MAX);
    POISONED(m, nn_conv2d(m, "c", flat, &conv));
    POISONED(m, nn_conv2d(m, "c", x, NULL));
#define POOL(field, value)                                                                         \
    do {                                                                                           \
        memset(&pool, 0, sizeof pool);                                                             \
        pool.kernel = 2;                                                                           \
        pool.field = (value);                                                                      \
        POISONED(m, nn_max_pool2d(m, x, &pool));                                                   \
        POISONED(m, nn_avg_pool2d(m, x, &pool));                                                   \
    } while (0)
    POOL(kernel, 0);
    POOL(kernel, INT32_MAX);
    POOL(kernel_w, -1);
    POOL(stride, INT32_MIN);
    POOL(padding, 2);
    POOL(padding, -1);
    POOL(padding_w, INT32_MAX);
    POISONED(m, nn_max_pool2d(m, x, NULL));
    memset(&custom, 0, sizeof custom);
    custom.shape = NN_SHAPE(NN_BATCH);
    NODE_AT(custom.inputs, 0) = x;
    POISONED(m, nn_custom(m, "u", &custom)); /* no function */
    custom.function = double_it;
    custom.shape = NN_SHAPE(0);
    POISONED(m, nn_custom(m, "u", &custom));
    POISONED(m, nn_custom(m, "u", NULL));
    memset(&plan, 0, sizeof plan);
    NODE_AT(plan.outputs, 0) = x;
    ENSURE(!nn_make_plan(m, &plan) &&
           nn_error_code(bad) == NN_ERROR_FAULTS); /* all of these at once */
    nn_clear_error(bad);
    REFUSED_NULL(nn_make_trainer(m, scalar, (const nn_trainer_desc *)NULL));
    REFUSED_NULL(nn_find_tensor(m, "huge.weight"));
    REFUSED(nn_save_weights(m, PATH));
    REFUSED(nn_load_weights(m, PATH, NULL));
    nn_free_model(m);
    ENSURE(describe(&p, &n, "good")); /* the context still works */
    memset(&plan, 0, sizeof plan);
    NODE_AT(plan.outputs, 0) = n.logits;
    plan.batch = -3;
    REFUSED_NULL(nn_make_plan(n.model, &plan));
    plan.batch = 1;
    ENSURE(nn_make_plan(n.model, &plan));
    nn_close(bad);
}
#undef CONV
#undef POOL

static void test_bad_plans_and_loaders(void) {
    program p;
    nn_dataset_desc data;
    nn_loader_desc load;
    nn_fit_desc fit;
    nn_tensor *wrong, *shape;
    nn_device device;
    float scores[CLASSES + 1], image[SIDE * SIDE] = {0};
    program_init(&p);
    ENSURE(step_open(&p) && step_dataset(&p) && step_loader(&p) && step_validation(&p) &&
           step_weight(&p));
    ENSURE(step_describe(&p) && step_trainer(&p) && step_save(&p) && step_reader(&p) &&
           step_load(&p));
    ENSURE(step_plan(&p) && step_classify(&p));
    bad = p.nn;
    wrong = new_tensor(bad, NN_I32, NN_SHAPE(1, 1, SIDE, SIDE));
    shape = new_tensor(bad, NN_F32, NN_SHAPE(1, 1, SIDE, SIDE + 1));
    ENSURE(wrong && shape);
    REFUSED(nn_upload(p.plan, p.reader.image, image, 0));
    REFUSED(nn_upload(p.plan, p.reader.image, image, sizeof image - 1));
    REFUSED(nn_upload(p.plan, p.reader.image, image, sizeof image * 2)); /* batch 2 of 1 */
    REFUSED(nn_upload(p.plan, p.reader.image, NULL, sizeof image));
    REFUSED(nn_upload(p.plan, p.reader.logits, image, sizeof image)); /* no input */
    REFUSED(nn_upload(p.plan, p.learner.image, image, sizeof image)); /* of another model */
    REFUSED(nn_upload(p.plan, NULL, image, sizeof image));
    REFUSED(nn_download(p.plan, p.reader.logits, scores, sizeof scores));
    REFUSED(nn_download(p.plan, p.reader.logits, NULL, sizeof scores));
    REFUSED(nn_download(p.plan, p.reader.loss, scores, sizeof(float)));
    REFUSED(nn_download(p.plan, NULL, scores, sizeof scores));
    ENSURE(nn_plan_view(p.plan, p.reader.loss).handle == NULL &&
           nn_plan_view(p.plan, NULL).handle == NULL);
    if (nn_bind(p.plan, p.reader.image, wrong) == NN_OK) REFUSED(nn_run(p.plan));
    nn_clear_error(bad);
    if (nn_bind(p.plan, p.reader.image, shape) == NN_OK) REFUSED(nn_run(p.plan));
    nn_clear_error(bad);
    REFUSED(nn_bind(p.plan, NULL, shape));
    REFUSED(nn_bind(p.plan, p.reader.logits, shape));
    ENSURE(nn_bind(p.plan, p.reader.image, NULL) == NN_OK);
    REFUSED(nn_run(p.plan)); /* nothing was given since */
    ENSURE(step_classify(&p) && nn_replan(p.plan) == NN_OK && step_classify(&p));
    REFUSED(nn_find_tensor(p.reader.model, NULL) ? NN_OK : NN_ERROR_ARGUMENT);
    REFUSED(nn_find_tensor(p.reader.model, "nothing") ? NN_OK : NN_ERROR_ARGUMENT);
    REFUSED(nn_freeze(p.reader.model, NULL, true));
    REFUSED(nn_freeze(p.reader.model, "", true));
    REFUSED(nn_move_model(p.reader.model, nn_opencl(3)));
    REFUSED(nn_move_trainer(p.trainer, nn_make_device(NN_USER_2, 1)));
    REFUSED(nn_parse_device(bad, "toaster", &device));
    REFUSED(nn_parse_device(bad, NULL, &device));
    REFUSED(nn_parse_device(bad, "cpu", NULL));
    /* data */
    memset(&data, 0, sizeof data);
    REFUSED_NULL(nn_make_dataset(bad, (const nn_dataset_desc *)NULL));
    REFUSED_NULL(nn_make_dataset(bad, &data));
    data.count = 3;
    REFUSED_NULL(nn_make_dataset(bad, &data)); /* no fields */
    FIELD_AT(data.fields, 0).name = "x";
    FIELD_AT(data.fields, 0).data = p.images;
    FIELD_AT(data.fields, 0).dtype = (nn_dtype)88;
    REFUSED_NULL(nn_make_dataset(bad, &data));
    FIELD_AT(data.fields, 0).dtype = NN_F32;
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(-3);
    REFUSED_NULL(nn_make_dataset(bad, &data));
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(INT32_MAX, INT32_MAX, INT32_MAX);
    REFUSED_NULL(nn_make_dataset(bad, &data));
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(2);
    FIELD_AT(data.fields, 1) = data.fields.field[0];
    REFUSED_NULL(nn_make_dataset(bad, &data)); /* two of one name */
    data.count = -1;
    REFUSED_NULL(nn_make_dataset(bad, &data));
    memset(&load, 0, sizeof load);
    REFUSED_NULL(nn_make_loader(bad, (const nn_loader_desc *)NULL));
    load.dataset = p.dataset;
    load.batch = -1;
    REFUSED_NULL(nn_make_loader(bad, &load));
    load.batch = 1;
    load.device = nn_opencl(0);
    REFUSED_NULL(nn_make_loader(bad, &load));
    REFUSED(nn_start_epoch(p.train, -1));
    ENSURE(!nn_batch_tensor(p.train, NULL) && nn_batches_per_epoch(p.train) == 3);
    /* training */
    memset(&fit, 0, sizeof fit);
    fit.epochs = -1;
    REFUSED(nn_fit(p.trainer, p.train, &fit));
    fit.epochs = 1;
    fit.report_every = -5;
    REFUSED(nn_fit(p.trainer, p.train, &fit));
    REFUSED(nn_fit(p.trainer, NULL, (const nn_fit_desc *)NULL));
    REFUSED(nn_read_report(p.trainer, NULL));
    REFUSED(nn_read_loss(p.trainer, NULL));
    REFUSED(nn_evaluate(p.trainer, NULL, &p.report));
    REFUSED(nn_evaluate(p.trainer, p.validation, NULL));
    nn_set_learning_rate(p.trainer, (float)NAN);
    REFUSED(nn_error_code(bad));
    nn_set_learning_rate(p.trainer, -1);
    REFUSED(nn_error_code(bad));
    ENSURE(nn_learning_rate(p.trainer) == 0.01f);
    ENSURE(step_train(&p) && step_fit(&p) && !nn_error(bad));
    ENSURE(program_end(&p) == 0);
}

/* Sizes that can be counted but not had (the hook refuses more than 1 GB): the error names the
   bytes and comes at once, because planning never counts in 32 bits. */
static void test_sizes_beyond_memory(void) {
    const int32_t widths[4] = {1, 7, 2048, 65536};
    program p;
    hook h;
    program_init(&p);
    memset(&h, 0, sizeof h);
    p.desc.allocator = hook_allocator(&h);
    ENSURE(step_open(&p));
    bad = p.nn;
    for (int i = 0; i < 12; i++) {
        nn_model *m = nn_make_model(bad, (const nn_model_desc *)NULL);
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, widths[i % 4]));
        nn_node *image = nn_input(m, "image", NN_F32, NN_SHAPE(NN_BATCH, 4, 9, 9));
        nn_linear_desc linear;
        nn_conv2d_desc conv;
        nn_plan_desc plan;
        nn_trainer_desc trainer;
        bool many = i >= 4 && i < 8; /* samples, or else outputs */
        memset(&linear, 0, sizeof linear);
        memset(&conv, 0, sizeof conv);
        memset(&plan, 0, sizeof plan);
        memset(&trainer, 0, sizeof trainer);
        linear.out_features = conv.out_channels = many ? 3 + i : INT32_MAX;
        conv.kernel = 3;
        plan.batch = trainer.batch = many ? INT32_MAX : i == 11 ? 1 << 20 : 1;
        NODE_AT(plan.outputs, 0) =
            i % 2 ? nn_linear(m, "wide", x, &linear) : nn_conv2d(m, "wide", image, &conv);
        /* a filter is refused before it: kernels count its weights in an int */
        const char *words = many || i % 2 ? "memory" : "are 2^31 weights or more";
        ENSURE(!nn_make_plan(m, &plan) && nn_error(bad) && strstr(nn_error(bad), words));
        nn_clear_error(bad);
        REFUSED_NULL(nn_make_trainer(m, nn_mean(m, nn_square(m, plan.outputs.node[0])), &trainer));
        nn_free_model(m);
    }
    ENSURE(step_dataset(&p));
    {
        nn_loader *loader = make_loader(&p, INT32_MAX, false, nn_cpu()); /* 2^31 x 36 floats */
        ENSURE(!loader && nn_error(bad) && strstr(nn_error(bad), "memory"));
        nn_clear_error(bad);
    }
    ENSURE(step_loader(&p) && !nn_error(bad));
    ENSURE(program_end(&p) == 0);
    ENSURE(h.live == 0 && h.wrong == 0);
}

/* ---- freeing in every order, and nothing at all ---------------------------------------------- */

static void free_one(program *p, int what) {
    switch (what) {
    case 0: nn_free_dataset(p->dataset); p->dataset = NULL; break;
    case 1: nn_free_loader(p->train); p->train = NULL; break;
    case 2: nn_free_trainer(p->trainer); p->trainer = NULL; break;
    case 3: nn_free_plan(p->plan); p->plan = NULL; break;
    case 4:
        nn_free_model(p->learner.model); /* frees its trainers and plans too */
        p->trainer = NULL;
        p->plan = NULL;
        break;
    default: nn_free_tensor(p->weight); p->weight = NULL; break;
    }
}

static void test_freeing_in_every_order(void) {
    int order[6], digits, orders = 0;
    for (int code = 0; code < 6 * 6 * 6 * 6 * 6 * 6; code++) {
        program p;
        hook h;
        nn_plan_desc plan;
        unsigned seen = 0;
        digits = code;
        for (int i = 0; i < 6; i++, digits /= 6) {
            order[i] = digits % 6;
            seen |= 1u << order[i];
        }
        if (seen != 63 || (!full() && orders++ % 7)) continue;
        program_init(&p);
        memset(&h, 0, sizeof h);
        p.desc.allocator = hook_allocator(&h);
        ENSURE(step_open(&p) && step_dataset(&p) && step_loader(&p) && step_validation(&p) &&
               step_weight(&p));
        ENSURE(step_describe(&p) && step_trainer(&p) && step_train(&p));
        memset(&plan, 0, sizeof plan);
        NODE_AT(plan.outputs, 0) = p.learner.logits;
        ENSURE((p.plan = nn_make_plan(p.learner.model, &plan)) != NULL);
        for (int i = 0; i < code % 7 && i < 6; i++)
            free_one(&p, order[i]); /* the rest is left to nn_close */
        program_check(&p, &h, program_end(&p), code, "order");
    }
}

static void test_null_everywhere(void) {
    nn_report report;
    nn_free_dataset(NULL);
    nn_free_loader(NULL);
    nn_free_trainer(NULL);
    nn_free_plan(NULL);
    nn_free_model(NULL);
    nn_free_tensor(NULL);
    nn_close_safetensors(NULL);
    nn_close(NULL);
    ENSURE(!nn_make_dataset(NULL, (const nn_dataset_desc *)NULL) &&
           !nn_make_loader(NULL, (const nn_loader_desc *)NULL));
    ENSURE(!nn_make_model(NULL, (const nn_model_desc *)NULL) &&
           !nn_make_plan(NULL, (const nn_plan_desc *)NULL));
    ENSURE(!nn_make_trainer(NULL, NULL, (const nn_trainer_desc *)NULL) &&
           !nn_input(NULL, "x", NN_F32, NN_SHAPE(1)));
    ENSURE((int)nn_run(NULL) < 0 && (int)nn_run_for(NULL, 1) < 0 && (int)nn_replan(NULL) < 0);
    ENSURE((int)nn_upload(NULL, NULL, NULL, 0) < 0 && (int)nn_download(NULL, NULL, NULL, 0) < 0);
    ENSURE((int)nn_bind(NULL, NULL, NULL) < 0 && (int)nn_move_model(NULL, nn_cpu()) < 0);
    ENSURE((int)nn_save_weights(NULL, "x") < 0 && (int)nn_load_weights(NULL, "x", NULL) < 0);
    ENSURE((int)nn_move_trainer(NULL, nn_cpu()) < 0 && (int)nn_evaluate(NULL, NULL, &report) < 0);
    ENSURE((int)nn_train_step_for(NULL, NULL, 1) < 0 && (int)nn_clear_fault(NULL) < 0);
    ENSURE((int)nn_train_steps(NULL, NULL, 1, NULL) < 0);
    ENSURE((int)nn_read_report(NULL, NULL) < 0 && (int)nn_read_loss(NULL, NULL) < 0 &&
           (int)nn_start_epoch(NULL, 0) < 0);
    ENSURE(!nn_keep(NULL) && !nn_relu(NULL, NULL) && !nn_linear(NULL, "a", NULL, NULL) &&
           !nn_flatten(NULL, NULL));
    ENSURE(nn_batches_per_epoch(NULL) == 0 && nn_dataset_count(NULL) == 0 &&
           !nn_trainer_plan(NULL));
    ENSURE(nn_fault_count(NULL) == 0 && nn_plan_bytes(NULL, nn_cpu(), NN_MEMORY_INPUTS) == 0);
    nn_set_learning_rate(NULL, 1);
    nn_device_begin(NULL, nn_cpu());
    nn_device_end(NULL);
    nn_ledger_limit(NULL, (const nn_ledger_limits *)NULL);
}

/* ---- 5, 6: threads --------------------------------------------------------------------------- */

#define WIDE 24 /* large enough that a step has more than one unit */

typedef struct training {
    int threads;
    nn_jobs jobs;
    uint64_t seed;
    uint64_t hash;
    hook hook;
    const char *failed; /* NULL: well */
} training;

static const char *train_on(training *t, nn_context *nn) {
    static const char *names[3] = {"conv.weight", "fc.weight", "fc.bias"};
    const int samples = 48;
    program *p = (program *)calloc(1, sizeof *p); /* for its hash */
    float *images = (float *)malloc(sizeof(float) * (size_t)samples * WIDE * WIDE);
    int32_t labels[48];
    uint32_t words[4];
    nn_dataset_desc data;
    nn_loader_desc load;
    nn_model_desc model;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    nn_linear_desc linear;
    nn_trainer_desc trainer_desc;
    nn_fit_desc fit;
    const char *failed = "memory";
    if (!p || !images) { free(p); free(images); return failed; }
    p->hash = 14695981039346656037u;
    for (int i = 0; i < samples; i++) {
        labels[i] = i % 10;
        for (int j = 0; j < WIDE * WIDE; j++) {
            nn_random_words(t->seed, 8, (uint64_t)(i * WIDE * WIDE + j), words);
            images[i * WIDE * WIDE + j] = nn_word_to_uniform(words[0]);
        }
    }
    memset(&data, 0, sizeof data);
    memset(&load, 0, sizeof load);
    memset(&model, 0, sizeof model);
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    memset(&linear, 0, sizeof linear);
    memset(&trainer_desc, 0, sizeof trainer_desc);
    memset(&fit, 0, sizeof fit);
    data.count = samples;
    FIELD_AT(data.fields, 0).name = "image";
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(1, WIDE, WIDE);
    FIELD_AT(data.fields, 0).data = images;
    FIELD_AT(data.fields, 1).name = "label";
    FIELD_AT(data.fields, 1).dtype = NN_I32;
    FIELD_AT(data.fields, 1).data = labels;
    load.dataset = nn_make_dataset(nn, &data);
    load.batch = 20;
    load.shuffle = true;
    model.seed = t->seed;
    conv.out_channels = 16;
    conv.kernel = 3;
    pool.kernel = 2;
    linear.out_features = 10;
    {
        nn_loader *loader = nn_make_loader(nn, &load);
        nn_model *m = nn_make_model(nn, &model);
        nn_node *x = nn_input(m, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, WIDE, WIDE));
        nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
        nn_node *y = nn_max_pool2d(m, nn_relu(m, nn_conv2d(m, "conv", x, &conv)), &pool);
        nn_node *logits = nn_linear(m, "fc", nn_dropout(m, nn_flatten(m, y), 0.2f), &linear);
        nn_trainer *trainer;
        trainer_desc.batch = 20;
        trainer_desc.optimizer = NN_ADAM;
        trainer_desc.max_norm = 1.0f;
        NODE_AT(trainer_desc.metrics, 0) = nn_accuracy(m, logits, label);
        trainer = nn_make_trainer(m, nn_cross_entropy(m, logits, label, NULL), &trainer_desc);
        fit.epochs = 2;
        fit.validation = loader;
        fit.validation = nn_make_loader(nn, &load);
        failed = nn_fit(trainer, loader, &fit) == NN_OK ? NULL : "nn_fit";
        for (int i = 0; i < 3 && !failed; i++) {
            nn_tensor *tensor = nn_find_tensor(m, names[i]);
            const void *bytes = nn_tensor_data(tensor);
            if (bytes) add_hash(p, bytes, (size_t)nn_tensor_bytes(tensor));
            else failed = names[i];
        }
    }
    t->hash = p->hash;
    free(p);
    free(images);
    return failed;
}

static void *train_whole(void *user) {
    training *t = (training *)user;
    nn_desc desc;
    nn_context *nn;
    memset(&desc, 0, sizeof desc);
    memset(&t->hook, 0, sizeof t->hook);
    desc.threads = t->threads;
    desc.jobs = t->jobs;
    desc.instructions = instructions();
    desc.allocator = hook_allocator(&t->hook);
    nn = nn_open(&desc);
    t->failed = nn ? train_on(t, nn) : "nn_open";
    if (!t->failed && nn_error(nn)) t->failed = "nn_error";
    nn_close(nn);
    if (t->hook.live || t->hook.wrong) t->failed = "a leak";
    if (t->hook.foreign) t->failed = "the allocator was called on a worker";
    return NULL;
}

static uint64_t trained(int threads, uint64_t seed) {
    training t;
    memset(&t, 0, sizeof t);
    t.threads = threads;
    t.seed = seed;
    train_whole(&t);
    if (t.failed) test_fail(__FILE__, __LINE__, "%d threads: %s", threads, t.failed);
    return t.hash;
}

static void test_two_contexts_at_once(void) {
    const uint64_t first = trained(1, 1), second = trained(1, 2);
    training t[2];
    pthread_t threads[2];
    ENSURE(first != second && trained(3, 1) == first);
    for (int run = 0; run < 2; run++) {
        memset(t, 0, sizeof t);
        for (int i = 0; i < 2; i++) {
            t[i].threads = 1 + run; /* and with workers of their own */
            t[i].seed = (uint64_t)i + 1;
            ENSURE(pthread_create(&threads[i], NULL, train_whole, &t[i]) == 0);
        }
        for (int i = 0; i < 2; i++) ENSURE(pthread_join(threads[i], NULL) == 0);
        ENSURE(!t[0].failed && !t[1].failed && t[0].hash == first && t[1].hash == second);
    }
}

/* A job system that does the items in random order on threads that come and go. */
typedef struct stub {
    pthread_mutex_t lock;
    int *order;
    int count, next;
    void (*item)(void *data, int i);
    void *data;
    uint32_t random;
    int64_t runs, items, most, at_once, most_at_once;
} stub;

static void *stub_work(void *user) {
    stub *s = (stub *)user;
    for (;;) {
        int i;
        pthread_mutex_lock(&s->lock);
        i = s->next < s->count ? s->order[s->next++] : -1;
        if (i >= 0 && ++s->at_once > s->most_at_once) s->most_at_once = s->at_once;
        pthread_mutex_unlock(&s->lock);
        if (i < 0) return NULL;
        s->item(s->data, i);
        pthread_mutex_lock(&s->lock);
        s->at_once--;
        s->items++;
        pthread_mutex_unlock(&s->lock);
    }
}

static void stub_run(void *user, int count, void (*item)(void *data, int i), void *data) {
    stub *s = (stub *)user;
    pthread_t threads[3];
    int started = 0;
    s->order = (int *)malloc(sizeof(int) * (size_t)(count > 0 ? count : 1));
    for (int i = 0; i < count; i++) { /* Fisher and Yates, inside out */
        int j;
        s->random = s->random * 1664525u + 1013904223u;
        j = (int)((s->random >> 8) % (uint32_t)(i + 1));
        s->order[i] = s->order[j];
        s->order[j] = i;
    }
    s->count = count;
    s->next = 0;
    s->item = item;
    s->data = data;
    s->runs++;
    if (count > s->most) s->most = count;
    while (started < 3 && pthread_create(&threads[started], NULL, stub_work, s) == 0) started++;
    if (started == 0 || s->runs % 2) stub_work(s); /* the caller helps at times */
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
    free(s->order);
}

static void test_job_system(void) {
    const uint64_t expected = trained(2, 1);
    for (int workers = 0; workers < 6; workers += full() ? 1 : 2) {
        training t;
        stub s;
        memset(&t, 0, sizeof t);
        memset(&s, 0, sizeof s);
        ENSURE(pthread_mutex_init(&s.lock, NULL) == 0);
        s.random = 5 + (uint32_t)workers;
        t.seed = 1;
        t.jobs.run = stub_run;
        t.jobs.workers = workers;
        t.jobs.user = &s;
        train_whole(&t);
        pthread_mutex_destroy(&s.lock);
        if (t.failed) test_fail(__FILE__, __LINE__, "%s", t.failed);
        ENSURE(!t.failed && t.hash == expected);
        if (workers != 1) ENSURE(s.runs > 10 && s.items > s.runs && s.most > 1);
        ENSURE(s.most <= (workers ? workers : 4)); /* an item for each worker, as nn_jobs says */
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_a_description_without_memory);
    RUN(test_each_allocation_fails_once);
    RUN(test_making_a_loader_fails);
    RUN(test_all_allocations_fail_from_one_on);
    RUN(test_each_allocation_fails_with_threads);
    RUN(test_blocks_of_every_size);
    RUN(test_each_device_call_fails_once);
    RUN(test_each_queued_device_call_fails_once);
    RUN(test_a_device_dies);
    RUN(test_saving_on_a_failing_disk);
    RUN(test_loading_from_a_failing_disk);
    RUN(test_damaged_weights);
    RUN(test_unwritable_folder);
    RUN(test_bad_tensors);
    RUN(test_bad_immediates);
    RUN(test_bad_descriptions);
    RUN(test_bad_plans_and_loaders);
    RUN(test_sizes_beyond_memory);
    RUN(test_freeing_in_every_order);
    RUN(test_null_everywhere);
    RUN(test_two_contexts_at_once);
    RUN(test_job_system);
    return test_report();
}
