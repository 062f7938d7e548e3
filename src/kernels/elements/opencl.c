/* kernels/elements/opencl.c - element-wise gather and scatter on OpenCL. */
#include "opencl/private.h"

#define NN__ELEMENTS_WORKERS 64   /* most work-items that share a line on a GPU */
#define NN__ELEMENTS_ITEMS   8192 /* work-items that fill a GPU */

/* Returns the elements per unit, enough to fill a GPU. */
static int64_t nn__opencl_elements_unit(void) {
    return 1 << 22;
}

static uint32_t nn__opencl_elements_each(void) {
    return 1;
}

/* Passes the stride along the axis, the extents of the part except the first, and the strides of
   the whole. */
static void nn__opencl_elements_place(nn__opencl_launch *launch, const nn_view *whole,
                                      const nn_view *index, int axis) {
    uint32_t extent[NN_MAX_RANK];
    uint64_t steps[NN_MAX_RANK], step = 1, along = 0;
    const int before = NN_MAX_RANK - index->shape.rank;
    for (int i = NN_MAX_RANK - 1; i >= 0; i--) {
        const int own = i - before;
        extent[i] = own < 0 ? 1 : (uint32_t)index->shape.extent[own];
        steps[i] = own < 0 || own == axis ? 0 : step;
        if (own == axis) along = step;
        if (own >= 0) step *= (uint64_t)whole->shape.extent[own];
    }
    nn__opencl_int(launch, whole->shape.extent[axis]);
    nn__opencl_ulong(launch, along);
    for (int i = 1; i < NN_MAX_RANK; i++) nn__opencl_uint(launch, extent[i]);
    for (int i = 0; i < NN_MAX_RANK; i++) nn__opencl_ulong(launch, steps[i]);
}

/* ---- gather ---------------------------------------------------------------------------------- */

static int32_t nn__opencl_gather_elements_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_gather_elements_args *args = (const nn_gather_elements_args *)arguments;
    return nn__opencl_ceil_div(nn__opencl_count(&args->y), nn__opencl_elements_unit());
}

static nn_result nn__opencl_gather_elements_run(nn__opencl *device, const void *arguments,
                                                int32_t first_unit, int32_t count) {
    static const char *const names[] = {"nn_gather_elements_1", "nn_gather_elements_2",
                                        "nn_gather_elements_4", "nn_gather_elements_8"};
    const nn_gather_elements_args *args = (const nn_gather_elements_args *)arguments;
    const size_t size = nn_dtype_size(args->y.dtype);
    const uint32_t each = nn__opencl_elements_each();
    int64_t all = nn__opencl_count(&args->y), unit = nn__opencl_elements_unit(),
            first = first_unit * unit, end = first + count * unit;
    nn__opencl_launch launch;
    if (end > all) end = all;
    if (end < first) end = first;
    launch = nn__opencl_begin(device, "elements",
                              names[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3], "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->index);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_uint(&launch, args->step);
    nn__opencl_elements_place(&launch, &args->x, &args->index, args->axis);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, each);
    return nn__opencl_run_flat(&launch, ((uint64_t)(end - first) + each - 1) / each,
                               256);
}

static const nn__opencl_kernel nn__opencl_gather_elements_kernel = {
    NULL, NULL, nn__opencl_gather_elements_units, nn__opencl_gather_elements_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_gather_elements(void) {
    return &nn__opencl_gather_elements_kernel;
}

/* ---- scatter --------------------------------------------------------------------------------- */

static int64_t nn__opencl_scatter_lines(const nn_scatter_elements_args *args) {
    return nn__opencl_count(&args->index) / args->index.shape.extent[args->axis];
}

static int64_t nn__opencl_scatter_elements_each(const nn_scatter_elements_args *args) {
    int64_t each = nn__opencl_elements_unit() / args->index.shape.extent[args->axis];
    return each > 0 ? each : 1;
}

/* Returns the number of units that copy the base. They come before those that add. */
static int32_t nn__opencl_scatter_base_units(const nn_scatter_elements_args *args) {
    return nn__opencl_ceil_div(nn__opencl_count(&args->y), nn__opencl_elements_unit());
}

static int32_t nn__opencl_scatter_elements_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_scatter_elements_args *args = (const nn_scatter_elements_args *)arguments;
    return nn__opencl_scatter_base_units(args) +
           nn__opencl_ceil_div(nn__opencl_scatter_lines(args),
                               nn__opencl_scatter_elements_each(args));
}

static nn_result nn__opencl_scatter_base(nn__opencl *device, const nn_scatter_elements_args *args,
                                         int32_t first_unit, int32_t end_unit) {
    const uint32_t each = nn__opencl_elements_each();
    int64_t all = nn__opencl_count(&args->y), unit = nn__opencl_elements_unit(),
            first = first_unit * unit, end = end_unit * unit;
    nn__opencl_launch launch;
    if (end > all) end = all;
    launch = nn__opencl_begin(device, "elements", "nn_scatter_elements_base", "");
    if (!device->dry && nn__opencl_present(&args->base) && args->base.handle == args->y.handle &&
        args->base.offset == args->y.offset)
        return launch.result; /* in place */
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->base);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, each);
    return nn__opencl_run_flat(&launch, ((uint64_t)(end - first) + each - 1) / each,
                               256);
}

static nn_result nn__opencl_scatter_part(nn__opencl *device, const nn_scatter_elements_args *args,
                                         int32_t first_unit, int32_t end_unit) {
    int64_t lines = nn__opencl_scatter_lines(args), workers = NN__ELEMENTS_ITEMS / lines,
            unit = nn__opencl_scatter_elements_each(args), first = first_unit * unit,
            end = end_unit * unit, chosen = args->index.shape.extent[args->axis], inner = 1, each;
    nn__opencl_launch launch;
    if (end > lines) end = lines;
    for (int i = args->axis + 1; i < args->index.shape.rank; i++)
        inner *= args->index.shape.extent[i];
    if (workers > NN__ELEMENTS_WORKERS) workers = NN__ELEMENTS_WORKERS;
    if (workers > chosen) workers = chosen;
    if (workers < 1) workers = 1;
    each = nn__opencl_elements_each() / chosen;
    if (each < 1) each = 1;
    launch = nn__opencl_begin(device, "elements", "nn_scatter_elements", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->index);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_uint(&launch, args->step);
    nn__opencl_elements_place(&launch, &args->y, &args->index, args->axis);
    nn__opencl_ulong(&launch, (uint64_t)chosen);
    nn__opencl_ulong(&launch, (uint64_t)inner);
    nn__opencl_float(&launch, args->value);
    nn__opencl_int(&launch, (int32_t)args->combine);
    nn__opencl_uint(&launch, (uint32_t)workers);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, (uint32_t)each);
    return nn__opencl_run_flat(&launch, (uint64_t)((end - first + each - 1) / each * workers),
                               64);
}
#undef NN__ELEMENTS_WORKERS
#undef NN__ELEMENTS_ITEMS

static nn_result nn__opencl_scatter_elements_run(nn__opencl *device, const void *arguments,
                                                 int32_t first_unit, int32_t count) {
    const nn_scatter_elements_args *args = (const nn_scatter_elements_args *)arguments;
    const int32_t bases = nn__opencl_scatter_base_units(args), end = first_unit + count;
    nn_result result = NN_OK;
    if (first_unit < bases)
        result = nn__opencl_scatter_base(device, args, first_unit, end < bases ? end : bases);
    if (result < 0 || end <= bases) return result;
    return nn__opencl_scatter_part(device, args, first_unit < bases ? 0 : first_unit - bases,
                                   end - bases);
}

static const nn__opencl_kernel nn__opencl_scatter_elements_kernel = {
    NULL, NULL, nn__opencl_scatter_elements_units, nn__opencl_scatter_elements_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_scatter_elements(void) {
    return &nn__opencl_scatter_elements_kernel;
}
