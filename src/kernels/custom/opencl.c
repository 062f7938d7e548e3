/* kernels/custom/opencl.c - a user's own operation, from its OpenCL C source. One work-item per
   element of the output:

     __kernel void entry(__global float *output, ulong output_offset,
                         const __global float *input0, ulong input0_offset, ..., ulong count)

   Offsets count elements; get_global_id(0) may exceed count. The source is compiled after common.cl
   and is not inspected. */
#include "opencl/private.h"

static const char *nn__opencl_custom_refuses(nn__opencl *device, const void *args) {
    const nn_custom_args *custom = (const nn_custom_args *)args;
    (void)device;
    if (!custom->source || !custom->entry)
        return "a custom operation without .source and .entry runs on the CPU only";
    return NULL;
}

static nn_result nn__opencl_custom_run(nn__opencl *device, const void *args, int32_t first,
                                       int32_t count) {
    const nn_custom_args *custom = (const nn_custom_args *)args;
    uint64_t elements = (uint64_t)nn__opencl_count(&custom->output);
    nn__opencl_launch launch = nn__opencl_begin_user(device, custom->source, custom->entry);
    (void)first, (void)count; /* one unit */
    nn__opencl_view(&launch, &custom->output);
    for (int i = 0; i < custom->input_count; i++) nn__opencl_view(&launch, &custom->input[i]);
    nn__opencl_ulong(&launch, elements);
    return nn__opencl_run_flat(&launch, elements, 64);
}

static const nn__opencl_kernel nn__opencl_custom = {nn__opencl_custom_refuses, NULL, NULL,
                                                    nn__opencl_custom_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_custom(void) {
    return &nn__opencl_custom;
}
