/* kernels/pointwise/cpu_rows.c - installs the instructions of pointwise programs one by one: the
   row of vector.h, or in a build without vectors the function of one number. */
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
#define NN__ROW_OF(cpu, upper, lower) NN__OF_SET(cpu, nn__code_##lower)
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

/* Further parts of some instructions. */
static NN__UNUSED void nn__install_draws(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
#ifdef NN_NO_SIMD
    cpu->programs.draw = nn__program_draw;
#else
    cpu->programs.draw = NN__OF_SET(cpu, nn__draw);
    cpu->programs.mask = NN__OF_SET(cpu, nn__draw_mask);
#endif
    nn__install_program_general(nn);
}
#ifndef NN_NO_SIMD
static NN__UNUSED void nn__install_selects(nn__cpu *cpu) {
    cpu->programs.selects = *NN__OF_SET(cpu, nn__code_selects);
}
#else
#define nn__install_selects(cpu) ((void)(cpu))
#endif
#ifndef NN__PROGRAM_FUSES
#define nn__install_parts_of_erf(cpu)     ((void)(cpu))
#define nn__install_parts_of_sigmoid(cpu) ((void)(cpu))
#define nn__install_parts_of_clamp(cpu)   ((void)(cpu))
#endif

#define NN__X(upper, lower, text, operands, weight, value)                                         \
    static NN__APART void nn__install_this_##lower(nn_context *nn) {                               \
        nn__cpu *cpu = (nn__cpu *)nn->cpu;                                                         \
        if (!cpu) return;                                                                          \
        nn__install_row(nn, NN_CODE_##upper, NN__ROW_OF(cpu, upper, lower));                       \
        if (NN_CODE_##upper == NN_CODE_RANDOM) nn__install_draws(nn);                              \
        if (NN_CODE_##upper == NN_CODE_SELECT) nn__install_selects(cpu);                           \
        if (NN_CODE_##upper == NN_CODE_ERF) nn__install_parts_of_erf(cpu);                         \
        if (NN_CODE_##upper == NN_CODE_SIGMOID) nn__install_parts_of_sigmoid(cpu);                 \
        if (NN_CODE_##upper == NN_CODE_CLAMP) nn__install_parts_of_clamp(cpu);                     \
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
