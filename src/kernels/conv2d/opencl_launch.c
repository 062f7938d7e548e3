/* kernels/conv2d/opencl_launch.c - passes the arguments that all kernels of a convolution share. */
#include "kernels/conv2d/opencl.h"

/* Passes the two numbers with which a kernel divides by d: see nn_conv_divide. */
NN__OPENCL_PRIVATE void nn__opencl_conv_division(nn__opencl_launch *launch, int32_t d) {
    uint32_t shift = 0;
    const uint64_t by = d > 0 ? (uint64_t)d : 1;
    while (((uint64_t)1 << shift) < by) shift++;
    nn__opencl_uint(launch,
                    (uint32_t)((((uint64_t)1 << 32) * (((uint64_t)1 << shift) - by)) / by + 1));
    nn__opencl_uint(launch, shift);
}

NN__OPENCL_PRIVATE void nn__opencl_conv_ints(nn__opencl_launch *launch, const int32_t *numbers,
                                             int count) {
    int i;
    for (i = 0; i < count; i++) nn__opencl_int(launch, numbers[i]);
}

NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_conv_begin(nn__opencl *device,
                                                           const nn__opencl_conv *c,
                                                           const char *entry, const char *options) {
    char all[256];
    if (!c->block) return nn__opencl_begin(device, "conv2d", entry, options);
    nn__opencl_format(all, sizeof all, "%s -DNN_CONV_POOL=%d", options,
                      NN__OPENCL_CONV_IS_POOLED(c) ? 1 : 2);
    return nn__opencl_begin(device, "conv2d", entry, all);
}

NN__OPENCL_PRIVATE void nn__opencl_conv_block_arguments(nn__opencl_launch *launch,
                                                        const nn__opencl_conv *c) {
    if (!c->block) return;
    nn__opencl_view(launch, &c->block->place);
    if (NN__OPENCL_CONV_IS_POOLED(c)) return;
    nn__opencl_view(launch, &c->block->y);
    nn__opencl_int(launch, c->block->epilogue.activation == NN_ACTIVATION_RELU);
}

NN__OPENCL_PRIVATE void nn__opencl_conv_axes(nn__opencl_launch *launch, const nn__opencl_conv *c) {
    const int32_t numbers[] = {c->rows,     c->channels, c->images,    c->groups,
                               c->h.source, c->w.source, c->h.outputs, c->w.outputs,
                               c->h.taps,   c->w.taps,   c->h.first,   c->w.first,
                               c->h.step,   c->w.step,   c->h.stride,  c->w.stride};
    nn__opencl_conv_ints(launch, numbers, 16);
}

NN__OPENCL_PRIVATE void nn__opencl_conv_weight_steps(nn__opencl_launch *launch,
                                                     const nn__opencl_conv *c) {
    const int32_t numbers[] = {c->w_group,
                               c->w_row,
                               c->w_channel,
                               c->h.weight * c->w_width + c->w.weight,
                               c->h.weight_step * c->w_width,
                               c->w.weight_step};
    nn__opencl_conv_ints(launch, numbers, 6);
}

/* Returns the axis with its taps in ascending order: the last tap becomes the first. */
NN__OPENCL_PRIVATE nn__opencl_conv_axis nn__opencl_conv_turn(nn__opencl_conv_axis axis) {
    if (axis.step >= 0) return axis;
    axis.first += (axis.taps - 1) * axis.step;
    axis.step = -axis.step;
    axis.weight += (axis.taps - 1) * axis.weight_step;
    axis.weight_step = -axis.weight_step;
    return axis;
}

NN__OPENCL_PRIVATE void nn__opencl_conv_arguments(nn__opencl_launch *launch,
                                                  const nn_conv2d_args *a,
                                                  const nn__opencl_conv *c, int32_t first) {
    nn__opencl_conv_arguments_in(launch, a, c, first, c->h.outputs * c->w.outputs,
                                 NN__OPENCL_CONV_IS_POOLED(c) ? c->w.outputs / 2 : c->w.outputs);
}

NN__OPENCL_PRIVATE void nn__opencl_conv_arguments_in(nn__opencl_launch *launch,
                                                     const nn_conv2d_args *a,
                                                     const nn__opencl_conv *c, int32_t first,
                                                     int32_t places, int32_t across) {
    nn__opencl_view(launch, c->y);
    nn__opencl_view(launch, c->source);
    nn__opencl_view(launch, &a->weight);
    nn__opencl_view(launch, &a->epilogue.bias);
    nn__opencl_conv_axes(launch, c);
    nn__opencl_conv_weight_steps(launch, c);
    {
        const int32_t numbers[] = {c->h.place * c->y_width + c->w.place,
                                   c->h.place_step * c->y_width, c->w.place_step, c->y_plane};
        nn__opencl_conv_ints(launch, numbers, 4);
    }
    nn__opencl_conv_division(launch, places);
    nn__opencl_conv_division(launch, across);
    nn__opencl_conv_division(launch, c->h.taps * c->w.taps);
    nn__opencl_conv_division(launch, c->w.taps);
    nn__opencl_int(launch, first);
    nn__opencl_int(launch, a->accumulate ? 1 : 0);
    nn__opencl_int(launch, (int32_t)a->epilogue.activation);
    nn__opencl_conv_block_arguments(launch, c);
}

