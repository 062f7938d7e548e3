/* kernels/quantized/opencl.c - refuses quantised layers, which OpenCL devices do not have yet. */
#include "opencl/private.h"

static const char *nn__opencl_quantized_refuses(nn__opencl *device, const void *args) {
    (void)device, (void)args;
    return "quantised layers run on the CPU only; put the model on the CPU, or read the ONNX file "
           "without nn_onnx_integers";
}

static nn_result nn__opencl_quantized_run(nn__opencl *device, const void *args, int32_t first,
                                          int32_t count) {
    (void)device, (void)args, (void)first, (void)count;
    return NN_ERROR_UNSUPPORTED;
}

static const nn__opencl_kernel nn__opencl_quantized = {nn__opencl_quantized_refuses, NULL, NULL,
                                                       nn__opencl_quantized_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_quantize_even(void) {
    return &nn__opencl_quantized;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_quantized_linear(void) {
    return &nn__opencl_quantized;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_quantized_conv2d(void) {
    return &nn__opencl_quantized;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_quantized_lstm(void) {
    return &nn__opencl_quantized;
}
