/* sequence/kernels.c - installs every CPU kernel of nn_sequence.h at once. */
#include "sequence/kernels.h"
#include "kernels/install_sequence.h"

NN_API void nn_use_sequence_kernels(nn_context *nn) {
    if (!nn) return;
#define NN__X(family) nn__install_##family(nn);
    NN__SEQUENCE_FAMILIES(NN__X)
#undef NN__X
}
