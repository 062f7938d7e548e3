/* kernels/augment/choices.h - the columns of the table that says how each image is changed. */
#pragma once

/* The columns of the table: one f32 row per sample says how its image is changed. The host draws
   them (train/augment.h), so every device has the same draws. */
typedef enum nn_augment_column {
    NN_AUGMENT_TOP, /* whole number: the crop's first row in x; below 0 inside the padding */
    NN_AUGMENT_LEFT,             /* whole */
    NN_AUGMENT_FLIP,             /* 1: mirrored left to right; 0: not */
    NN_AUGMENT_MATRIX,           /* six, m0 to m5: the affine map, see nn_augment_args */
    NN_AUGMENT_BRIGHTNESS = 9,   /* factor; 1: as it is */
    NN_AUGMENT_CONTRAST,         /* factor; 1: as it is */
    /* whole numbers: the box to cut out of y, [top, bottom) x [left, right); empty: none */
    NN_AUGMENT_CUT_TOP,
    NN_AUGMENT_CUT_LEFT,
    NN_AUGMENT_CUT_BOTTOM,
    NN_AUGMENT_CUT_RIGHT,
    NN_AUGMENT_LAMBDA,  /* the sample's share of the mix; 1: nothing is mixed in */
    NN_AUGMENT_PARTNER, /* whole number: the sample of this batch that is mixed in */
    NN_AUGMENT_COLUMNS
} nn_augment_column;
