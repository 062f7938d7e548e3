/* kernels/conv2d/cases.h - small test cases of convolutions for nn_self_test. No shape is a
   multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

/* Serves all three kernels of a convolution; the kernel decides which view is written. */
static bool nn__cases_of_conv2d(nn__self_test *test, int i) {
    static const nn__self_test_window cases[] = {
        {2, 3, 9, 11, 5, 3, 3, 1, 1, 1, 1},  {1, 4, 10, 7, 6, 3, 2, 2, 1, 1, 2},
        {2, 6, 8, 9, 6, 3, 3, 1, 1, 1, 6},   {2, 5, 6, 7, 9, 1, 1, 1, 0, 1, 1},
        {1, 3, 12, 12, 4, 3, 3, 1, 2, 2, 1}, {1, 17, 13, 14, 19, 3, 3, 1, 1, 1, 1},
        /* depthwise: strides, more filters than channels, filter sizes */
        {3, 4, 19, 13, 4, 3, 3, 1, 1, 1, 4}, {2, 5, 12, 9, 10, 3, 3, 2, 1, 1, 5},
        {2, 3, 11, 17, 6, 5, 5, 2, 2, 1, 3}, {1, 3, 9, 15, 3, 5, 5, 1, 1, 1, 3},
        {2, 2, 20, 8, 2, 7, 7, 1, 3, 1, 2},  {1, 3, 15, 16, 3, 7, 7, 2, 3, 1, 3},
        /* depthwise with small planes, of which vectors take 8 channels of 4 images at a time */
        {5, 11, 4, 5, 11, 3, 3, 1, 1, 1, 11}, {9, 17, 2, 2, 17, 3, 3, 1, 1, 1, 17},
        {3, 7, 7, 6, 7, 5, 5, 1, 2, 1, 7},    {5, 9, 14, 11, 9, 3, 3, 2, 1, 1, 9},
        {2, 3, 6, 8, 3, 3, 3, 3, 2, 2, 3},
        /* depthwise with rows longer than a vector */
        {2, 3, 11, 21, 3, 3, 3, 1, 1, 1, 3}, {2, 3, 9, 20, 6, 3, 3, 1, 0, 1, 3},
        /* Winograd, with few tiles and with many */
        {2, 40, 12, 11, 40, 3, 3, 1, 1, 1, 1}, {4, 40, 8, 7, 12, 3, 3, 1, 1, 1, 1},
        /* few channels of x; a stride, with bands that several panels of y read */
        {2, 3, 9, 16, 5, 3, 3, 1, 1, 1, 1}, {7, 43, 9, 9, 65, 3, 3, 2, 1, 1, 1},
        {3, 1, 7, 31, 4, 3, 3, 1, 1, 1, 1},
        /* 1 x 1 with long rows, and a similar one */
        {2, 6, 17, 16, 9, 1, 1, 1, 0, 1, 1}, {3, 9, 19, 14, 5, 1, 1, 1, 0, 1, 1},
        {2, 4, 6, 16, 7, 3, 3, 1, 2, 1, 1},
        /* few channels, few filters, and enough positions for lanes to take rows */
        {1, 3, 33, 32, 5, 3, 3, 1, 1, 1, 1},
        /* the same in groups of four, with few output channels and with more */
        {1, 3, 9, 47, 9, 3, 3, 1, 1, 1, 1}, {11, 3, 12, 31, 5, 3, 3, 1, 1, 1, 1},
        /* many images with few channels, so that bands have more rows */
        {33, 2, 9, 33, 4, 3, 3, 1, 1, 1, 1}, {33, 1, 25, 41, 3, 3, 3, 2, 1, 1, 1},
        /* a stride whose gradient of x has rows longer than two vectors */
        {2, 9, 17, 38, 17, 3, 3, 2, 1, 1, 1}};
    const bool input = test->kernel == NN_KERNEL_CONV2D_BACKWARD_INPUT;
    const bool weight = test->kernel == NN_KERNEL_CONV2D_BACKWARD_WEIGHT,
               forward = !input && !weight;
#ifndef NN_NO_SPEEDUPS
    const bool bends = forward && i >= 2 * NN__COUNT(cases); /* last: some devices refuse slopes */
#else
    const bool bends = false;
#endif
    if (bends) i -= 2 * NN__COUNT(cases);
    if (i / 2 >= NN__COUNT(cases)) return false;
    const nn__self_test_window *w = &cases[i / 2];
    nn_conv2d_args *args = &test->args.conv2d_forward; /* all three kernels use one struct */
    const int more = i / 2 % 3 - 1; /* rows and columns of y beyond those of symmetric padding */
    nn_conv2d_params *p = &args->params;
    p->kernel_h = w->R, p->kernel_w = w->S, p->stride_h = p->stride_w = w->stride;
    p->padding_h = p->padding_w = w->padding, p->dilation_h = p->dilation_w = w->dilation;
    p->groups = w->groups;
    args->accumulate = forward ? i % 4 == 3 && !bends : i % 2;
    args->epilogue.activation = weight || args->accumulate || bends
                                    ? NN_ACTIVATION_NONE
                                    : (nn_activation)(i % NN_ACTIVATION_COUNT);
    nn__self_test_numbers(test, &args->y, forward, w->N, w->K,
                          nn__self_test_out(w->H, w->R, w) + more,
                          nn__self_test_out(w->W, w->S, w) + more);
    nn__self_test_numbers(test, &args->x, input, w->N, w->C, w->H, w->W);
    if (!weight || i % 9 != 4) /* if the weight is frozen, only the bias has a gradient */
        nn__self_test_numbers(test, &args->weight, weight, w->K, w->C / w->groups, w->R, w->S);
    if (i % 3 < 2 && !(!weight && args->accumulate))
        nn__self_test_numbers(test, &args->epilogue.bias, weight, input ? w->C : w->K, 0, 0, 0);
#ifndef NN_NO_SPEEDUPS
    if (bends) nn__self_test_numbers(test, &args->slope, false, w->K, 1, 1, 0);
#endif
    nn__format(test->what, sizeof test->what,
               "x (%d, %d, %d, %d), weight (%d, %d, %d, %d), stride %d%s%s", w->N, w->C, w->H, w->W,
               w->K, w->C / w->groups, w->R, w->S, w->stride, args->accumulate ? ", +=" : "",
               bends ? ", slopes" : "");
    return true;
}

static bool nn__cases_conv2d_forward(nn__self_test *test, int i) {
    return nn__cases_of_conv2d(test, i);
}
static bool nn__cases_conv2d_backward_input(nn__self_test *test, int i) {
    return nn__cases_of_conv2d(test, i);
}
static bool nn__cases_conv2d_backward_weight(nn__self_test *test, int i) {
    return nn__cases_of_conv2d(test, i);
}

/* For Winograd: few tiles and many, half-filled panels, groups, leftover images, no images. */
static bool nn__cases_shard_conv2d(nn__self_test *test, int i) {
    static const struct {
        int shards, images, total, room, C, K, G, H, W, padding;
        bool weighed;
    } cases[] = {{1, 8, 8, 0, 40, 40, 1, 4, 4, 1, false},  {2, 9, 17, 0, 40, 33, 1, 4, 4, 1, true},
                 {2, 3, 5, 1, 40, 40, 1, 8, 7, 1, true},   {2, 8, 14, 0, 64, 64, 2, 4, 4, 1, true},
                 {4, 5, 19, 0, 35, 44, 1, 6, 6, 0, false}, {4, 5, 10, 0, 44, 44, 1, 4, 4, 1, true},
                 {2, 8, 0, 0, 40, 40, 1, 4, 4, 1, false}};
    nn_shard_conv2d_args *args = &test->args.shard_conv2d;
    nn_conv2d_params *p = &args->params;
    if (i >= NN__COUNT(cases)) return false;
    const int shards = cases[i].shards, room = cases[i].images + cases[i].room;
    p->kernel_h = p->kernel_w = 3;
    p->stride_h = p->stride_w = p->dilation_h = p->dilation_w = 1;
    p->padding_h = p->padding_w = cases[i].padding;
    p->groups = cases[i].G;
    args->shards = shards;
    args->images = cases[i].images;
    args->total = cases[i].total;
    args->x_h = cases[i].H;
    args->x_w = cases[i].W;
    args->y_h = cases[i].H + 2 * cases[i].padding - 2;
    args->y_w = cases[i].W + 2 * cases[i].padding - 2;
    args->y_step = room * cases[i].K * args->y_h * args->y_w;
    args->x_step = room * cases[i].C * args->x_h * args->x_w;
    nn__self_test_numbers(test, &args->weight, true, cases[i].K, cases[i].C / cases[i].G, 3, 3);
    nn__self_test_numbers(test, &args->y, false, shards, args->y_step, 0, 0);
    nn__self_test_numbers(test, &args->x, false, shards, args->x_step, 0, 0);
    args->weight_step = 2;
    if (cases[i].weighed) {
        float *weights = nn__self_test_numbers(test, &args->weights, false, shards, 2, 0, 0);
        weights[1 * 2] = 0.0f;
    }
    nn__format(test->what, sizeof test->what,
               "%d to %d channels, %d x %d, %d shards of %d images, %d in all", cases[i].C,
               cases[i].K, cases[i].H, cases[i].W, shards, cases[i].images, cases[i].total);
    return true;
}

#endif
