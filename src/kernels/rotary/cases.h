/* kernels/rotary/cases.h - small test cases of rotary position embedding for nn_self_test and
   tests/kernels/test_backends.c. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_rotary(nn__self_test *test, int i) {
    static const struct {
        short a, b, c, E, width, offset, original;
        char interleaved, inside, inverse, given; /* given: 1 positions, 2 no x, 4 a position per
                                                     row */
    } cases[] = {{1, 1, 1, 2, 2, 0, 0, 0, 0, 0, 0},     {2, 3, 5, 8, 8, 0, 0, 0, 0, 0, 0},
                 {2, 3, 5, 8, 8, 3, 0, 1, 0, 1, 0},     {3, 17, 2, 10, 6, 0, 0, 0, 1, 0, 1},
                 {3, 2, 33, 7, 4, 0, 0, 1, 1, 1, 1},    {1, 2, 40, 64, 64, 9, 128, 0, 0, 0, 0},
                 {2, 19, 4, 32, 32, 0, 256, 1, 1, 1, 0},
                 {1, 1, 37, 18, 18, 3, 0, 1, 0, 1, 2},    {3, 1, 5, 6, 6, 0, 0, 0, 0, 1, 3},
                 {2, 3, 19, 8, 6, 0, 0, 1, 0, 0, 5},    {3, 18, 2, 6, 6, 0, 64, 0, 1, 1, 5}};
    nn_rotary_args *args = &test->args.rotary;
    if (i >= NN__COUNT(cases)) return false;
    if (!(cases[i].given & 2))
        nn__self_test_numbers(test, &args->x, false, cases[i].a, cases[i].b, cases[i].c,
                              cases[i].E);
    nn__self_test_numbers(test, &args->y, true, cases[i].a, cases[i].b, cases[i].c, cases[i].E);
    if (cases[i].given & 1) nn__self_test_labels(test, &args->positions, 30, cases[i].a,
                              !(cases[i].given & 4) ? 0
                              : cases[i].inside     ? cases[i].b
                                                    : cases[i].c);
    args->width = cases[i].width, args->offset = cases[i].offset;
    args->original = cases[i].original;
    args->base = i % 2 ? 10000.0f : 500.0f;
    args->factor = i > 3 ? 8.0f : 1.0f, args->low = 1.0f, args->high = 4.0f;
    args->interleaved = cases[i].interleaved, args->heads_inside = cases[i].inside;
    args->inverse = cases[i].inverse;
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d) of %d%s%s%s", cases[i].a,
               cases[i].b, cases[i].c, cases[i].E, cases[i].width,
               cases[i].interleaved ? ", interleaved" : "", cases[i].inside ? ", heads inside" : "",
               cases[i].inverse ? ", inverse" : "");
    return true;
}

#endif
