/* kernels/matmul/cpu_tiles.c - the walk over the tiles of a product, which are in cpu/gemm_plain.c,
   cpu/tile_avx512.c and their like. Convolutions (kernels/conv2d) call nn__multiply_tiles with
   offsets into images instead of matrices. */
#include "kernels/matmul/cpu.h"

NN_PRIVATE void nn__gemm_finish(const nn__gemm_set *set, const nn__product *x, float *y, int i,
                                int rows, int j, int columns) {
    const nn__clamp clamp = nn__clamp_of(x->activate);
    if (x->row_bias || x->column_bias || clamp)
        set->finish(y, x->y_row, rows, columns, x->row_bias ? x->row_bias + i : NULL,
                    x->column_bias ? x->column_bias + j : NULL, clamp);
    if (!x->activate || clamp) return;
    for (int e = 0; e < rows; e++) x->activate(y + e * x->y_row, columns);
}

/* Rows of a first tile that copies its strip of b; all others are of nearly equal height. */
static int nn__gemm_first(const nn__gemm_set *set, const nn__product *x) {
#ifndef NN_NO_SIMD
    if (x->b_from && !x->b_turn) return set->rows;
#endif
    (void)set, (void)x;
    return 0;
}

/* Tiles that so many rows take: of the largest height, or many of them of a lower one. */
static int nn__gemm_levels(const nn__gemm_set *set, int rows, bool asks) {
    const int fewest = nn__ceil_div(rows, set->rows);
#ifndef NN_NO_SIMD
    if (!asks && fewest > 1 && set->rows >= 2 * NN__TILE_LOW)
        return nn__maxi(fewest, (rows + NN__TILE_LOW / 2) / NN__TILE_LOW);
#endif
    (void)asks;
    return fewest;
}

#ifndef NN_NO_SIMD
/* What the tile of this level and strip asks for: ahead[0], where a is cold, the rows of the level
   below; ahead[1] this level's share of the next strip of b. */
static void nn__gemm_ask(const nn__gemm_set *set, const nn__product *x, const nn__tile *tile, int j,
                         int level, int levels, nn__ahead ahead[2]) {
    const int wide = set->columns, from = (int)((int64_t)x->depth * level / levels),
              rows = (int)((int64_t)x->depth * (level + 1) / levels) - from;
    const int size = (int)sizeof(float), left = x->columns - j - wide;
    if (x->a_cold && j == 0 && x->a_step == 1) {
        ahead[0].at = (const char *)(tile->a[0] + tile->rows * x->a_row);
        ahead[0].row = x->a_row * size;
        ahead[0].rows = tile->rows;
        ahead[0].bytes = x->depth * size;
    }
    if (left <= 0 && x->a_after.rows) { /* while the last strip is used */
        const int first = (int)((int64_t)x->a_after.rows * level / levels);
        ahead[0] = x->a_after;
        ahead[0].at += first * x->a_after.row;
        ahead[0].rows = (int)((int64_t)x->a_after.rows * (level + 1) / levels) - first;
    }
    if (x->b_strip == 0) return;
    const float *next = tile->b + x->b_strip;
    const bool stored = !x->b_from && left > 0, turn = x->b_turn && !stored;
    if (left <= 0)
        next = x->b_after;
    else if (x->b_from)
        next = x->b_from + (turn ? (j + wide) * x->b_from_row : j + wide);
    if (!next) return;
    const int columns = left > 0 ? nn__mini(wide, left) : wide;
    const ptrdiff_t row = stored ? wide : x->b_from_row;
    ahead[1].at = (const char *)(next + (turn ? from : from * row));
    ahead[1].row = row * size;
    ahead[1].rows = turn ? columns : rows;
    ahead[1].bytes = (turn ? rows : columns) * size;
}

/* A tile that finds its strip of b in a matrix, or asks for what is read next, or both. */
static void nn__gemm_run_tile(const nn__gemm_set *set, const nn__product *x, const nn__tile *tile,
                              int j, int level, int levels, bool copies) {
    float *strip = (float *)(uintptr_t)tile->b;
    nn__ahead ahead[2];
    memset(ahead, 0, sizeof ahead);
    if (x->asks && set->tile_ahead && x->depth > NN__DEEP)
        nn__gemm_ask(set, x, tile, j, level, levels, ahead);
    if (x->b_turn && x->b_from && level == 0)
        set->transpose(strip, set->columns, x->b_from + j * x->b_from_row, x->b_from_row,
                       tile->columns, x->depth);
    if (copies)
        set->tile_copy(tile, ahead, strip, x->b_from + j, x->b_from_row);
    else if (x->asks && set->tile_ahead)
        set->tile_ahead(tile, ahead);
    else
        set->tile(tile);
}
#endif

NN_PRIVATE void nn__multiply_tiles(const nn__gemm_set *set, const nn__product *x) {
    /* Deep: one strip of b stays in the first cache for all rows. Shallow: all of b stays in the
       second cache, and y is written along its rows, which memory likes better; not so where b was
       copied in strips. */
#ifndef NN_NO_SIMD
    const bool deep = x->depth > (x->b_strip ? NN__GEMM_SHORT : NN__GEMM_SHALLOW);
    const bool asks = x->asks && set->tile_ahead && x->depth > NN__DEEP;
#else
    const bool deep = x->depth > NN__GEMM_SHALLOW, asks = true;
#endif
    const int first = nn__gemm_first(set, x), rest = x->rows - first, before = first > 0;
    const int strips = nn__ceil_div(x->columns, set->columns),
              even = nn__gemm_levels(set, rest, asks), levels = even + before,
              parts = before ? nn__maxi(1, even) : even;
    const int size = rest / parts, larger = rest % parts;
    const bool finish = x->last && (x->row_bias || x->column_bias || x->activate);
    nn__tile tile;
    tile.a_step = x->a_step;
    tile.b_offset = x->b_offset;
    tile.y_row = x->y_row;
    tile.depth = x->depth;
    tile.add = x->add;
#ifndef NN_NO_SIMD
    tile.a_row = x->a_offset ? 0 : x->a_row;
    tile.wanted = x->b_far ? set->columns : 0;
#endif
    for (int outer = 0; outer < (deep ? strips : levels); outer++)
        for (int inner = 0; inner < (deep ? levels : strips); inner++) {
            const int level = deep ? inner : outer, j = (deep ? outer : inner) * set->columns;
            const int place = level - before;
            const bool copies = before && place < 0;
            const int i = copies ? 0 : first + place * size + nn__mini(place, larger);
            tile.rows = copies ? first : size + (place < larger);
            tile.columns = nn__mini(set->columns, x->columns - j);
            tile.b = x->b + j;
#ifndef NN_NO_SIMD
            if (x->b_strip) tile.b = x->b + (deep ? outer : inner) * x->b_strip;
#endif
            tile.y = x->y + i * x->y_row + j;
            if (deep || inner == 0)
                for (int r = 0; r < tile.rows; r++)
                    tile.a[r] =
                        x->a + (x->a_offset ? (ptrdiff_t)x->a_offset[i + r] : (i + r) * x->a_row);
#ifndef NN_NO_SIMD
            if (asks || (x->b_from && level == 0))
                nn__gemm_run_tile(set, x, &tile, j, level, levels, copies);
            else
#endif
                set->tile(&tile);
            if (finish) nn__gemm_finish(set, x, tile.y, i, tile.rows, j, tile.columns);
        }
}
