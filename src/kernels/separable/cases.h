/* kernels/separable/cases.h - small test cases of separable convolutions for nn_self_test and
   tests/kernels/test_backends.c. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_separable(nn__self_test *test, int i) {
    static const struct {
        /* has: 1 expand, 2 biases, 4 a residual (if the shapes allow it); activation: of the first
           two convolutions, and of the last one in every third case */
        int N, C, H, W, M, K, R, S, stride, padding, dilation, has;
        nn_activation activation;
        int kernel, step, around; /* kernel, stride and padding of expand */
    } cases[] = {{1, 5, 9, 7, 20, 5, 3, 3, 1, 1, 1, 7, NN_ACTIVATION_RELU6, 1, 1, 0},
                 {1, 3, 30, 33, 40, 8, 3, 3, 2, 1, 1, 3, NN_ACTIVATION_RELU6, 1, 1, 0},
                 {2, 33, 12, 5, 33, 17, 3, 3, 1, 1, 1, 2, NN_ACTIVATION_RELU, 1, 1, 0},
                 {1, 8, 7, 7, 100, 70, 3, 3, 1, 1, 1, 3, NN_ACTIVATION_NONE, 1, 1, 0},
                 {1, 2, 60, 16, 9, 2, 3, 3, 1, 1, 1, 5, NN_ACTIVATION_SIGMOID, 1, 1, 0},
                 {3, 4, 11, 10, 16, 9, 5, 4, 2, 2, 1, 3, NN_ACTIVATION_TANH, 1, 1, 0},
                 {1, 6, 14, 15, 12, 6, 3, 3, 1, 2, 2, 7, NN_ACTIVATION_GELU, 1, 1, 0},
                 {9, 4, 6, 4, 24, 4, 3, 3, 1, 1, 1, 7, NN_ACTIVATION_RELU6, 1, 1, 0},
                 {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, NN_ACTIVATION_NONE, 1, 1, 0},
                 {1, 7, 3, 40, 50, 33, 7, 7, 3, 3, 1, 3, NN_ACTIVATION_RELU6, 1, 1, 0},
                 {1, 16, 50, 14, 48, 16, 3, 3, 1, 1, 1, 7, NN_ACTIVATION_RELU6, 1, 1, 0},
                 {2, 3, 5, 6, 70, 3, 2, 2, 1, 4, 1, 3, NN_ACTIVATION_RELU, 1, 1, 0},
                 {1, 40, 64, 16, 40, 12, 3, 3, 1, 1, 1, 2, NN_ACTIVATION_RELU6, 1, 1, 0},
                 {1, 3, 33, 40, 32, 16, 3, 3, 1, 1, 1, 3, NN_ACTIVATION_RELU6, 3, 2, 1},
                 {2, 2, 19, 9, 40, 24, 3, 3, 2, 1, 1, 3, NN_ACTIVATION_RELU, 5, 1, 3},
                 {1, 1, 64, 23, 12, 20, 5, 3, 1, 2, 1, 1, NN_ACTIVATION_TANH, 4, 3, 0},
                 {1, 4, 30, 11, 20, 8, 3, 3, 1, 1, 1, 3, NN_ACTIVATION_GELU, 1, 2, 1},
                 /* the second half has its most blocks with three workers */
                 {1, 4, 8, 8, 40, 64, 3, 3, 1, 1, 1, 3, NN_ACTIVATION_RELU6, 1, 1, 0}};
    nn_separable_args *args = &test->args.separable;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, C = cases[i].C, H = cases[i].H, W = cases[i].W, M = cases[i].M,
              K = cases[i].K, R = cases[i].R, S = cases[i].S, has = cases[i].has;
    nn__self_test_window w;
    memset(&w, 0, sizeof w);
    w.stride = cases[i].stride, w.padding = cases[i].padding, w.dilation = cases[i].dilation;
    nn__self_test_window first;
    memset(&first, 0, sizeof first);
    first.stride = cases[i].step, first.padding = cases[i].around, first.dilation = 1;
    const int kernel = cases[i].kernel, EH = nn__self_test_out(H, kernel, &first),
              EW = nn__self_test_out(W, kernel, &first), OH = nn__self_test_out(EH, R, &w),
              OW = nn__self_test_out(EW, S, &w);
    args->first.kernel_h = args->first.kernel_w = kernel;
    args->first.stride_h = args->first.stride_w = first.stride;
    args->first.padding_h = args->first.padding_w = first.padding;
    args->first.dilation_h = args->first.dilation_w = args->first.groups = 1;
    args->params.kernel_h = R, args->params.kernel_w = S;
    args->params.stride_h = args->params.stride_w = w.stride;
    args->params.padding_h = args->params.padding_w = w.padding;
    args->params.dilation_h = args->params.dilation_w = w.dilation;
    args->params.groups = M;
    args->expand_activation = args->depth_activation = cases[i].activation;
    if (i % 3 == 2) args->project_activation = cases[i].activation;
    nn__self_test_numbers(test, &args->y, true, N, K, OH, OW);
    nn__self_test_numbers(test, &args->x, false, N, C, H, W);
    if (has & 1) nn__self_test_numbers(test, &args->expand, false, M, C, kernel, kernel);
    nn__self_test_numbers(test, &args->depth, false, M, 1, R, S);
    nn__self_test_numbers(test, &args->project, false, K, M, 1, 1);
    if ((has & 3) == 3) nn__self_test_numbers(test, &args->expand_bias, false, M, 0, 0, 0);
    if (has & 2) {
        nn__self_test_numbers(test, &args->depth_bias, false, M, 0, 0, 0);
        nn__self_test_numbers(test, &args->project_bias, false, K, 0, 0, 0);
    }
    if (has & 4) nn__self_test_numbers(test, &args->residual, false, N, K, OH, OW);
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d) over %d to %d, %d x %d, stride %d",
               N, C, H, W, M, K, R, S, w.stride);
    return true;
}

#endif
