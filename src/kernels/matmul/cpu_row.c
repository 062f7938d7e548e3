/* kernels/matmul/cpu_row.c - one row times a matrix whose rows lie along y: y += a[e] b[e][...].
   Such a product reads every number of b once and waits for memory, so what counts is that b is
   read along its rows. A tile would go down 16 columns of it instead. And its turned round: one
   column times one row, the gradient of a weight for one sample, which waits for writing. */
#include "cpu/simd.h"
#include "kernels/matmul/cpu.h"

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

/* `rows` rows of b at a time, 8, 4 or 1: few enough for the machine to read them all ahead. Their
   numbers of a have names, since compilers keep arrays of vectors in memory. */
#define NN__ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#ifdef NN__VECTOR8
NN__AVX2 static NN__ALWAYS_INLINE void nn__row_visit8(float *y, const float *a, const float *b,
                                                      ptrdiff_t b_row, const int rows, int n,
                                                      bool add) {
    const __m256 zero = _mm256_setzero_ps();
    int j = 0;
#define NN__X(i)                                                                                   \
    const float *b##i = b + (i < rows ? i : 0) * b_row;                                            \
    const __m256 w##i = _mm256_broadcast_ss(a + (i < rows ? i : 0));
    NN__ROWS(NN__X)
#undef NN__X
    for (; j + 16 <= n; j += 16) {
        __m256 p = add ? _mm256_loadu_ps(y + j) : zero, q = add ? _mm256_loadu_ps(y + j + 8) : zero;
#define NN__X(i)                                                                                   \
    if (i < rows) {                                                                                \
        p = _mm256_fmadd_ps(w##i, _mm256_loadu_ps(b##i + j), p);                                   \
        q = _mm256_fmadd_ps(w##i, _mm256_loadu_ps(b##i + j + 8), q);                               \
    }
        NN__ROWS(NN__X)
#undef NN__X
        _mm256_storeu_ps(y + j, p);
        _mm256_storeu_ps(y + j + 8, q);
    }
    for (; j < n; j += 8) {
        const __m256i mask = nn__first8(n - j);
        __m256 p = add ? _mm256_maskload_ps(y + j, mask) : zero;
#define NN__X(i)                                                                                   \
    if (i < rows) p = _mm256_fmadd_ps(w##i, _mm256_maskload_ps(b##i + j, mask), p);
        NN__ROWS(NN__X)
#undef NN__X
        _mm256_maskstore_ps(y + j, mask, p);
    }
}

NN__AVX2 static void nn__row_add8(float *y, const float *a, const float *b, ptrdiff_t b_row,
                                  int rows, int n, bool add) {
    int e = 0;
    for (; e + 8 <= rows; e += 8, add = true)
        nn__row_visit8(y, a + e, b + e * b_row, b_row, 8, n, add);
    for (; e + 4 <= rows; e += 4, add = true)
        nn__row_visit8(y, a + e, b + e * b_row, b_row, 4, n, add);
    for (; e < rows; e++, add = true)
        nn__row_visit8(y, a + e, b + e * b_row, b_row, 1, n, add);
}

/* y[i][j] = a[i] b[j] past the caches; y on 32 bytes, n a multiple of 8. */
NN__AVX2 static void nn__outer_stream(float *y, const float *a, const float *b, int rows, int n,
                                      ptrdiff_t y_row) {
    for (int i = 0; i < rows; i++) {
        const __m256 w = _mm256_broadcast_ss(a + i), zero = _mm256_setzero_ps();
        float *to = y + i * y_row;
        for (int j = 0; j < n; j += 8)
            _mm256_stream_ps(to + j, _mm256_fmadd_ps(w, _mm256_loadu_ps(b + j), zero));
    }
    nn__streamed();
}
#endif

#ifdef NN__VECTOR16
NN__AVX512 static NN__ALWAYS_INLINE void nn__row_visit16(float *y, const float *a, const float *b,
                                                         ptrdiff_t b_row, const int rows, int n,
                                                         bool add) {
    const __m512 zero = _mm512_setzero_ps();
    int j = 0;
#define NN__X(i)                                                                                   \
    const float *b##i = b + (i < rows ? i : 0) * b_row;                                            \
    const __m512 w##i = _mm512_set1_ps(a[i < rows ? i : 0]);
    NN__ROWS(NN__X)
#undef NN__X
    for (; j + 16 <= n; j += 16) {
        __m512 p = add ? _mm512_loadu_ps(y + j) : zero;
#define NN__X(i)                                                                                   \
    if (i < rows) p = _mm512_fmadd_ps(w##i, _mm512_loadu_ps(b##i + j), p);
        NN__ROWS(NN__X)
#undef NN__X
        _mm512_storeu_ps(y + j, p);
    }
    if (j == n) return;
    const __mmask16 mask = (__mmask16)((1u << (n - j)) - 1u);
    __m512 p = add ? _mm512_maskz_loadu_ps(mask, y + j) : zero;
#define NN__X(i)                                                                                   \
    if (i < rows) p = _mm512_fmadd_ps(w##i, _mm512_maskz_loadu_ps(mask, b##i + j), p);
    NN__ROWS(NN__X)
#undef NN__X
    _mm512_mask_storeu_ps(y + j, mask, p);
}

NN__AVX512 static void nn__row_add16(float *y, const float *a, const float *b, ptrdiff_t b_row,
                                     int rows, int n, bool add) {
    int e = 0;
    for (; e + 8 <= rows; e += 8, add = true)
        nn__row_visit16(y, a + e, b + e * b_row, b_row, 8, n, add);
    for (; e + 4 <= rows; e += 4, add = true)
        nn__row_visit16(y, a + e, b + e * b_row, b_row, 4, n, add);
    for (; e < rows; e++, add = true)
        nn__row_visit16(y, a + e, b + e * b_row, b_row, 1, n, add);
}
#endif
#undef NN__ROWS

NN_PRIVATE void nn__row_add(const nn__cpu *cpu, float *y, const float *a, const float *b,
                            ptrdiff_t b_row, int rows, int n, bool add) {
    (void)cpu;
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__row_add16(y, a, b, b_row, rows, n, add);
        return;
    }
#endif
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) {
        nn__row_add8(y, a, b, b_row, rows, n, add);
        return;
    }
#endif
    nn__row_add_plain(y, a, b, b_row, rows, n, add);
}

NN_PRIVATE void nn__gemm_run_outer(const nn__gemm_cut *cut, const nn__cpu *cpu,
                                   const nn_gemm_args *g, const nn__gemm_part *part,
                                   nn__product *x) {
    const float *a = nn__f32(&g->a) + part->i, *b = nn__f32(&g->b) + part->j;
#ifdef NN__VECTOR8
    const int64_t bytes = (int64_t)g->m * g->n * nn__gemm_products(g) * (int64_t)sizeof(float);
    if (nn__vectors(cpu) && !x->add && g->n % 8 == 0 && part->columns % 8 == 0 &&
        nn__streams(cpu, x->y, bytes)) {
        nn__outer_stream(x->y, a, b, part->rows, part->columns, x->y_row);
    } else
#endif
        for (int i = 0; i < part->rows; i++)
            nn__row_add(cpu, x->y + i * x->y_row, a + i, b, 0, 1, part->columns, x->add);
    if (x->column_bias || x->activate)
        nn__gemm_finish(cut->set, x, x->y, 0, part->rows, 0, part->columns);
}
#endif

typedef int nn__matmul_row_part; /* a part must not be empty under NN_NO_SIMD */
