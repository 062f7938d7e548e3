/* kernels/softmax/cpu.h - the loops of each instruction set for softmax over one row. */
#pragma once

#include "cpu/sets.h"

#define NN__SOFTMAX_SHORT 8 /* longest row of which a vector holds several */

typedef struct nn__softmax_rows {
    float (*largest)(const float *x, int n); /* the largest; NaN wins */
    /* y = exp(x - shift), y may be NULL; returns the sum of these */
    float (*exps)(float *y, const float *x, float shift, int n);
    void (*scale)(float *y, float share, int n); /* y *= share */
    void (*row)(float *y, const float *x, int n); /* softmax; y may be x */
#ifndef NN_NO_SIMD
    /* softmax of `rows` rows, one after the other, for n up to NN__SOFTMAX_SHORT; y may be x */
    void (*short_rows)(float *y, const float *x, int rows, int n);
#endif
    void (*log_row)(float *y, const float *x, int n, bool streams);
#ifndef NN_NO_TRAINING
    /* dx = y (dy - sum(dy y)); dx may be y or dy */
    void (*slope)(float *dx, const float *y, const float *dy, int n, bool streams);
    /* dx = dy - exp(y) sum(dy) */
    void (*log_slope)(float *dx, const float *y, const float *dy, int n, bool streams);
#endif
} nn__softmax_rows;
