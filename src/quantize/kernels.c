/* quantize/kernels.c - installs every CPU kernel of nn_quantize.h at once. */
#include "quantize/kernels.h"
#include "kernels/install_quantize.h"

NN_API void nn_use_quantize_kernels(nn_context *nn) {
    if (!nn) return;
#define NN__X(family) nn__install_##family(nn);
    NN__QUANTIZE_FAMILIES(NN__X)
#undef NN__X
    nn__install_integer_recurrent(nn);
}
