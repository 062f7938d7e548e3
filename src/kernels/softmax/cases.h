/* kernels/softmax/cases.h - small test cases of softmax for nn_self_test. No shape is a multiple
   of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_of_softmax(nn__self_test *test, int i) {
    const bool forward = test->kernel == NN_KERNEL_SOFTMAX_FORWARD;
    nn_softmax_args *args = &test->args.softmax_forward; /* both kernels use one struct */
    if (i >= 4) return false;
    const int columns = i / 2 ? 301 : 7;
    float *y;
    args->logarithm = i % 2;
    y = nn__self_test_numbers(test, &args->y, forward, 9, columns, 0, 0);
    nn__self_test_numbers(test, &args->x, !forward, 9, columns, 0, 0);
    if (!forward) nn__self_test_numbers(test, &args->dy, false, 9, columns, 0, 0);
    for (int j = 0; !forward && j < 9 * columns; j++) /* close to the result of a softmax */
        y[j] = args->logarithm ? y[j] - 3 : (y[j] + 1) / (float)columns;
    nn__format(test->what, sizeof test->what, "(9, %d)%s", columns, i % 2 ? ", logarithm" : "");
    return true;
}

static bool nn__cases_softmax_forward(nn__self_test *test, int i) {
    return nn__cases_of_softmax(test, i);
}
static bool nn__cases_softmax_backward(nn__self_test *test, int i) {
    return nn__cases_of_softmax(test, i);
}

#endif
