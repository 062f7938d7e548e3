/* kernels/matmul/opencl.h - how a matrix product is done on an OpenCL device. */
#pragma once

#include "opencl/private.h"

typedef enum nn__opencl_gemm_way {
    NN__OPENCL_GEMM_PLAIN,
    NN__OPENCL_GEMM_ROWS,
    NN__OPENCL_GEMM_DOTS,
    NN__OPENCL_GEMM_TILES,
    NN__OPENCL_GEMM_LARGE, /* tiles of 128 by 128 */
    NN__OPENCL_GEMM_LONG,
    NN__OPENCL_GEMM_BLAS
} nn__opencl_gemm_way;

typedef struct nn__opencl_gemm_plan {
    nn__opencl_gemm_way way;
    int32_t rows;                                   /* of a tile */
    int32_t tiles;                                  /* of rows */
    int32_t products, each;                         /* of the batch; of a unit */
    int32_t units;                                  /* but for packing and finishing */
    int32_t b_count;                                /* matrices of b */
    int32_t splits, chunk;                          /* of k */
    bool pack, finish;                              /* launches before and after */
    int a_type, b_type;                             /* NN_GEMM_A_TYPE of opencl.cl */
    uint64_t pack_bytes, partial_bytes, blas_bytes; /* of scratch, in this order */
} nn__opencl_gemm_plan;

/* Cuts k so that about `wanted` tiles run at once, each of at least `shortest` steps. */
NN__OPENCL_PRIVATE void nn__opencl_gemm_split(nn__opencl_gemm_plan *plan, int32_t k, int64_t tiles,
                                              int64_t wanted, int32_t shortest);
/* kernels/matmul/opencl_large.c; tiles: how many there would be. */
NN__OPENCL_PRIVATE bool nn__opencl_gemm_is_large(nn__opencl *device, const nn_gemm_args *g,
                                                 int32_t products, int64_t *tiles);
NN__OPENCL_PRIVATE void nn__opencl_gemm_plan_large(nn__opencl *device, const nn_gemm_args *g,
                                                   int64_t tiles, nn__opencl_gemm_plan *plan);
NN__OPENCL_PRIVATE const char *nn__opencl_gemm_large_options(const nn_gemm_args *g);
