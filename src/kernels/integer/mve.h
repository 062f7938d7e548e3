/* kernels/integer/mve.h - 8-bit integers with Arm's MVE (Cortex-M52, M55, M85): products of sixteen
   numbers, requantisation of four sums. The last numbers are loaded under a predicate, so there is
   no other code for them. */
#pragma once

#include "base/private.h"

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 1) && !defined(__ARM_BIG_ENDIAN)
#define NN__INTEGER_MVE 1
#include <arm_mve.h>

/* Adds the products of sixteen numbers of two windows with the weights of two channels; LOAD(x)
   loads sixteen numbers. */
#define NN__MVE_TWO(LOAD)                                                                          \
    do {                                                                                           \
        const int8x16_t s = LOAD(x), t = LOAD(next), of_w = LOAD(w), of_other = LOAD(other);       \
        a = vmladavaq_s8(a, s, of_w), c = vmladavaq_s8(c, t, of_w), v = vaddvaq_s8(v, of_w);       \
        b = vmladavaq_s8(b, s, of_other), d = vmladavaq_s8(d, t, of_other);                        \
        z = vaddvaq_s8(z, of_other);                                                               \
    } while (0)
#define NN__MVE_SOME(x) vldrbq_z_s8(x, some)

/* Adds the products of two windows, n numbers apart, with n weights of two channels to sums. The
   zero point of x, times the sum of the weights, is subtracted. sums: window 0; `apart` further on,
   window 1. other: the weights of the second channel. */
static NN__UNUSED void nn__mve_two(int32_t *sums, int apart, const int8_t *x, const int8_t *w,
                                   const int8_t *other, int n, int32_t zero) {
    const int8_t *next = x + n;
    int32_t a = 0, b = 0, c = 0, d = 0, v = 0, z = 0;
    for (int i = n / 16; i > 0; i--, x += 16, next += 16, w += 16, other += 16)
        NN__MVE_TWO(vldrbq_s8);
    if (n % 16) {
        const mve_pred16_t some = vctp8q((uint32_t)(n % 16));
        NN__MVE_TWO(NN__MVE_SOME);
    }
    const uint32_t of_v = (uint32_t)v * (uint32_t)zero, of_z = (uint32_t)z * (uint32_t)zero;
    sums[0] = (int32_t)((uint32_t)sums[0] + (uint32_t)a - of_v);
    sums[1] = (int32_t)((uint32_t)sums[1] + (uint32_t)b - of_z);
    sums[apart] = (int32_t)((uint32_t)sums[apart] + (uint32_t)c - of_v);
    sums[apart + 1] = (int32_t)((uint32_t)sums[apart + 1] + (uint32_t)d - of_z);
}
#undef NN__MVE_TWO

#define NN__MVE_ONE(LOAD)                                                                          \
    do {                                                                                           \
        const int8x16_t s = LOAD(x), of_w = LOAD(w), of_other = LOAD(other);                       \
        a = vmladavaq_s8(a, s, of_w), v = vaddvaq_s8(v, of_w);                                     \
        b = vmladavaq_s8(b, s, of_other), z = vaddvaq_s8(z, of_other);                             \
    } while (0)
/* Does the same for one window. */
static NN__UNUSED void nn__mve_one(int32_t *sums, const int8_t *x, const int8_t *w,
                                   const int8_t *other, int n, int32_t zero) {
    int32_t a = 0, b = 0, v = 0, z = 0;
    for (int i = n / 16; i > 0; i--, x += 16, w += 16, other += 16) NN__MVE_ONE(vldrbq_s8);
    if (n % 16) {
        const mve_pred16_t some = vctp8q((uint32_t)(n % 16));
        NN__MVE_ONE(NN__MVE_SOME);
    }
    sums[0] = (int32_t)((uint32_t)sums[0] + (uint32_t)a - (uint32_t)v * (uint32_t)zero);
    sums[1] = (int32_t)((uint32_t)sums[1] + (uint32_t)b - (uint32_t)z * (uint32_t)zero);
}
#undef NN__MVE_ONE
#undef NN__MVE_SOME
/* Adds the products of one or two windows with the weights of `channels` channels, of which each
   has n. */
static NN__UNUSED void nn__mve_dots(int32_t *sums, int apart, const int8_t *x, const int8_t *w,
                                    int n, int channels, bool two, int32_t zero) {
    for (int k = 0; k < channels; k += 2, w += 2 * (ptrdiff_t)n, sums += 2) {
        const int8_t *other = k + 1 < channels ? w + n : w; /* a single last one is done twice */
        if (two)
            nn__mve_two(sums, apart, x, w, other, n, zero);
        else
            nn__mve_one(sums, x, w, other, n, zero);
    }
}

/* Requantises n sums, adds the zero point of y, limits them, and stores bytes. */
static NN__UNUSED void nn__mve_put(int8_t *y, const int32_t *sums, const int32_t *multiplier,
                                   const int32_t *shift, int32_t zero, int32_t low, int32_t high,
                                   int n) {
    const int32x4_t nothing = vdupq_n_s32(0), least = vdupq_n_s32(low), most = vdupq_n_s32(high);
    for (; n > 0; n -= 4, y += 4, sums += 4, multiplier += 4, shift += 4) {
        const mve_pred16_t some = vctp32q((uint32_t)n);
        const int32x4_t by = vldrwq_z_s32(shift, some), right = vminq_s32(by, nothing);
        int32x4_t v = vshlq_s32(vldrwq_z_s32(sums, some), vmaxq_s32(by, nothing));
        v = vqrdmulhq_s32(v, vldrwq_z_s32(multiplier, some));
        /* halves away from zero: one less if it is negative, then halves up */
        v = vqaddq_s32(v, vshrq_n_s32(vandq_s32(v, right), 31));
        v = vaddq_n_s32(vrshlq_s32(v, right), zero);
        vstrbq_p_s32(y, vminq_s32(vmaxq_s32(v, least), most), some);
    }
}

/* Adds the products of the taps of a window to the sums of n channels. The window has rows x
   columns taps. `sums` has room for a multiple of eight. */
static NN__UNUSED void nn__mve_taps(int32_t *sums, const int8_t *w, const int8_t *x, int rows,
                                    int columns, ptrdiff_t x_row, ptrdiff_t x_column,
                                    ptrdiff_t w_row, ptrdiff_t w_column, int32_t zero, int n) {
    const int16x8_t less = vdupq_n_s16((int16_t)zero);
    for (; n > 0; n -= 8, sums += 8, w += 8, x += 8) {
        const mve_pred16_t some = vctp16q((uint32_t)n);
        int32x4x2_t both = vld2q_s32(sums);
        int32x4_t even = both.val[0], odd = both.val[1];
        const int8_t *row = x, *by_row = w;
        for (int r = rows; r > 0; r--, row += x_row, by_row += w_row) {
            const int8_t *from = row, *by = by_row;
            for (int c = columns; c > 0; c--, from += x_column, by += w_column) {
                const int16x8_t of_x = vsubq_s16(n >= 8 ? vldrbq_s16(from)
                                                        : vldrbq_z_s16(from, some), less),
                                of_w = n >= 8 ? vldrbq_s16(by) : vldrbq_z_s16(by, some);
                even = vaddq_s32(even, vmullbq_int_s16(of_x, of_w));
                odd = vaddq_s32(odd, vmulltq_int_s16(of_x, of_w));
            }
        }
        both.val[0] = even, both.val[1] = odd;
        vst2q_s32(sums, both);
    }
}
#else
#define NN__INTEGER_MVE 0
#endif
