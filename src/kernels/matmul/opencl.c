/* kernels/matmul/opencl.c - launches a matrix product as kernels/matmul/opencl_plan.c plans it. A
   batch is one launch. Units: tiles of rows (or, in a batch, some products each), then the sum of
   the pieces. */
#include "kernels/matmul/opencl.h"

/* The work of one launch: some tiles of rows of some products. */
typedef struct nn__opencl_gemm_part {
    int32_t first, count, product, products;
} nn__opencl_gemm_part;

static uint64_t nn__opencl_gemm_scratch_bytes(nn__opencl *device, const void *args) {
    const nn__opencl_gemm_plan plan = nn__opencl_gemm_plan_of(device, (const nn_gemm_args *)args);
    return plan.partial_bytes + plan.blas_bytes + plan.packed_bytes;
}

static int32_t nn__opencl_gemm_units(nn__opencl *device, const void *args) {
    const nn__opencl_gemm_plan plan = nn__opencl_gemm_plan_of(device, (const nn_gemm_args *)args);
    return plan.units + (plan.finish ? 1 : 0);
}

/* Writes the options of the residual. cut: the kernel leaves it to nn_gemm_finish. */
static void nn__opencl_gemm_residual_options(const nn__opencl_gemm_plan *plan, bool cut, char *text,
                                             size_t size) {
    text[0] = 0;
    if (cut || !plan->residual) return;
    nn__opencl_format(text, size, plan->r_type ? " -DNN_GEMM_RESIDUAL=%d -DNN_GEMM_R_TYPE=%d"
                                               : " -DNN_GEMM_RESIDUAL=%d",
                      plan->residual, plan->r_type);
}

/* The kernels find the derivative of gelu where they would find an activation. */
static int32_t nn__opencl_gemm_activation(const nn_gemm_args *g, const nn__opencl_gemm_plan *plan) {
    return (int32_t)(plan->residual > 2 ? NN_ACTIVATION_GELU : g->epilogue.activation);
}

static nn__opencl_launch nn__opencl_gemm_begin(nn__opencl *device, const char *entry,
                                               const char *options,
                                               const nn__opencl_gemm_plan *plan) {
    const bool cut = plan->splits > 1 && !plan->gather;
    const int y_type = cut ? 0 : plan->y_type;
    char all[376], more[48];
    nn__opencl_gemm_residual_options(plan, cut, more, sizeof more);
    if (plan->rounding == NN__OPENCL_ROUND_F16 && strcmp(entry, "nn_gemm_large") == 0) {
        const size_t length = nn__opencl_format(all, sizeof all, "%s%s", options, more);
        nn__opencl_half_options(device, all + length, sizeof all - length);
        return nn__opencl_begin(device, "matmul", entry, all);
    }
    if (!plan->a_type && !plan->b_type && !y_type && !*more)
        return nn__opencl_begin(device, "matmul", entry, options);
    nn__opencl_format(all, sizeof all, "%s%s -DNN_GEMM_A_TYPE=%d -DNN_GEMM_B_TYPE=%d", options,
                      more, plan->a_type, plan->b_type);
    if (y_type) {
        const size_t length = strlen(all);
        nn__opencl_format(all + length, sizeof all - length, " -DNN_GEMM_Y_TYPE=%d", y_type);
    }
    return nn__opencl_begin(device, "matmul", entry, all);
}

static void nn__opencl_gemm_int4(nn__opencl_launch *launch, const int32_t *value, bool extents) {
    cl_int four[4];
    for (int i = 0; i < 4; i++) four[i] = extents && value[i] < 1 ? 1 : value[i];
    nn__opencl_bytes(launch, sizeof four, four);
}

/* Passes the arguments that the product kernels share. Split products go to scratch, without the
   epilogue. */
static void nn__opencl_gemm_arguments(nn__opencl_launch *launch, const nn_gemm_args *g,
                                      const nn__opencl_gemm_plan *plan,
                                      const nn__opencl_gemm_part *part, int32_t first) {
    const bool cut = plan->splits > 1 && !plan->gather;
    const nn_view partial = nn__opencl_part(&g->scratch, 0, plan->partial_bytes);
    nn_view none;
    memset(&none, 0, sizeof none);
    nn__opencl_view(launch, cut ? &partial : &g->y);
    nn__opencl_view(launch, &g->a);
    nn__opencl_view(launch, &g->b);
    nn__opencl_view(launch, cut ? &none : &g->epilogue.bias);
    nn__opencl_int(launch, g->m);
    nn__opencl_int(launch, g->n);
    nn__opencl_int(launch, g->k);
    nn__opencl_int(launch, plan->chunk);
    nn__opencl_uint(launch, g->transpose_a ? 1 : (uint32_t)g->k);
    nn__opencl_uint(launch, g->transpose_a ? (uint32_t)g->m : 1);
    nn__opencl_uint(launch, g->transpose_b ? 1 : (uint32_t)g->n);
    nn__opencl_uint(launch, g->transpose_b ? (uint32_t)g->k : 1);
    nn__opencl_int(launch, first);
    nn__opencl_int(launch, !cut && g->accumulate ? 1 : 0);
    nn__opencl_int(launch, cut ? 0 : nn__opencl_gemm_activation(g, plan));
    nn__opencl_int(launch, plan->splits);
    nn__opencl_int(launch, part->product);
    nn__opencl_int(launch, plan->products);
    nn__opencl_ulong(launch, (uint64_t)g->m * (uint64_t)g->k);
    nn__opencl_ulong(launch, (uint64_t)g->n * (uint64_t)g->k);
    nn__opencl_gemm_int4(launch, g->batch, true);
    nn__opencl_gemm_int4(launch, g->a_batch, false);
    nn__opencl_gemm_int4(launch, g->b_batch, false);
    if (plan->residual && !cut) nn__opencl_view(launch, nn__opencl_gemm_residual(g));
}

static nn_result nn__opencl_gemm_run_plain(nn__opencl *device, const nn_gemm_args *g,
                                           const nn__opencl_gemm_plan *plan,
                                           const nn__opencl_gemm_part *part) {
    const int32_t first = part->first * plan->rows, left = g->m - first,
                  rows = part->count * plan->rows < left ? part->count * plan->rows : left;
    nn__opencl_launch launch =
        nn__opencl_gemm_begin(device, "nn_gemm_plain", "-DNN_GEMM_ONLY=1", plan);
    size_t groups[3], local[3] = {1, 1, 1};
    local[0] = nn__opencl_group(&launch, 64);
    nn__opencl_gemm_arguments(&launch, g, plan, part, first);
    groups[0] = (size_t)nn__opencl_ceil_div(g->n, (int64_t)local[0]);
    groups[1] = (size_t)rows;
    groups[2] = (size_t)plan->splits * (size_t)part->products;
    return nn__opencl_run(&launch, 3, groups, local);
}

/* Returns the plan in f32 of a product whose program in half arithmetic did not build, although the
   self-test's did. */
static nn__opencl_gemm_plan nn__opencl_gemm_without_half(nn__opencl *device,
                                                         const nn__opencl_gemm_plan *plan,
                                                         bool had_error) {
    nn__opencl_gemm_plan plain = *plan;
    plain.rounding = NN__OPENCL_ROUND_NOT;
    nn__opencl_log(device->nn, "opencl: a product in half arithmetic did not build, so it is "
                               "computed in f32");
    if (!had_error) nn_clear_error(device->nn);
    return plain;
}

/* Falls back to smaller work-groups if a kernel does not get the size that the device promised. */
static nn_result nn__opencl_gemm_run_gpu(nn__opencl *device, const nn_gemm_args *g,
                                         const nn__opencl_gemm_plan *plan,
                                         const nn__opencl_gemm_part *part) {
    static const char *const names[4] = {NULL,
                                         "-DNN_GEMM_ONLY=4 -DNN_GEMM_GROUP=16 -DNN_GEMM_HEIGHT=8",
                                         "-DNN_GEMM_ONLY=4 -DNN_GEMM_GROUP=16 -DNN_GEMM_HEIGHT=4",
                                         "-DNN_GEMM_ONLY=4 -DNN_GEMM_GROUP=8 -DNN_GEMM_HEIGHT=4"};
    const int32_t items[4] = {256, 256, 256, 64}, tall[4] = {plan->rows, 128, 64, 32},
                  wide[4] = {plan->columns, 64, 64, 32};
    const int32_t first = part->first, count = part->count;
    const bool half = plan->rounding == NN__OPENCL_ROUND_F16,
               had_error = nn_error_code(device->nn) != NN_OK;
    int i = plan->way == NN__OPENCL_GEMM_LARGE       ? 0
            : plan->tile == NN__OPENCL_GEMM_TILE_128 ? 1
            : plan->tile == NN__OPENCL_GEMM_TILE_64  ? 2
                                                     : 3;
    for (; i < 4; i++) {
        if (tall[i] > plan->rows) continue;
        nn__opencl_launch launch = nn__opencl_gemm_begin(
            device, i == 0 ? "nn_gemm_large" : "nn_gemm_tiles",
            i == 0 ? nn__opencl_gemm_large_options(g, plan->tile) : names[i], plan);
        const int32_t each = plan->rows / tall[i], whole = nn__opencl_ceil_div(g->m, tall[i]);
        size_t groups[3], local[3] = {1, 1, 1};
        if (launch.result < 0 && i == 0 && half && !device->mma_testing) {
            const nn__opencl_gemm_plan plain =
                nn__opencl_gemm_without_half(device, plan, had_error);
            return nn__opencl_gemm_run_gpu(device, g, &plain, part);
        }
        if (launch.result < 0) return launch.result;
        if (nn__opencl_group(&launch, (size_t)items[i]) < (size_t)items[i]) continue;
        if (i == 0 && half && part->first == 0) {
            const nn_result result = nn__opencl_gemm_half_prepare(device, g, plan);
            if (result < 0) return result;
        }
        nn__opencl_gemm_arguments(&launch, g, plan, part, first * each);
        if (i == 0 && half) {
            const nn_view most = nn__opencl_gemm_half_most(g, plan);
            nn__opencl_view(&launch, &most);
        }
        groups[0] = (size_t)nn__opencl_ceil_div(g->n, wide[i]);
        groups[1] = (size_t)((first + count) * each < whole ? count * each : whole - first * each);
        groups[2] = (size_t)plan->splits * (size_t)part->products;
        local[0] = (size_t)items[i];
        return nn__opencl_run(&launch, 3, groups, local);
    }
    return nn__opencl_gemm_run_plain(device, g, plan, part);
}

/* Runs the fallback if a kernel does not get the work-groups that the device promised. If the
   kernel would have gathered the pieces, k is not split. */
static nn_result nn__opencl_gemm_run_uncut(nn__opencl *device, const nn_gemm_args *g,
                                           const nn__opencl_gemm_plan *plan,
                                           const nn__opencl_gemm_part *part) {
    nn__opencl_gemm_plan plain = *plan;
    if (plan->gather) {
        plain.gather = false;
        plain.splits = 1;
        plain.chunk = g->k;
    }
    return nn__opencl_gemm_run_plain(device, g, &plain, part);
}

static nn_result nn__opencl_gemm_run_few(nn__opencl *device, const nn_gemm_args *g,
                                         const nn__opencl_gemm_plan *plan,
                                         const nn__opencl_gemm_part *part) {
    const bool slices = plan->way == NN__OPENCL_GEMM_SLICES,
               ends = plan->way != NN__OPENCL_GEMM_LONG;
    const nn_view partial = nn__opencl_part(&g->scratch, 0, plan->partial_bytes);
    nn_view none;
    nn__opencl_launch launch;
    size_t groups[3], local[3] = {1, 1, 1};
    char options[128];
    memset(&none, 0, sizeof none);
    (slices ? nn__opencl_gemm_slices_options : nn__opencl_gemm_few_options)(g, plan, options,
                                                                            sizeof options);
    launch = nn__opencl_gemm_begin(device,
                                   slices                                ? "nn_gemm_slices"
                                   : plan->way == NN__OPENCL_GEMM_OUTER ? "nn_gemm_outer"
                                   : ends                               ? "nn_gemm_thin"
                                                                        : "nn_gemm_long",
                                   options, plan);
    local[0] = (size_t)plan->items;
    if (launch.result < 0) return launch.result;
    if (nn__opencl_group(&launch, local[0]) < local[0])
        return nn__opencl_gemm_run_uncut(device, g, plan, part);
    nn__opencl_gemm_arguments(&launch, g, plan, part, part->first);
    if (ends) {
        nn__opencl_view(&launch, plan->gather ? &partial : &none);
        nn__opencl_turns(&launch, plan->gather);
    }
    groups[0] = (size_t)nn__opencl_ceil_div(g->n, plan->columns);
    groups[1] = (size_t)part->count;
    groups[2] = (size_t)plan->splits * (size_t)part->products;
    return nn__opencl_run(&launch, 3, groups, local);
}

/* Multiplies in f32 if a program of matrix units does not build, although the self-test's did. */
static nn_result nn__opencl_gemm_run_rounded(nn__opencl *device, const nn_gemm_args *g,
                                             const nn__opencl_gemm_plan *plan,
                                             const nn__opencl_gemm_part *part) {
    const bool had_error = nn_error_code(device->nn) != NN_OK;
    nn__opencl_gemm_plan plain = *plan;
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_launch launch;
    nn_gemm_args ready;
    nn_result result;
    char options[288];
    result = nn__opencl_gemm_pack_both(device, g, plan, part->first == 0, &ready);
    nn__opencl_gemm_mma_options(device, g, plan, options, sizeof options);
    launch = nn__opencl_gemm_begin(device, "nn_gemm_mma", options, plan);
    local[0] = (size_t)plan->items;
    if (result >= 0 && launch.result >= 0 && nn__opencl_group(&launch, local[0]) >= local[0]) {
        nn__opencl_gemm_arguments(&launch, &ready, plan, part, part->first);
        groups[0] = (size_t)nn__opencl_ceil_div(g->n, plan->columns);
        groups[1] = (size_t)part->count;
        groups[2] = (size_t)plan->splits * (size_t)part->products;
        return nn__opencl_run(&launch, 3, groups, local);
    }
    if (device->mma_testing) return launch.result < 0 ? launch.result : NN_ERROR_UNSUPPORTED;
    if (result < 0 || launch.result < 0) {
        nn__opencl_log(device->nn, "opencl: a product on matrix units did not build, so it is "
                                   "computed in f32");
        if (!had_error) nn_clear_error(device->nn);
    }
    plain.way = NN__OPENCL_GEMM_TILES;
    plain.a_type = nn__opencl_gemm_type(&g->a);
    plain.b_type = nn__opencl_gemm_type(&g->b);
    plain.tile = plan->rows == 128 ? NN__OPENCL_GEMM_TILE_128 : NN__OPENCL_GEMM_TILE_64;
    return nn__opencl_gemm_run_gpu(device, g, &plain, part);
}

static nn_result nn__opencl_gemm_run_blas(nn__opencl *device, const nn_gemm_args *g,
                                          const nn__opencl_gemm_plan *plan) {
    nn_gemm_args product = *g;
    if (g->accumulate)
        product.y = nn__opencl_part(&g->scratch, 0, plan->partial_bytes);
    product.scratch =
        nn__opencl_part(&g->scratch, plan->partial_bytes, plan->blas_bytes);
    product.accumulate = false;
    memset(&product.epilogue, 0, sizeof product.epilogue);
    return nn__opencl_blas_gemm(device, &product);
}

static nn_result nn__opencl_gemm_finish(nn__opencl *device, const nn_gemm_args *g,
                                        const nn__opencl_gemm_plan *plan) {
    const nn_view partial = nn__opencl_part(&g->scratch, 0, plan->partial_bytes);
    const uint64_t elements = (uint64_t)plan->products * (uint64_t)g->m * (uint64_t)g->n;
    static const char *const options[] = {"-DNN_GEMM_ONLY=1",
                                          "-DNN_GEMM_ONLY=1 -DNN_GEMM_Y_TYPE=1",
                                          "-DNN_GEMM_ONLY=1 -DNN_GEMM_Y_TYPE=2"};
    char more[48], all[80];
    nn__opencl_gemm_residual_options(plan, false, more, sizeof more);
    nn__opencl_format(all, sizeof all, "%s%s", options[plan->y_type], more);
    nn__opencl_launch launch = nn__opencl_begin(device, "matmul", "nn_gemm_finish", all);
    nn__opencl_view(&launch, &g->y);
    nn__opencl_view(&launch, plan->partial_bytes ? &partial : &g->y);
    nn__opencl_view(&launch, &g->epilogue.bias);
    nn__opencl_ulong(&launch, elements);
    nn__opencl_int(&launch, g->n);
    nn__opencl_int(&launch, plan->splits);
    nn__opencl_int(&launch, g->accumulate ? 1 : 0);
    nn__opencl_int(&launch, nn__opencl_gemm_activation(g, plan));
    if (plan->residual) nn__opencl_view(&launch, nn__opencl_gemm_residual(g));
    return nn__opencl_run_flat(&launch, elements, 64);
}

/* Runs units [from, to) of the product: tiles of rows, or products of a batch. */
static nn_result nn__opencl_gemm_run_units(nn__opencl *device, const nn_gemm_args *g,
                                           const nn__opencl_gemm_plan *plan, int32_t from,
                                           int32_t to) {
    const int32_t most = NN__OPENCL_GEMM_THIRD / plan->splits;
    const int32_t end =
        (int64_t)plan->each * to < plan->products ? plan->each * to : plan->products;
    nn__opencl_gemm_part part;
    nn_result result = NN_OK;
    part.first = plan->products == 1 ? from : 0;
    part.count = plan->products == 1 ? to - from : plan->tiles;
    part.product = plan->products == 1 ? 0 : plan->each * from;
    do {
        const int32_t left = plan->products == 1 ? 1 : end - part.product;
        part.products = left < most ? left : most;
        switch (plan->way) {
        case NN__OPENCL_GEMM_PLAIN:
            result = nn__opencl_gemm_run_plain(device, g, plan, &part);
            break;
        case NN__OPENCL_GEMM_TILES:
        case NN__OPENCL_GEMM_LARGE:
            result = nn__opencl_gemm_run_gpu(device, g, plan, &part);
            break;
        case NN__OPENCL_GEMM_LONG:
        case NN__OPENCL_GEMM_THIN:
        case NN__OPENCL_GEMM_SLICES:
        case NN__OPENCL_GEMM_OUTER:
            result = nn__opencl_gemm_run_few(device, g, plan, &part);
            break;
        case NN__OPENCL_GEMM_MMA:
            result = nn__opencl_gemm_run_rounded(device, g, plan, &part);
            break;
        case NN__OPENCL_GEMM_BLAS: return nn__opencl_gemm_run_blas(device, g, plan);
        }
        part.product += part.products;
    } while (result >= 0 && plan->products > 1 && part.product < end);
    return result;
}

static nn_result nn__opencl_gemm_run(nn__opencl *device, const void *args, int32_t first,
                                     int32_t count) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    const nn__opencl_gemm_plan plan = nn__opencl_gemm_plan_of(device, g);
    const int32_t end = first + count, to = end < plan.units ? end : plan.units;
    nn_result result = NN_OK;
    nn__opencl_begins(device);
    if (first < to) result = nn__opencl_gemm_run_units(device, g, &plan, first, to);
    if (result >= 0 && plan.finish && end > plan.units)
        result = nn__opencl_gemm_finish(device, g, &plan);
    return result;
}

static bool nn__opencl_gemm_reads(const nn_view *view) {
    return view->dtype == NN_F32 || nn__opencl_gemm_type(view) != 0;
}

static bool nn__opencl_gemm_takes_residual(const nn_gemm_args *g) {
#ifndef NN_NO_SPEEDUPS
    if (g->y.dtype != NN_F32 || g->accumulate) return false;
    if (!g->residual_use) return g->residual.dtype == NN_F32;
    return nn__opencl_gemm_reads(&g->residual) && g->residual.dtype != NN_I8 && !g->rounds_sum &&
           g->epilogue.activation == NN_ACTIVATION_NONE;
#else
    (void)g;
    return false;
#endif
}

static const char *nn__opencl_gemm_refuses(nn__opencl *device, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    (void)device;
    if (!nn__opencl_gemm_reads(&g->a) || !nn__opencl_gemm_reads(&g->b) ||
        !nn__opencl_gemm_reads(&g->y) || g->y.dtype == NN_I8)
        return "a product must read f32, f16, bf16 or i8, and write f32, f16 or bf16";
    if (nn__opencl_gemm_residual(g) && !nn__opencl_gemm_takes_residual(g))
        return "a product with a residual must write f32, not add to y, and add f32 or multiply by "
               "a slope without an activation";
    /* for other activations the kernels read y again, and would round it twice */
    return g->y.dtype == NN_F32 ||
                   (!g->accumulate && !g->steady &&
                    g->epilogue.activation <= NN_ACTIVATION_RELU)
               ? NULL
               : "a product that writes f16 or bf16 cannot add to y, and takes no activation but "
                 "relu";
}

/* Only products on matrix units are fast with f16 and bf16. Smaller batches may use tiles, which
   read and write them, too. */
static bool nn__opencl_gemm_halves(nn__opencl *device, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    return (!nn__opencl_present(&g->epilogue.bias) || g->epilogue.bias.dtype == NN_F32) &&
           nn__opencl_gemm_plan_of(device, g).way == NN__OPENCL_GEMM_MMA;
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_gemm(void) {
    static const nn__opencl_kernel kernel = {nn__opencl_gemm_refuses, nn__opencl_gemm_scratch_bytes,
                                             nn__opencl_gemm_units, nn__opencl_gemm_run,
                                             nn__opencl_gemm_halves};
    return &kernel;
}
