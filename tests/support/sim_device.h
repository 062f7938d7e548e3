/* sim_device.h: a simulated device for tests, written from the contract (device/backend.h) alone;
   its kind is NN_USER_0.

   Its handles are small numbers: code that dereferences one crashes. Every access is checked for
   range and for use after release; memory is poisoned with 0xFF (a NaN). The device can have little
   memory, refuse kernels, fail at the Nth call, and run asynchronously. Then kernels, copies and
   fenced transfers wait in a queue until finish, fence_wait, a blocking download or a release, so
   that a source that is freed too early is noticed. Its kernels are the CPU's, of a private
   context.

     sim_desc desc; memset(&desc, 0, sizeof desc); desc.memory = 1 << 20; desc.asynchronous = true;
     nn_device device;
     sim_device *sim = sim_open(nn, &desc, &device);
     ... use device; read or change sim->counters, sim->fail_at ...
     nn_close(nn);                    // closes the device; the struct stays for questions
     ENSURE(sim_free(sim) == 0);      // number of violations and leaks, which are also printed

   Include it after "nn.h". */
#ifndef NN_SIM_DEVICE_H
#define NN_SIM_DEVICE_H

#include "nn_more.h"
#include "nn_quantize.h"
#include "kernel_views.h"

#define SIM_SLOTS(X)                                                                               \
    X(LIMITS)                                                                                      \
    X(CLOSE) X(ALLOC) X(RELEASE) X(UPLOAD) X(DOWNLOAD) X(COPY) X(FILL) X(MAP) X(UNMAP) X(FINISH)   \
        X(FENCE_DONE) X(FENCE_WAIT) X(SUPPORTS) X(SCRATCH_BYTES) X(PREPARE) X(UNITS) X(HOST_ALLOC) \
            X(HOST_RELEASE) X(KERNEL) /* KERNEL: any of them */

typedef enum sim_slot {
#define X(name) SIM_##name,
    SIM_SLOTS(X)
#undef X
    SIM_SLOT_COUNT
} sim_slot;

typedef struct sim_desc {
    const char *name;       /* default: "simulated" */
    uint64_t    memory;     /* bytes; default: no limit */
    uint64_t    allocation; /* largest alloc; default: no limit */
    const char
        *refuse[NN_KERNEL_COUNT]; /* the reason if supports returns false; default: NULL,
                                     supported */
    bool        missing[NN_KERNEL_COUNT]; /* the slot is NULL */
    int64_t     fail_at;    /* the Nth call that can fail (1, 2, ...) fails; default: none */
    int64_t     fail_count; /* number of failures from there on; default: 1 */
    bool        asynchronous;
    bool        can_map;    /* default: map and unmap are NULL */
    bool        no_poison;  /* default: fresh memory is filled with 0xFF */
    bool        poison_on_release; /* default: false; true: 0xFF before it is freed */
    bool        gpu;        /* nn_best_device prefers it */
    bool no_host_memory; /* default: host_alloc gives memory; true: host_alloc and host_release are
                            NULL */
} sim_desc;

typedef struct sim_storage {
    char    *memory; /* NULL: released */
    char    *block;  /* the result of malloc */
    uint64_t bytes;
    int      maps;
} sim_storage;

typedef struct sim_work { /* one entry of the queue */
    sim_slot   slot;
    nn_kernel  kernel;
    void      *args; /* KERNEL: a deep copy with the caller's handles */
    nn_range   range;
    void      *to, *from; /* handles, or host pointers for transfers */
    void      *owned;     /* UPLOAD without a fence: the copy of the source */
    uint64_t   to_offset, from_offset, bytes, fence;
    uint8_t    value;
} sim_work;

typedef struct sim_device {
    sim_desc     desc;
    nn_context  *nn;  /* the context it was added to; NULL after its close */
    nn_context  *cpu; /* private: its kernels do the work */
    nn_device    device;
    nn_backend   backend;
    const nn_backend *cpu_backend;
    void        *cpu_state;
    sim_storage *storages; /* handle h is storages[h - 1]; handles are never reused */
    int64_t      storage_count, storage_capacity;
    sim_work    *queue;
    int64_t      queue_count, queue_capacity;
    uint64_t     fence, done; /* number of fences given, and reached */
    nn_result    late;        /* a queued kernel failed; the next call that waits returns this */
    /* for tests to read; counters may be zeroed */
    uint64_t     counters[SIM_SLOT_COUNT];
    uint64_t     kernel_counters[NN_KERNEL_COUNT];
    uint64_t     live_bytes, peak_bytes;
    int64_t      live_allocations;
    uint64_t     host_bytes; /* allocated by host_alloc and not yet released */
    int64_t      fallible; /* calls that could fail so far */
    int64_t      fail_at, fail_count; /* from the desc; a test may change them */
    int          violations;
    char         violation[256]; /* the first one */
} sim_device;

/* ---- helpers --------------------------------------------------------------------------------- */

static void sim_violation(sim_device *sim, const char *slot, const char *what, uint64_t a,
                          uint64_t b, uint64_t c) {
    char text[256];
    snprintf(text, sizeof text, "sim_device: %s: %s (%llu, %llu, %llu)", slot, what,
             (unsigned long long)a, (unsigned long long)b, (unsigned long long)c);
    if (sim->violations++ == 0) memcpy(sim->violation, text, sizeof text);
    printf("VIOLATION %s\n", text);
    if (sim->nn) nn_report_error(sim->nn, NN_ERROR_BACKEND, text);
}

/* Returns the real memory behind a handle, or NULL after a violation. */
static char *sim_real(sim_device *sim, const char *slot, const void *handle, uint64_t offset,
                      uint64_t bytes) {
    uint64_t id = (uint64_t)(uintptr_t)handle;
    sim_storage *storage;
    if (id == 0 || id > (uint64_t)sim->storage_count) {
        sim_violation(sim, slot, "not a handle of this device (handle, offset, bytes)", id, offset,
                      bytes);
        return NULL;
    }
    storage = &sim->storages[id - 1];
    if (!storage->memory) {
        sim_violation(sim, slot, "used after release (handle, offset, bytes)", id, offset, bytes);
        return NULL;
    }
    if (offset > storage->bytes || bytes > storage->bytes - offset) {
        sim_violation(sim, slot, "out of range (offset, bytes, size)", offset, bytes,
                      storage->bytes);
        return NULL;
    }
    return storage->memory + offset;
}

/* Counts a call that may fail; returns true if it is the one to fail. */
static bool sim_fails(sim_device *sim, sim_slot slot) {
    int64_t n = ++sim->fallible;
    (void)slot;
    return sim->fail_at > 0 && n >= sim->fail_at &&
           n < sim->fail_at + (sim->fail_count > 0 ? sim->fail_count : 1);
}

static nn_result sim_failure(sim_device *sim, nn_result result, const char *slot) {
    char text[96];
    snprintf(text, sizeof text, "simulated failure of %s", slot);
    nn_report_error(sim->nn, result, text);
    return result;
}

typedef struct sim_translation {
    sim_device *sim;
    const char *kernel;
    bool        ok, forget; /* forget: questions get NULL handles */
} sim_translation;

static void sim_translate_view(void *user, nn_view *view, view_role role, const char *name) {
    sim_translation *translation = (sim_translation *)user;
    char slot[96];
    (void)role;
    if (translation->forget) { view->handle = NULL; view->offset = 0; return; }
    snprintf(slot, sizeof slot, "%s(%s)", translation->kernel, name);
    if (view->offset % nn_dtype_size(view->dtype) != 0) {
        sim_violation(translation->sim, slot, "offset not aligned to the dtype", view->offset, 0,
                      0);
        translation->ok = false;
    }
    view->handle = sim_real(translation->sim, slot, view->handle, view->offset, view_bytes(view));
    if (!view->handle) { translation->ok = false; return; }
    view->handle = (char *)view->handle - view->offset;
}

/* Returns a copy of the arguments with real pointers, or with NULL handles (forget). NULL after a
   violation. free() it. */
static void *sim_translate(sim_device *sim, nn_kernel kernel, const void *args, bool forget) {
    sim_translation translation;
    void *copy = kernel_args_copy(kernel, args);
    translation.sim = sim;
    translation.kernel = nn_kernel_name(kernel);
    translation.ok = copy != NULL;
    translation.forget = forget;
    if (copy) kernel_visit_views(kernel, copy, sim_translate_view, &translation);
    if (!translation.ok) { free(copy); return NULL; }
    return copy;
}

/* ---- the queue ------------------------------------------------------------------------------- */

static nn_result sim_execute(sim_device *sim, sim_work *work) {
    char *to, *from;
    switch (work->slot) {
        case SIM_KERNEL: {
            nn_device cpu = nn_cpu();
            nn_result result;
            void *args = sim_translate(sim, work->kernel, work->args, false);
            if (!args) return NN_ERROR_BACKEND;
            result = nn_run_kernel(sim->cpu, cpu, work->kernel, args, work->range);
            free(args);
            if (result < 0) {
                nn_report_error(sim->nn, result, nn_error(sim->cpu));
                nn_clear_error(sim->cpu);
            }
            return result;
        }
        case SIM_UPLOAD:
            to = sim_real(sim, "upload", work->to, work->to_offset, work->bytes);
            if (!to) return NN_ERROR_BACKEND;
            memcpy(to, work->from, (size_t)work->bytes);
            return NN_OK;
        case SIM_DOWNLOAD:
            from = sim_real(sim, "download", work->from, work->from_offset, work->bytes);
            if (!from) return NN_ERROR_BACKEND;
            memcpy(work->to, from, (size_t)work->bytes);
            return NN_OK;
        case SIM_COPY:
            to = sim_real(sim, "copy to", work->to, work->to_offset, work->bytes);
            from = sim_real(sim, "copy from", work->from, work->from_offset, work->bytes);
            if (!to || !from) return NN_ERROR_BACKEND;
            memmove(to, from, (size_t)work->bytes);
            return NN_OK;
        case SIM_FILL:
            to = sim_real(sim, "fill", work->to, work->to_offset, work->bytes);
            if (!to) return NN_ERROR_BACKEND;
            memset(to, work->value, (size_t)work->bytes);
            return NN_OK;
        default: return NN_ERROR_BACKEND;
    }
}

static void sim_run_queue(sim_device *sim, uint64_t until) {
    int64_t n = 0;
    while (n < sim->queue_count && sim->queue[n].fence <= until) {
        sim_work work = sim->queue[n++];
        nn_result result = sim_execute(sim, &work);
        if (result < 0 && sim->late == NN_OK) sim->late = result;
        sim->done = work.fence;
        free(work.args);
        free(work.owned);
    }
    sim->queue_count -= n;
    if (sim->queue_count)
        memmove(sim->queue, sim->queue + n, sizeof *sim->queue * (size_t)sim->queue_count);
}

static nn_result sim_take_late(sim_device *sim) {
    nn_result result = sim->late;
    sim->late = NN_OK;
    return result;
}

/* Does the work now, or queues it if asynchronous. work->args is the caller's and is copied. */
static nn_result sim_submit(sim_device *sim, sim_work *work) {
    sim->fence++;
    work->fence = sim->fence;
    if (!sim->desc.asynchronous) {
        nn_result result = sim_execute(sim, work);
        sim->done = sim->fence;
        return result;
    }
    if (work->slot == SIM_KERNEL) { /* a bad handle is an error at once, as with a driver */
        void *check = sim_translate(sim, work->kernel, work->args, false);
        if (!check) return NN_ERROR_BACKEND;
        free(check);
        work->args = kernel_args_copy(work->kernel, work->args);
    }
    if (sim->queue_count == sim->queue_capacity) {
        sim->queue_capacity = sim->queue_capacity * 2 + 16;
        sim->queue =
            (sim_work *)realloc(sim->queue, sizeof *sim->queue * (size_t)sim->queue_capacity);
    }
    sim->queue[sim->queue_count++] = *work;
    return NN_OK;
}

static void sim_give_fence(sim_device *sim, nn_fence *fence) {
    if (!fence) return;
    fence->device = sim->device;
    fence->value = sim->fence;
}

/* ---- the slots ------------------------------------------------------------------------------- */

static void sim_limits(void *state, nn_device_limits *limits) {
    sim_device *sim = (sim_device *)state;
    sim->counters[SIM_LIMITS]++;
    memset(limits, 0, sizeof *limits);
    snprintf(limits->name, sizeof limits->name, "%s",
             sim->desc.name ? sim->desc.name : "simulated");
    limits->memory = sim->desc.memory;
    limits->allocation = sim->desc.allocation;
    limits->gpu = sim->desc.gpu;
}

static void sim_close(void *state) {
    sim_device *sim = (sim_device *)state;
    sim->counters[SIM_CLOSE]++;
    if (sim->counters[SIM_CLOSE] > 1) {
        sim_violation(sim, "close", "called twice", 0, 0, 0);
        return;
    }
    if (sim->queue_count) sim_run_queue(sim, UINT64_MAX);
    if (sim->live_allocations)
        sim_violation(sim, "close", "not released (allocations, bytes)",
                      (uint64_t)sim->live_allocations, sim->live_bytes, 0);
    if (sim->host_bytes)
        sim_violation(sim, "close", "host memory not released (bytes)", sim->host_bytes, 0, 0);
    sim->nn = NULL;
    nn_close(sim->cpu);
    sim->cpu = NULL;
}

static nn_result sim_alloc(void *state, uint64_t bytes, void **handle) {
    sim_device *sim = (sim_device *)state;
    sim_storage storage;
    sim->counters[SIM_ALLOC]++;
    *handle = NULL;
    if (sim_fails(sim, SIM_ALLOC)) return sim_failure(sim, NN_ERROR_MEMORY, "alloc");
    if (sim->desc.allocation && bytes > sim->desc.allocation)
        return sim_failure(sim, NN_ERROR_MEMORY, "alloc: larger than the largest allocation");
    if (sim->desc.memory && bytes > sim->desc.memory - sim->live_bytes)
        return sim_failure(sim, NN_ERROR_MEMORY, "alloc: the device's memory is full");
    if (sim->storage_count == sim->storage_capacity) {
        sim->storage_capacity = sim->storage_capacity * 2 + 64;
        sim->storages = (sim_storage *)realloc(sim->storages, sizeof *sim->storages *
                                                                  (size_t)sim->storage_capacity);
    }
    memset(&storage, 0, sizeof storage);
    storage.block = (char *)malloc((size_t)bytes + 64);
    if (!storage.block) return NN_ERROR_MEMORY;
    storage.memory = storage.block + (64 - (uintptr_t)storage.block % 64) % 64;
    storage.bytes = bytes;
    if (!sim->desc.no_poison) memset(storage.memory, 0xFF, (size_t)bytes);
    sim->storages[sim->storage_count++] = storage;
    sim->live_bytes += bytes;
    sim->live_allocations++;
    if (sim->live_bytes > sim->peak_bytes) sim->peak_bytes = sim->live_bytes;
    *handle = (void *)(uintptr_t)sim->storage_count;
    return NN_OK;
}

static void sim_release(void *state, void *handle, uint64_t bytes) {
    sim_device *sim = (sim_device *)state;
    sim_storage *storage;
    sim->counters[SIM_RELEASE]++;
    if (!sim_real(sim, "release", handle, 0, 0)) return;
    sim_run_queue(sim, UINT64_MAX);
    storage = &sim->storages[(uintptr_t)handle - 1];
    if (bytes != storage->bytes)
        sim_violation(sim, "release", "not the size of alloc (given, real)", bytes, storage->bytes,
                      0);
    if (storage->maps) sim_violation(sim, "release", "still mapped", (uint64_t)storage->maps, 0, 0);
    if (sim->desc.poison_on_release) memset(storage->memory, 0xFF, (size_t)storage->bytes);
    sim->live_bytes -= storage->bytes;
    sim->live_allocations--;
    free(storage->block);
    storage->memory = storage->block = NULL;
}

static nn_result sim_upload(void *state, void *handle, uint64_t offset, const void *from,
                            uint64_t bytes, nn_fence *fence) {
    sim_device *sim = (sim_device *)state;
    sim_work work;
    nn_result result;
    sim->counters[SIM_UPLOAD]++;
    if (sim_fails(sim, SIM_UPLOAD)) return sim_failure(sim, NN_ERROR_BACKEND, "upload");
    if (!sim_real(sim, "upload", handle, offset, bytes)) return NN_ERROR_BACKEND;
    memset(&work, 0, sizeof work);
    work.slot = SIM_UPLOAD;
    work.to = handle; work.to_offset = offset; work.bytes = bytes;
    work.from = (void *)(uintptr_t)from;
    if (sim->desc.asynchronous && !fence) { /* the caller may free the source after this call */
        work.owned = malloc((size_t)bytes + 1);
        if (!work.owned) return NN_ERROR_MEMORY;
        memcpy(work.owned, from, (size_t)bytes);
        work.from = work.owned;
    }
    result = sim_submit(sim, &work);
    sim_give_fence(sim, fence);
    return result;
}

static nn_result sim_download(void *state, void *handle, uint64_t offset, void *to, uint64_t bytes,
                              nn_fence *fence) {
    sim_device *sim = (sim_device *)state;
    sim_work work;
    nn_result result;
    sim->counters[SIM_DOWNLOAD]++;
    if (sim_fails(sim, SIM_DOWNLOAD)) return sim_failure(sim, NN_ERROR_BACKEND, "download");
    if (!sim_real(sim, "download", handle, offset, bytes)) return NN_ERROR_BACKEND;
    memset(&work, 0, sizeof work);
    work.slot = SIM_DOWNLOAD;
    work.from = handle; work.from_offset = offset; work.bytes = bytes;
    work.to = to;
    result = sim_submit(sim, &work);
    sim_give_fence(sim, fence);
    if (fence || result < 0) return result;
    sim_run_queue(sim, UINT64_MAX);
    return sim_take_late(sim);
}

static nn_result sim_copy(void *state, void *to, uint64_t to_offset, void *from,
                          uint64_t from_offset, uint64_t bytes) {
    sim_device *sim = (sim_device *)state;
    sim_work work;
    sim->counters[SIM_COPY]++;
    if (sim_fails(sim, SIM_COPY)) return sim_failure(sim, NN_ERROR_BACKEND, "copy");
    if (!sim_real(sim, "copy to", to, to_offset, bytes) ||
        !sim_real(sim, "copy from", from, from_offset, bytes))
        return NN_ERROR_BACKEND;
    memset(&work, 0, sizeof work);
    work.slot = SIM_COPY;
    work.to = to; work.to_offset = to_offset;
    work.from = from; work.from_offset = from_offset;
    work.bytes = bytes;
    return sim_submit(sim, &work);
}

static nn_result sim_fill(void *state, void *handle, uint64_t offset, uint64_t bytes,
                          uint8_t value) {
    sim_device *sim = (sim_device *)state;
    sim_work work;
    sim->counters[SIM_FILL]++;
    if (sim_fails(sim, SIM_FILL)) return sim_failure(sim, NN_ERROR_BACKEND, "fill");
    if (!sim_real(sim, "fill", handle, offset, bytes)) return NN_ERROR_BACKEND;
    memset(&work, 0, sizeof work);
    work.slot = SIM_FILL;
    work.to = handle; work.to_offset = offset; work.bytes = bytes; work.value = value;
    return sim_submit(sim, &work);
}

static void *sim_map(void *state, void *handle, uint64_t offset, uint64_t bytes, bool write) {
    sim_device *sim = (sim_device *)state;
    char *real;
    (void)write;
    sim->counters[SIM_MAP]++;
    if (sim_fails(sim, SIM_MAP)) { (void)sim_failure(sim, NN_ERROR_BACKEND, "map"); return NULL; }
    real = sim_real(sim, "map", handle, offset, bytes);
    if (!real) return NULL;
    sim_run_queue(sim, UINT64_MAX);
    sim->storages[(uintptr_t)handle - 1].maps++;
    return real;
}

static nn_result sim_unmap(void *state, void *handle, void *pointer) {
    sim_device *sim = (sim_device *)state;
    sim_storage *storage;
    (void)pointer;
    sim->counters[SIM_UNMAP]++;
    if (!sim_real(sim, "unmap", handle, 0, 0)) return NN_ERROR_BACKEND;
    storage = &sim->storages[(uintptr_t)handle - 1];
    if (storage->maps-- == 0)
        sim_violation(sim, "unmap", "was not mapped", (uint64_t)(uintptr_t)handle, 0, 0);
    return NN_OK;
}

static nn_result sim_finish(void *state) {
    sim_device *sim = (sim_device *)state;
    sim->counters[SIM_FINISH]++;
    sim_run_queue(sim, UINT64_MAX);
    if (sim_fails(sim, SIM_FINISH)) return sim_failure(sim, NN_ERROR_BACKEND, "finish");
    return sim_take_late(sim);
}

/* Each call lets the device do one more piece of work, so that a loop that polls will end. */
static bool sim_fence_done(void *state, nn_fence fence) {
    sim_device *sim = (sim_device *)state;
    bool done = fence.value <= sim->done;
    sim->counters[SIM_FENCE_DONE]++;
    if (fence.value > sim->fence)
        sim_violation(sim, "fence_done", "a fence never given", fence.value, sim->fence, 0);
    if (!done) sim_run_queue(sim, sim->done + 1);
    return done;
}

static nn_result sim_fence_wait(void *state, nn_fence fence) {
    sim_device *sim = (sim_device *)state;
    sim->counters[SIM_FENCE_WAIT]++;
    if (fence.value > sim->fence)
        sim_violation(sim, "fence_wait", "a fence never given", fence.value, sim->fence, 0);
    sim_run_queue(sim, fence.value);
    if (sim_fails(sim, SIM_FENCE_WAIT)) return sim_failure(sim, NN_ERROR_BACKEND, "fence_wait");
    return sim_take_late(sim);
}

static nn_result sim_host_alloc(void *state, uint64_t bytes, void **host) {
    sim_device *sim = (sim_device *)state;
    sim->counters[SIM_HOST_ALLOC]++;
    *host = malloc((size_t)bytes);
    if (!*host) return NN_ERROR_MEMORY;
    memset(*host, 0xFF, (size_t)bytes);
    sim->host_bytes += bytes;
    return NN_OK;
}

/* Transfers that are still queued read the memory now, as a driver might do: too late. */
static void sim_host_release(void *state, void *host, uint64_t bytes) {
    sim_device *sim = (sim_device *)state;
    int64_t i;
    sim->counters[SIM_HOST_RELEASE]++;
    for (i = 0; i < sim->queue_count; i++) {
        const sim_work *work = &sim->queue[i];
        if (work->slot == SIM_UPLOAD && !work->owned && (char *)work->from >= (char *)host &&
            (char *)work->from < (char *)host + bytes)
            sim_violation(sim, "host_release", "an upload still reads it (bytes)", bytes, 0, 0);
    }
    if (bytes > sim->host_bytes)
        sim_violation(sim, "host_release", "more bytes than were given", bytes, 0, 0);
    sim->host_bytes -= bytes;
    free(host);
}

static bool sim_supports(void *state, nn_kernel kernel, const void *args, char *reason,
                         size_t reason_bytes) {
    sim_device *sim = (sim_device *)state;
    void *copy;
    bool yes;
    sim->counters[SIM_SUPPORTS]++;
    if (sim->desc.refuse[kernel]) {
        if (reason && reason_bytes) snprintf(reason, reason_bytes, "%s", sim->desc.refuse[kernel]);
        return false;
    }
    copy = sim_translate(sim, kernel, args, true);
    yes = copy && sim->cpu_backend->supports(sim->cpu_state, kernel, copy, reason, reason_bytes);
    free(copy);
    return yes;
}

static uint64_t sim_scratch_bytes(void *state, nn_kernel kernel, const void *args) {
    sim_device *sim = (sim_device *)state;
    void *copy = sim_translate(sim, kernel, args, true);
    uint64_t bytes = copy ? sim->cpu_backend->scratch_bytes(sim->cpu_state, kernel, copy) : 0;
    sim->counters[SIM_SCRATCH_BYTES]++;
    free(copy);
    return bytes;
}

static nn_result sim_prepare(void *state, nn_kernel kernel, const void *args) {
    sim_device *sim = (sim_device *)state;
    void *copy;
    nn_result result;
    sim->counters[SIM_PREPARE]++;
    if (sim_fails(sim, SIM_PREPARE)) return sim_failure(sim, NN_ERROR_BACKEND, "prepare");
    copy = sim_translate(sim, kernel, args, true);
    if (!copy) return NN_ERROR_BACKEND;
    result = sim->cpu_backend->prepare(sim->cpu_state, kernel, copy);
    free(copy);
    return result;
}

static int32_t sim_units(void *state, nn_kernel kernel, const void *args) {
    sim_device *sim = (sim_device *)state;
    void *copy = sim_translate(sim, kernel, args, true);
    int32_t units = copy ? sim->cpu_backend->units(sim->cpu_state, kernel, copy) : 1;
    sim->counters[SIM_UNITS]++;
    free(copy);
    return units;
}

static nn_result sim_run_kernel(void *state, nn_kernel kernel, const void *args, nn_range range) {
    sim_device *sim = (sim_device *)state;
    sim_work work;
    sim->counters[SIM_KERNEL]++;
    sim->kernel_counters[kernel]++;
    if (sim_fails(sim, SIM_KERNEL))
        return sim_failure(sim, NN_ERROR_BACKEND, nn_kernel_name(kernel));
    if (sim->desc.refuse[kernel])
        sim_violation(sim, nn_kernel_name(kernel), "was refused, and was run", 0, 0, 0);
    memset(&work, 0, sizeof work);
    work.slot = SIM_KERNEL;
    work.kernel = kernel;
    work.args = (void *)(uintptr_t)args;
    work.range = range;
    return sim_submit(sim, &work);
}

/* ---- for tests ------------------------------------------------------------------------------- */

/* Adds one simulated device to nn. Returns NULL on failure; nn_error(nn) has the reason. */
static TEST_UNUSED sim_device *sim_open(nn_context *nn, const sim_desc *desc, nn_device *device) {
    sim_device *sim = (sim_device *)calloc(1, sizeof *sim);
    nn_desc cpu_desc;
    nn_backend *backend;
    int kernel;
    if (!sim) return NULL;
    if (desc) sim->desc = *desc;
    sim->fail_at = sim->desc.fail_at;
    sim->fail_count = sim->desc.fail_count;
    sim->nn = nn;
    memset(&cpu_desc, 0, sizeof cpu_desc);
    cpu_desc.threads = 1;
    sim->cpu = nn_open(&cpu_desc);
    if (!sim->cpu) { free(sim); return NULL; }
    nn_use_all_kernels(sim->cpu);
    nn_use_more_kernels(sim->cpu);
    nn_use_sequence_kernels(sim->cpu);
    nn_use_quantize_kernels(sim->cpu);
    sim->cpu_backend = nn_device_backend(sim->cpu, nn_cpu(), &sim->cpu_state);
    backend = &sim->backend;
    backend->version = 2;
    backend->size = (uint32_t)sizeof *backend;
    backend->kind = NN_USER_0;
    backend->name = "sim";
    backend->limits = sim_limits;
    backend->close = sim_close;
    backend->alloc = sim_alloc;
    backend->release = sim_release;
    backend->upload = sim_upload;
    backend->download = sim_download;
    backend->copy = sim_copy;
    backend->fill = sim_fill;
    backend->map = sim->desc.can_map ? sim_map : NULL;
    backend->unmap = sim->desc.can_map ? sim_unmap : NULL;
    backend->finish = sim_finish;
    backend->fence_done = sim_fence_done;
    backend->fence_wait = sim_fence_wait;
    backend->supports = sim_supports;
    backend->scratch_bytes = sim_scratch_bytes;
    backend->prepare = sim_prepare;
    backend->units = sim_units;
    backend->host_alloc = sim->desc.no_host_memory ? NULL : sim_host_alloc;
    backend->host_release = sim->desc.no_host_memory ? NULL : sim_host_release;
    for (kernel = NN_KERNEL_NONE + 1; kernel < NN_KERNEL_COUNT; kernel++)
        backend->kernels[kernel] = sim->desc.missing[kernel] ? NULL : sim_run_kernel;
    if (nn_add_backend(nn, backend, sim, &sim->device) < 0) { /* it has closed the device */
        free(sim->storages);
        free(sim);
        return NULL;
    }
    if (device) *device = sim->device;
    return sim;
}

/* Returns the number of calls that used the device's memory or ran something. Questions (limits,
   supports, scratch_bytes, units) do not count. */
static TEST_UNUSED uint64_t sim_calls(const sim_device *sim) {
    const uint64_t *c = sim->counters;
    return c[SIM_ALLOC] + c[SIM_RELEASE] + c[SIM_UPLOAD] + c[SIM_DOWNLOAD] + c[SIM_COPY] +
           c[SIM_FILL] + c[SIM_MAP] + c[SIM_UNMAP] + c[SIM_PREPARE] + c[SIM_KERNEL];
}

static TEST_UNUSED void sim_reset_counters(sim_device *sim) {
    memset(sim->counters, 0, sizeof sim->counters);
    memset(sim->kernel_counters, 0, sizeof sim->kernel_counters);
    sim->fallible = 0;
}

/* Lets the Nth fallible call from now fail; 0: none. */
static TEST_UNUSED void sim_fail_at(sim_device *sim, int64_t nth) {
    sim->fallible = 0;
    sim->fail_at = nth;
}

/* Call after nn_close. Returns the number of violations, including leaks, and frees the device. */
static TEST_UNUSED int sim_free(sim_device *sim) {
    int64_t i;
    int violations;
    if (!sim) return 0;
    if (sim->counters[SIM_CLOSE] == 0)
        sim_violation(sim, "sim_free", "the device was not closed", 0, 0, 0);
    violations = sim->violations;
    for (i = 0; i < sim->storage_count; i++) free(sim->storages[i].block);
    for (i = 0; i < sim->queue_count; i++) { free(sim->queue[i].args); free(sim->queue[i].owned); }
    if (sim->cpu) nn_close(sim->cpu);
    free(sim->storages);
    free(sim->queue);
    free(sim);
    return violations;
}

#endif /* NN_SIM_DEVICE_H */
