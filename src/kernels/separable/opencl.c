/* kernels/separable/opencl.c - refuses separable convolutions: plans for OpenCL devices keep the
   three convolutions separate. */
#include "opencl/private.h"

static const char *nn__opencl_separable_refuses(nn__opencl *device, const void *args) {
    (void)device, (void)args;
    return "separable convolutions run depth first on the CPU only; on OpenCL they are three steps";
}

static nn_result nn__opencl_separable_run(nn__opencl *device, const void *args, int32_t first,
                                          int32_t count) {
    (void)device, (void)args, (void)first, (void)count;
    return NN_ERROR_UNSUPPORTED;
}

static const nn__opencl_kernel nn__opencl_separable = {nn__opencl_separable_refuses, NULL, NULL,
                                                       nn__opencl_separable_run};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_separable(void) {
    return &nn__opencl_separable;
}
