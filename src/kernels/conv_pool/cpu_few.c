/* kernels/conv_pool/cpu_few.c - what kernels/conv_pool/cpu_few.h says: which blocks go that way,
   and tiles of quads that end with the largest of each. */
#include "kernels/conv_pool/cpu_few.h"
#include "cpu/gemm.h"
#include "kernels/conv_pool/cpu_put.h"

#if !defined(NN_NO_REPORTS) && !defined(NN_NO_SIMD)

#define NN__CONV_POOL_FEW_LEAST 4 /* output channels: for fewer, points are not worth their sums */

NN_PRIVATE bool nn__conv_pool_few_suits(const nn__conv_pool_set *set, const nn_conv_pool_args *g) {
    const int32_t *weight = g->weight.shape.extent;
    return set && set->few && !g->direct && weight[2] == 3 && weight[3] == 3 &&
           weight[1] <= NN__QUAD_CHANNELS && weight[0] >= NN__CONV_POOL_FEW_LEAST;
}

#undef NN__CONV_POOL_FEW_LEAST

#ifdef NN__VECTOR8
/* As in cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
#define NN__V            __m256
#define NN__WIDE         8
#define NN__SET(x)       _mm256_set1_ps(x)
#define NN__LOAD(p)      _mm256_loadu_ps(p)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__SUB(a, b)    _mm256_sub_ps(a, b)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__PUT          nn__conv_pool_put_four8
NN__QUAD_TILE(nn__conv_pool_few8, NN__AVX2, nn__conv_pool_tile, band, NN__QUAD_TWO)
NN_PRIVATE NN__QUAD_TILE8(nn__conv_pool_few8, nn__conv_pool_tile, depth)
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__FMA
#undef NN__PUT

#ifdef NN__VECTOR16
#define NN__V            __m512
#define NN__WIDE         16
#define NN__SET(x)       _mm512_set1_ps(x)
#define NN__LOAD(p)      _mm512_loadu_ps(p)
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__SUB(a, b)    _mm512_sub_ps(a, b)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__PUT          nn__conv_pool_put16
NN__QUAD_TILE(nn__conv_pool_few16, NN__AVX512, nn__conv_pool_tile, band, NN__QUAD_FOUR)
NN_PRIVATE NN__QUAD_TILE16(nn__conv_pool_few16, nn__conv_pool_tile, depth)
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__FMA
#undef NN__PUT
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
#endif

typedef int nn__conv_pool_few_part; /* a part must not be empty under NN_NO_SIMD */
