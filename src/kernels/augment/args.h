/* kernels/augment/args.h - the augmentation of images, and the conversion of bytes to numbers. */
#pragma once

#include "device/types.h"
#include "kernels/augment/choices.h"

/* Augments images, in this order, all in f32: v = x * scale + offset; brightness: v = clamp(v *
   factor), contrast: v = clamp(v * factor + mean * (1 - factor)), clamp to [0, 1],
     each left out where its factor is 1; mean: over the sample's pixels after brightness, of
     0.2989 r + 0.587 g + 0.114 b with 3 channels, else of all channels (torchvision's ColorJitter);
   crop of H' x W' at (top, left), 0 outside of x; mirrored if flip;
   affine: pixel (h, w) is the bilinear mix of the crop's four pixels around
     column (m0 p + m1 q) + (m2 + cx), row (m3 p + m4 q) + (m5 + cy), with p = w - cx, q = h - cy,
     cx = (W' - 1) / 2, cy = (H' - 1) / 2, computed in this order and not fused; 0 outside of the
         crop;
   v = (v - mean of the channel) / std of the channel;
   `fill` inside the cut box;
   y = lambda v + (1 - lambda) v of the partner, where lambda is not 1.
   Without a table x and y have one shape, of any rank, and only scale, offset, mean and std are
   used. Then y may also be i32 (for u8 x): x * scale + offset rounded to the nearest whole number,
   or INT32_MIN if int32 cannot hold it. Invalid numbers in the table never read out of bounds. */
typedef struct nn_augment_args {
    nn_view y;         /* (N, C, H', W') f32 */
    nn_view x;         /* (N, C, H, W) u8 or f32 */
    nn_view table;     /* (N, NN_AUGMENT_COLUMNS) f32, or absent */
    nn_view normalize; /* (2, C) f32: means, then stds; or absent: the next two */
    float mean[4], std[4]; /* for channels 0 to 3; further channels have 0 and 1 */
    float scale, offset, fill;
    bool contrast; /* false: the contrast column is not read */
    nn_view scratch;
} nn_augment_args;

/* Views and numbers: see kernels/list.h. */
#define NN_AUGMENT_VIEWS(VIEW, ITEM)                                                               \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, table, 1) VIEW(IN, normalize, 1)                       \
    VIEW(SCRATCH, scratch, 1)
#define NN_AUGMENT_NUMBERS(INT, REAL, OTHER)                                                       \
    REAL(mean[0]) REAL(mean[1]) REAL(mean[2]) REAL(mean[3]) REAL(std[0]) REAL(std[1]) REAL(std[2]) \
    REAL(std[3]) REAL(scale) REAL(offset) REAL(fill) INT(contrast)
