/* cpu/vector_math.h - the operations of cpu/vector.h that are built from others, with the same code
   for every set: tails, functions, sums. */
#ifdef NN__SET

/* ---- four numbers that each multiply a vector ------------------------------------------------ */

#ifndef NN__BY_LANE /* the numbers stay in memory */
typedef const float *NN__(vf);
NN__OP NN__FOUR NN__(load_four)(const float *x) { return x; }
#define NN__LANE_OF_FOUR(lane)                                                    \
    NN__OP NN__F32 NN__(fma_lane##lane)(NN__FOUR a, NN__F32 b, NN__F32 c) {       \
        return NN__(fma)(NN__(all)(a[lane]), b, c);                               \
    }
NN__LANE_OF_FOUR(0)
NN__LANE_OF_FOUR(1)
NN__LANE_OF_FOUR(2)
NN__LANE_OF_FOUR(3)
#undef NN__LANE_OF_FOUR
#endif

/* ---- tails ----------------------------------------------------------------------------------- */

NN__OP NN__F32 NN__(load_up_to)(const float *x, int64_t n, float filler) {
    return n >= NN__LANES ? NN__(load)(x) : NN__(load_some)(x, (int)n, filler);
}
NN__OP void NN__(store_up_to)(float *y, int64_t n, NN__F32 v) {
    if (n >= NN__LANES)
        NN__(store)(y, v);
    else
        NN__(store_some)(y, (int)n, v);
}
NN__OP void NN__(put)(float *y, NN__F32 v, bool streams) {
    if (streams)
        NN__(stream)(y, v);
    else
        NN__(store)(y, v);
}
#ifndef NN__OWN_MASKS
NN__OP NN__B32 NN__(load_mask)(const void *x) {
    NN__B32 mask;
    memcpy(&mask, x, sizeof mask);
    return mask;
}
#else
#undef NN__OWN_MASKS
#endif
NN__OP void NN__(store_mask)(void *y, NN__B32 mask) { memcpy(y, &mask, sizeof mask); }
#ifndef NN__OWN_BYTES
/* Copies n < 16 bytes, without a call. */
NN__OP void NN__(copy_bytes)(uint8_t *to, const uint8_t *from, int n) {
    uint64_t first, last;
    uint32_t low, high;
    if (n >= 8) {
        memcpy(&first, from, 8), memcpy(&last, from + n - 8, 8);
        memcpy(to, &first, 8), memcpy(to + n - 8, &last, 8);
    } else if (n >= 4) {
        memcpy(&low, from, 4), memcpy(&high, from + n - 4, 4);
        memcpy(to, &low, 4), memcpy(to + n - 4, &high, 4);
    } else {
        for (int i = 0; i < n; i++) to[i] = from[i];
    }
}
NN__OP NN__I32 NN__(int_load_u8_up_to)(const uint8_t *x, int n) {
    uint8_t some[NN__LANES] = {0};
    if (n >= NN__LANES) return NN__(int_load_u8)(x);
    NN__(copy_bytes)(some, x, n);
    return NN__(int_load_u8)(some);
}
NN__OP void NN__(int_store_u8_up_to)(uint8_t *y, int n, NN__I32 v) {
    uint8_t some[NN__LANES];
    if (n >= NN__LANES) {
        NN__(int_store_u8)(y, v);
        return;
    }
    NN__(int_store_u8)(some, v);
    NN__(copy_bytes)(y, some, n);
}
#else
#undef NN__OWN_BYTES
#endif
#ifndef NN__SET_NEON /* has an instruction for it */
NN__OP NN__F32 NN__(abs)(NN__F32 a) {
    return NN__(of_bits)(NN__(int_and)(NN__(bits)(a), NN__(int_all)(0x7fffffff)));
}
#endif
/* p x + c with a constant c: a step of Horner's rule. */
NN__OP NN__F32 NN__(horner)(NN__F32 p, NN__F32 x, float c) { return NN__(fma)(p, x, NN__(all)(c)); }

/* Applies the activation of an epilogue; NaN stays NaN. relu6 turns -0 into 0, because 0 is added
   to its result. To the results of the others -0 is added, which changes nothing. */
NN__OP NN__F32 NN__(clamped)(NN__F32 v, nn__clamp clamp) {
    const NN__F32 least = NN__(all)(clamp ? 0.0f : -INFINITY);
    v = NN__(larger)(least, v);
#ifndef NN_NO_SIMD
    const NN__F32 most = NN__(all)(clamp == NN__CLAMP_RELU6 ? 6.0f : INFINITY),
                  zero = NN__(all)(clamp == NN__CLAMP_RELU6 ? 0.0f : -0.0f);
    v = NN__(add)(NN__(smaller)(most, v), zero);
#endif
    return v;
}

/* ---- transposition --------------------------------------------------------------------------- */

#if NN__LANES == 4
NN__INLINE void NN__(transpose_four)(float *y, ptrdiff_t y_row, int high, const float *x,
                                     ptrdiff_t x_row, int wide, const bool part) {
#define NN__ROW_OF(i)                                                                              \
    (part ? NN__(load_up_to)(x + ((i) < high ? (i) : 0) * x_row, wide, 0.0f)                       \
          : NN__(load)(x + (i) * x_row))
#define NN__COLUMN(l, v)                                                                           \
    if (!part)                                                                                     \
        NN__(store)(y + (l) * y_row, v);                                                           \
    else if (wide > (l))                                                                           \
        NN__(store_up_to)(y + (l) * y_row, high, v)
    const NN__F32 a = NN__ROW_OF(0), b = NN__ROW_OF(1), c = NN__ROW_OF(2), d = NN__ROW_OF(3);
    const NN__F32 p = NN__(zip_low)(a, c), q = NN__(zip_high)(a, c), r = NN__(zip_low)(b, d),
                  s = NN__(zip_high)(b, d);
    NN__COLUMN(0, NN__(zip_low)(p, r));
    NN__COLUMN(1, NN__(zip_high)(p, r));
    NN__COLUMN(2, NN__(zip_low)(q, s));
    NN__COLUMN(3, NN__(zip_high)(q, s));
#undef NN__ROW_OF
#undef NN__COLUMN
}
#endif
NN__OP void NN__(transpose_square)(float *y, ptrdiff_t y_row, const float *x, ptrdiff_t x_row) {
    for (int j = 0; j < NN__LANES; j += 4)
        NN__(transpose_four)(y + j * y_row, y_row, NN__LANES, x + j, x_row, 4, false);
}
NN__OP void NN__(transpose_part)(float *y, ptrdiff_t y_row, const float *x, ptrdiff_t x_row,
                                 int rows, int columns) {
    for (int j = 0; j < columns; j += 4)
        NN__(transpose_four)(y + j * y_row, y_row, rows, x + j, x_row,
                             columns - j < 4 ? columns - j : 4, true);
}

/* ---- exp: at most 0.9 ulp of error (1.2 in plain C) ------------------------------------------ */

/* p 2^k, where k + 254, at least 0, is in the last bits of `whole`. Two steps make results below
   2^-126 right as well. At 0 the factor is 0: a product that underflows would take a hundred
   cycles, and rows are often padded with -infinity. */
#ifndef NN__OWN_POWER
NN__OP NN__F32 NN__(power)(NN__F32 p, NN__F32 whole) {
    const NN__I32 bits = NN__(bits)(whole), half = NN__(int_right)(bits, 1),
                 rest = NN__(int_sub)(bits, half);
    p = NN__(mul)(p, NN__(of_bits)(NN__(int_left)(half, 23)));
    return NN__(mul)(p, NN__(of_bits)(NN__(int_left)(rest, 23)));
}
#endif
/* x - k ln 2. Without fused products, the first part of ln 2 has so few bits that its product with
   k is exact. */
NN__OP NN__F32 NN__(less_ln2)(NN__F32 x, NN__F32 k) {
#ifdef NN__FUSED
    const float high = 0.693147182f, low = -1.90465430e-9f;
#else
    const float high = 0.693359375f, low = -2.12194440e-4f;
#endif
    return NN__(fnma)(k, NN__(all)(low), NN__(fnma)(k, NN__(all)(high), x));
}
/* x = k ln 2 + r with |r| <= ln 2 / 2. exp(r) is the best polynomial of degree six that begins with
   1 + r. Adding 1.5 2^23 rounds to k and leaves it in the last bits. NaN stays NaN. */
NN__OP NN__F32 NN__(exp)(NN__F32 x) {
    const NN__F32 add = NN__(all)(12582912.0f + 254.0f); /* 1.5 2^23 */
    x = NN__(smaller)(NN__(all)(89.0f), x); /* in this order NaN passes */
#ifdef NN__OWN_POWER
#undef NN__OWN_POWER /* NN__(power) itself handles small k */
#else
    x = NN__(larger)(NN__(all)(-176.1f), x);
#endif
    const NN__F32 whole = NN__(fma)(x, NN__(all)(1.44269504f), add);
    const NN__F32 r = NN__(less_ln2)(x, NN__(sub)(whole, add));
    NN__F32 p = NN__(horner)(NN__(all)(0.00138145674f), r, 0.00836873148f);
    p = NN__(horner)(p, r, 0.0416683890f);
    p = NN__(horner)(p, r, 0.166665211f);
    p = NN__(horner)(p, r, 0.499999940f);
    p = NN__(horner)(p, r, 1.0f);
    p = NN__(horner)(p, r, 1.0f);
    return NN__(power)(p, whole);
}

/* 1 / (1 + exp(-x)): at most 2.5 ulp of error; 0 below -88.72, where exp overflows. */
NN__OP NN__F32 NN__(sigmoid)(NN__F32 x) {
    const NN__F32 one = NN__(all)(1.0f);
    /* 0 - x instead of a flipped sign: a NaN keeps its sign, so that NaNs that meet later are
       equal */
    return NN__(div)(one, NN__(add)(one, NN__(exp)(NN__(sub)(NN__(all)(0.0f), x))));
}

/* ---- log: at most 0.8 ulp of error ----------------------------------------------------------- */

/* x = 2^k m with m in [sqrt(1/2), sqrt(2)); log m is the polynomial of Cephes' logf for m - 1.
   Right for subnormal numbers, 0 (-infinity), numbers below 0 (NaN), infinity and NaN. */
NN__OP NN__F32 NN__(log)(NN__F32 x) {
    const NN__F32 one = NN__(all)(1.0f), zero = NN__(all)(0.0f);
    const NN__B32 tiny = NN__(less)(x, NN__(all)(1.17549435e-38f));
    const NN__I32 bits =
        NN__(bits)(NN__(pick)(tiny, NN__(mul)(x, NN__(all)(8388608.0f)), x));
    const NN__I32 k = NN__(int_sub)(NN__(int_right)(bits, 23), NN__(int_all)(126));
    NN__F32 m = NN__(of_bits)(NN__(int_or)(NN__(int_and)(bits, NN__(int_all)(0x007fffff)),
                                         NN__(int_all)(0x3f000000))); /* [0.5, 1) */
    const NN__B32 low = NN__(less)(m, NN__(all)(0.707106781f));
    NN__F32 e = NN__(sub)(NN__(from_int)(k), NN__(pick)(low, one, zero));
    e = NN__(sub)(e, NN__(pick)(tiny, NN__(all)(23.0f), zero));
    m = NN__(sub)(NN__(add)(m, NN__(pick)(low, m, zero)), one);
    const NN__F32 z = NN__(mul)(m, m);
    NN__F32 p = NN__(horner)(NN__(all)(7.0376836292e-2f), m, -1.1514610310e-1f);
    p = NN__(horner)(p, m, 1.1676998740e-1f);
    p = NN__(horner)(p, m, -1.2420140846e-1f);
    p = NN__(horner)(p, m, 1.4249322787e-1f);
    p = NN__(horner)(p, m, -1.6668057665e-1f);
    p = NN__(horner)(p, m, 2.0000714765e-1f);
    p = NN__(horner)(p, m, -2.4999993993e-1f);
    p = NN__(horner)(p, m, 3.3333331174e-1f);
    p = NN__(mul)(NN__(mul)(p, m), z);
    p = NN__(fma)(e, NN__(all)(-2.12194440e-4f), p);
    p = NN__(fnma)(NN__(all)(0.5f), z, p);
    NN__F32 y = NN__(fma)(e, NN__(all)(0.693359375f), NN__(add)(m, p));
    const NN__F32 infinity = NN__(of_bits)(NN__(int_all)(0x7f800000));
    y = NN__(pick)(NN__(less)(x, infinity), y, x); /* infinity and NaN stay */
    y = NN__(pick)(NN__(equal)(x, zero), NN__(sub)(zero, infinity), y);
    return NN__(pick)(NN__(less)(x, zero), NN__(of_bits)(NN__(int_all)(-1)), y); /* a NaN */
}

/* ---- tanh: at most 2.3 ulp of error ---------------------------------------------------------- */

/* exp(r) - 1 by Taylor's series, |r| <= ln 2 / 2 */
NN__OP NN__F32 NN__(exp_rest)(NN__F32 r) {
    NN__F32 p = NN__(horner)(NN__(all)(1.0f / 5040.0f), r, 1.0f / 720.0f);
    p = NN__(horner)(p, r, 1.0f / 120.0f);
    p = NN__(horner)(p, r, 1.0f / 24.0f);
    p = NN__(horner)(p, r, 1.0f / 6.0f);
    p = NN__(horner)(p, r, 0.5f);
    return NN__(fma)(NN__(mul)(r, r), p, r);
}
/* exp(2 |x|) - 1 = 2^k (exp(r) - 1) + (2^k - 1), r as in exp: without cancellation. */
NN__OP NN__F32 NN__(tanh_power)(NN__F32 x) {
    const NN__F32 add = NN__(all)(12582912.0f + 127.0f);
    NN__F32 t = NN__(abs)(x);
    /* in this order NaN passes; from 9.1 on tanh is 1 */
    t = NN__(smaller)(NN__(all)(20.0f), NN__(add)(t, t));
    const NN__F32 whole = NN__(fma)(t, NN__(all)(1.44269504f), add);
    const NN__F32 p = NN__(exp_rest)(NN__(less_ln2)(t, NN__(sub)(whole, add)));
    const NN__F32 s = NN__(of_bits)(NN__(int_left)(NN__(bits)(whole), 23)); /* 2^k */
    return NN__(fma)(s, p, NN__(sub)(s, NN__(all)(1.0f)));
}
/* e / (e + 2) with e = tanh_power(x). -0 and subnormal numbers stay. */
NN__OP NN__F32 NN__(tanh)(NN__F32 x) {
    const NN__F32 e = NN__(tanh_power)(x);
    return NN__(with_sign)(NN__(div)(e, NN__(add)(e, NN__(all)(2.0f))), x);
}

/* ---- erf: at most 0.8 ulp of error (1 in plain C) -------------------------------------------- */

/* Uses nn__erf_pieces, without a division or exp. From 3.99 on the result is 1; NaN stays NaN. */
NN__OP NN__F32 NN__(erf)(NN__F32 x) {
    /* in this order NaN passes */
    const NN__F32 t = NN__(smaller)(NN__(all)(3.99f), NN__(abs)(x));
    const NN__I32 piece = NN__(to_int)(NN__(add)(t, t));
    const float *table = nn__erf_pieces[0];
    NN__HIDE(table);
    const NN__F32 d = NN__(sub)(t, NN__(look_up8)(table, piece));
    const NN__F32 base = NN__(pick)(NN__(less)(t, NN__(all)(0.5f)), t,
                                  NN__(look_up8)(table + 8, piece));
    NN__F32 q = NN__(look_up8)(table + 64, piece);
    q = NN__(fma)(q, d, NN__(look_up8)(table + 56, piece));
    q = NN__(fma)(q, d, NN__(look_up8)(table + 48, piece));
    q = NN__(fma)(q, d, NN__(look_up8)(table + 40, piece));
    q = NN__(fma)(q, d, NN__(look_up8)(table + 32, piece));
    q = NN__(fma)(q, d, NN__(look_up8)(table + 24, piece));
    q = NN__(fma)(q, d, NN__(look_up8)(table + 16, piece));
    return NN__(with_sign)(NN__(fma)(d, q, base), x);
}

/* ---- random numbers -------------------------------------------------------------------------- */

/* Draws 4 NN__LANES numbers: the words of NN__LANES counters of nn_random_words, from `counter` on
   and in their order, as by nn_word_to_uniform. */
NN__OP void NN__(uniform)(uint64_t seed, uint64_t stream, uint64_t counter, float *y) {
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
    int32_t counters[2][NN__LANES];
    for (int i = 0; i < NN__LANES; i++) {
        counters[0][i] = (int32_t)(uint32_t)(counter + (uint64_t)i);
        counters[1][i] = (int32_t)(uint32_t)((counter + (uint64_t)i) >> 32);
    }
    NN__I32 x0 = NN__(int_load)(counters[0]), x1 = NN__(int_load)(counters[1]);
    NN__I32 x2 = NN__(int_all)((int32_t)(uint32_t)stream);
    NN__I32 x3 = NN__(int_all)((int32_t)(uint32_t)(stream >> 32));
    for (int round = 0; round < 10; round++) {
        NN__I32 high0, high2;
        const NN__I32 low0 = NN__(int_product)(x0, NN__(int_all)((int32_t)0xD2511F53u), &high0);
        const NN__I32 low2 = NN__(int_product)(x2, NN__(int_all)((int32_t)0xCD9E8D57u), &high2);
        x0 = NN__(int_xor)(high2, NN__(int_xor)(x1, NN__(int_all)((int32_t)key0)));
        x1 = low2;
        x2 = NN__(int_xor)(high0, NN__(int_xor)(x3, NN__(int_all)((int32_t)key1)));
        x3 = low0;
        key0 += 0x9E3779B9u, key1 += 0xBB67AE85u;
    }
    const NN__F32 unit = NN__(all)(1.0f / 16777216.0f);
    const NN__F32 a = NN__(mul)(NN__(from_int)(NN__(int_right)(x0, 8)), unit);
    const NN__F32 b = NN__(mul)(NN__(from_int)(NN__(int_right)(x1, 8)), unit);
    const NN__F32 c = NN__(mul)(NN__(from_int)(NN__(int_right)(x2, 8)), unit);
    const NN__F32 d = NN__(mul)(NN__(from_int)(NN__(int_right)(x3, 8)), unit);
#if NN__LANES == 1
    y[0] = a, y[1] = b, y[2] = c, y[3] = d;
#else
    const NN__F32 ac = NN__(zip_low)(a, c), bd = NN__(zip_low)(b, d);
    const NN__F32 ac1 = NN__(zip_high)(a, c), bd1 = NN__(zip_high)(b, d);
    NN__(store)(y, NN__(zip_low)(ac, bd));
    NN__(store)(y + NN__LANES, NN__(zip_high)(ac, bd));
    NN__(store)(y + 2 * NN__LANES, NN__(zip_low)(ac1, bd1));
    NN__(store)(y + 3 * NN__LANES, NN__(zip_high)(ac1, bd1));
#endif
}

/* ---- rows: loops that several families share ------------------------------------------------- */

/* Returns the largest of n numbers; NaN if one is NaN. */
NN__OP float NN__(row_max)(const float *x, int n) {
    NN__F32 best = NN__(all)(-INFINITY), more = best;
    NN__B32 bad = NN__(none)();
    int i = 0;
    for (; i + 4 * NN__LANES <= n; i += 4 * NN__LANES) {
        const NN__F32 a = NN__(load)(x + i), b = NN__(load)(x + i + NN__LANES);
        const NN__F32 c = NN__(load)(x + i + 2 * NN__LANES), d = NN__(load)(x + i + 3 * NN__LANES);
        /* if one of a pair is NaN, they have no order */
        bad = NN__(either)(bad, NN__(either)(NN__(unordered)(a, b), NN__(unordered)(c, d)));
        best = NN__(larger)(best, NN__(larger)(a, b));
        more = NN__(larger)(more, NN__(larger)(c, d));
    }
    best = NN__(larger)(best, more);
    for (; i < n; i += NN__LANES) {
        const NN__F32 a = NN__(load_up_to)(x + i, n - i, -INFINITY);
        best = NN__(larger)(best, a);
        bad = NN__(either)(bad, NN__(unordered)(a, a));
    }
    return NN__(any)(bad) ? NAN : NN__(largest)(best);
}

/* Returns the sum of n numbers: four accumulators within a block, double over blocks. */
NN__OP double NN__(row_sum)(const float *x, int n) {
    double total = 0.0;
    int i = 0;
    do {
        const int end = n - i < 128 * NN__LANES ? n : i + 128 * NN__LANES;
        NN__F32 a = NN__(all)(0.0f), b = a, c = a, d = a;
        for (; i + 4 * NN__LANES <= end; i += 4 * NN__LANES) {
            a = NN__(add)(a, NN__(load)(x + i));
            b = NN__(add)(b, NN__(load)(x + i + NN__LANES));
            c = NN__(add)(c, NN__(load)(x + i + 2 * NN__LANES));
            d = NN__(add)(d, NN__(load)(x + i + 3 * NN__LANES));
        }
        for (; i < end; i += NN__LANES)
            a = NN__(add)(a, NN__(load_up_to)(x + i, end - i, 0.0f));
        total += (double)NN__(sum)(NN__(add)(NN__(add)(a, b), NN__(add)(c, d)));
    } while (i < n);
    return total;
}

/* Returns the sum of x[i] y[i] in the same way. */
NN__OP double NN__(row_dot)(const float *x, const float *y, int n) {
    double total = 0.0;
    int i = 0;
    do {
        const int end = n - i < 128 * NN__LANES ? n : i + 128 * NN__LANES;
        NN__F32 a = NN__(all)(0.0f), b = a, c = a, d = a;
        for (; i + 4 * NN__LANES <= end; i += 4 * NN__LANES) {
            a = NN__(fma)(NN__(load)(x + i), NN__(load)(y + i), a);
            b = NN__(fma)(NN__(load)(x + i + NN__LANES), NN__(load)(y + i + NN__LANES), b);
            c = NN__(fma)(NN__(load)(x + i + 2 * NN__LANES), NN__(load)(y + i + 2 * NN__LANES), c);
            d = NN__(fma)(NN__(load)(x + i + 3 * NN__LANES), NN__(load)(y + i + 3 * NN__LANES), d);
        }
        for (; i < end; i += NN__LANES)
            a = NN__(fma)(NN__(load_up_to)(x + i, end - i, 0.0f),
                          NN__(load_up_to)(y + i, end - i, 0.0f), a);
        total += (double)NN__(sum)(NN__(add)(NN__(add)(a, b), NN__(add)(c, d)));
    } while (i < n);
    return total;
}

/* Eight sums or products in double, joined in the same order on every set. */
#ifdef NN__OWN_DOUBLES
#undef NN__OWN_DOUBLES
#else
NN__INLINE void NN__(doubles8)(double *lanes, const float *x, int n, const bool squares) {
    double a = squares ? 0.0 : 1.0, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    for (int i = 0; i < n; i += 8) {
        const double p = (double)x[i], q = (double)x[i + 1], r = (double)x[i + 2],
                     s = (double)x[i + 3], t = (double)x[i + 4], u = (double)x[i + 5],
                     v = (double)x[i + 6], w = (double)x[i + 7];
        if (squares) {
            a += p * p, b += q * q, c += r * r, d += s * s;
            e += t * t, f += u * u, g += v * v, h += w * w;
        } else {
            a *= p, b *= q, c *= r, d *= s;
            e *= t, f *= u, g *= v, h *= w;
        }
    }
    lanes[0] = a, lanes[1] = b, lanes[2] = c, lanes[3] = d;
    lanes[4] = e, lanes[5] = f, lanes[6] = g, lanes[7] = h;
}
#endif
NN__OP double NN__(squares8)(const float *x, int n) {
    double l[8];
    NN__(doubles8)(l, x, n, true);
    return ((l[0] + l[4]) + (l[1] + l[5])) + ((l[2] + l[6]) + (l[3] + l[7]));
}
/* Returns p q, or 0 if it is below the smallest double: processors take long to find that. */
NN__OP double NN__(times)(double p, double q) {
    if (fabs(p) < 1e-170 && fabs(q) < 1e-170) return copysign(0.0, p) * copysign(1.0, q);
    return p * q;
}
NN__OP double NN__(product8)(const float *x, int n) {
    double l[8];
    NN__(doubles8)(l, x, n, false);
    return NN__(times)(NN__(times)(NN__(times)(l[0], l[4]), NN__(times)(l[1], l[5])),
                       NN__(times)(NN__(times)(l[2], l[6]), NN__(times)(l[3], l[7])));
}

/* Returns the sum of squares of x, in double: the same bytes on every set. */
NN__OP double NN__(row_squares)(const float *x, int n) {
    const int whole = n / 8 * 8;
    double rest = 0.0;
    for (int i = whole; i < n; i++) rest += (double)x[i] * (double)x[i];
    return NN__(squares8)(x, whole) + rest;
}

NN__OP void NN__(row_scale)(float *y, float share, int n) {
    const NN__F32 s = NN__(all)(share);
    int i = 0;
    for (; i + NN__LANES <= n; i += NN__LANES)
        NN__(store)(y + i, NN__(mul)(NN__(load)(y + i), s));
    if (i < n)
        NN__(store_some)(y + i, n - i, NN__(mul)(NN__(load_some)(y + i, n - i, 0.0f), s));
}

/* y = exp(x - shift); y may be NULL. Returns their sum. */
NN__OP float NN__(row_exp)(float *y, const float *x, float shift, int n) {
    const NN__F32 s = NN__(all)(shift);
    double total = 0.0;
    int i = 0;
    do {
        const int end = n - i < 128 * NN__LANES ? n : i + 128 * NN__LANES;
        NN__F32 sum = NN__(all)(0.0f), more = sum;
        for (; i + 2 * NN__LANES <= end; i += 2 * NN__LANES) {
            const NN__F32 a = NN__(exp)(NN__(sub)(NN__(load)(x + i), s));
            const NN__F32 b = NN__(exp)(NN__(sub)(NN__(load)(x + i + NN__LANES), s));
            if (y) {
                NN__(store)(y + i, a);
                NN__(store)(y + i + NN__LANES, b);
            }
            sum = NN__(add)(sum, a);
            more = NN__(add)(more, b);
        }
        for (; i < end; i += NN__LANES) { /* exp(-infinity) = 0 fills the tail */
            const NN__F32 a = NN__(exp)(NN__(sub)(NN__(load_up_to)(x + i, end - i, -INFINITY), s));
            if (y) NN__(store_up_to)(y + i, end - i, a);
            sum = NN__(add)(sum, a);
        }
        total += (double)NN__(sum)(NN__(add)(sum, more));
    } while (i < n);
    return (float)total;
}
#endif
