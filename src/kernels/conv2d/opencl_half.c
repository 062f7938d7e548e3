/* kernels/conv2d/opencl_half.c - convolutions and their gradients in half arithmetic on devices
   without matrix units: which of them use it, and the launches that find the largest numbers of
   their operands. The tiles are those of opencl_large.cl and opencl_weight.cl. */
#include "kernels/conv2d/opencl.h"

static bool nn__opencl_conv_half_is_large(nn__opencl *device, const nn_conv2d_args *a,
                                          const nn__opencl_conv *c, bool weight) {
    int32_t tile;
    if (c->h.outputs == 0 || c->w.outputs == 0) return false;
    if (weight) {
        tile = nn__opencl_conv_weight_choose(device, a, c).tile;
        return tile == (int32_t)NN__OPENCL_CONV_WEIGHT_TILE_128_128 ||
               tile == (int32_t)NN__OPENCL_CONV_WEIGHT_TILE_64_256;
    }
    tile = (int32_t)nn__opencl_conv_tile_of(device, a, c);
    return tile == (int32_t)NN__OPENCL_CONV_TILE_128_128 ||
           tile == (int32_t)NN__OPENCL_CONV_TILE_64_256;
}

/* Returns the operands that the kernel reads. */
static void nn__opencl_conv_half_operands(const nn_conv2d_args *a, nn__opencl_conv_way way,
                                          const nn_view **first, const nn_view **second) {
    *first = way == NN__OPENCL_CONV_WEIGHT ? &a->y : &a->weight;
    *second = way == NN__OPENCL_CONV_INPUT ? &a->y : &a->x;
}

NN__OPENCL_PRIVATE bool nn__opencl_conv_half_suits(nn__opencl *device, const nn_conv2d_args *a,
                                                   nn__opencl_conv_way way) {
    const nn_view *first, *second;
    double products = 0;
    if (a->precision != NN_PRECISION_MEDIUM || !device->half ||
        device->mma != NN__OPENCL_MMA_NONE || nn__opencl_conv_has_halves(a) ||
        !nn__opencl_conv_has_tiles(device, a, way))
        return false;
    nn__opencl_conv_half_operands(a, way, &first, &second);
    for (int32_t i = 0; i < nn__opencl_conv_products(a, way); i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        products += (double)nn__opencl_conv_work(&c);
    }
    return nn__opencl_half_is_worth(device, products, (double)nn__opencl_count(first) +
                                                          (double)nn__opencl_count(second)) &&
           nn__opencl_half_convs(device, way == NN__OPENCL_CONV_WEIGHT);
}

NN__OPENCL_PRIVATE bool nn__opencl_conv_half_of(nn__opencl *device, const nn_conv2d_args *a,
                                                nn__opencl_conv_way way) {
    if (!nn__opencl_conv_half_suits(device, a, way)) return false;
    for (int32_t i = 0; i < nn__opencl_conv_products(a, way); i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        if (nn__opencl_conv_half_is_large(device, a, &c, way == NN__OPENCL_CONV_WEIGHT))
            return true;
    }
    return false;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_conv_half_find(nn__opencl *device, const nn_conv2d_args *a,
                                                       nn__opencl_conv_way way,
                                                       const nn_view *most) {
    const nn_view *first, *second;
    nn__opencl_conv_half_operands(a, way, &first, &second);
    return nn__opencl_half_find(device, most, first, (uint64_t)nn__opencl_count(first), second,
                                (uint64_t)nn__opencl_count(second));
}

NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_conv_half_begin(nn__opencl *device,
                                                                const nn__opencl_conv *c,
                                                                const char *entry,
                                                                const char *options, bool *half) {
    const bool had_error = nn_error_code(device->nn) != NN_OK;
    if (*half) {
        char all[128];
        nn__opencl_launch launch;
        const size_t length = nn__opencl_format(all, sizeof all, "%s", options);
        nn__opencl_half_options(device, all + length, sizeof all - length);
        launch = nn__opencl_conv_begin(device, c, entry, all);
        if (launch.result >= 0 || device->mma_testing) return launch;
        nn__opencl_log(device->nn, "opencl: a convolution in half arithmetic did not build, so it "
                                   "is computed in f32");
        if (!had_error) nn_clear_error(device->nn);
        *half = false;
    }
    return nn__opencl_conv_begin(device, c, entry, options);
}
