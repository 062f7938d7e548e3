/* self_test/self_test.c - runs each kernel of a device and the CPU's plain C on the same data.
   Compares every result and checks that no other byte changed. Marks wrong kernels, so that plans
   refuse them from then on. The CPU is the reference; the tests of the library check the CPU. */
#include "more/kernels.h"
#include "quantize/kernels.h"
#include "sequence/kernels.h"
#include "self_test/private.h"
#include "self_test/self_test.h"

#ifndef NN_NO_REPORTS

#define NN__SELF_TEST_TOLERANCE                                                                    \
    1e-4 /* relative to the largest result: the order of sums may differ */

typedef struct nn__self_test_result {
    int cases, refused, wrong;
    double worst; /* largest error relative to the largest number */
    char text[128]; /* the first wrong case, or why it was refused */
} nn__self_test_result;

typedef struct nn__self_test_run {
    nn_context *nn, *reference;
    nn__open_device *on;
    nn_site site;
    nn__self_test test;
    char *wanted, *got, *again; /* blocks of the size of test.block */
    void *handle;               /* the device's block */
    nn__self_test_result results[NN_KERNEL_COUNT];
    nn__doubts *doubts; /* allocated before the first case, so that marking cannot fail */
} nn__self_test_run;

/* ---- memory: the context's, also for the reference ------------------------------------------- */

static void *nn__self_test_take(void *user, size_t bytes, size_t alignment) {
    (void)alignment; /* nn__allocate aligns better than anyone asks */
    return nn__allocate((nn__memory *)user, bytes);
}

static void nn__self_test_give(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)alignment;
    nn__release((nn__memory *)user, memory, bytes);
}

static void nn__self_test_install(nn_context *nn) {
    nn_use_all_kernels(nn);
    nn_use_more_kernels(nn);
    nn_use_sequence_kernels(nn);
    nn_use_quantize_kernels(nn);
}

static nn_context *nn__self_test_reference(nn_context *nn) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.allocator.allocate = nn__self_test_take;
    desc.allocator.release = nn__self_test_give;
    desc.allocator.user = &nn->memory;
    desc.instructions = NN_INSTRUCTIONS_PLAIN;
    desc.threads = 1;
    nn_context *reference = nn_open(&desc);
    nn__self_test_install(reference);
    return reference;
}

static void nn__self_test_close(nn__self_test_run *run) {
    nn_context *nn = run->nn;
    nn_close(run->reference);
    nn__device_release(nn, run->on->device, run->handle, NN__SELF_TEST_BYTES);
    nn__release(&nn->memory, run->test.block, 4 * NN__SELF_TEST_BYTES);
    nn__release(&nn->memory, run->doubts, sizeof *run->doubts);
    nn__release(&nn->memory, run, sizeof *run);
}

static nn_result nn__self_test_open(nn__self_test_run *run) {
    nn_context *nn = run->nn;
    run->reference = nn__self_test_reference(nn);
    if (!run->reference) return nn__fail_memory(nn, "nn_self_test", 4 * NN__SELF_TEST_BYTES);
    run->test.block = (char *)nn__allocate_for(nn, "nn_self_test", 4 * NN__SELF_TEST_BYTES);
    if (!run->test.block) return NN_ERROR_MEMORY;
    run->wanted = run->test.block + NN__SELF_TEST_BYTES;
    run->got = run->wanted + NN__SELF_TEST_BYTES;
    run->again = run->got + NN__SELF_TEST_BYTES;
    run->doubts = (nn__doubts *)nn__allocate_for(nn, "nn_self_test", sizeof *run->doubts);
    if (!run->doubts) return NN_ERROR_MEMORY;
    return nn__device_alloc(nn, run->on->device, NN__SELF_TEST_BYTES, "self-test", &run->handle);
}

/* ---- one case -------------------------------------------------------------------------------- */

static void nn__self_test_point(nn__self_test *test, void *handle) {
    for (int i = 0; i < test->view_count; i++) {
        test->views[i].view->handle = handle;
        test->views[i].view->offset = handle ? test->views[i].at : 0;
    }
}

/* Runs the kernel whole (cut = 0), or in two ranges that begin at 0 and at `cut`. The views point
   to the device's memory. */
static nn_result nn__self_test_call(nn_context *nn, const nn__open_device *on, nn__self_test *test,
                                    int32_t cut) {
    const nn_backend *backend = on->backend;
    nn_view *scratch = (nn_view *)(uintptr_t)nn__kernel_scratch(test->kernel, &test->args);
    uint64_t bytes = backend->scratch_bytes(on->state, test->kernel, &test->args);
    nn_range range;
    nn_result result = NN_OK;
    void *handle = NULL;
    if (scratch && bytes) {
        result = nn__device_alloc(nn, on->device, bytes, "self-test", &handle);
        if (result < 0) return result;
        memset(scratch, 0, sizeof *scratch);
        scratch->handle = handle;
        scratch->dtype = NN_U8;
        scratch->shape.rank = 1;
        scratch->shape.extent[0] = (int32_t)nn__min64((int64_t)bytes, INT32_MAX);
    }
    range.first = 0;
    range.count = cut ? cut : -1;
    result = backend->prepare(on->state, test->kernel, &test->args);
    if (result >= 0) result = nn__call_kernel(on, test->kernel, &test->args, range);
    if (result >= 0 && cut) {
        range.first = cut;
        range.count = backend->units(on->state, test->kernel, &test->args) - cut;
        result = nn__call_kernel(on, test->kernel, &test->args, range);
    }
    nn_result done = backend->finish(on->state);
    nn__device_release(nn, on->device, handle, bytes);
    if (scratch) memset(scratch, 0, sizeof *scratch);
    return result < 0 ? result : done;
}

/* Uploads the block, runs the kernel and downloads the block. `failed`: the kernel's result.
   Returns the result of the transfers. */
static nn_result nn__self_test_there(nn__self_test_run *run, char *to, int32_t cut,
                                     nn_result *failed) {
    nn_view all;
    memset(&all, 0, sizeof all);
    all.handle = run->handle;
    nn_result result = nn__upload(run->nn, run->on->device, &all, run->test.block, run->test.used,
                                  "self-test", run->site, NULL);
    if (result < 0) return result;
    nn__self_test_point(&run->test, run->handle);
    *failed = nn__self_test_call(run->nn, run->on, &run->test, cut);
    run->nn->report_code = NN_OK; /* discards the kernel's error text */
    return nn__download(run->nn, run->on->device, &all, to, run->test.used, "self-test", run->site);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool nn__self_test_finite(float value) { return value - value == 0.0f; }

/* Returns the index of the first number that is off by more than rounding; -1: none. Raises
   *worst. */
static int64_t nn__self_test_numbers_off(const float *wanted, const float *got, int64_t count,
                                         double *worst) {
    double largest = 1e-3;
    for (int64_t i = 0; i < count; i++) {
        double size = wanted[i] < 0 ? -(double)wanted[i] : (double)wanted[i];
        if (nn__self_test_finite(wanted[i]) && size > largest) largest = size;
    }
    for (int64_t i = 0; i < count; i++) {
        double error = (double)got[i] - (double)wanted[i];
        bool finite = nn__self_test_finite(wanted[i]) && nn__self_test_finite(got[i]);
        if (!finite && (got[i] == wanted[i] || (got[i] != got[i] && wanted[i] != wanted[i])))
            continue;
        if (!finite) return i;
        error = (error < 0 ? -error : error) / largest;
        if (error > *worst) *worst = error;
        if (error > NN__SELF_TEST_TOLERANCE) return i;
    }
    return -1;
}

static int nn__self_test_whole(const char *from, int64_t size) {
    int32_t value;
    if (size == 1) return (int)(unsigned char)*from;
    memcpy(&value, from, sizeof value);
    return (int)value;
}

static bool nn__self_test_same_view(nn__self_test_run *run, const nn__self_test_view *entry,
                                    nn__self_test_result *result) {
    const char *wanted = run->wanted + entry->at, *got = run->got + entry->at;
    const int64_t count = nn__count(entry->view), size = (int64_t)nn_dtype_size(entry->view->dtype);
    int64_t at = -1;
    if (entry->view->dtype == NN_F32) {
        const float *a = (const float *)(const void *)wanted, *b = (const float *)(const void *)got;
        at = nn__self_test_numbers_off(a, b, count, &result->worst);
        if (at >= 0)
            nn__format(result->text, sizeof result->text, "%s: number %lld is %g, wanted %g",
                       run->test.what, (long long)at, (double)b[at], (double)a[at]);
    } else {
        for (int64_t i = 0; i < count && at < 0; i++)
            if (memcmp(wanted + i * size, got + i * size, (size_t)size) != 0) at = i;
        if (at >= 0)
            nn__format(result->text, sizeof result->text, "%s: whole number %lld is %d, wanted %d",
                       run->test.what, (long long)at, nn__self_test_whole(got + at * size, size),
                       nn__self_test_whole(wanted + at * size, size));
    }
    return at < 0;
}

/* Checks every byte: results are near the wanted ones, and all else is unchanged. */
static bool nn__self_test_same(nn__self_test_run *run, nn__self_test_result *result) {
    uint64_t at = 0;
    for (int i = 0; i <= run->test.view_count; i++) {
        const nn__self_test_view *entry = i < run->test.view_count ? &run->test.views[i] : NULL;
        if (entry && !entry->output) continue;
        uint64_t end = entry ? entry->at : run->test.used;
        if (memcmp(run->got + at, run->test.block + at, (size_t)(end - at)) != 0) {
            nn__format(result->text, sizeof result->text, "%s: it wrote outside of its results",
                       run->test.what);
            return false;
        }
        if (!entry) break;
        if (!nn__self_test_same_view(run, entry, result)) return false;
        at = entry->at + nn__bytes(entry->view);
    }
    return true;
}

/* Runs one case and stores the outcome in `result`. Returns NN_OK if there was an outcome. */
static nn_result nn__self_test_case(nn__self_test_run *run, nn__self_test_result *result) {
    nn__self_test *test = &run->test;
    const nn__open_device *on = run->on, *home = &run->reference->devices[0];
    nn_result failed = NN_OK, crossed;
    char reason[96];
    reason[0] = 0;
    nn__self_test_point(test, NULL);
    if (!home->backend->supports(home->state, test->kernel, &test->args, reason, sizeof reason)) {
        if (result->cases == 0 && result->refused == 0)
            nn__format(result->text, sizeof result->text, "plain C has no kernel to compare with");
        return NN_OK;
    }
    if (!on->backend->supports(on->state, test->kernel, &test->args, reason, sizeof reason)) {
        if (result->refused++ == 0) nn__format(result->text, sizeof result->text, "%s", reason);
        return NN_OK;
    }
    memcpy(run->wanted, test->block, (size_t)test->used);
    nn__self_test_point(test, run->wanted);
    crossed = nn__self_test_call(run->reference, home, test, 0);
    if (crossed < 0)
        return nn__fail_at(run->nn, run->site, crossed,
                           "nn_self_test: cannot compute the reference: %s",
                           nn_result_text(crossed));
    if (result->cases++ == 0) result->text[0] = 0;
    crossed = nn__self_test_there(run, run->got, 0, &failed);
    if (crossed < 0) return crossed;
    if (failed < 0) {
        nn__format(result->text, sizeof result->text, "%s: %s", test->what, nn_result_text(failed));
        result->wrong++;
        return failed == NN_ERROR_MEMORY ? failed : NN_OK;
    }
    if (!nn__self_test_same(run, result)) {
        result->wrong++;
        return NN_OK;
    }
    int32_t units = on->backend->units(on->state, test->kernel, &test->args);
    if (units < 2) return NN_OK;
    crossed = nn__self_test_there(run, run->again, units / 2, &failed);
    if (crossed < 0) return crossed;
    if (failed >= 0 && memcmp(run->got, run->again, (size_t)test->used) == 0) return NN_OK;
    nn__format(result->text, sizeof result->text, "%s: slices and one call give different results",
               test->what);
    result->wrong++;
    return NN_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void nn__self_test_write(const nn__self_test_run *run, const nn_writer *writer) {
    char device[16];
    nn__print(writer, "self-test of %s (%s)\n",
              nn_format_device(run->on->device, device, sizeof device), run->on->limits.name);
    for (int k = NN_KERNEL_NONE + 1; k < NN_KERNEL_COUNT; k++) {
        const nn__self_test_result *result = &run->results[k];
        const char *name = nn_kernel_name((nn_kernel)k);
        if (name[0] == '(') continue; /* this number has no kernel any more */
        if (result->wrong)
            nn__print(writer, "  %-24s WRONG   %s\n", name, result->text);
        else if (result->cases)
            nn__print(writer,
                      "  %-24s right   %d cases, off by at most %.1g of the largest number\n", name,
                      result->cases, result->worst);
        else
            nn__print(writer, "  %-24s absent  %s\n", name,
                      !nn__has_kernel(run->on->backend, (nn_kernel)k)
                          ? "the device has no such kernel"
                      : result->text[0] ? result->text
                                        : "no case tests it");
    }
}

static void nn__self_test_forget(nn__owned *owned) {
    nn__doubts *doubts = (nn__doubts *)(void *)owned;
    doubts->on->doubts = NULL;
    nn__release(&doubts->nn->memory, doubts, sizeof *doubts);
}

/* Marks the wrong kernels, and removes the marks of an earlier self-test. */
static nn_result nn__self_test_mark(nn__self_test_run *run) {
    nn__open_device *on = run->on;
    char names[200], device[16];
    int wrong = 0;
    size_t length = 0;
    names[0] = 0;
    if (on->doubts) {
        nn__disown(&on->doubts->owned);
        nn__self_test_forget(&on->doubts->owned);
    }
    for (int k = 0; k < NN_KERNEL_COUNT; k++) {
        if (!run->results[k].wrong) continue;
        nn__format(run->doubts->text[k], sizeof run->doubts->text[k], "failed the self-test: %s",
                   run->results[k].text);
        if (length < sizeof names)
            length += nn__format(names + length, sizeof names - length, "%s%s", wrong ? ", " : "",
                                 nn_kernel_name((nn_kernel)k));
        wrong++;
    }
    if (!wrong) return NN_OK;
    run->doubts->nn = run->nn;
    run->doubts->on = on;
    on->doubts = run->doubts;
    nn__own(&run->nn->owned, &run->doubts->owned, nn__self_test_forget);
    run->doubts = NULL;
    return nn__fail_at(
        run->nn, run->site, NN_ERROR_UNSUPPORTED,
        "nn_self_test: %s computes wrong numbers in %s; plans refuse %s there from now on",
        nn_format_device(on->device, device, sizeof device), names, wrong == 1 ? "it" : "them");
}

static nn_result nn__inside_self_test(nn_site site, nn_context *nn, nn_device device,
                                      nn_writer writer) {
    nn__open_device *on = nn ? nn__find_device(nn, device) : NULL;
    nn__self_test_run *run;
    nn_result result;
    if (!nn) return NN_ERROR_ARGUMENT;
    if (!on) return nn__fail_not_open(nn, site, "nn_self_test", device);
    run = (nn__self_test_run *)nn__allocate_for(nn, "nn_self_test", sizeof *run);
    if (!run) return NN_ERROR_MEMORY;
    run->nn = nn;
    run->on = on;
    run->site = site;
    if (on->device.kind == NN_CPU) nn__self_test_install(nn);
    result = nn__self_test_open(run);
    for (int k = NN_KERNEL_NONE + 1; k < NN_KERNEL_COUNT && result >= 0; k++) {
        run->test.kernel = (nn_kernel)k;
        if (!nn__has_kernel(on->backend, run->test.kernel)) continue;
        for (int i = 0;
             result >= 0 && !run->results[k].wrong && nn__self_test_describe(&run->test, i); i++)
            result = nn__self_test_case(run, &run->results[k]);
    }
    if (result >= 0) {
        nn__self_test_write(run, &writer);
        result = nn__self_test_mark(run);
    }
    nn__self_test_close(run);
    return result;
}

NN_API nn_result nn_self_test_at(nn_site site, nn_context *nn, nn_device device, nn_writer writer) {
    return NN__ALONE(nn, "nn_self_test", site, nn__inside_self_test(site, nn, device, writer));
}

#undef NN__SELF_TEST_TOLERANCE

#else

NN_API nn_result nn_self_test_at(nn_site site, nn_context *nn, nn_device device, nn_writer writer) {
    (void)site, (void)device, (void)writer;
    return nn ? NN_ERROR_UNSUPPORTED : NN_ERROR_ARGUMENT;
}

#endif
