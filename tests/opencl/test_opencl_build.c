/* test_opencl_build.c: programs that are built ahead on several threads (opencl/ahead.c). They are
   the same programs as with one thread, and nets give the same bytes. The step that needs a program
   reports its failure. With NN_FULL=1 every call of the driver fails once, otherwise some calls do.
   */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include "inside.h"
#include "memory_files.h"
#include "scarce.h"
#include "test.h"

#include "opencl_as_gpu.h"
#include "lists.h"

#ifndef _WIN32
#include <pthread.h>
#include <time.h>

enum { BATCH = 8, SIDE = 8, CLASSES = 3, THREADS = 4, MOST = 200 };

static nn_device first;

/* ---- a driver that is watched ---------------------------------------------------------------- */

/* All counters are guarded by the lock. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static nn__opencl_api real;
static bool fake; /* true: no call reaches the driver */
static int inside, most_inside, builds, live, calls, fail_at, nap_us;
static bool fails_on, refuses_binaries;
static uint64_t built; /* the sum of the hashes of texts and options */
static struct {
    cl_program program;
    uint64_t hash;
} texts[MOST];
static char objects[MOST]; /* programs of the fake driver */

static bool full(void) { return getenv("NN_FULL") != NULL; }

static void watch_anew(void) {
    memset(texts, 0, sizeof texts);
    inside = most_inside = builds = live = calls = fail_at = 0;
    built = 0;
    fails_on = refuses_binaries = false;
}

/* True if this call must fail. */
static bool watch_turn(void) {
    calls++;
    return fail_at > 0 && (fails_on ? calls >= fail_at : calls == fail_at);
}

static cl_program CL_API_CALL watch_source(cl_context context, cl_uint count, const char **text,
                                           const size_t *lengths, cl_int *status) {
    cl_program made = NULL;
    bool fails;
    pthread_mutex_lock(&guard);
    fails = watch_turn();
    pthread_mutex_unlock(&guard);
    *status = CL_OUT_OF_HOST_MEMORY;
    if (fails) return NULL;
    if (!fake) made = real.CreateProgramWithSource(context, count, text, lengths, status);
    pthread_mutex_lock(&guard);
    for (int i = 0; i < MOST; i++) {
        if (texts[i].program) continue;
        if (fake) made = (cl_program)&objects[i], *status = CL_SUCCESS;
        texts[i].program = made;
        texts[i].hash = nn__opencl_hash_text(NN__OPENCL_HASH_START, *text);
        live++;
        break;
    }
    pthread_mutex_unlock(&guard);
    return made;
}

static cl_program CL_API_CALL watch_binary(cl_context context, cl_uint count,
                                           const cl_device_id *devices, const size_t *lengths,
                                           const unsigned char **binaries, cl_int *each,
                                           cl_int *status) {
    cl_program made = NULL;
    pthread_mutex_lock(&guard);
    *status = *each = CL_INVALID_BINARY;
    if (!refuses_binaries)
        made = real.CreateProgramWithBinary(context, count, devices, lengths, binaries, each,
                                            status);
    live += made != NULL;
    pthread_mutex_unlock(&guard);
    return made;
}

static cl_int CL_API_CALL watch_build(cl_program program, cl_uint count,
                                      const cl_device_id *devices, const char *options,
                                      void(CL_CALLBACK *notify)(cl_program, void *), void *user) {
    struct timespec nap;
    cl_int status = CL_SUCCESS;
    uint64_t hash = 0;
    bool fails;
    pthread_mutex_lock(&guard);
    fails = watch_turn();
    if (++inside > most_inside) most_inside = inside;
    for (int i = 0; i < MOST; i++)
        if (texts[i].program == program) hash = nn__opencl_hash_text(texts[i].hash, options);
    pthread_mutex_unlock(&guard);
    nap.tv_sec = 0;
    nap.tv_nsec = nap_us * 1000L;
    nanosleep(&nap, NULL);
    if (!fails && !fake) status = real.BuildProgram(program, count, devices, options, notify, user);
    pthread_mutex_lock(&guard);
    inside--;
    builds += !fails && hash != 0;
    if (!fails) built += hash;
    pthread_mutex_unlock(&guard);
    return fails ? CL_OUT_OF_RESOURCES : status;
}

static cl_int CL_API_CALL watch_release(cl_program program) {
    pthread_mutex_lock(&guard);
    live--;
    for (int i = 0; i < MOST; i++)
        if (texts[i].program == program) texts[i].program = NULL;
    pthread_mutex_unlock(&guard);
    return fake ? CL_SUCCESS : real.ReleaseProgram(program);
}

static void watch(nn__opencl *device) {
    real = device->cl;
    device->cl.CreateProgramWithSource = watch_source;
    device->cl.CreateProgramWithBinary = watch_binary;
    device->cl.BuildProgram = watch_build;
    device->cl.ReleaseProgram = watch_release;
}

/* ---- a training step ------------------------------------------------------------------------- */

typedef struct outcome {
    bool found; /* there is an OpenCL device */
    nn_result result;
    float losses[3];
    int builds, most_inside, calls, live;
    uint64_t built;
    char error[600];
} outcome;

static nn_node *image, *label;

static nn_trainer *describe(nn_context *nn) {
    nn_model_desc model;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_model *net;
    nn_node *x;
    memset(&model, 0, sizeof model);
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    model.device = first;
    model.seed = 5;
    net = nn_make_model(nn, &model);
    x = image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, SIDE, SIDE));
    label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    conv.out_channels = 40;
    conv.kernel = 3;
    conv.padding = 1;
    x = nn_batch_norm2d(net, "norm", nn_conv2d(net, "conv1", x, &conv), NULL);
    pool.kernel = 2;
    x = nn_max_pool2d(net, nn_conv2d(net, "conv2", nn_gelu(net, x), &conv), &pool);
    layer.out_features = CLASSES;
    x = nn_linear(net, "fc", nn_flatten(net, x), &layer);
    desc.batch = BATCH;
    desc.optimizer = NN_ADAM;
    desc.learning_rate = 0.01f;
    return nn_make_trainer(net, nn_cross_entropy(net, x, label, NULL), &desc);
}

static nn_result train(nn_context *nn, float *losses, bool prewarms) {
    static float pixels[BATCH * 3 * SIDE * SIDE];
    static int32_t labels[BATCH];
    nn_trainer *trainer = describe(nn);
    nn_plan *plan = trainer ? nn_trainer_plan(trainer) : NULL;
    nn_result result = trainer ? NN_OK : NN_ERROR_MEMORY;
    for (int i = 0; i < BATCH * 3 * SIDE * SIDE; i++) pixels[i] = (float)(i * 7 % 11) / 11 - 0.5f;
    for (int i = 0; i < BATCH; i++) labels[i] = i % CLASSES;
    if (prewarms && result == NN_OK) result = nn_prewarm(plan, NULL);
    for (int i = 0; result == NN_OK && i < 3; i++) {
        result = nn_upload(plan, image, pixels, sizeof pixels);
        if (result == NN_OK) result = nn_upload(plan, label, labels, sizeof labels);
        if (result == NN_OK) result = nn_train_on_inputs(trainer);
        if (result == NN_OK) result = nn_read_loss(trainer, &losses[i]);
    }
    return result;
}

static outcome run_with(int threads, bool prewarms, memory_disk *disk, scarce *memory) {
    outcome o;
    nn_desc desc;
    nn_opencl_desc opencl;
    nn_context *nn;
    void *state = NULL;
    memset(&o, 0, sizeof o);
    memset(&desc, 0, sizeof desc);
    memset(&opencl, 0, sizeof opencl);
    desc.threads = THREADS;
    if (disk) desc.files = memory_files(disk);
    if (memory) desc.allocator = scarce_memory(memory);
    opencl.cache_folder = disk ? "cache" : "";
    opencl.build_threads = threads;
    opencl.no_clblast = true;
    nn = nn_open(&desc);
    o.result = nn_opencl_open(nn, &opencl);
    o.found = o.result != NN_NOT_FOUND;
    if (o.result == NN_OK) {
        nn__opencl *device;
        nn_device_backend(nn, first, &state);
        device = (nn__opencl *)state;
        device->cpu = false, device->gpu = true, device->units = 132;
        device->forced = NN__OPENCL_TILES;
        watch(device);
        o.result = train(nn, o.losses, prewarms);
        ENSURE_OR(o, device->ahead == NULL);
    }
    snprintf(o.error, sizeof o.error, "%.599s", nn_error(nn) ? nn_error(nn) : "");
    o.builds = builds, o.built = built, o.most_inside = most_inside, o.calls = calls;
    nn_close(nn);
    o.live = live;
    return o;
}

/* The programs and the numbers are the same as with one thread, whether nn_prewarm or the first run
   builds the programs. */
static void test_same_programs(void) {
    outcome one, all, warm, warm_one;
    watch_anew();
    one = run_with(1, false, NULL, NULL);
    if (!one.found) SKIP("no OpenCL device here");
    ENSURE(one.result == NN_OK && one.live == 0 && one.most_inside == 1 && one.builds > 6);
    watch_anew();
    nap_us = 20000; /* long enough for builds to overlap */
    all = run_with(0, false, NULL, NULL);
    ENSURE(all.result == NN_OK && all.live == 0 && all.builds == one.builds);
    ENSURE(all.built == one.built && memcmp(all.losses, one.losses, sizeof one.losses) == 0);
    ENSURE(all.most_inside > 1 && all.most_inside <= THREADS);
    watch_anew();
    nap_us = 0;
    warm_one = run_with(1, true, NULL, NULL);
    watch_anew();
    nap_us = 20000;
    warm = run_with(3, true, NULL, NULL);
    nap_us = 0;
    ENSURE(warm.result == NN_OK && warm.live == 0 && warm.builds == warm_one.builds);
    ENSURE(warm.built == warm_one.built && warm.most_inside > 1 && warm.most_inside <= 3);
    ENSURE(memcmp(warm.losses, one.losses, sizeof one.losses) == 0);
}

/* If a call fails once while programs are built ahead, the step that needs the program makes it
   again. If it fails again, the step reports the error. */
static void test_failing_calls(void) {
    outcome well, o;
    watch_anew();
    well = run_with(0, false, NULL, NULL);
    if (!well.found) SKIP("no OpenCL device here");
    ENSURE(well.result == NN_OK && well.calls == 2 * well.builds);
    for (int n = 1; n <= well.calls; n += full() ? 1 : 1 + well.calls / 5) {
        watch_anew();
        fail_at = n;
        o = run_with(0, false, NULL, NULL);
        ENSURE(o.result == NN_OK && o.error[0] == 0 && o.live == 0 && o.calls > well.calls);
        ENSURE(o.built == well.built && memcmp(o.losses, well.losses, sizeof o.losses) == 0);
    }
    for (int n = 1; n <= well.calls; n += full() ? 3 : 1 + well.calls / 2) {
        watch_anew();
        fail_at = n;
        fails_on = true;
        o = run_with(0, false, NULL, NULL);
        ENSURE(o.result == NN_ERROR_MEMORY || o.result == NN_ERROR_BACKEND);
        ENSURE(o.live == 0 && (strstr(o.error, "clBuildProgram") != NULL ||
                               strstr(o.error, "clCreateProgramWithSource") != NULL));
    }
}

/* Binaries from the disk are loaded on the threads, too, and replaced if the driver refuses them. */
static void test_binaries(void) {
    static memory_disk disk;
    outcome cold, warm, refused;
    memset(&disk, 0, sizeof disk);
    watch_anew();
    cold = run_with(0, false, &disk, NULL);
    if (!cold.found) SKIP("no OpenCL device here");
    ENSURE(cold.result == NN_OK && cold.builds > 6 && disk.open_files == 0);
    watch_anew();
    warm = run_with(0, false, &disk, NULL);
    ENSURE(warm.result == NN_OK && warm.builds == 0 && warm.live == 0);
    ENSURE(memcmp(warm.losses, cold.losses, sizeof cold.losses) == 0);
    watch_anew();
    refuses_binaries = true;
    refused = run_with(0, false, &disk, NULL);
    ENSURE(refused.result == NN_OK && refused.builds == cold.builds && refused.live == 0);
    memory_free(&disk);
}

/* An allocation fails once. */
static void test_scarce_memory(void) {
    scarce memory;
    outcome well, o;
    int from, kept = 0;
    memset(&memory, 0, sizeof memory);
    watch_anew();
    well = run_with(0, false, NULL, &memory);
    if (!well.found) SKIP("no OpenCL device here");
    ENSURE(well.result == NN_OK && memory.live == 0);
    const int count = memory.calls;
    for (from = count / 3; from <= count; from += full() ? 3 : 1 + count / 8) {
        memset(&memory, 0, sizeof memory);
        memory.fail_at = from;
        memory.once = true;
        watch_anew();
        o = run_with(0, false, NULL, &memory);
        ENSURE(memory.live == 0 && o.live == 0);
        ENSURE(o.result != NN_OK || memcmp(o.losses, well.losses, sizeof o.losses) == 0);
        kept += o.result == NN_OK;
    }
    ENSURE(kept > 0);
}

/* Only the threads, with a driver that does nothing: for the thread sanitizer. */
static void test_threads_alone(void) {
    enum { PROGRAMS = 40 };
    nn_desc desc;
    nn_context *nn;
    nn__opencl *device;
    char options[40];
    int count = 0;
    memset(&desc, 0, sizeof desc);
    desc.threads = THREADS;
    nn = nn_open(&desc);
    device = (nn__opencl *)nn_take_memory(nn, sizeof *device);
    ENSURE(device != NULL);
    device->nn = nn;
    ENSURE(nn__opencl_open_text(device, NULL) == NN_OK);
    watch_anew();
    watch(device);
    fake = true;
    nap_us = 2000;
    ENSURE(nn__opencl_collect(device, true) && device->ahead != NULL);
    for (int i = 0; i < 2 * PROGRAMS; i++) { /* each program is noted twice */
        snprintf(options, sizeof options, "-DNN_TEST=%d", i % PROGRAMS);
        nn__opencl_note_kernel(device, "softmax", options);
    }
    ENSURE(!nn__opencl_collect(device, false) && device->ahead == NULL);
    for (const nn__opencl_program *one = device->programs; one; one = one->next) count++;
    ENSURE(count == PROGRAMS && builds == PROGRAMS && live == PROGRAMS);
    ENSURE(most_inside > 1 && most_inside <= THREADS);
    nn__opencl_free_programs(device);
    ENSURE(live == 0);
    fake = false;
    nap_us = 0;
    nn_give_memory(nn, device, sizeof *device);
    nn_close(nn);
}

/* ---- nn_run_items ---------------------------------------------------------------------------- */

static int ran[MOST];
static int at_once;

static void run_item(void *data, int i) {
    struct timespec nap;
    (void)data;
    pthread_mutex_lock(&guard);
    ran[i]++;
    if (++inside > at_once) at_once = inside;
    pthread_mutex_unlock(&guard);
    nap.tv_sec = 0;
    nap.tv_nsec = 1000000;
    nanosleep(&nap, NULL);
    pthread_mutex_lock(&guard);
    inside--;
    pthread_mutex_unlock(&guard);
}

static void run_all(void *user, int count, void (*item)(void *data, int i), void *data) {
    (void)user;
    for (int i = 0; i < count; i++) item(data, i);
}

static int items_at_once(const nn_desc *desc, int threads, int count) {
    nn_context *nn = nn_open(desc);
    memset(ran, 0, sizeof ran);
    inside = at_once = 0;
    nn_run_items(nn, threads, count, run_item, NULL);
    for (int i = 0; i < MOST; i++)
        if (ran[i] != (i < count)) at_once = -1;
    nn_close(nn);
    return at_once;
}

/* Each item runs once, on at most the wanted threads. */
static void test_items(void) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 3;
    const int most = items_at_once(&desc, 0, 90);
    ENSURE(most >= 2 && most <= 3);
    ENSURE(items_at_once(&desc, 2, 40) <= 2);
    ENSURE(items_at_once(&desc, 1, 10) == 1 && items_at_once(&desc, 500, 1) == 1);
    ENSURE(items_at_once(&desc, 0, 0) == 0 && items_at_once(&desc, 0, -5) == -1 + 1);
    ENSURE(items_at_once(&desc, 100, 100) > 3);
    desc.jobs.run = run_all;
    ENSURE(items_at_once(&desc, 8, 20) == 1);
    nn_run_items(NULL, 0, 3, run_item, NULL);
    ENSURE(ran[0] == 1);
}

/* A negative number of threads is an error that names the field. */
static void test_wrong_desc(void) {
    nn_opencl_desc opencl;
    nn_context *nn = nn_open(NULL);
    memset(&opencl, 0, sizeof opencl);
    opencl.build_threads = -1;
    ENSURE(nn_opencl_open(nn, &opencl) == NN_ERROR_ARGUMENT);
    ENSURE(nn_error(nn) && strstr(nn_error(nn), "desc.build_threads is negative") != NULL);
    nn_close(nn);
}
#endif

int main(int argc, char **argv) {
    test_start(argc, argv);
#ifndef _WIN32
    first.kind = NN_OPENCL;
    RUN(test_same_programs);
    RUN(test_failing_calls);
    RUN(test_binaries);
    RUN(test_scarce_memory);
    RUN(test_threads_alone);
    RUN(test_items);
    RUN(test_wrong_desc);
#endif
    return test_report();
}
