/* kernels/rotary/opencl.c - rotary position embedding on OpenCL. */
#include "opencl/private.h"

#define NN__ROTARY_EACH 65536 /* work-items per unit */

static int64_t nn__opencl_rotary_items(const nn_rotary_args *args) {
    const int32_t *extent = args->y.shape.extent;
    return (int64_t)extent[0] * extent[1] * extent[2] * (extent[3] - args->width / 2);
}

static int32_t nn__opencl_rotary_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_ceil_div(nn__opencl_rotary_items((const nn_rotary_args *)args),
                               NN__ROTARY_EACH);
}

static nn_result nn__opencl_rotary_run(nn__opencl *device, const void *arguments, int32_t first,
                                       int32_t count) {
    const nn_rotary_args *args = (const nn_rotary_args *)arguments;
    const int32_t *extent = args->y.shape.extent;
    const bool inside = args->heads_inside;
    const int64_t items = nn__opencl_rotary_items(args), from = (int64_t)first * NN__ROTARY_EACH;
    int64_t end = from + (int64_t)count * NN__ROTARY_EACH;
    const int32_t shape[8] = {extent[0],
                              extent[inside ? 2 : 1],
                              extent[inside ? 1 : 2],
                              extent[3],
                              args->width,
                              args->offset,
                              args->original,
                              args->interleaved + 2 * inside + 4 * args->inverse +
                                  8 * (args->positions.shape.rank == 2)};
    const float numbers[4] = {args->base, args->factor, args->low, args->high};
    nn__opencl_launch launch = nn__opencl_begin(device, "rotary", "nn_rotary", "");
    if (end > items) end = items;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->positions);
    nn__opencl_bytes(&launch, sizeof shape, shape);
    nn__opencl_bytes(&launch, sizeof numbers, numbers);
    nn__opencl_ulong(&launch, (uint64_t)from);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > from ? end - from : 0), 64);
}
#undef NN__ROTARY_EACH

static const nn__opencl_kernel nn__opencl_rotary = {NULL, NULL, nn__opencl_rotary_units,
                                                    nn__opencl_rotary_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_rotary(void) {
    return &nn__opencl_rotary;
}
