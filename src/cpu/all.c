/* cpu/all.c - installs every CPU kernel of nn.h at once, for tests and for backends that borrow
   them.

   It is a file of its own, so that a program that never calls it links only the kernels that it
   uses. */
#include "cpu/private.h"

NN_API void nn_use_all_kernels(nn_context *nn) {
    if (!nn) return;
#define NN__X(family) nn__install_##family(nn);
    NN__FAMILIES(NN__X)
#undef NN__X
    /* kernels that families install separately, so that few programs link them */
    nn__install_matmul_bytes(nn);
    nn__install_fold(nn);
    nn__install_reduce_backward(nn);
    nn__install_cross_entropy_head(nn);
    nn__install_relu(nn);
    nn__install_sigmoid(nn);
    nn__install_tanh(nn);
    nn__install_gelu(nn);
    nn__install_relu6(nn);
}
