/* kernels/pointwise/cpu_avx512.h - the exact instructions of pointwise programs in vectors of
   sixteen, for the rows of cpu_avx512.c and cpu_recipes.c. Lane for lane they are those of
   cpu_avx2.h. */
#pragma once

#include "cpu/simd.h"

#ifdef NN__VECTOR16

#define NN__BITS16(x)   _mm512_castps_si512(x)
#define NN__FLOAT16(x)  _mm512_castsi512_ps(x)
#define NN__SET16(x)    _mm512_set1_ps(x)
#define NN__FMA16(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__SHIFT16(k)  NN__FLOAT16(_mm512_maskz_slli_epi32(NN__ALL16, k, 23))

NN__AVX512 static inline NN__UNUSED __m512 nn__abs16(__m512 x) {
    return NN__FLOAT16(_mm512_and_epi32(NN__BITS16(x), _mm512_set1_epi32(0x7fffffff)));
}
NN__AVX512 static inline NN__UNUSED __m512 nn__minus16(__m512 x) {
    return NN__FLOAT16(_mm512_xor_epi32(NN__BITS16(x), NN__BITS16(NN__SET16(-0.0f))));
}
/* y with the sign of x, where y has none. */
NN__AVX512 static inline NN__UNUSED __m512 nn__signed16(__m512 y, __m512 x) {
    const __m512i sign = _mm512_and_epi32(NN__BITS16(x), NN__BITS16(NN__SET16(-0.0f)));
    return NN__FLOAT16(_mm512_or_epi32(NN__BITS16(y), sign));
}

/* No compiler may contract a product with the sum that takes it, as in cpu_avx2.h. */
#if defined(__GNUC__) || defined(__clang__)
#define NN__KEEP16(v) __asm__("" : "+v"(v))
#else
#define NN__KEEP16(v) (void)(v)
#endif
NN__AVX512 static inline NN__UNUSED __m512 nn__times16(__m512 a, __m512 b) {
    __m512 product = _mm512_mul_ps(a, b);
    NN__KEEP16(product);
    return product;
}
/* 1 and 0. */
NN__AVX512 static inline NN__UNUSED __m512 nn__truth16(__mmask16 truth) {
    return _mm512_maskz_mov_ps(truth, NN__SET16(1.0f));
}
NN__AVX512 static inline NN__UNUSED __m512 nn__way16(__m512 x) {
    const __m512 zero = _mm512_setzero_ps();
    return _mm512_sub_ps(nn__truth16(_mm512_cmp_ps_mask(x, zero, _CMP_GT_OQ)),
                         nn__truth16(_mm512_cmp_ps_mask(x, zero, _CMP_LT_OQ)));
}
/* NaN wins; of equals the second. */
NN__AVX512 static inline NN__UNUSED __m512 nn__larger16(__m512 a, __m512 b) {
    return _mm512_mask_mov_ps(_mm512_maskz_max_ps(NN__ALL16, a, b),
                              _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q), a);
}
NN__AVX512 static inline NN__UNUSED __m512 nn__smaller16(__m512 a, __m512 b) {
    return _mm512_mask_mov_ps(_mm512_maskz_min_ps(NN__ALL16, a, b),
                              _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q), a);
}

#define NN__MASK16_LESS    _CMP_LT_OQ
#define NN__MASK16_GREATER _CMP_GT_OQ
#define NN__MASK16_EQUAL   _CMP_EQ_OQ
#define NN__COMPARED16(code, a, b)     nn__truth16(_mm512_cmp_ps_mask(a, b, NN__MASK16_##code))
#define NN__VALUE16_ADD(a, b, c)       _mm512_add_ps(a, b)
#define NN__VALUE16_SUBTRACT(a, b, c)  _mm512_sub_ps(a, b)
#define NN__VALUE16_MULTIPLY(a, b, c)  nn__times16(a, b)
#define NN__VALUE16_DIVIDE(a, b, c)    _mm512_div_ps(a, b)
#define NN__VALUE16_SQRT(a, b, c)      _mm512_maskz_sqrt_ps(NN__ALL16, a)
#define NN__VALUE16_NEGATE(a, b, c)    nn__minus16(a)
#define NN__VALUE16_ABS(a, b, c)       nn__abs16(a)
#define NN__VALUE16_SIGN(a, b, c)      nn__way16(a)
#define NN__VALUE16_MAXIMUM(a, b, c)   nn__larger16(a, b)
#define NN__VALUE16_MINIMUM(a, b, c)   nn__smaller16(a, b)
#define NN__VALUE16_CLAMP(a, b, c)     nn__smaller16(nn__larger16(a, b), c)
#define NN__VALUE16_LESS(a, b, c)      NN__COMPARED16(LESS, a, b)
#define NN__VALUE16_GREATER(a, b, c)   NN__COMPARED16(GREATER, a, b)
#define NN__VALUE16_SELECT(a, b, c)                                                                \
    _mm512_mask_mov_ps(c, _mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_NEQ_UQ), b)

#endif
