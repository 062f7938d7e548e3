/* kernels/matmul/opencl_few.c - products on GPUs whose y has so few numbers, rows or columns that
   the time is that of reading the larger matrix: chooses these products, divides them and names
   their programs. The rules come from compiled code and from the bytes that each algorithm reads,
   and were checked on an H200. */
#include "kernels/matmul/opencl.h"

#define NN__OPENCL_GEMM_FEW_WIDE  8     /* "few" rows or columns */
#define NN__OPENCL_GEMM_FEW_LARGE 4     /* most small tiles per compute unit; beyond that, larger
                                           tiles read less */
#define NN__OPENCL_GEMM_FEW_Y     32768 /* "few" numbers of y */
#define NN__OPENCL_GEMM_OUTER_ROWS 32   /* rows of a tile */
#define NN__OPENCL_GEMM_FEW_DEEP  4096  /* steps of k that are enough for work-groups of 256 */

static int64_t nn__opencl_gemm_long_tiles(const nn_gemm_args *g, int32_t products, int32_t side) {
    return (int64_t)nn__opencl_ceil_div(g->m, side) * nn__opencl_ceil_div(g->n, side) * products;
}

/* True if the kernel LONG may be used: neighbouring work-items read neighbouring steps of k, or a
   matrix is so thin that its cache lines are used completely anyway. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_long(const nn__opencl *device,
                                                    const nn_gemm_args *g) {
    return (!g->transpose_a || g->m <= NN__OPENCL_GEMM_FEW_WIDE) &&
           (g->transpose_b || g->n <= NN__OPENCL_GEMM_FEW_WIDE) && g->k >= 128 &&
           device->group >= NN__OPENCL_GEMM_FEW_ITEMS;
}

/* True if the kernel THIN may be used. Nine of its 128 columns are enough: with eight rows it then
   computes as much as the smallest tile would, with one row an eighth. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_thin(const nn__opencl *device,
                                                    const nn_gemm_args *g) {
    return g->m <= NN__OPENCL_GEMM_FEW_WIDE && !g->transpose_b &&
           g->n > NN__OPENCL_GEMM_FEW_WIDE && g->k >= 16 &&
           device->group >= NN__OPENCL_GEMM_FEW_ITEMS;
}

/* True for products whose time is that of writing y. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_outer(const nn__opencl *device,
                                                     const nn_gemm_args *g) {
    return nn__opencl_gemm_may_be_slices(device) && g->k <= NN__OPENCL_GEMM_FEW_WIDE &&
           g->m > NN__OPENCL_GEMM_FEW_WIDE && g->n > NN__OPENCL_GEMM_FEW_WIDE;
}

/* A long product ends with a tree that takes as long as some hundred steps of k, so LONG needs a
   long k. If neither matrix is thin, LONG is chosen if half of a tile would be empty and k is so
   long that whole rows in one work-group are faster than a split k. JUDGED: neither LONG nor
   THIN. */
NN__OPENCL_PRIVATE nn__opencl_gemm_tile nn__opencl_gemm_judge_few(const nn__opencl *device,
                                                                  const nn_gemm_args *g,
                                                                  int32_t products) {
    const bool thin = g->m <= NN__OPENCL_GEMM_FEW_WIDE || g->n <= NN__OPENCL_GEMM_FEW_WIDE,
               few = (int64_t)g->m * g->n * products <= NN__OPENCL_GEMM_FEW_Y;
    if (nn__opencl_gemm_may_be_long(device, g) &&
        (thin ? few || g->k >= 512
              : few && (g->m <= 2 * NN__OPENCL_GEMM_FEW_WIDE ||
                        g->n <= 2 * NN__OPENCL_GEMM_FEW_WIDE) &&
                    g->k >= NN__OPENCL_GEMM_FEW_DEEP))
        return nn__opencl_gemm_long_tiles(g, products, 4) >
                       NN__OPENCL_GEMM_FEW_LARGE * (int64_t)device->units
                   ? NN__OPENCL_GEMM_TILE_LONG_8
                   : NN__OPENCL_GEMM_TILE_LONG_4;
    if (!few && nn__opencl_gemm_may_be_outer(device, g)) return NN__OPENCL_GEMM_TILE_OUTER;
    return nn__opencl_gemm_may_be_thin(device, g) ? NN__OPENCL_GEMM_TILE_THIN
                                                  : NN__OPENCL_GEMM_JUDGED;
}

/* Returns the rows per tile, at most `most`, a power of two. */
static int32_t nn__opencl_gemm_few_side(int32_t extent, int32_t most) {
    return extent == 1 ? 1 : extent <= 4 ? 4 : most;
}

/* Does not split k, because that needs a second launch. If there are too few tiles to occupy the
   device, tiles get fewer rows, and with a long k work-groups get larger. */
static void nn__opencl_gemm_plan_dots(const nn__opencl *device, const nn_gemm_args *g,
                                      nn__opencl_gemm_plan *plan) {
    const int64_t units = (int64_t)device->units,
                  columns = (int64_t)nn__opencl_ceil_div(g->n, plan->columns) * plan->products;
    if (g->k < NN__OPENCL_GEMM_FEW_DEEP) return;
    if (plan->rows == 4 && nn__opencl_ceil_div(g->m, plan->rows) * columns < units)
        plan->rows = 2;
    if (device->group >= 2 * NN__OPENCL_GEMM_FEW_ITEMS &&
        nn__opencl_ceil_div(g->m, plan->rows) * columns <= 2 * units)
        plan->items = 2 * NN__OPENCL_GEMM_FEW_ITEMS;
}

/* Splits k if there are too few work-groups to keep the memory busy. */
NN__OPENCL_PRIVATE void nn__opencl_gemm_plan_few(const nn__opencl *device, const nn_gemm_args *g,
                                                 nn__opencl_gemm_plan *plan) {
    const int32_t side = plan->tile == NN__OPENCL_GEMM_TILE_LONG_4 ? 4 : 8;
    int64_t tiles;
    plan->rows = nn__opencl_gemm_few_side(g->m, side);
    plan->way =
        plan->tile == NN__OPENCL_GEMM_TILE_THIN ? NN__OPENCL_GEMM_THIN : NN__OPENCL_GEMM_LONG;
    plan->items = NN__OPENCL_GEMM_FEW_ITEMS;
    if (plan->tile == NN__OPENCL_GEMM_TILE_OUTER) {
        plan->way = NN__OPENCL_GEMM_OUTER;
        plan->rows = NN__OPENCL_GEMM_OUTER_ROWS;
        plan->columns = NN__OPENCL_GEMM_THIN_WIDE;
        return;
    }
    if (plan->way == NN__OPENCL_GEMM_LONG) {
        plan->columns = plan->rows < side ? side : nn__opencl_gemm_few_side(g->n, side);
        if (g->m > NN__OPENCL_GEMM_FEW_WIDE && g->n > NN__OPENCL_GEMM_FEW_WIDE) {
            nn__opencl_gemm_plan_dots(device, g, plan);
            return;
        }
    } else
        plan->columns = NN__OPENCL_GEMM_THIN_WIDE;
    tiles = (int64_t)nn__opencl_ceil_div(g->m, plan->rows) *
            nn__opencl_ceil_div(g->n, plan->columns) * plan->products;
    if (plan->way == NN__OPENCL_GEMM_THIN)
        nn__opencl_gemm_split(plan, g->k, tiles, 4 * (int64_t)device->units,
                              device->gathers ? 64 : 256);
    else if (2 * tiles <= (int64_t)device->units) /* worth a second launch */
        nn__opencl_gemm_split(plan, g->k, tiles, 2 * (int64_t)device->units, 2048);
}

/* True if both matrices lie along k, in whole groups of four. */
static bool nn__opencl_gemm_few_fours(const nn_gemm_args *g) {
    return (!g->transpose_a || g->m == 1) && (g->transpose_b || g->n == 1) &&
           nn__opencl_gemm_in_fours(&g->a, g->k) && nn__opencl_gemm_in_fours(&g->b, g->k);
}

NN__OPENCL_PRIVATE void nn__opencl_gemm_few_options(const nn_gemm_args *g,
                                                    const nn__opencl_gemm_plan *plan, char *text,
                                                    size_t size) {
    if (plan->way == NN__OPENCL_GEMM_OUTER)
        nn__opencl_format(text, size, "-DNN_GEMM_ONLY=9 -DNN_GEMM_VECTOR=%d",
                          !g->transpose_b && nn__opencl_gemm_in_fours(&g->b, g->n) ? 1 : 0);
    else if (plan->way == NN__OPENCL_GEMM_THIN)
        nn__opencl_format(text, size,
                          "-DNN_GEMM_ONLY=7 -DNN_GEMM_DOWN=%d -DNN_GEMM_VECTOR=%d "
                          "-DNN_GEMM_GATHER=%d",
                          (int)plan->rows, nn__opencl_gemm_in_fours(&g->b, g->n) ? 1 : 0,
                          plan->gather ? 1 : 0);
    else
        nn__opencl_format(text, size,
                          "-DNN_GEMM_ONLY=6 -DNN_GEMM_DOWN=%d -DNN_GEMM_ACROSS=%d "
                          "-DNN_GEMM_LONG=%d -DNN_GEMM_VECTOR=%d",
                          (int)plan->rows, (int)plan->columns, (int)plan->items,
                          nn__opencl_gemm_few_fours(g) ? 1 : 0);
}

#undef NN__OPENCL_GEMM_FEW_WIDE
#undef NN__OPENCL_GEMM_FEW_LARGE
#undef NN__OPENCL_GEMM_FEW_Y
#undef NN__OPENCL_GEMM_FEW_DEEP
#undef NN__OPENCL_GEMM_OUTER_ROWS
