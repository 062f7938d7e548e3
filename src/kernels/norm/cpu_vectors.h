/* kernels/norm/cpu_vectors.h - what the loops over lines and those over columns share: vectors of
   eight numbers. */
#pragma once

#include "cpu/simd.h"
#include "kernels/norm/cpu.h"

#ifdef NN__VECTOR8
NN__AVX2 static inline NN__UNUSED __m256 nn__norm_load8(const float *x, int64_t i, int64_t n,
                                                        float filler) {
    return n - i >= 8 ? _mm256_loadu_ps(x + i) : nn__load_tail8(x + i, (int)(n - i), filler);
}
NN__AVX2 static inline NN__UNUSED void nn__norm_store8(float *y, int64_t i, int64_t n, __m256 v) {
    if (n - i >= 8)
        _mm256_storeu_ps(y + i, v);
    else
        nn__store_tail8(y + i, (int)(n - i), v);
}
/* As nn__relu and nn__relu6 do it. */
NN__AVX2 static inline NN__UNUSED __m256 nn__norm_clamp8(__m256 v, nn__clamp clamp) {
    const __m256 zero = _mm256_setzero_ps();
    if (clamp) v = _mm256_max_ps(zero, v);
    if (clamp == NN__CLAMP_RELU6)
        v = _mm256_add_ps(_mm256_min_ps(_mm256_set1_ps(6.0f), v), zero);
    return v;
}

#define NN__NORM_VECTORS(cpu, call)                                                                \
    if (nn__vectors(cpu)) {                                                                        \
        call;                                                                                      \
        return;                                                                                    \
    }
#else
#define NN__NORM_VECTORS(cpu, call) (void)(cpu);
#endif
