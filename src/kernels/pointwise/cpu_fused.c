/* kernels/pointwise/cpu_fused.c - finds parts of pointwise programs that are computed in one pass
   over the vectors, without storing intermediate values. Their rows (vector.h) round after each
   instruction, so a program gives the same bytes with and without them. A part is installed with
   the rarest of its instructions. Compiled for size. */
#include "kernels/pointwise/cpu.h"
#include "kernels/pointwise/vector.h"

#ifdef NN__PROGRAM_FUSES

#define NN__X(k, code, a, b, c) {NN_CODE_##code, a, b, c, 0.0f},
#define NN__N(k, n)             {NN_CODE_INPUT, n, 0, 0, 0.0f},
#define NN__C(k, value)         {NN_CODE_CONSTANT, 0, 0, 0, value},
#define NN__M(k, code, a, b)    {NN_CODE_##code, a, b, 0, 0.0f},
#define NN__S(k, m, a, b)       {NN_CODE_SELECT, m, a, b, 0.0f},
#define NN__PART(name, inputs, last, code, twice)                                                  \
    static const nn_instruction nn__fused_##name[] = {                                             \
        NN__PART_##name(NN__X, NN__N, NN__C, NN__M, NN__S)};
NN__PARTS(NN__PART)
#undef NN__PART
#undef NN__X
#undef NN__N
#undef NN__C
#undef NN__M
#undef NN__S

static void nn__fused_install(nn__cpu *cpu, const nn_instruction *code, int count,
                              nn__row_function row) {
    nn__programs *programs = &cpu->programs;
    if (!row) return;
    for (int i = 0; i < programs->part_count; i++)
        if (programs->parts[i].code == code) return;
    nn__fused *part = &programs->parts[programs->part_count++];
    part->code = code;
    part->count = count;
    part->row = row;
}

#define NN__PART(name, inputs, last, code, twice)                                                  \
    nn__fused_install(cpu, nn__fused_##name, NN__COUNT(nn__fused_##name),                          \
                      NN__OF_VECTORS(cpu, nn__code_part_##name));
NN_PRIVATE void nn__install_parts_of_erf(nn__cpu *cpu) { NN__PARTS_OF_ERF(NN__PART) }
NN_PRIVATE void nn__install_parts_of_sigmoid(nn__cpu *cpu) { NN__PARTS_OF_SIGMOID(NN__PART) }
NN_PRIVATE void nn__install_parts_of_clamp(nn__cpu *cpu) { NN__PARTS_OF_CLAMP(NN__PART) }
NN_PRIVATE void nn__install_parts_of_round(nn__cpu *cpu) { NN__PARTS_OF_ROUND(NN__PART) }
NN_PRIVATE void nn__install_parts_of_greater(nn__cpu *cpu) { NN__PARTS_OF_GREATER(NN__PART) }
#undef NN__PART

/* True if the part may end with the instruction at place i. It compares only the operands' codes,
   which excludes most parts. */
static bool nn__fused_may_be(const nn_instruction *part, int last, const nn_instruction *code,
                             int i) {
    const nn_instruction *want = &part[last], *have = &code[i];
    const int operands = nn__program_operands(have->code);
    int of = part[want->a].code;
    if (operands > 0 && of != NN_CODE_INPUT && of != code[have->a].code) return false;
    of = part[want->b].code;
    if (operands > 1 && of != NN_CODE_INPUT && of != code[have->b].code) return false;
    of = part[want->c].code;
    return operands < 3 || of == NN_CODE_INPUT || of == code[have->c].code;
}

/* Compares a part with the program at place i. at[] receives the place of each instruction of the
   part. */
static bool nn__fused_same(const nn_program *program, const nn__fused *part, int k, int i,
                           int *at) {
    const nn_instruction *want = &part->code[k], *have = &program->code[i];
    const int operands = nn__program_operands(want->code);
    if (at[k] >= 0) return at[k] == i;
    at[k] = i;
    if (want->code == NN_CODE_INPUT) return true;
    /* compares bits: 0 must not match -0 */
    if (want->code != have->code || memcmp(&want->value, &have->value, sizeof want->value) != 0)
        return false;
    return (operands < 1 || nn__fused_same(program, part, want->a, have->a, at)) &&
           (operands < 2 || nn__fused_same(program, part, want->b, have->b, at)) &&
           (operands < 3 || nn__fused_same(program, part, want->c, have->c, at));
}

/* True if only the part itself reads its inner values. */
static bool nn__fused_alone(const nn_program *program, const nn__fused *part, const int *at) {
    bool inside[NN_PROGRAM_LENGTH] = {false};
    const int last = part->count - 1;
    for (int k = 0; k <= last; k++)
        if (part->code[k].code > NN_CODE_CONSTANT) inside[at[k]] = true;
    for (int k = 0; k <= last; k++) /* an input must not be computed inside */
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

/* Takes the first part that matches at place i. This runs for every instruction of every program,
   so it must be fast: one comparison excludes most parts, which end with another instruction. */
static void nn__fused_look(nn__program_run *run, int i) {
    const nn_instruction *code = run->args->program.code;
    const nn__programs *programs = &run->cpu->programs;
    for (int k = 0; k < programs->part_count; k++) {
        const nn__fused *part = &programs->parts[k];
        if (part->code[part->count - 1].code == code[i].code &&
            nn__fused_may_be(part->code, part->count - 1, code, i) && nn__fused_at(run, part, k, i))
            return;
    }
}

NN_PRIVATE void nn__program_find_fused(nn__program_run *run) {
    const nn_program *program = &run->args->program;
    /* backwards, because a gradient contains its activation */
    for (int i = program->count - 1; i > 0 && run->fusion_count < NN__PROGRAM_FUSIONS; i--)
        if (program->code[i].code > NN_CODE_CONSTANT && run->kind[i] == NN__VALUE_UNUSED &&
            run->last[i] != i)
            nn__fused_look(run, i);
}

#endif
