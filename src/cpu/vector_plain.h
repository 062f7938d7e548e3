/* cpu/vector_plain.h - the operations of cpu/vector.h in plain C, on vectors of one number. It
   defines the meaning of each operation; the other sets do the same on several numbers. */
#ifdef NN__SET_PLAIN
typedef float   NN__(v);
typedef int32_t NN__(vi);
typedef int     NN__(vm);

NN__OP NN__F32 NN__(all)(float number) { return number; }
NN__OP NN__F32 NN__(load)(const float *x) { return *x; }
NN__OP NN__F32 NN__(load_once)(const float *x) { return *x; }
NN__OP void NN__(store)(float *y, NN__F32 v) { *y = v; }
NN__OP void NN__(stream)(float *y, NN__F32 v) { *y = v; }
NN__OP NN__F32 NN__(load_some)(const float *x, int n, float filler) { return n > 0 ? *x : filler; }
NN__OP void NN__(store_some)(float *y, int n, NN__F32 v) {
    if (n > 0) *y = v;
}
NN__OP void NN__(ahead)(const void *x) { (void)x; }

NN__OP NN__F32 NN__(add)(NN__F32 a, NN__F32 b) { return a + b; }
NN__OP NN__F32 NN__(sub)(NN__F32 a, NN__F32 b) { return a - b; }
NN__OP NN__F32 NN__(mul)(NN__F32 a, NN__F32 b) { return a * b; }
NN__OP NN__F32 NN__(div)(NN__F32 a, NN__F32 b) { return a / b; }
NN__OP NN__F32 NN__(fma)(NN__F32 a, NN__F32 b, NN__F32 c) { return a * b + c; }
NN__OP NN__F32 NN__(fnma)(NN__F32 a, NN__F32 b, NN__F32 c) { return c - a * b; }
NN__OP NN__F32 NN__(sqrt)(NN__F32 a) { return sqrtf(a); }
NN__OP NN__F32 NN__(floor)(NN__F32 a) { return floorf(a); }
NN__OP NN__F32 NN__(round)(NN__F32 a) { return rintf(a); }
NN__OP NN__F32 NN__(smaller)(NN__F32 a, NN__F32 b) { return a < b ? a : b; }
NN__OP NN__F32 NN__(larger)(NN__F32 a, NN__F32 b) { return a > b ? a : b; }

NN__OP NN__B32 NN__(less)(NN__F32 a, NN__F32 b) { return a < b; }
NN__OP NN__B32 NN__(less_equal)(NN__F32 a, NN__F32 b) { return a <= b; }
NN__OP NN__B32 NN__(equal)(NN__F32 a, NN__F32 b) { return a == b; }
NN__OP NN__B32 NN__(unordered)(NN__F32 a, NN__F32 b) { return a != a || b != b; }
NN__OP NN__B32 NN__(none)(void) { return 0; }
NN__OP NN__B32 NN__(both)(NN__B32 a, NN__B32 b) { return a & b; }
NN__OP NN__B32 NN__(either)(NN__B32 a, NN__B32 b) { return a | b; }
NN__OP NN__B32 NN__(not)(NN__B32 a) { return !a; }
NN__OP bool NN__(any)(NN__B32 a) { return a != 0; }
NN__OP NN__F32 NN__(pick)(NN__B32 where, NN__F32 a, NN__F32 b) { return where ? a : b; }
NN__OP NN__F32 NN__(keep)(NN__B32 where, NN__F32 a) { return where ? a : 0.0f; }
NN__OP NN__F32 NN__(drop)(NN__B32 where, NN__F32 a) { return where ? 0.0f : a; }

NN__OP NN__I32 NN__(int_all)(int32_t number) { return number; }
NN__OP NN__I32 NN__(int_load)(const int32_t *x) { return *x; }
NN__OP void NN__(int_store)(int32_t *y, NN__I32 v) { *y = v; }
NN__OP NN__I32 NN__(int_load_some)(const int32_t *x, int n) { return n > 0 ? *x : 0; }
NN__OP void NN__(int_store_some)(int32_t *y, int n, NN__I32 v) {
    if (n > 0) *y = v;
}
NN__OP NN__I32 NN__(int_lanes)(void) { return 0; }
NN__OP NN__I32 NN__(int_add)(NN__I32 a, NN__I32 b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
NN__OP NN__I32 NN__(int_sub)(NN__I32 a, NN__I32 b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
NN__OP NN__I32 NN__(int_product)(NN__I32 a, NN__I32 b, NN__I32 *high) {
    const uint64_t product = (uint64_t)(uint32_t)a * (uint32_t)b;
    *high = (int32_t)(uint32_t)(product >> 32);
    return (int32_t)(uint32_t)product;
}
NN__OP NN__I32 NN__(int_and)(NN__I32 a, NN__I32 b) { return a & b; }
NN__OP NN__I32 NN__(int_or)(NN__I32 a, NN__I32 b) { return a | b; }
NN__OP NN__I32 NN__(int_xor)(NN__I32 a, NN__I32 b) { return a ^ b; }
NN__OP NN__I32 NN__(int_left)(NN__I32 a, int bits) { return (int32_t)((uint32_t)a << bits); }
NN__OP NN__I32 NN__(int_right)(NN__I32 a, int bits) { return (int32_t)((uint32_t)a >> bits); }
NN__OP NN__B32 NN__(int_equal)(NN__I32 a, NN__I32 b) { return a == b; }
NN__OP NN__B32 NN__(int_less)(NN__I32 a, NN__I32 b) { return a < b; }
NN__OP NN__I32 NN__(int_pick)(NN__B32 where, NN__I32 a, NN__I32 b) { return where ? a : b; }
NN__OP NN__F32 NN__(from_int)(NN__I32 a) { return (float)a; }
NN__OP NN__I32 NN__(to_int)(NN__F32 a) { return a == a ? (int32_t)a : 0; }
NN__OP NN__I32 NN__(bits)(NN__F32 a) {
    int32_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
NN__OP NN__F32 NN__(of_bits)(NN__I32 a) {
    float number;
    memcpy(&number, &a, sizeof number);
    return number;
}
NN__OP NN__F32 NN__(with_sign)(NN__F32 a, NN__F32 b) {
    return NN__(of_bits)((NN__(bits)(a) & 0x7fffffff) | (NN__(bits)(b) & (-0x7fffffff - 1)));
}

NN__OP float NN__(sum)(NN__F32 a) { return a; }
NN__OP float NN__(largest)(NN__F32 a) { return a; }
NN__OP float NN__(smallest)(NN__F32 a) { return a; }
NN__OP NN__F32 NN__(gather)(const float *x, NN__I32 at) { return x[at]; }
NN__OP NN__F32 NN__(look_up8)(const float *table, NN__I32 at) { return table[at]; }
NN__OP NN__F32 NN__(evens)(NN__F32 a, NN__F32 b) {
    (void)b;
    return a;
}
NN__OP NN__F32 NN__(odds)(NN__F32 a, NN__F32 b) {
    (void)a;
    return b;
}
NN__OP NN__F32 NN__(zip_low)(NN__F32 a, NN__F32 b) {
    (void)b;
    return a;
}
NN__OP NN__F32 NN__(zip_high)(NN__F32 a, NN__F32 b) {
    (void)a;
    return b;
}

NN__OP NN__F32 NN__(before)(NN__F32 a, NN__F32 b) {
    (void)b;
    return a;
}
NN__OP NN__F32 NN__(after)(NN__F32 a, NN__F32 b) {
    (void)a;
    return b;
}
NN__OP NN__F32 NN__(permute)(NN__F32 a, NN__I32 at) { return at == 0 ? a : 0.0f; }

NN__OP NN__F32 NN__(load_i8)(const int8_t *x) { return (float)*x; }
NN__OP NN__I32 NN__(int_load_u8)(const uint8_t *x) { return *x; }
NN__OP void NN__(int_store_u8)(uint8_t *y, NN__I32 v) { *y = (uint8_t)v; }
NN__OP int NN__(pack)(float *y, NN__B32 where, NN__F32 v) {
    *y = v;
    return where != 0;
}
NN__OP int NN__(int_pack)(int32_t *y, NN__B32 where, NN__I32 v) {
    *y = v;
    return where != 0;
}
NN__OP NN__F32 NN__(load_bf16)(const uint16_t *x) { return nn__widen_bf16(*x); }
NN__OP void NN__(store_bf16)(uint16_t *y, NN__F32 v) { *y = nn__narrow_bf16(v); }
NN__OP NN__F32 NN__(load_f16)(const uint16_t *x) {
    /* The product with 2^112 corrects the exponent, even of subnormal numbers. Infinities and
       NaN get theirs from `top`. */
    const uint32_t pattern = (uint32_t)*x;
    const float value = NN__(of_bits)((int32_t)((pattern & 0x7fffu) << 13)) * 5.192296858534828e33f;
    const uint32_t top = (pattern & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
    const uint32_t quiet = top && (pattern & 0x3ffu) ? 0x400000u : 0u;
    return NN__(of_bits)((int32_t)((uint32_t)NN__(bits)(value) | top | quiet |
                                   (pattern & 0x8000u) << 16));
}

NN__OP NN__F32 NN__(pairs)(NN__F32 a, NN__F32 b) { return a + b; }
NN__OP void NN__(transpose_four)(float *y, ptrdiff_t y_row, int high, const float *x,
                                 ptrdiff_t x_row, int wide, bool part) {
    (void)y_row, (void)high, (void)x_row, (void)wide, (void)part;
    *y = *x;
}
#endif
