/* kernels/matmul/cpu_row.c - one row times a matrix whose rows lie along y: y += a[e] b[e][...].
   Such a product reads every number of b once and waits for memory, so what counts is that b is
   read along its rows. A tile would go down 16 columns of it instead. */
#include "cpu/gemm.h"
#include "cpu/simd.h"

#ifndef NN_NO_SIMD

static void nn__row_add_plain(float *y, const float *a, const float *b, ptrdiff_t b_row, int rows,
                              int n, bool add) {
    for (int j = 0; j < n; j += 16) {
        const int columns = nn__mini(16, n - j);
        float sum[16] = {0};
        if (add) memcpy(sum, y + j, (size_t)columns * sizeof(float));
        for (int e = 0; e < rows; e++)
            for (int l = 0; l < columns; l++) sum[l] += a[e] * b[e * b_row + j + l];
        memcpy(y + j, sum, (size_t)columns * sizeof(float));
    }
}

#ifdef NN__VECTOR8
NN__AVX2 static void nn__row_add8(float *y, const float *a, const float *b, ptrdiff_t b_row,
                                  int rows, int n, bool add) {
    int j = 0;
    for (; j + 32 <= n; j += 32) {
        __m256 p = _mm256_setzero_ps(), q = p, r = p, s = p;
        if (add) {
            p = _mm256_loadu_ps(y + j), q = _mm256_loadu_ps(y + j + 8);
            r = _mm256_loadu_ps(y + j + 16), s = _mm256_loadu_ps(y + j + 24);
        }
        for (int e = 0; e < rows; e++) {
            const __m256 w = _mm256_broadcast_ss(a + e);
            const float *from = b + e * b_row + j;
            p = _mm256_fmadd_ps(w, _mm256_loadu_ps(from), p);
            q = _mm256_fmadd_ps(w, _mm256_loadu_ps(from + 8), q);
            r = _mm256_fmadd_ps(w, _mm256_loadu_ps(from + 16), r);
            s = _mm256_fmadd_ps(w, _mm256_loadu_ps(from + 24), s);
        }
        _mm256_storeu_ps(y + j, p);
        _mm256_storeu_ps(y + j + 8, q);
        _mm256_storeu_ps(y + j + 16, r);
        _mm256_storeu_ps(y + j + 24, s);
    }
    if (j < n) nn__row_add_plain(y + j, a, b + j, b_row, rows, n - j, add);
}
#endif

NN_PRIVATE void nn__row_add(const nn__cpu *cpu, float *y, const float *a, const float *b,
                            ptrdiff_t b_row, int rows, int n, bool add) {
    (void)cpu;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) {
        nn__row_add8(y, a, b, b_row, rows, n, add);
        return;
    }
#endif
    nn__row_add_plain(y, a, b, b_row, rows, n, add);
}
#endif

typedef int nn__matmul_row_part; /* a part must not be empty under NN_NO_SIMD */
