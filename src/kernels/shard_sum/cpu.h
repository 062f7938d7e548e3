/* kernels/shard_sum/cpu.h - the parts of the family on the CPU. */
#pragma once

#include "cpu/private.h"

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_shard_product(nn_context *nn); /* cpu_product.c */
#endif
