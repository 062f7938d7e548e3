/* cpu/block_avx512.c - small products for AVX-512F, of matrices that are in the first caches:
   blocks of 8 rows and 32 columns, whose rows of a are equally far apart, so that three of them
   need one register, and no table of offsets. The sums are those of cpu/gemm_avx512.c, byte for
   byte. */
#include "cpu/gemm.h"

#include <math.h>

#ifdef NN__HAVE_X86

#define NN__BLOCK_AVX512 NN__TARGET("avx512f")

/* See cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* Row i, and where it stands behind one of three pointers. */
#define NN__BLOCK_ROWS(X)                                                                          \
    X(0, a0[0]) X(1, a0[row]) X(2, a0[row * 2]) X(3, a3[0]) X(4, a3[row]) X(5, a3[row * 2])        \
    X(6, a6[0]) X(7, a6[row])

/* What is written without a mask can be read back at once. */
static NN__ALWAYS_INLINE NN__BLOCK_AVX512 void nn__avx512_block_put(float *y, __mmask16 mask,
                                                                    __m512 value) {
    if (mask == (__mmask16)0xffff)
        _mm512_storeu_ps(y, value);
    else
        _mm512_mask_storeu_ps(y, mask, value);
}

static NN__ALWAYS_INLINE NN__BLOCK_AVX512 void
nn__avx512_block_body(const nn__near_product *x, int i, int j, const int rows, const bool wide) {
    const int left = x->columns - j, narrow = nn__mini(left, 16);
    const __mmask16 mask0 = wide ? (__mmask16)0xffff : (__mmask16)((1u << narrow) - 1u);
    const __mmask16 mask1 =
        wide ? (__mmask16)((1u << nn__mini(left - narrow, 16)) - 1u) : (__mmask16)0;
    const ptrdiff_t row = x->a_row, step = x->a_step, b_row = x->b_row;
    const float *a0 = x->a + i * row, *a3 = a0 + 3 * row, *a6 = a0 + 6 * row, *b = x->b + j;
#define NN__X(e, value) __m512 low##e = _mm512_setzero_ps(), high##e = low##e;
    NN__BLOCK_ROWS(NN__X)
#undef NN__X
#define NN__X(e, value)                                                                            \
    if (e < rows) {                                                                                \
        const __m512 one = _mm512_set1_ps(value);                                                  \
        low##e = _mm512_fmadd_ps(one, b0, low##e);                                                 \
        if (wide) high##e = _mm512_fmadd_ps(one, b1, high##e);                                     \
    }
#define NN__STEP                                                                                   \
    {                                                                                              \
        const __m512 b0 = _mm512_maskz_loadu_ps(mask0, b);                                         \
        const __m512 b1 = wide ? _mm512_maskz_loadu_ps(mask1, b + 16) : b0;                        \
        NN__BLOCK_ROWS(NN__X)                                                                      \
        a0 += step, a3 += step, a6 += step, b += b_row;                                            \
    }
    int p = x->depth;
    for (; p >= 4; p -= 4) {
        NN__STEP NN__STEP NN__STEP NN__STEP
    }
    for (; p > 0; p--) NN__STEP
#undef NN__STEP
#undef NN__X
    /* -0 and -infinity change nothing. In this order NaN stays. */
    const __m512 none = _mm512_set1_ps(-0.0f),
                 least = _mm512_set1_ps(x->relu ? 0.0f : -INFINITY);
    const __m512 bias0 = x->bias ? _mm512_mask_loadu_ps(none, mask0, x->bias + j) : none;
    const __m512 bias1 =
        x->bias && wide ? _mm512_mask_loadu_ps(none, mask1, x->bias + j + 16) : none;
    const ptrdiff_t columns = x->columns, at = (ptrdiff_t)i * columns + j;
    float *y = x->y + at;
#define NN__X(e, value)                                                                            \
    if (e < rows) {                                                                                \
        low##e = _mm512_add_ps(low##e, _mm512_maskz_loadu_ps(mask0, y + e * columns));             \
        if (wide)                                                                                  \
            high##e = _mm512_add_ps(high##e, _mm512_maskz_loadu_ps(mask1, y + e * columns + 16));  \
    }
    if (x->add) {
        NN__BLOCK_ROWS(NN__X)
    }
#undef NN__X
#define NN__X(e, value)                                                                            \
    if (e < rows) {                                                                                \
        low##e = _mm512_max_ps(least, _mm512_add_ps(low##e, bias0));                               \
        if (wide) high##e = _mm512_max_ps(least, _mm512_add_ps(high##e, bias1));                   \
    }
    NN__BLOCK_ROWS(NN__X)
#undef NN__X
#define NN__X(e, value)                                                                            \
    if (e < rows) {                                                                                \
        nn__avx512_block_put(y + e * columns, mask0, low##e);                                      \
        if (wide) nn__avx512_block_put(y + e * columns + 16, mask1, high##e);                      \
    }
    if (x->gated != x->y) {
        NN__BLOCK_ROWS(NN__X)
    }
#undef NN__X
    if (!x->gated) return;
    const float *gate = x->gate + at;
    float *gated = x->gated + at;
#define NN__GATE(e, mask, sum, to)                                                                 \
    nn__avx512_block_put(                                                                          \
        gated + e * columns + to, mask,                                                            \
        _mm512_maskz_mov_ps(                                                                       \
            _mm512_cmp_ps_mask(_mm512_maskz_loadu_ps(mask, gate + e * columns + to),               \
                               _mm512_setzero_ps(), _CMP_NLE_UQ),                                  \
            sum));
#define NN__X(e, value)                                                                            \
    if (e < rows) {                                                                                \
        NN__GATE(e, mask0, low##e, 0)                                                              \
        if (wide) NN__GATE(e, mask1, high##e, 16)                                                  \
    }
    NN__BLOCK_ROWS(NN__X)
#undef NN__X
#undef NN__GATE
}

static NN__ALWAYS_INLINE NN__BLOCK_AVX512 void
nn__avx512_block_strip(const nn__near_product *x, int j, const bool wide) {
    int i = 0;
    for (; i + 8 <= x->rows; i += 8) nn__avx512_block_body(x, i, j, 8, wide);
    if (x->rows & 4) nn__avx512_block_body(x, i, j, 4, wide), i += 4;
    if (x->rows & 2) nn__avx512_block_body(x, i, j, 2, wide), i += 2;
    if (x->rows & 1) nn__avx512_block_body(x, i, j, 1, wide);
}

NN_PRIVATE NN__BLOCK_AVX512 void nn__avx512_block(const nn__near_product *block) {
    for (int j = 0; j < block->columns; j += 32)
        if (block->columns - j > 16)
            nn__avx512_block_strip(block, j, true);
        else
            nn__avx512_block_strip(block, j, false);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#undef NN__BLOCK_AVX512
#undef NN__BLOCK_ROWS

#else
typedef int nn__block_avx512_part; /* a part must not be empty */
#endif
