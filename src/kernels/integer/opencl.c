/* kernels/integer/opencl.c - refuses inference in integers, which OpenCL devices do not have
   yet. */
#include "opencl/private.h"

static const char *nn__opencl_integer_refuses(nn__opencl *device, const void *args) {
    (void)device, (void)args;
    return "inference in 8-bit integers runs on the CPU only; put the model on the CPU, or plan "
           "the model before quantisation";
}

static nn_result nn__opencl_integer_run(nn__opencl *device, const void *args, int32_t first,
                                        int32_t count) {
    (void)device, (void)args, (void)first, (void)count;
    return NN_ERROR_UNSUPPORTED;
}

static const nn__opencl_kernel nn__opencl_integer = {nn__opencl_integer_refuses, NULL, NULL,
                                                     nn__opencl_integer_run};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_integer_conv2d(void) {
    return &nn__opencl_integer;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_integer_pool2d(void) {
    return &nn__opencl_integer;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_integer_add(void) {
    return &nn__opencl_integer;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_integer_table(void) {
    return &nn__opencl_integer;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_integer_multiply(void) {
    return &nn__opencl_integer;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_integer_resize2d(void) {
    return &nn__opencl_integer;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_quantize(void) {
    return &nn__opencl_integer;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_dequantize(void) {
    return &nn__opencl_integer;
}
