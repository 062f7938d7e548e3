/* kernels/pointwise/cpu_dtypes.c - storage dtypes other than f32 for pointwise programs. Widening
   is exact except for i32. Narrowing rounds to nearest, halves to even. */
#include "kernels/pointwise/cpu.h"

#include <math.h>

static uint32_t nn__program_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float nn__program_number(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float nn__program_from_half(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16, rest = half & 0x7fffu;
    if (rest >= 0x7c00u) return nn__program_number(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
    if (rest >= 0x400u) return nn__program_number(sign | ((rest << 13) + (112u << 23)));
    float small_number = (float)rest * (1.0f / 16777216.0f); /* below 2^-14: rest * 2^-24 */
    return sign ? -small_number : small_number;
}

static uint16_t nn__program_to_half(float value) {
    uint32_t bits = nn__program_bits(value), sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
    if (rest > 0x7f800000u) return (uint16_t)(sign | 0x7e00u);
    /* from 65536 on; 65520 is rounded up below */
    if (rest >= 0x47800000u) return (uint16_t)(sign | 0x7c00u);
    if (rest <
        0x38800000u) { /* below 2^-14: in units of 2^-24, rounded by adding 2^-24 * 2^23 */
        float sum = nn__program_number(rest) + 0.5f;
        return (uint16_t)(sign | (nn__program_bits(sum) - 0x3f000000u));
    }
    rest += 0xfffu + (rest >> 13 & 1u);
    return (uint16_t)(sign | (rest - (112u << 23)) >> 13);
}

NN_PRIVATE void nn__program_widen(nn_dtype dtype, const void *from, float *to, int n) {
    const uint16_t *halves = (const uint16_t *)from;
    const int32_t *words = (const int32_t *)from;
    const uint8_t *bytes = (const uint8_t *)from;
    const int8_t *signs = (const int8_t *)from;
    switch (dtype) {
    case NN_F16: for (int i = 0; i < n; i++) to[i] = nn__program_from_half(halves[i]); break;
    case NN_BF16: for (int i = 0; i < n; i++) to[i] = nn__widen_bf16(halves[i]); break;
    case NN_I32: for (int i = 0; i < n; i++) to[i] = (float)words[i]; break;
    case NN_U8: for (int i = 0; i < n; i++) to[i] = (float)bytes[i]; break;
    case NN_I8: for (int i = 0; i < n; i++) to[i] = (float)signs[i]; break;
    default: for (int i = 0; i < n; i++) to[i] = bytes[i] ? 1.0f : 0.0f; break; /* bool */
    }
}

/* Returns the nearest integer in [low, high]. top: the first float above high. NaN gives 0. */
static int32_t nn__program_whole(float value, float low, float top, int32_t low_whole,
                                 int32_t high_whole) {
    if (value != value) return 0;
    float whole = rintf(value);
    return whole >= top ? high_whole : whole < low ? low_whole : (int32_t)whole;
}

NN_PRIVATE void nn__program_narrow(nn_dtype dtype, const float *from, void *to, int n) {
    uint16_t *halves = (uint16_t *)to;
    int32_t *words = (int32_t *)to;
    uint8_t *bytes = (uint8_t *)to;
    int8_t *signs = (int8_t *)to;
    switch (dtype) {
    case NN_F16: for (int i = 0; i < n; i++) halves[i] = nn__program_to_half(from[i]); break;
    case NN_BF16: for (int i = 0; i < n; i++) halves[i] = nn__narrow_bf16(from[i]); break;
    case NN_I32:
        for (int i = 0; i < n; i++)
            words[i] =
                nn__program_whole(from[i], -2147483648.0f, 2147483648.0f, INT32_MIN, INT32_MAX);
        break;
    case NN_U8:
        for (int i = 0; i < n; i++)
            bytes[i] = (uint8_t)nn__program_whole(from[i], 0.0f, 256.0f, 0, 255);
        break;
    case NN_I8:
        for (int i = 0; i < n; i++)
            signs[i] = (int8_t)nn__program_whole(from[i], -128.0f, 128.0f, -128, 127);
        break;
    default:
        for (int i = 0; i < n; i++) bytes[i] = from[i] != 0.0f && from[i] == from[i]; /* NaN: 0 */
        break;
    }
}

NN_PRIVATE void nn__install_program_dtypes(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    if (!cpu) return;
    nn__install_program_general(nn);
    cpu->programs.widen = nn__program_widen;
    cpu->programs.narrow = nn__program_narrow;
}
