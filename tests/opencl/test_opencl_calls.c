/* test_opencl_calls.c: which calls of OpenCL are made. After nn_prewarm none may build or allocate,
   few may set arguments that a kernel already has, and none may wait for work on a device whose
   driver would keep a core busy while waiting. It also lets each call of a whole training run fail
   once.

   Runs itself as a child under the layer of tests/support/opencl_layer.c:
     ./test_opencl_calls --child prewarm      trains after nn_prewarm; prints the calls made then
     ./test_opencl_calls --child clblast      the same for a product of CLBlast
     ./test_opencl_calls --child failures     every call of training and saving fails once
     ./test_opencl_calls --child lending      the same with products lent to the CPU backend
   NN_FULL=1 makes every call fail, otherwise some do; NN_TEST_SHARE=2/4: every fourth, from the
   second on. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* popen, alarm */
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"

#include "inside.h"
#include "memory_files.h"
#include "test.h"

#include "opencl_as_gpu.h"
#include "lists.h"

#include <stdlib.h>
#ifndef _WIN32
#include <unistd.h>
#endif

static const char *self;
static nn_device first;
static bool lending; /* whatever a CPU may lend */

/* ---- the layer ------------------------------------------------------------------------------- */

typedef struct layer_numbers { /* as in tests/support/opencl_layer.c */
    long calls, failed, buffers, programs, kernels, live, arguments, launches;
    const char *failed_call;
} layer_numbers;

static void(CL_API_CALL *layer_read)(layer_numbers *);
static void(CL_API_CALL *layer_fail_at)(long);

/* Finds, in a child, the functions of the layer that the OpenCL loader has loaded. */
static bool find_layer(void) {
    const char *path = getenv("OPENCL_LAYERS");
    void *layer = path ? nn__opencl_load_library(path) : NULL;
    return layer && nn__opencl_load_symbol(layer, "nn_layer_read", &layer_read) &&
           nn__opencl_load_symbol(layer, "nn_layer_fail_at", &layer_fail_at);
}

/* Runs this program under the layer, and copies its last line to text. Returns the exit status; -1:
   no shell, -2: no layer. */
static int run_child(const char *what, char *text, size_t size) {
    char command[1500], layer[600], line[1000];
    const char *slash = strrchr(self, '/');
    FILE *pipe;
    snprintf(layer, sizeof layer, "%.*s/libopencl_layer.so", slash ? (int)(slash - self) : 1,
             slash ? self : ".");
    pipe = fopen(layer, "rb");
    if (!pipe) return -2;
    fclose(pipe);
    text[0] = 0;
    snprintf(command, sizeof command, "OPENCL_LAYERS=$(realpath '%s') '%s' --child %s 2>/dev/null",
             layer, self, what);
    pipe = popen(command, "r");
    if (!pipe) return -1;
    while (fgets(line, sizeof line, pipe)) snprintf(text, size, "%s", line);
    return pclose(pipe);
}

#define CHILD(what)                                                                                \
    do {                                                                                           \
        char text[1000];                                                                           \
        int status = run_child(what, text, sizeof text);                                           \
        if (status == -1) SKIP("no shell");                                                        \
        if (status == -2) SKIP("no OpenCL layer beside this program (make builds it)");            \
        if (strncmp(text, "skip: ", 6) == 0) SKIP(text + 6);                                       \
        if (status != 0) test_fail(__FILE__, __LINE__, "status %d: %s", status, text);             \
        ENSURE_TEXT(text, "well\n");                                                               \
    } while (0)

/* ---- a small training run -------------------------------------------------------------------- */

enum { SIDE = 6, PIXELS = SIDE * SIDE, CLASSES = 3, SAMPLES = 83 };

static float images[SAMPLES * PIXELS];
static int32_t labels[SAMPLES];

static void draw_data(void) {
    for (int i = 0; i < SAMPLES; i++) {
        labels[i] = i % CLASSES;
        for (int j = 0; j < PIXELS; j++)
            images[i * PIXELS + j] =
                (float)((i * 7 + j * 5) % 11) / 11 + (float)(j % CLASSES == labels[i]);
    }
}

typedef struct task {
    nn_model *net;
    nn_dataset *dataset;
    nn_loader *loader;
    nn_trainer *trainer;
} task;

static bool describe(nn_context *nn, task *t, int batch, bool large) {
    nn_model_desc model;
    nn_conv2d_desc conv;
    nn_pool2d_desc pool;
    nn_linear_desc layer;
    nn_trainer_desc desc;
    nn_dataset_desc data;
    nn_loader_desc loader;
    nn_node *x, *label;
    memset(t, 0, sizeof *t);
    memset(&model, 0, sizeof model);
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    memset(&layer, 0, sizeof layer);
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    memset(&loader, 0, sizeof loader);
    model.device = first;
    model.seed = 3;
    t->net = nn_make_model(nn, &model);
    x = nn_input(t->net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, SIDE, SIDE));
    label = nn_input(t->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    if (large) {
        conv.out_channels = 8;
        conv.kernel = 3;
        conv.padding = 1;
        pool.kernel = 2;
        x = nn_max_pool2d(t->net, nn_relu(t->net, nn_conv2d(t->net, "conv", x, &conv)), &pool);
    }
    x = nn_flatten(t->net, x);
    if (large) x = nn_dropout(t->net, x, 0.1f);
    layer.out_features = CLASSES;
    x = nn_linear(t->net, "fc", x, &layer);
    desc.batch = batch;
    desc.optimizer = large ? NN_ADAM : NN_SGD;
    desc.learning_rate = 0.01f;
    if (large) desc.max_norm = 1;
    if (large) NODE_AT(desc.metrics, 0) = nn_accuracy(t->net, x, label);
    data.count = SAMPLES;
    FIELD_AT(data.fields, 0).name = "image";
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(1, SIDE, SIDE);
    FIELD_AT(data.fields, 0).data = images;
    FIELD_AT(data.fields, 1).name = "label";
    FIELD_AT(data.fields, 1).dtype = NN_I32;
    FIELD_AT(data.fields, 1).data = labels;
    t->dataset = nn_make_dataset(nn, &data);
    loader.dataset = t->dataset;
    loader.batch = batch;
    loader.shuffle = true;
    loader.device = first;
    t->loader = nn_make_loader(nn, &loader);
    t->trainer = nn_make_trainer(t->net, nn_cross_entropy(t->net, x, label, NULL), &desc);
    return t->trainer && t->loader;
}

static bool step(task *t) {
    if (!nn_next_batch(t->loader) &&
        (nn_loader_result(t->loader) != NN_END || !nn_next_batch(t->loader)))
        return false;
    return nn_train_step(t->trainer, t->loader) == NN_OK;
}

static nn_context *open_with(memory_disk *disk, nn_result *result) {
    nn_desc desc;
    nn_opencl_desc opencl;
    nn_context *nn;
    memset(&desc, 0, sizeof desc);
    memset(&opencl, 0, sizeof opencl);
    desc.files = memory_files(disk);
    opencl.cache_folder = "";
    nn = nn_open(&desc);
    *result = nn_opencl_open(nn, &opencl);
    if (lending && *result == NN_OK) {
        void *state = NULL;
        nn_device_backend(nn, first, &state);
        ((nn__opencl *)state)->lends = true;
    }
    return nn;
}

/* ---- nothing is made after nn_prewarm -------------------------------------------------------- */

typedef struct steps_seen {
    int calls, done, count;
} steps_seen;

static bool see_step(void *user, int done, int count, const char *name) {
    steps_seen *seen = (steps_seen *)user;
    if (done != seen->calls || (done == count) != (name[0] == 0)) seen->count = -1000000;
    seen->calls++;
    seen->done = done;
    seen->count += count;
    return true;
}

static int child_prewarm(void) {
    memory_disk disk;
    nn_result result;
    nn_context *nn;
    task t;
    nn_report report, evaluation;
    nn_prewarm_progress progress;
    steps_seen seen;
    layer_numbers cold, before, after, last, now;
    uint64_t allocations;
    int i;
    memset(&disk, 0, sizeof disk);
    memset(&seen, 0, sizeof seen);
    progress.function = see_step;
    progress.user = &seen;
    draw_data();
    nn = open_with(&disk, &result);
    if (result != NN_OK || !find_layer()) {
        printf("skip: %s\n",
               result != NN_OK ? "no OpenCL device here" : "this OpenCL loader knows no layers");
        nn_close(nn);
        return 0;
    }
    if (!describe(nn, &t, 8, true)) {
        printf("no trainer: %s\n", nn_error(nn));
        return 1;
    }
    layer_read(&cold);
    result = nn_prewarm(nn_trainer_plan(t.trainer), &progress);
    layer_read(&before);
    now = before;
    allocations = nn_context_memory(nn).calls;
    for (i = 0; i < 100 && step(&t); i++) { /* 83 samples in batches of 8: the last of 11 has 3 */
        last = now;
        layer_read(&now);
        if (i > 11 && i % 11 > 1 && i % 11 < 10 && /* as many samples as before */
            now.arguments - last.arguments > now.launches - last.launches)
            printf("step %d: %ld arguments set for %ld launches\n", i,
                   now.arguments - last.arguments, now.launches - last.launches);
    }
    nn_read_report(t.trainer, &report);
    nn_evaluate(t.trainer, t.loader, &evaluation);
    allocations = nn_context_memory(nn).calls - allocations;
    layer_read(&after);
    if (result != NN_OK || i < 100 || nn_error(nn))
        printf("%d steps, %s\n", i, nn_error(nn) ? nn_error(nn) : "no error");
    else if (seen.done != seen.calls - 1 || seen.count != seen.done * seen.calls)
        printf("progress: %d calls, %d done, %d in all\n", seen.calls, seen.done, seen.count);
    else if (before.programs == cold.programs || before.kernels == cold.kernels)
        printf("nn_prewarm built nothing\n");
    else if (after.buffers != before.buffers || after.programs != before.programs ||
             after.kernels != before.kernels || allocations)
        printf("%ld buffers, %ld programs, %ld kernels, %d allocations after nn_prewarm\n",
               after.buffers - before.buffers, after.programs - before.programs,
               after.kernels - before.kernels, (int)allocations);
    else printf("well\n");
    nn_close(nn);
    return 0;
}

static void test_prewarm(void) { CHILD("prewarm"); }

/* Uses CLBlast on a device that would never choose it: the test forces the state. */
static int child_clblast(void) {
    memory_disk disk;
    nn_result result;
    nn_context *nn;
    nn_gemm_args args;
    nn_tensor_desc desc;
    nn_tensor *t[3];
    void *state = NULL;
    nn__opencl *device;
    layer_numbers cold, before, after;
    int32_t extents[2] = {128, 128};
    memset(&disk, 0, sizeof disk);
    nn = open_with(&disk, &result);
    nn_device_backend(nn, first, &state);
    device = (nn__opencl *)state;
    if (device) {
        bool cpu = device->cpu;
        device->cpu = false;
        nn__opencl_blas_open(device);
        device->cpu = cpu;
    }
    if (!device || !device->blas || !find_layer()) {
        printf("skip: no OpenCL device, no CLBlast, or a loader that knows no layers\n");
        nn_close(nn);
        return 0;
    }
    memset(&args, 0, sizeof args);
    memset(&desc, 0, sizeof desc);
    desc.shape = nn_make_shape(extents, 2);
    desc.device = first;
    for (int i = 0; i < 3; i++) t[i] = nn_make_tensor(nn, &desc);
    args.m = args.n = args.k = 128;
    args.a = nn_tensor_view(t[0]);
    args.b = nn_tensor_view(t[1]);
    args.y = nn_tensor_view(t[2]);
    layer_read(&cold);
    device->dry = true;
    result = nn__opencl_blas_gemm(device, &args);
    device->dry = false;
    layer_read(&before);
    if (result == NN_OK) result = nn__opencl_blas_gemm(device, &args);
    layer_read(&after);
    if (result != NN_OK) printf("error: %s\n", nn_error(nn) ? nn_error(nn) : "without words");
    else if (before.programs == cold.programs) printf("nothing was built beforehand\n");
    else if (after.programs != before.programs || after.buffers != before.buffers)
        printf("%ld programs and %ld buffers at the first product\n",
               after.programs - before.programs, after.buffers - before.buffers);
    else printf("well\n");
    nn_close(nn);
    return 0;
}

static void test_prewarm_clblast(void) { CHILD("clblast"); }

/* ---- every call fails once ------------------------------------------------------------------- */

typedef struct outcome {
    nn_result result;
    bool found; /* a device */
    char error[1000];
    float loss;
    uint64_t file; /* hash of what was saved */
} outcome;

/* Opens, trains two steps, reads the loss, saves, closes. */
static outcome train_and_save(void) {
    outcome o;
    memory_disk disk;
    memory_file *file;
    task t;
    nn_context *nn;
    memset(&o, 0, sizeof o);
    memset(&disk, 0, sizeof disk);
    nn = open_with(&disk, &o.result);
    o.found = o.result != NN_NOT_FOUND;
    if (o.result == NN_OK && !describe(nn, &t, 4, false)) o.result = NN_ERROR_BACKEND;
    for (int i = 0; i < 2 && o.result == NN_OK; i++)
        if (!step(&t)) o.result = NN_ERROR_BACKEND;
    if (o.result == NN_OK) o.result = nn_read_loss(t.trainer, &o.loss);
    if (o.result == NN_OK) o.result = nn_save_weights(t.net, "w.safetensors");
    file = memory_find(&disk, "w.safetensors");
    if (o.result == NN_OK && file)
        o.file = nn__opencl_hash(NN__OPENCL_HASH_START, file->bytes, file->size);
    snprintf(o.error, sizeof o.error, "%.999s", nn_error(nn) ? nn_error(nn) : "");
    nn_close(nn);
    memory_free(&disk);
    return o;
}

/* Returns what is wrong with an outcome, or NULL. */
static const char *judge(const outcome *o, const outcome *well, const layer_numbers *seen) {
    if (seen->live) return "objects are left";
    if (!o->found) return NULL; /* the device was left out, and the CPU continues */
    if (o->result == NN_OK && o->error[0] == 0)
        return o->loss == well->loss && o->file == well->file ? NULL
                                                              : "no error, and other numbers";
    if (o->result == NN_OK) return "an error, and no result";
    if (!strstr(o->error, "CL_OUT_OF_RESOURCES") && !strstr(o->error, "(-5)"))
        return "the error names no status";
    return strstr(o->error, seen->failed_call) ? NULL : "the error does not name the call";
}

static int child_failures(void) {
    const bool full = getenv("NN_FULL") != NULL;
    const char *share = getenv("NN_TEST_SHARE");
    layer_numbers seen;
    outcome well, o;
    long calls, n, from = 1, every = 1, tried = 0, errors = 0, ended = 0;
    if (share && (sscanf(share, "%ld/%ld", &from, &every) != 2 || from < 1 || from > every)) {
        printf("NN_TEST_SHARE is %s\n", share);
        return 1;
    }
    draw_data();
    train_and_save(); /* for what the driver does only once */
    if (!find_layer()) {
        printf("skip: this OpenCL loader knows no layers\n");
        return 0;
    }
    layer_fail_at(0);
    well = train_and_save();
    layer_read(&seen);
    calls = seen.calls;
    if (!well.found) {
        printf("skip: no OpenCL device here\n");
        return 0;
    }
    if (well.result != NN_OK || well.error[0] || !well.file || seen.live || calls < 100) {
        printf("without a failure: %s\n", well.error);
        return 1;
    }
    for (n = from; n <= calls; n += full ? every : 1 + calls / 16) {
        const char *wrong;
        printf("call %ld of %ld\n", n,
               calls); /* if this is the last line, call n crashed or hung */
        fflush(stdout);
#ifndef _WIN32
        alarm(240);
#endif
        layer_fail_at(n);
        o = train_and_save();
        layer_read(&seen);
        wrong = judge(&o, &well, &seen);
        /* events are asked more or less often until they are done: a run may end before call n */
        if (!seen.failed && (seen.calls >= n || o.result != NN_OK || n < calls / 2))
            wrong = "it was not made to fail";
        tried++;
        ended += !seen.failed;
        errors += o.result != NN_OK;
        if (wrong) {
            printf("call %ld of %ld, %s: %s (result %d, %ld live): %.400s\n", n, calls,
                   seen.failed_call, wrong, (int)o.result, seen.live, o.error);
            return 1;
        }
    }
    layer_fail_at(0);
    o = train_and_save(); /* and everything was released */
    if (o.loss != well.loss || o.file != well.file || errors < tried / 2 || ended > tried / 10 + 1)
        printf("%ld errors of %ld, %ld ended before their call\n", errors, tried, ended);
    else printf("well\n");
    return 0;
}

static void test_every_call_fails(void) { CHILD("failures"); }

static int child_lending(void) {
    lending = true;
    return child_failures();
}

static void test_every_call_fails_lending(void) { CHILD("lending"); }

/* ---- waiting --------------------------------------------------------------------------------- */

static nn__opencl_api real; /* the device's functions, before some of them were replaced */
static int asked, lies, too_early, wait_fails;

static cl_int CL_API_CALL slow_info(cl_event event, cl_event_info what, size_t size, void *value,
                                    size_t *wanted) {
    cl_int status = real.GetEventInfo(event, what, size, value, wanted), running = CL_RUNNING;
    if (what != CL_EVENT_COMMAND_EXECUTION_STATUS) return status;
    asked++;
    if (lies > 0 && status == CL_SUCCESS) {
        lies--;
        memcpy(value, &running, sizeof running);
    }
    return status;
}

static cl_int CL_API_CALL late_wait(cl_uint count, const cl_event *events) {
    for (cl_uint i = 0; i < count; i++) {
        cl_int state = 1;
        real.GetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
        too_early += state > CL_COMPLETE;
    }
    if (wait_fails) return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return real.WaitForEvents(count, events);
}

static cl_int CL_API_CALL quick_read(cl_command_queue q, cl_mem m, cl_bool blocking, size_t o,
                                     size_t n, void *p, cl_uint c, const cl_event *w,
                                     cl_event *event) {
    too_early += blocking != CL_FALSE;
    return real.EnqueueReadBuffer(q, m, blocking, o, n, p, c, w, event);
}

static cl_int CL_API_CALL quick_write(cl_command_queue q, cl_mem m, cl_bool blocking, size_t o,
                                      size_t n, const void *p, cl_uint c, const cl_event *w,
                                      cl_event *event) {
    too_early += blocking != CL_FALSE;
    return real.EnqueueWriteBuffer(q, m, blocking, o, n, p, c, w, event);
}

static void *CL_API_CALL quick_map(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags f,
                                   size_t o, size_t n, cl_uint c, const cl_event *w,
                                   cl_event *event, cl_int *status) {
    too_early += blocking != CL_FALSE;
    return real.EnqueueMapBuffer(q, m, blocking, f, o, n, c, w, event, status);
}

static void test_waits_asleep(void) {
    enum { COUNT = 20000 };
    static float x[COUNT], back[COUNT];
    memory_disk disk;
    nn_result result;
    nn_context *nn;
    nn_tensor_desc desc;
    nn_tensor *a;
    nn_fence fences[2];
    static const nn_instruction code[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0}, {NN_CODE_SCALAR, 0, 0, 0, 0}, {NN_CODE_MULTIPLY, 0, 1, 0, 0}};
    nn_program_args args;
    nn_range all = {0, -1};
    int32_t extents[1] = {COUNT};
    void *state = NULL;
    const nn_backend *backend;
    nn__opencl *device;
    int i, round;
    memset(&disk, 0, sizeof disk);
    nn = open_with(&disk, &result);
    if (result != NN_OK) {
        nn_close(nn);
        SKIP("no OpenCL device here");
    }
    backend = nn_device_backend(nn, first, &state);
    device = (nn__opencl *)state;
    ENSURE(device->patient == (device->gpu && !device->cpu)); /* a CPU that is used as a GPU does
                                                                 not count */
    device->patient = true;
    real = device->cl;
    device->cl.GetEventInfo = slow_info;
    device->cl.WaitForEvents = late_wait;
    device->cl.EnqueueReadBuffer = quick_read;
    device->cl.EnqueueWriteBuffer = quick_write;
    device->cl.EnqueueMapBuffer = quick_map;
    asked = too_early = wait_fails = 0;
    memset(&desc, 0, sizeof desc);
    desc.shape = nn_make_shape(extents, 1);
    desc.device = first;
    a = nn_make_tensor(nn, &desc);
    memset(&args, 0, sizeof args);
    args.program.code = code;
    args.program.count = 3;
    args.program.input_count = args.program.output_count = args.program.scalar_count = 1;
    args.program.output[0] = 2;
    args.scalars[0] = 2;
    args.outputs[0] = args.inputs[0] = nn_tensor_view(a);
    memset(fences, 0, sizeof fences);
    for (round = 0; round < 140; round++) { /* more fences than the ring holds */
        for (i = 0; i < COUNT; i++) x[i] = (float)(i % 7 + round);
        lies = round % 5;
        if (round % 2) ENSURE(nn_upload_tensor(a, x, sizeof x) == NN_OK && lies == 0);
        else {
            ENSURE(backend->upload(state, nn_tensor_view(a).handle, 0, x, sizeof x, &fences[0]) ==
                   NN_OK);
            if (round % 3) ENSURE(backend->fence_wait(state, fences[0]) == NN_OK);
        }
        lies = 0;
        ENSURE(nn_run_kernel(nn, first, NN_KERNEL_POINTWISE, &args, all) == NN_OK);
        lies = 5;
        if (round % 4 == 3) {
            ENSURE(backend->download(state, nn_tensor_view(a).handle, 0, back, sizeof back,
                                     &fences[1]) == NN_OK);
            ENSURE(backend->fence_wait(state, fences[1]) == NN_OK);
        } else {
            ENSURE(nn_download_tensor(a, back, sizeof back) == NN_OK);
        }
        ENSURE(lies == 0); /* it asked until the answer was yes */
        for (i = 0; i < COUNT; i++)
            if (back[i] != 2 * x[i]) break;
        if (i < COUNT)
            test_fail(__FILE__, __LINE__, "round %d: [%d] is %g", round, i, (double)back[i]);
    }
    lies = 3;
    ENSURE(nn_finish(nn) == NN_OK && lies == 0);
    if (backend->map) {
        float *mapped = (float *)backend->map(state, nn_tensor_view(a).handle, 0, sizeof x, false);
        ENSURE(mapped && mapped[5] == back[5]);
        ENSURE(backend->unmap(state, nn_tensor_view(a).handle, mapped) == NN_OK);
    }
    ENSURE(asked > 1000 && too_early == 0);
    wait_fails = 1;
    ENSURE(nn_download_tensor(a, back, sizeof back) == NN_ERROR_BACKEND);
    ENSURE(strstr(nn_error(nn),
                  "clWaitForEvents: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST (-14)") != NULL);
    wait_fails = 0;
    nn_clear_error(nn);
    ENSURE(nn_download_tensor(a, back, sizeof back) == NN_OK && back[6] == 2 * x[6]);
    nn_close(nn);
    ENSURE(too_early == 0);
}

/* ---- downloads during the work --------------------------------------------------------------- */

static cl_command_queue read_queue, finish_fails;
static cl_uint read_waits, launch_waits;
static int finished; /* queues that clFinish was asked for */
static int copies_finished; /* the queue of the last download among them */

static cl_int CL_API_CALL seen_read(cl_command_queue q, cl_mem m, cl_bool blocking, size_t o,
                                    size_t n, void *p, cl_uint c, const cl_event *w,
                                    cl_event *event) {
    read_queue = q;
    read_waits = c;
    return real.EnqueueReadBuffer(q, m, blocking, o, n, p, c, w, event);
}

static cl_int CL_API_CALL seen_launch(cl_command_queue q, cl_kernel k, cl_uint d, const size_t *o,
                                      const size_t *g, const size_t *l, cl_uint c,
                                      const cl_event *w, cl_event *event) {
    launch_waits = c;
    return real.EnqueueNDRangeKernel(q, k, d, o, g, l, c, w, event);
}

static cl_int CL_API_CALL seen_finish(cl_command_queue q) {
    finished++;
    copies_finished += q == read_queue;
    return q == finish_fails ? CL_OUT_OF_RESOURCES : real.Finish(q);
}

/* A long download with a fence goes to the copy queue: it must see all launches before it and none
   after it, and must not delay the second launch after it. */
static void test_downloads_behind(void) {
    enum { COUNT = 100000 };
    static float x[COUNT], back[3][COUNT];
    memory_disk disk;
    nn_result result;
    nn_context *nn;
    nn_tensor_desc desc;
    nn_tensor *a;
    nn_view view;
    nn_fence fence[3], done;
    static const nn_instruction code[] = {
        {NN_CODE_INPUT, 0, 0, 0, 0}, {NN_CODE_SCALAR, 0, 0, 0, 0}, {NN_CODE_MULTIPLY, 0, 1, 0, 0}};
    nn_program_args args;
    nn_range all = {0, -1};
    int32_t extents[1] = {COUNT};
    void *state = NULL;
    const nn_backend *backend;
    nn__opencl *device;
    int i, k, wrong = 0;
    memset(&disk, 0, sizeof disk);
    nn = open_with(&disk, &result);
    backend = result == NN_OK ? nn_device_backend(nn, first, &state) : NULL;
    device = (nn__opencl *)state;
    if (!device || device->copy == device->compute) {
        nn_close(nn);
        SKIP("no OpenCL device with two queues here");
    }
    real = device->cl;
    device->cl.EnqueueReadBuffer = seen_read;
    device->cl.EnqueueNDRangeKernel = seen_launch;
    device->cl.Finish = seen_finish;
    memset(&desc, 0, sizeof desc);
    desc.shape = nn_make_shape(extents, 1);
    desc.device = first;
    a = nn_make_tensor(nn, &desc);
    view = nn_tensor_view(a);
    memset(&args, 0, sizeof args);
    args.program.code = code;
    args.program.count = 3;
    args.program.input_count = args.program.output_count = args.program.scalar_count = 1;
    args.program.output[0] = 2;
    args.scalars[0] = 2;
    args.outputs[0] = args.inputs[0] = view;
    for (i = 0; i < COUNT; i++) x[i] = (float)(i % 1000);
    ENSURE(nn_upload_tensor(a, x, sizeof x) == NN_OK);
    for (k = 0; k < 3; k++) { /* x 2, 4, 8 */
        ENSURE(nn_run_kernel(nn, first, NN_KERNEL_POINTWISE, &args, all) == NN_OK);
        ENSURE(launch_waits == (k > 0 ? 1u : 0u)); /* for the download before it */
        ENSURE(device->shared_count == 0);
        ENSURE(backend->download(state, view.handle, view.offset, back[k], sizeof back[k],
                                 &fence[k]) == NN_OK);
        ENSURE(read_queue == device->copy && read_waits == 1 && device->shared_count == 1);
    }
    for (k = 0; k < 3; k++) ENSURE(backend->fence_wait(state, fence[k]) == NN_OK);
    for (k = 0; k < 3; k++)
        for (i = 0; i < COUNT; i++) wrong += back[k][i] != (float)(2 << k) * x[i];
    ENSURE(wrong == 0);
    /* Between uploads with a fence, a download waits for the launch, and the next upload waits for
       nothing. */
    ENSURE(backend->upload(state, view.handle, view.offset, x, sizeof x, &fence[0]) == NN_OK);
    ENSURE(nn_run_kernel(nn, first, NN_KERNEL_POINTWISE, &args, all) == NN_OK);
    ENSURE(launch_waits == 1 && device->shared_count == 1);
    ENSURE(backend->download(state, view.handle, view.offset, back[0], sizeof back[0],
                             &fence[1]) == NN_OK);
    ENSURE(read_queue == device->copy && read_waits == 1);
    ENSURE(backend->upload(state, view.handle, view.offset, x, sizeof x, &fence[0]) == NN_OK);
    ENSURE(nn_download_tensor(a, back[1], sizeof back[1]) == NN_OK);
    ENSURE(read_queue == device->compute && read_waits == 1);
    ENSURE(backend->fence_wait(state, fence[1]) == NN_OK);
    for (i = 0; i < COUNT; i++) wrong += back[0][i] != 2 * x[i] || back[1][i] != x[i];
    ENSURE(wrong == 0);
    /* A short download stays on the compute queue; from 64 KiB on, downloads use the copy queue. */
    for (k = 0; k < 2; k++) {
        const size_t bytes = 65536 - 4 * (size_t)(1 - k);
        memset(back[2], 0xFF, sizeof back[2]);
        ENSURE(backend->download(state, view.handle, view.offset, back[2], bytes, &done) == NN_OK);
        ENSURE(read_queue == (k ? device->copy : device->compute));
        ENSURE(backend->fence_wait(state, done) == NN_OK && memcmp(back[2], x, bytes) == 0);
    }
    /* nn_finish waits for what is on the copy queue, although nobody waits for its fence. */
    ENSURE(backend->download(state, view.handle, view.offset, back[2], sizeof back[2],
                             &done) == NN_OK);
    ENSURE(device->copying);
    copies_finished = 0;
    ENSURE(nn_finish(nn) == NN_OK && copies_finished == 1 && !device->copying);
    ENSURE(backend->fence_done(state, done) && memcmp(back[2], x, sizeof back[2]) == 0);
    copies_finished = 0;
    ENSURE(nn_finish(nn) == NN_OK && copies_finished == 0); /* nothing is there */
    /* nn_finish waits for the end of the copies even if the launches ended badly. */
    ENSURE(backend->download(state, view.handle, view.offset, back[2], sizeof back[2],
                             &done) == NN_OK);
    finished = 0;
    finish_fails = device->compute;
    ENSURE(nn_finish(nn) < 0 && finished == 2 && backend->fence_done(state, done));
    finish_fails = NULL;
    nn_clear_error(nn);
    nn_close(nn);
}

int main(int argc, char **argv) {
    self = argv[0];
    first = nn_opencl(0);
    if (argc == 3 && strcmp(argv[1], "--child") == 0)
        return strcmp(argv[2], "prewarm") == 0    ? child_prewarm()
               : strcmp(argv[2], "failures") == 0 ? child_failures()
               : strcmp(argv[2], "lending") == 0 ? child_lending()
                                                  : child_clblast();
    test_start(argc, argv);
    RUN(test_prewarm);
    RUN(test_prewarm_clblast);
    RUN(test_every_call_fails);
    RUN(test_every_call_fails_lending);
    RUN(test_waits_asleep);
    RUN(test_downloads_behind);
    return test_report();
}
