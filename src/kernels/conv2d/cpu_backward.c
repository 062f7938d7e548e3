/* kernels/conv2d/cpu_backward.c - the gradients of a convolution, as products of tiles over the
   bands of kernels/conv2d/cpu.c:
     backward_input   a forward with dy as the image; for a stride above 1, once per class of taps
     backward_weight  dweight^T (C R S, K)  =  band (C R S, outputs)  x  dy^T (outputs, K), and
                      dbias */
#include "kernels/conv2d/cpu.h"
#include "kernels/conv2d/cpu_panel.h"
#include "kernels/conv2d/cpu_winograd.h"

/* ---- backward_input -------------------------------------------------------------------------

   A place of dx gets dy through those taps whose distance from it is a multiple of the stride.
   Along an axis the taps `first`, first + every, ... reach the same places: one remainder modulo
   the stride. Taps fall into `every` such classes (fewer, when there are fewer taps), and for each
   pair of classes there is one convolution of dy with a part of the kernel. Places that no tap
   reaches are cleared beforehand, so the work depends on the kernel and on the picture, however
   large the stride is. Phase 0 clears dx where needed and sorts the weights: per pair of classes
   (group, C, K, taps). */

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

/* Floats between the sorted weights of two channels of x: an odd number, so that they do not meet
   in one set of the cache. */
static size_t nn__conv_sorted_row(int channels, int taps_h, int taps_w) {
    return (size_t)channels * (size_t)taps_h * (size_t)taps_w | 1;
}

/* Floats of the first `before` classes of an axis, when a class with n taps has long or short of
   them: the first ones have one tap more. */
static size_t nn__conv_sorted_before(int before, int longer, size_t with_longer,
                                     size_t with_shorter) {
    const int many = nn__mini(before, longer);
    return (size_t)many * with_longer + (size_t)(before - many) * with_shorter;
}

/* Floats in shared before the weights of pair `pair`; of all, when it is the number of pairs. */
static size_t nn__conv_sorted_at(const nn_conv2d_args *g, int pair) {
    const nn_conv2d_params *p = &g->params;
    const int every_h = nn__conv_every(p->stride_h, p->dilation_h),
              every_w = nn__conv_every(p->stride_w, p->dilation_w), wide = nn__conv_classes_w(p);
    const int most_h = (p->kernel_h - 1) / every_h + 1, longer_h = (p->kernel_h - 1) % every_h + 1;
    const int most_w = (p->kernel_w - 1) / every_w + 1, longer_w = (p->kernel_w - 1) % every_w + 1;
    const int channels = g->y.shape.extent[1] / p->groups, i = pair / wide, j = pair % wide;
    size_t line[2]; /* a class of rows with all classes of columns: with most taps, with one less */
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
    NN__IF_DEPTHWISE(g, return 0);
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

/* One channel of dx in all images. */
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
    NN__IF_FLAT(cpu, g, return nn__flat_units(cpu, g, phase));
    NN__IF_DEPTHWISE(g, return nn__depthwise_units(g, phase));
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
        nn__flat_unit(cpu, g, unit, true, own);
        return;
    });
    NN__IF_DEPTHWISE(g, {
        nn__depthwise_input_unit(cpu, g, unit, own);
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
    NN__IF_FLAT(cpu, g, return nn__flat_own(cpu, g));
    NN__IF_DEPTHWISE(g, return nn__depthwise_input_own(g));
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

NN_PRIVATE void nn__install_conv_transpose(nn_context *nn) {
    NN__CPU_INSTALL(nn, CONV2D_BACKWARD_INPUT, conv2d_backward_input,
                    &nn__conv2d_backward_input_kernel);
    NN__INSTALL_CONV2D_WAY(nn);
}

#ifndef NN_NO_TRAINING
#define NN__IF_FLAT_WEIGHT(cpu, g, action)                                                         \
    NN__IF_FLAT(cpu, g, if (nn__present(&(g)->weight)) action)
/* ---- backward_weight ------------------------------------------------------------------------

   All bands of all images, in order, are dealt to a number of pieces that depends on the shape;
   each piece's sum lies in shared as (piece, group, C R S + 1, K); the last row is dbias, the
   product with a row of ones. Phase 1 adds the pieces. */

typedef struct nn__conv_sums {
    nn__conv conv;
    const nn__gemm_set *set;
    int outputs, bands, pieces;
    int step, parts; /* channels of a unit; units per piece and group */
    int rows;        /* C R S + 1 */
    ptrdiff_t plane, channel, dy_row, sum_row;
    size_t offset_floats, band_floats, ones_floats, dy_floats;
} nn__conv_sums;

#define NN__CONV_SUMS (1024 * 1024) /* floats of all pieces, about */

static nn__conv_sums nn__conv_make_sums(const nn__cpu *cpu, const nn_conv2d_args *g) {
    nn__conv_sums s;
    memset(&s, 0, sizeof s);
    s.conv = nn__conv_forward_geometry(g);
    s.set = nn__gemm_set_of(cpu);
    s.outputs = nn__conv_band_rows(&s.conv, s.conv.h.outputs);
    s.bands = nn__ceil_div(s.conv.h.outputs, s.outputs);
    const int taps = s.conv.h.taps * s.conv.w.taps, flat = s.outputs * s.conv.row;
    s.rows = s.conv.channels * taps + 1;
    s.plane = nn__conv_plane(&s.conv, s.outputs);
    s.channel = nn__conv_channel(&s.conv, s.outputs);
    s.step = nn__conv_step(&s.conv, s.outputs, 320);
    s.parts = nn__ceil_div(s.conv.channels, s.step);
    s.sum_row = (ptrdiff_t)nn__align_up((size_t)s.conv.rows, 16);
    s.dy_row = nn__spread(s.conv.rows);
    const int64_t fit = NN__CONV_SUMS / ((int64_t)s.rows * s.sum_row * s.conv.groups);
    const int64_t bands = (int64_t)s.conv.images * s.bands,
                  wanted = NN__CONV_UNITS / ((int64_t)s.parts * s.conv.groups);
    s.pieces = (int)nn__max64(1, nn__min64(bands, nn__min64(fit, wanted)));
    s.offset_floats = nn__align_up((size_t)s.step * (size_t)taps + 1, 16);
    s.band_floats = (size_t)s.channel * (size_t)s.step;
    s.ones_floats = nn__align_up((size_t)flat, 16);
    s.dy_floats = (size_t)s.dy_row * (size_t)flat;
    return s;
}

static size_t nn__conv2d_backward_weight_own(const nn__cpu *cpu, const void *args) {
    NN__IF_FLAT_WEIGHT(cpu, (const nn_conv2d_args *)args,
                       return nn__flat_own(cpu, (const nn_conv2d_args *)args));
    NN__IF_DEPTHWISE((const nn_conv2d_args *)args,
                     return nn__depthwise_weight_own((const nn_conv2d_args *)args));
    NN__IF_WINOGRAD_WEIGHT(cpu, (const nn_conv2d_args *)args,
                           return nn__winograd_weight_own(cpu, (const nn_conv2d_args *)args));
    NN__IF_DOTS(cpu, (const nn_conv2d_args *)args,
                return nn__dots_own((const nn_conv2d_args *)args));
    NN__IF_FEW(cpu, (const nn_conv2d_args *)args,
               return nn__few_own(cpu, (const nn_conv2d_args *)args));
    NN__IF_PANELS_WEIGHT(cpu, (const nn_conv2d_args *)args,
                         return nn__panel_weight_own(cpu, (const nn_conv2d_args *)args));
    const nn__conv_sums s = nn__conv_make_sums(cpu, (const nn_conv2d_args *)args);
    return (s.offset_floats + s.band_floats + s.ones_floats + s.dy_floats +
            nn__align_up(s.ones_floats, 16)) *
           sizeof(float);
}

static size_t nn__conv2d_backward_weight_shared(const nn__cpu *cpu, const void *args) {
    NN__IF_DEPTHWISE((const nn_conv2d_args *)args, return 0);
    NN__IF_WINOGRAD_WEIGHT(cpu, (const nn_conv2d_args *)args,
                           return nn__winograd_weight_shared(cpu, (const nn_conv2d_args *)args));
    NN__IF_DOTS(cpu, (const nn_conv2d_args *)args,
                return nn__dots_shared((const nn_conv2d_args *)args));
    NN__IF_FEW(cpu, (const nn_conv2d_args *)args,
               return nn__few_shared(cpu, (const nn_conv2d_args *)args));
    NN__IF_PANELS_WEIGHT(cpu, (const nn_conv2d_args *)args,
                         return nn__panel_weight_shared(cpu, (const nn_conv2d_args *)args));
    const nn__conv_sums s = nn__conv_make_sums(cpu, (const nn_conv2d_args *)args);
    return (size_t)s.pieces * (size_t)s.conv.groups * (size_t)s.rows * (size_t)s.sum_row *
           sizeof(float);
}

static int nn__conv2d_backward_weight_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    NN__IF_FLAT_WEIGHT(cpu, g, return nn__flat_weight_units(cpu, g, phase));
    NN__IF_DEPTHWISE(g, return nn__depthwise_weight_units(g, phase));
    NN__IF_WINOGRAD_WEIGHT(cpu, g, return nn__winograd_weight_units(cpu, g, phase));
    NN__IF_DOTS(cpu, g, return nn__dots_units(g, phase));
    NN__IF_FEW(cpu, g, return nn__few_units(cpu, g, phase));
    NN__IF_PANELS_WEIGHT(cpu, g, return nn__panel_weight_units(cpu, g, phase));
    if (phase > 1) return 0;
    const nn__conv_sums s = nn__conv_make_sums(cpu, g);
    if (phase == 0) return s.pieces * s.conv.groups * s.parts;
    return s.conv.groups * nn__mini(NN__CONV_UNITS, nn__ceil_div(s.rows, 16));
}

static void nn__conv_sum_piece(const nn__conv_sums *s, const nn_conv2d_args *g, int unit,
                               float *shared, void *own) {
    const nn__conv *conv = &s->conv;
    const int part = unit % s->parts, group = unit / s->parts % conv->groups,
              piece = unit / s->parts / conv->groups;
    const int taps = conv->h.taps * conv->w.taps, c = part * s->step,
              channels = nn__mini(s->step, conv->channels - c);
    const int64_t bands = (int64_t)conv->images * s->bands;
    const int from = (int)(bands * piece / s->pieces), to = (int)(bands * (piece + 1) / s->pieces);
    const int height = conv->h.outputs, width = conv->w.outputs, row = conv->row;
    const ptrdiff_t y_plane = (ptrdiff_t)height * width,
                    image = (ptrdiff_t)conv->h.source * conv->w.source;
    const bool with_weight = nn__present(&g->weight),
               with_bias = part == s->parts - 1 && nn__present(&g->epilogue.bias);
    int32_t *offset = (int32_t *)own;
    float *band = (float *)own + s->offset_floats, *ones = band + s->band_floats,
          *dy = ones + s->ones_floats;
    int32_t *dy_offset = (int32_t *)(void *)(dy + s->dy_floats);
    nn__product p;
    if (!with_weight && !with_bias) return;
    memset(&p, 0, sizeof p);
    nn__conv_fill_offsets(conv, channels, s->plane, s->channel, offset);
    offset[channels * taps] = (int32_t)(ones - band);
    for (int i = 0; i < s->outputs * row; i++) {
        ones[i] = 1;
        dy_offset[i] = (int32_t)(i * s->dy_row);
        if (i % row >= width) memset(dy + i * s->dy_row, 0, (size_t)conv->rows * sizeof(float));
    }
    p.a = band;
    p.a_step = 1;
    p.a_offset = with_weight ? offset : offset + channels * taps;
    p.b = dy;
    p.b_offset = dy_offset;
    p.rows = (with_weight ? channels * taps : 0) + with_bias;
    p.columns = conv->rows;
    p.y = shared + ((ptrdiff_t)(piece * conv->groups + group) * s->rows +
                    (with_weight ? c * taps : s->rows - 1)) *
                       s->sum_row;
    p.y_row = s->sum_row;
    for (int e = from; e < to; e++, p.add = true) {
        const int t = e % s->bands * s->outputs, outputs = nn__mini(s->outputs, height - t);
        const ptrdiff_t block = (ptrdiff_t)(e / s->bands) * conv->groups + group;
        const float *y = nn__f32(&g->y) + block * conv->rows * y_plane + (ptrdiff_t)t * width;
        const float *x = nn__f32(&g->x) + (block * conv->channels + c) * image;
        for (int q = 0; q < outputs; q++)
            s->set->transpose(dy + (ptrdiff_t)q * row * s->dy_row, s->dy_row,
                              y + (ptrdiff_t)q * width, y_plane, conv->rows, width);
        if (with_weight)
            nn__conv_fill_band(s->set, conv, x, channels, t, outputs, band, s->plane, s->channel);
        p.depth = (outputs - 1) * row + width;
        nn__multiply_tiles(s->set, &p);
    }
}

/* Adds the pieces in ascending order, and turns (C R S, K) into (K, C R S). */
static void nn__conv_add_pieces(const nn__conv_sums *s, const nn_conv2d_args *g, int unit,
                                const float *shared) {
    const nn__conv *conv = &s->conv;
    const int units = nn__mini(NN__CONV_UNITS, nn__ceil_div(s->rows, 16)), group = unit / units,
              block = unit % units;
    const int from = (int)((int64_t)s->rows * block / units),
              to = (int)((int64_t)s->rows * (block + 1) / units);
    const ptrdiff_t piece = (ptrdiff_t)conv->groups * s->rows * s->sum_row;
    for (int k = 0; k < conv->rows; k++) {
        const ptrdiff_t channel = (ptrdiff_t)group * conv->rows + k;
        for (int i = from; i < to; i++) {
            const nn_view *view = i == s->rows - 1 ? &g->epilogue.bias : &g->weight;
            if (!nn__present(view)) continue;
            const float *sum = shared + ((ptrdiff_t)group * s->rows + i) * s->sum_row + k;
            float *y = nn__f32(view) + (i == s->rows - 1 ? channel : channel * (s->rows - 1) + i);
            float value = *sum;
            for (int e = 1; e < s->pieces; e++) value += sum[e * piece];
            *y = g->accumulate ? *y + value : value;
        }
    }
}

static void nn__conv2d_backward_weight_unit(const nn__cpu *cpu, const void *args, int phase,
                                            int unit, void *shared, void *own) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    NN__IF_FLAT_WEIGHT(cpu, g, {
        nn__flat_weight_unit(cpu, g, unit, own);
        return;
    });
    NN__IF_DEPTHWISE(g, {
        nn__depthwise_weight_unit(cpu, g, unit, own);
        return;
    });
    NN__IF_WINOGRAD_WEIGHT(cpu, g, {
        nn__winograd_weight_unit(cpu, g, phase, unit, (float *)shared, own);
        return;
    });
    NN__IF_DOTS(cpu, g, {
        nn__dots_unit(cpu, g, phase, unit, (float *)shared, own);
        return;
    });
    NN__IF_FEW(cpu, g, {
        nn__few_unit(cpu, g, phase, unit, (float *)shared, own);
        return;
    });
    NN__IF_PANELS_WEIGHT(cpu, g, {
        nn__panel_weight_unit(cpu, g, phase, unit, (float *)shared, own);
        return;
    });
    const nn__conv_sums s = nn__conv_make_sums(cpu, g);
    if (phase == 0)
        nn__conv_sum_piece(&s, g, unit, (float *)shared, own);
    else
        nn__conv_add_pieces(&s, g, unit, (const float *)shared);
}

static const nn__cpu_kernel nn__conv2d_backward_weight_kernel = {
    nn__conv2d_backward_weight_units, nn__conv2d_backward_weight_unit,
    nn__conv2d_backward_weight_shared, nn__conv2d_backward_weight_own, NULL};
#undef NN__CONV_SUMS

NN_PRIVATE void nn__install_conv2d_backward(nn_context *nn) {
    nn__install_conv_transpose(nn);
    NN__CPU_INSTALL(nn, CONV2D_BACKWARD_WEIGHT, conv2d_backward_weight,
                    &nn__conv2d_backward_weight_kernel);
#ifndef NN_NO_SIMD
    nn__install_shard_conv2d(nn);
#endif
}
#endif /* NN_NO_TRAINING */
