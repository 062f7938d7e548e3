/* bench_kernels.c: one row for each kernel of kernels/list.h on each device, timed on the largest
   of its own test cases (src/kernels/<family>/cases.h). A new family is included automatically. The
   cases are small and odd: the rows tell what a call costs and whether a kernel became slower, not
   what a device can do at best.

   ./bench_kernels [threads [part of a kernel's name]]    default: all cores, all kernels */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_self_test.h"
#ifdef WITH_OPENCL
#define NN_OPENCL_DYNAMIC
#define NN_OPENCL_IMPLEMENTATION
#include "../nn_opencl.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS 7            /* the best counts */
#define RUN_SECONDS 0.005 /* calls of one run take about as long */

static nn__self_test test;

typedef struct row {
    double seconds, bytes;
    int units;
    char what[80];
} row;

static double now(nn_context *nn) {
    const nn_clock *clock = &nn_context_desc(nn)->clock;
    return (double)clock->now(clock->user) * 1e-9;
}

/* Returns the bytes of all operands of the case. */
static double bytes_of_case(void) {
    double bytes = 0;
    for (int i = 0; i < test.view_count; i++) bytes += (double)nn__bytes(test.views[i].view);
    return bytes;
}

/* Finds the case with the most bytes among those that the device supports; false: none. */
static bool choose_case(const nn_backend *backend, void *state, int *chosen) {
    double most = -1;
    test.counter = 0;
    for (int i = 0; nn__self_test_describe(&test, i); i++) {
        if (!backend->supports(state, test.kernel, &test.args, NULL, 0)) continue;
        if (bytes_of_case() <= most) continue;
        most = bytes_of_case();
        *chosen = i;
    }
    return most >= 0 && nn__self_test_describe(&test, *chosen);
}

static double time_calls(nn_context *nn, nn_device device, const nn_backend *backend, void *state,
                         int count) {
    nn_range all = {0, -1};
    double start = now(nn);
    for (int i = 0; i < count; i++)
        if (nn_run_kernel(nn, device, test.kernel, &test.args, all) != NN_OK) return -1;
    if (backend->finish(state) < 0) return -1;
    return now(nn) - start;
}

static bool time_case(nn_context *nn, nn_device device, const nn_backend *backend, void *state,
                      row *r) {
    const uint64_t scratch_bytes = backend->scratch_bytes(state, test.kernel, &test.args);
    nn_view *scratch = (nn_view *)(uintptr_t)nn__kernel_scratch(test.kernel, &test.args);
    void *block = NULL, *space = NULL;
    int calls = 1;
    bool ok = backend->alloc(state, NN__SELF_TEST_BYTES, &block) >= 0 &&
              backend->upload(state, block, 0, test.block, test.used, NULL) >= 0 &&
              (scratch_bytes == 0 || backend->alloc(state, scratch_bytes, &space) >= 0);
    r->bytes = bytes_of_case();
    strcpy(r->what, test.what);
    for (int i = 0; i < test.view_count; i++) {
        test.views[i].view->handle = block;
        test.views[i].view->offset = test.views[i].at;
    }
    if (scratch && space) {
        memset(scratch, 0, sizeof *scratch);
        scratch->handle = space;
        scratch->dtype = NN_U8;
        scratch->shape.rank = 1;
        scratch->shape.extent[0] = (int32_t)scratch_bytes;
    }
    ok = ok && time_calls(nn, device, backend, state, 1) >= 0; /* builds the kernel's programs */
    while (ok && calls < 1 << 20) {
        double seconds = time_calls(nn, device, backend, state, calls);
        ok = seconds >= 0;
        if (seconds >= RUN_SECONDS) break;
        calls *= 2;
    }
    for (int i = 0; i < RUNS && ok; i++) {
        double seconds = time_calls(nn, device, backend, state, calls) / calls;
        ok = seconds >= 0;
        if (i == 0 || seconds < r->seconds) r->seconds = seconds;
    }
    r->units = backend->units(state, test.kernel, &test.args);
    if (block) backend->release(state, block, NN__SELF_TEST_BYTES);
    if (space) backend->release(state, space, scratch_bytes);
    return ok;
}

static void bench_device(nn_context *nn, nn_device device, const char *part) {
    void *state = NULL;
    const nn_backend *backend = nn_device_backend(nn, device, &state);
    char text[32];
    printf("\n%s, %d threads\n%-24s %12s %8s %6s  %s\n",
           nn_format_device(device, text, sizeof text), nn_thread_count(nn), "kernel",
           "microseconds", "GB/s", "units", "case");
    for (int kernel = NN_KERNEL_NONE + 1; kernel < NN_KERNEL_COUNT; kernel++) {
        const char *name = nn_kernel_name((nn_kernel)kernel);
        int chosen = 0;
        row r;
        test.kernel = (nn_kernel)kernel;
        if ((part && !strstr(name, part)) || !nn__has_kernel(backend, test.kernel) ||
            !choose_case(backend, state, &chosen))
            continue;
        if (time_case(nn, device, backend, state, &r))
            printf("%-24s %12.2f %8.2f %6d  %s\n", name, r.seconds * 1e6,
                   r.bytes / r.seconds * 1e-9, r.units, r.what);
        else
            printf("%-24s failed: %s\n", name, nn_error(nn) ? nn_error(nn) : "no message");
        nn_clear_error(nn);
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    nn_desc desc;
    nn_context *nn;
    memset(&desc, 0, sizeof desc);
    desc.threads = argc > 1 ? atoi(argv[1]) : 0;
    nn = nn_open(&desc);
    test.block = (char *)malloc(NN__SELF_TEST_BYTES);
    if (!nn || !test.block) return 1;
    nn_use_all_kernels(nn);
    nn_use_more_kernels(nn);
    nn_use_sequence_kernels(nn);
    nn_use_quantize_kernels(nn);
#ifdef WITH_OPENCL
    nn_opencl_open(nn, NULL);
    nn_clear_error(nn);
#endif
    for (int i = 0; i < nn_device_count(nn); i++)
        bench_device(nn, nn_device_at(nn, i), argc > 2 ? argv[2] : NULL);
    free(test.block);
    nn_close(nn);
    return 0;
}
