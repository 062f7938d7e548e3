/* kernels/recurrent_whole/opencl.c - refuses whole recurrent layers: plans for OpenCL devices keep
   the products separate. */
#include "opencl/private.h"

static const char *nn__opencl_recurrent_whole_refuses(nn__opencl *device, const void *args) {
    (void)device, (void)args;
    return "a recurrent layer runs together with its products on the CPU only; on OpenCL they are "
           "separate steps";
}

static nn_result nn__opencl_recurrent_whole_run(nn__opencl *device, const void *args, int32_t first,
                                                int32_t count) {
    (void)device, (void)args, (void)first, (void)count;
    return NN_ERROR_UNSUPPORTED;
}

static const nn__opencl_kernel nn__opencl_recurrent_whole = {nn__opencl_recurrent_whole_refuses,
                                                             NULL, NULL,
                                                             nn__opencl_recurrent_whole_run};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_recurrent_whole(void) {
    return &nn__opencl_recurrent_whole;
}
