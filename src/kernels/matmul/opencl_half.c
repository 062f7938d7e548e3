/* kernels/matmul/opencl_half.c - products in half arithmetic on devices without matrix units: which
   products these are, and the launches that find the largest numbers of their operands. The tiles
   are those of opencl_large.cl. */
#include "kernels/matmul/opencl.h"

#define NN__OPENCL_GEMM_HALF_PARTS 64 /* NN_HALF_PARTS of opencl_large.cl */
/* Least m n / (m + n): finding the largest numbers reads both operands once, which takes at most an
   eighth of such a product's time where a device does 128 operations while it reads four bytes. */
#define NN__OPENCL_GEMM_HALF_LEAST 256

static bool nn__opencl_gemm_half_suits(const nn__opencl *device, const nn_gemm_args *g,
                                       const nn__opencl_gemm_plan *plan) {
    return plan->products == 1 && !plan->y_type && g->a.dtype == NN_F32 && g->b.dtype == NN_F32 &&
           (device->half_always || (int64_t)g->m * g->n / ((int64_t)g->m + g->n) >=
                                       NN__OPENCL_GEMM_HALF_LEAST);
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
         (plan->tile != NN__OPENCL_GEMM_TILE_128_256 || nn__opencl_gemm_half_is_intel(device))))
        return;
    if (!nn__opencl_halves(device)) return;
    plan->rounding = NN__OPENCL_ROUND_F16;
    plan->packed_bytes = 2 * 4 * NN__OPENCL_GEMM_HALF_PARTS;
}

NN__OPENCL_PRIVATE nn_view nn__opencl_gemm_half_most(const nn_gemm_args *g,
                                                     const nn__opencl_gemm_plan *plan) {
    return nn__opencl_part(&g->scratch, plan->partial_bytes, plan->packed_bytes);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_gemm_half_prepare(nn__opencl *device,
                                                          const nn_gemm_args *g,
                                                          const nn__opencl_gemm_plan *plan) {
    nn_result result = NN_OK;
    for (int i = 0; i < 2 && result >= 0; i++) {
        const nn_view to = nn__opencl_part(
            &g->scratch, plan->partial_bytes + (uint64_t)i * 4 * NN__OPENCL_GEMM_HALF_PARTS,
            4 * NN__OPENCL_GEMM_HALF_PARTS);
        const size_t groups = NN__OPENCL_GEMM_HALF_PARTS, local = 256;
        nn__opencl_launch launch =
            nn__opencl_begin(device, "matmul", "nn_gemm_half_most", "-DNN_GEMM_ONLY=12");
        nn__opencl_view(&launch, &to);
        nn__opencl_view(&launch, i ? &g->b : &g->a);
        nn__opencl_ulong(&launch, (uint64_t)(i ? g->n : g->m) * (uint64_t)g->k);
        result = nn__opencl_run(&launch, 1, &groups, &local);
    }
    return result;
}

#undef NN__OPENCL_GEMM_HALF_PARTS
#undef NN__OPENCL_GEMM_HALF_LEAST
