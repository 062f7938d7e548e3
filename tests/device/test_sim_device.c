/* test_sim_device.c: checks each promise at the top of sim_device.h once. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "sim_device.h"

typedef struct fixture { /* a context with one simulated device, and its slots */
    nn_context       *nn;
    sim_device       *sim;
    nn_device         device;
    const nn_backend *backend;
    void             *state;
} fixture;

static fixture open_fixture(const sim_desc *desc) {
    fixture f;
    memset(&f, 0, sizeof f);
    f.nn = nn_open(NULL);
    f.sim = sim_open(f.nn, desc, &f.device);
    f.backend = nn_device_backend(f.nn, f.device, &f.state);
    return f;
}

static int close_fixture(fixture *f) { /* violations */
    nn_close(f->nn);
    return sim_free(f->sim);
}

static sim_desc empty_desc(void) {
    sim_desc desc;
    memset(&desc, 0, sizeof desc);
    return desc;
}

/* y = the running sums of x's four numbers, on handles that hold them at offset 16. */
static nn_scan_args scan_args(void *y, void *x) {
    nn_scan_args args;
    nn_view view;
    memset(&args, 0, sizeof args);
    memset(&view, 0, sizeof view);
    view.dtype = NN_F32;
    view.shape.rank = 1;
    view.shape.extent[0] = 4;
    view.offset = 16;
    args.y = args.x = view;
    args.y.handle = y;
    args.x.handle = x;
    return args;
}

static const nn_range whole = {0, -1};
static const float ones[4] = {1, 2, 3, 4};

static void test_memory(void) {
    fixture f = open_fixture(NULL);
    void *a, *b;
    float got[4];
    unsigned char byte = 0;
    nn_device_limits limits;
    ENSURE(f.sim && f.backend && f.device.kind == NN_USER_0 && f.device.index == 0);
    f.backend->limits(f.state, &limits);
    ENSURE(!limits.host_memory && limits.memory == 0);
    ENSURE(f.backend->alloc(f.state, 64, &a) == NN_OK &&
           f.backend->alloc(f.state, 64, &b) == NN_OK);
    ENSURE((uintptr_t)a < 4096 && a != b); /* nothing that the host could read */
    ENSURE(f.backend->download(f.state, a, 63, &byte, 1, NULL) == NN_OK &&
           byte == 0xFF); /* poisoned */
    ENSURE(f.backend->upload(f.state, a, 16, ones, sizeof ones, NULL) == NN_OK);
    ENSURE(f.backend->copy(f.state, b, 0, a, 16, sizeof ones) == NN_OK);
    ENSURE(f.backend->fill(f.state, b, 0, 4, 0) == NN_OK);
    ENSURE(f.backend->download(f.state, b, 0, got, sizeof got, NULL) == NN_OK);
    ENSURE(got[0] == 0 && got[1] == 2 && got[3] == 4);
    ENSURE(f.sim->live_bytes == 128 && f.sim->live_allocations == 2);
    f.backend->release(f.state, a, 64);
    f.backend->release(f.state, b, 64);
    ENSURE(f.sim->live_bytes == 0 && f.sim->peak_bytes == 128);
    ENSURE(f.sim->counters[SIM_UPLOAD] == 1 && f.sim->counters[SIM_DOWNLOAD] == 2 &&
           f.sim->counters[SIM_ALLOC] == 2);
    ENSURE(sim_calls(f.sim) == 2 + 2 + 1 + 2 + 1 + 1);
    ENSURE(close_fixture(&f) == 0);
}

static void test_limits(void) {
    sim_desc desc = empty_desc();
    fixture f;
    void *a, *b;
    desc.memory = 1000;
    desc.allocation = 600;
    f = open_fixture(&desc);
    ENSURE(f.backend->alloc(f.state, 601, &a) == NN_ERROR_MEMORY &&
           !a); /* larger than one may be */
    ENSURE(f.backend->alloc(f.state, 600, &a) == NN_OK);
    ENSURE(f.backend->alloc(f.state, 401, &b) == NN_ERROR_MEMORY && !b); /* full */
    ENSURE(f.backend->alloc(f.state, 400, &b) == NN_OK);
    f.backend->release(f.state, a, 600);
    f.backend->release(f.state, b, 400);
    ENSURE(close_fixture(&f) == 0);
}

static void test_violations(void) { /* the VIOLATION lines printed here are expected */
    fixture f = open_fixture(NULL);
    void *a, *leak;
    char bytes[64];
    nn_scan_args args;
    memset(bytes, 0, sizeof bytes);
    ENSURE(f.backend->alloc(f.state, 32, &a) == NN_OK);
    ENSURE(f.backend->upload(f.state, a, 1, bytes, 32, NULL) < 0 &&
           f.sim->violations == 1); /* one byte too far */
    ENSURE(f.backend->upload(f.state, a, UINT64_MAX, bytes, 1, NULL) < 0 && f.sim->violations == 2);
    ENSURE(f.backend->download(f.state, (void *)(uintptr_t)99, 0, bytes, 1, NULL) < 0 &&
           f.sim->violations == 3);
    args = scan_args(a, bytes); /* a host pointer bound as a tensor of the device */
    ENSURE(nn_run_kernel(f.nn, f.device, NN_KERNEL_SCAN, &args, whole) < 0 &&
           f.sim->violations == 4);
    ENSURE(strstr(f.sim->violation, "out of range") != NULL); /* the first is kept */
    args = scan_args(a, a);
    args.x.offset = 20; /* the last number is outside */
    ENSURE(nn_run_kernel(f.nn, f.device, NN_KERNEL_SCAN, &args, whole) < 0 &&
           f.sim->violations == 5);
    f.backend->release(f.state, a, 16); /* a wrong size */
    ENSURE(f.sim->violations == 6);
    ENSURE(f.backend->download(f.state, a, 0, bytes, 1, NULL) < 0 &&
           f.sim->violations == 7); /* after release */
    f.backend->release(f.state, a, 32);
    ENSURE(f.sim->violations == 8);
    ENSURE(f.backend->alloc(f.state, 8, &leak) == NN_OK &&
           leak != a); /* handles are not reused */
    ENSURE(close_fixture(&f) == 9);
}

static void test_kernels(void) {
    sim_desc desc = empty_desc();
    fixture f;
    void *a, *b, *y;
    float got[4];
    char reason[64] = "";
    nn_scan_args args;
    int way;
    for (way = 0; way < 2; way++) {
        desc.asynchronous = way == 1;
        desc.refuse[NN_KERNEL_GEMM] = "no products here";
        desc.missing[NN_KERNEL_CONV2D_FORWARD] = true;
        f = open_fixture(&desc);
        ENSURE(f.backend->alloc(f.state, 32, &a) == NN_OK &&
               f.backend->alloc(f.state, 32, &b) == NN_OK);
        ENSURE(f.backend->alloc(f.state, 32, &y) == NN_OK);
        ENSURE(f.backend->upload(f.state, a, 16, ones, sizeof ones, NULL) == NN_OK);
        ENSURE(f.backend->upload(f.state, b, 16, ones, sizeof ones, NULL) == NN_OK);
        args = scan_args(y, a);
        ENSURE(f.backend->supports(f.state, NN_KERNEL_SCAN, &args, reason,
                                   sizeof reason));
        ENSURE(!f.backend->supports(f.state, NN_KERNEL_GEMM, &args, reason, sizeof reason));
        ENSURE_TEXT(reason, "no products here");
        ENSURE(f.backend->kernels[NN_KERNEL_CONV2D_FORWARD] == NULL &&
               f.backend->kernels[NN_KERNEL_CONV2D_BACKWARD_INPUT] != NULL);
        ENSURE(f.sim->counters[SIM_KERNEL] == 0); /* asking is not running */
        ENSURE(nn_run_kernel(f.nn, f.device, NN_KERNEL_SCAN, &args, whole) == NN_OK);
        args.y.handle = NULL; /* the backend keeps no pointer into arguments */
        ENSURE(f.sim->queue_count == (way ? 3 : 0));
        ENSURE(f.backend->download(f.state, y, 16, got, sizeof got, NULL) == NN_OK);
        ENSURE(got[0] == 1 && got[3] == 10 && f.sim->queue_count == 0);
        ENSURE(f.sim->kernel_counters[NN_KERNEL_SCAN] == 1 &&
               f.sim->counters[SIM_KERNEL] == 1);
        f.backend->release(f.state, a, 32);
        f.backend->release(f.state, b, 32);
        f.backend->release(f.state, y, 32);
        ENSURE(close_fixture(&f) == 0);
    }
}

static void test_items(void) { /* update's arguments hold views behind a pointer */
    sim_desc desc = empty_desc();
    fixture f;
    void *p;
    nn_update_args args;
    nn_update_item item;
    float got[4];
    desc.asynchronous = true;
    f = open_fixture(&desc);
    memset(&args, 0, sizeof args);
    memset(&item, 0, sizeof item);
    ENSURE(f.backend->alloc(f.state, 32, &p) == NN_OK);
    ENSURE(f.backend->upload(f.state, p, 0, ones, sizeof ones, NULL) == NN_OK);
    ENSURE(f.backend->upload(f.state, p, 16, ones, sizeof ones, NULL) == NN_OK);
    item.parameter = scan_args(p, p).y;
    item.gradient = item.parameter;
    item.gradient.offset = 0;
    args.items = &item;
    args.count = 1;
    args.optimizer = NN_SGD;
    args.learning_rate = 0.5f;
    args.step = 1;
    ENSURE(nn_run_kernel(f.nn, f.device, NN_KERNEL_UPDATE, &args, whole) == NN_OK);
    memset(&item, 0xEE, sizeof item); /* must have been copied */
    ENSURE(f.backend->download(f.state, p, 16, got, sizeof got, NULL) == NN_OK);
    ENSURE(got[0] == 0.5f && got[3] == 2.0f);
    f.backend->release(f.state, p, 32);
    ENSURE(close_fixture(&f) == 0);
}

static void test_fences(void) {
    sim_desc desc = empty_desc();
    fixture f;
    void *a;
    float source[4] = {1, 2, 3, 4}, got[4] = {0, 0, 0, 0};
    nn_fence first, second;
    desc.asynchronous = true;
    f = open_fixture(&desc);
    ENSURE(f.backend->alloc(f.state, 16, &a) == NN_OK);
    ENSURE(f.backend->upload(f.state, a, 0, source, sizeof source, &first) == NN_OK);
    source[0] = 77; /* too early: the device reads late, so the change is seen */
    ENSURE(first.value != 0 && nn_same_device(first.device, f.device));
    ENSURE(f.backend->fence_wait(f.state, first) == NN_OK);
    ENSURE(f.backend->fence_done(f.state, first));
    ENSURE(f.backend->download(f.state, a, 0, got, sizeof got, NULL) == NN_OK && got[0] == 77);
    ENSURE(f.backend->upload(f.state, a, 0, source, sizeof source, NULL) ==
           NN_OK); /* no fence: has been read */
    source[0] = 5;
    ENSURE(f.backend->download(f.state, a, 0, got, sizeof got, &second) == NN_OK);
    got[0] = -1;
    ENSURE(!f.backend->fence_done(f.state, second)); /* asking in a loop comes to an end */
    ENSURE(!f.backend->fence_done(f.state, second));
    ENSURE(f.backend->fence_done(f.state, second) && got[0] == 77);
    f.backend->release(f.state, a, 16);
    ENSURE(close_fixture(&f) == 0);
}

static void test_failures(void) {
    sim_desc desc = empty_desc();
    fixture f;
    void *a, *b;
    nn_scan_args args;
    desc.fail_at = 2;
    f = open_fixture(&desc);
    ENSURE(f.backend->alloc(f.state, 16, &a) == NN_OK);
    ENSURE(f.backend->alloc(f.state, 16, &b) == NN_ERROR_MEMORY && !b); /* the second */
    ENSURE(f.backend->alloc(f.state, 16, &b) == NN_OK);
    sim_fail_at(f.sim, 1);
    f.sim->fail_count = 2;
    ENSURE(f.backend->upload(f.state, a, 0, ones, 16, NULL) == NN_ERROR_BACKEND);
    ENSURE(f.backend->finish(f.state) == NN_ERROR_BACKEND);
    ENSURE(f.backend->finish(f.state) == NN_OK);
    args = scan_args(a, b);
    args.y.offset = args.x.offset = 0;
    sim_fail_at(f.sim, 2); /* nn_run_kernel prepares first */
    ENSURE(nn_run_kernel(f.nn, f.device, NN_KERNEL_SCAN, &args, whole) ==
           NN_ERROR_BACKEND);
    ENSURE(nn_error(f.nn) && strstr(nn_error(f.nn), "simulated failure of scan"));
    sim_fail_at(f.sim, 0);
    ENSURE(nn_run_kernel(f.nn, f.device, NN_KERNEL_SCAN, &args, whole) == NN_OK);
    f.backend->release(f.state, a, 16);
    f.backend->release(f.state, b, 16);
    ENSURE(close_fixture(&f) == 0);
}

static void test_map(void) {
    sim_desc desc = empty_desc();
    fixture f;
    void *a;
    float *mapped, got = 0;
    desc.can_map = true;
    f = open_fixture(&desc);
    ENSURE(f.backend->alloc(f.state, 16, &a) == NN_OK);
    mapped = (float *)f.backend->map(f.state, a, 4, 4, true);
    ENSURE(mapped != NULL);
    *mapped = 3;
    ENSURE(f.backend->unmap(f.state, a, mapped) == NN_OK);
    ENSURE(f.backend->download(f.state, a, 4, &got, 4, NULL) == NN_OK && got == 3);
    f.backend->release(f.state, a, 16);
    ENSURE(close_fixture(&f) == 0);
}

static void test_two_devices(void) {
    nn_context *nn = nn_open(NULL);
    sim_desc desc = empty_desc();
    nn_device first, second;
    sim_device *one, *two;
    one = sim_open(nn, NULL, &first);
    desc.gpu = true;
    two = sim_open(nn, &desc, &second);
    ENSURE(one && two && first.index == 0 && second.index == 1 && nn_device_count(nn) == 3);
    ENSURE(nn_same_device(nn_best_device(nn), second));
    ENSURE(sim_calls(one) == 0 && sim_calls(two) == 0);
    nn_close(nn);
    ENSURE(sim_free(one) + sim_free(two) == 0);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_memory);
    RUN(test_limits);
    RUN(test_violations);
    RUN(test_kernels);
    RUN(test_items);
    RUN(test_fences);
    RUN(test_failures);
    RUN(test_map);
    RUN(test_two_devices);
    return test_report();
}
