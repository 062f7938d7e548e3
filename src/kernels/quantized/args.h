/* kernels/quantized/args.h - products of 8-bit integers between values in f32, as ONNX and
   PyTorch's dynamic quantisation define them; on the CPU in nn_quantize.h. */
#pragma once

#include "device/types.h"
#include "kernels/conv2d/args.h"

/* A number q of a quantised tensor stands for scale * (q - zero point). `range` has the two numbers
   of a tensor, (2) f32: its scale, and its zero point, a whole number from -128 to 127. They may be
   computed in each run. Unlike kernels/integer, whose scales are ratios of integers, everything
   but the sums is f32, and halves are rounded to even. Each operation is rounded by itself, so all
   instruction sets give the same bytes. */

/* y = clamp(round(x / scale) + zero point, -128, 127). NaN becomes the zero point. Source: ONNX,
   QuantizeLinear. */
typedef struct nn_quantize_even_args {
    nn_view y;     /* i8, of the shape of x */
    nn_view x;     /* f32 */
    nn_view range; /* (2) f32: of y */
} nn_quantize_even_args;

/* y[n, k] = (scale of x * scale[k]) * sum over c of (x[n, c] - zero point of x)
   (weight[k, c] - weight_zero[k]). The sum is i32 and wraps. */
typedef struct nn_quantized_linear_args {
    nn_view y;           /* (N, K) f32 */
    nn_view x;           /* (N, C) i8 */
    nn_view weight;      /* (K, C) i8 */
    nn_view scale;       /* (K) f32: of the rows of weight */
    nn_view weight_zero; /* (K) i32; absent: 0 */
    nn_view range;       /* (2) f32: of x */
    nn_view scratch;
    nn_keeping keep; /* of weight, as in kernels/conv2d/args.h */
    float *kept;     /* of the size that the device asks for; NULL before there is memory */
} nn_quantized_linear_args;

/* y[n, k, ...] = (scale of x * scale[k]) * (bias[k] + sum of (x - zero point of x) weight[k] over
   the window). Padding counts as the zero point. The extents of x and y determine the padding at
   the end of each axis. There are no groups. The sum is i32 and wraps. */
typedef struct nn_quantized_conv2d_args {
    nn_view y;      /* (N, K, OH, OW) f32 */
    nn_view x;      /* (N, C, H, W) i8 */
    nn_view weight; /* (K, C, R, S) i8 */
    nn_view bias;   /* (K) i32; absent: 0 */
    nn_view scale;  /* (K) f32 */
    nn_view range;  /* (2) f32: of x */
    nn_view scratch;
    nn_conv2d_params params;
    nn_keeping keep; /* of weight */
    float *kept;
} nn_quantized_conv2d_args;

/* The steps in time of an LSTM (torch.nn.LSTM, gates i f g o) that multiplies the state and its
   weight as 8-bit integers. Before each step the state h of each sample is quantised by itself:
   with b the larger of max h and 0, a the smaller of min h and 0, the scale is s = (b - a) / 255,
   or 1 if that is 0, and q = clamp(round(h / s) + z, 0, 255) with z = clamp(round(-a / s), 0, 255).
   The gates are x + (s * scale[k]) * sum over j of (q[j] - z) weight[k, j]. Source: ONNX,
   DynamicQuantizeLinear, and onnxruntime's DynamicQuantizeLSTM. */
typedef struct nn_quantized_lstm_args {
    nn_view y;      /* (N, T, H): h after each step */
    nn_view state;  /* (N, 2 H): h and c after the last step; may be absent */
    nn_view x;      /* (N, T, 4 H): the products of the inputs, with all biases */
    nn_view weight; /* (4 H, H) i8 */
    nn_view scale;  /* (4 H) f32: of the rows of weight */
    nn_view h0, c0; /* (N, H); absent: 0 */
    nn_view scratch;
    bool reverse;    /* from the last step to the first */
    nn_keeping keep; /* of weight */
    float *kept;
} nn_quantized_lstm_args;

/* Views and numbers: see kernels/list.h. */
#define NN_QUANTIZE_EVEN_VIEWS(VIEW, ITEM) VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, range, 1)
#define NN_QUANTIZE_EVEN_NUMBERS(INT, REAL, OTHER)
#define NN_QUANTIZED_LINEAR_VIEWS(VIEW, ITEM)                                                      \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, scale, 1) VIEW(IN, weight_zero, 1) \
    VIEW(IN, range, 1) VIEW(SCRATCH, scratch, 1)
#define NN_QUANTIZED_LINEAR_NUMBERS(INT, REAL, OTHER) OTHER(keep) OTHER(kept)
#define NN_QUANTIZED_CONV2D_VIEWS(VIEW, ITEM)                                                      \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, bias, 1) VIEW(IN, scale, 1)        \
    VIEW(IN, range, 1) VIEW(SCRATCH, scratch, 1)
#define NN_QUANTIZED_CONV2D_NUMBERS(INT, REAL, OTHER)                                              \
    INT(params.kernel_h) INT(params.kernel_w) INT(params.stride_h) INT(params.stride_w)            \
    INT(params.padding_h) INT(params.padding_w) INT(params.dilation_h) INT(params.dilation_w)      \
    INT(params.groups) OTHER(keep) OTHER(kept)
#define NN_QUANTIZED_LSTM_VIEWS(VIEW, ITEM)                                                        \
    VIEW(OUT, y, 1) VIEW(OUT, state, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, scale, 1)      \
    VIEW(IN, h0, 1) VIEW(IN, c0, 1) VIEW(SCRATCH, scratch, 1)
#define NN_QUANTIZED_LSTM_NUMBERS(INT, REAL, OTHER) INT(reverse) OTHER(keep) OTHER(kept)
