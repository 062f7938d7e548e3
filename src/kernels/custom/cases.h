/* kernels/custom/cases.h - small test cases of a user's operation for nn_self_test. No shape is a
   multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static nn_result nn__self_test_custom_function(void *user, const nn_custom_args *args) {
    float *y = (float *)(void *)((char *)args->output.handle + args->output.offset);
    const float *a =
        (const float *)(const void *)((const char *)args->input[0].handle + args->input[0].offset);
    const float *b =
        (const float *)(const void *)((const char *)args->input[1].handle + args->input[1].offset);
    (void)user;
    for (int64_t i = 0; i < nn__count(&args->output); i++) y[i] = 2.0f * a[i] + b[i];
    return NN_OK;
}

static bool nn__cases_custom(nn__self_test *test, int i) {
    nn_custom_args *args = &test->args.custom;
    if (i >= 1) return false;
    nn__self_test_numbers(test, &args->output, true, 101, 0, 0, 0);
    nn__self_test_numbers(test, &args->input[0], false, 101, 0, 0, 0);
    nn__self_test_numbers(test, &args->input[1], false, 101, 0, 0, 0);
    args->input_count = 2;
    args->function = nn__self_test_custom_function;
    args->source = "__kernel void self_test(__global float *y, ulong y_at, const __global float "
                   "*a, ulong a_at,\n"
                   "                        const __global float *b, ulong b_at, ulong count) {\n"
                   "    size_t i = get_global_id(0);\n"
                   "    if (i < count) y[y_at + i] = 2.0f * a[a_at + i] + b[b_at + i];\n"
                   "}\n";
    args->entry = "self_test";
    nn__format(test->what, sizeof test->what, "2 a + b, 101 numbers");
    return true;
}

#endif
