/* kernels/grid_sample/opencl.c - samples images at given positions on OpenCL. The gradient of the
   image is a sum along chains: all taps that read a pixel, in order. */
#include "opencl/private.h"

#define NN__GRID_WORKERS 256 /* work-items that link the chains of a sample */

static int nn__opencl_grid_taps(const nn_grid_sample_args *args) {
    return args->mode == NN_GRID_NEAREST ? 1 : args->mode == NN_GRID_BILINEAR ? 4 : 16;
}
static const nn_shape *nn__opencl_grid_picture(const nn_grid_sample_args *args) {
    return nn__opencl_present(&args->x) ? &args->x.shape : &args->dx.shape;
}
static int64_t nn__opencl_grid_places(const nn_grid_sample_args *args) { /* of a sample */
    return (int64_t)args->grid.shape.extent[1] * args->grid.shape.extent[2];
}
static int64_t nn__opencl_grid_pixels(const nn_grid_sample_args *args) { /* of a plane */
    const nn_shape *picture = nn__opencl_grid_picture(args);
    return (int64_t)picture->extent[2] * picture->extent[3];
}

/* Numbers inside a sample are counted as int. */
static const char *nn__opencl_grid_refuses(nn__opencl *device, const void *arguments) {
    const nn_grid_sample_args *args = (const nn_grid_sample_args *)arguments;
    (void)device;
    if (nn__opencl_grid_pixels(args) > INT32_MAX) return "a plane has more than 2^31 numbers";
    if (nn__opencl_grid_places(args) > INT32_MAX / 16) return "a sample has more than 2^27 pixels";
    return NULL;
}

static void nn__opencl_grid_shape(nn__opencl_launch *launch, const nn_grid_sample_args *args) {
    const nn_shape *picture = nn__opencl_grid_picture(args);
    for (int i = 1; i < 4; i++) nn__opencl_int(launch, picture->extent[i]);
    nn__opencl_int(launch, (int32_t)nn__opencl_grid_places(args));
    nn__opencl_int(launch, (int32_t)args->mode);
    nn__opencl_int(launch, (int32_t)args->padding);
    nn__opencl_int(launch, args->align_corners);
}

/* Returns the numbers per unit. */
static int64_t nn__opencl_grid_each(void) {
    return 1 << 22;
}
static size_t nn__opencl_grid_group(void) { return 128; }

/* ---- forward --------------------------------------------------------------------------------- */

static int32_t nn__opencl_grid_forward_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_ceil_div(nn__opencl_count(&((const nn_grid_sample_args *)args)->y),
                               nn__opencl_grid_each());
}

static nn_result nn__opencl_grid_forward_run(nn__opencl *device, const void *arguments,
                                             int32_t first_unit, int32_t count) {
    const nn_grid_sample_args *args = (const nn_grid_sample_args *)arguments;
    int64_t each = nn__opencl_grid_each(), all = nn__opencl_count(&args->y);
    int64_t first = first_unit * each, end = first + count * each;
    nn__opencl_launch launch = nn__opencl_begin(device, "grid_sample", "nn_grid_sample", "");
    if (end > all) end = all;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->grid);
    nn__opencl_grid_shape(&launch, args);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > first ? end - first : 0),
                               nn__opencl_grid_group());
}

static const nn__opencl_kernel nn__opencl_grid_sample_forward = {
    nn__opencl_grid_refuses, NULL, nn__opencl_grid_forward_units, nn__opencl_grid_forward_run,
    NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_grid_sample_forward(void) {
    return &nn__opencl_grid_sample_forward;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Parts of the scratch for dx. For each tap of each sample: the pixel, the weight, and the next tap
   of that pixel. For each pixel of a sample: the first tap. */
enum { NN__GRID_INDEX, NN__GRID_WEIGHT, NN__GRID_NEXT, NN__GRID_FIRST };

/* Returns the bytes of one of the three lists. */
static uint64_t nn__opencl_grid_list(const nn_grid_sample_args *args) {
    return (uint64_t)args->grid.shape.extent[0] * (uint64_t)nn__opencl_grid_places(args) *
           (uint64_t)nn__opencl_grid_taps(args) * 4;
}
static uint64_t nn__opencl_grid_firsts(const nn_grid_sample_args *args) {
    return (uint64_t)args->grid.shape.extent[0] * (uint64_t)nn__opencl_grid_pixels(args) * 4;
}
static nn_view nn__opencl_grid_part(const nn_grid_sample_args *args, int which) {
    const uint64_t list = nn__opencl_grid_list(args);
    nn_view part =
        nn__opencl_part(&args->scratch, (uint64_t)which * list,
                        which == NN__GRID_FIRST ? nn__opencl_grid_firsts(args) : list);
    part.dtype = NN_I32;
    return part;
}

static uint64_t nn__opencl_grid_scratch(nn__opencl *device, const void *arguments) {
    const nn_grid_sample_args *args = (const nn_grid_sample_args *)arguments;
    (void)device;
    if (!nn__opencl_present(&args->dx)) return 0;
    return 3 * nn__opencl_grid_list(args) + nn__opencl_grid_firsts(args);
}

/* The first unit computes dgrid and the chains for dx. */
static int32_t nn__opencl_grid_backward_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_grid_sample_args *args = (const nn_grid_sample_args *)arguments;
    if (!nn__opencl_present(&args->dx)) return 1;
    return 1 + nn__opencl_ceil_div(nn__opencl_count(&args->dx), nn__opencl_grid_each());
}

static nn_result nn__opencl_grid_dgrid(nn__opencl *device, const nn_grid_sample_args *args) {
    const uint64_t all = (uint64_t)nn__opencl_count(&args->dgrid) / 2;
    nn__opencl_launch launch =
        nn__opencl_begin(device, "grid_sample", "nn_grid_sample_places", "");
    nn__opencl_view(&launch, &args->dgrid);
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->grid);
    nn__opencl_grid_shape(&launch, args);
    nn__opencl_int(&launch, args->accumulate);
    nn__opencl_ulong(&launch, all);
    return nn__opencl_run_flat(&launch, all, nn__opencl_grid_group());
}

static nn_result nn__opencl_grid_chains(nn__opencl *device, const nn_grid_sample_args *args) {
    const nn_view index = nn__opencl_grid_part(args, NN__GRID_INDEX),
                  weight = nn__opencl_grid_part(args, NN__GRID_WEIGHT),
                  next = nn__opencl_grid_part(args, NN__GRID_NEXT),
                  heads = nn__opencl_grid_part(args, NN__GRID_FIRST);
    const uint64_t all = (uint64_t)nn__opencl_count(&args->grid) / 2,
                   samples = (uint64_t)args->grid.shape.extent[0];
    const uint32_t workers = NN__GRID_WORKERS;
    nn__opencl_launch launch = nn__opencl_begin(device, "grid_sample", "nn_grid_sample_taps", "");
    nn__opencl_view(&launch, &index);
    nn__opencl_view(&launch, &weight);
    nn__opencl_view(&launch, &args->grid);
    nn__opencl_grid_shape(&launch, args);
    nn__opencl_ulong(&launch, all);
    nn_result result = nn__opencl_run_flat(&launch, all, nn__opencl_grid_group());
    if (result != NN_OK) return result;
    launch = nn__opencl_begin(device, "grid_sample", "nn_grid_sample_chains", "");
    nn__opencl_view(&launch, &heads);
    nn__opencl_view(&launch, &next);
    nn__opencl_view(&launch, &index);
    nn__opencl_int(&launch, (int32_t)nn__opencl_grid_pixels(args));
    nn__opencl_int(&launch, (int32_t)nn__opencl_grid_places(args) * nn__opencl_grid_taps(args));
    nn__opencl_uint(&launch, workers);
    nn__opencl_ulong(&launch, samples * workers);
    return nn__opencl_run_flat(&launch, samples * workers, 64);
}
#undef NN__GRID_WORKERS

static nn_result nn__opencl_grid_backward_run(nn__opencl *device, const void *arguments,
                                              int32_t first_unit, int32_t count) {
    const nn_grid_sample_args *args = (const nn_grid_sample_args *)arguments;
    const bool pixels = nn__opencl_present(&args->dx);
    int64_t each = nn__opencl_grid_each(), all = pixels ? nn__opencl_count(&args->dx) : 0;
    int64_t first = (first_unit - 1) * each, end = first + count * each;
    nn_result result = NN_OK;
    if (first_unit == 0) {
        if (nn__opencl_present(&args->dgrid)) result = nn__opencl_grid_dgrid(device, args);
        if (result == NN_OK && pixels) result = nn__opencl_grid_chains(device, args);
        first = 0;
    }
    if (end > all) end = all;
    if (result != NN_OK || !pixels || (end <= first && !device->dry)) return result;
    const nn_view weight = nn__opencl_grid_part(args, NN__GRID_WEIGHT),
                  next = nn__opencl_grid_part(args, NN__GRID_NEXT),
                  heads = nn__opencl_grid_part(args, NN__GRID_FIRST);
    nn__opencl_launch launch =
        nn__opencl_begin(device, "grid_sample", "nn_grid_sample_pixels", "");
    nn__opencl_view(&launch, &args->dx);
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &heads);
    nn__opencl_view(&launch, &next);
    nn__opencl_view(&launch, &weight);
    nn__opencl_int(&launch, args->dx.shape.extent[1]);
    nn__opencl_int(&launch, (int32_t)nn__opencl_grid_pixels(args));
    nn__opencl_int(&launch, (int32_t)nn__opencl_grid_places(args));
    nn__opencl_int(&launch, nn__opencl_grid_taps(args));
    nn__opencl_int(&launch, args->accumulate);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > first ? end - first : 0),
                               nn__opencl_grid_group());
}

static const nn__opencl_kernel nn__opencl_grid_sample_backward = {
    nn__opencl_grid_refuses, nn__opencl_grid_scratch, nn__opencl_grid_backward_units,
    nn__opencl_grid_backward_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_grid_sample_backward(void) {
    return &nn__opencl_grid_sample_backward;
}
