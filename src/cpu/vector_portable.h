/* cpu/vector_portable.h - the operations of cpu/vector.h for portable bytes, on every processor:
   eight numbers in the vector types of gcc and clang, which those compilers map to the vectors of
   the processor. No product is fused with a sum, and sums over the lanes have one order, so all
   processors compute the same bytes. For AVX2, cpu/vector_avx2.h does the same faster. */
#ifdef NN__SET_PORTABLE
#define NN__LANES     8
#define NN__REGISTERS 16
typedef float NN__(v) __attribute__((vector_size(32)));
typedef int32_t NN__(vi) __attribute__((vector_size(32)));
typedef int32_t NN__(vm) __attribute__((vector_size(32))); /* all bits of a lane, or none */
typedef uint32_t NN__(bits32) __attribute__((vector_size(32)));
typedef uint16_t NN__(bits16) __attribute__((vector_size(16)));
typedef int8_t NN__(bytes8) __attribute__((vector_size(8)));

/* Defines an operation that computes lane i by `formula`. Compilers have no vector form of it. */
#define NN__EACH(name, type, parameters, formula)          \
    NN__OP type NN__(name) parameters {                    \
        type v;                                            \
        for (int i = 0; i < 8; i++) v[i] = formula;        \
        return v;                                          \
    }
#if defined(__clang__) || __GNUC__ >= 12
#define NN__SHUFFLE(a, b, p, q, r, s, t, u, v, w) \
    __builtin_shufflevector(a, b, p, q, r, s, t, u, v, w)
#else
#define NN__SHUFFLE(a, b, p, q, r, s, t, u, v, w) \
    __builtin_shuffle(a, b, (NN__I32){p, q, r, s, t, u, v, w})
#endif

NN__OP NN__F32 NN__(all)(float number) {
    const NN__F32 v = {number, number, number, number, number, number, number, number};
    return v;
}
NN__OP NN__F32 NN__(load)(const float *x) {
    NN__F32 v;
    memcpy(&v, x, sizeof v);
    return v;
}
NN__OP NN__F32 NN__(load_once)(const float *x) { return NN__(load)(x); }
NN__OP void NN__(store)(float *y, NN__F32 v) { memcpy(y, &v, sizeof v); }
NN__OP void NN__(stream)(float *y, NN__F32 v) { memcpy(y, &v, sizeof v); }
NN__OP NN__F32 NN__(load_some)(const float *x, int n, float filler) {
    float some[8] = {filler, filler, filler, filler, filler, filler, filler, filler};
    for (int i = 0; i < n; i++) some[i] = x[i];
    return NN__(load)(some);
}
NN__OP void NN__(store_some)(float *y, int n, NN__F32 v) {
    float some[8];
    NN__(store)(some, v);
    for (int i = 0; i < n; i++) y[i] = some[i];
}
NN__INLINE void NN__(ahead)(const void *x) { __builtin_prefetch(x); }

NN__OP NN__F32 NN__(add)(NN__F32 a, NN__F32 b) { return a + b; }
NN__OP NN__F32 NN__(sub)(NN__F32 a, NN__F32 b) { return a - b; }
NN__OP NN__F32 NN__(mul)(NN__F32 a, NN__F32 b) { return a * b; }
NN__OP NN__F32 NN__(div)(NN__F32 a, NN__F32 b) { return a / b; }
NN__OP NN__F32 NN__(fma)(NN__F32 a, NN__F32 b, NN__F32 c) { return a * b + c; }
NN__OP NN__F32 NN__(fnma)(NN__F32 a, NN__F32 b, NN__F32 c) { return c - a * b; }
NN__EACH(sqrt, NN__F32, (NN__F32 a), sqrtf(a[i]))
NN__EACH(floor, NN__F32, (NN__F32 a), floorf(a[i]))
NN__EACH(round, NN__F32, (NN__F32 a), rintf(a[i]))

NN__OP NN__B32 NN__(less)(NN__F32 a, NN__F32 b) { return (NN__B32)(a < b); }
NN__OP NN__B32 NN__(less_equal)(NN__F32 a, NN__F32 b) { return (NN__B32)(a <= b); }
NN__OP NN__B32 NN__(equal)(NN__F32 a, NN__F32 b) { return (NN__B32)(a == b); }
NN__OP NN__B32 NN__(unordered)(NN__F32 a, NN__F32 b) { return (NN__B32)((a != a) | (b != b)); }
NN__OP NN__B32 NN__(none)(void) {
    const NN__B32 mask = {0, 0, 0, 0, 0, 0, 0, 0};
    return mask;
}
NN__OP NN__B32 NN__(both)(NN__B32 a, NN__B32 b) { return a & b; }
NN__OP NN__B32 NN__(either)(NN__B32 a, NN__B32 b) { return a | b; }
NN__OP NN__B32 NN__(not)(NN__B32 a) { return ~a; }
NN__OP bool NN__(any)(NN__B32 a) {
    return (a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7]) != 0;
}
NN__OP NN__I32 NN__(int_pick)(NN__B32 where, NN__I32 a, NN__I32 b) {
    return (where & a) | (~where & b);
}
NN__OP NN__F32 NN__(pick)(NN__B32 where, NN__F32 a, NN__F32 b) {
    return (NN__F32)NN__(int_pick)(where, (NN__I32)a, (NN__I32)b);
}
NN__OP NN__F32 NN__(keep)(NN__B32 where, NN__F32 a) { return (NN__F32)(where & (NN__I32)a); }
NN__OP NN__F32 NN__(drop)(NN__B32 where, NN__F32 a) { return (NN__F32)(~where & (NN__I32)a); }
NN__OP NN__F32 NN__(smaller)(NN__F32 a, NN__F32 b) { return NN__(pick)(NN__(less)(a, b), a, b); }
NN__OP NN__F32 NN__(larger)(NN__F32 a, NN__F32 b) { return NN__(pick)(NN__(less)(b, a), a, b); }

NN__OP NN__I32 NN__(int_all)(int32_t number) {
    const NN__I32 v = {number, number, number, number, number, number, number, number};
    return v;
}
NN__OP NN__I32 NN__(int_load)(const int32_t *x) {
    NN__I32 v;
    memcpy(&v, x, sizeof v);
    return v;
}
NN__OP void NN__(int_store)(int32_t *y, NN__I32 v) { memcpy(y, &v, sizeof v); }
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
    const NN__I32 v = {0, 1, 2, 3, 4, 5, 6, 7};
    return v;
}
NN__OP NN__I32 NN__(int_add)(NN__I32 a, NN__I32 b) {
    return (NN__I32)((NN__(bits32))a + (NN__(bits32))b);
}
NN__OP NN__I32 NN__(int_sub)(NN__I32 a, NN__I32 b) {
    return (NN__I32)((NN__(bits32))a - (NN__(bits32))b);
}
NN__OP NN__I32 NN__(int_product)(NN__I32 a, NN__I32 b, NN__I32 *high) {
    NN__I32 low;
    for (int i = 0; i < 8; i++) {
        const uint64_t product = (uint64_t)(uint32_t)a[i] * (uint32_t)b[i];
        low[i] = (int32_t)(uint32_t)product;
        (*high)[i] = (int32_t)(uint32_t)(product >> 32);
    }
    return low;
}
NN__OP NN__I32 NN__(int_and)(NN__I32 a, NN__I32 b) { return a & b; }
NN__OP NN__I32 NN__(int_or)(NN__I32 a, NN__I32 b) { return a | b; }
NN__OP NN__I32 NN__(int_xor)(NN__I32 a, NN__I32 b) { return a ^ b; }
NN__OP NN__I32 NN__(int_left)(NN__I32 a, int bits) {
    return (NN__I32)((NN__(bits32))a << (NN__(bits32))NN__(int_all)(bits));
}
NN__OP NN__I32 NN__(int_right)(NN__I32 a, int bits) {
    return (NN__I32)((NN__(bits32))a >> (NN__(bits32))NN__(int_all)(bits));
}
NN__OP NN__B32 NN__(int_equal)(NN__I32 a, NN__I32 b) { return (NN__B32)(a == b); }
NN__OP NN__B32 NN__(int_less)(NN__I32 a, NN__I32 b) { return (NN__B32)(a < b); }
NN__OP NN__F32 NN__(from_int)(NN__I32 a) { return __builtin_convertvector(a, NN__F32); }
NN__OP NN__I32 NN__(to_int)(NN__F32 a) { /* a NaN becomes 0 */
    return __builtin_convertvector(NN__(keep)(NN__(equal)(a, a), a), NN__I32);
}
NN__OP NN__I32 NN__(bits)(NN__F32 a) { return (NN__I32)a; }
NN__OP NN__F32 NN__(of_bits)(NN__I32 a) { return (NN__F32)a; }
NN__OP NN__F32 NN__(with_sign)(NN__F32 a, NN__F32 b) {
    const NN__I32 size = NN__(int_all)(0x7fffffff);
    return (NN__F32)(((NN__I32)a & size) | ((NN__I32)b & ~size));
}

NN__OP float NN__(sum)(NN__F32 a) {
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}
/* Reduces a vector to one number by joining its halves, in the order of the sums. */
#define NN__JOIN(name, choose)                                                            \
    NN__OP float NN__(name)(NN__F32 a) {                                                  \
        NN__F32 b = NN__(choose)(a, NN__SHUFFLE(a, a, 4, 5, 6, 7, 0, 1, 2, 3));           \
        b = NN__(choose)(b, NN__SHUFFLE(b, b, 2, 3, 0, 1, 6, 7, 4, 5));                   \
        b = NN__(choose)(b, NN__SHUFFLE(b, b, 1, 0, 3, 2, 5, 4, 7, 6));                   \
        return b[0];                                                                      \
    }
NN__JOIN(largest, larger)
NN__JOIN(smallest, smaller)
#undef NN__JOIN
NN__EACH(gather, NN__F32, (const float *x, NN__I32 at), x[at[i]])
NN__EACH(look_up8, NN__F32, (const float *table, NN__I32 at), table[at[i]])
NN__OP NN__F32 NN__(evens)(NN__F32 a, NN__F32 b) {
    return NN__SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
}
NN__OP NN__F32 NN__(odds)(NN__F32 a, NN__F32 b) {
    return NN__SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}
NN__OP NN__F32 NN__(zip_low)(NN__F32 a, NN__F32 b) {
    return NN__SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
NN__OP NN__F32 NN__(zip_high)(NN__F32 a, NN__F32 b) {
    return NN__SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
NN__OP NN__F32 NN__(before)(NN__F32 a, NN__F32 b) {
    return NN__SHUFFLE(a, b, 7, 8, 9, 10, 11, 12, 13, 14);
}
NN__OP NN__F32 NN__(after)(NN__F32 a, NN__F32 b) {
    return NN__SHUFFLE(a, b, 1, 2, 3, 4, 5, 6, 7, 8);
}
NN__OP NN__F32 NN__(permute)(NN__F32 a, NN__I32 at) {
    float some[16] = {0};
    NN__F32 v;
    NN__(store)(some, a);
    for (int i = 0; i < 8; i++) v[i] = some[at[i]];
    return v;
}
NN__OP NN__F32 NN__(pairs)(NN__F32 a, NN__F32 b) { return NN__(evens)(a, b) + NN__(odds)(a, b); }
NN__OP void NN__(transpose_four)(float *y, ptrdiff_t y_row, int high, const float *x,
                                 ptrdiff_t x_row, int wide, bool part) {
    if (!part) high = 8, wide = 4;
    for (int l = 0; l < wide; l++)
        for (int i = 0; i < high; i++) y[l * y_row + i] = x[i * x_row + l];
}

NN__OP NN__F32 NN__(load_i8)(const int8_t *x) {
    NN__(bytes8) eight;
    memcpy(&eight, x, sizeof eight);
    return __builtin_convertvector(__builtin_convertvector(eight, NN__I32), NN__F32);
}
NN__EACH(int_load_u8, NN__I32, (const uint8_t *x), x[i])
NN__OP void NN__(int_store_u8)(uint8_t *y, NN__I32 v) {
    const NN__(bytes8) eight = __builtin_convertvector(v, NN__(bytes8));
    memcpy(y, &eight, sizeof eight);
}
NN__OP int NN__(pack)(float *y, NN__B32 where, NN__F32 v) {
    int n = 0;
    for (int i = 0; i < 8; i++) {
        y[n] = v[i];
        n -= where[i];
    }
    return n;
}
NN__OP int NN__(int_pack)(int32_t *y, NN__B32 where, NN__I32 v) {
    int n = 0;
    for (int i = 0; i < 8; i++) {
        y[n] = v[i];
        n -= where[i];
    }
    return n;
}
NN__OP NN__I32 NN__(load_bits16)(const uint16_t *x) {
    NN__(bits16) eight;
    memcpy(&eight, x, sizeof eight);
    return (NN__I32)__builtin_convertvector(eight, NN__(bits32));
}
NN__OP NN__F32 NN__(load_bf16)(const uint16_t *x) {
    return (NN__F32)NN__(int_left)(NN__(load_bits16)(x), 16);
}
NN__OP NN__F32 NN__(load_f16)(const uint16_t *x) {
    const NN__I32 half = NN__(load_bits16)(x), size = half & NN__(int_all)(0x7fff);
    /* shifts the bits to their places in f32 and multiplies by 2^112; infinity and NaN follow */
    const NN__F32 value = (NN__F32)NN__(int_left)(size, 13) * NN__(all)(5.192296858534828e33f);
    const NN__I32 ends = (NN__I32)(size >= NN__(int_all)(0x7c00)) & NN__(int_all)(0x7f800000);
    const NN__I32 quiet = (NN__I32)(size > NN__(int_all)(0x7c00)) & NN__(int_all)(0x400000);
    const NN__I32 sign = NN__(int_left)(half & NN__(int_all)(0x8000), 16);
    return (NN__F32)((NN__I32)value | ends | quiet | sign);
}
NN__OP void NN__(store_bf16)(uint16_t *y, NN__F32 v) {
    const NN__I32 bits = (NN__I32)v, high = NN__(int_right)(bits, 16);
    const NN__I32 more = NN__(int_add)(high & NN__(int_all)(1), NN__(int_all)(0x7fff));
    const NN__I32 nearest = NN__(int_right)(NN__(int_add)(bits, more), 16);
    const NN__I32 all = NN__(int_pick)((NN__B32)(v == v), nearest, high | NN__(int_all)(0x40));
    const NN__(bits16) eight = __builtin_convertvector((NN__(bits32))all, NN__(bits16));
    memcpy(y, &eight, sizeof eight);
}
#undef NN__SHUFFLE
#undef NN__EACH
#endif
