/* kernels/pool2d/args.h - max and average pooling of images, and their gradients. x (N, C, H, W), y
   (N, C, OH, OW). */
#pragma once

#include "device/types.h"

typedef enum nn_pool_kind { NN_POOL_MAX, NN_POOL_AVERAGE } nn_pool_kind;

/* forward writes y, and for max, if `index` is present, the index of each maximum in its plane: i32
   in [0, H * W), the first of equal ones; a NaN wins. backward reads dy (in y) and index and writes
   all of dx (in x). An index outside of [0, H * W) is ignored; an index outside of its own window
   may be ignored. */
typedef struct nn_pool2d_args {
    nn_view y, x, index; /* index: i32, shape of y */
    nn_pool_kind kind;
    int32_t kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w;
    bool count_only_inside;
    int32_t divisor; /* 0: the size of the window */
    /* max only. Distance of the elements of a window along its height and width, from its first
       element on, which may lie outside; 0 means 1. kernel_h and kernel_w reach from the first
       element to the last. */
    int32_t dilation_h, dilation_w;
    /* The windows divide the image: row i of y covers the rows floor(i H / OH) to ceil((i + 1) H /
       OH) - 1 of x. The numbers above are then ignored. */
    bool adaptive;
    bool accumulate; /* backward only */
} nn_pool2d_args;

/* Views and numbers: see kernels/list.h. */
#define NN_POOL2D_FORWARD_VIEWS(VIEW, ITEM) VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(OUT, index, 1)
#define NN_POOL2D_BACKWARD_VIEWS(VIEW, ITEM) VIEW(IN, y, 1) VIEW(SUM, x, 1) VIEW(IN, index, 1)
#define NN_POOL2D_FORWARD_NUMBERS(INT, REAL, OTHER)                                                \
    INT(kind) INT(kernel_h) INT(kernel_w) INT(stride_h) INT(stride_w) INT(padding_h)               \
    INT(padding_w) INT(count_only_inside) INT(divisor) INT(dilation_h) INT(dilation_w)             \
    INT(adaptive) INT(accumulate)
#define NN_POOL2D_BACKWARD_NUMBERS(INT, REAL, OTHER) NN_POOL2D_FORWARD_NUMBERS(INT, REAL, OTHER)
