/* kernels/reduce/cases.h - small test cases of reductions for nn_self_test. No shape is a
   multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

/* Rows that are shorter than a vector. */
static bool nn__cases_of_short_rows(nn__self_test *test, int i) {
    static const nn_reduction reductions[] = {NN_MEAN, NN_SUM, NN_MAX};
    static const unsigned char lengths[] = {2, 3, 5, 8};
    nn_reduce_args *args = &test->args.reduce;
    if (i >= NN__COUNT(lengths) * 3) return false;
    args->axes = 2;
    args->reduction = reductions[i % 3];
    args->scale = i % 3 == 0 ? 0.5f : 1.0f;
    args->accumulate = i % 3 == 0;
    nn__self_test_numbers(test, &args->y, true, 45, 1, 0, 0);
    nn__self_test_numbers(test, &args->x, false, 45, lengths[i / 3], 0, 0);
    nn__format(test->what, sizeof test->what, "reduction %d of the rows of (45, %d)",
               (int)args->reduction, lengths[i / 3]);
    return true;
}

static bool nn__cases_reduce(nn__self_test *test, int i) {
    static const unsigned char axes[] = {1, 2, 4, 5, 7};
    static const nn_reduction reductions[] = {NN_MEAN, NN_SUM, NN_MAX};
    const int extents[3] = {13, 5, 37};
    nn_reduce_args *args = &test->args.reduce;
    const int all = NN__COUNT(axes) * 3;
    if (i > all + 1) return nn__cases_of_short_rows(test, i - all - 2);
    if (i >= all) { /* the columns of a matrix, as for a bias, are added to y */
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

/* Rows of few and of many numbers, with tails. y is the result of the reduction. */
static bool nn__cases_reduce_backward(nn__self_test *test, int i) {
    static const unsigned char reductions[] = {NN_MAX,       NN_MIN, NN_SUM_OF_SQUARES, NN_NORM,
                                               NN_LOGSUMEXP, NN_VAR, NN_STD};
    static const int sizes[][2] = {{67, 3}, {9, 77}, {1, 1}, {2, 1031}};
    nn_reduce_backward_args *args = &test->args.reduce_backward;
    const int all = NN__COUNT(reductions);
    if (i >= all * NN__COUNT(sizes)) return false;
    const int rows = sizes[i / all][0], n = sizes[i / all][1];
    args->reduction = (nn_reduction)reductions[i % all];
    args->accumulate = i % 3 == 1;
    args->correction = n > 1;
    nn__self_test_numbers(test, &args->dx, true, rows, n, 0, 0);
    nn__self_test_numbers(test, &args->dy, false, rows, 1, 0, 0);
    float *x = nn__self_test_numbers(test, &args->x, false, rows, n, 0, 0);
    float *y = nn__self_test_numbers(test, &args->y, false, rows, 1, 0, 0);
    for (int row = 0; row < rows; row++, x += n) {
        for (int k = 0; k < n && args->reduction <= NN_MIN; k++) /* ties */
            x[k] = x[k] > 0.5f ? 0.5f : x[k] < -0.5f ? -0.5f : x[k];
        y[row] = row % 8 == 5 ? 0.0f : 1.0f + y[row] * y[row];
        if (args->reduction == NN_LOGSUMEXP) y[row] += 1.0f;
        for (int k = 0; k < n && args->reduction <= NN_MIN; k++)
            if (k == 0 || (args->reduction == NN_MAX ? x[k] > y[row] : x[k] < y[row]))
                y[row] = x[k];
    }
    nn__format(test->what, sizeof test->what, "gradient of reduction %d of (%d, %d)%s",
               (int)args->reduction, rows, n, args->accumulate ? ", +=" : "");
    return true;
}

#endif
