/* kernels/conv2d/opencl_patches.c - convolutions with neighbouring taps on GPUs, in patches: which
   ones fit, the program, when it is judged to be faster, and the launch. The kernel:
   opencl_patches.cl. A unit is 32 patches. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_PATCHES_UNIT 32 /* patches per unit */
#define NN__OPENCL_PATCHES_TAPS 5  /* most taps of an axis */
#define NN__OPENCL_PATCHES_ROWS 8  /* rows per work-item */
#define NN__OPENCL_PATCHES_PARTS 8 /* most parts of the channels */
/* Most bytes of local memory per work-group: with four channels, and with fewer. */
#define NN__OPENCL_PATCHES_LOCAL 30720
#define NN__OPENCL_PATCHES_MOST  32768

/* The constants that are compiled into the program. */
typedef struct nn__opencl_patches_program {
    int32_t patches, parts; /* per work-group: patches, and rows divided by eight */
    int32_t deep;           /* channels per turn */
} nn__opencl_patches_program;

NN__OPENCL_PRIVATE int32_t nn__opencl_patches_across(const nn__opencl_conv *c) {
    return nn__opencl_ceil_div(c->w.outputs, 2);
}
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_image(const nn__opencl_conv *c) {
    return nn__opencl_ceil_div(c->h.outputs, 4) * nn__opencl_patches_across(c);
}

NN__OPENCL_PRIVATE int32_t nn__opencl_patches_pieces(const nn__opencl_conv *c) {
    return nn__opencl_ceil_div((int64_t)c->images * nn__opencl_patches_image(c),
                               NN__OPENCL_PATCHES_UNIT);
}

NN__OPENCL_PRIVATE int32_t nn__opencl_patches_fill(int32_t count, int32_t most, int32_t least) {
    int32_t best = most;
    for (int32_t each = most / 2; each >= least; each /= 2)
        if (nn__opencl_ceil_div(count, each) * each < nn__opencl_ceil_div(count, best) * best)
            best = each;
    return best;
}

/* Returns the program of a convolution. few: the images have so few patches that work-groups of 256
   would leave compute units idle. */
static nn__opencl_patches_program nn__opencl_patches_program_of(const nn__opencl_conv *c,
                                                                bool few) {
    /* With one tap, pixels between the strides are left out. */
    const int32_t high = c->h.taps == 1 ? 4 : 3 * c->h.stride + c->h.taps,
                  vectors = c->w.taps == 1 ? 1 : nn__opencl_ceil_div(c->w.stride + c->w.taps, 4);
    nn__opencl_patches_program p;
    int32_t most, local; /* local: bytes of local memory per channel */
    p.parts = nn__opencl_patches_fill(
        nn__opencl_ceil_div(c->rows, NN__OPENCL_PATCHES_ROWS), 8, 2);
    p.patches = few ? 64 / p.parts : NN__OPENCL_PATCHES_UNIT;
    local = 16 * (high * vectors * p.patches + c->h.taps * c->w.taps * (2 * p.parts + 1));
    /* A work-item keeps the numbers that it fetches per turn in registers. */
    most = 4 * local <= NN__OPENCL_PATCHES_LOCAL && 16 * high * vectors / p.parts <= 40 ? 4
           : p.parts == 2 && vectors == 1 && high <= 6                                  ? 3
                                                                                        : 2;
    if (most * local > NN__OPENCL_PATCHES_MOST || 8 * high * vectors / p.parts > 80) most = 1;
    /* With 25 taps, two channels take all registers of gfx1030 and nearly all of gfx90a; even one
       channel is too much for the latter if windows are read in halves of columns. */
    if (p.parts == 8 && c->h.taps * c->w.taps >= 25 &&
        (!c->block || NN__OPENCL_CONV_IS_POOLED(c) ||
         (nn__opencl_conv_turn(c->w).first & 1) == 0))
        most = 1;
    if (most == 3 && c->channels % 3 != 0 && c->channels % 2 == 0) most = 2;
    p.deep = c->channels < most ? c->channels : most;
    return p;
}

static bool nn__opencl_patches_axis(const nn__opencl_conv_axis *axis) {
    return axis->taps <= NN__OPENCL_PATCHES_TAPS && axis->stride <= 2 &&
           (axis->taps == 1 || axis->step == 1 || axis->step == -1);
}

/* The kernel counts numbers of an image, including a turn and a patch beyond the last, as int. */
NN__OPENCL_PRIVATE bool nn__opencl_patches_fit(nn__opencl *device, const nn__opencl_conv *c) {
    const int64_t most = 2147483647, plane = (int64_t)(c->h.source + 32) * (c->w.source + 32);
    return nn__opencl_family_of(device) == NN__OPENCL_TILES && device->group >= 256 &&
           device->local_memory >= 32768 && c->rows > 4 && c->h.stride == c->w.stride &&
           nn__opencl_patches_axis(&c->h) && nn__opencl_patches_axis(&c->w) &&
           (c->channels + 4) * plane <= most &&
           (int64_t)c->images * nn__opencl_patches_image(c) <= most - 64;
}

static int64_t nn__opencl_patches_groups(const nn__opencl_conv *c, bool few) {
    const nn__opencl_patches_program p = nn__opencl_patches_program_of(c, few);
    return (int64_t)nn__opencl_ceil_div((int64_t)c->images * nn__opencl_patches_image(c),
                                        p.patches) *
           nn__opencl_ceil_div(c->rows, NN__OPENCL_PATCHES_ROWS * p.parts) * c->groups;
}

/* True if c is one of several classes of taps that together reach every position of dx. */
static bool nn__opencl_patches_is_class(const nn_conv2d_args *a, const nn__opencl_conv *c) {
    return c->y == &a->x && nn__opencl_conv_products(a, NN__OPENCL_CONV_INPUT) > 1 &&
           nn__opencl_conv_products(a, NN__OPENCL_CONV_INPUT) ==
               a->params.stride_h * a->params.stride_w;
}

/* Returns the multiplications of all classes; 0 if not all of them fit patches. */
static int64_t nn__opencl_patches_work(nn__opencl *device, const nn_conv2d_args *a) {
    int64_t work = 0;
    for (int32_t i = 0; i < nn__opencl_conv_products(a, NN__OPENCL_CONV_INPUT); i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, NN__OPENCL_CONV_INPUT, i);
        if (c.h.outputs == 0 || c.w.outputs == 0 || !nn__opencl_patches_fit(device, &c)) return 0;
        work += nn__opencl_conv_work(&c);
    }
    return work;
}

/* Returns the number of parts into which the channels are split. They are split if work-groups of
   64 would leave compute units idle, provided that each part keeps at least four turns and the work
   is at least two million multiplications per compute unit, which makes the second launch cheap. A
   compute unit holds six work-groups of 64 (four with strides or more taps), and one round of them
   is best. The classes of dx run one after the other, each with its own work-groups, all with the
   same number of parts. Whole and in parts, an H200 with 132 compute units took 284 and 218 us with
   64 work-groups per class, 214 and 243 us with 128, 169 and 263 us with 256. */
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_parts(nn__opencl *device, const nn_conv2d_args *a,
                                                    const nn__opencl_conv *c) {
    const bool is_class = nn__opencl_patches_is_class(a, c);
    const nn__opencl_conv first =
        is_class ? nn__opencl_conv_of(a, NN__OPENCL_CONV_INPUT, 0) : *c;
    const nn__opencl_patches_program p = nn__opencl_patches_program_of(&first, true);
    const int64_t few = nn__opencl_patches_groups(&first, true), units = device->units,
                  outputs = (int64_t)c->images * c->groups * c->rows * c->y_plane,
                  work = is_class ? nn__opencl_patches_work(device, a) : nn__opencl_conv_work(c);
    const int32_t once = first.h.stride > 1 || first.h.taps * first.w.taps > 9 ? 4 : 6;
    int64_t parts = few > 0 ? once * units / few : 1, each;
    if (a->direct || c->block || outputs > (int64_t)1 << 28 || work == 0) return 1;
    if (!is_class && (c->h.place_step != 1 || c->w.place_step != 1 || c->h.place || c->w.place ||
                      c->h.outputs * c->w.outputs != c->y_plane))
        return 1;
    if (device->forced == NN__OPENCL_PATCH_TILES)
        parts = 3;
    else if (few >= (is_class ? 3 * units / 4 : units) || work < units << 21)
        return 1;
    if (device->forced != NN__OPENCL_PATCH_TILES && parts > c->channels / (4 * p.deep))
        parts = c->channels / (4 * p.deep);
    if (parts > NN__OPENCL_PATCHES_PARTS) parts = NN__OPENCL_PATCHES_PARTS;
    if (parts < 2) return 1;
    each = nn__opencl_ceil_div(nn__opencl_ceil_div(c->channels, parts), p.deep) * p.deep;
    return nn__opencl_ceil_div(c->channels, each);
}

NN__OPENCL_PRIVATE uint64_t nn__opencl_patches_bytes(const nn__opencl_conv *c, int32_t parts) {
    return parts < 2 ? 0
                     : nn__opencl_conv_aligned((uint64_t)parts * (uint64_t)c->images *
                                               (uint64_t)(c->groups * c->rows) *
                                               (uint64_t)c->y_plane);
}

/* Judged from compiled code, not measured: about 88 of 100 instructions multiply and add (78 with a
   single tap). In large tiles it is 82 of 100, in the other tiles half of them. In half arithmetic
   large tiles take 1.3 times fewer instructions. large_rows: rows of the large tile that fits, or
   0. Waste at the edges counts. Patches must occupy the whole device. The result is the same for a
   pooling block and for its convolution alone. */
NN__OPENCL_PRIVATE nn__opencl_conv_tile nn__opencl_patches_judge(nn__opencl *device,
                                                                 const nn_conv2d_args *a,
                                                                 const nn__opencl_conv *c,
                                                                 int32_t large_rows, bool half) {
    const nn__opencl_patches_program p = nn__opencl_patches_program_of(c, false);
    const int64_t places = (int64_t)c->h.outputs * c->w.outputs, units = device->units;
    int64_t large, few;
    const double patches = (double)nn__opencl_patches_image(c) * 8 *
                           (nn__opencl_ceil_div(c->rows, 8 * p.parts) * 8 * p.parts) *
                           (nn__opencl_ceil_div(c->channels, p.deep) * p.deep) /
                           (c->h.taps * c->w.taps == 1 ? 78 : 88);
    const int32_t rows = large_rows ? large_rows : 32;
    const double others = (double)places * (nn__opencl_ceil_div(c->rows, rows) * rows) *
                          c->channels / (!large_rows ? 50 : half ? 107 : 82);
    if (!nn__opencl_patches_fit(device, c)) return NN__OPENCL_CONV_JUDGED;
    if (device->forced == NN__OPENCL_PATCH_TILES)
        return c->rows % 2 || (c->rows % 4 == 0 && nn__opencl_patches_is_class(a, c))
                   ? NN__OPENCL_CONV_TILE_PATCHES_SMALL
                   : NN__OPENCL_CONV_TILE_PATCHES;
    if (device->forced > NN__OPENCL_TILES) return NN__OPENCL_CONV_JUDGED;
    if (nn__opencl_patches_is_class(a, c) && nn__opencl_patches_parts(device, a, c) > 1)
        return NN__OPENCL_CONV_TILE_PATCHES_SMALL; /* all classes or none */
    if (patches > others) return NN__OPENCL_CONV_JUDGED;
    large = nn__opencl_patches_groups(c, false);
    few = nn__opencl_patches_groups(c, true);
    if (few < units)
        return nn__opencl_patches_parts(device, a, c) > 1 ? NN__OPENCL_CONV_TILE_PATCHES_SMALL
                                                          : NN__OPENCL_CONV_JUDGED;
    /* Compares the rounds of work-groups per compute unit: groups of 64 leave less of the last
       round empty. */
    return (large + units - 1) / units * p.parts * p.patches * 22 <=
                   (few + units - 1) / units * 64 * 23
               ? NN__OPENCL_CONV_TILE_PATCHES
               : NN__OPENCL_CONV_TILE_PATCHES_SMALL;
}

/* Returns false if the device gives the kernel smaller work-groups than it needs. */
static bool nn__opencl_patches_begin(nn__opencl *device, const nn__opencl_conv *c, bool few,
                                     int32_t parts, nn__opencl_launch *launch) {
    const nn__opencl_patches_program p = nn__opencl_patches_program_of(c, few);
    const size_t items = (size_t)(p.patches * p.parts);
    char options[240];
    size_t used = nn__opencl_format(
        options, sizeof options,
        "-DNN_CONV_ONLY=15 -DNN_CONV_PATCHES=%d -DNN_CONV_PARTS=%d -DNN_CONV_PATCH_DEEP=%d "
        "-DNN_CONV_PATCH_TAPS_H=%d -DNN_CONV_PATCH_TAPS_W=%d -DNN_CONV_PATCH_STRIDE=%d",
        (int)p.patches, (int)p.parts, (int)p.deep, (int)c->h.taps, (int)c->w.taps,
        (int)c->h.stride);
    if (parts > 1) nn__opencl_format(options + used, sizeof options - used, " -DNN_CONV_SPLIT=1");
    if (c->block && !NN__OPENCL_CONV_IS_POOLED(c)) /* the first taps read windows in halves */
        nn__opencl_format(options + used, sizeof options - used,
                          " -DNN_CONV_PATCH_ODD_H=%d -DNN_CONV_PATCH_ODD_W=%d",
                          (int)(nn__opencl_conv_turn(c->h).first & 1),
                          (int)(nn__opencl_conv_turn(c->w).first & 1));
    *launch = nn__opencl_conv_begin(device, c, "nn_conv2d_patches", options);
    return launch->result < 0 || nn__opencl_group(launch, items) == items;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_patches_run(nn__opencl *device, const nn_conv2d_args *a,
                                                    const nn__opencl_conv *c, bool few,
                                                    int32_t first, int32_t pieces, bool *fits) {
    const nn__opencl_patches_program p = nn__opencl_patches_program_of(c, few);
    const int32_t parts = few ? nn__opencl_patches_parts(device, a, c) : 1;
    const nn_view partial = nn__opencl_part(&a->scratch, 0, nn__opencl_patches_bytes(c, parts));
    const int64_t all = (int64_t)c->images * nn__opencl_patches_image(c),
                  from = (int64_t)first * NN__OPENCL_PATCHES_UNIT,
                  to = (int64_t)(first + pieces) * NN__OPENCL_PATCHES_UNIT;
    nn_conv2d_args bare = *a;
    nn__opencl_conv turned = *c;
    nn__opencl_launch launch;
    size_t groups[3], local[3] = {1, 1, 1};
    turned.h = nn__opencl_conv_turn(c->h);
    turned.w = nn__opencl_conv_turn(c->w);
    *fits = nn__opencl_patches_begin(device, c, few, parts, &launch);
    if (launch.result < 0 || !*fits) return launch.result;
    if (parts > 1) {
        turned.y = &partial;
        turned.h.taps =
            nn__opencl_ceil_div(nn__opencl_ceil_div(c->channels, parts), p.deep) * p.deep;
        memset(&bare.epilogue, 0, sizeof bare.epilogue);
        bare.accumulate = false;
    }
    nn__opencl_conv_arguments_in(&launch, &bare, &turned, (int32_t)(from / p.patches),
                                 nn__opencl_patches_image(c), nn__opencl_patches_across(c));
    local[0] = (size_t)(p.patches * p.parts);
    groups[0] = (size_t)nn__opencl_ceil_div((to < all ? to : all) - from, p.patches);
    groups[1] = (size_t)nn__opencl_ceil_div(c->rows, NN__OPENCL_PATCHES_ROWS * p.parts);
    groups[2] = (size_t)(c->groups * parts);
    return nn__opencl_run(&launch, 3, groups, local);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_patches_finish(nn__opencl *device, const nn_conv2d_args *a,
                                                       const nn__opencl_conv *c, int32_t parts) {
    const nn_view partial = nn__opencl_part(&a->scratch, 0, nn__opencl_patches_bytes(c, parts));
    nn__opencl_launch launch;
    /* the tiles already wrote y */
    if (!nn__opencl_patches_begin(device, c, true, parts, &launch)) return NN_OK;
    return nn__opencl_conv_add_parts(device, a, c, &partial, parts);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_conv_add_parts(nn__opencl *device, const nn_conv2d_args *a,
                                                       const nn__opencl_conv *c,
                                                       const nn_view *partial, int32_t parts) {
    const uint64_t count = (uint64_t)nn__opencl_count(c->y);
    nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_patches_finish",
                                                "-DNN_CONV_ONLY=15 -DNN_CONV_SPLIT=2");
    nn__opencl_view(&launch, c->y);
    nn__opencl_view(&launch, partial);
    nn__opencl_view(&launch, &a->epilogue.bias);
    nn__opencl_uint(&launch, (uint32_t)count);
    nn__opencl_uint(&launch, (uint32_t)c->y_plane);
    nn__opencl_uint(&launch, (uint32_t)(c->groups * c->rows));
    nn__opencl_int(&launch, parts);
    nn__opencl_int(&launch, a->accumulate ? 1 : 0);
    nn__opencl_int(&launch, (int32_t)a->epilogue.activation);
    return nn__opencl_run_flat(&launch, count, 64);
}

#undef NN__OPENCL_PATCHES_UNIT
#undef NN__OPENCL_PATCHES_TAPS
#undef NN__OPENCL_PATCHES_ROWS
#undef NN__OPENCL_PATCHES_PARTS
#undef NN__OPENCL_PATCHES_LOCAL
#undef NN__OPENCL_PATCHES_MOST
