/* cpu/vector_portable.h - the operations of cpu/vector.h for portable bytes, on every processor:
   eight numbers as two halves of four, in the vector types of gcc and clang, which those compilers
   map to the vectors of the processor. (Vectors of eight would stay in memory on a processor whose
   registers hold four.) No product is fused with a sum, and sums over the lanes have one order, so
   all processors compute the same bytes. For AVX2, cpu/vector_avx2.h does the same faster. */
#if defined(NN__SET_PORTABLE) && NN__HAS_VECTOR_TYPES
typedef float NN__(f4) __attribute__((vector_size(16)));
/* As a mask, all bits of a number are set, or none. */
typedef int32_t NN__(i4) __attribute__((vector_size(16)));
typedef uint32_t NN__(u4) __attribute__((vector_size(16)));
typedef uint64_t NN__(u2) __attribute__((vector_size(16)));
typedef uint16_t NN__(four_u16) __attribute__((vector_size(8)));
typedef int8_t NN__(four_i8) __attribute__((vector_size(4)));
typedef struct NN__(v) { NN__(f4) a, b; } NN__(v);
typedef struct NN__(vi) { NN__(i4) a, b; } NN__(vi);
typedef NN__(vi) NN__(vm);

NN__OP NN__F32 NN__(halves)(NN__(f4) a, NN__(f4) b) {
    NN__F32 v;
    v.a = a, v.b = b;
    return v;
}
NN__OP NN__I32 NN__(int_halves)(NN__(i4) a, NN__(i4) b) {
    NN__I32 v;
    v.a = a, v.b = b;
    return v;
}
/* Defines an operation of one vector, and of two, by a function or a macro for four numbers. */
#define NN__UNARY(name, made, result, type, f) \
    NN__OP result NN__(name)(type x) { return NN__(made)(f(x.a), f(x.b)); }
#define NN__BINARY(name, made, result, type, f) \
    NN__OP result NN__(name)(type x, type y) { return NN__(made)(f(x.a, y.a), f(x.b, y.b)); }
/* Defines an operation that computes number i by `formula`. Compilers have no vector form of it. */
#define NN__EACH(name, result, parameters, formula)        \
    NN__OP result NN__(name) parameters {                  \
        result v;                                          \
        for (int i = 0; i < 4; i++) v.a[i] = formula;      \
        for (int i = 4; i < 8; i++) v.b[i - 4] = formula;  \
        return v;                                          \
    }
#if defined(__clang__) || __GNUC__ >= 12
#define NN__SHUFFLE(x, y, p, q, r, s) __builtin_shufflevector(x, y, p, q, r, s)
#else
#define NN__SHUFFLE(x, y, p, q, r, s) __builtin_shuffle(x, y, (NN__(i4)){p, q, r, s})
#endif

NN__OP NN__(f4) NN__(all4)(float number) {
    const NN__(f4) v = {number, number, number, number};
    return v;
}
NN__OP NN__(i4) NN__(int_all4)(int32_t number) {
    const NN__(i4) v = {number, number, number, number};
    return v;
}
NN__OP NN__F32 NN__(all)(float number) {
    const NN__(f4) v = NN__(all4)(number);
    return NN__(halves)(v, v);
}
NN__OP NN__F32 NN__(load)(const float *x) {
    NN__F32 v;
    memcpy(&v.a, x, sizeof v.a);
    memcpy(&v.b, x + 4, sizeof v.b);
    return v;
}
NN__OP NN__F32 NN__(load_once)(const float *x) { return NN__(load)(x); }
NN__OP void NN__(store)(float *y, NN__F32 v) {
    memcpy(y, &v.a, sizeof v.a);
    memcpy(y + 4, &v.b, sizeof v.b);
}
NN__OP void NN__(stream)(float *y, NN__F32 v) { NN__(store)(y, v); }
/* Loads the first n numbers of four, for any n, without a copy in memory. */
NN__OP NN__(f4) NN__(load_some4)(const float *x, int n, float filler) {
    NN__(f4) v;
    if (n >= 4) memcpy(&v, x, sizeof v);
    else {
        const NN__(f4) some = {n > 0 ? x[0] : filler, n > 1 ? x[1] : filler,
                               n > 2 ? x[2] : filler, filler};
        v = some;
    }
    return v;
}
NN__OP void NN__(store_some4)(float *y, int n, NN__(f4) v) {
    if (n >= 4) memcpy(y, &v, sizeof v);
    else {
        if (n > 0) y[0] = v[0];
        if (n > 1) y[1] = v[1];
        if (n > 2) y[2] = v[2];
    }
}
NN__OP NN__F32 NN__(load_some)(const float *x, int n, float filler) {
    const NN__(f4) a = NN__(load_some4)(x, n, filler);
    return NN__(halves)(a, NN__(load_some4)(x + (n > 4 ? 4 : 0), n - 4, filler));
}
NN__OP void NN__(store_some)(float *y, int n, NN__F32 v) {
    NN__(store_some4)(y, n, v.a);
    if (n > 4) NN__(store_some4)(y + 4, n - 4, v.b);
}
NN__INLINE void NN__(ahead)(const void *x) { __builtin_prefetch(x); }

#define NN__X(x, y) ((x) + (y))
NN__BINARY(add, halves, NN__F32, NN__F32, NN__X)
#undef NN__X
#define NN__X(x, y) ((x) - (y))
NN__BINARY(sub, halves, NN__F32, NN__F32, NN__X)
#undef NN__X
#define NN__X(x, y) ((x) * (y))
NN__BINARY(mul, halves, NN__F32, NN__F32, NN__X)
#undef NN__X
#define NN__X(x, y) ((x) / (y))
NN__BINARY(div, halves, NN__F32, NN__F32, NN__X)
#undef NN__X
NN__OP NN__F32 NN__(fma)(NN__F32 x, NN__F32 y, NN__F32 z) {
    return NN__(halves)(x.a * y.a + z.a, x.b * y.b + z.b);
}
NN__OP NN__F32 NN__(fnma)(NN__F32 x, NN__F32 y, NN__F32 z) {
    return NN__(halves)(z.a - x.a * y.a, z.b - x.b * y.b);
}
#ifdef __SSE2__
NN__UNARY(sqrt, halves, NN__F32, NN__F32, _mm_sqrt_ps)
#elif defined(__aarch64__) && !defined(NN_NO_SIMD)
NN__UNARY(sqrt, halves, NN__F32, NN__F32, vsqrtq_f32)
#elif defined(__wasm_simd128__)
NN__UNARY(sqrt, halves, NN__F32, NN__F32, wasm_f32x4_sqrt)
#else
NN__EACH(sqrt, NN__F32, (NN__F32 x), sqrtf(i < 4 ? x.a[i] : x.b[i - 4]))
#endif
/* From 2^23 on all numbers are whole. NaN and the sign of 0 stay. */
NN__OP NN__(f4) NN__(whole4)(NN__(f4) x, NN__(f4) whole) {
    const NN__(i4) size = (NN__(i4))x & 0x7fffffff, less = (NN__(i4))(size < 0x4b000000);
    const NN__(i4) rounded = ((NN__(i4))whole & 0x7fffffff) | ((NN__(i4))x & ~0x7fffffff);
    return (NN__(f4))((less & rounded) | (~less & (NN__(i4))x));
}
NN__OP NN__(f4) NN__(floor4)(NN__(f4) x) {
    const NN__(i4) less = (NN__(i4))(((NN__(i4))x & 0x7fffffff) < 0x4b000000);
    const NN__(f4) some = (NN__(f4))(less & (NN__(i4))x);
    const NN__(f4) cut = __builtin_convertvector(__builtin_convertvector(some, NN__(i4)), NN__(f4));
    const NN__(i4) above = (NN__(i4))(cut > some) & (NN__(i4))NN__(all4)(1.0f);
    return NN__(whole4)(x, cut - (NN__(f4))above);
}
NN__OP NN__(f4) NN__(round4)(NN__(f4) x) {
    const NN__(f4) shift = NN__(all4)(8388608.0f);
    const NN__(f4) size = (NN__(f4))((NN__(i4))x & 0x7fffffff);
    return NN__(whole4)(x, (size + shift) - shift);
}
NN__UNARY(floor, halves, NN__F32, NN__F32, NN__(floor4))
NN__UNARY(round, halves, NN__F32, NN__F32, NN__(round4))

#define NN__X(x, y) ((NN__(i4))((x) < (y)))
NN__BINARY(less, int_halves, NN__B32, NN__F32, NN__X)
NN__BINARY(int_less, int_halves, NN__B32, NN__I32, NN__X)
#undef NN__X
#define NN__X(x, y) ((NN__(i4))((x) <= (y)))
NN__BINARY(less_equal, int_halves, NN__B32, NN__F32, NN__X)
#undef NN__X
#define NN__X(x, y) ((NN__(i4))((x) == (y)))
NN__BINARY(equal, int_halves, NN__B32, NN__F32, NN__X)
NN__BINARY(int_equal, int_halves, NN__B32, NN__I32, NN__X)
#undef NN__X
#define NN__X(x, y) ((NN__(i4))((x) != (x)) | (NN__(i4))((y) != (y)))
NN__BINARY(unordered, int_halves, NN__B32, NN__F32, NN__X)
#undef NN__X
#define NN__X(x, y) ((x) & (y))
NN__BINARY(both, int_halves, NN__B32, NN__B32, NN__X)
NN__BINARY(int_and, int_halves, NN__I32, NN__I32, NN__X)
#undef NN__X
#define NN__X(x, y) ((x) | (y))
NN__BINARY(either, int_halves, NN__B32, NN__B32, NN__X)
NN__BINARY(int_or, int_halves, NN__I32, NN__I32, NN__X)
#undef NN__X
#define NN__X(x, y) ((x) ^ (y))
NN__BINARY(int_xor, int_halves, NN__I32, NN__I32, NN__X)
#undef NN__X
#define NN__X(x, y) ((NN__(i4))((NN__(u4))(x) + (NN__(u4))(y)))
NN__BINARY(int_add, int_halves, NN__I32, NN__I32, NN__X)
#undef NN__X
#define NN__X(x, y) ((NN__(i4))((NN__(u4))(x) - (NN__(u4))(y)))
NN__BINARY(int_sub, int_halves, NN__I32, NN__I32, NN__X)
#undef NN__X
NN__OP NN__B32 NN__(none)(void) {
    const NN__(i4) v = {0, 0, 0, 0};
    return NN__(int_halves)(v, v);
}
NN__OP NN__B32 NN__(not)(NN__B32 x) { return NN__(int_halves)(~x.a, ~x.b); }
NN__OP bool NN__(any)(NN__B32 x) {
    const NN__(u2) bits = (NN__(u2))(x.a | x.b);
    return (bits[0] | bits[1]) != 0;
}
#define NN__PICK(where, x, y) (((where) & (x)) | (~(where) & (y)))
NN__OP NN__I32 NN__(int_pick)(NN__B32 where, NN__I32 x, NN__I32 y) {
    return NN__(int_halves)(NN__PICK(where.a, x.a, y.a), NN__PICK(where.b, x.b, y.b));
}
NN__OP NN__I32 NN__(bits)(NN__F32 x) {
    return NN__(int_halves)((NN__(i4))x.a, (NN__(i4))x.b);
}
NN__OP NN__F32 NN__(of_bits)(NN__I32 x) { return NN__(halves)((NN__(f4))x.a, (NN__(f4))x.b); }
NN__OP NN__F32 NN__(pick)(NN__B32 where, NN__F32 x, NN__F32 y) {
    return NN__(of_bits)(NN__(int_pick)(where, NN__(bits)(x), NN__(bits)(y)));
}
NN__OP NN__F32 NN__(keep)(NN__B32 where, NN__F32 x) {
    return NN__(of_bits)(NN__(int_and)(where, NN__(bits)(x)));
}
NN__OP NN__F32 NN__(drop)(NN__B32 where, NN__F32 x) {
    return NN__(of_bits)(NN__(int_and)(NN__(not)(where), NN__(bits)(x)));
}
/* These return the second number unless the first is smaller (or larger, for `larger`), as the
   instructions of x86 do. */
#ifdef __SSE2__
NN__BINARY(smaller, halves, NN__F32, NN__F32, _mm_min_ps)
NN__BINARY(larger, halves, NN__F32, NN__F32, _mm_max_ps)
#else
NN__OP NN__F32 NN__(smaller)(NN__F32 x, NN__F32 y) { return NN__(pick)(NN__(less)(x, y), x, y); }
NN__OP NN__F32 NN__(larger)(NN__F32 x, NN__F32 y) { return NN__(pick)(NN__(less)(y, x), x, y); }
#endif

NN__OP NN__I32 NN__(int_all)(int32_t number) {
    const NN__(i4) v = NN__(int_all4)(number);
    return NN__(int_halves)(v, v);
}
NN__OP NN__I32 NN__(int_load)(const int32_t *x) {
    NN__I32 v;
    memcpy(&v.a, x, sizeof v.a);
    memcpy(&v.b, x + 4, sizeof v.b);
    return v;
}
NN__OP void NN__(int_store)(int32_t *y, NN__I32 v) {
    memcpy(y, &v.a, sizeof v.a);
    memcpy(y + 4, &v.b, sizeof v.b);
}
NN__OP NN__I32 NN__(int_load_some)(const int32_t *x, int n) {
    int32_t some[8] = {0};
    for (int i = 0; i < n; i++) some[i] = x[i];
    return NN__(int_load)(some);
}
NN__OP void NN__(int_store_some)(int32_t *y, int n, NN__I32 v) {
    int32_t some[8];
    NN__(int_store)(some, v);
    for (int i = 0; i < n; i++) y[i] = some[i];
}
NN__OP NN__I32 NN__(int_lanes)(void) {
    const NN__(i4) a = {0, 1, 2, 3}, b = {4, 5, 6, 7};
    return NN__(int_halves)(a, b);
}
#ifdef __SSE2__
NN__OP NN__(i4) NN__(int_product4)(NN__(i4) x, NN__(i4) y, NN__(i4) *high) {
    const NN__(i4) x_odd = NN__SHUFFLE(x, x, 1, 1, 3, 3), y_odd = NN__SHUFFLE(y, y, 1, 1, 3, 3);
    const NN__(i4) even = (NN__(i4))_mm_mul_epu32((__m128i)x, (__m128i)y),
                   odd = (NN__(i4))_mm_mul_epu32((__m128i)x_odd, (__m128i)y_odd);
    *high = NN__SHUFFLE(even, odd, 1, 5, 3, 7);
    return NN__SHUFFLE(even, odd, 0, 4, 2, 6);
}
#else
NN__OP NN__(i4) NN__(int_product4)(NN__(i4) x, NN__(i4) y, NN__(i4) *high) {
    NN__(i4) low;
    for (int i = 0; i < 4; i++) {
        const uint64_t product = (uint64_t)(uint32_t)x[i] * (uint32_t)y[i];
        low[i] = (int32_t)(uint32_t)product;
        (*high)[i] = (int32_t)(uint32_t)(product >> 32);
    }
    return low;
}
#endif
NN__OP NN__I32 NN__(int_product)(NN__I32 x, NN__I32 y, NN__I32 *high) {
    const NN__(i4) a = NN__(int_product4)(x.a, y.a, &high->a);
    return NN__(int_halves)(a, NN__(int_product4)(x.b, y.b, &high->b));
}
NN__OP NN__I32 NN__(int_left)(NN__I32 x, int bits) {
    return NN__(int_halves)((NN__(i4))((NN__(u4))x.a << bits), (NN__(i4))((NN__(u4))x.b << bits));
}
NN__OP NN__I32 NN__(int_right)(NN__I32 x, int bits) {
    return NN__(int_halves)((NN__(i4))((NN__(u4))x.a >> bits), (NN__(i4))((NN__(u4))x.b >> bits));
}
NN__OP NN__F32 NN__(from_int)(NN__I32 x) {
    return NN__(halves)(__builtin_convertvector(x.a, NN__(f4)),
                        __builtin_convertvector(x.b, NN__(f4)));
}
NN__OP NN__I32 NN__(to_int)(NN__F32 x) { /* a NaN becomes 0 */
    const NN__F32 v = NN__(keep)(NN__(equal)(x, x), x);
    return NN__(int_halves)(__builtin_convertvector(v.a, NN__(i4)),
                            __builtin_convertvector(v.b, NN__(i4)));
}
NN__OP NN__F32 NN__(with_sign)(NN__F32 x, NN__F32 y) {
    const NN__I32 size = NN__(int_all)(0x7fffffff);
    return NN__(of_bits)(NN__(int_pick)(size, NN__(bits)(x), NN__(bits)(y)));
}

NN__OP float NN__(sum)(NN__F32 x) {
    const NN__(f4) four = x.a + x.b, two = four + NN__SHUFFLE(four, four, 2, 3, 0, 1);
    return two[0] + two[1];
}
/* Reduces a vector to one number by joining its halves, in the order of the sums. */
#define NN__JOIN(name, choose)                                                                 \
    NN__OP float NN__(name)(NN__F32 x) {                                                       \
        NN__F32 v = NN__(choose)(x, NN__(halves)(x.b, x.a));                                   \
        v = NN__(choose)(v, NN__(halves)(NN__SHUFFLE(v.a, v.a, 2, 3, 0, 1), v.b));             \
        return NN__(choose)(v, NN__(halves)(NN__SHUFFLE(v.a, v.a, 1, 0, 3, 2), v.b)).a[0];     \
    }
NN__JOIN(largest, larger)
NN__JOIN(smallest, smaller)
#undef NN__JOIN
NN__EACH(gather, NN__F32, (const float *x, NN__I32 at), x[i < 4 ? at.a[i] : at.b[i - 4]])
NN__OP NN__F32 NN__(look_up8)(const float *table, NN__I32 at) { return NN__(gather)(table, at); }
NN__OP NN__F32 NN__(evens)(NN__F32 x, NN__F32 y) {
    return NN__(halves)(NN__SHUFFLE(x.a, x.b, 0, 2, 4, 6), NN__SHUFFLE(y.a, y.b, 0, 2, 4, 6));
}
NN__OP NN__F32 NN__(odds)(NN__F32 x, NN__F32 y) {
    return NN__(halves)(NN__SHUFFLE(x.a, x.b, 1, 3, 5, 7), NN__SHUFFLE(y.a, y.b, 1, 3, 5, 7));
}
NN__OP NN__F32 NN__(zip_low)(NN__F32 x, NN__F32 y) {
    return NN__(halves)(NN__SHUFFLE(x.a, y.a, 0, 4, 1, 5), NN__SHUFFLE(x.a, y.a, 2, 6, 3, 7));
}
NN__OP NN__F32 NN__(zip_high)(NN__F32 x, NN__F32 y) {
    return NN__(halves)(NN__SHUFFLE(x.b, y.b, 0, 4, 1, 5), NN__SHUFFLE(x.b, y.b, 2, 6, 3, 7));
}
NN__OP NN__F32 NN__(before)(NN__F32 x, NN__F32 y) {
    return NN__(halves)(NN__SHUFFLE(x.b, y.a, 3, 4, 5, 6), NN__SHUFFLE(y.a, y.b, 3, 4, 5, 6));
}
NN__OP NN__F32 NN__(after)(NN__F32 x, NN__F32 y) {
    return NN__(halves)(NN__SHUFFLE(x.a, x.b, 1, 2, 3, 4), NN__SHUFFLE(x.b, y.a, 1, 2, 3, 4));
}
NN__OP NN__F32 NN__(permute)(NN__F32 x, NN__I32 at) {
    float some[16] = {0};
    NN__(store)(some, x);
    return NN__(gather)(some, at);
}
NN__OP NN__F32 NN__(pairs)(NN__F32 x, NN__F32 y) {
    return NN__(add)(NN__(evens)(x, y), NN__(odds)(x, y));
}
/* Transposes four rows of four numbers. part: x has only `high` rows and `wide` columns. */
NN__INLINE void NN__(transpose4)(float *y, ptrdiff_t y_row, int high, const float *x,
                                 ptrdiff_t x_row, int wide, const bool part) {
#define NN__ROW_OF(i) NN__(load_some4)(x + ((i) < high ? (i) : 0) * x_row, part ? wide : 4, 0.0f)
#define NN__COLUMN(l, v) \
    if (!part || wide > (l)) NN__(store_some4)(y + (l) * y_row, part ? high : 4, v)
    const NN__(f4) a = NN__ROW_OF(0), b = NN__ROW_OF(1), c = NN__ROW_OF(2), d = NN__ROW_OF(3);
    const NN__(f4) p = NN__SHUFFLE(a, c, 0, 4, 1, 5), q = NN__SHUFFLE(a, c, 2, 6, 3, 7),
                   r = NN__SHUFFLE(b, d, 0, 4, 1, 5), s = NN__SHUFFLE(b, d, 2, 6, 3, 7);
    NN__COLUMN(0, NN__SHUFFLE(p, r, 0, 4, 1, 5));
    NN__COLUMN(1, NN__SHUFFLE(p, r, 2, 6, 3, 7));
    NN__COLUMN(2, NN__SHUFFLE(q, s, 0, 4, 1, 5));
    NN__COLUMN(3, NN__SHUFFLE(q, s, 2, 6, 3, 7));
#undef NN__ROW_OF
#undef NN__COLUMN
}
NN__INLINE void NN__(transpose_four)(float *y, ptrdiff_t y_row, int high, const float *x,
                                     ptrdiff_t x_row, int wide, const bool part) {
    NN__(transpose4)(y, y_row, high, x, x_row, wide, part);
    if (!part || high > 4)
        NN__(transpose4)(y + 4, y_row, high - 4, x + 4 * x_row, x_row, wide, part);
}

NN__OP NN__(i4) NN__(load4_i8)(const int8_t *x) {
    NN__(four_i8) four;
    memcpy(&four, x, sizeof four);
    return __builtin_convertvector(four, NN__(i4));
}
NN__OP NN__I32 NN__(int_load_i8)(const int8_t *x) {
    return NN__(int_halves)(NN__(load4_i8)(x), NN__(load4_i8)(x + 4));
}
NN__OP NN__F32 NN__(load_i8)(const int8_t *x) { return NN__(from_int)(NN__(int_load_i8)(x)); }
NN__OP NN__I32 NN__(int_load_u8)(const uint8_t *x) {
    return NN__(int_and)(NN__(int_load_i8)((const int8_t *)x), NN__(int_all)(255));
}
NN__OP void NN__(int_store_u8)(uint8_t *y, NN__I32 v) {
    const NN__(four_i8) a = __builtin_convertvector(v.a, NN__(four_i8)),
                        b = __builtin_convertvector(v.b, NN__(four_i8));
    memcpy(y, &a, sizeof a);
    memcpy(y + 4, &b, sizeof b);
}
NN__OP int NN__(int_pack)(int32_t *y, NN__B32 where, NN__I32 v) {
    int n = 0;
    for (int i = 0; i < 4; i++) y[n] = v.a[i], n -= where.a[i];
    for (int i = 0; i < 4; i++) y[n] = v.b[i], n -= where.b[i];
    return n;
}
NN__OP int NN__(pack)(float *y, NN__B32 where, NN__F32 v) {
    int n = 0;
    for (int i = 0; i < 4; i++) y[n] = v.a[i], n -= where.a[i];
    for (int i = 0; i < 4; i++) y[n] = v.b[i], n -= where.b[i];
    return n;
}
NN__OP NN__(i4) NN__(load4_bits16)(const uint16_t *x) {
    NN__(four_u16) four;
    memcpy(&four, x, sizeof four);
    return (NN__(i4))__builtin_convertvector(four, NN__(u4));
}
NN__OP NN__F32 NN__(load_bf16)(const uint16_t *x) {
    return NN__(halves)((NN__(f4))(NN__(load4_bits16)(x) << 16),
                        (NN__(f4))(NN__(load4_bits16)(x + 4) << 16));
}
/* Shifts the bits to their places in f32 and multiplies by 2^112; infinity and NaN follow. */
NN__OP NN__(f4) NN__(load4_f16)(const uint16_t *x) {
    const NN__(i4) half = NN__(load4_bits16)(x), size = half & 0x7fff;
    const NN__(f4) value = (NN__(f4))(size << 13) * NN__(all4)(5.192296858534828e33f);
    const NN__(i4) ends = (NN__(i4))(size >= 0x7c00) & 0x7f800000;
    const NN__(i4) quiet = (NN__(i4))(size > 0x7c00) & 0x400000;
    return (NN__(f4))((NN__(i4))value | ends | quiet | (half & 0x8000) << 16);
}
NN__OP NN__F32 NN__(load_f16)(const uint16_t *x) {
    return NN__(halves)(NN__(load4_f16)(x), NN__(load4_f16)(x + 4));
}
NN__OP void NN__(store4_bf16)(uint16_t *y, NN__(f4) v) {
    const NN__(u4) bits = (NN__(u4))v, high = bits >> 16;
    const NN__(u4) nearest = (bits + (high & 1) + 0x7fff) >> 16, number = (NN__(u4))(v == v);
    const NN__(four_u16) four =
        __builtin_convertvector(NN__PICK(number, nearest, high | 0x40), NN__(four_u16));
    memcpy(y, &four, sizeof four);
}
NN__OP void NN__(store_bf16)(uint16_t *y, NN__F32 v) {
    NN__(store4_bf16)(y, v.a);
    NN__(store4_bf16)(y + 4, v.b);
}
#undef NN__SHUFFLE
#undef NN__PICK
#undef NN__UNARY
#undef NN__BINARY
#undef NN__EACH
#endif
