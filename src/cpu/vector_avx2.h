/* cpu/vector_avx2.h - the operations of cpu/vector.h for AVX2 with FMA and F16C: eight numbers. For
   portable bytes (cpu/vector_portable.h), the operations do without FMA. */
#if defined(NN__SET_AVX2) || defined(NN__SET_PORTABLE_AVX2)
typedef __m256  NN__(v);
typedef __m256i NN__(vi);
typedef __m256  NN__(vm);

NN__OP NN__F32 NN__(all)(float number) { return _mm256_set1_ps(number); }
NN__OP NN__F32 NN__(load)(const float *x) { return _mm256_loadu_ps(x); }
NN__OP NN__F32 NN__(load_once)(const float *x) {
    NN__F32 v = _mm256_loadu_ps(x);
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+x"(v)); /* hides from the compiler that the value is in memory */
#endif
    return v;
}
NN__OP void NN__(store)(float *y, NN__F32 v) { _mm256_storeu_ps(y, v); }
NN__OP void NN__(stream)(float *y, NN__F32 v) { _mm256_stream_ps(y, v); }
NN__OP __m256i NN__(first)(int n) { /* all bits of lanes 0 to n - 1 */
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
NN__OP NN__F32 NN__(load_some)(const float *x, int n, float filler) {
    const __m256i mask = NN__(first)(n);
    return _mm256_blendv_ps(_mm256_set1_ps(filler), _mm256_maskload_ps(x, mask),
                            _mm256_castsi256_ps(mask));
}
NN__OP void NN__(store_some)(float *y, int n, NN__F32 v) {
    _mm256_maskstore_ps(y, NN__(first)(n), v);
}
NN__INLINE void NN__(ahead)(const void *x) { _mm_prefetch((const char *)x, _MM_HINT_T0); }

NN__OP NN__F32 NN__(add)(NN__F32 a, NN__F32 b) { return _mm256_add_ps(a, b); }
NN__OP NN__F32 NN__(sub)(NN__F32 a, NN__F32 b) { return _mm256_sub_ps(a, b); }
NN__OP NN__F32 NN__(mul)(NN__F32 a, NN__F32 b) { return _mm256_mul_ps(a, b); }
NN__OP NN__F32 NN__(div)(NN__F32 a, NN__F32 b) { return _mm256_div_ps(a, b); }
#ifdef NN__SET_AVX2
NN__OP NN__F32 NN__(fma)(NN__F32 a, NN__F32 b, NN__F32 c) { return _mm256_fmadd_ps(a, b, c); }
NN__OP NN__F32 NN__(fnma)(NN__F32 a, NN__F32 b, NN__F32 c) { return _mm256_fnmadd_ps(a, b, c); }
#else
NN__OP NN__F32 NN__(fma)(NN__F32 a, NN__F32 b, NN__F32 c) {
    return _mm256_add_ps(_mm256_mul_ps(a, b), c);
}
NN__OP NN__F32 NN__(fnma)(NN__F32 a, NN__F32 b, NN__F32 c) {
    return _mm256_sub_ps(c, _mm256_mul_ps(a, b));
}
#endif
NN__OP NN__F32 NN__(sqrt)(NN__F32 a) { return _mm256_sqrt_ps(a); }
NN__OP NN__F32 NN__(floor)(NN__F32 a) { return _mm256_floor_ps(a); }
NN__OP NN__F32 NN__(round)(NN__F32 a) {
    return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
NN__OP NN__F32 NN__(smaller)(NN__F32 a, NN__F32 b) { return _mm256_min_ps(a, b); }
NN__OP NN__F32 NN__(larger)(NN__F32 a, NN__F32 b) { return _mm256_max_ps(a, b); }

NN__OP NN__B32 NN__(less)(NN__F32 a, NN__F32 b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
NN__OP NN__B32 NN__(less_equal)(NN__F32 a, NN__F32 b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
NN__OP NN__B32 NN__(equal)(NN__F32 a, NN__F32 b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
NN__OP NN__B32 NN__(unordered)(NN__F32 a, NN__F32 b) { return _mm256_cmp_ps(a, b, _CMP_UNORD_Q); }
NN__OP NN__B32 NN__(none)(void) { return _mm256_setzero_ps(); }
NN__OP NN__B32 NN__(both)(NN__B32 a, NN__B32 b) { return _mm256_and_ps(a, b); }
NN__OP NN__B32 NN__(either)(NN__B32 a, NN__B32 b) { return _mm256_or_ps(a, b); }
NN__OP NN__B32 NN__(not)(NN__B32 a) {
    return _mm256_xor_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(-1)));
}
NN__OP bool NN__(any)(NN__B32 a) { return _mm256_movemask_ps(a) != 0; }
NN__OP NN__F32 NN__(pick)(NN__B32 where, NN__F32 a, NN__F32 b) {
    return _mm256_blendv_ps(b, a, where);
}
NN__OP NN__F32 NN__(keep)(NN__B32 where, NN__F32 a) { return _mm256_and_ps(where, a); }
NN__OP NN__F32 NN__(drop)(NN__B32 where, NN__F32 a) { return _mm256_andnot_ps(where, a); }

NN__OP NN__I32 NN__(int_all)(int32_t number) { return _mm256_set1_epi32(number); }
NN__OP NN__I32 NN__(int_load)(const int32_t *x) {
    return _mm256_loadu_si256((const __m256i *)(const void *)x);
}
NN__OP void NN__(int_store)(int32_t *y, NN__I32 v) {
    _mm256_storeu_si256((__m256i *)(void *)y, v);
}
NN__OP NN__I32 NN__(int_load_some)(const int32_t *x, int n) {
    return _mm256_maskload_epi32((const int *)x, NN__(first)(n));
}
NN__OP void NN__(int_store_some)(int32_t *y, int n, NN__I32 v) {
    _mm256_maskstore_epi32((int *)y, NN__(first)(n), v);
}
NN__OP NN__I32 NN__(int_lanes)(void) { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
NN__OP NN__I32 NN__(int_add)(NN__I32 a, NN__I32 b) { return _mm256_add_epi32(a, b); }
NN__OP NN__I32 NN__(int_sub)(NN__I32 a, NN__I32 b) { return _mm256_sub_epi32(a, b); }
NN__OP NN__I32 NN__(int_product)(NN__I32 a, NN__I32 b, NN__I32 *high) {
    const __m256i even = _mm256_mul_epu32(a, b);
    const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
    *high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
    return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
}
NN__OP NN__I32 NN__(int_and)(NN__I32 a, NN__I32 b) { return _mm256_and_si256(a, b); }
NN__OP NN__I32 NN__(int_or)(NN__I32 a, NN__I32 b) { return _mm256_or_si256(a, b); }
NN__OP NN__I32 NN__(int_xor)(NN__I32 a, NN__I32 b) { return _mm256_xor_si256(a, b); }
NN__OP NN__I32 NN__(int_left)(NN__I32 a, int bits) { return _mm256_slli_epi32(a, bits); }
NN__OP NN__I32 NN__(int_right)(NN__I32 a, int bits) { return _mm256_srli_epi32(a, bits); }
NN__OP NN__B32 NN__(int_equal)(NN__I32 a, NN__I32 b) {
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b));
}
NN__OP NN__B32 NN__(int_less)(NN__I32 a, NN__I32 b) {
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a));
}
NN__OP NN__I32 NN__(int_pick)(NN__B32 where, NN__I32 a, NN__I32 b) {
    return _mm256_blendv_epi8(b, a, _mm256_castps_si256(where));
}
NN__OP NN__F32 NN__(from_int)(NN__I32 a) { return _mm256_cvtepi32_ps(a); }
NN__OP NN__I32 NN__(to_int)(NN__F32 a) { return _mm256_cvttps_epi32(a); }
NN__OP NN__I32 NN__(bits)(NN__F32 a) { return _mm256_castps_si256(a); }
NN__OP NN__F32 NN__(of_bits)(NN__I32 a) { return _mm256_castsi256_ps(a); }
NN__OP NN__F32 NN__(with_sign)(NN__F32 a, NN__F32 b) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return _mm256_or_ps(_mm256_andnot_ps(sign, a), _mm256_and_ps(sign, b));
}

NN__OP float NN__(sum)(NN__F32 a) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}
NN__OP float NN__(largest)(NN__F32 a) {
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}
NN__OP float NN__(smallest)(NN__F32 a) {
    const __m128 four = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    const __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
}
NN__OP NN__F32 NN__(gather)(const float *x, NN__I32 at) { return _mm256_i32gather_ps(x, at, 4); }
NN__OP NN__F32 NN__(look_up8)(const float *table, NN__I32 at) {
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), at);
}
NN__OP NN__F32 NN__(evens)(NN__F32 a, NN__F32 b) {
    const __m256d mixed = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0x88));
    return _mm256_castpd_ps(_mm256_permute4x64_pd(mixed, 0xd8));
}
NN__OP NN__F32 NN__(odds)(NN__F32 a, NN__F32 b) {
    const __m256d mixed = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0xdd));
    return _mm256_castpd_ps(_mm256_permute4x64_pd(mixed, 0xd8));
}
NN__OP NN__F32 NN__(zip_low)(NN__F32 a, NN__F32 b) {
    return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x20);
}
NN__OP NN__F32 NN__(zip_high)(NN__F32 a, NN__F32 b) {
    return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x31);
}

NN__OP __m256i NN__(between)(NN__F32 a, NN__F32 b) { /* the upper half of a, the lower half of b */
    return _mm256_castps_si256(_mm256_permute2f128_ps(a, b, 0x21));
}
NN__OP NN__F32 NN__(before)(NN__F32 a, NN__F32 b) {
    return _mm256_castsi256_ps(
        _mm256_alignr_epi8(_mm256_castps_si256(b), NN__(between)(a, b), 12));
}
NN__OP NN__F32 NN__(after)(NN__F32 a, NN__F32 b) {
    return _mm256_castsi256_ps(_mm256_alignr_epi8(NN__(between)(a, b), _mm256_castps_si256(a), 4));
}
NN__OP NN__F32 NN__(permute)(NN__F32 a, NN__I32 at) {
    const __m256i inside = _mm256_cmpgt_epi32(_mm256_set1_epi32(8), at);
    return _mm256_and_ps(_mm256_permutevar8x32_ps(a, at), _mm256_castsi256_ps(inside));
}

NN__OP NN__F32 NN__(load_i8)(const int8_t *x) {
    return _mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)x)));
}
NN__OP NN__I32 NN__(int_load_u8)(const uint8_t *x) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)x));
}
NN__OP void NN__(int_store_u8)(uint8_t *y, NN__I32 v) {
    const __m128i words =
        _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storel_epi64((__m128i *)(void *)y, _mm_packus_epi16(words, words));
}
/* Stores the lanes of v whose bits are set in `where`, one after the other. Returns their
   number. */
NN__OP int NN__(pack_four)(float *y, unsigned where, __m128 v) {
    static const int32_t order[16][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0},
                                         {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
                                         {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
                                         {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    const __m128i at = _mm_loadu_si128((const __m128i *)(const void *)order[where]);
    _mm_storeu_ps(y, _mm_permutevar_ps(v, at));
    return (int)(0x4332322132212110u >> (4 * where) & 7u); /* bits of 0 to 15, a nibble each */
}
NN__OP int NN__(pack)(float *y, NN__B32 where, NN__F32 v) {
    const unsigned mask = (unsigned)_mm256_movemask_ps(where);
    const int low = NN__(pack_four)(y, mask & 15u, _mm256_castps256_ps128(v));
    return low + NN__(pack_four)(y + low, mask >> 4, _mm256_extractf128_ps(v, 1));
}
NN__OP int NN__(int_pack)(int32_t *y, NN__B32 where, NN__I32 v) {
    return NN__(pack)((float *)(void *)y, where, _mm256_castsi256_ps(v));
}
NN__OP NN__F32 NN__(load_bf16)(const uint16_t *x) {
    const __m128i half = _mm_loadu_si128((const __m128i *)(const void *)x);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
}
NN__OP NN__F32 NN__(load_f16)(const uint16_t *x) {
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)x));
}
NN__OP void NN__(store_bf16)(uint16_t *y, NN__F32 v) {
    const __m256i bits = _mm256_castps_si256(v), high = _mm256_srli_epi32(bits, 16);
    const __m256i odd = _mm256_and_si256(high, _mm256_set1_epi32(1));
    __m256i nearest = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
    nearest = _mm256_srli_epi32(nearest, 16);
    nearest = _mm256_blendv_epi8(nearest, _mm256_or_si256(high, _mm256_set1_epi32(0x40)),
                              _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q)));
    nearest = _mm256_permute4x64_epi64(_mm256_packus_epi32(nearest, nearest), 0xd8);
    _mm_storeu_si128((__m128i *)(void *)y, _mm256_castsi256_si128(nearest));
}

NN__OP NN__F32 NN__(pairs)(NN__F32 a, NN__F32 b) {
    const __m256d mixed = _mm256_castps_pd(_mm256_hadd_ps(a, b));
    return _mm256_castpd_ps(_mm256_permute4x64_pd(mixed, 0xd8));
}
/* Transposes a group of four columns, with 4 x 4 blocks in both halves of the vectors. */
NN__INLINE void NN__(transpose_four)(float *y, ptrdiff_t y_row, int high, const float *x,
                                     ptrdiff_t x_row, int wide, const bool part) {
    const __m256i column = NN__(first)(high);
    const __m128i some = _mm256_castsi256_si128(NN__(first)(wide));
#define NN__FOUR_OF(i)                                                                             \
    (part ? _mm_maskload_ps(x + ((i) < high ? (i) : 0) * x_row, some)                              \
          : _mm_loadu_ps(x + (i) * x_row))
#define NN__FOURS(e)                                                                               \
    _mm256_insertf128_ps(_mm256_castps128_ps256(NN__FOUR_OF(e)), NN__FOUR_OF(4 + e), 1)
#define NN__COLUMN(l, v)                                                                           \
    if (!part)                                                                                     \
        _mm256_storeu_ps(y + (l) * y_row, v);                                                      \
    else if (wide > (l))                                                                           \
        _mm256_maskstore_ps(y + (l) * y_row, column, v)
    const __m256 a = NN__FOURS(0), b = NN__FOURS(1), c = NN__FOURS(2), d = NN__FOURS(3);
    const __m256 p = _mm256_unpacklo_ps(a, b), q = _mm256_unpackhi_ps(a, b),
                 r = _mm256_unpacklo_ps(c, d), s = _mm256_unpackhi_ps(c, d);
    NN__COLUMN(0, _mm256_shuffle_ps(p, r, 0x44));
    NN__COLUMN(1, _mm256_shuffle_ps(p, r, 0xee));
    NN__COLUMN(2, _mm256_shuffle_ps(q, s, 0x44));
    NN__COLUMN(3, _mm256_shuffle_ps(q, s, 0xee));
#undef NN__FOUR_OF
#undef NN__FOURS
#undef NN__COLUMN
}

#endif

#if defined(NN__SET_AVX2) || defined(NN__SET_AVX512)
#define NN__OWN_DOUBLES 1
/* squares: low += a a and so on, else low *= a. The four lanes of low and high are written. */
NN__INLINE void NN__(doubles8)(double *lanes, const float *x, int n, const bool squares) {
    __m256d low = _mm256_set1_pd(squares ? 0.0 : 1.0), high = low;
    for (int i = 0; i < n; i += 8) {
        const __m256d a = _mm256_cvtps_pd(_mm_loadu_ps(x + i)),
                      b = _mm256_cvtps_pd(_mm_loadu_ps(x + i + 4));
        low = squares ? _mm256_fmadd_pd(a, a, low) : _mm256_mul_pd(low, a);
        high = squares ? _mm256_fmadd_pd(b, b, high) : _mm256_mul_pd(high, b);
    }
    _mm256_storeu_pd(lanes, low);
    _mm256_storeu_pd(lanes + 4, high);
}
#endif
