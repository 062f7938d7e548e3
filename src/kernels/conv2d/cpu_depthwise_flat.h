/* kernels/conv2d/cpu_depthwise_flat.h - planes of less than two vectors, of which several may be in
   one: what kernels/conv2d/cpu_depthwise_flat.c cuts and cpu_depthwise_flat_vectors.c computes. */
#pragma once

#include "cpu/gemm.h"
#include "cpu/simd.h"
#include "kernels/conv2d/cpu.h"

#if !defined(NN_NO_SIMD) && defined(NN__VECTOR8)

#define NN__FLAT_TAPS 9
#define NN__FLAT_WIDE 16 /* lanes, at most */

typedef struct nn__flat {
    const nn__cpu *cpu;
    int wide, mask_bytes; /* lanes; bytes of the mask of one vector */
    int height, width;    /* of y */
    int plane, together;  /* its places; channels of a vector */
    bool masked;          /* planes of up to two vectors: each has masks of its own, which tell what
                             its taps find; larger ones go as `shift` does */
    bool turns;           /* of up to one: a mask tells the lane of each number that a tap finds */
    int stride, channels, images;
    nn__clamp clamp; /* of what multiply and planes write */
    int block; /* vectors of channels, or channels, that are worked on side by side */
    ptrdiff_t offset[NN__FLAT_TAPS]; /* where a tap finds what belongs to the first place */
    ptrdiff_t apart;                   /* from one picture to the next one */
    char *mask;                      /* (vectors, taps) */
    nn__shift shift;                 /* of planes that are not masked */
    char *rest; /* of a last vector that has fewer channels: behind them nothing may be read */
    float *weight;                   /* (block, 10, wide): of taps and bias, or sums */
    float *sum;                      /* a vector or a plane of y */
} nn__flat;

/* y = bias + the sum over taps of weight and what lies there, of n places of each picture; weights
   and bias, the last of ten, have a vector each. */
NN_PRIVATE void nn__flat_multiply(float *y, const float *x, const nn__flat *f, const float *weight,
                                  int n, int images);
/* sums (10 vectors) += the products of dy with what the nine taps read, and of dy alone. */
NN_PRIVATE void nn__flat_dot(float *sums, const float *x, const nn__flat *f, const float *dy, int n,
                             int images);
/* A vector of one value. */
NN_PRIVATE void nn__flat_splat(const nn__flat *f, float *to, float value);

#endif
