/* kernels/conv2d/cpu.c - convolutions as tiled products that read the image itself.

   A unit copies a band of the image: some rows of some channels, with zeros around them, and
   columns and rows sorted by their remainder modulo the stride. So every tap finds the inputs of
   consecutive outputs side by side. Outputs are counted along the band's rows; the few at the end
   of a row that belong to the padding are computed and dropped. Then
     y (K, outputs)  =  weight (K, C R S)  x  band (C R S, outputs)
   No im2col matrix is built. kernels/conv2d/cpu_forward.c chooses between this and the other
   algorithms. */
#include "kernels/conv2d/cpu.h"

#define NN__CONV_RUN  256         /* outputs per band, approximately */
#define NN__CONV_BAND (64 * 1024) /* floats per band, approximately */
#ifndef NN_NO_SIMD
#define NN__CONV_SHALLOW 64         /* most taps of all channels for larger bands */
#define NN__CONV_FIRST   (6 * 1024) /* floats of such a band, which stays in the L1 cache */
#define NN__CONV_LATE    (6 * 1024) /* most floats of a unit's y that is finished after all tiles */
#endif

/* ---- geometry: one axis, then both ----------------------------------------------------------- */

NN_PRIVATE void nn__conv_finish_axis(nn__conv_axis *axis) {
    const int end = axis->first + (axis->taps - 1) * axis->step;
    axis->low = nn__mini(axis->first, end);
    axis->reach = axis->taps > 0 ? nn__maxi(axis->first, end) - axis->low : 0;
    axis->phases = nn__mini(axis->stride, axis->reach + 1);
}

static void nn__conv_forward_axis(nn__conv_axis *axis, int source, int outputs, int taps,
                                  int stride, int padding, int dilation) {
    axis->source = source;
    axis->outputs = axis->whole = outputs;
    axis->taps = taps;
    axis->first = -padding;
    axis->step = dilation;
    axis->stride = stride;
    axis->weight_step = axis->place_step = 1;
    axis->weight = axis->place = 0;
    nn__conv_finish_axis(axis);
}

NN_PRIVATE nn__conv nn__conv_forward_geometry(const nn_conv2d_args *g) {
    const nn_conv2d_params *p = &g->params;
    nn__conv conv;
    nn__conv_forward_axis(&conv.h, g->x.shape.extent[2], g->y.shape.extent[2], p->kernel_h,
                          p->stride_h, p->padding_h, p->dilation_h);
    nn__conv_forward_axis(&conv.w, g->x.shape.extent[3], g->y.shape.extent[3], p->kernel_w,
                          p->stride_w, p->padding_w, p->dilation_w);
    conv.groups = p->groups;
    conv.images = g->x.shape.extent[0];
    conv.channels = g->x.shape.extent[1] / p->groups;
    conv.rows = g->y.shape.extent[1] / p->groups;
    conv.row = conv.w.outputs + conv.w.reach / conv.w.stride;
#ifndef NN_NO_SIMD
    conv.keep = g->keep;
#endif
    return conv;
}

NN_PRIVATE int nn__conv_band_rows(const nn__conv *conv, int outputs) {
    const int wanted = nn__maxi(1, NN__CONV_RUN / conv->row), bands = nn__ceil_div(outputs, wanted);
    return nn__ceil_div(outputs, bands);
}

NN_PRIVATE ptrdiff_t nn__conv_plane(const nn__conv *conv, int outputs) {
    return (ptrdiff_t)(outputs + conv->h.reach / conv->h.stride) * conv->row;
}

NN_PRIVATE ptrdiff_t nn__conv_channel(const nn__conv *conv, int outputs) {
    return nn__spread((ptrdiff_t)conv->h.phases * conv->w.phases * nn__conv_plane(conv, outputs));
}

NN_PRIVATE int nn__conv_step(const nn__conv *conv, int outputs, int depth) {
    const int taps = conv->h.taps * conv->w.taps;
    const ptrdiff_t fits = NN__CONV_BAND / nn__conv_channel(conv, outputs);
    const int most = nn__maxi(1, nn__mini(depth / taps, (int)nn__min64(fits, 1 << 20)));
    return nn__ceil_div(conv->channels, nn__ceil_div(conv->channels, most));
}

/* Small convolutions call this often, so nothing is divided for each tap: q and r are the quotient
   and the remainder of a tap's column by the stride. */
NN_PRIVATE void nn__conv_fill_offsets(const nn__conv *conv, int channels, ptrdiff_t plane,
                                      ptrdiff_t channel, int32_t *offset) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    const int taps = h->taps * w->taps, start = w->first - w->low, stride = w->stride;
    int32_t *to = offset;
    for (int i = 0; i < h->taps; i++) {
        const int at = h->first + i * h->step - h->low;
        const ptrdiff_t row = at % h->stride * w->phases * plane +
                              (ptrdiff_t)(at / h->stride) * conv->row;
        int q = start / stride, r = start % stride;
        for (int j = 0; j < w->taps; j++) {
            *to++ = (int32_t)(row + r * plane + q);
            q += w->step / stride;
            r += w->step % stride;
            if (r >= stride) r -= stride, q++;
            if (r < 0) r += stride, q--;
        }
    }
    for (int c = 1; c < channels; c++, to += taps)
        for (int at = 0; at < taps; at++) to[at] = (int32_t)(offset[at] + c * channel);
}

NN_PRIVATE void nn__conv_fill_band(const nn__gemm_set *set, const nn__conv *conv, const float *x,
                                   int channels, int t, int outputs, float *band, ptrdiff_t plane,
                                   ptrdiff_t channel) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    const int rows = outputs + h->reach / h->stride, row = conv->row;
    for (int c = 0; c < channels; c++, x += (ptrdiff_t)h->source * w->source, band += channel) {
        for (int a = 0; a < h->phases; a++)
            for (int b = 0; b < w->phases; b++) {
                const int from = b + w->low; /* column u comes from column from + u * stride */
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
#ifndef NN_NO_SIMD /* prefetches the next channel, because skipped rows stop the hardware
                      prefetcher */
                    if (b == 0 && c + 1 < channels)
                        nn__gemm_ahead(x + ((ptrdiff_t)h->source + at) * w->source, w->source);
#endif
                    for (int u = 0; u < before; u++) to[u] = 0;
                    set->pick(to + before,
                              x + (ptrdiff_t)at * w->source + from + (ptrdiff_t)before * w->stride,
                              w->stride, end - before);
                    for (int u = end; u < row; u++) to[u] = 0;
                }
            }
    }
}

/* ---- forward, and backward_input, which is a forward of dy ----------------------------------- */

/* Returns the cost of n columns: whole tiles, and a last one that may be narrow, whose cost falls
   less than its width. */
static int nn__conv_lanes(const nn__gemm_set *set, int n) {
    const int rest = n % set->columns;
    if (rest == 0) return n;
    return n - rest + (rest <= set->narrow ? set->narrow + set->narrow / 4 : set->columns);
}

/* Returns the rows of y per band. If few channels have few taps, a band of several times as many
   rows still fits the L1 cache. Then fewer rows are copied twice, and the overhead of a unit, a
   twentieth of a short band's time, occurs less often. */
static int nn__conv_cut_rows(const nn__conv *conv) {
    const int outputs = nn__conv_band_rows(conv, conv->h.outputs);
#ifndef NN_NO_SIMD
    const int64_t planes = (int64_t)conv->images * conv->groups;
    if (conv->channels * conv->h.taps * conv->w.taps <= NN__CONV_SHALLOW)
        for (int times = 4; times > 1; times--) {
            const int wanted = nn__mini(conv->h.outputs, outputs * times),
                      bands = nn__ceil_div(conv->h.outputs, wanted),
                      rows = nn__ceil_div(conv->h.outputs, bands);
            if (planes * bands >= NN__CONV_UNITS &&
                nn__conv_channel(conv, rows) * conv->channels <= NN__CONV_FIRST)
                return rows;
        }
#endif
    return outputs;
}

NN_PRIVATE nn__conv_cut nn__conv_make_cut(const nn__cpu *cpu, const nn__conv *conv,
                                          ptrdiff_t weight_row) {
    nn__conv_cut cut;
    const nn__gemm_set *set = nn__gemm_set_of(cpu);
    memset(&cut, 0, sizeof cut);
    cut.set = set;
    cut.outputs = nn__conv_cut_rows(conv);
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
    else if (dense && (int64_t)cut.outputs * nn__conv_lanes(set, conv->w.outputs) * depths <=
                          (int64_t)nn__conv_lanes(set, flat) *
                              (depths + 16)) /* a copy costs about 16 steps */
        cut.way = NN__CONV_ROWS;
    else
        cut.way = NN__CONV_COPY;
    cut.in_place = conv->h.stride == 1 && conv->w.stride == 1 && conv->h.low == 0 &&
                   conv->w.low == 0 && conv->row == conv->w.source &&
                   conv->h.outputs + conv->h.reach == conv->h.source &&
                   (cut.size <= set->rows || image % 128 != 0);
#ifndef NN_NO_SIMD
    cut.late = cut.way == NN__CONV_ROWS && depths <= NN__CONV_SHALLOW &&
               cut.size * cut.outputs * conv->w.whole <= NN__CONV_LATE;
#endif
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

#ifndef NN_NO_SIMD
/* Returns the cost of n positions of a row of tiles. A partial last tile takes 20 steps more. */
static float nn__conv_steps(const nn__gemm_set *set, int n, float depth) {
    const float more = n % set->columns ? 20.0f * (float)set->columns : 0.0f;
    return (float)nn__conv_lanes(set, n) + more / depth;
}

NN_PRIVATE float nn__conv_band_cost(const nn__cpu *cpu, const nn__conv *conv) {
    const nn__conv_cut cut = nn__conv_make_cut(cpu, conv, 0);
    const int width = conv->w.outputs, flat = (cut.outputs - 1) * conv->row + width;
    const float depth = (float)(conv->channels * conv->h.taps * conv->w.taps);
    float cost = nn__conv_steps(cut.set, flat, depth) / (float)(cut.outputs * width);
    if (cut.way == NN__CONV_ROWS)
        cost = 1.02f * nn__conv_steps(cut.set, width, depth) / (float)width;
    if (cut.way == NN__CONV_COPY) cost *= 1.0f + 4.0f / depth;
    /* Each unit fills its own band; with a stride, number by number. */
    if (conv->h.stride > 1 || conv->w.stride > 1)
        cost *= 1.0f + (float)(conv->h.phases * conv->w.phases * cut.set->columns) /
                           (float)(conv->h.taps * conv->w.taps * cut.size);
    /* with few positions, reading the long rows of a weight, which are far apart, dominates */
    return flat < 48 && (float)conv->rows < depth ? cost * 1.15f : cost;
}
#endif

NN_PRIVATE size_t nn__conv_own_bytes(const nn__conv_cut *cut) {
    return (cut->offset_floats + cut->band_floats + cut->a_floats + cut->y_floats) * sizeof(float);
}

static void nn__conv_place(const nn__conv *conv, const nn__conv_cut *cut, const nn__conv_job *job,
                           const float *from, int i, int rows, int t, int outputs) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    for (int r = 0; r < rows; r++)
        for (int q = 0; q < outputs; q++) {
            const float *row = from + r * cut->y_row + (ptrdiff_t)q * conv->row;
            float *to =
                job->y +
                ((ptrdiff_t)(i + r) * h->whole + h->place + (ptrdiff_t)(t + q) * h->place_step) *
                    w->whole +
                w->place;
            if (job->accumulate)
                for (int u = 0; u < w->outputs; u++) to[(ptrdiff_t)u * w->place_step] += row[u];
            else if (w->place_step == 1)
                cut->set->pick(to, row, 1, w->outputs);
            else
                for (int u = 0; u < w->outputs; u++) to[(ptrdiff_t)u * w->place_step] = row[u];
        }
}

/* Fills a unit's band. fresh: it was not filled before. */
static void nn__conv_fill(const nn__conv *conv, const nn__conv_cut *cut, const float *x,
                          int channels, int t, int outputs, float *band, bool fresh) {
#ifndef NN_NO_SIMD
    if (conv->h.stride == 1 && conv->w.stride == 1) {
        const bool inside = conv->w.low >= 0 && conv->w.low + conv->row <= conv->w.source;
        if (fresh && !inside) memset(band, 0, cut->band_floats * sizeof(float));
        nn__conv_fill_dense(conv, x, channels, t, outputs, band, cut->channel);
        return;
    }
#endif
    (void)fresh;
    nn__conv_fill_band(cut->set, conv, x, channels, t, outputs, band, cut->plane, cut->channel);
}

/* Does what the tiles left for the end: bias and activation of a late cut, and slopes. */
static void nn__conv_end(const nn__conv_cut *cut, const nn__conv_job *job, nn__product *p, int i) {
    const float *bias = cut->late ? p->row_bias : NULL;
    (void)job, (void)i;
    NN__IF_SLOPE(job->slope, {
        cut->set->bend_rows(p->y, p->y_row, p->rows, p->columns, bias, job->slope + i);
        return;
    });
    for (int r = 0; cut->late && r < p->rows; r++)
        nn__gemm_finish(cut->set, p, p->y + r * p->y_row, r, 1, 0, p->columns);
}

NN_PRIVATE void nn__conv_run(const nn__conv *conv, const nn__conv_cut *cut, const nn__conv_job *job,
                             int band, int part, void *own) {
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
    for (int c = 0; c < conv->channels; c += cut->step, p.add = true) {
        const int channels = nn__mini(cut->step, conv->channels - c);
        const float *x = job->x + c * image;
        if (!cut->in_place) nn__conv_fill(conv, cut, x, channels, t, outputs, space, c == 0);
        p.b = cut->in_place ? x + (ptrdiff_t)t * conv->w.source : space;
        p.a = job->weight + i * job->weight_row + (ptrdiff_t)c * taps;
        p.a_row = job->weight_row;
        p.depth = channels * taps;
        p.last = c + channels >= conv->channels && !cut->late;
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
    if (cut->way != NN__CONV_COPY) p.columns = outputs * conv->w.whole; /* rows without gaps */
    nn__conv_end(cut, job, &p, i);
    if (cut->way == NN__CONV_COPY) nn__conv_place(conv, cut, job, y_copy, i, rows, t, outputs);
}

#undef NN__CONV_RUN
#undef NN__CONV_BAND
#undef NN__CONV_SHALLOW
#undef NN__CONV_FIRST
#undef NN__CONV_LATE
