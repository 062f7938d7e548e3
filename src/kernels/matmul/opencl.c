/* kernels/matmul/opencl.c - chooses a kernel for a matrix product and launches it.

   CPUs: register tiles (rows), or dot products where both matrices lie along k (dots). GPUs: tiles
   in local memory; CLBlast for large products. Short products with few tiles are cut along k and
   added up in a fixed order. A plain kernel does what is tiny. Units: b's packing, tiles of rows,
   the end. Everything depends on shapes and device only. */
#include "opencl/private.h"

#define NN__OPENCL_GEMM_TINY 8192 /* multiplications */

typedef enum nn__opencl_gemm_way {
    NN__OPENCL_GEMM_PLAIN,
    NN__OPENCL_GEMM_ROWS,
    NN__OPENCL_GEMM_DOTS,
    NN__OPENCL_GEMM_TILES,
    NN__OPENCL_GEMM_BLAS
} nn__opencl_gemm_way;

typedef struct nn__opencl_gemm_plan {
    nn__opencl_gemm_way way;
    int32_t rows;                                   /* of a unit */
    int32_t tiles;                                  /* units of rows */
    int32_t splits, chunk;                          /* of k */
    bool pack, finish;                              /* launches before and after */
    uint64_t pack_bytes, partial_bytes, blas_bytes; /* of scratch, in this order */
} nn__opencl_gemm_plan;

NN__OPENCL_PRIVATE nn__opencl_family nn__opencl_family_of(const nn__opencl *device) {
    if (device->forced != NN__OPENCL_BY_DEVICE) return device->forced;
    if (device->cpu) return NN__OPENCL_ROWS;
    if (device->group >= 256 && device->local_memory >= 24 * 1024) return NN__OPENCL_TILES;
    if (device->group >= 64 && device->local_memory >= 8 * 1024) return NN__OPENCL_SMALL_TILES;
    return NN__OPENCL_PLAIN;
}

NN__OPENCL_PRIVATE int nn__opencl_lanes(nn__opencl *device) {
    cl_uint width = 0;
    if (device->lanes) return device->lanes;
    if (device->cl.GetDeviceInfo(device->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof width,
                                 &width, NULL) != CL_SUCCESS)
        width = 8;
    device->lanes = width >= 16 ? 16 : 8;
    return device->lanes;
}

/* ---- plan ------------------------------------------------------------------------------------ */

/* Cuts k so that about `wanted` tiles run at once, each of at least `shortest` steps. */
static void nn__opencl_gemm_split(nn__opencl_gemm_plan *plan, int32_t k, int64_t tiles,
                                  int64_t wanted, int32_t shortest) {
    int64_t splits = (wanted + tiles - 1) / tiles;
    if (splits > k / shortest) splits = k / shortest;
    if (splits < 2) return;
    plan->chunk = (nn__opencl_ceil_div(k, splits) + 15) / 16 * 16;
    plan->splits = nn__opencl_ceil_div(k, plan->chunk);
}

static void nn__opencl_gemm_plan_cpu(nn__opencl *device, const nn_gemm_args *g,
                                     nn__opencl_gemm_plan *plan) {
    const int32_t panel = 2 * nn__opencl_lanes(device), eights = nn__opencl_ceil_div(g->m, 8);
    int64_t tiles;
    plan->way = NN__OPENCL_GEMM_ROWS;
    if (g->transpose_b && !g->transpose_a && g->k >= 64 && (g->m < 64 || g->n < panel)) {
        plan->way = NN__OPENCL_GEMM_DOTS;
        plan->rows = 4;
        tiles = (int64_t)nn__opencl_ceil_div(g->m, 4) * nn__opencl_ceil_div(g->n, 4);
        nn__opencl_gemm_split(plan, g->k, tiles, 16, 1024);
        return;
    }
    plan->pack = g->transpose_b || g->n < panel || g->m >= 256;
    if (plan->pack)
        plan->pack_bytes =
            (uint64_t)nn__opencl_ceil_div(g->n, panel) * (uint64_t)panel * (uint64_t)g->k * 4;
    plan->rows = g->m == 1 ? 1 : nn__opencl_ceil_div(g->m, 12) * 12 <= eights * 8 ? 12 : 8;
    tiles = (int64_t)nn__opencl_ceil_div(g->m, plan->rows) * nn__opencl_ceil_div(g->n, panel);
    nn__opencl_gemm_split(plan, g->k, tiles, 8, 512);
}

static void nn__opencl_gemm_plan_gpu(nn__opencl *device, const nn_gemm_args *g,
                                     nn__opencl_gemm_plan *plan) {
    const int64_t columns = nn__opencl_ceil_div(g->n, 64);
    plan->way = NN__OPENCL_GEMM_TILES;
    /* The taller tile does more with what it fetches, once it leaves enough of them. */
    plan->rows = nn__opencl_ceil_div(g->m, 128) * columns >= 2 * (int64_t)device->units ? 128 : 64;
    nn__opencl_gemm_split(plan, g->k, nn__opencl_ceil_div(g->m, plan->rows) * columns,
                          device->units > 32 ? 2 * (int64_t)device->units : 64, 128);
}

static nn__opencl_gemm_plan nn__opencl_gemm_plan_of(nn__opencl *device, const nn_gemm_args *g) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    nn__opencl_gemm_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.way = NN__OPENCL_GEMM_PLAIN;
    plan.rows = 16;
    plan.splits = 1;
    plan.chunk = g->k;
    if (device->gpu && device->forced == NN__OPENCL_BY_DEVICE &&
        nn__opencl_blas_takes(device, g, &plan.blas_bytes)) {
        plan.way = NN__OPENCL_GEMM_BLAS;
        plan.rows = g->m;
        plan.finish = g->accumulate || nn__opencl_present(&g->epilogue.bias) ||
                      g->epilogue.activation != NN_ACTIVATION_NONE;
        if (g->accumulate) plan.partial_bytes = (uint64_t)g->m * (uint64_t)g->n * 4;
    } else {
        plan.blas_bytes = 0;
        if ((int64_t)g->m * g->n * g->k > NN__OPENCL_GEMM_TINY) {
            if (family == NN__OPENCL_ROWS)
                nn__opencl_gemm_plan_cpu(device, g, &plan);
            else if (family != NN__OPENCL_PLAIN)
                nn__opencl_gemm_plan_gpu(device, g, &plan);
        }
        plan.finish = plan.splits > 1;
        if (plan.finish)
            plan.partial_bytes = (uint64_t)plan.splits * (uint64_t)g->m * (uint64_t)g->n * 4;
    }
    plan.pack_bytes = (plan.pack_bytes + 63) / 64 * 64;
    plan.partial_bytes = (plan.partial_bytes + 63) / 64 * 64;
    plan.tiles = nn__opencl_ceil_div(g->m, plan.rows);
    return plan;
}

static uint64_t nn__opencl_gemm_scratch_bytes(nn__opencl *device, const void *args) {
    const nn__opencl_gemm_plan plan = nn__opencl_gemm_plan_of(device, (const nn_gemm_args *)args);
    return plan.pack_bytes + plan.partial_bytes + plan.blas_bytes;
}

static int32_t nn__opencl_gemm_units(nn__opencl *device, const void *args) {
    const nn__opencl_gemm_plan plan = nn__opencl_gemm_plan_of(device, (const nn_gemm_args *)args);
    return (plan.pack ? 1 : 0) + plan.tiles + (plan.finish ? 1 : 0);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* The arguments of the four product kernels. Cut products go to scratch, without the epilogue. */
static void nn__opencl_gemm_arguments(nn__opencl_launch *launch, const nn_gemm_args *g,
                                      const nn__opencl_gemm_plan *plan, int32_t first) {
    const bool cut = plan->splits > 1;
    const nn_view partial = nn__opencl_part(&g->scratch, plan->pack_bytes, plan->partial_bytes);
    const nn_view packed = nn__opencl_part(&g->scratch, 0, plan->pack_bytes);
    nn_view none;
    uint32_t b_step = g->transpose_b ? 1 : (uint32_t)g->n,
             b_column = g->transpose_b ? (uint32_t)g->k : 1;
    memset(&none, 0, sizeof none);
    if (plan->pack) {
        b_step = 2 * (uint32_t)nn__opencl_lanes(launch->device);
        b_column = 0;
    }
    nn__opencl_view(launch, cut ? &partial : &g->y);
    nn__opencl_view(launch, &g->a);
    nn__opencl_view(launch, plan->pack ? &packed : &g->b);
    nn__opencl_view(launch, cut ? &none : &g->epilogue.bias);
    nn__opencl_int(launch, g->m);
    nn__opencl_int(launch, g->n);
    nn__opencl_int(launch, g->k);
    nn__opencl_int(launch, plan->chunk);
    nn__opencl_uint(launch, g->transpose_a ? 1 : (uint32_t)g->k);
    nn__opencl_uint(launch, g->transpose_a ? (uint32_t)g->m : 1);
    nn__opencl_uint(launch, b_step);
    nn__opencl_uint(launch, b_column);
    nn__opencl_int(launch, first);
    nn__opencl_int(launch, !cut && g->accumulate ? 1 : 0);
    nn__opencl_int(launch, cut ? 0 : (int32_t)g->epilogue.activation);
}

static nn_result nn__opencl_gemm_pack(nn__opencl *device, const nn_gemm_args *g,
                                      const nn__opencl_gemm_plan *plan) {
    const int lanes = nn__opencl_lanes(device);
    const nn_view packed = nn__opencl_part(&g->scratch, 0, plan->pack_bytes);
    nn__opencl_launch launch =
        nn__opencl_begin(device, "matmul", "nn_gemm_pack",
                         lanes == 16 ? "-DNN_GEMM_ONLY=1" : "-DNN_GEMM_ONLY=1 -DNN_GEMM_LANES=8");
    size_t groups[2], local[2] = {1, 1};
    nn__opencl_view(&launch, &packed);
    nn__opencl_view(&launch, &g->b);
    nn__opencl_int(&launch, g->n);
    nn__opencl_int(&launch, g->k);
    nn__opencl_uint(&launch, g->transpose_b ? 1 : (uint32_t)g->n);
    nn__opencl_uint(&launch, g->transpose_b ? (uint32_t)g->k : 1);
    groups[0] = (size_t)nn__opencl_ceil_div(g->k, 16);
    groups[1] = (size_t)nn__opencl_ceil_div(g->n, 2 * lanes);
    return nn__opencl_run(&launch, 2, groups, local);
}

static nn_result nn__opencl_gemm_run_plain(nn__opencl *device, const nn_gemm_args *g,
                                           const nn__opencl_gemm_plan *plan, int32_t first,
                                           int32_t rows) {
    nn__opencl_launch launch = nn__opencl_begin(device, "matmul", "nn_gemm_plain",
                                                device->cpu && nn__opencl_lanes(device) == 8
                                                    ? "-DNN_GEMM_ONLY=1 -DNN_GEMM_LANES=8"
                                                    : "-DNN_GEMM_ONLY=1");
    size_t groups[3], local[3] = {1, 1, 1};
    local[0] = nn__opencl_group(&launch, 64);
    nn__opencl_gemm_arguments(&launch, g, plan, first);
    groups[0] = (size_t)nn__opencl_ceil_div(g->n, (int64_t)local[0]);
    groups[1] = (size_t)rows;
    groups[2] = (size_t)plan->splits;
    return nn__opencl_run(&launch, 3, groups, local);
}

static nn_result nn__opencl_gemm_run_cpu(nn__opencl *device, const nn_gemm_args *g,
                                         const nn__opencl_gemm_plan *plan, int32_t first,
                                         int32_t count) {
    static const char *const names[2][3] = {{"-DNN_GEMM_ONLY=2 -DNN_GEMM_ROWS=1 -DNN_GEMM_LANES=8",
                                             "-DNN_GEMM_ONLY=2 -DNN_GEMM_ROWS=4 -DNN_GEMM_LANES=8",
                                             "-DNN_GEMM_ONLY=2 -DNN_GEMM_ROWS=6 -DNN_GEMM_LANES=8"},
                                            {"-DNN_GEMM_ONLY=2 -DNN_GEMM_ROWS=1",
                                             "-DNN_GEMM_ONLY=2 -DNN_GEMM_ROWS=8",
                                             "-DNN_GEMM_ONLY=2 -DNN_GEMM_ROWS=12"}};
    const int lanes = nn__opencl_lanes(device), wide = lanes == 16;
    const bool dots = plan->way == NN__OPENCL_GEMM_DOTS;
    const int32_t rows = dots || wide || plan->rows == 1
                             ? plan->rows
                             : plan->rows / 2; /* of a tile; AVX2 has half the registers */
    const int32_t each = plan->rows / rows, whole = nn__opencl_ceil_div(g->m, rows);
    const char *options = dots ? (wide ? "-DNN_GEMM_ONLY=3" : "-DNN_GEMM_ONLY=3 -DNN_GEMM_LANES=8")
                               : names[wide][plan->rows == 1   ? 0
                                             : plan->rows == 8 ? 1
                                                               : 2];
    nn__opencl_launch launch =
        nn__opencl_begin(device, "matmul", dots ? "nn_gemm_dots" : "nn_gemm_rows", options);
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_gemm_arguments(&launch, g, plan, first * each);
    groups[0] = (size_t)((first + count) * each < whole ? count * each : whole - first * each);
    groups[1] = (size_t)nn__opencl_ceil_div(g->n, dots ? 4 : 2 * lanes);
    groups[2] = (size_t)plan->splits;
    return nn__opencl_run(&launch, 3, groups, local);
}

/* Falls back to smaller work-groups where a kernel does not get those that the device promised. */
static nn_result nn__opencl_gemm_run_gpu(nn__opencl *device, const nn_gemm_args *g,
                                         const nn__opencl_gemm_plan *plan, int32_t first,
                                         int32_t count) {
    static const char *const names[3] = {"-DNN_GEMM_ONLY=4 -DNN_GEMM_GROUP=16 -DNN_GEMM_HEIGHT=8",
                                         "-DNN_GEMM_ONLY=4 -DNN_GEMM_GROUP=16 -DNN_GEMM_HEIGHT=4",
                                         "-DNN_GEMM_ONLY=4 -DNN_GEMM_GROUP=8 -DNN_GEMM_HEIGHT=4"};
    static const int32_t items[3] = {256, 256, 64}, tall[3] = {128, 64, 32}, wide[3] = {64, 64, 32};
    int i = nn__opencl_family_of(device) == NN__OPENCL_SMALL_TILES ? 2 : plan->rows == 128 ? 0 : 1;
    for (; i < 3; i++) {
        nn__opencl_launch launch = nn__opencl_begin(device, "matmul", "nn_gemm_tiles", names[i]);
        const int32_t each = plan->rows / tall[i], whole = nn__opencl_ceil_div(g->m, tall[i]);
        size_t groups[3], local[3] = {1, 1, 1};
        if (launch.result < 0) return launch.result;
        if (nn__opencl_group(&launch, (size_t)items[i]) < (size_t)items[i]) continue;
        nn__opencl_gemm_arguments(&launch, g, plan, first * each);
        groups[0] = (size_t)nn__opencl_ceil_div(g->n, wide[i]);
        groups[1] = (size_t)((first + count) * each < whole ? count * each : whole - first * each);
        groups[2] = (size_t)plan->splits;
        local[0] = (size_t)items[i];
        return nn__opencl_run(&launch, 3, groups, local);
    }
    first *= plan->rows;
    count *= plan->rows;
    return nn__opencl_gemm_run_plain(device, g, plan, first,
                                     count < g->m - first ? count : g->m - first);
}

static nn_result nn__opencl_gemm_run_blas(nn__opencl *device, const nn_gemm_args *g,
                                          const nn__opencl_gemm_plan *plan) {
    nn_gemm_args product = *g;
    if (g->accumulate)
        product.y = nn__opencl_part(&g->scratch, plan->pack_bytes, plan->partial_bytes);
    product.scratch =
        nn__opencl_part(&g->scratch, plan->pack_bytes + plan->partial_bytes, plan->blas_bytes);
    product.accumulate = false;
    memset(&product.epilogue, 0, sizeof product.epilogue);
    return nn__opencl_blas_gemm(device, &product);
}

static nn_result nn__opencl_gemm_finish(nn__opencl *device, const nn_gemm_args *g,
                                        const nn__opencl_gemm_plan *plan) {
    const nn_view partial = nn__opencl_part(&g->scratch, plan->pack_bytes, plan->partial_bytes);
    const uint64_t elements = (uint64_t)g->m * (uint64_t)g->n;
    nn__opencl_launch launch = nn__opencl_begin(device, "matmul", "nn_gemm_finish",
                                                device->cpu && nn__opencl_lanes(device) == 8
                                                    ? "-DNN_GEMM_ONLY=1 -DNN_GEMM_LANES=8"
                                                    : "-DNN_GEMM_ONLY=1");
    nn__opencl_view(&launch, &g->y);
    nn__opencl_view(&launch, plan->partial_bytes ? &partial : &g->y);
    nn__opencl_view(&launch, &g->epilogue.bias);
    nn__opencl_ulong(&launch, elements);
    nn__opencl_int(&launch, g->n);
    nn__opencl_int(&launch, plan->splits);
    nn__opencl_int(&launch, g->accumulate ? 1 : 0);
    nn__opencl_int(&launch, (int32_t)g->epilogue.activation);
    return nn__opencl_run_flat(&launch, elements, 64);
}

static nn_result nn__opencl_gemm_run(nn__opencl *device, const void *args, int32_t first,
                                     int32_t count) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    const nn__opencl_gemm_plan plan = nn__opencl_gemm_plan_of(device, g);
    const int32_t before = plan.pack ? 1 : 0, end = first + count;
    const int32_t from = first > before ? first - before : 0,
                  to = end - before < plan.tiles ? end - before : plan.tiles;
    nn_result result = NN_OK;
    if (plan.pack && first == 0 && count > 0) result = nn__opencl_gemm_pack(device, g, &plan);
    if (result >= 0 && from < to) switch (plan.way) {
        case NN__OPENCL_GEMM_PLAIN: {
            const int32_t row = from * plan.rows,
                          rows = to * plan.rows < g->m ? to * plan.rows - row : g->m - row;
            result = nn__opencl_gemm_run_plain(device, g, &plan, row, rows);
            break;
        }
        case NN__OPENCL_GEMM_ROWS:
        case NN__OPENCL_GEMM_DOTS:
            result = nn__opencl_gemm_run_cpu(device, g, &plan, from, to - from);
            break;
        case NN__OPENCL_GEMM_TILES:
            result = nn__opencl_gemm_run_gpu(device, g, &plan, from, to - from);
            break;
        case NN__OPENCL_GEMM_BLAS: result = nn__opencl_gemm_run_blas(device, g, &plan); break;
        }
    if (result >= 0 && plan.finish && end > before + plan.tiles)
        result = nn__opencl_gemm_finish(device, g, &plan);
    return result;
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_gemm(void) {
    static const nn__opencl_kernel kernel = {NULL, nn__opencl_gemm_scratch_bytes,
                                             nn__opencl_gemm_units, nn__opencl_gemm_run};
    return &kernel;
}

#undef NN__OPENCL_GEMM_TINY
