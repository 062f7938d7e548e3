/* kernels/matmul/opencl_half.c - products in half arithmetic on devices without matrix units: which
   products these are. The tiles are those of opencl_large.cl. */
#include "kernels/matmul/opencl.h"

static bool nn__opencl_gemm_half_suits(const nn__opencl *device, const nn_gemm_args *g,
                                       const nn__opencl_gemm_plan *plan) {
    return plan->products == 1 && !plan->y_type && g->a.dtype == NN_F32 && g->b.dtype == NN_F32 &&
           nn__opencl_half_is_worth(device, (double)g->m * g->n, (double)g->m + g->n);
}

NN__OPENCL_PRIVATE void nn__opencl_gemm_plan_half(nn__opencl *device, const nn_gemm_args *g,
                                                  nn__opencl_gemm_plan *plan) {
    if (g->precision != NN_PRECISION_MEDIUM || !device->half ||
        !nn__opencl_gemm_half_suits(device, g, plan))
        return;
    if (device->half_always && nn__opencl_gemm_may_be_large(device, NN__OPENCL_GEMM_TILE_LARGE)) {
        plan->tile = NN__OPENCL_GEMM_TILE_LARGE;
        plan->splits = 1;
        plan->chunk = g->k;
        nn__opencl_gemm_plan_large(device, g, plan);
    }
    if (plan->way != NN__OPENCL_GEMM_LARGE ||
        (plan->tile != NN__OPENCL_GEMM_TILE_LARGE &&
         (plan->tile != NN__OPENCL_GEMM_TILE_128_256 || nn__opencl_half_is_intel(device))))
        return;
    if (!nn__opencl_halves(device)) return;
    plan->rounding = NN__OPENCL_ROUND_F16;
    plan->packed_bytes = NN__OPENCL_HALF_BYTES;
}

NN__OPENCL_PRIVATE nn_view nn__opencl_gemm_half_most(const nn_gemm_args *g,
                                                     const nn__opencl_gemm_plan *plan) {
    return nn__opencl_part(&g->scratch, plan->partial_bytes, plan->packed_bytes);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_gemm_half_prepare(nn__opencl *device,
                                                          const nn_gemm_args *g,
                                                          const nn__opencl_gemm_plan *plan) {
    const nn_view most = nn__opencl_gemm_half_most(g, plan);
    return nn__opencl_half_find(device, &most, &g->a, (uint64_t)g->m * (uint64_t)g->k, &g->b,
                                (uint64_t)g->n * (uint64_t)g->k);
}
