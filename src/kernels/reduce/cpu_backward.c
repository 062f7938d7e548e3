/* kernels/reduce/cpu_backward.c - gradients of reductions along the last axes. First it computes
   what the numbers of a row share (the number of equal extremes, or the mean). Then it reads each
   number once, from a cache if the row is short, and writes dx once. Long rows are cut into pieces
   whose size depends only on the shape, and a second phase writes. */
#include "kernels/reduce/cpu.h"
#include "kernels/reduce/vector.h"

#include <math.h>

#ifndef NN_NO_TRAINING

#define NN__SLOPE_ROW    32768 /* most numbers of an uncut row */
#define NN__SLOPE_PIECE  16384 /* least numbers per piece */
#define NN__SLOPE_PIECES 256   /* most pieces of a row */

/* ---- common to the numbers of a row ---------------------------------------------------------- */

static bool nn__slope_of_extremes(const nn_reduce_backward_args *args) {
    return args->reduction == NN_MAX || args->reduction == NN_MIN;
}
static bool nn__slope_of_spreads(const nn_reduce_backward_args *args) {
    return args->reduction == NN_VAR || args->reduction == NN_STD;
}

/* For n numbers of a row: returns how many equal y, or their sum. */
static double nn__slope_gather(const nn__cpu *cpu, const nn_reduce_backward_args *args,
                               const float *x, int n, int64_t row) {
    if (!nn__slope_of_extremes(args)) return nn__reduce_sum(cpu, x, n);
    const float y = nn__f32(&args->y)[row];
    return NN__OF_NARROW(cpu, nn__slope_loops)->count(x, y, n);
}

/* Sets a, b and c for a row of n numbers and returns the kind. If a norm or deviation is 0, the
   gradient is 0 / 1 = 0. */
static nn__slope_kind nn__slope_of_row(const nn_reduce_backward_args *args, nn__slope *s,
                                       int64_t row, int64_t n, double common) {
    const double over = (double)n - (double)args->correction;
    const float dy = nn__f32(&args->dy)[row],
                y = args->reduction == NN_VAR || args->reduction == NN_SUM_OF_SQUARES
                        ? 0.0f
                        : nn__f32(&args->y)[row];
    s->a = nn__slope_of_spreads(args) ? (float)(common / (double)n) : 0.0f;
    switch (args->reduction) {
    case NN_SUM_OF_SQUARES: s->b = 2.0f * dy; return NN__SLOPE_SCALED;
    case NN_VAR: s->b = dy * (float)(2.0 / (over > 0.0 ? over : 0.0)); return NN__SLOPE_SCALED;
    case NN_STD:
    case NN_NORM:
        s->b = y == 0.0f ? 1.0f : y;
        s->c = args->reduction == NN_NORM ? dy : dy * (float)(1.0 / (over > 0.0 ? over : 0.0));
        return NN__SLOPE_QUOTIENT;
    case NN_LOGSUMEXP: s->a = y, s->b = dy; return NN__SLOPE_EXP;
    default: /* extremes; no number equals a NaN, so all gradients are NaN */
        s->a = y, s->b = dy / (float)common, s->c = 0.0f * s->b;
        return NN__SLOPE_EQUAL;
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* A product as value times 2^exponent, which holds products beyond the range of double. Zeros,
   infinities (except their signs) and NaNs are left out and counted. */
typedef struct nn__slope_product {
    double value;
    int64_t exponent, zeros, infinities, nans;
} nn__slope_product;

static nn__slope_product nn__slope_multiply(const float *x, int64_t n) {
    nn__slope_product p = {1.0, 0, 0, 0, 0};
    for (int64_t i = 0; i < n; i++) {
        int exponent;
        if (x[i] != x[i]) {
            p.nans++;
        } else if (x[i] == 0.0f) {
            p.zeros++;
        } else if (fabsf(x[i]) > FLT_MAX) {
            p.infinities++;
            if (x[i] < 0.0f) p.value = -p.value;
        } else {
            p.value *= (double)x[i];
        }
        if (fabs(p.value) > 1e-200 && fabs(p.value) < 1e200) continue;
        p.value = frexp(p.value, &exponent);
        p.exponent += exponent;
    }
    return p;
}

/* Returns the product of all numbers except x, which is one of them. */
static double nn__slope_others(const nn__slope_product *p, float x) {
    const bool nan = x != x, infinite = fabsf(x) > FLT_MAX;
    const int64_t zeros = p->zeros - (x == 0.0f), infinities = p->infinities - infinite;
    double value = p->value;
    if (p->nans - nan || (zeros && infinities)) return (double)NAN;
    if (zeros) return 0.0;
    if (infinite)
        value = x < 0.0f ? -value : value;
    else if (!nan && x != 0.0f)
        value /= (double)x;
    if (infinities) return value < 0.0 ? -(double)INFINITY : (double)INFINITY;
    return ldexp(value, (int)nn__max64(-4000, nn__min64(4000, p->exponent)));
}

static void nn__slope_product_row(const nn_reduce_backward_args *args, int64_t row, int64_t n) {
    const float *x = nn__f32(&args->x) + row * n;
    const double dy = (double)nn__f32(&args->dy)[row];
    float *dx = nn__f32(&args->dx) + row * n;
    const nn__slope_product product = nn__slope_multiply(x, n);
    for (int64_t i = 0; i < n; i++) {
        const float v = (float)(dy * nn__slope_others(&product, x[i]));
        dx[i] = args->accumulate ? dx[i] + v : v;
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

typedef struct nn__slope_cut {
    int64_t rows, n;
    int64_t group;         /* rows per unit, if rows are whole */
    int64_t pieces, width; /* pieces per row, numbers per piece */
    bool twice;            /* phase 0 gathers from the pieces */
} nn__slope_cut;

static nn__slope_cut nn__slope_make_cut(const nn_reduce_backward_args *args) {
    nn__slope_cut cut;
    cut.rows = nn__count(&args->dy);
    cut.n = nn__count(&args->x) / cut.rows;
    cut.width = cut.n;
    if (cut.n > NN__SLOPE_ROW && args->reduction != NN_PROD)
        cut.width = nn__max64(NN__SLOPE_PIECE, (cut.n / NN__SLOPE_PIECES + 32) / 32 * 32);
    cut.pieces = (cut.n + cut.width - 1) / cut.width;
    cut.twice = cut.pieces > 1 && (nn__slope_of_extremes(args) || nn__slope_of_spreads(args));
    /* larger units if there are many */
    cut.group = nn__max64(nn__max64(1, 8192 / cut.n), nn__min64(cut.rows / 64, 65536 / cut.n));
    return cut;
}

static int nn__slope_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn__slope_cut cut = nn__slope_make_cut((const nn_reduce_backward_args *)arguments);
    (void)cpu;
    if (phase > (cut.twice ? 1 : 0)) return 0;
    return (int)(cut.pieces > 1 ? cut.rows * cut.pieces : (cut.rows + cut.group - 1) / cut.group);
}

static size_t nn__slope_shared_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn__slope_cut cut = nn__slope_make_cut((const nn_reduce_backward_args *)arguments);
    (void)cpu;
    return cut.twice ? (size_t)(cut.rows * cut.pieces) * sizeof(double) : 0;
}

/* Writes n numbers of a row from `column` on. */
static void nn__slope_write(const nn__cpu *cpu, const nn_reduce_backward_args *args,
                            const nn__slope_cut *cut, int64_t row, int64_t column, int n,
                            double common) {
    nn__slope s;
    memset(&s, 0, sizeof s);
    s.x = nn__f32(&args->x) + row * cut->n + column;
    s.dx = nn__f32(&args->dx) + row * cut->n + column;
    s.n = n;
    s.accumulate = args->accumulate;
    s.streams = !s.accumulate && s.dx != s.x &&
                nn__streams_at(cpu, s.dx, 2 * cut->rows * cut->n * (int64_t)sizeof(float));
    const nn__slope_kind kind = nn__slope_of_row(args, &s, row, cut->n, common);
    NN__OF_NARROW(cpu, nn__slope_loops)->row(&s, kind);
}

static void nn__slope_whole_rows(const nn__cpu *cpu, const nn_reduce_backward_args *args,
                                 const nn__slope_cut *cut, int unit) {
    const int n = (int)cut->n;
    const bool gathers = nn__slope_of_extremes(args) || nn__slope_of_spreads(args);
    for (int64_t row = unit * cut->group; row < nn__min64((unit + 1) * cut->group, cut->rows);
         row++) {
        const float *x = nn__f32(&args->x) + row * n;
        if (args->reduction == NN_PROD) {
            nn__slope_product_row(args, row, n);
            continue;
        }
        nn__slope_write(cpu, args, cut, row, 0, n,
                        gathers ? nn__slope_gather(cpu, args, x, n, row) : 0.0);
    }
}

static void nn__slope_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                           void *shared, void *own) {
    const nn_reduce_backward_args *args = (const nn_reduce_backward_args *)arguments;
    const nn__slope_cut cut = nn__slope_make_cut(args);
    double *parts = (double *)shared, common = 0.0;
    (void)own;
    if (cut.pieces == 1) {
        nn__slope_whole_rows(cpu, args, &cut, unit);
    } else {
        const int64_t row = unit / cut.pieces, column = unit % cut.pieces * cut.width;
        const int n = (int)nn__min64(cut.width, cut.n - column);
        if (cut.twice && phase == 0) {
            parts[unit] =
                nn__slope_gather(cpu, args, nn__f32(&args->x) + row * cut.n + column, n, row);
            return;
        }
        for (int64_t i = 0; cut.twice && i < cut.pieces; i++)
            common += parts[row * cut.pieces + i];
        nn__slope_write(cpu, args, &cut, row, column, n, common);
    }
    nn__all_streamed();
}
#undef NN__SLOPE_ROW
#undef NN__SLOPE_PIECE
#undef NN__SLOPE_PIECES

static const nn__cpu_kernel nn__slope_kernel = {nn__slope_units, nn__slope_unit,
                                                nn__slope_shared_bytes, NULL, NULL};

NN_PRIVATE void nn__install_reduce_backward(nn_context *nn) {
    NN__CPU_INSTALL(nn, REDUCE_BACKWARD, reduce_backward, &nn__slope_kernel);
}
#endif

typedef int nn__reduce_backward_kernel; /* a file must not be empty under NN_NO_TRAINING */
