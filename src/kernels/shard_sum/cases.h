/* kernels/shard_sum/cases.h - small test cases of sums of shards, for nn_self_test and
   tests/kernels/test_backends.c. The numbers have few bits, so that all sums are exact and ties
   between two bf16 numbers occur often. */
#pragma once

#include "self_test/operands.h"

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

static bool nn__cases_shard_product(nn__self_test *test, int i) {
    static const struct {
        int m, n, shards, rows, total, room;
        bool weighed;
        int beside; /* numbers in a row of a that are not read */
        int counted; /* not 0: counts are given */
    } cases[] = {{1, 1, 1, 1, 1, 0, true, 0, 0},     {5, 7, 2, 3, 6, 0, false, 0, 0},
                 {33, 300, 4, 8, 30, 0, true, 0, 0}, {17, 65, 8, 2, 5, 1, true, 0, 0},
                 {40, 16, 16, 1, 0, 2, true, 0, 0},  {3, 17, 2, 300, 301, 0, false, 0, 0},
                 {64, 31, 8, 5, 40, 3, true, 0, 0},  {9, 270, 8, 6, 0, 1, true, 5, 2},
                 {21, 33, 4, 3, 0, 0, false, 40, 1}};
    nn_shard_product_args *args = &test->args.shard_product;
    if (i >= NN__COUNT(cases)) return false;
    const int rows = cases[i].rows + cases[i].room, shards = cases[i].shards;
    args->m = cases[i].m;
    args->n = cases[i].n;
    args->shards = shards;
    args->rows = cases[i].rows;
    args->total = cases[i].total;
    args->a_row = args->m + cases[i].beside;
    args->a_step = rows * args->a_row;
    args->b_step = rows * args->n;
    nn__self_test_numbers(test, &args->y, true, args->m, args->n, 0, 0);
    nn__self_test_numbers(test, &args->a, false, shards, rows, args->a_row, 0);
    nn__self_test_numbers(test, &args->b, false, shards, rows, args->n, 0);
    args->weight_step = 3;
    if (cases[i].weighed) {
        float *weights = nn__self_test_numbers(test, &args->weights, false, shards, 3, 0, 0);
        if (shards > 2) weights[2 * 3] = 0.0f;
    }
    if (cases[i].counted) {
        float *counts = nn__self_test_numbers(test, &args->counts, false, shards, 3, 0, 0);
        args->count_rows = cases[i].counted;
        for (int s = 0; s < shards; s++)
            counts[s * 3] = (float)(s % (args->rows / args->count_rows + 1));
    }
    nn__format(test->what, sizeof test->what,
               "%d x %d from %d shards of %d rows with room for %d, %d in all%s", cases[i].m,
               cases[i].n, shards, cases[i].rows, rows, cases[i].total,
               cases[i].counted ? ", counted" : "");
    return true;
}

#endif
