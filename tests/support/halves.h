/* halves.h: the definitions of f16 and bf16 as slow, plain code. Include nn.h before. */
#ifndef NN_HALVES_H
#define NN_HALVES_H

#include "test.h"

static TEST_UNUSED const nn_dtype halves[] = {NN_F16, NN_BF16};
static int exponent_bits(nn_dtype dtype) { return dtype == NN_F16 ? 5 : 8; }

/* Returns the value of a bit pattern, by the definition of IEEE 754. */
static TEST_UNUSED double defined_value(nn_dtype dtype, unsigned bits) {
    int exponents = exponent_bits(dtype), fraction = 15 - exponents,
        bias = (1 << (exponents - 1)) - 1;
    int exponent = (int)(bits >> fraction & ((1u << exponents) - 1u));
    double mantissa = (double)(bits & ((1u << fraction) - 1u)), sign = bits >> 15 ? -1.0 : 1.0;
    if (exponent == (1 << exponents) - 1)
        return mantissa != 0 ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0) return sign * ldexp(mantissa, 1 - bias - fraction);
    return sign * ldexp(mantissa + ldexp(1, fraction), exponent - bias - fraction);
}

/* Returns the same from a table, because references in double ask for many values. */
static TEST_UNUSED double value_of(nn_dtype dtype, unsigned bits) {
    static double values[2][65536];
    static bool filled;
    if (!filled)
        for (unsigned k = 0; k < 2 * 65536; k++)
            values[k >> 16][k & 65535] = defined_value(halves[k >> 16], k & 65535);
    filled = true;
    return values[dtype == halves[1]][bits & 65535];
}

/* Returns the nearest pattern, halves to even, by a search among all patterns. Without the sign,
   patterns are ordered like their values. The pattern after the largest finite one stands for
   infinity; `past` is the value that this pattern would otherwise have. Numbers that are nearer to
   `past` than to the largest finite value, or halfway between, round to infinity. */
static TEST_UNUSED unsigned pattern_of(nn_dtype dtype, double value) {
    unsigned sign = signbit(value) ? 0x8000u : 0, low = 0,
             high = dtype == NN_F16 ? 0x7c00u : 0x7f80u, top = high;
    double past = 2 * value_of(dtype, top - 1) - value_of(dtype, top - 2), below, above;
    value = fabs(value);
    if (value != value) return sign | (top + 1);
    if (value >= past) return sign | top;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        *(value_of(dtype, middle) <= value ? &low : &high) = middle;
    }
    below = value - value_of(dtype, low);
    above = (high == top ? past : value_of(dtype, high)) - value;
    return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}

static TEST_UNUSED bool same_pattern(nn_dtype dtype, unsigned a, unsigned b) {
    unsigned infinity = dtype == NN_F16 ? 0x7c00u : 0x7f80u;
    if ((a & 0x7fffu) > infinity && (b & 0x7fffu) > infinity) return true; /* both NaN */
    return a == b;
}

#endif /* NN_HALVES_H */
