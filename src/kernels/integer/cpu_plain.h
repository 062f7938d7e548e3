/* kernels/integer/cpu_plain.h - the sums of a convolution in plain C, with pairs of 16-bit
   numbers, or with MVE, and their requantisation. A part of cpu_plain.c. */
#pragma once

#include "kernels/integer/cpu.h"
#include "kernels/integer/mve.h"
#include "kernels/integer/pairs.h"

#if NN__INTEGER_MVE
#define NN__INTEGER_PAIRS 0
typedef int8_t nn__plain_x; /* a number of a window */
#elif defined(__ARM_FEATURE_SIMD32) && defined(__ARM_FEATURE_DSP) && !defined(__aarch64__)
#define NN__INTEGER_PAIRS 1
typedef int32_t nn__plain_x; /* two numbers of a window */
/* Programs for such machines are compiled for size, and then gcc keeps too little in registers. */
#if defined(__GNUC__) && !defined(__clang__)
#define NN__PLAIN_HOT NN__APART __attribute__((optimize("O2", "no-schedule-insns")))
#endif
#else
#define NN__INTEGER_PAIRS 0
typedef int16_t nn__plain_x; /* a number of a window */
#endif

#ifndef NN__PLAIN_HOT
#define NN__PLAIN_HOT NN__APART
#endif
#ifdef __GNUC__
#define NN__PLAIN_USUAL(condition) __builtin_expect((condition), 1)
#else
#define NN__PLAIN_USUAL(condition) (condition)
#endif
#define NN__PLAIN_SUMS     16 /* of channels, which become numbers of y together; even */

typedef struct nn__plain {
    const nn_integer_conv2d_args *args;
    const int8_t *w;
    const int32_t *bias;
    int8_t *bytes;     /* a window */
    /* two windows in the order of the products; except for MVE, less the zero point */
    nn__plain_x *rows;
    nn__integer_out out;
    int zero; /* of x */
    int K, depth, C, group; /* C: channels of x in a group */
    ptrdiff_t n;
    int oh, ow; /* the place of y */
} nn__plain;

/* ---- sums ------------------------------------------------------------------------------------ */

#if NN__INTEGER_PAIRS
static NN__UNUSED int32_t nn__plain_less(int32_t zero) {
    return (int32_t)(((uint32_t)-zero & 0xffff) * 0x10001u); /* twice -zero */
}

/* Widens window `which` into groups of four numbers: even and odd ones of both windows. The rest of
   the last group is 0. */
static NN__UNUSED NN__PLAIN_HOT
void nn__plain_widen(const nn__plain *a, int which) {
    const int32_t less = nn__plain_less(a->zero);
    nn__plain_x *to = a->rows + 2 * which;
    memset(a->bytes + a->depth, a->zero & 0xff, (size_t)(-a->depth & 3));
    for (int i = 0; i < a->depth; i += 4, to += 4) {
        const uint32_t four = nn__plain_four(a->bytes + i);
        to[0] = nn__plain_even(four, less);
        to[1] = nn__plain_odd(four, less);
    }
}

/* Adds the products of both windows with the weights of `pairs` pairs of channels. A group has four
   weights of each channel; the weights of two channels are `depth` apart. sums: window 0 with all
   channels; NN__PLAIN_SUMS further on, window 1. */
static NN__UNUSED NN__PLAIN_HOT
void nn__plain_groups(int32_t *sums, const nn__plain_x *row, const int8_t *w,
                                           ptrdiff_t depth, int pairs) {
    for (; pairs > 0; pairs--, sums += 2, w += 2 * depth) {
        const nn__plain_x *x = row;
        const int8_t *by = w, *other = w + depth, *const end = w + depth / 4 * 4;
        int32_t a = sums[0], b = sums[1], c = sums[NN__PLAIN_SUMS], d = sums[NN__PLAIN_SUMS + 1];
        for (; by < end; by += 4, other += 4, x += 4) {
            uint32_t four = nn__plain_four(by);
            const int32_t s = x[0], t = x[1], u = x[2], v = x[3];
            int32_t part = __sxtb16((int32_t)four);
            a = __smlad(s, part, a);
            c = __smlad(u, part, c);
            part = nn__plain_odd_of(four);
            a = __smlad(t, part, a);
            c = __smlad(v, part, c);
            four = nn__plain_four(other);
            part = __sxtb16((int32_t)four);
            b = __smlad(s, part, b);
            d = __smlad(u, part, d);
            part = nn__plain_odd_of(four);
            b = __smlad(t, part, b);
            d = __smlad(v, part, d);
        }
        sums[0] = a, sums[1] = b, sums[NN__PLAIN_SUMS] = c, sums[NN__PLAIN_SUMS + 1] = d;
    }
}
/* Adds the products of window 0 alone with such weights. */
static NN__UNUSED NN__PLAIN_HOT
void nn__plain_groups_of_one(int32_t *sums, const nn__plain_x *row,
                                                  const int8_t *w, ptrdiff_t depth, int pairs) {
    for (; pairs > 0; pairs--, sums += 2, w += 2 * depth) {
        const nn__plain_x *x = row;
        const int8_t *by = w, *other = w + depth, *const end = w + depth / 4 * 4;
        int32_t a = sums[0], b = sums[1];
        for (; by < end; by += 4, other += 4, x += 4) {
            const uint32_t four = nn__plain_four(by), next = nn__plain_four(other);
            const int32_t s = x[0], t = x[1];
            a = __smlad(s, __sxtb16((int32_t)four), a);
            b = __smlad(s, __sxtb16((int32_t)next), b);
            a = __smlad(t, nn__plain_odd_of(four), a);
            b = __smlad(t, nn__plain_odd_of(next), b);
        }
        sums[0] = a, sums[1] = b;
    }
}
/* Adds the products of one channel with the numbers of the windows from `first` on. */
static NN__UNUSED NN__APART
void nn__plain_rest(int32_t *sums, const nn__plain_x *x, const int8_t *w,
                                     int first, int n, bool two) {
    for (int i = first; i < n; i++)
        for (int k = 0; k <= two; k++) {
            const int32_t pair = x[i / 4 * 4 + 2 * k + i % 2];
            const int32_t product = (i % 4 / 2 ? pair >> 16 : (int16_t)pair) * w[i];
            int32_t *sum = &sums[k * NN__PLAIN_SUMS];
            *sum = (int32_t)((uint32_t)*sum + (uint32_t)product);
        }
}
/* Adds the products of the windows with the weights of `channels` channels, of which each has n. */
static NN__UNUSED void nn__plain_dots(int32_t *sums, const nn__plain_x *x, const int8_t *w, int n,
                           int channels, bool two) {
    const int pairs = channels / 2;
    (two ? nn__plain_groups : nn__plain_groups_of_one)(sums, x, w, n, pairs);
    for (int i = 0; i < channels; i++)
        if (i >= 2 * pairs || n % 4)
            nn__plain_rest(sums + i, x, w + (ptrdiff_t)i * n, i < 2 * pairs ? n / 4 * 4 : 0, n,
                           two);
}
#elif NN__INTEGER_MVE
static NN__UNUSED void nn__plain_widen(const nn__plain *a, int which) {
    memcpy(a->rows + (which ? a->depth : 0), a->bytes, (size_t)a->depth);
}
#else
static NN__UNUSED void nn__plain_widen(const nn__plain *a, int which) {
    nn__plain_x *to = a->rows + (which ? a->depth : 0);
    for (int i = 0; i < a->depth; i++) to[i] = (int16_t)(a->bytes[i] - a->zero);
}
/* Adds the products of the windows with the weights of `channels` channels, of which each has n.
   The sums wrap. sums: window 0 with all channels; NN__PLAIN_SUMS further on, window 1. */
static NN__UNUSED void nn__plain_dots(int32_t *sums, const nn__plain_x *x, const int8_t *w, int n,
                           int channels, bool two) {
    for (int k = 0; k < channels; k += 2, w += 2 * (ptrdiff_t)n, sums += 2) {
        const int8_t *other = k + 1 < channels ? w + n : w; /* a single last one is done twice */
        uint32_t a = (uint32_t)sums[0], b = (uint32_t)sums[1],
                 c = (uint32_t)sums[NN__PLAIN_SUMS], d = (uint32_t)sums[NN__PLAIN_SUMS + 1];
        for (int i = 0; i < n && two; i++) {
            const int32_t s = x[i], t = x[n + i], v = w[i], z = other[i];
            a += (uint32_t)(s * v);
            b += (uint32_t)(s * z);
            c += (uint32_t)(t * v);
            d += (uint32_t)(t * z);
        }
        for (int i = 0; i < n && !two; i++) {
            const int32_t s = x[i];
            a += (uint32_t)(s * w[i]);
            b += (uint32_t)(s * other[i]);
        }
        sums[0] = (int32_t)a, sums[1] = (int32_t)b;
        sums[NN__PLAIN_SUMS] = (int32_t)c, sums[NN__PLAIN_SUMS + 1] = (int32_t)d;
    }
}
#endif

#if !NN__INTEGER_MVE
static NN__UNUSED NN__APART
int32_t nn__plain_scaled(int32_t sum, int32_t multiplier, int32_t shift) {
    return nn__integer_scale(sum, multiplier, shift);
}
/* Returns sum i as a number of y that is not clamped yet. In the usual case of a negative shift,
   halves are rounded away from zero with fewer operations than in nn__integer_divide: x - 1 for
   negative x, and the bit below the last one. */
static NN__UNUSED NN__ALWAYS_INLINE
int32_t nn__plain_value(const int32_t *sums, const int32_t *multiplier,
                                                 const int32_t *shift, int32_t zero, int i) {
    int32_t value;
    if (NN__PLAIN_USUAL(shift[i] < 0)) {
        const int32_t x = nn__integer_high(sums[i], multiplier[i]);
        const int32_t twice = NN__INTEGER_DOWN(x - (x < 0), ~shift[i]);
        value = NN__INTEGER_DOWN(twice, 1) + (twice & 1);
    } else {
        value = nn__plain_scaled(sums[i], multiplier[i], shift[i]);
    }
    return (int32_t)((uint32_t)value + (uint32_t)zero);
}

#if defined(__GNUC__) && defined(__arm__) && NN__INTEGER_PAIRS
static NN__UNUSED NN__ALWAYS_INLINE
uint32_t nn__plain_byte(int32_t value) {
    __asm__("ssat %0, #8, %1" : "=r"(value) : "r"(value));
    return (uint32_t)value;
}
/* Four numbers are clamped together: SSUB8 compares bytes, and SEL chooses the larger or smaller
   ones. n: a multiple of 4. */
static NN__UNUSED NN__PLAIN_HOT
void nn__plain_put_fours(int8_t *y, const int32_t *sums,
                                              const nn__integer_out *out, int k, int n) {
    const int32_t *multiplier = out->multiplier + k, *shift = out->shift + k;
    const int32_t zero = out->zero;
    const uint32_t low = (uint32_t)(out->low & 0xff) * 0x1010101u,
                   high = (uint32_t)(out->high & 0xff) * 0x1010101u;
    for (const int32_t *end = sums + n; sums < end; sums += 4, multiplier += 4, shift += 4) {
        uint32_t four = nn__plain_byte(nn__plain_value(sums, multiplier, shift, zero, 0)), rest;
        rest = nn__plain_byte(nn__plain_value(sums, multiplier, shift, zero, 1));
        __asm__("bfi %0, %1, #8, #8" : "+r"(four) : "r"(rest));
        rest = nn__plain_byte(nn__plain_value(sums, multiplier, shift, zero, 2));
        __asm__("bfi %0, %1, #16, #8" : "+r"(four) : "r"(rest));
        rest = nn__plain_byte(nn__plain_value(sums, multiplier, shift, zero, 3));
        __asm__("bfi %0, %1, #24, #8" : "+r"(four) : "r"(rest));
        __asm__("ssub8 %1, %0, %2\n\tsel %0, %0, %2\n\tssub8 %1, %0, %3\n\tsel %0, %3, %0"
                : "+r"(four), "=&r"(rest)
                : "r"(low), "r"(high)
                : "cc");
        memcpy(y, &four, sizeof four);
        y += 4;
    }
}
#define NN__PLAIN_FOURS(n) ((n) & ~3)
#else
#define nn__plain_put_fours(y, sums, out, k, n) ((void)0)
#define NN__PLAIN_FOURS(n) 0
#endif
#endif

/* Stores n sums as numbers of y, for the channels from k on. */
static NN__UNUSED NN__PLAIN_HOT
void nn__plain_put(int8_t *y, const int32_t *sums, const nn__integer_out *out,
                                        int k, int n) {
#if NN__INTEGER_MVE
    nn__mve_put(y, sums, out->multiplier + k, out->shift + k, out->zero, out->low, out->high, n);
#else
    const int first = NN__PLAIN_FOURS(n);
    nn__plain_put_fours(y, sums, out, k, first);
    for (int i = first; i < n; i++)
        y[i] = nn__integer_clamp(
            nn__plain_value(sums, out->multiplier + k, out->shift + k, out->zero, i), out->low,
            out->high);
#endif
}
