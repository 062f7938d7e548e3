/* kernels/grid_sample/cpu.c - samples images at given positions on the CPU. For forward and the
   gradient of the grid, a unit takes positions of a sample and loops over all channels. For the
   gradient of the image, it takes channels and loops over all positions. So no two units write the
   same numbers. */
#include "kernels/grid_sample/cpu.h"

enum {
    NN__GRID_RUNS = 4,     /* runs per unit that takes positions */
    NN__GRID_CHANNELS = 8, /* least channels per unit that takes channels */
    NN__GRID_UNITS = 32    /* units that take channels, approximately */
};

static const char *nn__grid_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_grid_sample_args *args = (const nn_grid_sample_args *)arguments;
    const nn_shape *x = nn__present(&args->x) ? &args->x.shape : &args->dx.shape;
    (void)cpu;
    if ((int64_t)x->extent[2] * x->extent[3] > INT32_MAX)
        return NN__TEXT("a plane has more than 2^31 numbers");
    return NULL;
}

static size_t nn__grid_own(const nn__cpu *cpu, const void *args) {
    (void)cpu, (void)args;
    return sizeof(nn__grid_run);
}

/* Units per sample, if units take positions. */
static int64_t nn__grid_parts(const nn_grid_sample_args *args) {
    const int64_t each = NN__GRID_RUN * NN__GRID_RUNS;
    return (nn__grid_count(args) + each - 1) / each;
}

/* y[i] = the sum of the taps of position i in the plane x. */
static void nn__grid_read(const nn__grid_run *run, int taps, int from, int count, float *y,
                          const float *x) {
    for (int i = from; i < count; i++) {
        float sum = 0.0f;
        for (int k = 0; k < taps; k++)
            sum += run->weight[k][i] * (run->keep[k][i] ? x[run->index[k][i]] : 0.0f);
        y[i] = sum;
    }
}

#ifdef NN__VECTOR8
/* Tap k of eight positions. Single loads are faster here than a gather. */
NN__AVX2_UNFUSED static inline __m256 nn__grid_eight(const nn__grid_run *run, int k, int i,
                                                     const float *x) {
    const int32_t *at = run->index[k] + i;
    const __m256i keep = _mm256_loadu_si256((const __m256i *)(const void *)(run->keep[k] + i));
    return _mm256_and_ps(_mm256_castsi256_ps(keep),
                         _mm256_setr_ps(x[at[0]], x[at[1]], x[at[2]], x[at[3]], x[at[4]], x[at[5]],
                                        x[at[6]], x[at[7]]));
}

/* Returns the number of positions done. */
NN__AVX2_UNFUSED static int nn__grid_read8(const nn__grid_run *run, int taps, int count, float *y,
                                           const float *x) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256 sum = _mm256_setzero_ps();
        for (int k = 0; k < taps; k++)
            sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(run->weight[k] + i),
                                                   nn__grid_eight(run, k, i, x)));
        _mm256_storeu_ps(y + i, sum);
    }
    return i;
}
#endif

static int nn__grid_forward_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_grid_sample_args *args = (const nn_grid_sample_args *)arguments;
    (void)cpu;
    return phase == 0 ? (int)(args->x.shape.extent[0] * nn__grid_parts(args)) : 0;
}

static void nn__grid_forward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                  void *shared, void *own) {
    const nn_grid_sample_args *args = (const nn_grid_sample_args *)arguments;
    const nn_shape *x = &args->x.shape;
    const int64_t places = nn__grid_count(args), parts = nn__grid_parts(args),
                  plane = (int64_t)x->extent[2] * x->extent[3], first = unit % parts;
    const int n = (int)(unit / parts), channels = x->extent[1], taps = nn__grid_taps(args);
    const int64_t end = nn__min64((first + 1) * NN__GRID_RUN * NN__GRID_RUNS, places);
    nn__grid_run *run = (nn__grid_run *)own;
    (void)cpu, (void)phase, (void)shared;
    for (int64_t at = first * NN__GRID_RUN * NN__GRID_RUNS; at < end; at += NN__GRID_RUN) {
        const int count = (int)nn__min64(NN__GRID_RUN, end - at);
        nn__grid_places(args, n, at, count, false, run);
        for (int64_t c = (int64_t)n * channels; c < ((int64_t)n + 1) * channels; c++) {
            float *y = nn__f32(&args->y) + c * places + at;
            const float *from = nn__f32(&args->x) + c * plane;
            int i = 0;
#ifdef NN__VECTOR8
            if (nn__vectors(cpu)) i = nn__grid_read8(run, taps, count, y, from);
#endif
            nn__grid_read(run, taps, i, count, y, from);
        }
    }
}

static const nn__cpu_kernel nn__grid_forward = {nn__grid_forward_units, nn__grid_forward_unit, NULL,
                                                nn__grid_own, nn__grid_refuses};

/* ---- backward -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* Channels per unit. With more of them, the positions are computed less often. */
static int nn__grid_channels(const nn_grid_sample_args *args) {
    const int64_t all = (int64_t)args->y.shape.extent[0] * args->y.shape.extent[1];
    return nn__maxi(NN__GRID_CHANNELS,
                    (int)nn__min64(all / NN__GRID_UNITS, args->y.shape.extent[1]));
}
/* Units per sample that take channels. */
static int64_t nn__grid_sets(const nn_grid_sample_args *args) {
    const int each = nn__grid_channels(args);
    return (args->y.shape.extent[1] + each - 1) / each;
}

/* dgrid is phase 0, dx the phase after it (or phase 0 without dgrid). */
static int nn__grid_backward_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_grid_sample_args *args = (const nn_grid_sample_args *)arguments;
    const int64_t samples = args->grid.shape.extent[0];
    const bool places = nn__present(&args->dgrid), pixels = nn__present(&args->dx);
    (void)cpu;
    if (phase == 0 && places) return (int)(samples * nn__grid_parts(args));
    if (phase == places && pixels) return (int)(samples * nn__grid_sets(args));
    return 0;
}

/* Adds the part of dy and of the plane x to the gradient of position i: sums[i] for gx and
   sums[NN__GRID_RUN + i] for gy. */
static void nn__grid_slopes(const nn__grid_run *run, int taps, int from, int count, float *sums,
                            const float *dy, const float *x) {
    for (int i = from; i < count; i++) {
        float across = 0.0f, down = 0.0f;
        for (int k = 0; k < taps; k++) {
            const float value = run->keep[k][i] ? x[run->index[k][i]] : 0.0f;
            across += run->slope[0][k][i] * value;
            down += run->slope[1][k][i] * value;
        }
        sums[i] += across * dy[i];
        sums[NN__GRID_RUN + i] += down * dy[i];
    }
}

#ifdef NN__VECTOR8
NN__AVX2_UNFUSED static int nn__grid_slopes8(const nn__grid_run *run, int taps, int count,
                                             float *sums, const float *dy, const float *x) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256 across = _mm256_setzero_ps(), down = across, slope = _mm256_loadu_ps(dy + i);
        float *to = sums + NN__GRID_RUN + i;
        for (int k = 0; k < taps; k++) {
            const __m256 value = nn__grid_eight(run, k, i, x);
            across = _mm256_add_ps(
                across, _mm256_mul_ps(_mm256_loadu_ps(run->slope[0][k] + i), value));
            down = _mm256_add_ps(down,
                                 _mm256_mul_ps(_mm256_loadu_ps(run->slope[1][k] + i), value));
        }
        _mm256_storeu_ps(sums + i, _mm256_add_ps(_mm256_loadu_ps(sums + i),
                                                 _mm256_mul_ps(across, slope)));
        _mm256_storeu_ps(to, _mm256_add_ps(_mm256_loadu_ps(to), _mm256_mul_ps(down, slope)));
    }
    return i;
}
#endif

static void nn__grid_dgrid_unit(const nn__cpu *cpu, const nn_grid_sample_args *args, int unit,
                                nn__grid_run *run) {
    const nn_shape *x = &args->x.shape;
    const int64_t places = nn__grid_count(args), parts = nn__grid_parts(args),
                  plane = (int64_t)x->extent[2] * x->extent[3], first = unit % parts;
    const int n = (int)(unit / parts), channels = x->extent[1], taps = nn__grid_taps(args);
    const int64_t end = nn__min64((first + 1) * NN__GRID_RUN * NN__GRID_RUNS, places);
    float sums[2 * NN__GRID_RUN];
    (void)cpu;
    for (int64_t at = first * NN__GRID_RUN * NN__GRID_RUNS; at < end; at += NN__GRID_RUN) {
        const int count = (int)nn__min64(NN__GRID_RUN, end - at);
        float *to = nn__f32(&args->dgrid) + 2 * (n * places + at);
        memset(sums, 0, sizeof sums);
        if (args->mode != NN_GRID_NEAREST) nn__grid_places(args, n, at, count, true, run);
        for (int64_t c = (int64_t)n * channels;
             args->mode != NN_GRID_NEAREST && c < ((int64_t)n + 1) * channels; c++) {
            const float *dy = nn__f32(&args->y) + c * places + at;
            const float *from = nn__f32(&args->x) + c * plane;
            int i = 0;
#ifdef NN__VECTOR8
            if (nn__vectors(cpu)) i = nn__grid_slopes8(run, taps, count, sums, dy, from);
#endif
            nn__grid_slopes(run, taps, i, count, sums, dy, from);
        }
        for (int i = 0; i < 2 * count; i++) {
            const float sum = sums[i % 2 * NN__GRID_RUN + i / 2];
            to[i] = args->accumulate ? to[i] + sum : sum;
        }
    }
}

/* part[k][i] = the part of tap k of position i. */
static void nn__grid_parts_of(const nn__grid_run *run, int taps, int from, int count,
                              float part[16][NN__GRID_RUN], const float *dy) {
    for (int k = 0; k < taps; k++)
        for (int i = from; i < count; i++)
            part[k][i] = run->keep[k][i] ? run->weight[k][i] * dy[i] : 0.0f;
}

#ifdef NN__VECTOR8
NN__AVX2_UNFUSED static int nn__grid_parts_of8(const nn__grid_run *run, int taps, int count,
                                               float part[16][NN__GRID_RUN], const float *dy) {
    const int end = count / 8 * 8;
    for (int k = 0; k < taps; k++)
        for (int i = 0; i < end; i += 8) {
            const __m256 keep = _mm256_loadu_ps((const float *)(const void *)(run->keep[k] + i));
            const __m256 weight = _mm256_loadu_ps(run->weight[k] + i);
            _mm256_storeu_ps(
                part[k] + i,
                _mm256_and_ps(keep, _mm256_mul_ps(weight, _mm256_loadu_ps(dy + i))));
        }
    return end;
}
#endif

/* Adds the taps of the positions to a plane, one position after the other. A tap outside adds 0 to
   the first pixel, because a branch would cost more. */
static void nn__grid_spread(const nn__cpu *cpu, const nn__grid_run *run, int taps, int count,
                            float *dx, const float *dy) {
    float part[16][NN__GRID_RUN];
    int done = 0;
    (void)cpu;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) done = nn__grid_parts_of8(run, taps, count, part, dy);
#endif
    nn__grid_parts_of(run, taps, done, count, part, dy);
    if (taps == 1)
        for (int i = 0; i < count; i++) dx[run->index[0][i]] += part[0][i];
    else
        for (int k = 0; k < taps; k += 4)
            for (int i = 0; i < count; i++) {
                dx[run->index[k][i]] += part[k][i];
                dx[run->index[k + 1][i]] += part[k + 1][i];
                dx[run->index[k + 2][i]] += part[k + 2][i];
                dx[run->index[k + 3][i]] += part[k + 3][i];
            }
}

static void nn__grid_dx_unit(const nn__cpu *cpu, const nn_grid_sample_args *args, int unit,
                             nn__grid_run *run) {
    const nn_shape *x = &args->dx.shape;
    const int64_t places = nn__grid_count(args), sets = nn__grid_sets(args),
                  plane = (int64_t)x->extent[2] * x->extent[3];
    const int n = (int)(unit / sets), taps = nn__grid_taps(args),
              each = nn__grid_channels(args), first = (int)(unit % sets) * each,
              end = nn__mini(first + each, x->extent[1]);
    float *dx = nn__f32(&args->dx) + ((int64_t)n * x->extent[1] + first) * plane;
    if (!args->accumulate) memset(dx, 0, (size_t)((end - first) * plane) * sizeof *dx);
    for (int64_t at = 0; at < places; at += NN__GRID_RUN) {
        const int count = (int)nn__min64(NN__GRID_RUN, places - at);
        nn__grid_places(args, n, at, count, false, run);
        for (int c = first; c < end; c++) {
            const float *dy =
                nn__f32(&args->y) + ((int64_t)n * x->extent[1] + c) * places + at;
            nn__grid_spread(cpu, run, taps, count, dx + (c - first) * plane, dy);
        }
    }
}

static void nn__grid_backward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                   void *shared, void *own) {
    const nn_grid_sample_args *args = (const nn_grid_sample_args *)arguments;
    (void)shared;
    if (phase == 0 && nn__present(&args->dgrid))
        nn__grid_dgrid_unit(cpu, args, unit, (nn__grid_run *)own);
    else
        nn__grid_dx_unit(cpu, args, unit, (nn__grid_run *)own);
}

static const nn__cpu_kernel nn__grid_backward = {nn__grid_backward_units, nn__grid_backward_unit,
                                                 NULL, nn__grid_own, nn__grid_refuses};
#endif

NN_PRIVATE void nn__install_grid_sample(nn_context *nn) {
    NN__CPU_INSTALL(nn, GRID_SAMPLE_FORWARD, grid_sample_forward, &nn__grid_forward);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, GRID_SAMPLE_BACKWARD, grid_sample_backward, &nn__grid_backward);
#endif
}
