/* kernels/conv2d/opencl_weight.c - the gradients of a convolution's weight and bias on OpenCL: one
   product, cut into splits whose results are added in a fixed order. Units: the splits, then their
   sum. */
#include "kernels/conv2d/opencl.h"

typedef struct nn__opencl_conv_weight_plan {
    bool tiles, depthwise, few;
    nn__opencl_conv_mma mma; /* side 0: none */
    nn__opencl_conv_weight_tile tile; /* if tiles */
    int32_t splits, chunk;            /* chunk: output positions per split */
    bool half; /* large tiles use half arithmetic */
    /* Bytes of scratch: sums of the splits; copied operands, or the largest numbers of operands. */
    uint64_t partial, packed;
} nn__opencl_conv_weight_plan;

/* Returns the bytes of the sums of `splits` splits: dweight and dbias of each. */
static uint64_t nn__opencl_conv_weight_partial(const nn__opencl_conv *c, int32_t splits) {
    return nn__opencl_conv_aligned((uint64_t)splits * (uint64_t)(c->groups * c->rows) *
                                   (uint64_t)(nn__opencl_conv_depth(c) + 1));
}

static bool nn__opencl_conv_weight_is_large(int32_t tile) {
    return tile == NN__OPENCL_CONV_WEIGHT_TILE_128_128 ||
           tile == NN__OPENCL_CONV_WEIGHT_TILE_64_256;
}

/* Chooses the number of splits for a GPU's tiles, and its upper limit. A compute unit holds one or
   two work-groups of large tiles at once, and more of the others. */
static void nn__opencl_conv_weight_cut(const nn__opencl *device, const nn__opencl_conv *c,
                                       nn__opencl_choice choice, int64_t *wanted,
                                       int64_t *longest) {
    const int64_t outputs = (int64_t)c->images * c->h.outputs * c->w.outputs;
    const bool large = nn__opencl_conv_weight_is_large(choice.tile);
    const int32_t rows = !large || choice.tile == NN__OPENCL_CONV_WEIGHT_TILE_64_256 ? 64 : 128,
                  wide = large ? 16384 / rows : 64;
    const int64_t tiles = (int64_t)nn__opencl_ceil_div(nn__opencl_conv_depth(c) + 1, wide) *
                          nn__opencl_ceil_div(c->rows, rows) * c->groups;
    *wanted = ((large ? 2 : 4) * (int64_t)device->units + tiles - 1) / tiles;
    *longest = outputs / (large ? 512 : 256);
    if (choice.tile == NN__OPENCL_CONV_WEIGHT_TILE_PATCHES)
        nn__opencl_weight_patches_cut(device, c, wanted, longest);
    if (!choice.splits) return;
    *wanted = choice.splits;
    *longest = outputs / 16;
}

static nn__opencl_conv_weight_plan nn__opencl_conv_weight_plan_of(nn__opencl *device,
                                                                  const nn_conv2d_args *a) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, NN__OPENCL_CONV_WEIGHT, 0);
    const int32_t depth = nn__opencl_conv_depth(&c);
    const int64_t outputs = (int64_t)c.images * c.h.outputs * c.w.outputs;
    int64_t wanted, tiles, longest;
    nn__opencl_choice choice;
    nn__opencl_conv_weight_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.depthwise = nn__opencl_depthwise_suits(device, a, NN__OPENCL_CONV_WEIGHT);
    plan.mma = nn__opencl_conv_mma_of(device, a, NN__OPENCL_CONV_WEIGHT);
    plan.few = !plan.mma.side && nn__opencl_weight_few_suits(device, a);
    if (plan.depthwise || plan.few) {
        plan.splits = plan.few ? nn__opencl_weight_few_cut_of(a).splits
                               : nn__opencl_depthwise_weight_cut(a).splits;
        plan.chunk = nn__opencl_ceil_div(outputs, plan.splits > 0 ? plan.splits : 1);
        plan.partial = nn__opencl_conv_weight_partial(&c, plan.splits);
        return plan;
    }
    plan.tiles = plan.mma.side || (nn__opencl_conv_work(&c) > NN__OPENCL_CONV_TINY &&
                                   nn__opencl_present(&a->weight) &&
                                   nn__opencl_family_of(device) != NN__OPENCL_PLAIN && c.rows > 4);
    if (plan.mma.side) {
        tiles = (int64_t)nn__opencl_conv_mma_columns(a, &c, plan.mma.side) *
                nn__opencl_ceil_div(c.rows, plan.mma.side) * c.groups;
        wanted = ((plan.mma.side == 128 ? 2 : 4) * (int64_t)device->units + tiles - 1) / tiles;
        longest = outputs / (device->mma_always ? 64 : 256);
    } else if (plan.tiles) {
        choice = nn__opencl_conv_weight_choose(device, a, &c);
        plan.tile = (nn__opencl_conv_weight_tile)choice.tile;
        plan.half = nn__opencl_conv_half_of(device, a, NN__OPENCL_CONV_WEIGHT);
        nn__opencl_conv_weight_cut(device, &c, choice, &wanted, &longest);
    } else {
        tiles = (int64_t)c.rows * c.groups * (nn__opencl_present(&a->weight) ? depth + 1 : 1);
        wanted = (32768 + tiles - 1) / tiles;
        longest = outputs / 256;
    }
    if (wanted > longest) wanted = longest;
    if (wanted > 1024) wanted = 1024;
    if (wanted < 1) wanted = 1;
    plan.chunk = nn__opencl_ceil_div(outputs, wanted);
    if (plan.mma.side)
        plan.chunk = (plan.chunk + 31) / 32 * 32;
    else if (plan.tiles)
        plan.chunk = (plan.chunk + 15) / 16 * 16;
    plan.splits = nn__opencl_ceil_div(outputs, plan.chunk);
    plan.partial = nn__opencl_conv_weight_partial(&c, plan.splits);
    if (plan.mma.tall)
        plan.packed = nn__opencl_conv_copied_bytes(a, NN__OPENCL_CONV_WEIGHT, &plan.mma);
    if (plan.half) plan.packed = NN__OPENCL_HALF_BYTES;
    return plan;
}

NN__OPENCL_PRIVATE int32_t nn__opencl_conv_weight_splits_of(nn__opencl *device,
                                                            const nn_conv2d_args *a) {
    return nn__opencl_conv_weight_plan_of(device, a).splits;
}

NN__OPENCL_PRIVATE uint64_t nn__opencl_conv_weight_scratch_bytes(nn__opencl *device,
                                                                 const void *args) {
    const nn__opencl_conv_weight_plan plan =
        nn__opencl_conv_weight_plan_of(device, (const nn_conv2d_args *)args);
    return plan.partial + plan.packed;
}

/* Returns the part of scratch that holds copied operands, or the largest numbers of operands. */
static nn_view nn__opencl_conv_weight_packed(const nn_conv2d_args *a,
                                             const nn__opencl_conv_weight_plan *plan) {
    return nn__opencl_part(&a->scratch, plan->partial, plan->packed);
}

NN__OPENCL_PRIVATE int32_t nn__opencl_conv_weight_units(nn__opencl *device, const void *args) {
    const nn__opencl_conv_weight_plan plan =
        nn__opencl_conv_weight_plan_of(device, (const nn_conv2d_args *)args);
    return plan.splits + 1;
}

static void nn__opencl_conv_weight_arguments(nn__opencl_launch *launch, const nn_conv2d_args *a,
                                             const nn__opencl_conv *c,
                                             const nn__opencl_conv_weight_plan *plan,
                                             int32_t first) {
    const nn_view partial = nn__opencl_part(&a->scratch, 0, plan->partial),
                  packed = nn__opencl_conv_weight_packed(a, plan);
    nn_view none, dy = a->y;
    memset(&none, 0, sizeof none);
    if (plan->mma.tall) dy = nn__opencl_conv_copied_dy(a, &plan->mma, &packed);
    nn__opencl_view(launch, &partial);
    nn__opencl_view(launch, &dy);
    nn__opencl_view(launch, nn__opencl_present(&a->weight) ? &a->x : &none);
    nn__opencl_conv_axes(launch, c);
    nn__opencl_int(launch, plan->chunk);
    nn__opencl_conv_division(launch, c->h.outputs * c->w.outputs);
    nn__opencl_conv_division(launch, c->w.outputs);
    nn__opencl_int(launch, first);
    nn__opencl_conv_block_arguments(launch, c);
}

static nn_result nn__opencl_conv_weight_plain(nn__opencl *device, const nn_conv2d_args *a,
                                              const nn__opencl_conv *c,
                                              const nn__opencl_conv_weight_plan *plan,
                                              int32_t first, int32_t splits) {
    nn__opencl_launch launch =
        nn__opencl_conv_begin(device, c, "nn_conv2d_weight_plain", "-DNN_CONV_ONLY=1");
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_conv_weight_arguments(&launch, a, c, plan, first);
    local[0] = nn__opencl_present(&a->weight) ? nn__opencl_group(&launch, 16) : 1;
    groups[0] = nn__opencl_present(&a->weight)
                    ? (size_t)nn__opencl_ceil_div(nn__opencl_conv_depth(c) + 1, (int64_t)local[0])
                    : 1;
    groups[1] = (size_t)c->rows;
    groups[2] = (size_t)(c->groups * splits);
    return nn__opencl_run(&launch, 3, groups, local);
}

static nn_result nn__opencl_conv_weight_tiles(nn__opencl *device, const nn_conv2d_args *a,
                                              const nn__opencl_conv *c,
                                              const nn__opencl_conv_weight_plan *plan,
                                              int32_t first, int32_t splits) {
    static const char *const names[4] = {
        "-DNN_CONV_ONLY=11 -DNN_CONV_SIDE=128", "-DNN_CONV_ONLY=11 -DNN_CONV_SIDE=64",
        "-DNN_CONV_ONLY=6 -DNN_CONV_DOWN=16 -DNN_CONV_ACROSS=16 -DNN_CONV_HEIGHT=4",
        "-DNN_CONV_ONLY=6 -DNN_CONV_DOWN=8 -DNN_CONV_ACROSS=8 -DNN_CONV_HEIGHT=4"};
    static const int32_t items[4] = {256, 256, 256, 64}, tall[4] = {128, 64, 64, 32},
                         wide[4] = {128, 256, 64, 32};
    const nn_view packed = nn__opencl_conv_weight_packed(a, plan);
    /* A pooling block reads its gradient in windows, which large tiles cannot do. */
    int i = plan->tile == NN__OPENCL_CONV_WEIGHT_TILE_32              ? 3
            : !nn__opencl_conv_weight_is_large((int32_t)plan->tile) || c->block ? 2
            : plan->tile == NN__OPENCL_CONV_WEIGHT_TILE_128_128        ? 0
                                                                       : 1;
    for (; i < 4; i = i < 2 ? 2 : i + 1) {
        bool half = i < 2 && plan->half;
        nn__opencl_launch launch = nn__opencl_conv_half_begin(
            device, c, i < 2 ? "nn_conv2d_weight_large" : "nn_conv2d_weight_tiles", names[i],
            &half);
        size_t groups[3], local[3] = {1, 1, 1};
        if (launch.result < 0) return launch.result;
        if (nn__opencl_group(&launch, (size_t)items[i]) < (size_t)items[i]) continue;
        if (half && first == 0) {
            const nn_result result =
                nn__opencl_conv_half_find(device, a, NN__OPENCL_CONV_WEIGHT, &packed);
            if (result < 0) return result;
        }
        nn__opencl_conv_weight_arguments(&launch, a, c, plan, first);
        if (half) nn__opencl_view(&launch, &packed);
        local[0] = (size_t)items[i];
        groups[0] = (size_t)nn__opencl_ceil_div(nn__opencl_conv_depth(c) + 1, wide[i]);
        groups[1] = (size_t)nn__opencl_ceil_div(c->rows, tall[i]);
        groups[2] = (size_t)(c->groups * splits);
        return nn__opencl_run(&launch, 3, groups, local);
    }
    return nn__opencl_conv_weight_plain(device, a, c, plan, first, splits);
}

static nn_result nn__opencl_conv_weight_finish(nn__opencl *device, const nn_conv2d_args *a,
                                               const nn__opencl_conv *c,
                                               const nn__opencl_conv_weight_plan *plan) {
    const nn_view partial = nn__opencl_part(&a->scratch, 0, plan->partial);
    const int32_t depth = nn__opencl_conv_depth(c);
    const uint64_t elements = (uint64_t)(c->groups * c->rows) * (uint64_t)(depth + 1);
    const bool lanes =
        device->group >= 256 && plan->splits >= 16 && elements <= (uint64_t)device->units * 2048;
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", lanes ? "nn_conv2d_finish_lanes" : "nn_conv2d_finish",
                         lanes ? "-DNN_CONV_ONLY=17" : "-DNN_CONV_ONLY=1");
    size_t groups = (size_t)nn__opencl_ceil_div((int64_t)elements, 32), local = 256;
    if (lanes && launch.result >= 0 && nn__opencl_group(&launch, local) < local) {
        local = 0;
        launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_finish", "-DNN_CONV_ONLY=1");
    }
    nn__opencl_view(&launch, &a->weight);
    nn__opencl_view(&launch, &a->epilogue.bias);
    nn__opencl_view(&launch, &partial);
    nn__opencl_uint(&launch, (uint32_t)elements);
    nn__opencl_uint(&launch, (uint32_t)depth);
    nn__opencl_int(&launch, plan->splits);
    nn__opencl_int(&launch, a->accumulate ? 1 : 0);
    return lanes && local ? nn__opencl_run(&launch, 1, &groups, &local)
                          : nn__opencl_run_flat(&launch, elements, 64);
}

/* Runs some splits on matrix units; the first one packs the operands that are copied. *fits: see
   nn__opencl_depthwise_weight. */
static nn_result nn__opencl_conv_weight_mma(nn__opencl *device, const nn_conv2d_args *a,
                                            const nn__opencl_conv *c,
                                            const nn__opencl_conv_weight_plan *plan, int32_t first,
                                            int32_t splits, bool *fits) {
    const nn_view packed = nn__opencl_conv_weight_packed(a, plan);
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_launch launch;
    nn_result result = NN_OK;
    if (plan->mma.tall && first == 0)
        result =
            nn__opencl_conv_copied_pack(device, a, NN__OPENCL_CONV_WEIGHT, &plan->mma, &packed);
    *fits = true;
    if (result < 0) return result;
    launch = nn__opencl_conv_mma_weight(device, c, &plan->mma, fits);
    if (!*fits) return NN_OK;
    local[0] = (size_t)plan->mma.side;
    groups[0] = (size_t)nn__opencl_conv_mma_columns(a, c, plan->mma.side);
    groups[1] = (size_t)nn__opencl_ceil_div(c->rows, plan->mma.side);
    groups[2] = (size_t)(c->groups * splits);
    nn__opencl_conv_weight_arguments(&launch, a, c, plan, first);
    if (plan->mma.tall)
        nn__opencl_conv_copied_arguments(&launch, a, NN__OPENCL_CONV_WEIGHT, 0, &plan->mma,
                                         &packed);
    return nn__opencl_run(&launch, 3, groups, local);
}

static nn_result nn__opencl_conv_weight_splits(nn__opencl *device, const nn_conv2d_args *a,
                                               const nn__opencl_conv *c,
                                               const nn__opencl_conv_weight_plan *plan,
                                               int32_t first, int32_t splits) {
    if (plan->depthwise || (plan->few && !c->block)) {
        const nn_view partial = nn__opencl_part(&a->scratch, 0, plan->partial);
        bool fits;
        const nn_result result =
            plan->few ? nn__opencl_weight_few(device, a, &partial, first, splits, &fits)
                      : nn__opencl_depthwise_weight(device, a, &partial, first, splits, &fits);
        if (fits) return result;
    }
    if (plan->mma.side && !c->block) {
        bool fits;
        const nn_result result =
            nn__opencl_conv_weight_mma(device, a, c, plan, first, splits, &fits);
        if (fits) return result;
        if (nn__opencl_conv_has_halves(a)) return nn__opencl_conv_halves_fail(device);
    }
    if (plan->tiles && plan->tile == NN__OPENCL_CONV_WEIGHT_TILE_PATCHES) {
        const nn_view partial = nn__opencl_part(&a->scratch, 0, plan->partial);
        bool fits;
        const nn_result result = nn__opencl_weight_patches(device, a, c, &partial, plan->splits,
                                                           first, splits, &fits);
        if (fits) return result;
    }
    if (plan->tiles) return nn__opencl_conv_weight_tiles(device, a, c, plan, first, splits);
    return nn__opencl_conv_weight_plain(device, a, c, plan, first, splits);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_conv_weight_run(nn__opencl *device,
                                                        const nn_conv2d_args *a,
                                                        const nn_conv_pool_args *block,
                                                        int32_t first, int32_t count) {
    const nn__opencl_conv_weight_plan plan = nn__opencl_conv_weight_plan_of(device, a);
    nn__opencl_conv c = nn__opencl_conv_of(a, NN__OPENCL_CONV_WEIGHT, 0);
    const int32_t end = first + count, to = end < plan.splits ? end : plan.splits;
    nn_result result = NN_OK;
    nn__opencl_begins(device);
    c.block = block;
    if (first < to)
        result = nn__opencl_conv_weight_splits(device, a, &c, &plan, first, to - first);
    if (result >= 0 && end > plan.splits)
        result = nn__opencl_conv_weight_finish(device, a, &c, &plan);
    return result;
}
