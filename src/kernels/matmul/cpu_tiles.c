/* kernels/matmul/cpu_tiles.c - the walk over the tiles of a product, which are in
   kernels/matmul/vector.h. Convolutions (kernels/conv2d) call nn__multiply_tiles with
   offsets into images instead of matrices. */
#include "kernels/matmul/cpu.h"
#include "kernels/matmul/vector.h"

NN_PRIVATE void nn__gemm_finish(const nn__gemm_set *set, const nn__product *x, float *y, int i,
                                int rows, int j, int columns) {
    const nn__clamp clamp = nn__clamp_of(x->activate);
    if (x->row_bias || x->column_bias || clamp)
        set->finish(y, x->y_row, rows, columns, x->row_bias ? x->row_bias + i : NULL,
                    x->column_bias ? x->column_bias + j : NULL, clamp);
    if (!x->activate || clamp) return;
    for (int e = 0; e < rows; e++) x->activate(y + e * x->y_row, columns);
}

/* Returns the height of the tiles for this number of rows: all tiles have nearly the same height,
   and a height for which there is code. */
static int nn__gemm_height(const nn__gemm_set *set, int rows) {
    const int fewest = nn__ceil_div(rows, set->rows);
    return nn__mini(set->rows, fewest > 1 ? (nn__ceil_div(rows, fewest) + 1) / 2 * 2 : rows);
}

#ifndef NN_NO_SIMD
/* Runs the first tile of a strip of b that lies in a matrix, from column j on. */
static void nn__gemm_first_tile(const nn__gemm_set *set, const nn__product *x, nn__tile *tile,
                                int j) {
    float *strip = (float *)(uintptr_t)tile->b;
    if (tile->columns == set->columns) {
        tile->b = x->b_from + j;
        tile->b_row = x->b_from_row;
        tile->strip = strip;
        set->tile_copy(tile);
        return;
    }
    for (int p = 0; p < x->depth; p++)
        memcpy(strip + p * set->columns, x->b_from + p * x->b_from_row + j,
               (size_t)tile->columns * sizeof *strip);
    set->tile(tile);
}
#endif

NN_PRIVATE void nn__multiply_tiles(const nn__gemm_set *set, const nn__product *x) {
    /* Deep: one strip of b stays in the first cache for all rows. Shallow: all of b stays in the
       second cache, and y is written along its rows, which is faster for memory, unless b was
       copied in strips. */
#ifndef NN_NO_SIMD
    const bool deep = x->depth > (x->b_strip ? NN__GEMM_SHORT : NN__GEMM_SHALLOW);
#else
    const bool deep = x->depth > NN__GEMM_SHALLOW;
#endif
    const int high = nn__gemm_height(set, x->rows), strips = nn__ceil_div(x->columns, set->columns),
              levels = x->rows > 0 ? nn__ceil_div(x->rows, high) : 0;
    const bool finish = x->last && (x->row_bias || x->column_bias || x->activate);
    nn__tile tile;
    tile.a_step = x->a_step;
    tile.offset = x->b_offset;
    tile.y_row = x->y_row;
    tile.depth = x->depth;
    tile.add = x->add;
    for (int outer = 0; outer < (deep ? strips : levels); outer++)
        for (int inner = 0; inner < (deep ? levels : strips); inner++) {
            const int i = (deep ? inner : outer) * high, strip = deep ? outer : inner,
                      j = strip * set->columns;
            tile.rows = nn__mini(high, x->rows - i);
            tile.columns = nn__mini(set->columns, x->columns - j);
            tile.b = x->b + j;
#ifndef NN_NO_SIMD
            if (x->b_strip) tile.b = x->b + strip * x->b_strip;
#endif
            tile.y = x->y + i * x->y_row + j;
            if (deep || inner == 0)
                for (int r = 0; r < tile.rows; r++)
                    tile.a[r] =
                        x->a + (x->a_offset ? (ptrdiff_t)x->a_offset[i + r] : (i + r) * x->a_row);
#ifndef NN_NO_SIMD
            if (x->b_from && i == 0)
                nn__gemm_first_tile(set, x, &tile, j);
            else
#endif
                set->tile(&tile);
            if (finish) nn__gemm_finish(set, x, tile.y, i, tile.rows, j, tile.columns);
        }
}

/* ---- the sets -------------------------------------------------------------------------------- */

NN_PRIVATE const nn__gemm_set *nn__gemm_set_of(const nn__cpu *cpu) {
    return NN__OF_EVERY(cpu, nn__products);
}
#ifndef NN_NO_SIMD
NN_PRIVATE const nn__gemm_bytes *nn__gemm_bytes_of(const nn__cpu *cpu) {
    return NN__OF_NARROW(cpu, nn__products_of_bytes);
}
#endif

#ifndef NN_NO_SIMD
NN_PRIVATE const nn__panel_set *nn__panel_set_of(const nn__cpu *cpu) {
    return cpu->instructions == NN_INSTRUCTIONS_PLAIN ? NULL : NN__OF_EVERY(cpu, nn__panels);
}

NN_PRIVATE void nn__row_add(const nn__cpu *cpu, float *y, const float *a, const float *b,
                            ptrdiff_t b_row, int rows, int n, bool add) {
    nn__gemm_set_of(cpu)->add_rows(y, a, b, b_row, rows, n, add);
}
#endif
