/* kernels/matmul/opencl_slices.c - which products have too few tiles to fill a GPU, and how these
   are split along k. The rules come from compiled code and from the bytes that are read, and were
   checked on an H200. */
#include "kernels/matmul/opencl.h"

#define NN__OPENCL_GEMM_SLICES_DEPTH 64 /* steps of k per turn */

NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_slices(const nn__opencl *device) {
    return nn__opencl_family_of(device) == NN__OPENCL_TILES &&
           device->group >= NN__OPENCL_GEMM_FEW_ITEMS;
}

/* True if there are fewer than four of the usual tiles per compute unit. These would leave some
   units idle, or with one tile more than others. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_is_slices(const nn__opencl *device, const nn_gemm_args *g,
                                                  int32_t products) {
    return nn__opencl_gemm_may_be_slices(device) &&
           (int64_t)nn__opencl_ceil_div(g->m, 64) * nn__opencl_ceil_div(g->n, 64) * products <
               4 * (int64_t)device->units;
}

/* Splits k if the tiles do not fill the device twice. A turn takes about as long as adding sixteen
   pieces of a tile, so more pieces than four times the square root of the turns cost more than they
   save. If a separate launch adds the pieces, each piece has at least four turns. */
NN__OPENCL_PRIVATE void nn__opencl_gemm_plan_slices(const nn__opencl *device, const nn_gemm_args *g,
                                                    nn__opencl_gemm_plan *plan) {
    const int64_t tiles = (int64_t)nn__opencl_ceil_div(g->m, NN__OPENCL_GEMM_SLICES_SIDE) *
                          nn__opencl_ceil_div(g->n, NN__OPENCL_GEMM_SLICES_SIDE) * plan->products;
    const int64_t turns = nn__opencl_ceil_div(g->k, NN__OPENCL_GEMM_SLICES_DEPTH),
                  most = device->gathers ? turns : turns / 4;
    int64_t splits = 2 * (int64_t)device->units / tiles;
    plan->way = NN__OPENCL_GEMM_SLICES;
    plan->items = NN__OPENCL_GEMM_FEW_ITEMS;
    plan->rows = plan->columns = NN__OPENCL_GEMM_SLICES_SIDE;
    if (splits > most) splits = most;
    while (splits > 1 && splits * splits > 16 * turns) splits--;
    if (turns < 4 || splits < 2) return;
    plan->chunk = nn__opencl_ceil_div(turns, splits) * NN__OPENCL_GEMM_SLICES_DEPTH;
    plan->splits = nn__opencl_ceil_div(g->k, plan->chunk);
}

/* True if the last work-group of a tile may add its pieces. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_gathers(const nn__opencl *device, const nn_gemm_args *g,
                                                const nn__opencl_gemm_plan *plan) {
    return device->gathers && plan->splits > 1 &&
           (plan->way == NN__OPENCL_GEMM_SLICES || plan->way == NN__OPENCL_GEMM_THIN) &&
           (int64_t)nn__opencl_ceil_div(g->m, plan->rows) *
                   nn__opencl_ceil_div(g->n, plan->columns) * plan->products <=
               NN__OPENCL_TURNS;
}

NN__OPENCL_PRIVATE void nn__opencl_gemm_slices_options(const nn_gemm_args *g,
                                                       const nn__opencl_gemm_plan *plan,
                                                       char *text, size_t size) {
    const bool fours = nn__opencl_gemm_in_fours(&g->a, g->transpose_a ? g->m : g->k) &&
                       nn__opencl_gemm_in_fours(&g->b, g->transpose_b ? g->k : g->n);
    nn__opencl_format(text, size,
                      "-DNN_GEMM_ONLY=8 -DNN_GEMM_VECTOR=%d -DNN_GEMM_A_DEEP=%d "
                      "-DNN_GEMM_B_DEEP=%d -DNN_GEMM_GATHER=%d",
                      fours ? 1 : 0, g->transpose_a ? 0 : 1, g->transpose_b ? 1 : 0,
                      plan->gather ? 1 : 0);
}

#undef NN__OPENCL_GEMM_SLICES_DEPTH
