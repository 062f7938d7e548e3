/* kernels/install_quantize.h - brings the kernels of nn_quantize.h into a program, as
   kernels/install.h says. */
#pragma once

#include "kernels/install.h"

#define NN__X(family) NN_PRIVATE void nn__install_##family(nn_context *nn);
NN__QUANTIZE_FAMILIES(NN__X)
#undef NN__X
NN_PRIVATE void nn__install_integer_recurrent(nn_context *nn); /* lstm and gru in integers */
