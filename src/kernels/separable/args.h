/* kernels/separable/args.h - three convolutions in one step: one that mixes channels, a depthwise
   one, and a 1 x 1 one. They are computed depth first, so the values between them are never stored
   completely. For plans that only infer. Letters as in kernels/conv2d/args.h; M is the number of
   channels in the middle. */
#pragma once

#include "device/types.h"
#include "kernels/conv2d/args.h"
#include "kernels/epilogue.h"

/* e = activation(conv(x, expand) + bias), any kernel size; without expand e is x, and M is C
   d = activation(conv(e, depth) + bias), each channel by itself, zeros around e
   y = activation(conv(d, project) + bias), 1 x 1; + residual
   Biases and residual may be absent. Sums have the order of the channels and taps. */
typedef struct nn_separable_args {
    nn_view y;             /* (N, K, OH, OW) */
    nn_view x;             /* (N, C, H, W) */
    nn_view expand;        /* (M, C, as `first` says) */
    nn_view expand_bias;   /* (M) */
    nn_view depth;         /* (M, 1, R, S) */
    nn_view depth_bias;    /* (M) */
    nn_view project;       /* (K, M, 1, 1) */
    nn_view project_bias;  /* (K) */
    nn_view residual;      /* as y */
    nn_conv2d_params first;  /* of expand; no groups, no dilation */
    nn_conv2d_params params; /* of the depthwise one; groups: M */
    nn_activation expand_activation, depth_activation, project_activation;
    nn_view scratch;
    nn_keeping keep; /* for all weights and biases */
    float *kept;     /* of the size that the device asks for; NULL before there is memory */
} nn_separable_args;

/* Views and numbers: see kernels/list.h. */
#define NN_SEPARABLE_VIEWS(VIEW, ITEM)                                                             \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, expand, 1) VIEW(IN, expand_bias, 1)                    \
    VIEW(IN, depth, 1) VIEW(IN, depth_bias, 1) VIEW(IN, project, 1) VIEW(IN, project_bias, 1)      \
    VIEW(IN, residual, 1) VIEW(SCRATCH, scratch, 1)
#define NN_SEPARABLE_NUMBERS(INT, REAL, OTHER)                                                     \
    INT(first.kernel_h) INT(first.kernel_w) INT(first.stride_h) INT(first.stride_w)                \
    INT(first.padding_h) INT(first.padding_w) INT(first.dilation_h) INT(first.dilation_w)          \
    INT(first.groups)                                                                              \
    INT(params.kernel_h) INT(params.kernel_w) INT(params.stride_h) INT(params.stride_w)            \
    INT(params.padding_h) INT(params.padding_w) INT(params.dilation_h) INT(params.dilation_w)      \
    INT(params.groups) INT(expand_activation) INT(depth_activation) INT(project_activation)        \
    OTHER(keep) OTHER(kept)
