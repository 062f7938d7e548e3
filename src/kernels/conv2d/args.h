/* kernels/conv2d/args.h - convolutions of pictures and both of their gradients. Letters: N batch, C
   input channels, K output channels, H and W height and width, R and S height and width of the
   kernel, G groups. */
#pragma once

#include "device/types.h"
#include "kernels/epilogue.h"

typedef struct nn_conv2d_params {
    int32_t kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w,
        groups;
} nn_conv2d_params;

/* A plan that only infers keeps the weights of a forward as its kernel likes them, in memory of its
   own; devices that do not know of it never see it. */
typedef enum nn_keeping {
    NN_KEEP_NOT,  /* the kernel prepares the weights in each call */
    NN_KEEP_USES, /* they stand prepared in `kept`; `weight` only has a shape */
    NN_KEEP_MAKES /* prepares them there, and does nothing else */
} nn_keeping;

/* forward          y = conv(x, weight), epilogue; reads x, weight, bias; writes y. As the gradient
                    of a transposed convolution it has no epilogue and may accumulate
   backward_input   dx from dy and weight; reads dy, weight, bias; writes dx. As a transposed
                    convolution it has an epilogue, with a bias of C numbers; then it does not
                    accumulate
   backward_weight  dweight from dy and x, dbias = the sum of dy over N, H and W; reads dy, x;
                    writes dweight, dbias, of which either may be absent, not both
   A gradient's view stands in the field of its value (dx in x ...). The extents of x and y may be
   any: what they leave of the padding behind an axis is what there is of it. */
typedef struct nn_conv2d_args {
    nn_view y;      /* (N, K, OH, OW) */
    nn_view x;      /* (N, C, H, W) */
    nn_view weight; /* (K, C / G, R, S) */
    nn_conv2d_params params;
    bool direct;          /* no way but direct sums */
    bool accumulate;      /* += instead of =; never with an epilogue but in backward_weight */
    nn_epilogue epilogue; /* in backward_weight epilogue.bias is dbias */
    nn_view scratch;
    nn_keeping keep; /* forward */
    float *kept;  /* as many bytes as the device asks for; NULL before there is memory */
} nn_conv2d_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_CONV2D_FORWARD_VIEWS(VIEW, ITEM)                                                        \
    VIEW(SUM, y, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, epilogue.bias, 1)                  \
    VIEW(SCRATCH, scratch, 1)
#define NN_CONV2D_BACKWARD_INPUT_VIEWS(VIEW, ITEM)                                                 \
    VIEW(IN, y, 1) VIEW(SUM, x, 1) VIEW(IN, weight, 1) VIEW(IN, epilogue.bias, 1)                  \
    VIEW(SCRATCH, scratch, 1)
#define NN_CONV2D_BACKWARD_WEIGHT_VIEWS(VIEW, ITEM)                                                \
    VIEW(IN, y, 1) VIEW(IN, x, 1) VIEW(SUM, weight, 1) VIEW(SUM, epilogue.bias, 1)                 \
    VIEW(SCRATCH, scratch, 1)

/* What else it is told: kernels/list.h. */
#define NN_CONV2D_FORWARD_NUMBERS(INT, REAL, OTHER)                                                \
    INT(params.kernel_h) INT(params.kernel_w) INT(params.stride_h) INT(params.stride_w)            \
    INT(params.padding_h) INT(params.padding_w) INT(params.dilation_h) INT(params.dilation_w)      \
    INT(params.groups) INT(direct) INT(accumulate) INT(epilogue.activation) OTHER(keep)            \
    OTHER(kept)
#define NN_CONV2D_BACKWARD_INPUT_NUMBERS(INT, REAL, OTHER)                                         \
    NN_CONV2D_FORWARD_NUMBERS(INT, REAL, OTHER)
#define NN_CONV2D_BACKWARD_WEIGHT_NUMBERS(INT, REAL, OTHER)                                        \
    NN_CONV2D_FORWARD_NUMBERS(INT, REAL, OTHER)
