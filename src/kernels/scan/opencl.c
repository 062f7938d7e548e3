/* kernels/scan/opencl.c - running sums on OpenCL: a work-item for each lane. The kernel:
   kernels/scan/opencl.cl. */
#include "opencl/private.h"

static int64_t nn__opencl_scan_inner(const nn_scan_args *args) {
    int64_t inner = 1;
    for (int i = args->axis + 1; i < args->x.shape.rank; i++) inner *= args->x.shape.extent[i];
    return inner;
}

static int64_t nn__opencl_scan_lanes(const nn_scan_args *args) {
    return nn__opencl_count(&args->x) / args->x.shape.extent[args->axis];
}

/* Lanes of a unit: some 64 KiB on a CPU, enough to fill a GPU otherwise. */
static int64_t nn__opencl_scan_each(const nn__opencl *device, const nn_scan_args *args) {
    int64_t each = (device->cpu ? 16384 : 1 << 22) / args->x.shape.extent[args->axis];
    return each > 0 ? each : 1;
}

static int32_t nn__opencl_scan_units(nn__opencl *device, const void *arguments) {
    const nn_scan_args *args = (const nn_scan_args *)arguments;
    return nn__opencl_ceil_div(nn__opencl_scan_lanes(args), nn__opencl_scan_each(device, args));
}

static nn_result nn__opencl_scan_run(nn__opencl *device, const void *arguments, int32_t first_unit,
                                     int32_t count) {
    const nn_scan_args *args = (const nn_scan_args *)arguments;
    int64_t each = nn__opencl_scan_each(device, args), lanes = nn__opencl_scan_lanes(args);
    int64_t first = first_unit * each,
            end = first + count * each < lanes ? first + count * each : lanes;
    nn__opencl_launch launch = nn__opencl_begin(device, "scan", "nn_scan", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_ulong(&launch, (uint64_t)args->x.shape.extent[args->axis]);
    nn__opencl_ulong(&launch, (uint64_t)nn__opencl_scan_inner(args));
    nn__opencl_int(&launch, args->reverse);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > first ? end - first : 0),
                               device->cpu ? 1 : 64);
}

static const nn__opencl_kernel nn__opencl_scan_kernel = {NULL, NULL, nn__opencl_scan_units,
                                                         nn__opencl_scan_run};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_scan(void) {
    return &nn__opencl_scan_kernel;
}
