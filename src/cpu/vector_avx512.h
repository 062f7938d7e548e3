/* cpu/vector_avx512.h - the operations of cpu/vector.h for AVX-512F: sixteen numbers. For
   portable bytes (NN__HAS_PORTABLE_AVX512), products are not fused with sums. */
#if defined(NN__SET_AVX512) || defined(NN__SET_PORTABLE_AVX512)
typedef __m512    NN__(v);
typedef __m512i   NN__(vi);
typedef __mmask16 NN__(vm);

NN__OP NN__F32 NN__(all)(float number) { return _mm512_set1_ps(number); }
NN__OP NN__F32 NN__(load)(const float *x) { return _mm512_loadu_ps(x); }
NN__OP NN__F32 NN__(load_once)(const float *x) {
    NN__F32 v = _mm512_loadu_ps(x);
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+v"(v)); /* hides from the compiler that the value is in memory */
#endif
    return v;
}
NN__OP void NN__(store)(float *y, NN__F32 v) { _mm512_storeu_ps(y, v); }
NN__OP void NN__(stream)(float *y, NN__F32 v) { _mm512_stream_ps(y, v); }
NN__OP __mmask16 NN__(first)(int n) { /* lanes 0 to n - 1 */
    return (__mmask16)(n < 16 ? (1u << n) - 1u : 0xffffu);
}
NN__OP NN__F32 NN__(load_some)(const float *x, int n, float filler) {
    return _mm512_mask_loadu_ps(_mm512_set1_ps(filler), NN__(first)(n), x);
}
NN__OP void NN__(store_some)(float *y, int n, NN__F32 v) {
    _mm512_mask_storeu_ps(y, NN__(first)(n), v);
}
NN__INLINE void NN__(ahead)(const void *x) { _mm_prefetch((const char *)x, _MM_HINT_T0); }

NN__OP NN__F32 NN__(add)(NN__F32 a, NN__F32 b) { return _mm512_add_ps(a, b); }
NN__OP NN__F32 NN__(sub)(NN__F32 a, NN__F32 b) { return _mm512_sub_ps(a, b); }
NN__OP NN__F32 NN__(mul)(NN__F32 a, NN__F32 b) { return _mm512_mul_ps(a, b); }
NN__OP NN__F32 NN__(div)(NN__F32 a, NN__F32 b) { return _mm512_div_ps(a, b); }
#ifdef NN__SET_AVX512
NN__OP NN__F32 NN__(fma)(NN__F32 a, NN__F32 b, NN__F32 c) { return _mm512_fmadd_ps(a, b, c); }
NN__OP NN__F32 NN__(fnma)(NN__F32 a, NN__F32 b, NN__F32 c) { return _mm512_fnmadd_ps(a, b, c); }
#else
NN__OP NN__F32 NN__(fma)(NN__F32 a, NN__F32 b, NN__F32 c) {
    return _mm512_add_ps(_mm512_mul_ps(a, b), c);
}
NN__OP NN__F32 NN__(fnma)(NN__F32 a, NN__F32 b, NN__F32 c) {
    return _mm512_sub_ps(c, _mm512_mul_ps(a, b));
}
#endif
NN__OP NN__F32 NN__(sqrt)(NN__F32 a) { return _mm512_sqrt_ps(a); }
NN__OP NN__F32 NN__(floor)(NN__F32 a) {
    return _mm512_maskz_roundscale_ps((__mmask16)0xffff, a,
                                      _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
NN__OP NN__F32 NN__(round)(NN__F32 a) {
    return _mm512_maskz_roundscale_ps((__mmask16)0xffff, a,
                                      _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
NN__OP NN__F32 NN__(smaller)(NN__F32 a, NN__F32 b) { return _mm512_min_ps(a, b); }
NN__OP NN__F32 NN__(larger)(NN__F32 a, NN__F32 b) { return _mm512_max_ps(a, b); }

NN__OP NN__B32 NN__(less)(NN__F32 a, NN__F32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
NN__OP NN__B32 NN__(less_equal)(NN__F32 a, NN__F32 b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
NN__OP NN__B32 NN__(equal)(NN__F32 a, NN__F32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
NN__OP NN__B32 NN__(unordered)(NN__F32 a, NN__F32 b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
}
NN__OP NN__B32 NN__(none)(void) { return 0; }
NN__OP NN__B32 NN__(both)(NN__B32 a, NN__B32 b) { return (__mmask16)(a & b); }
NN__OP NN__B32 NN__(either)(NN__B32 a, NN__B32 b) { return (__mmask16)(a | b); }
NN__OP NN__B32 NN__(not)(NN__B32 a) { return (__mmask16)~a; }
NN__OP bool NN__(any)(NN__B32 a) { return a != 0; }
#define NN__OWN_MASKS 1
NN__OP NN__B32 NN__(load_mask)(const void *x) {
    __mmask16 v;
    memcpy(&v, x, sizeof v);
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+k"(v)); /* else compilers move it from other registers for each use */
#endif
    return v;
}
NN__OP NN__F32 NN__(pick)(NN__B32 where, NN__F32 a, NN__F32 b) {
    return _mm512_mask_blend_ps(where, b, a);
}
NN__OP NN__F32 NN__(keep)(NN__B32 where, NN__F32 a) { return _mm512_maskz_mov_ps(where, a); }
NN__OP NN__F32 NN__(drop)(NN__B32 where, NN__F32 a) {
    return _mm512_maskz_mov_ps((__mmask16)~where, a);
}

NN__OP NN__I32 NN__(int_all)(int32_t number) { return _mm512_set1_epi32(number); }
NN__OP NN__I32 NN__(int_load)(const int32_t *x) { return _mm512_loadu_si512((const void *)x); }
NN__OP void NN__(int_store)(int32_t *y, NN__I32 v) { _mm512_storeu_si512((void *)y, v); }
NN__OP NN__I32 NN__(int_load_some)(const int32_t *x, int n) {
    return _mm512_maskz_loadu_epi32(NN__(first)(n), (const void *)x);
}
NN__OP void NN__(int_store_some)(int32_t *y, int n, NN__I32 v) {
    _mm512_mask_storeu_epi32((void *)y, NN__(first)(n), v);
}
NN__OP NN__I32 NN__(int_lanes)(void) {
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
NN__OP NN__I32 NN__(int_add)(NN__I32 a, NN__I32 b) { return _mm512_add_epi32(a, b); }
NN__OP NN__I32 NN__(int_sub)(NN__I32 a, NN__I32 b) { return _mm512_sub_epi32(a, b); }
NN__OP NN__I32 NN__(int_product)(NN__I32 a, NN__I32 b, NN__I32 *high) {
    const __m512i even = _mm512_mul_epu32(a, b);
    const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32));
    *high = _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd);
    return _mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32));
}
NN__OP NN__I32 NN__(int_and)(NN__I32 a, NN__I32 b) { return _mm512_and_si512(a, b); }
NN__OP NN__I32 NN__(int_or)(NN__I32 a, NN__I32 b) { return _mm512_or_si512(a, b); }
NN__OP NN__I32 NN__(int_xor)(NN__I32 a, NN__I32 b) { return _mm512_xor_si512(a, b); }
NN__OP NN__I32 NN__(int_left)(NN__I32 a, int bits) {
    return _mm512_sllv_epi32(a, _mm512_set1_epi32(bits));
}
NN__OP NN__I32 NN__(int_right)(NN__I32 a, int bits) {
    return _mm512_srlv_epi32(a, _mm512_set1_epi32(bits));
}
NN__OP NN__B32 NN__(int_equal)(NN__I32 a, NN__I32 b) { return _mm512_cmpeq_epi32_mask(a, b); }
NN__OP NN__B32 NN__(int_less)(NN__I32 a, NN__I32 b) { return _mm512_cmplt_epi32_mask(a, b); }
NN__OP NN__I32 NN__(int_pick)(NN__B32 where, NN__I32 a, NN__I32 b) {
    return _mm512_mask_blend_epi32(where, b, a);
}
NN__OP NN__F32 NN__(from_int)(NN__I32 a) { return _mm512_cvtepi32_ps(a); }
NN__OP NN__I32 NN__(to_int)(NN__F32 a) { return _mm512_cvttps_epi32(a); }
NN__OP NN__I32 NN__(bits)(NN__F32 a) { return _mm512_castps_si512(a); }
NN__OP NN__F32 NN__(of_bits)(NN__I32 a) { return _mm512_castsi512_ps(a); }
NN__OP NN__F32 NN__(with_sign)(NN__F32 a, NN__F32 b) {
    const __m512i sign = _mm512_set1_epi32((int)0x80000000u), rest = _mm512_set1_epi32(0x7fffffff);
    return _mm512_castsi512_ps(_mm512_or_si512(_mm512_and_si512(_mm512_castps_si512(a), rest),
                                               _mm512_and_si512(_mm512_castps_si512(b), sign)));
}

NN__OP __m256 NN__(low)(NN__F32 a) { return _mm512_castps512_ps256(a); }
NN__OP __m256 NN__(high)(NN__F32 a) {
    return _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(a), 1));
}
/* Reduces a vector to one number by joining its halves, in the order of the other sets. */
#define NN__FOLD512(of_8, of_4)                                                                    \
    const __m256 eight = of_8(NN__(low)(a), NN__(high)(a));                                        \
    const __m128 four = of_4(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));      \
    const __m128 two = of_4(four, _mm_movehl_ps(four, four));                                      \
    return _mm_cvtss_f32(of_4(two, _mm_shuffle_ps(two, two, 1)));
NN__OP float NN__(sum)(NN__F32 a) { NN__FOLD512(_mm256_add_ps, _mm_add_ps) }
NN__OP float NN__(largest)(NN__F32 a) { NN__FOLD512(_mm256_max_ps, _mm_max_ps) }
NN__OP float NN__(smallest)(NN__F32 a) { NN__FOLD512(_mm256_min_ps, _mm_min_ps) }
#undef NN__FOLD512
NN__OP NN__F32 NN__(gather)(const float *x, NN__I32 at) { return _mm512_i32gather_ps(at, x, 4); }
NN__OP NN__F32 NN__(look_up8)(const float *table, NN__I32 at) {
    return _mm512_permutexvar_ps(at, _mm512_castps256_ps512(_mm256_loadu_ps(table)));
}
NN__OP NN__F32 NN__(evens)(NN__F32 a, NN__F32 b) {
    return _mm512_permutex2var_ps(
        a, _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), b);
}
NN__OP NN__F32 NN__(odds)(NN__F32 a, NN__F32 b) {
    return _mm512_permutex2var_ps(
        a, _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31), b);
}
NN__OP NN__F32 NN__(zip_low)(NN__F32 a, NN__F32 b) {
    return _mm512_permutex2var_ps(
        a, _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23), b);
}
NN__OP NN__F32 NN__(zip_high)(NN__F32 a, NN__F32 b) {
    return _mm512_permutex2var_ps(
        a, _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), b);
}

NN__OP NN__F32 NN__(before)(NN__F32 a, NN__F32 b) {
    return _mm512_castsi512_ps(
        _mm512_alignr_epi32(_mm512_castps_si512(b), _mm512_castps_si512(a), 15));
}
NN__OP NN__F32 NN__(after)(NN__F32 a, NN__F32 b) {
    return _mm512_castsi512_ps(
        _mm512_alignr_epi32(_mm512_castps_si512(b), _mm512_castps_si512(a), 1));
}
NN__OP NN__F32 NN__(permute)(NN__F32 a, NN__I32 at) {
    return _mm512_permutex2var_ps(a, at, _mm512_setzero_ps());
}

NN__OP NN__F32 NN__(load_i8)(const int8_t *x) {
    return _mm512_cvtepi32_ps(
        _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(const void *)x)));
}
NN__OP NN__I32 NN__(int_load_u8)(const uint8_t *x) {
    return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)x));
}
NN__OP void NN__(int_store_u8)(uint8_t *y, NN__I32 v) {
    _mm512_mask_cvtepi32_storeu_epi8(y, 0xffff, v);
}
#define NN__OWN_BYTES 1 /* joins bytes in a register: memory stored in parts is slow to load */
NN__OP NN__I32 NN__(int_load_u8_up_to)(const uint8_t *x, int n) {
    uint64_t low = 0, high = 0;
    if (n >= 16) return NN__(int_load_u8)(x);
    if (n >= 8) {
        memcpy(&low, x, sizeof low);
        memcpy(&high, x + n - 8, sizeof high);
        high = n > 8 ? high >> (8 * (16 - n)) : 0;
    } else {
        for (int i = 0; i < n; i++) low |= (uint64_t)x[i] << (8 * i);
    }
    return _mm512_cvtepu8_epi32(_mm_set_epi64x((int64_t)high, (int64_t)low));
}
NN__OP void NN__(int_store_u8_up_to)(uint8_t *y, int n, NN__I32 v) {
    _mm512_mask_cvtepi32_storeu_epi8(y, NN__(first)(n), v);
}
NN__OP int NN__(count)(NN__B32 where) {
    unsigned bits = where;
    bits = bits - (bits >> 1 & 0x5555u);
    bits = (bits & 0x3333u) + (bits >> 2 & 0x3333u);
    bits = (bits + (bits >> 4)) & 0x0f0fu;
    return (int)((bits + (bits >> 8)) & 0x1fu);
}
NN__OP int NN__(pack)(float *y, NN__B32 where, NN__F32 v) {
    _mm512_storeu_ps(y, _mm512_maskz_compress_ps(where, v));
    return NN__(count)(where);
}
NN__OP int NN__(int_pack)(int32_t *y, NN__B32 where, NN__I32 v) {
    _mm512_storeu_si512((void *)y, _mm512_maskz_compress_epi32(where, v));
    return NN__(count)(where);
}
NN__OP NN__F32 NN__(load_bf16)(const uint16_t *x) {
    const __m256i half = _mm256_loadu_si256((const __m256i *)(const void *)x);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
}
NN__OP NN__F32 NN__(load_f16)(const uint16_t *x) {
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)x));
}
NN__OP void NN__(store_bf16)(uint16_t *y, NN__F32 v) {
    const __m512i bits = _mm512_castps_si512(v), high = _mm512_srli_epi32(bits, 16);
    const __m512i odd = _mm512_and_si512(high, _mm512_set1_epi32(1));
    __m512i nearest = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    nearest = _mm512_srli_epi32(nearest, 16);
    nearest = _mm512_mask_or_epi32(nearest, _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q), high,
                                _mm512_set1_epi32(0x40));
    _mm256_storeu_si256((__m256i *)(void *)y, _mm512_cvtepi32_epi16(nearest));
}

/* One instruction replaces five of cpu/vector_math.h. Below 2^-150 the result is 0, whatever p
   is. */
#define NN__OWN_POWER 1
NN__OP NN__F32 NN__(power)(NN__F32 p, NN__F32 whole) {
    const __m512 add = _mm512_set1_ps(12582912.0f + 254.0f);
    const __mmask16 some =
        _mm512_cmp_ps_mask(whole, _mm512_set1_ps(12582912.0f + 254.0f - 150.0f), _CMP_NLT_UQ);
    return _mm512_maskz_scalef_ps(some, p, _mm512_sub_ps(whole, add));
}

NN__OP NN__F32 NN__(pairs)(NN__F32 a, NN__F32 b) {
    return NN__(add)(NN__(evens)(a, b), NN__(odds)(a, b));
}
/* One group of four columns: row 4 k + e is in lanes 4 k to 4 k + 3 of vector e. 4 x 4 blocks are
   transposed within the lanes. */
NN__INLINE void NN__(transpose_four)(float *y, ptrdiff_t y_row, int high, const float *x,
                                     ptrdiff_t x_row, int wide, const bool part) {
    const __mmask8 some = (__mmask8)((1u << wide) - 1u);
    const __mmask16 column = (__mmask16)((1u << high) - 1u);
#define NN__FOUR_OF(i)                                                                             \
    (part ? _mm_maskz_loadu_ps(some, x + ((i) < high ? (i) : 0) * x_row)                           \
          : _mm_loadu_ps(x + (i) * x_row))
#define NN__FOURS(e)                                                                               \
    _mm512_insertf32x4(                                                                            \
        _mm512_insertf32x4(_mm512_insertf32x4(_mm512_castps128_ps512(NN__FOUR_OF(e)),              \
                                              NN__FOUR_OF(4 + e), 1),                              \
                           NN__FOUR_OF(8 + e), 2),                                                 \
        NN__FOUR_OF(12 + e), 3)
#define NN__COLUMN(l, v)                                                                           \
    if (!part)                                                                                     \
        _mm512_storeu_ps(y + (l) * y_row, v);                                                      \
    else if (wide > (l))                                                                           \
        _mm512_mask_storeu_ps(y + (l) * y_row, column, v)
    const __m512 a = NN__FOURS(0), b = NN__FOURS(1), c = NN__FOURS(2), d = NN__FOURS(3);
    const __m512 p = _mm512_unpacklo_ps(a, b), q = _mm512_unpackhi_ps(a, b),
                 r = _mm512_unpacklo_ps(c, d), s = _mm512_unpackhi_ps(c, d);
    NN__COLUMN(0, _mm512_shuffle_ps(p, r, 0x44));
    NN__COLUMN(1, _mm512_shuffle_ps(p, r, 0xee));
    NN__COLUMN(2, _mm512_shuffle_ps(q, s, 0x44));
    NN__COLUMN(3, _mm512_shuffle_ps(q, s, 0xee));
#undef NN__FOUR_OF
#undef NN__FOURS
#undef NN__COLUMN
}
#endif
