/* kernels/reduce/cases.h - small odd cases of reductions for
   nn_self_test: shapes are no multiples of any tile, and a few are larger than one. */
#pragma once

#include "plan/self_test_cases.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_reduce(nn__self_test *test, int i) {
    static const unsigned char axes[] = {1, 2, 4, 5, 7};
    static const nn_reduction reductions[] = {NN_MEAN, NN_SUM, NN_MAX};
    const int extents[3] = {13, 5, 37};
    nn_reduce_args *args = &test->args.reduce;
    const int all = NN__COUNT(axes) * 3;
    if (i > all + 1) return false;
    if (i >= all) { /* the columns of a matrix, as for a bias; added to what is there */
        args->axes = 1;
        args->reduction = NN_SUM;
        args->scale = 0.5f;
        args->accumulate = i > all;
        nn__self_test_numbers(test, &args->y, true, 1, 77, 0, 0);
        nn__self_test_numbers(test, &args->x, false, 33, 77, 0, 0);
        nn__format(test->what, sizeof test->what, "sums of the columns of (33, 77)%s",
                   args->accumulate ? ", +=" : "");
        return true;
    }
    const unsigned over = axes[i / 3];
    args->axes = over;
    args->reduction = reductions[i % 3];
    args->scale = i % 3 == 1 ? 0.5f : 1.0f;
    args->accumulate = i % 3 == 1 && i / 3 % 2;
    nn__self_test_numbers(test, &args->y, true, over & 1 ? 1 : extents[0],
                          over & 2 ? 1 : extents[1], over & 4 ? 1 : extents[2], 0);
    nn__self_test_numbers(test, &args->x, false, extents[0], extents[1], extents[2], 0);
    nn__format(test->what, sizeof test->what, "reduction %d of (13, 5, 37) over axes %x",
               (int)args->reduction, over);
    return true;
}

static bool nn__cases_fold(nn__self_test *test, int i) {
    static const unsigned char axes[] = {1, 2, 4, 5, 7};
    const int count = NN_STD - NN_MIN + 1, extents[3] = {13, 5, 137};
    nn_reduce_args *args = &test->args.fold;
    if (i >= NN__COUNT(axes) * count) return false;
    const unsigned over = axes[i / count];
    args->axes = over;
    args->reduction = (nn_reduction)(NN_MIN + i % count);
    args->scale = 1.0f;
    args->correction = 1;
    const bool arg = args->reduction == NN_ARGMAX || args->reduction == NN_ARGMIN;
    nn__self_test_view_of(test, &args->y, true, arg ? NN_I32 : NN_F32, over & 1 ? 1 : extents[0],
                          over & 2 ? 1 : extents[1], over & 4 ? 1 : extents[2], 0);
    nn__self_test_numbers(test, &args->x, false, extents[0], extents[1], extents[2], 0);
    nn__format(test->what, sizeof test->what, "reduction %d of (13, 5, 137) over axes %x",
               (int)args->reduction, over);
    return true;
}

#endif
