/* kernels/augment/cases.h - small test cases of augmented images for nn_self_test. No shape is
   a multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

/* Sample 0 is unchanged. The others use every column, with crops that reach outside of the
   images. */
static void nn__self_test_draws(nn__self_test *test, nn_view *view, int samples, int H, int W) {
    float *row = nn__self_test_numbers(test, view, false, samples, NN_AUGMENT_COLUMNS, 0, 0);
    for (int n = 0; n < samples; n++, row += NN_AUGMENT_COLUMNS) {
        const float turn = 0.3f * (float)n;
        row[NN_AUGMENT_TOP] = (float)(n ? n - 2 : 0);
        row[NN_AUGMENT_LEFT] = (float)(n ? 3 - n : 0);
        row[NN_AUGMENT_FLIP] = (float)(n % 2);
        for (int m = 0; m < 6; m++) /* roughly a rotation; none in every third sample */
            row[NN_AUGMENT_MATRIX + m] = m % 4 == 0 ? 1.0f : 0.0f;
        if (n % 3) {
            row[NN_AUGMENT_MATRIX] = row[NN_AUGMENT_MATRIX + 4] = 1.1f - turn * turn * 0.5f;
            row[NN_AUGMENT_MATRIX + 1] = turn, row[NN_AUGMENT_MATRIX + 3] = -turn;
            row[NN_AUGMENT_MATRIX + 2] = 0.7f, row[NN_AUGMENT_MATRIX + 5] = -0.4f * (float)n;
        }
        row[NN_AUGMENT_BRIGHTNESS] = n ? 0.7f + 0.2f * (float)n : 1.0f;
        row[NN_AUGMENT_CONTRAST] = n ? 1.5f - 0.2f * (float)n : 1.0f;
        row[NN_AUGMENT_CUT_TOP] = (float)(n % 4), row[NN_AUGMENT_CUT_LEFT] = (float)(n % 3);
        row[NN_AUGMENT_CUT_BOTTOM] = (float)(n ? H / 2 : 0),
        row[NN_AUGMENT_CUT_RIGHT] = (float)(n ? W - 2 : 0);
        row[NN_AUGMENT_LAMBDA] = n ? 1.0f - 0.15f * (float)n : 1.0f;
        row[NN_AUGMENT_PARTNER] = (float)(n == 4 ? samples : (n + 2) % samples);
    }
}

static bool nn__cases_augment(nn__self_test *test, int i) {
    static const struct {
        nn_dtype from, to;
        char draws, contrast, normalize;
        int N, C, H, W, crop_h, crop_w;
    } cases[] = {{NN_U8, NN_F32, 0, 0, 0, 3, 2, 7, 5, 7, 5},
                 {NN_U8, NN_I32, 0, 0, 0, 37, 0, 0, 0, 0, 0},
                 {NN_F32, NN_F32, 0, 0, 1, 2, 5, 3, 7, 3, 7},
                 {NN_U8, NN_F32, 1, 1, 0, 5, 3, 11, 9, 10, 8},
                 {NN_F32, NN_F32, 1, 1, 1, 6, 5, 7, 9, 9, 11},
                 {NN_U8, NN_F32, 1, 0, 0, 5, 1, 13, 12, 13, 12},
                 {NN_F32, NN_F32, 1, 0, 1, 5, 3, 37, 31, 35, 33}};
    nn_augment_args *args = &test->args.augment;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, C = cases[i].C, H = cases[i].H, W = cases[i].W;
    const bool bytes = cases[i].from == NN_U8;
    nn__self_test_view_of(test, &args->y, true, cases[i].to, N, C, cases[i].crop_h,
                          cases[i].crop_w);
    if (bytes)
        nn__self_test_pixels(test, &args->x, N, C, H, W);
    else
        nn__self_test_numbers(test, &args->x, false, N, C, H, W);
    if (cases[i].draws)
        nn__self_test_draws(test, &args->table, N, cases[i].crop_h, cases[i].crop_w);
    if (cases[i].normalize) nn__self_test_positive(test, &args->normalize, 2, C, 0, 0);
    for (int c = 0; c < 4; c++) {
        args->mean[c] = cases[i].to == NN_I32 ? 0.0f : 0.1f * (float)(c + 1);
        args->std[c] = cases[i].to == NN_I32 ? 1.0f : 0.5f + 0.2f * (float)c;
    }
    args->scale = cases[i].to == NN_I32 ? 0.375f : bytes ? 1.0f / 255.0f : 0.5f;
    args->offset = cases[i].to == NN_I32 ? -20.25f : bytes ? 0.0f : 0.5f;
    args->fill = -0.25f;
    args->contrast = cases[i].contrast;
    nn__format(test->what, sizeof test->what, "%s (%d, %d, %d, %d) to %s%s%s",
               nn_dtype_name(cases[i].from), N, C, H, W, nn_dtype_name(cases[i].to),
               cases[i].draws ? ", every draw" : "",
               cases[i].draws && !cases[i].contrast ? " but contrast" : "");
    return true;
}

#endif
