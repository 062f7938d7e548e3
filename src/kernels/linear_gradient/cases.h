/* kernels/linear_gradient/cases.h - small test cases of a linear layer's gradients, for
   nn_self_test and tests/kernels/test_backends.c. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_linear_gradient(nn__self_test *test, int i) {
    static const struct {
        int M, N, K, relu, outputs; /* outputs: 1 dweight, 2 dbias, 4 dx */
    } cases[] = {{1, 1, 1, 0, 7},    {3, 5, 7, 1, 7},    {32, 2, 64, 1, 7}, {32, 64, 4, 0, 3},
                 {17, 33, 65, 1, 6}, {40, 10, 130, 0, 5}, {5, 70, 3, 1, 4},  {64, 31, 33, 1, 7},
                 {2, 1, 300, 0, 1},  {33, 100, 20, 1, 2}};
    nn_linear_gradient_args *args = &test->args.linear_gradient;
    if (i >= NN__COUNT(cases)) return false;
    const int M = cases[i].M, N = cases[i].N, K = cases[i].K;
    args->activation = cases[i].relu ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE;
    nn__self_test_numbers(test, &args->dy, false, M, N, 0, 0);
    float *x = nn__self_test_numbers(test, &args->x, false, M, K, 0, 0);
    for (int j = 0; cases[i].relu && j < M * K; j += 2) x[j] = j % 3 ? 0.0f : -0.0f;
    if (cases[i].outputs & 1) nn__self_test_numbers(test, &args->dweight, true, N, K, 0, 0);
    if (cases[i].outputs & 2) nn__self_test_numbers(test, &args->dbias, true, N, 0, 0, 0);
    if (cases[i].outputs & 4) {
        nn__self_test_numbers(test, &args->weight, false, N, K, 0, 0);
        nn__self_test_numbers(test, &args->dx, true, M, K, 0, 0);
    }
    nn__format(test->what, sizeof test->what, "%d rows of %d to %d%s%s%s%s", M, K, N,
               cases[i].outputs & 1 ? ", dweight" : "", cases[i].outputs & 2 ? ", dbias" : "",
               cases[i].outputs & 4 ? ", dx" : "", cases[i].relu ? ", relu" : "");
    return true;
}

#endif
