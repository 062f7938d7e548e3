/* language/gguf_blocks.c - unpacks the blocks of GGUF's types into floats, and those of 4 bits into
   the groups of nn_quantize. Source of the layouts: ggml-common.h and ggml-quants.c of
   https://github.com/ggml-org/ggml. */
#include "language/gguf.h"

#ifndef NN_NO_FILES

NN__TEXT_PRIVATE float nn__gguf_half(const uint8_t *from) {
    const uint32_t half = (uint32_t)from[0] | (uint32_t)from[1] << 8, sign = (half & 0x8000u) << 16,
                   top = half & 0x7c00u;
    /* the product with 2^112 corrects the exponent, even of subnormal numbers */
    uint32_t bits = (half & 0x7fffu) << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    value *= 5.192296858534828e33f;
    memcpy(&bits, &value, sizeof bits);
    bits |= sign | (top == 0x7c00u ? 0x7f800000u : 0u);
    memcpy(&value, &bits, sizeof value);
    return value;
}

NN__TEXT_PRIVATE uint16_t nn__gguf_to_half(float number) {
    uint32_t bits, least;
    float size = number < 0 ? -number : number;
    uint16_t sign;
    memcpy(&bits, &number, sizeof bits);
    sign = (uint16_t)(bits >> 16 & 0x8000u);
    if (!(size < 65520.0f)) return (uint16_t)(sign | (size == size ? 0x7c00u : 0x7e00u));
    if (size < 6.103515625e-5f) { /* subnormal: whole multiples of 2^-24 */
        size *= 16777216.0f;
        least = (uint32_t)size;
        if (size - (float)least > 0.5f || (size - (float)least == 0.5f && (least & 1))) least++;
        return (uint16_t)(sign | least);
    }
    memcpy(&bits, &size, sizeof bits);
    bits += 0xfffu + (bits >> 13 & 1u);
    return (uint16_t)(sign | ((bits >> 13) - (112u << 10)));
}

/* ---- blocks of 32 ---------------------------------------------------------------------------- */

static void nn__gguf_q4(const uint8_t *b, bool minimum, float *to) {
    const float d = nn__gguf_half(b), m = minimum ? nn__gguf_half(b + 2) : -8.0f * d;
    const uint8_t *q = b + (minimum ? 4 : 2);
    for (int i = 0; i < 16; i++) {
        to[i] = d * (float)(q[i] & 15) + m;
        to[i + 16] = d * (float)(q[i] >> 4) + m;
    }
}

/* The fifth bits of the 32 numbers are in four bytes of their own. */
static void nn__gguf_q5(const uint8_t *b, bool minimum, float *to) {
    const float d = nn__gguf_half(b), m = minimum ? nn__gguf_half(b + 2) : -16.0f * d;
    const uint8_t *high = b + (minimum ? 4 : 2), *q = high + 4;
    for (int i = 0; i < 32; i++) {
        const int low = i < 16 ? q[i] & 15 : q[i - 16] >> 4;
        to[i] = d * (float)(low | (high[i / 8] >> i % 8 & 1) << 4) + m;
    }
}

static void nn__gguf_q8(const uint8_t *b, float *to) {
    const float d = nn__gguf_half(b);
    for (int i = 0; i < 32; i++) to[i] = d * (float)(b[2 + i] < 128 ? b[2 + i] : b[2 + i] - 256);
}

/* ---- blocks of 256 --------------------------------------------------------------------------- */

/* Returns the scale and the minimum of group g, of 6 bits each. 12 bytes hold those of eight
   groups. */
static void nn__gguf_six(const uint8_t *s, int g, int *scale, int *minimum) {
    if (g < 4) {
        *scale = s[g] & 63;
        *minimum = s[g + 4] & 63;
    } else {
        *scale = (s[g + 4] & 15) | (s[g - 4] >> 6) << 4;
        *minimum = s[g + 4] >> 4 | (s[g] >> 6) << 4;
    }
}

/* Q4_K and Q5_K: two groups share 32 bytes, the first in their low four bits. five: the fifth bits
   of group g are bit g of 32 further bytes. */
static void nn__gguf_k45(const uint8_t *b, bool five, float *to) {
    const float d = nn__gguf_half(b), dmin = nn__gguf_half(b + 2);
    const uint8_t *high = b + 16, *q = b + (five ? 48 : 16);
    for (int g = 0; g < 8; g++) {
        int scale, minimum;
        nn__gguf_six(b + 4, g, &scale, &minimum);
        const float size = d * (float)scale, least = dmin * (float)minimum;
        for (int i = 0; i < 32; i++) {
            int number = q[g / 2 * 32 + i] >> g % 2 * 4 & 15;
            if (five) number |= (high[i] >> g & 1) << 4;
            to[32 * g + i] = size * (float)number - least;
        }
    }
}

/* A block has two halves of 128 numbers. The four runs of 32 in a half take their low four bits
   from 64 bytes, and their high two bits from 32 bytes. */
static void nn__gguf_q6(const uint8_t *b, float *to) {
    const float d = nn__gguf_half(b + 208);
    for (int h = 0; h < 2; h++) {
        const uint8_t *low = b + 64 * h, *high = b + 128 + 32 * h, *scales = b + 192 + 8 * h;
        for (int run = 0; run < 4; run++)
            for (int i = 0; i < 32; i++) {
                const int four = low[run % 2 * 32 + i] >> run / 2 * 4 & 15,
                          two = high[i] >> 2 * run & 3, at = 2 * run + i / 16,
                          scale = scales[at] < 128 ? scales[at] : scales[at] - 256;
                to[128 * h + 32 * run + i] = d * (float)scale * (float)((four | two << 4) - 32);
            }
    }
}

NN__TEXT_PRIVATE void nn__gguf_floats(uint32_t type, const uint8_t *blocks, int64_t n, float *to) {
    const nn__gguf_type *of = nn__gguf_type_of(type);
    for (int64_t i = 0; i < n; i += of->block, blocks += of->bytes, to += of->block)
        switch (type) {
        case NN__GGUF_F16: *to = nn__gguf_half(blocks); break;
        case NN__GGUF_Q4_0: nn__gguf_q4(blocks, false, to); break;
        case NN__GGUF_Q4_1: nn__gguf_q4(blocks, true, to); break;
        case NN__GGUF_Q5_0: nn__gguf_q5(blocks, false, to); break;
        case NN__GGUF_Q5_1: nn__gguf_q5(blocks, true, to); break;
        case NN__GGUF_Q8_0: nn__gguf_q8(blocks, to); break;
        case NN__GGUF_Q4_K: nn__gguf_k45(blocks, false, to); break;
        case NN__GGUF_Q5_K: nn__gguf_k45(blocks, true, to); break;
        case NN__GGUF_Q6_K: nn__gguf_q6(blocks, to); break;
        default: { /* F32, BF16 */
            const uint32_t bits = type == NN__GGUF_BF16
                                      ? (uint32_t)blocks[0] << 16 | (uint32_t)blocks[1] << 24
                                      : (uint32_t)nn__gguf_word((const char *)blocks, 4);
            memcpy(to, &bits, sizeof bits);
        }
        }
}

/* ---- groups of nn_quantize ------------------------------------------------------------------- */

NN__TEXT_PRIVATE bool nn__gguf_is_nibbles(uint32_t type) {
    return type == NN__GGUF_Q4_0 || type == NN__GGUF_Q4_1 || type == NN__GGUF_Q4_K;
}

/* Does the work of nn__gguf_nibbles for one block of Q4_K, which has eight groups. Scales and
   minimums are rounded to f16. */
static void nn__gguf_nibbles_k(const uint8_t *b, uint8_t *bytes, uint16_t *scale,
                               uint16_t *minimum) {
    const float d = nn__gguf_half(b), dmin = nn__gguf_half(b + 2);
    for (int g = 0; g < 8; g++) {
        const uint8_t *q = b + 16 + g / 2 * 32;
        int size, least;
        nn__gguf_six(b + 4, g, &size, &least);
        if (scale) scale[g] = nn__gguf_to_half(d * (float)size);
        if (minimum) minimum[g] = nn__gguf_to_half(-(dmin * (float)least));
        for (int i = 0; bytes && i < 16; i++)
            bytes[16 * g + i] = (uint8_t)((q[i] >> g % 2 * 4 & 15) |
                                          (q[i + 16] >> g % 2 * 4 & 15) << 4);
    }
}

NN__TEXT_PRIVATE void nn__gguf_nibbles(uint32_t type, const uint8_t *blocks, int64_t n,
                                       uint8_t *bytes, uint16_t *scale, uint16_t *minimum) {
    const nn__gguf_type *of = nn__gguf_type_of(type);
    const int groups = of->block / 32, before = type == NN__GGUF_Q4_0 ? 2 : 4;
    for (int64_t i = 0; i < n; i += of->block, blocks += of->bytes) {
        if (type == NN__GGUF_Q4_K) {
            nn__gguf_nibbles_k(blocks, bytes, scale, minimum);
        } else {
            if (bytes) memcpy(bytes, blocks + before, 16);
            if (scale) *scale = (uint16_t)nn__gguf_word((const char *)blocks, 2);
            if (minimum)
                *minimum = type == NN__GGUF_Q4_0 ? nn__gguf_to_half(-8.0f * nn__gguf_half(blocks))
                                                 : (uint16_t)nn__gguf_word((const char *)blocks + 2,
                                                                           2);
        }
        if (bytes) bytes += 16 * groups;
        if (scale) scale += groups;
        if (minimum) minimum += groups;
    }
}
#endif

typedef int nn__gguf_part_2; /* a part must not be empty under NN_NO_FILES */
