/* onnx/resample.h - resampling along one axis: the positions of x that a position of y reads, by
   ONNX's formulas. */
#pragma once

#include "onnx/parts.h"

typedef enum nn__onnx_places {
    NN__ONNX_HALF_PIXEL,
    NN__ONNX_HALF_PIXEL_SYMMETRIC,
    NN__ONNX_PYTORCH_HALF_PIXEL,
    NN__ONNX_TF_HALF_PIXEL,
    NN__ONNX_ALIGN_CORNERS,
    NN__ONNX_ASYMMETRIC,
    NN__ONNX_CROP
} nn__onnx_places;

typedef enum nn__onnx_kernel { NN__ONNX_NEAREST, NN__ONNX_LINEAR, NN__ONNX_CUBIC } nn__onnx_kernel;

typedef enum nn__onnx_rounding {
    NN__ONNX_PREFER_FLOOR,
    NN__ONNX_PREFER_CEIL,
    NN__ONNX_FLOOR,
    NN__ONNX_CEIL
} nn__onnx_rounding;

/* One axis. */
typedef struct nn__onnx_resample {
    nn__onnx_places places;
    nn__onnx_kernel kernel;
    nn__onnx_rounding rounding; /* of the nearest */
    int32_t extent, out;
    double scale, begin, end; /* begin, end: of the region of interest */
    double cubic;             /* the slope of the cubic at 1 */
    bool antialias, exclude;  /* low-pass filters; only places inside x count */
} nn__onnx_resample;

/* Returns the position in x for position i of y, before rounding. */
NN__ONNX_PRIVATE double nn__onnx_place_of(const nn__onnx_resample *r, int32_t i);
/* Returns the element of x that is nearest to place i of y. */
NN__ONNX_PRIVATE int32_t nn__onnx_nearest(const nn__onnx_resample *r, int32_t i);
/* Resamples `axis` of x: by indices, or by a product with a matrix of weights. */
NN__ONNX_PRIVATE nn_node *nn__onnx_resampled(nn__onnx_node *n, nn_node *x, int axis,
                                             const nn__onnx_resample *r);
/* Returns 1 where place i of y is inside x, else 0, as a constant (out) along `axis` of `rank`
   axes. */
NN__ONNX_PRIVATE nn_node *nn__onnx_inside(nn__onnx_node *n, int rank, int axis,
                                          const nn__onnx_resample *r);
