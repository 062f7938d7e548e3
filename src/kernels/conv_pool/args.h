/* kernels/conv_pool/args.h - a convolution, its activation and the 2 x 2 max pooling after it in
   one kernel: only the maxima are stored, and the gradients visit only their places. Letters as in
   kernels/conv2d/args.h; PH and PW are the height and width of the pooled image. */
#pragma once

#include "device/types.h"
#include "kernels/epilogue.h"

/* The convolution has stride, dilation and groups of 1. Window (i, j) has the rows 2 i and 2 i + 1
   and the columns 2 j and 2 j + 1; outputs outside of the windows are not computed.

   - forward: y is the largest value of activation(conv(x, weight) + bias) in each window. place is
     2 * row + column of that value in its window; of equal values the first counts. The maximum is
     found before bias and activation, and a NaN wins. place may be absent.
   - backward_weight: computes dweight and dbias from dy, y, place and x. dbias may be absent.
   - backward_input: computes all of dx, zeros included, from dy, y, place and weight.

   A gradient is in the field of its value (dx in x ...), except dy. Activations: none, or relu,
   whose gradient is dy unless y <= 0. A window whose gradient is 0 may be skipped, or multiplied by
   0, unless `direct`. Only the two lowest bits of place are read. */
typedef struct nn_conv_pool_args {
    nn_view y;      /* (N, K, PH, PW) */
    nn_view dy;     /* (N, K, PH, PW); backward only */
    nn_view place;  /* (N, K, PH, PW), u8 */
    nn_view x;      /* (N, C, H, W) */
    nn_view weight; /* (K, C, R, S) */
    /* before the first row and column; after the last ones as many zeros are read as needed */
    int32_t padding_h, padding_w;
    bool direct; /* forward, backward_weight: direct sums only */
    nn_epilogue epilogue; /* in backward_weight epilogue.bias is dbias */
    nn_precision precision; /* DEFAULT: HIGHEST */
    nn_view scratch;
} nn_conv_pool_args;

/* The views and their roles: see kernels/list.h. */
#define NN_CONV_POOL_FORWARD_VIEWS(VIEW, ITEM)                                                     \
    VIEW(OUT, y, 1) VIEW(OUT, place, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1)                         \
    VIEW(IN, epilogue.bias, 1) VIEW(SCRATCH, scratch, 1)
#define NN_CONV_POOL_BACKWARD_WEIGHT_VIEWS(VIEW, ITEM)                                             \
    VIEW(IN, y, 1) VIEW(IN, dy, 1) VIEW(IN, place, 1) VIEW(IN, x, 1) VIEW(OUT, weight, 1)          \
    VIEW(OUT, epilogue.bias, 1) VIEW(SCRATCH, scratch, 1)
#define NN_CONV_POOL_BACKWARD_INPUT_VIEWS(VIEW, ITEM)                                              \
    VIEW(IN, y, 1) VIEW(IN, dy, 1) VIEW(IN, place, 1) VIEW(IN, weight, 1) VIEW(OUT, x, 1)          \
    VIEW(SCRATCH, scratch, 1)

/* The fields that are not views: see kernels/list.h. */
#define NN_CONV_POOL_FORWARD_NUMBERS(INT, REAL, OTHER)                                             \
    INT(padding_h) INT(padding_w) INT(direct) INT(epilogue.activation) OTHER(precision)            \
    OTHER(dy)
#define NN_CONV_POOL_BACKWARD_WEIGHT_NUMBERS(INT, REAL, OTHER)                                     \
    INT(padding_h) INT(padding_w) INT(direct) INT(epilogue.activation) OTHER(precision)
#define NN_CONV_POOL_BACKWARD_INPUT_NUMBERS(INT, REAL, OTHER)                                      \
    INT(padding_h) INT(padding_w) INT(direct) INT(epilogue.activation) OTHER(precision)            \
    OTHER(epilogue.bias)
