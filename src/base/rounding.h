/* base/rounding.h - a thread's rounding mode and treatment of subnormal numbers. Only for .c
   parts. Each thread has its own settings, and a program may change them on the thread that
   calls the library. So a worker takes over the caller's settings for each job; otherwise
   results would depend on which thread runs which unit. Flags of past exceptions are left alone
   if they can be told apart. */
#pragma once

#include "base/private.h"

#ifdef NN_NO_THREADS /* no second thread either, except in a job system, which sets up its own */
#define NN__ROUNDING_NONE
#elif defined(__GNUC__) && defined(__SSE__)
#define NN__ROUNDING_FLAGS 0x3fu
typedef unsigned nn__rounding;
static inline NN__UNUSED nn__rounding nn__get_rounding(void) { return __builtin_ia32_stmxcsr(); }
static inline NN__UNUSED void nn__write_rounding(nn__rounding to) { __builtin_ia32_ldmxcsr(to); }
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
#include <xmmintrin.h>
#define NN__ROUNDING_FLAGS 0x3fu
typedef unsigned nn__rounding;
static nn__rounding nn__get_rounding(void) { return _mm_getcsr(); }
static void nn__write_rounding(nn__rounding to) { _mm_setcsr(to); }
#elif defined(__GNUC__) && defined(__aarch64__)
#define NN__ROUNDING_FLAGS 0u /* they are in a separate register */
typedef uint64_t nn__rounding;
static inline NN__UNUSED nn__rounding nn__get_rounding(void) {
    nn__rounding now;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(now));
    return now;
}
static inline NN__UNUSED void nn__write_rounding(nn__rounding to) {
    __asm__ __volatile__("msr fpcr, %0" : : "r"(to));
}
#elif defined(__GNUC__) && defined(__arm__) && defined(__ARM_FP) && !defined(__SOFTFP__)
#define NN__ROUNDING_FLAGS 0xf800009fu /* also the result of a comparison */
typedef unsigned nn__rounding;
static inline NN__UNUSED nn__rounding nn__get_rounding(void) {
    nn__rounding now;
    __asm__ __volatile__("vmrs %0, fpscr" : "=r"(now));
    return now;
}
static inline NN__UNUSED void nn__write_rounding(nn__rounding to) {
    __asm__ __volatile__("vmsr fpscr, %0" : : "r"(to));
}
#elif defined(__unix__) || defined(__APPLE__) || defined(_WIN32)
#include <fenv.h>
typedef fenv_t nn__rounding;
static inline NN__UNUSED nn__rounding nn__get_rounding(void) {
    nn__rounding now;
    fegetenv(&now);
    return now;
}
static inline NN__UNUSED void nn__set_rounding(nn__rounding to) { fesetenv(&to); }
#else
#define NN__ROUNDING_NONE
#endif

#ifdef NN__ROUNDING_NONE
#undef NN__ROUNDING_NONE
typedef char nn__rounding;
static inline NN__UNUSED nn__rounding nn__get_rounding(void) { return 0; }
static inline NN__UNUSED void nn__set_rounding(nn__rounding to) { (void)to; }
#endif

#ifdef NN__ROUNDING_FLAGS
static inline NN__UNUSED void nn__set_rounding(nn__rounding to) {
    nn__rounding now = nn__get_rounding(), flags = (nn__rounding)NN__ROUNDING_FLAGS;
    if (((now ^ to) & ~flags) != 0) nn__write_rounding((to & ~flags) | (now & flags));
}
#undef NN__ROUNDING_FLAGS
#endif
