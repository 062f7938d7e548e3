/* kernels/integer/vector_avx512_bytes.h - requantisation of panels of 32 channels for AVX-512 VNNI,
   sums of two tensors by tables of bytes (VBMI), and the loops of both. */
#if defined(NN__SET_AVX512) && NN__HAS_VNNI
#if defined(__GNUC__) || defined(__clang__)
#define NN__INTEGER_BW   __attribute__((target("avx512f,avx512vl,avx512bw,avx2,fma,f16c")))
#define NN__INTEGER_VBMI                                                                           \
    __attribute__((target("avx512f,avx512vl,avx512bw,avx512vbmi,avx2,fma,f16c")))
#else
#define NN__INTEGER_BW
#define NN__INTEGER_VBMI
#endif

/* ---- requantisation -------------------------------------------------------------------------- */

/* The two roundings of nn__integer_scale are one shift of a 64-bit number: with s = -shift,
     floor((floor((sum multiplier + 2^30) / 2^31) + half) / 2^s) + zero
       = floor((sum multiplier + 2^30 + half 2^31 + zero 2^(31 + s)) / 2^(31 + s))
   where half is 2^(s - 1), less 1 for negative numbers, and 0 for s = 0. A negative sum stands for
   a negative number: where the number is 0 instead, half - 1 gives 0, too. With s up to 23 nothing
   overflows.
   `factors` has eight vectors for each sixteen channels: multipliers of all and of odd channels,
   then for even and for odd ones: what is added, shifts, 2^31 where s > 0. */
#define NN__INTEGER_LONGEST 23 /* shift */
static bool NN__(integer_prepare)(int64_t *factors, const nn__integer_out *out, int n) {
    if (n != NN__INTEGER_LANES || out->zero < -128 || out->zero > 127 || out->low < -128 ||
        out->high > 127)
        return false;
    for (int k = 0; k < n; k++) {
        const int right = -out->shift[k];
        int64_t *to = factors + k / 16 * 64 + k % 16 / 2;
        const int64_t multiplier = out->multiplier[k];
        if (right < 0 || right > NN__INTEGER_LONGEST) return false;
        if (k % 2) {
            to[0] |= (int64_t)((uint64_t)multiplier << 32);
            to[8] = multiplier;
            to += 8;
        } else {
            to[0] = multiplier;
        }
        to[16] = ((int64_t)1 << 30) + (right ? (int64_t)1 << (30 + right) : 0) +
                 out->zero * ((int64_t)1 << (31 + right));
        to[32] = 31 + right;
        to[48] = right ? (int64_t)1 << 31 : 0;
    }
    return true;
}
#undef NN__INTEGER_LONGEST

/* Requantises sixteen sums, and adds the zero point. The other arguments are vectors of
   `factors`. */
static NN__ALWAYS_INLINE NN__INTEGER_BW __m512i nn__integer_factored16(
    const int32_t *sums, __m512i all, __m512i of_odd, __m512i more, __m512i more_odd, __m512i shift,
    __m512i shift_odd, __m512i less, __m512i less_odd) {
    const __m512i sum = _mm512_loadu_si512((const void *)sums), odd = _mm512_srli_epi64(sum, 32);
    __m512i a = _mm512_add_epi64(_mm512_mul_epi32(sum, all), more),
            b = _mm512_add_epi64(_mm512_mul_epi32(odd, of_odd), more_odd);
    a = _mm512_srav_epi64(_mm512_sub_epi64(a, _mm512_and_si512(sum, less)), shift);
    b = _mm512_srav_epi64(_mm512_sub_epi64(b, _mm512_and_si512(odd, less_odd)), shift_odd);
    return _mm512_mask_shuffle_epi32(a, 0xaaaa, b, (_MM_PERM_ENUM)0xa0);
}

/* Two rows make one vector of bytes. */
static NN__INTEGER_BW void nn__integer_requantize_factored(int8_t *y, ptrdiff_t y_row,
                                                           const int32_t *sums, int rows,
                                                           const nn__integer_out *out) {
    const __m512i *from = (const __m512i *)(const void *)out->factors;
    const __m512i low = _mm512_set1_epi32((int32_t)((uint32_t)(out->low & 0xff) * 0x01010101u)),
                  high = _mm512_set1_epi32((int32_t)((uint32_t)(out->high & 0xff) * 0x01010101u)),
                  order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i a0 = _mm512_loadu_si512(from), a1 = _mm512_loadu_si512(from + 1),
                  a2 = _mm512_loadu_si512(from + 2), a3 = _mm512_loadu_si512(from + 3),
                  a4 = _mm512_loadu_si512(from + 4), a5 = _mm512_loadu_si512(from + 5),
                  a6 = _mm512_loadu_si512(from + 6), a7 = _mm512_loadu_si512(from + 7),
                  b0 = _mm512_loadu_si512(from + 8), b1 = _mm512_loadu_si512(from + 9),
                  b2 = _mm512_loadu_si512(from + 10), b3 = _mm512_loadu_si512(from + 11),
                  b4 = _mm512_loadu_si512(from + 12), b5 = _mm512_loadu_si512(from + 13),
                  b6 = _mm512_loadu_si512(from + 14), b7 = _mm512_loadu_si512(from + 15);
    for (int r = 0; r < rows; r += 2, sums += 2 * NN__INTEGER_LANES, y += 2 * y_row) {
        const int32_t *next = r + 1 < rows ? sums + NN__INTEGER_LANES : sums;
        const __m512i first = _mm512_packs_epi32(
                          nn__integer_factored16(sums, a0, a1, a2, a3, a4, a5, a6, a7),
                          nn__integer_factored16(sums + 16, b0, b1, b2, b3, b4, b5, b6, b7)),
                      second = _mm512_packs_epi32(
                          nn__integer_factored16(next, a0, a1, a2, a3, a4, a5, a6, a7),
                          nn__integer_factored16(next + 16, b0, b1, b2, b3, b4, b5, b6, b7));
        __m512i v = _mm512_permutexvar_epi32(order, _mm512_packs_epi16(first, second));
        v = _mm512_min_epi8(_mm512_max_epi8(v, low), high);
        _mm256_storeu_si256((__m256i *)(void *)y, _mm512_castsi512_si256(v));
        if (r + 1 < rows)
            _mm256_storeu_si256((__m256i *)(void *)(y + y_row), _mm512_extracti64x4_epi64(v, 1));
    }
}

static void NN__(integer_requantize)(int8_t *y, ptrdiff_t y_row, const int32_t *sums, int lanes,
                                     int rows, const nn__integer_out *out, int n) {
    if (out->factors)
        nn__integer_requantize_factored(y, y_row, sums, rows, out);
    else
        nn__integer_requantize_any(y, y_row, sums, lanes, rows, out, n);
}

/* ---- sums by tables -------------------------------------------------------------------------- */

/* Byte k of nn__integer_add_part16 for each of 256 numbers, first those from 0 to 127. */
typedef struct nn__integer_parts {
    uint8_t byte[4][256];
} nn__integer_parts;

static NN__INTEGER_VBMI void nn__integer_add_table(nn__integer_parts *to, const int32_t *numbers,
                                                   int i) {
    int8_t all[256];
    for (int k = 0; k < 256; k++) all[k] = (int8_t)(uint8_t)k;
    for (int k = 0; k < 256; k += 16) {
        const __m512i part = nn__integer_add_part16(all + k, numbers, i);
        for (int b = 0; b < 4; b++)
            _mm_storeu_si128(
                (__m128i *)(void *)(to->byte[b] + k),
                _mm512_cvtepi32_epi8(_mm512_srl_epi32(part, _mm_cvtsi32_si128(8 * b))));
    }
}
/* Returns byte b of the parts of 64 numbers. */
static NN__ALWAYS_INLINE NN__INTEGER_VBMI __m512i
nn__integer_add_pick(const nn__integer_parts *from, int b, __m512i x, __mmask64 negative) {
    const uint8_t *table = from->byte[b];
    const __m512i up = _mm512_permutex2var_epi8(_mm512_loadu_si512((const void *)table), x,
                                                _mm512_loadu_si512((const void *)(table + 64))),
                  down = _mm512_permutex2var_epi8(_mm512_loadu_si512((const void *)(table + 128)),
                                                  x,
                                                  _mm512_loadu_si512((const void *)(table + 192)));
    return _mm512_mask_blend_epi8(negative, up, down);
}
/* Sets to[4] to the parts of 64 numbers, four of each sixteen in each vector. */
static NN__ALWAYS_INLINE NN__INTEGER_VBMI void
nn__integer_add_parts(const nn__integer_parts *from, const int8_t *x, __m512i *to0, __m512i *to1,
                      __m512i *to2, __m512i *to3) {
    const __m512i v = _mm512_loadu_si512((const void *)x);
    const __mmask64 negative = _mm512_movepi8_mask(v);
    const __m512i a = nn__integer_add_pick(from, 0, v, negative),
                  b = nn__integer_add_pick(from, 1, v, negative),
                  c = nn__integer_add_pick(from, 2, v, negative),
                  d = nn__integer_add_pick(from, 3, v, negative);
    const __m512i low = _mm512_unpacklo_epi8(a, b), high = _mm512_unpackhi_epi8(a, b),
                  low_2 = _mm512_unpacklo_epi8(c, d), high_2 = _mm512_unpackhi_epi8(c, d);
    *to0 = _mm512_unpacklo_epi16(low, low_2);
    *to1 = _mm512_unpackhi_epi16(low, low_2);
    *to2 = _mm512_unpacklo_epi16(high, high_2);
    *to3 = _mm512_unpackhi_epi16(high, high_2);
}
static NN__ALWAYS_INLINE NN__INTEGER_VBMI __m512i nn__integer_add_sum(__m512i sum,
                                                                      const int32_t *numbers) {
    const __m512i multiplier = _mm512_set1_epi32(numbers[NN_INTEGER_ADD_MULTIPLIER + 2]);
    return _mm512_add_epi32(
        nn__integer_divide16(nn__integer_high16(sum, multiplier, (int64_t)1 << 30, 31),
                             -numbers[NN_INTEGER_ADD_SHIFT + 2]),
        _mm512_set1_epi32(numbers[NN_INTEGER_ADD_ZERO + 2]));
}

#define NN__INTEGER_TABLED 2048 /* numbers for which two tables are worth making */
static NN__INTEGER_VBMI void nn__integer_add_tabled(int8_t *y, const int8_t *a, const int8_t *b,
                                                    const int32_t *numbers, int n) {
    const int32_t *shift = numbers + NN_INTEGER_ADD_SHIFT;
    const int least = numbers[NN_INTEGER_ADD_LOW], most = numbers[NN_INTEGER_ADD_HIGH];
    int i = 0;
    if (n >= NN__INTEGER_TABLED && shift[0] <= 0 && shift[1] <= 0 && shift[2] <= 0 &&
        least >= -128 && most <= 127) {
        const __m512i low = _mm512_set1_epi8((char)least), high = _mm512_set1_epi8((char)most);
        nn__integer_parts of_a, of_b;
        nn__integer_add_table(&of_a, numbers, 0);
        nn__integer_add_table(&of_b, numbers, 1);
        for (; i + 64 <= n; i += 64) {
            __m512i a0, a1, a2, a3, b0, b1, b2, b3;
            nn__integer_add_parts(&of_a, a + i, &a0, &a1, &a2, &a3);
            nn__integer_add_parts(&of_b, b + i, &b0, &b1, &b2, &b3);
            a0 = nn__integer_add_sum(_mm512_add_epi32(a0, b0), numbers);
            a1 = nn__integer_add_sum(_mm512_add_epi32(a1, b1), numbers);
            a2 = nn__integer_add_sum(_mm512_add_epi32(a2, b2), numbers);
            a3 = nn__integer_add_sum(_mm512_add_epi32(a3, b3), numbers);
            a0 = _mm512_packs_epi16(_mm512_packs_epi32(a0, a1), _mm512_packs_epi32(a2, a3));
            _mm512_storeu_si512((void *)(y + i),
                                _mm512_min_epi8(_mm512_max_epi8(a0, low), high));
        }
    }
    NN__(integer_add)(y + i, a + i, b + i, numbers, n - i);
}
#undef NN__INTEGER_TABLED
#undef NN__INTEGER_BW
#undef NN__INTEGER_VBMI

static const nn__integer_loops NN__(integer_loops) = {
    12, 32, 4, 1, 1, 128, NN__(integer_tile), NN__(integer_widen), NN__(integer_requantize),
    nn__integer_depthwise_avx2, nn__integer_largest_avx2, NN__(integer_add),
    NN__(integer_quantize), NN__(integer_windows), NULL, NULL, NN__(integer_prepare),
    nn__integer_weave_avx2, NN__(integer_three), NN__(integer_three_prepare),
    NN__(integer_three_copy), NULL};
static const nn__integer_loops NN__(integer_pick_loops) = {
    12, 32, 4, 1, 1, 128, NN__(integer_tile), NN__(integer_widen), NN__(integer_requantize),
    nn__integer_depthwise_avx2, nn__integer_largest_avx2, nn__integer_add_tabled,
    NN__(integer_quantize), NN__(integer_windows), NULL, NULL, NN__(integer_prepare),
    nn__integer_weave_avx2, NN__(integer_three), NN__(integer_three_prepare),
    NN__(integer_three_copy), NULL};
#endif
