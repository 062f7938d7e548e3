/* kernels/matmul/opencl.c - chooses a kernel for a matrix product and launches it.

   CPUs: register tiles (rows), or dot products where both matrices lie along k (dots). GPUs: tiles
   in local memory, large ones where there are enough of them; few numbers of a long k, which both
   matrices lie along, a work-group for some of them (long), with no second launch to add pieces up;
   CLBlast for large products. Short products with few tiles are cut along k and added up in a fixed
   order. A plain kernel does what is tiny. A batch is one launch. Units: b's packing, tiles of rows
   (of a batch: some products each), the end. Everything depends on shapes and device only. */
#include "kernels/matmul/opencl.h"

#define NN__OPENCL_GEMM_TINY  8192  /* multiplications */
#define NN__OPENCL_GEMM_LONG_ITEMS 128 /* of a work-group */
#define NN__OPENCL_GEMM_LONG_TILES 4 /* small ones for each unit; larger ones read less */
#define NN__OPENCL_GEMM_THIRD 65535 /* work-groups along the third extent of a launch */

/* What one launch does: some tiles of rows of some products. */
typedef struct nn__opencl_gemm_part {
    int32_t first, count, product, products;
} nn__opencl_gemm_part;

NN__OPENCL_PRIVATE nn__opencl_family nn__opencl_family_of(const nn__opencl *device) {
    if (device->forced == NN__OPENCL_LARGE_TILES) return NN__OPENCL_TILES;
    if (device->forced != NN__OPENCL_BY_DEVICE) return device->forced;
    if (device->cpu) return NN__OPENCL_ROWS;
    if (device->spread) return NN__OPENCL_SMALL_TILES;
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

NN__OPENCL_PRIVATE void nn__opencl_gemm_split(nn__opencl_gemm_plan *plan, int32_t k, int64_t tiles,
                                              int64_t wanted, int32_t shortest) {
    int64_t splits = (wanted + tiles - 1) / tiles;
    if (splits > k / shortest) splits = k / shortest;
    if (splits < 2) return;
    plan->chunk = (nn__opencl_ceil_div(k, splits) + 15) / 16 * 16;
    plan->splits = nn__opencl_ceil_div(k, plan->chunk);
}

/* Rows of a CPU's tile, of which a kernel of 8 lanes takes half at a time. The taller tile does
   more with each vector that it loads: with 8 lanes it may compute a few rows that nobody wants. */
static int32_t nn__opencl_gemm_rows(int lanes, int32_t m) {
    const int64_t tall = lanes == 16 ? 12 : 6, low = lanes == 16 ? 8 : 4;
    const int64_t tall_rows = nn__opencl_ceil_div(m, tall) * tall,
                  low_rows = nn__opencl_ceil_div(m, low) * low;
    if (m == 1) return 1;
    return tall_rows <= (lanes == 16 ? low_rows : low_rows + low_rows / 16) ? 12 : 8;
}

static nn__opencl_gemm_tile nn__opencl_gemm_judge_cpu(nn__opencl *device, const nn_gemm_args *g) {
    if (g->transpose_b && !g->transpose_a && g->k >= 64 &&
        (g->m < 64 || g->n < 2 * nn__opencl_lanes(device)))
        return NN__OPENCL_GEMM_TILE_DOTS;
    return nn__opencl_gemm_rows(nn__opencl_lanes(device), g->m) == 12
               ? NN__OPENCL_GEMM_TILE_ROWS_12
               : NN__OPENCL_GEMM_TILE_ROWS_8;
}

static void nn__opencl_gemm_plan_cpu(nn__opencl *device, const nn_gemm_args *g,
                                     nn__opencl_gemm_plan *plan) {
    const int32_t panel = 2 * nn__opencl_lanes(device);
    int64_t tiles;
    plan->way = NN__OPENCL_GEMM_ROWS;
    if (plan->tile == NN__OPENCL_GEMM_TILE_DOTS) {
        plan->way = NN__OPENCL_GEMM_DOTS;
        plan->rows = 4;
        tiles = (int64_t)nn__opencl_ceil_div(g->m, 4) * nn__opencl_ceil_div(g->n, 4) *
                plan->products;
        nn__opencl_gemm_split(plan, g->k, tiles, 16, 1024);
        return;
    }
    plan->pack = g->transpose_b || g->n < panel || g->m >= 256;
    if (plan->pack)
        plan->pack_bytes =
            (uint64_t)nn__opencl_ceil_div(g->n, panel) * (uint64_t)panel * (uint64_t)g->k * 4 *
            (uint64_t)plan->b_count;
    plan->rows = g->m == 1 ? 1 : plan->tile == NN__OPENCL_GEMM_TILE_ROWS_12 ? 12 : 8;
    tiles = (int64_t)nn__opencl_ceil_div(g->m, plan->rows) * nn__opencl_ceil_div(g->n, panel) *
            plan->products;
    nn__opencl_gemm_split(plan, g->k, tiles, 8, 512);
}

NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_long(const nn__opencl *device,
                                                    const nn_gemm_args *g) {
    return g->transpose_b && !g->transpose_a && g->k >= 128 &&
           device->group >= NN__OPENCL_GEMM_LONG_ITEMS;
}

/* Would the tiles be so few that k had to be cut, and are the dot products few enough for each
   work-group to read whole rows of both? */
static bool nn__opencl_gemm_is_long(const nn__opencl *device, const nn_gemm_args *g,
                                    const nn__opencl_gemm_plan *plan) {
    const int64_t tiles = (int64_t)nn__opencl_ceil_div(g->m, 64) * nn__opencl_ceil_div(g->n, 64) *
                          plan->products;
    return nn__opencl_gemm_may_be_long(device, g) && tiles < device->units / 2 &&
           (int64_t)g->m * g->n * plan->products <= 32768;
}

static nn__opencl_gemm_tile nn__opencl_gemm_judge_gpu(nn__opencl *device, const nn_gemm_args *g,
                                                      const nn__opencl_gemm_plan *plan) {
    const int64_t columns = (int64_t)nn__opencl_ceil_div(g->n, 64) * plan->products;
    if (nn__opencl_gemm_is_long(device, g, plan))
        return (int64_t)g->m * g->n * plan->products >
                       16 * (int64_t)NN__OPENCL_GEMM_LONG_TILES * device->units
                   ? NN__OPENCL_GEMM_TILE_LONG_8
                   : NN__OPENCL_GEMM_TILE_LONG_4;
    if (nn__opencl_gemm_is_large(device, g, plan->products)) return NN__OPENCL_GEMM_TILE_LARGE;
    if (nn__opencl_family_of(device) == NN__OPENCL_SMALL_TILES) return NN__OPENCL_GEMM_TILE_32;
    /* The taller tile does more with what it fetches, once it leaves enough of them. */
    return nn__opencl_ceil_div(g->m, 128) * columns >= 2 * (int64_t)device->units
               ? NN__OPENCL_GEMM_TILE_128
               : NN__OPENCL_GEMM_TILE_64;
}

static void nn__opencl_gemm_plan_gpu(nn__opencl *device, const nn_gemm_args *g,
                                     nn__opencl_gemm_plan *plan) {
    const int64_t columns = (int64_t)nn__opencl_ceil_div(g->n, 64) * plan->products;
    if (plan->tile == NN__OPENCL_GEMM_TILE_LONG_4 || plan->tile == NN__OPENCL_GEMM_TILE_LONG_8) {
        plan->way = NN__OPENCL_GEMM_LONG;
        plan->rows = plan->tile == NN__OPENCL_GEMM_TILE_LONG_8 ? 8 : 4;
        return;
    }
    if (plan->tile == NN__OPENCL_GEMM_TILE_LARGE) {
        nn__opencl_gemm_plan_large(device, g, plan);
        return;
    }
    plan->way = NN__OPENCL_GEMM_TILES;
    plan->rows = plan->tile == NN__OPENCL_GEMM_TILE_128 ? 128 : 64;
    nn__opencl_gemm_split(plan, g->k, nn__opencl_ceil_div(g->m, plan->rows) * columns,
                          device->units > 32 ? 2 * (int64_t)device->units : 64, 128);
}

/* The number of sums that was measured, instead of the judged one. */
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

static int nn__opencl_gemm_type(const nn_view *view) {
    return view->dtype == NN_F16 ? 1 : view->dtype == NN_BF16 ? 2 : view->dtype == NN_I8 ? 3 : 0;
}

static void nn__opencl_gemm_plan_batch(const nn_gemm_args *g, nn__opencl_gemm_plan *plan) {
    plan->products = plan->b_count = 1;
    for (int i = 0; i < NN_GEMM_BATCH; i++) {
        plan->products *= nn__opencl_gemm_extent(g, i);
        plan->b_count += (nn__opencl_gemm_extent(g, i) - 1) * g->b_batch[i];
    }
    plan->a_type = nn__opencl_gemm_type(&g->a);
    plan->b_type = nn__opencl_gemm_type(&g->b);
}

/* Units of a batch are products, for there may be many of few rows. */
static void nn__opencl_gemm_plan_units(nn__opencl_gemm_plan *plan) {
    const int32_t most = NN__OPENCL_GEMM_THIRD / plan->splits;
    plan->units = plan->tiles;
    plan->each = 1;
    if (plan->products == 1) return;
    plan->each = nn__opencl_ceil_div(plan->products, 32);
    if (plan->each > most) plan->each = most;
    plan->units = nn__opencl_ceil_div(plan->products, plan->each);
}

/* The tile that was measured, if it can be had, or the judged one. */
static void nn__opencl_gemm_plan_tile(nn__opencl *device, const nn_gemm_args *g,
                                      nn__opencl_gemm_plan *plan) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    const nn__opencl_choice choice = nn__opencl_choose(device, NN_KERNEL_GEMM, g);
    const bool chosen = choice.tile && nn__opencl_gemm_fits(device, g, choice.tile);
    if (chosen)
        plan->tile = (nn__opencl_gemm_tile)choice.tile;
    else if (device->clblast_always && nn__opencl_gemm_fits(device, g, NN__OPENCL_GEMM_TILE_BLAS))
        plan->tile = NN__OPENCL_GEMM_TILE_BLAS;
    else if ((int64_t)g->m * g->n * g->k <= NN__OPENCL_GEMM_TINY || family == NN__OPENCL_PLAIN)
        return;
    else
        plan->tile = family == NN__OPENCL_ROWS ? nn__opencl_gemm_judge_cpu(device, g)
                                               : nn__opencl_gemm_judge_gpu(device, g, plan);
    if (plan->tile == NN__OPENCL_GEMM_TILE_BLAS)
        plan->way = NN__OPENCL_GEMM_BLAS;
    else if (family == NN__OPENCL_ROWS)
        nn__opencl_gemm_plan_cpu(device, g, plan);
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
    nn__opencl_gemm_plan_tile(device, g, &plan);
    if (plan.way == NN__OPENCL_GEMM_BLAS) {
        plan.rows = g->m;
        plan.finish = g->accumulate || nn__opencl_present(&g->epilogue.bias) ||
                      g->epilogue.activation != NN_ACTIVATION_NONE;
        if (g->accumulate) plan.partial_bytes = (uint64_t)g->m * (uint64_t)g->n * 4;
    } else {
        plan.finish = plan.splits > 1;
        if (plan.finish)
            plan.partial_bytes = (uint64_t)plan.splits * (uint64_t)plan.products * (uint64_t)g->m *
                                 (uint64_t)g->n * 4;
    }
    plan.pack_bytes = (plan.pack_bytes + 63) / 64 * 64;
    plan.partial_bytes = (plan.partial_bytes + 63) / 64 * 64;
    plan.tiles = nn__opencl_ceil_div(g->m, plan.rows);
    nn__opencl_gemm_plan_units(&plan);
    return plan;
}

static uint64_t nn__opencl_gemm_scratch_bytes(nn__opencl *device, const void *args) {
    const nn__opencl_gemm_plan plan = nn__opencl_gemm_plan_of(device, (const nn_gemm_args *)args);
    return plan.pack_bytes + plan.partial_bytes + plan.blas_bytes;
}

static int32_t nn__opencl_gemm_units(nn__opencl *device, const void *args) {
    const nn__opencl_gemm_plan plan = nn__opencl_gemm_plan_of(device, (const nn_gemm_args *)args);
    return (plan.pack ? 1 : 0) + plan.units + (plan.finish ? 1 : 0);
}

/* ---- launches -------------------------------------------------------------------------------- */

static nn__opencl_launch nn__opencl_gemm_begin(nn__opencl *device, const char *entry,
                                               const char *options, int a_type, int b_type) {
    char all[128];
    if (!a_type && !b_type) return nn__opencl_begin(device, "matmul", entry, options);
    nn__opencl_format(all, sizeof all, "%s -DNN_GEMM_A_TYPE=%d -DNN_GEMM_B_TYPE=%d", options,
                      a_type, b_type);
    return nn__opencl_begin(device, "matmul", entry, all);
}

static void nn__opencl_gemm_int4(nn__opencl_launch *launch, const int32_t *value, bool extents) {
    cl_int four[4];
    for (int i = 0; i < 4; i++) four[i] = extents && value[i] < 1 ? 1 : value[i];
    nn__opencl_bytes(launch, sizeof four, four);
}

/* The arguments of the four product kernels. Cut products go to scratch, without the epilogue. */
static void nn__opencl_gemm_arguments(nn__opencl_launch *launch, const nn_gemm_args *g,
                                      const nn__opencl_gemm_plan *plan,
                                      const nn__opencl_gemm_part *part, int32_t first) {
    const bool cut = plan->splits > 1;
    const nn_view partial = nn__opencl_part(&g->scratch, plan->pack_bytes, plan->partial_bytes);
    const nn_view packed = nn__opencl_part(&g->scratch, 0, plan->pack_bytes);
    nn_view none;
    uint32_t b_step = g->transpose_b ? 1 : (uint32_t)g->n,
             b_column = g->transpose_b ? (uint32_t)g->k : 1;
    uint64_t b_matrix = (uint64_t)g->n * (uint64_t)g->k;
    memset(&none, 0, sizeof none);
    if (plan->pack) {
        b_step = 2 * (uint32_t)nn__opencl_lanes(launch->device);
        b_column = 0;
        b_matrix = (uint64_t)nn__opencl_ceil_div(g->n, b_step) * b_step * (uint64_t)g->k;
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
    nn__opencl_int(launch, plan->splits);
    nn__opencl_int(launch, part->product);
    nn__opencl_int(launch, plan->products);
    nn__opencl_ulong(launch, (uint64_t)g->m * (uint64_t)g->k);
    nn__opencl_ulong(launch, b_matrix);
    nn__opencl_gemm_int4(launch, g->batch, true);
    nn__opencl_gemm_int4(launch, g->a_batch, false);
    nn__opencl_gemm_int4(launch, g->b_batch, false);
}

static nn_result nn__opencl_gemm_pack(nn__opencl *device, const nn_gemm_args *g,
                                      const nn__opencl_gemm_plan *plan) {
    const int lanes = nn__opencl_lanes(device);
    const nn_view packed = nn__opencl_part(&g->scratch, 0, plan->pack_bytes);
    nn_result result = NN_OK;
    for (int32_t first = 0; first < plan->b_count && result >= 0; first += NN__OPENCL_GEMM_THIRD) {
        const int32_t left = plan->b_count - first;
        nn__opencl_launch launch = nn__opencl_gemm_begin(
            device, "nn_gemm_pack",
            lanes == 16 ? "-DNN_GEMM_ONLY=1" : "-DNN_GEMM_ONLY=1 -DNN_GEMM_LANES=8", 0,
            plan->b_type);
        size_t groups[3], local[3] = {1, 1, 1};
        nn__opencl_view(&launch, &packed);
        nn__opencl_view(&launch, &g->b);
        nn__opencl_int(&launch, g->n);
        nn__opencl_int(&launch, g->k);
        nn__opencl_uint(&launch, g->transpose_b ? 1 : (uint32_t)g->n);
        nn__opencl_uint(&launch, g->transpose_b ? (uint32_t)g->k : 1);
        nn__opencl_int(&launch, first);
        groups[0] = (size_t)nn__opencl_ceil_div(g->k, 16);
        groups[1] = (size_t)nn__opencl_ceil_div(g->n, 2 * lanes);
        groups[2] = (size_t)(left < NN__OPENCL_GEMM_THIRD ? left : NN__OPENCL_GEMM_THIRD);
        result = nn__opencl_run(&launch, 3, groups, local);
    }
    return result;
}

static nn_result nn__opencl_gemm_run_plain(nn__opencl *device, const nn_gemm_args *g,
                                           const nn__opencl_gemm_plan *plan,
                                           const nn__opencl_gemm_part *part) {
    const int32_t first = part->first * plan->rows, left = g->m - first,
                  rows = part->count * plan->rows < left ? part->count * plan->rows : left;
    nn__opencl_launch launch =
        nn__opencl_gemm_begin(device, "nn_gemm_plain",
                              device->cpu && nn__opencl_lanes(device) == 8
                                  ? "-DNN_GEMM_ONLY=1 -DNN_GEMM_LANES=8"
                                  : "-DNN_GEMM_ONLY=1",
                              plan->a_type, plan->b_type);
    size_t groups[3], local[3] = {1, 1, 1};
    local[0] = nn__opencl_group(&launch, 64);
    nn__opencl_gemm_arguments(&launch, g, plan, part, first);
    groups[0] = (size_t)nn__opencl_ceil_div(g->n, (int64_t)local[0]);
    groups[1] = (size_t)rows;
    groups[2] = (size_t)plan->splits * (size_t)part->products;
    return nn__opencl_run(&launch, 3, groups, local);
}

static nn_result nn__opencl_gemm_run_cpu(nn__opencl *device, const nn_gemm_args *g,
                                         const nn__opencl_gemm_plan *plan,
                                         const nn__opencl_gemm_part *part) {
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
    const int32_t first = part->first, count = part->count;
    nn__opencl_launch launch =
        nn__opencl_gemm_begin(device, dots ? "nn_gemm_dots" : "nn_gemm_rows", options,
                              plan->a_type, plan->pack ? 0 : plan->b_type);
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_gemm_arguments(&launch, g, plan, part, first * each);
    groups[0] = (size_t)((first + count) * each < whole ? count * each : whole - first * each);
    groups[1] = (size_t)nn__opencl_ceil_div(g->n, dots ? 4 : 2 * lanes);
    groups[2] = (size_t)plan->splits * (size_t)part->products;
    return nn__opencl_run(&launch, 3, groups, local);
}

/* Falls back to smaller work-groups where a kernel does not get those that the device promised. */
static nn_result nn__opencl_gemm_run_gpu(nn__opencl *device, const nn_gemm_args *g,
                                         const nn__opencl_gemm_plan *plan,
                                         const nn__opencl_gemm_part *part) {
    static const char *const names[4] = {NULL,
                                         "-DNN_GEMM_ONLY=4 -DNN_GEMM_GROUP=16 -DNN_GEMM_HEIGHT=8",
                                         "-DNN_GEMM_ONLY=4 -DNN_GEMM_GROUP=16 -DNN_GEMM_HEIGHT=4",
                                         "-DNN_GEMM_ONLY=4 -DNN_GEMM_GROUP=8 -DNN_GEMM_HEIGHT=4"};
    static const int32_t items[4] = {256, 256, 256, 64}, tall[4] = {128, 128, 64, 32},
                         wide[4] = {128, 64, 64, 32};
    const int32_t first = part->first, count = part->count;
    int i = plan->tile == NN__OPENCL_GEMM_TILE_LARGE ? 0
            : plan->tile == NN__OPENCL_GEMM_TILE_128 ? 1
            : plan->tile == NN__OPENCL_GEMM_TILE_64  ? 2
                                                     : 3;
    for (; i < 4; i++) {
        nn__opencl_launch launch = nn__opencl_gemm_begin(
            device, i == 0 ? "nn_gemm_large" : "nn_gemm_tiles",
            i == 0 ? nn__opencl_gemm_large_options(g) : names[i], plan->a_type, plan->b_type);
        const int32_t each = plan->rows / tall[i], whole = nn__opencl_ceil_div(g->m, tall[i]);
        size_t groups[3], local[3] = {1, 1, 1};
        if (launch.result < 0) return launch.result;
        if (nn__opencl_group(&launch, (size_t)items[i]) < (size_t)items[i]) continue;
        nn__opencl_gemm_arguments(&launch, g, plan, part, first * each);
        groups[0] = (size_t)nn__opencl_ceil_div(g->n, wide[i]);
        groups[1] = (size_t)((first + count) * each < whole ? count * each : whole - first * each);
        groups[2] = (size_t)plan->splits * (size_t)part->products;
        local[0] = (size_t)items[i];
        return nn__opencl_run(&launch, 3, groups, local);
    }
    return nn__opencl_gemm_run_plain(device, g, plan, part);
}

static nn_result nn__opencl_gemm_run_long(nn__opencl *device, const nn_gemm_args *g,
                                          const nn__opencl_gemm_plan *plan,
                                          const nn__opencl_gemm_part *part) {
    const char *options = plan->rows == 8 ? "-DNN_GEMM_ONLY=6 -DNN_GEMM_SIDE=8"
                                          : "-DNN_GEMM_ONLY=6 -DNN_GEMM_SIDE=4";
    nn__opencl_launch launch =
        nn__opencl_gemm_begin(device, "nn_gemm_long", options, plan->a_type, plan->b_type);
    size_t groups[3], local[3] = {NN__OPENCL_GEMM_LONG_ITEMS, 1, 1};
    if (launch.result < 0) return launch.result;
    if (nn__opencl_group(&launch, local[0]) < local[0])
        return nn__opencl_gemm_run_plain(device, g, plan, part);
    nn__opencl_gemm_arguments(&launch, g, plan, part, part->first);
    groups[0] = (size_t)nn__opencl_ceil_div(g->n, plan->rows);
    groups[1] = (size_t)part->count;
    groups[2] = (size_t)part->products;
    return nn__opencl_run(&launch, 3, groups, local);
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
    const uint64_t elements = (uint64_t)plan->products * (uint64_t)g->m * (uint64_t)g->n;
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

/* Units [from, to) between packing and finishing: tiles of rows, or products of a batch. */
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
        case NN__OPENCL_GEMM_ROWS:
        case NN__OPENCL_GEMM_DOTS:
            result = nn__opencl_gemm_run_cpu(device, g, plan, &part);
            break;
        case NN__OPENCL_GEMM_TILES:
        case NN__OPENCL_GEMM_LARGE:
            result = nn__opencl_gemm_run_gpu(device, g, plan, &part);
            break;
        case NN__OPENCL_GEMM_LONG:
            result = nn__opencl_gemm_run_long(device, g, plan, &part);
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
    const int32_t before = plan.pack ? 1 : 0, end = first + count;
    const int32_t from = first > before ? first - before : 0,
                  to = end - before < plan.units ? end - before : plan.units;
    nn_result result = NN_OK;
    nn__opencl_begins(device);
    if (plan.pack && first == 0 && count > 0) result = nn__opencl_gemm_pack(device, g, &plan);
    if (result >= 0 && from < to)
        result = nn__opencl_gemm_run_units(device, g, &plan, from, to);
    if (result >= 0 && plan.finish && end > before + plan.units)
        result = nn__opencl_gemm_finish(device, g, &plan);
    return result;
}

static bool nn__opencl_gemm_reads(const nn_view *view) {
    return view->dtype == NN_F32 || nn__opencl_gemm_type(view) != 0;
}

static const char *nn__opencl_gemm_refuses(nn__opencl *device, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    (void)device;
    return nn__opencl_gemm_reads(&g->a) && nn__opencl_gemm_reads(&g->b) && g->y.dtype == NN_F32
               ? NULL
               : "a product reads f32, f16, bf16 and i8, and writes f32";
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_gemm(void) {
    static const nn__opencl_kernel kernel = {nn__opencl_gemm_refuses, nn__opencl_gemm_scratch_bytes,
                                             nn__opencl_gemm_units, nn__opencl_gemm_run};
    return &kernel;
}

#undef NN__OPENCL_GEMM_TINY
#undef NN__OPENCL_GEMM_LONG_ITEMS
#undef NN__OPENCL_GEMM_LONG_TILES
#undef NN__OPENCL_GEMM_THIRD
