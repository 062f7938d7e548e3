/* kernels/integer/vector_avx512_three.h - depthwise convolutions of 3 x 3 for AVX-512 VNNI: four
   places of 64 lanes at a time (cpu_three.c).

   Four bytes of a product are numbers of four adjacent columns of a row of x. With a stride of 1,
   the same bytes serve two places: one multiplies them by (w0, w1, w2, 0), the next one by
   (0, w0, w1, w2). Vectors of bytes are interleaved within their 128-bit quarters, so sums have the
   order of nn__integer_three_lane. Packing them, and a shuffle of bytes, restore the order of the
   channels. */
#if defined(NN__SET_AVX512) && NN__HAS_VNNI
#if defined(__GNUC__) || defined(__clang__)
#define NN__INTEGER_THREE                                                                          \
    __attribute__((target("avx512f,avx512vl,avx512bw,avx2,fma,f16c,avx512vnni")))
#else
#define NN__INTEGER_THREE
#endif

/* Usual numbers of channels have loops of their own. */
static NN__INTEGER_THREE void NN__(integer_three_copy)(uint8_t *to, const int8_t *x,
                                                       ptrdiff_t across, int columns, int n) {
    const __m512i offset = _mm512_set1_epi8((char)-128);
    const __m256i half = _mm512_castsi512_si256(offset);
    const __mmask64 some = ~(__mmask64)0 >> (NN__INTEGER_THREE_LANES - n);
    const ptrdiff_t lanes = NN__INTEGER_THREE_LANES;
    if (n == NN__INTEGER_THREE_LANES)
        for (int i = 0; i < columns; i++, to += lanes, x += across)
            _mm512_storeu_si512((void *)to,
                                _mm512_xor_si512(_mm512_loadu_si512((const void *)x), offset));
    else if (n == 32)
        for (int i = 0; i < columns; i++, to += lanes, x += across)
            _mm256_storeu_si256(
                (__m256i *)(void *)to,
                _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(const void *)x), half));
    else if (n == 16)
        for (int i = 0; i < columns; i++, to += lanes, x += across)
            _mm_storeu_si128((__m128i *)(void *)to,
                             _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)x),
                                           _mm256_castsi256_si128(half)));
    else if (n == 8)
        for (int i = 0; i < columns; i++, to += lanes, x += across)
            _mm_storel_epi64((__m128i *)(void *)to,
                             _mm_xor_si128(_mm_loadl_epi64((const __m128i *)(const void *)x),
                                           _mm256_castsi256_si128(half)));
    else
        for (int i = 0; i < columns; i++, to += lanes, x += across)
            _mm512_mask_storeu_epi8(
                (void *)to, some,
                _mm512_xor_si512(_mm512_maskz_loadu_epi8(some, (const void *)x), offset));
}

/* Requantisation is the shift of 64-bit products of vector_avx512_bytes.h if all shifts are from
   -23 to 0. Otherwise, positive shifts come before, and the zero point is added afterwards; then
   nothing overflows with shifts down to -31. `factors` has nine vectors for each sixteen lanes:
   multipliers of all and of odd lanes, then for even and for odd ones: what is added, shifts, 2^31
   where the shift is not 0; and the shifts before. */
static NN__INTEGER_THREE bool NN__(integer_three_prepare)(int64_t *factors,
                                                          const int32_t *multiplier,
                                                          const int32_t *shift, int32_t zero) {
    const __m512i none = _mm512_setzero_si512(), low = _mm512_set1_epi64(0xffffffffLL),
                  half = _mm512_set1_epi64((int64_t)1 << 30), one = _mm512_set1_epi64(1),
                  least = _mm512_set1_epi64(31);
    bool usual = zero >= -128 && zero <= 127;
    for (int i = 0; i < NN__INTEGER_THREE_LANES; i++) usual &= shift[i] <= 0 && shift[i] >= -23;
    const __m512i more = _mm512_slli_epi64(_mm512_set1_epi64(usual ? zero : 0), 31);
    for (int i = 0; i < NN__INTEGER_THREE_LANES; i += 16, factors += 72) {
        const __m512i all = _mm512_loadu_si512((const void *)(multiplier + i)),
                      by = _mm512_loadu_si512((const void *)(shift + i)),
                      right = _mm512_max_epi32(_mm512_sub_epi32(none, by), none),
                      even = _mm512_and_si512(right, low), odd = _mm512_srli_epi64(right, 32),
                      some = _mm512_slli_epi64(_mm512_min_epi32(even, one), 30),
                      odd_some = _mm512_slli_epi64(_mm512_min_epi32(odd, one), 30);
        _mm512_storeu_si512((void *)factors, all);
        _mm512_storeu_si512((void *)(factors + 8), _mm512_srli_epi64(all, 32));
        _mm512_storeu_si512(
            (void *)(factors + 16),
            _mm512_add_epi64(half, _mm512_sllv_epi64(_mm512_add_epi64(more, some), even)));
        _mm512_storeu_si512(
            (void *)(factors + 24),
            _mm512_add_epi64(half, _mm512_sllv_epi64(_mm512_add_epi64(more, odd_some), odd)));
        _mm512_storeu_si512((void *)(factors + 32), _mm512_add_epi64(least, even));
        _mm512_storeu_si512((void *)(factors + 40), _mm512_add_epi64(least, odd));
        _mm512_storeu_si512((void *)(factors + 48), _mm512_slli_epi64(some, 1));
        _mm512_storeu_si512((void *)(factors + 56), _mm512_slli_epi64(odd_some, 1));
        _mm512_storeu_si512((void *)(factors + 64), _mm512_max_epi32(by, none));
    }
    return usual;
}

static NN__ALWAYS_INLINE NN__INTEGER_THREE __m512i nn__integer_three_load(const void *x) {
    return _mm512_loadu_si512(x);
}
/* Interleaves the lower or upper half of each quarter of two vectors of bytes. */
static NN__ALWAYS_INLINE NN__INTEGER_THREE __m512i nn__integer_three_pair(const uint8_t *x, int a,
                                                                          int b, bool upper) {
    const __m512i one = nn__integer_three_load(x + a * NN__INTEGER_THREE_LANES),
                  two = nn__integer_three_load(x + b * NN__INTEGER_THREE_LANES);
    return upper ? _mm512_unpackhi_epi8(one, two) : _mm512_unpacklo_epi8(one, two);
}
/* Requantises sixteen sums. Of each four, the two in the middle change places. */
static NN__ALWAYS_INLINE NN__INTEGER_THREE __m512i nn__integer_three_scale(__m512i sum,
                                                                           const int64_t *from) {
    const __m512i odd = _mm512_srli_epi64(sum, 32);
    __m512i a = _mm512_add_epi64(_mm512_mul_epi32(sum, nn__integer_three_load(from)),
                                 nn__integer_three_load(from + 16)),
            b = _mm512_add_epi64(_mm512_mul_epi32(odd, nn__integer_three_load(from + 8)),
                                 nn__integer_three_load(from + 24));
    a = _mm512_sub_epi64(a, _mm512_and_si512(sum, nn__integer_three_load(from + 48)));
    b = _mm512_sub_epi64(b, _mm512_and_si512(odd, nn__integer_three_load(from + 56)));
    a = _mm512_srav_epi64(a, nn__integer_three_load(from + 32));
    b = _mm512_srav_epi64(b, nn__integer_three_load(from + 40));
    return _mm512_castps_si512(
        _mm512_shuffle_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b), 0x88));
}
/* Multiplies four columns by the weights at w, for two vectors of lanes. */
#define NN__THREE_DOTS(s, t, first, second, w)                                                     \
    s = _mm512_dpbusd_epi32(s, _mm512_unpacklo_epi16(first, second), nn__integer_three_load(w));   \
    t = _mm512_dpbusd_epi32(t, _mm512_unpackhi_epi16(first, second),                               \
                            nn__integer_three_load((w) + 64))
/* Applies an operation to the sums of four places. */
#define NN__THREE_EACH(operation, first, second)                                                   \
    a = operation(a, first), b = operation(b, first), c = operation(c, first);                     \
    d = operation(d, first), e = operation(e, second), f = operation(f, second);                   \
    g = operation(g, second), h = operation(h, second)

/* Computes half of the lanes of four places, whose columns begin at `at`, as 16-bit numbers. */
static NN__ALWAYS_INLINE NN__INTEGER_THREE void nn__integer_three_half(
    const nn__integer_three *t, ptrdiff_t at, bool upper, bool strided, __m512i *y0, __m512i *y1,
    __m512i *y2, __m512i *y3) {
    const int8_t *w = t->w + (upper ? NN__INTEGER_THREE_HALF : 0);
    const int64_t *from = t->factors + (upper ? 144 : 0);
    const int32_t *start = t->start + (upper ? 32 : 0);
    __m512i a = nn__integer_three_load(start), e = nn__integer_three_load(start + 16), b = a, c = a,
            d = a, f = e, g = e, h = e;
    for (int r = 0; r < 3; r++, w += 256) {
        const uint8_t *x = t->x[r] + at;
        const __m512i p = nn__integer_three_pair(x, 0, 1, upper),
                      q = nn__integer_three_pair(x, 2, 3, upper),
                      u = nn__integer_three_pair(x, 4, 5, upper);
        if (strided) {
            const __m512i v = nn__integer_three_pair(x, 6, 7, upper),
                          z = nn__integer_three_pair(x, 8, 8, upper);
            NN__THREE_DOTS(a, e, p, q, w);
            NN__THREE_DOTS(b, f, q, u, w);
            NN__THREE_DOTS(c, g, u, v, w);
            NN__THREE_DOTS(d, h, v, z, w);
        } else {
            NN__THREE_DOTS(a, e, p, q, w);
            NN__THREE_DOTS(b, f, p, q, w + 128);
            NN__THREE_DOTS(c, g, q, u, w);
            NN__THREE_DOTS(d, h, q, u, w + 128);
        }
    }
    if (!t->usual) {
        const __m512i before = nn__integer_three_load(from + 64),
                      next = nn__integer_three_load(from + 136);
        NN__THREE_EACH(_mm512_sllv_epi32, before, next);
    }
    NN__THREE_EACH(nn__integer_three_scale, from, from + 72);
    if (!t->usual) {
        const __m512i zero = _mm512_set1_epi32(t->zero);
        NN__THREE_EACH(_mm512_add_epi32, zero, zero);
    }
    *y0 = _mm512_packs_epi32(a, e);
    *y1 = _mm512_packs_epi32(b, f);
    *y2 = _mm512_packs_epi32(c, g);
    *y3 = _mm512_packs_epi32(d, h);
}
#undef NN__THREE_EACH
#undef NN__THREE_DOTS

static NN__ALWAYS_INLINE NN__INTEGER_THREE void nn__integer_three_put(int8_t *y, __m512i a,
                                                                      __m512i b, __m512i low,
                                                                      __m512i high) {
    const int32_t o = 0x03010200, p = 0x07050604, q = 0x0b090a08, r = 0x0f0d0e0c;
    const __m512i order = _mm512_setr_epi32(o, p, q, r, o, p, q, r, o, p, q, r, o, p, q, r),
                  v = _mm512_shuffle_epi8(_mm512_packs_epi16(a, b), order);
    _mm512_storeu_si512((void *)y, _mm512_min_epi8(_mm512_max_epi8(v, low), high));
}
static NN__ALWAYS_INLINE NN__INTEGER_THREE void nn__integer_three_tiles(const nn__integer_three *t,
                                                                        bool strided) {
    const __m512i low = _mm512_set1_epi8((char)t->low), high = _mm512_set1_epi8((char)t->high);
    const ptrdiff_t step = (ptrdiff_t)(strided ? 8 : 4) * NN__INTEGER_THREE_LANES;
    int8_t *y = t->y;
    for (int i = 0; i < t->places; i += 4, y += 4 * t->y_row) {
        __m512i a, b, c, d, e, f, g, h;
        nn__integer_three_half(t, i / 4 * step, false, strided, &a, &b, &c, &d);
        nn__integer_three_half(t, i / 4 * step, true, strided, &e, &f, &g, &h);
        nn__integer_three_put(y, a, e, low, high);
        if (i + 1 < t->places) nn__integer_three_put(y + t->y_row, b, f, low, high);
        if (i + 2 < t->places) nn__integer_three_put(y + 2 * t->y_row, c, g, low, high);
        if (i + 3 < t->places) nn__integer_three_put(y + 3 * t->y_row, d, h, low, high);
    }
}
static NN__INTEGER_THREE void NN__(integer_three)(const nn__integer_three *t) {
    if (t->strided)
        nn__integer_three_tiles(t, true);
    else
        nn__integer_three_tiles(t, false);
}
#undef NN__INTEGER_THREE
#endif
