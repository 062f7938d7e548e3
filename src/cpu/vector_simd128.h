/* cpu/vector_simd128.h - the operations of cpu/vector.h with the vector types of gcc and clang:
   four numbers. It serves every processor with vectors of 128 bits that has no file of its own:
   WebAssembly, RISC-V, POWER, z and LoongArch. Where compilers do not find the best instruction,
   WebAssembly gets it by name. */
#ifdef NN__SET_SIMD128
typedef float NN__(v) __attribute__((vector_size(16)));
typedef int32_t NN__(vi) __attribute__((vector_size(16)));
typedef int32_t NN__(vm) __attribute__((vector_size(16))); /* all bits of a lane, or none */
typedef uint32_t NN__(bits32) __attribute__((vector_size(16)));
typedef uint16_t NN__(bits16) __attribute__((vector_size(8)));
typedef int8_t NN__(bytes4) __attribute__((vector_size(4)));

NN__OP NN__F32 NN__(all)(float number) {
    const NN__F32 v = {number, number, number, number};
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
    NN__F32 v = {filler, filler, filler, filler};
    if (n >= 4) return NN__(load)(x);
    if (n > 0) v[0] = x[0];
    if (n > 1) v[1] = x[1];
    if (n > 2) v[2] = x[2];
    return v;
}
NN__OP void NN__(store_some)(float *y, int n, NN__F32 v) {
    if (n >= 4) {
        NN__(store)(y, v);
        return;
    }
    if (n > 0) y[0] = v[0];
    if (n > 1) y[1] = v[1];
    if (n > 2) y[2] = v[2];
}
NN__INLINE void NN__(ahead)(const void *x) { __builtin_prefetch(x); }

NN__OP NN__F32 NN__(add)(NN__F32 a, NN__F32 b) { return a + b; }
NN__OP NN__F32 NN__(sub)(NN__F32 a, NN__F32 b) { return a - b; }
NN__OP NN__F32 NN__(mul)(NN__F32 a, NN__F32 b) { return a * b; }
NN__OP NN__F32 NN__(div)(NN__F32 a, NN__F32 b) { return a / b; }
#ifdef NN__RELAXED_FMA /* rounds once where the machine below the engine does, else twice */
NN__OP NN__F32 NN__(fma)(NN__F32 a, NN__F32 b, NN__F32 c) {
    return __builtin_wasm_relaxed_madd_f32x4(a, b, c);
}
NN__OP NN__F32 NN__(fnma)(NN__F32 a, NN__F32 b, NN__F32 c) {
    return __builtin_wasm_relaxed_nmadd_f32x4(a, b, c);
}
#else
NN__OP NN__F32 NN__(fma)(NN__F32 a, NN__F32 b, NN__F32 c) { return a * b + c; }
NN__OP NN__F32 NN__(fnma)(NN__F32 a, NN__F32 b, NN__F32 c) { return c - a * b; }
#endif
NN__OP NN__F32 NN__(sqrt)(NN__F32 a) {
#ifdef __wasm_simd128__
    return __builtin_wasm_sqrt_f32x4(a);
#else
    const NN__F32 v = {sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
    return v;
#endif
}

NN__OP NN__B32 NN__(less)(NN__F32 a, NN__F32 b) { return (NN__B32)(a < b); }
NN__OP NN__B32 NN__(less_equal)(NN__F32 a, NN__F32 b) { return (NN__B32)(a <= b); }
NN__OP NN__B32 NN__(equal)(NN__F32 a, NN__F32 b) { return (NN__B32)(a == b); }
NN__OP NN__B32 NN__(unordered)(NN__F32 a, NN__F32 b) { return (NN__B32)((a != a) | (b != b)); }
NN__OP NN__B32 NN__(none)(void) {
    const NN__B32 mask = {0, 0, 0, 0};
    return mask;
}
NN__OP bool NN__(any)(NN__B32 a) {
#ifdef __wasm_simd128__
    return wasm_v128_any_true((v128_t)a);
#else
    return (a[0] | a[1] | a[2] | a[3]) != 0;
#endif
}
#ifdef __wasm_simd128__
/* Masks use an instruction that compilers leave alone: clang 22 inverts comparisons, or joins two,
   without regard to NaN. */
NN__OP NN__I32 NN__(int_pick)(NN__B32 where, NN__I32 a, NN__I32 b) {
    return (NN__I32)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)where);
}
NN__OP NN__B32 NN__(both)(NN__B32 a, NN__B32 b) { return NN__(int_pick)(a, b, a); }
NN__OP NN__B32 NN__(either)(NN__B32 a, NN__B32 b) { return NN__(int_pick)(a, a, b); }
NN__OP NN__B32 NN__(not)(NN__B32 a) { return NN__(int_pick)(a, NN__(none)(), ~NN__(none)()); }
NN__OP NN__F32 NN__(drop)(NN__B32 where, NN__F32 a) {
    return (NN__F32)NN__(int_pick)(where, NN__(none)(), (NN__I32)a);
}
#else
NN__OP NN__I32 NN__(int_pick)(NN__B32 where, NN__I32 a, NN__I32 b) {
    return (where & a) | (~where & b);
}
NN__OP NN__B32 NN__(both)(NN__B32 a, NN__B32 b) { return a & b; }
NN__OP NN__B32 NN__(either)(NN__B32 a, NN__B32 b) { return a | b; }
NN__OP NN__B32 NN__(not)(NN__B32 a) { return ~a; }
NN__OP NN__F32 NN__(drop)(NN__B32 where, NN__F32 a) { return (NN__F32)(~where & (NN__I32)a); }
#endif
NN__OP NN__F32 NN__(pick)(NN__B32 where, NN__F32 a, NN__F32 b) {
    return (NN__F32)NN__(int_pick)(where, (NN__I32)a, (NN__I32)b);
}
NN__OP NN__F32 NN__(keep)(NN__B32 where, NN__F32 a) { return (NN__F32)(where & (NN__I32)a); }
#ifdef __wasm_simd128__ /* b if that is less (more) than a, else a; with a NaN: a */
NN__OP NN__F32 NN__(smaller)(NN__F32 a, NN__F32 b) {
    return (NN__F32)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
}
NN__OP NN__F32 NN__(larger)(NN__F32 a, NN__F32 b) {
    return (NN__F32)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
}
#else
NN__OP NN__F32 NN__(smaller)(NN__F32 a, NN__F32 b) { return NN__(pick)(NN__(less)(a, b), a, b); }
NN__OP NN__F32 NN__(larger)(NN__F32 a, NN__F32 b) { return NN__(pick)(NN__(less)(b, a), a, b); }
#endif

NN__OP NN__I32 NN__(int_all)(int32_t number) {
    const NN__I32 v = {number, number, number, number};
    return v;
}
NN__OP NN__I32 NN__(int_load)(const int32_t *x) {
    NN__I32 v;
    memcpy(&v, x, sizeof v);
    return v;
}
NN__OP void NN__(int_store)(int32_t *y, NN__I32 v) { memcpy(y, &v, sizeof v); }
NN__OP NN__I32 NN__(int_add)(NN__I32 a, NN__I32 b) {
    return (NN__I32)((NN__(bits32))a + (NN__(bits32))b);
}
NN__OP NN__I32 NN__(int_sub)(NN__I32 a, NN__I32 b) {
    return (NN__I32)((NN__(bits32))a - (NN__(bits32))b);
}
NN__OP NN__I32 NN__(int_and)(NN__I32 a, NN__I32 b) { return a & b; }
NN__OP NN__I32 NN__(int_or)(NN__I32 a, NN__I32 b) { return a | b; }
NN__OP NN__I32 NN__(int_xor)(NN__I32 a, NN__I32 b) { return a ^ b; }
NN__OP NN__I32 NN__(int_left)(NN__I32 a, int bits) {
    const uint32_t n = (uint32_t)bits;
    const NN__(bits32) by = {n, n, n, n};
    return (NN__I32)((NN__(bits32))a << by);
}
NN__OP NN__I32 NN__(int_right)(NN__I32 a, int bits) {
    const uint32_t n = (uint32_t)bits;
    const NN__(bits32) by = {n, n, n, n};
    return (NN__I32)((NN__(bits32))a >> by);
}
NN__OP NN__B32 NN__(int_equal)(NN__I32 a, NN__I32 b) { return (NN__B32)(a == b); }
NN__OP NN__B32 NN__(int_less)(NN__I32 a, NN__I32 b) { return (NN__B32)(a < b); }
NN__OP NN__F32 NN__(from_int)(NN__I32 a) { return __builtin_convertvector(a, NN__F32); }
NN__OP NN__I32 NN__(to_int)(NN__F32 a) { /* a NaN becomes 0 */
#ifdef __wasm_simd128__
    return (NN__I32)wasm_i32x4_trunc_sat_f32x4((v128_t)a);
#else
    a = NN__(keep)(NN__(equal)(a, a), a);
#ifdef NN_TEST_CONVERTS_LANES /* for QEMU 7, which aborts at RISC-V's instruction for vectors */
    NN__I32 v = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        float number = a[i];
        __asm__("" : "+f"(number)); /* else clang makes a vector of the four */
        v[i] = (int32_t)number;
    }
    return v;
#else
    return __builtin_convertvector(a, NN__I32);
#endif
#endif
}
NN__OP NN__I32 NN__(bits)(NN__F32 a) { return (NN__I32)a; }
NN__OP NN__F32 NN__(of_bits)(NN__I32 a) { return (NN__F32)a; }

/* Adds lower and upper half, then the two numbers, as the other sets do. */
NN__OP float NN__(sum)(NN__F32 a) { return (a[0] + a[2]) + (a[1] + a[3]); }
NN__OP float NN__(largest)(NN__F32 a) {
    const float even = a[0] > a[2] ? a[0] : a[2], odd = a[1] > a[3] ? a[1] : a[3];
    return even > odd ? even : odd;
}
NN__OP float NN__(smallest)(NN__F32 a) {
    const float even = a[0] < a[2] ? a[0] : a[2], odd = a[1] < a[3] ? a[1] : a[3];
    return even < odd ? even : odd;
}
NN__OP NN__F32 NN__(gather)(const float *x, NN__I32 at) {
    const NN__F32 v = {x[at[0]], x[at[1]], x[at[2]], x[at[3]]};
    return v;
}
NN__OP NN__F32 NN__(look_up8)(const float *table, NN__I32 at) {
#ifdef __wasm_simd128__
    /* the four bytes of each number; swizzle gives 0 for indices beyond its 16 bytes */
    const v128_t bytes = wasm_i32x4_add(wasm_i32x4_mul((v128_t)at, wasm_i32x4_splat(0x04040404)),
                                        wasm_i32x4_splat(0x03020100));
    const v128_t low = wasm_i8x16_swizzle(wasm_v128_load(table), bytes);
    const v128_t high = wasm_i8x16_swizzle(wasm_v128_load(table + 4),
                                           wasm_i8x16_sub(bytes, wasm_i8x16_splat(16)));
    return (NN__F32)wasm_v128_or(low, high);
#else
    return NN__(gather)(table, at);
#endif
}
#if defined(__clang__) || __GNUC__ >= 12
#define NN__SHUFFLE(a, b, p, q, r, s) __builtin_shufflevector(a, b, p, q, r, s)
#else
#define NN__SHUFFLE(a, b, p, q, r, s) __builtin_shuffle(a, b, (NN__I32){p, q, r, s})
#endif
NN__OP NN__F32 NN__(evens)(NN__F32 a, NN__F32 b) { return NN__SHUFFLE(a, b, 0, 2, 4, 6); }
NN__OP NN__F32 NN__(odds)(NN__F32 a, NN__F32 b) { return NN__SHUFFLE(a, b, 1, 3, 5, 7); }
NN__OP NN__F32 NN__(zip_low)(NN__F32 a, NN__F32 b) { return NN__SHUFFLE(a, b, 0, 4, 1, 5); }
NN__OP NN__F32 NN__(zip_high)(NN__F32 a, NN__F32 b) { return NN__SHUFFLE(a, b, 2, 6, 3, 7); }
NN__OP NN__F32 NN__(before)(NN__F32 a, NN__F32 b) { return NN__SHUFFLE(a, b, 3, 4, 5, 6); }
NN__OP NN__F32 NN__(after)(NN__F32 a, NN__F32 b) { return NN__SHUFFLE(a, b, 1, 2, 3, 4); }
#undef NN__SHUFFLE
NN__OP NN__F32 NN__(pairs)(NN__F32 a, NN__F32 b) { return NN__(evens)(a, b) + NN__(odds)(a, b); }

NN__OP NN__I32 NN__(int_load_some)(const int32_t *x, int n) {
    NN__I32 v = {0, 0, 0, 0};
    if (n >= 4) return NN__(int_load)(x);
    if (n > 0) v[0] = x[0];
    if (n > 1) v[1] = x[1];
    if (n > 2) v[2] = x[2];
    return v;
}
NN__OP void NN__(int_store_some)(int32_t *y, int n, NN__I32 v) {
    if (n > 0) y[0] = v[0];
    if (n > 1) y[1] = v[1];
    if (n > 2) y[2] = v[2];
    if (n > 3) y[3] = v[3];
}
NN__OP NN__I32 NN__(int_lanes)(void) {
    const NN__I32 v = {0, 1, 2, 3};
    return v;
}
NN__OP NN__I32 NN__(int_product)(NN__I32 a, NN__I32 b, NN__I32 *high) {
    NN__I32 low;
    for (int i = 0; i < 4; i++) {
        const uint64_t product = (uint64_t)(uint32_t)a[i] * (uint32_t)b[i];
        low[i] = (int32_t)(uint32_t)product;
        (*high)[i] = (int32_t)(uint32_t)(product >> 32);
    }
    return low;
}
NN__OP NN__F32 NN__(floor)(NN__F32 a) {
#ifdef __wasm_simd128__
    return (NN__F32)wasm_f32x4_floor((v128_t)a);
#else
    const NN__F32 v = {floorf(a[0]), floorf(a[1]), floorf(a[2]), floorf(a[3])};
    return v;
#endif
}
NN__OP NN__F32 NN__(round)(NN__F32 a) {
#ifdef __wasm_simd128__
    return (NN__F32)wasm_f32x4_nearest((v128_t)a);
#else
    const NN__F32 v = {rintf(a[0]), rintf(a[1]), rintf(a[2]), rintf(a[3])};
    return v;
#endif
}
NN__OP NN__F32 NN__(with_sign)(NN__F32 a, NN__F32 b) {
    const NN__I32 size = NN__(int_all)(0x7fffffff);
    return (NN__F32)(((NN__I32)a & size) | ((NN__I32)b & ~size));
}
NN__OP NN__F32 NN__(permute)(NN__F32 a, NN__I32 at) {
#ifdef __wasm_simd128__
    return (NN__F32)wasm_i8x16_swizzle(
        (v128_t)a, wasm_i32x4_add(wasm_i32x4_mul((v128_t)at, wasm_i32x4_splat(0x04040404)),
                                  wasm_i32x4_splat(0x03020100)));
#else
    NN__F32 v = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 4; i++)
        if (at[i] < 4) v[i] = a[at[i]];
    return v;
#endif
}

NN__OP NN__F32 NN__(load_i8)(const int8_t *x) {
    NN__(bytes4) four;
    memcpy(&four, x, sizeof four);
    return __builtin_convertvector(__builtin_convertvector(four, NN__I32), NN__F32);
}
NN__OP NN__I32 NN__(int_load_u8)(const uint8_t *x) {
    const NN__I32 v = {x[0], x[1], x[2], x[3]};
    return v;
}
NN__OP void NN__(int_store_u8)(uint8_t *y, NN__I32 v) {
    const NN__(bytes4) four = __builtin_convertvector(v, NN__(bytes4));
    memcpy(y, &four, sizeof four);
}
NN__OP int NN__(pack)(float *y, NN__B32 where, NN__F32 v) {
    int n = 0;
    for (int i = 0; i < 4; i++) {
        y[n] = v[i];
        n -= where[i];
    }
    return n;
}
NN__OP int NN__(int_pack)(int32_t *y, NN__B32 where, NN__I32 v) {
    int n = 0;
    for (int i = 0; i < 4; i++) {
        y[n] = v[i];
        n -= where[i];
    }
    return n;
}
NN__OP NN__I32 NN__(load_bits16)(const uint16_t *x) {
    NN__(bits16) four;
    memcpy(&four, x, sizeof four);
    return (NN__I32)__builtin_convertvector(four, NN__(bits32));
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
    const NN__(bits16) four = __builtin_convertvector((NN__(bits32))all, NN__(bits16));
    memcpy(y, &four, sizeof four);
}
#endif
