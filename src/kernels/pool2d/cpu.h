/* kernels/pool2d/cpu.h - a plane of a pool and its windows, and what vectors do with them. */
#pragma once

#include "cpu/simd.h"

typedef struct nn__pool2d_plane {
    int h, w, oh, ow;
    int kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w;
    bool inside; /* count_only_inside */
    bool adaptive;
    int divisor; /* 0: none */
    int dilation_h, dilation_w; /* at least 1 */
    bool pairs;  /* windows of 2x2 side by side, none of them cut: the fast path */
} nn__pool2d_plane;

/* The part of a window that lies inside, and by how much an average is divided (PyTorch counts
   padding, but not what rounding up adds beyond it). */
typedef struct nn__pool2d_window {
    int h0, h1, w0, w1;
    float count;
} nn__pool2d_window;

NN_PRIVATE nn__pool2d_window nn__pool2d_at(const nn__pool2d_plane *p, int i, int j);

#ifdef NN__VECTOR8
/* kernels/pool2d/cpu_halve.c: the largest numbers of a plane whose windows are two or three columns
   wide and two apart. False: these windows are others, or there is a NaN; y and index may then hold
   anything. streams: they are written past the caches, and nn__streamed must follow. */
NN_PRIVATE bool nn__pool2d_halve(const nn__cpu *cpu, const nn__pool2d_plane *p, float *y,
                                 int32_t *index, const float *x, bool streams);
/* kernels/pool2d/cpu_slide.c: averages of windows that lie one or two columns apart, and of the
   former the gradient. A row of x, or of what each window gives back, with zeros on both sides. */
#define NN__POOL2D_RING  6144 /* numbers of all rows that a window has */
#define NN__POOL2D_WIDTH 1024 /* columns of y, at most */
typedef struct nn__pool2d_slider {
    const nn__pool2d_plane *plane;
    bool beside;  /* neighbours are added in registers */
    float *zeros; /* a row of them, where windows are the 3 x 3 around each number; else NULL */
    bool streams; /* results are written past the caches: nn__streamed must follow */
    int edge, step;                    /* zeros before a row, numbers from row to row */
    float ring[NN__POOL2D_RING];       /* row h stands in place h % kernel_h */
    float columns[NN__POOL2D_WIDTH + 16]; /* by which the sums of a column are divided */
} nn__pool2d_slider;
/* False: the windows are others, or rows are too long. back: for the gradient. */
NN_PRIVATE bool nn__pool2d_open_slider(nn__pool2d_slider *slider, const nn__pool2d_plane *p,
                                       bool back);
/* False: a window lies outside of x; y may then hold anything. */
NN_PRIVATE bool nn__pool2d_slide(const nn__cpu *cpu, nn__pool2d_slider *slider, float *y,
                                 const float *x);
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__pool2d_slide_back(const nn__cpu *cpu, nn__pool2d_slider *slider, float *dx,
                                      const float *dy, bool accumulate);
#endif
/* Adaptive averages of row i: rows of the windows are added column by column, then columns. False:
   columns do not fit, and nothing was done. */
NN_PRIVATE bool nn__pool2d_adaptive8(const nn__pool2d_plane *p, int i, float *y, const float *x);
/* Adaptive maxima of row i; those of windows with a NaN are left to `plain`. index: may be NULL. */
NN_PRIVATE void nn__pool2d_adaptive_max8(const nn__pool2d_plane *p, int i, float *y, int32_t *index,
                                         const float *x,
                                         void (*plain)(const nn__pool2d_plane *p, bool average,
                                                       int i, int j, int end, float *y,
                                                       int32_t *index, const float *x));
#ifndef NN_NO_TRAINING
/* dx of average pooling, overwritten or added to. False: these windows have no vectors, and nothing
   was done. */
NN_PRIVATE bool nn__pool2d_spread_average8(const nn__pool2d_plane *p, float *dx, const float *dy,
                                           bool accumulate);
#endif
#endif
