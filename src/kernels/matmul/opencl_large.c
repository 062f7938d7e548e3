/* kernels/matmul/opencl_large.c - which products of a GPU take tiles of 128 by 128, and the program
   of such a product. */
#include "kernels/matmul/opencl.h"

#define NN__OPENCL_GEMM_SIDE     128
#define NN__OPENCL_GEMM_SHORTEST 256 /* steps of a piece of k */

static int64_t nn__opencl_gemm_large_tiles(const nn_gemm_args *g, int32_t products) {
    return (int64_t)nn__opencl_ceil_div(g->m, NN__OPENCL_GEMM_SIDE) *
           nn__opencl_ceil_div(g->n, NN__OPENCL_GEMM_SIDE) * products;
}

/* Judged by compiled code, not by a GPU: these tiles do about 1.6 times the work of the others in
   the same time. So they may waste two of seven parts at the edges, but have to reach most of the
   device, if need be by a few pieces of k. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_is_large(nn__opencl *device, const nn_gemm_args *g,
                                                 int32_t products) {
    const int64_t area = NN__OPENCL_GEMM_SIDE * NN__OPENCL_GEMM_SIDE,
                  tiles = nn__opencl_gemm_large_tiles(g, products);
    int64_t pieces = g->k / NN__OPENCL_GEMM_SHORTEST;
    if (device->forced == NN__OPENCL_LARGE_TILES) return true;
    if (nn__opencl_family_of(device) != NN__OPENCL_TILES) return false;
    if (tiles * area * 5 > (int64_t)g->m * g->n * products * 7) return false;
    if (pieces < 1) pieces = 1;
    if (pieces > 8) pieces = 8;
    return tiles * pieces >= (int64_t)device->units;
}

/* Cut where the tiles do not fill the device twice: each unit holds two work-groups at once. */
NN__OPENCL_PRIVATE void nn__opencl_gemm_plan_large(nn__opencl *device, const nn_gemm_args *g,
                                                   nn__opencl_gemm_plan *plan) {
    const int64_t tiles = nn__opencl_gemm_large_tiles(g, plan->products);
    plan->way = NN__OPENCL_GEMM_LARGE;
    plan->rows = NN__OPENCL_GEMM_SIDE;
    if (tiles < (int64_t)device->units)
        nn__opencl_gemm_split(plan, g->k, tiles, 2 * (int64_t)device->units,
                              NN__OPENCL_GEMM_SHORTEST);
}

NN__OPENCL_PRIVATE bool nn__opencl_gemm_in_fours(const nn_view *view, int32_t together) {
    return together % 4 == 0 && view->offset % (4 * nn_dtype_size(view->dtype)) == 0;
}

NN__OPENCL_PRIVATE const char *nn__opencl_gemm_large_options(const nn_gemm_args *g) {
    static const char *const names[2][4] = {
        {"-DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=0 -DNN_GEMM_A_DEEP=0 -DNN_GEMM_B_DEEP=0",
         "-DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=0 -DNN_GEMM_A_DEEP=0 -DNN_GEMM_B_DEEP=1",
         "-DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=0 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=0",
         "-DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=0 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=1"},
        {"-DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=0 -DNN_GEMM_B_DEEP=0",
         "-DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=0 -DNN_GEMM_B_DEEP=1",
         "-DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=0",
         "-DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=1"}};
    const bool fours = nn__opencl_gemm_in_fours(&g->a, g->transpose_a ? g->m : g->k) &&
                       nn__opencl_gemm_in_fours(&g->b, g->transpose_b ? g->k : g->n);
    return names[fours][(g->transpose_a ? 0 : 2) + (g->transpose_b ? 1 : 0)];
}

#undef NN__OPENCL_GEMM_SIDE
#undef NN__OPENCL_GEMM_SHORTEST
