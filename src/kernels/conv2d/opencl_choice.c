/* kernels/conv2d/opencl_choice.c - chooses the tiles of a convolution and its gradients: judged
   from the device's properties, or measured by nn_opencl_tune. It also names the tiles and decides
   which of them fit a convolution. */
#include "kernels/conv2d/opencl.h"

NN__OPENCL_PRIVATE const char *const *nn__opencl_conv_tile_names(nn_kernel kernel, int *count) {
    static const char *const names[NN__OPENCL_CONV_TILE_COUNT] = {
        "plain",  "128x128", "64x256", "128x64", "64x64", "32x128",
        "16x256", "32x32",   "winograd", "patches", "small patches",
        "64x64/mma", "128x128/mma", "128x128/mma-copied"};
    static const char *const weight_names[NN__OPENCL_CONV_WEIGHT_TILE_COUNT] = {
        "plain", "64x64", "32x32", "128x128", "64x256", "patches", "64x64/mma", "128x128/mma",
        "128x128/mma-copied"};
    const bool weight = kernel == NN_KERNEL_CONV2D_BACKWARD_WEIGHT;
    *count = weight ? (int)NN__OPENCL_CONV_WEIGHT_TILE_COUNT : (int)NN__OPENCL_CONV_TILE_COUNT;
    return weight ? weight_names : names;
}

/* ---- judged ---------------------------------------------------------------------------------- */

/* opencl_large.cl takes whole turns of eight channels. */
static bool nn__opencl_conv_may_be_large(const nn__opencl_conv *c) {
    return !c->block && c->channels % 8 == 0;
}

/* True in tests of half arithmetic, which takes large tiles wherever they fit. */
static bool nn__opencl_conv_is_tested(const nn__opencl *device, const nn_conv2d_args *a) {
    return device->half_always && device->half && a->precision == NN_PRECISION_MEDIUM;
}

/* Returns the rows of the largest tile, 64 or 128, if such tiles give every compute unit a
   work-group, else 0. */
static int32_t nn__opencl_conv_large_rows(nn__opencl *device, const nn_conv2d_args *a,
                                          const nn__opencl_conv *c) {
    const int64_t positions = (int64_t)c->images * c->h.outputs * c->w.outputs;
    const int32_t rows = c->rows > 64 ? 128 : 64;
    if (!nn__opencl_conv_may_be_large(c)) return 0;
    if (device->forced == NN__OPENCL_LARGE_TILES) return rows;
    if (nn__opencl_family_of(device) != NN__OPENCL_TILES) return 0;
    if (nn__opencl_conv_is_tested(device, a)) return rows;
    if (c->rows <= 40) return 0;
    return nn__opencl_ceil_div(positions, 128 * 128 / rows) *
                       (int64_t)nn__opencl_ceil_div(c->rows, rows) * c->groups >=
                   (int64_t)device->units
               ? rows
               : 0;
}

/* Returns the largest tile that the rows fill and that gives every compute unit a work-group. */
static nn__opencl_conv_tile nn__opencl_conv_judge(nn__opencl *device, const nn_conv2d_args *a,
                                                  const nn__opencl_conv *c) {
    const int32_t large = nn__opencl_conv_large_rows(device, a, c);
    nn__opencl_conv alone = *c;
    nn__opencl_conv_tile patches;
    const int64_t outputs = (int64_t)c->images * c->groups * c->rows * c->h.outputs * c->w.outputs;
    alone.block = NULL;
    patches = nn__opencl_patches_judge(
        device, a, &alone, nn__opencl_conv_large_rows(device, a, &alone),
        large && nn__opencl_conv_half_suits(device, a,
                                            c->y == &a->x ? NN__OPENCL_CONV_INPUT
                                                          : NN__OPENCL_CONV_FORWARD));
    if (patches != NN__OPENCL_CONV_JUDGED && !(large && nn__opencl_conv_is_tested(device, a)))
        return patches;
    if (large) return large == 128 ? NN__OPENCL_CONV_TILE_128_128 : NN__OPENCL_CONV_TILE_64_256;
    if (outputs < (int64_t)device->units * 64 * 64 ||
        nn__opencl_family_of(device) == NN__OPENCL_SMALL_TILES)
        return NN__OPENCL_CONV_TILE_32_32;
    if (c->rows > 96 && outputs >= (int64_t)device->units * 128 * 64)
        return NN__OPENCL_CONV_TILE_128_64;
    return c->rows > 32   ? NN__OPENCL_CONV_TILE_64_64
           : c->rows > 16 ? NN__OPENCL_CONV_TILE_32_128
                          : NN__OPENCL_CONV_TILE_16_256;
}

/* ---- which tiles fit ------------------------------------------------------------------------- */

static bool nn__opencl_conv_tile_fits(nn__opencl *device, const nn_conv2d_args *a,
                                      const nn__opencl_conv *c, int32_t tile) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    switch (tile) {
    case NN__OPENCL_CONV_TILE_128_128:
    case NN__OPENCL_CONV_TILE_64_256:
        return family == NN__OPENCL_TILES && nn__opencl_conv_may_be_large(c);
    case NN__OPENCL_CONV_TILE_128_64:
    case NN__OPENCL_CONV_TILE_64_64:
    case NN__OPENCL_CONV_TILE_32_128:
    case NN__OPENCL_CONV_TILE_16_256: return family == NN__OPENCL_TILES;
    case NN__OPENCL_CONV_TILE_32_32:
        return family == NN__OPENCL_TILES || family == NN__OPENCL_SMALL_TILES;
    case NN__OPENCL_CONV_TILE_WINOGRAD: return nn__opencl_gpu_winograd_fits(device, a, c);
    case NN__OPENCL_CONV_TILE_PATCHES:
    case NN__OPENCL_CONV_TILE_PATCHES_SMALL: return nn__opencl_patches_fit(device, c);
    default: return false;
    }
}

/* True if half of an int holds the row numbers of opencl_weight.cl, including one turn beyond the
   last. */
static bool nn__opencl_conv_weight_counts(const nn__opencl_conv_axis *axis) {
    return ((int64_t)axis->outputs + 9) * axis->stride + (int64_t)axis->taps * axis->step +
               (axis->first < 0 ? -axis->first : axis->first) + axis->source <
           16384;
}

/* Channels come in fours. Positions must fit into 32 bits, including one turn of eight beyond the
   last. */
static bool nn__opencl_conv_weight_may_be_large(const nn__opencl_conv *c) {
    const int64_t images = (int64_t)c->images + 10, most = 2147483647;
    return c->channels % 4 == 0 && nn__opencl_conv_weight_counts(&c->h) &&
           nn__opencl_conv_weight_counts(&c->w) &&
           (int64_t)c->groups * c->channels * c->h.source * c->w.source <= most / images &&
           (int64_t)c->groups * c->rows * c->h.outputs * c->w.outputs <= most / images;
}

static bool nn__opencl_conv_weight_fits(nn__opencl *device, const nn__opencl_conv *c,
                                        int32_t tile) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    if (tile == NN__OPENCL_CONV_WEIGHT_TILE_32)
        return family == NN__OPENCL_TILES || family == NN__OPENCL_SMALL_TILES;
    if (tile == NN__OPENCL_CONV_WEIGHT_TILE_PATCHES)
        return nn__opencl_weight_patches_fit(device, c);
    if (tile >= NN__OPENCL_CONV_WEIGHT_TILE_128_128 && !nn__opencl_conv_weight_may_be_large(c))
        return false;
    return tile > NN__OPENCL_CONV_WEIGHT_JUDGED && tile < NN__OPENCL_CONV_WEIGHT_TILE_MMA_64 &&
           family == NN__OPENCL_TILES;
}

/* Returns the work-groups of large tiles in the whole gradient, before it is cut into splits. */
static int64_t nn__opencl_conv_weight_large(const nn__opencl_conv *c, int32_t rows) {
    return (int64_t)nn__opencl_ceil_div(nn__opencl_conv_depth(c) + 1, 128 * 128 / rows) *
           nn__opencl_ceil_div(c->rows, rows) * c->groups;
}

/* Judged from compiled code, not measured: large tiles do about 1.6 times the work of the others in
   the same time. So they may waste two sevenths at the edges, but with splits of at least 512
   positions they must occupy the whole device. */
static int32_t nn__opencl_conv_judge_weight(nn__opencl *device, const nn_conv2d_args *a,
                                            const nn__opencl_conv *c) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    const int64_t outputs = (int64_t)c->images * c->h.outputs * c->w.outputs;
    const int32_t depth = nn__opencl_conv_depth(c), rows = c->rows > 64 ? 128 : 64;
    const int64_t tiles = nn__opencl_conv_weight_large(c, rows);
    const bool fills = tiles * 16384 * 5 <= (int64_t)c->rows * c->groups * (depth + 1) * 7 &&
                       tiles * (outputs / 512) >= (int64_t)device->units,
               large = nn__opencl_conv_weight_may_be_large(c);
    if (!nn__opencl_conv_is_tested(device, a) &&
        nn__opencl_weight_patches_are_faster(
            device, c, large && fills,
            large && fills && nn__opencl_conv_half_suits(device, a, NN__OPENCL_CONV_WEIGHT)))
        return (int32_t)NN__OPENCL_CONV_WEIGHT_TILE_PATCHES;
    if (family == NN__OPENCL_TILES && large &&
        (fills || device->forced == NN__OPENCL_LARGE_TILES ||
         nn__opencl_conv_is_tested(device, a)))
        return rows == 128 ? (int32_t)NN__OPENCL_CONV_WEIGHT_TILE_128_128
                           : (int32_t)NN__OPENCL_CONV_WEIGHT_TILE_64_256;
    return family == NN__OPENCL_SMALL_TILES || c->rows <= 32 || depth < 32
               ? (int32_t)NN__OPENCL_CONV_WEIGHT_TILE_32
               : (int32_t)NN__OPENCL_CONV_WEIGHT_TILE_64;
}

static nn__opencl_conv_way nn__opencl_conv_way_of(nn_kernel kernel) {
    return kernel == NN_KERNEL_CONV2D_FORWARD          ? NN__OPENCL_CONV_FORWARD
           : kernel == NN_KERNEL_CONV2D_BACKWARD_INPUT ? NN__OPENCL_CONV_INPUT
                                                       : NN__OPENCL_CONV_WEIGHT;
}

NN__OPENCL_PRIVATE bool nn__opencl_conv_fits(nn__opencl *device, nn_kernel kernel,
                                             const nn_conv2d_args *a, int32_t tile) {
    const nn__opencl_conv_way way = nn__opencl_conv_way_of(kernel);
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    if (!nn__opencl_conv_has_tiles(device, a, way)) return false;
    return way == NN__OPENCL_CONV_WEIGHT ? nn__opencl_conv_weight_fits(device, &c, tile)
                                         : nn__opencl_conv_tile_fits(device, a, &c, tile);
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* Returns the measured tile of the whole convolution, even if c is one of its classes. */
static int32_t nn__opencl_conv_measured(nn__opencl *device, const nn_conv2d_args *a,
                                        const nn__opencl_conv *c) {
    return nn__opencl_choose(device,
                             c->y == &a->x ? NN_KERNEL_CONV2D_BACKWARD_INPUT
                                           : NN_KERNEL_CONV2D_FORWARD,
                             a)
        .tile;
}

NN__OPENCL_PRIVATE nn__opencl_conv_tile nn__opencl_conv_tile_of(nn__opencl *device,
                                                                const nn_conv2d_args *a,
                                                                const nn__opencl_conv *c) {
    const int32_t tile = nn__opencl_conv_measured(device, a, c);
    if (tile && nn__opencl_conv_tile_fits(device, a, c, tile)) return (nn__opencl_conv_tile)tile;
    return nn__opencl_gpu_winograd_is_faster(device, a, c) ? NN__OPENCL_CONV_TILE_WINOGRAD
                                                       : nn__opencl_conv_judge(device, a, c);
}

NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_conv_weight_choose(nn__opencl *device,
                                                                   const nn_conv2d_args *a,
                                                                   const nn__opencl_conv *c) {
    nn__opencl_choice choice = nn__opencl_choose(device, NN_KERNEL_CONV2D_BACKWARD_WEIGHT, a);
    if (choice.tile && nn__opencl_conv_weight_fits(device, c, choice.tile)) return choice;
    choice.splits = 0;
    choice.tile = nn__opencl_conv_judge_weight(device, a, c);
    return choice;
}

NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_conv_taken(nn__opencl *device, nn_kernel kernel,
                                                           const nn_conv2d_args *a) {
    const nn__opencl_conv_way way = nn__opencl_conv_way_of(kernel);
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    const nn__opencl_conv_mma mma = nn__opencl_conv_mma_of(device, a, way);
    nn__opencl_choice taken = {0, 1};
    if (way == NN__OPENCL_CONV_WEIGHT) taken.splits = nn__opencl_conv_weight_splits_of(device, a);
    if (mma.side) {
        taken.tile = way == NN__OPENCL_CONV_WEIGHT ? (int32_t)NN__OPENCL_CONV_WEIGHT_TILE_MMA_64
                                                   : (int32_t)NN__OPENCL_CONV_TILE_MMA_64;
        if (mma.side == 128) taken.tile += mma.tall ? 2 : 1;
        return taken;
    }
    if (nn__opencl_depthwise_suits(device, a, way) ||
        (way == NN__OPENCL_CONV_WEIGHT && nn__opencl_weight_few_suits(device, a)))
        taken.tile = -1;
    if (!nn__opencl_conv_has_tiles(device, a, way)) return taken;
    taken.tile = way == NN__OPENCL_CONV_WEIGHT
                     ? nn__opencl_conv_weight_choose(device, a, &c).tile
                     : (int32_t)nn__opencl_conv_tile_of(device, a, &c);
    if (way != NN__OPENCL_CONV_WEIGHT)
        taken.splits = nn__opencl_conv_cut_of(device, a, &c).parts;
    return taken;
}
