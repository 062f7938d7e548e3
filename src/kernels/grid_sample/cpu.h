/* kernels/grid_sample/cpu.h - shared by forward and backward on the CPU: the pixels that a run of
   positions reads, and their weights. */
#pragma once

#include "cpu/sets.h"

#define NN__GRID_RUN 64 /* positions per run */

/* Tap k of position i is pixel index[k][i] of a plane, with weight[k][i]. slope[0] and slope[1] are
   the derivatives of the weight with respect to gx and gy. keep is -1, or 0 if the tap is outside;
   then it reads as 0, and its index is 0, so that it can be loaded. */
typedef struct nn__grid_run {
    int32_t index[16][NN__GRID_RUN], keep[16][NN__GRID_RUN];
    float weight[16][NN__GRID_RUN];
    float slope[2][16][NN__GRID_RUN];
} nn__grid_run;

/* What each instruction set has (kernels/grid_sample/vector.h). */
typedef struct nn__grid_loops {
    /* y[i] = the sum of the taps of place i in the plane x */
    void (*read)(const nn__grid_run *run, int taps, int count, float *y, const float *x);
#ifndef NN_NO_TRAINING
    /* adds the gradient of place i, from dy and the plane x, to sums[i] and sums[NN__GRID_RUN +
       i] */
    void (*slopes)(const nn__grid_run *run, int taps, int count, float *sums, const float *dy,
                   const float *x);
    /* part[k][i] = the term of tap k for place i */
    void (*parts)(const nn__grid_run *run, int taps, int count, float part[16][NN__GRID_RUN],
                  const float *dy);
#endif
} nn__grid_loops;

/* Computes the taps of `count` places from number `at` of sample n on. slopes: computes the slopes,
   too. */
NN_PRIVATE void nn__grid_places(const nn_grid_sample_args *args, int n, int64_t at, int count,
                                bool slopes, nn__grid_run *run);
static inline NN__UNUSED int nn__grid_taps(const nn_grid_sample_args *args) {
    return args->mode == NN_GRID_NEAREST ? 1 : args->mode == NN_GRID_BILINEAR ? 4 : 16;
}
static inline NN__UNUSED int64_t nn__grid_count(const nn_grid_sample_args *args) { /* OH OW */
    return (int64_t)args->grid.shape.extent[1] * args->grid.shape.extent[2];
}
