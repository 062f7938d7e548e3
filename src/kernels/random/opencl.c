/* kernels/random/opencl.c - fills a tensor with uniform random numbers. The generator is in
   opencl/common.cl. */
#include "opencl/private.h"

static int64_t nn__opencl_random_unit(void) {
    return 1 << 20;
}

static int32_t nn__opencl_random_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_ceil_div(nn__opencl_count(&((const nn_random_args *)args)->y),
                               nn__opencl_random_unit());
}

static nn_result nn__opencl_random_run(nn__opencl *device, const void *arguments,
                                       int32_t first_unit, int32_t count) {
    const nn_random_args *args = (const nn_random_args *)arguments;
    int64_t unit = nn__opencl_random_unit(), first = first_unit * unit,
            end = first + count * unit;
    int64_t total = nn__opencl_count(&args->y), each = 4;
    nn__opencl_launch launch = nn__opencl_begin(device, "random", "nn_random", "");
    if (end > total) end = total;
    if (first >= end) return launch.result;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_ulong(&launch, args->seed);
    nn__opencl_ulong(&launch, args->stream);
    nn__opencl_ulong(&launch, args->counter);
    nn__opencl_float(&launch, args->low);
    nn__opencl_float(&launch, args->high);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, (uint32_t)each);
    nn__opencl_uint(&launch, 0); /* see nn_between in opencl.cl */
    return nn__opencl_run_flat(&launch, (uint64_t)((end - first + each - 1) / each),
                               256);
}

static const nn__opencl_kernel nn__opencl_random_kernel = {NULL, NULL, nn__opencl_random_units,
                                                           nn__opencl_random_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_random(void) {
    return &nn__opencl_random_kernel;
}
