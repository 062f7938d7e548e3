/* kernels/scan/cases.h - small odd cases of running sums, for nn_self_test and
   tests/test_backends.c. */
#pragma once

#include "plan/self_test_cases.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_scan(nn__self_test *test, int i) {
    static const struct {
        short a, b, c, axis;
    } cases[] = {{7, 0, 0, 0}, {3, 130, 5, 1}, {129, 2, 67, 0}, {2, 5, 1031, 2}, {1, 1, 1, 1}};
    nn_scan_args *args = &test->args.scan;
    if (i / 2 >= NN__COUNT(cases)) return false;
    const int a = cases[i / 2].a, b = cases[i / 2].b, c = cases[i / 2].c;
    args->axis = cases[i / 2].axis;
    args->reverse = i % 2;
    nn__self_test_numbers(test, &args->y, true, a, b, c, 0);
    nn__self_test_numbers(test, &args->x, false, a, b, c, 0);
    nn__format(test->what, sizeof test->what, "(%d, %d, %d) along axis %d%s", a, b, c, args->axis,
               args->reverse ? ", from the end" : "");
    return true;
}

#endif
