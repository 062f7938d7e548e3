/* kernels/reduce/cpu.h - how reductions over axes are cut into pieces on the CPU: shared by the
   sums, means and maxima of cpu.c and the other reductions of cpu_fold.c. */
#pragma once

#include "cpu/sets.h"

#define NN__REDUCE_LINE                                                                            \
    16384 /* most numbers of a row in a piece, and approximate size of a piece */
#define NN__REDUCE_STRIP 1024  /* most columns of a piece across */
#define NN__REDUCE_SHORT 8     /* most numbers of a row whose vectors hold several rows */

typedef struct nn__reduce_axes {
    int rank;
    int64_t extent[NN_MAX_RANK], step[NN_MAX_RANK];
} nn__reduce_axes;

typedef struct nn__reduce_plan {
    nn__reduce_axes kept, reduced; /* without the innermost axis */
    bool across;
    int64_t row; /* extent of the innermost axis */
    int64_t kept_rows, reduced_rows;
    int64_t piece_rows; /* reduced rows per piece */
    int64_t row_pieces; /* pieces per row */
    int64_t pieces;     /* of one result (along) or of one row of results (across) */
    int64_t group;      /* kept rows per unit; 1 if results have several pieces */
    bool largest;
} nn__reduce_plan;

NN_PRIVATE nn__reduce_plan nn__reduce_make_plan(const nn_reduce_args *args);
/* Returns the offset of row `index` of some axes, the last of which is the outermost. */
NN_PRIVATE int64_t nn__reduce_offset(const nn__reduce_axes *axes, int64_t index);
static inline NN__UNUSED int64_t nn__reduce_results(const nn__reduce_plan *plan) {
    return plan->kept_rows * (plan->across ? plan->row : 1);
}

/* The loops of each instruction set (kernels/reduce/vector.h). */
typedef struct nn__reduce_loops {
    double (*sum)(const float *x, int n);
    /* acc (n) = acc joined with a row, or with four rows `step` apart: added, or the larger (NaN
       wins) */
    void (*join)(float *acc, const float *x, int n, bool largest);
    void (*join_four)(float *acc, const float *x, int64_t step, int n, bool largest);
#ifndef NN_NO_SIMD
    /* y (n) = the sums of the columns of x (rows, n), times scale; accumulate: added to y */
    void (*columns)(float *y, const float *x, int rows, int n, float scale, bool accumulate);
    /* y (rows) = each row of x (rows, n) joined in order, over divisor, times scale, for n up to
       NN__REDUCE_SHORT; accumulate: added to y */
    void (*short_rows)(float *y, const float *x, int rows, int n, bool largest, float divisor,
                       float scale, bool accumulate);
#endif
} nn__reduce_loops;

#ifndef NN_NO_TRAINING
/* The formula of the gradient for the n numbers of a row. */
typedef enum nn__slope_kind {
    NN__SLOPE_EQUAL,    /* x == a ? b : c */
    NN__SLOPE_SCALED,   /* (x - a) * b */
    NN__SLOPE_QUOTIENT, /* (x - a) / b * c */
    NN__SLOPE_EXP       /* exp(x - a) * b */
} nn__slope_kind;
typedef struct nn__slope {
    const float *x;
    float *dx;
    float a, b, c;
    int n;
    bool accumulate, streams;
} nn__slope;
typedef struct nn__slope_loops {
    void (*row)(const nn__slope *slope, nn__slope_kind kind);
    int (*count)(const float *x, float y, int n); /* returns how many numbers equal y */
} nn__slope_loops;
#endif

/* The state of one lane of a fold (cpu_fold.c): the number so far in a. For argmax: the number and
   its index. For logsumexp: the largest number m and the sum of exp(x - shift(m)). For the
   variance: mean and sum of squares. */
typedef struct nn__fold_state {
    double a, b;
} nn__fold_state;

/* Avoids inf - inf if the largest number is infinite. */
static inline NN__UNUSED double nn__fold_shift(double largest) {
    return largest - largest == 0.0 ? largest : 0.0;
}
/* The loops of each instruction set over n consecutive numbers; NULL in plain C. */
typedef struct nn__fold_loops {
    double (*product)(const float *x, int n);
    double (*squares)(const float *x, int n, bool exact); /* exact: each square in double */
    /* false: floats are not precise enough */
    bool (*variance)(nn__fold_state *state, const float *x, int n);
    /* returns the index of the largest or smallest number: the first of equal ones; NaN comes
       before all others */
    int (*place)(const float *x, int n, bool smallest);
} nn__fold_loops;
/* Computes the state of n consecutive numbers, the first of them number `index`. Returns false for
   reductions without vector functions. */
NN_PRIVATE bool nn__fold_vectors(const nn__cpu *cpu, nn_reduction reduction, nn__fold_state *state,
                                 const float *x, int n, double index);
NN_PRIVATE double nn__reduce_sum(const nn__cpu *cpu, const float *x, int n);
