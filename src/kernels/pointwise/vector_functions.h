/* kernels/pointwise/vector_functions.h - the functions that cpu/vector.h does not have. If a float
   is not precise enough for a step, the number is the sum of two floats, which needs fused
   products. Arguments outside of a formula's range go one by one to the C library. Part of
   kernels/pointwise/vector.h. */
#ifdef NN__SET

/* Returns f(a, b) in the lanes of `where`, else y. This is rare. */
static NN__UNUSED NN__F32 NN__(by_lanes)(float (*f)(float a, float b, float c), NN__F32 a,
                                         NN__F32 b, NN__F32 y, NN__B32 where) {
    float from[NN__LANES], by[NN__LANES], to[NN__LANES], chosen[NN__LANES];
    NN__(store)(from, a);
    NN__(store)(by, b);
    NN__(store)(to, y);
    NN__(store)(chosen, NN__(truth)(where));
    for (int i = 0; i < NN__LANES; i++)
        if (chosen[i] != 0.0f) to[i] = f(from[i], by[i], 0.0f);
    return NN__(load)(to);
}

/* ---- exp and log ----------------------------------------------------------------------------- */

/* log(u) with u = 1 + x, plus the rounding error of u divided by u. */
NN__OP NN__F32 NN__(log1p)(NN__F32 x) {
    const NN__F32 one = NN__(all)(1.0f), u = NN__(add)(x, one);
    const NN__F32 lost = NN__(div)(NN__(sub)(x, NN__(sub)(u, one)), u);
    const NN__B32 inside = NN__(both)(NN__(less)(NN__(all)(0.0f), u),
                                      NN__(less)(u, NN__(all)(1e9f)));
    const NN__F32 y = NN__(add)(NN__(log)(u), NN__(keep)(inside, lost));
    /* x is below half an ulp; -0 stays */
    return NN__(pick)(NN__(equal)(u, one), x, y);
}

/* max(x, 0) + log(1 + e) with e = exp(-|x|) <= 1. The logarithm is 2 atanh(s) with s = e / (2 + e)
   <= 1/3, by a polynomial in s^2 that interpolates at Chebyshev nodes. */
NN__OP NN__F32 NN__(softplus)(NN__F32 x) {
    const NN__F32 e = NN__(exp)(NN__(minus)(NN__(abs)(x)));
    const NN__F32 s = NN__(div)(e, NN__(add)(NN__(all)(2.0f), e)), t = NN__(mul)(s, s);
    NN__F32 p = NN__(horner)(NN__(all)(0.232243284f), t, 0.21706576f);
    p = NN__(horner)(p, t, 0.28592358f);
    p = NN__(horner)(p, t, 0.399997063f);
    p = NN__(horner)(p, t, 0.666666673f);
    p = NN__(fma)(NN__(mul)(s, t), p, NN__(add)(s, s));
    return NN__(add)(NN__(keep)(NN__(less)(NN__(all)(0.0f), x), x), p);
}

/* x = k ln 2 + r as in exp; the result is 2^k (exp(r) - 1) + (2^k - 1). -0 stays. If 2^k overflows,
   half of it does not. */
NN__OP NN__F32 NN__(expm1)(NN__F32 x) {
    const NN__F32 add = NN__(all)(12582912.0f + 126.0f);
    NN__F32 t = NN__(smaller)(NN__(all)(89.0f), x); /* in this order NaN stays */
    t = NN__(larger)(NN__(all)(-30.0f), t);
    const NN__F32 bits = NN__(fma)(t, NN__(all)(1.44269504f), add);
    const NN__F32 p = NN__(exp_rest)(NN__(less_ln2)(t, NN__(sub)(bits, add)));
    const NN__F32 s = NN__(of_bits)(NN__(int_left)(NN__(bits)(bits), 23));
    const NN__F32 y = NN__(fma)(s, p, NN__(sub)(s, NN__(all)(0.5f)));
    return NN__(with_sign)(NN__(add)(y, y), x);
}

/* ---- angles ---------------------------------------------------------------------------------- */

/* x = n pi/2 + turn + *rest, |turn| at most about pi/4, n in the last bits of *turns. Up to
   NN__TURN_LIMIT, n times the first part of pi/2 is exact inside the FMA, and no float is closer
   than 2^-30 to a multiple of pi/2. */
NN__OP NN__F32 NN__(turn)(NN__F32 x, NN__I32 *turns, NN__F32 *rest) {
    const NN__F32 add = NN__(all)(12582912.0f), low = NN__(all)(-4.37113883e-08f);
    const NN__F32 whole = NN__(fma)(x, NN__(all)(0.636619772f), add), n = NN__(sub)(whole, add);
    const NN__F32 r = NN__(fnma)(n, NN__(all)(1.57079637f), x), h = NN__(fnma)(n, low, r);
    const NN__F32 l = NN__(fnma)(n, NN__(all)(-1.71512451e-15f),
                                 NN__(fnma)(n, low, NN__(sub)(r, h)));
    const NN__F32 turn = NN__(add)(h, l);
    *turns = NN__(bits)(whole);
    *rest = NN__(add)(NN__(sub)(h, turn), l);
    return turn;
}
NN__OP NN__B32 NN__(beyond)(NN__F32 x) { return NN__(less)(NN__(all)(65536.0f), NN__(abs)(x)); }
NN__OP NN__B32 NN__(odd)(NN__I32 a) {
    const NN__I32 one = NN__(int_all)(1);
    return NN__(int_equal)(NN__(int_and)(a, one), one);
}

/* sin(x), or with quarter = 1 cos(x) = sin(x + pi/2). The error is at most 1.6 ulp. The polynomials
   of sin and cos on [-pi/4, pi/4] are minimax. */
NN__OP NN__F32 NN__(wave)(NN__F32 x, int quarter) {
    NN__I32 turns;
    NN__F32 rest;
    const NN__F32 t = NN__(turn)(x, &turns, &rest), z = NN__(mul)(t, t);
    turns = NN__(int_add)(turns, NN__(int_all)(quarter));
    NN__F32 s = NN__(horner)(NN__(all)(-1.95169775e-4f), z, 8.33217585e-3f);
    NN__F32 c = NN__(horner)(NN__(all)(2.4432785e-5f), z, -1.38873131e-3f);
    s = NN__(horner)(s, z, -0.166666549f);
    c = NN__(horner)(c, z, 0.0416666456f);
    s = NN__(fma)(NN__(mul)(z, t), s, t);
    c = NN__(horner)(c, z, -0.5f);
    c = NN__(horner)(c, z, 1.0f);
    const NN__I32 sign = NN__(int_left)(NN__(int_right)(turns, 1), 31);
    const NN__F32 y = NN__(pick)(NN__(odd)(turns), c, s);
    return NN__(of_bits)(NN__(int_xor)(NN__(bits)(y), sign));
}
#ifndef NN__FUSED
/* Without fused products the steps above are not precise enough. */
NN__OP NN__F32 NN__(by_doubles)(double (*f)(double x), NN__F32 a) {
    float numbers[NN__LANES];
    NN__(store)(numbers, a);
    for (int i = 0; i < NN__LANES; i++) numbers[i] = (float)f((double)numbers[i]);
    return NN__(load)(numbers);
}
NN__OP NN__F32 NN__(sin)(NN__F32 x) {
    return NN__(pick)(NN__(is_zero)(x), x, NN__(by_doubles)(nn__sin, x)); /* -0 stays */
}
NN__OP NN__F32 NN__(cos)(NN__F32 x) { return NN__(by_doubles)(nn__cos, x); }
NN__OP NN__F32 NN__(tan)(NN__F32 x) {
    return NN__(pick)(NN__(is_zero)(x), x, NN__(by_doubles)(nn__tan, x));
}
#else
NN__OP NN__F32 NN__(sin)(NN__F32 x) {
    const NN__F32 y = NN__(pick)(NN__(is_zero)(x), x, NN__(wave)(x, 0)); /* -0 stays */
    const NN__B32 beyond = NN__(beyond)(x);
    return NN__(any)(beyond) ? NN__(by_lanes)(nn__value_SIN_plain, x, x, y, beyond) : y;
}
NN__OP NN__F32 NN__(cos)(NN__F32 x) {
    const NN__F32 y = NN__(wave)(x, 1);
    const NN__B32 beyond = NN__(beyond)(x);
    return NN__(any)(beyond) ? NN__(by_lanes)(nn__value_COS_plain, x, x, y, beyond) : y;
}

/* tan of turn + rest by a minimax polynomial, as v + more; after an odd number of quarter turns -1
   / tan. */
NN__OP NN__F32 NN__(tan)(NN__F32 x) {
    const NN__F32 one = NN__(all)(1.0f);
    NN__I32 turns;
    NN__F32 rest;
    const NN__F32 t = NN__(turn)(x, &turns, &rest), z = NN__(mul)(t, t);
    NN__F32 p = NN__(horner)(NN__(all)(0.00392749114f), z, 0.00104175054f);
    p = NN__(horner)(p, z, 0.0100529157f);
    p = NN__(horner)(p, z, 0.0215949845f);
    p = NN__(horner)(p, z, 0.0539978184f);
    p = NN__(horner)(p, z, 0.133332148f);
    p = NN__(horner)(p, z, 0.333333343f);
    const NN__F32 u = NN__(mul)(NN__(mul)(t, z), p), v = NN__(add)(t, u);
    rest = NN__(fma)(rest, NN__(fma)(v, v, one), NN__(add)(NN__(sub)(t, v), u));
    const NN__F32 q = NN__(div)(NN__(all)(-1.0f), v);
    const NN__F32 lost = NN__(fma)(q, rest, NN__(fma)(q, v, one));
    NN__F32 y = NN__(pick)(NN__(odd)(turns), NN__(fma)(q, lost, q), NN__(add)(v, rest));
    y = NN__(pick)(NN__(is_zero)(x), x, y);
    const NN__B32 beyond = NN__(beyond)(x);
    return NN__(any)(beyond) ? NN__(by_lanes)(nn__value_TAN_plain, x, x, y, beyond) : y;
}

#endif

/* atan2(y, x). q, the smaller of |x| and |y| divided by the larger, has an angle in [0, pi/4], by a
   minimax polynomial with an error of 2^-28. The quadrant adds a multiple of pi/2, in two parts,
   and may change the sign. The error is at most 1.7 ulp. */
NN__OP NN__F32 NN__(atan2)(NN__F32 y, NN__F32 x) {
    const NN__F32 zero = NN__(all)(0.0f), b = NN__(abs)(x), a = NN__(abs)(y);
    const NN__F32 larger = NN__(larger)(a, b), sum = NN__(add)(a, b);
    const NN__B32 steep = NN__(less)(b, a);
    /* equal, even if both are infinite */
    NN__F32 q = NN__(pick)(NN__(equal)(a, b), NN__(all)(1.0f),
                           NN__(div)(NN__(smaller)(a, b), larger));
    q = NN__(drop)(NN__(is_zero)(larger), q);
    const NN__F32 z = NN__(mul)(q, q);
    NN__F32 p = NN__(horner)(NN__(all)(-0.00179362031f), z, 0.0109145996f);
    p = NN__(horner)(p, z, -0.0311778345f);
    p = NN__(horner)(p, z, 0.0579575823f);
    p = NN__(horner)(p, z, -0.0840344968f);
    p = NN__(horner)(p, z, 0.109521856f);
    p = NN__(horner)(p, z, -0.142642416f);
    p = NN__(horner)(p, z, 0.199985483f);
    p = NN__(horner)(p, z, -0.333332991f);
    p = NN__(fma)(NN__(mul)(z, q), p, q);
    /* steep: pi/2 - p, or pi/2 + p on the left; else p, or pi - p on the left */
    const NN__B32 left = NN__(int_less)(NN__(bits)(x), NN__(int_all)(0));
    const NN__F32 turned = NN__(minus)(p);
    p = NN__(pick)(steep, NN__(pick)(left, p, turned), NN__(pick)(left, turned, p));
    const NN__F32 pi = NN__(keep)(left, NN__(all)(3.14159274f));
    const NN__F32 rest = NN__(keep)(left, NN__(all)(-8.74227766e-8f));
    p = NN__(add)(p, NN__(pick)(steep, NN__(all)(-4.37113883e-8f), rest));
    p = NN__(add)(p, NN__(pick)(steep, NN__(all)(1.57079637f), pi));
    p = NN__(with_sign)(p, y);
    return NN__(pick)(NN__(unordered)(sum, zero), sum, p);
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* log2 of |a| as y + *rest, with a relative error of 2^-38: |a| = 2^e m with m in [sqrt(1/2),
   sqrt(2)), s = (m - 1) / (m + 1), log2 m = s (2 / ln 2 + s^2 (2 / (3 ln 2) + s^2 p)). */
NN__OP NN__F32 NN__(log2_parts)(NN__F32 a, NN__F32 *rest) {
    const NN__F32 one = NN__(all)(1.0f), zero = NN__(all)(0.0f), x = NN__(abs)(a);
    const NN__B32 tiny = NN__(less)(x, NN__(all)(1.17549435e-38f));
    const NN__I32 bits = NN__(bits)(NN__(pick)(tiny, NN__(mul)(x, NN__(all)(8388608.0f)), x));
    NN__F32 m = NN__(of_bits)(NN__(int_or)(NN__(int_and)(bits, NN__(int_all)(0x007fffff)),
                                           NN__(int_all)(0x3f000000))); /* [0.5, 1) */
    const NN__B32 low = NN__(less)(m, NN__(all)(0.707106781f));
    NN__F32 e = NN__(from_int)(NN__(int_sub)(NN__(int_right)(bits, 23), NN__(int_all)(126)));
    e = NN__(sub)(NN__(sub)(e, NN__(keep)(low, one)), NN__(keep)(tiny, NN__(all)(23.0f)));
    m = NN__(add)(m, NN__(keep)(low, m));
    const NN__F32 f = NN__(sub)(m, one), g = NN__(add)(m, one), r = NN__(div)(one, g);
    const NN__F32 s = NN__(mul)(f, r);
    const NN__F32 s1 = NN__(mul)(r, NN__(fnma)(s, NN__(sub)(m, NN__(sub)(g, one)),
                                               NN__(fnma)(s, g, f)));
    /* s, its square w and the following values have a second part, whose name ends in 1 */
    const NN__F32 w = NN__(mul)(s, s);
    const NN__F32 w1 = NN__(fma)(NN__(add)(s, s), s1, NN__(fma)(s, s, NN__(minus)(w)));
    NN__F32 p = NN__(horner)(NN__(all)(0.275973707f), w, 0.320342422f);
    p = NN__(horner)(p, w, 0.412200123f);
    p = NN__(horner)(p, w, 0.577078044f);
    const NN__F32 third = NN__(all)(0.961796701f), two = NN__(all)(2.88539004f);
    const NN__F32 q = NN__(fma)(w, p, third);
    const NN__F32 q1 = NN__(sub)(NN__(fma)(w, p, NN__(sub)(third, q)), NN__(all)(7.02846181e-9f));
    const NN__F32 u = NN__(mul)(w, q);
    const NN__F32 u1 = NN__(fma)(w1, q, NN__(fma)(w, q1, NN__(fma)(w, q, NN__(minus)(u))));
    const NN__F32 v = NN__(add)(two, u);
    const NN__F32 v1 = NN__(add)(NN__(add)(NN__(sub)(two, v), u),
                                 NN__(add)(u1, NN__(all)(3.85192607e-8f)));
    const NN__F32 l = NN__(mul)(s, v);
    const NN__F32 l1 = NN__(fma)(s1, v, NN__(fma)(s, v1, NN__(fma)(s, v, NN__(minus)(l))));
    const NN__F32 y = NN__(add)(e, l);
    *rest = NN__(add)(NN__(add)(NN__(sub)(e, y), l), l1);
    /* 0, infinity and NaN */
    const NN__F32 infinity = NN__(of_bits)(NN__(int_all)(0x7f800000));
    const NN__B32 inside = NN__(both)(NN__(less)(zero, x), NN__(less)(x, infinity));
    *rest = NN__(keep)(inside, *rest);
    return NN__(pick)(inside, y, NN__(pick)(NN__(is_zero)(x), NN__(minus)(infinity), x));
}

/* Returns p 2^k in two steps; whole is k + 1.5 2^23. */
NN__OP NN__F32 NN__(times_power)(NN__F32 p, NN__F32 whole) {
    return NN__(power)(p, NN__(add)(whole, NN__(all)(254.0f)));
}

/* Returns 2^(t + rest), with rest below an ulp of t. NaN stays NaN. */
NN__OP NN__F32 NN__(two_to)(NN__F32 t, NN__F32 rest) {
    const NN__F32 add = NN__(all)(12582912.0f), limit = NN__(all)(160.0f);
    const NN__B32 inside = NN__(less)(NN__(abs)(t), limit);
    t = NN__(smaller)(limit, t); /* in this order NaN stays */
    t = NN__(larger)(NN__(minus)(limit), t);
    const NN__F32 whole = NN__(add)(t, add), k = NN__(sub)(whole, add);
    const NN__F32 f = NN__(add)(NN__(sub)(t, k), NN__(keep)(inside, rest));
    NN__F32 p = NN__(horner)(NN__(all)(1.53533618e-4f), f, 1.33988744e-3f);
    p = NN__(horner)(p, f, 9.61843736e-3f);
    p = NN__(horner)(p, f, 5.55033247e-2f);
    p = NN__(horner)(p, f, 0.240226479f);
    p = NN__(horner)(p, f, 0.693147203f);
    p = NN__(horner)(p, f, 1.0f);
    return NN__(times_power)(p, whole);
}

/* a^b for a that is positive, finite and not 1; l + l1 is its logarithm to base 2. */
NN__OP NN__F32 NN__(power_by_positive)(NN__F32 a, NN__F32 b, NN__F32 l, NN__F32 l1) {
    const NN__F32 t = NN__(mul)(b, l);
    (void)a;
    return NN__(two_to)(t, NN__(fma)(b, l1, NN__(fma)(b, l, NN__(minus)(t))));
}
/* a^b as C's powf, with an error of at most 1.1 ulp; l + l1 is the logarithm of |a| to base 2. */
NN__OP NN__F32 NN__(power_by)(NN__F32 a, NN__F32 b, NN__F32 l, NN__F32 l1) {
    const NN__F32 one = NN__(all)(1.0f), zero = NN__(all)(0.0f);
    const NN__F32 infinity = NN__(of_bits)(NN__(int_all)(0x7f800000));
    const NN__F32 size = NN__(abs)(a);
    NN__F32 y = NN__(power_by_positive)(a, b, l, l1);
    const NN__B32 negative = NN__(int_less)(NN__(bits)(a), NN__(int_all)(0));
    if (NN__(any)(negative)) { /* NaN for a negative number and a b that is no integer */
        const NN__F32 half = NN__(mul)(b, NN__(all)(0.5f));
        const NN__B32 whole = NN__(equal)(NN__(round)(b), b);
        const NN__B32 odd = NN__(both)(whole, NN__(not)(NN__(equal)(NN__(round)(half), half)));
        const NN__B32 broken = NN__(both)(NN__(less)(a, zero), NN__(less)(size, infinity));
        y = NN__(pick)(NN__(both)(negative, odd), NN__(minus)(y), y);
        y = NN__(pick)(NN__(both)(broken, NN__(not)(whole)), NN__(of_bits)(NN__(int_all)(-1)), y);
    }
    const NN__B32 certain =
        NN__(both)(NN__(equal)(size, one),
                   NN__(either)(NN__(less)(zero, a), NN__(equal)(NN__(abs)(b), infinity)));
    return NN__(pick)(NN__(either)(certain, NN__(is_zero)(b)), one, y);
}

#ifndef NN__FUSED
NN__OP NN__F32 NN__(power_of)(NN__F32 a, NN__F32 b) {
    float base[NN__LANES], exponent[NN__LANES];
    NN__(store)(base, a);
    NN__(store)(exponent, b);
    for (int i = 0; i < NN__LANES; i++) base[i] = nn__power(base[i], exponent[i]);
    return NN__(load)(base);
}
NN__OP NN__F32 NN__(log2)(NN__F32 x) { return NN__(by_doubles)(nn__log2, x); }
NN__OP NN__F32 NN__(log10)(NN__F32 x) { return NN__(by_doubles)(nn__log10, x); }
#else
NN__OP NN__F32 NN__(power_of)(NN__F32 a, NN__F32 b) {
    NN__F32 l1;
    const NN__F32 l = NN__(log2_parts)(a, &l1);
    return NN__(power_by)(a, b, l, l1);
}

/* The logarithm of an integer power of the base is exact. */
NN__OP NN__F32 NN__(log2)(NN__F32 x) {
    NN__F32 rest;
    const NN__F32 y = NN__(log2_parts)(x, &rest);
    return NN__(pick)(NN__(less)(x, NN__(all)(0.0f)), NN__(of_bits)(NN__(int_all)(-1)),
                      NN__(add)(y, rest));
}
NN__OP NN__F32 NN__(log10)(NN__F32 x) {
    const NN__F32 unit = NN__(all)(0.30103001f);
    NN__F32 l1;
    const NN__F32 l = NN__(log2_parts)(x, &l1), y = NN__(mul)(l, unit);
    l1 = NN__(fma)(l1, unit, NN__(fma)(l, NN__(all)(-1.43209888e-8f),
                                       NN__(fma)(l, unit, NN__(minus)(y))));
    const NN__B32 infinite = NN__(unordered)(l1, l1); /* as l is */
    l1 = NN__(add)(y, NN__(drop)(infinite, l1));
    return NN__(pick)(NN__(less)(x, NN__(all)(0.0f)), NN__(of_bits)(NN__(int_all)(-1)), l1);
}

#endif

/* As C's hypotf: both are divided by a power of two near the larger one, so no square overflows.
   With infinity and NaN the result is infinity. */
NN__OP NN__F32 NN__(hypot)(NN__F32 a, NN__F32 b) {
    const NN__F32 p = NN__(abs)(a), q = NN__(abs)(b), sum = NN__(add)(p, q);
    const NN__F32 infinity = NN__(of_bits)(NN__(int_all)(0x7f800000));
    NN__F32 power = NN__(of_bits)(NN__(int_and)(NN__(bits)(NN__(larger)(p, q)),
                                                NN__(int_all)(0x7f800000)));
    power = NN__(smaller)(power, NN__(all)(8.50705917e37f));  /* 2^126 */
    power = NN__(larger)(power, NN__(all)(1.17549435e-38f)); /* 2^-126 */
    const NN__F32 by = NN__(of_bits)(NN__(int_sub)(NN__(int_all)(0x7f000000), NN__(bits)(power)));
    const NN__F32 r = NN__(mul)(p, by), s = NN__(mul)(q, by);
    NN__F32 y = NN__(mul)(NN__(sqrt)(NN__(fma)(r, r, NN__(mul)(s, s))), power);
    y = NN__(pick)(NN__(unordered)(sum, sum), sum, y);
    return NN__(pick)(NN__(either)(NN__(equal)(p, infinity), NN__(equal)(q, infinity)), infinity,
                      y);
}

/* Returns x - n d for a whole number n below 2^24, if the result is a float. */
#ifdef NN__FUSED
NN__OP NN__F32 NN__(less_times)(NN__F32 x, NN__F32 n, NN__F32 d) { return NN__(fnma)(n, d, x); }
#else
NN__OP NN__F32 NN__(less_times)(NN__F32 x, NN__F32 n, NN__F32 d) { /* exact as doubles */
    float from[NN__LANES], times[NN__LANES], by[NN__LANES];
    NN__(store)(from, x);
    NN__(store)(times, n);
    NN__(store)(by, d);
    for (int i = 0; i < NN__LANES; i++)
        from[i] = (float)((double)from[i] - (double)times[i] * (double)by[i]);
    return NN__(load)(from);
}
#endif
/* torch.remainder, exact. The quotient of |a| and |b|, rounded and truncated, is the true one or 1
   more, which shows in the sign of the remainder; both remainders are floats. This holds for
   quotients below 2^23; larger ones, NaN and infinities go to the C library. */
NN__OP NN__F32 NN__(remainder)(NN__F32 a, NN__F32 b) {
    const NN__F32 zero = NN__(all)(0.0f), x = NN__(abs)(a), d = NN__(abs)(b);
    const NN__F32 quotient = NN__(div)(x, d);
    NN__F32 r = NN__(less_times)(x, NN__(floor)(quotient), d);
    r = NN__(add)(r, NN__(keep)(NN__(less)(r, zero), d));
    r = NN__(with_sign)(NN__(pick)(NN__(less)(x, d), x, r), a); /* b is infinite */
    const NN__F32 turned = NN__(mul)(NN__(with_sign)(NN__(all)(1.0f), r), b);
    r = NN__(pick)(NN__(both)(NN__(less)(turned, zero), NN__(not)(NN__(is_zero)(r))),
                   NN__(add)(r, b), r);
    const NN__B32 beyond = NN__(not)(NN__(less)(quotient, NN__(all)(8388608.0f)));
    return NN__(any)(beyond) ? NN__(by_lanes)(nn__value_REMAINDER_plain, a, b, r, beyond) : r;
}
#endif
