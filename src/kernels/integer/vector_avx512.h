/* kernels/integer/vector_avx512.h - the product of integer kernels for AVX-512 VNNI. vpdpbusd
   multiplies unsigned by signed numbers, so x is stored with an offset of 128, for which the packed
   weights are corrected. Without VNNI, and for everything else, the loops of AVX2 serve. */
#if defined(NN__SET_AVX512) && NN__HAS_VNNI
#if defined(__GNUC__) || defined(__clang__)
#define NN__INTEGER_VNNI __attribute__((target("avx512f,avx512vl,avx2,fma,f16c,avx512vnni")))
#else
#define NN__INTEGER_VNNI
#endif
/* Four numbers of x of a row with 32 lanes. */
#define NN__INTEGER_ROW(r, a, b)                                                                   \
    memcpy(&four, x + (r) * row, sizeof four);                                                     \
    v = _mm512_set1_epi32(four);                                                                   \
    a = _mm512_dpbusd_epi32(a, v, w0);                                                             \
    b = _mm512_dpbusd_epi32(b, v, w1)
/* Step p of one row. */
#define NN__INTEGER_STEP(p, a, b)                                                                  \
    memcpy(&four, x + 4 * (p), sizeof four);                                                       \
    v = _mm512_set1_epi32(four);                                                                   \
    a = _mm512_dpbusd_epi32(a, v, _mm512_loadu_si512((const void *)(w + 128 * (p))));              \
    b = _mm512_dpbusd_epi32(b, v, _mm512_loadu_si512((const void *)(w + 128 * (p) + 64)))
#define NN__INTEGER_PUT(r, a, b)                                                                   \
    _mm512_storeu_si512((void *)(t->sums + 32 * (r)), a);                                          \
    _mm512_storeu_si512((void *)(t->sums + 32 * (r) + 16), b)

static NN__INTEGER_VNNI void NN__(integer_tile)(const nn__integer_tile *t) {
    const char *x = t->x, *w = t->w;
    const ptrdiff_t row = t->x_row;
    const __m512i s0 = _mm512_loadu_si512((const void *)t->start),
                  s1 = _mm512_loadu_si512((const void *)(t->start + 16));
    __m512i v, w0, w1;
    int32_t four;
    if (t->rows == 12) {
        __m512i a0 = s0, a1 = s1, b0 = s0, b1 = s1, c0 = s0, c1 = s1, d0 = s0, d1 = s1, e0 = s0,
                e1 = s1, f0 = s0, f1 = s1, g0 = s0, g1 = s1, h0 = s0, h1 = s1, i0 = s0, i1 = s1,
                j0 = s0, j1 = s1, k0 = s0, k1 = s1, l0 = s0, l1 = s1;
        for (int p = 0; p < t->steps; p++, x += 4, w += 128) {
            w0 = _mm512_loadu_si512((const void *)w);
            w1 = _mm512_loadu_si512((const void *)(w + 64));
            NN__INTEGER_ROW(0, a0, a1);
            NN__INTEGER_ROW(1, b0, b1);
            NN__INTEGER_ROW(2, c0, c1);
            NN__INTEGER_ROW(3, d0, d1);
            NN__INTEGER_ROW(4, e0, e1);
            NN__INTEGER_ROW(5, f0, f1);
            NN__INTEGER_ROW(6, g0, g1);
            NN__INTEGER_ROW(7, h0, h1);
            NN__INTEGER_ROW(8, i0, i1);
            NN__INTEGER_ROW(9, j0, j1);
            NN__INTEGER_ROW(10, k0, k1);
            NN__INTEGER_ROW(11, l0, l1);
        }
        NN__INTEGER_PUT(0, a0, a1);
        NN__INTEGER_PUT(1, b0, b1);
        NN__INTEGER_PUT(2, c0, c1);
        NN__INTEGER_PUT(3, d0, d1);
        NN__INTEGER_PUT(4, e0, e1);
        NN__INTEGER_PUT(5, f0, f1);
        NN__INTEGER_PUT(6, g0, g1);
        NN__INTEGER_PUT(7, h0, h1);
        NN__INTEGER_PUT(8, i0, i1);
        NN__INTEGER_PUT(9, j0, j1);
        NN__INTEGER_PUT(10, k0, k1);
        NN__INTEGER_PUT(11, l0, l1);
        return;
    }
    int r = 0;
    for (; r + 4 <= t->rows; r += 4) {
        __m512i a0 = s0, a1 = s1, b0 = s0, b1 = s1, c0 = s0, c1 = s1, d0 = s0, d1 = s1;
        x = t->x + r * row;
        w = t->w;
        for (int p = 0; p < t->steps; p++, x += 4, w += 128) {
            w0 = _mm512_loadu_si512((const void *)w);
            w1 = _mm512_loadu_si512((const void *)(w + 64));
            NN__INTEGER_ROW(0, a0, a1);
            NN__INTEGER_ROW(1, b0, b1);
            NN__INTEGER_ROW(2, c0, c1);
            NN__INTEGER_ROW(3, d0, d1);
        }
        NN__INTEGER_PUT(r, a0, a1);
        NN__INTEGER_PUT(r + 1, b0, b1);
        NN__INTEGER_PUT(r + 2, c0, c1);
        NN__INTEGER_PUT(r + 3, d0, d1);
    }
    for (; r < t->rows; r++) { /* four steps at once, so that no sum waits for the one before */
        __m512i a0 = s0, a1 = s1, b0 = _mm512_setzero_si512(), b1 = b0, c0 = b0, c1 = b0, d0 = b0,
                d1 = b0;
        int p = 0;
        x = t->x + r * row;
        w = t->w;
        for (; p + 4 <= t->steps; p += 4, x += 16, w += 512) {
            NN__INTEGER_STEP(0, a0, a1);
            NN__INTEGER_STEP(1, b0, b1);
            NN__INTEGER_STEP(2, c0, c1);
            NN__INTEGER_STEP(3, d0, d1);
        }
        for (; p < t->steps; p++, x += 4, w += 128) {
            NN__INTEGER_STEP(0, a0, a1);
        }
        a0 = _mm512_add_epi32(_mm512_add_epi32(a0, b0), _mm512_add_epi32(c0, d0));
        a1 = _mm512_add_epi32(_mm512_add_epi32(a1, b1), _mm512_add_epi32(c1, d1));
        NN__INTEGER_PUT(r, a0, a1);
    }
}
#undef NN__INTEGER_STEP
#undef NN__INTEGER_ROW
#undef NN__INTEGER_PUT
#undef NN__INTEGER_VNNI

static void NN__(integer_widen)(void *to, const int8_t *x, int n) {
    uint8_t *y = (uint8_t *)to;
    const __m256i offset = _mm256_set1_epi32((int32_t)0x80808080u);
    int i = 0;
    for (; i + 32 <= n; i += 32)
        _mm256_storeu_si256(
            (__m256i *)(void *)(y + i),
            _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(const void *)(x + i)), offset));
    for (; i + 8 <= n || (i < n && n >= 8); i += 8) { /* the last eight may overlap */
        const int at = i + 8 <= n ? i : n - 8;
        _mm_storel_epi64((__m128i *)(void *)(y + at),
                         _mm_xor_si128(_mm_loadl_epi64((const __m128i *)(const void *)(x + at)),
                                       _mm256_castsi256_si128(offset)));
    }
    for (; i < n; i++) y[i] = (uint8_t)(x[i] + 128);
}

static const nn__integer_loops NN__(integer_loops) = {
    12, 32, 4, 1, 1, 128, NN__(integer_tile), NN__(integer_widen), nn__integer_requantize_avx2,
    nn__integer_depthwise_avx2, nn__integer_largest_avx2, nn__integer_add_avx2,
    NN__(integer_quantize)};
#endif
