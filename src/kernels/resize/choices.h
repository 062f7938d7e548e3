/* kernels/resize/choices.h - the ways to resize. */
#pragma once

typedef enum nn_resize_mode {
    NN_RESIZE_NEAREST, /* "nearest": rounds down, as OpenCV's INTER_NEAREST; the default */
    NN_RESIZE_NEAREST_EXACT, /* "nearest-exact": the nearest pixel centre */
    NN_RESIZE_LINEAR,        /* "linear" for lines, "bilinear" for images */
    NN_RESIZE_CUBIC,         /* "bicubic" */
    NN_RESIZE_AREA           /* "area": means, as nn_adaptive_avg_pool2d. Kernels never get it */
} nn_resize_mode;
