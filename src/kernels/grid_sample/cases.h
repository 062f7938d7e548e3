/* kernels/grid_sample/cases.h - small test cases of grid_sample, for nn_self_test and
   tests/kernels/test_backends.c: positions inside, outside, and many on one pixel. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_of_grid_sample(nn__self_test *test, int i) {
    static const struct {
        short N, C, H, W, OH, OW;
    } cases[] = {{2, 3, 7, 9, 5, 13}, {1, 11, 4, 1, 9, 8}, {3, 2, 2, 3, 17, 30},
                 {24, 13, 2, 3, 3, 2}};
    const bool forward = test->kernel == NN_KERNEL_GRID_SAMPLE_FORWARD;
    nn_grid_sample_args *args = &test->args.grid_sample_forward; /* both kernels use one struct */
    const int kinds = 9, which = i / kinds;
    if (which >= NN__COUNT(cases)) return false;
    const int N = cases[which].N, C = cases[which].C, H = cases[which].H, W = cases[which].W,
              OH = cases[which].OH, OW = cases[which].OW;
    args->mode = (nn_grid_mode)(i % 3);
    args->padding = (nn_grid_padding)(i / 3 % 3);
    args->align_corners = (which + i / 3) % 2 == 1;
    args->accumulate = !forward && which == 1;
    nn__self_test_numbers(test, &args->y, forward, N, C, OH, OW);
    float *grid = nn__self_test_numbers(test, &args->grid, false, N, OH, OW, 2);
    for (int64_t k = 0; k < nn__count(&args->grid); k++) grid[k] *= k % 11 ? 1.1f : 2.7f;
    if (forward || i % 4 != 1) nn__self_test_numbers(test, &args->x, false, N, C, H, W);
    if (!forward && i % 4 != 2) nn__self_test_numbers(test, &args->dx, true, N, C, H, W);
    if (!forward && i % 4 != 1) nn__self_test_numbers(test, &args->dgrid, true, N, OH, OW, 2);
    nn__format(test->what, sizeof test->what, "mode %d, padding %d, (%d, %d, %d, %d) at (%d, %d)%s",
               (int)args->mode, (int)args->padding, N, C, H, W, OH, OW,
               args->align_corners ? ", corners" : "");
    return true;
}

static bool nn__cases_grid_sample_forward(nn__self_test *test, int i) {
    return nn__cases_of_grid_sample(test, i);
}
static bool nn__cases_grid_sample_backward(nn__self_test *test, int i) {
    return nn__cases_of_grid_sample(test, i);
}

#endif
