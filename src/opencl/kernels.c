/* opencl/kernels.c - the list of kernels, and the backend's functions that dispatch to them,
   generated from kernels/list.h. The kernels are in the folders of their families. */
#include "opencl/lend.h"

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_of(nn_kernel kernel) {
    switch (kernel) {
#define NN__X(number, upper, lower, args_type, family)                                             \
    case NN_KERNEL_##upper: return nn__opencl_kernel_##lower();
        NN__OPENCL_KERNELS(NN__X)
#undef NN__X
    default: return NULL;
    }
}

static bool nn__opencl_kernels_supports(void *state, nn_kernel kernel, const void *args,
                                        char *reason, size_t reason_bytes) {
    nn__opencl *device = (nn__opencl *)state;
    const nn__opencl_kernel *functions = nn__opencl_kernel_of(kernel);
    const char *why = functions ? NULL : "the OpenCL backend has no kernel for it";
    if (functions && functions->refuses) why = functions->refuses(device, args);
    if (why && reason && reason_bytes) nn__opencl_copy_text(reason, reason_bytes, why);
    return !why;
}

static bool nn__opencl_kernels_halves(void *state, nn_kernel kernel, const void *args) {
    nn__opencl *device = (nn__opencl *)state;
    const nn__opencl_kernel *functions = nn__opencl_kernel_of(kernel);
    /* a device that lends its kernels works for the CPU backend, which has no nn_backend.halves */
    return functions && functions->halves && !device->lends && functions->halves(device, args);
}

static uint64_t nn__opencl_kernels_scratch_bytes(void *state, nn_kernel kernel, const void *args) {
    const nn__opencl_kernel *functions = nn__opencl_kernel_of(kernel);
    void *cpu_state = NULL;
    const nn_backend *cpu = nn__opencl_lends((nn__opencl *)state, kernel, args, &cpu_state);
    if (cpu) return cpu->scratch_bytes(cpu_state, kernel, args);
    return functions && functions->scratch_bytes
               ? functions->scratch_bytes((nn__opencl *)state, args)
               : 0;
}

static int32_t nn__opencl_kernels_count(nn__opencl *device, const nn__opencl_kernel *functions,
                                        const void *args) {
    int32_t units = functions->units ? functions->units(device, args) : 1;
    return units > 0 ? units : 1;
}

static int32_t nn__opencl_kernels_units(void *state, nn_kernel kernel, const void *args) {
    const nn__opencl_kernel *functions = nn__opencl_kernel_of(kernel);
    void *cpu_state = NULL;
    const nn_backend *cpu = nn__opencl_lends((nn__opencl *)state, kernel, args, &cpu_state);
    if (cpu) return cpu->units(cpu_state, kernel, args);
    return functions ? nn__opencl_kernels_count((nn__opencl *)state, functions, args) : 1;
}

/* Runs the launches of one step. Each launch finds the arguments that opencl/prepared.c kept. */
static nn_result nn__opencl_kernels_launch(nn__opencl *device, const nn__opencl_kernel *functions,
                                           const void *args, int32_t first, int32_t count) {
    nn_result result;
    device->step = args;
    device->step_launches = 0;
    result = functions->run(device, args, first, count);
    device->step = NULL;
    return result;
}

/* Makes a run in which every launch only builds its kernel. */
static nn_result nn__opencl_kernels_prepare(void *state, nn_kernel kernel, const void *args) {
    nn__opencl *device = (nn__opencl *)state;
    const nn__opencl_kernel *functions = nn__opencl_kernel_of(kernel);
    const nn_backend *cpu;
    void *cpu_state = NULL;
    nn_result result;
    if (!functions) return NN_ERROR_UNSUPPORTED;
    cpu = nn__opencl_lends(device, kernel, args, &cpu_state);
    if (cpu) {
        result = nn__opencl_lend_prepare(device, kernel, args);
        return result == NN_OK ? cpu->prepare(cpu_state, kernel, args) : result;
    }
    device->dry = true;
    result = nn__opencl_kernels_launch(device, functions, args, 0,
                                       nn__opencl_kernels_count(device, functions, args));
    device->dry = false;
    if (result == NN_OK && !device->ahead) nn__opencl_repeat_make(device, kernel, args);
    return result;
}

static nn_result nn__opencl_kernels_run(void *state, nn_kernel kernel, const void *args,
                                        nn_range range) {
    nn__opencl *device = (nn__opencl *)state;
    const nn__opencl_kernel *functions = nn__opencl_kernel_of(kernel);
    const nn_backend *cpu;
    void *cpu_state = NULL;
    const bool whole = range.first == 0 && range.count < 0;
    nn_result result;
    if (!functions) return NN_ERROR_UNSUPPORTED;
    cpu = nn__opencl_lends(device, kernel, args, &cpu_state);
    if (cpu) return nn__opencl_lend_run(device, cpu, cpu_state, kernel, args, range);
    if (whole && nn__opencl_run_again(device, kernel, args, &result)) return result;
    if (range.count < 0)
        range.count = nn__opencl_kernels_count(device, functions, args) - range.first;
    if (range.count <= 0) return NN_OK;
    nn__opencl_repeat_begin(device, kernel, args, whole);
    result = nn__opencl_kernels_launch(device, functions, args, range.first, range.count);
    nn__opencl_repeat_end(device, args, result);
    return result;
}

NN__OPENCL_PRIVATE void nn__opencl_fill_kernels(nn_backend *backend) {
    backend->supports = nn__opencl_kernels_supports;
    backend->scratch_bytes = nn__opencl_kernels_scratch_bytes;
    backend->prepare = nn__opencl_kernels_prepare;
    backend->units = nn__opencl_kernels_units;
    backend->way = nn__opencl_way;
    backend->rounds = nn__opencl_rounds;
    backend->collect = nn__opencl_collect;
    backend->halves = nn__opencl_kernels_halves;
    for (int kernel = NN_KERNEL_NONE + 1; kernel < NN_KERNEL_COUNT; kernel++)
        if (nn__opencl_kernel_of((nn_kernel)kernel))
            backend->kernels[kernel] = nn__opencl_kernels_run;
    nn__opencl_fill_chains(backend);
}
