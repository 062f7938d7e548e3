/* kernels/resize/opencl.c - resizes images on OpenCL: two launches compute a table of indices and
   weights for rows and for columns, and a third one sums with them. */
#include "opencl/private.h"

/* Return the output and the input of the sums: y and x, or dx and dy. */
static const nn_view *nn__opencl_resize_to(const nn_resize_args *args, bool back) {
    return back ? &args->x : &args->y;
}
static const nn_view *nn__opencl_resize_from(const nn_resize_args *args, bool back) {
    return back ? &args->y : &args->x;
}

/* Returns the bytes of the table of one axis: an index and a weight for each tap of each output. */
static uint64_t nn__opencl_resize_bytes(const nn_resize_args *args, bool back, int which) {
    return (uint64_t)nn__opencl_resize_to(args, back)->shape.extent[2 + which] *
           (uint64_t)(which ? args->taps_w : args->taps_h) * 8;
}
static uint64_t nn__opencl_resize_scratch(const nn_resize_args *args, bool back) {
    return nn__opencl_resize_bytes(args, back, 0) + nn__opencl_resize_bytes(args, back, 1);
}
static nn_view nn__opencl_resize_table(const nn_resize_args *args, bool back, int which) {
    nn_view table =
        nn__opencl_part(&args->scratch, which ? nn__opencl_resize_bytes(args, back, 0) : 0,
                        nn__opencl_resize_bytes(args, back, which));
    table.dtype = NN_I32;
    return table;
}

/* Returns the numbers per unit, enough to fill a GPU. */
static int64_t nn__opencl_resize_each(void) {
    return 1 << 22;
}
/* The first unit computes the tables. */
static int32_t nn__opencl_resize_units(const nn_resize_args *args, bool back) {
    return 1 + nn__opencl_ceil_div(nn__opencl_count(nn__opencl_resize_to(args, back)),
                                   nn__opencl_resize_each());
}

static nn_result nn__opencl_resize_places(nn__opencl *device, const nn_resize_args *args, bool back,
                                          int which) {
    const nn_view table = nn__opencl_resize_table(args, back, which);
    nn__opencl_launch launch = nn__opencl_begin(device, "resize", "nn_resize_places", "");
    nn__opencl_view(&launch, &table);
    nn__opencl_int(&launch, args->x.shape.extent[2 + which]);
    nn__opencl_int(&launch, args->y.shape.extent[2 + which]);
    nn__opencl_int(&launch, (int32_t)args->mode);
    nn__opencl_int(&launch, args->align_corners);
    nn__opencl_int(&launch, args->antialias);
    nn__opencl_float(&launch, args->cubic);
    nn__opencl_float(&launch, which ? args->step_w : args->step_h);
    nn__opencl_int(&launch, which ? args->taps_w : args->taps_h);
    nn__opencl_int(&launch, back);
    return nn__opencl_run_flat(&launch,
                               (uint64_t)nn__opencl_resize_to(args, back)->shape.extent[2 + which],
                               64);
}

static nn_result nn__opencl_resize_run(nn__opencl *device, const nn_resize_args *args, bool back,
                                       int32_t first_unit, int32_t count) {
    const nn_view *to = nn__opencl_resize_to(args, back),
                  *from = nn__opencl_resize_from(args, back);
    int64_t each = nn__opencl_resize_each(), all = nn__opencl_count(to);
    int64_t first = (first_unit - 1) * each, end = first + count * each;
    const nn_view rows = nn__opencl_resize_table(args, back, 0),
                  columns = nn__opencl_resize_table(args, back, 1);
    nn_result result = NN_OK;
    if (first_unit == 0) {
        result = nn__opencl_resize_places(device, args, back, 0);
        if (result == NN_OK) result = nn__opencl_resize_places(device, args, back, 1);
        first = 0;
    }
    if (end > all) end = all;
    if (result != NN_OK || (end <= first && !device->dry)) return result;
    nn__opencl_launch launch = nn__opencl_begin(device, "resize", "nn_resize", "");
    nn__opencl_view(&launch, to);
    nn__opencl_view(&launch, from);
    nn__opencl_view(&launch, &rows);
    nn__opencl_view(&launch, &columns);
    for (int i = 2; i < 4; i++) nn__opencl_int(&launch, from->shape.extent[i]);
    for (int i = 2; i < 4; i++) nn__opencl_int(&launch, to->shape.extent[i]);
    nn__opencl_int(&launch, args->taps_h);
    nn__opencl_int(&launch, args->taps_w);
    nn__opencl_int(&launch, back && args->accumulate);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > first ? end - first : 0),
                               256);
}

static uint64_t nn__opencl_resize_forward_scratch(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_resize_scratch((const nn_resize_args *)args, false);
}
static int32_t nn__opencl_resize_forward_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_resize_units((const nn_resize_args *)args, false);
}
static nn_result nn__opencl_resize_forward_run(nn__opencl *device, const void *args, int32_t first,
                                               int32_t count) {
    return nn__opencl_resize_run(device, (const nn_resize_args *)args, false, first, count);
}
static uint64_t nn__opencl_resize_backward_scratch(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_resize_scratch((const nn_resize_args *)args, true);
}
static int32_t nn__opencl_resize_backward_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_resize_units((const nn_resize_args *)args, true);
}
static nn_result nn__opencl_resize_backward_run(nn__opencl *device, const void *args, int32_t first,
                                                int32_t count) {
    return nn__opencl_resize_run(device, (const nn_resize_args *)args, true, first, count);
}

static const nn__opencl_kernel nn__opencl_resize_forward = {
    NULL, nn__opencl_resize_forward_scratch, nn__opencl_resize_forward_units,
    nn__opencl_resize_forward_run, NULL};
static const nn__opencl_kernel nn__opencl_resize_backward = {
    NULL, nn__opencl_resize_backward_scratch, nn__opencl_resize_backward_units,
    nn__opencl_resize_backward_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_resize_forward(void) {
    return &nn__opencl_resize_forward;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_resize_backward(void) {
    return &nn__opencl_resize_backward;
}
