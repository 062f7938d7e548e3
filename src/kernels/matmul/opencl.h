/* kernels/matmul/opencl.h - how a matrix product is done on an OpenCL device. */
#pragma once

#include "opencl/private.h"

#define NN__OPENCL_GEMM_SHAPES    5     /* tiles of opencl_large.cl */
#define NN__OPENCL_GEMM_THIRD     65535 /* work-groups along the third extent of a launch */
#define NN__OPENCL_GEMM_FEW_ITEMS 128   /* of a work-group of long or thin products */
#define NN__OPENCL_GEMM_THIN_WIDE 128   /* its columns of a thin one */
#define NN__OPENCL_GEMM_SLICES_SIDE 32  /* its rows and columns where k goes to slices of it */

typedef enum nn__opencl_gemm_way {
    NN__OPENCL_GEMM_PLAIN,
    NN__OPENCL_GEMM_TILES,
    NN__OPENCL_GEMM_LARGE, /* tiles of kernels/matmul/opencl_large.cl */
    NN__OPENCL_GEMM_LONG,  /* a work-group for few dot products */
    NN__OPENCL_GEMM_THIN,  /* few rows, and b along its columns */
    NN__OPENCL_GEMM_SLICES, /* too few tiles for all units */
    NN__OPENCL_GEMM_OUTER,  /* a short k: writing y is what takes time */
    NN__OPENCL_GEMM_BLAS
} nn__opencl_gemm_way;

/* What nn_opencl_tune chooses among, in the order of nn__opencl_gemm_tile_names. Kept on disks. */
typedef enum nn__opencl_gemm_tile {
    NN__OPENCL_GEMM_JUDGED,
    NN__OPENCL_GEMM_TILE_32,
    NN__OPENCL_GEMM_TILE_64,
    NN__OPENCL_GEMM_TILE_128, /* by 64 */
    NN__OPENCL_GEMM_TILE_LARGE, /* by 128; of opencl_large.cl as those at the end */
    NN__OPENCL_GEMM_TILE_LONG_4, /* a work-group for up to 4 by 4 dot products */
    NN__OPENCL_GEMM_TILE_LONG_8,
    NN__OPENCL_GEMM_TILE_BLAS,
    NN__OPENCL_GEMM_TILE_THIN,
    NN__OPENCL_GEMM_TILE_SLICES,
    NN__OPENCL_GEMM_TILE_64_128,
    NN__OPENCL_GEMM_TILE_64_SLICED,
    NN__OPENCL_GEMM_TILE_32_64,
    NN__OPENCL_GEMM_TILE_128_256,
    NN__OPENCL_GEMM_TILE_OUTER,
    NN__OPENCL_GEMM_TILE_COUNT
} nn__opencl_gemm_tile;

typedef struct nn__opencl_gemm_plan {
    nn__opencl_gemm_way way;
    nn__opencl_gemm_tile tile;                      /* JUDGED: none of them, the plain kernel */
    int32_t rows;                                   /* of a tile */
    int32_t columns, items; /* of a tile, where they differ; of its work-group */
    int32_t tiles;                                  /* of rows */
    int32_t products, each;                         /* of the batch; of a unit */
    int32_t units;                                  /* but for finishing */
    int32_t splits, chunk;                          /* of k */
    bool finish;                                    /* a launch after the tiles */
    bool gather;                                    /* no such launch: the last piece does it */
    int a_type, b_type;                             /* NN_GEMM_A_TYPE of opencl.cl */
    uint64_t partial_bytes, blas_bytes;             /* of scratch, in this order */
} nn__opencl_gemm_plan;

/* NN_GEMM_A_TYPE of opencl.cl; 0: f32, or none that a product reads */
static inline NN__OPENCL_UNUSED int nn__opencl_gemm_type(const nn_view *view) {
    return view->dtype == NN_F16 ? 1 : view->dtype == NN_BF16 ? 2 : view->dtype == NN_I8 ? 3 : 0;
}

/* Cuts k so that about `wanted` tiles run at once, each of at least `shortest` steps. */
NN__OPENCL_PRIVATE void nn__opencl_gemm_split(nn__opencl_gemm_plan *plan, int32_t k, int64_t tiles,
                                              int64_t wanted, int32_t shortest);
NN__OPENCL_PRIVATE nn__opencl_gemm_plan nn__opencl_gemm_plan_of(nn__opencl *device,
                                                                const nn_gemm_args *g);
/* kernels/matmul/opencl_few.c: y of few numbers, rows or columns on GPUs. Can its dot products be a
   work-group's each, are they better so, and are the rows so few that b is read once for all? */
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
/* kernels/matmul/opencl_large.c. The first: do four numbers that lie together begin at a multiple
   of four, and end inside? */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_in_fours(const nn_view *view, int32_t together);
NN__OPENCL_PRIVATE bool nn__opencl_gemm_may_be_large(const nn__opencl *device,
                                                     nn__opencl_gemm_tile tile);
NN__OPENCL_PRIVATE nn__opencl_gemm_tile nn__opencl_gemm_judge_large(const nn__opencl *device,
                                                                    const nn_gemm_args *g,
                                                                    int32_t products);
/* false: it is none of the large tiles. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_plan_large(const nn__opencl *device, const nn_gemm_args *g,
                                                   nn__opencl_gemm_plan *plan);
NN__OPENCL_PRIVATE const char *nn__opencl_gemm_large_options(const nn_gemm_args *g,
                                                             nn__opencl_gemm_tile tile);
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
