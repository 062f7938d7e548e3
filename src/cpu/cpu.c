/* cpu/cpu.c - the driver: the CPU as a backend, and the one function that runs the phases and units
   of every kernel.

   It contains no operation: the kernels are in kernels/<family>/cpu.c, and cpu/private.h describes
   how they are written. cpu/open.c puts the CPU into a context. */
#include "cpu/gemm.h"
#include "cpu/sets.h"

/* ---- memory: handles are pointers ------------------------------------------------------------ */

static void nn__cpu_limits(void *state, nn_device_limits *limits) {
    const nn__cpu *cpu = (const nn__cpu *)state;
    memset(limits, 0, sizeof *limits);
    nn__copy_text(limits->name, sizeof limits->name, "cpu");
    if (cpu->nn->desc.block) {
        limits->memory = cpu->nn->desc.block_bytes;
        limits->allocation = nn__available(&cpu->nn->memory);
    }
    limits->host_memory = true;
}

static void nn__cpu_close(void *state) {
    nn__cpu *cpu = (nn__cpu *)state;
    nn_context *nn = cpu->nn;
    if (nn->cpu == (void *)cpu) nn->cpu = NULL;
    nn__release(&nn->memory, cpu, sizeof *cpu);
}

/* nn__device_alloc reports failures, because it knows the purpose of the memory. */
static nn_result nn__cpu_alloc(void *state, uint64_t bytes, void **handle) {
    nn__cpu *cpu = (nn__cpu *)state;
    *handle =
        bytes > (uint64_t)(SIZE_MAX / 2) ? NULL : nn__allocate(&cpu->nn->memory, (size_t)bytes);
    return *handle ? NN_OK : NN_ERROR_MEMORY;
}

static void nn__cpu_release(void *state, void *handle, uint64_t bytes) {
    nn__cpu *cpu = (nn__cpu *)state;
    nn__release(&cpu->nn->memory, handle, (size_t)bytes);
}

static nn_fence nn__cpu_fence(void) {
    nn_fence fence;
    fence.device.kind = NN_CPU;
    fence.device.index = 0;
    fence.value = 0; /* already done */
    return fence;
}

static nn_result nn__cpu_upload(void *state, void *handle, uint64_t offset, const void *from,
                                uint64_t bytes, nn_fence *fence) {
    (void)state;
    if (bytes) memmove((char *)handle + offset, from, (size_t)bytes);
    if (fence) *fence = nn__cpu_fence();
    return NN_OK;
}

static nn_result nn__cpu_download(void *state, void *handle, uint64_t offset, void *to,
                                  uint64_t bytes, nn_fence *fence) {
    (void)state;
    if (bytes) memmove(to, (const char *)handle + offset, (size_t)bytes);
    if (fence) *fence = nn__cpu_fence();
    return NN_OK;
}

static nn_result nn__cpu_copy(void *state, void *to, uint64_t to_offset, void *from,
                              uint64_t from_offset, uint64_t bytes) {
    (void)state;
    if (bytes) memmove((char *)to + to_offset, (const char *)from + from_offset, (size_t)bytes);
    return NN_OK;
}

static nn_result nn__cpu_fill(void *state, void *handle, uint64_t offset, uint64_t bytes,
                              uint8_t value) {
    (void)state;
    if (bytes) memset((char *)handle + offset, value, (size_t)bytes);
    return NN_OK;
}

static void *nn__cpu_map(void *state, void *handle, uint64_t offset, uint64_t bytes, bool write) {
    (void)state, (void)bytes, (void)write;
    return (char *)handle + offset;
}

static nn_result nn__cpu_unmap(void *state, void *handle, void *pointer) {
    (void)state, (void)handle, (void)pointer;
    return NN_OK;
}

static nn_result nn__cpu_finish(void *state) {
    (void)state;
    return NN_OK;
}

static bool nn__cpu_fence_done(void *state, nn_fence fence) {
    (void)state, (void)fence;
    return true;
}

static nn_result nn__cpu_fence_wait(void *state, nn_fence fence) {
    (void)state, (void)fence;
    return NN_OK;
}

/* ---- questions about a kernel ---------------------------------------------------------------- */

static const nn__cpu_kernel *nn__cpu_find(const nn__cpu *cpu, nn_kernel kernel) {
    return kernel > NN_KERNEL_NONE && kernel < NN_KERNEL_COUNT ? cpu->kernels[kernel] : NULL;
}

static bool nn__cpu_supports(void *state, nn_kernel kernel, const void *args, char *reason,
                             size_t reason_bytes) {
    const nn__cpu *cpu = (const nn__cpu *)state;
    const nn__cpu_kernel *functions = nn__cpu_find(cpu, kernel);
    const char *why =
        functions
            ? NULL
            : NN__TEXT(
                  "this program did not install the CPU's kernel; call nn_use_all_kernels(nn)");
    if (functions && functions->refuses) why = functions->refuses(cpu, args);
    if (why) nn__copy_text(reason, reason_bytes, why);
    return !why;
}

static size_t nn__cpu_shared_bytes(const nn__cpu *cpu, const nn__cpu_kernel *functions,
                                   const void *args) {
    return functions->shared_bytes ? nn__align_up(functions->shared_bytes(cpu, args), NN__ALIGNMENT)
                                   : 0;
}

static size_t nn__cpu_own_bytes(const nn__cpu *cpu, const nn__cpu_kernel *functions,
                                const void *args) {
    return functions->own_bytes ? nn__align_up(functions->own_bytes(cpu, args), NN__ALIGNMENT) : 0;
}

static uint64_t nn__cpu_scratch_bytes(void *state, nn_kernel kernel, const void *args) {
    const nn__cpu *cpu = (const nn__cpu *)state;
    const nn__cpu_kernel *functions = nn__cpu_find(cpu, kernel);
    if (!functions) return 0;
    uint64_t own = nn__cpu_own_bytes(cpu, functions, args);
    return nn__cpu_shared_bytes(cpu, functions, args) + own * (uint64_t)cpu->workers;
}

static nn_result nn__cpu_prepare(void *state, nn_kernel kernel, const void *args) {
    (void)args;
    return nn__cpu_find((const nn__cpu *)state, kernel) ? NN_OK : NN_ERROR_UNSUPPORTED;
}

static int32_t nn__cpu_units(void *state, nn_kernel kernel, const void *args) {
    const nn__cpu *cpu = (const nn__cpu *)state;
    const nn__cpu_kernel *functions = nn__cpu_find(cpu, kernel);
    int total = 0;
    for (int phase = 0; functions; phase++) {
        int units = functions->units(cpu, args, phase);
        if (units <= 0) break;
        total += units;
    }
    return total > 0 ? total : 1;
}

/* ---- running --------------------------------------------------------------------------------- */

typedef struct nn__cpu_job {
    const nn__cpu *cpu;
    const nn__cpu_kernel *functions;
    const void *args;
    int phase;
    char *shared, *own;
    size_t own_bytes;
} nn__cpu_job;

static void nn__cpu_work(void *data, int unit, int worker) {
    const nn__cpu_job *job = (const nn__cpu_job *)data;
    void *own = job->own ? job->own + job->own_bytes * (size_t)worker : NULL;
    job->functions->unit(job->cpu, job->args, job->phase, unit, job->shared, own);
}

/* Returns the scratch of each worker. Without shared scratch, the workers share all of the given
   scratch. Each share is at least what the kernel asked for, and the kernel need not be asked at
   each run. */
static size_t nn__cpu_own_share(const nn__cpu *cpu, const nn__cpu_kernel *functions,
                                const void *args, const nn_view *scratch, size_t shared_bytes) {
    if (!functions->own_bytes) return 0;
#ifdef NN_NO_SIMD /* small code */
    (void)scratch, (void)shared_bytes;
#else
    if (!shared_bytes && scratch && scratch->handle && nn__present(scratch)) {
        int64_t given = nn__count(scratch) * (int64_t)nn_dtype_size(scratch->dtype);
        size_t share = cpu->workers == 1 ? (size_t)given : (size_t)given / (size_t)cpu->workers;
        return share & ~(NN__ALIGNMENT - 1);
    }
#endif
    return nn__cpu_own_bytes(cpu, functions, args);
}

/* Runs units [first, first + count) of the whole kernel. Each phase runs the part that belongs to
   it, and ends before the next begins. */
NN_PRIVATE nn_result nn__cpu_run(void *state, nn_kernel kernel, const void *args, nn_range range) {
    nn__cpu *cpu = (nn__cpu *)state;
    nn__cpu_job job;
    job.cpu = cpu;
    job.functions = nn__cpu_find(cpu, kernel);
    if (!job.functions) return NN_ERROR_UNSUPPORTED;
    job.args = args;
    size_t shared_bytes = nn__cpu_shared_bytes(cpu, job.functions, args);
    const nn_view *scratch = shared_bytes || job.functions->own_bytes
                                 ? nn__kernel_scratch(kernel, args)
                                 : NULL;
    job.own_bytes = nn__cpu_own_share(cpu, job.functions, args, scratch, shared_bytes);
    char *memory = scratch && scratch->handle ? (char *)scratch->handle + scratch->offset : NULL;
    if (!memory && (shared_bytes || job.own_bytes))
        return nn__fail(
            cpu->nn, NN_ERROR_ARGUMENT,
            "nn_run_kernel: %s on the cpu wants %llu bytes of scratch and got none; give what "
            "scratch_bytes says",
            nn_kernel_name(kernel),
            (unsigned long long)(shared_bytes + job.own_bytes * (size_t)cpu->workers));
    job.shared = shared_bytes ? memory : NULL;
    job.own = job.own_bytes ? memory + shared_bytes : NULL;
    int first = range.first, end = range.count < 0 ? INT32_MAX : first + range.count, base = 0;
    for (job.phase = 0;; job.phase++) {
        int units = job.functions->units(cpu, args, job.phase);
        if (units <= 0 || base >= end) return NN_OK;
        int from = nn__mini(nn__maxi(first - base, 0), units);
        int count = nn__mini(end - base, units) - from;
        if (count == 1 || cpu->workers == 1) /* waking threads would cost more than it saves */
            for (int unit = from; unit < from + count; unit++) nn__cpu_work(&job, unit, 0);
        else if (count > 1 && !nn__parallel(cpu->nn->pool, from, count, nn__cpu_work, &job)) {
            nn_report_error(cpu->nn, NN_ERROR_CALLBACK,
                            "nn_desc.jobs.run returned before every item(data, i) it was asked for "
                            "had returned; it "
                            "must wait for them. From now on this context computes on the calling "
                            "thread alone");
            return NN_ERROR_CALLBACK;
        }
        base += units;
    }
}

NN_PRIVATE void nn__cpu_install(nn_context *nn, nn_kernel kernel, const nn__cpu_kernel *functions) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    if (!cpu || cpu->kernels[kernel]) return;
    cpu->kernels[kernel] = functions;
    cpu->backend.kernels[kernel] = nn__cpu_run;
}

NN_PRIVATE void nn__cpu_init(nn__cpu *cpu, nn_context *nn, nn_instruction_set instructions) {
    memset(cpu, 0, sizeof *cpu);
    cpu->nn = nn;
    cpu->instructions = instructions;
    cpu->workers = nn__pool_workers(nn->pool);
#if NN__HAS_AVX2
    cpu->stream_bytes = nn__cpu_stream_bytes(cpu->workers);
#endif
    nn_backend *backend = &cpu->backend;
    backend->version = 2;
    backend->size = (uint32_t)sizeof *backend;
    backend->kind = NN_CPU;
    backend->name = "cpu";
    backend->limits = nn__cpu_limits;
    backend->close = nn__cpu_close;
    backend->alloc = nn__cpu_alloc;
    backend->release = nn__cpu_release;
    backend->upload = nn__cpu_upload;
    backend->download = nn__cpu_download;
    backend->copy = nn__cpu_copy;
    backend->fill = nn__cpu_fill;
    backend->map = nn__cpu_map;
    backend->unmap = nn__cpu_unmap;
    backend->finish = nn__cpu_finish;
    backend->fence_done = nn__cpu_fence_done;
    backend->fence_wait = nn__cpu_fence_wait;
    backend->supports = nn__cpu_supports;
    backend->scratch_bytes = nn__cpu_scratch_bytes;
    backend->prepare = nn__cpu_prepare;
    backend->units = nn__cpu_units;
}
