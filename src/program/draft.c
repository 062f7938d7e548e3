/* program/draft.c - builds and simplifies pointwise programs. Simplification never changes a
   result: it computes constants only with instructions that every device rounds alike, and uses
   an identity only where it holds for NaN, infinities and both zeros. */
#include "program/private.h"

#include <math.h>

NN_PRIVATE int nn__instruction_operands(int code) {
    static const uint8_t operands[] = {
#define NN__X(upper, lower, text, count, weight, value) count,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    return code >= 0 && code < NN__COUNT(operands) ? operands[code] : 0;
}

NN_PRIVATE const char *nn__instruction_name(int code, bool long_name) {
    static const char names[] =
#define NN__X(upper, lower, text, count, weight, value) #lower "\0"
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
            "unknown";
    static const char texts[] =
#define NN__X(upper, lower, text, count, weight, value) text "\0"
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
            "unknown";
    int known = code >= 0 && code < NN_INSTRUCTION_COUNT ? code : NN_INSTRUCTION_COUNT;
    return nn__nth_text(long_name ? names : texts, known);
}

NN_PRIVATE bool nn__program_is_random(const nn_program *program) {
    for (int i = 0; i < program->count; i++)
        if (program->code[i].code == NN_CODE_RANDOM) return true;
    return false;
}

/* ---- constants ------------------------------------------------------------------------------- */

/* Computes only what IEEE 754 defines to the last bit. */
static bool nn__draft_fold(nn_instruction_code code, float a, float b, float c, float *y) {
    switch (code) {
    case NN_CODE_NEGATE: *y = -a; return true;
    case NN_CODE_ABS: *y = fabsf(a); return true;
    case NN_CODE_FLOOR: *y = floorf(a); return true;
    case NN_CODE_CEIL: *y = ceilf(a); return true;
    case NN_CODE_TRUNC: *y = truncf(a); return true;
    case NN_CODE_RECIPROCAL: *y = 1.0f / a; return true;
    case NN_CODE_SQRT: *y = sqrtf(a); return true;
    case NN_CODE_NOT: *y = a == 0.0f ? 1.0f : 0.0f; return true;
    case NN_CODE_ISNAN: *y = a != a ? 1.0f : 0.0f; return true;
    case NN_CODE_ADD: *y = a + b; return true;
    case NN_CODE_SUBTRACT: *y = a - b; return true;
    case NN_CODE_MULTIPLY: *y = a * b; return true;
    case NN_CODE_DIVIDE: *y = a / b; return true;
    case NN_CODE_LESS: *y = a < b ? 1.0f : 0.0f; return true;
    case NN_CODE_LESS_EQUAL: *y = a <= b ? 1.0f : 0.0f; return true;
    case NN_CODE_GREATER: *y = a > b ? 1.0f : 0.0f; return true;
    case NN_CODE_GREATER_EQUAL: *y = a >= b ? 1.0f : 0.0f; return true;
    case NN_CODE_EQUAL: *y = a == b ? 1.0f : 0.0f; return true;
    case NN_CODE_NOT_EQUAL: *y = a != b ? 1.0f : 0.0f; return true;
    case NN_CODE_AND: *y = a != 0.0f && b != 0.0f ? 1.0f : 0.0f; return true;
    case NN_CODE_OR: *y = a != 0.0f || b != 0.0f ? 1.0f : 0.0f; return true;
    case NN_CODE_SELECT: *y = a != 0.0f ? b : c; return true;
    default: return false;
    }
}

static bool nn__draft_is(const nn__draft *draft, int place, float value) {
    return draft->code[place].code == NN_CODE_CONSTANT &&
           memcmp(&draft->code[place].value, &value, sizeof value) == 0;
}

/* Returns an operand that equals the result of the instruction, so that it need not be computed;
   NN__NO_PLACE: none. */
static int nn__draft_identity(const nn__draft *draft, nn_instruction_code code, int a, int b,
                              int c) {
    switch (code) {
    case NN_CODE_NEGATE:
        return draft->code[a].code == NN_CODE_NEGATE ? draft->code[a].a : NN__NO_PLACE;
    case NN_CODE_ADD: /* adding -0 keeps both zeros */
        return nn__draft_is(draft, b, -0.0f) ? a : nn__draft_is(draft, a, -0.0f) ? b : NN__NO_PLACE;
    case NN_CODE_SUBTRACT: return nn__draft_is(draft, b, 0.0f) ? a : NN__NO_PLACE;
    case NN_CODE_MULTIPLY:
        return nn__draft_is(draft, b, 1.0f) ? a : nn__draft_is(draft, a, 1.0f) ? b : NN__NO_PLACE;
    case NN_CODE_DIVIDE: return nn__draft_is(draft, b, 1.0f) ? a : NN__NO_PLACE;
    case NN_CODE_MAXIMUM:
    case NN_CODE_MINIMUM: return a == b ? a : NN__NO_PLACE;
    case NN_CODE_SELECT:
        if (draft->code[a].code == NN_CODE_CONSTANT) return draft->code[a].value != 0.0f ? b : c;
        return b == c ? b : NN__NO_PLACE;
    default: return NN__NO_PLACE;
    }
}

/* ---- appending ------------------------------------------------------------------------------- */

NN_PRIVATE void nn__draft_begin(nn__draft *draft) {
    draft->count = draft->output_count = 0;
    draft->full = false;
}

/* Returns the place of an equal instruction, or appends it. */
static int nn__draft_place(nn__draft *draft, const nn_instruction *wanted) {
    if (draft->full) return NN__NO_PLACE;
    for (int i = 0; i < draft->count; i++) {
        const nn_instruction *have = &draft->code[i];
        if (have->code == wanted->code && have->a == wanted->a && have->b == wanted->b &&
            have->c == wanted->c && memcmp(&have->value, &wanted->value, sizeof have->value) == 0)
            return i;
    }
    if (draft->count == NN__DRAFT_LENGTH) {
        draft->full = true;
        return NN__NO_PLACE;
    }
    draft->code[draft->count] = *wanted;
    return draft->count++;
}

static int nn__draft_leaf(nn__draft *draft, nn_instruction_code code, int number, float value) {
    nn_instruction leaf;
    memset(&leaf, 0, sizeof leaf);
    leaf.code = (uint8_t)code;
    leaf.a = (uint8_t)number;
    leaf.value = value;
    return nn__draft_place(draft, &leaf);
}

NN_PRIVATE int nn__draft_constant(nn__draft *draft, float value) {
    return nn__draft_leaf(draft, NN_CODE_CONSTANT, 0, value);
}

NN_PRIVATE int nn__draft_input(nn__draft *draft, int number) {
    return nn__draft_leaf(draft, NN_CODE_INPUT, number, 0.0f);
}

NN_PRIVATE int nn__draft_scalar(nn__draft *draft, int number) {
    return nn__draft_leaf(draft, NN_CODE_SCALAR, number, 0.0f);
}

NN_PRIVATE int nn__draft_random(nn__draft *draft, int number) {
    return nn__draft_leaf(draft, NN_CODE_RANDOM, number, 0.0f);
}

NN_PRIVATE int nn__draft_append(nn__draft *draft, nn_instruction_code code, int a, int b, int c) {
    int operands = nn__instruction_operands((int)code), same;
    nn_instruction instruction;
    float value;
    if (a < 0 || b < 0 || c < 0) {
        draft->full = true;
        return NN__NO_PLACE;
    }
    if (operands < 3) c = 0;
    if (operands < 2) b = 0;
    if (operands == 0) a = 0;
    memset(&instruction, 0, sizeof instruction);
    instruction.code = (uint8_t)code;
    instruction.a = (uint8_t)a;
    instruction.b = (uint8_t)b;
    instruction.c = (uint8_t)c;
    if (operands == 0) return nn__draft_place(draft, &instruction);
    bool constant = draft->code[a].code == NN_CODE_CONSTANT &&
                    (operands < 2 || draft->code[b].code == NN_CODE_CONSTANT) &&
                    (operands < 3 || draft->code[c].code == NN_CODE_CONSTANT);
    if (constant && nn__draft_fold(code, draft->code[a].value, draft->code[b].value,
                                   draft->code[c].value, &value))
        return nn__draft_constant(draft, value);
    same = nn__draft_identity(draft, code, a, b, c);
    return same >= 0 ? same : nn__draft_place(draft, &instruction);
}

NN_PRIVATE bool nn__draft_merge(nn__draft *draft, const nn_program *program, const int *inputs,
                                const int *scalars, int *outputs) {
    int at[256];
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *x = &program->code[i];
        int operands = nn__instruction_operands(x->code);
        switch (x->code) {
        case NN_CODE_INPUT: at[i] = inputs[x->a]; break;
        case NN_CODE_SCALAR: at[i] = scalars[x->a]; break;
        case NN_CODE_CONSTANT: at[i] = nn__draft_constant(draft, x->value); break;
        case NN_CODE_RANDOM: at[i] = nn__draft_random(draft, x->a); break;
        default:
            at[i] =
                nn__draft_append(draft, (nn_instruction_code)x->code, operands > 0 ? at[x->a] : 0,
                                 operands > 1 ? at[x->b] : 0, operands > 2 ? at[x->c] : 0);
        }
        if (at[i] < 0) return false;
    }
    for (int k = 0; k < program->output_count; k++) outputs[k] = at[program->output[k]];
    return !draft->full;
}

NN_PRIVATE bool nn__draft_output(nn__draft *draft, int place) {
    if (place < 0 || draft->output_count == NN_PROGRAM_OUTPUTS) return false;
    draft->output[draft->output_count++] = place;
    return true;
}

/* ---- finishing ------------------------------------------------------------------------------- */

static void nn__draft_mark(const nn__draft *draft, bool *needed) {
    memset(needed, 0, sizeof(bool) * NN__DRAFT_LENGTH);
    for (int k = 0; k < draft->output_count; k++) needed[draft->output[k]] = true;
    for (int i = draft->count - 1; i >= 0; i--) {
        const nn_instruction *x = &draft->code[i];
        int operands = needed[i] ? nn__instruction_operands(x->code) : 0;
        if (operands > 0) needed[x->a] = true;
        if (operands > 1) needed[x->b] = true;
        if (operands > 2) needed[x->c] = true;
    }
}

/* Returns the new number of an input or scalar; -1: too many. */
static int nn__draft_number(uint8_t *numbers, uint8_t *count, int limit, uint8_t old) {
    for (int i = 0; i < *count; i++)
        if (numbers[i] == old) return i;
    if (*count == limit) return -1;
    numbers[*count] = old;
    return (*count)++;
}

NN_PRIVATE bool nn__draft_finish(const nn__draft *draft, nn_instruction *code, nn_program *program,
                                 uint8_t *inputs, uint8_t *scalars) {
    bool needed[NN__DRAFT_LENGTH];
    uint8_t at[NN__DRAFT_LENGTH], own_inputs[NN_PROGRAM_INPUTS], own_scalars[NN_PROGRAM_SCALARS];
    int count = 0;
    memset(program, 0, sizeof *program);
    if (draft->full || draft->output_count == 0) return false;
    if (!inputs) inputs = own_inputs;
    if (!scalars) scalars = own_scalars;
    nn__draft_mark(draft, needed);
    for (int i = 0; i < draft->count; i++) {
        nn_instruction x = draft->code[i];
        int operands = nn__instruction_operands(x.code);
        int number = x.code == NN_CODE_RANDOM ? x.a : 0;
        if (!needed[i]) continue;
        if (count == NN_PROGRAM_LENGTH) return false;
        if (x.code == NN_CODE_INPUT)
            number = nn__draft_number(inputs, &program->input_count, NN_PROGRAM_INPUTS, x.a);
        else if (x.code == NN_CODE_SCALAR)
            number = nn__draft_number(scalars, &program->scalar_count, NN_PROGRAM_SCALARS, x.a);
        if (number < 0) return false;
        x.a = operands > 0 ? at[x.a] : (uint8_t)number;
        if (operands > 1) x.b = at[x.b];
        if (operands > 2) x.c = at[x.c];
        at[i] = (uint8_t)count;
        code[count++] = x;
    }
    program->code = code;
    program->count = (uint8_t)count;
    program->output_count = (uint8_t)draft->output_count;
    for (int k = 0; k < draft->output_count; k++) program->output[k] = at[draft->output[k]];
    return true;
}

NN_PRIVATE const char *nn__program_fault(const nn_program *program) {
    if (!program->code || program->count < 1 || program->count > NN_PROGRAM_LENGTH)
        return NN__TEXT("it has no instructions, or more than a program may have");
    if (program->input_count > NN_PROGRAM_INPUTS)
        return NN__TEXT("it has more inputs than a program may have");
    if (program->scalar_count > NN_PROGRAM_SCALARS)
        return NN__TEXT("it has more scalars than a program may have");
    if (program->output_count < 1 || program->output_count > NN_PROGRAM_OUTPUTS)
        return NN__TEXT("it has no output, or more than a program may have");
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *x = &program->code[i];
        int operands = nn__instruction_operands(x->code);
        if (x->code >= NN_INSTRUCTION_COUNT) return NN__TEXT("an instruction has an unknown code");
        if ((operands > 0 && x->a >= i) || (operands > 1 && x->b >= i) ||
            (operands > 2 && x->c >= i))
            return NN__TEXT("an operand is not an earlier instruction");
        if (x->code == NN_CODE_INPUT && x->a >= program->input_count)
            return NN__TEXT("an instruction reads an input that the program does not have");
        if (x->code == NN_CODE_SCALAR && x->a >= program->scalar_count)
            return NN__TEXT("an instruction reads a scalar that the program does not have");
    }
    for (int k = 0; k < program->output_count; k++)
        if (program->output[k] >= program->count)
            return NN__TEXT("an output is not an instruction");
    return NULL;
}
