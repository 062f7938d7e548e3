/* kernels/grid_sample/cpu.h - shared by forward and backward on the CPU: the pixels that a run of
   positions reads, and their weights. */
#pragma once

#include "cpu/simd.h"

#define NN__GRID_RUN 64 /* positions per run */

/* Tap k of position i is pixel index[k][i] of a plane, with weight[k][i]. slope[0] and slope[1] are
   the derivatives of the weight with respect to gx and gy. keep is -1, or 0 if the tap is outside;
   then it reads as 0, and its index is 0, so that it can be loaded. */
typedef struct nn__grid_run {
    int32_t index[16][NN__GRID_RUN], keep[16][NN__GRID_RUN];
    float weight[16][NN__GRID_RUN];
    float slope[2][16][NN__GRID_RUN];
} nn__grid_run;

/* Fills *run for `count` positions of sample n from `at` on. slopes: also computes slope. */
NN_PRIVATE void nn__grid_places(const nn_grid_sample_args *args, int n, int64_t at, int count,
                                bool slopes, nn__grid_run *run);
static inline NN__UNUSED int nn__grid_taps(const nn_grid_sample_args *args) {
    return args->mode == NN_GRID_NEAREST ? 1 : args->mode == NN_GRID_BILINEAR ? 4 : 16;
}
static inline NN__UNUSED int64_t nn__grid_count(const nn_grid_sample_args *args) { /* OH OW */
    return (int64_t)args->grid.shape.extent[1] * args->grid.shape.extent[2];
}
