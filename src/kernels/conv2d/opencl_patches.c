/* kernels/conv2d/opencl_patches.c - convolutions on GPUs whose taps lie side by side, in patches:
   which ones may be, which program, where it is judged to be faster, and its launch. The kernel,
   and why: opencl_patches.cl. A unit is 32 patches. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_PATCHES_UNIT 32 /* patches */
#define NN__OPENCL_PATCHES_TAPS 5  /* of an axis at most */
#define NN__OPENCL_PATCHES_ROWS 8  /* of a work-item */

/* What is compiled into the program. */
typedef struct nn__opencl_patches_program {
    int32_t patches, parts; /* of a work-group: patches, eights of rows */
    int32_t deep;           /* channels of a turn */
    uint64_t local;         /* bytes of local memory */
} nn__opencl_patches_program;

static int32_t nn__opencl_patches_across(const nn__opencl_conv *c) {
    return nn__opencl_ceil_div(c->w.outputs, 2);
}
static int32_t nn__opencl_patches_image(const nn__opencl_conv *c) {
    return nn__opencl_ceil_div(c->h.outputs, 4) * nn__opencl_patches_across(c);
}

NN__OPENCL_PRIVATE int32_t nn__opencl_patches_pieces(const nn__opencl_conv *c) {
    return nn__opencl_ceil_div((int64_t)c->images * nn__opencl_patches_image(c),
                               NN__OPENCL_PATCHES_UNIT);
}

/* Numbers that come in eights, fours or twos, as many as they waste least, and rather more. */
static int32_t nn__opencl_patches_fill(int32_t count, int32_t most, int32_t least) {
    int32_t best = most;
    for (int32_t each = most / 2; each >= least; each /= 2)
        if (nn__opencl_ceil_div(count, each) * each < nn__opencl_ceil_div(count, best) * best)
            best = each;
    return best;
}

/* few: for pictures of so few patches that work-groups of 256 would not go round. */
static nn__opencl_patches_program nn__opencl_patches_program_of(const nn__opencl_conv *c,
                                                                bool few) {
    const int32_t high = 3 * c->h.stride + c->h.taps,
                  quads = nn__opencl_ceil_div(c->w.stride + c->w.taps, 4);
    nn__opencl_patches_program p;
    int32_t most;
    p.parts = nn__opencl_patches_fill(
        nn__opencl_ceil_div(c->rows, NN__OPENCL_PATCHES_ROWS), 8, 2);
    p.patches = few ? 64 / p.parts : NN__OPENCL_PATCHES_UNIT;
    /* What a work-item fetches of a turn are registers. */
    most = quads > 1 || high > 6 ? 2 : p.parts == 2 ? 3 : 4;
    if (most == 3 && c->channels % 3 != 0 && c->channels % 2 == 0) most = 2;
    p.deep = c->channels < most ? c->channels : most;
    p.local = 16 * (uint64_t)p.deep *
              (uint64_t)(high * quads * p.patches + c->h.taps * c->w.taps * (2 * p.parts + 2));
    return p;
}

static bool nn__opencl_patches_axis(const nn__opencl_conv_axis *axis) {
    return axis->taps <= NN__OPENCL_PATCHES_TAPS && axis->stride <= 2 &&
           (axis->taps == 1 || axis->step == 1 || axis->step == -1);
}

/* The kernel counts numbers of an image, a turn and a patch beyond the last too, as int. */
NN__OPENCL_PRIVATE bool nn__opencl_patches_fit(nn__opencl *device, const nn__opencl_conv *c) {
    const int64_t most = 2147483647, plane = (int64_t)(c->h.source + 32) * (c->w.source + 32);
    return nn__opencl_family_of(device) == NN__OPENCL_TILES && device->group >= 256 &&
           device->local_memory >= 32768 && c->rows > 4 && c->h.stride == c->w.stride &&
           nn__opencl_patches_axis(&c->h) && nn__opencl_patches_axis(&c->w) &&
           (c->channels + 4) * plane <= most &&
           (int64_t)c->images * nn__opencl_patches_image(c) <= most - 64;
}

/* Work-groups. */
static int64_t nn__opencl_patches_groups(const nn__opencl_conv *c, bool few) {
    const nn__opencl_patches_program p = nn__opencl_patches_program_of(c, few);
    return (int64_t)nn__opencl_ceil_div((int64_t)c->images * nn__opencl_patches_image(c),
                                        p.patches) *
           nn__opencl_ceil_div(c->rows, NN__OPENCL_PATCHES_ROWS * p.parts) * c->groups;
}

/* Judged by compiled code, not by a GPU: of its instructions about 88 of 100 multiply and add, 78
   of a single tap; 82 of the large tiles' (whose rows are large_rows, or 0 where they are not to be
   had), and half of the others'. What is wasted at edges counts. They have to reach the whole
   device. The answer is the same for a block and for its convolution alone. */
NN__OPENCL_PRIVATE nn__opencl_conv_tile nn__opencl_patches_judge(nn__opencl *device,
                                                                 const nn__opencl_conv *c,
                                                                 int32_t large_rows) {
    const nn__opencl_patches_program p = nn__opencl_patches_program_of(c, false);
    const int64_t places = (int64_t)c->h.outputs * c->w.outputs, units = device->units;
    int64_t large, few;
    const double patches = (double)nn__opencl_patches_image(c) * 8 *
                           (nn__opencl_ceil_div(c->rows, 8 * p.parts) * 8 * p.parts) *
                           (nn__opencl_ceil_div(c->channels, p.deep) * p.deep) /
                           (c->h.taps * c->w.taps == 1 ? 78 : 88);
    const int32_t rows = large_rows ? large_rows : 32;
    const double others = (double)places * (nn__opencl_ceil_div(c->rows, rows) * rows) *
                          c->channels / (large_rows ? 82 : 50);
    if (!nn__opencl_patches_fit(device, c)) return NN__OPENCL_CONV_JUDGED;
    if (device->forced == NN__OPENCL_PATCH_TILES)
        return c->rows % 2 ? NN__OPENCL_CONV_TILE_PATCHES_SMALL : NN__OPENCL_CONV_TILE_PATCHES;
    if (device->forced > NN__OPENCL_TILES || patches > others) return NN__OPENCL_CONV_JUDGED;
    large = nn__opencl_patches_groups(c, false);
    few = nn__opencl_patches_groups(c, true);
    if (few < units) return NN__OPENCL_CONV_JUDGED;
    /* Groups of each unit, one behind the other: those of 64 leave less of the last round empty. */
    return (large + units - 1) / units * p.parts * p.patches * 22 <=
                   (few + units - 1) / units * 64 * 23
               ? NN__OPENCL_CONV_TILE_PATCHES
               : NN__OPENCL_CONV_TILE_PATCHES_SMALL;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_patches_run(nn__opencl *device, const nn_conv2d_args *a,
                                                    const nn__opencl_conv *c, bool few,
                                                    int32_t first, int32_t pieces, bool *fits) {
    const nn__opencl_patches_program p = nn__opencl_patches_program_of(c, few);
    const int64_t all = (int64_t)c->images * nn__opencl_patches_image(c),
                  from = (int64_t)first * NN__OPENCL_PATCHES_UNIT,
                  to = (int64_t)(first + pieces) * NN__OPENCL_PATCHES_UNIT;
    nn__opencl_conv turned = *c;
    nn__opencl_launch launch;
    size_t groups[3], local[3] = {1, 1, 1};
    char options[220];
    size_t used;
    turned.h = nn__opencl_conv_turn(c->h);
    turned.w = nn__opencl_conv_turn(c->w);
    used = nn__opencl_format(
        options, sizeof options,
        "-DNN_CONV_ONLY=15 -DNN_CONV_PATCHES=%d -DNN_CONV_PARTS=%d -DNN_CONV_PATCH_DEEP=%d "
        "-DNN_CONV_PATCH_TAPS_H=%d -DNN_CONV_PATCH_TAPS_W=%d -DNN_CONV_PATCH_STRIDE=%d",
        (int)p.patches, (int)p.parts, (int)p.deep, (int)c->h.taps, (int)c->w.taps,
        (int)c->h.stride);
    if (c->block && !NN__OPENCL_CONV_IS_POOLED(c)) /* windows that the first taps read in halves */
        nn__opencl_format(options + used, sizeof options - used,
                          " -DNN_CONV_PATCH_ODD_H=%d -DNN_CONV_PATCH_ODD_W=%d",
                          (int)(turned.h.first & 1), (int)(turned.w.first & 1));
    launch = nn__opencl_conv_begin(device, c, "nn_conv2d_patches", options);
    local[0] = (size_t)(p.patches * p.parts);
    *fits = launch.result < 0 || nn__opencl_group(&launch, local[0]) == local[0];
    if (!*fits) return NN_OK;
    nn__opencl_conv_arguments_in(&launch, a, &turned, (int32_t)(from / p.patches),
                                 nn__opencl_patches_image(c), nn__opencl_patches_across(c));
    groups[0] = (size_t)nn__opencl_ceil_div((to < all ? to : all) - from, p.patches);
    groups[1] = (size_t)nn__opencl_ceil_div(c->rows, NN__OPENCL_PATCHES_ROWS * p.parts);
    groups[2] = (size_t)c->groups;
    return nn__opencl_run(&launch, 3, groups, local);
}

#undef NN__OPENCL_PATCHES_UNIT
#undef NN__OPENCL_PATCHES_TAPS
#undef NN__OPENCL_PATCHES_ROWS
