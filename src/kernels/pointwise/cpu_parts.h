/* kernels/pointwise/cpu_parts.h - parts of pointwise programs that one row computes in one pass, as
   program/derive.c makes them of ops/table.txt. Of each list here the instructions that are looked
   for (cpu_fused.c) and the row (cpu_avx2.c) are made.

   N(k, n): value k of the part is its input n, which is any value of the program, X(k, CODE, a, b,
   c): an instruction of the values a, b and c, C(k, number): a constant, M(k, CODE, a, b): a
   comparison that only selections read, S(k, m, a, b): such a SELECT. The last one is the
   result. */
#pragma once

#include "cpu/simd.h"

#ifdef NN__VECTOR8

/* Activations, and gradients of functions of one number: x, dy. */
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
#define NN__PART_sigmoid_backward(X, N, C, M, S)                                                   \
    N(0, 0) X(1, SIGMOID, 0, 0, 0) C(2, 1.0f) X(3, SUBTRACT, 2, 1, 0) N(4, 1)                      \
    X(5, MULTIPLY, 4, 3, 0) X(6, MULTIPLY, 5, 1, 0)
#define NN__PART_tanh_backward(X, N, C, M, S)                                                      \
    N(0, 0) X(1, TANH, 0, 0, 0) X(2, MULTIPLY, 1, 1, 0) C(3, 1.0f) X(4, SUBTRACT, 3, 2, 0)         \
    N(5, 1) X(6, MULTIPLY, 5, 4, 0)
#define NN__PART_hardswish(X, N, C, M, S)                                                          \
    N(0, 0) C(1, 3.0f) X(2, ADD, 0, 1, 0) C(3, 0.0f) C(4, 6.0f) X(5, CLAMP, 2, 3, 4)               \
    X(6, MULTIPLY, 0, 5, 0) X(7, DIVIDE, 6, 4, 0)
#define NN__PART_hardswish_backward(X, N, C, M, S)                                                 \
    N(0, 1) C(1, 6.0f) X(2, DIVIDE, 0, 1, 0) N(3, 0) C(4, 3.0f) X(5, ADD, 3, 4, 0) C(6, 0.0f)      \
    X(7, CLAMP, 5, 6, 1) X(8, MULTIPLY, 2, 7, 0) M(9, GREATER, 5, 6) M(10, LESS, 5, 1)             \
    X(11, MULTIPLY, 2, 3, 0) S(12, 10, 11, 6) S(13, 9, 12, 6) X(14, ADD, 8, 13, 0)
#define NN__PART_hardsigmoid(X, N, C, M, S)                                                        \
    N(0, 0) C(1, -3.0f) M(2, GREATER, 0, 1) C(3, 3.0f) M(4, LESS, 0, 3) C(5, 6.0f)                 \
    X(6, DIVIDE, 0, 5, 0) C(7, 0.5f) X(8, ADD, 6, 7, 0) C(9, 1.0f) S(10, 4, 8, 9)                  \
    M(11, ISNAN, 0, 0) X(12, ROUND, 0, 0, 0) C(13, 0.0f) S(14, 11, 12, 13) S(15, 2, 10, 14)
#define NN__PART_hardsigmoid_backward(X, N, C, M, S)                                               \
    N(0, 0) C(1, -3.0f) M(2, GREATER, 0, 1) C(3, 3.0f) M(4, LESS, 0, 3) N(5, 1) C(6, 6.0f)         \
    X(7, DIVIDE, 5, 6, 0) C(8, 0.0f) S(9, 4, 7, 8) S(10, 2, 9, 8)
#define NN__PART_exp_backward(X, N, C, M, S)                                                       \
    N(0, 0) X(1, EXP, 0, 0, 0) N(2, 1) X(3, MULTIPLY, 2, 1, 0)
#define NN__PART_logsigmoid_backward(X, N, C, M, S)                                                \
    N(0, 0) X(1, NEGATE, 0, 0, 0) X(2, SIGMOID, 1, 0, 0) N(3, 1) X(4, MULTIPLY, 3, 2, 0)
#define NN__PART_elu_backward(X, N, C, M, S)                                                       \
    N(0, 0) X(1, EXP, 0, 0, 0) N(2, 1) X(3, MULTIPLY, 2, 1, 0) C(4, 0.0f) M(5, GREATER, 0, 4)      \
    S(6, 5, 2, 3)
#define NN__PART_selu_backward(X, N, C, M, S)                                                      \
    N(0, 0) X(1, EXP, 0, 0, 0) N(2, 1) C(3, 1.05070102f) X(4, MULTIPLY, 2, 3, 0)                   \
    C(5, 1.67326319f) X(6, MULTIPLY, 4, 5, 0) X(7, MULTIPLY, 6, 1, 0) C(8, 0.0f)                   \
    M(9, GREATER, 0, 8) S(10, 9, 4, 7)
#define NN__PART_logit_backward(X, N, C, M, S)                                                     \
    N(0, 1) N(1, 0) C(2, 1.0f) X(3, SUBTRACT, 2, 1, 0) X(4, DIVIDE, 1, 3, 0)                       \
    X(5, DIVIDE, 0, 4, 0) X(6, DIVIDE, 5, 3, 0) X(7, MULTIPLY, 5, 4, 0) X(8, DIVIDE, 7, 3, 0)      \
    X(9, ADD, 6, 8, 0)
/* Of hypot by a: a, y, dy. */
#define NN__PART_hypot_backward(X, N, C, M, S)                                                     \
    N(0, 0) N(1, 1) X(2, DIVIDE, 0, 1, 0) N(3, 2) X(4, MULTIPLY, 3, 2, 0)
/* Numbers that a line is given are inputs, too: a, b, weight; x, a, b, value. */
#define NN__PART_lerp(X, N, C, M, S)                                                               \
    N(0, 0) N(1, 2) N(2, 1) X(3, SUBTRACT, 2, 0, 0) X(4, MULTIPLY, 1, 3, 0) X(5, ADD, 0, 4, 0)
#define NN__PART_addcmul(X, N, C, M, S)                                                            \
    N(0, 0) N(1, 3) N(2, 1) X(3, MULTIPLY, 1, 2, 0) N(4, 2) X(5, MULTIPLY, 3, 4, 0)                \
    X(6, ADD, 0, 5, 0)
#define NN__PART_addcdiv(X, N, C, M, S)                                                            \
    N(0, 0) N(1, 3) N(2, 1) X(3, MULTIPLY, 1, 2, 0) N(4, 2) X(5, DIVIDE, 3, 4, 0)                  \
    X(6, ADD, 0, 5, 0)
/* Losses of a difference: x, target; huber: delta, half of it; its gradient: delta, dy; that of
   smooth_l1: dy. */
#define NN__PART_huber(X, N, C, M, S)                                                              \
    N(0, 0) N(1, 1) X(2, SUBTRACT, 0, 1, 0) X(3, ABS, 2, 0, 0) N(4, 2) M(5, GREATER, 3, 4)         \
    N(6, 3) X(7, SUBTRACT, 3, 6, 0) X(8, MULTIPLY, 4, 7, 0) C(9, 0.5f) X(10, MULTIPLY, 2, 2, 0)    \
    X(11, MULTIPLY, 9, 10, 0) S(12, 5, 8, 11)
#define NN__PART_huber_backward(X, N, C, M, S)                                                     \
    N(0, 0) N(1, 1) X(2, SUBTRACT, 0, 1, 0) X(3, ABS, 2, 0, 0) N(4, 2) M(5, GREATER, 3, 4)         \
    N(6, 3) X(7, MULTIPLY, 6, 4, 0) X(8, SIGN, 2, 0, 0) X(9, MULTIPLY, 7, 8, 0) C(10, 0.5f)        \
    X(11, MULTIPLY, 6, 10, 0) X(12, MULTIPLY, 11, 2, 0) X(13, ADD, 12, 12, 0) S(14, 5, 9, 13)
#define NN__PART_smooth_l1(X, N, C, M, S)                                                          \
    N(0, 0) N(1, 1) X(2, SUBTRACT, 0, 1, 0) X(3, ABS, 2, 0, 0) C(4, 1.0f)                          \
    M(5, GREATER_EQUAL, 3, 4) C(6, 0.5f) X(7, SUBTRACT, 3, 6, 0) X(8, MULTIPLY, 2, 2, 0)           \
    X(9, MULTIPLY, 6, 8, 0) S(10, 5, 7, 9)
#define NN__PART_smooth_l1_backward(X, N, C, M, S)                                                 \
    N(0, 0) N(1, 1) X(2, SUBTRACT, 0, 1, 0) X(3, ABS, 2, 0, 0) C(4, 1.0f)                          \
    M(5, GREATER_EQUAL, 3, 4) N(6, 2) X(7, SIGN, 2, 0, 0) X(8, MULTIPLY, 6, 7, 0) C(9, 0.5f)       \
    X(10, MULTIPLY, 6, 9, 0) X(11, MULTIPLY, 10, 2, 0) X(12, ADD, 11, 11, 0) S(13, 5, 8, 12)
#define NN__PART_squared_difference(X, N, C, M, S)                                                 \
    N(0, 0) N(1, 1) X(2, SUBTRACT, 0, 1, 0) X(3, MULTIPLY, 2, 2, 0)
/* Of nan_to_num: x, number, high, low; its gradient: x, dy. */
#define NN__PART_nan_to_num(X, N, C, M, S)                                                         \
    N(0, 0) M(1, ISNAN, 0, 0) N(2, 1) X(3, ABS, 0, 0, 0) C(4, NN__INFINITY) M(5, EQUAL, 3, 4)      \
    C(6, 0.0f) M(7, GREATER, 0, 6) N(8, 2) N(9, 3) S(10, 7, 8, 9) S(11, 5, 10, 0)                  \
    S(12, 1, 2, 11)
#define NN__PART_nan_to_num_backward(X, N, C, M, S)                                                \
    N(0, 0) M(1, ISNAN, 0, 0) C(2, 0.0f) X(3, ABS, 0, 0, 0) C(4, NN__INFINITY)                   \
    M(5, EQUAL, 3, 4) N(6, 1) S(7, 5, 2, 6) S(8, 1, 2, 7)
/* lerp of the table: a, b, weight; its gradients by a and b: weight, dy. */
#define NN__PART_mix(X, N, C, M, S)                                                                \
    N(0, 2) X(1, ABS, 0, 0, 0) C(2, 0.5f) M(3, LESS, 1, 2) N(4, 0) N(5, 1)                         \
    X(6, SUBTRACT, 5, 4, 0) X(7, MULTIPLY, 0, 6, 0) X(8, ADD, 4, 7, 0) C(9, 1.0f)                  \
    X(10, SUBTRACT, 9, 0, 0) X(11, MULTIPLY, 6, 10, 0) X(12, SUBTRACT, 5, 11, 0) S(13, 3, 8, 12)
#define NN__PART_mix_backward_a(X, N, C, M, S)                                                     \
    N(0, 0) X(1, ABS, 0, 0, 0) C(2, 0.5f) M(3, LESS, 1, 2) N(4, 1) C(5, 0.0f) S(6, 3, 4, 5)        \
    X(7, MULTIPLY, 4, 0, 0) X(8, NEGATE, 4, 0, 0) C(9, 1.0f) X(10, SUBTRACT, 9, 0, 0)              \
    X(11, MULTIPLY, 8, 10, 0) S(12, 3, 7, 11) X(13, NEGATE, 12, 0, 0) X(14, ADD, 6, 13, 0)
#define NN__PART_mix_backward_b(X, N, C, M, S)                                                     \
    N(0, 0) X(1, ABS, 0, 0, 0) C(2, 0.5f) M(3, LESS, 1, 2) C(4, 0.0f) N(5, 1) S(6, 3, 4, 5)        \
    X(7, MULTIPLY, 5, 0, 0) X(8, NEGATE, 5, 0, 0) C(9, 1.0f) X(10, SUBTRACT, 9, 0, 0)              \
    X(11, MULTIPLY, 8, 10, 0) S(12, 3, 7, 11) X(13, ADD, 6, 12, 0)
/* More activations; the numbers of a line are inputs behind x, dy comes last. */
#define NN__PART_silu(X, N, C, M, S)                                                               \
    N(0, 0) X(1, SIGMOID, 0, 0, 0) X(2, MULTIPLY, 0, 1, 0)
#define NN__PART_leaky_relu(X, N, C, M, S)                                                         \
    N(0, 0) C(1, 0.0f) M(2, GREATER, 0, 1) N(3, 1) X(4, MULTIPLY, 3, 0, 0) S(5, 2, 0, 4)
#define NN__PART_leaky_relu_backward(X, N, C, M, S)                                                \
    N(0, 0) C(1, 0.0f) M(2, GREATER, 0, 1) N(3, 2) N(4, 1) X(5, MULTIPLY, 3, 4, 0) S(6, 2, 3, 5)
#define NN__PART_hardtanh(X, N, C, M, S)                                                           \
    N(0, 0) N(1, 1) M(2, LESS_EQUAL, 0, 1) N(3, 2) M(4, GREATER_EQUAL, 0, 3) S(5, 4, 3, 0)         \
    S(6, 2, 1, 5)
#define NN__PART_hardtanh_backward(X, N, C, M, S)                                                  \
    N(0, 0) N(1, 1) M(2, LESS_EQUAL, 0, 1) C(3, 0.0f) N(4, 2) M(5, GREATER_EQUAL, 0, 4) N(6, 3)    \
    S(7, 5, 3, 6) S(8, 2, 3, 7)
#define NN__PART_celu_backward(X, N, C, M, S)                                                      \
    N(0, 0) N(1, 1) X(2, DIVIDE, 0, 1, 0) X(3, EXP, 2, 0, 0) N(4, 2) X(5, MULTIPLY, 4, 1, 0)       \
    X(6, MULTIPLY, 5, 3, 0) X(7, DIVIDE, 6, 1, 0) C(8, 0.0f) M(9, GREATER, 0, 8) S(10, 9, 4, 7)
#define NN__PART_tanhshrink_backward(X, N, C, M, S)                                                \
    N(0, 0) X(1, TANH, 0, 0, 0) X(2, MULTIPLY, 1, 1, 0) C(3, 1.0f) X(4, SUBTRACT, 3, 2, 0)         \
    N(5, 1) X(6, NEGATE, 5, 0, 0) X(7, MULTIPLY, 6, 4, 0) X(8, ADD, 5, 7, 0)
/* Shrinking: x, lambda, -lambda, dy. */
#define NN__PART_softshrink(X, N, C, M, S)                                                         \
    N(0, 0) N(1, 1) M(2, GREATER, 0, 1) X(3, SUBTRACT, 0, 1, 0) N(4, 2)                            \
    M(5, GREATER_EQUAL, 0, 4) C(6, 0.0f) X(7, ADD, 0, 1, 0) S(8, 5, 6, 7) S(9, 2, 3, 8)
#define NN__PART_hardshrink(X, N, C, M, S)                                                         \
    N(0, 0) N(1, 1) M(2, GREATER, 0, 1) N(3, 2) M(4, GREATER_EQUAL, 0, 3) C(5, 0.0f)               \
    S(6, 4, 5, 0) S(7, 2, 0, 6)
#define NN__PART_shrink_backward(X, N, C, M, S)                                                    \
    N(0, 0) N(1, 1) M(2, GREATER, 0, 1) N(3, 3) N(4, 2) M(5, GREATER_EQUAL, 0, 4) C(6, 0.0f)       \
    S(7, 5, 6, 3) S(8, 2, 3, 7)
/* Of a loss: x, target. */
#define NN__PART_bce_with_logits(X, N, C, M, S)                                                    \
    N(0, 0) X(1, SOFTPLUS, 0, 0, 0) N(2, 1) X(3, MULTIPLY, 0, 2, 0) X(4, SUBTRACT, 1, 3, 0)
/* Gradients from the result: y, dy. */
#define NN__PART_sigmoid_backward_y(X, N, C, M, S)                                                 \
    N(0, 1) C(1, 1.0f) N(2, 0) X(3, SUBTRACT, 1, 2, 0) X(4, MULTIPLY, 0, 3, 0)                     \
    X(5, MULTIPLY, 4, 2, 0)
#define NN__PART_tanh_backward_y(X, N, C, M, S)                                                    \
    N(0, 1) C(1, 1.0f) N(2, 0) X(3, MULTIPLY, 2, 2, 0) X(4, SUBTRACT, 1, 3, 0)                     \
    X(5, MULTIPLY, 0, 4, 0)
#define NN__PART_tan_backward_y(X, N, C, M, S)                                                     \
    N(0, 1) C(1, 1.0f) N(2, 0) X(3, MULTIPLY, 2, 2, 0) X(4, ADD, 1, 3, 0)                          \
    X(5, MULTIPLY, 0, 4, 0)
#define NN__PART_sqrt_backward_y(X, N, C, M, S)                                                    \
    N(0, 1) C(1, 2.0f) N(2, 0) X(3, MULTIPLY, 1, 2, 0) X(4, DIVIDE, 0, 3, 0)
#define NN__PART_rsqrt_backward_y(X, N, C, M, S)                                                   \
    C(0, -0.5f) N(1, 1) X(2, MULTIPLY, 0, 1, 0) N(3, 0) X(4, MULTIPLY, 2, 3, 0)                    \
    X(5, MULTIPLY, 3, 3, 0) X(6, MULTIPLY, 4, 5, 0)
/* Of a squared difference: x, target, dy. */
#define NN__PART_squared_difference_backward(X, N, C, M, S)                                        \
    N(0, 2) N(1, 0) N(2, 1) X(3, SUBTRACT, 1, 2, 0) X(4, MULTIPLY, 0, 3, 0) X(5, ADD, 4, 4, 0)
#define NN__PART_l1_backward(X, N, C, M, S)                                                        \
    N(0, 2) N(1, 0) N(2, 1) X(3, SUBTRACT, 1, 2, 0) X(4, SIGN, 3, 0, 0) X(5, MULTIPLY, 0, 4, 0)
#define NN__PART_bce_slope(X, N, C, M, S)                                                          \
    N(0, 2) N(1, 0) N(2, 1) X(3, SUBTRACT, 1, 2, 0) X(4, MULTIPLY, 0, 3, 0) C(5, 1.0f)             \
    X(6, SUBTRACT, 5, 1, 0) X(7, MULTIPLY, 6, 1, 0) C(8, 9.99999996e-13f) X(9, MAXIMUM, 7, 8, 0)   \
    X(10, DIVIDE, 4, 9, 0)
/* Of logaddexp by a: a, b, dy. */
#define NN__PART_logaddexp_backward(X, N, C, M, S)                                                 \
    N(0, 0) N(1, 1) X(2, SUBTRACT, 0, 1, 0) X(3, ABS, 2, 0, 0) X(4, NEGATE, 3, 0, 0)               \
    X(5, SIGMOID, 4, 0, 0) N(6, 2) X(7, MULTIPLY, 6, 5, 0) X(8, NEGATE, 7, 0, 0)                   \
    X(9, SIGN, 2, 0, 0) X(10, MULTIPLY, 8, 9, 0) X(11, ABS, 0, 0, 0) C(12, NN__INFINITY)           \
    M(13, EQUAL, 11, 12) S(14, 13, 6, 10) M(15, EQUAL, 0, 1) S(16, 15, 14, 10) C(17, 0.0f)         \
    M(18, LESS, 0, 1) C(19, 0.5f) X(20, MULTIPLY, 6, 19, 0) S(21, 15, 20, 6) S(22, 18, 17, 21)     \
    S(23, 13, 17, 22) S(24, 15, 23, 22) X(25, ADD, 16, 24, 0)
/* Of one or two inputs. */
#define NN__PART_logical_xor(X, N, C, M, S)                                                        \
    N(0, 0) X(1, NOT, 0, 0, 0) N(2, 1) X(3, NOT, 2, 0, 0) X(4, NOT_EQUAL, 1, 3, 0)
#define NN__PART_frac(X, N, C, M, S)                                                               \
    N(0, 0) X(1, TRUNC, 0, 0, 0) X(2, SUBTRACT, 0, 1, 0)
/* More gradients: x, dy. */
#define NN__PART_softplus_backward(X, N, C, M, S)                                                  \
    N(0, 0) X(1, SIGMOID, 0, 0, 0) N(2, 1) X(3, MULTIPLY, 2, 1, 0)
#define NN__PART_reciprocal_backward(X, N, C, M, S)                                                \
    C(0, 1.0f) N(1, 0) X(2, DIVIDE, 0, 1, 0) N(3, 1) X(4, MULTIPLY, 3, 2, 0)                       \
    X(5, DIVIDE, 4, 1, 0) X(6, NEGATE, 5, 0, 0)
/* a, b. */
#define NN__PART_fmod(X, N, C, M, S)                                                               \
    N(0, 0) C(1, 0.0f) M(2, LESS, 0, 1) X(3, NEGATE, 0, 0, 0) N(4, 1) X(5, ABS, 4, 0, 0)           \
    X(6, REMAINDER, 3, 5, 0) X(7, NEGATE, 6, 0, 0) X(8, REMAINDER, 0, 5, 0) S(9, 2, 7, 8)
/* Of optimizers: ASGD's average: its weight, the parameter, the average so far; moments and steps:
   a b + c d and a b - c d. */
#define NN__PART_average(X, N, C, M, S)                                                            \
    N(0, 0) C(1, 1.0f) M(2, LESS, 0, 1) N(3, 1) N(4, 2) X(5, SUBTRACT, 3, 4, 0)                    \
    X(6, MULTIPLY, 0, 5, 0) X(7, ADD, 4, 6, 0) S(8, 2, 7, 3)
#define NN__PART_products_added(X, N, C, M, S)                                                     \
    N(0, 0) N(1, 1) X(2, MULTIPLY, 0, 1, 0) N(3, 2) N(4, 3) X(5, MULTIPLY, 3, 4, 0)                \
    X(6, ADD, 2, 5, 0)
#define NN__PART_products_subtracted(X, N, C, M, S)                                                \
    N(0, 0) N(1, 1) X(2, MULTIPLY, 0, 1, 0) N(3, 2) N(4, 3) X(5, MULTIPLY, 3, 4, 0)                \
    X(6, SUBTRACT, 2, 5, 0)

/* Name, inputs, place of the result and its instruction, how the row is made. A part that contains
   another stands before it. */
#define NN__PARTS(X)                                                                               \
    X(gelu, 1, 8, MULTIPLY, ROW8_LONG) X(gelu_backward, 2, 19, ADD, ROW8_LONG)                     \
    X(gelu_tanh_backward, 2, 24, ADD, ROW8_LONG) X(silu_backward, 2, 9, ADD, ROW8_LONG)            \
    X(sigmoid_backward, 2, 6, MULTIPLY, ROW8_LONG) X(tanh_backward, 2, 6, MULTIPLY, ROW8_LONG)     \
    X(hardswish, 1, 7, DIVIDE, ROW8) X(hardswish_backward, 2, 14, ADD, ROW8)                       \
    X(hardsigmoid, 1, 15, SELECT, ROW8_HARDSIGMOID) X(hardsigmoid_backward, 2, 10, SELECT, ROW8)   \
    X(exp_backward, 2, 3, MULTIPLY, ROW8_LONG) X(logsigmoid_backward, 2, 4, MULTIPLY, ROW8_LONG)   \
    X(elu_backward, 2, 6, SELECT, ROW8_LONG) X(selu_backward, 2, 10, SELECT, ROW8_LONG)            \
    X(logit_backward, 2, 9, ADD, ROW8) X(hypot_backward, 3, 4, MULTIPLY, ROW8)                     \
    X(lerp, 3, 5, ADD, ROW8) X(addcmul, 4, 6, ADD, ROW8) X(addcdiv, 4, 6, ADD, ROW8)               \
    X(huber, 4, 12, SELECT, ROW8) X(huber_backward, 4, 14, SELECT, ROW8)                           \
    X(smooth_l1, 2, 10, SELECT, ROW8) X(smooth_l1_backward, 3, 13, SELECT, ROW8)                   \
    X(squared_difference, 2, 3, MULTIPLY, ROW8) X(nan_to_num, 4, 12, SELECT, ROW8)                 \
    X(nan_to_num_backward, 2, 8, SELECT, ROW8) X(mix, 3, 13, SELECT, ROW8)                         \
    X(mix_backward_a, 2, 14, ADD, ROW8) X(mix_backward_b, 2, 13, ADD, ROW8)                        \
    X(silu, 1, 2, MULTIPLY, ROW8_LONG) X(leaky_relu, 2, 5, SELECT, ROW8)                           \
    X(leaky_relu_backward, 3, 6, SELECT, ROW8) X(hardtanh, 3, 6, SELECT, ROW8)                     \
    X(hardtanh_backward, 4, 8, SELECT, ROW8) X(celu_backward, 3, 10, SELECT, ROW8_LONG)            \
    X(tanhshrink_backward, 2, 8, ADD, ROW8_LONG) X(softshrink, 3, 9, SELECT, ROW8)                 \
    X(hardshrink, 3, 7, SELECT, ROW8) X(shrink_backward, 4, 8, SELECT, ROW8)                       \
    X(sigmoid_backward_y, 2, 5, MULTIPLY, ROW8) X(tanh_backward_y, 2, 5, MULTIPLY, ROW8)           \
    X(tan_backward_y, 2, 5, MULTIPLY, ROW8)                                                       \
    X(sqrt_backward_y, 2, 4, DIVIDE, ROW8) X(rsqrt_backward_y, 2, 6, MULTIPLY, ROW8)               \
    X(squared_difference_backward, 3, 5, ADD, ROW8) X(l1_backward, 3, 5, MULTIPLY, ROW8)           \
    X(bce_slope, 3, 10, DIVIDE, ROW8) X(logaddexp_backward, 3, 25, ADD, ROW8_LONG)                 \
    X(logical_xor, 2, 4, NOT_EQUAL, ROW8) X(frac, 1, 2, SUBTRACT, ROW8)                            \
    X(softplus_backward, 2, 3, MULTIPLY, ROW8_LONG) X(reciprocal_backward, 2, 6, NEGATE, ROW8)     \
    X(average, 3, 8, SELECT, ROW8) X(products_added, 4, 6, ADD, ROW8)                              \
    X(products_subtracted, 4, 6, SUBTRACT, ROW8) X(fmod, 2, 9, SELECT, ROW8_FMOD)                  \
    X(bce_with_logits, 2, 4, SUBTRACT, ROW8_LONG)

#endif
