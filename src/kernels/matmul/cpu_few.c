/* kernels/matmul/cpu_few.c - products of a few rows or columns: sums along k, or one row along the
   rows of b. Their time is that of reading the large matrix, so it is read once, in order and in
   place. */
#include "kernels/matmul/cpu.h"

#include "cpu/sets.h"

#ifndef NN_NO_SIMD

/* Returns steps [p, p + depth) of `rows` rows of a matrix whose rows lie along k: in place, or
   widened into `wide`. */
static const float *nn__gemm_rows(const nn__gemm_cut *cut, const nn_view *matrix, int k, int row,
                                  int rows, int p, int depth, float *wide, ptrdiff_t *distance) {
    *distance = k;
    if (matrix->dtype == NN_F32) return nn__f32(matrix) + (ptrdiff_t)row * k + p;
    *distance = NN__GEMM_DOTS + 16;
    for (int e = 0; e < rows; e++)
        nn__gemm_fetch(cut, matrix, (ptrdiff_t)(row + e) * k + p, depth, wide + e * *distance);
    return wide;
}

/* Computes dot products with rows of halves or bytes, which are read in place, from element `at` of
   b on. */
static void nn__gemm_dot_stored(const nn__gemm_cut *cut, const nn_gemm_args *g, ptrdiff_t at,
                                const nn__dots *dots) {
    if (g->b.dtype == NN_I8)
        cut->bytes->dot(dots, nn__i8(&g->b) + at);
    else
        cut->set->dot_halves(dots, nn__halves(&g->b) + at, g->b.dtype == NN_F16);
}

/* Computes one row of y from a b of halves or bytes, which is read in place and in order, because
   the time of such a product is that of reading b. wide: space for the row of a. */
static void nn__gemm_run_halves(const nn__gemm_cut *cut, const nn_gemm_args *g,
                                const nn__gemm_part *part, nn__product *x, float *wide) {
    nn__dots dots;
    memset(&dots, 0, sizeof dots);
    dots.y = x->y;
    dots.y_step = 1;
    dots.b_row = g->k;
    dots.rows = 1;
    dots.columns = part->columns;
    dots.depth = part->end - part->p;
    dots.add = x->add;
    dots.a = wide;
    if (cut->half_a)
        nn__gemm_fetch(cut, &g->a, (ptrdiff_t)part->i * g->k + part->p, dots.depth, wide);
    else
        dots.a = nn__f32(&g->a) + (ptrdiff_t)part->i * g->k + part->p;
    nn__gemm_dot_stored(cut, g, (ptrdiff_t)part->j * g->k + part->p, &dots);
}

/* Taking the rows of b one by one reads a once for each of them, from the nearest cache unless the
   row is too long for that. Long rows that come from memory are read side by side: the hardware
   prefetcher starts anew at each page. */
NN_PRIVATE nn__gemm_dot nn__gemm_row_dot(const nn__gemm_set *set, const nn_gemm_args *g) {
    const int64_t numbers = (int64_t)g->n * g->k;
    const int longest = numbers < NN__GEMM_MEMORY ? NN__GEMM_NEAR : NN__GEMM_PAGES;
    return numbers >= NN__GEMM_FAR && g->k <= longest ? set->dot_row : set->dot;
}

/* Computes one row of y. Its sums lie side by side in memory, and a b of f32 is read in place, in
   one pass. */
static void nn__gemm_run_row(const nn__gemm_cut *cut, const nn_gemm_args *g,
                             const nn__gemm_part *part, nn__product *x, float *wide) {
    const bool half = cut->half_a;
    if (cut->half_b) {
        nn__gemm_run_halves(cut, g, part, x, wide);
        return;
    }
    const int columns = half ? NN__GEMM_FEW : part->columns,
              steps = half ? NN__GEMM_DOTS : part->end - part->p;
    const nn__gemm_dot dot = half ? cut->set->dot : nn__gemm_row_dot(cut->set, g);
    nn__dots dots;
    dots.y_row = 0;
    dots.y_step = 1;
    dots.rows = 1;
    for (int j = 0; j < part->columns; j += columns) {
        dots.add = x->add;
        dots.y = x->y + j;
        dots.columns = nn__mini(columns, part->columns - j);
        for (int p = part->p; p < part->end; p += steps, dots.add = true) {
            dots.depth = nn__mini(steps, part->end - p);
            dots.a = nn__gemm_rows(cut, &g->a, g->k, part->i, 1, p, dots.depth, wide,
                                   &dots.a_row);
            dots.b = nn__gemm_rows(cut, &g->b, g->k, part->j + j, dots.columns, p, dots.depth,
                                   wide ? wide + NN__GEMM_DOTS + 16 : NULL, &dots.b_row);
            dot(&dots);
        }
    }
}

/* True for a product of a few rows with a matrix that comes from memory. Its numbers are then read
   once and in order. */
static bool nn__gemm_is_far(const nn__gemm_cut *cut, const nn_gemm_args *g,
                            const nn__gemm_part *part) {
    return !cut->half_a && g->m <= NN__GEMM_FEW && (int64_t)g->n * g->k >= NN__GEMM_FAR &&
           part->end - part->p >= NN__DEEP;
}

static void nn__gemm_run_far(const nn__gemm_cut *cut, const nn_gemm_args *g,
                             const nn__gemm_part *part, const nn__product *x) {
    nn__dots dots;
    memset(&dots, 0, sizeof dots);
    dots.a_row = dots.b_row = g->k;
    dots.y_row = x->y_row;
    dots.y_step = 1;
    dots.depth = part->end - part->p;
    dots.add = x->add;
    for (int j = 0; j < part->columns; j += NN__GEMM_STRIP) /* rows of a that stay in a cache */
        for (int i = 0; i < part->rows; i += 4) {
            const ptrdiff_t at = (ptrdiff_t)(part->j + j) * g->k + part->p;
            dots.rows = nn__mini(4, part->rows - i);
            dots.columns = nn__mini(NN__GEMM_STRIP, part->columns - j);
            dots.a = nn__f32(&g->a) + (ptrdiff_t)(part->i + i) * g->k + part->p;
            dots.y = x->y + i * x->y_row + j;
            if (cut->half_b) {
                nn__gemm_dot_stored(cut, g, at, &dots);
            } else {
                dots.b = nn__f32(&g->b) + at;
                cut->set->dot_row(&dots);
            }
        }
}

NN_PRIVATE void nn__gemm_run_dots(const nn__gemm_cut *cut, const nn_gemm_args *g,
                                  const nn__gemm_part *part, nn__product *x, float *wide) {
    /* the smaller operand takes the part of b and stays in the cache */
    const bool swapped = part->rows > part->columns;
    const int rows = swapped ? part->rows : part->columns, from = swapped ? part->i : part->j;
    const nn_view *many = swapped ? &g->a : &g->b, *few = swapped ? &g->b : &g->a;
    nn__dots dots;
    if (!swapped && part->rows == 1) {
        nn__gemm_run_row(cut, g, part, x, wide);
    } else if (nn__gemm_is_far(cut, g, part)) {
        nn__gemm_run_far(cut, g, part, x);
    } else {
        dots.y_row = swapped ? x->y_row : 1;
        dots.y_step = swapped ? 1 : x->y_row;
        dots.columns = swapped ? part->columns : part->rows;
        dots.add = x->add;
        for (int p = part->p; p < part->end; p += NN__GEMM_DOTS, dots.add = true) {
            dots.depth = nn__mini(NN__GEMM_DOTS, part->end - p);
            dots.b = nn__gemm_rows(cut, few, g->k, swapped ? part->j : part->i, dots.columns,
                                   p, dots.depth,
                                   wide ? wide + 4 * (NN__GEMM_DOTS + 16) : NULL, &dots.b_row);
            for (int i = 0; i < rows; i += 4) {
                dots.rows = nn__mini(4, rows - i);
                dots.a = nn__gemm_rows(cut, many, g->k, from + i, dots.rows, p, dots.depth,
                                       wide, &dots.a_row);
                dots.y = x->y + i * dots.y_row;
                cut->set->dot(&dots);
            }
        }
    }
    if (x->last && (x->row_bias || x->column_bias || x->activate))
        nn__gemm_finish(cut->set, x, x->y, 0, part->rows, 0, part->columns);
}

NN_PRIVATE bool nn__gemm_is_thin(const nn__gemm_set *set, const nn_gemm_args *g) {
    return !g->steady && g->transpose_a && !g->transpose_b && g->n <= NN__GEMM_THIN &&
           g->n <= set->rows && g->m >= 32 && g->m <= NN__GEMM_THIN_HIGH && g->k > 0 &&
           g->k <= NN__DEPTH && !g->accumulate && g->a.dtype == NN_F32 && g->b.dtype == NN_F32 &&
           !nn__present(&g->epilogue.bias) && g->epilogue.activation == NN_ACTIVATION_NONE &&
           nn__gemm_products(g) == 1;
}

/* The columns of the product become the rows of tiles, and rows of the transposed a fill the
   vectors. The order of the sums is the same. */
NN_PRIVATE void nn__gemm_run_thin(const nn__gemm_set *set, const nn_gemm_args *g) {
    int32_t offset[NN__DEPTH];
    float turned[NN__GEMM_THIN * NN__GEMM_THIN_HIGH];
    nn__tile tile;
    for (int p = 0; p < g->k; p++) offset[p] = p * g->m;
    for (int i = 0; i < g->n; i++) tile.a[i] = nn__f32(&g->b) + i;
    tile.a_step = g->n;
    tile.offset = offset;
    tile.y_row = g->m;
    tile.rows = g->n;
    tile.depth = g->k;
    tile.add = false;
    for (int j = 0; j < g->m; j += set->columns) {
        tile.b = nn__f32(&g->a) + j;
        tile.y = turned + j;
        tile.columns = nn__mini(set->columns, g->m - j);
        set->tile(&tile);
    }
    set->transpose(nn__f32(&g->y), g->n, turned, g->m, g->n, g->m);
}

/* Computes a row of y from rows of halves or bytes, which are read in place from element `at`
   on. */
static void nn__gemm_add_stored(const nn__gemm_cut *cut, const nn_gemm_args *g, ptrdiff_t at,
                                const float *a, int rows, int columns, const nn__product *x) {
    if (g->b.dtype == NN_I8) {
        cut->bytes->add(x->y, a, nn__i8(&g->b) + at, g->n, rows, columns, x->add);
        return;
    }
    if (!x->add) memset(x->y, 0, (size_t)columns * sizeof *x->y);
    cut->set->add_halves(x->y, a, nn__halves(&g->b) + at, g->b.dtype == NN_F16, g->n, rows,
                         columns);
}

NN_PRIVATE void nn__gemm_run_wide(const nn__gemm_cut *cut, const nn_gemm_args *g,
                                  const nn__gemm_part *part, nn__product *x) {
    float a[NN__GEMM_ROWS];
    for (int p = part->p; p < part->end; p += NN__GEMM_ROWS, x->add = true) {
        const int rows = nn__mini(NN__GEMM_ROWS, part->end - p);
        const ptrdiff_t at = (ptrdiff_t)p * g->n + part->j;
        nn__gemm_fetch(cut, &g->a, p, rows, a);
        if (cut->half_b)
            nn__gemm_add_stored(cut, g, at, a, rows, part->columns, x);
        else
            cut->set->add_rows(x->y, a, nn__f32(&g->b) + at, g->n, rows, part->columns, x->add);
    }
    if (x->last && (x->column_bias || x->activate))
        nn__gemm_finish(cut->set, x, x->y, 0, 1, 0, part->columns);
}

/* Computes the gradient of a weight for one sample. Its time is that of writing. */
NN_PRIVATE void nn__gemm_run_outer(const nn__gemm_cut *cut, const nn__cpu *cpu,
                                   const nn_gemm_args *g, const nn__gemm_part *part,
                                   nn__product *x) {
    const float *a = nn__f32(&g->a) + part->i, *b = nn__f32(&g->b) + part->j;
    const int64_t bytes = (int64_t)g->m * g->n * nn__gemm_products(g) * (int64_t)sizeof(float);
    const bool streams = !x->add && g->n % 16 == 0 && part->columns % 16 == 0 &&
                         nn__streams_at(cpu, x->y, bytes);
    for (int i = 0; i < part->rows; i++) {
        float *y = x->y + i * x->y_row;
        if (x->add) cut->set->add_rows(y, a + i, b, 0, 1, part->columns, true);
        else cut->set->scale_row(y, a[i], b, part->columns, streams);
    }
    if (streams) nn__all_streamed();
    if (x->column_bias || x->activate)
        nn__gemm_finish(cut->set, x, x->y, 0, part->rows, 0, part->columns);
}

#endif

typedef int nn__matmul_few_part; /* a part must not be empty under NN_NO_SIMD */
