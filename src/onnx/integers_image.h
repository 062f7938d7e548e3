/* onnx/integers_image.h - what the files of operations between quantised images share. */
#pragma once

#include "onnx/integers.h"

/* The inputs of these patterns. Those that a pattern does not have are its input 0 again. A Concat
   has its further inputs in place of the limits of a Clip, and after them. */
enum {
    NN__ONNX_IMAGE_X,
    NN__ONNX_IMAGE_W, /* the weight, or the other value of an addition */
    NN__ONNX_IMAGE_BIAS,
    NN__ONNX_IMAGE_SCALE, /* of the result, and its zero point */
    NN__ONNX_IMAGE_ZERO,
    NN__ONNX_IMAGE_MIN, /* of a Clip */
    NN__ONNX_IMAGE_MAX,
    NN__ONNX_IMAGE_INPUTS,
    NN__ONNX_IMAGE_RELU = 30 /* only a bit of `kind` */
};
static inline bool nn__onnx_image_has(int kind, int input) { return (kind >> input & 1) != 0; }

/* Returns the numbers of a value as an image. */
NN__ONNX_PRIVATE nn_node *nn__onnx_image_node(nn__onnx_node *n, struct nn__onnx_bytes_of *of);
/* Returns the quantised value of a dequantised image (N, C, H, W); NULL: it is none. */
NN__ONNX_PRIVATE struct nn__onnx_bytes_of *nn__onnx_image_of(const nn__onnx_value *value);
/* Loads whole numbers into a buffer of a layer. */
NN__ONNX_PRIVATE void nn__onnx_load_wholes(nn__onnx_node *n, const char *layer, const char *part,
                                           const int32_t *numbers, int32_t rank,
                                           const int64_t *extents);
/* Gives an image of integers as result 0. real: as dequantised numbers. */
NN__ONNX_PRIVATE void nn__onnx_give_image(nn__onnx_node *n, const char *layer, nn_node *image,
                                          const struct nn__onnx_bytes_of *range, bool real);

/* Returns the operator that makes a value which only one operator reads; NULL: another one. */
NN__ONNX_PRIVATE const nn__onnx_op *nn__onnx_image_source(const nn__onnx_walk *walk,
                                                          const nn__onnx_scope *scope,
                                                          const char *name, const char *type);
/* Returns the pattern of which n is the mapping, as far as the functions below read it. */
NN__ONNX_PRIVATE nn__onnx_pattern nn__onnx_image_again(const nn__onnx_node *n);
/* Reads scale and zero point of the result. */
NN__ONNX_PRIVATE bool nn__onnx_image_range(const nn__onnx_pattern *pattern,
                                           const nn__onnx_scope *scope,
                                           struct nn__onnx_bytes_of *range);
/* Finds the smallest and the largest result. False: a limit is not known. */
NN__ONNX_PRIVATE bool nn__onnx_image_limits(const nn__onnx_pattern *pattern,
                                            const nn__onnx_scope *scope,
                                            const struct nn__onnx_bytes_of *range,
                                            int32_t *limits);
/* Reads a list of `count` numbers; a list that is absent is all `absent`. */
NN__ONNX_PRIVATE bool nn__onnx_image_list(const nn__onnx_op *op, const char *name, int count,
                                          int64_t absent, int *to);
/* Returns the factor from a sum to the result, times 2^31. The shift of the layer is 0, so that a
   sum is rounded once. 0: the factor would be too coarse, or halves be frequent, which the file
   rounds to even. */
NN__ONNX_PRIVATE int32_t nn__onnx_image_factor(double factor);

/* integers_pool.c: finds the average pool or the concatenation that makes a value, and fills in
   map, fits and further inputs. Returns its operator; NULL: none. */
NN__ONNX_PRIVATE const nn__onnx_op *nn__onnx_find_image_pool(const nn__onnx_walk *walk,
                                                             const nn__onnx_scope *scope,
                                                             const char *name,
                                                             nn__onnx_pattern *pattern);
