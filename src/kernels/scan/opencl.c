/* kernels/scan/opencl.c - running sums and other scans on OpenCL: one work-item per line. */
#include "opencl/private.h"

static int64_t nn__opencl_scan_inner(const nn_shape *shape, int axis) {
    int64_t inner = 1;
    for (int i = axis + 1; i < shape->rank; i++) inner *= shape->extent[i];
    return inner;
}

/* Returns the lines per unit, enough to fill a GPU. */
static int64_t nn__opencl_scan_each(int64_t length) {
    int64_t each = (1 << 22) / length;
    return each > 0 ? each : 1;
}

static int32_t nn__opencl_scan_lanes(const nn_view *x, int axis) {
    const int64_t length = x->shape.extent[axis];
    return nn__opencl_ceil_div(nn__opencl_count(x) / length, nn__opencl_scan_each(length));
}

/* Passes the arguments after the views. Returns the number of lines to run. */
static uint64_t nn__opencl_scan_place(nn__opencl_launch *launch, const nn_view *x, int axis,
                                      bool reverse, int32_t first_unit, int32_t count) {
    const int64_t length = x->shape.extent[axis], lanes = nn__opencl_count(x) / length;
    const int64_t each = nn__opencl_scan_each(length), first = first_unit * each,
                  end = first + count * each < lanes ? first + count * each : lanes;
    nn__opencl_ulong(launch, (uint64_t)length);
    nn__opencl_ulong(launch, (uint64_t)nn__opencl_scan_inner(&x->shape, axis));
    nn__opencl_int(launch, reverse);
    nn__opencl_ulong(launch, (uint64_t)first);
    nn__opencl_ulong(launch, (uint64_t)end);
    return (uint64_t)(end > first ? end - first : 0);
}

static int32_t nn__opencl_scan_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_scan_args *args = (const nn_scan_args *)arguments;
    return nn__opencl_scan_lanes(&args->x, args->axis);
}

static nn_result nn__opencl_scan_run(nn__opencl *device, const void *arguments, int32_t first_unit,
                                     int32_t count) {
    static const char *const names[] = {"nn_scan", "nn_scan_products", "nn_scan_logs",
                                        "nn_scan_extremes", "nn_scan_extremes"};
    const nn_scan_args *args = (const nn_scan_args *)arguments;
    nn__opencl_launch launch = nn__opencl_begin(device, "scan", names[args->kind], "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    const uint64_t lanes = nn__opencl_scan_place(&launch, &args->x, args->axis, args->reverse,
                                                 first_unit, count);
    if (args->kind >= NN_SCAN_MAX) {
        nn__opencl_view(&launch, &args->index);
        nn__opencl_int(&launch, (int32_t)args->kind);
    }
    return nn__opencl_run_flat(&launch, lanes, 64);
}

static const nn__opencl_kernel nn__opencl_scan_kernel = {NULL, NULL, nn__opencl_scan_units,
                                                         nn__opencl_scan_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_scan(void) {
    return &nn__opencl_scan_kernel;
}

static int32_t nn__opencl_scan_backward_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_scan_backward_args *args = (const nn_scan_backward_args *)arguments;
    return nn__opencl_scan_lanes(&args->x, args->axis);
}

static nn_result nn__opencl_scan_backward_run(nn__opencl *device, const void *arguments,
                                              int32_t first_unit, int32_t count) {
    const nn_scan_backward_args *args = (const nn_scan_backward_args *)arguments;
    nn__opencl_launch launch = nn__opencl_begin(device, "scan", "nn_scan_backward", "");
    nn__opencl_view(&launch, &args->dx);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->y);
    const uint64_t lanes =
        nn__opencl_scan_place(&launch, &args->x, args->axis, true, first_unit, count);
    nn__opencl_int(&launch, args->kind == NN_SCAN_PRODUCT);
    return nn__opencl_run_flat(&launch, lanes, 64);
}

static const nn__opencl_kernel nn__opencl_scan_backward_kernel = {
    NULL, NULL, nn__opencl_scan_backward_units, nn__opencl_scan_backward_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_scan_backward(void) {
    return &nn__opencl_scan_backward_kernel;
}
