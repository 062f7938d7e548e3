/* kernels/integer/pairs.h - the instructions of a Cortex-M4 for pairs of 16-bit numbers, as
   functions. */
#pragma once

#include "base/private.h"

#if defined(__ARM_FEATURE_SIMD32) && defined(__ARM_FEATURE_DSP) && !defined(__aarch64__)
#ifndef __smlad /* a test has these instructions in C */
#include <arm_acle.h>
#endif

/* The instructions that widen two bytes can rotate their operand, but gcc rotates before them. */
#if defined(__GNUC__) && defined(__arm__)
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__plain_odd_of(uint32_t four) {
    int32_t pair;
    __asm__("sxtb16 %0, %1, ror #8" : "=r"(pair) : "r"(four));
    return pair;
}
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__plain_odd(uint32_t four, int32_t add) {
    int32_t pair;
    __asm__("sxtab16 %0, %1, %2, ror #8" : "=r"(pair) : "r"(add), "r"(four));
    return pair;
}
#else
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__plain_odd_of(uint32_t four) {
    return __sxtb16((int32_t)(four >> 8 | four << 24));
}
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__plain_odd(uint32_t four, int32_t add) {
    return __sxtab16(add, (int32_t)(four >> 8 | four << 24));
}
#endif
#if defined(__GNUC__) && defined(__arm__)
/* Subtracts four bytes from four bytes. */
static NN__ALWAYS_INLINE NN__UNUSED uint32_t nn__plain_bytes_less(uint32_t a, uint32_t b) {
    uint32_t four;
    __asm__("ssub8 %0, %1, %2" : "=r"(four) : "r"(a), "r"(b) : "cc");
    return four;
}
#define NN__PLAIN_SIGNED(halves) nn__plain_bytes_less(halves, 0x08080808u)
#endif
/* Returns numbers 0 and 2 of four adjacent bytes, each plus its half of `add`. */
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__plain_even(uint32_t four, int32_t add) {
    return __sxtab16(add, (int32_t)four);
}
static NN__ALWAYS_INLINE NN__UNUSED uint32_t nn__plain_four(const int8_t *from) {
    uint32_t four;
    memcpy(&four, from, sizeof four);
    return four;
}
/* Return sum + the product of the lower, or the upper, halves of a and b. Left to itself, gcc adds
   the products of several taps first, for which it has no registers. */
#if defined(__GNUC__) && defined(__arm__)
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__plain_lower(int32_t a, int32_t b, int32_t sum) {
    __asm__("smlabb %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__plain_upper(int32_t a, int32_t b, int32_t sum) {
    __asm__("smlatt %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}
#else
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__plain_lower(int32_t a, int32_t b, int32_t sum) {
    return (int32_t)((uint32_t)sum + (uint32_t)((int16_t)a * (int16_t)b));
}
static NN__ALWAYS_INLINE NN__UNUSED int32_t nn__plain_upper(int32_t a, int32_t b, int32_t sum) {
    return (int32_t)((uint32_t)sum + (uint32_t)((a >> 16) * (b >> 16)));
}
#endif
/* Adds the products of one tap to the sums s, t, u, v of four channels. */
static NN__ALWAYS_INLINE NN__UNUSED void nn__plain_tap(int32_t *s, int32_t *t, int32_t *u,
                                                       int32_t *v, const int8_t *w,
                                                       const int8_t *x, int32_t less) {
    const uint32_t four = nn__plain_four(w), of_x = nn__plain_four(x);
    int32_t p = __sxtb16((int32_t)four), q = nn__plain_even(of_x, less);
    *s = nn__plain_lower(p, q, *s);
    *u = nn__plain_upper(p, q, *u);
    p = nn__plain_odd_of(four), q = nn__plain_odd(of_x, less);
    *t = nn__plain_lower(p, q, *t);
    *v = nn__plain_upper(p, q, *v);
}
#endif
