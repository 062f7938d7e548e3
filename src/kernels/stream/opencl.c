/* kernels/stream/opencl.c - convolutions and pools of a stream on OpenCL. */
#include "opencl/private.h"

#define NN__STREAM_EACH 65536 /* work-items per unit */

static int32_t nn__opencl_stream_memory(int32_t kernel, int32_t stride, int32_t dilation) {
    return (kernel - 1) * dilation - (stride - 1);
}

static int32_t nn__opencl_stream_units(nn__opencl *device, const void *arguments) {
    (void)device;
    return nn__opencl_ceil_div(nn__opencl_count(&((const nn_stream_args *)arguments)->y),
                               NN__STREAM_EACH);
}

/* Passes the numbers that all kernels take: C, K, L, Y and R, stride, dilation, groups; then M. */
static void nn__opencl_stream_numbers(nn__opencl_launch *launch, const nn_view *y,
                                      const nn_view *x, int32_t kernel, int32_t stride,
                                      int32_t dilation, int32_t groups, nn_stream_way way) {
    const int32_t shape[8] = {x->shape.extent[1], y->shape.extent[1], x->shape.extent[2],
                              y->shape.extent[2], kernel,             stride,
                              dilation,           groups};
    nn__opencl_bytes(launch, sizeof shape, shape);
    nn__opencl_int(launch, nn__opencl_stream_memory(kernel, stride, dilation));
    nn__opencl_int(launch, (int32_t)way);
}

static nn_result nn__opencl_stream_run(nn__opencl *device, const void *arguments, int32_t first,
                                       int32_t count) {
    const nn_stream_args *args = (const nn_stream_args *)arguments;
    const int64_t items = nn__opencl_count(&args->y), from = (int64_t)first * NN__STREAM_EACH;
    int64_t end = from + (int64_t)count * NN__STREAM_EACH;
    nn__opencl_launch launch = nn__opencl_begin(
        device, "stream", args->way == NN_STREAM_CONV ? "nn_stream_conv" : "nn_stream_pool", "");
    if (end > items) end = items;
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->state);
    nn__opencl_view(&launch, &args->epilogue.bias);
    nn__opencl_stream_numbers(&launch, &args->y, &args->x, args->kernel, args->stride,
                              args->dilation, args->groups, args->way);
    nn__opencl_int(&launch, (int32_t)args->epilogue.activation);
    nn__opencl_ulong(&launch, (uint64_t)from);
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end > from ? end - from : 0), 64);
}
#undef NN__STREAM_EACH

static const nn__opencl_kernel nn__opencl_stream_forward = {NULL, NULL, nn__opencl_stream_units,
                                                            nn__opencl_stream_run, NULL};
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_stream_forward(void) {
    return &nn__opencl_stream_forward;
}

/* ---- the state: the rings, then their places and counts, which the rings read ---------------- */

static int32_t nn__opencl_stream_push_units(nn__opencl *device, const void *arguments) {
    (void)device, (void)arguments;
    return 1;
}

static nn_result nn__opencl_stream_push_run(nn__opencl *device, const void *arguments,
                                            int32_t first, int32_t count) {
    const nn_stream_push_args *args = (const nn_stream_push_args *)arguments;
    const int32_t N = args->x.shape.extent[0], C = args->x.shape.extent[1],
                  L = args->x.shape.extent[2], M = (args->state.shape.extent[1] - 2) / C;
    nn_result result = NN_OK;
    (void)first;
    for (int part = 0; part < 2 && count != 0 && result == NN_OK; part++) {
        nn__opencl_launch launch = nn__opencl_begin(
            device, "stream", part ? "nn_stream_turn" : "nn_stream_push", "");
        nn__opencl_view(&launch, &args->state);
        nn__opencl_view(&launch, &args->status);
        if (part == 0) nn__opencl_view(&launch, &args->x);
        nn__opencl_int(&launch, N);
        nn__opencl_int(&launch, C);
        nn__opencl_int(&launch, L);
        nn__opencl_int(&launch, M);
        result = nn__opencl_run_flat(&launch, part ? (uint64_t)N : (uint64_t)N * (uint64_t)C, 64);
    }
    return result;
}

static const nn__opencl_kernel nn__opencl_stream_push = {NULL, NULL, nn__opencl_stream_push_units,
                                                         nn__opencl_stream_push_run, NULL};
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_stream_push(void) {
    return &nn__opencl_stream_push;
}

/* ---- gradients ------------------------------------------------------------------------------- */

static nn_result nn__opencl_stream_backward_run(nn__opencl *device, const void *arguments,
                                                int32_t first, int32_t count) {
    const nn_stream_backward_args *args = (const nn_stream_backward_args *)arguments;
    const bool pool = nn__opencl_present(&args->dx);
    const uint64_t items = pool ? (uint64_t)args->x.shape.extent[0] *
                                      (uint64_t)args->x.shape.extent[1]
                                : (uint64_t)nn__opencl_count(&args->dweight);
    (void)first;
    if (count == 0) return NN_OK;
    nn__opencl_launch launch = nn__opencl_begin(
        device, "stream", pool ? "nn_stream_pool_back" : "nn_stream_weight_back", "");
    nn__opencl_view(&launch, pool ? &args->dx : &args->dweight);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &args->state);
    nn__opencl_stream_numbers(&launch, &args->dy, &args->x, args->kernel, args->stride,
                              args->dilation, args->groups, args->way);
    nn__opencl_int(&launch, args->x.shape.extent[0]);
    nn__opencl_ulong(&launch, items);
    return nn__opencl_run_flat(&launch, items, 64);
}

static const nn__opencl_kernel nn__opencl_stream_backward = {
    NULL, NULL, nn__opencl_stream_push_units, nn__opencl_stream_backward_run, NULL};
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_stream_backward(void) {
    return &nn__opencl_stream_backward;
}
