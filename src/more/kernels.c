/* more/kernels.c - installs every CPU kernel of nn_more.h at once. */
#include "more/kernels.h"
#include "kernels/install_more.h"

NN_API void nn_use_more_kernels(nn_context *nn) {
    if (!nn) return;
#define NN__X(family) nn__install_##family(nn);
    NN__MORE_FAMILIES(NN__X)
#undef NN__X
}
