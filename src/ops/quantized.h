/* ops/quantized.h - layers that multiply 8-bit integers, with scales that files or runs give:
   ONNX's quantised operators, and PyTorch's dynamic quantisation. */
#pragma once

#include "graph/model.h"

/* A number q of a quantised value stands for scale * (q - zero_point). `range` is a node (2) f32
   with both: the scale, greater than 0, and the zero point, a whole number from -128 to 127. It may
   be a constant or be computed in each run. Unsigned bytes with the zero point z are these numbers
   with the zero point z - 128.

   These operations run on the CPU only and have no gradient. Sums are exact integers of 32 bits,
   and every other step is rounded to f32 by itself, so all of them but nn_quantized_lstm give the
   same bytes on every instruction set. To make integers of a trained
   net, see nn_quantize_net. */

/* Quantises x, of any shape and f32: clamp(round(x / scale) + zero_point, -128, 127), where halves
   are rounded to even, as i8. NaN becomes the zero point. torch.quantize_per_tensor with
   torch.qint8, but for the division, which is ONNX's (QuantizeLinear). */
NN_API nn_node *nn_quantize_even_at(nn_site site, nn_model *net, nn_node *x, nn_node *range);
#define nn_quantize_even(...) nn_quantize_even_at(NN_HERE, __VA_ARGS__)

typedef struct nn_quantized_linear_desc {
    int out_features;        /* must be given */
    int in_features;         /* default: taken from x; if given, checked */
    bool no_bias;            /* default: false, there is a bias */
    bool weight_zero_points; /* default: false, the zero points of the weight are 0 */
} nn_quantized_linear_desc;

/* Describes a linear layer for quantised x (..., in_features) i8 with its range:
       y = scale of x * weight_scale * sum of (x - zero point of x) (weight - weight_zero_point)
           + bias
   y is f32. The buffers are
       "name.weight"            (out_features, in_features) i8, at first 0
       "name.weight_scale"      (out_features) f32, at first 1
       "name.weight_zero_point" (out_features) i32, at first 0; only with .weight_zero_points
       "name.bias"              (out_features) f32, at first 0; not with .no_bias
   Source: ONNX, MatMulInteger; torch.ao.nn.quantized.dynamic.Linear has the same sums. */
NN_API nn_node *nn_quantized_linear_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       nn_node *range, const nn_quantized_linear_desc *desc);
#define nn_quantized_linear(...) nn_quantized_linear_at(NN_HERE, __VA_ARGS__)

/* A number of an axis, unless it is 0, replaces the number for both axes. */
typedef struct nn_quantized_conv2d_desc {
    int out_channels; /* must be given */
    int kernel, kernel_h, kernel_w; /* must be given */
    int stride, stride_h, stride_w; /* default: 1 */
    int padding, padding_h, padding_w; /* default: 0. Before each axis, and after it */
    int dilation, dilation_h, dilation_w; /* default: 1 */
    /* default: the extents of y if the padding after each axis equals that before it. Set them if
       it differs */
    int out_h, out_w;
    bool bias; /* default: false. true: adds integers to the sums */
} nn_quantized_conv2d_desc;

/* Describes a convolution without groups for quantised x (N, C, H, W) i8 with its range:
       y = scale of x * weight_scale * (bias + sum of (x - zero point of x) weight)
   y is (N, out_channels, out_h, out_w), f32; padding counts as the zero point. The buffers are
       "name.weight"       (out_channels, C, kernel_h, kernel_w) i8, at first 0
       "name.weight_scale" (out_channels) f32, at first 1
       "name.bias"         (out_channels) i32, at first 0; only with .bias
   H and W must be known numbers. Source: ONNX, ConvInteger and QLinearConv. */
NN_API nn_node *nn_quantized_conv2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       nn_node *range, const nn_quantized_conv2d_desc *desc);
#define nn_quantized_conv2d(...) nn_quantized_conv2d_at(NN_HERE, __VA_ARGS__)

typedef struct nn_quantized_lstm_desc {
    int hidden_size; /* must be given */
    int input_size;  /* default: taken from x; if given, checked */
    bool no_bias;    /* default: false, there is a bias */
    bool reverse;    /* default: false. true: from the last step to the first */
    nn_node *h_0;    /* default: zeros. The first state (N, hidden_size), f32 */
    nn_node *c_0;    /* default: zeros. The first cell (N, hidden_size), f32 */
} nn_quantized_lstm_desc;

/* Describes one layer of torch.nn.LSTM in one direction for quantised x (N, T, input_size) i8 with
   its range; all products are of 8-bit integers. Before each step the state of each sample is
   quantised by itself, with the range of its numbers and 0. The result is y (N, T, hidden_size)
   f32; nn_output(y, 1) is the last state and nn_output(y, 2) the last cell, each (N, hidden_size).
   The buffers, with the gates i f g o as in torch.nn.LSTM, are
       "name.weight_ih"       (4 hidden_size, input_size) i8    "name.weight_ih_scale"  f32
       "name.weight_hh"       (4 hidden_size, hidden_size) i8   "name.weight_hh_scale"  f32
       "name.bias"            (4 hidden_size) f32: the sum of both biases
   Weights and biases are at first 0, scales (4 hidden_size) 1. The functions of the gates are those
   of nn_lstm, whose last bits depend on the instruction set; a state near a half may then be
   rounded differently. Source: onnxruntime's DynamicQuantizeLSTM. */
NN_API nn_node *nn_quantized_lstm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                     nn_node *range, const nn_quantized_lstm_desc *desc);
#define nn_quantized_lstm(...) nn_quantized_lstm_at(NN_HERE, __VA_ARGS__)
