/* ops/integer.h - inference in 8-bit integers, operation by operation. nn_quantize_net
   (quantize/quantize_net.h) turns a trained net into these operations, and nn_write_c (nn_onnx.h)
   prints them as calls of this file, for firmware. You can also describe them by hand. */
#pragma once

#include "graph/model.h"
#include "ops/conv2d.h"
#include "ops/conv_transpose.h"
#include "ops/linear.h"
#include "ops/pool2d.h"

/* A number q of dtype NN_I8 stands for scale * (q - zero point). All weights and the numbers that
   follow from scales are buffers. They begin as zeros, and every result is then meaningless: load
   them with nn_load_weights, nn_use_weights or nn_upload_tensor. These calls refuse multipliers,
   shifts, zero points, scales and exponentials out of the ranges below. A weight may also be -128.
   Sums are exact, and they are reduced to 8 bits as in TensorFlow Lite (docs/quantize.md), so
   results have the same bytes on every processor and OpenCL device. The operations have no
   gradient.

   A layer "fc" has these buffers:
     "fc.weight" i8   from -127 to 127, one scale for each output channel, zero point 0
     "fc.bias"   i32  in the scale of x times that of the weight
     "fc.factor" i32  (2, K): for each output channel the factor from a sum to y, which is
                      multiplier * 2^(shift - 31): multipliers (0 to 2^31 - 1, mostly from 2^30 on),
                      then shifts (-31 to 30)
     "fc.zero"   i32  (4): zero points of x and y, smallest and largest y (-128 and 127, or the
                      bounds of a relu) */

typedef struct nn_quantize_per_tensor_desc {
    /* default: false, x and y have one shape. true: the f32 value is an image (N, C, H, W), and the
       integers are (N, H, W, C), as the layers below want them */
    bool channels_last;
} nn_quantize_per_tensor_desc;

/* torch.quantize_per_tensor: f32 to i8, clamp(round(x / scale) + zero point, -128, 127), halves
   away from zero; NaN becomes the zero point. The buffer "name.scale" (2) f32 has scale and zero
   point; nn_quantize_per_tensor and nn_dequantize of one name share it. desc may be NULL. */
NN_API nn_node *nn_quantize_per_tensor_at(nn_site site, nn_model *net, const char *name,
                                          nn_node *x, const nn_quantize_per_tensor_desc *desc);
#define nn_quantize_per_tensor(...) nn_quantize_per_tensor_at(NN_HERE, __VA_ARGS__)
/* torch.dequantize: i8 to f32, scale * (x - zero point). */
NN_API nn_node *nn_dequantize_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                 const nn_quantize_per_tensor_desc *desc);
#define nn_dequantize(...) nn_dequantize_at(NN_HERE, __VA_ARGS__)

/* torch.ao.nn.quantized.Linear: x (..., C) i8, y (..., K) i8, "name.weight" (K, 1, 1, C), at most
   65,536 inputs. A relu or clamp after it is expressed in "name.zero". The layer always has a bias,
   and it shares nothing: .no_bias and .shared are errors. */
NN_API nn_node *nn_integer_linear_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                     const nn_linear_desc *desc);
#define nn_integer_linear(...) nn_integer_linear_at(NN_HERE, __VA_ARGS__)
/* torch.ao.nn.quantized.Conv2d with the channels last: x (N, H, W, C) i8, y (N, OH, OW, K) i8, with
   extents as in nn_conv2d. "name.weight" is (K, R, S, C / groups). With .groups = C = K (depthwise)
   it is (R, S, K). .no_bias, .shared and .padding_mode are errors. Padding counts as the zero point
   of x. */
NN_API nn_node *nn_integer_conv2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                     const nn_conv2d_desc *desc);
#define nn_integer_conv2d(...) nn_integer_conv2d_at(NN_HERE, __VA_ARGS__)
/* torch.ao.nn.quantized.ConvTranspose2d with the channels last: x (N, H, W, C) i8, y (N, OH, OW, K)
   i8, with extents as in nn_conv_transpose2d. "name.weight" is (K, R, S, C / groups). .no_bias and
   .shared are errors. Each place of y costs as much as in a convolution of this kernel, whatever
   the stride. */
NN_API nn_node *nn_integer_conv_transpose2d_at(nn_site site, nn_model *net, const char *name,
                                               nn_node *x, const nn_conv_transpose2d_desc *desc);
#define nn_integer_conv_transpose2d(...) nn_integer_conv_transpose2d_at(NN_HERE, __VA_ARGS__)
/* y = a + b in the scale of y; all are i8 and of one shape. "name.numbers" (11) i32: zero points of
   a, b and y, their multipliers, their shifts, smallest and largest y (kernels/integer/args.h). */
NN_API nn_node *nn_integer_add_at(nn_site site, nn_model *net, const char *name, nn_node *a,
                                  nn_node *b);
#define nn_integer_add(...) nn_integer_add_at(NN_HERE, __VA_ARGS__)
/* y = a * b in the scale of y; all are i8. b has a's shape, or is (N, 1, 1, C) if a is an image (N,
   H, W, C): one factor for each channel. "name.numbers" (7) i32: zero points of a, b and y,
   multiplier, shift, smallest and largest y (kernels/integer/args.h). */
NN_API nn_node *nn_integer_multiply_at(nn_site site, nn_model *net, const char *name, nn_node *a,
                                       nn_node *b);
#define nn_integer_multiply(...) nn_integer_multiply_at(NN_HERE, __VA_ARGS__)
/* Any function of one number, such as a sigmoid: y = table[x + 128]. x i8 of any shape, y i8.
   "name.table" (256) i8. */
NN_API nn_node *nn_integer_table_at(nn_site site, nn_model *net, const char *name, nn_node *x);
#define nn_integer_table(...) nn_integer_table_at(NN_HERE, __VA_ARGS__)
/* torch.softmax along an axis, which may be negative: x i8 of any shape, y i8. "name.table" (256)
   i32: 2^30 exp(-i scale of x) for i = 0 ... 255, rounded to the nearest, so the first one is 2^30.
   "name.numbers" (3) i32: the zero point of y, then multiplier and shift of the factor
   2^-30 / scale of y. TensorFlow Lite's softmax has the scale 1/256 and the zero point -128:
   {-128, 512, 0} (kernels/integer/args.h). */
NN_API nn_node *nn_integer_softmax_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                      int axis);
#define nn_integer_softmax(...) nn_integer_softmax_at(NN_HERE, __VA_ARGS__)
/* Resizes x (N, H, W, C) i8 to y (N, height, width, C) i8 in the same scale: each number lies
   between two rows and two columns of x. "name.rows" (3, height) i32 has for each row of y the
   first and second row of x, and 1024 times the part of the second one; "name.columns" (3, width)
   i32 has the same for columns. The sum of four products is divided by 2^20 and rounded, halves
   away from zero (kernels/integer/args.h). */
NN_API nn_node *nn_integer_resize2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       int height, int width);
#define nn_integer_resize2d(...) nn_integer_resize2d_at(NN_HERE, __VA_ARGS__)
/* Pools of x (N, H, W, C) i8; y has the scale of x. A mean is rounded, halves away from zero.
   "name.zero" (4) i32: zero points of x and y, which are equal; the other two are not read.
   .divisor and .dilation are errors. */
NN_API nn_node *nn_integer_max_pool2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                         const nn_pool2d_desc *desc);
#define nn_integer_max_pool2d(...) nn_integer_max_pool2d_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_integer_avg_pool2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                         const nn_pool2d_desc *desc);
#define nn_integer_avg_pool2d(...) nn_integer_avg_pool2d_at(NN_HERE, __VA_ARGS__)
typedef struct nn_integer_recurrent_desc {
    int hidden_size; /* must be given: H, at most 65,536 */
    bool reverse;    /* default: false. true: from the last step to the first */
} nn_integer_recurrent_desc;

/* One layer of an lstm in one direction: x (N, T, C) i8, at most 65,536 columns, y (N, T, H) i8,
   both scales given by the buffers. h and the cells begin at 0. Buffers, with G = 4 gates in
   PyTorch's order and the units that kernels/integer/args.h states:
     "name.weight_ih" (G H, C) i8, "name.weight_hh" (G H, H) i8
     "name.bias"      (2, G H) i32: of the sums over x, and over h
     "name.factor"    (4, G H) i32: multipliers and shifts for x, then for h
     "name.numbers"   (5) i32: zero points of x and h, multiplier, shift and bits of the cells
   nn_output(y, 1) is the last state (N, 2 H) i32: h, and cells in their unit. For two directions,
   call it twice, with a nn_concat; for several layers, once for each. */
NN_API nn_node *nn_integer_lstm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                   const nn_integer_recurrent_desc *desc);
#define nn_integer_lstm(...) nn_integer_lstm_at(NN_HERE, __VA_ARGS__)
/* One layer of a gru in one direction, as nn_integer_lstm with G = 3. nn_output(y, 1) is the last
   state (N, H) i32, with 15 bits after the point. */
NN_API nn_node *nn_integer_gru_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                  const nn_integer_recurrent_desc *desc);
#define nn_integer_gru(...) nn_integer_gru_at(NN_HERE, __VA_ARGS__)
