/* kernels/gather/opencl.c - gathers pieces of a tensor by index along an axis. */
#include "opencl/private.h"

/* Returns the number of pieces in y. */
static uint64_t nn__opencl_gather_pieces(const nn_gather_args *args) {
    uint64_t pieces = (uint64_t)nn__opencl_count(&args->index);
    for (int i = 0; i < args->axis; i++) pieces *= (uint64_t)args->x.shape.extent[i];
    return pieces;
}

/* Returns the bytes of a piece. */
static uint64_t nn__opencl_gather_row(const nn_gather_args *args) {
    return (uint64_t)nn__opencl_count(&args->y) / nn__opencl_gather_pieces(args) *
           nn_dtype_size(args->y.dtype);
}

/* Returns the pieces per unit, about 4 MiB. */
static int64_t nn__opencl_gather_each(const nn_gather_args *args) {
    int64_t each = (1 << 22) / (int64_t)nn__opencl_gather_row(args);
    return each > 0 ? each : 1;
}

static int32_t nn__opencl_gather_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_gather_args *args = (const nn_gather_args *)arguments;
    return nn__opencl_ceil_div((int64_t)nn__opencl_gather_pieces(args),
                               nn__opencl_gather_each(args));
}

static nn_result nn__opencl_gather_run(nn__opencl *device, const void *arguments,
                                       int32_t first_unit, int32_t count) {
    const nn_gather_args *args = (const nn_gather_args *)arguments;
    int64_t all = (int64_t)nn__opencl_gather_pieces(args),
            unit = nn__opencl_gather_each(args), first = first_unit * unit,
            end = first + count * unit;
    uint64_t row = nn__opencl_gather_row(args), each, cuts;
    bool words = row % 4 == 0 && args->y.offset % 4 == 0 && args->x.offset % 4 == 0;
    nn_view y = args->y, x = args->x;
    nn__opencl_launch launch;
    if (end > all) end = all;
    if (first >= end) return NN_OK;
    launch = nn__opencl_begin(device, "gather", words ? "nn_gather_words" : "nn_gather_bytes", "");
    y.dtype = x.dtype = words ? NN_I32 : NN_U8;
    row /= words ? 4 : 1;
    each = 1;
    while ((row + each - 1) / each > (uint64_t)1 << 20) each *= 2;
    cuts = (row + each - 1) / each;
    nn__opencl_view(&launch, &y);
    nn__opencl_view(&launch, &x);
    nn__opencl_view(&launch, &args->index);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_uint(&launch, args->step);
    nn__opencl_int(&launch, args->x.shape.extent[args->axis]);
    nn__opencl_ulong(&launch, (uint64_t)nn__opencl_count(&args->index));
    nn__opencl_ulong(&launch, row);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_uint(&launch, (uint32_t)cuts);
    nn__opencl_uint(&launch, (uint32_t)each);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end - first) * cuts, 256);
}

static const nn__opencl_kernel nn__opencl_gather_kernel = {NULL, NULL, nn__opencl_gather_units,
                                                           nn__opencl_gather_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_gather(void) {
    return &nn__opencl_gather_kernel;
}
