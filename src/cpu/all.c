/* cpu/all.c - installs every CPU kernel at once, for tests and for backends that borrow them.

   It is a part of its own, so that a program that never calls it links only the kernels that it
   uses. */
#include "cpu/private.h"

NN_API void nn_use_all_kernels(nn_context *nn) {
    if (!nn) return;
    nn__install_gemm_general(nn);
    nn__install_conv2d(nn);
    nn__install_pool2d(nn);
    nn__install_pointwise(nn);
    nn__install_reduce(nn);
    nn__install_fold(nn);
    nn__install_softmax(nn);
    nn__install_cross_entropy(nn);
    nn__install_metric(nn);
    nn__install_confusion(nn);
    nn__install_update(nn);
    nn__install_random(nn);
    nn__install_custom(nn);
    nn__install_gather(nn);
    nn__install_strided_copy(nn);
    nn__install_scan(nn);
    nn__install_augment(nn);
    nn__install_all_codes(nn);
}
