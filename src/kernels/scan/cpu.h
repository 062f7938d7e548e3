/* kernels/scan/cpu.h - the loop of scans that each instruction set has. */
#pragma once

#include "cpu/sets.h"

typedef struct nn__scan_loops {
    /* y[k] = the largest or smallest of x[0] to x[k], and index[k] is its position, the last one
       among equals. NaN wins. index may be NULL. */
    void (*extreme)(const float *x, float *y, int32_t *index, int64_t length, bool largest);
} nn__scan_loops;
