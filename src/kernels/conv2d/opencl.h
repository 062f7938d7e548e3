/* kernels/conv2d/opencl.h - the geometry of a convolution as the kernels see it: which output reads
   which position of the source through which tap, for forward and for every class of taps of
   backward_input; and the functions that launch the kernels. */
#pragma once

#include "opencl/private.h"

/* Smaller products use the plain kernel. */
#define NN__OPENCL_CONV_TINY 8192 /* multiplications */

/* True for NN_CONV_POOL 1 in kernels/conv2d/opencl.cl: the forward of a pooling block. */
#define NN__OPENCL_CONV_IS_POOLED(c) ((c)->block && !nn__opencl_present(&(c)->block->dy))

/* ---- geometry: one axis, then both ----------------------------------------------------------- */

/* Through tap i, output o reads the source at o stride + first + i step. Tap i is at weight + i
   weight_step in the weight. */
typedef struct nn__opencl_conv_axis {
    int32_t source, outputs, taps, first, step, stride, weight, weight_step;
    int32_t place, place_step;   /* output o is stored at place + o place_step */
} nn__opencl_conv_axis;

typedef struct nn__opencl_conv {
    nn__opencl_conv_axis h, w;
    int32_t images, groups, channels, rows; /* channels and rows are per group */
    int32_t w_group, w_row, w_channel, w_width, y_width, y_plane;
    const nn_view *y, *source;
    const nn_conv_pool_args *block; /* the pooling block of this convolution, or NULL */
} nn__opencl_conv;

typedef enum nn__opencl_conv_way {
    NN__OPENCL_CONV_FORWARD,
    NN__OPENCL_CONV_INPUT,
    NN__OPENCL_CONV_WEIGHT
} nn__opencl_conv_way;

static NN__OPENCL_UNUSED nn__opencl_conv_axis
nn__opencl_conv_forward_axis(int32_t source, int32_t outputs, int32_t taps, int32_t stride,
                             int32_t padding, int32_t dilation) {
    nn__opencl_conv_axis axis;
    memset(&axis, 0, sizeof axis);
    axis.source = source;
    axis.outputs = outputs;
    axis.taps = taps;
    axis.first = -padding;
    axis.step = dilation;
    axis.stride = stride;
    axis.weight_step = axis.place_step = 1;
    return axis;
}

static NN__OPENCL_UNUSED int32_t nn__opencl_conv_divisor(int32_t a, int32_t b) {
    while (b) {
        const int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Along an axis, the taps first, first + every, ... reach the same positions of dx: those of one
   remainder modulo the stride. They form a class. There are `every` classes, or as many as taps if
   there are fewer. */
static NN__OPENCL_UNUSED int32_t nn__opencl_conv_every(int32_t stride, int32_t dilation) {
    return stride / nn__opencl_conv_divisor(stride, dilation);
}
static NN__OPENCL_UNUSED int32_t nn__opencl_conv_classes(int32_t taps, int32_t stride,
                                                         int32_t dilation) {
    const int32_t every = nn__opencl_conv_every(stride, dilation);
    return taps < every ? taps : every;
}

/* Returns the positions of dx that a class reaches, and where its taps read dy. */
static NN__OPENCL_UNUSED nn__opencl_conv_axis nn__opencl_conv_class(int32_t x, int32_t dy,
                                                                    int32_t taps, int32_t stride,
                                                                    int32_t padding,
                                                                    int32_t dilation,
                                                                    int32_t first) {
    const int32_t every = nn__opencl_conv_every(stride, dilation);
    const int64_t distance = (int64_t)padding - (int64_t)first * dilation,
                  rest = -distance % stride;
    const int64_t place = rest < 0 ? rest + stride : rest;
    nn__opencl_conv_axis axis;
    memset(&axis, 0, sizeof axis);
    axis.source = dy;
    axis.outputs = place < x ? (int32_t)((x - 1 - place) / stride) + 1 : 0;
    axis.stride = 1;
    axis.place = (int32_t)place;
    axis.place_step = stride;
    axis.taps = (taps - 1 - first) / every + 1;
    axis.first = (int32_t)((place + distance) / stride);
    axis.step = -(int32_t)((int64_t)every * dilation / stride);
    axis.weight = first;
    axis.weight_step = every;
    return axis;
}

/* Returns the product of forward (and the geometry of backward_weight), or the product of a pair of
   classes in backward_input. */
static NN__OPENCL_UNUSED nn__opencl_conv nn__opencl_conv_of(const nn_conv2d_args *a,
                                                            nn__opencl_conv_way way, int32_t pair) {
    const nn_conv2d_params *p = &a->params;
    const int32_t *x = a->x.shape.extent, *y = a->y.shape.extent;
    const int32_t inputs = x[1] / p->groups, outputs = y[1] / p->groups,
                  taps = p->kernel_h * p->kernel_w;
    nn__opencl_conv c;
    memset(&c, 0, sizeof c);
    c.images = x[0];
    c.groups = p->groups;
    c.w_width = p->kernel_w;
    c.w_group = outputs * inputs * taps;
    if (way == NN__OPENCL_CONV_INPUT) {
        const int32_t wide = nn__opencl_conv_classes(p->kernel_w, p->stride_w, p->dilation_w);
        c.h = nn__opencl_conv_class(x[2], y[2], p->kernel_h, p->stride_h, p->padding_h,
                                    p->dilation_h, pair / wide);
        c.w = nn__opencl_conv_class(x[3], y[3], p->kernel_w, p->stride_w, p->padding_w,
                                    p->dilation_w, pair % wide);
        c.channels = outputs;
        c.rows = inputs;
        c.w_row = taps;
        c.w_channel = inputs * taps;
        c.y = &a->x;
        c.source = &a->y;
    } else {
        c.h = nn__opencl_conv_forward_axis(x[2], y[2], p->kernel_h, p->stride_h, p->padding_h,
                                           p->dilation_h);
        c.w = nn__opencl_conv_forward_axis(x[3], y[3], p->kernel_w, p->stride_w, p->padding_w,
                                           p->dilation_w);
        c.channels = inputs;
        c.rows = outputs;
        c.w_row = inputs * taps;
        c.w_channel = taps;
        c.y = &a->y;
        c.source = &a->x;
    }
    c.y_width = c.y->shape.extent[3];
    c.y_plane = c.y->shape.extent[2] * c.y_width;
    return c;
}

/* Returns the number of products: pairs of classes in backward_input, else 1. */
static NN__OPENCL_UNUSED int32_t nn__opencl_conv_products(const nn_conv2d_args *a,
                                                          nn__opencl_conv_way way) {
    const nn_conv2d_params *p = &a->params;
    if (way != NN__OPENCL_CONV_INPUT) return 1;
    return nn__opencl_conv_classes(p->kernel_h, p->stride_h, p->dilation_h) *
           nn__opencl_conv_classes(p->kernel_w, p->stride_w, p->dilation_w);
}
/* True if no tap reaches some positions of dx. They are cleared first. */
static NN__OPENCL_UNUSED bool nn__opencl_conv_leaves_gaps(const nn_conv2d_args *a,
                                                          nn__opencl_conv_way way) {
    const nn_conv2d_params *p = &a->params;
    return way == NN__OPENCL_CONV_INPUT && !a->accumulate &&
           (nn__opencl_conv_classes(p->kernel_h, p->stride_h, p->dilation_h) < p->stride_h ||
            nn__opencl_conv_classes(p->kernel_w, p->stride_w, p->dilation_w) < p->stride_w);
}
static NN__OPENCL_UNUSED int32_t nn__opencl_conv_depth(const nn__opencl_conv *c) {
    return c->channels * c->h.taps * c->w.taps;
}
static NN__OPENCL_UNUSED int64_t nn__opencl_conv_work(const nn__opencl_conv *c) {
    return (int64_t)c->images * c->groups * c->rows * c->h.outputs * c->w.outputs *
           nn__opencl_conv_depth(c);
}
static NN__OPENCL_UNUSED uint64_t nn__opencl_conv_aligned(uint64_t floats) {
    return (floats * 4 + 63) / 64 * 64;
}

/* ---- shared by all ways of running: kernels/conv2d/opencl_launch.c --------------------------- */

/* Passes two arguments with which a kernel divides by d; see nn_conv_divide in
   kernels/conv2d/opencl.cl. */
NN__OPENCL_PRIVATE void nn__opencl_conv_division(nn__opencl_launch *launch, int32_t d);
NN__OPENCL_PRIVATE void nn__opencl_conv_ints(nn__opencl_launch *launch, const int32_t *numbers,
                                             int count);
NN__OPENCL_PRIVATE void nn__opencl_conv_axes(nn__opencl_launch *launch, const nn__opencl_conv *c);
/* Calls nn__opencl_begin for a kernel of "conv2d", with the options of its pooling block. */
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_conv_begin(nn__opencl *device,
                                                           const nn__opencl_conv *c,
                                                           const char *entry, const char *options);
/* Passes the last arguments of such a kernel; none without a block. */
NN__OPENCL_PRIVATE void nn__opencl_conv_block_arguments(nn__opencl_launch *launch,
                                                        const nn__opencl_conv *c);
NN__OPENCL_PRIVATE void nn__opencl_conv_weight_steps(nn__opencl_launch *launch,
                                                     const nn__opencl_conv *c);
/* Passes all arguments of a kernel of forward or backward_input (NN_CONV_ARGUMENTS). */
NN__OPENCL_PRIVATE void nn__opencl_conv_arguments(nn__opencl_launch *launch,
                                                  const nn_conv2d_args *a,
                                                  const nn__opencl_conv *c, int32_t first);
/* Does the same for a kernel that counts `places` in an image, `across` of them in a row. */
NN__OPENCL_PRIVATE void nn__opencl_conv_arguments_in(nn__opencl_launch *launch,
                                                     const nn_conv2d_args *a,
                                                     const nn__opencl_conv *c, int32_t first,
                                                     int32_t places, int32_t across);
NN__OPENCL_PRIVATE nn__opencl_conv_axis nn__opencl_conv_turn(nn__opencl_conv_axis axis);

/* ---- forward and backward_input: kernels/conv2d/opencl.c ------------------------------------- */

NN__OPENCL_PRIVATE const char *nn__opencl_conv_refuses(nn__opencl *device, const void *args);
NN__OPENCL_PRIVATE int32_t nn__opencl_conv_units(nn__opencl *device, const nn_conv2d_args *a,
                                                 nn__opencl_conv_way way);
/* Runs some units. block: NULL, or the pooling block of this convolution; then only the shape of
   a->y is valid. */
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_run(nn__opencl *device, const nn_conv2d_args *a,
                                                 const nn_conv_pool_args *block,
                                                 nn__opencl_conv_way way, int32_t first,
                                                 int32_t count);

/* ---- choice of tiles: kernels/conv2d/opencl_choice.c ----------------------------------------- */

/* The choices of nn_opencl_tune, in the order of nn__opencl_conv_tile_names. Files contain
   these names. */
typedef enum nn__opencl_conv_tile {
    NN__OPENCL_CONV_JUDGED,
    NN__OPENCL_CONV_TILE_128_128, /* rows, positions; these two have 8 x 8 sums per work-item */
    NN__OPENCL_CONV_TILE_64_256,
    NN__OPENCL_CONV_TILE_128_64,
    NN__OPENCL_CONV_TILE_64_64,
    NN__OPENCL_CONV_TILE_32_128,
    NN__OPENCL_CONV_TILE_16_256,
    NN__OPENCL_CONV_TILE_32_32,
    NN__OPENCL_CONV_TILE_WINOGRAD, /* kernels/conv2d/opencl_gpu_winograd.cl */
    NN__OPENCL_CONV_TILE_PATCHES,  /* kernels/conv2d/opencl_patches.cl; work-groups of 256 */
    NN__OPENCL_CONV_TILE_PATCHES_SMALL, /* the same with work-groups of 64 */
    NN__OPENCL_CONV_TILE_MMA_64, /* these two follow from the precision; nobody measures them */
    NN__OPENCL_CONV_TILE_MMA_128,
    NN__OPENCL_CONV_TILE_MMA_COPIED, /* kernels/conv2d/opencl_mma_copied.cl */
    NN__OPENCL_CONV_TILE_COUNT
} nn__opencl_conv_tile;

/* The choices for the weight's gradient: rows, columns. */
typedef enum nn__opencl_conv_weight_tile {
    NN__OPENCL_CONV_WEIGHT_JUDGED,
    NN__OPENCL_CONV_WEIGHT_TILE_64,
    NN__OPENCL_CONV_WEIGHT_TILE_32,
    NN__OPENCL_CONV_WEIGHT_TILE_128_128, /* these two have 8 x 8 sums per work-item */
    NN__OPENCL_CONV_WEIGHT_TILE_64_256,
    NN__OPENCL_CONV_WEIGHT_TILE_PATCHES, /* kernels/conv2d/opencl_weight_patches.cl */
    NN__OPENCL_CONV_WEIGHT_TILE_MMA_64, /* as above */
    NN__OPENCL_CONV_WEIGHT_TILE_MMA_128,
    NN__OPENCL_CONV_WEIGHT_TILE_MMA_COPIED,
    NN__OPENCL_CONV_WEIGHT_TILE_COUNT
} nn__opencl_conv_weight_tile;

/* Returns the tile of a product on a GPU: the measured one if it fits, else the judged one. It
   depends on the whole product, not on the part of one launch. */
NN__OPENCL_PRIVATE nn__opencl_conv_tile nn__opencl_conv_tile_of(nn__opencl *device,
                                                                const nn_conv2d_args *a,
                                                                const nn__opencl_conv *c);
static NN__OPENCL_UNUSED bool nn__opencl_conv_is_patches(nn__opencl_conv_tile tile) {
    return tile == NN__OPENCL_CONV_TILE_PATCHES || tile == NN__OPENCL_CONV_TILE_PATCHES_SMALL;
}
/* Returns the choice for the weight's gradient on a GPU. splits 0: the judged number. */
NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_conv_weight_choose(nn__opencl *device,
                                                                   const nn_conv2d_args *a,
                                                                   const nn__opencl_conv *c);
NN__OPENCL_PRIVATE bool nn__opencl_conv_has_tiles(nn__opencl *device, const nn_conv2d_args *a,
                                                  nn__opencl_conv_way way);
NN__OPENCL_PRIVATE int32_t nn__opencl_conv_weight_splits_of(nn__opencl *device,
                                                            const nn_conv2d_args *a);

/* ---- few tiles: kernels/conv2d/opencl_cut.c -------------------------------------------------- */

/* How the depth of a convolution in tiles of 32 x 32 is divided among work-groups. */
typedef struct nn__opencl_conv_cut {
    int32_t parts; /* 1: not cut */
    int32_t chunk; /* steps of depth per part, a multiple of 16 */
    bool gathers;  /* the last work-group of a tile adds the sums; else another launch does */
    uint64_t bytes; /* of scratch */
} nn__opencl_conv_cut;

NN__OPENCL_PRIVATE nn__opencl_conv_cut nn__opencl_conv_cut_of(nn__opencl *device,
                                                              const nn_conv2d_args *a,
                                                              const nn__opencl_conv *c);
/* run: computes `positions` positions from `first` on, a multiple of 256. *fits: see
   nn__opencl_depthwise_weight. finish: the launch that adds the sums. */
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_cut_run(nn__opencl *device, const nn_conv2d_args *a,
                                                     const nn__opencl_conv *c,
                                                     const nn__opencl_conv_cut *cut, int32_t first,
                                                     int32_t positions, bool *fits);
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_cut_finish(nn__opencl *device,
                                                        const nn_conv2d_args *a,
                                                        const nn__opencl_conv *c,
                                                        const nn__opencl_conv_cut *cut);
/* Launches the kernel that adds `parts` arrays of partial sums, each laid out as y. */
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_add_parts(nn__opencl *device, const nn_conv2d_args *a,
                                                       const nn__opencl_conv *c,
                                                       const nn_view *partial, int32_t parts);

/* ---- backward_weight: kernels/conv2d/opencl_weight.c ----------------------------------------- */

NN__OPENCL_PRIVATE uint64_t nn__opencl_conv_weight_scratch_bytes(nn__opencl *device,
                                                                 const void *args);
NN__OPENCL_PRIVATE int32_t nn__opencl_conv_weight_units(nn__opencl *device, const void *args);
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_weight_run(nn__opencl *device,
                                                        const nn_conv2d_args *a,
                                                        const nn_conv_pool_args *block,
                                                        int32_t first, int32_t count);

/* ---- Winograd's algorithm on GPUs: kernels/conv2d/opencl_gpu_winograd.c ---------------------- */

/* For forward or backward_input. Return whether the convolution fits, and whether Winograd is
   judged to be faster than tiles. */
NN__OPENCL_PRIVATE bool nn__opencl_gpu_winograd_fits(nn__opencl *device, const nn_conv2d_args *a,
                                                 const nn__opencl_conv *c);
NN__OPENCL_PRIVATE bool nn__opencl_gpu_winograd_is_faster(nn__opencl *device,
                                                          const nn_conv2d_args *a,
                                                          const nn__opencl_conv *c);
/* Returns the bytes of scratch for the weights. */
NN__OPENCL_PRIVATE uint64_t nn__opencl_gpu_winograd_bytes(const nn__opencl_conv *c);
/* Returns the number of units after the one that prepares the weights. */
NN__OPENCL_PRIVATE int32_t nn__opencl_gpu_winograd_pieces(const nn__opencl_conv *c);
NN__OPENCL_PRIVATE nn_result nn__opencl_gpu_winograd_prepare(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         const nn__opencl_conv *c);
/* *fits: see nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE nn_result nn__opencl_gpu_winograd_run(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         const nn__opencl_conv *c, int32_t first,
                                                         int32_t pieces, bool *fits);

/* ---- neighbouring taps on GPUs: kernels/conv2d/opencl_patches.c ------------------------------ */

NN__OPENCL_PRIVATE bool nn__opencl_patches_fit(nn__opencl *device, const nn__opencl_conv *c);
/* Returns the tile of patches; NN__OPENCL_CONV_JUDGED: another way is judged to be faster.
   large_rows: rows of the large tile that fits, or 0. half: it would use half arithmetic. */
NN__OPENCL_PRIVATE nn__opencl_conv_tile nn__opencl_patches_judge(nn__opencl *device,
                                                                 const nn_conv2d_args *a,
                                                                 const nn__opencl_conv *c,
                                                                 int32_t large_rows, bool half);
/* Return the number of parts into which the channels are split for work-groups of 64, and the bytes
   of scratch for the parts. More than one needs a product that fills y alone, or all classes that
   fill y together. A unit after the patches adds the parts. */
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_parts(nn__opencl *device, const nn_conv2d_args *a,
                                                    const nn__opencl_conv *c);
NN__OPENCL_PRIVATE uint64_t nn__opencl_patches_bytes(const nn__opencl_conv *c, int32_t parts);
NN__OPENCL_PRIVATE nn_result nn__opencl_patches_finish(nn__opencl *device, const nn_conv2d_args *a,
                                                       const nn__opencl_conv *c, int32_t parts);
/* Return the patches across an image, the patches of an image, and the units of patches. */
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_across(const nn__opencl_conv *c);
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_image(const nn__opencl_conv *c);
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_pieces(const nn__opencl_conv *c);
/* Of the powers of two from most down to least, returns the largest that wastes least of count. */
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_fill(int32_t count, int32_t most, int32_t least);
/* *fits: see nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE nn_result nn__opencl_patches_run(nn__opencl *device, const nn_conv2d_args *a,
                                                    const nn__opencl_conv *c, bool few,
                                                    int32_t first, int32_t pieces, bool *fits);

/* ---- the weight's gradient in patches: kernels/conv2d/opencl_weight_patches.c ---------------- */

NN__OPENCL_PRIVATE bool nn__opencl_weight_patches_fit(nn__opencl *device,
                                                      const nn__opencl_conv *c);
/* fills: it would fill large tiles. half: these would use half arithmetic. */
NN__OPENCL_PRIVATE bool nn__opencl_weight_patches_are_faster(nn__opencl *device,
                                                             const nn__opencl_conv *c, bool fills,
                                                             bool half);
/* Computes the number of splits, and its upper limit. */
NN__OPENCL_PRIVATE void nn__opencl_weight_patches_cut(const nn__opencl *device,
                                                      const nn__opencl_conv *c, int64_t *wanted,
                                                      int64_t *longest);
/* Runs `splits` of all splits, from `first` on. *fits: see nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE nn_result nn__opencl_weight_patches(nn__opencl *device, const nn_conv2d_args *a,
                                                       const nn__opencl_conv *c,
                                                       const nn_view *partial, int32_t all,
                                                       int32_t first, int32_t splits, bool *fits);

/* ---- matrix units: kernels/conv2d/opencl_mma.c ----------------------------------------------- */

typedef struct nn__opencl_conv_mma {
    int32_t side; /* of the tiles, which is also the number of work-items; 0: no matrix units */
    nn__opencl_rounding rounding;
    int32_t tall; /* rows of a tile of the loop in opencl/mma_loop.cl; 0: the usual loop */
    bool pairs;   /* NN_COPIED_PAIRS of opencl/mma_loop.cl, for backward_weight */
    int x, w, y;  /* NN_CONV_X, NN_CONV_W and NN_CONV_Y of opencl_mma.cl */
} nn__opencl_conv_mma;

/* has_halves: true if x, y or weight is f16 or bf16. halves: see nn__opencl_kernel. */
NN__OPENCL_PRIVATE bool nn__opencl_conv_has_halves(const nn_conv2d_args *a);
NN__OPENCL_PRIVATE bool nn__opencl_conv_halves(nn__opencl *device, const nn_conv2d_args *a,
                                               nn__opencl_conv_way way);
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_halves_fail(nn__opencl *device);

NN__OPENCL_PRIVATE nn__opencl_conv_mma nn__opencl_conv_mma_of(nn__opencl *device,
                                                              const nn_conv2d_args *a,
                                                              nn__opencl_conv_way way);
/* For forward or backward_input: the bytes of scratch for the sorted weights, the launch that sorts
   them, and the launch for some positions from `first` on, a multiple of 256. pair: the number of
   the product c. *fits: see nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE uint64_t nn__opencl_conv_mma_bytes(const nn_conv2d_args *a,
                                                      nn__opencl_conv_way way,
                                                      const nn__opencl_conv_mma *mma);
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_mma_sort(nn__opencl *device, const nn_conv2d_args *a,
                                                      nn__opencl_conv_way way,
                                                      const nn__opencl_conv_mma *mma);
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_mma_run(nn__opencl *device, const nn_conv2d_args *a,
                                                     const nn__opencl_conv *c,
                                                     nn__opencl_conv_way way, int32_t pair,
                                                     const nn__opencl_conv_mma *mma, int32_t first,
                                                     int32_t positions, bool *fits);
/* For backward_weight: the number of tiles of columns, and the kernel's launch without
   arguments. */
NN__OPENCL_PRIVATE int32_t nn__opencl_conv_mma_columns(const nn_conv2d_args *a,
                                                       const nn__opencl_conv *c, int32_t side);
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_conv_mma_weight(nn__opencl *device,
                                                                const nn__opencl_conv *c,
                                                                const nn__opencl_conv_mma *mma,
                                                                bool *fits);
/* Writes the options of a program; only: NN_CONV_ONLY. failed: logs that one did not build. */
NN__OPENCL_PRIVATE void nn__opencl_conv_mma_options(const nn__opencl *device,
                                                    const nn__opencl_conv_mma *mma, int only,
                                                    bool whole, char *text, size_t size);
NN__OPENCL_PRIVATE void nn__opencl_conv_mma_failed(nn__opencl *device, bool had_error);

/* ---- the same with copied operands: kernels/conv2d/opencl_mma_copied.c ----------------------- */

/* Returns the rows of a tile for copied operands; 0: they are not used. */
NN__OPENCL_PRIVATE int32_t nn__opencl_conv_copied_tall(nn__opencl *device, const nn_conv2d_args *a,
                                                       nn__opencl_conv_way way,
                                                       nn__opencl_rounding rounding);
/* The bytes of scratch for packed operands, the launches that pack them, and the arguments of the
   kernel beside the usual ones. pair: the number of the product. scratch: where the packed operands
   begin. pack: a program that does not build is logged. */
NN__OPENCL_PRIVATE uint64_t nn__opencl_conv_copied_bytes(const nn_conv2d_args *a,
                                                         nn__opencl_conv_way way,
                                                         const nn__opencl_conv_mma *mma);
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_copied_pack(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         nn__opencl_conv_way way,
                                                         const nn__opencl_conv_mma *mma,
                                                         const nn_view *scratch);
NN__OPENCL_PRIVATE void nn__opencl_conv_copied_arguments(nn__opencl_launch *launch,
                                                         const nn_conv2d_args *a,
                                                         nn__opencl_conv_way way, int32_t pair,
                                                         const nn__opencl_conv_mma *mma,
                                                         const nn_view *scratch);
NN__OPENCL_PRIVATE bool nn__opencl_conv_copied_pairs(const nn__opencl *device,
                                                     nn__opencl_rounding rounding);
/* Returns the packed dy of backward_weight. */
NN__OPENCL_PRIVATE nn_view nn__opencl_conv_copied_dy(const nn_conv2d_args *a,
                                                     const nn__opencl_conv_mma *mma,
                                                     const nn_view *scratch);

/* ---- half arithmetic: kernels/conv2d/opencl_half.c ------------------------------------------- */

/* of: true if the convolution uses half arithmetic, in its large tiles. suits: true if it would in
   large tiles, whether it has them or not. find launches what finds the operands' largest. */
NN__OPENCL_PRIVATE bool nn__opencl_conv_half_of(nn__opencl *device, const nn_conv2d_args *a,
                                                nn__opencl_conv_way way);
NN__OPENCL_PRIVATE bool nn__opencl_conv_half_suits(nn__opencl *device, const nn_conv2d_args *a,
                                                   nn__opencl_conv_way way);
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_half_find(nn__opencl *device, const nn_conv2d_args *a,
                                                       nn__opencl_conv_way way,
                                                       const nn_view *most);
/* Begins a kernel of large tiles. If it does not build in half arithmetic, *half becomes false. */
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_conv_half_begin(nn__opencl *device,
                                                                const nn__opencl_conv *c,
                                                                const char *entry,
                                                                const char *options, bool *half);

/* ---- at most four rows, on GPUs: kernels/conv2d/opencl_few.c --------------------------------- */

NN__OPENCL_PRIVATE bool nn__opencl_conv_few_suits(nn__opencl *device, const nn__opencl_conv *c);
/* Runs `positions` from `first` on, a multiple of 256. *fits: see nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_few_run(nn__opencl *device, const nn_conv2d_args *a,
                                                     const nn__opencl_conv *c, int32_t first,
                                                     int32_t positions, bool *fits);

/* ---- one channel of x per group, on GPUs: kernels/conv2d/opencl_depthwise.c ------------------ */

NN__OPENCL_PRIVATE bool nn__opencl_depthwise_suits(nn__opencl *device, const nn_conv2d_args *a,
                                                   nn__opencl_conv_way way);
NN__OPENCL_PRIVATE nn_result nn__opencl_depthwise_forward(nn__opencl *device,
                                                          const nn_conv2d_args *a, int32_t first,
                                                          int32_t count);
NN__OPENCL_PRIVATE nn_result nn__opencl_depthwise_input(nn__opencl *device,
                                                        const nn_conv2d_args *a, int32_t first,
                                                        int32_t count);
/* How the weight's gradient is cut. opencl_depthwise.cl defines a strip. */
typedef struct nn__opencl_depthwise_cut {
    int32_t strips, tall, blocks; /* all strips; rows of a strip; strips of a column */
    int32_t splits, chunk;        /* chunk: strips per split */
} nn__opencl_depthwise_cut;

NN__OPENCL_PRIVATE nn__opencl_depthwise_cut
nn__opencl_depthwise_weight_cut(const nn_conv2d_args *a);
/* Computes splits [first, first + splits) into partial. *fits is set to false if nothing was done,
   because the device gives this kernel smaller work-groups than it needs. */
NN__OPENCL_PRIVATE nn_result nn__opencl_depthwise_weight(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         const nn_view *partial, int32_t first,
                                                         int32_t splits, bool *fits);

/* ---- the weight's gradient with few rows, on GPUs: kernels/conv2d/opencl_weight_few.c -------- */

NN__OPENCL_PRIVATE bool nn__opencl_weight_few_suits(nn__opencl *device, const nn_conv2d_args *a);
NN__OPENCL_PRIVATE nn__opencl_depthwise_cut nn__opencl_weight_few_cut_of(const nn_conv2d_args *a);
/* Works like nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE nn_result nn__opencl_weight_few(nn__opencl *device, const nn_conv2d_args *a,
                                                   const nn_view *partial, int32_t first,
                                                   int32_t splits, bool *fits);
