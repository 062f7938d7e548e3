/* kernels/pool2d/opencl.c - max and average pooling, forward and backward. A unit is a range of
   planes. */
#include "opencl/private.h"

static int64_t nn__opencl_pool2d_planes(const nn_pool2d_args *args) {
    return (int64_t)args->x.shape.extent[0] * args->x.shape.extent[1];
}

/* Returns the planes per unit: about 1 Mi numbers, and few enough for 32-bit indices in a
   launch. */
static int64_t nn__opencl_pool2d_step(const nn_pool2d_args *args) {
    int64_t x = (int64_t)args->x.shape.extent[2] * args->x.shape.extent[3],
            y = (int64_t)args->y.shape.extent[2] * args->y.shape.extent[3];
    int64_t step = (1 << 20) / (x > y ? x : y);
    return step > 0 ? step : 1;
}

static int32_t nn__opencl_pool2d_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    return nn__opencl_ceil_div(nn__opencl_pool2d_planes(args),
                               nn__opencl_pool2d_step(args));
}

static void nn__opencl_pool2d_shape(nn__opencl_launch *launch, const nn_pool2d_args *args) {
    for (int i = 2; i < 4; i++) nn__opencl_int(launch, args->x.shape.extent[i]);
    for (int i = 2; i < 4; i++) nn__opencl_int(launch, args->y.shape.extent[i]);
    nn__opencl_int(launch, args->kernel_h);
    nn__opencl_int(launch, args->kernel_w);
    nn__opencl_int(launch, args->stride_h);
    nn__opencl_int(launch, args->stride_w);
    nn__opencl_int(launch, args->padding_h);
    nn__opencl_int(launch, args->padding_w);
    nn__opencl_int(launch, args->count_only_inside);
    nn__opencl_int(launch, args->divisor);
    nn__opencl_int(launch, args->adaptive);
    nn__opencl_int(launch, args->dilation_h > 1 ? args->dilation_h : 1);
    nn__opencl_int(launch, args->dilation_w > 1 ? args->dilation_w : 1);
}

/* Returns the largest number of planes of a launch with one work-item per number. */
static int64_t nn__opencl_pool2d_fits(int64_t plane) {
    int64_t most = ((int64_t)1 << 30) / plane;
    return most > 0 ? most : 1;
}

static nn_result nn__opencl_pool2d_forward_run(nn__opencl *device, const void *arguments,
                                               int32_t first_unit, int32_t count) {
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    int64_t step = nn__opencl_pool2d_step(args), planes = nn__opencl_pool2d_planes(args);
    int64_t first = first_unit * step, end = first + count * step, height = args->y.shape.extent[2];
    int64_t plane = height * args->y.shape.extent[3],
            most = nn__opencl_pool2d_fits(plane);
    nn_result result = NN_OK;
    if (end > planes) end = planes;
    for (int64_t stop; first < end && result == NN_OK; first = stop) {
        nn__opencl_launch launch = nn__opencl_begin(
            device, "pool2d", "nn_pool2d_flat", "");
        stop = end - first > most ? first + most : end;
        nn__opencl_view(&launch, &args->y);
        nn__opencl_view(&launch, &args->x);
        nn__opencl_view(&launch, &args->index);
        nn__opencl_int(&launch, args->kind == NN_POOL_AVERAGE);
        nn__opencl_pool2d_shape(&launch, args);
        nn__opencl_uint(&launch, (uint32_t)first);
        nn__opencl_uint(&launch, (uint32_t)stop);
        result = nn__opencl_run_flat(&launch, (uint64_t)((stop - first) * plane), 256);
    }
    return result;
}

static nn_result nn__opencl_pool2d_backward_run(nn__opencl *device, const void *arguments,
                                                int32_t first_unit, int32_t count) {
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    int64_t step = nn__opencl_pool2d_step(args), planes = nn__opencl_pool2d_planes(args);
    int64_t first = first_unit * step, end = first + count * step;
    int64_t plane = (int64_t)args->x.shape.extent[2] * args->x.shape.extent[3],
            most = nn__opencl_pool2d_fits(plane);
    nn_result result = NN_OK;
    if (end > planes) end = planes;
    for (int64_t stop; first < end && result == NN_OK; first = stop) {
        nn__opencl_launch launch = nn__opencl_begin(
            device, "pool2d", "nn_pool2d_backward_flat", "");
        stop = end - first > most ? first + most : end;
        nn__opencl_view(&launch, &args->x);
        nn__opencl_view(&launch, &args->y);
        nn__opencl_view(&launch, &args->index);
        nn__opencl_int(&launch, args->kind == NN_POOL_AVERAGE);
        nn__opencl_int(&launch, args->accumulate);
        nn__opencl_pool2d_shape(&launch, args);
        nn__opencl_uint(&launch, (uint32_t)first);
        nn__opencl_uint(&launch, (uint32_t)stop);
        result = nn__opencl_run_flat(&launch, (uint64_t)((stop - first) * plane), 256);
    }
    return result;
}

/* Offsets within a plane are counted as int. */
static const char *nn__opencl_pool2d_refuses(nn__opencl *device, const void *arguments) {
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    (void)device;
    if ((int64_t)args->x.shape.extent[2] * args->x.shape.extent[3] > INT32_MAX / 4)
        return "a plane has more than 2^29 numbers";
    return NULL;
}

static const char *nn__opencl_pool2d_backward_refuses(nn__opencl *device, const void *arguments) {
    const nn_pool2d_args *args = (const nn_pool2d_args *)arguments;
    if (args->kind == NN_POOL_MAX && !nn__opencl_present(&args->index))
        return "max pooling backward needs the forward's index";
    return nn__opencl_pool2d_refuses(device, arguments);
}

static const nn__opencl_kernel nn__opencl_pool2d_forward = {
    nn__opencl_pool2d_refuses, NULL, nn__opencl_pool2d_units, nn__opencl_pool2d_forward_run, NULL};
static const nn__opencl_kernel nn__opencl_pool2d_backward = {nn__opencl_pool2d_backward_refuses,
                                                             NULL, nn__opencl_pool2d_units,
                                                             nn__opencl_pool2d_backward_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_pool2d_forward(void) {
    return &nn__opencl_pool2d_forward;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_pool2d_backward(void) {
    return &nn__opencl_pool2d_backward;
}
