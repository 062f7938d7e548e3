/* base/functions.c - the functions of base/functions.h. */
#include "base/functions.h"

#include <math.h>

NN__UNFUSED_BEGIN

static uint64_t nn__double_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static double nn__of_double_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
/* 2^k for a normal result. */
static double nn__power_of_two(int k) { return nn__of_double_bits((uint64_t)(k + 1023) << 52); }

/* ln 2 in two parts; products of the first with whole numbers below 2^20 are exact. */
#define NN__LN2_HIGH 0.6931471803691238
#define NN__LN2_LOW  1.9082149292705877e-10

/* x = k ln 2 + r with |r| <= ln 2 / 2; exp(r) by Taylor's series, with a remainder below 1e-17. */
static NN__APART double nn__exp_of(double x) {
    static const double factorials[13] = {/* 1 / 14!, 1 / 13!, ... 1 / 2! */
                                          1.1470745597729725e-11,
                                          1.6059043836821613e-10,
                                          2.08767569878681e-09,
                                          2.505210838544172e-08,
                                          2.755731922398589e-07,
                                          2.7557319223985893e-06,
                                          2.48015873015873e-05,
                                          0.0001984126984126984,
                                          0.001388888888888889,
                                          0.008333333333333333,
                                          0.041666666666666664,
                                          0.16666666666666666,
                                          0.5};
    if (!(x == x)) return x;
    if (x > 709.782712893384) return x * HUGE_VAL; /* infinity */
    if (x < -745.2) return 0.0;
    const double whole = floor(x * 1.4426950408889634 + 0.5);
    const double r = (x - whole * NN__LN2_HIGH) - whole * NN__LN2_LOW;
    double sum = 0.0;
    for (int i = 0; i < 13; i++) sum = sum * r + factorials[i];
    sum = 1.0 + (r + r * r * sum);
    const int k = (int)whole, half = k / 2; /* two steps: subnormal results, and 2^1024 */
    return sum * nn__power_of_two(half) * nn__power_of_two(k - half);
}

/* x = 2^k m with m in [sqrt(1/2), sqrt(2)), and log m = 2 atanh(s) with s = (m - 1) / (m + 1). */
static NN__APART double nn__log_of(double x) {
    if (!(x > 0.0)) return x == 0.0 ? -HUGE_VAL : x == x ? HUGE_VAL - HUGE_VAL : x;
    if (x - x != 0.0) return x; /* infinity */
    int k = 0;
    if (x < 2.2250738585072014e-308) {
        x *= 18014398509481984.0; /* 2^54 */
        k = -54;
    }
    const uint64_t bits = nn__double_bits(x);
    double m = nn__of_double_bits((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
    k += (int)(bits >> 52) - 1023;
    if (m > 1.4142135623730951) {
        m *= 0.5;
        k++;
    }
    const double f = m - 1.0, s = f / (2.0 + f), t = s * s;
    double sum = 0.0;
    for (int i = 23; i > 1; i -= 2) sum = (sum + 1.0 / i) * t;
    /* log m = f - s (f - 2 sum), since f = s (2 + f) */
    const double log_m = f - s * (f - 2.0 * sum);
    return k * NN__LN2_HIGH + (k * NN__LN2_LOW + log_m);
}

/* Computes the sine or cosine of an angle below pi / 4, by Taylor's series. */
static double nn__sine_near(double r, bool cosine) {
    const double t = r * r;
    double sum = 1.0;
    for (int i = cosine ? 18 : 19; i > 2; i -= 2) sum = 1.0 - sum * t / (i * (i - 1));
    return cosine ? 1.0 - sum * t / 2.0 : r * sum;
}

/* Returns x - n pi / 2, at most about pi / 4, and *quarter: n modulo 4. For 2^20 <= |x| < 2^128.
   x = m 2^e with a whole number m. Bits of 2 / pi that are worth 4 or more, times 2^e, do not
   matter, so the product of m with the 192 bits after them is x 2 / pi modulo 4, times 2^190. */
static double nn__turn_far(double x, int *quarter) {
    static const uint32_t two_by_pi[11] = {/* the first two words are before the point */
                                           0,           0,           0xa2f9836eu, 0x4e441529u,
                                           0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
                                           0xfe5163abu, 0xdebbc561u, 0xb7246e3au};
    const uint64_t bits = nn__double_bits(x), m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    const int first = (int)(bits >> 52 & 0x7ff) - 1075 - 2 + 64; /* bit of the table */
    const int word = first / 32, shift = first % 32;
    uint32_t window[6], product[6]; /* the lowest words come first */
    for (int i = 0; i < 6; i++) {
        const uint64_t two = (uint64_t)two_by_pi[word + 5 - i] << 32 | two_by_pi[word + 6 - i];
        window[i] = (uint32_t)(two << shift >> 32);
    }
    uint64_t carry = 0;
    for (int i = 0; i < 6; i++) {
        const uint64_t low = (uint64_t)window[i] * (uint32_t)m + (uint32_t)carry;
        const uint64_t high = i > 0 ? (uint64_t)window[i - 1] * (m >> 32) : 0;
        const uint64_t sum = (uint32_t)low + (uint64_t)(uint32_t)high;
        product[i] = (uint32_t)sum;
        carry = (carry >> 32) + (low >> 32) + (high >> 32) + (sum >> 32);
    }
    /* the two highest bits are n, rounded down */
    const uint64_t upper =
        (uint64_t)product[5] << 34 | (uint64_t)product[4] << 2 | product[3] >> 30;
    const uint64_t lower =
        (uint64_t)product[3] << 34 | (uint64_t)product[2] << 2 | product[1] >> 30;
    const bool up = upper >> 63, down = x < 0.0;
    const int n = (int)(product[5] >> 30) + (up ? 1 : 0);
    const double part = up ? -((double)~upper + ((double)~lower + 1.0) * 5.421010862427522e-20)
                           : (double)upper + (double)lower * 5.421010862427522e-20; /* 2^-64 */
    const double r = part * (5.421010862427522e-20 * 1.5707963267948966);
    *quarter = (down ? 4 - n : n) & 3;
    return down ? -r : r;
}
/* Returns x - n pi / 2 and *quarter: n modulo 4. Below 2^20 pi / 2 is in three parts, so that
   products with n are exact. */
static double nn__turn_of(double x, int *quarter) {
    if (!(x < 1048576.0 && x > -1048576.0)) return nn__turn_far(x, quarter);
    const double n = floor(x * 0.63661977236758134 + 0.5);
    const double turns = n - 4.0 * floor(n / 4.0); /* 0 to 3 */
    *quarter = (int)turns;
    return ((x - n * 1.5707963267341256) - n * 6.077100506303966e-11) - n * 2.0222662487959506e-21;
}
static NN__APART double nn__sine_of(double x, bool cosine) {
    if (!(x < 3.4028236692093846e38 && x > -3.4028236692093846e38))
        return HUGE_VAL - HUGE_VAL; /* NaN: no float is so large */
    int quarter;
    const double r = nn__turn_of(x, &quarter);
    if (cosine) quarter = (quarter + 1) % 4;
    const double y = nn__sine_near(r, quarter % 2 == 1);
    return quarter >= 2 ? -y : y;
}
/* Callers in other parts may be compiled with fused products and sums, so these functions are not
   inlined there. */
NN_PRIVATE double nn__exp(double x) { return nn__exp_of(x); }
NN_PRIVATE double nn__log(double x) { return nn__log_of(x); }
NN_PRIVATE double nn__sin(double x) { return nn__sine_of(x, false); }
NN_PRIVATE double nn__cos(double x) { return nn__sine_of(x, true); }

NN_PRIVATE double nn__pow(double x, double y) {
    return y == 0.0 ? 1.0 : x == 0.0 ? 0.0 : nn__exp(y * nn__log(x));
}

NN_PRIVATE double nn__tan(double x) { return nn__sin(x) / nn__cos(x); }
NN_PRIVATE double nn__log10(double x) { return nn__log(x) * 0.4342944819032518; }
NN_PRIVATE double nn__log2(double x) {
    const double y = nn__log(x) * 1.4426950408889634, whole = floor(y + 0.5);
    return y - whole < 1e-12 && whole - y < 1e-12 ? whole : y; /* no other float is so near */
}

NN_PRIVATE float nn__power(float x, float y) {
    const double size = x < 0.0f ? -(double)x : (double)x, b = (double)y;
    if (y == 0.0f || x == 1.0f) return 1.0f;
    if (x != x || y != y) return x + y;
    const bool whole = floor(b) == b, odd = whole && floor(b / 2.0) != b / 2.0;
    const bool negative = x < 0.0f || (x == 0.0f && 1.0f / x < 0.0f);
    if (x < 0.0f && size - size == 0.0 && !whole) return (x - x) / (x - x); /* NaN */
    const double power = size == 1.0 ? 1.0 : nn__exp(b * nn__log(size));
    return (float)(negative && odd ? -power : power);
}

#undef NN__LN2_HIGH
#undef NN__LN2_LOW
NN__UNFUSED_END
