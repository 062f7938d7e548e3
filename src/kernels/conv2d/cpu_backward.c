/* kernels/conv2d/cpu_backward.c - the gradient of a convolution's input, as tiled products over the
   bands of kernels/conv2d/cpu.c: a forward with dy as the image, and with a stride above 1 one
   forward for each class of taps. */
#include "kernels/conv2d/cpu.h"
#include "kernels/conv2d/cpu_panel.h"
#include "kernels/conv2d/cpu_winograd.h"

/* A position of dx receives dy through the taps whose distance from it is a multiple of the stride.
   Along an axis, the taps first, first + every, ... reach the same positions: those of one
   remainder modulo the stride. Taps form `every` such classes (or fewer, if there are fewer taps),
   and for each pair of classes there is one convolution of dy with a part of the kernel. Positions
   that no tap reaches are cleared beforehand. So the work depends on the kernel and the image,
   however large the stride is. Phase 0 clears dx where needed and sorts the weights: per pair of
   classes (group, C, K, taps). */

static int nn__conv_every(int stride, int dilation) {
    int a = stride, b = dilation;
    while (b) { /* greatest common divisor */
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return stride / a;
}

static int nn__conv_classes(int taps, int stride, int dilation) {
    return nn__mini(taps, nn__conv_every(stride, dilation));
}

/* first: the class's first tap. */
static nn__conv_axis nn__conv_backward_axis(int source, int whole, int taps, int stride,
                                            int padding, int dilation, int first) {
    const int every = nn__conv_every(stride, dilation);
    const int64_t distance = (int64_t)padding - (int64_t)first * dilation,
                  rest = -distance % stride;
    const int64_t place = rest < 0 ? rest + stride : rest;
    nn__conv_axis axis;
    memset(&axis, 0, sizeof axis);
    axis.source = source;
    axis.whole = whole;
    axis.outputs = place < whole ? (int)((whole - 1 - place) / stride) + 1 : 0;
    axis.stride = 1;
    axis.place = (int)place;
    axis.place_step = stride;
    axis.weight = first;
    axis.weight_step = every;
    axis.taps = (taps - 1 - first) / every + 1;
    axis.first = (int)((place + distance) / stride);
    axis.step = -(int)((int64_t)every * dilation / stride);
    nn__conv_finish_axis(&axis);
    return axis;
}

static int nn__conv_classes_w(const nn_conv2d_params *p) {
    return nn__conv_classes(p->kernel_w, p->stride_w, p->dilation_w);
}
NN_PRIVATE int nn__conv_pairs(const nn_conv2d_params *p) {
    return nn__conv_classes(p->kernel_h, p->stride_h, p->dilation_h) * nn__conv_classes_w(p);
}

/* Returns the floats between the sorted weights of two channels of x: an odd number, so that they
   map to different cache sets. */
static size_t nn__conv_sorted_row(int channels, int taps_h, int taps_w) {
    return (size_t)channels * (size_t)taps_h * (size_t)taps_w | 1;
}

/* Returns the floats of the first `before` classes of an axis. The first `longer` classes have one
   tap more than the others. */
static size_t nn__conv_sorted_before(int before, int longer, size_t with_longer,
                                     size_t with_shorter) {
    const int many = nn__mini(before, longer);
    return (size_t)many * with_longer + (size_t)(before - many) * with_shorter;
}

/* Returns the floats in shared before the weights of pair `pair`; of all weights if `pair` is the
   number of pairs. */
static size_t nn__conv_sorted_at(const nn_conv2d_args *g, int pair) {
    const nn_conv2d_params *p = &g->params;
    const int every_h = nn__conv_every(p->stride_h, p->dilation_h),
              every_w = nn__conv_every(p->stride_w, p->dilation_w), wide = nn__conv_classes_w(p);
    const int most_h = (p->kernel_h - 1) / every_h + 1, longer_h = (p->kernel_h - 1) % every_h + 1;
    const int most_w = (p->kernel_w - 1) / every_w + 1, longer_w = (p->kernel_w - 1) % every_w + 1;
    const int channels = g->y.shape.extent[1] / p->groups, i = pair / wide, j = pair % wide;
    size_t line[2]; /* a class of rows with all classes of columns: with most taps, and with one
                       less */
    for (int less = 0; less < 2; less++)
        line[less] = nn__conv_sorted_before(
            wide, longer_w, nn__conv_sorted_row(channels, most_h - less, most_w),
            nn__conv_sorted_row(channels, most_h - less, most_w - 1));
    const int taps_h = i < longer_h ? most_h : most_h - 1;
    const size_t rows =
        nn__conv_sorted_before(i, longer_h, line[0], line[1]) +
        nn__conv_sorted_before(j, longer_w, nn__conv_sorted_row(channels, taps_h, most_w),
                               nn__conv_sorted_row(channels, taps_h, most_w - 1));
    return (size_t)g->x.shape.extent[1] * rows;
}

NN_PRIVATE nn__conv nn__conv_backward_geometry(const nn_conv2d_args *g, int pair) {
    const nn_conv2d_params *p = &g->params;
    nn__conv conv;
    conv.groups = p->groups;
    conv.images = g->x.shape.extent[0];
    conv.channels = g->y.shape.extent[1] / p->groups;
    conv.rows = g->x.shape.extent[1] / p->groups;
    conv.h =
        nn__conv_backward_axis(g->y.shape.extent[2], g->x.shape.extent[2], p->kernel_h, p->stride_h,
                               p->padding_h, p->dilation_h, pair / nn__conv_classes_w(p));
    conv.w =
        nn__conv_backward_axis(g->y.shape.extent[3], g->x.shape.extent[3], p->kernel_w, p->stride_w,
                               p->padding_w, p->dilation_w, pair % nn__conv_classes_w(p));
    conv.row = conv.w.outputs + conv.w.reach;
#ifndef NN_NO_SIMD
    conv.keep = NN_KEEP_NOT;
#endif
    return conv;
}

static ptrdiff_t nn__conv_backward_row(const nn__conv *conv) {
    return (ptrdiff_t)nn__conv_sorted_row(conv->channels, conv->h.taps, conv->w.taps);
}

static size_t nn__conv2d_backward_input_shared(const nn__cpu *cpu, const void *args) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    (void)cpu;
    NN__IF_DEPTHWISE(cpu, g, return 0);
    NN__IF_WINOGRAD_BACK(cpu, g, conv, return nn__winograd_shared(cpu, &conv));
    NN__IF_PANELS_BACK(cpu, g, return nn__panel_back_shared(cpu, g));
    return nn__conv_sorted_at(g, nn__conv_pairs(&g->params)) * sizeof(float);
}

/* Sorts the weights of one channel of x. */
static void nn__conv_sort_weights(const nn_conv2d_args *g, int channel, float *to) {
    const nn_conv2d_params *p = &g->params;
    const ptrdiff_t kernel = (ptrdiff_t)p->kernel_h * p->kernel_w;
    for (int e = 0; e < nn__conv_pairs(p); e++) {
        const nn__conv conv = nn__conv_backward_geometry(g, e);
        float *row =
            to + nn__conv_sorted_at(g, e) + (size_t)channel * (size_t)nn__conv_backward_row(&conv);
        const int group = channel / conv.rows, c = channel % conv.rows;
        for (int k = 0; k < conv.channels; k++) {
            const float *from = nn__f32(&g->weight) +
                                ((ptrdiff_t)(group * conv.channels + k) * conv.rows + c) * kernel;
            for (int i = 0; i < conv.h.taps; i++)
                for (int j = 0; j < conv.w.taps; j++)
                    *row++ = from[(conv.h.weight + i * conv.h.weight_step) * p->kernel_w +
                                  conv.w.weight + j * conv.w.weight_step];
        }
    }
}

NN_PRIVATE bool nn__conv_leaves_gaps(const nn_conv2d_args *g) {
    const nn_conv2d_params *p = &g->params;
    return !g->accumulate &&
           (nn__conv_classes(p->kernel_h, p->stride_h, p->dilation_h) != p->stride_h ||
            nn__conv_classes_w(p) != p->stride_w);
}

NN_PRIVATE void nn__conv_clear_plane(const nn__cpu *cpu, const nn_conv2d_args *g, int channel,
                                     float *plane) {
    const size_t count = (size_t)g->x.shape.extent[2] * (size_t)g->x.shape.extent[3];
    const nn__activate activate = cpu->activations[g->epilogue.activation];
    float value = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias)[channel] : 0;
    if (activate) activate(&value, 1);
    for (size_t i = 0; i < count; i++) plane[i] = value;
}

/* Clears one channel of dx in all images. */
NN_PRIVATE void nn__conv_clear_channel(const nn__cpu *cpu, const nn_conv2d_args *g, int channel) {
    const int32_t *x = g->x.shape.extent;
    if (!nn__conv_leaves_gaps(g)) return;
    for (int n = 0; n < x[0]; n++)
        nn__conv_clear_plane(cpu, g, channel,
                             nn__f32(&g->x) +
                                 ((ptrdiff_t)n * x[1] + channel) * x[2] * x[3]);
}

/* Every pair of classes gets as many units as the one that needs most. */
static int nn__conv2d_backward_input_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    const int pairs = nn__conv_pairs(&g->params);
    int most = 0;
    NN__IF_FLAT(cpu, g, return cpu->depthwise->flat_units(cpu, g, phase));
    NN__IF_DEPTHWISE(cpu, g, return cpu->depthwise->units(cpu, g, phase));
    NN__IF_WINOGRAD_BACK(cpu, g, conv, return nn__winograd_units(cpu, &conv, phase));
    if (phase > 1) return 0;
    NN__IF_PANELS_BACK(cpu, g, return nn__panel_back_units(cpu, g, phase));
    if (phase == 0) return g->x.shape.extent[1];
    for (int e = 0; e < pairs; e++) {
        const nn__conv conv = nn__conv_backward_geometry(g, e);
        if (conv.h.outputs == 0 || conv.w.outputs == 0) continue;
        const nn__conv_cut cut = nn__conv_make_cut(cpu, &conv, nn__conv_backward_row(&conv));
        most = nn__maxi(most, conv.images * conv.groups * cut.bands * cut.parts);
    }
    return most * pairs;
}

static void nn__conv2d_backward_input_unit(const nn__cpu *cpu, const void *args, int phase,
                                           int unit, void *shared, void *own) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    const int pairs = nn__conv_pairs(&g->params), pair = unit % pairs, index = unit / pairs;
    nn__conv_job job;
    NN__IF_FLAT(cpu, g, {
        cpu->depthwise->flat_unit(cpu, g, unit, true, own);
        return;
    });
    NN__IF_DEPTHWISE(cpu, g, {
        cpu->depthwise->input_unit(cpu, g, unit, own);
        return;
    });
    NN__IF_WINOGRAD_BACK(cpu, g, conv, {
        const nn__conv_job whole = nn__conv_whole_job(cpu, g, &g->y, &g->x);
        nn__winograd_unit(cpu, &conv, &whole, phase, unit, (float *)shared, own);
        return;
    });
    NN__IF_PANELS_BACK(cpu, g, {
        nn__panel_back_unit(cpu, g, phase, unit, (float *)shared, own);
        return;
    });
    if (phase == 0) nn__conv_clear_channel(cpu, g, unit);
    if (phase == 0) {
        nn__conv_sort_weights(g, unit, (float *)shared);
        return;
    }
    const nn__conv conv = nn__conv_backward_geometry(g, pair);
    if (conv.h.outputs == 0 || conv.w.outputs == 0) return;
    const nn__conv_cut cut = nn__conv_make_cut(cpu, &conv, nn__conv_backward_row(&conv));
    const int part = index % cut.parts, band = index / cut.parts % cut.bands,
              block = index / cut.parts / cut.bands;
    if (block >= conv.images * conv.groups) return;
    memset(&job, 0, sizeof job);
    job.x = nn__f32(&g->y) + (ptrdiff_t)block * conv.channels * conv.h.source * conv.w.source;
    job.y = nn__f32(&g->x) + (ptrdiff_t)block * conv.rows * conv.h.whole * conv.w.whole;
    job.weight_row = nn__conv_backward_row(&conv);
    job.weight = (const float *)shared + nn__conv_sorted_at(g, pair) +
                 (size_t)(block % conv.groups) * (size_t)conv.rows * (size_t)job.weight_row;
    job.bias = nn__present(&g->epilogue.bias)
                   ? nn__f32(&g->epilogue.bias) + (ptrdiff_t)(block % conv.groups) * conv.rows
                   : NULL;
    job.activate = cpu->activations[g->epilogue.activation];
    job.accumulate = g->accumulate;
    nn__conv_run(&conv, &cut, &job, band, part, own);
}

static size_t nn__conv2d_backward_input_own(const nn__cpu *cpu, const void *args) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    size_t bytes = 0;
    NN__IF_FLAT(cpu, g, return cpu->depthwise->flat_own(cpu, g));
    NN__IF_DEPTHWISE(cpu, g, return cpu->depthwise->input_own(cpu, g));
    NN__IF_WINOGRAD_BACK(cpu, g, conv, return nn__winograd_own(cpu, &conv));
    NN__IF_PANELS_BACK(cpu, g, return nn__panel_back_own(cpu, g));
    for (int e = 0; e < nn__conv_pairs(&g->params); e++) {
        const nn__conv conv = nn__conv_backward_geometry(g, e);
        if (conv.h.outputs == 0 || conv.w.outputs == 0) continue;
        const nn__conv_cut cut = nn__conv_make_cut(cpu, &conv, nn__conv_backward_row(&conv));
        const size_t wanted = nn__conv_own_bytes(&cut);
        bytes = bytes > wanted ? bytes : wanted;
    }
    return bytes;
}

static const char *nn__conv2d_backward_input_refuses(const nn__cpu *cpu, const void *args) {
    return nn__refuses_activation(cpu, ((const nn_conv2d_args *)args)->epilogue.activation);
}

static const nn__cpu_kernel nn__conv2d_backward_input_kernel = {
    nn__conv2d_backward_input_units, nn__conv2d_backward_input_unit,
    nn__conv2d_backward_input_shared, nn__conv2d_backward_input_own,
    nn__conv2d_backward_input_refuses};

NN_PRIVATE void nn__install_conv2d_input(nn_context *nn) {
    NN__CPU_INSTALL(nn, CONV2D_BACKWARD_INPUT, conv2d_backward_input,
                    &nn__conv2d_backward_input_kernel);
    NN__INSTALL_CONV2D_WAY(nn);
}

NN_PRIVATE void nn__install_conv_transpose(nn_context *nn) {
    nn__install_conv2d_input(nn);
    NN__INSTALL_DEPTHWISE(nn);
}
