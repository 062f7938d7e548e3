/* kernels/conv2d/opencl_gpu_winograd.c - Winograd's algorithm on GPUs: which convolutions fit, when
   it is judged to be faster, and its two launches. The kernels: opencl_gpu_winograd.cl. Units of
   work: first the weights, then 32 tiles of 2 x 2 positions each. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_GPU_WINOGRAD_SIDE  32    /* rows, and tiles, per work-group */
#define NN__OPENCL_GPU_WINOGRAD_ITEMS 256   /* work-items per work-group */
#define NN__OPENCL_GPU_WINOGRAD_LOCAL 32768 /* bytes of local memory */

/* Return the number of tiles across an image, and the number in the whole image. */
static int32_t nn__opencl_gpu_winograd_across(const nn__opencl_conv *c) {
    return nn__opencl_ceil_div(c->w.outputs, 2);
}
static int32_t nn__opencl_gpu_winograd_tiles(const nn__opencl_conv *c) {
    return nn__opencl_ceil_div(c->h.outputs, 2) * nn__opencl_gpu_winograd_across(c);
}

NN__OPENCL_PRIVATE int32_t nn__opencl_gpu_winograd_pieces(const nn__opencl_conv *c) {
    return nn__opencl_ceil_div((int64_t)c->images * nn__opencl_gpu_winograd_tiles(c),
                               NN__OPENCL_GPU_WINOGRAD_SIDE);
}

/* The extra 64 bytes allow aligned vectors. */
NN__OPENCL_PRIVATE uint64_t nn__opencl_gpu_winograd_bytes(const nn__opencl_conv *c) {
    return (uint64_t)c->groups *
               (uint64_t)nn__opencl_ceil_div(c->rows, NN__OPENCL_GPU_WINOGRAD_SIDE) *
               (uint64_t)c->channels * 16 * NN__OPENCL_GPU_WINOGRAD_SIDE * sizeof(float) +
           64;
}

static nn_view nn__opencl_gpu_winograd_weights(const nn_conv2d_args *a, const nn__opencl_conv *c) {
    return nn__opencl_part(&a->scratch, (16 - a->scratch.offset % 16) % 16,
                           nn__opencl_gpu_winograd_bytes(c) - 64);
}

static bool nn__opencl_gpu_winograd_axis(const nn__opencl_conv_axis *axis) {
    return axis->taps == 3 && axis->stride == 1 && (axis->step == 1 || axis->step == -1) &&
           axis->place == 0 && axis->place_step == 1;
}

/* True if the kernel can compute the convolution. Its indices of the source are ints, even one turn
   beyond the end. */
NN__OPENCL_PRIVATE bool nn__opencl_gpu_winograd_fits(nn__opencl *device, const nn_conv2d_args *a,
                                                 const nn__opencl_conv *c) {
    const int64_t image = (int64_t)c->groups * c->channels * c->h.source * c->w.source;
    return !a->direct && !c->block && nn__opencl_family_of(device) == NN__OPENCL_TILES &&
           device->group >= NN__OPENCL_GPU_WINOGRAD_ITEMS &&
           device->local_memory >= NN__OPENCL_GPU_WINOGRAD_LOCAL && c->channels % 4 == 0 &&
           nn__opencl_gpu_winograd_axis(&c->h) && nn__opencl_gpu_winograd_axis(&c->w) &&
           image <= (2147483647 - 4 * (int64_t)c->h.source * c->w.source) / (c->images + 1);
}

/* Measured on an H200 (132 compute units) with 64 images. From 64 work-groups and 150 million
   multiplications on, 32 to 512 channels took 0.45 to 0.75 of the time of other tiles. 16 channels
   or 16 rows, which leave half of each work-group idle, took 0.7 to 0.85; both together took as
   long. 16 multiplications stand for 36, so a third of the work may be wasted at the edges. The
   second launch costs as much as a million multiplications per compute unit. */
NN__OPENCL_PRIVATE bool nn__opencl_gpu_winograd_is_faster(nn__opencl *device,
                                                          const nn_conv2d_args *a,
                                                          const nn__opencl_conv *c) {
    const int64_t blocks = nn__opencl_ceil_div(c->rows, NN__OPENCL_GPU_WINOGRAD_SIDE),
                  pieces = nn__opencl_gpu_winograd_pieces(c),
                  area = NN__OPENCL_GPU_WINOGRAD_SIDE * NN__OPENCL_GPU_WINOGRAD_SIDE,
                  rows = c->rows < NN__OPENCL_GPU_WINOGRAD_SIDE ? NN__OPENCL_GPU_WINOGRAD_SIDE
                                                                : c->rows;
    if (device->forced == NN__OPENCL_WINOGRAD_TILES)
        return nn__opencl_gpu_winograd_fits(device, a, c);
    return device->forced == NN__OPENCL_BY_DEVICE && device->gpu && c->rows >= 16 &&
           c->channels >= 16 && c->rows + c->channels >= 48 &&
           nn__opencl_gpu_winograd_fits(device, a, c) &&
           blocks * pieces * area * 16 * 3 <=
               (int64_t)c->images * c->h.outputs * c->w.outputs * rows * 9 * 2 &&
           blocks * pieces * c->groups * 100 >= (int64_t)device->units * 48 &&
           nn__opencl_conv_work(c) >= (int64_t)device->units << 20;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_gpu_winograd_prepare(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         const nn__opencl_conv *c) {
    const nn_view u = nn__opencl_gpu_winograd_weights(a, c);
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_gpu_winograd_weight", "-DNN_CONV_ONLY=12");
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_view(&launch, &u);
    nn__opencl_view(&launch, &a->weight);
    nn__opencl_int(&launch, c->rows);
    nn__opencl_int(&launch, c->channels);
    nn__opencl_conv_weight_steps(&launch, c);
    nn__opencl_int(&launch, c->h.step < 0 ? 1 : 0);
    local[0] = nn__opencl_group(&launch, NN__OPENCL_GPU_WINOGRAD_SIDE);
    groups[0] = (size_t)nn__opencl_ceil_div(
        (int64_t)nn__opencl_ceil_div(c->rows, NN__OPENCL_GPU_WINOGRAD_SIDE) *
            NN__OPENCL_GPU_WINOGRAD_SIDE,
        (int64_t)local[0]);
    groups[1] = (size_t)c->channels;
    groups[2] = (size_t)c->groups;
    return nn__opencl_run(&launch, 3, groups, local);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_gpu_winograd_run(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         const nn__opencl_conv *c, int32_t first,
                                                         int32_t pieces, bool *fits) {
    const nn_view u = nn__opencl_gpu_winograd_weights(a, c);
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_gpu_winograd", "-DNN_CONV_ONLY=12");
    size_t groups[3], local[3] = {NN__OPENCL_GPU_WINOGRAD_ITEMS, 1, 1};
    *fits = launch.result < 0 || nn__opencl_group(&launch, local[0]) == local[0];
    if (!*fits) return NN_OK;
    nn__opencl_view(&launch, c->y);
    nn__opencl_view(&launch, c->source);
    nn__opencl_view(&launch, &u);
    nn__opencl_view(&launch, &a->epilogue.bias);
    {
        const int32_t numbers[] = {c->rows,
                                   c->channels,
                                   c->images,
                                   c->groups,
                                   c->h.source,
                                   c->w.source,
                                   c->h.outputs,
                                   c->w.outputs,
                                   c->h.step < 0 ? c->h.first - 2 : c->h.first,
                                   c->w.step < 0 ? c->w.first - 2 : c->w.first,
                                   nn__opencl_gpu_winograd_tiles(c),
                                   nn__opencl_gpu_winograd_across(c)};
        nn__opencl_conv_ints(&launch, numbers, 12);
    }
    nn__opencl_conv_division(&launch, nn__opencl_gpu_winograd_tiles(c));
    nn__opencl_conv_division(&launch, nn__opencl_gpu_winograd_across(c));
    nn__opencl_int(&launch, first);
    nn__opencl_int(&launch, a->accumulate ? 1 : 0);
    nn__opencl_int(&launch, (int32_t)a->epilogue.activation);
    groups[0] = (size_t)pieces;
    groups[1] = (size_t)nn__opencl_ceil_div(c->rows, NN__OPENCL_GPU_WINOGRAD_SIDE);
    groups[2] = (size_t)c->groups;
    return nn__opencl_run(&launch, 3, groups, local);
}

#undef NN__OPENCL_GPU_WINOGRAD_SIDE
#undef NN__OPENCL_GPU_WINOGRAD_ITEMS
#undef NN__OPENCL_GPU_WINOGRAD_LOCAL
