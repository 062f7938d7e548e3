/* tensor/convert.c - converts numbers between dtypes, and between the bytes of a file
   (little-endian, any alignment) and the host's. The result does not depend on the host's byte
   order, alignment or rounding mode. */
#include "tensor/private.h"

/* A number is passed on as its bits in a uint64_t; only these four functions touch bytes. */

static uint64_t nn__convert_get_file(const void *from, size_t size) {
    const unsigned char *bytes = (const unsigned char *)from;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) bits |= (uint64_t)bytes[i] << (8 * i);
    return bits;
}

static void nn__convert_put_file(void *to, size_t size, uint64_t bits) {
    unsigned char *bytes = (unsigned char *)to;
    for (size_t i = 0; i < 8 && i < size; i++) bytes[i] = (unsigned char)(bits >> (8 * i) & 255u);
}

static uint64_t nn__convert_get_host(const void *from, size_t size) {
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case 1: memcpy(&one, from, 1); return one;
    case 2: memcpy(&two, from, 2); return two;
    case 4: memcpy(&four, from, 4); return four;
    default: memcpy(&eight, from, 8); return eight;
    }
}

static void nn__convert_put_host(void *to, size_t size, uint64_t bits) {
    uint8_t one = (uint8_t)bits;
    uint16_t two = (uint16_t)bits;
    uint32_t four = (uint32_t)bits;
    switch (size) {
    case 1: memcpy(to, &one, 1); break;
    case 2: memcpy(to, &two, 2); break;
    case 4: memcpy(to, &four, 4); break;
    default: memcpy(to, &bits, 8); break;
    }
}

/* ---- floating point by hand: exact in every rounding mode ------------------------------------ */

static double nn__convert_double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t nn__convert_bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Widens an IEEE number with these sizes of exponent and mantissa; always exact. */
static double nn__convert_widen(uint64_t bits, int exponent_bits, int mantissa_bits) {
    int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
    uint64_t sign = bits >> (exponent_bits + mantissa_bits) << 63;
    uint64_t mantissa = bits & (((uint64_t)1 << mantissa_bits) - 1);
    int exponent = (int)(bits >> mantissa_bits) & top;
    if (exponent == top)
        return nn__convert_double_of(sign | (uint64_t)2047 << 52 |
                                     mantissa << (52 - mantissa_bits));
    if (exponent == 0) {
        if (mantissa == 0) return nn__convert_double_of(sign);
        exponent = 1;
        /* A subnormal number becomes a normal one, whose leading 1 is not stored. */
        while (!(mantissa >> mantissa_bits)) {
            mantissa <<= 1;
            exponent--;
        }
        mantissa &= ((uint64_t)1 << mantissa_bits) - 1;
    }
    return nn__convert_double_of(sign | (uint64_t)(exponent - bias + 1023) << 52 |
                                 mantissa << (52 - mantissa_bits));
}

/* Narrows to such a number: to nearest, ties to even. A number that is too large becomes infinite;
   NaN stays NaN. */
static uint64_t nn__convert_narrow(double value, int exponent_bits, int mantissa_bits) {
    uint64_t bits = nn__convert_bits_of(value), mantissa = bits & (((uint64_t)1 << 52) - 1);
    uint64_t sign = bits >> 63 << (exponent_bits + mantissa_bits), result, rest, half;
    int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
    int exponent = (int)(bits >> 52) & 2047, shift = 52 - mantissa_bits;
    uint64_t infinite = sign | (uint64_t)top << mantissa_bits;
    if (exponent == 2047) {
        if (mantissa == 0) return infinite;
        /* set the quiet bit: a NaN that loses its low bits must not become infinite */
        return infinite | mantissa >> shift | (uint64_t)1 << (mantissa_bits - 1);
    }
    exponent += bias - 1023;
    if (exponent >= top) return infinite;
    if (exponent <= 0) { /* The result is subnormal: its leading 1 is stored. */
        mantissa |= (uint64_t)1 << 52;
        shift += 1 - exponent;
        exponent = 0;
        if (shift > 54) return sign;
    }
    result = (uint64_t)exponent << mantissa_bits;
    result += mantissa >> shift;
    rest = mantissa & (((uint64_t)1 << shift) - 1);
    half = (uint64_t)1 << (shift - 1);
    if (rest > half || (rest == half && (result & 1)))
        result++; /* a carry into the exponent, even to infinity, is right */
    return sign | result;
}

/* ---- between dtypes -------------------------------------------------------------------------- */

static bool nn__convert_is_integer(nn_dtype dtype) {
    return dtype == NN_I32 || dtype == NN_U8 || dtype == NN_I64 || dtype == NN_I16 ||
           dtype == NN_I8 || dtype == NN_BOOL;
}

static int64_t nn__convert_integer_of(nn_dtype dtype, uint64_t bits) {
    uint64_t sign;
    size_t size = nn_dtype_size(dtype);
    int64_t value;
    if (dtype == NN_BOOL) return bits != 0;
    if (dtype == NN_U8) return (int64_t)bits;
    sign = (uint64_t)1 << (8 * size - 1);
    bits = (bits ^ sign) - sign; /* extends the sign without a signed shift */
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t nn__convert_bits_of_integer(nn_dtype dtype, int64_t value) {
    int64_t lowest = INT64_MIN, highest = INT64_MAX;
    if (dtype == NN_BOOL) return value != 0;
    if (dtype == NN_U8) lowest = 0, highest = 255;
    if (dtype == NN_I8) lowest = -128, highest = 127;
    if (dtype == NN_I16) lowest = -32768, highest = 32767;
    if (dtype == NN_I32) lowest = INT32_MIN, highest = INT32_MAX;
    return (uint64_t)nn__min64(nn__max64(value, lowest), highest);
}

/* Rounds to nearest, ties to even; values that do not fit saturate, NaN becomes 0. */
static int64_t nn__convert_round(double value) {
    int64_t whole;
    double rest;
    if (value != value) return 0;
    if (value >= 9223372036854775808.0) return INT64_MAX;
    if (value <= -9223372036854775808.0) return INT64_MIN;
    whole = (int64_t)value;
    rest = value - (double)whole; /* exact, in (-1, 1) */
    if (rest > 0.5 || (rest == 0.5 && whole % 2 != 0)) whole++;
    if (rest < -0.5 || (rest == -0.5 && whole % 2 != 0)) whole--;
    return whole;
}

static double nn__convert_value(nn_dtype dtype, uint64_t bits) {
    switch (nn__dtype(dtype)) {
    case NN_F32: return nn__convert_widen(bits, 8, 23);
    case NN_F16: return nn__convert_widen(bits, 5, 10);
    case NN_BF16: return nn__convert_widen(bits, 8, 7);
    case NN_F64: return nn__convert_double_of(bits);
    default: return (double)nn__convert_integer_of(dtype, bits);
    }
}

static uint64_t nn__convert_bits(nn_dtype dtype, double value) {
    switch (nn__dtype(dtype)) {
    case NN_F32: return nn__convert_narrow(value, 8, 23);
    case NN_F16: return nn__convert_narrow(value, 5, 10);
    case NN_BF16: return nn__convert_narrow(value, 8, 7);
    case NN_F64: return nn__convert_bits_of(value);
    case NN_BOOL: return value != 0;
    default: return nn__convert_bits_of_integer(dtype, nn__convert_round(value));
    }
}

NN_PRIVATE double nn__load_number(nn_dtype dtype, const void *from) {
    return nn__convert_value(dtype, nn__convert_get_file(from, nn_dtype_size(dtype)));
}

NN_PRIVATE void nn__store_number(nn_dtype dtype, void *to, double value) {
    nn__convert_put_host(to, nn_dtype_size(dtype), nn__convert_bits(dtype, value));
}

/* ---- arrays ---------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__host_is_little(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

NN_PRIVATE void nn__convert_from_file(nn_dtype from_dtype, const void *from, nn_dtype to_dtype,
                                      void *to, int64_t n) {
    size_t from_size, to_size;
    const char *in = (const char *)from;
    char *out = (char *)to;
    from_dtype = nn__dtype(from_dtype);
    to_dtype = nn__dtype(to_dtype);
    from_size = nn_dtype_size(from_dtype);
    to_size = nn_dtype_size(to_dtype);
    if (from_dtype == to_dtype && nn__host_is_little()) {
        if (n > 0 && in != out) memcpy(out, in, (size_t)n * to_size);
        return;
    }
    for (int64_t i = 0; i < n; i++, in += from_size, out += to_size) {
        uint64_t bits = nn__convert_get_file(in, from_size);
        if (from_dtype == to_dtype) {
            /* the bits stay as they are, even those of a NaN */
        } else if (nn__convert_is_integer(from_dtype) && nn__convert_is_integer(to_dtype)) {
            bits = nn__convert_bits_of_integer(to_dtype, nn__convert_integer_of(from_dtype, bits));
        } else {
            bits = nn__convert_bits(to_dtype, nn__convert_value(from_dtype, bits));
        }
        nn__convert_put_host(out, to_size, bits);
    }
}

NN_PRIVATE void nn__convert_to_file(nn_dtype dtype, const void *from, void *to, int64_t n) {
    size_t size = nn_dtype_size(dtype);
    const char *in = (const char *)from;
    char *out = (char *)to;
    for (int64_t i = 0; i < n; i++, in += size, out += size)
        nn__convert_put_file(out, size, nn__convert_get_host(in, size));
}
