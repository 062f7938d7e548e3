/* kernels/grid_sample/choices.h - how nn_grid_sample interpolates and pads. */
#pragma once

typedef enum nn_grid_mode {
    NN_GRID_BILINEAR, /* the default */
    NN_GRID_NEAREST,  /* halves round to even */
    NN_GRID_BICUBIC
} nn_grid_mode;

typedef enum nn_grid_padding {
    NN_GRID_ZEROS,     /* zeros around the image; the default */
    NN_GRID_BORDER,    /* a position outside reads the nearest pixel inside */
    NN_GRID_REFLECTION /* a position outside is mirrored at the edge, or with align_corners at the
                          last pixel */
} nn_grid_padding;
