/* kernels/shard_sum/cases.h - small odd cases of sums of shards, for nn_self_test and
   tests/test_backends.c. The numbers have few bits, so that no order of the device's own could
   hide: all sums are exact, and halves between two numbers of bf16 come often. */
#pragma once

#include "plan/self_test_cases.h"

#ifndef NN_NO_REPORTS

static void nn__cases_shard_sum_numbers(nn__self_test *test, nn_view *view, bool output, int n,
                                   float unit) {
    float *numbers = nn__self_test_numbers(test, view, output, n, 0, 0, 0);
    for (int i = 0; i < n; i++) {
        const int whole = (int)(numbers[i] * 2048.0f);
        numbers[i] = (float)whole * unit;
    }
}

static bool nn__cases_shard_sum(nn__self_test *test, int i) {
    static const struct {
        int n, sums, rounded;
        bool before, narrow;
    } cases[] = {{1, 0, 1, true, true},    {7, 1, 0, false, false},   {100, 1, 100, true, false},
                 {2051, 4, 2048, true, true}, {33, 2, 17, false, true}, {300, 3, 300, false, false},
                 {65, 4, 0, false, false}};
    nn_shard_sum_args *args = &test->args.shard_sum;
    if (i >= NN__COUNT(cases)) return false;
    const int n = cases[i].n, rounded = cases[i].rounded;
    args->count = cases[i].sums;
    args->rounded = rounded;
    nn__cases_shard_sum_numbers(test, &args->x, false, n, 1.0f / 64.0f);
    nn__cases_shard_sum_numbers(test, &args->to, true, n, 1.0f);
    for (int k = 0; k < args->count; k++)
        nn__cases_shard_sum_numbers(test, &args->sums[k], false, n, 1.0f / 64.0f);
    for (int k = cases[i].before ? 0 : 1; k <= args->count && rounded > 0; k++)
        nn__cases_shard_sum_numbers(test, &args->rests[k], true, rounded, 1.0f / 4096.0f);
    if (cases[i].narrow)
        nn__self_test_view_of(test, &args->narrow, true, NN_BF16, rounded, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "%d sums and %d numbers, %d rounded%s%s",
               (int)args->count, n, rounded, cases[i].before ? ", before as well" : "",
               cases[i].narrow ? ", as bf16 too" : "");
    return true;
}

#endif
