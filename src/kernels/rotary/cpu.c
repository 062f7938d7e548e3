/* kernels/rotary/cpu.c - rotary position embedding on the CPU. A unit is a few positions, of all
   samples if they share the positions: computing the angles, in double, takes longer than rotating
   the rows. */
#include "base/functions.h"
#include "cpu/private.h"
#include "kernels/install_sequence.h"

#include <math.h>

#define NN__ROTARY_ROWS 16 /* positions per unit */

typedef struct nn__rotary {
    int N, H, L, E, half;
    ptrdiff_t sample, head, row; /* strides in elements */
} nn__rotary;

static nn__rotary nn__rotary_of(const nn_rotary_args *args) {
    const int32_t *extent = args->y.shape.extent;
    const bool inside = args->heads_inside;
    nn__rotary r;
    r.N = extent[0];
    r.H = extent[inside ? 2 : 1];
    r.L = extent[inside ? 1 : 2];
    r.E = extent[3];
    r.half = args->width / 2;
    r.sample = (ptrdiff_t)r.H * r.L * r.E;
    r.head = inside ? r.E : (ptrdiff_t)r.L * r.E;
    r.row = inside ? (ptrdiff_t)r.H * r.E : r.E;
    return r;
}

/* Returns the factor from position to angle of pair e. */
static double nn__rotary_frequency(const nn_rotary_args *args, int e) {
    const double f = nn__pow((double)args->base, -2.0 * e / args->width), slow = f / args->factor;
    if (!args->original) return slow;
    /* turns over all positions */
    const double turns = (double)args->original * f / 6.283185307179586;
    if (turns < (double)args->low) return slow;
    if (turns > (double)args->high) return f;
    const double part = (turns - (double)args->low) / ((double)args->high - (double)args->low);
    return (1.0 - part) * slow + part * f;
}

static int nn__rotary_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_rotary_args *args = (const nn_rotary_args *)arguments;
    const nn__rotary r = nn__rotary_of(args);
    const int blocks = nn__ceil_div(r.L, NN__ROTARY_ROWS);
    (void)cpu;
    return phase ? 0 : nn__present(&args->positions) ? r.N * blocks : blocks;
}

/* Returns the bytes of the frequencies in double, and of the cosines and sines of one position. */
static size_t nn__rotary_own_bytes(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return (size_t)((const nn_rotary_args *)args)->width * (sizeof(double) / 2 + sizeof(float));
}

static void nn__rotary_turn(const nn_rotary_args *args, const nn__rotary *r, float *y,
                            const float *x, const float *cosine, const float *sine) {
    const int half = r->half;
    if (args->interleaved)
        for (int e = 0; e < half; e++) {
            const float a = x ? x[2 * e] : 0.0f, b = x ? x[2 * e + 1] : 1.0f;
            y[2 * e] = a * cosine[e] - b * sine[e];
            y[2 * e + 1] = b * cosine[e] + a * sine[e];
        }
    else
        for (int e = 0; e < half; e++) {
            const float a = x ? x[e] : 0.0f, b = x ? x[e + half] : 1.0f;
            y[e] = a * cosine[e] - b * sine[e];
            y[e + half] = b * cosine[e] + a * sine[e];
        }
    if (x && y != x)
        memcpy(y + args->width, x + args->width, (size_t)(r->E - args->width) * sizeof *y);
}

static void nn__rotary_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                            void *shared, void *own) {
    const nn_rotary_args *args = (const nn_rotary_args *)arguments;
    const nn__rotary r = nn__rotary_of(args);
    const int blocks = nn__ceil_div(r.L, NN__ROTARY_ROWS), first = unit % blocks * NN__ROTARY_ROWS;
    const bool each = nn__present(&args->positions), every = args->positions.shape.rank == 2;
    const int n_from = each ? unit / blocks : 0, n_end = each ? n_from + 1 : r.N;
    const int32_t *positions = each ? nn__i32(&args->positions) : &args->offset;
    double *frequency = (double *)own;
    float *cosine = (float *)(void *)(frequency + r.half), *sine = cosine + r.half;
    (void)cpu, (void)phase, (void)shared;
    for (int e = 0; e < r.half; e++) frequency[e] = nn__rotary_frequency(args, e);
    if (each) positions += every ? (ptrdiff_t)n_from * r.L : n_from;
    for (int i = first; i < nn__mini(first + NN__ROTARY_ROWS, r.L); i++) {
        const double position = every ? (double)positions[i] : (double)*positions + i;
        for (int e = 0; e < r.half; e++) {
            const double angle = position * frequency[e];
            cosine[e] = (float)nn__cos(angle);
            sine[e] = (float)(args->inverse ? -nn__sin(angle) : nn__sin(angle));
        }
        for (int n = n_from; n < n_end; n++)
            for (int h = 0; h < r.H; h++) {
                const ptrdiff_t at = n * r.sample + h * r.head + i * r.row;
                const float *x = nn__present(&args->x) ? nn__f32(&args->x) + at : NULL;
                nn__rotary_turn(args, &r, nn__f32(&args->y) + at, x, cosine, sine);
            }
    }
}

#undef NN__ROTARY_ROWS

static const nn__cpu_kernel nn__rotary_kernel = {nn__rotary_units, nn__rotary_unit, NULL,
                                                 nn__rotary_own_bytes, NULL};

NN_PRIVATE void nn__install_rotary(nn_context *nn) {
    NN__CPU_INSTALL(nn, ROTARY, rotary, &nn__rotary_kernel);
}
