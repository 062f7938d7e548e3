/* kernels/pointwise/program.h - the pointwise program: a short list of instructions that runs for
   every element of a tensor separately.

   An instruction computes one number, and later instructions refer to it by its place in the list
   (0, 1, ...). All arithmetic is f32 with one rounding per instruction. Nothing is contracted, so
   instructions of weight 1 give the same bytes on every CPU. A program does not know shapes, dtypes
   or devices; kernels/pointwise/args.h has them. */
#pragma once

#include "base/config.h"

/* X(UPPER, lower, text, operands, weight, value): one line for each instruction. They generate the
   enum, the names of the text form, the rows of plain C and the OpenCL source.
     text      its name in the text form of a program; "" if the text form has another notation
     operands  how many of a, b, c it reads
     weight    its cost in additions; instructions of weight 1 to 4 are exact (correctly rounded or
               no arithmetic at all); those from 8 on are transcendental and may differ in the last
               bits
     value     the formula, in words that are C with <math.h> and, by macros, OpenCL C, also for
               vectors: NN_TRUTH(x) is 1 or 0, NN_WHERE(x, y, z) is x ? y : z
   New lines go before NN_INSTRUCTION_COUNT, never between others. */
#define NN_INSTRUCTIONS(X)                                                                         \
    X(INPUT, input, "", 0, 1, a)         /* input number a, widened to f32 */                      \
    X(SCALAR, scalar, "", 0, 1, a)       /* scalar number a, given at each run */                  \
    X(CONSTANT, constant, "", 0, 1, a)   /* `value` */                                             \
    X(RANDOM, random, "random", 0, 8, a) /* draw number a: uniform in [0, 1), see args.h */        \
    X(NEGATE, negate, "neg", 1, 1, -a)                                                             \
    X(ABS, abs, "abs", 1, 1, fabsf(a))                                                             \
    X(SIGN, sign, "sign", 1, 1, NN_TRUTH(a > 0.0f) - NN_TRUTH(a < 0.0f)) /* NaN gives 0 */         \
    X(FLOOR, floor, "floor", 1, 1, floorf(a))                                                      \
    X(CEIL, ceil, "ceil", 1, 1, ceilf(a))                                                          \
    X(ROUND, round, "round", 1, 1, rintf(a)) /* halves to even, as torch.round */                  \
    X(TRUNC, trunc, "trunc", 1, 1, truncf(a))                                                      \
    X(RECIPROCAL, reciprocal, "reciprocal", 1, 2, 1.0f / a)                                        \
    X(SQRT, sqrt, "sqrt", 1, 2, sqrtf(a))                                                          \
    X(RSQRT, rsqrt, "rsqrt", 1, 4, 1.0f / sqrtf(a)) /* two roundings */                            \
    X(EXP, exp, "exp", 1, 8, expf(a))                                                              \
    X(EXPM1, expm1, "expm1", 1, 12, expm1f(a))                                                     \
    X(LOG, log, "log", 1, 8, logf(a))                                                              \
    X(LOG1P, log1p, "log1p", 1, 12, log1pf(a))                                                     \
    X(SIN, sin, "sin", 1, 16, sinf(a))                                                             \
    X(COS, cos, "cos", 1, 16, cosf(a))                                                             \
    X(TAN, tan, "tan", 1, 16, tanf(a))                                                             \
    X(TANH, tanh, "tanh", 1, 12, tanhf(a))                                                         \
    X(SIGMOID, sigmoid, "sigmoid", 1, 8, 1.0f / (1.0f + expf(-a)))                                 \
    X(ERF, erf, "erf", 1, 12, erff(a))                                                             \
    X(SOFTPLUS, softplus, "softplus", 1, 16, NN_LARGER_OF(a, 0.0f) + log1pf(expf(-fabsf(a))))      \
    X(NOT, logical_not, "not", 1, 1, NN_TRUTH(a == 0.0f))                                          \
    X(ISNAN, isnan, "isnan", 1, 1, NN_TRUTH(a != a))                                               \
    X(ADD, add, "add", 2, 1, a + b)                                                                \
    X(SUBTRACT, subtract, "sub", 2, 1, a - b)                                                      \
    X(MULTIPLY, multiply, "mul", 2, 1, a *b)                                                       \
    X(DIVIDE, divide, "div", 2, 2, a / b)                                                          \
    X(MAXIMUM, maximum, "max", 2, 1, NN_LARGER_OF(a, b)) /* NaN wins, as torch.maximum */          \
    X(MINIMUM, minimum, "min", 2, 1, NN_SMALLER_OF(a, b))                                          \
    X(POWER, power, "pow", 2, 32, powf(a, b))                                                      \
    X(ATAN2, atan2, "atan2", 2, 32, atan2f(a, b))                                                  \
    X(REMAINDER, remainder, "remainder", 2, 4,                                                     \
      nn_remainder_of(a, b)) /* torch.remainder: b's sign */                                       \
    X(LESS, less, "lt", 2, 1, NN_TRUTH(a < b))                                                     \
    X(LESS_EQUAL, less_equal, "le", 2, 1, NN_TRUTH(a <= b))                                        \
    X(GREATER, greater, "gt", 2, 1, NN_TRUTH(a > b))                                               \
    X(GREATER_EQUAL, greater_equal, "ge", 2, 1, NN_TRUTH(a >= b))                                  \
    X(EQUAL, equal, "eq", 2, 1, NN_TRUTH(a == b))                                                  \
    X(NOT_EQUAL, not_equal, "ne", 2, 1, NN_TRUTH(a != b))                                          \
    X(AND, logical_and, "and", 2, 1, NN_TRUTH(a != 0.0f && b != 0.0f))                             \
    X(OR, logical_or, "or", 2, 1, NN_TRUTH(a != 0.0f || b != 0.0f))                                \
    X(FMA, fma, "fma", 3, 2, fmaf(a, b, c)) /* a * b + c with one rounding, everywhere */          \
    X(SELECT, select, "where", 3, 1,                                                               \
      NN_WHERE(a != 0.0f, b, c)) /* the value not chosen does not matter */                        \
    X(CLAMP, clamp, "clamp", 3, 2, NN_SMALLER_OF(NN_LARGER_OF(a, b), c)) /* torch.clamp */         \
    X(LOG2, log2, "log2", 1, 8, log2f(a)) /* exact for powers of two */                            \
    X(LOG10, log10, "log10", 1, 8, log10f(a))                                                      \
    X(HYPOT, hypot, "hypot", 2, 8, hypotf(a, b)) /* squares nothing that could overflow */

typedef enum nn_instruction_code {
#define NN__X(upper, lower, text, operands, weight, value) NN_CODE_##upper,
    NN_INSTRUCTIONS(NN__X)
#undef NN__X
        NN_INSTRUCTION_COUNT
} nn_instruction_code;

#define NN_PROGRAM_LENGTH  96 /* instructions */
#define NN_PROGRAM_INPUTS  8
#define NN_PROGRAM_OUTPUTS 4
#define NN_PROGRAM_SCALARS 16

typedef struct nn_instruction {
    uint8_t code;    /* nn_instruction_code */
    /* places of earlier instructions; for INPUT, SCALAR and RANDOM, a is the number; unused ones
       are 0 */
    uint8_t a, b, c;
    float value;     /* CONSTANT only */
} nn_instruction;

typedef struct nn_program {
    /* `count` instructions, in the owner's memory (a node, a static table ...) */
    const nn_instruction *code;
    uint8_t count;              /* 1 to NN_PROGRAM_LENGTH */
    uint8_t input_count;        /* 0 to NN_PROGRAM_INPUTS */
    uint8_t output_count;       /* 1 to NN_PROGRAM_OUTPUTS */
    uint8_t scalar_count; /* 0 to NN_PROGRAM_SCALARS: numbers that may change at each run, such as a
                             learning rate, without building a new program */
    uint8_t output[NN_PROGRAM_OUTPUTS]; /* places of the results */
} nn_program;
