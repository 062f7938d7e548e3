/* kernels/grid_sample/choices.h - how numbers between pixels and beside them are found. */
#pragma once

typedef enum nn_grid_mode {
    NN_GRID_BILINEAR, /* the default */
    NN_GRID_NEAREST,  /* halves to even */
    NN_GRID_BICUBIC
} nn_grid_mode;

typedef enum nn_grid_padding {
    NN_GRID_ZEROS,     /* zeros around the picture; the default */
    NN_GRID_BORDER,    /* a place outside is the nearest one inside */
    NN_GRID_REFLECTION /* it is mirrored at the edge, or with align_corners at the last pixel */
} nn_grid_padding;
