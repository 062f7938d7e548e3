/* kernels/integer/vector_simd128.h - the loops of integer kernels for WebAssembly with SIMD. They
   multiply 16-bit numbers, because i32x4.dot_i16x8_s adds two such products without loss. (The
   relaxed i32x4.dot_i8x16_i7x16_add_s is exact only if one operand has 7 bits.) Other processors of
   this set use plain C. */
#if defined(NN__SET_SIMD128) && defined(__wasm_simd128__)
/* One step of a tile: two numbers of x of a row with eight lanes. */
#define NN__INTEGER_ROW(r, a, b)                                                                   \
    v = wasm_v128_load32_splat(x + (r) * row);                                                     \
    a = wasm_i32x4_add(a, wasm_i32x4_dot_i16x8(v, w0));                                            \
    b = wasm_i32x4_add(b, wasm_i32x4_dot_i16x8(v, w1))

NN__OP void nn__integer_put(int32_t *to, v128_t a, v128_t b) {
    wasm_v128_store(to, a);
    wasm_v128_store(to + 4, b);
}

static void NN__(integer_tile)(const nn__integer_tile *t) {
    const char *x = t->x, *w = t->w;
    const ptrdiff_t row = t->x_row;
    const v128_t s0 = wasm_v128_load(t->start), s1 = wasm_v128_load(t->start + 4);
    v128_t v, w0, w1;
    if (t->rows == 4) {
        v128_t a0 = s0, a1 = s1, b0 = s0, b1 = s1, c0 = s0, c1 = s1, d0 = s0, d1 = s1;
        for (int p = 0; p < t->steps; p++, x += 4, w += 32) {
            w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 16);
            NN__INTEGER_ROW(0, a0, a1);
            NN__INTEGER_ROW(1, b0, b1);
            NN__INTEGER_ROW(2, c0, c1);
            NN__INTEGER_ROW(3, d0, d1);
        }
        nn__integer_put(t->sums, a0, a1);
        nn__integer_put(t->sums + 8, b0, b1);
        nn__integer_put(t->sums + 16, c0, c1);
        nn__integer_put(t->sums + 24, d0, d1);
        return;
    }
    for (int r = 0; r < t->rows; r++) {
        v128_t a0 = s0, a1 = s1;
        x = t->x + r * row;
        w = t->w;
        for (int p = 0; p < t->steps; p++, x += 4, w += 32) {
            w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 16);
            NN__INTEGER_ROW(0, a0, a1);
        }
        nn__integer_put(t->sums + 8 * r, a0, a1);
    }
}
#undef NN__INTEGER_ROW

static void NN__(integer_widen)(void *to, const int8_t *x, int n) {
    int16_t *y = (int16_t *)to;
    int i = 0;
    for (; i + 8 <= n; i += 8) wasm_v128_store(y + i, wasm_i16x8_load8x8(x + i));
    for (; i < n; i++) y[i] = x[i];
}

/* How four sums are requantised. There is no shift by different numbers of bits, so the product is
   multiplied by a power of two instead. */
typedef struct nn__integer_four {
    v128_t multiplier, power; /* 2^(30 + shift) */
    v128_t rounds;            /* all bits: shift < 0 */
} nn__integer_four;
/* False: a shift is not in [-30, 0]. */
NN__OP bool nn__integer_four_of(nn__integer_four *four, const int32_t *multiplier,
                                const int32_t *shift) {
    int32_t power[4];
    for (int k = 0; k < 4; k++) {
        if (shift[k] > 0 || shift[k] < -30) return false;
        power[k] = (int32_t)1 << (30 + shift[k]);
    }
    four->multiplier = wasm_v128_load(multiplier);
    four->power = wasm_v128_load(power);
    four->rounds = wasm_i32x4_lt(wasm_v128_load(shift), wasm_i32x4_splat(0));
    return true;
}
/* Returns (a b + half) / 2^bits for four numbers, rounded down, if that has 32 bits. */
NN__OP v128_t nn__integer_high4(v128_t a, v128_t b, int64_t half, uint32_t bits) {
    const v128_t add = wasm_i64x2_splat(half);
    const v128_t low = wasm_u64x2_shr(wasm_i64x2_add(wasm_i64x2_extmul_low_i32x4(a, b), add), bits),
                 high =
                     wasm_u64x2_shr(wasm_i64x2_add(wasm_i64x2_extmul_high_i32x4(a, b), add), bits);
    return wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
}
/* Does nn__integer_scale for four sums. */
NN__OP v128_t nn__integer_scale4(v128_t sum, const nn__integer_four *four) {
    const v128_t v = nn__integer_high4(sum, four->multiplier, (int64_t)1 << 30, 31);
    /* halves away from zero: one less if it is negative, then halves up */
    const v128_t less = wasm_v128_and(wasm_i32x4_shr(v, 31), four->rounds);
    return nn__integer_high4(wasm_i32x4_add(v, less), four->power, (int64_t)1 << 29, 30);
}
/* Stores eight numbers, limited to [low, high], as bytes. */
NN__OP void nn__integer_bytes8(int8_t *y, v128_t a, v128_t b, int32_t low, int32_t high) {
    const v128_t least = wasm_i32x4_splat(low), most = wasm_i32x4_splat(high);
    a = wasm_i32x4_min(wasm_i32x4_max(a, least), most);
    b = wasm_i32x4_min(wasm_i32x4_max(b, least), most);
    const v128_t halves = wasm_i16x8_narrow_i32x4(a, b);
    wasm_v128_store64_lane(y, wasm_i8x16_narrow_i16x8(halves, halves), 0);
}

static void NN__(integer_requantize)(int8_t *y, ptrdiff_t y_row, const int32_t *sums, int lanes,
                                     int rows, const nn__integer_out *out, int n) {
    const v128_t zero = wasm_i32x4_splat(out->zero);
    nn__integer_four low, high;
    int i = 0;
    for (; i + 8 <= n && nn__integer_four_of(&low, out->multiplier + i, out->shift + i) &&
           nn__integer_four_of(&high, out->multiplier + i + 4, out->shift + i + 4);
         i += 8)
        for (int r = 0; r < rows; r++) {
            const int32_t *from = sums + r * lanes + i;
            nn__integer_bytes8(
                y + r * y_row + i,
                wasm_i32x4_add(nn__integer_scale4(wasm_v128_load(from), &low), zero),
                wasm_i32x4_add(nn__integer_scale4(wasm_v128_load(from + 4), &high), zero), out->low,
                out->high);
        }
    for (; i < n; i++)
        for (int r = 0; r < rows; r++)
            y[r * y_row + i] = nn__integer_one(sums[r * lanes + i], out, i);
}

static void NN__(integer_depthwise)(int32_t *sums, const int32_t *start,
                                    const int8_t *const *taps, const int16_t *w, ptrdiff_t w_row,
                                    int count, int n) {
    int c = 0;
    for (; c + 8 <= n; c += 8) {
        v128_t low = wasm_v128_load(start + c), high = wasm_v128_load(start + c + 4);
        for (int t = 0; t < count; t += 2) { /* pairs of taps, side by side */
            const bool two = t + 1 < count;
            const v128_t x0 = wasm_i16x8_load8x8(taps[t] + c),
                         x1 = wasm_i16x8_load8x8(taps[two ? t + 1 : t] + c),
                         w0 = wasm_v128_load(w + t * w_row + c),
                         w1 = two ? wasm_v128_load(w + (t + 1) * w_row + c) : wasm_i16x8_splat(0);
            low = wasm_i32x4_add(
                low, wasm_i32x4_dot_i16x8(wasm_i16x8_shuffle(x0, x1, 0, 8, 1, 9, 2, 10, 3, 11),
                                          wasm_i16x8_shuffle(w0, w1, 0, 8, 1, 9, 2, 10, 3, 11)));
            high = wasm_i32x4_add(
                high, wasm_i32x4_dot_i16x8(wasm_i16x8_shuffle(x0, x1, 4, 12, 5, 13, 6, 14, 7, 15),
                                           wasm_i16x8_shuffle(w0, w1, 4, 12, 5, 13, 6, 14, 7, 15)));
        }
        nn__integer_put(sums + c, low, high);
    }
    for (; c < n; c++) {
        uint32_t sum = (uint32_t)start[c];
        for (int t = 0; t < count; t++) sum += (uint32_t)(taps[t][c] * w[t * w_row + c]);
        sums[c] = (int32_t)sum;
    }
}

static void NN__(integer_largest)(int8_t *y, const int8_t *const *taps, int count, int n) {
    int c = 0;
    for (; c + 16 <= n; c += 16) {
        v128_t v = wasm_v128_load(taps[0] + c);
        for (int t = 1; t < count; t++) v = wasm_i8x16_max(v, wasm_v128_load(taps[t] + c));
        wasm_v128_store(y + c, v);
    }
    for (; c < n; c++) {
        int8_t largest = taps[0][c];
        for (int t = 1; t < count; t++)
            if (taps[t][c] > largest) largest = taps[t][c];
        y[c] = largest;
    }
}

/* The factors of a, b and their sum. */
typedef struct nn__integer_three_scales {
    nn__integer_four a, b, y;
    v128_t zero_a, zero_b, zero_y;
} nn__integer_three_scales;
NN__OP bool nn__integer_scales_of(nn__integer_three_scales *three, const int32_t *numbers) {
    nn__integer_four *const fours[3] = {&three->a, &three->b, &three->y};
    for (int i = 0; i < 3; i++) {
        int32_t multiplier[4], shift[4];
        for (int k = 0; k < 4; k++) {
            multiplier[k] = numbers[NN_INTEGER_ADD_MULTIPLIER + i];
            shift[k] = numbers[NN_INTEGER_ADD_SHIFT + i];
        }
        if (!nn__integer_four_of(fours[i], multiplier, shift)) return false;
    }
    three->zero_a = wasm_i32x4_splat(numbers[NN_INTEGER_ADD_ZERO]);
    three->zero_b = wasm_i32x4_splat(numbers[NN_INTEGER_ADD_ZERO + 1]);
    three->zero_y = wasm_i32x4_splat(numbers[NN_INTEGER_ADD_ZERO + 2]);
    return true;
}
NN__OP v128_t nn__integer_add_four(const nn__integer_three_scales *three, v128_t a, v128_t b) {
    a = wasm_i32x4_shl(wasm_i32x4_sub(a, three->zero_a), 20);
    b = wasm_i32x4_shl(wasm_i32x4_sub(b, three->zero_b), 20);
    const v128_t sum =
        wasm_i32x4_add(nn__integer_scale4(a, &three->a), nn__integer_scale4(b, &three->b));
    return wasm_i32x4_add(nn__integer_scale4(sum, &three->y), three->zero_y);
}
static void NN__(integer_add)(int8_t *y, const int8_t *a, const int8_t *b, const int32_t *numbers,
                              int n) {
    nn__integer_three_scales three;
    int i = 0;
    if (nn__integer_scales_of(&three, numbers))
        for (; i + 8 <= n; i += 8) {
            const v128_t v = wasm_i16x8_load8x8(a + i), w = wasm_i16x8_load8x8(b + i);
            nn__integer_bytes8(y + i,
                               nn__integer_add_four(&three, wasm_i32x4_extend_low_i16x8(v),
                                                    wasm_i32x4_extend_low_i16x8(w)),
                               nn__integer_add_four(&three, wasm_i32x4_extend_high_i16x8(v),
                                                    wasm_i32x4_extend_high_i16x8(w)),
                               numbers[NN_INTEGER_ADD_LOW], numbers[NN_INTEGER_ADD_HIGH]);
        }
    for (; i < n; i++) y[i] = nn__integer_add_one(a[i], b[i], numbers);
}

static const nn__integer_loops NN__(integer_loops) = {
    4, 8, 2, 1, 2, 0, NN__(integer_tile), NN__(integer_widen), NN__(integer_requantize),
    NN__(integer_depthwise), NN__(integer_largest), NN__(integer_add), NN__(integer_quantize),
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
#endif
