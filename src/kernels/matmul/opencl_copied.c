/* kernels/matmul/opencl_copied.c - large products on matrix units whose operands are copied to
   local memory as they are (opencl/mma_loop.cl). Decides which products these are and in which
   forms their operands lie, and launches the packing of operands. */
#include "kernels/matmul/opencl.h"

#define NN__OPENCL_GEMM_COPIED_SIDE  128 /* rows and columns of a tile */
#define NN__OPENCL_GEMM_COPIED_STAGE 2048 /* words of an operand in a turn */

/* Packing pays if moving its bytes takes less time than the faster loop saves, which is taken to be
   a quarter of the product's time. While it moves one byte, a device with matrix units does 80
   (gfx90a, RTX 30), 150 (A100) or 200 (H100) operations with bf16, and half as many with TF32.
   These are the makers' figures, not measurements; 150 is used for all devices. */
#define NN__OPENCL_GEMM_COPIED_RATE  150
#define NN__OPENCL_GEMM_COPIED_SAVES 4

/* The forms of an operand: NN_MMA_A_FORM of opencl/mma_loop.cl. */
enum { NN__OPENCL_GEMM_PACKED = 1, NN__OPENCL_GEMM_DEEP, NN__OPENCL_GEMM_ACROSS };

/* Returns the form of an operand of `lines` lines. It depends on no offset, because offsets are
   unknown when scratch is planned. Only NVIDIA's units read bf16 numbers that lie across k. */
static int32_t nn__opencl_gemm_copied_form(const nn__opencl *device, const nn_view *view, bool deep,
                                           int32_t lines, int32_t k,
                                           nn__opencl_rounding rounding) {
    const bool across =
        device->mma == NN__OPENCL_MMA_NVIDIA || device->mma == NN__OPENCL_MMA_EMULATED;
    if (rounding != NN__OPENCL_ROUND_BF16 || view->dtype != NN_BF16) return NN__OPENCL_GEMM_PACKED;
    if (deep && k % 8 == 0) return NN__OPENCL_GEMM_DEEP;
    return !deep && lines % 8 == 0 && across ? NN__OPENCL_GEMM_ACROSS : NN__OPENCL_GEMM_PACKED;
}

static int32_t nn__opencl_gemm_copied_turns(nn__opencl_rounding rounding, int32_t k) {
    return nn__opencl_ceil_div(k, rounding == NN__OPENCL_ROUND_BF16 ? 32 : 16);
}

/* Returns the bytes of a packed operand; 0 if it has another form. */
static uint64_t nn__opencl_gemm_packed_bytes(const nn__opencl_gemm_plan *plan, int32_t form,
                                             int32_t lines, int32_t k) {
    if (form != NN__OPENCL_GEMM_PACKED) return 0;
    return (uint64_t)nn__opencl_ceil_div(lines, NN__OPENCL_GEMM_COPIED_SIDE) *
           (uint64_t)nn__opencl_gemm_copied_turns(plan->rounding, k) *
           (4 * NN__OPENCL_GEMM_COPIED_STAGE);
}

/* True if packing takes less time than it saves. */
static bool nn__opencl_gemm_copied_pays(const nn_gemm_args *g, const nn__opencl_gemm_plan *plan) {
    const uint64_t a_bytes = nn__opencl_gemm_packed_bytes(plan, plan->a_form, g->m, g->k),
                   b_bytes = nn__opencl_gemm_packed_bytes(plan, plan->b_form, g->n, g->k);
    const uint64_t read = (a_bytes ? (uint64_t)g->m * nn_dtype_size(g->a.dtype) : 0) +
                          (b_bytes ? (uint64_t)g->n * nn_dtype_size(g->b.dtype) : 0);
    const double moved = (double)(a_bytes + b_bytes) + (double)read * g->k,
                 operations = 2.0 * g->m * g->n * g->k * plan->products;
    const int rate = plan->rounding == NN__OPENCL_ROUND_BF16 ? NN__OPENCL_GEMM_COPIED_RATE
                                                             : NN__OPENCL_GEMM_COPIED_RATE / 2;
    return moved * rate * NN__OPENCL_GEMM_COPIED_SAVES <= operations;
}

static bool nn__opencl_gemm_copied_aligned(const nn_view *view, int32_t form) {
    return form == NN__OPENCL_GEMM_PACKED || view->offset % 16 == 0;
}

NN__OPENCL_PRIVATE bool nn__opencl_gemm_plan_copied(nn__opencl *device, const nn_gemm_args *g,
                                                    nn__opencl_gemm_plan *plan, bool fills) {
    const bool packs_any = plan->products == 1;
    uint64_t bytes;
    if (device->mma_copied < 0 || !nn__opencl_mma_fits_copied(device)) return false;
    plan->a_form =
        nn__opencl_gemm_copied_form(device, &g->a, !g->transpose_a, g->m, g->k, plan->rounding);
    plan->b_form =
        nn__opencl_gemm_copied_form(device, &g->b, g->transpose_b, g->n, g->k, plan->rounding);
    bytes = nn__opencl_gemm_packed_bytes(plan, plan->a_form, g->m, g->k) +
            nn__opencl_gemm_packed_bytes(plan, plan->b_form, g->n, g->k);
    if ((bytes && !packs_any) ||
        (device->mma_copied == 0 &&
         (!fills || (bytes && !device->mma_always && !nn__opencl_gemm_copied_pays(g, plan)))) ||
        !nn__opencl_mma_copies(device, plan->rounding)) {
        plan->a_form = plan->b_form = 0;
        return false;
    }
    plan->packed_bytes = bytes;
    plan->way = NN__OPENCL_GEMM_MMA;
    plan->tile = NN__OPENCL_GEMM_TILE_MMA_COPIED;
    plan->rows = plan->columns = plan->items = NN__OPENCL_GEMM_COPIED_SIDE;
    if (!nn__opencl_gemm_copied_aligned(&g->a, plan->a_form) ||
        !nn__opencl_gemm_copied_aligned(&g->b, plan->b_form)) {
        /* The usual loop reads them, in the same tiles, so that the planned scratch suffices. */
        plan->tile = NN__OPENCL_GEMM_TILE_MMA_128;
        plan->a_form = plan->b_form = 0;
        return true;
    }
    if (plan->a_form == NN__OPENCL_GEMM_PACKED) plan->a_type = 0;
    if (plan->b_form == NN__OPENCL_GEMM_PACKED) plan->b_type = 0;
    return true;
}

/* ---- packing --------------------------------------------------------------------------------- */

static nn_result nn__opencl_gemm_pack(nn__opencl *device, const nn__opencl_gemm_plan *plan,
                                      const nn_view *view, const nn_view *to, bool deep,
                                      int32_t lines, int32_t k) {
    const int32_t turns = nn__opencl_gemm_copied_turns(plan->rounding, k);
    const uint64_t groups =
        nn__opencl_gemm_packed_bytes(plan, NN__OPENCL_GEMM_PACKED, lines, k) / 16;
    char options[160], units[80];
    nn__opencl_launch launch;
    nn__opencl_mma_options(device, plan->rounding, plan->rows, units, sizeof units);
    nn__opencl_format(options, sizeof options, "%s-DNN_GEMM_ONLY=11 -DNN_GEMM_A_TYPE=%d", units,
                      nn__opencl_gemm_type(view));
    launch = nn__opencl_begin(device, "matmul", "nn_gemm_mma_pack", options);
    if (launch.result < 0) return launch.result;
    nn__opencl_view(&launch, to);
    nn__opencl_view(&launch, view);
    nn__opencl_int(&launch, lines);
    nn__opencl_int(&launch, k);
    nn__opencl_uint(&launch, deep ? (uint32_t)k : 1);
    nn__opencl_uint(&launch, deep ? 1 : (uint32_t)lines);
    nn__opencl_int(&launch, turns);
    nn__opencl_int(&launch, deep ? 1 : 0);
    nn__opencl_uint(&launch, (uint32_t)groups);
    return nn__opencl_run_flat(&launch, groups, 128);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_gemm_pack_both(nn__opencl *device, const nn_gemm_args *g,
                                                       const nn__opencl_gemm_plan *plan,
                                                       bool run, nn_gemm_args *packed) {
    const uint64_t a_bytes = nn__opencl_gemm_packed_bytes(plan, plan->a_form, g->m, g->k),
                   b_bytes = nn__opencl_gemm_packed_bytes(plan, plan->b_form, g->n, g->k);
    nn_result result = NN_OK;
    *packed = *g;
    if (a_bytes) packed->a = nn__opencl_part(&g->scratch, plan->partial_bytes, a_bytes);
    if (b_bytes) packed->b = nn__opencl_part(&g->scratch, plan->partial_bytes + a_bytes, b_bytes);
    if (run && a_bytes)
        result = nn__opencl_gemm_pack(device, plan, &g->a, &packed->a, !g->transpose_a, g->m, g->k);
    if (run && b_bytes && result >= 0)
        result = nn__opencl_gemm_pack(device, plan, &g->b, &packed->b, g->transpose_b, g->n, g->k);
    return result;
}

#undef NN__OPENCL_GEMM_COPIED_SIDE
#undef NN__OPENCL_GEMM_COPIED_STAGE
#undef NN__OPENCL_GEMM_COPIED_RATE
#undef NN__OPENCL_GEMM_COPIED_SAVES
