/* kernels/integer/opencl.c - inference in 8-bit integers on OpenCL. A unit is a range of elements
   of y, and a work-item computes one of them. */
#include "opencl/private.h"

/* Elements of a unit: about 1 s of work on a slow device. */
#define NN__OPENCL_INTEGERS (1 << 20)

static int32_t nn__opencl_integer_units_of(const nn_view *y) {
    return nn__opencl_ceil_div(nn__opencl_count(y), NN__OPENCL_INTEGERS);
}
/* Adds the elements of the units as the last two arguments, and runs. */
static nn_result nn__opencl_integer_run(nn__opencl_launch *launch, const nn_view *y, int32_t first,
                                        int32_t count) {
    const int64_t all = nn__opencl_count(y), from = (int64_t)first * NN__OPENCL_INTEGERS;
    int64_t end = from + (int64_t)count * NN__OPENCL_INTEGERS;
    if (end > all) end = all;
    nn__opencl_ulong(launch, (uint64_t)from);
    nn__opencl_ulong(launch, (uint64_t)end);
    return nn__opencl_run_flat(launch, (uint64_t)(end > from ? end - from : 0), 64);
}
static void nn__opencl_integer_extents(nn__opencl_launch *launch, const nn_view *x,
                                       const nn_view *y) {
    for (int i = 1; i < 4; i++) nn__opencl_int(launch, x->shape.extent[i]);
    for (int i = 1; i < 3; i++) nn__opencl_int(launch, y->shape.extent[i]);
}

/* ---- convolutions and pools ------------------------------------------------------------------ */

static int32_t nn__opencl_integer_conv2d_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_integer_units_of(&((const nn_integer_conv2d_args *)args)->y);
}
static nn_result nn__opencl_integer_conv2d_run(nn__opencl *device, const void *arguments,
                                               int32_t first, int32_t count) {
    const nn_integer_conv2d_args *args = (const nn_integer_conv2d_args *)arguments;
    const nn_conv2d_params *p = &args->params;
    nn__opencl_launch launch = nn__opencl_begin(device, "integer", "nn_integer_conv2d",
                                                nn__opencl_integer_dots(device));
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->bias);
    nn__opencl_view(&launch, &args->factor);
    nn__opencl_view(&launch, &args->zero);
    nn__opencl_integer_extents(&launch, &args->x, &args->y);
    nn__opencl_int(&launch, args->y.shape.extent[3]);
    nn__opencl_int(&launch, p->kernel_h);
    nn__opencl_int(&launch, p->kernel_w);
    nn__opencl_int(&launch, p->stride_h);
    nn__opencl_int(&launch, p->stride_w);
    nn__opencl_int(&launch, p->padding_h);
    nn__opencl_int(&launch, p->padding_w);
    nn__opencl_int(&launch, p->dilation_h);
    nn__opencl_int(&launch, p->dilation_w);
    nn__opencl_int(&launch, p->groups);
    nn__opencl_int(&launch, args->transposed ? 2 : args->weight.shape.rank == 3);
    return nn__opencl_integer_run(&launch, &args->y, first, count);
}

static int32_t nn__opencl_integer_pool2d_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_integer_units_of(&((const nn_integer_pool2d_args *)args)->y);
}
static nn_result nn__opencl_integer_pool2d_run(nn__opencl *device, const void *arguments,
                                               int32_t first, int32_t count) {
    const nn_integer_pool2d_args *args = (const nn_integer_pool2d_args *)arguments;
    nn__opencl_launch launch = nn__opencl_begin(device, "integer", "nn_integer_pool2d", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->zero);
    nn__opencl_integer_extents(&launch, &args->x, &args->y);
    nn__opencl_int(&launch, args->kernel_h);
    nn__opencl_int(&launch, args->kernel_w);
    nn__opencl_int(&launch, args->stride_h);
    nn__opencl_int(&launch, args->stride_w);
    nn__opencl_int(&launch, args->padding_h);
    nn__opencl_int(&launch, args->padding_w);
    nn__opencl_int(&launch, args->kind == NN_POOL_AVERAGE);
    nn__opencl_int(&launch, args->count_only_inside);
    return nn__opencl_integer_run(&launch, &args->y, first, count);
}

static int32_t nn__opencl_integer_resize2d_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_integer_units_of(&((const nn_integer_resize2d_args *)args)->y);
}
static nn_result nn__opencl_integer_resize2d_run(nn__opencl *device, const void *arguments,
                                                 int32_t first, int32_t count) {
    const nn_integer_resize2d_args *args = (const nn_integer_resize2d_args *)arguments;
    nn__opencl_launch launch = nn__opencl_begin(device, "integer", "nn_integer_resize2d", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->rows);
    nn__opencl_view(&launch, &args->columns);
    nn__opencl_integer_extents(&launch, &args->x, &args->y);
    return nn__opencl_integer_run(&launch, &args->y, first, count);
}

/* ---- sums, products, functions --------------------------------------------------------------- */

static int32_t nn__opencl_integer_add_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_integer_units_of(&((const nn_integer_add_args *)args)->y);
}
static nn_result nn__opencl_integer_add_run(nn__opencl *device, const void *arguments,
                                            int32_t first, int32_t count) {
    const nn_integer_add_args *args = (const nn_integer_add_args *)arguments;
    nn__opencl_launch launch = nn__opencl_begin(device, "integer", "nn_integer_add", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->a);
    nn__opencl_view(&launch, &args->b);
    nn__opencl_view(&launch, &args->numbers);
    return nn__opencl_integer_run(&launch, &args->y, first, count);
}

static int32_t nn__opencl_integer_multiply_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_integer_units_of(&((const nn_integer_multiply_args *)args)->y);
}
static nn_result nn__opencl_integer_multiply_run(nn__opencl *device, const void *arguments,
                                                 int32_t first, int32_t count) {
    const nn_integer_multiply_args *args = (const nn_integer_multiply_args *)arguments;
    const int32_t *y = args->y.shape.extent;
    const bool wide = nn__opencl_count(&args->b) != nn__opencl_count(&args->y);
    nn__opencl_launch launch = nn__opencl_begin(device, "integer", "nn_integer_multiply", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->a);
    nn__opencl_view(&launch, &args->b);
    nn__opencl_view(&launch, &args->numbers);
    nn__opencl_ulong(&launch, wide ? (uint64_t)y[1] * (uint64_t)y[2] * (uint64_t)y[3] : 0);
    nn__opencl_ulong(&launch, wide ? (uint64_t)y[3] : 1);
    return nn__opencl_integer_run(&launch, &args->y, first, count);
}

static int32_t nn__opencl_integer_table_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_integer_units_of(&((const nn_integer_table_args *)args)->y);
}
static nn_result nn__opencl_integer_table_run(nn__opencl *device, const void *arguments,
                                              int32_t first, int32_t count) {
    const nn_integer_table_args *args = (const nn_integer_table_args *)arguments;
    nn__opencl_launch launch = nn__opencl_begin(device, "integer", "nn_integer_table", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->table);
    return nn__opencl_integer_run(&launch, &args->y, first, count);
}

static int32_t nn__opencl_integer_softmax_length(const nn_integer_softmax_args *args) {
    const int32_t length = args->x.shape.extent[args->axis];
    return length > 1 ? length : 1;
}
/* Rows of a unit. */
static int32_t nn__opencl_integer_softmax_each(const nn_integer_softmax_args *args) {
    const int32_t each = NN__OPENCL_INTEGERS / nn__opencl_integer_softmax_length(args);
    return each > 1 ? each : 1;
}
static int32_t nn__opencl_integer_softmax_units(nn__opencl *device, const void *arguments) {
    const nn_integer_softmax_args *args = (const nn_integer_softmax_args *)arguments;
    (void)device;
    return nn__opencl_ceil_div(nn__opencl_count(&args->y) / nn__opencl_integer_softmax_length(args),
                               nn__opencl_integer_softmax_each(args));
}
static nn_result nn__opencl_integer_softmax_run(nn__opencl *device, const void *arguments,
                                                int32_t first, int32_t count) {
    const nn_integer_softmax_args *args = (const nn_integer_softmax_args *)arguments;
    const nn_shape *shape = &args->x.shape;
    const int32_t length = nn__opencl_integer_softmax_length(args);
    const int64_t each = nn__opencl_integer_softmax_each(args), from = (int64_t)first * each,
                  rows = nn__opencl_count(&args->y) / length;
    const int64_t end = from + count * each < rows ? from + count * each : rows;
    uint64_t inner = 1;
    nn__opencl_launch launch = nn__opencl_begin(device, "integer", "nn_integer_softmax", "");
    size_t groups = (size_t)(end > from ? end - from : 0),
           local = nn__opencl_group(&launch, length > 16 ? 64 : 16);
    for (int i = args->axis + 1; i < shape->rank; i++) inner *= (uint64_t)shape->extent[i];
    if (groups == 0) return NN_OK;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->table);
    nn__opencl_view(&launch, &args->numbers);
    nn__opencl_int(&launch, length);
    nn__opencl_ulong(&launch, inner);
    nn__opencl_ulong(&launch, (uint64_t)from);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

/* ---- lstm and gru ---------------------------------------------------------------------------- */

static uint64_t nn__opencl_integer_recurrent_scratch(nn__opencl *device, const void *arguments) {
    const int32_t *y = ((const nn_integer_recurrent_args *)arguments)->y.shape.extent;
    (void)device;
    return (uint64_t)y[0] * (uint64_t)y[2] * sizeof(int32_t);
}
static int32_t nn__opencl_integer_recurrent_units(nn__opencl *device, const void *arguments) {
    (void)device;
    return ((const nn_integer_recurrent_args *)arguments)->y.shape.extent[0];
}
static nn_result nn__opencl_integer_recurrent_run(nn__opencl *device, const void *arguments,
                                                  int32_t first, int32_t count) {
    const nn_integer_recurrent_args *args = (const nn_integer_recurrent_args *)arguments;
    const int32_t *x = args->x.shape.extent, H = args->y.shape.extent[2];
    const nn_view kept =
        nn__opencl_part(&args->scratch, 0, nn__opencl_integer_recurrent_scratch(device, args));
    nn__opencl_launch launch = nn__opencl_begin(device, "integer", "nn_integer_recurrent",
                                                nn__opencl_integer_dots(device));
    size_t groups = (size_t)count, local = nn__opencl_group(&launch, H > 64 ? 256 : 64);
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->state);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->weight_ih);
    nn__opencl_view(&launch, &args->weight_hh);
    nn__opencl_view(&launch, &args->bias);
    nn__opencl_view(&launch, &args->factor);
    nn__opencl_view(&launch, &args->numbers);
    nn__opencl_view(&launch, &kept);
    nn__opencl_int(&launch, x[1]);
    nn__opencl_int(&launch, x[2]);
    nn__opencl_int(&launch, H);
    nn__opencl_int(&launch, (int32_t)args->cell);
    nn__opencl_int(&launch, args->reverse);
    nn__opencl_int(&launch, first);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

/* ---- conversions ----------------------------------------------------------------------------- */

static int32_t nn__opencl_quantize_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_integer_units_of(&((const nn_quantize_args *)args)->y);
}
static nn_result nn__opencl_convert_run(nn__opencl *device, const nn_quantize_args *args,
                                        const char *entry, const nn_view *real, int32_t first,
                                        int32_t count) {
    const int32_t *e = real->shape.extent;
    const bool last = args->channels_last;
    nn__opencl_launch launch = nn__opencl_begin(device, "integer", entry, "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->scale);
    nn__opencl_ulong(&launch, last ? (uint64_t)e[2] * (uint64_t)e[3] : 1);
    nn__opencl_ulong(&launch, last ? (uint64_t)e[1] : 1);
    return nn__opencl_integer_run(&launch, &args->y, first, count);
}
static nn_result nn__opencl_quantize_run(nn__opencl *device, const void *arguments, int32_t first,
                                         int32_t count) {
    const nn_quantize_args *args = (const nn_quantize_args *)arguments;
    return nn__opencl_convert_run(device, args, "nn_quantize", &args->x, first, count);
}
static nn_result nn__opencl_dequantize_run(nn__opencl *device, const void *arguments,
                                           int32_t first, int32_t count) {
    const nn_quantize_args *args = (const nn_quantize_args *)arguments;
    return nn__opencl_convert_run(device, args, "nn_dequantize", &args->y, first, count);
}
#undef NN__OPENCL_INTEGERS

static const nn__opencl_kernel nn__opencl_integer_recurrent = {
    NULL, nn__opencl_integer_recurrent_scratch, nn__opencl_integer_recurrent_units,
    nn__opencl_integer_recurrent_run, NULL};
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_integer_recurrent(void) {
    return &nn__opencl_integer_recurrent;
}

#define NN__OPENCL_INTEGER(name, units)                                                            \
    NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_##name(void) {                   \
        static const nn__opencl_kernel kernel = {NULL, NULL, units,                                \
                                                 nn__opencl_##name##_run, NULL};                   \
        return &kernel;                                                                            \
    }
NN__OPENCL_INTEGER(integer_conv2d, nn__opencl_integer_conv2d_units)
NN__OPENCL_INTEGER(integer_pool2d, nn__opencl_integer_pool2d_units)
NN__OPENCL_INTEGER(integer_resize2d, nn__opencl_integer_resize2d_units)
NN__OPENCL_INTEGER(integer_add, nn__opencl_integer_add_units)
NN__OPENCL_INTEGER(integer_multiply, nn__opencl_integer_multiply_units)
NN__OPENCL_INTEGER(integer_table, nn__opencl_integer_table_units)
NN__OPENCL_INTEGER(integer_softmax, nn__opencl_integer_softmax_units)
NN__OPENCL_INTEGER(quantize, nn__opencl_quantize_units)
NN__OPENCL_INTEGER(dequantize, nn__opencl_quantize_units)
#undef NN__OPENCL_INTEGER
