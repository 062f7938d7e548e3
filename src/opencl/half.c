/* opencl/half.c - half arithmetic (cl_khr_fp16) in products of devices without matrix units:
   whether the device has it, computes right with it, and is faster. kernels/matmul/opencl_half.c
   decides which products use it. */
#include "opencl/private.h"

#define NN__OPENCL_HALF_SIDE 1024 /* rows, columns and steps of the product that is measured */
#define NN__OPENCL_HALF_RUNS 4
/* It must take at most four fifths of the time, so that chance does not decide. */
#define NN__OPENCL_HALF_GAIN(half, f32) ((half) / 4 <= (f32) / 5)

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
    if (!nn__opencl_mma_test_half(device))
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

#undef NN__OPENCL_HALF_SIDE
#undef NN__OPENCL_HALF_RUNS
#undef NN__OPENCL_HALF_GAIN
