/* kernels/pointwise/cases.h - small odd cases of element-wise functions and programs for
   nn_self_test: shapes are no multiples of any tile, and a few are larger than one. */
#pragma once

#include "plan/self_test_cases.h"

#ifndef NN_NO_REPORTS

static void nn__self_test_pointwise_op(nn__self_test *test, int op) {
    nn_pointwise_args *args = &test->args.pointwise_forward;
    args->op = (nn_pointwise_op)op;
    args->scalar = op == NN_LEAKY_RELU ? 0.1f : op == NN_DROPOUT ? 0.3f : 2.5f;
    args->seed = 3, args->stream = 5, args->counter = 7;
    nn__format(test->what, sizeof test->what, "op %d, 1031 numbers", op);
}

static bool nn__cases_pointwise_forward(nn__self_test *test, int i) {
    nn_pointwise_args *args = &test->args.pointwise_forward;
    if (i >= NN_POINTWISE_COUNT + 2) return false;
    nn__self_test_pointwise_op(test, i < NN_POINTWISE_COUNT    ? i
                                     : i == NN_POINTWISE_COUNT ? NN_ADD
                                                               : NN_MULTIPLY);
    if (i >= NN_POINTWISE_COUNT) { /* broadcasting */
        bool first = i == NN_POINTWISE_COUNT;
        nn__self_test_numbers(test, &args->y, true, 4, 5, 7, 0);
        nn__self_test_numbers(test, &args->a, false, 4, first ? 1 : 5, 7, 0);
        nn__self_test_numbers(test, &args->b, false, first ? 5 : 7, first ? 1 : 0, 0, 0);
        nn__format(test->what, sizeof test->what, "op %d, broadcast to (4, 5, 7)", (int)args->op);
        return true;
    }
    nn__self_test_numbers(test, &args->y, true, 1031, 0, 0, 0);
    /* logarithm and root want it so; others see both below */
    nn__self_test_positive(test, &args->a, 1031, 0, 0, 0);
    if (i != NN_LOG && i != NN_SQRT)
        for (int j = 0; j < 1031; j += 2) {
            float *a = (float *)(void *)(test->block + test->views[1].at);
            a[j] = -a[j];
        }
    if (i >= NN_BINARY_FIRST_) nn__self_test_positive(test, &args->b, 1031, 0, 0, 0);
    return true;
}

static bool nn__cases_pointwise_backward(nn__self_test *test, int i) {
    nn_pointwise_args *args = &test->args.pointwise_backward;
    if (i >= NN_BINARY_FIRST_) return false;
    nn__self_test_pointwise_op(test, i);
    args->accumulate = i % 3 == 1;
    nn__self_test_numbers(test, &args->y, true, 1031, 0, 0, 0);
    nn__self_test_numbers(test, &args->a, false, 1031, 0, 0, 0);
    if (i == NN_LOG || i == NN_SQRT)
        nn__self_test_positive(test, &args->b, 1031, 0, 0, 0);
    else
        nn__self_test_numbers(test, &args->b, false, 1031, 0, 0, 0);
    return true;
}

/* Case 0 and 1: every second instruction, added up into four outputs; 2: operands that are
   broadcast. */
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
