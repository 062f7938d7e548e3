/* kernels/scatter_add/cases.h - small test cases of scatter_add, for nn_self_test and
   tests/kernels/test_backends.c: indices that occur often, once, and never. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_scatter_add(nn__self_test *test, int i) {
    static const struct {
        int chosen, count, other, piece, axis;
        bool accumulate, skip;
    } cases[] = {{13, 7, 1, 5, 0, false, false},   {1, 1, 1, 1, 0, false, false},
                 {300, 3, 1, 11, 0, true, false},  {5, 130, 1, 33, 0, false, true},
                 {31, 9, 6, 3, 1, false, false},   {40, 17, 5, 1, 1, true, true},
                 {9, 4, 1, 2051, 0, false, false}};
    nn_scatter_add_args *args = &test->args.scatter_add;
    if (i >= NN__COUNT(cases)) return false;
    const int chosen = cases[i].chosen, count = cases[i].count, other = cases[i].other,
              piece = cases[i].piece;
    args->axis = cases[i].axis;
    args->accumulate = cases[i].accumulate;
    args->skip = cases[i].skip;
    args->skip_index = count / 2;
    nn__self_test_numbers(test, &args->y, true, args->axis ? other : count,
                          args->axis ? count : piece, args->axis ? piece : 0, 0);
    nn__self_test_numbers(test, &args->x, false, args->axis ? other : chosen,
                          args->axis ? chosen : piece, args->axis ? piece : 0, 0);
    int32_t *index = nn__self_test_labels(test, &args->index, count, chosen, 0);
    if (chosen > 4) index[1] = index[2], index[chosen / 2] = -1, index[chosen - 1] = count;
    nn__format(test->what, sizeof test->what, "%d pieces of %d into %d of axis %d%s%s", chosen,
               piece, count, (int)args->axis, args->accumulate ? ", added" : "",
               args->skip ? ", one left out" : "");
    return true;
}

#endif
