/* kernels/gather/cases.h - small test cases of gathering rows for nn_self_test. No shape is a
   multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_gather(nn__self_test *test, int i) {
    static const struct {
        nn_dtype dtype;
        int rows, count, extent, last, axis, status; /* status: 1 clear, 2 set by another */
    } cases[] = {{NN_F32, 13, 7, 5, 3, 0, 0},   {NN_U8, 11, 9, 3, 5, 0, 0},
                 {NN_U8, 6, 10, 7, 4, 0, 1},    {NN_I32, 1, 1, 1, 0, 0, 1},
                 {NN_F32, 17, 9, 2051, 0, 0, 1}, {NN_F32, 13, 7, 5, 3, 1, 0},
                 {NN_U8, 21, 4, 6, 3, 1, 1},    {NN_F32, 9, 30, 4, 0, 1, 2}};
    nn_gather_args *args = &test->args.gather;
    if (i >= NN__COUNT(cases)) return false;
    const int rows = cases[i].rows, count = cases[i].count, extent = cases[i].extent,
              last = cases[i].last, axis = cases[i].axis;
    nn__self_test_view_of(test, &args->y, true, cases[i].dtype, axis ? extent : rows,
                          axis ? rows : extent, last, 0);
    if (cases[i].dtype == NN_F32)
        nn__self_test_numbers(test, &args->x, false, axis ? extent : count, axis ? count : extent,
                              last, 0);
    else if (cases[i].dtype == NN_U8)
        nn__self_test_pixels(test, &args->x, axis ? extent : count, axis ? count : extent, last, 0);
    else
        nn__self_test_labels(test, &args->x, 5, count, extent);
    args->axis = axis;
    args->step = 77;
    if (cases[i].status) nn__self_test_status(test, &args->status, cases[i].status == 2);
    int32_t *index = nn__self_test_labels(test, &args->index, count, rows, 0);
    if (rows > 1) index[rows / 2] = -1, index[rows - 1] = count; /* out of range */
    nn__format(test->what, sizeof test->what, "%d of axis %d of %s (%d, %d, %d)%s", rows,
               axis, nn_dtype_name(cases[i].dtype), axis ? extent : count, axis ? count : extent,
               nn__maxi(last, 1), cases[i].status ? ", checked" : "");
    return true;
}

#endif
