/* kernels/pointwise/cpu_refuses.c - which pointwise programs the CPU refuses, and why.
   Compiled for size. */
#include "kernels/pointwise/cpu.h"

#ifndef NN__PROGRAM_TRUSTED

static bool nn__program_holds(const nn__cpu *cpu, nn_dtype dtype) {
    switch (dtype) {
    case NN_F32: return true;
    case NN_F16:
    case NN_BF16:
    case NN_I32:
    case NN_U8:
    case NN_I8:
    case NN_BOOL: return cpu->programs.widen != NULL;
    default: return false;
    }
}

static const char *nn__program_refuses_views(const nn__cpu *cpu, const nn_program *program,
                                             const nn_view *inputs, const nn_view *outputs) {
    for (int k = 0; k < program->output_count; k++) {
        if (!nn__program_holds(cpu, outputs[k].dtype))
            return NN__TEXT(
                "an output of a pointwise program must be f32, f16, bf16, i32, u8, i8 or bool");
        if (!nn_same_shape(outputs[k].shape, outputs[0].shape))
            return NN__TEXT("the outputs of a pointwise program differ in shape");
    }
    for (int k = 0; k < program->input_count; k++) {
        const nn_shape *from = &inputs[k].shape, *to = &outputs[0].shape;
        if (!nn__program_holds(cpu, inputs[k].dtype))
            return NN__TEXT(
                "an input of a pointwise program must be f32, f16, bf16, i32, u8, i8 or bool");
        for (int i = 1; i <= from->rank; i++)
            if (i > to->rank || (from->extent[from->rank - i] != 1 &&
                                 from->extent[from->rank - i] != to->extent[to->rank - i]))
                return NN__TEXT(
                    "an input of a pointwise program does not broadcast to the outputs' shape");
    }
    return NULL;
}

static const char *nn__program_refuses_code(const nn__cpu *cpu, const nn_program *program) {
    if (program->count < 1 || program->count > NN_PROGRAM_LENGTH || program->output_count < 1 ||
        program->output_count > NN_PROGRAM_OUTPUTS || program->input_count > NN_PROGRAM_INPUTS ||
        program->scalar_count > NN_PROGRAM_SCALARS)
        return NN__TEXT(
            "a pointwise program is too long, or has too many inputs, outputs or scalars");
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *at = &program->code[i];
        const uint8_t operand[3] = {at->a, at->b, at->c};
        if (at->code >= NN_INSTRUCTION_COUNT)
            return NN__TEXT("a pointwise program has an unknown instruction");
        for (int k = 0; k < nn__program_operands(at->code); k++)
            if (operand[k] >= i)
                return NN__TEXT(
                    "an instruction of a pointwise program reads one that does not come before it");
        if ((at->code == NN_CODE_INPUT && at->a >= program->input_count) ||
            (at->code == NN_CODE_SCALAR && at->a >= program->scalar_count))
            return NN__TEXT("a pointwise program reads an input or scalar that it does not have");
        if (at->code == NN_CODE_RANDOM
                ? !cpu->programs.draw
                : at->code > NN_CODE_CONSTANT && !cpu->programs.rows[at->code])
            return NN__TEXT("an instruction of a pointwise program is not installed; call "
                            "nn_use_all_kernels(nn)");
    }
    for (int k = 0; k < program->output_count; k++)
        if (program->output[k] >= program->count)
            return NN__TEXT("an output of a pointwise program is not one of its instructions");
    return NULL;
}

NN_PRIVATE const char *nn__program_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    const char *why = nn__program_refuses_code(cpu, &args->program);
    if (!why && !args->item_count)
        return nn__program_refuses_views(cpu, &args->program, args->inputs, args->outputs);
    for (int i = 0; !why && i < args->item_count; i++)
        why = nn__program_refuses_views(cpu, &args->program, args->items[i].inputs,
                                        args->items[i].outputs);
    return why;
}

#endif
