/* kernels/matmul/opencl.h - the plan of a matrix product on an OpenCL device. */
#pragma once

#include "opencl/private.h"

#define NN__OPENCL_GEMM_SHAPES    5     /* tiles of opencl_large.cl */
#define NN__OPENCL_GEMM_THIRD     65535 /* most work-groups along the third extent of a launch */
#define NN__OPENCL_GEMM_FEW_ITEMS 128   /* work-items per group of long or thin products */
#define NN__OPENCL_GEMM_THIN_WIDE 128   /* columns per work-group of thin products */
#define NN__OPENCL_GEMM_SLICES_SIDE 32  /* rows and columns of a tile of slices */

typedef enum nn__opencl_gemm_way {
    NN__OPENCL_GEMM_PLAIN,
    NN__OPENCL_GEMM_TILES,
    NN__OPENCL_GEMM_LARGE, /* tiles of kernels/matmul/opencl_large.cl */
    NN__OPENCL_GEMM_LONG,  /* one work-group for a few dot products */
    NN__OPENCL_GEMM_THIN,  /* few rows, and b lies along its columns */
    NN__OPENCL_GEMM_SLICES, /* too few tiles for all units */
    NN__OPENCL_GEMM_OUTER,  /* a short k: the time is that of writing y */
    NN__OPENCL_GEMM_BLAS,
    NN__OPENCL_GEMM_MMA /* on matrix units */
} nn__opencl_gemm_way;

/* The choices of nn_opencl_tune, in the order of nn__opencl_gemm_tile_names. Files contain
   these names. */
typedef enum nn__opencl_gemm_tile {
    NN__OPENCL_GEMM_JUDGED,
    NN__OPENCL_GEMM_TILE_32,
    NN__OPENCL_GEMM_TILE_64,
    NN__OPENCL_GEMM_TILE_128, /* 128 x 64 */
    NN__OPENCL_GEMM_TILE_LARGE, /* 128 x 128. This and 64_128 to 128_256: opencl_large.cl */
    NN__OPENCL_GEMM_TILE_LONG_4, /* a work-group has up to 4 x 4 dot products */
    NN__OPENCL_GEMM_TILE_LONG_8,
    NN__OPENCL_GEMM_TILE_BLAS,
    NN__OPENCL_GEMM_TILE_THIN,
    NN__OPENCL_GEMM_TILE_SLICES,
    NN__OPENCL_GEMM_TILE_64_128,
    NN__OPENCL_GEMM_TILE_64_SLICED,
    NN__OPENCL_GEMM_TILE_32_64,
    NN__OPENCL_GEMM_TILE_128_256,
    NN__OPENCL_GEMM_TILE_OUTER,
    NN__OPENCL_GEMM_TILE_MMA_64, /* these three follow from the precision, without a measurement */
    NN__OPENCL_GEMM_TILE_MMA_128,
    NN__OPENCL_GEMM_TILE_MMA_COPIED,
    NN__OPENCL_GEMM_TILE_COUNT
} nn__opencl_gemm_tile;

typedef struct nn__opencl_gemm_plan {
    nn__opencl_gemm_way way;
    nn__opencl_gemm_tile tile;                      /* JUDGED: none, the plain kernel */
    int32_t rows;                                   /* of a tile */
    int32_t columns, items; /* of a tile, if not square; of its work-group */
    int32_t tiles;                                  /* tiles along the rows */
    int32_t products, each;                         /* products of the batch; products per unit */
    int32_t units;                                  /* without the finishing one */
    int32_t splits, chunk;                          /* of k */
    bool finish;                                    /* a second launch adds the pieces */
    bool gather; /* the last work-group adds the pieces instead */
    int residual, r_type; /* NN_GEMM_RESIDUAL and NN_GEMM_R_TYPE of opencl.cl */
    nn__opencl_rounding rounding; /* of the operands */
    int a_type, b_type, y_type; /* NN_GEMM_A_TYPE, B_TYPE and Y_TYPE of opencl.cl */
    int32_t a_form, b_form; /* NN_MMA_A_FORM and NN_MMA_B_FORM of opencl/mma_loop.cl; 0: none */
    uint64_t partial_bytes, blas_bytes, packed_bytes; /* of scratch, in this order */
} nn__opencl_gemm_plan;

/* Returns the residual of a product; NULL: it has none. */
static inline NN__OPENCL_UNUSED const nn_view *nn__opencl_gemm_residual(const nn_gemm_args *g) {
#ifndef NN_NO_SPEEDUPS
    return nn__opencl_present(&g->residual) ? &g->residual : NULL;
#else
    (void)g;
    return NULL;
#endif
}
/* NN_GEMM_A_TYPE of opencl.cl; 0 for f32 and for types that products do not read */
static inline NN__OPENCL_UNUSED int nn__opencl_gemm_type(const nn_view *view) {
    return view->dtype == NN_F16 ? 1 : view->dtype == NN_BF16 ? 2 : view->dtype == NN_I8 ? 3 : 0;
}

/* Cuts k so that about `wanted` tiles run at once, each with at least `shortest` steps. */
NN__OPENCL_PRIVATE void nn__opencl_gemm_split(nn__opencl_gemm_plan *plan, int32_t k, int64_t tiles,
                                              int64_t wanted, int32_t shortest);
NN__OPENCL_PRIVATE nn__opencl_gemm_plan nn__opencl_gemm_plan_of(nn__opencl *device,
                                                                const nn_gemm_args *g);
/* kernels/matmul/opencl_few.c, for y of few numbers, rows or columns on GPUs. may_be_long: a
   work-group can compute each dot product. may_be_thin: the rows are so few that b is read once for
   all of them. may_be_outer: k is so short that writing y takes most of the time. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_long(const nn__opencl *device,
                                                    const nn_gemm_args *g);
NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_thin(const nn__opencl *device,
                                                    const nn_gemm_args *g);
NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_outer(const nn__opencl *device,
                                                     const nn_gemm_args *g);
NN__OPENCL_PRIVATE nn__opencl_gemm_tile nn__opencl_gemm_judge_few(const nn__opencl *device,
                                                                  const nn_gemm_args *g,
                                                                  int32_t products);
NN__OPENCL_PRIVATE void nn__opencl_gemm_plan_few(const nn__opencl *device, const nn_gemm_args *g,
                                                 nn__opencl_gemm_plan *plan);
NN__OPENCL_PRIVATE void nn__opencl_gemm_few_options(const nn_gemm_args *g,
                                                    const nn__opencl_gemm_plan *plan, char *text,
                                                    size_t size);
/* kernels/matmul/opencl_large.c. in_fours: true if the view begins at a multiple of four numbers,
   and `together`, the length of its rows, is such a multiple. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_in_fours(const nn_view *view, int32_t together);
NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_large(const nn__opencl *device,
                                                     nn__opencl_gemm_tile tile);
NN__OPENCL_PRIVATE nn__opencl_gemm_tile nn__opencl_gemm_judge_large(const nn__opencl *device,
                                                                    const nn_gemm_args *g,
                                                                    int32_t products);
/* Returns false if the product uses no large tile. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_plan_large(const nn__opencl *device, const nn_gemm_args *g,
                                                   nn__opencl_gemm_plan *plan);
NN__OPENCL_PRIVATE const char *nn__opencl_gemm_large_options(const nn_gemm_args *g,
                                                             nn__opencl_gemm_tile tile);
/* kernels/matmul/opencl_mma.c. plan_mma returns false if the product uses no matrix units. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_plan_mma(nn__opencl *device, const nn_gemm_args *g,
                                                 nn__opencl_gemm_plan *plan);
NN__OPENCL_PRIVATE void nn__opencl_gemm_mma_options(const nn__opencl *device,
                                                    const nn_gemm_args *g,
                                                    const nn__opencl_gemm_plan *plan, char *text,
                                                    size_t size);
/* kernels/matmul/opencl_copied.c. plan_copied returns false if the product takes the usual loop.
   fills: tiles of 128 suit the product. pack_both sets *packed to the product of the operands that
   are ready to be copied. If run is set, it launches the packing. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_plan_copied(nn__opencl *device, const nn_gemm_args *g,
                                                    nn__opencl_gemm_plan *plan, bool fills);
NN__OPENCL_PRIVATE nn_result nn__opencl_gemm_pack_both(nn__opencl *device, const nn_gemm_args *g,
                                                       const nn__opencl_gemm_plan *plan,
                                                       bool run, nn_gemm_args *packed);
/* kernels/matmul/opencl_half.c. plan_half sets plan->rounding if a product in large tiles uses half
   arithmetic. prepare launches what finds the largest numbers of a and b; most returns them. */
NN__OPENCL_PRIVATE void nn__opencl_gemm_plan_half(nn__opencl *device, const nn_gemm_args *g,
                                                  nn__opencl_gemm_plan *plan);
NN__OPENCL_PRIVATE nn_view nn__opencl_gemm_half_most(const nn_gemm_args *g,
                                                     const nn__opencl_gemm_plan *plan);
NN__OPENCL_PRIVATE nn_result nn__opencl_gemm_half_prepare(nn__opencl *device,
                                                          const nn_gemm_args *g,
                                                          const nn__opencl_gemm_plan *plan);
/* kernels/matmul/opencl_slices.c */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_slices(const nn__opencl *device);
NN__OPENCL_PRIVATE bool nn__opencl_gemm_is_slices(const nn__opencl *device, const nn_gemm_args *g,
                                                  int32_t products);
NN__OPENCL_PRIVATE void nn__opencl_gemm_plan_slices(const nn__opencl *device, const nn_gemm_args *g,
                                                    nn__opencl_gemm_plan *plan);
NN__OPENCL_PRIVATE bool nn__opencl_gemm_gathers(const nn__opencl *device, const nn_gemm_args *g,
                                                const nn__opencl_gemm_plan *plan);
NN__OPENCL_PRIVATE void nn__opencl_gemm_slices_options(const nn_gemm_args *g,
                                                       const nn__opencl_gemm_plan *plan,
                                                       char *text, size_t size);
