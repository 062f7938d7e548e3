/* kernels/separable/cpu_rows.c - the tiles and rows of a separable convolution: those of the
   instruction set (kernels/conv2d/cpu_panel.c, kernels/separable/vector.h), or plain C.
   Compiled for size. */
#include "kernels/separable/cpu.h"
#include "kernels/separable/vector.h"

#ifndef NN_NO_SPEEDUPS

static void nn__separable_tile(const nn__tile *t) {
    const int lanes = nn__mini(t->columns, NN__SEPARABLE_LANES);
    for (int r = 0; r < t->rows; r++) {
        float sum[NN__SEPARABLE_LANES];
        memset(sum, 0, sizeof sum);
        if (t->start) memcpy(sum, t->start, sizeof sum);
        for (int p = 0; p < t->depth; p++) {
            const float a = t->a[r][t->offset[p]], *b = t->b + (ptrdiff_t)p * NN__SEPARABLE_LANES;
            for (int l = 0; l < lanes; l++) sum[l] += a * b[l];
        }
        nn__separable_clamp(sum, lanes, t->clamp);
        memcpy(t->y + (ptrdiff_t)r * NN__SEPARABLE_LANES, sum, (size_t)lanes * sizeof(float));
    }
}

NN_PRIVATE nn__separable_set nn__separable_set_of(const nn__cpu *cpu) {
    nn__separable_set set = {NN__SEPARABLE_LANES, 4, nn__separable_tile,
                             NN__OF_SET(cpu, nn__separable_row)};
#ifndef NN_NO_SIMD
    const nn__panel_set *tiles = nn__panel_set_of(cpu);
    if (!tiles) return set;
    set.lanes = tiles->lanes;
    set.rows = tiles->rows;
    set.tile = tiles->tile;
#endif
    return set;
}
#endif

typedef int nn__separable_rows_part; /* a file must not be empty under NN_NO_SPEEDUPS */
