/* kernels/pointwise/opencl.c - element-wise functions: folds the shapes, cuts the work, picks the
   program of the one function.

   No expression compiler: what fuses does so in the epilogues of gemm and conv2d. The kernels:
   kernels/pointwise/opencl.cl. */
#include "opencl/private.h"

/* y's extents with axes of 1 left out and neighbours joined where both operands allow it; innermost
   first. a, b: how far the operand goes for one step along the axis, 0 where it stands still. */
typedef struct nn__opencl_walk {
    int rank;
    uint64_t extent[NN_MAX_RANK], a[NN_MAX_RANK], b[NN_MAX_RANK];
} nn__opencl_walk;

static void nn__opencl_pointwise_steps(const nn_view *view, const nn_shape *y, uint64_t *steps) {
    uint64_t step = 1;
    int missing = y->rank - view->shape.rank;
    for (int i = y->rank - 1; i >= 0; i--) {
        int32_t extent =
            i >= missing && nn__opencl_present(view) ? view->shape.extent[i - missing] : 1;
        steps[i] = extent == 1 ? 0 : step;
        step *= (uint64_t)extent;
    }
}

static nn__opencl_walk nn__opencl_pointwise_fold(const nn_pointwise_args *args) {
    const nn_shape *y = &args->y.shape;
    nn__opencl_walk walk;
    uint64_t a[NN_MAX_RANK], b[NN_MAX_RANK];
    nn__opencl_pointwise_steps(&args->a, y, a);
    nn__opencl_pointwise_steps(&args->b, y, b);
    memset(&walk, 0, sizeof walk);
    for (int i = 0; i < NN_MAX_RANK; i++) walk.extent[i] = 1;
    for (int i = y->rank - 1; i >= 0; i--) {
        uint64_t extent = (uint64_t)y->extent[i];
        int last = walk.rank - 1;
        if (extent == 1) continue;
        if (last >= 0 && a[i] == walk.a[last] * walk.extent[last] &&
            b[i] == walk.b[last] * walk.extent[last]) {
            walk.extent[last] *= extent;
            continue;
        }
        walk.extent[walk.rank] = extent;
        walk.a[walk.rank] = a[i], walk.b[walk.rank] = b[i];
        walk.rank++;
    }
    if (walk.rank == 0) walk.rank = 1;
    return walk;
}

/* Functions whose every number costs an exp or a part of Philox. */
static bool nn__opencl_pointwise_slow(nn_pointwise_op op) {
    return op == NN_SIGMOID || op == NN_TANH || op == NN_GELU || op == NN_EXP || op == NN_LOG ||
           op == NN_SOFTPLUS || op == NN_DROPOUT;
}

/* Numbers of a unit, a multiple of 4. */
static int64_t nn__opencl_pointwise_unit(const nn__opencl *device) {
    return device->cpu ? 65536 : 1 << 20;
}

static int32_t nn__opencl_pointwise_units(nn__opencl *device, const void *arguments) {
    const nn_pointwise_args *args = (const nn_pointwise_args *)arguments;
    return nn__opencl_ceil_div(nn__opencl_count(&args->y), nn__opencl_pointwise_unit(device));
}

static void nn__opencl_pointwise_digits(char *to, int number) {
    if (number >= 10) *to++ = (char)('0' + number / 10);
    *to++ = (char)('0' + number % 10);
    *to = 0;
}

static nn__opencl_launch nn__opencl_pointwise_begin(nn__opencl *device,
                                                    const nn_pointwise_args *args, bool backward) {
    char op[4], options[64];
    nn__opencl_pointwise_digits(op, (int)args->op);
    strcpy(options, "-DNN_OP=");
    strcat(options, op);
    if (backward) strcat(options, " -DNN_BACKWARD=1");
    if (nn__opencl_count(&args->y) > INT32_MAX) strcat(options, " -DNN_INDEX=ulong");
    return nn__opencl_begin(device, "pointwise",
                            device->cpu ? "nn_pointwise_wide" : "nn_pointwise_flat", options);
}

static nn_result nn__opencl_pointwise_run(nn__opencl *device, const nn_pointwise_args *args,
                                          bool backward, int32_t first_unit, int32_t count) {
    int64_t unit = nn__opencl_pointwise_unit(device), first = first_unit * unit,
            end = first + count * unit;
    int64_t total = nn__opencl_count(&args->y),
            each = device->cpu ? (nn__opencl_pointwise_slow(args->op) ? 2048 : 16384) : 4;
    nn__opencl_walk walk = nn__opencl_pointwise_fold(args);
    nn__opencl_launch launch = nn__opencl_pointwise_begin(device, args, backward);
    if (end > total) end = total;
    if (first >= end) return launch.result;
    if (device->cpu && end - first < 2 * each) { /* both halves of a small one at work */
        each = ((end - first) / 2 + 63) / 64 * 64;
        if (each < 1024) each = 1024;
    }
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->a);
    nn__opencl_view(&launch, &args->b);
    nn__opencl_float(&launch, args->scalar);
    nn__opencl_int(&launch, args->accumulate);
    nn__opencl_float(&launch, args->scalar < 1.0f ? 1.0f / (1.0f - args->scalar) : 0.0f);
    nn__opencl_ulong(&launch, args->seed);
    nn__opencl_ulong(&launch, args->stream);
    nn__opencl_ulong(&launch, args->counter);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, (uint32_t)each);
    nn__opencl_int(&launch, walk.rank);
    for (int i = 0; i < 6; i++) nn__opencl_ulong(&launch, walk.extent[i]);
    for (int i = 0; i < 6; i++) nn__opencl_ulong(&launch, walk.a[i]);
    for (int i = 0; i < 6; i++) nn__opencl_ulong(&launch, walk.b[i]);
    return nn__opencl_run_flat(&launch, (uint64_t)((end - first + each - 1) / each),
                               device->cpu ? 1 : 256);
}

static nn_result nn__opencl_pointwise_forward_run(nn__opencl *device, const void *args,
                                                  int32_t first, int32_t count) {
    return nn__opencl_pointwise_run(device, (const nn_pointwise_args *)args, false, first, count);
}
static nn_result nn__opencl_pointwise_backward_run(nn__opencl *device, const void *args,
                                                   int32_t first, int32_t count) {
    return nn__opencl_pointwise_run(device, (const nn_pointwise_args *)args, true, first, count);
}

static const char *nn__opencl_pointwise_refuses(nn__opencl *device, const void *arguments) {
    const nn_pointwise_args *args = (const nn_pointwise_args *)arguments;
    bool numbers = args->y.dtype == NN_F32 && args->a.dtype == NN_F32;
    (void)device;
    if (args->op >= NN_BINARY_FIRST_)
        return numbers && args->b.dtype == NN_F32 ? NULL : "pointwise computes with f32 only";
    if (args->op == NN_COPY && !args->accumulate && args->y.dtype == NN_I32 &&
        args->a.dtype == NN_I32)
        return NULL;
    return numbers ? NULL : "pointwise computes with f32 only (copy: i32 as well)";
}

static const char *nn__opencl_pointwise_backward_refuses(nn__opencl *device,
                                                         const void *arguments) {
    const nn_pointwise_args *args = (const nn_pointwise_args *)arguments;
    if (args->op >= NN_BINARY_FIRST_) return "pointwise backward is for the unary functions";
    return nn__opencl_pointwise_refuses(device, arguments);
}

static const nn__opencl_kernel nn__opencl_pointwise_forward = {nn__opencl_pointwise_refuses, NULL,
                                                               nn__opencl_pointwise_units,
                                                               nn__opencl_pointwise_forward_run};
static const nn__opencl_kernel nn__opencl_pointwise_backward = {
    nn__opencl_pointwise_backward_refuses, NULL, nn__opencl_pointwise_units,
    nn__opencl_pointwise_backward_run};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_pointwise_forward(void) {
    return &nn__opencl_pointwise_forward;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_pointwise_backward(void) {
    return &nn__opencl_pointwise_backward;
}
