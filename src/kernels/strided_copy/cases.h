/* kernels/strided_copy/cases.h - small test cases of strided copies for nn_self_test. No shape
   is a multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

/* A transposition; every other column flipped; two pieces added to a filled tensor; rows in
   reverse; one number per row; the planes of pixels with three colours. */
static bool nn__cases_strided_copy(nn__self_test *test, int i) {
    nn_strided_copy_args *args = &test->args.strided_copy;
    nn_copy_piece *piece = test->pieces;
    if (i >= 6) return false;
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < NN_COPY_AXES; a++)
            piece[k].extent[a] = 1, piece[k].x_stride[a] = piece[k].y_stride[a] = 0;
    args->pieces = piece;
    args->count = i == 2 ? 2 : 1;
    args->fill = args->accumulate = i == 2;
    nn__self_test_numbers(test, &args->y, true, 3, 37, 41, 0);
    for (int k = 0; k < args->count; k++) {
        nn__self_test_numbers(test, &piece[k].x, false, 3, 41, 37, 0);
        piece[k].extent[3] = 3, piece[k].extent[4] = 37, piece[k].extent[5] = 41;
        piece[k].x_stride[3] = 41 * 37, piece[k].x_stride[4] = 1, piece[k].x_stride[5] = 37;
        piece[k].y_stride[3] = 37 * 41, piece[k].y_stride[4] = 41, piece[k].y_stride[5] = 1;
        piece[k].x_first = piece[k].y_first = 0;
    }
    if (i == 1) piece->extent[5] = 20, piece->y_stride[5] = -2, piece->y_first = 40;
    if (i == 3) piece->x_stride[4] = 41, piece->x_stride[5] = -1, piece->x_first = 40;
    if (i == 4) piece->x_stride[5] = 0;
    if (i == 5) {
        piece->extent[3] = 1, piece->extent[4] = 3, piece->extent[5] = 41 * 37;
        piece->x_stride[5] = 3, piece->y_stride[4] = 41 * 37;
    }
    nn__format(test->what, sizeof test->what, "%s of (3, 41, 37)",
               i == 0   ? "transposition"
               : i == 1 ? "every other column"
               : i == 2 ? "sum of two transpositions"
               : i == 3 ? "rows backwards"
               : i == 4 ? "columns repeated"
                        : "planes of the pixels");
    return true;
}

#endif
