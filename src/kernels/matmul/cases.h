/* kernels/matmul/cases.h - small odd cases of matrix products for
   nn_self_test: shapes are no multiples of any tile, and a few are larger than one. */
#pragma once

#include "plan/self_test_cases.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_gemm(nn__self_test *test, int i) {
    static const struct {
        short m, n, k;
        char a, b, accumulate, bias, activation;
    } cases[] = {{5, 7, 3, 0, 0, 0, 1, NN_ACTIVATION_NONE},
                 {37, 29, 41, 0, 1, 0, 1, NN_ACTIVATION_RELU},
                 {33, 65, 17, 1, 0, 1, 0, NN_ACTIVATION_NONE},
                 {70, 66, 130, 0, 0, 0, 1, NN_ACTIVATION_GELU},
                 {1, 50, 33, 0, 1, 0, 1, NN_ACTIVATION_TANH},
                 {19, 1, 64, 1, 1, 0, 0, NN_ACTIVATION_SIGMOID},
                 {129, 67, 40, 0, 1, 0, 1, NN_ACTIVATION_RELU},
                 {64, 130, 65, 1, 1, 1, 0, NN_ACTIVATION_NONE}};
    nn_gemm_args *args = &test->args.gemm;
    if (i >= NN__COUNT(cases)) return false;
    const int m = cases[i].m, n = cases[i].n, k = cases[i].k;
    args->m = m, args->n = n, args->k = k;
    args->transpose_a = cases[i].a;
    args->transpose_b = cases[i].b;
    args->accumulate = cases[i].accumulate;
    args->epilogue.activation = (nn_activation)cases[i].activation;
    nn__self_test_numbers(test, &args->y, true, m, n, 0, 0);
    nn__self_test_numbers(test, &args->a, false, cases[i].a ? k : m, cases[i].a ? m : k, 0, 0);
    nn__self_test_numbers(test, &args->b, false, cases[i].b ? n : k, cases[i].b ? k : n, 0, 0);
    if (cases[i].bias) nn__self_test_numbers(test, &args->epilogue.bias, false, n, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "m %d, n %d, k %d%s%s%s, activation %d", m, n, k,
               cases[i].a ? ", a transposed" : "", cases[i].b ? ", b transposed" : "",
               cases[i].accumulate ? ", +=" : "", (int)cases[i].activation);
    return true;
}

#endif
