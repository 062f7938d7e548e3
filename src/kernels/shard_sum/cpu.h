/* kernels/shard_sum/cpu.h - the parts of the family on the CPU. */
#pragma once

#include "cpu/private.h"

#ifndef NN_NO_TRAINING
/* What a tree of sums does with n numbers: y *= weight, zeros where that is 0; to = a + b. */
NN_PRIVATE void nn__shard_weigh(const nn__cpu *cpu, float *y, float weight, int n);
NN_PRIVATE void nn__shard_add_row(const nn__cpu *cpu, float *to, const float *a, const float *b,
                                  int n);
NN_PRIVATE void nn__install_shard_product(nn_context *nn); /* cpu_product.c */
#endif
