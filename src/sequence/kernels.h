/* sequence/kernels.h - the CPU's kernels of this file, for tests and for other backends. */
#pragma once

#include "device/context.h"

/* Fills the CPU's slots of all kernels of nn_sequence.h; nn_use_all_kernels fills those of nn.h. */
NN_API void nn_use_sequence_kernels(nn_context *nn);
