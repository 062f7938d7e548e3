/* device/dispatch.c - finds, from the number of a kernel, its name, its slot in a backend, the
   struct of its arguments and its scratch. The switches are generated from the table in
   kernels/list.h. */
#include "device/private.h"

NN_API const char *nn_kernel_name(nn_kernel kernel) {
    static const char names[] = "none\0"
#define NN__X(number, upper, lower, args_type, family) #lower "\0"
        NN_KERNELS(NN__X)
#undef NN__X
            "(no kernel)";
    static const unsigned char numbers[] = {0,
#define NN__X(number, upper, lower, args_type, family) number,
                                            NN_KERNELS(NN__X)
#undef NN__X
    };
    int i = 0; /* numbers need not be contiguous */
    while (i < NN__COUNT(numbers) && (int)numbers[i] != (int)kernel) i++;
    return nn__nth_text(names, i);
}

NN_PRIVATE bool nn__has_kernel(const nn_backend *backend, nn_kernel kernel) {
    if (kernel == NN_KERNEL_NONE) return true;
    if ((int)kernel < 0 || kernel >= NN_KERNEL_COUNT) return false;
    /* a backend that was compiled with an older nn.h has fewer slots */
    return backend->size >=
               offsetof(nn_backend, kernels) + ((size_t)kernel + 1) * sizeof(nn_kernel_function) &&
           backend->kernels[kernel];
}

#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__supports(const nn__open_device *on, nn_kernel kernel, const void *args,
                             char *reason, size_t reason_bytes) {
    const char *doubt = on->doubts ? on->doubts->text[kernel] : "";
    const nn_gemm_args *product = (const nn_gemm_args *)args;
    if (kernel == NN_KERNEL_GEMM && (product->m < 0 || product->n < 0 || product->k < 0))
        doubt = "a product counts rows in 31 bits, and there are more: make the batch smaller";
    if (!doubt[0]) return on->backend->supports(on->state, kernel, args, reason, reason_bytes);
    nn__copy_text(reason, reason_bytes, doubt);
    return false;
}
#endif

NN_PRIVATE nn_result nn__call_kernel(const nn__open_device *on, nn_kernel kernel, const void *args,
                                     nn_range range) {
    if (kernel == NN_KERNEL_NONE) return NN_OK;
    return on->backend->kernels[kernel](on->state, kernel, args, range);
}

/* nn__scratch_at returns the offset of the view with the role SCRATCH, in pointers; 0: none, as no
   struct begins with it. All cases are constants, so compilers turn the switch into a table of
   bytes. */
#define NN__SCRATCH_IN(field)
#define NN__SCRATCH_OUT(field)
#define NN__SCRATCH_SUM(field)
#define NN__SCRATCH_KEPT(field)
#define NN__SCRATCH_CHANGED(field)
#define NN__SCRATCH_SCRATCH(field) at = offsetof(nn__these_args, field) / sizeof(void *);
#define NN__V(role, field, count) NN__SCRATCH_##role(field)
#define NN__I(role, items, many, field, count)
#define NN__X(number, upper, lower, args_type, family)                                             \
    case NN_KERNEL_##upper: {                                                                      \
        typedef args_type nn__these_args;                                                          \
        (void)sizeof(nn__these_args);                                                              \
        NN_##upper##_VIEWS(NN__V, NN__I) return (uint8_t)at;                                       \
    }
static uint8_t nn__scratch_at(nn_kernel kernel) {
    size_t at = 0;
    switch (kernel) {
        NN_KERNELS(NN__X)
    default: return 0;
    }
}

NN_PRIVATE const nn_view *nn__kernel_scratch(nn_kernel kernel, const void *args) {
    const uint8_t at = nn__scratch_at(kernel);
    return at ? (const nn_view *)((const void *const *)args + at) : NULL;
}
#undef NN__X
#undef NN__I
#undef NN__V
#undef NN__SCRATCH_IN
#undef NN__SCRATCH_OUT
#undef NN__SCRATCH_SUM
#undef NN__SCRATCH_KEPT
#undef NN__SCRATCH_CHANGED
#undef NN__SCRATCH_SCRATCH

#ifndef NN__LEAN
NN_PRIVATE nn_precision *nn__kernel_precision(nn_kernel kernel, void *args) {
    switch (kernel) {
    case NN_KERNEL_GEMM: return &((nn_gemm_args *)args)->precision;
    case NN_KERNEL_CONV2D_FORWARD:
    case NN_KERNEL_CONV2D_BACKWARD_INPUT:
    case NN_KERNEL_CONV2D_BACKWARD_WEIGHT: return &((nn_conv2d_args *)args)->precision;
    case NN_KERNEL_ATTENTION_FORWARD:
    case NN_KERNEL_ATTENTION_BACKWARD: return &((nn_attention_args *)args)->precision;
    case NN_KERNEL_CONV_POOL_FORWARD:
    case NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT:
    case NN_KERNEL_CONV_POOL_BACKWARD_INPUT: return &((nn_conv_pool_args *)args)->precision;
    case NN_KERNEL_LINEAR_GRADIENT: return &((nn_linear_gradient_args *)args)->precision;
    case NN_KERNEL_CROSS_ENTROPY_HEAD: return &((nn_cross_entropy_head_args *)args)->precision;
    default: return NULL;
    }
}

NN_PRIVATE bool nn__check_precision(nn_context *nn, nn_site site, const char *who,
                                    nn_precision precision) {
    if ((int)precision >= 0 && precision < NN_PRECISION_COUNT) return true;
    nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                "%s: precision is %d; wanted NN_PRECISION_HIGHEST, NN_PRECISION_HIGH or "
                "NN_PRECISION_MEDIUM, or 0 for the context's",
                who, (int)precision);
    return false;
}
#endif

static nn_result nn__dispatch_check_scratch(nn_context *nn, const nn__open_device *on,
                                            nn_kernel kernel, const void *args) {
    const nn_view *scratch = nn__kernel_scratch(kernel, args);
    uint64_t wanted = on->backend->scratch_bytes(on->state, kernel, args);
    uint64_t given = 0;
    if (scratch && scratch->handle && nn__present(scratch)) given = nn__bytes(scratch);
    if (given >= wanted) return NN_OK;
    return nn__fail(nn, NN_ERROR_ARGUMENT,
                    "nn_run_kernel: %s wants %llu bytes of scratch, but args->scratch has %llu; "
                    "the backend's scratch_bytes returns the number",
                    nn_kernel_name(kernel), (unsigned long long)wanted, (unsigned long long)given);
}

NN_API nn_result nn_run_kernel(nn_context *nn, nn_device device, nn_kernel kernel, const void *args,
                               nn_range range) {
    nn__open_device *on;
    char device_text[32], reason[160];
    int32_t units;
    nn_result result;
    if (!nn) return NN_ERROR_ARGUMENT;
    if ((int)kernel < 0 || kernel >= NN_KERNEL_COUNT) {
        return nn__fail(nn, NN_ERROR_ARGUMENT, "nn_run_kernel: %d is no kernel; wanted 0 to %d",
                        (int)kernel, NN_KERNEL_COUNT - 1);
    }
    on = nn__find_device(nn, device);
    if (!on) return nn__fail_not_open(nn, nn_make_site(NULL, 0), "nn_run_kernel", device);
    if (kernel == NN_KERNEL_NONE) return NN_OK;
    if (!args) {
        return nn__fail(nn, NN_ERROR_ARGUMENT, "nn_run_kernel: args of %s is NULL",
                        nn_kernel_name(kernel));
    }
    if (!nn__has_kernel(on->backend, kernel)) {
        static const char install[] = "; call nn_use_all_kernels(nn) first, or nn_use_more_kernels "
                                      "and its like";
        return nn__fail(nn, NN_ERROR_UNSUPPORTED, "nn_run_kernel: %s has no kernel %s%s",
                        nn_format_device(on->device, device_text, sizeof device_text),
                        nn_kernel_name(kernel),
                        on->device.kind == NN_CPU ? install : "");
    }
    reason[0] = 0;
    if (!nn__supports(on, kernel, args, reason, sizeof reason)) {
        return nn__fail(nn, NN_ERROR_UNSUPPORTED, "nn_run_kernel: %s cannot run %s: %s",
                        nn_format_device(on->device, device_text, sizeof device_text),
                        nn_kernel_name(kernel), reason[0] ? reason : "no reason given");
    }
    units = on->backend->units(on->state, kernel, args);
    if (range.first < 0 || range.count < -1 || range.count == 0 ||
        (range.count == -1 && range.first != 0) ||
        (range.count > 0 && (int64_t)range.first + range.count > units)) {
        return nn__fail(
            nn, NN_ERROR_ARGUMENT,
            "nn_run_kernel: %s has the units 0 to %d, got first %d and count %d; {0, -1} runs all",
            nn_kernel_name(kernel), (int)units - 1, (int)range.first, (int)range.count);
    }
    result = nn__dispatch_check_scratch(nn, on, kernel, args);
    if (result != NN_OK) return result;
    result = on->backend->prepare(on->state, kernel, args);
    if ((int)result >= 0) result = nn__call_kernel(on, kernel, args, range);
    if ((int)result >= 0) return NN_OK;
    return nn__fail(nn, result, "nn_run_kernel: %s on %s failed: %s", nn_kernel_name(kernel),
                    nn_format_device(on->device, device_text, sizeof device_text),
                    nn_result_text(result));
}
