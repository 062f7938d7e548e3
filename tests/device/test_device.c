/* tests/device/test_device.c - the room device: errors and their texts, devices, backends, the
   ledger and its limits, kernels by number. */
#include <stdlib.h>

#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "test.h"

#include "sim_device.h"

static nn_site here(int line) { return nn_make_site("src/train.c", line); }

/* ---- an allocator that counts and fails at the Nth call -------------------------------------- */

typedef struct counted {
    int64_t calls, fail_at, live; /* fail_at: from this call on; 0: never */
} counted;

static void *counted_allocate(void *user, size_t bytes, size_t alignment) {
    counted *self = (counted *)user;
    void *memory = NULL;
    if (++self->calls >= self->fail_at && self->fail_at > 0) return NULL;
    if (alignment < sizeof(void *)) alignment = sizeof(void *);
    char *block = (char *)malloc(bytes + alignment + sizeof(void *));
    if (!block) return NULL;
    uintptr_t at = ((uintptr_t)block + sizeof(void *) + alignment - 1) / alignment * alignment;
    memory = (void *)at;
    ((void **)memory)[-1] = block;
    self->live += (int64_t)bytes;
    return memory;
}

static void counted_release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)alignment;
    if (!memory) return;
    ((counted *)user)->live -= (int64_t)bytes;
    free(((void **)memory)[-1]);
}

static nn_desc counted_desc(counted *self) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(self, 0, sizeof *self);
    desc.allocator.allocate = counted_allocate;
    desc.allocator.release = counted_release;
    desc.allocator.user = self;
    desc.threads = 1;
    return desc;
}

static nn_context *open_logged(nn_text *text, char *buffer, size_t size) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    buffer[0] = 0;
    text->buffer = buffer;
    text->size = size;
    text->length = 0;
    desc.log.function = nn_write_text;
    desc.log.user = text;
    desc.threads = 1;
    return nn_open(&desc);
}

static nn_context *open_plain(void) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    return nn_open(&desc);
}

static nn_tensor *make(nn_context *nn, const char *name, nn_device device, int32_t n) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.name = name;
    desc.shape = nn_make_shape(&n, 1);
    desc.device = device;
    return nn_make_tensor_at(here(1), nn, &desc);
}

/* ---- types ----------------------------------------------------------------------------------- */

static void test_dtypes(void) {
    static const int sizes[] = {4, 4, 4, 1, 2, 2, 8, 8, 2, 1, 1};
    for (int i = 0; i < NN_DTYPE_COUNT; i++) ENSURE((int)nn_dtype_size((nn_dtype)i) == sizes[i]);
    ENSURE(nn_dtype_size(NN_DTYPE_COUNT) == 0);
    ENSURE_TEXT(nn_dtype_name(NN_BF16), "bf16");
    ENSURE_TEXT(nn_dtype_name((nn_dtype)99), "(no dtype)");
}

static void test_shapes(void) {
    char text[NN__SHAPE_TEXT];
    int32_t huge[6] = {INT32_MAX, INT32_MAX, INT32_MAX, 1, 1, 1}, zero[2] = {3, 0};
    int32_t most[3] = {sizeof(size_t) == 8 ? INT32_MAX : 1, INT32_MAX, 1};
    nn_shape shape, resolved;
    ENSURE(nn_shape_count(NN_SHAPE(2, 3, 4)) == 24);
    ENSURE(nn_shape_count(nn_make_shape(NULL, 0)) == 1);
    ENSURE(nn_shape_count(nn_make_shape(huge, 2)) == (int64_t)INT32_MAX * INT32_MAX);
    ENSURE(nn_shape_count(nn_make_shape(huge, 3)) == -1);
    ENSURE(nn_shape_count(nn_make_shape(zero, 2)) == -1);
    ENSURE(nn_shape_count(NN_SHAPE(NN_BATCH, 2)) == -1);
    ENSURE(nn_shape_count(nn_make_shape(huge, 7)) == -1);
    ENSURE(nn_shape_count(nn_make_shape(NULL, 2)) == -1);
    ENSURE(nn_same_shape(NN_SHAPE(2, 3), NN_SHAPE(2, 3)) &&
           !nn_same_shape(NN_SHAPE(2, 3), NN_SHAPE(2, 3, 1)));
    ENSURE_TEXT(nn__format_shape(NN_SHAPE(NN_BATCH, 3, 64, 64), text, sizeof text),
                "(batch, 3, 64, 64)");
    ENSURE_TEXT(nn__format_shape(NN_SHAPE(-3, 4), text, sizeof text), "(3*batch, 4)");
    ENSURE_TEXT(nn__format_shape(nn_make_shape(NULL, 0), text, sizeof text), "()");
    ENSURE_TEXT(nn__format_shape(nn_make_shape(NULL, 9), text, sizeof text), "(rank -1)");
    shape = NN_SHAPE(-3, 4);
    nn__resolve_shape(&resolved, &shape, 5, 1);
    ENSURE(nn_same_shape(resolved, NN_SHAPE(15, 4)));
    nn__resolve_shape(&resolved, &shape, INT32_MAX, 1);
    ENSURE(resolved.extent[0] == 0);
    ENSURE(nn__shape_bytes(&shape, NN_F64, INT32_MAX, 1) == 0);
    shape = NN_SHAPE(NN_BATCH, 2);
    ENSURE(nn__shape_bytes(&shape, NN_F64, 3, 1) == 48);
    ENSURE(nn__shape_bytes(&shape, NN_DTYPE_COUNT, 3, 1) == 0);
    shape.extent[1] = 0;
    ENSURE(nn__shape_bytes(&shape, NN_F64, 3, 1) == 0);
    shape = nn_make_shape(NULL, 0);
    ENSURE(nn__shape_bytes(&shape, NN_I32, 3, 1) == 4);
    shape = nn_make_shape(NULL, 9);
    ENSURE(nn__shape_bytes(&shape, NN_I32, 3, 1) == 0);
    shape = nn_make_shape(most, 3); /* a little less than half of SIZE_MAX, and more */
    ENSURE(nn__shape_bytes(&shape, NN_U8, 1, 1) == (size_t)most[0] * (size_t)most[1]);
    ENSURE(nn__shape_bytes(&shape, NN_I32, 1, 1) == 0);
    shape = nn_make_shape(huge, 2);
    ENSURE(nn__shape_bytes(&shape, NN_F64, 1, 1) == 0);
}

/* Pairs every kind of extent with every other, small factors and the largest: an extent has the
   value of its factor and kind at any batch and time, and impossible ones are refused. */
static void test_free_extents(void) {
    const int64_t most[4] = {INT32_MAX, (1 << 30) - 1, (1 << 29) - 1, (1 << 29) - 1};
    const int64_t factors[] = {
        1, 2, 3, 64, 46341, (1 << 29) - 1, (1 << 29), (1 << 30) - 1, (1 << 30), INT32_MAX};
    ENSURE(nn_multiply_extents(NN_BATCH, NN_TIME) == NN_BATCH_TIME &&
           nn_multiply_extents(3, NN_BATCH) == 3 * NN_BATCH);
    ENSURE(nn_multiply_extents(NN_TIME, NN_TIME) == 0 &&
           nn_multiply_extents(NN_BATCH, NN_BATCH_TIME) == 0);
    ENSURE(nn_multiply_extents(0, 3) == 0 && nn_multiply_extents(NN_TIME, INT32_MIN) == 0);
    for (int i = 0; i < 4 * (int)(sizeof factors / sizeof *factors); i++) {
        const unsigned kind = (unsigned)i % 4;
        const int64_t factor = factors[i / 4],
                      value = factor * (kind & 1 ? 5 : 1) * (kind & 2 ? 7 : 1);
        int32_t a = 0, y;
        ENSURE(nn__extent_make(factor, kind, &a) == (factor <= most[kind]));
        if (factor > most[kind]) continue;
        ENSURE(nn__extent_kind(a) == kind && nn__extent_factor(a) == factor &&
               nn__is_symbolic(a) == (kind != 0));
        ENSURE(nn__resolve_extent(a, 5, 7) == (value <= INT32_MAX ? value : 0));
        ENSURE(nn__resolve_extent(a, INT32_MAX, INT32_MAX) ==
               (kind ? (factor == 1 && kind < 3 ? INT32_MAX : 0) : factor));
        for (int j = 0; j < 4 * (int)(sizeof factors / sizeof *factors); j++) {
            const unsigned other = (unsigned)j % 4;
            int32_t b;
            if (!nn__extent_make(factors[j / 4], other, &b)) continue;
            const int64_t product = factor * factors[j / 4], sum = factor + factors[j / 4];
            const bool multiplies = !(kind & other) && product <= most[kind | other];
            ENSURE(nn__extent_multiply(a, b, &y) == multiplies);
            ENSURE(!multiplies ||
                   (nn__extent_kind(y) == (kind | other) && nn__extent_factor(y) == product));
            ENSURE(nn_multiply_extents(a, b) == (multiplies ? y : 0));
            const bool adds = kind == other && sum <= most[kind];
            ENSURE(nn__extent_add(a, b, &y) == adds);
            ENSURE(!adds || (nn__extent_kind(y) == kind && nn__extent_factor(y) == sum));
        }
    }
}

static void test_text_of_free_extents(void) {
    char text[NN__SHAPE_TEXT];
    int32_t longest[NN_MAX_RANK];
    const nn_shape shape = NN_SHAPE(NN_BATCH, nn_multiply_extents(3, NN_TIME), 4);
    nn_shape resolved;
    ENSURE_TEXT(nn__format_shape(shape, text, sizeof text), "(batch, 3*time, 4)");
    ENSURE_TEXT(nn__format_shape(NN_SHAPE(NN_BATCH_TIME, 2 * NN_BATCH, NN_TIME), text, sizeof text),
                "(batch*time, 2*batch, time)");
    ENSURE_TEXT(
        nn__format_shape(NN_SHAPE(nn_multiply_extents(6, NN_BATCH_TIME)), text, sizeof text),
        "(6*batch*time)");
    nn__resolve_shape(&resolved, &shape, 2, 5);
    ENSURE_TEXT(nn__format_shape(resolved, text, sizeof text), "(2, 15, 4)");
    for (int i = 0; i < NN_MAX_RANK; i++)
        longest[i] = nn_multiply_extents((1 << 29) - 1, NN_BATCH_TIME);
    nn__format_shape(nn_make_shape(longest, NN_MAX_RANK), text, sizeof text);
    ENSURE(text[strlen(text) - 1] == ')');
    ENSURE(nn__free_extents(NN_SHAPE(NN_BATCH_TIME, NN_TIME, 4), NN__OF_TIME) == 2);
    ENSURE(nn__free_extents(NN_SHAPE(NN_BATCH_TIME, NN_TIME, 4), NN__OF_BATCH) == 1);
    ENSURE(nn__free_extents(NN_SHAPE(NN_BATCH_TIME, NN_TIME, 4), NN__OF_BATCH | NN__OF_TIME) == 2);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void test_first_error_is_kept(void) {
    char buffer[512], site[96];
    nn_text log;
    nn_context *nn = open_logged(&log, buffer, sizeof buffer);
    ENSURE(nn);
    ENSURE(nn_error(nn) == NULL && nn_error_code(nn) == NN_OK);
    ENSURE(nn__fail(nn, NN_ERROR_SHAPE, "nn_one: %d", 1) == NN_ERROR_SHAPE);
    ENSURE(nn__fail_at(nn, here(31), NN_ERROR_DTYPE, "%s: \"a:b\"", "nn_two") == NN_ERROR_DTYPE);
    ENSURE_TEXT(nn_error(nn), "nn_one: 1");
    ENSURE(nn_error_code(nn) == NN_ERROR_SHAPE);
    ENSURE_TEXT(buffer, "nn_one: 1\nnn_two at train.c:31: \"a:b\"\n");
    nn_clear_error(nn);
    ENSURE(nn_error(nn) == NULL && nn_error_code(nn) == NN_OK);
    nn_report_error(nn, NN_ERROR_BACKEND, "clFinish gave -5");
    nn__fail(nn, NN_ERROR_BACKEND, "nn_finish: opencl:0 failed");
    ENSURE_TEXT(nn_error(nn), "nn_finish: opencl:0 failed; the device says: clFinish gave -5");
    nn_clear_error(nn);
    nn_report_error(nn, NN_ERROR_BACKEND, "old words");
    nn__fail(nn, NN_ERROR_SHAPE, "nn_x: unrelated");
    ENSURE_TEXT(nn_error(nn), "nn_x: unrelated");
    ENSURE_TEXT(nn__format_site(nn_make_site("C:\\work\\a.c", 7), site, sizeof site), "a.c:7");
    ENSURE_TEXT(nn__format_site(nn_make_site(NULL, 0), site, sizeof site), "(unknown)");
    nn_close(nn);
}

static void test_long_error_is_whole_in_the_log(void) {
    static char buffer[3 * NN_ERROR_BYTES], piece[NN_ERROR_BYTES + 100];
    nn_text log;
    nn_context *nn = open_logged(&log, buffer, sizeof buffer);
    ENSURE(nn);
    memset(piece, 'x', sizeof piece - 1);
    nn__fail(nn, NN_ERROR_FAULTS, "nn_plan: %s", piece);
    ENSURE(strlen(nn_error(nn)) == NN_ERROR_BYTES - 1);
    ENSURE(log.length == 9 + sizeof piece - 1 + 1);
    nn_close(nn);
}

static void test_null_everywhere(void) {
    nn_device device = nn_opencl(3);
    nn_ledger_limits limits;
    nn_range all = {0, -1};
    nn_writer nowhere;
    char text[32];
    memset(&limits, 0, sizeof limits);
    memset(&nowhere, 0, sizeof nowhere);
    ENSURE_TEXT(nn_error(NULL), "no context: nn_open returned NULL");
    ENSURE((int)nn_error_code(NULL) < 0);
    nn_clear_error(NULL);
    nn_close(NULL);
    nn_report_error(NULL, NN_ERROR_BACKEND, "x");
    nn_reset_ledger(NULL);
    nn_ledger_limit(NULL, &limits);
    nn_write_ledger(NULL, nowhere);
    ENSURE(nn_device_count(NULL) == 0 && nn_device_at(NULL, 0).kind == NN_DEVICE_DEFAULT);
    ENSURE(!nn_is_open(NULL, nn_cpu()) && nn_same_device(nn_best_device(NULL), nn_cpu()));
    ENSURE((int)nn_finish(NULL) < 0 && (int)nn_parse_device(NULL, "cpu", &device) < 0 &&
           device.index == 3);
    ENSURE(nn_context_memory(NULL).live_bytes == 0 && nn_ledger_count(NULL) == 0 &&
           nn_ledger_at(NULL, 0).count == 0);
    ENSURE(nn_ledger_bytes(NULL, NN_CROSS_UPLOAD) == 0 &&
           nn_device_backend(NULL, nn_cpu(), NULL) == NULL);
    ENSURE((int)nn_add_backend(NULL, NULL, NULL, NULL) < 0);
    ENSURE((int)nn_run_kernel(NULL, nn_cpu(), NN_KERNEL_GEMM, NULL, all) < 0);
    ENSURE(nn_thread_count(NULL) == 0 && nn_now(NULL) == 0);
    ENSURE_TEXT(nn_format_device(nn_opencl(1), text, sizeof text), "opencl:1");
    ENSURE_TEXT(nn_format_device(nn_opencl(1), NULL, 0), "");
    nn_context *nn = open_plain();
    ENSURE((int)nn_parse_device(nn, NULL, &device) < 0 &&
           (int)nn_parse_device(nn, "cpu", NULL) < 0);
    ENSURE((int)nn_add_backend(nn, NULL, NULL, NULL) < 0);
    nn_write_ledger(nn, nowhere);
    nn_close(nn);
}

/* ---- opening --------------------------------------------------------------------------------- */

static void expect_refusal(nn_desc desc, const char *expected) {
    char buffer[512] = "";
    nn_text text = {buffer, sizeof buffer, 0};
    desc.log.function = nn_write_text;
    desc.log.user = &text;
    ENSURE(nn_open(&desc) == NULL);
    ENSURE_TEXT(buffer, expected);
}

static void test_open_refuses(void) {
    enum { BYTES = 512 };
    static uint64_t room[BYTES / 8 + 2];
    void *const block = (void *)(((uintptr_t)room + 15) / 16 * 16); /* as nn_desc.block needs it */
    nn_desc desc, zero;
    counted memory;
    memset(&zero, 0, sizeof zero);
    desc = zero, desc.threads = -2;
    expect_refusal(desc, "nn_open: threads is -2; wanted 0 (one per core) or more\n");
    desc = zero, desc.allocator.allocate = counted_allocate;
    expect_refusal(desc, "nn_open: allocator.release is NULL; give both functions or none\n");
    desc = zero, desc.jobs.workers = -1;
    expect_refusal(desc, "nn_open: jobs.workers is -1; wanted 0 (4) or more\n");
    desc = zero, desc.device = nn_opencl(99);
    expect_refusal(
        desc,
        "nn_open: device is {2, 99}, which is no device; wanted nn_cpu(), nn_opencl(0) ...\n");
    desc = zero, desc.block = block, desc.block_bytes = BYTES, desc.threads = 2;
    expect_refusal(desc, "nn_open: threads is 2, but with block there are no threads of our own; "
                         "leave it 0 or give jobs\n");
    desc = counted_desc(&memory), desc.block = block, desc.block_bytes = BYTES;
    expect_refusal(desc,
                   "nn_open: block and allocator are both given; memory comes from one of them\n");
    desc = zero, desc.block = block; /* no block_bytes: any text, but refused */
    ENSURE(nn_open(&desc) == NULL);
    desc = zero, desc.block = (char *)block + 1, desc.block_bytes = 100;
    ENSURE(nn_open(&desc) == NULL);
    desc = zero, desc.block = block, desc.block_bytes = 256; /* too small */
    ENSURE(nn_open(&desc) == NULL);
    desc = counted_desc(&memory), memory.fail_at = 1;
    ENSURE(nn_open(&desc) == NULL && memory.live == 0);
}

static void test_default_device_may_open_later(void) {
    nn_desc desc;
    nn_tensor_desc tensor;
    nn_context *nn;
    nn_device device;
    sim_device *sim;
    memset(&desc, 0, sizeof desc);
    memset(&tensor, 0, sizeof tensor);
    desc.threads = 1;
    desc.device = nn_make_device(NN_USER_0, 0);
    nn = nn_open(&desc);
    ENSURE(nn);
    ENSURE(nn_make_tensor_at(here(12), nn, &tensor) == NULL);
    ENSURE_TEXT(nn_error(nn), "nn_make_tensor at train.c:12: user0:0 is not open; open devices: "
                              "cpu; add your backend with "
                              "nn_add_backend(nn, ...)");
    nn_clear_error(nn);
    sim = sim_open(nn, NULL, &device);
    ENSURE(sim);
    ENSURE(nn_same_device(nn_tensor_device(nn_make_tensor_at(here(13), nn, &tensor)), device));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_not_open(void) {
    nn_tensor_desc tensor;
    nn_context *nn = open_plain();
    memset(&tensor, 0, sizeof tensor);
    tensor.device = nn_opencl(0);
    ENSURE(nn_make_tensor_at(here(12), nn, &tensor) == NULL);
    ENSURE_TEXT(nn_error(nn), "nn_make_tensor at train.c:12: opencl:0 is not open; open devices: "
                              "cpu; include nn_opencl.h "
                              "and call nn_opencl_open(nn, ...)");
    ENSURE(nn_error_code(nn) == NN_ERROR_DEVICE);
    nn_clear_error(nn);
    tensor.device = nn_make_device(NN_CUDA, 1);
    ENSURE(nn_make_tensor_at(here(12), nn, &tensor) == NULL);
    ENSURE_TEXT(nn_error(nn), "nn_make_tensor at train.c:12: cuda:1 is not open; open devices: "
                              "cpu; no backend for it comes "
                              "with nn.h; add one with nn_add_backend(nn, ...)");
    nn_close(nn);
}

static void test_parse_device(void) {
    nn_context *nn = open_plain();
    nn_device device, found = nn_cpu();
    sim_desc desc;
    sim_device *sim;
    memset(&desc, 0, sizeof desc);
    desc.name = "Simulated H200";
    desc.gpu = true;
    ENSURE(nn_same_device(nn_best_device(nn), nn_cpu()));
    sim = sim_open(nn, &desc, &device);
    ENSURE(sim && nn_device_count(nn) == 2);
    ENSURE(nn_same_device(nn_best_device(nn), device) &&
           nn_same_device(nn_device_at(nn, 1), device));
    ENSURE(nn_parse_device(nn, "cpu", &found) == NN_OK && nn_same_device(found, nn_cpu()));
    ENSURE(nn_parse_device(nn, "opencl:1", &found) == NN_OK && nn_same_device(found, nn_opencl(1)));
    { /* it is not open, so making objects there fails with a message */
        nn_tensor_desc there;
        memset(&there, 0, sizeof there);
        there.shape = NN_SHAPE(1);
        there.device = found;
        ENSURE(!nn_is_open(nn, found) && !nn_make_tensor(nn, &there) &&
               strstr(nn_error(nn), "opencl:1 is not open"));
        nn_clear_error(nn);
    }
    ENSURE(nn_parse_device(nn, "user0:h200", &found) == NN_OK && nn_same_device(found, device));
    found = nn_opencl(7);
    ENSURE(nn_parse_device(nn, "user0:A100", &found) == NN_ERROR_DEVICE && found.index == 7);
    ENSURE_TEXT(nn_error(nn), "nn_parse_device: \"user0:A100\": no open user0 device has \"A100\" "
                              "in its name; open devices: "
                              "cpu, user0:0");
    nn_clear_error(nn);
    ENSURE(nn_parse_device(nn, "gpu", &found) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(nn_error(nn), "nn_parse_device: \"gpu\" names no kind of device; kinds: cpu, "
                              "opencl, vulkan, metal, cuda, "
                              "user0, user1, user2");
    nn_clear_error(nn);
    ENSURE(nn_parse_device(nn, "opencl:99999999999999999999", &found) == NN_ERROR_ARGUMENT);
    ENSURE((int)nn_parse_device(nn, "opencl:", &found) < 0 &&
           (int)nn_parse_device(nn, "", &found) < 0);
    ENSURE((int)nn_parse_device(nn, ":1", &found) < 0 &&
           (int)nn_parse_device(nn, "opencl:-1", &found) < 0);
    ENSURE(found.index == 7);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* ---- backends -------------------------------------------------------------------------------- */

typedef struct closing {
    char *order;
    char  letter;
} closing;

static void closing_close(void *state) {
    size_t length = strlen(((closing *)state)->order);
    ((closing *)state)->order[length] = ((closing *)state)->letter;
}

static void closing_limits(void *state, nn_device_limits *limits) {
    (void)state;
    memset(limits, 0, sizeof *limits);
}

static nn_result closing_finish(void *state) { return state ? NN_OK : NN_ERROR_BACKEND; }

/* The other functions are borrowed and never called. */
static nn_backend closing_backend(const nn_backend *from) {
    nn_backend backend = *from;
    backend.name = "closing";
    backend.kind = NN_USER_1;
    backend.limits = closing_limits;
    backend.close = closing_close;
    backend.finish = closing_finish;
    return backend;
}

static void test_backends_close_in_reverse(void) {
    char order[8] = "";
    closing a = {order, 'a'}, b = {order, 'b'};
    nn_device first, second;
    nn_context *nn = open_plain();
    nn_backend backend = closing_backend(nn_device_backend(nn, nn_cpu(), NULL));
    void *state = NULL;
    ENSURE(nn_add_backend(nn, &backend, &a, &first) == NN_OK &&
           nn_add_backend(nn, &backend, &b, &second) == NN_OK);
    ENSURE(first.kind == NN_USER_1 && first.index == 0 && second.index == 1);
    ENSURE(nn_device_backend(nn, second, &state) == &backend && state == &b);
    nn_close(nn);
    ENSURE_TEXT(order, "ba");
}

static void older_close(void *state) { (void)state; } /* the CPU closes its own state */

/* A backend that was compiled with fewer kernels has those that fit into its struct. */
static void test_backend_of_an_older_header(void) {
    float x[4] = {1, 2, 3, 4};
    nn_context *nn = open_plain();
    nn_backend backend;
    nn_random_args random;
    void *state = NULL;
    nn_range all = {0, -1};
    nn_device device;
    nn_use_all_kernels(nn);
    backend = *nn_device_backend(nn, nn_cpu(), &state);
    backend.name = "older";
    backend.kind = NN_USER_2;
    backend.close = older_close;
    memset(&random, 0, sizeof random);
    random.y.handle = x;
    random.y.dtype = NN_F32;
    random.y.shape = nn_make_shape((const int32_t[]){4}, 1);
    random.high = 1;
    backend.size =
        (uint32_t)(offsetof(nn_backend, kernels) + sizeof(nn_kernel_function) * NN_KERNEL_RANDOM);
    ENSURE(nn_add_backend(nn, &backend, state, &device) == NN_OK);
    ENSURE(nn_run_kernel(nn, device, NN_KERNEL_RANDOM, &random, all) == NN_ERROR_UNSUPPORTED);
    ENSURE(strstr(nn_error(nn), "user2:0 has no kernel random") != NULL && x[0] == 1.0f &&
           x[3] == 4.0f);
    nn_clear_error(nn);
    backend.size += (uint32_t)sizeof(nn_kernel_function);
    ENSURE(nn_run_kernel(nn, device, NN_KERNEL_RANDOM, &random, all) == NN_OK && x[3] < 1.0f);
    nn_close(nn);
}

static void test_backend_refused(void) {
    char order[8] = "", many[64] = "";
    closing a = {order, 'a'};
    nn_context *nn = open_plain();
    nn_backend good = closing_backend(nn_device_backend(nn, nn_cpu(), NULL)), backend = good;
    nn_device device = nn_opencl(5);
    backend.version = 1;
    ENSURE(nn_add_backend(nn, &backend, &a, &device) == NN_ERROR_DEVICE);
    ENSURE_TEXT(
        nn_error(nn),
        "nn_add_backend: backend \"closing\" was written for version 1 of the contract, this nn.h "
        "(" NN_VERSION ") has version 2; take a backend and an nn.h that fit each other");
    ENSURE_TEXT(order, "a");
    nn_clear_error(nn);
    backend = good, backend.size = 16;
    ENSURE(nn_add_backend(nn, &backend, &a, &device) == NN_ERROR_DEVICE);
    ENSURE(strstr(nn_error(nn), "backend \"closing\" says that its struct has 16 bytes") != NULL);
    nn_clear_error(nn);
    backend = good, backend.units = NULL;
    ENSURE(nn_add_backend(nn, &backend, &a, &device) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(
        nn_error(nn),
        "nn_add_backend: backend \"closing\" lacks the function units, which is not optional");
    backend = good, backend.kind = NN_DEVICE_DEFAULT;
    ENSURE(nn_add_backend(nn, &backend, &a, &device) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(order, "aaaa");
    ENSURE(device.index == 5 && nn_device_count(nn) == 1);
    memset(order, 0, sizeof order);
    for (int i = 1; i < NN_MAX_DEVICES; i++) ENSURE(nn_add_backend(nn, &good, &a, NULL) == NN_OK);
    nn_clear_error(nn);
    ENSURE(nn_add_backend(nn, &good, &a, NULL) == NN_ERROR_DEVICE);
    ENSURE_TEXT(nn_error(nn),
                "nn_add_backend: backend \"closing\" would be device 17; a context has at most 16");
    a.order = many;
    nn_close(nn);
}

static void test_device_memory(void) {
    sim_desc desc;
    nn_context *nn = open_plain();
    nn_device device;
    sim_device *sim;
    memset(&desc, 0, sizeof desc);
    desc.memory = 4096;
    desc.allocation = 2048;
    sim = sim_open(nn, &desc, &device);
    ENSURE(sim && make(nn, "a", device, 512) && make(nn, "b", device, 256));
    ENSURE(nn__find_device(nn, device)->live_bytes == 3072);
    ENSURE(make(nn, "c", device, 513) == NULL);
    ENSURE_TEXT(
        nn_error(nn),
        "nn_make_tensor: 2052 bytes wanted on user0:0, its largest single allocation is 2048");
    nn_clear_error(nn);
    ENSURE(make(nn, "d", device, 512) == NULL);
    ENSURE(nn_error_code(nn) == NN_ERROR_MEMORY);
    ENSURE(strstr(nn_error(nn), "nn_make_tensor: out of memory on user0:0: 2048 bytes wanted, at "
                                "most 1024 of 4096 available"));
    ENSURE(nn__find_device(nn, device)->live_bytes == 3072 &&
           nn__find_device(nn, device)->peak_bytes == 3072);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_scratch(void) {
    nn_desc desc;
    nn_context *nn;
    nn_view scratch;
    void *first;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    desc.scratch_bytes = 4096;
    nn = nn_open(&desc);
    ENSURE(nn__immediate_scratch(nn, nn_cpu(), 0, "nn_x", &scratch) == NN_OK &&
           !nn__present(&scratch));
    ENSURE(nn__immediate_scratch(nn, nn_cpu(), 1000, "nn_x", &scratch) == NN_OK &&
           nn__bytes(&scratch) == 1024);
    first = scratch.handle;
    ENSURE(nn__immediate_scratch(nn, nn_cpu(), 500, "nn_x", &scratch) == NN_OK &&
           scratch.handle == first);
    ENSURE(nn__immediate_scratch(nn, nn_cpu(), 4096, "nn_x", &scratch) == NN_OK &&
           nn__bytes(&scratch) == 4096);
    ENSURE(nn__immediate_scratch(nn, nn_cpu(), 4097, "nn_x", &scratch) == NN_ERROR_MEMORY);
    ENSURE_TEXT(nn_error(nn),
                "nn_x: wants 4097 bytes of scratch, but nn_desc.scratch_bytes allows 4096; raise "
                "it");
    ENSURE(nn__immediate_scratch(nn, nn_opencl(0), 8, "nn_x", &scratch) == NN_ERROR_DEVICE);
    nn_clear_error(nn);
    /* Both buffers together stay within the limit. */
    ENSURE(nn__hold_scratch(nn, nn_cpu(), 1000, "nn_x", &scratch) == NN_OK &&
           nn__bytes(&scratch) == 1024);
    ENSURE(nn->held_bytes[0] + nn->scratch_bytes[0] <= 4096);
    ENSURE(nn__immediate_scratch(nn, nn_cpu(), 3073, "nn_x", &scratch) == NN_ERROR_MEMORY);
    ENSURE(nn__immediate_scratch(nn, nn_cpu(), 3072, "nn_x", &scratch) == NN_OK);
    ENSURE(nn->held_bytes[0] + nn->scratch_bytes[0] == 4096);
    nn_close(nn);
}

/* ---- kernels by number ----------------------------------------------------------------------- */

static void test_run_kernel(void) {
    nn_context *nn = open_plain();
    nn_random_args args;
    nn_range all = {0, -1}, wrong = {0, 99};
    float y[8] = {0};
    memset(&args, 0, sizeof args);
    args.y.handle = y;
    args.y.dtype = NN_F32;
    args.y.shape = NN_SHAPE(8);
    args.low = 2, args.high = 3;
    ENSURE_TEXT(nn_kernel_name(NN_KERNEL_CONV2D_FORWARD), "conv2d_forward");
    ENSURE_TEXT(nn_kernel_name(NN_KERNEL_COUNT), "(no kernel)");
    ENSURE(nn_run_kernel(nn, nn_cpu(), (nn_kernel)-1, &args, all) == NN_ERROR_ARGUMENT);
    ENSURE(nn_run_kernel(nn, nn_opencl(0), NN_KERNEL_RANDOM, &args, all) == NN_ERROR_DEVICE);
    ENSURE(nn_run_kernel(nn, nn_cpu(), NN_KERNEL_RANDOM, NULL, all) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_run_kernel(nn, nn_cpu(), NN_KERNEL_RANDOM, &args, all) == NN_ERROR_UNSUPPORTED);
    ENSURE_TEXT(nn_error(nn),
                "nn_run_kernel: cpu has no kernel random; call nn_use_all_kernels(nn) first, or "
                "nn_use_more_kernels and its like");
    nn_clear_error(nn);
    nn_use_all_kernels(nn);
    ENSURE(nn_run_kernel(nn, nn_cpu(), NN_KERNEL_RANDOM, &args, wrong) == NN_ERROR_ARGUMENT);
    ENSURE_TEXT(
        nn_error(nn),
        "nn_run_kernel: random has the units 0 to 0, got first 0 and count 99; {0, -1} runs all");
    ENSURE(y[0] == 0);
    ENSURE(nn_run_kernel(nn, nn_cpu(), NN_KERNEL_RANDOM, &args, all) == NN_OK);
    for (int i = 0; i < 8; i++) ENSURE(y[i] >= 2 && y[i] < 3);
    ENSURE(nn_run_kernel(nn, nn_cpu(), NN_KERNEL_NONE, NULL, all) == NN_OK);
    nn_close(nn);
}

/* A backend reports at least one unit for each kernel, also for kernels that nobody installed. */
static void test_units_of_missing_kernels(void) {
    nn_context *nn = nn_open(NULL);
    void *state = NULL;
    const nn_backend *cpu = nn_device_backend(nn, nn_cpu(), &state);
    nn__args args;
    memset(&args, 0, sizeof args);
    for (int kernel = 1; kernel < NN_KERNEL_COUNT; kernel++)
        ENSURE(cpu->units(state, (nn_kernel)kernel, &args) == 1);
    nn_close(nn);
}

static void test_kernel_refused_and_failing(void) {
    sim_desc desc;
    nn_context *nn = open_plain();
    nn_device device;
    nn_random_args args;
    nn_range all = {0, -1};
    sim_device *sim;
    nn_tensor *y;
    memset(&desc, 0, sizeof desc);
    desc.refuse[NN_KERNEL_GEMM] = "too wide";
    sim = sim_open(nn, &desc, &device);
    y = make(nn, "y", device, 8);
    ENSURE(sim && y);
    memset(&args, 0, sizeof args);
    args.y = nn_tensor_view(y);
    nn_gemm_args gemm;
    memset(&gemm, 0, sizeof gemm);
    ENSURE(nn_run_kernel(nn, device, NN_KERNEL_GEMM, &gemm, all) == NN_ERROR_UNSUPPORTED);
    ENSURE(strstr(nn_error(nn), "nn_run_kernel: user0:0 cannot run gemm: ") &&
           strstr(nn_error(nn), "too wide"));
    nn_clear_error(nn);
    sim_fail_at(sim, 1);
    ENSURE((int)nn_run_kernel(nn, device, NN_KERNEL_RANDOM, &args, all) < 0);
    ENSURE(strstr(nn_error(nn), "nn_run_kernel: random on user0:0 failed: ") &&
           strstr(nn_error(nn), "; the device says: "));
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

/* ---- the ledger ------------------------------------------------------------------------------ */

/* Counts how often an upload of one piece is awaited while the next piece is downloaded. */
static sim_device *pieces_come_from;
static nn_result (*pieces_wait)(void *state, nn_fence fence);
static int pieces_overlapped;
static nn_result wait_for_piece(void *state, nn_fence fence) {
    pieces_overlapped += pieces_come_from->queue_count > 0;
    return pieces_wait(state, fence);
}

/* Between two devices with queues, long tensors are copied in pieces: each half of the staging
   memory is filled again only after it was read, and is read while the other half is filled.
   Whichever call fails, nothing is used after it was freed. */
static void test_copy_in_pieces(void) {
    static float numbers[700001], back[700001]; /* not a multiple of a piece; staging is 1 MiB */
    static const int32_t counts[] = {700001, 200003, 40000};
    sim_desc queued;
    memset(&queued, 0, sizeof queued);
    queued.asynchronous = true;
    for (int i = 0; i < 700001; i++) numbers[i] = (float)(i % 65521);
    for (int which = 0; which < 3; which++) {
        for (int fails = 0; fails < 24; fails++) {
            nn_context *nn = open_plain();
            nn_device one, two;
            sim_device *from = sim_open(nn, &queued, &one), *to = sim_open(nn, &queued, &two);
            nn_tensor *x = make(nn, "x", one, counts[which]), *y = make(nn, "y", two, counts[which]);
            const size_t bytes = (size_t)counts[which] * sizeof(float);
            uint64_t before;
            nn_result result;
            ENSURE(x && y && nn_upload_tensor(x, numbers, bytes) == NN_OK);
            before = from->counters[SIM_DOWNLOAD];
            if (fails) sim_fail_at(fails & 1 ? from : to, (fails + 1) / 2);
            pieces_come_from = from;
            pieces_overlapped = 0;
            pieces_wait = to->backend.fence_wait;
            to->backend.fence_wait = wait_for_piece;
            result = nn_copy(y, x);
            to->backend.fence_wait = pieces_wait;
            if (!fails) /* of 6, 5 and 3 pieces all but the last two, whose halves are not used
                           again */
                ENSURE(pieces_overlapped == (which == 0 ? 4 : which == 1 ? 3 : 1));
            sim_fail_at(from, 0);
            sim_fail_at(to, 0);
            if (!fails)
                ENSURE(from->counters[SIM_DOWNLOAD] - before == (which == 0   ? 6
                                                                : which == 1 ? 5
                                                                             : 3));
            if (result == NN_OK) {
                ENSURE(nn_download_tensor(y, back, bytes) == NN_OK &&
                       memcmp(back, numbers, bytes) == 0);
            } else {
                ENSURE(fails && nn_error(nn));
            }
            nn_close(nn);
            ENSURE(sim_free(from) == 0 && sim_free(to) == 0);
        }
    }
}

/* Tests sizes that are not a multiple of a piece, down to one piece, which has no halves. */
static void test_copy_of_few_bytes(void) {
    static const uint8_t bytes[] = {7, 11, 13, 17, 19};
    nn_context *nn = open_plain();
    nn_device one, two;
    sim_device *from = sim_open(nn, NULL, &one), *to = sim_open(nn, NULL, &two);
    for (int count = 1; count <= 5; count++) {
        nn_tensor_desc desc;
        nn_tensor *x, *y;
        uint8_t back[5];
        uint64_t before;
        memset(&desc, 0, sizeof desc);
        desc.shape = NN_SHAPE(count);
        desc.dtype = NN_U8;
        desc.device = one;
        x = nn_make_tensor(nn, &desc);
        desc.device = two;
        y = nn_make_tensor(nn, &desc);
        ENSURE(x && y && nn_upload_tensor(x, bytes, (size_t)count) == NN_OK);
        before = from->counters[SIM_DOWNLOAD];
        ENSURE(nn_copy(y, x) == NN_OK && from->counters[SIM_DOWNLOAD] == before + 1);
        ENSURE(nn_download_tensor(y, back, (size_t)count) == NN_OK &&
               memcmp(back, bytes, (size_t)count) == 0);
        nn_free_tensor(x), nn_free_tensor(y);
    }
    nn_close(nn);
    ENSURE(sim_free(from) == 0 && sim_free(to) == 0);
}

static void test_ledger_rows(void) {
    nn_context *nn = open_plain();
    nn_device one, two;
    sim_device *sim = sim_open(nn, NULL, &one), *other = sim_open(nn, NULL, &two);
    nn_tensor *x = make(nn, "x", one, 4), *z = make(nn, "z", two, 4),
              *host = make(nn, "host", nn_cpu(), 4);
    nn_tensor *y = make(nn, "y", one, 4);
    float numbers[4] = {1, 2, 3, 4}, back[4] = {0};
    nn_ledger_entry row;
    ENSURE(sim && other && x && z && host && y && nn_ledger_count(nn) == 0);
    for (int i = 0; i < 3; i++)
        ENSURE(nn_upload_tensor_at(here(31), x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_upload_tensor_at(here(32), x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_copy_at(here(33), z, x) == NN_OK);    /* between two devices: staged */
    ENSURE(nn_copy_at(here(34), host, z) == NN_OK); /* to the host: a download */
    ENSURE(nn_copy_at(here(35), z, host) == NN_OK); /* from the host: an upload */
    ENSURE(nn_copy_at(here(36), y, x) == NN_OK);    /* on one device: no crossing */
    ENSURE(nn_download_tensor_at(here(37), y, back, sizeof back) == NN_OK);
    ENSURE(memcmp(back, numbers, sizeof back) == 0 &&
           memcmp(nn_tensor_data(host), numbers, sizeof back) == 0);
    ENSURE(nn_ledger_count(nn) == 6);
    row = nn_ledger_at(nn, 0);
    ENSURE(row.count == 3 && row.logical_bytes == 48 && row.physical_bytes == 48 &&
           row.crossing == NN_CROSS_UPLOAD);
    ENSURE(nn_same_device(row.from, nn_cpu()) && nn_same_device(row.to, one) &&
           row.site.line == 31 && row.way == NN_WAY_COPIED);
    ENSURE_TEXT(row.tensor, "x");
    row = nn_ledger_at(nn, 2);
    ENSURE(row.crossing == NN_CROSS_DEVICE && row.way == NN_WAY_STAGED && row.logical_bytes == 16 &&
           row.physical_bytes == 32);
    ENSURE(nn_ledger_at(nn, 3).crossing == NN_CROSS_DOWNLOAD &&
           nn_ledger_at(nn, 4).crossing == NN_CROSS_UPLOAD);
    ENSURE(nn_ledger_bytes(nn, NN_CROSS_UPLOAD) == 80 &&
           nn_ledger_bytes(nn, NN_CROSS_DOWNLOAD) == 32);
    ENSURE(nn_ledger_bytes(nn, NN_CROSS_DEVICE) == 16 && nn_ledger_at(nn, 6).count == 0 &&
           nn_ledger_at(nn, -1).count == 0);
    nn_reset_ledger(nn);
    ENSURE(nn_ledger_count(nn) == 0 && nn_ledger_bytes(nn, NN_CROSS_UPLOAD) == 0);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0 && sim_free(other) == 0);
}

static void test_ledger_table(void) {
    char text[1024] = "";
    nn_text into = {text, sizeof text, 0};
    nn_writer writer = {nn_write_text, &into};
    nn_context *nn = open_plain();
    nn_tensor *x = make(nn, "conv1.weight", nn_cpu(), 1000);
    static float numbers[1000];
    for (int i = 0; i < 2; i++)
        ENSURE(nn_upload_tensor_at(here(31), x, numbers, sizeof numbers) == NN_OK);
    nn_write_ledger(nn, writer);
    ENSURE_TEXT(text, "crossing  tensor                    from       to            count       "
                      "bytes       moved  way     line\n"
                      "upload    conv1.weight              cpu        cpu               2      8.0 "
                      "kB      8.0 kB  copied  train.c:31\n"
                      "total: uploads 8.0 kB, downloads 0 B, between devices 0 B\n");
    nn_close(nn);
}

static void test_ledger_does_not_allocate_again(void) {
    nn_context *nn = open_plain();
    nn_tensor *x = make(nn, "x", nn_cpu(), 4);
    float numbers[4] = {0};
    uint64_t calls;
    ENSURE(nn_upload_tensor_at(here(1), x, numbers, sizeof numbers) == NN_OK);
    calls = nn_context_memory(nn).calls;
    for (int i = 0; i < 1000; i++)
        ENSURE(nn_upload_tensor_at(here(1), x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_context_memory(nn).calls == calls && nn_ledger_count(nn) == 1);
    nn_close(nn);
}

static void test_ledger_folds(void) {
    counted memory;
    nn_desc desc = counted_desc(&memory);
    nn_context *nn = nn_open(&desc);
    nn_tensor *x = make(nn, "x", nn_cpu(), 4);
    float numbers[4] = {0};
    ENSURE(nn && x);
    memory.fail_at = 1; /* from now on there is no memory */
    for (int i = 0; i < 3; i++)
        ENSURE(nn_upload_tensor_at(here(i), x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_ledger_count(nn) == 1 && nn_ledger_at(nn, 0).count == 3 &&
           nn_ledger_at(nn, 0).logical_bytes == 48);
    ENSURE_TEXT(nn_ledger_at(nn, 0).tensor, "(others)");
    ENSURE(nn_ledger_at(nn, 0).site.file == NULL && nn_error(nn) == NULL);
    memory.fail_at = 0;
    nn_reset_ledger(nn);
    for (int i = 0; i < 1030; i++)
        ENSURE(nn_upload_tensor_at(here(i), x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_ledger_count(nn) == 1025 && nn_ledger_at(nn, 1024).count == 6);
    nn_close(nn);
    ENSURE(memory.live == 0);
}

static void test_ledger_limits(void) {
    nn_context *nn = open_plain();
    nn_device device;
    sim_device *sim = sim_open(nn, NULL, &device);
    nn_tensor *x = make(nn, "x", device, 4);
    float numbers[4] = {1, 2, 3, 4};
    nn_ledger_limits limits;
    uint64_t calls;
    ENSURE(sim && x && nn_upload_tensor_at(here(30), x, numbers, sizeof numbers) == NN_OK);
    memset(&limits, 0, sizeof limits);
    limits.upload_bytes = 20;
    limits.download_bytes = NN_LEDGER_NOTHING;
    nn_ledger_limit(nn, &limits);
    ENSURE(nn_upload_tensor_at(here(31), x, numbers, sizeof numbers) ==
           NN_OK); /* counted from the limit's call */
    calls = sim_calls(sim);
    ENSURE(nn_upload_tensor_at(here(32), x, numbers, sizeof numbers) == NN_ERROR_LIMIT);
    ENSURE_TEXT(nn_error(nn), "nn_ledger_limit at train.c:32: \"x\", 16 bytes: refused before the "
                              "copy; upload_bytes allows 20, "
                              "16 are used; raise the limit, or leave the tensor where it is");
    nn_clear_error(nn);
    ENSURE(nn_download_tensor_at(here(33), x, numbers, sizeof numbers) == NN_ERROR_LIMIT);
    ENSURE_TEXT(nn_error(nn), "nn_ledger_limit at train.c:33: \"x\", 16 bytes: refused before the "
                              "copy; download_bytes allows 0, "
                              "0 are used; raise the limit, or leave the tensor where it is");
    ENSURE(sim_calls(sim) == calls && nn_ledger_count(nn) == 2);
    nn_clear_error(nn);
    memset(&limits, 0, sizeof limits);
    limits.crossings = 1;
    nn_ledger_limit(nn, &limits);
    ENSURE(nn_download_tensor_at(here(34), x, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_upload_tensor_at(here(35), x, numbers, sizeof numbers) == NN_ERROR_LIMIT);
    ENSURE_TEXT(nn_error(nn), "nn_ledger_limit at train.c:35: \"x\", upload of 16 bytes: refused "
                              "before the copy; crossings allows "
                              "1, 1 are used; raise the limit, or leave the tensor where it is");
    nn_ledger_limit(nn, NULL);
    for (int i = 0; i < 9; i++)
        ENSURE(nn_upload_tensor_at(here(36), x, numbers, sizeof numbers) == NN_OK);
    nn_close(nn);
    ENSURE(sim_free(sim) == 0);
}

static void test_failing_device_is_an_error(void) {
    for (int n = 1; n <= 6; n++) {
        nn_context *nn = open_plain();
        nn_device device;
        sim_device *sim = sim_open(nn, NULL, &device);
        nn_tensor *x;
        float numbers[4] = {1, 2, 3, 4};
        bool well;
        sim_fail_at(sim, n);
        x = make(nn, "x", device, 4); /* alloc, fill */
        well = x && nn_upload_tensor_at(here(40), x, numbers, 16) == NN_OK &&
               nn_download_tensor_at(here(41), x, numbers, 16) == NN_OK && nn_finish(nn) == NN_OK;
        ENSURE(well == (nn_error(nn) == NULL));
        if (n <= 4) ENSURE(!well);
        nn_close(nn);
        ENSURE(sim_free(sim) == 0);
    }
}

static void test_nth_allocation_fails(void) {
    bool done = false;
    for (int64_t n = 1; n < 200 && !done; n++) {
        counted memory;
        nn_desc desc = counted_desc(&memory);
        nn_context *nn;
        nn_tensor *x, *y;
        float numbers[64] = {0};
        memory.fail_at = n;
        nn = nn_open(&desc);
        x = make(nn, "x", nn_cpu(), 64);
        y = nn_copy_to_at(here(2), x, nn_cpu());
        done = x && y && nn_upload_tensor_at(here(3), x, numbers, sizeof numbers) == NN_OK &&
               memory.calls < n;
        ENSURE(!nn || x || nn_error_code(nn) == NN_ERROR_MEMORY);
        ENSURE(!x || y || nn_error_code(nn) == NN_ERROR_MEMORY);
        nn_close(nn);
        ENSURE(memory.live == 0);
    }
    ENSURE(done);
}

static void test_everything_in_a_block(void) {
    static uint64_t storage[8192];
    char buffer[256] = "";
    nn_text text = {buffer, sizeof buffer, 0};
    nn_desc desc;
    nn_context *nn;
    memset(&desc, 0, sizeof desc);
    desc.block = (void *)(((uintptr_t)storage + 63) / 64 * 64);
    desc.block_bytes = sizeof storage - 64;
    desc.log.function = nn_write_text;
    desc.log.user = &text;
    nn = nn_open(&desc);
    ENSURE(nn && nn_thread_count(nn) == 1);
    ENSURE(make(nn, "x", nn_cpu(), 64) && make(nn, "y", nn_cpu(), 1 << 20) == NULL);
    ENSURE(strstr(nn_error(nn), "nn_make_tensor: out of memory: 4194304 bytes wanted, "));
    ENSURE(strstr(nn_error(nn), " available in one piece; nn_desc.block has "));
    nn_close(nn);
    desc.block_bytes = 1024;
    ENSURE(nn_open(&desc) == NULL);
}

static uint64_t seven_more(void *user) { return *(uint64_t *)user += 7; }
static void test_now(void) { /* the program's clock where it has one, else the system's */
    uint64_t ticks = 35;
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.clock.now = seven_more;
    desc.clock.user = &ticks;
    nn_context *nn = nn_open(&desc);
    const uint64_t before = ticks;
    ENSURE(nn_now(nn) == before + 7 && nn_now(nn) == before + 14);
    nn_close(nn);
    nn = nn_open(NULL);
    const uint64_t start = nn_now(nn);
    while (nn_now(nn) < start + 1000000) {} /* a clock that stands still would never end */
    ENSURE(nn_now(nn) - start < (uint64_t)100000000000u);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_dtypes);
    RUN(test_now);
    RUN(test_shapes);
    RUN(test_free_extents);
    RUN(test_text_of_free_extents);
    RUN(test_first_error_is_kept);
    RUN(test_long_error_is_whole_in_the_log);
    RUN(test_null_everywhere);
    RUN(test_open_refuses);
    RUN(test_default_device_may_open_later);
    RUN(test_not_open);
    RUN(test_parse_device);
    RUN(test_backends_close_in_reverse);
    RUN(test_backend_of_an_older_header);
    RUN(test_backend_refused);
    RUN(test_device_memory);
    RUN(test_scratch);
    RUN(test_run_kernel);
    RUN(test_units_of_missing_kernels);
    RUN(test_kernel_refused_and_failing);
    RUN(test_copy_in_pieces);
    RUN(test_copy_of_few_bytes);
    RUN(test_ledger_rows);
    RUN(test_ledger_table);
    RUN(test_ledger_does_not_allocate_again);
    RUN(test_ledger_folds);
    RUN(test_ledger_limits);
    RUN(test_failing_device_is_an_error);
    RUN(test_nth_allocation_fails);
    RUN(test_everything_in_a_block);
    return test_report();
}
