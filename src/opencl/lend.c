/* opencl/lend.c - products and convolutions of a CPU by the CPU backend of nn.h, which computes in
   the device's buffers while these are mapped. The user's compiler made its functions for this
   machine's vectors; what drivers make of OpenCL C for the same sums took 1.5 to 10 times as long
   (bench/results/2026-11-23-opencl-on-a-cpu.md). All other kernels stay those of kernels.cl.

   A buffer stays mapped until the device needs it: a launch, a transfer or its release takes it
   back. So a chain of products and convolutions maps each buffer once. Those of the caller
   (nn_opencl_wrap) are taken back behind every kernel.

   The host computes before the call returns. A shape for which nn_opencl_tune measured that one of
   the device's tiles is faster is not lent. NN_OPENCL_NO_LENDING lends nothing: for tests of
   kernels.cl without a GPU. */
#include "opencl/lend.h"

/* X(KERNEL, arguments): those whose views all stand in the arguments themselves */
#define NN__OPENCL_LEND_KERNELS(X)                                                                 \
    X(GEMM, nn_gemm_args)                                                                          \
    X(CONV2D_FORWARD, nn_conv2d_args)                                                              \
    X(CONV2D_BACKWARD_INPUT, nn_conv2d_args)                                                       \
    X(CONV2D_BACKWARD_WEIGHT, nn_conv2d_args)                                                      \
    X(CONV_POOL_FORWARD, nn_conv_pool_args)                                                        \
    X(CONV_POOL_BACKWARD_WEIGHT, nn_conv_pool_args)                                                \
    X(CONV_POOL_BACKWARD_INPUT, nn_conv_pool_args)

typedef union nn__opencl_lend_args {
    nn_gemm_args gemm;
    nn_conv2d_args conv;
    nn_conv_pool_args block;
} nn__opencl_lend_args;

/* ---- which ----------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_lend_open(nn__opencl *device) {
    if (!device->cpu || !device->in_host_memory) return;
    nn_use_all_kernels(device->nn); /* so that the answers never change */
#ifndef NN_OPENCL_NO_LENDING
    device->lends = true;
#endif
}

static bool nn__opencl_lend_may(nn_kernel kernel) {
    switch (kernel) {
#define NN__X(upper, type) case NN_KERNEL_##upper: return true;
        NN__OPENCL_LEND_KERNELS(NN__X)
#undef NN__X
    default: return false;
    }
}

NN__OPENCL_PRIVATE const nn_backend *nn__opencl_lends(nn__opencl *device, nn_kernel kernel,
                                                      const void *args, void **state) {
    const nn_backend *cpu;
    if (!device->lends || device->forced != NN__OPENCL_BY_DEVICE || !nn__opencl_lend_may(kernel) ||
        nn__opencl_choose(device, kernel, args).tile != 0)
        return NULL;
    cpu = nn_get_backend(device->nn, nn_cpu(), state);
    return cpu && cpu->kernels[kernel] && cpu->supports(*state, kernel, args, NULL, 0) ? cpu : NULL;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static nn_result nn__opencl_lend_end(nn__opencl *device, int index) {
    const nn__opencl_lent lent = device->lent[index];
    const int shared = nn__opencl_find_shared(device, lent.buffer);
    cl_event done = NULL;
    cl_int status;
    status = device->cl.EnqueueUnmapMemObject(device->compute, lent.buffer, lent.pointer, 0, NULL,
                                              shared >= 0 ? &done : NULL);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueUnmapMemObject", status);
    device->lent[index] = device->lent[--device->lent_count];
    if (shared >= 0) nn__opencl_after_use(device, &shared, 1, done);
    return NN_OK;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_take_back(nn__opencl *device, cl_mem buffer) {
    nn_result result = NN_OK, one;
    for (int i = device->lent_count - 1; i >= 0; i--) {
        if (buffer && device->lent[i].buffer != buffer) continue;
        one = nn__opencl_lend_end(device, i);
        if (result == NN_OK) result = one;
    }
    return result;
}

NN__OPENCL_PRIVATE void nn__opencl_forget_lent(nn__opencl *device, cl_mem buffer) {
    for (int i = device->lent_count - 1; i >= 0; i--)
        if (device->lent[i].buffer == buffer) device->lent[i] = device->lent[--device->lent_count];
}

/* Maps a buffer, unless it is lent already: behind all that the device was given, which may use
   it. */
static nn_result nn__opencl_lend(nn__opencl *device, cl_mem buffer, void **pointer) {
    const int shared = nn__opencl_find_shared(device, buffer);
    nn__opencl_lent *lent = device->lent;
    cl_event waits[1], done = NULL;
    cl_uint wait_count = 0;
    cl_int status;
    size_t bytes = 0;
    for (int i = 0; i < device->lent_count; i++)
        if (lent[i].buffer == buffer) {
            *pointer = lent[i].pointer;
            return NN_OK;
        }
    status = device->cl.GetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clGetMemObjectInfo", status);
    if (shared >= 0) wait_count = nn__opencl_before_use(device, &shared, 1, waits);
    lent += device->lent_count;
    lent->buffer = buffer;
    lent->pointer = device->cl.EnqueueMapBuffer(
        device->compute, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, wait_count,
        wait_count ? waits : NULL, shared >= 0 ? &done : NULL, &status);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueMapBuffer", status);
    if (shared >= 0) nn__opencl_after_use(device, &shared, 1, done);
    device->lent_count++;
    *pointer = lent->pointer;
    return NN_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Copies the arguments, and tells where in the copy their views are. */
static int nn__opencl_lend_copy(nn__opencl_lend_args *to, nn_kernel kernel, const void *args,
                                nn_view **views) {
    int count = 0;
#define NN__V(role, field, many)                                                                   \
    views[count++] = (nn_view *)(void *)((char *)to + offsetof(nn__its, field));
#define NN__I(role, items, many, field, count)
#define NN__X(upper, type)                                                                         \
    case NN_KERNEL_##upper: {                                                                      \
        typedef type nn__its;                                                                      \
        memcpy(to, args, sizeof(nn__its));                                                         \
        NN_##upper##_VIEWS(NN__V, NN__I) break;                                                    \
    }
    switch (kernel) {
        NN__OPENCL_LEND_KERNELS(NN__X)
    default: break;
    }
#undef NN__X
#undef NN__I
#undef NN__V
    return count;
}

/* While a profile is made: a point in the device's work, before and after what the host does. */
static nn_result nn__opencl_lend_mark(nn__opencl *device) {
    cl_event event = NULL;
    cl_int status;
    if (!device->recording) return NN_OK;
    status = device->cl.EnqueueMarkerWithWaitList(device->compute, 0, NULL, &event);
    if (status != CL_SUCCESS)
        return nn__opencl_fail(device, "clEnqueueMarkerWithWaitList", status);
    nn__opencl_record(device, event);
    device->cl.ReleaseEvent(event);
    status = device->cl.Finish(device->compute);
    return status == CL_SUCCESS ? NN_OK : nn__opencl_fail(device, "clFinish", status);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_lend_run(nn__opencl *device, const nn_backend *cpu,
                                                 void *state, nn_kernel kernel, const void *args,
                                                 nn_range range) {
    nn__opencl_lend_args lent;
    nn_view *views[NN__OPENCL_VIEWS];
    const int count = nn__opencl_lend_copy(&lent, kernel, args, views);
    nn_result result = NN_OK;
    nn__opencl_begins(device);
    if (device->lent_count > NN__OPENCL_LENT - NN__OPENCL_VIEWS)
        result = nn__opencl_take_back(device, NULL);
    for (int i = 0; i < count && result == NN_OK; i++)
        if (nn__opencl_present(views[i]) && views[i]->handle)
            result = nn__opencl_lend(device, (cl_mem)views[i]->handle, &views[i]->handle);
    if (result == NN_OK) result = nn__opencl_lend_mark(device);
    if (result == NN_OK) result = cpu->kernels[kernel](state, kernel, &lent, range);
    if (result == NN_OK) result = nn__opencl_lend_mark(device);
    if (device->wrapped && nn__opencl_take_back(device, NULL) != NN_OK && result == NN_OK)
        result = NN_ERROR_BACKEND;
    return result;
}

#undef NN__OPENCL_LEND_KERNELS
