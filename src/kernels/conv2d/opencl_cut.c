/* kernels/conv2d/opencl_cut.c - convolutions of few pictures on GPUs. They have too few tiles of
   32 x 32 to fill the device, so their depth is cut into parts, each with its own work-groups. A
   work-group of 64 waits for memory about a thousand cycles in each turn of 16 steps. So the time
   is that of the longest part. The kernel is in opencl_gpu.cl. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_CUT_SIDE   32 /* rows and columns of a tile */
#define NN__OPENCL_CUT_ITEMS  64
#define NN__OPENCL_CUT_STEP   16 /* steps of depth per turn */
#define NN__OPENCL_CUT_GROUPS 4  /* work-groups of 64 per compute unit that are wanted */
#define NN__OPENCL_CUT_PARTS  16 /* most parts */
/* Least turns per part. Adding the sums takes as long as some turns, and longer in a launch of its
   own (MORE). */
#define NN__OPENCL_CUT_TURNS      6
#define NN__OPENCL_CUT_TURNS_MORE 16

/* Returns the number of tiles. */
static int64_t nn__opencl_conv_cut_tiles(const nn__opencl_conv *c) {
    return (int64_t)nn__opencl_ceil_div((int64_t)c->images * c->h.outputs * c->w.outputs,
                                        NN__OPENCL_CUT_SIDE) *
           nn__opencl_ceil_div(c->rows, NN__OPENCL_CUT_SIDE) * c->groups;
}

/* True if the product writes every number of y, so that partial sums can be laid out as y. */
static bool nn__opencl_conv_cut_may(const nn_conv2d_args *a, const nn__opencl_conv *c) {
    return !a->direct && !c->block && c->rows > 4 && c->h.place_step == 1 &&
           c->w.place_step == 1 && !c->h.place && !c->w.place && c->y_plane > 0 &&
           c->h.outputs * c->w.outputs == c->y_plane;
}

NN__OPENCL_PRIVATE nn__opencl_conv_cut nn__opencl_conv_cut_of(nn__opencl *device,
                                                              const nn_conv2d_args *a,
                                                              const nn__opencl_conv *c) {
    const int64_t tiles = nn__opencl_conv_cut_tiles(c);
    const int32_t turns = nn__opencl_ceil_div(nn__opencl_conv_depth(c), NN__OPENCL_CUT_STEP);
    nn__opencl_conv_cut cut;
    int64_t parts;
    memset(&cut, 0, sizeof cut);
    cut.parts = 1;
    if (!nn__opencl_conv_cut_may(a, c) || tiles == 0 ||
        nn__opencl_family_of(device) != NN__OPENCL_TILES ||
        nn__opencl_conv_tile_of(device, a, c) != NN__OPENCL_CONV_TILE_32_32)
        return cut;
    cut.gathers = device->gathers && tiles <= NN__OPENCL_TURNS;
    parts = NN__OPENCL_CUT_GROUPS * (int64_t)device->units / tiles;
    if (parts > NN__OPENCL_CUT_PARTS) parts = NN__OPENCL_CUT_PARTS;
    if (parts > turns / (cut.gathers ? NN__OPENCL_CUT_TURNS : NN__OPENCL_CUT_TURNS_MORE))
        parts = turns / (cut.gathers ? NN__OPENCL_CUT_TURNS : NN__OPENCL_CUT_TURNS_MORE);
    if (parts < 2) return cut;
    cut.chunk = nn__opencl_ceil_div(turns, parts) * NN__OPENCL_CUT_STEP;
    cut.parts = nn__opencl_ceil_div(nn__opencl_conv_depth(c), cut.chunk);
    cut.bytes = nn__opencl_conv_aligned(
        (uint64_t)cut.parts *
        (cut.gathers ? (uint64_t)tiles * NN__OPENCL_CUT_SIDE * NN__OPENCL_CUT_SIDE
                     : (uint64_t)nn__opencl_count(c->y)));
    return cut;
}

/* Begins the launch. False: the device gives the kernel smaller work-groups than it needs. */
static bool nn__opencl_conv_cut_begin(nn__opencl *device, const nn__opencl_conv *c,
                                      const nn__opencl_conv_cut *cut, nn__opencl_launch *launch) {
    static const char *const names[2] = {
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=8 -DNN_CONV_ACROSS=8 -DNN_CONV_HEIGHT=4 -DNN_CONV_CUT=1",
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=8 -DNN_CONV_ACROSS=8 -DNN_CONV_HEIGHT=4 -DNN_CONV_CUT=2"};
    *launch = nn__opencl_conv_begin(device, c, "nn_conv2d_tiles", names[cut->gathers ? 1 : 0]);
    return launch->result < 0 ||
           nn__opencl_group(launch, NN__OPENCL_CUT_ITEMS) == NN__OPENCL_CUT_ITEMS;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_conv_cut_run(nn__opencl *device, const nn_conv2d_args *a,
                                                     const nn__opencl_conv *c,
                                                     const nn__opencl_conv_cut *cut, int32_t first,
                                                     int32_t positions, bool *fits) {
    const nn_view partial = nn__opencl_part(&a->scratch, 0, cut->bytes);
    nn_conv2d_args bare = *a;
    nn__opencl_conv to = *c;
    nn_view none;
    nn__opencl_launch launch;
    size_t groups[3], local[3] = {NN__OPENCL_CUT_ITEMS, 1, 1};
    memset(&none, 0, sizeof none);
    *fits = nn__opencl_conv_cut_begin(device, c, cut, &launch);
    if (launch.result < 0 || !*fits) return launch.result;
    if (!cut->gathers) {
        to.y = &partial;
        memset(&bare.epilogue, 0, sizeof bare.epilogue);
        bare.accumulate = false;
    }
    nn__opencl_conv_arguments(&launch, &bare, &to, first / NN__OPENCL_CUT_SIDE);
    nn__opencl_int(&launch, cut->chunk);
    nn__opencl_view(&launch, cut->gathers ? &partial : &none);
    nn__opencl_turns(&launch, cut->gathers);
    groups[0] = (size_t)nn__opencl_ceil_div(positions, NN__OPENCL_CUT_SIDE);
    groups[1] = (size_t)nn__opencl_ceil_div(c->rows, NN__OPENCL_CUT_SIDE);
    groups[2] = (size_t)(c->groups * cut->parts);
    return nn__opencl_run(&launch, 3, groups, local);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_conv_cut_finish(nn__opencl *device,
                                                        const nn_conv2d_args *a,
                                                        const nn__opencl_conv *c,
                                                        const nn__opencl_conv_cut *cut) {
    const nn_view partial = nn__opencl_part(&a->scratch, 0, cut->bytes);
    nn__opencl_launch launch;
    /* the fallback already wrote y */
    if (!nn__opencl_conv_cut_begin(device, c, cut, &launch)) return NN_OK;
    return nn__opencl_conv_add_parts(device, a, c, &partial, cut->parts);
}

#undef NN__OPENCL_CUT_SIDE
#undef NN__OPENCL_CUT_ITEMS
#undef NN__OPENCL_CUT_STEP
#undef NN__OPENCL_CUT_GROUPS
#undef NN__OPENCL_CUT_PARTS
#undef NN__OPENCL_CUT_TURNS
#undef NN__OPENCL_CUT_TURNS_MORE
