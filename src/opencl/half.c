/* opencl/half.c - half arithmetic (cl_khr_fp16) in products and convolutions of devices without
   matrix units: whether the device has it, computes right with it, and is faster.
   kernels/matmul/opencl_half.c and kernels/conv2d/opencl_half.c decide which of them use it. */
#include "opencl/private.h"

#define NN__OPENCL_HALF_SIDE 1024 /* rows, columns and steps of the product that is measured */
#define NN__OPENCL_HALF_RUNS 4
/* It must take at most four fifths of the time, so that chance does not decide. */
#define NN__OPENCL_HALF_GAIN(half, f32) ((half) / 4 <= (f32) / 5)
#define NN__OPENCL_HALF_PARTS 64 /* NN_HALF_PARTS of opencl/common.cl */
/* Products for each number of the operands. Finding the largest numbers reads the operands once,
   which takes at most an eighth of the time of so many products where a device does 128 operations
   while it reads four bytes. */
#define NN__OPENCL_HALF_LEAST 256

NN__OPENCL_PRIVATE int nn__opencl_half_ask(nn__opencl *device) {
    char extensions[8192];
    memset(extensions, 0, sizeof extensions);
    return device->gpu &&
                   device->cl.GetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS,
                                            sizeof extensions - 1, extensions,
                                            NULL) == CL_SUCCESS &&
                   strstr(extensions, "cl_khr_fp16")
               ? 1
               : 0;
}

/* Returns the shortest time of a product in nanoseconds; 0: it failed, or there is no clock. */
static uint64_t nn__opencl_half_time(nn__opencl *device, const nn_gemm_args *g, bool half) {
    const nn__opencl_kernel *gemm = nn__opencl_kernel_of(NN_KERNEL_GEMM);
    const nn_clock *clock = &nn_context_desc(device->nn)->clock;
    nn_gemm_args product = *g;
    uint64_t least = 0;
    product.precision = half ? NN_PRECISION_MEDIUM : NN_PRECISION_HIGHEST;
    device->half_always = half;
    for (int i = 0; i <= NN__OPENCL_HALF_RUNS && clock->now; i++) { /* the first run compiles */
        const uint64_t start = clock->now(clock->user);
        uint64_t time;
        if (gemm->run(device, &product, 0, gemm->units(device, &product)) < 0 ||
            device->backend.finish(device) < 0)
            return 0;
        time = clock->now(clock->user) - start;
        if (i > 0 && (least == 0 || time < least)) least = time;
    }
    return least;
}

/* True if a product is faster with half arithmetic than in f32. */
static bool nn__opencl_half_is_faster(nn__opencl *device) {
    const int32_t extent = device->half_side > 0 ? device->half_side : NN__OPENCL_HALF_SIDE,
                  side[] = {extent, extent};
    const uint64_t each = 4 * (uint64_t)side[0] * (uint64_t)side[0], bytes = 16 * each;
    const nn__opencl_aside aside = nn__opencl_aside_begin(device, -1);
    nn_gemm_args g;
    nn_view *views[] = {&g.a, &g.b, &g.y, &g.scratch};
    uint64_t half = 0, f32 = 0;
    void *buffer = NULL;
    memset(&g, 0, sizeof g);
    g.m = g.n = g.k = side[0];
    if (device->backend.alloc(device, bytes, &buffer) >= 0) {
        for (int i = 0; i < 4; i++) { /* scratch has the rest, for pieces of k */
            views[i]->handle = buffer;
            views[i]->offset = (uint64_t)i * each;
            views[i]->dtype = NN_F32;
            views[i]->shape = nn_make_shape(side, 2);
        }
        if (device->backend.fill(device, buffer, 0, bytes, 0) >= 0 &&
            nn__opencl_kernel_of(NN_KERNEL_GEMM)->scratch_bytes(device, &g) <= 12 * each) {
            f32 = nn__opencl_half_time(device, &g, false);
            half = f32 ? nn__opencl_half_time(device, &g, true) : 0;
        }
        device->backend.finish(device);
        device->backend.release(device, buffer, bytes);
    }
    nn__opencl_aside_end(device, &aside);
    return half > 0 && NN__OPENCL_HALF_GAIN(half, f32);
}

NN__OPENCL_PRIVATE bool nn__opencl_halves(nn__opencl *device) {
    char text[200];
    if (!device->half || device->mma != NN__OPENCL_MMA_NONE) return false;
    if (device->half_tested) return device->half_tested > 0;
    device->half_tested = 1; /* the test itself asks, too */
    if (!nn__opencl_mma_test_half(device, NN__OPENCL_MMA_F32))
        nn__opencl_format(text, sizeof text,
                          "opencl: %s: the self-test of half arithmetic failed, so products are "
                          "computed in f32",
                          device->name);
    else if (!nn__opencl_half_is_faster(device))
        nn__opencl_format(text, sizeof text,
                          "opencl: %s: half arithmetic is not faster, so products are computed in "
                          "f32",
                          device->name);
    else
        return true;
    device->half_tested = -1;
    nn__opencl_log(device->nn, text);
    return false;
}

NN__OPENCL_PRIVATE bool nn__opencl_half_convs(nn__opencl *device, bool weight) {
    signed char *tested = &device->half_convs[weight];
    char text[200];
    if (!nn__opencl_halves(device)) return false;
    if (*tested) return *tested > 0;
    *tested = 1; /* the test itself asks, too */
    if (nn__opencl_mma_test_half(device,
                                 weight ? NN__OPENCL_MMA_CONV_WEIGHT : NN__OPENCL_MMA_CONV))
        return true;
    *tested = -1;
    nn__opencl_format(text, sizeof text,
                      "opencl: %s: the self-test of half arithmetic failed for %s, so they are "
                      "computed in f32",
                      device->name, weight ? "gradients of weights" : "convolutions");
    nn__opencl_log(device->nn, text);
    return false;
}

/* ---- what the kernels need ------------------------------------------------------------------- */

NN__OPENCL_PRIVATE bool nn__opencl_half_is_worth(const nn__opencl *device, double products,
                                                 double numbers) {
    return device->half_always || products >= NN__OPENCL_HALF_LEAST * numbers;
}

NN__OPENCL_PRIVATE void nn__opencl_half_options(const nn__opencl *device, char *text, size_t size) {
    nn__opencl_format(text, size, " -DNN_HALF=%d%s", device->half,
                      nn__opencl_half_is_intel(device) ? " -cl-intel-256-GRF-per-thread" : "");
}

NN__OPENCL_PRIVATE nn_result nn__opencl_half_find(nn__opencl *device, const nn_view *most,
                                                  const nn_view *a, uint64_t a_count,
                                                  const nn_view *b, uint64_t b_count) {
    const uint64_t each = 4 * NN__OPENCL_HALF_PARTS;
    nn_result result = NN_OK;
    for (int i = 0; i < 2 && result >= 0; i++) {
        const nn_view to = nn__opencl_part(most, (uint64_t)i * each, each);
        const size_t groups = NN__OPENCL_HALF_PARTS, local = 256;
        nn__opencl_launch launch =
            nn__opencl_begin(device, "matmul", "nn_gemm_half_most", "-DNN_GEMM_ONLY=12");
        nn__opencl_view(&launch, &to);
        nn__opencl_view(&launch, i ? b : a);
        nn__opencl_ulong(&launch, i ? b_count : a_count);
        result = nn__opencl_run(&launch, 1, &groups, &local);
    }
    return result;
}

#undef NN__OPENCL_HALF_SIDE
#undef NN__OPENCL_HALF_RUNS
#undef NN__OPENCL_HALF_GAIN
#undef NN__OPENCL_HALF_PARTS
#undef NN__OPENCL_HALF_LEAST
