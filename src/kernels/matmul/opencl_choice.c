/* kernels/matmul/opencl_choice.c - the ways of a matrix product among which nn_opencl_tune chooses:
   their names, which of them fit a product, and the choice. */
#include "kernels/matmul/opencl.h"

#define NN__OPENCL_GEMM_LEAST 8192 /* multiplications; smaller products use the plain kernel */

NN__OPENCL_PRIVATE const char *const *nn__opencl_gemm_tile_names(int *count) {
    static const char *const names[NN__OPENCL_GEMM_TILE_COUNT] = {
        "plain", "32x32",   "64x64", "128x64", "128x128", "long4",
        "long8", "clblast", "thin",
        "slices",  "64x128", "64x64/4", "32x64", "128x256",
        "outer", "64x64/mma", "128x128/mma", "128x128/mma-copied"};
    *count = NN__OPENCL_GEMM_TILE_COUNT;
    return names;
}

static bool nn__opencl_gemm_blas_fits(nn__opencl *device, const nn_gemm_args *g) {
    uint64_t scratch_bytes;
    int64_t products = 1;
    for (int i = 0; i < NN_GEMM_BATCH; i++) products *= g->batch[i] > 0 ? g->batch[i] : 1;
    return device->gpu && products == 1 && g->a.dtype == NN_F32 && g->b.dtype == NN_F32 &&
           nn__opencl_blas_takes(device, g, &scratch_bytes);
}

NN__OPENCL_PRIVATE bool nn__opencl_gemm_fits(nn__opencl *device, const nn_gemm_args *g,
                                             int32_t tile) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    if ((int64_t)g->m * g->n * g->k <= NN__OPENCL_GEMM_LEAST) return false;
    switch (tile) {
    case NN__OPENCL_GEMM_TILE_32:
        return family == NN__OPENCL_TILES || family == NN__OPENCL_SMALL_TILES;
    case NN__OPENCL_GEMM_TILE_64:
    case NN__OPENCL_GEMM_TILE_128: return family == NN__OPENCL_TILES;
    case NN__OPENCL_GEMM_TILE_LONG_4:
    case NN__OPENCL_GEMM_TILE_LONG_8:
        return (family == NN__OPENCL_TILES || family == NN__OPENCL_SMALL_TILES) &&
               nn__opencl_gemm_may_be_long(device, g);
    case NN__OPENCL_GEMM_TILE_THIN:
        return (family == NN__OPENCL_TILES || family == NN__OPENCL_SMALL_TILES) &&
               nn__opencl_gemm_may_be_thin(device, g);
    case NN__OPENCL_GEMM_TILE_SLICES: return nn__opencl_gemm_may_be_slices(device);
    case NN__OPENCL_GEMM_TILE_OUTER: return nn__opencl_gemm_may_be_outer(device, g);
    case NN__OPENCL_GEMM_TILE_BLAS: return nn__opencl_gemm_blas_fits(device, g);
    case NN__OPENCL_GEMM_TILE_MMA_64:
    case NN__OPENCL_GEMM_TILE_MMA_128:
    case NN__OPENCL_GEMM_TILE_MMA_COPIED: return false;
    default: return nn__opencl_gemm_may_be_large(device, (nn__opencl_gemm_tile)tile);
    }
}

NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_gemm_taken(nn__opencl *device,
                                                           const nn_gemm_args *g) {
    const nn__opencl_gemm_plan plan = nn__opencl_gemm_plan_of(device, g);
    nn__opencl_choice taken;
    taken.tile = (int32_t)plan.tile;
    taken.splits = plan.splits;
    return taken;
}

#undef NN__OPENCL_GEMM_LEAST
