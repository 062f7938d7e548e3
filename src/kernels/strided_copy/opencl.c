/* kernels/strided_copy/opencl.c - strided copies on OpenCL: one launch for the fill and one for
   each piece, in order. */
#include "opencl/private.h"

/* Returns the elements per unit, enough to fill a GPU. */
static int64_t nn__opencl_copy_unit(void) {
    return 1 << 22;
}

static int64_t nn__opencl_copy_total(const nn_copy_piece *piece) {
    int64_t total = 1;
    for (int i = 0; i < NN_COPY_AXES; i++) total *= piece->extent[i];
    return total;
}

/* Returns the number of elements of a row that one work-item copies. */
static uint32_t nn__opencl_copy_each(void) { return 1; }

static int64_t nn__opencl_copy_items(const nn_copy_piece *piece,
                                     uint32_t *cuts) {
    uint32_t each = nn__opencl_copy_each();
    int32_t row = piece->extent[NN_COPY_AXES - 1];
    *cuts = ((uint32_t)row + each - 1) / each;
    return nn__opencl_copy_total(piece) / row * (int64_t)*cuts;
}

static int64_t nn__opencl_copy_piece_units(const nn_copy_piece *piece) {
    int64_t unit = nn__opencl_copy_unit(), total = nn__opencl_copy_total(piece);
    uint32_t cuts;
    int64_t units = (total + unit - 1) / unit, items = nn__opencl_copy_items(piece, &cuts);
    return units < items ? units : items; /* a work-item is never split */
}

static int64_t nn__opencl_copy_fill_units(const nn_strided_copy_args *args) {
    int64_t unit = nn__opencl_copy_unit();
    return args->fill ? (nn__opencl_count(&args->y) + unit - 1) / unit : 0;
}

static int32_t nn__opencl_copy_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)arguments;
    int64_t units = nn__opencl_copy_fill_units(args);
    for (int32_t i = 0; i < args->count; i++)
        units += nn__opencl_copy_piece_units(&args->pieces[i]);
    return (int32_t)units;
}

static int nn__opencl_copy_size(const nn_strided_copy_args *args) {
    size_t size = nn_dtype_size(args->y.dtype);
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
}

static nn_result nn__opencl_copy_fill(nn__opencl *device, const nn_strided_copy_args *args,
                                      int64_t first, int64_t end) {
    static const char *const names[] = {"nn_strided_fill_1", "nn_strided_fill_2",
                                        "nn_strided_fill_4", "nn_strided_fill_8"};
    int64_t unit = nn__opencl_copy_unit(), count = nn__opencl_count(&args->y);
    uint32_t each = nn__opencl_copy_each();
    nn__opencl_launch launch;
    first *= unit;
    end = end * unit < count ? end * unit : count;
    launch = nn__opencl_begin(device, "strided_copy", names[nn__opencl_copy_size(args)], "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_ulong(&launch, args->value);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, each);
    return nn__opencl_run_flat(&launch, ((uint64_t)(end - first) + each - 1) / each,
                               256);
}

/* Runs units [first, end) of a piece that has `units` of them. */
static nn_result nn__opencl_copy_piece(nn__opencl *device, const nn_strided_copy_args *args,
                                       const nn_copy_piece *piece, int64_t first, int64_t end,
                                       int64_t units) {
    static const char *const names[] = {"nn_strided_copy_1", "nn_strided_copy_2",
                                        "nn_strided_copy_4", "nn_strided_copy_8"};
    uint32_t cuts;
    int64_t items = nn__opencl_copy_items(piece, &cuts), each = (items + units - 1) / units;
    nn__opencl_launch launch;
    char options[48] = "";
    const bool casts = piece->x.dtype != args->y.dtype;
    first *= each;
    end = end * each < items ? end * each : items;
    if (casts)
        nn__opencl_format(options, sizeof options, "-DNN_COPY_X=%d -DNN_COPY_Y=%d",
                          nn__opencl_stored(&piece->x), nn__opencl_stored(&args->y));
    launch = nn__opencl_begin(device, "strided_copy",
                              args->accumulate ? "nn_strided_copy_add"
                              : casts          ? "nn_strided_copy_cast"
                                               : names[nn__opencl_copy_size(args)],
                              options);
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &piece->x);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_ulong(&launch, (uint64_t)piece->y_first);
    nn__opencl_ulong(&launch, (uint64_t)piece->x_first);
    for (int i = 0; i < NN_COPY_AXES; i++) nn__opencl_uint(&launch, (uint32_t)piece->extent[i]);
    for (int i = 0; i < NN_COPY_AXES; i++) nn__opencl_ulong(&launch, (uint64_t)piece->y_stride[i]);
    for (int i = 0; i < NN_COPY_AXES; i++) nn__opencl_ulong(&launch, (uint64_t)piece->x_stride[i]);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, cuts);
    nn__opencl_uint(&launch, nn__opencl_copy_each());
    return nn__opencl_run_flat(&launch, (uint64_t)(end > first ? end - first : 0),
                               256);
}

static nn_result nn__opencl_copy_run(nn__opencl *device, const void *arguments, int32_t first_unit,
                                     int32_t count) {
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)arguments;
    int64_t first = first_unit, end = first + count,
            units = nn__opencl_copy_fill_units(args);
    nn_result result = NN_OK;
    if (first < units)
        result = nn__opencl_copy_fill(device, args, first, end < units ? end : units);
    for (int32_t i = 0; i < args->count && result >= 0; i++) {
        first = first > units ? first - units : 0;
        end -= units;
        if (end <= 0) break;
        units = nn__opencl_copy_piece_units(&args->pieces[i]);
        if (first < units)
            result = nn__opencl_copy_piece(device, args, &args->pieces[i], first,
                                           end < units ? end : units, units);
    }
    return result;
}

static const char *nn__opencl_copy_refuses(nn__opencl *device, const void *arguments) {
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)arguments;
    (void)device;
    return args->accumulate && args->y.dtype != NN_F32 ? "a copy that accumulates must write f32"
                                                       : NULL;
}

/* True if each x and y is f32, f16 or bf16, and the copy may convert between them. A fill with
   another value than 0 may not: its value is the bits of one dtype. */
static bool nn__opencl_copy_halves(nn__opencl *device, const void *arguments) {
    const nn_strided_copy_args *args = (const nn_strided_copy_args *)arguments;
    bool real = args->y.dtype == NN_F32 || nn__opencl_stored(&args->y);
    (void)device;
    for (int32_t i = 0; i < args->count; i++)
        real = real &&
               (args->pieces[i].x.dtype == NN_F32 || nn__opencl_stored(&args->pieces[i].x));
    return real && !args->accumulate && !(args->fill && args->value != 0);
}

static const nn__opencl_kernel nn__opencl_copy_kernel = {
    nn__opencl_copy_refuses, NULL, nn__opencl_copy_units, nn__opencl_copy_run,
    nn__opencl_copy_halves};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_strided_copy(void) {
    return &nn__opencl_copy_kernel;
}
