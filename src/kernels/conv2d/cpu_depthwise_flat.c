/* kernels/conv2d/cpu_depthwise_flat.c - how depthwise convolutions of 3 x 3 that keep or halve an
   image, and their gradients, are cut. If a plane is smaller than a vector, a vector holds several
   channels. The loops are in kernels/conv2d/vector_depthwise.h. kernels/conv2d/cpu_depthwise.c has
   all other shapes, and plain C.

   A unit has some planes, or some channels of all images. In backward_weight it has a few channels
   and adds their images in order. The bytes do not depend on threads. */
#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SIMD

#define NN__FLAT_TAPS 9
#define NN__FLAT_WIDE 16 /* most lanes */

typedef struct nn__flat {
    const nn__depthwise_loops *loops;
#ifndef NN_NO_SPEEDUPS
    const nn__gemm_set *set;
#endif
    int wide;             /* lanes */
    int height, width;    /* of y */
    int plane, together;  /* positions of a plane; channels per vector */
    bool turns;           /* a vector holds one plane or several */
    int stride, channels, images;
    int block;            /* vectors of channels, or channels, that are processed together */
    nn__clamp clamp;      /* the activation of the output */
    ptrdiff_t apart;      /* distance between two images */
    nn__shift shift;      /* for planes larger than a vector */
    nn__turns turn, rest; /* for a vector of channels; for a last one with fewer */
    float *weight;        /* (block, 10, wide): taps and bias, or sums */
    float *sum;           /* a vector or a plane of y */
} nn__flat;

#define NN__FLAT_EACH   65536 /* numbers per unit, approximately */
#define NN__FLAT_UNITS  16   /* least number of units, if there are enough planes */
#define NN__FLAT_BLOCK  16   /* most vectors of channels, or channels, side by side */
#define NN__FLAT_SIDE   512  /* numbers of these in one image, approximately */
#define NN__FLAT_FLUSH  64   /* products that a lane adds before its sum is added in double */
#define NN__FLAT_IMAGES 4    /* images that are processed together, with weights or sums in
                                registers */

/* ---- the cut --------------------------------------------------------------------------------- */

#define NN__FLAT_ROW 2048 /* most columns; each vector of a row may need its own masks */

/* Sums with an activation and accumulate use bands; no caller needs them. */
NN_PRIVATE bool nn__flat_suits(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn_conv2d_params *p = &g->params;
    const int32_t *x = g->x.shape.extent, *y = g->y.shape.extent;
    const int stride = p->stride_h, channels = p->groups;
    const nn__depthwise_loops *loops = nn__depthwise_loops_of(cpu);
    if (!loops->shift || channels < 2 || x[1] != channels || y[1] != channels) return false;
    if (p->kernel_h != 3 || p->kernel_w != 3 || p->dilation_h != 1 || p->dilation_w != 1 ||
        p->padding_h != 1 || p->padding_w != 1 || p->stride_w != stride)
        return false;
    if (x[0] < 1 || y[2] < 1 || y[3] < 1 || (int64_t)x[0] * channels > INT32_MAX / 2 ||
        (int64_t)y[2] * stride != x[2] || (int64_t)y[3] * stride != x[3])
        return false;
    if (g->accumulate && cpu->activations[g->epilogue.activation]) return false;
    return stride == 2 || (stride == 1 && y[3] <= NN__FLAT_ROW);
}

/* Sets the fields that do not point into the worker's scratch. */
static void nn__flat_shape(nn__flat *f, const nn__cpu *cpu, const nn_conv2d_args *g) {
    memset(f, 0, sizeof *f);
#ifndef NN_NO_SPEEDUPS
    f->set = nn__gemm_set_of(cpu);
#endif
    f->loops = nn__depthwise_loops_of(cpu);
    f->wide = f->loops->lanes;
    f->stride = g->params.stride_h;
    f->height = g->y.shape.extent[2];
    f->width = g->y.shape.extent[3];
    f->plane = f->height * f->width;
    f->channels = g->params.groups;
    f->images = g->x.shape.extent[0];
    f->apart = (ptrdiff_t)f->channels * f->plane;
    f->together = f->stride == 1 ? nn__mini(f->channels, nn__maxi(1, f->wide / f->plane)) : 1;
    f->turns = f->stride == 1 && f->plane <= f->wide;
    f->block = nn__maxi(NN__FLAT_SIDE / (f->together * f->plane),
                        f->channels / (f->together * NN__CONV_UNITS));
    f->block = nn__mini(NN__FLAT_BLOCK, nn__maxi(1, f->block));
    f->block = nn__mini(f->block, nn__ceil_div(f->channels, f->together));
}

/* Returns the number of vectors after which columns are in the same lanes again. */
static int nn__flat_period(const nn__flat *f) {
    int period = f->width;
    for (int wide = f->wide; wide > 1 && period % 2 == 0; wide /= 2) period /= 2;
    return period;
}
static size_t nn__flat_masks(const nn__flat *f) {
    if (f->stride > 1) return 0;
    if (!f->turns)
        return nn__align_up((size_t)nn__flat_period(f) * 2 * (size_t)f->loops->mask_bytes, 64);
    return nn__align_up((size_t)(2 * NN__FLAT_TAPS * f->wide) * sizeof(int32_t), 64);
}
static size_t nn__flat_sum(const nn__flat *f) {
    return nn__align_up((size_t)f->together * (size_t)f->plane, 16);
}

NN_PRIVATE size_t nn__flat_own(const nn__cpu *cpu, const nn_conv2d_args *g) {
    nn__flat f;
    nn__flat_shape(&f, cpu, g);
    return nn__flat_masks(&f) +
           ((size_t)(f.block * (NN__FLAT_TAPS + 1) * f.wide) + nn__flat_sum(&f)) * sizeof(float);
}

/* For a tap that reads h rows and w columns further on: stores the lane that each lane reads. */
static void nn__flat_fill(const nn__flat *f, int32_t *at, int channels, int h, int w) {
    const int top = nn__maxi(0, -h), bottom = nn__mini(f->height, f->height - h),
              left = nn__maxi(0, -w), right = nn__mini(f->width, f->width - w);
    for (int l = 0; l < f->wide; l++) at[l] = f->wide;
    for (int e = 0; e < channels; e++)
        for (int q = top; q < bottom; q++)
            for (int u = left; u < right; u++) {
                const int lane = e * f->plane + q * f->width + u;
                at[lane] = lane + h * f->width + w;
            }
}

/* input: computes dx from dy, with the taps in reverse. */
static void nn__flat_begin(nn__flat *f, const nn__cpu *cpu, const nn_conv2d_args *g, bool input,
                           void *own) {
    nn__flat_shape(f, cpu, g);
    f->weight = (float *)(void *)((char *)own + nn__flat_masks(f));
    f->sum = f->weight + f->block * (NN__FLAT_TAPS + 1) * f->wide;
    if (f->stride > 1) return;
    if (!f->turns) {
        f->shift.n = f->plane, f->shift.width = f->width;
        f->shift.period = nn__flat_period(f);
        f->shift.masks = own;
        f->loops->masks(own, f->shift.period, f->width);
        return;
    }
    int32_t *at = (int32_t *)own, *rest = at + NN__FLAT_TAPS * f->wide;
    f->turn.at = at, f->rest.at = rest;
    f->turn.apart = f->rest.apart = f->apart;
    for (int t = 0; t < NN__FLAT_TAPS; t++) {
        const int h = input ? 1 - t / 3 : t / 3 - 1, w = input ? 1 - t % 3 : t % 3 - 1;
        nn__flat_fill(f, at + t * f->wide, f->together, h, w);
        nn__flat_fill(f, rest + t * f->wide, f->channels % f->together, h, w);
    }
}
static const nn__turns *nn__flat_turns(const nn__flat *f, int channels) {
    return channels < f->together ? &f->rest : &f->turn;
}

/* Stores the weights and the bias of the channels from `channel` on, one vector each. */
static void nn__flat_weights(const nn__flat *f, const nn_conv2d_args *g, int channel, int channels,
                             float *to) {
    const float *weight = nn__f32(&g->weight) + (ptrdiff_t)channel * NN__FLAT_TAPS,
                *bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias) + channel
                                                       : NULL;
    for (int t = 0; t <= NN__FLAT_TAPS; t++)
        for (int l = 0; l < f->wide; l++)
            to[t * f->wide + l] = t < NN__FLAT_TAPS ? weight[t] : bias ? *bias : 0.0f;
    for (int e = 1; e < channels; e++)
        for (int l = e * f->plane; l < (e + 1) * f->plane; l++) {
            for (int t = 0; t < NN__FLAT_TAPS; t++)
                to[t * f->wide + l] = weight[e * NN__FLAT_TAPS + t];
            if (bias) to[NN__FLAT_TAPS * f->wide + l] = bias[e];
        }
}

/* Prefetches later images, which lie far away. */
static void nn__flat_ahead(const nn__flat *f, const float *x, int images, int channels) {
    for (int i = 0; i < images; i++) nn__gemm_ahead(x + i * f->apart, channels * f->plane);
}

/* Computes y or dx for some channels, from `channel` on, of some images, with the weights in
   vectors. */
static void nn__flat_some(const nn__flat *f, const nn__conv_job *job, const float *x, float *y,
                          const float *weight, int channel, int channels, int images) {
    const int n = channels * f->plane;
    const nn__turns *turns = nn__flat_turns(f, channels);
    (void)channel;
    if (!job->accumulate) f->loops->turn(y, x, turns, weight, n, images, f->clamp);
    NN__IF_SLOPE(job->slope, {
        for (int i = 0; i < images; i++)
            f->set->bend_rows(y + i * f->apart, f->plane, channels, f->plane, NULL,
                              job->slope + channel);
    });
    if (!job->accumulate && !job->activate) return;
    for (; images > 0; images--, x += f->apart, y += f->apart) {
        if (job->accumulate) f->loops->turn(f->sum, x, turns, weight, n, 1, f->clamp);
        for (int i = 0; job->accumulate && i < n; i++) y[i] += f->sum[i];
        if (job->activate) job->activate(y, n);
    }
}

/* Computes a plane of y or dx that is larger than a vector. */
static void nn__flat_plane(const nn__flat *f, const nn_conv2d_args *g, const nn__conv_job *job,
                           const float *x, float *y, int channel, bool input) {
    const float *weight = nn__f32(&g->weight) + (ptrdiff_t)channel * NN__FLAT_TAPS,
                bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias)[channel] : 0.0f;
    float taps[NN__FLAT_TAPS];
    for (int t = 0; t < NN__FLAT_TAPS; t++) taps[t] = weight[input ? NN__FLAT_TAPS - 1 - t : t];
    f->loops->shift(&f->shift, y, x, taps, bias, job->accumulate, f->clamp);
    if (job->activate) job->activate(y, f->plane);
    NN__IF_SLOPE(job->slope,
                 f->set->bend_rows(y, 0, 1, f->plane, NULL, job->slope + channel));
}

/* Computes a plane of y or dx with strides of two. */
static void nn__flat_halve(const nn__flat *f, const nn_conv2d_args *g, const nn__conv_job *job,
                           int channel, int plane, bool input) {
    const float *weight = nn__f32(&g->weight) + (ptrdiff_t)channel * NN__FLAT_TAPS,
                bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias)[channel] : 0.0f;
    float *x = nn__f32(&g->x) + 4 * (ptrdiff_t)plane * f->plane,
          *y = nn__f32(&g->y) + (ptrdiff_t)plane * f->plane;
    if (input)
        f->loops->halve_input(x, y, weight, bias, f->height, f->width, job->accumulate);
    else
        f->loops->halve(job->accumulate ? f->sum : y, x, weight, bias, f->height, f->width,
                        f->clamp);
    for (int i = 0; job->accumulate && !input && i < f->plane; i++) y[i] += f->sum[i];
    if (job->activate) job->activate(input ? x : y, f->plane * (input ? 4 : 1));
    NN__IF_SLOPE(job->slope,
                 f->set->bend_rows(y, 0, 1, f->plane, NULL, job->slope + channel));
}

/* ---- units ----------------------------------------------------------------------------------- */

/* Returns the planes per unit, or the blocks of vectors of channels of all images. */
static int nn__flat_each(const nn__flat *f) {
    const int64_t large = (int64_t)f->plane * f->stride * f->stride;
    if (f->turns) return 1;
    return (int)nn__max64(1, nn__min64(NN__FLAT_EACH / large,
                                       (int64_t)f->images * f->channels / NN__FLAT_UNITS));
}
static int nn__flat_all(const nn__flat *f) {
    return f->turns ? nn__ceil_div(f->channels, f->together * f->block) : f->images * f->channels;
}

NN_PRIVATE int nn__flat_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    nn__flat f;
    nn__flat_shape(&f, cpu, g);
    return phase > 0 ? 0 : nn__ceil_div(nn__flat_all(&f), nn__flat_each(&f));
}

NN_PRIVATE void nn__flat_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit, bool input,
                              void *own) {
    nn__flat f;
    nn__conv_job job;
    nn__flat_begin(&f, cpu, g, input, own);
    const int each = nn__flat_each(&f), first = unit * each,
              end = nn__mini(first + each, nn__flat_all(&f));
    const float *x = nn__f32(input ? &g->y : &g->x);
    float *y = nn__f32(input ? &g->x : &g->y);
    memset(&job, 0, sizeof job);
    job.activate = cpu->activations[g->epilogue.activation];
    job.accumulate = g->accumulate;
#ifndef NN_NO_SPEEDUPS
    job.slope = NN__SLOPE_OF(g, 0); /* absent from a gradient */
#endif
    if (f.stride == 1 || !input) f.clamp = nn__clamp_of(job.activate);
    if (f.clamp) job.activate = NULL;
    for (int i = first; f.stride == 2 && i < end; i++)
        nn__flat_halve(&f, g, &job, i % f.channels, i, input);
    if (f.stride == 2) return;
    for (int i = first; !f.turns && i < end; i++)
        nn__flat_plane(&f, g, &job, x + (ptrdiff_t)i * f.plane, y + (ptrdiff_t)i * f.plane,
                       i % f.channels, input);
    if (!f.turns) return;
    const int step = (NN__FLAT_TAPS + 1) * f.wide, channel = unit * f.block * f.together,
              last = nn__mini(f.channels, channel + f.block * f.together);
    for (int c = channel, b = 0; c < last; c += f.together, b++)
        nn__flat_weights(&f, g, c, nn__mini(f.together, last - c), f.weight + b * step);
    for (int n = 0; n < f.images; n += NN__FLAT_IMAGES)
        for (int c = channel, b = 0; c < last; c += f.together, b++) {
            const ptrdiff_t at = ((ptrdiff_t)n * f.channels + c) * f.plane;
            const int channels = nn__mini(f.together, last - c), left = f.images - n;
            nn__flat_ahead(&f, x + at + NN__FLAT_IMAGES * f.apart,
                           nn__mini(NN__FLAT_IMAGES, left - NN__FLAT_IMAGES), channels);
            nn__flat_some(&f, &job, x + at, y + at, f.weight + b * step, c, channels,
                          nn__mini(NN__FLAT_IMAGES, left));
        }
}

#ifndef NN_NO_TRAINING
NN_PRIVATE int nn__flat_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    nn__flat f;
    nn__flat_shape(&f, cpu, g);
    return phase > 0 ? 0 : nn__ceil_div(f.channels, f.together * f.block);
}

/* Adds the sums of the lanes to each channel, and clears the lanes. */
static void nn__flat_flush(const nn__flat *f, int channels, float *lanes, double *sum) {
    const int each = f->together > 1 ? f->plane : f->wide;
    for (int e = 0; e < channels; e++, sum += NN__FLAT_TAPS + 1) {
        double all[NN__FLAT_TAPS + 1] = {0}; /* independent sums */
        for (int l = e * each; l < (e + 1) * each; l++)
            for (int t = 0; t <= NN__FLAT_TAPS; t++) all[t] += (double)lanes[t * f->wide + l];
        for (int t = 0; t <= NN__FLAT_TAPS; t++) sum[t] += all[t];
    }
    memset(lanes, 0, (size_t)((NN__FLAT_TAPS + 1) * f->wide) * sizeof(float));
}

NN_PRIVATE void nn__flat_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit,
                                     void *own) {
    double sum[NN__FLAT_BLOCK * NN__FLAT_WIDE * (NN__FLAT_TAPS + 1)];
    nn__flat f;
    nn__flat_begin(&f, cpu, g, false, own);
    const int step = (NN__FLAT_TAPS + 1) * f.wide, first = unit * f.block * f.together,
              last = nn__mini(f.channels, first + f.block * f.together),
              vectors = f.stride == 2 ? f.height * nn__ceil_div(f.width, f.wide)
                                      : nn__ceil_div(f.together * f.plane, f.wide);
    const ptrdiff_t large = (ptrdiff_t)f.plane * f.stride * f.stride;
    f.shift.ahead = (ptrdiff_t)f.channels * f.plane;
    memset(sum, 0, (size_t)(f.block * f.together * (NN__FLAT_TAPS + 1)) * sizeof *sum);
    memset(f.weight, 0, (size_t)(f.block * step) * sizeof(float));
    for (int i = 0, added = 0, images = 0; i < f.images; i += images) {
        images = f.turns ? nn__mini(NN__FLAT_IMAGES, f.images - i) : 1;
        added += images * vectors;
        const bool flush = added >= NN__FLAT_FLUSH || i + images == f.images;
        for (int c = first, b = 0; c < last; c += f.together, b++) {
            const int channels = nn__mini(f.together, last - c);
            const ptrdiff_t plane = (ptrdiff_t)i * f.channels + c;
            const float *x = nn__f32(&g->x) + plane * large,
                        *dy = nn__f32(&g->y) + plane * (ptrdiff_t)f.plane;
            if (f.turns) {
                const int more = nn__mini(NN__FLAT_IMAGES, f.images - i - images);
                nn__flat_ahead(&f, x + images * f.apart, more, channels);
                nn__flat_ahead(&f, dy + images * f.apart, more, channels);
            } else if (f.stride > 1 && i + 1 < f.images) { /* the next image lies far away */
                nn__gemm_ahead(x + f.channels * large, channels * (int)large);
                nn__gemm_ahead(dy + (ptrdiff_t)f.channels * f.plane, channels * f.plane);
            }
            if (f.stride == 2)
                f.loops->halve_dot(f.weight + b * step, x, dy, f.height, f.width);
            else if (!f.turns)
                f.loops->shift_dot(&f.shift, f.weight + b * step, x, dy,
                                   nn__present(&g->epilogue.bias));
            else
                f.loops->turn_dot(f.weight + b * step, x, nn__flat_turns(&f, channels), dy,
                                  channels * f.plane, images);
            if (flush)
                nn__flat_flush(&f, channels, f.weight + b * step,
                               sum + b * f.together * (NN__FLAT_TAPS + 1));
        }
        if (flush) added = 0;
    }
    for (int c = first; c < last; c++) {
        const double *add = sum + (c - first) * (NN__FLAT_TAPS + 1);
        float *to = nn__f32(&g->weight) + (ptrdiff_t)c * NN__FLAT_TAPS;
        for (int t = 0; t < NN__FLAT_TAPS; t++)
            to[t] = (g->accumulate ? to[t] : 0.0f) + (float)add[t];
        if (!nn__present(&g->epilogue.bias)) continue;
        to = nn__f32(&g->epilogue.bias) + c;
        *to = (g->accumulate ? *to : 0.0f) + (float)add[NN__FLAT_TAPS];
    }
}
#endif

NN_PRIVATE const nn__depthwise_ways *nn__depthwise_all(void) {
    static const nn__depthwise_ways ways = {
        nn__depthwise_suits,      nn__depthwise_units,     nn__depthwise_forward_own,
        nn__depthwise_forward_unit, nn__depthwise_input_own, nn__depthwise_input_unit,
        nn__flat_suits,           nn__flat_units,          nn__flat_own,
        nn__flat_unit,
#ifndef NN_NO_TRAINING
        nn__depthwise_weight_units, nn__depthwise_weight_own, nn__depthwise_weight_unit,
        nn__flat_weight_units,    nn__flat_weight_unit,
#endif
    };
    return &ways;
}

#undef NN__FLAT_EACH
#undef NN__FLAT_UNITS
#undef NN__FLAT_FLUSH
#undef NN__FLAT_IMAGES
#undef NN__FLAT_BLOCK
#undef NN__FLAT_SIDE
#undef NN__FLAT_ROW

#undef NN__FLAT_TAPS
#undef NN__FLAT_WIDE
#endif

typedef int nn__conv2d_depthwise_flat_part; /* a file must not be empty under NN_NO_SIMD */
