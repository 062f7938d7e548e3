/* kernels/gather/cases.h - small odd cases of gathering rows for
   nn_self_test: shapes are no multiples of any tile, and a few are larger than one. */
#pragma once

#include "plan/self_test_cases.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_gather(nn__self_test *test, int i) {
    static const struct {
        nn_dtype dtype;
        int rows, count, extent, last;
    } cases[] = {{NN_F32, 13, 7, 5, 3},
                 {NN_U8, 11, 9, 3, 5},
                 {NN_U8, 6, 10, 7, 4},
                 {NN_I32, 1, 1, 1, 0},
                 {NN_F32, 17, 9, 2051, 0}};
    nn_gather_args *args = &test->args.gather;
    if (i >= NN__COUNT(cases)) return false;
    const int rows = cases[i].rows, count = cases[i].count, extent = cases[i].extent,
              last = cases[i].last;
    nn__self_test_view_of(test, &args->y, true, cases[i].dtype, rows, extent, last, 0);
    if (cases[i].dtype == NN_F32)
        nn__self_test_numbers(test, &args->x, false, count, extent, last, 0);
    else if (cases[i].dtype == NN_U8)
        nn__self_test_pixels(test, &args->x, count, extent, last, 0);
    else
        nn__self_test_labels(test, &args->x, 5, count, extent);
    int32_t *index = nn__self_test_labels(test, &args->index, count, rows, 0);
    if (rows > 1) index[rows / 2] = -1, index[rows - 1] = count; /* no such rows: zeros */
    nn__format(test->what, sizeof test->what, "%d rows of %s (%d, %d, %d)", rows,
               nn_dtype_name(cases[i].dtype), count, extent, nn__maxi(last, 1));
    return true;
}

#endif
