/* kernels/pointwise/cpu_fused.c - parts of pointwise programs that are computed in one pass over
   the vectors, without the blocks in between: activations that need several instructions, and their
   gradients. The rows are in cpu_avx2.c and round after each instruction as the separate rows do,
   so that a program has the same bytes with and without them. */
#include "kernels/pointwise/cpu.h"

#ifdef NN__VECTOR8

/* A part as program/derive.c makes it of ops/table.txt. An INPUT is any value; the last
   instruction is the result. */

#define NN__I(code, a, b, c) {NN_CODE_##code, a, b, c, 0.0f}
#define NN__C(value)         {NN_CODE_CONSTANT, 0, 0, 0, value}

/* 0.5 x (1 + erf(x sqrt(1/2))); x is input 0 everywhere, dy input 1. */
static const nn_instruction nn__fused_gelu[] = {
    NN__C(0.5f),          NN__I(INPUT, 0, 0, 0),    NN__I(MULTIPLY, 0, 1, 0),
    NN__C(1.0f),          NN__C(0.707106769f),      NN__I(MULTIPLY, 1, 4, 0),
    NN__I(ERF, 5, 0, 0),  NN__I(ADD, 3, 6, 0),      NN__I(MULTIPLY, 2, 7, 0)};
static const nn_instruction nn__fused_gelu_backward[] = {
    NN__C(0.5f),               NN__I(INPUT, 0, 0, 0),      NN__I(MULTIPLY, 0, 1, 0),
    NN__C(1.0f),               NN__C(0.707106769f),        NN__I(MULTIPLY, 1, 4, 0),
    NN__I(ERF, 5, 0, 0),       NN__I(ADD, 3, 6, 0),        NN__I(INPUT, 1, 0, 0),
    NN__I(MULTIPLY, 8, 7, 0),  NN__I(MULTIPLY, 8, 2, 0),   NN__I(MULTIPLY, 5, 5, 0),
    NN__I(NEGATE, 11, 0, 0),   NN__I(EXP, 12, 0, 0),       NN__C(1.12837923f),
    NN__I(MULTIPLY, 10, 14, 0), NN__I(MULTIPLY, 15, 13, 0), NN__I(MULTIPLY, 16, 4, 0),
    NN__I(MULTIPLY, 9, 0, 0),  NN__I(ADD, 17, 18, 0)};
static const nn_instruction nn__fused_gelu_tanh_backward[] = {
    NN__I(INPUT, 0, 0, 0),      NN__C(1.59576917f),         NN__C(0.0447149985f),
    NN__I(MULTIPLY, 0, 0, 0),   NN__I(MULTIPLY, 3, 0, 0),   NN__I(MULTIPLY, 2, 4, 0),
    NN__I(ADD, 0, 5, 0),        NN__I(MULTIPLY, 1, 6, 0),   NN__I(SIGMOID, 7, 0, 0),
    NN__I(INPUT, 1, 0, 0),      NN__I(MULTIPLY, 9, 8, 0),   NN__I(MULTIPLY, 9, 0, 0),
    NN__C(1.0f),                NN__I(SUBTRACT, 12, 8, 0),  NN__I(MULTIPLY, 11, 13, 0),
    NN__I(MULTIPLY, 14, 8, 0),  NN__I(MULTIPLY, 15, 1, 0),  NN__I(ADD, 10, 16, 0),
    NN__I(MULTIPLY, 16, 2, 0),  NN__I(MULTIPLY, 18, 0, 0),  NN__I(MULTIPLY, 18, 3, 0),
    NN__I(ADD, 17, 20, 0),      NN__I(MULTIPLY, 19, 0, 0),  NN__I(ADD, 21, 22, 0),
    NN__I(ADD, 23, 22, 0)};
static const nn_instruction nn__fused_silu_backward[] = {
    NN__I(INPUT, 0, 0, 0),    NN__I(SIGMOID, 0, 0, 0),  NN__I(INPUT, 1, 0, 0),
    NN__I(MULTIPLY, 2, 1, 0), NN__I(MULTIPLY, 2, 0, 0), NN__C(1.0f),
    NN__I(SUBTRACT, 5, 1, 0), NN__I(MULTIPLY, 4, 6, 0), NN__I(MULTIPLY, 7, 1, 0),
    NN__I(ADD, 3, 8, 0)};
static const nn_instruction nn__fused_sigmoid_backward[] = {
    NN__I(INPUT, 0, 0, 0),    NN__I(SIGMOID, 0, 0, 0),  NN__I(INPUT, 1, 0, 0), NN__C(1.0f),
    NN__I(SUBTRACT, 3, 1, 0), NN__I(MULTIPLY, 2, 4, 0), NN__I(MULTIPLY, 5, 1, 0)};
static const nn_instruction nn__fused_tanh_backward[] = {
    NN__I(INPUT, 0, 0, 0),    NN__I(TANH, 0, 0, 0),     NN__I(INPUT, 1, 0, 0),
    NN__I(MULTIPLY, 1, 1, 0), NN__C(1.0f),              NN__I(SUBTRACT, 4, 3, 0),
    NN__I(MULTIPLY, 2, 5, 0)};
static const nn_instruction nn__fused_hardswish[] = {
    NN__I(INPUT, 0, 0, 0), NN__C(3.0f), NN__I(ADD, 0, 1, 0), NN__C(0.0f), NN__C(6.0f),
    NN__I(CLAMP, 2, 3, 4), NN__I(MULTIPLY, 0, 5, 0), NN__I(DIVIDE, 6, 4, 0)};
static const nn_instruction nn__fused_hardswish_backward[] = {
    NN__I(INPUT, 0, 0, 0),     NN__C(3.0f),              NN__I(ADD, 0, 1, 0),
    NN__C(0.0f),               NN__C(6.0f),              NN__I(CLAMP, 2, 3, 4),
    NN__I(INPUT, 1, 0, 0),     NN__I(DIVIDE, 6, 4, 0),   NN__I(MULTIPLY, 7, 5, 0),
    NN__I(MULTIPLY, 7, 0, 0),  NN__I(LESS, 2, 4, 0),     NN__I(GREATER, 2, 3, 0),
    NN__I(SELECT, 10, 9, 3),   NN__I(SELECT, 11, 12, 3), NN__I(ADD, 8, 13, 0)};
static const nn_instruction nn__fused_hardsigmoid[] = {
    NN__I(INPUT, 0, 0, 0),  NN__C(3.0f),           NN__C(-3.0f),
    NN__I(GREATER, 0, 2, 0), NN__I(LESS, 0, 1, 0), NN__C(6.0f),
    NN__I(DIVIDE, 0, 5, 0), NN__C(0.5f),           NN__I(ADD, 6, 7, 0),
    NN__C(1.0f),            NN__I(SELECT, 4, 8, 9), NN__I(ISNAN, 0, 0, 0),
    NN__I(ROUND, 0, 0, 0),  NN__C(0.0f),           NN__I(SELECT, 11, 12, 13),
    NN__I(SELECT, 3, 10, 14)};
static const nn_instruction nn__fused_hardsigmoid_backward[] = {
    NN__I(INPUT, 0, 0, 0),   NN__C(3.0f),            NN__C(-3.0f),
    NN__I(GREATER, 0, 2, 0), NN__I(LESS, 0, 1, 0),   NN__C(6.0f),
    NN__C(0.0f),             NN__I(INPUT, 1, 0, 0),  NN__I(DIVIDE, 7, 5, 0),
    NN__I(SELECT, 4, 8, 6),  NN__I(SELECT, 3, 9, 6)};

/* Gradients of functions of one number: x, dy. */
static const nn_instruction nn__fused_exp_backward[] = {
    NN__I(INPUT, 0, 0, 0), NN__I(EXP, 0, 0, 0), NN__I(INPUT, 1, 0, 0), NN__I(MULTIPLY, 2, 1, 0)};
static const nn_instruction nn__fused_logsigmoid_backward[] = {
    NN__I(INPUT, 0, 0, 0), NN__I(NEGATE, 0, 0, 0), NN__I(INPUT, 1, 0, 0),
    NN__I(SIGMOID, 1, 0, 0), NN__I(MULTIPLY, 2, 3, 0)};
static const nn_instruction nn__fused_elu_backward[] = {
    NN__I(INPUT, 0, 0, 0), NN__C(0.0f),            NN__I(GREATER, 0, 1, 0),
    NN__I(EXPM1, 0, 0, 0), NN__I(INPUT, 1, 0, 0),  NN__C(1.0f),
    NN__I(ADD, 3, 5, 0),   NN__I(MULTIPLY, 4, 6, 0), NN__I(SELECT, 2, 4, 7)};
static const nn_instruction nn__fused_selu_backward[] = {
    NN__I(INPUT, 0, 0, 0),    NN__C(1.05070102f),       NN__C(0.0f),
    NN__I(GREATER, 0, 2, 0),  NN__C(1.67326319f),       NN__I(EXPM1, 0, 0, 0),
    NN__I(INPUT, 1, 0, 0),    NN__I(MULTIPLY, 6, 1, 0), NN__I(MULTIPLY, 7, 4, 0),
    NN__C(1.0f),              NN__I(ADD, 5, 9, 0),      NN__I(MULTIPLY, 8, 10, 0),
    NN__I(SELECT, 3, 7, 11)};
static const nn_instruction nn__fused_logit_backward[] = {
    NN__I(INPUT, 0, 0, 0),  NN__C(1.0f),              NN__I(SUBTRACT, 1, 0, 0),
    NN__I(DIVIDE, 0, 2, 0), NN__I(INPUT, 1, 0, 0),    NN__I(DIVIDE, 4, 3, 0),
    NN__I(DIVIDE, 5, 2, 0), NN__I(MULTIPLY, 5, 3, 0), NN__I(DIVIDE, 7, 2, 0),
    NN__I(ADD, 6, 8, 0)};
/* Of sqrt(a a + b b) by a: a, b, dy. */
static const nn_instruction nn__fused_hypot_backward[] = {
    NN__I(INPUT, 0, 0, 0), NN__I(INPUT, 1, 0, 0), NN__I(MULTIPLY, 0, 0, 0),
    NN__I(MULTIPLY, 1, 1, 0), NN__I(ADD, 2, 3, 0), NN__I(SQRT, 4, 0, 0),
    NN__I(INPUT, 2, 0, 0), NN__C(2.0f), NN__I(MULTIPLY, 7, 5, 0),
    NN__I(DIVIDE, 6, 8, 0), NN__I(MULTIPLY, 9, 0, 0), NN__I(ADD, 10, 10, 0)};

/* Numbers that a line is given are inputs, too: a, b, weight; and x, a, b, value. */
static const nn_instruction nn__fused_lerp[] = {
    NN__I(INPUT, 0, 0, 0), NN__I(INPUT, 1, 0, 0), NN__I(INPUT, 2, 0, 0),
    NN__I(SUBTRACT, 1, 0, 0), NN__I(MULTIPLY, 2, 3, 0), NN__I(ADD, 0, 4, 0)};
static const nn_instruction nn__fused_addcmul[] = {
    NN__I(INPUT, 0, 0, 0), NN__I(INPUT, 1, 0, 0), NN__I(INPUT, 2, 0, 0), NN__I(INPUT, 3, 0, 0),
    NN__I(MULTIPLY, 3, 1, 0), NN__I(MULTIPLY, 4, 2, 0), NN__I(ADD, 0, 5, 0)};
static const nn_instruction nn__fused_addcdiv[] = {
    NN__I(INPUT, 0, 0, 0), NN__I(INPUT, 1, 0, 0), NN__I(INPUT, 2, 0, 0), NN__I(INPUT, 3, 0, 0),
    NN__I(MULTIPLY, 3, 1, 0), NN__I(DIVIDE, 4, 2, 0), NN__I(ADD, 0, 5, 0)};

/* Losses of a difference: x, target; huber: delta, half of it; its gradient: delta, dy; that of
   smooth_l1: dy. */
static const nn_instruction nn__fused_huber[] = {
    NN__I(INPUT, 0, 0, 0),    NN__I(INPUT, 1, 0, 0),    NN__I(INPUT, 2, 0, 0),
    NN__I(SUBTRACT, 0, 1, 0), NN__I(ABS, 3, 0, 0),      NN__I(GREATER, 4, 2, 0),
    NN__C(0.5f),              NN__I(INPUT, 3, 0, 0),    NN__I(SUBTRACT, 4, 7, 0),
    NN__I(MULTIPLY, 2, 8, 0), NN__I(MULTIPLY, 3, 3, 0), NN__I(MULTIPLY, 6, 10, 0),
    NN__I(SELECT, 5, 9, 11)};
static const nn_instruction nn__fused_huber_backward[] = {
    NN__I(INPUT, 0, 0, 0),    NN__I(INPUT, 1, 0, 0),    NN__I(INPUT, 2, 0, 0),
    NN__I(SUBTRACT, 0, 1, 0), NN__I(ABS, 3, 0, 0),      NN__I(GREATER, 4, 2, 0),
    NN__C(0.5f),              NN__I(INPUT, 3, 0, 0),    NN__I(MULTIPLY, 7, 6, 0),
    NN__I(MULTIPLY, 8, 3, 0), NN__I(ADD, 9, 9, 0),      NN__I(MULTIPLY, 7, 2, 0),
    NN__I(SIGN, 3, 0, 0),     NN__I(MULTIPLY, 11, 12, 0), NN__I(SELECT, 5, 13, 10)};
static const nn_instruction nn__fused_smooth_l1[] = {
    NN__I(INPUT, 0, 0, 0),    NN__I(INPUT, 1, 0, 0), NN__C(1.0f),
    NN__I(SUBTRACT, 0, 1, 0), NN__I(ABS, 3, 0, 0),   NN__I(GREATER_EQUAL, 4, 2, 0),
    NN__C(0.5f),              NN__I(SUBTRACT, 4, 6, 0), NN__I(MULTIPLY, 3, 3, 0),
    NN__I(MULTIPLY, 6, 8, 0), NN__I(SELECT, 5, 7, 9)};
static const nn_instruction nn__fused_smooth_l1_backward[] = {
    NN__I(INPUT, 0, 0, 0),    NN__I(INPUT, 1, 0, 0),    NN__C(1.0f),
    NN__I(SUBTRACT, 0, 1, 0), NN__I(ABS, 3, 0, 0),      NN__I(GREATER_EQUAL, 4, 2, 0),
    NN__C(0.5f),              NN__I(INPUT, 2, 0, 0),    NN__I(MULTIPLY, 7, 6, 0),
    NN__I(MULTIPLY, 8, 3, 0), NN__I(ADD, 9, 9, 0),      NN__I(SIGN, 3, 0, 0),
    NN__I(MULTIPLY, 7, 11, 0), NN__I(SELECT, 5, 12, 10)};
static const nn_instruction nn__fused_squared_difference[] = {
    NN__I(INPUT, 0, 0, 0), NN__I(INPUT, 1, 0, 0), NN__I(SUBTRACT, 0, 1, 0),
    NN__I(MULTIPLY, 2, 2, 0)};

#define NN__FUSED(name) {nn__fused_##name, NN__COUNT(nn__fused_##name)},
static const nn__fused nn__fused_list[] = {NN__FUSED_ROWS(NN__FUSED)};
#undef NN__FUSED
#undef NN__I
#undef NN__C

NN_PRIVATE const nn__fused *nn__fused_part(int i) {
    return i < NN__COUNT(nn__fused_list) ? &nn__fused_list[i] : NULL;
}

/* Compares a part with what stands at place i; of each of the part's instructions, `at` receives
   the place. */
static bool nn__fused_same(const nn_program *program, const nn__fused *part, int k, int i,
                           int *at) {
    const nn_instruction *want = &part->code[k], *have = &program->code[i];
    const int operands = nn__program_operands(want->code);
    if (at[k] >= 0) return at[k] == i;
    at[k] = i;
    if (want->code == NN_CODE_INPUT) return true;
    /* the bits: 0 is no part's -0 */
    if (want->code != have->code || memcmp(&want->value, &have->value, sizeof want->value) != 0)
        return false;
    return (operands < 1 || nn__fused_same(program, part, want->a, have->a, at)) &&
           (operands < 2 || nn__fused_same(program, part, want->b, have->b, at)) &&
           (operands < 3 || nn__fused_same(program, part, want->c, have->c, at));
}

/* Is everything that the part computes, but for its result, read by the part alone? */
static bool nn__fused_alone(const nn_program *program, const nn__fused *part, const int *at) {
    bool inside[NN_PROGRAM_LENGTH] = {false};
    const int last = part->count - 1;
    for (int k = 0; k <= last; k++)
        if (part->code[k].code > NN_CODE_CONSTANT) inside[at[k]] = true;
    for (int k = 0; k <= last; k++) /* an input that is computed inside as well */
        if (part->code[k].code == NN_CODE_INPUT && inside[at[k]]) return false;
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *by = &program->code[i];
        const int operands = inside[i] ? 0 : nn__program_operands(by->code);
        if ((operands > 0 && inside[by->a] && by->a != at[last]) ||
            (operands > 1 && inside[by->b] && by->b != at[last]) ||
            (operands > 2 && inside[by->c] && by->c != at[last]))
            return false;
    }
    for (int k = 0; k < program->output_count; k++)
        if (inside[program->output[k]] && program->output[k] != at[last]) return false;
    return true;
}

static bool nn__fused_at(nn__program_run *run, const nn__fused *part, int number, int i) {
    const nn_program *program = &run->args->program;
    const int last = part->count - 1;
    int at[NN_PROGRAM_LENGTH];
    nn__program_fusion *fusion = &run->fusions[run->fusion_count];
    if (part->code[last].code != program->code[i].code || i < last) return false;
    for (int k = 0; k <= last; k++) at[k] = -1;
    if (!nn__fused_same(program, part, last, i, at) || !nn__fused_alone(program, part, at))
        return false;
    fusion->place = i;
    fusion->part = number;
    fusion->inputs = 0;
    for (int k = 0; k < last; k++) {
        const int code = part->code[k].code;
        if (code > NN_CODE_CONSTANT) run->kind[at[k]] = NN__VALUE_CHOICE;
        if (code != NN_CODE_INPUT) continue;
        fusion->input[part->code[k].a] = at[k];
        fusion->inputs++;
        if (run->last[at[k]] < i) run->last[at[k]] = (uint8_t)i;
    }
    run->fusion_count++;
    return true;
}

NN_PRIVATE void nn__program_find_fused(nn__program_run *run) {
    const nn_program *program = &run->args->program;
    /* from the end on: a gradient contains what its activation computes */
    for (int i = program->count - 1; i > 0 && run->fusion_count < NN__PROGRAM_FUSIONS; i--)
        for (int part = 0; part < NN__COUNT(nn__fused_list); part++)
            if (run->kind[i] == NN__VALUE_UNUSED && run->last[i] != i &&
                nn__fused_at(run, &nn__fused_list[part], part, i))
                break;
}

#endif
