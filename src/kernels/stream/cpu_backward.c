/* kernels/stream/cpu_backward.c - gradients of streams on the CPU: dx of a pool, a unit for each
   sample; the part of dweight that reads the state, a unit for each output channel. */
#include "kernels/stream/cpu.h"

#include <math.h>

#ifndef NN_NO_TRAINING

static nn__stream nn__stream_backward_of(const nn_stream_backward_args *args) {
    return nn__stream_of(&args->dy, &args->x, args->kernel, args->stride, args->dilation,
                         args->groups);
}

static int nn__stream_backward_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_stream_backward_args *args = (const nn_stream_backward_args *)arguments;
    const nn__stream s = nn__stream_backward_of(args);
    (void)cpu;
    if (phase) return 0;
    return nn__present(&args->dx) ? s.N : s.K;
}

/* Returns the place of the maximum of output j: the first one, or a NaN. -1: all places are before
   the beginning. */
static int nn__stream_largest(const nn__stream *s, const nn__stream_head *head, const float *x,
                              int c, int j) {
    float best = -INFINITY;
    int place = -1;
    for (int r = 0; r < s->R; r++) {
        const int time = nn__stream_time(s, j, r);
        if (time < -head->seen) continue;
        const float value = nn__stream_at(s, head, x, c, time);
        if (place >= 0 && !(value > best) && value == value) continue;
        best = value;
        place = r;
    }
    return place;
}

static int nn__stream_inside(const nn__stream *s, const nn__stream_head *head, int j) {
    int inside = 0;
    for (int r = 0; r < s->R; r++) inside += nn__stream_time(s, j, r) >= -head->seen;
    return inside;
}

static void nn__stream_backward_pool(const nn_stream_backward_args *args, const nn__stream *s,
                                     int n) {
    const nn__stream_head head = nn__stream_head_of(s, &args->state, n);
    for (int c = 0; c < s->C; c++) {
        const ptrdiff_t row = (ptrdiff_t)n * s->C + c;
        const float *dy = nn__f32(&args->dy) + row * s->Y, *x = nn__f32(&args->x) + row * s->L;
        float *dx = nn__f32(&args->dx) + row * s->L;
        memset(dx, 0, (size_t)s->L * sizeof *dx);
        for (int j = 0; j < s->Y; j++) {
            const int place =
                args->way == NN_STREAM_MAX ? nn__stream_largest(s, &head, x, c, j) : -1;
            const float count = args->way == NN_STREAM_AVERAGE_INSIDE
                                    ? (float)nn__stream_inside(s, &head, j)
                                    : (float)s->R;
            for (int r = 0; r < s->R; r++) {
                const int time = nn__stream_time(s, j, r);
                if (time < 0) continue;
                if (args->way != NN_STREAM_MAX)
                    dx[time] += dy[j] / count;
                else if (r == place)
                    dx[time] += dy[j];
            }
        }
    }
}

static void nn__stream_backward_weight(const nn_stream_backward_args *args, const nn__stream *s,
                                       int k) {
    const int channels = s->C / s->G, group = k / (s->K / s->G);
    float *dweight = nn__f32(&args->dweight) + (ptrdiff_t)k * channels * s->R;
    memset(dweight, 0, (size_t)channels * (size_t)s->R * sizeof *dweight);
    for (int n = 0; n < s->N; n++) {
        const nn__stream_head head = nn__stream_head_of(s, &args->state, n);
        const float *dy = nn__f32(&args->dy) + ((ptrdiff_t)n * s->K + k) * s->Y;
        for (int p = 0; p < channels * s->R && head.ring; p++) {
            const int c = group * channels + p / s->R, r = p % s->R;
            float sum = 0.0f;
            for (int j = 0; j < s->Y && nn__stream_time(s, j, r) < 0; j++)
                sum += dy[j] * nn__stream_at(s, &head, NULL, c, nn__stream_time(s, j, r));
            dweight[p] += sum;
        }
    }
}

static void nn__stream_backward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                     void *shared, void *own) {
    const nn_stream_backward_args *args = (const nn_stream_backward_args *)arguments;
    const nn__stream s = nn__stream_backward_of(args);
    (void)cpu, (void)phase, (void)shared, (void)own;
    if (nn__present(&args->dx))
        nn__stream_backward_pool(args, &s, unit);
    else
        nn__stream_backward_weight(args, &s, unit);
}

static const nn__cpu_kernel nn__stream_backward = {nn__stream_backward_units,
                                                   nn__stream_backward_unit, NULL, NULL, NULL};

NN_PRIVATE const nn__cpu_kernel *nn__stream_backward_kernel(void) { return &nn__stream_backward; }

#endif

typedef int nn__stream_backward_part; /* a part must not be empty under NN_NO_TRAINING */
