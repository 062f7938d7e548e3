/* kernels/cache/opencl.c - writes keys and values into a cache on OpenCL. */
#include "opencl/private.h"

#define NN__CACHE_EACH 65536 /* work-items per unit; each writes one number */

static int32_t nn__opencl_cache_units(nn__opencl *device, const void *arguments) {
    const nn_cache_args *args = (const nn_cache_args *)arguments;
    (void)device;
    return nn__opencl_ceil_div(nn__opencl_count(&args->x), NN__CACHE_EACH);
}

static int32_t nn__opencl_cache_type(nn_dtype dtype) {
    return dtype == NN_F16 ? 1 : dtype == NN_BF16 ? 2 : 0;
}

static nn_result nn__opencl_cache_run(nn__opencl *device, const void *arguments, int32_t first,
                                      int32_t count) {
    const nn_cache_args *args = (const nn_cache_args *)arguments;
    const int32_t *x = args->x.shape.extent, *y = args->y.shape.extent;
    const bool inside = args->heads_inside;
    const int64_t items = nn__opencl_count(&args->x), from = (int64_t)first * NN__CACHE_EACH;
    int64_t end = from + (int64_t)count * NN__CACHE_EACH;
    const int32_t numbers = inside ? x[2] * x[3] : x[3];
    const int32_t shape[8] = {x[0],
                              inside ? 1 : x[1],
                              inside ? x[1] : x[2],
                              inside ? y[1] : y[2],
                              numbers,
                              nn__opencl_cache_type(args->x.dtype),
                              nn__opencl_cache_type(args->y.dtype),
                              args->x_row ? args->x_row : numbers};
    nn__opencl_launch launch = nn__opencl_begin(device, "cache", "nn_cache_rows", "");
    if (end > items) end = items;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->other_y);
    nn__opencl_view(&launch, &args->other_x);
    nn__opencl_view(&launch, &args->positions);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_uint(&launch, args->step);
    nn__opencl_bytes(&launch, sizeof shape, shape);
    nn__opencl_uint(&launch, (uint32_t)(args->other_row ? args->other_row : numbers));
    nn__opencl_ulong(&launch, (uint64_t)from);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > from ? end - from : 0), 64);
}
#undef NN__CACHE_EACH

static const char *nn__opencl_cache_refuses(nn__opencl *device, const void *arguments) {
    const nn_cache_args *args = (const nn_cache_args *)arguments;
    (void)device;
    if (!args->heads_inside && (args->x_row || args->other_row))
        return "a cache takes parts of longer rows only with the heads inside";
    if (nn__opencl_present(&args->other_y) &&
        (args->other_y.dtype != args->y.dtype || args->other_x.dtype != args->x.dtype ||
         !nn_same_shape(args->other_y.shape, args->y.shape) ||
         !nn_same_shape(args->other_x.shape, args->x.shape)))
        return "two caches that are written together must have the same shapes and dtypes";
    return args->x.dtype == args->y.dtype || args->x.dtype == NN_F32
               ? NULL
               : "rows for a cache must be f32 or of the cache's dtype";
}

static const nn__opencl_kernel nn__opencl_cache_kernel = {
    nn__opencl_cache_refuses, NULL, nn__opencl_cache_units, nn__opencl_cache_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_cache(void) {
    return &nn__opencl_cache_kernel;
}
