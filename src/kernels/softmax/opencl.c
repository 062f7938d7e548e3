/* kernels/softmax/opencl.c - softmax and log_softmax over the last axis. A unit is a number of
   rows. */
#include "opencl/private.h"

static int32_t nn__opencl_softmax_length(const nn_softmax_args *args) {
    return args->y.shape.rank ? args->y.shape.extent[args->y.shape.rank - 1] : 1;
}

static int64_t nn__opencl_softmax_step(const nn_softmax_args *args) {
    int64_t step = (1 << 20) / nn__opencl_softmax_length(args);
    return step > 0 ? step : 1;
}

static int32_t nn__opencl_softmax_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_softmax_args *args = (const nn_softmax_args *)arguments;
    return nn__opencl_ceil_div(nn__opencl_count(&args->y) / nn__opencl_softmax_length(args),
                               nn__opencl_softmax_step(args));
}

static nn__opencl_launch nn__opencl_softmax_begin(nn__opencl *device, bool backward, bool *groups) {
    static const char *const names[2][2] = {
        {"nn_softmax_each", "nn_softmax_group"},
        {"nn_softmax_backward_each", "nn_softmax_backward_group"}};
    if (*groups) {
        nn__opencl_launch launch = nn__opencl_begin(device, "softmax", names[backward][1], "");
        if (launch.result != NN_OK || nn__opencl_group(&launch, 64) == 64) return launch;
        *groups = false;
    }
    return nn__opencl_begin(device, "softmax", names[backward][0], "");
}

static nn_result nn__opencl_softmax_run(nn__opencl *device, const nn_softmax_args *args,
                                        bool backward, int32_t first_unit, int32_t count) {
    int32_t length = nn__opencl_softmax_length(args);
    int64_t step = nn__opencl_softmax_step(args),
            rows = nn__opencl_count(&args->y) / length;
    int64_t first = first_unit * step, end = first + count * step;
    bool groups = length > 32 && device->group >= 64;
    nn__opencl_launch launch = nn__opencl_softmax_begin(device, backward, &groups);
    if (end > rows) end = rows;
    if (first >= end) return launch.result;
    nn__opencl_view(&launch, backward ? &args->x : &args->y);
    nn__opencl_view(&launch, backward ? &args->y : &args->x);
    if (backward) nn__opencl_view(&launch, &args->dy);
    nn__opencl_int(&launch, args->logarithm);
    nn__opencl_int(&launch, length);
    if (!groups && !backward) nn__opencl_ulong(&launch, (uint64_t)rows);
    nn__opencl_ulong(&launch, (uint64_t)first);
    if (groups) {
        size_t extent = (size_t)(end - first), local = 64;
        return nn__opencl_run(&launch, 1, &extent, &local);
    }
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, 1);
    return nn__opencl_run_flat(&launch, (uint64_t)(end - first), 64);
}

static nn_result nn__opencl_softmax_forward_run(nn__opencl *device, const void *args, int32_t first,
                                                int32_t count) {
    return nn__opencl_softmax_run(device, (const nn_softmax_args *)args, false, first, count);
}
static nn_result nn__opencl_softmax_backward_run(nn__opencl *device, const void *args,
                                                 int32_t first, int32_t count) {
    return nn__opencl_softmax_run(device, (const nn_softmax_args *)args, true, first, count);
}

static const nn__opencl_kernel nn__opencl_softmax_forward = {NULL, NULL, nn__opencl_softmax_units,
                                                             nn__opencl_softmax_forward_run, NULL};
static const nn__opencl_kernel nn__opencl_softmax_backward = {
    NULL, NULL, nn__opencl_softmax_units, nn__opencl_softmax_backward_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_softmax_forward(void) {
    return &nn__opencl_softmax_forward;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_softmax_backward(void) {
    return &nn__opencl_softmax_backward;
}
