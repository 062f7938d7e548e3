/* kernels/resize/args.h - resizing of images and lines: nearest, linear, cubic, and their
   gradients. x (N, C, H, W), y (N, C, OH, OW);
   on the CPU in nn_more.h. */
#pragma once

#include "device/types.h"
#include "kernels/resize/choices.h"

/* Rows and columns are resized one after the other; i is a place of y along an axis and F = floor:
     nearest        x[F(i step)]
     nearest exact  x[F((i + 1/2) step)]
     linear         s = (i + 1/2) step - 1/2, at least 0; with align_corners i step;
                    t = s - F(s); (1 - t) x[F(s)] + t x[F(s) + 1]
     cubic          the same s, which may be negative; the four around it, with Keys' weights for
                    `cubic`
     antialias      the triangle, or Keys' function, around (i + 1/2) step, as wide as step says
                    where it is above 1; weights are divided by their sum
   An index outside of x is clamped. If x and y have the same extent along an axis, linear uses
   x[i]. Indices are computed in f32, as in PyTorch, so all devices use the same ones. Weights of 0
   are not skipped: 0 times NaN is NaN. forward writes y. backward reads dy (in y) and writes dx (in
   x), with sums in a fixed order, rows of y first. */
typedef struct nn_resize_args {
    nn_view y, x;
    nn_resize_mode mode;
    bool align_corners, antialias;
    float cubic;          /* the slope of Keys' function at 1 */
    float step_h, step_w; /* distance in x of neighbouring elements of y */
    /* Upper bounds of the number of input elements (x forward, y backward) that contribute to one
       output element, along H and along W. */
    int32_t taps_h, taps_w;
    nn_view scratch;
    bool accumulate; /* backward only */
} nn_resize_args;

/* Views and numbers: see kernels/list.h. */
#define NN_RESIZE_FORWARD_VIEWS(VIEW, ITEM)                                                        \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(SCRATCH, scratch, 1)
#define NN_RESIZE_BACKWARD_VIEWS(VIEW, ITEM)                                                       \
    VIEW(IN, y, 1) VIEW(SUM, x, 1) VIEW(SCRATCH, scratch, 1)
#define NN_RESIZE_FORWARD_NUMBERS(INT, REAL, OTHER)                                                \
    INT(mode) INT(align_corners) INT(antialias) REAL(cubic) REAL(step_h) REAL(step_w)              \
    OTHER(taps_h) OTHER(taps_w) INT(accumulate)
#define NN_RESIZE_BACKWARD_NUMBERS(INT, REAL, OTHER) NN_RESIZE_FORWARD_NUMBERS(INT, REAL, OTHER)
