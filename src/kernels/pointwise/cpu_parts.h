/* kernels/pointwise/cpu_parts.h - parts of pointwise programs that one row computes in one pass:
   activations of several instructions, and their gradients, as program/derive.c derives them from
   ops/table.txt. Each list here generates the pattern (cpu_fused.c) and the row (vector.h).

   N(k, n)             value k is input n of the part, any value of the program
   X(k, CODE, a, b, c) value k is an instruction of the values a, b and c
   C(k, number)        value k is a constant
   M(k, CODE, a, b)    value k is a comparison that only selections read
   S(k, m, a, b)       value k is such a SELECT

   The last value is the result. */
#pragma once

/* x, or x and dy */
#define NN__PART_gelu(X, N, C, M, S)                                                               \
    N(0, 0) C(1, 0.707106769f) X(2, MULTIPLY, 0, 1, 0) X(3, ERF, 2, 0, 0) C(4, 1.0f)               \
    X(5, ADD, 4, 3, 0) C(6, 0.5f) X(7, MULTIPLY, 6, 0, 0) X(8, MULTIPLY, 7, 5, 0)
#define NN__PART_gelu_backward(X, N, C, M, S)                                                      \
    N(0, 0) C(1, 0.707106769f) X(2, MULTIPLY, 0, 1, 0) X(3, ERF, 2, 0, 0)                          \
    X(4, MULTIPLY, 2, 2, 0) X(5, NEGATE, 4, 0, 0) X(6, EXP, 5, 0, 0) N(7, 1) C(8, 0.5f)            \
    X(9, MULTIPLY, 8, 0, 0) X(10, MULTIPLY, 7, 9, 0) C(11, 1.12837923f)                            \
    X(12, MULTIPLY, 10, 11, 0) X(13, MULTIPLY, 12, 6, 0) X(14, MULTIPLY, 13, 1, 0) C(15, 1.0f)     \
    X(16, ADD, 15, 3, 0) X(17, MULTIPLY, 7, 16, 0) X(18, MULTIPLY, 17, 8, 0)                       \
    X(19, ADD, 14, 18, 0)
#define NN__PART_gelu_tanh_backward(X, N, C, M, S)                                                 \
    C(0, 1.59576917f) N(1, 0) C(2, 0.0447149985f) X(3, MULTIPLY, 1, 1, 0)                          \
    X(4, MULTIPLY, 3, 1, 0) X(5, MULTIPLY, 2, 4, 0) X(6, ADD, 1, 5, 0) X(7, MULTIPLY, 0, 6, 0)     \
    X(8, SIGMOID, 7, 0, 0) N(9, 1) X(10, MULTIPLY, 9, 8, 0) C(11, 1.0f)                            \
    X(12, SUBTRACT, 11, 8, 0) X(13, MULTIPLY, 9, 1, 0) X(14, MULTIPLY, 13, 12, 0)                  \
    X(15, MULTIPLY, 14, 8, 0) X(16, MULTIPLY, 15, 0, 0) X(17, ADD, 10, 16, 0)                      \
    X(18, MULTIPLY, 16, 2, 0) X(19, MULTIPLY, 18, 3, 0) X(20, ADD, 17, 19, 0)                      \
    X(21, MULTIPLY, 18, 1, 0) X(22, MULTIPLY, 21, 1, 0) X(23, ADD, 20, 22, 0)                      \
    X(24, ADD, 23, 22, 0)
#define NN__PART_silu_backward(X, N, C, M, S)                                                      \
    N(0, 0) X(1, SIGMOID, 0, 0, 0) N(2, 1) X(3, MULTIPLY, 2, 1, 0) C(4, 1.0f)                      \
    X(5, SUBTRACT, 4, 1, 0) X(6, MULTIPLY, 2, 0, 0) X(7, MULTIPLY, 6, 5, 0)                        \
    X(8, MULTIPLY, 7, 1, 0) X(9, ADD, 3, 8, 0)
#define NN__PART_hardswish(X, N, C, M, S)                                                          \
    N(0, 0) C(1, 3.0f) X(2, ADD, 0, 1, 0) C(3, 0.0f) C(4, 6.0f) X(5, CLAMP, 2, 3, 4)               \
    X(6, MULTIPLY, 0, 5, 0) X(7, DIVIDE, 6, 4, 0)
#define NN__PART_hardswish_backward(X, N, C, M, S)                                                 \
    N(0, 1) C(1, 6.0f) X(2, DIVIDE, 0, 1, 0) N(3, 0) C(4, 3.0f) X(5, ADD, 3, 4, 0) C(6, 0.0f)      \
    X(7, CLAMP, 5, 6, 1) X(8, MULTIPLY, 2, 7, 0) M(9, GREATER, 5, 6) M(10, LESS, 5, 1)             \
    X(11, MULTIPLY, 2, 3, 0) S(12, 10, 11, 6) S(13, 9, 12, 6) X(14, ADD, 8, 13, 0)
#define NN__PART_silu(X, N, C, M, S)                                                               \
    N(0, 0) X(1, SIGMOID, 0, 0, 0) X(2, MULTIPLY, 0, 1, 0)

/* leaky_relu and prelu of x and the slope */
#define NN__PART_leaky(X, N, C, M, S)                                                              \
    N(0, 0) C(1, 0.0f) M(2, GREATER, 0, 1) N(3, 1) X(4, MULTIPLY, 3, 0, 0) S(5, 2, 0, 4)

/* ONNX's QuantizeLinear of x, scale and zero point for u8 and i8, and with DequantizeLinear after
   it. */
#define NN__PART_quantized(X, N, C, low, high)                                                     \
    N(0, 0) N(1, 1) X(2, DIVIDE, 0, 1, 0) X(3, ROUND, 2, 0, 0) N(4, 2) X(5, ADD, 3, 4, 0)          \
    C(6, low) C(7, high) X(8, CLAMP, 5, 6, 7)
#define NN__PART_quantize_u8(X, N, C, M, S) NN__PART_quantized(X, N, C, 0.0f, 255.0f)
#define NN__PART_quantize_i8(X, N, C, M, S) NN__PART_quantized(X, N, C, -128.0f, 127.0f)
#define NN__PART_fake_u8(X, N, C, M, S)                                                            \
    NN__PART_quantized(X, N, C, 0.0f, 255.0f) X(9, SUBTRACT, 8, 4, 0) X(10, MULTIPLY, 9, 1, 0)
#define NN__PART_fake_i8(X, N, C, M, S)                                                            \
    NN__PART_quantized(X, N, C, -128.0f, 127.0f) X(9, SUBTRACT, 8, 4, 0)                           \
    X(10, MULTIPLY, 9, 1, 0)

/* The same for a sum and its scale: QLinearConv, QLinearMatMul. */
#define NN__PART_requantized(X, N, C, low, high)                                                   \
    N(0, 0) N(1, 1) X(2, MULTIPLY, 0, 1, 0) X(3, ROUND, 2, 0, 0) N(4, 2) X(5, ADD, 3, 4, 0)        \
    C(6, low) C(7, high) X(8, CLAMP, 5, 6, 7)
#define NN__PART_requantize_u8(X, N, C, M, S) NN__PART_requantized(X, N, C, 0.0f, 255.0f)
#define NN__PART_requantize_i8(X, N, C, M, S) NN__PART_requantized(X, N, C, -128.0f, 127.0f)

/* Name, inputs, place of the result and its instruction, whether the row takes two vectors per
   iteration. */
#define NN__PARTS_OF_ERF(X)                                                                        \
    X(gelu, 1, 8, MULTIPLY, false) X(gelu_backward, 2, 19, ADD, false)
#define NN__PARTS_OF_SIGMOID(X)                                                                    \
    X(gelu_tanh_backward, 2, 24, ADD, false) X(silu_backward, 2, 9, ADD, false)                    \
    X(silu, 1, 2, MULTIPLY, false)
#define NN__PARTS_OF_CLAMP(X)                                                                      \
    X(hardswish, 1, 7, DIVIDE, true) X(hardswish_backward, 2, 14, ADD, true)
#define NN__PARTS_OF_ROUND(X)                                                                      \
    X(fake_u8, 3, 10, MULTIPLY, true) X(fake_i8, 3, 10, MULTIPLY, true)                            \
    X(quantize_u8, 3, 8, CLAMP, true) X(quantize_i8, 3, 8, CLAMP, true)                            \
    X(requantize_u8, 3, 8, CLAMP, true) X(requantize_i8, 3, 8, CLAMP, true)
#define NN__PARTS_OF_GREATER(X) X(leaky, 2, 5, SELECT, true)
#define NN__PARTS(X)                                                                               \
    NN__PARTS_OF_ERF(X) NN__PARTS_OF_SIGMOID(X) NN__PARTS_OF_CLAMP(X) NN__PARTS_OF_ROUND(X)        \
    NN__PARTS_OF_GREATER(X)
