/* cpu/block_avx512.c - small products for AVX-512F, of matrices that are in the first caches:
   blocks of 8 rows and 32 columns, whose rows of a and b are equally far apart, so that there is no
   table of offsets. The sums are those of cpu/tile_avx512.c, byte for byte. */
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

#define NN__BLOCK_ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

/* What is written without a mask can be read back at once. */
static NN__ALWAYS_INLINE NN__BLOCK_AVX512 void nn__avx512_block_put(float *y, __mmask16 mask,
                                                                    __m512 value) {
    if (mask == (__mmask16)0xffff)
        _mm512_storeu_ps(y, value);
    else
        _mm512_mask_storeu_ps(y, mask, value);
}

static NN__ALWAYS_INLINE NN__BLOCK_AVX512 void
nn__avx512_block_body(const nn__near_product *x, int i, int j, const int rows,
                      const nn__avx512_width width) {
    const bool wide = width != NN__AVX512_NARROW;
    const __mmask16 all = (__mmask16)0xffff;
    const int left = x->columns - j, size = (int)sizeof(float);
    const __mmask16 mask0 = wide || left >= 16 ? all : (__mmask16)((1u << left) - 1u);
    const __mmask16 mask1 = width == NN__AVX512_WHOLE ? all
                            : wide                    ? (__mmask16)((1u << (left - 16)) - 1u)
                                                      : (__mmask16)0;
    const ptrdiff_t once = x->a_row * size, step = x->a_step * size, b_row = x->b_row;
    ptrdiff_t thrice = 3 * once;
    const char *first = (const char *)(x->a + i * x->a_row), *sixth = first + 5 * once;
    const float *b = x->b + j;
    NN__KEEP_REGISTER(thrice);
#define NN__X(e) __m512 low##e = _mm512_setzero_ps(), high##e = low##e;
    NN__BLOCK_ROWS(NN__X)
#undef NN__X
    for (int p = x->depth; p > 0; p--) {
        NN__KEEP_REGISTER(first);
        if (rows > 5) NN__KEEP_REGISTER(sixth);
        const __m512 b0 = _mm512_maskz_loadu_ps(mask0, b);
        const __m512 b1 = wide ? _mm512_maskz_loadu_ps(mask1, b + 16) : b0;
#define NN__X(e)                                                                                   \
    if (e < rows) {                                                                                \
        const __m512 one = nn__avx512_value(e < 5 ? first : sixth, once, thrice, e % 5);           \
        low##e = _mm512_fmadd_ps(one, b0, low##e);                                                 \
        if (wide) high##e = _mm512_fmadd_ps(one, b1, high##e);                                     \
    }
        NN__BLOCK_ROWS(NN__X)
#undef NN__X
        first += step, sixth += step, b += b_row;
    }
    const ptrdiff_t columns = x->columns, at = (ptrdiff_t)i * columns + j;
    float *y = x->y + at;
    if (x->add) {
#define NN__X(e)                                                                                   \
    if (e < rows) {                                                                                \
        low##e = _mm512_add_ps(low##e, _mm512_maskz_loadu_ps(mask0, y + e * columns));             \
        if (wide)                                                                                  \
            high##e = _mm512_add_ps(high##e, _mm512_maskz_loadu_ps(mask1, y + e * columns + 16));  \
    }
        NN__BLOCK_ROWS(NN__X)
#undef NN__X
    }
    if (x->bias || x->relu) {
        /* -0 and -infinity change nothing. In this order NaN stays. */
        const __m512 none = _mm512_set1_ps(-0.0f),
                     least = _mm512_set1_ps(x->relu ? 0.0f : -INFINITY);
        const __m512 bias0 = x->bias ? _mm512_mask_loadu_ps(none, mask0, x->bias + j) : none;
        const __m512 bias1 =
            x->bias && wide ? _mm512_mask_loadu_ps(none, mask1, x->bias + j + 16) : none;
#define NN__X(e)                                                                                   \
    if (e < rows) {                                                                                \
        low##e = _mm512_max_ps(least, _mm512_add_ps(low##e, bias0));                               \
        if (wide) high##e = _mm512_max_ps(least, _mm512_add_ps(high##e, bias1));                   \
    }
        NN__BLOCK_ROWS(NN__X)
#undef NN__X
    }
    if (x->gated != x->y) {
#define NN__X(e)                                                                                   \
    if (e < rows) {                                                                                \
        nn__avx512_block_put(y + e * columns, mask0, low##e);                                      \
        if (wide) nn__avx512_block_put(y + e * columns + 16, mask1, high##e);                      \
    }
        NN__BLOCK_ROWS(NN__X)
#undef NN__X
    }
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
#define NN__X(e)                                                                                   \
    if (e < rows) {                                                                                \
        NN__GATE(e, mask0, low##e, 0)                                                              \
        if (wide) NN__GATE(e, mask1, high##e, 16)                                                  \
    }
    NN__BLOCK_ROWS(NN__X)
#undef NN__X
#undef NN__GATE
}

static NN__ALWAYS_INLINE NN__BLOCK_AVX512 void
nn__avx512_block_strip(const nn__near_product *x, int j, const nn__avx512_width width) {
    int i = 0;
    for (; i + 8 <= x->rows; i += 8) nn__avx512_block_body(x, i, j, 8, width);
    if (x->rows & 4) nn__avx512_block_body(x, i, j, 4, width), i += 4;
    if (x->rows & 2) nn__avx512_block_body(x, i, j, 2, width), i += 2;
    if (x->rows & 1) nn__avx512_block_body(x, i, j, 1, width);
}

NN_PRIVATE NN__BLOCK_AVX512 void nn__avx512_block(const nn__near_product *block) {
    int j = 0;
    for (; j + 32 <= block->columns; j += 32) nn__avx512_block_strip(block, j, NN__AVX512_WHOLE);
    if (block->columns - j > 16)
        nn__avx512_block_strip(block, j, NN__AVX512_EDGE);
    else if (block->columns - j > 0)
        nn__avx512_block_strip(block, j, NN__AVX512_NARROW);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#undef NN__BLOCK_AVX512
#undef NN__BLOCK_ROWS

#else
typedef int nn__block_avx512_part; /* a part must not be empty */
#endif
