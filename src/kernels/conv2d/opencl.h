/* kernels/conv2d/opencl.h - the geometry of a convolution as the kernels see it: which output reads
   which place of the source through which tap, for forward and for every class of taps of
   backward_input. Pure functions, no launches. */
#pragma once

#include "opencl/private.h"

/* Products of so few multiplications go to the plain kernel. */
#define NN__OPENCL_CONV_TINY 8192 /* multiplications */

/* In kernels/conv2d/opencl.cl, NN_CONV_POOL. */
#define NN__OPENCL_CONV_IS_POOLED(c) ((c)->block && !nn__opencl_present(&(c)->block->dy))

/* ---- geometry: one axis, then both ----------------------------------------------------------- */

/* Output o reads, through tap i, the source at o stride + first + i step. Tap i is the weight's
   weight + i weight_step. */
typedef struct nn__opencl_conv_axis {
    int32_t source, outputs, taps, first, step, stride, weight, weight_step;
    int32_t place, place_step;   /* output o stands at place + o place_step */
} nn__opencl_conv_axis;

typedef struct nn__opencl_conv {
    nn__opencl_conv_axis h, w;
    int32_t images, groups, channels, rows; /* channels and rows: per group */
    int32_t w_group, w_row, w_channel, w_width, y_width, y_plane;
    const nn_view *y, *source;
    const nn_conv_pool_args *block; /* whose convolution it is; NULL: one that stands alone */
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

/* Along an axis, the taps `first`, first + every, ... reach the same places of dx: those of one
   remainder modulo the stride. They are a class; there are `every` of them, or as many as there are
   taps. */
static NN__OPENCL_UNUSED int32_t nn__opencl_conv_every(int32_t stride, int32_t dilation) {
    return stride / nn__opencl_conv_divisor(stride, dilation);
}
static NN__OPENCL_UNUSED int32_t nn__opencl_conv_classes(int32_t taps, int32_t stride,
                                                         int32_t dilation) {
    const int32_t every = nn__opencl_conv_every(stride, dilation);
    return taps < every ? taps : every;
}

/* The places of dx that a class reaches, and where in dy its taps read. */
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

/* The product of forward (and the geometry of backward_weight), or the one of a pair of classes in
   backward_input. */
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

/* Products: pairs of classes in backward_input. */
static NN__OPENCL_UNUSED int32_t nn__opencl_conv_products(const nn_conv2d_args *a,
                                                          nn__opencl_conv_way way) {
    const nn_conv2d_params *p = &a->params;
    if (way != NN__OPENCL_CONV_INPUT) return 1;
    return nn__opencl_conv_classes(p->kernel_h, p->stride_h, p->dilation_h) *
           nn__opencl_conv_classes(p->kernel_w, p->stride_w, p->dilation_w);
}
/* Are there places in dx that no tap reaches? They are cleared first. */
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

/* ---- what the ways of running share: kernels/conv2d/opencl_launch.c -------------------------- */

/* Two arguments by which a kernel divides by d; see nn_conv_divide in kernels/conv2d/opencl.cl. */
NN__OPENCL_PRIVATE void nn__opencl_conv_division(nn__opencl_launch *launch, int32_t d);
NN__OPENCL_PRIVATE void nn__opencl_conv_ints(nn__opencl_launch *launch, const int32_t *numbers,
                                             int count);
NN__OPENCL_PRIVATE void nn__opencl_conv_axes(nn__opencl_launch *launch, const nn__opencl_conv *c);
/* nn__opencl_begin for a kernel of "conv2d" that reads or writes what a block keeps. */
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_conv_begin(nn__opencl *device,
                                                           const nn__opencl_conv *c,
                                                           const char *entry, const char *options);
/* The last arguments of such a kernel; none without a block. */
NN__OPENCL_PRIVATE void nn__opencl_conv_block_arguments(nn__opencl_launch *launch,
                                                        const nn__opencl_conv *c);
NN__OPENCL_PRIVATE void nn__opencl_conv_weight_steps(nn__opencl_launch *launch,
                                                     const nn__opencl_conv *c);
/* All arguments of a kernel of forward or backward_input (NN_CONV_ARGUMENTS). */
NN__OPENCL_PRIVATE void nn__opencl_conv_arguments(nn__opencl_launch *launch,
                                                  const nn_conv2d_args *a,
                                                  const nn__opencl_conv *c, int32_t first);
/* The same of a kernel that counts so many places in an image, and across it. */
NN__OPENCL_PRIVATE void nn__opencl_conv_arguments_in(nn__opencl_launch *launch,
                                                     const nn_conv2d_args *a,
                                                     const nn__opencl_conv *c, int32_t first,
                                                     int32_t places, int32_t across);
NN__OPENCL_PRIVATE nn__opencl_conv_axis nn__opencl_conv_turn(nn__opencl_conv_axis axis);

/* ---- forward and backward_input: kernels/conv2d/opencl.c ------------------------------------- */

NN__OPENCL_PRIVATE const char *nn__opencl_conv_refuses(nn__opencl *device, const void *args);
NN__OPENCL_PRIVATE int32_t nn__opencl_conv_units(nn__opencl *device, const nn_conv2d_args *a,
                                                 nn__opencl_conv_way way);
/* Some units; block: NULL, or the block whose convolution it is, of which y of `a` has the shape
   alone. */
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_run(nn__opencl *device, const nn_conv2d_args *a,
                                                 const nn_conv_pool_args *block,
                                                 nn__opencl_conv_way way, int32_t first,
                                                 int32_t count);

/* ---- which tiles: kernels/conv2d/opencl_choice.c --------------------------------------------- */

/* What nn_opencl_tune chooses among, in the order of nn__opencl_conv_tile_names. Kept on disks. */
typedef enum nn__opencl_conv_tile {
    NN__OPENCL_CONV_JUDGED,
    NN__OPENCL_CONV_TILE_128_128, /* rows, positions; these two 8 by 8 a work-item */
    NN__OPENCL_CONV_TILE_64_256,
    NN__OPENCL_CONV_TILE_128_64,
    NN__OPENCL_CONV_TILE_64_64,
    NN__OPENCL_CONV_TILE_32_128,
    NN__OPENCL_CONV_TILE_16_256,
    NN__OPENCL_CONV_TILE_32_32,
    NN__OPENCL_CONV_TILE_WINOGRAD, /* kernels/conv2d/opencl_gpu_winograd.cl */
    NN__OPENCL_CONV_TILE_PATCHES,  /* kernels/conv2d/opencl_patches.cl; work-groups of 256 */
    NN__OPENCL_CONV_TILE_PATCHES_SMALL, /* of 64 */
    NN__OPENCL_CONV_TILE_COUNT
} nn__opencl_conv_tile;

/* The same of the weight's gradient: rows, columns. */
typedef enum nn__opencl_conv_weight_tile {
    NN__OPENCL_CONV_WEIGHT_JUDGED,
    NN__OPENCL_CONV_WEIGHT_TILE_64,
    NN__OPENCL_CONV_WEIGHT_TILE_32,
    NN__OPENCL_CONV_WEIGHT_TILE_128_128, /* these two 8 by 8 a work-item */
    NN__OPENCL_CONV_WEIGHT_TILE_64_256,
    NN__OPENCL_CONV_WEIGHT_TILE_PATCHES, /* kernels/conv2d/opencl_weight_patches.cl */
    NN__OPENCL_CONV_WEIGHT_TILE_COUNT
} nn__opencl_conv_weight_tile;

/* Of one product on a GPU: the measured one, if it can be had, or the judged one. Depends on the
   whole product, not on a launch's part of it. */
NN__OPENCL_PRIVATE nn__opencl_conv_tile nn__opencl_conv_tile_of(nn__opencl *device,
                                                                const nn_conv2d_args *a,
                                                                const nn__opencl_conv *c);
/* Of patches? */
static NN__OPENCL_UNUSED bool nn__opencl_conv_is_patches(nn__opencl_conv_tile tile) {
    return tile == NN__OPENCL_CONV_TILE_PATCHES || tile == NN__OPENCL_CONV_TILE_PATCHES_SMALL;
}
/* Of the weight's gradient on a GPU; splits: 0: the judged number. */
NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_conv_weight_choose(nn__opencl *device,
                                                                   const nn_conv2d_args *a,
                                                                   const nn__opencl_conv *c);
NN__OPENCL_PRIVATE bool nn__opencl_conv_has_tiles(nn__opencl *device, const nn_conv2d_args *a,
                                                  nn__opencl_conv_way way);
NN__OPENCL_PRIVATE int32_t nn__opencl_conv_weight_splits_of(nn__opencl *device,
                                                            const nn_conv2d_args *a);

/* ---- backward_weight: kernels/conv2d/opencl_weight.c ----------------------------------------- */

NN__OPENCL_PRIVATE uint64_t nn__opencl_conv_weight_scratch_bytes(nn__opencl *device,
                                                                 const void *args);
NN__OPENCL_PRIVATE int32_t nn__opencl_conv_weight_units(nn__opencl *device, const void *args);
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_weight_run(nn__opencl *device,
                                                        const nn_conv2d_args *a,
                                                        const nn_conv_pool_args *block,
                                                        int32_t first, int32_t count);

/* ---- Winograd's way, on GPUs: kernels/conv2d/opencl_gpu_winograd.c --------------------------- */

/* Of forward, or of backward_input: may it, and is it judged to be faster than tiles? */
NN__OPENCL_PRIVATE bool nn__opencl_gpu_winograd_fits(nn__opencl *device, const nn_conv2d_args *a,
                                                 const nn__opencl_conv *c);
NN__OPENCL_PRIVATE bool nn__opencl_gpu_winograd_is_faster(nn__opencl *device,
                                                          const nn_conv2d_args *a,
                                                          const nn__opencl_conv *c);
/* Of scratch, for the weights. */
NN__OPENCL_PRIVATE uint64_t nn__opencl_gpu_winograd_bytes(const nn__opencl_conv *c);
/* Units behind the one that prepares the weights. */
NN__OPENCL_PRIVATE int32_t nn__opencl_gpu_winograd_pieces(const nn__opencl_conv *c);
NN__OPENCL_PRIVATE nn_result nn__opencl_gpu_winograd_prepare(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         const nn__opencl_conv *c);
/* *fits as in nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE nn_result nn__opencl_gpu_winograd_run(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         const nn__opencl_conv *c, int32_t first,
                                                         int32_t pieces, bool *fits);

/* ---- taps side by side, on GPUs: kernels/conv2d/opencl_patches.c ----------------------------- */

NN__OPENCL_PRIVATE bool nn__opencl_patches_fit(nn__opencl *device, const nn__opencl_conv *c);
/* NN__OPENCL_CONV_JUDGED: another way is judged to be faster. large_rows: of the large tile that
   could be had, 0: none. */
NN__OPENCL_PRIVATE nn__opencl_conv_tile nn__opencl_patches_judge(nn__opencl *device,
                                                                 const nn_conv2d_args *a,
                                                                 const nn__opencl_conv *c,
                                                                 int32_t large_rows);
/* Parts that the channels of groups of 64 are cut into, and bytes of scratch for them: more than
   one for products whose places are y's own, or for all of several that share them. A unit behind
   the patches adds them up. */
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_parts(nn__opencl *device, const nn_conv2d_args *a,
                                                    const nn__opencl_conv *c);
NN__OPENCL_PRIVATE uint64_t nn__opencl_patches_bytes(const nn__opencl_conv *c, int32_t parts);
NN__OPENCL_PRIVATE nn_result nn__opencl_patches_finish(nn__opencl *device, const nn_conv2d_args *a,
                                                       const nn__opencl_conv *c, int32_t parts);
/* Patches across an image, in an image, and units of them. */
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_across(const nn__opencl_conv *c);
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_image(const nn__opencl_conv *c);
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_pieces(const nn__opencl_conv *c);
/* Of the powers of two from most down to least, the largest of those that waste least of count. */
NN__OPENCL_PRIVATE int32_t nn__opencl_patches_fill(int32_t count, int32_t most, int32_t least);
/* *fits as in nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE nn_result nn__opencl_patches_run(nn__opencl *device, const nn_conv2d_args *a,
                                                    const nn__opencl_conv *c, bool few,
                                                    int32_t first, int32_t pieces, bool *fits);

/* ---- the weight's gradient in patches: kernels/conv2d/opencl_weight_patches.c ---------------- */

NN__OPENCL_PRIVATE bool nn__opencl_weight_patches_fit(nn__opencl *device,
                                                      const nn__opencl_conv *c);
/* fills: a large tile would be filled. */
NN__OPENCL_PRIVATE bool nn__opencl_weight_patches_are_faster(nn__opencl *device,
                                                             const nn__opencl_conv *c, bool fills);
/* How many splits, and at most how many. */
NN__OPENCL_PRIVATE void nn__opencl_weight_patches_cut(const nn__opencl *device,
                                                      const nn__opencl_conv *c, int64_t *wanted,
                                                      int64_t *longest);
/* Of `all` splits these; *fits as in nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE nn_result nn__opencl_weight_patches(nn__opencl *device, const nn_conv2d_args *a,
                                                       const nn__opencl_conv *c,
                                                       const nn_view *partial, int32_t all,
                                                       int32_t first, int32_t splits, bool *fits);

/* ---- at most four rows, on GPUs: kernels/conv2d/opencl_few.c --------------------------------- */

NN__OPENCL_PRIVATE bool nn__opencl_conv_few_suits(nn__opencl *device, const nn__opencl_conv *c);
/* `positions` from `first` on, a multiple of 256; *fits as in nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_few_run(nn__opencl *device, const nn_conv2d_args *a,
                                                     const nn__opencl_conv *c, int32_t first,
                                                     int32_t positions, bool *fits);

/* ---- one channel of x a group, on GPUs: kernels/conv2d/opencl_depthwise.c -------------------- */

NN__OPENCL_PRIVATE bool nn__opencl_depthwise_suits(nn__opencl *device, const nn_conv2d_args *a,
                                                   nn__opencl_conv_way way);
/* Images [first, first + count). */
NN__OPENCL_PRIVATE nn_result nn__opencl_depthwise_forward(nn__opencl *device,
                                                          const nn_conv2d_args *a, int32_t first,
                                                          int32_t count);
NN__OPENCL_PRIVATE nn_result nn__opencl_depthwise_input(nn__opencl *device,
                                                        const nn_conv2d_args *a, int32_t first,
                                                        int32_t count);
/* How the weight's gradient is cut; opencl_depthwise.cl says what a strip is. */
typedef struct nn__opencl_depthwise_cut {
    int32_t strips, tall, blocks; /* in all; rows of one; of a column */
    int32_t splits, chunk;        /* chunk: strips of a split */
} nn__opencl_depthwise_cut;

NN__OPENCL_PRIVATE nn__opencl_depthwise_cut
nn__opencl_depthwise_weight_cut(const nn_conv2d_args *a);
/* Splits [first, first + splits) into partial. *fits false: nothing was done, because this device
   gives the kernel smaller groups than it needs. */
NN__OPENCL_PRIVATE nn_result nn__opencl_depthwise_weight(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         const nn_view *partial, int32_t first,
                                                         int32_t splits, bool *fits);

/* ---- the weight's gradient of few rows, on GPUs: kernels/conv2d/opencl_weight_few.c ---------- */

NN__OPENCL_PRIVATE bool nn__opencl_weight_few_suits(nn__opencl *device, const nn_conv2d_args *a);
NN__OPENCL_PRIVATE nn__opencl_depthwise_cut nn__opencl_weight_few_cut_of(const nn_conv2d_args *a);
/* As nn__opencl_depthwise_weight. */
NN__OPENCL_PRIVATE nn_result nn__opencl_weight_few(nn__opencl *device, const nn_conv2d_args *a,
                                                   const nn_view *partial, int32_t first,
                                                   int32_t splits, bool *fits);
