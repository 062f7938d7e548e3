/* kernels/resize/cases.h - small test cases of resizing images, for nn_self_test and
   tests/kernels/test_backends.c: up, down, by fractions, from and to a single pixel. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static float nn__cases_resize_step(int x, int y, bool align_corners) {
    if (align_corners) return y > 1 ? (float)(x - 1) / (float)(y - 1) : 0.0f;
    return (float)x / (float)y;
}

static bool nn__cases_of_resize(nn__self_test *test, int i) {
    static const struct {
        short N, C, H, W, OH, OW;
        unsigned char mode, align_corners, antialias, accumulate;
    } cases[] = {{2, 3, 5, 11, 10, 22, NN_RESIZE_NEAREST, 0, 0, 0},
                 {1, 2, 7, 19, 3, 9, NN_RESIZE_NEAREST, 0, 0, 1},
                 {1, 2, 7, 19, 11, 40, NN_RESIZE_NEAREST_EXACT, 0, 0, 0},
                 {2, 2, 6, 20, 12, 40, NN_RESIZE_LINEAR, 0, 0, 0},
                 {1, 3, 9, 37, 5, 17, NN_RESIZE_LINEAR, 0, 0, 1},
                 {1, 2, 4, 33, 9, 33, NN_RESIZE_LINEAR, 1, 0, 0},
                 {2, 1, 1, 1, 3, 18, NN_RESIZE_LINEAR, 1, 0, 0},
                 {2, 1, 5, 18, 1, 1, NN_RESIZE_LINEAR, 1, 0, 0},
                 {1, 2, 1, 70, 1, 140, NN_RESIZE_LINEAR, 0, 0, 0},
                 {1, 2, 5, 17, 10, 35, NN_RESIZE_CUBIC, 0, 0, 1},
                 {1, 2, 2, 3, 5, 4, NN_RESIZE_CUBIC, 1, 0, 0},
                 {1, 2, 17, 50, 4, 9, NN_RESIZE_LINEAR, 0, 1, 0},
                 {1, 2, 5, 40, 9, 11, NN_RESIZE_CUBIC, 0, 1, 1}};
    const bool forward = test->kernel == NN_KERNEL_RESIZE_FORWARD;
    nn_resize_args *args = &test->args.resize_forward; /* both kernels use one struct */
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, C = cases[i].C, H = cases[i].H, W = cases[i].W, OH = cases[i].OH,
              OW = cases[i].OW;
    args->mode = (nn_resize_mode)cases[i].mode;
    args->align_corners = cases[i].align_corners != 0;
    args->antialias = cases[i].antialias != 0;
    args->cubic = args->antialias ? -0.5f : -0.75f;
    args->accumulate = !forward && cases[i].accumulate;
    args->step_h = nn__cases_resize_step(H, OH, args->align_corners);
    args->step_w = nn__cases_resize_step(W, OW, args->align_corners);
    args->taps_h = !forward ? OH : args->antialias ? H + 1 : args->mode == NN_RESIZE_CUBIC ? 4 : 2;
    args->taps_w = !forward ? OW : args->antialias ? W + 1 : args->mode == NN_RESIZE_CUBIC ? 4 : 2;
    if (args->mode <= NN_RESIZE_NEAREST_EXACT && forward) args->taps_h = args->taps_w = 1;
    nn__self_test_numbers(test, &args->y, forward, N, C, OH, OW);
    nn__self_test_numbers(test, &args->x, !forward, N, C, H, W);
    nn__format(test->what, sizeof test->what, "mode %d, (%d, %d, %d, %d) to (%d, %d)%s%s%s",
               (int)args->mode, N, C, H, W, OH, OW, args->align_corners ? ", corners" : "",
               args->antialias ? ", antialias" : "", args->accumulate ? ", added" : "");
    return true;
}

static bool nn__cases_resize_forward(nn__self_test *test, int i) {
    return nn__cases_of_resize(test, i);
}
static bool nn__cases_resize_backward(nn__self_test *test, int i) {
    return nn__cases_of_resize(test, i);
}

#endif
