/* kernels/strided_copy/cpu.h - the loops of copies that each instruction set has. */
#pragma once

#include "cpu/sets.h"

#define NN__COPY_BLOCK 16 /* rows and columns of a square */

/* Copies n elements of one row; strides in elements. streams: the stores may bypass the caches. */
typedef void (*nn__copy_row)(char *to, const char *from, int64_t n, int64_t y_stride,
                             int64_t x_stride, bool streams);

/* Elements of four bytes of any type that are adjacent in y. Plain C has none of these functions,
   because its floats may not keep the bits of other types. */
typedef struct nn__copy_loops {
    nn__copy_row back, same; /* x in reverse; one number, repeated */
    /* y[r, c] = x[c, r] for `rows` rows and `columns` columns of y. distant: the lines of x are not
       in the nearer caches and lie in different pages, so they are prefetched. streams: y bypasses
       the caches. */
    void (*turn)(float *y, int64_t y_step, const float *x, int64_t x_step, int64_t rows,
                 int64_t columns, bool distant, bool streams);
    void (*line)(char *to, const char *from, int64_t n); /* n bytes, bypassing the caches */
} nn__copy_loops;
