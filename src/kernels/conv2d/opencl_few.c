/* kernels/conv2d/opencl_few.c - convolutions on GPUs with at most four rows, for which tiles are
   too tall, such as the last layer of an image generator or the gradient of an image. The kernel:
   opencl_few.cl. Units are those of the plain kernel. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_CONV_FEW_ITEMS 64
#define NN__OPENCL_CONV_FEW_UNIT  256 /* positions per work-group */
#define NN__OPENCL_CONV_FEW_DEEP  512 /* taps of all rows in local memory, 16 bytes each */

static const char *nn__opencl_conv_few_options(const nn__opencl_conv *c) {
    if (c->w.taps == 1) return "-DNN_CONV_ONLY=13 -DNN_CONV_FEW=1";
    if (c->w.step != 1) return "-DNN_CONV_ONLY=13";
    switch (c->w.taps) {
    case 2: return "-DNN_CONV_ONLY=13 -DNN_CONV_FEW=2";
    case 3: return "-DNN_CONV_ONLY=13 -DNN_CONV_FEW=3";
    case 4: return "-DNN_CONV_ONLY=13 -DNN_CONV_FEW=4";
    case 5: return "-DNN_CONV_ONLY=13 -DNN_CONV_FEW=5";
    case 7: return "-DNN_CONV_ONLY=13 -DNN_CONV_FEW=7";
    default: return "-DNN_CONV_ONLY=13";
    }
}

NN__OPENCL_PRIVATE bool nn__opencl_conv_few_suits(nn__opencl *device, const nn__opencl_conv *c) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    return (family == NN__OPENCL_TILES || family == NN__OPENCL_SMALL_TILES) && !c->block &&
           c->rows <= 4 && (int64_t)c->h.taps * c->w.taps <= NN__OPENCL_CONV_FEW_DEEP &&
           device->group >= NN__OPENCL_CONV_FEW_ITEMS &&
           device->local_memory >= 16 * NN__OPENCL_CONV_FEW_DEEP;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_conv_few_run(nn__opencl *device, const nn_conv2d_args *a,
                                                     const nn__opencl_conv *c, int32_t first,
                                                     int32_t positions, bool *fits) {
    nn__opencl_conv turned = *c;
    nn__opencl_launch launch;
    size_t groups[3], local[3] = {NN__OPENCL_CONV_FEW_ITEMS, 1, 1};
    turned.w = nn__opencl_conv_turn(c->w);
    launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_few",
                              nn__opencl_conv_few_options(&turned));
    *fits = launch.result < 0 || nn__opencl_group(&launch, local[0]) >= local[0];
    if (launch.result < 0 || !*fits) return launch.result;
    nn__opencl_conv_arguments(&launch, a, &turned, first / NN__OPENCL_CONV_FEW_UNIT);
    groups[0] = (size_t)nn__opencl_ceil_div(positions, NN__OPENCL_CONV_FEW_UNIT);
    groups[1] = 1;
    groups[2] = (size_t)c->groups;
    return nn__opencl_run(&launch, 3, groups, local);
}

#undef NN__OPENCL_CONV_FEW_ITEMS
#undef NN__OPENCL_CONV_FEW_UNIT
#undef NN__OPENCL_CONV_FEW_DEEP
