/* kernels/integer/args.h - inference in 8-bit integers: products, convolutions, pools, sums
   and functions of one number whose results have the same bytes on every device;
   on the CPU in nn_quantize.h. */
#pragma once

#include "device/types.h"
#include "kernels/conv2d/args.h"
#include "kernels/pool2d/args.h"
#include "kernels/recurrent/args.h"

/* A number q of a quantised tensor stands for scale * (q - zero point). Numbers are i8. Weights are
   i8 with zero point 0 and one scale for each output channel; biases are i32 in the scale of x
   times that of the weight. Images are stored with their channels last.

   A sum s becomes clamp(requantize(s, multiplier, shift) + zero point of y, lowest, highest), where
   multiplier * 2^(shift - 31) is the factor between the scales, multiplier is 0 to 2^31 - 1, and
   shift is -31 to 30. Multipliers from 2^30 on are the most precise ones; with a smaller one and a
   shift of 0, a sum is rounded once. requantize is that of TensorFlow Lite's reference kernels with
   two roundings (MultiplyByQuantizedMultiplier without TFLITE_SINGLE_ROUNDING): s is multiplied by
   2^shift if shift > 0; the product with multiplier is divided by 2^31 and rounded, halves up; the
   result is divided by 2^-shift if shift < 0 and rounded, halves away from zero. Source: Jacob et
   al., "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
   Inference", 2018, and gemmlowp's fixedpoint.h.

   `zero` has NN_INTEGER_ZEROS numbers of i32 in this order: */
enum { NN_INTEGER_X, NN_INTEGER_Y, NN_INTEGER_LOW, NN_INTEGER_HIGH, NN_INTEGER_ZEROS };

/* y = the convolution of x, with the zero point of x as padding. A sum runs over the window and the
   channels of x in the group; a linear layer is a window of 1 x 1 on an image of 1 x 1. With a
   weight of rank 3 (depthwise) groups, C and K are equal, and each channel has a window of its
   own. The extents of x and y determine the padding at the end of each axis. Sums are i32 and
   wrap.
   transposed: y = the transposed convolution. Number (h, w) of x is multiplied by tap (r, s) for
   place (h stride - padding + r dilation, and the same across) of y. A weight has rank 4 then. */
typedef struct nn_integer_conv2d_args {
    nn_view y;      /* (N, OH, OW, K) i8 */
    nn_view x;      /* (N, H, W, C) i8 */
    nn_view weight; /* (K, R, S, C / groups) i8; depthwise (R, S, K) */
    nn_view bias;   /* (K) i32 */
    nn_view factor; /* (2, K) i32: multipliers, shifts */
    nn_view zero;   /* i32 */
    nn_view scratch;
    nn_conv2d_params params;
    bool transposed;
    nn_keeping keep; /* of weight, bias and zero, as in kernels/conv2d/args.h */
    float *kept;     /* of the size that the device asks for; NULL before there is memory */
} nn_integer_conv2d_args;

/* A plan of constants (nn_write_plan_c) stores weights from -8 to 7 as halves of bytes. Eight
   adjacent weights are four bytes: byte i has weight i, plus 8, in its lower half, and weight
   i + 4, plus 8, in its upper half. The kernel unpacks this many output channels at a time, usually
   4 KB; their weights begin with whole bytes. depth: weights of a channel. */
#define NN_INTEGER_PACKED_CHANNELS(depth)                                                          \
    ((depth) <= 512 ? (4096 / (depth)) & ~7 : (depth) <= 1024 || (depth) % 4 ? 8 : 2)
/* The bytes of the unpacked weights. K: output channels. */
#define NN_INTEGER_PACKED_SCRATCH(K, depth)                                                        \
    (((((K) < NN_INTEGER_PACKED_CHANNELS(depth) ? (K) : NN_INTEGER_PACKED_CHANNELS(depth)) *       \
       (depth)) + 7) & ~7)

/* y = the largest or the mean number of each window of each channel. x and y have one scale and one
   zero point. A mean is rounded, halves away from zero; padding counts as the zero point, unless
   count_only_inside. Padding is never the largest number. */
typedef struct nn_integer_pool2d_args {
    nn_view y;    /* (N, OH, OW, C) i8 */
    nn_view x;    /* (N, H, W, C) i8 */
    nn_view zero; /* i32 */
    nn_view scratch;
    nn_pool_kind kind;
    int32_t kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w;
    bool count_only_inside;
} nn_integer_pool2d_args;

/* y = a + b in the scale of y, as TensorFlow Lite adds: (a - its zero point) * 2^20 and (b -
   its zero point) * 2^20 are requantised and added, and the sum is requantised. `numbers` has
   NN_INTEGER_ADDS numbers of i32: the zero points, multipliers and shifts of a, b and y, the lowest
   and the highest y. */
enum {
    NN_INTEGER_ADD_ZERO,
    NN_INTEGER_ADD_MULTIPLIER = 3,
    NN_INTEGER_ADD_SHIFT = 6,
    NN_INTEGER_ADD_LOW = 9,
    NN_INTEGER_ADD_HIGH,
    NN_INTEGER_ADDS
};
typedef struct nn_integer_add_args {
    nn_view y, a, b; /* i8, of one shape */
    nn_view numbers; /* i32 */
} nn_integer_add_args;

/* y = table[x + 128], which can be any function of one number. */
typedef struct nn_integer_table_args {
    nn_view y, x;  /* i8, of one shape */
    nn_view table; /* (256) i8: for x = -128 ... 127 */
} nn_integer_table_args;

/* y = a b in the scale of y, as TensorFlow Lite multiplies: (a - its zero point) (b - its zero
   point) is requantised. b has a's shape, or is (N, 1, 1, C) beside a (N, H, W, C). `numbers` has
   NN_INTEGER_MULTIPLIES numbers of i32: the zero points of a, b and y, multiplier, shift, the
   lowest and the highest y. */
enum {
    NN_INTEGER_MULTIPLY_ZERO,
    NN_INTEGER_MULTIPLY_MULTIPLIER = 3,
    NN_INTEGER_MULTIPLY_SHIFT,
    NN_INTEGER_MULTIPLY_LOW,
    NN_INTEGER_MULTIPLY_HIGH,
    NN_INTEGER_MULTIPLIES
};
typedef struct nn_integer_multiply_args {
    nn_view y, a;    /* i8, of one shape */
    nn_view b;       /* i8 */
    nn_view numbers; /* i32 */
} nn_integer_multiply_args;

/* y = x with other numbers of rows and columns, in the same scale. Row i of y lies between rows
   rows[i] and rows[OH + i] of x and has t = rows[2 OH + i] / 1024 of the latter; columns are the
   same. The four numbers, times (1024 - t 1024) or t 1024 on each axis, are added, and the sum is
   divided by 2^20 and rounded, halves away from zero: ResizeBilinear of TensorFlow Lite's reference
   kernels for i8. Parts are from 0 to 1024; indices outside of x are clamped. */
typedef struct nn_integer_resize2d_args {
    nn_view y;       /* (N, OH, OW, C) i8 */
    nn_view x;       /* (N, H, W, C) i8 */
    nn_view rows;    /* (3, OH) i32 */
    nn_view columns; /* (3, OW) i32 */
} nn_integer_resize2d_args;

/* y = softmax(x) along an axis. With e(q) = table[largest q of the row - q], each sum of a row and
   each result are
     s = the sum of e of the row's numbers, at least 2^30
     r = 2^61 / s, rounded, halves up
     p = (e r + 2^30) / 2^31, rounded down: the result as a share, with 30 bits after the point
     y = clamp(requantize(p, multiplier, shift) + zero point of y, -128, 127)
   table[i] is 2^30 exp(-i scale of x), rounded to the nearest; so table[0] = 2^30, and s and r fit
   into 61 and 32 bits. The zero point of x does not matter. `numbers` has NN_INTEGER_SOFTMAXES
   numbers of i32: the zero point of y, multiplier and shift, whose factor is 2^-30 / scale of y. */
enum {
    NN_INTEGER_SOFTMAX_ZERO,
    NN_INTEGER_SOFTMAX_MULTIPLIER,
    NN_INTEGER_SOFTMAX_SHIFT,
    NN_INTEGER_SOFTMAXES
};
typedef struct nn_integer_softmax_args {
    nn_view y, x;    /* i8, of one shape */
    nn_view table;   /* (256) i32, from 0 to 2^30 */
    nn_view numbers; /* i32 */
    int32_t axis;
} nn_integer_softmax_args;

/* One layer of an lstm or gru in one direction, as nn_recurrent_args, in integers. `bias`, `factor`
   and the columns of the weights have NN_RECURRENT_GATES(cell) H rows, in PyTorch's order of gates.
   The sums over x and over h are requantised for each row, as above, and limited to 16 bits. Gates
   have 11 bits after the point, so they are from -16 to 16, and so has their sum, which is limited,
   too. Sigmoids and hyperbolic tangents have 15 bits after the point. With a shift by n bits that
   rounds halves up, (v + 2^(n - 1)) >> n, a step is:
     lstm  i, f, o = sigmoid of their gates, g = tanh of its gate;
           c = limit(((f c + 2^14) >> 15) + ((i g + 2^(14 + m)) >> (15 + m))), which has 16 bits,
           and 15 - m of them after the point; p = o tanh(c)
     gru   r, z = sigmoid; n = tanh(limit(gate of x + ((r * gate of h + 2^14) >> 15)));
           s = (z s + (2^15 - z) n + 2^14) >> 15, with 15 bits after the point; p = 2^15 s
     y = h = clamp(requantize(p, multiplier, shift) + zero point of h, -128, 127)
   sigmoid(v), v >= 0 in units of 2^-15: between elements v >> 11 and (v >> 11) + 1 of
   NN_INTEGER_SIGMOID, with (v & 2047) / 2048 of the second one, rounded halves up; beyond its last
   element 2^15. sigmoid(-v) = 2^15 - sigmoid(v), and tanh(v) = 2 sigmoid(2 v) - 2^15.
   The scheme is that of TensorFlow Lite's LSTM with 8-bit activations and a 16-bit cell; gates have
   twice its range, and functions come from a table.
   `numbers` has NN_INTEGER_RECURRENTS numbers of i32: the zero points of x and h, multiplier and
   shift of h, and m, which is limited to 0 ... 10. h and c, or s, begin at 0. */
enum {
    NN_INTEGER_RECURRENT_X,
    NN_INTEGER_RECURRENT_H,
    NN_INTEGER_RECURRENT_MULTIPLIER,
    NN_INTEGER_RECURRENT_SHIFT,
    NN_INTEGER_RECURRENT_CELL,
    NN_INTEGER_RECURRENTS
};
typedef struct nn_integer_recurrent_args {
    nn_view y;         /* (N, T, H) i8: h after each step */
    nn_view state;     /* (N, H) i32: s; of an lstm (N, 2 H): h and c. absent: not wanted */
    nn_view x;         /* (N, T, C) i8 */
    nn_view weight_ih; /* (G H, C) i8 */
    nn_view weight_hh; /* (G H, H) i8 */
    nn_view bias;      /* (2, G H) i32: of the sums over x, and over h */
    nn_view factor;    /* (4, G H) i32: multipliers and shifts for x, then for h */
    nn_view numbers;   /* i32 */
    nn_view scratch;
    nn_recurrent_cell cell; /* NN_RECURRENT_LSTM or NN_RECURRENT_GRU */
    bool reverse;           /* from the last step to the first */
    nn_keeping keep;        /* of all but x, as in kernels/conv2d/args.h */
    float *kept;
} nn_integer_recurrent_args;
/* round(2^15 sigmoid(i / 16)), i = 0 ... 176 */
#define NN_INTEGER_SIGMOIDS 177
#define NN_INTEGER_SIGMOID                                                                         \
    16384, 16896, 17407, 17916, 18421, 18923, 19420, 19912, 20397, 20874, 21344, 21804, 22255,     \
    22696, 23127, 23547, 23955, 24352, 24737, 25110, 25471, 25819, 26155, 26479, 26790, 27090,     \
    27377, 27653, 27917, 28169, 28411, 28642, 28862, 29072, 29272, 29462, 29644, 29816, 29979,     \
    30135, 30282, 30422, 30555, 30680, 30799, 30912, 31018, 31119, 31214, 31304, 31389, 31469,     \
    31545, 31616, 31684, 31747, 31807, 31864, 31917, 31968, 32015, 32060, 32102, 32141, 32179,     \
    32214, 32247, 32278, 32307, 32335, 32361, 32385, 32408, 32430, 32450, 32469, 32487, 32504,     \
    32520, 32535, 32549, 32562, 32574, 32586, 32597, 32607, 32617, 32626, 32635, 32643, 32650,     \
    32657, 32664, 32670, 32676, 32682, 32687, 32692, 32696, 32701, 32705, 32709, 32712, 32716,     \
    32719, 32722, 32725, 32727, 32730, 32732, 32734, 32736, 32738, 32740, 32742, 32743, 32745,     \
    32746, 32747, 32749, 32750, 32751, 32752, 32753, 32754, 32755, 32756, 32756, 32757, 32758,     \
    32758, 32759, 32759, 32760, 32760, 32761, 32761, 32762, 32762, 32762, 32763, 32763, 32763,     \
    32764, 32764, 32764, 32764, 32765, 32765, 32765, 32765, 32765, 32766, 32766, 32766, 32766,     \
    32766, 32766, 32766, 32766, 32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767,     \
    32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767

/* quantize: y = clamp(round(x / scale) + zero point, -128, 127), halves away from zero, NaN becomes
   the zero point. dequantize: y = scale * (x - zero point). */
typedef struct nn_quantize_args {
    nn_view y, x;  /* i8 and f32, or f32 and i8 */
    nn_view scale; /* (2) f32: scale, zero point */
    /* the f32 tensor is an image (N, C, H, W) and the other one (N, H, W, C) */
    bool channels_last;
} nn_quantize_args;

/* Views and numbers: see kernels/list.h. */
#define NN_INTEGER_CONV2D_VIEWS(VIEW, ITEM)                                                        \
    VIEW(OUT, y, 1)                                                                                \
    VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, bias, 1) VIEW(IN, factor, 1) VIEW(IN, zero, 1)     \
        VIEW(SCRATCH, scratch, 1)
#define NN_INTEGER_CONV2D_NUMBERS(INT, REAL, OTHER)                                                \
    INT(params.kernel_h)                                                                           \
    INT(params.kernel_w) INT(params.stride_h) INT(params.stride_w) INT(params.padding_h)           \
        INT(params.padding_w) INT(params.dilation_h) INT(params.dilation_w) INT(params.groups)     \
            INT(transposed) OTHER(keep) OTHER(kept)
#define NN_INTEGER_POOL2D_VIEWS(VIEW, ITEM)                                                        \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, zero, 1) VIEW(SCRATCH, scratch, 1)
#define NN_INTEGER_POOL2D_NUMBERS(INT, REAL, OTHER)                                                \
    INT(kind)                                                                                      \
    INT(kernel_h) INT(kernel_w) INT(stride_h) INT(stride_w) INT(padding_h) INT(padding_w)          \
        INT(count_only_inside)
#define NN_INTEGER_ADD_VIEWS(VIEW, ITEM)                                                           \
    VIEW(OUT, y, 1) VIEW(IN, a, 1) VIEW(IN, b, 1) VIEW(IN, numbers, 1)
#define NN_INTEGER_ADD_NUMBERS(INT, REAL, OTHER)
#define NN_INTEGER_TABLE_VIEWS(VIEW, ITEM) VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, table, 1)
#define NN_INTEGER_TABLE_NUMBERS(INT, REAL, OTHER)
#define NN_INTEGER_MULTIPLY_VIEWS(VIEW, ITEM)                                                      \
    VIEW(OUT, y, 1) VIEW(IN, a, 1) VIEW(IN, b, 1) VIEW(IN, numbers, 1)
#define NN_INTEGER_MULTIPLY_NUMBERS(INT, REAL, OTHER)
#define NN_INTEGER_RESIZE2D_VIEWS(VIEW, ITEM)                                                      \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, rows, 1) VIEW(IN, columns, 1)
#define NN_INTEGER_RESIZE2D_NUMBERS(INT, REAL, OTHER)
#define NN_INTEGER_SOFTMAX_VIEWS(VIEW, ITEM)                                                       \
    VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, table, 1) VIEW(IN, numbers, 1)
#define NN_INTEGER_SOFTMAX_NUMBERS(INT, REAL, OTHER) INT(axis)
#define NN_INTEGER_RECURRENT_VIEWS(VIEW, ITEM)                                                     \
    VIEW(OUT, y, 1)                                                                                \
    VIEW(OUT, state, 1) VIEW(IN, x, 1) VIEW(IN, weight_ih, 1) VIEW(IN, weight_hh, 1)               \
        VIEW(IN, bias, 1) VIEW(IN, factor, 1) VIEW(IN, numbers, 1) VIEW(SCRATCH, scratch, 1)
#define NN_INTEGER_RECURRENT_NUMBERS(INT, REAL, OTHER)                                             \
    INT(cell) INT(reverse) OTHER(keep) OTHER(kept)
#define NN_QUANTIZE_VIEWS(VIEW, ITEM)           VIEW(OUT, y, 1) VIEW(IN, x, 1) VIEW(IN, scale, 1)
#define NN_QUANTIZE_NUMBERS(INT, REAL, OTHER)   INT(channels_last)
#define NN_DEQUANTIZE_VIEWS(VIEW, ITEM)         NN_QUANTIZE_VIEWS(VIEW, ITEM)
#define NN_DEQUANTIZE_NUMBERS(INT, REAL, OTHER) NN_QUANTIZE_NUMBERS(INT, REAL, OTHER)
