/* kernels/integer/vector_avx2.h - the loops of integer kernels for AVX2. They multiply 16-bit
   numbers, because pmaddwd adds two such products without loss. (pmaddubsw multiplies 8-bit
   numbers, but its sums saturate.) */
#ifdef NN__SET_AVX2
/* One step of a tile: two numbers of x of a row with 16 lanes. */
#define NN__INTEGER_ROW(r, a, b)                                                                   \
    v = _mm256_set1_epi32(nn__integer_two(x + (r) * row));                                         \
    a = _mm256_add_epi32(a, _mm256_madd_epi16(v, w0));                                             \
    b = _mm256_add_epi32(b, _mm256_madd_epi16(v, w1))

NN__OP int32_t nn__integer_two(const char *x) {
    int32_t two;
    memcpy(&two, x, sizeof two);
    return two;
}
NN__OP void nn__integer_put(int32_t *to, __m256i a, __m256i b) {
    _mm256_storeu_si256((__m256i *)(void *)to, a);
    _mm256_storeu_si256((__m256i *)(void *)(to + 8), b);
}

static void NN__(integer_tile)(const nn__integer_tile *t) {
    const char *x = t->x, *w = t->w;
    const ptrdiff_t row = t->x_row;
    const __m256i s0 = _mm256_loadu_si256((const __m256i *)(const void *)t->start),
                  s1 = _mm256_loadu_si256((const __m256i *)(const void *)(t->start + 8));
    __m256i v, w0, w1;
    if (t->rows == 6) {
        __m256i a0 = s0, a1 = s1, b0 = s0, b1 = s1, c0 = s0, c1 = s1, d0 = s0, d1 = s1, e0 = s0,
                e1 = s1, f0 = s0, f1 = s1;
        for (int p = 0; p < t->steps; p++, x += 4, w += 64) {
            w0 = _mm256_loadu_si256((const __m256i *)(const void *)w);
            w1 = _mm256_loadu_si256((const __m256i *)(const void *)(w + 32));
            NN__INTEGER_ROW(0, a0, a1);
            NN__INTEGER_ROW(1, b0, b1);
            NN__INTEGER_ROW(2, c0, c1);
            NN__INTEGER_ROW(3, d0, d1);
            NN__INTEGER_ROW(4, e0, e1);
            NN__INTEGER_ROW(5, f0, f1);
        }
        nn__integer_put(t->sums, a0, a1);
        nn__integer_put(t->sums + 16, b0, b1);
        nn__integer_put(t->sums + 32, c0, c1);
        nn__integer_put(t->sums + 48, d0, d1);
        nn__integer_put(t->sums + 64, e0, e1);
        nn__integer_put(t->sums + 80, f0, f1);
        return;
    }
    int r = 0;
    for (; r + 3 <= t->rows; r += 3) {
        __m256i a0 = s0, a1 = s1, b0 = s0, b1 = s1, c0 = s0, c1 = s1;
        x = t->x + r * row;
        w = t->w;
        for (int p = 0; p < t->steps; p++, x += 4, w += 64) {
            w0 = _mm256_loadu_si256((const __m256i *)(const void *)w);
            w1 = _mm256_loadu_si256((const __m256i *)(const void *)(w + 32));
            NN__INTEGER_ROW(0, a0, a1);
            NN__INTEGER_ROW(1, b0, b1);
            NN__INTEGER_ROW(2, c0, c1);
        }
        nn__integer_put(t->sums + 16 * r, a0, a1);
        nn__integer_put(t->sums + 16 * r + 16, b0, b1);
        nn__integer_put(t->sums + 16 * r + 32, c0, c1);
    }
    for (; r < t->rows; r++) {
        __m256i a0 = s0, a1 = s1;
        x = t->x + r * row;
        w = t->w;
        for (int p = 0; p < t->steps; p++, x += 4, w += 64) {
            w0 = _mm256_loadu_si256((const __m256i *)(const void *)w);
            w1 = _mm256_loadu_si256((const __m256i *)(const void *)(w + 32));
            NN__INTEGER_ROW(0, a0, a1);
        }
        nn__integer_put(t->sums + 16 * r, a0, a1);
    }
}

/* Multiplies places first to first + 3 of a half of a tile; without `four`, the last one is left
   out. */
NN__OP void nn__integer_window_part(const nn__integer_windows_tile *t, int half, int first,
                                    bool four) {
    const char *w = t->w;
    const ptrdiff_t row = t->x_row;
    int32_t *sums = t->sums + 16 * (half * NN__INTEGER_HALF + first);
    const __m256i s0 = _mm256_loadu_si256((const __m256i *)(const void *)t->start),
                  s1 = _mm256_loadu_si256((const __m256i *)(const void *)(t->start + 8));
    __m256i v, w0, w1, a0 = s0, a1 = s1, b0 = s0, b1 = s1, c0 = s0, c1 = s1, d0 = s0, d1 = s1;
    for (int line = 0; line < t->lines; line++) {
        const char *x = t->x[half] + first * row + line * t->x_line;
        for (int p = 0; p < t->steps; p++, x += 4, w += 64) {
            w0 = _mm256_loadu_si256((const __m256i *)(const void *)w);
            w1 = _mm256_loadu_si256((const __m256i *)(const void *)(w + 32));
            NN__INTEGER_ROW(0, a0, a1);
            NN__INTEGER_ROW(1, b0, b1);
            NN__INTEGER_ROW(2, c0, c1);
            if (four) {
                NN__INTEGER_ROW(3, d0, d1);
            }
        }
    }
    nn__integer_put(sums, a0, a1);
    nn__integer_put(sums + 16, b0, b1);
    nn__integer_put(sums + 32, c0, c1);
    if (four) nn__integer_put(sums + 48, d0, d1);
}
static void NN__(integer_windows)(const nn__integer_windows_tile *t) {
    for (int half = 0; half < 2 && t->x[half]; half++) {
        nn__integer_window_part(t, half, 0, true);
        nn__integer_window_part(t, half, 4, false);
    }
}
#undef NN__INTEGER_ROW

static void NN__(integer_widen)(void *to, const int8_t *x, int n) {
    int16_t *y = (int16_t *)to;
    int i = 0;
    for (; i + 16 <= n; i += 16)
        _mm256_storeu_si256(
            (__m256i *)(void *)(y + i),
            _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(x + i))));
    for (; i + 8 <= n || (i < n && n >= 8); i += 8) { /* the last eight may overlap */
        const int at = i + 8 <= n ? i : n - 8;
        _mm_storeu_si128(
            (__m128i *)(void *)(y + at),
            _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)(x + at))));
    }
    for (; i < n; i++) y[i] = x[i];
}

/* Does nn__integer_scale for eight sums. */
NN__OP __m256i nn__integer_scale8(__m256i sum, __m256i multiplier, __m256i shift) {
    const __m256i zero = _mm256_setzero_si256(), half = _mm256_set1_epi64x((int64_t)1 << 30);
    const __m256i right = _mm256_max_epi32(_mm256_sub_epi32(zero, shift), zero);
    sum = _mm256_sllv_epi32(sum, _mm256_max_epi32(shift, zero));
    __m256i even = _mm256_add_epi64(_mm256_mul_epi32(sum, multiplier), half),
            odd = _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(sum, 32),
                                                    _mm256_srli_epi64(multiplier, 32)),
                                   half);
    even = _mm256_srli_epi64(even, 31);
    odd = _mm256_slli_epi64(odd, 1);
    sum = _mm256_blend_epi32(even, odd, 0xaa);
    const __m256i mask =
        _mm256_sub_epi32(_mm256_sllv_epi32(_mm256_set1_epi32(1), right), _mm256_set1_epi32(1));
    const __m256i limit =
        _mm256_sub_epi32(_mm256_srli_epi32(mask, 1), _mm256_srai_epi32(sum, 31));
    const __m256i up = _mm256_cmpgt_epi32(_mm256_and_si256(sum, mask), limit);
    return _mm256_sub_epi32(_mm256_srav_epi32(sum, right), up);
}
NN__OP __m256i nn__integer_ints(const int32_t *x) {
    return _mm256_loadu_si256((const __m256i *)(const void *)x);
}
/* Stores the lowest bytes of eight numbers of -128 to 127. */
NN__OP void nn__integer_bytes8(int8_t *y, __m256i v) {
    const __m128i halves =
        _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storel_epi64((__m128i *)(void *)y, _mm_packs_epi16(halves, halves));
}
NN__OP __m256i nn__integer_clamp8(__m256i v, int32_t low, int32_t high) {
    return _mm256_min_epi32(_mm256_max_epi32(v, _mm256_set1_epi32(low)), _mm256_set1_epi32(high));
}

static void NN__(integer_requantize)(int8_t *y, ptrdiff_t y_row, const int32_t *sums, int lanes,
                                     int rows, const nn__integer_out *out, int n) {
    const __m256i zero = _mm256_set1_epi32(out->zero);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m256i multiplier = nn__integer_ints(out->multiplier + i),
                      shift = nn__integer_ints(out->shift + i);
        for (int r = 0; r < rows; r++) {
            const __m256i v = nn__integer_scale8(nn__integer_ints(sums + r * lanes + i),
                                                 multiplier, shift);
            nn__integer_bytes8(y + r * y_row + i, nn__integer_clamp8(_mm256_add_epi32(v, zero),
                                                                     out->low, out->high));
        }
    }
    for (; i < n; i++)
        for (int r = 0; r < rows; r++)
            y[r * y_row + i] = nn__integer_one(sums[r * lanes + i], out, i);
}

static void NN__(integer_depthwise)(int32_t *sums, const int32_t *start,
                                    const int8_t *const *taps, const int16_t *w, ptrdiff_t w_row,
                                    int count, int n) {
    int c = 0;
    for (; c + 16 <= n; c += 16) {
        /* unpacked pairs have the channels 0-3 8-11 and 4-7 12-15 */
        __m256i low = nn__integer_ints(start + c), high = nn__integer_ints(start + c + 8), v;
        v = _mm256_permute2x128_si256(low, high, 0x20);
        high = _mm256_permute2x128_si256(low, high, 0x31);
        low = v;
        for (int t = 0; t < count; t += 2) {
            const int8_t *one = taps[t] + c, *two = taps[t + 1 < count ? t + 1 : t] + c;
            const __m256i x0 = _mm256_cvtepi8_epi16(
                              _mm_loadu_si128((const __m128i *)(const void *)one)),
                          x1 = _mm256_cvtepi8_epi16(
                              _mm_loadu_si128((const __m128i *)(const void *)two)),
                          w0 = _mm256_loadu_si256(
                              (const __m256i *)(const void *)(w + t * w_row + c)),
                          w1 = t + 1 < count ? _mm256_loadu_si256((const __m256i *)(const void *)(
                                                   w + (t + 1) * w_row + c))
                                             : _mm256_setzero_si256();
            low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi16(x0, x1),
                                                          _mm256_unpacklo_epi16(w0, w1)));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi16(x0, x1),
                                                            _mm256_unpackhi_epi16(w0, w1)));
        }
        nn__integer_put(sums + c, _mm256_permute2x128_si256(low, high, 0x20),
                        _mm256_permute2x128_si256(low, high, 0x31));
    }
    for (; c < n; c++) {
        uint32_t sum = (uint32_t)start[c];
        for (int t = 0; t < count; t++) sum += (uint32_t)(taps[t][c] * w[t * w_row + c]);
        sums[c] = (int32_t)sum;
    }
}

static void NN__(integer_largest)(int8_t *y, const int8_t *const *taps, int count, int n) {
    int c = 0;
    for (; c + 32 <= n; c += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(taps[0] + c));
        for (int t = 1; t < count; t++)
            v = _mm256_max_epi8(
                v, _mm256_loadu_si256((const __m256i *)(const void *)(taps[t] + c)));
        _mm256_storeu_si256((__m256i *)(void *)(y + c), v);
    }
    for (; c + 16 <= n; c += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(taps[0] + c));
        for (int t = 1; t < count; t++)
            v = _mm_max_epi8(v, _mm_loadu_si128((const __m128i *)(const void *)(taps[t] + c)));
        _mm_storeu_si128((__m128i *)(void *)(y + c), v);
    }
    for (; c < n; c++) {
        int8_t largest = taps[0][c];
        for (int t = 1; t < count; t++)
            if (taps[t][c] > largest) largest = taps[t][c];
        y[c] = largest;
    }
}

NN__OP __m256i nn__integer_add_part(const int8_t *x, const int32_t *numbers, int i) {
    const __m256i v =
        _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)x));
    return nn__integer_scale8(
        _mm256_slli_epi32(
            _mm256_sub_epi32(v, _mm256_set1_epi32(numbers[NN_INTEGER_ADD_ZERO + i])), 20),
        _mm256_set1_epi32(numbers[NN_INTEGER_ADD_MULTIPLIER + i]),
        _mm256_set1_epi32(numbers[NN_INTEGER_ADD_SHIFT + i]));
}
/* Returns (a b + half) / 2^bits for eight numbers, rounded down, 0 <= bits <= 31.
   half: 2^(bits - 1) */
NN__OP __m256i nn__integer_high8(__m256i a, __m256i b, int64_t half, int bits) {
    const __m256i more = _mm256_set1_epi64x(half);
    const __m256i even = _mm256_add_epi64(_mm256_mul_epi32(a, b), more),
                  odd = _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(a, 32), b), more);
    return _mm256_blend_epi32(_mm256_srl_epi64(even, _mm_cvtsi32_si128(bits)),
                              _mm256_sll_epi64(odd, _mm_cvtsi32_si128(32 - bits)), 0xaa);
}
/* Does nn__integer_divide for numbers below 2^30 in magnitude, so that adding the half does not
   overflow. */
NN__OP __m256i nn__integer_divide8(__m256i x, int bits) {
    const __m256i half = _mm256_set1_epi32(bits > 0 ? 1 << (bits - 1) : 0);
    const __m256i sign = _mm256_and_si256(_mm256_srai_epi32(x, 31),
                                          _mm256_set1_epi32(bits > 0 ? -1 : 0));
    return _mm256_sra_epi32(_mm256_add_epi32(_mm256_add_epi32(x, sign), half),
                            _mm_cvtsi32_si128(bits));
}
/* Returns the number times 2^20 times the multiplier / 2^31. It divides by 2^11 instead. */
NN__OP __m256i nn__integer_small_part(const int8_t *x, const int32_t *numbers, int i) {
    const __m256i v = _mm256_sub_epi32(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)x)),
        _mm256_set1_epi32(numbers[NN_INTEGER_ADD_ZERO + i]));
    const __m256i multiplier = _mm256_set1_epi32(numbers[NN_INTEGER_ADD_MULTIPLIER + i]);
    return nn__integer_divide8(nn__integer_high8(v, multiplier, 1 << 10, 11),
                               -numbers[NN_INTEGER_ADD_SHIFT + i]);
}
static void NN__(integer_add)(int8_t *y, const int8_t *a, const int8_t *b, const int32_t *numbers,
                              int n) {
    const int32_t *shifts = numbers + NN_INTEGER_ADD_SHIFT;
    int i = 0;
    /* Usual shifts are not positive. Then both parts are below 2^28. */
    for (; i + 8 <= n && shifts[0] <= 0 && shifts[1] <= 0 && shifts[2] <= 0; i += 8) {
        const __m256i sum = _mm256_add_epi32(nn__integer_small_part(a + i, numbers, 0),
                                             nn__integer_small_part(b + i, numbers, 1));
        const __m256i multiplier = _mm256_set1_epi32(numbers[NN_INTEGER_ADD_MULTIPLIER + 2]);
        const __m256i v = nn__integer_divide8(
            nn__integer_high8(sum, multiplier, (int64_t)1 << 30, 31), -shifts[2]);
        nn__integer_bytes8(
            y + i, nn__integer_clamp8(
                       _mm256_add_epi32(v, _mm256_set1_epi32(numbers[NN_INTEGER_ADD_ZERO + 2])),
                       numbers[NN_INTEGER_ADD_LOW], numbers[NN_INTEGER_ADD_HIGH]));
    }
    for (; i + 8 <= n; i += 8) {
        const __m256i sum = _mm256_add_epi32(nn__integer_add_part(a + i, numbers, 0),
                                             nn__integer_add_part(b + i, numbers, 1));
        const __m256i v =
            nn__integer_scale8(sum, _mm256_set1_epi32(numbers[NN_INTEGER_ADD_MULTIPLIER + 2]),
                               _mm256_set1_epi32(numbers[NN_INTEGER_ADD_SHIFT + 2]));
        nn__integer_bytes8(
            y + i, nn__integer_clamp8(
                       _mm256_add_epi32(v, _mm256_set1_epi32(numbers[NN_INTEGER_ADD_ZERO + 2])),
                       numbers[NN_INTEGER_ADD_LOW], numbers[NN_INTEGER_ADD_HIGH]));
    }
    for (; i < n; i++) y[i] = nn__integer_add_one(a[i], b[i], numbers);
}

/* Multiplies rows or columns p, q, r, s of a tile by the matrix of tiles. */
#define NN__INTEGER_TURN(p, q, r, s)                                                               \
    v = _mm256_add_epi16(q, r);                                                                    \
    p = _mm256_sub_epi16(p, r);                                                                    \
    s = _mm256_sub_epi16(q, s);                                                                    \
    r = _mm256_sub_epi16(r, q);                                                                    \
    q = v
#define NN__INTEGER_PUT_FOUR(t, p, q, r, s)                                                        \
    _mm256_storeu_si256((__m256i *)(void *)(to + (t)*across + c), p);                              \
    _mm256_storeu_si256((__m256i *)(void *)(to + ((t) + 1) * across + c), q);                      \
    _mm256_storeu_si256((__m256i *)(void *)(to + ((t) + 2) * across + c), r);                      \
    _mm256_storeu_si256((__m256i *)(void *)(to + ((t) + 3) * across + c), s)

NN__OP __m256i nn__integer_halves(const int8_t *x) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)x));
}
/* Transforms sixteen channels from c on. */
NN__OP void nn__integer_tile_part(int16_t *to, ptrdiff_t across, const int8_t *const *x, int c) {
    __m256i v, a0 = nn__integer_halves(x[0] + c), a1 = nn__integer_halves(x[1] + c),
               a2 = nn__integer_halves(x[2] + c), a3 = nn__integer_halves(x[3] + c),
               b0 = nn__integer_halves(x[4] + c), b1 = nn__integer_halves(x[5] + c),
               b2 = nn__integer_halves(x[6] + c), b3 = nn__integer_halves(x[7] + c),
               c0 = nn__integer_halves(x[8] + c), c1 = nn__integer_halves(x[9] + c),
               c2 = nn__integer_halves(x[10] + c), c3 = nn__integer_halves(x[11] + c),
               d0 = nn__integer_halves(x[12] + c), d1 = nn__integer_halves(x[13] + c),
               d2 = nn__integer_halves(x[14] + c), d3 = nn__integer_halves(x[15] + c);
    NN__INTEGER_TURN(a0, b0, c0, d0);
    NN__INTEGER_TURN(a1, b1, c1, d1);
    NN__INTEGER_TURN(a2, b2, c2, d2);
    NN__INTEGER_TURN(a3, b3, c3, d3);
    NN__INTEGER_TURN(a0, a1, a2, a3);
    NN__INTEGER_PUT_FOUR(0, a0, a1, a2, a3);
    NN__INTEGER_TURN(b0, b1, b2, b3);
    NN__INTEGER_PUT_FOUR(4, b0, b1, b2, b3);
    NN__INTEGER_TURN(c0, c1, c2, c3);
    NN__INTEGER_PUT_FOUR(8, c0, c1, c2, c3);
    NN__INTEGER_TURN(d0, d1, d2, d3);
    NN__INTEGER_PUT_FOUR(12, d0, d1, d2, d3);
}
static void NN__(integer_tile_in)(int16_t *to, ptrdiff_t across, const int8_t *const *x, int n) {
    int c = 0; /* n >= 16; the last sixteen may overlap */
    for (; c + 16 <= n; c += 16) nn__integer_tile_part(to, across, x, c);
    if (c < n) nn__integer_tile_part(to, across, x, n - 16);
}
#undef NN__INTEGER_TURN
#undef NN__INTEGER_PUT_FOUR

/* Stores a quarter of the sums plus the bias. */
NN__OP void nn__integer_put_quarter(int32_t *to, __m256i sum, __m256i bias) {
    _mm256_storeu_si256((__m256i *)(void *)to,
                        _mm256_add_epi32(_mm256_srai_epi32(sum, 2), bias));
}
static void NN__(integer_tile_out)(int32_t *sums, ptrdiff_t line, const int32_t *m,
                                   ptrdiff_t across, const int32_t *bias) {
    for (int i = 0; i < 16; i += 8) {
        const __m256i start = nn__integer_ints(bias + i);
        __m256i high = _mm256_setzero_si256(), beside = high, low = high, away = high;
        /* Column by column. Each has two numbers, for the left and the right place. */
        for (int k = 0; k < 4; k++) {
            const int32_t *from = m + k * across + i;
            const __m256i a = nn__integer_ints(from), b = nn__integer_ints(from + 4 * across),
                          c = nn__integer_ints(from + 8 * across),
                          d = nn__integer_ints(from + 12 * across);
            const __m256i up = _mm256_add_epi32(_mm256_add_epi32(a, b), c),
                          down = _mm256_sub_epi32(_mm256_sub_epi32(b, c), d);
            if (k < 3) high = _mm256_add_epi32(high, up), low = _mm256_add_epi32(low, down);
            if (k == 1) beside = up, away = down;
            if (k > 1) beside = _mm256_sub_epi32(beside, up), away = _mm256_sub_epi32(away, down);
        }
        nn__integer_put_quarter(sums + i, high, start);
        nn__integer_put_quarter(sums + 16 + i, beside, start);
        nn__integer_put_quarter(sums + line + i, low, start);
        nn__integer_put_quarter(sums + line + 16 + i, away, start);
    }
}

/* Each of three vectors of y takes five or six bytes of each line: those whose index is not -1. */
static void NN__(integer_weave)(int8_t *y, const int8_t *lines, ptrdiff_t across, int n) {
    const __m128i a0 = _mm_setr_epi8(0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1, 5),
                  b0 = _mm_setr_epi8(-1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1),
                  c0 = _mm_setr_epi8(-1, -1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1),
                  a1 = _mm_setr_epi8(-1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10, -1),
                  b1 = _mm_setr_epi8(5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10),
                  c1 = _mm_setr_epi8(-1, 5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1),
                  a2 = _mm_setr_epi8(-1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15, -1,
                                     -1),
                  b2 = _mm_setr_epi8(-1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15,
                                     -1),
                  c2 = _mm_setr_epi8(10, -1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1,
                                     15);
    for (int i = 0; i < n; i += 16, y += 48) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(lines + i)),
                      b = _mm_loadu_si128((const __m128i *)(const void *)(lines + across + i)),
                      c = _mm_loadu_si128((const __m128i *)(const void *)(lines + 2 * across + i));
        __m128i *to = (__m128i *)(void *)y;
        _mm_storeu_si128(to, _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(a, a0),
                                                       _mm_shuffle_epi8(b, b0)),
                                          _mm_shuffle_epi8(c, c0)));
        _mm_storeu_si128(to + 1, _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(a, a1),
                                                           _mm_shuffle_epi8(b, b1)),
                                              _mm_shuffle_epi8(c, c1)));
        _mm_storeu_si128(to + 2, _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(a, a2),
                                                           _mm_shuffle_epi8(b, b2)),
                                              _mm_shuffle_epi8(c, c2)));
    }
}

static const nn__integer_loops NN__(integer_loops) = {6, 16, 2, 1, 2, 0, NN__(integer_tile),
                                                       NN__(integer_widen),
                                                       NN__(integer_requantize),
                                                       NN__(integer_depthwise),
                                                       NN__(integer_largest), NN__(integer_add),
                                                       NN__(integer_quantize),
                                                       NN__(integer_windows),
                                                       NN__(integer_tile_in),
                                                       NN__(integer_tile_out), NULL,
                                                       NN__(integer_weave), NULL, NULL, NULL,
                                                       NULL};
#endif
