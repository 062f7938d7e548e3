/* kernels/norm/cpu.h - shared by the forward and backward pass of norms on the CPU: lines of
   numbers, and the division of a tensor into units. */
#pragma once

#include "cpu/gemm.h"
#include "cpu/sets.h"
#include "kernels/norm/args.h"

/* ---- lines: contiguous numbers with one mean (cpu_lines.c) ----------------------------------- */

/* Computes the mean and the sum of squared distances from it; with rms, 0 and the sum of
   squares. */
NN_PRIVATE void nn__norm_moments(const nn__cpu *cpu, const float *x, int64_t n, bool rms,
                                 double *mean, double *squares);
/* y = (x - mean) * scale + shift, clamped. bytes: see nn__streams_at in cpu/sets.h. */
NN_PRIVATE void nn__norm_apply(const nn__cpu *cpu, float *y, const float *x, int64_t n, float mean,
                               float scale, float shift, nn__clamp clamp, int64_t bytes);
/* y = (x - mean) * rstd * weight + bias. weight and bias may be NULL. */
NN_PRIVATE void nn__norm_apply_each(const nn__cpu *cpu, float *y, const float *x, int64_t n,
                                    float mean, float rstd, const float *weight, const float *bias,
                                    int64_t bytes);
#ifndef NN_NO_TRAINING
/* sums[0] += the sum of dy, sums[1] += the sum of dy (x - mean) */
NN_PRIVATE void nn__norm_sums(const nn__cpu *cpu, const float *dy, const float *x, int64_t n,
                              float mean, double *sums);
/* Does the same for dy * weight (NULL: 1). Also dweight += dy (x - mean) rstd and dbias += dy,
   unless NULL. */
NN_PRIVATE void nn__norm_sums_each(const nn__cpu *cpu, const float *dy, const float *x, int64_t n,
                                   float mean, float rstd, const float *weight, float *dweight,
                                   float *dbias, double *sums);
/* dx = p dy weight + q + r (x - mean), or dx += that. weight may be NULL: 1. bytes: of all of dx,
   dy and x. */
NN_PRIVATE void nn__norm_dx(const nn__cpu *cpu, float *dx, const float *dy, const float *x,
                            int64_t n, float mean, const float *weight, const float *pqr,
                            bool accumulate, int64_t bytes);
#endif

/* ---- loops over a line or over columns, for each instruction set (vector.h) ------------------ */

#define NN__NORM_ROWS 4 /* most rows that are processed together */

/* Columns: n columns of `rows` rows, which are `row` numbers apart. Each column has its own
   mean. */
typedef struct nn__norm_loops {
    int piece; /* numbers of a line that are summed in float */
    double (*total)(const float *x, int n);
    /* the sums of x - mean and of its square, over a piece */
    void (*squares)(const float *x, int n, float mean, double *sums);
    void (*apply)(float *y, const float *x, int64_t n, float mean, float scale, float shift,
                  nn__clamp clamp, bool streams);
    void (*apply_each)(float *y, const float *x, int64_t n, float mean, float rstd,
                       const float *weight, const float *bias, bool streams);
    /* acc += x; with means: acc += (x - mean)^2 */
    void (*column_add)(float *acc, const float *x, ptrdiff_t row, int rows, const float *means,
                       int n);
    /* y = (x - mean) * scale + shift, clamped; factors: n means, n scales, n shifts */
    void (*column_apply)(float *y, const float *x, ptrdiff_t row, int rows, const float *factors,
                         int n, nn__clamp clamp);
    /* For a row of `count` channels of `inner` numbers: totals sums each channel; spread writes
       values[c * step] to each number of channel c. */
    void (*totals)(double *to, const float *x, int inner, int count);
    void (*spread)(float *to, const float *values, int step, int inner, int count);
#ifndef NN_NO_TRAINING
    void (*sums)(const float *dy, const float *x, int n, float mean, double *sums);
    void (*sums_each)(const float *dy, const float *x, int n, float mean, float rstd,
                      const float *weight, float *dweight, float *dbias, double *sums);
    void (*dx)(float *dx, const float *dy, const float *x, int64_t n, float mean,
               const float *weight, const float *pqr, bool accumulate, bool streams);
    /* a += dy, b += dy (x - mean) */
    void (*column_sums)(float *a, float *b, const float *dy, const float *x, ptrdiff_t row,
                        int rows, const float *means, int n);
    /* dx = p dy + q + r (x - mean), or dx += that; factors: n means, then n of p, q and r */
    void (*column_dx)(float *dx, const float *dy, const float *x, ptrdiff_t row, int rows,
                      const float *factors, int n, bool accumulate);
#endif
} nn__norm_loops;
NN_PRIVATE const nn__norm_loops *nn__norm_loops_of(const nn__cpu *cpu);

#define NN__NORM_JOINED 64 /* channels per unit that joins pieces */

/* ---- units ----------------------------------------------------------------------------------- */

/* Across, a unit is a strip of whole channels, or a piece of a strip, cut along `outer`. Short
   channels are summed column by column, long ones line by line. */
typedef struct nn__norm_strips {
    int64_t strip, strips; /* channels per strip, and the number of strips */
    int64_t piece, pieces; /* outer indices per piece, and the number of pieces */
    int64_t width;         /* numbers of a strip that are summed separately */
    bool columns;
} nn__norm_strips;
/* longest: most numbers of a channel that is taken as columns. */
NN_PRIVATE nn__norm_strips nn__norm_cut_strips(const nn_norm_cut *cut, int64_t longest);

/* One strip of channels, and the piece of it that a unit works on. */
typedef struct nn__norm_part {
    int64_t channel, count; /* channels [channel, channel + count) */
    int64_t first, end;     /* of outer */
    int64_t piece;
    int width; /* neighbouring numbers: count * inner */
} nn__norm_part;
static inline NN__UNUSED nn__norm_part nn__norm_part_of(const nn_norm_cut *cut,
                                                        const nn__norm_strips *strips, int unit) {
    nn__norm_part part;
    part.piece = unit % strips->pieces;
    part.channel = unit / strips->pieces * strips->strip;
    part.count = nn__min64(strips->strip, cut->groups - part.channel);
    part.first = part.piece * strips->piece;
    part.end = nn__min64(part.first + strips->piece, cut->outer);
    part.width = strips->columns ? (int)(part.count * cut->inner) : 0;
    return part;
}
/* Returns where channel `part.channel` of outer index n begins. */
static inline NN__UNUSED int64_t nn__norm_at(const nn_norm_cut *cut, const nn__norm_part *part,
                                             int64_t n) {
    return (n * cut->groups + part->channel) * cut->inner;
}

static inline NN__UNUSED int64_t nn__norm_size(const nn_norm_cut *cut) {
    return (cut->across ? cut->outer : cut->channels) * cut->inner;
}
/* Returns element i, or `otherwise` if the view is absent. */
static inline NN__UNUSED float nn__norm_or(const nn_view *view, int64_t i, float otherwise) {
    return nn__present(view) ? nn__f32(view)[i] : otherwise;
}
static inline NN__UNUSED const float *nn__norm_from(const nn_view *view, int64_t i) {
    return nn__present(view) ? nn__f32(view) + i : NULL;
}
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_norm_backward(nn_context *nn);
#endif
