/* kernels/matmul/opencl_plan.c - chooses the kernel of a matrix product, and how it is cut.

   kernels/matmul/opencl_large.c chooses tiles in local memory. opencl_slices.c and opencl_few.c,
   beside it, are for few tiles, rows or columns. CLBlast runs large products. Products with few
   tiles are split along k and added in a fixed order. A plain kernel computes tiny products. All
   choices depend only on shapes and device. */
#include "kernels/matmul/opencl.h"

#define NN__OPENCL_GEMM_TINY 8192 /* multiplications */

NN__OPENCL_PRIVATE nn__opencl_family nn__opencl_family_of(const nn__opencl *device) {
    if (device->forced >= NN__OPENCL_LARGE_TILES) return NN__OPENCL_TILES;
    if (device->forced != NN__OPENCL_BY_DEVICE) return device->forced;
    if (device->spread) return NN__OPENCL_SMALL_TILES;
    if (device->group >= 256 && device->local_memory >= 24 * 1024 && !device->local_is_far)
        return NN__OPENCL_TILES;
    if (device->group >= 64 && device->local_memory >= 8 * 1024) return NN__OPENCL_SMALL_TILES;
    return NN__OPENCL_PLAIN;
}

NN__OPENCL_PRIVATE void nn__opencl_gemm_split(nn__opencl_gemm_plan *plan, int32_t k, int64_t tiles,
                                              int64_t wanted, int32_t shortest) {
    int64_t splits = (wanted + tiles - 1) / tiles;
    if (splits > k / shortest) splits = k / shortest;
    if (splits < 2) return;
    plan->chunk = (nn__opencl_ceil_div(k, splits) + 15) / 16 * 16;
    plan->splits = nn__opencl_ceil_div(k, plan->chunk);
}

static nn__opencl_gemm_tile nn__opencl_gemm_judge_gpu(nn__opencl *device, const nn_gemm_args *g,
                                                      const nn__opencl_gemm_plan *plan) {
    const nn__opencl_gemm_tile few = nn__opencl_gemm_judge_few(device, g, plan->products);
    if (few != NN__OPENCL_GEMM_JUDGED) return few;
    return nn__opencl_family_of(device) == NN__OPENCL_SMALL_TILES
               ? NN__OPENCL_GEMM_TILE_32
               : nn__opencl_gemm_judge_large(device, g, plan->products);
}

static void nn__opencl_gemm_plan_gpu(nn__opencl *device, const nn_gemm_args *g,
                                     nn__opencl_gemm_plan *plan) {
    const int64_t columns = (int64_t)nn__opencl_ceil_div(g->n, 64) * plan->products;
    if (plan->tile == NN__OPENCL_GEMM_TILE_LONG_4 || plan->tile == NN__OPENCL_GEMM_TILE_LONG_8 ||
        plan->tile == NN__OPENCL_GEMM_TILE_THIN || plan->tile == NN__OPENCL_GEMM_TILE_OUTER) {
        nn__opencl_gemm_plan_few(device, g, plan);
        return;
    }
    if (plan->tile == NN__OPENCL_GEMM_TILE_SLICES) {
        nn__opencl_gemm_plan_slices(device, g, plan);
        return;
    }
    if (nn__opencl_gemm_plan_large(device, g, plan)) return;
    plan->way = NN__OPENCL_GEMM_TILES;
    plan->rows = plan->tile == NN__OPENCL_GEMM_TILE_128 ? 128 : 64;
    nn__opencl_gemm_split(plan, g->k, nn__opencl_ceil_div(g->m, plan->rows) * columns,
                          device->units > 32 ? 2 * (int64_t)device->units : 64, 128);
}

/* Applies the measured number of splits instead of the judged one. */
static void nn__opencl_gemm_recut(const nn_gemm_args *g, int32_t splits,
                                  nn__opencl_gemm_plan *plan) {
    if (splits < 1 || plan->way == NN__OPENCL_GEMM_LONG || plan->way == NN__OPENCL_GEMM_BLAS)
        return;
    plan->splits = 1;
    plan->chunk = g->k;
    if (splits > 1) nn__opencl_gemm_split(plan, g->k, 1, splits, 16);
}

static int32_t nn__opencl_gemm_extent(const nn_gemm_args *g, int axis) {
    return g->batch[axis] > 0 ? g->batch[axis] : 1;
}

static void nn__opencl_gemm_plan_batch(const nn_gemm_args *g, nn__opencl_gemm_plan *plan) {
    plan->products = 1;
    for (int i = 0; i < NN_GEMM_BATCH; i++) plan->products *= nn__opencl_gemm_extent(g, i);
    plan->a_type = nn__opencl_gemm_type(&g->a);
    plan->b_type = nn__opencl_gemm_type(&g->b);
    plan->y_type = nn__opencl_gemm_type(&g->y);
}

/* The units of a batch are products, because there may be many with few rows. */
static void nn__opencl_gemm_plan_units(nn__opencl_gemm_plan *plan) {
    const int32_t most = NN__OPENCL_GEMM_THIRD / plan->splits;
    plan->units = plan->tiles;
    plan->each = 1;
    if (plan->products == 1) return;
    plan->each = nn__opencl_ceil_div(plan->products, 32);
    if (plan->each > most) plan->each = most;
    plan->units = nn__opencl_ceil_div(plan->products, plan->each);
}

/* Takes the measured tile if it fits, else the judged one. */
static void nn__opencl_gemm_plan_tile(nn__opencl *device, const nn_gemm_args *g,
                                      nn__opencl_gemm_plan *plan) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    const nn__opencl_choice choice = nn__opencl_choose(device, NN_KERNEL_GEMM, g);
    if (g->steady) return; /* the plain kernel adds each number alone */
    if (nn__opencl_gemm_plan_mma(device, g, plan)) return;
    if (plan->y_type) { /* kernels that write f16 and bf16 */
        if ((int64_t)g->m * g->n * g->k <= NN__OPENCL_GEMM_TINY || family == NN__OPENCL_PLAIN)
            return;
        plan->tile = family == NN__OPENCL_SMALL_TILES ? NN__OPENCL_GEMM_TILE_32
                                                      : NN__OPENCL_GEMM_TILE_64;
        nn__opencl_gemm_plan_gpu(device, g, plan);
        return;
    }
    const bool chosen = choice.tile && nn__opencl_gemm_fits(device, g, choice.tile);
    if (chosen)
        plan->tile = (nn__opencl_gemm_tile)choice.tile;
    else if (device->clblast_always && nn__opencl_gemm_fits(device, g, NN__OPENCL_GEMM_TILE_BLAS))
        plan->tile = NN__OPENCL_GEMM_TILE_BLAS;
    else if ((int64_t)g->m * g->n * g->k <= NN__OPENCL_GEMM_TINY || family == NN__OPENCL_PLAIN)
        return;
    else
        plan->tile = nn__opencl_gemm_judge_gpu(device, g, plan);
    if (plan->tile == NN__OPENCL_GEMM_TILE_BLAS)
        plan->way = NN__OPENCL_GEMM_BLAS;
    else
        nn__opencl_gemm_plan_gpu(device, g, plan);
    if (chosen) nn__opencl_gemm_recut(g, choice.splits, plan);
}

NN__OPENCL_PRIVATE nn__opencl_gemm_plan nn__opencl_gemm_plan_of(nn__opencl *device,
                                                                const nn_gemm_args *g) {
    nn__opencl_gemm_plan plan;
    memset(&plan, 0, sizeof plan);
    nn__opencl_gemm_plan_batch(g, &plan);
    plan.way = NN__OPENCL_GEMM_PLAIN;
    plan.rows = 16;
    plan.splits = 1;
    plan.chunk = g->k;
#ifndef NN_NO_SPEEDUPS
    if (nn__opencl_gemm_residual(g)) {
        plan.residual = g->residual_use ? 2 + (int)g->residual_use : g->rounds_sum ? 2 : 1;
        plan.r_type = nn__opencl_gemm_type(&g->residual);
    }
#endif
    nn__opencl_gemm_plan_tile(device, g, &plan);
    if (plan.way != NN__OPENCL_GEMM_MMA) nn__opencl_gemm_plan_half(device, g, &plan);
    if (plan.way == NN__OPENCL_GEMM_BLAS) {
        plan.rows = g->m;
        plan.finish = g->accumulate || plan.residual || nn__opencl_present(&g->epilogue.bias) ||
                      g->epilogue.activation != NN_ACTIVATION_NONE;
        if (g->accumulate) plan.partial_bytes = (uint64_t)g->m * (uint64_t)g->n * 4;
    } else {
        plan.gather = nn__opencl_gemm_gathers(device, g, &plan);
        plan.finish = plan.splits > 1 && !plan.gather;
        if (plan.splits > 1)
            plan.partial_bytes = (uint64_t)plan.splits * (uint64_t)plan.products * (uint64_t)g->m *
                                 (uint64_t)g->n * 4;
    }
    plan.partial_bytes = (plan.partial_bytes + 63) / 64 * 64;
    plan.tiles = nn__opencl_ceil_div(g->m, plan.rows);
    nn__opencl_gemm_plan_units(&plan);
    return plan;
}

#undef NN__OPENCL_GEMM_TINY
