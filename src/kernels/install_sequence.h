/* kernels/install_sequence.h - brings the kernels of nn_sequence.h into a program, as
   kernels/install.h says. */
#pragma once

#include "kernels/install.h"

#define NN__X(family) NN_PRIVATE void nn__install_##family(nn_context *nn);
NN__SEQUENCE_FAMILIES(NN__X)
#undef NN__X
