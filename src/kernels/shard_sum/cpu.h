/* kernels/shard_sum/cpu.h - the parts of the family on the CPU. */
#pragma once

#include "cpu/sets.h"

#ifndef NN_NO_TRAINING
/* The storage of one unit, from its first number on; NULL: absent. */
typedef struct nn__shard_sum {
    float *to, *rests[NN_SHARD_SUM_MOST + 1];
    const float *x, *sums[NN_SHARD_SUM_MOST];
    uint16_t *narrow;
    int count, n, rounded; /* sums; numbers, the first of which are rounded */
} nn__shard_sum;

/* What each instruction set has (kernels/shard_sum/vector.h). */
typedef struct nn__shard_loops {
    void (*sum)(const nn__shard_sum *join, int i, int n, bool rounds); /* numbers i to n - 1 */
    void (*scale)(float *y, float scale, int n);                       /* y *= scale */
    void (*add)(float *to, const float *a, const float *b, int n);     /* to = a + b */
} nn__shard_loops;

/* What a tree of sums does with n numbers: y *= weight, zeros where that is 0; to = a + b. */
NN_PRIVATE void nn__shard_weigh(const nn__cpu *cpu, float *y, float weight, int n);
NN_PRIVATE void nn__shard_add_row(const nn__cpu *cpu, float *to, const float *a, const float *b,
                                  int n);
NN_PRIVATE void nn__install_shard_product(nn_context *nn); /* cpu_product.c */
#endif
