/* kernels/nibble/opencl.c - products with 4-bit weights on OpenCL, one work-item for each number.
   Unit 0 of a product rounds x; the others compute NN__NIBBLE_EACH numbers each. */
#include "opencl/private.h"

#define NN__NIBBLE_EACH 65536 /* work-items per unit */
#define NN__NIBBLE_BYTES 36   /* of a group of x in the scratch memory */

static uint64_t nn__opencl_nibble_groups(const nn_view *x) {
    return (uint64_t)nn__opencl_count(x) / NN_NIBBLE_GROUP;
}

static uint64_t nn__opencl_nibble_scratch(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_nibble_groups(&((const nn_nibble_linear_args *)args)->x) * NN__NIBBLE_BYTES;
}

static int32_t nn__opencl_nibble_linear_units(nn__opencl *device, const void *args) {
    (void)device;
    return 1 + nn__opencl_ceil_div(nn__opencl_count(&((const nn_nibble_linear_args *)args)->y),
                                   NN__NIBBLE_EACH);
}

static nn_result nn__opencl_nibble_round(nn__opencl *device, const nn_nibble_linear_args *args) {
    const uint64_t groups = nn__opencl_nibble_groups(&args->x);
    nn__opencl_launch launch = nn__opencl_begin(device, "nibble", "nn_nibble_round", "");
    nn_view bytes = args->scratch;
    bytes.dtype = NN_I8;
    nn__opencl_view(&launch, &bytes);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_ulong(&launch, 0);
    nn__opencl_ulong(&launch, groups);
    return nn__opencl_run_flat(&launch, groups, 64);
}

static nn_result nn__opencl_nibble_linear_run(nn__opencl *device, const void *arguments,
                                              int32_t first, int32_t count) {
    const nn_nibble_linear_args *args = (const nn_nibble_linear_args *)arguments;
    const int64_t items = nn__opencl_count(&args->y);
    if (first == 0 && count > 0) {
        const nn_result result = nn__opencl_nibble_round(device, args);
        if (result != NN_OK) return result;
        first++, count--;
    }
    if (count <= 0) return NN_OK;
    const int64_t from = (int64_t)(first - 1) * NN__NIBBLE_EACH;
    int64_t end = from + (int64_t)count * NN__NIBBLE_EACH;
    const int32_t shape[4] = {args->x.shape.extent[0], args->x.shape.extent[1],
                              args->weight.shape.extent[0],
                              (args->minimum.dtype ? 1 : 0) + (args->bias.dtype ? 2 : 0)};
    if (end > items) end = items;
    nn__opencl_launch launch = nn__opencl_begin(device, "nibble", "nn_nibble_linear", "");
    nn_view bytes = args->scratch;
    bytes.dtype = NN_I8;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &bytes);
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->scale);
    nn__opencl_view(&launch, &args->minimum);
    nn__opencl_view(&launch, &args->bias);
    nn__opencl_bytes(&launch, sizeof shape, shape);
    nn__opencl_ulong(&launch, (uint64_t)from);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > from ? end - from : 0), 64);
}

static int32_t nn__opencl_nibble_floats_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_ceil_div(
        (int64_t)nn__opencl_nibble_groups(&((const nn_nibble_floats_args *)args)->y),
        NN__NIBBLE_EACH);
}

static nn_result nn__opencl_nibble_floats_run(nn__opencl *device, const void *arguments,
                                              int32_t first, int32_t count) {
    const nn_nibble_floats_args *args = (const nn_nibble_floats_args *)arguments;
    const int64_t groups = (int64_t)nn__opencl_nibble_groups(&args->y),
                  from = (int64_t)first * NN__NIBBLE_EACH;
    int64_t end = from + (int64_t)count * NN__NIBBLE_EACH;
    if (end > groups) end = groups;
    nn__opencl_launch launch = nn__opencl_begin(device, "nibble", "nn_nibble_floats", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->scale);
    nn__opencl_view(&launch, &args->minimum);
    nn__opencl_int(&launch, args->minimum.dtype != NN_DTYPE_DEFAULT);
    nn__opencl_ulong(&launch, (uint64_t)from);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > from ? end - from : 0), 64);
}
#undef NN__NIBBLE_EACH
#undef NN__NIBBLE_BYTES

static const nn__opencl_kernel nn__opencl_nibble_linear = {
    NULL, nn__opencl_nibble_scratch, nn__opencl_nibble_linear_units, nn__opencl_nibble_linear_run,
    NULL};
static const nn__opencl_kernel nn__opencl_nibble_floats = {
    NULL, NULL, nn__opencl_nibble_floats_units, nn__opencl_nibble_floats_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_nibble_linear(void) {
    return &nn__opencl_nibble_linear;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_nibble_floats(void) {
    return &nn__opencl_nibble_floats;
}
