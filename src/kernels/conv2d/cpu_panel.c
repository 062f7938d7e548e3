/* kernels/conv2d/cpu_panel.c - multiplies rows of positions in the tiles of
   kernels/conv2d/cpu_panel.h, which are defined in kernels/matmul/vector.h. */
#include "kernels/conv2d/cpu_panel.h"

#ifndef NN_NO_SIMD

NN_PRIVATE void nn__panel_multiply(const nn__panel_set *tiles, nn__tile *t, const float *a,
                                   const int32_t *start, int rows) {
    const int fewest = nn__ceil_div(rows, tiles->rows),
              high = fewest > 1 ? nn__mini(tiles->rows, (nn__ceil_div(rows, fewest) + 1) / 2 * 2)
                                : rows;
    t->runs = tiles->asks_runs;
    for (int p = 0; p + 4 <= t->depth && t->runs; p += 4)
        t->runs = t->offset[p + 1] - t->offset[p] == 1 && t->offset[p + 2] - t->offset[p] == 2 &&
                  t->offset[p + 3] - t->offset[p] == 3;
    for (int i = 0; i < rows; i += high) {
        t->rows = nn__mini(high, rows - i);
        for (int r = 0; r < t->rows; r++) t->a[r] = a + *start++;
        tiles->tile(t);
        t->y += t->rows * tiles->lanes;
    }
}

#endif

typedef int nn__conv2d_panel_part; /* a file must not be empty under NN_NO_SIMD */
