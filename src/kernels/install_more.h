/* kernels/install_more.h - brings the kernels of nn_more.h into a program, as kernels/install.h
   says. */
#pragma once

#include "kernels/install.h"

#define NN__X(family) NN_PRIVATE void nn__install_##family(nn_context *nn);
NN__MORE_FAMILIES(NN__X)
#undef NN__X
