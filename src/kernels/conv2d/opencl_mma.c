/* kernels/conv2d/opencl_mma.c - convolutions and their gradients on matrix units: which use them,
   in which tiles, and their launches. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_CONV_MMA_ROWS     32 /* fewer rows leave most of a tile empty */
#define NN__OPENCL_CONV_MMA_CHANNELS 16 /* so do fewer channels of a turn */

static int32_t nn__opencl_conv_mma_depth(nn__opencl_rounding rounding) { /* steps of a turn */
    return rounding == NN__OPENCL_ROUND_BF16 ? 32 : 16;
}

static int64_t nn__opencl_conv_mma_tiles(const nn__opencl_conv *c, int32_t side) {
    return (int64_t)nn__opencl_ceil_div((int64_t)c->images * c->h.outputs * c->w.outputs, side) *
           nn__opencl_ceil_div(c->rows, side) * c->groups;
}

NN__OPENCL_PRIVATE int32_t nn__opencl_conv_mma_columns(const nn_conv2d_args *a,
                                                       const nn__opencl_conv *c, int32_t side) {
    return nn__opencl_ceil_div(c->channels, side) * c->h.taps * c->w.taps +
           (nn__opencl_present(&a->epilogue.bias) ? 1 : 0);
}

NN__OPENCL_PRIVATE bool nn__opencl_conv_has_halves(const nn_conv2d_args *a) {
    return nn__opencl_stored(&a->x) || nn__opencl_stored(&a->y) || nn__opencl_stored(&a->weight);
}

/* Returns the side of the tiles; 0: the convolution does not use matrix units. A tile of 128 needs
   enough rows (backward_weight: and channels), and enough tiles for all compute units. In tests
   (mma_always) the sides take turns. */
static int32_t nn__opencl_conv_mma_side(nn__opencl *device, const nn_conv2d_args *a,
                                        const nn__opencl_conv *c, nn__opencl_conv_way way) {
    const bool large = nn__opencl_mma_fits(device, 128), weight = way == NN__OPENCL_CONV_WEIGHT;
    if (nn__opencl_family_of(device) != NN__OPENCL_TILES || !nn__opencl_mma_fits(device, 64) ||
        !nn__opencl_present(&a->weight) || c->channels < 1)
        return 0;
    if (device->mma_always) return large && (c->rows + c->channels) % 3 == 0 ? 128 : 64;
    if (nn__opencl_conv_has_halves(a)) return 64; /* only matrix units read f16 and bf16 */
    if (c->rows < NN__OPENCL_CONV_MMA_ROWS || c->channels < NN__OPENCL_CONV_MMA_CHANNELS ||
        (weight && c->channels < NN__OPENCL_CONV_MMA_ROWS))
        return 0;
    if (!weight && nn__opencl_conv_mma_tiles(c, 64) < (int64_t)device->units / 2) return 0;
    if (weight) return large && c->rows % 128 == 0 && c->channels % 128 == 0 ? 128 : 64;
    return large && c->rows > 64 &&
                   nn__opencl_conv_mma_tiles(c, 128) >= 2 * (int64_t)device->units
               ? 128
               : 64;
}

NN__OPENCL_PRIVATE nn__opencl_conv_mma nn__opencl_conv_mma_of(nn__opencl *device,
                                                              const nn_conv2d_args *a,
                                                              nn__opencl_conv_way way) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    nn__opencl_conv_mma mma;
    memset(&mma, 0, sizeof mma);
    mma.rounding = NN__OPENCL_ROUND_NOT;
    if (a->precision <= NN_PRECISION_HIGHEST || device->mma == NN__OPENCL_MMA_NONE ||
        nn__opencl_depthwise_suits(device, a, way))
        return mma;
    mma.side = nn__opencl_conv_mma_side(device, a, &c, way);
    if (mma.side) mma.rounding = nn__opencl_rounding_of(device, a->precision);
    if (mma.rounding == NN__OPENCL_ROUND_NOT) mma.side = 0;
    if (mma.side) mma.tall = nn__opencl_conv_copied_tall(device, a, way, mma.rounding);
    if (mma.tall) mma.side = 128;
    mma.pairs = nn__opencl_conv_copied_pairs(device, mma.rounding);
    mma.x = nn__opencl_stored(way == NN__OPENCL_CONV_INPUT ? &a->y : &a->x);
    mma.y = nn__opencl_stored(way == NN__OPENCL_CONV_INPUT ? &a->x : &a->y);
    mma.w = nn__opencl_stored(&a->weight);
    return mma;
}

/* True if the convolution takes f16 and bf16. It does so on matrix units, if it uses them at this
   batch without half operands. Smaller batches then use matrix units, too. Gradients of weights and
   of x are written in f32. */
NN__OPENCL_PRIVATE bool nn__opencl_conv_halves(nn__opencl *device, const nn_conv2d_args *a,
                                               nn__opencl_conv_way way) {
    nn_conv2d_args plain = *a;
    if (nn__opencl_stored(&a->epilogue.bias) || a->accumulate ||
        a->epilogue.activation > NN_ACTIVATION_RELU ||
        (way == NN__OPENCL_CONV_INPUT && nn__opencl_stored(&a->x)) ||
        (way == NN__OPENCL_CONV_WEIGHT && nn__opencl_stored(&a->weight)))
        return false;
    plain.x.dtype = plain.y.dtype = plain.weight.dtype = NN_F32;
    return nn__opencl_conv_mma_of(device, &plain, way).side != 0;
}

/* Reports that f16 and bf16 cannot be read, because a program did not build. */
NN__OPENCL_PRIVATE nn_result nn__opencl_conv_halves_fail(nn__opencl *device) {
    return nn_record_error(device->nn, NN_ERROR_UNSUPPORTED,
                           "opencl: a convolution on matrix units did not build for f16 and bf16; "
                           "leave nn_autocast_begin out");
}

NN__OPENCL_PRIVATE nn__opencl_rounding nn__opencl_conv_rounding(nn__opencl *device,
                                                                nn_kernel kernel,
                                                                const nn_conv2d_args *a) {
    const nn__opencl_conv_way way = kernel == NN_KERNEL_CONV2D_FORWARD ? NN__OPENCL_CONV_FORWARD
                                    : kernel == NN_KERNEL_CONV2D_BACKWARD_INPUT
                                        ? NN__OPENCL_CONV_INPUT
                                        : NN__OPENCL_CONV_WEIGHT;
    return nn__opencl_conv_half_of(device, a, way)
               ? NN__OPENCL_ROUND_F16
               : nn__opencl_conv_mma_of(device, a, way).rounding;
}

/* ---- sorted weights -------------------------------------------------------------------------- */

static uint64_t nn__opencl_conv_mma_words(const nn__opencl_conv *c, nn__opencl_rounding rounding) {
    return (uint64_t)c->groups * (uint64_t)c->rows *
           (uint64_t)nn__opencl_ceil_div(c->channels, nn__opencl_conv_mma_depth(rounding)) *
           (uint64_t)(c->h.taps * c->w.taps) * 16;
}

/* Returns the place of the sorted weights of product `pair` in scratch, in bytes. For the number of
   products it returns the size of all. */
static uint64_t nn__opencl_conv_mma_at(const nn_conv2d_args *a, nn__opencl_conv_way way,
                                       nn__opencl_rounding rounding, int32_t pair) {
    uint64_t bytes = 0;
    for (int32_t i = 0; i < pair; i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        bytes += 4 * nn__opencl_conv_mma_words(&c, rounding);
    }
    return bytes;
}

NN__OPENCL_PRIVATE uint64_t nn__opencl_conv_mma_bytes(const nn_conv2d_args *a,
                                                      nn__opencl_conv_way way,
                                                      const nn__opencl_conv_mma *mma) {
    if (mma->tall) return nn__opencl_conv_copied_bytes(a, way, mma);
    return nn__opencl_conv_mma_at(a, way, mma->rounding, nn__opencl_conv_products(a, way));
}

NN__OPENCL_PRIVATE void nn__opencl_conv_mma_options(const nn__opencl *device,
                                                    const nn__opencl_conv_mma *mma, int only,
                                                    bool whole, char *text, size_t size) {
    char units[80], halves[64] = "", form[72];
    nn__opencl_format(form, sizeof form, "-DNN_CONV_WHOLE=%d", whole ? 1 : 0);
    if (mma->tall)
        nn__opencl_format(form, sizeof form,
                          only == 18 ? "-DNN_MMA_A_FORM=1 -DNN_MMA_B_FORM=4 -DNN_MMA_TALL=%d"
                          : mma->pairs
                              ? "-DNN_MMA_A_FORM=1 -DNN_MMA_B_FORM=5"
                              : "-DNN_MMA_A_FORM=3 -DNN_MMA_B_FORM=5",
                          (int)mma->tall);
    nn__opencl_mma_options(device, mma->rounding, mma->side, units, sizeof units);
    if (mma->x || mma->w || mma->y)
        nn__opencl_format(halves, sizeof halves, " -DNN_CONV_X=%d -DNN_CONV_W=%d -DNN_CONV_Y=%d",
                          mma->x, mma->w, mma->y);
    nn__opencl_format(text, size, "%s-DNN_CONV_ONLY=%d %s%s", units, only, form, halves);
}

static bool nn__opencl_conv_mma_whole(const nn__opencl_conv *c, const nn__opencl_conv_mma *mma) {
    return c->channels % nn__opencl_conv_mma_depth(mma->rounding) == 0;
}

/* The log's only line about a program that does not build. The f32 kernels take its place. */
NN__OPENCL_PRIVATE void nn__opencl_conv_mma_failed(nn__opencl *device, bool had_error) {
    nn__opencl_log(device->nn, "opencl: a convolution on matrix units did not build, so it is "
                               "computed in f32");
    if (!had_error) nn_clear_error(device->nn);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_conv_mma_sort(nn__opencl *device, const nn_conv2d_args *a,
                                                      nn__opencl_conv_way way,
                                                      const nn__opencl_conv_mma *mma) {
    nn_result result = NN_OK;
    if (mma->tall) return nn__opencl_conv_copied_pack(device, a, way, mma, &a->scratch);
    for (int32_t i = 0; i < nn__opencl_conv_products(a, way) && result >= 0; i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        const uint64_t words = nn__opencl_conv_mma_words(&c, mma->rounding);
        const nn_view sorted = nn__opencl_part(
            &a->scratch, nn__opencl_conv_mma_at(a, way, mma->rounding, i), 4 * words);
        const int32_t numbers[] = {c.rows, c.channels, c.h.taps, c.w.taps};
        const bool had_error = nn_error_code(device->nn) != NN_OK;
        char options[224];
        nn__opencl_launch launch;
        if (c.h.outputs == 0 || c.w.outputs == 0) continue;
        nn__opencl_conv_mma_options(device, mma, 18, nn__opencl_conv_mma_whole(&c, mma), options,
                                    sizeof options);
        launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_mma_sort", options);
        if (launch.result < 0) {
            nn__opencl_conv_mma_failed(device, had_error);
            return NN_OK;
        }
        nn__opencl_view(&launch, &sorted);
        nn__opencl_view(&launch, &a->weight);
        nn__opencl_uint(&launch, (uint32_t)words);
        nn__opencl_conv_ints(&launch, numbers, 4);
        nn__opencl_conv_weight_steps(&launch, &c);
        result = nn__opencl_run_flat(&launch, words, 64);
    }
    return result;
}

/* ---- launches -------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE nn_result nn__opencl_conv_mma_run(nn__opencl *device, const nn_conv2d_args *a,
                                                     const nn__opencl_conv *c,
                                                     nn__opencl_conv_way way, int32_t pair,
                                                     const nn__opencl_conv_mma *mma, int32_t first,
                                                     int32_t positions, bool *fits) {
    const bool had_error = nn_error_code(device->nn) != NN_OK;
    const nn_view sorted =
        nn__opencl_part(&a->scratch, nn__opencl_conv_mma_at(a, way, mma->rounding, pair),
                        4 * nn__opencl_conv_mma_words(c, mma->rounding));
    size_t groups[3], local[3] = {1, 1, 1};
    char options[224];
    nn__opencl_launch launch;
    nn__opencl_conv_mma_options(device, mma, 18, nn__opencl_conv_mma_whole(c, mma), options,
                                sizeof options);
    launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_mma", options);
    local[0] = (size_t)mma->side;
    *fits = launch.result >= 0 && nn__opencl_group(&launch, local[0]) >= local[0];
    if (launch.result < 0) nn__opencl_conv_mma_failed(device, had_error);
    if (!*fits) return NN_OK;
    nn__opencl_conv_arguments(&launch, a, c, first / mma->side);
    if (mma->tall)
        nn__opencl_conv_copied_arguments(&launch, a, way, pair, mma, &a->scratch);
    else
        nn__opencl_view(&launch, &sorted);
    groups[0] = (size_t)nn__opencl_ceil_div(positions, mma->side);
    groups[1] = (size_t)nn__opencl_ceil_div(c->rows, mma->tall ? mma->tall : mma->side);
    groups[2] = (size_t)c->groups;
    return nn__opencl_run(&launch, 3, groups, local);
}

NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_conv_mma_weight(nn__opencl *device,
                                                                const nn__opencl_conv *c,
                                                                const nn__opencl_conv_mma *mma,
                                                                bool *fits) {
    const bool had_error = nn_error_code(device->nn) != NN_OK;
    char options[224];
    nn__opencl_launch launch;
    nn__opencl_conv_mma_options(device, mma, 19,
                                c->rows % mma->side == 0 && c->channels % mma->side == 0, options,
                                sizeof options);
    launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_weight_mma", options);
    *fits = launch.result >= 0 &&
            nn__opencl_group(&launch, (size_t)mma->side) >= (size_t)mma->side;
    if (launch.result < 0) nn__opencl_conv_mma_failed(device, had_error);
    return launch;
}

#undef NN__OPENCL_CONV_MMA_ROWS
#undef NN__OPENCL_CONV_MMA_CHANNELS
