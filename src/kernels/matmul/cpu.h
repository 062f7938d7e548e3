/* kernels/matmul/cpu.h - what the parts of the family share on the CPU: how a product is cut. */
#pragma once

#include "cpu/gemm.h"

#define NN__GEMM_SHALLOW 128 /* depth up to which tiles are walked along rows */

#ifndef NN_NO_SIMD

enum {
    NN__GEMM_UNIT_WORK = 1 << 20, /* multiplications that are worth a unit: some microseconds */
    NN__GEMM_SHARING = 8,         /* products with one number that hide its way from memory */
    NN__GEMM_SPLIT = 512,         /* least length of a piece of k */
    NN__GEMM_PIECES = 16,         /* of k, at most */
    NN__GEMM_FAR = 1 << 19,       /* numbers of a matrix that no cache near a core holds */
    NN__GEMM_SHORT = 32,          /* and depth where b was copied in strips */
    NN__GEMM_MEMORY = 1 << 23,    /* of one that no cache holds */
    NN__GEMM_PAGES = 2048,        /* of a row that takes two pages of memory */
    NN__GEMM_NEAR = 6144,         /* numbers of a row that stay in the nearest cache of a core */
    NN__GEMM_SUMS = 1 << 20,      /* numbers of all pieces together, where k is cut first */
    NN__GEMM_DOTS = 512,          /* length of sums that a visit of y adds */
    NN__GEMM_UNITS = 32,          /* as many as keep 16 workers busy */
    NN__GEMM_UNITS_EACH = 4,      /* of a worker: then the last one to end is late by little */
    NN__GEMM_BROAD = 512,         /* columns of a unit at most, where units are few */
    NN__GEMM_HIGH = 288,          /* rows of a block of a unit at most */
    NN__GEMM_FEW = 12,            /* rows or columns of a product that is done by sums along k */
    NN__GEMM_THIN = 8,            /* columns of a product that is done turned round, at most */
    NN__GEMM_THIN_HIGH = 128,     /* and its rows */
    NN__GEMM_STRIP = 16,          /* rows of a transposed b that are widened at a time */
    NN__GEMM_WIDE = 4096,         /* columns of a unit of one row: y stays in a cache */
    NN__GEMM_ROWS = 8             /* rows of b that a visit of y adds to one row */
};

typedef struct nn__gemm_cut {
    const nn__gemm_set *set;
    bool dot; /* few rows or columns, k side by side in both: sums along k, nothing is copied */
    bool row; /* one row by a matrix as it lies: along the rows of b */
    bool outer; /* one column by one row */
    bool copy_a, copy_b;
    bool half_a, half_b; /* f16, bf16 or i8: widened while they are copied */
    int products;        /* of the batch */
    int group;           /* products of a unit, which has but one unless each product is one unit */
    int m_size, n_size, k_size; /* of a unit */
    int m_block; /* rows of a unit whose piece of a is used, and copied, together */
    int m_units, n_units, k_units;
    int depth;              /* of one visit of y, at most k_size */
    ptrdiff_t a_row, b_row; /* of the copies */
} nn__gemm_cut;

typedef struct nn__gemm_part { /* of y and of k */
    int i, rows, j, columns, p, end;
} nn__gemm_part;

/* `n` numbers of a matrix from element `at` on, as f32. */
NN_PRIVATE void nn__gemm_fetch(const nn__gemm_cut *cut, const nn_view *matrix, ptrdiff_t at,
                               int n, float *to);
NN_PRIVATE void nn__gemm_finish(const nn__gemm_set *set, const nn__product *x, float *y, int i,
                                int rows, int j, int columns);

/* kernels/matmul/cpu_few.c: a part of a product by sums along k, and of one of a row along the rows
   of b; wide: room for rows that are widened. */
NN_PRIVATE void nn__gemm_run_dots(const nn__gemm_cut *cut, const nn_gemm_args *g,
                                  const nn__gemm_part *part, nn__product *x, float *wide);
NN_PRIVATE void nn__gemm_run_wide(const nn__gemm_cut *cut, const nn_gemm_args *g,
                                  const nn__gemm_part *part, nn__product *x);
/* The gradient of a small layer's weights with few inputs: a transposed a, few columns. */
NN_PRIVATE bool nn__gemm_is_thin(const nn__gemm_set *set, const nn_gemm_args *g);
NN_PRIVATE void nn__gemm_run_thin(const nn__gemm_set *set, const nn_gemm_args *g);
/* A part of the product of one column and one row, of f32. */
NN_PRIVATE void nn__gemm_run_outer(const nn__gemm_cut *cut, const nn__cpu *cpu,
                                   const nn_gemm_args *g, const nn__gemm_part *part,
                                   nn__product *x);
/* How a row is multiplied with the rows of b: four at a time, or where b is too large for the
   caches one after the other. */
typedef void (*nn__gemm_dot)(const nn__dots *dots);
NN_PRIVATE nn__gemm_dot nn__gemm_row_dot(const nn__gemm_set *set, const nn_gemm_args *g);

/* Sums along k; along the rows of b. */
NN_PRIVATE bool nn__gemm_by_dots(const nn_gemm_args *g);
NN_PRIVATE bool nn__gemm_by_row(const nn_gemm_args *g);
/* One column times one row, both f32 and side by side whether they are turned or not. */
NN_PRIVATE bool nn__gemm_is_outer(const nn_gemm_args *g);
/* A product that is left whole: most of a small net, for which a longer question would take as long
   as the product. */
NN_PRIVATE bool nn__gemm_is_small(const nn__cpu *cpu, const nn_gemm_args *g);
NN_PRIVATE nn__gemm_cut nn__gemm_make_cut(const nn__cpu *cpu, const nn_gemm_args *g);

/* The whole product of a row with b as it is: a layer of a small net for one sample, where nothing
   has to be cut or copied. Is it one, and does it. */
NN_PRIVATE bool nn__gemm_is_alone(const nn__cpu *cpu, const nn_gemm_args *g);
NN_PRIVATE void nn__gemm_run_alone(const nn__cpu *cpu, const nn_gemm_args *g);
/* One unit of one product; pieces: where the sums of its pieces of k stand. */
NN_PRIVATE void nn__gemm_run_unit(const nn__gemm_cut *cut, const nn__cpu *cpu,
                                  const nn_gemm_args *g, int unit, float *pieces, void *own);

/* kernels/matmul/cpu_chain.c: the CPU takes neighbouring steps of small nets as one. */
#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__install_chains(nn_context *nn);
#else
#define nn__install_chains(nn) ((void)(nn))
#endif

#endif
