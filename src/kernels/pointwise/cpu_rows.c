/* kernels/pointwise/cpu_rows.c - installs the instructions of pointwise programs one by one: the
   row of vector.h, or in a build without vectors the function of one number. Compiled for size. */
#include "kernels/pointwise/cpu.h"
#include "kernels/pointwise/vector.h"

#include <math.h>

NN_PRIVATE int nn__program_operands(uint8_t code) {
    static const uint8_t counts[] = {
#define NN__X(upper, lower, text, operands, weight, value) operands,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    return counts[code];
}

#ifdef NN_NO_SIMD
#define NN__ROW_OF(cpu, upper, lower) nn__value_##upper##_plain
#else
#define NN__ROW_OF(cpu, upper, lower)                                                              \
    nn__row_of(cpu, NN_CODE_##upper, NN__OF_NARROW(cpu, nn__code_##lower))
/* Returns the 512-bit row of an instruction, if there is one and the CPU can run it; else
   `narrow`. */
static NN__ALWAYS_INLINE NN__UNUSED nn__row_function nn__row_of(const nn__cpu *cpu,
                                                                nn_instruction_code code,
                                                                nn__row_function narrow) {
#if NN__HAS_AVX512
#define NN__X(upper, lower, text, operands, weight, value)                                         \
    if (code == NN_CODE_##upper && NN__IS_AVX512(cpu)) return nn__code_##lower##_avx512;
    NN__WIDE_ROWS(NN__X)
#undef NN__X
#else
    (void)cpu, (void)code;
#endif
    return narrow;
}
#endif

#ifdef NN_NO_SIMD
/* Draws the numbers of elements `at` to at + n - 1 of one stream. */
static void nn__program_draw(const nn_program_args *args, uint64_t stream, float *y, int64_t at,
                             int n) {
    uint32_t words[4] = {0, 0, 0, 0};
    for (int i = 0; i < n; i++) {
        uint64_t element = (uint64_t)at + (uint64_t)i;
        if (i == 0 || element % 4 == 0)
            nn_random_words(args->seed, stream, args->counter + element / 4, words);
        y[i] = nn_word_to_uniform(words[element % 4]);
    }
}
#endif

static void nn__install_row(nn_context *nn, nn_instruction_code code, nn__row_function row) {
    ((nn__cpu *)nn->cpu)->programs.rows[code] = row;
    nn__install_program(nn);
}

/* These install further parts of some instructions. */
static NN__UNUSED void nn__install_draws(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
#ifdef NN_NO_SIMD
    cpu->programs.draw = nn__program_draw;
#else
    cpu->programs.draw = NN__OF_NARROW(cpu, nn__draw);
    cpu->programs.mask = NN__OF_NARROW(cpu, nn__draw_mask);
#endif
    nn__install_program_general(nn);
}
/* Installs the row of NN__CHOICE_LARGER. */
static NN__UNUSED void nn__install_larger(nn__cpu *cpu) {
#ifdef NN_NO_SIMD
    (void)cpu;
#else
    cpu->programs.selects[NN__CHOICE_LARGER] = NN__OF_NARROW(cpu, nn__code_maximum);
#endif
}
/* A comparison also installs the row that computes it together with the SELECT after it. */
#ifdef NN_NO_SIMD
#define NN__SELECT_OF(cpu, upper, lower, code) ((void)0)
#else
#define NN__SELECT_OF(cpu, upper, lower, code)                                                     \
    if (code == NN_CODE_##upper)                                                                   \
    (cpu)->programs.selects[NN_CODE_##upper - NN_CODE_LESS] = NN__OF_NARROW(cpu, nn__code_##lower)
#endif
#define NN__SELECTS_OF(cpu, code)                                                                  \
    do {                                                                                           \
        NN__SELECT_OF(cpu, LESS, select_less, code);                                               \
        NN__SELECT_OF(cpu, LESS_EQUAL, select_less_equal, code);                                   \
        NN__SELECT_OF(cpu, GREATER, select_greater, code);                                         \
        NN__SELECT_OF(cpu, GREATER_EQUAL, select_greater_equal, code);                             \
        NN__SELECT_OF(cpu, EQUAL, select_equal, code);                                             \
        NN__SELECT_OF(cpu, NOT_EQUAL, select_not_equal, code);                                     \
    } while (0)
#ifndef NN__PROGRAM_FUSES
#define nn__install_parts_of_erf(cpu)     ((void)(cpu))
#define nn__install_parts_of_sigmoid(cpu) ((void)(cpu))
#define nn__install_parts_of_clamp(cpu)   ((void)(cpu))
#define nn__install_parts_of_round(cpu)   ((void)(cpu))
#define nn__install_parts_of_greater(cpu) ((void)(cpu))
#endif

/* Installs the functions that the derivatives of some instructions need besides the common
   instructions of nn__install_derivatives. */
#ifdef NN_NO_TRAINING
#define NN__SLOPES_OF(nn, cpu, code) ((void)0)
#else
#define NN__SLOPES_OF(nn, cpu, code)                                                               \
    do {                                                                                           \
        if (code == NN_CODE_EXPM1 || code == NN_CODE_ERF) nn__install_code_exp(nn);                \
        if (code == NN_CODE_SIN) nn__install_row(nn, NN_CODE_COS, NN__ROW_OF(cpu, COS, cos));      \
        if (code == NN_CODE_COS) nn__install_row(nn, NN_CODE_SIN, NN__ROW_OF(cpu, SIN, sin));      \
        if (code == NN_CODE_SOFTPLUS) nn__install_code_sigmoid(nn);                                \
        if (code == NN_CODE_POWER) nn__install_code_log(nn);                                       \
        if (code == NN_CODE_ATAN2) nn__install_code_hypot(nn);                                     \
    } while (0)
#endif

#define NN__X(upper, lower, text, operands, weight, value)                                         \
    static NN__APART void nn__install_this_##lower(nn_context *nn) {                               \
        nn__cpu *cpu = (nn__cpu *)nn->cpu;                                                         \
        if (!cpu) return;                                                                          \
        nn__install_row(nn, NN_CODE_##upper, NN__ROW_OF(cpu, upper, lower));                       \
        if (NN_CODE_##upper == NN_CODE_RANDOM) nn__install_draws(nn);                              \
        NN__SELECTS_OF(cpu, NN_CODE_##upper);                                                      \
        if (NN_CODE_##upper == NN_CODE_LESS_EQUAL) nn__install_larger(cpu);                        \
        if (NN_CODE_##upper == NN_CODE_ERF) nn__install_parts_of_erf(cpu);                         \
        if (NN_CODE_##upper == NN_CODE_SIGMOID) nn__install_parts_of_sigmoid(cpu);                 \
        if (NN_CODE_##upper == NN_CODE_CLAMP) nn__install_parts_of_clamp(cpu);                     \
        if (NN_CODE_##upper == NN_CODE_ROUND) nn__install_parts_of_round(cpu);                     \
        if (NN_CODE_##upper == NN_CODE_GREATER) nn__install_parts_of_greater(cpu);                 \
        NN__SLOPES_OF(nn, cpu, NN_CODE_##upper);                                                   \
    }                                                                                              \
    NN_PRIVATE void nn__install_code_##lower(nn_context *nn) { nn__install_this_##lower(nn); }
NN_INSTRUCTIONS(NN__X)
#undef NN__X

NN_PRIVATE void nn__install_pointwise(nn_context *nn) {
#define NN__X(upper, lower, text, operands, weight, value) nn__install_code_##lower(nn);
    NN_INSTRUCTIONS(NN__X)
#undef NN__X
    nn__install_program_dtypes(nn);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_derivatives(nn_context *nn) {
    nn__install_code_negate(nn);
    nn__install_code_sign(nn);
    nn__install_code_floor(nn);
    nn__install_code_add(nn);
    nn__install_code_subtract(nn);
    nn__install_code_multiply(nn);
    nn__install_code_divide(nn);
    nn__install_code_less(nn);
    nn__install_code_less_equal(nn);
    nn__install_code_greater(nn);
    nn__install_code_greater_equal(nn);
    nn__install_code_equal(nn);
    nn__install_code_not_equal(nn);
    nn__install_code_logical_not(nn);
    nn__install_code_logical_and(nn);
    nn__install_code_logical_or(nn);
    nn__install_code_select(nn);
}
#endif
