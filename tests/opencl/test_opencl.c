/* test_opencl.c: the OpenCL backend except for the numbers of its kernels (test_backends.c):
   opening, lists, transfers, fences, adoption, memory, build failures, the disk cache, and every
   call of the driver failing once.

   Runs itself as a child for parts that need another environment:
     ./test_opencl --child open      opens, prints the result's number
     ./test_opencl --child work      opens, computes, closes; for the fault layer
   (tests/support/opencl_layer.c) */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* popen */
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
#include <time.h>

static const char *self;
static nn_device first;

/* ---- help ------------------------------------------------------------------------------------ */

static nn_opencl_desc no_cache(void) {
    nn_opencl_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.cache_folder = "";
    return desc;
}

/* Opens a context with every OpenCL device. NULL: there is none here. */
static nn_context *open_all(void) {
    nn_context *nn = nn_open(NULL);
    nn_opencl_desc desc = no_cache();
    if (nn && nn_opencl_open(nn, &desc) == NN_OK) return nn;
    nn_close(nn);
    return NULL;
}

#define OPEN_OR_SKIP(nn)                                                                           \
    nn_context *nn = open_all();                                                                   \
    if (!nn) SKIP("no OpenCL device here")

static nn_tensor *make(nn_context *nn, nn_device device, nn_dtype dtype, int rows, int columns) {
    nn_tensor_desc desc;
    int32_t extents[2];
    memset(&desc, 0, sizeof desc);
    extents[0] = rows;
    extents[1] = columns;
    desc.dtype = dtype;
    desc.shape = nn_make_shape(extents, 2);
    desc.device = device;
    return nn_make_tensor(nn, &desc);
}

static nn__opencl *state_of(nn_context *nn, nn_device device) {
    void *state = NULL;
    nn_device_backend(nn, device, &state);
    return (nn__opencl *)state;
}

/* Runs this program with other variables, and copies its first line to text. Returns the exit
   status, -1: no shell. */
static int run_child(const char *variables, const char *what, char *text, size_t size) {
    char command[1200];
    FILE *pipe;
    int status;
    text[0] = 0;
    snprintf(command, sizeof command, "%s '%s' --child %s 2>/dev/null", variables, self, what);
    pipe = popen(command, "r");
    if (!pipe) return -1;
    if (!fgets(text, (int)size, pipe)) text[0] = 0;
    status = pclose(pipe);
    return status;
}

static bool write_text_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    fputs(text, file);
    return fclose(file) == 0;
}

typedef struct log_text {
    char text[20000];
    size_t length;
} log_text;

static void keep_log(void *user, const char *text, size_t length) {
    log_text *log = (log_text *)user;
    if (length > sizeof log->text - 1 - log->length) length = sizeof log->text - 1 - log->length;
    memcpy(log->text + log->length, text, length);
    log->length += length;
    log->text[log->length] = 0;
}

/* ---- opening --------------------------------------------------------------------------------- */

static void test_open(void) {
    nn_opencl_desc desc = no_cache();
    nn_opencl_info info;
    nn_device device;
    char name[32], query[96];
    int count;
    OPEN_OR_SKIP(nn);
    count = nn_device_count(nn);
    ENSURE(count >= 2);
    ENSURE(nn_is_open(nn, first));
    ENSURE_TEXT(nn_format_device(nn_device_at(nn, 1), name, sizeof name), "opencl:0");
    ENSURE(nn_opencl_describe(nn, first, &info));
    ENSURE(info.name[0] && info.platform[0] && info.driver[0] && info.compute_units > 0 &&
           info.work_group > 0);
    ENSURE(info.memory > 0 && info.allocation > 0 && info.allocation <= info.memory * 2 &&
           !info.adopted);
    ENSURE(!nn_opencl_describe(nn, nn_cpu(), &info) && info.name == NULL);
    ENSURE(nn_opencl_describe(nn, first, &info));
    snprintf(query, sizeof query, "opencl:%.20s", info.name);
    ENSURE(nn_parse_device(nn, query, &device) == NN_OK && nn_same_device(device, first));
    /* again: open devices do not change */
    ENSURE(nn_opencl_open(nn, &desc) == NN_OK);
    ENSURE(nn_device_count(nn) == count);
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
    ENSURE(nn_opencl_open(NULL, NULL) == NN_ERROR_ARGUMENT);
}

/* GPUs come before accelerators, those before CPUs. */
static void test_order(void) {
    int i, kind = 0;
    OPEN_OR_SKIP(nn);
    for (i = 1; i < nn_device_count(nn); i++) {
        nn__opencl *state = state_of(nn, nn_device_at(nn, i));
        int own = state->cpu || state->spread ? 2 : state->gpu ? 0 : 1;
        ENSURE(own >= kind);
        kind = own;
        ENSURE(nn_same_device(state->device, nn_opencl(i - 1)));
    }
    nn_close(nn);
}

/* Orders the devices of other machines: a laptop's GPU beside a card, a card under two drivers. */
static void test_order_of_gpus(void) {
    nn__opencl_open_found found[4];
    int one, two, three, four; /* platforms: addresses that differ */
    memset(found, 0, sizeof found);
    snprintf(found[0].platform_name, sizeof found[0].platform_name, "Intel(R) OpenCL Graphics");
    found[0].unified = true;
    found[0].speed = 9000;
    found[0].platform = (cl_platform_id)(void *)&one;
    snprintf(found[1].platform_name, sizeof found[1].platform_name, "NVIDIA CUDA");
    found[1].speed = 5000;
    found[1].place = 7;
    found[1].platform = (cl_platform_id)(void *)&two;
    snprintf(found[2].platform_name, sizeof found[2].platform_name, "AMD");
    found[2].speed = 4000;
    found[2].platform = (cl_platform_id)(void *)&three;
    snprintf(found[3].platform_name, sizeof found[3].platform_name, "rusticl");
    found[3].speed = 6000;
    found[3].place = 7;
    found[3].platform = (cl_platform_id)(void *)&four;
    ENSURE(nn__opencl_open_before(&found[1], &found[0])); /* memory of its own */
    ENSURE(!nn__opencl_open_before(&found[0], &found[1]));
    ENSURE(nn__opencl_open_before(&found[1], &found[2])); /* faster, though the name comes later */
    found[2].order = 2;
    ENSURE(nn__opencl_open_before(&found[0], &found[2])); /* any GPU before a CPU */
    nn__opencl_open_leave_out_twins(found, 4);
    ENSURE(found[3].left_out && !found[0].left_out && !found[1].left_out && !found[2].left_out);
    found[3].left_out = NULL;
    found[3].is_open = true;
    nn__opencl_open_leave_out_twins(found, 4);
    ENSURE(found[1].left_out && !found[3].left_out);
    found[1].left_out = NULL;
    found[1].platform = found[3].platform; /* two parts of one card */
    nn__opencl_open_leave_out_twins(found, 4);
    ENSURE(!found[1].left_out && !found[3].left_out);
}

static void test_desc_filters(void) {
    nn_opencl_desc desc = no_cache();
    nn_opencl_info info;
    nn_context *nn;
    char name[64], list[4000];
    bool gpus;
    {
        OPEN_OR_SKIP(all);
        gpus = nn_best_device(all).kind == NN_OPENCL;
        ENSURE(nn_opencl_describe(all, first, &info));
        snprintf(name, sizeof name, "%s", info.name);
        nn_close(all);
    }
    nn = nn_open(NULL);
    desc.type = NN_OPENCL_GPU;
    ENSURE(nn_opencl_open(nn, &desc) == (gpus ? NN_OK : NN_NOT_FOUND));
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
    nn = nn_open(NULL);
    desc.type = NN_OPENCL_ALL;
    desc.name = "no such device";
    ENSURE(nn_opencl_open(nn, &desc) == NN_NOT_FOUND);
    ENSURE(nn_device_count(nn) == 1 && nn_error(nn) == NULL);
    ENSURE(strstr(nn_opencl_list(nn, &desc, list, sizeof list), "left out by desc.name") != NULL);
    desc.name = NULL;
    desc.platform = "no such platform";
    ENSURE(nn_opencl_open(nn, &desc) == NN_NOT_FOUND);
    desc.platform = NULL;
    desc.vendor = "no such vendor";
    ENSURE(nn_opencl_open(nn, &desc) == NN_NOT_FOUND);
    desc.vendor = NULL;
    desc.name = name; /* in any case */
    for (char *c = name; *c; c++) *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    ENSURE(nn_opencl_open(nn, &desc) == NN_OK && nn_error(nn) == NULL);
    desc.type = (nn_opencl_type)77;
    ENSURE(nn_opencl_open(nn, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "desc.type") != NULL);
    nn_close(nn);
}

static void test_list(void) {
    char list[4000], tiny[8];
    nn_context *nn = nn_open(NULL);
    nn_opencl_list(nn, NULL, list, sizeof list);
    ENSURE(list[0] && list[strlen(list) - 1] == '\n');
    if (strstr(list, "opencl:0")) {
        nn_opencl_desc desc = no_cache();
        ENSURE(strstr(list, "  open") == NULL);
        ENSURE(nn_opencl_open(nn, &desc) == NN_OK);
        ENSURE(strstr(nn_opencl_list(nn, NULL, list, sizeof list), "  open\n") != NULL);
    }
    nn_opencl_list(nn, NULL, tiny, sizeof tiny);
    ENSURE(strlen(tiny) == sizeof tiny - 1); /* cut, and ended */
    ENSURE_TEXT(nn_opencl_list(NULL, NULL, list, sizeof list), "");
    nn_close(nn);
}

static void test_no_platform(void) {
    char text[200];
    int status =
        run_child("OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES=", "open", text, sizeof text);
    if (status == -1) SKIP("no shell");
    ENSURE(status == 0);
    if (strcmp(text, "result 0 devices 1 cpu works\n") == 0)
        SKIP("this OpenCL loader does not know OCL_ICD_VENDORS");
    ENSURE_TEXT(text, "result 4 devices 1 cpu works\n");
}

/* ---- memory and transfers -------------------------------------------------------------------- */

static void test_odd_offsets(void) {
    float x[21], back[21];
    unsigned char bytes[35], bytes_back[35];
    int i;
    void *state;
    nn_tensor *a, *rows, *u, *u_rows;
    const nn_backend *backend;
    OPEN_OR_SKIP(nn);
    backend = nn_device_backend(nn, first, &state);
    for (i = 0; i < 21; i++) x[i] = (float)i - 3.5f;
    for (i = 0; i < 35; i++) bytes[i] = (unsigned char)(7 * i);
    a = make(nn, first, NN_F32, 7, 3);
    ENSURE(nn_download_tensor(a, back, sizeof back) == NN_OK);
    for (i = 0; i < 21; i++) ENSURE(back[i] == 0); /* fresh tensors are zero */
    rows = nn_make_view(a, 1, 5);
    ENSURE(nn_upload_tensor(rows, x, 15 * sizeof(float)) == NN_OK);
    ENSURE(nn_download_tensor(a, back, sizeof back) == NN_OK);
    for (i = 0; i < 21; i++) ENSURE(back[i] == (i >= 3 && i < 18 ? x[i - 3] : 0.0f));
    ENSURE(nn_scale_forward(rows, rows, 2) == NN_OK);
    ENSURE(nn_download_tensor(rows, back, 15 * sizeof(float)) == NN_OK);
    for (i = 0; i < 15; i++) ENSURE(back[i] == 2 * x[i]);
    u = make(nn, first, NN_U8, 5, 7);
    ENSURE(nn_upload_tensor(u, bytes, sizeof bytes) == NN_OK);
    u_rows = nn_make_view(u, 1, 3);
    ENSURE(nn_download_tensor(u_rows, bytes_back, 21) == NN_OK);
    ENSURE(memcmp(bytes_back, bytes + 7, 21) == 0);
    ENSURE(backend->fill(state, nn_tensor_view(u).handle, 3, 11, 0xAB) == NN_OK);
    ENSURE(backend->copy(state, nn_tensor_view(u).handle, 29, nn_tensor_view(u).handle, 1, 5) ==
           NN_OK);
    memset(bytes + 3, 0xAB, 11);
    memcpy(bytes + 29, bytes + 1, 5);
    ENSURE(nn_download_tensor(u, bytes_back, sizeof bytes_back) == NN_OK);
    ENSURE(memcmp(bytes_back, bytes, sizeof bytes) == 0);
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

/* Uploads with a fence use another queue; still every kernel sees the uploads before it, and no
   later ones. */
static void test_fences(void) {
    enum { COUNT = 40000, TENSORS = 40 };
    static float x[8][COUNT], back[COUNT];
    nn_tensor *in[TENSORS], *out;
    nn_fence fence[8];
    void *state;
    int round, i;
    const nn_backend *backend;
    OPEN_OR_SKIP(nn);
    backend = nn_device_backend(nn, first, &state);
    for (i = 0; i < TENSORS; i++)
        in[i] = make(nn, first, NN_F32, 1, COUNT); /* more than device->shared holds */
    out = make(nn, first, NN_F32, 1, COUNT);
    memset(fence, 0, sizeof fence);
    for (round = 0; round < 200; round++) {
        float *source = x[round % 8];
        nn_tensor *to = in[round < 100 ? round % 2 : round % TENSORS];
        ENSURE(backend->fence_wait(state, fence[round % 8]) == NN_OK);
        ENSURE(backend->fence_done(state, fence[round % 8]));
        for (i = 0; i < COUNT; i++) source[i] = (float)(round * 3 + i % 5);
        ENSURE(backend->upload(state, nn_tensor_view(to).handle, 0, source, sizeof x[0],
                               &fence[round % 8]) == NN_OK);
        ENSURE(fence[round % 8].value == (uint64_t)round + 1 &&
               nn_same_device(fence[round % 8].device, first));
        ENSURE(nn_scale_forward(out, to, 2) == NN_OK);
        if (round % 3 == 0) continue;
        ENSURE(nn_download_tensor(out, back, sizeof back) == NN_OK);
        for (i = 0; i < COUNT; i++)
            if (back[i] != 2 * (float)(round * 3 + i % 5)) break;
        if (i < COUNT)
            test_fail(__FILE__, __LINE__, "round %d: [%d] is %g", round, i, (double)back[i]);
    }
    { /* the compute queue is busy: uploads must not overtake the kernels that still read the same
         tensor */
        nn_tensor *results[8];
        for (i = 0; i < 8; i++) results[i] = make(nn, first, NN_F32, 1, COUNT);
        for (i = 0; i < 300; i++) ENSURE(nn_scale_forward(out, out, 1) == NN_OK);
        for (round = 0; round < 8; round++) {
            for (i = 0; i < COUNT; i++) x[round][i] = (float)(round * 7 + i % 3);
            ENSURE(backend->upload(state, nn_tensor_view(in[0]).handle, 0, x[round], sizeof x[0],
                                   &fence[round]) == NN_OK);
            ENSURE(nn_scale_forward(results[round], in[0], 3) == NN_OK);
        }
        for (round = 0; round < 8; round++) {
            ENSURE(nn_download_tensor(results[round], back, sizeof back) == NN_OK);
            for (i = 0; i < COUNT; i++)
                if (back[i] != 3 * (float)(round * 7 + i % 3)) break;
            if (i < COUNT)
                test_fail(__FILE__, __LINE__, "busy round %d: [%d] is %g", round, i,
                          (double)back[i]);
        }
    }
    { /* a download with a fence; a fence that left the ring long ago; one that never was */
        nn_fence down, old;
        ENSURE(backend->download(state, nn_tensor_view(out).handle, 0, back, sizeof back, &down) ==
               NN_OK);
        ENSURE(backend->fence_wait(state, down) == NN_OK && backend->fence_done(state, down));
        ENSURE(back[1] == 2 * (float)(199 * 3 + 1)); /* the last round's, times 1 */
        old = down;
        old.value = 1;
        ENSURE(backend->fence_done(state, old) && backend->fence_wait(state, old) == NN_OK);
        old.value = 0;
        ENSURE(backend->fence_done(state, old) && backend->fence_wait(state, old) == NN_OK);
    }
    for (i = 0; i < TENSORS; i++) nn_free_tensor(in[i]);
    ENSURE(state_of(nn, first)->shared_count == 0);
    ENSURE(nn_finish(nn) == NN_OK && nn_error(nn) == NULL);
    nn_close(nn);
}

static void test_map(void) {
    float x[6] = {1, 2, 3, 4, 5, 6}, back[6];
    nn_tensor *a;
    float *mapped;
    void *state;
    const nn_backend *backend;
    OPEN_OR_SKIP(nn);
    backend = nn_device_backend(nn, first, &state);
    if (!backend->map) {
        nn_close(nn);
        SKIP("the first OpenCL device does not share the host's memory");
    }
    a = make(nn, first, NN_F32, 2, 3);
    ENSURE(nn_upload_tensor(a, x, sizeof x) == NN_OK);
    mapped = (float *)backend->map(state, nn_tensor_view(a).handle, 8, 16, true);
    ENSURE(mapped && mapped[0] == 3 && mapped[3] == 6);
    mapped[1] = 40;
    ENSURE(backend->unmap(state, nn_tensor_view(a).handle, mapped) == NN_OK);
    ENSURE(nn_download_tensor(a, back, sizeof back) == NN_OK);
    ENSURE(back[2] == 3 && back[3] == 40);
    nn_reset_ledger(nn);
    mapped = (float *)nn_map_tensor(a, true);
    ENSURE(mapped && mapped[3] == 40);
    mapped[5] = 60;
    ENSURE(nn_upload_tensor(a, x, sizeof x) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_unmap_tensor(a) == NN_OK && nn_ledger_count(nn) == 2);
    ENSURE(nn_ledger_at(nn, 0).way == NN_WAY_MAPPED && nn_ledger_at(nn, 0).physical_bytes == 0);
    ENSURE(nn_ledger_at(nn, 1).way == NN_WAY_MAPPED &&
           nn_ledger_at(nn, 1).crossing == NN_CROSS_UPLOAD);
    ENSURE(nn_download_tensor(a, back, sizeof back) == NN_OK && back[5] == 60);
    ENSURE(nn_map_tensor(a, false)); /* closing gives it back */
    nn_close(nn);
}

static void test_too_large(void) {
    nn_opencl_info info;
    nn_tensor_desc desc;
    void *state, *handle = NULL;
    char wanted[32];
    const nn_backend *backend;
    uint64_t bytes;
    OPEN_OR_SKIP(nn);
    ENSURE(nn_opencl_describe(nn, first, &info));
    backend = nn_device_backend(nn, first, &state);
    ENSURE(backend->alloc(state, info.allocation + 1, &handle) == NN_ERROR_MEMORY &&
           handle == NULL);
    memset(&desc, 0, sizeof desc);
    desc.device = first;
    desc.shape.rank = 2;
    desc.shape.extent[0] = (int32_t)(info.allocation / 4096 + 1);
    desc.shape.extent[1] = 1024;
    bytes = (uint64_t)desc.shape.extent[0] * 4096;
    ENSURE(nn_make_tensor(nn, &desc) == NULL);
    ENSURE(nn_error_code(nn) == NN_ERROR_MEMORY);
    snprintf(wanted, sizeof wanted, "%llu bytes", (unsigned long long)bytes);
    ENSURE(strstr(nn_error(nn), wanted) != NULL);
    snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)info.allocation);
    ENSURE(strstr(nn_error(nn), wanted) != NULL);
    nn_clear_error(nn);
    ENSURE(make(nn, first, NN_F32, 3, 3) != NULL); /* everything works afterwards */
    nn_close(nn);
}

static void test_close_with_tensors(void) {
    int i;
    nn_tensor *a = NULL;
    OPEN_OR_SKIP(nn);
    for (i = 0; i < 10; i++) a = make(nn, first, NN_F32, 10, 100);
    ENSURE(nn_scale_forward(a, a, 2) == NN_OK); /* still in the queue */
    nn_close(nn);
}

static void test_open_close(void) {
    int i;
    long before = 0, after = 0;
    FILE *file;
    {
        OPEN_OR_SKIP(nn);
        nn_close(nn);
    }
    for (i = 0; i < 100; i++) {
        nn_opencl_desc desc = no_cache();
        nn_context *nn = nn_open(NULL);
        nn_tensor *a;
        long pages = 0;
        ENSURE(nn_opencl_open(nn, &desc) == NN_OK);
        a = make(nn, first, NN_F32, 10, 10);
        if (i % 10 == 0) ENSURE(nn_scale_forward(a, a, 2) == NN_OK);
        ENSURE(nn_error(nn) == NULL);
        nn_close(nn);
        file = fopen("/proc/self/statm", "r");
        if (!file) continue;
        if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
        fclose(file);
        if (i == 50) before = pages;
        after = pages;
    }
#ifndef __SANITIZE_ADDRESS__ /* it keeps what was freed */
    if (after > before + 4096)
        test_fail(__FILE__, __LINE__, "50 cycles grew by %ld pages", after - before);
#else
    (void)before, (void)after;
#endif
}

/* ---- a program's own OpenCL ------------------------------------------------------------------ */

typedef struct own_opencl {
    cl_context context, other;
    cl_command_queue queue, other_queue, loose;
    cl_device_id device;
} own_opencl;

/* Makes what a game would have, through the table, so that it works under NN_OPENCL_DYNAMIC,
   too. */
static bool make_own(nn_context *nn, own_opencl *own, nn__opencl_api *cl) {
    void *device;
    cl_int status;
    memset(own, 0, sizeof *own);
    if (nn__opencl_load_api(cl) || !nn_opencl_handles(nn, first, NULL, &device, NULL)) return false;
    own->device = (cl_device_id)device;
    own->context = cl->CreateContext(NULL, 1, &own->device, NULL, NULL, &status);
    own->other = cl->CreateContext(NULL, 1, &own->device, NULL, NULL, &status);
    own->queue = cl->CreateCommandQueue(own->context, own->device, 0, &status);
    own->other_queue = cl->CreateCommandQueue(own->other, own->device, 0, &status);
    own->loose = cl->CreateCommandQueue(own->context, own->device,
                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
    if (status != CL_SUCCESS) own->loose = NULL;
    return own->context && own->other && own->queue && own->other_queue;
}

static void free_own(own_opencl *own, const nn__opencl_api *cl) {
    if (own->loose) cl->ReleaseCommandQueue(own->loose);
    cl->ReleaseCommandQueue(own->queue);
    cl->ReleaseCommandQueue(own->other_queue);
    cl->ReleaseContext(own->context);
    cl->ReleaseContext(own->other);
}

static cl_uint references(const nn__opencl_api *cl, cl_context context) {
    cl_uint count = 0;
    cl->GetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

/* A driver's own thread may let go of finished work a moment later (rusticl's does). */
static bool released(const nn__opencl_api *cl, cl_context context, cl_uint count) {
    struct timespec moment = {0, 1000000};
    int i;
    for (i = 0; i < 1000 && references(cl, context) != count; i++) nanosleep(&moment, NULL);
    return references(cl, context) == count;
}

static void test_adopt(void) {
    float x[6] = {1, 2, 3, 4, 5, 6}, back[6] = {0, 0, 0, 0, 0, 0};
    nn__opencl_api cl;
    own_opencl own;
    nn_opencl_desc desc = no_cache();
    nn_opencl_info info;
    nn_context *nn;
    nn_device device;
    nn_tensor *wrapped, *y;
    cl_mem buffer;
    cl_event event;
    cl_int status;
    cl_uint count;
    void *context, *id, *queue;
    OPEN_OR_SKIP(all);
    ENSURE(make_own(all, &own, &cl));
    nn_close(all);
    count = references(&cl, own.context);
    buffer = cl.CreateBuffer(own.context, CL_MEM_READ_WRITE, 64, NULL, &status);
    nn = nn_open(NULL);
    desc.context = own.context;
    desc.device = own.device;
    desc.queue = own.queue;
    desc.type = NN_OPENCL_ACCELERATOR; /* filters are not asked */
    ENSURE(nn_opencl_open(nn, &desc) == NN_OK && nn_device_count(nn) == 2);
    device = nn_device_at(nn, 1);
    ENSURE(nn_opencl_describe(nn, device, &info) && info.adopted);
    ENSURE(nn_opencl_handles(nn, device, &context, &id, &queue));
    ENSURE(context == (void *)own.context && id == (void *)own.device &&
           queue == (void *)own.queue);
    /* the caller's buffer as a tensor, 8 bytes in */
    wrapped = nn_opencl_wrap(nn, device, "pixels", NN_F32, NN_SHAPE(2, 3), buffer, 8);
    ENSURE(wrapped != NULL);
    y = make(nn, device, NN_F32, 2, 3);
    ENSURE(cl.EnqueueWriteBuffer(own.queue, buffer, CL_FALSE, 8, sizeof x, x, 0, NULL, &event) ==
           CL_SUCCESS);
    ENSURE(nn_opencl_wait_for(nn, device, event) == NN_OK);
    cl.ReleaseEvent(event);
    ENSURE(nn_scale_forward(wrapped, wrapped, 3) == NN_OK &&
           nn_scale_forward(y, wrapped, 2) == NN_OK);
    event = (cl_event)nn_opencl_done_event(nn, device);
    ENSURE(event != NULL);
    ENSURE(cl.EnqueueReadBuffer(own.queue, buffer, CL_TRUE, 8, sizeof back, back, 1, &event,
                                NULL) == CL_SUCCESS);
    cl.ReleaseEvent(event);
    ENSURE(back[0] == 3 && back[5] == 18);
    ENSURE(nn_download_tensor(y, back, sizeof back) == NN_OK && back[5] == 36);
    ENSURE(nn_error(nn) == NULL);
    /* too small, not aligned, nothing */
    ENSURE(!nn_opencl_wrap(nn, device, "big", NN_F32, NN_SHAPE(16), buffer, 4));
    ENSURE(strstr(nn_error(nn), "\"big\": the buffer is smaller") != NULL);
    nn_clear_error(nn);
    ENSURE(!nn_opencl_wrap(nn, device, "odd", NN_F32, NN_SHAPE(2), buffer, 3) && nn_error(nn));
    ENSURE(!nn_opencl_wrap(nn, device, "none", NN_F32, NN_SHAPE(2), NULL, 0));
    ENSURE(!nn_opencl_wrap(nn, nn_cpu(), "cpu", NN_F32, NN_SHAPE(2), buffer, 0));
    ENSURE(nn_opencl_wait_for(nn, device, NULL) == NN_ERROR_ARGUMENT);
    nn_close(nn);
    ENSURE(cl.GetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &status, NULL) ==
               CL_SUCCESS &&
           status == 1);
    cl.ReleaseMemObject(buffer);
    ENSURE(released(&cl, own.context, count));
    free_own(&own, &cl);
}

/* A step sets its arguments once, and again after a buffer was made, because the new buffer may
   have the address of a wrapped buffer that the caller has released silently. */
static cl_int(CL_API_CALL *set_argument)(cl_kernel, cl_uint, size_t, const void *);
static int arguments_set;

static cl_int CL_API_CALL count_argument(cl_kernel kernel, cl_uint index, size_t bytes,
                                         const void *value) {
    arguments_set++;
    return set_argument(kernel, index, bytes, value);
}

static void test_arguments_after_new_buffers(void) {
    float x[4] = {-1, 2, -3, 4}, y[4];
    nn_model_desc net_desc;
    nn_plan_desc plan_desc;
    OPEN_OR_SKIP(nn);
    memset(&net_desc, 0, sizeof net_desc);
    memset(&plan_desc, 0, sizeof plan_desc);
    net_desc.device = first;
    nn_model *net = nn_make_model(nn, &net_desc);
    nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(4)), *out = nn_relu(net, in);
    NODE_AT(plan_desc.outputs, 0) = out;
    nn_plan *plan = nn_make_plan(net, &plan_desc);
    nn__opencl *state = state_of(nn, first);
    set_argument = state->cl.SetKernelArg;
    state->cl.SetKernelArg = count_argument;
    for (int i = 0; i < 4; i++) {
        nn_tensor *more = i == 3 ? make(nn, first, NN_F32, 2, 2) : NULL;
        ENSURE(nn_upload(plan, in, x, sizeof x) == NN_OK);
        arguments_set = 0;
        ENSURE(nn_run(plan) == NN_OK && nn_download(plan, out, y, sizeof y) == NN_OK);
        ENSURE(y[0] == 0 && y[1] == 2 && y[2] == 0 && y[3] == 4);
        ENSURE(i == 1 || (arguments_set == 0) == (i == 2));
        nn_free_tensor(more);
    }
    state->cl.SetKernelArg = set_argument;
    nn_close(nn);
}

static void test_foreign_handles(void) {
    nn__opencl_api cl;
    own_opencl own;
    nn_opencl_desc desc = no_cache();
    cl_mem buffer;
    cl_event event = NULL;
    cl_int status;
    OPEN_OR_SKIP(nn);
    ENSURE(make_own(nn, &own, &cl));
    /* a buffer and an event of another context */
    buffer = cl.CreateBuffer(own.context, CL_MEM_READ_WRITE, 64, NULL, &status);
    ENSURE(!nn_opencl_wrap(nn, first, "foreign", NN_F32, NN_SHAPE(2), buffer, 0));
    ENSURE(nn_error_code(nn) == NN_ERROR_ARGUMENT &&
           strstr(nn_error(nn), "different cl_contexts") != NULL);
    nn_clear_error(nn);
    ENSURE(cl.EnqueueMarkerWithWaitList(own.queue, 0, NULL, &event) == CL_SUCCESS);
    ENSURE(nn_opencl_wait_for(nn, first, event) == NN_ERROR_ARGUMENT &&
           strstr(nn_error(nn), "different cl_contexts"));
    nn_clear_error(nn);
    cl.ReleaseEvent(event);
    cl.ReleaseMemObject(buffer);
    /* handles that do not belong together */
    desc.context = own.context;
    desc.device = own.device;
    ENSURE(nn_opencl_open(nn, &desc) == NN_ERROR_ARGUMENT &&
           strstr(nn_error(nn), "give all three or none") != NULL);
    nn_clear_error(nn);
    desc.queue = own.other_queue;
    ENSURE(nn_opencl_open(nn, &desc) == NN_ERROR_ARGUMENT &&
           strstr(nn_error(nn), "does not belong to desc.context") != NULL);
    nn_clear_error(nn);
    if (own.loose) {
        desc.queue = own.loose;
        ENSURE(nn_opencl_open(nn, &desc) == NN_ERROR_ARGUMENT &&
               strstr(nn_error(nn), "out-of-order") != NULL);
        nn_clear_error(nn);
    }
    ENSURE(nn_device_count(nn) == 1 || nn_error(nn) == NULL);
    nn_close(nn);
    free_own(&own, &cl);
}

static void test_events(void) {
    float x = 5, back = 0;
    nn_tensor *a;
    void *event;
    nn__opencl *state;
    cl_int status = 1;
    OPEN_OR_SKIP(nn);
    state = state_of(nn, first);
    a = make(nn, first, NN_F32, 1, 1);
    ENSURE(nn_upload_tensor(a, &x, sizeof x) == NN_OK);
    ENSURE(nn_scale_forward(a, a, 2) == NN_OK);
    event = nn_opencl_done_event(nn, first);
    ENSURE(event != NULL);
    ENSURE(nn_opencl_wait_for(nn, first, event) == NN_OK);
    ENSURE(nn_download_tensor(a, &back, sizeof back) == NN_OK && back == 10);
    ENSURE(state->cl.GetEventInfo((cl_event)event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                  &status, NULL) == CL_SUCCESS &&
           status == CL_COMPLETE);
    state->cl.ReleaseEvent((cl_event)event);
    ENSURE(nn_opencl_done_event(nn, nn_cpu()) == NULL && nn_error_code(nn) == NN_ERROR_DEVICE);
    nn_close(nn);
}

static void test_profile(void) {
    float x[100];
    nn_opencl_desc desc = no_cache();
    nn_fence fence[2];
    uint64_t start[2], end[2];
    nn_tensor *a;
    void *state;
    const nn_backend *backend;
    nn_context *nn = nn_open(NULL);
    memset(x, 0, sizeof x);
    desc.profile = true;
    if (nn_opencl_open(nn, &desc) != NN_OK) {
        nn_close(nn);
        SKIP("no OpenCL device here");
    }
    backend = nn_device_backend(nn, first, &state);
    ENSURE(backend->span != NULL);
    a = make(nn, first, NN_F32, 10, 10);
    for (int i = 0; i < 2; i++) {
        ENSURE(backend->upload(state, nn_tensor_view(a).handle, 0, x, sizeof x, &fence[i]) ==
               NN_OK);
        ENSURE(backend->fence_wait(state, fence[i]) == NN_OK);
    }
    for (int i = 0; i < 2; i++) ENSURE(backend->span(state, fence[i], &start[i], &end[i]));
    ENSURE(start[0] > 0 && end[0] >= start[0] && end[1] >= start[1] && end[1] >= end[0]);
    nn_close(nn);
}

/* ---- programs -------------------------------------------------------------------------------- */

static const char kernel_path[] = "test_opencl_kernels.tmp";

static void test_kernel_file(void) {
    nn_opencl_desc desc = no_cache();
    nn_desc open;
    static log_text log;
    char text[512];
    nn_context *nn;
    nn_tensor *a, *b;
    {
        OPEN_OR_SKIP(all);
        nn_close(all);
    }
    memset(&open, 0, sizeof open);
    open.log.function = keep_log;
    open.log.user = &log;
    nn = nn_open(&open);
    desc.kernel_file = kernel_path;
    remove(kernel_path);
    ENSURE(nn_opencl_open(nn, &desc) == NN_ERROR_FILE && strstr(nn_error(nn), kernel_path) != NULL);
    nn_clear_error(nn);
    ENSURE(write_text_file(
        kernel_path,
        "/* kernels.cl - nn kernels version 0 - */\n/* ==== opencl/common.cl ==== */\n"));
    ENSURE(nn_opencl_open(nn, &desc) == NN_ERROR_FORMAT &&
           strstr(nn_error(nn), "belongs to another nn_opencl.h"));
    const char *wanted = strstr(nn_error(nn), "nn kernels version ");
    ENSURE(wanted != NULL);
    int version = atoi(wanted + strlen("nn kernels version "));
    nn_clear_error(nn);
    ENSURE(nn_device_count(nn) == 1);
    /* of the right version, but broken */
    snprintf(text, sizeof text,
             "/* kernels.cl - nn kernels version %d - */\n/* ==== opencl/common.cl ==== */\n"
             "int nn_fine(int x) { return x; }\n/* ==== kernels/softmax/opencl.cl ==== */\n"
             "__kernel void nn_broken(__global float *x) { x[0] = no_such_thing; }\n",
             version);
    ENSURE(write_text_file(kernel_path, text));
    ENSURE(nn_opencl_open(nn, &desc) == NN_OK);
    a = make(nn, first, NN_F32, 2, 2);
    b = make(nn, first, NN_F32, 2, 2);
    log.length = 0;
    ENSURE(nn_softmax_forward(b, a, false) == NN_ERROR_BACKEND);
    ENSURE(strstr(nn_error(nn), "CL_BUILD_PROGRAM_FAILURE") != NULL);
    ENSURE(strstr(nn_error(nn), "softmax/opencl.cl") != NULL &&
           strstr(nn_error(nn), "options: -cl-std=CL1.2") != NULL);
    ENSURE(strstr(log.text, "no_such_thing") != NULL); /* the compiler's own words */
    ENSURE(strstr(log.text, ": softmax_forward on opencl:0 failed") != NULL);
    nn_clear_error(nn);
    ENSURE(nn_softmax_forward(b, a, false) == NN_ERROR_BACKEND); /* and again, nothing half-built */
    ENSURE(nn_tensor_bytes(a) == 16);
    nn_close(nn);
    remove(kernel_path);
}

static nn_result run_cached(memory_disk *disk, bool *cached) {
    nn_opencl_desc desc = no_cache();
    nn_desc open;
    nn_context *nn;
    nn_tensor *a;
    nn_result result;
    float x = 3, back = 0;
    memset(&open, 0, sizeof open);
    open.files = memory_files(disk);
    nn = nn_open(&open);
    desc.cache_folder = "cache";
    if (nn_opencl_open(nn, &desc) != NN_OK) {
        nn_close(nn);
        return NN_NOT_FOUND;
    }
    a = make(nn, first, NN_F32, 1, 1);
    nn_upload_tensor(a, &x, sizeof x);
    result = nn_scale_forward(a, a, 2);
    nn_download_tensor(a, &back, sizeof back);
    *cached = state_of(nn, first)->programs && state_of(nn, first)->programs->cached;
    if (result == NN_OK && back != 6) result = NN_ERROR_NAN;
    nn_close(nn);
    return result;
}

/* Returns the only entry on the disk. */
static memory_file *the_entry(memory_disk *disk) {
    memory_file *found = NULL;
    int i, count = 0;
    for (i = 0; i < MEMORY_FILES; i++)
        if (disk->files[i].name[0]) {
            found = &disk->files[i];
            count++;
        }
    return count == 1 && strncmp(found->name, "cache/opencl-", 13) == 0 ? found : NULL;
}

static void test_cache(void) {
    memory_disk disk;
    memory_file *entry;
    bool cached = true;
    nn_result result;
    size_t size;
    memset(&disk, 0, sizeof disk);
#ifdef NN_OPENCL_NO_CACHE
    SKIP("built with NN_OPENCL_NO_CACHE");
#endif
    result = run_cached(&disk, &cached);
    if (result == NN_NOT_FOUND) SKIP("no OpenCL device here");
    ENSURE(result == NN_OK && !cached);
    entry = the_entry(&disk);
    if (!entry) SKIP("the driver gives no binary");
    ENSURE(run_cached(&disk, &cached) == NN_OK && cached); /* a hit */
    /* one byte is wrong: compiled again, and written again */
    entry = the_entry(&disk);
    entry->bytes[entry->size / 2] ^= 1;
    ENSURE(run_cached(&disk, &cached) == NN_OK && !cached);
    ENSURE(run_cached(&disk, &cached) == NN_OK && cached);
    /* cut off */
    entry = the_entry(&disk);
    size = entry->size;
    entry->size = 20;
    ENSURE(run_cached(&disk, &cached) == NN_OK && !cached);
    entry = the_entry(&disk);
    ENSURE(entry && entry->size == size);
    if (getenv("RUSTICL_ENABLE")) { /* Mesa 22.3 ends the process in the following calls */
        memory_free(&disk);
        return;
    }
    /* undamaged, but nothing that the driver knows */
    memset(entry->bytes + 32, 'x', entry->size - 32);
    {
        uint64_t checksum =
            nn__opencl_hash(NN__OPENCL_HASH_START, entry->bytes + 32, entry->size - 32);
        memcpy(entry->bytes + 24, &checksum, sizeof checksum);
    }
    ENSURE(run_cached(&disk, &cached) == NN_OK && !cached);
    ENSURE(run_cached(&disk, &cached) == NN_OK && cached);
    /* of another key under this name */
    entry = the_entry(&disk);
    entry->bytes[8] ^= 1;
    ENSURE(run_cached(&disk, &cached) == NN_OK && !cached);
    memory_free(&disk);
}

/* Computes a large product through CLBlast, forced on any device. */
static void test_clblast(void) {
    enum { M = 130, N = 140, K = 2048 };
    static float a[M * K], b[K * N], y[M * N];
    nn_tensor *ta, *tb, *ty;
    nn_gemm_args args;
    uint64_t scratch = 0;
    nn__opencl *state;
    int i, j, k;
    bool cpu;
    OPEN_OR_SKIP(nn);
    state = state_of(nn, first);
    cpu = state->cpu;
    state->cpu = false;
    nn__opencl_blas_open(state);
    state->cpu = cpu;
    if (!state->blas) {
        nn_close(nn);
        SKIP("no CLBlast here");
    }
    for (i = 0; i < M * K; i++) a[i] = (float)(i * 7 % 13 - 6) / 8;
    for (i = 0; i < K * N; i++) b[i] = (float)(i * 5 % 11 - 5) / 8;
    ta = make(nn, first, NN_F32, M, K);
    tb = make(nn, first, NN_F32, K, N);
    ty = make(nn, first, NN_F32, M, N);
    ENSURE(nn_upload_tensor(ta, a, sizeof a) == NN_OK &&
           nn_upload_tensor(tb, b, sizeof b) == NN_OK);
    memset(&args, 0, sizeof args);
    args.m = M;
    args.n = N;
    args.k = K;
    args.a = nn_tensor_view(ta);
    args.b = nn_tensor_view(tb);
    args.y = nn_tensor_view(ty);
    ENSURE(nn__opencl_blas_takes(state, &args, &scratch) && scratch == 0);
    ENSURE(nn__opencl_blas_gemm(state, &args) == NN_OK);
    args.accumulate = true;
    ENSURE(nn__opencl_blas_gemm(state, &args) == NN_OK);
    ENSURE(nn_download_tensor(ty, y, sizeof y) == NN_OK);
    for (i = 0; i < M; i += 43)
        for (j = 0; j < N; j += 23) {
            double sum = 0;
            for (k = 0; k < K; k++) sum += (double)a[i * K + k] * (double)b[k * N + j];
            ENSURE_CLOSE(y[i * N + j], 2 * sum, 1e-2);
        }
    /* A GPU takes it only where the user says so, or nn_opencl_tune measured it. */
    args.accumulate = false;
    state->cpu = false;
    state->gpu = true;
    state->forced = NN__OPENCL_TILES;
    ENSURE(!state->clblast_always &&
           nn__opencl_gemm_fits(state, &args, NN__OPENCL_GEMM_TILE_BLAS) &&
           nn__opencl_gemm_taken(state, &args).tile != NN__OPENCL_GEMM_TILE_BLAS);
    state->clblast_always = true;
    ENSURE(nn__opencl_gemm_taken(state, &args).tile == NN__OPENCL_GEMM_TILE_BLAS);
    state->clblast_always = false;
    state->forced = NN__OPENCL_BY_DEVICE;
    state->gpu = false;
    state->cpu = cpu;
    args.m = 8;
    ENSURE(!nn__opencl_blas_takes(state, &args, &scratch)); /* small ones are ours */
    ENSURE(nn_error(nn) == NULL);
    nn_close(nn);
}

static cl_int(CL_API_CALL *real_info)(cl_device_id, cl_device_info, size_t, void *, size_t *);
static const char *told_profile, *told_vendor;
static size_t told_parameters;
static cl_device_local_mem_type told_local;

/* Describes a GPU of 512 units that shares the host's memory; the rest follows from the variables
   above. */
static cl_int CL_API_CALL tell_device(cl_device_id id, cl_device_info what, size_t size,
                                      void *value, size_t *bytes) {
    const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
    const cl_uint units = 512;
    const cl_bool yes = CL_TRUE;
    if (what == CL_DEVICE_TYPE && size == sizeof gpu) memcpy(value, &gpu, sizeof gpu);
    else if (what == CL_DEVICE_MAX_COMPUTE_UNITS) memcpy(value, &units, sizeof units);
    else if (what == CL_DEVICE_PROFILE) snprintf((char *)value, size, "%s", told_profile);
    else if (what == CL_DEVICE_VENDOR) snprintf((char *)value, size, "%s", told_vendor);
    else if (what == CL_DEVICE_HOST_UNIFIED_MEMORY) memcpy(value, &yes, sizeof yes);
    else if (what == CL_DEVICE_MAX_PARAMETER_SIZE) memcpy(value, &told_parameters, size);
    else if (what == CL_DEVICE_LOCAL_MEM_TYPE) memcpy(value, &told_local, size);
    else return real_info(id, what, size, value, bytes);
    return CL_SUCCESS;
}
static const char *told_platform;
static cl_int CL_API_CALL tell_platform(cl_platform_id id, cl_platform_info what, size_t size,
                                        void *value, size_t *bytes) {
    (void)id, (void)what, (void)bytes;
    snprintf((char *)value, size, "%s", told_platform);
    return CL_SUCCESS;
}

/* Intel's execution units do not count as compute units. AMD's processors read host memory slowly.
   Local memory that is part of global memory does not justify large tiles. Devices of the embedded
   profile, and devices that take fewer arguments than OpenCL guarantees, are left out. */
static void test_what_devices_tell(void) {
    static nn__opencl device;
    const char *why;
    OPEN_OR_SKIP(nn);
    device = *state_of(nn, first);
    real_info = device.cl.GetDeviceInfo;
    device.cl.GetDeviceInfo = tell_device;
    device.cl.GetPlatformInfo = tell_platform;
    told_profile = "FULL_PROFILE";
    told_platform = "Intel(R) OpenCL Graphics";
    told_vendor = "Intel(R) Corporation";
    told_parameters = 1024;
    told_local = CL_LOCAL;
    ENSURE(!nn__opencl_ask(&device) && device.units == 32 && device.told == 512);
    ENSURE(device.in_host_memory && nn__opencl_family_of(&device) == NN__OPENCL_TILES);
    told_platform = "NVIDIA CUDA";
    ENSURE(!nn__opencl_ask(&device) && device.units == 512 && device.told == 512);
    told_vendor = "Advanced Micro Devices, Inc.";
    ENSURE(!nn__opencl_ask(&device) && device.unified && !device.in_host_memory);
    nn__opencl_fill_backend(&device);
    ENSURE(!device.backend.map && !device.backend.unmap);
    told_vendor = "ARM";
    told_local = CL_GLOBAL;
    ENSURE(!nn__opencl_ask(&device) && device.in_host_memory &&
           nn__opencl_family_of(&device) == NN__OPENCL_SMALL_TILES);
    nn__opencl_fill_backend(&device);
    ENSURE(device.backend.map && device.backend.unmap);
    told_parameters = 0; /* it does not tell */
    ENSURE(!nn__opencl_ask(&device));
    told_parameters = 1023;
    why = nn__opencl_ask(&device);
    ENSURE(why && strstr(why, "1024 bytes of arguments"));
    told_profile = "EMBEDDED_PROFILE";
    why = nn__opencl_ask(&device);
    ENSURE(why && strstr(why, "embedded profile"));
    nn_close(nn);
}

/* ---- every call fails once ------------------------------------------------------------------- */

static bool layer_number(const char *path, const char *name, long *number) {
    char word[64], value[64];
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file && !found && fscanf(file, "%63s %63s", word, value) == 2) {
        found = strcmp(word, name) == 0;
        *number = atol(value);
    }
    if (file) fclose(file);
    return found;
}

/* Under the layer, a failing call gives an error that names it, or does no harm. It never causes a
   crash or leaves an object behind. */
static void test_every_failure(void) {
    static const char *const live[] = {"live_contexts", "live_queues",  "live_buffers",
                                       "live_programs", "live_kernels", "live_events"};
    char variables[1000], text[300], layer[600], report[] = "test_opencl_layer.tmp";
    const char *slash = strrchr(self, '/');
    long calls = 0, failed = 0, made = 0, n, left = 0;
    FILE *file;
    size_t i;
    snprintf(layer, sizeof layer, "%.*s/libopencl_layer.so", slash ? (int)(slash - self) : 1,
             slash ? self : ".");
    file = fopen(layer, "rb");
    if (!file) SKIP("no OpenCL layer beside this program (make builds it)");
    fclose(file);
    {
        OPEN_OR_SKIP(nn);
        nn_close(nn);
    }
    snprintf(variables, sizeof variables, "OPENCL_LAYERS=$(realpath '%s') LAYER_REPORT=%s", layer,
             report);
    remove(report);
    if (run_child(variables, "work", text, sizeof text) != 0)
        test_fail(__FILE__, __LINE__, "the child says: %s", text);
    if (!layer_number(report, "calls", &calls) || calls == 0)
        SKIP("this OpenCL loader knows no layers");
    for (n = 1; n <= calls + 1; n++) {
        int status;
        remove(report);
        snprintf(variables, sizeof variables,
                 "FAIL_AT=%ld OPENCL_LAYERS=$(realpath '%s') LAYER_REPORT=%s", n, layer, report);
        status = run_child(variables, "work", text, sizeof text);
        if (test_wrong(status != 0))
            test_fail(__FILE__, __LINE__, "call %ld: status %d: %s", n, status, text);
        if (!layer_number(report, "failed", &failed))
            test_fail(__FILE__, __LINE__, "call %ld: no report", n);
        if (!layer_number(report, "calls", &made)) made = 0;
        if (!failed && made >= n) /* the number of polls varies */
            test_fail(__FILE__, __LINE__, "call %ld of %ld did not fail", n, made);
        for (i = 0; i < sizeof live / sizeof live[0]; i++)
            if (layer_number(report, live[i], &left) && left != 0)
                test_fail(__FILE__, __LINE__, "call %ld (%s): %s %ld", n, text, live[i], left);
    }
    remove(report);
}

/* ---- children -------------------------------------------------------------------------------- */

static int child_open(void) {
    nn_opencl_desc desc = no_cache();
    nn_context *nn = nn_open(NULL);
    nn_result result = nn_opencl_open(nn, &desc);
    nn_tensor *a = make(nn, nn_cpu(), NN_F32, 2, 2);
    nn_use_all_kernels(nn);
    printf("result %d devices %d %s\n", (int)result, result == NN_OK ? 1 : nn_device_count(nn),
           nn_scale_forward(a, a, 2) == NN_OK ? "cpu works" : "cpu does not work");
    nn_close(nn);
    return 0;
}

/* Exit 0: right numbers, or an error with words that name an OpenCL call; 2: wrong numbers; 3: an
   error without words. */
static int child_work(void) {
    static float x[1000], back[1000];
    nn_opencl_desc desc = no_cache();
    nn_context *nn = nn_open(NULL);
    nn_tensor *a, *b;
    nn_fence fence;
    void *state = NULL;
    const nn_backend *backend;
    int i, wrong = 0;
    nn_result result = nn_opencl_open(nn, &desc);
    if (result == NN_NOT_FOUND) {
        nn_close(nn);
        printf("not found\n");
        return 0;
    }
    for (i = 0; i < 1000; i++) x[i] = (float)i;
    a = make(nn, first, NN_F32, 10, 100);
    b = make(nn, first, NN_F32, 10, 100);
    memset(&fence, 0, sizeof fence);
    backend = nn_device_backend(nn, first, &state);
    result = backend && a && b ? NN_OK : NN_ERROR_MEMORY;
    for (i = 0; i < 3 && result >= 0; i++) {
        result = backend->upload(state, nn_tensor_view(a).handle, 0, x, sizeof x, &fence);
        if (result < 0) nn_record_error(nn, result, "upload");
        if (result >= 0) result = nn_scale_forward(b, a, 2);
    }
    if (result >= 0) result = nn_copy(a, b);
    if (result >= 0) result = nn_download_tensor(a, back, sizeof back);
    if (result >= 0) result = nn_finish(nn);
    if (result >= 0)
        for (i = 0; i < 1000; i++) wrong += back[i] != 2 * x[i];
    if (wrong) printf("%d wrong numbers\n", wrong);
    else printf("%s\n", nn_error(nn) ? nn_error(nn) : "all is well");
    i = wrong ? 2 : result < 0 && (!nn_error(nn) || !strstr(nn_error(nn), "CL_")) ? 3 : 0;
    nn_close(nn);
    return i;
}

int main(int argc, char **argv) {
    self = argv[0];
    first = nn_opencl(0);
    if (argc == 3 && strcmp(argv[1], "--child") == 0)
        return strcmp(argv[2], "open") == 0 ? child_open() : child_work();
    test_start(argc, argv);
    RUN(test_open);
    RUN(test_order);
    RUN(test_order_of_gpus);
    RUN(test_desc_filters);
    RUN(test_list);
    RUN(test_no_platform);
    RUN(test_odd_offsets);
    RUN(test_fences);
    RUN(test_map);
    RUN(test_too_large);
    RUN(test_close_with_tensors);
    RUN(test_open_close);
    RUN(test_adopt);
    RUN(test_arguments_after_new_buffers);
    RUN(test_foreign_handles);
    RUN(test_events);
    RUN(test_profile);
    RUN(test_kernel_file);
    RUN(test_cache);
    RUN(test_clblast);
    RUN(test_what_devices_tell);
    RUN(test_every_failure);
    return test_report();
}
