/* cpu/vector_portable_loops.h - the operations of cpu/vector.h for portable bytes, for compilers
   without the vector types of gcc and clang, such as tcc and MSVC: loops over eight numbers. Each
   operation gives the bytes of cpu/vector_portable.h, and takes many times as long. */
#if defined(NN__SET_PORTABLE) && !NN__HAS_VECTOR_TYPES
typedef struct NN__(v) { float x[8]; } NN__(v);
/* As a mask, all bits of a number are set, or none. */
typedef struct NN__(vi) { int32_t x[8]; } NN__(vi);
typedef NN__(vi) NN__(vm);

/* Defines an operation that computes number i of its result by `formula`. */
#define NN__EACH(name, result, parameters, formula)    \
    NN__OP result NN__(name) parameters {              \
        result v;                                      \
        for (int i = 0; i < 8; i++) v.x[i] = formula;  \
        return v;                                      \
    }
NN__OP uint32_t NN__(bits_of)(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}
NN__OP float NN__(number_of)(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

NN__EACH(all, NN__F32, (float number), number)
NN__EACH(load, NN__F32, (const float *x), x[i])
NN__OP NN__F32 NN__(load_once)(const float *x) { return NN__(load)(x); }
NN__EACH(load_some, NN__F32, (const float *x, int n, float filler), i < n ? x[i] : filler)
NN__OP void NN__(store_some)(float *y, int n, NN__F32 v) {
    for (int i = 0; i < n && i < 8; i++) y[i] = v.x[i];
}
NN__OP void NN__(store)(float *y, NN__F32 v) { NN__(store_some)(y, 8, v); }
NN__OP void NN__(stream)(float *y, NN__F32 v) { NN__(store_some)(y, 8, v); }
NN__OP void NN__(ahead)(const void *x) { (void)x; }

NN__EACH(add, NN__F32, (NN__F32 a, NN__F32 b), a.x[i] + b.x[i])
NN__EACH(sub, NN__F32, (NN__F32 a, NN__F32 b), a.x[i] - b.x[i])
NN__EACH(mul, NN__F32, (NN__F32 a, NN__F32 b), a.x[i] * b.x[i])
NN__EACH(div, NN__F32, (NN__F32 a, NN__F32 b), a.x[i] / b.x[i])
NN__OP NN__F32 NN__(fma)(NN__F32 a, NN__F32 b, NN__F32 c) {
    return NN__(add)(NN__(mul)(a, b), c);
}
NN__OP NN__F32 NN__(fnma)(NN__F32 a, NN__F32 b, NN__F32 c) {
    return NN__(sub)(c, NN__(mul)(a, b));
}
NN__EACH(sqrt, NN__F32, (NN__F32 a), sqrtf(a.x[i]))
NN__EACH(floor, NN__F32, (NN__F32 a), floorf(a.x[i]))
NN__EACH(round, NN__F32, (NN__F32 a), rintf(a.x[i]))
NN__EACH(smaller, NN__F32, (NN__F32 a, NN__F32 b), a.x[i] < b.x[i] ? a.x[i] : b.x[i])
NN__EACH(larger, NN__F32, (NN__F32 a, NN__F32 b), a.x[i] > b.x[i] ? a.x[i] : b.x[i])

NN__EACH(less, NN__B32, (NN__F32 a, NN__F32 b), a.x[i] < b.x[i] ? -1 : 0)
NN__EACH(less_equal, NN__B32, (NN__F32 a, NN__F32 b), a.x[i] <= b.x[i] ? -1 : 0)
NN__EACH(equal, NN__B32, (NN__F32 a, NN__F32 b), a.x[i] == b.x[i] ? -1 : 0)
NN__EACH(unordered, NN__B32, (NN__F32 a, NN__F32 b),
         a.x[i] == a.x[i] && b.x[i] == b.x[i] ? 0 : -1)
NN__EACH(none, NN__B32, (void), 0)
NN__EACH(both, NN__B32, (NN__B32 a, NN__B32 b), a.x[i] & b.x[i])
NN__EACH(either, NN__B32, (NN__B32 a, NN__B32 b), a.x[i] | b.x[i])
NN__EACH(not, NN__B32, (NN__B32 a), ~a.x[i])
NN__OP bool NN__(any)(NN__B32 a) {
    int32_t bits = 0;
    for (int i = 0; i < 8; i++) bits |= a.x[i];
    return bits != 0;
}

NN__EACH(int_all, NN__I32, (int32_t number), number)
NN__EACH(int_load, NN__I32, (const int32_t *x), x[i])
NN__EACH(int_load_some, NN__I32, (const int32_t *x, int n), i < n ? x[i] : 0)
NN__OP void NN__(int_store_some)(int32_t *y, int n, NN__I32 v) {
    for (int i = 0; i < n && i < 8; i++) y[i] = v.x[i];
}
NN__OP void NN__(int_store)(int32_t *y, NN__I32 v) { NN__(int_store_some)(y, 8, v); }
NN__EACH(int_lanes, NN__I32, (void), i)
NN__EACH(int_add, NN__I32, (NN__I32 a, NN__I32 b),
         (int32_t)((uint32_t)a.x[i] + (uint32_t)b.x[i]))
NN__EACH(int_sub, NN__I32, (NN__I32 a, NN__I32 b),
         (int32_t)((uint32_t)a.x[i] - (uint32_t)b.x[i]))
NN__OP NN__I32 NN__(int_product)(NN__I32 a, NN__I32 b, NN__I32 *high) {
    NN__I32 low;
    for (int i = 0; i < 8; i++) {
        const uint64_t product = (uint64_t)(uint32_t)a.x[i] * (uint32_t)b.x[i];
        low.x[i] = (int32_t)(uint32_t)product;
        high->x[i] = (int32_t)(uint32_t)(product >> 32);
    }
    return low;
}
NN__EACH(int_and, NN__I32, (NN__I32 a, NN__I32 b), a.x[i] & b.x[i])
NN__EACH(int_or, NN__I32, (NN__I32 a, NN__I32 b), a.x[i] | b.x[i])
NN__EACH(int_xor, NN__I32, (NN__I32 a, NN__I32 b), a.x[i] ^ b.x[i])
NN__EACH(int_left, NN__I32, (NN__I32 a, int bits), (int32_t)((uint32_t)a.x[i] << bits))
NN__EACH(int_right, NN__I32, (NN__I32 a, int bits), (int32_t)((uint32_t)a.x[i] >> bits))
NN__EACH(int_equal, NN__B32, (NN__I32 a, NN__I32 b), a.x[i] == b.x[i] ? -1 : 0)
NN__EACH(int_less, NN__B32, (NN__I32 a, NN__I32 b), a.x[i] < b.x[i] ? -1 : 0)
NN__EACH(int_pick, NN__I32, (NN__B32 where, NN__I32 a, NN__I32 b),
         (where.x[i] & a.x[i]) | (~where.x[i] & b.x[i]))
NN__EACH(from_int, NN__F32, (NN__I32 a), (float)a.x[i])
NN__EACH(to_int, NN__I32, (NN__F32 a), a.x[i] == a.x[i] ? (int32_t)a.x[i] : 0)
NN__EACH(bits, NN__I32, (NN__F32 a), (int32_t)NN__(bits_of)(a.x[i]))
NN__EACH(of_bits, NN__F32, (NN__I32 a), NN__(number_of)((uint32_t)a.x[i]))
NN__OP NN__F32 NN__(pick)(NN__B32 where, NN__F32 a, NN__F32 b) {
    return NN__(of_bits)(NN__(int_pick)(where, NN__(bits)(a), NN__(bits)(b)));
}
NN__OP NN__F32 NN__(keep)(NN__B32 where, NN__F32 a) {
    return NN__(of_bits)(NN__(int_and)(where, NN__(bits)(a)));
}
NN__OP NN__F32 NN__(drop)(NN__B32 where, NN__F32 a) { return NN__(keep)(NN__(not)(where), a); }
NN__OP NN__F32 NN__(with_sign)(NN__F32 a, NN__F32 b) {
    return NN__(pick)(NN__(int_all)(0x7fffffff), a, b);
}

/* Reduces a vector to one number by joining its halves. */
#define NN__JOIN(name, choose)                                                           \
    NN__OP float NN__(name)(NN__F32 a) {                                                 \
        NN__F32 b = a;                                                                   \
        for (int half = 4; half > 0; half /= 2) {                                        \
            for (int i = 0; i < half; i++) b.x[i] = a.x[i + half];                       \
            a = NN__(choose)(a, b);                                                      \
        }                                                                                \
        return a.x[0];                                                                   \
    }
NN__JOIN(sum, add)
NN__JOIN(largest, larger)
NN__JOIN(smallest, smaller)
#undef NN__JOIN
NN__EACH(gather, NN__F32, (const float *x, NN__I32 at), x[at.x[i]])
NN__EACH(look_up8, NN__F32, (const float *table, NN__I32 at), table[at.x[i]])
NN__EACH(evens, NN__F32, (NN__F32 a, NN__F32 b), i < 4 ? a.x[2 * i] : b.x[2 * i - 8])
NN__EACH(odds, NN__F32, (NN__F32 a, NN__F32 b), i < 4 ? a.x[2 * i + 1] : b.x[2 * i - 7])
NN__EACH(zip_low, NN__F32, (NN__F32 a, NN__F32 b), i % 2 ? b.x[i / 2] : a.x[i / 2])
NN__EACH(zip_high, NN__F32, (NN__F32 a, NN__F32 b), i % 2 ? b.x[4 + i / 2] : a.x[4 + i / 2])
NN__EACH(before, NN__F32, (NN__F32 a, NN__F32 b), i == 0 ? a.x[7] : b.x[i - 1])
NN__EACH(after, NN__F32, (NN__F32 a, NN__F32 b), i < 7 ? a.x[i + 1] : b.x[0])
NN__EACH(permute, NN__F32, (NN__F32 a, NN__I32 at), at.x[i] < 8 ? a.x[at.x[i]] : 0.0f)
NN__OP NN__F32 NN__(pairs)(NN__F32 a, NN__F32 b) {
    return NN__(add)(NN__(evens)(a, b), NN__(odds)(a, b));
}
NN__OP void NN__(transpose_four)(float *y, ptrdiff_t y_row, int high, const float *x,
                                 ptrdiff_t x_row, int wide, const bool part) {
    const int rows = part && high < 8 ? high : 8, columns = part && wide < 4 ? wide : 4;
    for (int column = 0; column < columns; column++)
        for (int row = 0; row < rows; row++) y[column * y_row + row] = x[row * x_row + column];
}

NN__EACH(int_load_i8, NN__I32, (const int8_t *x), x[i])
NN__EACH(load_i8, NN__F32, (const int8_t *x), (float)x[i])
NN__EACH(int_load_u8, NN__I32, (const uint8_t *x), x[i])
NN__OP void NN__(int_store_u8)(uint8_t *y, NN__I32 v) {
    for (int i = 0; i < 8; i++) y[i] = (uint8_t)(uint32_t)v.x[i];
}
NN__OP int NN__(int_pack)(int32_t *y, NN__B32 where, NN__I32 v) {
    int n = 0;
    for (int i = 0; i < 8; i++) y[n] = v.x[i], n -= where.x[i];
    return n;
}
NN__OP int NN__(pack)(float *y, NN__B32 where, NN__F32 v) {
    int n = 0;
    for (int i = 0; i < 8; i++) y[n] = v.x[i], n -= where.x[i];
    return n;
}
NN__EACH(load_bf16, NN__F32, (const uint16_t *x), NN__(number_of)((uint32_t)x[i] << 16))
/* Shifts the bits to their places in f32 and multiplies by 2^112; infinity and NaN follow. */
NN__OP float NN__(of_half)(uint32_t half) {
    const uint32_t size = half & 0x7fffu;
    const float value = NN__(number_of)(size << 13) * 5.192296858534828e33f;
    const uint32_t ends = size >= 0x7c00u ? 0x7f800000u : 0, quiet = size > 0x7c00u ? 0x400000u : 0;
    return NN__(number_of)(NN__(bits_of)(value) | ends | quiet | (half & 0x8000u) << 16);
}
NN__EACH(load_f16, NN__F32, (const uint16_t *x), NN__(of_half)(x[i]))
NN__OP void NN__(store_bf16)(uint16_t *y, NN__F32 v) {
    for (int i = 0; i < 8; i++) {
        const uint32_t bits = NN__(bits_of)(v.x[i]), high = bits >> 16;
        const bool number = v.x[i] == v.x[i];
        y[i] = (uint16_t)(number ? (bits + (high & 1u) + 0x7fffu) >> 16 : high | 0x40u);
    }
}
#undef NN__EACH
#endif
