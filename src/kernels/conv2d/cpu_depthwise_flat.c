/* kernels/conv2d/cpu_depthwise_flat.c - depthwise convolutions of 3 x 3 taps that keep a picture's
   size or halve it, and their gradients: how they are cut, and planes of less than a vector. Of
   those several channels are in one: a tap finds its numbers at one distance for all places, and a
   mask hides those that belong to another row or channel. Larger planes go the way of
   kernels/conv2d/cpu_depthwise_shift.c, strides of two that of
   kernels/conv2d/cpu_depthwise_halve.c; kernels/conv2d/cpu_depthwise.c has all other shapes, and
   machines without vectors.

   A unit has some planes, or some channels of all pictures; in backward_weight it has a few
   channels, whose pictures are added in their order. Nothing depends on threads. */
#include "cpu/gemm.h"
#include "cpu/simd.h"
#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SIMD

#ifdef NN__VECTOR8

#define NN__FLAT_TAPS   9
#define NN__FLAT_WIDE   16   /* lanes, at most */
#define NN__FLAT_EACH   65536 /* numbers of a unit, about */
#define NN__FLAT_UNITS  16   /* that there are at least, where planes are so many */
#define NN__FLAT_BLOCK  16   /* vectors of channels, or channels, side by side, at most */
#define NN__FLAT_SIDE   512  /* numbers that they have of a picture, about */
#define NN__FLAT_FLUSH  64   /* products that a lane adds before its sum goes to double */

typedef struct nn__flat nn__flat;
struct nn__flat {
    void (*multiply)(float *y, const float *x, const nn__flat *f, const float *weight, int n);
    void (*dot)(float *sums, const float *x, const nn__flat *f, const float *dy, int n);
    void (*splat)(float *to, float value);
    const nn__cpu *cpu;
    int wide, mask_bytes; /* lanes; bytes of the mask of one vector */
    int height, width;    /* of y */
    int plane, together;  /* its places; channels of a vector */
    bool masked;          /* planes of up to two vectors: each has masks of its own, which tell what
                             its taps find; larger ones go as `shift` does */
    int stride, channels, images;
    nn__clamp clamp; /* of what multiply and planes write */
    int block; /* vectors of channels, or channels, that are worked on side by side */
    ptrdiff_t offset[NN__FLAT_TAPS]; /* where a tap finds what belongs to the first place */
    char *mask;                      /* (vectors, taps) */
    nn__shift shift;                 /* of planes that are not masked */
    char *rest; /* of a last vector that has fewer channels: behind them nothing may be read */
    float *weight;                   /* (block, 10, wide): of taps and bias, or sums */
    float *sum;                      /* a vector or a plane of y */
};

/* ---- along a plane --------------------------------------------------------------------------- */

#define NN__FLAT_9(X)    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define NN__FLAT_LOAD(t) const NN__V w##t = NN__LOAD(weight + t * NN__WIDE);
#define NN__FLAT_FROM(t) const float *x##t = x + f->offset[t];
#define NN__FLAT_STEP(t)                                                                           \
    sum = NN__FMA(NN__SOME(x##t + i, NN__MASK(mask + t * NN__BYTES)), w##t, sum);
#define NN__FLAT_HAS(t)  NN__V s##t = NN__LOAD(sums + t * NN__WIDE);
#define NN__FLAT_DOT(t)                                                                            \
    s##t = NN__FMA(NN__SOME(x##t + i, NN__MASK(mask + t * NN__BYTES)), d, s##t);
#define NN__FLAT_KEEP(t) NN__STORE(sums + t * NN__WIDE, s##t);
#define NN__FLAT_RUN(start)                                                                        \
    for (int i = 0; i < n; i += NN__WIDE, mask += 9 * NN__BYTES) {                                 \
        NN__V sum = start;                                                                         \
        NN__FLAT_9(NN__FLAT_STEP)                                                                  \
        if (clamps) sum = NN__LIMIT(sum);                                                          \
        if (n - i >= NN__WIDE)                                                                     \
            NN__STORE(y + i, sum);                                                                 \
        else                                                                                       \
            NN__PUT(y + i, NN__FIRST(n - i), sum);                                                 \
    }

/* multiply: y = bias + the sum over taps of weight and what lies there, of n places; weights and
   bias, the last of ten, have a vector each. dot: sums (10 vectors) += the products of dy with what
   the nine taps read, and of dy alone. */
#define NN__FLAT_BODIES(name, target)                                                              \
    static target void name##_multiply(float *y, const float *x, const nn__flat *f,                \
                                       const float *weight, int n) {                               \
        NN__CONV_LIMITS(f->clamp)                                                                  \
        const bool clamps = f->clamp != NN__CLAMP_NOT;                                             \
        const char *mask = n < f->together * f->plane ? f->rest : f->mask;                         \
        const NN__V start = NN__LOAD(weight + 9 * NN__WIDE);                                       \
        NN__FLAT_9(NN__FLAT_LOAD)                                                                  \
        NN__FLAT_9(NN__FLAT_FROM)                                                                  \
        NN__FLAT_RUN(start)                                                                        \
    }                                                                                              \
    static target void name##_dot(float *sums, const float *x, const nn__flat *f,                  \
                                  const float *dy, int n) {                                        \
        const char *mask = n < f->together * f->plane ? f->rest : f->mask;                         \
        NN__V all = NN__LOAD(sums + 9 * NN__WIDE);                                                 \
        NN__FLAT_9(NN__FLAT_HAS)                                                                   \
        NN__FLAT_9(NN__FLAT_FROM)                                                                  \
        for (int i = 0; i < n; i += NN__WIDE, mask += 9 * NN__BYTES) {                             \
            const NN__V d =                                                                        \
                n - i >= NN__WIDE ? NN__LOAD(dy + i) : NN__SOME(dy + i, NN__FIRST(n - i));         \
            all = NN__ADD(all, d);                                                                 \
            NN__FLAT_9(NN__FLAT_DOT)                                                               \
        }                                                                                          \
        NN__FLAT_9(NN__FLAT_KEEP)                                                                  \
        NN__STORE(sums + 9 * NN__WIDE, all);                                                       \
    }                                                                                              \
    static target void name##_splat(float *to, float value) { NN__STORE(to, NN__SET(value)); }

#define NN__V            __m256
#define NN__WIDE         8
#define NN__BYTES        32
#define NN__LOAD(p)      _mm256_loadu_ps(p)
#define NN__SET(x)       _mm256_set1_ps(x)
#define NN__STORE(p, v)  _mm256_storeu_ps(p, v)
#define NN__MASK(p)      _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define NN__SOME(p, m)   _mm256_maskload_ps(p, m)
#define NN__PUT(p, m, v) _mm256_maskstore_ps(p, m, v)
#define NN__FIRST(n)     nn__first8(n)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__LIMIT(v)      _mm256_add_ps(_mm256_min_ps(most, _mm256_max_ps(least, v)), zero)
NN__FLAT_BODIES(nn__flat8, NN__AVX2)
#undef NN__V
#undef NN__WIDE
#undef NN__BYTES
#undef NN__LOAD
#undef NN__SET
#undef NN__STORE
#undef NN__MASK
#undef NN__SOME
#undef NN__PUT
#undef NN__FIRST
#undef NN__ADD
#undef NN__FMA
#undef NN__LIMIT

#ifdef NN__VECTOR16
#define NN__V            __m512
#define NN__WIDE         16
#define NN__BYTES        2
#define NN__LOAD(p)      _mm512_loadu_ps(p)
#define NN__SET(x)       _mm512_set1_ps(x)
#define NN__STORE(p, v)  _mm512_storeu_ps(p, v)
#define NN__MASK(p)      (*(const __mmask16 *)(const void *)(p))
#define NN__SOME(p, m)   _mm512_maskz_loadu_ps(m, p)
#define NN__PUT(p, m, v) _mm512_mask_storeu_ps(p, m, v)
#define NN__FIRST(n)     ((__mmask16)((1u << (n)) - 1u))
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__LIMIT(v)                                                                               \
    _mm512_add_ps(                                                                                 \
        _mm512_maskz_min_ps(NN__ALL16, most, _mm512_maskz_max_ps(NN__ALL16, least, v)), zero)
NN__FLAT_BODIES(nn__flat16, NN__AVX512)
#undef NN__V
#undef NN__WIDE
#undef NN__BYTES
#undef NN__LOAD
#undef NN__SET
#undef NN__STORE
#undef NN__MASK
#undef NN__SOME
#undef NN__PUT
#undef NN__FIRST
#undef NN__ADD
#undef NN__FMA
#undef NN__LIMIT
#endif

#undef NN__FLAT_9
#undef NN__FLAT_LOAD
#undef NN__FLAT_STEP
#undef NN__FLAT_FROM
#undef NN__FLAT_RUN
#undef NN__FLAT_HAS
#undef NN__FLAT_DOT
#undef NN__FLAT_KEEP
#undef NN__FLAT_BODIES

/* ---- the cut --------------------------------------------------------------------------------- */

#define NN__FLAT_ROW 2048 /* columns, at most: so many vectors may have masks of their own */

/* Sums that are activated before they are added go along bands, as nobody asks for them. */
NN_PRIVATE bool nn__flat_suits(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn_conv2d_params *p = &g->params;
    const int32_t *x = g->x.shape.extent, *y = g->y.shape.extent;
    const int stride = p->stride_h, channels = p->groups;
    if (!nn__vectors(cpu) || channels < 2 || x[1] != channels || y[1] != channels) return false;
    if (p->kernel_h != 3 || p->kernel_w != 3 || p->dilation_h != 1 || p->dilation_w != 1 ||
        p->padding_h != 1 || p->padding_w != 1 || p->stride_w != stride)
        return false;
    if (x[0] < 1 || y[2] < 1 || y[3] < 1 || (int64_t)x[0] * channels > INT32_MAX / 2 ||
        (int64_t)y[2] * stride != x[2] || (int64_t)y[3] * stride != x[3])
        return false;
    if (g->accumulate && cpu->activations[g->epilogue.activation]) return false;
    return stride == 2 || (stride == 1 && y[3] <= NN__FLAT_ROW);
}

/* What does not lie in the worker's memory. */
static void nn__flat_shape(nn__flat *f, const nn__cpu *cpu, const nn_conv2d_args *g) {
    memset(f, 0, sizeof *f);
    f->wide = 8;
    f->mask_bytes = 32;
    f->multiply = nn__flat8_multiply;
    f->dot = nn__flat8_dot;
    f->splat = nn__flat8_splat;
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        f->wide = 16;
        f->mask_bytes = 2;
        f->multiply = nn__flat16_multiply;
        f->dot = nn__flat16_dot;
        f->splat = nn__flat16_splat;
    }
#endif
    f->cpu = cpu;
    f->stride = g->params.stride_h;
    f->height = g->y.shape.extent[2];
    f->width = g->y.shape.extent[3];
    f->plane = f->height * f->width;
    f->channels = g->params.groups;
    f->images = g->x.shape.extent[0];
    f->together = f->stride == 1 ? nn__mini(f->channels, nn__maxi(1, f->wide / f->plane)) : 1;
    f->masked = f->stride == 1 && f->plane <= 2 * f->wide;
    f->block = nn__maxi(NN__FLAT_SIDE / (f->together * f->plane),
                        f->channels / (f->together * NN__CONV_UNITS));
    f->block = nn__mini(NN__FLAT_BLOCK, nn__maxi(1, f->block));
    f->block = nn__mini(f->block, nn__ceil_div(f->channels, f->together));
}

static size_t nn__flat_masks(const nn__flat *f) {
    if (f->stride > 1) return 0;
    if (!f->masked) return nn__shift_bytes(f->cpu, f->width);
    return nn__align_up((size_t)(2 * NN__FLAT_TAPS * f->mask_bytes), 64);
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

/* Of tap t, which reads h rows and w columns further on: the places of so many channels where that
   is in the plane. */
static void nn__flat_fill_mask(const nn__flat *f, char *masks, int channels, int t, int h, int w) {
    const int top = nn__maxi(0, -h), bottom = nn__mini(f->height, f->height - h),
              left = nn__maxi(0, -w), right = nn__mini(f->width, f->width - w);
    for (int e = 0; e < channels; e++)
        for (int q = top; q < bottom; q++)
            for (int u = left; u < right; u++) {
                const int at = e * f->plane + q * f->width + u,
                          vector = at / f->wide * NN__FLAT_TAPS + t, lane = at % f->wide;
                char *mask = masks + vector * f->mask_bytes;
                if (f->mask_bytes == 2)
                    *(uint16_t *)(void *)mask =
                        (uint16_t)(*(uint16_t *)(void *)mask | 1u << lane);
                else
                    ((int32_t *)(void *)mask)[lane] = -1;
            }
}

/* input: dx of dy, which reads the other way round. */
static void nn__flat_begin(nn__flat *f, const nn__cpu *cpu, const nn_conv2d_args *g, bool input,
                           void *own) {
    nn__flat_shape(f, cpu, g);
    f->mask = (char *)own;
    f->rest = f->mask + NN__FLAT_TAPS * f->mask_bytes; /* or the second vector of one channel */
    f->weight = (float *)(void *)(f->mask + nn__flat_masks(f));
    f->sum = f->weight + f->block * (NN__FLAT_TAPS + 1) * f->wide;
    if (f->stride > 1) return;
    if (!f->masked) {
        nn__shift_begin(&f->shift, cpu, f->height, f->width, f->mask);
        return;
    }
    memset(f->mask, 0, nn__flat_masks(f));
    for (int t = 0; t < NN__FLAT_TAPS; t++) {
        const int h = input ? 1 - t / 3 : t / 3 - 1, w = input ? 1 - t % 3 : t % 3 - 1;
        f->offset[t] = (ptrdiff_t)h * f->width + w;
        nn__flat_fill_mask(f, f->mask, f->together, t, h, w);
        if (f->together > 1)
            nn__flat_fill_mask(f, f->rest, f->channels % f->together, t, h, w);
    }
}

/* The weights and the bias of the channels from `channel` on, a vector each. */
static void nn__flat_weights(const nn__flat *f, const nn_conv2d_args *g, int channel, int channels,
                             float *to) {
    const float *weight = nn__f32(&g->weight) + (ptrdiff_t)channel * NN__FLAT_TAPS,
                *bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias) + channel
                                                       : NULL;
    for (int t = 0; t < NN__FLAT_TAPS; t++) f->splat(to + t * f->wide, weight[t]);
    f->splat(to + NN__FLAT_TAPS * f->wide, bias ? *bias : 0.0f);
    for (int e = 1; e < channels; e++)
        for (int l = e * f->plane; l < (e + 1) * f->plane; l++) {
            for (int t = 0; t < NN__FLAT_TAPS; t++)
                to[t * f->wide + l] = weight[e * NN__FLAT_TAPS + t];
            if (bias) to[NN__FLAT_TAPS * f->wide + l] = bias[e];
        }
}

/* y, or dx, of some channels of one picture, whose weights are vectors. */
static void nn__flat_some(const nn__flat *f, const nn__conv_job *job, const float *x, float *y,
                          const float *weight, int channels) {
    const int n = channels * f->plane;
    f->multiply(job->accumulate ? f->sum : y, x, f, weight, n);
    for (int i = 0; job->accumulate && i < n; i++) y[i] += f->sum[i];
    if (job->activate) job->activate(y, n);
}

/* The same of a plane. */
static void nn__flat_plane(const nn__flat *f, const nn_conv2d_args *g, const nn__conv_job *job,
                           const float *x, float *y, int channel, bool input) {
    const float *weight = nn__f32(&g->weight) + (ptrdiff_t)channel * NN__FLAT_TAPS,
                bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias)[channel] : 0.0f;
    float taps[NN__FLAT_TAPS];
    for (int t = 0; t < NN__FLAT_TAPS; t++) taps[t] = weight[input ? NN__FLAT_TAPS - 1 - t : t];
    nn__shift_plane(&f->shift, y, x, taps, bias, job->accumulate, f->clamp);
    if (job->activate) job->activate(y, f->plane);
}

/* The same with strides of two. */
static void nn__flat_halve(const nn__flat *f, const nn_conv2d_args *g, const nn__conv_job *job,
                           int channel, int plane, bool input) {
    const float *weight = nn__f32(&g->weight) + (ptrdiff_t)channel * NN__FLAT_TAPS,
                bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias)[channel] : 0.0f;
    float *x = nn__f32(&g->x) + 4 * (ptrdiff_t)plane * f->plane,
          *y = nn__f32(&g->y) + (ptrdiff_t)plane * f->plane;
    if (input)
        nn__halve_input(f->cpu, x, y, weight, bias, f->height, f->width, job->accumulate);
    else
        nn__halve_forward(f->cpu, job->accumulate ? f->sum : y, x, weight, bias, f->height,
                          f->width, f->clamp);
    for (int i = 0; job->accumulate && !input && i < f->plane; i++) y[i] += f->sum[i];
    if (job->activate) job->activate(input ? x : y, f->plane * (input ? 4 : 1));
}

/* ---- units ----------------------------------------------------------------------------------- */

/* Planes that a unit has, or blocks of vectors of channels of all pictures. */
static int nn__flat_each(const nn__flat *f) {
    const int64_t large = (int64_t)f->plane * f->stride * f->stride;
    if (f->masked) return 1;
    return (int)nn__max64(1, nn__min64(NN__FLAT_EACH / large,
                                       (int64_t)f->images * f->channels / NN__FLAT_UNITS));
}
static int nn__flat_all(const nn__flat *f) {
    return f->masked ? nn__ceil_div(f->channels, f->together * f->block) : f->images * f->channels;
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
    job.activate = cpu->activations[g->epilogue.activation];
    job.accumulate = g->accumulate;
    if (f.stride == 1 || !input) f.clamp = nn__clamp_of(job.activate);
    if (f.clamp) job.activate = NULL;
    for (int i = first; f.stride == 2 && i < end; i++)
        nn__flat_halve(&f, g, &job, i % f.channels, i, input);
    if (f.stride == 2) return;
    for (int i = first; !f.masked && i < end; i++)
        nn__flat_plane(&f, g, &job, x + (ptrdiff_t)i * f.plane, y + (ptrdiff_t)i * f.plane,
                       i % f.channels, input);
    if (!f.masked) return;
    const int step = (NN__FLAT_TAPS + 1) * f.wide, channel = unit * f.block * f.together,
              last = nn__mini(f.channels, channel + f.block * f.together);
    for (int c = channel, b = 0; c < last; c += f.together, b++)
        nn__flat_weights(&f, g, c, nn__mini(f.together, last - c), f.weight + b * step);
    for (int n = 0; n < f.images; n++)
        for (int c = channel, b = 0; c < last; c += f.together, b++) {
            const ptrdiff_t at = ((ptrdiff_t)n * f.channels + c) * f.plane;
            nn__flat_some(&f, &job, x + at, y + at, f.weight + b * step,
                          nn__mini(f.together, last - c));
        }
}

#ifndef NN_NO_TRAINING
NN_PRIVATE int nn__flat_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    nn__flat f;
    nn__flat_shape(&f, cpu, g);
    return phase > 0 ? 0 : nn__ceil_div(f.channels, f.together * f.block);
}

/* The sums of the lanes of each channel are added, and the lanes begin anew. */
static void nn__flat_flush(const nn__flat *f, int channels, float *lanes, double *sum) {
    const int each = f->together > 1 ? f->plane : f->wide;
    for (int e = 0; e < channels; e++, sum += NN__FLAT_TAPS + 1) {
        double all[NN__FLAT_TAPS + 1] = {0}; /* none of which waits for another */
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
    for (int i = 0, added = 0; i < f.images; i++) {
        added += vectors;
        const bool flush = added >= NN__FLAT_FLUSH || i + 1 == f.images;
        for (int c = first, b = 0; c < last; c += f.together, b++) {
            const int channels = nn__mini(f.together, last - c);
            const ptrdiff_t plane = (ptrdiff_t)i * f.channels + c;
            const float *x = nn__f32(&g->x) + plane * large,
                        *dy = nn__f32(&g->y) + plane * (ptrdiff_t)f.plane;
            /* of the next picture, which lies far away */
            if ((f.masked || f.stride > 1) && i + 1 < f.images) {
                nn__gemm_ahead(x + f.channels * large, channels * (int)large);
                nn__gemm_ahead(dy + (ptrdiff_t)f.channels * f.plane, channels * f.plane);
            }
            if (f.stride == 2)
                nn__halve_dot(cpu, f.weight + b * step, x, dy, f.height, f.width);
            else if (!f.masked)
                nn__shift_dot(&f.shift, f.weight + b * step, x, dy,
                              nn__present(&g->epilogue.bias));
            else
                f.dot(f.weight + b * step, x, &f, dy, channels * f.plane);
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

#undef NN__FLAT_TAPS
#undef NN__FLAT_WIDE
#undef NN__FLAT_EACH
#undef NN__FLAT_UNITS
#undef NN__FLAT_FLUSH
#undef NN__FLAT_BLOCK
#undef NN__FLAT_SIDE
#undef NN__FLAT_ROW

#else /* other machines go along bands */
NN_PRIVATE bool nn__flat_suits(const nn__cpu *cpu, const nn_conv2d_args *g) {
    (void)cpu, (void)g;
    return false;
}
NN_PRIVATE int nn__flat_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    (void)cpu, (void)g, (void)phase;
    return 0;
}
NN_PRIVATE size_t nn__flat_own(const nn__cpu *cpu, const nn_conv2d_args *g) {
    (void)cpu, (void)g;
    return 0;
}
NN_PRIVATE void nn__flat_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit, bool input,
                              void *own) {
    (void)cpu, (void)g, (void)unit, (void)input, (void)own;
}
#ifndef NN_NO_TRAINING
NN_PRIVATE int nn__flat_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    (void)cpu, (void)g, (void)phase;
    return 0;
}
NN_PRIVATE void nn__flat_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit,
                                     void *own) {
    (void)cpu, (void)g, (void)unit, (void)own;
}
#endif
#endif

#endif

typedef int nn__conv2d_depthwise_flat_part; /* a part must not be empty under NN_NO_SIMD */
