/* kernels/pointwise/cpu_rows.c - every instruction of a pointwise program in plain C, made from the
   words of the table: as a row, or in a build without vectors for one number. And how each is
   installed by itself. */
#include "kernels/pointwise/cpu.h"

#include <math.h>

NN_PRIVATE int nn__program_operands(uint8_t code) {
    static const uint8_t counts[] = {
#define NN__X(upper, lower, text, operands, weight, value) operands,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    return counts[code];
}

/* INPUT, SCALAR, CONSTANT and RANDOM have rows as well, which nothing calls and no program
   links. */
#ifdef NN_NO_SIMD
#define NN__X(upper, lower, text, operands, weight, value)                                         \
    static NN__UNUSED float nn__plain_##lower(float a, float b, float c) {                         \
        (void)a, (void)b, (void)c;                                                                 \
        return value;                                                                              \
    }
#else
#define NN__X(upper, lower, text, operands, weight, value)                                         \
    static NN__UNUSED void nn__plain_##lower(const nn__row *row) {                                 \
        for (int i = 0; i < row->n; i++) {                                                         \
            float a = operands > 0 ? row->a[i & row->a_mask] : 0.0f;                               \
            float b = operands > 1 ? row->b[i & row->b_mask] : 0.0f;                               \
            float c = operands > 2 ? row->c[i & row->c_mask] : 0.0f;                               \
            (void)b, (void)c;                                                                      \
            row->y[i] = value;                                                                     \
        }                                                                                          \
    }
#endif
NN_INSTRUCTIONS(NN__X)
#undef NN__X

#ifndef NN_NO_SIMD
/* A comparison and the SELECT that alone reads it, without the ones and zeros in between. */
#define NN__PLAIN_SELECT(name, sign)                                                               \
    static void nn__plain_select_##name(const nn__row *row) {                                      \
        for (int i = 0; i < row->n; i++)                                                           \
            row->y[i] = row->a[i & row->a_mask] sign row->b[i & row->b_mask]                       \
                            ? row->c[i & row->c_mask]                                              \
                            : row->d[i & row->d_mask];                                             \
    }
NN__PLAIN_SELECT(less, <)
NN__PLAIN_SELECT(less_equal, <=)
NN__PLAIN_SELECT(greater, >)
NN__PLAIN_SELECT(greater_equal, >=)
NN__PLAIN_SELECT(equal, ==)
NN__PLAIN_SELECT(not_equal, !=)
#undef NN__PLAIN_SELECT

static void nn__install_selects(nn__cpu *cpu) {
    static const nn__row_function plain[] = {
        nn__plain_select_less,          nn__plain_select_less_equal, nn__plain_select_greater,
        nn__plain_select_greater_equal, nn__plain_select_equal,      nn__plain_select_not_equal,
        nn__plain_maximum};
    cpu->programs.selects = plain;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) cpu->programs.selects = nn__program_selects8();
#endif
}
#endif

NN_PRIVATE void nn__program_random_plain(const nn_program_args *args, uint64_t stream, float *y,
                                         int64_t at, int n) {
    uint32_t words[4] = {0, 0, 0, 0};
    for (int i = 0; i < n; i++) {
        uint64_t element = (uint64_t)at + (uint64_t)i;
        if (i == 0 || element % 4 == 0)
            nn_random_words(args->seed, stream, args->counter + element / 4, words);
        y[i] = nn_word_to_uniform(words[element % 4]);
    }
}

typedef void (*nn__random_function)(const nn_program_args *args, uint64_t stream, float *y,
                                    int64_t at, int n);

static void nn__install_row(nn_context *nn, nn_instruction_code code, nn__row_function plain,
                            nn__random_function random_plain) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    nn__row_function row = NULL;
    if (!cpu) return;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) row = nn__program_row8(code);
#endif
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu) && nn__program_row16(code)) row = nn__program_row16(code);
#endif
    cpu->programs.rows[code] = row ? row : plain;
    nn__install_program(nn);
#ifndef NN_NO_SIMD
    if (code == NN_CODE_SELECT) nn__install_selects(cpu);
#endif
    if (!random_plain) return;
    cpu->programs.draw = random_plain;
#ifdef NN__VECTOR8
    if (!nn__vectors(cpu)) return;
    cpu->programs.draw = nn__program_random8;
    cpu->programs.mask = nn__program_mask8;
#endif
}

#define NN__X(upper, lower, text, operands, weight, value)                                         \
    NN_PRIVATE void nn__install_code_##lower(nn_context *nn) {                                     \
        nn__install_row(nn, NN_CODE_##upper, nn__plain_##lower,                                    \
                        NN_CODE_##upper == NN_CODE_RANDOM ? nn__program_random_plain : NULL);      \
        if (NN_CODE_##upper == NN_CODE_RANDOM) nn__install_program_general(nn);                    \
    }
NN_INSTRUCTIONS(NN__X)
#undef NN__X

NN_PRIVATE void nn__install_pointwise(nn_context *nn) {
#define NN__X(upper, lower, text, operands, weight, value) nn__install_code_##lower(nn);
    NN_INSTRUCTIONS(NN__X)
#undef NN__X
    nn__install_program_dtypes(nn);
}
