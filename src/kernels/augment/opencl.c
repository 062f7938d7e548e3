/* kernels/augment/opencl.c - image augmentation and conversion of bytes. A unit is a number of
   samples. */
#include "opencl/private.h"

static bool nn__opencl_augment_draws(const nn_augment_args *args) {
    return nn__opencl_present(&args->table);
}
static bool nn__opencl_augment_has_means(const nn_augment_args *args) {
    return nn__opencl_augment_draws(args) && args->contrast;
}

/* Tensors that are not images are converted number by number: each number counts as a sample. */
static int64_t nn__opencl_augment_samples(const nn_augment_args *args) {
    return args->x.shape.rank == 4 ? args->x.shape.extent[0] : nn__opencl_count(&args->y);
}

/* Returns the number of samples per unit, which have about 1 Mi numbers. */
static int64_t nn__opencl_augment_step(const nn_augment_args *args) {
    int64_t sample = nn__opencl_count(&args->y) / nn__opencl_augment_samples(args);
    int64_t step = (1 << 20) / sample;
    return step > 0 ? step : 1;
}

static int32_t nn__opencl_augment_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_augment_args *args = (const nn_augment_args *)arguments;
    return nn__opencl_ceil_div(nn__opencl_augment_samples(args),
                               nn__opencl_augment_step(args));
}

static uint64_t nn__opencl_augment_scratch(nn__opencl *device, const void *arguments) {
    const nn_augment_args *args = (const nn_augment_args *)arguments;
    (void)device;
    return nn__opencl_augment_has_means(args) ? (uint64_t)args->x.shape.extent[0] * sizeof(float)
                                              : 0;
}

/* Passes x as bytes and as floats; one of them is absent. */
static void nn__opencl_augment_x(nn__opencl_launch *launch, const nn_augment_args *args) {
    nn_view none;
    memset(&none, 0, sizeof none);
    nn__opencl_view(launch, args->x.dtype == NN_U8 ? &args->x : &none);
    nn__opencl_view(launch, args->x.dtype == NN_U8 ? &none : &args->x);
}

static void nn__opencl_augment_normalize(nn__opencl_launch *launch, const nn_augment_args *args) {
    for (int c = 0; c < 4; c++) nn__opencl_float(launch, args->mean[c]);
    for (int c = 0; c < 4; c++) nn__opencl_float(launch, 1.0f / args->std[c]);
}

/* Computes the mean grey of every sample, before the first unit. */
static nn_result nn__opencl_augment_means(nn__opencl *device, const nn_augment_args *args,
                                          const nn_view *means) {
    size_t samples = (size_t)args->x.shape.extent[0], local = 64;
    bool groups = device->group >= 64;
    nn__opencl_launch launch = nn__opencl_begin(
        device, "augment", groups ? "nn_augment_means_group" : "nn_augment_means", "");
    if (groups && launch.result == NN_OK && nn__opencl_group(&launch, 64) < 64) {
        groups = false;
        launch = nn__opencl_begin(device, "augment", "nn_augment_means", "");
    }
    nn__opencl_view(&launch, means);
    nn__opencl_augment_x(&launch, args);
    nn__opencl_view(&launch, &args->table);
    for (int i = 1; i < 4; i++) nn__opencl_int(&launch, args->x.shape.extent[i]);
    nn__opencl_float(&launch, args->scale);
    nn__opencl_float(&launch, args->offset);
    nn__opencl_uint(&launch, (uint32_t)samples);
    return groups ? nn__opencl_run(&launch, 1, &samples, &local)
                  : nn__opencl_run_flat(&launch, samples, 1);
}

static nn_result nn__opencl_augment_pictures(nn__opencl *device, const nn_augment_args *args,
                                             const nn_view *means, int64_t first, int64_t stop) {
    nn__opencl_launch launch = nn__opencl_begin(device, "augment", "nn_augment", "");
    int64_t count = nn__opencl_count(&args->y) / args->y.shape.extent[0] * (stop - first);
    int64_t each = 1;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_augment_x(&launch, args);
    nn__opencl_view(&launch, &args->table);
    nn__opencl_view(&launch, &args->normalize);
    nn__opencl_view(&launch, means);
    for (int i = 0; i < 4; i++) nn__opencl_int(&launch, args->x.shape.extent[i]);
    for (int i = 2; i < 4; i++) nn__opencl_int(&launch, args->y.shape.extent[i]);
    nn__opencl_float(&launch, args->scale);
    nn__opencl_float(&launch, args->offset);
    nn__opencl_float(&launch, args->fill);
    nn__opencl_augment_normalize(&launch, args);
    nn__opencl_uint(&launch, (uint32_t)first);
    nn__opencl_uint(&launch, (uint32_t)count);
    nn__opencl_uint(&launch, (uint32_t)each);
    return nn__opencl_run_flat(&launch, (uint64_t)((count + each - 1) / each),
                               256);
}

static nn_result nn__opencl_augment_convert(nn__opencl *device, const nn_augment_args *args,
                                            int64_t first, int64_t stop) {
    bool whole = args->y.dtype == NN_I32, picture = args->x.shape.rank == 4;
    nn__opencl_launch launch =
        nn__opencl_begin(device, "augment", whole ? "nn_convert_whole" : "nn_convert", "");
    int64_t sample = nn__opencl_count(&args->y) / nn__opencl_augment_samples(args),
            count = sample * (stop - first), each = 1;
    nn__opencl_view(&launch, &args->y);
    if (whole) {
        nn__opencl_view(&launch, &args->x);
    } else {
        nn__opencl_augment_x(&launch, args);
        nn__opencl_view(&launch, &args->normalize);
        nn__opencl_int(&launch, picture ? args->x.shape.extent[1] : 1);
        nn__opencl_uint(&launch,
                        picture ? (uint32_t)(sample / args->x.shape.extent[1]) : (uint32_t)count);
    }
    nn__opencl_float(&launch, args->scale);
    nn__opencl_float(&launch, args->offset);
    if (!whole) nn__opencl_augment_normalize(&launch, args);
    nn__opencl_ulong(&launch, (uint64_t)(first * sample));
    nn__opencl_uint(&launch, (uint32_t)count);
    nn__opencl_uint(&launch, (uint32_t)each);
    return nn__opencl_run_flat(&launch, (uint64_t)((count + each - 1) / each),
                               256);
}

static nn_result nn__opencl_augment_run(nn__opencl *device, const void *arguments,
                                        int32_t first_unit, int32_t count) {
    const nn_augment_args *args = (const nn_augment_args *)arguments;
    int64_t step = nn__opencl_augment_step(args),
            samples = nn__opencl_augment_samples(args);
    int64_t first = first_unit * step, end = first + count * step,
            most = ((int64_t)1 << 30) / (nn__opencl_count(&args->y) / samples);
    nn_view means;
    nn_result result = NN_OK;
    memset(&means, 0, sizeof means);
    if (end > samples) end = samples;
    if (nn__opencl_augment_has_means(args)) {
        means = nn__opencl_part(&args->scratch, 0, nn__opencl_augment_scratch(device, args));
        if (first_unit == 0) result = nn__opencl_augment_means(device, args, &means);
    }
    for (int64_t stop; first < end && result == NN_OK; first = stop) {
        stop = end - first > most ? first + most : end;
        result = nn__opencl_augment_draws(args) ?
                     nn__opencl_augment_pictures(device, args, &means, first, stop) :
                     nn__opencl_augment_convert(device, args, first, stop);
    }
    return result;
}

static const char *nn__opencl_augment_refuses(nn__opencl *device, const void *arguments) {
    const nn_augment_args *args = (const nn_augment_args *)arguments;
    (void)device;
    if (args->x.dtype != NN_U8 && args->x.dtype != NN_F32) return "x is neither u8 nor f32";
    if (args->y.dtype == NN_I32 && (args->x.dtype != NN_U8 || nn__opencl_augment_draws(args)))
        return "an i32 output needs a u8 input and no table";
    if (args->y.dtype != NN_I32 && args->y.dtype != NN_F32) return "y is neither f32 nor i32";
    if (args->x.shape.rank != 4) return NULL;
    if (nn__opencl_count(&args->y) / args->y.shape.extent[0] > INT32_MAX / 4 ||
        nn__opencl_count(&args->x) / args->x.shape.extent[0] > INT32_MAX / 4)
        return "a sample has more than 2^29 numbers";
    return NULL;
}

static const nn__opencl_kernel nn__opencl_augment_kernel = {
    nn__opencl_augment_refuses, nn__opencl_augment_scratch, nn__opencl_augment_units,
    nn__opencl_augment_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_augment(void) {
    return &nn__opencl_augment_kernel;
}
