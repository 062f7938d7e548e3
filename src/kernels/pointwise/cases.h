/* kernels/pointwise/cases.h - small test cases of pointwise programs for nn_self_test. No shape
   is a multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

/* Cases 0 and 1: every second instruction, added up into four outputs. Case 2: broadcast
   operands. */
static bool nn__cases_pointwise(nn__self_test *test, int i) {
    nn_program_args *args = &test->args.pointwise;
    static const uint8_t operands[NN_INSTRUCTION_COUNT] = {
#define NN__X(upper, lower, text, operands, weight, value) operands,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    int count = 3;
    if (i >= 3) return false;
    memset(test->code, 0, sizeof test->code);
    for (int k = 0; k < 3; k++) test->code[k].code = NN_CODE_INPUT, test->code[k].a = (uint8_t)k;
    for (int k = 0; k < NN_PROGRAM_OUTPUTS; k++) args->program.output[k] = (uint8_t)k % 3;
    for (int code = NN_CODE_INPUT + 1 + i % 2;
         code < NN_INSTRUCTION_COUNT && count + 2 <= NN_PROGRAM_LENGTH; code += 2) {
        nn_instruction *next = &test->code[count];
        uint8_t *sum = &args->program.output[code / 2 % NN_PROGRAM_OUTPUTS];
        next->code = (uint8_t)code;
        next->b = operands[code] > 1 ? 1 : 0;
        next->c = operands[code] > 2 ? 2 : 0;
        next->value = code == NN_CODE_CONSTANT ? 0.375f : 0.0f;
        next[1].code = NN_CODE_ADD;
        next[1].a = *sum;
        next[1].b = (uint8_t)count;
        *sum = (uint8_t)(count + 1);
        count += 2;
    }
    args->program.code = test->code;
    args->program.count = (uint8_t)count;
    args->program.input_count = 3;
    args->program.scalar_count = 1;
    args->program.output_count = NN_PROGRAM_OUTPUTS;
    args->scalars[0] = 0.625f;
    args->seed = 5, args->stream = 7, args->counter = 11;
    args->accumulate = i == 2 ? 1u : 0u;
    for (int k = 0; k < NN_PROGRAM_OUTPUTS; k++)
        nn__self_test_numbers(test, &args->outputs[k], true, 3, 37, 11, 0);
    for (int k = 0; k < 3; k++) { /* in [0.25, 1.25): every instruction is finite there */
        const int rows = i == 2 && k == 1 ? 1 : 37, columns = i == 2 && k == 2 ? 1 : 11;
        float *x = nn__self_test_positive(test, &args->inputs[k], 3, rows, columns, 0);
        for (int64_t j = 0; j < nn__count(&args->inputs[k]); j++) x[j] = (x[j] + 0.25f) * 0.5f;
    }
    nn__format(test->what, sizeof test->what, "%s instruction over (3, 37, 11)%s",
               i == 1 ? "every odd" : "every even", i == 2 ? ", broadcast" : "");
    return true;
}

#endif
