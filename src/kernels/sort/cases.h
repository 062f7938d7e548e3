/* kernels/sort/cases.h - small test cases of sorted lines, for nn_self_test and
   tests/kernels/test_backends.c: ties, NaN, infinities, zeros of both signs, every axis, whole
   lines and their first elements. */
#pragma once

#include "self_test/operands.h"

#include <math.h>

#ifndef NN_NO_REPORTS

static bool nn__cases_sort(nn__self_test *test, int i) {
    static const struct {
        short a, b, c, axis, kept;
        bool descending, ties;
    } cases[] = {{7, 5, 3, 0, 7, false, false},   {3, 130, 5, 1, 130, true, true},
                 {5, 1, 300, 2, 300, false, true}, {2, 3, 1031, 2, 17, true, false},
                 {1, 1, 1, 1, 1, false, false},    {4, 6, 2, 1, 5, false, true},
                 {1, 3, 5000, 2, 5000, true, true}, {1, 2, 2049, 2, 1, false, false}};
    nn_sort_args *args = &test->args.sort;
    if (i >= NN__COUNT(cases)) return false;
    const int a = cases[i].a, b = cases[i].b, c = cases[i].c, axis = cases[i].axis,
              kept = cases[i].kept;
    args->axis = axis;
    args->descending = cases[i].descending;
    nn__self_test_numbers(test, &args->y, true, axis == 0 ? kept : a, axis == 1 ? kept : b,
                          axis == 2 ? kept : c, 0);
    nn__self_test_view_of(test, &args->index, true, NN_I32, axis == 0 ? kept : a,
                          axis == 1 ? kept : b, axis == 2 ? kept : c, 0);
    float *x = nn__self_test_numbers(test, &args->x, false, a, b, c, 0);
    for (int k = 0; k < a * b * c && cases[i].ties; k++) {
        x[k] = k % 7 < 3 ? (float)(k % 5) - 2.0f : x[k];
        if (k % 11 == 0) x[k] = k % 2 ? 0.0f : -0.0f;
        if (k % 31 == 4) x[k] = NAN;
        if (k % 31 == 9) x[k] = k % 2 ? INFINITY : -INFINITY;
    }
    nn__format(test->what, sizeof test->what, "%d of axis %d of (%d, %d, %d)%s%s", kept, axis, a, b,
               c, args->descending ? ", descending" : "", cases[i].ties ? ", ties and NaN" : "");
    return true;
}

#endif
