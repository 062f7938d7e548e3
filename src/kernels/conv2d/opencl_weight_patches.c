/* kernels/conv2d/opencl_weight_patches.c - the gradient of the weight of a convolution with at most
   3 x 3 neighbouring taps, on GPUs, in patches: which convolutions fit, the program, the splits,
   and the launch. The kernel: opencl_weight_patches.cl. A unit is a split. */
#include "kernels/conv2d/opencl.h"

/* The constants that are compiled into the program, per work-group. */
typedef struct nn__opencl_weight_patches_program {
    int32_t parts, width;   /* rows divided by eight; channels */
    int32_t lanes, patches; /* work-items with the same rows and channel; patches per turn */
    int32_t team;           /* work-items; with three channels, 32 of them only fetch */
} nn__opencl_weight_patches_program;

static nn__opencl_weight_patches_program
nn__opencl_weight_patches_program_of(const nn__opencl_conv *c) {
    const int32_t lines = 3 * c->h.stride + c->h.taps,
                  vectors = nn__opencl_ceil_div(c->w.stride + c->w.taps, 4);
    nn__opencl_weight_patches_program p;
    p.parts = nn__opencl_patches_fill(nn__opencl_ceil_div(c->rows, 8), 8, 2);
    p.width = c->channels == 3 ? 3 : nn__opencl_patches_fill(c->channels, 8, 1);
    p.lanes = (p.width == 3 ? 96 : p.width * p.parts == 64 ? 128 : 64) / (p.parts * p.width);
    p.team = p.width == 3 ? 128 : p.parts * p.width * p.lanes;
    p.patches = 64 / p.parts;
    /* Limits the local memory, and the numbers that a work-item fetches at a time into
       registers. */
    while (16 * (p.patches * (16 * p.parts + 1 + p.width * lines * vectors) + p.width) > 30720 ||
           p.patches * (64 * p.parts + p.width * lines * vectors * 4) > 80 * p.team)
        p.patches /= 2;
    return p;
}

static bool nn__opencl_weight_patches_axis(const nn__opencl_conv_axis *axis) {
    return axis->taps <= 3 && axis->stride <= 2 && (axis->taps == 1 || axis->step == 1);
}

/* The kernel counts numbers of an image, and patches of all images, as int. */
NN__OPENCL_PRIVATE bool nn__opencl_weight_patches_fit(nn__opencl *device,
                                                      const nn__opencl_conv *c) {
    const int64_t most = 2147483647, plane = (int64_t)(c->h.source + 32) * (c->w.source + 32),
                  outputs = (int64_t)(c->h.outputs + 4) * (c->w.outputs + 4);
    return nn__opencl_family_of(device) == NN__OPENCL_TILES && device->group >= 128 &&
           device->local_memory >= 32768 && c->rows > 4 && c->h.stride == c->w.stride &&
           nn__opencl_weight_patches_axis(&c->h) && nn__opencl_weight_patches_axis(&c->w) &&
           c->channels * plane <= most && c->rows * outputs <= most &&
           (int64_t)c->images * nn__opencl_patches_image(c) <= most - 64;
}

/* Compares the share of instructions that multiply and add, which was read from compiled code and
   not measured: 82 of 100 with 8 channels per work-group, down to 57 with one channel. The kernel
   with large tiles has 81 (fills: they are filled), and takes 1.4 times fewer instructions in half
   arithmetic (half). The kernel with other tiles has 40. Work wasted at the edges counts. */
NN__OPENCL_PRIVATE bool nn__opencl_weight_patches_are_faster(nn__opencl *device,
                                                             const nn__opencl_conv *c,
                                                             bool fills, bool half) {
    const nn__opencl_weight_patches_program p = nn__opencl_weight_patches_program_of(c);
    const double places = (double)nn__opencl_patches_image(c) * 8 *
                          (nn__opencl_ceil_div(c->rows, 8 * p.parts) * 8 * p.parts) *
                          (nn__opencl_ceil_div(c->channels, p.width) * p.width),
                 others = (double)c->h.outputs * c->w.outputs *
                          (nn__opencl_ceil_div(c->rows, 32) * 32) * c->channels;
    if (!nn__opencl_weight_patches_fit(device, c)) return false;
    if (device->forced == NN__OPENCL_PATCH_TILES) return true;
    if (device->forced > NN__OPENCL_TILES || c->h.taps * c->w.taps < 4) return false;
    return places / (p.width == 8 ? 82 : p.width > 3 ? 77 : p.width == 3 ? 72 : 57) <=
           others / (!fills ? 40 : half ? 114 : 81);
}

/* A compute unit holds two work-groups of 128 work-items at once, or four of 64. Work-groups that
   start after these take a full round more, so the best number of splits minimizes rounds times
   turns of patches; three turns stand for the start and the end of a work-group. Measured on an
   H200: 128 channels x 128 rows in 288 work-groups, 264 of them at once, took 239 us; 64 x 64 with
   twice the patches, which is as much work, in 264 work-groups took 147 us. */
NN__OPENCL_PRIVATE void nn__opencl_weight_patches_cut(const nn__opencl *device,
                                                      const nn__opencl_conv *c, int64_t *wanted,
                                                      int64_t *longest) {
    const nn__opencl_weight_patches_program p = nn__opencl_weight_patches_program_of(c);
    const int64_t tiles = (int64_t)nn__opencl_ceil_div(c->channels, p.width) *
                          nn__opencl_ceil_div(c->rows, 8 * p.parts) * c->groups,
                  once = (p.team > 64 ? 2 : 4) * (int64_t)device->units,
                  turns = (int64_t)c->images * nn__opencl_patches_image(c) / p.patches;
    const int64_t least = (tiles + once - 1) / once, more = (2 * once - 1) / tiles + 1,
                  limit = more < 1024 ? more : 1024;
    int64_t best = 0;
    *longest = turns / 2;
    *wanted = 1;
    /* the most splits for this number of rounds */
    for (int64_t rounds = least; rounds < least + 3; rounds++) {
        const int64_t full = rounds * once / tiles, most = full < limit ? full : limit,
                      each = (turns + most - 1) / most, /* the fewest splits with as many turns */
                      splits = each > 0 ? (turns + each - 1) / each : 1,
                      time = (tiles * splits + once - 1) / once * (each + 3);
        if (best && time >= best) continue;
        best = time;
        *wanted = splits;
    }
}

NN__OPENCL_PRIVATE nn_result nn__opencl_weight_patches(nn__opencl *device, const nn_conv2d_args *a,
                                                       const nn__opencl_conv *c,
                                                       const nn_view *partial, int32_t all,
                                                       int32_t first, int32_t splits,
                                                       bool *fits) {
    const nn__opencl_weight_patches_program p = nn__opencl_weight_patches_program_of(c);
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_launch launch;
    char options[220];
    nn__opencl_format(options, sizeof options,
                      "-DNN_CONV_ONLY=16 -DNN_CONV_PARTS=%d -DNN_CONV_CHANNELS=%d "
                      "-DNN_CONV_LANES_EACH=%d -DNN_CONV_PATCHES=%d -DNN_CONV_PATCH_TAPS_H=%d "
                      "-DNN_CONV_PATCH_TAPS_W=%d -DNN_CONV_PATCH_STRIDE=%d",
                      (int)p.parts, (int)p.width, (int)p.lanes, (int)p.patches, (int)c->h.taps,
                      (int)c->w.taps, (int)c->h.stride);
    launch = nn__opencl_conv_begin(device, c, "nn_conv2d_weight_patches", options);
    local[0] = (size_t)p.team;
    *fits = launch.result < 0 ||
            (nn__opencl_present(&a->weight) &&
             nn__opencl_group(&launch, 2 * local[0]) >= local[0]);
    if (launch.result < 0 || !*fits) return launch.result;
    nn__opencl_view(&launch, partial);
    nn__opencl_view(&launch, &a->y);
    nn__opencl_view(&launch, &a->x);
    nn__opencl_conv_axes(&launch, c);
    nn__opencl_int(&launch,
                   nn__opencl_ceil_div((int64_t)c->images * nn__opencl_patches_image(c), all));
    nn__opencl_conv_division(&launch, nn__opencl_patches_image(c));
    nn__opencl_conv_division(&launch, nn__opencl_patches_across(c));
    nn__opencl_int(&launch, first);
    nn__opencl_conv_block_arguments(&launch, c);
    groups[0] = (size_t)nn__opencl_ceil_div(c->channels, p.width);
    groups[1] = (size_t)nn__opencl_ceil_div(c->rows, 8 * p.parts);
    groups[2] = (size_t)(c->groups * splits);
    return nn__opencl_run(&launch, 3, groups, local);
}
