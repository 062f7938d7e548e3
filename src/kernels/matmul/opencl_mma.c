/* kernels/matmul/opencl_mma.c - products on matrix units: which products use them, in which tiles,
   and how k is split. */
#include "kernels/matmul/opencl.h"

#define NN__OPENCL_GEMM_MMA_LEAST  32  /* smaller extents leave most of a tile empty */
#define NN__OPENCL_GEMM_MMA_CHUNK  256 /* least steps in a piece of k */
#define NN__OPENCL_GEMM_MMA_SPLITS 16

/* Costs of a tile, in quarters of a tile of 128 that shares its compute unit. A tile of 64 reads
   twice as much for each product. */
#define NN__OPENCL_GEMM_MMA_SMALL 5 / 4
#define NN__OPENCL_GEMM_MMA_ALONE 3 / 2 /* a single tile waits for memory and for its barriers */

static int64_t nn__opencl_gemm_mma_tiles(const nn_gemm_args *g, int32_t products, int32_t side) {
    return (int64_t)nn__opencl_ceil_div(g->m, side) * nn__opencl_ceil_div(g->n, side) * products;
}

/* Estimates the time of all tiles on the busiest compute unit. */
static int64_t nn__opencl_gemm_mma_cost(const nn__opencl *device, const nn_gemm_args *g,
                                        int32_t products, int32_t side) {
    const int64_t units = device->units > 0 ? (int64_t)device->units : 1,
                  each = (nn__opencl_gemm_mma_tiles(g, products, side) + units - 1) / units;
    const int64_t cost = each * (side == 128 ? 16 : 4 * NN__OPENCL_GEMM_MMA_SMALL);
    return each == 1 ? cost * NN__OPENCL_GEMM_MMA_ALONE : cost;
}

/* Operands of f16 have more bits than bf16. TF32 holds all of them. */
static nn_precision nn__opencl_gemm_mma_precision(const nn_gemm_args *g) {
    return g->precision == NN_PRECISION_MEDIUM &&
                   (g->a.dtype == NN_F16 || g->b.dtype == NN_F16)
               ? NN_PRECISION_HIGH
               : g->precision;
}

/* Returns the side of the tiles; 0: the product does not use matrix units. Few rows or columns are
   limited by memory, so the kernels for them are as fast. In tests (mma_always) the sides take
   turns. */
static int32_t nn__opencl_gemm_mma_side(nn__opencl *device, const nn_gemm_args *g,
                                        int32_t products) {
    const bool fours = nn__opencl_gemm_in_fours(&g->a, g->transpose_a ? g->m : g->k) &&
                       nn__opencl_gemm_in_fours(&g->b, g->transpose_b ? g->k : g->n);
    /* Tiles of 128 need too many registers for bf16 without vectors, and always on gfx11. */
    const bool large = nn__opencl_mma_fits(device, 128) && device->mma != NN__OPENCL_MMA_GFX11 &&
                       (fours || nn__opencl_gemm_mma_precision(g) == NN_PRECISION_HIGH);
    if (g->steady || nn__opencl_family_of(device) != NN__OPENCL_TILES ||
        !nn__opencl_mma_fits(device, 64) || (int64_t)g->m * g->k > INT32_MAX ||
        (int64_t)g->n * g->k > INT32_MAX || g->k < 1)
        return 0;
    if (device->mma_always) return large && (g->m + g->n + g->k) % 3 == 0 ? 128 : 64;
    if (g->m < NN__OPENCL_GEMM_MMA_LEAST || g->n < NN__OPENCL_GEMM_MMA_LEAST ||
        g->k < NN__OPENCL_GEMM_MMA_LEAST)
        return 0;
    return large && nn__opencl_gemm_mma_cost(device, g, products, 128) <=
                        nn__opencl_gemm_mma_cost(device, g, products, 64)
               ? 128
               : 64;
}

/* Splits k if the tiles do not fill the device twice. A piece is a whole number of turns. */
static void nn__opencl_gemm_mma_split(const nn__opencl *device, const nn_gemm_args *g,
                                      nn__opencl_gemm_plan *plan) {
    const int64_t tiles = nn__opencl_gemm_mma_tiles(g, plan->products, plan->rows);
    int64_t splits = 2 * (int64_t)device->units / tiles;
    int32_t least = NN__OPENCL_GEMM_MMA_CHUNK;
    if (device->mma_testing) return; /* the self-test's scratch has no room for pieces */
    if (device->mma_always) least = 32;
    if (splits > g->k / least) splits = g->k / least;
    if (splits > NN__OPENCL_GEMM_MMA_SPLITS) splits = NN__OPENCL_GEMM_MMA_SPLITS;
    if (splits < 2) return;
    plan->chunk = (nn__opencl_ceil_div(g->k, splits) + 31) / 32 * 32;
    plan->splits = nn__opencl_ceil_div(g->k, plan->chunk);
}

/* True if tiles of 128 with copied operands suit the product. Under mma_always, that is a third of
   the products. */
static bool nn__opencl_gemm_mma_fills(const nn__opencl *device, const nn_gemm_args *g,
                                      const nn__opencl_gemm_plan *plan) {
    return device->mma_always ? (g->m + g->n + g->k) % 3 == 1
                              : nn__opencl_gemm_mma_cost(device, g, plan->products, 128) <=
                                    nn__opencl_gemm_mma_cost(device, g, plan->products, 64);
}

NN__OPENCL_PRIVATE bool nn__opencl_gemm_plan_mma(nn__opencl *device, const nn_gemm_args *g,
                                                 nn__opencl_gemm_plan *plan) {
    int32_t side;
    if (g->precision <= NN_PRECISION_HIGHEST || device->mma == NN__OPENCL_MMA_NONE) return false;
    side = nn__opencl_gemm_mma_side(device, g, plan->products);
    if (!side) return false;
    plan->rounding = nn__opencl_rounding_of(device, nn__opencl_gemm_mma_precision(g));
    if (plan->rounding == NN__OPENCL_ROUND_NOT) return false;
    if (nn__opencl_gemm_plan_copied(device, g, plan, nn__opencl_gemm_mma_fills(device, g, plan))) {
        nn__opencl_gemm_mma_split(device, g, plan);
        return true;
    }
    plan->way = NN__OPENCL_GEMM_MMA;
    plan->tile = side == 128 ? NN__OPENCL_GEMM_TILE_MMA_128 : NN__OPENCL_GEMM_TILE_MMA_64;
    plan->rows = plan->columns = plan->items = side;
    nn__opencl_gemm_mma_split(device, g, plan);
    return true;
}

NN__OPENCL_PRIVATE nn__opencl_rounding nn__opencl_gemm_rounding(nn__opencl *device,
                                                                const nn_gemm_args *g) {
    return nn__opencl_gemm_plan_of(device, g).rounding;
}

/* True if a bf16 matrix can be copied to local memory in groups of eight numbers. */
static bool nn__opencl_gemm_mma_copies(const nn__opencl_gemm_plan *plan, const nn_view *view,
                                       bool deep, int32_t k) {
    return plan->rounding == NN__OPENCL_ROUND_BF16 && view->dtype == NN_BF16 && deep &&
           k % 8 == 0 && view->offset % 16 == 0;
}

NN__OPENCL_PRIVATE void nn__opencl_gemm_mma_options(const nn__opencl *device,
                                                    const nn_gemm_args *g,
                                                    const nn__opencl_gemm_plan *plan, char *text,
                                                    size_t size) {
    const bool fours = nn__opencl_gemm_in_fours(&g->a, g->transpose_a ? g->m : g->k) &&
                       nn__opencl_gemm_in_fours(&g->b, g->transpose_b ? g->k : g->n);
    char units[80];
    nn__opencl_mma_options(device, plan->rounding, plan->rows, units, sizeof units);
    if (plan->a_form) {
        nn__opencl_format(text, size, "%s-DNN_GEMM_ONLY=10 -DNN_MMA_A_FORM=%d -DNN_MMA_B_FORM=%d",
                          units, (int)plan->a_form, (int)plan->b_form);
        return;
    }
    nn__opencl_format(
        text, size,
        "%s-DNN_GEMM_ONLY=10 -DNN_GEMM_VECTOR=%d -DNN_GEMM_A_DEEP=%d -DNN_GEMM_B_DEEP=%d "
        "-DNN_MMA_COPY_A=%d -DNN_MMA_COPY_B=%d",
        units, fours ? 1 : 0, g->transpose_a ? 0 : 1, g->transpose_b ? 1 : 0,
        nn__opencl_gemm_mma_copies(plan, &g->a, !g->transpose_a, g->k) ? 1 : 0,
        nn__opencl_gemm_mma_copies(plan, &g->b, g->transpose_b, g->k) ? 1 : 0);
}

#undef NN__OPENCL_GEMM_MMA_LEAST
#undef NN__OPENCL_GEMM_MMA_CHUNK
#undef NN__OPENCL_GEMM_MMA_SPLITS
#undef NN__OPENCL_GEMM_MMA_SMALL
#undef NN__OPENCL_GEMM_MMA_ALONE
