/* kernels/shard_sum/cpu.h - the parts of the family on the CPU. */
#pragma once

#include "cpu/private.h"

#ifndef NN_NO_TRAINING
/* The steps of a tree of sums over n numbers: y *= weight, or zeros if weight is 0; to = a + b. */
NN_PRIVATE void nn__shard_weigh(const nn__cpu *cpu, float *y, float weight, int n);
NN_PRIVATE void nn__shard_add_row(const nn__cpu *cpu, float *to, const float *a, const float *b,
                                  int n);
NN_PRIVATE void nn__install_shard_product(nn_context *nn); /* cpu_product.c */
#endif
