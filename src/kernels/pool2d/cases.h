/* kernels/pool2d/cases.h - small test cases of pools for nn_self_test. No shape is a multiple of
   a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#include <math.h>

#ifndef NN_NO_REPORTS

static bool nn__cases_of_pool2d(nn__self_test *test, int i) {
    static const nn__self_test_window cases[] = {{2, 3, 9, 8, 0, 3, 3, 2, 1, 1, 0},
                                                 {1, 5, 7, 7, 0, 2, 2, 2, 0, 1, 0},
                                                 {2, 2, 11, 6, 0, 3, 2, 1, 1, 1, 0},
                                                 /* a window of 2^32 elements */
                                                 {1, 1, 3, 2, 0, 65536, 65536, 1, 32768, 1, 0},
                                                 {2, 2, 9, 10, 0, 3, 2, 1, 0, 2, 0},
                                                 /* adaptive: one window, and wide ones */
                                                 {1, 3, 13, 17, 0, 13, 17, 1, 0, 1, 0},
                                                 {1, 2, 25, 30, 0, 24, 28, 1, 0, 1, 0}};
    const bool forward = test->kernel == NN_KERNEL_POOL2D_FORWARD;
    const nn__self_test_window *w = &cases[i / 3];
    nn_pool2d_args *args = &test->args.pool2d_forward; /* both kernels use one struct */
    if (i / 3 >= NN__COUNT(cases)) return false;
    const int OH = nn__self_test_out(w->H, w->R, w), OW = nn__self_test_out(w->W, w->S, w);
    args->kind = i % 3 ? NN_POOL_AVERAGE : NN_POOL_MAX;
    args->count_only_inside = i % 3 == 2;
    args->adaptive = i / 3 == 2 || i / 3 >= 5;
    args->divisor = i == 1 ? 5 : 0;
    args->kernel_h = w->R, args->kernel_w = w->S, args->stride_h = args->stride_w = w->stride;
    args->padding_h = args->padding_w = w->padding;
    if (args->kind == NN_POOL_MAX) args->dilation_h = args->dilation_w = w->dilation;
    nn__self_test_numbers(test, &args->y, forward, w->N, w->C, OH, OW);
    float *x = nn__self_test_numbers(test, &args->x, !forward, w->N, w->C, w->H, w->W);
    for (int64_t j = 0; forward && args->adaptive && i % 3 == 0 && j < nn__count(&args->x); j++)
        x[j] = j == 40 ? NAN : j % 5 ? x[j] : 0.75f; /* ties, and a window with a NaN */
    if (args->kind == NN_POOL_MAX) {
        int32_t *index = (int32_t *)(void *)nn__self_test_view_of(test, &args->index, forward,
                                                                  NN_I32, w->N, w->C, OH, OW);
        for (int64_t j = 0; j < nn__count(&args->index); j++) {
            /* the first element of each window, or the last of a dilated one */
            int h = (int)(j / OW % OH), v = (int)(j % OW);
            h = args->adaptive ? h * w->H / OH : h * w->stride - w->padding;
            v = args->adaptive ? v * w->W / OW : v * w->stride - w->padding;
            if (w->dilation > 1) h += (w->R - 1) * w->dilation, v += (w->S - 1) * w->dilation;
            index[j] = nn__maxi(h, 0) * w->W + nn__maxi(v, 0);
        }
    }
    nn__format(test->what, sizeof test->what, "%s, x (%d, %d, %d, %d), kernel (%d, %d), stride %d",
               i % 3 ? "average" : "max", w->N, w->C, w->H, w->W, w->R, w->S, w->stride);
    return true;
}

static bool nn__cases_pool2d_forward(nn__self_test *test, int i) {
    return nn__cases_of_pool2d(test, i);
}
static bool nn__cases_pool2d_backward(nn__self_test *test, int i) {
    return nn__cases_of_pool2d(test, i);
}

#endif
