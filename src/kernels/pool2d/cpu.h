/* kernels/pool2d/cpu.h - a plane of a pool, its windows, and the loops of each instruction set over
   one row of results. */
#pragma once

#include "cpu/sets.h"

#define NN__POOL2D_ROW 512 /* columns of x that are processed at a time */

typedef struct nn__pool2d_plane {
    int h, w, oh, ow;
    int kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w;
    bool inside; /* count_only_inside */
    bool adaptive;
    int divisor; /* 0: none */
    int dilation_h, dilation_w; /* at least 1 */
    bool pairs;     /* windows of 2 x 2 side by side, all inside */
    int first, end; /* columns that vectors compute: none of their windows is cut at a side */
    bool streams;   /* results bypass the caches: nn__all_streamed must follow */
} nn__pool2d_plane;

/* The part of a window that lies inside, and the divisor of an average (PyTorch counts padding, but
   not elements beyond it that ceil mode adds). */
typedef struct nn__pool2d_window {
    int h0, h1, w0, w1;
    float count;
} nn__pool2d_window;

NN_PRIVATE nn__pool2d_window nn__pool2d_at(const nn__pool2d_plane *p, int i, int j);

/* Sets [*h0, *h1) to the rows of the windows in row i of a pool that is not adaptive, as
   nn__pool2d_at does. Vector code calls this function, because float code that is compiled without
   AVX stalls the processor while AVX vectors are in use. */
static inline NN__UNUSED void nn__pool2d_rows_at(const nn__pool2d_plane *p, int i, int *h0,
                                                 int *h1) {
    const int first = i * p->stride_h - p->padding_h;
    *h1 = nn__mini(first + p->kernel_h, p->h);
    *h0 = first >= 0            ? first
          : p->dilation_h == 1 ? 0
                               : (p->dilation_h + first % p->dilation_h) % p->dilation_h;
}

/* y, x, index: a whole plane. In plain C only `maxima` exists, for windows in pairs; the others are
   NULL. */
typedef struct nn__pool2d_rows {
    /* Computes the largest number of each window of columns [first, end), and its index unless
       `index` is NULL. Returns false if there is a NaN; then y and index are undefined. */
    bool (*maxima)(const nn__pool2d_plane *p, float *y, int32_t *index, const float *x);
    /* Computes columns [first, end) of row i. count: the divisor of the sums. */
    void (*averages)(const nn__pool2d_plane *p, int i, float count, float *y, const float *x);
    double (*sum)(const float *x, int n);
    float (*largest)(const float *x, int n); /* NaN wins */
#ifndef NN_NO_TRAINING
    /* For windows in pairs, writes all rows of dx that are in windows: the position in `index`
       takes the number, or if index is NULL each position takes the same share. */
    void (*spread)(const nn__pool2d_plane *p, float *dx, const float *dy, const int32_t *index,
                   bool accumulate);
    void (*add)(float *y, const float *x, int n); /* y += x */
#endif
} nn__pool2d_rows;
