/* kernels/conv2d/cpu_depthwise.c - convolutions whose groups have one channel of x each, and their
   gradients. A tiled product would have one row; here a vector goes along the band of
   kernels/conv2d/cpu.c and takes all its taps. Filters of 3 x 3 that keep or halve an image use
   kernels/conv2d/cpu_depthwise_flat.c, which is faster.

   A unit has some planes of the result. In backward_weight it has the filters of one channel and
   adds the images in order. So units share no data, and the bytes do not depend on threads. */
#include "cpu/sets.h"
#include "kernels/conv2d/cpu.h"
#include "kernels/conv2d/vector.h"

#ifndef NN_NO_SIMD

#define NN__DEPTHWISE_BAND 4096 /* positions per band, approximately */
#define NN__DEPTHWISE_TAPS 128  /* most taps of all filters that a plane of the result reads */

/* Filters with too many taps for the arrays below use the general kernels, and so do channels with
   many filters, which fill the rows of a tile. */
NN_PRIVATE bool nn__depthwise_suits(const nn_conv2d_args *g) {
    const int groups = g->params.groups, filters = g->y.shape.extent[1] / groups;
    return g->x.shape.extent[1] == groups && groups > 1 && filters <= 4 &&
           (int64_t)g->x.shape.extent[0] * groups <= INT32_MAX / 2 &&
           (int64_t)g->params.kernel_h * g->params.kernel_w * filters <= NN__DEPTHWISE_TAPS;
}

NN_PRIVATE const nn__depthwise_loops *nn__depthwise_loops_of(const nn__cpu *cpu) {
    return NN__OF_SET(cpu, nn__depthwise_loops);
}

/* ---- bands ----------------------------------------------------------------------------------- */

typedef struct nn__depthwise {
    const nn__gemm_set *set;
    const nn__depthwise_loops *loops;
    int outputs, bands, taps; /* rows of outputs per band; taps of all its channels */
    int runs;                 /* positions of a band's product, in whole runs */
    ptrdiff_t plane, channel; /* of the band */
    int32_t offset[NN__DEPTHWISE_TAPS];
    float *band, *product; /* in the worker's scratch */
} nn__depthwise;

static int nn__depthwise_rows(const nn__conv *conv) {
    const int wanted = nn__maxi(1, NN__DEPTHWISE_BAND / conv->row);
    return nn__ceil_div(conv->h.outputs, nn__ceil_div(conv->h.outputs, wanted));
}
static int nn__depthwise_runs(const nn__conv *conv, int outputs) {
    return nn__ceil_div(outputs * conv->row, NN__DEPTHWISE_RUN) * NN__DEPTHWISE_RUN;
}

/* Returns the floats of the band, and of the product that follows it. */
static size_t nn__depthwise_floats(const nn__conv *conv, size_t *product) {
    const int outputs = nn__depthwise_rows(conv);
    *product = (size_t)nn__depthwise_runs(conv, outputs) + (size_t)conv->row + NN__DEPTHWISE_RUN;
    return nn__align_up((size_t)conv->channels * (size_t)nn__conv_channel(conv, outputs) +
                            (size_t)conv->row + 2 * NN__DEPTHWISE_RUN,
                        16); /* the last run of the last tap reads up to here */
}

static void nn__depthwise_begin(nn__depthwise *d, const nn__cpu *cpu, const nn__conv *conv,
                                void *own) {
    size_t product, floats = nn__depthwise_floats(conv, &product);
    d->set = nn__gemm_set_of(cpu);
    d->loops = nn__depthwise_loops_of(cpu);
    d->outputs = nn__depthwise_rows(conv);
    d->bands = nn__ceil_div(conv->h.outputs, d->outputs);
    d->taps = conv->channels * conv->h.taps * conv->w.taps;
    d->runs = nn__depthwise_runs(conv, d->outputs);
    d->plane = nn__conv_plane(conv, d->outputs);
    d->channel = nn__conv_channel(conv, d->outputs);
    nn__conv_fill_offsets(conv, conv->channels, d->plane, d->channel, d->offset);
    d->band = (float *)own;
    d->product = d->band + floats;
    memset(own, 0, floats * sizeof(float)); /* runs must not read NaN after the planes */
}

/* Copies rows [t, t + outputs) of the product to y. */
static void nn__depthwise_place(const nn__depthwise *d, const nn__conv *conv, float *y, int t,
                                int outputs, bool accumulate) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    for (int q = 0; q < outputs; q++) {
        const float *row = d->product + (ptrdiff_t)q * conv->row;
        float *to = y + ((ptrdiff_t)h->place + (ptrdiff_t)(t + q) * h->place_step) * w->whole +
                    w->place;
        if (accumulate)
            for (int u = 0; u < w->outputs; u++) to[(ptrdiff_t)u * w->place_step] += row[u];
        else if (w->place_step == 1)
            nn__conv_copy(to, row, w->outputs);
        else
            for (int u = 0; u < w->outputs; u++) to[(ptrdiff_t)u * w->place_step] = row[u];
    }
}

static void nn__depthwise_fill(const nn__depthwise *d, const nn__conv *conv, const float *x,
                               int channels, int t, int outputs) {
    if (conv->h.stride == 1 && conv->w.stride == 1)
        nn__conv_fill_dense(conv, x, channels, t, outputs, d->band, d->channel);
    else
        nn__conv_fill_band(d->set, conv, x, channels, t, outputs, d->band, d->plane, d->channel);
}

/* Computes one product of a whole plane: the band is filled once for all its rows. weight: of row
   0. */
static void nn__depthwise_plane(const nn__depthwise *d, const nn__conv *conv,
                                const nn__conv_job *job) {
    const ptrdiff_t whole = (ptrdiff_t)conv->h.whole * conv->w.whole;
    const nn__clamp clamp = nn__clamp_of(job->activate);
    for (int t = 0; t < conv->h.outputs; t += d->outputs) {
        const int outputs = nn__mini(d->outputs, conv->h.outputs - t),
                  runs = nn__depthwise_runs(conv, outputs);
        nn__depthwise_fill(d, conv, job->x, conv->channels, t, outputs);
        /* If rows are short and most of the band between them is padding, a run computes two rows.
           The next row overwrites the surplus of the row before. */
        const bool pairs = conv->w.outputs <= NN__DEPTHWISE_RUN / 2 &&
                           (outputs + 1) / 2 * NN__DEPTHWISE_RUN < runs;
        for (int r = 0; r < conv->rows; r++) {
            const float *weight = job->weight + r * job->weight_row,
                        bias = job->bias ? job->bias[r] : 0.0f;
            for (int q = 0; pairs && q < outputs; q += 2)
                d->loops->multiply(d->product + q * conv->row, d->band + q * conv->row, d->offset,
                                   weight, d->taps, NN__DEPTHWISE_RUN, conv->row, bias);
            if (!pairs)
                d->loops->multiply(d->product, d->band, d->offset, weight, d->taps, runs,
                                   NN__DEPTHWISE_RUN / 2, bias);
            if (clamp)
                d->set->finish(d->product, 0, 1, outputs * conv->row, NULL, NULL, clamp);
            else if (job->activate)
                job->activate(d->product, outputs * conv->row);
            NN__IF_SLOPE(job->slope, d->set->bend_rows(d->product, 0, 1, outputs * conv->row, NULL,
                                                       job->slope + r));
            nn__depthwise_place(d, conv, job->y + r * whole, t, outputs, job->accumulate);
        }
    }
}

/* Returns the planes of x per unit, which have about 64 KB. */
static int nn__depthwise_each(const nn_conv2d_args *g) {
    const int64_t x = (int64_t)g->x.shape.extent[2] * g->x.shape.extent[3],
                  y = (int64_t)g->y.shape.extent[2] * g->y.shape.extent[3];
    return (int)nn__max64(1, 16384 / nn__max64(1, nn__max64(x, y)));
}

NN_PRIVATE int nn__depthwise_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    (void)cpu;
    return phase > 0 ? 0
                     : nn__ceil_div(g->x.shape.extent[0] * g->x.shape.extent[1],
                                    nn__depthwise_each(g));
}

/* ---- forward --------------------------------------------------------------------------------- */

NN_PRIVATE size_t nn__depthwise_forward_own(const nn__cpu *cpu, const nn_conv2d_args *g) {
    (void)cpu;
    const nn__conv conv = nn__conv_forward_geometry(g);
    size_t product, band = nn__depthwise_floats(&conv, &product);
    return (band + product) * sizeof(float);
}

NN_PRIVATE void nn__depthwise_forward_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit,
                                           void *own) {
    const nn__conv conv = nn__conv_forward_geometry(g);
    const int channels = g->x.shape.extent[1], planes = g->x.shape.extent[0] * channels,
              each = nn__depthwise_each(g), first = unit * each;
    const ptrdiff_t source = (ptrdiff_t)conv.h.source * conv.w.source,
                    whole = (ptrdiff_t)conv.h.whole * conv.w.whole;
    const bool bias = nn__present(&g->epilogue.bias);
    nn__depthwise d;
    nn__conv_job job;
    nn__depthwise_begin(&d, cpu, &conv, own);
    job.weight_row = d.taps;
    job.activate = cpu->activations[g->epilogue.activation];
    job.accumulate = g->accumulate;
    for (int plane = first; plane < nn__mini(first + each, planes); plane++) {
        const int row = plane % channels * conv.rows;
        job.x = nn__f32(&g->x) + plane * source;
        job.y = nn__f32(&g->y) + (ptrdiff_t)plane * conv.rows * whole;
        job.weight = nn__f32(&g->weight) + (ptrdiff_t)row * d.taps;
        job.bias = bias ? nn__f32(&g->epilogue.bias) + row : NULL;
#ifndef NN_NO_SPEEDUPS
        job.slope = NN__SLOPE_OF(g, row);
#endif
        nn__depthwise_plane(&d, &conv, &job);
    }
}

/* ---- backward_input: a product for each pair of classes of taps ------------------------------ */

NN_PRIVATE size_t nn__depthwise_input_own(const nn__cpu *cpu, const nn_conv2d_args *g) {
    (void)cpu;
    size_t most = 0;
    for (int pair = 0; pair < nn__conv_pairs(&g->params); pair++) {
        const nn__conv conv = nn__conv_backward_geometry(g, pair);
        size_t product, band;
        if (conv.h.outputs == 0 || conv.w.outputs == 0) continue;
        band = nn__depthwise_floats(&conv, &product);
        most = band + product > most ? band + product : most;
    }
    return most * sizeof(float);
}

/* Copies the weights that one channel of dx takes from its filters, in the order of the band's
   taps. */
static void nn__depthwise_pick(const nn_conv2d_args *g, const nn__conv *conv, int channel,
                               float *to) {
    const nn_conv2d_params *p = &g->params;
    const float *weight = nn__f32(&g->weight) + (ptrdiff_t)channel * conv->channels * p->kernel_h *
                                                    p->kernel_w;
    for (int k = 0; k < conv->channels; k++, weight += p->kernel_h * p->kernel_w)
        for (int i = 0; i < conv->h.taps; i++)
            for (int j = 0; j < conv->w.taps; j++)
                *to++ = weight[(conv->h.weight + i * conv->h.weight_step) * p->kernel_w +
                               conv->w.weight + j * conv->w.weight_step];
}

NN_PRIVATE void nn__depthwise_input_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit,
                                         void *own) {
    const int channels = g->x.shape.extent[1], planes = g->x.shape.extent[0] * channels,
              each = nn__depthwise_each(g), first = unit * each,
              end = nn__mini(first + each, planes);
    const ptrdiff_t whole = (ptrdiff_t)g->x.shape.extent[2] * g->x.shape.extent[3];
    const bool bias = nn__present(&g->epilogue.bias);
    float weight[NN__DEPTHWISE_TAPS];
    nn__depthwise d;
    nn__conv_job job;
    if (nn__conv_leaves_gaps(g))
        for (int plane = first; plane < end; plane++)
            nn__conv_clear_plane(cpu, g, plane % channels, nn__f32(&g->x) + plane * whole);
    memset(&job, 0, sizeof job);
    job.weight = weight;
    job.activate = cpu->activations[g->epilogue.activation];
    job.accumulate = g->accumulate;
    for (int pair = 0; pair < nn__conv_pairs(&g->params); pair++) {
        const nn__conv conv = nn__conv_backward_geometry(g, pair);
        const ptrdiff_t source = (ptrdiff_t)conv.h.source * conv.w.source;
        if (conv.h.outputs == 0 || conv.w.outputs == 0) continue;
        nn__depthwise_begin(&d, cpu, &conv, own);
        job.weight_row = d.taps;
        for (int plane = first; plane < end; plane++) {
            nn__depthwise_pick(g, &conv, plane % channels, weight);
            job.x = nn__f32(&g->y) + (ptrdiff_t)plane * conv.channels * source;
            job.y = nn__f32(&g->x) + plane * whole;
            job.bias = bias ? nn__f32(&g->epilogue.bias) + plane % channels : NULL;
            nn__depthwise_plane(&d, &conv, &job);
        }
    }
}

/* ---- backward_weight: a unit is a channel of x with its filters ------------------------------ */

#ifndef NN_NO_TRAINING
NN_PRIVATE int nn__depthwise_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    (void)cpu;
    return phase > 0 ? 0 : g->params.groups;
}

/* Returns the bytes of the scratch. After the band come rows of dy with zeros in the gaps, and
   sums. */
NN_PRIVATE size_t nn__depthwise_weight_own(const nn__cpu *cpu, const nn_conv2d_args *g) {
    return nn__depthwise_forward_own(cpu, g);
}

/* Adds the products of one image's filters, and with bias the sums of dy, to sum (filters, taps +
   1). x NULL: only the sums of dy. */
static void nn__depthwise_add(const nn__depthwise *d, const nn__conv *conv, const float *x,
                              const float *dy, bool bias, double *sum) {
    const int width = conv->w.outputs, row = conv->row;
    const ptrdiff_t y_plane = (ptrdiff_t)conv->h.outputs * width;
    for (int t = 0; t < conv->h.outputs; t += d->outputs) {
        const int outputs = nn__mini(d->outputs, conv->h.outputs - t),
                  runs = nn__depthwise_runs(conv, outputs);
        if (x)
            nn__depthwise_fill(d, conv, x, 1, t, outputs);
        for (int k = 0; k < conv->rows; k++) {
            double *to = sum + k * (d->taps + 1);
            const float *from = dy + k * y_plane + (ptrdiff_t)t * width;
            for (int q = 0; q < outputs; q++) {
                float *to_row = d->product + (ptrdiff_t)q * row;
                nn__conv_copy(to_row, from + (ptrdiff_t)q * width, width);
                for (int u = width; u < row; u++) to_row[u] = 0;
            }
            memset(d->product + outputs * row, 0, (size_t)(runs - outputs * row) * sizeof(float));
            if (x) d->loops->dot(to, d->product, d->band, d->offset, d->taps, runs);
            if (!bias) continue;
            float part[8] = {0};
            for (int i = 0; i < runs; i += 8)
                for (int l = 0; l < 8; l++) part[l] += d->product[i + l];
            for (int l = 0; l < 8; l++) to[d->taps] += (double)part[l];
        }
    }
}

NN_PRIVATE void nn__depthwise_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit,
                                          void *own) {
    const nn__conv conv = nn__conv_forward_geometry(g);
    const int channels = g->x.shape.extent[1];
    const ptrdiff_t source = (ptrdiff_t)conv.h.source * conv.w.source,
                    whole = (ptrdiff_t)conv.h.whole * conv.w.whole;
    const bool with_weight = nn__present(&g->weight), with_bias = nn__present(&g->epilogue.bias);
    double sum[NN__DEPTHWISE_TAPS + 4];
    nn__depthwise d;
    nn__depthwise_begin(&d, cpu, &conv, own);
    memset(sum, 0, sizeof sum);
    for (int n = 0; n < g->x.shape.extent[0]; n++) {
        const ptrdiff_t plane = (ptrdiff_t)n * channels + unit;
        nn__depthwise_add(&d, &conv, with_weight ? nn__f32(&g->x) + plane * source : NULL,
                          nn__f32(&g->y) + plane * conv.rows * whole, with_bias, sum);
    }
    for (int k = 0; k < conv.rows; k++) {
        const double *from = sum + k * (d.taps + 1);
        const ptrdiff_t filter = (ptrdiff_t)unit * conv.rows + k;
        float *to = with_weight ? nn__f32(&g->weight) + filter * d.taps : NULL;
        for (int i = 0; to && i < d.taps; i++)
            to[i] = g->accumulate ? to[i] + (float)from[i] : (float)from[i];
        if (!with_bias) continue;
        to = nn__f32(&g->epilogue.bias) + filter;
        *to = g->accumulate ? *to + (float)from[d.taps] : (float)from[d.taps];
    }
}
#endif

#undef NN__DEPTHWISE_BAND
#undef NN__DEPTHWISE_TAPS
#endif

typedef int nn__conv2d_depthwise_part; /* a file must not be empty under NN_NO_SIMD */
