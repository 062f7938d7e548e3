/* ops/integer_private.h - the nodes of inference in 8-bit integers (kernels/integer/args.h), which
   the calls of ops/integer.h and nn_quantize_net (quantize/net.c) add. */
#pragma once

#include "graph/private.h"
#include "kernels/install_quantize.h"
#include "kernels/integer/args.h"
#include "ops/integer.h"

/* Returns a layer, whose leaves (i8 weight, and i32 numbers) are buffers "name.weight",
   "name.bias", "name.factor", "name.zero". shape: of y. Linear layers have images of 1 x 1, and x
   and y may have any rank. The new nodes have 0 everywhere. */
typedef enum nn__integer_layer_kind {
    NN__INTEGER_LINEAR,
    NN__INTEGER_CONV,
    NN__INTEGER_TRANSPOSED
} nn__integer_layer_kind;
NN_PRIVATE nn_node *nn__integer_conv2d(nn_model *net, nn_site site, const char *name, nn_node *x,
                                       const nn_shape *weight, const nn_conv2d_params *params,
                                       nn__integer_layer_kind kind, const nn_shape *shape);
NN_PRIVATE nn_node *nn__integer_pool2d(nn_model *net, nn_site site, const char *name, nn_node *x,
                                       const nn_integer_pool2d_args *numbers,
                                       const nn_shape *shape);
NN_PRIVATE nn_node *nn__integer_add(nn_model *net, nn_site site, const char *name, nn_node *a,
                                    nn_node *b);
NN_PRIVATE nn_node *nn__integer_table(nn_model *net, nn_site site, const char *name, nn_node *x);
/* axis: from 0 to rank - 1. Adds the buffers "name.table" and "name.numbers". */
NN_PRIVATE nn_node *nn__integer_softmax(nn_model *net, nn_site site, const char *name, nn_node *x,
                                        int axis);
/* shape: of y, (N, OH, OW, C). Adds the buffers "name.rows" and "name.columns". */
NN_PRIVATE nn_node *nn__integer_resize2d(nn_model *net, nn_site site, const char *name, nn_node *x,
                                         const nn_shape *shape);
/* b: a's shape, or (N, 1, 1, C) if a is (N, H, W, C). */
NN_PRIVATE nn_node *nn__integer_multiply(nn_model *net, nn_site site, const char *name, nn_node *a,
                                         nn_node *b);
/* Returns a layer of an lstm or gru in one direction, x (N, T, C), y (N, T, hidden). Its buffers
   are "name.weight_ih", "name.weight_hh", "name.bias", "name.factor" and "name.numbers"
   (kernels/integer/args.h). Output 1 is its last state (N, ...) i32. */
NN_PRIVATE nn_node *nn__integer_recurrent(nn_model *net, nn_site site, const char *name, nn_node *x,
                                          nn_recurrent_cell cell, bool reverse, int32_t hidden);
/* Returns a buffer "name.cell" (1) f32: the unit of an lstm's cells. */
NN_PRIVATE nn_node *nn__integer_cell_leaf(nn_model *net, nn_site site, const char *name);
/* Quantises to i8, or dequantises from i8. scale: the leaf of nn__integer_scale_leaf. */
NN_PRIVATE nn_node *nn__integer_quantize(nn_model *net, nn_site site, const char *name, nn_node *x,
                                         nn_node *scale, bool channels_last,
                                         const nn_shape *shape);
NN_PRIVATE nn_node *nn__integer_dequantize(nn_model *net, nn_site site, const char *name,
                                           nn_node *x, nn_node *scale, bool channels_last,
                                           const nn_shape *shape);
/* Lets loaded files be checked: shifts, zero points and other numbers must be in their ranges. */
#ifndef NN_NO_FILES
NN_PRIVATE void nn__integer_check_files(nn_context *nn);
#else
#define nn__integer_check_files(nn) ((void)(nn))
#endif
/* True for the operation of nn_fake_quantize. */
NN_PRIVATE bool nn__is_fake_quantize(const nn_node *node);
/* Returns a buffer "name.scale" (2) f32: scale and zero point. */
NN_PRIVATE nn_node *nn__integer_scale_leaf(nn_model *net, nn_site site, const char *name);
