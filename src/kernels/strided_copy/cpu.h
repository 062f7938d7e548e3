/* kernels/strided_copy/cpu.h - the loops of copies that each instruction set has. */
#pragma once

#include "cpu/sets.h"

#define NN__COPY_BLOCK 16 /* rows and columns of a square */

/* A run of one row: n elements, strides in elements. streams: it may go past the caches. */
typedef void (*nn__copy_row)(char *to, const char *from, int64_t n, int64_t y_stride,
                             int64_t x_stride, bool streams);

/* Elements of four bytes of any type, that follow each other in y. Plain C has none of them: its
   floats may not keep the bits of other types. */
typedef struct nn__copy_loops {
    nn__copy_row back, same; /* x goes down; one number, again and again */
    /* y[r, c] = x[c, r] for `rows` rows and `columns` columns of y. distant: the lines of x come
       from beyond the nearer caches, each from another page, and are asked for early; streams: y
       goes past the caches. */
    void (*turn)(float *y, int64_t y_step, const float *x, int64_t x_step, int64_t rows,
                 int64_t columns, bool distant, bool streams);
    void (*line)(char *to, const char *from, int64_t n); /* n bytes past the caches */
} nn__copy_loops;
