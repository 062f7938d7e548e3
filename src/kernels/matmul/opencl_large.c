/* kernels/matmul/opencl_large.c - products on GPUs in large tiles: chooses the tile and the number
   of pieces of k, and has the options of the program. */
#include "kernels/matmul/opencl.h"

#define NN__OPENCL_GEMM_LEAST_CHUNK  64 /* least steps in a piece of k */
#define NN__OPENCL_GEMM_MOST_SPLITS  64
#define NN__OPENCL_GEMM_ANOTHER      4300 /* cycles of a second launch, including the host's part */

/* A tile of opencl_large.cl, in the order of NN_GEMM_SHAPE. alone and beside are times in percent
   of the cycles in which a compute unit can do 128 multiplications each: with one work-group per
   unit, and with two at once (0: the registers allow only one). group_cycles: cycles until the
   first numbers arrive and after the last. These numbers, and those of a second launch, are fitted:
   nn__opencl_gemm_cycles comes within 12 % on average of the times of an H200 for 20 products in
   all tiles. */
typedef struct nn__opencl_gemm_shape {
    nn__opencl_gemm_tile tile;
    int32_t high, wide, alone, beside, group_cycles;
    uint64_t local_bytes;
} nn__opencl_gemm_shape;

static const nn__opencl_gemm_shape nn__opencl_gemm_shapes[NN__OPENCL_GEMM_SHAPES] = {
    {NN__OPENCL_GEMM_TILE_LARGE, 128, 128, 160, 170, 7400, 16896},
    {NN__OPENCL_GEMM_TILE_64_128, 64, 128, 224, 165, 7400, 25792},
    {NN__OPENCL_GEMM_TILE_64_SLICED, 64, 64, 231, 231, 7400, 17600},
    {NN__OPENCL_GEMM_TILE_32_64, 32, 64, 204, 175, 7400, 26816},
    {NN__OPENCL_GEMM_TILE_128_256, 128, 256, 146, 0, 7400, 25088}};

/* The alternative if there are few tiles: work-groups of 128, several per compute unit. */
static const nn__opencl_gemm_shape nn__opencl_gemm_slices = {
    NN__OPENCL_GEMM_TILE_SLICES, NN__OPENCL_GEMM_SLICES_SIDE, NN__OPENCL_GEMM_SLICES_SIDE, 240, 240,
    1500, 0};

static const nn__opencl_gemm_shape *nn__opencl_gemm_shape_of(nn__opencl_gemm_tile tile) {
    for (int i = 0; i < NN__OPENCL_GEMM_SHAPES; i++)
        if (nn__opencl_gemm_shapes[i].tile == tile) return &nn__opencl_gemm_shapes[i];
    return NULL;
}

static int64_t nn__opencl_gemm_shape_tiles(const nn__opencl_gemm_shape *shape,
                                           const nn_gemm_args *g, int32_t products) {
    return (int64_t)nn__opencl_ceil_div(g->m, shape->high) *
           nn__opencl_ceil_div(g->n, shape->wide) * products;
}

static int32_t nn__opencl_gemm_chunk(int32_t k, int64_t splits) {
    return splits < 2 ? k : (nn__opencl_ceil_div(k, splits) + 15) / 16 * 16;
}

/* Estimates the cycles of the product. The busiest compute unit takes its work-groups in pairs if
   two fit at once. Pieces of k are added by another launch, which reads and writes 7 bytes per
   cycle and unit. */
static int64_t nn__opencl_gemm_cycles(const nn__opencl *device, const nn_gemm_args *g,
                                      int32_t products, const nn__opencl_gemm_shape *shape,
                                      int64_t splits) {
    const int32_t chunk = nn__opencl_gemm_chunk(g->k, splits);
    const int64_t units = device->units > 0 ? (int64_t)device->units : 1,
                  groups = nn__opencl_gemm_shape_tiles(shape, g, products) * splits,
                  most = (groups + units - 1) / units,
                  work = (int64_t)shape->high * shape->wide / 128 * ((chunk + 31) / 32 * 32),
                  alone = work * shape->alone / 100 + shape->group_cycles;
    int64_t cycles = most * alone;
    if (shape->beside)
        cycles = most / 2 * (work * shape->beside / 50 + shape->group_cycles) +
                 most % 2 * alone;
    if (splits > 1)
        cycles += NN__OPENCL_GEMM_ANOTHER +
                  (splits + 1) * products * (4 * (int64_t)g->m * g->n / (7 * units));
    return cycles;
}

/* Returns the number of pieces of k that gives each compute unit `each` work-groups; 1 if it is not
   split. */
static int64_t nn__opencl_gemm_pieces(const nn__opencl *device, const nn_gemm_args *g,
                                      int64_t tiles, int each) {
    int64_t splits = each * (int64_t)device->units / tiles;
    if (splits > g->k / NN__OPENCL_GEMM_LEAST_CHUNK) splits = g->k / NN__OPENCL_GEMM_LEAST_CHUNK;
    if (splits > NN__OPENCL_GEMM_MOST_SPLITS) splits = NN__OPENCL_GEMM_MOST_SPLITS;
    if (splits < 2) return 1;
    return nn__opencl_ceil_div(g->k, nn__opencl_gemm_chunk(g->k, splits));
}

NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_large(const nn__opencl *device,
                                                     nn__opencl_gemm_tile tile) {
    const nn__opencl_gemm_shape *shape = nn__opencl_gemm_shape_of(tile);
    return shape && nn__opencl_family_of(device) == NN__OPENCL_TILES &&
           device->local_memory >= shape->local_bytes;
}

/* Returns the best number of pieces for a tile, and sets *cycles to its time. */
static int64_t nn__opencl_gemm_cut(const nn__opencl *device, const nn_gemm_args *g,
                                   int32_t products, const nn__opencl_gemm_shape *shape,
                                   int64_t *cycles) {
    const int64_t tiles = nn__opencl_gemm_shape_tiles(shape, g, products);
    int64_t best = 1;
    *cycles = nn__opencl_gemm_cycles(device, g, products, shape, 1);
    for (int each = 1; each <= (shape->beside ? 2 : 1); each++) {
        const int64_t splits = nn__opencl_gemm_pieces(device, g, tiles, each);
        const int64_t needs =
            splits > 1 ? nn__opencl_gemm_cycles(device, g, products, shape, splits) : INT64_MAX;
        if (needs >= *cycles) continue;
        *cycles = needs;
        best = splits;
    }
    return best;
}

static int64_t nn__opencl_gemm_slices_cycles(const nn__opencl *device, const nn_gemm_args *g,
                                             int32_t products) {
    nn__opencl_gemm_plan plan;
    int64_t cycles;
    if (!nn__opencl_gemm_is_slices(device, g, products)) return INT64_MAX;
    memset(&plan, 0, sizeof plan);
    plan.products = products;
    plan.splits = 1;
    nn__opencl_gemm_plan_slices(device, g, &plan);
    cycles = nn__opencl_gemm_cycles(device, g, products, &nn__opencl_gemm_slices, plan.splits);
    return plan.splits > 1 && device->gathers
               ? cycles - NN__OPENCL_GEMM_ANOTHER + nn__opencl_gemm_slices.group_cycles
               : cycles;
}

/* With forced large tiles, as in tests, the shapes take turns. */
NN__OPENCL_PRIVATE nn__opencl_gemm_tile nn__opencl_gemm_judge_large(const nn__opencl *device,
                                                                    const nn_gemm_args *g,
                                                                    int32_t products) {
    nn__opencl_gemm_tile best = NN__OPENCL_GEMM_TILE_LARGE;
    int64_t least = nn__opencl_gemm_slices_cycles(device, g, products);
    if (least < INT64_MAX) best = NN__OPENCL_GEMM_TILE_SLICES;
    if (device->forced == NN__OPENCL_LARGE_TILES)
        best = nn__opencl_gemm_shapes[(g->m + g->k) % NN__OPENCL_GEMM_SHAPES].tile;
    if (device->forced == NN__OPENCL_LARGE_TILES && nn__opencl_gemm_may_be_large(device, best))
        return best;
    for (int i = 0; i < NN__OPENCL_GEMM_SHAPES; i++) {
        const nn__opencl_gemm_shape *shape = &nn__opencl_gemm_shapes[i];
        int64_t cycles;
        if (!nn__opencl_gemm_may_be_large(device, shape->tile)) continue;
        nn__opencl_gemm_cut(device, g, products, shape, &cycles);
        if (cycles < least) {
            least = cycles;
            best = shape->tile;
        }
    }
    return best;
}

NN__OPENCL_PRIVATE bool nn__opencl_gemm_plan_large(const nn__opencl *device, const nn_gemm_args *g,
                                                   nn__opencl_gemm_plan *plan) {
    const nn__opencl_gemm_shape *shape = nn__opencl_gemm_shape_of(plan->tile);
    int64_t splits, cycles;
    if (!shape) return false;
    splits = nn__opencl_gemm_cut(device, g, plan->products, shape, &cycles);
    plan->way = NN__OPENCL_GEMM_LARGE;
    plan->rows = shape->high;
    plan->columns = shape->wide;
    plan->splits = (int32_t)splits;
    plan->chunk = nn__opencl_gemm_chunk(g->k, splits);
    return true;
}

NN__OPENCL_PRIVATE bool nn__opencl_gemm_in_fours(const nn_view *view, int32_t together) {
    return together % 4 == 0 && view->offset % (4 * nn_dtype_size(view->dtype)) == 0;
}

#define NN__OPENCL_GEMM_LARGE_NAMES(shape)                                                         \
    {{"-DNN_GEMM_ONLY=5 -DNN_GEMM_SHAPE=" shape                                                    \
      " -DNN_GEMM_VECTOR=0 -DNN_GEMM_A_DEEP=0 -DNN_GEMM_B_DEEP=0",                                 \
      "-DNN_GEMM_ONLY=5 -DNN_GEMM_SHAPE=" shape                                                    \
      " -DNN_GEMM_VECTOR=0 -DNN_GEMM_A_DEEP=0 -DNN_GEMM_B_DEEP=1",                                 \
      "-DNN_GEMM_ONLY=5 -DNN_GEMM_SHAPE=" shape                                                    \
      " -DNN_GEMM_VECTOR=0 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=0",                                 \
      "-DNN_GEMM_ONLY=5 -DNN_GEMM_SHAPE=" shape                                                    \
      " -DNN_GEMM_VECTOR=0 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=1"},                                \
     {"-DNN_GEMM_ONLY=5 -DNN_GEMM_SHAPE=" shape                                                    \
      " -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=0 -DNN_GEMM_B_DEEP=0",                                 \
      "-DNN_GEMM_ONLY=5 -DNN_GEMM_SHAPE=" shape                                                    \
      " -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=0 -DNN_GEMM_B_DEEP=1",                                 \
      "-DNN_GEMM_ONLY=5 -DNN_GEMM_SHAPE=" shape                                                    \
      " -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=0",                                 \
      "-DNN_GEMM_ONLY=5 -DNN_GEMM_SHAPE=" shape                                                    \
      " -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=1"}}

NN__OPENCL_PRIVATE const char *nn__opencl_gemm_large_options(const nn_gemm_args *g,
                                                             nn__opencl_gemm_tile tile) {
    static const char *const names[NN__OPENCL_GEMM_SHAPES][2][4] = {
        NN__OPENCL_GEMM_LARGE_NAMES("0"), NN__OPENCL_GEMM_LARGE_NAMES("1"),
        NN__OPENCL_GEMM_LARGE_NAMES("2"), NN__OPENCL_GEMM_LARGE_NAMES("3"),
        NN__OPENCL_GEMM_LARGE_NAMES("4")};
    const bool fours = nn__opencl_gemm_in_fours(&g->a, g->transpose_a ? g->m : g->k) &&
                       nn__opencl_gemm_in_fours(&g->b, g->transpose_b ? g->k : g->n);
    return names[nn__opencl_gemm_shape_of(tile) - nn__opencl_gemm_shapes][fours]
                [(g->transpose_a ? 0 : 2) + (g->transpose_b ? 1 : 0)];
}

#undef NN__OPENCL_GEMM_LEAST_CHUNK
#undef NN__OPENCL_GEMM_MOST_SPLITS
#undef NN__OPENCL_GEMM_ANOTHER
#undef NN__OPENCL_GEMM_LARGE_NAMES
