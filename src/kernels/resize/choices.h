/* kernels/resize/choices.h - the ways to resize. */
#pragma once

typedef enum nn_resize_mode {
    NN_RESIZE_NEAREST, /* "nearest": the place below, as OpenCV's INTER_NEAREST; the default */
    NN_RESIZE_NEAREST_EXACT, /* "nearest-exact": the nearest centre */
    NN_RESIZE_LINEAR,        /* "linear" of lines, "bilinear" of pictures */
    NN_RESIZE_CUBIC,         /* "bicubic" */
    NN_RESIZE_AREA           /* "area": means, as nn_adaptive_avg_pool2d. No kernel is given it */
} nn_resize_mode;
