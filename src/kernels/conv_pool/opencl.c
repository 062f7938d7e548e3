/* kernels/conv_pool/opencl.c - OpenCL has no blocks yet: a plan there keeps the convolution and the
   maximum apart. */
#include "opencl/private.h"

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_conv_pool_forward(void) {
    return NULL;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_conv_pool_backward_weight(void) {
    return NULL;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_conv_pool_backward_input(void) {
    return NULL;
}
