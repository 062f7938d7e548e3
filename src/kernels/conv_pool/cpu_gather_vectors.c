/* kernels/conv_pool/cpu_gather_vectors.c - what kernels/conv_pool/cpu_gather.h says, for
   vectors of 16 windows. */
#include "cpu/gemm.h"
#include "kernels/conv_pool/cpu_gather.h"
#include "kernels/conv_pool/cpu_put.h"

#if defined(NN__VECTOR16) && !defined(NN_NO_REPORTS) && !defined(NN_NO_TRAINING)

/* As in cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/* Where the maxima of n windows are; of fewer than a vector, the others are in the first place. */
static __m128i nn__conv_pool_places(const uint8_t *place, int n) {
    uint8_t some[16];
    if (n >= 16) return _mm_loadu_si128((const __m128i *)(const void *)place);
    memset(some, 0, sizeof some);
    memcpy(some, place, (size_t)n);
    return _mm_loadu_si128((const __m128i *)(const void *)some);
}

/* Each output channel reads elsewhere. */
static void nn__conv_pool_take_ahead(const nn__conv_pool_taking *m, ptrdiff_t at) {
    nn__gemm_ahead(m->dy + at, 1);
    if (m->relu) nn__gemm_ahead(m->y + at, 1);
    nn__gemm_ahead((const float *)(const void *)(m->place + at), 1);
}

/* Read once into a register: compilers would read what is used twice from memory each time. */
#if defined(__GNUC__) || defined(__clang__)
#define NN__GATHER_KEEP(v)      __asm__("" : "+v"(v))
#define NN__GATHER_KEEP_MASK(v) __asm__("" : "+k"(v))
#else
#define NN__GATHER_KEEP(v)      (void)0
#define NN__GATHER_KEEP_MASK(v) (void)0
#endif
/* Sums of points, one row of a tap and point j: the upper row of x where the maximum is above. */
#define NN__GATHER_TAP(j, k, r, up, down, ADD)                                                     \
    s##k##r##j = ADD(_mm512_mask_blend_ps(below##k, up, down), d##k, s##k##r##j, some##k);
#define NN__GATHER_TAPS(j, k, ADD)                                                                 \
    NN__GATHER_TAP(j, k, 0, x0, x1, ADD)                                                           \
    NN__GATHER_TAP(j, k, 1, x1, x2, ADD)                                                           \
    NN__GATHER_TAP(j, k, 2, x2, x3, ADD)
#define NN__GATHER_ALL(X, k)                                                                       \
    X(k, 0, 0)                                                                                     \
    X(k, 0, 1)                                                                                     \
    X(k, 0, 2) X(k, 0, 3) X(k, 1, 0) X(k, 1, 1) X(k, 1, 2) X(k, 1, 3) X(k, 2, 0) X(k, 2, 1)        \
        X(k, 2, 2) X(k, 2, 3)

NN_PRIVATE NN__AVX512 void nn__conv_pool_gather_points16(const float *even, const float *odd,
                                                         int vectors, float *to) {
    for (int v = 0; v < vectors; v++, even += 16, odd += 16, to += 64) {
        const __m512 x0 = _mm512_loadu_ps(even), x1 = _mm512_loadu_ps(odd),
                     x2 = _mm512_loadu_ps(even + 1), x3 = _mm512_loadu_ps(odd + 1);
        _mm512_storeu_ps(to, _mm512_sub_ps(x0, x2));
        _mm512_storeu_ps(to + 16, _mm512_add_ps(x1, x2));
        _mm512_storeu_ps(to + 32, _mm512_sub_ps(x2, x1));
        _mm512_storeu_ps(to + 48, _mm512_sub_ps(x1, x3));
    }
}

/* taken: the gradients, (vectors, 2 output channels, lanes); behind them all, of each of these,
   four masks of the windows that have one: all, those with their maximum on the left, on the right,
   and below. */
#define NN__GATHER_MASKS 4
static uint16_t *nn__conv_pool_masks(const float *taken, int vectors) {
    return (uint16_t *)(uintptr_t)(taken + (ptrdiff_t)vectors * 32);
}

NN_PRIVATE NN__AVX512 void nn__conv_pool_take16(const nn__conv_pool_taking *m) {
    uint16_t *masks = nn__conv_pool_masks(m->taken, m->rows * nn__ceil_div(m->width, 16));
    const __m512 zero = _mm512_setzero_ps();
    for (int k = 0; k < 2; k++) {
        const float *dy = m->dy + k * m->next, *y = m->y + k * m->next;
        const uint8_t *place = m->place + k * m->next;
        float *to = m->taken + 16 * k, *sum = m->total + k * m->next_total;
        uint16_t *mask = masks + NN__GATHER_MASKS * k;
        __m512 total = _mm512_loadu_ps(sum);
        for (int t = 0; t < m->rows; t++)
            for (int q = 0; q < m->width; q += 16, to += 32, mask += 2 * NN__GATHER_MASKS) {
                const ptrdiff_t at = (ptrdiff_t)t * m->width + q;
                const int n = m->width - q;
                const __mmask16 first = nn__conv_pool_first16(n);
                const __m512 d =
                    n >= 16 ? _mm512_loadu_ps(dy + at) : _mm512_maskz_loadu_ps(first, dy + at);
                const __m128i places = nn__conv_pool_places(place + at, n);
                __mmask16 live = _mm512_cmp_ps_mask(d, zero, _CMP_NEQ_UQ);
                if (m->relu)
                    live &= _mm512_cmp_ps_mask(n >= 16 ? _mm512_loadu_ps(y + at)
                                                       : _mm512_maskz_loadu_ps(first, y + at),
                                               zero, _CMP_NLE_UQ);
                const int right = live & _mm_movemask_epi8(_mm_slli_epi16(places, 7));
                nn__conv_pool_take_ahead(m, m->ahead + k * m->next + at);
                total = _mm512_mask_add_ps(total, live, total, d);
                _mm512_storeu_ps(to, d);
                mask[0] = live;
                mask[1] = (uint16_t)(live ^ right);
                mask[2] = (uint16_t)right;
                mask[3] = (uint16_t)_mm_movemask_epi8(_mm_slli_epi16(places, 6));
            }
        _mm512_storeu_ps(sum, total);
    }
}

NN_PRIVATE NN__AVX512 void nn__conv_pool_gather16(const nn__conv_pool_gathering *g) {
    const float *taken = g->taken, *x = g->points;
    const uint16_t *mask = nn__conv_pool_masks(taken, g->rows * g->vectors);
    const ptrdiff_t row = (ptrdiff_t)g->vectors * 64;
    float *sums = g->sums;
#define NN__GATHER_BEGIN(k, r, j)                                                                  \
    __m512 s##k##r##j = _mm512_loadu_ps(sums + (k)*g->next_sums + ((r)*4 + (j)) * 16);
#define NN__GATHER_POINT(j, ADD)                                                                   \
    {                                                                                              \
        __m512 x0 = _mm512_loadu_ps(x + (j)*16), x1 = _mm512_loadu_ps(x + row + (j)*16),           \
               x2 = _mm512_loadu_ps(x + 2 * row + (j)*16),                                         \
               x3 = _mm512_loadu_ps(x + 3 * row + (j)*16);                                         \
        NN__GATHER_KEEP(x0);                                                                       \
        NN__GATHER_KEEP(x1);                                                                       \
        NN__GATHER_KEEP(x2);                                                                       \
        NN__GATHER_KEEP(x3);                                                                       \
        NN__GATHER_TAPS(j, 0, ADD)                                                                 \
        NN__GATHER_TAPS(j, 1, ADD)                                                                 \
    }
#define NN__GATHER_END(k, r, j)                                                                    \
    _mm512_storeu_ps(sums + (k)*g->next_sums + ((r)*4 + (j)) * 16, s##k##r##j);
    NN__GATHER_ALL(NN__GATHER_BEGIN, 0)
    NN__GATHER_ALL(NN__GATHER_BEGIN, 1)
    for (int t = 0; t < g->rows; t++, x += row)
        for (int v = 0; v < g->vectors; v++, taken += 32, mask += 2 * NN__GATHER_MASKS, x += 64) {
            __mmask16 below0 = mask[3], below1 = mask[7];
            __m512 d0 = _mm512_loadu_ps(taken), d1 = _mm512_loadu_ps(taken + 16);
            NN__GATHER_KEEP_MASK(below0);
            NN__GATHER_KEEP_MASK(below1);
            {
                __mmask16 some0 = mask[0], some1 = mask[4], right0 = mask[2], right1 = mask[6];
                NN__GATHER_KEEP_MASK(some0);
                NN__GATHER_KEEP_MASK(some1);
                NN__GATHER_KEEP_MASK(right0);
                NN__GATHER_KEEP_MASK(right1);
                NN__GATHER_POINT(1, _mm512_mask3_fmadd_ps)
                d0 = _mm512_mask_sub_ps(d0, right0, _mm512_setzero_ps(), d0);
                d1 = _mm512_mask_sub_ps(d1, right1, _mm512_setzero_ps(), d1);
                NN__GATHER_POINT(2, _mm512_mask3_fmadd_ps)
            }
            {
                __mmask16 some0 = mask[1], some1 = mask[5];
                NN__GATHER_KEEP_MASK(some0);
                NN__GATHER_KEEP_MASK(some1);
                NN__GATHER_POINT(0, _mm512_mask3_fmadd_ps)
            }
            {
                __mmask16 some0 = mask[2], some1 = mask[6];
                NN__GATHER_KEEP_MASK(some0);
                NN__GATHER_KEEP_MASK(some1);
                NN__GATHER_POINT(3, _mm512_mask3_fnmadd_ps) /* whose sign was changed */
            }
        }
    NN__GATHER_ALL(NN__GATHER_END, 0)
    NN__GATHER_ALL(NN__GATHER_END, 1)
#undef NN__GATHER_BEGIN
#undef NN__GATHER_POINT
#undef NN__GATHER_END
}

NN_PRIVATE NN__AVX512 void nn__conv_pool_add_up16(const float *from, int count, float *to) {
    for (int i = 0; i < count; i++) {
        const __m512 v = _mm512_loadu_ps(from + 16 * i);
        to[i] = nn__sum8(_mm256_add_ps(nn__low16(v), nn__high16(v)));
    }
}

#undef NN__GATHER_MASKS
#undef NN__GATHER_KEEP
#undef NN__GATHER_KEEP_MASK
#undef NN__GATHER_TAP
#undef NN__GATHER_TAPS
#undef NN__GATHER_ALL
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif

typedef int nn__conv_pool_gather_vectors_part; /* a part must not be empty on other machines */
