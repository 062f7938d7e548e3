/* kernels/conv2d/opencl.h - the geometry of a convolution as the kernels see it: which output reads which place of the
   source through which tap, for forward and for every remainder of backward_input. Pure functions, no launches. */
#pragma once

#include "opencl/private.h"

/* ---- geometry: one axis, then both ----------------------------------------------------------- */

/* Output o reads, through tap i, the source at o stride + first + i step. Tap i is the weight's weight + i
   weight_step. */
typedef struct nn__opencl_conv_axis {
    int32_t source, outputs, taps, first, step, stride, weight, weight_step;
    int32_t place, place_step;   /* output o stands at place + o place_step */
    int32_t low, phases, packed; /* of the packed source: its first place, remainders, extent */
} nn__opencl_conv_axis;

typedef struct nn__opencl_conv {
    nn__opencl_conv_axis h, w;
    int32_t images, groups, channels, rows; /* channels and rows: per group */
    int32_t w_group, w_row, w_channel, w_width, y_width, y_plane;
    const nn_view *y, *source;
} nn__opencl_conv;

typedef enum nn__opencl_conv_way {
    NN__OPENCL_CONV_FORWARD,
    NN__OPENCL_CONV_INPUT,
    NN__OPENCL_CONV_WEIGHT
} nn__opencl_conv_way;

static NN__OPENCL_UNUSED nn__opencl_conv_axis nn__opencl_conv_forward_axis(int32_t source, int32_t outputs,
                                                                           int32_t taps, int32_t stride,
                                                                           int32_t padding,
                                                                           int32_t dilation) {
    const int32_t reach = (taps - 1) * dilation;
    nn__opencl_conv_axis axis;
    memset(&axis, 0, sizeof axis);
    axis.source = source;
    axis.outputs = outputs;
    axis.taps = taps;
    axis.first = axis.low = -padding;
    axis.step = dilation;
    axis.stride = stride;
    axis.weight_step = axis.place_step = 1;
    axis.phases = stride < reach + 1 ? stride : reach + 1;
    axis.packed = outputs + reach / stride;
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

/* dx at places `remainder`, remainder + stride, ...: which taps reach them, and where in dy. */
static NN__OPENCL_UNUSED nn__opencl_conv_axis nn__opencl_conv_remainder(int32_t x, int32_t dy, int32_t taps,
                                                                        int32_t stride, int32_t padding,
                                                                        int32_t dilation, int32_t remainder) {
    const int32_t every = stride / nn__opencl_conv_divisor(stride, dilation);
    int32_t tap = 0;
    nn__opencl_conv_axis axis;
    memset(&axis, 0, sizeof axis);
    axis.source = dy;
    axis.outputs = remainder < x ? (x - remainder + stride - 1) / stride : 0;
    axis.stride = axis.phases = 1;
    axis.place = remainder;
    axis.place_step = stride;
    while (tap < taps && (remainder + padding - tap * dilation) % stride != 0) tap++;
    if (tap == taps) return axis;
    axis.taps = (taps - 1 - tap) / every + 1;
    axis.first = (remainder + padding - tap * dilation) / stride;
    axis.step = -(every * dilation / stride);
    axis.weight = tap;
    axis.weight_step = every;
    return axis;
}

/* One remainder's axis, with the packing that serves all of them. */
static NN__OPENCL_UNUSED nn__opencl_conv_axis nn__opencl_conv_input_axis(int32_t x, int32_t dy, int32_t taps,
                                                                         int32_t stride, int32_t padding,
                                                                         int32_t dilation,
                                                                         int32_t remainder) {
    nn__opencl_conv_axis axis = nn__opencl_conv_remainder(x, dy, taps, stride, padding, dilation, remainder),
                         other;
    int32_t i, low = 0, high = 0;
    bool any = false;
    for (i = 0; i < stride; i++) {
        other = nn__opencl_conv_remainder(x, dy, taps, stride, padding, dilation, i);
        if (other.taps == 0 || other.outputs == 0) continue;
        if (!any || other.first > high) high = other.first;
        if (!any || other.first + (other.taps - 1) * other.step < low)
            low = other.first + (other.taps - 1) * other.step;
        any = true;
    }
    axis.low = low;
    axis.packed = (x + stride - 1) / stride + high - low;
    return axis;
}

/* The product of forward (and the geometry of backward_weight), or the one of a remainder in
   backward_input. */
static NN__OPENCL_UNUSED nn__opencl_conv nn__opencl_conv_of(const nn_conv2d_args *a, nn__opencl_conv_way way,
                                                            int32_t remainder) {
    const nn_conv2d_params *p = &a->params;
    const int32_t *x = a->x.shape.extent, *y = a->y.shape.extent;
    const int32_t inputs = x[1] / p->groups, outputs = y[1] / p->groups, taps = p->kernel_h * p->kernel_w;
    nn__opencl_conv c;
    memset(&c, 0, sizeof c);
    c.images = x[0];
    c.groups = p->groups;
    c.w_width = p->kernel_w;
    c.w_group = outputs * inputs * taps;
    if (way == NN__OPENCL_CONV_INPUT) {
        c.h = nn__opencl_conv_input_axis(x[2], y[2], p->kernel_h, p->stride_h, p->padding_h, p->dilation_h,
                                         remainder / p->stride_w);
        c.w = nn__opencl_conv_input_axis(x[3], y[3], p->kernel_w, p->stride_w, p->padding_w, p->dilation_w,
                                         remainder % p->stride_w);
        c.channels = outputs;
        c.rows = inputs;
        c.w_row = taps;
        c.w_channel = inputs * taps;
        c.y = &a->x;
        c.source = &a->y;
    } else {
        c.h = nn__opencl_conv_forward_axis(x[2], y[2], p->kernel_h, p->stride_h, p->padding_h, p->dilation_h);
        c.w = nn__opencl_conv_forward_axis(x[3], y[3], p->kernel_w, p->stride_w, p->padding_w, p->dilation_w);
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

static NN__OPENCL_UNUSED int32_t nn__opencl_conv_remainders(const nn_conv2d_args *a,
                                                            nn__opencl_conv_way way) {
    return way == NN__OPENCL_CONV_INPUT ? a->params.stride_h * a->params.stride_w : 1;
}
static NN__OPENCL_UNUSED int32_t nn__opencl_conv_depth(const nn__opencl_conv *c) {
    return c->channels * c->h.taps * c->w.taps;
}
static NN__OPENCL_UNUSED int64_t nn__opencl_conv_work(const nn__opencl_conv *c) {
    return (int64_t)c->images * c->groups * c->rows * c->h.outputs * c->w.outputs * nn__opencl_conv_depth(c);
}
static NN__OPENCL_UNUSED int32_t nn__opencl_conv_plane(const nn__opencl_conv *c) {
    return c->h.phases * c->w.phases * c->h.packed * c->w.packed;
}
static NN__OPENCL_UNUSED int32_t nn__opencl_conv_slack(const nn__opencl_conv *c) {
    return c->w.packed + 64;
} /* a vector may read so far beyond */
static NN__OPENCL_UNUSED uint64_t nn__opencl_conv_aligned(uint64_t floats) {
    return (floats * 4 + 63) / 64 * 64;
}
