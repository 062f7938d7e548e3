/* kernels/grid_sample/cpu.c - samples images at given positions on the CPU. For forward and the
   gradient of the grid, a unit takes positions of a sample and loops over all channels. For the
   gradient of the image, it takes channels and loops over all positions. So no two units write the
   same numbers. */
#include "kernels/install_more.h"
#include "kernels/grid_sample/cpu.h"
#include "kernels/grid_sample/vector.h"

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

/* Returns the units per sample, if units take positions. */
static int64_t nn__grid_parts(const nn_grid_sample_args *args) {
    const int64_t each = NN__GRID_RUN * NN__GRID_RUNS;
    return (nn__grid_count(args) + each - 1) / each;
}

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
    (void)phase, (void)shared;
    for (int64_t at = first * NN__GRID_RUN * NN__GRID_RUNS; at < end; at += NN__GRID_RUN) {
        const int count = (int)nn__min64(NN__GRID_RUN, end - at);
        nn__grid_places(args, n, at, count, false, run);
        for (int64_t c = (int64_t)n * channels; c < ((int64_t)n + 1) * channels; c++) {
            float *y = nn__f32(&args->y) + c * places + at;
            const float *from = nn__f32(&args->x) + c * plane;
            NN__OF_NARROW(cpu, nn__grid_loops)->read(run, taps, count, y, from);
        }
    }
}

static const nn__cpu_kernel nn__grid_forward = {nn__grid_forward_units, nn__grid_forward_unit, NULL,
                                                nn__grid_own, nn__grid_refuses};

/* ---- backward -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* Returns the channels per unit. With more of them, the positions are computed less often. */
static int nn__grid_channels(const nn_grid_sample_args *args) {
    const int64_t all = (int64_t)args->y.shape.extent[0] * args->y.shape.extent[1];
    return nn__maxi(NN__GRID_CHANNELS,
                    (int)nn__min64(all / NN__GRID_UNITS, args->y.shape.extent[1]));
}
/* Returns the units per sample that take channels. */
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

static void nn__grid_dgrid_unit(const nn__cpu *cpu, const nn_grid_sample_args *args, int unit,
                                nn__grid_run *run) {
    const nn_shape *x = &args->x.shape;
    const int64_t places = nn__grid_count(args), parts = nn__grid_parts(args),
                  plane = (int64_t)x->extent[2] * x->extent[3], first = unit % parts;
    const int n = (int)(unit / parts), channels = x->extent[1], taps = nn__grid_taps(args);
    const int64_t end = nn__min64((first + 1) * NN__GRID_RUN * NN__GRID_RUNS, places);
    float sums[2 * NN__GRID_RUN];
    for (int64_t at = first * NN__GRID_RUN * NN__GRID_RUNS; at < end; at += NN__GRID_RUN) {
        const int count = (int)nn__min64(NN__GRID_RUN, end - at);
        float *to = nn__f32(&args->dgrid) + 2 * (n * places + at);
        memset(sums, 0, sizeof sums);
        if (args->mode != NN_GRID_NEAREST) nn__grid_places(args, n, at, count, true, run);
        for (int64_t c = (int64_t)n * channels;
             args->mode != NN_GRID_NEAREST && c < ((int64_t)n + 1) * channels; c++) {
            const float *dy = nn__f32(&args->y) + c * places + at;
            const float *from = nn__f32(&args->x) + c * plane;
            NN__OF_NARROW(cpu, nn__grid_loops)->slopes(run, taps, count, sums, dy, from);
        }
        for (int i = 0; i < 2 * count; i++) {
            const float sum = sums[i % 2 * NN__GRID_RUN + i / 2];
            to[i] = args->accumulate ? to[i] + sum : sum;
        }
    }
}

/* Adds the taps of the places to a plane, one place after the other. What is outside adds 0 to the
   first pixel: a branch would cost more. */
static void nn__grid_spread(const nn__cpu *cpu, const nn__grid_run *run, int taps, int count,
                            float *dx, const float *dy) {
    float part[16][NN__GRID_RUN];
    NN__OF_NARROW(cpu, nn__grid_loops)->parts(run, taps, count, part, dy);
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
