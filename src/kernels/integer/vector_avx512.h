/* kernels/integer/vector_avx512.h - products, requantisation and sums of integer kernels for
   AVX-512 VNNI. vpdpbusd multiplies unsigned by signed numbers, so x is stored with an offset of
   128, and the start of the sums corrects for it. Without VNNI, and for other loops, those of AVX2
   serve. */
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
/* Multiplies four numbers of the window at x with 32 lanes. */
#define NN__INTEGER_ROW(x, a, b)                                                                   \
    memcpy(&four, x, sizeof four);                                                                 \
    v = _mm512_set1_epi32(four);                                                                   \
    a = _mm512_dpbusd_epi32(a, v, w0);                                                             \
    b = _mm512_dpbusd_epi32(b, v, w1)

static NN__INTEGER_VNNI void NN__(integer_windows)(const nn__integer_windows_tile *t) {
    const char *w = t->w;
    const ptrdiff_t row = t->x_row;
    const __m512i s0 = _mm512_loadu_si512((const void *)t->start),
                  s1 = _mm512_loadu_si512((const void *)(t->start + 16));
    __m512i v, w0, w1, a0 = s0, a1 = s1, b0 = s0, b1 = s1, c0 = s0, c1 = s1, d0 = s0, d1 = s1,
                       e0 = s0, e1 = s1, f0 = s0, f1 = s1, g0 = s0, g1 = s1;
    int32_t four;
    if (t->x[1]) {
        __m512i h0 = s0, h1 = s1, i0 = s0, i1 = s1, j0 = s0, j1 = s1, k0 = s0, k1 = s1, l0 = s0,
                l1 = s1, m0 = s0, m1 = s1, n0 = s0, n1 = s1;
        for (int line = 0; line < t->lines; line++) {
            const char *x = t->x[0] + line * t->x_line, *z = t->x[1] + line * t->x_line;
            for (int p = 0; p < t->steps; p++, x += 4, z += 4, w += 128) {
                w0 = _mm512_loadu_si512((const void *)w);
                w1 = _mm512_loadu_si512((const void *)(w + 64));
                NN__INTEGER_ROW(x, a0, a1);
                NN__INTEGER_ROW(x + row, b0, b1);
                NN__INTEGER_ROW(x + 2 * row, c0, c1);
                NN__INTEGER_ROW(x + 3 * row, d0, d1);
                NN__INTEGER_ROW(x + 4 * row, e0, e1);
                NN__INTEGER_ROW(x + 5 * row, f0, f1);
                NN__INTEGER_ROW(x + 6 * row, g0, g1);
                NN__INTEGER_ROW(z, h0, h1);
                NN__INTEGER_ROW(z + row, i0, i1);
                NN__INTEGER_ROW(z + 2 * row, j0, j1);
                NN__INTEGER_ROW(z + 3 * row, k0, k1);
                NN__INTEGER_ROW(z + 4 * row, l0, l1);
                NN__INTEGER_ROW(z + 5 * row, m0, m1);
                NN__INTEGER_ROW(z + 6 * row, n0, n1);
            }
        }
        NN__INTEGER_PUT(7, h0, h1);
        NN__INTEGER_PUT(8, i0, i1);
        NN__INTEGER_PUT(9, j0, j1);
        NN__INTEGER_PUT(10, k0, k1);
        NN__INTEGER_PUT(11, l0, l1);
        NN__INTEGER_PUT(12, m0, m1);
        NN__INTEGER_PUT(13, n0, n1);
    } else {
        for (int line = 0; line < t->lines; line++) {
            const char *x = t->x[0] + line * t->x_line;
            for (int p = 0; p < t->steps; p++, x += 4, w += 128) {
                w0 = _mm512_loadu_si512((const void *)w);
                w1 = _mm512_loadu_si512((const void *)(w + 64));
                NN__INTEGER_ROW(x, a0, a1);
                NN__INTEGER_ROW(x + row, b0, b1);
                NN__INTEGER_ROW(x + 2 * row, c0, c1);
                NN__INTEGER_ROW(x + 3 * row, d0, d1);
                NN__INTEGER_ROW(x + 4 * row, e0, e1);
                NN__INTEGER_ROW(x + 5 * row, f0, f1);
                NN__INTEGER_ROW(x + 6 * row, g0, g1);
            }
        }
    }
    NN__INTEGER_PUT(0, a0, a1);
    NN__INTEGER_PUT(1, b0, b1);
    NN__INTEGER_PUT(2, c0, c1);
    NN__INTEGER_PUT(3, d0, d1);
    NN__INTEGER_PUT(4, e0, e1);
    NN__INTEGER_PUT(5, f0, f1);
    NN__INTEGER_PUT(6, g0, g1);
}
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

/* Does nn__integer_scale for sixteen sums. */
NN__OP __m512i nn__integer_scale16(__m512i sum, __m512i multiplier, __m512i shift) {
    const __m512i zero = _mm512_setzero_si512(), half = _mm512_set1_epi64((int64_t)1 << 30),
                  one = _mm512_set1_epi32(1);
    const __m512i right = _mm512_max_epi32(_mm512_sub_epi32(zero, shift), zero),
                  mask = _mm512_sub_epi32(_mm512_sllv_epi32(one, right), one);
    sum = _mm512_sllv_epi32(sum, _mm512_max_epi32(shift, zero));
    const __m512i even = _mm512_add_epi64(_mm512_mul_epi32(sum, multiplier), half),
                  odd = _mm512_add_epi64(_mm512_mul_epi32(_mm512_srli_epi64(sum, 32),
                                                          _mm512_srli_epi64(multiplier, 32)),
                                         half);
    sum = _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 31), _mm512_slli_epi64(odd, 1));
    const __m512i limit =
        _mm512_sub_epi32(_mm512_srli_epi32(mask, 1), _mm512_srai_epi32(sum, 31));
    const __mmask16 up = _mm512_cmpgt_epi32_mask(_mm512_and_si512(sum, mask), limit);
    sum = _mm512_srav_epi32(sum, right);
    return _mm512_mask_add_epi32(sum, up, sum, one);
}
/* Stores sixteen numbers as bytes, clamped to [low, high]. */
NN__OP void nn__integer_bytes16(int8_t *y, __m512i v, int32_t low, int32_t high) {
    v = _mm512_min_epi32(_mm512_max_epi32(v, _mm512_set1_epi32(low)), _mm512_set1_epi32(high));
    _mm_storeu_si128((__m128i *)(void *)y, _mm512_cvtepi32_epi8(v));
}
static void nn__integer_requantize_any(int8_t *y, ptrdiff_t y_row, const int32_t *sums, int lanes,
                                       int rows, const nn__integer_out *out, int n) {
    const __m512i zero = _mm512_set1_epi32(out->zero);
    nn__integer_out rest = *out;
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m512i multiplier = _mm512_loadu_si512((const void *)(out->multiplier + i)),
                      shift = _mm512_loadu_si512((const void *)(out->shift + i));
        for (int r = 0; r < rows; r++) {
            const __m512i v = nn__integer_scale16(
                _mm512_loadu_si512((const void *)(sums + r * lanes + i)), multiplier, shift);
            nn__integer_bytes16(y + r * y_row + i, _mm512_add_epi32(v, zero), out->low, out->high);
        }
    }
    if (i == n) return;
    rest.multiplier += i, rest.shift += i;
    nn__integer_requantize_avx2(y + i, y_row, sums + i, lanes, rows, &rest, n - i);
}

/* Returns (a b + half) / 2^bits for sixteen numbers, rounded down, 0 <= bits <= 31.
   half: 2^(bits - 1) */
NN__OP __m512i nn__integer_high16(__m512i a, __m512i b, int64_t half, int bits) {
    const __m512i more = _mm512_set1_epi64(half);
    const __m512i even = _mm512_add_epi64(_mm512_mul_epi32(a, b), more),
                  odd = _mm512_add_epi64(_mm512_mul_epi32(_mm512_srli_epi64(a, 32), b), more);
    return _mm512_mask_blend_epi32(0xaaaa, _mm512_srl_epi64(even, _mm_cvtsi32_si128(bits)),
                                   _mm512_sll_epi64(odd, _mm_cvtsi32_si128(32 - bits)));
}
/* Does nn__integer_divide for numbers below 2^30 in magnitude, so that adding the half does not
   overflow. */
NN__OP __m512i nn__integer_divide16(__m512i x, int bits) {
    const __m512i half = _mm512_set1_epi32(bits > 0 ? 1 << (bits - 1) : 0);
    const __m512i sign = _mm512_maskz_srai_epi32(bits > 0 ? 0xffff : 0, x, 31);
    return _mm512_sra_epi32(_mm512_add_epi32(_mm512_add_epi32(x, sign), half),
                            _mm_cvtsi32_si128(bits));
}
/* Returns the number times 2^20 times the multiplier / 2^31. It divides by 2^11 instead. */
NN__OP __m512i nn__integer_add_part16(const int8_t *x, const int32_t *numbers, int i) {
    const __m512i v = _mm512_sub_epi32(
        _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(const void *)x)),
        _mm512_set1_epi32(numbers[NN_INTEGER_ADD_ZERO + i]));
    const __m512i multiplier = _mm512_set1_epi32(numbers[NN_INTEGER_ADD_MULTIPLIER + i]);
    return nn__integer_divide16(nn__integer_high16(v, multiplier, 1 << 10, 11),
                                -numbers[NN_INTEGER_ADD_SHIFT + i]);
}
/* Usual shifts are not positive. Then both parts are below 2^28. */
static void NN__(integer_add)(int8_t *y, const int8_t *a, const int8_t *b, const int32_t *numbers,
                              int n) {
    const int32_t *shift = numbers + NN_INTEGER_ADD_SHIFT;
    int i = 0;
    for (; i + 16 <= n && shift[0] <= 0 && shift[1] <= 0 && shift[2] <= 0; i += 16) {
        const __m512i sum = _mm512_add_epi32(nn__integer_add_part16(a + i, numbers, 0),
                                             nn__integer_add_part16(b + i, numbers, 1));
        const __m512i multiplier = _mm512_set1_epi32(numbers[NN_INTEGER_ADD_MULTIPLIER + 2]);
        const __m512i v = nn__integer_divide16(
            nn__integer_high16(sum, multiplier, (int64_t)1 << 30, 31), -shift[2]);
        nn__integer_bytes16(
            y + i, _mm512_add_epi32(v, _mm512_set1_epi32(numbers[NN_INTEGER_ADD_ZERO + 2])),
            numbers[NN_INTEGER_ADD_LOW], numbers[NN_INTEGER_ADD_HIGH]);
    }
    nn__integer_add_avx2(y + i, a + i, b + i, numbers, n - i);
}
#endif
