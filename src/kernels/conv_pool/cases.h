/* kernels/conv_pool/cases.h - small odd cases of blocks for nn_self_test: no shape is a multiple
   of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#include <math.h>

#ifndef NN_NO_REPORTS

static bool nn__cases_of_conv_pool(nn__self_test *test, int i) {
    /* N, C, H, W, K, R, S, -, padding; the last two numbers: rows and columns of windows */
    static const nn__self_test_window cases[] = {
        {2, 3, 8, 10, 5, 3, 3, 1, 1, 4, 5},     {1, 1, 6, 6, 1, 3, 3, 1, 0, 2, 2},
        {3, 5, 7, 9, 6, 1, 1, 1, 0, 3, 4},      {2, 2, 12, 11, 9, 5, 5, 1, 2, 6, 5},
        {1, 7, 9, 40, 4, 3, 3, 1, 1, 4, 20},    {1, 36, 6, 8, 17, 3, 3, 1, 1, 3, 4},
        {2, 3, 20, 34, 3, 2, 3, 1, 1, 10, 17},  {1, 4, 5, 5, 3, 3, 3, 1, 4, 5, 5},
        {17, 3, 4, 32, 2, 3, 3, 1, 1, 2, 16},   {1, 2, 20, 20, 2, 7, 7, 1, 3, 10, 10},
        {1, 17, 4, 4, 2, 4, 2, 1, 1, 1, 2},
        /* Winograd's algorithm: some images at a time, of which the last ones are computed twice;
           then all images at once */
        {5, 24, 12, 10, 14, 3, 3, 1, 1, 6, 5},   {2, 24, 12, 12, 40, 3, 3, 1, 1, 6, 6},
        {3, 24, 14, 14, 24, 3, 3, 1, 1, 7, 7},   {2, 24, 8, 36, 24, 3, 3, 1, 1, 4, 18},
        /* a window is one tile of Winograd; gradients without lists, with one channel or three */
        {2, 3, 9, 60, 9, 3, 3, 1, 1, 4, 30},     {1, 1, 7, 33, 6, 3, 3, 1, 1, 3, 16},
        {2, 2, 24, 96, 5, 3, 3, 1, 0, 11, 47},   {1, 16, 6, 70, 6, 3, 3, 1, 1, 3, 35},
        {3, 1, 14, 15, 9, 3, 3, 1, 1, 7, 7},     {2, 1, 4, 818, 4, 3, 3, 1, 1, 2, 409},
        {1, 1, 90, 6, 5, 3, 3, 1, 1, 45, 3}};
    const nn__self_test_window *w = &cases[i / 3];
    nn_conv_pool_args *args = &test->args.conv_pool_forward; /* the three are one struct */
    const bool weight = test->kernel == NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT,
               input = test->kernel == NN_KERNEL_CONV_POOL_BACKWARD_INPUT,
               forward = !weight && !input;
    if (i / 3 >= NN__COUNT(cases)) return false;
    const int PH = w->dilation, PW = w->groups;
    args->padding_h = args->padding_w = w->padding;
    args->epilogue.activation = i % 3 ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE;
    nn__self_test_numbers(test, &args->y, forward, w->N, w->K, PH, PW);
    float *x = nn__self_test_numbers(test, &args->x, input, w->N, w->C, w->H, w->W);
    nn__self_test_numbers(test, &args->weight, weight, w->K, w->C, w->R, w->S);
    if (!input && i % 3 < 2)
        nn__self_test_numbers(test, &args->epilogue.bias, weight, w->K, 0, 0, 0);
    if (!forward || i % 3 < 2)
        nn__self_test_view_of(test, &args->place, forward, NN_U8, w->N, w->K, PH, PW);
    for (int64_t j = 0; forward && i / 3 % 2 && i % 3 == 0 && j < nn__count(&args->x); j++)
        x[j] = j == 40 ? NAN : 0.75f; /* ties, and some windows with a NaN */
    args->direct = forward && i / 3 % 2 && i % 3 == 0; /* other algorithms spread a NaN */
    if (!forward) {
        float *dy = nn__self_test_numbers(test, &args->dy, false, w->N, w->K, PH, PW);
        uint8_t *place = (uint8_t *)(test->block + test->views[test->view_count - 2].at);
        for (int64_t j = 0; j < nn__count(&args->dy); j++) {
            place[j] = (uint8_t)(j * 7 % 13); /* only the two lowest bits count */
            if (j % 5 == 3) dy[j] = 0;
        }
    }
    nn__format(test->what, sizeof test->what,
               "x (%d, %d, %d, %d), weight (%d, %d, %d, %d), %d x %d windows%s", w->N, w->C, w->H,
               w->W, w->K, w->C, w->R, w->S, PH, PW, i % 3 ? ", relu" : "");
    return true;
}

static bool nn__cases_conv_pool_forward(nn__self_test *test, int i) {
    return nn__cases_of_conv_pool(test, i);
}
static bool nn__cases_conv_pool_backward_weight(nn__self_test *test, int i) {
    return nn__cases_of_conv_pool(test, i);
}
static bool nn__cases_conv_pool_backward_input(nn__self_test *test, int i) {
    return nn__cases_of_conv_pool(test, i);
}

#endif
