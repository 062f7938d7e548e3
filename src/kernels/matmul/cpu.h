/* kernels/matmul/cpu.h - shared by the parts of the family on the CPU: how a product is cut. */
#pragma once

#include "cpu/gemm.h"

#define NN__GEMM_SHALLOW 128 /* depth up to which tiles are processed along rows */

#ifndef NN_NO_SIMD

enum {
    NN__GEMM_UNIT_WORK = 1 << 20, /* multiplications that justify a unit: some microseconds */
    NN__GEMM_UNIT_MOST = 8,       /* most work of a unit, in UNIT_WORK: part of a millisecond */
    NN__GEMM_SHARING = 8,         /* multiplications by a number that hide its memory latency */
    NN__GEMM_SPLIT = 512,         /* least steps in a piece of k */
    NN__GEMM_PIECES = 16,         /* most pieces of k */
    NN__GEMM_FAR = 1 << 19,       /* numbers of a matrix that exceeds the caches near a core */
    NN__GEMM_SHORT = 32,          /* most depth if few rows read it; least to copy b in passing */
    NN__GEMM_MEMORY = 1 << 23,    /* numbers of a matrix that exceeds all caches */
    NN__GEMM_PAGES = 2048,        /* numbers of a row that takes two pages */
    NN__GEMM_NEAR = 6144,         /* numbers of a row that stays in the L1 cache */
    NN__GEMM_SUMS = 1 << 20,      /* most numbers of all pieces, if k is cut first */
    NN__GEMM_DOTS = 512,          /* steps of k that a visit of y adds */
    NN__GEMM_UNITS = 32,          /* enough to keep 16 workers busy */
    NN__GEMM_UNITS_EACH = 4, /* units per worker, so that the last one ends soon after the others */
    NN__GEMM_BROAD = 512,         /* most columns of a unit, if there are few units */
    NN__GEMM_HIGH = 288,          /* most rows of a block of a unit */
    NN__GEMM_FEW = 12,            /* most rows or columns for dot products along k */
    NN__GEMM_THIN = 8,            /* most columns of a transposed thin product */
    NN__GEMM_THIN_HIGH = 128,     /* most rows of a transposed thin product */
    NN__GEMM_STRIP = 16,          /* rows of a transposed b that are widened at a time */
    NN__GEMM_WIDE = 4096,         /* columns of a unit with one row, so that y stays in a cache */
    NN__GEMM_ROWS = 8             /* rows of b that a visit of y adds to one row */
};

typedef struct nn__gemm_cut {
    const nn__gemm_set *set;
    const nn__gemm_bytes *bytes; /* not NULL if a matrix is of i8 */
    bool dot; /* few rows or columns, both contiguous along k: dot products without copies */
    bool row; /* one row times a matrix in place, along the rows of b */
    bool outer; /* one column times one row */
    bool copy_a, copy_b;
    bool half_a, half_b; /* f16, bf16 or i8: widened while they are copied */
    int products;        /* of the batch */
    int group;           /* products per unit; above 1 only if each product is a single unit */
    int m_size, n_size, k_size; /* per unit */
    int m_block; /* rows of a unit whose part of a is copied and used together */
    int m_units, n_units, k_units;
    int depth;              /* of one visit of y, at most k_size */
    ptrdiff_t a_row, b_row; /* of the copies */
} nn__gemm_cut;

typedef struct nn__gemm_part { /* a part of y and of k */
    int i, rows, j, columns, p, end;
} nn__gemm_part;

/* Reads n numbers of a matrix from element `at` on, as f32. */
NN_PRIVATE void nn__gemm_fetch(const nn__gemm_cut *cut, const nn_view *matrix, ptrdiff_t at,
                               int n, float *to);

/* kernels/matmul/cpu_few.c: run_dots computes a part of a product by dot products along k; run_wide
   computes a part of one row along the rows of b. wide: space for widened rows. */
NN_PRIVATE void nn__gemm_run_dots(const nn__gemm_cut *cut, const nn_gemm_args *g,
                                  const nn__gemm_part *part, nn__product *x, float *wide);
NN_PRIVATE void nn__gemm_run_wide(const nn__gemm_cut *cut, const nn_gemm_args *g,
                                  const nn__gemm_part *part, nn__product *x);
/* The weight gradient of a small layer with few inputs: a is transposed and y has few columns.
   is_thin tests for it, run_thin computes it. */
NN_PRIVATE bool nn__gemm_is_thin(const nn__gemm_set *set, const nn_gemm_args *g);
NN_PRIVATE void nn__gemm_run_thin(const nn__gemm_set *set, const nn_gemm_args *g);
/* Computes a part of the product of one column and one row, in f32. */
NN_PRIVATE void nn__gemm_run_outer(const nn__gemm_cut *cut, const nn__cpu *cpu,
                                   const nn_gemm_args *g, const nn__gemm_part *part,
                                   nn__product *x);
/* Returns how a row is multiplied with the rows of b: four at a time, or one after the other if b
   exceeds the caches. */
typedef void (*nn__gemm_dot)(const nn__dots *dots);
NN_PRIVATE nn__gemm_dot nn__gemm_row_dot(const nn__gemm_set *set, const nn_gemm_args *g);

/* True if the product runs along k; by_row: along the rows of b. */
NN_PRIVATE bool nn__gemm_by_dots(const nn_gemm_args *g);
NN_PRIVATE bool nn__gemm_by_row(const nn_gemm_args *g);
/* True for one column times one row, both f32 and contiguous, transposed or not. */
NN_PRIVATE bool nn__gemm_is_outer(const nn_gemm_args *g);
/* True if the product is left whole, as most products of a small net: further planning would take
   as long as the product. */
NN_PRIVATE bool nn__gemm_is_small(const nn__cpu *cpu, const nn_gemm_args *g);
NN_PRIVATE nn__gemm_cut nn__gemm_make_cut(const nn__cpu *cpu, const nn_gemm_args *g);

/* Computes the whole product of one row with b in place, as in a layer of a small net for one
   sample. Nothing is cut or copied. is_alone tests for it, run_alone computes it. */
NN_PRIVATE bool nn__gemm_is_alone(const nn__cpu *cpu, const nn_gemm_args *g);
NN_PRIVATE void nn__gemm_run_alone(const nn__cpu *cpu, const nn_gemm_args *g);
/* Runs one unit of one product. pieces: where the sums of its pieces of k are. */
NN_PRIVATE void nn__gemm_run_unit(const nn__gemm_cut *cut, const nn__cpu *cpu,
                                  const nn_gemm_args *g, int unit, float *pieces, void *own);

/* kernels/matmul/cpu_chain.c: the CPU runs neighbouring steps of small nets as one. */
#ifndef NN_NO_SPEEDUPS
NN_PRIVATE void nn__install_chains(nn_context *nn);
#else
#define nn__install_chains(nn) ((void)(nn))
#endif

#endif
