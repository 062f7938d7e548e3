/* kernels/pool2d/cpu.h - a plane of a pool, its windows, and the loops over one row of results,
   which each instruction set has. */
#pragma once

#include "cpu/sets.h"

#define NN__POOL2D_ROW 512 /* columns of x that are joined at a time */

typedef struct nn__pool2d_plane {
    int h, w, oh, ow;
    int kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w;
    bool inside; /* count_only_inside */
    bool adaptive;
    int divisor; /* 0: none */
    int dilation_h, dilation_w; /* at least 1 */
    bool pairs;     /* windows of 2x2 side by side, none of them cut */
    int first, end; /* the columns that vectors take: no window among them is cut at a side */
    bool streams;   /* results are written past the caches: nn__all_streamed must follow */
} nn__pool2d_plane;

/* The part of a window that lies inside, and by how much an average is divided (PyTorch counts
   padding, but not what rounding up adds beyond it). */
typedef struct nn__pool2d_window {
    int h0, h1, w0, w1;
    float count;
} nn__pool2d_window;

NN_PRIVATE nn__pool2d_window nn__pool2d_at(const nn__pool2d_plane *p, int i, int j);

/* The rows [*h0, *h1) of the windows in row i of a pool that is not adaptive, as nn__pool2d_at has
   them. Vector code calls this one: what computes with floats and is compiled without AVX makes a
   processor wait when vectors of AVX are in use. */
static inline NN__UNUSED void nn__pool2d_rows_at(const nn__pool2d_plane *p, int i, int *h0,
                                                 int *h1) {
    const int first = i * p->stride_h - p->padding_h;
    *h1 = nn__mini(first + p->kernel_h, p->h);
    *h0 = first >= 0            ? first
          : p->dilation_h == 1 ? 0
                               : (p->dilation_h + first % p->dilation_h) % p->dilation_h;
}

/* y, x, index: a whole plane. In plain C there is only `maxima`, of windows in pairs; the others
   are NULL. */
typedef struct nn__pool2d_rows {
    /* The largest number of each window of columns [first, end), and its place unless index is
       NULL. False: there is a NaN among them, and y and index hold anything. */
    bool (*maxima)(const nn__pool2d_plane *p, float *y, int32_t *index, const float *x);
    /* Columns [first, end) of row i; `count` is what sums are divided by. */
    void (*averages)(const nn__pool2d_plane *p, int i, float count, float *y, const float *x);
    double (*sum)(const float *x, int n);
    float (*largest)(const float *x, int n); /* NaN wins */
#ifndef NN_NO_TRAINING
    /* All rows of dx that are in windows, of windows in pairs: the place that index names takes the
       number, or where index is NULL each place the same share. */
    void (*spread)(const nn__pool2d_plane *p, float *dx, const float *dy, const int32_t *index,
                   bool accumulate);
    void (*add)(float *y, const float *x, int n); /* y += x */
#endif
} nn__pool2d_rows;
