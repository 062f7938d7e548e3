/* kernels/shard_sum/opencl.c - sums of shards on OpenCL. */
#include "opencl/private.h"

/* Returns how many numbers a unit sums, enough to fill a GPU. */
static int64_t nn__opencl_shard_sum_each(void) {
    return 1 << 22;
}

static int32_t nn__opencl_shard_sum_units(nn__opencl *device, const void *args) {
    (void)device;
    const int64_t count = nn__opencl_count(&((const nn_shard_sum_args *)args)->to);
    const int32_t units = nn__opencl_ceil_div(count, nn__opencl_shard_sum_each());
    return units > 1 ? units : 1;
}

static nn_result nn__opencl_shard_sum_run(nn__opencl *device, const void *arguments, int32_t first,
                                     int32_t count) {
    const nn_shard_sum_args *args = (const nn_shard_sum_args *)arguments;
    const int64_t each = nn__opencl_shard_sum_each(), from = first * each;
    const int64_t all = nn__opencl_count(&args->to);
    const int64_t end = from + count * each < all ? from + count * each : all;
    const uint64_t span = 1;
    const uint64_t items = (uint64_t)(end > from ? end - from : 0) / span +
                           (end > from && (uint64_t)(end - from) % span > 0);
    nn__opencl_launch launch = nn__opencl_begin(device, "shard_sum", "nn_shard_sum", "");
    nn_view none;
    memset(&none, 0, sizeof none);
    nn__opencl_view(&launch, &args->to);
    nn__opencl_view(&launch, &args->x);
    for (int k = 0; k < NN_SHARD_SUM_MOST; k++)
        nn__opencl_view(&launch, k < args->count ? &args->sums[k] : &none);
    for (int k = 0; k <= NN_SHARD_SUM_MOST; k++)
        nn__opencl_view(&launch, k <= args->count ? &args->rests[k] : &none);
    nn__opencl_view(&launch, &args->narrow);
    nn__opencl_int(&launch, args->count);
    nn__opencl_int(&launch, args->rounded);
    nn__opencl_ulong(&launch, (uint64_t)from);
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_ulong(&launch, span);
    return nn__opencl_run_flat(&launch, items, 256);
}

static const nn__opencl_kernel nn__opencl_shard_sum_kernel = {
    NULL, NULL, nn__opencl_shard_sum_units, nn__opencl_shard_sum_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_shard_sum(void) {
    return &nn__opencl_shard_sum_kernel;
}

static int64_t nn__opencl_shard_product_each(void) {
    return 1 << 18;
}

static int32_t nn__opencl_shard_product_units(nn__opencl *device, const void *args) {
    (void)device;
    const int64_t count = nn__opencl_count(&((const nn_shard_product_args *)args)->y);
    const int32_t units = nn__opencl_ceil_div(count, nn__opencl_shard_product_each());
    return units > 1 ? units : 1;
}

static nn_result nn__opencl_shard_product_run(nn__opencl *device, const void *arguments,
                                              int32_t first, int32_t count) {
    const nn_shard_product_args *args = (const nn_shard_product_args *)arguments;
    const int64_t each = nn__opencl_shard_product_each(), from = first * each;
    const int64_t all = nn__opencl_count(&args->y);
    const int64_t end = from + count * each < all ? from + count * each : all;
    nn__opencl_launch launch = nn__opencl_begin(device, "shard_sum", "nn_shard_product", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->a);
    nn__opencl_view(&launch, &args->b);
    nn__opencl_view(&launch, &args->weights);
    nn__opencl_view(&launch, &args->counts);
    nn__opencl_int(&launch, args->n);
    nn__opencl_int(&launch, args->shards);
    nn__opencl_int(&launch, args->rows);
    nn__opencl_int(&launch, args->total);
    nn__opencl_int(&launch, args->a_step);
    nn__opencl_int(&launch, args->b_step);
    nn__opencl_int(&launch, args->a_row);
    nn__opencl_int(&launch, args->weight_step);
    nn__opencl_int(&launch, args->count_rows);
    nn__opencl_ulong(&launch, (uint64_t)from);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > from ? end - from : 0),
                               256);
}

static const nn__opencl_kernel nn__opencl_shard_product_kernel = {
    NULL, NULL, nn__opencl_shard_product_units, nn__opencl_shard_product_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_shard_product(void) {
    return &nn__opencl_shard_product_kernel;
}
