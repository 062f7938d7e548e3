/* cpu/conv2d.c - convolutions as products of tiles that read the image itself.

   A unit copies a band of the image (some rows of some channels, zeros around it, columns and rows sorted by
   their remainder modulo the stride) so that every tap of the kernel sees its inputs for consecutive outputs
   side by side. Counting outputs along the band's rows, the few at the end of a row that belong to the
   padding are computed and dropped. Then
     forward          y (K, outputs)         = weight (K, C R S)  x  band (C R S, outputs)
     backward_input   the same, with dy as the image; for a stride above 1, once per remainder of dx's place
     backward_weight  dweight^T (C R S, K)   = band (C R S, outputs)  x  dy^T (outputs, K)
   No column matrix exists. Read cpu/gemm.c first. */
#include "cpu/gemm.h"

#define NN__CONV_RUN   256         /* outputs of a band, about */
#define NN__CONV_BAND  (64 * 1024) /* floats of a band, about */
#define NN__CONV_UNITS 32          /* as many as keep 16 workers busy */

/* ---- geometry: one axis, then both ----------------------------------------------------------- */

/* Output t reads, through tap i, the source at t * stride + first + i * step, if that lies inside. */
typedef struct nn__conv_axis {
    int source, outputs; /* extents */
    int taps, first, step, stride;
    int low, reach;               /* the lowest tap's `first + i * step`; the distance to the highest */
    int phases;                   /* remainders modulo stride that a tap uses */
    int weight, weight_step;      /* tap i is row weight + i * weight_step of the kernel */
    int place, place_step, whole; /* output t stands at place + t * place_step of `whole` */
} nn__conv_axis;

typedef struct nn__conv {
    nn__conv_axis h, w;
    int groups, images, channels,
        rows; /* channels: of the source, per group; rows: of the product, per group */
    int row;  /* floats of a band's row, of one phase */
} nn__conv;

static void nn__conv_finish_axis(nn__conv_axis *axis) {
    const int end = axis->first + (axis->taps - 1) * axis->step;
    axis->low = nn__mini(axis->first, end);
    axis->reach = axis->taps > 0 ? nn__maxi(axis->first, end) - axis->low : 0;
    axis->phases = nn__mini(axis->stride, axis->reach + 1);
}

static nn__conv_axis nn__conv_forward_axis(int source, int outputs, int taps, int stride, int padding,
                                           int dilation) {
    nn__conv_axis axis;
    memset(&axis, 0, sizeof axis);
    axis.source = source;
    axis.outputs = axis.whole = outputs;
    axis.taps = taps;
    axis.first = -padding;
    axis.step = dilation;
    axis.stride = stride;
    axis.weight_step = axis.place_step = 1;
    nn__conv_finish_axis(&axis);
    return axis;
}

static nn__conv nn__conv_forward_geometry(const nn_conv2d_args *g) {
    const nn_conv2d_params *p = &g->params;
    nn__conv conv;
    conv.h = nn__conv_forward_axis(g->x.shape.extent[2], g->y.shape.extent[2], p->kernel_h, p->stride_h,
                                   p->padding_h, p->dilation_h);
    conv.w = nn__conv_forward_axis(g->x.shape.extent[3], g->y.shape.extent[3], p->kernel_w, p->stride_w,
                                   p->padding_w, p->dilation_w);
    conv.groups = p->groups;
    conv.images = g->x.shape.extent[0];
    conv.channels = g->x.shape.extent[1] / p->groups;
    conv.rows = g->y.shape.extent[1] / p->groups;
    conv.row = conv.w.outputs + conv.w.reach / conv.w.stride;
    return conv;
}

static int nn__conv_band_rows(const nn__conv *conv, int outputs) {
    const int wanted = nn__maxi(1, NN__CONV_RUN / conv->row), bands = nn__ceil_div(outputs, wanted);
    return nn__ceil_div(outputs, bands);
}

/* Floats of one channel of a band that makes `outputs` rows. */
static ptrdiff_t nn__conv_plane(const nn__conv *conv, int outputs) {
    return (ptrdiff_t)(outputs + conv->h.reach / conv->h.stride) * conv->row;
}

static ptrdiff_t nn__conv_channel(const nn__conv *conv, int outputs) {
    return nn__spread(conv->h.phases * conv->w.phases * nn__conv_plane(conv, outputs));
}

/* Channels that are worked on at once: the depth of a tile stays near NN__DEPTH, the band in the second
   cache. */
static int nn__conv_step(const nn__conv *conv, int outputs, int depth) {
    const int taps = nn__maxi(1, conv->h.taps * conv->w.taps);
    if (conv->channels == 0) return 0;
    const ptrdiff_t fits = NN__CONV_BAND / nn__conv_channel(conv, outputs);
    const int most = nn__maxi(1, nn__mini(depth / taps, (int)nn__min64(fits, 1 << 20)));
    return nn__ceil_div(conv->channels, nn__ceil_div(conv->channels, most));
}

/* Where tap (i, j) finds the input of the band's first output. */
static ptrdiff_t nn__conv_offset(const nn__conv *conv, int i, int j, ptrdiff_t plane) {
    const int at_h = conv->h.first + i * conv->h.step - conv->h.low,
              at_w = conv->w.first + j * conv->w.step - conv->w.low;
    const int phase = at_h % conv->h.stride * conv->w.phases + at_w % conv->w.stride;
    return phase * plane + (ptrdiff_t)(at_h / conv->h.stride) * conv->row + at_w / conv->w.stride;
}

static void nn__conv_fill_offsets(const nn__conv *conv, int channels, ptrdiff_t plane, ptrdiff_t channel,
                                  int32_t *offset) {
    const int taps = conv->h.taps * conv->w.taps;
    for (int i = 0, at = 0; i < conv->h.taps; i++)
        for (int j = 0; j < conv->w.taps; j++, at++) offset[at] = (int32_t)nn__conv_offset(conv, i, j, plane);
    for (int at = taps; at < channels * taps; at++) offset[at] = (int32_t)(offset[at - taps] + channel);
}

/* Copies what the outputs [t, t + outputs) read of `channels` channels of x. */
static void nn__conv_fill_band(const nn__gemm_set *set, const nn__conv *conv, const float *x, int channels,
                               int t, int outputs, float *band, ptrdiff_t plane, ptrdiff_t channel) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    const int rows = outputs + h->reach / h->stride, row = conv->row;
    for (int c = 0; c < channels; c++, x += (ptrdiff_t)h->source * w->source, band += channel) {
        for (int a = 0; a < h->phases; a++)
            for (int b = 0; b < w->phases; b++) {
                const int from = b + w->low; /* column u comes from from + u * stride */
                const int before = nn__mini(row, from >= 0 ? 0 : nn__ceil_div(-from, w->stride));
                const int inside =
                    from >= w->source ? 0 : nn__mini(row, (w->source - 1 - from) / w->stride + 1);
                const int end = nn__maxi(before, inside);
                float *to = band + (a * w->phases + b) * plane;
                for (int q = 0; q < rows; q++, to += row) {
                    const int at = (t + q) * h->stride + a + h->low;
                    if (at < 0 || at >= h->source || end == before) {
                        memset(to, 0, (size_t)row * sizeof(float));
                        continue;
                    }
                    for (int u = 0; u < before; u++) to[u] = 0;
                    set->pick(to + before,
                              x + (ptrdiff_t)at * w->source + from + (ptrdiff_t)before * w->stride, w->stride,
                              end - before);
                    for (int u = end; u < row; u++) to[u] = 0;
                }
            }
    }
}

/* ---- forward, and backward_input, which is a forward of dy ----------------------------------- */

typedef enum nn__conv_way {
    NN__CONV_FLAT, /* the band's rows are y's rows: straight into y */
    NN__CONV_ROWS, /* row by row, straight into y */
    NN__CONV_COPY  /* into an array of this worker, then to y */
} nn__conv_way;

/* How one convolution (or one remainder of backward_input) is cut. */
typedef struct nn__conv_cut {
    const nn__gemm_set *set;
    nn__conv_way way;
    bool in_place;            /* no band: the image itself serves */
    bool copy_a;              /* the rows of the weights lie too far apart */
    int outputs, bands;       /* rows of y in a band */
    int size, parts;          /* rows of the product in a unit */
    int step;                 /* channels at once */
    ptrdiff_t plane, channel; /* of the band */
    ptrdiff_t y_row, a_row;   /* of the arrays of this worker */
    size_t offset_floats, band_floats, a_floats, y_floats;
} nn__conv_cut;

/* What n columns cost: whole tiles, and a last one that may be narrow, which is not quite as cheap as its
   width. */
static int nn__conv_lanes(const nn__gemm_set *set, int n) {
    const int rest = n % set->columns;
    if (rest == 0) return n;
    return n - rest + (rest <= set->narrow ? set->narrow + set->narrow / 4 : set->columns);
}

static nn__conv_cut nn__conv_make_cut(const nn__cpu *cpu, const nn__conv *conv, ptrdiff_t weight_row) {
    nn__conv_cut cut;
    const nn__gemm_set *set = nn__gemm_set_of(cpu);
    memset(&cut, 0, sizeof cut);
    cut.set = set;
    cut.outputs = nn__conv_band_rows(conv, conv->h.outputs);
    cut.bands = nn__ceil_div(conv->h.outputs, cut.outputs);
    cut.size = nn__ceil_div(conv->rows, nn__ceil_div(conv->rows, set->rows * 20));
    while ((int64_t)conv->images * conv->groups * cut.bands * nn__ceil_div(conv->rows, cut.size) <
               NN__CONV_UNITS / 2 &&
           cut.size > set->rows * 2)
        cut.size = nn__maxi(set->rows * 2, nn__ceil_div(cut.size, 2));
    cut.parts = nn__ceil_div(conv->rows, cut.size);

    const int flat = (cut.outputs - 1) * conv->row + conv->w.outputs;
    const ptrdiff_t image = (ptrdiff_t)conv->h.source * conv->w.source;
    const int64_t depths = (int64_t)conv->channels * conv->h.taps * conv->w.taps;
    const bool dense = conv->w.place_step == 1 && conv->h.place_step == 1;
    if (dense && conv->w.whole == conv->row)
        cut.way = NN__CONV_FLAT;
    else if (dense &&
             (int64_t)cut.outputs * nn__conv_lanes(set, conv->w.outputs) * depths <=
                 (int64_t)nn__conv_lanes(set, flat) * (depths + 16)) /* a copy costs about 16 steps */
        cut.way = NN__CONV_ROWS;
    else
        cut.way = NN__CONV_COPY;
    cut.in_place = conv->h.stride == 1 && conv->w.stride == 1 && conv->h.low == 0 && conv->w.low == 0 &&
                   conv->row == conv->w.source && conv->h.outputs + conv->h.reach == conv->h.source &&
                   (cut.size <= set->rows || image % 128 != 0);
    cut.plane = nn__conv_plane(conv, cut.outputs);
    cut.channel = cut.in_place ? image : nn__conv_channel(conv, cut.outputs);
    cut.step = nn__conv_step(conv, cut.outputs, NN__DEPTH + 64);
    const int depth = cut.step * conv->h.taps * conv->w.taps;
    cut.copy_a = weight_row % 256 == 0 && cut.size > 1;
    cut.a_row = nn__spread(depth);
    cut.y_row = nn__spread(flat);
    cut.offset_floats = nn__align_up((size_t)depth, 16);
    cut.band_floats = cut.in_place ? 0 : (size_t)cut.channel * (size_t)cut.step;
    cut.a_floats = cut.copy_a ? (size_t)cut.a_row * (size_t)cut.size : 0;
    cut.y_floats = cut.way == NN__CONV_COPY ? (size_t)cut.y_row * (size_t)cut.size : 0;
    return cut;
}

static size_t nn__conv_own_bytes(const nn__conv_cut *cut) {
    return (cut->offset_floats + cut->band_floats + cut->a_floats + cut->y_floats) * sizeof(float);
}

/* What a unit works with. `weight`: rows of the product, weight_row apart, (channel, tap) side by side. */
typedef struct nn__conv_job {
    const float *x, *weight; /* of this image and group; of the group */
    float *y;                /* of this image and group: (rows, h.whole, w.whole) */
    ptrdiff_t weight_row;
    const float *bias; /* of the group, or NULL */
    nn__activate activate;
    bool accumulate;
} nn__conv_job;

static void nn__conv_place(const nn__conv *conv, const nn__conv_cut *cut, const nn__conv_job *job,
                           const float *from, int i, int rows, int t, int outputs) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    for (int r = 0; r < rows; r++)
        for (int q = 0; q < outputs; q++) {
            const float *row = from + r * cut->y_row + (ptrdiff_t)q * conv->row;
            float *to =
                job->y +
                ((ptrdiff_t)(i + r) * h->whole + h->place + (ptrdiff_t)(t + q) * h->place_step) * w->whole +
                w->place;
            if (job->accumulate)
                for (int u = 0; u < w->outputs; u++) to[(ptrdiff_t)u * w->place_step] += row[u];
            else if (w->place_step == 1)
                cut->set->pick(to, row, 1, w->outputs);
            else
                for (int u = 0; u < w->outputs; u++) to[(ptrdiff_t)u * w->place_step] = row[u];
        }
}

/* One band of one image, some rows of the product. */
static void nn__conv_run(const nn__conv *conv, const nn__conv_cut *cut, const nn__conv_job *job, int band,
                         int part, void *own) {
    const int taps = conv->h.taps * conv->w.taps, t = band * cut->outputs, i = part * cut->size;
    const int outputs = nn__mini(cut->outputs, conv->h.outputs - t),
              rows = nn__mini(cut->size, conv->rows - i);
    const ptrdiff_t image = (ptrdiff_t)conv->h.source * conv->w.source,
                    y_plane = (ptrdiff_t)conv->h.whole * conv->w.whole;
    int32_t *offset = (int32_t *)own;
    float *space = (float *)own + cut->offset_floats;
    float *a_copy = space + cut->band_floats, *y_copy = a_copy + cut->a_floats;
    nn__product p;
    if (outputs <= 0) return;
    nn__conv_fill_offsets(conv, cut->step, cut->plane, cut->channel, offset);
    memset(&p, 0, sizeof p);
    p.a_step = 1;
    p.b_offset = offset;
    p.row_bias = job->bias ? job->bias + i : NULL;
    p.activate = job->activate;
    p.rows = rows;
    p.columns = (outputs - 1) * conv->row + conv->w.outputs;
    p.add = cut->way != NN__CONV_COPY && job->accumulate;
    p.y = cut->way == NN__CONV_COPY ? y_copy : job->y + i * y_plane + (ptrdiff_t)t * conv->w.whole;
    p.y_row = cut->way == NN__CONV_COPY ? cut->y_row : y_plane;
    if (conv->channels == 0) memset(y_copy, 0, cut->y_floats * sizeof(float));
    for (int c = 0; c < conv->channels; c += cut->step, p.add = true) {
        const int channels = nn__mini(cut->step, conv->channels - c);
        const float *x = job->x + c * image;
        if (!cut->in_place)
            nn__conv_fill_band(cut->set, conv, x, channels, t, outputs, space, cut->plane, cut->channel);
        p.b = cut->in_place ? x + (ptrdiff_t)t * conv->w.source : space;
        p.a = job->weight + i * job->weight_row + (ptrdiff_t)c * taps;
        p.a_row = job->weight_row;
        p.depth = channels * taps;
        p.last = c + channels >= conv->channels;
        if (cut->copy_a) {
            for (int r = 0; r < rows; r++)
                cut->set->pick(a_copy + r * cut->a_row, p.a + r * p.a_row, 1, p.depth);
            p.a = a_copy;
            p.a_row = cut->a_row;
        }
        if (cut->way != NN__CONV_ROWS) {
            nn__multiply_tiles(cut->set, &p);
            continue;
        }
        nn__product line = p;
        line.columns = conv->w.outputs;
        for (int q = 0; q < outputs; q++) {
            nn__multiply_tiles(cut->set, &line);
            line.b += conv->row;
            line.y += conv->w.whole;
        }
    }
    if (cut->way == NN__CONV_COPY) nn__conv_place(conv, cut, job, y_copy, i, rows, t, outputs);
}

/* ---- forward --------------------------------------------------------------------------------- */

static ptrdiff_t nn__conv_weight_row(const nn_conv2d_args *g) {
    return (ptrdiff_t)g->weight.shape.extent[1] * g->params.kernel_h * g->params.kernel_w;
}

static int nn__conv2d_forward_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    if (phase > 0) return 0;
    const nn__conv conv = nn__conv_forward_geometry(g);
    const nn__conv_cut cut = nn__conv_make_cut(cpu, &conv, nn__conv_weight_row(g));
    return conv.images * conv.groups * cut.bands * cut.parts;
}

static void nn__conv2d_forward_unit(const nn__cpu *cpu, const void *args, int phase, int unit, void *shared,
                                    void *own) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    const nn__conv conv = nn__conv_forward_geometry(g);
    const ptrdiff_t weight_row = nn__conv_weight_row(g);
    const nn__conv_cut cut = nn__conv_make_cut(cpu, &conv, weight_row);
    const int part = unit % cut.parts, band = unit / cut.parts % cut.bands,
              block = unit / cut.parts / cut.bands;
    const int group = block % conv.groups;
    nn__conv_job job;
    (void)phase, (void)shared;
    job.x = nn__f32(&g->x) + (ptrdiff_t)block * conv.channels * conv.h.source * conv.w.source;
    job.y = nn__f32(&g->y) + (ptrdiff_t)block * conv.rows * conv.h.whole * conv.w.whole;
    job.weight = nn__f32(&g->weight) + (ptrdiff_t)group * conv.rows * weight_row;
    job.weight_row = weight_row;
    job.bias =
        nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias) + (ptrdiff_t)group * conv.rows : NULL;
    job.activate = cpu->activations[g->epilogue.activation];
    job.accumulate = false;
    nn__conv_run(&conv, &cut, &job, band, part, own);
}

static size_t nn__conv2d_forward_own(const nn__cpu *cpu, const void *args) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    const nn__conv conv = nn__conv_forward_geometry(g);
    const nn__conv_cut cut = nn__conv_make_cut(cpu, &conv, nn__conv_weight_row(g));
    return nn__conv_own_bytes(&cut);
}

static const char *nn__conv2d_forward_refuses(const nn__cpu *cpu, const void *args) {
    return nn__refuses_activation(cpu, ((const nn_conv2d_args *)args)->epilogue.activation);
}

static const nn__cpu_kernel nn__conv2d_forward_kernel = {nn__conv2d_forward_units, nn__conv2d_forward_unit, NULL,
                                                         nn__conv2d_forward_own, nn__conv2d_forward_refuses};

#ifndef NN_NO_TRAINING
/* ---- backward_input
   -------------------------------------------------------------------------------------------------------

   dx at position `remainder` modulo the stride gets dy through those taps whose distance is a multiple of the
   stride: for each of the stride_h * stride_w remainders one convolution of dy, with a part of the kernel.
   Phase 0 sorts the weights: per remainder (group, C, K, taps), where nn__conv_backward_geometry tells. */

static nn__conv_axis nn__conv_backward_axis(int source, int whole, int taps, int stride, int padding,
                                            int dilation, int remainder) {
    nn__conv_axis axis;
    int a = stride, b = dilation, first = 0;
    memset(&axis, 0, sizeof axis);
    while (b) { /* greatest common divisor */
        const int rest = a % b;
        a = b;
        b = rest;
    }
    axis.source = source;
    axis.whole = whole;
    axis.outputs = remainder < whole ? (whole - 1 - remainder) / stride + 1 : 0;
    axis.stride = 1;
    axis.place = remainder;
    axis.place_step = stride;
    axis.weight_step = stride / a;
    while (first < axis.weight_step && (remainder + padding - first * dilation) % stride != 0) first++;
    if (first < axis.weight_step && first < taps) {
        axis.weight = first;
        axis.taps = (taps - 1 - first) / axis.weight_step + 1;
        axis.first = (remainder + padding - first * dilation) / stride;
        axis.step = -(dilation / a);
    }
    nn__conv_finish_axis(&axis);
    return axis;
}

/* *at: floats in shared before this remainder's weights. */
static nn__conv nn__conv_backward_geometry(const nn_conv2d_args *g, int remainder, size_t *at) {
    const nn_conv2d_params *p = &g->params;
    nn__conv conv;
    conv.groups = p->groups;
    conv.images = g->x.shape.extent[0];
    conv.channels = g->y.shape.extent[1] / p->groups;
    conv.rows = g->x.shape.extent[1] / p->groups;
    *at = 0;
    for (int e = 0;; e++) {
        conv.h = nn__conv_backward_axis(g->y.shape.extent[2], g->x.shape.extent[2], p->kernel_h, p->stride_h,
                                        p->padding_h, p->dilation_h, e / p->stride_w);
        conv.w = nn__conv_backward_axis(g->y.shape.extent[3], g->x.shape.extent[3], p->kernel_w, p->stride_w,
                                        p->padding_w, p->dilation_w, e % p->stride_w);
        if (e == remainder) break;
        *at +=
            (size_t)g->x.shape.extent[1] * ((size_t)conv.channels * (size_t)(conv.h.taps * conv.w.taps) | 1);
    }
    conv.row = conv.w.outputs + conv.w.reach;
    if (conv.h.taps == 0 || conv.w.taps == 0) conv.channels = conv.h.taps = conv.w.taps = 0;
    return conv;
}

static ptrdiff_t nn__conv_backward_row(const nn__conv *conv) {
    return (ptrdiff_t)conv->channels * conv->h.taps * conv->w.taps | 1;
}

static size_t nn__conv2d_backward_input_shared(const nn__cpu *cpu, const void *args) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    const int remainders = g->params.stride_h * g->params.stride_w;
    size_t floats = 0;
    (void)cpu;
    nn__conv_backward_geometry(g, remainders, &floats);
    return floats * sizeof(float);
}

/* Sorts the weights of one channel of x. */
static void nn__conv_sort_weights(const nn_conv2d_args *g, int channel, float *to) {
    const nn_conv2d_params *p = &g->params;
    const ptrdiff_t kernel = (ptrdiff_t)p->kernel_h * p->kernel_w;
    for (int e = 0; e < p->stride_h * p->stride_w; e++) {
        size_t at;
        const nn__conv conv = nn__conv_backward_geometry(g, e, &at);
        float *row = to + at + (size_t)channel * (size_t)nn__conv_backward_row(&conv);
        const int group = channel / conv.rows, c = channel % conv.rows;
        for (int k = 0; k < conv.channels; k++) {
            const float *from =
                nn__f32(&g->weight) + ((ptrdiff_t)(group * conv.channels + k) * conv.rows + c) * kernel;
            for (int i = 0; i < conv.h.taps; i++)
                for (int j = 0; j < conv.w.taps; j++)
                    *row++ = from[(conv.h.weight + i * conv.h.weight_step) * p->kernel_w + conv.w.weight +
                                  j * conv.w.weight_step];
        }
    }
}

/* Every remainder has as many units as the first, whose outputs are the most. */
static int nn__conv2d_backward_input_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    int most = 0;
    if (phase == 0) return g->x.shape.extent[1];
    if (phase > 1) return 0;
    for (int e = 0; e < g->params.stride_h * g->params.stride_w; e++) {
        size_t at;
        const nn__conv conv = nn__conv_backward_geometry(g, e, &at);
        if (conv.h.outputs == 0 || conv.w.outputs == 0) continue;
        const nn__conv_cut cut = nn__conv_make_cut(cpu, &conv, nn__conv_backward_row(&conv));
        most = nn__maxi(most, conv.images * conv.groups * cut.bands * cut.parts);
    }
    return most * g->params.stride_h * g->params.stride_w;
}

static void nn__conv2d_backward_input_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                           void *shared, void *own) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    const int remainders = g->params.stride_h * g->params.stride_w, index = unit / remainders;
    size_t at;
    nn__conv_job job;
    if (phase == 0) {
        nn__conv_sort_weights(g, unit, (float *)shared);
        return;
    }
    const nn__conv conv = nn__conv_backward_geometry(g, unit % remainders, &at);
    if (conv.h.outputs == 0 || conv.w.outputs == 0) return;
    if (conv.channels == 0 && g->accumulate) return; /* no tap reaches these positions */
    const nn__conv_cut cut = nn__conv_make_cut(cpu, &conv, nn__conv_backward_row(&conv));
    const int part = index % cut.parts, band = index / cut.parts % cut.bands,
              block = index / cut.parts / cut.bands;
    if (block >= conv.images * conv.groups) return;
    job.x = nn__f32(&g->y) + (ptrdiff_t)block * conv.channels * conv.h.source * conv.w.source;
    job.y = nn__f32(&g->x) + (ptrdiff_t)block * conv.rows * conv.h.whole * conv.w.whole;
    job.weight_row = nn__conv_backward_row(&conv);
    job.weight = (const float *)shared + at +
                 (size_t)(block % conv.groups) * (size_t)conv.rows * (size_t)job.weight_row;
    job.bias = NULL;
    job.activate = NULL;
    job.accumulate = g->accumulate;
    nn__conv_run(&conv, &cut, &job, band, part, own);
}

static size_t nn__conv2d_backward_input_own(const nn__cpu *cpu, const void *args) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    size_t bytes = 0, at;
    for (int e = 0; e < g->params.stride_h * g->params.stride_w; e++) {
        const nn__conv conv = nn__conv_backward_geometry(g, e, &at);
        if (conv.h.outputs == 0 || conv.w.outputs == 0) continue;
        const nn__conv_cut cut = nn__conv_make_cut(cpu, &conv, nn__conv_backward_row(&conv));
        const size_t wanted = nn__conv_own_bytes(&cut);
        bytes = bytes > wanted ? bytes : wanted;
    }
    return bytes;
}

static const nn__cpu_kernel nn__conv2d_backward_input_kernel = {
    nn__conv2d_backward_input_units, nn__conv2d_backward_input_unit, nn__conv2d_backward_input_shared,
    nn__conv2d_backward_input_own, NULL};

/* ---- backward_weight
   ------------------------------------------------------------------------------------------------------

   All bands of all images, in order, are dealt to a number of pieces that depends on the shape; each piece's
   sum lies in shared as (piece, group, C R S + 1, K); the last row is dbias, the product with a row of ones.
   Phase 1 adds the pieces. */

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
    const nn__conv_sums s = nn__conv_make_sums(cpu, (const nn_conv2d_args *)args);
    return (s.offset_floats + s.band_floats + s.ones_floats + s.dy_floats + nn__align_up(s.ones_floats, 16)) *
           sizeof(float);
}

static size_t nn__conv2d_backward_weight_shared(const nn__cpu *cpu, const void *args) {
    const nn__conv_sums s = nn__conv_make_sums(cpu, (const nn_conv2d_args *)args);
    return (size_t)s.pieces * (size_t)s.conv.groups * (size_t)s.rows * (size_t)s.sum_row * sizeof(float);
}

static int nn__conv2d_backward_weight_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    if (phase > 1) return 0;
    const nn__conv_sums s = nn__conv_make_sums(cpu, g);
    if (phase == 0) return s.pieces * s.conv.groups * s.parts;
    return s.conv.groups * nn__mini(NN__CONV_UNITS, nn__ceil_div(s.rows, 16));
}

static void nn__conv_sum_piece(const nn__conv_sums *s, const nn_conv2d_args *g, int unit, float *shared,
                               void *own) {
    const nn__conv *conv = &s->conv;
    const int part = unit % s->parts, group = unit / s->parts % conv->groups,
              piece = unit / s->parts / conv->groups;
    const int taps = conv->h.taps * conv->w.taps, c = part * s->step,
              channels = nn__mini(s->step, conv->channels - c);
    const int64_t bands = (int64_t)conv->images * s->bands;
    const int from = (int)(bands * piece / s->pieces), to = (int)(bands * (piece + 1) / s->pieces);
    const int height = conv->h.outputs, width = conv->w.outputs, row = conv->row;
    const ptrdiff_t y_plane = (ptrdiff_t)height * width, image = (ptrdiff_t)conv->h.source * conv->w.source;
    const bool with_weight = nn__present(&g->weight),
               with_bias = part == s->parts - 1 && nn__present(&g->epilogue.bias);
    int32_t *offset = (int32_t *)own;
    float *band = (float *)own + s->offset_floats, *ones = band + s->band_floats, *dy = ones + s->ones_floats;
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
    p.y = shared +
          ((ptrdiff_t)(piece * conv->groups + group) * s->rows + (with_weight ? c * taps : s->rows - 1)) *
              s->sum_row;
    p.y_row = s->sum_row;
    for (int e = from; e < to; e++, p.add = true) {
        const int t = e % s->bands * s->outputs, outputs = nn__mini(s->outputs, height - t);
        const ptrdiff_t block = (ptrdiff_t)(e / s->bands) * conv->groups + group;
        const float *y = nn__f32(&g->y) + block * conv->rows * y_plane + (ptrdiff_t)t * width;
        const float *x = nn__f32(&g->x) + (block * conv->channels + c) * image;
        for (int q = 0; q < outputs; q++)
            s->set->transpose(dy + (ptrdiff_t)q * row * s->dy_row, s->dy_row, y + (ptrdiff_t)q * width,
                              y_plane, conv->rows, width);
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

static void nn__conv2d_backward_weight_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                            void *shared, void *own) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    const nn__conv_sums s = nn__conv_make_sums(cpu, g);
    if (phase == 0)
        nn__conv_sum_piece(&s, g, unit, (float *)shared, own);
    else
        nn__conv_add_pieces(&s, g, unit, (const float *)shared);
}

static const nn__cpu_kernel nn__conv2d_backward_weight_kernel = {
    nn__conv2d_backward_weight_units, nn__conv2d_backward_weight_unit, nn__conv2d_backward_weight_shared,
    nn__conv2d_backward_weight_own, NULL};
#undef NN__CONV_SUMS
#endif

#undef NN__CONV_RUN
#undef NN__CONV_BAND
#undef NN__CONV_UNITS

NN_PRIVATE void nn__install_conv2d(nn_context *nn) {
    NN__CPU_INSTALL(nn, CONV2D_FORWARD, conv2d_forward, &nn__conv2d_forward_kernel);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, CONV2D_BACKWARD_INPUT, conv2d_backward_input, &nn__conv2d_backward_input_kernel);
    NN__CPU_INSTALL(nn, CONV2D_BACKWARD_WEIGHT, conv2d_backward_weight, &nn__conv2d_backward_weight_kernel);
#endif
}
