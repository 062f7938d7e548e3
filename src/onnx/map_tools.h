/* onnx/map_tools.h - what several mappings need: expressions, lists of axes, products of extents,
   indices that count from the end. */
#pragma once

#include "onnx/mapping.h"

/* Describes an nn_expression of up to three nodes, with two numbers that the text calls p and q. b
   and c may be NULL. The text begins with its list of names: "x: x * p + q". */
NN__ONNX_PRIVATE nn_node *nn__onnx_express(nn__onnx_node *n, const char *text, nn_node *a,
                                           nn_node *b, nn_node *c, double p, double q);

/* Writes the axes that a node lists, counted from 0. In newer opsets they are an operand, in older
   ones the attribute "axes". Negative axes count from `rank`. Returns their number; -1: the node
   lists none; -2: refused. */
NN__ONNX_PRIVATE int nn__onnx_axes_of(nn__onnx_node *n, int operand, int rank, int32_t *to);
/* Returns one axis as a list. */
NN__ONNX_PRIVATE nn_axes nn__onnx_one_axis(int axis);

/* A product of extents: number * batch^b * time^t. */
typedef struct nn__onnx_product {
    int64_t number;
    int b, t;
} nn__onnx_product;
/* Multiplies the extents from `first` up to, but not including, `end`. */
NN__ONNX_PRIVATE nn__onnx_product nn__onnx_multiply_all(const nn_shape *shape, int first, int end);
/* Returns a product as an extent; 0 if a shape cannot hold it. */
NN__ONNX_PRIVATE int32_t nn__onnx_extent_of(nn__onnx_product product);
/* Multiplies extents and returns the product as one; refuses the node if a shape cannot hold it. */
NN__ONNX_PRIVATE int32_t nn__onnx_joined(nn__onnx_node *n, const nn_shape *shape, int first,
                                         int end);
/* True if all extents are numbers and not 0, else refuses the node. */
NN__ONNX_PRIVATE bool nn__onnx_no_free(nn__onnx_node *n, const nn_shape *shape);

/* Describes nn_reshape of a node, unless it has this shape already. */
NN__ONNX_PRIVATE nn_node *nn__onnx_reshaped(nn__onnx_node *n, nn_node *x, nn_shape shape);
/* ---- arranged.c: the same elements in another order ------------------------------------------ */

/* Returns the arrangement of a value that is `source` in this shape and then permuted. */
NN__ONNX_PRIVATE const nn__onnx_arranged *nn__onnx_arranged_as(nn__onnx_node *n, nn_node *source,
                                                               const nn_shape *shape,
                                                               const int *order);
/* Returns nn_permute of an operand, or an earlier node if the permutation undoes others. */
NN__ONNX_PRIVATE nn_node *nn__onnx_permuted(nn__onnx_node *n, int i, const int *order,
                                            const nn__onnx_arranged **arranged);
/* Gives operand 0 in another shape. */
NN__ONNX_PRIVATE void nn__onnx_give_reshaped(nn__onnx_node *n, nn_shape shape);
/* Says how result k is arranged, after nn__onnx_give. */
NN__ONNX_PRIVATE void nn__onnx_give_arranged(nn__onnx_node *n, int k,
                                             const nn__onnx_arranged *arranged);

/* Returns a node cut along one axis. */
NN__ONNX_PRIVATE nn_node *nn__onnx_cut(nn__onnx_node *n, nn_node *x, int axis, int start, int stop,
                                       int step);
/* Pads each axis; negative numbers cut. mode and value as in nn_pad_desc. */
NN__ONNX_PRIVATE nn_node *nn__onnx_padded(nn__onnx_node *n, nn_node *x, const int32_t *before,
                                          const int32_t *after, double value, nn_padding_mode mode);

/* Returns an operand of indices as an i32 node without negative ones, which count from the end of
   an axis with this extent. If neither the indices nor the extent are known, a negative index ends
   a run with an error. */
NN__ONNX_PRIVATE nn_node *nn__onnx_counted(nn__onnx_node *n, int i, int32_t extent);
/* Returns 0, 1 ... count - 1 as an f32 constant of this shape. */
NN__ONNX_PRIVATE nn_node *nn__onnx_numbered(nn__onnx_node *n, int32_t count, nn_shape shape);
/* Returns a number as an f32 constant without axes. */
NN__ONNX_PRIVATE nn_node *nn__onnx_number_node(nn__onnx_node *n, double number);
