/* kernels/scatter_add/opencl.c - adds pieces at given indices on OpenCL: one launch links a chain
   of positions for each piece of the result, another sums along the chains. */
#include "opencl/private.h"

#define NN__SCATTER_WORKERS 1024 /* work-items that link chains */

static int64_t nn__opencl_scatter_piece(const nn_scatter_add_args *args) {
    int64_t piece = 1;
    for (int i = args->axis + 1; i < args->y.shape.rank; i++) piece *= args->y.shape.extent[i];
    return piece;
}

/* Returns the numbers per unit of the second launch, enough to fill a GPU. */
static int64_t nn__opencl_scatter_each(void) {
    return 1 << 22;
}

static uint64_t nn__opencl_scatter_scratch(nn__opencl *device, const void *arguments) {
    const nn_scatter_add_args *args = (const nn_scatter_add_args *)arguments;
    (void)device;
    return (uint64_t)(args->y.shape.extent[args->axis] + nn__opencl_count(&args->index)) *
           sizeof(int32_t);
}

/* Returns the number of units, the first of which links the chains. */
static int32_t nn__opencl_scatter_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_scatter_add_args *args = (const nn_scatter_add_args *)arguments;
    return 1 + nn__opencl_ceil_div(nn__opencl_count(&args->y), nn__opencl_scatter_each());
}

static nn_result nn__opencl_scatter_chains(nn__opencl *device, const nn_scatter_add_args *args,
                                           const nn_view *chains) {
    uint32_t workers = NN__SCATTER_WORKERS;
    nn__opencl_launch launch =
        nn__opencl_begin(device, "scatter_add", "nn_scatter_add_chains", "");
    nn__opencl_view(&launch, chains);
    nn__opencl_view(&launch, &args->index);
    nn__opencl_int(&launch, args->y.shape.extent[args->axis]);
    nn__opencl_int(&launch, (int32_t)nn__opencl_count(&args->index));
    nn__opencl_int(&launch, args->skip ? args->skip_index : -1);
    nn__opencl_uint(&launch, workers);
    return nn__opencl_run_flat(&launch, workers, 64);
}
#undef NN__SCATTER_WORKERS

static nn_result nn__opencl_scatter_run(nn__opencl *device, const void *arguments,
                                        int32_t first_unit, int32_t count) {
    const nn_scatter_add_args *args = (const nn_scatter_add_args *)arguments;
    int64_t each = nn__opencl_scatter_each(), all = nn__opencl_count(&args->y);
    int64_t first = (first_unit - 1) * each, end = first + count * each;
    nn_view chains = nn__opencl_part(&args->scratch, 0, nn__opencl_scatter_scratch(device, args));
    nn__opencl_launch launch;
    chains.dtype = NN_I32;
    if (first_unit == 0) {
        nn_result result = nn__opencl_scatter_chains(device, args, &chains);
        if (result != NN_OK) return result;
        first = 0;
    }
    if (end > all) end = all;
    if (end <= first && !device->dry) return NN_OK;
    launch = nn__opencl_begin(device, "scatter_add", "nn_scatter_add", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &chains);
    nn__opencl_int(&launch, args->y.shape.extent[args->axis]);
    nn__opencl_ulong(&launch, (uint64_t)nn__opencl_count(&args->index));
    nn__opencl_ulong(&launch, (uint64_t)nn__opencl_scatter_piece(args));
    nn__opencl_int(&launch, args->accumulate);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > first ? end - first : 0),
                               256);
}

static const nn__opencl_kernel nn__opencl_scatter_add_kernel = {
    NULL, nn__opencl_scatter_scratch, nn__opencl_scatter_units, nn__opencl_scatter_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_scatter_add(void) {
    return &nn__opencl_scatter_add_kernel;
}
